//! DRK-9 Net: throwing it, and leaving it.
//!
//! Must not know what the net hinders: DRK-9.2 is `ch06_movement::check_not_grounded`.

use super::action::{Dwarf, Side};
use super::ch01_terms::figure_dead;
use super::ch05_playing::spend::spend_card;
use super::event::{Event, PlayedCard};
use super::rulebook::{BlankPlay, EscapeMoment, NettedAndOut, Rule, SecondNet};
use super::setup::Setup;
use super::state::State;
use super::tables::ESCAPE_ACTIONS;
use super::{Checked, Ctx, Refusal, Verdict};

/// DRK-9.1 Whether the net can be thrown: its dwarf lives, and it does not lie on the dragon.
pub(super) fn can_throw(state: &State) -> bool {
    state.dwarf(Dwarf::Net).is_some() && !state.netted
}

/// What keeps the dwarves from playing a net card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoNet {
    Dead,
    InUse,
}

/// DRK-9.1 What keeps the dwarves from playing a net card: the first in the order of part C.5. A dead
/// thrower does not under DRK-R30 `no_effect`, the net on the dragon not under DRK-R8 `no_effect`.
fn obstacle(setup: &Setup, state: &State) -> Option<NoNet> {
    let dead = state.dwarf(Dwarf::Net).is_none();
    if dead && setup.rulings.blank_play == BlankPlay::Forbid {
        Some(NoNet::Dead)
    } else if state.netted && setup.rulings.second_net == SecondNet::Forbid {
        Some(NoNet::InUse)
    } else {
        None
    }
}

/// DRK-9.1 Whether a net card can be played, be it without effect.
pub(super) fn can_play_net(setup: &Setup, state: &State) -> bool {
    obstacle(setup, state).is_none()
}

/// DRK-9.1 A net card can be played.
fn check_net(setup: &Setup, state: &State) -> Checked {
    match obstacle(setup, state) {
        None => Ok(()),
        Some(NoNet::Dead) => {
            Err(figure_dead(Dwarf::Net).also(Rule::C9_1).also(Rule::R30).at("/use"))
        }
        Some(NoNet::InUse) => {
            Err(Refusal::new(Rule::C9_1, "net_in_use", "the net lies on the dragon already")
                .in_sight()
                .also(Rule::R8)
                .at("/use")
                .fact("net", "on the dragon"))
        }
    }
}

/// DRK-9.1 The net is thrown, from wherever its dwarf stands. DRK-7.10 It is no attack.
pub(super) fn throw_net(ctx: &mut Ctx<'_>, card: PlayedCard) -> Verdict {
    check_net(ctx.setup(), ctx.state())?;
    if can_throw(ctx.state()) {
        if spend_card(ctx, card, [Rule::C9_1, Rule::C5_2]) {
            ctx.happen(Event::NetPlaced, [Rule::C9_1, Rule::C7_10, Rule::C9_2]);
        }
        return Ok(());
    }
    let dead = ctx.state().dwarf(Dwarf::Net).is_none();
    spend_card(ctx, card, [Rule::C9_1, Rule::C5_2, if dead { Rule::R30 } else { Rule::R8 }]);
    Ok(())
}

/// DRK-9.3 The side that alone may leave the net (DRK-3.7).
pub(super) const ESCAPES: Side = Side::Dragon;

/// DRK-9.3 How many actions the dragon needs for leaving the net: both of its turn, under DRK-R10
/// `any_time` what it has left.
fn actions_needed(setup: &Setup) -> u8 {
    match setup.rulings.escape_moment {
        EscapeMoment::WholeTurn => ESCAPE_ACTIONS,
        EscapeMoment::AnyTime => 1,
    }
}

/// DRK-9.3 Whether the side to move can leave the net now: it is the dragon's, netted, with the
/// actions left that it takes.
pub(super) fn can_escape(setup: &Setup, state: &State) -> bool {
    state.mover() == ESCAPES && state.netted && state.actions_left >= actions_needed(setup)
}

/// DRK-3.5 with DRK-R22 `may_escape`: whether a dragon without cards decides itself whether to leave
/// the net.
pub(super) fn may_escape_without_cards(setup: &Setup, state: &State) -> bool {
    setup.rulings.netted_and_out == NettedAndOut::MayEscape
        && state.holding(ESCAPES).is_out()
        && can_escape(setup, state)
}

/// DRK-11.8 Whether the dragon can leave the net in its next turn, which DRK-3.5 passes for a dragon
/// without cards.
pub(super) fn can_escape_next_turn(setup: &Setup, state: &State) -> bool {
    let may_escape = setup.rulings.netted_and_out == NettedAndOut::MayEscape;
    state.netted && (may_escape || !state.holding(ESCAPES).is_out())
}

/// DRK-9.3 The dragon can leave the net now.
fn check_escape(setup: &Setup, state: &State) -> Checked {
    if can_escape(setup, state) {
        return Ok(());
    }
    if !state.netted {
        let message = "the net does not lie on the dragon";
        return Err(Refusal::new(Rule::C9_3, "not_netted", message)
            .fact("net", "with the dwarves")
            .public());
    }
    let message = "leaving the net takes both actions of the turn";
    Err(Refusal::new(Rule::C9_3, "needs_whole_turn", message)
        .also(Rule::R10)
        .fact("actions left", state.actions_left)
        .public())
}

/// DRK-9.3 The dragon spends its whole turn, under DRK-R10 `any_time` the rest of it, and leaves
/// the net. DRK-9.4 The marker goes back to the dwarves.
pub(super) fn escape_net(ctx: &mut Ctx<'_>) -> Verdict {
    check_escape(ctx.setup(), ctx.state())?;
    ctx.happen(Event::NetEscaped { released: false }, [Rule::C9_3, Rule::C9_4, Rule::R10]);
    Ok(())
}

/// DRK-9.5 with DRK-R9 `released`: the net comes off when its thrower dies.
pub(super) fn release_dragon(ctx: &mut Ctx<'_>) {
    ctx.happen(Event::NetEscaped { released: true }, [Rule::C9_5, Rule::R9]);
}
