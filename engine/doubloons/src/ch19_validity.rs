//! DBD-19 Validity: what an action must be before its own clauses are asked.
//!
//! Must not carry out anything. DBD-19.5 is the order in which the checks of the chapters ask;
//! DBD-19.6 is `sequence.rs`; DBD-19.8 is `Doubloons::CLAUSES.rejection`.

pub(super) mod chance;

use super::action::prince;
use super::action::{Action, Player};
use super::condition::phase_words;
use super::rulebook::Rule;
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Stage, State};
use super::{Checked, Refusal};
use umpire_core::board::hex::Hex;

/// DBD-19.1, DBD-19.2 The game goes on, and the player of the action sits at this table.
pub(super) fn check_protocol(setup: &Setup, state: &State, action: &Action) -> Checked {
    check_not_ended(state)?;
    check_player_exists(setup, action.player(), "/player")
}

/// DBD-19.1 After the end no action is accepted.
fn check_not_ended(state: &State) -> Checked {
    match state.ended {
        None => Ok(()),
        Some(_) => Err(over()),
    }
}

/// DBD-19.1 The refusal of everything after the end.
fn over() -> Refusal {
    Refusal::new(Rule::C19_1, "game_over", "the game is over").public()
}

/// DBD-19.2 Something is not well formed; DBD-19.1 goes first.
pub(super) fn ill_formed(state: &State, message: String, at: &str) -> Refusal {
    if state.ended.is_some() {
        return over();
    }
    Refusal::new(Rule::C19_2, "malformed", message).at(at)
}

/// DBD-19.2 A player at this table.
pub(super) fn check_player_exists(setup: &Setup, player: Player, at: &str) -> Checked {
    if setup.has(player) {
        return Ok(());
    }
    let message =
        format!("{player} does not play; {} players do", setup.players, player = prince(player));
    Err(Refusal::new(Rule::C19_2, "no_such_player", message).at(at))
}

/// DBD-19.2 A city of the map.
pub(super) fn check_city_exists(setup: &Setup, city: u8, at: &str) -> Checked {
    if (1..=setup.map.cities()).contains(&city) {
        return Ok(());
    }
    let message = format!("the map has no city {city}");
    Err(Refusal::new(Rule::C19_2, "no_such_city", message).at(at))
}

/// DBD-19.2 A hex of the map.
pub(super) fn check_hex_exists(setup: &Setup, hex: Hex, at: &str) -> Checked<At> {
    match setup.map.find(hex) {
        Some(found) => Ok(found),
        None => {
            let message = format!("the map has no hex {hex}");
            Err(Refusal::new(Rule::C19_2, "no_such_hex", message).at(at))
        }
    }
}

/// DBD-19.2 A unit in play.
pub(super) fn check_unit_exists(state: &State, unit: u32, at: &str) -> Checked {
    if state.index(unit).is_some() {
        return Ok(());
    }
    let message = format!("no unit u{unit} is in play");
    Err(Refusal::new(Rule::C19_2, "no_such_unit", message).at(at))
}

/// DBD-19.2 A list of units in play that names at least one and none twice.
pub(super) fn check_units_exist(state: &State, units: &[u32]) -> Checked {
    if units.is_empty() {
        let message = "at least one unit is named".to_owned();
        return Err(Refusal::new(Rule::C19_2, "no_units", message).at("/units"));
    }
    check_units_differ(state, units)
}

/// DBD-19.2 A list of units in play that names none twice; it may be empty.
pub(super) fn check_units_differ(state: &State, units: &[u32]) -> Checked {
    let rising = units.is_sorted_by(|one, two| one < two);
    for (at, &unit) in units.iter().enumerate() {
        if state.index(unit).is_none() {
            check_unit_exists(state, unit, &format!("/units/{at}"))?;
        }
        if !rising && units[..at].contains(&unit) {
            let message = format!("{} is named twice", state.unit_title(unit));
            let refusal = Refusal::new(Rule::C19_2, "unit_twice", message);
            return Err(refusal.at(format!("/units/{at}")));
        }
    }
    Ok(())
}

/// DBD-19.3 The action does not fit what is to be decided.
pub(super) fn misplaced(state: &State, message: String) -> Refusal {
    Refusal::new(Rule::C19_3, "not_now", message).fact("state", state.stage).public()
}

/// DBD-19.9 A rule of play decides what is refused: it is cited first, the rulings beside it, and then what DBD-19.3 or
/// DBD-19.5 names.
pub(super) fn decided_by(mut refusal: Refusal, rules: &[Rule]) -> Refusal {
    let others = std::mem::take(&mut refusal.also);
    let named = std::mem::replace(&mut refusal.rule, rules[0]);
    let rest = rules[1..].iter().copied().chain([named]).chain(others);
    rest.fold(refusal, Refusal::also)
}

/// DBD-19.3 The pending decision must be of that state, and the player one of those asked.
pub(super) fn check_is_asked(state: &State, player: Player, stage: Stage) -> Checked {
    if state.stage != stage {
        let [now, fits] = [state.stage, stage].map(|it| phase_words(it.name()));
        let message = format!("this belongs to {fits}, and now it is the time of {now}");
        return Err(misplaced(state, message));
    }
    let asked = match stage {
        Stage::Bid => state.playing.contains(player) && state.bids[player.index()].is_none(),
        Stage::Trading => state.session().contains(player),
        Stage::FavorNegate | Stage::FavorFirst => state.favor == Some(player),
        // Who declares targets depends on the battle and is asked there.
        Stage::DeclareTargets => true,
        _ => state.active == Some(player),
    };
    if asked {
        return Ok(());
    }
    let player = prince(player);
    match state.active.filter(|_| Stage::OWN_PHASES.contains(&stage)) {
        // DBD-7.1 The order of the main turns, by DBD-R31.
        Some(active) => {
            let message = format!("it is the main turn of {}, not of {player}", prince(active));
            Err(misplaced(state, message).also(Rule::C7_1).also(Rule::R31))
        }
        None => Err(misplaced(state, format!("{player} is not asked now"))),
    }
}

/// DBD-19.4 A unit of one's own.
pub(super) fn check_own_unit(state: &State, player: Player, unit: u32, at: &str) -> Checked {
    if state.unit(unit).is_none_or(|unit| unit.owner == Some(player)) {
        return Ok(());
    }
    let message = format!("{} is not {player}'s", state.unit_title(unit), player = prince(player));
    Err(Refusal::new(Rule::C19_4, "not_own", message).at(at))
}

/// DBD-19.4 Units of one's own.
pub(super) fn check_own_units(state: &State, player: Player, units: &[u32]) -> Checked {
    for (at, &unit) in units.iter().enumerate() {
        if state.unit(unit).is_some_and(|unit| unit.owner != Some(player)) {
            check_own_unit(state, player, unit, &format!("/units/{at}"))?;
        }
    }
    Ok(())
}

/// DBD-19.4 A city of one's own.
pub(super) fn check_own_city(setup: &Setup, state: &State, player: Player, city: u8) -> Checked {
    if state.city(city).control == Some(player) {
        return Ok(());
    }
    let message =
        format!("{player} does not control {}", setup.map.site(city).name, player = prince(player));
    Err(Refusal::new(Rule::C19_4, "not_own", message).at("/city"))
}
