//! Checks a document without trusting it: its hash, its signature, what the page shows, and whether
//! this engine settles the dispute in the same way.
//!
//! This module must not say who owns a key, and must not print.

use serde::Serialize;
use serde_json::{Value, json};
use umpire_conformance::precedent;
use umpire_engine::dispute::readings::Dispute;
use umpire_engine::replay::Limits;

use super::contents::Contents;
use super::{Asked, Document, Draft, html};
use crate::http::error::ApiError;
use umpire_referee::reading::{self, UnknownFields};

/// The result of checking a signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Signed {
    /// The sheet is not signed.
    Unsigned,
    /// The signature is valid, by the expected key if there is one.
    Good {
        /// The key.
        public_key: String,
    },
    /// The signature is valid, but not by the expected key.
    OtherKey {
        /// The key.
        public_key: String,
    },
    /// The signature is invalid.
    Bad {
        /// What is wrong.
        why: String,
    },
}

/// How this engine settles the same dispute.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Again {
    /// The same sheet, byte for byte.
    Same,
    /// The same answer, but these parts of the sheet are worded differently.
    SameAnswer {
        /// The version of the engine that made the sheet.
        engine: String,
        /// The parts that differ, as JSON pointers.
        parts: Vec<String>,
    },
    /// A different answer.
    Differs {
        /// The version of the engine that made the sheet.
        engine: String,
        /// The parts that differ, as JSON pointers.
        parts: Vec<String>,
    },
    /// No answer: the dispute cannot be settled again.
    Failed {
        /// Why.
        why: String,
    },
}

/// The result of checking a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Checked {
    /// Whether the hash in the document is that of the sheet.
    pub hash: bool,
    /// What the signature is worth.
    pub signature: Signed,
    /// For a page: whether it shows what this version would print.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<bool>,
    /// How this engine settles the same dispute.
    pub again: Again,
}

impl Checked {
    /// Whether the document can be trusted: the hash is right, the signature is valid and by the
    /// expected key if there is one, the page shows the sheet, and this engine gives the same
    /// answer. Parts that only differ in wording must be covered by the signature.
    pub fn holds(&self) -> bool {
        let signed = matches!(self.signature, Signed::Good { .. });
        let same = match self.again {
            Again::Same => true,
            Again::SameAnswer { .. } => signed,
            Again::Differs { .. } | Again::Failed { .. } => false,
        };
        let by_nobody_else = signed || self.signature == Signed::Unsigned;
        self.hash && by_nobody_else && self.page != Some(false) && same
    }
}

/// Checks a document. `text` is what it was parsed from; `key` the public key that must have signed
/// it.
///
/// If a key is expected and the document is not signed, the signature is `Bad`.
pub fn check(document: &Document, text: &[u8], key: Option<&str>, limits: Limits<'_>) -> Checked {
    let sheet = document.sheet.as_bytes();
    let hash = blake3::hash(sheet).to_hex().as_str() == document.blake3;
    let signature = match (&document.signature, key) {
        (None, None) => Signed::Unsigned,
        (None, Some(_)) => Signed::Bad { why: "the sheet is not signed".to_owned() },
        (Some(signature), key) => {
            let public_key = signature.public_key.clone();
            match signature.check(sheet) {
                Err(why) => Signed::Bad { why },
                Ok(()) if key.is_some_and(|key| key != public_key) => {
                    Signed::OtherKey { public_key }
                }
                Ok(()) => Signed::Good { public_key },
            }
        }
    };
    let is_page = text.trim_ascii_start().starts_with(b"<");
    let page = is_page.then(|| {
        let contents = Contents::of(document);
        contents.is_ok_and(|contents| html::write(document, &contents).as_bytes() == text)
    });
    let again = again(&document.sheet, limits).unwrap_or_else(|why| Again::Failed { why });
    Checked { hash, signature, page, again }
}

/// Settles the dispute of a sheet again.
fn again(sheet: &str, limits: Limits<'_>) -> Result<Again, String> {
    let had: Value = serde_json::from_str(sheet).map_err(|error| error.to_string())?;
    let asked: Asked = serde_json::from_value(had["asked"].clone())
        .map_err(|error| format!("its question cannot be read: {error}"))?;
    let action = asked.action.as_ref().map(serde_json::value::to_raw_value).transpose();
    let action = action.map_err(|error| error.to_string())?;
    let record = had["record"].to_string();
    let draft: Result<Draft, ApiError> =
        reading::with_fields(record.as_bytes(), UnknownFields::Keep, |submission| {
            let dispute = Dispute {
                readings: asked.readings.as_deref(),
                ply: asked.ply,
                action: action.as_deref(),
                seed: asked.seed.as_deref(),
                records: asked.records,
                brief: false,
            };
            let mut settled = submission.game.adjudicate(&submission.record, &dispute, limits)?;
            precedent::link(&mut settled);
            Ok(Draft::of(submission, &dispute, &settled, limits)?)
        });
    let draft = draft.map_err(|error| error.to_string())?;
    if draft.text == sheet {
        return Ok(Again::Same);
    }
    let now: Value = serde_json::from_str(&draft.text).map_err(|error| error.to_string())?;
    let engine = had["engine"].as_str().unwrap_or("?").to_owned();
    let parts = parts(&had, &now);
    Ok(match answer(&had) == answer(&now) {
        true => Again::SameAnswer { engine, parts },
        false => Again::Differs { engine, parts },
    })
}

/// The parts of a sheet that differ.
fn parts(had: &Value, now: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    let mut compare = |at: &str, had: &Value, now: &Value| {
        let names = [had, now].into_iter().filter_map(Value::as_object).flat_map(|it| it.keys());
        let names: std::collections::BTreeSet<&String> = names.collect();
        let other = names.into_iter().filter(|name| had[name.as_str()] != now[name.as_str()]);
        parts.extend(other.map(|name| format!("{at}/{name}")).filter(|it| it != "/adjudication"));
    };
    compare("", had, now);
    compare("/adjudication", &had["adjudication"], &now["adjudication"]);
    parts
}

/// The answer of a sheet, without its wording.
fn answer(sheet: &Value) -> Value {
    let settled = &sheet["adjudication"];
    let course = |course: &Value| {
        let violation = &course["violation"];
        json!([
            course["status"],
            course["plies"],
            course["outcome"],
            course["draws"],
            course["answer"],
            course["fingerprint"],
            violation["ply"],
            violation["rule"],
            violation["code"],
        ])
    };
    let readings = settled["readings"].as_array().into_iter().flatten();
    let readings: Vec<Value> = readings
        .map(|it| json!([it["reading"], it["class"], it["changes"], course(&it["course"])]))
        .collect();
    json!([
        sheet["record_blake3"],
        sheet["record"],
        sheet["asked"],
        settled["ruleset"],
        settled["options"],
        settled["question"],
        course(&settled["recorded"]),
        readings,
    ])
}
