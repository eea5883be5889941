//! Impacts that run behind the requests: started, looked at, cancelled.
//!
//! A job walks the stored records a page at a time and commits a page as a whole: its counts, its
//! changes and the place from which another job may go on always agree. The work runs in small
//! pieces through [`Cpu`], one processor being left to requests where there are
//! several. How many jobs run, how many are kept, and how many changes each holds is bounded. Where
//! several servers share a store, a page is committed there, and another server goes on with the job
//! of one that has ended. This module must not know HTTP, and must not change a record.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::StreamExt;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::ENGINE;

use super::{Found, ImpactChange, ImpactCounts, ImpactFilter};
use crate::cost::Cost;
use crate::cpu::{self, Cpu};
use crate::error::{ApiError, Problem};
use crate::json;
use crate::names::Names;
use crate::store::jobs::{
    Found as Kept, Hold, JobBoard, JobEnd, JobKind, JobState, NewJob, Put, StoredJob, Taken,
};
use crate::store::{Cursor, Filter, Listed, Page, Store, StoreError};
use crate::taken::{CLAIM, fail};

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

/// What a job does, as servers that share a store tell each other.
#[derive(Serialize, Deserialize)]
struct Written {
    reading: Option<ReadingChoice>,
    filter: ImpactFilter,
    after: Option<String>,
}

impl Task {
    fn write(&self) -> String {
        let after = self.after.map(|cursor| cursor.to_string());
        let (reading, filter) = (self.reading.clone(), self.asked.clone());
        json::string(&Written { reading, filter, after })
    }

    fn read(text: &str) -> Result<Self, ApiError> {
        let Written { reading, filter: asked, after } =
            serde_json::from_str(text).map_err(unreadable)?;
        let after = after.map(|text| text.parse()).transpose().map_err(unreadable)?;
        Ok(Task { reading, filter: asked.clone().filter("/filter")?, asked, after })
    }
}

fn unreadable(error: impl std::fmt::Display) -> ApiError {
    ApiError::Internal(format!("an impact that is kept cannot be read: {error}"))
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    pub engine: String,
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
    pub problem: Option<Box<RawValue>>,
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
    /// How many changes stand before those here, in a store that is shared.
    before: usize,
    changes: Vec<ChangedRecord>,
    problem: Option<Box<Problem>>,
}

/// What of a job is kept in a store that is shared, but for its changes.
#[derive(Default, Serialize, Deserialize)]
struct Reached {
    progress: ImpactProgress,
    counts: ImpactCounts,
    next: Option<String>,
    truncated: bool,
}

/// Where a job is kept that other servers may go on with, and the right to write there.
struct Shared {
    board: Arc<dyn JobBoard>,
    hold: Hold,
}

