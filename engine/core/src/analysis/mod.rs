//! What follows from any game by itself: counting positions and exact odds.
//!
//! Generic over the game; this module must not know any.

pub mod odds;
pub mod perft;
