//! Disputes: a record under other readings, why an action is illegal, how a record may be repaired,
//! where two records diverge.
//!
//! A record is sent, or named by the id under which it is stored. This module must not decide
//! anything, the engine does; and it must store nothing but the sheet of a dispute, if requested.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Data;
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_conformance::precedent;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::dispute::compare::{FaultOf, PlyMark};
use umpire_engine::dispute::readings::{Dispute, ReadingChoice};
use umpire_engine::dispute::repair::RepairBounds;
use umpire_engine::dispute::why::Bounds;
use umpire_engine::game::Observer;
use umpire_engine::partial::Partial;
use umpire_engine::record::{self, Fault, FaultCode};
use umpire_engine::replay;
use umpire_engine::replay::answer::Unanswered;

use super::parameters::{Eyes, LanguageParameters, SENT, Viewer, engine_limits};
use super::stored::Seen;
use crate::access::{Caller, Reader, WholeReader, Writer};
use crate::config::Limits;
use crate::cpu::Claim;
use crate::error::{ApiError, Code, shorten};
use crate::language::{Language, Voice};
use crate::query::{NoParameters, Pairs, Parameters, Query};
use crate::referee::{self, Submission, UnknownFields};
use crate::sent::{Content, RECORD_ERRORS, Sent};
use crate::service::Service;
use crate::sheet::{Document, Draft};
use crate::store::{Inserted, NewVerdict};
use crate::{body, json};

/// What can be wrong with a request about a record, sent or stored.
pub(super) const SUBJECT_ERRORS: &[&[Code]] = &[RECORD_ERRORS, &[Code::NotFound]];

/// A dispute about a record.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AdjudicationRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    pub record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    pub id: Option<Cow<'a, str>>,
    /// The ply in question.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    pub ply: Option<u32>,
    /// A proposed action at that ply; without a ply, after the last action. It replaces the
    /// record's action at that ply and everything after it.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action, required = false))]
    pub action: Option<&'a RawValue>,
    /// The readings to compare with the record's own. By default every other reading of every
    /// selectable ruling, one at a time, and every other edition.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_items = 256))]
    pub readings: Option<Vec<ReadingChoice>>,
    /// A seed for draws that never happened; what follows from them is hypothetical. The default is
    /// the seed of the record.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub seed: Option<Cow<'a, str>>,
    /// Include the record, converted, with each reading that needs another format.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    pub records: bool,
}

impl Content for AdjudicationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// The maximum number of readings that are compared at once.
const MOST_READINGS: usize = 256;

/// How much of a record a response reveals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Disclosure {
    /// Everything: it is for the referee.
    Everything,
    /// What the viewer of the request may know.
    View,
}

/// The text of the record that is sent at a place of the request or stored under an id, and how the
/// caller may view it.
fn text_of<'a>(
    shelf: Option<&(&Service, Reader)>,
    record: Option<&'a RawValue>,
    id: Option<&str>,
    at: &str,
    tells: Disclosure,
) -> Result<(Cow<'a, [u8]>, Eyes), ApiError> {
    match (record, id) {
        (Some(record), None) => Ok((Cow::Borrowed(record.get().as_bytes()), SENT.into())),
        (None, Some(id)) => {
            let Some((service, reader)) = shelf else {
                return Err(ApiError::NotFound(
                    "no records are stored here; send the record itself".to_owned(),
                ));
            };
            let seen = Seen::by(reader, &service.names, id)?;
            if tells == Disclosure::Everything {
                seen.sight.whole()?;
            }
            let stored = seen.find(service)?;
            Ok((Cow::Owned(stored.record.into_bytes()), seen.sight.into()))
        }
        _ => {
            let more = if at == "/other" { ", or `fingerprints`" } else { "" };
            let detail = format!("expected either a record or the id of a stored one{more}");
            Err(Fault::new(FaultCode::BadRecord, at, detail).into())
        }
    }
}

/// The context of a request.
pub struct Asked<'a> {
    /// The service, and what the caller may read in its store; `None` without a service.
    shelf: Option<(&'a Service, Reader)>,
    limits: Limits,
    budget: Budget<'a>,
}

