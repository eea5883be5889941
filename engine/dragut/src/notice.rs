//! What events tell whom, and how an action is written for those who may not know who is who.
//!
//! A notice holds the token in place of an id that the observer may not know (DRG-12.3). What is
//! public of a unit stands in the event: [`announce`] must not look at a state.

use serde::{Deserialize, Serialize};

use super::action::{Action, Side};
use super::ch01_terms::place_name;
use super::ch12_information::{is_public, token_name};
use super::ch13_protocol::unit_named;
use super::event::{AlarmCause, Event, Who};
use super::setup::Setup;
use super::state::{Area, State};
use super::view::Choice;
use umpire_core::game::Observer;
use umpire_core::wire::{Name, present};

/// What one observer learns of a fact. A field naming a unit holds the id where the observer may
/// know it, the token otherwise.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Notice))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// A unit was put into a town.
    Deployed {
        /// The unit.
        unit: Name,
        /// Its token.
        token: Name,
        /// The town.
        to: Name,
    },
    /// A card was drawn.
    CardDrawn {
        /// Who drew.
        side: Side,
        /// The card, for those who may know it.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        card: Option<Name>,
    },
    /// A card should have been drawn, but the deck is empty.
    DeckEmpty {
        /// Whose deck.
        side: Side,
    },
    /// A turn begins.
    TurnStarted {
        /// Its number.
        turn: u32,
    },
    /// A side committed a card or none.
    CardCommitted {
        /// Who.
        side: Side,
        /// The choice, for those who may know it.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        choice: Option<Choice>,
    },
    /// Both choices are shown.
    CardsRevealed {
        /// The pirates' card.
        pirates: Option<Name>,
        /// The Rapalline card.
        rapalline: Option<Name>,
    },
    /// A card changes nothing.
    EffectVoid {
        /// Whose card.
        side: Side,
        /// The card.
        card: Name,
    },
    /// The alarm moves, or its steps are lost.
    AlarmChanged {
        /// The case it was on.
        from: u8,
        /// The case it is on now.
        to: u8,
        /// The steps it should have moved.
        steps: i8,
        /// Points paid for it.
        cost: u8,
        /// The unit that may free one captive for it; told only under DRG-R17 = `one_captive`.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        by: Option<Name>,
    },
    /// A phase begins.
    PhaseStarted {
        /// Whose.
        side: Side,
        /// Points of the phase.
        pool: u8,
    },
    /// A pirate landed.
    Landed {
        /// The unit.
        unit: Name,
        /// Its token.
        token: Name,
        /// The coastal area.
        to: Name,
        /// Points paid.
        cost: u8,
    },
    /// A unit moved.
    Moved {
        /// The unit.
        unit: Name,
        /// Its token.
        token: Name,
        /// The area it left.
        from: Name,
        /// The area it entered, or `at_sea` for an attacker of equal value that goes back.
        to: Name,
        /// Points paid.
        cost: u8,
    },
    /// Two units fight.
    Duel {
        /// The unit that arrived.
        attacker: Name,
        /// Its token.
        attacker_token: Name,
        /// Its value; none for the Arquebusier.
        attacker_value: Option<u8>,
        /// The unit that was there.
        defender: Name,
        /// Its token.
        defender_token: Name,
        /// Its value; none for the Arquebusier.
        defender_value: Option<u8>,
        /// Where.
        area: Name,
    },
    /// A Rapalline unit lost.
    UnitCaptured {
        /// The unit.
        unit: Name,
        /// Where.
        area: Name,
        /// The captor.
        by: Name,
    },
    /// A unit was removed in combat.
    UnitEliminated {
        /// The unit.
        unit: Name,
        /// Where.
        area: Name,
        /// The victor.
        by: Name,
    },
    /// A pirate lost value.
    UnitReduced {
        /// The unit.
        unit: Name,
        /// The counter that takes its place; the same where none is left.
        into: Name,
        /// The value left.
        value: u8,
        /// Where.
        area: Name,
    },
    /// The Arquebusier left after its shot.
    UnitWithdrawn {
        /// The unit.
        unit: Name,
        /// Where.
        area: Name,
    },
    /// A unit reached a hill.
    UnitFled {
        /// The unit.
        unit: Name,
        /// Its token.
        token: Name,
        /// The hill.
        area: Name,
    },
    /// The target is another one.
    TargetChanged {
        /// Units to send.
        target: u8,
    },
    /// A captive went to the Serraglio.
    CaptiveSent {
        /// The unit.
        unit: Name,
        /// Where it was held.
        from: Name,
        /// Points paid.
        cost: u8,
        /// The unit that paid (DRG-R9).
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        escort: Option<Name>,
        /// Units in the Serraglio now.
        serraglio: u8,
    },
    /// A captive was freed.
    UnitLiberated {
        /// The unit.
        unit: Name,
        /// Where.
        area: Name,
        /// The liberator.
        by: Name,
    },
    /// A freed unit found a place.
    UnitRelocated {
        /// The unit.
        unit: Name,
        /// Where it was freed.
        from: Name,
        /// The area it goes to.
        to: Name,
    },
    /// The Soldier in reserve entered.
    ReservePlaced {
        /// The unit.
        unit: Name,
        /// Its token.
        token: Name,
        /// The area.
        to: Name,
    },
    /// A draw was declined.
    DrawDeclined {
        /// Whose; told only if it was the pirates' (DRG-R24 = `all_optional`).
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        side: Option<Side>,
    },
    /// A phase ended.
    PhaseEnded {
        /// Whose.
        side: Side,
        /// Points lost.
        left: u8,
    },
    /// A played card left the game.
    CardRetired {
        /// Whose card.
        side: Side,
        /// The card.
        card: Name,
    },
    /// A played card went back into its deck.
    CardReturned {
        /// Whose card.
        side: Side,
        /// The card.
        card: Name,
    },
    /// The game is over.
    GameEnded {
        /// The winner; `null` only under DRG-R47.
        winner: Option<Side>,
        /// Why.
        reason: Name,
    },
}

