//! What would have to be otherwise, in the words of the table: hexes, hands, wounds, the net.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::action::Kind;
use super::setup::Setup;
use umpire_core::game::{Change, Condition};

/// A change of one place of the referee's view.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    match (keys.as_slice(), change.to) {
        (["turn" | "outcome", ..], _) => Condition::Idle,
        (["decks" | "discards", ..], _) | (["hands", _, "count"], _) => Condition::GoesAlong,
        (["hits", ..], _) => Condition::GoesAlong,
        (["hands", side, ..], Some(Value::String(card))) => {
            let kind: Option<Kind> = serde_json::from_value(card.clone().into()).ok();
            let card = kind.map_or_else(|| card.clone(), |kind| setup.deck(kind.side()).face(kind));
            Condition::Words(format!("{card} in the hand of the {side}"))
        }
        (["hands", side, ..], _) => match change.from().and_then(Value::as_str) {
            Some(card) => Condition::Words(format!("{card} no longer in the hand of the {side}")),
            None => Condition::Plain,
        },
        (["hexes", figure], Some(hex @ Value::Array(_))) => {
            Condition::Words(format!("{} on {hex}", person(figure)))
        }
        (["hexes", figure], _) => Condition::Words(format!("{} off the board", person(figure))),
        (["wounds", track], _) => {
            let count = change.count("wound", "wounds");
            count.map(|count| format!("{count} on {}", track_name(track))).into()
        }
        (["netted"], Some(Value::Bool(on))) => {
            let where_ = if *on { "the net on the dragon" } else { "no net on the dragon" };
            Condition::Words(where_.to_owned())
        }
        (["fury_used"], Some(Value::Bool(used))) => {
            let when = if *used { "Fury declared before" } else { "Fury not declared before" };
            Condition::Words(when.to_owned())
        }
        (["fury_turn"], Some(Value::Bool(true))) => {
            Condition::Words("Fury declared in this turn".to_owned())
        }
        (["fury_turn"], _) => Condition::Words("Fury not declared in this turn".to_owned()),
        (["lost", ..], Some(ability)) => {
            Condition::Words(format!("the dragon's {} lost", ability.as_str().unwrap_or("ability")))
        }
        (["lost", ..], None) => {
            let ability = change.from().and_then(Value::as_str).unwrap_or("ability");
            Condition::Words(format!("the dragon's {ability} not lost"))
        }
        (["actions_left"], _) => change.count("action left", "actions left").into(),
        (["side"], _) => text.map(|side| format!("the {side} to decide")).into(),
        (["state"], _) => {
            text.map(|state| format!("the decision {}", state.replace('_', " "))).into()
        }
        (["attack", "strands", at, "value"], _) => change
            .number()
            .map(|value| format!("a value of {value} in strand {at} of the attack"))
            .into(),
        _ => Condition::Plain,
    }
}

/// The name of a figure by its key.
fn person(figure: &str) -> &str {
    match figure {
        "archery" => "Morin",
        "dragon" => "the dragon",
        "fury" => "Brald",
        "net" => "Urpen",
        other => other,
    }
}

/// The owner of a track of wounds by its key.
fn track_name(track: &str) -> String {
    match track {
        "archery" | "fury" | "net" => person(track).to_owned(),
        ability => format!("the dragon's {ability}"),
    }
}
