//! `umpire legal`: lists every legal action of the seats that have to decide.
//!
//! This module must not compute actions; the engine does.

use std::fmt::Write;

use clap::Args;
use umpire_engine::game::Draft;
use umpire_engine::replay::Query;
use umpire_engine::replay::answer::LegalQuery;

use super::shared::{Exit, Input, complain, limits, pretty, print, query, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::reading;

/// What to list.
#[derive(Args, Debug)]
pub(super) struct Legal {
    #[command(flatten)]
    input: Input,
    /// The viewer: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// List the legal actions after this many actions.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Only count them.
    #[arg(long)]
    count: bool,
    /// The maximum number of actions to list per seat; all by default.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// The chosen part of an action, a JSON object ({} for nothing): list only actions that start
    /// with it, and say how it can continue.
    #[arg(long, value_name = "JSON", value_parser = Draft::read)]
    partial: Option<Draft>,
}

/// Lists the legal actions.
pub(super) fn run(args: &Legal) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Legal, text: &[u8]) -> Result<(String, Exit), Problem> {
    reading::with_record(text, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        if let Some(limit) = args.limit {
            query.limits.listed = limit as usize;
        }
        let wanted = LegalQuery {
            count_only: args.count,
            partial: args.partial.as_ref(),
            text: !args.input.json,
        };
        let legal = submission.legal(&query, wanted)?;
        let exit = Exit::from(legal.status);
        if exit == Exit::Illegal {
            // The list is for the last legal state; say why the replay stopped there, as far as the
            // viewer may know.
            let report = submission.replay(&Query { ply: None, ..query })?;
            let headline = words::headline(submission.game, &report.ruleset, &report.verdict);
            complain(&format!("umpire: {}: {headline}\n", args.input.file.display()));
            if let Some(violation) = &report.verdict.violation {
                complain(&words::violation(submission, violation));
            }
        }
        if args.input.json {
            return Ok((pretty(&legal), exit));
        }
        let mut out = String::new();
        let after = words::actions(legal.ply);
        let _ = match words::to_decide(&legal.decision) {
            Some(who) => writeln!(out, "After {after}, to decide: {who}."),
            None => writeln!(out, "No seat has to decide after {after}."),
        };
        for choices in &legal.choices {
            let player = words::spaced(choices.player);
            let _ = match (choices.count, choices.ranges.is_empty()) {
                (0, false) => writeln!(out, "{player}: legal actions within these bounds"),
                (1, true) => writeln!(out, "{player}: 1 legal action"),
                (count, true) => writeln!(out, "{player}: {count} legal actions"),
                (count, false) => {
                    writeln!(out, "{player}: {count} legal actions, and those within these bounds")
                }
            };
            for action in choices.texts.iter().flatten() {
                let _ = writeln!(out, "  {}", words::local(submission.game, action));
            }
            if let (true, Some(actions)) = (choices.truncated, &choices.actions) {
                let _ = writeln!(out, "  and {} more", choices.count - actions.len() as u64);
            }
            for range in &choices.ranges {
                let _ = writeln!(out, "  within {}", words::action(range.get()));
            }
            if choices.complete == Some(true) {
                let _ = writeln!(out, "  legal as it is");
            }
            for step in choices.next.iter().flatten() {
                let _ = writeln!(out, "  next {}: {}", step.pointer, words::choice(step));
            }
        }
        Ok((out, exit))
    })
}
