//! Analyses and series of games that run behind the requests: started, looked at, cancelled, gone on with, kept.
//!
//! A job is named by what it is made from (record or game, budget, seed, engine), so the same question finds the
//! same one, whoever asks. Each ply, and each few games, is a piece of work by itself and is kept as soon as it is
//! done; what was broken off goes on where it stood, also after a restart. One processor is left to requests where
//! there are several. Where servers share a store, jobs are kept there, and one server goes on with what another has left.
//! This module must not know HTTP, and must not touch a record.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cpu::Cpu;
use crate::error::{ApiError, Problem};
use crate::json;
use crate::store::RecordId;
use crate::store::jobs::{Hold, JobKind, JobState, Put, Taken};
use crate::taken::{CLAIM, fail};
use futures_util::future::{AbortHandle, abortable};
use futures_util::stream;
use futures_util::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;

pub mod kept;
pub mod work;

use kept::{Kept, Wanted};
use work::Work;

/// How many jobs run at once.
const RUNNING: usize = 4;

/// What an analysis is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The game.
    pub game: String,
    /// The record.
    pub record: String,
    /// Who reads it.
    pub viewer: String,
    /// Number of simulations for each chance.
    pub simulations: u32,
    /// The seed.
    pub seed: String,
    /// Number of plies to analyse.
    pub of: u32,
}

/// What a series of games is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedSeries {
    /// The game.
    pub series_of: String,
    /// The seed.
    pub seed: String,
    /// Number of games.
    pub of: u32,
}

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisState {
    /// It goes on.
    Running,
    /// All is done.
    Done,
    /// It was cancelled, or the server was stopped: the same request again goes on where it stood.
    Cancelled,
    /// It could not go on; `problem` says why. The same request again tries it.
    Failed,
}

/// How much of the work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisProgress {
    /// Plies, or games, that are done.
    pub done: u32,
    /// All of them.
    pub of: u32,
}

/// An analysis as callers see it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AnalysisJob))]
pub struct Shown {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::AnalysisName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::GameName))]
    pub game: String,
    /// The id that the record has, or would have if it were stored.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::RecordName))]
    pub record: String,
    /// Who reads it: the referee is told everything, a seat what it could know and its own decisions.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::ViewerName))]
    pub viewer: String,
    /// Number of simulations for each chance.
    pub simulations: u32,
    /// The seed.
    pub seed: String,
    /// How far it has come.
    pub state: AnalysisState,
    /// How much of the work is done.
    pub progress: AnalysisProgress,
    /// What all plies come to; `null` until they are done.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_engine::analysis::review::Summary>))]
    pub summary: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Problem, required = false))]
    pub problem: Option<Box<RawValue>>,
}

/// A series of games as callers see it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SimulationJob))]
pub struct ShownSeries {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::SimulationName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::GameName))]
    pub game: String,
    /// The seed of the whole.
    pub seed: String,
    /// How far it has come.
    pub state: AnalysisState,
    /// How many games are played.
    pub progress: AnalysisProgress,
    /// What became of the games; `null` until all are played.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::Simulation>))]
    pub simulation: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Problem, required = false))]
    pub problem: Option<Box<RawValue>>,
}

/// How a job of either kind stands.
struct Standing {
    task: String,
    pieces: u32,
    state: AnalysisState,
    sum: Option<Box<RawValue>>,
    problem: Option<Box<RawValue>>,
}

/// A job that runs, or failed since the server was started.
struct Job {
    handle: AbortHandle,
    problem: Option<Box<Problem>>,
    /// The right to write, where servers share jobs.
    hold: Option<Hold>,
}

/// All jobs of this kind of a server.
pub struct Analyses {
    kept: Arc<Kept>,
    /// Those that run here, or failed here.
    jobs: Arc<Mutex<BTreeMap<[u8; 32], Job>>>,
    stopped: AtomicBool,
}

