//! Jobs that one server started and another takes over.
//!
//! This module must not know what jobs do.

use std::sync::Arc;

use umpire_engine::replay::answer::ENGINE;

use crate::cpu::{Claim, Cpu};
use crate::error::{ApiError, Code, Problem, shorten};
use crate::json;
use crate::peer::Peer;
use crate::store::jobs::{Found, Hold, JobBoard, JobEnd, Taken};

/// All jobs together count as one peer, however many of them run.
pub const CLAIM: Claim = Claim::heavy(Peer::SELF);

/// How many servers may stop during a job without progress before it is given up.
const ATTEMPTS: u32 = 3;

/// Why a job that was taken over is not continued, if so, for the caller who started it.
pub fn refused(taken: &Taken) -> Option<Problem> {
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
    Some(Problem { detail: why.clone(), ..ApiError::Internal(why).problem() })
}

/// Marks a job on the board as failed. If something was only unavailable, leaves it to be retried
/// when its lease expires.
pub async fn fail(cpu: &Cpu, board: &Arc<dyn JobBoard>, hold: &Hold, error: &ApiError) {
    if error.code() != Code::Unavailable {
        give_up(cpu, board, hold, &error.problem()).await;
    }
}

/// Marks a job on the board as failed.
pub async fn give_up(cpu: &Cpu, board: &Arc<dyn JobBoard>, hold: &Hold, problem: &Problem) {
    let problem = json::string(problem);
    let found = Found { end: Some(JobEnd::Failed(problem)), ..Found::default() };
    let (board, hold) = (board.clone(), hold.clone());
    if let Err(error) = cpu.stream(CLAIM, move |_| Ok(board.save(&hold, found)?)).await {
        tracing::warn!(%error, "cannot mark a job as failed");
    }
}
