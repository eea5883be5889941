//! Reading one value of a record strictly, so that a fault names its place.
//!
//! Must not know what the value is.

use serde::Deserialize;

use super::fault::{Fault, FaultCode};
use super::words;
use crate::wire::Trail;

/// Bytes as text, if they are UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(FaultCode::BadJson, "", format!("the text is no UTF-8 from byte {at} on"))
    })
}

/// Reads one value strictly. The fault names the place below `base`; its code is `data` unless
/// the text is no JSON at all.
pub fn read<'a, T: Deserialize<'a>>(
    text: &'a str,
    data: FaultCode,
    base: &str,
) -> Result<T, Fault> {
    read_along(text, data, base, Trail::default())
}

/// Reads an action strictly. It may have a `note`, of which the game does not know.
///
/// # Errors
/// What is wrong with it, [`FaultCode::BadRecord`], at the place below the action.
pub fn action<'a, A: Deserialize<'a>>(text: &'a str) -> Result<A, Fault> {
    read_along(text, FaultCode::BadRecord, "", Trail::noted())
}

fn read_along<'a, T: Deserialize<'a>>(
    text: &'a str,
    data: FaultCode,
    base: &str,
    trail: Trail,
) -> Result<T, Fault> {
    let error = match from_str(text, &trail) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // serde_json calls a list that is too long for its type a fault of syntax.
    let no_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_err();
    if !error.is_data() && no_json() {
        return Err(Fault::new(FaultCode::BadJson, "", format!("this is no JSON: {error}")));
    }
    let detail = words::plain(&error.to_string());
    Err(Fault::new(data, format!("{base}{}", trail.pointer()), detail))
}

/// Reads one value strictly, and nothing after it.
fn from_str<'a, T: Deserialize<'a>>(text: &'a str, trail: &Trail) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = crate::wire::strict(&mut reader, trail)?;
    reader.end()?;
    Ok(value)
}

/// How deep lists and objects may stand in one another inside an action that cannot be read.
pub(super) const DEEPEST: usize = 100;

/// How deep lists and objects stand in one another in a JSON text.
pub(super) fn nested(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                most = most.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}
