//! `umpire replay`: the story of a game and its table, or its report.
//!
//! This module must not show a viewer what that viewer may not know: the story is the referee's,
//! other viewers get the report.

use std::fmt::Write;

use clap::Args;
use umpire_engine::game::Observer;
use umpire_engine::record;
use umpire_engine::replay::answer::{Line, Unanswered};
use umpire_engine::replay::{Include, Query};
use umpire_engine::report::Report;

use super::shared::{Exit, Input, limits, pretty, print, query, read, unanswered};
use super::words;
use crate::error::ApiError;
use crate::referee::{self, Submission};

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
        value_parser = ["events", "states", "tape", "fingerprints", "explain", "chapters", "text", "legal"])]
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
    if let Some((game, partial)) = referee::partial(text)? {
        let mut query = query(game, &args.viewer, args.ply)?;
        query.limits = limits();
        // Its story is that of one completion.
        let report =
            game.replay_partial(&partial, &Query { viewer: Observer::Referee, ..query })?;
        let completion = report.verdict.witness.map(|it| it.record.get().to_owned());
        let completion = completion.unwrap_or_default();
        return referee::with_record(completion.as_bytes(), |submission| {
            render(args, submission, &query, &|query| game.replay_partial(&partial, query))
        });
    }
    referee::with_record(text, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        render(args, submission, &query, &|query| submission.replay(query))
    })
}

/// The report, or the story, of a record or of a completion.
fn render(
    args: &Replay,
    submission: &Submission<'_>,
    query: &Query<'_>,
    replay: &dyn Fn(&Query<'_>) -> Result<Report, Unanswered>,
) -> Result<(String, Exit), ApiError> {
    let mut query = *query;
    if args.input.json {
        let has = |part: &str| args.include.iter().any(|one| one == part);
        query.include = Include {
            events: has("events"),
            states: has("states"),
            tape: has("tape"),
            fingerprints: has("fingerprints"),
            explain: has("explain"),
            chapters: has("chapters"),
            text: has("text"),
            legal: has("legal"),
            scene: has("scene"),
        };
        let mut report = replay(&query)?;
        words::voice(submission.game).report(&mut report);
        return Ok((pretty(&report), report.verdict.status.into()));
    }
    let referee = args.viewer == "referee";
    query.include.chapters = referee && !args.brief;
    query.include.explain = !referee && !args.brief;
    let report = replay(&query)?;
    let mut out = String::new();
    if let (false, true, Some(note)) = (args.brief, referee, &submission.record.note) {
        let _ = writeln!(out, "{}\n", quoted(&note.0));
    }
    if !args.brief {
        let lines = match referee {
            true => submission.story(limits())?,
            false => Vec::new(),
        };
        let until = args.ply.unwrap_or(u32::MAX);
        let shown: Vec<&Line> =
            lines.iter().filter(|line| line.opening || line.ply < until).collect();
        let notes = match referee {
            true => record::notes(submission.record.actions),
            false => Vec::new(),
        };
        story(&mut out, submission, &shown, &notes, until);
        seen(&mut out, &report, until);
        out.push_str(&words::table(
            report.chapters.as_deref().unwrap_or_default(),
            submission.record.players.as_ref(),
        ));
    }
    verdict(&mut out, submission, &report, args.ply);
    if !args.brief && (!referee || args.ply.is_some()) {
        state(&mut out, &report);
    }
    Ok((out, report.verdict.status.into()))
}

/// What a player or spectator learned of, an event a line; nothing for the referee, who has the
/// story.
fn seen(out: &mut String, report: &Report, until: u32) {
    let explained = report.explain.iter().flatten();
    let mut some = false;
    for ply in explained.filter(|it| it.player.is_none() || it.ply < until) {
        let mut number = match ply.player {
            None => "start".to_owned(),
            Some(_) => ply.ply.to_string(),
        };
        for event in &ply.events {
            let rules: Vec<&str> = event.clauses.iter().map(|clause| clause.id).collect();
            let text = words::event(event.event.get());
            let _ = writeln!(out, "{number:>5}  {text} [{}]", rules.join(", "));
            number.clear();
            some = true;
        }
    }
    if some {
        out.push('\n');
    }
}

/// One block per action: its number once, then what came of it.
fn story(
    out: &mut String,
    submission: &Submission<'_>,
    lines: &[&Line],
    notes: &[(usize, String)],
    until: u32,
) {
    let mut last = None;
    let mut notes = notes.iter().filter(|(at, _)| *at < until as usize).peekable();
    for line in lines {
        // A note stands after what came of its action.
        while let Some((at, note)) =
            notes.next_if(|(at, _)| !line.opening && *at < line.ply as usize)
        {
            noted(out, *at, note, last == Some((false, *at as u32)));
        }
        let here = (line.opening, line.ply);
        let number = match (last == Some(here), line.opening) {
            (true, _) => String::new(),
            (false, true) => "start".to_owned(),
            (false, false) => line.ply.to_string(),
        };
        last = Some(here);
        let text = words::local(submission.game, &line.text);
        let _ = writeln!(out, "{number:>5}  {text} [{}]", line.rules.join(", "));
    }
    for (at, note) in notes {
        noted(out, *at, note, last == Some((false, *at as u32)));
    }
    if !lines.is_empty() {
        out.push('\n');
    }
}

/// A note on an action, with its number where its block has not given it.
fn noted(out: &mut String, at: usize, note: &str, below: bool) {
    let number = if below { String::new() } else { at.to_string() };
    let _ = writeln!(out, "{number:>5}  {}", quoted(note));
}

/// Free text of a record: what could upset a terminal is not printed.
fn quoted(note: &str) -> String {
    let plain: String = note.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    format!("Note: \u{201c}{plain}\u{201d}")
}

fn verdict(out: &mut String, submission: &Submission<'_>, report: &Report, ply: Option<u32>) {
    let _ = writeln!(out, "{}", words::headline(submission.game, &report.ruleset, &report.verdict));
    if let Some(violation) = &report.verdict.violation {
        out.push_str(&words::violation(submission, violation));
    }
    out.push_str(&words::unknowns(&report.verdict));
    out.push_str(&words::remarks(&report.verdict, &report.warnings));
    if !report.decision.players.is_empty() {
        let who: Vec<_> = report.decision.players.iter().map(|who| words::spaced(who)).collect();
        let what = words::spaced(report.decision.state);
        let when = ply.map(|ply| format!(" after {}", words::plies(ply))).unwrap_or_default();
        let (who, rule) = (who.join(", "), report.decision.rule);
        let _ = writeln!(out, "To decide{when}: {who} ({what}, {rule}).");
    }
}

fn state(out: &mut String, report: &Report) {
    let (who, when) = (words::spaced(report.viewer), words::plies(report.ply));
    let _ = writeln!(out, "Known to the {who} after {when}:");
    out.push_str(&words::outline(report.state.get()));
}
