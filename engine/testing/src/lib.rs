//! What the tests of several crates share: toy games that test generic code, and the harness in
//! which scripted players make whole games.
//!
//! Not part of the product. Must not name a registered game.

pub mod players;
pub mod strength;
pub mod toys;
