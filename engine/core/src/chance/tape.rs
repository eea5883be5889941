//! Recorded answers: what really fell at a table, entry by entry.
//!
//! Three faults are told apart: an entry that does not fit, a missing entry, and entries left
//! over. This module must not guess: an entry answers just the question it was recorded for.

use super::seeded::Seeded;
use super::{Ask, Chance, EntryOf, Halt, What};

/// Answers from a tape.
#[derive(Clone, Debug)]
pub struct Tape<'a> {
    entries: &'a [EntryOf<'a>],
    at: usize,
    within: usize,
}

impl<'a> Tape<'a> {
    /// Answers from these entries, in order.
    pub fn new(entries: &'a [EntryOf<'a>]) -> Self {
        Tape { entries, at: 0, within: 0 }
    }

    /// The first entry that was not used (or not used up), if any is left.
    pub fn rest(&self) -> Option<usize> {
        (self.at < self.entries.len()).then_some(self.at)
    }

    /// Number of entries not used up.
    pub fn left(&self) -> usize {
        self.entries.len().saturating_sub(self.at)
    }

    /// The entry that comes next, and the place within it.
    pub(crate) fn place(&self) -> (usize, usize) {
        (self.at, self.within)
    }

    /// The same place on another tape.
    pub(crate) fn on<'b>(&self, entries: &'b [EntryOf<'b>]) -> Tape<'b> {
        Tape { entries, at: self.at, within: self.within }
    }

    fn mismatch(&self, ask: &Ask<'_>, found: impl Into<String>) -> Halt {
        Halt::Mismatch { entry: self.at, asked: ask.to_string(), found: found.into() }
    }

    fn next(&mut self) {
        self.at += 1;
        self.within = 0;
    }

    /// The number a die entry shows for this chance point.
    fn die(&mut self, ask: &Ask<'_>, point: &str) -> Result<(u32, bool), Halt> {
        let wrong = |at: &str| format!("the entry is a die for {at}");
        match self.current(ask)? {
            EntryOf::Die(die) if die.at == point => Ok((die.value, true)),
            EntryOf::Die(die) => Err(self.mismatch(ask, wrong(&die.at))),
            EntryOf::Dice(dice) if dice.at == point => match dice.values.get(self.within) {
                Some(&value) => Ok((value, self.within + 1 == dice.values.len())),
                None => Err(self.mismatch(ask, "the entry holds no dice")),
            },
            EntryOf::Dice(dice) => Err(self.mismatch(ask, wrong(&dice.at))),
            EntryOf::Draw(draw) => {
                Err(self.mismatch(ask, format!("the entry is a draw of side {}", draw.side)))
            }
            EntryOf::Shuffle(order) => {
                Err(self.mismatch(ask, format!("the entry is an order of side {}", order.side)))
            }
        }
    }

    fn take_die(&mut self, last: bool) {
        if last {
            self.next();
        } else {
            self.within += 1;
        }
    }

    fn current(&self, ask: &Ask<'_>) -> Result<&'a EntryOf<'a>, Halt> {
        self.entries
            .get(self.at)
            .ok_or_else(|| Halt::Exhausted { entries: self.entries.len(), asked: ask.to_string() })
    }

    /// The rows of a `shuffle` entry for this deck, checked against the deck.
    fn rows(&self, ask: &Ask<'_>, cards: &[std::borrow::Cow<'_, str>]) -> Result<Vec<u32>, Halt> {
        let What::Card { names, counts, .. } = ask.what else { return Ok(Vec::new()) };
        let mut left = counts.to_vec();
        let mut rows = Vec::with_capacity(cards.len());
        for card in cards {
            let row = names.iter().position(|name| name == card);
            match row.and_then(|row| Some((row, left.get_mut(row)?))) {
                Some((row, count)) if *count > 0 => {
                    *count -= 1;
                    rows.push(row as u32);
                }
                _ => {
                    let found =
                        format!("the order names {card:?} more often than the deck holds it");
                    return Err(self.mismatch(ask, found));
                }
            }
        }
        Ok(rows)
    }
}

impl Tape<'_> {
    /// The order of a whole deck.
    fn whole_order(&mut self, ask: &Ask<'_>, counts: &[u8]) -> Result<Vec<u32>, Halt> {
        let EntryOf::Shuffle(_) = self.current(ask)? else {
            return Err(self.mismatch(ask, "the entry is not an order of the whole deck"));
        };
        let mark = self.at;
        let Some(rows) = self.order(ask)? else {
            return Err(self.mismatch(ask, "the entry is an order of another side"));
        };
        let all: usize = counts.iter().map(|&count| usize::from(count)).sum();
        if rows.len() != all {
            self.at = mark;
            let found = format!("the order names {} of {all} cards", rows.len());
            return Err(self.mismatch(ask, found));
        }
        Ok(rows)
    }
}

