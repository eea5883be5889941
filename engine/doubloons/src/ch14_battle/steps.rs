//! DBD-14.10, DBD-14.14, DBD-14.15 The steps of a battle, from the first to its end.
//!
//! Must not judge a declaration of targets: `targets.rs` does.

use super::Pair;
use super::advance::may_advance;
use super::aim::{arm_of, attackers, defenders, may_aim, modifier};
use super::targets::{aim_by_rule, declarer, has_choice, note_targets, only_targets};
use crate::ch13_movement::cargo_lost;
use crate::ch19_validity::chance::{Stream, throw_die};
use crate::notice::{Cause, Happening};
use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::state::{Fight, Stage, State, Unit};
use crate::tables::{BATTLE_STEPS, HIT};
use crate::{Ctx, Stop, Verdict};

/// One side of a step: its throwing units, by rising id, each with its legal targets.
pub(crate) type Throws = Vec<(u32, Vec<u32>)>;

/// DBD-14.10 The attacker's units that throw in a step.
pub(crate) fn attacking(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let side = fight.units.iter().filter_map(|&id| state.unit(id));
    let targets: Vec<&Unit> = defenders(setup, state, fight).collect();
    list_throws(setup, side, &targets, step)
}

/// DBD-14.10 The defender's units that throw in a step.
pub(crate) fn defending(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let mut targets: Vec<&Unit> = attackers(state, fight).collect();
    targets.sort_unstable_by_key(|unit| unit.id);
    list_throws(setup, defenders(setup, state, fight), &targets, step)
}

fn list_throws<'a>(
    setup: &Setup,
    side: impl Iterator<Item = &'a Unit>,
    targets: &[&Unit],
    step: u8,
) -> Throws {
    let in_step = side.filter(|unit| unit.is_military() && arm_of(setup, unit).step() == step);
    let aims = in_step.map(|unit| {
        let legal = targets.iter().filter(|target| may_aim(setup, unit, target));
        (unit.id, legal.map(|target| target.id).collect::<Vec<_>>())
    });
    aims.filter(|(_, legal)| !legal.is_empty()).collect()
}

/// DBD-14.10 The next step in which anybody throws. DBD-14.15 It is over after the last, or when a
/// side has no unit left.
pub(super) fn start_next_step(ctx: &mut Ctx<'_>, from: u8) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    let both =
        attackers(state, fight).next().is_some() && defenders(setup, state, fight).next().is_some();
    let thrown = |step: &u8| {
        !attacking(setup, state, fight, *step).is_empty()
            || !defending(setup, state, fight, *step).is_empty()
    };
    match (from..=BATTLE_STEPS).find(|step| both && thrown(step)) {
        Some(step) => {
            ctx.happen(Happening::BattleStep { step }.into(), Rule::C14_10);
            go_on_with_step(ctx)
        }
        None => {
            finish_battle(ctx);
            Ok(())
        }
    }
}

/// DBD-14.11 Targets are declared before the dice, first the attacker's, then the defender's. A
/// side without a choice is not asked.
pub(crate) fn go_on_with_step(ctx: &mut Ctx<'_>) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    if fight.declared.is_none() {
        let ours = attacking(setup, state, fight, fight.step);
        if has_choice(&ours) {
            return Ok(());
        }
        let by = state.active;
        note_targets(ctx, true, by, only_targets(&ours), [Rule::C14_11, Rule::C19_6]);
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    let theirs = defending(setup, state, fight, fight.step);
    if !has_choice(&theirs) {
        let by = theirs.first().and_then(|it| state.unit(it.0)).and_then(|unit| unit.owner);
        let pairs = only_targets(&theirs);
        note_targets(ctx, false, by, pairs.clone(), [Rule::C14_11, Rule::C19_6]);
        return throw_step(ctx, &pairs);
    }
    if declarer(setup, state).is_some() {
        return Ok(());
    }
    let pairs = aim_by_rule(setup, state, &theirs);
    note_targets(ctx, false, None, pairs.clone(), [Rule::C14_12, Rule::C14_11]);
    throw_step(ctx, &pairs)
}

/// DBD-14.14 All dice of the step, the attacker's and then the defender's; then all hits are
/// removed together.
pub(super) fn throw_step(ctx: &mut Ctx<'_>, theirs: &[Pair]) -> Verdict {
    let Some(fight) = ctx.state().fight.as_deref() else { return Ok(()) };
    let step = fight.step;
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
    start_next_step(ctx, step + 1)
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

/// DBD-14.15 The battle is over; DBD-14.16 nothing moves, unless DBD-R66 is read as `advance`.
fn finish_battle(ctx: &mut Ctx<'_>) {
    if may_advance(ctx.setup(), ctx.state()) {
        let advance = Happening::PhaseStarted { phase: Stage::Advance };
        ctx.happen(advance.into(), [Rule::C14_16, Rule::R66]);
    } else {
        end_battle(ctx, [Rule::C14_15, Rule::C14_16]);
    }
}

pub(super) fn end_battle(ctx: &mut Ctx<'_>, rules: [Rule; 2]) {
    let Some(fight) = ctx.state().fight.as_deref() else { return };
    let at = ctx.setup().map.place(fight.target).hex;
    let left = fight.units.clone();
    ctx.happen(Happening::BattleEnded { at, left }.into(), rules);
}
