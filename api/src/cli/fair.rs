//! `umpire fair`: parts of fair draws, and whether a draw was fair.
//!
//! This module must not keep a secret: it is shown once.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use umpire_engine::chance::fair::{Transcript, commitment};
use umpire_engine::record::Fault;

use super::shared::{Exit, print, read};
use crate::referee::{Submission, with_record};
use crate::secrets::Secret;

/// What to do about fair draws.
#[derive(Args, Debug)]
pub(super) struct Fair {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Draw a secret for a seat of a table, and show it with its commitment: send the commitment first, and the
    /// secret once all have sent theirs.
    Commit {
        /// The id of the table.
        table: String,
        /// The seat.
        seat: String,
    },
    /// Say who gave what to the seed of a record, and whether it is the seed of the record: exit status 0 if it is,
    /// 1 if not, 2 if something cannot be read.
    Verify {
        /// The record; - for standard input.
        file: PathBuf,
    },
}

/// Does it.
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

/// What there is to say of a draw in a game with these seats, and whether it holds.
fn verdict(draw: &Transcript, seats: &[&str], seed: Option<&str>) -> (String, bool) {
    let mut text = format!("The seed was drawn at the table {}.\n", draw.table);
    for part in &draw.parts {
        let did = match (&part.commitment, &part.secret) {
            (Some(_), Some(secret)) => format!("committed, and opened {secret}"),
            (None, None) if part.program => "a program plays it, and gives nothing".to_owned(),
            (Some(_), None) => "committed, did not open it, and was left out".to_owned(),
            (None, _) => "gave nothing, and was left out".to_owned(),
        };
        text += &format!("  {:<12} {did}\n", part.who);
    }
    let faults = draw.faults(seats);
    for fault in &faults {
        text += &format!("Wrong: {fault}.\n");
    }
    let given = draw.seed();
    let same = seed == Some(given.as_str());
    text += &format!("The secrets give the seed {given}.\n");
    text += match (same, faults.is_empty()) {
        (true, true) => "It is the seed of the record: nobody who took part could choose it.\n",
        (true, false) => "It is the seed of the record, but the draw was not fair.\n",
        (false, _) => "The record has another seed.\n",
    };
    (text, same && faults.is_empty())
}
