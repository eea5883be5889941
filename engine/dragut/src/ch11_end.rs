//! DRG-11 The end of the game.
//!
//! Must not decide anything else.

use super::Ctx;
use super::action::Side;
use super::event::Event;
use super::rulebook::{
    CaptivesCount, EndTest, LastPirates, ReserveEntry, Rule, RunOut, SidesGone, Unreachable,
};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Ended, Ending, Place, Stage, State, Units, count};
use umpire_core::game::Outcome;
use umpire_core::rules::Cites;

/// DRG-11.1 Units to send.
pub(super) fn target(setup: &Setup, state: &State) -> u8 {
    if state.place[setup.giulia.index()] == Place::FLED {
        setup.constants.target_giulia_fled
    } else {
        setup.constants.target
    }
}

/// DRG-11.2 The Serraglio holds the target or more.
fn is_target_met(setup: &Setup, state: &State) -> bool {
    state.at(Place::SERRAGLIO).len() >= usize::from(target(setup, state))
}

/// DRG-11.3 No Rapalline unit is on the map, captives counting unless DRG-R32 = `no`.
fn is_town_empty(setup: &Setup, state: &State) -> bool {
    let mut units = state.on_map().and(setup.rapalline);
    if setup.rulings.captives_count == CaptivesCount::No {
        units = units.minus(state.captive);
    }
    units.is_empty()
}

/// DRG-11.4 No pirate unit is at sea or on the map. Under DRG-R8 = `map_only` those at sea do not
/// count from the first landing on.
fn are_pirates_gone(setup: &Setup, state: &State) -> bool {
    let map_only = setup.rulings.last_pirates == LastPirates::MapOnly && state.landed;
    match map_only {
        true => state.on_map().and(PIRATE_UNITS).is_empty(),
        false => state.pirates_in_play().is_empty(),
    }
}

/// DRG-11.4 under DRG-R8 = `map_only`: whether the table shows that a pirate unit has landed: one is
/// on the map, or something has befallen a Rapalline unit. So a position counts unless it says
/// otherwise.
pub(super) fn shows_landing(setup: &Setup, state: &State) -> bool {
    let gone = [Place::FLED, Place::REMOVED, Place::SERRAGLIO];
    let befallen = gone.into_iter().map(|place| state.at(place)).fold(state.captive, Units::or);
    let ashore = !state.on_map().and(PIRATE_UNITS).is_empty();
    state.stage != Stage::Deploy && (ashore || !befallen.and(setup.rapalline).is_empty())
}

/// DRG-11.5 The test when units have been taken away, before anything that follows; under
/// DRG-R31 = `end_of_turn` only later. Says whether the game is over.
pub(super) fn test_at_once(ctx: &mut Ctx<'_>) -> bool {
    ctx.setup().rulings.end_test == EndTest::Immediate && test(ctx)
}

/// DRG-11.5 The test at the end of a turn, under DRG-R31 = `end_of_turn`. Says whether the game is
/// over.
pub(super) fn test_at_end_of_turn(ctx: &mut Ctx<'_>) -> bool {
    ctx.setup().rulings.end_test == EndTest::EndOfTurn && test(ctx)
}

/// DRG-11.5 The test itself. Says whether the game is over.
fn test(ctx: &mut Ctx<'_>) -> bool {
    let Some((Ended { winner, reason }, rule)) = ending(ctx.setup(), ctx.state()) else {
        return false;
    };
    let rulings = &ctx.setup().rulings;
    let run_out = matches!(reason, Ending::NoRapalline | Ending::NoPirates);
    // Only another reading ends the game while pirates are at sea.
    let at_sea = reason == Ending::NoPirates && !ctx.state().pirates_in_play().is_empty();
    let shaped_by = [
        (at_sea, Rule::R8),
        (run_out && rulings.sides_gone == SidesGone::Both, Rule::R52),
        (run_out && rulings.run_out != RunOut::Rapalline, Rule::R47),
    ];
    let rules = shaped_by.into_iter().filter(|(shapes, _)| *shapes);
    let rules = rules.fold(Cites::from([rule, Rule::C11_5]), |all, (_, rule)| all.and(rule));
    ctx.happen(Event::GameEnded { winner, reason }, rules);
    true
}

