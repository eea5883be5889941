//! How the actions of a game are written by hand: [`Notation`].
//!
//! Must not read or write any: the room `notation` does, by the grammar.

use super::play::Game;
use crate::notation::Grammar;

/// How the actions of a game are written by hand.
pub trait Notation: Game {
    /// The grammar of the lines. By default an action is written as its type and `field=value`.
    fn grammar() -> &'static Grammar {
        &Grammar::PLAIN
    }
}
