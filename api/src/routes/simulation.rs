//! Series of games between programs: how often each seat and each player wins.
//!
//! A short series is answered at once; a long one is a job that can be polled, cancelled and resumed. This module must
//! not play: the engine does.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::value::RawValue;
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::questions::read;
use umpire_referee::questions::simulation::{
    INSTEAD, Prepared, SimulationRequest, prepare, simulate,
};
use umpire_referee::{Budget, InTurn, json, reading};

use super::jobs::{self, JobAt};
use crate::http::body;
use crate::http::error::{ApiError, Code, Problem};
use crate::http::query::Query;
use crate::jobs::pieces::PiecesRequest;
use crate::jobs::simulation::{SimulationJob, SimulationTask, simulation_id};
use crate::limits::cpu::Claim;
use crate::routes::access::{Caller, MayRead, MayWrite, Writer};
use crate::routes::sent::{Content, Sent};
use crate::service::Service;
use crate::store::jobs::JobKind;

impl Content for SimulationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[&[
        Code::BadJson,
        Code::BadRecord,
        Code::UnknownGame,
        Code::BadOptions,
        Code::OptionsRefused,
    ]];
}

/// How a series is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SimulationParameters {
    /// Whether to start a job: the answer is then 202 at once, and `Location` names the series. This needs a token that may
    /// write.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub job: bool,
}

impl Parameters for SimulationParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(SimulationParameters { job: pairs.flag("job")? })
    }
}

/// Plays a series of games between programs.
///
/// The result says how often each seat and each player wins (with a 95 % interval), how games end and how long they are,
/// and with `rulings` what each other reading changes. The same request gives the same answer on every machine. At most
/// 20,000 games times simulations per action are played at once, within the time limit of any request. With `job=true`
/// the series is a job: its id follows from its request, so the same request finds it, running or done, and resumes it
/// if it was cancelled. If too many jobs are running, the answer is 503.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/simulations", tag = "analysis", operation_id = "create_simulation",
    params(SimulationParameters),
    request_body(content = SimulationRequest, description = "A game, and who plays it.", content_type = "application/json"),
    responses(
        (status = 200, description = "What became of the games; with `job=true`, a job that is done, or runs already.", body = umpire_referee::schemas::SimulationAnswer),
        (status = 202, description = "The job runs.", body = crate::jobs::simulation::SimulationJob, headers(("Location" = String, description = "Where the job is."))),
    )
))]
pub async fn create_simulation(
    Caller(peer): Caller,
    writer: Writer,
    parameters: Query<SimulationParameters>,
    service: Data<Service>,
    sent: Sent<SimulationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let text = sent.text;
    if !parameters.job {
        let job =
            move |budget: Budget<'_>| Ok(simulate(&reading::canonical(&text), budget, &InTurn)?);
        let answer = service.cpu.run(Claim::heavy(peer), job).await;
        let answer = answer.map_err(|error| error.instead(INSTEAD))?;
        return Ok(HttpResponse::Ok().content_type(body::JSON).body(answer));
    }
    writer.check()?;
    let job = move |_: Budget<'_>| {
        let text = reading::canonical(&text);
        let Prepared { work, game, seed, parts, .. } = prepare(&text)?;
        let task = SimulationTask { series_of: game.to_owned(), seed, of: work.games() };
        let sent: &RawValue = read(&text)?;
        Ok((simulation_id(&parts), json::string(&PiecesRequest { task, sent }), work))
    };
    let (id, request, work) = service.cpu.run(Claim::heavy(peer), job).await?;
    let new = jobs::start(&service, JobKind::Simulation, id, request, Arc::new(work), peer).await?;
    let at = JobAt { name: service.names.outside(&id), id };
    let job = find(at, &service).await?;
    Ok(jobs::started(new, format!("/v1/simulations/{}", at.name), &job))
}

async fn find(at: JobAt, service: &Data<Service>) -> Result<SimulationJob, ApiError> {
    let job = at.find(service, JobKind::Simulation).await?.ok_or_else(|| missing(at))?;
    SimulationJob::from_stored(at.name.to_string(), &job)
}

fn missing(at: JobAt) -> ApiError {
    ApiError::not_found(format!(
        "unknown series {}; those not asked for in a long time are forgotten",
        at.name
    ))
}

/// Returns a series.
///
/// Once all games have been played, with the results.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/simulations/{id}", tag = "analysis", operation_id = "get_simulation",
    params(("id" = umpire_referee::schemas::SimulationName, Path, description = "The id of a series.")),
    responses((status = 200, description = "How the job stands.", body = crate::jobs::simulation::SimulationJob))
))]
pub async fn get_simulation(
    _: MayRead,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    Ok(jobs::shown(&find(at, &service).await?))
}

/// Cancels or deletes a series.
///
/// A running one is cancelled and keeps the games played so far, and the same request resumes it. A finished one is
/// deleted.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/simulations/{id}", tag = "analysis", operation_id = "delete_simulation",
    params(("id" = umpire_referee::schemas::SimulationName, Path, description = "The id of a series.")),
    responses((status = 204, description = "It is cancelled or forgotten."))
))]
pub async fn delete_simulation(
    _: MayWrite,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    find(at, &service).await?;
    jobs::delete(&service, at.id.as_bytes().to_vec(), missing(at)).await
}
