//! What is wrong with a value, in plain words instead of serde's.
//!
//! serde names Rust's types and its own notions; who sent the value knows JSON. A message that is
//! not known here is passed on as it is. This module must not decide what is wrong.

use std::fmt::Display;

/// The most characters of a value that a message repeats.
const MOST: usize = 80;

/// A message of serde or serde_json in plain words, without the line and column, which mean
/// nothing inside a part of a record.
pub(super) fn plain(message: &str) -> String {
    let message = without_place(message);
    translated(message).unwrap_or_else(|| message.to_owned())
}

/// The message without the places at its end: a part that was read by itself leaves one, too.
fn without_place(mut message: &str) -> &str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    while let Some((front, place)) = message.rsplit_once(" at line ")
        && place.split_once(" column ").is_some_and(|(line, at)| digits(line) && digits(at))
    {
        message = front;
    }
    message
}

fn translated(message: &str) -> Option<String> {
    if message == "trailing characters" {
        return Some("the list is longer than is expected here".to_owned());
    }
    if message.starts_with("data did not match any variant") {
        return Some("this has none of the forms that are expected here".to_owned());
    }
    let typed = message.strip_prefix("invalid type: ");
    if let Some(rest) = typed.or_else(|| message.strip_prefix("invalid value: ")) {
        let (found, wanted) = parted(rest)?;
        return Some(instead(&expected(wanted), given(found)));
    }
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (count, wanted) = rest.split_once(", expected ")?;
        return Some(instead(&expected(wanted), format_args!("a list of {count}")));
    }
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        let (name, known) = named(rest)?;
        let known = match known.as_slice() {
            [] => "nothing".to_owned(),
            [one] => (*one).to_owned(),
            [one, other] => format!("{one} or {other}"),
            more => {
                let known = more.join(", ");
                return Some(format!("{} is unknown; the known ones are {known}", quoted(name)));
            }
        };
        return Some(format!("{} is unknown; {known} is expected", quoted(name)));
    }
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let (name, known) = named(rest)?;
        let known = match known.as_slice() {
            [] => "there are none".to_owned(),
            [one] => format!("the only field is {one}"),
            more => format!("the fields are {}", more.join(", ")),
        };
        return Some(format!("there is no field {} here; {known}", quoted(name)));
    }
    if let Some(rest) = message.strip_prefix("missing field `") {
        return Some(format!("the field {} is missing", quoted(rest.strip_suffix('`')?)));
    }
    let name = message.strip_prefix("duplicate field `")?.strip_suffix('`')?;
    Some(format!("the field {} is given twice", quoted(name)))
}

/// `wanted is expected, not found`.
fn instead(wanted: &str, found: impl Display) -> String {
    let comma = if wanted.contains(',') { "," } else { "" };
    format!("{wanted}{comma} is expected, not {found}")
}

/// Parts what was found from what was expected. Only a string that was found can hold the word
/// that parts them.
fn parted(text: &str) -> Option<(&str, &str)> {
    const WORD: &str = ", expected ";
    let mut from = 0;
    if let Some(string) = text.strip_prefix("string \"") {
        let mut escaped = false;
        let end = string.bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        from = text.len() - string.len() + end?;
    }
    let at = from + text.get(from..)?.find(WORD)?;
    Some((&text[..at], &text[at + WORD.len()..]))
}

/// Parts an unknown name from the known ones: ``x`, expected one of `a`, `b` ``.
fn named(text: &str) -> Option<(&str, Vec<&str>)> {
    if let Some((name, _)) = text.rsplit_once("`, there are no ") {
        return Some((name, Vec::new()));
    }
    // The known names are ours and hold no such word.
    let (name, known) = text.rsplit_once("`, expected ")?;
    Some((name, known.split('`').skip(1).step_by(2).collect()))
}

/// A name between quotation marks, cut where it is long.
fn quoted(name: &str) -> String {
    match name.char_indices().nth(MOST) {
        None => format!("{name:?}"),
        Some((at, _)) => format!("{:?}", format!("{}…", &name[..at])),
    }
}

/// What was found, as serde says it.
fn given(found: &str) -> String {
    let marked = |kind: &str| found.strip_prefix(kind)?.strip_prefix('`')?.strip_suffix('`');
    if let Some(number) = marked("integer ").or_else(|| marked("floating point ")) {
        return format!("the number {number}");
    }
    if let Some(value) = marked("boolean ") {
        return value.to_owned();
    }
    if let Some(string) = found.strip_prefix("string ") {
        // With its marks, and already escaped.
        return match string.char_indices().nth(MOST + 1) {
            Some((at, _)) if at + 1 < string.len() => format!("the string {}…\"", &string[..at]),
            _ => format!("the string {string}"),
        };
    }
    match found {
        "sequence" => "a list",
        "map" => "an object",
        "unit value" | "Option value" => "null",
        other => other,
    }
    .to_owned()
}

