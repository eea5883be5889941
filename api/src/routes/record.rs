//! Stored records: submitting, listing, reading, replaying and deleting them.
//!
//! A record's id is the hash of its canonical text, so what is found under an id never changes
//! and may be cached for ever. This module must not say SQL, and must not acknowledge what is not
//! durable.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{Bytes, Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use umpire_engine::erased::{self, AnyGame, ENGINE, Include, Report, Status, Verdict};
use utoipa::{IntoParams, ToSchema};

use super::{LegalParameters, ReplayParameters, Viewer};
use crate::app::Service;
use crate::archive::{self, Prepared};
use crate::auth::{MayRead, MayWrite};
use crate::body::{self, Kind};
use crate::cpu;
use crate::error::{ApiError, shorten};
use crate::json;
use crate::ndjson::{self, Line, Tally};
use crate::openapi;
use crate::query::{NoParameters, Pairs, Parameters, Query};
use crate::referee;
use crate::store::{
    self, Cursor, Filter, Inserted, Listed, NewRecord, RecordId, StoreError, Stored,
};

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy | StoreError::Unavailable(_) => {
                tracing::warn!(%error, "store");
                ApiError::Unavailable("the store cannot be used right now".to_owned())
            }
            StoreError::Rejected(_) => ApiError::Fault(umpire_engine::record::Fault::new(
                umpire_engine::record::FaultCode::BadRecord,
                "",
                error.to_string(),
            )),
            StoreError::Cursor => ApiError::NotFound(error.to_string()),
            StoreError::Corrupt(_) | StoreError::Newer(_) => ApiError::Internal(error.to_string()),
        }
    }
}

/// Which illegal records are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Accept {
    /// None: an illegal record is refused.
    Legal,
    /// All: an illegal record is stored together with its verdict, for a dispute.
    Any,
}

/// How a record is submitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SubmitParameters {
    /// `legal` (the default) refuses an illegal record; `any` stores it with its verdict.
    #[param(value_type = Option<Accept>, inline)]
    pub accept: Accept,
}

impl Parameters for SubmitParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let accept = match pairs.take("accept")?.as_deref() {
            None | Some("legal") => Accept::Legal,
            Some("any") => Accept::Any,
            Some(other) => return Err(ApiError::parameter("accept", other, "legal or any")),
        };
        Ok(SubmitParameters { accept })
    }
}

/// What became of a record that was submitted.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = GAME::Receipt)]
pub struct Receipt {
    /// The record's id: BLAKE3 of its canonical JSON with the ruleset filled in.
    #[schema(value_type = openapi::RecordName)]
    pub id: String,
    /// Whether it was not stored before.
    pub new: bool,
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[schema(value_type = umpire_engine::schema::GameId)]
    pub game: &'static str,
    /// The ruleset that the record is pinned to.
    pub ruleset: String,
    /// The verdict on it.
    pub verdict: Verdict,
}

impl Receipt {
    /// What became of a record.
    pub fn of(prepared: Prepared, inserted: Inserted) -> Self {
        Receipt {
            id: prepared.record.id.to_string(),
            new: inserted == Inserted::New,
            engine: ENGINE,
            game: prepared.judgement.game,
            ruleset: prepared.judgement.ruleset,
            verdict: prepared.judgement.verdict,
        }
    }
}

/// How many submitted records went how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
pub struct SubmissionCounts {
    /// All records.
    pub records: u64,
    /// Those that were stored now.
    pub new: u64,
    /// Those that were stored before.
    pub existing: u64,
    /// Those that are illegal and were not stored.
    pub refused: u64,
    /// Those that could not be read or stored.
    pub failed: u64,
}

impl Tally for SubmissionCounts {
    fn add(&mut self, other: Self) {
        self.records += other.records;
        self.new += other.new;
        self.existing += other.existing;
        self.refused += other.refused;
        self.failed += other.failed;
    }
}

/// The last line of a stream of receipts.
#[derive(Serialize, ToSchema)]
pub struct SubmissionSummary {
    /// How many records went how.
    pub summary: SubmissionCounts,
}

