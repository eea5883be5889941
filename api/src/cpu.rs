//! Work for the processor: small pieces on the spot, large ones on threads of their own.
//!
//! An async worker must never be kept busy for long, so whatever may take long goes through
//! [`Cpu::run`], which bounds how much of it goes on at once and how long a caller waits. This
//! module must not know what the work is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use umpire_engine::budget::Budget;

use crate::error::ApiError;

/// How much work may go on, and for how long.
#[derive(Clone)]
pub struct Cpu {
    permits: Arc<Semaphore>,
    queue: Duration,
    work: Duration,
}

impl Cpu {
    /// At most `jobs` jobs at once; a caller waits up to `queue` for its turn and up to `work`
    /// for the result.
    pub fn new(jobs: usize, queue: Duration, work: Duration) -> Self {
        Cpu { permits: Arc::new(Semaphore::new(jobs.max(1))), queue, work }
    }

    /// Runs a job on a thread that may block. A job that takes too long, or whose caller has gone,
    /// is told so by the budget that it is given. It keeps its place until it ends, so that the bound
    /// holds.
    pub async fn run<T, F>(&self, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let turn = timeout(self.queue, self.permits.clone().acquire_owned()).await;
        let Ok(Ok(permit)) = turn else {
            return Err(ApiError::Unavailable("too many requests are being worked on".to_owned()));
        };
        let stop = Arc::new(AtomicBool::new(false));
        let _raised_at_last = Raise(stop.clone());
        match timeout(self.work, Self::spawn(permit, move || job(Budget::until(&stop)))).await {
            Ok(result) => result,
            Err(_) => Err(ApiError::Unavailable(format!(
                "the work took longer than {} seconds",
                self.work.as_secs()
            ))),
        }
    }

    /// Runs a piece of a stream: as [`Cpu::run`], but waits for its turn as long as it takes,
    /// because a stream is slowed down rather than broken off.
    pub async fn stream<T, F>(&self, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let _raised_at_last = Raise(stop.clone());
        match self.permits.clone().acquire_owned().await {
            Ok(permit) => Self::spawn(permit, move || job(Budget::until(&stop))).await,
            Err(_) => Err(ApiError::Unavailable("the server is stopping".to_owned())),
        }
    }

    async fn spawn<T, F>(permit: OwnedSemaphorePermit, job: F) -> Result<T, ApiError>
    where
        F: FnOnce() -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let job = move || {
            let _permit = permit;
            here(job)
        };
        match tokio::task::spawn_blocking(job).await {
            Ok(result) => result,
            Err(error) => Err(ApiError::Internal(format!("a job was lost: {error}"))),
        }
    }
}

/// Raises a flag when it is dropped: at the end of a request, whichever way it ends.
struct Raise(Arc<AtomicBool>);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a small job on the spot. A panic in it is an internal error of this request alone.
pub fn here<T>(job: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    // A job owns what it works on, so nothing half changed is left behind.
    match catch_unwind(AssertUnwindSafe(job)) {
        Ok(result) => result,
        Err(_) => Err(ApiError::Internal("a job panicked".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    fn cpu(work: Duration) -> Cpu {
        Cpu::new(1, Duration::from_millis(10), work)
    }

    #[actix_web::test]
    async fn a_job_that_panics_is_an_internal_error() {
        let cpu = cpu(Duration::from_secs(60));
        let result: Result<(), _> = cpu.run(|_| panic!("on purpose")).await;
        assert_eq!(result.unwrap_err().code(), Code::Internal);
        assert_eq!(cpu.run(|_| Ok(7)).await.unwrap(), 7);
    }

    #[actix_web::test]
    async fn a_job_that_takes_too_long_is_given_up_and_keeps_its_place() {
        let cpu = cpu(Duration::ZERO);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let slow = cpu.run(move |_| Ok(wait.recv())).await;
        assert_eq!(slow.unwrap_err().code(), Code::Unavailable);
        assert_eq!(cpu.permits.available_permits(), 0);
        let refused = cpu.run(|_| Ok(())).await;
        assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        go.send(()).unwrap();
        let permit = cpu.permits.acquire().await;
        assert!(permit.is_ok());
    }

    #[actix_web::test]
    async fn a_job_that_is_given_up_is_told() {
        let cpu = cpu(Duration::ZERO);
        let job = |budget: Budget<'_>| {
            while !budget.is_spent() {
                std::thread::yield_now();
            }
            Ok(())
        };
        assert_eq!(cpu.run(job).await.unwrap_err().code(), Code::Unavailable);
        let permit = cpu.permits.acquire().await;
        assert!(permit.is_ok());
    }
}