/// What a job works with.
#[derive(Clone)]
pub struct Means {
    /// The processor.
    pub cpu: Cpu,
    /// Places for pieces of work, those of all jobs together.
    pub pieces: Arc<Semaphore>,
    /// How many of them there are.
    pub at_once: usize,
}

type JobList = BTreeMap<[u8; 32], Job>;

fn locked(jobs: &Mutex<JobList>) -> MutexGuard<'_, JobList> {
    // Nothing that holds the lock can panic.
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a job off the list when its work is dropped, however it ends.
struct Ended {
    jobs: Arc<Mutex<JobList>>,
    id: [u8; 32],
    hold: Option<Hold>,
    problem: Option<Box<Problem>>,
}

impl Drop for Ended {
    fn drop(&mut self) {
        let mut jobs = locked(&self.jobs);
        if jobs.get(&self.id).is_none_or(|job| job.hold != self.hold) {
            // It was lost, and taken again.
            return;
        }
        match self.problem.take() {
            Some(problem) => {
                if let Some(job) = jobs.get_mut(&self.id) {
                    job.problem = Some(problem);
                }
            }
            None => drop(jobs.remove(&self.id)),
        }
    }
}

impl Analyses {
    /// Analyses that are kept there.
    pub fn new(kept: Kept) -> Self {
        Analyses { kept: Arc::new(kept), jobs: Arc::default(), stopped: AtomicBool::new(false) }
    }

    /// What is kept.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Starts a job, or goes on with it. `None` if it runs already or is done; else its work. What was `asked` is
    /// kept with it, to be shown. Blocks.
    ///
    /// # Errors
    /// Too many run, or nothing can be kept.
    pub fn start(
        &self,
        id: RecordId,
        asked: &AskedFor,
        work: Arc<dyn Work>,
        means: Means,
    ) -> Result<Option<Working>, ApiError> {
        if self.kept.board().is_some() {
            return self.put(id, asked, work, means);
        }
        let mut jobs = locked(&self.jobs);
        let runs = |job: &Job| job.problem.is_none();
        if jobs.get(id.as_bytes()).is_some_and(runs) {
            return Ok(None);
        }
        self.kept.want(&id, &asked.task)?;
        if self.kept.find(&id)?.is_some_and(|found| found.summary.is_some()) {
            return Ok(None);
        }
        if jobs.values().filter(|job| runs(job)).count() >= RUNNING {
            return Err(too_many());
        }
        Ok(Some(self.begin(&mut jobs, id, None, work, means)))
    }

    /// Puts a job on the board that servers share.
    fn put(
        &self,
        id: RecordId,
        asked: &AskedFor,
        work: Arc<dyn Work>,
        means: Means,
    ) -> Result<Option<Working>, ApiError> {
        let put = self.kept.put(&Wanted {
            id: &id,
            kind: asked.kind,
            task: &asked.task,
            sent: &asked.sent,
            hold: !self.stopped.load(Ordering::SeqCst),
            most_running: RUNNING as u32,
        })?;
        match put {
            Put::There => Ok(None),
            Put::Waits => Ok(Some(Box::pin(async {}))),
            Put::Full => Err(too_many()),
            Put::Held(hold) => Ok(Some(self.held(id, hold, work, means)?)),
        }
    }

    /// Goes on with a job that this server has taken.
    ///
    /// # Errors
    /// It is none of this kind.
    pub fn go_on(
        &self,
        taken: &Taken,
        work: Arc<dyn Work>,
        means: Means,
    ) -> Result<Working, ApiError> {
        let id = <[u8; 32]>::try_from(&*taken.hold.id)
            .map_err(|_| ApiError::Internal("a job has no id".to_owned()))?;
        self.held(RecordId::from_bytes(id), taken.hold.clone(), work, means)
    }

    fn held(
        &self,
        id: RecordId,
        hold: Hold,
        work: Arc<dyn Work>,
        means: Means,
    ) -> Result<Working, ApiError> {
        let work = self.begin(&mut locked(&self.jobs), id, Some(hold), work, means);
        if self.stopped.load(Ordering::SeqCst)
            && let Some(board) = self.kept.board()
        {
            // It began to stop meanwhile.
            board.give_back(&self.stop())?;
        }
        Ok(work)
    }

