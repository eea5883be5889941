//! What follows by itself (part C.2): from the setup to the first decision, and from each decision
//! to the next.
//!
//! The only place that leads on: a chapter carries out its decision and does not know what comes
//! after it. Must not judge an action.

use super::action::{Action, Side};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Area, Arrival, Stage, State, Unit, Units};
use super::{
    Ctx, Verdict, ch03_cards, ch04_points, ch06_combat, ch07_captives, ch09_draws, ch10_special,
    ch11_end, ch13_protocol, menu,
};
use umpire_core::game::Decision;
use umpire_core::rules::Cites;

/// Whether a decision is pending now, or the next thing can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// A decision is pending.
    Waits,
    /// None is.
    Goes,
}

/// Part C.1: what is to be decided now, by whom, and by which clause.
pub(super) fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
    let (rule, open) = match state.stage {
        Stage::Deploy => (Rule::C2_3, true),
        Stage::ChooseCards => (Rule::C3_2, false),
        Stage::PiratePhase | Stage::RapallinePhase => (Rule::C4_9, false),
        Stage::ChooseDefender => (Rule::C6_2, false),
        Stage::ArquebusChoice => (Rule::C6_10, true),
        Stage::DrawOffer => (ch09_draws::offer_clause(setup, state), true),
        Stage::Relocate => (Rule::C7_9, true),
        Stage::PlaceReserve => (Rule::C10_7, true),
        Stage::GameOver => (Rule::C13_1, true),
    };
    let seats = ch13_protocol::deciders(setup, state);
    Decision { seats, state: state.stage.name(), rule, open }
}

/// DRG-2.1 What follows the setup: the deployment.
pub(super) fn begin(ctx: &mut Ctx<'_>) -> Verdict {
    await_stage(ctx, Stage::Deploy, Rule::C2_1);
    Ok(())
}

/// What follows a loaded position: cards that nobody can choose, a phase in which nothing can be
/// done.
pub(super) fn resume(ctx: &mut Ctx<'_>) -> Verdict {
    match ctx.state().stage {
        Stage::ChooseCards => await_cards(ctx),
        Stage::PiratePhase | Stage::RapallinePhase => continue_phase(ctx),
        _ => {}
    }
    Ok(())
}

/// What follows a decision that its chapter has carried out: the table of part C.2.
pub(super) fn go_on(ctx: &mut Ctx<'_>, done: &Action) -> Verdict {
    match done {
        Action::Deploy(_) => start_turn(ctx, 1),
        Action::ChooseCard(_) => follow_choice(ctx),
        Action::EndPhase(it) => follow_phase(ctx, it.player),
        Action::PlaceReserve(_) => continue_phase(ctx),
        Action::Land(_)
        | Action::Move(_)
        | Action::Send(_)
        | Action::RaiseAlarm(_)
        | Action::ChooseDefender(_)
        | Action::ArquebusChoice(_)
        | Action::DrawOffer(_)
        | Action::Relocate(_) => return settle(ctx),
    }
    Ok(())
}

/// A decision is awaited.
fn await_stage(ctx: &mut Ctx<'_>, stage: Stage, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Event::Awaited { stage }, rules);
}

/// DRG-3.1 A turn begins with the choice of cards.
fn start_turn(ctx: &mut Ctx<'_>, turn: u32) {
    ctx.happen(Event::TurnStarted { turn }, Rule::C3_1);
    await_cards(ctx);
}

/// DRG-3.2 Whoever has a card is asked.
fn await_cards(ctx: &mut Ctx<'_>) {
    ch03_cards::commit_empty_hands(ctx);
    if ch03_cards::have_all_committed(ctx.state()) {
        start_pirate_phase(ctx);
    } else {
        await_stage(ctx, Stage::ChooseCards, Rule::C3_2);
    }
}

/// DRG-3.3 When both have committed, the turn goes on.
fn follow_choice(ctx: &mut Ctx<'_>) {
    if ch03_cards::have_all_committed(ctx.state()) {
        start_pirate_phase(ctx);
    }
}

/// DRG-3.1, DRG-3.3 Both choices are shown, and the pirate phase begins.
fn start_pirate_phase(ctx: &mut Ctx<'_>) {
    ch03_cards::reveal_cards(ctx);
    ch04_points::start_phase(ctx, Side::Pirates);
    continue_phase(ctx);
}

/// DRG-3.1, DRG-10.7 The Rapalline phase begins; the reserve may have to enter first.
fn start_rapalline_phase(ctx: &mut Ctx<'_>) {
    ch04_points::start_phase(ctx, Side::Rapalline);
    if await_reserve(ctx) == Flow::Goes {
        continue_phase(ctx);
    }
}

/// DRG-10.7 The Soldier in reserve enters at the start of the Rapalline phase if a card says so; a
/// single possibility is taken by itself.
fn await_reserve(ctx: &mut Ctx<'_>) -> Flow {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(side) = ch10_special::caller_of_reserve(setup, state) else { return Flow::Goes };
    let openings = ch10_special::openings(setup, state);
    match openings.lowest() {
        Some(area) if openings.len() == 1 => ch10_special::enter_reserve(ctx, area),
        Some(_) => {
            await_stage(ctx, Stage::PlaceReserve, Rule::C10_7);
            return Flow::Waits;
        }
        None => ch10_special::void_call(ctx, side),
    }
    Flow::Goes
}

