//! How each event changes the state.
//!
//! Must not refuse anything: what happens has been decided.

use super::{AlarmCause, DrawCause, Event, Who};
use crate::action::Side;
use crate::rulebook::{
    AfterCombat, Combats, Defence, Draws, Fleeing, FreedMoves, LastPirates, Liberation, PoolRead,
    Raises, Reduced, Returned, Shot, ShotCards, SoonestSend, Survivors,
};
use crate::setup::{PIRATE_UNITS, Setup};
use crate::state::{Arrival, Ended, NONE, Place, Stage, State, Unit, Units, count};
use crate::tables::{CARDS, UNITS};

/// Changes the state by one event.
pub(crate) fn apply(setup: &Setup, state: &mut State, event: &Event) {
    match *event {
        Event::Shuffled { side, order } => state.cards[side.index()].order = order,
        Event::Deployed { who, to } => {
            state.place[who.unit.index()] = Place::on(to);
            state.token[who.unit.index()] = who.token;
        }
        Event::CardDrawn { side, row, why } => {
            take_card(setup, state, side, row);
            settle_draw(state, why);
            if why == DrawCause::Reward && setup.rulings.shot_cards == ShotCards::OneCard {
                state.owes_draw = false;
            }
        }
        Event::DeckEmpty { why, .. } => settle_draw(state, why),
        Event::TurnStarted { turn } => {
            state.turn = turn;
            state.spent = [0; UNITS];
            (state.fought, state.freed, state.caught) = (Units::NONE, Units::NONE, Units::NONE);
            state.idle = true;
            (state.phase, state.pool, state.read_case) = (None, 0, 0);
            state.stage = Stage::ChooseCards;
        }
        Event::CardCommitted { side, row } => state.cards[side.index()].committed = row,
        Event::CardsRevealed { rows } => {
            for (cards, row) in state.cards.iter_mut().zip(rows) {
                cards.committed = NONE;
                if let Some(copies) = cards.hand.get_mut(usize::from(row)) {
                    *copies = copies.saturating_sub(1);
                    cards.played = row;
                }
            }
        }
        Event::EffectVoid { .. } | Event::TargetChanged { .. } => {}
        Event::AlarmChanged { to, pool, cause, .. } => {
            (state.case, state.pool) = (to, pool);
            match cause {
                AlarmCause::Reward => state.owes_choice = false,
                AlarmCause::Action => state.raised = setup.rulings.raises == Raises::Once,
                AlarmCause::Rescue { by, captives } => {
                    if state.place[by.unit.index()].area().is_some() {
                        state.revealed.insert(by.unit);
                    }
                    if let Some(arrival) = &mut state.arrival {
                        arrival.waiting = captives;
                    }
                }
                AlarmCause::Card | AlarmCause::Liberation => {}
            }
        }
        Event::PhaseStarted { side, pool } => {
            (state.phase, state.pool) = (Some(side), pool);
            if side == Side::Pirates && setup.rulings.pool_read == PoolRead::TurnStart {
                state.read_case = state.case;
            }
        }
        Event::Landed { who, to, cost } => {
            state.place[who.unit.index()] = Place::on(to);
            state.token[who.unit.index()] = who.token;
            state.spent[who.unit.index()] += cost;
            state.pool = state.pool.saturating_sub(cost);
            state.landed = setup.rulings.last_pirates == LastPirates::MapOnly;
        }
        Event::Moved { who, to, cost, .. } => {
            state.place[who.unit.index()] = Place::on(to);
            state.spent[who.unit.index()] += cost;
            state.pool = state.pool.saturating_sub(cost);
        }
        Event::Arrived { unit, from, area } => {
            state.arrival = Some(Arrival {
                unit: Some(unit),
                from,
                area,
                liberator: None,
                waiting: Units::NONE,
                fought: false,
            });
        }
        Event::Repelled { who, to, .. } => {
            state.place[who.unit.index()] = to;
            let hides = setup.rulings.survivors == Survivors::HideAgain;
            if to == Place::AT_SEA && hides {
                // Off the map it is one of those at sea again.
                state.revealed.remove(who.unit);
            }
            end_attack(state, who.unit);
        }
        Event::Duel { attacker, defender, .. } => {
            for who in [attacker, defender] {
                state.revealed.insert(who.unit);
                if setup.rulings.after_combat == AfterCombat::Stops {
                    state.fought.insert(who.unit);
                }
            }
            if let Some(arrival) = &mut state.arrival {
                arrival.fought = setup.rulings.combats == Combats::One;
            }
        }
        Event::UnitCaptured { who, .. } => {
            state.captive.insert(who.unit);
            if setup.rulings.soonest_send == SoonestSend::NextTurn {
                state.caught.insert(who.unit);
            }
            end_attack(state, who.unit);
        }
        Event::UnitEliminated { who, by, .. } => {
            take_away(state, who.unit, Place::REMOVED);
            end_attack(state, who.unit);
            let pirate = PIRATE_UNITS.contains(who.unit);
            state.owes_draw |= pirate;
            if let Some(arrival) = &mut state.arrival {
                let frees = pirate
                    && setup.rulings.defence == Defence::AlsoDefence
                    && arrival.unit != Some(by.unit)
                    && !setup.arquebusiers.contains(by.unit);
                if frees {
                    arrival.liberator = Some(by.unit);
                } else if arrival.liberator == Some(who.unit) {
                    arrival.liberator = None;
                }
            }
        }
        Event::UnitReduced { who, into, .. } => replace_counter(setup, state, who, into),
        Event::UnitWithdrawn { who, .. } => {
            take_away(state, who.unit, Place::REMOVED);
            state.owes_choice = true;
            if let Some(arrival) = &mut state.arrival
                && arrival.unit == Some(who.unit)
                && setup.rulings.shot == Shot::Yes
            {
                arrival.liberator = Some(who.unit);
            }
            end_attack(state, who.unit);
        }
        Event::UnitFled { who, .. } => {
            take_away(state, who.unit, Place::FLED);
            if who.open && setup.rulings.fleeing == Fleeing::GiuliaOnly {
                state.revealed.insert(who.unit);
            }
            state.owes_draw = true;
        }
        Event::CaptiveSent { who, cost, escort, .. } => {
            take_away(state, who.unit, Place::SERRAGLIO);
            state.captive.remove(who.unit);
            state.pool = state.pool.saturating_sub(cost);
            state.owes_draw = setup.rulings.draws == Draws::AllOptional;
            if let Some(escort) = escort {
                state.spent[escort.unit.index()] += cost;
            }
        }
        Event::UnitLiberated { who, by, .. } => {
            state.captive.remove(who.unit);
            state.caught.remove(who.unit);
            if state.place[by.unit.index()].area().is_some() {
                state.revealed.insert(by.unit);
            }
            if setup.rulings.freed_moves == FreedMoves::No {
                state.freed.insert(who.unit);
            }
            if let Some(arrival) = &mut state.arrival {
                if setup.rulings.liberation == Liberation::OneCaptive {
                    // Nobody frees a second one.
                    (arrival.unit, arrival.liberator) = (None, None);
                    arrival.waiting = Units::NONE;
                }
                arrival.waiting.insert(who.unit);
            }
        }
        Event::UnitRelocated { who, to, .. } => {
            state.place[who.unit.index()] = Place::on(to);
            end_waiting(state, who.unit);
        }
        Event::Stayed { unit } => end_waiting(state, unit),
        Event::ReservePlaced { who, to } => {
            state.place[who.unit.index()] = Place::on(to);
            state.token[who.unit.index()] = who.token;
        }
        Event::DrawDeclined { .. } => state.owes_draw = false,
        Event::Settled => {
            state.arrival = None;
            if setup.rulings.survivors == Survivors::HideAgain {
                state.revealed = state.revealed.minus(state.on_map().minus(state.captive));
            }
        }
        Event::PhaseEnded { .. } => (state.pool, state.raised) = (0, false),
        Event::CardRetired { side, row } => {
            let cards = &mut state.cards[side.index()];
            cards.played = NONE;
            cards.retired[usize::from(row)] += 1;
        }
        Event::CardReturned { side, row } => {
            let cards = &mut state.cards[side.index()];
            cards.played = NONE;
            if setup.rulings.returned == Returned::Bottom {
                cards.order[usize::from(count(&cards.deck))] = row;
            }
            cards.deck[usize::from(row)] += 1;
        }
        Event::GameEnded { winner, reason } => {
            state.ended = Some(Ended { winner, reason });
            state.arrival = None;
            (state.owes_choice, state.owes_draw) = (false, false);
            state.stage = Stage::GameOver;
        }
        Event::Awaited { stage } => (state.stage, state.idle) = (stage, false),
    }
}

