//! DRG-12.1 Who sees what of the state (part E).
//!
//! A view is built field by field from what its observer may know. Must not decide anything.

mod parts;
#[cfg(feature = "schema")]
mod schemas;
mod sides;

pub(super) use parts::{ArrivalView, Choice, Commitment, OutcomeView, Pile, TokenView, UnitView};
#[cfg(feature = "schema")]
pub(super) use schemas::{CardLists, CardPair, Commitments, Piles};
pub(super) use sides::{BySide, Named};

use serde::{Deserialize, Serialize};

use super::action::Side;
use super::ch01_terms::place_name;
use super::ch12_information::{is_public, token_name};
use super::rulebook::{LastPirates, Returned};
use super::setup::{PIRATE_UNITS, Setup, UnitKind};
use super::state::{Arrival, NONE, Place, Stage, State, Unit, count};
use super::tables::{KINDS, UNITS};
use super::{ch06_combat, ch11_end};
use parts::unset;
use umpire_core::game::Observer;
use umpire_core::wire::{Name, present};

/// What one observer knows of the state. Fields stand in alphabetical order, which is canonical.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::View))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The alarm case, the first being 1.
    pub alarm_case: u8,
    /// The combat or liberation that is not finished.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub arrival: Option<ArrivalView>,
    /// How many pirates are at sea, for those who do not know which.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub at_sea: Option<u8>,
    /// What was committed, while cards are chosen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Commitments, required = false))]
    pub committed: Option<BySide<Commitment>>,
    /// The decks: sizes, since nobody knows an order; for the referee the order under
    /// DRG-R27 = `bottom`.
    #[cfg_attr(feature = "schema", schema(value_type = Piles))]
    pub decks: BySide<Pile>,
    /// The hands, a committed card included.
    #[cfg_attr(feature = "schema", schema(value_type = Piles))]
    pub hands: BySide<Pile>,
    /// Whether a pirate unit has landed; told only under DRG-R8 = `map_only`, and only where the
    /// units do not show it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub landed: Option<bool>,
    /// How the game ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<OutcomeView>,
    /// Whose phase it is; `null` outside the two phases.
    pub phase: Option<Side>,
    /// Cards in effect.
    #[cfg_attr(feature = "schema", schema(value_type = CardPair))]
    pub played: BySide<Option<Name>>,
    /// Points left in the phase.
    pub pool: u8,
    /// The alarm was raised by an action this phase; told only under DRG-R30 = `once`.
    #[serde(default, skip_serializing_if = "unset")]
    pub raised: bool,
    /// The case read after the reveal; told only under DRG-R10 = `turn_start`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub read_case: Option<u8>,
    /// Cards out of the game.
    #[cfg_attr(feature = "schema", schema(value_type = CardLists))]
    pub retired: BySide<Vec<Name>>,
    /// The pending decision.
    pub state: Stage,
    /// Units that the Serraglio must hold for the pirates to win.
    pub target: u8,
    /// The other units on the map or fled, by token.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<String, TokenView>, required = false))]
    pub tokens: Named<TokenView>,
    /// The turn, 0 before the first.
    pub turn: u32,
    /// The units that the observer knows, by id.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<umpire_core::wire::Name, UnitView>))]
    pub units: Named<UnitView>,
}

impl View {
    /// Puts aside the marks that are told only because one reading looks at them.
    pub(super) fn put_books_aside(&mut self) {
        (self.landed, self.raised, self.read_case) = (None, false, None);
        // DRG-12.3 A unit that has fled and is known by id is public, whether its counter lies open or not.
        let fled = Name::new("fled");
        let gone = [fled, Name::new("removed"), Name::new("serraglio")];
        for (_, unit) in &mut self.units.0 {
            unit.revealed &= Some(unit.at) != fled;
            // DRG-5.3 Only a unit on the map could go on after a fight.
            unit.fought &= !gone.contains(&Some(unit.at));
        }
        // DRG-7.7 Where nobody is captive nobody is freed.
        if let Some(arrival) = &mut self.arrival
            && !self.units.0.iter().any(|(_, unit)| unit.captive && unit.at == arrival.area)
        {
            arrival.liberator = None;
        }
    }
}

/// DRG-12.3, DRG-12.4 What an observer knows of the state.
pub(super) fn view(setup: &Setup, state: &State, to: Observer) -> View {
    let (units, tokens) = units_view(setup, state, to);
    let cards = &state.cards;
    View {
        turn: state.turn,
        state: state.stage,
        phase: state.phase,
        pool: state.pool,
        alarm_case: state.case,
        read_case: Some(state.read_case).filter(|&case| case > 0),
        raised: state.raised,
        landed: landed_view(setup, state),
        target: ch11_end::target(setup, state),
        units,
        tokens,
        at_sea: at_sea_view(state, to),
        hands: BySide::of(|side| hand_view(setup, state, side, to)),
        decks: BySide::of(|side| deck_view(setup, state, side, to)),
        retired: BySide::of(|side| list_cards(setup, side, &cards[side.index()].retired)),
        played: BySide::of(|side| card_id(setup, side, cards[side.index()].played)),
        committed: (state.stage == Stage::ChooseCards)
            .then(|| BySide::of(|side| commitment_view(setup, state, side, to))),
        arrival: state.arrival.map(|arrival| arrival_view(setup, state, arrival, to)),
        outcome: state.ended.map(|ended| OutcomeView {
            winner: ended.winner,
            reason: Name::new(ended.reason.name()).unwrap_or_default(),
        }),
    }
}

