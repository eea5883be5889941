//! `umpire new`: prints an empty record of a game.
//!
//! This module must not know the options of a game: it asks the game.

use clap::Args;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;

use super::shared::{Exit, game_named, print_json};
use umpire_referee::reading;

/// The contents of the record.
#[derive(Args, Debug)]
pub(super) struct New {
    /// The game.
    game: String,
    /// The random seed.
    #[arg(long, value_name = "TEXT")]
    seed: String,
    /// The number of players, if the game can be played by different numbers.
    #[arg(long, value_name = "NUMBER")]
    players: Option<u8>,
}

/// Prints the record.
pub(super) fn run(args: &New) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let options = args.players.map(|players| with_players(game, players)).transpose()?.flatten();
    let record = reading::blank(game, &args.seed, options);
    // Do not print a record that the game itself would reject.
    reading::judge(record.get().as_bytes(), super::shared::limits())
        .map_err(|fault| format!("{}: {fault}", args.game))?;
    print_json(&record)?;
    Ok(Exit::Good)
}

/// The options for this many players; `None` if the game has a fixed number.
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
