//! Impacts that run behind the requests: started, looked at, cancelled.
//!
//! A job walks the stored records a page at a time and commits a page as a whole: its counts, its
//! changes and the place from which another job may go on always agree. The work runs in small
//! pieces through [`Cpu`], one processor being left to requests where there are
//! several. How many jobs run, how many are kept, and how many changes each holds is bounded. This
//! module must not know HTTP, and must not change the store.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::Semaphore;
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::ENGINE;

use super::{Found, ImpactChange, ImpactCounts, ImpactFilter};
use crate::cpu::{self, Claim, Cpu};
use crate::error::{ApiError, Problem};
use crate::names::Names;
use crate::peer::Peer;
use crate::store::{Cursor, Filter, Listed, Page, Store, StoreError};

/// How many jobs run at once.
const RUNNING: usize = 4;

/// How many jobs are kept, running ones included; the oldest finished ones go first.
const KEPT: usize = 16;

/// How many changes a job holds: a page that reaches it is its last.
pub const MOST_CHANGES: usize = 5_000;

/// How many records are committed together.
const PAGE: u32 = 64;

/// How many records are worked on without a pause.
const PIECE: usize = 8;

/// What a job does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The reading; without one, the rules of this version are compared with what the store says.
    pub reading: Option<ReadingChoice>,
    /// Which records, as they were asked for.
    pub asked: ImpactFilter,
    /// Which records, as the store is asked; without limit and cursor.
    pub filter: Filter,
    /// Where to begin, if not with the latest record.
    pub after: Option<Cursor>,
}

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImpactState {
    /// It goes on.
    Running,
    /// It has looked at everything, or holds as many changes as it may.
    Done,
    /// Somebody cancelled it, or the server was stopped.
    Cancelled,
    /// It could not go on; `problem` says why.
    Failed,
}

/// How much of the work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImpactProgress {
    /// Records that were looked at.
    pub looked: u64,
    /// Records that matched when the job began; `null` until they are counted.
    pub of: Option<u64>,
}

/// A job.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Impact {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::ImpactName))]
    pub id: String,
    /// The version of the engine.
    pub engine: &'static str,
    /// How far it has come.
    pub state: ImpactState,
    /// The reading; `null` where the rules of this version are compared with what the store says.
    pub reading: Option<ReadingChoice>,
    /// Which records it looks at.
    pub filter: ImpactFilter,
    /// How much of the work is done.
    pub progress: ImpactProgress,
    /// How many records change how, so far.
    pub counts: ImpactCounts,
    /// The `after` of a job that is to go on after the records that this one has looked at;
    /// `null` if there are no others.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{16}$"))]
    pub next: Option<String>,
    /// Whether it ended because it holds as many changes as it may; `next` goes on.
    pub truncated: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Problem, required = false))]
    pub problem: Option<Box<Problem>>,
}

/// A changed record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangedRecord {
    /// The record's id.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::RecordName))]
    pub id: String,
    /// What changes in it.
    #[serde(flatten)]
    pub change: ImpactChange,
}

/// What of a job changes while it runs.
struct Live {
    state: ImpactState,
    progress: ImpactProgress,
    counts: ImpactCounts,
    next: Option<Cursor>,
    truncated: bool,
    changes: Vec<ChangedRecord>,
    problem: Option<Box<Problem>>,
}

/// A job that was started.
pub struct Job {
    id: String,
    task: Task,
    live: Mutex<Live>,
}

impl Job {
    fn new(id: String, task: Task) -> Self {
        let live = Live {
            state: ImpactState::Running,
            progress: ImpactProgress::default(),
            counts: ImpactCounts::default(),
            next: task.after,
            truncated: false,
            changes: Vec::new(),
            problem: None,
        };
        Job { id, task, live: Mutex::new(live) }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        // Nothing that holds the lock can panic.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn runs(&self) -> bool {
        self.live().state == ImpactState::Running
    }

    /// Ends the job, unless it has ended.
    fn end(&self, state: ImpactState, problem: Option<Problem>) {
        let mut live = self.live();
        if live.state == ImpactState::Running {
            live.state = state;
            live.problem = problem.map(Box::new);
        }
    }

