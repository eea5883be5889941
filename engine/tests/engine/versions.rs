//! Versions of a ruleset: every one is known for ever, and a record is judged by the one that it names.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::dispute::readings::{Adjudication, Dispute, ReadingChoice};
use umpire_engine::game::{FullGame, Observer, TableSetup};
use umpire_engine::partial::Partial;
use umpire_engine::record::{FaultCode, RawRecord};
use umpire_engine::replay::answer::{Judgement, LegalQuery, Status};
use umpire_engine::replay::{Limits, Query};
use umpire_testing::toys::race::Race;

use crate::walk::{fixtures, json_files};

laws! {
    /// Options can be put under every version, and a record that names one is judged by it.
    every_version_is_known;
}

mod check {
    use super::*;

    pub fn every_version_is_known<G: FullGame>() {
        let record = |ruleset: Value| {
            let mut record = json!({
                "format": "umpire/1", "game": G::META.id, "chance": {"seed": "versions"}, "actions": [],
            });
            if !ruleset.is_null() {
                record["ruleset"] = ruleset;
            }
            record.to_string()
        };
        let judge = |ruleset: Value| {
            let record = record(ruleset);
            let record = RawRecord::read(record.as_bytes()).expect("an envelope");
            Of::<G>::new().judge(&record, Limits::default())
        };
        let mut known = BTreeSet::new();
        for (version, ruleset) in (1..).zip(G::META.rulesets()) {
            let mut options = G::Options::default();
            G::Setup::set_version(&mut options, version);
            let mut chance = Seeded::new("versions", G::META.streams);
            let Ok(setup) = G::Setup::from_options(options, &mut chance) else {
                panic!("{ruleset}: the default options are refused");
            };
            assert_eq!((setup.version(), setup.ruleset()), (version, ruleset.clone()));
            assert_eq!(G::META.version_of(&ruleset), Some(version));
            // What is in force is written out, and reads the same under any version.
            let written = serde_json::to_value(setup.options()).expect("options");
            let judgement = judge(json!(ruleset)).expect("a judgement");
            assert_eq!(judgement.ruleset, ruleset);
            assert_eq!(judgement.options.get(), serde_json::to_string(&setup.options()).unwrap());
            for (def, value) in G::Setup::rulings().iter().zip(0..) {
                let reading = def.values[setup.reading(value)];
                assert_eq!(written["rulings"][def.id], reading, "{ruleset}");
            }
            known.insert(ruleset);
        }
        assert_eq!(known.len(), G::META.version as usize);
        let newest = judge(Value::Null).expect("a judgement");
        assert_eq!(newest.ruleset, G::META.ruleset());
        for unknown in ["0", "01", "+1", "", "1 ", &(G::META.version + 1).to_string()] {
            let fault = judge(json!(format!("{}@{unknown}", G::META.id))).expect_err("unknown");
            assert_eq!((fault.code, &*fault.pointer), (FaultCode::UnknownRuleset, "/ruleset"));
            assert!(known.iter().all(|it| fault.detail.contains(&format!("{it:?}"))), "{fault}");
        }
    }
}

/// Red banks more than is needed: forbidden by default in `race@1`, enough in `race@2`.
fn overshot(ruleset: Option<&str>, options: Value) -> String {
    let mut record = json!({
        "format": "umpire/1", "game": "race", "options": options, "chance": {"seed": "versions"},
        "position": {"turn": 0, "sum": 6, "banked": [15, 0]},
        "actions": [{"type": "bank", "player": "red"}],
    });
    if let Some(ruleset) = ruleset {
        record["ruleset"] = ruleset.into();
    }
    record.to_string()
}

fn judged(text: &str) -> Judgement {
    let record = RawRecord::read(text.as_bytes()).expect("an envelope");
    Of::<Race>::new().judge(&record, Limits::default()).expect("a judgement")
}

fn settled(text: &str) -> Adjudication {
    let record = RawRecord::read(text.as_bytes()).expect("an envelope");
    let dispute = Dispute { records: true, ..Dispute::default() };
    Of::<Race>::new().adjudicate(&record, &dispute, Limits::default()).expect("settled")
}

#[test]
fn the_defaults_are_those_of_the_version_and_choices_stay() {
    let exact = || json!({"rulings": {"RAC-R1": "exact"}});
    let at_least = || json!({"rulings": {"RAC-R1": "at_least"}});
    for (ruleset, options, status, reading) in [
        (None, json!({}), Status::Complete, "at_least"),
        (Some("race@2"), json!({}), Status::Complete, "at_least"),
        (Some("race@1"), json!({}), Status::Illegal, "exact"),
        (Some("race@1"), at_least(), Status::Complete, "at_least"),
        (Some("race@2"), exact(), Status::Illegal, "exact"),
        (None, exact(), Status::Illegal, "exact"),
    ] {
        let text = overshot(ruleset, options);
        let judgement = judged(&text);
        let options: Value = serde_json::from_str(judgement.options.get()).unwrap();
        assert_eq!(
            (judgement.verdict.status, &options["rulings"]["RAC-R1"]),
            (status, &json!(reading)),
            "{text}"
        );
        assert_eq!(judgement.ruleset, ruleset.unwrap_or("race@2"));
    }
}

