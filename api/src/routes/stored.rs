//! Stored records, read: the text, its replay, one ply, its events, its legal actions.
//!
//! What is found under a record's id never changes, so the record itself may be cached for ever.
//! Nobody gets at a stored record but through [`Seen`], which proves that the caller may look at it,
//! and says with whose eyes. This module must not write, and must not say SQL.

use actix_web::dev::Payload;
use actix_web::http::header::{self, IfNoneMatch};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::replay::Include;
use umpire_engine::replay::answer::ENGINE;
use umpire_engine::report::Report;
use umpire_referee::parameters::{
    Eyes, LegalParameters, LegalPart, Part, ReplayParameters, Viewer,
};
use umpire_referee::questions::legal::listed;

use crate::auth::names::{Names, PublicId};
use crate::http::argument::{Here, here, segment};
use crate::http::body;
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, Problem, shorten};
use crate::http::fixed::{had_by, has_tag};
use crate::http::peer::Peer;
use crate::http::query::Query;
use crate::limits::cpu::{Claim, light_part};
use crate::routes::access::{MayRead, Reader};
use crate::service::Service;
use crate::store::{RecordId, Stored};
use umpire_referee::language::{Language, Voice};
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::reading::UnknownFields;
use umpire_referee::{json, reading};

/// The stored record that a path names. Says nothing about whether there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredAt {
    /// As callers know it.
    name: PublicId,
    /// As the store knows it.
    pub id: RecordId,
}

impl StoredAt {
    /// The record of that name.
    fn parse(names: &Names, text: &str) -> Result<Self, ApiError> {
        let wrong = |error| ApiError::not_found(format!("{:?}: {error}", shorten(text)));
        let name = text.parse::<PublicId>().map_err(wrong)?;
        Ok(StoredAt { name, id: names.inside(&name) })
    }

    /// There is none.
    pub(super) fn missing(&self) -> ApiError {
        ApiError::not_found(format!("unknown record {}", self.name))
    }
}

impl FromRequest for StoredAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(names(request).and_then(|names| StoredAt::parse(names, segment(request, "id"))))
    }
}

/// How the service of a request names records.
fn names(request: &HttpRequest) -> Result<&Names, ApiError> {
    match request.app_data::<Data<Service>>() {
        Some(service) => Ok(&service.names),
        None => Err(ApiError::internal("the service is not set up".to_owned())),
    }
}

impl Demand for StoredAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
        contract.stored = true;
    }
}

/// A stored record that the caller may look at: proof of that, and with whose eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    at: StoredAt,
    /// With whose eyes.
    pub eyes: Eyes,
}

impl Seen {
    /// The record of that name, if the reader may look at it. Whether it is stored is not asked
    /// before that is clear.
    ///
    /// # Errors
    /// The reader may not, or it is no name of a record.
    pub(super) fn by(reader: &Reader, names: &Names, text: &str) -> Result<Self, ApiError> {
        let eyes = reader.sight(text)?;
        Ok(Seen { at: StoredAt::parse(names, text)?, eyes })
    }

    /// The record that the path of a request names, if the caller may look at it.
    fn of(request: &HttpRequest) -> Result<Self, ApiError> {
        Seen::by(&Reader::of(request), names(request)?, segment(request, "id"))
    }

    /// The record.
    pub(super) fn id(&self) -> crate::store::RecordId {
        self.at.id
    }

    /// What is stored under the name.
    ///
    /// # Errors
    /// Nothing is, or the store cannot say.
    pub(super) fn find(&self, service: &Service) -> Result<Stored, ApiError> {
        service.store.find(&self.at.id)?.ok_or_else(|| self.at.missing())
    }
}

impl FromRequest for Seen {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Seen::of(request))
    }
}

impl Demand for Seen {
    fn demand(contract: &mut Contract) {
        Reader::demand(contract);
        StoredAt::demand(contract);
    }
}

/// [`Seen`] wholly: nothing of the record is kept from the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenWhole(Seen);

impl FromRequest for SeenWhole {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let whole = |seen: Seen| {
            seen.eyes.whole()?;
            Ok(SeenWhole(seen))
        };
        here(Seen::of(request).and_then(whole))
    }
}

