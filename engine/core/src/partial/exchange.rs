//! Cards that were drawn unseen, taken to have been others: so that something goes without saying where it was left out.
//!
//! Every card that is named later must have been drawn before, and since then nothing may have been left out that does not
//! go without saying with it in the hand. So each naming has a stretch of time in which its card was drawn, and the draws
//! are given out in their order, each to the naming whose time ends first. A draw that no naming needs is a card that may
//! stay.
//!
//! A guess like any other: the world is made anew, step by step, and everything that was found of it must still hold.
//! Must not change what is written down.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Case, Sent};
use super::guess::{Fallen, agrees};
use super::wants::{Deck, place};
use super::world::{Done, Step, World};
use super::written::Fell;
use crate::chance::tape::Tape;
use crate::chance::{Entry, EntryOf};
use crate::game::{FullGame, Idle, Keep, Table};
use crate::record;

/// The world with other cards drawn, in which what was left out goes without saying; nothing where that cannot be, or was
/// not found.
pub(super) fn exchanged<G: FullGame>(
    case: &Case<'_, G>,
    world: &World<G>,
    omission: usize,
    at: usize,
) -> Option<World<G>> {
    if world.seeded.is_some() {
        return None;
    }
    let now = G::list_idle(&case.setup, world.table.state(), omission)?;
    let steps = world.steps();
    let had: Vec<Vec<Fallen>> = steps.iter().map(|step| step.fallen.clone()).collect();
    let decks = case.wants.decks();
    let (stream, deck) = decks.iter().enumerate().find(|(_, deck)| deck.side == now.side)?;
    let (_, mut idle) = made_anew(case, world, &steps, &had)?;
    idle.retain(|(_, idle)| idle.side == now.side);
    idle.push((steps.len(), now));
    let tape = case.partial.tape.iter().flat_map(|tape| &tape.entries);
    let written = tape.map(|it| (it.pointer.as_str(), &it.fell)).collect();
    let round = Round { deck, steps: &steps, at, entry: world.entry, idle, written };
    let fallen = round.dealt(&had)?;
    let (table, _) = made_anew(case, world, &steps, &fallen)?;
    G::fill_omission(&case.setup, table.state(), omission)?;
    let mut held = world.held.clone();
    let rows = deck.names.len();
    let falls = had.iter().flatten().zip(fallen.iter().flatten());
    for (had, has) in falls {
        if let (Some(had), Some(has)) = (row_of(deck, &had.entry), row_of(deck, &has.entry)) {
            *place(&mut held, stream, had, rows) -= 1;
            *place(&mut held, stream, has, rows) += 1;
        }
    }
    let mut trail = None;
    for (step, fallen) in steps.iter().zip(fallen) {
        let step = Step { before: trail, done: step.done.clone(), fallen };
        trail = Some(Arc::new(step));
    }
    Some(World { table, held, trail, rank: world.rank + 1, ..world.clone() })
}

/// Which card of this deck an entry is, if it is a draw from it.
fn row_of(deck: &Deck, entry: &Entry) -> Option<usize> {
    match entry {
        EntryOf::Draw(draw) if draw.side == deck.side => {
            deck.names.iter().position(|name| draw.card == name.as_str())
        }
        _ => None,
    }
}

/// The draws of one side so far, to be given out.
struct Round<'r, 'a> {
    deck: &'r Deck,
    steps: &'r [Arc<Step>],
    /// The action of the record that is next, and the entry of its tape.
    at: usize,
    entry: usize,
    /// Before which steps something was left out, and the cards with which that goes without saying.
    idle: Vec<(usize, Idle)>,
    /// What is written down of each draw, by its place in the record.
    written: BTreeMap<&'a str, &'a Fell>,
}

impl Round<'_, '_> {
    /// What fell, with other cards.
    fn dealt(&self, had: &[Vec<Fallen>]) -> Option<Vec<Vec<Fallen>>> {
        let deck = self.deck;
        let mut named: Vec<Vec<usize>> = (0..deck.names.len()).map(|row| self.named(row)).collect();
        named.iter_mut().for_each(|times| times.reverse());
        let mut left: Vec<i32> = deck.totals.iter().map(|&count| count as i32).collect();
        let known: Vec<i32> =
            (0..left.len()).map(|row| deck.known_later(row, self.entry) as i32).collect();
        let mut fallen = had.to_vec();
        let mut stay = Vec::new();
        for (step, falls) in fallen.iter_mut().enumerate() {
            for (number, fell) in falls.iter_mut().enumerate() {
                if row_of(deck, &fell.entry).is_none() {
                    continue;
                }
                let can = |row: usize| {
                    let lies = |&time: &usize| self.may_lie(row, step, time);
                    left[row] > known[row]
                        && named[row].last().is_some_and(lies)
                        && self.may_be(fell, &deck.names[row])
                };
                let rows = (0..named.len()).filter(|&row| can(row));
                let Some(row) = rows.min_by_key(|&row| named[row].last().copied()) else {
                    stay.push((step, number));
                    continue;
                };
                left[row] -= 1;
                named[row].pop();
                become_card(fell, &deck.names[row]);
            }
        }
        // A naming whose time is over and that has no card cannot be.
        let over = |times: &Vec<usize>| times.last().is_some_and(|&time| time < self.steps.len());
        if named.iter().any(over) {
            return None;
        }
        for (step, number) in stay {
            let fell = &mut fallen[step][number];
            let spare = |row: usize| left[row] - known[row].max(named[row].len() as i32);
            let rows = (0..named.len()).filter(|&row| {
                let lasts = self.may_lie(row, step, usize::MAX);
                spare(row) > 0 && lasts && self.may_be(fell, &deck.names[row])
            });
            let row = rows.max_by_key(|&row| (spare(row), std::cmp::Reverse(row)))?;
            left[row] -= 1;
            become_card(fell, &deck.names[row]);
        }
        Some(fallen)
    }

