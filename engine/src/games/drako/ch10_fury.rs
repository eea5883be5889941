//! DRK-10 Fury: one wound for one action more.

use super::action::{Dwarf, Side};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{FuryMoment, LethalFury, Setup};
use super::state::State;
use super::tables::TURN_ACTIONS;
use super::{Ctx, Verdict, ch06_movement, ch08_wounds, ch11_end};
use crate::rules::Refusal;

/// Why Fury cannot be declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Used,
    Dead,
    TooLate,
    Lethal,
}

/// DRK-10.1 to 10.4 Why Fury cannot be declared, if it cannot: the first reason of part C.5.
fn fault(setup: &Setup, state: &State) -> Option<Fault> {
    let turn_start = setup.rulings.fury_moment == FuryMoment::TurnStart;
    let not_lethal = setup.rulings.lethal_fury == LethalFury::Forbid;
    if state.fury_used {
        Some(Fault::Used)
    } else if state.dwarf(Dwarf::Fury).is_none() {
        Some(Fault::Dead)
    } else if turn_start && state.actions_left != TURN_ACTIONS {
        Some(Fault::TooLate)
    } else if not_lethal && state.free(setup, Dwarf::Fury.index()) < 2 {
        Some(Fault::Lethal)
    } else {
        None
    }
}

fn refusal(setup: &Setup, state: &State, fault: Fault) -> Refusal<Rule> {
    let refused = match fault {
        Fault::Used => Refusal::new(Rule::C10_4, "fury_used", "Fury is declared once per game")
            .also(Rule::R29)
            .fact("fury marker", "used"),
        Fault::Dead => ch06_movement::is_dead(Dwarf::Fury).also(Rule::C10_1),
        Fault::TooLate => {
            let message = "Fury is declared before the first action of the turn";
            Refusal::new(Rule::C10_1, "fury_too_late", message)
                .also(Rule::R11)
                .fact("actions left", state.actions_left)
        }
        Fault::Lethal => Refusal::new(Rule::C10_2, "fury_lethal", "Fury would kill its dwarf")
            .also(Rule::R12)
            .fact("free spaces of fury", state.free(setup, Dwarf::Fury.index())),
    };
    refused.public()
}

/// DRK-10.1 Fury is declared: a wound at once, and an action more.
pub(super) fn declare(ctx: &mut Ctx<'_>) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    if let Some(fault) = fault(setup, state) {
        return Err(refusal(setup, state, fault).into());
    }
    let rules = [Rule::C10_1, Rule::C10_3, Rule::C10_4, Rule::R11, Rule::R13, Rule::R29];
    ctx.happen(Event::FuryDeclared, rules);
    ch08_wounds::wound_of_fury(ctx);
    if ch11_end::dwarves_killed(ctx) {
        return Ok(());
    }
    let awaited = Event::Awaited { stage: super::state::Stage::Action, to_assign: 0 };
    ctx.happen(awaited, [Rule::C10_3, Rule::C3_8, Rule::R13]);
    Ok(())
}

/// Whether Fury can be declared now.
pub(super) fn can_declare(setup: &Setup, state: &State) -> bool {
    state.mover() == Side::Dwarves && fault(setup, state).is_none()
}
