//! Writing an action by the table of its game.
//!
//! What was written is read again before it is given away: where that is not the same action, it is written
//! with its fields by name, and where even that is not, in JSON. Must not judge.

use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::pattern::{ARROW, joined, pattern};
use super::read::{self, PLAYER, TYPE};
use super::value::{self, name, quoted, unknown};
use super::{By, Dialect, Form, Part, Shape, Turn, Verb};
use crate::wire::NOTE;

type Fields = Map<String, Value>;

/// Writes an action with its note in one line.
pub(super) fn action(dialect: Dialect, action: &Value, turn: &mut Turn) -> String {
    let forms = [in_order, by_name];
    let found = forms.into_iter().find_map(|form| {
        let mut after = turn.clone();
        let line = form(dialect, action.as_object()?, &mut after)?;
        let mut again = turn.clone();
        let read = read::action(dialect, &mut Cursor::new(&line), &mut again).ok()?;
        (read == *action && again == after).then_some((line, after))
    });
    match found {
        Some((line, after)) => {
            *turn = after;
            line
        }
        None => action.to_string(),
    }
}

/// In the order of the table.
fn in_order(dialect: Dialect, action: &Fields, turn: &mut Turn) -> Option<String> {
    let verb = verb(dialect, action)?;
    let mut fields = action.clone();
    let note = note(&mut fields)?;
    let prefix = prefix(dialect, verb.by, &mut fields, turn)?;
    fields.shift_remove(TYPE);
    let mut words = vec![verb.word.to_owned()];
    parts(verb.parts, &mut fields, &mut words, true)?;
    words.extend(named(&fields));
    Some(format!("{prefix}{}{note}", joined(&words)))
}

/// Every field by name.
fn by_name(dialect: Dialect, action: &Fields, turn: &mut Turn) -> Option<String> {
    let by = match verb(dialect, action) {
        Some(verb) => verb.by,
        None if dialect.grammar.verbs.is_empty() => By::Turn,
        None => return None,
    };
    let mut fields = action.clone();
    let note = note(&mut fields)?;
    let prefix = prefix(dialect, by, &mut fields, turn)?;
    let kind = fields.shift_remove(TYPE)?;
    let words: Vec<String> = std::iter::once(name(kind.as_str()?)).chain(named(&fields)).collect();
    Some(format!("{prefix}{}{note}", words.join(" ")))
}

fn verb(dialect: Dialect, action: &Fields) -> Option<&'static Verb> {
    let kind = action.get(TYPE)?.as_str()?;
    dialect.grammar.verbs.iter().find(|verb| verb.word == kind)
}

fn named(fields: &Fields) -> impl Iterator<Item = String> {
    fields.iter().map(|(field, value)| format!("{}={}", name(field), value::write(value)))
}

/// Whose action it is, where that does not follow; takes the player out of the fields.
fn prefix(dialect: Dialect, by: By, fields: &mut Fields, turn: &mut Turn) -> Option<String> {
    let player = fields.shift_remove(PLAYER)?;
    let player = player.as_str().filter(|player| dialect.seats.contains(player))?;
    let follows = read::inferred(dialect, by, fields, turn).as_deref() == Some(player);
    let before = turn.clone();
    read::turned(by, player, turn);
    // Where the turn goes to somebody else, it is said even if the card says it.
    Some(if follows && before == *turn { String::new() } else { format!("{player}: ") })
}

/// The end of the line; takes the note out of the fields. A note of another kind stays there.
fn note(fields: &mut Fields) -> Option<String> {
    match fields.get(NOTE) {
        Some(Value::String(text)) => {
            let plain = !text.is_empty()
                && text.trim() == text
                && !text.contains(char::is_control)
                && serde_json::from_str::<String>(text).is_err();
            let text = if plain { text.clone() } else { quoted(text) };
            fields.shift_remove(NOTE);
            Some(format!("  # {text}"))
        }
        _ => Some(String::new()),
    }
}

/// Writes parts, and takes out of the fields what they say. Nothing where they cannot say it.
fn parts(parts: &[Part], fields: &mut Fields, words: &mut Vec<String>, last: bool) -> Option<()> {
    for (at, part) in parts.iter().enumerate() {
        let last = last && at + 1 == parts.len();
        match *part {
            Part::Word(word) => words.push(word.to_owned()),
            Part::Arrow => words.push(ARROW.to_owned()),
            Part::Flag(word, field) => {
                if fields.get(field) == Some(&Value::Bool(true)) {
                    fields.shift_remove(field);
                    words.push(word.to_owned());
                }
            }
            Part::Is(field, shape) => {
                words.push(self::shape(&shape, &fields.shift_remove(field)?, last)?);
            }
            Part::May(field, shape) => {
                if let Some(value) = fields.shift_remove(field) {
                    words.push(self::shape(&shape, &value, last)?);
                }
            }
            Part::Led(word, field, shape) => {
                if let Some(value) = fields.shift_remove(field) {
                    words.push(format!("{word} {}", self::shape(&shape, &value, last)?));
                }
            }
            Part::Any(field, shape) => {
                let value = fields.shift_remove(field)?;
                if value.as_array().is_none_or(|items| !items.is_empty()) {
                    words.push(self::shape(&shape, &value, last)?);
                }
            }
            Part::Choice(field, forms) => {
                let word = fields.shift_remove(field)?;
                let form = forms.iter().find(|form| word.as_str() == Some(form.word));
                match form {
                    Some(form) => {
                        words.push(form.word.to_owned());
                        self::parts(form.parts, fields, words, last)?;
                    }
                    None => words.push(unknown(&word, &|it| it.as_str().map(str::to_owned))?),
                }
            }
            Part::Keyed(names, shape, _) => {
                let mut said = Vec::new();
                for (short, field) in names {
                    if let Some(value) = fields.shift_remove(*field) {
                        said.push(format!("{short} {}", self::shape(&shape, &value, false)?));
                    }
                }
                if !said.is_empty() {
                    words.push(said.join(", "));
                }
            }
        }
    }
    Some(())
}

