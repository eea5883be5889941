//! A record in, its verdict out; or many, a line each.
//!
//! This module must not store anything, and must not hold a stream of records in memory.

use actix_web::HttpResponse;
use actix_web::web::{Data, Payload};
use serde::Serialize;
use umpire_engine::budget::Budget;
use umpire_engine::games;
use umpire_engine::replay::answer::{Judgement, Status, Verdict};

use super::parameters::{JudgeParameters, engine_limits};
use crate::access::Caller;
use crate::cpu::Claim;
use crate::error::ApiError;
use crate::language::{Language, Voice};
use crate::ndjson::{self, Line, Tally};
use crate::peer::Peer;
use crate::query::Query;
use crate::sent::Records;
use crate::service::Service;
use crate::{body, cpu, json, referee};

/// How many records of a stream stand how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidationCounts {
    /// All records.
    pub records: u64,
    /// Those whose game is over, every action being legal.
    pub complete: u64,
    /// Those whose actions are legal, more being to come.
    pub in_progress: u64,
    /// Those with an illegal action.
    pub illegal: u64,
    /// Those whose tape does not fit.
    pub bad_chance: u64,
    /// Those with unknowns that are possible.
    pub possible: u64,
    /// Those with unknowns of which nothing fits.
    pub impossible: u64,
    /// Those with unknowns of which it was not found out whether they are possible.
    pub undecided: u64,
    /// Those that could not be read.
    pub unreadable: u64,
    /// Of the legal ones, those that are not as they claim of themselves or state in their
    /// checkpoints.
    pub contradicted: u64,
}

/// How a record stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stands {
    /// By the rules.
    pub status: Status,
    /// Whether it is as it claims of itself.
    pub holds: bool,
}

impl Stands {
    /// How a verdict says that it stands.
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
    /// How many records stand how.
    pub summary: ValidationCounts,
}

/// A line that could be judged.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// Its game.
    pub game: &'static str,
    /// How it stands.
    pub stands: Stands,
}

/// Judges a record, in a language; gives the voice that says it, too.
///
/// # Errors
/// Why it cannot be judged.
pub fn judge(
    text: &[u8],
    limits: umpire_engine::replay::Limits<'_>,
    JudgeParameters { lang, unknown_fields }: JudgeParameters,
) -> Result<(Judgement, Option<Voice>), ApiError> {
    let mut judgement = referee::judge_fields(text, unknown_fields, limits)?;
    let voice = translate(lang, &mut judgement);
    Ok((judgement, voice))
}

/// Judges one line and writes the line of its answer.
pub fn judge_line(
    line: Line,
    limits: umpire_engine::replay::Limits<'_>,
    how: JudgeParameters,
    to: &mut Vec<u8>,
) -> Option<Judged> {
    let judged = line.text.and_then(|text| cpu::here(|| judge(&text, limits, how)));
    match judged {
        Ok((judgement, _)) => {
            json::line(to, &judgement);
            Some(Judged { game: judgement.game, stands: Stands::of(&judgement.verdict) })
        }
        Err(error) => {
            json::line(to, &ndjson::problem(&error, line.number));
            None
        }
    }
}

/// Judges a record, or many.
///
/// One record as `application/json` gives one verdict. Records as `application/x-ndjson`, one a
/// line, give one line each, in order, while the rest is still being sent: a verdict, or a
/// problem with the number of the line where it cannot be read. The last line adds them up; where the
/// body breaks off, the last line is a problem instead. An illegal record is a result, not an
/// error.
///
/// In a record from a table anything that nobody wrote down may be `"?"` or `{"one_of": […]}`: a card or a die of the tape, a
/// field of an action, a card in a position's hand; a position may be what one player saw; `chance.tape` may be
/// `{"partial": true, "entries": […]}`, and `omitted` names what goes without saying. The verdict is then `complete` or
/// `in_progress` where the record is legal whatever it was, `possible` with a `witness` that replays, `impossible` with a
/// `proof`, or `undecided`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/validate", tag = "referee", operation_id = "create_validation",
    params(JudgeParameters),
    request_body(content((crate::schemas::SentRecord = "application/json"), (crate::schemas::RecordLines = "application/x-ndjson")),
        description = "The record of a game, or many, one a line."),
    responses((status = 200, description = "The verdict, or one a line.", content((crate::schemas::Judgement = "application/json"), (crate::schemas::ValidationLines = "application/x-ndjson"))))
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
    let inline = referee::is_small(&text, limits.inline_bytes);
    let job = move |budget: Budget<'_>| {
        let (judgement, voice) = judge(&text, engine_limits(&limits, budget), how)?;
        Ok((json::text(&judgement), judgement.game, judgement.verdict.status, voice))
    };
    // A small record costs less than passing it to another thread and back.
    let (answer, game, status, voice) = match inline {
        true => cpu::now(|| job(Budget::UNLIMITED))?,
        false => service.cpu.run(Claim::heavy(peer), job).await?,
    };
    service.metrics.judged(game, status.name());
    let mut response = HttpResponse::Ok();
    if let Some(voice) = voice {
        response.insert_header(voice.header());
    }
    Ok(response.content_type(body::JSON).body(answer))
}

/// Says what is wrong in a language; gives the voice that says it.
fn translate(lang: Language, judgement: &mut Judgement) -> Option<Voice> {
    let voice = lang.of(games::find(judgement.game)?);
    voice.verdict(&mut judgement.verdict);
    voice.warnings(&mut judgement.warnings);
    Some(voice)
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
            let metrics = service.metrics.clone();
            let small = referee::are_small(ndjson::texts(&lines), limits.inline_bytes);
            let job = move |budget: Budget<'_>| {
                let limits = engine_limits(&limits, budget);
                let mut text = Vec::new();
                let mut counts = ValidationCounts::default();
                for line in lines {
                    let judged = judge_line(line, limits, how, &mut text);
                    counts.count(judged.map(|judged| judged.stands));
                    if let Some(Judged { game, stands }) = judged {
                        metrics.judged(game, stands.status.name());
                    }
                }
                Ok((text, counts))
            };
            match small {
                true => cpu::now(|| job(Budget::UNLIMITED)),
                false => service.cpu.stream(Claim::heavy(peer), job).await,
            }
        }
    };
    HttpResponse::Ok().content_type(body::NDJSON).streaming(ndjson::answer(payload, pace, work))
}
