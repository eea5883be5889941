//! Where a game stands, and how it ends.
//!
//! Must not decide what comes next: `sequence.rs` does.

use crate::action::Through;

umpire_core::names! {
    /// Where the game stands.
    doubloons.Phase as pub enum Stage {
        /// The event of a round is about to be thrown.
        Event = "event",
        /// Sealed bids.
        Bid = "bid",
        /// The trading session.
        Trading = "trading",
        /// The turn order is about to be thrown.
        TurnOrder = "turn_order",
        /// The holder of the favour may go first after the throw (DBD-R101).
        FavorFirst = "favor_first",
        /// Upkeep is about to be paid.
        Upkeep = "upkeep",
        /// The player chooses how much upkeep to pay (DBD-R90).
        PayUpkeep = "pay_upkeep",
        /// Unpaid units are to be chosen.
        Disband = "disband",
        /// Recruiting.
        Production = "production",
        /// Paying spies.
        Spy = "spy",
        /// A success wants a target.
        SpyTarget = "spy_target",
        /// The holder of the favour may stop a mission.
        FavorNegate = "favor_negate",
        /// Orders to move.
        Movement = "movement",
        /// Attacks.
        Battle = "battle",
        /// Targets of one step of a battle.
        DeclareTargets = "declare_targets",
        /// Victors may enter.
        Advance = "advance",
        /// Trade routes.
        Routes = "routes",
        /// Negotiations.
        Diplomacy = "diplomacy",
        /// The game is over.
        GameOver = "game_over",
    }
}

impl Stage {
    /// The phases of a main turn that its player ends, in order.
    pub(crate) const OWN_PHASES: [Stage; 6] = [
        Stage::Production,
        Stage::Spy,
        Stage::Movement,
        Stage::Battle,
        Stage::Routes,
        Stage::Diplomacy,
    ];

    /// Whether it lies within a main turn.
    pub(crate) fn is_main(self) -> bool {
        !matches!(
            self,
            Stage::Event
                | Stage::Bid
                | Stage::Trading
                | Stage::TurnOrder
                | Stage::FavorFirst
                | Stage::GameOver
        )
    }

    /// Whether a mission or a battle is under way.
    pub(crate) fn is_under_way(self) -> bool {
        matches!(
            self,
            Stage::SpyTarget | Stage::FavorNegate | Stage::DeclareTargets | Stage::Advance
        )
    }
}

umpire_core::names! {
    /// How a game ends.
    doubloons.EndReason as pub enum Ending {
        /// One player controls every city.
        Conquest = "conquest",
        /// One player is left.
        LastPrince = "last_prince",
        /// All agreed to stop.
        Agreed = "agreed",
        /// Nobody is left.
        Nobody = "nobody",
    }
}

impl Through {
    /// The phase.
    pub(crate) const fn stage(self) -> Stage {
        Stage::OWN_PHASES[self as usize]
    }
}
