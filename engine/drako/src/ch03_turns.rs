//! DRK-3 Turns and protocol: what an action is, when it fits, and who may send it.
//!
//! Must not carry out anything. What follows an action by itself (DRK-3.1 to 3.6) is
//! `sequence.rs`.

use super::action::{Action, CardUse, Kind, Pass, Play, Side, Track};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{Placement, Setup};
use super::state::{LastAction, Stage, State, TurnEnd};
use super::tables::{FIRST_TURN_ACTIONS, TURN_ACTIONS};
use super::{
    Checked, Ctx, Refusal, Verdict, ch05_playing, ch07_attacks, ch09_net, ch10_fury, ch11_end,
};
use umpire_core::rules::Cites;

// DRK-3.1 is `State::mover`; DRK-3.2 is `sequence::start_turn`; DRK-3.3 is the stage `action` in
// `check_protocol`; DRK-3.5 and 3.6 are `sequence::pass_if_out` and `end_turn`.

/// DRK-3.7 The action fits the pending decision and comes from the side that decides.
pub(super) fn check_protocol(setup: &Setup, state: &State, action: &Action) -> Checked {
    let Some(decider) = state.decider() else {
        return Err(ch11_end::game_over());
    };
    check_kinds(setup, state, action)?;
    check_target(setup, state, action)?;
    let (fits, expected) = match state.stage {
        Stage::MulliganDragon | Stage::MulliganDwarves => {
            (matches!(action, Action::Mulligan(_)), "keep or exchange the hand")
        }
        Stage::Placement => (matches!(action, Action::Place(_)), "place figures"),
        Stage::Action => (
            matches!(
                action,
                Action::Draw(_)
                    | Action::Play(_)
                    | Action::EscapeNet(_)
                    | Action::DeclareFury(_)
                    | Action::Pass(_)
            ),
            "draw, play a card, escape the net or declare Fury",
        ),
        Stage::Discard => (matches!(action, Action::Discard(_)), "discard cards"),
        Stage::Defend => (matches!(action, Action::Defend(_)), "defend"),
        Stage::AssignWounds => (matches!(action, Action::AssignWounds(_)), "assign wounds"),
        Stage::LateFury => {
            (matches!(action, Action::DeclareFury(_) | Action::Pass(_)), "declare Fury or pass")
        }
        Stage::Setup | Stage::GameOver => (false, "wait"),
    };
    if !fits {
        let message = format!("the decision now is to {expected}");
        let refusal = misfit(setup, state, action, "wrong_phase", message).at("/type");
        return Err(refusal.fact("pending decision", state.stage).public());
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
        let refusal = misfit(setup, state, action, "wrong_side", message).at("/player");
        return Err(refusal.fact("deciding side", decider).public());
    }
    Ok(())
}

/// DRK-3.7 The refusal of an action that does not fit the pending decision, with the clauses of part
/// C.6 in front. `message` says what would fit, where nothing better can be said.
fn misfit(
    setup: &Setup,
    state: &State,
    action: &Action,
    code: &'static str,
    message: String,
) -> Refusal {
    let (rules, why) = find_misfit(setup, state, action);
    let message = why.map_or(message, str::to_owned);
    let refusal = Refusal::new(rules.first(), code, message);
    let rules = rules.and(Rule::C3_7);
    rules.as_slice()[1..].iter().fold(refusal, |refusal, &rule| refusal.also(rule))
}

/// Part C.6: the clauses that keep an action out of the pending decision, and what they say.
fn find_misfit(
    setup: &Setup,
    state: &State,
    action: &Action,
) -> (Cites<Rule>, Option<&'static str>) {
    let before_play = state.stage.is_before_play();
    let dwarf_turn = state.mover() == Side::Dwarves;
    match action {
        Action::Mulligan(_) if !setup.mulligan => {
            let why = "hands are exchanged only if the option advanced_mulligan is true";
            (Rule::C2_6.into(), Some(why))
        }
        Action::Mulligan(_) if before_play => ([Rule::C2_6, Rule::R16, Rule::R27].into(), None),
        Action::Mulligan(_) => (Rule::C2_6.into(), Some("hands are exchanged before turn 1")),
        Action::Place(_) if setup.placement == Placement::Fixed => {
            let why = "the dwarves are placed only if the option placement is free; it is fixed";
            (Rule::C2_4.into(), Some(why))
        }
        Action::Place(_) if before_play => ([Rule::C2_5, Rule::R16].into(), None),
        Action::Place(_) => (Rule::C2_5.into(), Some("the dwarves are placed before turn 1")),
        Action::Defend(_) => match state.last {
            LastAction::NetThrown => {
                let why = "throwing the net is not an attack, so nothing can be blocked";
                (Rule::C7_10.into(), Some(why))
            }
            LastAction::FuryDeclared => {
                let why = "the wound of Fury is not an attack, so nothing can be blocked";
                (Rule::C10_2.into(), Some(why))
            }
            LastAction::Other => (Rule::C7_7.into(), None),
        },
        Action::AssignWounds(_) if state.free(setup, Track::Armour) > 0 => {
            let why = "the armour has free spaces, which are filled first";
            (Rule::C8_3.into(), Some(why))
        }
        Action::AssignWounds(_) => (Rule::C8_4.into(), None),
        Action::Discard(_) => ([Rule::C4_2, Rule::R14].into(), None),
        Action::DeclareFury(it) if it.player == Side::Dragon || !dwarf_turn => {
            let why = "only the dwarves may declare Fury, and only in a turn of their own";
            ([Rule::C10_1, Rule::R11].into(), Some(why))
        }
        Action::EscapeNet(it) => match passed_before(state).filter(|_| dwarf_turn) {
            Some(rules) if it.player == Side::Dragon => (rules, Some(PASSED)),
            _ if it.player == Side::Dwarves || dwarf_turn => (Rule::C9_3.into(), None),
            _ => (find_asking_clause(state), None),
        },
        Action::Draw(_) | Action::Play(_) | Action::Pass(_) | Action::DeclareFury(_) => {
            match state.stage {
                Stage::Action => find_owner_clause(state),
                _ => (find_asking_clause(state), None),
            }
        }
    }
}

