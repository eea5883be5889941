//! Records with unknowns over HTTP and on the command line: what is possible, what is not, and what is refused.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::cli::{code, out, umpire};

/// A game of which nobody knows what was drawn.
fn noted(actions: Value) -> Value {
    json!({"format": "umpire/1", "game": "drako", "chance": {"tape": {"partial": true}},
           "omitted": ["defend_none"], "actions": actions})
}

fn walk(card: &str) -> Value {
    json!({"type": "play", "player": "dragon", "card": card, "use": "move", "to": [1, -1]})
}

#[actix_web::test]
async fn what_may_have_been_is_possible_and_its_witness_is_a_record() {
    let app = TestApp::new();
    for card in ["dg01", "?"] {
        let answer = app.post("/v1/validate", noted(json!([walk(card)])).to_string()).await.json();
        let verdict = &answer["verdict"];
        assert_eq!(verdict["status"], "possible", "{verdict}");
        let witness = &verdict["witness"];
        assert!(witness["assumes"].as_array().is_some_and(|it| it.len() >= 8), "{witness}");
        let again = app.post("/v1/validate", witness["record"].to_string()).await.json();
        assert_eq!(again["verdict"]["status"], witness["status"]);
        assert_eq!(again["fingerprint"], answer["fingerprint"]);
        let stored = app.post("/v1/records", witness["record"].to_string()).await;
        assert!(stored.status == 201 || stored.status == 200, "{}", stored.status);
    }
}

#[actix_web::test]
async fn what_cannot_have_been_is_impossible_by_its_clause() {
    let app = TestApp::new();
    let wrong =
        json!({"type": "play", "player": "dragon", "card": "dg12", "use": "move", "to": [1, -1]});
    let answer = app.post("/v1/validate", noted(json!([wrong])).to_string()).await.json();
    let verdict = &answer["verdict"];
    assert_eq!((&verdict["status"], &verdict["plies"]), (&json!("impossible"), &json!(0)));
    assert_eq!(verdict["violation"]["rule"], "DRK-5.1");
    assert_eq!(verdict["proof"]["at"], 0);
    let lines = format!("{}\n{}\n", noted(json!([walk("dg01")])), noted(json!([wrong])));
    let answers = app.post_as("application/x-ndjson", "/v1/validate", lines).await.lines();
    let summary = &answers[2]["summary"];
    assert_eq!((&summary["possible"], &summary["impossible"]), (&json!(1), &json!(1)));
}

#[actix_web::test]
async fn what_is_wrong_with_unknowns_is_said() {
    let app = TestApp::new();
    let refused = |record: Value| {
        let app = &app;
        async move { app.post("/v1/validate", record.to_string()).await.problem(422, "bad_record") }
    };
    let mut odd = noted(json!([]));
    odd["omitted"] = json!(["everything"]);
    assert_eq!(refused(odd).await["pointer"], "/omitted/0");
    let mut odd = noted(json!([]));
    odd["chance"]["tape"] = json!(["?", {"kind": "draw", "side": "dragon"}]);
    assert_eq!(refused(odd).await["pointer"], "/chance/tape/1");
    // Only whole records are stored.
    let answer = app.post("/v1/records", noted(json!([walk("?")])).to_string()).await;
    answer.problem(422, "bad_record");
}

#[test]
fn the_command_line_judges_them_and_says_what_it_assumes() {
    let judged = umpire(&["validate", "-"], &noted(json!([walk("dg01")])).to_string());
    assert_eq!(code(&judged), 0);
    assert!(out(&judged).contains("Possible: ") && out(&judged).contains("dragon draws dg01"));
    let wrong =
        json!({"type": "play", "player": "dragon", "card": "dg12", "use": "move", "to": [1, -1]});
    let judged = umpire(&["validate", "-"], &noted(json!([wrong])).to_string());
    assert_eq!(code(&judged), 1);
    assert!(
        out(&judged).contains("Impossible after 0 actions") && out(&judged).contains("DRK-5.1")
    );
}
