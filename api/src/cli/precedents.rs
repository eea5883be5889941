//! `umpire precedents`: shows settled disputes.
//!
//! This module must not decide anything: what it shows is settled by the engine.

use std::fmt::Write;

use clap::Args;
use umpire_conformance::precedent::{OtherAnswer, Precedent};
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::ReadingChoice;

use super::shared::{Exit, game_named, limits, print, print_json};
use crate::routes::precedent::PrecedentList;
use umpire_referee::problem::Problem;

/// The precedents to show.
#[derive(Args, Debug)]
pub(super) struct Precedents {
    /// The game.
    game: String,
    /// The name of one precedent.
    name: Option<String>,
    /// Show only precedents that depend on this clause or ruling.
    #[arg(long, value_name = "ID")]
    clause: Option<String>,
    /// Print the request that `umpire adjudicate` takes, to settle the dispute again.
    #[arg(long, requires = "name", conflicts_with = "json")]
    request: bool,
    /// Print what the service would return.
    #[arg(long)]
    json: bool,
}

/// Shows precedents.
pub(super) fn run(args: &Precedents) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let clause = match &args.clause {
        None => None,
        Some(id) => Some(
            super::rules::named(game, id)
                .ok_or_else(|| format!("{} has no clause or ruling {id:?}", args.game))?
                .id,
        ),
    };
    let all = PrecedentList::of(game, clause);
    let Some(name) = &args.name else {
        if args.json {
            print_json(&all)?;
            return Ok(Exit::Good);
        }
        let mut out = String::new();
        for precedent in &all.precedents {
            let by = precedent.ruling.as_ref().or(precedent.clauses.first());
            let by = by.map_or("", String::as_str);
            let _ = writeln!(out, "{by:<10} {}\n{:10} {}", precedent.name, "", precedent.title);
        }
        if out.is_empty() {
            out.push_str("No precedents found.\n");
        }
        print(out.as_bytes())?;
        return Ok(Exit::Good);
    };
    let found = all.precedents.iter().find(|precedent| precedent.name == *name);
    let found = found.ok_or_else(|| format!("{} has no precedent {name:?}", args.game))?;
    if args.request {
        print_json(&request(found))?;
    } else if args.json {
        print_json(found)?;
    } else {
        print(render(game, found)?.as_bytes())?;
    }
    Ok(Exit::Good)
}

fn readings(precedent: &Precedent) -> Vec<ReadingChoice> {
    precedent.readings.iter().map(OtherAnswer::reading).collect()
}

/// The precedent as a request to settle the dispute.
fn request(precedent: &Precedent) -> serde_json::Value {
    let mut request = serde_json::json!({
        "record": &precedent.record,
        "readings": readings(precedent),
    });
    if let Some(action) = &precedent.ask {
        request["action"] = serde_json::to_value(action).unwrap_or_default();
    }
    request
}

fn render(game: &dyn AnyGame, precedent: &Precedent) -> Result<String, String> {
    let mut out = format!("{}\n\n{}\n\n", precedent.title, precedent.question);
    let settled = precedent.settle(game, limits());
    let settled = settled.map_err(|error| Problem::from(error).to_string())?;
    for line in &settled.summary {
        let _ = writeln!(out, "{line}");
    }
    let _ = writeln!(out, "\n{}", precedent.reasoning);
    for id in precedent.clauses.iter().chain(&precedent.ruling) {
        let gist = game.rules().iter().find(|entry| entry.id == *id).map_or("", |it| it.gist);
        let _ = writeln!(out, "  {id}  {gist}");
    }
    Ok(out)
}