    /// The steps, and after them the actions that are still to come, that name a card.
    fn named(&self, row: usize) -> Vec<usize> {
        let done = |action: usize| {
            let mut steps = self.steps.iter();
            steps.position(|it| matches!(&it.done, Done::Played { at, .. } if *at == action))
        };
        let places = self.deck.named(row).iter().map(|&action| action as usize);
        let times = places.map(|action| match action.checked_sub(self.at) {
            Some(later) => Some(self.steps.len() + later),
            None => done(action),
        });
        times.flatten().collect()
    }

    /// Whether a card that is drawn at a step may be in the hand until a later one.
    fn may_lie(&self, row: usize, from: usize, to: usize) -> bool {
        let name = &self.deck.names[row];
        let mut between = self.idle.iter().filter(|(step, _)| from < *step && *step <= to);
        from < to && between.all(|(_, idle)| idle.cards.contains(name))
    }

    /// Whether what is written down lets a draw be this card.
    fn may_be(&self, fell: &Fallen, card: &str) -> bool {
        let Some(written) = fell.pointer.as_ref().and_then(|it| self.written.get(it.as_str()))
        else {
            return true;
        };
        let mut other = fell.clone();
        become_card(&mut other, card);
        agrees(written, &other.entry)
    }
}

/// Lets a draw be of another card.
fn become_card(fell: &mut Fallen, card: &str) {
    if let EntryOf::Draw(draw) = &mut fell.entry
        && draw.card != card
    {
        draw.card = card.to_owned().into();
        fell.chosen = true;
    }
}

/// A table, and cards by the step before which they were in the hand.
type Made<G> = (Table<G>, Vec<(usize, Idle)>);

/// The table after these steps, if each of them can still be, and what was left out still goes without saying; and the cards
/// with which it does, by the step before which they were in the hand.
fn made_anew<G: FullGame>(
    case: &Case<'_, G>,
    world: &World<G>,
    steps: &[Arc<Step>],
    fallen: &[Vec<Fallen>],
) -> Option<Made<G>> {
    let mut idle = Vec::new();
    let entries: Vec<Entry> = fallen.iter().flatten().map(|fell| fell.entry.clone()).collect();
    let mut tape = Tape::new(&entries);
    let setup = case.setup.clone();
    let mut table = match &world.position {
        None => Table::open(setup, &mut tape, Keep::Nothing),
        Some(state) => Table::resume(setup, (**state).clone(), &mut tape, Keep::Nothing),
    };
    for (number, step) in steps.iter().enumerate() {
        let mut now = table.ok()?;
        match &step.done {
            Done::Begun => {}
            Done::Played { at, filled } => {
                match (filled, &case.sent[*at]) {
                    (Some(filled), _) => {
                        let action = record::action::<G::Action>(&filled.to_string()).ok()?;
                        now.play(&action, &mut tape).ok()?;
                    }
                    (None, Sent::Known(action)) => now.play(action, &mut tape).ok()?,
                    (None, _) => return None,
                }
                let ply = *at as u32 + 1;
                if case.evidence.count(ply) > 0 && case.evidence.broken(&now, ply) > 0 {
                    return None;
                }
            }
            Done::PutBack { action, omission, .. } => {
                let action = record::action::<G::Action>(&action.to_string()).ok()?;
                let known = G::omissions().iter().position(|it| it.name == *omission)?;
                if G::fill_omission(&case.setup, now.state(), known).as_ref() != Some(&action) {
                    return None;
                }
                idle.extend(G::list_idle(&case.setup, now.state(), known).map(|it| (number, it)));
                now.play(&action, &mut tape).ok()?;
            }
        }
        table = Ok(now);
    }
    table.ok().filter(|_| tape.left() == 0).map(|table| (table, idle))
}
