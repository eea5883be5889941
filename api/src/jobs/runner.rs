//! The runner of jobs: starts, resumes, cancels and stops them.
//!
//! Every server has one. Jobs are worked on in small pieces, on all processors but one if there are several, and the
//! board holds everything that they have found. This module must not know what jobs do.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{AbortHandle, BoxFuture, abortable};
use tokio::sync::Semaphore;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;

use crate::http::error::{ApiError, Code, Problem};
use crate::http::peer::Peer;
use crate::limits::cost::Cost;
use crate::limits::cpu::{Claim, Cpu};
use crate::store::jobs::{
    JobBoard, JobEnd, JobKind, JobUpdate, Lease, NewJob, PutOutcome, StoredJob,
};
use umpire_referee::json;

/// All jobs together take turns with the requests as one peer.
pub const CLAIM: Claim = Claim::heavy(Peer::SELF);

/// How many impacts run at once; and how many analyses and simulations together.
const MOST_RUNNING: u32 = 4;

/// How many analyses and simulations of one caller this server runs at once, so that another caller finds a place.
const MOST_OF_ONE: u32 = MOST_RUNNING - 1;

/// How many impacts are stored, including those that run.
const MOST_IMPACTS: u32 = 16;

/// How many analyses and simulations are stored, including those that run.
const MOST_RESULTS: u32 = 1_000;

/// What a job does.
pub trait JobWork: Send + Sync {
    /// Does the work from where the board says it stands, and saves what it finds, at last with a
    /// [`JobEnd::Done`]. It may be dropped at any point.
    fn run(self: Arc<Self>, job: JobContext) -> BoxFuture<'static, Result<(), ApiError>>;
}

/// The work on a job, to be spawned.
pub type JobFuture = BoxFuture<'static, ()>;

/// What a job works with.
#[derive(Clone)]
pub struct JobContext {
    board: Arc<dyn JobBoard>,
    lease: Lease,
    cpu: Cpu,
    slots: Arc<Semaphore>,
    /// How many pieces can be worked on at once.
    pub at_once: usize,
}

impl JobContext {
    /// Does something that may block.
    ///
    /// # Errors
    /// Those of what is done.
    pub async fn block<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self, Budget<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let job = self.clone();
        self.cpu.stream(CLAIM, move |budget| work(&job, budget)).await
    }

    /// Does a piece of the work, once one of the slots that all jobs share is free.
    ///
    /// # Errors
    /// Those of the piece.
    pub async fn piece<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self, Budget<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let slot = self.slots.acquire().await;
        let _slot = slot.map_err(|error| ApiError::internal(error.to_string()))?;
        self.block(work).await
    }

    /// Saves an update. Blocks.
    ///
    /// # Errors
    /// The board cannot be written, or this server no longer holds the lease.
    pub fn save(&self, update: JobUpdate) -> Result<(), ApiError> {
        match self.board.save(&self.lease, update)? {
            true => Ok(()),
            false => Err(ApiError::unavailable(
                "this server no longer holds the lease of the job".to_owned(),
            )),
        }
    }

    /// Marks the job as failed.
    pub async fn give_up(&self, problem: &Problem) {
        let end = Some(JobEnd::Failed(json::string(problem)));
        let update = JobUpdate { end, ..JobUpdate::default() };
        if let Err(error) = self.block(|job, _| job.save(update)).await {
            tracing::warn!(%error, "a failed job cannot be marked as failed");
        }
    }

    /// The numbers of the parts that are stored. Blocks.
    ///
    /// # Errors
    /// The board cannot be read.
    pub fn numbers(&self) -> Result<Vec<u32>, ApiError> {
        Ok(self.board.numbers(&self.lease.id)?)
    }

    /// All parts that are stored. Blocks.
    ///
    /// # Errors
    /// The board cannot be read.
    pub fn parts(&self) -> Result<Vec<(u32, String)>, ApiError> {
        Ok(self.board.parts(&self.lease.id, 0, u32::MAX)?)
    }
}

/// The jobs on which this server works, and whose they are, where there is a share for each caller.
type Running = Mutex<BTreeMap<Lease, (AbortHandle, Option<Peer>)>>;

fn locked(running: &Running) -> MutexGuard<'_, BTreeMap<Lease, (AbortHandle, Option<Peer>)>> {
    // Nothing that holds the lock can panic.
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a job off the list when the work on it ends, in whichever way.
struct RunGuard {
    running: Arc<Running>,
    board: Arc<dyn JobBoard>,
    lease: Lease,
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        locked(&self.running).remove(&self.lease);
        self.board.abandon(&self.lease);
    }
}

/// Runs jobs.
pub struct JobRunner {
    board: Arc<dyn JobBoard>,
    cpu: Cpu,
    slots: Arc<Semaphore>,
    at_once: usize,
    running: Arc<Running>,
    stopping: AtomicBool,
}

impl JobRunner {
    /// A runner of the jobs of this board, with so many processors.
    pub fn new(board: Arc<dyn JobBoard>, cpu: Cpu, processors: usize) -> Self {
        let at_once = processors.saturating_sub(1).max(1);
        JobRunner {
            board,
            cpu,
            slots: Arc::new(Semaphore::new(at_once)),
            at_once,
            running: Arc::default(),
            stopping: AtomicBool::new(false),
        }
    }

