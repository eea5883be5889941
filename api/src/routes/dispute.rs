//! Disputes: a record under other readings, why an action is refused, how a record may be mended,
//! where two records part.
//!
//! A record is sent, or named by the id under which it is stored. This module must not store
//! anything and must not decide anything: the engine does.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::dispute::compare::{FaultOf, PlyMark};
use umpire_engine::dispute::readings::{Dispute, Reading};
use umpire_engine::dispute::repair::RepairBounds;
use umpire_engine::dispute::why::Bounds;
use umpire_engine::erased::{self, AnyGame};
use umpire_engine::game::Observer;
use umpire_engine::record::{self, Fault, FaultCode};
use utoipa::ToSchema;

use crate::app::Service;
use crate::auth::MayRead;
use crate::body;
use crate::error::{ApiError, shorten};
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
    #[schema(value_type = openapi::AnyValue, required = false)]
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
            let more = if at == "/other" { ", or `fingerprints`" } else { "" };
            let detail =
                format!("a record or the id of a stored one is expected, and not both{more}");
            Err(Fault::new(FaultCode::BadRecord, at, detail).into())
        }
    }
}

/// Opens a record of a request, to be worked on until somebody says stop.
fn open<'a>(
    text: &'a [u8],
    stop: &'a AtomicBool,
    at: &str,
) -> Result<referee::Opened<'a>, ApiError> {
    Ok(referee::open(text).map_err(|fault| within(fault, at))?.until(stop))
}

/// Reads the body of a request in JSON and answers it with a job.
pub(super) async fn job(
    request: &HttpRequest,
    payload: Payload,
    service: &Data<Service>,
    work: impl FnOnce(&Service, &[u8], &AtomicBool) -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    body::json_only(request.headers())?;
    let sent = body::read(request.headers(), payload, &service.limits).await?;
    let shared = service.clone();
    let answer = service.cpu.run(move |stop| work(&shared, &referee::normal(&sent), stop)).await?;
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
    job(&request, payload, &service, move |service, sent, stop| {
        let asked: AdjudicationRequest<'_> = read(sent)?;
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = open(&text, stop, "/record")?;
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

/// An action that somebody wants to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WhyNotRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    id: Option<Cow<'a, str>>,
    /// The action.
    #[serde(borrow)]
    #[schema(value_type = openapi::AnyValue)]
    action: &'a RawValue,
    /// The ply at which it is proposed; behind the last good action where it is left out.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(nullable = false, minimum = 0)]
    ply: Option<u32>,
    /// Who asks: `referee`, `spectator` or a seat. Where it is left out, the referee about a
    /// record that is sent, and the spectator about a stored one.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::ViewerName>, nullable = false)]
    viewer: Option<Cow<'a, str>>,
}

/// Says whether an action would be allowed, and why not.
///
/// All clauses in the way, the facts behind them, the least changes of the position that would
/// allow it (found by trying), and the nearest legal actions. A seat or the spectator is answered
/// only from what that viewer may know: where this leaves it open, the answer is `undecidable`.
#[utoipa::path(
    post, path = "/v1/why-not", tag = "disputes", operation_id = "create_why_not",
    request_body(content = WhyNotRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "Whether it is allowed, and why not.", body = openapi::WhyNot))
)]
pub async fn create_why_not(
    reader: Reader,
    request: HttpRequest,
    payload: Payload,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    job(&request, payload, &service, move |service, sent, stop| {
        let asked: WhyNotRequest<'_> = read(sent)?;
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = open(&text, stop, "/record")?;
        let viewer = viewer(opened.game, asked.viewer.as_deref(), asked.id.is_some())?;
        let query = query(viewer, asked.ply, service);
        let why = opened.game.why(&opened.record, asked.action.get(), &query, &Bounds::default());
        Ok(crate::json::text(&why.map_err(|error| unanswered(error, "/record"))?))
    })
    .await
}

/// Who looks at a record that is sent, or stored.
fn viewer(game: &dyn AnyGame, name: Option<&str>, stored: bool) -> Result<Observer, ApiError> {
    let Some(name) = name else {
        return Ok(if stored { super::STORED } else { super::SENT });
    };
    if !super::Viewer::names().contains(&name) {
        let names = super::Viewer::names().join(", ");
        let detail = format!("{:?} is nobody who looks; one of {names} is expected", shorten(name));
        return Err(Fault::new(FaultCode::BadRecord, "/viewer", detail).into());
    }
    game.viewer(name).ok_or_else(|| {
        let (game, seats) = (game.meta().id, game.meta().seats.join(", "));
        ApiError::NotFound(format!("viewer {name:?} is no seat of {game}; its seats are {seats}"))
    })
}

fn query(viewer: Observer, ply: Option<u32>, service: &Service) -> erased::Query {
    let limits = super::engine_limits(&service.limits);
    erased::Query { viewer, ply, limits, ..erased::Query::default() }
}

/// A ply to be explained.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ExplanationRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    id: Option<Cow<'a, str>>,
    /// The ply: the action made after that many others. 0 includes the opening.
    #[schema(minimum = 0)]
    ply: u32,
    /// Who looks: `referee`, `spectator` or a seat. Where it is left out, the referee at a record
    /// that is sent, and the spectator at a stored one.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::ViewerName>, nullable = false)]
    viewer: Option<Cow<'a, str>>,
}

