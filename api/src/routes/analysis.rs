//! Analyses of records: who stood better, what was a mistake, what was luck.
//!
//! The work is a job: it is started, looked at while plies come in, and may be cancelled; the same request finds
//! or goes on with it. This module must not think, and must not say SQL.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::analysis::review::{Analysis, Task};
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;

use super::advice::{SEED, seed_of, within_bounds};
use super::dispute::{self, SUBJECT_ERRORS, done, read, viewer, within};
use super::parameters::{Eyes, engine_limits, next_page, wants_ndjson};
use super::stored::Seen;
use crate::access::{Analyst, Caller, Reader, Sight};
use crate::analyses::kept::id_of;
use crate::analyses::work::{Plies, Work};
use crate::analyses::{AnalysisState, Asked, AskedFor, Means, Shown};
use crate::config::Limits;
use crate::contract::{Contract, Demand};
use crate::curve::Drawn;
use crate::error::{ApiError, Code, shorten};
use crate::names::PublicId;
use crate::query::{NoParameters, Pairs, Parameters, Query};
use crate::referee::{self, Submission, UnknownFields};
use crate::sent::{Content, Here, Sent, here, segment};
use crate::service::{Service, ask, begin};
use crate::store::RecordId;
use crate::store::jobs::JobKind;
use crate::{archive, body, curve, json};

/// The most simulations for each chance of an analysis.
const MOST_SIMULATIONS: u32 = 20_000;

/// A record that is to be analysed.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AnalysisRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// Who reads it: `referee`, `spectator` or a seat. The referee is told everything, hindsight and luck
    /// too; a seat what it could know, and its own decisions.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false, default = "referee"))]
    viewer: Option<Cow<'a, str>>,
    /// Number of simulations for each chance: the budget.
    #[serde(default = "usual")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 20000, default = 1000))]
    simulations: u32,
    /// What makes this analysis another than one with another seed.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
}

impl Content for AnalysisRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// The budget where none is given.
const USUAL: u32 = 1000;

fn usual() -> u32 {
    USUAL
}

/// An analysis that is ready to be done.
struct Ready {
    id: RecordId,
    asked: Asked,
    /// What another server would need to do it.
    sent: String,
    analysis: Box<dyn Analysis>,
}

/// What a server needs to go on with an analysis that another one has begun.
#[derive(Serialize, Deserialize)]
struct Again<'a> {
    #[serde(borrow)]
    record: Option<&'a RawValue>,
    viewer: &'a str,
    simulations: u32,
    seed: Cow<'a, str>,
}

/// Makes an analysis ready that another server has begun.
///
/// # Errors
/// It is not what was kept.
pub fn again(text: &str, limits: &Limits, budget: Budget<'_>) -> Result<Plies, ApiError> {
    let wrong =
        |why: String| ApiError::Internal(format!("an analysis that is kept cannot be read: {why}"));
    let Again { record, viewer: name, simulations, seed } =
        serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let record = record.ok_or_else(|| wrong("it has no record".to_owned()))?;
    let limits = engine_limits(limits, budget);
    referee::with_fields(record.get().as_bytes(), UnknownFields::Keep, |submission| {
        let viewer = viewer(submission.game, Some(name), Eyes::AnyOr(Observer::Referee))?;
        let task = Task { simulations, seed: seed.into_owned(), viewer };
        Ok(Plies(submission.game.analysis(&submission.record, &task, limits)?))
    })
}

