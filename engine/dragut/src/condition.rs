//! What would have to be otherwise, in the words of the table: who stands where, points, cards, the
//! alarm.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::action::Side;
use super::setup::Setup;
use super::state::Stage;
use super::story::names::{area_by_id, card_by_id, unit_by_id};
use umpire_core::game::{Change, Condition};

/// A change of one place of the referee's view.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    let word = |yes: &str, no: &str| match change.to {
        Some(Value::Bool(true)) => Condition::Words(yes.to_owned()),
        // What is left out is not so.
        Some(Value::Bool(false)) | None => Condition::Words(no.to_owned()),
        _ => Condition::Plain,
    };
    match keys.as_slice() {
        ["turn" | "outcome" | "tokens" | "arrival" | "at_sea", ..] | ["units", _, "token"] => {
            Condition::Idle
        }
        // A number that is left out would have its default, and so would a unit: another proposal says it.
        ["pool" | "alarm_case"] | ["units", _] | ["units", _, "at" | "value" | "spent"]
            if change.to.is_none() =>
        {
            Condition::Idle
        }
        ["landed" | "read_case" | "target", ..] | ["decks", ..] => Condition::GoesAlong,
        ["units", unit, field] => {
            let who = unit_by_id(setup, unit);
            match *field {
                "at" => text.map(|at| format!("{who} {}", whereabouts(setup, at))).into(),
                "value" => change.number().map(|it| format!("{who} of value {it}")).into(),
                "spent" => {
                    let spent = change.count("point spent", "points spent");
                    spent.map(|it| format!("{who} with {it}")).into()
                }
                "captive" => word(&format!("{who} captive"), &format!("{who} free")),
                "revealed" => word(&format!("{who} face up"), &format!("{who} face down")),
                "weakened" => word(&format!("{who} weakened"), &format!("{who} at full strength")),
                "fought" => {
                    word(&format!("{who} in a fight before"), &format!("{who} in no fight before"))
                }
                "caught" => {
                    let yes = format!("{who} captured this turn");
                    word(&yes, &format!("{who} captured before this turn"))
                }
                "freed" => word(&format!("{who} just freed"), &format!("{who} not just freed")),
                _ => Condition::Plain,
            }
        }
        ["pool"] => change.count("point left", "points left").into(),
        ["alarm_case"] => change.number().map(|it| format!("the alarm on {it}")).into(),
        ["raised"] => word("the alarm raised this phase", "the alarm not raised this phase"),
        ["hands", side] if change.to.is_none() => {
            Condition::Words(format!("no card in the hand of {}", side_name(side)))
        }
        ["hands"] if change.to.is_none() => Condition::Words("no card in any hand".to_owned()),
        ["hands", side, ..] => match (text, change.from().and_then(Value::as_str)) {
            (Some(card), _) => {
                let title = card_by_id(setup, card);
                Condition::Words(format!("{title} in the hand of {}", side_name(side)))
            }
            (None, Some(card)) => {
                let title = card_by_id(setup, card);
                Condition::Words(format!("{title} no longer in the hand of {}", side_name(side)))
            }
            _ => Condition::Plain,
        },
        ["played", side] => match text {
            Some(card) => {
                let title = card_by_id(setup, card);
                Condition::Words(format!("{title} in effect for {}", side_name(side)))
            }
            None => Condition::Words(format!("no card in effect for {}", side_name(side))),
        },
        ["retired", ..] => Condition::GoesAlong,
        ["phase"] => text.map(|side| format!("the phase of {}", side_name(side))).into(),
        ["state"] => text.and_then(Stage::parse).map(|stage| stage.words().to_owned()).into(),
        _ => Condition::Plain,
    }
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
