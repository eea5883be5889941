//! Disputes over HTTP and on the command line, for every registered game.

use serde_json::{Value, json};
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game, legal};
use crate::cli::{code, error, json as printed, out, umpire};

/// The precedents of a game: real disputes.
fn precedents(id: &str) -> Vec<Value> {
    let folder = format!("{}/../fixtures/{id}/precedents", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    files.into_iter().map(read).collect()
}

/// A precedent of a game that turns on a ruling and asks about an action.
fn one_by_ruling(id: &str) -> Value {
    let by_ruling = |it: &Value| it["ruling"].is_string() && it["ask"].is_object();
    precedents(id).into_iter().find(by_ruling).unwrap()
}

#[actix_web::test]
async fn every_precedent_is_settled_over_http() {
    let app = TestApp::new();
    for game in GAMES {
        for precedent in precedents(game.meta().id) {
            let readings: Vec<Value> = precedent["readings"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|other| {
                    let mut reading = other.clone();
                    reading.as_object_mut().unwrap().remove("answer");
                    reading
                })
                .collect();
            let mut body = json!({"record": precedent["record"], "readings": readings});
            if precedent["ask"].is_object() {
                body["action"] = precedent["ask"].clone();
            }
            let answer = app.post("/v1/adjudicate", body.to_string()).await;
            assert_eq!(answer.status, 200, "{precedent}");
            let answer = answer.json();
            assert_eq!(answer["readings"].as_array().unwrap().len(), readings.len());
            assert!(!answer["summary"].as_array().unwrap().is_empty());
            let Some(expected) = precedent["answer"]["legal"].as_bool() else { continue };
            let found = match answer.get("question") {
                Some(question) => question["answer"] == "legal",
                None => answer["recorded"]["violation"].is_null(),
            };
            assert_eq!(found, expected, "{}", precedent["title"]);
        }
    }
}

#[actix_web::test]
async fn a_stored_record_is_disputed_by_its_id() {
    let app = TestApp::new();
    let record = legal(4);
    let id = app.post("/v1/records", record.to_string()).await.json()["id"].clone();
    let by_id = app.post("/v1/adjudicate", json!({ "id": id }).to_string()).await.json();
    let sent = app.post("/v1/adjudicate", json!({ "record": record }).to_string()).await.json();
    assert_eq!(by_id["recorded"], sent["recorded"]);
    assert_eq!(by_id["summary"], sent["summary"]);
}

#[actix_web::test]
async fn a_request_that_cannot_be_settled_is_told_where() {
    let app = TestApp::new();
    let check = async |body: Value, status: u16, code: &str, pointer: &str| {
        let answer = app.post("/v1/adjudicate", body.to_string()).await;
        assert_eq!(answer.status, status, "{body}");
        let answer = answer.json();
        assert_eq!(answer["code"], code, "{answer}");
        assert_eq!(answer.get("pointer").and_then(Value::as_str).unwrap_or(""), pointer);
    };
    let record = legal(2);
    check(json!({}), 422, "bad_record", "/record").await;
    check(json!({"record": record, "id": "0".repeat(64)}), 422, "bad_record", "/record").await;
    check(json!({"record": record, "salt": 1}), 422, "bad_record", "/salt").await;
    check(json!({"id": "0".repeat(64)}), 404, "not_found", "").await;
    check(json!({"id": "salt"}), 404, "not_found", "").await;
    check(json!({"record": record, "ply": 99}), 404, "not_found", "").await;
    check(json!({"record": {"format": "umpire/1"}}), 422, "bad_record", "/record").await;
    let unknown = json!([{"rulings": {"X-R1": "a"}}]);
    let body = json!({"record": record, "readings": unknown});
    check(body, 422, "bad_options", "/readings/0/rulings/X-R1").await;
    check(json!({"record": record, "readings": [{}]}), 422, "bad_options", "/readings/0").await;
    let many = vec![json!({"edition": "x"}); 300];
    check(json!({"record": record, "readings": many}), 422, "bad_options", "/readings").await;
    let mut other = legal(2);
    other["game"] = "ludo".into();
    check(json!({ "record": other }), 422, "unknown_game", "/record/game").await;
}

#[test]
fn a_dispute_is_read_aloud() {
    for game in GAMES {
        let precedent = one_by_ruling(game.meta().id);
        let record = precedent["record"].to_string();
        let action = precedent["ask"].to_string();
        let ruling = precedent["ruling"].as_str().unwrap();
        let other = &precedent["readings"][0];
        let value = other["rulings"][ruling].as_str().unwrap();
        let reading = format!("{ruling}={value}");
        let args = ["adjudicate", "-", "--action", &action, "--reading", &reading];
        let told = umpire(&args, &record);
        let legal = precedent["answer"]["legal"].as_bool().unwrap_or(true);
        assert_eq!(code(&told), i32::from(!legal), "{}", error(&told));
        let first = out(&told).lines().next().unwrap();
        assert!(first.starts_with("Under the readings of the record the action at ply"), "{first}");
        assert!(out(&told).contains(ruling) && out(&told).contains("parts at ply"));
        let brief = umpire(&[&args[..], &["--brief"]].concat(), &record);
        assert!(out(&told).starts_with(out(&brief)) && out(&brief).len() < out(&told).len());
        let json_too = umpire(&[&args[..], &["--json"]].concat(), &record);
        assert_eq!(printed(&json_too)["readings"][0]["reading"]["rulings"][ruling], value);
        // What the service takes is a file for the command, too.
        let body = json!({"record": precedent["record"], "action": precedent["ask"],
            "readings": [{"rulings": {ruling: value}}]});
        let by_body = umpire(&["adjudicate", "-"], &body.to_string());
        assert_eq!(out(&by_body), out(&told));
    }
}

#[test]
fn a_dispute_that_cannot_be_settled_is_told_why() {
    let record = legal(2).to_string();
    let prefix = game().meta().prefix;
    for (args, says) in [
        (["--reading", "salt"], "no reading"),
        (["--reading", "X=y"], "no selectable ruling"),
        (["--action", "{"], "action"),
        (["--ply", "77"], "no ply 77"),
    ] {
        let told = umpire(&[&["adjudicate", "-"], &args[..]].concat(), &record);
        assert_eq!(code(&told), 2, "{}", out(&told));
        assert!(error(&told).contains(says), "{}", error(&told));
    }
    let told = umpire(&["adjudicate", "-"], "{\"record\": 1}");
    assert_eq!(code(&told), 2, "{prefix}");
}
