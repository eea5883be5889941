//! The fixture runner itself, tested with a toy game: what it must let pass, and each way in
//! which a fixture must fail.

use crate::run::faults;
use serde_json::{Value, json};
use umpire_conformance::fixture::{Case, Kind};
use umpire_engine::any_game::Of;

static RACE: Of<umpire_testing::toys::race::Race> = Of::new();

/// A fixture in which everything is so. The tape: 3, then 1.
fn good() -> Value {
    let roll = json!({"type": "roll", "player": "red"});
    json!({
        "title": "A one loses the turn.",
        "shows": ["RAC-1.2"],
        "record": {
            "format": "umpire/1",
            "game": "race",
            "chance": {"tape": [
                {"kind": "die", "at": "roll", "value": 3}, {"kind": "die", "at": "roll", "value": 1},
            ]},
            "actions": [roll, roll, roll],
        },
        "expect": {
            "status": "illegal",
            "plies": 2,
            "violation": {"ply": 2, "code": "wrong_side", "rule": "RAC-3.1"},
            "checks": [
                {"ply": 0, "events": [], "legal_count": 1, "decision": {"players": ["red"]}},
                {"ply": 1, "state": {"sum": 3}, "events": ["rolled"], "legal_count": 2},
                {"ply": 2, "state": {"banked": [0, 0]}, "events": ["rolled", "turned"],
                 "decision": {"players": ["blue"], "state": "roll_or_bank"}},
            ],
            "tries": [
                {"ply": 1, "action": {"type": "bank", "player": "red"}, "accepted": true,
                 "state": {"turn": 1, "banked": [3, 0]}},
                {"ply": 1, "action": {"type": "bank", "player": "blue"},
                 "refused": {"rule": "RAC-3.1", "code": "wrong_side"}},
                {"ply": 0, "action": {"type": "bank", "player": "red"},
                 "refused": {"rule": "RAC-1.3", "code": "nothing_to_bank"}},
            ],
        },
    })
}

fn run(kind: Kind, name: &str, fixture: &Value) -> Vec<String> {
    faults(&Case::read(&RACE, kind, format!("{name}.json").into(), fixture.to_string()))
}

#[track_caller]
fn fails(pointer: &str, value: Value, because: &str) {
    let mut fixture = good();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match fixture.pointer_mut(parent).expect("a place") {
        Value::Object(fields) => drop(fields.insert(key.to_owned(), value)),
        Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value,
        other => panic!("{other} has no fields"),
    }
    let found = run(Kind::Rule, "1.2-a-one", &fixture);
    assert!(found.iter().any(|it| it.contains(because)), "{pointer}: {found:?}");
}

#[test]
fn a_good_fixture_passes() {
    assert_eq!(run(Kind::Rule, "1.2-a-one-loses-the-turn", &good()), Vec::<String>::new());
}

#[test]
fn another_verdict_fails() {
    fails("/expect/status", json!("in_progress"), "status: expected in_progress, found illegal");
    fails("/expect/plies", json!(3), "plies: expected 3, found 2");
    fails("/expect/violation/code", json!("bad_fields"), "violation.code");
    fails("/expect/violation/rule", json!("RAC-1.1"), "violation.rule");
    fails("/expect/violation/pointer", json!("/actions/1"), "violation.pointer");
    fails("/expect/violation/rules", json!(["RAC-R1"]), "RAC-R1 is not in");
    fails("/expect/fingerprint", json!("00"), "fingerprint");
    fails("/expect/outcome", json!({"winner": "red", "reason": "reached"}), "found none");
    fails("/expect/fault", json!({"code": "bad_position"}), "expected bad_position");
}

#[test]
fn another_course_fails() {
    fails("/expect/checks/1/state/sum", json!(4), "/sum: expected 4, found 3");
    fails("/expect/checks/1/state/summe", json!(3), "no such field");
    fails("/expect/checks/1/legal_count", json!(3), "legal_count: expected 3, found 2");
    fails("/expect/checks/0/events", json!(["rolled"]), "no rolled");
    fails("/expect/checks/2/events", json!(["turned", "rolled"]), "no rolled");
    fails("/expect/checks/2/decision/players", json!(["red"]), "players: expected");
    fails("/expect/checks/2/decision/state", json!("over"), "decision: expected over");
    fails("/expect/checks/2/ply", json!(3), "only 2 plies are good");
    fails("/expect/checks/0", json!({"ply": 0}), "looks at nothing");
}

#[test]
fn what_a_viewer_sees_is_looked_at() {
    fails("/expect/checks/1/views", json!({"blue": {"sum": 4}}), "blue/sum: expected 4, found 3");
    fails("/expect/checks/1/views", json!({"green": {}}), "green is no viewer");
    fails("/expect/checks/1/hidden", json!({"spectator": ["/sum"]}), "spectator sees /sum: 3");
    fails("/expect/checks/1/hidden", json!({"blue": ["/misspelt"]}), "not even for the referee");
    fails("/expect/checks/1/listed", json!({"blue": 0}), "listed to blue: expected 0, found 2");
}

