//! Jobs: work that continues behind the requests, and can be followed, cancelled and resumed.
//!
//! [`runner`] runs them and writes what they find to a board ([`crate::store::jobs`]); [`takeover`](crate::app::takeover) keeps their leases
//! and resumes the jobs of servers that have stopped. There are three kinds: [`impact`], [`analysis`] and
//! [`simulation`]; the last two consist of independent [`pieces`]. To add a kind, implement [`runner::JobWork`] for it,
//! give it a [`JobKind`](crate::store::jobs::JobKind) and resume it in [`takeover`](crate::app::takeover). This room must not know HTTP.

pub mod analysis;
pub mod change;
pub mod impact;
pub mod pieces;
pub mod runner;
pub mod simulation;
