//! Loaded positions (part C.4): the short form of the document, or the referee's view.
//!
//! A position that breaks an invariant of part G is refused, naming it. Must not repair
//! anything: what is left out has its stated default, what is stated must hold.

mod determinize;
mod given;
mod invariants;
mod pending;

pub(super) use determinize::{determinize, redeal};
pub(super) use given::{GivenDeck, GivenDecks, GivenHand, GivenHands, GivenHexes, GivenWounds};

use serde::{Deserialize, Serialize};

use super::action::{Ability, Side};
use super::setup::Setup;
use super::state::{Stage, State};
use super::view::{
    AttackView, BySide, CardsView, DeckView, EndView, OpenCards, Pile, View, WholeDeck,
};
use super::{Checked, Refusal};
use invariants::{
    check_agreement, check_alive, check_played, load_cards, load_spots, load_turn, load_wounds,
};
use pending::load_pending;
use umpire_core::wire::present;

/// A position. What is left out has its default: no wounds, start hexes, nothing in hands and
/// decks, the marker states of DRK-2.3, the state `action` with a fresh turn's actions. Cards
/// named nowhere are discards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Position))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Position {
    /// The turn, from 1; 0 for a position before the first turn.
    pub turn: u16,
    /// Actions left; a fresh turn's, or the most that the pending state allows, where it is left out.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub actions_left: Option<u8>,
    /// The pending decision; `action` where it is left out.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub state: Option<Stage>,
    /// The side to move; checked where it is given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub side: Option<Side>,
    /// Where the figures stand.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hexes: GivenHexes,
    /// Wounds by track; 0 where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub wounds: GivenWounds,
    /// The dragon's lost abilities; checked where given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub lost: Option<Vec<Ability>>,
    /// Whether the net lies on the dragon.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub netted: bool,
    /// Whether the fury marker is used up.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fury_used: bool,
    /// The hands.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hands: GivenHands,
    /// The decks.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub decks: GivenDecks,
    /// The discards; checked where given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, value_type = Option<GivenPiles>))]
    pub discards: Option<BySide<Pile>>,
    /// The attack to be answered, in state `defend`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub attack: Option<AttackView>,
    /// How many cards are to be discarded; checked where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub to_discard: Option<u8>,
    /// How many wounds are to be divided, in state `assign_wounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub to_assign: Option<u8>,
    /// How the game ended, in state `game_over`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<EndView>,
}

/// The schema of the discards of a position.
#[cfg(feature = "schema")]
#[derive(utoipa::ToSchema)]
#[schema(as = drako::GivenPiles)]
#[allow(dead_code, reason = "exists for its schema")]
struct GivenPiles {
    /// The dragon's.
    dragon: Pile,
    /// The dwarves'.
    dwarves: Pile,
}

/// The state of a position, after checking every invariant of part G that a position can break.
/// Every fault is public: whoever sees the position sees it.
pub(super) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    load_in_order(setup, position).map_err(Refusal::public)
}

fn load_in_order(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    state.turn = position.turn;
    state.stage = position.state.unwrap_or(Stage::Action);
    state.netted = position.netted;
    state.fury_used = position.fury_used;
    load_wounds(setup, &mut state, position)?;
    load_cards(setup, &mut state, position)?;
    load_spots(setup, &mut state, position)?;
    load_turn(setup, &mut state, position)?;
    check_alive(setup, &state)?;
    check_played(setup, &state)?;
    load_pending(setup, &mut state, position)?;
    check_agreement(setup, &state, position)?;
    Ok(state)
}

impl From<View> for Position {
    /// The position of a referee's view. What a view hides is empty in it.
    fn from(view: View) -> Position {
        let hand = |hand: CardsView| match hand {
            CardsView::Open(open) => GivenHand::View(open),
            CardsView::Closed(_) => GivenHand::default(),
        };
        let deck = |deck: DeckView| match deck {
            DeckView::Whole(whole) => GivenDeck::View(whole),
            DeckView::Open(OpenCards { count, cards }) => {
                GivenDeck::View(WholeDeck { count, cards, order: Vec::new() })
            }
            DeckView::Closed(_) => GivenDeck::default(),
        };
        let wounds = view.wounds;
        Position {
            turn: view.turn,
            actions_left: Some(view.actions_left),
            state: Some(view.state),
            side: (view.turn > 0).then_some(view.side),
            hexes: GivenHexes {
                dragon: Some(view.hexes.dragon),
                fury: Some(view.hexes.fury),
                archery: Some(view.hexes.archery),
                net: Some(view.hexes.net),
            },
            wounds: GivenWounds {
                fury: wounds.fury,
                archery: wounds.archery,
                net: wounds.net,
                armour: wounds.armour,
                flight: wounds.flight,
                movement: wounds.movement,
                fire: wounds.fire,
            },
            lost: Some(view.lost),
            netted: view.netted,
            fury_used: view.fury_used,
            hands: GivenHands {
                dragon: hand(view.hands.dragon),
                dwarves: hand(view.hands.dwarves),
            },
            decks: GivenDecks {
                dragon: deck(view.decks.dragon),
                dwarves: deck(view.decks.dwarves),
            },
            discards: Some(view.discards),
            attack: view.attack,
            to_discard: view.to_discard,
            to_assign: view.to_assign,
            outcome: view.outcome,
        }
    }
}
