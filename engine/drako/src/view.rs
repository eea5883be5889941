//! DRK-12 Visibility: who sees what of the state (part E).
//!
//! A view is built field by field from what its observer may know: a hand is open or closed,
//! there is no field to forget to clear. Must not decide anything.

use serde::{Deserialize, Serialize};

use super::action::{Ability, Dwarf, Figure, Kind, Side, Use};
use super::rulebook::{HitDivision, ThirdAction};
use super::setup::{Cards, Deck, Setup, total};
use super::state::{Attack, Ending, Stage, State};
use super::tables::board::Spot;
use super::{ch04_drawing, ch07_attacks, ch08_wounds, ch11_end};
use umpire_core::board::hex::Hex;
use umpire_core::game::Observer;

/// Something of each side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct BySide<T> {
    /// The dragon's.
    pub dragon: T,
    /// The dwarves'.
    pub dwarves: T,
}

impl<T> BySide<T> {
    fn of(mut each: impl FnMut(Side) -> T) -> Self {
        BySide { dragon: each(Side::Dragon), dwarves: each(Side::Dwarves) }
    }

    pub(super) fn get(&self, side: Side) -> &T {
        match side {
            Side::Dragon => &self.dragon,
            Side::Dwarves => &self.dwarves,
        }
    }

    pub(super) fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Dragon => &mut self.dragon,
            Side::Dwarves => &mut self.dwarves,
        }
    }
}

/// Cards that an observer sees, or whose number only he knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Cards))]
#[serde(untagged)]
pub enum CardsView {
    /// The cards are known.
    Open(OpenCards),
    /// Only their number is known.
    Closed(ClosedCards),
}

/// Known cards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::OpenCards))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct OpenCards {
    /// Which, in canonical order.
    pub cards: Vec<Kind>,
    /// How many.
    pub count: u8,
}

/// Cards of which only the number is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::ClosedCards))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ClosedCards {
    /// How many.
    pub count: u8,
}

/// A deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Deck))]
#[serde(untagged)]
pub enum DeckView {
    /// As the referee knows it.
    Whole(WholeDeck),
    /// As its owner knows it, by deduction.
    Open(OpenCards),
    /// As everybody else knows it.
    Closed(ClosedCards),
}

/// A deck as the referee knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::WholeDeck))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WholeDeck {
    /// Which, in canonical order.
    pub cards: Vec<Kind>,
    /// How many cards.
    pub count: u8,
    /// The known top part, top first; empty where nobody knows the order.
    pub order: Vec<Kind>,
}

/// A side's discards, the defence cards and played cards among them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Pile))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Pile {
    /// Those that the observer has seen, in canonical order.
    pub cards: Vec<Kind>,
    /// How many.
    pub count: u8,
    /// Those among them that the other side has not seen (DRK-R17 `hidden`); only for their
    /// owner and the referee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub unseen: Vec<Kind>,
}

/// The figures' hexes; `null` for the dead and those not yet placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Hexes))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Hexes {
    /// Morin's.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub archery: Option<Hex>,
    /// The dragon's.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub dragon: Option<Hex>,
    /// Brald's.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub fury: Option<Hex>,
    /// Urpen's.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub net: Option<Hex>,
}

/// Wounds by track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Wounds))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Wounds {
    /// Morin's.
    pub archery: u8,
    /// The dragon's, on its armour.
    pub armour: u8,
    /// The dragon's, on fire breathing.
    pub fire: u8,
    /// The dragon's, on flight.
    pub flight: u8,
    /// Brald's.
    pub fury: u8,
    /// The dragon's, on movement.
    pub movement: u8,
    /// Urpen's.
    pub net: u8,
}

/// An attack that waits for its answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Attack))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AttackView {
    /// The strands, in their order.
    pub strands: Vec<Strand>,
    /// The option played.
    #[serde(rename = "use")]
    pub option: Use,
}

/// A strand of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Strand))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Strand {
    /// Whether it was answered without a block (DRK-R32 `one_by_one`).
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub answered: bool,
    /// The attacking dwarf, or the attacked one.
    pub strand: Dwarf,
    /// The value.
    pub value: u8,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(it: &bool) -> bool {
    !it
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Result))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct EndView {
    /// Why.
    pub reason: Ending,
    /// Who won.
    pub winner: Side,
}

/// What an observer knows of the state. The fields stand in alphabetical order, which spares the
/// fingerprint a sorting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::View))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct View {
    /// Actions left in the turn.
    pub actions_left: u8,
    /// The attack to be answered; while wounds are divided, what of it is yet to hit (DRK-R24 `in_turn`).
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub attack: Option<AttackView>,
    /// The decks.
    #[cfg_attr(feature = "schema", schema(value_type = DecksSchema))]
    pub decks: BySide<DeckView>,
    /// The discards.
    #[cfg_attr(feature = "schema", schema(value_type = PilesSchema))]
    pub discards: BySide<Pile>,
    /// Whether Fury was declared in this turn (DRK-R13 `optional`).
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fury_turn: bool,
    /// Whether the fury marker is used up.
    pub fury_used: bool,
    /// The hands.
    #[cfg_attr(feature = "schema", schema(value_type = HandsSchema))]
    pub hands: BySide<CardsView>,
    /// Where the figures stand.
    pub hexes: Hexes,
    /// The wounds that are to be divided, hit by hit (DRK-R33 `one_ability`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hits: Vec<u8>,
    /// The dragon's lost abilities.
    pub lost: Vec<Ability>,
    /// Whether the net lies on the dragon.
    pub netted: bool,
    /// How the game ended.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub outcome: Option<EndView>,
    /// The side whose turn it is; before turn 1 the side that decides.
    pub side: Side,
    /// The pending decision.
    pub state: Stage,
    /// How many wounds are to be divided.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub to_assign: Option<u8>,
    /// How many cards are to be discarded.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub to_discard: Option<u8>,
    /// The turn, from 1; 0 before the first.
    pub turn: u16,
    /// Wounds by track.
    pub wounds: Wounds,
}

