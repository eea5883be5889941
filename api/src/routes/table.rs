//! Live tables: creating, reading, watching and deleting them.
//!
//! Every answer is for one viewer: the token's own, or the spectator. `table_play` changes tables. This module must not
//! show anybody what that viewer may not know, and must not know a game.

use std::time::Duration;
use umpire_referee::parameters::{LISTED, LegalPart, MOST_LISTED, partial};
use umpire_referee::questions::scene::ThemeName;

use actix_web::http::header::{self, ContentEncoding};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use tokio::time::timeout;
use umpire_engine::game::{Draft, Observer};
use umpire_engine::live::Told;
use umpire_engine::replay;
use umpire_engine::replay::answer::ENGINE;
use umpire_engine::scene::svg::{self, Theme};

use super::seated::Comer;
use super::stored::EventList;
use crate::http::body::{JSON, SVG};
use crate::http::error::{ApiError, Code, Problem};
use crate::http::fixed::had_by;
use crate::http::query::Query;
use crate::limits::connections::{Connection, Streaming, TooManyStreams};
use crate::limits::cpu::Claim;
use crate::routes::access::{Caller, MayWrite, Operator};
use crate::routes::sent::{Content, RECORD_ERRORS, Sent};
use crate::service::Service;
use crate::tables::answer::{LegalWanted, Sight, name_of};
use crate::tables::create::TableRequest;
use crate::tables::missing;
use crate::tables::session::{TableSession, not_begun, to_the_end};
use crate::tables::table::{Moment, Table};
use crate::tables::watch::{Frame, Next, Watcher};
use umpire_referee::language::Language;
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::{json, reading};

impl Content for TableRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[RECORD_ERRORS];
}

/// Creates a table.
///
/// A table is a game played action by action: a record that grows. Each seat gets a token, and so does the host;
/// spectators need none. A table is stored durably before it is acknowledged.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables", tag = "tables", operation_id = "create_table",
    request_body(content = TableRequest, description = "The game, and how it begins.", content_type = "application/json"),
    responses((status = 201, description = "The table, and the tokens.", body = umpire_referee::schemas::NewTable, headers(("Location" = String, description = "Where the table is."))))
))]
pub async fn create_table(
    _: MayWrite,
    Caller(peer): Caller,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<TableRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let made = service.tables.create(sent.text, peer).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/tables/{}", made.table.id)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(JSON)
        .body(json::text(&made)))
}

/// Which legal actions the optional parts ask for.
fn legal_wanted(parts: &[Part], limit: Option<usize>) -> LegalWanted {
    LegalWanted {
        count_only: !parts.contains(&Part::Legal),
        limit: limit.unwrap_or(LISTED),
        text: parts.contains(&Part::Text),
    }
}

/// An optional part of an answer about a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TablePart, rename_all = "snake_case"))]
pub enum Part {
    /// The legal actions that the viewer may see.
    Legal,
    /// Each of them in words, too.
    Text,
}

impl Part {
    fn take(pairs: &mut Pairs) -> Result<Vec<Self>, ApiError> {
        let part = |name: String| match name.as_str() {
            "legal" => Ok(Part::Legal),
            "text" => Ok(Part::Text),
            _ => Err(ApiError::parameter("include", &name, "legal or text")),
        };
        pairs.list("include").into_iter().map(part).collect()
    }
}

/// The viewer of an action's answer, and its optional parts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct StepParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Optional parts: `legal` lists the viewer's legal actions instead of only counting them; `text` adds each of them in
    /// words.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline, rename = "include"))]
    pub legal: LegalWanted,
    /// The language of texts for people: `en`, or one that some game is translated to. A game without that language
    /// answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for StepParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(StepParameters {
            viewer: pairs.text("viewer", 64)?,
            legal: legal_wanted(&Part::take(pairs)?, None),
            lang: Language::take(pairs)?,
        })
    }
}

