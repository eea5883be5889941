//! What would have to be otherwise, in the words of the table: units by kind and place, gold, cities,
//! treaties, the favour.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::action::Player;
use super::action::prince;
use super::setup::Setup;
use umpire_core::board::hex::Hex;
use umpire_core::game::{Change, Condition, Statement};

/// A change of one place of the referee's view.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    let fact = match keys.as_slice() {
        // The whole of a list could not be gone.
        [_] if change.to.is_none() => None,
        ["gold", player] => {
            change.count("gold", "gold").map(|it| Statement::has(title(player), it))
        }
        ["units", _, rest @ ..] => unit(setup, change, rest),
        ["cities", number, rest @ ..] => city(setup, change, number, rest),
        ["favor", "holder"] => Some(Statement::is(
            "the favour of the Church",
            text.map_or_else(|| "not held".to_owned(), |player| format!("with {}", title(player))),
        )),
        ["deals", _, "items", _] => match (change.to, change.from()) {
            (None, Some(item)) => {
                Some(Statement::is("the deal", format!("without {}", item_name(setup, item))))
            }
            _ => None,
        },
        ["treaties", _] => match (change.to, change.from()) {
            (Some(pair), _) => {
                Some(Statement::there(format!("a treaty between {}", partners(pair))))
            }
            (None, Some(pair)) => {
                Some(Statement::there(format!("no treaty between {}", partners(pair))))
            }
            (None, None) => None,
        },
        ["routes", _] => match (change.to, change.from()) {
            (Some(route), _) => Some(Statement::there(format!("a {}", road(setup, route)))),
            (None, Some(route)) => Some(Statement::there(format!("no {}", road(setup, route)))),
            (None, None) => None,
        },
        ["state", "spied"] => Some(Statement::is(
            "spies",
            match change.to {
                Some(Value::Bool(true)) => "paid this turn already",
                _ => "not paid yet this turn",
            },
        )),
        ["state", "attacked_from", ..] => {
            Some(Statement::there("no attack out of that hex yet this turn"))
        }
        ["favor", "used", ..] => Some(Statement::there("another use of the favour left")),
        ["round"] => return course(change.to.map(|round| format!("round {round}"))),
        ["state", "phase"] => {
            return course(text.map(phase_words));
        }
        ["state", "active"] => {
            return course(text.map(|player| format!("the turn of {}", title(player))));
        }
        ["bids", player] if change.to.is_none() => {
            Some(Statement::there(format!("no bid of {} yet", title(player))))
        }
        ["away", ..] => match (text, change.from().and_then(Value::as_str)) {
            (Some(player), _) => Some(Statement::is(title(player), "not in the trading session")),
            (None, Some(player)) => Some(Statement::is(title(player), "in the trading session")),
            _ => None,
        },
        // Ids, the number of the round, and what only keeps books.
        _ => None,
    };
    Condition::words_or_idle(fact)
}

/// What only the course of the game brings about.
/// A phase by its key, as people call it.
pub(super) fn phase_words(phase: &str) -> String {
    let words = match phase {
        "bid" => "the bids",
        "trading" => "the trading session",
        "favor_first" => "the question whether the Church lets its holder go first",
        "pay_upkeep" => "the choice of the upkeep",
        "disband" => "the choice of the units to disband",
        "spy_target" => "the choice of a spy's target",
        "favor_negate" => "the question whether the Church stops a mission",
        "declare_targets" => "the choice of targets",
        "game_over" => "the end of the game",
        other => return format!("the phase {}", other.replace('_', " ")),
    };
    words.to_owned()
}

fn course(words: Option<String>) -> Condition {
    words.map_or(Condition::Idle, |words| Condition::Course(Statement::there(words)))
}

/// What would be otherwise about a unit.
fn unit(setup: &Setup, change: Change<'_>, rest: &[&str]) -> Option<Statement> {
    let text = change.to.and_then(Value::as_str);
    let number = || change.to.and_then(Value::as_u64).filter(|&number| number > 0);
    let whole = if rest.is_empty() { change.to.or(change.from()) } else { change.around() }?;
    let kind = whole["type"].as_str().unwrap_or("unit");
    let id = &whole["id"];
    let name = format!("{kind} u{id}");
    let there = place(setup, &whole["at"]);
    let on = change.to == Some(&Value::Bool(true));
    Some(match rest {
        [] if change.to.is_some() => Statement::is(name, there),
        [] => Statement::there(format!("no {name} {there}")),
        ["type"] => {
            Statement::there(format!("{} {there} in the place of u{id}", with_article(text?)))
        }
        ["at"] => Statement::is(name, place(setup, change.to?)),
        ["owner"] => match text {
            Some(owner) => Statement::is(
                format!("{name} {there}"),
                format!("in the service of {}", title(owner)),
            ),
            None => Statement::is(format!("{name} {there}"), "neutral"),
        },
        ["points"] => Statement::has(
            name,
            match change.to.and_then(Value::as_u64) {
                Some(1) => "1 point left".to_owned(),
                Some(points) => format!("{points} points left"),
                None => "all its points".to_owned(),
            },
        ),
        ["moved" | "marched"] => {
            Statement::did(name, if on { "moved this turn" } else { "not moved this turn" })
        }
        ["attacked"] => {
            Statement::has(name, if on { "its attack spent" } else { "its attack to come" })
        }
        ["fresh"] => {
            let since = if on { "recruited this turn" } else { "recruited before this turn" };
            Statement::is(name, since)
        }
        ["embarked"] => {
            Statement::did(name, if on { "just embarked" } else { "not just embarked" })
        }
        ["held_until"] => match number() {
            None => Statement::is(name, "not held"),
            Some(round) => Statement::is(name, format!("held up to round {round}")),
        },
        ["pinned_until"] => match number() {
            None => Statement::is(name, "not pinned by the Church"),
            Some(round) => Statement::is(name, format!("pinned by the Church up to round {round}")),
        },
        ["recruited_in"] => match number() {
            Some(city) => Statement::is(name, format!("recruited in {}", city_name(setup, city))),
            None => Statement::is(name, "recruited elsewhere"),
        },
        ["aboard"] => match number() {
            Some(ship) => Statement::is(name, format!("aboard u{ship}")),
            None => Statement::is(name, "ashore"),
        },
        ["origin"] => match number() {
            Some(city) => Statement::is(name, format!("from {}", city_name(setup, city))),
            None => Statement::is(name, "from where it stands"),
        },
        _ => return None,
    })
}

