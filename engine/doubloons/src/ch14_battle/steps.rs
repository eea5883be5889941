//! DBD-14.10, DBD-14.11, DBD-14.14 The steps of a battle: each one's targets, dice and losses.
//!
//! Must not judge a declaration of targets: `targets.rs` does. Nor does a step know what comes after
//! it: `sequence.rs` leads from one to the next.

use super::aim::{Pair, attackers, attacking, defenders, defending, modifier};
use super::targets::{
    aim_by_rule, check_targets, declarer, has_choice, note_targets, only_targets,
};
use crate::action::DeclareTargets;
use crate::ch13_movement::boarding::cargo_lost;
use crate::ch19_validity::chance::{Stream, throw_die};
use crate::notice::{Cause, Happening};
use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::state::State;
use crate::tables::{BATTLE_STEPS, HIT};
use crate::{Ctx, Stop, Verdict};

/// DBD-14.10 The next step in which anybody throws, after the one that the battle is in. DBD-14.15
/// There is none after the last, or when a side has no unit left.
pub(crate) fn next_step(setup: &Setup, state: &State) -> Option<u8> {
    let fight = state.fight.as_deref()?;
    let both =
        attackers(state, fight).next().is_some() && defenders(setup, state, fight).next().is_some();
    let thrown = |step: &u8| {
        !attacking(setup, state, fight, *step).is_empty()
            || !defending(setup, state, fight, *step).is_empty()
    };
    (fight.step + 1..=BATTLE_STEPS).find(|step| both && thrown(step))
}

/// DBD-14.10 A step begins.
pub(crate) fn begin_step(ctx: &mut Ctx<'_>, step: u8) {
    ctx.happen(Happening::BattleStep { step }.into(), Rule::C14_10);
}

/// DBD-14.11 Targets are declared before the dice, first the attacker's, then the defender's. A
/// side without a choice is not asked. Whether the step is worked out; otherwise somebody is asked.
pub(crate) fn work_out_step(ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(false) };
    if fight.declared.is_none() {
        let ours = attacking(setup, state, fight, fight.step);
        if has_choice(&ours) {
            return Ok(false);
        }
        let by = state.active;
        note_targets(ctx, true, by, only_targets(&ours), [Rule::C14_11, Rule::C19_6]);
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(false) };
    let theirs = defending(setup, state, fight, fight.step);
    if !has_choice(&theirs) {
        let by = theirs.first().and_then(|it| state.unit(it.0)).and_then(|unit| unit.owner);
        let pairs = only_targets(&theirs);
        note_targets(ctx, false, by, pairs.clone(), [Rule::C14_11, Rule::C19_6]);
        throw_step(ctx, &pairs)?;
        return Ok(true);
    }
    if declarer(setup, state).is_some() {
        return Ok(false);
    }
    let pairs = aim_by_rule(setup, state, &theirs);
    note_targets(ctx, false, None, pairs.clone(), [Rule::C14_12, Rule::C14_11]);
    throw_step(ctx, &pairs)?;
    Ok(true)
}

/// DBD-14.11 One side has declared; once both have, the dice are thrown.
pub(crate) fn declare_targets(ctx: &mut Ctx<'_>, it: &DeclareTargets) -> Verdict {
    let pairs = check_targets(ctx.setup(), ctx.state(), it)?;
    let first = ctx.state().fight.as_deref().is_some_and(|fight| fight.declared.is_none());
    let by = Some(it.player);
    note_targets(ctx, first, by, pairs.clone(), [Rule::C14_11, Rule::C14_9]);
    if first { Ok(()) } else { throw_step(ctx, &pairs) }
}

/// DBD-14.14 All dice of the step, the attacker's and then the defender's; then all hits are
/// removed together.
fn throw_step(ctx: &mut Ctx<'_>, theirs: &[Pair]) -> Verdict {
    let Some(fight) = ctx.state().fight.as_deref() else { return Ok(()) };
    let ours = fight.declared.clone().unwrap_or_default();
    let mut hits = Vec::new();
    let sides = ours.iter().map(|it| (it, false)).chain(theirs.iter().map(|it| (it, true)));
    for (&(unit, target), at_attacker) in sides {
        if throw_at(ctx, unit, target, at_attacker)? && !hits.contains(&target) {
            hits.push(target);
        }
    }
    for unit in hits {
        destroy_unit(ctx, unit);
    }
    Ok(())
}

/// DBD-14.13 A die with its modifier; 4 or more destroys.
fn throw_at(ctx: &mut Ctx<'_>, unit: u32, target: u32, at_attacker: bool) -> Result<bool, Stop> {
    let throw = throw_die(ctx, Stream::Battle, 6, Rule::C14_10)?;
    let (setup, state) = (ctx.setup(), ctx.state());
    let modifier = match (state.unit(unit), state.unit(target)) {
        (Some(unit), Some(target)) => modifier(setup, unit, target, at_attacker),
        _ => 0,
    };
    let hit = throw as i8 + modifier >= HIT;
    let event = Happening::BattleDie { unit, target, die: throw, modifier, hit };
    ctx.happen(event.into(), [Rule::C14_13, Rule::C14_7, Rule::C14_14]);
    Ok(hit)
}

/// DBD-14.14 A hit unit is removed, at sea with its cargo (DBD-13.17).
fn destroy_unit(ctx: &mut Ctx<'_>, unit: u32) {
    let Some(unit_type) = ctx.state().unit(unit).map(|unit| unit.kind) else { return };
    let drowned = cargo_lost(ctx.setup(), ctx.state(), unit);
    let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::Battle, die: None };
    ctx.happen(event.into(), [Rule::C14_13, Rule::C14_14]);
    for (unit, unit_type) in drowned {
        let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::Drowned, die: None };
        ctx.happen(event.into(), Rule::C13_17);
    }
}
