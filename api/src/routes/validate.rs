//! The verdict on a record, or on many as NDJSON.
//!
//! This module must not store anything, and must not keep a stream of records in memory.

use actix_web::HttpResponse;
use actix_web::web::{Data, Payload};
use serde::Serialize;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::{Status, Verdict};
use umpire_referee::parameters::JudgeParameters;
use umpire_referee::questions::validate::judge;

use crate::http::body;
use crate::http::error::ApiError;
use crate::http::ndjson::{self, Line, Tally};
use crate::http::peer::Peer;
use crate::http::query::Query;
use crate::limits::cpu;
use crate::limits::cpu::Claim;
use crate::routes::access::Caller;
use crate::routes::sent::Records;
use crate::service::Service;
use umpire_referee::call::guarded;
use umpire_referee::{json, reading};

/// The number of records in a stream by status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidationCounts {
    /// All records.
    pub records: u64,
    /// Records whose game is over, with only legal actions.
    pub complete: u64,
    /// Records whose game is not over, with only legal actions.
    pub in_progress: u64,
    /// Records with an illegal action.
    pub illegal: u64,
    /// Records whose tape does not match.
    pub bad_chance: u64,
    /// Records with unknowns that are possible.
    pub possible: u64,
    /// Records with unknowns that have no legal completion.
    pub impossible: u64,
    /// Records with unknowns for which it was not decided whether they are possible.
    pub undecided: u64,
    /// Records that could not be read.
    pub unreadable: u64,
    /// Legal records whose claims or checkpoints do not hold.
    pub contradicted: u64,
}

/// The status of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stands {
    /// The status by the rules.
    pub status: Status,
    /// Whether its claims hold.
    pub holds: bool,
}

impl Stands {
    /// The status according to a verdict.
    pub fn of(verdict: &Verdict) -> Self {
        let holds = verdict.claims.iter().all(|claim| claim.holds);
        Stands { status: verdict.status, holds }
    }
}

impl ValidationCounts {
    /// Counts one record.
    pub fn count(&mut self, stands: Option<Stands>) {
        self.records += 1;
        let status = stands.map(|it| it.status);
        let legal = matches!(status, Some(Status::Complete | Status::InProgress));
        self.contradicted += u64::from(legal && stands.is_some_and(|it| !it.holds));
        match status {
            Some(Status::Complete) => self.complete += 1,
            Some(Status::InProgress) => self.in_progress += 1,
            Some(Status::Illegal) => self.illegal += 1,
            Some(Status::BadChance) => self.bad_chance += 1,
            Some(Status::Possible) => self.possible += 1,
            Some(Status::Impossible) => self.impossible += 1,
            Some(Status::Undecided) => self.undecided += 1,
            None => self.unreadable += 1,
        }
    }
}

impl Tally for ValidationCounts {
    fn add(&mut self, other: Self) {
        self.records += other.records;
        self.complete += other.complete;
        self.in_progress += other.in_progress;
        self.illegal += other.illegal;
        self.bad_chance += other.bad_chance;
        self.possible += other.possible;
        self.impossible += other.impossible;
        self.undecided += other.undecided;
        self.unreadable += other.unreadable;
        self.contradicted += other.contradicted;
    }
}

/// The last line of a stream of verdicts.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidationSummary {
    /// The number of records by status.
    pub summary: ValidationCounts,
}

/// A line that was validated.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// Its game.
    pub game: &'static str,
    /// Its status.
    pub stands: Stands,
}

/// Validates one line and writes the line of its response.
pub fn judge_line(
    line: Line,
    limits: umpire_engine::replay::Limits<'_>,
    how: JudgeParameters,
    to: &mut Vec<u8>,
) -> Option<Judged> {
    match line.text.and_then(|text| guarded(|| judge(&text, limits, how))) {
        Ok((judgement, _)) => {
            json::line(to, &judgement);
            Some(Judged { game: judgement.game, stands: Stands::of(&judgement.verdict) })
        }
        Err(problem) => {
            json::line(to, &problem.in_line(line.number));
            None
        }
    }
}