/// DRG-4.8, DRG-4.9 The phase goes on or ends by itself; nothing else is pending.
fn continue_phase(ctx: &mut Ctx<'_>) {
    let (stage, side) = match ctx.state().phase {
        Some(side @ Side::Pirates) => (Stage::PiratePhase, side),
        Some(side @ Side::Rapalline) => (Stage::RapallinePhase, side),
        None => return await_cards(ctx),
    };
    if !menu::has_paid_action(ctx.setup(), ctx.state(), side) {
        ch04_points::end_phase(ctx, side, false);
        return follow_phase(ctx, side);
    }
    if ctx.state().stage != stage {
        await_stage(ctx, stage, Rule::C4_9);
    }
}

/// DRG-3.1 What follows the end of a phase.
fn follow_phase(ctx: &mut Ctx<'_>, side: Side) {
    match side {
        Side::Pirates => start_rapalline_phase(ctx),
        Side::Rapalline => finish_turn(ctx),
    }
}

/// DRG-3.1, DRG-3.7, DRG-11.7 Clean-up, then the next turn, unless every turn would be like this one.
fn finish_turn(ctx: &mut Ctx<'_>) {
    if ch11_end::test_at_end_of_turn(ctx) {
        return;
    }
    ch03_cards::clean_up(ctx);
    if ch11_end::test_standstill(ctx) {
        return;
    }
    let turn = ctx.state().turn.saturating_add(1);
    start_turn(ctx, turn);
}

/// DRG-6.11 What is owed, in its order: the Arquebusier's reward, a draw, the next duel, then
/// liberation and relocations. When nothing is left the phase goes on.
fn settle(ctx: &mut Ctx<'_>) -> Verdict {
    loop {
        let state = ctx.state();
        if state.ended.is_some() {
            return Ok(());
        }
        let flow = if state.owes_choice {
            await_reward(ctx)
        } else if state.owes_draw {
            if !ch09_draws::is_offered(ctx.setup(), state) {
                ch09_draws::draw_earned(ctx)?;
                continue;
            }
            let clause = ch09_draws::offer_clause(ctx.setup(), state);
            await_stage(ctx, Stage::DrawOffer, [clause, Rule::R24]);
            Flow::Waits
        } else if let Some(arrival) = state.arrival {
            settle_arrival(ctx, arrival)
        } else {
            continue_phase(ctx);
            return Ok(());
        };
        if flow == Flow::Waits {
            return Ok(());
        }
    }
}

/// DRG-6.10 Alarm or card; with an empty deck the alarm is forced.
fn await_reward(ctx: &mut Ctx<'_>) -> Flow {
    if ch06_combat::may_draw_reward(ctx.state()) {
        await_stage(ctx, Stage::ArquebusChoice, Rule::C6_10);
        return Flow::Waits;
    }
    ch06_combat::force_alarm(ctx);
    Flow::Goes
}

/// DRG-6.11, DRG-6.12 What an arrival leads to next; when nothing is left, survivors hide.
fn settle_arrival(ctx: &mut Ctx<'_>, arrival: Arrival) -> Flow {
    if let Some(unit) = arrival.waiting.lowest() {
        return await_relocation(ctx, arrival, unit);
    }
    if let Some((attacker, defenders)) = ch06_combat::opponents(ctx.setup(), ctx.state(), arrival) {
        return await_opponent(ctx, arrival.area, attacker, defenders);
    }
    if !ch07_captives::liberate(ctx, arrival) {
        ctx.happen(Event::Settled, Rule::C6_12);
    }
    Flow::Goes
}

/// DRG-6.2 The next opponent is named, or taken by itself if there is just one.
fn await_opponent(ctx: &mut Ctx<'_>, area: Area, attacker: Unit, defenders: Units) -> Flow {
    match defenders.lowest() {
        Some(defender) if defenders.len() == 1 => {
            ch06_combat::fight(ctx, area, attacker, defender);
            Flow::Goes
        }
        _ => {
            await_stage(ctx, Stage::ChooseDefender, Rule::C6_2);
            Flow::Waits
        }
    }
}

/// DRG-7.9 The freed units go one by one; a single possibility is taken by itself.
fn await_relocation(ctx: &mut Ctx<'_>, arrival: Arrival, first: Unit) -> Flow {
    let goals = ch07_captives::goals(ctx.setup(), ctx.state(), arrival.area);
    match (arrival.waiting.len(), goals.lowest()) {
        (_, None) => {
            ch07_captives::leave_freed(ctx, first);
            Flow::Goes
        }
        (1, Some(goal)) if goals.len() == 1 => {
            let rules = [Rule::C7_9, Rule::C5_10, Rule::C13_5];
            ch07_captives::place_freed(ctx, first, arrival, goal, rules);
            Flow::Goes
        }
        _ => {
            await_stage(ctx, Stage::Relocate, Rule::C7_9);
            Flow::Waits
        }
    }
}