impl<'a> Asked<'a> {
    /// A request without a service: nothing is stored, and the work has these limits.
    pub fn apart(limits: Limits, budget: Budget<'a>) -> Self {
        Asked { shelf: None, limits, budget }
    }

    /// The service, if there is one.
    pub(super) fn service(&self) -> Option<&'a Service> {
        self.shelf.as_ref().map(|(service, _)| *service)
    }

    /// The limits of the work.
    pub(super) fn limits(&self) -> replay::Limits<'a> {
        engine_limits(&self.limits, self.budget)
    }

    /// Works on the record that is sent or stored under an id; the response reveals everything.
    pub(super) fn about<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let text = text_of(self.shelf.as_ref(), record, id, at, Disclosure::Everything)?;
        self.work(&text.0, fields_of(id), at, work)
    }

    /// Works on the record that is sent or stored under an id; the response reveals only what the
    /// caller's viewer may know.
    pub(super) fn view_of<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        at: &str,
        work: impl FnOnce(&Submission<'_>, Eyes) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let (text, eyes) = text_of(self.shelf.as_ref(), record, id, at, Disclosure::View)?;
        self.work(&text, fields_of(id), at, |submission| work(submission, eyes))
    }

    /// The record that is sent, if it has unknowns. Stored records have none.
    fn incomplete(
        record: Option<&RawValue>,
        id: Option<&str>,
    ) -> Result<Option<(&'static dyn AnyGame, Partial)>, ApiError> {
        let sent = record.filter(|_| id.is_none());
        let found = sent.map(|it| referee::partial(it.get().as_bytes())).transpose();
        Ok(found.map_err(|fault| within(fault, "/record"))?.flatten())
    }

    /// Works on the text of the record at a place of the request.
    fn work<T>(
        &self,
        text: &[u8],
        unknown: UnknownFields,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let within_at = |error| match error {
            JobError::Reading(fault) => within(fault, at).into(),
            JobError::Working(error) => error,
        };
        let work = |submission: &Submission<'_>| work(submission).map_err(JobError::Working);
        referee::with_fields(text, unknown, work).map_err(within_at)
    }
}

/// What to do about unknown fields: those of a stored record were accepted when it was stored.
fn fields_of(id: Option<&str>) -> UnknownFields {
    if id.is_some() { UnknownFields::Keep } else { UnknownFields::Refuse }
}

/// Why there is no result: the record of the request cannot be read, or the work failed.
enum JobError {
    Reading(Fault),
    Working(ApiError),
}

impl From<Fault> for JobError {
    fn from(fault: Fault) -> Self {
        JobError::Reading(fault)
    }
}

/// Runs a job for a request in JSON.
pub(super) async fn done<T, R: Send + 'static>(
    Caller(peer): Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<R, ApiError> + Send + 'static,
) -> Result<R, ApiError> {
    let shared = service.clone();
    let text = sent.text;
    let job = move |budget: Budget<'_>| {
        let shelf = Some((&**shared, reader));
        let asked = Asked { shelf, limits: shared.limits, budget };
        work(&asked, &referee::canonical(&text))
    };
    service.cpu.run(Claim::heavy(peer), job).await
}

/// Answers a request in JSON with a job.
pub(super) async fn job<T>(
    caller: Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let answer = done(caller, sent, reader, service, work).await?;
    Ok(HttpResponse::Ok().content_type(body::JSON).body(answer))
}

/// The same, for responses with a language.
async fn spoken<T>(
    caller: Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<(Vec<u8>, Voice), ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let (answer, voice) = done(caller, sent, reader, service, work).await?;
    Ok(HttpResponse::Ok().insert_header(voice.header()).content_type(body::JSON).body(answer))
}

/// A fault of a record inside a larger body.
pub(super) fn within(fault: Fault, at: &str) -> Fault {
    Fault { pointer: format!("{at}{}", fault.pointer), ..fault }
}

/// Whether to store the sheet of a dispute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct KeepParameters {
    /// Store the verdict sheet of the dispute under its own id. It contains the whole record. If
    /// the server requires tokens, the scope `write` is needed.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub keep: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used. A
    /// stored sheet is always in English.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for KeepParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(KeepParameters { keep: pairs.flag("keep")?, lang: Language::take(pairs)? })
    }
}

