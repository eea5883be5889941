//! A state that the viewer of a view could be in: what the view hides is drawn at random, as far as he
//! does not remember it.
//!
//! Must not use anything that the view does not show and the viewer does not remember.

use super::given::mark;
use super::memory::Memory;
use crate::action::Side;
use crate::ch01_terms::check_place;
use crate::ch09_draws::GUESSES;
use crate::ch12_information::{token_name, token_number};
use crate::rulebook::{Combats, LastPirates, Returned};
use crate::setup::{DRAGUT_4, PIRATE_2B, Setup};
use crate::state::{
    Arrival, Cards, Ended, Ending, NO_CARD, NONE, Place, Stage, State, Unit, Units, count,
};
use crate::tables::KINDS;
use crate::view::{ArrivalView, Choice, Commitment, Pile, TokenView, View};
use crate::{ch11_end, menu};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::wire::Name;

/// A number below `n`.
fn pick(chance: &mut dyn Chance, n: usize) -> Result<usize, Halt> {
    let what = What::Hidden { n: n.max(1) as u32 };
    Ok(chance.answer(&Ask { stream: GUESSES, what })? as usize)
}

/// A state that the viewer could be in.
pub(crate) fn determinize(
    setup: &Setup,
    view: &View,
    memory: &Memory,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let (mut state, known) = known(setup, view);
    deal(setup, (view, memory), known, &mut state, chance)?;
    Ok(state)
}

/// Another state that the viewer could be in, made of one that [`determinize`] gave: what the view shows is there
/// already.
pub(crate) fn redeal(
    setup: &Setup,
    view: &View,
    memory: &Memory,
    dealt: &State,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut state = *dealt;
    let known = view.units.0.iter().filter_map(|(id, _)| setup.unit(id)).collect();
    deal(setup, (view, memory), known, &mut state, chance)?;
    Ok(state)
}

/// Draws what is hidden until it is plausible, or often enough.
fn deal(
    setup: &Setup,
    seen: (&View, &Memory),
    known: Units,
    state: &mut State,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    const TRIES: usize = 64;
    for _ in 0..TRIES {
        guess(setup, seen, known, state, chance)?;
        if is_plausible(setup, state) {
            break;
        }
    }
    Ok(())
}

/// DRG-4.8 That a phase did not end by itself is known to everybody: it has something to do.
fn is_plausible(setup: &Setup, state: &State) -> bool {
    match (state.stage, state.phase) {
        (Stage::PiratePhase | Stage::RapallinePhase, Some(side)) => {
            menu::has_paid_action(setup, state, side)
        }
        _ => true,
    }
}

/// What the view shows, and the units that it shows.
fn known(setup: &Setup, view: &View) -> (State, Units) {
    let mut state = State::new(setup);
    state.stage = view.state;
    (state.turn, state.case, state.pool) = (view.turn, view.alarm_case, view.pool);
    (state.phase, state.raised) = (view.phase, view.raised);
    state.read_case = view.read_case.unwrap_or(0);
    let known = place_known(setup, view, &mut state);
    state.owes_choice = state.stage == Stage::ArquebusChoice;
    let due = view.arrival.as_ref().is_some_and(|arrival| arrival.draw_due);
    state.owes_draw = due || state.stage == Stage::DrawOffer;
    state.ended = view.outcome.as_ref().and_then(|outcome| {
        let reason = Ending::parse(outcome.reason.as_str())?;
        Some(Ended { winner: outcome.winner, reason })
    });
    (state, known)
}

/// Draws what the view hides, whatever stood there before, and works out what follows from it.
fn guess(
    setup: &Setup,
    (view, memory): (&View, &Memory),
    known: Units,
    state: &mut State,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    let hidden = setup.all.minus(known);
    (state.fought, state.freed) = (state.fought.minus(hidden), state.freed.minus(hidden));
    for unit in hidden.iter() {
        (state.token[unit.index()], state.spent[unit.index()]) = (0, 0);
    }
    for side in Side::BOTH {
        place_hidden(setup, (view, memory), side, known, state, chance)?;
        let cards = &mut state.cards[side.index()];
        *cards = Cards::new(setup, side);
        guess_cards(setup, (view, memory), side, cards, chance)?;
    }
    if setup.rulings.last_pirates == LastPirates::MapOnly {
        let shown = ch11_end::shows_landing(setup, state);
        state.landed = view.landed.unwrap_or(shown);
    }
    if let Some(given) = &view.arrival {
        state.arrival = arrival(setup, state, given);
    }
    Ok(())
}

