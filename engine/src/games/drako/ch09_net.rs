//! DRK-9 Net: throwing it, and leaving it.

use super::action::Dwarf;
use super::ch05_playing::{Played, spend};
use super::ch06_movement::is_dead;
use super::event::Event;
use super::rulebook::Rule;
use super::state::State;
use super::tables::ESCAPE_ACTIONS;
use super::{Ctx, Verdict, ch03_turns};
use crate::rules::Refusal;

/// DRK-9.1 Whether the net can be thrown.
pub(super) fn can_throw(state: &State) -> bool {
    state.dwarf(Dwarf::Net).is_some() && !state.netted
}

/// DRK-9.1 The net is thrown, from wherever its dwarf stands. DRK-7.10 It is no attack.
pub(super) fn throw(ctx: &mut Ctx<'_>, played: Played) -> Verdict {
    let state = ctx.state();
    if state.dwarf(Dwarf::Net).is_none() {
        return Err(is_dead(Dwarf::Net).also(Rule::C9_1).also(Rule::R30).at("/use").into());
    }
    if state.netted {
        return Err(Refusal::new(Rule::C9_1, "net_in_use", "the net lies on the dragon already")
            .also(Rule::R8)
            .at("/use")
            .fact("net", "on the dragon")
            .into());
    }
    spend(ctx, played, [Rule::C5_2, Rule::C9_1]);
    ctx.happen(Event::NetPlaced, [Rule::C9_1, Rule::C7_10, Rule::C9_2]);
    ch03_turns::settle(ctx)
}

/// DRK-9.3 Whether the dragon can leave the net now.
pub(super) fn can_escape(state: &State) -> bool {
    state.netted
        && state.mover() == super::action::Side::Dragon
        && state.actions_left >= ESCAPE_ACTIONS
}

/// DRK-9.3 The dragon spends its whole turn and leaves the net.
pub(super) fn escape(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    if !state.netted {
        let message = "the net does not lie on the dragon";
        return Err(Refusal::new(Rule::C9_3, "not_netted", message)
            .fact("net", "with the dwarves")
            .public()
            .into());
    }
    if state.actions_left < ESCAPE_ACTIONS {
        let message = "leaving the net takes both actions of the turn";
        return Err(Refusal::new(Rule::C9_3, "needs_whole_turn", message)
            .also(Rule::R10)
            .fact("actions left", state.actions_left)
            .public()
            .into());
    }
    ctx.happen(Event::NetEscaped { released: false }, [Rule::C9_3, Rule::C9_4, Rule::R10]);
    ch03_turns::settle(ctx)
}

/// DRK-R9 `released`: the net comes off when its thrower dies.
pub(super) fn release(ctx: &mut Ctx<'_>) {
    ctx.happen(Event::NetEscaped { released: true }, [Rule::C9_5, Rule::R9]);
}
