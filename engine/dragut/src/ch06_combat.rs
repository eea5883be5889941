//! DRG-6 Combat: one duel after the other, and what a shot earns.
//!
//! The order of what follows a duel (DRG-6.11) is `sequence::settle`. Must not decide where freed
//! units go; that is `ch07_captives.rs`.

use super::action::{ArquebusChoice, ChooseDefender, Reward, Side};
use super::event::{AlarmCause, DrawCause, Event, Who};
use super::rulebook::{Equal, Reduced, Rule};
use super::setup::{DRAGUT_4, DRAGUT_6, PIRATE_2B, PIRATE_UNITS, Setup};
use super::state::{Area, Arrival, Place, State, Unit, Units, count};
use super::tables::REDUCTION;
use super::{
    Checked, Ctx, Refusal, Verdict, ch08_alarm, ch09_draws, ch10_special, ch11_end, ch13_protocol,
};
use umpire_core::rules::Cites;

/// DRG-6.1, DRG-6.2 The attacker and the free enemies that are left; nobody after the one combat that
/// DRG-R55 = `one` allows.
pub(super) fn opponents(setup: &Setup, state: &State, arrival: Arrival) -> Option<(Unit, Units)> {
    let attacker = arrival.unit.filter(|_| !arrival.fought)?;
    let enemies = state.free_in(setup, setup.side(attacker).other(), arrival.area);
    (!enemies.is_empty()).then_some((attacker, enemies))
}

/// DRG-6.2 The opponent is named.
pub(super) fn fight_chosen(ctx: &mut Ctx<'_>, sent: &ChooseDefender) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(arrival) = state.arrival else { return Ok(()) };
    let Some((attacker, defenders)) = opponents(setup, state, arrival) else { return Ok(()) };
    let side = setup.side(attacker).other();
    let defender = ch13_protocol::check_unit(setup, state, &sent.unit, side)?;
    check_defends(defenders, defender, &setup.said_unit(&sent.unit))?;
    fight(ctx, arrival.area, attacker, defender);
    Ok(())
}

/// DRG-13.3 The unit is one of the options. The refusal names it as the player did, who may not
/// know who it is.
fn check_defends(defenders: Units, defender: Unit, id: &str) -> Checked {
    if defenders.contains(defender) {
        return Ok(());
    }
    let message = format!("{id} is not one of the free units that defend here");
    Err(Refusal::new(Rule::C13_3, "not_an_option", message).at("/unit"))
}

/// DRG-6.3, DRG-6.4 One duel, up to the end check.
pub(super) fn fight(ctx: &mut Ctx<'_>, area: Area, attacker: Unit, defender: Unit) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let shot = setup.arquebusiers.contains(attacker) || setup.arquebusiers.contains(defender);
    // The Arquebusier has no value.
    let values = [attacker, defender]
        .map(|unit| (!setup.arquebusiers.contains(unit)).then(|| value(setup, state, unit)));
    let fighters = [attacker, defender].map(|unit| Who::shown(state, unit));
    let [attacker, defender] = fighters;
    let bartolomeo = fighters.iter().any(|who| who.unit == setup.bartolomeo);
    let bartolomeo = bartolomeo.then(|| ch10_special::bartolomeo_stand(setup, state));
    let duel = Event::Duel { attacker, defender, values, area, bartolomeo };
    if shot {
        ctx.happen(duel, [Rule::C6_1, Rule::C6_3, Rule::C6_8]);
        shoot(ctx, area, fighters);
    } else {
        match bartolomeo {
            Some(_) => ctx.happen(duel, [Rule::C6_4, Rule::C10_3, Rule::C6_1, Rule::C6_3]),
            None => ctx.happen(duel, [Rule::C6_1, Rule::C6_3, Rule::C6_4]),
        }
        match values[0].cmp(&values[1]) {
            std::cmp::Ordering::Greater => lose(ctx, area, defender, attacker, &[Rule::C6_4]),
            std::cmp::Ordering::Less => lose(ctx, area, attacker, defender, &[Rule::C6_4]),
            std::cmp::Ordering::Equal => tie(ctx, area, fighters),
        }
    }
    ch11_end::test_at_once(ctx);
}

/// DRG-6.4, DRG-10.3 The combat value of a unit now, less for a weakened pirate (DRG-R38).
pub(super) fn value(setup: &Setup, state: &State, unit: Unit) -> u8 {
    if unit == setup.bartolomeo {
        return ch10_special::bartolomeo_value(setup, state);
    }
    let value = setup.values[unit.index()];
    if state.weakened.contains(unit) { value.saturating_sub(REDUCTION) } else { value }
}

/// DRG-6.5 Equal values, read as DRG-R13 says.
fn tie(ctx: &mut Ctx<'_>, area: Area, [attacker, defender]: [Who; 2]) {
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

/// DRG-6.6, DRG-6.7 A pirate that loses is removed, a Rapalline unit becomes captive.
fn lose(ctx: &mut Ctx<'_>, area: Area, loser: Who, winner: Who, because: &[Rule]) {
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

/// DRG-6.8 The Arquebusier leaves, and the pirate loses 2.
fn shoot(ctx: &mut Ctx<'_>, area: Area, [attacker, defender]: [Who; 2]) {
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
        let into = replacement(ctx.state(), pirate.unit);
        let event = Event::UnitReduced { who: pirate, into, value: left, area };
        let rules = Cites::from([Rule::C6_8, Rule::C6_9]);
        let fresh = ctx.setup().rulings.reduced == Reduced::Fresh;
        ctx.happen(event, if fresh { rules.and(Rule::R38) } else { rules });
    }
}

/// DRG-6.9 The counter that takes over; without one the value is tracked (DRG-R38).
fn replacement(state: &State, pirate: Unit) -> Unit {
    let counter = match pirate {
        DRAGUT_6 => DRAGUT_4,
        DRAGUT_4 => return pirate,
        _ => PIRATE_2B,
    };
    if state.place[counter.index()] == Place::ASIDE { counter } else { pirate }
}

/// DRG-6.10 Whether there is a card to choose in place of the alarm.
pub(super) fn may_draw_reward(state: &State) -> bool {
    count(&state.cards[Side::Rapalline.index()].deck) > 0
}

/// DRG-6.10 With an empty deck the alarm is forced.
pub(super) fn force_alarm(ctx: &mut Ctx<'_>) {
    let event = Event::DeckEmpty { side: Side::Rapalline, why: DrawCause::Reward };
    ctx.happen(event, [Rule::C9_5, Rule::C6_10]);
    reward_with_alarm(ctx);
}

fn reward_with_alarm(ctx: &mut Ctx<'_>) {
    ch08_alarm::shift_alarm(ctx, 1, 0, AlarmCause::Reward, [Rule::C6_10, Rule::C8_2]);
}

/// DRG-6.10 The reward is chosen.
pub(super) fn take_reward(ctx: &mut Ctx<'_>, sent: &ArquebusChoice) -> Verdict {
    match sent.choice {
        Reward::Alarm => {
            reward_with_alarm(ctx);
            Ok(())
        }
        Reward::Draw => ch09_draws::draw_card(ctx, Side::Rapalline, DrawCause::Reward),
    }
}

// DRG-6.11 and 6.12 (survivors hide) are `sequence::settle`; DRG-6.13 needs nothing: nobody moves
// the survivor.
