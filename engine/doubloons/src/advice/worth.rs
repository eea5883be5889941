//! What a recruit, an attack and a target are worth at sight.
//!
//! Must not look at a sealed bid.

use crate::action::{Attack, Player, Recruit};
use crate::ch14_battle;
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::{State, Unit};
use crate::tables::Kind;
use umpire_core::game::PRIOR;

/// What an attack is worth: by how many throw on each side.
pub(super) fn attacked(setup: &Setup, state: &State, it: &Attack) -> u32 {
    let own = it.units.iter().filter_map(|&id| state.unit(id));
    let own = own.filter(|unit| unit.is_military()).count();
    let Some(at) = setup.map.find(it.target) else { return 1 };
    odds(own, others(state, it.player, at))
}

/// How many of others throw in defence of a hex.
pub(super) fn others(state: &State, player: Player, at: At) -> usize {
    state.units_at(at).filter(|unit| unit.owner != Some(player) && unit.is_military()).count()
}

/// What an attack of so many on so many is worth.
pub(super) fn odds(own: usize, others: usize) -> u32 {
    match () {
        () if others == 0 => 2 * PRIOR,
        () if 2 * own >= 3 * others => 8 * PRIOR,
        () if own >= others => PRIOR,
        () => 1,
    }
}

/// What one target is worth to a unit that throws.
pub(super) fn aim(setup: &Setup, named: &[u32], unit: &Unit, target: &Unit) -> u32 {
    let modifier = ch14_battle::Field::new(setup, named).modifier(unit, target, false);
    let chance = (3 + i32::from(modifier)).max(0) as u32;
    let military = if target.is_military() { 2 } else { 1 };
    chance * military * target.kind.cost()
}

/// What a player has, counted once for many questions.
pub(super) struct Muster {
    player: Player,
    pub(super) gold: u32,
    cities: u32,
    kinds: [u32; Kind::ALL.len()],
    /// Land units that can attack.
    troops: u32,
    neutral: bool,
}

impl Muster {
    pub(super) fn of(_: &Setup, state: &State, player: Player) -> Muster {
        let mut kinds = [0; Kind::ALL.len()];
        for unit in state.units_of(Some(player)) {
            kinds[unit.kind as usize] += 1;
        }
        let troops = [Kind::Musketeers, Kind::Pikemen, Kind::Dragoons, Kind::Lancers, Kind::Cannon];
        let troops = troops.iter().map(|&kind| kinds[kind as usize]).sum();
        let (gold, cities) = (state.gold(player), state.cities_of(player));
        let neutral = state.cities.iter().any(|city| city.control.is_none());
        Muster { player, gold, cities, kinds, troops, neutral }
    }

    pub(super) fn has(&self, kind: Kind) -> u32 {
        self.kinds[kind as usize]
    }

    /// What a recruit is worth.
    pub(super) fn recruit(&self, setup: &Setup, state: &State, it: &Recruit) -> u32 {
        let weight = self.kind(it.unit_type, || {
            let at = setup.map.site(it.city).at;
            let own = |unit: &Unit| unit.owner == Some(self.player) && unit.kind == Kind::Governor;
            state.units_at(at).any(own)
        });
        if it.favor { (weight / 4).max(1) } else { weight }
    }

    /// What a unit of a type is worth in a city, governed or not.
    pub(super) fn kind(&self, kind: Kind, governed: impl Fn() -> bool) -> u32 {
        let weight = match kind {
            Kind::Governor => {
                if governed() {
                    1
                } else {
                    3 * PRIOR
                }
            }
            Kind::Diplomat => match self.has(kind) {
                _ if !self.neutral => 1,
                0 => 8 * PRIOR,
                few if few <= self.cities / 2 => 2 * PRIOR,
                _ => PRIOR / 8,
            },
            Kind::Caravan => {
                if self.has(kind) < self.cities.div_ceil(2) {
                    PRIOR
                } else {
                    1
                }
            }
            Kind::Officer => match self.has(kind) {
                0 if self.troops >= 2 => 6 * PRIOR,
                0 => PRIOR,
                officers if officers * 6 < self.troops => PRIOR,
                _ => 1,
            },
            Kind::Musketeers | Kind::Cannon => PRIOR,
            Kind::Pikemen | Kind::Dragoons => PRIOR / 2,
            Kind::Lancers => PRIOR / 4,
            Kind::Militia | Kind::Galleon | Kind::Frigate | Kind::Caravel => PRIOR / 8,
            Kind::Agent => 1,
        };
        // Who negotiates needs a piece of gold for every attempt.
        let spare = self.gold.saturating_sub(kind.cost());
        if spare >= self.has(Kind::Diplomat) { weight } else { weight.div_ceil(4) }
    }
}
