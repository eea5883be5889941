//! Whether an action is legal, and why not.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::dispute::why::Bounds;
use umpire_engine::replay;

use super::{Answer, Asked, incomplete, read, unanswered, viewer};
use crate::json;
use crate::language::Language;
use crate::parameters::SENT;
use crate::problem::Problem;

/// A proposed action.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WhyNotRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// The ply at which it is proposed; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

/// Explains whether the action of a request is legal, and why not.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn why(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<Answer, Problem> {
    let request: WhyNotRequest<'_> = read(text)?;
    let (action, ply, limits) = (request.action.get(), request.ply, asked.limits());
    let seen_by = |viewer| replay::Query { viewer, ply, limits, ..replay::Query::default() };
    if let Some((game, partial)) = incomplete(request.record, request.id.as_deref())? {
        let viewer = viewer(game, request.viewer.as_deref(), SENT.into())?;
        let why = game.why_partial(&partial, action, &seen_by(viewer), &Bounds::default());
        let voice = lang.of(game);
        return Ok((voice.answer(json::text(&why.map_err(unanswered)?)), voice));
    }
    asked.view_of(request.record, request.id.as_deref(), |submission, eyes| {
        let viewer = viewer(submission.game, request.viewer.as_deref(), eyes)?;
        let why =
            submission.game.why(&submission.record, action, &seen_by(viewer), &Bounds::default());
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&why.map_err(unanswered)?)), voice))
    })
}
