//! Impacts: what another reading, or this version of the rules, changes in all stored records.
//!
//! The records are read a page at a time, the latest first. The counts of a page, its changes and the place where the
//! next one starts are saved together, so they always agree, and another server can continue there. This module must not
//! know HTTP, and must not change a record.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::replay::Limits;

use super::runner::{JobContext, JobWork};
use crate::auth::names::Names;
use crate::http::error::ApiError;
use crate::jobs::change::{self, Found, ImpactChange, ImpactCounts, ImpactFilter};
use crate::store::jobs::{JobEnd, JobState, JobUpdate, StoredJob};
use crate::store::{Cursor, Filter, Listed, Page, RecordId, Store, StoreError};
use umpire_referee::call::guarded;
use umpire_referee::json;

/// How many changes a job stores: a page that reaches this number is its last.
pub const MOST_CHANGES: u32 = 5_000;

/// How many records are saved together.
const PAGE: u32 = 64;

/// How many records make a piece of work.
const PIECE: usize = 8;

/// What an impact is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ImpactTask {
    /// The reading; without one, stored verdicts are compared with this version of the rules.
    pub reading: Option<ReadingChoice>,
    /// Which records.
    pub filter: ImpactFilter,
    /// Where to start, if not with the latest record.
    pub after: Option<Cursor>,
}

/// How much of the work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImpactProgress {
    /// The number of records examined.
    pub looked: u64,
    /// The number of records that matched when the job started; `null` until they are counted.
    pub of: Option<u64>,
}

/// A job.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Impact {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::ImpactName))]
    pub id: String,
    /// The version of the engine.
    pub engine: String,
    /// The state of the job.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::store::jobs::ImpactState))]
    pub state: JobState,
    /// The reading; `null` if stored verdicts are compared with this version of the rules.
    pub reading: Option<ReadingChoice>,
    /// Which records it examines.
    pub filter: ImpactFilter,
    /// How much of the work is done.
    pub progress: ImpactProgress,
    /// The number of records so far by kind of change.
    pub counts: ImpactCounts,
    /// The `after` of a job that continues after the records that this one has examined; `null` if there are no others.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9a-f]{16}$"))]
    pub next: Option<Cursor>,
    /// Whether it ended because it holds the maximum number of changes; `next` continues.
    pub truncated: bool,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::http::error::Problem, required = false))]
    pub problem: Option<Box<RawValue>>,
}

impl Impact {
    /// The job as callers see it.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub fn from_stored(id: String, job: StoredJob) -> Result<Self, ApiError> {
        let ImpactTask { reading, filter, after } = read(&job.request)?;
        let reached = ImpactCheckpoint::from_stored(&job, after)?;
        let ImpactCheckpoint { progress, counts, next, truncated } = reached;
        let problem = job.problem.and_then(|text| RawValue::from_string(text).ok());
        let (engine, state) = (job.version, job.state);
        Ok(Impact {
            id,
            engine,
            state,
            reading,
            filter,
            progress,
            counts,
            next,
            truncated,
            problem,
        })
    }
}

/// A changed record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangedRecord {
    /// The record's id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::RecordName))]
    pub id: String,
    /// What changes in it.
    #[serde(flatten)]
    pub change: ImpactChange,
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ApiError> {
    serde_json::from_str(text)
        .map_err(|error| ApiError::internal(format!("a stored impact cannot be read: {error}")))
}

/// How far an impact has come, as the board stores it beside the changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ImpactCheckpoint {
    progress: ImpactProgress,
    counts: ImpactCounts,
    next: Option<Cursor>,
    truncated: bool,
}

impl ImpactCheckpoint {
    fn from_stored(job: &StoredJob, after: Option<Cursor>) -> Result<Self, ApiError> {
        match &job.progress {
            Some(text) => read(text),
            None => Ok(ImpactCheckpoint { next: after, ..ImpactCheckpoint::default() }),
        }
    }

