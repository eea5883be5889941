//! Notifications about what other servers do at tables.
//!
//! Notifications can be lost: this module must report that after each new connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use tokio_postgres::AsyncMessage;

use super::super::{TableId, TableNews};
use super::address::Address;
use super::writer::CHANNEL;

/// How long to wait before reconnecting.
const PAUSE: Duration = Duration::from_millis(500);

/// The watcher, if any.
pub(super) type Told = Arc<Mutex<Option<Box<dyn Fn(TableNews) + Send + Sync>>>>;

/// The notification for other servers: the mark of this server, and the table.
pub(super) fn news(mark: &str, table: TableId) -> String {
    format!("{mark} {table}")
}

/// Listens until it is dropped.
pub(super) async fn listen(address: Address, mark: String, watcher: Told) {
    loop {
        if let Err(error) = once(&address, &mark, &watcher).await {
            tracing::warn!(%error, "lost notifications from other servers; reconnecting");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn tell(watcher: &Told, news: TableNews) {
    // The watcher is intact after any panic.
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
                // Earlier notifications were lost.
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
