//! Disputes: a record under other readings, why an action is refused, how a record may be mended,
//! where two records part.
//!
//! A record is sent, or named by the id under which it is stored. This module must not store
//! anything and must not decide anything: the engine does.

use std::borrow::Cow;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::dispute::readings::{Dispute, Reading};
use umpire_engine::record::{self, Fault, FaultCode};
use utoipa::ToSchema;

use crate::app::Service;
use crate::auth::MayRead;
use crate::body;
use crate::error::ApiError;
use crate::openapi;
use crate::query::{NoParameters, Query};
use crate::referee;

/// A dispute about a record.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AdjudicationRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    pub record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    pub id: Option<Cow<'a, str>>,
    /// The ply that is asked about.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(nullable = false, minimum = 0)]
    pub ply: Option<u32>,
    /// An action that somebody wants to make at that ply (behind the last action without one). It
    /// stands in the place of what the record has there and behind.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::AnyObject>, nullable = false)]
    pub action: Option<&'a RawValue>,
    /// The readings to compare with the record's own. Where they are left out: every other
    /// reading of every selectable ruling, one at a time, and every other edition.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(nullable = false, max_items = 256)]
    pub readings: Option<Vec<Reading>>,
    /// A seed that answers draws which never happened; what follows is then hypothetical. The
    /// seed of the record where it is left out.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub seed: Option<Cow<'a, str>>,
}

/// The most readings that are compared at once.
const MOST_READINGS: usize = 256;

/// Whether the caller may read stored records, which only a request about one has to prove.
pub(super) type Reader = Result<MayRead, ApiError>;

/// The text of a record that is sent at a place of the request, or stored under an id.
pub(super) fn text_of<'a>(
    service: &Service,
    reader: &Reader,
    record: Option<&'a RawValue>,
    id: Option<&str>,
    at: &str,
) -> Result<Cow<'a, [u8]>, ApiError> {
    match (record, id, reader) {
        (Some(record), None, _) => Ok(Cow::Borrowed(record.get().as_bytes())),
        (None, Some(_), Err(_)) => Err(ApiError::Unauthorized),
        (None, Some(id), Ok(_)) => {
            let id = super::record::id_at(id)?;
            let stored = service.store.find(&id)?.ok_or_else(|| super::record::missing(&id))?;
            Ok(Cow::Owned(stored.record.into_bytes()))
        }
        _ => {
            let detail = "a record or the id of a stored one is expected, and not both";
            Err(Fault::new(FaultCode::BadRecord, at, detail).into())
        }
    }
}

/// Reads the body of a request in JSON and answers it with a job.
pub(super) async fn job(
    request: &HttpRequest,
    payload: Payload,
    service: &Data<Service>,
    work: impl FnOnce(&Service, &[u8]) -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    body::json_only(request.headers())?;
    let sent = body::read(request.headers(), payload, &service.limits).await?;
    let shared = service.clone();
    let answer = service.cpu.run(move || work(&shared, &referee::normal(&sent))).await?;
    Ok(HttpResponse::Ok().content_type(body::JSON).body(answer))
}

/// A fault of a record that lies within a larger body.
pub(super) fn within(fault: Fault, at: &str) -> Fault {
    Fault { pointer: format!("{at}{}", fault.pointer), ..fault }
}

/// Settles a dispute.
///
/// Replays the record under its own readings and under others, and says for each whether it is
/// legal, how the game ends and, where it makes a difference, at which action and by which
/// clauses it parts from the record's own. `summary` can be read aloud. The draws stay those that
/// happened. The answer is the referee's: it shows everything.
#[utoipa::path(
    post, path = "/v1/adjudicate", tag = "disputes", operation_id = "create_adjudication",
    request_body(content = AdjudicationRequest, description = "A record, and what is disputed.", content_type = "application/json"),
    responses((status = 200, description = "The dispute, settled.", body = openapi::Adjudication))
)]
pub async fn create_adjudication(
    reader: Reader,
    request: HttpRequest,
    payload: Payload,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    job(&request, payload, &service, move |service, sent| {
        let asked: AdjudicationRequest<'_> = read(sent)?;
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = referee::open(&text).map_err(|fault| within(fault, "/record"))?;
        if asked.readings.as_ref().is_some_and(|list| list.len() > MOST_READINGS) {
            let detail = format!("at most {MOST_READINGS} readings are compared at once");
            return Err(Fault::new(FaultCode::BadOptions, "/readings", detail).into());
        }
        let dispute = Dispute {
            readings: asked.readings.as_deref(),
            ply: asked.ply,
            action: asked.action,
            seed: asked.seed.as_deref(),
        };
        let limits = super::engine_limits(&service.limits);
        let settled = opened.game.adjudicate(&opened.record, &dispute, limits);
        Ok(crate::json::text(&settled.map_err(|error| unanswered(error, "/record"))?))
    })
    .await
}

/// Reads the body of a request.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(FaultCode::BadJson, "", format!("the text is no UTF-8 from byte {at} on"))
    })?;
    Ok(record::read(text, FaultCode::BadRecord, "")?)
}

/// Why the engine gave no answer. The places of faults in readings are those of the request.
pub(super) fn unanswered(error: umpire_engine::erased::Unanswered, at: &str) -> ApiError {
    use umpire_engine::erased::Unanswered;
    match error {
        Unanswered::Fault(fault) if !fault.pointer.starts_with("/readings") => {
            within(fault, at).into()
        }
        other => other.into(),
    }
}
