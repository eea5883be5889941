//! Disputes: a record under other readings, why an action is refused, how a record may be mended,
//! where two records part.
//!
//! A record is sent, or named by the id under which it is stored. This module must not decide
//! anything, the engine does; and nothing is stored but the sheet of a dispute, where that is asked for.

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
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    pub record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    pub id: Option<Cow<'a, str>>,
    /// The ply that is asked about.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    pub ply: Option<u32>,
    /// An action that somebody wants to make at that ply (after the last action without one). It
    /// stands in the place of what the record has there and after.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action, required = false))]
    pub action: Option<&'a RawValue>,
    /// The readings to compare with the record's own. Where they are left out: every other
    /// reading of every selectable ruling, one at a time, and every other edition.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_items = 256))]
    pub readings: Option<Vec<ReadingChoice>>,
    /// A seed that answers draws which never happened; what follows is then hypothetical. The
    /// seed of the record where it is left out.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    pub seed: Option<Cow<'a, str>>,
    /// Whether the record, carried over, is wanted with each reading that needs another form.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    pub records: bool,
}

impl Content for AdjudicationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// The most readings that are compared at once.
const MOST_READINGS: usize = 256;

/// How much of a record an answer tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tells {
    /// All: it is the referee's.
    Everything,
    /// What the viewer of the request may know.
    View,
}

/// The text of a record that is sent at a place of the request, or stored under an id, and with
/// whose eyes the caller may look at it.
fn text_of<'a>(
    shelf: Option<&(&Service, Reader)>,
    record: Option<&'a RawValue>,
    id: Option<&str>,
    at: &str,
    tells: Tells,
) -> Result<(Cow<'a, [u8]>, Eyes), ApiError> {
    match (record, id) {
        (Some(record), None) => Ok((Cow::Borrowed(record.get().as_bytes()), SENT.into())),
        (None, Some(id)) => {
            let Some((service, reader)) = shelf else {
                return Err(ApiError::NotFound("no record is stored here".to_owned()));
            };
            let seen = Seen::by(reader, &service.names, id)?;
            if tells == Tells::Everything {
                seen.sight.whole()?;
            }
            let stored = seen.find(service)?;
            Ok((Cow::Owned(stored.record.into_bytes()), seen.sight.into()))
        }
        _ => {
            let more = if at == "/other" { ", or `fingerprints`" } else { "" };
            let detail =
                format!("a record or the id of a stored one is expected, and not both{more}");
            Err(Fault::new(FaultCode::BadRecord, at, detail).into())
        }
    }
}

/// What goes on about a request.
pub struct Asked<'a> {
    /// The service, and what the caller may read in its store; none where there is no service.
    shelf: Option<(&'a Service, Reader)>,
    limits: Limits,
    budget: Budget<'a>,
}

impl<'a> Asked<'a> {
    /// A request that was made without a service: nothing is stored anywhere, and what is asked may cost this much.
    pub fn apart(limits: Limits, budget: Budget<'a>) -> Self {
        Asked { shelf: None, limits, budget }
    }

    /// The service, if there is one.
    pub(super) fn service(&self) -> Option<&'a Service> {
        self.shelf.as_ref().map(|(service, _)| *service)
    }

    /// How much the work may cost.
    pub(super) fn limits(&self) -> replay::Limits<'a> {
        engine_limits(&self.limits, self.budget)
    }

    /// Works on the record that is sent, or stored under an id; the answer tells everything.
    pub(super) fn about<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let text = text_of(self.shelf.as_ref(), record, id, at, Tells::Everything)?;
        self.work(&text.0, fields_of(id), at, work)
    }

    /// Works on the record that is sent, or stored under an id; the answer tells what the viewer
    /// may know that the work finds with these eyes.
    pub(super) fn view_of<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        at: &str,
        work: impl FnOnce(&Submission<'_>, Eyes) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let (text, eyes) = text_of(self.shelf.as_ref(), record, id, at, Tells::View)?;
        self.work(&text, fields_of(id), at, |submission| work(submission, eyes))
    }

    /// The record that is sent, where something is unknown in it. Only whole records are stored.
    fn incomplete(
        record: Option<&RawValue>,
        id: Option<&str>,
    ) -> Result<Option<(&'static dyn AnyGame, Partial)>, ApiError> {
        let sent = record.filter(|_| id.is_none());
        let found = sent.map(|it| referee::partial(it.get().as_bytes())).transpose();
        Ok(found.map_err(|fault| within(fault, "/record"))?.flatten())
    }

    /// Works on the text of a record at a place of the request.
    fn work<T>(
        &self,
        text: &[u8],
        unknown: UnknownFields,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let within_at = |error| match error {
            Failed::Reading(fault) => within(fault, at).into(),
            Failed::Working(error) => error,
        };
        let work = |submission: &Submission<'_>| work(submission).map_err(Failed::Working);
        referee::with_fields(text, unknown, work).map_err(within_at)
    }
}

