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

/// The witness of an answer is a legal record.
async fn replays(app: &TestApp, witness: &Value) {
    let again = app.post("/v1/validate", witness["record"].to_string()).await.json();
    assert_eq!(again["verdict"]["status"], witness["status"]);
}

fn wrong_card() -> Value {
    json!({"type": "play", "player": "dragon", "card": "dg12", "use": "move", "to": [1, -1]})
}

#[actix_web::test]
async fn a_record_with_unknowns_is_replayed_by_its_witness() {
    let app = TestApp::new();
    let record = noted(json!([walk("?")]));
    let report = app.post("/v1/replay?include=events,legal,text", record.to_string()).await.json();
    let verdict = &report["verdict"];
    assert_eq!((&verdict["status"], &verdict["plies"]), (&json!("possible"), &json!(1)));
    assert!(verdict["witness"]["assumes"].as_array().is_some_and(|it| it.len() >= 8));
    replays(&app, &verdict["witness"]).await;
    assert!(
        report["warnings"]
            .as_array()
            .is_some_and(|it| it.iter().any(|it| it["code"] == "completed"))
    );
    assert!(report["events"].as_array().is_some_and(|it| it.len() > 8));
    assert!(report["legal"][0]["texts"].is_array());
    // It is the same as that of the witness, but for what is unknown.
    let whole = verdict["witness"]["record"].to_string();
    let plain = app.post("/v1/replay?include=events", whole).await.json();
    assert_eq!(
        (&plain["events"], &plain["fingerprint"]),
        (&report["events"], &report["fingerprint"])
    );
    // What is assumed is the referee's.
    let seen = app.post("/v1/replay?viewer=dwarves", record.to_string()).await.json();
    assert_eq!(seen["verdict"]["status"], "possible");
    assert!(seen["verdict"].get("witness").is_none());
}

#[actix_web::test]
async fn an_impossible_record_is_replayed_up_to_its_last_good_action() {
    let app = TestApp::new();
    let pass = json!({"type": "play", "player": "dwarves", "card": "dg01", "use": "one_move", "moves": []});
    let record = noted(json!([walk("dg01"), pass]));
    let report = app.post("/v1/replay", record.to_string()).await.json();
    let verdict = &report["verdict"];
    assert_eq!((&verdict["status"], &verdict["plies"]), (&json!("impossible"), &json!(1)));
    assert!(verdict["proof"]["words"].as_array().is_some_and(|it| !it.is_empty()));
    assert_eq!((&report["ply"], &report["decision"]["players"]), (&json!(1), &json!(["dwarves"])));
    replays(&app, &verdict["witness"]).await;
    let seen = app.post("/v1/replay?viewer=dragon", record.to_string()).await.json();
    let told = &seen["verdict"];
    assert_eq!((&told["violation"]["code"], told.get("proof")), (&json!("refused"), None));
    // Where not even a beginning can be, the problem says why.
    let mut never = noted(json!([]));
    never["checkpoints"] = json!([{"ply": 0, "facts": {"turn": 7}}]);
    let problem = app.post("/v1/replay", never.to_string()).await.problem(422, "bad_record");
    assert!(problem["detail"].as_str().is_some_and(|it| it.contains("no completion")), "{problem}");
}

#[actix_web::test]
async fn an_action_is_legal_possible_or_illegal_whatever_was_not_written_down() {
    let app = TestApp::new();
    let asked = |record: Value, action: Value, ply: Value| {
        let mut body = json!({"record": record, "action": action});
        if !ply.is_null() {
            body["ply"] = ply;
        }
        let app = &app;
        async move { app.post("/v1/why-not", body.to_string()).await.json() }
    };
    // It depends on the hand, which nobody wrote down.
    let why = asked(noted(json!([])), walk("dg01"), Value::Null).await;
    assert_eq!((&why["answer"], &why["ply"]), (&json!("possible"), &json!(0)), "{why}");
    replays(&app, &why["witness"]).await;
    assert_eq!(why["witness"]["record"]["actions"], json!([walk("dg01")]));
    // At an earlier ply, and with an unknown in it.
    let why = asked(noted(json!([walk("dg02")])), walk("?"), json!(0)).await;
    assert_eq!(why["answer"], "possible");
    // No hand allows it.
    let why = asked(noted(json!([])), wrong_card(), Value::Null).await;
    assert_eq!((&why["answer"], &why["clauses"][0]["id"]), (&json!("illegal"), &json!("DRK-5.1")));
    assert!(why["proof"]["words"].as_array().is_some_and(|it| !it.is_empty()), "{why}");
    let why = asked(noted(json!([])), json!({"type": "nonsense"}), Value::Null).await;
    assert_eq!(why["answer"], "illegal", "{why}");
    // Every completion allows it: all of them were followed.
    let mut known = noted(json!([]));
    known["position"] = json!({"turn": 10, "actions_left": 2,
        "hexes": {"dragon": [0, 0], "fury": [1, 0], "archery": [-2, 0], "net": [-1, 2]},
        "hands": {"dragon": ["?"], "dwarves": ["dw01"]}, "decks": {"dragon": [], "dwarves": []}});
    let draw = json!({"type": "play", "player": "dwarves", "card": "dw01", "use": "one_move",
        "moves": [{"figure": "fury", "to": [1, 1]}]});
    let why = asked(known.clone(), draw, Value::Null).await;
    assert_eq!(why["answer"], "legal", "{why}");
    assert!(why["message"].as_str().is_some_and(|it| it.contains("whatever")));
    // Only the referee is answered.
    let body = json!({"record": known, "action": walk("dg01"), "viewer": "dragon"});
    app.post("/v1/why-not", body.to_string()).await.problem(422, "bad_record");
    let body = json!({"record": noted(json!([walk("dg01")])), "action": walk("dg01"), "ply": 9});
    assert_eq!(app.post("/v1/why-not", body.to_string()).await.status, 404);
}

