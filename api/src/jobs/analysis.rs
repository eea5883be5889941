//! Analyses of records as jobs: a piece is a ply.
//!
//! An analysis is named by what it is made from (record, viewer, budget, seed, engine), so the same question finds the
//! same job, whoever asks. This module must not know HTTP, and must not touch a stored record.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;
use umpire_referee::questions::analysis::{Plies, StoredAnalysis};

use super::pieces::{Pieces, PiecesRequest};
use crate::http::error::ApiError;
use crate::limits::Limits;
use crate::store::RecordId;
use crate::store::jobs::{JobState, StoredJob};

/// What an analysis is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisTask {
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
pub struct AnalysisJob {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::AnalysisName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    pub game: String,
    /// The id that the record has, or would have if it were stored.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::RecordName))]
    pub record: String,
    /// Who reads it: the referee is told everything, a seat what it could know and its own decisions.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::ViewerName))]
    pub viewer: String,
    /// Number of simulations for each chance.
    pub simulations: u32,
    /// The seed.
    pub seed: String,
    /// How far it has come.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::store::jobs::AnalysisState))]
    pub state: JobState,
    /// How much of the work is done.
    pub progress: AnalysisProgress,
    /// What all plies come to; `null` until they are done.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_engine::analysis::review::Summary>))]
    pub summary: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::http::error::Problem, required = false))]
    pub problem: Option<Box<RawValue>>,
}

impl AnalysisJob {
    /// The job as callers see it.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub fn from_stored(id: String, job: &StoredJob) -> Result<Self, ApiError> {
        let PiecesRequest::<AnalysisTask, IgnoredAny> { task, .. } = PiecesRequest::read(job)?;
        let raw = |text: &Option<String>| RawValue::from_string(text.clone()?).ok();
        Ok(AnalysisJob {
            id,
            game: task.game,
            record: task.record,
            viewer: task.viewer,
            simulations: task.simulations,
            seed: task.seed,
            state: job.state,
            progress: AnalysisProgress { done: job.parts, of: task.of },
            summary: raw(&job.result),
            problem: raw(&job.problem),
        })
    }
}

impl Pieces for Plies {
    fn pieces(&self) -> u32 {
        Plies::pieces(self)
    }

    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError> {
        Ok(Plies::piece(self, number, budget)?)
    }

    fn sum(&self, pieces: &[(u32, String)], budget: Budget<'_>) -> Result<String, ApiError> {
        Ok(Plies::sum(self, pieces.iter().map(|(_, text)| text.as_str()), budget)?)
    }
}

/// The work on an analysis that another server started.
///
/// # Errors
/// It is not what was stored.
pub fn resume(text: &str, limits: &Limits, budget: Budget<'_>) -> Result<Plies, ApiError> {
    let stored: StoredAnalysis<'_> = serde_json::from_str(text).map_err(|error| {
        ApiError::internal(format!("a stored analysis cannot be read: {error}"))
    })?;
    Ok(stored.resume(&limits.referee(), budget)?)
}

/// The id of an analysis.
pub fn analysis_id(record: &RecordId, viewer: &str, simulations: u32, seed: &str) -> RecordId {
    let mut hasher = hash_parts(&[ENGINE, viewer, &simulations.to_string(), seed]);
    hasher.update(record.as_bytes());
    RecordId::from_bytes(*hasher.finalize().as_bytes())
}

/// Hashes parts of an id so that no two lists of parts give the same bytes.
pub(super) fn hash_parts(parts: &[&str]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: RecordId = RecordId::from_bytes([7; 32]);

    #[test]
    fn ids_tell_all_parts_apart() {
        let base = analysis_id(&ID, "referee", 100, "a");
        for other in [
            analysis_id(&RecordId::from_bytes([8; 32]), "referee", 100, "a"),
            analysis_id(&ID, "spectator", 100, "a"),
            analysis_id(&ID, "referee", 101, "a"),
            analysis_id(&ID, "referee", 100, "b"),
        ] {
            assert_ne!(base, other);
        }
        assert_eq!(base, analysis_id(&ID, "referee", 100, "a"));
    }
}