/// What becomes of unknown fields: those of a stored record were let in when it was stored.
fn fields_of(id: Option<&str>) -> UnknownFields {
    if id.is_some() { UnknownFields::Keep } else { UnknownFields::Refuse }
}

/// Why a record of a request was not worked on: it cannot be read, or the work failed.
enum Failed {
    Reading(Fault),
    Working(ApiError),
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Failed::Reading(fault)
    }
}

/// Does a job about a request in JSON.
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

/// The same, where the answer speaks a language.
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

/// A fault of a record that lies within a larger body.
pub(super) fn within(fault: Fault, at: &str) -> Fault {
    Fault { pointer: format!("{at}{}", fault.pointer), ..fault }
}

/// Whether the sheet of a dispute is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct KeepParameters {
    /// Keep the sheet of the dispute under an id of its own. It holds the whole record. Where the
    /// server asks for tokens, one that may store is needed.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub keep: bool,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is. A sheet that is kept is English.
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
/// Replays the record under its own readings and under others, and says for each whether it is
/// legal, how the game ends and, where it makes a difference, at which action and by which
/// clauses it parts from the record's own. `summary` can be read aloud. The draws stay those that
/// happened. The answer is the referee's: it shows everything.
///
/// With `keep=true` the sheet of it is kept, signed where the server has a key, and found again at
/// `/v1/verdicts/{id}`; the answer then has its id as `verdict`, and is sent only when the sheet would
/// survive a loss of power. The same dispute again, settled by the same engine, has the same id.
///
/// Of a record with unknowns (see `POST /v1/validate`) `completions` says for each reading whether it is legal whatever was
/// not written down, possible, impossible or undecided, and how the game ends in every completion, where that can be
/// shown, or in the one that was found; everything else is said of that one, `completions.witness`. No sheet of it is kept.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/adjudicate", tag = "disputes", operation_id = "create_adjudication",
    params(KeepParameters),
    request_body(content = AdjudicationRequest, description = "A record, and what is disputed.", content_type = "application/json"),
    responses(
        (status = 200, description = "The dispute, settled; with `keep=true`, its sheet was kept before.", body = crate::schemas::SettledDispute),
        (status = 201, description = "The dispute, settled, and its sheet kept now.", body = crate::schemas::KeptDispute, headers(("Location" = String, description = "Where the sheet is."))),
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
    // The answer is an object with many fields: its last brace makes room for one more.
    answer.pop();
    answer.extend_from_slice(format!(",\"verdict\":\"{name}\"}}").as_bytes());
    Ok(kept.content_type(body::JSON).body(answer))
}

/// Why no sheet is made of a dispute about a record with unknowns.
pub const NO_SHEET: &str = "sheets are made of whole records, and something in this one is unknown: settle the record of a witness";

/// A dispute that is settled.
pub struct Settled {
    /// What is answered, as JSON.
    pub answer: Vec<u8>,
    voice: Voice,
    /// The sheet of it, if it is to be kept.
    verdict: Option<NewVerdict>,
}

/// Settles the dispute of a request.
///
/// # Errors
/// The request cannot be read, or its record cannot be replayed.
pub fn settle(
    asked: &Asked<'_>,
    text: &[u8],
    keep: bool,
    lang: Language,
) -> Result<Settled, ApiError> {
    let request: AdjudicationRequest<'_> = read(text)?;
    if request.readings.as_ref().is_some_and(|list| list.len() > MOST_READINGS) {
        let detail = format!("at most {MOST_READINGS} readings are compared at once");
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

/// An action that somebody wants to make.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct WhyNotRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::SentRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The action.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// The ply at which it is proposed; after the last good action where it is left out.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// Who asks: `referee`, `spectator` or a seat. Where it is left out, the referee about a
    /// record that is sent; about a stored one the spectator, or the viewer that the token is bound
    /// to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for WhyNotRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Says whether an action would be allowed, and why not.
///
/// All clauses in the way, the facts behind them, the least changes of the position that would
/// allow it (found by trying), and the nearest legal actions. A seat or the spectator is answered
/// only from what that viewer may know: where this leaves it open, the answer is `undecidable`.
///
/// In a record with unknowns (see `POST /v1/validate`) the action is `legal` or `illegal` whatever was not written down,
/// `possible` with a `witness` that ends with it, or `undecidable` within the bounds. The action may have unknowns, too.
/// Only the referee is answered.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/why-not", tag = "disputes", operation_id = "create_why_not",
    params(LanguageParameters),
    request_body(content = WhyNotRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "Whether it is allowed, and why not.", body = crate::schemas::WhyNot))
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

/// Answers whether the action of a request would be allowed, and why not.
///
/// # Errors
/// The request cannot be read, or its record cannot be replayed.
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

/// Who looks: the viewer that a request names, or the one who looks where it names nobody.
pub(super) fn viewer(
    game: &dyn AnyGame,
    name: Option<&str>,
    eyes: Eyes,
) -> Result<Observer, ApiError> {
    if let Some(name) = name.filter(|name| !Viewer::names().contains(name)) {
        let names = Viewer::names().join(", ");
        let detail = format!("{:?} is nobody who looks; one of {names} is expected", shorten(name));
        return Err(Fault::new(FaultCode::BadRecord, "/viewer", detail).into());
    }
    Viewer::named(name).of(game, eyes)
}

/// A ply to be explained.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ExplanationRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply: the action made after that many others. 0 includes the opening.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    ply: u32,
    /// Who looks: `referee`, `spectator` or a seat. Where it is left out, the referee at a record
    /// that is sent; at a stored one the spectator, or the viewer that the token is bound to.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false))]
    viewer: Option<Cow<'a, str>>,
}

