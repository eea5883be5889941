//! What each observer knows of a state, built field by field, and the way back: a position.
//!
//! The referee's view is a [`Position`]; so is the short form of part C.4, in which what is left
//! out has the place that the background of the worked examples (part I) gives it:
//!
//! - turn 5, alarm case 1, no card in effect, hands empty, nobody has spent points, Serraglio
//!   empty, `pool` as at the start of the phase with the cards in effect;
//! - pirates at sea, the two replacements aside, the reserve in reserve, all other Rapalline
//!   units free in `porta_santantonio`; in the state `deploy`, all Rapalline units off the map;
//! - tokens in the order of DRG-12.2, pirates on the map numbered like Rapalline units;
//! - under DRG-R27 = `bottom`, decks in the order of the card table.
//!
//! This module must not repair a position: [`super::invariants`] refuses it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ch04_points::{pirate_pool, rapalline_pool};
use super::ch06_combat::value;
use super::ch11_end::target;
use super::ch12_information::public;
use super::ch13_protocol::{Checked, refuse};
use super::invariants;
use super::notice::{Choice, place_name, seat, token_name};
use super::rulebook::{Fleeing, PoolRead, Returned, Rule, Survivors};
use super::setup::{DRAGUT_4, PIRATE_2B, PIRATE_UNITS, PLACES, Setup};
use super::state::{
    Arrival, Cards, Ended, NO_CARD, NONE, Place, Reason, State, Step, Unit, Units, count,
};
use super::tables::{KINDS, Side, UNITS, UnitKind};
use super::{ch02_setup, ch04_points};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Observer;
use umpire_core::wire::{Name, present};

/// Something for each side.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// The pirates'.
    #[serde(default)]
    pub pirates: T,
    /// The Rapalline player's.
    #[serde(default)]
    pub rapalline: T,
}

impl<T> Both<T> {
    fn of(mut each: impl FnMut(Side) -> T) -> Both<T> {
        Both { pirates: each(Side::Pirates), rapalline: each(Side::Rapalline) }
    }

    fn get(&self, side: Side) -> &T {
        match side {
            Side::Pirates => &self.pirates,
            Side::Rapalline => &self.rapalline,
        }
    }
}

/// An object whose keys are ids or tokens, in alphabetical order; a key given twice is refused
/// while reading.
#[derive(Clone, PartialEq, Debug)]
pub struct Named<T>(pub Vec<(Name, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(Vec::new())
    }
}

impl<T> Named<T> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Reader<T> {
            type Value = Named<T>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object of ids")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                use serde::de::Error;
                let mut all = Vec::new();
                while let Some(name) = map.next_key::<Name>()? {
                    if all.iter().any(|&(had, _)| had == name) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    all.push((name, map.next_value()?));
                }
                Ok(Named(all))
            }
        }
        from.deserialize_map(Reader(std::marker::PhantomData))
    }
}

/// Cards: the list for those who may see it, the number for others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Pile))]
#[serde(untagged)]
pub enum Pile {
    /// The cards: a hand in the order of the card table, an ordered deck top first.
    Open(Vec<Name>),
    /// How many.
    Closed(u8),
}

/// The pending decision, as part C.1 names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Pending))]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    /// The Rapalline player deploys.
    Deploy,
    /// Both commit a card.
    ChooseCards,
    /// A pirate action.
    PiratePhase,
    /// The next opponent is named.
    ChooseDefender,
    /// The Arquebusier's reward is chosen.
    ArquebusChoice,
    /// A draw is taken or declined.
    DrawOffer,
    /// A freed unit is placed.
    Relocate,
    /// The Soldier in reserve is placed.
    PlaceReserve,
    /// A Rapalline action.
    RapallinePhase,
    /// Nothing.
    GameOver,
}

impl Pending {
    const ALL: [Pending; 10] = [
        Pending::Deploy,
        Pending::ChooseCards,
        Pending::PiratePhase,
        Pending::ChooseDefender,
        Pending::ArquebusChoice,
        Pending::DrawOffer,
        Pending::Relocate,
        Pending::PlaceReserve,
        Pending::RapallinePhase,
        Pending::GameOver,
    ];

    fn of(step: Step) -> Pending {
        Pending::ALL[step as usize]
    }

    fn step(self) -> Step {
        Step::ALL[self as usize]
    }
}

fn unset(flag: &bool) -> bool {
    !flag
}

