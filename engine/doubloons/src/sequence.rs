//! What follows by itself (part D.2): from setup to the first decision, and from each decision to
//! the next.
//!
//! The only place that leads on: a chapter carries out its decision and does not know what comes
//! after it. Must not judge an action.

use super::action::{Action, EndPhase, Player, PlayerSet, Through};
use super::ch01_terms::capture_units;
use super::ch03_setup::throw_late_goods;
use super::notice::Happening;
use super::rulebook::{Conquest, Rule};
use super::setup::Setup;
use super::state::{Stage, State};
use super::{
    Ctx, Verdict, ch04_round, ch05_church, ch06_trading, ch07_order, ch08_upkeep, ch09_taxes,
    ch10_revenue, ch12_spies, ch14_battle, ch15_routes, ch18_ends,
};
use umpire_core::game::{Decision, Seats};
use umpire_core::rules::Cites;

/// Part D.1: what is to be decided now, by whom, and by which clause.
pub(super) fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
    let rule = match state.stage {
        Stage::Bid => Rule::C5_1,
        Stage::Trading => Rule::C6_1,
        Stage::FavorFirst => Rule::C5_14,
        Stage::PayUpkeep => Rule::C8_3,
        Stage::Disband => Rule::C8_4,
        Stage::Production => Rule::C11_1,
        Stage::Spy => Rule::C12_1,
        Stage::SpyTarget => Rule::C12_4,
        Stage::FavorNegate => Rule::C12_7,
        Stage::Movement => Rule::C13_1,
        Stage::Battle => Rule::C14_1,
        Stage::DeclareTargets => Rule::C14_11,
        Stage::Advance => Rule::C14_16,
        Stage::Routes => Rule::C15_5,
        Stage::Diplomacy => Rule::C16_1,
        Stage::GameOver => Rule::C19_1,
        Stage::Event | Stage::TurnOrder | Stage::Upkeep => Rule::C4_1,
    };
    let seats = deciders(setup, state).seats();
    Decision { seats, state: state.stage.name(), rule, open: true }
}

/// Part D.1: the players who are asked.
pub(super) fn deciders(setup: &Setup, state: &State) -> PlayerSet {
    let one = |player: Option<Player>| player.into_iter().collect();
    match state.stage {
        Stage::Bid => state.playing.iter().filter(|it| state.bids[it.index()].is_none()).collect(),
        Stage::Trading => state.session(),
        Stage::FavorNegate | Stage::FavorFirst => one(state.favor),
        Stage::DeclareTargets => one(ch14_battle::declarer(setup, state)),
        Stage::Event | Stage::TurnOrder | Stage::Upkeep | Stage::GameOver => PlayerSet::NONE,
        Stage::PayUpkeep
        | Stage::Disband
        | Stage::Production
        | Stage::Spy
        | Stage::SpyTarget
        | Stage::Movement
        | Stage::Battle
        | Stage::Advance
        | Stage::Routes
        | Stage::Diplomacy => one(state.active),
    }
}

/// DBD-18.5, DBD-18.6, DBD-5.7 The seats that may act without being asked.
pub(super) fn interrupts(state: &State) -> Seats {
    if state.ended.is_some() {
        return Seats::NONE;
    }
    let may = |&player: &Player| ch18_ends::may_interrupt(state, player);
    Player::ALL.iter().copied().filter(may).collect::<PlayerSet>().seats()
}

/// What follows setup: round 1.
pub(super) fn begin(ctx: &mut Ctx<'_>) -> Verdict {
    run(ctx)
}

/// What follows the loading of a position.
pub(super) fn resume(ctx: &mut Ctx<'_>) -> Verdict {
    settle_step(ctx)?;
    if ctx.state().stage == Stage::DeclareTargets {
        follow_battle(ctx)?;
        settle_step(ctx)?;
    }
    run(ctx)
}

