//! DRK-10 Fury: one wound for one action more.
//!
//! Must not know what the action is used for.

use super::action::{Dwarf, Side, Track};
use super::ch01_terms::figure_dead;
use super::event::Event;
use super::rulebook::{FuryMoment, LethalFury, Rule, ThirdAction};
use super::setup::Setup;
use super::state::State;
use super::tables::TURN_ACTIONS;
use super::{Checked, Ctx, Refusal, Verdict, ch08_wounds};

/// DRK-10.1 The side that alone may declare Fury (DRK-3.7).
pub(super) const DECLARES: Side = Side::Dwarves;

/// What keeps the dwarves from declaring Fury.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoFury {
    Used,
    Dead,
    TooLate,
    Lethal,
}

/// DRK-10.1, DRK-10.2, DRK-10.4 What keeps the dwarves from declaring Fury: the first in the order
/// of part C.5.
fn obstacle(setup: &Setup, state: &State) -> Option<NoFury> {
    let turn_start = setup.rulings.fury_moment == FuryMoment::TurnStart;
    let not_lethal = setup.rulings.lethal_fury == LethalFury::Forbid;
    if state.fury_used {
        Some(NoFury::Used)
    } else if state.dwarf(Dwarf::Fury).is_none() {
        Some(NoFury::Dead)
    } else if turn_start && state.actions_left != TURN_ACTIONS {
        Some(NoFury::TooLate)
    } else if not_lethal && state.free(setup, Track::Fury) < 2 {
        Some(NoFury::Lethal)
    } else {
        None
    }
}

/// DRK-10.1 with DRK-R11 `late`: whether the dwarves, whose last action is settled, are asked whether
/// they declare Fury.
pub(super) fn is_asked_late(setup: &Setup, state: &State) -> bool {
    setup.rulings.fury_moment == FuryMoment::Late && can_declare(setup, state)
}

/// DRK-10.3 Whether the third action of a Fury turn is the next.
pub(super) fn is_third_action(state: &State) -> bool {
    state.fury_turn && state.actions_left == 1
}

/// DRK-10.3 with DRK-R13 `optional`: whether the dwarves may pass now.
pub(super) fn may_pass_third(setup: &Setup, state: &State) -> bool {
    setup.rulings.third_action == ThirdAction::Optional && is_third_action(state)
}

/// DRK-10.1 Whether Fury can be declared now.
pub(super) fn can_declare(setup: &Setup, state: &State) -> bool {
    state.mover() == DECLARES && obstacle(setup, state).is_none()
}

/// DRK-10.1, DRK-10.2, DRK-10.4 Fury can be declared now.
fn check_fury(setup: &Setup, state: &State) -> Checked {
    let refusal = match obstacle(setup, state) {
        None => return Ok(()),
        Some(NoFury::Used) => {
            Refusal::new(Rule::C10_4, "fury_used", "Fury is declared once per game")
                .also(Rule::R29)
                .fact("fury marker", "used")
        }
        Some(NoFury::Dead) => figure_dead(Dwarf::Fury).also(Rule::C10_1),
        Some(NoFury::TooLate) => {
            let message = "Fury is declared before the first action of the turn";
            Refusal::new(Rule::C10_1, "fury_too_late", message)
                .also(Rule::R11)
                .fact("actions left", state.actions_left)
        }
        Some(NoFury::Lethal) => {
            Refusal::new(Rule::C10_2, "fury_lethal", "Fury would kill Brald (fury)")
                .also(Rule::R12)
                .fact("free spaces of fury", state.free(setup, Track::Fury))
        }
    };
    Err(refusal.public())
}

/// DRK-10.1, DRK-10.3 Fury is declared, for an action more. DRK-10.2 Its wound, which nothing
/// stops, comes at once.
pub(super) fn declare_fury(ctx: &mut Ctx<'_>) -> Verdict {
    check_fury(ctx.setup(), ctx.state())?;
    let rules = [Rule::C10_1, Rule::C10_3, Rule::C10_4, Rule::R11, Rule::R13, Rule::R29];
    ctx.happen(Event::FuryDeclared, rules);
    let total = ctx.state().wounds_on(Track::Fury) + 1;
    let wound = Event::WoundsPlaced { track: Track::Fury, count: 1, total };
    ctx.happen(wound, [Rule::C10_2, Rule::R12]);
    ch08_wounds::bury_if_dead(ctx, Dwarf::Fury);
    Ok(())
}