impl Demand for SeenWhole {
    fn demand(contract: &mut Contract) {
        MayRead::demand(contract);
        StoredAt::demand(contract);
    }
}

/// The ply that a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyAt(pub(super) u32);

impl FromRequest for PlyAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = segment(request, "ply");
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let ply = text.parse().ok().filter(|_| digits).map(PlyAt);
        here(ply.ok_or_else(|| {
            ApiError::not_found(format!("unknown ply {:?}; expected an integer", shorten(text)))
        }))
    }
}

impl Demand for PlyAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
    }
}

/// What a caller has already, by `If-None-Match`, and what was asked.
#[derive(Debug)]
pub struct Conditions {
    sent: IfNoneMatch,
    /// Path and query of the request.
    question: String,
    /// Who asks.
    peer: Peer,
}

impl FromRequest for Conditions {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let sent = had_by(request);
        let question = format!("{}\n{}\n", request.path(), request.query_string());
        let peer = Peer::of(request.peer_addr());
        here(Ok(Conditions { sent, question, peer }))
    }
}

impl Demand for Conditions {
    fn demand(contract: &mut Contract) {
        contract.cached = true;
    }
}

/// The generation of the tags: another one if the same question gets another answer although the
/// engine is the same.
const TAGS: u32 = 4;

/// What an answer about a stored record is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Made {
    /// Its text, which never changes.
    OfText,
    /// A replay of it, which another version of the engine may tell otherwise.
    ByReplay,
}

/// Answers about a stored record: what is asked is worked out only if the caller does not have
/// the answer yet.
async fn answer<W>(
    service: &Data<Service>,
    seen: Seen,
    conditions: Conditions,
    made: Made,
    work: W,
) -> Result<HttpResponse, ApiError>
where
    W: Fn(Stored, Budget<'_>) -> Result<(Vec<u8>, Option<Voice>), ApiError> + Send + 'static,
{
    answer_in(body::JSON, service, seen, conditions, made, work).await
}

/// The same in another format than JSON.
pub(super) async fn answer_in<W>(
    format: &'static str,
    service: &Data<Service>,
    seen: Seen,
    conditions: Conditions,
    made: Made,
    work: W,
) -> Result<HttpResponse, ApiError>
where
    W: Fn(Stored, Budget<'_>) -> Result<(Vec<u8>, Option<Voice>), ApiError> + Send + 'static,
{
    let Conditions { sent, question, peer } = conditions;
    let shared = service.clone();
    let find = move |budget: Budget<'_>| {
        let stored = seen.find(&shared)?;
        // The same question to the same engine about the same text has the same answer. The id
        // alone does not tell: `meta` is kept as it was written, which the id does not count. Two
        // callers may ask in the same words and look with other eyes.
        let question = format!("{ENGINE}\n{TAGS}\n{:?}\n{question}", seen.eyes);
        let tag = shared.names.tag(&question, &stored.record);
        // The tag was given out with an answer, so there is nothing wrong with the question.
        let had = has_tag(&sent, &tag);
        let short = stored.record.len() <= shared.limits.inline_bytes;
        let found = match (had, made, short) {
            (true, ..) => Found::Had,
            (false, Made::OfText, _) => Found::Answer(work(stored, budget)?),
            (false, Made::ByReplay, true) => {
                match light_part(budget, |budget| work(stored.clone(), budget)) {
                    Some(answer) => Found::Answer(answer?),
                    None => Found::Long(Box::new(stored), work),
                }
            }
            (false, Made::ByReplay, false) => Found::Long(Box::new(stored), work),
        };
        Ok((tag, sent == IfNoneMatch::Any, found))
    };
    let (tag, any, found) = service.cpu.run(Claim::light(peer), find).await?;
    let text = match found {
        Found::Had => None,
        Found::Answer(text) => Some(text),
        Found::Long(stored, work) => {
            let job = move |budget: Budget<'_>| work(*stored, budget);
            Some(service.cpu.run(Claim::heavy(peer), job).await?)
        }
    };
    let text = text.filter(|_| !any);
    let mut answer = match text {
        Some(_) => HttpResponse::Ok(),
        None => HttpResponse::NotModified(),
    };
    let guarded = service.tokens.is_some();
    let scope = if guarded { "private" } else { "public" };
    let kept = match made {
        Made::OfText => format!("{scope}, max-age=86400, immutable"),
        Made::ByReplay => format!("{scope}, no-cache"),
    };
    answer
        .insert_header((header::ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, kept));
    if guarded {
        // What a caller is shown depends on the token.
        answer.append_header((header::VARY, "authorization"));
    }
    match text {
        Some((text, voice)) => {
            if let Some(voice) = voice {
                answer.insert_header((header::CONTENT_LANGUAGE, voice.language()));
            }
            Ok(answer.content_type(format).body(text))
        }
        None => Ok(answer.finish()),
    }
}

/// How far an answer about a stored record has come.
enum Found<W> {
    /// The caller has it.
    Had,
    /// It is made.
    Answer((Vec<u8>, Option<Voice>)),
    /// The record is long: the work on it takes a turn of its own.
    Long(Box<Stored>, W),
}

/// Answers with a report on a stored record.
async fn answer_report(
    service: &Data<Service>,
    seen: Seen,
    conditions: Conditions,
    parameters: ReplayParameters,
    text: impl Fn(Report) -> Vec<u8> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let work = move |stored: Stored, budget: Budget<'_>| {
        reading::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let query = parameters.query(submission.game, seen.eyes, &limits.referee(), budget)?;
            let mut report = submission.replay(&query)?;
            let voice = parameters.lang.of(submission.game);
            voice.report(&mut report);
            Ok((text(report), Some(voice)))
        })
    };
    answer(service, seen, conditions, Made::ByReplay, work).await
}

