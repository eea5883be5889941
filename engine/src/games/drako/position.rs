//! Loaded positions (part C.4): the short form of the document, or the referee's view.
//!
//! A position that breaks an invariant of part G is refused, naming it. Must not repair
//! anything: what is left out has its stated default, what is stated must hold.

use serde::{Deserialize, Serialize};

use super::action::{Dwarf, Kind, Side, Use};
use super::board::Place;
use super::event::winner;
use super::rulebook::Rule;
use super::setup::{
    ExchangeOrder, HandLimit, LimitDiscards, NetOfTheDead, OutOfTime, Placement, Setup,
};
use super::state::{Attack, Cards, Stage, State, total};
use super::tables::{
    ARMOUR, CARDS_PER_DRAW, DECK, FIRST_TURN_ACTIONS, HAND_LIMIT, STARTING_HAND, TRACK_NAMES,
    TRACKS, TURN_ACTIONS,
};
use super::view::{
    Ability, AttackView, BySide, CardsView, DeckView, EndView, OpenCards, Pile, StageName, View,
    WholeDeck, kinds, lost,
};
use super::{ch03_turns, ch07_attacks, ch08_wounds};
use crate::board::hex::Hex;
use crate::chance::{Ask, Chance, Halt, What};
use crate::rules::Refusal;

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
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub actions_left: Option<u8>,
    /// The pending decision; `action` where it is left out.
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub state: Option<StageName>,
    /// The side to move; checked where it is given.
    #[serde(default, deserialize_with = "crate::wire::present")]
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
    #[serde(default, deserialize_with = "crate::wire::present")]
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
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, value_type = Option<GivenPiles>))]
    pub discards: Option<BySide<Pile>>,
    /// The attack to be answered, in state `defend`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attack: Option<AttackView>,
    /// How many cards are to be discarded; checked where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_discard: Option<u8>,
    /// How many wounds are to be divided, in state `assign_wounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_assign: Option<u8>,
    /// How the game ended, in state `game_over`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// The figures' hexes: left out = the start hex (of the living), `null` = dead.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHexes))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenHexes {
    /// The dragon's.
    #[serde(deserialize_with = "crate::wire::present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub dragon: Option<Option<Hex>>,
    /// Brald's.
    #[serde(deserialize_with = "crate::wire::present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub fury: Option<Option<Hex>>,
    /// Morin's.
    #[serde(deserialize_with = "crate::wire::present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub archery: Option<Option<Hex>>,
    /// Urpen's.
    #[serde(deserialize_with = "crate::wire::present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub net: Option<Option<Hex>>,
}

/// Wounds by track; 0 where left out.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenWounds))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenWounds {
    /// Brald's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fury: u8,
    /// Morin's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub archery: u8,
    /// Urpen's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub net: u8,
    /// The dragon's, on its armour.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub armour: u8,
    /// The dragon's, on flight.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub flight: u8,
    /// The dragon's, on movement.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub movement: u8,
    /// The dragon's, on fire breathing.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fire: u8,
}

/// The hands; empty where left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHands))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenHands {
    /// The dragon's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dragon: GivenHand,
    /// The dwarves'.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dwarves: GivenHand,
}

/// The decks; empty where left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenDecks))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenDecks {
    /// The dragon's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dragon: GivenDeck,
    /// The dwarves'.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dwarves: GivenDeck,
}

/// A hand: a list of kinds, or as a view shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHand))]
#[serde(untagged)]
pub enum GivenHand {
    /// The kinds.
    List(Vec<Kind>),
    /// As a view shows it.
    View(OpenCards),
}

impl Default for GivenHand {
    fn default() -> Self {
        GivenHand::List(Vec::new())
    }
}

/// A deck: a list of kinds, top first, or as a view shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenDeck))]
#[serde(untagged)]
pub enum GivenDeck {
    /// The kinds, top first.
    Order(Vec<Kind>),
    /// As the referee's view shows it.
    View(WholeDeck),
}