    /// Adds a page, behind so many changes; returns what is to be saved.
    fn advance(&mut self, page: ExaminedRecords, next: Option<Cursor>, before: u32) -> JobUpdate {
        self.progress.looked += page.counts.records;
        self.counts.add(page.counts);
        self.next = next;
        let parts: Vec<_> = (before..).zip(page.changes.iter().map(json::string)).collect();
        self.truncated = next.is_some() && before as usize + parts.len() >= MOST_CHANGES as usize;
        let done = next.is_none() || self.truncated;
        let end = done.then_some(JobEnd::Done(None));
        JobUpdate { progress: Some(json::string(self)), parts, end }
    }
}

/// What is found in some records.
#[derive(Default)]
struct ExaminedRecords {
    counts: ImpactCounts,
    changes: Vec<ChangedRecord>,
}

/// What an impact reads.
#[derive(Clone)]
pub struct ImpactSources {
    /// The records.
    pub store: Arc<dyn Store>,
    /// The ids under which callers know them.
    pub names: Arc<Names>,
    /// The most actions of a record.
    pub max_actions: usize,
}

/// The work on an impact.
pub struct ImpactWork {
    reading: Option<ReadingChoice>,
    filter: Filter,
    checkpoint: ImpactCheckpoint,
    /// How many changes are stored already.
    stored: u32,
    sources: ImpactSources,
}

impl ImpactWork {
    /// The work on a new impact; whoever does it looks at the records that exist now. Also returns the request to be
    /// stored. Blocks.
    ///
    /// # Errors
    /// The filter is refused, or the store cannot be read.
    pub fn from_task(task: ImpactTask, sources: ImpactSources) -> Result<(Self, String), ApiError> {
        let after = match task.after {
            Some(after) => after,
            None => sources.store.front()?,
        };
        let task = ImpactTask { after: Some(after), ..task };
        let request = json::string(&task);
        let ImpactTask { reading, filter, after } = task;
        let checkpoint = ImpactCheckpoint { next: after, ..ImpactCheckpoint::default() };
        let filter = filter.filter("/filter")?;
        Ok((ImpactWork { reading, filter, checkpoint, stored: 0, sources }, request))
    }

