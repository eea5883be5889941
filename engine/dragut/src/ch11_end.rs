//! DRG-11: the end of the game.
//!
//! Must not decide anything else.

use super::Cx;
use super::event::Event;
use super::rulebook::{CaptivesCount, EndTest, Rule, Unreachable};
use super::setup::Setup;
use super::state::{Ended, Place, Reason, State};
use super::tables::Side;

/// DRG-11.1: units to send.
pub fn target(setup: &Setup, state: &State) -> u8 {
    if state.place[setup.giulia.at()] == Place::FLED {
        setup.constants.target_giulia_fled
    } else {
        setup.constants.target
    }
}

/// DRG-11.5: the test when units have been taken away, before anything that follows; under
/// DRG-R31 = `end_of_turn` only later. Says whether the game is over.
pub fn c11_5_test(ctx: &mut Cx<'_>) -> bool {
    ctx.setup().rulings.end_test == EndTest::Immediate && test(ctx)
}

/// The three ends in their order, and the fourth of DRG-R33. Says whether the game is over.
pub fn test(ctx: &mut Cx<'_>) -> bool {
    let Some((Ended { winner, reason }, rule)) = ending(ctx.setup(), ctx.state()) else {
        return false;
    };
    ctx.happen(Event::GameEnded { winner, reason }, [rule, Rule::C11_5]);
    true
}

/// The end that holds now, if one does.
pub fn ending(setup: &Setup, state: &State) -> Option<(Ended, Rule)> {
    let ended = |winner, reason, rule| Some((Ended { winner, reason }, rule));
    if c11_2_target_met(setup, state) {
        return ended(Side::Pirates, Reason::Serraglio, Rule::C11_2);
    }
    if c11_3_no_rapalline(setup, state) {
        return ended(Side::Rapalline, Reason::NoRapalline, Rule::C11_3);
    }
    if c11_4_no_pirates(state) {
        return ended(Side::Rapalline, Reason::NoPirates, Rule::C11_4);
    }
    if setup.rulings.unreachable == Unreachable::Yes && c11_6_out_of_reach(setup, state) {
        return ended(Side::Rapalline, Reason::Unreachable, Rule::R33);
    }
    None
}

/// DRG-11.2: the Serraglio holds the target or more.
fn c11_2_target_met(setup: &Setup, state: &State) -> bool {
    state.at(Place::SERRAGLIO).len() >= usize::from(target(setup, state))
}

/// DRG-11.3: no Rapalline unit is on the map, captives counting unless DRG-R32 = `no`.
fn c11_3_no_rapalline(setup: &Setup, state: &State) -> bool {
    let mut units = state.on_map().and(setup.rapalline);
    if setup.rulings.captives_count == CaptivesCount::No {
        units = units.minus(state.captive);
    }
    units.is_empty()
}

/// DRG-11.4: no pirate unit is at sea or on the map.
fn c11_4_no_pirates(state: &State) -> bool {
    state.pirates_in_play().is_empty()
}

/// DRG-R33: Serraglio, captives and free units on the map or in reserve, the Arquebusier
/// excepted, are fewer than the target.
fn c11_6_out_of_reach(setup: &Setup, state: &State) -> bool {
    let there = state.on_map().or(state.at(Place::RESERVE)).or(state.at(Place::SERRAGLIO));
    let left = there.and(setup.rapalline).minus(setup.arquebusiers);
    left.len() < usize::from(target(setup, state))
}
