//! What the tools have in common when they begin a game.
//!
//! Must not play one.

use std::sync::Arc;

use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{FullGame, TableSetup};

/// Where the game of that name begins with these options, as JSON, and the chance that goes on from there; nothing where
/// none begins so.
pub(crate) fn deal<G: FullGame>(options: &str, name: &str) -> Option<(Arc<G::Setup>, Seeded)> {
    let mut chance = Seeded::new(name, G::META.streams);
    let options = serde_json::from_str::<G::Options>(options).ok()?;
    let setup = G::Setup::from_options(options, &mut chance).ok()?;
    Some((Arc::new(setup), chance))
}
