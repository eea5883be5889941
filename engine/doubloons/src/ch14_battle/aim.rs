//! DBD-14.7 to DBD-14.10, DBD-14.13 What a unit counts as, whom it may aim at, who throws in a
//! step, and what is added to a die.
//!
//! Must not throw a die.

use crate::Refusal;
use crate::action::Player;
use crate::ch01_terms::becomes_garrison;
use crate::rulebook::{
    Cargo, CoastFire, Cover, Declaring, Naturals, PortShips, Rule, Rulings, Sorties, Stacks,
};
use crate::setup::Setup;
use crate::state::{Fight, State, Unit};
use crate::tables::{Arm, HIT, Kind, Terrain};
use umpire_core::rules::{Rule as _, RulingSet as _};

/// Units that meet in battle, under some readings.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    setup: &'a Setup,
    rulings: &'a Rulings,
    /// The named units that attack.
    named: &'a [u32],
}

impl<'a> Field<'a> {
    /// The units of a battle.
    pub(crate) fn new(setup: &'a Setup, named: &'a [u32]) -> Self {
        Field { setup, rulings: &setup.rulings, named }
    }

    /// DBD-14.7 The effective type: in a city everything but cannon is a garrison. DBD-R58 says whether ships and leaders are, and
    /// DBD-R99 whether units that attack out of it are.
    pub(super) fn arm(self, unit: &Unit) -> Arm {
        let sallies = self.rulings.sorties == Sorties::OwnArm && self.named.contains(&unit.id);
        let inside = State::ground(self.setup, unit) == Terrain::City;
        if inside && becomes_garrison(self.rulings, unit.kind) && !sallies {
            return Arm::Garrison;
        }
        unit.kind.field_arm()
    }

    /// DBD-14.9 Whether a unit is a ship that counts as at sea.
    fn is_afloat(self, unit: &Unit) -> bool {
        unit.kind.is_ship()
            && (State::ground(self.setup, unit).is_sea()
                || self.rulings.port_ships != PortShips::Literal)
    }

    /// DBD-14.9 Anybody may be aimed at, but ships at sea only by cannon, missiles and warships.
    pub(super) fn may_aim(self, unit: &Unit, target: &Unit) -> bool {
        if !self.is_afloat(target) {
            return true;
        }
        match self.arm(unit) {
            Arm::Cannon | Arm::Musketeers | Arm::Dragoons | Arm::Galleon | Arm::Frigate => true,
            Arm::Garrison => {
                self.rulings.coast_fire == CoastFire::MissileInside && has_missiles(unit)
            }
            _ => false,
        }
    }

    /// DBD-14.9 The rulings by another reading of which a unit could aim at another.
    pub(super) fn shaping_rulings(
        self,
        unit: &'a Unit,
        target: &'a Unit,
    ) -> impl Iterator<Item = Rule> + 'a {
        let could = move |other: Rulings| Field { rulings: &other, ..self }.may_aim(unit, target);
        let now = *self.rulings;
        let all = [Rule::R58, Rule::R59, Rule::R99];
        all.into_iter().filter(move |rule| now.others(rule.id()).any(could))
    }

    /// DBD-14.13 What is added to the die.
    pub(crate) fn modifier(self, unit: &Unit, target: &Unit, at_attacker: bool) -> i8 {
        let bonus = i8::from(self.arm(unit).beats(self.arm(target)));
        let covered = !(at_attacker && self.rulings.cover == Cover::DefenderOnly);
        let cover = if covered { State::ground(self.setup, target).defence() } else { 0 };
        let range = if has_missiles(unit) && self.is_afloat(target) { 2 } else { 0 };
        bonus - cover - range
    }

    /// DBD-14.13 Whether a die destroys: 4 or more in all; with DBD-R69 read as `six_hits` a 6 always.
    pub(super) fn hits(self, throw: u32, modifier: i8) -> bool {
        throw as i8 + modifier >= HIT || (throw == 6 && self.rulings.naturals == Naturals::SixHits)
    }
}

/// DBD-14.8 Whether a unit is one that an attack of a player is on: not his own, with DBD-R61 read as `one_owner` one of the owner
/// who is named.
pub(super) fn is_attacked(unit: &Unit, attacker: Option<Player>, owner: Named) -> bool {
    unit.owner != attacker && owner.is_none_or(|owner| unit.owner == owner)
}

/// Whose units alone are attacked, where an owner is named: a player, or nobody.
pub(crate) type Named = Option<Option<Player>>;

/// Whose units alone defend.
fn named_owner(fight: &Fight) -> Named {
    fight.owner.map(|owner| owner.player())
}

/// DBD-14.8 Those who may be aimed at in the attacked hex: not the attacker's, no cargo at sea.
pub(crate) fn defenders<'a>(
    setup: &'a Setup,
    state: &'a State,
    fight: &'a Fight,
) -> impl Iterator<Item = &'a Unit> {
    all_defenders(state, fight).filter(|unit| !State::is_stowed(setup, unit))
}

/// DBD-14.8 The same with cargo.
fn all_defenders<'a>(state: &'a State, fight: &'a Fight) -> impl Iterator<Item = &'a Unit> {
    let (attacker, owner) = (state.active, named_owner(fight));
    state.units_at(fight.target).filter(move |unit| is_attacked(unit, attacker, owner))
}

