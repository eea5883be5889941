//! The odds of an action.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::chances::{NoAnswer, OddsQuery};
use umpire_engine::replay;
use umpire_engine::replay::answer::Unanswered;

use super::{Asked, read, unanswered, viewer};
use crate::json;
use crate::problem::Problem;

/// A request for the odds of an action.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct OddsRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

/// Computes the odds of the action of a request.
///
/// # Errors
/// The request is invalid, its record cannot be replayed, or the action is illegal.
pub fn odds(asked: &Asked<'_>, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let request: OddsRequest<'_> = read(text)?;
    asked.view_of(request.record, request.id.as_deref(), |submission, eyes| {
        let query = replay::Query {
            viewer: viewer(submission.game, request.viewer.as_deref(), eyes)?,
            ply: request.ply,
            limits: asked.limits(),
            ..replay::Query::default()
        };
        let question = OddsQuery { query, action: request.action.get() };
        let odds = submission.game.odds(&submission.record, &question);
        let odds = odds.map_err(|error| match error {
            NoAnswer::Unanswered(Unanswered::Fault(fault))
                if fault.pointer.starts_with("/action/") || fault.pointer == "/action" =>
            {
                fault.into()
            }
            NoAnswer::Unanswered(error) => unanswered(error),
            error => error.into(),
        })?;
        Ok(json::text(&odds))
    })
}
