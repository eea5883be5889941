//! The envelope of a record: everything but what belongs to the game, which stays text.
//!
//! Must not read options, positions or actions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::checkpoint::{self, Checkpoints};
use super::fault::{Fault, FaultCode};
use super::meta::{self, Meta};
use super::reading::{read, utf8};
use crate::chance::EntryOf;
use crate::chance::fair::Transcript;
use crate::wire::Note;

/// The only version of the record's shape.
pub const FORMAT: &str = "umpire/1";

/// A record whose envelope has been read; the parts of the game are still text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RawRecord<'a> {
    /// Version of this shape.
    #[serde(borrow)]
    pub format: Cow<'a, str>,
    /// A registered game.
    #[serde(borrow)]
    pub game: Cow<'a, str>,
    /// Game and version of its rules.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub ruleset: Option<Cow<'a, str>>,
    /// Edition, rulings, and what the game's setup needs.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub options: Option<&'a RawValue>,
    /// Names by seat.
    #[serde(default, deserialize_with = "players")]
    pub players: Option<BTreeMap<String, String>>,
    /// Seed, tape, or both.
    #[serde(borrow)]
    pub chance: ChanceField<'a>,
    /// Where to start from, instead of a new game.
    #[serde(borrow, default)]
    pub position: Option<&'a RawValue>,
    /// The decisions, in order.
    #[serde(borrow)]
    pub actions: &'a RawValue,
    /// What the record says of itself.
    #[serde(default, deserialize_with = "crate::wire::present")]
    pub claims: Option<Claims>,
    /// What is said of moments of the game; checked as claims are.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub checkpoints: Option<Checkpoints<'a>>,
    /// Free text, kept byte for byte and never judged.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub note: Option<Note<'a>>,
    /// Values that nobody judges, kept byte for byte.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub meta: Option<Meta<'a>>,
    /// The names of fields that nobody knows, where they are allowed ([`Sieved`](super::Sieved)).
    #[serde(skip)]
    pub unknown: Vec<String>,
}

fn players<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<BTreeMap<String, String>>, D::Error> {
    crate::wire::string_map(from).map(Some)
}

/// The `chance` of a record.
#[derive(Debug, Default)]
pub struct ChanceField<'a> {
    /// The seed.
    pub seed: Option<Cow<'a, str>>,
    /// The tape.
    pub tape: Option<Vec<EntryOf<'a>>>,
    /// How the seed was drawn, where all at a table drew it together; checked as claims are.
    pub fair: Option<Transcript>,
}

impl<'de: 'a, 'a> Deserialize<'de> for ChanceField<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, expecting = "an object")]
        struct Fields<'a> {
            #[serde(borrow, default, deserialize_with = "crate::wire::present")]
            seed: Option<Cow<'a, str>>,
            #[serde(borrow, default, deserialize_with = "crate::wire::present")]
            tape: Option<Vec<EntryOf<'a>>>,
            #[serde(default, deserialize_with = "crate::wire::present")]
            fair: Option<Transcript>,
        }
        let Fields { seed, tape, fair } = Fields::deserialize(from)?;
        if seed.is_none() && tape.is_none() {
            return Err(serde::de::Error::custom("a seed, a tape, or both are expected"));
        }
        Ok(ChanceField { seed, tape, fair })
    }
}

/// What a record says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Claims {
    /// How the game ended.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<ClaimedOutcome>,
    /// The fingerprint of the last state.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fingerprint: Option<String>,
    /// The status: `complete`, `in_progress`, `illegal` or `bad_chance`.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<String>,
    /// The number of accepted actions.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    pub plies: Option<u32>,
}

/// The claimed end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ClaimedOutcome {
    /// The winner's seat, or `null` for a game without one.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    pub winner: Option<Option<String>>,
    /// The reason.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub reason: Option<String>,
}

impl<'a> RawRecord<'a> {
    /// Reads the envelope of a record.
    pub fn read(text: &'a [u8]) -> Result<RawRecord<'a>, Fault> {
        let text = utf8(text)?;
        let record: RawRecord<'a> =
            read(text, FaultCode::BadRecord, "").map_err(|fault| below(text, fault))?;
        if record.format != FORMAT {
            let detail = format!("format {:?} is unknown; {FORMAT:?} is expected", record.format);
            return Err(Fault::new(FaultCode::UnknownFormat, "/format", detail));
        }
        Ok(record)
    }
}

/// A fault of `meta` or `checkpoints`, which are read as one text each, at the entry that it is about.
fn below(text: &str, fault: Fault) -> Fault {
    #[derive(Deserialize)]
    struct Only<'a> {
        #[serde(borrow)]
        meta: Option<&'a RawValue>,
        #[serde(borrow)]
        checkpoints: Option<&'a RawValue>,
    }
    let Ok(only) = serde_json::from_str::<Only<'_>>(text) else { return fault };
    let inner = match &*fault.pointer {
        "/meta" => only.meta.and_then(|it| meta::entries(it.get()).err()),
        "/checkpoints" => only.checkpoints.and_then(|it| checkpoint::list(it.get()).err()),
        _ => None,
    };
    inner.filter(|inner| inner.code == fault.code).unwrap_or(fault)
}
