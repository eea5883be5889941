//! DBD-1 General terms: whose unit closes a hex, and who is captured.
//!
//! Must not know which order leads into a hex.

use super::Ctx;
use super::action::Player;
use super::notice::Happening;
use super::rulebook::{Protection, Rule};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{State, Unit};
use super::tables::Kind;
use umpire_core::rules::Cites;

/// DBD-1.7 Whether a hex is closed to a unit, by what stands there or by the Church.
pub(super) fn is_closed(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    is_occupied(setup, state, player, military, at)
        || (military && is_shut_by_church(setup, state, player, at))
}

/// DBD-1.7 A hex is closed to a unit by what stands there: another player's unit that is no leader,
/// and for military units a neutral one that is no leader.
pub(super) fn is_occupied(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    state.units_at(at).any(|unit| is_in_the_way(setup, state, player, military, unit))
}

/// DBD-1.7 Whether a unit closes its hex to a unit of a player.
fn is_in_the_way(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    unit: &Unit,
) -> bool {
    if unit.kind.is_leader() {
        return false;
    }
    match unit.owner {
        Some(owner) if owner == player => false,
        Some(_) => {
            let city = setup.map.place(unit.at).city;
            let neutral_city = city > 0 && state.city(city).control.is_none();
            military || !neutral_city || !unit.kind.is_merchant()
        }
        None => military,
    }
}

/// DBD-1.7 Every hex of the map, and whether it is closed to a player's units: asked once for many.
#[derive(Debug)]
pub(super) struct ClosedHexes {
    /// To leaders and merchants, and to military units.
    hexes: Vec<[bool; 2]>,
}

impl ClosedHexes {
    /// The closed hexes of a player.
    pub(super) fn of(setup: &Setup, state: &State, player: Player) -> ClosedHexes {
        let shut = |at: usize| is_shut_by_church(setup, state, player, at as At);
        let mut hexes: Vec<[bool; 2]> =
            (0..setup.map.places.len()).map(|at| [false, shut(at)]).collect();
        for unit in &state.units {
            for (military, closed) in
                [false, true].into_iter().zip(&mut hexes[usize::from(unit.at)])
            {
                *closed |= is_in_the_way(setup, state, player, military, unit);
            }
        }
        ClosedHexes { hexes }
    }

    /// Whether a hex is closed to a military unit, or to another.
    pub(super) fn is_closed(&self, military: bool, at: At) -> bool {
        self.hexes[usize::from(at)][usize::from(military)]
    }
}

/// DBD-1.7 With DBD-R23 read as `entry_too`, a protected city is shut to strangers' troops.
fn is_shut_by_church(setup: &Setup, state: &State, player: Player, at: At) -> bool {
    let city = setup.map.place(at).city;
    setup.rulings.protection == Protection::EntryToo
        && city > 0
        && state.in_force(state.city(city).protected)
        && state.city(city).control != Some(player)
}

/// DBD-1.8 Leaders, and merchants overtaken without an entry, that share a hex with a player's
/// military units are lost.
pub(super) fn capture_units(ctx: &mut Ctx<'_>, rules: impl Into<Cites<Rule>>) {
    let rules = rules.into();
    let lost = overtaken(ctx.state());
    for (unit, unit_type, by) in lost {
        ctx.happen(Happening::UnitCaptured { unit, unit_type, by }.into(), rules);
    }
}

/// DBD-1.8 Those who share a hex with another player's military units, and whose those are.
fn overtaken(state: &State) -> Vec<(u32, Kind, Player)> {
    // Where military units stand, by the last bits of the hex: mostly nobody else stands in such a place.
    let mut held = [0_u64; 8];
    let place = |at: At| (usize::from(at) / 64 % 8, 1_u64 << (at % 64));
    for unit in state.units.iter().filter(|unit| unit.is_military() && unit.owner.is_some()) {
        let (word, bit) = place(unit.at);
        held[word] |= bit;
    }
    let about = |unit: &&Unit| {
        let (word, bit) = place(unit.at);
        !unit.is_military() && held[word] & bit != 0
    };
    let holder = |at: At| {
        let holds = |it: &&Unit| it.at == at && it.is_military() && it.owner.is_some();
        state.units.iter().rfind(holds).and_then(|it| it.owner)
    };
    let overtaken = state.units.iter().filter(about).filter_map(|unit| {
        let holder = holder(unit.at).filter(|&it| unit.owner != Some(it))?;
        Some((unit.id, unit.kind, holder))
    });
    overtaken.collect()
}

// DBD-1.11 is `sequence::settle`.