/// Settles a dispute.
///
/// Replays the record under its own readings and under others. For each reading it says whether the
/// record is legal and how the game ends and, if it makes a difference, at which action and by
/// which clauses it diverges from the record's own reading. `summary` can be read aloud. The draws
/// stay as they happened. The response is for the referee: it shows everything.
///
/// With `keep=true` the verdict sheet is stored, signed if the server has a key, and available at
/// `/v1/verdicts/{id}`. The response then has its id as `verdict`, and is sent only after the sheet
/// is durable. The same dispute settled by the same engine has the same id.
///
/// For a record with unknowns (see `POST /v1/validate`), `completions` says for each reading
/// whether the record is legal regardless of the unknown values, possible, impossible or undecided.
/// It also says how the game ends in every completion, if that can be shown, or else in the one
/// that was found. Everything else is about that one, `completions.witness`. No sheet of it is
/// stored.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/adjudicate", tag = "disputes", operation_id = "create_adjudication",
    params(KeepParameters),
    request_body(content = AdjudicationRequest, description = "A record, and what is in dispute.", content_type = "application/json"),
    responses(
        (status = 200, description = "The settled dispute; with `keep=true`, its sheet was already stored.", body = crate::schemas::SettledDispute),
        (status = 201, description = "The settled dispute; its sheet was stored now.", body = crate::schemas::KeptDispute, headers(("Location" = String, description = "Where the sheet is."))),
    )
))]
pub async fn create_adjudication(
    caller: Caller,
    WholeReader(reader): WholeReader,
    writer: Writer,
    parameters: Query<KeepParameters>,
    service: Data<Service>,
    sent: Sent<AdjudicationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let Query(KeepParameters { keep, lang }) = parameters;
    if keep {
        writer.check()?;
    }
    let settled = done(caller, sent, reader, service.clone(), move |asked, text| {
        settle(asked, text, keep, lang)
    });
    let Settled { mut answer, voice, verdict } = settled.await?;
    let Some(verdict) = verdict else {
        let mut settled = HttpResponse::Ok();
        settled.insert_header(voice.header()).content_type(body::JSON);
        return Ok(settled.body(answer));
    };
    let name = service.names.outside(&verdict.id);
    let inserted = service.store.insert_verdict(verdict).await?;
    let mut kept = match inserted {
        Inserted::New => HttpResponse::Created(),
        Inserted::Existing => HttpResponse::Ok(),
    };
    kept.insert_header((header::LOCATION, format!("/v1/verdicts/{name}")));
    kept.insert_header(voice.header());
    // The response is a non-empty object: replace its last brace with one more field.
    answer.pop();
    answer.extend_from_slice(format!(",\"verdict\":\"{name}\"}}").as_bytes());
    Ok(kept.content_type(body::JSON).body(answer))
}

/// Why no sheet is made of a dispute about a record with unknowns.
pub const NO_SHEET: &str = "sheets are made only of complete records, and this one has unknowns; settle the record of a witness instead";

/// A dispute that is settled.
pub struct Settled {
    /// The response, as JSON.
    pub answer: Vec<u8>,
    voice: Voice,
    /// Its sheet, if it is to be stored.
    verdict: Option<NewVerdict>,
}

