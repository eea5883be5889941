//! What changes hands in a deal.
//!
//! Must not know who holds what.

use serde::{Deserialize, Serialize};

use super::players::Player;

/// One thing that changes hands in a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::DealItem))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DealItem {
    /// Gold.
    Gold(GoldItem),
    /// A unit.
    Unit(UnitItem),
    /// Control of a city.
    City(CityItem),
    /// The unused favour.
    Favor(FavorItem),
    /// A treaty.
    Treaty(TreatyItem),
    /// A promise, noted and never enforced.
    Promise(PromiseItem),
}

umpire_core::tagged! {
    impl Deserialize for DealItem by "kind" as "an item of a deal" {
        "gold" => Gold,
        "unit" => Unit,
        "city" => City,
        "favor" => Favor,
        "treaty" => Treaty,
        "promise" => Promise,
    }
}

/// Gold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::GoldItem))]
#[serde(deny_unknown_fields)]
pub struct GoldItem {
    /// Who gives.
    pub from: Player,
    /// Who receives.
    pub to: Player,
    /// How much.
    pub amount: u64,
}

/// A unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::UnitItem))]
#[serde(deny_unknown_fields)]
pub struct UnitItem {
    /// Who gives.
    pub from: Player,
    /// Who receives.
    pub to: Player,
    /// The unit.
    pub unit: u32,
}

/// Control of a city.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::CityItem))]
#[serde(deny_unknown_fields)]
pub struct CityItem {
    /// Who gives.
    pub from: Player,
    /// Who receives.
    pub to: Player,
    /// The city.
    pub city: u8,
}

/// The unused favour.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::FavorItem))]
#[serde(deny_unknown_fields)]
pub struct FavorItem {
    /// Who gives.
    pub from: Player,
    /// Who receives.
    pub to: Player,
}

/// A treaty.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::TreatyItem))]
#[serde(deny_unknown_fields)]
pub struct TreatyItem {
    /// The partners.
    pub between: [Player; 2],
}

/// A promise, noted and never enforced.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::PromiseItem))]
#[serde(deny_unknown_fields)]
pub struct PromiseItem {
    /// Who promises.
    pub from: Player,
    /// To whom.
    pub to: Player,
    /// What.
    pub text: String,
}

impl DealItem {
    /// The two players it is between: giver and receiver, or the partners of a treaty.
    pub(crate) fn between(&self) -> [Player; 2] {
        match self {
            DealItem::Gold(it) => [it.from, it.to],
            DealItem::Unit(it) => [it.from, it.to],
            DealItem::City(it) => [it.from, it.to],
            DealItem::Favor(it) => [it.from, it.to],
            DealItem::Treaty(it) => it.between,
            DealItem::Promise(it) => [it.from, it.to],
        }
    }
}
