//! The `umpire` command line.
//!
//! Human output is for people at a club table: one line says how a record stands, then come the
//! clause, the facts and what would have been legal. `--json` prints what the service would
//! answer. This module must not know a rule of any game.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::shared::{Exit, print};
use crate::config::Config;
use crate::description;

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
mod token;
mod validate;
mod verdict;
mod walk;
mod why;
mod words;

/// A deterministic referee for board games.
#[derive(Parser, Debug)]
#[command(name = "umpire", version, about, arg_required_else_help = true)]
struct Cli {
    /// The language of what the game says, where the game has it: en, it.
    #[arg(long, global = true, value_name = "CODE")]
    lang: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the HTTP service.
    Serve(Box<Config>),
    /// Make tokens for the service.
    Token(token::Token),
    /// Copy a store while a server runs on it: exit status 0 if every record of the copy is whole,
    /// 1 if the store is damaged and no copy was made, 2 if something cannot be read or written.
    Backup(backup::Backup),
    /// Take part in fair draws, and check them.
    Fair(fair::Fair),
    /// Look a store over, also while a server runs on it: exit status 0 if all is well, 1 if it is
    /// damaged, 2 if it cannot be read.
    Check(check::Check),
    /// Save what a damaged store still holds: exit status 0 if that is all, 1 if something is lost,
    /// 2 if nothing can be read or something cannot be written.
    Salvage(salvage::Salvage),
    /// Write the records of a store to a file that DuckDB, Polars, pandas and Spark read, also while a server runs on it:
    /// exit status 0 if all are there, 1 if some could not be read, 2 if nothing was written.
    Export(export::Export),
    /// Put a backup in the place of a store: exit status 0 if it lies there, 1 if the backup is
    /// damaged, 2 if something cannot be read or written, or a server has the store open.
    Restore(restore::Restore),
    /// Work on a whole store, in a file or in a database.
    Store(store::Store),
    /// Replay a record and tell its story.
    Replay(replay::Replay),
    /// Judge records: files, directories, NDJSON. Exit status 0 if all are legal (also where one is not
    /// what it claims of itself, which is told), 1 if one is not, 2 if something cannot be read.
    Validate(validate::Validate),
    /// Settle a dispute: a record under other readings of the rules. Exit status 0 if the record, or
    /// the action in question, is legal by its own readings, 1 if not, 2 if something cannot be read.
    Adjudicate(adjudicate::Adjudicate),
    /// Make keys for verdicts, show verdicts, and check them.
    Verdict(verdict::Verdict),
    /// Say whether an action is allowed, why not, and what would have to be otherwise. Exit status 0 if
    /// it is legal, 1 if it is illegal, 2 if something cannot be read, 3 if it cannot be decided from
    /// what the viewer may know.
    Why(why::Why),
    /// Explain a ply: action, events, clauses, and the facts before and after.
    Explain(why::Explain),
    /// Propose repairs of a record that is illegal, or not as it states of itself. Exit status 0 if there
    /// is nothing to repair, 1 if there is, 2 if something cannot be read.
    Repair(repair::Repair),
    /// Say what can be done about an illegal record, and what comes of it: back up, play on, or mend it.
    /// Exit status 0 for a legal record, 1 for an illegal one, 2 if something cannot be read.
    Remedy(remedy::Remedy),
    /// Find where two records part, or a record and another engine's fingerprints.
    Diff(diff::Diff),
    /// Show decided disputes.
    Precedents(precedents::Precedents),
    /// Find out what another reading, or this version of the rules, changes in records: exit status
    /// 0 if nothing changes, 1 if something does, 2 if something cannot be read.
    Impact(impact::Impact),
    /// Write or run a conformance pack for other engines.
    Conformance(conformance::Conformance),
    /// Show which readings of each ruling this engine runs, which is the default, and why.
    Compliance(compliance::Rulings),
    /// Advise a seat: the best actions, from what the seat can know.
    Hint(hint::Hint),
    /// Tell what can come of an action, and how likely: exit status 0 if it is legal, 1 if not.
    Odds(hint::Odds),
    /// Analyse a record: the chances at every ply, mistakes, luck and skill.
    Analyze(analyze::Analyze),
    /// Play a game against the search, in the terminal.
    Play(play::Play),
    /// Play games between programs, and count: who wins, how games end, what a reading changes.
    Simulate(simulate::Simulate),
    /// Draw the board: an SVG, or on a terminal characters.
    Board(board::Board),
    /// List the legal actions at the end of a record.
    Legal(legal::Legal),
    /// Show the clauses and rulings of a game.
    Rules(rules::Rules),
    /// Print an empty record of a game.
    New(new::New),
    /// Make a record of notes, notes of a record, or take a game down move by move. Exit status 2 if
    /// something cannot be read.
    Record(record::Record),
    /// Print the OpenAPI document of the service.
    Openapi,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(Err(message)) = cli.lang.as_deref().map(words::speak) {
        eprintln!("umpire: {message}");
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
            eprintln!("umpire: {why}");
            Exit::Unreadable.into()
        }
    }
}
