//! The pages of the service: the reading table, a single game to embed in other pages, and the API
//! documentation. Their scripts are built from `api/web` and committed; nothing is loaded from
//! another host.
//!
//! A page of a record has a head (title, picture) for callers who may view the record, and is the
//! empty table for everyone else: the script asks for the rest, with the caller's token. This
//! module must not know a game, nor show what a spectator may not know.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;
use umpire_engine::budget::Budget;
use umpire_engine::replay;
use umpire_engine::report::Depiction;
use umpire_referee::parameters::Viewer;

use super::stored::{Conditions, Made, PlyAt, Seen, answer_in};
use crate::auth::names::PublicId;
use crate::http::argument::segment;
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, Problem, shorten};
use crate::http::fixed::Fixed;
use crate::http::query::Query;
use crate::service::Service;
use crate::store::Stored;
use umpire_referee::query::{Pairs, Parameters};
use umpire_referee::reading::{self, Submission, UnknownFields};

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SHEET: &str = "text/css; charset=utf-8";
const ICON: &str = include_str!("../../web/icon.svg");

/// The content security policy: only scripts, styles and responses of this service, and which pages
/// may embed this one.
macro_rules! policy {
    ($holders:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ",
            "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors ",
            $holders
        )
    };
}

/// No other page may embed it.
const ALONE: HeaderValue = HeaderValue::from_static(policy!("'none'"));
/// Any page may embed it: nothing can be changed from it.
const WITHIN: HeaderValue = HeaderValue::from_static(policy!("*"));

