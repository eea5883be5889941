//! Tables at which games are being played: made, looked at, watched.
//!
//! Everything that is shown is one viewer's: that of the token, or the spectator's. What is done at a table is in
//! `table_play`. This module must not show anybody what that viewer may not know, and must not know a game.

use std::time::Duration;

use actix_web::http::header::{self, ContentEncoding};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use tokio::time::timeout;
use umpire_engine::game::{Draft, Observer};
use umpire_engine::live::Told;
use umpire_engine::replay;
use umpire_engine::replay::answer::{ENGINE, LegalQuery};
use umpire_engine::scene::svg::{self, Theme};
use umpire_engine::scene::targets;

use super::board::ThemeName;
use super::parameters::{LISTED, LegalPart, MOST_LISTED, partial};
use super::seated::{Comer, to_the_end};
use super::stored::EventList;
use crate::access::{Caller, MayWrite};
use crate::body::{JSON, SVG};
use crate::cpu::Claim;
use crate::error::{ApiError, Code};
use crate::fixed::had_by;
use crate::json;
use crate::language::Language;
use crate::query::{NoParameters, Pairs, Parameters, Query};
use crate::sent::{Content, RECORD_ERRORS, Sent};
use crate::service::Service;
use crate::tables::answer::{LegalWanted, Sight, name_of};
use crate::tables::create::TableRequest;
use crate::tables::session::{TableSession, not_begun};
use crate::tables::table::{Moment, Table};
use crate::tables::watch::{Frame, Next, Watcher};

impl Content for TableRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[RECORD_ERRORS];
}

/// Makes a table.
///
/// A game that is played action by action: a record that grows. Each seat gets a token, and so does the host; to look
/// on as a spectator needs none. What is acknowledged is on the disk.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables", tag = "tables", operation_id = "create_table",
    request_body(content = TableRequest, description = "The game, and how it begins.", content_type = "application/json"),
    responses((status = 201, description = "The table, and the tokens.", body = crate::schemas::NewTable, headers(("Location" = String, description = "Where the table is."))))
))]
pub async fn create_table(
    _: MayWrite,
    Caller(peer): Caller,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<TableRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    to_the_end(async move {
        let made = service.tables.create(sent.text, peer).await?;
        Ok(HttpResponse::Created()
            .insert_header((header::LOCATION, format!("/v1/tables/{}", made.table.id)))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .content_type(JSON)
            .body(json::text(&made)))
    })
    .await
}

/// Takes what is wanted of the legal actions.
fn legal_wanted(parts: &[Part], limit: Option<usize>) -> LegalWanted {
    LegalWanted {
        count_only: !parts.contains(&Part::Legal),
        limit: limit.unwrap_or(LISTED),
        text: parts.contains(&Part::Text),
    }
}

/// An optional part of what a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TablePart, rename_all = "snake_case"))]
pub enum Part {
    /// The legal actions that the viewer may see.
    Legal,
    /// Beside them, each in words.
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

/// Who looks at what happened, and what else is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct StepParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Optional parts: `legal` lists the legal actions of the viewer, which are only counted otherwise; `text` puts
    /// beside them what each is in words.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline, rename = "include"))]
    pub legal: LegalWanted,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for StepParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(StepParameters {
            viewer: pairs.text("viewer", 64)?,
            legal: legal_wanted(&Part::take(pairs)?, None),
            lang: Language::take(pairs)?,
        })
    }
}

/// Who looks at a table, and what else is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct LookParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Optional parts: `legal` lists the legal actions that the viewer may see, `text` puts beside them what each is in
    /// words.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline, rename = "include"))]
    pub legal: Option<LegalWanted>,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
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

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
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
        .insert_header(voice.header())
        .content_type(JSON)
        .body(text))
}

/// What is shown of a table, and its tag.
async fn shown(
    at: TableSession,
    parameters: LookParameters,
) -> Result<(Vec<u8>, String, crate::language::Voice), ApiError> {
    let viewer = at.viewer(parameters.viewer.as_deref())?;
    let claim = Claim::light(at.peer);
    let show = move |table: &mut Table, limits: replay::Limits<'_>| {
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

/// Shows a table.
///
/// As the viewer of the token sees it; without a token as the spectator. The tag in `ETag` may be sent as `If-Match`
/// with an action.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}", tag = "tables", operation_id = "get_table",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table."), LookParameters),
    responses(
        (status = 200, description = "The table.", body = crate::schemas::Table, headers(("ETag" = String, description = "Names this representation: the version, and a hash that depends on who looks, the language and the parts."))),
        (status = 304, description = "The caller has the answer already (`If-None-Match`)."),
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

/// Removes a table.
///
/// With all that happened at it; a record that it became stays.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/tables/{id}", tag = "tables", operation_id = "delete_table",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table.")),
    responses((status = 204, description = "It is gone."))
))]
pub async fn delete_table(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    to_the_end(async move {
        let mut at = comer.enter(&service).await?;
        at.who.hosting()?;
        *at.locked.table = None;
        service.store.delete_table(comer.id).await?;
        service.tables.forget(comer.id);
        Ok(HttpResponse::NoContent().finish())
    })
    .await
}