/// Judges a record that is submitted, and refuses it if it is illegal and must not be.
///
/// Ends without an answer once the flag `stop` is raised.
pub fn admit(
    text: &[u8],
    limits: erased::Limits,
    accept: Accept,
    stop: Option<&AtomicBool>,
) -> Result<Prepared, ApiError> {
    archive::prepare(text, limits, stop, |judgement| {
        let verdict = &judgement.verdict;
        let illegal = matches!(verdict.status, Status::Illegal | Status::BadChance);
        if !illegal || accept == Accept::Any {
            return Ok(());
        }
        let (pointer, message) = match &verdict.violation {
            Some(violation) => (violation.pointer.clone(), violation.message.clone()),
            None => (String::new(), "the record is illegal".to_owned()),
        };
        let verdict = serde_json::value::to_raw_value(judgement)
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Err(ApiError::Illegal { verdict, pointer, message })
    })
}

/// Stores a record, or many.
///
/// The record is judged and, if it is legal, stored; the game need not be over. The id is that of
/// the content: the same record again answers 200 with the same id. An answer is sent only when
/// the record would survive a loss of power. Records as `application/x-ndjson`, one a line, are
/// answered in order, a line each, with a receipt or a problem; the last line adds them up, or,
/// where the body breaks off, is a problem instead.
#[utoipa::path(
    post, path = "/v1/records", tag = "records", operation_id = "create_record",
    params(SubmitParameters),
    request_body(content((openapi::Record = "application/json"), (openapi::RecordLines = "application/x-ndjson")),
        description = "The record of a game, or many, one a line."),
    responses(
        (status = 200, description = "The record was stored before; or, for NDJSON, a receipt or problem a line.", content((openapi::Receipt = "application/json"), (openapi::ReceiptLines = "application/x-ndjson"))),
        (status = 201, description = "The record was stored now.", body = openapi::Receipt, headers(("Location" = String, description = "Where the record is."))),
    )
)]
pub async fn create_record(
    _: MayWrite,
    request: HttpRequest,
    payload: Payload,
    parameters: Query<SubmitParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let accept = parameters.accept;
    if body::kind(request.headers())? == Kind::Ndjson {
        return Ok(submit_stream(payload, service, accept));
    }
    let text = body::read(request.headers(), payload, &service.limits).await?;
    let limits = super::engine_limits(&service.limits);
    let store = service.store.clone();
    let job = move |stop: &AtomicBool| {
        let prepared = admit(&text, limits, accept, Some(stop))?;
        let pending = store.insert(vec![prepared.record.clone()]);
        Ok((prepared, pending))
    };
    let (prepared, pending) = service.cpu.run(job).await.inspect_err(|error| {
        service.metrics.submitted(outcome_of(error));
    })?;
    let inserted = pending.await?.first().copied().unwrap_or(Inserted::Existing);
    let receipt = Receipt::of(prepared, inserted);
    service.metrics.submitted(if receipt.new { "new" } else { "existing" });
    let mut answer = match receipt.new {
        true => HttpResponse::Created(),
        false => HttpResponse::Ok(),
    };
    answer.insert_header((header::LOCATION, format!("/v1/records/{}", receipt.id)));
    Ok(answer.content_type(body::JSON).body(json::text(&receipt)))
}

fn outcome_of(error: &ApiError) -> &'static str {
    match error {
        ApiError::Illegal { .. } => "refused",
        _ => "failed",
    }
}

fn submit_stream(payload: Payload, service: Data<Service>, accept: Accept) -> HttpResponse {
    let pace = service.pace();
    let work = move |lines: Vec<Line>| {
        let service = service.clone();
        async move { submit_lines(lines, service, accept).await }
    };
    HttpResponse::Ok().content_type(body::NDJSON).streaming(ndjson::answer(payload, pace, work))
}

