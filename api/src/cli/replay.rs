//! `umpire replay`: the story of a game with a table of its chapters, or its report.
//!
//! This module must not show a viewer anything hidden from it: the story is told as the viewer
//! learned it.

use std::fmt::Write;

use clap::Args;
use umpire_engine::game::Observer;
use umpire_engine::record;
use umpire_engine::replay::answer::{Line, Moment, Unanswered};
use umpire_engine::replay::{Include, Query};
use umpire_engine::report::Report;

use super::shared::{Exit, Input, limits, pretty, print, query, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::reading::{self, Submission};

/// How to replay.
#[derive(Args, Debug)]
pub(super) struct Replay {
    #[command(flatten)]
    input: Input,
    /// Print only the verdict.
    #[arg(long)]
    brief: bool,
    /// The viewer: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// Show the game after this many actions.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Parts of the report to include (with --json).
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

fn answer(args: &Replay, text: &[u8]) -> Result<(String, Exit), Problem> {
    if let Some((game, partial)) = reading::partial(text)? {
        let mut query = query(game, &args.viewer, args.ply)?;
        query.limits = limits();
        // The story of a record with unknowns is that of one completion.
        let report =
            game.replay_partial(&partial, &Query { viewer: Observer::Referee, ..query })?;
        let completion = report.verdict.witness.map(|it| it.record.get().to_owned());
        let completion = completion.unwrap_or_default();
        return reading::with_record(completion.as_bytes(), |submission| {
            render(args, submission, &query, &|query| game.replay_partial(&partial, query))
        });
    }
    reading::with_record(text, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        render(args, submission, &query, &|query| submission.replay(query))
    })
}

/// The report or the story of a record or of a completion.
fn render(
    args: &Replay,
    submission: &Submission<'_>,
    query: &Query<'_>,
    replay: &dyn Fn(&Query<'_>) -> Result<Report, Unanswered>,
) -> Result<(String, Exit), Problem> {
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
    let report = replay(&query)?;
    let mut out = String::new();
    if let (false, true, Some(note)) = (args.brief, referee, &submission.record.note) {
        let _ = writeln!(out, "{}\n", quoted(&note.0));
    }
    if !args.brief {
        let lines = submission.story(query.viewer, limits())?;
        let until = args.ply.unwrap_or(u32::MAX);
        let shown: Vec<&Line> =
            lines.iter().filter(|line| line.opening || line.ply < until).collect();
        let notes = match referee {
            true => record::notes(submission.record.actions),
            false => Vec::new(),
        };
        story(&mut out, submission, &shown, &notes, until);
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

/// The lines of one action, or of several that only report progress.
struct Block<'a> {
    /// The action that it follows, the last of several; `None` for the opening.
    ply: Option<u32>,
    lines: Vec<&'a Line>,
    quiet: bool,
}

/// Groups lines by action; consecutive actions that only report progress form one block.
fn blocks<'a>(lines: &[&'a Line]) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for one in lines.chunk_by(|one, other| (one.opening, one.ply) == (other.opening, other.ply)) {
        let Some(first) = one.first() else { continue };
        let quiet = !first.opening && one.iter().all(|line| line.moment == Moment::Phase);
        let ply = (!first.opening).then_some(first.ply);
        match blocks.last_mut() {
            Some(last) if last.quiet && quiet => {
                last.lines.extend(one);
                last.ply = ply;
            }
            _ => blocks.push(Block { ply, lines: one.to_vec(), quiet }),
        }
    }
    blocks
}

/// The minimum number of lines with the same clauses that are merged.
const ALIKE: usize = 4;

/// The runs of a block: lines that only report progress are merged, and so are many lines with the
/// same clauses.
fn runs<'a, 'b>(lines: &'b [&'a Line]) -> Vec<&'b [&'a Line]> {
    let phases =
        |one: &&Line, other: &&Line| one.moment == Moment::Phase && other.moment == Moment::Phase;
    let same = |one: &&Line, other: &&Line| {
        (one.moment, other.moment) == (Moment::Event, Moment::Event) && one.rules == other.rules
    };
    let runs = lines.chunk_by(|one, other| phases(one, other) || same(one, other));
    let split = |run: &'b [&'a Line]| {
        let whole = run.len() >= ALIKE || run.first().is_some_and(|it| it.moment == Moment::Phase);
        run.chunks(if whole { run.len() } else { 1 })
    };
    runs.flat_map(split).collect()
}