/// Explains a ply.
///
/// A tree: the action, its events, the clauses behind each, and the facts in the state that it
/// rests on or changes, with their values before and after. A viewer is told what that viewer may
/// know. All plies at once are the part `explain` of a report.
#[utoipa::path(
    post, path = "/v1/explain", tag = "disputes", operation_id = "create_explanation",
    request_body(content = ExplanationRequest, description = "A record, and a ply.", content_type = "application/json"),
    responses((status = 200, description = "Why it went as it did.", body = openapi::Account))
)]
pub async fn create_explanation(
    reader: Reader,
    request: HttpRequest,
    payload: Payload,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    job(&request, payload, &service, move |service, sent, stop| {
        let asked: ExplanationRequest<'_> = read(sent)?;
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = open(&text, stop, "/record")?;
        let viewer = viewer(opened.game, asked.viewer.as_deref(), asked.id.is_some())?;
        let query = query(viewer, Some(asked.ply), service);
        let found = opened.game.explain(&opened.record, &query);
        Ok(crate::json::text(&found.map_err(|error| unanswered(error, "/record"))?))
    })
    .await
}

/// A record to be mended.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RepairRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    id: Option<Cow<'a, str>>,
    /// The most repairs that are wanted.
    #[serde(default = "five")]
    #[schema(minimum = 1, maximum = 20, default = 5)]
    most: usize,
    /// The most edits that are tried together.
    #[serde(default = "three")]
    #[schema(minimum = 1, maximum = 3, default = 3)]
    edits: usize,
}

fn five() -> usize {
    5
}

fn three() -> usize {
    3
}

/// Proposes repairs of an illegal record.
///
/// The smallest edits (an action taken out, put in, moved or changed in one field; a die or card
/// changed) under which the most of the rest validates, the best first, each as a JSON Patch and
/// in words, and each shown to hold by a replay. Nothing is changed: a person decides what
/// really happened. The work is bounded; `exhausted` says that the bound was met.
#[utoipa::path(
    post, path = "/v1/repair", tag = "disputes", operation_id = "create_repair",
    request_body(content = RepairRequest, description = "A record.", content_type = "application/json"),
    responses((status = 200, description = "The repairs.", body = openapi::Repairs))
)]
pub async fn create_repair(
    reader: Reader,
    request: HttpRequest,
    payload: Payload,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    job(&request, payload, &service, move |service, sent, stop| {
        let asked: RepairRequest<'_> = read(sent)?;
        for (name, value, most) in [("most", asked.most, 20), ("edits", asked.edits, 3)] {
            if !(1..=most).contains(&value) {
                let detail = format!("a number from 1 to {most} is expected, not {value}");
                return Err(Fault::new(FaultCode::BadRecord, format!("/{name}"), detail).into());
            }
        }
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = open(&text, stop, "/record")?;
        let bounds =
            RepairBounds { most: asked.most, edits: asked.edits, ..RepairBounds::default() };
        let limits = super::engine_limits(&service.limits);
        let found = opened.game.repair(&opened.record, bounds, limits);
        Ok(crate::json::text(&found.map_err(|fault| within(fault, "/record"))?))
    })
    .await
}

/// Two records, or a record and the fingerprints of another engine.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ComparisonRequest<'a> {
    /// The first record; or give its `id`.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    id: Option<Cow<'a, str>>,
    /// The second record; or give its `other_id`, or `fingerprints`.
    #[serde(borrow, default)]
    #[schema(value_type = Option<openapi::Record>, nullable = false)]
    other: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `other`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(value_type = Option<openapi::RecordName>, nullable = false)]
    other_id: Option<Cow<'a, str>>,
    /// Fingerprints that another engine gives for some plies, in the place of a second record.
    /// A few are enough: the answer says which to send next.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[schema(nullable = false, max_items = 100001)]
    fingerprints: Option<Vec<PlyMark>>,
    /// Whether these are those of the chain, not of the states alone. With the chain the first
    /// difference is found for sure.
    #[serde(default)]
    #[schema(default = false)]
    chain: bool,
}

/// Finds where two records part.
///
/// The first ply whose states differ, what made it so (the deal, the decision, the dice, the
/// rules) and the difference of the states as a JSON Patch and in words. In the place of the
/// second record another engine may give `fingerprints` of a few plies: the answer then says
/// which ply to `ask` for next, until the place is found by halving.
#[utoipa::path(
    post, path = "/v1/compare", tag = "disputes", operation_id = "create_comparison",
    request_body(content = ComparisonRequest, description = "Two records, or a record and fingerprints.", content_type = "application/json"),
    responses((status = 200, description = "Where they part.", body = openapi::AnyComparison))
)]
pub async fn create_comparison(
    reader: Reader,
    request: HttpRequest,
    payload: Payload,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    job(&request, payload, &service, move |service, sent, stop| {
        let asked: ComparisonRequest<'_> = read(sent)?;
        let text = text_of(service, &reader, asked.record, asked.id.as_deref(), "/record")?;
        let opened = open(&text, stop, "/record")?;
        let limits = super::engine_limits(&service.limits);
        if let Some(prints) = &asked.fingerprints {
            if asked.other.is_some() || asked.other_id.is_some() {
                let detail = "a second record or fingerprints are expected, and not both";
                return Err(Fault::new(FaultCode::BadRecord, "/fingerprints", detail).into());
            }
            let found = opened.game.compare_prints(&opened.record, prints, asked.chain, limits);
            return Ok(crate::json::text(&found.map_err(|fault| within(fault, "/record"))?));
        }
        let other = text_of(service, &reader, asked.other, asked.other_id.as_deref(), "/other")?;
        let other = open(&other, stop, "/other")?;
        let found = opened.game.compare([&opened.record, &other.record], limits);
        let found = found.map_err(|FaultOf { record, fault }| {
            within(fault, if record == 0 { "/record" } else { "/other" })
        })?;
        Ok(crate::json::text(&found))
    })
    .await
}

/// Reads the body of a request.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
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
