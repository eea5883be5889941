//! What is held while a response is sent: its share of the memory for responses, and its
//! connection.
//!
//! A response that the client does not read stays in memory until its connection is closed, so the
//! total is limited. This module must not look into a response.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_web::ResponseError;
use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connections::Connection;

/// Shorter responses are not counted: the limit on connections bounds them.
const SHORT: u64 = 64 << 10;

/// The granularity of the count, in bytes.
const PIECE: u64 = 1 << 10;

/// The memory for responses that are being sent.
#[derive(Clone, Debug)]
pub struct Memory {
    left: Arc<Semaphore>,
    pieces: u32,
}

/// A share of that memory, given back when it is dropped.
#[derive(Debug)]
pub struct Part(#[expect(dead_code, reason = "held for its end")] OwnedSemaphorePermit);

/// Not enough memory is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl Memory {
    /// This many bytes.
    pub fn new(bytes: u64) -> Self {
        let most = u64::from(u32::MAX).min(Semaphore::MAX_PERMITS as u64);
        let pieces = (bytes / PIECE).clamp(1, most) as u32;
        Memory { left: Arc::new(Semaphore::new(pieces as usize)), pieces }
    }

    /// A share for a response of that size; `None` for a short response or a streamed one. A
    /// response larger than the limit gets all of the memory, once nobody else has any.
    ///
    /// # Errors
    /// [`Full`] if there is not enough left.
    pub fn part(&self, size: BodySize) -> Result<Option<Part>, Full> {
        self.part_with(size, 0)
    }

    /// A share for a response of that size, and for what it takes to compress it.
    ///
    /// # Errors
    /// [`Full`] if there is not enough left.
    pub fn part_with(&self, size: BodySize, encoder: u64) -> Result<Option<Part>, Full> {
        let bytes = match size {
            BodySize::Sized(bytes @ SHORT..) => bytes + encoder,
            BodySize::Stream if encoder > 0 => encoder,
            _ => return Ok(None),
        };
        let pieces = bytes.div_ceil(PIECE).min(u64::from(self.pieces)) as u32;
        match self.left.clone().try_acquire_many_owned(pieces) {
            Ok(permit) => Ok(Some(Part(permit))),
            Err(_) => Err(Full),
        }
    }
}

/// A body is passed on in pieces of at most this many bytes, each only when the previous one has
/// been sent: a longer one would be copied at once, and use memory that is not counted.
const AT_ONCE: usize = 32 << 10;

/// A body, and what is held until it was sent or given up.
#[derive(Debug)]
pub struct Holding<B, T> {
    body: Pin<Box<B>>,
    /// The rest of a piece of the body that has not been passed on.
    rest: Bytes,
    #[expect(dead_code, reason = "held for its end")]
    held: T,
}

impl<B, T> Holding<B, T> {
    /// Holds something while a body is sent.
    pub fn new(body: B, held: T) -> Self {
        Holding { body: Box::pin(body), rest: Bytes::new(), held }
    }
}

impl<B: MessageBody, T: Unpin> MessageBody for Holding<B, T> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match self.body.as_mut().poll_next(context) {
                Poll::Ready(Some(Ok(bytes))) => self.rest = bytes,
                other => return other,
            }
        }
        let most = self.rest.len().min(AT_ONCE);
        Poll::Ready(Some(Ok(self.rest.split_to(most))))
    }
}

/// The caller has closed its end of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HungUp;

impl fmt::Display for HungUp {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("the caller has hung up")
    }
}

impl std::error::Error for HungUp {}

/// Nobody is there to read it; the status is the one that proxies note in their logs.
impl ResponseError for HungUp {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST)
    }
}

/// A body that ends when its caller has hung up, even if nothing of it can be sent at that time.
pub struct Attended<B> {
    body: Pin<Box<B>>,
    gone: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

impl<B> Attended<B> {
    /// Ends a body with the connection, if that is known.
    pub fn new(body: B, connection: Option<Connection>) -> Self {
        Attended { body: Box::pin(body), gone: connection.map(|it| Box::pin(it.gone()) as _) }
    }
}

impl<B: MessageBody> MessageBody for Attended<B> {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if let Poll::Ready(part) = self.body.as_mut().poll_next(context) {
            return Poll::Ready(part.map(|part| part.map_err(Into::into)));
        }
        let gone = self.gone.as_mut().map_or(Poll::Pending, |gone| gone.as_mut().poll(context));
        gone.map(|()| Some(Err(HungUp.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_answers_share_the_memory_and_short_ones_need_none() {
        let memory = Memory::new(1 << 20);
        let half = BodySize::Sized(512 << 10);
        let (one, two) = (memory.part(half), memory.part(half));
        assert!(matches!((&one, &two), (Ok(Some(_)), Ok(Some(_)))));
        assert!(memory.part(half).is_err());
        for free in [BodySize::Sized(1000), BodySize::Stream, BodySize::None] {
            assert!(matches!(memory.part(free), Ok(None)));
        }
        drop(one);
        assert!(memory.part(half).is_ok());
        // A single response may be larger than the limit.
        let huge = BodySize::Sized(1 << 30);
        assert!(memory.part(huge).is_err());
        drop(two);
        assert!(memory.part(huge).is_ok());
    }
}