impl Content for ExplanationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Explains a ply.
///
/// A tree: the action, its events, the clauses behind each, and the facts in the state that it
/// rests on or changes, with their values before and after. A viewer is told what that viewer may
/// know. All plies at once are the part `explain` of a report.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/explain", tag = "disputes", operation_id = "create_explanation",
    params(LanguageParameters),
    request_body(content = ExplanationRequest, description = "A record, and a ply.", content_type = "application/json"),
    responses((status = 200, description = "Why it went as it did.", body = crate::schemas::Account))
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

/// A record to be mended.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RepairRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The most repairs that are wanted.
    #[serde(default = "five")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 20, default = 5))]
    most: usize,
    /// The most edits that are tried together.
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

/// Proposes repairs of a record that is illegal, or not as it states of itself.
///
/// The smallest edits (an action taken out, put in, moved or changed in one field; a die or card
/// changed) under which the most of the rest validates, the best first, each as a JSON Patch and
/// in words, and each shown to hold by a replay. Nothing is changed: a person decides what
/// really happened. What the record claims of itself and states in its `checkpoints` is evidence:
/// repairs under which it holds come first, and of a legal record dice and cards are found that are
/// possible but wrong. What was left out throughout (an answer that only lets things be) is one
/// repair. The work is bounded; `exhausted` says that the bound was met.
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
/// The request cannot be read, or its record cannot be replayed.
pub fn mend(asked: &Asked<'_>, text: &[u8], lang: Language) -> Result<(Vec<u8>, Voice), ApiError> {
    let request: RepairRequest<'_> = read(text)?;
    for (name, value, most) in [("most", request.most, 20), ("edits", request.edits, 3)] {
        if !(1..=most).contains(&value) {
            let detail = format!("a number from 1 to {most} is expected, not {value}");
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

/// A record that is to be remedied.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RemedyRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
}

impl Content for RemedyRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Says what can be done about an illegal record.
///
/// Three remedies, each with what it makes of the game, as a replay shows: the game goes back to before
/// the fault (`back_up`); what was played stands, and the game goes on from the position that the
/// record states after it, or as if the legal action most like it had been played (`play_on`); or the
/// record is mended by the smallest edit that helps (`mend`). A remedy that is not possible says why.
/// Nothing is changed: people decide. A legal record has none.
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
    /// The id of a stored record, in the place of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The second record; or give its `other_id`, or `fingerprints`.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    other: Option<&'a RawValue>,
    /// The id of a stored record, in the place of `other`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    other_id: Option<Cow<'a, str>>,
    /// Fingerprints that another engine gives for some plies, in the place of a second record.
    /// A few are enough: the answer says which to send next.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_items = 100001))]
    fingerprints: Option<Vec<PlyMark>>,
    /// Whether these are those of the chain, not of the states alone. With the chain the first
    /// difference is found for sure.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    chain: bool,
}

impl Content for ComparisonRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
}

/// Finds where two records part.
///
/// The first ply whose states differ, what made it so (the deal, the decision, the dice, the
/// rules) and the difference of the states as a JSON Patch and in words. In the place of the
/// second record another engine may give `fingerprints` of a few plies: the answer then says
/// which ply to `ask` for next, until the place is found by halving.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/compare", tag = "disputes", operation_id = "create_comparison",
    request_body(content = ComparisonRequest, description = "Two records, or a record and fingerprints.", content_type = "application/json"),
    responses((status = 200, description = "Where they part.", body = crate::schemas::AnyComparison))
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
                let detail = "a second record or fingerprints are expected, and not both";
                return Err(Fault::new(FaultCode::BadRecord, "/fingerprints", detail).into());
            }
            let found =
                submission.game.compare_prints(&submission.record, marks, request.chain, limits);
            Ok(json::text(&found.map_err(|fault| within(fault, "/record"))?))
        })
    })
    .await
}

/// Reads the body of a request.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
}

/// Why the engine gave no answer. The places of faults in readings are those of the request.
pub(super) fn unanswered(error: Unanswered, at: &str) -> ApiError {
    match error {
        Unanswered::Fault(fault) if !fault.pointer.starts_with("/readings") => {
            within(fault, at).into()
        }
        other => other.into(),
    }
}