/// A job that was started.
pub struct Job {
    id: String,
    task: Task,
    shared: Option<Shared>,
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
            before: 0,
            changes: Vec::new(),
            problem: None,
        };
        Job { id, task, shared: None, live: Mutex::new(live) }
    }

    /// A job that another server has left.
    fn taken(board: Arc<dyn JobBoard>, hold: Hold, job: &StoredJob) -> Result<Self, ApiError> {
        let shared = Some(Shared { board, hold: hold.clone() });
        let id = String::from_utf8_lossy(&hold.id).into_owned();
        let taken = Job { shared, ..Job::new(id, Task::read(&job.request)?) };
        if let Some(text) = &job.progress {
            let Reached { progress, counts, next, truncated } =
                serde_json::from_str(text).map_err(unreadable)?;
            let mut live = taken.live();
            live.next = next.map(|text| text.parse()).transpose().map_err(unreadable)?;
            (live.progress, live.counts, live.truncated) = (progress, counts, truncated);
            live.before = job.parts as usize;
        }
        Ok(taken)
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
            engine: ENGINE.to_owned(),
            state: live.state,
            reading: self.task.reading.clone(),
            filter: self.task.asked.clone(),
            progress: live.progress,
            counts: live.counts,
            next: live.next.map(|cursor| cursor.to_string()),
            truncated: live.truncated,
            problem: live
                .problem
                .as_ref()
                .and_then(|it| RawValue::from_string(json::string(it)).ok()),
        }
    }

    /// Some changes from a place on, whether more are there, and whether more may come.
    pub fn changes(&self, from: usize, most: usize) -> Changes {
        let live = self.live();
        let rest = live.changes.get(from..).unwrap_or_default();
        let page = rest.iter().take(most).map(json::string);
        let page: Vec<_> = page.filter_map(|text| RawValue::from_string(text).ok()).collect();
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
        live.truncated = next.is_some() && live.before + live.changes.len() >= MOST_CHANGES;
        if next.is_none() || live.truncated {
            live.state = ImpactState::Done;
        }
        live.state == ImpactState::Running
    }

    /// Keeps what was committed where other servers find it. Another one may have taken the job; then
    /// this one has nothing to say any more, and the job ends here.
    async fn keep(self: &Arc<Self>, cpu: &Cpu) -> Result<(), ApiError> {
        let Some(Shared { board, hold }) = &self.shared else { return Ok(()) };
        let found = {
            let mut live = self.live();
            let done = match live.state {
                ImpactState::Running => None,
                ImpactState::Done => Some(JobEnd::Done(None)),
                // Whoever ended it has said so.
                ImpactState::Cancelled | ImpactState::Failed => return Ok(()),
            };
            let next = live.next.map(|cursor| cursor.to_string());
            let Live { progress, counts, truncated, .. } = *live;
            let progress = json::string(&Reached { progress, counts, next, truncated });
            let first = live.before;
            let changes = std::mem::take(&mut live.changes);
            live.before += changes.len();
            let parts = (first as u32..).zip(changes.iter().map(json::string)).collect();
            Kept { progress: Some(progress), parts, end: done }
        };
        let (board, hold) = (board.clone(), hold.clone());
        if !cpu.stream(CLAIM, move |_| Ok(board.save(&hold, found)?)).await? {
            self.end(ImpactState::Cancelled, None);
        }
        Ok(())
    }
}