    /// How the job stands.
    pub fn show(&self) -> Impact {
        let live = self.live();
        Impact {
            id: self.id.clone(),
            engine: ENGINE,
            state: live.state,
            reading: self.task.reading.clone(),
            filter: self.task.asked.clone(),
            progress: live.progress,
            counts: live.counts,
            next: live.next.map(|cursor| cursor.to_string()),
            truncated: live.truncated,
            problem: live.problem.clone(),
        }
    }

    /// Some changes from a place on, whether more are there, and whether more may come.
    pub fn changes(&self, from: usize, most: usize) -> (Vec<ChangedRecord>, bool, bool) {
        let live = self.live();
        let rest = live.changes.get(from..).unwrap_or_default();
        let page: Vec<_> = rest.iter().take(most).cloned().collect();
        let more = rest.len() > page.len();
        (page, more, live.state == ImpactState::Running)
    }

    /// Adds what was found out about a page, and says whether the job goes on.
    fn commit(&self, page: Looked, next: Option<Cursor>) -> bool {
        let mut live = self.live();
        if live.state != ImpactState::Running {
            return false;
        }
        live.progress.looked += page.counts.records;
        live.counts.add(page.counts);
        live.changes.extend(page.changes);
        live.next = next;
        live.truncated = next.is_some() && live.changes.len() >= MOST_CHANGES;
        if next.is_none() || live.truncated {
            live.state = ImpactState::Done;
        }
        live.state == ImpactState::Running
    }
}

/// What was found out about some records.
#[derive(Default)]
struct Looked {
    counts: ImpactCounts,
    changes: Vec<ChangedRecord>,
}

/// All jobs of a server.
pub struct Jobs {
    all: Mutex<VecDeque<Arc<Job>>>,
    /// Places for pieces of work, those of all jobs together.
    pieces: Arc<Semaphore>,
    at_once: usize,
    stopped: AtomicBool,
    names: RandomState,
    count: AtomicU64,
}

/// What a job works with.
#[derive(Clone)]
pub struct Means {
    /// The records.
    pub store: Arc<dyn Store>,
    /// How callers know them.
    pub names: Arc<Names>,
    /// The processor.
    pub cpu: Cpu,
    /// The most actions of a record.
    pub max_actions: usize,
}

impl Jobs {
    /// No jobs yet; there are so many processors.
    pub fn new(processors: usize) -> Self {
        let at_once = processors.saturating_sub(1).max(1);
        Jobs {
            all: Mutex::new(VecDeque::new()),
            pieces: Arc::new(Semaphore::new(at_once)),
            at_once,
            stopped: AtomicBool::new(false),
            names: RandomState::new(),
            count: AtomicU64::new(0),
        }
    }

    /// The places for pieces of work, which other jobs than impacts share.
    pub fn pieces(&self) -> Arc<Semaphore> {
        self.pieces.clone()
    }