/// DRG-R8 = `map_only`: whether a pirate unit has landed, where the units do not show it.
fn landed_view(setup: &Setup, state: &State) -> Option<bool> {
    let asked = setup.rulings.last_pirates == LastPirates::MapOnly;
    let hidden = ch11_end::shows_landing(setup, state) != state.landed;
    (asked && hidden).then_some(state.landed)
}

/// DRG-12.3 Whether an observer knows who a unit is.
fn is_known(setup: &Setup, state: &State, unit: Unit, to: Observer) -> bool {
    to.sees(setup.side(unit).seat()) || is_public(setup, state, unit)
}

fn token_of(setup: &Setup, state: &State, unit: Unit) -> Name {
    token_name(setup.side(unit), state.token[unit.index()])
}

/// DRG-12.3 The units that an observer knows by id, the others that have a token by that.
fn units_view(setup: &Setup, state: &State, to: Observer) -> (Named<UnitView>, Named<TokenView>) {
    let mut units = Named(Vec::with_capacity(UNITS));
    let mut tokens = Vec::new();
    for &unit in setup.by_id.iter() {
        let at = place_name(setup, state.place[unit.index()]);
        let spent = state.spent[unit.index()];
        let (fought, freed) = (state.fought.contains(unit), state.freed.contains(unit));
        let token = Some(unit).filter(|_| state.token[unit.index()] > 0);
        let token = token.map(|unit| token_of(setup, state, unit));
        if is_known(setup, state, unit, to) {
            let shown = UnitView {
                at,
                token,
                value: (setup.kinds[unit.index()] != UnitKind::Arquebusier)
                    .then(|| ch06_combat::value(setup, state, unit)),
                captive: state.captive.contains(unit),
                caught: state.caught.contains(unit),
                revealed: state.revealed.contains(unit),
                spent,
                weakened: state.weakened.contains(unit),
                fought,
                freed,
            };
            units.0.push((setup.unit_id(unit), shown));
        } else if let Some(token) = token {
            let shown = TokenView { side: setup.side(unit), at, spent, fought, freed };
            tokens.push((token, shown));
        }
    }
    // By token, so that the order tells nothing about who it is.
    tokens.sort_unstable_by_key(|&(token, _)| token);
    (units, Named(tokens))
}

/// DRG-12.3 How many pirates are at sea, for those who do not know which.
fn at_sea_view(state: &State, to: Observer) -> Option<u8> {
    let at_sea = state.at(Place::AT_SEA).and(PIRATE_UNITS).len() as u8;
    Some(at_sea).filter(|_| !to.sees(Side::Pirates.seat()))
}

/// The id of a card in a row; none for no card.
fn card_id(setup: &Setup, side: Side, row: u8) -> Option<Name> {
    setup.decks[side.index()].ids.get(usize::from(row)).copied()
}

/// The cards of a pile, in the order of the table.
fn list_cards(setup: &Setup, side: Side, pile: &[u8; KINDS]) -> Vec<Name> {
    let ids = setup.decks[side.index()].ids.iter().zip(pile);
    ids.flat_map(|(&id, &copies)| std::iter::repeat_n(id, usize::from(copies))).collect()
}

/// DRG-12.4 A hand is its owner's secret.
fn hand_view(setup: &Setup, state: &State, side: Side, to: Observer) -> Pile {
    let pile = &state.cards[side.index()].hand;
    if to.sees(side.seat()) {
        Pile::Open(list_cards(setup, side, pile))
    } else {
        Pile::Closed(count(pile))
    }
}

/// DRG-12.4 The order of a deck is nobody's but the referee's, if it has one.
fn deck_view(setup: &Setup, state: &State, side: Side, to: Observer) -> Pile {
    let cards = &state.cards[side.index()];
    let size = count(&cards.deck);
    if to == Observer::Referee && setup.rulings.returned == Returned::Bottom {
        let order = &cards.order[..usize::from(size)];
        return Pile::Open(order.iter().filter_map(|&row| card_id(setup, side, row)).collect());
    }
    Pile::Closed(size)
}

/// DRG-12.4 That a side has committed is public, what is not.
fn commitment_view(setup: &Setup, state: &State, side: Side, to: Observer) -> Commitment {
    match state.cards[side.index()].committed {
        NONE => Commitment::Made(false),
        row if to.sees(side.seat()) => Commitment::Open(Choice { card: card_id(setup, side, row) }),
        _ => Commitment::Made(true),
    }
}

fn arrival_view(setup: &Setup, state: &State, arrival: Arrival, to: Observer) -> ArrivalView {
    let name = |unit: Unit| match is_known(setup, state, unit, to) {
        true => setup.unit_id(unit),
        false => token_of(setup, state, unit),
    };
    ArrivalView {
        unit: arrival.unit.map(name),
        from: place_name(setup, arrival.from),
        area: setup.area_id(arrival.area),
        liberator: arrival.liberator.map(name),
        freed: arrival.waiting.iter().map(name).collect(),
        draw_due: state.stage == Stage::ArquebusChoice && state.owes_draw,
    }
}
