//! `umpire new`: prints an empty record of a game.
//!
//! This module must not know what an option does: the game judges the record.

use clap::Args;
use serde_json::value::to_raw_value;

use super::rules::version_of;
use super::shared::{Exit, game_named, print_json};
use umpire_referee::reading;

/// The contents of the record.
#[derive(Args, Debug)]
pub(super) struct New {
    /// The game.
    game: String,
    /// The random seed.
    #[arg(long, value_name = "TEXT", required_unless_present = "tape", conflicts_with = "tape")]
    seed: Option<String>,
    /// Start an empty tape instead: the dice and cards of a game at a real table are added to it as they fall.
    #[arg(long)]
    tape: bool,
    /// The number of players, if the game can be played by different numbers.
    #[arg(long, value_name = "NUMBER")]
    players: Option<u8>,
    /// The edition of the rulebook, if the game has several; `umpire rules GAME` lists what each sets.
    #[arg(long, value_name = "NAME")]
    edition: Option<String>,
    /// The version of the ruleset; the newest by default.
    #[arg(long, value_name = "NUMBER")]
    version: Option<u32>,
}

/// Prints the record.
pub(super) fn run(args: &New) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let meta = game.meta();
    let mut options = serde_json::Map::new();
    if let Some(players) = args.players {
        let (least, most) = meta.players;
        if !(least..=most).contains(&players) {
            return Err(format!("{} is for {least} to {most} players", meta.title));
        }
        // A game with a fixed number of players has no such option.
        if least < most {
            options.insert("players".to_owned(), players.into());
        }
    }
    if let Some(edition) = &args.edition {
        let known = umpire_engine::rules::editions(game.rules());
        if !known.contains(&edition.as_str()) {
            return Err(match known.as_slice() {
                [] => format!("{} has only one edition", meta.title),
                known => {
                    format!("unknown edition {edition:?}; expected one of {}", known.join(", "))
                }
            });
        }
        options.insert("edition".to_owned(), edition.as_str().into());
    }
    let options = (!options.is_empty()).then(|| to_raw_value(&options)).transpose();
    let options = options.map_err(|error| error.to_string())?;
    let version = version_of(game, args.version)?;
    let record = reading::blank(game, version, args.seed.as_deref(), options);
    // Do not print a record that the game itself would reject.
    reading::judge(record.get().as_bytes(), super::shared::limits())
        .map_err(|fault| format!("{}: {fault}", args.game))?;
    print_json(&record)?;
    Ok(Exit::Good)
}
