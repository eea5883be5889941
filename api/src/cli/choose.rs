//! Building an action step by step in the terminal.
//!
//! The options come from the engine. This module must not know a rule and must not judge an action.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use serde_json::Value;
use serde_json::value::RawValue;
use umpire_engine::game::{Draft, Step};

use super::shared::print;
use crate::documents::phrase;

/// The maximum number of options listed at once.
const LISTED: usize = 60;

/// How a partial action can continue.
pub(super) struct Onward {
    /// Whether it is already a legal action.
    pub(super) whole: bool,
    /// The possible next steps.
    pub(super) steps: Vec<Step>,
}

/// Asks for the parts of a player's action one by one; `onward` says how a partial action can
/// continue. `None` if the person gives up.
///
/// # Errors
/// Input or output fails, or the engine returns an error.
pub(super) fn choose(
    input: &mut impl BufRead,
    player: &str,
    mut onward: impl FnMut(&Draft) -> Result<Onward, String>,
) -> Result<Option<Value>, String> {
    // The partial actions so far, each as the engine reads it and as it is shown.
    let begun = serde_json::json!({"player": player});
    let mut way: Vec<(Draft, Value)> = vec![(Draft::read(&begun.to_string())?, begun)];
    loop {
        let Some((draft, shown)) = way.last().cloned() else { return Ok(None) };
        let Onward { whole, steps } = onward(&draft)?;
        let options = options(&steps);
        let numbers: Vec<&Step> = steps.iter().filter(|step| step.values.is_none()).collect();
        match (whole, &options[..], &numbers[..]) {
            (true, [], []) => return Ok(Some(shown)),
            (false, [], []) => {
                print(b"  no legal action starts like this\n")?;
                return Ok(None);
            }
            // Do not ask if there is only one option.
            (false, [(pointer, value)], []) => {
                way.push(with(&draft, pointer, value)?);
                continue;
            }
            _ => {}
        }
        let mut out = String::new();
        if let Value::Object(fields) = &shown
            && fields.len() > 1
        {
            let _ = writeln!(out, "  so far: {}", phrase::object(fields));
        }
        for (at, (pointer, value)) in options.iter().take(LISTED).enumerate() {
            let value: Value = serde_json::from_str(value.get()).unwrap_or_default();
            let _ = writeln!(out, "{:>5}  {}: {}", at + 1, place(pointer), phrase::short(&value));
        }
        if options.len() > LISTED {
            let _ = writeln!(out, "       … and {} more; enter a number", options.len() - LISTED);
        }
        for step in &numbers {
            let place = place(&step.pointer);
            let _ = match step.least.zip(step.most) {
                Some((least, most)) => {
                    writeln!(out, "       {place} = {least} to {most}")
                }
                None => writeln!(out, "       {place} = any text"),
            };
        }
        if whole {
            out.push_str("       . accept it as it is\n");
        }
        out.push_str("  (b back, x cancel)\n: ");
        print(out.as_bytes())?;
        io::stdout().flush().map_err(|error| error.to_string())?;
        let mut line = String::new();
        if input.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
            return Ok(None);
        }
        match line.trim() {
            "x" => return Ok(None),
            "b" => drop(way.pop()),
            "." if whole => return Ok(Some(shown)),
            typed => match taken(typed, &options, &numbers) {
                Ok((pointer, value)) => match with(&draft, &pointer, &value) {
                    Ok(next) => way.push(next),
                    Err(why) => print(format!("  {why}\n").as_bytes())?,
                },
                Err(why) => print(format!("  {why}\n").as_bytes())?,
            },
        }
    }
}

/// The values to choose from, each with its place.
fn options(steps: &[Step]) -> Vec<(&str, &RawValue)> {
    let all = steps.iter().flat_map(|step| {
        step.values.iter().flatten().map(|value| (step.pointer.as_str(), &**value))
    });
    all.collect()
}

/// A place in an action in words: `/moves/-/figure` is the figure of the next of the moves.
fn place(pointer: &str) -> String {
    let parts = pointer.split('/').filter(|part| !part.is_empty());
    let parts = parts.map(|part| match part {
        "-" => "next".to_owned(),
        part => match part.parse::<usize>() {
            Ok(number) => (number + 1).to_string(),
            Err(_) => phrase::spaced(part),
        },
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Parses what a person typed: the number of an option, or a number or text for a place that takes
/// one (`gold = 3`; the place may be left out if there is only one).
fn taken(
    typed: &str,
    options: &[(&str, &RawValue)],
    numbers: &[&Step],
) -> Result<(String, Box<RawValue>), String> {
    let named = typed.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let (step, value) = match (named, options, numbers) {
        (Some((name, value)), _, _) => {
            let found = numbers.iter().find(|step| place(&step.pointer) == name);
            (*found.ok_or_else(|| format!("{name:?} is not listed above"))?, value)
        }
        (None, [], [step]) => (*step, typed),
        (None, _, _) => {
            let at = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let option = at.and_then(|at| options.get(at));
            let (pointer, value) = option.ok_or("no option has this number")?;
            return Ok(((*pointer).to_owned(), (*value).to_owned()));
        }
    };
    let json = match step.least.zip(step.most) {
        Some((least, most)) => {
            let number = value.parse::<u64>().ok().filter(|it| (least..=most).contains(it));
            number.ok_or_else(|| format!("expected a number from {least} to {most}"))?.to_string()
        }
        None => Value::from(value).to_string(),
    };
    let value = RawValue::from_string(json).map_err(|error| error.to_string())?;
    Ok((step.pointer.clone(), value))
}

/// The partial action with one more part.
fn with(draft: &Draft, pointer: &str, value: &RawValue) -> Result<(Draft, Value), String> {
    let next = draft.with(pointer, value)?;
    let shown = next.whole().ok_or("it is not an action")?;
    Ok((next, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A price from 1 to 5 in gold or silver, followed by an optional note.
    fn shop(draft: &Draft) -> Result<Onward, String> {
        let has = |key: &str| draft.part::<Value>(key).flatten().is_some();
        let steps = match (has("type"), has("coin"), has("price"), has("note")) {
            (false, ..) => Step::values("/type", ["buy"]),
            (_, false, ..) => Step::values("/coin", ["gold", "silver"]),
            (_, _, false, _) => Step::number("/price", 1, 5),
            (_, _, _, false) => Some(Step::text("/note")),
            _ => None,
        };
        Ok(Onward { whole: has("price"), steps: steps.into_iter().collect() })
    }

    fn chosen(typed: &str) -> Option<Value> {
        choose(&mut typed.as_bytes(), "ann", shop).unwrap()
    }

    #[test]
    fn an_action_is_put_together_choice_by_choice() {
        let bought =
            serde_json::json!({"player": "ann", "type": "buy", "coin": "silver", "price": 3});
        assert_eq!(chosen("2\n3\n.\n"), Some(bought.clone()));
        // Invalid input changes nothing, and one can go back.
        assert_eq!(chosen("7\n1\nb\n2\n9\nprice = 3\n.\n"), Some(bought));
        let noted = serde_json::json!({"player": "ann", "type": "buy", "coin": "gold", "price": 1, "note": "well met"});
        assert_eq!(chosen("1\n1\nwell met\n"), Some(noted));
        assert_eq!(chosen("1\nx\n"), None);
        assert_eq!(chosen("1\n"), None);
    }

    #[test]
    fn a_place_is_named_in_words() {
        assert_eq!(place("/moves/-"), "moves next");
        assert_eq!(place("/moves/0/to_hex"), "moves 1 to hex");
    }
}
