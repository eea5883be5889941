//! The tests of the engine over every game, in one binary: generic code is then compiled once for
//! each game instead of once for each file.

#![allow(unreachable_pub, reason = "the modules of a test share what they need")]

/// A law over every game as one test.
macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                struct Law;
                impl umpire_engine::game::Visitor for Law {
                    fn game<G: umpire_engine::game::FullGame>(&mut self) {
                        check::$name::<G>();
                    }
                }
                crate::walk::every_game(&mut Law);
            }
        )*
    };
}

mod advice;
mod analysis;
mod chance;
mod compare;
mod drafts;
mod exact;
mod explain;
mod fuzz;
mod kuhn;
mod laws;
mod memory;
mod notation;
mod partial;
mod people;
mod readings;
mod records;
mod refereed;
mod repair;
mod scenes;
mod tidy;
mod versions;
mod voices;
mod walk;
