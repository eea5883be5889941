//! The decisions of a game as they stand in a record (part D.3): one action, one decision by one
//! player.
//!
//! Must not judge: whatever is well formed can be expressed, however illegal.

mod deals;
mod keyed;
mod owners;
mod players;
mod targets;
mod through;

pub(super) use deals::{
    CityItem, DealItem, FavorItem, GoldItem, PromiseItem, TreatyItem, UnitItem,
};
pub(super) use keyed::{Key, Keyed};
#[cfg(feature = "schema")]
pub(super) use keyed::{LetterKey, NumberKey};
pub(super) use keyed::{nullable, unset};
pub(super) use owners::StackOwner;
pub(super) use players::SEATS;
pub(super) use players::{Player, PlayerSet, prince};
pub(super) use targets::{CityTarget, PlayerTarget, StackTarget, Target, UnitTarget};
pub(super) use through::Through;

use serde::{Deserialize, Serialize};

use super::tables::{FavorUse, Good, Kind};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// One decision by one player.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Action))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// A sealed bid.
    Bid(Bid),
    /// Offers a deal; everybody it names is a party.
    ProposeDeal(ProposeDeal),
    /// Answers an open deal, or withdraws it.
    RespondDeal(RespondDeal),
    /// Ends a treaty.
    CancelTreaty(CancelTreaty),
    /// Plays the favour of the Church between other actions.
    UseFavor(UseFavor),
    /// Chooses how much upkeep is paid.
    PayUpkeep(PayUpkeep),
    /// Chooses the units that go because upkeep is not paid.
    Disband(Disband),
    /// Recruits a unit.
    Recruit(Recruit),
    /// Pays spies.
    Spy(Spy),
    /// Aims a spy's success.
    SpyTarget(SpyTarget),
    /// Stops a mission, or lets it go on.
    FavorNegate(FavorNegate),
    /// Goes first after the throw, or leaves the order as it is.
    FavorFirst(FavorFirst),
    /// Moves units of one hex along one way.
    Move(Move),
    /// Takes land units aboard a galleon.
    Embark(Embark),
    /// Lands cargo.
    Disembark(Disembark),
    /// Attacks a hex.
    Attack(Attack),
    /// Aims the units that throw in this step.
    DeclareTargets(DeclareTargets),
    /// Enters the hex that a battle has emptied.
    Advance(Advance),
    /// Opens a trade route.
    EstablishRoute(EstablishRoute),
    /// Ends a trade route.
    EndRoute(EndRoute),
    /// Negotiates for a neutral city.
    Diplomacy(Diplomacy),
    /// Ends the phase, or leaves the trading session.
    EndPhase(EndPhase),
    /// Leaves the game.
    Resign(Resign),
    /// Agrees to stop the game without a winner.
    AgreeEnd(AgreeEnd),
}

umpire_core::tagged! {
    impl Deserialize for Action by "type" as "an action" {
        "bid" => Bid,
        "propose_deal" => ProposeDeal,
        "respond_deal" => RespondDeal,
        "cancel_treaty" => CancelTreaty,
        "use_favor" => UseFavor,
        "pay_upkeep" => PayUpkeep,
        "disband" => Disband,
        "recruit" => Recruit,
        "spy" => Spy,
        "spy_target" => SpyTarget,
        "favor_negate" => FavorNegate,
        "favor_first" => FavorFirst,
        "move" => Move,
        "embark" => Embark,
        "disembark" => Disembark,
        "attack" => Attack,
        "declare_targets" => DeclareTargets,
        "advance" => Advance,
        "establish_route" => EstablishRoute,
        "end_route" => EndRoute,
        "diplomacy" => Diplomacy,
        "end_phase" => EndPhase,
        "resign" => Resign,
        "agree_end" => AgreeEnd,
    }
}

/// A sealed bid.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Bid))]
#[serde(deny_unknown_fields)]
pub struct Bid {
    /// Who acts.
    pub player: Player,
    /// The gold, 0 to all one has.
    pub amount: u64,
    /// Stay out of the trading session, unless the favour is won.
    #[serde(default, skip_serializing_if = "unset")]
    pub skip_trading: bool,
}