/// Analyses a record.
///
/// Starts a job that says, ply by ply, who stood better from each perspective (what everybody knows, what each
/// seat knows, all cards open), what each decision was worth to the seat that took it, from what it could know,
/// and what was luck. An analysis is named by what it is made from: the same request again finds it, running or
/// done, and goes on with it where it was cancelled. Few run at once; then the answer is 503. A token that is bound to a
/// viewer of a stored record may analyse that record as that viewer, by its `id`: a record in the request is always refused
/// (403), because comparing it with the stored one would reveal hidden information.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/analyses", tag = "analysis", operation_id = "create_analysis",
    request_body(content = AnalysisRequest, description = "A record and a budget.", content_type = "application/json"),
    responses(
        (status = 200, description = "It is done, or runs already.", body = crate::analyses::Shown),
        (status = 202, description = "The job runs.", body = crate::analyses::Shown, headers(("Location" = String, description = "Where the job is."))),
    )
))]
pub async fn create_analysis(
    caller: Caller,
    analyst: Analyst,
    reader: Reader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<AnalysisRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let names = service.names.clone();
    let holder = analyst.clone();
    let prepared = done(caller, sent, reader, service.clone(), move |asked, text| {
        let allowed = |request: &AnalysisRequest<'_>| match request.record {
            Some(_) => holder.any_record(),
            None => Ok(()),
        };
        prepared(asked, text, allowed, |submission, task, analysis| {
            let meta = submission.game.meta();
            let name = match task.viewer {
                Observer::Referee => "referee",
                Observer::Spectator => "spectator",
                Observer::Seat(seat) => meta.seat_name(seat),
            };
            let about = submission.record.meta.as_ref().map(|meta| meta.text);
            let (record, _) = archive::canonical(submission.text, &meta.ruleset(), about)
                .map_err(|fault| within(fault, "/record"))?;
            let Task { simulations, seed, .. } = task;
            let id = id_of(&record, name, simulations, &seed);
            let sent = Again {
                record: std::str::from_utf8(submission.text)
                    .ok()
                    .and_then(|text| serde_json::from_str(text).ok()),
                viewer: name,
                simulations,
                seed: seed.as_str().into(),
            };
            let sent = json::string(&sent);
            let asked = Asked {
                game: meta.id.to_owned(),
                record: names.outside(&record).to_string(),
                viewer: name.to_owned(),
                simulations,
                seed,
                of: analysis.plies() + 1,
            };
            Ok(Ready { id, asked, sent, analysis })
        })
    });
    let Ready { id, asked, sent, analysis } = prepared.await?;
    analyst.check(Some((&asked.record, &asked.viewer)))?;
    let task = json::string(&asked);
    let asked = AskedFor { kind: JobKind::Analysis, task, sent };
    let started = start(&service, id, asked, Arc::new(Plies(analysis))).await?;
    let name = service.names.outside(&id);
    let at = AnalysisAt { name, id };
    let shown = ask(&service, move |service| at.show(service)).await?;
    let mut answer = if started { HttpResponse::Accepted() } else { HttpResponse::Ok() };
    Ok(answer
        .insert_header((header::LOCATION, format!("/v1/analyses/{name}")))
        .content_type(body::JSON)
        .body(json::text(&shown)))
}

/// Prepares the analysis of a request and passes it on. `allowed` sees the request before its record is read.
///
/// # Errors
/// The request cannot be read or is not allowed, its record cannot be replayed, or `then` fails.
pub fn prepared<T>(
    asked: &dispute::Asked<'_>,
    text: &[u8],
    allowed: impl FnOnce(&AnalysisRequest<'_>) -> Result<(), ApiError>,
    then: impl FnOnce(&Submission<'_>, Task, Box<dyn Analysis>) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let request: AnalysisRequest<'_> = read(text)?;
    allowed(&request)?;
    within_bounds("simulations", request.simulations, MOST_SIMULATIONS)?;
    let seed = seed_of(request.seed.as_deref())?;
    asked.view_of(request.record, request.id.as_deref(), "/record", |submission, eyes| {
        // Whoever may read whole records is told everything unless it asks for less.
        let viewer = match (request.viewer.as_deref(), eyes) {
            (None, Eyes::AnyOr(_)) => Observer::Referee,
            (named, eyes) => viewer(submission.game, named, eyes)?,
        };
        let task = Task { simulations: request.simulations, seed: seed.to_owned(), viewer };
        let analysis = submission
            .game
            .analysis(&submission.record, &task, asked.limits())
            .map_err(|fault| within(fault, "/record"))?;
        then(submission, task, analysis)
    })
}

/// What the work of a job is done with.
pub fn means(service: &Service) -> Means {
    Means {
        cpu: service.cpu.clone(),
        pieces: service.impacts.pieces(),
        at_once: service.impacts.at_once(),
    }
}

/// Starts a job, or goes on with it; says whether there was anything to start.
pub async fn start(
    service: &Data<Service>,
    id: RecordId,
    asked: AskedFor,
    work: Arc<dyn Work>,
) -> Result<bool, ApiError> {
    let start = move |service: &Service| {
        let work = service.analyses.start(id, &asked, work, means(service))?;
        Ok((work.is_some(), work))
    };
    begin(service, start).await
}

/// The analysis that a path names.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisAt {
    name: PublicId,
    id: RecordId,
}

impl AnalysisAt {
    fn show(&self, service: &Service) -> Result<Shown, ApiError> {
        let shown = service.analyses.show(&self.id, self.name.to_string())?;
        shown.ok_or_else(|| self.missing())
    }

    /// How it stands, for who may see it.
    async fn seen(self, service: &Data<Service>, reader: &Reader) -> Result<Shown, ApiError> {
        let shown = self.found(service).await?;
        reader.analysis(shown.as_ref().map(|it| (&*it.record, &*it.viewer)))?;
        shown.ok_or_else(|| self.missing())
    }

    async fn found(self, service: &Data<Service>) -> Result<Option<Shown>, ApiError> {
        ask(service, move |service| service.analyses.show(&self.id, self.name.to_string())).await
    }

    fn missing(&self) -> ApiError {
        ApiError::NotFound(format!(
            "there is no analysis {}; those not asked for in a long time are forgotten",
            self.name
        ))
    }
}

impl FromRequest for AnalysisAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let at = || {
            let Some(service) = request.app_data::<Data<Service>>() else {
                return Err(ApiError::Internal("the service is not set up".to_owned()));
            };
            let name = id_in_path(segment(request, "id"))?;
            Ok(AnalysisAt { name, id: service.names.inside(&name) })
        };
        here(at())
    }
}

