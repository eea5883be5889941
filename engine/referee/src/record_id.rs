//! The id of a record, and its canonical text.
//!
//! The id is the BLAKE3 hash of the record in canonical JSON (RFC 8785) with its ruleset filled in,
//! so a record has the same id wherever it is stored. The text to keep is that JSON, with `meta` as
//! it was sent. This module must not judge a record.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use umpire_engine::digest;
use umpire_engine::record::{Fault, FaultCode, Fields};

use crate::digits::bytes;

/// The id of a record or of a sheet: the hash of its canonical text, which the store does not
/// compute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId([u8; 32]);

impl RecordId {
    /// The id with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the id.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecordId({self})")
    }
}

impl FromStr for RecordId {
    type Err = RecordIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bytes(text).map(Self).ok_or(RecordIdError)
    }
}

/// The text is not a record id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordIdError;

impl fmt::Display for RecordIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record id is 64 lowercase hexadecimal digits")
    }
}

impl std::error::Error for RecordIdError {}

/// The id of a record, and its canonical text with `meta` as it was sent.
pub fn canonical(
    text: &[u8],
    ruleset: &str,
    meta: Option<&str>,
) -> Result<(RecordId, String), Fault> {
    let mut fields = match in_one_go(text) {
        Some(fields) => fields,
        None => by_value(text).map_err(|detail| Fault::new(FaultCode::BadRecord, "", detail))?,
    };
    if fields.iter().all(|(name, _)| name != "ruleset") {
        fields.push(("ruleset".to_owned(), plain(&ruleset)));
    }
    // `"position": null` means the same as no position.
    fields.retain(|(name, value)| name != "position" || value != "null");
    fields.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    let whole = |meta: Option<&str>| {
        let mut whole = String::with_capacity(text.len() + 64);
        for (name, value) in &fields {
            whole.push(if whole.is_empty() { '{' } else { ',' });
            whole.push_str(&plain(name));
            whole.push(':');
            whole.push_str(meta.filter(|_| name == "meta").unwrap_or(value));
        }
        whole.push('}');
        whole
    };
    let text = whole(None);
    let id = RecordId::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
    Ok((id, if meta.is_some() { whole(meta) } else { text }))
}

/// Checks that a `meta` (JSON) has no whole number beyond 2^53: canonical JSON rounds it, so two records that differ would
/// have one id, and what is signed would not be what was sent.
///
/// # Errors
/// It has one.
pub fn check_numbers(meta: &str) -> Result<(), Fault> {
    const MOST: u64 = 1 << 53;
    let mut in_string = false;
    let mut rest = meta.as_bytes();
    while let [byte, after @ ..] = rest {
        if in_string {
            let escaped = usize::from(*byte == b'\\').min(after.len());
            in_string = *byte != b'"';
            rest = &after[escaped..];
            continue;
        }
        let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
        if digits == 0 {
            in_string = *byte == b'"';
            rest = after;
            continue;
        }
        let (number, next) = rest.split_at(digits);
        let is_whole = !matches!(next.first(), Some(b'.' | b'e' | b'E'));
        let value = std::str::from_utf8(number).ok().and_then(|text| text.parse::<u64>().ok());
        if is_whole && value.is_none_or(|value| value > MOST) {
            let number = String::from_utf8_lossy(&number[..digits.min(40)]);
            let detail =
                format!("{number} is beyond 2^53, where numbers are rounded; write it as a string");
            return Err(Fault::new(FaultCode::BadRecord, "/meta", detail));
        }
        let part = |it: &u8| it.is_ascii_digit() || b"+-.eE".contains(it);
        let end = next.iter().position(|it| !part(it)).unwrap_or(next.len());
        rest = &next[end..];
    }
    Ok(())
}

/// The fields of an object, each with its value in canonical JSON, written while reading; `None` if
/// that is not possible, or if the text is not an object.
fn in_one_go(text: &[u8]) -> Option<Vec<(String, String)>> {
    let Fields(fields) = serde_json::from_slice(text).ok()?;
    let written = |(name, value)| Some((name, digest::canonical_text(value)?));
    fields.into_iter().map(written).collect()
}

/// The same via JSON values, for texts that [`in_one_go`] cannot handle.
fn by_value(text: &[u8]) -> Result<Vec<(String, String)>, String> {
    let value = unique(text).map_err(|error| format!("the record cannot be stored: {error}"))?;
    let Value::Object(fields) = value else {
        return Err("the record is not a JSON object".to_owned());
    };
    Ok(fields.into_iter().map(|(name, value)| (name, plain(&value))).collect())
}

/// A value in canonical JSON.
fn plain<V: Serialize>(value: &V) -> String {
    // It is valid UTF-8 by construction.
    String::from_utf8(digest::canonical(value)).unwrap_or_default()
}

/// Parses a JSON value that has a canonical form.
///
/// # Errors
/// It is not valid JSON, or an object in it has a duplicate field.
pub fn unique(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Unique.deserialize(&mut reader)?;
    reader.end().map(|()| value)
}

