//! `/v1/replay`.

use serde_json::{Value, json};
use umpire_engine::games::GAMES;
use umpire_referee::reading;

use crate::app::{TestApp, game, illegal, legal, whole_game};

#[actix_web::test]
async fn a_replay_answers_the_parts_that_were_asked_for() {
    let app = TestApp::new();
    let plain = app.post("/v1/replay", legal(3).to_string()).await.json();
    assert_eq!(plain["verdict"]["status"], "in_progress");
    assert_eq!(plain["verdict"]["plies"], 3);
    assert_eq!(plain["ply"], 3);
    let parts = ["events", "states", "tape", "fingerprints", "explain", "chapters"];
    for part in parts {
        assert!(plain.get(part).is_none(), "{part}");
    }
    let path = format!("/v1/replay?include={}", parts.join(","));
    let full = app.post(&path, legal(3).to_string()).await.json();
    for part in parts {
        assert!(full[part].is_array(), "{part}");
    }
    assert_eq!(full["states"].as_array().unwrap().len(), 4);
    assert_eq!(full["fingerprints"][3]["fingerprint"], plain["fingerprint"]);
}

#[actix_web::test]
async fn a_seeded_game_replays_from_its_tape() {
    let app = TestApp::new();
    let path = "/v1/replay?include=tape,fingerprints";
    for game in GAMES.iter() {
        let mut record = whole_game(game.meta().id);
        let report = app.post(path, record.to_string()).await.json();
        assert!(report["tape"][0]["rule"].is_string(), "{}", report["tape"]);
        record["chance"] = json!({"tape": report["tape"]});
        let again = app.post(path, record.to_string()).await.json();
        assert_eq!(again["verdict"], report["verdict"]);
        assert!(again == report, "{}", game.meta().id);
    }
}

#[actix_web::test]
async fn an_illegal_record_is_a_result_with_the_last_good_state() {
    let report = TestApp::new().post("/v1/replay", illegal(2).to_string()).await;
    assert_eq!(report.status, 200);
    let report = report.json();
    assert_eq!(report["verdict"]["status"], "illegal");
    assert_eq!(report["verdict"]["violation"]["ply"], 2);
    assert_eq!(report["ply"], 2);
    let cited = report["verdict"]["violation"]["rule"].as_str().unwrap();
    assert!(game().rules().iter().any(|entry| entry.id == cited), "{cited}");
}

#[actix_web::test]
async fn seed_tape_fingerprints_and_chapters_are_the_referees() {
    let app = TestApp::new();
    let path = "/v1/replay?include=tape,fingerprints,chapters&viewer=";
    for viewer in ["spectator", game().meta().seats[0]] {
        let report = app.post(&format!("{path}{viewer}"), legal(3).to_string()).await.json();
        assert_eq!(report["viewer"], viewer);
        for part in ["tape", "fingerprint", "fingerprints", "chapters"] {
            assert!(report.get(part).is_none(), "{part} for {viewer}");
        }
    }
}

#[actix_web::test]
async fn a_state_can_be_asked_for_at_every_ply() {
    let app = TestApp::new();
    let all = app.post("/v1/replay?include=states", legal(3).to_string()).await.json();
    for ply in 0..=3 {
        let one = app.post(&format!("/v1/replay?ply={ply}"), legal(3).to_string()).await.json();
        assert_eq!(one["state"], all["states"][ply]["state"], "{ply}");
    }
}

/// A slider at a ply must not tell how the game ends.
#[actix_web::test]
async fn what_comes_after_a_ply_is_not_told() {
    let app = TestApp::new();
    let parts = "include=events,text,explain,tape,fingerprints,chapters,states";
    for id in GAMES.iter().map(|game| game.meta().id) {
        let mut whole = whole_game(id);
        let end = whole["actions"].as_array().unwrap().len();
        let at = 40.min(end / 2);
        let mut part = whole.clone();
        part["actions"].as_array_mut().unwrap().truncate(at);
        part.as_object_mut().unwrap().remove("claims");
        whole["claims"] = json!({"plies": end, "outcome": {"reason": "x"}});
        whole["checkpoints"] = json!([{"ply": end, "fingerprint": "0"}]);
        for viewer in ["referee", "spectator"] {
            let path = format!("/v1/replay?{parts}&viewer={viewer}");
            let asked = app.post(&format!("{path}&ply={at}"), whole.to_string()).await.json();
            let expected = app.post(&path, part.to_string()).await.json();
            assert_eq!(asked["verdict"]["plies"], at);
            for (field, value) in asked.as_object().unwrap() {
                assert!(*value == expected[field], "{id} {viewer} {field}");
            }
            for path in ["/v1/legal-actions", "/v1/scene"] {
                let path = format!("{path}?viewer={viewer}");
                let asked = app.post(&format!("{path}&ply={at}"), whole.to_string()).await;
                assert_eq!(asked.body, app.post(&path, part.to_string()).await.body, "{path}");
            }
        }
        // A fault behind the ply is none of it.
        whole["actions"][at] = json!({"type": "no such thing"});
        let path = format!("/v1/replay?ply={at}");
        let asked = app.post(&path, whole.to_string()).await.json();
        assert_eq!(asked["verdict"]["status"], "in_progress");
        let next = format!("/v1/replay?ply={}", at + 1);
        app.post(&next, whole.to_string()).await.problem(404, "not_found");
    }
}

