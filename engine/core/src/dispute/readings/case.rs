//! A record opened under a reading: the same chance, as it fell.
//!
//! This module must not say what an opened record comes to.

use serde_json::value::RawValue;

use super::answer::Answered;
use crate::budget::Budget;
use crate::chance::fallen::Fallen;
use crate::chance::seeded::Seeded;
use crate::chance::tape::{Both, Tape};
use crate::chance::{Ask, Chance, EntryOf, Halt, What};
use crate::dispute::why::trial_chance;
use crate::game::{Game, Keep, Stop, Table};
use crate::record::{Fault, Malformed, RawRecord};
use crate::replay::reading::ReadingChoice;
use crate::replay::verdict::action_text;
use crate::replay::{End, begin, prepare};

/// The draws that happened, and after them those of a seed, if there is one and if they may go on.
#[derive(Clone)]
pub(in crate::dispute) struct RecordedChance<'a> {
    pub(super) tape: Happened<'a>,
    /// What shapes the setup comes from the record's own seed, whichever seed goes on.
    pub(super) own: Option<Seeded>,
    /// Whether the seed may answer what the tape cannot.
    pub(super) go_on: bool,
    /// Whether it did.
    pub(super) off: bool,
}

#[derive(Clone)]
pub(super) enum Happened<'a> {
    Tape(Tape<'a>),
    Both(Box<Both<'a>>),
    /// For a record that is carried over, with the seed that may go on.
    Fallen(Box<(Fallen<'a>, Option<Seeded>)>),
}

impl<'a> RecordedChance<'a> {
    pub(super) fn of<G: Game>(case: &'a Case<'a, G>, go_on: bool) -> Self {
        let tape = Tape::new(&case.tape);
        let seeded = |seed: &str| Seeded::new(seed, G::META.streams);
        let own = case.record.chance.seed.as_deref();
        let tape = match case.seed.or(own) {
            Some(seed) => Happened::Both(Box::new(Both::new(tape, seeded(seed)))),
            None => Happened::Tape(tape),
        };
        RecordedChance { tape, own: case.seed.and(own).map(seeded), go_on, off: false }
    }

    pub(super) fn left(&self) -> usize {
        match &self.tape {
            Happened::Tape(tape) => tape.left(),
            Happened::Both(both) => both.tape().left(),
            Happened::Fallen(fallen) => fallen.0.left(),
        }
    }

    /// The same draws for a record that is carried over: in whatever order they are asked for.
    pub(super) fn fallen<G: Game>(case: &'a Case<'a, G>) -> Self {
        let chance = RecordedChance::of(case, true);
        let seed = match chance.tape {
            Happened::Both(mut both) => Some(both.seeded().clone()),
            Happened::Tape(_) | Happened::Fallen(_) => None,
        };
        let tape = Happened::Fallen(Box::new((Fallen::new(&case.tape), seed)));
        RecordedChance { tape, own: chance.own, go_on: true, off: false }
    }

    /// Whether draws were asked for in another order than that in which they fell.
    pub(in crate::dispute) fn is_reordered(&self) -> bool {
        matches!(&self.tape, Happened::Fallen(fallen) if fallen.0.is_reordered())
    }

    /// Asks the tape, and the seed from the first question on that the tape cannot answer.
    pub(super) fn ask<T>(
        &mut self,
        mut tape: impl FnMut(&mut dyn Chance) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let both = match &mut self.tape {
            Happened::Tape(only) => return tape(only),
            Happened::Both(both) => both,
            Happened::Fallen(fallen) => {
                let (fallen, seed) = &mut **fallen;
                return match (tape(fallen), seed) {
                    (Err(Halt::Exhausted { .. }), Some(seed)) if self.go_on => {
                        self.off = true;
                        tape(seed)
                    }
                    (answer, _) => answer,
                };
            }
        };
        if !self.off {
            match tape(both.as_mut()) {
                Err(Halt::Exhausted { .. } | Halt::Mismatch { .. }) if self.go_on => {
                    self.off = true;
                }
                answer => return answer,
            }
        }
        tape(both.seeded())
    }
}

impl Chance for RecordedChance<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        if let What::Hidden { .. } = ask.what {
            return match (&mut self.own, &mut self.tape) {
                (Some(own), _) => own.answer(ask),
                (None, Happened::Both(both)) => both.seeded().answer(ask),
                (None, Happened::Tape(tape)) => tape.answer(ask),
                (None, Happened::Fallen(fallen)) => match &mut fallen.1 {
                    Some(seed) => seed.answer(ask),
                    None => fallen.0.answer(ask),
                },
            };
        }
        self.ask(|chance| chance.answer(ask))
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.ask(|chance| chance.order(ask))
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        if let (Happened::Both(both), false) = (&mut self.tape, self.off) {
            both.known(ask, row);
        }
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.ask(|chance| chance.shuffle(ask))
    }
}

/// What is replayed under each reading.
pub(in crate::dispute) struct Case<'a, G: Game> {
    pub(super) record: &'a RawRecord<'a>,
    pub(super) options: G::Options,
    pub(in crate::dispute) actions: Vec<G::Action>,
    pub(in crate::dispute) malformed: Option<Malformed>,
    /// The action in question stands here.
    pub(in crate::dispute) asked: Option<(u32, &'a RawValue)>,
    /// Whether it is proposed and not the record's own.
    pub(super) proposed: bool,
    pub(super) tape: Vec<EntryOf<'a>>,
    /// A seed given for the dispute.
    pub(super) seed: Option<&'a str>,
    pub(in crate::dispute) budget: Budget<'a>,
}

/// A table at its opening, or what kept it from opening.
pub(in crate::dispute) struct OpenedTable<'a, G: Game> {
    pub(super) table: Table<G>,
    pub(super) chance: RecordedChance<'a>,
    pub(super) failed: Option<End<G::Rule>>,
}

