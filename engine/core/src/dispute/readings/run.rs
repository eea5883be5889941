//! A record played on under a reading, alone and beside the recorded one.
//!
//! This module must not change a decision.

use super::answer::PartingKind;
use super::case::{Case, OpenedTable, RecordedChance};
use crate::dispute::compare::same_game;
use crate::game::{FullGame, Table};
use crate::replay::{End, malformed_at};
use crate::rules::{Refusal, Rule};

/// A replay under one reading, as far as it has come.
pub(in crate::dispute) struct Run<'a, G: FullGame> {
    pub(in crate::dispute) table: Table<G>,
    pub(in crate::dispute) chance: RecordedChance<'a>,
    /// Why it goes no further.
    pub(in crate::dispute) end: Option<End<G::Rule>>,
    pub(super) hypothetical_from: Option<u32>,
}

impl<G: FullGame> Clone for Run<'_, G> {
    fn clone(&self) -> Self {
        let Run { table, chance, end, hypothetical_from } = self;
        Run {
            table: table.clone(),
            chance: chance.clone(),
            end: end.clone(),
            hypothetical_from: *hypothetical_from,
        }
    }
}

impl<'a, G: FullGame> Run<'a, G> {
    pub(in crate::dispute) fn from(submission: &OpenedTable<'a, G>) -> Self {
        let OpenedTable { table, chance, failed } = submission.clone();
        let hypothetical_from = chance.off.then_some(0);
        Run { table, chance, end: failed, hypothetical_from }
    }

    /// Plays the next action. `go_on`: whether a seed may answer a draw that never happened.
    pub(in crate::dispute) fn step(&mut self, action: &G::Action, go_on: bool) {
        let ply = self.table.ply();
        self.chance.go_on = go_on;
        self.end = self.table.play(action, &mut self.chance).err().map(End::from);
        if self.chance.off {
            self.hypothetical_from.get_or_insert(ply);
        }
    }

    /// Behind the last action that can be read.
    pub(in crate::dispute) fn finish(&mut self, case: &Case<'_, G>) {
        if let (None, Some(fault)) = (&self.end, &case.malformed) {
            self.end = Some(End::Refused(malformed_at(&self.table, fault)));
        }
    }

    /// An opening, played to the end of the case by itself.
    pub(super) fn alone(case: &Case<'_, G>, submission: &OpenedTable<'a, G>) -> Self {
        let mut run = Run::from(submission);
        for action in &case.actions {
            if run.end.is_some() || case.budget.spend(1).is_err() {
                break;
            }
            run.step(action, case.never_played(run.table.ply()));
        }
        run.finish(case);
        run
    }
}

/// Replays an opening to the end of the case; beside it, for as long as they agree, the recorded
/// reading. Says where they part. A seed goes on only where the recorded reading got further or
/// has parted before, so that a reading is not told more than the record itself.
pub(super) fn race<'a, G: FullGame>(
    case: &Case<'_, G>,
    recorded: &OpenedTable<'a, G>,
    other: &OpenedTable<'a, G>,
    thorough: bool,
) -> (Run<'a, G>, Option<(u32, PartingKind)>) {
    let (mut beside, mut run) = (Run::from(recorded), Run::from(other));
    let mut parts = match (&beside.end, &run.end) {
        (None, Some(End::Chance { .. })) => Some((0, PartingKind::Chance)),
        (None, Some(_)) => Some((0, PartingKind::Refused)),
        (Some(_), None) => Some((0, PartingKind::Allowed)),
        _ if same_game(&beside.table, &run.table, false) => None,
        _ => Some((0, PartingKind::Opening)),
    };
    for action in &case.actions {
        if run.end.is_some() || case.budget.spend(1).is_err() {
            break;
        }
        let ply = run.table.ply();
        let together = parts.is_none();
        if together {
            beside.step(action, case.never_played(ply));
        }
        let further = !together || beside.end.is_none();
        run.step(action, further || case.never_played(ply));
        if together {
            let how = match (&beside.end, &run.end) {
                (None, None) if same_game(&beside.table, &run.table, !thorough) => None,
                (None, None) => Some(PartingKind::State),
                (None, Some(End::Chance { .. })) => Some(PartingKind::Chance),
                (None, Some(_)) => Some(PartingKind::Refused),
                (Some(_), None) => Some(PartingKind::Allowed),
                (Some(End::Refused(one)), Some(End::Refused(two))) => {
                    (reason(one) != reason(two)).then_some(PartingKind::OtherClause)
                }
                (Some(End::Chance { .. }), Some(End::Chance { .. })) => None,
                (Some(_), Some(_)) => Some(PartingKind::OtherClause),
            };
            parts = how.map(|how| (ply, how));
        }
    }
    run.finish(case);
    if parts.is_none() && !thorough && !same_game(&beside.table, &run.table, false) {
        return race(case, recorded, other, true);
    }
    (run, parts)
}

pub(super) fn reason<R: Rule>(refusal: &Refusal<R>) -> (R, &'static str, &str) {
    (refusal.rule, refusal.code, &refusal.pointer)
}