/// DBD-14.8 Those of the attacker who take part or may be aimed at: the named units, and with DBD-R60 others of their hexes.
pub(super) fn attackers<'a>(state: &'a State, fight: &'a Fight) -> impl Iterator<Item = &'a Unit> {
    let named = fight.units.iter().chain(&fight.bystanders);
    named.filter_map(|&id| state.unit(id))
}

/// DBD-14.8 Whether a unit stands with named ones and takes no part, and DBD-R60 alone says so.
fn is_left_out(setup: &Setup, state: &State, fight: &Fight, unit: &Unit) -> bool {
    setup.rulings.stacks == Stacks::Chosen
        && unit.owner == state.active
        && !State::is_stowed(setup, unit)
        && !fight.units.contains(&unit.id)
        && fight.units.iter().filter_map(|&id| state.unit(id)).any(|named| named.at == unit.at)
}

/// DBD-14.9 None of these units may aim at that one.
pub(super) fn illegal_target(
    setup: &Setup,
    state: &State,
    units: &[u32],
    target: u32,
    defends: bool,
) -> Refusal {
    let title = |id: u32| state.unit_title(id);
    let message = match units {
        [unit] => format!("{} may not aim at {}", title(*unit), title(target)),
        _ => format!("nobody may aim at {}", title(target)),
    };
    let refusal = Refusal::new(Rule::C14_9, "illegal_target", message).at("/targets");
    let (Some(fight), Some(target)) = (state.fight.as_deref(), state.unit(target)) else {
        return refusal;
    };
    let field = Field::new(setup, &fight.units);
    let mut units = units.iter().filter_map(|&id| state.unit(id));
    if defends && is_left_out(setup, state, fight, target) {
        // Under the other reading of DBD-R60 all of that stack are targets.
        let refusal = refusal.also(Rule::C14_8);
        let aims = units.any(|unit| field.may_aim(unit, target));
        return if aims { refusal.also(Rule::R60) } else { refusal };
    }
    let side: Vec<u32> = if defends {
        attackers(state, fight).map(|unit| unit.id).collect()
    } else {
        defenders(setup, state, fight).map(|unit| unit.id).collect()
    };
    if !side.contains(&target.id) {
        let refusal = refusal.also(Rule::C14_8);
        let other = !defends && fight.owner.is_some() && target.at == fight.target;
        return if other { refusal.also(Rule::R61) } else { refusal };
    }
    units.flat_map(|unit| field.shaping_rulings(unit, target)).fold(refusal, Refusal::also)
}

/// DBD-14.10 One side of a step: its throwing units, by rising id, each with its legal targets.
pub(crate) type Throws = Vec<(u32, Vec<u32>)>;

/// DBD-14.10 The attacker's units that throw in a step; in step 0 those that throw in any (DBD-R62).
pub(crate) fn attacking(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let side = fight.units.iter().filter_map(|&id| state.unit(id));
    let targets: Vec<&Unit> = defenders(setup, state, fight).collect();
    list_throws(Field::new(setup, &fight.units), side, &targets, step)
}

/// DBD-14.10 The defender's units that throw in a step; in step 0 those that throw in any (DBD-R62).
pub(crate) fn defending(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let there = attackers(state, fight).filter(|unit| !State::is_stowed(setup, unit));
    let mut targets: Vec<&Unit> = there.collect();
    targets.sort_unstable_by_key(|unit| unit.id);
    // DBD-13.16 Cargo throws at sea only with DBD-R68 read as `fights`.
    let cargo = setup.rulings.cargo == Cargo::Fights;
    let side = all_defenders(state, fight).filter(|unit| cargo || !State::is_stowed(setup, unit));
    list_throws(Field::new(setup, &fight.units), side, &targets, step)
}

/// DBD-14.10 Those of a side that throw in a step, with their legal targets.
fn list_throws<'a>(
    field: Field<'_>,
    side: impl Iterator<Item = &'a Unit>,
    targets: &[&Unit],
    step: u8,
) -> Throws {
    let throws = |unit: &Unit| match field.arm(unit).step() {
        0 => false,
        its => step == 0 || its == step,
    };
    let in_step = side.filter(|unit| unit.is_military() && throws(unit));
    let aims = in_step.map(|unit| {
        let legal = targets.iter().filter(|target| field.may_aim(unit, target));
        (unit.id, legal.map(|target| target.id).collect::<Vec<_>>())
    });
    aims.filter(|(_, legal)| !legal.is_empty()).collect()
}

/// DBD-14.14 The dice of a step: who throws at whom, the attacker's units first. Where targets are declared for all steps (DBD-R62),
/// whose target is gone throws no die.
pub(super) fn dice_of(setup: &Setup, state: &State, fight: &Fight, step: u8) -> [Vec<Pair>; 2] {
    let (ours, theirs) = (fight.declared.iter().flatten(), fight.answered.iter());
    if setup.rulings.declaring != Declaring::AllAtStart {
        return [ours.copied().collect(), theirs.copied().collect()];
    }
    let field = Field::new(setup, &fight.units);
    let throws = |pair: &&Pair| {
        let unit = state.unit(pair.0).filter(|unit| field.arm(unit).step() == step);
        unit.is_some() && state.unit(pair.1).is_some()
    };
    [ours.filter(throws).copied().collect(), theirs.filter(throws).copied().collect()]
}

/// DBD-14.13 The types that fire at ships from afar.
fn has_missiles(unit: &Unit) -> bool {
    matches!(unit.kind, Kind::Musketeers | Kind::Dragoons)
}

/// A unit and its target.
pub(super) type Pair = (u32, u32);