impl Default for GivenDeck {
    fn default() -> Self {
        GivenDeck::Order(Vec::new())
    }
}

/// Reads a list or an object without trying one after the other, so that the message of what is
/// wrong stays that of the form that was meant.
macro_rules! list_or_object {
    ($name:ident, $list:ident, $object:ident) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $name;

                    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        to.write_str("a list of kinds of cards, or cards as a view shows them")
                    }

                    fn visit_seq<A: serde::de::SeqAccess<'de>>(
                        self,
                        seq: A,
                    ) -> Result<$name, A::Error> {
                        Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map($name::$list)
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        map: A,
                    ) -> Result<$name, A::Error> {
                        Deserialize::deserialize(MapAccessDeserializer::new(map))
                            .map($name::$object)
                    }
                }
                from.deserialize_any(Reader)
            }
        }
    };
}
list_or_object!(GivenHand, List, View);
list_or_object!(GivenDeck, Order, View);

type Refused = Refusal<Rule>;

fn refuse(
    invariant: u8,
    rule: Rule,
    pointer: impl Into<String>,
    why: impl Into<String>,
) -> Refused {
    Refusal::new(rule, "bad_position", why).at(pointer).invariant(invariant).public()
}

fn refuse_plainly(rule: Rule, pointer: impl Into<String>, why: impl Into<String>) -> Refused {
    Refusal::new(rule, "bad_position", why).at(pointer).public()
}

/// The state of a position, after checking every invariant of part G that a position can break.
pub(super) fn load(setup: &Setup, position: &Position) -> Result<State, Refused> {
    let mut state = State::new(setup);
    state.turn = position.turn;
    state.stage = position.state.map_or(Stage::Action, Stage::from);
    state.netted = position.netted;
    state.fury_used = position.fury_used;
    wounds(setup, &mut state, position)?;
    cards(setup, &mut state, position)?;
    places(setup, &mut state, position)?;
    turn(setup, &mut state, position)?;
    alive(setup, &state)?;
    played(setup, &state)?;
    pending(setup, &mut state, position)?;
    agreements(setup, &state, position)?;
    Ok(state)
}

/// Invariants 4, 5 and 10.
fn wounds(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let given = &position.wounds;
    state.wounds = [
        given.fury,
        given.archery,
        given.net,
        given.armour,
        given.flight,
        given.movement,
        given.fire,
    ];
    let tracks = TRACK_NAMES.iter().zip(setup.spaces).zip(state.wounds);
    for ((name, spaces), wounds) in tracks {
        if wounds > spaces {
            let why = format!("{name} has {wounds} wounds on {spaces} spaces");
            return Err(refuse(4, Rule::C8_2, format!("/wounds/{name}"), why));
        }
    }
    let armour_full = state.free(setup, ARMOUR) == 0;
    if let Some(track) = (ARMOUR + 1..TRACKS).find(|&it| state.wounds[it] > 0)
        && !armour_full
    {
        let name = TRACK_NAMES[track];
        let why = format!("{name} has wounds although the armour has free spaces");
        return Err(refuse(5, Rule::C8_3, format!("/wounds/{name}"), why));
    }
    if state.fury_used && state.wounds[Dwarf::Fury.index()] == 0 {
        let why = "the fury marker is used, but its dwarf has no wound";
        return Err(refuse(10, Rule::C10_2, "/fury_used", why));
    }
    Ok(())
}