/// What was expected, as serde says it.
fn expected(wanted: &str) -> String {
    macro_rules! whole {
        ($($kind:ident),*) => {
            match wanted {
                $( stringify!($kind) => Some(format!("{} to {}", $kind::MIN, $kind::MAX)), )*
                _ => None,
            }
        };
    }
    if let Some(range) = whole!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize) {
        return format!("a whole number from {range}");
    }
    for list in ["an array of length ", "a tuple of size "] {
        if let Some(length) = wanted.strip_prefix(list) {
            return format!("a list of {length}");
        }
    }
    match wanted {
        "a boolean" => "true or false",
        "a borrowed string" | "string" | "str" => "a string",
        "a character" => "a string of one character",
        "a sequence" | "an array" => "a list",
        "a map" | "map" => "an object",
        "unit" => "null",
        "an empty array" => "an empty list",
        "fewer elements in array" => "a shorter list",
        "fewer elements in map" => "an object with fewer fields",
        "any valid JSON value" => "a value",
        "variant identifier" | "field identifier" => "a name",
        "string or map" => "a name or an object",
        "option" => "a value or null",
        _ if wanted.starts_with("struct ") || wanted.contains("tagged enum ") => "an object",
        _ if wanted.starts_with("enum ") => "a name",
        _ => wanted,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{FaultCode, read};
    use super::plain;

    /// What a reader says of a text that it refuses.
    fn said<'a, T: Deserialize<'a>>(text: &'a str) -> String {
        match read::<T>(text, FaultCode::BadRecord, "") {
            Err(fault) if fault.code == FaultCode::BadRecord => fault.detail,
            Err(fault) => panic!("{text}: {fault:?}"),
            Ok(_) => panic!("{text} is accepted"),
        }
    }

    #[test]
    fn numbers() {
        let not = |range: &str, found: &str| {
            format!("a whole number from {range} is expected, not {found}")
        };
        assert_eq!(said::<u8>("256"), not("0 to 255", "the number 256"));
        assert_eq!(said::<u8>("-1"), not("0 to 255", "the number -1"));
        assert_eq!(said::<u16>("true"), not("0 to 65535", "true"));
        assert_eq!(said::<u32>(r#""x""#), not("0 to 4294967295", r#"the string "x""#));
        assert_eq!(said::<u32>("0.5"), not("0 to 4294967295", "the number 0.5"));
        assert_eq!(said::<u32>("null"), not("0 to 4294967295", "null"));
        assert_eq!(said::<u64>("[]"), not("0 to 18446744073709551615", "a list"));
        assert_eq!(said::<i8>("200"), not("-128 to 127", "the number 200"));
        assert_eq!(said::<i32>("{}"), not("-2147483648 to 2147483647", "an object"));
    }

    #[test]
    fn other_values() {
        assert_eq!(said::<bool>("1"), "true or false is expected, not the number 1");
        assert_eq!(said::<String>("7"), "a string is expected, not the number 7");
        assert_eq!(said::<&str>("[]"), "a string is expected, not a list");
        assert_eq!(said::<Vec<u8>>(r#"{"a":1}"#), "a list is expected, not an object");
        assert_eq!(said::<[u8; 2]>("[1]"), "a list of 2 is expected, not a list of 1");
        assert_eq!(said::<[u8; 2]>("[1, 2, 3]"), "the list is longer than is expected here");
        assert_eq!(said::<(u8, u8)>("[1]"), "a list of 2 is expected, not a list of 1");
        type Map = std::collections::BTreeMap<String, u8>;
        assert_eq!(said::<Map>("[1]"), "an object is expected, not a list");
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only ever refused")]
    struct Pair {
        left: u8,
        right: Option<u8>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        DarkGreen,
        Blue,
    }

    #[test]
    fn fields() {
        assert_eq!(said::<Pair>("7"), "an object is expected, not the number 7");
        assert_eq!(said::<Pair>("{}"), r#"the field "left" is missing"#);
        assert_eq!(said::<Pair>(r#"{"left":1,"left":2}"#), r#"the field "left" is given twice"#);
        assert_eq!(
            said::<Pair>(r#"{"left":1,"up":2}"#),
            r#"there is no field "up" here; the fields are left, right"#
        );
        let nasty = r#"{"left":1,"`, expected `x` at line 1 column 1":2}"#;
        assert_eq!(
            said::<Pair>(nasty),
            r#"there is no field "`, expected `x` at line 1 column 1" here; the fields are left, right"#
        );
        assert_eq!(
            said::<Nothing>(r#"{"up":2}"#),
            r#"there is no field "up" here; there are none"#
        );
    }

    #[test]
    fn names() {
        assert_eq!(
            said::<Colour>(r#""pink""#),
            r#""pink" is unknown; the known ones are red, dark_green, blue"#
        );
        assert_eq!(
            plain("unknown variant `x`, expected `a` or `b` at line 1 column 3"),
            r#""x" is unknown; a or b is expected"#
        );
        assert_eq!(plain("unknown variant `x`, expected `a`"), r#""x" is unknown; a is expected"#);
    }

    #[test]
    fn what_was_sent_cannot_garble_the_message() {
        let text = r#""x\", expected u8 at line 1 column 1""#;
        let found = r#"the string "x\", expected u8 at line 1 column 1""#;
        assert_eq!(
            said::<u8>(text),
            format!("a whole number from 0 to 255 is expected, not {found}")
        );
        let long = format!("\"{}\"", "é".repeat(500));
        let message = said::<u8>(&long);
        assert!(message.ends_with("é…\""), "{message}");
        assert!(message.chars().count() < 160, "{message}");
        let long = format!("{{\"{}\":1}}", "é".repeat(500));
        assert!(said::<Nothing>(&long).chars().count() < 160);
    }

    #[test]
    fn an_unknown_message_is_passed_on() {
        assert_eq!(
            plain("a seed, a tape, or both are expected"),
            "a seed, a tape, or both are expected"
        );
        assert_eq!(plain("odd at line 1 column 2 at line 3 column 4"), "odd");
        assert_eq!(plain("stop at line 7"), "stop at line 7");
        assert_eq!(
            plain("invalid length 1, expected a hex, [q, r]"),
            "a hex, [q, r], is expected, not a list of 1"
        );
    }
}
