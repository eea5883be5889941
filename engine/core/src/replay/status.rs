//! How a record stands, and how a finished game ended, as it goes over the wire.
//!
//! Must not work anything out.

use serde::Serialize;

#[cfg(feature = "schema")]
use crate::schema::{GameReason, GameSeat};

/// How a record stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The game is over, every action was legal.
    Complete,
    /// Every action was legal, the game goes on.
    InProgress,
    /// An action is refused: the good prefix and the first violation.
    Illegal,
    /// The tape does not fit.
    BadChance,
    /// Something is unknown, and there is a way in which it may have been so that every action was legal.
    Possible,
    /// However the unknown was, an action is refused, or the record says what cannot be.
    Impossible,
    /// Whether the record is possible was not found out within the bounds.
    Undecided,
}

impl Status {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::InProgress => "in_progress",
            Status::Illegal => "illegal",
            Status::BadChance => "bad_chance",
            Status::Possible => "possible",
            Status::Impossible => "impossible",
            Status::Undecided => "undecided",
        }
    }
}

/// How a finished game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Ending))]
pub struct Ending {
    /// The winner's seat, where there is one.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameSeat>))]
    pub winner: Option<&'static str>,
    /// Why the game is over.
    #[cfg_attr(feature = "schema", schema(value_type = GameReason))]
    pub reason: &'static str,
}