#[test]
fn a_dispute_starts_from_the_version_of_the_record() {
    for (ruleset, other, version, status) in [
        ("race@1", "at_least", "race@2", Status::Complete),
        ("race@2", "exact", "race@1", Status::Illegal),
    ] {
        let settled = settled(&overshot(Some(ruleset), json!({})));
        assert_eq!(settled.ruleset, ruleset);
        // The other version comes to the same as the one ruling in which it differs.
        let [by_version, by_ruling] = &*settled.readings else { panic!("two other readings") };
        assert_eq!(by_version.reading.ruleset.as_deref(), Some(version));
        assert_eq!(by_ruling.reading.rulings["RAC-R1"], other);
        assert_eq!(by_version.parting.rules[0].id, "RAC-R1");
        for compared in [by_version, by_ruling] {
            assert_eq!(compared.course.status, status);
        }
    }
}

#[test]
fn every_answer_names_the_version_of_the_record() {
    let text = overshot(Some("race@1"), json!({}));
    let record = RawRecord::read(text.as_bytes()).expect("an envelope");
    let of = Of::<Race>::new();
    let (query, limits) = (Query::default(), Limits::default());
    let sheet = of.sheet(&record, Observer::Referee, limits).expect("a sheet");
    let sheet: Value = serde_json::from_str(sheet.get()).unwrap();
    assert_eq!(sheet["ruleset"], "race@1");
    let bank = r#"{"type": "bank", "player": "red"}"#;
    let why = of.why(&record, bank, &query, &Default::default()).expect("an answer");
    let report = of.replay(&record, &query).expect("a report");
    let legal = of.legal(&record, &query, LegalQuery::LIST).expect("a list");
    let answers = [why.ruleset, report.ruleset, legal.ruleset];
    assert!(answers.iter().all(|it| it == "race@1"), "{answers:?}");
}

#[test]
fn a_record_with_unknowns_is_followed_by_its_version() {
    for (ruleset, status) in [("race@1", Status::Impossible), ("race@2", Status::Possible)] {
        let record = json!({
            "format": "umpire/1", "game": "race", "ruleset": ruleset, "chance": {"tape": {"partial": true}},
            "position": {"turn": 0, "sum": 0, "banked": [18, 0]},
            "actions": [{"type": "roll", "player": "red"}, {"type": "bank", "player": "red"}],
            "claims": {"outcome": {"winner": "red"}},
            "checkpoints": [{"ply": 2, "facts": {"banked": [21, 0]}}],
        });
        let text = record.to_string();
        let partial = Partial::read(text.as_bytes()).expect("a record");
        let partial = partial.expect("something is unknown");
        let judged = Of::<Race>::new()
            .judge_partial(&partial, Default::default(), Limits::default())
            .expect("a judgement");
        assert_eq!((judged.verdict.status, &*judged.ruleset), (status, ruleset));
    }
}

/// Records of the fixtures that a version reads as they stand: what a dispute says of that version is what a record
/// that names it comes to.
#[test]
fn a_dispute_about_a_version_is_the_judgement_by_it() {
    let (mut compared, mut differing) = (0, 0);
    for game in umpire_engine::games::GAMES.iter() {
        let rulesets: Vec<String> = game.meta().rulesets().collect();
        let files = ["rules", "games"].map(|kind| json_files(&fixtures(game.meta().id).join(kind)));
        for file in files.into_iter().flatten() {
            let text = std::fs::read_to_string(&file).expect("a fixture");
            let mut value = serde_json::from_str::<Value>(&text).expect("JSON")["record"].take();
            let text = value.to_string();
            for ruleset in &rulesets {
                let readings =
                    [ReadingChoice { ruleset: Some(ruleset.clone()), ..ReadingChoice::default() }];
                let dispute =
                    Dispute { readings: Some(&readings), brief: true, ..Dispute::default() };
                let Ok(record) = RawRecord::read(text.as_bytes()) else { continue };
                let Ok(settled) = game.adjudicate(&record, &dispute, Limits::default()) else {
                    continue;
                };
                let own = settled.ruleset == *ruleset;
                value["ruleset"] = json!(ruleset);
                let named = value.to_string();
                let named = RawRecord::read(named.as_bytes()).expect("an envelope");
                let Ok(judged) = game.judge(&named, Limits::default()) else {
                    assert_eq!(settled.impossible.len(), 1, "{text}");
                    continue;
                };
                let course = match settled.readings.first() {
                    Some(it) if it.carried.is_empty() && it.course.hypothetical_from.is_none() => {
                        assert!(!own, "{text}");
                        differing += 1;
                        &it.course
                    }
                    Some(_) => continue,
                    None => &settled.recorded,
                };
                // Only the record as it stands is blamed for draws that are left over.
                if judged.verdict.status == Status::BadChance {
                    continue;
                }
                let verdict = (judged.verdict.status, judged.verdict.plies, judged.verdict.outcome);
                assert_eq!(
                    (course.status, course.plies, course.outcome.clone()),
                    verdict,
                    "{text}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1000 && differing > 20, "{compared} {differing}");
}