/// Settles the dispute of a request.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn settle(
    asked: &Asked<'_>,
    text: &[u8],
    keep: bool,
    lang: Language,
) -> Result<Settled, ApiError> {
    let request: AdjudicationRequest<'_> = read(text)?;
    if request.readings.as_ref().is_some_and(|list| list.len() > MOST_READINGS) {
        let detail = format!("too many readings; at most {MOST_READINGS} can be compared at once");
        return Err(Fault::new(FaultCode::BadOptions, "/readings", detail).into());
    }
    let dispute = Dispute {
        readings: request.readings.as_deref(),
        ply: request.ply,
        action: request.action,
        seed: request.seed.as_deref(),
        records: request.records,
        brief: false,
    };
    let limits = asked.limits();
    if let Some((game, partial)) = Asked::incomplete(request.record, request.id.as_deref())? {
        if keep {
            return Err(Fault::new(FaultCode::BadRecord, "/record", NO_SHEET).into());
        }
        let settled = game.adjudicate_partial(&partial, &dispute, limits);
        let mut settled = settled.map_err(|error| unanswered(error, "/record"))?;
        precedent::link(&mut settled);
        let voice = lang.of(game);
        return Ok(Settled { answer: voice.answer(json::text(&settled)), voice, verdict: None });
    }
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let settled = submission.game.adjudicate(&submission.record, &dispute, limits);
        let mut settled = settled.map_err(|error| unanswered(error, "/record"))?;
        precedent::link(&mut settled);
        let voice = lang.of(submission.game);
        let answer = voice.answer(json::text(&settled));
        if !keep {
            return Ok(Settled { answer, voice, verdict: None });
        }
        let draft = Draft::of(submission, &dispute, &settled, limits);
        let draft = draft.map_err(|fault| within(fault, "/record"))?;
        let document = Document::of(&draft, asked.service().and_then(|it| it.signing.as_deref()));
        let signature = document.signature.map(|it| json::text(&it));
        let signature = signature.map(|text| String::from_utf8_lossy(&text).into_owned());
        let verdict = NewVerdict { id: draft.id, sheet: draft.text, signature };
        Ok(Settled { answer, voice, verdict: Some(verdict) })
    })
}

/// A proposed action.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WhyNotRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// The ply at which it is proposed; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for WhyNotRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Explains whether an action is legal, and why not.
///
/// Returns all clauses that forbid the action, the facts behind them, the smallest changes of the
/// position that would allow it (found by trying), and the nearest legal actions. A seat or the
/// spectator gets an answer only from what that viewer may know; if that is not enough, the answer
/// is `undecidable`.
///
/// In a record with unknowns (see `POST /v1/validate`) the action is `legal` or `illegal` if it is
/// so regardless of the unknown values, `possible` with a `witness` that ends with it, or
/// `undecidable` within the limits. The action may contain unknowns, too. Only the referee may ask.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/why-not", tag = "disputes", operation_id = "create_why_not",
    params(LanguageParameters),
    request_body(content = WhyNotRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "Whether it is legal, and why not.", body = crate::schemas::WhyNot))
))]
pub async fn create_why_not(
    caller: Caller,
    reader: Reader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<WhyNotRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| why_not(asked, text, lang)).await
}

/// Explains whether the action of a request is legal, and why not.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn why_not(
    asked: &Asked<'_>,
    text: &[u8],
    lang: Language,
) -> Result<(Vec<u8>, Voice), ApiError> {
    let request: WhyNotRequest<'_> = read(text)?;
    let (action, ply, limits) = (request.action.get(), request.ply, asked.limits());
    let seen_by = |viewer| replay::Query { viewer, ply, limits, ..replay::Query::default() };
    if let Some((game, partial)) = Asked::incomplete(request.record, request.id.as_deref())? {
        let viewer = viewer(game, request.viewer.as_deref(), SENT.into())?;
        let why = game.why_partial(&partial, action, &seen_by(viewer), &Bounds::default());
        let why = why.map_err(|error| unanswered(error, "/record"))?;
        let voice = lang.of(game);
        return Ok((voice.answer(json::text(&why)), voice));
    }
    asked.view_of(request.record, request.id.as_deref(), "/record", |submission, eyes| {
        let viewer = viewer(submission.game, request.viewer.as_deref(), eyes)?;
        let why =
            submission.game.why(&submission.record, action, &seen_by(viewer), &Bounds::default());
        let why = why.map_err(|error| unanswered(error, "/record"))?;
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&why)), voice))
    })
}

/// The viewer that a request names, or the default one.
pub(super) fn viewer(
    game: &dyn AnyGame,
    name: Option<&str>,
    eyes: Eyes,
) -> Result<Observer, ApiError> {
    if let Some(name) = name.filter(|name| !Viewer::names().contains(name)) {
        let names = Viewer::names().join(", ");
        let detail = format!("unknown viewer {:?}; expected one of {names}", shorten(name));
        return Err(Fault::new(FaultCode::BadRecord, "/viewer", detail).into());
    }
    Viewer::named(name).of(game, eyes)
}

