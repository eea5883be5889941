//! A record played on under a reading, alone and beside the recorded one.
//!
//! This module must not change a decision.

use serde_json::Value;

use super::answer::PartingKind;
use super::case::{Case, OpenedTable, RecordedChance};
use crate::dispute::compare::{RefereeView, same_game};
use crate::game::{FullGame, Stop, Table};
use crate::replay::{End, malformed_at};
use crate::rules::{Cites, Refusal, Rule};

/// A replay under one reading, as far as it has come.
pub(in crate::dispute) struct Run<'a, G: FullGame> {
    pub(in crate::dispute) table: Table<G>,
    pub(in crate::dispute) chance: RecordedChance<'a>,
    /// Why it goes no further.
    pub(in crate::dispute) end: Option<End<G::Rule>>,
    /// If a draw is missing, the table at that moment, with what the action had caused so far.
    pub(super) halfway: Option<Box<Table<G>>>,
    pub(super) hypothetical_from: Option<u32>,
}

impl<G: FullGame> Clone for Run<'_, G> {
    fn clone(&self) -> Self {
        let Run { table, chance, end, halfway, hypothetical_from } = self;
        Run {
            table: table.clone(),
            chance: chance.clone(),
            end: end.clone(),
            halfway: halfway.clone(),
            hypothetical_from: *hypothetical_from,
        }
    }
}

impl<'a, G: FullGame> Run<'a, G> {
    pub(in crate::dispute) fn from(submission: &OpenedTable<'a, G>) -> Self {
        let OpenedTable { table, chance, failed } = submission.clone();
        let hypothetical_from = chance.off.then_some(0);
        Run { table, chance, end: failed, halfway: None, hypothetical_from }
    }