/// Stores some lines together, and answers each when all are durable.
async fn submit_lines(
    lines: Vec<Line>,
    service: Data<Service>,
    accept: Accept,
) -> Result<(Vec<u8>, SubmissionCounts), ApiError> {
    let limits = super::engine_limits(&service.limits);
    let store = service.store.clone();
    let job = move || {
        let admitted: Vec<(u64, Result<Prepared, ApiError>)> = lines
            .into_iter()
            .map(|Line { number, text }| {
                (number, text.and_then(|text| cpu::here(|| admit(&text, limits, accept, None))))
            })
            .collect();
        let kept = admitted.iter().filter_map(|(_, admitted)| admitted.as_ref().ok());
        let records: Vec<NewRecord> = kept.map(|prepared| prepared.record.clone()).collect();
        let pending = (!records.is_empty()).then(|| store.insert(records));
        Ok((admitted, pending))
    };
    let (admitted, pending) = service.cpu.stream(job).await?;
    let inserted = match pending {
        Some(pending) => pending.await.map_err(ApiError::from),
        None => Ok(Vec::new()),
    };
    let mut inserted = inserted.map(Vec::into_iter);
    let mut text = Vec::new();
    let mut counts = SubmissionCounts::default();
    for (line, admitted) in admitted {
        counts.records += 1;
        let receipt = admitted.and_then(|prepared| match &mut inserted {
            Ok(inserted) => {
                let inserted = inserted.next().unwrap_or(Inserted::Existing);
                Ok(Receipt::of(prepared, inserted))
            }
            Err(error) => Err(error.clone()),
        });
        let result = match &receipt {
            Ok(receipt) if receipt.new => "new",
            Ok(_) => "existing",
            Err(error) => outcome_of(error),
        };
        service.metrics.submitted(result);
        match result {
            "new" => counts.new += 1,
            "existing" => counts.existing += 1,
            "refused" => counts.refused += 1,
            _ => counts.failed += 1,
        }
        match receipt {
            Ok(receipt) => json::line(&mut text, &receipt),
            Err(error) => json::line(&mut text, &ndjson::problem(&error, line)),
        }
    }
    Ok((text, counts))
}

/// Which records to list.
#[derive(Clone, PartialEq, Eq, Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListParameters {
    /// Only records of this game.
    #[param(value_type = Option<openapi::GameName>, inline)]
    pub game: Option<String>,
    /// Only records that are pinned to this ruleset.
    #[param(max_length = 64)]
    pub ruleset: Option<String>,
    /// Only records with a player of this name, at any seat, in upper or lower case.
    #[param(max_length = 200)]
    pub player: Option<String>,
    /// Only records that stand so.
    #[param(value_type = Option<Status>, inline)]
    pub status: Option<store::Status>,
    /// Only records of games that this seat won.
    #[param(max_length = 64)]
    pub winner: Option<String>,
    /// Words, or beginnings of words, that all occur in the values of `meta`.
    #[param(max_length = 200)]
    pub text: Option<String>,
    /// Only records stored at this time or later, in milliseconds since 1970.
    #[param(minimum = 0, maximum = 253402300799999i64)]
    pub since: Option<i64>,
    /// Only records stored before this time, in milliseconds since 1970.
    #[param(minimum = 0, maximum = 253402300799999i64)]
    pub until: Option<i64>,
    /// The most records in a page; 50 where it is left out. NDJSON streams all unless it is given.
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<u32>,
    /// The `next` of the page before.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{16}$")]
    pub cursor: Option<String>,
}

impl Parameters for Filter {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let game = pairs.take("game")?;
        if let Some(game) = &game
            && umpire_engine::games::find(game).is_none()
        {
            return Err(ApiError::parameter("game", game, "the id of a game"));
        }
        Ok(Filter {
            game,
            ruleset: pairs.text("ruleset", 64)?,
            player: pairs.text("player", 200)?,
            status: pairs.parsed("status", "one of complete, in_progress, illegal, bad_chance")?,
            winner: pairs.text("winner", 64)?,
            text: pairs.text("text", 200)?,
            since: pairs.number("since", 0..=store::LAST_TIME)?,
            until: pairs.number("until", 0..=store::LAST_TIME)?,
            limit: pairs.number("limit", 1..=store::MAX_PAGE)?,
            cursor: pairs.parsed::<Cursor>("cursor", "the `next` of a page")?,
        })
    }
}

