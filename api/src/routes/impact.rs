//! Impacts: what another reading, or this version of the rules, changes in the stored records.
//!
//! An impact is a job that is started, polled and possibly cancelled. This module must not do the work itself, and must
//! not contain SQL.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::record::{self, Fault, FaultCode};

use super::jobs::{self, PartsRange};
use crate::http::argument::{Here, here, segment};
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, Problem, shorten};
use crate::http::query::Query;
use crate::jobs::change::{self, ImpactFilter};
use crate::jobs::impact::{Impact, ImpactSources, ImpactTask, ImpactWork};
use crate::routes::access::{MayRead, MayWrite};
use crate::routes::sent::{Content, Sent};
use crate::service::{Service, ask, begin};
use crate::store::jobs::{JobKind, JobState};
use crate::store::{self, Cursor};
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::reading;

/// The question of an impact.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct ImpactRequest {
    /// The reading to apply to every record. Without one, the stored verdict of each record is compared with that of this
    /// version of the rules.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub reading: Option<ReadingChoice>,
    /// Which records to examine; all by default.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub filter: ImpactFilter,
    /// The `next` of an earlier job, to continue after the records that it examined.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, pattern = "^[0-9a-f]{16}$"))]
    pub after: Option<String>,
}

impl Content for ImpactRequest {
    const ERRORS: &'static [&'static [Code]] =
        &[&[Code::BadJson, Code::BadRecord, Code::OptionsRefused]];
}

impl ImpactRequest {
    /// Parses a request strictly.
    pub fn read(text: &[u8]) -> Result<ImpactTask, Fault> {
        let text = reading::canonical(text);
        let ImpactRequest { reading, filter, after } =
            record::read(record::utf8(&text)?, FaultCode::BadRecord, "")?;
        if let Some(reading) = &reading {
            change::check(reading, "/reading")?;
        }
        let after = match after.as_deref().map(str::parse::<Cursor>) {
            None => None,
            Some(Ok(cursor)) => Some(cursor),
            Some(Err(_)) => {
                let detail = "the `next` of a job is expected";
                return Err(Fault::new(FaultCode::BadRecord, "/after", detail));
            }
        };
        filter.clone().filter("/filter")?;
        Ok(ImpactTask { reading, filter, after })
    }
}

/// Starts an impact.
///
/// Starts a job that examines every matching stored record, the latest first, under the reading, or without one under this
/// version of the rules compared with the stored verdict. Records of games that the reading does not concern are counted
/// as such. Records stored after the start are not examined. If too many jobs are running, the answer is 503.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/impacts", tag = "impacts", operation_id = "create_impact",
    request_body(content = ImpactRequest, content_type = "application/json", description = "The reading, and which records."),
    responses((status = 202, description = "The job runs.", body = crate::jobs::impact::Impact, headers(("Location" = String, description = "Where the job is.")))),
))]
pub async fn create_impact(
    _: MayWrite,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<ImpactRequest>,
) -> Result<HttpResponse, ApiError> {
    let task = ImpactRequest::read(&sent.text)?;
    let start = move |service: &Service| {
        let (work, request) = ImpactWork::from_task(task, sources(service))?;
        let work = Arc::new(work);
        loop {
            // Of keys made at random, so that no job of before a restart has this id.
            let id = format!("{:016x}", RandomState::new().build_hasher().finish());
            let (kind, request, work) = (JobKind::Impact, request.clone(), work.clone());
            // If there is a job of this id all the same, another id is tried.
            if let Some(future) = service.runner.start(kind, id.as_bytes(), request, work, None)? {
                return Ok((ImpactAt(id).find(service)?, Some(future)));
            }
        }
    };
    let job = begin(&service, start).await?;
    Ok(jobs::started(true, format!("/v1/impacts/{}", job.id), &job))
}

/// What impacts read from the service.
pub fn sources(service: &Service) -> ImpactSources {
    ImpactSources {
        store: service.store.clone(),
        names: service.names.clone(),
        max_actions: service.limits.max_actions,
    }
}

