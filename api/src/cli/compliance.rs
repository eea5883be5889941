//! `umpire compliance`: which readings of each ruling this engine supports, which is the default,
//! and why.
//!
//! This module must not contain rule texts.

use clap::Args;
use umpire_conformance::compliance::Compliance;
use umpire_engine::games::GAMES;

use super::shared::{Exit, game_named, print};
use umpire_referee::json;

/// The rulings to show.
#[derive(Args, Debug)]
pub(super) struct Rulings {
    /// The game; all games by default.
    game: Option<String>,
    /// Print what the service would return, one game per line.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown.
    #[arg(long)]
    markdown: bool,
}

/// Prints the tables.
pub(super) fn run(args: &Rulings) -> Result<Exit, String> {
    let tables: Vec<Compliance> = match &args.game {
        Some(game) => vec![Compliance::of(game_named(game)?)],
        None => GAMES.iter().map(|game| Compliance::of(*game)).collect(),
    };
    show(&tables, args.json, args.markdown).map(|()| Exit::Good)
}

/// Prints tables.
pub(super) fn show(tables: &[Compliance], json: bool, markdown: bool) -> Result<(), String> {
    let mut out = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        if json {
            json::line(&mut out, table);
            continue;
        }
        if at > 0 {
            out.push(b'\n');
        }
        let text = if markdown { table.markdown() } else { table.text() };
        out.extend_from_slice(text.as_bytes());
    }
    print(&out)
}
