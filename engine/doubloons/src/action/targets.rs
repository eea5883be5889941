//! What a spy's success is aimed at.
//!
//! Must not know which target fits which result.

use serde::{Deserialize, Serialize};

use super::players::Player;
use umpire_core::board::hex::Hex;

/// The target of a spy's success: its shape depends on the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Target))]
#[serde(untagged, expecting = "a target is a unit, a hex with an owner, a city, or a player")]
pub enum Target {
    /// Results 1 to 4.
    Unit(UnitTarget),
    /// Results 5 and 6.
    Stack(StackTarget),
    /// Results 7 and 9.
    City(CityTarget),
    /// Result 8.
    Player(PlayerTarget),
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::UnitTarget))]
#[serde(deny_unknown_fields)]
pub struct UnitTarget {
    /// The unit.
    pub unit: u32,
}

/// All units of one owner in a hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::StackTarget))]
#[serde(deny_unknown_fields)]
pub struct StackTarget {
    /// The hex.
    pub hex: Hex,
    /// The owner.
    pub owner: Player,
}

/// A city.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::CityTarget))]
#[serde(deny_unknown_fields)]
pub struct CityTarget {
    /// The city.
    pub city: u8,
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::PlayerTarget))]
#[serde(deny_unknown_fields)]
pub struct PlayerTarget {
    /// The player.
    pub player: Player,
}