    /// How many places there are.
    pub fn at_once(&self) -> usize {
        self.at_once
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Job>>> {
        // Nothing that holds the lock can panic.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job of that id.
    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.all().iter().find(|job| job.id == id).cloned()
    }

    /// Starts a job. The future does its work; when it is dropped, the job is cancelled.
    pub fn start(
        &self,
        task: Task,
        means: Means,
    ) -> Result<(Arc<Job>, impl Future<Output = ()> + 'static), ApiError> {
        let mut all = self.all();
        if self.stopped.load(Ordering::SeqCst) {
            return Err(ApiError::Unavailable("the server is stopping".to_owned()));
        }
        if all.iter().filter(|job| job.runs()).count() >= RUNNING {
            let detail = format!("{RUNNING} impacts are running; cancel one, or wait for its end");
            return Err(ApiError::Unavailable(detail));
        }
        while all.len() >= KEPT {
            // Fewer run than are kept, so there is a finished one.
            let Some(oldest) = all.iter().position(|job| !job.runs()) else { break };
            all.remove(oldest);
        }
        let id = loop {
            // Seeded at random, so that a job of before a restart is not taken for a new one.
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            let id = format!("{:016x}", self.names.hash_one(number));
            if all.iter().all(|job| job.id != id) {
                break id;
            }
        };
        let job = Arc::new(Job::new(id, task));
        all.push_back(job.clone());
        let guard = Dropped(job.clone());
        let work = run(guard, means, self.pieces.clone(), self.at_once);
        Ok((job, work))
    }

    /// Cancels a running job, forgets a finished one; says whether there was one.
    pub fn delete(&self, id: &str) -> bool {
        let mut all = self.all();
        let Some(at) = all.iter().position(|job| job.id == id) else { return false };
        match all[at].runs() {
            true => all[at].end(ImpactState::Cancelled, None),
            false => drop(all.remove(at)),
        }
        true
    }

    /// Cancels what runs and takes no more.
    pub fn stop(&self) {
        let all = self.all();
        self.stopped.store(true, Ordering::SeqCst);
        all.iter().for_each(|job| job.end(ImpactState::Cancelled, None));
    }
}

/// Cancels a job whose work is dropped before its end.
struct Dropped(Arc<Job>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.end(ImpactState::Cancelled, None);
    }
}

async fn run(guard: Dropped, means: Means, pieces: Arc<Semaphore>, at_once: usize) {
    if let Err(error) = pages(&guard.0, &means, &pieces, at_once).await {
        tracing::warn!(%error, "an impact failed");
        guard.0.end(ImpactState::Failed, Some(error.problem()));
    }
}

/// The work of jobs is that of one peer, however many of them run.
const CLAIM: Claim = Claim::heavy(Peer::SELF);

async fn pages(
    job: &Arc<Job>,
    means: &Means,
    pieces: &Arc<Semaphore>,
    at_once: usize,
) -> Result<(), ApiError> {
    let filter = Filter { limit: Some(PAGE), cursor: job.task.after, ..job.task.filter.clone() };
    let (store, counted) = (means.store.clone(), filter.clone());
    let of = means.cpu.stream(CLAIM, move |_| Ok(store.count(&counted)?)).await?;
    job.live().progress.of = Some(of);
    let mut cursor = filter.cursor;
    loop {
        let (store, filter) = (means.store.clone(), Filter { cursor, ..filter.clone() });
        let Page { items, next } =
            means.cpu.stream(CLAIM, move |_| Ok(store.list(&filter)?)).await?;
        let mut items = items.into_iter();
        let parts = std::iter::from_fn(|| {
            let part: Vec<Listed> = items.by_ref().take(PIECE).collect();
            (!part.is_empty()).then_some(part)
        });
        let parts: Vec<Vec<Listed>> = parts.collect();
        let parts = stream::iter(parts).map(|part| piece(job.clone(), means.clone(), pieces, part));
        let mut parts = parts.buffered(at_once);
        let mut page = Looked::default();
        while let Some(part) = parts.next().await {
            let part = part?;
            page.counts.add(part.counts);
            page.changes.extend(part.changes);
        }
        if !job.commit(page, next) {
            return Ok(());
        }
        cursor = next;
    }
}