/// The viewer of a table, and optional parts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct LookParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Optional parts: `legal` lists the legal actions that the viewer may see, `text` adds each of them in words.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline, rename = "include"))]
    pub legal: Option<LegalWanted>,
    /// The language of texts for people: `en`, or one that some game is translated to. A game without that language
    /// answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Default for LookParameters {
    fn default() -> Self {
        LookParameters { viewer: None, legal: None, lang: Language::ENGLISH }
    }
}

impl Parameters for LookParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let viewer = pairs.text("viewer", 64)?;
        let parts = Part::take(pairs)?;
        let legal = (!parts.is_empty()).then(|| legal_wanted(&parts, None));
        Ok(LookParameters { viewer, legal, lang: Language::take(pairs)? })
    }
}

/// Shows a table as a viewer sees it.
pub(super) async fn answer(
    at: TableSession,
    parameters: LookParameters,
) -> Result<HttpResponse, ApiError> {
    let (text, tag, voice) = shown(at, parameters).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_LANGUAGE, voice.language()))
        .content_type(JSON)
        .body(text))
}

/// A table as a viewer sees it, and its tag.
async fn shown(
    at: TableSession,
    parameters: LookParameters,
) -> Result<(Vec<u8>, String, umpire_referee::language::Voice), ApiError> {
    let viewer = at.viewer(parameters.viewer.as_deref())?;
    let claim = Claim::light(at.peer);
    let show = move |table: &Table, limits: replay::Limits<'_>| {
        let voice = parameters.lang.of(table.game);
        let sight = Sight { table, viewer, voice };
        let mut view = sight.table();
        if let (Some(wanted), Some(live)) = (parameters.legal, table.live.as_deref()) {
            view.legal = Some(sight.legal(live, &wanted, limits.budget)?);
        }
        Ok((json::text(&view), tag(table, viewer, &parameters), voice))
    };
    Ok(at.work(claim, show).await?.1)
}

/// The tag of one representation of a table: its version, which `If-Match` takes, and a hash of everything else that
/// the answer depends on: the steps, who looks, in which language, and which parts. No two viewers share a tag, and
/// because the hash is keyed by a secret of the table, a tag reveals nothing.
fn tag(table: &Table, viewer: Observer, asked: &impl std::fmt::Debug) -> String {
    let key = blake3::derive_key("umpire 2026-11-29 tags of tables", table.head.host.as_bytes());
    let representation = format!("{ENGINE} {} {viewer:?} {asked:?}", table.steps);
    let hash = blake3::keyed_hash(&key, representation.as_bytes());
    format!("{}-{}", table.version(), &hash.to_hex()[..16])
}

/// Returns a table.
///
/// As the token's viewer sees it, or without a token as the spectator. The `ETag` can be sent as the `If-Match` of an
/// action.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}", tag = "tables", operation_id = "get_table",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."), LookParameters),
    responses(
        (status = 200, description = "The table.", body = umpire_referee::schemas::Table, headers(("ETag" = String, description = "The version, and a hash that depends on the viewer, the language and the parts."))),
        (status = 304, description = "Not modified: the caller has the current answer (`If-None-Match`)."),
    )
))]
pub async fn get_table(
    request: HttpRequest,
    comer: Comer,
    parameters: Query<LookParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(parameters) = parameters;
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(parameters.viewer.as_deref())?;
    // After a restart nobody else does.
    at.wake_programs();
    let tag = tag(at.table()?, viewer, &parameters);
    let mut answer = match has_whole_tag(&had_by(&request), &tag) {
        true => {
            let mut answer = HttpResponse::NotModified();
            answer.insert_header((header::ETAG, format!("\"{tag}\"")));
            answer.finish()
        }
        false => answer(at, parameters).await?,
    };
    let headers = answer.headers_mut();
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("private, no-cache"));
    headers.append(header::VARY, header::HeaderValue::from_static("authorization"));
    Ok(answer)
}

