//! What can be done about an illegal record.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Answer, Asked, read, within};
use crate::json;
use crate::language::Language;
use crate::problem::Problem;

/// An illegal record.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RemedyRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
}

/// Lists the remedies for the record of a request.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn remedy(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<Answer, Problem> {
    let request: RemedyRequest<'_> = read(text)?;
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let found = submission.game.remedy(&submission.record, asked.limits());
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&found.map_err(|fault| within(fault, "/record"))?)), voice))
    })
}