    /// The work that is left of a stored impact.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub fn from_stored(job: &StoredJob, sources: ImpactSources) -> Result<Self, ApiError> {
        let ImpactTask { reading, filter, after } = read(&job.request)?;
        let checkpoint = ImpactCheckpoint::from_stored(job, after)?;
        let filter = filter.filter("/filter")?;
        Ok(ImpactWork { reading, filter, checkpoint, stored: job.parts, sources })
    }

    async fn run_pages(self: Arc<Self>, job: JobContext) -> Result<(), ApiError> {
        let (mut reached, mut stored) = (self.checkpoint.clone(), self.stored);
        let filter = Filter { limit: Some(PAGE), cursor: reached.next, ..self.filter.clone() };
        if reached.progress.of.is_none() {
            let (work, filter) = (self.clone(), filter.clone());
            let count = job.block(move |_, _| Ok(work.sources.store.count(&filter)?));
            reached.progress.of = Some(count.await?);
        }
        loop {
            let filter = Filter { cursor: reached.next, ..filter.clone() };
            let work = self.clone();
            let Page { items, next } =
                job.block(move |_, _| Ok(work.sources.store.list(&filter)?)).await?;
            let pieces = items.chunks(PIECE).map(|piece| {
                let (work, piece) = (self.clone(), piece.to_vec());
                job.piece(move |_, budget| work.examine(piece, budget))
            });
            let pieces: Vec<_> = pieces.collect();
            let mut pieces = stream::iter(pieces).buffered(job.at_once);
            let mut page = ExaminedRecords::default();
            while let Some(piece) = pieces.next().await {
                let piece = piece?;
                page.counts.add(piece.counts);
                page.changes.extend(piece.changes);
            }
            let update = reached.advance(page, next, stored);
            stored += update.parts.len() as u32;
            let ends = update.end.is_some();
            job.block(move |job, _| job.save(update)).await?;
            if ends {
                return Ok(());
            }
        }
    }

    /// Examines a few records.
    fn examine(&self, piece: Vec<Listed>, budget: Budget<'_>) -> Result<ExaminedRecords, ApiError> {
        let ImpactSources { store, names, max_actions } = &self.sources;
        let limits = Limits { actions: *max_actions, budget, ..Limits::default() };
        let mut examined = ExaminedRecords::default();
        let mut add = |id: &RecordId, change| {
            examined.changes.push(ChangedRecord { id: names.outside(id).to_string(), change });
        };
        for Listed { id, summary, .. } in piece {
            let stored = match store.find(&id) {
                Ok(Some(stored)) => stored,
                // It was deleted meanwhile.
                Ok(None) => continue,
                // A damaged page costs its own records only.
                Err(error @ StoreError::Corrupt(_)) => {
                    examined.counts.count(None);
                    add(&id, change::unreadable(&summary, &error.into()));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let (text, summary) = (stored.record.as_bytes(), &stored.summary);
            let found = guarded(|| change::of(text, Some(summary), self.reading.as_ref(), limits));
            examined.counts.count(found.as_ref().ok());
            match found {
                Ok(Found::Changed(change)) => add(&id, *change),
                Err(error) => add(&id, change::unreadable(summary, &error)),
                Ok(Found::NotConcerned | Found::Unchanged(_)) => {}
            }
        }
        Ok(examined)
    }
}

impl JobWork for ImpactWork {
    fn run(self: Arc<Self>, job: JobContext) -> BoxFuture<'static, Result<(), ApiError>> {
        Box::pin(self.run_pages(job))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::change::{ImpactKind, ImpactStand};

    fn page(changed: u32) -> ExaminedRecords {
        let stand = ImpactStand {
            status: umpire_engine::replay::answer::Status::Complete,
            plies: 0,
            winner: None,
            reason: None,
            rule: None,
            fingerprint: None,
        };
        let change = ImpactChange {
            game: "any".to_owned(),
            changes: vec![ImpactKind::State],
            class: None,
            ply: None,
            how: None,
            rules: Vec::new(),
            before: stand,
            after: None,
            hypothetical_from: None,
            words: Vec::new(),
        };
        let counts = ImpactCounts { records: changed.into(), ..ImpactCounts::default() };
        let change = ChangedRecord { id: String::new(), change };
        ExaminedRecords { counts, changes: vec![change; changed as usize] }
    }

    fn cursor() -> Option<Cursor> {
        "000000000000002a".parse().ok()
    }

    #[test]
    fn a_job_with_many_changes_ends_and_says_where_to_continue() {
        let mut reached = ImpactCheckpoint::default();
        let update = reached.advance(page(MOST_CHANGES - 1), cursor(), 0);
        assert_eq!((update.end, reached.truncated), (None, false));
        let update = reached.advance(page(2), cursor(), MOST_CHANGES - 1);
        assert_eq!((update.end, reached.truncated), (Some(JobEnd::Done(None)), true));
        let numbers: Vec<u32> = update.parts.into_iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, [MOST_CHANGES - 1, MOST_CHANGES]);
        assert_eq!(reached.counts.records, u64::from(MOST_CHANGES) + 1);
        // The next server reads the same.
        let stored: ImpactCheckpoint = read(&update.progress.unwrap()).unwrap();
        assert_eq!((stored.next, stored.counts), (cursor(), reached.counts));
    }

    #[test]
    fn a_job_at_the_end_of_the_store_is_done() {
        let mut reached = ImpactCheckpoint::default();
        let update = reached.advance(page(MOST_CHANGES), None, 0);
        assert_eq!(update.end, Some(JobEnd::Done(None)));
        assert_eq!((reached.truncated, reached.next), (false, None));
    }
}