/// Invariant 1: what hands, decks and discards name, the deck has.
fn cards(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    for side in Side::BOTH {
        let name = side.name();
        let mut left = setup.deck(side).counts;
        let (hand, deck) = match side {
            Side::Dragon => (&position.hands.dragon, &position.decks.dragon),
            Side::Dwarves => (&position.hands.dwarves, &position.decks.dwarves),
        };
        let pointer = format!("/hands/{name}");
        let named = match hand {
            GivenHand::List(cards) => cards,
            GivenHand::View(view) => counted(&view.cards, view.count, &pointer)?,
        };
        state.cards[side.index()].hand = count(setup, side, named, &mut left, &pointer)?;
        let pointer = format!("/decks/{name}");
        let (named, order) = match deck {
            GivenDeck::Order(order) => (order, order),
            GivenDeck::View(view) => (counted(&view.cards, view.count, &pointer)?, &view.order),
        };
        let holding = &mut state.cards[side.index()];
        holding.deck = count(setup, side, named, &mut left, &pointer)?;
        holding.held = total(&holding.hand) as u8;
        holding.left = total(&holding.deck) as u8;
        let mut in_deck = holding.deck;
        let pointer = format!("/decks/{name}/order");
        count(setup, side, order, &mut in_deck, &pointer)?;
        for (slot, &kind) in holding.order.iter_mut().zip(order) {
            *slot = setup.deck(side).row(side, kind).unwrap_or(0) as u8;
        }
        holding.known = order.len() as u8;
        if let Some(piles) = &position.discards {
            let pile = piles.get(side);
            let pointer = format!("/discards/{name}");
            counted(&pile.cards, pile.count, &pointer)?;
            let mut rest = left;
            count(setup, side, &pile.cards, &mut rest, &pointer)?;
            if rest != [0; DECK] {
                let why = format!("hand, deck and discards of the {name} are not its {DECK} cards");
                return Err(refuse(1, Rule::C1_7, pointer, why));
            }
            let pointer = format!("/discards/{name}/unseen");
            let holding = &mut state.cards[side.index()];
            holding.unseen = count(setup, side, &pile.unseen, &mut left, &pointer)?;
            let shown = setup.rulings.limit_discards == LimitDiscards::Public;
            if shown && !pile.unseen.is_empty() {
                let why = "discards are public under this record's DRK-R17";
                return Err(refuse_plainly(Rule::R17, pointer, why));
            }
        }
    }
    Ok(())
}

fn counted<'a>(cards: &'a Vec<Kind>, count: u8, pointer: &str) -> Result<&'a Vec<Kind>, Refused> {
    if cards.len() == usize::from(count) {
        return Ok(cards);
    }
    let why = format!("count is {count}, but {} cards are listed", cards.len());
    Err(refuse(1, Rule::C1_7, format!("{pointer}/count"), why))
}

/// Takes named cards from what is left of a deck.
fn count(
    setup: &Setup,
    side: Side,
    named: &[Kind],
    left: &mut Cards,
    pointer: &str,
) -> Result<Cards, Refused> {
    let mut taken = [0; DECK];
    for (at, &kind) in named.iter().enumerate() {
        match setup.deck(side).row(side, kind) {
            Some(row) if left[row] > 0 => {
                left[row] -= 1;
                taken[row] += 1;
            }
            Some(_) => {
                let why = format!("{kind} is named more often than there are cards of it");
                return Err(refuse(1, Rule::C1_7, format!("{pointer}/{at}"), why));
            }
            None => {
                let why = format!("{kind} is no card of the {}", side.name());
                return Err(refuse(1, Rule::C1_7, format!("{pointer}/{at}"), why));
            }
        }
    }
    Ok(taken)
}