/// What is wanted of the legal actions at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableLegalParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Count the actions instead of listing them.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub count_only: bool,
    /// The most actions to list for one seat. `count` is exact all the same, and `truncated` says
    /// whether there are more.
    #[cfg_attr(feature = "openapi", param(value_type = Option<usize>, minimum = 1, maximum = 100000, default = 10000))]
    pub limit: usize,
    /// What is chosen of an action so far, a JSON object; `{}` for nothing yet. Then only actions that begin so are
    /// listed, and `next` says how they go on.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, max_length = 4096, example = "{}"))]
    pub partial: Option<Draft>,
    /// Optional parts: `text` gives, beside the actions of each seat, what each is in words (`texts`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<LegalPart>>, style = Form, explode = false, inline))]
    pub include: Vec<LegalPart>,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableLegalParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
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
/// Those of the seat that looks; for a spectator and for the host those of everybody that they may see. Otherwise as
/// `POST /v1/legal-actions`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/legal-actions", tag = "tables", operation_id = "list_table_legal_actions",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table."), TableLegalParameters),
    responses((status = 200, description = "The legal actions.", body = crate::schemas::Legal))
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
    let list = move |table: &mut Table, limits: replay::Limits<'_>| {
        let voice = lang.of(table.game);
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let sight = Sight { table, viewer, voice };
        let legal = sight.legal_from(live, &wanted, partial.as_ref(), limits.budget)?;
        Ok((json::text(&legal), tag(table, viewer, &(wanted, partial, lang)), voice))
    };
    let claim = Claim::light(at.peer);
    let (_, (text, tag, voice)) = at.work(claim, list).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(voice.header())
        .content_type(JSON)
        .body(text))
}

/// Which events of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableEventParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// Only what the action at this ply and later ones caused; everything, what happened before the first action too,
    /// where it is left out.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub from: Option<u32>,
    /// Only what actions before this ply caused.
    #[cfg_attr(feature = "openapi", param(value_type = Option<u32>, maximum = 4294967295u32))]
    pub to: u32,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableEventParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(TableEventParameters {
            viewer: pairs.text("viewer", 64)?,
            from: pairs.number("from", 0..=u32::MAX)?,
            to: pairs.number("to", 0..=u32::MAX)?.unwrap_or(u32::MAX),
            lang: Language::take(pairs)?,
        })
    }
}

/// Lists what happened at a table.
///
/// As far as the viewer learned of it, each event with its clauses and in words.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/events", tag = "tables", operation_id = "list_table_events",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table."), TableEventParameters),
    responses((status = 200, description = "The events.", body = crate::schemas::EventList))
))]
pub async fn list_table_events(
    comer: Comer,
    parameters: Query<TableEventParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableEventParameters { viewer, from, to, lang }) = parameters;
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(viewer.as_deref())?;
    let list = move |table: &mut Table, _: replay::Limits<'_>| {
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
        .insert_header(voice.header())
        .content_type(JSON)
        .body(text))
}

/// Who looks at the board of a table, and how it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableBoardParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// The colours of the SVG: `light`, `dark`, or (`auto`) as whoever looks has set for all pages.
    #[cfg_attr(feature = "openapi", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Mark the shapes that mean a legal action which the viewer may see.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for TableBoardParameters {
    /// No such seat; the game has not begun.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(TableBoardParameters {
            viewer: pairs.text("viewer", 64)?,
            theme: ThemeName::take(pairs)?,
            targets: pairs.flag("targets")?,
            lang: Language::take(pairs)?,
        })
    }
}

/// The most legal actions that targets are found for.
const MOST_MARKED: usize = 5_000;

