//! Analyses of records: who stood better, what was a mistake, what was luck.
//!
//! An analysis is a job that is started, polled while plies come in, and possibly cancelled; the same request finds or
//! resumes it. This module must not analyse anything itself, and must not contain SQL.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::review::Task;
use umpire_engine::game::Observer;
use umpire_referee::json;
use umpire_referee::parameters::Eyes;
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::questions::analysis::{AnalysisRequest, Plies, StoredAnalysis, USUAL, prepare};
use umpire_referee::questions::{MOST_SIMULATIONS, SEED, within};
use umpire_referee::record_id::RecordId;

use super::dispute::{SUBJECT_ERRORS, done};
use super::jobs::{self, JobAt, PartsRange};
use super::stored::Seen;
use crate::documents::curve;
use crate::documents::curve::Drawn;
use crate::http::body;
use crate::http::error::{ApiError, Code, Problem};
use crate::http::query::Query;
use crate::jobs::analysis::{AnalysisJob, AnalysisTask, analysis_id};
use crate::jobs::pieces::PiecesRequest;
use crate::routes::access::{Analyst, Caller, Reader};
use crate::routes::sent::{Content, Sent};
use crate::service::{Service, ask};
use crate::store::jobs::{JobKind, JobState};

impl Content for AnalysisRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// An analysis that is ready to start.
struct Ready {
    id: RecordId,
    task: AnalysisTask,
    /// The request to be stored.
    request: String,
    work: Plies,
}

/// Analyses a record.
///
/// Starts a job that says, ply by ply, who stood better from each perspective (public knowledge, what each seat knows, all
/// cards open), what each decision was worth to the seat that made it, from what it could know, and what was luck. The id
/// of an analysis follows from its request: the same request finds it, running or done, and resumes it if it was
/// cancelled. If too many are running, the answer is 503. A token that is bound to a
/// viewer of a stored record may analyse that record as that viewer, by its `id`: a record in the request is always refused
/// (403), because comparing it with the stored one would reveal hidden information.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/analyses", tag = "analysis", operation_id = "create_analysis",
    request_body(content = AnalysisRequest, description = "A record and a budget.", content_type = "application/json"),
    responses(
        (status = 200, description = "It is done, or runs already.", body = crate::jobs::analysis::AnalysisJob),
        (status = 202, description = "The job runs.", body = crate::jobs::analysis::AnalysisJob, headers(("Location" = String, description = "Where the job is."))),
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
    let (holder, Caller(peer)) = (analyst.clone(), caller);
    let prepared = done(caller, sent, reader, service.clone(), move |asked, text| {
        let allowed = |request: &AnalysisRequest<'_>| match request.record {
            Some(_) => Ok(holder.any_record()?),
            None => Ok(()),
        };
        prepare(asked, text, allowed, |submission, task, work| {
            let meta = submission.game.meta();
            let name = match task.viewer {
                Observer::Referee => "referee",
                Observer::Spectator => "spectator",
                Observer::Seat(seat) => meta.seat_name(seat),
            };
            let (record, _) = submission.canonical().map_err(|fault| within(fault, "/record"))?;
            let Task { simulations, seed, .. } = task;
            let id = analysis_id(&record, name, simulations, &seed);
            let sent = StoredAnalysis {
                record: std::str::from_utf8(submission.text)
                    .ok()
                    .and_then(|text| serde_json::from_str(text).ok()),
                viewer: name,
                simulations,
                seed: seed.as_str().into(),
            };
            let task = AnalysisTask {
                game: meta.id.to_owned(),
                record: names.outside(&record).to_string(),
                viewer: name.to_owned(),
                simulations,
                seed: seed.clone(),
                of: work.pieces(),
            };
            let request = json::string(&PiecesRequest { task: &task, sent });
            Ok(Ready { id, task, request, work })
        })
    });
    let Ready { id, task, request, work } = prepared.await?;
    analyst.check(Some((&task.record, &task.viewer)))?;
    let new = jobs::start(&service, JobKind::Analysis, id, request, Arc::new(work), peer).await?;
    let at = JobAt { name: service.names.outside(&id), id };
    let job = find(at, &service).await?.ok_or_else(|| missing(at))?;
    Ok(jobs::started(new, format!("/v1/analyses/{}", at.name), &job))
}

async fn find(at: JobAt, service: &Data<Service>) -> Result<Option<AnalysisJob>, ApiError> {
    let job = at.find(service, JobKind::Analysis).await?;
    job.map(|job| AnalysisJob::from_stored(at.name.to_string(), &job)).transpose()
}

/// An analysis, if the caller may see it.
async fn seen(
    at: JobAt,
    service: &Data<Service>,
    reader: &Reader,
) -> Result<AnalysisJob, ApiError> {
    let job = find(at, service).await?;
    reader.analysis(job.as_ref().map(|it| (&*it.record, &*it.viewer)))?;
    job.ok_or_else(|| missing(at))
}

fn missing(at: JobAt) -> ApiError {
    ApiError::not_found(format!(
        "unknown analysis {}; those not asked for in a long time are forgotten",
        at.name
    ))
}

/// Returns an analysis.
///
/// Once it is done, with a summary of all plies: how well each seat decided, and its ledger of luck and skill.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}", tag = "analysis", operation_id = "get_analysis",
    params(("id" = umpire_referee::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 200, description = "How the job stands.", body = crate::jobs::analysis::AnalysisJob))
))]
pub async fn get_analysis(
    reader: Reader,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    Ok(jobs::shown(&seen(at, &service, &reader).await?))
}