/// A stored record as a list shows it.
#[derive(Serialize, ToSchema)]
pub struct RecordSummary {
    /// The record's id.
    #[schema(value_type = openapi::RecordName)]
    id: String,
    /// When it was stored, in milliseconds since 1970.
    created_at: i64,
    /// The game.
    #[schema(value_type = openapi::GameName)]
    game: String,
    /// The ruleset that it is pinned to.
    ruleset: String,
    /// How it stands.
    #[schema(value_type = Status)]
    status: &'static str,
    /// Number of accepted actions.
    plies: u32,
    /// The winner's seat.
    winner: Option<String>,
    /// Why the game is over.
    reason: Option<String>,
    /// Names by seat.
    #[serde(serialize_with = "as_map")]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    players: Vec<(String, String)>,
    /// Free text of the record.
    #[serde(serialize_with = "as_map")]
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    meta: Vec<(String, String)>,
}

fn as_map<S: Serializer>(pairs: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl From<Listed> for RecordSummary {
    fn from(listed: Listed) -> Self {
        let Listed { id, created_at, summary } = listed;
        RecordSummary {
            id: id.to_string(),
            created_at,
            game: summary.game,
            ruleset: summary.ruleset,
            status: summary.status.as_str(),
            plies: summary.plies,
            winner: summary.winner,
            reason: summary.reason,
            players: summary.players,
            meta: summary.meta,
        }
    }
}

/// A page of stored records.
#[derive(Serialize, ToSchema)]
pub struct RecordPage {
    /// The records, the latest first.
    pub records: Vec<RecordSummary>,
    /// The `cursor` of the next page; `null` on the last.
    #[schema(pattern = "^[0-9a-f]{16}$")]
    pub next: Option<String>,
}

/// Lists stored records.
///
/// The latest first, a page at a time; `next` is the `cursor` of the next page. What is stored
/// after the first page was read is not shown. With `Accept: application/x-ndjson` all records
/// themselves are streamed, a line each, in the form that can be posted again.
#[utoipa::path(
    get, path = "/v1/records", tag = "records", operation_id = "list_records",
    params(ListParameters),
    responses((status = 200, description = "A page, or all records, one a line.", content((RecordPage = "application/json"), (openapi::RecordLines = "application/x-ndjson"))))
)]
pub async fn list_records(
    _: MayRead,
    request: HttpRequest,
    filter: Query<Filter>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(filter) = filter;
    if wants_ndjson(&request) {
        return export(filter, service);
    }
    let store = service.store.clone();
    let page = service.cpu.run(move |_| store.list(&filter).map_err(ApiError::from)).await?;
    let page = RecordPage {
        records: page.items.into_iter().map(RecordSummary::from).collect(),
        next: page.next.map(|cursor| cursor.to_string()),
    };
    Ok(HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::VARY, "accept"))
        .body(json::text(&page)))
}

/// Whether the caller asks for a JSON value a line, and would not rather have JSON.
pub(super) fn wants_ndjson(request: &HttpRequest) -> bool {
    use header::Header;
    // What cannot be read asks for nothing.
    let accepted = header::Accept::parse(request).map(|accepted| accepted.0).unwrap_or_default();
    let quality = |kind: &str| {
        let of_kind = accepted.iter().filter(|one| one.item.essence_str() == kind);
        of_kind.map(|one| one.quality).max().unwrap_or(header::Quality::ZERO)
    };
    let (lines, json) = (quality(body::NDJSON), quality("application/json"));
    lines > header::Quality::ZERO && lines >= json
}

