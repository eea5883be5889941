//! Chance for a record with unknowns: what is written down answers as it must, and what is not is a choice.
//!
//! The choices follow a script; where it ends, the first possible answer is given. So all answers can be tried one after
//! the other. Must not answer otherwise than what is written down allows.

use super::wants::{Held, Wants, place};
use super::written::{Entry, Fell, Tape};
use crate::chance::seeded::Seeded;
use crate::chance::{self, Ask, Chance, Halt, What};

/// What chance has to go by while one action is carried out.
pub(super) struct Table<'t> {
    pub(super) tape: Option<&'t Tape>,
    pub(super) wants: &'t Wants,
    /// Whether numbers that never stand on a tape are choices, too: while hidden parts of a view are drawn.
    pub(super) hidden: bool,
    /// Whether anything may fall, whatever the tape says: for an action that was never on the table.
    pub(super) free: bool,
}

/// The most questions of one step: dice that are thrown again where they tie might be thrown for ever.
const MOST_ASKED: u32 = 1_000;

/// A choice that was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// How many answers were possible.
    pub(super) options: u32,
    /// Whether it was about a card.
    pub(super) card: bool,
}

/// An answer that was given, as it stands on a tape.
#[derive(Clone, Debug)]
pub(super) struct Fallen {
    pub(super) entry: chance::Entry,
    /// Whether it was chosen, not read.
    pub(super) chosen: bool,
    /// Where something of it is written in the record.
    pub(super) pointer: Option<String>,
}

/// Chance that follows a script.
pub(super) struct Guess<'t> {
    table: &'t Table<'t>,
    script: &'t [u32],
    /// The first action that is a reason to draw a card: the one after that which is carried out.
    from: usize,
    /// The ply that notes of entries are compared with.
    ply: u32,
    /// The next entry of the tape.
    pub(super) entry: usize,
    pub(super) seeded: Option<Seeded>,
    pub(super) held: Held,
    /// How many questions there were.
    asked: u32,
    /// The step asked too much and was left.
    pub(super) endless: bool,
    /// The choices so far, and what was chosen.
    pub(super) choices: Vec<Choice>,
    pub(super) taken: Vec<u32>,
    pub(super) fallen: Vec<Fallen>,
}

/// An answer that is possible.
#[derive(Clone, Copy)]
struct Option_ {
    answer: u32,
    /// Whether it uses up the next entry of the tape.
    uses: bool,
}

impl<'t> Guess<'t> {
    /// Chance at a place of the tape, while an action is carried out.
    pub(super) fn new(
        table: &'t Table<'t>,
        script: &'t [u32],
        (from, ply, entry): (usize, u32, usize),
        seeded: Option<Seeded>,
        held: Held,
    ) -> Self {
        let (choices, taken, fallen) = (Vec::new(), Vec::new(), Vec::new());
        let (asked, endless) = (0, false);
        Guess {
            table,
            script,
            from,
            ply,
            entry,
            seeded,
            held,
            asked,
            endless,
            choices,
            taken,
            fallen,
        }
    }

