//! DBD-14.11, DBD-14.12 The targets of a step: who declares them, and how neutral units aim.
//!
//! Must not throw a die.

use super::aim::{Pair, Throws, arm_of, attacking, defending, illegal_target, modifier};
use crate::action::{DeclareTargets, Player};
use crate::notice::Happening;
use crate::rulebook::{Rule, Warden};
use crate::setup::Setup;
use crate::state::{Stage, State};
use crate::{Checked, Ctx, Refusal, ch19_validity};

/// DBD-14.11 Whether a unit of a side has more than one legal target.
pub(super) fn has_choice(side: &Throws) -> bool {
    side.iter().any(|(_, legal)| legal.len() > 1)
}

/// DBD-19.6 The targets of a side without a choice.
pub(super) fn only_targets(side: &Throws) -> Vec<Pair> {
    side.iter().filter_map(|(unit, legal)| Some((*unit, *legal.first()?))).collect()
}

/// DBD-14.11 The targets of a side are known to all.
pub(super) fn note_targets(
    ctx: &mut Ctx<'_>,
    attacking: bool,
    by: Option<Player>,
    targets: Vec<Pair>,
    rules: [Rule; 2],
) {
    if attacking || !targets.is_empty() {
        ctx.happen(Happening::TargetsDeclared { attacking, by, targets }.into(), rules);
    }
}

/// DBD-14.11 The side that is asked: its throwing units with their legal targets.
pub(crate) fn asked_side(setup: &Setup, state: &State) -> Throws {
    match state.fight.as_deref() {
        None => Throws::new(),
        Some(fight) if fight.declared.is_none() => attacking(setup, state, fight, fight.step),
        Some(fight) => defending(setup, state, fight, fight.step),
    }
}

/// DBD-14.11 Who declares the targets that are wanted now: the attacker, the owner of the defenders
/// that throw, or for neutral ones whoever DBD-R67 names.
pub(crate) fn declarer(setup: &Setup, state: &State) -> Option<Player> {
    let fight = state.fight.as_deref()?;
    if fight.declared.is_none() {
        return state.active;
    }
    let side = defending(setup, state, fight, fight.step);
    let owner = state.unit(side.first()?.0)?.owner;
    owner.or_else(|| warden(setup, state))
}

/// DBD-14.12 With DBD-R67 read as `warden`, the next player after the attacker aims for neutrals.
fn warden(setup: &Setup, state: &State) -> Option<Player> {
    if setup.rulings.warden == Warden::ByRule {
        return None;
    }
    next_after_attacker(state)
}

/// DBD-14.12 The player whom DBD-R67 read as `warden` means.
fn next_after_attacker(state: &State) -> Option<Player> {
    let attacker = state.active?.index();
    let seats = (1..6).map(|step| (attacker + step) % 6);
    seats.map(Player::at).find(|&player| state.playing.contains(player))
}

/// DBD-14.12 How neutral units aim: troops first, then the least aimed at, the higher modifier, the
/// dearer, the lower id.
pub(super) fn aim_by_rule(setup: &Setup, state: &State, side: &Throws) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(side.len());
    for (id, legal) in side {
        let Some(unit) = state.unit(*id) else { continue };
        let best = legal.iter().filter_map(|&target| state.unit(target)).min_by_key(|target| {
            let aimed = pairs.iter().filter(|pair| pair.1 == target.id).count();
            let modifier = modifier(setup, unit, target, true);
            let cost = std::cmp::Reverse(target.kind.cost());
            (!target.is_military(), aimed, -modifier, cost, target.id)
        });
        pairs.extend(best.map(|target| (*id, target.id)));
    }
    pairs
}

