//! Analyses that run behind the requests: started, looked at, cancelled, gone on with, kept.
//!
//! An analysis is named by what it is made from (record, viewer, budget, seed, engine), so the same question finds
//! the same one, whoever asks. Each ply is a piece of work by itself and is kept as soon as it is done; what was
//! broken off goes on where it stood, also after a restart. One processor is left to requests where there are
//! several. This module must not know HTTP, and must not touch the store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{AbortHandle, abortable};
use futures_util::stream;
use futures_util::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;
use umpire_engine::analysis::review::{Analysis, Judged, PlyAnalysis};
use umpire_engine::record::Fault;

use crate::cpu::{Claim, Cpu};
use crate::error::{ApiError, Problem};
use crate::json;
use crate::peer::Peer;
use crate::store::RecordId;

pub mod kept;

use kept::Kept;

/// How many analyses run at once.
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

/// How far an analysis has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisState {
    /// It goes on.
    Running,
    /// Every ply is done.
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
    /// Plies that are done.
    pub done: u32,
    /// All plies.
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
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::AnalysisSummary>))]
    pub summary: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Problem, required = false))]
    pub problem: Option<Box<Problem>>,
}

/// An analysis that runs, or failed since the server was started.
struct Job {
    handle: AbortHandle,
    problem: Option<Box<Problem>>,
}

/// All analyses of a server.
pub struct Analyses {
    kept: Arc<Kept>,
    jobs: Arc<Mutex<BTreeMap<[u8; 32], Job>>>,
}

/// What an analysis works with.
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
    problem: Option<Box<Problem>>,
}

impl Drop for Ended {
    fn drop(&mut self) {
        let mut jobs = locked(&self.jobs);
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
        Analyses { kept: Arc::new(kept), jobs: Arc::default() }
    }

    /// What is kept.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Starts an analysis, or goes on with it. `None` if it runs already or is done; else its work.
    ///
    /// # Errors
    /// Too many run, or nothing can be kept.
    pub fn start(
        &self,
        id: RecordId,
        asked: &Asked,
        analysis: Box<dyn Analysis>,
        means: Means,
    ) -> Result<Option<impl Future<Output = ()> + 'static>, ApiError> {
        let mut jobs = locked(&self.jobs);
        let runs = |job: &Job| job.problem.is_none();
        if jobs.get(id.as_bytes()).is_some_and(runs) {
            return Ok(None);
        }
        let task = serde_json::to_string(asked).unwrap_or_default();
        self.kept.want(&id, &task)?;
        if self.kept.find(&id)?.is_some_and(|found| found.summary.is_some()) {
            return Ok(None);
        }
        if jobs.values().filter(|job| runs(job)).count() >= RUNNING {
            let detail = format!("{RUNNING} analyses are running; cancel one, or wait for its end");
            return Err(ApiError::Unavailable(detail));
        }
        let ended = Ended { jobs: self.jobs.clone(), id: *id.as_bytes(), problem: None };
        let (work, handle) = abortable(run(ended, id, self.kept.clone(), analysis.into(), means));
        jobs.insert(*id.as_bytes(), Job { handle, problem: None });
        Ok(Some(async move {
            // Whether it was aborted is seen by what is kept.
            let _ = work.await;
        }))
    }

    /// How an analysis stands; `None` if there is none.
    ///
    /// # Errors
    /// What is kept cannot be read.
    pub fn show(&self, id: &RecordId, name: String) -> Result<Option<Shown>, ApiError> {
        let Some(found) = self.kept.find(id)? else { return Ok(None) };
        let Ok(asked) = serde_json::from_str::<Asked>(&found.task) else { return Ok(None) };
        let jobs = locked(&self.jobs);
        let (state, problem) = match (jobs.get(id.as_bytes()), &found.summary) {
            (_, Some(_)) => (AnalysisState::Done, None),
            (Some(Job { problem: Some(problem), .. }), None) => {
                (AnalysisState::Failed, Some(problem.clone()))
            }
            (Some(_), None) => (AnalysisState::Running, None),
            (None, None) => (AnalysisState::Cancelled, None),
        };
        let summary = found.summary.and_then(|text| RawValue::from_string(text).ok());
        Ok(Some(Shown {
            id: name,
            game: asked.game,
            record: asked.record,
            viewer: asked.viewer,
            simulations: asked.simulations,
            seed: asked.seed,
            state,
            progress: AnalysisProgress { done: found.done, of: asked.of },
            summary,
            problem,
        }))
    }

    /// Cancels an analysis that runs (what is done stays), forgets another; says whether there was one.
    ///
    /// # Errors
    /// What is kept cannot be written.
    pub fn delete(&self, id: &RecordId) -> Result<bool, ApiError> {
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

    /// Cancels what runs.
    pub fn stop(&self) {
        locked(&self.jobs).values().for_each(|job| job.handle.abort());
    }
}

/// The work of jobs is that of one peer, however many of them run.
const CLAIM: Claim = Claim::heavy(Peer::SELF);

async fn run(
    mut ended: Ended,
    id: RecordId,
    kept: Arc<Kept>,
    analysis: Arc<dyn Analysis>,
    means: Means,
) {
    if let Err(error) = plies(&id, &kept, &analysis, &means).await {
        tracing::warn!(%error, "an analysis failed");
        ended.problem = Some(Box::new(error.problem()));
    }
}

async fn plies(
    id: &RecordId,
    kept: &Arc<Kept>,
    analysis: &Arc<dyn Analysis>,
    means: &Means,
) -> Result<(), ApiError> {
    let done = kept.done(id)?;
    let left: Vec<u32> =
        (0..=analysis.plies()).filter(|ply| done.binary_search(ply).is_err()).collect();
    let work = left.into_iter().map(|ply| {
        let (kept, analysis, means, id) = (kept.clone(), analysis.clone(), means.clone(), *id);
        async move {
            let Ok(_place) = means.pieces.acquire().await else { return Ok(()) };
            let job = move |budget: umpire_engine::budget::Budget<'_>| {
                let found: PlyAnalysis = analysis.ply(ply, budget).map_err(Fault::from)?;
                let text = String::from_utf8(json::text(&found)).unwrap_or_default();
                kept.keep_ply(&id, ply, &text)
            };
            means.cpu.stream(CLAIM, job).await
        }
    });
    stream::iter(work).buffer_unordered(means.at_once).try_collect::<Vec<()>>().await?;
    let (kept, analysis, id) = (kept.clone(), analysis.clone(), *id);
    let sum_up = move |budget: umpire_engine::budget::Budget<'_>| {
        let plies = kept.plies(&id, 0, u32::MAX)?;
        let judged = plies.iter().filter_map(|(_, text)| Judged::read(text)).collect::<Vec<_>>();
        let summary = analysis.summary(&judged, budget).map_err(Fault::from)?;
        kept.keep_summary(&id, &String::from_utf8(json::text(&summary)).unwrap_or_default())
    };
    means.cpu.stream(CLAIM, sum_up).await
}
