//! Deleting tables at which nobody has played for days, if the operator wants that.
//!
//! Must not delete a table at which somebody is playing: it is looked at again once nobody else can change it.

use std::sync::Arc;
use std::time::Duration;

use super::session::to_the_end;
use super::{Tables, now};
use crate::http::error::ApiError;
use crate::http::peer::Peer;
use crate::limits::cpu::Claim;
use crate::store::KeptTable;

/// How often tables are looked at.
const LOOK: Duration = Duration::from_secs(600);

/// How many are looked at together.
const PAGE: u32 = 500;

impl Tables {
    /// Deletes tables at which nobody has played for so many days, now and from time to time, until the server stops.
    pub fn expire(self: &Arc<Self>, days: u32) {
        let tables = self.clone();
        let age = i64::from(days) * 24 * 60 * 60 * 1000;
        actix_web::rt::spawn(async move {
            loop {
                match tables.delete_older(now() - age).await {
                    Ok(0) => {}
                    Ok(count) => tracing::info!(count, "tables that nobody plays at are deleted"),
                    Err(error) => tracing::warn!(%error, "old tables cannot be deleted"),
                }
                tokio::time::sleep(LOOK).await;
            }
        });
    }

    /// Deletes the tables at which nobody has played since a time, in milliseconds since 1970, and returns how many.
    ///
    /// # Errors
    /// The store fails.
    pub async fn delete_older(self: &Arc<Self>, time: i64) -> Result<u32, ApiError> {
        let (mut before, mut deleted) = (i64::MAX, 0);
        loop {
            let page = self.kept(before, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(deleted) };
            before = *last;
            for (number, table) in page {
                if table.played_at >= time {
                    continue;
                }
                let tables = self.clone();
                let delete = async move {
                    let locked = tables.lock(table.id).await;
                    // Somebody may have come back meanwhile.
                    let again = tables.kept(number + 1, 1).await?;
                    let old = again.iter().any(|(_, it)| it.id == table.id && it.played_at < time);
                    Ok(old && tables.delete(table.id, locked).await?)
                };
                deleted += u32::from(to_the_end(delete).await?);
            }
        }
    }

    async fn kept(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptTable)>, ApiError> {
        let store = self.store.clone();
        let look = move |_: umpire_engine::budget::Budget<'_>| Ok(store.kept_tables(before, most)?);
        self.cpu.run(Claim::light(Peer::SELF), look).await
    }
}