/// Invariant 6: the living stand on different hexes of the board, the dead on none.
fn places(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let given = &position.hexes;
    let filled = ch08_wounds::filled(setup, state);
    let before_play =
        matches!(state.stage, Stage::MulliganDragon | Stage::MulliganDwarves | Stage::Placement);
    let comes_later = setup.rulings.exchange_order == ExchangeOrder::BeforePlacement;
    let unplaced = before_play
        && setup.placement == Placement::Free
        && (comes_later || state.stage == Stage::Placement);
    let names = ["dragon", "fury", "archery", "net"];
    let hexes = [given.dragon, given.fury, given.archery, given.net];
    state.places = [None; 4];
    for (at, hex) in hexes.into_iter().enumerate() {
        let (name, pointer) = (names[at], format!("/hexes/{}", names[at]));
        let dead = match at {
            0 => state.stage == Stage::GameOver && ch08_wounds::dragon_is_dead(setup, state),
            _ => filled >> (at - 1) & 1 == 1,
        };
        let place = match hex {
            Some(Some(hex)) => match Place::find(hex) {
                Some(place) => Some(place),
                None => {
                    let why = format!("{name} stands on {hex}, which is no hex of the board");
                    return Err(refuse(6, Rule::C1_2, pointer, why));
                }
            },
            Some(None) => None,
            None if dead || (at > 0 && unplaced) => None,
            None if at == 0 => Some(setup.centre),
            None => Some(setup.start_places[at - 1]),
        };
        if let (true, Some(place)) = (unplaced && at > 0, place) {
            let why = format!("{name} stands on {} before the placement", place.hex());
            return Err(refuse(6, Rule::C2_5, pointer, why));
        }
        let Some(place) = place else {
            if dead || (at > 0 && unplaced) {
                continue;
            }
            let why = format!("{name} lives, but has no hex");
            return Err(refuse(6, Rule::C1_4, pointer, why));
        };
        if dead {
            let why = format!("{name} has all spaces filled, but stands on {}", place.hex());
            return Err(refuse(6, Rule::C8_6, pointer, why));
        }
        if let Some(other) = state.places.iter().position(|&it| it == Some(place)) {
            let why = format!("{name} and {} both stand on {}", names[other], place.hex());
            return Err(refuse(6, Rule::C1_5, pointer, why));
        }
        state.places[at] = Some(place);
    }
    Ok(())
}

/// Invariants 7 and 8: the turn, its side and its actions.
fn turn(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let stage = state.stage;
    if matches!(stage, Stage::MulliganDragon | Stage::MulliganDwarves | Stage::Placement) {
        let asked = match stage {
            Stage::Placement => setup.placement == Placement::Free,
            _ => setup.mulligan,
        };
        if state.turn != 0 || !asked {
            let why = "this decision is not asked for at this turn under these options";
            return Err(refuse(8, Rule::C2_7, "/state", why));
        }
        state.actions_left = 0;
        if let Some(left) = position.actions_left.filter(|&left| left > 0) {
            let why = format!("{left} actions are left, but turn 1 has not started");
            return Err(refuse(7, Rule::C2_7, "/actions_left", why));
        }
        let decides = match stage {
            Stage::MulliganDragon => Side::Dragon,
            _ => Side::Dwarves,
        };
        if position.side.is_some_and(|side| side != decides) {
            let why = format!("the {} decide here", decides.name());
            return Err(refuse(8, Rule::C2_7, "/side", why));
        }
        return untouched(setup, state);
    }
    if state.turn == 1 && (state.netted || state.fury_used) {
        let why = "in turn 1 the dwarves have not done anything yet";
        return Err(refuse(8, Rule::C3_1, "/turn", why));
    }
    if stage == Stage::Setup {
        let why = "a position stands at a decision, or at the end";
        return Err(refuse(15, Rule::C2_7, "/state", why));
    }
    if state.turn == 0 {
        return Err(refuse(8, Rule::C3_1, "/turn", "turns are counted from 1"));
    }
    let last = last_turn(setup);
    if state.turn > last {
        let why = format!("no game comes to turn {}; {last} is the last", state.turn);
        return Err(refuse(16, Rule::C3_1, "/turn", why));
    }
    let fresh = if state.turn == 1 { FIRST_TURN_ACTIONS } else { TURN_ACTIONS };
    let fury_turn = state.fury_used && state.mover() == Side::Dwarves;
    let waits = setup.rulings.hand_limit == HandLimit::TurnEnd;
    let (least, most) = match stage {
        // The marker's turn may be the present one: then three actions in all.
        Stage::Action if fury_turn => (1, TURN_ACTIONS + 1),
        Stage::Action => (1, fresh),
        // The end forfeits what is left (DRK-11.6), and a limit that waits comes behind it (R14).
        Stage::GameOver => (0, 0),
        Stage::Discard if waits => (0, 0),
        _ if fury_turn => (0, TURN_ACTIONS),
        _ => (0, fresh - 1),
    };
    state.actions_left = position.actions_left.unwrap_or(fresh.min(most));
    let left = state.actions_left;
    if left < least || most < left {
        let possible = match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        let why = format!("{left} actions are said to be left, and {possible} can be");
        return Err(refuse(7, Rule::C3_2, "/actions_left", why));
    }
    if let Some(side) = position.side
        && side != state.mover()
    {
        let why = format!("turn {} belongs to the {}", state.turn, state.mover().name());
        return Err(refuse(8, Rule::C3_1, "/side", why));
    }
    Ok(())
}