/// Parses any JSON value whose objects have no duplicate fields, because those have no canonical
/// form.
struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Unique)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(Unique)?;
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format_args!("duplicate field {name:?}")));
            }
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> String {
        let (id, _) = canonical(text.as_bytes(), "ludo@1", None).unwrap();
        id.to_string()
    }

    #[test]
    fn the_same_record_has_the_same_id_however_it_is_written() {
        let plain = id(r#"{"game":"ludo","actions":[],"meta":{"a":"é"}}"#);
        assert_eq!(plain, id(r#" { "meta": {"a": "\u00e9"}, "actions": [], "game": "ludo" } "#));
        assert_eq!(
            plain,
            id(r#"{"game":"ludo","ruleset":"ludo@1","actions":[],"meta":{"a":"é"}}"#)
        );
        assert_ne!(plain, id(r#"{"game":"ludo","actions":[],"meta":{"a":"e"}}"#));
        assert_eq!(plain, id(r#"{"game":"ludo","position":null,"actions":[],"meta":{"a":"é"}}"#));
    }

    /// The text written part by part equals what the library makes of the whole.
    #[test]
    fn the_canonical_text_is_that_of_the_library() {
        for text in [
            r#"{"game":"ludo","actions":[{"b":1,"a":[2.50,1e3,-0]}],"meta":{"z":"é","a":"\n"},"z":{}}"#,
            r#"{"meta":{"\ud83d\udc09":1,"\ufb01":2},"ruleset":"ludo@1"}"#,
            r#"{"z":1e21,"\ud83d\udc09":9007199254740993,"lé":"\u001f","meta":null}"#,
            r#"{"m":1,"metal":2,"metb":3,"met":4,"meta":"\u2028\"\\","ruleset":"é","Meta":0.1}"#,
        ] {
            let (_, kept) = canonical(text.as_bytes(), "ludo@1", None).unwrap();
            let mut value: Value = serde_json::from_str(text).unwrap();
            value.as_object_mut().unwrap().entry("ruleset").or_insert_with(|| "ludo@1".into());
            assert_eq!(kept, serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }

    /// Both ways give the same fields; what the fast one gives up on, the slow one accepts or
    /// rejects.
    #[test]
    fn fields_are_the_same_however_they_are_read() {
        let deep = |levels| format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let short = [
            r#"{"b":{"y":[1,-2,null,true],"x":"\u00e9\n"},"a":"é"}"#.to_owned(),
            r#" { "actions" : [ ] , "z" : { } } "#.to_owned(),
            deep(126),
        ];
        for text in &short {
            let fields = in_one_go(text.as_bytes()).expect(text);
            assert_eq!(fields, by_value(text.as_bytes()).unwrap());
        }
        let long = [r#"{"a":1.0,"b":2.5}"#, r#"{"a":{"é":1}}"#, r#"{"a":12345678901234567}"#];
        for text in long {
            assert_eq!(in_one_go(text.as_bytes()), None, "{text}");
            assert!(by_value(text.as_bytes()).is_ok(), "{text}");
        }
        let neither = [r#"{"a":1,"a":1}"#, r#"{"a":[{"b":1,"b":1}]}"#, "[]", "{} {}", r#"{"a":1"#];
        for text in neither.into_iter().chain([deep(127).as_str()]) {
            assert_eq!(in_one_go(text.as_bytes()), None, "{text}");
            assert!(by_value(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn the_id_is_the_hash_of_the_text_that_is_kept() {
        let (id, text) = canonical(br#"{"b":1.0,"a":[true,null]}"#, "ludo@1", None).unwrap();
        assert_eq!(text, r#"{"a":[true,null],"b":1,"ruleset":"ludo@1"}"#);
        assert_eq!(id.to_string(), blake3::hash(text.as_bytes()).to_hex().as_str());
    }

    #[test]
    fn meta_is_kept_as_it_was_sent() {
        let meta = "{ \"b\" : \"\\u00e9\",\n\"a\":\"1.0\" }";
        let text = format!(r#"{{"z":1,"meta":{meta},"actions":[]}}"#);
        let (id, kept) = canonical(text.as_bytes(), "ludo@1", Some(meta)).unwrap();
        assert_eq!(kept, format!(r#"{{"actions":[],"meta":{meta},"ruleset":"ludo@1","z":1}}"#));
        let (same, _) = canonical(kept.as_bytes(), "ludo@1", None).unwrap();
        assert_eq!(id, same);
    }

    #[test]
    fn what_has_no_canonical_form_is_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        for bad in [r#"{"a":{"b":1,"b":1}}"#, r#"{"a":1e999}"#, &deep, "[]"] {
            let fault = canonical(bad.as_bytes(), "ludo@1", None).unwrap_err();
            assert_eq!(fault.code, FaultCode::BadRecord, "{bad}");
        }
    }
}
