//! DBD-14.15, DBD-14.16 The end of a battle, and the advance of victors into a hex that it has
//! emptied.
//!
//! Must not ask anybody to advance under the default reading of DBD-R66: nothing moves then.

use crate::action::Advance;
use crate::notice::Happening;
use crate::rulebook::{Rule, Victors};
use crate::setup::Setup;
use crate::state::{Stage, State, Unit};
use crate::tables::Kind;
use crate::{Checked, Ctx, Refusal, Verdict, ch13_movement, ch19_validity};
use umpire_core::board::hex::Hex;

/// DBD-14.15 The battle is over; DBD-14.16 nothing moves, unless DBD-R66 is read as `advance`.
pub(crate) fn finish_battle(ctx: &mut Ctx<'_>) {
    if may_advance(ctx.setup(), ctx.state()) {
        let advance = Happening::PhaseStarted { phase: Stage::Advance };
        ctx.happen(advance.into(), [Rule::C14_16, Rule::R66]);
    } else {
        end_battle(ctx, [Rule::C14_15, Rule::C14_16]);
    }
}

/// DBD-14.15 The battle is over.
pub(super) fn end_battle(ctx: &mut Ctx<'_>, rules: [Rule; 2]) {
    let Some(fight) = ctx.state().fight.as_deref() else { return };
    let at = ctx.setup().map.place(fight.target).hex;
    let left = fight.units.clone();
    ctx.happen(Happening::BattleEnded { at, left }.into(), rules);
}

/// DBD-14.16 Those who may enter an emptied hex: survivors that took part, no ships, no cannon.
pub(crate) fn victors<'a>(setup: &Setup, state: &'a State) -> Vec<&'a Unit> {
    let Some(fight) = state.fight.as_deref() else { return Vec::new() };
    if setup.map.place(fight.target).terrain.land_cost().is_none() {
        return Vec::new();
    }
    let left = fight.units.iter().filter_map(|&id| state.unit(id));
    left.filter(|unit| !unit.kind.is_ship() && unit.kind != Kind::Cannon).collect()
}

/// DBD-14.16 Asked only where no unit of others but leaders is left, and an officer survives.
pub(crate) fn may_advance(setup: &Setup, state: &State) -> bool {
    let Some(fight) = state.fight.as_deref() else { return false };
    let mut others = state.units_at(fight.target).filter(|unit| unit.owner != state.active);
    setup.rulings.victors == Victors::Advance
        && others.all(|unit| unit.kind.is_leader())
        && victors(setup, state).iter().any(|unit| unit.kind == Kind::Officer)
}

/// DBD-14.16 Victors, with an officer among them if any is military.
pub(crate) fn check_advance(setup: &Setup, state: &State, it: &Advance) -> Checked {
    ch19_validity::check_units_differ(state, &it.units)?;
    ch19_validity::check_is_asked(state, it.player, Stage::Advance)?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    let victors = victors(setup, state);
    for &id in &it.units {
        if victors.iter().all(|unit| unit.id != id) {
            let message = format!("{} cannot enter after this battle", state.unit_title(id));
            return Err(Refusal::new(Rule::C14_16, "no_victor", message)
                .also(Rule::R66)
                .at("/units"));
        }
    }
    let named = || victors.iter().filter(|unit| it.units.contains(&unit.id));
    if named().any(|it| it.is_military()) && !named().any(|it| it.kind == Kind::Officer) {
        return Err(Refusal::new(Rule::C14_16, "no_officer", "troops enter with an officer")
            .also(Rule::R66)
            .at("/units"));
    }
    Ok(())
}

/// DBD-14.16 They enter free of charge; capture and occupation as in DBD-13.10.
pub(crate) fn advance_victors(ctx: &mut Ctx<'_>, it: &Advance) -> Verdict {
    check_advance(ctx.setup(), ctx.state(), it)?;
    let Some(target) = ctx.state().fight.as_deref().map(|fight| fight.target) else {
        return Ok(());
    };
    let to: Hex = ctx.setup().map.place(target).hex;
    let troops = it.units.iter().any(|&id| ctx.state().unit(id).is_some_and(Unit::is_military));
    if !it.units.is_empty() {
        let event = Happening::Advanced { player: it.player, units: it.units.clone(), to };
        ctx.happen(event.into(), [Rule::C14_16, Rule::R66]);
    }
    if troops {
        ch13_movement::enter_hex(ctx, it.player, &it.units, target, false);
    }
    end_battle(ctx, [Rule::C14_15, Rule::R66]);
    Ok(())
}