    fn begin(
        &self,
        jobs: &mut JobList,
        id: RecordId,
        hold: Option<Hold>,
        work: Arc<dyn Work>,
        means: Means,
    ) -> Working {
        let (all, key) = (self.jobs.clone(), *id.as_bytes());
        let ended = Ended { jobs: all, id: key, hold: hold.clone(), problem: None };
        let (work, handle) = abortable(run(ended, id, self.kept.clone(), work, means));
        if let Some(before) = jobs.insert(key, Job { handle, problem: None, hold }) {
            before.handle.abort();
        }
        Box::pin(async move {
            // Whether it was aborted is seen by what is kept.
            let _ = work.await;
        })
    }

    /// The jobs of the board that this server works on.
    pub fn holds(&self) -> Vec<Hold> {
        locked(&self.jobs).values().filter_map(|job| job.hold.clone()).collect()
    }

    /// Ends the work on jobs that this server does not hold any more.
    pub fn lose(&self, lost: &[Hold]) {
        let jobs = locked(&self.jobs);
        let is_lost = |job: &&Job| job.hold.as_ref().is_some_and(|hold| lost.contains(hold));
        jobs.values().filter(is_lost).for_each(|job| job.handle.abort());
    }

    fn standing(&self, id: &RecordId) -> Result<Option<Standing>, ApiError> {
        let Some(found) = self.kept.find(id)? else { return Ok(None) };
        let raw = |text: String| RawValue::from_string(text).ok();
        let (state, problem) = match found.shared {
            Some((state, problem)) => {
                let state = match state {
                    JobState::Running => AnalysisState::Running,
                    JobState::Done => AnalysisState::Done,
                    JobState::Cancelled => AnalysisState::Cancelled,
                    JobState::Failed => AnalysisState::Failed,
                };
                (state, problem.and_then(raw))
            }
            None => match (locked(&self.jobs).get(id.as_bytes()), &found.summary) {
                (_, Some(_)) => (AnalysisState::Done, None),
                (Some(Job { problem: Some(problem), .. }), None) => {
                    (AnalysisState::Failed, raw(json::string(problem)))
                }
                (Some(_), None) => (AnalysisState::Running, None),
                (None, None) => (AnalysisState::Cancelled, None),
            },
        };
        let sum = found.summary.and_then(|text| RawValue::from_string(text).ok());
        Ok(Some(Standing { task: found.task, pieces: found.done, state, sum, problem }))
    }

    /// How an analysis stands; `None` if there is none.
    ///
    /// # Errors
    /// What is kept cannot be read.
    pub fn show(&self, id: &RecordId, name: String) -> Result<Option<Shown>, ApiError> {
        let Some(standing) = self.standing(id)? else { return Ok(None) };
        let Ok(asked) = serde_json::from_str::<Asked>(&standing.task) else { return Ok(None) };
        Ok(Some(Shown {
            id: name,
            game: asked.game,
            record: asked.record,
            viewer: asked.viewer,
            simulations: asked.simulations,
            seed: asked.seed,
            state: standing.state,
            progress: AnalysisProgress { done: standing.pieces, of: asked.of },
            summary: standing.sum,
            problem: standing.problem,
        }))
    }

    /// How a series stands; `None` if there is none.
    ///
    /// # Errors
    /// What is kept cannot be read.
    pub fn show_series(
        &self,
        id: &RecordId,
        name: String,
    ) -> Result<Option<ShownSeries>, ApiError> {
        let Some(standing) = self.standing(id)? else { return Ok(None) };
        let Ok(asked) = serde_json::from_str::<AskedSeries>(&standing.task) else {
            return Ok(None);
        };
        let done = standing.pieces.saturating_mul(work::Series::games_in_piece(asked.of));
        Ok(Some(ShownSeries {
            id: name,
            game: asked.series_of,
            seed: asked.seed,
            state: standing.state,
            progress: AnalysisProgress { done: done.min(asked.of), of: asked.of },
            simulation: standing.sum,
            problem: standing.problem,
        }))
    }

