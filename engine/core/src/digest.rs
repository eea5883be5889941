//! The published fingerprint of a state and the chain over a replay.
//!
//! `fingerprint` = BLAKE3 of the referee's view in canonical JSON (RFC 8785). The chain starts
//! with BLAKE3 of the first fingerprint's 32 bytes, and goes on with BLAKE3 of the chain so far
//! followed by the next fingerprint. A changed fingerprint of an old record is a breaking change:
//! this module must never use a hash whose values are not promised.

use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

mod plain;

/// 32 bytes, printed as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(blake3::Hash::from(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The fingerprint of a referee's view, or of any other value, in canonical JSON.
///
/// Views hold only strings, whole numbers, booleans, lists and objects, so canonicalising them
/// cannot fail; a value that cannot be canonicalised has the fingerprint of `null`.
pub fn fingerprint<V: Serialize>(view: &V) -> Fingerprint {
    Fingerprint(*blake3::hash(&canonical(view)).as_bytes())
}

/// A value in canonical JSON (RFC 8785).
///
/// What is usual is written in one go; what is not (see `plain`) goes through the library. Declaring the fields of a
/// view in alphabetical order saves it the sorting.
pub fn canonical<V: Serialize>(value: &V) -> Vec<u8> {
    plain::write(value).unwrap_or_else(|_| {
        serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
    })
}

/// A JSON text in canonical form as [`canonical`] gives its value, where it is written in one go. `None` where it is not
/// plain: numbers that are not whole or have more than 15 digits, keys beyond plain ASCII, lists and objects more than
/// 126 deep. `None` also where it has no canonical form: a name stands twice in an object, half a surrogate in a string.
pub fn canonical_text(text: &RawValue) -> Option<String> {
    plain::text::write(text.get()).ok().and_then(|text| String::from_utf8(text).ok())
}

/// The chain over the fingerprints of a replay, ply by ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chain(Option<[u8; 32]>);

impl Chain {
    /// Adds the next fingerprint and returns the chain up to it.
    pub fn add(&mut self, next: Fingerprint) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        if let Some(before) = &self.0 {
            hasher.update(before);
        }
        hasher.update(&next.0);
        let chain = *hasher.finalize().as_bytes();
        self.0 = Some(chain);
        Fingerprint(chain)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    /// What the short way makes of a value, if it does not give up.
    fn short_way<V: Serialize>(value: &V) -> Option<String> {
        plain::write(value).ok().map(|text| String::from_utf8(text).unwrap())
    }

    fn library<V: Serialize>(value: &V) -> String {
        serde_json_canonicalizer::to_string(value).unwrap()
    }