/// The impact of a path.
#[derive(Debug)]
pub struct ImpactAt(String);

impl ImpactAt {
    fn find(&self, service: &Service) -> Result<Impact, ApiError> {
        let job = service.runner.find(JobKind::Impact, self.0.as_bytes())?;
        Impact::from_stored(self.0.clone(), job.ok_or_else(|| self.missing())?)
    }

    fn missing(&self) -> ApiError {
        let id = shorten(&self.0);
        let detail = format!("unknown impact {id:?}; finished impacts are kept only for a while");
        ApiError::not_found(detail)
    }
}

impl FromRequest for ImpactAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Ok(ImpactAt(segment(request, "id").to_owned())))
    }
}

impl Demand for ImpactAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
    }
}

/// Returns an impact.
///
/// A job that was cancelled, failed, or holds the maximum number of changes has a `next`: another job with the same reading
/// and filter and this as its `after` continues there, and their counts add up.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/impacts/{id}", tag = "impacts", operation_id = "get_impact",
    params(("id" = umpire_referee::schemas::ImpactName, Path, description = "The id of an impact.")),
    responses((status = 200, description = "How the job stands.", body = crate::jobs::impact::Impact))
))]
pub async fn get_impact(
    _: MayRead,
    id: ImpactAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    Ok(jobs::shown(&ask(&service, move |service| id.find(service)).await?))
}

/// Cancels or deletes an impact.
///
/// A running job is cancelled and keeps its results. A finished one is deleted.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/impacts/{id}", tag = "impacts", operation_id = "delete_impact",
    params(("id" = umpire_referee::schemas::ImpactName, Path, description = "The id of an impact.")),
    responses((status = 204, description = "The job is cancelled or forgotten."))
))]
pub async fn delete_impact(
    _: MayWrite,
    id: ImpactAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let missing = id.missing();
    let job = ask(&service, move |service| id.find(service)).await?;
    jobs::delete(&service, job.id.into_bytes(), missing).await
}

/// Which changes to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ChangesParameters {
    /// The maximum number of changes in a page: 50 by default, or all with NDJSON.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The `next` of the previous page: the number of changes before this page.
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 1000000))]
    pub from: Option<u32>,
}

impl Parameters for ChangesParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(ChangesParameters {
            limit: pairs.number("limit", 1..=store::MAX_PAGE)?,
            from: pairs.number("from", 0..=1_000_000)?,
        })
    }
}

/// A page of changed records.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangePage {
    /// The records, in the order of the store's lists.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::jobs::impact::ChangedRecord>))]
    pub changes: Vec<Box<RawValue>>,
    /// The `from` of the next page; `null` if there are no more.
    pub next: Option<u32>,
}

/// Lists the changed records of an impact.
///
/// In the order of the store's lists, so two jobs with the same question give the same list. While the job is running, a
/// page may be short; its `next` works once there is more. With `Accept: application/x-ndjson`, all of them, one a line.
/// The texts are the referee's: they may reveal what a player of an unfinished game must not know.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/impacts/{id}/changes", tag = "impacts", operation_id = "list_impact_changes",
    params(("id" = umpire_referee::schemas::ImpactName, Path, description = "The id of an impact."), ChangesParameters),
    responses((status = 200, description = "A page, or all, one a line.", content((ChangePage = "application/json"), (umpire_referee::schemas::ChangeLines = "application/x-ndjson"))))
))]
pub async fn list_impact_changes(
    _: MayRead,
    request: HttpRequest,
    id: ImpactAt,
    parameters: Query<ChangesParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let job = ask(&service, move |service| id.find(service)).await?;
    let running = job.state == JobState::Running;
    let range = PartsRange { from: parameters.from, limit: parameters.limit, running };
    let page = |changes, next| ChangePage { changes, next };
    jobs::list_parts(&service, &request, job.id.into_bytes(), range, page).await
}