/// A unit whose identity the observer knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::UnitView))]
#[serde(deny_unknown_fields)]
pub struct UnitView {
    /// An area, or `at_sea`, `aside`, `reserve`, `serraglio`, `fled`, `removed`.
    pub at: Name,
    /// Whether it is a captive.
    #[serde(default)]
    pub captive: bool,
    /// It fought this turn; told only under DRG-R14 = `stops`.
    #[serde(default, skip_serializing_if = "unset")]
    pub fought: bool,
    /// It was freed this turn; told only under DRG-R23 = `no`.
    #[serde(default, skip_serializing_if = "unset")]
    pub freed: bool,
    /// Whether everybody sees who it is; a captive always is revealed.
    #[serde(default)]
    pub revealed: bool,
    /// Points spent this turn.
    #[serde(default)]
    pub spent: u8,
    /// Its public token, once it has one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub token: Option<Name>,
    /// Its combat value now; none for the Arquebusier.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub value: Option<u8>,
    /// A pirate of less value than its counter shows (DRG-R38).
    #[serde(default, skip_serializing_if = "unset")]
    pub weakened: bool,
}

/// A unit of which the observer knows no more than the counter's back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::TokenView))]
#[serde(deny_unknown_fields)]
pub struct TokenView {
    /// Where it is.
    pub at: Name,
    /// It fought this turn; told only under DRG-R14 = `stops`.
    #[serde(default, skip_serializing_if = "unset")]
    pub fought: bool,
    /// It was freed this turn; told only under DRG-R23 = `no`.
    #[serde(default, skip_serializing_if = "unset")]
    pub freed: bool,
    /// Whose it is.
    pub side: Side,
    /// Points spent this turn.
    pub spent: u8,
}

/// What a side has committed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Commitment))]
#[serde(untagged)]
pub enum Commitment {
    /// The choice, for those who may see it.
    Open(Choice),
    /// Whether a choice was made.
    Made(bool),
}

impl Default for Commitment {
    fn default() -> Self {
        Commitment::Made(false)
    }
}

/// A combat or liberation that is not finished.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Arrival))]
#[serde(deny_unknown_fields)]
pub struct ArrivalView {
    /// Where it arrived.
    pub area: Name,
    /// Whether a draw for an eliminated pirate follows the pending choice.
    #[serde(default, skip_serializing_if = "unset")]
    pub draw_due: bool,
    /// Freed units that are still to be placed.
    #[serde(default)]
    pub freed: Vec<Name>,
    /// Where it came from: an area, or `at_sea`.
    pub from: Name,
    /// The unit that frees captives without having arrived (DRG-R16, DRG-R18).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub liberator: Option<Name>,
    /// The unit that arrived, as long as it is there and free; id or token.
    #[serde(default)]
    pub unit: Option<Name>,
}

/// How the game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Outcome))]
#[serde(deny_unknown_fields)]
pub struct OutcomeView {
    /// `serraglio`, `no_rapalline`, `no_pirates` or `unreachable`.
    pub reason: Name,
    /// The winner.
    pub winner: Side,
}

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
    pub committed: Option<Both<Commitment>>,
    /// The decks: sizes, since nobody knows an order; for the referee the order under
    /// DRG-R27 = `bottom`.
    #[cfg_attr(feature = "schema", schema(value_type = Piles))]
    pub decks: Both<Pile>,
    /// The hands, a committed card included.
    #[cfg_attr(feature = "schema", schema(value_type = Piles))]
    pub hands: Both<Pile>,
    /// How the game ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<OutcomeView>,
    /// Whose phase it is; `null` outside the two phases.
    pub phase: Option<Side>,
    /// Cards in effect.
    #[cfg_attr(feature = "schema", schema(value_type = CardPair))]
    pub played: Both<Option<Name>>,
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
    pub retired: Both<Vec<Name>>,
    /// The pending decision.
    pub state: Pending,
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

