//! DRG-6: combat, and what is pending until an arrival is resolved.
//!
//! Must not decide where freed units go; that is DRG-7.

use super::action::{ArquebusChoice, ChooseDefender, Reward};
use super::ch13_protocol::{self as ch13, Checked, refuse};
use super::event::{Cause, Event, Who, Why};
use super::rulebook::{Equal, Opponent, Rule};
use super::setup::{DRAGUT_4, DRAGUT_6, PIRATE_2B, PIRATE_UNITS, Setup};
use super::state::{Area, Arrival, Place, State, Step, Unit, Units, count};
use super::tables::{REDUCTION, Side};
use super::{
    Cx, Dragut, ch04_points, ch07_captives, ch08_alarm, ch09_draws, ch10_special, ch11_end,
};
use umpire_core::game::Verdict;
use umpire_core::rules::Cites;
use umpire_core::wire::Name;

/// Whether something waits for a decision, or the next thing can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// A decision is pending.
    Waits,
    /// Nothing is.
    Goes,
}

/// DRG-6.11: what is owed, in its order: the Arquebusier's reward, a draw, the next duel, then
/// liberation and relocations. When nothing is left the phase goes on.
pub fn settle(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    loop {
        let state = ctx.state();
        if state.ended.is_some() {
            return Ok(());
        }
        let flow = if state.owes_choice {
            c6_10_reward(ctx)
        } else if state.owes_draw {
            ch09_draws::c9_4_earned(ctx)?
        } else if let Some(arrival) = state.arrival {
            if !arrival.waiting.is_empty() {
                ch07_captives::relocations(ctx, arrival)
            } else if let Some((attacker, defenders)) = opponents(ctx.setup(), state, arrival) {
                c6_2_next_opponent(ctx, arrival.area, attacker, defenders)
            } else if ch07_captives::c7_7_liberate(ctx, arrival) {
                Flow::Goes
            } else {
                // DRG-6.12: resolved, survivors hide.
                ctx.happen(Event::Settled, Rule::C6_12);
                Flow::Goes
            }
        } else {
            return ch04_points::resume(ctx);
        };
        if flow == Flow::Waits {
            return Ok(());
        }
    }
}

/// The attacker and the free enemies that are left (DRG-6.1, 6.2).
pub fn opponents(setup: &Setup, state: &State, arrival: Arrival) -> Option<(Unit, Units)> {
    let attacker = arrival.unit?;
    let enemies = state.free_in(setup, setup.side(attacker).other(), arrival.area);
    (!enemies.is_empty()).then_some((attacker, enemies))
}

/// DRG-6.2: the next opponent is named, or taken by itself if there is just one.
fn c6_2_next_opponent(ctx: &mut Cx<'_>, area: Area, attacker: Unit, defenders: Units) -> Flow {
    match defenders.lowest() {
        Some(defender) if defenders.len() == 1 => {
            duel(ctx, area, attacker, defender);
            Flow::Goes
        }
        _ => {
            ctx.happen(Event::Asked { step: Step::ChooseDefender }, Rule::C6_2);
            Flow::Waits
        }
    }
}

/// DRG-6.2: who names the opponent: the attacker, or under DRG-R12 = `defender` the other side.
pub fn chooser(setup: &Setup, attacker: Unit) -> Side {
    match setup.rulings.opponent {
        Opponent::Attacker => setup.side(attacker),
        Opponent::Defender => setup.side(attacker).other(),
    }
}

/// DRG-6.2: the opponent is named.
pub fn choose_defender(ctx: &mut Cx<'_>, sent: &ChooseDefender) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(arrival) = state.arrival else { return Ok(()) };
    let Some((attacker, defenders)) = opponents(setup, state, arrival) else { return Ok(()) };
    let side = setup.side(attacker).other();
    let defender = ch13::unit(setup, state, &sent.unit, side)?;
    c13_3_among(defenders, defender, &sent.unit)?;
    duel(ctx, arrival.area, attacker, defender);
    settle(ctx)
}

/// DRG-13.3: the unit is one of the options. The refusal names it as the player did, who may not
/// know who it is.
fn c13_3_among(defenders: Units, defender: Unit, id: &Name) -> Checked<()> {
    if defenders.contains(defender) {
        return Ok(());
    }
    let message = format!("{id} is none of the free units that defend here");
    Err(refuse(Rule::C13_3, "not_an_option", message, "/unit"))
}

/// DRG-6.3 to 6.9: one duel, up to the end check.
fn duel(ctx: &mut Cx<'_>, area: Area, attacker: Unit, defender: Unit) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let shot = setup.arquebusiers.contains(attacker) || setup.arquebusiers.contains(defender);
    let value = |unit: Unit| value(setup, state, unit);
    let values = if shot {
        [attacker, defender]
            .map(|unit| Some(value(unit)).filter(|_| !setup.arquebusiers.contains(unit)))
    } else {
        [Some(value(attacker)), Some(value(defender))]
    };
    let whos = [attacker, defender].map(|unit| Who::shown(state, unit));
    let event = Event::Duel { attacker: whos[0], defender: whos[1], values, area };
    if shot {
        ctx.happen(event, [Rule::C6_1, Rule::C6_3, Rule::C6_8]);
        c6_8_shot(ctx, area, whos);
    } else {
        ctx.happen(event, [Rule::C6_1, Rule::C6_3, Rule::C6_4]);
        match values[0].cmp(&values[1]) {
            std::cmp::Ordering::Greater => lose(ctx, area, whos[1], whos[0], &[Rule::C6_4]),
            std::cmp::Ordering::Less => lose(ctx, area, whos[0], whos[1], &[Rule::C6_4]),
            std::cmp::Ordering::Equal => c6_5_equal(ctx, area, whos),
        }
    }
    ch11_end::c11_5_test(ctx);
}