/// Whether a caller has exactly this tag, with or without the suffix that compression adds.
fn has_whole_tag(had: &header::IfNoneMatch, tag: &str) -> bool {
    let is = |sent: &str| {
        sent.strip_prefix(tag).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    matches!(had, header::IfNoneMatch::Items(tags) if tags.iter().any(|sent| is(sent.tag())))
}

/// Deletes a table.
///
/// Its whole journal is deleted; the record of a sealed table stays. The host may do this, and the holder of a token with the
/// scope `write`.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/tables/{id}", tag = "tables", operation_id = "delete_table",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table.")),
    responses((status = 204, description = "It is gone."))
))]
pub async fn delete_table(
    comer: Comer,
    operator: Operator,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    // An operator need not be able to load it.
    let locked = match operator {
        Operator::May => service.tables.lock(comer.id).await,
        Operator::MayNot => return Err(ApiError::forbidden("this token may not delete tables")),
        Operator::Nobody => {
            let at = comer.enter(&service).await?;
            at.who.hosting()?;
            at.locked
        }
    };
    let tables = service.tables.clone();
    match to_the_end(async move { tables.delete(comer.id, locked).await }).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(missing(comer.id)),
    }
}

/// Which legal actions of a table, for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableLegalParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Count the actions instead of listing them.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub count_only: bool,
    /// The maximum number of actions to list for one seat. `count` is exact in any case, and `truncated` says whether there
    /// are more.
    #[cfg_attr(feature = "openapi", param(value_type = Option<usize>, minimum = 1, maximum = 100000, default = 10000))]
    pub limit: usize,
    /// The fields of an action chosen so far, as a JSON object; `{}` to begin with. Only actions that start like this are
    /// listed, and `next` says how they continue.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, max_length = 4096, example = "{}"))]
    pub partial: Option<Draft>,
    /// Optional parts: `text` adds each action in words (`texts`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<LegalPart>>, style = Form, explode = false, inline))]
    pub include: Vec<LegalPart>,
    /// The language of texts for people: `en`, or one that some game is translated to. A game without that language
    /// answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableLegalParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(TableLegalParameters {
            viewer: pairs.text("viewer", 64)?,
            count_only: pairs.flag("count_only")?,
            limit: pairs.number("limit", 1..=MOST_LISTED)?.unwrap_or(LISTED),
            partial: partial(pairs)?,
            include: LegalPart::take(pairs)?,
            lang: Language::take(pairs)?,
        })
    }
}

/// Lists the legal actions at a table.
///
/// A seat gets its own, spectators and the host those of every seat that they may see. Otherwise like
/// `POST /v1/legal-actions`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/legal-actions", tag = "tables", operation_id = "list_table_legal_actions",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."), TableLegalParameters),
    responses((status = 200, description = "The legal actions.", body = umpire_referee::schemas::Legal))
))]
pub async fn list_table_legal_actions(
    comer: Comer,
    parameters: Query<TableLegalParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableLegalParameters { viewer, count_only, limit, partial, include, lang }) =
        parameters;
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(viewer.as_deref())?;
    let wanted = LegalWanted { count_only, limit, text: include.contains(&LegalPart::Text) };
    let list = move |table: &Table, limits: replay::Limits<'_>| {
        let voice = lang.of(table.game);
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let sight = Sight { table, viewer, voice };
        let legal = sight.legal_from(live, &wanted, partial.as_ref(), limits.budget)?;
        Ok((json::text(&legal), tag(table, viewer, &(wanted, &partial, lang)), voice))
    };
    let claim = Claim::light(at.peer);
    let (_, (text, tag, voice)) = at.work(claim, list).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_LANGUAGE, voice.language()))
        .content_type(JSON)
        .body(text))
}

/// Which events of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableEventParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Only events of the action at this ply and later ones. By default all events, including those before the first
    /// action.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub from: Option<u32>,
    /// Only events of actions before this ply.
    #[cfg_attr(feature = "openapi", param(value_type = Option<u32>, maximum = 4294967295u32))]
    pub to: u32,
    /// The language of texts for people: `en`, or one that some game is translated to. A game without that language
    /// answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableEventParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(TableEventParameters {
            viewer: pairs.text("viewer", 64)?,
            from: pairs.number("from", 0..=u32::MAX)?,
            to: pairs.number("to", 0..=u32::MAX)?.unwrap_or(u32::MAX),
            lang: Language::take(pairs)?,
        })
    }
}