/// Some changes, whether more are there, and whether more may come.
pub type Changes = (Vec<Box<RawValue>>, bool, bool);

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
    /// Where servers share their jobs, if they do. Then only those are in `all` that this one works on.
    board: Option<Arc<dyn JobBoard>>,
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
    /// No jobs yet, or those of a store that is shared; there are so many processors.
    pub fn new(processors: usize, board: Option<Arc<dyn JobBoard>>) -> Self {
        let at_once = processors.saturating_sub(1).max(1);
        Jobs {
            all: Mutex::new(VecDeque::new()),
            pieces: Arc::new(Semaphore::new(at_once)),
            at_once,
            stopped: AtomicBool::new(false),
            names: RandomState::new(),
            count: AtomicU64::new(0),
            board,
        }
    }

    /// Where servers share jobs, if they do.
    pub fn board(&self) -> Option<&Arc<dyn JobBoard>> {
        self.board.as_ref()
    }

    /// Whether no more jobs are begun.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
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

    /// The job of that id, if this server works on it or has it alone.
    fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.all().iter().find(|job| job.id == id).cloned()
    }

    /// A job that servers share.
    fn stored(board: &dyn JobBoard, id: &str) -> Result<Option<StoredJob>, ApiError> {
        Ok(board.find(id.as_bytes())?.filter(|job| job.kind == JobKind::Impact))
    }

    /// How a job stands. Blocks.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn show(&self, id: &str) -> Result<Option<Impact>, ApiError> {
        let Some(board) = &self.board else { return Ok(self.find(id).map(|job| job.show())) };
        let Some(job) = Self::stored(&**board, id)? else { return Ok(None) };
        let task = Task::read(&job.request)?;
        let reached = match &job.progress {
            Some(text) => serde_json::from_str(text).map_err(unreadable)?,
            None => {
                Reached { next: task.after.map(|cursor| cursor.to_string()), ..Reached::default() }
            }
        };
        Ok(Some(Impact {
            id: id.to_owned(),
            engine: job.version,
            state: match job.state {
                JobState::Running => ImpactState::Running,
                JobState::Done => ImpactState::Done,
                JobState::Cancelled => ImpactState::Cancelled,
                JobState::Failed => ImpactState::Failed,
            },
            reading: task.reading,
            filter: task.asked,
            progress: reached.progress,
            counts: reached.counts,
            next: reached.next,
            truncated: reached.truncated,
            problem: job.problem.and_then(|text| RawValue::from_string(text).ok()),
        }))
    }

    /// Some changes of a job from a place on. Blocks.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn changes(&self, id: &str, from: usize, most: usize) -> Result<Option<Changes>, ApiError> {
        let Some(board) = &self.board else {
            return Ok(self.find(id).map(|job| job.changes(from, most)));
        };
        let Some(job) = Self::stored(&**board, id)? else { return Ok(None) };
        let (first, asked) = (u32::try_from(from), u32::try_from(most + 1));
        let (first, asked) = (first.unwrap_or(u32::MAX), asked.unwrap_or(u32::MAX));
        let mut parts = board.parts(id.as_bytes(), first, asked)?;
        let more = parts.len() > most;
        parts.truncate(most);
        let page = parts.into_iter().filter_map(|(_, text)| RawValue::from_string(text).ok());
        Ok(Some((page.collect(), more, job.state == JobState::Running)))
    }

    /// Starts a job. The future does its work; when it is dropped, the job is cancelled, or left to other servers where
    /// there are some. Blocks.
    ///
    /// # Errors
    /// Too many run, or this server is stopping and has nobody to leave the job to.
    pub fn start(
        &self,
        task: Task,
        means: Means,
    ) -> Result<(Arc<Job>, impl Future<Output = ()> + Send + use<>), ApiError> {
        let (job, works) = match &self.board {
            Some(board) => self.put(board, task, &*means.store)?,
            None => (self.begin(task)?, true),
        };
        let guard = works.then(|| Dropped(job.clone()));
        Ok((job, self.work(guard, means)))
    }

    /// Puts a job on the board; whether this server works on it. Whoever works on it looks at the same records, those
    /// that are there now.
    fn put(
        &self,
        board: &Arc<dyn JobBoard>,
        task: Task,
        store: &dyn Store,
    ) -> Result<(Arc<Job>, bool), ApiError> {
        let after = match task.after {
            Some(after) => after,
            None => store.front()?,
        };
        let task = Task { after: Some(after), ..task };
        loop {
            let id = self.name();
            let hold = !self.stopped.load(Ordering::SeqCst);
            let put = board.put(NewJob {
                id: id.as_bytes().to_vec(),
                kind: JobKind::Impact,
                version: ENGINE.to_owned(),
                request: task.write(),
                payer: Cost::payer(),
                hold,
                most_running: RUNNING as u32,
                most_kept: KEPT as u32,
            })?;
            match put {
                Put::Held(hold) => {
                    let shared = Some(Shared { board: board.clone(), hold });
                    let job = Arc::new(Job { shared, ..Job::new(id, task) });
                    self.all().push_back(job.clone());
                    if self.stopped.load(Ordering::SeqCst) {
                        // It began to stop meanwhile.
                        board.give_back(&self.stop())?;
                        return Ok((job, false));
                    }
                    return Ok((job, true));
                }
                Put::Waits => return Ok((Arc::new(Job::new(id, task)), false)),
                // Another one has this name.
                Put::There => {}
                Put::Full => return Err(too_many()),
            }
        }
    }

    /// Goes on with a job that this server has taken. Its work is done by the future.
    ///
    /// # Errors
    /// What is kept of it cannot be read, or this server has no board.
    pub fn go_on(
        &self,
        taken: &Taken,
        means: Means,
    ) -> Result<impl Future<Output = ()> + Send + use<>, ApiError> {
        let Some(board) = &self.board else {
            return Err(ApiError::Internal("jobs are not shared here".to_owned()));
        };
        let job = Arc::new(Job::taken(board.clone(), taken.hold.clone(), &taken.job)?);
        self.all().push_back(job.clone());
        if self.stopped.load(Ordering::SeqCst) {
            // It began to stop meanwhile.
            board.give_back(&self.stop())?;
        }
        Ok(self.work(Some(Dropped(job)), means))
    }

    fn work(
        &self,
        guard: Option<Dropped>,
        means: Means,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (pieces, at_once) = (self.pieces.clone(), self.at_once);
        async move {
            if let Some(guard) = guard {
                run(guard, means, pieces, at_once).await;
            }
        }
    }

    /// The jobs of other servers' board that this one works on. Those that have ended are forgotten here.
    pub fn holds(&self) -> Vec<Hold> {
        let mut all = self.all();
        if self.board.is_some() {
            all.retain(|job| job.runs());
        }
        all.iter().filter_map(|job| Some(job.shared.as_ref()?.hold.clone())).collect()
    }

    /// Ends the work on jobs that this server does not hold any more.
    pub fn lose(&self, lost: &[Hold]) {
        let all = self.all();
        let is_lost =
            |job: &&Arc<Job>| job.shared.as_ref().is_some_and(|shared| lost.contains(&shared.hold));
        all.iter().filter(is_lost).for_each(|job| job.end(ImpactState::Cancelled, None));
    }

    /// A new name.
    fn name(&self) -> String {
        // Seeded at random, so that a job of before a restart is not taken for a new one.
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}", self.names.hash_one(number))
    }

    fn begin(&self, task: Task) -> Result<Arc<Job>, ApiError> {
        let mut all = self.all();
        if self.stopped.load(Ordering::SeqCst) {
            return Err(ApiError::Unavailable("the server is stopping".to_owned()));
        }
        if all.iter().filter(|job| job.runs()).count() >= RUNNING {
            return Err(too_many());
        }
        while all.len() >= KEPT {
            // Fewer run than are kept, so there is a finished one.
            let Some(oldest) = all.iter().position(|job| !job.runs()) else { break };
            all.remove(oldest);
        }
        let id = loop {
            let id = self.name();
            if all.iter().all(|job| job.id != id) {
                break id;
            }
        };
        let job = Arc::new(Job::new(id, task));
        all.push_back(job.clone());
        Ok(job)
    }

    /// Cancels a running job, forgets a finished one; says whether there was one. Blocks.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn delete(&self, id: &str) -> Result<bool, ApiError> {
        if let Some(board) = &self.board {
            if Self::stored(&**board, id)?.is_none() {
                return Ok(false);
            }
            if !board.cancel(id.as_bytes())? {
                return Ok(board.forget(id.as_bytes())?);
            }
            if let Some(job) = self.find(id) {
                job.end(ImpactState::Cancelled, None);
            }
            return Ok(true);
        }
        let mut all = self.all();
        let Some(at) = all.iter().position(|job| job.id == id) else { return Ok(false) };
        match all[at].runs() {
            true => all[at].end(ImpactState::Cancelled, None),
            false => drop(all.remove(at)),
        }
        Ok(true)
    }

    /// Ends what runs here and begins no more. What servers share is to be given back.
    pub fn stop(&self) -> Vec<Hold> {
        let mut all = self.all();
        self.stopped.store(true, Ordering::SeqCst);
        let runs = |job: &&Arc<Job>| job.runs();
        let held =
            all.iter().filter(runs).filter_map(|job| Some(job.shared.as_ref()?.hold.clone()));
        let held = held.collect();
        all.iter().for_each(|job| job.end(ImpactState::Cancelled, None));
        if self.board.is_some() {
            all.clear();
        }
        held
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
        let shared = guard.0.shared.as_ref().filter(|_| guard.0.runs());
        guard.0.end(ImpactState::Failed, Some(error.problem()));
        if let Some(Shared { board, hold }) = shared {
            fail(&means.cpu, board, hold, &error).await;
        }
    }
}

fn too_many() -> ApiError {
    ApiError::Unavailable(format!("{RUNNING} impacts are running; cancel one, or wait for its end"))
}

async fn pages(
    job: &Arc<Job>,
    means: &Means,
    pieces: &Arc<Semaphore>,
    at_once: usize,
) -> Result<(), ApiError> {
    let (begin, counted) = {
        let live = job.live();
        (live.next, live.progress.of.is_some())
    };
    let filter = Filter { limit: Some(PAGE), cursor: begin, ..job.task.filter.clone() };
    if !counted {
        let (store, filter) = (means.store.clone(), filter.clone());
        let of = means.cpu.stream(CLAIM, move |_| Ok(store.count(&filter)?)).await?;
        job.live().progress.of = Some(of);
    }
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
        let goes_on = job.commit(page, next);
        job.keep(&means.cpu).await?;
        if !goes_on || !job.runs() {
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
        let jobs = Jobs::new(2, None);
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
