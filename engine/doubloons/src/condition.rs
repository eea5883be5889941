//! What would have to be otherwise, in the words of the table: units by kind and place, gold, cities,
//! treaties, the favour.
//!
//! Reads the referee's view as JSON, place by place. Must not decide whether a change would help.

use serde_json::Value;

use super::setup::Setup;
use umpire_core::board::hex::Hex;
use umpire_core::game::{Change, Condition};

/// A change of one place of the referee's view.
pub(super) fn condition(setup: &Setup, change: Change<'_>) -> Condition {
    let keys = change.keys();
    let text = change.to.and_then(Value::as_str);
    match keys.as_slice() {
        ["round" | "next_unit" | "next_deal" | "ended" | "agreed" | "gone", ..]
        | ["units", _, "id"]
        | ["deals", _, "deal"]
        | ["state", "order", ..] => Condition::Idle,
        // Nobody could have a whole list of the view away.
        [_] if change.to.is_none() => Condition::Idle,
        ["gold", player] => {
            change.count("gold", "gold").map(|it| format!("{player} with {it}")).into()
        }
        ["units", _, rest @ ..] => unit(setup, change, rest),
        ["cities", number, rest @ ..] => city(setup, change, number, rest),
        ["favor", "holder"] => Condition::Words(match text {
            Some(player) => format!("the favour of the Church with {player}"),
            None => "the favour of the Church with nobody".to_owned(),
        }),
        ["deals", _, "items", _] => match (change.to, change.from()) {
            (None, Some(item)) => {
                Condition::Words(format!("the deal without {}", item_name(setup, item)))
            }
            _ => Condition::Idle,
        },
        ["deals", ..] => Condition::Idle,
        ["treaties", _] => match (change.to, change.from()) {
            (Some(pair), _) => Condition::Words(format!("a treaty between {}", partners(pair))),
            (None, Some(pair)) => Condition::Words(format!("no treaty between {}", partners(pair))),
            (None, None) => Condition::Plain,
        },
        ["routes", _] => match (change.to, change.from()) {
            (Some(route), _) => Condition::Words(format!("a {}", road(setup, route))),
            (None, Some(route)) => Condition::Words(format!("no {}", road(setup, route))),
            (None, None) => Condition::Plain,
        },
        ["state", "spied"] => Condition::Words(match change.to {
            Some(Value::Bool(true)) => "spies paid this turn already".to_owned(),
            _ => "spies not paid yet this turn".to_owned(),
        }),
        ["state", "attacked_from", ..] => {
            Condition::Words("no attack out of that hex yet this turn".to_owned())
        }
        ["favor", "used", ..] => Condition::Words("another use of the favour left".to_owned()),
        ["state", "phase"] => {
            text.map(|phase| format!("the phase {}", phase.replace('_', " "))).into()
        }
        ["state", "active"] => text.map(|player| format!("the turn of {player}")).into(),
        ["bids", player] if change.to.is_none() => {
            Condition::Words(format!("no bid of {player} yet"))
        }
        ["away", ..] => match (text, change.from().and_then(Value::as_str)) {
            (Some(player), _) => Condition::Words(format!("{player} out of the trading session")),
            (None, Some(player)) => Condition::Words(format!("{player} in the trading session")),
            _ => Condition::Plain,
        },
        _ => Condition::Plain,
    }
}