    /// What is made of a text, if it is not given up.
    fn by_text(text: &str) -> Option<String> {
        canonical_text(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn the_short_way_gives_what_the_library_gives() {
        for text in [
            r#"{"a":1,"b":[{"c":"x","d":null},{"a":true}],"c":{"z":-5}}"#,
            r#"{"b":1,"a":2}"#,
            r#"{"10":[],"9":{},"a":{"z":[{"y":1,"x":{"d":[1,2],"c":false}}],"b":""}}"#,
            r#"{"key":{"b":{"d":0,"c":-1},"a":"b"},"ke":"y","k":[[[]]]}"#,
            r#"{"":0,"b":{"c":{},"b":[{"z":1,"y":{"x":2,"w":3}}]},"aa":1,"a":[],"A":2}"#,
            "[]",
            "{}",
            r#""plain""#,
            "-12",
            "999999999999999",
            "-999999999999999",
            "null",
            "\"Müller\"",
            r#"["\u0007\u001f\b\t\n\f\r\"\\/\u007f\u2028😀"]"#,
            "[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(short_way(&value), Some(library(&value)), "{text}");
            assert_eq!(by_text(text), Some(library(&value)), "{text}");
        }
    }

    #[test]
    fn a_text_is_written_as_the_library_writes_its_value() {
        for text in [
            " [ 1 , -20 ,\n\t{ \"b\" : \"x\" ,\r\"a\" : [ ] } ] ",
            r#"{"b":{"d":1,"c":[{"z":0,"y":{}}]},"a":"\u0041\u00e9\n\/\"\\"}"#,
            r#"{"c":"\ud83d\udc09","b":"\u001f\u007F","a":"\\"}"#,
            "{\"b\":\"\u{7f}\u{2028}é🐉\",\"a\":[true,false,null]}",
            "0",
            "[-0]",
            "\"\"",
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(by_text(text), Some(library(&value)), "{text}");
        }
        let deep = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(by_text(&deep(126)), Some(deep(126)));
        let neither = [
            r#"{"a":1,"a":1}"#,
            r#"[{"b":0,"a":[],"b":0}]"#,
            r#"["\ud800"]"#,
            "[0.0]",
            "[0E1]",
            &deep(127),
        ];
        for text in neither {
            assert_eq!(by_text(text), None, "{text}");
        }
    }

    #[test]
    fn what_the_short_way_is_not_sure_of_is_left_to_the_library() {
        for text in [
            "[1.5]",
            "[1e3]",
            "[1000000000000000]",
            "[-1000000000000000]",
            "[12345678901234567890]",
            r#"{"ß":1}"#,
            r#"{"a\n":1}"#,
            r#"{"a\"":1}"#,
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(short_way(&value), None, "{text}");
            assert_eq!(by_text(text), None, "{text}");
        }
        let written = RawValue::from_string(r#"{"b":1,"a":2}"#.to_owned()).unwrap();
        assert_eq!(short_way(&[&written]), None);
        assert_eq!(short_way(&1u128), None);
        let twice = Pairs(&[("a", 1), ("b", 2), ("a", 3)]);
        assert_eq!(short_way(&twice), None);
        assert_eq!(
            canonical(&json!({"ß": 1.5, "a": [1e3]})),
            "{\"a\":[1000],\"ß\":1.5}".as_bytes()
        );
    }

    /// An object that is written as its fields come.
    struct Pairs(&'static [(&'static str, u8)]);

    impl Serialize for Pairs {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_map(self.0.iter().copied())
        }
    }

    /// One of each kind that serde knows.
    #[derive(Serialize)]
    struct Kinds {
        z: Unit,
        y: (u8, i16, u32),
        x: Pair,
        w: Vec<Variants>,
        v: BTreeMap<i32, char>,
        u: BTreeMap<bool, ()>,
        t: Option<Box<Kinds>>,
        #[serde(flatten)]
        s: BTreeMap<&'static str, Option<i64>>,
        a: Newtype,
    }

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct Newtype(i8);

    #[derive(Serialize)]
    struct Pair(u16, u64);

    #[derive(Serialize)]
    enum Variants {
        Unit,
        Newtype(u8),
        Tuple(u8, &'static str),
        Struct { b: u8, a: i32 },
    }

    #[test]
    fn every_kind_of_value_is_written_as_the_library_writes_it() {
        let kinds = |inner| Kinds {
            z: Unit,
            y: (10, -300, 7),
            x: Pair(9, 10),
            w: vec![
                Variants::Struct { b: 1, a: -2 },
                Variants::Unit,
                Variants::Tuple(3, "ü"),
                Variants::Newtype(4),
            ],
            v: [(-1, 'a'), (10, '"'), (2, 'é')].into(),
            u: [(true, ()), (false, ())].into(),
            t: inner,
            s: [("b", Some(-5)), ("zz", None)].into(),
            a: Newtype(-128),
        };
        let value = kinds(Some(Box::new(kinds(None))));
        assert_eq!(short_way(&value), Some(library(&value)));
        assert_eq!(short_way(&Some(Variants::Unit)).as_deref(), Some(r#""Unit""#));
    }
}
