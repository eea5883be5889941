//! The registry: a `mod` line and an entry per game. The only place outside a game's folder that
//! names it.

pub mod doubloons;
pub mod dragut;
pub mod drako;

use crate::erased::AnyGame;
use crate::game::Game;

/// Makes the registry out of one list, so that no two lists can differ.
macro_rules! registry {
    ($($game:ty),* $(,)?) => {
        /// Every registered game.
        pub static GAMES: &[&dyn AnyGame] = &[$(&crate::erased::Of::<$game>::new()),*];

        /// Shows every registered game to a visitor that wants its types.
        pub fn visit<V: Visitor>(visitor: &mut V) {
            let _ = &visitor;
            $(visitor.game::<$game>();)*
        }
    };
}

registry! { drako::Drako, dragut::Dragut, doubloons::Doubloons }

/// Something generic to be done with the types of each game (a law, a benchmark).
pub trait Visitor {
    /// One game.
    fn game<G: Game>(&mut self);
}

/// The game of that id.
pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.meta().id == id)
}