/// What would be otherwise about a unit.
fn unit(setup: &Setup, change: Change<'_>, rest: &[&str]) -> Condition {
    let text = change.to.and_then(Value::as_str);
    let number = || change.to.and_then(Value::as_u64);
    let whole = if rest.is_empty() { change.to.or(change.from()) } else { change.around() };
    let Some(whole) = whole else { return Condition::Plain };
    let kind = whole["type"].as_str().unwrap_or("unit");
    let id = &whole["id"];
    let name = format!("{kind} u{id}");
    let there = place(setup, &whole["at"]);
    let on = change.to == Some(&Value::Bool(true));
    let words = match rest {
        [] if change.to.is_some() => format!("{name} {there}"),
        [] => format!("no {name} {there}"),
        ["type"] => match text {
            Some(kind) => format!("{} {there} in the place of u{id}", with_article(kind)),
            None => return Condition::Plain,
        },
        ["at"] => match change.to {
            Some(hex) => format!("{name} {}", place(setup, hex)),
            None => return Condition::Plain,
        },
        ["owner"] => match text {
            Some(owner) => format!("{name} {there} in the service of {owner}"),
            None => format!("{name} {there} neutral"),
        },
        ["points"] => match number() {
            Some(1) => format!("{name} with 1 point left"),
            Some(points) => format!("{name} with {points} points left"),
            None => format!("{name} with all its points"),
        },
        ["moved"] => {
            format!("{name} {}", if on { "moved this turn" } else { "not moved this turn" })
        }
        ["attacked"] => {
            format!(
                "{name} {}",
                if on { "with its attack spent" } else { "with its attack to come" }
            )
        }
        ["fresh"] => {
            let since = if on { "recruited this turn" } else { "recruited before this turn" };
            format!("{name} {since}")
        }
        ["embarked"] => {
            format!("{name} {}", if on { "just embarked" } else { "not just embarked" })
        }
        ["held_until"] => match number() {
            None | Some(0) => format!("{name} not held"),
            Some(round) => format!("{name} held up to round {round}"),
        },
        ["pinned_until"] => match number() {
            None | Some(0) => format!("{name} not pinned by the Church"),
            Some(round) => format!("{name} pinned by the Church up to round {round}"),
        },
        ["marched"] => {
            format!("{name} {}", if on { "moved this turn" } else { "not moved this turn" })
        }
        ["recruited_in"] => match number() {
            Some(city) => format!("{name} recruited in {}", city_name(setup, city)),
            None => format!("{name} recruited elsewhere"),
        },
        ["aboard"] => match number() {
            Some(ship) => format!("{name} aboard u{ship}"),
            None => format!("{name} ashore"),
        },
        ["origin"] => match number() {
            Some(city) => format!("{name} from {}", city_name(setup, city)),
            None => format!("{name} from where it stands"),
        },
        _ => return Condition::Plain,
    };
    Condition::Words(words)
}

/// What would be otherwise about a city.
fn city(setup: &Setup, change: Change<'_>, number: &str, rest: &[&str]) -> Condition {
    let name = city_name(setup, number.parse().unwrap_or_default());
    let text = change.to.and_then(Value::as_str);
    let had = change.from().and_then(Value::as_str);
    let round = || change.to.and_then(Value::as_u64).filter(|&round| round > 0);
    let on = change.to == Some(&Value::Bool(true));
    let until = |what: &str, not: &str| match round() {
        Some(round) => format!("{name} {what} up to round {round}"),
        None => format!("{name} {not}"),
    };
    let words = match rest {
        ["control"] => match text {
            Some(player) => format!("{name} held by {player}"),
            None => format!("{name} held by nobody"),
        },
        [side @ ("supply" | "demand"), _] => match (text, had) {
            (Some(good), None) => format!("{} in the {side} of {name}", good.replace('_', " ")),
            (Some(good), Some(had)) => {
                format!(
                    "{} for {} in the {side} of {name}",
                    good.replace('_', " "),
                    had.replace('_', " ")
                )
            }
            (None, Some(had)) => format!("no {} in the {side} of {name}", had.replace('_', " ")),
            (None, None) => return Condition::Plain,
        },
        ["no_income_until"] => until("without income", "with its income"),
        ["no_recruit_until"] => until("without recruits", "open for recruiting"),
        [] => match (change.to, change.from()) {
            (Some(there), _) => match there["control"].as_str() {
                Some(player) => format!("{name} held by {player}"),
                None => format!("{name} neutral"),
            },
            (None, Some(there)) if there["control"].is_string() => format!("{name} neutral"),
            (None, _) => return Condition::Idle,
        },
        ["goods_unthrown"] => {
            format!("the goods of {name} {}", if on { "still to be thrown" } else { "thrown" })
        }
        ["garrison_unthrown"] => {
            format!("the garrison of {name} {}", if on { "still to be thrown" } else { "thrown" })
        }
        ["protected_until"] => until("protected by the Church", "not protected by the Church"),
        ["recruited"] => {
            format!(
                "{name} {}",
                if on { "with its recruit taken" } else { "with its recruit to come" }
            )
        }
        ["negotiated"] => {
            format!(
                "{name} {}",
                if on { "negotiated with before" } else { "not negotiated with yet" }
            )
        }
        _ => return Condition::Plain,
    };
    Condition::Words(words)
}

/// `in Valdoria`, `on [2, -1]`.
fn place(setup: &Setup, hex: &Value) -> String {
    let pair = || Some(Hex::new(hex[0].as_i64()?, hex[1].as_i64()?));
    let city = pair().and_then(|hex| setup.map.find(hex)).map_or(0, |at| setup.map.place(at).city);
    if city > 0 { format!("in {}", setup.map.site(city).name) } else { format!("on {hex}") }
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
    format!("{} and {}", pair[0].as_str().unwrap_or("?"), pair[1].as_str().unwrap_or("?"))
}

/// A trade route by its ends.
fn road(setup: &Setup, route: &Value) -> String {
    let end = |field: &str| city_name(setup, route[field].as_u64().unwrap_or_default());
    format!("route from {} to {}", end("from"), end("to"))
}
