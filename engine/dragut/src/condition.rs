//! What would have to be otherwise, in the words of the table: who stands where, points, cards, the
//! alarm.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::action::Side;
use super::setup::Setup;
use super::state::Stage;
use super::story::names::{area_by_id, card_by_id, unit_by_id};
use umpire_core::game::{Change, Condition, Statement};

/// A change of one place of the referee's view. As they stand and as conditions, the facts read `the alarm on 3`,
/// `the alarm were on 3, not on 2`, `the alarm raised this phase`, `the alarm not raised this phase`, `the alarm were raised this phase`,
/// `the alarm were not raised this phase`, `there were 3 points left instead of 1`.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    // A flag that is left out is not set.
    let on = match change.to {
        Some(Value::Bool(on)) => Some(*on),
        None => Some(false),
        Some(_) => None,
    };
    let fact = match keys.as_slice() {
        ["outcome" | "tokens" | "arrival" | "at_sea", ..] | ["units", _, "token"] => {
            return Condition::Idle;
        }
        // A number that is left out would have its default, and so would a unit: another proposal says it.
        ["pool" | "alarm_case" | "units"]
        | ["units", _]
        | ["units", _, "at" | "value" | "spent"]
            if change.to.is_none() =>
        {
            return Condition::Idle;
        }
        ["landed" | "read_case" | "target" | "retired", ..] | ["decks", ..] => {
            return Condition::GoesAlong;
        }
        ["units", _, "captive" | "revealed" | "spent" | "fought" | "freed" | "caught"]
            if change.around().and_then(|unit| unit.get("at")).is_some_and(is_final) =>
        {
            return Condition::GoesAlong;
        }
        ["units", unit, field] => unit_fact(unit_by_id(setup, unit), setup, change, field, on),
        ["pool"] => change.count("point left", "points left").map(Statement::there),
        ["alarm_case"] => change.number().map(|it| Statement::is("the alarm", format!("on {it}"))),
        ["raised"] => on.map(|on| {
            let state = if on { "raised this phase" } else { "not raised this phase" };
            Statement::is("the alarm", state)
        }),
        ["hands", side] if change.to.is_none() => {
            Some(Statement::there(format!("no card in the hand of {}", side_name(side))))
        }
        ["hands"] if change.to.is_none() => Some(Statement::there("no card in any hand")),
        ["hands", side, ..] => match (text, change.from().and_then(Value::as_str)) {
            (Some(card), _) => {
                let hand = format!("in the hand of {}", side_name(side));
                Some(Statement::is(card_by_id(setup, card), hand))
            }
            (None, Some(card)) => {
                let hand = format!("no longer in the hand of {}", side_name(side));
                Some(Statement::is(card_by_id(setup, card), hand))
            }
            _ => None,
        },
        ["played", side] => Some(match text {
            Some(card) => {
                Statement::is(card_by_id(setup, card), format!("in effect for {}", side_name(side)))
            }
            None => Statement::there(format!("no card in effect for {}", side_name(side))),
        }),
        ["committed"] if change.to.is_none() => Some(Statement::there("no card chosen yet")),
        ["committed", side] if on == Some(false) => {
            Some(Statement::there(format!("no card of {} chosen yet", side_name(side))))
        }
        ["committed", side] if on == Some(true) => {
            Some(Statement::there(format!("a card of {} chosen already", side_name(side))))
        }
        ["committed", side, "card"] => text.map(|card| {
            Statement::is(card_by_id(setup, card), format!("chosen by {}", side_name(side)))
        }),
        ["turn"] => return course(change.to.map(|turn| format!("turn {turn}"))),
        ["phase"] => return course(text.map(|side| format!("the phase of {}", side_name(side)))),
        ["state"] => {
            let stage = text.and_then(Stage::parse);
            return course(stage.map(|stage| stage.words().to_owned()));
        }
        _ => None,
    };
    Condition::words_or_idle(fact)
}

/// What only the course of the game brings about.
fn course(words: Option<String>) -> Condition {
    words.map_or(Condition::Idle, |words| Condition::Course(Statement::there(words)))
}

/// What would be otherwise about a unit.
fn unit_fact(
    who: String,
    setup: &Setup,
    change: Change<'_>,
    field: &str,
    on: Option<bool>,
) -> Option<Statement> {
    let flag = |yes: &str, no: &str| on.map(|on| if on { yes } else { no }.to_owned());
    let state = match field {
        // DRG-1.1 What has fled, was removed or is in the Serraglio stays there.
        "at" if change.from() != change.to && change.from().is_some_and(is_final) => None,
        "at" => change.to.and_then(Value::as_str).map(|at| whereabouts(setup, at)),
        "value" => change.number().map(|it| format!("of value {it}")),
        "spent" => {
            let spent = change.count("point spent", "points spent")?;
            return Some(Statement::has(who, spent));
        }
        "captive" => flag("captive", "free"),
        "revealed" => flag("face up", "face down"),
        "weakened" => flag("weakened", "at full strength"),
        "fought" => flag("in a fight earlier this turn", "in no fight earlier this turn"),
        "caught" => flag("captured this turn", "captured before this turn"),
        "freed" => flag("just freed", "not just freed"),
        _ => None,
    };
    state.map(|state| Statement::is(who, state))
}

/// Whether a unit stays in a place for good.
fn is_final(at: &Value) -> bool {
    matches!(at.as_str(), Some("serraglio" | "fled" | "removed"))
}

/// Where a unit is, by the id of an area or of a place beside the map.
fn whereabouts(setup: &Setup, at: &str) -> String {
    match at {
        "at_sea" => "at sea".to_owned(),
        "serraglio" => "in the Serraglio".to_owned(),
        "reserve" => "in reserve".to_owned(),
        "aside" => "set aside".to_owned(),
        "fled" => "fled".to_owned(),
        "removed" => "out of the game".to_owned(),
        area => format!("in {}", area_by_id(setup, area)),
    }
}

/// A side by its key.
fn side_name(side: &str) -> &str {
    match Side::parse(side) {
        Some(known) => known.title(),
        None => side,
    }
}
