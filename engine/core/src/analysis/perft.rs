//! Perft: how many lines of play there are to a depth, the field's check on move generators.
//!
//! Must not skip anything: every legal action of every deciding seat counts.

use crate::chance::Chance;
use crate::game::{Game, Table};

/// Number of lines of `depth` actions from here; each line's draws are answered by its own copy
/// of `chance`, so the count is the same everywhere. Ranges are not followed.
pub fn perft<G: Game, C: Chance + Clone>(table: &Table<G>, chance: &C, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut lines = 0;
    for seat in table.decision().seats.iter() {
        for action in table.actions(seat) {
            let (mut next, mut draws) = (table.clone(), chance.clone());
            if next.play(&action, &mut draws).is_ok() {
                lines += perft(&next, &draws, depth - 1);
            }
        }
    }
    lines
}
