//! What a request costs: how long it waited, and the CPU time of its work.
//!
//! Work is measured on the thread that does it and until it ends, so that a caller that hangs up is
//! charged as well. This module must not know what the work is, and must not refuse anything.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use actix_web::body::{BodySize, MessageBody};
use actix_web::web::Bytes;

use crate::limits::allowance::Account;
use crate::limits::metrics::Metrics;

tokio::task_local! {
    static CURRENT: Arc<Cost>;
}

/// What a request has cost so far.
#[derive(Debug, Default)]
pub struct Cost {
    waited: AtomicU64,
    worked: AtomicU64,
    account: Option<Account>,
    metrics: Option<Metrics>,
}

impl Cost {
    /// No cost so far; later cost is charged to the account and added to the metrics.
    pub fn new(account: Option<Account>, metrics: Metrics) -> Arc<Self> {
        Arc::new(Cost { account, metrics: Some(metrics), ..Cost::default() })
    }

    /// Who is charged for the current work if it continues elsewhere; `None` outside of a request,
    /// and if there are no limits.
    pub fn payer() -> Option<String> {
        Cost::current()?.account.as_ref().map(|account| account.holder().to_string())
    }

    /// The cost of the current request; `None` outside of a request.
    pub fn current() -> Option<Arc<Cost>> {
        CURRENT.try_with(Arc::clone).ok()
    }

    /// Runs a future as part of this request.
    pub async fn within<F: Future>(self: Arc<Self>, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Runs a function on this thread as part of this request.
    pub fn scope<T>(self: Arc<Self>, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// Waits until the CPU time that its account was charged beyond the quota is restored.
    pub async fn settle(&self) {
        while let Some(account) = &self.account {
            let debt = account.debt(Instant::now());
            if debt.is_zero() {
                return;
            }
            tokio::time::sleep(debt).await;
        }
    }

    /// Adds time that the request waited.
    pub fn wait(&self, time: Duration) {
        self.waited.fetch_add(micros(time), Ordering::Relaxed);
    }

    /// The CPU time of its work so far.
    pub fn worked(&self) -> Duration {
        Duration::from_micros(self.worked.load(Ordering::Relaxed))
    }

    /// Does a piece of its work on this thread.
    pub fn work<T>(&self, job: impl FnOnce() -> T) -> T {
        let begun = thread_time();
        let _running = self.metrics.as_ref().map(Metrics::work);
        let result = job();
        let took = thread_time().saturating_sub(begun);
        self.worked.fetch_add(micros(took), Ordering::Relaxed);
        if let Some(account) = &self.account {
            account.charge(took);
        }
        if let Some(metrics) = &self.metrics {
            metrics.worked(took);
        }
        result
    }

    /// The times so far in the format of the header `Server-Timing`, in milliseconds.
    pub fn server_timing(&self, total: Duration) -> String {
        let millis = |time: &AtomicU64| time.load(Ordering::Relaxed) as f64 / 1e3;
        let (queue, cpu) = (millis(&self.waited), millis(&self.worked));
        format!(
            "queue;dur={queue:.3}, cpu;dur={cpu:.3}, total;dur={:.3}",
            micros(total) as f64 / 1e3
        )
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The CPU time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Wall-clock time, on systems without CPU time per thread.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// A body that is generated as part of a request's cost.
#[derive(Debug)]
pub struct Costly<B> {
    body: Pin<Box<B>>,
    cost: Arc<Cost>,
}

impl<B> Costly<B> {
    /// A body whose generation is charged to that cost.
    pub fn new(body: B, cost: Arc<Cost>) -> Self {
        Costly { body: Box::pin(body), cost }
    }
}

impl<B: MessageBody> MessageBody for Costly<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let cost = self.cost.clone();
        CURRENT.sync_scope(cost, || self.body.as_mut().poll_next(context))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn work_is_counted_on_whatever_thread_it_is_done() {
        assert!(Cost::current().is_none());
        let cost = Arc::new(Cost::default());
        cost.clone()
            .within(async {
                let cost = Cost::current().unwrap();
                let spin = move || {
                    cost.work(|| {
                        let mut number = 1u64;
                        while cost_of_thread_below(Duration::from_millis(5), &mut number) {}
                        number
                    })
                };
                actix_web::web::block(spin).await.unwrap();
            })
            .await;
        assert!(cost.worked() >= Duration::from_millis(4), "{:?}", cost.worked());
        cost.wait(Duration::from_micros(1500));
        let told = cost.server_timing(Duration::from_millis(7));
        assert!(told.starts_with("queue;dur=1.500, cpu;dur="), "{told}");
        assert!(told.ends_with(", total;dur=7.000"), "{told}");
    }

    /// Whether this thread has used less CPU time than that; uses some.
    fn cost_of_thread_below(time: Duration, number: &mut u64) -> bool {
        for _ in 0..1000 {
            *number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        }
        thread_time() < time
    }
}
