//! Families of legal actions given by bounds, and what lies in them.
//!
//! Must not hold a rule: whether an action lies in a range is asked of the chapters.

use serde::{Deserialize, Serialize};

use crate::action::{Action, Keyed, Player, StackOwner};
use crate::ch01_terms::is_closed;
use crate::ch13_movement::boarding;
use crate::setup::Setup;
use crate::state::State;
use crate::{ch05_church, ch06_trading, ch08_upkeep, ch12_spies, ch13_movement, ch14_battle};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// A family of legal actions given by bounds. Actions that are listed by themselves lie in it
/// too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Range))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Range {
    /// A bid of 0 to `most`, with or without `skip_trading`.
    Bid {
        /// Who bids.
        player: Player,
        /// All his gold.
        most: u32,
    },
    /// Any deal among those in the session that names the proposer and gives only what its
    /// givers hold.
    ProposeDeal {
        /// Who proposes.
        player: Player,
        /// Those in the session, the possible parties.
        parties: Vec<Player>,
        /// The gold each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, u32>))]
        gold: Keyed<Player, u32>,
        /// The units each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, Vec<u32>>))]
        units: Keyed<Player, Vec<u32>>,
        /// The cities each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, Vec<u8>>))]
        cities: Keyed<Player, Vec<u8>>,
        /// The party that can give the favour.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        favor: Option<Player>,
        /// The treaties that can be made.
        treaties: Vec<[Player; 2]>,
    },
    /// Any `count` of these units.
    Disband {
        /// Whose turn it is.
        player: Player,
        /// How many must go.
        count: u32,
        /// All he has.
        units: Vec<u32>,
    },
    /// 1 to `most` gold for spies.
    Spy {
        /// Whose turn it is.
        player: Player,
        /// All his gold.
        most: u32,
    },
    /// Any of these units of one hex along any way that their points allow; land military units
    /// with an officer.
    Move {
        /// Whose turn it is.
        player: Player,
        /// Where they stand.
        from: Hex,
        /// All ships, or all land units, that may move from there.
        units: Vec<u32>,
    },
    /// Any of these units, at most `room` of them, onto the galleon; land military units with an
    /// officer.
    Embark {
        /// Whose turn it is.
        player: Player,
        /// The galleon.
        ship: u32,
        /// Where the units stand.
        from: Hex,
        /// The units.
        units: Vec<u32>,
        /// Free places aboard.
        room: u32,
    },
    /// Any of these units from the galleon into the hex; land military units with an officer.
    Disembark {
        /// Whose turn it is.
        player: Player,
        /// The galleon.
        ship: u32,
        /// The hex.
        to: Hex,
        /// The units.
        units: Vec<u32>,
    },
    /// Any of these units against the hex, with an officer in every hex from which land units
    /// take part.
    Attack {
        /// Whose turn it is.
        player: Player,
        /// The hex.
        target: Hex,
        /// Units that can take part.
        units: Vec<u32>,
        /// Whose units are attacked (DBD-R61).
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        owner: Option<StackOwner>,
    },
    /// One of its targets for every unit.
    DeclareTargets {
        /// Who is asked.
        player: Player,
        /// Each unit that throws, with its legal targets.
        units: Vec<Aims>,
    },
    /// Any of these units, with an officer if any is military.
    Advance {
        /// Whose turn it is.
        player: Player,
        /// The units.
        units: Vec<u32>,
    },
}

/// A unit that throws, with its legal targets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Aims))]
#[serde(deny_unknown_fields)]
pub struct Aims {
    /// The unit.
    pub unit: u32,
    /// Its legal targets.
    pub targets: Vec<u32>,
}

/// Whether an action lies within a range.
pub(crate) fn covers(setup: &Setup, state: &State, range: &Range, action: &Action) -> bool {
    let hex_of = |unit: u32| state.unit(unit).map(|unit| setup.map.place(unit.at).hex);
    match (range, action) {
        (Range::Bid { player, .. }, Action::Bid(it)) => {
            it.player == *player && ch05_church::check_bid(state, it).is_ok()
        }
        (Range::ProposeDeal { player, .. }, Action::ProposeDeal(it)) => {
            it.player == *player && ch06_trading::check_proposal(setup, state, it).is_ok()
        }
        (Range::Disband { player, .. }, Action::Disband(it)) => {
            it.player == *player && ch08_upkeep::check_disband(setup, state, it).is_ok()
        }
        (Range::Spy { player, .. }, Action::Spy(it)) => {
            it.player == *player && ch12_spies::check_spies(state, it).is_ok()
        }
        (Range::Move { player, units, .. }, Action::Move(it)) => {
            it.player == *player
                && it.units.iter().all(|unit| units.contains(unit))
                && ch13_movement::check_move(setup, state, it).is_ok()
        }
        (Range::Embark { player, ship, from, .. }, Action::Embark(it)) => {
            (it.player, it.ship) == (*player, *ship)
                && it.units.first().and_then(|&unit| hex_of(unit)) == Some(*from)
                && {
                    let taken = boarding::places_of(setup, state.cargo(*ship));
                    boarding::check_embark(setup, state, it, taken).is_ok()
                }
        }
        (Range::Disembark { player, ship, to, units }, Action::Disembark(it)) => {
            (it.player, it.ship, it.to) == (*player, *ship, *to)
                && it.units.iter().all(|unit| units.contains(unit))
                && boarding::check_disembark(setup, state, it, &|military, at| {
                    is_closed(setup, state, *player, military, at)
                })
                .is_ok()
        }
        (Range::Attack { player, target, units, owner }, Action::Attack(it)) => {
            (it.player, it.target) == (*player, *target)
                && ch14_battle::check_owner(setup, state, it)
                    .is_ok_and(|named| named.map(StackOwner::of) == *owner)
                && it.units.iter().all(|unit| units.contains(unit))
                && ch14_battle::check_attack(setup, state, it).is_ok()
        }
        (Range::DeclareTargets { player, .. }, Action::DeclareTargets(it)) => {
            it.player == *player && ch14_battle::check_targets(setup, state, it).is_ok()
        }
        (Range::Advance { player, .. }, Action::Advance(it)) => {
            it.player == *player && ch14_battle::check_advance(setup, state, it).is_ok()
        }
        _ => false,
    }
}