/// Looks at a few records.
async fn piece(
    job: Arc<Job>,
    means: Means,
    pieces: &Semaphore,
    listed: Vec<Listed>,
) -> Result<Looked, ApiError> {
    let Ok(_place) = pieces.acquire().await else { return Ok(Looked::default()) };
    if !job.runs() {
        return Ok(Looked::default());
    }
    let Means { store, names, cpu, max_actions } = means;
    cpu.stream(CLAIM, move |budget| {
        let limits = Limits { actions: max_actions, budget, ..Limits::default() };
        let mut looked = Looked::default();
        for Listed { id, summary, .. } in listed {
            let stored = match store.find(&id) {
                Ok(Some(stored)) => stored,
                // What was deleted meanwhile is not looked at.
                Ok(None) => continue,
                // A damaged page costs its own records only.
                Err(error @ StoreError::Corrupt(_)) => {
                    looked.counts.count(None);
                    let change = super::unreadable(&summary, &error.into());
                    looked
                        .changes
                        .push(ChangedRecord { id: names.outside(&id).to_string(), change });
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let reading = job.task.reading.as_ref();
            let found = cpu::here(|| {
                super::of(stored.record.as_bytes(), Some(&stored.summary), reading, limits)
            });
            looked.counts.count(found.as_ref().ok());
            let change = match found {
                Ok(Found::Changed(change)) => *change,
                Err(error) => super::unreadable(&stored.summary, &error),
                Ok(Found::NotConcerned | Found::Unchanged(_)) => continue,
            };
            looked.changes.push(ChangedRecord { id: names.outside(&id).to_string(), change });
        }
        Ok(looked)
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;
    use crate::error::Code;
    use crate::impact::{ImpactKind, ImpactStand};
    use crate::store::sqlite::SqliteStore;

    fn task() -> Task {
        let (asked, filter) = (ImpactFilter::default(), Filter::default());
        Task { reading: None, asked, filter, after: None }
    }

    fn page(changed: usize) -> Looked {
        let stand = ImpactStand {
            status: umpire_engine::replay::answer::Status::Complete,
            plies: 0,
            winner: None,
            reason: None,
            rule: None,
            fingerprint: None,
        };
        let change = ImpactChange {
            game: "any".to_owned(),
            changes: vec![ImpactKind::State],
            class: None,
            ply: None,
            how: None,
            rules: Vec::new(),
            before: stand,
            after: None,
            hypothetical_from: None,
            words: Vec::new(),
        };
        let changed = vec![ChangedRecord { id: String::new(), change }; changed];
        let mut counts = ImpactCounts::default();
        let found = |it: &ChangedRecord| Found::Changed(Box::new(it.change.clone()));
        changed.iter().for_each(|it| counts.count(Some(&found(it))));
        Looked { counts, changes: changed }
    }

    fn cursor() -> Option<Cursor> {
        "000000000000002a".parse().ok()
    }

    #[test]
    fn a_job_with_many_changes_ends_and_says_where_to_go_on() {
        let job = Job::new("one".to_owned(), task());
        assert!(job.commit(page(MOST_CHANGES - 1), cursor()));
        assert!(!job.show().truncated);
        assert!(!job.commit(page(2), cursor()));
        let shown = job.show();
        assert_eq!((shown.state, shown.truncated), (ImpactState::Done, true));
        assert_eq!(shown.next, cursor().map(|cursor| cursor.to_string()));
        assert_eq!(shown.counts.changed, MOST_CHANGES as u64 + 1);
        // Nothing is added to what has ended.
        assert!(!job.commit(page(1), None));
        assert_eq!(job.show().counts, shown.counts);
    }

    #[test]
    fn a_job_at_the_end_of_the_store_is_done() {
        let job = Job::new("one".to_owned(), task());
        assert!(!job.commit(page(MOST_CHANGES), None));
        let shown = job.show();
        assert_eq!((shown.state, shown.truncated, shown.next), (ImpactState::Done, false, None));
    }

    #[actix_web::test]
    async fn few_jobs_run_at_once_and_a_dropped_one_is_cancelled() {
        let folder = TempDir::new().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("records.sqlite")).unwrap());
        let cpu = Cpu::new(1, Duration::from_secs(5), Duration::from_secs(5));
        let names = Arc::new(Names::open());
        let means = Means { store, names, cpu, max_actions: 1000 };
        let jobs = Jobs::new(2);
        let mut running = Vec::new();
        for _ in 0..RUNNING {
            running.push(jobs.start(task(), means.clone()).unwrap());
        }
        let refused = jobs.start(task(), means.clone()).map(drop).unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        let (job, work) = running.pop().unwrap();
        drop(work);
        assert_eq!(job.show().state, ImpactState::Cancelled);
        let (job, work) = jobs.start(task(), means.clone()).unwrap();
        work.await;
        assert_eq!(job.show().state, ImpactState::Done);
        jobs.stop();
        assert!(running.iter().all(|(job, _)| job.show().state == ImpactState::Cancelled));
        assert!(jobs.start(task(), means).is_err());
    }
}
