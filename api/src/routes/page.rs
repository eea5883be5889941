//! The pages that the service carries: the reading table, one game of it to be put into other pages, and the
//! description for people. Their scripts are made from `api/web` and committed; nothing comes from another host.
//!
//! A page of a record shows its head (title, picture) to whoever may look at the record, and the empty table to everybody
//! else: the script asks for the rest, with the token of whoever looks. This module must not know a game, nor show what a
//! spectator may not know.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use maud::{DOCTYPE, Markup, html};
use serde::Serialize;
use umpire_engine::budget::Budget;
use umpire_engine::replay;
use umpire_engine::report::Depiction;

use super::parameters::{Viewer, engine_limits};
use super::stored::{Conditions, Made, PlyAt, Seen, answer_in};
use crate::contract::{Contract, Demand};
use crate::error::{ApiError, Code, shorten};
use crate::fixed::Fixed;
use crate::names::PublicId;
use crate::query::{Pairs, Parameters, Query};
use crate::referee::{self, Submission, UnknownFields};
use crate::sent::segment;
use crate::service::Service;
use crate::store::Stored;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SHEET: &str = "text/css; charset=utf-8";
const ICON: &str = include_str!("../../web/icon.svg");

/// What a page may load, and who may hold it: scripts, styles and answers of this service alone.
macro_rules! policy {
    ($holders:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ",
            "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors ",
            $holders
        )
    };
}

/// No other page holds it.
const ALONE: HeaderValue = HeaderValue::from_static(policy!("'none'"));
/// Made to be held by others: nothing can be changed from it.
const WITHIN: HeaderValue = HeaderValue::from_static(policy!("*"));

/// A page: what stands in its head, which script it runs, and with which style.
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

/// What stands in a page of the table where no script runs.
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

/// Leads to the page of the API.
pub async fn to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/v1/docs/")).finish()
}

/// The API, to be read and tried.
pub async fn get_docs(fixed: Fixed) -> HttpResponse {
    let instead = html! {
        p { "The whole description: " a href="/v1/openapi.json" { "/v1/openapi.json" } "." }
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
            return Ok(fixed.text(SHEET, Bytes::from(umpire_engine::scene::palette::css())));
        }
        "icon.svg" => (crate::body::SVG, ICON),
        _ => {
            let path = shorten(request.path()).into_owned();
            return Err(ApiError::NotFound(format!("the pages have no file {path:?}")));
        }
    };
    Ok(fixed.text(kind, text))
}

/// A record that a page is about, if the caller may look at it.
impl Demand for Option<Seen> {
    fn demand(_: &mut Contract) {}
}

impl Demand for Option<PlyAt> {
    fn demand(_: &mut Contract) {}
}

/// Where the service is for whoever asks: scheme and name. The name was found to be one of the service's.
fn origin(request: &HttpRequest) -> String {
    let name = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
    let forwarded = request.headers().get("x-forwarded-proto").and_then(|it| it.to_str().ok());
    // Behind a proxy that speaks TLS; nothing is believed but the one word.
    let scheme = if forwarded == Some("https") { "https" } else { "http" };
    format!("{scheme}://{}", name.unwrap_or("localhost"))
}

/// The game, and who plays it, as far as the record names them.
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

/// What a page that leads to a picture says of it: for those who show a preview of a link.
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
        meta property="og:image:type" content=(crate::body::SVG);
        meta property="og:image:alt" content=(shorten(&shown.scene.text));
        meta name="twitter:card" content="summary_large_image";
        link rel="alternate" type="application/json+oembed" title=(title)
            href={ (origin) "/v1/oembed?url=" (here) };
    }
}

/// Answers with a page about a record: with its picture in the head where the caller may look at it, else the page alone.
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
        None => Err(ApiError::NotFound("nobody may look".to_owned())),
        Some(seen) => {
            let work = move |stored: Stored, budget: Budget<'_>| {
                referee::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
                    let query = replay::Query {
                        viewer: Viewer::named(None).of(submission.game, seen.sight.into())?,
                        ply: ply.map(|PlyAt(ply)| ply),
                        limits: engine_limits(&limits, budget),
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

/// One game, to be put into other pages.
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

/// Which page is to be put into another.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct EmbedParameters {
    /// The address of a page of a record: its path is `/t/{id}` or `/t/{id}/{ply}`.
    #[cfg_attr(feature = "openapi", param(max_length = 2048))]
    pub url: String,
    /// The most pixels that it may be wide.
    #[cfg_attr(feature = "openapi", param(minimum = 200, maximum = 10000))]
    pub maxwidth: Option<u32>,
    /// The most pixels that it may be high.
    #[cfg_attr(feature = "openapi", param(minimum = 200, maximum = 10000))]
    pub maxheight: Option<u32>,
    /// Only `json` is answered.
    #[cfg_attr(feature = "openapi", param(value_type = Option<EmbedFormat>, inline))]
    pub format: EmbedFormat,
}

/// How an embedding is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum EmbedFormat {
    /// JSON.
    Json,
}

impl Parameters for EmbedParameters {
    /// It is no address of a page of a record.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let url = pairs.take("url")?.unwrap_or_default();
        let maxwidth = pairs.number("maxwidth", 200..=10_000)?;
        let maxheight = pairs.number("maxheight", 200..=10_000)?;
        match pairs.take("format")?.as_deref() {
            None | Some("json") => {}
            Some(other) => return Err(ApiError::parameter("format", other, "json")),
        }
        Ok(EmbedParameters { url, maxwidth, maxheight, format: EmbedFormat::Json })
    }
}

/// How to put a game into another page, as oEmbed 1.0 describes it.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Embedding {
    /// Always `1.0`.
    pub version: &'static str,
    /// Always `rich`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Who provides it.
    pub provider_name: &'static str,
    /// Where the provider is.
    pub provider_url: String,
    /// What it is.
    pub title: String,
    /// What to put into the page: a frame with the board and buttons to step.
    pub html: String,
    /// How wide it is, in pixels.
    pub width: u32,
    /// How high it is, in pixels.
    pub height: u32,
}

/// Describes how to put a game into another page.
///
/// As oEmbed 1.0 has it, for blogs and forums that ask for it: the address of a page of a record in, a frame with the board
/// and buttons to step out. Says nothing of whether there is such a record, nor who may look at it: the frame does.
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
        let expected = "the address of a page of a record here, such as /t/{id}/{ply}";
        ApiError::NotFound(format!("{:?} is not {expected}", shorten(&url)))
    })?;
    let size = (maxwidth.unwrap_or(640).min(640), maxheight.unwrap_or(560).min(560));
    let embedding = embedding(&origin, &id.to_string(), ply, size);
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::VARY, "x-forwarded-proto"))
        .json(embedding))
}

/// How to put a record into another page.
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

/// The record and the ply that the address of a page names.
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
