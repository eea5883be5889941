//! Advice: what a seat should do, and what can come of an action.
//!
//! A record is sent, or named by the id under which it is stored. A hint is made of what its seat can know, so a
//! token bound to a seat may ask for that seat. This module must not think: the engine does, within the request's
//! budget.

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

/// The most simulations of one request: what can be done while somebody waits, also where a simulation is slow.
pub const MOST_SIMULATIONS: u32 = 20_000;

/// What to do in the place of a hint that takes too long.
const INSTEAD: &str = "ask for fewer simulations, or for an analysis of the record, which is a job (POST /v1/analyses)";

/// The same at a table.
pub const INSTEAD_AT_TABLE: &str = "ask for fewer simulations";

/// The seed where none is given.
pub const SEED: &str = "umpire";

/// The longest seed, in characters.
const LONGEST_SEED: usize = 200;

/// A seat that asks for advice.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct HintRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last good action where it is left out.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The seat that is advised; the first that decides where it is left out. At a stored record a
    /// token that is bound to a seat asks for that seat only.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    seat: Option<Cow<'a, str>>,
    /// Number of simulations: the budget.
    #[serde(default = "thousand")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 20000, default = 1000))]
    simulations: u32,
    /// What makes this answer another than one with another seed.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
    /// The most actions that are listed.
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

/// A number that lies within bounds, at a place of the request.
pub fn within_bounds(name: &str, value: u32, most: u32) -> Result<(), ApiError> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    let detail = format!("a number from 1 to {most} is expected, not {value}");
    Err(Fault::new(FaultCode::BadRecord, format!("/{name}"), detail).into())
}

/// A seed of the request, or the usual one.
pub fn seed_of(seed: Option<&str>) -> Result<&str, ApiError> {
    let seed = seed.unwrap_or(SEED);
    if seed.chars().count() > LONGEST_SEED {
        let detail = format!("text of at most {LONGEST_SEED} characters is expected");
        return Err(Fault::new(FaultCode::BadRecord, "/seed", detail).into());
    }
    Ok(seed)
}

/// The seat that a request names, if the caller may look with its eyes.
fn seat(game: &dyn AnyGame, name: Option<&str>, eyes: Eyes) -> Result<Option<Seat>, ApiError> {
    let named = match name {
        None => None,
        Some(name) => {
            let seat = game.meta().seat(name).ok_or_else(|| {
                let seats = game.meta().seats.join(", ");
                let detail = format!("{:?} is no seat; one of {seats} is expected", shorten(name));
                Fault::new(FaultCode::BadRecord, "/seat", detail)
            })?;
            Some(seat)
        }
    };
    // Whoever may not look as the referee must look as the seat that is advised.
    match viewer(game, name, eyes)? {
        Observer::Referee => Ok(named),
        Observer::Seat(own) => Ok(named.or(Some(own))),
        Observer::Spectator => {
            let detail = "a seat is expected: a spectator decides nothing".to_owned();
            Err(Fault::new(FaultCode::BadRecord, "/seat", detail).into())
        }
    }
}

/// Advises a seat.
///
/// The best actions with the chance to win that search gives them, from what the seat can know: two positions
/// that it cannot tell apart give the same answer, byte for byte. A budget is a number of simulations; the same
/// question gives the same answer on every machine. A large family of actions is tried by some of its members.
/// Every chance has its standard error. What takes longer is a job: `POST /v1/analyses`.
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

/// An action whose odds are asked for.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct OddsRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last good action where it is left out.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// Who looks: `referee`, `spectator` or a seat. Where it is left out, the referee at a record
    /// that is sent; at a stored one the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for OddsRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Tells the odds of an action.
///
/// What can happen next, how likely, by which clauses. Every way in which dice and cards can fall is counted, so
/// that the probabilities are exact fractions; where the viewer does not know everything that counts, they are
/// the mean over positions that he could be in, and `exact` is false. A viewer is told what that viewer would be
/// told.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/odds", tag = "analysis", operation_id = "create_odds",
    request_body(content = OddsRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "What can happen, the likeliest first.", body = crate::schemas::Odds))
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
