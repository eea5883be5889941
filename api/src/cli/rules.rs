//! `umpire rules`: the clauses and rulings of a game.
//!
//! This module must not hold the text of a rule.

use std::fmt::Write;

use clap::Args;
use umpire_engine::any_game::AnyGame;
use umpire_engine::rules::{RuleEntry, RuleKind};

use super::shared::{Exit, game_named, print, print_json};
use super::words::local;
use crate::language::Language;
use crate::routes::rule::{RuleInfo, RuleList};

/// Which rules to show.
#[derive(Args, Debug)]
pub(super) struct Rules {
    /// The game.
    game: String,
    /// One clause or ruling, in upper or lower case, with or without the game's letters.
    id: Option<String>,
    /// Print what the service would answer.
    #[arg(long)]
    json: bool,
}

/// Shows rules.
pub(super) fn run(args: &Rules) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let Some(id) = &args.id else {
        if args.json {
            print_json(&RuleList::of(&Language::ENGLISH.of(game)))?;
            return Ok(Exit::Good);
        }
        let mut out = String::new();
        for entry in game.rules() {
            let _ = writeln!(out, "{:<12} {}", entry.id, local(game, entry.gist));
        }
        print(out.as_bytes())?;
        return Ok(Exit::Good);
    };
    let rule =
        find(game, id).ok_or_else(|| format!("{} has no clause or ruling {id:?}", args.game))?;
    if args.json {
        print_json(&rule)?;
    } else {
        print(words(game, &rule).as_bytes())?;
    }
    Ok(Exit::Good)
}

/// The clause or ruling of that id, however it is written.
fn find(game: &'static dyn AnyGame, id: &str) -> Option<RuleInfo> {
    named(game, id).map(|entry| RuleInfo::of(&Language::ENGLISH.of(game), entry))
}

/// The entry of that id, in upper or lower case, with or without the game's letters.
pub(super) fn named(game: &'static dyn AnyGame, id: &str) -> Option<&'static RuleEntry> {
    let full = format!("{}-{id}", game.meta().prefix);
    let named = |entry: &&RuleEntry| {
        entry.id.eq_ignore_ascii_case(id) || entry.id.eq_ignore_ascii_case(&full)
    };
    game.rules().iter().find(named)
}

fn words(game: &'static dyn AnyGame, rule: &RuleInfo) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", rule.id, local(game, rule.gist));
    for section in rule.sections {
        let _ = match section.edition {
            "" => writeln!(out, "  in the rulebook: {}", section.at),
            edition => writeln!(out, "  in the rulebook ({edition}): {}", section.at),
        };
    }
    if !rule.settles.is_empty() {
        let _ = writeln!(out, "  settles {}", rule.settles.join(", "));
    }
    for reading in &rule.readings {
        let default = match (reading.default, rule.selectable) {
            (true, true) => " (default)",
            (true, false) => " (in force)",
            (false, _) => "",
        };
        let gist = local(game, reading.gist);
        let _ = match reading.value {
            "" => writeln!(out, "  - {gist}{default}"),
            value => writeln!(out, "  - {value}: {gist}{default}"),
        };
    }
    if rule.kind == RuleKind::Ruling {
        let _ = writeln!(out, "  because {}", local(game, rule.because));
    }
    if !rule.settled_by.is_empty() {
        let _ = writeln!(out, "  rulings that touch it: {}", rule.settled_by.join(", "));
    }
    for fixture in &rule.fixtures {
        let _ = writeln!(out, "  shown by {fixture}");
    }
    out
}