/// Validates one record or many.
///
/// A single record sent as `application/json` gets a single verdict. Records sent as
/// `application/x-ndjson`, one per line, get one line each, in order, while the rest is still being
/// sent: a verdict, or a problem with the line number if the record cannot be read. The last line
/// contains the totals; if the body ends early, it is a problem instead. An illegal record is a
/// result, not an error.
///
/// In a record from a table, anything that was not written down may be `"?"` or `{"one_of": […]}`:
/// a card or a die of the tape, a field of an action, a card in a position's hand. A position may
/// be what one player saw; `chance.tape` may be `{"partial": true, "entries": […]}`, and `omitted`
/// names what players leave unsaid. The verdict is then `complete` or `in_progress` if the record
/// is legal regardless of the unknown values, `possible` with a `witness` that replays,
/// `impossible` with a `proof`, or `undecided`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/validate", tag = "referee", operation_id = "create_validation",
    params(JudgeParameters),
    request_body(content((umpire_referee::schemas::SentRecord = "application/json"), (umpire_referee::schemas::RecordLines = "application/x-ndjson")),
        description = "The record of a game, or many as NDJSON."),
    responses((status = 200, description = "The verdict, or one per line.", content((umpire_referee::schemas::Judgement = "application/json"), (umpire_referee::schemas::ValidationLines = "application/x-ndjson"))))
))]
pub async fn create_validation(
    Caller(peer): Caller,
    parameters: Query<JudgeParameters>,
    service: Data<Service>,
    sent: Records,
) -> Result<HttpResponse, ApiError> {
    let Query(how) = parameters;
    let text = match sent {
        Records::One(text) => text,
        Records::Lines(payload) => return Ok(stream(payload, service, peer, how)),
    };
    let limits = service.limits;
    let inline = reading::is_small(&text, limits.inline_bytes);
    let job = move |budget: Budget<'_>| {
        let (judgement, voice) = judge(&text, limits.engine(budget), how)?;
        Ok((json::text(&judgement), judgement.game, judgement.verdict.status, voice))
    };
    // A small record costs less than handing it to another thread.
    let (answer, game, status, voice) = match inline {
        true => cpu::now(|| job(Budget::UNLIMITED))?,
        false => service.cpu.run(Claim::heavy(peer), job).await?,
    };
    service.metrics.judged(game, status.name());
    let response = HttpResponse::Ok().content_type(body::JSON).body(answer);
    Ok(match voice {
        Some(voice) => body::spoken(response, &voice),
        None => response,
    })
}

fn stream(
    payload: Payload,
    service: Data<Service>,
    peer: Peer,
    how: JudgeParameters,
) -> HttpResponse {
    let limits = service.limits;
    let pace = service.pace();
    let work = move |lines: Vec<Line>| {
        let service = service.clone();
        async move {
            let small = reading::are_small(ndjson::texts(&lines), limits.inline_bytes);
            let mut text = Vec::new();
            let mut counts = ValidationCounts::default();
            for line in lines {
                let number = line.number;
                let job = move |budget: Budget<'_>| {
                    let mut text = Vec::new();
                    let judged = judge_line(line, limits.engine(budget), how, &mut text);
                    Ok((text, judged))
                };
                let done = match small {
                    true => cpu::now(|| job(Budget::UNLIMITED)),
                    false => service.cpu.line(Claim::heavy(peer), job).await,
                };
                let judged = match done {
                    Ok((line, judged)) => {
                        text.extend(line);
                        judged
                    }
                    Err(error) => {
                        json::line(&mut text, &error.problem().in_line(number));
                        None
                    }
                };
                counts.count(judged.map(|judged| judged.stands));
                if let Some(Judged { game, stands }) = judged {
                    service.metrics.judged(game, stands.status.name());
                }
            }
            Ok((text, counts))
        }
    };
    HttpResponse::Ok().content_type(body::NDJSON).streaming(ndjson::answer(payload, pace, work))
}
