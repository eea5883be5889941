//! Verdicts in words for people.
//!
//! This module must not decide anything; it only says what the engine found.

use std::fmt::Write;

use serde_json::{Map, Value};
use umpire_engine::erased::{AnyGame, Status, Verdict, Violation, Warning};

use crate::error::ApiError;

/// How a record stands, in one line.
pub(super) fn headline(game: &dyn AnyGame, ruleset: &str, verdict: &Verdict) -> String {
    let plies = plies(verdict.plies);
    match (verdict.status, &verdict.outcome) {
        (Status::Complete, Some(end)) => {
            let reason = spaced(end.reason);
            match end.winner {
                Some(winner) => {
                    format!(
                        "Legal: {} wins ({reason}) after {plies}, by {ruleset}.",
                        spaced(winner)
                    )
                }
                None => format!("Legal: nobody wins ({reason}) after {plies}, by {ruleset}."),
            }
        }
        (Status::Complete | Status::InProgress, _) => {
            format!(
                "Legal so far: {plies} of {}, by {ruleset}; the game goes on.",
                game.meta().title
            )
        }
        (Status::Illegal, _) => format!("Illegal after {plies}, by {ruleset}."),
        (Status::BadChance, _) => format!("The tape does not fit after {plies}, by {ruleset}."),
    }
}

fn plies(count: u32) -> String {
    match count {
        1 => "1 action".to_owned(),
        count => format!("{count} actions"),
    }
}

/// A name of the wire in words.
pub(super) fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// What is wrong, by which clause, because of which facts, and what would have been legal.
pub(super) fn violation(game: &dyn AnyGame, violation: &Violation) -> String {
    let mut text = String::new();
    let who = violation.player.as_deref().map(|who| format!(" ({})", spaced(who)));
    let _ =
        writeln!(text, "  {}{}: {}", violation.pointer, who.unwrap_or_default(), violation.message);
    for id in &violation.rules {
        let gist = game.rules().iter().find(|entry| entry.id == *id).map_or("", |entry| entry.gist);
        let _ = writeln!(text, "  {id}  {gist}");
    }
    for fact in &violation.facts {
        let _ = writeln!(text, "  - {}: {}", fact.what, fact.is);
    }
    if !violation.nearest.is_empty() {
        let _ = writeln!(text, "  Legal instead:");
        for nearest in &violation.nearest {
            let _ = writeln!(text, "    {}", action(nearest.get()));
        }
    }
    text
}

/// Claims that do not hold, and warnings.
pub(super) fn remarks(verdict: &Verdict, warnings: &[Warning]) -> String {
    let mut text = String::new();
    for claim in verdict.claims.iter().filter(|claim| !claim.holds) {
        let said = claim.claimed.as_deref().unwrap_or("nothing");
        let is = claim.actual.as_deref().unwrap_or("nothing");
        let _ = writeln!(text, "  The record claims {said} in {}; it is {is}.", claim.claim);
    }
    for warning in warnings {
        let _ = writeln!(text, "  Note: {} ({}).", warning.message, warning.pointer);
    }
    text
}

/// An action in one short line: `pirates: move, unit pirate 4a, to orti`.
pub(super) fn action(text: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else { return text.to_owned() };
    let mut take = |name: &str| match fields.remove(name) {
        Some(Value::String(value)) => spaced(&value),
        _ => "?".to_owned(),
    };
    let (player, kind) = (take("player"), take("type"));
    let rest = object(&fields);
    match rest.is_empty() {
        true => format!("{player}: {kind}"),
        false => format!("{player}: {kind}, {rest}"),
    }
}

fn object(fields: &Map<String, Value>) -> String {
    let shown = fields.iter().map(|(name, value)| format!("{} {}", spaced(name), short(value)));
    shown.collect::<Vec<_>>().join(", ")
}

fn short(value: &Value) -> String {
    match value {
        Value::String(text) => spaced(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(short).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => format!("({})", object(fields)),
        other => other.to_string(),
    }
}

/// Why there is no answer.
pub(super) fn problem(error: &ApiError) -> String {
    let problem = error.problem();
    match problem.pointer.as_deref().filter(|pointer| !pointer.is_empty()) {
        Some(pointer) => format!("{pointer}: {}", problem.detail),
        None => problem.detail,
    }
}

#[cfg(test)]
mod tests {
    use super::action;

    #[test]
    fn an_action_reads_as_words() {
        let text = r#"{"type":"move_to","player":"the_cat","hex":{"q":1,"r":-2},"via":["a_b"]}"#;
        assert_eq!(action(text), "the cat: move to, hex (q 1, r -2), via [a b]");
        assert_eq!(action(r#"{"type":"pass","player":"cat"}"#), "cat: pass");
        assert_eq!(action("7"), "7");
    }
}