/// Before turn 1 nothing has happened but the dealing: no wound, no marker, four cards in each
/// hand and the others in the deck (invariants 2 and 4).
fn untouched(setup: &Setup, state: &State) -> Result<(), Refused> {
    if state.wounds != [0; TRACKS] || state.netted || state.fury_used {
        let why = "before turn 1 there are no wounds, and both markers are unused";
        return Err(refuse(4, Rule::C2_3, "/wounds", why));
    }
    if state.dragon(setup) != setup.centre {
        let why = "before turn 1 the dragon stands in the centre";
        return Err(refuse(8, Rule::C2_3, "/hexes/dragon", why));
    }
    for dwarf in Dwarf::ALL {
        let Some(place) = state.dwarf(dwarf) else { continue };
        let pointer = || format!("/hexes/{}", dwarf.name());
        let why = || format!("{} cannot start on {}", dwarf.name(), place.hex());
        match setup.placement {
            Placement::Fixed if place != setup.start_places[dwarf.index()] => {
                return Err(refuse(8, Rule::C2_4, pointer(), why()));
            }
            Placement::Free if place.distance(setup.centre) < 2 => {
                return Err(refuse(8, Rule::C2_5, pointer(), why()));
            }
            Placement::Fixed | Placement::Free => {}
        }
    }
    for side in Side::BOTH {
        let holding = state.holding(side);
        let all = total(&setup.deck(side).counts);
        if holding.in_hand() != usize::from(STARTING_HAND)
            || holding.in_hand() + holding.in_deck() != all
        {
            let name = side.name();
            let why = format!(
                "before turn 1 the {name} hold {STARTING_HAND} cards, the others are in the deck"
            );
            return Err(refuse(2, Rule::C2_2, format!("/hands/{name}"), why));
        }
    }
    Ok(())
}

/// Invariant 16: the last turn that a game can come to. The dwarves, who must not run out of cards,
/// use up at least one with each of two actions a turn.
fn last_turn(setup: &Setup) -> u16 {
    let cards = total(&setup.deck(Side::Dwarves).counts);
    let draws = cards.saturating_sub(usize::from(STARTING_HAND)).div_ceil(CARDS_PER_DRAW.into());
    let turns = (draws + cards).div_ceil(TURN_ACTIONS.into());
    (2 * turns + 3) as u16
}

/// Invariants 2, 9 and 12: decks that the dealing left, a net that was thrown and lies on the dragon.
fn played(setup: &Setup, state: &State) -> Result<(), Refused> {
    for side in Side::BOTH {
        let dealt = total(&setup.deck(side).counts).saturating_sub(usize::from(STARTING_HAND));
        let left = state.holding(side).in_deck();
        if state.turn > 0 && left > dealt {
            let name = side.name();
            let why = format!("{left} cards are in the deck of the {name}; {dealt} after dealing");
            return Err(refuse(2, Rule::C2_2, format!("/decks/{name}"), why));
        }
    }
    if !state.netted {
        return Ok(());
    }
    let throws = |row| setup.deck(Side::Dwarves).value(row, Use::Net).is_some();
    if !discards(setup, state, Side::Dwarves).any(throws) {
        let why = "the net lies on the dragon, but no card that throws it has been played";
        return Err(refuse(12, Rule::C5_2, "/netted", why));
    }
    let released = setup.rulings.net_of_the_dead == NetOfTheDead::Released;
    if released && state.dwarf(Dwarf::Net).is_none() {
        let why = "under this reading the net comes off when its thrower dies";
        return Err(refuse(9, Rule::R9, "/netted", why));
    }
    Ok(())
}

