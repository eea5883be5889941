//! A record under other readings: a dispute, settled.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_conformance::precedent;
use umpire_engine::dispute::readings::{Adjudication, Dispute, ReadingChoice};
use umpire_engine::record::{Fault, FaultCode};

use super::{Answer, Asked, incomplete, read, unanswered};
use crate::json;
use crate::language::Language;
use crate::problem::Problem;
use crate::reading::Submission;

/// A dispute about a record.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AdjudicationRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    pub record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    pub id: Option<Cow<'a, str>>,
    /// The ply in question.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    pub ply: Option<u32>,
    /// A proposed action at that ply; without a ply, after the last action. It replaces the
    /// record's action at that ply and everything after it.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Action, required = false))]
    pub action: Option<&'a RawValue>,
    /// The readings to compare with the record's own. By default every other reading of every
    /// selectable ruling, one at a time, and every other edition.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 256))]
    pub readings: Option<Vec<ReadingChoice>>,
    /// A seed for draws that never happened; what follows from them is hypothetical. The default is
    /// the seed of the record.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    pub seed: Option<Cow<'a, str>>,
    /// Include the record, converted, with each reading that needs another format.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = false))]
    pub records: bool,
}

/// The maximum number of readings that are compared at once.
const MOST_READINGS: usize = 256;

/// What makes no sheet.
pub type NoSheet = fn(&Submission<'_>, &Dispute<'_>, &Adjudication) -> Result<(), Problem>;

/// Settles the dispute of a request. `sheet` makes something of it, a verdict sheet say; it is not
/// called for a record with unknowns.
///
/// # Errors
/// The request is invalid, its record cannot be replayed, or there is no sheet of it.
pub fn adjudicate<T>(
    asked: &Asked<'_>,
    text: &[u8],
    lang: Language,
    sheet: Option<impl FnOnce(&Submission<'_>, &Dispute<'_>, &Adjudication) -> Result<T, Problem>>,
) -> Result<(Answer, Option<T>), Problem> {
    let request: AdjudicationRequest<'_> = read(text)?;
    if request.readings.as_ref().is_some_and(|list| list.len() > MOST_READINGS) {
        let detail = format!("too many readings; at most {MOST_READINGS} can be compared at once");
        return Err(Fault::new(FaultCode::BadOptions, "/readings", detail).into());
    }
    let dispute = Dispute {
        readings: request.readings.as_deref(),
        ply: request.ply,
        action: request.action,
        seed: request.seed.as_deref(),
        records: request.records,
        brief: false,
    };
    let limits = asked.limits();
    if let Some((game, partial)) = incomplete(request.record, request.id.as_deref())? {
        if sheet.is_some() {
            return Err(Fault::new(FaultCode::BadRecord, "/record", NO_SHEET).into());
        }
        let mut settled =
            game.adjudicate_partial(&partial, &dispute, limits).map_err(unanswered)?;
        precedent::link(&mut settled);
        let voice = lang.of(game);
        return Ok(((voice.answer(json::text(&settled)), voice), None));
    }
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let settled = submission.game.adjudicate(&submission.record, &dispute, limits);
        let mut settled = settled.map_err(unanswered)?;
        precedent::link(&mut settled);
        let voice = lang.of(submission.game);
        let answer = voice.answer(json::text(&settled));
        let sheet = sheet.map(|make| make(submission, &dispute, &settled)).transpose()?;
        Ok(((answer, voice), sheet))
    })
}

/// Why no sheet is made of a dispute about a record with unknowns.
pub const NO_SHEET: &str = "sheets are made only of complete records, and this one has unknowns; settle the record of a witness instead";
