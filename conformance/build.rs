//! Makes what lies outside this crate part of the binary: the concordances of all games (which
//! fixtures show which rule) and the fixtures themselves.
//!
//! There is a set per game, and no code may name a game; so the lists of files are made here. Must
//! not do anything but find them and pack them up.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() -> io::Result<()> {
    let here = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let (root, out) = (Path::new(&here).join(".."), Path::new(&out));
    fs::write(out.join("concordances.rs"), concordances(&root.join("snapshots"))?)?;
    fs::write(out.join("fixtures.z"), fixtures(&root.join("fixtures"))?)
}

fn concordances(snapshots: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed={}", snapshots.display());
    let mut games: Vec<String> = fs::read_dir(snapshots)?
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
    Ok(list)
}

/// The JSON files two folders down, as `fixtures/<game>/<kind>/<name>.json`, and the golden vectors
/// of chance: for each its path, its length and its text, compressed together.
fn fixtures(folder: &Path) -> io::Result<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    for group in entries(folder)? {
        for kind in entries(&group)? {
            let files = match kind.is_dir() {
                true => entries(&kind)?,
                false if group.ends_with("chance") => vec![kind],
                false => continue,
            };
            for file in
                files.iter().filter(|file| file.extension().is_some_and(|end| end == "json"))
            {
                let text = fs::read(file)?;
                let path = file.strip_prefix(folder).map_err(io::Error::other)?;
                let path = path.to_string_lossy().replace('\\', "/");
                packed.write_all(format!("{path}\n{}\n", text.len()).as_bytes())?;
                packed.write_all(&text)?;
            }
        }
    }
    packed.finish()
}

/// What lies in a folder, in order of the names; nothing in what is no folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    all.sort();
    Ok(all)
}