/// What would be otherwise about a city.
fn city(setup: &Setup, change: Change<'_>, number: &str, rest: &[&str]) -> Option<Statement> {
    let name = city_name(setup, number.parse().unwrap_or_default());
    let text = change.to.and_then(Value::as_str);
    let had = change.from().and_then(Value::as_str);
    let round = || change.to.and_then(Value::as_u64).filter(|&round| round > 0);
    let on = change.to == Some(&Value::Bool(true));
    let until = |what: &str, not: &str| match round() {
        Some(round) => format!("{what} up to round {round}"),
        None => not.to_owned(),
    };
    let state = match rest {
        ["control"] => {
            text.map_or_else(|| "neutral".to_owned(), |player| format!("held by {}", title(player)))
        }
        [side @ ("supply" | "demand"), _] => {
            let good = |name: &str| name.replace('_', " ");
            return Some(Statement::there(match (text, had) {
                (Some(new), None) => format!("{} in the {side} of {name}", good(new)),
                (Some(new), Some(had)) => {
                    format!("{} for {} in the {side} of {name}", good(new), good(had))
                }
                (None, had) => format!("no {} in the {side} of {name}", good(had?)),
            }));
        }
        ["no_income_until"] => until("without income", "not without income"),
        ["no_recruit_until"] => until("without recruits", "open for recruiting"),
        ["protected_until"] => until("protected by the Church", "not protected by the Church"),
        [] => match (change.to, change.from()) {
            (Some(there), _) => match there["control"].as_str() {
                Some(player) => format!("held by {}", title(player)),
                None => "neutral".to_owned(),
            },
            (None, Some(there)) if there["control"].is_string() => "neutral".to_owned(),
            (None, _) => return None,
        },
        ["goods_unthrown" | "garrison_unthrown"] => {
            let what = if rest[0] == "goods_unthrown" { "goods" } else { "garrison" };
            let state = if on { "still to be thrown" } else { "thrown" };
            return Some(Statement::is(format!("the {what} of {name}"), state));
        }
        ["recruited"] => {
            let recruit = if on { "its recruit taken" } else { "its recruit to come" };
            return Some(Statement::has(name, recruit));
        }
        ["negotiated"] => {
            if on { "negotiated with before" } else { "not negotiated with yet" }.to_owned()
        }
        _ => return None,
    };
    Some(Statement::is(name, state))
}

/// `in Valdoria`, `on [2, -1]`.
fn place(setup: &Setup, hex: &Value) -> String {
    let pair = || Some(Hex::new(hex[0].as_i64()?, hex[1].as_i64()?));
    let city = pair().and_then(|hex| setup.map.find(hex)).map_or(0, |at| setup.map.place(at).city);
    if city > 0 { format!("in {}", setup.map.site(city).name) } else { format!("on {hex}") }
}

/// A player by his seat.
fn title(player: &str) -> String {
    Player::parse(player).map_or_else(|| player.to_owned(), prince)
}

/// The name of a city by its number.
fn city_name(setup: &Setup, number: u64) -> String {
    match u8::try_from(number) {
        Ok(number) if (1..=setup.map.cities()).contains(&number) => {
            setup.map.site(number).name.clone()
        }
        _ => format!("city {number}"),
    }
}

fn with_article(kind: &str) -> String {
    let kind = kind.replace('_', " ");
    match kind.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {kind}"),
        _ if kind.ends_with('s') || kind == "cannon" || kind == "militia" => kind,
        _ => format!("a {kind}"),
    }
}

/// What an item of a deal gives.
fn item_name(setup: &Setup, item: &Value) -> String {
    match item["kind"].as_str() {
        Some("gold") => format!("{} gold", item["amount"]),
        Some("unit") => format!("u{}", item["unit"]),
        Some("city") => city_name(setup, item["city"].as_u64().unwrap_or_default()),
        Some("favor") => "the favour of the Church".to_owned(),
        Some(kind) => format!("the {kind}"),
        None => "that".to_owned(),
    }
}

/// The two partners of a treaty.
fn partners(pair: &Value) -> String {
    format!(
        "{} and {}",
        title(pair[0].as_str().unwrap_or("?")),
        title(pair[1].as_str().unwrap_or("?"))
    )
}

/// A trade route by its ends.
fn road(setup: &Setup, route: &Value) -> String {
    let end = |field: &str| city_name(setup, route[field].as_u64().unwrap_or_default());
    format!("route from {} to {}", end("from"), end("to"))
}
