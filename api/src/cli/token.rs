//! `umpire token`: generates tokens and their entries in a token file.
//!
//! A token is printed once and stored nowhere: the file contains its hash. This module must not log
//! a token.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::shared::{Exit, print};
use crate::auth::secrets;
use crate::auth::tokens::{self, TOKEN_FILE, Tokens};

/// The token command.
#[derive(Args, Debug)]
pub(super) struct Token {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Generate a token and print it once; the token file gets its hash
    New(New),
}

/// The scope of the new token.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("scope").required(true).multiple(true)
    .args(["admin", "write", "read", "metrics", "seat"]))]
struct New {
    /// Everything.
    #[arg(long, conflicts_with_all = ["write", "read", "metrics", "seat"])]
    admin: bool,
    /// Store and delete records, start and cancel impacts, and read everything that is stored.
    #[arg(long, conflicts_with_all = ["read", "seat"])]
    write: bool,
    /// Read everything that is stored.
    #[arg(long, conflicts_with = "seat")]
    read: bool,
    /// View the metrics.
    #[arg(long)]
    metrics: bool,
    /// View one record as this viewer: a seat, or `spectator`.
    #[arg(long, value_name = "VIEWER", requires = "record")]
    seat: Option<String>,
    /// The id of that record, as the service shows it.
    #[arg(long, value_name = "ID", requires = "seat")]
    record: Option<String>,
    /// A comment for the file, such as who the token is for.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The token file to append to, created for its owner only if it does not exist. Without it,
    /// the entry is printed after the token.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &Token) -> Result<Exit, String> {
    match &args.command {
        Command::New(args) => new(args),
    }
}

fn new(args: &New) -> Result<Exit, String> {
    let (token, kept) = tokens::new_token()?;
    let mut words: Vec<String> = Vec::new();
    let flags = [
        ("admin", args.admin),
        ("write", args.write),
        ("read", args.read),
        ("metrics", args.metrics),
    ];
    words.extend(flags.iter().filter(|(_, set)| *set).map(|(scope, _)| (*scope).to_owned()));
    if let (Some(viewer), Some(record)) = (&args.seat, &args.record) {
        words.push(format!("seat={viewer}@{record}"));
    }
    words.push(kept);
    if let Some(note) = &args.note {
        if note.contains(char::is_control) {
            return Err("the note must be a single line of text".to_owned());
        }
        words.push(format!("# {note}"));
    }
    let line = words.join(" ");
    // Seats require protected reading, which the file does not know about.
    let fits = |text: &str| Tokens::parse(text, true).map(drop);
    fits(&line).map_err(|why| why.replace("line 1: ", ""))?;
    match &args.file {
        None => print(format!("{token}\n{line}\n").as_bytes())?,
        Some(file) => {
            let named = |why: String| format!("{TOKEN_FILE} {}: {why}", file.display());
            secrets::append(file, TOKEN_FILE, &line, |text| fits(text).map_err(named))?;
            print(format!("{token}\n").as_bytes())?;
        }
    }
    Ok(Exit::Good)
}
