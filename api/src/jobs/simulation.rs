//! Series of games between programs as jobs: a piece is some games that follow each other.
//!
//! A series is named by what it is made from, as an analysis is. This module must not know HTTP, and must not play.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;
use umpire_referee::questions::simulation::{SeriesOfGames, games_in_piece, prepare};

use super::analysis::{AnalysisProgress, hash_parts};
use super::pieces::{Pieces, PiecesRequest};
use crate::http::error::ApiError;
use crate::store::RecordId;
use crate::store::jobs::{JobState, StoredJob};

/// What a series of games is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SimulationTask {
    /// The game.
    pub series_of: String,
    /// The seed.
    pub seed: String,
    /// Number of games.
    pub of: u32,
}

/// A series of games as callers see it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SimulationJob {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::SimulationName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    pub game: String,
    /// The seed of the whole.
    pub seed: String,
    /// How far it has come.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::store::jobs::AnalysisState))]
    pub state: JobState,
    /// How many games are played.
    pub progress: AnalysisProgress,
    /// What became of the games; `null` until all are played.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_referee::schemas::Simulation>))]
    pub simulation: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::http::error::Problem, required = false))]
    pub problem: Option<Box<RawValue>>,
}

impl SimulationJob {
    /// The job as callers see it.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub fn from_stored(id: String, job: &StoredJob) -> Result<Self, ApiError> {
        let PiecesRequest::<SimulationTask, IgnoredAny> { task, .. } = PiecesRequest::read(job)?;
        let raw = |text: &Option<String>| RawValue::from_string(text.clone()?).ok();
        let done = job.parts.saturating_mul(games_in_piece(task.of)).min(task.of);
        Ok(SimulationJob {
            id,
            game: task.series_of,
            seed: task.seed,
            state: job.state,
            progress: AnalysisProgress { done, of: task.of },
            simulation: raw(&job.result),
            problem: raw(&job.problem),
        })
    }
}

impl Pieces for SeriesOfGames {
    fn pieces(&self) -> u32 {
        SeriesOfGames::pieces(self)
    }

    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError> {
        Ok(SeriesOfGames::piece(self, number, budget)?)
    }

    fn sum(&self, pieces: &[(u32, String)], _: Budget<'_>) -> Result<String, ApiError> {
        Ok(SeriesOfGames::sum(self, pieces.iter().map(|(_, text)| text.as_str()))?)
    }
}

/// The work on a series that another server started, from the text of its request.
///
/// # Errors
/// It is not what was stored.
pub fn resume(text: &str) -> Result<SeriesOfGames, ApiError> {
    Ok(prepare(text.as_bytes())?.work)
}

/// The id of a series of games. Ids of analyses are made of fewer parts.
pub fn simulation_id(parts: &[String; 6]) -> RecordId {
    let mut hasher = hash_parts(&[ENGINE, "series"]);
    hasher.update(hash_parts(&parts.each_ref().map(String::as_str)).finalize().as_bytes());
    RecordId::from_bytes(*hasher.finalize().as_bytes())
}
