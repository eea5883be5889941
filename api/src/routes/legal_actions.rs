//! A record in, who decides and every legal action out.
//!
//! This module must not show a viewer what that viewer may not know: the engine sees to it.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};

use super::LegalParameters;
use crate::app::Service;
use crate::body;
use crate::error::ApiError;
use crate::openapi;
use crate::query::Query;
use crate::referee;

/// Lists the legal actions.
///
/// Who decides after the record's last good action (or at `ply`), and every legal action of the
/// seats that the viewer may see. Actions that differ in numbers (a bid, a deal) are given as a
/// range with its bounds. `count_only=true` counts instead of listing. At most `limit` actions are
/// listed for each seat; `truncated` says whether there are more, and `count` counts all.
#[utoipa::path(
    post, path = "/v1/legal-actions", tag = "referee", operation_id = "list_legal_actions",
    params(LegalParameters),
    request_body(content = openapi::Record, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The legal actions.", body = openapi::Legal))
)]
pub async fn list_legal_actions(
    request: HttpRequest,
    payload: Payload,
    parameters: Query<LegalParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    body::json_only(request.headers())?;
    let text = body::read(request.headers(), payload, &service.limits).await?;
    let limits = service.limits;
    let legal = service
        .cpu
        .run(move |stop| {
            let text = referee::normal(&text);
            let opened = referee::open(&text)?.until(stop);
            let query = parameters.query(opened.game, super::SENT, &limits)?;
            Ok(crate::json::text(&opened.legal(&query, parameters.count_only)?))
        })
        .await?;
    Ok(HttpResponse::Ok().content_type(body::JSON).body(legal))
}
