//! Jobs that several servers share, as the store keeps them.
//!
//! A job is held by one server at a time, under a lease that has a number and an end. Whoever takes it over when the
//! lease is past gets the next number, and from then on nothing that is written under an older one counts. Time is
//! that of the database. This module must not work on a job, must not read what is asked, and must not say SQL.

use std::time::Duration;

use super::failure::StoreError;

/// How long a lease lasts where nothing else is said.
pub const LEASE: Duration = Duration::from_secs(30);

/// What kind of work a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// What another reading changes in the stored records.
    Impact,
    /// The analysis of a record.
    Analysis,
    /// A series of games.
    Series,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Some server works on it, or will.
    Running,
    /// It has come to its end.
    Done,
    /// Somebody cancelled it.
    Cancelled,
    /// It could not go on.
    Failed,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Its name.
    pub id: Vec<u8>,
    /// What kind of work it is.
    pub kind: JobKind,
    /// Of the engine. Work of one version is not gone on with by another.
    pub version: String,
    /// All that a server needs to do it, as JSON.
    pub request: String,
    /// Who pays for it at whichever server; kept while it runs.
    pub payer: Option<String>,
    /// Whether this server works on it itself; else it waits for one that takes it.
    pub hold: bool,
    /// How many may run at once on all servers; analyses and series count together.
    pub most_running: u32,
    /// How many are kept, counted likewise; those that have ended go first that were not asked for in the longest time.
    pub most_kept: u32,
}

/// What gives the right to write to a job, until somebody else has taken it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hold {
    /// The job.
    pub id: Vec<u8>,
    /// The number of the lease.
    pub lease: i64,
}

/// What became of a job that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Put {
    /// It is begun, or gone on with, and this server holds it.
    Held(Hold),
    /// It waits for a server that takes it.
    Waits,
    /// It runs already, or is done.
    There,
    /// Too many run.
    Full,
}

/// A job as anybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredJob {
    /// What kind of work it is.
    pub kind: JobKind,
    /// How it stands.
    pub state: JobState,
    /// Of the engine that began it.
    pub version: String,
    /// What was asked.
    pub request: String,
    /// How far it has come.
    pub progress: Option<String>,
    /// How many parts are kept.
    pub parts: u32,
    /// What it came to.
    pub result: Option<String>,
    /// Why it failed.
    pub problem: Option<String>,
}

/// A job that nobody held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// What gives the right to write.
    pub hold: Hold,
    /// What is kept of it.
    pub job: StoredJob,
    /// How often it was taken since something was kept of it, this time included.
    pub attempts: u32,
    /// Who pays for it, if somebody does.
    pub payer: Option<String>,
}

/// What is found out about a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// How far it has come, if that is said.
    pub progress: Option<String>,
    /// Parts, by their numbers. One that is there stays as it is.
    pub parts: Vec<(u32, String)>,
    /// Whether it has ended.
    pub end: Option<JobEnd>,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobEnd {
    /// All is done; what it came to.
    Done(Option<String>),
    /// It could not go on; why.
    Failed(String),
}

/// Where servers share jobs. Everything blocks for as long as the database needs.
///
/// Each method fails as reading from the store does.
#[allow(clippy::missing_errors_doc, reason = "said once")]
pub trait JobBoard: Send + Sync {
    /// How long a server is waited for that says nothing.
    fn lease(&self) -> Duration;

    /// Keeps a job. One of that name which was cancelled or failed is gone on with.
    fn put(&self, job: NewJob) -> Result<Put, StoreError>;

    /// Finds a job.
    fn find(&self, id: &[u8]) -> Result<Option<StoredJob>, StoreError>;

    /// The parts of a job from a number on, at most so many, in order.
    fn parts(&self, id: &[u8], from: u32, most: u32) -> Result<Vec<(u32, String)>, StoreError>;

    /// The numbers of the parts that a job has, in order.
    fn numbers(&self, id: &[u8]) -> Result<Vec<u32>, StoreError>;

    /// Keeps what is found out, wholly, and says whether it did: not if the job was cancelled, has ended, or is held by
    /// somebody else.
    fn save(&self, hold: &Hold, found: Found) -> Result<bool, StoreError>;

    /// Says that this server still works on these, and gives those of them that it still holds.
    fn beat(&self, holds: &[Hold]) -> Result<Vec<Hold>, StoreError>;

    /// Takes a job that nobody holds, if there is one. One of another version only when nobody of its own has taken it
    /// for the time of another lease.
    fn take(&self, version: &str) -> Result<Option<Taken>, StoreError>;

    /// Lets go of jobs, so that others take them at once. That counts for no attempt.
    fn give_back(&self, holds: &[Hold]) -> Result<(), StoreError>;

    /// Cancels a job, whoever works on it; says whether it ran.
    fn cancel(&self, id: &[u8]) -> Result<bool, StoreError>;

    /// Forgets a job that does not run; says whether there was one.
    fn forget(&self, id: &[u8]) -> Result<bool, StoreError>;
}