/// DBD-14.11 and DBD-14.9 The pairs that a declaration stands for. `all` is for the throwing units that
/// are not listed; where every one is, it is not judged.
fn check_declaration(
    setup: &Setup,
    state: &State,
    side: &Throws,
    it: &DeclareTargets,
) -> Checked<Vec<Pair>> {
    let legal_of = |unit: u32| side.iter().find(|it| it.0 == unit).map(|it| &it.1);
    for (at, &(unit, target)) in it.targets.iter().enumerate() {
        ch19_validity::check_unit_exists(state, unit, &format!("/targets/{at}/0"))?;
        ch19_validity::check_unit_exists(state, target, &format!("/targets/{at}/1"))?;
    }
    for (at, &(unit, _)) in it.targets.iter().enumerate() {
        if legal_of(unit).is_none() {
            let message = format!("{} does not throw in this step", state.unit_title(unit));
            return Err(Refusal::new(Rule::C14_11, "does_not_throw", message).at("/targets"));
        }
        if it.targets[..at].iter().any(|earlier| earlier.0 == unit) {
            let message = format!("{} is named twice", state.unit_title(unit));
            return Err(Refusal::new(Rule::C14_11, "two_targets", message).at("/targets"));
        }
    }
    let mut pairs = Vec::with_capacity(side.len());
    for (unit, legal) in side {
        let listed = it.targets.iter().find(|pair| pair.0 == *unit);
        match (listed, it.all) {
            (Some(&pair), _) => pairs.push(pair),
            (None, Some(all)) if legal.contains(&all) => pairs.push((*unit, all)),
            _ => {
                let message = format!("{} throws and has no target", state.unit_title(*unit));
                return Err(Refusal::new(Rule::C14_11, "no_target_named", message).at("/targets"));
            }
        }
    }
    for &(unit, target) in &it.targets {
        if legal_of(unit).is_some_and(|legal| !legal.contains(&target)) {
            return Err(illegal_target(setup, state, &[unit], target));
        }
    }
    Ok(pairs)
}

/// DBD-14.11 Whether targets may be declared so.
pub(crate) fn check_targets(
    setup: &Setup,
    state: &State,
    it: &DeclareTargets,
) -> Checked<Vec<Pair>> {
    for unit in it.targets.iter().flat_map(|pair| [pair.0, pair.1]).chain(it.all) {
        ch19_validity::check_unit_exists(state, unit, "/targets")?;
    }
    if let Err(refusal) = check_is_declarer(setup, state, it.player) {
        let wardens = is_wardens(setup, state, it);
        return Err(if wardens { refusal.also(Rule::C14_12).also(Rule::R67) } else { refusal });
    }
    check_declaration(setup, state, &asked_side(setup, state), it)
}

/// DBD-19.3 Whether the player is the one who is asked for targets.
fn check_is_declarer(setup: &Setup, state: &State, player: Player) -> Checked {
    ch19_validity::check_is_asked(state, player, Stage::DeclareTargets)?;
    if declarer(setup, state) == Some(player) {
        return Ok(());
    }
    Err(ch19_validity::misplaced(state, format!("{player} is not asked for targets")))
}

/// DBD-14.12 Whether it is by DBD-R67 that the player is not asked: another aims for the neutral units that
/// throw now; or he would have aimed for them, and they have aimed by rule (DBD-14.12).
fn is_wardens(setup: &Setup, state: &State, it: &DeclareTargets) -> bool {
    let fight = state.fight.as_deref();
    if setup.rulings.warden == Warden::Player {
        let neutral = |id: u32| state.unit(id).is_some_and(|unit| unit.owner.is_none());
        return state.stage == Stage::DeclareTargets
            && fight.is_some_and(|fight| fight.declared.is_some())
            && asked_side(setup, state).first().is_some_and(|it| neutral(it.0));
    }
    let aimed = |&(unit, target): &Pair| {
        let (Some(unit), Some(target)) = (state.unit(unit), state.unit(target)) else {
            return false;
        };
        unit.owner.is_none()
            && target.owner == state.active
            && setup.map.adjacent(unit.at, target.at)
            && fight.is_none_or(|fight| {
                fight.target == unit.at && arm_of(setup, unit).step() < fight.step
            })
    };
    matches!(state.stage, Stage::Battle | Stage::DeclareTargets)
        && next_after_attacker(state) == Some(it.player)
        && !it.targets.is_empty()
        && it.targets.iter().all(aimed)
}
