//! What follows by itself (part C.2): from the deal to the first decision, and from each decision
//! to the next.
//!
//! The only place that leads on: a chapter carries out its decision and does not know what comes
//! after it. Must not judge an action.

use super::action::{Action, Defend, Dwarf, Dwarves, Side};
use super::ch05_playing::spend::is_cut_off;
use super::event::Event;
use super::rulebook::{
    Defences, ExchangeOrder, FirstExchange, HandLimit, NettedAndOut, Rule, TwoHits,
};
use super::setup::{Placement, Setup};
use super::state::{Attack, Stage, State};
use super::tables::{FIRST_TURN_ACTIONS, TURN_ACTIONS};
use super::{Ctx, Verdict, ch04_drawing, ch07_attacks, ch08_wounds, ch09_net, ch10_fury, ch11_end};
use umpire_core::game::{Decision, Seats};
use umpire_core::rules::Cites;

/// Part C.1: what is to be decided now, by whom, and by which clause.
pub(super) fn decision(state: &State) -> Decision<Rule> {
    let rule = match state.stage {
        Stage::Setup => Rule::C2_1,
        Stage::MulliganDragon | Stage::MulliganDwarves => Rule::C2_6,
        Stage::Placement => Rule::C2_5,
        Stage::Action => Rule::C3_3,
        Stage::Discard => Rule::C4_2,
        Stage::Defend => Rule::C7_7,
        Stage::AssignWounds => Rule::C8_4,
        Stage::LateFury => Rule::C10_1,
        Stage::GameOver => Rule::C11_6,
    };
    Decision {
        seats: state.decider().map_or(Seats::NONE, |side| Seats::one(side.seat())),
        state: state.stage.name(),
        rule,
        // DRK-12.2 All other options would show something of a hand.
        open: matches!(state.stage, Stage::AssignWounds | Stage::LateFury),
    }
}

/// What follows the deal: the first setup decision, or turn 1.
pub(super) fn begin(ctx: &mut Ctx<'_>) -> Verdict {
    await_setup_decision(ctx, 0);
    Ok(())
}

/// DRK-3.5 on loading a position: the test is made at once.
pub(super) fn resume(ctx: &mut Ctx<'_>) -> Verdict {
    if ctx.state().stage == Stage::Action && pass_if_out(ctx) {
        end_turn(ctx);
    }
    Ok(())
}

/// What follows a decision that its chapter has carried out: the table of part C.2.
pub(super) fn go_on(ctx: &mut Ctx<'_>, done: &Action) -> Verdict {
    match done {
        Action::Mulligan(_) | Action::Place(_) => follow_setup_decision(ctx),
        Action::Draw(_) => apply_hand_limit(ctx),
        Action::Discard(_) => match ctx.setup().rulings.hand_limit {
            HandLimit::AfterDraw => settle(ctx),
            HandLimit::TurnEnd => end_turn(ctx),
        },
        Action::Play(_) => match ctx.state().attack {
            Some(attack) => await_defence(ctx, attack, None),
            None => settle(ctx),
        },
        Action::Defend(it) => follow_defence(ctx, it),
        Action::AssignWounds(_) => follow_wounds(ctx),
        Action::EscapeNet(_) => settle(ctx),
        Action::DeclareFury(_) => follow_fury(ctx),
        Action::Pass(_) => follow_pass(ctx),
    }
    Ok(())
}

/// A decision is awaited.
fn await_stage(ctx: &mut Ctx<'_>, stage: Stage, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Event::Awaited { stage, hits: [0; 2], unblocked: None }, rules);
}

/// DRK-2.6, DRK-R16, DRK-R27 The setup decisions in their order.
fn setup_order(setup: &Setup) -> [Option<Stage>; 3] {
    let [first, second] = match setup.rulings.first_exchange {
        FirstExchange::DragonFirst => [Stage::MulliganDragon, Stage::MulliganDwarves],
        FirstExchange::DwarvesFirst => [Stage::MulliganDwarves, Stage::MulliganDragon],
    }
    .map(|it| setup.mulligan.then_some(it));
    let placement = (setup.placement == Placement::Free).then_some(Stage::Placement);
    match setup.rulings.exchange_order {
        ExchangeOrder::BeforePlacement => [first, second, placement],
        ExchangeOrder::AfterPlacement => [placement, first, second],
    }
}

