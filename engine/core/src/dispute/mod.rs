//! Disputes about the rules, settled on the record itself: what another reading would have
//! changed, why an action is refused, what made an event happen, how a record may be mended, and
//! where two records part.
//!
//! Everything here is generic over [`Game`](crate::game::Game): it flips readings, compares states
//! and views, and tries edits, and it must never know a game. Nothing here changes a record by
//! itself; an edit is proposed and shown to replay.

pub mod compare;
pub mod explain;
pub mod patch;
pub mod readings;
pub mod remedy;
pub mod repair;
pub mod transcribe;
pub mod voice;
pub mod why;
