//! Boards of records that are sent or stored.
//!
//! This module must not know a game, nor show what a viewer may not know: pictures are made from
//! views.

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::replay;
use umpire_engine::report::Depiction;
use umpire_engine::scene::svg::{self, Theme};

use super::parameters::{Eyes, SENT, Viewer, engine_limits, wants};
use super::stored::{Conditions, Made, PlyAt, Seen, answer_in};
use crate::access::Caller;
use crate::body::{JSON, SVG};
use crate::config::Limits;
use crate::cpu::Claim;
use crate::error::{ApiError, Code};
use crate::language::{Language, Voice};
use crate::query::{Pairs, Parameters, Query};
use crate::referee::{Submission, UnknownFields};
use crate::sent::Sent;
use crate::service::Service;
use crate::store::Stored;
use crate::{json, referee, schemas};

/// The colour theme of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum ThemeName {
    /// The browser's preference.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ThemeName {
    pub(super) fn take(pairs: &mut Pairs) -> Result<Theme, ApiError> {
        match pairs.take("theme")?.as_deref() {
            None | Some("auto") => Ok(Theme::Auto),
            Some("light") => Ok(Theme::Light),
            Some("dark") => Ok(Theme::Dark),
            Some(other) => Err(ApiError::parameter("theme", other, "auto, light or dark")),
        }
    }
}

/// The viewer, and how to draw the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct BoardParameters {
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// The colours of the SVG: `light`, `dark`, or `auto` for the browser's preference.
    #[cfg_attr(feature = "openapi", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Leave the style sheet out of the SVG, for a page that already contains it.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub bare: bool,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for BoardParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let (viewer, theme) = (Viewer::take(pairs)?, ThemeName::take(pairs)?);
        let (bare, targets) = (pairs.flag("bare")?, pairs.flag("targets")?);
        Ok(BoardParameters { viewer, theme, bare, targets, lang: Language::take(pairs)? })
    }
}

impl BoardParameters {
    fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        ply: Option<u32>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, ApiError> {
        Ok(replay::Query {
            viewer: self.viewer.of(game, eyes.into())?,
            ply,
            limits: engine_limits(limits, budget),
            ..replay::Query::default()
        })
    }

    /// The board, in the requested language.
    fn depict(
        &self,
        submission: &Submission<'_>,
        query: &replay::Query<'_>,
    ) -> Result<(Depiction, Voice), ApiError> {
        let mut depicted = submission.depict(query, self.targets)?;
        let voice = self.lang.of(submission.game);
        voice.scene(&mut depicted.scene);
        Ok((depicted, voice))
    }

    /// The options of the SVG.
    fn options(&self) -> svg::Options {
        svg::Options { style: !self.bare, theme: self.theme, tables: !self.bare }
    }
}

/// The viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SightParameters {
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for SightParameters {
    const ERRORS: &'static [Code] = BoardParameters::ERRORS;

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let (viewer, targets) = (Viewer::take(pairs)?, pairs.flag("targets")?);
        Ok(SightParameters { viewer, targets, lang: Language::take(pairs)? })
    }
}

/// The viewer, the ply, and how to draw the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SceneParameters {
    /// Draw the board after this many actions; by default at the last legal state.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// The colours of the SVG: `light`, `dark`, or `auto` for the browser's preference.
    #[cfg_attr(feature = "openapi", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Leave the style sheet out of the SVG, for a page that already contains it.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub bare: bool,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for SceneParameters {
    const ERRORS: &'static [Code] = BoardParameters::ERRORS;

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let ply = pairs.number("ply", 0..=u32::MAX)?;
        let BoardParameters { viewer, theme, bare, targets, lang } = BoardParameters::read(pairs)?;
        Ok(SceneParameters { ply, viewer, theme, bare, targets, lang })
    }
}

/// Draws the board of a record.
///
/// Returns a scene: shapes with stable ids, a name for each, and the value that choosing it fills
/// into an action, all from the viewer's point of view. The results of the last action are marked.
/// The format is JSON, or with `Accept: image/svg+xml` a picture.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/scene", tag = "referee", operation_id = "create_scene",
    params(SceneParameters),
    request_body(content = crate::schemas::GameRecord, description = "The record of a game.", content_type = "application/json"),
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
    let job = move |budget: Budget<'_>| shown(&sent.text, parameters, drawn, &limits, budget);
    let (text, voice) = service.cpu.run(claim, job).await?;
    let format = if drawn { SVG } else { JSON };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::VARY, "accept")).content_type(format);
    Ok(voice.mark(answer.body(text)))
}

/// The board of a record that was sent, and the voice of its texts; `drawn` as a picture, else as
/// JSON.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn shown(
    text: &[u8],
    parameters: SceneParameters,
    drawn: bool,
    limits: &Limits,
    budget: Budget<'_>,
) -> Result<(Vec<u8>, Voice), ApiError> {
    let SceneParameters { ply, viewer, theme, bare, targets, lang } = parameters;
    referee::with_record(text, |submission| {
        let asked = BoardParameters { viewer, theme, bare, targets, lang };
        let query = asked.query(submission.game, SENT, ply, limits, budget)?;
        let (depicted, voice) = asked.depict(submission, &query)?;
        let text = match drawn {
            true => svg::write(&depicted.scene, asked.options()).into_bytes(),
            false => json::text(&depicted),
        };
        Ok((text, voice))
    })
}

/// Draws the board of a stored record at a ply.
///
/// A self-contained picture (no script, no font, no external resources) for pages, emails and
/// previews. It shows what the viewer knows, and marks the results of the last action. The default
/// `viewer` is the spectator.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/plies/{ply}/board.svg", tag = "records", operation_id = "get_record_board",
    params(
        ("id" = crate::schemas::RecordName, Path, description = "The id of a record."),
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
    let limits = service.limits;
    let Query(parameters) = parameters;
    let work = move |stored: Stored, budget: Budget<'_>| {
        referee::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let query =
                parameters.query(submission.game, seen.sight, Some(ply), &limits, budget)?;
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
        ("id" = crate::schemas::RecordName, Path, description = "The id of a record."),
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
    let limits = service.limits;
    let Query(SightParameters { viewer, targets, lang }) = parameters;
    let work = move |stored: Stored, budget: Budget<'_>| {
        referee::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let theme = Theme::Auto;
            let asked = BoardParameters { viewer, theme, bare: false, targets, lang };
            let query = asked.query(submission.game, seen.sight, Some(ply), &limits, budget)?;
            let (depicted, voice) = asked.depict(submission, &query)?;
            Ok((json::text(&depicted), Some(voice)))
        })
    };
    answer_in(JSON, &service, seen, conditions, Made::ByReplay, work).await
}
