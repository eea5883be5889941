//! DRK-12 Visibility: what each observer knows of the state (part E), and the way back from a
//! view to a state.
//!
//! A view is built field by field from what its observer may know: a hand is open or closed,
//! there is no field to forget to clear.

use serde::{Deserialize, Serialize};

use super::action::{Dwarf, Kind, Side, Use};
use super::ch03_turns;
use super::ch07_attacks::strand_order;
use super::event::winner;
use super::setup::Setup;
use super::state::{Cards, Stage, State, total};
use super::tables::{ARMOUR, Deck};
use crate::board::hex::Hex;
use crate::game::Observer;

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

/// An ability that the dragon can lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Ability))]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Flying.
    Flight,
    /// Walking.
    Movement,
    /// Breathing fire.
    Fire,
}

impl Ability {
    pub(super) const ALL: [Ability; 3] = [Ability::Flight, Ability::Movement, Ability::Fire];

    pub(super) fn track(self) -> usize {
        ARMOUR + 1 + self as usize
    }
}

/// The name of a pending decision (part C.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::State))]
#[serde(rename_all = "snake_case")]
pub enum StageName {
    /// Nothing is pending: the game could not be dealt.
    Setup,
    /// The dragon may exchange its hand.
    MulliganDragon,
    /// The dwarves may exchange their hand.
    MulliganDwarves,
    /// The dwarves are put on the board.
    Placement,
    /// The side to move takes an action.
    Action,
    /// The side to move discards to the hand limit.
    Discard,
    /// The side attacked answers.
    Defend,
    /// The dwarves divide wounds.
    AssignWounds,
    /// The game is over.
    GameOver,
}

