//! The state that handlers share.
//!
//! This module must not know any route.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use actix_web::rt;
use actix_web::web::{self, Data};
use tokio::sync::Semaphore;

use crate::auth::names::Names;
use crate::auth::secrets::Secret;
use crate::auth::tokens::Tokens;
use crate::documents::sheet::seal::Key;
use crate::http::error::ApiError;
use crate::http::hosts::Hosts;
use crate::http::ndjson::Pace;
use crate::jobs::runner::JobRunner;
use crate::limits::Limits;
use crate::limits::allowance::{Allowances, Holder};
use crate::limits::cost::Cost;
use crate::limits::cpu::Cpu;
use crate::limits::held::Memory;
use crate::limits::metrics::Metrics;
use crate::store::Store;
use crate::store::jobs::{JobBoard, LEASE};
use crate::store::sqlite::SqliteJobs;
use crate::tables::Tables;

/// The maximum number of concurrent exports.
const EXPORTS: usize = 4;

/// The state that handlers share.
pub struct Service {
    /// The limits on the cost of a request.
    pub limits: Limits,
    /// CPU work.
    pub cpu: Cpu,
    /// The maximum number of concurrent jobs.
    pub jobs: usize,
    /// Memory for responses that are being sent.
    pub memory: Memory,
    /// Metrics.
    pub metrics: Metrics,
    /// The tokens; without them, everyone may do everything.
    pub tokens: Option<Tokens>,
    /// The public names of records.
    pub names: Arc<Names>,
    /// The rate limits.
    pub allowances: Allowances,
    /// Origins whose pages may call the service.
    pub origins: Vec<String>,
    /// The host names that the service answers to.
    pub hosts: Hosts,
    /// The key that signs verdicts, if there is one.
    pub signing: Option<Arc<Key>>,
    /// The store of records.
    pub store: Arc<dyn Store>,
    /// Permits for exports.
    pub exports: Arc<Semaphore>,
    /// Runs jobs.
    pub runner: JobRunner,
    /// Live tables.
    pub tables: Arc<Tables>,
    /// Generates request ids.
    pub ids: RequestIds,
    /// Whether the server is shutting down and wants no more requests.
    pub draining: AtomicBool,
}

impl Service {
    /// A service with a store.
    pub fn new(
        store: Arc<dyn Store>,
        limits: Limits,
        tokens: Option<Tokens>,
        origins: Vec<String>,
    ) -> Result<Self, prometheus::Error> {
        // If not everyone may read everything, a tag must reveal nothing about the rest.
        let names = match &tokens {
            Some(tokens) if tokens.protect_reading() => Names::with_opaque_tags(tokens.secret()),
            _ => Names::open(),
        };
        let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let queue = Duration::from_secs(limits.queue_seconds);
        let work = Duration::from_secs(limits.work_seconds);
        let cpu = Cpu::new(jobs, queue, work);
        let board = store.jobs(LEASE).unwrap_or_else(|| Arc::new(SqliteJobs::in_memory()));
        let memory = Memory::new(limits.answer_memory << 20);
        let tables = Arc::new(Tables::new(store.clone(), cpu.clone(), memory.clone(), limits));
        Ok(Service {
            limits,
            runner: JobRunner::new(board, cpu.clone(), jobs),
            cpu,
            jobs,
            memory,
            metrics: Metrics::new()?,
            tokens,
            names: Arc::new(names),
            allowances: Allowances::default(),
            origins,
            hosts: Hosts::default(),
            signing: None,
            store,
            exports: Arc::new(Semaphore::new(EXPORTS)),
            tables,
            ids: RequestIds::default(),
            draining: AtomicBool::new(false),
        })
    }

    /// The same service with private ids: neither the id of a record nor the tag of a response
    /// about it reveals anything.
    #[must_use]
    pub fn with_private_ids(self, key: &Secret) -> Self {
        Service { names: Arc::new(Names::private(key)), ..self }
    }

    /// The same service with another job board.
    #[must_use]
    pub fn with_board(self, board: Arc<dyn JobBoard>) -> Self {
        Service { runner: JobRunner::new(board, self.cpu.clone(), self.jobs), ..self }
    }

    /// The limits for NDJSON bodies.
    pub fn pace(&self) -> Pace {
        Pace {
            line: self.limits.max_body,
            pause: Duration::from_secs(self.limits.body_seconds),
            at_once: self.jobs + 1,
        }
    }
}

/// Makes a query about jobs on a blocking thread, because it may wait for a database.
///
/// # Errors
/// The query fails.
pub async fn ask<T: Send + 'static>(
    service: &Data<Service>,
    ask: impl FnOnce(&Service) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let service = service.clone();
    let asked = web::block(move || ask(&service)).await;
    asked.map_err(|error| ApiError::internal(error.to_string()))?
}

/// Starts a job, and does its work whether or not the caller still waits; the caller is charged for
/// it.
///
/// # Errors
///
/// Those of the query.
pub async fn begin<T: Send + 'static, W: Future<Output = ()> + Send + 'static>(
    service: &Data<Service>,
    start: impl FnOnce(&Service) -> Result<(T, Option<W>), ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let service = service.clone();
    let cost = Cost::current().unwrap_or_default();
    let begun = rt::spawn(async move {
        let asked = cost.clone();
        let (begun, work) = ask(&service, |service| asked.scope(|| start(service))).await?;
        if let Some(work) = work {
            rt::spawn(cost.within(work));
        }
        Ok(begun)
    });
    begun.await.map_err(|error| ApiError::internal(error.to_string()))?
}

/// The cost of work that another server started for a caller, who is charged here as well.
pub fn cost_for(service: &Service, payer: Option<&str>) -> Arc<Cost> {
    let holder = payer.filter(|_| service.allowances.is_set()).and_then(|it| it.parse().ok());
    // A token that is not known here has no account here.
    let known = |holder: &Holder| match holder {
        Holder::Token(hash) => service.tokens.as_ref().is_some_and(|tokens| tokens.knows(hash)),
        Holder::Address(_) => true,
    };
    let account = holder.filter(known).map(|it| service.allowances.account(it, Instant::now()));
    Cost::new(account, service.metrics.clone())
}

/// Generates unique request ids, even across restarts.
pub struct RequestIds {
    start: u64,
    count: AtomicU64,
}

impl Default for RequestIds {
    fn default() -> Self {
        // The standard library's hasher is seeded at random, which is enough here.
        RequestIds { start: RandomState::new().build_hasher().finish(), count: AtomicU64::new(0) }
    }
}

impl RequestIds {
    /// The next id.
    pub fn next(&self) -> HeaderValue {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let id = format!("{:016x}-{count:x}", self.start);
        HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("?"))
    }
}