    /// As it stands, for a replay that goes on from here.
    pub(in crate::dispute) fn opened(&self) -> OpenedTable<'a, G> {
        let Run { table, chance, end, .. } = self.clone();
        OpenedTable { table, chance, failed: end }
    }

    /// Plays the next action. `go_on`: whether a seed may answer a draw that never happened.
    pub(in crate::dispute) fn step(&mut self, action: &G::Action, go_on: bool) {
        let mut halfway = None;
        self.step_by(go_on, |table, chance| table.play_to_draw(action, chance, Some(&mut halfway)));
        self.halfway = halfway;
    }

    /// The same with the clauses of each event.
    fn step_citing(&mut self, action: &G::Action, go_on: bool) -> Vec<Cites<G::Rule>> {
        let (mut cites, mut halfway) = (Vec::new(), None);
        self.step_by(go_on, |table, chance| {
            let log = table.play_logged_to_draw(action, chance, Some(&mut halfway))?;
            cites.extend(log.events.iter().map(|it| it.rules));
            Ok(())
        });
        self.halfway = halfway;
        cites
    }

    fn step_by(
        &mut self,
        go_on: bool,
        play: impl FnOnce(&mut Table<G>, &mut RecordedChance<'a>) -> Result<(), Stop<G::Rule>>,
    ) {
        let ply = self.table.ply();
        self.chance.go_on = go_on;
        self.end = play(&mut self.table, &mut self.chance).err().map(End::from);
        if self.chance.off {
            self.hypothetical_from.get_or_insert(ply);
        }
    }

    /// The same decision in a form that only leaves something out (a figure that cannot be attacked), if the reading takes
    /// that, and the game after it.
    pub(in crate::dispute) fn shortened(&self, action: &G::Action) -> Option<(Self, G::Action)> {
        let sent = serde_json::to_value(action).ok()?;
        let forms = G::restate(self.table.setup(), self.table.state(), action).into_iter();
        let forms = forms.filter(|(form, rest)| {
            let form = serde_json::to_value(form).unwrap_or_default();
            rest.is_none() && form != sent && says_no_more(&form, &sent)
        });
        forms.map(|(form, _)| form).find_map(|form| {
            let mut after = Run { end: None, ..self.clone() };
            after.step(&form, false);
            after.end.is_none().then_some((after, form))
        })
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

/// Whether one action says only what the other says: of a list, a part is enough.
fn says_no_more(one: &Value, other: &Value) -> bool {
    let part = |one: &Value, other: &Value| match (one, other) {
        (Value::Array(one), Value::Array(other)) => one.iter().all(|it| other.contains(it)),
        _ => one == other,
    };
    let mut fields = one.as_object().into_iter().flatten();
    fields.all(|(key, value)| other.get(key).is_some_and(|it| part(value, it)))
}

/// A replay to the end of the case, and where it parts from the recorded reading.
pub(super) struct ReadingReplay<'a, G: FullGame> {
    pub(super) run: Run<'a, G>,
    pub(super) parts: Option<(u32, PartingKind)>,
    /// Whether it has cited the same clauses as the recorded reading, as long as they agreed.
    pub(super) cites_alike: bool,
    /// The recorded reading before that action.
    pub(super) before: OpenedTable<'a, G>,
}

/// Replays openings to the end of the case, all at once; beside them, for as long as one of them agrees, the recorded
/// reading. Says where they part. A seed goes on only where the recorded reading got further or
/// has parted before, so that a reading is not told more than the record itself.
pub(super) fn race<'a, G: FullGame>(
    case: &Case<'_, G>,
    recorded: &OpenedTable<'a, G>,
    others: &[&OpenedTable<'a, G>],
    thorough: bool,
) -> Vec<ReadingReplay<'a, G>> {
    let mut beside = Run::from(recorded);
    let shown = RefereeView::from_table(&beside.table);
    let started = others.iter().map(|other| {
        let run = Run::from(other);
        let parts = match (&beside.end, &run.end) {
            (None, Some(End::Chance { .. })) => Some((0, PartingKind::Chance)),
            (None, Some(_)) => Some((0, PartingKind::Refused)),
            (Some(_), None) => Some((0, PartingKind::Allowed)),
            _ if shown.is_same_game(&run.table) => None,
            _ => Some((0, PartingKind::Opening)),
        };
        ReadingReplay { run, parts, cites_alike: true, before: recorded.clone() }
    });
    let mut raced: Vec<ReadingReplay<'a, G>> = started.collect();
    for (ply, action) in (0..).zip(&case.actions) {
        let (mut before, mut cited) = (None, Vec::new());
        if beside.end.is_none() && raced.iter().any(|it| it.run.end.is_none() && it.parts.is_none())
        {
            before = Some(beside.opened());
            cited = beside.step_citing(action, case.never_played(ply));
        }
        for it in raced.iter_mut().filter(|it| it.run.end.is_none()) {
            if case.budget.spend(1).is_err() {
                return raced;
            }
            let further = it.parts.is_some() || beside.end.is_none();
            let further = further || case.never_played(ply);
            // Logs cost: no more of them than are compared.
            if it.parts.is_none() && it.cites_alike {
                let cites = it.run.step_citing(action, further);
                let same = cites.iter().map(Cites::as_slice).eq(cited.iter().map(Cites::as_slice));
                it.cites_alike = it.run.end.is_some() || same;
            } else {
                it.run.step(action, further);
            }
            if it.parts.is_none()
                && let Some(how) = parting_kind(&beside, &it.run, action, thorough)
            {
                it.parts = Some((ply, how));
                // It has been played on for as long as anybody agreed.
                if let Some(before) = &before {
                    it.before = before.clone();
                }
            }
        }
    }
    let shown = RefereeView::from_table(&beside.table);
    for (it, other) in raced.iter_mut().zip(others) {
        it.run.finish(case);
        if it.parts.is_none() && !thorough && !shown.is_same_game(&it.run.table) {
            *it = race(case, recorded, &[other], true).remove(0);
        }
    }
    raced
}

/// How a reading parts from the recorded one at the action that both have just tried, if it does.
fn parting_kind<G: FullGame>(
    beside: &Run<'_, G>,
    run: &Run<'_, G>,
    action: &G::Action,
    thorough: bool,
) -> Option<PartingKind> {
    match (&beside.end, &run.end) {
        (None, None) => {
            (!same_game(&beside.table, &run.table, !thorough)).then_some(PartingKind::State)
        }
        (None, Some(End::Chance { .. })) => Some(PartingKind::Chance),
        (None, Some(_)) => Some(PartingKind::Refused),
        (Some(_), None) => Some(PartingKind::Allowed),
        (Some(End::Refused(one)), Some(End::Refused(two))) => {
            if run.shortened(action).is_some() && beside.shortened(action).is_none() {
                return Some(PartingKind::Allowed);
            }
            (reason(one) != reason(two)).then_some(PartingKind::OtherClause)
        }
        (Some(End::Chance { .. }), Some(End::Chance { .. })) => {
            // What the action did before its draw may differ all the same.
            let (one, two) = (beside.halfway.as_ref()?, run.halfway.as_ref()?);
            (!same_game(one, two, !thorough)).then_some(PartingKind::State)
        }
        (Some(_), Some(_)) => Some(PartingKind::OtherClause),
    }
}

pub(super) fn reason<R: Rule>(refusal: &Refusal<R>) -> (R, &'static str, &str) {
    (refusal.rule, refusal.code, &refusal.pointer)
}