impl From<Stage> for StageName {
    fn from(stage: Stage) -> StageName {
        match stage {
            Stage::Setup => StageName::Setup,
            Stage::MulliganDragon => StageName::MulliganDragon,
            Stage::MulliganDwarves => StageName::MulliganDwarves,
            Stage::Placement => StageName::Placement,
            Stage::Action => StageName::Action,
            Stage::Discard => StageName::Discard,
            Stage::Defend => StageName::Defend,
            Stage::AssignWounds => StageName::AssignWounds,
            Stage::GameOver => StageName::GameOver,
        }
    }
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Setup => Stage::Setup,
            StageName::MulliganDragon => Stage::MulliganDragon,
            StageName::MulliganDwarves => Stage::MulliganDwarves,
            StageName::Placement => Stage::Placement,
            StageName::Action => Stage::Action,
            StageName::Discard => Stage::Discard,
            StageName::Defend => Stage::Defend,
            StageName::AssignWounds => Stage::AssignWounds,
            StageName::GameOver => Stage::GameOver,
        }
    }
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
    /// The attacking dwarf, or the attacked one.
    pub strand: Dwarf,
    /// The value.
    pub value: u8,
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::EndReason))]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// DRK-11.1.
    DragonKilled,
    /// DRK-11.2.
    DwarvesKilled,
    /// DRK-11.3.
    CardsExhausted,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Result))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct EndView {
    /// Why.
    pub reason: EndReason,
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
    /// The attack to be answered.
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub attack: Option<AttackView>,
    /// The decks.
    #[cfg_attr(feature = "schema", schema(value_type = DecksSchema))]
    pub decks: BySide<DeckView>,
    /// The discards.
    #[cfg_attr(feature = "schema", schema(value_type = PilesSchema))]
    pub discards: BySide<Pile>,
    /// Whether the fury marker is used up.
    pub fury_used: bool,
    /// The hands.
    #[cfg_attr(feature = "schema", schema(value_type = HandsSchema))]
    pub hands: BySide<CardsView>,
    /// Where the figures stand.
    pub hexes: Hexes,
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
    pub state: StageName,
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

/// The kinds of a set of cards, in canonical order.
pub(super) fn kinds(deck: &Deck, cards: &Cards) -> Vec<Kind> {
    deck.kinds
        .iter()
        .zip(cards)
        .flat_map(|(&kind, &count)| std::iter::repeat_n(kind, usize::from(count)))
        .collect()
}

/// A set of cards in words.
pub(super) fn listed(deck: &Deck, cards: &Cards) -> String {
    let names: Vec<String> = kinds(deck, cards).iter().map(Kind::to_string).collect();
    if names.is_empty() { "empty".to_owned() } else { names.join(", ") }
}

fn open(deck: &Deck, cards: &Cards) -> OpenCards {
    OpenCards { count: total(cards) as u8, cards: kinds(deck, cards) }
}

fn closed(cards: &Cards) -> ClosedCards {
    ClosedCards { count: total(cards) as u8 }
}

/// Everything of a side that is neither in hand nor in the deck.
pub(super) fn discarded(setup: &Setup, state: &State, side: Side) -> Cards {
    let holding = state.holding(side);
    let mut rest = setup.deck(side).counts;
    for ((rest, hand), deck) in rest.iter_mut().zip(holding.hand).zip(holding.deck) {
        *rest -= hand + deck;
    }
    rest
}

/// DRK-12.1 What an observer knows of the state.
pub(super) fn view(setup: &Setup, state: &State, to: Observer) -> View {
    let hex = |figure: usize| state.places[figure].map(super::board::Place::hex);
    let [fury, archery, net, armour, flight, movement, fire] = state.wounds;
    let hands = BySide::of(|side| {
        let hand = &state.holding(side).hand;
        if to.sees(side.seat()) {
            CardsView::Open(open(setup.deck(side), hand))
        } else {
            CardsView::Closed(closed(hand))
        }
    });
    let decks = BySide::of(|side| {
        let (deck, holding) = (setup.deck(side), state.holding(side));
        match to {
            Observer::Referee => {
                let known = usize::from(holding.next)..usize::from(holding.known);
                DeckView::Whole(WholeDeck {
                    count: total(&holding.deck) as u8,
                    cards: kinds(deck, &holding.deck),
                    order: holding.order[known]
                        .iter()
                        .map(|&row| deck.kinds[usize::from(row)])
                        .collect(),
                })
            }
            Observer::Seat(_) if to.sees(side.seat()) => DeckView::Open(open(deck, &holding.deck)),
            Observer::Seat(_) | Observer::Spectator => DeckView::Closed(closed(&holding.deck)),
        }
    });
    let discards = BySide::of(|side| {
        let (deck, all) = (setup.deck(side), discarded(setup, state, side));
        let unseen = &state.holding(side).unseen;
        let count = total(&all) as u8;
        if to.sees(side.seat()) {
            return Pile { count, cards: kinds(deck, &all), unseen: kinds(deck, unseen) };
        }
        let mut seen = all;
        for (seen, unseen) in seen.iter_mut().zip(unseen) {
            *seen -= unseen;
        }
        Pile { count, cards: kinds(deck, &seen), unseen: Vec::new() }
    });
    let attack = state.attack.filter(|_| state.stage == Stage::Defend).map(|attack| AttackView {
        option: attack.option,
        strands: strand_order(setup, state, attack)
            .into_iter()
            .flatten()
            .map(|strand| Strand { strand, value: attack.value })
            .collect(),
    });
    let discarding = state.stage == Stage::Discard;
    let assigning = state.stage == Stage::AssignWounds;
    View {
        turn: state.turn,
        side: if state.turn == 0 { state.decider().unwrap_or(Side::Dragon) } else { state.mover() },
        actions_left: state.actions_left,
        state: state.stage.into(),
        hexes: Hexes { dragon: hex(0), fury: hex(1), archery: hex(2), net: hex(3) },
        wounds: Wounds { fury, archery, net, armour, flight, movement, fire },
        lost: lost(setup, state),
        netted: state.netted,
        fury_used: state.fury_used,
        hands,
        decks,
        discards,
        attack,
        to_discard: discarding.then(|| ch03_turns::excess(setup, state) as u8),
        to_assign: assigning.then_some(state.to_assign),
        outcome: state.ending.map(|ending| {
            let (winner, _, _) = winner(ending);
            EndView { winner, reason: ending.into() }
        }),
    }
}

/// The dragon's lost abilities, in order.
pub(super) fn lost(setup: &Setup, state: &State) -> Vec<Ability> {
    Ability::ALL.into_iter().filter(|ability| state.lost(setup, ability.track())).collect()
}

impl From<super::state::Ending> for EndReason {
    fn from(ending: super::state::Ending) -> EndReason {
        use super::state::Ending;
        match ending {
            Ending::DragonKilled => EndReason::DragonKilled,
            Ending::DwarvesKilled => EndReason::DwarvesKilled,
            Ending::CardsExhausted => EndReason::CardsExhausted,
        }
    }
}

impl From<EndReason> for super::state::Ending {
    fn from(reason: EndReason) -> super::state::Ending {
        use super::state::Ending;
        match reason {
            EndReason::DragonKilled => Ending::DragonKilled,
            EndReason::DwarvesKilled => Ending::DwarvesKilled,
            EndReason::CardsExhausted => Ending::CardsExhausted,
        }
    }
}