/// Shows a stored record.
///
/// In canonical JSON with its ruleset filled in, but for `meta`, whose text is that of the record
/// when it was first stored. The id is BLAKE3 of the canonical JSON of the whole, unless the server
/// gives private ids, which tell nothing about what they name.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}", tag = "records", operation_id = "get_record",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record.")),
    responses((status = 200, description = "The record.", body = umpire_referee::schemas::StoredRecord))
))]
pub async fn get_record(
    SeenWhole(seen): SeenWhole,
    _: Query<NoParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let text = |stored: Stored, _: Budget<'_>| Ok((stored.record.into_bytes(), None));
    answer(&service, seen, conditions, Made::OfText, text).await
}

/// Replays a stored record.
///
/// The same answer as for the record sent to `/v1/replay`; but where no `viewer` is given, the
/// spectator's: what only a player may know in a game that goes on has to be asked for.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/report", tag = "records", operation_id = "get_record_report",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."), ReplayParameters),
    responses((status = 200, description = "The report.", body = umpire_referee::schemas::Report))
))]
pub async fn get_record_report(
    seen: Seen,
    parameters: Query<ReplayParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let Query(parameters) = parameters;
    answer_report(&service, seen, conditions, parameters, |report| json::text(&report)).await
}

/// Who looks at one ply, and which parts are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct PlyParameters {
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Optional parts of the report, separated by commas or in several `include`. `tape`, `fingerprints` and `chapters` are
    /// given to the referee only.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline))]
    pub include: Include,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for PlyParameters {
    /// No such seat; more actions than are answered with every state.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::TooManyActions];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let (viewer, include) = (Viewer::take(pairs)?, Part::take(pairs)?);
        Ok(PlyParameters { viewer, include, lang: Language::take(pairs)? })
    }
}

/// Shows a stored record at one ply.
///
/// The report with the state after that many actions, and what was to be decided there.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/plies/{ply}", tag = "records", operation_id = "get_record_ply",
    params(
        ("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."),
        ("ply" = u32, Path, description = "Number of accepted actions.", minimum = 0, maximum = 4294967295u32),
        PlyParameters,
    ),
    responses((status = 200, description = "The report at that ply.", body = umpire_referee::schemas::Report))
))]
pub async fn get_record_ply(
    seen: Seen,
    PlyAt(ply): PlyAt,
    parameters: Query<PlyParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let Query(PlyParameters { viewer, include, lang }) = parameters;
    let parameters = ReplayParameters { ply: Some(ply), viewer, include, lang };
    answer_report(&service, seen, conditions, parameters, |report| json::text(&report)).await
}

