//! DRK-3 Turns and protocol: who may act, what an action is, when a turn ends.

use super::action::{Action, Kind, Side};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{HandLimit, Setup};
use super::state::{Stage, State};
use super::tables::{FIRST_TURN_ACTIONS, HAND_LIMIT, TURN_ACTIONS};
use super::{Ctx, Verdict, ch11_end};
use crate::rules::Refusal;

/// DRK-3.7 The action fits the pending decision and comes from the side that decides.
pub(super) fn check_protocol(
    setup: &Setup,
    state: &State,
    action: &Action,
) -> Result<(), Refusal<Rule>> {
    let Some(decider) = state.decider() else {
        return Err(ch11_end::is_over());
    };
    check_kinds(setup, state, action)?;
    let (fits, expected) = match state.stage {
        Stage::MulliganDragon | Stage::MulliganDwarves => {
            (matches!(action, Action::Mulligan(_)), "mulligan")
        }
        Stage::Placement => (matches!(action, Action::Place(_)), "place"),
        Stage::Action => (
            matches!(
                action,
                Action::Draw(_) | Action::Play(_) | Action::EscapeNet(_) | Action::DeclareFury(_)
            ),
            "draw, play, escape_net or declare_fury",
        ),
        Stage::Discard => (matches!(action, Action::Discard(_)), "discard"),
        Stage::Defend => (matches!(action, Action::Defend(_)), "defend"),
        Stage::AssignWounds => (matches!(action, Action::AssignWounds(_)), "assign_wounds"),
        Stage::Setup | Stage::GameOver => (false, "nothing"),
    };
    if !fits {
        let message = format!("the pending decision takes {expected}");
        return Err(Refusal::new(Rule::C3_7, "wrong_phase", message)
            .at("/type")
            .fact("pending decision", super::stage_name(state.stage))
            .public());
    }
    let owner = match action {
        Action::EscapeNet(_) => Side::Dragon,
        Action::DeclareFury(_) => Side::Dwarves,
        _ => decider,
    };
    if action.side() != decider || owner != decider {
        let message = if action.side() == decider {
            format!("only the {} may do this, and the {} decide", owner.name(), decider.name())
        } else {
            format!("it is for the {} to decide", decider.name())
        };
        return Err(Refusal::new(Rule::C3_7, "wrong_side", message)
            .at("/player")
            .fact("deciding side", decider.name())
            .public());
    }
    Ok(())
}

/// DRK-3.7 Every kind that the action names is in one of the two decks.
fn check_kinds(setup: &Setup, state: &State, action: &Action) -> Result<(), Refusal<Rule>> {
    let unknown = |&kind: &Kind| setup.deck(kind.side()).row(kind.side(), kind).is_none();
    let (kind, pointer) = match action {
        Action::Play(play) if unknown(&play.card) => (play.card, "/card".to_owned()),
        Action::Discard(discard) => {
            let cards = discard.cards.as_slice();
            let Some(at) = cards.iter().position(unknown) else { return Ok(()) };
            (cards[at], format!("/cards/{at}"))
        }
        Action::Defend(defend) => {
            let blocks = defend.blocks.as_slice();
            let found = blocks.iter().position(|block| unknown(&block.card));
            let Some(at) = found else { return Ok(()) };
            (blocks[at].card, format!("/blocks/{at}/card"))
        }
        _ => return Ok(()),
    };
    Err(malformed(state, format!("no deck has cards of the kind {kind}")).at(pointer))
}

/// DRK-3.7 What is no action at all.
pub(super) fn malformed(state: &State, detail: String) -> Refusal<Rule> {
    if state.stage == Stage::GameOver {
        return ch11_end::is_over();
    }
    Refusal::new(Rule::C3_7, "bad_fields", format!("this is no action: {detail}"))
}

/// DRK-3.1, 3.2 A turn starts with its actions.
pub(super) fn start_turn(ctx: &mut Ctx<'_>, turn: u16) -> Verdict {
    let (actions, rule) = match turn {
        1 => (FIRST_TURN_ACTIONS, Rule::C2_7),
        _ => (TURN_ACTIONS, Rule::C3_1),
    };
    ctx.happen(Event::TurnStarted { turn, actions }, [rule, Rule::C3_2, Rule::C3_3]);
    if forced_pass(ctx) {
        return end_turn(ctx);
    }
    Ok(())
}

/// DRK-3.5 A dragon side without any card loses its remaining actions. Says whether it did.
pub(super) fn forced_pass(ctx: &mut Ctx<'_>) -> bool {
    let state = ctx.state();
    if state.mover() != Side::Dragon || !state.holding(Side::Dragon).is_out() {
        return false;
    }
    let passed = Event::ForcedPass { actions: state.actions_left };
    if state.netted {
        ctx.happen(passed, [Rule::C3_5, Rule::C11_7, Rule::R22]);
    } else {
        ctx.happen(passed, [Rule::C3_5, Rule::C11_7]);
    }
    true
}

/// The *settled* state of part C.2: the action's effect, reaction, wounds and deaths are done.
pub(super) fn settle(ctx: &mut Ctx<'_>) -> Verdict {
    if ch11_end::cards_exhausted(ctx) {
        return Ok(());
    }
    if ctx.state().actions_left > 0 && !forced_pass(ctx) {
        await_action(ctx);
        return Ok(());
    }
    let setup = ctx.setup();
    let over_limit = ctx.state().holding(ctx.state().mover()).in_hand() > HAND_LIMIT;
    if setup.rulings.hand_limit == HandLimit::TurnEnd && over_limit {
        let awaited = Event::Awaited { stage: Stage::Discard, to_assign: 0 };
        ctx.happen(awaited, [Rule::C4_2, Rule::R14]);
        return Ok(());
    }
    end_turn(ctx)
}

/// DRK-3.4 The side to move takes its next action; nobody may pass.
pub(super) fn await_action(ctx: &mut Ctx<'_>) {
    ctx.happen(Event::Awaited { stage: Stage::Action, to_assign: 0 }, Rule::C3_4);
}

/// DRK-3.6 The turn ends by itself, and the other side's next turn starts.
pub(super) fn end_turn(ctx: &mut Ctx<'_>) -> Verdict {
    let turn = ctx.state().turn;
    ctx.happen(Event::TurnEnded { turn }, Rule::C3_6);
    start_turn(ctx, turn.saturating_add(1))
}

/// DRK-3.5 on loading a position: the test is made at once.
pub(super) fn resume(ctx: &mut Ctx<'_>) -> Verdict {
    if ctx.state().stage == Stage::Action && forced_pass(ctx) {
        return end_turn(ctx);
    }
    Ok(())
}

/// How many cards the side to move must discard (DRK-4.2).
pub(super) fn excess(_setup: &Setup, state: &State) -> usize {
    state.holding(state.mover()).in_hand().saturating_sub(HAND_LIMIT)
}