/// The `position` of a record: the referee's view, or the short form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Position))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The turn; 5 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub turn: Option<u32>,
    /// The pending decision.
    pub state: Pending,
    /// Whose phase it is; where it is left out, the one that goes with the pending decision.
    #[serde(default)]
    pub phase: Option<Side>,
    /// Points left in the phase; where it is left out, those of its start.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pool: Option<u8>,
    /// The alarm case; 1 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub alarm_case: Option<u8>,
    /// The case read after the reveal (DRG-R10 = `turn_start`); the alarm case where left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub read_case: Option<u8>,
    /// The alarm was raised by an action this phase (DRG-R30 = `once`).
    #[serde(default)]
    pub raised: bool,
    /// The target; it must be the one that follows from where Giulia is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub target: Option<u8>,
    /// Units, by id.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<umpire_core::wire::Name, UnitView>, required = false))]
    pub units: Named<UnitView>,
    /// The hands; empty where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub hands: Both<Vec<Name>>,
    /// The decks; they must be what hands, played and retired cards leave.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Piles, required = false))]
    pub decks: Option<Both<Pile>>,
    /// Cards out of the game; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub retired: Both<Vec<Name>>,
    /// Cards in effect; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardPair, required = false))]
    pub played: Both<Option<Name>>,
    /// What was committed, while cards are chosen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Commitments, required = false))]
    pub committed: Option<Both<Commitment>>,
    /// The combat or liberation that is not finished.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub arrival: Option<ArrivalView>,
    /// How the game ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<OutcomeView>,
}

impl Default for Pile {
    fn default() -> Self {
        Pile::Closed(0)
    }
}

#[cfg(feature = "schema")]
mod schemas {
    //! The schemas of what each side has; [`super::Both`] is generic and has none of its own.

    #![allow(dead_code, reason = "these exist for their schemas")]

    use super::{Commitment, Name, Pile};

    #[derive(utoipa::ToSchema)]
    #[schema(as = dragut::Piles)]
    pub(super) struct Piles {
        /// The pirates' cards.
        pirates: Pile,
        /// The Rapalline player's cards.
        rapalline: Pile,
    }

    #[derive(utoipa::ToSchema)]
    #[schema(as = dragut::CardLists)]
    pub(super) struct CardLists {
        /// The pirates' cards.
        pirates: Vec<Name>,
        /// The Rapalline player's cards.
        rapalline: Vec<Name>,
    }

    #[derive(utoipa::ToSchema)]
    #[schema(as = dragut::CardPair)]
    pub(super) struct CardPair {
        /// The pirates' card.
        pirates: Option<Name>,
        /// The Rapalline player's card.
        rapalline: Option<Name>,
    }

    #[derive(utoipa::ToSchema)]
    #[schema(as = dragut::Commitments)]
    pub(super) struct Commitments {
        /// The pirates' choice.
        pirates: Commitment,
        /// The Rapalline player's choice.
        rapalline: Commitment,
    }
}
#[cfg(feature = "schema")]
use schemas::{CardLists, CardPair, Commitments, Piles};

/// What an observer knows of the state.
pub fn view(setup: &Setup, state: &State, to: Observer) -> View {
    let referee = to == Observer::Referee;
    let known = |unit: Unit| to.sees(seat(setup.side(unit))) || public(setup, state, unit);
    let token = |unit: Unit| token_name(setup.side(unit), state.token[unit.at()]);
    let name = |unit: Unit| if known(unit) { setup.unit_id(unit) } else { token(unit) };
    let mut units = Named(Vec::with_capacity(UNITS));
    let mut tokens = Vec::new();
    for &unit in setup.by_id.iter() {
        let at = place_name(setup, state.place[unit.at()]);
        let spent = state.spent[unit.at()];
        let (fought, freed) = (state.fought.contains(unit), state.freed.contains(unit));
        if known(unit) {
            let shown = UnitView {
                at,
                token: Some(token(unit)).filter(|_| state.token[unit.at()] > 0),
                value: Some(value(setup, state, unit))
                    .filter(|_| setup.kinds[unit.at()] != UnitKind::Arquebusier),
                captive: state.captive.contains(unit),
                revealed: state.revealed.contains(unit),
                spent,
                weakened: state.weakened.contains(unit),
                fought,
                freed,
            };
            units.0.push((setup.unit_id(unit), shown));
        } else if state.token[unit.at()] > 0 {
            let shown = TokenView { side: setup.side(unit), at, spent, fought, freed };
            tokens.push((token(unit), shown));
        }
    }
    // By token, so that the order tells nothing about who it is.
    tokens.sort_unstable_by_key(|&(token, _)| token);
    let tokens = Named(tokens);
    let at_sea = state.at(Place::AT_SEA).and(PIRATE_UNITS).len() as u8;
    View {
        turn: state.turn,
        state: Pending::of(state.step),
        phase: state.phase,
        pool: state.pool,
        alarm_case: state.case,
        read_case: Some(state.read_case).filter(|&case| case > 0),
        raised: state.raised,
        target: target(setup, state),
        units,
        tokens,
        at_sea: Some(at_sea).filter(|_| !to.sees(seat(Side::Pirates))),
        hands: Both::of(|side| hand(setup, state, side, to)),
        decks: Both::of(|side| deck(setup, state, side, referee)),
        retired: Both::of(|side| list(setup, side, &state.cards[side.at()].retired)),
        played: Both::of(|side| card(setup, side, state.cards[side.at()].played)),
        committed: (state.step == Step::ChooseCards)
            .then(|| Both::of(|side| commitment(setup, state, side, to))),
        arrival: state.arrival.map(|arrival| ArrivalView {
            unit: arrival.unit.map(name),
            from: place_name(setup, arrival.from),
            area: setup.area_id(arrival.area),
            liberator: arrival.liberator.map(name),
            freed: arrival.waiting.iter().map(name).collect(),
            draw_due: state.step == Step::ArquebusChoice && state.owes_draw,
        }),
        outcome: state.ended.map(|ended| OutcomeView {
            winner: ended.winner,
            reason: Name::new(ended.reason.name()).unwrap_or_default(),
        }),
    }
}

