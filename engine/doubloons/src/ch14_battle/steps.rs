//! DBD-14.10, DBD-14.11, DBD-14.14 The steps of a battle: each one's targets, dice and losses.
//!
//! Must not judge a declaration of targets: `targets.rs` does. Nor does a step know what comes after
//! it: `sequence.rs` leads from one to the next.

use super::aim::{Field, Throws, attackers, attacking, defenders, defending, dice_of};
use super::targets::{
    Declaration, aim_by_rule, check_targets, has_choice, next_declaration, note_targets,
    only_targets, side_asked,
};
use crate::action::DeclareTargets;
use crate::ch13_movement::boarding::cargo_lost;
use crate::ch19_validity::chance::{Stream, throw_die};
use crate::notice::{Cause, Happening};
use crate::rulebook::{BattleLength, Declaring, Losses, Rule};
use crate::setup::Setup;
use crate::state::{Fight, State};
use crate::tables::{BATTLE_STEPS, HIT};
use crate::{Ctx, Stop, Verdict};
use umpire_core::rules::Cites;

/// DBD-14.10, DBD-14.11 Whether targets or dice of the step are still to come.
pub(crate) fn is_due(setup: &Setup, state: &State) -> bool {
    let Some(fight) = state.fight.as_deref() else { return false };
    let at_start = setup.rulings.declaring == Declaring::AllAtStart && fight.step == 0;
    match at_start {
        true => next_declaration(setup, state).is_some(),
        false => fight.step > 0 && !fight.thrown,
    }
}

/// DBD-14.15 Whether both sides have a unit left.
fn both_stand(setup: &Setup, state: &State, fight: &Fight) -> bool {
    attackers(state, fight).next().is_some() && defenders(setup, state, fight).next().is_some()
}

/// DBD-14.10 The next step in which anybody throws, after the one that the battle is in. DBD-14.15
/// There is none after the last, or when a side has no unit left.
pub(crate) fn next_step(setup: &Setup, state: &State) -> Option<u8> {
    let fight = state.fight.as_deref()?;
    let both = both_stand(setup, state, fight);
    let thrown = |step: &u8| match setup.rulings.declaring {
        Declaring::AllAtStart => {
            dice_of(setup, state, fight, *step).iter().any(|side| !side.is_empty())
        }
        Declaring::PerStep | Declaring::DefenderFirst => {
            !attacking(setup, state, fight, *step).is_empty()
                || !defending(setup, state, fight, *step).is_empty()
        }
    };
    (fight.step + 1..=BATTLE_STEPS).find(|step| both && thrown(step))
}

/// DBD-14.15 With DBD-R65 read as `to_the_end`, the first step of another pass, while both sides have a unit and a 6 of somebody
/// would hit.
pub(crate) fn next_pass(setup: &Setup, state: &State) -> Option<u8> {
    let fight = state.fight.as_deref()?;
    if setup.rulings.battle_length == BattleLength::OnePass || !both_stand(setup, state, fight) {
        return None;
    }
    let field = Field::new(setup, &fight.units);
    let could_hit = |side: Throws, at_attacker: bool| {
        side.iter().any(|(unit, legal)| {
            let Some(unit) = state.unit(*unit) else { return false };
            let mut targets = legal.iter().filter_map(|&target| state.unit(target));
            targets.any(|target| field.hits(6, field.modifier(unit, target, at_attacker)))
        })
    };
    let ours = attacking(setup, state, fight, 0);
    if !could_hit(ours, false) && !could_hit(defending(setup, state, fight, 0), true) {
        return None;
    }
    if setup.rulings.declaring == Declaring::AllAtStart {
        return Some(0);
    }
    let thrown = |step: &u8| {
        !attacking(setup, state, fight, *step).is_empty()
            || !defending(setup, state, fight, *step).is_empty()
    };
    (1..=BATTLE_STEPS).find(thrown)
}

