//! What is the same in every attempt to find out how everything unknown may have been.
//!
//! Must not try anything.

use std::sync::Arc;

use super::wants::Wants;
use super::written::Partial;
use crate::chance::seeded::Seeded;
use crate::game::{FullGame, Table};
use crate::record::Malformed;
use crate::replay::evidence::Evidence;

/// An action of a record.
pub(super) enum Sent<A> {
    Known(A),
    Malformed(Malformed),
    /// With unknowns in it.
    Open,
}

/// What is the same in every attempt.
pub(super) struct Case<'a, G: FullGame> {
    pub(super) setup: Arc<G::Setup>,
    pub(super) partial: &'a Partial,
    pub(super) sent: Vec<Sent<G::Action>>,
    pub(super) omissions: Vec<usize>,
    pub(super) evidence: Evidence,
    pub(super) wants: Wants,
    pub(super) seeded: Option<Seeded>,
    /// How many worlds there is memory for, at once.
    pub(super) most_worlds: usize,
    /// How an ending is held against what the record claims.
    pub(super) claims: &'a dyn Fn(&Table<G>) -> Option<String>,
}
