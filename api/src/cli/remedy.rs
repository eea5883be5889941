//! `umpire remedy`: the remedies for an illegal record, and the result of each.
//!
//! This module must not change a record and must not choose a remedy: people decide.

use std::fmt::Write;

use clap::Args;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::remedy::{Effect, Remedies, RemedyKind};

use super::shared::{Exit, Input, limits, pretty_in, print, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::reading::{self, Submission};

/// The record.
#[derive(Args, Debug)]
pub(super) struct Remedy {
    #[command(flatten)]
    input: Input,
}

/// Lists the remedies. Exits 0 if the record is legal, 1 if it needs a remedy.
pub(super) fn run(args: &Remedy) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Remedy, text: &[u8]) -> Result<(String, Exit), Problem> {
    reading::with_record(text, |submission| {
        let found = submission.game.remedy(&submission.record, limits())?;
        let exit = if found.violation.is_none() { Exit::Good } else { Exit::Illegal };
        let out = if args.input.json {
            pretty_in(submission.game, &found)
        } else {
            render(submission, &found)
        };
        Ok((out, exit))
    })
}

fn render(submission: &Submission<'_>, found: &Remedies) -> String {
    let mut out = String::new();
    let Some(violation) = &found.violation else {
        let _ = writeln!(out, "Legal: nothing to remedy in {}.", words::actions(found.plies));
        return out;
    };
    let _ = writeln!(out, "After {}, by {}:", words::actions(found.plies), found.ruleset);
    out.push_str(&words::violation(submission, violation));
    for remedy in &found.remedies {
        let name = match remedy.kind {
            RemedyKind::BackUp => "Back up",
            RemedyKind::PlayOn => "Play on",
            RemedyKind::Mend => "Mend",
        };
        let _ = writeln!(out, "{name}: {}.", words::local(submission.game, &remedy.words));
        if let Some(effect) = &remedy.effect {
            let _ = writeln!(out, "  {}", comes_of(submission.game, effect));
        }
    }
    out
}

/// The result of a remedy, in one sentence.
fn comes_of(game: &'static dyn AnyGame, effect: &Effect) -> String {
    let are = if effect.plies == 1 { "is" } else { "are" };
    let legal = format!("{} of {} {are} then legal", effect.plies, words::actions(effect.of));
    if let Some(fault) = &effect.violation {
        return format!("{legal}; then {}: {}.", fault.rule, words::local(game, &fault.message));
    }
    match &effect.outcome {
        Some(end) => match end.winner {
            Some(winner) => {
                let wins = game.meta().wins(winner, None);
                format!("{legal}; {wins} ({}).", words::spaced(end.reason))
            }
            None => format!("{legal}; nobody wins ({}).", words::spaced(end.reason)),
        },
        None => {
            let who: Vec<String> =
                effect.decision.players.iter().map(|who| words::spaced(who)).collect();
            let what = words::spaced(effect.decision.state);
            format!("{legal}; the game goes on: {} to decide ({what}).", who.join(", "))
        }
    }
}