/// DRK-2.5, DRK-2.6 Awaits the first setup decision from a place in their order on, or starts
/// turn 1.
fn await_setup_decision(ctx: &mut Ctx<'_>, from: usize) {
    match setup_order(ctx.setup()).into_iter().skip(from).flatten().next() {
        Some(Stage::Placement) => await_stage(ctx, Stage::Placement, [Rule::C2_5, Rule::R16]),
        Some(stage) => await_stage(ctx, stage, [Rule::C2_6, Rule::R16, Rule::R27]),
        None => start_turn(ctx, 1),
    }
}

/// What follows a mulligan or the placement: the next setup decision, or turn 1.
fn follow_setup_decision(ctx: &mut Ctx<'_>) {
    let done = Some(ctx.state().stage);
    let order = setup_order(ctx.setup());
    let at = order.iter().position(|&stage| stage == done);
    await_setup_decision(ctx, at.map_or(order.len(), |at| at + 1));
}

/// DRK-2.7, DRK-3.1, DRK-3.2 A turn starts with its actions.
fn start_turn(ctx: &mut Ctx<'_>, turn: u16) {
    let (actions, rule) = match turn {
        1 => (FIRST_TURN_ACTIONS, Rule::C2_7),
        _ => (TURN_ACTIONS, Rule::C3_1),
    };
    ctx.happen(Event::TurnStarted { turn, actions }, [rule, Rule::C3_2, Rule::C3_3]);
    // Only under DRK-R2 `own_turn` may the dwarves have run out before.
    if ch11_end::test_cards(ctx) {
        return;
    }
    if pass_if_out(ctx) {
        end_turn(ctx);
    }
}

/// DRK-3.4 The side to move takes its next action; nobody may pass, but under DRK-R13 `optional`
/// the last action of a Fury turn.
fn await_action(ctx: &mut Ctx<'_>) {
    let rules = Cites::from(Rule::C3_4);
    let rules = if ch10_fury::is_third_action(ctx.state()) { rules.and(Rule::R13) } else { rules };
    await_stage(ctx, Stage::Action, rules);
}

/// DRK-3.5, DRK-11.7 A dragon side without any card loses its remaining actions. Under DRK-R22
/// `may_escape` it decides itself while it can leave the net, under `frees` a whole turn lost
/// frees it. Says whether it lost them.
fn pass_if_out(ctx: &mut Ctx<'_>) -> bool {
    let (setup, state) = (ctx.setup(), ctx.state());
    let out = state.mover() == Side::Dragon && state.holding(Side::Dragon).is_out();
    if !out || ch09_net::may_escape_without_cards(setup, state) {
        return false;
    }
    let (netted, actions) = (state.netted, state.actions_left);
    let frees =
        netted && actions == TURN_ACTIONS && setup.rulings.netted_and_out == NettedAndOut::Frees;
    let rules = Cites::from([Rule::C3_5, Rule::C11_7]);
    let rules = if netted { rules.and(Rule::R22) } else { rules };
    ctx.happen(Event::ForcedPass { actions }, rules);
    if frees {
        ctx.happen(Event::NetEscaped { released: false }, [Rule::C9_3, Rule::C9_4, Rule::R22]);
    }
    true
}

/// DRK-3.6 The turn ends by itself, and the other side's next turn starts.
fn end_turn(ctx: &mut Ctx<'_>) {
    let turn = ctx.state().turn;
    ctx.happen(Event::TurnEnded { turn }, Rule::C3_6);
    start_turn(ctx, turn.saturating_add(1));
}

/// DRK-4.2 Whoever holds more than six discards the excess before anything else happens; under
/// DRK-R14 `turn_end` later, in [`finish_turn`].
fn apply_hand_limit(ctx: &mut Ctx<'_>) {
    let at_once = ctx.setup().rulings.hand_limit == HandLimit::AfterDraw;
    if at_once && ch04_drawing::excess(ctx.state()) > 0 {
        await_stage(ctx, Stage::Discard, [Rule::C4_2, Rule::C3_8, Rule::R14]);
    } else {
        settle(ctx);
    }
}

/// DRK-7.7 The side attacked is asked for one answer to all of an attack, if it is to be asked;
/// under DRK-R32 `one_by_one` for an answer to its next strand.
fn await_defence(ctx: &mut Ctx<'_>, mut attack: Attack, unblocked: Option<Dwarf>) {
    unblocked.into_iter().for_each(|strand| attack.answered.insert(strand));
    if !ch07_attacks::is_answered(ctx.state(), attack) {
        return resolve(ctx);
    }
    let rules = Cites::from([Rule::C7_7, Rule::C3_8, Rule::R23]);
    let rules = if attack.strands.len() > 1 { rules.and(Rule::R32) } else { rules };
    ctx.happen(Event::Awaited { stage: Stage::Defend, hits: [0; 2], unblocked }, rules);
}

