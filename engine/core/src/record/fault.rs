//! Why a record cannot be replayed at all.
//!
//! Must not judge a game: an illegal action is no fault of a record.

use serde::Serialize;

use crate::budget::Spent;
use crate::rules::EndOfGame;

/// Why a record cannot be replayed at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The text is no JSON (or no UTF-8).
    BadJson,
    /// The JSON is no record: a field is missing, unknown, given twice or of the wrong type.
    BadRecord,
    /// `format` is not `umpire/1`.
    UnknownFormat,
    /// `game` is not registered.
    UnknownGame,
    /// `ruleset` is no released version of that game's rules.
    UnknownRuleset,
    /// `options` has a wrong type, an unknown field, an unknown ruling or reading.
    BadOptions,
    /// `options` is well formed, but its data break a rule (a deck of 37 cards).
    OptionsRefused,
    /// `position` has a wrong type or an unknown field.
    BadPosition,
    /// `position` is well formed, but breaks an invariant.
    PositionRefused,
    /// The record has more actions than this engine was told to replay.
    TooManyActions,
    /// The work was ended before its end ([`crate::budget::Budget`]): nobody waits any more, or it may cost no more.
    Stopped,
}

impl FaultCode {
    /// Every code.
    pub const ALL: [FaultCode; 11] = [
        FaultCode::BadJson,
        FaultCode::BadRecord,
        FaultCode::UnknownFormat,
        FaultCode::UnknownGame,
        FaultCode::UnknownRuleset,
        FaultCode::BadOptions,
        FaultCode::OptionsRefused,
        FaultCode::BadPosition,
        FaultCode::PositionRefused,
        FaultCode::TooManyActions,
        FaultCode::Stopped,
    ];
}

/// A record that cannot be replayed, and why, in plain words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// The kind of fault.
    pub code: FaultCode,
    /// The place in the record, a JSON pointer; empty for the whole.
    pub pointer: String,
    /// What is wrong and what was expected.
    pub detail: String,
    /// The clause that refuses options or position, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The invariant that a position breaks, as `DRK-G6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariant: Option<String>,
    /// How the game has ended, if that is why the position is refused.
    #[serde(skip)]
    pub end_of_game: Option<Box<EndOfGame>>,
}

impl Fault {
    /// A fault without a clause.
    pub fn new(code: FaultCode, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Fault {
            code,
            pointer: pointer.into(),
            detail: detail.into(),
            rule: None,
            invariant: None,
            end_of_game: None,
        }
    }
}

impl From<Spent> for Fault {
    fn from(_: Spent) -> Self {
        Fault::new(FaultCode::Stopped, "", "the work was stopped before its end")
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.pointer.is_empty() {
            to.write_str(&self.detail)
        } else {
            write!(to, "{}: {}", self.pointer, self.detail)
        }
    }
}

impl std::error::Error for Fault {}