fn card(setup: &Setup, side: Side, row: u8) -> Option<Name> {
    setup.decks[side.at()].ids.get(usize::from(row)).copied()
}

/// The cards of a pile, in the order of the table.
fn list(setup: &Setup, side: Side, pile: &[u8; KINDS]) -> Vec<Name> {
    let ids = setup.decks[side.at()].ids.iter().zip(pile);
    ids.flat_map(|(&id, &copies)| std::iter::repeat_n(id, usize::from(copies))).collect()
}

fn hand(setup: &Setup, state: &State, side: Side, to: Observer) -> Pile {
    let pile = &state.cards[side.at()].hand;
    if to.sees(seat(side)) {
        Pile::Open(list(setup, side, pile))
    } else {
        Pile::Closed(count(pile))
    }
}

fn deck(setup: &Setup, state: &State, side: Side, referee: bool) -> Pile {
    let cards = &state.cards[side.at()];
    let size = count(&cards.deck);
    if referee && setup.rulings.returned == Returned::Bottom {
        let order = &cards.order[..usize::from(size)];
        return Pile::Open(order.iter().filter_map(|&row| card(setup, side, row)).collect());
    }
    Pile::Closed(size)
}

fn commitment(setup: &Setup, state: &State, side: Side, to: Observer) -> Commitment {
    match state.cards[side.at()].committed {
        NONE => Commitment::Made(false),
        row if to.sees(seat(side)) => Commitment::Open(Choice { card: card(setup, side, row) }),
        _ => Commitment::Made(true),
    }
}

fn unfit<T>(rule: Rule, at: impl Into<String>, message: impl Into<String>) -> Checked<T> {
    Err(refuse(rule, "position_refused", message, at))
}

/// The state of a position, after checking every invariant.
pub fn load(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = ch02_setup::start(setup);
    state.step = position.state.step();
    let deploying = state.step == Step::Deploy;
    state.turn = position.turn.unwrap_or(if deploying { 0 } else { 5 });
    state.case = position.alarm_case.unwrap_or(1);
    if state.case < 1 || state.case > setup.cases() {
        let message =
            format!("the alarm track has cases 1 to {}, no case {}", setup.cases(), state.case);
        return Err(refuse(Rule::C8_1, "position_refused", message, "/alarm_case").invariant(4));
    }
    place_units(setup, position, &mut state)?;
    deal_cards(setup, position, &mut state)?;
    if let Some(arrival) = &position.arrival {
        state.arrival = Some(read_arrival(setup, &state, arrival)?);
        state.owes_draw = arrival.draw_due;
    }
    state.owes_choice = state.step == Step::ArquebusChoice;
    state.owes_draw |= state.step == Step::DrawOffer;
    state.phase = position.phase.or_else(|| phase_of(setup, &state));
    state.raised = position.raised;
    if let Some(OutcomeView { winner, reason }) = &position.outcome {
        let Some(&reason) = Reason::ALL.iter().find(|it| it.name() == reason.as_str()) else {
            return unfit(Rule::C11_5, "/outcome/reason", format!("{reason} is no way to end"));
        };
        state.ended = Some(Ended { winner: *winner, reason });
    }
    let phases = state.phase.is_some() && state.step != Step::GameOver;
    let reads = setup.rulings.pool_read == PoolRead::TurnStart && state.phase.is_some();
    state.read_case = if reads {
        position.read_case.unwrap_or(state.case)
    } else {
        position.read_case.unwrap_or(0)
    };
    state.pool = position.pool.unwrap_or_else(|| match state.phase {
        Some(Side::Pirates) if phases => pirate_pool(setup, &state),
        Some(Side::Rapalline) if phases => rapalline_pool(setup, &state),
        _ => 0,
    });
    assign_tokens(setup, &mut state);
    told_values(setup, position, &state)?;
    invariants::position(setup, &state)?;
    Ok(state)
}

