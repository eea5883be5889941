//! Why a step did not happen.
//!
//! Must not decide that: the rules and chance do.

use crate::chance::Halt;
use crate::rules::Refusal;

/// Why a step did not happen: the rules refused it, or chance gave no answer.
#[derive(Debug)]
pub enum Stop<R> {
    /// A clause forbids it.
    Refused(Refusal<R>),
    /// The tape does not fit, or an exploring chance stopped at an open question.
    Chance {
        /// Why there is no answer.
        halt: Box<Halt>,
        /// The clause that asked, where it is known.
        rule: Option<R>,
    },
}

impl<R> Stop<R> {
    pub(super) fn asked_by(rule: R) -> impl FnOnce(Halt) -> Stop<R> {
        move |halt| Stop::Chance { halt: Box::new(halt), rule: Some(rule) }
    }
}

impl<R> From<Refusal<R>> for Stop<R> {
    fn from(refusal: Refusal<R>) -> Self {
        Stop::Refused(refusal)
    }
}

impl<R> From<Halt> for Stop<R> {
    fn from(halt: Halt) -> Self {
        Stop::Chance { halt: Box::new(halt), rule: None }
    }
}
