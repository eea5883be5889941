//! What a player may do now (part D.3): likely actions one by one, and ranges that describe all the
//! rest.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

mod battle;
mod deals;
mod list;
mod orders;
mod ranges;
mod sample;
mod steps;

pub(super) use list::{canonical, list};
pub use ranges::Range;
pub(super) use ranges::covers;
pub(super) use sample::sample;
pub(super) use steps::steps;
