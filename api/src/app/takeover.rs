//! What servers that share a board do for each other: they keep their leases alive, and resume the jobs of those that
//! have stopped.
//!
//! This module must not do the work of a job, and must not contain SQL.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::Data;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;

use crate::http::error::{ApiError, Code, Problem, shorten};
use crate::jobs::impact::ImpactWork;
use crate::jobs::pieces::PiecesRequest;
use crate::jobs::runner::{CLAIM, JobWork};
use crate::jobs::{analysis, simulation};
use crate::routes::impact;
use crate::service::{Service, ask, cost_for};
use crate::store::jobs::{JobKind, JobTakeover, StoredJob};

/// How often a server looks for jobs that no server holds, at least.
const LOOK: Duration = Duration::from_secs(1);

/// How many servers may end while they work on a job without saving anything, until it is given up.
const ATTEMPTS: u32 = 3;

/// Keeps the leases of this server alive and takes over jobs, until the server stops. Does nothing if there are no other
/// servers.
pub fn follow(service: &Data<Service>) {
    let Some(lease) = service.runner.board().lease() else { return };
    let service = service.clone();
    let third = lease / 3;
    actix_web::rt::spawn(async move {
        let mut beaten = Instant::now();
        loop {
            tokio::time::sleep(third.min(LOOK)).await;
            if service.runner.is_stopping() {
                return;
            }
            // Rather a little early than late.
            let renewed = match beaten.elapsed() + LOOK / 2 >= third {
                true => {
                    beaten = Instant::now();
                    ask(&service, |service| service.runner.beat()).await
                }
                false => Ok(()),
            };
            if let Err(error) = renewed.and(take(&service).await) {
                tracing::warn!(%error, "the board of jobs");
            }
        }
    });
}

/// Takes over one job, if there is one: the others are left to other servers for a moment.
async fn take(service: &Data<Service>) -> Result<(), ApiError> {
    let take = ask(service, |service| Ok(service.runner.board().take(ENGINE)?));
    let Some(taken) = take.await? else { return Ok(()) };
    let problem = match refusal(&taken) {
        Some(problem) => problem,
        None => match resume(service, &taken).await {
            Ok(()) => return Ok(()),
            // Whoever takes it after the lease tries again.
            Err(error) if error.code() == Code::Unavailable => return Err(error),
            Err(error) => error.problem(),
        },
    };
    tracing::warn!(why = problem.detail, "a job is given up");
    service.runner.context(taken.lease).give_up(&problem).await;
    Ok(())
}

/// Why a job that was taken over is not resumed, if it is not.
fn refusal(taken: &JobTakeover) -> Option<Problem> {
    let why = if taken.job.version != ENGINE {
        format!(
            "the job was started by engine version {}, which no server runs any more; start it again",
            shorten(&taken.job.version)
        )
    } else if taken.attempts > ATTEMPTS {
        format!(
            "the job was given up because {ATTEMPTS} servers in a row stopped while working on it"
        )
    } else {
        return None;
    };
    Some(Problem::new(Code::Internal, why))
}

async fn resume(service: &Data<Service>, taken: &JobTakeover) -> Result<(), ApiError> {
    tracing::info!(kind = ?taken.job.kind, attempt = taken.attempts, "a job is taken over");
    let cost = cost_for(service, taken.payer.as_deref());
    let (shared, job) = (service.clone(), taken.job.clone());
    let work = service.cpu.stream(CLAIM, move |budget| work_of(&shared, &job, budget)).await?;
    let lease = taken.lease.clone();
    let work = ask(service, move |service| service.runner.resume(lease, work, None)).await?;
    actix_web::rt::spawn(cost.within(work));
    Ok(())
}

/// What is left to do of a stored job.
fn work_of(
    service: &Service,
    job: &StoredJob,
    budget: Budget<'_>,
) -> Result<Arc<dyn JobWork>, ApiError> {
    if job.kind == JobKind::Impact {
        return Ok(Arc::new(ImpactWork::from_stored(job, impact::sources(service))?));
    }
    let PiecesRequest::<IgnoredAny, &RawValue> { sent, .. } = PiecesRequest::read(job)?;
    Ok(match job.kind {
        JobKind::Simulation => Arc::new(simulation::resume(sent.get())?),
        _ => Arc::new(analysis::resume(sent.get(), &service.limits, budget)?),
    })
}
