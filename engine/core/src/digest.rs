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
    if let Ok(text) = serde_json::to_vec(value) {
        let mut plain =
            Plain { text: &text, sorted: Vec::with_capacity(text.len()), turned: false };
        if plain.value(0, 0) == Some(text.len()) {
            return if plain.turned { plain.sorted } else { text };
        }
    }
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}

/// Compact JSON made by serde_json, read once and written with the keys of every object in order.
/// Gives up on what is not canonical for sure then: text beyond plain ASCII, numbers that are not whole
/// or have more than 15 digits, a key that stands twice, great depth. May give up on canonical text.
struct Plain<'a> {
    text: &'a [u8],
    sorted: Vec<u8>,
    /// Whether the keys of any object stood otherwise.
    turned: bool,
}

impl<'a> Plain<'a> {
    /// Deeper values are left to the library.
    const DEPTH: u32 = 16;

    /// Writes the value at a place, and gives the place after it.
    fn value(&mut self, at: usize, depth: u32) -> Option<usize> {
        match *self.text.get(at)? {
            b'{' if depth < Self::DEPTH => self.object(at, depth + 1),
            b'[' if depth < Self::DEPTH => self.list(at, depth + 1),
            b'"' => {
                let (string, end) = self.string(at)?;
                self.sorted.push(b'"');
                self.sorted.extend_from_slice(string);
                self.sorted.push(b'"');
                Some(end)
            }
            b'-' | b'0'..=b'9' => {
                let rest = &self.text[at + 1..];
                let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
                let end = at + 1 + digits;
                let whole = !matches!(self.text.get(end), Some(b'.' | b'e' | b'E'));
                (whole && digits <= 14).then(|| self.copy(at, end))
            }
            b't' | b'n' => Some(self.copy(at, at + 4)),
            b'f' => Some(self.copy(at, at + 5)),
            _ => None,
        }
    }

    fn copy(&mut self, from: usize, to: usize) -> usize {
        self.sorted.extend_from_slice(self.text.get(from..to).unwrap_or_default());
        to
    }

    /// The text of a string of plain ASCII without escapes, and the place after it.
    fn string(&self, at: usize) -> Option<(&'a [u8], usize)> {
        let rest = self.text.get(at + 1..)?;
        let plain = |&it: &u8| (b' '..0x7f).contains(&it) && it != b'\\' && it != b'"';
        let length = rest.iter().position(|it| !plain(it))?;
        (rest[length] == b'"').then(|| (&rest[..length], at + length + 2))
    }

    fn list(&mut self, at: usize, depth: u32) -> Option<usize> {
        let mut at = self.copy(at, at + 1);
        if *self.text.get(at)? == b']' {
            return Some(self.copy(at, at + 1));
        }
        loop {
            at = self.value(at, depth)?;
            let end = *self.text.get(at)?;
            at = self.copy(at, at + 1);
            match end {
                b']' => return Some(at),
                b',' => {}
                _ => return None,
            }
        }
    }

    fn object(&mut self, at: usize, depth: u32) -> Option<usize> {
        let mut at = self.copy(at, at + 1);
        if *self.text.get(at)? == b'}' {
            return Some(self.copy(at, at + 1));
        }
        let begin = self.sorted.len();
        // Each key with where its field, key included, was written.
        let mut fields: Vec<(&'a [u8], std::ops::Range<usize>)> = Vec::new();
        let mut rising = true;
        loop {
            let (key, after) = self.string(at)?;
            if *self.text.get(after)? != b':' {
                return None;
            }
            let from = self.sorted.len();
            self.copy(at, after + 1);
            at = self.value(after + 1, depth)?;
            rising &= fields.last().is_none_or(|(before, _)| *before < key);
            fields.push((key, from..self.sorted.len()));
            match *self.text.get(at)? {
                b',' => at = self.copy(at, at + 1),
                b'}' => break,
                _ => return None,
            }
        }
        if !rising {
            self.turned = true;
            fields.sort_unstable_by_key(|(key, _)| *key);
            if fields.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return None;
            }
            let written = self.sorted.split_off(begin);
            for (nth, (_, field)) in fields.iter().enumerate() {
                if nth > 0 {
                    self.sorted.push(b',');
                }
                self.sorted.extend_from_slice(&written[field.start - begin..field.end - begin]);
            }
        }
        Some(self.copy(at, at + 1))
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
        let mut plain = Plain { text, sorted: Vec::new(), turned: false };
        (plain.value(0, 0)? == text.len()).then_some(plain.sorted)
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