#[actix_web::test]
async fn a_dispute_says_what_holds_whatever_was_not_written_down() {
    let app = TestApp::new();
    let body = json!({"record": noted(json!([walk("dg01")]))});
    let settled = app.post("/v1/adjudicate", body.to_string()).await.json();
    let completions = &settled["completions"];
    assert_eq!(completions["recorded"]["status"], "possible", "{completions}");
    replays(&app, &completions["witness"]).await;
    let judged = completions["readings"].as_array().map_or(0, Vec::len);
    let named = ["readings", "same"].map(|it| settled[it].as_array().map_or(0, Vec::len));
    assert_eq!(judged, named.iter().sum::<usize>());
    assert!(judged > 3);
    assert!(settled["summary"][0].as_str().is_some_and(|it| it.contains("the record is possible")));
    // A question about an action.
    let body = json!({"record": noted(json!([])), "action": walk("dg01")});
    let settled = app.post("/v1/adjudicate", body.to_string()).await.json();
    assert_eq!(settled["question"]["answer"], "legal");
    assert_eq!(settled["completions"]["recorded"]["status"], "possible");
    let body = json!({"record": noted(json!([])), "action": wrong_card()});
    let settled = app.post("/v1/adjudicate", body.to_string()).await.json();
    assert_eq!(settled["question"]["answer"], "illegal");
    assert_eq!(settled["completions"]["recorded"]["status"], "impossible");
    assert!(settled["completions"]["recorded"]["proof"].is_object());
    // No sheet is kept of what was assumed.
    let answer = app.post("/v1/adjudicate?keep=true", body.to_string()).await;
    answer.problem(422, "bad_record");
}

#[test]
fn the_command_line_replays_asks_and_settles() {
    let record = noted(json!([walk("dg01")])).to_string();
    let replayed = umpire(&["replay", "-"], &record);
    assert_eq!(code(&replayed), 0);
    let said = out(&replayed);
    assert!(
        said.contains("The dragon plays a move 1 or an attack 1 (dg01)")
            && said.contains("Possible: 1 action"),
        "{said}"
    );
    assert!(said.contains("one completion, the witness"), "{said}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), noted(json!([])).to_string()).unwrap();
    let name = file.path().display().to_string();
    let asked = umpire(&["why", &name, &walk("dg01").to_string()], "");
    assert!(code(&asked) == 0 && out(&asked).starts_with("Possible at ply 0"), "{}", out(&asked));
    let asked = umpire(&["why", &name, &wrong_card().to_string()], "");
    assert!(code(&asked) == 1 && out(&asked).starts_with("Illegal at ply 0"), "{}", out(&asked));
    let settled = umpire(&["adjudicate", &name, "--action", &walk("dg01").to_string()], "");
    assert_eq!(code(&settled), 0, "{}", out(&settled));
    let said = out(&settled);
    assert!(said.contains("the record is possible") && said.contains("What follows"), "{said}");
}

#[actix_web::test]
async fn a_hand_that_is_left_out_of_a_position_is_told() {
    let app = TestApp::new();
    let mut record = json!({"format": "umpire/1", "game": "drako", "chance": {"tape": []}, "actions": [],
        "position": {"turn": 10, "hands": {"dwarves": ["dw01"]}, "decks": {"dragon": [], "dwarves": []}}});
    let answer = app.post("/v1/validate", record.to_string()).await.json();
    let told = |answer: &Value| -> Vec<String> {
        let all = answer["warnings"].as_array().cloned().unwrap_or_default();
        let ours = all.iter().filter(|it| it["code"] == "defaulted");
        ours.filter_map(|it| it["pointer"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(told(&answer), ["/position/hands/dragon", "/position/hexes"]);
    record["position"]["hands"]["dragon"] = json!([]);
    let answer = app.post("/v1/validate", record.to_string()).await.json();
    assert_eq!(told(&answer), ["/position/hexes"]);
    // A number of cards is enough, also by itself.
    record["position"]["hands"]["dragon"] = json!({"count": 2});
    let answer = app.post("/v1/validate", record.to_string()).await.json();
    assert_eq!(answer["verdict"]["status"], "in_progress", "{answer}");
    assert_eq!(answer["verdict"]["witness"]["assumes"].as_array().map(Vec::len), Some(1));
    // Beside an unknown, everything that is left out is told.
    record["position"]["hands"] = json!({"dwarves": ["?"]});
    let answer = app.post("/v1/validate", record.to_string()).await.json();
    let all = told(&answer);
    assert!(all.contains(&"/position/hands/dragon".to_owned()), "{all:?}");
    assert!(all.contains(&"/position/wounds".to_owned()), "{all:?}");
}