    /// The board.
    pub fn board(&self) -> &Arc<dyn JobBoard> {
        &self.board
    }

    /// Whether it no longer starts jobs.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Starts a job, or resumes the one of that id. Returns its work, or `None` if it is running or done already; if the
    /// work is dropped, the job is cancelled, or left to other servers. `caller` is whose share of what runs it takes.
    /// Blocks.
    ///
    /// # Errors
    /// Too many are running, the board cannot be written, or this server is stopping and there is no other.
    pub fn start(
        &self,
        kind: JobKind,
        id: &[u8],
        request: String,
        work: Arc<dyn JobWork>,
        caller: Option<Peer>,
    ) -> Result<Option<JobFuture>, ApiError> {
        // A job that was cancelled is on the list until its last piece ends.
        let theirs = |(handle, whose): &&(AbortHandle, Option<Peer>)| {
            caller.is_some() && *whose == caller && !handle.is_aborted()
        };
        let own = locked(&self.running).values().filter(theirs).count();
        let has_share = own < MOST_OF_ONE as usize;
        let stopping = self.is_stopping();
        if stopping && self.board.lease().is_none() {
            return Err(ApiError::unavailable("the server is stopping".to_owned()));
        }
        let put = self.board.put(NewJob {
            id: id.to_vec(),
            kind,
            version: ENGINE.to_owned(),
            request,
            payer: Cost::payer(),
            lease: !stopping,
            most_running: if has_share { MOST_RUNNING } else { 0 },
            most_kept: if kind == JobKind::Impact { MOST_IMPACTS } else { MOST_RESULTS },
        })?;
        match put {
            PutOutcome::Exists => Ok(None),
            PutOutcome::Queued => Ok(Some(Box::pin(async {}))),
            PutOutcome::Leased(lease) => Ok(Some(self.resume(lease, work, caller)?)),
            PutOutcome::Full if has_share => Err(too_many(MOST_RUNNING, kind)),
            PutOutcome::Full => Err(too_many(MOST_OF_ONE, kind)),
        }
    }

    /// Resumes a job that is leased to this server; `caller` as in [`JobRunner::start`]. Blocks.
    ///
    /// # Errors
    /// The server is stopping, and the job cannot be given back.
    pub fn resume(
        &self,
        lease: Lease,
        work: Arc<dyn JobWork>,
        caller: Option<Peer>,
    ) -> Result<JobFuture, ApiError> {
        let (running, job) = (self.running.clone(), self.context(lease.clone()));
        let guard = RunGuard { running, board: self.board.clone(), lease: lease.clone() };
        let (work, handle) = abortable(async move {
            let _guard = guard;
            let Err(error) = work.run(job.clone()).await else { return };
            tracing::warn!(%error, "a job failed");
            // If something is only unavailable, whoever takes over the job after the lease tries again.
            if error.code() != Code::Unavailable || job.board.lease().is_none() {
                job.give_up(&error.problem()).await;
            }
        });
        locked(&self.running).insert(lease, (handle, caller));
        if self.is_stopping() {
            // It began to stop meanwhile.
            self.stop()?;
        }
        // The board says whether it was aborted.
        Ok(Box::pin(async move {
            let _ = work.await;
        }))
    }

    /// What the job with that lease works with.
    pub fn context(&self, lease: Lease) -> JobContext {
        let (board, cpu) = (self.board.clone(), self.cpu.clone());
        JobContext { board, lease, cpu, slots: self.slots.clone(), at_once: self.at_once }
    }

    /// The job of that id and kind. Blocks.
    ///
    /// # Errors
    /// The board cannot be read.
    pub fn find(&self, kind: JobKind, id: &[u8]) -> Result<Option<StoredJob>, ApiError> {
        Ok(self.board.find(id)?.filter(|job| job.kind == kind))
    }

    /// Cancels a running job; what it has found stays. Deletes one that is not running. Returns whether there was one.
    /// Blocks.
    ///
    /// # Errors
    /// The board cannot be written.
    pub fn delete(&self, id: &[u8]) -> Result<bool, ApiError> {
        if !self.board.cancel(id)? {
            return Ok(self.board.forget(id)?);
        }
        self.abort(|lease| lease.id == id);
        Ok(true)
    }

    /// Renews the leases of this server, and stops working on jobs whose leases are lost. Blocks.
    ///
    /// # Errors
    /// The board cannot be written.
    pub fn beat(&self) -> Result<(), ApiError> {
        let leases: Vec<Lease> = locked(&self.running).keys().cloned().collect();
        let held = self.board.beat(&leases)?;
        self.abort(|lease| leases.contains(lease) && !held.contains(lease));
        Ok(())
    }

    /// Stops working on jobs and starts no more; gives them back to the board. Blocks.
    ///
    /// # Errors
    /// The board cannot be written. Other servers then take the jobs over after their leases.
    pub fn stop(&self) -> Result<(), ApiError> {
        self.stopping.store(true, Ordering::SeqCst);
        let leases: Vec<Lease> = locked(&self.running).keys().cloned().collect();
        self.abort(|_| true);
        Ok(self.board.give_back(&leases)?)
    }

