//! The fuzz bodies, bounded and repeatable, on the stable toolchain: arbitrary bytes, and every
//! fixture with a few bytes spoiled.
//!
//! Unbounded runs: see `engine/fuzz/Cargo.toml`.

#[path = "../../fuzz/bodies.rs"]
mod bodies;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use umpire_engine::chance::seeded::{Stream, key};

fn bounded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_110_101),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(bounded(400))]

    #[test]
    fn any_bytes_are_no_panic(data in prop::collection::vec(any::<u8>(), 0..300)) {
        bodies::record(&data);
    }

    #[test]
    fn any_course_of_play_is_judged_alike(data in prop::collection::vec(any::<u8>(), 0..900)) {
        bodies::actions(&data);
    }

    #[test]
    fn anything_in_the_place_of_a_part_is_no_panic(
        game in 0..4usize, options in part(), position in part(), chance in part(), actions in part(),
    ) {
        let names: Vec<&str> =
            umpire_engine::games::GAMES.iter().map(|game| game.meta().id).collect();
        let game = names.get(game % names.len().max(1)).copied().unwrap_or("none");
        bodies::record(format!(
            r#"{{"format":"umpire/1","game":"{game}","options":{options},"chance":{chance},"position":{position},"actions":{actions}}}"#
        ).as_bytes());
    }
}

/// A JSON value that may or may not fit.
fn part() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("{}".to_owned()),
        Just("[]".to_owned()),
        Just(r#"{"seed":"x"}"#.to_owned()),
        Just(r#"{"tape":[]}"#.to_owned()),
        any::<i64>().prop_map(|it| it.to_string()),
        "[a-z]{0,8}".prop_map(|it| format!("{it:?}")),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|it| format!("[{}]", it.join(","))),
            ("[a-z]{1,6}", inner).prop_map(|(key, it)| format!("{{{key:?}:{it}}}")),
        ]
    })
}

fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            json_files(&path, found);
        } else if path.extension().is_some_and(|it| it == "json") {
            found.push(path);
        }
    }
}

#[test]
fn spoiled_fixtures_are_no_panic() {
    let mut files = Vec::new();
    json_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures"), &mut files);
    files.sort();
    let mut words = Stream::new(key("spoiled fixtures"), "fuzz");
    let mut whole = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a fixture can be read");
        let Ok(fixture) = serde_json::from_str::<Box<serde_json::value::RawValue>>(&text) else {
            continue;
        };
        let record = serde_json::from_str::<
            std::collections::BTreeMap<String, &serde_json::value::RawValue>,
        >(fixture.get())
        .ok()
        .and_then(|fields| fields.get("record").copied());
        let Some(record) = record else { continue };
        whole += 1;
        bodies::record(record.get().as_bytes());
        let times = if text.len() > 6000 { 3 } else { 25 };
        for _ in 0..times {
            let bytes: Vec<u8> = (0..8).flat_map(|_| words.word().to_le_bytes()).collect();
            bodies::record(&bodies::spoiled(record.get().as_bytes(), &bytes));
        }
    }
    let games = umpire_engine::games::GAMES.len();
    assert!(whole >= 100 * games, "only {whole} fixtures were found");
}