/// Lists the events of a table.
///
/// What the viewer learned, each event with its clauses and in words.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/events", tag = "tables", operation_id = "list_table_events",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."), TableEventParameters),
    responses((status = 200, description = "The events.", body = umpire_referee::schemas::EventList))
))]
pub async fn list_table_events(
    comer: Comer,
    parameters: Query<TableEventParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableEventParameters { viewer, from, to, lang }) = parameters;
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(viewer.as_deref())?;
    let list = move |table: &Table, _: replay::Limits<'_>| {
        let voice = lang.of(table.game);
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let Told { events, mut texts } = live.tell(viewer, from, to);
        if !voice.is_english() {
            texts.iter_mut().flatten().for_each(|text| *text = voice.said(text));
        }
        let list = EventList {
            game: table.game.meta().id,
            viewer: name_of(table.game, viewer),
            plies: live.ply(),
            events,
            texts: Some(texts),
        };
        Ok((json::text(&list), voice))
    };
    let claim = Claim::light(at.peer);
    let (_, (text, voice)) = at.work(claim, list).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_LANGUAGE, voice.language()))
        .content_type(JSON)
        .body(text))
}

/// The viewer of a table's board, and how it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableBoardParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// The colours of the SVG: `light`, `dark`, or `auto` (the reader's setting for all pages).
    #[cfg_attr(feature = "openapi", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Mark the shapes that stand for a legal action which the viewer may see.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game without that language
    /// answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableBoardParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(TableBoardParameters {
            viewer: pairs.text("viewer", 64)?,
            theme: ThemeName::take(pairs)?,
            targets: pairs.flag("targets")?,
            lang: Language::take(pairs)?,
        })
    }
}

/// Draws the board of a table.
///
/// What the viewer knows, and what the last action changed: a scene in JSON, or a picture with
/// `Accept: image/svg+xml`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/scene", tag = "tables", operation_id = "get_table_scene",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."), TableBoardParameters),
    responses((status = 200, description = "The scene, or its picture.", content((umpire_engine::report::Depiction = "application/json"), (String = "image/svg+xml"))))
))]
pub async fn get_table_scene(
    request: HttpRequest,
    comer: Comer,
    parameters: Query<TableBoardParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableBoardParameters { viewer, theme, targets, lang }) = parameters;
    let drawn = crate::http::accept::wants(&request, SVG);
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(viewer.as_deref())?;
    let draw = move |table: &Table, limits: replay::Limits<'_>| {
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let mut depicted = reading::depict(live, viewer, targets, limits)?;
        let voice = lang.of(table.game);
        voice.scene(&mut depicted.scene);
        let options = svg::Options { style: true, theme, tables: true };
        let text = match drawn {
            true => svg::write(&depicted.scene, options).into_bytes(),
            false => json::text(&depicted),
        };
        Ok((text, voice))
    };
    let claim = Claim::light(at.peer);
    let (_, (text, voice)) = at.work(claim, draw).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_LANGUAGE, voice.language()))
        .insert_header((header::VARY, "accept"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(if drawn { SVG } else { JSON })
        .body(text))
}

/// The viewer of a stream, and its language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct WatchParameters {
    /// The viewer; by default the token's own. A seat may also look as `spectator`, the host as anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// The language of texts for people: `en`, or one that some game is translated to.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for WatchParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(WatchParameters { viewer: pairs.text("viewer", 64)?, lang: Language::take(pairs)? })
    }
}

