//! `umpire new`: an empty record of a game.
//!
//! This module must not know which options a game has: it asks the game.

use clap::Args;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;

use super::shared::{Exit, game_named, print_json};
use crate::referee;

/// What to put into the record.
#[derive(Args, Debug)]
pub(super) struct New {
    /// The game.
    game: String,
    /// The seed that the service draws from.
    #[arg(long, value_name = "TEXT")]
    seed: String,
    /// How many play, in a game that can be played by more or fewer.
    #[arg(long, value_name = "NUMBER")]
    players: Option<u8>,
}

/// Prints the record.
pub(super) fn run(args: &New) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let options = args.players.map(|players| with_players(game, players)).transpose()?.flatten();
    let record = referee::blank(game, &args.seed, options);
    // A record that the game itself would refuse helps nobody.
    referee::judge(record.get().as_bytes(), super::shared::limits())
        .map_err(|fault| format!("{}: {fault}", args.game))?;
    print_json(&record)?;
    Ok(Exit::Good)
}

/// The options for so many players; none where the game has just one number.
fn with_players(game: &dyn AnyGame, players: u8) -> Result<Option<Box<RawValue>>, String> {
    let (least, most) = game.meta().players;
    if !(least..=most).contains(&players) {
        return Err(format!("{} is for {least} to {most} players", game.meta().title));
    }
    if least == most {
        return Ok(None);
    }
    let options = serde_json::json!({"players": players});
    serde_json::value::to_raw_value(&options).map(Some).map_err(|error| error.to_string())
}