/// Why the dragon's turn is over that was passed.
const PASSED: &str = "the dragon had no card left, so its turn was passed";

/// The clause of a pending decision other than `action`, with its ruling.
fn find_asking_clause(state: &State) -> Cites<Rule> {
    match state.stage {
        Stage::MulliganDragon | Stage::MulliganDwarves => Rule::C2_6.into(),
        Stage::Placement => Rule::C2_5.into(),
        Stage::Discard => [Rule::C4_2, Rule::R14].into(),
        Stage::Defend => Rule::C7_7.into(),
        Stage::AssignWounds => Rule::C8_4.into(),
        Stage::LateFury => [Rule::C10_1, Rule::R11].into(),
        Stage::Setup | Stage::Action | Stage::GameOver => Rule::C3_7.into(),
    }
}

/// Whether nothing has been done in this turn.
fn is_untouched(state: &State) -> bool {
    let fresh = if state.turn == 1 { FIRST_TURN_ACTIONS } else { TURN_ACTIONS };
    state.actions_left == fresh && !state.fury_turn
}

/// DRK-3.5 The clauses by which the turn before this one was passed, if it was and nothing has been
/// done since.
fn passed_before(state: &State) -> Option<Cites<Rule>> {
    match state.turn_before {
        TurnEnd::Passed { netted: true } if is_untouched(state) => {
            Some([Rule::C3_5, Rule::R22].into())
        }
        TurnEnd::Passed { netted: false } if is_untouched(state) => Some(Rule::C3_5.into()),
        _ => None,
    }
}

/// The clauses by which the action awaited is not one of the other side.
fn find_owner_clause(state: &State) -> (Cites<Rule>, Option<&'static str>) {
    if state.turn == 1 {
        return (Rule::C3_1.into(), None);
    }
    if let Some(rules) = passed_before(state) {
        return (rules, Some(PASSED));
    }
    if !is_untouched(state) {
        return match state.fury_turn {
            true => ([Rule::C10_3, Rule::C3_4, Rule::R13].into(), None),
            false => (Rule::C3_4.into(), None),
        };
    }
    match state.turn_before {
        TurnEnd::Escaped => {
            let why = "the dragon has spent its whole turn leaving the net";
            (Rule::C9_3.into(), Some(why))
        }
        TurnEnd::FuryUsedUp => ([Rule::C10_3, Rule::C3_2].into(), None),
        TurnEnd::UsedUp | TurnEnd::Passed { .. } => (Rule::C3_2.into(), None),
    }
}

/// DRK-3.4 The ruling by which the deciding side may pass now, if it may.
pub(super) fn may_pass(setup: &Setup, state: &State) -> Option<Rule> {
    match state.stage {
        Stage::LateFury => Some(Rule::R11),
        Stage::Action if ch10_fury::may_pass_third(setup, state) => Some(Rule::R13),
        Stage::Action if ch09_net::may_escape_without_cards(setup, state) => Some(Rule::R22),
        Stage::Action if ch05_playing::may_pass_stuck(setup, state) => Some(Rule::R4),
        _ => None,
    }
}

/// DRK-3.4 The actions that are left are given up, where a reading allows it.
pub(super) fn pass_turn(ctx: &mut Ctx<'_>, action: &Pass) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let side = action.player;
    if let Some(ruling) = may_pass(setup, state) {
        let passed = Event::TurnPassed { side, actions: state.actions_left };
        ctx.happen(passed, [Rule::C3_4, ruling]);
        return Ok(());
    }
    let message = "all actions of a turn must be used";
    let mut refusal = Refusal::new(Rule::C3_4, "no_passing", message)
        .at("/type")
        .fact("actions left", state.actions_left);
    if ch05_playing::has_no_use(setup, state, side) {
        refusal = refusal.also(Rule::R4);
        if ch09_net::can_escape(setup, state) {
            refusal = refusal.also(Rule::R31).fact("can be done", "escape_net");
        }
    }
    if ch10_fury::is_third_action(state) {
        refusal = refusal.also(Rule::R13);
    }
    Err(refusal.into())
}

/// DRK-3.7 The dragon's attack names its target, where DRK-R30 does not let it go without one.
fn check_target(setup: &Setup, state: &State, action: &Action) -> Checked {
    match action {
        Action::Play(Play { used_for: CardUse::Attack { target: None }, .. })
            if !ch07_attacks::is_blank_attack(setup, state) =>
        {
            let refusal = bad_fields(state, "the field \"target\" is missing");
            let alone = state.beside_dragon().is_empty();
            Err(if alone { refusal.also(Rule::R30) } else { refusal })
        }
        _ => Ok(()),
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
    Refusal::new(Rule::C3_7, "bad_fields", format!("this is not an action: {detail}"))
}

// DRK-3.8: only `CardsDrawn`, `CardPlayed` and `NetEscaped` take actions in `event::apply`.
// DRK-3.9 is `Drako::CLAUSES.rejection`: the table puts back what a refused action began.
