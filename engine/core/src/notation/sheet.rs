//! Writing a whole record as notes: a head, the tape, and an action a line.
//!
//! Must not judge, and must not leave anything out: what was written is read again before it is given away.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::cursor::is_typeset;
use super::record::{CHECKPOINT, ENTRIES, KIND, PARTIAL};
use super::value::{self, name, quoted};
use super::{Dialect, Turn, read, record, write};
use crate::record::FORMAT;

/// Writes a record.
pub(super) fn write(text: &str, games: &[Dialect]) -> Result<String, String> {
    let record: Value =
        serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
    let fields = record.as_object().ok_or("the record is no object")?;
    let game = fields.get("game").and_then(Value::as_str).ok_or("the record names no game")?;
    let dialect = games.iter().find(|it| it.game == game);
    let dialect = *dialect.ok_or_else(|| format!("there is no game {game:?}"))?;
    let actions = fields.get("actions").and_then(Value::as_array);
    let actions = actions.ok_or("the record has no list of actions")?;

    let mut out = format!("game: {}\n", plain(game));
    for (field, value) in
        fields.iter().filter(|(field, _)| !["game", "actions"].contains(&&***field))
    {
        head(&mut out, field, value);
    }
    tape(&mut out, dialect, fields.get("chance"));
    out.push_str("actions:\n");
    let mut turn = Turn::default();
    for action in actions {
        let _ = writeln!(out, "{}", write::action(dialect, action, &mut turn));
    }
    match record::read(&out, games) {
        Ok(noted)
            if serde_json::from_str::<Value>(&noted.record).ok().as_ref() == Some(&record) =>
        {
            Ok(out)
        }
        Ok(_) => {
            Err("the record cannot be written as notes: something of it would be lost".to_owned())
        }
        Err(mistakes) => {
            let first = mistakes.first().map(|it| it.message.clone()).unwrap_or_default();
            Err(format!("the record cannot be written as notes: {first}"))
        }
    }
}

/// A text that takes the rest of its line.
fn plain(text: &str) -> String {
    let plain = !text.is_empty()
        && text.trim() == text
        && !text.starts_with(['"', '#'])
        && !text.contains(char::is_control)
        && !text.contains(" #");
    if plain { text.to_owned() } else { quoted(text) }
}

/// The name of a player, which ends before a comma.
fn player(text: &str) -> String {
    let text = plain(text);
    let bare = !text.contains(',') && !is_typeset(&text);
    if bare || text.starts_with('"') { text } else { quoted(&text) }
}

/// Writes a field of the record.
fn head(out: &mut String, field: &str, value: &Value) {
    let line = match (field, value) {
        ("format", Value::String(text)) if text == FORMAT => String::new(),
        ("ruleset" | "note", Value::String(text)) => format!("{field}: {}\n", plain(text)),
        ("players", Value::Object(names))
            if names.values().all(|it| it.as_str().is_some_and(|it| !it.is_empty())) =>
        {
            let one = |(seat, text): (&String, &Value)| {
                format!("{} = {}", name(seat), player(text.as_str().unwrap_or_default()))
            };
            format!("players: {}\n", names.iter().map(one).collect::<Vec<_>>().join(", "))
        }
        ("options", Value::Object(options)) => options_of(options),
        ("chance", Value::Object(parts)) if !parts.is_empty() => chance(parts),
        ("meta", Value::Object(entries)) if entries.is_empty() => "meta: {}\n".to_owned(),
        ("meta", Value::Object(entries)) => keyed("meta", entries),
        ("position" | "claims", value) => format!("{field}: {}\n", value::write(value)),
        ("omitted", Value::Array(names)) if names.iter().all(Value::is_string) => {
            let names = names.iter().filter_map(Value::as_str).map(name);
            format!("omitted: {}\n", names.collect::<Vec<_>>().join(", "))
        }
        ("checkpoints", Value::Array(list)) => match checkpoints(list) {
            Some(lines) => lines,
            None => any(field, value),
        },
        (field, value) => any(field, value),
    };
    out.push_str(&line);
}

/// A field of which nothing else is known.
fn any(field: &str, value: &Value) -> String {
    format!("field {} = {}\n", name(field), value::write(value))
}

fn keyed(word: &str, entries: &Map<String, Value>) -> String {
    let one = |(entry, value): (&String, &Value)| {
        format!("{word} {} = {}\n", name(entry), value::write(value))
    };
    entries.iter().map(one).collect()
}

fn options_of(options: &Map<String, Value>) -> String {
    let mut options = options.clone();
    let rulings = match options.get("rulings") {
        Some(Value::Object(rulings)) if !rulings.is_empty() => {
            let lines = keyed("ruling", rulings);
            options.shift_remove("rulings");
            lines
        }
        _ => String::new(),
    };
    match options.is_empty() && rulings.is_empty() {
        true => "options:\n".to_owned(),
        false => keyed("option", &options) + &rulings,
    }
}

/// All of chance but a tape that has its own lines.
fn chance(parts: &Map<String, Value>) -> String {
    let mut lines = String::new();
    for (part, value) in parts {
        lines += &match (&**part, value) {
            ("seed", Value::String(seed)) => format!("seed: {}\n", plain(seed)),
            ("tape", value) if entries(value).is_some() => String::new(),
            (part, value) => format!("chance {} = {}\n", name(part), value::write(value)),
        };
    }
    lines
}

/// The entries of a tape, and whether it has holes.
fn entries(tape: &Value) -> Option<(&Vec<Value>, bool)> {
    match tape {
        Value::Array(entries) => Some((entries, false)),
        Value::Object(fields)
            if fields.len() == 2 && fields.get(PARTIAL) == Some(&Value::Bool(true)) =>
        {
            Some((fields.get("entries")?.as_array()?, true))
        }
        _ => None,
    }
}

fn tape(out: &mut String, dialect: Dialect, chance: Option<&Value>) {
    let tape = chance.and_then(|chance| chance.get("tape")).and_then(entries);
    let Some((entries, partial)) = tape else { return };
    let _ = writeln!(out, "tape:{}", if partial { " partial" } else { "" });
    for entry in entries {
        let line = write::tagged(KIND, ENTRIES, entry).filter(|line| {
            let mut from = Cursor::new(line);
            let again = read::tagged(dialect, &mut from, KIND, ENTRIES);
            again.is_ok_and(|again| again == *entry) && from.peek().is_none()
        });
        let _ = writeln!(out, "{}", line.unwrap_or_else(|| entry.to_string()));
    }
}

fn checkpoints(list: &[Value]) -> Option<String> {
    let mut lines = String::new();
    for checkpoint in list {
        let mut fields = checkpoint.as_object()?.clone();
        let ply = fields.shift_remove("ply")?.as_u64()?;
        let ply = u32::try_from(ply).ok()?;
        let _ = write!(lines, "{CHECKPOINT} {ply}");
        let facts = fields.shift_remove("facts");
        for (field, value) in &fields {
            let _ = write!(lines, " {}={}", name(field), value::write(value));
        }
        if let Some(facts) = facts {
            let _ = write!(lines, " {}", value::write(facts.as_object().map(|_| &facts)?));
        }
        lines.push('\n');
    }
    (!list.is_empty()).then_some(lines)
}
