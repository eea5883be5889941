//! `umpire token`: new tokens, and their lines in a token file.
//!
//! A token is shown once and kept nowhere: the file has its hash. This module must not log one.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::shared::{Exit, print};
use crate::auth::{self, TOKEN_FILE, Tokens};
use crate::secrets;

/// What to do with tokens.
#[derive(Args, Debug)]
pub(super) struct Token {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make a token and show it, once; the token file gets its hash.
    New(New),
}

/// What the new token allows.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("scope").required(true).multiple(true)
    .args(["admin", "write", "read", "metrics", "seat"]))]
struct New {
    /// Everything.
    #[arg(long, conflicts_with_all = ["write", "read", "metrics", "seat"])]
    admin: bool,
    /// To store and delete records, to start and cancel impacts, and to read all that is stored.
    #[arg(long, conflicts_with_all = ["read", "seat"])]
    write: bool,
    /// To read all that is stored.
    #[arg(long, conflicts_with = "seat")]
    read: bool,
    /// To see the metrics.
    #[arg(long)]
    metrics: bool,
    /// To look at one record as this viewer: a seat, or `spectator`.
    #[arg(long, value_name = "VIEWER", requires = "record")]
    seat: Option<String>,
    /// The id of that record, as the service gives it.
    #[arg(long, value_name = "ID", requires = "seat")]
    record: Option<String>,
    /// A comment for the file, such as whom the token is for.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The token file to add the line to, made for its owner only if it does not exist. Without it,
    /// the line is printed after the token.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Does it.
pub(super) fn run(args: &Token) -> Result<Exit, String> {
    match &args.command {
        Command::New(args) => new(args),
    }
}

fn new(args: &New) -> Result<Exit, String> {
    let (token, kept) = auth::new_token()?;
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
            return Err("a note is one line of text".to_owned());
        }
        words.push(format!("# {note}"));
    }
    let line = words.join(" ");
    // Seats are of use only where reading is protected, which the file does not say.
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
