//! Advice: the best actions for a seat, and the odds of an action.
//!
//! A record is sent, or named by the id under which it is stored. A hint uses only what its seat
//! can know, so a token bound to a seat may ask for that seat. This module must not compute advice.

use actix_web::HttpResponse;
use actix_web::web::Data;
use umpire_referee::query::NoParameters;
use umpire_referee::questions::hint::{HintRequest, hint};
use umpire_referee::questions::odds::{OddsRequest, odds};

use super::dispute::{SUBJECT_ERRORS, job};
use crate::http::error::{ApiError, Code};
use crate::http::query::Query;
use crate::routes::access::{Caller, Reader};
use crate::routes::sent::{Content, Sent};
use crate::service::Service;

/// What to do instead of a hint that takes too long.
const INSTEAD: &str = "ask for fewer simulations, or for an analysis of the record, which is a job (POST /v1/analyses)";

/// The same at a table.
pub const INSTEAD_AT_TABLE: &str = "ask for fewer simulations";

impl Content for HintRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

impl Content for OddsRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Advises a seat.
///
/// Returns the best actions with the winning chances found by search, given what the seat can know:
/// two positions that it cannot tell apart give the same response, byte for byte. The budget is a
/// number of simulations; the same question gives the same response on every machine. Of a large
/// family of actions only some are tried. Every chance has its standard error. For larger budgets,
/// start a job with `POST /v1/analyses`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/hint", tag = "analysis", operation_id = "create_hint",
    request_body(content = HintRequest, description = "A record, a seat and a budget.", content_type = "application/json"),
    responses((status = 200, description = "The best actions.", body = umpire_referee::schemas::Hint))
))]
pub async fn create_hint(
    caller: Caller,
    reader: Reader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<HintRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, hint).await.map_err(|error| error.instead(INSTEAD))
}

/// Computes the odds of an action.
///
/// Returns what can happen next, how likely it is, and by which clauses. All results of dice and
/// cards are enumerated, so the probabilities are exact fractions. If the viewer lacks some of the
/// information, they are the mean over the positions that are possible for that viewer, and `exact`
/// is false. The response shows only what the viewer would see.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/odds", tag = "analysis", operation_id = "create_odds",
    request_body(content = OddsRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "The possible outcomes, the most likely first.", body = umpire_referee::schemas::Odds))
))]
pub async fn create_odds(
    caller: Caller,
    reader: Reader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<OddsRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, odds).await
}
