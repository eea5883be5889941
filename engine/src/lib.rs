//! A deterministic referee for board games: the core, and the registry of the games.
//!
//! A pure engine: seed (or tape) and actions in; replayed state, events and refusals out, each
//! with the clause it follows from. The rooms of the core are re-exported here; each game is a crate
//! of its own, so that the compiler keeps generic code from knowing a game, and a game from knowing
//! another. This crate must do nothing but name the games.
//!
//! ```
//! use umpire_engine::{games, record::RawRecord, replay::Limits};
//!
//! let text = r#"{"format": "umpire/1", "game": "drako", "chance": {"seed": "demo"},
//!                "actions": [{"type": "draw", "player": "dragon"}]}"#;
//! let record = RawRecord::read(text.as_bytes()).unwrap();
//! let game = games::find(&record.game).unwrap();
//! let judgement = game.judge(&record, Limits::default()).unwrap();
//! assert_eq!(judgement.verdict.plies, 1);
//! ```
//!
//! Features: `schema` derives an OpenAPI schema for every wire type (costs the dependency
//! `utoipa` and compile time, nothing at run time).

pub use umpire_core::*;

pub mod games {
    //! The registry: an entry per game. The only place outside a game's crate that names it.

    use std::sync::LazyLock;

    use umpire_core::any_game::AnyGame;
    use umpire_core::game::Visitor;

    /// Makes the registry out of one list, so that no two lists can differ.
    macro_rules! registry {
        ($($home:ident::$game:ident),* $(,)?) => {
            /// Every registered game.
            ///
            /// Gathered when it is first asked for: a constant list would make the compiler build
            /// every game once more in this crate.
            pub static GAMES: LazyLock<Vec<&'static dyn AnyGame>> =
                LazyLock::new(|| vec![$($home::GAME),*]);

            /// Shows every registered game to a visitor that wants its types.
            pub fn visit<V: Visitor>(visitor: &mut V) {
                let _ = &visitor;
                $(visitor.game::<$home::$game>();)*
            }

            /// The schemas of the wire types of a game: for each of the names `Action`, `Range`,
            /// `Event`, `View`, `Options` and `Position` its component, and all that they need.
            /// Empty for a game that is not registered.
            #[cfg(feature = "schema")]
            pub fn schemas(id: &str) -> umpire_core::game::schemas::GameSchemas {
                $(
                    if id == <$home::$game as umpire_core::game::Game>::META.id {
                        return umpire_core::game::schemas::of::<$home::$game>();
                    }
                )*
                Vec::new()
            }
        };
    }

    registry! { umpire_drako::Drako, umpire_dragut::Dragut, umpire_doubloons::Doubloons }

    /// The game of that id.
    pub fn find(id: &str) -> Option<&'static dyn AnyGame> {
        GAMES.iter().copied().find(|game| game.meta().id == id)
    }
}
