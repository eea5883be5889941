//! What follows by itself (part D.2): from setup to the first decision, and from each decision to
//! the next.
//!
//! The only place that leads on: a chapter carries out its decision and does not know what comes
//! after it. Must not judge an action.

use super::action::{Action, EndPhase, Player, PlayerSet, Through};
use super::ch01_terms::capture;
use super::notice::Fact;
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Phase, State};
use super::{
    Ctx, Verdict, ch04_round, ch05_church, ch06_trading, ch07_order, ch08_upkeep, ch09_taxes,
    ch10_revenue, ch12_spies, ch14_battle, ch15_routes, ch18_ends,
};
use umpire_core::game::{Decision, Seats};
use umpire_core::rules::Cites;

/// Part D.1: what is to be decided now, by whom, and by which clause.
pub(super) fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
    let rule = match state.phase {
        Phase::Bid => Rule::C5_1,
        Phase::Trading => Rule::C6_1,
        Phase::Disband => Rule::C8_4,
        Phase::Production => Rule::C11_1,
        Phase::Spy => Rule::C12_1,
        Phase::SpyTarget => Rule::C12_4,
        Phase::FavorNegate => Rule::C12_7,
        Phase::Movement => Rule::C13_1,
        Phase::Battle => Rule::C14_1,
        Phase::DeclareTargets => Rule::C14_11,
        Phase::Advance => Rule::C14_16,
        Phase::Routes => Rule::C15_5,
        Phase::Diplomacy => Rule::C16_1,
        Phase::GameOver => Rule::C19_1,
        Phase::Event | Phase::TurnOrder | Phase::Upkeep => Rule::C4_1,
    };
    let seats = deciders(setup, state).seats();
    Decision { seats, state: state.phase.name(), rule, open: true }
}

/// Part D.1: the players who are asked.
pub(super) fn deciders(setup: &Setup, state: &State) -> PlayerSet {
    let one = |player: Option<Player>| player.into_iter().collect();
    match state.phase {
        Phase::Bid => state.playing.iter().filter(|it| state.bids[it.index()].is_none()).collect(),
        Phase::Trading => state.playing.minus(state.away),
        Phase::FavorNegate => one(state.favor),
        Phase::DeclareTargets => one(ch14_battle::declarer(setup, state)),
        Phase::Event | Phase::TurnOrder | Phase::Upkeep | Phase::GameOver => PlayerSet::NONE,
        Phase::Disband
        | Phase::Production
        | Phase::Spy
        | Phase::SpyTarget
        | Phase::Movement
        | Phase::Battle
        | Phase::Advance
        | Phase::Routes
        | Phase::Diplomacy => one(state.active),
    }
}

/// DBD-18.5, DBD-18.6, DBD-5.7 The seats that may act without being asked.
pub(super) fn interrupts(state: &State) -> Seats {
    if state.ended.is_some() || state.phase.is_under_way() {
        return Seats::NONE;
    }
    state.playing.seats()
}

/// What follows setup: round 1.
pub(super) fn begin(ctx: &mut Ctx<'_>) -> Verdict {
    run(ctx)
}

/// What follows the loading of a position.
pub(super) fn resume(ctx: &mut Ctx<'_>) -> Verdict {
    settle(ctx);
    if ctx.state().phase == Phase::DeclareTargets {
        ch14_battle::go_on(ctx)?;
        settle(ctx);
    }
    run(ctx)
}

/// What follows a decision that its chapter has carried out: the table of part D.2.
pub(super) fn go_on(ctx: &mut Ctx<'_>, done: &Action) -> Verdict {
    match done {
        Action::SpyTarget(_) | Action::FavorNegate(_) => follow_aim(ctx)?,
        Action::EndPhase(it) => end_phases(ctx, it),
        _ => {}
    }
    settle(ctx);
    if let Action::Disband(_) = done
        && ctx.state().phase == Phase::Disband
    {
        collect_income(ctx);
    }
    run(ctx)
}

/// DBD-1.11 After every action or automatic step: captures, eliminations, victory. Routes have
/// ended with the change of control that ends them.
pub(super) fn settle(ctx: &mut Ctx<'_>) {
    if ctx.state().ended.is_some() {
        return;
    }
    capture(ctx, [Rule::C1_8, Rule::C1_11]);
    ch18_ends::eliminate(ctx);
    ch18_ends::victory(ctx);
}

