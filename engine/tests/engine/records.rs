//! Records that no game reads (lists in the place of objects), and work that is ended before its end.

use std::sync::atomic::{AtomicBool, AtomicU64};

use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::budget::Budget;
use umpire_engine::dispute::compare::PlyMark;
use umpire_engine::dispute::readings::Dispute;
use umpire_engine::dispute::repair::RepairBounds;
use umpire_engine::dispute::why::Bounds;
use umpire_engine::game::{FullGame, Observer, Seat, Visitor};
use umpire_engine::games;
use umpire_engine::record::{Fault, FaultCode, RawRecord};
use umpire_engine::replay::answer::{LegalQuery, Status, Unanswered};
use umpire_engine::replay::{Include, Limits, Query};

use crate::walk::{json, record, walk};

struct ListsForActions;

impl Visitor for ListsForActions {
    fn game<G: FullGame>(&mut self) {
        let text = format!(
            r#"{{"format":"umpire/1","game":"{}","chance":{{"seed":"x"}},"actions":[["{}"]]}}"#,
            G::META.id,
            G::META.seats[0]
        );
        let record = RawRecord::read(text.as_bytes()).unwrap();
        let judgement = Of::<G>::new().judge(&record, Limits::default()).unwrap();
        assert_eq!(judgement.verdict.status, Status::Illegal);
        let text = text.replace(r#""chance""#, r#""options":["free"],"chance""#);
        let record = RawRecord::read(text.as_bytes()).unwrap();
        let fault = Of::<G>::new().judge(&record, Limits::default()).unwrap_err();
        assert_eq!(fault.code, FaultCode::BadOptions);
    }
}

/// Every question about a record, with a budget: the answers as JSON, or the faults.
fn all_answers<G: FullGame>(text: &str, budget: Budget<'_>) -> Vec<Result<String, Fault>> {
    fn rendered<T: Serialize, E: Into<Unanswered>>(found: Result<T, E>) -> Result<String, Fault> {
        match found.map_err(Into::into) {
            Ok(found) => Ok(serde_json::to_string(&found).unwrap()),
            Err(Unanswered::Fault(fault)) => Err(fault),
            Err(other) => Ok(format!("{other:?}")),
        }
    }
    let record = RawRecord::read(text.as_bytes()).unwrap();
    let game = Of::<G>::new();
    let limits = Limits { budget, ..Limits::default() };
    let include = Include { events: true, explain: true, fingerprints: true, ..Include::default() };
    let query = Query { limits, include, ..Query::default() };
    let wrong = format!(r#"{{"type": "salt", "player": "{}"}}"#, G::META.seats[0]);
    let action: &RawValue = serde_json::from_str(&wrong).unwrap();
    let dispute = Dispute { action: Some(action), ..Dispute::default() };
    let bounds = Bounds { loads: 30, pairs: 9, ..Bounds::default() };
    let repairs = RepairBounds { work: 2000, edits: 1, ..RepairBounds::default() };
    let mark = r#"[{"ply": 1, "fingerprint": "00"}]"#.replace("00", &"0".repeat(64));
    let marks: Vec<PlyMark> = serde_json::from_str(&mark).unwrap();
    let seat = Query { viewer: Observer::Seat(Seat(0)), ..query };
    vec![
        rendered(game.judge(&record, limits)),
        rendered(game.replay(&record, &query)),
        rendered(game.legal(&record, &query, LegalQuery::LIST)),
        rendered(game.legal(&record, &query, LegalQuery::COUNT)),
        rendered(game.story(&record, Observer::Referee, limits)),
        rendered(game.story(&record, Observer::Seat(Seat(0)), limits)),
        rendered(game.explain(&record, &query)),
        rendered(game.why(&record, &wrong, &query, &bounds)),
        rendered(game.why(&record, &wrong, &seat, &bounds)),
        rendered(game.adjudicate(&record, &dispute, limits)),
        rendered(game.repair(&record, repairs, limits)),
        rendered(game.remedy(&record, limits)),
        rendered(game.compare([&record, &record], limits).map_err(|it| it.fault)),
        rendered(game.compare_prints(&record, &marks, false, limits)),
    ]
}

/// Whatever a question may cost, its answer is whole or none.
struct WholeOrNone;

impl Visitor for WholeOrNone {
    fn game<G: FullGame>(&mut self) {
        let game = walk::<G>("{}", "whole or none", 30);
        let actions: Vec<String> = game.actions.iter().map(json).collect();
        let actions = actions.join(",");
        let wrong = format!(r#"{{"type": "salt", "player": "{}"}}"#, G::META.seats[0]);
        for actions in [actions.clone(), format!("{actions},{wrong}")] {
            let text =
                record::<G>("{}", r#"{"seed":"whole or none"}"#, None, &format!("[{actions}]"));
            let whole = all_answers::<G>(&text, Budget::UNLIMITED);
            let mut ended = 0;
            for units in [0, 1, 7, 29, 31, 40, 100, 500, 3000] {
                let units = AtomicU64::new(units);
                let some = all_answers::<G>(&text, Budget::UNLIMITED.within(&units));
                for (at, (some, whole)) in some.into_iter().zip(&whole).enumerate() {
                    match some {
                        Err(fault) if fault.code == FaultCode::Stopped => ended += 1,
                        some => assert_eq!(&some, whole, "{} question {at}", G::META.id),
                    }
                }
            }
            assert!(ended > 20, "{}: {ended}", G::META.id);
            let raised = AtomicBool::new(true);
            for (at, answer) in all_answers::<G>(&text, Budget::until(&raised)).iter().enumerate() {
                let stopped = answer.as_ref().is_err_and(|it| it.code == FaultCode::Stopped);
                assert!(stopped, "{} question {at}: {answer:?}", G::META.id);
            }
        }
    }
}

#[test]
fn an_answer_is_whole_or_none() {
    crate::walk::every_game(&mut WholeOrNone);
}

#[test]
fn no_game_reads_actions_or_options_from_lists() {
    games::visit(&mut ListsForActions);
}

/// A record of some actions, and what `change` makes of it.
fn changed<G: FullGame>(change: impl FnOnce(&mut serde_json::Value)) -> String {
    let game = walk::<G>("{}", "notes", 12);
    let text = game.record(game.actions.len(), &game.seed_chance());
    let mut record = serde_json::from_str(&text).unwrap();
    change(&mut record);
    record.to_string()
}

struct Notes;

impl Visitor for Notes {
    fn game<G: FullGame>(&mut self) {
        let report = |text: &str| {
            let record = RawRecord::read(text.as_bytes()).unwrap();
            let include =
                Include { events: true, explain: true, fingerprints: true, ..Include::default() };
            let query = Query { include, viewer: Observer::Seat(Seat(0)), ..Query::default() };
            serde_json::to_string(&Of::<G>::new().replay(&record, &query).unwrap()).unwrap()
        };
        let plain = changed::<G>(|_| {});
        let noted = changed::<G>(|record| {
            record["note"] = "played in the caf\u{e9}".into();
            for action in record["actions"].as_array_mut().unwrap() {
                action["note"] = "is this so?".into();
            }
        });
        assert_eq!(report(&plain), report(&noted), "a note changes nothing that a player learns");
        let raw = RawRecord::read(noted.as_bytes()).unwrap();
        assert_eq!(raw.note.as_ref().map(|note| &*note.0), Some("played in the caf\u{e9}"));
        let notes = umpire_engine::record::notes(raw.actions);
        assert!(!notes.is_empty());
        assert!(notes.iter().enumerate().all(|(at, it)| *it == (at, "is this so?".to_owned())));
        for (value, at) in [("7".to_owned(), 0), (format!("\"{}\"", "n".repeat(4001)), 1)] {
            let note: serde_json::Value = serde_json::from_str(&value).unwrap();
            let text = changed::<G>(|record| record["actions"][at]["note"] = note.clone());
            let raw = RawRecord::read(text.as_bytes()).unwrap();
            let fault = Of::<G>::new().judge(&raw, Limits::default()).unwrap_err();
            assert_eq!(fault.code, FaultCode::BadRecord);
            assert_eq!(fault.pointer, format!("/actions/{at}/note"), "{fault}");
            let text = changed::<G>(|record| record["note"] = note);
            let fault = RawRecord::read(text.as_bytes()).unwrap_err();
            assert_eq!((fault.code, &*fault.pointer), (FaultCode::BadRecord, "/note"), "{fault}");
        }
        // Twice, and below the action, it is no note.
        let twice = noted.replacen("\"note\"", "\"note\":\"first\",\"note\"", 1);
        let raw = RawRecord::read(twice.as_bytes()).unwrap();
        assert!(Of::<G>::new().judge(&raw, Limits::default()).is_err(), "{twice}");
    }
}

#[test]
fn a_note_is_kept_and_never_judged() {
    crate::walk::every_game(&mut Notes);
}

struct Checkpoints;

impl Visitor for Checkpoints {
    fn game<G: FullGame>(&mut self) {
        let judged = |checkpoints: serde_json::Value| {
            let text = changed::<G>(|record| record["checkpoints"] = checkpoints);
            let raw = RawRecord::read(text.as_bytes())?;
            Of::<G>::new().judge(&raw, Limits::default())
        };
        let text = changed::<G>(|_| {});
        let raw = RawRecord::read(text.as_bytes()).unwrap();
        let at = |viewer: Observer| {
            let query = Query { ply: Some(3), viewer, ..Query::default() };
            let report = Of::<G>::new().replay(&raw, &query).unwrap();
            let state: serde_json::Value = serde_json::from_str(report.state.get()).unwrap();
            (state, serde_json::to_value(report.fingerprint).unwrap())
        };
        let (state, fingerprint) = at(Observer::Referee);
        let (seen, _) = at(Observer::Seat(Seat(0)));
        let seat = G::META.seats[0];
        let good = serde_json::json!([
            {"ply": 3, "facts": state, "fingerprint": fingerprint},
            {"ply": 3, "facts": seen, "viewer": seat},
        ]);
        let verdict = judged(good).unwrap().verdict;
        assert!(verdict.claims.len() > 2 && verdict.claims.iter().all(|claim| claim.holds));
        let bad = serde_json::json!([
            {"ply": 3, "facts": {"no_such_fact": {"of/it": 7}}},
            {"ply": 3, "fingerprint": "0"},
            {"ply": 999, "facts": {}},
        ]);
        let verdict = judged(bad).unwrap().verdict;
        assert!(verdict.violation.is_none(), "a finding is no fault");
        let broken: Vec<&str> =
            verdict.claims.iter().filter(|it| !it.holds).map(|it| &*it.claim).collect();
        let expected = [
            "/checkpoints/0/facts/no_such_fact",
            "/checkpoints/1/fingerprint",
            "/checkpoints/2/ply",
        ];
        assert_eq!(broken, expected);
        let mut deep = serde_json::json!({});
        for _ in 0..20 {
            deep = serde_json::json!({ "a": deep });
        }
        let many: Vec<serde_json::Value> = vec![serde_json::json!({"ply": 0, "facts": {}}); 1001];
        for (wrong, pointer) in [
            (serde_json::json!([{"ply": 1}]), "/checkpoints/0"),
            (serde_json::json!([{"ply": 1, "facts": [1]}]), "/checkpoints/0/facts"),
            (serde_json::json!([{"ply": -1, "facts": {}}]), "/checkpoints/0/ply"),
            (
                serde_json::json!([{"ply": 1, "facts": {}, "viewer": "nobody"}]),
                "/checkpoints/0/viewer",
            ),
            (
                serde_json::json!([{"ply": 1, "fingerprint": "0", "viewer": seat}]),
                "/checkpoints/0/viewer",
            ),
            (serde_json::json!([{"ply": 1, "facts": deep}]), "/checkpoints"),
            (serde_json::Value::from(many), "/checkpoints"),
        ] {
            let fault = judged(wrong).unwrap_err();
            assert_eq!((fault.code, &*fault.pointer), (FaultCode::BadRecord, pointer), "{fault}");
        }
    }
}

#[test]
fn a_checkpoint_is_held_against_the_moment() {
    crate::walk::every_game(&mut Checkpoints);
}
