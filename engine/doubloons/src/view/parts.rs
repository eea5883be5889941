//! The parts of a view: what stands under each of its fields.
//!
//! Must not decide who sees what: `view.rs` does.

use serde::{Deserialize, Deserializer, Serialize};

use crate::action::{DealItem, Key, Player, SEATS, StackOwner, Target, unset};
use crate::state::{Ending, Stage};
use crate::tables::{FavorUse, Good, Kind, Mission};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// Where the game stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::StateView))]
#[serde(deny_unknown_fields)]
pub struct StateView {
    /// The phase.
    pub phase: Stage,
    /// Whose main turn it is.
    #[serde(default)]
    pub active: Option<Player>,
    /// The order of the main turns, once it is thrown.
    #[serde(default)]
    pub order: Vec<Player>,
    /// Spies were paid this turn (DBD-R40).
    #[serde(default, skip_serializing_if = "unset")]
    pub spied: bool,
    /// The hexes out of which units attacked this turn (DBD-R102).
    #[serde(default, skip_serializing_if = "unset")]
    pub attacked_from: Vec<Hex>,
}

/// A city.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::CityView))]
#[serde(deny_unknown_fields)]
pub struct CityView {
    /// Who controls it; `null` where it is neutral, left out where a position sent leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "stated")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Player>))]
    pub control: Option<Option<Player>>,
    /// What it supplies, slot by slot.
    #[serde(default)]
    pub supply: Vec<Good>,
    /// What it demands, slot by slot.
    #[serde(default)]
    pub demand: Vec<Good>,
    /// Renaissance masters.
    #[serde(default, skip_serializing_if = "unset")]
    pub masters: u32,
    /// The last round without income, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub no_income_until: u32,
    /// Whose main turn of that round is the end, under DBD-R4 = `main_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub no_income_turn_of: Option<Player>,
    /// The last round without recruiting, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub no_recruit_until: u32,
    /// Whose main turn of that round is the end, under DBD-R4 = `main_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub no_recruit_turn_of: Option<Player>,
    /// The last round under protection, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub protected_until: u32,
    /// Whose main turn of that round is the end, under DBD-R4 = `main_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub protected_turn_of: Option<Player>,
    /// Something was recruited here this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub recruited: bool,
    /// Somebody negotiated here this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub negotiated: bool,
    /// Its goods are still to be thrown (DBD-R6).
    #[serde(default, skip_serializing_if = "unset")]
    pub goods_unthrown: bool,
    /// Its garrison is still to be thrown (DBD-R8).
    #[serde(default, skip_serializing_if = "unset")]
    pub garrison_unthrown: bool,
}

fn stated<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Player>>, D::Error> {
    neutral(from).map(Some)
}

/// A player, or nobody: `null`, or the word `neutral`.
fn neutral<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Player>, D::Error> {
    let Some(name) = Option::<std::borrow::Cow<'de, str>>::deserialize(from)? else {
        return Ok(None);
    };
    match Key::parse(&name) {
        Some(player) => Ok(Some(player)),
        None if name == "neutral" => Ok(None),
        None => Err(serde::de::Error::unknown_variant(&name, &SEATS)),
    }
}

/// A unit. What is left out has its default: full points, no marks, the origin by 15.4.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::UnitView))]
#[serde(deny_unknown_fields)]
pub struct UnitView {
    /// Its number.
    pub id: u32,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Its owner; `null` where it is neutral.
    #[serde(default, deserialize_with = "neutral")]
    pub owner: Option<Player>,
    /// Its hex.
    pub at: Hex,
    /// Points left, where not all are.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub points: Option<u8>,
    /// A cannon that counts as moved this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub moved: bool,
    /// It has attacked this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub attacked: bool,
    /// It was recruited this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub fresh: bool,
    /// It embarked this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub embarked: bool,
    /// The last round in which it is held, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub held_until: u32,
    /// Whose main turn of that round is the end, under DBD-R4 = `main_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub held_turn_of: Option<Player>,
    /// The last round in which the Church pins it, 0 for none (DBD-R85).
    #[serde(default, skip_serializing_if = "unset")]
    pub pinned_until: u32,
    /// Whose main turn of that round is the end, under DBD-R4 = `main_turns`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pinned_turn_of: Option<Player>,
    /// It has moved this turn (DBD-R50).
    #[serde(default, skip_serializing_if = "unset")]
    pub marched: bool,
    /// The city that recruited a merchant (DBD-R100).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub recruited_in: Option<u8>,
    /// A merchant's origin, where it is not the city of its owner that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub origin: Option<u8>,
    /// The galleon it is aboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub aboard: Option<u32>,
}

