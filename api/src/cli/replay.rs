//! `umpire replay`: the story of a game and its table, or its report.
//!
//! This module must not show a viewer what that viewer may not know: the story is the referee's,
//! other viewers get the report.

use std::fmt::Write;

use clap::Args;
use umpire_engine::erased::{Include, Line, Report};

use super::{Exit, Input, limits, pretty, print, query, read, unanswered, words};
use crate::error::ApiError;
use crate::referee::{self, Opened};

/// How to replay.
#[derive(Args, Debug)]
pub(super) struct Replay {
    #[command(flatten)]
    input: Input,
    /// Print the verdict alone.
    #[arg(long)]
    brief: bool,
    /// Who looks: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// Show the game after this many actions.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Parts of the report to add (with --json).
    #[arg(long, value_name = "PART", value_delimiter = ',', requires = "json",
        value_parser = ["events", "states", "tape", "fingerprints", "explain", "chapters"])]
    include: Vec<String>,
}

/// Replays a record.
pub(super) fn run(args: &Replay) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Replay, text: &[u8]) -> Result<(String, Exit), ApiError> {
    let text = referee::normal(text);
    let opened = referee::open(&text)?;
    let mut query = query(opened.game, &args.viewer, args.ply)?;
    query.limits = limits();
    if args.input.json {
        let has = |part: &str| args.include.iter().any(|one| one == part);
        query.include = Include {
            events: has("events"),
            states: has("states"),
            tape: has("tape"),
            fingerprints: has("fingerprints"),
            explain: has("explain"),
            chapters: has("chapters"),
        };
        let report = opened.replay(&query)?;
        return Ok((pretty(&report), report.verdict.status.into()));
    }
    let told = !args.brief && args.viewer == "referee";
    query.include.chapters = told;
    let report = opened.replay(&query)?;
    let mut out = String::new();
    if told {
        let lines = opened.story(limits())?;
        let until = args.ply.unwrap_or(u32::MAX);
        let shown: Vec<&Line> =
            lines.iter().filter(|line| line.ply < until || line.ply == 0).collect();
        story(&mut out, &shown);
        out.push_str(&words::table(
            report.chapters.as_deref().unwrap_or_default(),
            opened.record.players.as_ref(),
        ));
    }
    verdict(&mut out, &opened, &report);
    if !args.brief && (args.viewer != "referee" || args.ply.is_some()) {
        state(&mut out, &report);
    }
    Ok((out, report.verdict.status.into()))
}

/// One block per action: its number once, then what came of it.
fn story(out: &mut String, lines: &[&Line]) {
    let mut last = None;
    for line in lines {
        let number = match last == Some(line.ply) {
            true => String::new(),
            false => line.ply.to_string(),
        };
        last = Some(line.ply);
        let _ = writeln!(out, "{number:>5}  {} [{}]", line.text, line.rules.join(", "));
    }
    if !lines.is_empty() {
        out.push('\n');
    }
}

fn verdict(out: &mut String, opened: &Opened<'_>, report: &Report) {
    let _ = writeln!(out, "{}", words::headline(opened.game, &report.ruleset, &report.verdict));
    if let Some(violation) = &report.verdict.violation {
        out.push_str(&words::violation(opened.game, violation));
    }
    out.push_str(&words::remarks(&report.verdict, &report.warnings));
    if !report.decision.players.is_empty() {
        let who: Vec<_> = report.decision.players.iter().map(|who| words::spaced(who)).collect();
        let what = words::spaced(report.decision.state);
        let _ = writeln!(out, "To decide: {} ({what}, {}).", who.join(", "), report.decision.rule);
    }
}

fn state(out: &mut String, report: &Report) {
    let _ = write!(out, "What {} knows after {} actions:\n", report.viewer, report.ply);
    out.push_str(&pretty(&report.state));
}
