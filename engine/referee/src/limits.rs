//! How much work a question may be.
//!
//! This module must not measure time: whoever asks stops the work by its budget.

use umpire_engine::budget::Budget;
use umpire_engine::replay;

/// Limits on the size of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum length of a text, in bytes.
    pub text: usize,
    /// The maximum number of actions in a record.
    pub actions: usize,
    /// The maximum number of actions in a record whose answer includes the state after each.
    pub states: usize,
}

/// The most bytes that the states, the events or the explanations in one answer may have together.
const PART_BYTES: usize = 32 << 20;

impl Limits {
    /// The default limits.
    pub const DEFAULT: Limits = Limits { text: 4 << 20, actions: 20_000, states: 2_000 };

    /// The limits of a replay.
    pub fn engine<'a>(&self, budget: Budget<'a>) -> replay::Limits<'a> {
        let part = PART_BYTES;
        replay::Limits { actions: self.actions, part, budget, ..replay::Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
