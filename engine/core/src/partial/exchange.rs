//! Cards that were drawn unseen, taken to have been others: so that something goes without saying where it was left out.
//!
//! A guess like any other: the world is made anew, step by step, and everything that was found of it must still hold.
//! Must not change what is written down.

use std::sync::Arc;

use super::guess::{Fallen, agrees};
use super::search::{Case, Sent};
use super::wants::{Deck, place};
use super::world::{Done, Step, World};
use crate::chance::tape::Tape;
use crate::chance::{Entry, EntryOf};
use crate::game::{Exchange, Game, Keep, Table};
use crate::record;

/// The world with other cards in a hand, in which what was left out goes without saying; nothing where that cannot be,
/// or was not found.
pub(super) fn exchanged<G: Game>(
    case: &Case<'_, G>,
    world: &World<G>,
    omission: usize,
    at: usize,
) -> Option<World<G>> {
    if world.seeded.is_some() {
        return None;
    }
    let wanted = G::exchange(&case.setup, world.table.state(), omission)?;
    let steps = world.steps();
    let mut fallen: Vec<Vec<Fallen>> = steps.iter().map(|step| step.fallen.clone()).collect();
    let mut held = world.held.clone();
    let decks = case.wants.decks();
    let (stream, deck) = decks.iter().enumerate().find(|(_, deck)| deck.side == wanted.side)?;
    let Exchange { out, mut into, .. } = wanted;
    let row_of = |card: &String| deck.names.iter().position(|name| name == card);
    for card in out {
        let row = row_of(&card)?;
        *place(&mut held, stream, row, deck.names.len()) -= 1;
        let other = likeliest(deck, &into, &held[stream], (at, world.entry))?;
        into.swap_remove(into.iter().position(|it| *it == other)?);
        *place(&mut held, stream, row_of(&other)?, deck.names.len()) += 1;
        replace(case, &mut fallen, &deck.side, &card, &other)?;
    }
    let table = made_anew(case, world, &steps, &fallen)?;
    G::omitted(&case.setup, table.state(), omission)?;
    let mut trail = None;
    for (step, fallen) in steps.iter().zip(fallen) {
        let step = Step { before: trail, done: step.done.clone(), fallen };
        trail = Some(Arc::new(step));
    }
    Some(World { table, held, trail, rank: world.rank + 1, ..world.clone() })
}

/// Of these cards the one that is named soonest and not held, or else of which most is to spare.
fn likeliest(
    deck: &Deck,
    cards: &[String],
    held: &Vec<i32>,
    place: (usize, usize),
) -> Option<String> {
    let mut counts = vec![0_u8; deck.names.len()];
    for card in cards {
        counts[deck.names.iter().position(|name| name == card)?] += 1;
    }
    let mut rows: Vec<u32> =
        (0..counts.len() as u32).filter(|&row| counts[row as usize] > 0).collect();
    deck.order(&mut rows, &counts, Some(held), place);
    rows.first().map(|&row| deck.names[row as usize].clone())
}

/// Lets the last such card that nobody wrote down be another.
fn replace<G: Game>(
    case: &Case<'_, G>,
    fallen: &mut [Vec<Fallen>],
    side: &str,
    card: &str,
    other: &str,
) -> Option<()> {
    for fell in fallen.iter_mut().flatten().rev().filter(|fell| fell.chosen) {
        let EntryOf::Draw(draw) = &fell.entry else { continue };
        if draw.side != side || draw.card != card {
            continue;
        }
        let mut draw = draw.clone();
        draw.card = other.to_owned().into();
        let entry: Entry = EntryOf::Draw(draw);
        let tape = case.partial.tape.iter().flat_map(|tape| &tape.entries);
        let mut written = tape.filter(|it| Some(&it.pointer) == fell.pointer.as_ref());
        if written.all(|it| agrees(&it.fell, &entry)) {
            fell.entry = entry;
            return Some(());
        }
    }
    None
}

/// The table after these steps, if each of them can still be, and what was left out still goes without saying.
fn made_anew<G: Game>(
    case: &Case<'_, G>,
    world: &World<G>,
    steps: &[Arc<Step>],
    fallen: &[Vec<Fallen>],
) -> Option<Table<G>> {
    let entries: Vec<Entry> = fallen.iter().flatten().map(|fell| fell.entry.clone()).collect();
    let mut tape = Tape::new(&entries);
    let setup = case.setup.clone();
    let mut table = match &world.position {
        None => Table::open(setup, &mut tape, Keep::Nothing),
        Some(state) => Table::resume(setup, (**state).clone(), &mut tape, Keep::Nothing),
    };
    for step in steps {
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
                if G::omitted(&case.setup, now.state(), known).as_ref() != Some(&action) {
                    return None;
                }
                now.play(&action, &mut tape).ok()?;
            }
        }
        table = Ok(now);
    }
    table.ok().filter(|_| tape.left() == 0)
}