/// DBD-14.10 A step begins.
pub(crate) fn begin_step(ctx: &mut Ctx<'_>, step: u8) {
    match step {
        0 => ctx.happen(Happening::BattleStep { step }.into(), [Rule::C14_15, Rule::R65]),
        _ => ctx.happen(Happening::BattleStep { step }.into(), Rule::C14_10),
    }
}

/// DBD-14.11 Targets are declared before the dice, side after side. A side without a choice is not asked. Whether the step is
/// worked out; otherwise somebody is asked.
pub(crate) fn work_out_step(ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
    while let Some(Declaration { side, throws, last }) = next_declaration(ctx.setup(), ctx.state())
    {
        let (setup, state) = (ctx.setup(), ctx.state());
        let (by, pairs, rules) = match has_choice(&throws) {
            true if side_asked(setup, state, side).is_some() => return Ok(false),
            true => (None, aim_by_rule(setup, state, &throws), [Rule::C14_12, Rule::C14_11]),
            false => (side.owner(state), only_targets(&throws), [Rule::C14_11, Rule::C19_6]),
        };
        note_targets(ctx, side, by, pairs, rules);
        if last {
            break;
        }
    }
    throw_step(ctx)?;
    Ok(true)
}

/// DBD-14.11 One side has declared.
pub(crate) fn declare_targets(ctx: &mut Ctx<'_>, it: &DeclareTargets) -> Verdict {
    let pairs = check_targets(ctx.setup(), ctx.state(), it)?;
    if let Some(asked) = next_declaration(ctx.setup(), ctx.state()) {
        note_targets(ctx, asked.side, Some(it.player), pairs, [Rule::C14_11, Rule::C14_9]);
    }
    Ok(())
}

/// DBD-14.14 All dice of the step, the attacker's and then the defender's; then all hits are
/// removed together, with DBD-R63 read as `after_battle` only after the last step.
fn throw_step(ctx: &mut Ctx<'_>) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    let [ours, mut theirs] = dice_of(setup, state, fight, fight.step);
    theirs.sort_unstable();
    let mut hits = Vec::new();
    let sides = ours.iter().map(|it| (it, false)).chain(theirs.iter().map(|it| (it, true)));
    for (&(unit, target), at_attacker) in sides {
        if throw_at(ctx, unit, target, at_attacker)? && !hits.contains(&target) {
            hits.push(target);
        }
    }
    if ctx.setup().rulings.losses == Losses::EachStep {
        hits.into_iter().for_each(|unit| destroy_unit(ctx, unit));
    }
    Ok(())
}

/// DBD-14.14 With DBD-R63 read as `after_battle`, the units that were hit are removed after the last step.
pub(crate) fn remove_hit_units(ctx: &mut Ctx<'_>) {
    let Some(fight) = ctx.state().fight.as_deref() else { return };
    for unit in fight.hit.clone() {
        destroy_unit(ctx, unit);
    }
}

/// DBD-14.13 A die with its modifier; 4 or more destroys.
fn throw_at(ctx: &mut Ctx<'_>, unit: u32, target: u32, at_attacker: bool) -> Result<bool, Stop> {
    let throw = throw_die(ctx, Stream::Battle, 6, Rule::C14_10)?;
    let (setup, state) = (ctx.setup(), ctx.state());
    let named = state.fight.as_deref().map_or(&[][..], |fight| &fight.units);
    let field = Field::new(setup, named);
    let modifier = match (state.unit(unit), state.unit(target)) {
        (Some(unit), Some(target)) => field.modifier(unit, target, at_attacker),
        _ => 0,
    };
    let hit = field.hits(throw, modifier);
    let event = Happening::BattleDie { unit, target, die: throw, modifier, hit };
    let rules = Cites::from([Rule::C14_13, Rule::C14_7, Rule::C14_14]);
    // Only then does it matter whether a 6 always hits.
    let rules = if throw == 6 && modifier < HIT - 6 { rules.and(Rule::R69) } else { rules };
    ctx.happen(event.into(), rules);
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