impl<G: Game> Clone for OpenedTable<'_, G> {
    fn clone(&self) -> Self {
        let OpenedTable { table, chance, failed } = self;
        OpenedTable { table: table.clone(), chance: chance.clone(), failed: failed.clone() }
    }
}

impl<'a, G: Game> Case<'a, G> {
    /// Options of the record under a reading, as the game reads them.
    pub(super) fn options(&self, reading: &ReadingChoice) -> G::Options {
        let mut options = self.options.clone();
        reading.lay_over::<G>(&mut options);
        options
    }

    /// The table at its opening, under a reading. `go_on`: whether a seed may answer draws of the
    /// opening that never happened.
    pub(super) fn open(
        &'a self,
        reading: &ReadingChoice,
        go_on: bool,
    ) -> Result<OpenedTable<'a, G>, Fault> {
        self.open_keeping(reading, go_on, Keep::Nothing)
    }

    /// The same with a choice of what is kept.
    pub(super) fn open_keeping(
        &'a self,
        reading: &ReadingChoice,
        go_on: bool,
        keep: Keep,
    ) -> Result<OpenedTable<'a, G>, Fault> {
        let mut chance = RecordedChance::of(self, go_on);
        let (setup, position) =
            prepare::<G>(self.options(reading), self.record.position, &mut chance)?;
        let (table, failed) = begin(&setup, position.as_ref(), &mut chance, keep);
        Ok(OpenedTable { table, chance, failed })
    }

    /// The same for a record that is carried over.
    pub(super) fn open_carried(
        &'a self,
        reading: &ReadingChoice,
        keep: Keep,
    ) -> Option<OpenedTable<'a, G>> {
        let mut chance = RecordedChance::fallen(self);
        let options = self.options(reading);
        let (setup, position) = prepare::<G>(options, self.record.position, &mut chance).ok()?;
        let (table, failed) = begin(&setup, position.as_ref(), &mut chance, keep);
        Some(OpenedTable { table, chance, failed })
    }

    /// Whether the action at a ply is one that never was on the table, so that nothing can be
    /// known of what it draws.
    pub(in crate::dispute) fn never_played(&self, ply: u32) -> bool {
        self.proposed && self.asked.is_some_and(|(at, _)| at == ply)
    }

    /// The text that was sent at a ply.
    pub(super) fn sent(&self, ply: u32) -> &'a str {
        match self.asked {
            Some((at, action)) if at == ply => action.get(),
            _ => action_text(self.record, ply as usize).map_or("null", RawValue::get),
        }
    }

    /// The answer about the action at which the draws end: a proposed one is judged by its rule, and
    /// what it would draw is another matter.
    pub(super) fn by_its_rule(&self, table: &Table<G>) -> Answered {
        let ply = table.ply();
        let Some(action) = self.actions.get(ply as usize).filter(|_| self.never_played(ply)) else {
            return Answered::NoDraw;
        };
        // Nobody has been asked yet where a draw is missing before that.
        if table.decision().seats.is_empty() {
            return Answered::NoDraw;
        }
        match table.bare().play(action, &mut trial_chance::<G>()) {
            Err(Stop::Refused(_)) => Answered::Illegal,
            Ok(()) | Err(Stop::Chance { .. }) => Answered::Legal,
        }
    }
}
