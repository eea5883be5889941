//! Where fixtures and snapshots lie in a checkout: for the tests that run them.
//!
//! This module must not be used by the product, which has its fixtures with it.

use std::path::{Path, PathBuf};

use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;

use crate::fixture::{Case, Kind};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The folder of a game's fixtures.
pub fn folder(game: &dyn AnyGame) -> PathBuf {
    root().join("fixtures").join(game.meta().id)
}

/// The files of a folder, in order of their names; none if there is no such folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Every fixture of a game: rules, then whole games, each in order of their names.
pub fn cases_of(game: &'static dyn AnyGame) -> Vec<Case> {
    let mut cases = Vec::new();
    for (kind, name) in [(Kind::Rule, "rules"), (Kind::Game, "games")] {
        for path in files(&folder(game).join(name)) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            cases.push(Case::read(game, kind, path, text));
        }
    }
    cases
}

/// Every fixture of every registered game.
pub fn cases() -> Vec<Case> {
    GAMES.iter().flat_map(|&game| cases_of(game)).collect()
}
