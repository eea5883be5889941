//! How an illegal record may be repaired.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::dispute::repair::RepairBounds;

use super::{Answer, Asked, read, within, within_bounds};
use crate::json;
use crate::language::Language;
use crate::problem::Problem;

/// A record to repair.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RepairRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The maximum number of repairs.
    #[serde(default = "five")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20, default = 5))]
    most: usize,
    /// The maximum number of edits to combine in one repair.
    #[serde(default = "three")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 3, default = 3))]
    edits: usize,
}

fn five() -> usize {
    5
}

fn three() -> usize {
    3
}

/// Proposes repairs of the record of a request.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn repair(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<Answer, Problem> {
    let request: RepairRequest<'_> = read(text)?;
    let RepairRequest { most, edits, .. } = request;
    within_bounds("most", u32::try_from(most).unwrap_or(u32::MAX), 20)?;
    within_bounds("edits", u32::try_from(edits).unwrap_or(u32::MAX), 3)?;
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let bounds = RepairBounds { most, edits, ..RepairBounds::default() };
        let found = submission.game.repair(&submission.record, bounds, asked.limits());
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&found.map_err(|fault| within(fault, "/record"))?)), voice))
    })
}