/// The rows of a side's cards of which at least one lies among its discards.
fn discards(setup: &Setup, state: &State, side: Side) -> impl Iterator<Item = usize> {
    let (deck, holding) = (setup.deck(side), state.holding(side));
    (0..deck.len()).filter(|&row| holding.hand[row] + holding.deck[row] < deck.counts[row])
}

/// Invariant 17: a game that is not over has a living dragon and a living dwarf.
fn alive(setup: &Setup, state: &State) -> Result<(), Refused> {
    if matches!(state.stage, Stage::GameOver | Stage::MulliganDragon)
        || matches!(state.stage, Stage::MulliganDwarves | Stage::Placement)
    {
        return Ok(());
    }
    if ch08_wounds::dragon_is_dead(setup, state) {
        return Err(refuse(17, Rule::C11_1, "/wounds", "the dragon is dead"));
    }
    if state.living() == 0 {
        return Err(refuse(17, Rule::C11_2, "/wounds", "all dwarves are dead"));
    }
    Ok(())
}

/// What the pending decision needs: invariants 3, 15 and 17.
fn pending(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let over_limit = ch03_turns::excess(setup, state) > 0;
    hands(setup, state)?;
    match state.stage {
        Stage::Action => {
            if state.holding(Side::Dwarves).is_out() {
                let why = "the dwarves own no card in hand or deck, so the game is over";
                return Err(refuse(15, Rule::C11_3, "/hands/dwarves", why));
            }
            let soon = setup.rulings.out_of_time == OutOfTime::DeckEmpty;
            if soon && state.holding(Side::Dwarves).in_deck() == 0 {
                let why = "under this reading the game is over, for the dwarves' deck is empty";
                return Err(refuse(15, Rule::R1, "/decks/dwarves", why));
            }
        }
        Stage::Discard if !over_limit => {
            let why = format!("nobody discards with at most {HAND_LIMIT} cards in hand");
            return Err(refuse(15, Rule::C4_2, "/state", why));
        }
        Stage::Defend => defence(setup, state, position)?,
        Stage::AssignWounds => division(setup, state, position)?,
        Stage::GameOver => ended(setup, state, position)?,
        Stage::Setup
        | Stage::Discard
        | Stage::MulliganDragon
        | Stage::MulliganDwarves
        | Stage::Placement => {}
    }
    Ok(())
}

/// Invariant 3: no hand exceeds the limit but that of the side to move, by what it can have drawn:
/// one draw where the limit is applied at once, a whole Fury turn's draws where it waits.
fn hands(setup: &Setup, state: &State) -> Result<(), Refused> {
    for side in Side::BOTH {
        let per_draw = usize::from(CARDS_PER_DRAW);
        let drawn = match (setup.rulings.hand_limit, side == state.mover()) {
            (_, false) => 0,
            (HandLimit::AfterDraw, true) => match state.stage {
                Stage::Discard => per_draw,
                _ => 0,
            },
            (HandLimit::TurnEnd, true) => per_draw * usize::from(TURN_ACTIONS + 1),
        };
        let held = state.holding(side).in_hand();
        // A finished game may have ended in the middle of anything.
        if held > HAND_LIMIT + drawn && state.stage != Stage::GameOver {
            let why = format!("the {} hold {held} cards", side.name());
            return Err(refuse(3, Rule::C4_2, format!("/hands/{}", side.name()), why));
        }
    }
    Ok(())
}

