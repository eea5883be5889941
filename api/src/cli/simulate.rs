//! `umpire simulate`: games between programs: who wins, how games end, what a reading changes.
//!
//! Results are reproducible: the same arguments give the same bytes. This module must not play
//! games itself.

use std::fmt::Write;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::value::RawValue;
use umpire_engine::analysis::balance::{LONGEST, Series, Simulation, play_all};
use umpire_engine::analysis::selfplay::Player;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;

use super::shared::{Exit, game_named, pretty, print};
use super::words;
use crate::cli::threads::Threads;

/// What to play.
#[derive(Args, Debug)]
pub(super) struct Simulate {
    /// The game.
    game: String,
    /// Number of games.
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Who plays a seat: random, greedy or search:N; one for all seats, or SEAT=PLAYER.
    #[arg(long = "player", value_name = "[SEAT=]PLAYER", default_value = "random")]
    players: Vec<String>,
    /// Let the players alternate between the seats from game to game.
    #[arg(long)]
    alternate: bool,
    /// The random seed
    #[arg(long, value_name = "TEXT", default_value = "umpire")]
    seed: String,
    /// Stop a game after this many actions; it then counts for whoever is ahead.
    #[arg(long, value_name = "ACTIONS", default_value_t = *LONGEST.end(), value_parser = clap::value_parser!(u32).range(1..=5_000))]
    longest: u32,
    /// The options of the games, in JSON.
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// Also report the results with luck taken out.
    #[arg(long)]
    luck: bool,
    /// Replay the series under every other edition and every other reading of each ruling, with the
    /// same deals.
    #[arg(long)]
    rulings: bool,
    /// Print what the service would return.
    #[arg(long)]
    json: bool,
}

/// Plays and counts the games.
pub(super) fn run(args: &Simulate) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let players = players(game, &args.players)?;
    let options = args.options.as_deref().map(json).transpose()?;
    let games = game.series(Series {
        options,
        players,
        alternate: args.alternate,
        games: args.games,
        seed: args.seed.clone(),
        longest: args.longest,
        luck: args.luck,
        rulings: args.rulings,
    });
    let games = games.map_err(|fault| fault.to_string())?;
    let bar = bar(u64::from(games.games()));
    let counted = play_all(&*games, Budget::UNLIMITED, &Threads, &|| bar.inc(1));
    let simulation = games.sum(&counted.map_err(|fault| fault.to_string())?);
    bar.finish_and_clear();
    let out = if args.json { pretty(&simulation) } else { render(&simulation) };
    print(out.as_bytes()).map(|()| Exit::Good)
}

/// The player of each seat, by its index: one named for the seat, else the one for all seats.
pub(super) fn players(game: &dyn AnyGame, given: &[String]) -> Result<Vec<Player>, String> {
    let meta = game.meta();
    let mut all = None;
    let mut own: Vec<Option<Player>> = vec![None; meta.seats.len()];
    for text in given {
        let (place, player) = match text.split_once('=') {
            None => (&mut all, text.as_str()),
            Some((seat, player)) => {
                let seat = meta.seat(seat).ok_or_else(|| {
                    format!(
                        "{} has no seat {seat:?}; expected one of {}",
                        meta.id,
                        meta.seats.join(", ")
                    )
                })?;
                (&mut own[seat.index()], player)
            }
        };
        if place.replace(player.parse()?).is_some() {
            return Err(format!(
                "--player {text}: given twice; to name a seat, write {}={player}",
                meta.seats[0]
            ));
        }
    }
    let all = all.unwrap_or(Player::Random);
    Ok(own.into_iter().map(|own| own.unwrap_or(all)).collect())
}

fn json(text: &str) -> Result<Box<RawValue>, String> {
    serde_json::from_str(text).map_err(|error| format!("--options is not valid JSON: {error}"))
}

fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    // The template is a constant; a test renders it.
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

fn render(first: &Simulation) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} games by {}, seed {:?}:", first.games, first.ruleset, first.seed);
    for seat in &first.seats {
        let _ = writeln!(
            out,
            "  {:<12} {:<12} {:5.1} % ({:.1} to {:.1} %)",
            words::spaced(seat.player),
            seat.by.as_deref().unwrap_or("in turn"),
            seat.share.share * 100.0,
            seat.share.low * 100.0,
            seat.share.high * 100.0,
        );
        if let Some(adjusted) = seat.adjusted {
            let _ = writeln!(
                out,
                "  {:<12} without luck {:5.1} ± {:.1} % (deviation {:.3}, plain {:.3}; {:.0} % of the luck taken out)",
                "",
                adjusted.mean * 100.0,
                adjusted.error * 100.0,
                adjusted.deviation,
                adjusted.plain_deviation,
                adjusted.part * 100.0,
            );
        }
    }
    for player in first.players.iter().filter(|_| first.players.len() > 1) {
        let _ = writeln!(
            out,
            "  {:<12} {:<12} {:5.1} % ({:.1} to {:.1} %), {} seats",
            "",
            player.player,
            player.share.share * 100.0,
            player.share.low * 100.0,
            player.share.high * 100.0,
            player.played,
        );
    }
    for ending in &first.endings {
        let reason = ending.reason.map_or_else(|| "not over".to_owned(), words::spaced);
        let _ = writeln!(out, "  {:>6} × {reason}", ending.games);
    }
    let lengths = first.lengths;
    let _ = writeln!(
        out,
        "  {:.0} actions on average, {} to {}, median {}",
        lengths.mean, lengths.shortest, lengths.longest, lengths.median
    );
    for other in first.readings.iter().flatten() {
        let _ = write!(out, "{}:", other.reading.name());
        for seat in &other.seats {
            let part = seat.share.share * 100.0;
            let _ = write!(out, "  {} {part:.1} %", words::spaced(seat.player));
            if let Some(shift) = seat.shift {
                let half = (shift.high - shift.low) * 50.0;
                let _ = write!(out, " ({:+.1} ± {half:.1})", shift.share * 100.0);
            }
        }
        out.push('\n');
    }
    out
}
