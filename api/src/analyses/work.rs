//! What jobs do: the plies of a record, the games of a series.
//!
//! Each is cut into pieces that can be done in any order and are kept as text. This module must not keep anything,
//! and must not know how pieces are spread over processors.

use serde::Deserialize;
use umpire_engine::analysis::balance::{Counted, Games};
use umpire_engine::analysis::review::{Analysis, Judged};
use umpire_engine::budget::Budget;
use umpire_engine::record::Fault;

use crate::error::ApiError;
use crate::json;

/// Work in pieces, and what they come to.
pub trait Work: Send + Sync {
    /// Number of pieces.
    fn pieces(&self) -> u32;
    /// Does one of them, from 0; the same piece gives the same text.
    ///
    /// # Errors
    /// The budget ended.
    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError>;
    /// What all pieces come to, given in order.
    ///
    /// # Errors
    /// The budget ended, or the pieces are not those of this work.
    fn sum(&self, pieces: &[(u32, String)], budget: Budget<'_>) -> Result<String, ApiError>;
}

/// The analysis of a record: a piece is a ply.
pub struct Plies(pub Box<dyn Analysis>);

impl Work for Plies {
    fn pieces(&self) -> u32 {
        self.0.plies() + 1
    }

    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError> {
        Ok(json::string(&self.0.ply(number, budget).map_err(Fault::from)?))
    }

    fn sum(&self, pieces: &[(u32, String)], budget: Budget<'_>) -> Result<String, ApiError> {
        let judged: Vec<Judged> =
            pieces.iter().filter_map(|(_, text)| Judged::read(text)).collect();
        Ok(json::string(&self.0.summary(&judged, budget).map_err(Fault::from)?))
    }
}

/// The most pieces of a series.
const SERIES_PIECES: u32 = 500;

/// A series of games: a piece is a number of games that follow each other.
pub struct Series(pub Box<dyn Games>);

impl Series {
    /// Number of games in a piece; the last may have fewer.
    pub fn games_in_piece(games: u32) -> u32 {
        games.div_ceil(SERIES_PIECES).max(1)
    }
}

impl Work for Series {
    fn pieces(&self) -> u32 {
        self.0.games().div_ceil(Series::games_in_piece(self.0.games()))
    }

    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError> {
        let each = Series::games_in_piece(self.0.games());
        let from = number * each;
        let mut counted: Vec<Counted> = Vec::new();
        for game in from..(from + each).min(self.0.games()) {
            counted.extend(self.0.game(game, budget).map_err(Fault::from)?);
        }
        Ok(json::string(&counted))
    }

    fn sum(&self, pieces: &[(u32, String)], _: Budget<'_>) -> Result<String, ApiError> {
        let mut games = Vec::new();
        for (_, text) in pieces {
            let mut reader = serde_json::Deserializer::from_str(text);
            let counted = Vec::<Counted>::deserialize(&mut reader).map_err(|error| {
                ApiError::Internal(format!("a piece of a series cannot be read: {error}"))
            })?;
            games.extend(counted);
        }
        Ok(json::string(&self.0.sum(&games)))
    }
}