/// Draws the board of a table.
///
/// What the viewer knows, and what the last action did; as a scene in JSON, or with `Accept: image/svg+xml` as a
/// picture.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/scene", tag = "tables", operation_id = "get_table_scene",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table."), TableBoardParameters),
    responses((status = 200, description = "The scene, or its picture.", content((umpire_engine::report::Depiction = "application/json"), (String = "image/svg+xml"))))
))]
pub async fn get_table_scene(
    request: HttpRequest,
    comer: Comer,
    parameters: Query<TableBoardParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableBoardParameters { viewer, theme, targets, lang }) = parameters;
    let drawn = super::parameters::wants(&request, SVG);
    let at = comer.enter(&service).await?;
    let viewer = at.viewer(viewer.as_deref())?;
    let draw = move |table: &mut Table, limits: replay::Limits<'_>| {
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let mut depicted = live.depict(viewer);
        if targets {
            let limits = replay::Limits { listed: MOST_MARKED, ..limits };
            let legal = live.legal(viewer, LegalQuery::LIST, limits)?;
            let actions = legal.choices.iter().flat_map(|choices| choices.actions.iter().flatten());
            targets::mark(&mut depicted.scene, actions.map(|action| &**action));
        }
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
        .insert_header(voice.header())
        .insert_header((header::VARY, "accept"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type(if drawn { SVG } else { JSON })
        .body(text))
}

/// Who watches a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct WatchParameters {
    /// Who looks: the viewer of the token where it is left out. A seat may also look as `spectator`, the host as
    /// anybody.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::TableViewer>, inline))]
    pub viewer: Option<String>,
    /// The language of what is said to people: `en`, or one in which some game can be told.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for WatchParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(WatchParameters { viewer: pairs.text("viewer", 64)?, lang: Language::take(pairs)? })
    }
}

/// After so long without anything else a line without meaning is sent, so that nobody takes the connection for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Watches a table.
///
/// Server-sent events. First `table`, the whole of it; then with each action `step`: what the viewer was told, and how
/// its state has changed since the event before (`patch`), or the whole state. After an undo, and when the table changes
/// otherwise, `table` comes again. The id of an event is the version of the table, and where that does not tell all (the
/// seed is being drawn, something is to be taken back, the table is a record) also the number of its steps: with
/// `Last-Event-ID` a stream goes on from there without a gap; whoever lags behind is told what it missed in one `step`,
/// or the whole. A line beginning with a colon says nothing. When the table has become a record, or is removed, `end`
/// comes; whoever comes again with the last id of a record is answered 204.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/stream", tag = "tables", operation_id = "watch_table",
    params(
        ("id" = crate::schemas::TableName, Path, description = "The id of a table."),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen.", example = "41"),
        WatchParameters,
    ),
    responses(
        (status = 200, description = "The events; the data of each is JSON: a table, or a step.", content((crate::schemas::TableEvents = "text/event-stream"))),
        (status = 204, description = "The table is a record, and the caller has seen all of it (`Last-Event-ID`): a browser does not come again."),
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
    at.wake_programs();
    let TableSession { tables, locked, .. } = at;
    let Some((watcher, first)) = tables.watch(&locked, audience, last) else {
        return Err(not_begun());
    };
    drop(locked);
    let watch = Watch { watcher, service, comer, first, begun: false, ended: false };
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
    watcher: Watcher,
    service: Data<Service>,
    comer: Comer,
    first: Option<Frame>,
    begun: bool,
    ended: bool,
}

impl Watch {
    /// What is sent next.
    async fn next(mut self) -> Option<(Result<Bytes, ApiError>, Self)> {
        if self.ended {
            return None;
        }
        if !std::mem::replace(&mut self.begun, true) {
            // So that the caller sees the head of the answer at once.
            let text = self.first.take().map_or(Bytes::from_static(b":\n\n"), |frame| frame.text);
            return Some((Ok(text), self));
        }
        loop {
            match self.watcher.pull() {
                Next::Frame(frame) => return Some((Ok(frame.text), self)),
                Next::Lost => match self.catch_up().await {
                    Some(frame) => return Some((Ok(frame.text), self)),
                    None => self.ended = true,
                },
                Next::End => self.ended = true,
                // A connection that breaks off: who reads tries again, and goes on.
                Next::Stop => return None,
                Next::Nothing => {
                    if timeout(HEARTBEAT, self.watcher.moved()).await.is_err() {
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

    async fn catch_up(&mut self) -> Option<Frame> {
        let at = self.comer.enter(&self.service).await.ok()?;
        self.watcher.catch_up(&at.locked)
    }
}