/// Cancels or deletes an analysis.
///
/// A running one is cancelled and keeps its results, and the same request resumes it. A finished one is deleted.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/analyses/{id}", tag = "analysis", operation_id = "delete_analysis",
    params(("id" = umpire_referee::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 204, description = "It is cancelled or forgotten."))
))]
pub async fn delete_analysis(
    analyst: Analyst,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let job = find(at, &service).await?;
    analyst.check(job.as_ref().map(|it| (&*it.record, &*it.viewer)))?;
    job.ok_or_else(|| missing(at))?;
    jobs::delete(&service, at.id.as_bytes().to_vec(), missing(at)).await
}

/// Which plies to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct PliesParameters {
    /// The maximum number of plies in a page: 50 by default, or all with NDJSON.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The first ply: the `next` of the previous page.
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 1000000))]
    pub from: Option<u32>,
}

impl Parameters for PliesParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
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
    /// The analysis of each ply, in order.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<umpire_referee::schemas::PlyAnalysis>))]
    pub plies: Vec<Box<RawValue>>,
    /// The `from` of the next page; `null` if there are no more.
    pub next: Option<u32>,
}

/// Lists the plies of an analysis.
///
/// While it is running, those that are done; they are finished in any order, so a page may have gaps. With `Accept:
/// application/x-ndjson`, all that are done, one a line.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}/plies", tag = "analysis", operation_id = "list_analysis_plies",
    params(("id" = umpire_referee::schemas::AnalysisName, Path, description = "The id of an analysis."), PliesParameters),
    responses((status = 200, description = "A page, or all, one a line.", content((AnalysisPage = "application/json"), (umpire_referee::schemas::PlyLines = "application/x-ndjson"))))
))]
pub async fn list_analysis_plies(
    reader: Reader,
    request: HttpRequest,
    at: JobAt,
    parameters: Query<PliesParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let running = seen(at, &service, &reader).await?.state == JobState::Running;
    let range = PartsRange { from: parameters.from, limit: parameters.limit, running };
    let page = |plies, next| AnalysisPage { plies, next };
    jobs::list_parts(&service, &request, at.id.as_bytes().to_vec(), range, page).await
}

/// Draws the curve of an analysis.
///
/// A self-contained SVG: the chance of each seat, ply by ply, with a band of two standard errors and a mark at each
/// decision that lost something. It is available once the analysis is done.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/analyses/{id}/curve.svg", tag = "analysis", operation_id = "get_analysis_curve",
    params(("id" = umpire_referee::schemas::AnalysisName, Path, description = "The id of an analysis.")),
    responses((status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"))
))]
pub async fn get_analysis_curve(
    reader: Reader,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Some(summary) = seen(at, &service, &reader).await?.summary else {
        return Err(ApiError::not_found(
            "the curve is available once the analysis is done".to_owned(),
        ));
    };
    let plies = ask(&service, move |service| {
        Ok(service.runner.board().parts(at.id.as_bytes(), 0, u32::MAX)?)
    });
    let plies: Vec<String> = plies.await?.into_iter().map(|(_, text)| text).collect();
    Ok(HttpResponse::Ok()
        .content_type(body::SVG)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(curve::svg(&Drawn::read(summary.get().as_bytes(), &plies))))
}

/// Which analysis of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct OfRecordParameters {
    /// The viewer; by default the referee, or the viewer that the token is bound to.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::ViewerName>))]
    pub viewer: Option<String>,
    /// The number of simulations; 1000 by default.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 20000))]
    pub simulations: Option<u32>,
    /// The random seed; `umpire` by default.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub seed: Option<String>,
}

impl Parameters for OfRecordParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(OfRecordParameters {
            viewer: pairs.take("viewer")?,
            simulations: pairs.number("simulations", 1..=MOST_SIMULATIONS)?,
            seed: pairs.take("seed")?,
        })
    }
}

/// Returns the analysis of a stored record, if it was started.
///
/// `POST /v1/analyses` with the record's id and the same viewer, budget and seed starts it.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records/{id}/analysis", tag = "analysis", operation_id = "get_record_analysis",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record."), OfRecordParameters),
    responses((status = 200, description = "How the analysis stands.", body = crate::jobs::analysis::AnalysisJob))
))]
pub async fn get_record_analysis(
    seen: Seen,
    parameters: Query<OfRecordParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let own = match seen.eyes {
        Eyes::AnyOr(_) => "referee",
        Eyes::Only(viewer) => viewer,
    };
    let viewer = parameters.viewer.as_deref().unwrap_or(own);
    seen.eyes.named(viewer)?;
    let simulations = parameters.simulations.unwrap_or(USUAL);
    let seed = parameters.seed.as_deref().unwrap_or(SEED);
    let id = analysis_id(&seen.id(), viewer, simulations, seed);
    let at = JobAt { name: service.names.outside(&id), id };
    let job = find(at, &service).await?.ok_or_else(|| {
        ApiError::not_found(
            "this analysis of the record has not been started; POST /v1/analyses starts it"
                .to_owned(),
        )
    })?;
    Ok(jobs::shown(&job))
}