/// The phase that goes with a pending decision.
fn phase_of(setup: &Setup, state: &State) -> Option<Side> {
    match state.step {
        Step::Deploy | Step::ChooseCards | Step::GameOver => None,
        Step::PiratePhase => Some(Side::Pirates),
        Step::RapallinePhase | Step::PlaceReserve => Some(Side::Rapalline),
        _ => match state.arrival.and_then(|arrival| arrival.unit) {
            Some(unit) => Some(setup.side(unit)),
            None => Some(Side::Rapalline),
        },
    }
}

fn read_place(setup: &Setup, name: &Name, at: impl Fn() -> String) -> Checked<Place> {
    if let Some(area) = setup.area(name) {
        return Ok(Place::on(area));
    }
    match PLACES.iter().position(|&place| place == name.as_str()) {
        Some(index) => Ok(Place(Place::AT_SEA.0 + index as u8)),
        None => {
            let message = format!("{name} is no area of the map and no other place");
            Err(refuse(Rule::C1_1, "position_refused", message, at()).invariant(1))
        }
    }
}

fn place_units(setup: &Setup, position: &Position, state: &mut State) -> Checked<()> {
    let mut told = Units::NONE;
    for (id, given) in &position.units.0 {
        let at = |field: &str| format!("/units/{id}/{field}");
        let Some(unit) = setup.unit(id) else {
            return unfit(Rule::C13_3, format!("/units/{id}"), format!("{id} is no unit"));
        };
        told.insert(unit);
        let place = read_place(setup, &given.at, || at("at"))?;
        state.place[unit.at()] = place;
        state.spent[unit.at()] = given.spent;
        state.token[unit.at()] = match &given.token {
            None => 0,
            Some(token) => read_token(setup, unit, token, at("token"))?,
        };
        let flags = [
            (given.captive, &mut state.captive),
            (given.weakened, &mut state.weakened),
            (given.fought, &mut state.fought),
            (given.freed, &mut state.freed),
        ];
        for (set, units) in flags {
            if set {
                units.insert(unit);
            }
        }
        let secret = place == Place::FLED && setup.rulings.fleeing == Fleeing::GiuliaOnly;
        let known = given.captive || (secret && unit == setup.giulia);
        let back = place == Place::AT_SEA && setup.rulings.survivors == Survivors::StayRevealed;
        if given.revealed && place.area().is_none() && !secret && !back {
            let message = format!("{id} is not on the map; nobody needs to see who it is");
            return unfit(Rule::C1_3, at("revealed"), message);
        }
        if given.revealed || known {
            state.revealed.insert(unit);
        }
    }
    if state.step == Step::Deploy {
        return Ok(());
    }
    let home = Name::new("porta_santantonio").and_then(|id| setup.area(&id));
    for unit in setup.deployable().minus(told) {
        let Some(home) = home else {
            let message =
                format!("{} has no place: the map has no porta_santantonio", setup.unit_id(unit));
            return unfit(Rule::C1_1, "/units", message);
        };
        state.place[unit.at()] = Place::on(home);
    }
    Ok(())
}

fn read_token(setup: &Setup, unit: Unit, token: &Name, at: String) -> Checked<u8> {
    let side = setup.side(unit);
    let most = if side == Side::Pirates { 5 } else { setup.reserve_token() };
    let found = (1..=most).find(|&number| token_name(side, number) == *token);
    match found {
        Some(number) => Ok(number),
        None => unfit(Rule::C12_2, at, format!("{token} is no token of {}", setup.unit_id(unit))),
    }
}

