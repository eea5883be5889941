//! The report of a replay.
//!
//! This module must not store anything.

use actix_web::HttpResponse;
use actix_web::web::Data;
use umpire_engine::budget::Budget;
use umpire_referee::json;
use umpire_referee::parameters::ReplayParameters;
use umpire_referee::questions::replays::replay;
use umpire_referee::questions::{Asked, NoShelf};

use crate::http::body;
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::routes::access::Caller;
use crate::routes::sent::Sent;
use crate::service::Service;
use umpire_referee::schemas;

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
    request_body(content = umpire_referee::schemas::SentRecord, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The report.", body = umpire_referee::schemas::Report))
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
        let asked = Asked { shelf: &NoShelf, limits: limits.referee(), budget };
        let (report, voice) = replay(&asked, &sent.text, &parameters)?;
        Ok((json::text(&report), voice))
    };
    let (report, voice) = service.cpu.run_measured(claim, job).await?;
    Ok(body::spoken(HttpResponse::Ok().content_type(body::JSON).body(report), &voice))
}
