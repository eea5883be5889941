//! Jobs that consist of independent pieces: each is stored as soon as it is done, and at the end they are summed up.
//!
//! This module must not know what the pieces are.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream;
use futures_util::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use umpire_engine::budget::Budget;

use super::runner::{JobContext, JobWork};
use crate::http::error::ApiError;
use crate::store::jobs::{JobEnd, JobUpdate, StoredJob};

/// Work that can be cut into pieces.
pub trait Pieces: Send + Sync {
    /// The number of pieces.
    fn pieces(&self) -> u32;

    /// Does one of them, counted from 0. The same piece always gives the same text.
    ///
    /// # Errors
    /// The budget is spent.
    fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, ApiError>;

    /// Sums up all pieces, given in order.
    ///
    /// # Errors
    /// The budget is spent, or the pieces are not those of this work.
    fn sum(&self, pieces: &[(u32, String)], budget: Budget<'_>) -> Result<String, ApiError>;
}

impl<T: Pieces + 'static> JobWork for T {
    fn run(self: Arc<Self>, job: JobContext) -> BoxFuture<'static, Result<(), ApiError>> {
        Box::pin(async move {
            let stored = job.block(|job, _| job.numbers()).await?;
            let missing = (0..self.pieces()).filter(|number| stored.binary_search(number).is_err());
            let each = missing.map(|number| {
                let work = self.clone();
                job.piece(move |job, budget| {
                    let parts = vec![(number, work.piece(number, budget)?)];
                    job.save(JobUpdate { parts, ..JobUpdate::default() })
                })
            });
            let each: Vec<_> = each.collect();
            stream::iter(each).buffer_unordered(job.at_once).try_collect::<Vec<()>>().await?;
            let sum = move |job: &JobContext, budget: Budget<'_>| {
                let sum = self.sum(&job.parts()?, budget)?;
                job.save(JobUpdate { end: Some(JobEnd::Done(Some(sum))), ..JobUpdate::default() })
            };
            job.block(sum).await
        })
    }
}

/// The request of such a job, as the board stores it.
#[derive(Serialize, Deserialize)]
pub struct PiecesRequest<Task, Sent> {
    /// What is shown of it.
    pub task: Task,
    /// What another server needs to do the work.
    pub sent: Sent,
}

impl<'a, Task: Deserialize<'a>, Sent: Deserialize<'a>> PiecesRequest<Task, Sent> {
    /// Reads what the board has stored.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(job: &'a StoredJob) -> Result<Self, ApiError> {
        serde_json::from_str(&job.request)
            .map_err(|error| ApiError::internal(format!("a stored job cannot be read: {error}")))
    }
}