/// What follows a decision that its chapter has carried out: the table of part D.2. Whether all cities win that somebody has now
/// (DBD-18.1), `taken` says.
pub(super) fn go_on(ctx: &mut Ctx<'_>, done: &Action, taken: bool) -> Verdict {
    match done {
        Action::SpyTarget(_) | Action::FavorNegate(_) => follow_aim(ctx)?,
        Action::Attack(_) | Action::DeclareTargets(_) => follow_battle(ctx)?,
        Action::EndPhase(it) => end_phases(ctx, it),
        _ => {}
    }
    settle(ctx, taken)?;
    match done {
        Action::Disband(_) if ctx.state().stage == Stage::Disband => collect_income(ctx),
        Action::PayUpkeep(_) if ctx.state().stage == Stage::Upkeep => collect_income(ctx),
        Action::FavorFirst(_) => start_next_turn(ctx),
        _ => {}
    }
    run(ctx)
}

/// DBD-1.11 After every action or automatic step: goods that are thrown late, captures, eliminations, victory. Routes have
/// ended with the change of control that ends them.
pub(super) fn settle(ctx: &mut Ctx<'_>, taken: bool) -> Verdict {
    if ctx.state().ended.is_some() {
        return Ok(());
    }
    throw_late_goods(ctx)?;
    capture_units(ctx, [Rule::C1_8, Rule::C1_11]);
    ch18_ends::eliminate_players(ctx);
    ch18_ends::test_victory(ctx, taken);
    Ok(())
}

/// DBD-1.11 The same after a step in which nobody gains a city.
fn settle_step(ctx: &mut Ctx<'_>) -> Verdict {
    let taken = ctx.setup().rulings.conquest == Conquest::AnyWay;
    settle(ctx, taken)
}