    /// The next entry of the tape, if it may be meant by now.
    fn next(&self) -> Option<&'t Entry> {
        let tape = self.table.tape.filter(|_| !self.table.free)?;
        let entry = tape.entries.get(self.entry)?;
        (!tape.partial || entry.ply.is_none_or(|ply| ply <= self.ply)).then_some(entry)
    }

    /// Whether entries may be missing: then anything may have fallen.
    fn may_miss(&self) -> bool {
        self.table.free || self.table.tape.is_some_and(|tape| tape.partial)
    }

    /// One of the possible answers by the script, the first where it has ended.
    fn choose(&mut self, options: usize, card: bool) -> usize {
        if options < 2 {
            return 0;
        }
        let at = self.taken.len();
        let pick = self.script.get(at).copied().unwrap_or(0).min(options as u32 - 1);
        self.choices.push(Choice { options: options as u32, card });
        self.taken.push(pick);
        pick as usize
    }

    fn exhausted(&self, ask: &Ask<'_>) -> Halt {
        let entries = self.table.tape.map_or(0, |tape| tape.entries.len());
        Halt::Exhausted { entries, asked: ask.to_string() }
    }

    fn mismatch(&self, ask: &Ask<'_>, found: &str) -> Halt {
        Halt::Mismatch { entry: self.entry, asked: ask.to_string(), found: found.to_owned() }
    }

    /// The answers that what is written down allows, likeliest first.
    fn options(&mut self, ask: &Ask<'_>) -> Result<Vec<Option_>, Halt> {
        let all = self.all(ask);
        let name = |answer: u32| ask.entry(answer);
        let mut options = Vec::new();
        match self.next() {
            Some(entry) => {
                let fits =
                    |answer: &&u32| name(**answer).is_some_and(|it| agrees(&entry.fell, &it));
                let using = all.iter().filter(fits);
                options.extend(using.map(|&answer| Option_ { answer, uses: true }));
            }
            None if !self.may_miss() => {
                // Only a seed can tell what a tape that is at its end does not.
                return match &mut self.seeded {
                    Some(seeded) => {
                        let answer = seeded.answer(ask)?;
                        Ok(vec![Option_ { answer, uses: false }])
                    }
                    None => Err(self.exhausted(ask)),
                };
            }
            None => {}
        }
        if self.may_miss() {
            options.extend(all.iter().map(|&answer| Option_ { answer, uses: false }));
        }
        match options.is_empty() {
            false => Ok(options),
            true if all.is_empty() => Err(self.mismatch(ask, "nothing is left to be drawn")),
            true => {
                Err(self.mismatch(ask, &self.next().map_or_else(String::new, |it| said(&it.fell))))
            }
        }
    }

    /// Every answer that the question allows, likeliest first.
    fn all(&self, ask: &Ask<'_>) -> Vec<u32> {
        match ask.what {
            What::Card { side, names, counts } => {
                let deck = self.table.wants.deck(ask.stream, side, names, counts);
                let mut rows: Vec<u32> =
                    (0..counts.len() as u32).filter(|&row| counts[row as usize] > 0).collect();
                let held = self.held.get(usize::from(ask.stream));
                deck.order(&mut rows, counts, held, (self.from, self.entry));
                rows
            }
            What::Die { sides, .. } => self.turned(1, sides),
            What::Among { values, .. } => self.turned(0, values.len() as u32),
            What::Hidden { n } => (0..n).collect(),
        }
    }

    /// So many numbers, each question beginning with another, so that dice do not tie for ever.
    fn turned(&self, first: u32, count: u32) -> Vec<u32> {
        (0..count).map(|at| first + (at + self.asked) % count).collect()
    }

    /// Notes that a card is held.
    fn hold(&mut self, ask: &Ask<'_>, row: u32) {
        if let What::Card { counts, .. } = ask.what {
            *place(&mut self.held, usize::from(ask.stream), row as usize, counts.len()) += 1;
        }
    }

    /// The cards of an order that is written down or missing, drawn one after the other.
    fn rows(&mut self, ask: &Ask<'_>, known: Option<(usize, bool)>) -> Result<Vec<u32>, Halt> {
        let What::Card { side, names, counts } = ask.what else { return Ok(Vec::new()) };
        let mut left = counts.to_vec();
        let all: usize = left.iter().map(|&count| usize::from(count)).sum();
        let cards = known.and_then(|(entry, _)| match &self.table.tape?.entries.get(entry)?.fell {
            Fell::Order { cards, .. } => Some(cards),
            _ => None,
        });
        let length = cards.map_or(all, |cards| cards.len().min(all));
        let mut rows = Vec::with_capacity(length);
        let before = self.held.clone();
        for at in 0..length {
            let counts = left.clone();
            let ask = Ask { stream: ask.stream, what: What::Card { side, names, counts: &counts } };
            let mut options = self.all(&ask);
            if let Some(card) = cards.and_then(|cards| cards.get(at)) {
                options.retain(|&row| card.admits(&names[row as usize]));
            }
            if options.is_empty() {
                return Err(
                    self.mismatch(&ask, "the order names a card more often than the deck holds it")
                );
            }
            let pick = self.choose(options.len(), true);
            let row = options[pick];
            left[row as usize] -= 1;
            self.hold(&ask, row);
            rows.push(row);
        }
        // What lies in a deck is not held yet.
        self.held = before;
        Ok(rows)
    }

    fn note_order(&mut self, ask: &Ask<'_>, rows: &[u32], chosen: bool, pointer: Option<String>) {
        if let Some(entry) = ask.order_entry(rows) {
            self.fallen.push(Fallen { entry, chosen, pointer });
        }
    }
}

/// Whether an entry of a tape says what is written down.
pub(super) fn agrees(written: &Fell, entry: &chance::Entry) -> bool {
    match (written, entry) {
        (Fell::Something, chance::EntryOf::Draw(_) | chance::EntryOf::Die(_)) => true,
        (Fell::Card { side, card }, chance::EntryOf::Draw(draw)) => {
            side.admits(&draw.side.to_string()) && card.admits(&draw.card.to_string())
        }
        (Fell::Die { at, value }, chance::EntryOf::Die(die)) => {
            at.admits(&die.at.to_string()) && value.admits(&die.value)
        }
        _ => false,
    }
}

