//! Fields of a record that nobody knows: refused, unless whoever asks allows them.
//!
//! They are never read; where they are allowed, their names are told, so that nothing is dropped in silence.
//! Must not decide whether they are allowed.

use std::borrow::Cow;

use super::envelope::RawRecord;
use super::fault::{Fault, FaultCode};
use super::meta::Fields;
use super::reading::{read, utf8};

/// The names of the fields of a record.
pub const FIELDS: [&str; 12] = [
    "format",
    "game",
    "ruleset",
    "options",
    "players",
    "chance",
    "position",
    "actions",
    "claims",
    "checkpoints",
    "note",
    "meta",
];

/// A record's text without the fields that nobody knows.
#[derive(Debug)]
pub struct Sieved<'a> {
    text: Cow<'a, str>,
    unknown: Vec<String>,
}

impl<'a> Sieved<'a> {
    /// Puts the fields of a record that nobody knows aside. What is no object is left as it is.
    ///
    /// # Errors
    /// The text is no UTF-8.
    pub fn of(text: &'a [u8]) -> Result<Self, Fault> {
        let text = utf8(text)?;
        let whole = || Sieved { text: Cow::Borrowed(text), unknown: Vec::new() };
        let Ok(Fields(fields)) = read::<Fields<'_>>(text, FaultCode::BadRecord, "") else {
            return Ok(whole());
        };
        let (known, unknown): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| FIELDS.contains(&name.as_str()));
        if unknown.is_empty() {
            return Ok(whole());
        }
        let known: Vec<String> =
            known.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let text = Cow::Owned(format!("{{{}}}", known.join(",")));
        Ok(Sieved { text, unknown: unknown.into_iter().map(|(name, _)| name).collect() })
    }

    /// Reads the envelope of the record, which then knows the names of the fields put aside.
    ///
    /// # Errors
    /// What is wrong with the rest.
    pub fn read(&self) -> Result<RawRecord<'_>, Fault> {
        let record = RawRecord::read(self.text.as_bytes())?;
        Ok(RawRecord { unknown: self.unknown.clone(), ..record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = r#""format":"umpire/1","game":"ludo","chance":{"seed":"x"},"actions":[]"#;

    #[test]
    fn the_names_of_the_fields_are_those_that_are_read() {
        let text = format!("{{{PLAIN},\"colour\":1}}");
        let fault = RawRecord::read(text.as_bytes()).unwrap_err();
        let known = fault.detail.rsplit_once("the fields are ").unwrap().1;
        assert_eq!(known, FIELDS.join(", "));
    }

    #[test]
    fn unknown_fields_are_put_aside_and_named() {
        let text = format!(
            "{{\"colour\":{{\"format\":7}},{PLAIN},\"meta\":{{ \"a\" : 1.0 }},\"unknown\":[]}}"
        );
        let sieved = Sieved::of(text.as_bytes()).unwrap();
        let record = sieved.read().unwrap();
        assert_eq!(record.unknown, ["colour", "unknown"]);
        assert_eq!(record.game, "ludo");
        assert_eq!(record.meta.unwrap().text, "{ \"a\" : 1.0 }");
        assert!(RawRecord::read(text.as_bytes()).is_err());
    }

    #[test]
    fn what_is_wrong_with_the_rest_is_told_all_the_same() {
        for (text, pointer) in [
            (r#"{"colour":1,"format":"umpire/1","game":7}"#, "/game"),
            (r#"{"colour":1,"colour":2}"#, "/colour"),
            ("[1]", ""),
        ] {
            let sieved = Sieved::of(text.as_bytes()).unwrap();
            assert_eq!(sieved.read().unwrap_err().pointer, pointer, "{text}");
        }
    }
}
