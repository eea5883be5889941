//! The `umpire` command line.
//!
//! Human output is for people at a club table: one line says how a record stands, then come the
//! clause, the facts and what would have been legal. `--json` prints what the service would
//! answer. This module must not know a rule of any game.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use serde::Serialize;
use umpire_engine::erased::{AnyGame, Limits, Query, Status};
use umpire_engine::games::{self, GAMES};

use crate::config::Config;
use crate::error::ApiError;
use crate::store::sqlite::SqliteStore;

mod adjudicate;
mod conformance;
mod diff;
mod impact;
mod journal;
mod legal;
mod new;
mod precedents;
mod repair;
mod replay;
mod rules;
mod serve;
mod validate;
mod walk;
mod why;
mod words;

/// A deterministic referee for board games.
#[derive(Parser, Debug)]
#[command(name = "umpire", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the HTTP service.
    Serve(Box<Config>),
    /// Replay a record and tell its story.
    Replay(replay::Replay),
    /// Judge records: files, directories, NDJSON.
    Validate(validate::Validate),
    /// Settle a dispute: a record under other readings of the rules.
    Adjudicate(adjudicate::Adjudicate),
    /// Say whether an action is allowed, why not, and what would have to be otherwise.
    Why(why::Why),
    /// Explain a ply: action, events, clauses, and the facts before and after.
    Explain(why::Explain),
    /// Propose repairs of an illegal record.
    Repair(repair::Repair),
    /// Find where two records part, or a record and another engine's fingerprints.
    Diff(diff::Diff),
    /// Show decided disputes.
    Precedents(precedents::Precedents),
    /// Find out what another reading, or this version of the rules, changes in records: exit status
    /// 0 if nothing changes, 1 if something does, 2 if something cannot be read.
    Impact(impact::Impact),
    /// Write or run a conformance pack for other engines.
    Conformance(conformance::Conformance),
    /// List the legal actions at the end of a record.
    Legal(legal::Legal),
    /// Show the clauses and rulings of a game.
    Rules(rules::Rules),
    /// Print an empty record of a game.
    New(new::New),
    /// Print the OpenAPI document of the service.
    Openapi,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// One record to read.
#[derive(Args, Debug)]
struct Input {
    /// The record; - reads standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print what the service would answer.
    #[arg(long)]
    json: bool,
}

/// What a command found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All is well: exit status 0.
    Good,
    /// A record is illegal, or something differs: exit status 1.
    Illegal,
    /// Something could not be read: exit status 2.
    Unreadable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Good => ExitCode::SUCCESS,
            Exit::Illegal => ExitCode::from(1),
            Exit::Unreadable => ExitCode::from(2),
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Complete | Status::InProgress => Exit::Good,
            Status::Illegal | Status::BadChance => Exit::Illegal,
        }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    let result = match command {
        Command::Serve(config) => serve::run(*config),
        Command::Replay(args) => replay::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Adjudicate(args) => adjudicate::run(&args),
        Command::Why(args) => why::why(&args),
        Command::Explain(args) => why::explain(&args),
        Command::Repair(args) => repair::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Precedents(args) => precedents::run(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Legal(args) => legal::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::New(args) => new::run(&args),
        Command::Openapi => print(crate::openapi::text().as_bytes()).map(|()| Exit::Good),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "umpire", &mut script);
            print(&script).map(|()| Exit::Good)
        }
    };
    match result {
        Ok(exit) => exit.into(),
        Err(why) => {
            eprintln!("umpire: {why}");
            Exit::Unreadable.into()
        }
    }
}

/// Writes to standard output. A reader that has gone (`| head`) is no error.
fn print(text: &[u8]) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints a value as indented JSON.
fn print_json<T: Serialize>(value: &T) -> Result<(), String> {
    print(pretty(value).as_bytes())
}

/// An answer as indented JSON, with its last line ended. What was carried over as text is indented
/// too.
fn pretty<T: Serialize>(value: &T) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// The store at a path, which must be there: opening would make one.
fn stored(path: &Path) -> Result<SqliteStore, String> {
    if !path.is_file() {
        return Err(format!("there is no store {}", path.display()));
    }
    SqliteStore::open(path).map_err(|error| error.to_string())
}

/// Reads a whole file, or standard input.
fn read(file: &Path) -> Result<Vec<u8>, String> {
    let read = if file.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Says that a record could not be answered; with `json` as the service would.
fn unanswered(error: &ApiError, input: &Input) -> Result<Exit, String> {
    if input.json {
        print_json(&error.problem())?;
    } else {
        eprintln!("umpire: {}: {}", input.file.display(), words::problem(error));
    }
    Ok(Exit::Unreadable)
}

fn game_named(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        format!("there is no game {id:?}; the games are {}", known.join(", "))
    })
}

/// The engine's question for a viewer by name.
fn query(game: &dyn AnyGame, viewer: &str, ply: Option<u32>) -> Result<Query, ApiError> {
    let observer = game.viewer(viewer).ok_or_else(|| {
        ApiError::NotFound(format!(
            "nobody called {viewer:?} looks at {}; referee, spectator, {} do",
            game.meta().id,
            game.meta().seats.join(", ")
        ))
    })?;
    Ok(Query { viewer: observer, ply, ..Query::default() })
}

/// No bound that a record of a real game could meet.
fn limits() -> Limits {
    Limits::default()
}
