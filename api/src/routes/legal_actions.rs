//! A record in, who decides and every legal action out.
//!
//! This module must not show a viewer what that viewer may not know: the engine sees to it.

use actix_web::HttpResponse;
use actix_web::web::Data;
use umpire_engine::budget::Budget;

use super::parameters::{LegalParameters, SENT};
use crate::access::Caller;
use crate::body::JSON;
use crate::config::Limits;
use crate::cpu::Claim;
use crate::error::ApiError;
use crate::language::Voice;
use crate::query::Query;
use crate::sent::Sent;
use crate::service::Service;
use crate::{referee, schemas};

/// Lists the legal actions.
///
/// Who decides after the record's last good action (or at `ply`), and every legal action of the
/// seats that the viewer may see. Actions that differ in numbers (a bid, a deal) are given as a
/// range with its bounds. `include=text` puts beside them what each is in words. `count_only=true` counts instead of listing. At most `limit` actions are
/// listed for each seat; `truncated` says whether there are more, and `count` counts all.
///
/// Any action, also one of a range, can be put together choice by choice, without knowing the game: `partial` is what is
/// chosen so far (`{}` at first), `next` says which places are open and what may stand there, `complete` whether it can be
/// sent as it is. No choice that is offered is a dead end.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/legal-actions", tag = "referee", operation_id = "list_legal_actions",
    params(LegalParameters),
    request_body(content = crate::schemas::GameRecord, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The legal actions.", body = crate::schemas::Legal))
))]
pub async fn list_legal_actions(
    parameters: Query<LegalParameters>,
    Caller(peer): Caller,
    service: Data<Service>,
    sent: Sent<schemas::GameRecord>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let claim = Claim::by_length(peer, sent.text.len(), limits.inline_bytes);
    let job = move |budget: Budget<'_>| listed(&sent.text, &parameters, &limits, budget);
    let (legal, voice) = service.cpu.run(claim, job).await?;
    Ok(HttpResponse::Ok().insert_header(voice.header()).content_type(JSON).body(legal))
}

/// The legal actions of a record that was sent, as JSON, and the voice that tells them.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn listed(
    text: &[u8],
    parameters: &LegalParameters,
    limits: &Limits,
    budget: Budget<'_>,
) -> Result<(Vec<u8>, Voice), ApiError> {
    referee::with_record(text, |submission| {
        let query = parameters.query(submission.game, SENT, limits, budget)?;
        parameters.answer(submission, &query)
    })
}
