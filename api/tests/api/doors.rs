//! Every door gives the same answer: what the referee says of a text is what the service sends for
//! it, byte for byte, over all fixtures.

use actix_web::body::to_bytes;
use actix_web::test::{TestRequest, call_service, init_service};
use serde_json::{Value, json};
use umpire_api::app::build;
use umpire_conformance::folders;
use umpire_referee::call::{Call, answer};
use umpire_referee::problem::Problem;
use umpire_referee::{Budget, InTurn, json};

use crate::app::TestApp;

/// The path of a call, and whether a request is more than a record.
fn path(call: Call) -> (&'static str, bool) {
    match call {
        Call::Validate => ("/v1/validate", false),
        Call::Replay | Call::View => ("/v1/replay", false),
        Call::LegalActions => ("/v1/legal-actions", false),
        Call::Scene | Call::BoardSvg => ("/v1/scene", false),
        Call::Adjudicate => ("/v1/adjudicate", true),
        Call::Why => ("/v1/why-not", true),
        Call::Explain => ("/v1/explain", true),
        Call::Repair => ("/v1/repair", true),
        Call::Remedy => ("/v1/remedy", true),
        Call::Compare => ("/v1/compare", true),
        Call::Hint => ("/v1/hint", true),
        Call::Odds => ("/v1/odds", true),
        Call::Analyze => ("/v1/analyses", true),
    }
}

/// What is asked about a record, beside it: the last action and the ply before it.
fn request(call: Call, record: &Value) -> Value {
    let actions = record["actions"].as_array().map_or(&[][..], Vec::as_slice);
    let ply = actions.len().saturating_sub(1);
    let action = actions.last().cloned().unwrap_or_else(|| json!({"type": "resign"}));
    let mut before = record.clone();
    before["actions"] = actions[..ply].into();
    match call {
        Call::Adjudicate => json!({"record": record}),
        Call::Why => json!({"record": record, "action": action, "ply": ply}),
        Call::Explain => json!({"record": record, "ply": ply}),
        Call::Repair => json!({"record": record, "most": 2, "edits": 1}),
        Call::Remedy => json!({"record": record}),
        Call::Compare => json!({"record": record, "other": before}),
        Call::Hint => json!({"record": before, "simulations": 20, "most": 2}),
        Call::Odds => json!({"record": before, "action": action}),
        Call::Analyze => json!({"record": record, "simulations": 0}),
        _ => record.clone(),
    }
}

/// The number of a case, so that some can be taken.
fn number(name: &str) -> u32 {
    name.bytes().map(u32::from).sum()
}

#[actix_web::test]
async fn the_referee_says_what_the_service_sends() {
    let app = TestApp::new();
    let service = init_service(build(app.data())).await;
    let (mut answered, mut refused) = (0, 0);
    for case in folders::cases() {
        let Some(record) = case.good().map(|fixture| fixture.record.get().to_owned()) else {
            continue;
        };
        let read: Value = serde_json::from_str(&record).unwrap();
        for (name, call) in Call::ALL {
            let (path, more) = path(call);
            let text = if more { request(call, &read).to_string() } else { record.clone() };
            let query = match number(&case.place()) % 3 {
                0 if !matches!(call, Call::Compare | Call::Hint | Call::Odds | Call::Analyze) => {
                    "lang=it"
                }
                _ => "",
            };
            let mut sent = TestRequest::post().uri(&format!("{path}?{query}"));
            sent = sent.insert_header(("content-type", "application/json"));
            if call == Call::BoardSvg {
                sent = sent.insert_header(("accept", "image/svg+xml"));
            }
            let sent = call_service(&service, sent.set_payload(text.clone()).to_request()).await;
            let good = sent.status().is_success();
            let body = to_bytes(sent.into_body()).await.ok().unwrap();
            let found = answer(call, query, text.as_bytes(), Budget::UNLIMITED, &InTurn);
            let found = match found {
                Ok(text) if call == Call::View => {
                    let whole: Value = serde_json::from_slice(&body).unwrap();
                    assert_eq!(serde_json::from_slice::<Value>(&text).unwrap(), whole["state"]);
                    continue;
                }
                other => other,
            };
            assert_eq!(found.is_ok(), good, "{name} of {}", case.place());
            let found = found.unwrap_or_else(|problem: Problem| json::text(&problem));
            assert!(found == body, "{name} of {}", case.place());
            if good { answered += 1 } else { refused += 1 }
        }
    }
    assert!(answered > 5_000 && refused > 500, "{answered} answered, {refused} refused");
}