fn defence(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let Some(attack) = &position.attack else {
        return Err(refuse(15, Rule::C7_7, "/attack", "a defence answers an attack"));
    };
    let value = attack.strands.first().map_or(0, |strand| strand.value);
    let strands = attack.strands.iter().fold(0, |set, it| set | it.strand.mask());
    let same = attack.strands.iter().all(|it| it.value == value);
    let listed_once = strands.count_ones() as usize == attack.strands.len();
    let beside = state.beside_dragon(setup);
    let by_dwarves = state.mover() == Side::Dwarves;
    let count = strands.count_ones();
    let possible = match attack.option {
        Use::OneAttack => by_dwarves && count == 1 && strands & !beside == 0,
        Use::TwoAttack => by_dwarves && count <= 2 && strands & !beside == 0,
        Use::Crossbow => {
            let line = ch07_attacks::crossbow_fault(setup, state).is_none();
            by_dwarves && strands == Dwarf::Archery.mask() && line
        }
        Use::Attack => !by_dwarves && count == 1 && strands & !beside == 0,
        Use::Fire => {
            let dragon = state.dragon(setup);
            let able = !state.lost(setup, ch07_attacks::FIRE);
            !by_dwarves && able && (0..6).any(|it| state.within(dragon.ray(it)) == strands)
        }
        _ => false,
    };
    let deck = setup.deck(state.mover());
    let shows = |row| deck.value(row, attack.option) == Some(value);
    let printed = discards(setup, state, state.mover()).any(shows);
    if !possible || !same || !listed_once || strands == 0 || !printed {
        let why = "no such attack can be pending in this position";
        return Err(refuse(15, Rule::C7_7, "/attack", why));
    }
    if strands & !state.living() != 0 {
        return Err(refuse(6, Rule::C8_6, "/attack/strands", "a dead dwarf has no strand"));
    }
    if state.holding(state.mover().other()).in_hand() == 0 {
        let why = "nobody is asked to defend with an empty hand";
        return Err(refuse(15, Rule::C7_7, "/state", why));
    }
    state.attack = Some(Attack { option: attack.option, value, strands });
    Ok(())
}

fn division(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let rest = position.to_assign.unwrap_or(0);
    let most = most_damage(setup, state);
    if rest > most {
        let why = format!("no card that was played leaves {rest} wounds to divide, at most {most}");
        return Err(refuse(15, Rule::C8_4, "/to_assign", why));
    }
    let possible = rest > 0
        && state.mover() == Side::Dwarves
        && state.free(setup, ARMOUR) == 0
        && ch08_wounds::divisions(setup, state, rest).nth(1).is_some();
    if !possible {
        let why = "wounds are divided only where two or more divisions are possible";
        return Err(refuse(15, Rule::C8_4, "/to_assign", why));
    }
    state.to_assign = rest;
    Ok(())
}

/// The most damage of one attack by a card among the dwarves' discards.
fn most_damage(setup: &Setup, state: &State) -> u8 {
    let deck = setup.deck(Side::Dwarves);
    let strands = state.living().count_ones().min(2) as u8;
    let attacks = [(Use::OneAttack, 1), (Use::TwoAttack, strands), (Use::Crossbow, 1)];
    discards(setup, state, Side::Dwarves)
        .flat_map(|row| attacks.map(|(option, times)| (deck.value(row, option), times)))
        .filter_map(|(value, times)| Some(value?.saturating_mul(times)))
        .max()
        .unwrap_or(0)
}

fn ended(setup: &Setup, state: &mut State, position: &Position) -> Result<(), Refused> {
    let Some(outcome) = position.outcome else {
        return Err(refuse(17, Rule::C11_6, "/outcome", "a finished game has an outcome"));
    };
    let ending = outcome.reason.into();
    let (side, reason, rule) = winner(ending);
    let dwarves = state.holding(Side::Dwarves);
    let dragon_dead = ch08_wounds::dragon_is_dead(setup, state);
    let holds = match reason {
        "dragon_killed" => dragon_dead && state.mover() == Side::Dwarves,
        "dwarves_killed" => state.living() == 0 && !dragon_dead,
        _ => {
            let out = dwarves.is_out()
                || (setup.rulings.out_of_time == OutOfTime::DeckEmpty && dwarves.in_deck() == 0);
            out && state.living() != 0 && !dragon_dead
        }
    };
    if !holds || outcome.winner != side {
        let why = format!("the game cannot have ended so in this position: {reason}");
        return Err(refuse(17, rule, "/outcome", why));
    }
    state.ending = Some(ending);
    Ok(())
}

