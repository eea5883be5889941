//! Makes the concordances of all games part of the binary: which fixtures show which rule.
//!
//! They lie outside this crate, one per game, and no code may name a game; so the list of files
//! is made here. Must not do anything but find them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let snapshots = Path::new(&here).join("../snapshots");
    println!("cargo::rerun-if-changed={}", snapshots.display());
    let mut games: Vec<String> = fs::read_dir(&snapshots)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|game| snapshots.join(game).join("concordance.json").is_file())
        .collect();
    games.sort_unstable();
    let mut list = String::from("&[\n");
    for game in games {
        let file = fs::canonicalize(snapshots.join(&game).join("concordance.json"))?;
        println!("cargo::rerun-if-changed={}", file.display());
        let _ = writeln!(list, "    ({game:?}, include_str!({:?})),", file.display().to_string());
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("concordances.rs"), list)
}