/// Offers a deal; everybody it names is a party.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::ProposeDeal))]
#[serde(deny_unknown_fields)]
pub struct ProposeDeal {
    /// Who acts.
    pub player: Player,
    /// What changes hands.
    pub items: Vec<DealItem>,
}

/// Answers an open deal, or withdraws it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::RespondDeal))]
#[serde(deny_unknown_fields)]
pub struct RespondDeal {
    /// Who acts.
    pub player: Player,
    /// Its number within the round.
    pub deal: u32,
    /// Accept, or kill it.
    pub accept: bool,
}

/// Ends a treaty.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::CancelTreaty))]
#[serde(deny_unknown_fields)]
pub struct CancelTreaty {
    /// Who acts.
    pub player: Player,
    /// The partner.
    pub with: Player,
}

/// Plays the favour of the Church between other actions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::UseFavor))]
#[serde(deny_unknown_fields)]
pub struct UseFavor {
    /// Who acts.
    pub player: Player,
    /// What for.
    pub r#use: FavorUse,
    /// The hex of the stack (`hold_stack`).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub hex: Option<Hex>,
    /// The owner of the stack (`hold_stack`).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub owner: Option<Player>,
    /// The city (`protect_city`, `make_neutral`).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub city: Option<u8>,
}

/// Chooses how much upkeep is paid, under DBD-R90 = `may_decline`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::PayUpkeep))]
#[serde(deny_unknown_fields)]
pub struct PayUpkeep {
    /// Who acts.
    pub player: Player,
    /// The gold, 0 to what would have to be paid.
    pub amount: u64,
}

/// Chooses the units that go because upkeep is not paid.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Disband))]
#[serde(deny_unknown_fields)]
pub struct Disband {
    /// Who acts.
    pub player: Player,
    /// The units.
    pub units: Vec<u32>,
}

/// Recruits a unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Recruit))]
#[serde(deny_unknown_fields)]
pub struct Recruit {
    /// Who acts.
    pub player: Player,
    /// Where.
    pub city: u8,
    /// What.
    pub unit_type: Kind,
    /// By the favour, beside the ordinary recruit.
    #[serde(default, skip_serializing_if = "unset")]
    pub favor: bool,
}

/// Pays spies.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Spy))]
#[serde(deny_unknown_fields)]
pub struct Spy {
    /// Who acts.
    pub player: Player,
    /// A die for each.
    pub gold: u64,
}

/// Aims a spy's success.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::SpyTarget))]
#[serde(deny_unknown_fields)]
pub struct SpyTarget {
    /// Who acts.
    pub player: Player,
    /// The chosen result, 1 to 9; after a 10 only.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub mission: Option<u8>,
    /// The target; `null` passes.
    #[serde(deserialize_with = "nullable")]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub target: Option<Target>,
}

/// Stops a mission, or lets it go on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::FavorNegate))]
#[serde(deny_unknown_fields)]
pub struct FavorNegate {
    /// Who acts.
    pub player: Player,
    /// Spend the favour.
    pub r#use: bool,
}

/// Goes first after the throw, or leaves the order as it is, under DBD-R101 = `after_roll`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::FavorFirst))]
#[serde(deny_unknown_fields)]
pub struct FavorFirst {
    /// Who acts.
    pub player: Player,
    /// Spend the favour.
    pub r#use: bool,
}

/// Moves units of one hex along one way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Move))]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Who acts.
    pub player: Player,
    /// The units.
    pub units: Vec<u32>,
    /// The hexes entered, in order.
    pub path: Vec<Hex>,
}

/// Takes land units aboard a galleon.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Embark))]
#[serde(deny_unknown_fields)]
pub struct Embark {
    /// Who acts.
    pub player: Player,
    /// The galleon.
    pub ship: u32,
    /// The units.
    pub units: Vec<u32>,
}

/// Lands cargo.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Disembark))]
#[serde(deny_unknown_fields)]
pub struct Disembark {
    /// Who acts.
    pub player: Player,
    /// The galleon.
    pub ship: u32,
    /// The units.
    pub units: Vec<u32>,
    /// The hex they enter.
    pub to: Hex,
}

/// Attacks a hex.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Attack))]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Who acts.
    pub player: Player,
    /// The hex.
    pub target: Hex,
    /// The units that take part.
    pub units: Vec<u32>,
    /// Whose units are attacked, under DBD-R61 = `one_owner`; needed where several have units there.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub owner: Option<StackOwner>,
}

