//! Facts, and how they change a state.
//!
//! An [`Event`] is the whole truth and never goes out; what an observer learns of it is built by
//! [`super::notice`]. The only function that changes a state is [`apply`].

use super::rulebook::{
    AfterCombat, Defence, Fleeing, FreedMoves, PoolRead, Raises, Returned, Shot, Survivors,
};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Area, Arrival, Ended, NONE, Place, Reason, State, Step, Unit, Units, count};
use super::tables::{CARDS, Side, UNITS};

/// A unit in an event: its token, and whether everybody knows who it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Who {
    /// The unit.
    pub unit: Unit,
    /// Its token's number, 0 for none.
    pub token: u8,
    /// Whether its identity is public.
    pub open: bool,
}

impl Who {
    /// The unit as it is known now.
    pub fn now(state: &State, unit: Unit) -> Who {
        Who { unit, token: state.token[unit.at()], open: state.revealed.contains(unit) }
    }

    /// The unit, shown to everybody.
    pub fn shown(state: &State, unit: Unit) -> Who {
        Who { unit, token: state.token[unit.at()], open: true }
    }
}

/// Why a card is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The starting hand.
    Start,
    /// A unit was sent.
    Sent,
    /// The Arquebusier's reward.
    Reward,
    /// A pirate was removed, or a unit reached a hill.
    Earned,
}

/// Why the alarm moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A card, or two whose steps are summed.
    Card,
    /// Freed units.
    Liberation,
    /// The Arquebusier's reward.
    Reward,
    /// The raise action.
    Action,
}