    fn abort(&self, which: impl Fn(&Lease) -> bool) {
        let running = locked(&self.running);
        running
            .iter()
            .filter(|(lease, _)| which(lease))
            .for_each(|(_, (handle, _))| handle.abort());
    }
}

fn too_many(count: u32, kind: JobKind) -> ApiError {
    let what = if kind == JobKind::Impact { "impacts" } else { "analyses and simulations" };
    let whose = if count == MOST_RUNNING { "" } else { " of yours" };
    let detail =
        format!("{count} {what}{whose} are already running; cancel one, or wait until one ends");
    ApiError::unavailable(detail)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::jobs::JobState;
    use crate::store::sqlite::SqliteJobs;

    /// Work that ends at once in this way, or never.
    struct Toy(Option<Result<(), ApiError>>);

    impl JobWork for Toy {
        fn run(self: Arc<Self>, job: JobContext) -> BoxFuture<'static, Result<(), ApiError>> {
            Box::pin(async move {
                match &self.0 {
                    None => std::future::pending().await,
                    Some(Err(error)) => Err(ApiError::not_found(error.to_string())),
                    Some(Ok(())) => {
                        let end = Some(JobEnd::Done(None));
                        let update = JobUpdate { end, ..JobUpdate::default() };
                        job.block(|job, _| job.save(update)).await
                    }
                }
            })
        }
    }

    fn runner() -> JobRunner {
        let cpu = Cpu::new(1, Duration::from_secs(5), Duration::from_secs(5));
        JobRunner::new(Arc::new(SqliteJobs::in_memory()), cpu, 2)
    }

    fn start(runner: &JobRunner, id: &[u8], toy: Toy) -> Result<Option<JobFuture>, ApiError> {
        runner.start(JobKind::Impact, id, "{}".to_owned(), Arc::new(toy), None)
    }

    fn state(runner: &JobRunner, id: &[u8]) -> Option<JobState> {
        runner.find(JobKind::Impact, id).unwrap().map(|job| job.state)
    }

    #[actix_web::test]
    async fn few_jobs_run_at_once_and_a_dropped_one_is_cancelled() {
        let runner = runner();
        let mut running: Vec<_> =
            [b"a", b"b", b"c", b"d"].map(|id| start(&runner, id, Toy(None)).unwrap()).into();
        let refused = start(&runner, b"e", Toy(None)).map(drop).unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert!(start(&runner, b"a", Toy(None)).unwrap().is_none(), "it is running");
        drop(running.pop());
        assert_eq!(state(&runner, b"d"), Some(JobState::Cancelled));
        start(&runner, b"e", Toy(Some(Ok(())))).unwrap().unwrap().await;
        assert_eq!(state(&runner, b"e"), Some(JobState::Done));
        runner.stop().unwrap();
        for work in running.into_iter().flatten() {
            work.await;
        }
        assert_eq!(state(&runner, b"a"), Some(JobState::Cancelled));
        let refused = start(&runner, b"f", Toy(None)).map(drop).unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
    }

    #[actix_web::test]
    async fn one_caller_leaves_a_place_to_another() {
        let runner = runner();
        let start = |id: &[u8], host: u8| {
            let (peer, toy) = (Peer::at([10, 0, 0, host].into()), Arc::new(Toy(None)));
            runner.start(JobKind::Analysis, id, "{}".to_owned(), toy, Some(peer))
        };
        let mut running: Vec<_> = [b"a", b"b", b"c"].map(|id| start(id, 1).unwrap()).into();
        let refused = start(b"d", 1).map(drop).unwrap_err();
        assert!(refused.to_string().contains("3 analyses and simulations of yours"), "{refused}");
        assert!(start(b"a", 1).unwrap().is_none(), "it is running");
        running.push(start(b"d", 2).unwrap());
        let refused = start(b"e", 3).map(drop).unwrap_err();
        assert!(refused.to_string().contains("4 analyses and simulations are"), "{refused}");
        drop(running.remove(0));
        assert!(start(b"e", 1).unwrap().is_some());
    }

    #[actix_web::test]
    async fn a_job_that_fails_says_why_and_one_that_is_deleted_ends() {
        let runner = runner();
        let error = ApiError::not_found("on purpose".to_owned());
        start(&runner, b"a", Toy(Some(Err(error)))).unwrap().unwrap().await;
        assert_eq!(state(&runner, b"a"), Some(JobState::Failed));
        let problem = runner.find(JobKind::Impact, b"a").unwrap().unwrap().problem.unwrap();
        assert!(problem.contains("on purpose"), "{problem}");
        let work = start(&runner, b"b", Toy(None)).unwrap().unwrap();
        assert!(runner.delete(b"b").unwrap());
        work.await;
        assert_eq!(state(&runner, b"b"), Some(JobState::Cancelled));
        assert!(runner.delete(b"b").unwrap() && !runner.delete(b"b").unwrap());
        assert!(locked(&runner.running).is_empty());
    }
}
