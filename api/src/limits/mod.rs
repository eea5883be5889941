//! How much anybody may ask for: the configuration, connections, requests and CPU time per caller,
//! lanes of work, memory of responses; and the metrics that show it.
//!
//! This room must not know what the work is.

pub mod allowance;
pub mod connections;
pub mod cost;
pub mod cpu;
pub mod held;
pub mod metrics;

use clap::Args;
use umpire_engine::budget::Budget;
use umpire_engine::replay;

/// Limits on the cost of a request.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum length of a body, and of a line of an NDJSON body, in bytes.
    #[arg(long, value_name = "BYTES", env = "UMPIRE_MAX_BODY", default_value_t = Limits::DEFAULT.max_body)]
    pub max_body: usize,
    /// The maximum number of actions in a record.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_MAX_ACTIONS", default_value_t = Limits::DEFAULT.max_actions)]
    pub max_actions: usize,
    /// The maximum number of actions in a record whose response includes the state after each.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_MAX_STATES", default_value_t = Limits::DEFAULT.max_states)]
    pub max_states: usize,
    /// The maximum length of a body that is processed at once instead of on a separate thread, in
    /// bytes.
    #[arg(long, value_name = "BYTES", env = "UMPIRE_INLINE_BYTES", default_value_t = Limits::DEFAULT.inline_bytes)]
    pub inline_bytes: usize,
    /// The maximum seconds of work on a request.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_WORK_SECONDS", default_value_t = Limits::DEFAULT.work_seconds)]
    pub work_seconds: u64,
    /// The maximum seconds that a request waits for a free processor.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_QUEUE_SECONDS", default_value_t = Limits::DEFAULT.queue_seconds)]
    pub queue_seconds: u64,
    /// The maximum seconds until a body is complete, and between two parts of an NDJSON body.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_BODY_SECONDS", default_value_t = Limits::DEFAULT.body_seconds)]
    pub body_seconds: u64,
    /// The memory for all large responses that are being sent, in MiB.
    #[arg(long, value_name = "MIB", env = "UMPIRE_ANSWER_MEMORY", default_value_t = Limits::DEFAULT.answer_memory)]
    pub answer_memory: u64,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Limits = Limits {
        max_body: umpire_referee::limits::Limits::DEFAULT.text,
        max_actions: umpire_referee::limits::Limits::DEFAULT.actions,
        max_states: umpire_referee::limits::Limits::DEFAULT.states,
        inline_bytes: 64 << 10,
        work_seconds: 20,
        queue_seconds: 5,
        body_seconds: 30,
        answer_memory: 256,
    };

    /// The limits on the size of a question.
    pub fn referee(&self) -> umpire_referee::limits::Limits {
        umpire_referee::limits::Limits {
            text: self.max_body,
            actions: self.max_actions,
            states: self.max_states,
        }
    }

    /// The limits of a replay.
    pub fn engine<'a>(&self, budget: Budget<'a>) -> replay::Limits<'a> {
        self.referee().engine(budget)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