/// What follows an answer: the hits, under DRK-R32 `one_by_one` first the answer to the next strand.
fn follow_defence(ctx: &mut Ctx<'_>, answer: &Defend) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let one_by_one = setup.rulings.defences == Defences::OneByOne && !is_cut_off(setup, state);
    let Some(attack) = state.attack.filter(|_| one_by_one) else { return resolve(ctx) };
    let asked = ch07_attacks::asked_strands(setup, state, attack).lowest();
    await_defence(ctx, attack, asked.filter(|_| answer.blocks.is_empty()));
}

/// *Resolve*: what is not blocked hits and wounds (DRK-7.9, 8). Wounds that can be divided in
/// several ways await their division (DRK-8.4). Under DRK-R2 `before_effect` the game ends before
/// a defence with the dwarves' last card counts.
fn resolve(ctx: &mut Ctx<'_>) {
    let Some(attack) = ctx.state().attack else { return settle(ctx) };
    if is_cut_off(ctx.setup(), ctx.state()) {
        return settle(ctx);
    }
    match ctx.state().mover() {
        Side::Dragon => {
            let hit = ch07_attacks::land_hits(ctx, attack);
            ch08_wounds::wound_dwarves(ctx, attack.value, hit);
        }
        Side::Dwarves => {
            let now = match ctx.setup().rulings.two_hits {
                TwoHits::Together => attack.strands,
                TwoHits::InTurn => attack.strands.lowest().map_or(Dwarves::NONE, Dwarves::one),
            };
            ch07_attacks::land_hits(ctx, Attack { strands: now, ..attack });
            let hits = ch08_wounds::wound_dragon(ctx, attack.value, now);
            if hits != [0; 2] {
                let stage = Stage::AssignWounds;
                let awaited = Event::Awaited { stage, hits, unblocked: None };
                ctx.happen(awaited, [Rule::C8_4, Rule::C8_3, Rule::C3_8, Rule::R24, Rule::R33]);
                return;
            }
        }
    }
    follow_wounds(ctx);
}

/// DRK-11.4 Deaths are tested each time wounds have been placed. Under DRK-R24 `in_turn` the next
/// hit follows.
fn follow_wounds(ctx: &mut Ctx<'_>) {
    if ch11_end::test_deaths(ctx) {
        return;
    }
    match ctx.state().attack {
        Some(attack) if !attack.strands.is_empty() => resolve(ctx),
        _ => settle(ctx),
    }
}

/// DRK-10.3 After the declaration the turn goes on with an action more, if its wound ended nothing.
fn follow_fury(ctx: &mut Ctx<'_>) {
    if !ch11_end::test_deaths(ctx) {
        await_stage(ctx, Stage::Action, [Rule::C10_3, Rule::C3_8, Rule::R13]);
    }
}

/// DRK-3.4 After a pass the turn ends, if the game does not (DRK-11.8).
fn follow_pass(ctx: &mut Ctx<'_>) {
    if !ch11_end::test_standstill(ctx) {
        finish_turn(ctx);
    }
}

/// *Settled*: effect, reaction, wounds and deaths of an action are done. DRK-11.4 The dwarves'
/// cards are tested now; then comes the next action, or the end of the turn.
fn settle(ctx: &mut Ctx<'_>) {
    if ch11_end::test_cards(ctx) {
        return;
    }
    if ctx.state().actions_left > 0 && !pass_if_out(ctx) {
        return await_action(ctx);
    }
    if ch10_fury::is_asked_late(ctx.setup(), ctx.state()) {
        return await_stage(ctx, Stage::LateFury, [Rule::C10_1, Rule::C3_8, Rule::R11]);
    }
    finish_turn(ctx);
}

/// The end of a turn, under DRK-R14 `turn_end` once the hand is within its limit.
fn finish_turn(ctx: &mut Ctx<'_>) {
    let waits = ctx.setup().rulings.hand_limit == HandLimit::TurnEnd;
    if waits && ch04_drawing::excess(ctx.state()) > 0 {
        return await_stage(ctx, Stage::Discard, [Rule::C4_2, Rule::R14]);
    }
    end_turn(ctx);
}