/// How long a stream may be silent before a comment line keeps the connection alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Watches a table.
///
/// Server-sent events. First `table`, the whole table; then for each action `step`: the events that the viewer learned,
/// and how its state has changed since the last event (`patch`), or the whole state. After an undo or any other change,
/// `table` comes again. The id of an event is the version of the table, followed by the number of its steps if the
/// version does not identify the moment: while the seed is being drawn, while an undo is pending, and once the table is a
/// record. With `Last-Event-ID`, a stream resumes without a gap; a watcher that has fallen behind gets what it missed in
/// one `step`, or the whole table. Lines that begin with a colon are comments. When the table has become a record or is
/// deleted, `end` comes. A request with the last id of a record gets 204.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/stream", tag = "tables", operation_id = "watch_table",
    params(
        ("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event received.", example = "41"),
        WatchParameters,
    ),
    responses(
        (status = 200, description = "The events; the data of each is JSON: a table, or a step.", content((umpire_referee::schemas::TableEvents = "text/event-stream"))),
        (status = 204, description = "The table is a record, and the caller has seen all of it (`Last-Event-ID`): browsers stop reconnecting."),
    )
))]
pub async fn watch_table(
    request: HttpRequest,
    comer: Comer,
    parameters: Query<WatchParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let last = request.headers().get("last-event-id").and_then(|id| id.to_str().ok());
    let last = last.and_then(|id| id.trim().parse::<Moment>().ok());
    let at = comer.enter(&service).await?;
    let audience = (at.viewer(parameters.viewer.as_deref())?, parameters.lang);
    let table = at.table()?;
    if table.sealed.is_some() && last == Some(table.moment()) {
        // By this answer a browser knows that it need not come again.
        return Ok(HttpResponse::NoContent()
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .finish());
    }
    let streaming = request.conn_data::<Connection>().map(Connection::stream).transpose();
    let streaming = streaming.map_err(|TooManyStreams| {
        ApiError::unavailable("this address has as many streams as it may; close one".to_owned())
    })?;
    at.wake_programs();
    let (watcher, first) = at.watch(audience, last).await?;
    let watcher = Some(watcher);
    let watch = Watch {
        watcher,
        service,
        comer,
        sent: first,
        begun: false,
        ended: false,
        _streaming: streaming,
    };
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        // What is compressed waits for more.
        .insert_header(ContentEncoding::Identity)
        .content_type("text/event-stream")
        .streaming(stream::unfold(watch, |watch| watch.next())))
}

/// A stream of events.
struct Watch {
    watcher: Option<Watcher>,
    service: Data<Service>,
    comer: Comer,
    /// What is being sent: it counts until the next chunk is asked for.
    sent: Option<Frame>,
    begun: bool,
    ended: bool,
    /// Ends with the stream.
    _streaming: Option<Streaming>,
}

impl Watch {
    /// The next chunk of the stream.
    async fn next(mut self) -> Option<(Result<Bytes, ApiError>, Self)> {
        if self.ended {
            return None;
        }
        if !std::mem::replace(&mut self.begun, true) {
            // So that the caller sees the head of the answer at once.
            let text = match &self.sent {
                Some(frame) => frame.text.clone(),
                None => Bytes::from_static(b":\n\n"),
            };
            return Some((Ok(text), self));
        }
        self.sent = None;
        loop {
            let watcher = self.watcher.as_mut()?;
            match watcher.pull() {
                Next::Frame(frame) => return Some(self.send(frame)),
                // Without it the connection breaks off, too.
                Next::Lost => {
                    let frame = self.catch_up().await?;
                    return Some(self.send(frame));
                }
                Next::End => self.ended = true,
                // A connection that breaks off: who reads tries again, and goes on.
                Next::Stop => return None,
                Next::Nothing => {
                    if timeout(HEARTBEAT, watcher.moved()).await.is_err() {
                        return Some((Ok(Bytes::from_static(b":\n\n")), self));
                    }
                }
            }
            if self.ended {
                // An end that is said is no broken connection: who reads need not try again.
                return Some((Ok(Bytes::from_static(b"event: end\ndata: {}\n\n")), self));
            }
        }
    }

    fn send(mut self, frame: Frame) -> (Result<Bytes, ApiError>, Self) {
        let text = frame.text.clone();
        self.sent = Some(frame);
        (Ok(text), self)
    }

    async fn catch_up(&mut self) -> Option<Frame> {
        let at = self.comer.enter(&self.service).await.ok()?;
        let (watcher, frame) = at.catch_up(self.watcher.take()?).await.ok()?;
        self.watcher = Some(watcher);
        Some(frame)
    }
}
