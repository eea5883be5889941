//! Stored records: submitting, listing and deleting them.
//!
//! This module must not contain SQL, and must not acknowledge what is not durable.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use umpire_referee::call::guarded;
use umpire_referee::parameters::unknown_fields;

use actix_web::http::header;
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use serde::{Serialize, Serializer};
use serde_json::Value;
use tokio::sync::mpsc;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::{ENGINE, Judgement, Verdict};

use super::stored::StoredAt;
use crate::auth::names::Names;
use crate::documents::archive::{Accept, Prepared, admit_fields};
use crate::http::accept::{next_page, wants_ndjson};
use crate::http::body;
use crate::http::error::{ApiError, Code, Problem};
use crate::http::ndjson::{self, Line, Tally};
use crate::http::peer::Peer;
use crate::http::query::Query;
use crate::limits::cpu;
use crate::limits::cpu::Claim;
use crate::routes::access::{Caller, MayRead, MayWrite};
use crate::routes::sent::Records;
use crate::service::Service;
use crate::store::when::{self, When};
use crate::store::{self, Cursor, Filter, Inserted, Listed, NewRecord, RecordId, Stored};
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::reading::UnknownFields;
use umpire_referee::{json, reading};

/// How to submit a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SubmitParameters {
    /// `legal` (the default) refuses an illegal record; `any` stores it with its verdict.
    #[cfg_attr(feature = "openapi", param(value_type = Option<Accept>, inline))]
    pub accept: Accept,
    /// What to do about unknown fields at the top level of a record: `refuse` (the default) rejects
    /// the record, `keep` stores them with the record and lists them in its warnings.
    #[cfg_attr(feature = "openapi", param(value_type = Option<UnknownFields>, inline))]
    pub unknown_fields: UnknownFields,
}

impl Parameters for SubmitParameters {
    const ERRORS: &'static [Code] = &[Code::RecordIllegal];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let accept = match pairs.take("accept")?.as_deref() {
            None | Some("legal") => Accept::Legal,
            Some("any") => Accept::Any,
            Some(other) => return Err(Problem::parameter("accept", other, "legal or any")),
        };
        Ok(SubmitParameters { accept, unknown_fields: unknown_fields(pairs)? })
    }
}

/// The result of submitting a record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::Receipt))]
pub struct Receipt {
    /// The record's id: the BLAKE3 hash of its canonical JSON with the ruleset filled in or, if the
    /// server uses private ids, an id that reveals nothing.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::RecordName))]
    pub id: String,
    /// Whether it was not stored before.
    pub new: bool,
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    pub game: &'static str,
    /// The ruleset that the record is pinned to.
    pub ruleset: String,
    /// The verdict on it.
    pub verdict: Verdict,
}

impl Receipt {
    /// The receipt for a record.
    pub fn of(names: &Names, id: &RecordId, judgement: Judgement, inserted: Inserted) -> Self {
        Receipt {
            id: names.outside(id).to_string(),
            new: inserted == Inserted::New,
            engine: ENGINE,
            game: judgement.game,
            ruleset: judgement.ruleset,
            verdict: judgement.verdict,
        }
    }
}

/// The number of submitted records by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionCounts {
    /// All records.
    pub records: u64,
    /// Records stored now.
    pub new: u64,
    /// Records that were already stored.
    pub existing: u64,
    /// Illegal records, which were not stored.
    pub refused: u64,
    /// Records that could not be read or stored.
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
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionSummary {
    /// The number of records by result.
    pub summary: SubmissionCounts,
}

