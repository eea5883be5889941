//! Series of games between programs as jobs: a piece is some games that follow each other.
//!
//! A series is named by what it is made from, as an analysis is. This module must not know HTTP, and must not play.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::analysis::balance::{Counted, Games};
use umpire_engine::budget::Budget;
use umpire_engine::record::Fault;
use umpire_engine::replay::answer::ENGINE;

use super::analysis::{AnalysisProgress, hash_parts};
use super::pieces::{Pieces, PiecesRequest};
use crate::error::ApiError;
use crate::store::RecordId;
use crate::store::jobs::{JobState, StoredJob};
use umpire_referee::json;

/// The most pieces of a series.
const MOST_PIECES: u32 = 500;

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
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::SimulationName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::GameName))]
    pub game: String,
    /// The seed of the whole.
    pub seed: String,
    /// How far it has come.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::AnalysisState))]
    pub state: JobState,
    /// How many games are played.
    pub progress: AnalysisProgress,
    /// What became of the games; `null` until all are played.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::Simulation>))]
    pub simulation: Option<Box<RawValue>>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::error::Problem, required = false))]
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

/// Number of games in a piece; the last may have fewer.
fn games_in_piece(games: u32) -> u32 {
    games.div_ceil(MOST_PIECES).max(1)
}

/// The work on a series.
pub struct SeriesOfGames(pub Box<dyn Games>);

impl Pieces for SeriesOfGames {
    fn pieces(&self) -> u32 {
        self.0.games().div_ceil(games_in_piece(self.0.games()))
    }

    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError> {
        let each = games_in_piece(self.0.games());
        let from = number * each;
        let mut counted: Vec<Counted> = Vec::new();
        for game in from..(from + each).min(self.0.games()) {
            counted.extend(self.0.game(game, budget).map_err(Fault::from)?);
        }
        Ok(json::string(&counted))
    }

    fn sum(&self, pieces: &[(u32, String)], _: Budget<'_>) -> Result<String, ApiError> {
        let mut games: Vec<Counted> = Vec::new();
        for (_, text) in pieces {
            let counted: Vec<Counted> = serde_json::from_str(text).map_err(|error| {
                ApiError::Internal(format!("a piece of a series cannot be read: {error}"))
            })?;
            games.extend(counted);
        }
        Ok(json::string(&self.0.sum(&games)))
    }
}

/// The id of a series of games. Ids of analyses are made of fewer parts.
pub fn simulation_id(parts: &[&str; 6]) -> RecordId {
    let mut hasher = hash_parts(&[ENGINE, "series"]);
    hasher.update(hash_parts(parts).finalize().as_bytes());
    RecordId::from_bytes(*hasher.finalize().as_bytes())
}
