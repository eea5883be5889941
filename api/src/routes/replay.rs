//! The report of a replay.
//!
//! This module must not store anything.

use actix_web::HttpResponse;
use actix_web::web::Data;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::report::Report;

use super::parameters::{ReplayParameters, SENT};
use crate::access::Caller;
use crate::body::JSON;
use crate::config::Limits;
use crate::cpu::Claim;
use crate::error::ApiError;
use crate::language::Voice;
use crate::query::Query;
use crate::sent::Sent;
use crate::service::Service;
use crate::{json, referee, schemas};

/// Replays a record.
///
/// The report contains the verdict, the state at a ply as the viewer knows it, the decision to make
/// there and, if `include` asks for them, events, states, the tape, fingerprints, explanations and,
/// for games that have one, a table of the standings round by round. An illegal record is a result,
/// not an error: the verdict names the first violation and the state is the last legal one.
///
/// A record with unknowns (see `POST /v1/validate`) is replayed as one of its completions, the
/// `witness` of the verdict, and plies are its plies: whatever depends on an assumption is true of
/// the witness only. An impossible record is replayed up to its last legal action, if a completion
/// of that part is found; otherwise the response is a problem that says why.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/replay", tag = "referee", operation_id = "create_replay",
    params(ReplayParameters),
    request_body(content = crate::schemas::SentRecord, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The report.", body = crate::schemas::Report))
))]
pub async fn create_replay(
    parameters: Query<ReplayParameters>,
    Caller(peer): Caller,
    service: Data<Service>,
    sent: Sent<schemas::GameRecord>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    // Unknowns can multiply the work.
    let claim = match umpire_engine::partial::may_be_partial(&sent.text) {
        true => Claim::heavy(peer),
        false => Claim::by_length(peer, sent.text.len(), limits.inline_bytes),
    };
    let job = move |budget: Budget<'_>| {
        let (report, voice) = reported(&sent.text, &parameters, &limits, budget)?;
        Ok((json::text(&report), voice))
    };
    let (report, voice) = service.cpu.run(claim, job).await?;
    Ok(HttpResponse::Ok().insert_header(voice.header()).content_type(JSON).body(report))
}

/// The report of a record that was sent, and the voice of its texts.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn reported(
    text: &[u8],
    parameters: &ReplayParameters,
    limits: &Limits,
    budget: Budget<'_>,
) -> Result<(Report, Voice), ApiError> {
    let spoken = |game: &'static dyn AnyGame, mut report: Report| {
        let voice = parameters.lang.of(game);
        voice.report(&mut report);
        (report, voice)
    };
    if let Some((game, partial)) = referee::partial(text)? {
        let query = parameters.query(game, SENT, limits, budget)?;
        return Ok(spoken(game, game.replay_partial(&partial, &query)?));
    }
    referee::with_record(text, |submission| {
        let query = parameters.query(submission.game, SENT, limits, budget)?;
        Ok(spoken(submission.game, submission.replay(&query)?))
    })
}
