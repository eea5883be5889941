//! The thread that communicates with the database.
//!
//! The store is called from blocking threads and from async ones, so its futures run on a separate
//! thread. This module must not know the queries.

use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::super::StoreError;
use super::super::queue::closed;

/// A thread that runs futures until it is dropped.
pub(super) struct Thread {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    joined: Option<JoinHandle<()>>,
}

impl Thread {
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let joined = thread::Builder::new().name("store-postgres".to_owned()).spawn(move || {
            let _ = runtime.block_on(stopped);
        })?;
        Ok(Thread { handle, stop: Some(stop), joined: Some(joined) })
    }

    /// Runs a future in the background.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(work);
    }

    /// Runs a future, and waits for its result. Blocks.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, answer) = mpsc::channel();
        self.handle.spawn(async move {
            // The caller is waiting for it.
            let _ = sender.send(work.await);
        });
        answer.recv().map_err(|_| closed())?
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(joined) = self.joined.take() {
            let _ = joined.join();
        }
    }
}
