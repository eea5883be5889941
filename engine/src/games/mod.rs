//! The registry: a `mod` line and an entry per game. The only place outside a game's folder that
//! names it.

pub mod drako;

use crate::erased::{AnyGame, Of};

/// Every registered game.
pub static GAMES: &[&dyn AnyGame] = &[&Of::<drako::Drako>::new()];

/// The game of that id.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.meta().id == id)
}