/// Stores one record or many.
///
/// The record is validated and, if it is legal, stored; the game need not be over. The id depends
/// only on the content: submitting the same record again returns 200 with the same id. The response
/// is sent only after the record is durable. Records sent as `application/x-ndjson`, one per line,
/// are answered in order with a receipt or a problem per line. The last line contains the totals;
/// if the body ends early, it is a problem instead.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/records", tag = "records", operation_id = "create_record",
    params(SubmitParameters),
    request_body(content((umpire_referee::schemas::GameRecord = "application/json"), (umpire_referee::schemas::RecordLines = "application/x-ndjson")),
        description = "The record of a game, or many as NDJSON."),
    responses(
        (status = 200, description = "The record was already stored; or, for NDJSON, a receipt or problem per line.", content((umpire_referee::schemas::Receipt = "application/json"), (umpire_referee::schemas::ReceiptLines = "application/x-ndjson"))),
        (status = 201, description = "The record was stored now.", body = umpire_referee::schemas::Receipt, headers(("Location" = String, description = "The URL of the record."))),
    )
))]
pub async fn create_record(
    _: MayWrite,
    Caller(peer): Caller,
    parameters: Query<SubmitParameters>,
    service: Data<Service>,
    sent: Records,
) -> Result<HttpResponse, ApiError> {
    let Query(how) = parameters;
    let text = match sent {
        Records::One(text) => text,
        Records::Lines(payload) => return Ok(submit_stream(payload, service, peer, how)),
    };
    let limits = service.limits;
    let store = service.store.clone();
    let claim = Claim::by_length(peer, text.len(), limits.inline_bytes);
    let small = reading::is_small(&text, limits.inline_bytes);
    let job = move |budget: Budget<'_>| {
        let limits = limits.engine(budget);
        let Prepared { record, judgement } =
            admit_fields(&text, how.unknown_fields, limits, how.accept)?;
        let id = record.id;
        Ok((id, judgement, store.insert(vec![record])))
    };
    let admitted = match small {
        true => cpu::now(|| job(Budget::UNLIMITED)),
        false => service.cpu.run(claim, job).await,
    };
    let (id, judgement, pending) = admitted.inspect_err(|error| {
        service.metrics.submitted(outcome_of(error));
    })?;
    let inserted = pending.await?.first().copied().unwrap_or(Inserted::Existing);
    let receipt = Receipt::of(&service.names, &id, judgement, inserted);
    service.metrics.submitted(if receipt.new { "new" } else { "existing" });
    let mut answer = match receipt.new {
        true => HttpResponse::Created(),
        false => HttpResponse::Ok(),
    };
    answer.insert_header((header::LOCATION, format!("/v1/records/{}", receipt.id)));
    Ok(answer.content_type(body::JSON).body(json::text(&receipt)))
}

fn outcome_of(error: &ApiError) -> &'static str {
    match error.code() {
        Code::RecordIllegal => "refused",
        _ => "failed",
    }
}

fn submit_stream(
    payload: Payload,
    service: Data<Service>,
    peer: Peer,
    how: SubmitParameters,
) -> HttpResponse {
    let pace = service.pace();
    let work = move |lines: Vec<Line>| {
        let service = service.clone();
        async move { submit_lines(lines, service, peer, how).await }
    };
    HttpResponse::Ok().content_type(body::NDJSON).streaming(ndjson::answer(payload, pace, work))
}

/// A line, and its result.
type AdmittedLine = (u64, Result<(RecordId, Judgement), ApiError>);

/// Stores some lines together, and answers each when all are durable.
async fn submit_lines(
    lines: Vec<Line>,
    service: Data<Service>,
    peer: Peer,
    how: SubmitParameters,
) -> Result<(Vec<u8>, SubmissionCounts), ApiError> {
    let limits = service.limits;
    let store = service.store.clone();
    let small = reading::are_small(ndjson::texts(&lines), limits.inline_bytes);
    let mut records: Vec<NewRecord> = Vec::new();
    let mut admitted: Vec<AdmittedLine> = Vec::new();
    for Line { number, text } in lines {
        let admit = move |budget: Budget<'_>| {
            admit_fields(&text?, how.unknown_fields, limits.engine(budget), how.accept)
        };
        let prepared = match small {
            true => cpu::now(|| guarded(|| admit(Budget::UNLIMITED))),
            false => service.cpu.line(Claim::heavy(peer), admit).await,
        };
        let line = prepared.map(|Prepared { record, judgement }| {
            let id = record.id;
            records.push(record);
            (id, judgement)
        });
        admitted.push((number, line));
    }
    let inserted = match records.is_empty() {
        false => store.insert(records).await.map_err(ApiError::from),
        true => Ok(Vec::new()),
    };
    let mut inserted = inserted.map(Vec::into_iter);
    let mut text = Vec::new();
    let mut counts = SubmissionCounts::default();
    for (line, admitted) in admitted {
        counts.records += 1;
        let receipt = admitted.and_then(|(id, judgement)| match &mut inserted {
            Ok(inserted) => {
                let inserted = inserted.next().unwrap_or(Inserted::Existing);
                Ok(Receipt::of(&service.names, &id, judgement, inserted))
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
            Err(error) => json::line(&mut text, &error.problem().in_line(line)),
        }
    }
    Ok((text, counts))
}

/// Which records to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ListParameters {
    /// Only records of this game.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::GameName>, inline))]
    pub game: Option<String>,
    /// Only records that are pinned to this ruleset.
    #[cfg_attr(feature = "openapi", param(max_length = 64))]
    pub ruleset: Option<String>,
    /// Only records with a player of this name, at any seat, in any case.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub player: Option<String>,
    /// Only records with this status.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_engine::replay::answer::Status>, inline))]
    pub status: Option<store::Status>,
    /// Only records of games that this seat won.
    #[cfg_attr(feature = "openapi", param(max_length = 64))]
    pub winner: Option<String>,
    /// Words, or prefixes of words, that must all occur in the values of `meta`.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub text: Option<String>,
    /// Only records stored at this time or later: RFC 3339, or milliseconds since 1970.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-11-21T21:00:00Z"))]
    pub since: Option<When>,
    /// Only records stored before this time: RFC 3339, or milliseconds since 1970.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-11-22T21:00:00Z"))]
    pub until: Option<When>,
    /// The maximum number of records in a page; 50 by default. NDJSON streams all records unless it
    /// is given.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The `next` of the previous page.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, pattern = "^[0-9a-f]{16}$"))]
    pub cursor: Option<String>,
    /// Whether each line of NDJSON is an object with the `id` and the `record`.
    pub ids: Option<bool>,
}