/// A page: its head, its script, and its style sheet.
fn page(title: &str, head: &Markup, name: &str, kind: &str, instead: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                (head)
                link rel="icon" href="/table/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/table/scene.css";
                link rel="stylesheet" href={ "/table/" (name) ".css" };
                script type="module" src={ "/table/" (name) ".js" } {}
            }
            body data-page=(kind) {
                div id="app" { noscript { (instead) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// The text of the table's page if scripts are disabled.
fn no_script() -> Markup {
    html! {
        p { "The reading table needs JavaScript. Without it: " code { "umpire board" } ", " code { "umpire replay" }
            ", or the pictures of " a href="/v1/docs/" { "the API" } "." }
    }
}

/// The empty table, with something in its head.
fn table(head: &Markup) -> String {
    page("Umpire", head, "table", "table", &no_script())
}

fn with_policy(mut answer: HttpResponse, policy: HeaderValue) -> HttpResponse {
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

/// The reading table.
pub async fn get_reading_table(fixed: Fixed) -> HttpResponse {
    let head = html! {
        meta name="description" content="A referee for board games: replay, judge and discuss recorded games.";
    };
    with_policy(fixed.text(HTML, table(&head)), ALONE)
}

/// Redirects to the API documentation.
pub async fn to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/v1/docs/")).finish()
}

/// The API documentation.
pub async fn get_docs(fixed: Fixed) -> HttpResponse {
    let instead = html! {
        p { "The complete OpenAPI document: " a href="/v1/openapi.json" { "/v1/openapi.json" } "." }
    };
    let text = page("Umpire: the API", &html! {}, "docs", "docs", &instead);
    with_policy(fixed.text(HTML, text), ALONE)
}

/// The files of the pages.
pub async fn get_page_file(
    request: HttpRequest,
    file: Path<String>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let (kind, text) = match file.as_str() {
        "table.js" => (SCRIPT, include_str!("../../web/dist/table.js")),
        "table.css" => (SHEET, include_str!("../../web/dist/table.css")),
        "docs.js" => (SCRIPT, include_str!("../../web/dist/docs.js")),
        "docs.css" => (SHEET, include_str!("../../web/dist/docs.css")),
        "scene.css" => {
            let arts = umpire_engine::games::GAMES.iter().filter_map(|game| game.art());
            return Ok(fixed.text(SHEET, Bytes::from(umpire_engine::scene::palette::css(arts))));
        }
        "icon.svg" => (crate::http::body::SVG, ICON),
        _ => {
            let path = shorten(request.path()).into_owned();
            return Err(ApiError::not_found(format!("unknown file {path:?}")));
        }
    };
    Ok(fixed.text(kind, text))
}

/// The record of a page, if the caller may view it.
impl Demand for Option<Seen> {
    fn demand(_: &mut Contract) {}
}

impl Demand for Option<PlyAt> {
    fn demand(_: &mut Contract) {}
}

/// The origin of the service as the caller sees it: scheme and host. The host has already been
/// checked.
fn origin(request: &HttpRequest) -> String {
    let name = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
    let forwarded = request.headers().get("x-forwarded-proto").and_then(|it| it.to_str().ok());
    // Set by a proxy that terminates TLS; only this one value is trusted.
    let scheme = if forwarded == Some("https") { "https" } else { "http" };
    format!("{scheme}://{}", name.unwrap_or("localhost"))
}

/// The game and its players, as far as the record names them.
fn headline(submission: &Submission<'_>) -> String {
    let game = submission.game.meta();
    let names = submission.record.players.iter().flatten();
    let seat = |name: &str| game.seats.iter().position(|seat| *seat == name);
    let mut players: Vec<_> =
        names.map(|(place, name)| (seat(place), shorten(name).into_owned())).collect();
    players.sort();
    let players: Vec<String> = players.into_iter().map(|(_, name)| name).collect();
    match players.split_last() {
        None => game.title.to_owned(),
        Some((only, [])) => format!("{}: {only}", game.title),
        Some((last, others)) => format!("{}: {} and {last}", game.title, others.join(", ")),
    }
}

/// The tags for link previews of a page with a picture.
fn preview(origin: &str, id: &str, title: &str, shown: &Depiction) -> Markup {
    let ply = shown.ply;
    let here = format!("{origin}/t/{id}/{ply}");
    html! {
        meta property="og:type" content="article";
        meta property="og:site_name" content="Umpire";
        meta property="og:title" content=(title);
        meta property="og:description" content=(shorten(&shown.scene.text));
        meta property="og:url" content=(here);
        meta property="og:image" content={ (origin) "/v1/records/" (id) "/plies/" (ply) "/board.svg?theme=light" };
        meta property="og:image:type" content=(crate::http::body::SVG);
        meta property="og:image:alt" content=(shorten(&shown.scene.text));
        meta name="twitter:card" content="summary_large_image";
        link rel="alternate" type="application/json+oembed" title=(title)
            href={ (origin) "/v1/oembed?url=" (here) };
    }
}

/// A page about a record, with its picture in the head if the caller may view it.
async fn page_of_record(
    request: &HttpRequest,
    seen: Option<Seen>,
    ply: Option<PlyAt>,
    service: &Data<Service>,
    conditions: Conditions,
    make: fn(&Markup) -> String,
) -> HttpResponse {
    let (limits, origin) = (service.limits, origin(request));
    let id = segment(request, "id").to_owned();
    let shown = match seen {
        None => Err(ApiError::not_found("not found".to_owned())),
        Some(seen) => {
            let work = move |stored: Stored, budget: Budget<'_>| {
                reading::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
                    let query = replay::Query {
                        viewer: Viewer::named(None).of(submission.game, seen.eyes)?,
                        ply: ply.map(|PlyAt(ply)| ply),
                        limits: limits.engine(budget),
                        ..replay::Query::default()
                    };
                    let shown = submission.depict(&query, false)?;
                    let title = headline(submission);
                    Ok((make(&preview(&origin, &id, &title, &shown)).into_bytes(), None))
                })
            };
            answer_in(HTML, service, seen, conditions, Made::ByReplay, work).await
        }
    };
    shown.unwrap_or_else(|_| {
        // The script says what is wrong, or asks for a token.
        HttpResponse::build(StatusCode::OK)
            .insert_header((header::CACHE_CONTROL, "no-cache"))
            .content_type(HTML)
            .body(make(&html! {}))
    })
}

/// The reading table with a stored record in it.
pub async fn get_record_table(
    request: HttpRequest,
    seen: Option<Seen>,
    ply: Option<PlyAt>,
    service: Data<Service>,
    conditions: Conditions,
) -> HttpResponse {
    let answer = page_of_record(&request, seen, ply, &service, conditions, table).await;
    with_policy(answer, ALONE)
}

/// A single game, to embed in other pages.
pub async fn get_record_embed(
    request: HttpRequest,
    seen: Option<Seen>,
    ply: Option<PlyAt>,
    service: Data<Service>,
    conditions: Conditions,
) -> HttpResponse {
    let make = |head: &Markup| page("Umpire", head, "table", "embed", &no_script());
    let answer = page_of_record(&request, seen, ply, &service, conditions, make).await;
    with_policy(answer, WITHIN)
}

