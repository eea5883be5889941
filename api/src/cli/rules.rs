//! `umpire rules`: shows the clauses and rulings of a game.
//!
//! This module must not contain rule texts.

use std::fmt::Write;
use umpire_referee::questions::rules::{Defaults, RuleInfo, RuleList, about};

use clap::Args;
use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Sheet;
use umpire_engine::rules::{RuleEntry, RuleKind};

use super::shared::{Exit, game_named, print, print_json};
use super::words::{self, local};
use crate::routes::game::TableInfo;

/// The rules to show.
#[derive(Args, Debug)]
pub(super) struct Rules {
    /// The game.
    game: String,
    /// A clause or ruling, in any case and with or without the game's prefix; the start of several:
    /// 4, R; a table: A.3, or A for all of them; or words that occur in clauses and rulings, in any language of the
    /// game: garrison.
    id: Option<String>,
    /// Print the tables of the game instead: its map, cards and units, with the source of each.
    #[arg(long, conflicts_with = "id")]
    components: bool,
    /// Show the defaults (with `--components` the data) of this version of the ruleset: 1 for `drako@1`.
    /// Otherwise those of the newest.
    #[arg(long, value_name = "NUMBER")]
    version: Option<u32>,
    /// Print one line per clause, without the rulings that settle it.
    #[arg(long, conflicts_with_all = ["components", "json"])]
    short: bool,
    /// Print what the service would return.
    #[arg(long)]
    json: bool,
}

/// Shows rules.
pub(super) fn run(args: &Rules) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let version = version_of(game, args.version)?;
    let defaults = Defaults::of(game, version);
    if args.components {
        let components = game.components(version);
        match args.json {
            true => print_json(&components)?,
            false => print(all_components(game, components.get()).as_bytes())?,
        }
        return Ok(Exit::Good);
    }
    let Some(id) = &args.id else {
        if args.json {
            print_json(&RuleList::under(&words::voice(game), version))?;
        } else {
            let detail = if args.short { Detail::InShort } else { Detail::InFull };
            print(listed(&defaults, game.rules().iter(), detail).as_bytes())?;
        }
        return Ok(Exit::Good);
    };
    if let Some(entry) = named(game, id) {
        let rule = RuleInfo::of(&words::voice(game), entry, &defaults);
        if args.json {
            print_json(&rule)?;
        } else {
            print(rendered(&defaults, entry, &rule).as_bytes())?;
        }
        return Ok(Exit::Good);
    }
    if let Some((id, text)) = game.meta().invariants().find(|(it, _)| is_named(game, it, id)) {
        match args.json {
            true => print_json(&serde_json::json!({ "id": id, "gist": text }))?,
            false => print(format!("{id}  {text}\n").as_bytes())?,
        }
        return Ok(Exit::Good);
    }
    let tables: Vec<&Sheet> = tables_named(game, id).collect();
    if !tables.is_empty() {
        let shown = tables.into_iter().map(|table| TableInfo::of(game, table));
        let shown: Vec<TableInfo> = shown.collect();
        match args.json {
            true => print_json(&shown)?,
            false => print(tabled(game, &shown).as_bytes())?,
        }
        return Ok(Exit::Good);
    }
    let mut several: Vec<&RuleEntry> = beginning_with(game, id).collect();
    if several.is_empty() {
        several = about(game, id);
    }
    if several.is_empty() {
        return Err(format!(
            "{} has no clause or ruling {id:?}, nor one with these words",
            args.game
        ));
    }
    if args.json {
        let voice = words::voice(game);
        let rules = several.into_iter().map(|entry| RuleInfo::of(&voice, entry, &defaults));
        print_json(&rules.collect::<Vec<_>>())?;
    } else {
        print(listed(&defaults, several.into_iter(), Detail::InFull).as_bytes())?;
    }
    Ok(Exit::Good)
}

/// The level of detail in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// One line each.
    InShort,
    /// Each clause with the rulings that settle it, and each ruling with its readings.
    InFull,
}

