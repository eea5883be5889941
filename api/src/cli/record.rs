//! `umpire record`: a record from notes, notes from a record, or taken down move by move.
//!
//! This module must not know a game's notation, and must not judge what it only carries over.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;
use umpire_engine::game::Observer;
use umpire_engine::notation;
use umpire_engine::record::{Fault, FaultCode};

use super::notes::{dialects, notes_of, render};
use super::shared::{Exit, game_named, limits, pretty, print, read};
use super::taking::{Start, Taking};
use crate::referee;

/// What to make of what.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("way").required(true))]
pub(super) struct Record {
    /// Notes (docs/notation.md): the record is printed; - reads standard input.
    #[arg(long, value_name = "NOTES", group = "way")]
    from: Option<PathBuf>,
    /// A record: notes are printed; - reads standard input.
    #[arg(long, value_name = "FILE", group = "way")]
    to_notes: Option<PathBuf>,
    /// A whole record: what one player could have written down of it is printed, everything else is unknown.
    #[arg(long, value_name = "FILE", group = "way", requires = "viewer")]
    sheet: Option<PathBuf>,
    /// With --sheet: the player.
    #[arg(long, value_name = "SEAT", requires = "sheet")]
    viewer: Option<String>,
    /// A game that is played now and taken down in the terminal.
    #[arg(long, value_name = "GAME", group = "way")]
    play: Option<String>,
    /// With --play: chance comes from this seed; where none is named, what fell at the table is asked for.
    #[arg(long, value_name = "TEXT", requires = "play")]
    seed: Option<String>,
    /// With --play: the options, in JSON.
    #[arg(long, value_name = "JSON", requires = "play")]
    options: Option<String>,
    /// With --play: a record (or notes) of the game as it stands, to go on with.
    #[arg(long = "continue", value_name = "FILE", requires = "play", conflicts_with_all = ["seed", "options"])]
    begun: Option<PathBuf>,
}

/// Does it.
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
            let record = referee::meant(&text);
            let record = serde_json::from_slice(&record);
            Start::Record(record.map_err(|error| format!("{}: {error}", file.display()))?)
        }
        None => {
            let options = args.options.as_deref().map(serde_json::from_str::<Value>).transpose();
            let options = options.map_err(|error| format!("the options are no JSON: {error}"))?;
            Start::New { seed: args.seed.clone(), options }
        }
    };
    Taking::new(game, start, io::stdin().lock(), io::stdout().lock())?.run()
}

fn from_notes(file: &Path) -> Result<Exit, String> {
    let bytes = read(file)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{}: the notes are no UTF-8", file.display()))?;
    match notation::read_record(&text, &dialects()) {
        Ok(noted) => {
            let record: Value =
                serde_json::from_str(&noted.record).map_err(|error| error.to_string())?;
            print(pretty(&record).as_bytes())?;
            Ok(Exit::Good)
        }
        Err(mistakes) => {
            eprint!("{}", render(file, &text, &mistakes));
            Ok(Exit::Unreadable)
        }
    }
}

fn to_notes(file: &Path) -> Result<Exit, String> {
    let bytes = read(file)?;
    let record = referee::meant(&bytes);
    let text = String::from_utf8(record.into_owned())
        .map_err(|_| format!("{}: the record is no UTF-8", file.display()))?;
    let notes = notation::write_record(&text, &dialects());
    print(notes.map_err(|why| format!("{}: {why}", file.display()))?.as_bytes())?;
    Ok(Exit::Good)
}

fn sheet(file: &Path, viewer: &str) -> Result<Exit, String> {
    let bytes = read(file)?;
    let sheet: Result<String, Fault> = referee::with_record(&bytes, |submission| {
        let wrong = |detail: String| Fault::new(FaultCode::BadRecord, "", detail);
        let seat = submission.game.viewer(viewer).filter(|it| *it != Observer::Referee);
        let seat = seat.ok_or_else(|| wrong(format!("{viewer:?} is no player of this game")))?;
        let text = submission.game.sheet(&submission.record, seat, limits())?;
        let value: Value =
            serde_json::from_str(text.get()).map_err(|error| wrong(error.to_string()))?;
        Ok(pretty(&value))
    });
    print(sheet.map_err(|fault| format!("{}: {fault}", file.display()))?.as_bytes())?;
    Ok(Exit::Good)
}
