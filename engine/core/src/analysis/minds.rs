//! What each seat and the spectator remember of a game, kept up to date fact by fact.
//!
//! Must not look at a fact but through [`Game::announce`](crate::game::Game::announce), nor at a state but through [`Game::view`](crate::game::Game::view).

use crate::game::{Advice, Logged, Observer, Seat, TableSetup};

/// What each seat and the spectator remember. The referee, who sees everything, need not.
pub struct Minds<G: Advice> {
    /// By observer, the spectator last; nobody where the game asks for no memory.
    all: Vec<(Observer, G::Memory)>,
}

impl<G: Advice> Clone for Minds<G> {
    fn clone(&self) -> Self {
        Minds { all: self.all.clone() }
    }
}

impl<G: Advice> Minds<G> {
    /// Whether there is anything to remember in this game.
    pub const NEEDED: bool = size_of::<G::Memory>() > 0;

    /// Everybody sees this state for the first time: the start of a game before its opening, or a loaded
    /// position as it lies on the table.
    pub fn at(setup: &G::Setup, state: &G::State) -> Self {
        if !Self::NEEDED {
            return Minds { all: Vec::new() };
        }
        let seats = G::Setup::players(setup).iter().map(Observer::Seat);
        let all = seats.chain([Observer::Spectator]);
        let seen = |to| (to, G::recall(setup, &G::view(setup, state, to)));
        Minds { all: all.map(seen).collect() }
    }

    /// Everybody is told what he may know of some facts.
    pub fn hear(&mut self, setup: &G::Setup, facts: &[Logged<G>]) {
        for (to, memory) in &mut self.all {
            for fact in facts {
                if let Some(notice) = G::announce(setup, &fact.event, *to) {
                    G::remember(setup, memory, &notice);
                }
            }
        }
    }

    /// What an observer remembers.
    pub fn of(&self, observer: Observer) -> G::Memory {
        let own = self.all.iter().find(|(to, _)| *to == observer);
        own.map(|(_, memory)| memory.clone()).unwrap_or_default()
    }

    /// What a seat remembers.
    pub fn of_seat(&self, seat: Seat) -> G::Memory {
        self.of(Observer::Seat(seat))
    }
}
