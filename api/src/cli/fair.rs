//! `umpire fair`: takes part in a fair draw of a seed, and verifies one.
//!
//! This module must not store a secret: it is printed once.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use umpire_engine::chance::fair::{Transcript, commitment};
use umpire_engine::record::Fault;

use super::shared::{Exit, print, read};
use crate::auth::secrets::Secret;
use umpire_referee::reading::{Submission, with_record};

/// The fair draw command.
#[derive(Args, Debug)]
pub(super) struct Fair {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Draw a secret for a seat of a table
    ///
    /// Prints the secret and its commitment. Send the commitment first, and the secret once
    /// everyone has sent a commitment.
    Commit {
        /// The table id.
        table: String,
        /// The seat.
        seat: String,
    },
    /// Verify that the seed of a record was drawn fairly
    ///
    /// Prints the part of each player. Exits 0 if the draw gives the seed of the record, 1 if not,
    /// 2 if something cannot be read.
    Verify {
        /// The record; - for standard input.
        file: PathBuf,
    },
}

/// Runs the command.
pub(super) fn run(args: &Fair) -> Result<Exit, String> {
    match &args.command {
        Command::Commit { table, seat } => {
            let secret = Secret::random()?.reveal();
            let commitment = commitment(table, seat, &secret);
            print(format!("secret      {secret}\ncommitment  {commitment}\n").as_bytes())?;
            Ok(Exit::Good)
        }
        Command::Verify { file } => {
            let text = read(file)?;
            let judged = with_record(&text, |Submission { record, game, .. }| {
                let Some(draw) = &record.chance.fair else { return Ok(None) };
                let seats = game.seats(record)?;
                Ok::<_, Fault>(Some(verdict(draw, &seats, record.chance.seed.as_deref())))
            });
            let Some((text, holds)) = judged.map_err(|fault| fault.to_string())? else {
                return Err(format!("{}: the record has no fair draw", file.display()));
            };
            print(text.as_bytes())?;
            Ok(if holds { Exit::Good } else { Exit::Illegal })
        }
    }
}

/// Describes a draw in a game with these seats, and says whether it is valid.
fn verdict(draw: &Transcript, seats: &[&str], seed: Option<&str>) -> (String, bool) {
    let mut text = format!("The seed was drawn at table {}.\n", draw.table);
    for part in &draw.parts {
        let did = match (&part.commitment, &part.secret) {
            (Some(_), Some(secret)) => format!("committed and revealed {secret}"),
            (None, None) if part.program => {
                "played by a program, which takes no part in the draw".to_owned()
            }
            (Some(_), None) => "committed but did not reveal, and was left out".to_owned(),
            (None, _) => "did not commit, and was left out".to_owned(),
        };
        text += &format!("  {:<12} {did}\n", part.who);
    }
    let faults = draw.faults(seats);
    for fault in &faults {
        text += &format!("Error: {fault}.\n");
    }
    let given = draw.seed();
    let same = seed == Some(given.as_str());
    text += &format!("The secrets give the seed {given}.\n");
    text += match (same, faults.is_empty()) {
        (true, true) => "It is the seed of the record: no participant could choose it.\n",
        (true, false) => "It is the seed of the record, but the draw was not fair.\n",
        (false, _) => "The record has a different seed.\n",
    };
    (text, same && faults.is_empty())
}
