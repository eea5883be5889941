//! The end of a table: it becomes a stored record.
//!
//! With the seed everybody can see what was hidden, so only the host may seal a game that is not over. This module must
//! not know HTTP or a game.

use umpire_engine::game::Observer;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::Status;

use super::journal::Step;
use super::session::{TableSession, Who, to_the_end};
use super::table::Table;
use crate::auth::names::Names;
use crate::documents::archive::{Accept, admit};
use crate::http::error::ApiError;
use crate::limits::cpu::Claim;

impl TableSession {
    /// Stores the record of the table and closes it; nothing if that was done before. `names` says what the record is
    /// called outside.
    ///
    /// # Errors
    /// The game is not over and the caller is not the host, it has not begun, or the record cannot be stored.
    pub async fn seal(self, names: &Names) -> Result<Self, ApiError> {
        self.who.taking_part()?;
        if self.table()?.sealed.is_some() {
            return Ok(self);
        }
        let (claim, host) = (Claim::heavy(self.peer), self.who == Who::Host);
        let prepare = move |table: &Table, limits: Limits<'_>| {
            let Some(live) = &table.live else {
                return Err(ApiError::conflict("the game has not begun".to_owned()));
            };
            if live.look(Observer::Spectator).status != Status::Complete && !host {
                return Err(ApiError::forbidden("only the host may end a game that is not over"));
            }
            admit(table.record().get().as_bytes(), limits, Accept::Legal)
        };
        let (session, prepared) = self.work(claim, prepare).await?;
        let step = Step::Seal(names.outside(&prepared.record.id).to_string());
        to_the_end(async move {
            session.tables.store.insert(vec![prepared.record]).await?;
            session.change(step).await
        })
        .await
    }
}
