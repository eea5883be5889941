//! The legal actions of a record, and who has to decide.
//!
//! This module must not show a viewer anything hidden from it: the engine takes care of that.

use actix_web::HttpResponse;
use actix_web::web::Data;
use umpire_engine::budget::Budget;
use umpire_referee::parameters::LegalParameters;
use umpire_referee::questions::legal::legal;
use umpire_referee::questions::{Asked, NoShelf};

use crate::http::body;
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::routes::access::Caller;
use crate::routes::sent::Sent;
use crate::service::Service;
use umpire_referee::schemas;

/// Lists the legal actions.
///
/// Returns who has to decide after the record's last legal action (or at `ply`), and every legal
/// action of the seats that the viewer may see. Actions that differ only in numbers (a bid, a deal)
/// are given as a range with its bounds. `include=text` adds the text of each action.
/// `count_only=true` counts instead of listing. At most `limit` actions are listed per seat;
/// `truncated` says whether there are more, and `count` counts all.
///
/// Any action, even one from a range, can be built step by step without knowing the game: `partial`
/// is the part chosen so far (`{}` at first), `next` says which fields are open and what they
/// accept, `complete` whether the action can be sent as it is. No choice that is offered leads to a
/// dead end.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/legal-actions", tag = "referee", operation_id = "list_legal_actions",
    params(LegalParameters),
    request_body(content = umpire_referee::schemas::GameRecord, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The legal actions.", body = umpire_referee::schemas::Legal))
))]
pub async fn list_legal_actions(
    parameters: Query<LegalParameters>,
    Caller(peer): Caller,
    service: Data<Service>,
    sent: Sent<schemas::GameRecord>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let claim = Claim::by_length(peer, sent.text.len(), limits.inline_bytes);
    let job = move |budget: Budget<'_>| {
        let asked = Asked { shelf: &NoShelf, limits: limits.referee(), budget };
        Ok(legal(&asked, &sent.text, &parameters)?)
    };
    let (legal, voice) = service.cpu.run_measured(claim, job).await?;
    Ok(body::spoken(HttpResponse::Ok().content_type(body::JSON).body(legal), &voice))
}
