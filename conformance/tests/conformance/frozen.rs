//! Records of the first versions of the rulesets, with what the referee said of them when these were the newest: for ever
//! the same, byte for byte.
//!
//! The file is never written again. What differs is a broken promise (`docs/stability.md`), not a file that is out
//! of date.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_conformance::folders::root;
use umpire_engine::games;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::Limits;

use crate::fail_with;

#[derive(Deserialize)]
struct Frozen<'a> {
    #[serde(borrow)]
    record: &'a RawValue,
    #[serde(borrow)]
    stands: &'a RawValue,
}

/// How a record stands. Clauses, codes and messages of a refusal are no part of a version.
#[derive(Serialize)]
struct Stands<Outcome> {
    status: umpire_engine::replay::answer::Status,
    plies: u32,
    outcome: Outcome,
    fingerprint: String,
}

/// What the referee says of a record today.
fn judged(record: &str) -> String {
    let read = RawRecord::read(record.as_bytes()).expect("a record");
    let game = games::find(&read.game).expect("a known game");
    let judgement = game.judge(&read, Limits::default()).expect("a judgement");
    let stands = Stands {
        status: judgement.verdict.status,
        plies: judgement.verdict.plies,
        outcome: judgement.verdict.outcome,
        fingerprint: judgement.fingerprint.to_string(),
    };
    serde_json::to_string(&stands).expect("JSON")
}

#[test]
fn records_of_the_first_versions_are_judged_as_they_were() {
    let path = root().join("conformance/frozen/version-1.ndjson");
    let text = std::fs::read_to_string(path).expect("the frozen records are there");
    let (mut faults, mut count) = (Vec::new(), 0);
    let mut sensitive = std::collections::BTreeMap::new();
    for (line, at) in text.lines().zip(1..) {
        let Frozen { record, stands } = serde_json::from_str(line).expect("a frozen record");
        let now = judged(record.get());
        if now != stands.get() {
            faults.push(format!("line {at}: {} was {}", now, stands.get()));
        }
        count += 1;
        // By another version some of them stand otherwise, so that naming the first one matters.
        let game =
            games::GAMES.iter().find(|game| record.get().contains(&game.meta().ruleset_of(1)));
        let meta = game.expect("it names the first version").meta();
        let newest = record.get().replacen(&meta.ruleset_of(1), &meta.ruleset(), 1);
        *sensitive.entry(meta.id).or_insert(0) += usize::from(judged(&newest) != now);
    }
    fail_with(&faults);
    assert_eq!(count, 200);
    assert!(sensitive.values().all(|differing| *differing > 0), "{sensitive:?}");
}