/// DRG-12.2: who has no token in the position gets the lowest that is left.
fn assign_tokens(setup: &Setup, state: &mut State) {
    if state.step == Step::Deploy {
        return;
    }
    for side in Side::BOTH {
        let need = match side {
            Side::Pirates => state.on_map().and(PIRATE_UNITS),
            Side::Rapalline => setup.deployable(),
        };
        let key = |unit: Unit| (state.place[unit.at()].0, unit.at());
        let mut bare: Vec<Unit> = need.iter().filter(|it| state.token[it.at()] == 0).collect();
        bare.sort_by_key(|&unit| key(unit));
        let mut number = 0;
        for unit in bare {
            loop {
                number += 1;
                let taken = setup.units_of(side).iter().any(|it| state.token[it.at()] == number);
                if !taken {
                    break;
                }
            }
            state.token[unit.at()] = number;
        }
    }
    let reserve = setup.reserve.at();
    if state.place[reserve] != Place::RESERVE && state.token[reserve] == 0 {
        state.token[reserve] = setup.reserve_token();
    }
}

fn deal_cards(setup: &Setup, position: &Position, state: &mut State) -> Checked<()> {
    for side in Side::BOTH {
        let name = side.name();
        let copies = setup.decks[side.at()].copies;
        let mut left = copies;
        let mut take = |id: &Name, at: String| -> Checked<u8> {
            let Some(row) = setup.card(side, id) else {
                return unfit(Rule::C13_3, at, format!("{id} is no card of the {name}"));
            };
            let copies = &mut left[usize::from(row)];
            if *copies == 0 {
                let message = format!("there are more {id} than the deck of the {name} has copies");
                return Err(refuse(Rule::C3_7, "position_refused", message, at).invariant(3));
            }
            *copies -= 1;
            Ok(row)
        };
        let cards: &mut Cards = &mut state.cards[side.at()];
        let piles = [
            ("hands", &position.hands, &mut cards.hand),
            ("retired", &position.retired, &mut cards.retired),
        ];
        for (field, lists, pile) in piles {
            for (index, id) in lists.get(side).iter().enumerate() {
                pile[usize::from(take(id, format!("/{field}/{name}/{index}"))?)] += 1;
            }
        }
        if let Some(id) = position.played.get(side) {
            cards.played = take(id, format!("/played/{name}"))?;
        }
        cards.deck = left;
        lay_order(setup, position, side, cards)?;
        let committed = position.committed.as_ref().map(|both| *both.get(side));
        cards.committed = match committed.unwrap_or_default() {
            Commitment::Made(false) => NONE,
            Commitment::Made(true) => {
                let message = "a position tells what was committed";
                return unfit(Rule::C3_2, format!("/committed/{name}"), message);
            }
            Commitment::Open(Choice { card: None }) => NO_CARD,
            Commitment::Open(Choice { card: Some(id) }) => match setup.card(side, &id) {
                Some(row) if cards.hand[usize::from(row)] > 0 => row,
                _ => {
                    let message = format!("the {name} have no {id} in hand");
                    return unfit(Rule::C3_2, format!("/committed/{name}/card"), message);
                }
            },
        };
    }
    Ok(())
}