/// Several sentences as one text.
fn together(all: &[String]) -> String {
    match all {
        [one] => one.clone(),
        all => {
            let bare = all.iter().map(|it| it.strip_suffix('.').unwrap_or(it));
            format!("{}.", bare.collect::<Vec<_>>().join(". "))
        }
    }
}

/// Writes a text after its number, wrapped to the width of a terminal.
fn paragraph(out: &mut String, number: &str, text: &str) {
    const WIDE: usize = 110;
    let mut width = 0;
    let _ = write!(out, "{number:>5} ");
    for word in text.split(' ') {
        let wide = word.chars().count() + 1;
        if width > 0 && width + wide > WIDE {
            out.push_str("\n      ");
            width = 0;
        }
        width += wide;
        let _ = write!(out, " {word}");
    }
    out.push('\n');
}

/// One block per action: its number once, followed by its events. Blank lines separate turns or
/// rounds; actions that only report progress share a line.
fn story(
    out: &mut String,
    submission: &Submission<'_>,
    lines: &[&Line],
    notes: &[(usize, String)],
    until: u32,
) {
    let mut notes = notes.iter().filter(|(at, _)| *at < until as usize).peekable();
    let said = |line: &Line| words::local(submission.game, &line.text);
    let (mut last, mut ended) = (None, false);
    for block in blocks(lines) {
        // A note follows the events of its action.
        while let Some((at, note)) =
            notes.next_if(|(at, _)| block.ply.is_some_and(|ply| *at < ply as usize))
        {
            noted(out, *at, note, last == Some(*at as u32));
        }
        let mut number = block.ply.map_or("start".to_owned(), |ply| ply.to_string());
        for run in runs(&block.lines) {
            let Some(first) = run.first() else { continue };
            let turns = first.moment == Moment::Turn;
            // Only one gap where one turn ends and the next begins.
            if turns && !ended && !out.is_empty() {
                out.push('\n');
            }
            ended = turns;
            let all: Vec<String> = run.iter().map(|line| said(line)).collect();
            // The passing of a phase needs no citation.
            let cited = match (first.moment, run) {
                (Moment::Phase, [_, _, ..]) => String::new(),
                _ => format!(" [{}]", first.rules.join(", ")),
            };
            paragraph(out, &number, &format!("{}{cited}", together(&all)));
            number.clear();
        }
        last = block.ply;
    }
    for (at, note) in notes {
        noted(out, *at, note, last == Some(*at as u32));
    }
    if !lines.is_empty() {
        out.push('\n');
    }
}

/// A note on an action, with its number unless its block has already shown it.
fn noted(out: &mut String, at: usize, note: &str, below: bool) {
    let number = if below { String::new() } else { at.to_string() };
    let _ = writeln!(out, "{number:>5}  {}", quoted(note));
}

/// Free text of a record, without characters that could upset a terminal.
fn quoted(note: &str) -> String {
    let plain: String = note.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    format!("Note: \u{201c}{plain}\u{201d}")
}

fn verdict(out: &mut String, submission: &Submission<'_>, report: &Report, ply: Option<u32>) {
    let _ = writeln!(out, "{}", words::headline(submission.game, &report.ruleset, &report.verdict));
    if let Some(violation) = &report.verdict.violation {
        out.push_str(&words::violation(submission, violation));
    }
    out.push_str(&words::remarks(&report.verdict, &report.warnings));
    if let Some(who) = words::to_decide(&report.decision) {
        let when = ply.map(|ply| format!(" after {}", words::actions(ply))).unwrap_or_default();
        let line = format!("To decide{when}: {who}.");
        let _ = writeln!(out, "{}", words::local(submission.game, &line));
    }
}

fn state(out: &mut String, report: &Report) {
    let (who, when) = (words::spaced(report.viewer), words::actions(report.ply));
    let _ = writeln!(out, "Known to the {who} after {when}:");
    out.push_str(&words::outline(report.state.get()));
}
