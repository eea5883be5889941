//! What a record carries beside its game: values that nobody judges, kept byte for byte.
//!
//! Read strictly and held to bounds here: scalars, and small lists and objects of them. Must not know what a
//! value means.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fault::{Fault, FaultCode};
use super::reading::read;
use super::words::plain;
use crate::wire::escaped;

/// How deep lists and objects may stand in one another in an entry: `[[[[1]]]]`, no deeper.
pub const META_DEEPEST: usize = 4;

/// The most values that one entry may hold, itself counted.
pub const META_MOST_VALUES: usize = 1_000;

/// The `meta` of a record, and its text as it was given.
#[derive(Debug)]
pub struct Meta<'a> {
    /// The text, byte for byte.
    pub text: &'a str,
    /// The entries: each a scalar, or lists and objects of scalars within [`META_DEEPEST`] and
    /// [`META_MOST_VALUES`].
    pub entries: BTreeMap<String, Value>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Meta<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <&'a RawValue>::deserialize(from)?.get();
        let entries = entries(text).map_err(|fault| D::Error::custom(fault.detail))?;
        Ok(Meta { text, entries })
    }
}

/// Reads the entries.
///
/// # Errors
/// What is wrong with them, and where.
pub(super) fn entries(text: &str) -> Result<BTreeMap<String, Value>, Fault> {
    const AT: &str = "/meta";
    let Fields(fields) = read(text, FaultCode::BadRecord, AT)?;
    let entry = |(name, value): (String, &RawValue)| {
        let mut left = META_MOST_VALUES;
        let value = bounded(value, &format!("{AT}/{}", escaped(&name)), 0, &mut left)?;
        Ok((name, value))
    };
    fields.into_iter().map(entry).collect()
}

/// Reads a value below `at` with so many lists and objects around it, of which the entry may still hold `left`.
fn bounded(text: &RawValue, at: &str, depth: usize, left: &mut usize) -> Result<Value, Fault> {
    let bad = |detail: String| Fault::new(FaultCode::BadRecord, at, detail);
    match left.checked_sub(1) {
        Some(fewer) => *left = fewer,
        None => {
            return Err(bad(format!("an entry of meta holds at most {META_MOST_VALUES} values")));
        }
    }
    let within = text.get().trim_start();
    if !within.starts_with(['[', '{']) {
        // Nothing strict is asked of a scalar, and it may be any number.
        return serde_json::from_str(within).map_err(|error| bad(plain(&error.to_string())));
    }
    if depth == META_DEEPEST {
        let detail =
            format!("lists and objects in meta are nested at most {META_DEEPEST} levels deep");
        return Err(bad(detail));
    }
    if within.starts_with('[') {
        let items: Vec<&RawValue> = read(within, FaultCode::BadRecord, at)?;
        let items = items.into_iter().enumerate();
        let items = items.map(|(it, item)| bounded(item, &format!("{at}/{it}"), depth + 1, left));
        return items.collect::<Result<_, _>>().map(Value::Array);
    }
    let Fields(fields) = read(within, FaultCode::BadRecord, at)?;
    let fields = fields.into_iter().map(|(name, value)| {
        let value = bounded(value, &format!("{at}/{}", escaped(&name)), depth + 1, left)?;
        Ok((name, value))
    });
    fields.collect::<Result<_, _>>().map(Value::Object)
}

/// The fields of an object in their order, each with the text of its value. Reading fails where a name stands twice.
#[derive(Debug)]
pub struct Fields<'a>(pub Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut seen = std::collections::BTreeSet::new();
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if !seen.insert(name.clone()) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    fields.push((name, value));
                }
                Ok(fields)
            }
        }
        from.deserialize_map(Reader).map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(text: &str) -> (String, String) {
        let fault = entries(text).unwrap_err();
        assert_eq!(fault.code, FaultCode::BadRecord, "{text}");
        (fault.pointer, fault.detail)
    }

    #[test]
    fn an_entry_is_any_scalar_or_a_small_list_or_object_of_scalars() {
        let text = r#"{"round": 3, "rated": true, "elo": 1510.5, "table": null, "at": "Rapallo",
                       "judges": ["Ada", "Bo"], "clock": {"dragon": [90, 12.5], "more": [[1]]}}"#;
        let read = entries(text).unwrap();
        let whole: Value = serde_json::from_str(text).unwrap();
        assert_eq!(json!(read), whole);
    }

    #[test]
    fn what_is_too_deep_too_much_or_given_twice_is_refused_at_its_place() {
        assert!(entries(r#"{"a": [[[[1]]]]}"#).is_ok());
        let (at, why) = refused(r#"{"b/c": {"x": [[[{}]]]}}"#);
        assert_eq!(at, "/meta/b~1c/x/0/0/0");
        assert!(why.contains("4 levels"), "{why}");
        let many = format!(r#"{{"a": [{}1]}}"#, "1,".repeat(998));
        assert!(entries(&many).is_ok());
        let more = format!(r#"{{"a": [{}1]}}"#, "1,".repeat(999));
        assert_eq!(refused(&more).0, "/meta/a/999");
        let twice = refused(r#"{"a": {"b": 1, "b": 2}}"#);
        assert_eq!(twice, ("/meta/a".to_owned(), r#"the field "b" is given twice"#.to_owned()));
        assert_eq!(refused(r#"{"a": 1, "a": 2}"#).0, "/meta");
        assert_eq!(refused(r#"{"a": [1e999]}"#).0, "/meta/a/0");
        assert_eq!(refused("[1]").0, "/meta");
    }
}
