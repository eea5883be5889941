//! Which fixtures show which rule, as the conformance tests found it.
//!
//! The lists are made and checked by the tests of the `conformance` package and are part of the
//! binary. This module must not work anything out itself.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The concordance of each game, as JSON: rule id to names of fixtures.
static TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/concordances.rs"));

type Lists = BTreeMap<&'static str, BTreeMap<String, Vec<String>>>;

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let read =
        |&(game, text): &(&'static str, &str)| Some((game, serde_json::from_str(text).ok()?));
    TEXTS.iter().filter_map(read).collect()
});

/// The fixtures of a game that show a rule; none where the game has no concordance.
pub fn fixtures(game: &str, rule: &str) -> Vec<String> {
    LISTS.get(game).and_then(|rules| rules.get(rule)).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_concordance_can_be_read() {
        assert_eq!(LISTS.len(), TEXTS.len());
        assert!(!TEXTS.is_empty());
    }
}
