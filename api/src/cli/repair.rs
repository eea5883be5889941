//! `umpire repair`: how an illegal record might have been meant.
//!
//! This module must not change a record: it prints proposals, and a person decides.

use std::fmt::Write;

use clap::Args;
use umpire_engine::dispute::patch;
use umpire_engine::dispute::repair::{RepairBounds, Repairs};

use super::shared::{Exit, Input, limits, pretty, print, read, unanswered};
use super::words;
use crate::error::ApiError;
use crate::referee;

/// How far to look.
#[derive(Args, Debug)]
pub(super) struct Repair {
    #[command(flatten)]
    input: Input,
    /// The most repairs to print.
    #[arg(long, value_name = "NUMBER", default_value_t = 5,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    most: u8,
    /// The most edits to try together.
    #[arg(long, value_name = "NUMBER", default_value_t = 3,
        value_parser = clap::value_parser!(u8).range(1..=3))]
    edits: u8,
    /// Print the record under one of the repairs instead, by its number.
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    show: Option<usize>,
}

/// Proposes repairs: exit status 0 for a legal record, 1 for one that needs them.
pub(super) fn run(args: &Repair) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Repair, text: &[u8]) -> Result<(String, Exit), ApiError> {
    referee::with_record(text, |submission| {
        let bounds = RepairBounds {
            most: usize::from(args.most),
            edits: usize::from(args.edits),
            ..RepairBounds::default()
        };
        let found = submission.game.repair(&submission.record, bounds, limits())?;
        let exit = if found.violation.is_none() { Exit::Good } else { Exit::Illegal };
        if args.input.json {
            return Ok((pretty(&found), exit));
        }
        if let Some(number) = args.show {
            let record = serde_json::from_slice(submission.text).unwrap_or_default();
            let repair = number.checked_sub(1).and_then(|at| found.repairs.get(at));
            let mended = repair.and_then(|repair| patch::apply(&record, &repair.edits));
            let mended = mended.ok_or_else(|| {
                ApiError::NotFound(format!(
                    "there is no repair {number}; there are {}",
                    found.repairs.len()
                ))
            })?;
            return Ok((pretty(&mended), exit));
        }
        let mut out = String::new();
        match &found.violation {
            None => {
                let _ = writeln!(out, "Legal: nothing to repair in {} actions.", found.plies);
            }
            Some(violation) => {
                let _ =
                    writeln!(out, "Illegal after {} actions, by {}.", found.plies, found.ruleset);
                out.push_str(&words::violation(submission, violation));
                render(&mut out, &found);
            }
        }
        Ok((out, exit))
    })
}

fn render(out: &mut String, found: &Repairs) {
    if found.repairs.is_empty() {
        let _ = writeln!(out, "No small repair gets further ({} actions tried).", found.tried);
        return;
    }
    let _ = writeln!(out, "It may have been meant like this; nothing is changed:");
    for (number, repair) in (1..).zip(&found.repairs) {
        let _ = writeln!(out, "  {number}. {}", repair.words);
        let _ = match (&repair.violation, repair.complete) {
            (None, true) => {
                let claims = match repair.claims {
                    Some(true) => ", and what the record claims holds",
                    Some(false) => ", but what the record claims does not hold",
                    None => "",
                };
                writeln!(out, "     all {} actions are then legal{claims}", repair.of)
            }
            (Some(next), _) => writeln!(
                out,
                "     {} of {} actions are then legal; then {}: {}",
                repair.plies, repair.of, next.rule, next.message
            ),
            (None, false) => {
                writeln!(out, "     {} of {} actions are then legal", repair.plies, repair.of)
            }
        };
    }
    if found.exhausted {
        let _ = writeln!(out, "The search was ended by its bounds.");
    }
}