    /// Cancels a job that runs (what is done stays), forgets another; says whether there was one.
    ///
    /// # Errors
    /// What is kept cannot be written.
    pub fn delete(&self, id: &RecordId) -> Result<bool, ApiError> {
        if let Some(board) = self.kept.board() {
            if !board.cancel(id.as_bytes())? {
                return self.kept.forget(id);
            }
            if let Some(job) = locked(&self.jobs).get(id.as_bytes()) {
                job.handle.abort();
            }
            return Ok(true);
        }
        let handle = locked(&self.jobs).get(id.as_bytes()).map(|job| {
            let runs = job.problem.is_none();
            (job.handle.clone(), runs)
        });
        match handle {
            Some((handle, true)) => {
                handle.abort();
                Ok(true)
            }
            _ => {
                locked(&self.jobs).remove(id.as_bytes());
                self.kept.forget(id)
            }
        }
    }

    /// Ends what runs here. What servers share is to be given back.
    pub fn stop(&self) -> Vec<Hold> {
        self.stopped.store(true, Ordering::SeqCst);
        let jobs = locked(&self.jobs);
        jobs.values().for_each(|job| job.handle.abort());
        jobs.values().filter_map(|job| job.hold.clone()).collect()
    }
}

/// What is asked for, as it is kept.
pub struct AskedFor {
    /// What kind of work it is.
    pub kind: JobKind,
    /// To be shown, as JSON: an [`Asked`] or an [`AskedSeries`].
    pub task: String,
    /// What another server needs to do the work, as JSON.
    pub sent: String,
}

/// The work on a job.
pub type Working = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

fn too_many() -> ApiError {
    ApiError::Unavailable(format!(
        "{RUNNING} analyses and series are running; cancel one, or wait for its end"
    ))
}

async fn run(mut ended: Ended, id: RecordId, kept: Arc<Kept>, work: Arc<dyn Work>, means: Means) {
    if let Err(error) = pieces(&id, ended.hold.as_ref(), &kept, &work, &means).await {
        tracing::warn!(%error, "an analysis failed");
        match (kept.board(), &ended.hold) {
            (Some(board), Some(hold)) => fail(&means.cpu, board, hold, &error).await,
            _ => ended.problem = Some(Box::new(error.problem())),
        }
    }
}

async fn pieces(
    id: &RecordId,
    hold: Option<&Hold>,
    kept: &Arc<Kept>,
    work: &Arc<dyn Work>,
    means: &Means,
) -> Result<(), ApiError> {
    let done = {
        let (kept, id) = (kept.clone(), *id);
        means.cpu.stream(CLAIM, move |_| kept.done(&id)).await?
    };
    let left: Vec<u32> =
        (0..work.pieces()).filter(|number| done.binary_search(number).is_err()).collect();
    let each = left.into_iter().map(|number| {
        let (kept, work, means, id) = (kept.clone(), work.clone(), means.clone(), *id);
        let hold = hold.cloned();
        async move {
            let Ok(_place) = means.pieces.acquire().await else { return Ok(()) };
            let job = move |budget: umpire_engine::budget::Budget<'_>| {
                kept.keep_ply(&id, hold.as_ref(), number, &work.piece(number, budget)?)
            };
            means.cpu.stream(CLAIM, job).await
        }
    });
    stream::iter(each).buffer_unordered(means.at_once).try_collect::<Vec<()>>().await?;
    let (kept, work, id) = (kept.clone(), work.clone(), *id);
    let hold = hold.cloned();
    let sum_up = move |budget: umpire_engine::budget::Budget<'_>| {
        let pieces = kept.plies(&id, 0, u32::MAX)?;
        kept.keep_summary(&id, hold.as_ref(), &work.sum(&pieces, budget)?)
    };
    means.cpu.stream(CLAIM, sum_up).await
}
