//! The write queue: how much may wait, for how long, and what is written together.
//!
//! It is the same for every kind of store. This module must not know what is written, nor where.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::{Inserted, StoreError, StoreFuture};

/// The maximum number of bytes in a group, unless a single request has more.
const GROUP_BYTES: usize = 4 << 20;

/// The cost of a request in the queue besides its bytes, for bookkeeping.
const REQUEST_BYTES: usize = 256;

/// For each item of a request, whether it changed the store.
pub(super) type Changed = Vec<bool>;

/// A write request.
pub(super) struct Request<W> {
    pub(super) work: W,
    bytes: usize,
    /// The waiting caller.
    pub(super) answer: oneshot::Sender<Result<Changed, StoreError>>,
    /// Its share of the queue, given back when it is dropped.
    _room: OwnedSemaphorePermit,
}

/// A message to the writer.
pub(super) enum Message<W> {
    /// A write request.
    Request(Box<Request<W>>),
    /// The last message.
    Close,
}

/// The limit of the queue.
pub(super) struct Room {
    /// One permit per byte.
    room: Arc<Semaphore>,
    all: u32,
    busy_after: Duration,
}

impl Room {
    /// Room for this many bytes, and how long to wait for it.
    pub(super) fn new(bytes: u32, busy_after: Duration) -> Self {
        Room { room: Arc::new(Semaphore::new(bytes as usize)), all: bytes, busy_after }
    }

    /// Sends a request of this many bytes as soon as there is room, and waits for its commit.
    /// `send` returns whether the writer accepted it.
    pub(super) fn submit<W: Send + 'static>(
        &self,
        work: W,
        bytes: usize,
        send: impl FnOnce(Message<W>) -> bool + Send + 'static,
    ) -> StoreFuture<Changed> {
        let room = Arc::clone(&self.room);
        let busy_after = self.busy_after;
        let bytes = bytes + REQUEST_BYTES;
        // A request that is larger than the queue may have all of it.
        let needed = u32::try_from(bytes).map_or(self.all, |bytes| bytes.min(self.all));
        Box::pin(async move {
            let room = match Arc::clone(&room).try_acquire_many_owned(needed) {
                Ok(room) => room,
                // Try without a timer first, so that only a busy queue needs one.
                Err(_) => timeout(busy_after, room.acquire_many_owned(needed))
                    .await
                    .map_err(|_| StoreError::Busy)?
                    .map_err(|_| closed())?,
            };
            let (answer, changed) = oneshot::channel();
            let request = Box::new(Request { work, bytes, answer, _room: room });
            if !send(Message::Request(request)) {
                return Err(closed());
            }
            changed.await.map_err(|_| closed())?
        })
    }

    /// Whether requests are refused.
    pub(super) fn is_closed(&self) -> bool {
        self.room.is_closed()
    }

    /// Refuses further requests.
    pub(super) fn close(&self) {
        self.room.close();
    }
}

/// The requests to write together: the first one and all that are queued behind it; and whether the
/// queue ends with them.
pub(super) fn gather<W>(
    first: Message<W>,
    mut waiting: impl FnMut() -> Option<Message<W>>,
) -> (Vec<Request<W>>, bool) {
    let (mut group, mut bytes) = (Vec::new(), 0);
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            Message::Request(request) => {
                bytes += request.bytes;
                group.push(*request);
            }
            Message::Close => return (group, true),
        }
        next = if bytes < GROUP_BYTES { waiting() } else { None };
    }
    (group, false)
}

/// Whether the store was changed.
pub(super) fn any(changed: StoreFuture<Changed>) -> StoreFuture<bool> {
    Box::pin(changed.map(|changed| Ok(changed?.contains(&true))))
}

/// Whether the single item was new.
pub(super) fn one(changed: StoreFuture<Changed>) -> StoreFuture<Inserted> {
    Box::pin(any(changed).map(|new| new.map(inserted)))
}

/// Which items were new.
pub(super) fn each(changed: StoreFuture<Changed>) -> StoreFuture<Vec<Inserted>> {
    Box::pin(changed.map(|changed| Ok(changed?.into_iter().map(inserted).collect())))
}

fn inserted(new: bool) -> Inserted {
    if new { Inserted::New } else { Inserted::Existing }
}

/// The error of a closed store.
pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("it is closed".to_owned())
}
