//! What the routes of all kinds of jobs have in common: starting, showing, deleting, and listing parts.
//!
//! This module must not know what a job does, and must not contain SQL.

use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::auth::names::PublicId;
use crate::http::accept::{next_page, wants_ndjson};
use crate::http::argument::{Here, here, segment};
use crate::http::body;
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, shorten};
use crate::http::peer::Peer;
use crate::jobs::runner::JobWork;
use crate::service::{Service, ask, begin};
use crate::store::RecordId;
use crate::store::jobs::{JobKind, StoredJob};
use umpire_referee::json;

/// A job that a path names by what it is made from.
#[derive(Clone, Copy, Debug)]
pub struct JobAt {
    /// As callers know it.
    pub name: PublicId,
    /// As the board knows it.
    pub id: RecordId,
}

impl FromRequest for JobAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(id_in_path(request).map(|(name, id)| JobAt { name, id }))
    }
}

/// The `id` of a path: as callers know it, and as the store knows it.
///
/// # Errors
/// The id is malformed.
pub(super) fn id_in_path(request: &HttpRequest) -> Result<(PublicId, RecordId), ApiError> {
    let Some(service) = request.app_data::<Data<Service>>() else {
        return Err(ApiError::internal("the service is not set up".to_owned()));
    };
    let text = segment(request, "id");
    let name = text.parse::<PublicId>().map_err(|_| {
        let text = shorten(text);
        ApiError::bad_id(format!("{text:?} is not an id; expected 64 lowercase hexadecimal digits"))
    })?;
    Ok((name, service.names.inside(&name)))
}

impl Demand for JobAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::BadId, Code::NotFound]);
    }
}

impl JobAt {
    /// The job with that id, if it is of that kind.
    pub(super) async fn find(
        self,
        service: &Data<Service>,
        kind: JobKind,
    ) -> Result<Option<StoredJob>, ApiError> {
        ask(service, move |service| service.runner.find(kind, self.id.as_bytes())).await
    }
}

/// Starts a job of a caller, or resumes it; returns whether there was anything to start.
pub(super) async fn start(
    service: &Data<Service>,
    kind: JobKind,
    id: RecordId,
    request: String,
    work: Arc<dyn JobWork>,
    peer: Peer,
) -> Result<bool, ApiError> {
    let start = move |service: &Service| {
        let work = service.runner.start(kind, id.as_bytes(), request, work, Some(peer))?;
        Ok((work.is_some(), work))
    };
    begin(service, start).await
}

/// The answer to whoever asked for a job, with its path.
pub(super) fn started<T: Serialize>(new: bool, path: String, job: &T) -> HttpResponse {
    let mut answer = if new { HttpResponse::Accepted() } else { HttpResponse::Ok() };
    answer.insert_header((header::LOCATION, path)).content_type(body::JSON).body(json::text(job))
}

/// The answer that shows a job.
pub(super) fn shown<T: Serialize>(job: &T) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(json::text(job))
}

/// Cancels or deletes a job; `missing` is the error if there is none.
pub(super) async fn delete(
    service: &Data<Service>,
    id: Vec<u8>,
    missing: ApiError,
) -> Result<HttpResponse, ApiError> {
    match ask(service, move |service| service.runner.delete(&id)).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(missing),
    }
}

/// Which parts of a job to list.
pub(super) struct PartsRange {
    /// The number of the first.
    pub(super) from: Option<u32>,
    /// The most parts; a page by default, or everything if the caller accepts NDJSON.
    pub(super) limit: Option<u32>,
    /// Whether the job is running, so that more may come.
    pub(super) running: bool,
}

/// How many parts a page has by default.
const PAGE: u32 = 50;

/// Lists parts of a job: a line each, or a page made of the parts and the `from` of the next page.
pub(super) async fn list_parts<T: Serialize>(
    service: &Data<Service>,
    request: &HttpRequest,
    id: Vec<u8>,
    range: PartsRange,
    page: impl FnOnce(Vec<Box<RawValue>>, Option<u32>) -> T,
) -> Result<HttpResponse, ApiError> {
    let lines = wants_ndjson(request);
    let from = range.from.unwrap_or(0);
    let most = range.limit.unwrap_or(if lines { u32::MAX - 1 } else { PAGE });
    let parts =
        ask(service, move |service| Ok(service.runner.board().parts(&id, from, most + 1)?));
    let mut parts = parts.await?;
    let more = parts.len() > most as usize;
    parts.truncate(most as usize);
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::VARY, "accept"))
        .insert_header((header::CACHE_CONTROL, "no-store"));
    if lines {
        let lines: String = parts.into_iter().flat_map(|(_, text)| [text, "\n".into()]).collect();
        return Ok(answer.content_type(body::NDJSON).body(lines));
    }
    let reached = parts.last().map_or(from, |&(number, _)| number + 1);
    if more {
        answer.insert_header((header::LINK, next_page(request, "from", reached)));
    }
    let parts = parts.into_iter().filter_map(|(_, text)| RawValue::from_string(text).ok());
    let page = page(parts.collect(), (more || range.running).then_some(reached));
    Ok(answer.content_type(body::JSON).body(json::text(&page)))
}