/// The id of a job in a path.
///
/// # Errors
/// It is no id.
pub fn id_in_path(text: &str) -> Result<PublicId, ApiError> {
    text.parse::<PublicId>().map_err(|_| {
        let text = shorten(text);
        ApiError::BadId(format!("{text:?} is no id: 64 lower-case hexadecimal digits are expected"))
    })
}

impl Demand for AnalysisAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::BadId, Code::NotFound]);
    }
}

/// Shows how an analysis stands.
///
/// Once it is done, with what all plies come to: how each seat decided, and its ledger of luck and skill.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}", tag = "analysis", operation_id = "get_analysis",
    params(("id" = crate::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 200, description = "How the job stands.", body = crate::analyses::Shown))
))]
pub async fn get_analysis(
    reader: Reader,
    at: AnalysisAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let shown = at.seen(&service, &reader).await?;
    Ok(HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(json::text(&shown)))
}

/// Cancels or forgets an analysis.
///
/// A running one is cancelled; what it has found out stays, and the same request again goes on with it. Another
/// is forgotten.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/analyses/{id}", tag = "analysis", operation_id = "delete_analysis",
    params(("id" = crate::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 204, description = "It is cancelled or forgotten."))
))]
pub async fn delete_analysis(
    analyst: Analyst,
    at: AnalysisAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let shown = at.found(&service).await?;
    analyst.check(shown.as_ref().map(|it| (&*it.record, &*it.viewer)))?;
    shown.ok_or_else(|| at.missing())?;
    match ask(&service, move |service| service.analyses.delete(&at.id)).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(at.missing()),
    }
}

/// Which plies to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct PliesParameters {
    /// The most plies in a page; 50 where it is left out. NDJSON has all unless it is given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The first ply; the `next` of the page before.
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 1000000))]
    pub from: Option<u32>,
}

impl Parameters for PliesParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(PliesParameters {
            limit: pairs.number("limit", 1..=500)?,
            from: pairs.number("from", 0..=1_000_000)?,
        })
    }
}

/// A page of plies.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnalysisPage {
    /// What the analysis says of each, in order.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::schemas::PlyAnalysis>))]
    pub plies: Vec<Box<RawValue>>,
    /// The `from` of the next page; `null` if there are no more.
    pub next: Option<u32>,
}

