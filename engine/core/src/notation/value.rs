//! Values of any kind, in a form that is shorter than JSON: names without quotation marks, unknown values.
//!
//! Must not know which value stands where.

use serde_json::{Map, Value};

use super::Mistake;
use super::cursor::Cursor;

/// How deep values may stand in one another.
const DEEPEST: usize = 64;

/// The only field of a value that is one of some.
const ONE_OF: &str = "one_of";

/// What stands for a value that nobody knows.
const UNKNOWN: &str = "?";

/// What a bare word means.
pub(super) fn scalar(word: &str) -> Value {
    // What JSON reads as a scalar is one: a number, true, false, null.
    serde_json::from_str(word).unwrap_or_else(|_| Value::from(word))
}

/// Whether a text can stand for itself where any value may stand.
fn is_plain(text: &str) -> bool {
    is_name(text) && serde_json::from_str::<Value>(text).is_err()
}

/// Whether a text can stand for itself where only a name may stand.
pub(super) fn is_name(text: &str) -> bool {
    let mut from = Cursor::new(text);
    from.word().is_some_and(|word| word == text)
}

/// Text between quotation marks.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A text as a name, or between quotation marks.
pub(super) fn name(text: &str) -> String {
    if is_name(text) { text.to_owned() } else { quoted(text) }
}

/// Reads text between quotation marks.
pub(super) fn string(from: &mut Cursor<'_>) -> Result<String, Mistake> {
    let at = from.here();
    if let Some(text) = from.typeset() {
        return Ok(text.to_owned());
    }
    let mut texts = serde_json::Deserializer::from_str(from.rest()).into_iter::<String>();
    match texts.next() {
        Some(Ok(text)) => {
            from.advance(texts.byte_offset());
            Ok(text)
        }
        _ => Err(from.mistake(at, "the text between quotation marks does not end")),
    }
}

