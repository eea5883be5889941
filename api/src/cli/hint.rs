//! `umpire hint` and `umpire odds`: advice for a seat, and the possible outcomes of an action.
//!
//! This module must not compute advice: it asks the engine and prints the answer.

use std::fmt::Write;

use clap::Args;
use umpire_engine::analysis::chances::{self, OddsQuery};
use umpire_engine::analysis::hint::{self, Asked};

use super::shared::{Exit, Input, limits, pretty, print, query, read, unanswered};
use super::words;
use crate::cli::threads::Threads;
use umpire_referee::problem::Problem;
use umpire_referee::reading::{self, Submission};

/// The amount of search.
#[derive(Args, Clone, Debug)]
pub(super) struct Thought {
    /// Number of simulations.
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) simulations: u32,
    /// Random seed
    #[arg(long, value_name = "TEXT", default_value = "umpire")]
    pub(super) seed: String,
}

/// The seat to advise.
#[derive(Args, Debug)]
pub(super) struct Hint {
    #[command(flatten)]
    input: Input,
    /// The ply; after the last legal action by default.
    #[arg(long)]
    ply: Option<u32>,
    /// The seat; by default the first one that has to decide.
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The maximum number of actions to list.
    #[arg(long, value_name = "NUMBER", default_value_t = 5)]
    most: usize,
    #[command(flatten)]
    thought: Thought,
}

/// Advises a seat.
pub(super) fn hint(args: &Hint) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match advised(args, &text) {
        Ok(out) => print(out.as_bytes()).map(|()| Exit::Good),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn advised(args: &Hint, text: &[u8]) -> Result<String, Problem> {
    reading::with_record(text, |submission| {
        let game = submission.game;
        let named = |name: &String| {
            let seat = game.meta().seat(name);
            seat.ok_or_else(|| Problem::not_found(no_seat(submission, name)))
        };
        let asked = Asked {
            ply: args.ply,
            seat: args.seat.as_ref().map(named).transpose()?,
            simulations: args.thought.simulations,
            seed: &args.thought.seed,
            most: args.most,
            limits: limits(),
            spread: &Threads,
        };
        let hint = game.hint(&submission.record, &asked)?;
        if args.input.json {
            return Ok(pretty(&hint));
        }
        Ok(render(submission, &hint))
    })
}

/// The error for an unknown seat.
pub(super) fn no_seat(submission: &Submission<'_>, name: &str) -> String {
    let meta = submission.game.meta();
    format!("{} has no seat {name:?}; expected one of {}", meta.id, meta.seats.join(", "))
}

fn render(submission: &Submission<'_>, hint: &hint::Hint) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "After {}, {} to decide ({}). {} simulations from what {} can know:",
        words::actions(hint.ply),
        words::spaced(hint.player),
        words::spaced(hint.decision.state),
        hint.budget,
        words::spaced(hint.player),
    );
    let actions: Vec<&str> = hint.actions.iter().map(|advice| advice.action.get()).collect();
    let spoken = words::spoken(submission, &actions, Some(hint.ply));
    for (advice, text) in hint.actions.iter().zip(&spoken.actions) {
        let _ = match &advice.proven {
            Some(proven) => {
                let length = words::actions(proven.plies);
                writeln!(out, "  {:.3} proven   {length:>13}  {text}", advice.chance)
            }
            None => writeln!(
                out,
                "  {:.3} ± {:.3}  {:>6} visits  {text}",
                advice.chance, advice.error, advice.visits
            ),
        };
    }
    let listed = hint.actions.len() as u32;
    if hint.tried > listed {
        let _ = writeln!(out, "  … and {} more that were tried", hint.tried - listed);
    }
    out
}

/// The action to assess.
#[derive(Args, Debug)]
pub(super) struct Odds {
    #[command(flatten)]
    input: Input,
    /// The action, in JSON.
    #[arg(value_name = "ACTION")]
    action: String,
    /// The ply; after the last legal action by default.
    #[arg(long)]
    ply: Option<u32>,
    /// The viewer: referee, spectator or a seat.
    #[arg(long, value_name = "WHO", default_value = "referee")]
    viewer: String,
}

/// Prints the odds of an action. Exits 0 if it is legal, 1 if not.
pub(super) fn odds(args: &Odds) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    let found = reading::with_record(&text, |submission| {
        let query = query(submission.game, &args.viewer, args.ply)?;
        let asked = OddsQuery { query, action: &args.action };
        match submission.game.odds(&submission.record, &asked) {
            Ok(odds) if args.input.json => Ok((pretty(&odds), Exit::Good)),
            Ok(odds) => Ok((likely(&odds), Exit::Good)),
            Err(chances::NoAnswer::Illegal { rule, message }) if !args.input.json => {
                Ok((format!("Illegal: {message} ({rule}).\n"), Exit::Illegal))
            }
            Err(error) => Err(error.into()),
        }
    });
    match found {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn likely(odds: &chances::Odds) -> String {
    let mut out = String::new();
    let what = odds.text.clone().unwrap_or_else(|| odds.action.get().to_owned());
    let how = match (odds.exact, odds.sampled) {
        (true, _) => "exact".to_owned(),
        (false, Some(falls)) => format!("{falls} samples"),
        (false, None) => {
            format!(
                "the mean over {} worlds consistent with what {} knows",
                odds.worlds, odds.viewer
            )
        }
    };
    let _ = writeln!(out, "After {}, {what}: {how}.", words::actions(odds.ply));
    for possibility in &odds.possibilities {
        let percent = possibility.probability * 100.0;
        let fraction = possibility.fraction.as_ref().map(|it| format!(" ({it})"));
        let texts = match possibility.texts.is_empty() {
            true => "nothing visible".to_owned(),
            false => possibility.texts.join("; "),
        };
        let rules = possibility.rules.join(", ");
        let _ =
            writeln!(out, "  {percent:6.2} %{}  {texts} [{rules}]", fraction.unwrap_or_default());
    }
    out
}
