//! A record in, the report of its replay out.
//!
//! This module must not store anything.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};

use super::ReplayParameters;
use crate::app::Service;
use crate::body;
use crate::error::ApiError;
use crate::openapi;
use crate::query::Query;
use crate::referee;

/// Replays a record.
///
/// The answer holds the verdict, the state at a ply as the viewer knows it, what is to be decided
/// there and, where `include` asks for them, events, states, the tape, fingerprints,
/// explanations and, for games that have one, a table of how the players stood round by round. An illegal record is a result, not an error: the verdict names the first
/// violation and the state is the last good one.
#[utoipa::path(
    post, path = "/v1/replay", tag = "referee", operation_id = "create_replay",
    params(ReplayParameters),
    request_body(content = openapi::Record, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The report.", body = openapi::Report))
)]
pub async fn create_replay(
    request: HttpRequest,
    payload: Payload,
    parameters: Query<ReplayParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    body::json_only(request.headers())?;
    let text = body::read(request.headers(), payload, &service.limits).await?;
    let limits = service.limits;
    let report = service
        .cpu
        .run(move |stop| {
            let text = referee::normal(&text);
            let opened = referee::open(&text)?.until(stop);
            let report = opened.replay(&parameters.query(opened.game, super::SENT, &limits)?)?;
            Ok(crate::json::text(&report))
        })
        .await?;
    Ok(HttpResponse::Ok().content_type(body::JSON).body(report))
}
