//! Parts of what happens: effects, causes, failures, routes.
//!
//! Must not hold anything that is hidden from anybody.

use serde::{Deserialize, Serialize};

use crate::action::Player;
use crate::state::Route;
use crate::tables::Good;

/// A lasting effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Effect))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Effect {
    /// A city earns nothing.
    NoIncome {
        /// Which.
        city: u8,
    },
    /// A city recruits nobody.
    NoRecruits {
        /// Which.
        city: u8,
    },
    /// A city may not be attacked.
    Protected {
        /// Which.
        city: u8,
    },
    /// A city is taxed one higher.
    Master {
        /// Which.
        city: u8,
    },
    /// A good earns nothing.
    Surplus {
        /// Which.
        good: Good,
    },
    /// A good earns double.
    Scarcity {
        /// Which.
        good: Good,
    },
    /// Units are held.
    Held {
        /// Which.
        units: Vec<u32>,
    },
    /// Units may neither move nor attack (DBD-R85).
    Pinned {
        /// Which.
        units: Vec<u32>,
    },
}

umpire_core::names! {
    /// Why a unit is destroyed.
    doubloons.Cause as pub enum Cause {
        /// The plague.
        Plague = "plague",
        /// A hit in battle.
        Battle = "battle",
        /// Its ship sank.
        Drowned = "drowned",
        /// A spy.
        Mission = "mission",
        /// Its owner left the game.
        OwnerOut = "owner_out",
        /// Opening its route used it up.
        Consumed = "consumed",
    }
}

umpire_core::names! {
    /// Why a success comes to nothing.
    doubloons.Failure as pub enum Failure {
        /// Nothing could be aimed at.
        NoTarget = "no_target",
        /// The player passed.
        Passed = "passed",
        /// An agent foiled it.
        Agent = "agent",
        /// The favour of the Church.
        Negated = "negated",
    }
}

/// A trade route on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Route))]
#[serde(deny_unknown_fields)]
pub struct RouteLine {
    /// What is traded.
    pub good: Good,
    /// The supply city.
    pub from: u8,
    /// The demand city.
    pub to: u8,
    /// Who earns.
    pub owner: Player,
}

impl From<Route> for RouteLine {
    fn from(Route { good, from, to, owner }: Route) -> Self {
        RouteLine { good, from, to, owner }
    }
}

impl From<RouteLine> for Route {
    fn from(RouteLine { good, from, to, owner }: RouteLine) -> Self {
        Route { good, from, to, owner }
    }
}
