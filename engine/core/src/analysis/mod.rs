//! What follows from any game by itself: counting positions, exact odds, and what the best play would be.
//!
//! Generic over the game; this room must not know any. Floating point lives here and nowhere else in the
//! engine, and only + − × ÷ √ and a logarithm and an exponential in plain Rust, so that every machine comes
//! to the same bytes.

pub mod balance;
pub mod chances;
mod course;
pub mod hint;
mod ledger;
mod lines;
pub mod minds;
pub mod odds;
pub mod perft;
pub mod random;
pub mod review;
pub mod search;
pub mod selfplay;
pub mod shares;