/// Lists what an analysis says of each ply.
///
/// While it runs, the plies that are done; they come in any order, so that a page may lack some. With `Accept:
/// application/x-ndjson` all that are done, a line each.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}/plies", tag = "analysis", operation_id = "list_analysis_plies",
    params(("id" = crate::schemas::AnalysisName, Path, description = "The id of an analysis."), PliesParameters),
    responses((status = 200, description = "A page, or all, one a line.", content((AnalysisPage = "application/json"), (crate::schemas::PlyLines = "application/x-ndjson"))))
))]
pub async fn list_analysis_plies(
    reader: Reader,
    request: HttpRequest,
    at: AnalysisAt,
    parameters: Query<PliesParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let runs = at.seen(&service, &reader).await?.state == AnalysisState::Running;
    let lines = wants_ndjson(&request);
    let from = parameters.from.unwrap_or(0);
    let most = parameters.limit.unwrap_or(if lines { u32::MAX - 1 } else { 50 });
    let kept = ask(&service, move |service| service.analyses.kept().plies(&at.id, from, most + 1));
    let mut found = kept.await?;
    let more = found.len() > most as usize;
    found.truncate(most as usize);
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::VARY, "accept"))
        .insert_header((header::CACHE_CONTROL, "no-store"));
    if lines {
        let mut text = Vec::new();
        for (_, line) in &found {
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        return Ok(answer.content_type(body::NDJSON).body(text));
    }
    let reached = found.last().map_or(from, |&(ply, _)| ply + 1);
    if more {
        answer.insert_header((header::LINK, next_page(&request, "from", reached)));
    }
    let plies = found.into_iter().filter_map(|(_, text)| RawValue::from_string(text).ok());
    let page = AnalysisPage { plies: plies.collect(), next: (more || runs).then_some(reached) };
    Ok(answer.content_type(body::JSON).body(json::text(&page)))
}

/// Shows the curve of an analysis as a picture.
///
/// A self-contained SVG: the chance of each seat ply by ply with a band of two standard errors, and a mark at each
/// decision that lost something. It is there once the analysis is done.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}/curve.svg", tag = "analysis", operation_id = "get_analysis_curve",
    params(("id" = crate::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"))
))]
pub async fn get_analysis_curve(
    reader: Reader,
    at: AnalysisAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Some(summary) = at.seen(&service, &reader).await?.summary else {
        return Err(ApiError::NotFound("the curve is there once the analysis is done".to_owned()));
    };
    let kept =
        ask(&service, move |service| service.analyses.kept().plies(&at.id, 0, u32::MAX)).await?;
    let kept: Vec<String> = kept.into_iter().map(|(_, text)| text).collect();
    Ok(HttpResponse::Ok()
        .content_type(body::SVG)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(curve::svg(&Drawn::read(summary.get().as_bytes(), &kept))))
}

/// Which analysis of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct OfRecordParameters {
    /// Who reads it; where it is left out the referee, or the viewer that the token is bound to.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>))]
    pub viewer: Option<String>,
    /// Number of simulations; 1000 where it is left out.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 20000))]
    pub simulations: Option<u32>,
    /// The seed; `umpire` where it is left out.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub seed: Option<String>,
}

impl Parameters for OfRecordParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(OfRecordParameters {
            viewer: pairs.take("viewer")?,
            simulations: pairs.number("simulations", 1..=MOST_SIMULATIONS)?,
            seed: pairs.take("seed")?,
        })
    }
}

/// Shows the analysis of a stored record, if somebody has asked for it.
///
/// `POST /v1/analyses` with the record's id, the same viewer, budget and seed starts it.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/analysis", tag = "analysis", operation_id = "get_record_analysis",
    params(("id" = crate::schemas::RecordName, Path, description = "The id of a record."), OfRecordParameters),
    responses((status = 200, description = "How the analysis stands.", body = crate::analyses::Shown))
))]
pub async fn get_record_analysis(
    seen: Seen,
    parameters: Query<OfRecordParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let own = match seen.sight {
        Sight::Whole => "referee",
        Sight::Only(viewer) => viewer,
    };
    let viewer = parameters.viewer.as_deref().unwrap_or(own);
    seen.sight.named(viewer)?;
    let simulations = parameters.simulations.unwrap_or(USUAL);
    let seed = parameters.seed.as_deref().unwrap_or(SEED);
    let id = id_of(&seen.id(), viewer, simulations, seed);
    let at = AnalysisAt { name: service.names.outside(&id), id };
    let shown = at.found(&service).await?.ok_or_else(|| {
        ApiError::NotFound(
            "nobody has asked for this analysis of the record; POST /v1/analyses starts it"
                .to_owned(),
        )
    })?;
    Ok(HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(json::text(&shown)))
}
