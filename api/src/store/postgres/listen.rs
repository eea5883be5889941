//! What other servers do at tables, told as it happens.
//!
//! This module must not believe that it is told everything: after each new connection it says so.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use tokio_postgres::AsyncMessage;

use super::super::{TableId, TableNews};
use super::address::Address;
use super::writer::CHANNEL;

/// How long to wait before a connection that was lost is made again.
const PAUSE: Duration = Duration::from_millis(500);

/// Who is told.
pub(super) type Told = Arc<Mutex<Option<Box<dyn Fn(TableNews) + Send + Sync>>>>;

/// What one server tells the others: its own mark, and the table.
pub(super) fn news(mark: &str, table: TableId) -> String {
    format!("{mark} {table}")
}

/// Listens for as long as it is not dropped.
pub(super) async fn listen(address: Address, mark: String, watcher: Told) {
    loop {
        if let Err(error) = once(&address, &mark, &watcher).await {
            tracing::warn!(%error, "what other servers do is not heard; trying again");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn tell(watcher: &Told, news: TableNews) {
    // A list of one is whole after any panic.
    let watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(watcher) = &*watcher {
        watcher(news);
    }
}

/// Listens until the connection is lost.
async fn once(address: &Address, mark: &str, watcher: &Told) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = address.with(&[]).connect(address.tls.clone()).await?;
    let messages = stream::poll_fn(move |context| connection.poll_message(context));
    let mut messages = Box::pin(messages);
    let listening = client.batch_execute(const { "LISTEN umpire_tables" });
    let mut listening = Box::pin(listening);
    let mut heard = false;
    loop {
        let message = tokio::select! {
            done = &mut listening, if !heard => {
                done?;
                heard = true;
                // Nobody knows what was said before.
                tell(watcher, TableNews::Missed);
                continue;
            }
            message = messages.next() => message,
        };
        match message {
            None => return Ok(()),
            Some(Err(error)) => return Err(error),
            Some(Ok(AsyncMessage::Notification(said))) if said.channel() == CHANNEL => {
                let Some((from, table)) = said.payload().split_once(' ') else { continue };
                if from != mark
                    && let Ok(table) = table.parse()
                {
                    tell(watcher, TableNews::Changed(table));
                }
            }
            Some(Ok(_)) => {}
        }
    }
}
