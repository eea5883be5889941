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
    /// At most `jobs` heavy jobs at once, and twice as many light ones, and as many again of peers that have none; a caller
    /// waits up to
    /// `queue` for its turn and up to `work` for the result.
    pub fn new(jobs: usize, queue: Duration, work: Duration) -> Self {
        let jobs = jobs.max(1);
        Cpu { light: Lane::new(2 * jobs, 2 * jobs), heavy: Lane::new(jobs, jobs), queue, work }
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

/// A limited number of places. If more are wanted, the peer that holds fewest comes first, then the one that has used the
/// least time lately; each peer's own requests are in order. A peer that holds none gets one beyond the limit, as long as
/// there are not too many of those: so long jobs of few peers share the processor with the jobs of others.
#[derive(Clone)]
struct Lane(Arc<Mutex<Queue>>);

struct Queue {
    /// The places for anybody, and those beside them for peers that hold none.
    places: usize,
    extra: usize,
    /// The places that each peer holds.
    held: HashMap<Peer, usize>,
    running: usize,
    /// How long each peer held places lately.
    used: HashMap<Peer, Usage>,
    /// The waiting requests of each peer, each with a number by which they came.
    waiting: HashMap<Peer, VecDeque<(u64, oneshot::Sender<Turn>)>>,
    came: u64,
}

/// Time that counts less the longer ago it was used.
#[derive(Clone, Copy)]
struct Usage {
    seconds: f64,
    at: Instant,
}

/// The time after which what a peer has used counts half.
const HALF_LIFE: f64 = 30.0;

/// How many peers are remembered by what they used, beside those with much of it.
const REMEMBERED: usize = 1_024;

impl Usage {
    fn now(&self) -> f64 {
        self.seconds * (-self.at.elapsed().as_secs_f64() / HALF_LIFE).exp2()
    }
}

/// A place in a lane, given back when it is dropped.
pub struct Turn {
    /// `None` once it was given back.
    lane: Option<Lane>,
    peer: Peer,
    since: Instant,
}

impl Lane {
    fn new(places: usize, extra: usize) -> Self {
        Lane(Arc::new(Mutex::new(Queue {
            places: places.max(1),
            extra,
            held: HashMap::new(),
            running: 0,
            used: HashMap::new(),
            waiting: HashMap::new(),
            came: 0,
        })))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it holds this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self, peer: Peer) -> Turn {
        Turn { lane: Some(self.clone()), peer, since: Instant::now() }
    }

    /// Waits until it is this peer's turn.
    async fn place(&self, peer: Peer) -> Turn {
        loop {
            let waiting = {
                let mut queue = self.queue();
                if queue.has_room_for(peer) {
                    queue.enter(peer);
                    return self.turn(peer);
                }
                let (sender, receiver) = oneshot::channel();
                queue.came += 1;
                let number = queue.came;
                queue.waiting.entry(peer).or_default().push_back((number, sender));
                receiver
            };
            if let Ok(place) = waiting.await {
                return place;
            }
        }
    }

    /// Gives free places to those who wait.
    fn hand_out(&self) {
        loop {
            let (peer, next) = {
                let mut queue = self.queue();
                let Some(found) = queue.next() else { return };
                queue.enter(found.0);
                found
            };
            // A caller that has gone does not take the place: what comes back gives it to the next one.
            if let Err(mut unclaimed) = next.send(self.turn(peer)) {
                unclaimed.lane = None;
                self.queue().leave(peer, Duration::ZERO);
            }
        }
    }
}

impl Queue {
    fn has_room_for(&self, peer: Peer) -> bool {
        let most = if self.held.contains_key(&peer) { 0 } else { self.extra };
        self.running < self.places + most
    }

    fn enter(&mut self, peer: Peer) {
        self.running += 1;
        *self.held.entry(peer).or_default() += 1;
    }

    fn leave(&mut self, peer: Peer, time: Duration) {
        self.running -= 1;
        if let Some(held) = self.held.get_mut(&peer) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&peer);
            }
        }
        if self.used.len() >= REMEMBERED {
            self.used.retain(|_, usage| usage.now() > 1.0);
        }
        let before = self.used.get(&peer).map_or(0.0, Usage::now);
        let usage = Usage { seconds: before + time.as_secs_f64(), at: Instant::now() };
        self.used.insert(peer, usage);
    }

    /// The next in line for whom there is room.
    fn next(&mut self) -> Option<(Peer, oneshot::Sender<Turn>)> {
        self.waiting.retain(|_, own| {
            // Skip callers that have gone.
            own.retain(|(_, sender)| !sender.is_closed());
            !own.is_empty()
        });
        let fit = self.waiting.iter().filter(|(peer, _)| self.has_room_for(**peer));
        let rank = |peer: &Peer, own: &VecDeque<(u64, _)>| {
            let used = self.used.get(peer).map_or(0.0, Usage::now);
            let nanoseconds = (used * 1e9) as u64;
            (self.held.get(peer).copied(), nanoseconds, own.front().map(|(number, _)| *number))
        };
        let peer = *fit.min_by_key(|(peer, own)| rank(peer, own))?.0;
        let own = self.waiting.get_mut(&peer)?;
        let (_, next) = own.pop_front()?;
        Some((peer, next))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(lane) = self.lane.take() else { return };
        lane.queue().leave(self.peer, self.since.elapsed());
        lane.hand_out();
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
        assert_eq!(cpu.heavy.queue().running, 1);
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
        let lane = Lane::new(1, 0);
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
        // The other peer has used nothing yet; which of them is next depends on what they then use.
        let order = order.lock().unwrap().clone();
        let of = |peer: char| order.iter().filter(move |name| name.starts_with(peer)).collect();
        let (one, two): (Vec<_>, Vec<_>) = (of('1'), of('2'));
        assert_eq!((order[0], one, two), ("2a", vec![&"1a", &"1c"], vec![&"2a", &"2b"]));
        let queue = lane.queue();
        assert_eq!((queue.running, queue.held.len(), queue.waiting.len()), (0, 0, 0));
    }

    #[actix_web::test]
    async fn a_peer_that_holds_nothing_is_not_kept_out() {
        let lane = Lane::new(2, 2);
        let peers: Vec<Peer> =
            (1..=5).map(|it| Peer::at(std::net::Ipv4Addr::new(10, 0, 0, it).into())).collect();
        let now = |peer: Peer| {
            let lane = lane.clone();
            async move { timeout(Duration::from_millis(20), lane.place(peer)).await.ok() }
        };
        let first = now(peers[0]).await.unwrap();
        let second = now(peers[0]).await.unwrap();
        assert!(now(peers[0]).await.is_none(), "one peer has its places");
        let others = (now(peers[1]).await.unwrap(), now(peers[2]).await.unwrap());
        assert!(now(peers[1]).await.is_none() && now(peers[3]).await.is_none());
        // The peer that has used the least time comes first, even if others have waited longer.
        lane.queue().used.insert(peers[4], Usage { seconds: 5.0, at: Instant::now() });
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut all = Vec::new();
        for peer in [peers[0], peers[4], peers[3]] {
            let (lane, order) = (lane.clone(), order.clone());
            all.push(actix_web::rt::spawn(async move {
                let _place = lane.place(peer).await;
                order.lock().unwrap().push(peer);
            }));
            tokio::task::yield_now().await;
        }
        drop(first);
        all.pop().unwrap().await.unwrap();
        all.pop().unwrap().await.unwrap();
        assert_eq!(*order.lock().unwrap(), [peers[3], peers[4]]);
        drop((second, others));
        all.pop().unwrap().await.unwrap();
        assert!(lane.queue().held.is_empty());
    }
}