/// Writes a value of a shape; nothing where it is none.
fn shape(shape: &Shape, value: &Value, last: bool) -> Option<String> {
    if let Some(text) = unknown(value, &|it| known(shape, it, false)) {
        return Some(text);
    }
    known(shape, value, last)
}

fn known(shape: &Shape, value: &Value, last: bool) -> Option<String> {
    match *shape {
        Shape::Name => value.as_str().map(name),
        Shape::Short(names) => {
            let text = value.as_str()?;
            let short = names.iter().find(|name| name.1 == text);
            Some(short.map_or_else(|| name(text), |name| name.0.to_owned()))
        }
        Shape::Number(_) => (value.is_i64() || value.is_u64()).then(|| value.to_string()),
        Shape::Hex => match value.as_array()?.as_slice() {
            [q, r] if q.is_i64() && r.is_i64() => Some(format!("{q},{r}")),
            _ => None,
        },
        Shape::YesNo(yes, no) => Some(if value.as_bool()? { yes } else { no }.to_owned()),
        Shape::OrNull(word, _) if value.is_null() => Some(word.to_owned()),
        Shape::OrNull(word, inner) => {
            let text = known(inner, value, last)?;
            Some(if text == word { quoted(&text) } else { text })
        }
        Shape::List(item) => {
            let items = value.as_array()?.iter().map(|it| self::shape(item, it, false));
            let items: Vec<String> = items.collect::<Option<_>>()?;
            // Where it is plain at sight what belongs together, the line's end is enough.
            let plain =
                matches!(item, Shape::Object(_) | Shape::Tuple(_) | Shape::OneOf(..) | Shape::Hex);
            let clear = items.first().is_some_and(|it| !it.starts_with(['?', '[']));
            let join = if matches!(item, Shape::Hex) { " " } else { ", " };
            match last && plain && clear {
                true => Some(items.join(join)),
                false => Some(format!("[{}]", items.join(join))),
            }
        }
        Shape::Tuple(shapes) => {
            let items = value.as_array().filter(|items| items.len() == shapes.len())?;
            let items = items.iter().zip(shapes).map(|(it, shape)| self::shape(shape, it, false));
            Some(items.collect::<Option<Vec<_>>>()?.join(ARROW))
        }
        Shape::Object(parts) => object(parts, value.as_object()?.clone(), None),
        Shape::OneOf(tag, forms) => {
            let fields = value.as_object()?;
            forms.iter().find_map(|form| {
                let mut fields = fields.clone();
                if let Some(tag) = tag {
                    fields.shift_remove(tag).filter(|it| *it == form.word)?;
                }
                object(form.parts, fields, Some(form.word))
            })
        }
        Shape::Text => value.as_str().map(quoted),
    }
}

/// An object of which nothing is left over.
fn object(parts: &[Part], mut fields: Fields, word: Option<&str>) -> Option<String> {
    let mut words: Vec<String> = word.map(str::to_owned).into_iter().collect();
    self::parts(parts, &mut fields, &mut words, false)?;
    fields.is_empty().then(|| joined(&words))
}

/// Writes an object by one of the forms that begin with the value of its field `tag`, what the form does not say
/// by name. Nothing where no form fits.
pub(super) fn tagged(tag: &str, forms: &[Form], value: &Value) -> Option<String> {
    let mut fields = value.as_object()?.clone();
    let word = fields.shift_remove(tag)?;
    let form = forms.iter().find(|form| word == form.word)?;
    let mut words = vec![form.word.to_owned()];
    parts(form.parts, &mut fields, &mut words, true)?;
    words.extend(named(&fields));
    Some(joined(&words))
}

/// How actions of a type are written: a line for each form.
pub(super) fn usage(verb: &Verb) -> Vec<String> {
    let mut lines = vec![verb.word.to_owned()];
    for part in verb.parts {
        match part {
            Part::Choice(_, forms) => {
                let with = |line: &String| {
                    let line = line.clone();
                    forms.iter().map(move |form| {
                        let words = [line.clone(), form.word.to_owned(), pattern(form.parts)];
                        words.join(" ").trim_end().to_owned()
                    })
                };
                lines = lines.iter().flat_map(with).collect();
            }
            Part::Arrow => lines.iter_mut().for_each(|line| line.push_str(ARROW)),
            part => lines.iter_mut().for_each(|line| {
                let blank = if line.ends_with(ARROW) { "" } else { " " };
                *line = format!("{line}{blank}{}", pattern(std::slice::from_ref(part)));
            }),
        }
    }
    lines
}
