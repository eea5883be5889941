//! Toy games, so that generic code is tested with any set of registered games: one with dice,
//! one with secrets, a simultaneous decision and a range, one whose value is known from a paper, and one that
//! wants only to be refereed.
//!
//! They also show the least that a game has to write. They are not registered.

#![allow(unreachable_pub, reason = "written as a real game is, where these are public")]

pub mod bids;
pub mod kuhn;
pub mod nim;
pub mod race;
