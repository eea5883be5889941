//! What another reading, or this version of the rules, changes in the stored records.
//!
//! The work is a job: it is started, looked at from time to time, and may be cancelled. This
//! module must not do the work itself, and must not say SQL.

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::record::{self, Fault, FaultCode};

use super::parameters::{next_page, wants_ndjson};
use crate::access::{MayRead, MayWrite};
use crate::contract::{Contract, Demand};
use crate::error::{ApiError, Code, shorten};
use crate::impact::jobs::{MOST_CHANGES, Means, Task};
use crate::impact::{self, ImpactFilter};
use crate::query::{NoParameters, Pairs, Parameters, Query};
use crate::sent::{Content, Here, Sent, here, segment};
use crate::service::{Service, ask, begin};
use crate::store::{self, Cursor};
use crate::{body, json, referee};

/// What to find out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct ImpactRequest {
    /// The reading under which every record is looked at. Where it is left out, what the store
    /// says of each record is compared with what this version of the rules gives.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub reading: Option<ReadingChoice>,
    /// Which records; all where it is left out.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub filter: ImpactFilter,
    /// The `next` of a job before this one, to go on after the records that it looked at.
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
    /// Reads a request strictly.
    pub fn read(text: &[u8]) -> Result<Task, Fault> {
        let text = referee::canonical(text);
        let ImpactRequest { reading, filter, after } =
            record::read(record::utf8(&text)?, FaultCode::BadRecord, "")?;
        if let Some(reading) = &reading {
            impact::check(reading, "/reading")?;
        }
        let after = match after.as_deref().map(str::parse::<Cursor>) {
            None => None,
            Some(Ok(cursor)) => Some(cursor),
            Some(Err(_)) => {
                let detail = "the `next` of a job is expected";
                return Err(Fault::new(FaultCode::BadRecord, "/after", detail));
            }
        };
        let asked = filter.clone();
        Ok(Task { reading, asked, filter: filter.filter("/filter")?, after })
    }
}

/// Finds out what a reading changes.
///
/// Starts a job that looks at every stored record that matches, the latest first: under the
/// reading, or, where none is given, under this version of the rules, compared with what the store
/// says. Records of games that the reading does not concern are counted as such. What is stored
/// after the start is not looked at. Few jobs run at once; then the answer is 503.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/impacts", tag = "impacts", operation_id = "create_impact",
    request_body(content = ImpactRequest, content_type = "application/json", description = "The reading, and which records."),
    responses((status = 202, description = "The job runs.", body = crate::impact::jobs::Impact, headers(("Location" = String, description = "Where the job is.")))),
))]
pub async fn create_impact(
    _: MayWrite,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<ImpactRequest>,
) -> Result<HttpResponse, ApiError> {
    let task = ImpactRequest::read(&sent.text)?;
    let start = move |service: &Service| {
        let (job, work) = service.impacts.start(task, means(service))?;
        Ok((job.show(), Some(work)))
    };
    let shown = begin(&service, start).await?;
    Ok(HttpResponse::Accepted()
        .insert_header((header::LOCATION, format!("/v1/impacts/{}", shown.id)))
        .content_type(body::JSON)
        .body(json::text(&shown)))
}

/// What an impact works with.
pub fn means(service: &Service) -> Means {
    Means {
        store: service.store.clone(),
        names: service.names.clone(),
        cpu: service.cpu.clone(),
        max_actions: service.limits.max_actions,
    }
}

/// The impact that a path names.
#[derive(Debug)]
pub struct ImpactAt(String);

impl ImpactAt {
    fn missing(&self) -> ApiError {
        let id = shorten(&self.0);
        let detail = format!("there is no impact {id:?}; finished ones are kept for a while only");
        ApiError::NotFound(detail)
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

/// Shows how an impact stands.
///
/// A job that was cancelled, failed, or holds as many changes as it may, has a `next`: another job
/// with the same reading and filter and this as its `after` goes on there, and their counts add
/// up.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/impacts/{id}", tag = "impacts", operation_id = "get_impact",
    params(("id" = crate::schemas::ImpactName, Path, description = "The id of an impact.")),
    responses((status = 200, description = "How the job stands.", body = crate::impact::jobs::Impact))
))]
pub async fn get_impact(
    _: MayRead,
    id: ImpactAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let shown =
        ask(&service, move |service| service.impacts.show(&id.0)?.ok_or_else(|| id.missing()));
    let shown = shown.await?;
    Ok(HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(json::text(&shown)))
}

/// Cancels or forgets an impact.
///
/// A running job is cancelled; what it has found out can still be looked at. A finished one is
/// forgotten.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/impacts/{id}", tag = "impacts", operation_id = "delete_impact",
    params(("id" = crate::schemas::ImpactName, Path, description = "The id of an impact.")),
    responses((status = 204, description = "The job is cancelled or forgotten."))
))]
pub async fn delete_impact(
    _: MayWrite,
    id: ImpactAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let deleted = ask(&service, move |service| match service.impacts.delete(&id.0)? {
        true => Ok(()),
        false => Err(id.missing()),
    });
    deleted.await.map(|()| HttpResponse::NoContent().finish())
}

/// Which changes to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ChangesParameters {
    /// The most changes in a page; 50 where it is left out. NDJSON has all unless it is given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The `next` of the page before: how many changes stand in front.
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 1000000))]
    pub from: Option<u32>,
}

impl Parameters for ChangesParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
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
    /// The records, in the order in which the store lists them.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::impact::jobs::ChangedRecord>))]
    pub changes: Vec<Box<RawValue>>,
    /// The `from` of the next page; `null` if there are no more.
    pub next: Option<u32>,
}

/// Lists the records that an impact has found to change.
///
/// In the order in which the store lists them, so that two jobs with the same question give the
/// same list. While the job runs, a page may be short; its `next` then goes on when there is more.
/// With `Accept: application/x-ndjson` all of them, a line each. The words are the referee's: they
/// may say what a player of an unfinished game must not know.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/impacts/{id}/changes", tag = "impacts", operation_id = "list_impact_changes",
    params(("id" = crate::schemas::ImpactName, Path, description = "The id of an impact."), ChangesParameters),
    responses((status = 200, description = "A page, or all, one a line.", content((ChangePage = "application/json"), (crate::schemas::ChangeLines = "application/x-ndjson"))))
))]
pub async fn list_impact_changes(
    _: MayRead,
    request: HttpRequest,
    id: ImpactAt,
    parameters: Query<ChangesParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let from = parameters.from.unwrap_or(0);
    let lines = wants_ndjson(&request);
    let most = match parameters.limit {
        Some(limit) => limit as usize,
        None if lines => MOST_CHANGES * 2,
        None => store::DEFAULT_PAGE as usize,
    };
    let found = ask(&service, move |service| {
        let found = service.impacts.changes(&id.0, from as usize, most)?;
        found.ok_or_else(|| id.missing())
    });
    let (changes, more, runs) = found.await?;
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::VARY, "accept"))
        .insert_header((header::CACHE_CONTROL, "no-store"));
    if lines {
        let mut text = Vec::new();
        changes.iter().for_each(|change| json::line(&mut text, change));
        return Ok(answer.content_type(body::NDJSON).body(text));
    }
    let reached = from.saturating_add(u32::try_from(changes.len()).unwrap_or(u32::MAX));
    if more {
        answer.insert_header((header::LINK, next_page(&request, "from", reached)));
    }
    let page = ChangePage { changes, next: (more || runs).then_some(reached) };
    Ok(answer.content_type(body::JSON).body(json::text(&page)))
}