/// Streams the texts of all records that match, a line each.
fn export(filter: Filter, service: Data<Service>) -> Result<HttpResponse, ApiError> {
    let Ok(place) = service.exports.clone().try_acquire_owned() else {
        return Err(ApiError::Unavailable("too many exports are going on".to_owned()));
    };
    let store = service.store.clone();
    let pause = Duration::from_secs(service.limits.body_seconds);
    let (sender, receiver) = mpsc::channel::<Result<Bytes, ApiError>>(16);
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let mut visit = |stored: Stored| {
            let mut line = one_line(stored.record);
            line.push(b'\n');
            // A reader that takes nothing for too long is given up.
            let sent = tokio::time::timeout(pause, sender.send(Ok(Bytes::from(line))));
            match runtime.block_on(sent) {
                Ok(Ok(())) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        if let Err(error) = store.each(&filter, &mut visit) {
            tracing::warn!(%error, "an export broke off");
            // The body ends with an error, so that nobody takes a part for the whole.
            let last = Err(ApiError::from(error));
            let _ = runtime.block_on(tokio::time::timeout(pause, sender.send(last)));
        }
    });
    let lines = stream::unfold(receiver, |mut receiver| async move {
        let line = receiver.recv().await?;
        Some((line, receiver))
    });
    Ok(HttpResponse::Ok()
        .content_type(body::NDJSON)
        .insert_header((header::VARY, "accept"))
        .streaming(lines))
}

/// The text of a record on one line. Only between the parts of `meta` can it have line ends.
fn one_line(text: String) -> Vec<u8> {
    let mut text = text.into_bytes();
    text.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    text
}

/// The id in a path.
pub(super) fn id_at(text: &str) -> Result<RecordId, ApiError> {
    text.parse().map_err(|error| ApiError::NotFound(format!("{:?}: {error}", shorten(text))))
}

pub(super) fn missing(id: &RecordId) -> ApiError {
    ApiError::NotFound(format!("there is no record {id}"))
}

/// The generation of the tags: another one if the same question gets another answer although the
/// engine is the same.
const TAGS: u32 = 3;

/// Answers about a stored record: what is asked is worked out only if the caller does not have
/// the answer yet.
async fn answer(
    request: &HttpRequest,
    service: &Service,
    id: &str,
    work: impl FnOnce(Stored, &AtomicBool) -> Result<Vec<u8>, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let id = id_at(id)?;
    let question = format!("{ENGINE}\n{TAGS}\n{}\n{}\n", request.path(), request.query_string());
    let headers = Conditions::of(request.headers());
    let store = service.store.clone();
    let (tag, text) = service
        .cpu
        .run(move |stop| {
            let stored = store.find(&id)?.ok_or_else(|| missing(&id))?;
            // The same question to the same engine about the same text has the same answer. The id
            // alone does not tell: `meta` is kept as it was written, which the id does not count.
            let mut tag = blake3::Hasher::new();
            tag.update(question.as_bytes()).update(stored.record.as_bytes());
            let tag = tag.finalize().to_hex().as_str()[..32].to_owned();
            let text = match headers.known(&tag) {
                // The tag was given out with an answer, so there is nothing wrong with the question.
                Known::Tag => None,
                Known::Whatever => work(stored, stop).map(|_| None)?,
                Known::Nothing => Some(work(stored, stop)?),
            };
            Ok((tag, text))
        })
        .await?;
    let mut answer = match text {
        Some(_) => HttpResponse::Ok(),
        None => HttpResponse::NotModified(),
    };
    let scope = if service.tokens.is_some() { "private" } else { "public" };
    answer
        .insert_header((header::ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, format!("{scope}, max-age=31536000, immutable")));
    match text {
        Some(text) => Ok(answer.content_type(body::JSON).body(text)),
        None => Ok(answer.finish()),
    }
}

/// What a caller has already, by `If-None-Match`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// This very answer, compressed or not.
    Tag,
    /// Some answer or other, if there is one: `*`.
    Whatever,
    /// Nothing, or another answer.
    Nothing,
}

/// The tags of `If-None-Match`, without their quotes and without what compression adds.
struct Conditions(Vec<String>);

impl Conditions {
    fn of(headers: &HeaderMap) -> Self {
        let sent = headers.get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
        let names = sent.flat_map(|value| value.split(',')).map(str::trim).map(|one| {
            let name = one.strip_prefix("W/").unwrap_or(one).trim_matches('"');
            name.split_once('-').map_or(name, |(plain, _)| plain).to_owned()
        });
        Conditions(names.collect())
    }

