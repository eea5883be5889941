//! The constants and the alarm track of a record, checked.
//!
//! Must not know what is paid for what.

use super::faults::CODE;
use crate::rulebook::Rule;
use crate::tables::{CASES, Constants, NUMBER};
use crate::{Checked, Refusal};

/// DRG-4.4, DRG-4.5 Numbers from 1 to 20, and every pirate in play can always do something: so no
/// turn passes without a decision.
pub(super) fn check_constants(constants: &Constants) -> Checked {
    for (&(name, _), value) in Constants::SOURCES.iter().zip(constants.values()) {
        if value == 0 || value > NUMBER {
            let message = format!("{name} is {value}; 1 to {NUMBER} are possible");
            let pointer = format!("/constants/{name}");
            return Err(Refusal::new(Rule::C4_4, CODE, message).at(pointer));
        }
    }
    let steps = [
        ("landing", constants.landing, true),
        ("road", constants.road, true),
        ("trail_heavy", constants.trail_heavy, true),
        ("trail_light", constants.trail_light, true),
        ("hill", constants.hill, false),
    ];
    for (name, cost, pirates) in steps {
        if cost > constants.unit_points || (pirates && cost > constants.pirate_points) {
            let message =
                format!("{name} costs {cost}, more than a unit or the pirates have in a turn");
            let pointer = format!("/constants/{name}");
            return Err(Refusal::new(Rule::C4_5, CODE, message).at(pointer));
        }
    }
    if constants.target_giulia_fled < constants.target {
        let message = "the target never falls, so target_giulia_fled is at least target";
        let pointer = "/constants/target_giulia_fled";
        return Err(Refusal::new(Rule::C11_1, CODE, message).at(pointer));
    }
    Ok(())
}

/// DRG-8.1 The cases of the alarm track and their points.
pub(super) fn check_track(track: &[u8]) -> Checked {
    if track.is_empty() || track.len() > CASES {
        let cases = track.len();
        let message = format!("the alarm track has {cases} cases; 1 to {CASES} are possible");
        return Err(Refusal::new(Rule::C8_1, CODE, message).at("/alarm_track"));
    }
    for (at, &points) in track.iter().enumerate() {
        if points > NUMBER {
            let case = at + 1;
            let message = format!("case {case} is worth {points}; at most {NUMBER} are possible");
            let pointer = format!("/alarm_track/{at}");
            return Err(Refusal::new(Rule::C8_1, CODE, message).at(pointer));
        }
    }
    Ok(())
}
