//! CPU work: small jobs on the spot, large ones on separate threads.
//!
//! An async worker must never be busy for long, so anything that may take long goes through
//! [`Cpu::run`], which limits how much of it runs at once and how long a caller waits. This module
//! must not know what the work is.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use umpire_engine::budget::Budget;
use umpire_referee::call::guarded;

use crate::http::error::ApiError;
use crate::http::peer::Peer;
use crate::limits::cost::Cost;

/// A request for a place in a lane: how heavy the work is, and who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    heavy: bool,
    peer: Peer,
}

impl Claim {
    /// Work of a few milliseconds.
    pub const fn light(peer: Peer) -> Self {
        Claim { heavy: false, peer }
    }

    /// Work that may take seconds.
    pub const fn heavy(peer: Peer) -> Self {
        Claim { heavy: true, peer }
    }

    /// Work on a text: light up to a number of bytes.
    pub const fn by_length(peer: Peer, length: usize, light: usize) -> Self {
        Claim { heavy: length > light, peer }
    }
}

/// Limits how many jobs run at once, and for how long.
#[derive(Clone)]
pub struct Cpu {
    /// Light work has its own lane, so that it never waits for heavy work.
    light: Lane,
    heavy: Lane,
    queue: Duration,
    work: Duration,
}

impl Cpu {
    /// At most `jobs` heavy jobs at once, and twice as many light ones; a caller waits up to
    /// `queue` for its turn and up to `work` for the result.
    pub fn new(jobs: usize, queue: Duration, work: Duration) -> Self {
        Cpu { light: Lane::new(2 * jobs), heavy: Lane::new(jobs), queue, work }
    }

    fn lane(&self, claim: Claim) -> &Lane {
        if claim.heavy { &self.heavy } else { &self.light }
    }

    /// Runs a job on a blocking thread. A job that takes too long, or whose caller has gone, is
    /// stopped by its budget. It keeps its place until it ends, so that the limit holds.
    pub async fn run<T, F>(&self, claim: Claim, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        self.run_at(self.wait(claim).await?, job).await
    }

    /// Runs a job that looks light, but may not be, because what it costs does not follow from the length of a text: with
    /// a small budget and, if that is not enough, again as heavy work.
    ///
    /// # Errors
    /// Those of the job, no place is free in time, or it takes too long.
    pub async fn run_measured<T, F>(&self, claim: Claim, job: F) -> Result<T, ApiError>
    where
        F: Fn(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        if claim.heavy {
            return self.run(claim, job).await;
        }
        let light = move |budget: Budget<'_>| match light_part(budget, &job) {
            Some(done) => done.map(Ok),
            None => Ok(Err(job)),
        };
        match self.run(claim, light).await? {
            Ok(done) => Ok(done),
            Err(job) => self.run(Claim { heavy: true, ..claim }, job).await,
        }
    }

    /// Waits for a place for a job.
    ///
    /// # Errors
    /// None is free in time.
    pub async fn wait(&self, claim: Claim) -> Result<Turn, ApiError> {
        let turn = timeout(self.queue, self.turn(claim)).await;
        turn.map_err(|_| ApiError::unavailable("too many requests are being worked on".to_owned()))
    }

    /// As [`Cpu::run`], at a place that is free already.
    ///
    /// # Errors
    /// Those of the job, or it takes too long.
    pub async fn run_at<T, F>(&self, place: Turn, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let _raised_at_last = Raise(stop.clone());
        match timeout(self.work, Self::spawn(place, move || job(Budget::until(&stop)))).await {
            Ok(result) => result,
            Err(_) => Err(ApiError::TookTooLong {
                seconds: self.work.as_secs(),
                instead: "ask for less in one request",
            }),
        }
    }

    /// Runs a piece of a stream: as [`Cpu::run`], but waits for its turn without a limit, because a
    /// stream is slowed down rather than aborted.
    pub async fn stream<T, F>(&self, claim: Claim, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let _raised_at_last = Raise(stop.clone());
        let place = self.turn(claim).await;
        Self::spawn(place, move || job(Budget::until(&stop))).await
    }

    /// Runs a job on one line of a stream: waits for its turn without a limit, but works on it as long as on a request.
    ///
    /// # Errors
    /// Those of the job, or it takes too long.
    pub async fn line<T, F>(&self, claim: Claim, job: F) -> Result<T, ApiError>
    where
        F: FnOnce(Budget<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        self.run_at(self.turn(claim).await, job).await
    }

    /// Waits for a place.
    async fn turn(&self, claim: Claim) -> Turn {
        let begun = Instant::now();
        let place = self.lane(claim).place(claim.peer).await;
        if let Some(cost) = Cost::current() {
            cost.wait(begun.elapsed());
        }
        place
    }

    async fn spawn<T, F>(place: Turn, job: F) -> Result<T, ApiError>
    where
        F: FnOnce() -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let cost = Cost::current().unwrap_or_default();
        let job = move || {
            let _place = place;
            cost.work(|| guarded(job))
        };
        match tokio::task::spawn_blocking(job).await {
            Ok(result) => result,
            Err(error) => Err(ApiError::internal(format!("a job was lost: {error}"))),
        }
    }
}

/// How many units of work a light job may take.
const LIGHT_UNITS: u64 = 1_000;