#[actix_web::test]
async fn a_whole_number_may_be_written_with_a_fraction_of_nothing() {
    let app = TestApp::new();
    let mut record = legal(1);
    record["claims"] = json!({"plies": 1});
    let text = record.to_string();
    let loose = text.replace("\"plies\":1", "\"plies\":1.0");
    assert_ne!(text, loose);
    let strict = app.post("/v1/replay", text).await;
    assert_eq!(app.post("/v1/replay", loose).await.body, strict.body);
}

mod errors {
    use super::*;
    use umpire_api::limits::Limits;

    #[actix_web::test]
    async fn a_ply_behind_the_end_is_not_found() {
        let answer = TestApp::new().post("/v1/replay?ply=4", legal(3).to_string()).await;
        answer.problem(404, "not_found");
    }

    #[actix_web::test]
    async fn a_wrong_parameter_is_named() {
        let app = TestApp::new();
        for (query, name) in [
            ("ply=last", "ply"),
            ("ply=-1", "ply"),
            ("ply=4294967296", "ply"),
            ("viewer=nobody", "viewer"),
            ("include=events,everything", "include"),
            ("ply=1&ply=1", "ply"),
            ("colour=red", "colour"),
        ] {
            let answer = app.post(&format!("/v1/replay?{query}"), legal(0).to_string()).await;
            assert_eq!(answer.problem(422, "bad_parameter")["parameter"], name, "{query}");
        }
    }

    #[actix_web::test]
    async fn every_field_at_fault_is_named() {
        let app = TestApp::new();
        let cases = [
            ("format", json!("umpire/9"), "unknown_format", "/format"),
            ("game", json!("ludo"), "unknown_game", "/game"),
            ("ruleset", json!("ludo@1"), "unknown_ruleset", "/ruleset"),
            ("options", json!({"speed": 9}), "bad_options", "/options"),
            ("players", json!({"nobody": "Anna"}), "bad_record", "/players/nobody"),
            ("chance", json!({}), "bad_record", "/chance"),
            ("chance", json!({"tape": [{"kind": "omen"}]}), "bad_record", "/chance/tape/0"),
            (
                "chance",
                json!({"tape": [{"kind": "die", "at": "x", "value": 1, "ply": "one"}]}),
                "bad_record",
                "/chance/tape/0/ply",
            ),
            ("position", json!(7), "bad_position", "/position"),
            ("actions", json!({}), "bad_record", "/actions"),
            ("claims", json!({"plies": "three"}), "bad_record", "/claims/plies"),
            ("meta", json!({"a": [[[[[1]]]]]}), "bad_record", "/meta/a/0/0/0/0"),
            ("colour", json!("red"), "bad_record", "/colour"),
        ];
        for (field, value, code, pointer) in cases {
            let mut record = legal(1);
            record[field] = value;
            let problem = app.post("/v1/replay", record.to_string()).await.problem(422, code);
            let found = problem["pointer"].as_str().unwrap();
            assert!(found.starts_with(pointer) || found.is_empty(), "{field}: {problem}");
        }
    }

    #[actix_web::test]
    async fn a_seat_that_is_not_in_use_is_named_with_those_that_are() {
        let app = TestApp::new();
        let mut unused = 0;
        for game in GAMES.iter() {
            let mut record: Value =
                serde_json::from_str(reading::sample(*game, "a test", 1).get()).unwrap();
            record["players"] = json!({"no/body": "Anna"});
            let problem = app.post("/v1/replay", record.to_string()).await;
            let problem = problem.problem(422, "bad_record");
            assert_eq!(problem["pointer"], "/players/no~1body");
            let detail = problem["detail"].as_str().unwrap();
            let (why, in_use) = detail.split_once("; the seats in use are ").unwrap();
            assert_eq!(why, "\"no/body\" is no seat of this game");
            for seat in game.meta().seats {
                record["players"] = json!({ *seat: "Anna" });
                let answer = app.post("/v1/replay", record.to_string()).await;
                if in_use.split(", ").any(|other| other == *seat) {
                    assert_eq!(answer.status, 200, "{seat}");
                    continue;
                }
                unused += 1;
                let problem = answer.problem(409, "options_refused");
                assert_eq!(problem["pointer"], format!("/players/{seat}"));
                assert_eq!(
                    problem["detail"],
                    format!(
                        "{seat:?} is not in use under these options; the seats in use are {in_use}"
                    )
                );
                let mut record = record.clone();
                record["players"] = json!({});
                record["actions"][0]["player"] = json!(seat);
                let report = app.post("/v1/replay", record.to_string()).await.json();
                assert_eq!(report["verdict"]["status"], "illegal", "{report}");
                assert_eq!(report["verdict"]["violation"]["player"], *seat);
            }
        }
        assert!(unused > 0, "every game uses all its seats");
    }

    #[actix_web::test]
    async fn a_record_with_every_state_has_a_lower_bound() {
        let app = TestApp::limited(Limits { max_states: 2, ..Limits::default() });
        let text = legal(3).to_string();
        assert_eq!(app.post("/v1/replay", text.clone()).await.status, 200);
        let answer = app.post("/v1/replay?include=states", text).await;
        answer.problem(422, "too_many_actions");
    }
}
