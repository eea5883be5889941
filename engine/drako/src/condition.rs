//! What would have to be otherwise, in the words of the table: hexes, hands, wounds, the net.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::action::Kind;
use super::setup::Setup;
use umpire_core::game::{Change, Condition, Statement};

/// A change of one place of the referee's view.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    let fact = match (keys.as_slice(), change.to) {
        (["outcome", ..], _) => return Condition::Idle,
        (["turn"], Some(turn)) => {
            return Condition::Course(Statement::there(format!("turn {turn}")));
        }
        (["decks" | "discards" | "hits", ..] | ["hands", _, "count"], _) => {
            return Condition::GoesAlong;
        }
        (["hands", side, ..], Some(Value::String(card))) => {
            Statement::has(owner(side), format!("{} in hand", card_name(setup, card)))
        }
        (["hands", side, ..], _) => match change.from().and_then(Value::as_str) {
            Some(card) => Statement::is(
                card_name(setup, card),
                format!("no longer in the hand of {}", owner(side)),
            ),
            None => return Condition::Idle,
        },
        (["hexes", figure], Some(hex @ Value::Array(_))) => {
            Statement::is(person(figure), format!("on {hex}"))
        }
        (["hexes", figure], _) => Statement::is(person(figure), "off the board"),
        (["wounds", track], _) => match change.count("wound", "wounds") {
            Some(count) => Statement::there(format!("{count} on {}", track_name(track))),
            None => return Condition::Idle,
        },
        (["netted"], Some(Value::Bool(on))) => Statement::there(match on {
            true => "a net on the dragon",
            false => "no net on the dragon",
        }),
        (["fury_used"], Some(Value::Bool(used))) => {
            Statement::is("Fury", if *used { "declared before" } else { "not declared before" })
        }
        (["fury_turn"], Some(Value::Bool(true))) => Statement::is("Fury", "declared in this turn"),
        (["fury_turn"], _) => Statement::is("Fury", "not declared in this turn"),
        (["lost", ..], Some(ability)) => {
            Statement::is(format!("the dragon's {}", ability.as_str().unwrap_or("ability")), "lost")
        }
        (["lost", ..], None) => {
            let ability = change.from().and_then(Value::as_str).unwrap_or("ability");
            Statement::is(format!("the dragon's {ability}"), "not lost")
        }
        (["actions_left"], _) => match change.count("action left", "actions left") {
            Some(count) => Statement::there(count),
            None => return Condition::Idle,
        },
        (["to_assign"], _) => {
            let count = change.count("wound to assign", "wounds to assign");
            Statement::there(count.unwrap_or_else(|| "no wounds to assign".to_owned()))
        }
        (["side"], _) => match text {
            Some(side) => {
                return Condition::Course(Statement::there(format!("{} to decide", owner(side))));
            }
            None => return Condition::Idle,
        },
        (["state"], _) => match text {
            Some(state) => {
                return Condition::Course(Statement::there(decision_name(state)));
            }
            None => return Condition::Idle,
        },
        (["attack", "strands", at, "value"], _) => match change.number() {
            Some(value) => {
                Statement::there(format!("a value of {value} in strand {at} of the attack"))
            }
            None => return Condition::Idle,
        },
        _ => return Condition::Idle,
    };
    Condition::Words(fact)
}

/// What is to be decided, by its key.
fn decision_name(state: &str) -> &'static str {
    match state {
        "mulligan_dragon" => "the dragon's exchange of its hand",
        "mulligan_dwarves" => "the dwarves' exchange of their hand",
        "placement" => "the placement of the dwarves",
        "action" => "the choice of an action",
        "discard" => "the choice of cards to discard",
        "defend" => "the choice of a defence",
        "assign_wounds" => "the division of wounds",
        "late_fury" => "the choice whether Fury is declared",
        "game_over" => "the end of the game",
        _ => "the beginning of the game",
    }
}

/// A card by what it can do.
fn card_name(setup: &Setup, card: &str) -> String {
    let kind: Option<Kind> = serde_json::from_value(card.into()).ok();
    match kind {
        Some(kind) => setup.deck(kind.side()).face(kind),
        None => card.to_owned(),
    }
}

/// A side by its key.
fn owner(side: &str) -> String {
    format!("the {side}")
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