/// The last round of a mark, or of each of several (DBD-R107).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Rounds))]
#[serde(untagged, expecting = "a round, or a list of rounds is expected")]
pub enum Rounds {
    /// One.
    One(u32),
    /// Several, by rising round.
    Several(Vec<u32>),
}

impl Rounds {
    /// The last round of them, 0 for none.
    pub(crate) fn last(&self) -> u32 {
        match self {
            Rounds::One(round) => *round,
            Rounds::Several(rounds) => rounds.iter().copied().max().unwrap_or(0),
        }
    }
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds::One(0)
    }
}

/// The marks on a good.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::GoodView))]
#[serde(deny_unknown_fields)]
pub struct GoodView {
    /// The last round of a surplus, 0 for none.
    #[serde(default)]
    pub surplus_until: u32,
    /// The last round of a scarcity, 0 for none; of several, a list.
    #[serde(default)]
    pub scarcity_until: Rounds,
}

/// The favour of the Church.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::FavorView))]
#[serde(deny_unknown_fields)]
pub struct FavorView {
    /// Who holds it unused.
    #[serde(default)]
    pub holder: Option<Player>,
    /// The uses that are spent, where the holder has others left (DBD-R98).
    #[serde(default, skip_serializing_if = "unset")]
    pub used: Vec<FavorUse>,
    /// Who throws a die on the next bid.
    #[serde(default)]
    pub bid_bonus: Option<Player>,
    /// That die, where it is thrown already (DBD-R20).
    #[serde(default, skip_serializing_if = "unset")]
    pub bonus: u32,
    /// Who will lead the turn order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first: Option<Player>,
}

/// A bid before the reveal.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BidView))]
#[serde(untagged, expecting = "a bid is {\"amount\", \"skip_trading\"} or {\"sealed\": true}")]
pub enum BidView {
    /// For those who may know it.
    Open(BidLine),
    /// For all others.
    Sealed(SealedLine),
}

/// A bid that the observer knows.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BidLine))]
#[serde(deny_unknown_fields)]
pub struct BidLine {
    /// The gold.
    pub amount: u32,
    /// Whether the bidder stays out of the trading session.
    #[serde(default)]
    pub skip_trading: bool,
}

/// A bid of which the observer knows only that it was made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::SealedLine))]
#[serde(deny_unknown_fields)]
pub struct SealedLine {
    /// `true`.
    pub sealed: bool,
}

/// An open deal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::DealView))]
#[serde(deny_unknown_fields)]
pub struct DealView {
    /// Its number within the round.
    pub deal: u32,
    /// Who proposed it.
    pub proposer: Player,
    /// The parties that agree.
    pub agreed: Vec<Player>,
    /// What would change hands.
    pub items: Vec<DealItem>,
}

/// A spy action under way.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::MissionView))]
#[serde(deny_unknown_fields)]
pub struct MissionView {
    /// Successes that come after this one.
    pub left: u32,
    /// The D10 of this one.
    pub die: u8,
    /// The result that is worked out, once it is aimed.
    #[serde(default)]
    pub mission: Option<Mission>,
    /// Its target, once it is aimed.
    #[serde(default)]
    pub target: Option<Target>,
}

/// A battle under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BattleView))]
#[serde(deny_unknown_fields)]
pub struct BattleView {
    /// The attacked hex.
    pub target: Hex,
    /// The named units that are left.
    pub units: Vec<u32>,
    /// Units of the attacker that are only aimed at.
    #[serde(default)]
    pub bystanders: Vec<u32>,
    /// The step, 1 to 7; 0 where targets are declared for all of them (DBD-R62).
    pub step: u8,
    /// The attacker's targets of this step, once they are declared.
    #[serde(default)]
    pub declared: Option<Vec<(u32, u32)>>,
    /// The defenders' targets that are declared while others are still asked.
    #[serde(default, skip_serializing_if = "unset")]
    pub answered: Vec<(u32, u32)>,
    /// Whose units alone defend (DBD-R61).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub owner: Option<StackOwner>,
    /// Units that are hit and still there (DBD-R63).
    #[serde(default, skip_serializing_if = "unset")]
    pub hit: Vec<u32>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::EndedView))]
#[serde(deny_unknown_fields)]
pub struct EndedView {
    /// Who won.
    #[serde(default)]
    pub winner: Option<Player>,
    /// Why it is over.
    pub reason: Ending,
}
