//! `umpire diff`: where two records part, or a record and another engine's fingerprints.
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
use crate::error::ApiError;
use crate::referee::{self, Submission};
use crate::routes::dispute;

/// What to compare.
#[derive(Args, Debug)]
pub(super) struct Diff {
    #[command(flatten)]
    input: Input,
    /// The other record; or a JSON list of another engine's fingerprints, either one per ply or
    /// objects of `ply`, `fingerprint` and perhaps `chain` for some, as a report lists them.
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// The fingerprints are those of the chain.
    #[arg(long)]
    chain: bool,
}

/// Fingerprints of some plies, or of all from ply 0 on.
#[derive(Deserialize)]
#[serde(untagged)]
enum Fingerprints {
    Some(Vec<Print>),
    All(Vec<String>),
}

/// A fingerprint of a ply, as a report lists them: that of the state, and that of the chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Print {
    ply: u32,
    fingerprint: String,
    chain: Option<String>,
    /// Whether the other engine's game is over there.
    #[serde(default)]
    over: bool,
}

/// Compares: exit status 0 if nothing parts them, 1 if something does or that is not settled.
pub(super) fn run(args: &Diff) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    let other = read(&args.other)?;
    match answer(args, &text, &other) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(Failed(error, 0)) => unanswered(&error, &args.input),
        Err(Failed(error, _)) => {
            let input = Input { file: args.other.clone(), json: args.input.json };
            unanswered(&error, &input)
        }
    }
}

/// An error, and the file it is about: 0 or 1.
struct Failed(ApiError, usize);

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Failed(fault.into(), 0)
    }
}

fn answer(args: &Diff, text: &[u8], other: &[u8]) -> Result<(String, Exit), Failed> {
    referee::with_record(text, |submission| {
        if other.trim_ascii_start().starts_with(b"[") {
            let other = referee::canonical(other);
            let marks = marks(&other, args.chain).map_err(|error| Failed(error, 1))?;
            let found =
                submission.game.compare_prints(&submission.record, &marks, args.chain, limits())?;
            let same = found.differ.is_none() && found.settled;
            let exit = if same { Exit::Good } else { Exit::Illegal };
            let out =
                if args.input.json { pretty(&found) } else { render_prints(&found, submission) };
            return Ok((out, exit));
        }
        let about_other = |Failed(error, at)| Failed(error, at.max(1));
        let found = referee::with_record(other, |other| {
            let found = submission.game.compare([&submission.record, &other.record], limits());
            Ok(found.map_err(|FaultOf { record, fault }| (fault, record)))
        });
        let found = found.map_err(about_other)?;
        let found = found.map_err(|(fault, record)| Failed(fault.into(), record))?;
        let exit = if found.same { Exit::Good } else { Exit::Illegal };
        Ok((if args.input.json { pretty(&found) } else { render(&found, submission) }, exit))
    })
}

fn marks(text: &[u8], chain: bool) -> Result<Vec<PlyMark>, ApiError> {
    let mark = |ply: u32, fingerprint: String, over: bool| serde_json::json!({"ply": ply, "fingerprint": fingerprint, "over": over});
    let marks: Vec<serde_json::Value> = match dispute::read::<Fingerprints>(text)? {
        Fingerprints::Some(fingerprints) => fingerprints
            .into_iter()
            .map(|it| mark(it.ply, it.chain.filter(|_| chain).unwrap_or(it.fingerprint), it.over))
            .collect(),
        Fingerprints::All(fingerprints) => (0..)
            .zip(fingerprints)
            .map(|(ply, fingerprint)| mark(ply, fingerprint, false))
            .collect(),
    };
    dispute::read(serde_json::Value::from(marks).to_string().as_bytes())
}

fn render(found: &Comparison, submission: &Submission<'_>) -> String {
    let mut out = String::new();
    let Some(parts) = &found.parts else {
        let _ = match found.same {
            true => writeln!(out, "The same in {}.", words::actions(found.verdicts[0].plies)),
            false => writeln!(out, "The same states, but they do not end alike."),
        };
        return out;
    };
    let how = serde_json::to_value(parts.how).unwrap_or_default();
    let _ = writeln!(out, "They part at ply {} ({}).", parts.ply, how.as_str().unwrap_or("?"));
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
                "They differ at ply {ply}, the state behind the action at ply {before}."
            ),
            None => writeln!(out, "They differ at ply 0, the opening."),
        };
    }
    for ply in &found.ask {
        let _ = writeln!(out, "To go on, the other engine's fingerprint of ply {ply} is needed.");
    }
    if let Some(parts) = &found.parts {
        if parts.given.is_none() {
            let _ = writeln!(out, "  the other engine's game is over there");
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
