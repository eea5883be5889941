//! DRK-3 Turns and protocol: what an action is, when it fits, and who may send it.
//!
//! Must not carry out anything. What follows an action by itself (DRK-3.1 to 3.6) is
//! `sequence.rs`.

use super::action::{Action, Kind};
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Stage, State};
use super::{Checked, Refusal, ch09_net, ch10_fury, ch11_end};

// DRK-3.1 is `State::mover`; DRK-3.2 is `sequence::start_turn`; DRK-3.3 is the stage `action` in
// `check_protocol`; DRK-3.4 to 3.6 are `sequence::await_action`, `pass_if_out` and `end_turn`.

/// DRK-3.7 The action fits the pending decision and comes from the side that decides.
pub(super) fn check_protocol(setup: &Setup, state: &State, action: &Action) -> Checked {
    let Some(decider) = state.decider() else {
        return Err(ch11_end::game_over());
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
        let refusal = Refusal::new(Rule::C3_7, "wrong_phase", message)
            .at("/type")
            .fact("pending decision", state.stage)
            .public();
        return Err(with_its_time(refusal, action));
    }
    let owner = match action {
        Action::EscapeNet(_) => ch09_net::ESCAPES,
        Action::DeclareFury(_) => ch10_fury::DECLARES,
        _ => decider,
    };
    if action.side() != decider || owner != decider {
        let message = if action.side() == decider {
            format!("only the {owner} may do this, and the {decider} decide")
        } else {
            format!("it is for the {decider} to decide")
        };
        let refusal = Refusal::new(Rule::C3_7, "wrong_side", message)
            .at("/player")
            .fact("deciding side", decider)
            .public();
        return Err(with_its_time(refusal, action));
    }
    Ok(())
}

/// The refusal with the clause that gives an action its time and its side, where there is one.
fn with_its_time(refusal: Refusal, action: &Action) -> Refusal {
    match action {
        Action::EscapeNet(_) => refusal.also(Rule::C9_3),
        Action::DeclareFury(_) => refusal.also(Rule::C10_1),
        _ => refusal,
    }
}

/// DRK-3.7 Every kind that the action names is in one of the two decks.
fn check_kinds(setup: &Setup, state: &State, action: &Action) -> Checked {
    let unknown = |&kind: &Kind| setup.deck(kind.side()).row(kind).is_none();
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
    Err(bad_fields(state, &format!("no deck has cards of the kind {kind}")).at(pointer))
}

/// DRK-3.7 The refusal of what is no action at all.
pub(super) fn bad_fields(state: &State, detail: &str) -> Refusal {
    if state.stage == Stage::GameOver {
        return ch11_end::game_over();
    }
    Refusal::new(Rule::C3_7, "bad_fields", format!("this is no action: {detail}"))
}

// DRK-3.8: only `CardsDrawn`, `CardPlayed` and `NetEscaped` take actions in `event::apply`.
// DRK-3.9 is `Drako::CLAUSES.rejection`: the table puts back what a refused action began.