/// Which records to list, and how.
pub struct Listing {
    filter: Filter,
    ids: bool,
}

impl Parameters for Listing {
    /// An unknown cursor.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let ids = pairs.flag("ids")?;
        Ok(Listing { filter: filter(pairs)?, ids })
    }
}

fn filter(pairs: &mut Pairs) -> Result<Filter, Problem> {
    let game = pairs.take("game")?;
    if let Some(game) = &game
        && umpire_engine::games::find(game).is_none()
    {
        return Err(Problem::parameter("game", game, "the id of a game"));
    }
    let rulesets = |name: &str| {
        let of = name.split_once('@').map(|(game, _)| game);
        of.is_some_and(|game| umpire_engine::games::find(game).is_some())
    };
    let ruleset = pairs.text("ruleset", 64)?;
    if let Some(other) = ruleset.as_deref().filter(|name| !rulesets(name)) {
        return Err(Problem::parameter("ruleset", other, "a game, @ and a version"));
    }
    let winner = pairs.text("winner", 64)?;
    let is_seat = |name: &str| {
        umpire_engine::games::GAMES.iter().any(|game| game.meta().seat(name).is_some())
    };
    if let Some(other) = winner.as_deref().filter(|name| !is_seat(name)) {
        return Err(Problem::parameter("winner", other, "a seat of a game"));
    }
    Ok(Filter {
        game,
        ruleset,
        player: pairs.text("player", 200)?,
        status: pairs.parsed("status", "one of complete, in_progress, illegal, bad_chance")?,
        winner,
        text: pairs.text("text", 200)?,
        since: pairs.parsed("since", when::EXPECTED)?.map(|When(time)| time),
        until: pairs.parsed("until", when::EXPECTED)?.map(|When(time)| time),
        limit: pairs.number("limit", 1..=store::MAX_PAGE)?,
        cursor: pairs.parsed::<Cursor>("cursor", "the `next` of a page")?,
    })
}

/// A stored record in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordSummary {
    /// The record's id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::RecordName))]
    id: String,
    /// When it was stored: RFC 3339, in UTC, with milliseconds.
    #[cfg_attr(feature = "openapi", schema(format = "date-time"))]
    created_at: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    game: String,
    /// The ruleset that it is pinned to.
    ruleset: String,
    /// Its status.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::replay::answer::Status))]
    status: &'static str,
    /// Number of accepted actions.
    plies: u32,
    /// The winner's seat.
    winner: Option<String>,
    /// Why the game is over.
    reason: Option<String>,
    /// Names by seat; empty if they are very long.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, String>))]
    players: Vec<(String, String)>,
    /// The metadata of the record; empty if it is long (more than 4096 bytes), `meta_bytes` says
    /// how long.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, umpire_referee::schemas::AnyValue>))]
    meta: Vec<(String, Value)>,
    /// The approximate size of `meta` in bytes, whether or not it is shown here.
    meta_bytes: u32,
}