impl Chance for Tape<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        match ask.what {
            What::Card { side, names, counts } => match self.current(ask)? {
                EntryOf::Draw(draw) if draw.side != side => {
                    Err(self.mismatch(ask, format!("the entry is a draw of side {}", draw.side)))
                }
                EntryOf::Draw(draw) => {
                    let row = names.iter().position(|name| *name == draw.card);
                    match row {
                        Some(row) if counts.get(row).is_some_and(|&count| count > 0) => {
                            self.next();
                            Ok(row as u32)
                        }
                        _ => {
                            let found = format!("the deck holds no {:?}", draw.card);
                            Err(self.mismatch(ask, found))
                        }
                    }
                }
                EntryOf::Shuffle(order) => {
                    Err(self.mismatch(ask, format!("the entry is an order of side {}", order.side)))
                }
                EntryOf::Die(_) | EntryOf::Dice(_) => Err(self.mismatch(ask, "the entry is a die")),
            },
            What::Die { at, sides } => {
                let (value, last) = self.die(ask, at)?;
                if value < 1 || sides < value {
                    return Err(self.mismatch(ask, format!("the entry shows {value}")));
                }
                self.take_die(last);
                Ok(value)
            }
            What::Among { at, values } => {
                let (value, last) = self.die(ask, at)?;
                let Some(index) = values.iter().position(|&known| known == value) else {
                    return Err(self.mismatch(ask, format!("the entry shows {value}")));
                };
                self.take_die(last);
                Ok(index as u32)
            }
            What::Hidden { .. } => Err(Halt::NoSeed { asked: ask.to_string() }),
        }
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        let What::Card { side, .. } = ask.what else { return Ok(None) };
        match self.entries.get(self.at) {
            Some(EntryOf::Shuffle(order)) if order.side == side => {
                let rows = self.rows(ask, &order.order)?;
                self.next();
                Ok(Some(rows))
            }
            _ => Ok(None),
        }
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let What::Card { side, counts, .. } = ask.what else { return Ok(Vec::new()) };
        // What is asked for is an order, not a draw.
        self.whole_order(ask, counts)
            .map_err(|halt| halt.asking(format!("the order of the deck of side {side}")))
    }
}

/// A tape beside a seed: the tape rules, and the first entry is noted where the seed would have
/// drawn otherwise.
#[derive(Clone, Debug)]
pub struct Both<'a> {
    tape: Tape<'a>,
    seeded: Seeded,
    orders: Vec<(u8, usize)>,
    parted: Option<usize>,
}

impl<'a> Both<'a> {
    /// Answers from the tape and compares with the seed.
    pub fn new(tape: Tape<'a>, seeded: Seeded) -> Self {
        Both { tape, seeded, orders: Vec::new(), parted: None }
    }

    /// The tape as far as it was used.
    pub fn tape(&self) -> &Tape<'a> {
        &self.tape
    }

    /// The seed, after all that the tape answered.
    pub fn seeded(&mut self) -> &mut Seeded {
        &mut self.seeded
    }

    /// The first entry where the seed would have drawn otherwise.
    pub fn parted(&self) -> Option<usize> {
        self.parted
    }

    /// The same place on another tape.
    pub(crate) fn on<'b>(&self, entries: &'b [EntryOf<'b>]) -> Both<'b> {
        let (seeded, orders) = (self.seeded.clone(), self.orders.clone());
        Both { tape: self.tape.on(entries), seeded, orders, parted: self.parted }
    }

    fn compare(&mut self, ask: &Ask<'_>, entry: usize, answer: u32) {
        if self.seeded.answer(ask) != Ok(answer) && self.parted.is_none() {
            self.parted = Some(entry);
        }
    }
}

impl Chance for Both<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        if let What::Hidden { .. } = ask.what {
            return self.seeded.answer(ask);
        }
        let entry = self.tape.at;
        let answer = self.tape.answer(ask)?;
        self.compare(ask, entry, answer);
        Ok(answer)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        let entry = self.tape.at;
        let rows = self.tape.order(ask)?;
        if rows.is_some() {
            self.orders.retain(|&(stream, _)| stream != ask.stream);
            self.orders.push((ask.stream, entry));
        }
        Ok(rows)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        let order = self.orders.iter().find(|&&(stream, _)| stream == ask.stream);
        if let Some(&(_, entry)) = order {
            self.compare(ask, entry, row);
        }
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let entry = self.tape.at;
        let rows = self.tape.shuffle(ask)?;
        if self.seeded.shuffle(ask).as_ref() != Ok(&rows) && self.parted.is_none() {
            self.parted = Some(entry);
        }
        Ok(rows)
    }
}
