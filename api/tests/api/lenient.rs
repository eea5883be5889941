//! Where the service and the command line take a little more than a record: something that holds one, and
//! fields that nobody knows, if they are asked to keep them.

use serde_json::{Value, json};

use crate::app::{TestApp, legal};
use crate::cli::{code, error, out, save, umpire};

const NDJSON: &str = "application/x-ndjson";

/// A record in what holds one.
fn around(record: &Value) -> Vec<Value> {
    vec![
        json!({"title": "A case.", "record": record, "shows": [], "expect": {"status": "in_progress"}}),
        json!({"id": "x", "verdict": {"status": "complete"}, "record": record}),
    ]
}

#[actix_web::test]
async fn a_fixture_or_an_answer_is_taken_where_a_record_is() {
    let app = TestApp::new();
    let record = legal(3);
    for path in ["/v1/validate", "/v1/replay", "/v1/legal-actions", "/v1/scene", "/v1/records"] {
        let plain = app.post(path, record.to_string()).await;
        for holder in around(&record) {
            let answer = app.post(path, holder.to_string()).await;
            match path {
                // It is the same record.
                "/v1/records" => {
                    assert_eq!(answer.status, 200, "{:?}", answer.body);
                    assert_eq!(answer.json()["id"], plain.json()["id"]);
                }
                _ => assert_eq!(answer.json(), plain.json(), "{path}"),
            }
        }
    }
    let lines = format!("{}\n{}\n", record, around(&record)[0]);
    let answers = app.post_as(NDJSON, "/v1/validate", lines).await.lines();
    assert_eq!(answers[0], answers[1]);
    let within = json!({"record": around(&record)[1]});
    assert_eq!(app.post("/v1/repair", within.to_string()).await.status, 200);
}

#[actix_web::test]
async fn what_is_wrong_is_told_of_the_record_that_is_meant() {
    let app = TestApp::new();
    let mut record = legal(1);
    record["game"] = json!("ludo");
    let answer = app.post("/v1/validate", json!({"record": record}).to_string()).await;
    assert_eq!(answer.problem(422, "unknown_game")["pointer"], "/game");
    // A record with a record in it is a record with a field that nobody knows.
    let mut record = legal(1);
    record["record"] = legal(1);
    let answer = app.post("/v1/validate", record.to_string()).await;
    assert_eq!(answer.problem(422, "bad_record")["pointer"], "/record");
    // What holds no record is none.
    for other in [json!({"record": 7}), json!({"record": [legal(1)]}), json!({"records": legal(1)})]
    {
        let answer = app.post("/v1/validate", other.to_string()).await;
        answer.problem(422, "bad_record");
    }
}

#[actix_web::test]
async fn unknown_fields_are_kept_and_told_of_where_that_is_asked_for() {
    let app = TestApp::new();
    let mut record = legal(2);
    record["colour"] = json!({"eyes": [1, 2.5]});
    record["a/b"] = json!(null);
    let text = record.to_string();
    for path in ["/v1/validate", "/v1/records"] {
        app.post(path, text.clone()).await.problem(422, "bad_record");
        app.post(&format!("{path}?unknown_fields=refuse"), text.clone())
            .await
            .problem(422, "bad_record");
        app.post(&format!("{path}?unknown_fields=drop"), text.clone())
            .await
            .problem(422, "bad_parameter");
    }
    let unknown = |answer: &Value| -> Vec<String> {
        let warnings = answer["warnings"].as_array().unwrap().iter();
        let ours = warnings.filter(|it| it["code"] == "unknown_field");
        let mut found: Vec<String> =
            ours.map(|it| it["pointer"].as_str().unwrap().to_owned()).collect();
        found.sort();
        found
    };
    let judged = app.post("/v1/validate?unknown_fields=keep", text.clone()).await.json();
    assert_eq!(judged["verdict"]["status"], "in_progress");
    assert_eq!(unknown(&judged), ["/a~1b", "/colour"]);
    let lines = format!("{}\n", text);
    let lines = app.post_as(NDJSON, "/v1/validate?unknown_fields=keep", lines).await.lines();
    assert_eq!(unknown(&lines[0]), ["/a~1b", "/colour"]);
    let plain = app.post("/v1/validate?unknown_fields=keep", legal(2).to_string()).await.json();
    assert_eq!(unknown(&plain), [""; 0]);
    assert_eq!(plain["fingerprint"], judged["fingerprint"]);

    // A stored record has them still, and can be looked at like any other.
    let stored = app.post("/v1/records?unknown_fields=keep", text).await;
    assert_eq!(stored.status, 201, "{:?}", stored.body);
    let id = stored.json()["id"].as_str().unwrap().to_owned();
    let kept = app.get(&format!("/v1/records/{id}")).await.json();
    assert_eq!((&kept["colour"], &kept["a/b"]), (&record["colour"], &json!(null)));
    let report = app.get(&format!("/v1/records/{id}/report?viewer=referee")).await.json();
    assert_eq!(unknown(&report), ["/a~1b", "/colour"]);
    let public = app.get(&format!("/v1/records/{id}/report?viewer=spectator")).await.json();
    assert_eq!(unknown(&public), [""; 0]);
    assert_eq!(app.get(&format!("/v1/records/{id}/legal-actions")).await.status, 200);
    assert_eq!(app.get(&format!("/v1/records/{id}/plies/1/board.svg")).await.status, 200);
    let repair = app.post("/v1/repair", json!({"id": id}).to_string()).await;
    assert_eq!(repair.status, 200, "{:?}", repair.body);
}

#[test]
fn the_command_line_takes_them_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = legal(2);
    let fixture = save(folder.path(), "fixture.json", &around(&record)[0].to_string());
    for command in
        [&["validate"][..], &["legal"], &["replay"], &["remedy"], &["adjudicate", "--brief"]]
    {
        let args: Vec<&str> = command.iter().copied().chain([&*fixture]).collect();
        let output = umpire(&args, "");
        assert_eq!(code(&output), 0, "{command:?}: {}{}", out(&output), error(&output));
    }
    record["colour"] = json!(1);
    let strange = save(folder.path(), "strange.json", &record.to_string());
    let output = umpire(&["validate", &strange], "");
    assert_eq!(code(&output), 2, "{}", out(&output));
    let output = umpire(&["validate", "--allow-unknown-fields", &strange], "");
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).contains("(/colour)"), "{}", out(&output));
}
