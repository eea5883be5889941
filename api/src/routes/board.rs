//! Boards of records that are sent or stored.
//!
//! This module must not know a game, nor show what a viewer may not know: pictures are made from
//! views.

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use umpire_engine::budget::Budget;
use umpire_engine::scene::svg::{self, Theme};
use umpire_referee::json;
use umpire_referee::questions::scene::{BoardParameters, SceneParameters, SightParameters, scene};
use umpire_referee::questions::{Asked, NoShelf};
use umpire_referee::reading::{self, UnknownFields};

use super::stored::{Conditions, Made, PlyAt, Seen, answer_in};
use crate::http::accept::wants;
use crate::http::body;
use crate::http::body::{JSON, SVG};
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::routes::access::Caller;
use crate::routes::sent::Sent;
use crate::service::Service;
use crate::store::Stored;
use umpire_referee::schemas;

/// Draws the board of a record.
///
/// Returns a scene: shapes with stable ids, a name for each, and the value that choosing it fills
/// into an action, all from the viewer's point of view. The results of the last action are marked.
/// The format is JSON, or with `Accept: image/svg+xml` a picture.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/scene", tag = "referee", operation_id = "create_scene",
    params(SceneParameters),
    request_body(content = umpire_referee::schemas::GameRecord, description = "The record of a game.", content_type = "application/json"),
    responses((status = 200, description = "The scene, as JSON or as a picture.", content((umpire_engine::report::Depiction = "application/json"), (String = "image/svg+xml"))))
))]
pub async fn create_scene(
    request: HttpRequest,
    parameters: Query<SceneParameters>,
    Caller(peer): Caller,
    service: Data<Service>,
    sent: Sent<schemas::GameRecord>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let claim = Claim::by_length(peer, sent.text.len(), limits.inline_bytes);
    let drawn = wants(&request, SVG);
    let Query(parameters) = parameters;
    let job = move |budget: Budget<'_>| {
        let asked = Asked { shelf: &NoShelf, limits: limits.referee(), budget };
        Ok(scene(&asked, &sent.text, parameters.clone(), drawn)?)
    };
    let (text, voice) = service.cpu.run_measured(claim, job).await?;
    let format = if drawn { SVG } else { JSON };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::VARY, "accept")).content_type(format);
    Ok(body::spoken(answer.body(text), &voice))
}

/// Draws the board of a stored record at a ply.
///
/// A self-contained picture (no script, no font, no external resources) for pages, emails and
/// previews. It shows what the viewer knows, and marks the results of the last action. The default
/// `viewer` is the spectator.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/plies/{ply}/board.svg", tag = "records", operation_id = "get_record_board",
    params(
        ("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."),
        ("ply" = u32, Path, description = "Number of accepted actions.", minimum = 0, maximum = 4294967295u32),
        BoardParameters,
    ),
    responses((status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"))
))]
pub async fn get_record_board(
    seen: Seen,
    PlyAt(ply): PlyAt,
    parameters: Query<BoardParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits.referee();
    let Query(parameters) = parameters;
    let work = move |stored: Stored, budget: Budget<'_>| {
        reading::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let query = parameters.query(submission.game, seen.eyes, Some(ply), &limits, budget)?;
            let (depicted, voice) = parameters.depict(submission, &query)?;
            Ok((svg::write(&depicted.scene, parameters.options()).into_bytes(), Some(voice)))
        })
    };
    answer_in(SVG, &service, seen, conditions, Made::ByReplay, work).await
}

/// Describes the board of a stored record at a ply.
///
/// The scene that `board.svg` shows as a picture, in the format of `POST /v1/scene`. The default
/// `viewer` is the spectator.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/plies/{ply}/scene", tag = "records", operation_id = "get_record_scene",
    params(
        ("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."),
        ("ply" = u32, Path, description = "Number of accepted actions.", minimum = 0, maximum = 4294967295u32),
        SightParameters,
    ),
    responses((status = 200, description = "The scene.", body = umpire_engine::report::Depiction))
))]
pub async fn get_record_scene(
    seen: Seen,
    PlyAt(ply): PlyAt,
    parameters: Query<SightParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits.referee();
    let Query(SightParameters { viewer, targets, lang }) = parameters;
    let work = move |stored: Stored, budget: Budget<'_>| {
        reading::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let theme = Theme::Auto;
            let viewer = viewer.clone();
            let asked = BoardParameters { viewer, theme, bare: false, targets, lang };
            let query = asked.query(submission.game, seen.eyes, Some(ply), &limits, budget)?;
            let (depicted, voice) = asked.depict(submission, &query)?;
            Ok((json::text(&depicted), Some(voice)))
        })
    };
    answer_in(JSON, &service, seen, conditions, Made::ByReplay, work).await
}
