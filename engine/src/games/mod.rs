//! The registry: a `mod` line and an entry per game. The only place outside a game's folder that
//! names it.

pub mod doubloons;

use crate::erased::AnyGame;

/// Every registered game.
pub static GAMES: &[&dyn AnyGame] = &[];

/// The game of that id.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.meta().id == id)
}
