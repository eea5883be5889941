//! `umpire analyze`: winning chances, mistakes, and luck.
//!
//! Plies are analysed on all processors and printed in order. This module must not judge anything:
//! the engine does.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use umpire_engine::analysis::review::{Judged, PlyAnalysis, Summary, Task};
use umpire_engine::analysis::search::Spread;
use umpire_engine::budget::Budget;

use super::hint::Thought;
use super::shared::{Exit, Input, limits, pretty, print, query, read, unanswered};
use super::words;
use crate::cli::threads::Threads;
use crate::documents::curve::{self, Drawn};
use umpire_referee::problem::Problem;
use umpire_referee::reading;

/// The record, and the amount of search.
#[derive(Args, Debug)]
pub(super) struct Analyze {
    #[command(flatten)]
    input: Input,
    /// Who reads it. The referee sees everything; a seat sees only what it could know, and its own
    /// decisions.
    #[arg(long, value_name = "WHO", default_value = "referee")]
    viewer: String,
    #[command(flatten)]
    thought: Thought,
    /// Write the curve of winning chances as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A finished analysis, as the service returns it.
#[derive(Serialize)]
struct Whole<'a> {
    summary: &'a Summary,
    plies: &'a [PlyAnalysis],
}

/// Analyses a record.
pub(super) fn run(args: &Analyze) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match analysed(args, &text) {
        Ok((summary, plies)) => {
            if let Some(path) = &args.svg {
                let svg = curve::svg(&Drawn::of(&summary, &plies));
                std::fs::write(path, svg)
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            }
            let out = match args.input.json {
                true => pretty(&Whole { summary: &summary, plies: &plies }),
                false => render(&summary, &plies),
            };
            print(out.as_bytes()).map(|()| Exit::Good)
        }
        Err(error) => unanswered(&error, &args.input),
    }
}

fn analysed(args: &Analyze, text: &[u8]) -> Result<(Summary, Vec<PlyAnalysis>), Problem> {
    reading::with_record(text, |submission| {
        let viewer = query(submission.game, &args.viewer, None)?.viewer;
        let task =
            Task { simulations: args.thought.simulations, seed: args.thought.seed.clone(), viewer };
        let analysis = submission.game.analysis(&submission.record, &task, limits())?;
        let plies = analysis.plies() as usize + 1;
        let bar = ProgressBar::new(plies as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} plies, {eta} left") {
            bar.set_style(style);
        }
        let done: Vec<Mutex<Option<PlyAnalysis>>> = (0..plies).map(|_| Mutex::new(None)).collect();
        Threads.each(plies, &|ply| {
            let found = analysis.ply(ply as u32, Budget::UNLIMITED).ok();
            if let Ok(mut slot) = done[ply].lock() {
                *slot = found;
            }
            bar.inc(1);
        });
        bar.finish_and_clear();
        let plies: Vec<PlyAnalysis> =
            done.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect();
        let judged: Vec<Judged> = plies.iter().filter_map(Judged::of).collect();
        let summary = analysis
            .summary(&judged, Budget::UNLIMITED)
            .map_err(|spent| Problem::from(umpire_engine::record::Fault::from(spent)))?;
        Ok((summary, plies))
    })
}

fn render(summary: &Summary, plies: &[PlyAnalysis]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} by {}, {} simulations a chance, seed {:?}.",
        words::actions(summary.plies),
        summary.ruleset,
        summary.budget,
        summary.seed
    );
    out.push_str(&curve::text(&Drawn::of(summary, plies)));
    for ply in plies {
        let Some(review) = &ply.decision else { continue };
        let Some(class) = review.class else { continue };
        let what = review.text.clone().unwrap_or_else(|| review.action.get().to_owned());
        let _ = writeln!(
            out,
            "After {}, {}: {what}: {} (lost {:.2} ± {:.2})",
            words::actions(ply.ply),
            words::spaced(review.player),
            class.name(),
            review.loss,
            review.loss_error,
        );
        if let Some(why) = &review.why {
            let _ = writeln!(out, "  {why}");
        }
    }
    for play in &summary.play {
        let _ = writeln!(
            out,
            "{}: {} decisions, {:.3} ± {:.3} lost a decision; {} inaccuracies, {} mistakes, {} blunders",
            words::spaced(play.player),
            play.decisions,
            play.mean_loss,
            play.mean_loss_error,
            play.inaccuracies,
            play.mistakes,
            play.blunders
        );
    }
    for line in &summary.ledger {
        let _ = writeln!(
            out,
            "{}: start {:.3} ± {:.3}, {:+.3} ± {:.3} luck, {:+.3} ± {:.3} skill = {:.3}; without luck {:.3} ± {:.3}",
            words::spaced(line.player),
            line.start,
            line.start_error,
            line.luck,
            line.luck_error,
            line.skill,
            line.skill_error,
            line.result,
            line.adjusted,
            line.luck_error,
        );
    }
    out
}