/// Aims the units that throw in this step.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::DeclareTargets))]
#[serde(deny_unknown_fields)]
pub struct DeclareTargets {
    /// Who acts.
    pub player: Player,
    /// Pairs of a unit and its target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<(u32, u32)>,
    /// One target for every throwing unit that may aim at it and is not listed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub all: Option<u32>,
}

/// Enters the hex that a battle has emptied.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Advance))]
#[serde(deny_unknown_fields)]
pub struct Advance {
    /// Who acts.
    pub player: Player,
    /// The units; nobody is allowed.
    pub units: Vec<u32>,
}

/// Opens a trade route: that of a merchant, or between the cities that are named.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::EstablishRoute))]
#[serde(deny_unknown_fields)]
pub struct EstablishRoute {
    /// Who acts.
    pub player: Player,
    /// The merchant, in the demand city.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub merchant: Option<u32>,
    /// The supply city, in place of a merchant (DBD-R72, DBD-R95).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub from: Option<u8>,
    /// The demand city, in place of a merchant (DBD-R72, DBD-R95).
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub to: Option<u8>,
    /// What is traded.
    pub good: Good,
}

/// Ends a trade route, under DBD-R96 = `owner_may`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::EndRoute))]
#[serde(deny_unknown_fields)]
pub struct EndRoute {
    /// Who acts.
    pub player: Player,
    /// The supply city.
    pub from: u8,
    /// The demand city.
    pub to: u8,
    /// What is traded.
    pub good: Good,
}

/// Negotiates for a neutral city.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Diplomacy))]
#[serde(deny_unknown_fields)]
pub struct Diplomacy {
    /// Who acts.
    pub player: Player,
    /// The city.
    pub city: u8,
    /// By the favour, without a die.
    #[serde(default, skip_serializing_if = "unset")]
    pub favor: bool,
}

/// Ends the phase, or leaves the trading session.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::EndPhase))]
#[serde(deny_unknown_fields)]
pub struct EndPhase {
    /// Who acts.
    pub player: Player,
    /// The last phase to end.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub through: Option<Through>,
}

/// Leaves the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Resign))]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Who acts.
    pub player: Player,
}

/// Agrees to stop the game without a winner.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::AgreeEnd))]
#[serde(deny_unknown_fields)]
pub struct AgreeEnd {
    /// Who acts.
    pub player: Player,
}

impl Action {
    /// Who acts.
    pub(super) fn player(&self) -> Player {
        match self {
            Action::Bid(it) => it.player,
            Action::ProposeDeal(it) => it.player,
            Action::RespondDeal(it) => it.player,
            Action::CancelTreaty(it) => it.player,
            Action::UseFavor(it) => it.player,
            Action::PayUpkeep(it) => it.player,
            Action::Disband(it) => it.player,
            Action::Recruit(it) => it.player,
            Action::Spy(it) => it.player,
            Action::SpyTarget(it) => it.player,
            Action::FavorNegate(it) => it.player,
            Action::FavorFirst(it) => it.player,
            Action::Move(it) => it.player,
            Action::Embark(it) => it.player,
            Action::Disembark(it) => it.player,
            Action::Attack(it) => it.player,
            Action::DeclareTargets(it) => it.player,
            Action::Advance(it) => it.player,
            Action::EstablishRoute(it) => it.player,
            Action::EndRoute(it) => it.player,
            Action::Diplomacy(it) => it.player,
            Action::EndPhase(it) => it.player,
            Action::Resign(it) => it.player,
            Action::AgreeEnd(it) => it.player,
        }
    }

    /// The same decision with its units by rising number.
    pub(super) fn sorted(&self) -> Action {
        let mut action = self.clone();
        match &mut action {
            Action::Disband(it) => it.units.sort_unstable(),
            Action::Move(it) => it.units.sort_unstable(),
            Action::Embark(it) => it.units.sort_unstable(),
            Action::Disembark(it) => it.units.sort_unstable(),
            Action::Attack(it) => it.units.sort_unstable(),
            Action::DeclareTargets(it) => it.targets.sort_unstable(),
            Action::Advance(it) => it.units.sort_unstable(),
            _ => {}
        }
        action
    }
}
