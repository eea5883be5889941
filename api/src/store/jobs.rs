//! The board on which jobs are stored: one trait, with an implementation for SQLite and one for PostgreSQL.
//!
//! A job is leased to one server at a time. Leases are numbered: whoever takes over a job gets the next number, and from
//! then on nothing written under an older one counts. This module must not work on a job, must not read a request, and
//! must not contain SQL.

use std::time::Duration;

use serde::Serialize;

use super::failure::StoreError;

/// How long a lease lasts by default.
pub const LEASE: Duration = Duration::from_secs(30);

/// What kind of work a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// What another reading changes in the stored records.
    Impact,
    /// The analysis of a record.
    Analysis,
    /// A series of games between programs.
    Simulation,
}

impl JobKind {
    const ALL: [JobKind; 3] = [JobKind::Impact, JobKind::Analysis, JobKind::Simulation];

    /// The number that boards store.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// The kind with that number.
    ///
    /// # Errors
    /// There is none.
    pub fn from_number(number: i16) -> Result<Self, StoreError> {
        by_number(&Self::ALL, number, "kind")
    }

    /// Whether both count against the same limits.
    pub fn shares_limits_with(self, other: Self) -> bool {
        (self == JobKind::Impact) == (other == JobKind::Impact)
    }
}

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// A server works on it, or will.
    Running,
    /// It has completed.
    Done,
    /// It was cancelled, or its server stopped and no other took it over.
    Cancelled,
    /// It could not continue; its `problem` says why.
    Failed,
}

impl JobState {
    const ALL: [JobState; 4] =
        [JobState::Running, JobState::Done, JobState::Cancelled, JobState::Failed];

    /// The number that boards store.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// The state with that number.
    ///
    /// # Errors
    /// There is none.
    pub fn from_number(number: i16) -> Result<Self, StoreError> {
        by_number(&Self::ALL, number, "state")
    }
}

fn by_number<T: Copy>(all: &[T], number: i16, what: &str) -> Result<T, StoreError> {
    let found = usize::try_from(number).ok().and_then(|at| all.get(at)).copied();
    found.ok_or_else(|| StoreError::Corrupt(format!("a job has the unknown {what} {number}")))
}

/// A job to be put on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Its id.
    pub id: Vec<u8>,
    /// What kind of work it is.
    pub kind: JobKind,
    /// The version of the engine. Servers of another version do not resume the job.
    pub version: String,
    /// Everything that a server needs to do it, as JSON.
    pub request: String,
    /// Who is charged for it, at whichever server; stored while it runs.
    pub payer: Option<String>,
    /// Whether this server leases it at once; if not, it waits for a server that takes it.
    pub lease: bool,
    /// How many jobs that share its limits may run at once on all servers.
    pub most_running: u32,
    /// How many of those are stored; of the jobs that have ended, the least recently requested are removed first.
    pub most_kept: u32,
}

/// The right to write to a job, until somebody else takes it over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lease {
    /// The job.
    pub id: Vec<u8>,
    /// The number of the lease.
    pub number: i64,
}

/// What happened to a job that was put on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutOutcome {
    /// It is new or resumed, and leased to this server.
    Leased(Lease),
    /// It waits for a server that takes it.
    Queued,
    /// It is running or done already.
    Exists,
    /// Too many jobs are running.
    Full,
}

/// A job on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredJob {
    /// What kind of work it is.
    pub kind: JobKind,
    /// Its state.
    pub state: JobState,
    /// The version of the engine that started it.
    pub version: String,
    /// The request, as JSON.
    pub request: String,
    /// Its progress, as JSON, for kinds that store one.
    pub progress: Option<String>,
    /// How many parts are stored.
    pub parts: u32,
    /// Its result, as JSON.
    pub result: Option<String>,
    /// Why it failed, as JSON.
    pub problem: Option<String>,
}

