//! Replaying a list of actions: the good prefix and the first fault.
//!
//! Generic over the game; this module must not repair anything and must not try an action behind
//! a fault.

use crate::chance::{Chance, Halt};
use crate::game::{Game, Stop, Table};
use crate::record::Malformed;
use crate::rules::Refusal;

/// How a replay ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End<R> {
    /// Every action was accepted.
    Played,
    /// The action at the table's ply is refused.
    Refused(Box<Refusal<R>>),
    /// Chance gave no answer while the action at the table's ply was carried out.
    Halted {
        /// Why.
        halt: Box<Halt>,
        /// The clause that asked.
        rule: Option<R>,
    },
}

impl<R> From<Stop<R>> for End<R> {
    fn from(stop: Stop<R>) -> Self {
        match stop {
            Stop::Refused(refusal) => End::Refused(refusal),
            Stop::Halted { halt, rule } => End::Halted { halt, rule },
        }
    }
}

/// Plays the actions one after the other, up to the first that cannot be. `each` sees the table
/// after every accepted action. `malformed` stands behind the actions that could be read.
pub fn play_all<G: Game>(
    table: &mut Table<G>,
    actions: &[G::Action],
    malformed: Option<&Malformed>,
    chance: &mut dyn Chance,
    mut each: impl FnMut(&Table<G>),
) -> End<G::Rule> {
    for action in actions {
        match table.play(action, chance) {
            Ok(()) => each(table),
            Err(stop) => return stop.into(),
        }
    }
    match malformed {
        None => End::Played,
        Some(fault) => End::Refused(malformed_at(table, fault)),
    }
}

/// The refusal of something that is no action of the game, at the place where it is wrong.
pub(crate) fn malformed_at<G: Game>(table: &Table<G>, fault: &Malformed) -> Box<Refusal<G::Rule>> {
    let mut refusal = G::malformed(table.setup(), table.state(), fault);
    if refusal.pointer.is_empty() {
        refusal.pointer.clone_from(&fault.pointer);
    }
    Box::new(refusal)
}