/// DBD-4.1 Goes on until somebody has to decide.
fn run(ctx: &mut Ctx<'_>) -> Verdict {
    while ctx.state().ended.is_none() {
        let state = ctx.state();
        match state.phase {
            Phase::Event => {
                ch04_round::event(ctx)?;
                settle(ctx);
                if ctx.state().ended.is_none() {
                    begin_phase(ctx, Phase::Bid, [Rule::C4_1, Rule::C5_1]);
                }
            }
            Phase::Bid => {
                if state.playing.iter().any(|player| state.bids[player.index()].is_none()) {
                    return Ok(());
                }
                ch05_church::reveal(ctx)?;
            }
            Phase::Trading => {
                if !state.away.holds(state.playing) {
                    return Ok(());
                }
                ch06_trading::close(ctx);
                begin_phase(ctx, Phase::TurnOrder, [Rule::C6_1, Rule::C4_1]);
            }
            Phase::TurnOrder => {
                ch07_order::throw(ctx)?;
                start_next_turn(ctx);
            }
            _ if state.active.is_none_or(|active| !state.playing.contains(active)) => {
                start_next_turn(ctx);
            }
            Phase::Upkeep => {
                ch08_upkeep::pay(ctx);
                if ctx.state().phase == Phase::Upkeep {
                    collect_income(ctx);
                }
            }
            Phase::Disband => {
                if !ch08_upkeep::takes_all(state) {
                    return Ok(());
                }
                ch08_upkeep::disband_all(ctx);
                settle(ctx);
                collect_income(ctx);
            }
            Phase::Spy if state.spying.is_some() => {
                ch12_spies::next_success(ctx)?;
                settle(ctx);
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// A phase begins.
fn begin_phase(ctx: &mut Ctx<'_>, phase: Phase, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Fact::PhaseStarted { phase }.into(), rules);
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
    ch09_taxes::collect(ctx, active);
    ch10_revenue::collect(ctx, active);
    begin_phase(ctx, Phase::Production, Rule::C8_1);
}

/// DBD-4.1 The next main turn, or the end of the round.
fn start_next_turn(ctx: &mut Ctx<'_>) {
    let state = ctx.state();
    let order: Vec<_> = state.order.iter().collect();
    let done = order.iter().position(|&player| Some(player) == state.active);
    let next = order[done.map_or(0, |at| at + 1)..]
        .iter()
        .copied()
        .find(|&player| state.playing.contains(player));
    match next {
        Some(player) => {
            ctx.happen(Fact::MainTurnStarted { player }.into(), [Rule::C4_1, Rule::C1_3]);
            begin_phase(ctx, Phase::Upkeep, Rule::C8_1);
        }
        None => ch04_round::end(ctx),
    }
}

/// DBD-8.1 The phase ends, or all up to the one that is named; the next one begins. Whoever leaves
/// the trading session ends no phase.
fn end_phases(ctx: &mut Ctx<'_>, it: &EndPhase) {
    let last = it.through.map_or(ctx.state().phase, Through::phase);
    loop {
        let phase = ctx.state().phase;
        let Some(at) = Phase::OWN.iter().position(|&own| own == phase) else { return };
        if phase == Phase::Routes {
            ch15_routes::open_by_themselves(ctx, it.player);
        }
        match Phase::OWN.get(at + 1) {
            Some(&next) => begin_phase(ctx, next, Rule::C8_1),
            None => return start_next_turn(ctx),
        }
        if phase == last {
            return;
        }
    }
}

/// DBD-12.7 A mission that was aimed and has not failed waits for another player who holds the
/// favour, or goes through.
fn follow_aim(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    let aim = state.spying.and_then(|spying| spying.aim);
    let (Some(player), Some((mission, target))) = (state.active, aim) else { return Ok(()) };
    if state.phase == Phase::SpyTarget && state.favor.is_some_and(|holder| holder != player) {
        begin_phase(ctx, Phase::FavorNegate, Rule::C12_7);
        return Ok(());
    }
    ch12_spies::carry_out(ctx, player, mission, target)
}