/// One fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A deck lies in this order (DRG-R27).
    Shuffled {
        /// Whose.
        side: Side,
        /// The order as rows, top first.
        order: [u8; CARDS],
    },
    /// A unit was put into a town.
    Deployed {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
    },
    /// A card was drawn.
    CardDrawn {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
        /// Why.
        why: Why,
    },
    /// A card should have been drawn, but the deck is empty.
    DeckEmpty {
        /// Whose.
        side: Side,
        /// Why.
        why: Why,
    },
    /// A turn begins.
    TurnStarted {
        /// Its number.
        turn: u32,
    },
    /// A side committed a card or none.
    CardCommitted {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// Both choices are shown.
    CardsRevealed {
        /// The pirates' and the Rapalline card, or none.
        rows: [u8; 2],
    },
    /// A card changes nothing.
    EffectVoid {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// The alarm moves, or its steps are lost.
    AlarmChanged {
        /// Where it was.
        from: u8,
        /// Where it goes.
        to: u8,
        /// The steps it should have moved.
        steps: i8,
        /// Points paid.
        cost: u8,
        /// The pool then.
        pool: u8,
        /// Why.
        cause: Cause,
    },
    /// A phase begins.
    PhaseStarted {
        /// Whose.
        side: Side,
        /// The pool then.
        pool: u8,
    },
    /// A pirate landed.
    Landed {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
        /// Points paid.
        cost: u8,
    },
    /// A unit moved.
    Moved {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Area,
        /// Points paid.
        cost: u8,
    },
    /// A unit arrived among enemies or captives: combat or liberation follows.
    Arrived {
        /// The unit.
        unit: Unit,
        /// Where it was.
        from: Place,
        /// Where.
        area: Area,
    },
    /// An attacker of equal value goes back.
    Repelled {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Place,
    },
    /// Two units fight; no value for the Arquebusier.
    Duel {
        /// The unit that arrived.
        attacker: Who,
        /// The unit that was there.
        defender: Who,
        /// Their values.
        values: [Option<u8>; 2],
        /// Where.
        area: Area,
    },
    /// A Rapalline unit lost.
    UnitCaptured {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A unit was removed in combat.
    UnitEliminated {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A pirate lost value, and its counter is replaced if there is one.
    UnitReduced {
        /// The unit.
        who: Who,
        /// The counter that takes its place.
        into: Unit,
        /// The value left.
        value: u8,
        /// Where.
        area: Area,
    },
    /// The Arquebusier left after its shot.
    UnitWithdrawn {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
    },
    /// A unit reached a hill.
    UnitFled {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
    },
    /// The target is another one.
    TargetChanged {
        /// Units to send.
        target: u8,
    },
    /// A captive went to the Serraglio.
    CaptiveSent {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Points paid.
        cost: u8,
        /// The unit that paid (DRG-R9).
        escort: Option<Who>,
        /// Units in the Serraglio then.
        serraglio: u8,
    },
    /// A captive was freed.
    UnitLiberated {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A freed unit found a place.
    UnitRelocated {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Area,
    },
    /// A freed unit found none and stays.
    Stayed {
        /// The unit.
        unit: Unit,
    },
    /// The Soldier in reserve entered.
    ReservePlaced {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
    },
    /// A draw was declined.
    DrawDeclined,
    /// An arrival is resolved; survivors hide.
    Settled,
    /// A phase ended.
    PhaseEnded {
        /// Whose.
        side: Side,
        /// Points lost.
        left: u8,
    },
    /// A played card left the game.
    CardRetired {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// A played card went back.
    CardReturned {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// The game is over.
    GameEnded {
        /// The winner.
        winner: Side,
        /// Why.
        reason: Reason,
    },
    /// A decision is pending.
    Asked {
        /// Which.
        step: Step,
    },
}

/// Changes the state by one fact.
pub fn apply(setup: &Setup, state: &mut State, event: &Event) {
    match *event {
        Event::Shuffled { side, order } => state.cards[side.at()].order = order,
        Event::Deployed { who, to } => {
            state.place[who.unit.at()] = Place::on(to);
            state.token[who.unit.at()] = who.token;
        }
        Event::CardDrawn { side, row, why } => {
            draw(setup, state, side, row);
            drawn(state, why);
        }
        Event::DeckEmpty { why, .. } => drawn(state, why),
        Event::TurnStarted { turn } => {
            state.turn = turn;
            state.spent = [0; UNITS];
            (state.fought, state.freed) = (Units::NONE, Units::NONE);
            (state.phase, state.pool, state.read_case) = (None, 0, 0);
            state.step = Step::ChooseCards;
        }
        Event::CardCommitted { side, row } => state.cards[side.at()].committed = row,
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
                Cause::Reward => state.owes_choice = false,
                Cause::Action => state.raised = setup.rulings.raises == Raises::Once,
                Cause::Card | Cause::Liberation => {}
            }
        }
        Event::PhaseStarted { side, pool } => {
            (state.phase, state.pool) = (Some(side), pool);
            if side == Side::Pirates && setup.rulings.pool_read == PoolRead::TurnStart {
                state.read_case = state.case;
            }
        }
        Event::Landed { who, to, cost } => {
            state.place[who.unit.at()] = Place::on(to);
            state.token[who.unit.at()] = who.token;
            state.spent[who.unit.at()] += cost;
            state.pool = state.pool.saturating_sub(cost);
        }
        Event::Moved { who, to, cost, .. } => {
            state.place[who.unit.at()] = Place::on(to);
            state.spent[who.unit.at()] += cost;
            state.pool = state.pool.saturating_sub(cost);
        }
        Event::Arrived { unit, from, area } => {
            state.arrival = Some(Arrival {
                unit: Some(unit),
                from,
                area,
                liberator: None,
                waiting: Units::NONE,
            });
        }
        Event::Repelled { who, to, .. } => {
            state.place[who.unit.at()] = to;
            let hides = setup.rulings.survivors == Survivors::HideAgain;
            if to == Place::AT_SEA && hides {
                // Off the map it is one of those at sea again.
                state.revealed.remove(who.unit);
            }
            leave(state, who.unit);
        }
        Event::Duel { attacker, defender, .. } => {
            for who in [attacker, defender] {
                state.revealed.insert(who.unit);
                if setup.rulings.after_combat == AfterCombat::Stops {
                    state.fought.insert(who.unit);
                }
            }
        }
        Event::UnitCaptured { who, .. } => {
            state.captive.insert(who.unit);
            leave(state, who.unit);
        }
        Event::UnitEliminated { who, by, .. } => {
            take_away(state, who.unit, Place::REMOVED);
            leave(state, who.unit);
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
        Event::UnitReduced { who, into, .. } => reduce(state, who, into),
        Event::UnitWithdrawn { who, .. } => {
            take_away(state, who.unit, Place::REMOVED);
            state.owes_choice = true;
            if let Some(arrival) = &mut state.arrival
                && arrival.unit == Some(who.unit)
                && setup.rulings.shot == Shot::Yes
            {
                arrival.liberator = Some(who.unit);
            }
            leave(state, who.unit);
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
            if let Some(escort) = escort {
                state.spent[escort.unit.at()] += cost;
            }
        }
        Event::UnitLiberated { who, by, .. } => {
            state.captive.remove(who.unit);
            if state.place[by.unit.at()].area().is_some() {
                state.revealed.insert(by.unit);
            }
            if setup.rulings.freed_moves == FreedMoves::No {
                state.freed.insert(who.unit);
            }
            if let Some(arrival) = &mut state.arrival {
                arrival.waiting.insert(who.unit);
            }
        }
        Event::UnitRelocated { who, to, .. } => {
            state.place[who.unit.at()] = Place::on(to);
            placed(state, who.unit);
        }
        Event::Stayed { unit } => placed(state, unit),
        Event::ReservePlaced { who, to } => {
            state.place[who.unit.at()] = Place::on(to);
            state.token[who.unit.at()] = who.token;
        }
        Event::DrawDeclined => state.owes_draw = false,
        Event::Settled => {
            state.arrival = None;
            if setup.rulings.survivors == Survivors::HideAgain {
                state.revealed = state.revealed.minus(state.on_map().minus(state.captive));
            }
        }
        Event::PhaseEnded { .. } => (state.pool, state.raised) = (0, false),
        Event::CardRetired { side, row } => {
            let cards = &mut state.cards[side.at()];
            cards.played = NONE;
            cards.retired[usize::from(row)] += 1;
        }
        Event::CardReturned { side, row } => {
            let cards = &mut state.cards[side.at()];
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
            state.step = Step::GameOver;
        }
        Event::Asked { step } => state.step = step,
    }
}

fn draw(setup: &Setup, state: &mut State, side: Side, row: u8) {
    let cards = &mut state.cards[side.at()];
    let row = usize::from(row);
    cards.deck[row] -= 1;
    cards.hand[row] += 1;
    if setup.rulings.returned == Returned::Bottom {
        cards.order.copy_within(1.., 0);
        cards.order[CARDS - 1] = 0;
    }
}

fn drawn(state: &mut State, why: Why) {
    match why {
        Why::Start | Why::Sent => {}
        Why::Reward => state.owes_choice = false,
        Why::Earned => state.owes_draw = false,
    }
}

/// A unit leaves the map for good. Everybody knows who is where it goes, so nothing is kept of
/// its having been revealed.
fn take_away(state: &mut State, unit: Unit, to: Place) {
    state.place[unit.at()] = to;
    state.revealed.remove(unit);
}

/// A unit is no longer the one that arrived.
fn leave(state: &mut State, unit: Unit) {
    if let Some(arrival) = &mut state.arrival
        && arrival.unit == Some(unit)
    {
        arrival.unit = None;
    }
}

/// A freed unit has its place.
fn placed(state: &mut State, unit: Unit) {
    if let Some(arrival) = &mut state.arrival {
        arrival.waiting.remove(unit);
    }
}

/// DRG-6.9: the replacement inherits area, token, points spent and the attack.
fn reduce(state: &mut State, who: Who, into: Unit) {
    let (old, new) = (who.unit, into);
    if old == new {
        state.weakened.insert(old);
        return;
    }
    state.place[new.at()] = state.place[old.at()];
    state.spent[new.at()] = state.spent[old.at()];
    state.token[new.at()] = state.token[old.at()];
    take_away(state, old, Place::REMOVED);
    (state.spent[old.at()], state.token[old.at()]) = (0, 0);
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
