//! The phases that a player can end.
//!
//! Must not know what follows a phase.

umpire_core::names! {
    /// A phase of a main turn that its player ends.
    doubloons.Through as pub enum Through {
        /// Recruiting.
        Production = "production",
        /// Spies.
        Spy = "spy",
        /// Orders to move.
        Movement = "movement",
        /// Attacks.
        Battle = "battle",
        /// Trade routes.
        Routes = "routes",
        /// Negotiations.
        Diplomacy = "diplomacy",
    }
}