/// What a position says beside what it must: it has to agree with the rest.
fn agreements(setup: &Setup, state: &State, position: &Position) -> Result<(), Refused> {
    if let Some(given) = &position.lost
        && *given != lost(setup, state)
    {
        let why = "these are not the abilities whose spaces are all filled";
        return Err(refuse(11, Rule::C8_5, "/lost", why));
    }
    let excess = ch03_turns::excess(setup, state) as u8;
    if let Some(given) = position.to_discard
        && (state.stage != Stage::Discard || given != excess)
    {
        let why = format!("{given} cards are not what is to be discarded");
        return Err(refuse(12, Rule::C4_2, "/to_discard", why));
    }
    if position.attack.is_some() && state.stage != Stage::Defend {
        return Err(refuse(15, Rule::C7_7, "/attack", "no answer to an attack is pending"));
    }
    if position.to_assign.is_some() && state.stage != Stage::AssignWounds {
        return Err(refuse(15, Rule::C8_4, "/to_assign", "no division of wounds is pending"));
    }
    if position.outcome.is_some() && state.stage != Stage::GameOver {
        return Err(refuse(17, Rule::C11_6, "/outcome", "the game is not over"));
    }
    Ok(())
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

/// A state that the observer of a view could be in: what the view hides is drawn from the cards
/// the observer has not seen.
pub(super) fn determinize(
    setup: &Setup,
    view: &View,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut whole = view.clone();
    for side in Side::BOTH {
        if let CardsView::Closed(_) = view.hands.get(side) {
            fill(setup, &mut whole, side, chance)?;
        } else if let DeckView::Open(OpenCards { count, cards }) = view.decks.get(side) {
            let (count, cards) = (*count, cards.clone());
            *whole.decks.get_mut(side) =
                DeckView::Whole(WholeDeck { count, cards, order: Vec::new() });
        }
    }
    load(setup, &Position::from(whole)).map_err(|refusal| Halt::Mismatch {
        entry: 0,
        asked: "a state behind a view".to_owned(),
        found: refusal.message,
    })
}

/// Draws the hidden hand, deck and unseen discards of a side.
fn fill(setup: &Setup, view: &mut View, side: Side, chance: &mut dyn Chance) -> Result<(), Halt> {
    let deck = setup.deck(side);
    let mut unknown = deck.counts;
    let pile = view.discards.get(side).clone();
    for &kind in &pile.cards {
        if let Some(row) = deck.row(side, kind) {
            unknown[row] = unknown[row].saturating_sub(1);
        }
    }
    let held = match view.hands.get(side) {
        CardsView::Open(open) => open.count,
        CardsView::Closed(closed) => closed.count,
    };
    let hand = draw(side, held, &mut unknown, chance)?;
    let lying = pile.count.saturating_sub(pile.cards.len() as u8);
    let unseen = draw(side, lying, &mut unknown, chance)?;
    *view.hands.get_mut(side) =
        CardsView::Open(OpenCards { count: held, cards: kinds(deck, &hand) });
    let count = total(&unknown) as u8;
    *view.decks.get_mut(side) =
        DeckView::Whole(WholeDeck { count, cards: kinds(deck, &unknown), order: Vec::new() });
    let mut all = unseen;
    for &kind in &pile.cards {
        if let Some(row) = deck.row(side, kind) {
            all[row] += 1;
        }
    }
    *view.discards.get_mut(side) =
        Pile { count: pile.count, cards: kinds(deck, &all), unseen: kinds(deck, &unseen) };
    Ok(())
}

fn draw(side: Side, count: u8, from: &mut Cards, chance: &mut dyn Chance) -> Result<Cards, Halt> {
    let mut drawn = [0; DECK];
    for _ in 0..count {
        let left = total(from) as u32;
        if left == 0 {
            break;
        }
        let ask = Ask { stream: side as u8, what: What::Hidden { n: left } };
        let mut pick = chance.answer(&ask)?;
        for row in 0..DECK {
            if pick < u32::from(from[row]) {
                from[row] -= 1;
                drawn[row] += 1;
                break;
            }
            pick -= u32::from(from[row]);
        }
    }
    Ok(drawn)
}
