//! `umpire repair`: proposes how an illegal record may have been meant.
//!
//! This module must not change a record: it prints proposals, and a person decides.

use std::fmt::Write;

use clap::Args;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::patch;
use umpire_engine::dispute::repair::{RepairBounds, Repairs};
use umpire_engine::replay::answer::{Status, Violation};

use super::shared::{Exit, Input, limits, pretty, pretty_in, print, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::reading;

/// How far to search.
#[derive(Args, Debug)]
pub(super) struct Repair {
    #[command(flatten)]
    input: Input,
    /// The maximum number of repairs to print.
    #[arg(long, value_name = "NUMBER", default_value_t = 5,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    most: u8,
    /// The maximum number of edits to combine in one repair.
    #[arg(long, value_name = "NUMBER", default_value_t = 3,
        value_parser = clap::value_parser!(u8).range(1..=3))]
    edits: u8,
    /// Print the repaired record instead, for the repair with this number.
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    show: Option<usize>,
}

/// Proposes repairs. Exits 0 if the record is legal, 1 if it needs a repair.
pub(super) fn run(args: &Repair) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Repair, text: &[u8]) -> Result<(String, Exit), Problem> {
    reading::with_record(text, |submission| {
        let bounds = RepairBounds {
            most: usize::from(args.most),
            edits: usize::from(args.edits),
            ..RepairBounds::default()
        };
        let found = submission.game.repair(&submission.record, bounds, limits())?;
        let whole = found.violation.is_none() && found.findings.is_empty();
        let exit = if whole { Exit::Good } else { Exit::Illegal };
        if args.input.json {
            return Ok((pretty_in(submission.game, &found), exit));
        }
        if let Some(number) = args.show {
            let record = serde_json::from_slice(submission.text).unwrap_or_default();
            let repair = number.checked_sub(1).and_then(|at| found.repairs.get(at));
            let mended = repair.and_then(|repair| patch::apply(&record, &repair.edits));
            let mended = mended.ok_or_else(|| {
                Problem::not_found(format!(
                    "there is no repair {number}; there are {}",
                    found.repairs.len()
                ))
            })?;
            return Ok((pretty(&mended), exit));
        }
        let mut out = String::new();
        match &found.violation {
            None if whole => {
                let _ =
                    writeln!(out, "Legal: nothing to repair in {}.", words::actions(found.plies));
            }
            None => {
                let _ = writeln!(
                    out,
                    "Legal in {}, by {}.",
                    words::actions(found.plies),
                    found.ruleset
                );
                out.push_str(&words::findings(&found.findings, true));
                render(&mut out, submission.game, &found);
            }
            Some(violation) => {
                let _ = writeln!(out, "{}", headline(&found, violation));
                out.push_str(&words::violation(submission, violation));
                render(&mut out, submission.game, &found);
            }
        }
        Ok((out, exit))
    })
}

/// The headline for a record that needs a repair. A fault of the tape is nobody's illegal action.
fn headline(found: &Repairs, violation: &Violation) -> String {
    let (after, by) = (words::actions(found.plies), &found.ruleset);
    match (found.status, violation.pointer.strip_prefix("/chance/tape/")) {
        (Status::BadChance, Some(entry)) => {
            format!("The tape does not match at entry {entry}, after {after}, by {by}.")
        }
        (Status::BadChance, None) => {
            format!("The tape has no entry for the draw after {after}, by {by}.")
        }
        _ => format!("Illegal after {after}, by {by}."),
    }
}

fn render(out: &mut String, game: &'static dyn AnyGame, found: &Repairs) {
    let local = |text: &str| words::local(game, text);
    for omission in &found.omissions {
        let _ = writeln!(out, "Left out throughout: {}.", local(omission));
    }
    if found.repairs.is_empty() {
        let _ = writeln!(
            out,
            "No small repair gets any further ({} tried).",
            words::actions(found.tried)
        );
        return;
    }
    let _ = writeln!(out, "Possible repairs (the record itself is not changed):");
    for (number, repair) in (1..).zip(&found.repairs) {
        let _ = writeln!(out, "  {number}. {}", local(&repair.words));
        let _ = match (&repair.violation, repair.complete) {
            (None, true) => {
                let claims = match repair.claims {
                    Some(true) => ", and the record's claims hold",
                    Some(false) => ", but the record's claims do not hold",
                    None => "",
                };
                writeln!(out, "     {} then legal{claims}", all(repair.of))
            }
            (Some(next), _) => writeln!(
                out,
                "     {} of {} {} then legal; then {}: {}",
                repair.plies,
                words::actions(repair.of),
                are(repair.plies),
                next.rule,
                local(&next.message)
            ),
            (None, false) => {
                writeln!(
                    out,
                    "     {} of {} {} then legal",
                    repair.plies,
                    words::actions(repair.of),
                    are(repair.plies)
                )
            }
        };
    }
    if found.exhausted {
        let _ = writeln!(out, "The search was cut short by its limits.");
    }
}

/// "all 3 actions are", as the subject of a sentence.
fn all(count: u32) -> String {
    match count {
        1 => "the 1 action is".to_owned(),
        _ => format!("all {} are", words::actions(count)),
    }
}

fn are(count: u32) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