/// A job that this server has taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobTakeover {
    /// The right to write to it.
    pub lease: Lease,
    /// What is stored of it.
    pub job: StoredJob,
    /// How many servers have taken it since something was last saved, including this one.
    pub attempts: u32,
    /// Who is charged for it, if anybody is.
    pub payer: Option<String>,
}

/// What is to be saved of a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobUpdate {
    /// Its progress, if that changes.
    pub progress: Option<String>,
    /// Parts with their numbers. A part that is stored already stays as it is.
    pub parts: Vec<(u32, String)>,
    /// Whether it ends with this.
    pub end: Option<JobEnd>,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobEnd {
    /// It is done; with its result.
    Done(Option<String>),
    /// It could not continue; with the problem.
    Failed(String),
}

/// The state after an update that ends the job or not, and the result and the problem to be stored.
pub(super) fn state_columns(end: Option<JobEnd>) -> (JobState, Option<String>, Option<String>) {
    match end {
        None => (JobState::Running, None, None),
        Some(JobEnd::Done(result)) => (JobState::Done, result, None),
        Some(JobEnd::Failed(problem)) => (JobState::Failed, None, Some(problem)),
    }
}

/// Where jobs are stored. Every method blocks for as long as the database needs.
///
/// Each method fails as reading from the store does.
#[allow(clippy::missing_errors_doc, reason = "stated once above")]
pub trait JobBoard: Send + Sync {
    /// How long a server may be silent before others take over its jobs; `None` if there are no other servers.
    fn lease(&self) -> Option<Duration>;

    /// Puts a job on the board. If a cancelled or failed job of that id exists, it is resumed.
    fn put(&self, job: NewJob) -> Result<PutOutcome, StoreError>;

    /// Finds a job.
    fn find(&self, id: &[u8]) -> Result<Option<StoredJob>, StoreError>;

    /// The parts of a job from a number on, at most so many, in order.
    fn parts(&self, id: &[u8], from: u32, most: u32) -> Result<Vec<(u32, String)>, StoreError>;

    /// The numbers of the parts of a job, in order.
    fn numbers(&self, id: &[u8]) -> Result<Vec<u32>, StoreError>;

    /// Saves an update as a whole. Returns `false`, and saves nothing, if the job was cancelled, has ended, or was taken
    /// over by another server.
    fn save(&self, lease: &Lease, update: JobUpdate) -> Result<bool, StoreError>;

    /// Renews leases, and returns those that still hold.
    fn beat(&self, leases: &[Lease]) -> Result<Vec<Lease>, StoreError>;

    /// Takes over a job that no server holds, if there is one. A job of another version is taken only if no server of
    /// that version has taken it for the time of another lease.
    fn take(&self, version: &str) -> Result<Option<JobTakeover>, StoreError>;

    /// Gives jobs back, so that other servers take them at once; this does not count as an attempt. A board without
    /// other servers cancels them.
    fn give_back(&self, leases: &[Lease]) -> Result<(), StoreError>;

    /// Notes that nobody works on a job any more. Does not block. On a board with other servers the lease runs out.
    fn abandon(&self, lease: &Lease) {
        let _ = lease;
    }

    /// Cancels a job, whoever works on it. Returns whether it was running.
    fn cancel(&self, id: &[u8]) -> Result<bool, StoreError>;

    /// Deletes a job that is not running. Returns whether there was one.
    fn forget(&self, id: &[u8]) -> Result<bool, StoreError>;
}

/// Names of the component that describes [`JobState`].
#[cfg(feature = "openapi")]
macro_rules! job_states {
    ($($name:ident)*) => {
        $(
            /// How far a job has come.
            #[derive(Debug)]
            pub struct $name;

            impl utoipa::PartialSchema for $name {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                    <JobState as utoipa::PartialSchema>::schema()
                }
            }

            impl utoipa::ToSchema for $name {}
        )*
    };
}

#[cfg(feature = "openapi")]
job_states!(AnalysisState ImpactState);
