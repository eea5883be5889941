//! One way in which everything unknown may have been, as far as the record has been followed, and how it came to be.
//!
//! Must not judge anything.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use super::guess::Fallen;
use super::wants::Held;
use crate::chance::seeded::Seeded;
use crate::game::{FullGame, Table};

/// What was assumed or done on the way, the last first.
pub(super) struct Step {
    pub(super) before: Option<Arc<Step>>,
    pub(super) done: Done,
    /// What fell meanwhile.
    pub(super) fallen: Vec<Fallen>,
}

/// What was done.
#[derive(Clone)]
pub(super) enum Done {
    /// The table was opened.
    Begun,
    /// An action of the record was carried out; as it was, where it had unknowns.
    Played { at: usize, filled: Option<Arc<Value>> },
    /// An action that was left out was put back before an action of the record.
    PutBack { at: usize, action: Arc<Value>, omission: &'static str },
}

/// One way in which everything may have been.
pub(super) struct World<G: FullGame> {
    pub(super) table: Table<G>,
    /// The state of the position, before anything happened there.
    pub(super) position: Option<Arc<G::State>>,
    /// The next entry of the tape.
    pub(super) entry: usize,
    pub(super) seeded: Option<Seeded>,
    pub(super) held: Held,
    /// How unlikely it is at sight.
    pub(super) rank: u32,
    /// It stands for worlds that look the same and may be none itself: something was put back that only other cards would
    /// have left out. So it is no witness.
    pub(super) loose: bool,
    pub(super) trail: Option<Arc<Step>>,
}

impl<G: FullGame> Clone for World<G> {
    fn clone(&self) -> Self {
        World {
            table: self.table.clone(),
            position: self.position.clone(),
            entry: self.entry,
            seeded: self.seeded.clone(),
            held: self.held.clone(),
            rank: self.rank,
            loose: self.loose,
            trail: self.trail.clone(),
        }
    }
}

impl<G: FullGame> World<G> {
    /// What two worlds have in common from which the same can follow: 128 bits, so that two that differ are not taken
    /// for one.
    pub(super) fn key(&self) -> u128 {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, self.entry, self.loose, self.table.state()).hash(&mut hasher);
            hasher.finish()
        };
        u128::from(half(1)) << 64 | u128::from(half(2))
    }

    /// The steps on the way, the first first.
    pub(super) fn steps(&self) -> Vec<Arc<Step>> {
        let mut steps = Vec::new();
        let mut next = self.trail.clone();
        while let Some(step) = next {
            next = step.before.clone();
            steps.push(step);
        }
        steps.reverse();
        steps
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        // One after the other, not one inside the other: a game may have a hundred thousand actions.
        let mut next = self.before.take();
        while let Some(mut step) = next.and_then(Arc::into_inner) {
            next = step.before.take();
        }
    }
}
