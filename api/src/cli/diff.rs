//! `umpire diff`: where two records diverge, or a record and another engine's fingerprints.
//!
//! This module must not decide anything; the engine does.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use umpire_engine::dispute::compare::{Comparison, FaultOf, PlyMark, PrintComparison};
use umpire_engine::record::Fault;

use super::shared::{Exit, Input, limits, pretty, print, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::questions;
use umpire_referee::reading::{self, Submission};

/// What to compare.
#[derive(Args, Debug)]
pub(super) struct Diff {
    #[command(flatten)]
    input: Input,
    /// The other record, or a JSON list of another engine's fingerprints: one per ply, or objects
    /// with `ply`, `fingerprint` and optionally `chain` for some plies, as in a report.
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// The fingerprints are chain fingerprints.
    #[arg(long)]
    chain: bool,
}

/// Fingerprints of some plies, or of all plies from 0.
#[derive(Deserialize)]
#[serde(untagged)]
enum Fingerprints {
    Some(Vec<Print>),
    All(Vec<String>),
}

/// The fingerprints at a ply, as in a report: of the state, and of the chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Print {
    ply: u32,
    fingerprint: String,
    chain: Option<String>,
    /// Whether the game is over in the other engine.
    #[serde(default)]
    over: bool,
}

/// Compares two records. Exits 0 if they agree, 1 if they diverge or it cannot be decided.
pub(super) fn run(args: &Diff) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    let other = read(&args.other)?;
    match answer(args, &text, &other) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(FileError(error, 0)) => unanswered(&error, &args.input),
        Err(FileError(error, _)) => {
            let input = Input { file: args.other.clone(), json: args.input.json };
            unanswered(&error, &input)
        }
    }
}

/// An error, and the file that it is about: 0 or 1.
struct FileError(Problem, usize);

impl From<Fault> for FileError {
    fn from(fault: Fault) -> Self {
        FileError(fault.into(), 0)
    }
}

fn answer(args: &Diff, text: &[u8], other: &[u8]) -> Result<(String, Exit), FileError> {
    reading::with_record(text, |submission| {
        if other.trim_ascii_start().starts_with(b"[") {
            let other = reading::canonical(other);
            let marks = marks(&other, args.chain).map_err(|error| FileError(error, 1))?;
            let found =
                submission.game.compare_prints(&submission.record, &marks, args.chain, limits())?;
            let same = found.differ.is_none() && found.settled;
            let exit = if same { Exit::Good } else { Exit::Illegal };
            let out =
                if args.input.json { pretty(&found) } else { render_prints(&found, submission) };
            return Ok((out, exit));
        }
        let about_other = |FileError(error, at)| FileError(error, at.max(1));
        let found = reading::with_record(other, |other| {
            let found = submission.game.compare([&submission.record, &other.record], limits());
            Ok(found.map_err(|FaultOf { record, fault }| (fault, record)))
        });
        let found = found.map_err(about_other)?;
        let found = found.map_err(|(fault, record)| FileError(fault.into(), record))?;
        let exit = if found.same { Exit::Good } else { Exit::Illegal };
        Ok((if args.input.json { pretty(&found) } else { render(&found, submission) }, exit))
    })
}

fn marks(text: &[u8], chain: bool) -> Result<Vec<PlyMark>, Problem> {
    let mark = |ply: u32, fingerprint: String, over: bool| serde_json::json!({"ply": ply, "fingerprint": fingerprint, "over": over});
    let marks: Vec<serde_json::Value> = match questions::read::<Fingerprints>(text)? {
        Fingerprints::Some(fingerprints) => fingerprints
            .into_iter()
            .map(|it| mark(it.ply, it.chain.filter(|_| chain).unwrap_or(it.fingerprint), it.over))
            .collect(),
        Fingerprints::All(fingerprints) => (0..)
            .zip(fingerprints)
            .map(|(ply, fingerprint)| mark(ply, fingerprint, false))
            .collect(),
    };
    questions::read(serde_json::Value::from(marks).to_string().as_bytes())
}

fn render(found: &Comparison, submission: &Submission<'_>) -> String {
    let mut out = String::new();
    let Some(parts) = &found.parts else {
        let _ = match found.same {
            true => writeln!(out, "No difference in {}.", words::actions(found.verdicts[0].plies)),
            false => writeln!(out, "The states are the same, but the outcomes differ."),
        };
        return out;
    };
    let how = serde_json::to_value(parts.how).unwrap_or_default();
    let _ = writeln!(out, "They diverge at ply {} ({}).", parts.ply, how.as_str().unwrap_or("?"));
    for edit in &found.options {
        let _ = writeln!(out, "  options differ in {}", edit.path);
    }
    for (name, action) in ["first", "second"].iter().zip(&parts.actions) {
        if let Some(action) = action {
            let _ = writeln!(out, "  in the {name}: {}", words::action(action.get()));
        }
    }
    for line in &parts.words {
        let _ = writeln!(out, "  - {line}");
    }
    for clause in &parts.clauses {
        let _ = writeln!(
            out,
            "  {}",
            words::clause(submission.game, clause.id, clause.section, clause.gist)
        );
    }
    out
}

fn render_prints(found: &PrintComparison, submission: &Submission<'_>) -> String {
    let mut out = String::new();
    if let Some(ply) = found.agree {
        let _ = writeln!(out, "They agree up to ply {ply} of {}.", found.plies);
    }
    if let Some(ply) = found.differ {
        let _ = match ply.checked_sub(1) {
            Some(before) => writeln!(
                out,
                "They differ at ply {ply}, the state after the action at ply {before}."
            ),
            None => writeln!(out, "They differ at ply 0, the opening."),
        };
    }
    for ply in &found.ask {
        let _ = writeln!(
            out,
            "To narrow it down, the other engine's fingerprint at ply {ply} is needed."
        );
    }
    if let Some(parts) = &found.parts {
        if parts.given.is_none() {
            let _ = writeln!(out, "  the game is over there in the other engine");
        }
        if let Some(action) = &parts.action {
            let _ = writeln!(out, "  the action there: {}", words::action(action.get()));
        }
        for line in &parts.words {
            let _ = writeln!(out, "  - {line}");
        }
        for clause in &parts.clauses {
            let _ = writeln!(
                out,
                "  {}",
                words::clause(submission.game, clause.id, clause.section, clause.gist)
            );
        }
    }
    out
}