    /// What a caller has of the answer with this tag.
    fn known(&self, tag: &str) -> Known {
        if self.0.iter().any(|name| name == tag) {
            Known::Tag
        } else if self.0.iter().any(|name| name == "*") {
            Known::Whatever
        } else {
            Known::Nothing
        }
    }
}

/// Opens a stored record; a replay of it ends once the flag is raised.
fn with_game<T>(
    stored: &Stored,
    stop: &AtomicBool,
    work: impl FnOnce(&referee::Opened<'_>) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let opened = referee::open(stored.record.as_bytes())?.until(stop);
    work(&opened)
}

/// Shows a stored record.
///
/// In canonical JSON with its ruleset filled in, but for `meta`, whose text is that of the record
/// when it was first stored. The id is BLAKE3 of the canonical JSON of the whole.
#[utoipa::path(
    get, path = "/v1/records/{id}", tag = "records", operation_id = "get_record",
    params(("id" = openapi::RecordName, Path, description = "The id of a record.")),
    responses((status = 200, description = "The record.", body = openapi::Record))
)]
pub async fn get_record(
    _: MayRead,
    request: HttpRequest,
    id: Path<String>,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    answer(&request, &service, &id, |stored, _| Ok(stored.record.into_bytes())).await
}

/// Deletes a stored record.
///
/// The same record may be stored again later, under the same id.
#[utoipa::path(
    delete, path = "/v1/records/{id}", tag = "records", operation_id = "delete_record",
    params(("id" = openapi::RecordName, Path, description = "The id of a record.")),
    responses((status = 204, description = "The record is deleted."))
)]
pub async fn delete_record(
    _: MayWrite,
    id: Path<String>,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let id = id_at(&id)?;
    match service.store.delete(&id).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(missing(&id)),
    }
}

/// Replays a stored record.
///
/// The same answer as for the record sent to `/v1/replay`; but where no `viewer` is given, the
/// spectator's: what only a player may know in a game that goes on has to be asked for.
#[utoipa::path(
    get, path = "/v1/records/{id}/report", tag = "records", operation_id = "get_record_report",
    params(("id" = openapi::RecordName, Path, description = "The id of a record."), ReplayParameters),
    responses((status = 200, description = "The report.", body = openapi::Report))
)]
pub async fn get_record_report(
    _: MayRead,
    request: HttpRequest,
    id: Path<String>,
    parameters: Query<ReplayParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let Query(parameters) = parameters;
    answer(&request, &service, &id, move |stored, stop| {
        with_game(&stored, stop, |opened| {
            let query = parameters.query(opened.game, super::STORED, &limits)?;
            Ok(json::text(&opened.replay(&query)?))
        })
    })
    .await
}

/// Who looks at one ply, and which parts are wanted.
#[derive(Clone, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlyParameters {
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[param(value_type = Option<openapi::ViewerName>, inline)]
    pub viewer: Viewer,
    /// Optional parts of the report, parted by commas. `tape`, `fingerprints` and `chapters` are
    /// given to the referee only.
    #[param(value_type = Option<Vec<super::Part>>, style = Form, explode = false, inline)]
    pub include: Include,
}

impl Parameters for PlyParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(PlyParameters { viewer: Viewer::take(pairs)?, include: super::Part::take(pairs)? })
    }
}