/// The deck as the position gives it must be what the other piles leave.
fn lay_order(setup: &Setup, position: &Position, side: Side, cards: &mut Cards) -> Checked<()> {
    let bottom = setup.rulings.returned == Returned::Bottom;
    let size = count(&cards.deck);
    let at = format!("/decks/{}", side.name());
    let broken = |message: String| {
        Err(refuse(Rule::C3_7, "position_refused", message, at.clone()).invariant(3))
    };
    match position.decks.as_ref().map(|decks| decks.get(side)) {
        Some(Pile::Closed(told)) if *told != size => {
            broken(format!("the other piles leave {size} cards in the deck, not {told}"))
        }
        Some(Pile::Open(_)) if !bottom => {
            unfit(Rule::C3_7, at, "a deck has an order only under DRG-R27 = bottom")
        }
        Some(Pile::Open(order)) => {
            let mut seen = [0; KINDS];
            if order.len() != usize::from(size) {
                return broken(format!(
                    "the other piles leave {size} cards in the deck, not {}",
                    order.len()
                ));
            }
            for (slot, id) in cards.order.iter_mut().zip(order) {
                let Some(row) = setup.card(side, id) else {
                    return unfit(Rule::C13_3, at, format!("{id} is no card of this deck"));
                };
                *slot = row;
                seen[usize::from(row)] += 1;
            }
            if seen == cards.deck {
                Ok(())
            } else {
                broken("the deck is not what the other piles leave".into())
            }
        }
        _ if bottom => {
            let deck = cards.deck.iter().enumerate();
            let rows =
                deck.flat_map(|(row, &copies)| std::iter::repeat_n(row as u8, usize::from(copies)));
            for (slot, row) in cards.order.iter_mut().zip(rows) {
                *slot = row;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn read_arrival(setup: &Setup, state: &State, given: &ArrivalView) -> Checked<Arrival> {
    let unit = |name: &Name, field: &str| {
        setup.unit(name).ok_or_else(|| {
            refuse(
                Rule::C13_3,
                "position_refused",
                format!("{name} is no unit"),
                format!("/arrival/{field}"),
            )
        })
    };
    let Some(area) = setup.area(&given.area) else {
        return unfit(Rule::C13_3, "/arrival/area", format!("{} is no area", given.area));
    };
    let mut waiting = Units::NONE;
    for name in &given.freed {
        let unit = unit(name, "freed")?;
        if setup.side(unit) == Side::Pirates || given.unit.as_ref() == Some(name) {
            let message = format!("{name} was no captive that is freed here");
            return unfit(Rule::C7_9, "/arrival/freed", message);
        }
        waiting.insert(unit);
    }
    if given.draw_due && state.step != Step::ArquebusChoice {
        let message = "a draw is due only behind the Arquebusier's choice";
        return unfit(Rule::C9_4, "/arrival/draw_due", message);
    }
    let from = read_place(setup, &given.from, || "/arrival/from".to_owned())?;
    if from.area().is_none() && from != Place::AT_SEA {
        return unfit(Rule::C5_1, "/arrival/from", "a unit arrives from an area or from the sea");
    }
    let arrival = Arrival {
        unit: given.unit.as_ref().map(|name| unit(name, "unit")).transpose()?,
        from,
        area,
        liberator: given.liberator.as_ref().map(|name| unit(name, "liberator")).transpose()?,
        waiting,
    };
    for unit in arrival.unit.into_iter().chain(waiting) {
        if state.place[unit.at()] != Place::on(area) || state.captive.contains(unit) {
            let message = format!("{} is not free in {}", setup.unit_id(unit), given.area);
            return unfit(Rule::C6_1, "/arrival", message);
        }
    }
    Ok(arrival)
}

/// What a position tells and the rules give must agree: values and target.
fn told_values(setup: &Setup, position: &Position, state: &State) -> Checked<()> {
    for (id, given) in &position.units.0 {
        let Some(unit) = setup.unit(id) else { continue };
        let is = value(setup, state, unit);
        let marksman = setup.kinds[unit.at()] == UnitKind::Arquebusier;
        if given.value.is_some_and(|told| told != is || marksman) {
            let message = format!("the value of {id} is not what the position tells");
            let refusal =
                refuse(Rule::C10_3, "position_refused", message, format!("/units/{id}/value"));
            let bartolomeo = unit == setup.bartolomeo;
            return Err(if bartolomeo { refusal.invariant(19) } else { refusal });
        }
    }
    let is = target(setup, state);
    if position.target.is_some_and(|told| told != is) {
        let message = format!("the target is {is}");
        return Err(refuse(Rule::C11_1, "position_refused", message, "/target").invariant(4));
    }
    Ok(())
}

/// The random stream for guesses and samples; no record ever draws from it.
pub const GUESSES: u8 = 2;

fn pick(chance: &mut dyn Chance, n: usize) -> Result<usize, Halt> {
    let what = What::Hidden { n: n.max(1) as u32 };
    Ok(chance.answer(&Ask { stream: GUESSES, what })? as usize)
}

/// A state that the viewer could be in.
pub fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
    const TRIES: usize = 64;
    let mut state = guess(setup, view, chance)?;
    for _ in 1..TRIES {
        if plausible(setup, &state) {
            break;
        }
        state = guess(setup, view, chance)?;
    }
    Ok(state)
}

/// DRG-4.8 is known to everybody: a phase that did not end by itself has something to do.
fn plausible(setup: &Setup, state: &State) -> bool {
    match (state.step, state.phase) {
        (Step::PiratePhase | Step::RapallinePhase, Some(side)) => {
            ch04_points::goes_on(setup, state, side)
        }
        _ => true,
    }
}

fn guess(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
    let place = |name: &Name| read_place(setup, name, String::new).unwrap_or(Place::REMOVED);
    let put = |state: &mut State, unit: Unit, (token, shown): &(Name, TokenView)| {
        state.place[unit.at()] = place(&shown.at);
        state.token[unit.at()] = token_number(token);
        state.spent[unit.at()] = shown.spent;
        if shown.fought {
            state.fought.insert(unit);
        }
        if shown.freed {
            state.freed.insert(unit);
        }
    };
    let mut state = ch02_setup::start(setup);
    state.step = view.state.step();
    (state.turn, state.case, state.pool) = (view.turn, view.alarm_case, view.pool);
    (state.phase, state.raised) = (view.phase, view.raised);
    state.read_case = view.read_case.unwrap_or(0);
    let mut known = Units::NONE;
    for (id, given) in &view.units.0 {
        let Some(unit) = setup.unit(id) else { continue };
        known.insert(unit);
        state.place[unit.at()] = place(&given.at);
        let token = given.token.as_ref();
        state.token[unit.at()] = token.map_or(0, token_number);
        state.spent[unit.at()] = given.spent;
        let flags = [
            (given.captive, &mut state.captive),
            (given.revealed, &mut state.revealed),
            (given.weakened, &mut state.weakened),
            (given.fought, &mut state.fought),
            (given.freed, &mut state.freed),
        ];
        for (set, units) in flags {
            if set {
                units.insert(unit);
            }
        }
    }
    for side in Side::BOTH {
        let mut slots: Vec<&(Name, TokenView)> =
            view.tokens.0.iter().filter(|(_, shown)| shown.side == side).collect();
        let hidden = setup.units_of(side).minus(known);
        // Who may not stand behind every token (or not at sea) chooses first; the rest follow in
        // random order, and pirates that are left are at sea.
        let strict = hidden.iter().filter(|&unit| {
            unit == setup.reserve || unit == setup.giulia || unit == DRAGUT_4 || unit == PIRATE_2B
        });
        let mut free: Vec<Unit> = hidden.iter().collect();
        for unit in strict {
            let fits: Vec<usize> =
                (0..slots.len()).filter(|&at| may_be(setup, unit, slots[at])).collect();
            if let Some(&at) = fits.get(pick(chance, fits.len())?) {
                put(&mut state, unit, slots.swap_remove(at));
                free.retain(|&other| other != unit);
            }
        }
        for slot in slots {
            let at = pick(chance, free.len())?;
            if at < free.len() {
                put(&mut state, free.swap_remove(at), slot);
            }
        }
        for unit in free {
            state.place[unit.at()] =
                if side == Side::Pirates { Place::AT_SEA } else { Place::RESERVE };
        }
        guess_cards(setup, view, side, &mut state.cards[side.at()], chance)?;
    }
    if let Some(given) = &view.arrival {
        let unit = |name: &Name| match setup.unit(name) {
            Some(unit) => Some(unit),
            None => setup
                .all
                .iter()
                .find(|&unit| token_name(setup.side(unit), state.token[unit.at()]) == *name),
        };
        state.arrival = setup.area(&given.area).map(|area| Arrival {
            unit: given.unit.as_ref().and_then(unit),
            from: place(&given.from),
            area,
            liberator: given.liberator.as_ref().and_then(unit),
            waiting: given
                .freed
                .iter()
                .filter_map(unit)
                .fold(Units::NONE, |all, it| all.or(Units::one(it))),
        });
        state.owes_draw = given.draw_due;
    }
    state.owes_choice = state.step == Step::ArquebusChoice;
    state.owes_draw |= state.step == Step::DrawOffer;
    state.ended = view.outcome.as_ref().and_then(|outcome| {
        let reason = *Reason::ALL.iter().find(|it| it.name() == outcome.reason.as_str())?;
        Some(Ended { winner: outcome.winner, reason })
    });
    Ok(state)
}

fn token_number(token: &Name) -> u8 {
    token.as_str().get(1..).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Whether a hidden unit may stand behind a token, as far as everybody knows: the last token is
/// the reserve's, and Giulia would have been shown when she fled.
fn may_be(setup: &Setup, unit: Unit, (token, shown): &(Name, TokenView)) -> bool {
    let last = shown.side == Side::Rapalline && token_number(token) == setup.reserve_token();
    let fled = shown.at.as_str() == "fled";
    (unit == setup.reserve) == last && !(fled && unit == setup.giulia)
}

fn guess_cards(
    setup: &Setup,
    view: &View,
    side: Side,
    cards: &mut Cards,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    let row = |id: &Name| setup.card(side, id).unwrap_or(0);
    let mut left = setup.decks[side.at()].copies;
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
            for _ in 0..*size {
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
                for at in 0..usize::from(*size) {
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