/// A ply to explain.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ExplanationRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply: the number of actions before the one to explain. 0 includes the opening.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    ply: u32,
    /// The viewer: `referee`, `spectator` or a seat. The default is the referee for a record that
    /// is sent; for a stored one it is the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for ExplanationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Explains a ply.
///
/// Returns a tree: the action, its events, the clauses behind each, and the facts of the state that
/// it depends on or changes, with their values before and after. It shows only what the viewer may
/// know. For all plies at once, use the part `explain` of a report.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/explain", tag = "disputes", operation_id = "create_explanation",
    params(LanguageParameters),
    request_body(content = ExplanationRequest, description = "A record, and a ply.", content_type = "application/json"),
    responses((status = 200, description = "The explanation.", body = crate::schemas::Account))
))]
pub async fn create_explanation(
    caller: Caller,
    reader: Reader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<ExplanationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| {
        let request: ExplanationRequest<'_> = read(text)?;
        asked.view_of(request.record, request.id.as_deref(), "/record", |submission, eyes| {
            let viewer = viewer(submission.game, request.viewer.as_deref(), eyes)?;
            let query = replay::Query {
                viewer,
                ply: Some(request.ply),
                limits: asked.limits(),
                ..replay::Query::default()
            };
            let found = submission.game.explain(&submission.record, &query);
            let voice = lang.of(submission.game);
            Ok((
                voice.answer(json::text(&found.map_err(|error| unanswered(error, "/record"))?)),
                voice,
            ))
        })
    })
    .await
}

/// A record to repair.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RepairRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The maximum number of repairs.
    #[serde(default = "five")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 20, default = 5))]
    most: usize,
    /// The maximum number of edits to combine in one repair.
    #[serde(default = "three")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 3, default = 3))]
    edits: usize,
}

impl Content for RepairRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

fn five() -> usize {
    5
}

fn three() -> usize {
    3
}

/// Proposes repairs of a record that is illegal, or whose claims do not hold.
///
/// Returns the smallest edits (an action removed, added, moved or changed in one field; a die or
/// card changed) that make the most of the rest legal, the best first. Each is given as a JSON
/// Patch and as text, and verified by a replay. Nothing is changed: a person decides what really
/// happened. The claims of the record and its `checkpoints` are evidence: repairs under which they
/// hold come first, and in a legal record they can reveal dice and cards that are possible but
/// wrong. A detail that was omitted throughout (a response that changes nothing) is one repair. The
/// work is limited; `exhausted` says that the limit was reached.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/repair", tag = "disputes", operation_id = "create_repair",
    params(LanguageParameters),
    request_body(content = RepairRequest, description = "A record.", content_type = "application/json"),
    responses((status = 200, description = "The repairs.", body = crate::schemas::Repairs))
))]
pub async fn create_repair(
    caller: Caller,
    WholeReader(reader): WholeReader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<RepairRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| mend(asked, text, lang)).await
}

/// Proposes repairs of the record of a request.
///
/// # Errors
/// The request is invalid, or its record cannot be replayed.
pub fn mend(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<(Vec<u8>, Voice), ApiError> {
    let request: RepairRequest<'_> = read(text)?;
    for (name, value, most) in [("most", request.most, 20), ("edits", request.edits, 3)] {
        if !(1..=most).contains(&value) {
            let detail = format!("expected a number from 1 to {most}, not {value}");
            return Err(Fault::new(FaultCode::BadRecord, format!("/{name}"), detail).into());
        }
    }
    asked.about(request.record, request.id.as_deref(), "/record", |submission| {
        let RepairRequest { most, edits, .. } = request;
        let bounds = RepairBounds { most, edits, ..RepairBounds::default() };
        let limits = asked.limits();
        let found = submission.game.repair(&submission.record, bounds, limits);
        let voice = lang.of(submission.game);
        Ok((voice.answer(json::text(&found.map_err(|fault| within(fault, "/record"))?)), voice))
    })
}

/// An illegal record.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RemedyRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
}

