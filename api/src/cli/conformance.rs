//! `umpire conformance`: writes the fixtures as a pack that other engines can run, and runs a pack.
//!
//! This module must not compute the expected results, and must not write outside the given
//! directory.

use std::io;
use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};
use rayon::prelude::*;
use serde::Serialize;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;
use umpire_engine::replay::answer::ENGINE;

use super::shared::{Exit, game_named, print};
use umpire_conformance::compliance::{CaseRun, Compliance};
use umpire_conformance::pack::{self, FORMAT, Listed, MANIFEST, Manifest};
use umpire_referee::json;

/// What to do with a pack.
#[derive(Args, Debug)]
pub(super) struct Conformance {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write a conformance pack
    Export(Export),
    /// Check this engine against a conformance pack
    ///
    /// Exits 0 if everything agrees, 1 if something does not, 2 if a file cannot be read.
    Run(Run),
}

#[derive(Args, Debug)]
struct Export {
    /// The output directory, which is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Include only this game.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Write even if the directory is not empty.
    #[arg(long)]
    force: bool,
}

#[derive(Args, Debug)]
struct Run {
    /// The directory of the pack.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON value per line: the files with faults, then a summary.
    #[arg(long)]
    json: bool,
    /// For each game, print which readings of its rulings the engine that made the pack shares with
    /// this one: agrees, differs, or not shown. With --json, one game per line.
    #[arg(long)]
    compliance: bool,
    /// Print that table as Markdown.
    #[arg(long, requires = "compliance", conflicts_with = "json")]
    markdown: bool,
}

/// Writes or runs a pack.
pub(super) fn run(args: &Conformance) -> Result<Exit, String> {
    match &args.command {
        Command::Export(args) => export(args),
        Command::Run(args) => check(args),
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> String {
    format!("cannot {what} {}: {error}", path.display())
}

fn export(args: &Export) -> Result<Exit, String> {
    let folder = &args.folder;
    if let Some(game) = &args.game {
        game_named(game)?;
    }
    let empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(cannot("use", folder, &error)),
    };
    if !empty && !args.force {
        return Err(format!("{} is not empty; add --force to write into it", folder.display()));
    }
    let files = pack::export(args.game.as_deref())?;
    for file in &files {
        let path = folder.join(&file.path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| cannot("make", parent, &error))?;
        std::fs::write(&path, &file.text).map_err(|error| cannot("write", &path, &error))?;
    }
    print(format!("{} files in {}\n", files.len(), folder.display()).as_bytes())?;
    Ok(Exit::Good)
}

/// A file that does not agree.
#[derive(Serialize)]
struct FaultyFile<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    faults: &'a [String],
}

/// The number of files by result.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    files: u64,
    agree: u64,
    differ: u64,
    unreadable: u64,
}

fn check(args: &Run) -> Result<Exit, String> {
    let place = args.folder.join(MANIFEST);
    let text = std::fs::read(&place).map_err(|error| cannot("read", &place, &error))?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| format!("{} is not a valid manifest: {error}", place.display()))?;
    if manifest.format != FORMAT {
        return Err(format!(
            "{}: format is {:?}; expected {FORMAT:?}",
            place.display(),
            manifest.format
        ));
    }
    let checked: Vec<Result<Vec<String>, String>> =
        manifest.files.par_iter().map(|listed| one(&args.folder, listed)).collect();
    if args.compliance {
        return compliance(args, &manifest, &checked);
    }
    let mut counts = Counts::default();
    let mut out = Vec::new();
    for (Listed { path, .. }, checked) in manifest.files.iter().zip(&checked) {
        counts.files += 1;
        let (unreadable, faults) = match checked {
            Ok(faults) if faults.is_empty() => {
                counts.agree += 1;
                continue;
            }
            Ok(faults) => {
                counts.differ += 1;
                (None, faults.as_slice())
            }
            Err(why) => {
                counts.unreadable += 1;
                (Some(why.as_str()), &[][..])
            }
        };
        if args.json {
            json::line(&mut out, &FaultyFile { file: path, unreadable, faults });
            continue;
        }
        let lines = unreadable.map(|why| format!("cannot be read: {why}"));
        for line in lines.iter().chain(faults) {
            out.extend_from_slice(format!("{path}: {line}\n").as_bytes());
        }
    }
    if args.json {
        json::line(&mut out, &crate::http::ndjson::SummaryLine { summary: counts });
    } else {
        let Counts { files, agree, differ, unreadable } = counts;
        let by = match manifest.engine == ENGINE {
            true => format!("engine {ENGINE}"),
            false => format!("engine {ENGINE}, against a pack made by {}", manifest.engine),
        };
        let line = format!(
            "{files} files: {agree} agree, {differ} differ, {unreadable} unreadable; {by}\n"
        );
        out.extend_from_slice(line.as_bytes());
    }
    print(&out)?;
    Ok(match counts {
        Counts { unreadable: 1.., .. } => Exit::Unreadable,
        Counts { differ: 1.., .. } => Exit::Illegal,
        _ => Exit::Good,
    })
}

/// Prints which readings the engine that made a pack shares with this one.
fn compliance(
    args: &Run,
    manifest: &Manifest,
    checked: &[Result<Vec<String>, String>],
) -> Result<Exit, String> {
    // An unreadable file shows nothing.
    let read = |listed: &Listed| std::fs::read_to_string(args.folder.join(&listed.path));
    let texts: Vec<String> =
        manifest.files.iter().map(|listed| read(listed).unwrap_or_default()).collect();
    let ran: Vec<CaseRun<'_>> = manifest
        .files
        .iter()
        .zip(&texts)
        .zip(checked)
        .filter_map(|((listed, text), checked)| {
            let faults = checked.as_ref().ok()?.clone();
            Some(CaseRun { path: &listed.path, text, faults })
        })
        .collect();
    let named = |game: &&&dyn AnyGame| manifest.rulesets.contains_key(game.meta().id);
    let tables = GAMES.iter().filter(named);
    let tables: Vec<Compliance> =
        tables.map(|game| Compliance::of_run(*game, &manifest.engine, &ran)).collect();
    super::compliance::show(&tables, args.json, args.markdown)?;
    let unreadable = checked.iter().any(Result::is_err);
    let differ = checked.iter().flatten().any(|faults| !faults.is_empty());
    Ok(match (unreadable, differ) {
        (true, _) => Exit::Unreadable,
        (false, true) => Exit::Illegal,
        (false, false) => Exit::Good,
    })
}

/// The faults of a file of the pack.
fn one(folder: &Path, listed: &Listed) -> Result<Vec<String>, String> {
    let path = Path::new(&listed.path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err("its path is outside the pack".to_owned());
    }
    let text = std::fs::read_to_string(folder.join(path)).map_err(|error| error.to_string())?;
    let mut faults = pack::check(listed, &text)?;
    if pack::hash(text.as_bytes()) != listed.blake3 {
        faults.push("its BLAKE3 hash differs from the manifest".to_owned());
    }
    Ok(faults)
}