/// DRG-11.7 How a game ends that stands still: nobody has a card.
pub(super) fn standstill(setup: &Setup, state: &State) -> Option<Ended> {
    let no_card = state.cards.iter().all(|cards| count(&cards.hand) == 0);
    let winner = winner_without_target(setup, state);
    no_card.then_some(Ended { winner, reason: Ending::Standstill })
}

/// DRG-11.7 The test at clean-up of a turn in which nobody had a decision. Says whether the game is over.
pub(super) fn test_standstill(ctx: &mut Ctx<'_>) -> bool {
    let ended = standstill(ctx.setup(), ctx.state()).filter(|_| ctx.state().idle);
    let Some(Ended { winner, reason }) = ended else { return false };
    let rules = Cites::from([Rule::C11_7, Rule::C11_3]);
    let shaped = ctx.setup().rulings.run_out != RunOut::Rapalline;
    let event = Event::GameEnded { winner, reason };
    ctx.happen(event, if shaped { rules.and(Rule::R47) } else { rules });
    true
}

/// DRG-11.3, DRG-11.4, DRG-11.7 Who wins a game that ends without the target, read as DRG-R47 says.
fn winner_without_target(setup: &Setup, state: &State) -> Option<Side> {
    match setup.rulings.run_out {
        RunOut::Rapalline => Some(Side::Rapalline),
        RunOut::Nobody => None,
        RunOut::MoreSaved => {
            let (saved, sent) = (state.at(Place::FLED).len(), state.at(Place::SERRAGLIO).len());
            match saved.cmp(&sent) {
                std::cmp::Ordering::Greater => Some(Side::Rapalline),
                std::cmp::Ordering::Less => Some(Side::Pirates),
                std::cmp::Ordering::Equal => None,
            }
        }
    }
}

/// DRG-11.5 The first of the three ends that holds now, or else the fourth of DRG-R33.
pub(super) fn ending(setup: &Setup, state: &State) -> Option<(Ended, Rule)> {
    let ended = |winner, reason, rule| Some((Ended { winner, reason }, rule));
    let without_target = |reason, rule| ended(winner_without_target(setup, state), reason, rule);
    if is_target_met(setup, state) {
        return ended(Some(Side::Pirates), Ending::Serraglio, Rule::C11_2);
    }
    match setup.rulings.sides_gone {
        SidesGone::Either if is_town_empty(setup, state) => {
            return without_target(Ending::NoRapalline, Rule::C11_3);
        }
        SidesGone::Either if are_pirates_gone(setup, state) => {
            return without_target(Ending::NoPirates, Rule::C11_4);
        }
        SidesGone::Both if is_town_empty(setup, state) && are_pirates_gone(setup, state) => {
            return without_target(Ending::NoRapalline, Rule::C11_3);
        }
        SidesGone::Either | SidesGone::Both => {}
    }
    if setup.rulings.unreachable == Unreachable::Yes && is_out_of_reach(setup, state) {
        return ended(Some(Side::Rapalline), Ending::Unreachable, Rule::R33);
    }
    None
}

/// DRG-11.6 Under DRG-R33 = `yes`: Serraglio, captives and free units on the map or in reserve, the
/// Arquebusier excepted, are fewer than the target. A reserve that never enters (DRG-R4) does not count.
fn is_out_of_reach(setup: &Setup, state: &State) -> bool {
    let reserve = match setup.rulings.reserve_entry {
        ReserveEntry::ByCard => state.at(Place::RESERVE),
        ReserveEntry::Never => Units::NONE,
    };
    let there = state.on_map().or(reserve).or(state.at(Place::SERRAGLIO));
    let left = there.and(setup.rapalline).minus(setup.arquebusiers);
    left.len() < usize::from(target(setup, state))
}

/// The end as the core tells it.
pub(super) fn outcome(ended: Ended) -> Outcome {
    Outcome { winner: ended.winner.map(Side::seat), reason: ended.reason.name() }
}