/// DRG-12.3 What an observer learns of an event, if anything.
pub(super) fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
    let area = |area: Area| setup.area_id(area);
    let token = |who: Who| token_name(setup.side(who.unit), who.token);
    let own = |who: Who| to.sees(setup.side(who.unit).seat());
    let unit = |who: Who| if own(who) || who.open { setup.unit_id(who.unit) } else { token(who) };
    let card = |side: Side, row: u8| setup.decks[side.index()].ids.get(usize::from(row)).copied();
    Some(match *event {
        Event::Shuffled { .. }
        | Event::Arrived { .. }
        | Event::Stayed { .. }
        | Event::Settled
        | Event::Awaited { .. } => return None,
        Event::Deployed { who, to } => {
            Notice::Deployed { unit: unit(who), token: token(who), to: area(to) }
        }
        Event::CardDrawn { side, row, .. } => {
            Notice::CardDrawn { side, card: card(side, row).filter(|_| to.sees(side.seat())) }
        }
        Event::DeckEmpty { side, .. } => Notice::DeckEmpty { side },
        Event::TurnStarted { turn } => Notice::TurnStarted { turn },
        Event::CardCommitted { side, row } => {
            let choice = Choice { card: card(side, row) };
            Notice::CardCommitted { side, choice: Some(choice).filter(|_| to.sees(side.seat())) }
        }
        Event::CardsRevealed { rows } => Notice::CardsRevealed {
            pirates: card(Side::Pirates, rows[0]),
            rapalline: card(Side::Rapalline, rows[1]),
        },
        Event::EffectVoid { side, row } => Notice::EffectVoid { side, card: card(side, row)? },
        Event::AlarmChanged { from, to, steps, cost, cause, .. } => {
            let by = match cause {
                AlarmCause::Rescue { by, .. } => Some(unit(by)),
                _ => None,
            };
            Notice::AlarmChanged { from, to, steps, cost, by }
        }
        Event::PhaseStarted { side, pool } => Notice::PhaseStarted { side, pool },
        Event::Landed { who, to, cost } => {
            Notice::Landed { unit: unit(who), token: token(who), to: area(to), cost }
        }
        Event::Moved { who, from, to, cost } => Notice::Moved {
            unit: unit(who),
            token: token(who),
            from: area(from),
            to: area(to),
            cost,
        },
        Event::Repelled { who, from, to } => Notice::Moved {
            unit: unit(who),
            token: token(who),
            from: area(from),
            to: place_name(setup, to),
            cost: 0,
        },
        Event::Duel { attacker, defender, values, area: here, .. } => Notice::Duel {
            attacker: unit(attacker),
            attacker_token: token(attacker),
            attacker_value: values[0],
            defender: unit(defender),
            defender_token: token(defender),
            defender_value: values[1],
            area: area(here),
        },
        Event::UnitCaptured { who, area: here, by } => {
            Notice::UnitCaptured { unit: unit(who), area: area(here), by: unit(by) }
        }
        Event::UnitEliminated { who, area: here, by } => {
            Notice::UnitEliminated { unit: unit(who), area: area(here), by: unit(by) }
        }
        Event::UnitReduced { who, into, value, area: here } => Notice::UnitReduced {
            unit: unit(who),
            into: setup.unit_id(into),
            value,
            area: area(here),
        },
        Event::UnitWithdrawn { who, area: here } => {
            Notice::UnitWithdrawn { unit: unit(who), area: area(here) }
        }
        Event::UnitFled { who, area: here } => {
            Notice::UnitFled { unit: unit(who), token: token(who), area: area(here) }
        }
        Event::TargetChanged { target } => Notice::TargetChanged { target },
        Event::CaptiveSent { who, from, cost, escort, serraglio } => Notice::CaptiveSent {
            unit: unit(who),
            from: area(from),
            cost,
            // A unit at sea has no token to go by (DRG-R37).
            escort: escort.filter(|who| own(*who) || who.open || who.token > 0).map(unit),
            serraglio,
        },
        Event::UnitLiberated { who, area: here, by } => {
            Notice::UnitLiberated { unit: unit(who), area: area(here), by: unit(by) }
        }
        Event::UnitRelocated { who, from, to } => {
            Notice::UnitRelocated { unit: unit(who), from: area(from), to: area(to) }
        }
        Event::ReservePlaced { who, to } => {
            Notice::ReservePlaced { unit: unit(who), token: token(who), to: area(to) }
        }
        Event::DrawDeclined { side } => {
            Notice::DrawDeclined { side: Some(side).filter(|&side| side == Side::Pirates) }
        }
        Event::PhaseEnded { side, left } => Notice::PhaseEnded { side, left },
        Event::CardRetired { side, row } => Notice::CardRetired { side, card: card(side, row)? },
        Event::CardReturned { side, row } => Notice::CardReturned { side, card: card(side, row)? },
        Event::GameEnded { winner, reason } => {
            Notice::GameEnded { winner, reason: Name::new(reason.name()).unwrap_or_default() }
        }
    })
}

/// DRG-12.3 The same action with the token in place of an id that not everybody knows.
pub(super) fn redacted(setup: &Setup, state: &State, action: &Action) -> Action {
    action.renamed(|name| {
        if let Some(unit) = unit_named(setup, state, name)
            && !is_public(setup, state, unit)
            && state.token[unit.index()] > 0
        {
            *name = token_name(setup.side(unit), state.token[unit.index()]);
        }
    })
}