/// The table with that number, or all tables whose numbers start with it: `A.3`, `A`.
fn tables_named(game: &'static dyn AnyGame, id: &str) -> impl Iterator<Item = &'static Sheet> {
    let letters = format!("{}-", game.meta().prefix);
    let id = id.to_ascii_uppercase();
    let id = id.strip_prefix(&letters).unwrap_or(&id).trim_end_matches('.').to_owned();
    let named = move |table: &&Sheet| {
        table
            .at
            .strip_prefix(id.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    game.meta().tables.iter().filter(named)
}

/// Tables, each under its number and title.
fn tabled(game: &'static dyn AnyGame, tables: &[TableInfo]) -> String {
    let mut out = String::new();
    for (at, table) in tables.iter().enumerate() {
        let space = if at > 0 { "\n" } else { "" };
        let _ = writeln!(out, "{space}{}  {}", table.at, local(game, table.title));
        // Rows of words, or with equal columns, are printed as a table; anything else as an
        // outline.
        match words::rows(&table.rows) {
            Some(rows) => out.push_str(&rows),
            None => out.push_str(&words::outline(&table.rows.to_string())),
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// The tables of a game, followed by the data that no table contains.
fn all_components(game: &'static dyn AnyGame, components: &str) -> String {
    let tables = game.meta().tables;
    let shown = tables.iter().map(|table| TableInfo::of(game, table));
    let mut out = tabled(game, &shown.collect::<Vec<_>>());
    let data: Map<String, Value> = serde_json::from_str(components).unwrap_or_default();
    for (name, part) in &data {
        let top = |table: &Sheet| table.of.split('/').nth(1) == Some(name.as_str());
        if tables.iter().any(top) {
            continue;
        }
        let text = words::rows(part).unwrap_or_else(|| words::outline(&part.to_string()));
        let _ = write!(out, "\n{}\n{}", words::spaced(name), text);
        if !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// The id without the game's prefix: `4.12`, `A.3`, `R7`.
fn number(id: &'static str) -> &'static str {
    id.split_once('-').map_or(id, |(_, number)| number)
}

/// The numbers of an id, for sorting: 4.12 comes after 4.2.
fn parts(id: &'static str) -> Vec<u32> {
    let digits = number(id).split(|it: char| !it.is_ascii_digit()).filter(|it| !it.is_empty());
    digits.filter_map(|it| it.parse().ok()).collect()
}

/// The chapter of a clause: the part before its first point; `None` for a ruling.
fn chapter(entry: &RuleEntry) -> Option<&'static str> {
    let head = number(entry.id).split('.').next();
    head.filter(|_| entry.kind == RuleKind::Clause)
}

/// The clauses and rulings whose number starts with these parts: `4` matches 4.1 and 4.12, but not
/// 41.
fn beginning_with(
    game: &'static dyn AnyGame,
    start: &str,
) -> impl Iterator<Item = &'static RuleEntry> {
    let letters = format!("{}-", game.meta().prefix.to_ascii_lowercase());
    let start = start.to_ascii_lowercase();
    let start = start.strip_prefix(&letters).unwrap_or(&start).trim_end_matches('.').to_owned();
    let begins = move |entry: &&RuleEntry| {
        let id = number(entry.id).to_ascii_lowercase();
        let rest = id.strip_prefix(start.as_str());
        // All rulings share one letter.
        rest.is_some_and(|rest| rest.starts_with('.') || (start == "r" && !rest.is_empty()))
    };
    game.rules().iter().filter(begins)
}

/// The heading of a chapter: `Chapter 6: Movement`.
fn titled(game: &'static dyn AnyGame, chapter: &str) -> String {
    let at = chapter.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let title = at.and_then(|at| game.meta().chapters.get(at));
    let head = local(game, "Chapter");
    match title {
        Some(title) => format!("{head} {chapter}: {}", local(game, title)),
        None => format!("{head} {chapter}"),
    }
}

/// Lists rules, chapter by chapter.
fn listed(
    defaults: &Defaults,
    rules: impl Iterator<Item = &'static RuleEntry>,
    detail: Detail,
) -> String {
    let game = defaults.game();
    let mut out = String::new();
    let mut last = None;
    // In the order of the document: chapters by number, rulings last.
    let mut rules: Vec<&RuleEntry> = rules.collect();
    rules.sort_by_key(|entry| (chapter(entry).is_none(), parts(entry.id)));
    for entry in rules {
        let chapter = chapter(entry);
        if last != Some(chapter) {
            let space = if last.is_some() { "\n" } else { "" };
            let _ = match chapter {
                Some(chapter) => writeln!(out, "{space}{}", titled(game, chapter)),
                None => writeln!(out, "{space}{}", local(game, "Rulings")),
            };
            last = Some(chapter);
        }
        let _ = writeln!(out, "{:<12} {}", entry.id, local(game, entry.gist));
        if detail == Detail::InFull {
            readings(&mut out, defaults, entry);
            rulings(&mut out, defaults, entry.id);
        }
    }
    out
}

/// The rulings that settle a clause, with all their readings.
fn rulings(out: &mut String, defaults: &Defaults, clause: &str) {
    let game = defaults.game();
    let settling = game.rules().iter().filter(|entry| entry.settles.contains(&clause));
    for ruling in settling {
        let _ = writeln!(out, "  {}  {}", ruling.id, local(game, ruling.gist));
        readings(out, defaults, ruling);
    }
}

/// The readings of a ruling: which is the default, or the only one that this engine supports, and
/// which other versions and editions have another default.
fn readings(out: &mut String, defaults: &Defaults, ruling: &RuleEntry) {
    let game = defaults.game();
    for (at, reading) in ruling.readings.iter().enumerate() {
        let (default, others) = defaults.mark(ruling, at);
        let default = match (default, others.is_empty()) {
            (true, _) if ruling.selectable() => format!(" ({})", local(game, "default")),
            (true, _) => format!(" ({})", local(game, "in force")),
            (false, false) => format!(" ({} {})", local(game, "default of"), others.join(", ")),
            (false, true) => String::new(),
        };
        let gist = local(game, reading.gist);
        let _ = match reading.value {
            "" => writeln!(out, "    - {gist}{default}"),
            value => writeln!(out, "    - {value}: {gist}{default}"),
        };
    }
}

/// The version that was asked for, else the newest.
pub(super) fn version_of(game: &dyn AnyGame, asked: Option<u32>) -> Result<u32, String> {
    let meta = game.meta();
    match asked {
        None => Ok(meta.version),
        Some(version) if (1..=meta.version).contains(&version) => Ok(version),
        Some(version) => {
            let known: Vec<String> = meta.rulesets().collect();
            Err(format!("unknown version {version}; {} has {}", meta.id, known.join(", ")))
        }
    }
}

/// The entry with that id.
pub(super) fn named(game: &'static dyn AnyGame, id: &str) -> Option<&'static RuleEntry> {
    game.rules().iter().find(|entry| is_named(game, entry.id, id))
}

/// Whether an id was meant: it is given in any case, with or without the game's prefix.
fn is_named(game: &dyn AnyGame, id: &str, given: &str) -> bool {
    let full = format!("{}-{given}", game.meta().prefix);
    [given, &full].iter().any(|it| id.eq_ignore_ascii_case(it))
}

fn rendered(defaults: &Defaults, entry: &RuleEntry, rule: &RuleInfo) -> String {
    let game = defaults.game();
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", rule.id, local(game, rule.gist));
    for section in rule.sections {
        let _ = match section.edition {
            "" => writeln!(out, "  {}: {}", local(game, "in the rulebook"), section.at),
            edition => {
                writeln!(out, "  {} ({edition}): {}", local(game, "in the rulebook"), section.at)
            }
        };
    }
    if !rule.settles.is_empty() {
        let _ = writeln!(out, "  {} {}", local(game, "settles"), rule.settles.join(", "));
    }
    readings(&mut out, defaults, entry);
    if rule.kind == RuleKind::Ruling {
        let _ = writeln!(out, "  {} {}", local(game, "because"), local(game, rule.because));
    }
    rulings(&mut out, defaults, rule.id);
    for fixture in &rule.fixtures {
        let _ = writeln!(out, "  {} {fixture}", local(game, "shown by"));
    }
    out
}
