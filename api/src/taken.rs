//! What becomes of a job that one server has begun and another takes.
//!
//! This module must not know what jobs do.

use std::sync::Arc;

use umpire_engine::replay::answer::ENGINE;

use crate::cpu::{Claim, Cpu};
use crate::error::{ApiError, Code, Problem, shorten};
use crate::json;
use crate::peer::Peer;
use crate::store::jobs::{Found, Hold, JobBoard, JobEnd, Taken};

/// The work of jobs is that of one peer, however many of them run.
pub const CLAIM: Claim = Claim::heavy(Peer::SELF);

/// How many servers may end over a job before something is found out, until it is given up.
const ATTEMPTS: u32 = 3;

/// Why a job that was taken is not gone on with, if it is not: in words for whoever asked for it.
pub fn refused(taken: &Taken) -> Option<Problem> {
    let why = if taken.job.version != ENGINE {
        format!(
            "it was begun by version {} of the engine, and no server has that any more; start it again",
            shorten(&taken.job.version)
        )
    } else if taken.attempts > ATTEMPTS {
        format!("it was given up: {ATTEMPTS} times in a row a server ended while it worked on this")
    } else {
        return None;
    };
    Some(Problem { detail: why.clone(), ..ApiError::Internal(why).problem() })
}

/// Says on the board why a job cannot go on; but where it is only that something cannot be reached, whoever takes it
/// after the lease tries again.
pub async fn fail(cpu: &Cpu, board: &Arc<dyn JobBoard>, hold: &Hold, error: &ApiError) {
    if error.code() != Code::Unavailable {
        give_up(cpu, board, hold, &error.problem()).await;
    }
}

/// Says on the board that a job has failed.
pub async fn give_up(cpu: &Cpu, board: &Arc<dyn JobBoard>, hold: &Hold, problem: &Problem) {
    let problem = json::string(problem);
    let found = Found { end: Some(JobEnd::Failed(problem)), ..Found::default() };
    let (board, hold) = (board.clone(), hold.clone());
    if let Err(error) = cpu.stream(CLAIM, move |_| Ok(board.save(&hold, found)?)).await {
        tracing::warn!(%error, "a job that failed cannot say so");
    }
}