/// Reads a value that may be unknown; `known` reads one that is not.
pub(super) fn or_unknown(
    from: &mut Cursor<'_>,
    known: &mut dyn FnMut(&mut Cursor<'_>) -> Result<Value, Mistake>,
) -> Result<Value, Mistake> {
    if !from.eat('?') {
        return known(from);
    }
    if !from.rest().starts_with('(') {
        return Ok(Value::from(UNKNOWN));
    }
    from.open('(');
    let mut items = Vec::new();
    loop {
        items.push(known(from)?);
        if from.close(')') {
            break;
        }
        if !from.eat('|') {
            let found = from.found();
            return Err(from.mistaken(format!("| or ) is expected, not {found}")));
        }
    }
    let one_of = (ONE_OF.to_owned(), Value::Array(items));
    Ok(Value::Object(Map::from_iter([one_of])))
}

/// Writes a value that is unknown; `known` writes one of those that it may be.
pub(super) fn unknown(value: &Value, known: &dyn Fn(&Value) -> Option<String>) -> Option<String> {
    match value {
        Value::String(text) if text == UNKNOWN => Some(UNKNOWN.to_owned()),
        Value::Object(fields) if fields.len() == 1 => {
            let items = fields.get(ONE_OF)?.as_array().filter(|items| !items.is_empty())?;
            let items: Option<Vec<String>> = items.iter().map(known).collect();
            Some(format!("?({})", items?.join("|")))
        }
        _ => None,
    }
}

/// Whether something in a value is unknown.
pub(super) fn has_unknown(value: &Value) -> bool {
    match value {
        Value::String(text) => text == UNKNOWN,
        Value::Array(items) => items.iter().any(has_unknown),
        Value::Object(fields) => fields.contains_key(ONE_OF) || fields.values().any(has_unknown),
        _ => false,
    }
}

/// Reads a value of any kind.
pub(super) fn read(from: &mut Cursor<'_>) -> Result<Value, Mistake> {
    if from.depth() > DEEPEST {
        return Err(from.mistaken(format!("values stand more than {DEEPEST} deep in one another")));
    }
    or_unknown(from, &mut |from| match from.peek() {
        Some(_) if from.at_quote() => string(from).map(Value::from),
        Some('[') => list(from),
        Some('{') => object(from),
        _ => match from.word() {
            Some(word) => Ok(scalar(&word)),
            None => {
                let found = from.found();
                Err(from.mistaken(format!("a value is expected, not {found}")))
            }
        },
    })
}

fn list(from: &mut Cursor<'_>) -> Result<Value, Mistake> {
    from.open('[');
    let mut items = Vec::new();
    while !from.close(']') {
        items.push(read(from)?);
        from.eat(',');
    }
    Ok(Value::Array(items))
}

fn object(from: &mut Cursor<'_>) -> Result<Value, Mistake> {
    from.open('{');
    let mut fields = Map::new();
    while !from.close('}') {
        let at = from.here();
        let name = key(from)?;
        if !from.eat(':') && !from.eat('=') {
            let found = from.found();
            return Err(from.mistaken(format!(": is expected after {name:?}, not {found}")));
        }
        let value = read(from)?;
        if fields.insert(name.clone(), value).is_some() {
            return Err(from.mistake(at, format!("{name:?} is given twice")));
        }
        from.eat(',');
    }
    Ok(Value::Object(fields))
}

/// Reads a name, with or without quotation marks.
pub(super) fn key(from: &mut Cursor<'_>) -> Result<String, Mistake> {
    if from.at_quote() {
        return string(from);
    }
    match from.word() {
        Some(word) => Ok(word.into_owned()),
        None => {
            let found = from.found();
            Err(from.mistaken(format!("a name is expected, not {found}")))
        }
    }
}

/// Writes a value of any kind.
pub(super) fn write(value: &Value) -> String {
    if let Some(text) = unknown(value, &|it| Some(write(it))) {
        return text;
    }
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(write).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let field =
                |(field, value): (&String, &Value)| format!("{}: {}", name(field), write(value));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn back(text: &str) -> Result<Value, Mistake> {
        let mut from = Cursor::new(text);
        let value = read(&mut from)?;
        match from.peek() {
            None => Ok(value),
            Some(sign) => Err(from.mistaken(format!("{sign} is left over"))),
        }
    }

    #[test]
    fn any_value_is_written_on_one_line_and_read_back() {
        for value in [
            json!(null),
            json!([
                true, -7, 1.5, 1e-7, "true", "1", "-1", "1e5", "", " x", "ein Wort", "women_1",
                "?x"
            ]),
            json!({"a": {"b c": []}, "1": "x\n#--\u{2212}", "é": {}}),
            json!(["?", {"one_of": ["dg01", "a b", [1, 2]]}, {"one_of": []}, {"one_of": [1], "x": 2}]),
            json!({"one_of": {"a": 1}}),
        ] {
            let text = write(&value);
            assert!(!text.contains('\n'), "{text}");
            assert_eq!(back(&text), Ok(value), "{text}");
        }
    }

    #[test]
    fn json_is_read_as_it_is_and_over_lines_within_brackets() {
        let text = "{\"a\": [1,\n 2, # two\n 3], b = ?(x | y),\n c: [-1 \u{2212}2]}";
        let expected = json!({"a": [1, 2, 3], "b": {"one_of": ["x", "y"]}, "c": [-1, -2]});
        assert_eq!(back(text), Ok(expected));
    }

    #[test]
    fn what_is_no_value_is_told_at_its_place() {
        for (text, place, what) in [
            ("[1, 2", (1, 6), "a value is expected, not the end of the line"),
            ("[1,\n )", (2, 2), "a value is expected, not \")\""),
            ("{a 1}", (1, 4), ": is expected after \"a\", not \"1\""),
            ("{a: 1, a: 2}", (1, 8), "\"a\" is given twice"),
            ("?(a, b)", (1, 4), "| or ) is expected, not \",\""),
            ("\"x", (1, 1), "the text between quotation marks does not end"),
        ] {
            let mistake = back(text).unwrap_err();
            assert_eq!((mistake.line, mistake.column), place, "{text}");
            assert_eq!(mistake.message, what);
        }
        assert!(back(&"[".repeat(5_000)).unwrap_err().message.contains("deep"));
    }
}
