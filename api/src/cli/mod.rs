//! The `umpire` command line.
//!
//! Human output is for people at a club table: one line says whether a record is legal, followed by
//! the clause, the facts and the nearest legal actions. `--json` prints what the service would
//! return. This module must not know a rule of any game.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::shared::{Exit, complain, print};
use crate::app::config::Config;
use crate::documents::description;

mod adjudicate;
mod analyze;
mod backup;
mod board;
mod check;
mod choose;
mod compliance;
mod conformance;
mod diff;
mod export;
mod fair;
mod hint;
mod impact;
mod journal;
mod legal;
mod new;
mod notes;
mod play;
mod precedents;
mod record;
mod remedy;
mod repair;
mod replay;
mod restore;
mod rules;
mod salvage;
mod serve;
mod shared;
mod simulate;
mod store;
mod table;
mod taking;
mod threads;
mod token;
mod validate;
mod verdict;
mod walk;
mod why;
mod words;

/// Umpire, a deterministic referee for board games
///
/// It replays recorded games, says which action broke which clause of the rules, settles disputes
/// about rulings, and runs games as an HTTP service.
#[derive(Parser, Debug)]
#[command(name = "umpire", version, about, arg_required_else_help = true)]
struct Cli {
    /// The language of texts about the game, if the game is translated: en, it.
    #[arg(long, global = true, value_name = "CODE")]
    lang: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the HTTP service
    Serve(Box<Config>),
    /// Create access tokens for the service
    Token(token::Token),
    /// Back up a store, even while a server runs on it
    ///
    /// Exits 0 if every record of the copy is intact, 1 if the store is damaged (no copy is made),
    /// 2 if something cannot be read or written.
    Backup(backup::Backup),
    /// Take part in a fair draw of a seed, and verify one
    Fair(fair::Fair),
    /// Check a store, even while a server runs on it
    ///
    /// Exits 0 if everything is intact, 1 if the store is damaged, 2 if it cannot be read.
    Check(check::Check),
    /// Recover records from a damaged store. Exits 0 if everything was recovered
    ///
    /// Exits 1 if something was lost, 2 if nothing can be read or something cannot be written.
    Salvage(salvage::Salvage),
    /// Export the records of a store to a Parquet file, even while a server runs on it
    ///
    /// DuckDB, Polars, pandas and Spark can read the file. Exits 0 if every record was exported, 1
    /// if some could not be read, 2 if nothing was written.
    Export(export::Export),
    /// Restore a store from a backup
    ///
    /// Exits 0 if the store was restored, 1 if the backup is damaged, 2 if something cannot be read
    /// or written or a server has the store open.
    Restore(restore::Restore),
    /// Copy a whole store to another file or database
    Store(store::Store),
    /// Replay a record and tell its story
    Replay(replay::Replay),
    /// Validate records. A legal record whose claims do not hold still exits 0, with a warning
    ///
    /// Reads files, directories and NDJSON. Exits 0 if all records are legal, 1 if one is not, 2 if
    /// something cannot be read.
    Validate(validate::Validate),
    /// Settle a dispute: replay a record under other readings of the rules
    ///
    /// Exits 0 if the record, or the action in question, is legal under the record's own readings,
    /// 1 if not, 2 if something cannot be read.
    Adjudicate(adjudicate::Adjudicate),
    /// Generate signing keys, show verdict sheets, and verify them
    Verdict(verdict::Verdict),
    /// Explain whether an action is legal, why not, and what would have to change
    ///
    /// Exits 0 if it is legal, 1 if it is illegal, 2 if something cannot be read, 3 if it cannot be
    /// decided from what the viewer may know.
    Why(why::Why),
    /// Explain a ply: action, events, clauses, and the facts before and after
    Explain(why::Explain),
    /// Propose repairs of a record that is illegal, or whose claims do not hold
    ///
    /// Exits 0 if there is nothing to repair, 1 if there is, 2 if something cannot be read.
    Repair(repair::Repair),
    /// List the remedies for an illegal record and their results: back up, play on, or mend it
    ///
    /// Exits 0 if the record is legal, 1 if it is illegal, 2 if something cannot be read.
    Remedy(remedy::Remedy),
    /// Find where two records diverge, or a record and another engine's fingerprints
    Diff(diff::Diff),
    /// Show settled disputes
    Precedents(precedents::Precedents),
    /// Find out what another reading, or this version of the rules, changes in records
    ///
    /// Exits 0 if nothing changes, 1 if something does, 2 if something cannot be read.
    Impact(impact::Impact),
    /// Write or run a conformance pack for other engines
    Conformance(conformance::Conformance),
    /// Show which readings of each ruling this engine supports, which is the default, and why
    Compliance(compliance::Rulings),
    /// Advise a seat: the best actions given what the seat can know
    Hint(hint::Hint),
    /// Show the possible outcomes of an action and their odds
    ///
    /// Exits 0 if the action is legal, 1 if not.
    Odds(hint::Odds),
    /// Analyse a record: winning chances at every ply, mistakes, luck and skill
    Analyze(analyze::Analyze),
    /// Play a game against the computer in the terminal
    Play(play::Play),
    /// Simulate games between programs: who wins, how games end, what a reading changes
    Simulate(simulate::Simulate),
    /// Draw the board, as an SVG or with characters
    Board(board::Board),
    /// List the legal actions at the end of a record
    Legal(legal::Legal),
    /// Show the clauses and rulings of a game
    Rules(rules::Rules),
    /// Print an empty record of a game
    New(new::New),
    /// Convert notes to a record or a record to notes, or take down a game move by move
    ///
    /// Exits 2 if something cannot be read.
    Record(record::Record),
    /// Print the OpenAPI document of the service
    Openapi,
    /// Print a completion script for a shell
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(Err(message)) = cli.lang.as_deref().map(words::speak) {
        complain(&format!("umpire: {message}\n"));
        return Exit::Unreadable.into();
    }
    let result = match cli.command {
        Command::Serve(config) => serve::run(*config),
        Command::Token(args) => token::run(&args),
        Command::Fair(args) => fair::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Salvage(args) => salvage::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Store(args) => store::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Adjudicate(args) => adjudicate::run(&args),
        Command::Verdict(args) => verdict::run(&args),
        Command::Why(args) => why::why(&args),
        Command::Explain(args) => why::explain(&args),
        Command::Repair(args) => repair::run(&args),
        Command::Remedy(args) => remedy::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Precedents(args) => precedents::run(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Compliance(args) => compliance::run(&args),
        Command::Hint(args) => hint::hint(&args),
        Command::Odds(args) => hint::odds(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Legal(args) => legal::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::New(args) => new::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Openapi => print(description::TEXT.as_bytes()).map(|()| Exit::Good),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "umpire", &mut script);
            print(&script).map(|()| Exit::Good)
        }
    };
    match result {
        Ok(exit) => exit.into(),
        Err(why) => {
            complain(&format!("umpire: {why}\n"));
            Exit::Unreadable.into()
        }
    }
}
