//! Shared by all commands: exit statuses, input and output.
//!
//! This module must not know a command.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::{self, GAMES};
use umpire_engine::replay::answer::Status;
use umpire_engine::replay::{Limits, Query};

use super::words;
use crate::store::Store;
use crate::store::place::Place;
use umpire_referee::json;
use umpire_referee::problem::Problem;

/// The record to read.
#[derive(Args, Debug)]
pub(super) struct Input {
    /// The record; - reads standard input.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Print what the service would return.
    #[arg(long)]
    pub(super) json: bool,
}

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Success: exit status 0.
    Good,
    /// A record is illegal, or something differs: exit status 1.
    Illegal,
    /// Something could not be read: exit status 2.
    Unreadable,
    /// It cannot be decided from what the viewer may know: exit status 3.
    Undecidable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Good => ExitCode::SUCCESS,
            Exit::Illegal => ExitCode::from(1),
            Exit::Unreadable => ExitCode::from(2),
            Exit::Undecidable => ExitCode::from(3),
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Complete | Status::InProgress | Status::Possible => Exit::Good,
            Status::Illegal | Status::BadChance | Status::Impossible => Exit::Illegal,
            Status::Undecided => Exit::Undecidable,
        }
    }
}

/// A text that does nothing to a terminal: its control characters but line ends and tabs, as JSON escapes. (JSON means the
/// same before and after.) What is not UTF-8 loses what is wrong with it.
pub(super) fn visible(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it.is_control() && !matches!(it, '\n' | '\t') {
            true => drop(write!(out, "\\u{:04x}", u32::from(it))),
            false => out.push(it),
        }
    }
    out
}

/// Writes to standard output what a terminal may show. A closed pipe (`| head`) is not an error.
pub(super) fn print(text: &[u8]) -> Result<(), String> {
    print_exact(visible(text).as_bytes())
}

/// As [`print()`], with the colours of a board.
pub(super) fn print_painted(text: &str) -> Result<(), String> {
    let mut parts = text.split("\u{1b}[");
    let mut out = visible(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let colour = part
            .split_once('m')
            .filter(|(code, _)| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'));
        match colour {
            Some((code, rest)) => {
                let _ = write!(out, "\u{1b}[{code}m{}", visible(rest.as_bytes()));
            }
            None => out.push_str(&visible(format!("\u{1b}[{part}").as_bytes())),
        }
    }
    print_exact(out.as_bytes())
}

/// Writes to standard error what a terminal may show.
pub(super) fn complain(text: &str) {
    eprint!("{}", visible(text.as_bytes()));
}

/// Writes to standard output what this program has made itself, byte for byte.
pub(super) fn print_exact(text: &[u8]) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write: {error}"))
        }
        _ => Ok(()),
    }
}

/// Passes on what a terminal may show.
pub(super) struct Visible<W>(pub(super) W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write_all(visible(text).as_bytes())?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Prints a value as indented JSON.
pub(super) fn print_json<T: Serialize>(value: &T) -> Result<(), String> {
    print(pretty(value).as_bytes())
}

/// A response as indented JSON with a final newline. Embedded JSON text is indented, too.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// A response as JSON, as the service sends it in that language.
pub(super) fn pretty_in<T: Serialize>(game: &'static dyn AnyGame, answer: &T) -> String {
    let voice = words::voice(game);
    if voice.is_english() {
        return pretty(answer);
    }
    let text = voice.answer(json::text(answer));
    serde_json::from_slice::<serde_json::Value>(&text)
        .map_or_else(|_| pretty(answer), |it| pretty(&it))
}

/// The store at a path or database address. A file must exist: opening would create it.
pub(super) fn stored(path: &Path) -> Result<Box<dyn Store>, String> {
    let place = Place::from(path);
    if place.file().is_some_and(|path| !path.is_file()) {
        return Err(format!("the store {} does not exist", path.display()));
    }
    place.open().map_err(|error| error.to_string())
}

/// Rejects the address of a database if a file is required, with what to use instead.
pub(super) fn file_only(path: &Path, instead: &str) -> Result<(), String> {
    match Place::from(path) {
        Place::File(_) => Ok(()),
        place => {
            Err(format!("{place}: this command works on files only; for a database, {instead}"))
        }
    }
}

/// Reads a whole file, or standard input; UTF-16 becomes UTF-8.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    let read = if file.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(file)
    };
    read.map(in_utf8).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// What is UTF-16 by its first two bytes, as some editors save text, in UTF-8; everything else as it is.
pub(super) fn in_utf8(text: Vec<u8>) -> Vec<u8> {
    let decoded = |units: &[u8], unit: fn([u8; 2]) -> u16| {
        let (units, rest) = units.as_chunks();
        let units: Vec<u16> = units.iter().map(|bytes| unit(*bytes)).collect();
        String::from_utf16(&units).ok().filter(|_| rest.is_empty())
    };
    let decoded = match text.split_first_chunk() {
        Some(([0xff, 0xfe], units)) => decoded(units, u16::from_le_bytes),
        Some(([0xfe, 0xff], units)) => decoded(units, u16::from_be_bytes),
        _ => None,
    };
    decoded.map_or(text, String::into_bytes)
}

/// Reports that a record could not be processed; with `json` as the service would.
pub(super) fn unanswered(error: &Problem, input: &Input) -> Result<Exit, String> {
    if input.json {
        print_json(error)?;
    } else {
        complain(&format!("umpire: {}: {}\n", input.file.display(), words::problem(error)));
    }
    Ok(Exit::Unreadable)
}

pub(super) fn game_named(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        format!("unknown game {id:?}; expected one of {}", known.join(", "))
    })
}

/// The engine query for a viewer with this name.
pub(super) fn query(
    game: &dyn AnyGame,
    viewer: &str,
    ply: Option<u32>,
) -> Result<Query<'static>, Problem> {
    let observer = game.viewer(viewer).ok_or_else(|| {
        Problem::not_found(format!(
            "unknown viewer {viewer:?} of {}; expected one of referee, spectator, {}",
            game.meta().id,
            game.meta().seats.join(", ")
        ))
    })?;
    Ok(Query { viewer: observer, ply, ..Query::default() })
}

/// Limits far beyond the record of any real game.
pub(super) fn limits() -> Limits<'static> {
    Limits::default()
}
