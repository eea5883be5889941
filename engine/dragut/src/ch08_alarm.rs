//! DRG-8 The alarm.
//!
//! Must not decide what raises it, save for the paid action.

use super::action::Side;
use super::ch04_points::{Price, check_pool, is_in_pool};
use super::ch13_protocol::Faults;
use super::event::{AlarmCause, Event};
use super::rulebook::{PoolRead, Rule};
use super::setup::Setup;
use super::state::State;
use super::{Checked, Ctx, Refusal, Verdict};
use umpire_core::rules::Cites;

/// DRG-8.1, DRG-8.4 The counter moves; steps beyond the ends are lost. Says whether it moved.
/// Under DRG-R10 = `live` the Rapalline pool follows during the Rapalline phase.
pub(super) fn shift_alarm(
    ctx: &mut Ctx<'_>,
    steps: i8,
    cost: u8,
    cause: AlarmCause,
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

/// DRG-8.2, DRG-8.3 The clause of a rise or a fall by a card.
pub(super) fn direction(steps: i8) -> Rule {
    if steps > 0 { Rule::C8_2 } else { Rule::C8_3 }
}

/// DRG-8.5 The paid raise.
pub(super) fn raise_alarm(ctx: &mut Ctx<'_>) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let cost = setup.constants.raise_alarm;
    let mut faults = Faults::default();
    faults.note(check_raise(setup, state));
    faults.note(check_pool(setup, state, Price::new(cost, Rule::C8_5)));
    faults.first()?;
    shift_alarm(ctx, 1, cost, AlarmCause::Action, [Rule::C8_5, Rule::C4_7]);
    Ok(())
}

/// DRG-8.5 Whether the counter is on the last case.
fn is_on_last_case(setup: &Setup, state: &State) -> bool {
    state.case >= setup.cases()
}

/// DRG-8.5 Not on the last case; as often as points allow, unless DRG-R30 = `once`.
fn check_raise(setup: &Setup, state: &State) -> Checked {
    if is_on_last_case(setup, state) {
        let value = setup.track.last().copied().unwrap_or_default();
        let message = format!("the alarm is on the last case; its value is {value}");
        return Err(Refusal::new(Rule::C8_5, "last_case", message)
            .fact("alarm case", state.case)
            .public());
    }
    if state.raised {
        let message = "the alarm has been raised by an action this phase";
        return Err(Refusal::new(Rule::C8_5, "raised_already", message).also(Rule::R30).public());
    }
    Ok(())
}

/// DRG-4.4, DRG-8.5 Whether the paid raise is legal now.
pub(super) fn can_raise(setup: &Setup, state: &State) -> bool {
    !is_on_last_case(setup, state)
        && !state.raised
        && is_in_pool(state, setup.constants.raise_alarm)
}
