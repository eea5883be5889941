//! Jobs that several servers share: kept alive, taken over, given back.
//!
//! This module must not do the work of a job, and must not say SQL.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::Data;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;

use super::{analysis, impact, simulation};
use crate::analyses::kept;
use crate::analyses::work::Work;
use crate::error::ApiError;
use crate::service::{Service, ask, cost_for};
use crate::store::jobs::{Hold, JobBoard, JobKind, Taken};
use crate::taken::{CLAIM, fail, give_up, refused};

/// How often a server looks for jobs that nobody holds, at least.
const LOOK: Duration = Duration::from_secs(1);

/// Keeps the jobs of this server alive, and takes those that nobody holds, until the server stops.
pub fn follow(service: &Data<Service>) {
    let Some(board) = service.board().cloned() else { return };
    let service = service.clone();
    let third = board.lease() / 3;
    actix_web::rt::spawn(async move {
        let mut beaten = Instant::now();
        loop {
            tokio::time::sleep(third.min(LOOK)).await;
            if service.impacts.is_stopped() {
                return;
            }
            // Said a little early rather than late.
            let said = match beaten.elapsed() + LOOK / 2 >= third {
                true => {
                    beaten = Instant::now();
                    beat(&service, &board).await
                }
                false => Ok(()),
            };
            if let Err(error) = said.and(take(&service, &board).await) {
                tracing::warn!(%error, "jobs that servers share");
            }
        }
    });
}

/// The jobs that this server works on.
fn holds(service: &Service) -> Vec<Hold> {
    [service.impacts.holds(), service.analyses.holds()].concat()
}

/// Says that this server works on its jobs, and leaves those that it has lost.
async fn beat(service: &Data<Service>, board: &Arc<dyn JobBoard>) -> Result<(), ApiError> {
    let board = board.clone();
    ask(service, move |service| {
        let held = holds(service);
        let kept: BTreeSet<Hold> = board.beat(&held)?.into_iter().collect();
        let lost: Vec<Hold> = held.into_iter().filter(|hold| !kept.contains(hold)).collect();
        service.impacts.lose(&lost);
        service.analyses.lose(&lost);
        Ok(())
    })
    .await
}

/// Takes one job that nobody holds, if there is one: the others are left to other servers for a moment.
async fn take(service: &Data<Service>, board: &Arc<dyn JobBoard>) -> Result<(), ApiError> {
    let from = board.clone();
    let Some(taken) = ask(service, move |_| Ok(from.take(ENGINE)?)).await? else { return Ok(()) };
    if let Some(problem) = refused(&taken) {
        tracing::warn!(why = problem.detail, "a job is given up");
        give_up(&service.cpu, board, &taken.hold, &problem).await;
        return Ok(());
    }
    if let Err(error) = go_on(service, &taken).await {
        tracing::warn!(%error, "a job that was taken over cannot go on");
        fail(&service.cpu, board, &taken.hold, &error).await;
    }
    Ok(())
}

/// Goes on with a job.
async fn go_on(service: &Data<Service>, taken: &Taken) -> Result<(), ApiError> {
    tracing::info!(kind = ?taken.job.kind, attempt = taken.attempts, "a job is taken over");
    let again = taken.clone();
    let kind = taken.job.kind;
    let cost = cost_for(service, taken.payer.as_deref());
    if kind == JobKind::Impact {
        let work =
            ask(service, move |service| service.impacts.go_on(&again, impact::means(service)));
        actix_web::rt::spawn(cost.within(work.await?));
        return Ok(());
    }
    let limits = service.limits;
    let request = taken.job.request.clone();
    let made = move |budget: Budget<'_>| -> Result<Arc<dyn Work>, ApiError> {
        let sent = kept::sent(&request)?;
        Ok(match kind {
            JobKind::Series => Arc::new(simulation::again(sent)?),
            _ => Arc::new(analysis::again(sent, &limits, budget)?),
        })
    };
    let work = service.cpu.stream(CLAIM, made).await?;
    let means = analysis::means(service);
    let work = ask(service, move |service| service.analyses.go_on(&again, work, means)).await?;
    actix_web::rt::spawn(cost.within(work));
    Ok(())
}

/// Gives all jobs back that servers share, so that others take them at once, and takes no more. Blocks.
pub fn give_back(service: &Service) {
    let Some(board) = service.board() else { return };
    let held = [service.impacts.stop(), service.analyses.stop()].concat();
    if let Err(error) = board.give_back(&held) {
        tracing::warn!(%error, "jobs cannot be given back; they are taken over after their lease");
    }
}
