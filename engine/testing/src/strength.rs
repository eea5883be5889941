//! How search does against scripted players, who look only at what their seat sees and follow a plan.
//!
//! Must not choose an action for the scripted side: that is the work of a game's own players.

use std::sync::Arc;

use umpire_core::analysis::balance::Share;
use umpire_core::analysis::selfplay::{Player, choose};
use umpire_core::analysis::shares;
use umpire_core::budget::Budget;
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{FullGame, Keep, Seat, Table, TableSetup};

/// What is played: the search sits at each seat in turn.
#[derive(Clone, Copy, Debug)]
pub struct Match<'a> {
    /// The seed of the whole.
    pub seed: &'a str,
    /// Number of games.
    pub games: u32,
    /// After how many actions a game is left; it then counts for those who stand first.
    pub longest: u32,
    /// The budget of the search.
    pub simulations: u32,
}

/// The part of the games that the search wins, where the other seats are played by `scripted`, which is given a table
/// and the name of the game.
///
/// # Panics
/// Where a player has no action, or a game cannot begin.
pub fn of_search<G: FullGame>(
    setup: &Arc<G::Setup>,
    played: Match<'_>,
    mut scripted: impl FnMut(&Table<G>, &str) -> Option<G::Action>,
) -> Share {
    let seats = G::Setup::players(setup).len() as u32;
    let mut won = 0.0;
    for number in 0..played.games {
        let name = format!("{} {number}", played.seed);
        let searching = Seat((number % seats) as u8);
        let mut chance = Seeded::new(&name, G::META.streams);
        let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing) else {
            panic!("{name} cannot begin");
        };
        while table.outcome().is_none()
            && table.ply() < played.longest
            && let Some(seat) = table.decision().seats.lowest()
        {
            let action = if seat == searching {
                let seed = format!("{name} {}", table.ply());
                let player = Player::Search(played.simulations);
                choose(&table, seat, player, &seed, Budget::UNLIMITED).unwrap_or(None)
            } else {
                scripted(&table, &name)
            };
            let Some(action) = action else { panic!("{name}: nobody acts at {}", table.ply()) };
            assert!(table.play(&action, &mut chance).is_ok(), "{name}: {action:?}");
        }
        won += shares::of(&shares::as_it_stands::<G>(table.setup(), table.state()), searching);
    }
    Share::of(won, played.games)
}
