//! Chance as a record gives it: a seed, a tape, or a tape compared with a seed.
//!
//! Must not know what is drawn.

use super::seeded::Seeded;
use super::tape::{Both, Tape};
use super::{Ask, Chance, EntryOf, Halt};

/// Chance as a record gives it.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// A seed.
    Seed(Seeded),
    /// A tape.
    Tape(Tape<'a>),
    /// A tape, compared with a seed.
    Both(Box<Both<'a>>),
}

impl<'a> Source<'a> {
    /// The chance of a record that gives this seed, this tape, or both, with the stream labels of its
    /// game.
    pub fn new(
        seed: Option<&str>,
        tape: Option<&'a [EntryOf<'a>]>,
        labels: &'static [&'static str],
    ) -> Self {
        let seeded = seed.map(|seed| Seeded::new(seed, labels));
        let tape = tape.map(Tape::new);
        match (tape, seeded) {
            (Some(tape), Some(seeded)) => Source::Both(Box::new(Both::new(tape, seeded))),
            (Some(tape), None) => Source::Tape(tape),
            (None, Some(seeded)) => Source::Seed(seeded),
            (None, None) => Source::Tape(Tape::new(&[])),
        }
    }

    /// The tape as far as it was used.
    pub fn tape(&self) -> Option<&Tape<'a>> {
        match self {
            Source::Seed(_) => None,
            Source::Tape(tape) => Some(tape),
            Source::Both(both) => Some(both.tape()),
        }
    }

    /// The same moment of chance with another tape, if it has one.
    pub(crate) fn on<'b>(&self, entries: &'b [EntryOf<'b>]) -> Source<'b> {
        match self {
            Source::Seed(seeded) => Source::Seed(seeded.clone()),
            Source::Tape(tape) => Source::Tape(tape.on(entries)),
            Source::Both(both) => Source::Both(Box::new(both.on(entries))),
        }
    }

    pub(crate) fn parted(&self) -> Option<usize> {
        match self {
            Source::Both(both) => both.parted(),
            Source::Seed(_) | Source::Tape(_) => None,
        }
    }

    fn inner(&mut self) -> &mut dyn Chance {
        match self {
            Source::Seed(seeded) => seeded,
            Source::Tape(tape) => tape,
            Source::Both(both) => both.as_mut(),
        }
    }
}

impl Chance for Source<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        self.inner().answer(ask)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.inner().order(ask)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.inner().known(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.inner().shuffle(ask)
    }
}
