//! DRG-8: the alarm.
//!
//! Must not decide what raises it, save for the paid action.

use super::action::RaiseAlarm;
use super::ch04_points::c4_4_pool;
use super::ch13_protocol::{Checked, Faults, refuse};
use super::event::{Cause, Event};
use super::rulebook::{PoolRead, Rule};
use super::setup::Setup;
use super::state::State;
use super::tables::Side;
use super::{Cx, Dragut, ch06_combat};
use umpire_core::game::Verdict;
use umpire_core::rules::Cites;

/// DRG-8.1, 8.4: the counter moves; steps beyond the ends are lost. Says whether it moved.
/// Under DRG-R10 = `live` the Rapalline pool follows during the Rapalline phase.
pub fn shift(
    ctx: &mut Cx<'_>,
    steps: i8,
    cost: u8,
    cause: Cause,
    rules: impl Into<Cites<Rule>>,
) -> bool {
    let rules = rules.into();
    let (setup, state) = (ctx.setup(), ctx.state());
    let from = state.case;
    let to = from.saturating_add_signed(steps).clamp(1, setup.cases());
    let mut pool = state.pool.saturating_sub(cost);
    if setup.rulings.pool_read == PoolRead::Live && state.phase == Some(Side::Rapalline) {
        let change = i16::from(setup.points(to)) - i16::from(setup.points(from));
        pool = (i16::from(pool) + change).max(0) as u8;
    }
    let event = Event::AlarmChanged { from, to, steps, cost, pool, cause };
    if i16::from(to) == i16::from(from) + i16::from(steps) {
        ctx.happen(event, rules);
    } else {
        ctx.happen(event, rules.and(Rule::C8_4));
    }
    to != from
}

/// DRG-8.5: the paid raise.
pub fn raise(ctx: &mut Cx<'_>, _: &RaiseAlarm) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let cost = setup.constants.raise_alarm;
    let mut faults = Faults::default();
    faults.note(c8_5_raise(setup, state));
    faults.note(c4_4_pool(state, cost));
    faults.first()?;
    shift(ctx, 1, cost, Cause::Action, [Rule::C8_5, Rule::C4_7]);
    ch06_combat::settle(ctx)
}

/// DRG-8.5: not on the last case; as often as points allow, unless DRG-R30 = `once`.
fn c8_5_raise(setup: &Setup, state: &State) -> Checked<()> {
    if state.case >= setup.cases() {
        let message = "the alarm is on the last case";
        let refusal = refuse(Rule::C8_5, "last_case", message, "").public();
        return Err(refusal.fact("alarm case", state.case));
    }
    if state.raised {
        let message = "the alarm has been raised by an action this phase";
        let refusal = refuse(Rule::C8_5, "raised_already", message, "").public();
        return Err(refusal.also(Rule::R30));
    }
    Ok(())
}

/// Whether the paid raise is legal now.
pub fn may_raise(setup: &Setup, state: &State) -> bool {
    state.case < setup.cases() && !state.raised && setup.constants.raise_alarm <= state.pool
}
