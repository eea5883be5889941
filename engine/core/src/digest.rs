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
/// Compact output whose keys already stand in order, and that holds only whole numbers and plain
/// ASCII, is canonical as it is; everything else goes through the library. Declaring the fields
/// of a view in alphabetical order saves it the longer way.
pub fn canonical<V: Serialize>(value: &V) -> Vec<u8> {
    if let Ok(text) = serde_json::to_vec(value)
        && is_canonical(&text)
    {
        return text;
    }
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}

/// Whether compact JSON made by serde_json is canonical for sure: plain ASCII text, whole numbers
/// of at most 15 digits, the keys of every object in rising order. May say no of canonical text.
fn is_canonical(text: &[u8]) -> bool {
    /// Deeper values are left to the library.
    const DEPTH: usize = 16;
    // The last key of every open object; `None` in a list or before the first key.
    let mut last: [Option<&[u8]>; DEPTH] = [None; DEPTH];
    let mut depth = 0;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth == DEPTH {
                    return false;
                }
                last[depth] = None;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'"' => {
                let start = at + 1;
                let Some(length) = text[start..].iter().position(|&it| it == b'"') else {
                    return false;
                };
                let string = &text[start..start + length];
                if !string.iter().all(|&it| (b' '..0x7f).contains(&it) && it != b'\\') {
                    return false;
                }
                at = start + length + 1;
                if text.get(at) == Some(&b':') {
                    if last[depth].is_some_and(|before| before >= string) {
                        return false;
                    }
                    last[depth] = Some(string);
                    at += 1;
                }
            }
            b'-' | b'0'..=b'9' => {
                let digits = text[at + 1..].iter().take_while(|&&it| it.is_ascii_digit()).count();
                let end = text.get(at + 1 + digits);
                if digits > 14 || matches!(end, Some(b'.' | b'e' | b'E')) {
                    return false;
                }
                at += digits + 1;
            }
            _ => at += 1,
        }
    }
    true
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

    #[test]
    fn the_short_way_says_yes_only_to_canonical_text() {
        for value in [
            json!({"a": 1, "b": [{"c": "x", "d": null}, {"a": true}], "c": {"z": -5}}),
            json!([]),
            json!({}),
            json!("plain"),
            json!({"a": {"b": 1}, "b": {"a": 1}}),
        ] {
            let text = serde_json::to_vec(&value).unwrap();
            assert!(is_canonical(&text), "{value}");
            assert_eq!(text, serde_json_canonicalizer::to_vec(&value).unwrap());
        }
        #[derive(serde::Serialize)]
        struct Turned {
            b: u8,
            a: u8,
        }
        assert_eq!(canonical(&Turned { b: 1, a: 2 }), br#"{"a":2,"b":1}"#);
        for text in [
            r#"{"b":1,"a":2}"#,
            r#"{"a":1,"a":2}"#,
            r#"[1.5]"#,
            r#"[1e3]"#,
            r#"[12345678901234567890]"#,
            r#"["\u0007"]"#,
            r#"["\""]"#,
            "[\"ß\"]",
            "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
        ] {
            assert!(!is_canonical(text.as_bytes()), "{text}");
        }
    }
}