/// The place of a name that a view gives.
fn place(setup: &Setup, name: &Name) -> Place {
    check_place(setup, name, String::new).unwrap_or(Place::REMOVED)
}

/// The units that the viewer knows. Gives back which.
fn place_known(setup: &Setup, view: &View, state: &mut State) -> Units {
    let mut known = Units::NONE;
    for (id, given) in &view.units.0 {
        let Some(unit) = setup.unit(id) else { continue };
        known.insert(unit);
        state.place[unit.index()] = place(setup, &given.at);
        state.token[unit.index()] = given.token.as_ref().map_or(0, token_number);
        state.spent[unit.index()] = given.spent;
        mark(state, unit, given);
        if given.revealed {
            state.revealed.insert(unit);
        }
    }
    known
}

/// DRG-12.3 The units that the viewer does not know go under the tokens that he sees: first those that he
/// remembers, then those that may not be under every token (or not at sea); the rest follow in random order,
/// and pirates that are left are at sea.
fn place_hidden(
    setup: &Setup,
    (view, memory): (&View, &Memory),
    side: Side,
    known: Units,
    state: &mut State,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    let mut slots: Vec<&(Name, TokenView)> =
        view.tokens.0.iter().filter(|(_, shown)| shown.side == side).collect();
    let hidden = setup.units_of(side).minus(known);
    let mut free: Vec<Unit> = hidden.iter().collect();
    slots.retain(|slot| {
        let seen = memory.under(side, &slot.0);
        let at = free.iter().position(|&unit| Some(unit) == seen);
        at.inspect(|&at| place_under_token(setup, state, free.remove(at), slot)).is_none()
    });
    let doubtful: Vec<Unit> =
        free.iter().copied().filter(|&unit| memory.rules_out_some(unit)).collect();
    for unit in doubtful {
        let fits: Vec<usize> =
            (0..slots.len()).filter(|&at| !memory.rules_out(unit, &slots[at].0)).collect();
        // The other places are at sea.
        let places = fits.len() + free.len().saturating_sub(slots.len());
        let slot = fits.get(pick(chance, places)?);
        if let Some(&at) = slot {
            place_under_token(setup, state, unit, slots.swap_remove(at));
        } else {
            state.place[unit.index()] = Place::AT_SEA;
        }
        free.retain(|&other| other != unit);
    }
    let is_strict = |unit: &Unit| [setup.reserve, setup.giulia, DRAGUT_4, PIRATE_2B].contains(unit);
    let strict: Vec<Unit> = free.iter().copied().filter(is_strict).collect();
    for unit in strict {
        let fits: Vec<usize> =
            (0..slots.len()).filter(|&at| may_be(setup, unit, slots[at])).collect();
        if let Some(&at) = fits.get(pick(chance, fits.len())?) {
            place_under_token(setup, state, unit, slots.swap_remove(at));
            free.retain(|&other| other != unit);
        }
    }
    for slot in slots {
        let at = pick(chance, free.len())?;
        if at < free.len() {
            place_under_token(setup, state, free.swap_remove(at), slot);
        }
    }
    for unit in free {
        state.place[unit.index()] =
            if side == Side::Pirates { Place::AT_SEA } else { Place::RESERVE };
    }
    Ok(())
}

fn place_under_token(
    setup: &Setup,
    state: &mut State,
    unit: Unit,
    (token, shown): &(Name, TokenView),
) {
    state.place[unit.index()] = place(setup, &shown.at);
    state.token[unit.index()] = token_number(token);
    state.spent[unit.index()] = shown.spent;
    if shown.fought {
        state.fought.insert(unit);
    }
    if shown.freed {
        state.freed.insert(unit);
    }
}