/// Shows a stored record at one ply.
///
/// The report with the state after that many actions, and what was to be decided there.
#[utoipa::path(
    get, path = "/v1/records/{id}/plies/{ply}", tag = "records", operation_id = "get_record_ply",
    params(
        ("id" = openapi::RecordName, Path, description = "The id of a record."),
        ("ply" = u32, Path, description = "Number of accepted actions.", minimum = 0, maximum = 4294967295u32),
        PlyParameters,
    ),
    responses((status = 200, description = "The report at that ply.", body = openapi::Report))
)]
pub async fn get_record_ply(
    _: MayRead,
    request: HttpRequest,
    path: Path<(String, String)>,
    parameters: Query<PlyParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let (id, ply) = path.into_inner();
    let digits = ply.bytes().all(|byte| byte.is_ascii_digit());
    let ply: u32 = ply
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| ApiError::NotFound(format!("there is no ply {:?}", shorten(&ply))))?;
    let limits = service.limits;
    let Query(PlyParameters { viewer, include }) = parameters;
    let parameters = ReplayParameters { ply: Some(ply), viewer, include };
    answer(&request, &service, &id, move |stored, stop| {
        with_game(&stored, stop, |opened| {
            let query = parameters.query(opened.game, super::STORED, &limits)?;
            Ok(json::text(&opened.replay(&query)?))
        })
    })
    .await
}

/// Who looks at the events.
#[derive(Clone, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventParameters {
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[param(value_type = Option<openapi::ViewerName>, inline)]
    pub viewer: Viewer,
}

impl Parameters for EventParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(EventParameters { viewer: Viewer::take(pairs)? })
    }
}

/// The events of a game as a viewer learned of them.
#[derive(Serialize, ToSchema)]
#[schema(as = GAME::EventList)]
pub struct EventList {
    /// The game.
    #[schema(value_type = umpire_engine::schema::GameId)]
    pub game: &'static str,
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// Number of accepted actions.
    pub plies: u32,
    /// The events, in order.
    #[schema(value_type = Vec<umpire_engine::schema::GameEvent>)]
    pub events: Vec<Box<RawValue>>,
}

impl EventList {
    /// The events of a report.
    pub fn of(report: Report) -> Self {
        EventList {
            game: report.game,
            viewer: report.viewer,
            plies: report.verdict.plies,
            events: report.events.unwrap_or_default(),
        }
    }

    /// What has to be asked for.
    pub fn query(
        viewer: &Viewer,
        game: &dyn AnyGame,
        limits: &crate::config::Limits,
    ) -> Result<erased::Query, ApiError> {
        let include = Include { events: true, ..Include::default() };
        ReplayParameters { ply: None, viewer: viewer.clone(), include }.query(
            game,
            super::STORED,
            limits,
        )
    }
}

/// Lists the events of a stored record.
///
/// As far as the viewer learned of them.
#[utoipa::path(
    get, path = "/v1/records/{id}/events", tag = "records", operation_id = "list_record_events",
    params(("id" = openapi::RecordName, Path, description = "The id of a record."), EventParameters),
    responses((status = 200, description = "The events.", body = openapi::EventList))
)]
pub async fn list_record_events(
    _: MayRead,
    request: HttpRequest,
    id: Path<String>,
    parameters: Query<EventParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let Query(EventParameters { viewer }) = parameters;
    answer(&request, &service, &id, move |stored, stop| {
        with_game(&stored, stop, |opened| {
            let query = EventList::query(&viewer, opened.game, &limits)?;
            Ok(json::text(&EventList::of(opened.replay(&query)?)))
        })
    })
    .await
}

/// Lists the legal actions in a stored record.
///
/// The same answer as for the record sent to `/v1/legal-actions`; but where no `viewer` is given,
/// the spectator's.
#[utoipa::path(
    get, path = "/v1/records/{id}/legal-actions", tag = "records", operation_id = "list_record_legal_actions",
    params(("id" = openapi::RecordName, Path, description = "The id of a record."), LegalParameters),
    responses((status = 200, description = "The legal actions.", body = openapi::Legal))
)]
pub async fn list_record_legal_actions(
    _: MayRead,
    request: HttpRequest,
    id: Path<String>,
    parameters: Query<LegalParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let limits = service.limits;
    let Query(parameters) = parameters;
    answer(&request, &service, &id, move |stored, stop| {
        with_game(&stored, stop, |opened| {
            let query = parameters.query(opened.game, super::STORED, &limits)?;
            Ok(json::text(&opened.legal(&query, parameters.count_only)?))
        })
    })
    .await
}
