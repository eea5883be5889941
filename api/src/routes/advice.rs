//! Advice: the best actions for a seat, and the odds of an action.
//!
//! A record is sent, or named by the id under which it is stored. A hint uses only what its seat
//! can know, so a token bound to a seat may ask for that seat. This module must not compute advice:
//! the engine does, within the request's budget.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::chances::{NoAnswer, OddsQuery};
use umpire_engine::analysis::hint::{Asked as Question, Unadvised};
use umpire_engine::analysis::search::InTurn;
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::{Observer, Seat};
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay;
use umpire_engine::replay::answer::Unanswered;

use super::dispute::{SUBJECT_ERRORS, job, read, unanswered, viewer};
use super::parameters::Eyes;
use crate::access::{Caller, Reader};
use crate::error::{ApiError, Code, shorten};
use crate::json;
use crate::query::{NoParameters, Query};
use crate::sent::{Content, Sent};
use crate::service::Service;

/// The maximum number of simulations of one request: what can be done while someone waits, even if
/// simulations are slow.
pub const MOST_SIMULATIONS: u32 = 20_000;

/// What to do instead of a hint that takes too long.
const INSTEAD: &str = "ask for fewer simulations, or for an analysis of the record, which is a job (POST /v1/analyses)";

/// The same at a table.
pub const INSTEAD_AT_TABLE: &str = "ask for fewer simulations";

/// The default seed.
pub const SEED: &str = "umpire";

/// The maximum length of a seed, in characters.
const LONGEST_SEED: usize = 200;

/// A request for advice.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct HintRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The seat to advise; by default the first one that has to decide. For a stored record, a
    /// token that is bound to a seat can only ask for that seat.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    seat: Option<Cow<'a, str>>,
    /// Number of simulations: the budget.
    #[serde(default = "thousand")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 20000, default = 1000))]
    simulations: u32,
    /// Random seed.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
    /// The maximum number of actions to list.
    #[serde(default = "five")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100, default = 5))]
    most: usize,
}

impl Content for HintRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

fn thousand() -> u32 {
    1000
}

fn five() -> usize {
    5
}

/// Checks a number at a place of the request against its bounds.
pub fn within_bounds(name: &str, value: u32, most: u32) -> Result<(), ApiError> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    let detail = format!("expected a number from 1 to {most}, not {value}");
    Err(Fault::new(FaultCode::BadRecord, format!("/{name}"), detail).into())
}

/// The seed of a request, or the default one.
pub fn seed_of(seed: Option<&str>) -> Result<&str, ApiError> {
    let seed = seed.unwrap_or(SEED);
    if seed.chars().count() > LONGEST_SEED {
        let detail = format!("expected text of at most {LONGEST_SEED} characters");
        return Err(Fault::new(FaultCode::BadRecord, "/seed", detail).into());
    }
    Ok(seed)
}

/// The seat that a request names, if the caller may view the game as that seat.
fn seat(game: &dyn AnyGame, name: Option<&str>, eyes: Eyes) -> Result<Option<Seat>, ApiError> {
    let named = match name {
        None => None,
        Some(name) => {
            let seat = game.meta().seat(name).ok_or_else(|| {
                let seats = game.meta().seats.join(", ");
                let detail = format!("unknown seat {:?}; expected one of {seats}", shorten(name));
                Fault::new(FaultCode::BadRecord, "/seat", detail)
            })?;
            Some(seat)
        }
    };
    // A caller that may not view as the referee must view as the seat to advise.
    match viewer(game, name, eyes)? {
        Observer::Referee => Ok(named),
        Observer::Seat(own) => Ok(named.or(Some(own))),
        Observer::Spectator => {
            let detail = "expected a seat: a spectator has nothing to decide".to_owned();
            Err(Fault::new(FaultCode::BadRecord, "/seat", detail).into())
        }
    }
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
    responses((status = 200, description = "The best actions.", body = crate::schemas::Hint))
))]
pub async fn create_hint(
    caller: Caller,
    reader: Reader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<HintRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, |asked, text| {
        let request: HintRequest<'_> = read(text)?;
        within_bounds("simulations", request.simulations, MOST_SIMULATIONS)?;
        within_bounds("most", u32::try_from(request.most).unwrap_or(u32::MAX), 100)?;
        let seed = seed_of(request.seed.as_deref())?;
        asked.view_of(request.record, request.id.as_deref(), "/record", |submission, eyes| {
            let question = Question {
                ply: request.ply,
                seat: seat(submission.game, request.seat.as_deref(), eyes)?,
                simulations: request.simulations,
                seed,
                most: request.most,
                limits: asked.limits(),
                spread: &InTurn,
            };
            let hint = submission.game.hint(&submission.record, &question);
            let hint = hint.map_err(|error| match error {
                Unadvised::Unanswered(error) => unanswered(error, "/record"),
                error => error.into(),
            })?;
            Ok(json::text(&hint))
        })
    })
    .await
    .map_err(|error| error.instead(INSTEAD))
}

/// A request for the odds of an action.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct OddsRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for OddsRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
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
    responses((status = 200, description = "The possible outcomes, the most likely first.", body = crate::schemas::Odds))
))]
pub async fn create_odds(
    caller: Caller,
    reader: Reader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<OddsRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, |asked, text| {
        let request: OddsRequest<'_> = read(text)?;
        asked.view_of(request.record, request.id.as_deref(), "/record", |submission, eyes| {
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
                NoAnswer::Unanswered(error) => unanswered(error, "/record"),
                error => error.into(),
            })?;
            Ok(json::text(&odds))
        })
    })
    .await
}