/// DRG-9.1 A card leaves the deck for the hand.
fn take_card(setup: &Setup, state: &mut State, side: Side, row: u8) {
    let cards = &mut state.cards[side.index()];
    let row = usize::from(row);
    cards.deck[row] -= 1;
    cards.hand[row] += 1;
    if setup.rulings.returned == Returned::Bottom {
        cards.order.copy_within(1.., 0);
        cards.order[CARDS - 1] = 0;
    }
}

/// What was owed and drawn is owed no longer.
fn settle_draw(state: &mut State, why: DrawCause) {
    match why {
        DrawCause::Start => {}
        DrawCause::Reward => state.owes_choice = false,
        DrawCause::Sent | DrawCause::Earned => state.owes_draw = false,
    }
}

/// A unit leaves the map for good. Everybody knows who is where it goes, so nothing is kept of
/// its having been revealed.
fn take_away(state: &mut State, unit: Unit, to: Place) {
    state.place[unit.index()] = to;
    state.revealed.remove(unit);
}

/// A unit is no longer the one that arrived.
fn end_attack(state: &mut State, unit: Unit) {
    if let Some(arrival) = &mut state.arrival
        && arrival.unit == Some(unit)
    {
        arrival.unit = None;
    }
}

/// A freed unit has its place.
fn end_waiting(state: &mut State, unit: Unit) {
    if let Some(arrival) = &mut state.arrival {
        arrival.waiting.remove(unit);
    }
}

/// DRG-6.9 The replacement inherits area, token, attack and, unless DRG-R38 = `fresh`, points spent.
fn replace_counter(setup: &Setup, state: &mut State, who: Who, into: Unit) {
    let (old, new) = (who.unit, into);
    if old == new {
        state.weakened.insert(old);
        return;
    }
    state.place[new.index()] = state.place[old.index()];
    state.spent[new.index()] = match setup.rulings.reduced {
        Reduced::Inherits => state.spent[old.index()],
        Reduced::Fresh => 0,
    };
    state.token[new.index()] = state.token[old.index()];
    take_away(state, old, Place::REMOVED);
    (state.spent[old.index()], state.token[old.index()]) = (0, 0);
    state.revealed.insert(new);
    if state.fought.contains(old) {
        state.fought.insert(new);
    }
    if let Some(arrival) = &mut state.arrival
        && arrival.unit == Some(old)
    {
        arrival.unit = Some(new);
    }
}
