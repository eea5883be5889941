//! `umpire record`: converts notes to a record, or a record to notes, or takes down a game move by
//! move.
//!
//! This module must not know a game's notation, and must not judge what it only converts.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use umpire_engine::game::Observer;
use umpire_engine::notation;
use umpire_engine::record::{Fault, FaultCode};

use super::notes::{notes_of, render};
use super::shared::{Exit, Visible, complain, game_named, limits, pretty, print, read};
use super::taking::{Start, Taking};
use umpire_referee::questions::notes::dialects;
use umpire_referee::reading;

/// What to convert.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("way").required(true))]
pub(super) struct Record {
    /// Notes to convert to a record (docs/notation.md); - reads standard input.
    #[arg(long, value_name = "NOTES", group = "way")]
    from: Option<PathBuf>,
    /// A record to convert to notes; - reads standard input.
    #[arg(long, value_name = "FILE", group = "way")]
    to_notes: Option<PathBuf>,
    /// A complete record of which to print what one player could have written down; the rest
    /// becomes unknown.
    #[arg(long, value_name = "FILE", group = "way", requires = "viewer")]
    sheet: Option<PathBuf>,
    /// With --sheet: the player.
    #[arg(long, value_name = "SEAT", requires = "sheet")]
    viewer: Option<String>,
    /// Take down a game of this kind in the terminal while it is played.
    #[arg(long, value_name = "GAME", group = "way")]
    play: Option<String>,
    /// With --play: draw chance from this seed; by default you are asked what was rolled and drawn.
    #[arg(long, value_name = "TEXT", requires = "play")]
    seed: Option<String>,
    /// With --play: the options, in JSON.
    #[arg(long, value_name = "JSON", requires = "play")]
    options: Option<String>,
    /// With --play: a record (or notes) of the game so far, to continue.
    #[arg(long = "continue", value_name = "FILE", requires = "play", conflicts_with_all = ["seed", "options"])]
    begun: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &Record) -> Result<Exit, String> {
    if let Some(file) = &args.from {
        return from_notes(file);
    }
    if let Some(file) = &args.to_notes {
        return to_notes(file);
    }
    if let Some(file) = &args.sheet {
        return sheet(file, args.viewer.as_deref().unwrap_or_default());
    }
    let game = game_named(args.play.as_deref().unwrap_or_default())?;
    let start = match &args.begun {
        Some(file) => {
            let text = read(file)?;
            let text = match notes_of(&text) {
                Some(notes) => notation::read_record(notes, &dialects())
                    .map_err(|mistakes| render(file, notes, &mistakes))?
                    .record
                    .into_bytes(),
                None => text,
            };
            let record = reading::meant(&text);
            let record = serde_json::from_slice(&record);
            Start::Record(record.map_err(|error| format!("{}: {error}", file.display()))?)
        }
        None => {
            let options = args.options.as_deref().map(serde_json::from_str::<Value>).transpose();
            let options =
                options.map_err(|error| format!("--options is not valid JSON: {error}"))?;
            Start::New { seed: args.seed.clone(), options }
        }
    };
    Taking::new(game, start, io::stdin().lock(), Visible(io::stdout().lock()))?.run()
}

fn from_notes(file: &Path) -> Result<Exit, String> {
    let bytes = read(file)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{}: the notes are not valid UTF-8", file.display()))?;
    match notation::read_record(&text, &dialects()) {
        Ok(noted) => {
            let record: Value =
                serde_json::from_str(&noted.record).map_err(|error| error.to_string())?;
            print(pretty(&record).as_bytes())?;
            Ok(Exit::Good)
        }
        Err(mistakes) => {
            complain(&render(file, &text, &mistakes));
            Ok(Exit::Unreadable)
        }
    }
}

fn to_notes(file: &Path) -> Result<Exit, String> {
    let bytes = read(file)?;
    let record = reading::meant(&bytes);
    let text = String::from_utf8(record.into_owned())
        .map_err(|_| format!("{}: the record is not valid UTF-8", file.display()))?;
    let notes = notation::write_record(&text, &dialects());
    print(notes.map_err(|why| format!("{}: {why}", file.display()))?.as_bytes())?;
    Ok(Exit::Good)
}

fn sheet(file: &Path, viewer: &str) -> Result<Exit, String> {
    let bytes = read(file)?;
    let sheet: Result<String, Fault> = reading::with_record(&bytes, |submission| {
        let wrong = |detail: String| Fault::new(FaultCode::BadRecord, "", detail);
        let seat = submission.game.viewer(viewer).filter(|it| *it != Observer::Referee);
        let seat = seat.ok_or_else(|| wrong(format!("{viewer:?} is not a seat of this game")))?;
        let text = submission.game.sheet(&submission.record, seat, limits())?;
        let value: Value =
            serde_json::from_str(text.get()).map_err(|error| wrong(error.to_string()))?;
        Ok(pretty(&value))
    });
    print(sheet.map_err(|fault| format!("{}: {fault}", file.display()))?.as_bytes())?;
    Ok(Exit::Good)
}