/// Who looks at the events.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct EventParameters {
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Only what the action at this ply and later ones caused; everything, what happened before the first action too,
    /// where it is left out.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub from: Option<u32>,
    /// Only what actions before this ply caused.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub to: Option<u32>,
    /// Optional parts: `text` gives, beside the events, what each is in words (`texts`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<LegalPart>>, style = Form, explode = false, inline))]
    pub include: Vec<LegalPart>,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for EventParameters {
    /// No such seat; more actions than are answered with every state.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::TooManyActions];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(EventParameters {
            viewer: Viewer::take(pairs)?,
            from: pairs.number("from", 0..=u32::MAX)?,
            to: pairs.number("to", 0..=u32::MAX)?,
            include: LegalPart::take(pairs)?,
            lang: Language::take(pairs)?,
        })
    }
}

/// The events of a game as a viewer learned of them.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::EventList))]
pub struct EventList {
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    pub game: &'static str,
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// Number of accepted actions.
    pub plies: u32,
    /// The events, in order.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<umpire_engine::schema::GameEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// Each in words (`include=text`); `null` where the lines around it tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub texts: Option<Vec<Option<String>>>,
}

impl EventList {
    /// Only what the actions between two plies caused; from the opening on where no first one is named.
    pub fn between(mut self, from: Option<u32>, to: Option<u32>) -> Self {
        #[derive(serde::Deserialize)]
        struct When {
            ply: u32,
            #[serde(default)]
            opening: bool,
        }
        if from.is_none() && to.is_none() {
            return self;
        }
        let within = |event: &RawValue| {
            let when: Result<When, _> = serde_json::from_str(event.get());
            when.is_ok_and(|When { ply, opening }| {
                let behind = from.is_none_or(|from| !opening && from <= ply);
                behind && (opening || to.is_none_or(|to| ply < to))
            })
        };
        let kept: Vec<bool> = self.events.iter().map(|event| within(event)).collect();
        let mut flags = kept.iter();
        self.events.retain(|_| flags.next() == Some(&true));
        let mut flags = kept.iter();
        self.texts.iter_mut().for_each(|texts| texts.retain(|_| flags.next() == Some(&true)));
        self
    }

    /// The events of a report.
    pub fn of(report: Report) -> Self {
        EventList {
            game: report.game,
            viewer: report.viewer,
            plies: report.verdict.plies,
            events: report.events.unwrap_or_default(),
            texts: report.texts,
        }
    }
}

/// Lists the events of a stored record.
///
/// As far as the viewer learned of them.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/events", tag = "records", operation_id = "list_record_events",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."), EventParameters),
    responses((status = 200, description = "The events.", body = umpire_referee::schemas::EventList))
))]
pub async fn list_record_events(
    seen: Seen,
    parameters: Query<EventParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let Query(EventParameters { viewer, from, to, include, lang }) = parameters;
    let text = include.contains(&LegalPart::Text);
    let include = Include { events: true, text, ..Include::default() };
    let parameters = ReplayParameters { ply: None, viewer, include, lang };
    let text = move |report| json::text(&EventList::of(report).between(from, to));
    answer_report(&service, seen, conditions, parameters, text).await
}

/// Lists the legal actions in a stored record.
///
/// The same answer as for the record sent to `/v1/legal-actions`; but where no `viewer` is given,
/// the spectator's.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/legal-actions", tag = "records", operation_id = "list_record_legal_actions",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."), LegalParameters),
    responses((status = 200, description = "The legal actions.", body = umpire_referee::schemas::Legal))
))]
pub async fn list_record_legal_actions(
    seen: Seen,
    parameters: Query<LegalParameters>,
    service: Data<Service>,
    conditions: Conditions,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let Query(parameters) = parameters;
    let work = move |stored: Stored, budget: Budget<'_>| {
        reading::with_fields(stored.record.as_bytes(), UnknownFields::Keep, |submission| {
            let query = parameters.query(submission.game, seen.eyes, &limits.referee(), budget)?;
            let (text, voice) = listed(submission, &query, &parameters)?;
            Ok((text, Some(voice)))
        })
    };
    answer(&service, seen, conditions, Made::ByReplay, work).await
}
