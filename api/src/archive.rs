//! What it takes to keep a record: its canonical text, its id, its verdict, and what a list shows.
//!
//! The id is BLAKE3 of the record in canonical JSON (RFC 8785) with its ruleset filled in, so the
//! same record has the same id wherever it is stored. This module must not store anything itself.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use umpire_engine::erased::{Judgement, Limits, Status};
use umpire_engine::record::{Fault, FaultCode};

use crate::json;
use crate::referee::{self, Opened};
use crate::store::{self, NewRecord, RecordId, Summary};

/// A record that was judged and could be kept.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What the store is given.
    pub record: NewRecord,
    /// Its judgement.
    pub judgement: Judgement,
}

/// Judges a record and brings it to the form in which it is kept.
pub fn prepare(text: &[u8], limits: Limits) -> Result<Prepared, Fault> {
    let text = &*referee::normal(text);
    let Opened { record, game } = referee::open(text)?;
    let judgement = game.judge(&record, limits)?;
    let (id, canonical) = canonical(text, &judgement.ruleset)?;
    let outcome = judgement.verdict.outcome.as_ref();
    let summary = Summary {
        game: judgement.game.to_owned(),
        ruleset: judgement.ruleset.clone(),
        status: status(judgement.verdict.status),
        plies: judgement.verdict.plies,
        winner: outcome.and_then(|outcome| outcome.winner).map(str::to_owned),
        reason: outcome.map(|outcome| outcome.reason.to_owned()),
        players: record.players.into_iter().flatten().collect(),
        meta: record.meta.map(|meta| meta.entries).into_iter().flatten().collect(),
        verdict: String::from_utf8(json::text(&judgement)).unwrap_or_default(),
    };
    Ok(Prepared { record: NewRecord { id, record: canonical, summary }, judgement })
}

fn status(status: Status) -> store::Status {
    match status {
        Status::Complete => store::Status::Complete,
        Status::InProgress => store::Status::InProgress,
        Status::Illegal => store::Status::Illegal,
        Status::BadChance => store::Status::BadChance,
    }
}

/// The id and the canonical text of a record.
pub fn canonical(text: &[u8], ruleset: &str) -> Result<(RecordId, String), Fault> {
    let fault = |detail: String| Fault::new(FaultCode::BadRecord, "", detail);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Unique
        .deserialize(&mut reader)
        .map_err(|error| fault(format!("the record cannot be stored: {error}")))?;
    let Value::Object(mut fields) = value else {
        return Err(fault("the record is no object".to_owned()));
    };
    fields.entry("ruleset").or_insert_with(|| Value::from(ruleset));
    let text = serde_json_canonicalizer::to_string(&fields)
        .map_err(|error| fault(format!("the record cannot be stored: {error}")))?;
    let id = RecordId::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
    Ok((id, text))
}

/// Reads any JSON value in which no object has a name twice: such an object has no canonical
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
        let (id, _) = canonical(text.as_bytes(), "ludo@1").unwrap();
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
    }

    #[test]
    fn the_id_is_the_hash_of_the_text_that_is_kept() {
        let (id, text) = canonical(br#"{"b":1.0,"a":[true,null]}"#, "ludo@1").unwrap();
        assert_eq!(text, r#"{"a":[true,null],"b":1,"ruleset":"ludo@1"}"#);
        assert_eq!(id.to_string(), blake3::hash(text.as_bytes()).to_hex().as_str());
    }

    #[test]
    fn what_has_no_canonical_form_is_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        for bad in [r#"{"a":{"b":1,"b":1}}"#, r#"{"a":1e999}"#, &deep, "[]"] {
            let fault = canonical(bad.as_bytes(), "ludo@1").unwrap_err();
            assert_eq!(fault.code, FaultCode::BadRecord, "{bad}");
        }
    }
}