fn as_map<T: Serialize, S: Serializer>(pairs: &[(String, T)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

impl RecordSummary {
    /// A stored record under its public id.
    pub fn of(names: &Names, listed: Listed) -> Self {
        let Listed { id, created_at, summary, meta_bytes } = listed;
        RecordSummary {
            id: names.outside(&id).to_string(),
            created_at: when::text(created_at),
            game: summary.game,
            ruleset: summary.ruleset,
            status: summary.status.as_str(),
            plies: summary.plies,
            winner: summary.winner,
            reason: summary.reason,
            players: summary.players,
            meta: summary.meta,
            meta_bytes,
        }
    }
}

/// A page of stored records.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecordPage {
    /// The records, the newest first.
    pub records: Vec<RecordSummary>,
    /// The `cursor` of the next page; `null` on the last page.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{16}$"))]
    pub next: Option<String>,
}

/// Lists stored records.
///
/// The newest first, page by page; `next` is the `cursor` of the next page. Records stored after
/// the first page was read are not shown. With `Accept: application/x-ndjson` the records
/// themselves are streamed, one per line, in a form that can be submitted again; with a `limit`,
/// the header `Link` leads to those after them.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/records", tag = "records", operation_id = "list_records",
    params(ListParameters),
    responses((status = 200, description = "A page, or all records as NDJSON.", content((RecordPage = "application/json"), (umpire_referee::schemas::StoredRecordLines = "application/x-ndjson"))))
))]
pub async fn list_records(
    _: MayRead,
    Caller(peer): Caller,
    request: HttpRequest,
    listing: Query<Listing>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(Listing { filter, ids }) = listing;
    let (store, names) = (service.store.clone(), service.names.clone());
    if wants_ndjson(&request) {
        let mut next = None;
        if filter.limit.is_some() {
            let page = filter.clone();
            let job = move |_: Budget<'_>| Ok(store.list(&page)?.next);
            next = service.cpu.run(Claim::light(peer), job).await?;
        }
        let next = next.map(|cursor| next_page(&request, "cursor", cursor));
        return export(filter, ids.then_some(names), next, service);
    }
    let job = move |_: Budget<'_>| {
        let page = store.list(&filter)?;
        let next = page.next.map(|cursor| cursor.to_string());
        let shown = |listed| RecordSummary::of(&names, listed);
        let records = page.items.into_iter().map(shown).collect();
        Ok((json::text(&RecordPage { records, next: next.clone() }), next))
    };
    let (page, next) = service.cpu.run(Claim::light(peer), job).await?;
    let mut answer = HttpResponse::Ok();
    answer.content_type(body::JSON).insert_header((header::VARY, "accept"));
    if let Some(next) = next {
        answer.insert_header((header::LINK, next_page(&request, "cursor", &next)));
    }
    Ok(answer.body(page))
}

/// Records are exported in parts of about this many bytes. Few of them wait for a client that does not read.
const EXPORT_PART: usize = 64 << 10;

/// Streams the texts of all matching records, one per line; with `ids`, each within an object that has its id, too. `next`
/// is where those after them are.
fn export(
    filter: Filter,
    ids: Option<Arc<Names>>,
    next: Option<String>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Ok(place) = service.exports.clone().try_acquire_owned() else {
        return Err(ApiError::unavailable(
            "too many exports are in progress; try again later".to_owned(),
        ));
    };
    let store = service.store.clone();
    let pause = Duration::from_secs(service.limits.body_seconds);
    let (sender, receiver) = mpsc::channel::<Result<Bytes, ApiError>>(1);
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let mut lines = Vec::new();
        // Gives up on a client that reads nothing for too long.
        let send = |part| match runtime.block_on(tokio::time::timeout(pause, sender.send(part))) {
            Ok(Ok(())) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let mut visit = |stored: Stored| {
            let id = ids.as_ref().map(|names| names.outside(&stored.id));
            if let Some(id) = id {
                lines.extend_from_slice(format!("{{\"id\":\"{id}\",\"record\":").as_bytes());
            }
            lines.extend(ndjson::one_line(stored.record));
            lines.extend_from_slice(if id.is_some() { b"}\n" } else { b"\n" });
            match lines.len() < EXPORT_PART {
                true => ControlFlow::Continue(()),
                false => send(Ok(Bytes::from(std::mem::take(&mut lines)))),
            }
        };
        let ended = store.each(&filter, &mut visit);
        if !lines.is_empty() && send(Ok(Bytes::from(lines))).is_break() {
            return;
        }
        if let Err(error) = ended {
            tracing::warn!(%error, "export aborted");
            // End the body with an error, so that a partial response is not taken for a complete
            // one.
            let _ = send(Err(ApiError::from(error)));
        }
    });
    let lines = stream::unfold(receiver, |mut receiver| async move {
        let line = receiver.recv().await?;
        Some((line, receiver))
    });
    let mut answer = HttpResponse::Ok();
    answer.content_type(body::NDJSON).insert_header((header::VARY, "accept"));
    if let Some(next) = next {
        answer.insert_header((header::LINK, next));
    }
    Ok(answer.streaming(lines))
}

/// Deletes a stored record.
///
/// The same record may be stored again later, under the same id.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/records/{id}", tag = "records", operation_id = "delete_record",
    params(("id" = umpire_referee::schemas::RecordName, Path, description = "The id of a record.")),
    responses((status = 204, description = "The record was deleted."))
))]
pub async fn delete_record(
    _: MayWrite,
    at: StoredAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    match service.store.delete(&at.id).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(at.missing()),
    }
}
