//! `umpire legal`: who decides, and every legal action.
//!
//! This module must not list what the engine does not.

use std::fmt::Write;

use clap::Args;

use super::{Exit, Input, limits, print, query, read, unanswered, words};
use crate::error::ApiError;
use crate::referee;

/// What to list.
#[derive(Args, Debug)]
pub(super) struct Legal {
    #[command(flatten)]
    input: Input,
    /// Who looks: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// List the actions after this many actions.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Count instead of listing.
    #[arg(long)]
    count: bool,
}

/// Lists the legal actions.
pub(super) fn run(args: &Legal) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Legal, text: &[u8]) -> Result<(String, Exit), ApiError> {
    let text = referee::normal(text);
    let opened = referee::open(&text)?;
    let mut query = query(opened.game, &args.viewer, args.ply)?;
    query.limits = limits();
    let legal = opened.legal(&query, args.count)?;
    let exit = Exit::from(legal.status);
    if args.input.json {
        let value = serde_json::to_value(&legal).unwrap_or_default();
        return Ok((serde_json::to_string_pretty(&value).unwrap_or_default() + "\n", exit));
    }
    let mut out = String::new();
    if legal.decision.players.is_empty() {
        let _ = writeln!(out, "Nobody decides after {} actions.", legal.ply);
    } else {
        let who: Vec<_> = legal.decision.players.iter().map(|who| words::spaced(who)).collect();
        let what = words::spaced(legal.decision.state);
        let _ = writeln!(
            out,
            "After {} actions {} decides ({what}, {}).",
            legal.ply,
            who.join(", "),
            legal.decision.rule
        );
    }
    for choices in &legal.choices {
        let _ = writeln!(out, "{}: {} legal actions", words::spaced(choices.player), choices.count);
        for action in choices.actions.iter().flatten() {
            let _ = writeln!(out, "  {}", words::action(action.get()));
        }
        for range in &choices.ranges {
            let _ = writeln!(out, "  any of {}", words::action(range.get()));
        }
    }
    Ok((out, exit))
}