/// DBD-4.1 Goes on until somebody has to decide.
fn run(ctx: &mut Ctx<'_>) -> Verdict {
    while ctx.state().ended.is_none() {
        let state = ctx.state();
        match state.stage {
            Stage::Event => {
                ch04_round::throw_event(ctx)?;
                settle_step(ctx)?;
                if ctx.state().ended.is_none() {
                    begin_phase(ctx, Stage::Bid, [Rule::C4_1, Rule::C5_1]);
                }
            }
            Stage::Bid | Stage::Trading if !deciders(ctx.setup(), state).is_empty() => {
                return Ok(());
            }
            Stage::Bid => ch05_church::reveal_bids(ctx)?,
            Stage::Trading => {
                ch06_trading::close_session(ctx);
                begin_phase(ctx, Stage::TurnOrder, [Rule::C6_1, Rule::C4_1]);
            }
            Stage::TurnOrder => {
                ch07_order::throw_order(ctx)?;
                match ch05_church::may_lead_late(ctx.setup(), ctx.state()) {
                    Some(_) => begin_phase(ctx, Stage::FavorFirst, [Rule::C5_14, Rule::R101]),
                    None => start_next_turn(ctx),
                }
            }
            Stage::FavorFirst if !deciders(ctx.setup(), state).is_empty() => return Ok(()),
            Stage::FavorFirst => start_next_turn(ctx),
            _ if state.active.is_none_or(|active| !state.playing.contains(active)) => {
                start_next_turn(ctx);
            }
            Stage::Upkeep if ch08_upkeep::may_decline(ctx.setup(), state) => {
                begin_phase(ctx, Stage::PayUpkeep, [Rule::C8_3, Rule::R90]);
                return Ok(());
            }
            Stage::Upkeep => {
                ch08_upkeep::pay_all_upkeep(ctx);
                if ctx.state().stage == Stage::Upkeep {
                    collect_income(ctx);
                }
            }
            Stage::Disband => {
                if !ch08_upkeep::takes_all(ctx.setup(), state) {
                    return Ok(());
                }
                ch08_upkeep::disband_all(ctx);
                settle_step(ctx)?;
                collect_income(ctx);
            }
            Stage::Spy if state.spying.is_some() => {
                ch12_spies::work_out_success(ctx)?;
                settle_step(ctx)?;
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// A phase begins.
fn begin_phase(ctx: &mut Ctx<'_>, phase: Stage, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Happening::PhaseStarted { phase }.into(), rules);
}

/// DBD-8.1 Taxation and trade revenue run by themselves, then production begins.
fn collect_income(ctx: &mut Ctx<'_>) {
    let state = ctx.state();
    let Some(active) = state.active.filter(|&active| state.playing.contains(active)) else {
        return;
    };
    if state.ended.is_some() {
        return;
    }
    ch09_taxes::collect_taxes(ctx, active);
    ch10_revenue::collect_revenue(ctx, active);
    begin_phase(ctx, Stage::Production, Rule::C8_1);
}

/// DBD-4.1 The next main turn, or the end of the round.
fn start_next_turn(ctx: &mut Ctx<'_>) {
    if let Some(player) = ctx.state().active {
        ch04_round::end_main_turn(ctx, player);
    }
    let state = ctx.state();
    let order: Vec<_> = state.order.iter().collect();
    let done = order.iter().position(|&player| Some(player) == state.active);
    let next = order[done.map_or(0, |at| at + 1)..]
        .iter()
        .copied()
        .find(|&player| state.playing.contains(player));
    match next {
        Some(player) => {
            ctx.happen(Happening::MainTurnStarted { player }.into(), [Rule::C4_1, Rule::C1_3]);
            begin_phase(ctx, Stage::Upkeep, Rule::C8_1);
        }
        None => ch04_round::end_round(ctx),
    }
}

/// DBD-8.1 The phase ends, or all up to the one that is named; the next one begins. Whoever leaves
/// the trading session ends no phase.
fn end_phases(ctx: &mut Ctx<'_>, it: &EndPhase) {
    let last = it.through.map_or(ctx.state().stage, Through::stage);
    loop {
        let stage = ctx.state().stage;
        let Some(at) = Stage::OWN_PHASES.iter().position(|&own| own == stage) else { return };
        if stage == Stage::Routes {
            ch15_routes::open_routes(ctx, it.player);
        }
        match Stage::OWN_PHASES.get(at + 1) {
            Some(&next) => begin_phase(ctx, next, Rule::C8_1),
            None => return start_next_turn(ctx),
        }
        if stage == last {
            return;
        }
    }
}

/// DBD-14.10, DBD-14.11, DBD-14.15 The steps of a battle, one after the other, until somebody has to
/// choose targets or the battle is over.
fn follow_battle(ctx: &mut Ctx<'_>) -> Verdict {
    while ctx.state().stage == Stage::DeclareTargets {
        if ch14_battle::is_due(ctx.setup(), ctx.state()) && !ch14_battle::work_out_step(ctx)? {
            return Ok(());
        }
        if let Some(step) = ch14_battle::next_step(ctx.setup(), ctx.state()) {
            ch14_battle::begin_step(ctx, step);
            continue;
        }
        ch14_battle::remove_hit_units(ctx);
        match ch14_battle::next_pass(ctx.setup(), ctx.state()) {
            Some(step) => ch14_battle::begin_step(ctx, step),
            None => ch14_battle::finish_battle(ctx),
        }
    }
    Ok(())
}

/// DBD-12.7 A mission that was aimed and has not failed waits for another player who holds the
/// favour, or goes through.
fn follow_aim(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    let aim = state.spying.and_then(|spying| spying.aim);
    let (Some(player), Some((mission, target))) = (state.active, aim) else { return Ok(()) };
    let church = ch12_spies::church_asked(ctx.setup(), state, target);
    if state.stage == Stage::SpyTarget && church.is_some() {
        begin_phase(ctx, Stage::FavorNegate, Rule::C12_7);
        return Ok(());
    }
    ch12_spies::carry_out_mission(ctx, player, mission, target)
}