impl Content for RemedyRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Lists the remedies for an illegal record.
///
/// Returns three remedies, each with its effect on the game, as shown by a replay: the game goes
/// back to before the violation (`back_up`); what was played stands, and the game continues from
/// the position that the record states after it, or as if the most similar legal action had been
/// played (`play_on`); or the record is repaired by the smallest edit that helps (`mend`). A remedy
/// that is not possible says why. Nothing is changed: people decide. A legal record needs no
/// remedy.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/remedy", tag = "disputes", operation_id = "create_remedy",
    params(LanguageParameters),
    request_body(content = RemedyRequest, description = "A record.", content_type = "application/json"),
    responses((status = 200, description = "The remedies.", body = crate::schemas::Remedies))
))]
pub async fn create_remedy(
    caller: Caller,
    WholeReader(reader): WholeReader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<RemedyRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| {
        let request: RemedyRequest<'_> = read(text)?;
        asked.about(request.record, request.id.as_deref(), "/record", |submission| {
            let found = submission.game.remedy(&submission.record, asked.limits());
            let voice = lang.of(submission.game);
            Ok((voice.answer(json::text(&found.map_err(|fault| within(fault, "/record"))?)), voice))
        })
    })
    .await
}

/// Two records, or a record and the fingerprints of another engine.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ComparisonRequest<'a> {
    /// The first record; or give its `id`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The second record; or give its `other_id`, or `fingerprints`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    other: Option<&'a RawValue>,
    /// The id of a stored record, instead of `other`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    other_id: Option<Cow<'a, str>>,
    /// Fingerprints of some plies by another engine, instead of a second record. A few are enough:
    /// the response says which one to send next.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_items = 100001))]
    fingerprints: Option<Vec<PlyMark>>,
    /// Whether these are chain fingerprints rather than state fingerprints. With chain fingerprints
    /// the first difference is certain to be found.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    chain: bool,
}

impl Content for ComparisonRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Finds where two records diverge.
///
/// Returns the first ply whose states differ, the cause (the deal, the decision, the dice, the
/// rules) and the difference of the states, as a JSON Patch and as text. Instead of a second
/// record, another engine can send `fingerprints` of a few plies: the response then says which ply
/// to `ask` for next, and the place is found by binary search.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/compare", tag = "disputes", operation_id = "create_comparison",
    request_body(content = ComparisonRequest, description = "Two records, or a record and fingerprints.", content_type = "application/json"),
    responses((status = 200, description = "Where they diverge.", body = crate::schemas::AnyComparison))
))]
pub async fn create_comparison(
    caller: Caller,
    WholeReader(reader): WholeReader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<ComparisonRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, |asked, text| {
        let request: ComparisonRequest<'_> = read(text)?;
        let limits = asked.limits();
        asked.about(request.record, request.id.as_deref(), "/record", |submission| {
            let Some(marks) = &request.fingerprints else {
                let other_id = request.other_id.as_deref();
                return asked.about(request.other, other_id, "/other", |other| {
                    let found =
                        submission.game.compare([&submission.record, &other.record], limits);
                    let found = found.map_err(|FaultOf { record, fault }| {
                        within(fault, if record == 0 { "/record" } else { "/other" })
                    })?;
                    Ok(json::text(&found))
                });
            };
            if request.other.is_some() || request.other_id.is_some() {
                let detail = "expected either a second record or fingerprints";
                return Err(Fault::new(FaultCode::BadRecord, "/fingerprints", detail).into());
            }
            let found =
                submission.game.compare_prints(&submission.record, marks, request.chain, limits);
            Ok(json::text(&found.map_err(|fault| within(fault, "/record"))?))
        })
    })
    .await
}

/// Parses the body of a request.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
}

/// Why the engine returned no result. The pointers of faults in readings are those of the request.
pub(super) fn unanswered(error: Unanswered, at: &str) -> ApiError {
    match error {
        Unanswered::Fault(fault) if !fault.pointer.starts_with("/readings") => {
            within(fault, at).into()
        }
        other => other.into(),
    }
}
