//! What the binary carries of fixtures and concordances, as the build found them.
//!
//! This module must not read a file.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::partial::Partial;

/// The fixtures, compressed: for each its path, its length and its text.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fixtures.z"));

/// Path and text of every fixture.
static FIXTURES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut text = String::new();
    // What the build packed up can be unpacked; a test does it.
    let _ = ZlibDecoder::new(PACKED).read_to_string(&mut text);
    let mut rest = text.as_str();
    let mut all = Vec::new();
    while let Some((path, after)) = rest.split_once('\n') {
        let Some((length, after)) = after.split_once('\n') else { break };
        let parts = length.parse().ok().and_then(|length| after.split_at_checked(length));
        let Some((text, after)) = parts else { break };
        all.push((path.to_owned(), text.to_owned()));
        rest = after;
    }
    all
});

/// Path (below `fixtures/`) and text of every fixture, in order of the paths.
pub(crate) fn all() -> &'static [(String, String)] {
    &FIXTURES
}

/// The records of a game's fixtures and precedents, in the order of their names, but for those with unknowns.
pub fn records(game: &str) -> impl Iterator<Item = Box<RawValue>> {
    #[derive(Deserialize)]
    struct Holder {
        record: Box<RawValue>,
    }
    let folder = format!("{game}/");
    let below = FIXTURES.iter().filter(move |(path, _)| path.starts_with(&folder));
    let whole = |record: &RawValue| {
        let partial = Partial::read(record.get().as_bytes()).ok().flatten();
        !partial.is_some_and(|it| it.is_open())
    };
    let record = |text: &String| Some(serde_json::from_str::<Holder>(text).ok()?.record);
    below.filter_map(move |(_, text)| record(text).filter(|it| whole(it)))
}

/// Name and text of the fixtures of a game of one kind: a folder of `fixtures/<game>`.
pub fn texts(game: &str, kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{game}/{kind}/");
    FIXTURES.iter().filter_map(move |(path, text)| {
        let name = path.strip_prefix(&folder)?.strip_suffix(".json")?;
        Some((name, text.as_str()))
    })
}

/// The concordance of each game, as JSON: rule id to names of fixtures.
static TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/concordances.rs"));

type Lists = BTreeMap<&'static str, BTreeMap<String, Vec<String>>>;

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let read =
        |&(game, text): &(&'static str, &str)| Some((game, serde_json::from_str(text).ok()?));
    TEXTS.iter().filter_map(read).collect()
});

/// The fixtures of a game that show a rule; none where the game has no concordance.
pub fn shown_by(game: &str, rule: &str) -> Vec<String> {
    LISTS.get(game).and_then(|rules| rules.get(rule)).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use umpire_engine::games::GAMES;

    use super::*;

    #[test]
    fn every_fixture_is_unpacked() {
        assert!(all().iter().any(|(path, _)| path == crate::pack::VECTORS));
        for game in GAMES.iter() {
            assert!(records(game.meta().id).count() > 10, "{}", game.meta().id);
        }
        for (path, text) in all() {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{path}");
        }
    }

    #[test]
    fn every_concordance_can_be_read() {
        assert_eq!(LISTS.len(), TEXTS.len());
        assert!(!TEXTS.is_empty());
    }
}