/// The combat value of a unit now (DRG-6.4, 10.3, and DRG-R38 for a weakened pirate).
pub fn value(setup: &Setup, state: &State, unit: Unit) -> u8 {
    if unit == setup.bartolomeo {
        return ch10_special::c10_3_bartolomeo(setup, state);
    }
    let value = setup.values[unit.at()];
    if state.weakened.contains(unit) { value.saturating_sub(REDUCTION) } else { value }
}

/// DRG-6.6, 6.7: a pirate that loses is removed, a Rapalline unit becomes captive.
fn lose(ctx: &mut Cx<'_>, area: Area, loser: Who, winner: Who, because: &[Rule]) {
    let cites = |rule: Rule| because.iter().fold(Cites::from(rule), |all, &rule| all.and(rule));
    match ctx.setup().side(loser.unit) {
        Side::Pirates => {
            let event = Event::UnitEliminated { who: loser, area, by: winner };
            ctx.happen(event, cites(Rule::C6_6));
        }
        Side::Rapalline => {
            let event = Event::UnitCaptured { who: loser, area, by: winner };
            ctx.happen(event, cites(Rule::C6_7).and(Rule::C7_1));
        }
    }
}

/// DRG-6.5: equal values, read as DRG-R13 says.
fn c6_5_equal(ctx: &mut Cx<'_>, area: Area, [attacker, defender]: [Who; 2]) {
    match ctx.setup().rulings.equal {
        Equal::Return => {
            let back = ctx.state().arrival.map_or(Place::on(area), |arrival| arrival.from);
            let event = Event::Repelled { who: attacker, from: area, to: back };
            ctx.happen(event, [Rule::C6_5, Rule::R13]);
        }
        Equal::DefenderWins => lose(ctx, area, attacker, defender, &[Rule::R13, Rule::C6_5]),
        Equal::BothRemoved => {
            for (who, by) in [(attacker, defender), (defender, attacker)] {
                let event = Event::UnitEliminated { who, area, by };
                ctx.happen(event, [Rule::C6_5, Rule::R13]);
            }
        }
    }
}

/// DRG-6.8: the Arquebusier leaves, and the pirate loses 2.
fn c6_8_shot(ctx: &mut Cx<'_>, area: Area, [attacker, defender]: [Who; 2]) {
    let (marksman, pirate) = if PIRATE_UNITS.contains(attacker.unit) {
        (defender, attacker)
    } else {
        (attacker, defender)
    };
    ctx.happen(Event::UnitWithdrawn { who: marksman, area }, [Rule::C6_8, Rule::C10_2]);
    let left = value(ctx.setup(), ctx.state(), pirate.unit).saturating_sub(REDUCTION);
    if left == 0 {
        let event = Event::UnitEliminated { who: pirate, area, by: marksman };
        ctx.happen(event, Rule::C6_8);
    } else {
        let into = c6_9_replacement(ctx.state(), pirate.unit);
        let event = Event::UnitReduced { who: pirate, into, value: left, area };
        ctx.happen(event, [Rule::C6_8, Rule::C6_9]);
    }
}

/// DRG-6.9: the counter that takes over; without one the value is tracked (DRG-R38).
fn c6_9_replacement(state: &State, pirate: Unit) -> Unit {
    let counter = match pirate {
        DRAGUT_6 => DRAGUT_4,
        DRAGUT_4 => return pirate,
        _ => PIRATE_2B,
    };
    if state.place[counter.at()] == Place::ASIDE { counter } else { pirate }
}

/// DRG-6.10: alarm or card; with an empty deck the alarm is forced.
fn c6_10_reward(ctx: &mut Cx<'_>) -> Flow {
    if count(&ctx.state().cards[Side::Rapalline.at()].deck) == 0 {
        let event = Event::DeckEmpty { side: Side::Rapalline, why: Why::Reward };
        ctx.happen(event, [Rule::C9_5, Rule::C6_10]);
        raise(ctx);
        return Flow::Goes;
    }
    ctx.happen(Event::Asked { step: Step::ArquebusChoice }, Rule::C6_10);
    Flow::Waits
}

fn raise(ctx: &mut Cx<'_>) {
    ch08_alarm::shift(ctx, 1, 0, Cause::Reward, [Rule::C6_10, Rule::C8_2]);
}

/// DRG-6.10: the reward is chosen.
pub fn arquebus_choice(ctx: &mut Cx<'_>, sent: &ArquebusChoice) -> Verdict<Dragut> {
    match sent.choice {
        Reward::Alarm => raise(ctx),
        Reward::Draw => ch09_draws::draw(ctx, Side::Rapalline, Why::Reward)?,
    }
    settle(ctx)
}