/// Whether a hidden unit may be under a token, as far as everybody knows: the last token is
/// the reserve's, and Giulia would have been shown when she fled.
fn may_be(setup: &Setup, unit: Unit, (token, shown): &(Name, TokenView)) -> bool {
    let last = shown.side == Side::Rapalline && token_number(token) == setup.reserve_token();
    let fled = shown.at.as_str() == "fled";
    (unit == setup.reserve) == last && !(fled && unit == setup.giulia)
}

/// The arrival of a view, whose units go by id or token.
fn arrival(setup: &Setup, state: &State, given: &ArrivalView) -> Option<Arrival> {
    let has_token = |unit: &Unit, name: &Name| {
        token_name(setup.side(*unit), state.token[unit.index()]) == *name
    };
    let unit =
        |name: &Name| setup.unit(name).or_else(|| setup.all.iter().find(|it| has_token(it, name)));
    Some(Arrival {
        unit: given.unit.as_ref().and_then(unit),
        from: place(setup, &given.from),
        area: setup.area(&given.area)?,
        liberator: given.liberator.as_ref().and_then(unit),
        waiting: given.freed.iter().filter_map(unit).collect(),
        fought: setup.rulings.combats == Combats::One && state.stage != Stage::ChooseDefender,
    })
}

/// DRG-12.4 Cards that the viewer has not seen are drawn from those that are left.
fn guess_cards(
    setup: &Setup,
    (view, memory): (&View, &Memory),
    side: Side,
    cards: &mut Cards,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    let row = |id: &Name| setup.card(side, id).unwrap_or(0);
    let mut left = setup.decks[side.index()].copies;
    for id in view.retired.get(side) {
        cards.retired[usize::from(row(id))] += 1;
        left[usize::from(row(id))] -= 1;
    }
    if let Some(id) = view.played.get(side) {
        cards.played = row(id);
        left[usize::from(row(id))] -= 1;
    }
    match view.hands.get(side) {
        Pile::Open(hand) => {
            for id in hand {
                cards.hand[usize::from(row(id))] += 1;
                left[usize::from(row(id))] -= 1;
            }
        }
        Pile::Closed(size) => {
            let remembered = memory.hand(side, *size, &left, &mut |n| pick(chance, n))?;
            for (row, copies) in remembered.into_iter().flatten().enumerate() {
                cards.hand[row] = copies;
                left[row] -= copies;
            }
            for _ in count(&cards.hand)..*size {
                let row = pick_card(chance, &left)?;
                cards.hand[row] += 1;
                left[row] -= 1;
            }
        }
    }
    cards.deck = left;
    if setup.rulings.returned == Returned::Bottom {
        match view.decks.get(side) {
            Pile::Open(order) => {
                for (slot, id) in cards.order.iter_mut().zip(order) {
                    *slot = row(id);
                }
            }
            Pile::Closed(size) => {
                let lower = memory.lower_end(side);
                let unknown = usize::from(*size).saturating_sub(lower.len());
                for (slot, &row) in cards.order[unknown..].iter_mut().zip(lower) {
                    *slot = row;
                    left[usize::from(row)] = left[usize::from(row)].saturating_sub(1);
                }
                for at in 0..unknown {
                    let row = pick_card(chance, &left)?;
                    left[row] -= 1;
                    cards.order[at] = row as u8;
                }
            }
        }
    }
    cards.committed = match view.committed.as_ref().map(|both| *both.get(side)) {
        None | Some(Commitment::Made(false)) => NONE,
        Some(Commitment::Open(Choice { card })) => card.map_or(NO_CARD, |id| row(&id)),
        Some(Commitment::Made(true)) => {
            // Each kind in hand, or none.
            let held = cards.hand.iter().enumerate().filter(|&(_, &copies)| copies > 0);
            let kinds: Vec<u8> = held.map(|(row, _)| row as u8).collect();
            kinds.get(pick(chance, kinds.len() + 1)?).copied().unwrap_or(NO_CARD)
        }
    };
    Ok(())
}

/// The row of a random card of a pile.
fn pick_card(chance: &mut dyn Chance, left: &[u8; KINDS]) -> Result<usize, Halt> {
    let mut at = pick(chance, usize::from(count(left)))?;
    for (row, &copies) in left.iter().enumerate() {
        if at < usize::from(copies) {
            return Ok(row);
        }
        at -= usize::from(copies);
    }
    Ok(0)
}