/// The schemas of `BySide<…>`, one per use.
#[cfg(feature = "schema")]
mod by_side {
    use super::{CardsView, DeckView, Pile};

    macro_rules! by_side {
        ($($(#[$doc:meta])* $name:ident as $component:ident of $what:ty;)*) => {$(
            $(#[$doc])*
            #[derive(utoipa::ToSchema)]
            #[schema(as = drako::$component)]
            #[allow(dead_code, reason = "exists for its schema")]
            pub(super) struct $name {
                /// The dragon's.
                dragon: $what,
                /// The dwarves'.
                dwarves: $what,
            }
        )*};
    }

    by_side! {
        /// The hands by side.
        HandsSchema as Hands of CardsView;
        /// The decks by side.
        DecksSchema as DeckViews of DeckView;
        /// The discards by side.
        PilesSchema as Piles of Pile;
    }
}
#[cfg(feature = "schema")]
use by_side::{DecksSchema, HandsSchema, PilesSchema};

/// Cards that an observer knows, or of which he knows the number alone.
fn open(deck: &Deck, cards: &Cards) -> OpenCards {
    OpenCards { count: total(cards) as u8, cards: deck.list(cards) }
}

fn closed(cards: &Cards) -> ClosedCards {
    ClosedCards { count: total(cards) as u8 }
}

/// DRK-12.1 What an observer knows of the state.
pub(super) fn view(setup: &Setup, state: &State, to: Observer) -> View {
    let hex = |figure: Figure| state.spots[figure.index()].map(Spot::hex);
    let [fury, archery, net, armour, flight, movement, fire] = state.wounds;
    let discarding = state.stage == Stage::Discard;
    let assigning = state.stage == Stage::AssignWounds;
    View {
        turn: state.turn,
        side: if state.turn == 0 { state.decider().unwrap_or(Side::Dragon) } else { state.mover() },
        actions_left: state.actions_left,
        state: state.stage,
        hexes: Hexes {
            dragon: hex(Figure::Dragon),
            fury: hex(Figure::Fury),
            archery: hex(Figure::Archery),
            net: hex(Figure::Net),
        },
        wounds: Wounds { fury, archery, net, armour, flight, movement, fire },
        lost: ch08_wounds::lost_abilities(setup, state),
        netted: state.netted,
        fury_turn: state.fury_turn && setup.rulings.third_action == ThirdAction::Optional,
        fury_used: state.fury_used,
        hands: BySide::of(|side| hand_view(setup, state, side, to)),
        decks: BySide::of(|side| deck_view(setup, state, side, to)),
        discards: BySide::of(|side| discards_view(setup, state, side, to)),
        attack: state
            .attack
            .filter(|_| assigning || state.stage == Stage::Defend)
            .map(|attack| attack_view(state, attack)),
        to_discard: discarding.then(|| ch04_drawing::excess(state) as u8),
        to_assign: assigning.then(|| state.unassigned()),
        hits: match setup.rulings.hit_division {
            HitDivision::Split => Vec::new(),
            HitDivision::OneAbility => state.hits.into_iter().filter(|&hit| hit > 0).collect(),
        },
        outcome: state
            .ending
            .map(|ending| EndView { winner: ch11_end::winner(ending), reason: ending }),
    }
}

/// DRK-12.1 A hand is its owner's secret.
fn hand_view(setup: &Setup, state: &State, side: Side, to: Observer) -> CardsView {
    let hand = &state.holding(side).hand;
    if to.sees(side.seat()) {
        CardsView::Open(open(setup.deck(side), hand))
    } else {
        CardsView::Closed(closed(hand))
    }
}

/// DRK-12.1 The order of a deck is nobody's but the referee's; its owner can deduce which cards
/// are in it.
fn deck_view(setup: &Setup, state: &State, side: Side, to: Observer) -> DeckView {
    let (deck, holding) = (setup.deck(side), state.holding(side));
    match to {
        Observer::Referee => {
            let OpenCards { count, cards } = open(deck, &holding.deck);
            let order = holding.known_order().iter().map(|&row| deck.kind(row)).collect();
            DeckView::Whole(WholeDeck { count, cards, order })
        }
        Observer::Seat(_) if to.sees(side.seat()) => DeckView::Open(open(deck, &holding.deck)),
        Observer::Seat(_) | Observer::Spectator => DeckView::Closed(closed(&holding.deck)),
    }
}

/// DRK-12.1 Discards are public; under DRK-R17 `hidden` those to the hand limit are not.
fn discards_view(setup: &Setup, state: &State, side: Side, to: Observer) -> Pile {
    let (deck, all) = (setup.deck(side), state.discards(setup, side));
    let unseen = &state.holding(side).unseen;
    let count = total(&all) as u8;
    if to.sees(side.seat()) {
        return Pile { count, cards: deck.list(&all), unseen: deck.list(unseen) };
    }
    let mut shown = all;
    for (shown, unseen) in shown.iter_mut().zip(unseen) {
        *shown -= unseen;
    }
    Pile { count, cards: deck.list(&shown), unseen: Vec::new() }
}

fn attack_view(state: &State, attack: Attack) -> AttackView {
    let strands = ch07_attacks::strand_order(state, attack).into_iter().flatten();
    AttackView {
        option: attack.option,
        strands: strands
            .map(|strand| {
                let answered = attack.answered.contains(strand);
                Strand { answered, strand, value: attack.value }
            })
            .collect(),
    }
}
