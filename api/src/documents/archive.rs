//! Preparing a record for storage: its canonical text, its id, its verdict, and its list entry.
//!
//! This module must not store anything itself.

use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{Judgement, Status};
use umpire_referee::json;
use umpire_referee::reading::{self, Submission, UnknownFields};
use umpire_referee::record_id::{canonical, check_numbers};

use crate::http::error::{ApiError, Code, Problem};
use crate::store::{self, NewRecord, Summary};

/// A validated record that is ready to be stored.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The record for the store.
    pub record: NewRecord,
    /// Its verdict.
    pub judgement: Judgement,
}

/// Validates a record and brings it into its stored form, unless `refuse` rejects it. Ends without
/// a result once the flag `stop` is raised.
pub fn prepare<E: From<Fault>>(
    text: &[u8],
    limits: Limits<'_>,
    refuse: impl FnOnce(&Judgement) -> Result<(), E>,
) -> Result<Prepared, E> {
    prepare_fields(text, UnknownFields::Refuse, limits, refuse)
}

/// As [`prepare`], with a choice about unknown fields.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_fields<E: From<Fault>>(
    text: &[u8],
    unknown: UnknownFields,
    limits: Limits<'_>,
    refuse: impl FnOnce(&Judgement) -> Result<(), E>,
) -> Result<Prepared, E> {
    if reading::partial(text)?.is_some() {
        let detail = "this record contains unknowns and cannot be stored; store a complete record instead, \
                      such as the one in the verdict's witness";
        return Err(Fault::new(FaultCode::BadRecord, "", detail).into());
    }
    reading::with_fields(text, unknown, |submission| {
        let Submission { text, record, game } = submission;
        let judgement = game.judge(record, limits)?;
        // First, so that an invalid record gives the same error everywhere.
        refuse(&judgement)?;
        let meta = record.meta.as_ref().map(|meta| meta.text);
        meta.map_or(Ok(()), check_numbers)?;
        let (id, kept) = canonical(text, &judgement.ruleset, meta)?;
        let outcome = judgement.verdict.outcome.as_ref();
        let summary = Summary {
            game: judgement.game.to_owned(),
            ruleset: judgement.ruleset.clone(),
            status: judgement.verdict.status.into(),
            plies: judgement.verdict.plies,
            winner: outcome.and_then(|outcome| outcome.winner).map(str::to_owned),
            reason: outcome.map(|outcome| outcome.reason.to_owned()),
            players: record.players.clone().into_iter().flatten().collect(),
            meta: record.meta.iter().flat_map(|meta| meta.entries.clone()).collect(),
            verdict: json::string(&judgement),
        };
        Ok(Prepared { record: NewRecord { id, record: kept, summary }, judgement })
    })
}

/// Which records may be stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum Accept {
    /// Only legal records; illegal ones are refused.
    Legal,
    /// Any record; an illegal one is stored together with its verdict, for a dispute.
    Any,
}

/// Validates a submitted record, and refuses an illegal one if it must be legal.
///
/// Ends without a result once the flag `stop` is raised.
pub fn admit(text: &[u8], limits: Limits<'_>, accept: Accept) -> Result<Prepared, ApiError> {
    admit_fields(text, UnknownFields::Refuse, limits, accept)
}

/// As [`admit`], with a choice about unknown fields.
///
/// # Errors
/// As [`admit`].
pub fn admit_fields(
    text: &[u8],
    unknown: UnknownFields,
    limits: Limits<'_>,
    accept: Accept,
) -> Result<Prepared, ApiError> {
    prepare_fields(text, unknown, limits, |judgement| {
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
            .map_err(|error| ApiError::internal(error.to_string()))?;
        let detail = format!("{message}; to store the record anyway, send accept=any");
        let mut problem = Problem::new(Code::RecordIllegal, detail);
        problem.pointer = Some(pointer.into());
        problem.verdict = Some(verdict);
        Err(problem.into())
    })
}

impl From<Status> for store::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Complete => Self::Complete,
            Status::InProgress => Self::InProgress,
            Status::Illegal => Self::Illegal,
            Status::BadChance => Self::BadChance,
            // Records with unknowns are not stored.
            Status::Impossible => Self::Illegal,
            Status::Possible | Status::Undecided => Self::InProgress,
        }
    }
}

impl From<store::Status> for Status {
    fn from(status: store::Status) -> Self {
        match status {
            store::Status::Complete => Self::Complete,
            store::Status::InProgress => Self::InProgress,
            store::Status::Illegal => Self::Illegal,
            store::Status::BadChance => Self::BadChance,
        }
    }
}
