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
use umpire_engine::digest;

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

    /// By its text and by its value: the one way is not used where it gives up, and gives up nothing that is usual.
    #[test]
    fn a_text_has_the_canonical_form_of_its_value((text, usual) in spelled()) {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let raw: Box<serde_json::value::RawValue> = serde_json::from_str(&text).unwrap();
        let written = digest::canonical_text(&raw);
        prop_assert!(written.is_some() || !usual, "{text}");
        if let Some(written) = written {
            prop_assert_eq!(written, String::from_utf8(digest::canonical(&value)).unwrap());
        }
    }
}

/// A JSON text in some spelling, and whether all in it is usual.
fn spelled() -> impl Strategy<Value = (String, bool)> {
    let plain = |text: &str| Just((text.to_owned(), true));
    let string = prop::collection::vec((any::<char>(), 0..3u8), 0..6).prop_map(|chars| {
        let mut text = "\"".to_owned();
        for (char, how) in chars {
            match how {
                0 if !char.is_control() && !"\"\\".contains(char) => text.push(char),
                1 if char.is_ascii() => text.push_str(&format!("\\u{:04X}", char as u32)),
                _ => {
                    let quoted = serde_json::to_string(&char).unwrap();
                    text.push_str(&quoted[1..quoted.len() - 1]);
                }
            }
        }
        (text + "\"", true)
    });
    let leaf = prop_oneof![
        plain("null"),
        plain(" true\n"),
        plain("\tfalse"),
        (-999_999_999_999_999..=999_999_999_999_999_i64).prop_map(|it| (it.to_string(), true)),
        any::<i64>().prop_map(|it| (it.to_string(), false)),
        any::<f32>()
            .prop_filter("finite", |it| it.is_finite())
            .prop_map(|it| (format!("{it:?}"), false)),
        string,
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..5).prop_map(|all| {
            let usual = all.iter().all(|it| it.1);
            let all: Vec<String> = all.into_iter().map(|it| it.0).collect();
            (format!("[ {}]", all.join(" ,")), usual)
        });
        let object = prop::collection::btree_map("[ -!#-Z]{0,3}", inner, 0..5)
            .prop_map(|all| all.into_iter().collect::<Vec<_>>())
            .prop_shuffle()
            .prop_map(|all| {
                let usual = all.iter().all(|(_, it)| it.1);
                let field = |(key, it): (String, (String, bool))| format!("\"{key}\" :{}", it.0);
                let all: Vec<String> = all.into_iter().map(field).collect();
                (format!("{{{} }}", all.join(", ")), usual)
            });
        prop_oneof![list, object]
    })
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
