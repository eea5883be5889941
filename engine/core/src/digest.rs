//! The published fingerprint of a state and the chain over a replay.
//!
//! `fingerprint` = BLAKE3 of the referee's view in canonical JSON (RFC 8785). The chain starts
//! with BLAKE3 of the first fingerprint's 32 bytes, and goes on with BLAKE3 of the chain so far
//! followed by the next fingerprint. A changed fingerprint of an old record is a breaking change:
//! this module must never use a hash whose values are not promised.

use std::fmt;

use serde::Serialize;

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
/// Compact output that holds only whole numbers and plain ASCII is canonical once its keys stand in
/// order; everything else goes through the library. Declaring the fields of a view in alphabetical
/// order saves it the sorting.
pub fn canonical<V: Serialize>(value: &V) -> Vec<u8> {
    let mut text = Vec::with_capacity(USUAL);
    if serde_json::to_writer(&mut text, value).is_ok() {
        let mut plain = Plain::new(text);
        if plain.value(0, 0) == Some(plain.text.len()) {
            return plain.text;
        }
    }
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}

/// Which bytes stand for themselves within a string: plain ASCII but quotes and backslashes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};

/// Room for the text of a usual view.
const USUAL: usize = 8192;

/// Compact JSON made by serde_json, read once, while the keys of every object are put in order where they stand:
/// that changes no length. Gives up on what is not canonical for sure then: text beyond plain ASCII, numbers that
/// are not whole or have more than 15 digits, a key that stands twice, great depth. May give up on canonical text.
struct Plain {
    text: Vec<u8>,
    /// The fields of the objects that are open, the innermost last.
    fields: Vec<Field>,
    /// Where fields are put aside while they change places.
    aside: Vec<u8>,
}

/// A field of an object: where its key begins and ends, without quotes, and where its value ends.
#[derive(Clone, Copy)]
struct Field {
    key: usize,
    key_end: usize,
    end: usize,
}

impl Plain {
    /// Deeper values are left to the library.
    const DEPTH: u32 = 16;

    fn new(text: Vec<u8>) -> Self {
        Plain { text, fields: Vec::new(), aside: Vec::new() }
    }

    /// Puts the value at a place in order, and gives the place after it.
    fn value(&mut self, at: usize, depth: u32) -> Option<usize> {
        match *self.text.get(at)? {
            b'{' if depth < Self::DEPTH => self.object(at, depth + 1),
            b'[' if depth < Self::DEPTH => self.list(at, depth + 1),
            b'"' => self.string(at),
            b'-' | b'0'..=b'9' => {
                let rest = &self.text[at + 1..];
                let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
                let end = at + 1 + digits;
                let whole = !matches!(self.text.get(end), Some(b'.' | b'e' | b'E'));
                (whole && digits <= 14).then_some(end)
            }
            b't' | b'n' => Some(at + 4),
            b'f' => Some(at + 5),
            _ => None,
        }
    }

    /// The place after a string of plain ASCII without escapes.
    fn string(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at + 1..)?;
        let length = rest.iter().position(|&it| !PLAIN[usize::from(it)])?;
        (rest[length] == b'"').then_some(at + length + 2)
    }

    fn list(&mut self, at: usize, depth: u32) -> Option<usize> {
        let mut at = at + 1;
        if *self.text.get(at)? == b']' {
            return Some(at + 1);
        }
        loop {
            at = self.value(at, depth)?;
            match *self.text.get(at)? {
                b']' => return Some(at + 1),
                b',' => at += 1,
                _ => return None,
            }
        }
    }

    fn object(&mut self, at: usize, depth: u32) -> Option<usize> {
        let begin = at + 1;
        if *self.text.get(begin)? == b'}' {
            return Some(begin + 1);
        }
        let first = self.fields.len();
        let mut rising = true;
        let mut at = begin;
        loop {
            let after = self.string(at)?;
            if *self.text.get(after)? != b':' {
                return None;
            }
            let (key, key_end) = (at + 1, after - 1);
            at = self.value(after + 1, depth)?;
            let before = self.fields.get(first..).and_then(<[Field]>::last);
            rising &=
                before.is_none_or(|it| self.text[it.key..it.key_end] < self.text[key..key_end]);
            self.fields.push(Field { key, key_end, end: at });
            match *self.text.get(at)? {
                b',' => at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        if !rising {
            self.sort(begin, at, first)?;
        }
        self.fields.truncate(first);
        Some(at + 1)
    }

    /// Puts the fields of an object that fills these places in the order of their keys. Nothing where a key
    /// stands twice.
    fn sort(&mut self, begin: usize, end: usize, first: usize) -> Option<()> {
        let Plain { text, fields, aside } = self;
        let fields = &mut fields[first..];
        let key = |it: &Field| &text[it.key..it.key_end];
        fields.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        if fields.windows(2).any(|pair| key(&pair[0]) == key(&pair[1])) {
            return None;
        }
        aside.clear();
        aside.extend_from_slice(&text[begin..end]);
        let mut to = begin;
        for (nth, field) in fields.iter().enumerate() {
            if nth > 0 {
                text[to] = b',';
                to += 1;
            }
            // With the quote before the key.
            let field = &aside[field.key - 1 - begin..field.end - begin];
            text[to..to + field.len()].copy_from_slice(field);
            to += field.len();
        }
        Some(())
    }
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
    use serde_json::json;

    use super::*;

    /// What the short way makes of a text, if it does not give up.
    fn short_way(text: &[u8]) -> Option<Vec<u8>> {
        let mut plain = Plain::new(text.to_vec());
        (plain.value(0, 0)? == text.len()).then_some(plain.text)
    }

    #[test]
    fn the_short_way_gives_what_the_library_gives() {
        for text in [
            r#"{"a":1,"b":[{"c":"x","d":null},{"a":true}],"c":{"z":-5}}"#,
            r#"{"b":1,"a":2}"#,
            r#"{"10":[],"9":{},"a":{"z":[{"y":1,"x":{"d":[1,2],"c":false}}],"b":""}}"#,
            r#"{"key":{"b":{"d":0,"c":-1},"a":"b"},"ke":"y","k":[[[]]]}"#,
            "[]",
            "{}",
            r#""plain""#,
            "-12",
            "null",
        ] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let expected = serde_json_canonicalizer::to_vec(&value).unwrap();
            assert_eq!(short_way(text.as_bytes()), Some(expected), "{text}");
        }
        #[derive(serde::Serialize)]
        struct Turned {
            b: u8,
            a: u8,
        }
        assert_eq!(canonical(&Turned { b: 1, a: 2 }), br#"{"a":2,"b":1}"#);
        for text in [
            r#"{"a":1,"a":2}"#,
            r#"{"b":1,"a":1,"b":2}"#,
            r#"[1.5]"#,
            r#"[1e3]"#,
            r#"[12345678901234567890]"#,
            r#"["\u0007"]"#,
            r#"["\""]"#,
            "[\"ß\"]",
            "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
        ] {
            assert_eq!(short_way(text.as_bytes()), None, "{text}");
        }
        assert_eq!(
            canonical(&json!({"ß": 1.5, "a": [1e3]})),
            "{\"a\":[1000],\"ß\":1.5}".as_bytes()
        );
    }
}