/// The page to embed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct EmbedParameters {
    /// The URL of a page of a record: its path is `/t/{id}` or `/t/{id}/{ply}`.
    #[cfg_attr(feature = "openapi", param(max_length = 2048))]
    pub url: String,
    /// The maximum width in pixels.
    #[cfg_attr(feature = "openapi", param(minimum = 200, maximum = 10000))]
    pub maxwidth: Option<u32>,
    /// The maximum height in pixels.
    #[cfg_attr(feature = "openapi", param(minimum = 200, maximum = 10000))]
    pub maxheight: Option<u32>,
    /// The format; only `json` is supported.
    #[cfg_attr(feature = "openapi", param(value_type = Option<EmbedFormat>, inline))]
    pub format: EmbedFormat,
}

/// The format of an oEmbed response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum EmbedFormat {
    /// JSON.
    Json,
}

impl Parameters for EmbedParameters {
    /// It is not the URL of a page of a record.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let url = pairs.take("url")?.unwrap_or_default();
        let maxwidth = pairs.number("maxwidth", 200..=10_000)?;
        let maxheight = pairs.number("maxheight", 200..=10_000)?;
        match pairs.take("format")?.as_deref() {
            None | Some("json") => {}
            Some(other) => return Err(Problem::parameter("format", other, "json")),
        }
        Ok(EmbedParameters { url, maxwidth, maxheight, format: EmbedFormat::Json })
    }
}

/// How to embed a game in another page, in the format of oEmbed 1.0.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Embedding {
    /// Always `1.0`.
    pub version: &'static str,
    /// Always `rich`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The name of the provider.
    pub provider_name: &'static str,
    /// The URL of the provider.
    pub provider_url: String,
    /// The title.
    pub title: String,
    /// The HTML to embed: a frame with the board and buttons to step through the game.
    pub html: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// Describes how to embed a game in another page.
///
/// An oEmbed 1.0 provider for blogs and forums: given the URL of a page of a record, it returns a
/// frame with the board and buttons to step through the game. It does not reveal whether the record
/// exists, nor who may view it: the frame does.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/oembed", tag = "records", operation_id = "get_oembed",
    params(EmbedParameters),
    responses((status = 200, description = "The frame.", body = Embedding))
))]
pub async fn get_oembed(
    request: HttpRequest,
    parameters: Query<EmbedParameters>,
) -> Result<HttpResponse, ApiError> {
    let Query(EmbedParameters { url, maxwidth, maxheight, .. }) = parameters;
    let origin = origin(&request);
    let (id, ply) = page_named(&url).ok_or_else(|| {
        let expected = "the URL of a page of a record on this server, such as /t/{id}/{ply}";
        ApiError::not_found(format!("{:?} is not {expected}", shorten(&url)))
    })?;
    let size = (maxwidth.unwrap_or(640).min(640), maxheight.unwrap_or(560).min(560));
    let embedding = embedding(&origin, &id.to_string(), ply, size);
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::VARY, "x-forwarded-proto"))
        .json(embedding))
}

/// How to embed a record.
pub(crate) fn embedding(
    origin: &str,
    id: &str,
    ply: Option<u32>,
    (width, height): (u32, u32),
) -> Embedding {
    let source = match ply {
        Some(ply) => format!("{origin}/embed/{id}/{ply}"),
        None => format!("{origin}/embed/{id}"),
    };
    let frame = html! {
        iframe src=(source) width=(width) height=(height) title="A game on Umpire" loading="lazy" {}
    };
    Embedding {
        version: "1.0",
        kind: "rich",
        provider_name: "Umpire",
        provider_url: format!("{origin}/"),
        title: "A game on Umpire".to_owned(),
        html: frame.into_string(),
        width,
        height,
    }
}

/// The record and the ply that the URL of a page names.
fn page_named(url: &str) -> Option<(PublicId, Option<u32>)> {
    let path = url.split(['#', '?']).next()?;
    let path = match path.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => path.strip_prefix('/')?,
    };
    let mut parts = path.trim_end_matches('/').split('/');
    if parts.next()? != "t" {
        return None;
    }
    let id = parts.next()?.parse().ok()?;
    let ply = match parts.next() {
        Some(text) => Some(text.parse().ok()?),
        None => None,
    };
    parts.next().is_none().then_some((id, ply))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_records_are_named() {
        let id = "ab".repeat(32);
        let of = |url: &str| page_named(&url.replace("ID", &id)).map(|(_, ply)| ply);
        assert_eq!(of("https://a.example/t/ID"), Some(None));
        assert_eq!(of("/t/ID/17"), Some(Some(17)));
        assert_eq!(of("http://a.example:8080/t/ID/17/?x=1#viewer=b"), Some(Some(17)));
        for wrong in ["", "/t/", "/t/ID/x", "/t/ID/1/2", "/u/ID", "https://a.example", "/t/abc"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
