//! `umpire why` and `umpire explain`: why an action is illegal, and why a ply went as it did.
//!
//! This module must not decide anything, and must not show a viewer anything hidden from it: the
//! engine takes care of both.

use std::fmt::Write;

use clap::Args;
use serde_json::Value;
use umpire_engine::dispute::explain::{Account, ViewChange};
use umpire_engine::dispute::why::{Answer, Bounds, WhyNot};

use super::shared::{Exit, Input, limits, pretty_in, print, query, read, unanswered};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::reading::{self, Submission};

/// A proposed action.
#[derive(Args, Debug)]
pub(super) struct Why {
    #[command(flatten)]
    input: Input,
    /// The action, in JSON.
    #[arg(value_name = "ACTION")]
    action: String,
    /// The ply at which it is proposed; after the last legal action by default.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// The viewer: referee, spectator, or a seat, which sees only what follows from what it may
    /// know.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
}

/// Explains whether an action is legal. Exits 0 if it is (or may be, in a record with unknowns), 1
/// if not, 3 if it cannot be decided from what the viewer may know.
pub(super) fn why(args: &Why) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Why, text: &[u8]) -> Result<(String, Exit), Problem> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&args.action) {
        let expected = format!("an action in JSON ({error})");
        return Err(Problem::parameter("action", &args.action, expected));
    }
    let bounds = Bounds::default();
    if let Some((game, partial)) = reading::partial(text)? {
        let mut query = query(game, &args.viewer, args.ply)?;
        query.limits = limits();
        let why = game.why_partial(&partial, &args.action, &query, &bounds)?;
        let completion = why.witness.as_ref().map(|it| it.record.get().to_owned());
        return reading::with_record(completion.unwrap_or_default().as_bytes(), |submission| {
            Ok(shown(args, &why, submission))
        });
    }
    reading::with_record(text, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        let why = submission.game.why(&submission.record, &args.action, &query, &bounds)?;
        Ok(shown(args, &why, submission))
    })
}

/// The answer as text.
fn shown(args: &Why, why: &WhyNot, submission: &Submission<'_>) -> (String, Exit) {
    let exit = match why.answer {
        Answer::Legal | Answer::Possible => Exit::Good,
        Answer::Illegal => Exit::Illegal,
        Answer::Undecidable => Exit::Undecidable,
    };
    match args.input.json {
        true => (pretty_in(submission.game, why), exit),
        false => (render(why, submission), exit),
    }
}

fn render(why: &WhyNot, submission: &Submission<'_>) -> String {
    let mut out = String::new();
    let answer = match why.answer {
        Answer::Legal => "Legal",
        Answer::Illegal => "Illegal",
        Answer::Possible => "Possible",
        Answer::Undecidable => "Undecidable",
    };
    let _ = writeln!(
        out,
        "{answer} at ply {}: {}",
        why.ply,
        words::local(submission.game, &why.message)
    );
    for clause in &why.clauses {
        let _ = writeln!(
            out,
            "  {}",
            words::clause(submission.game, clause.id, clause.section, clause.gist)
        );
    }
    for violation in &why.violations {
        let message = words::local(submission.game, &violation.message);
        let _ = writeln!(out, "  - {message} ({})", violation.rules.join(", "));
        for fact in &violation.facts {
            let _ = writeln!(out, "    {}: {}", fact.what, fact.is);
        }
    }
    if why.answer == Answer::Possible {
        out.push_str(&words::assumed(why.witness.as_deref()));
    }
    out.push_str(&words::proven(why.proof.as_deref()));
    let whole = why.witness.is_none();
    if why.changes.is_empty() && whole && why.answer == Answer::Illegal && why.viewer == "referee" {
        let _ = writeln!(out, "No small change of the position was found that would allow it.");
    }
    if !why.changes.is_empty() {
        let _ = writeln!(out, "It would be allowed if:");
        for change in &why.changes {
            let _ = writeln!(out, "  {}", words::local(submission.game, &change.words));
        }
    }
    if !why.nearest.is_empty() {
        let _ = writeln!(out, "Legal instead:");
        let nearest: Vec<&str> = why.nearest.iter().map(|nearest| nearest.get()).collect();
        for nearest in words::spoken(submission, &nearest, None).actions {
            let _ = writeln!(out, "  {nearest}");
        }
    }
    out
}

/// The ply to explain.
#[derive(Args, Debug)]
pub(super) struct Explain {
    #[command(flatten)]
    input: Input,
    /// The ply: the number of actions before it; all plies by default.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// The viewer: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// Every clause in full and every fact, even for a whole game.
    #[arg(long)]
    long: bool,
}

/// Explains a ply: action, events, clauses, facts.
pub(super) fn explain(args: &Explain) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    let rendered: Result<String, Problem> = reading::with_record(&text, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        let account = submission.game.explain(&submission.record, &query)?;
        if args.input.json {
            return Ok(pretty_in(submission.game, &account));
        }
        let long = args.long || args.ply.is_some();
        Ok(tree(&account, submission, long))
    });
    match rendered {
        Ok(text) => print(text.as_bytes()).map(|()| Exit::Good),
        Err(error) => unanswered(&error, &args.input),
    }
}

/// The plies in order; in short, one line per event with the ids of its clauses.
fn tree(account: &Account, submission: &Submission<'_>, long: bool) -> String {
    let mut out = String::new();
    for ply in &account.explanations {
        let action = match (&ply.text, ply.player, &ply.decision) {
            (Some(text), ..) => words::local(submission.game, text),
            (None, Some(player), _) => format!("{} acts", words::spaced(player)),
            (None, None, None) => "the opening".to_owned(),
            (None, None, Some(decision)) => match words::to_decide(decision) {
                Some(who) => format!("the record ends here; to decide: {who}"),
                None => "the record ends here; the game is over".to_owned(),
            },
        };
        let _ = writeln!(out, "ply {}  {action}", ply.ply);
        for explained in &ply.events {
            let rendered = || words::event(explained.event.get());
            let line = explained.words.as_ref();
            let line = line.map(|line| words::local(submission.game, line));
            let line = line.unwrap_or_else(rendered);
            if !long {
                let ids: Vec<&str> = explained.clauses.iter().map(|clause| clause.id).collect();
                let _ = writeln!(out, "  {line} [{}]", ids.join(", "));
                continue;
            }
            let _ = writeln!(out, "  {line}");
            for clause in &explained.clauses {
                let _ = writeln!(
                    out,
                    "    {}",
                    words::clause(submission.game, clause.id, clause.section, clause.gist)
                );
            }
            explained.facts.iter().for_each(|one| fact(&mut out, submission, one));
        }
        if long {
            ply.facts.iter().for_each(|one| fact(&mut out, submission, one));
        }
    }
    out
}

fn fact(out: &mut String, submission: &Submission<'_>, fact: &ViewChange) {
    let Some(words) = &fact.words else { return };
    let words = words::local(submission.game, words);
    let line = match (&fact.before, &fact.after) {
        (Some(before), Some(after)) if before == after => format!("    - {words}\n"),
        (Some(Value::Number(before)), Some(after)) if words.ends_with(&format!(": {after}")) => {
            format!("    now {words} (before: {before})\n")
        }
        _ => format!("    now {words}\n"),
    };
    // Both halves of a place have the same text.
    if !out.ends_with(&line) {
        out.push_str(&line);
    }
}
