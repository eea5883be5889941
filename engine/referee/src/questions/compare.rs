//! Where two records diverge.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::dispute::compare::{FaultOf, PlyMark};
use umpire_engine::record::{Fault, FaultCode};

use super::{Asked, read, within};
use crate::json;
use crate::problem::Problem;

/// Two records, or a record and the fingerprints of another engine.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ComparisonRequest<'a> {
    /// The first record; or give its `id`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The second record; or give its `other_id`, or `fingerprints`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    other: Option<&'a RawValue>,
    /// The id of a stored record, instead of `other`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    other_id: Option<Cow<'a, str>>,
    /// Fingerprints of some plies by another engine, instead of a second record. A few are enough:
    /// the response says which one to send next.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 100001))]
    fingerprints: Option<Vec<PlyMark>>,
    /// Whether these are chain fingerprints rather than state fingerprints. With chain fingerprints
    /// the first difference is certain to be found.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = false))]
    chain: bool,
}

/// Compares the records of a request, or a record and fingerprints.
///
/// # Errors
/// The request is invalid, or one of its records cannot be replayed.
pub fn compare(asked: &Asked<'_>, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let request: ComparisonRequest<'_> = read(text)?;
    let limits = asked.limits();
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let Some(marks) = &request.fingerprints else {
            return asked.about(request.other, request.other_id.as_deref(), "/other", |other| {
                let found = submission.game.compare([&submission.record, &other.record], limits);
                let found = found.map_err(|FaultOf { record, fault }| {
                    within(fault, if record == 0 { "/record" } else { "/other" })
                })?;
                Ok(json::text(&found))
            });
        };
        if request.other.is_some() || request.other_id.is_some() {
            let detail = "expected either a second record or fingerprints";
            return Err(Fault::new(FaultCode::BadRecord, "/fingerprints", detail).into());
        }
        let found =
            submission.game.compare_prints(&submission.record, marks, request.chain, limits);
        Ok(json::text(&found.map_err(|fault| within(fault, "/record"))?))
    })
}
