//! Why a ply went as it did.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::replay;

use super::{Answer, Asked, read, unanswered, viewer};
use crate::json;
use crate::language::Language;
use crate::problem::Problem;

/// A ply to explain.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ExplanationRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply: the number of actions before the one to explain. 0 includes the opening.
    #[cfg_attr(feature = "schema", schema(minimum = 0))]
    ply: u32,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

/// Explains the ply of a request.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn explain(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<Answer, Problem> {
    let request: ExplanationRequest<'_> = read(text)?;
    asked.view_of(request.record, request.id.as_deref(), |submission, eyes| {
        let query = replay::Query {
            viewer: viewer(submission.game, request.viewer.as_deref(), eyes)?,
            ply: Some(request.ply),
            limits: asked.limits(),
            ..replay::Query::default()
        };
        let found = submission.game.explain(&submission.record, &query).map_err(unanswered)?;
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&found)), voice))
    })
}