/// Does a job if it is light; `None` if it takes more.
pub fn light_part<T>(
    budget: Budget<'_>,
    job: impl FnOnce(Budget<'_>) -> Result<T, ApiError>,
) -> Option<Result<T, ApiError>> {
    let units = AtomicU64::new(LIGHT_UNITS);
    let measured = budget.within(&units);
    let done = job(measured);
    let too_much = done.is_err() && measured.is_spent() && !budget.is_spent();
    (!too_much).then_some(done)
}

/// A limited number of places. If more are wanted, the waiting peers take turns, each with its own
/// requests in order, so that many requests of one peer do not delay another's.
#[derive(Clone)]
struct Lane(Arc<Mutex<Queue>>);

struct Queue {
    free: usize,
    /// The waiting peers, the next one first.
    turns: VecDeque<Peer>,
    /// The waiting requests of each peer.
    waiting: HashMap<Peer, VecDeque<oneshot::Sender<Turn>>>,
}

/// A place in a lane, given back when it is dropped; `None` once it was given back.
pub struct Turn(Option<Lane>);

impl Lane {
    fn new(places: usize) -> Self {
        let (turns, waiting) = (VecDeque::new(), HashMap::new());
        Lane(Arc::new(Mutex::new(Queue { free: places.max(1), turns, waiting })))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it holds this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is this peer's turn.
    async fn place(&self, peer: Peer) -> Turn {
        loop {
            let waiting = {
                let mut queue = self.queue();
                if queue.free > 0 {
                    queue.free -= 1;
                    return Turn(Some(self.clone()));
                }
                let (sender, receiver) = oneshot::channel();
                let own = queue.waiting.entry(peer).or_default();
                own.push_back(sender);
                if own.len() == 1 {
                    queue.turns.push_back(peer);
                }
                receiver
            };
            if let Ok(place) = waiting.await {
                return place;
            }
        }
    }
}

impl Queue {
    /// The next in line; its peer then goes to the back.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        loop {
            let peer = self.turns.pop_front()?;
            let own = self.waiting.get_mut(&peer)?;
            // Skip callers that have gone.
            let gone = own.iter().take_while(|sender| sender.is_closed()).count();
            own.drain(..gone);
            let next = own.pop_front();
            match own.is_empty() {
                true => drop(self.waiting.remove(&peer)),
                false => self.turns.push_back(peer),
            }
            if next.is_some() {
                return next;
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(mut lane) = self.0.take() else { return };
        loop {
            let next = {
                let mut queue = lane.queue();
                match queue.next() {
                    Some(next) => next,
                    None => {
                        queue.free += 1;
                        return;
                    }
                }
            };
            // A caller that has gone does not take the place; offer it to the next one.
            let Err(mut unclaimed) = next.send(Turn(Some(lane))) else { return };
            match unclaimed.0.take() {
                Some(same) => lane = same,
                None => return,
            }
        }
    }
}

/// Raises a flag when it is dropped: at the end of a request, however it ends.
struct Raise(Arc<AtomicBool>);

impl Drop for Raise {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a small job of a request on the spot, at the request's cost.
pub fn now<T>(job: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    Cost::current().unwrap_or_default().work(|| guarded(job))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::error::Code;

    const CLAIM: Claim = Claim::heavy(Peer::SELF);

    fn cpu(work: Duration) -> Cpu {
        Cpu::new(1, Duration::from_millis(10), work)
    }

    #[actix_web::test]
    async fn a_job_that_panics_is_an_internal_error() {
        let cpu = cpu(Duration::from_secs(60));
        let result: Result<(), _> = cpu.run(CLAIM, |_| panic!("on purpose")).await;
        assert_eq!(result.unwrap_err().code(), Code::Internal);
        assert_eq!(cpu.run(CLAIM, |_| Ok(7)).await.unwrap(), 7);
    }

    #[actix_web::test]
    async fn a_job_that_takes_too_long_is_given_up_and_keeps_its_place() {
        let cpu = cpu(Duration::ZERO);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let slow = cpu.run(CLAIM, move |_| Ok(wait.recv())).await;
        assert_eq!(slow.unwrap_err().code(), Code::Unavailable);
        assert_eq!(cpu.heavy.queue().free, 0);
        let refused = cpu.run(CLAIM, |_| Ok(())).await;
        assert_eq!(refused.unwrap_err().code(), Code::Unavailable);
        go.send(()).unwrap();
        let _place = cpu.heavy.place(Peer::SELF).await;
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
        assert_eq!(cpu.run(CLAIM, job).await.unwrap_err().code(), Code::Unavailable);
        let _place = cpu.heavy.place(Peer::SELF).await;
    }

    #[actix_web::test]
    async fn light_work_does_not_wait_for_heavy_work() {
        let cpu = cpu(Duration::from_secs(60));
        let _held = cpu.heavy.place(Peer::SELF).await;
        assert!(cpu.run(CLAIM, |_| Ok(())).await.is_err());
        assert!(cpu.run(Claim::light(Peer::SELF), |_| Ok(())).await.is_ok());
    }

    #[actix_web::test]
    async fn peers_take_turns_and_whoever_has_gone_is_passed_over() {
        let lane = Lane::new(1);
        let [one, two] = ["10.0.0.1", "10.0.0.2"].map(|it| Peer::at(it.parse().unwrap()));
        let held = lane.place(one).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let wait = |peer: Peer, name: &'static str| {
            let (lane, order) = (lane.clone(), order.clone());
            actix_web::rt::spawn(async move {
                let _place = lane.place(peer).await;
                order.lock().unwrap().push(name);
            })
        };
        let mut all = Vec::new();
        for (peer, name) in [(one, "1a"), (one, "1b"), (one, "1c"), (two, "2a"), (two, "2b")] {
            all.push(wait(peer, name));
            tokio::task::yield_now().await;
        }
        all.remove(1).abort();
        tokio::task::yield_now().await;
        drop(held);
        for task in all {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["1a", "2a", "1c", "2b"]);
        let queue = lane.queue();
        assert_eq!((queue.free, queue.turns.len(), queue.waiting.len()), (1, 0, 0));
    }
}