#[test]
fn a_try_that_comes_out_otherwise_fails() {
    fails("/expect/tries/0/state/turn", json!(2), "/turn: expected 2, found 1");
    fails("/expect/tries/1/refused/code", json!("bad_fields"), "expected RAC-3.1 bad_fields");
    fails("/expect/tries/1/refused/rule", json!("RAC-1.1"), "expected RAC-1.1 wrong_side");
    fails("/expect/tries/1/action/player", json!("red"), "but it is accepted");
    fails("/expect/tries/0/action/player", json!("blue"), "expected to be accepted");
    fails("/expect/tries/0/accepted", json!(false), "is either");
    fails("/expect/tries/1/accepted", json!(true), "is either");
    fails("/expect/tries/1/state", json!({}), "leads to no state");
    fails("/expect/tries/2/ply", json!(3), "only 2 plies are good");
    fails("/expect/tries/2/rulings", json!({"RAC-R9": "x"}), "no selectable ruling");
}

#[test]
fn a_try_can_change_a_ruling() {
    let near = json!({"turn": 0, "sum": 5, "banked": [18, 0]});
    let bank = json!({"type": "bank", "player": "red"});
    let fixture = |second: Value| {
        json!({
            "title": "Under the other reading twenty is met exactly.",
            "shows": ["RAC-R1"],
            "record": {"format": "umpire/1", "game": "race", "chance": {"tape": []},
                       "position": near, "actions": []},
            "expect": {"tries": [
                {"ply": 0, "action": bank, "accepted": true, "state": {"banked": [23, 0]}},
                second,
            ]},
        })
    };
    let exact = json!({"ply": 0, "action": bank, "rulings": {"RAC-R1": "exact"},
                       "refused": {"rule": "RAC-2.1", "code": "beyond_goal"}});
    assert_eq!(run(Kind::Rule, "R01-exact", &fixture(exact)), Vec::<String>::new());
    let default = json!({"ply": 0, "action": bank,
                         "refused": {"rule": "RAC-2.1", "code": "beyond_goal"}});
    assert_eq!(run(Kind::Rule, "R01-exact", &fixture(default)).len(), 1);
}

#[test]
fn a_fault_is_expected_by_code_and_invariant() {
    let fixture = |code: &str, invariant: &str| {
        json!({
            "title": "Nobody gets to turn ninety.",
            "shows": ["RAC-1.1"],
            "record": {"format": "umpire/1", "game": "race", "chance": {"tape": []},
                       "position": {"turn": 90, "sum": 0, "banked": [0, 0]}, "actions": []},
            "expect": {"fault": {"code": code, "invariant": invariant}},
        })
    };
    let run = |code, invariant| run(Kind::Rule, "G01-turns", &fixture(code, invariant));
    assert_eq!(run("position_refused", "1"), Vec::<String>::new());
    assert_eq!(run("bad_position", "1").len(), 1);
    assert_eq!(run("position_refused", "11").len(), 1);
}

#[test]
fn a_misspelt_expectation_fails() {
    for place in [
        "",
        "/expect",
        "/expect/violation",
        "/expect/checks/0",
        "/expect/tries/1",
        "/expect/tries/1/refused",
        "/expect/checks/0/decision",
    ] {
        fails(&format!("{place}/misspelt"), json!(1), "cannot be read");
    }
    fails("/record/misspelt", json!(1), "cannot be replayed");
}

#[test]
fn a_fixture_that_checks_nothing_fails() {
    fails("/expect", json!({}), "expects nothing");
    fails("/shows", json!([]), "shows nothing");
}

#[test]
fn a_fixture_says_truly_what_it_shows() {
    fails("/title", json!("one"), "the title is a sentence");
    fails("/shows", json!(["RAC-9.9"]), "which is no rule");
    fails("/shows", json!(["RAC-1.2", "RAC-1.2"]), "shows RAC-1.2 twice");
    fails("/record/game", json!("bids"), "is no record of race");
    for name in ["1.3-a-one", "a-one", "1.2", "1.2-", "1.2-A One", "R01-a-one", "x1-a-one"] {
        let found = run(Kind::Rule, name, &good());
        assert!(found.iter().any(|it| it.contains("the name does not begin")), "{name}");
    }
    for name in ["W03-a-one", "W03b-a-one", "G06-a-one"] {
        assert_eq!(run(Kind::Rule, name, &good()), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_whole_game_is_complete() {
    let found = run(Kind::Game, "anna-wins", &good());
    assert!(found.iter().any(|it| it.contains("a whole game expects")), "{found:?}");
}