/// What is written down, for those who are told that it does not fit.
fn said(fell: &Fell) -> String {
    match fell {
        Fell::Something => "nothing fits".to_owned(),
        Fell::Card { side, card } => match (side.known(), card.known()) {
            (Some(side), Some(card)) => {
                format!("the entry is a draw of {card:?} by side {side}, and cannot be")
            }
            (Some(side), None) => format!("the entry is a draw of side {side}"),
            _ => "the entry is a draw".to_owned(),
        },
        Fell::Die { at, value } => match (at.known(), value.known()) {
            (Some(at), Some(value)) => format!("the entry is a die for {at} that shows {value}"),
            (Some(at), None) => format!("the entry is a die for {at}"),
            _ => "the entry is a die".to_owned(),
        },
        Fell::Order { side, .. } => format!("the entry is an order of side {side}"),
    }
}

impl Chance for Guess<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        self.asked += 1;
        if self.asked > MOST_ASKED {
            self.endless = true;
            return Err(self.mismatch(ask, "too much was asked for in one action"));
        }
        if let What::Hidden { n } = ask.what {
            if self.table.hidden {
                return Ok(self.choose(n as usize, true) as u32);
            }
            return match &mut self.seeded {
                Some(seeded) => seeded.answer(ask),
                None => Err(Halt::NoSeed { asked: ask.to_string() }),
            };
        }
        let options = if self.table.hidden {
            self.all(ask).into_iter().map(|answer| Option_ { answer, uses: false }).collect()
        } else {
            self.options(ask)?
        };
        if options.is_empty() {
            return Err(self.mismatch(ask, "nothing is left to be drawn"));
        }
        let card = matches!(ask.what, What::Card { .. });
        let pick = self.choose(options.len(), card);
        let Option_ { answer, uses } = options[pick];
        if self.seeded.is_some() && (uses || options.len() > 1) {
            // The seed goes on as if it had been asked.
            let _ = self.seeded.as_mut().map(|seeded| seeded.answer(ask));
        }
        self.hold(ask, answer);
        if !self.table.hidden
            && let Some(entry) = ask.entry(answer)
        {
            let written = if uses { self.next() } else { None };
            let pointer = written.map(|entry| entry.pointer.clone());
            self.fallen.push(Fallen { entry, chosen: options.len() > 1, pointer });
        }
        self.entry += usize::from(uses);
        Ok(answer)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        let What::Card { side, .. } = ask.what else { return Ok(None) };
        let Some(next) = self.next() else { return Ok(None) };
        let pointer = next.pointer.clone();
        match &next.fell {
            Fell::Order { side: of, cards } if of == side => {
                let chosen = cards.iter().any(|card| card.known().is_none());
                let rows = self.rows(ask, Some((self.entry, true)))?;
                self.entry += 1;
                self.note_order(ask, &rows, chosen, Some(pointer));
                Ok(Some(rows))
            }
            _ => Ok(None),
        }
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.hold(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let What::Card { side, counts, .. } = ask.what else { return Ok(Vec::new()) };
        let all: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let written = self.next().and_then(|next| match &next.fell {
            Fell::Order { side: of, cards } if of == side && cards.len() == all => {
                let chosen = cards.iter().any(|card| card.known().is_none());
                Some((chosen, Some(next.pointer.clone())))
            }
            Fell::Something => Some((true, Some(next.pointer.clone()))),
            _ => None,
        });
        match written {
            Some((chosen, pointer)) => {
                let rows = self.rows(ask, Some((self.entry, true)))?;
                self.entry += 1;
                self.note_order(ask, &rows, chosen, pointer);
                Ok(rows)
            }
            None if self.may_miss() => {
                let rows = self.rows(ask, None)?;
                self.note_order(ask, &rows, true, None);
                Ok(rows)
            }
            None => match (
                &mut self.seeded,
                self.table.tape.is_none_or(|tape| tape.entries.len() <= self.entry),
            ) {
                (Some(seeded), true) => {
                    let rows = seeded.shuffle(ask)?;
                    self.note_order(ask, &rows, false, None);
                    Ok(rows)
                }
                (_, true) => Err(self.exhausted(ask)),
                (_, false) => {
                    Err(self.mismatch(ask, "the entry is not an order of the whole deck"))
                }
            },
        }
    }
}
