//! Work ends when nobody waits for it any more: after the limit of time, and when the caller hangs up.
//!
//! Each route that works on a record gets work that takes long. How much of it is done after it was
//! given up is measured in time of the processor, beside the whole, so that nothing here depends on
//! how busy the machine is.

use std::time::Duration;

use actix_web::test::{TestRequest, init_service};
use serde_json::{Value, json};
use umpire_api::app::build;
use umpire_api::limits::Limits;
use umpire_engine::games::GAMES;

use crate::app::{TestApp, whole_game};
use crate::crowd::crowd;

/// A record at whose end somebody has to decide.
fn opened(whole: &Value) -> Value {
    let mut record = whole.clone();
    record["actions"].as_array_mut().unwrap().truncate(8);
    record.as_object_mut().unwrap().remove("claims");
    record
}

/// Routes, each with a question that takes long.
fn questions() -> Vec<(&'static str, Value)> {
    let mut questions = Vec::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let (Some(crowd), Some(some)) = (crowd(id, 4000), crowd(id, 200)) else { continue };
        let start = |record: &Value| {
            let mut record = record.clone();
            record["actions"] = json!([]);
            record
        };
        let mut foreign = crowd["actions"][0].clone();
        foreign["player"] = json!(game.meta().seats[1]);
        let whole = whole_game(id);
        let last = whole["actions"].as_array().unwrap().len() - 1;
        let mut twice = whole.clone();
        let actions = twice["actions"].as_array_mut().unwrap();
        actions.remove(actions.len() / 2);
        let chain = json!({"record": whole, "fingerprints": [], "chain": true});
        questions.extend([
            ("/v1/validate", crowd.clone()),
            ("/v1/scene", crowd.clone()),
            ("/v1/scene", whole.clone()),
            ("/v1/legal-actions", start(&crowd)),
            ("/v1/explain", json!({"record": crowd, "ply": 0})),
            ("/v1/explain", json!({"record": whole, "ply": last})),
            ("/v1/why-not", json!({"record": start(&some), "action": foreign})),
            ("/v1/adjudicate", json!({"record": whole})),
            ("/v1/adjudicate?keep=true", json!({"record": whole})),
            ("/v1/repair", json!({"record": twice})),
            ("/v1/remedy", json!({"record": twice})),
            ("/v1/compare", chain),
            ("/v1/hint", json!({"record": opened(&whole), "simulations": 20_000})),
            ("/v1/replay?include=states,explain", whole),
        ]);
    }
    questions
}

/// A metric of the service.
pub(crate) fn metric(app: &TestApp, name: &str) -> f64 {
    let text = app.service().metrics.text().unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap().parse().unwrap()
}

/// The time of the processor that work took until now, once none goes on.
async fn worked(app: &TestApp) -> f64 {
    while metric(app, "umpire_work_running") > 0.0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    metric(app, "umpire_work_cpu_seconds_total")
}

/// What each question costs when it is answered.
async fn whole_costs() -> Vec<(&'static str, Value, f64)> {
    let app = TestApp::new();
    let mut costs = Vec::new();
    for (path, body) in questions() {
        let before = worked(&app).await;
        let answer = app.post(path, body.to_string()).await;
        assert!([200, 201].contains(&answer.status), "{path}: {:?}", answer.body);
        costs.push((path, body, worked(&app).await - before));
    }
    assert!(!costs.is_empty());
    costs
}

#[actix_web::test]
async fn work_that_nobody_waits_for_ends_on_every_route() {
    let hasty = TestApp::limited(Limits { work_seconds: 0, ..Limits::default() });
    let patient = TestApp::new();
    for (path, body, whole) in whole_costs().await {
        println!("{path}: {whole:.3} s");
        if !LONG.contains(&path.split('?').next().unwrap()) {
            assert!(whole < SHORT, "{path}: {whole}");
            continue;
        }
        let body = body.to_string();
        // The limit is over at once.
        let before = worked(&hasty).await;
        hasty.post(path, body.clone()).await.problem(503, "unavailable");
        let limited = worked(&hasty).await - before;
        // The caller hangs up once the work has begun.
        let before = worked(&patient).await;
        hang_up(&patient, path, body).await;
        let hung_up = worked(&patient).await - before;
        println!("  {limited:.3} s after the limit, {hung_up:.3} s after hanging up");
        assert!(limited < whole / 2.0, "{path}: {limited} of {whole}");
        assert!(hung_up < whole / 2.0, "{path}: {hung_up} of {whole}");
    }
}

/// The routes whose work may be long.
const LONG: [&str; 6] =
    ["/v1/why-not", "/v1/adjudicate", "/v1/repair", "/v1/compare", "/v1/replay", "/v1/hint"];

/// On the others, even the largest question is answered in less time of the processor than work may go
/// on for after a caller hung up.
const SHORT: f64 = 0.5;

/// Asks, and hangs up once the work has begun.
async fn hang_up(patient: &TestApp, path: &str, body: String) {
    let app = init_service(build(patient.data())).await;
    let request = TestRequest::post().uri(path).insert_header(("content-type", "application/json"));
    let request = request.set_payload(body).to_request();
    let mut answer = std::pin::pin!(actix_web::test::call_service(&app, request));
    while metric(patient, "umpire_work_running") == 0.0 {
        let waited = tokio::time::timeout(Duration::from_micros(100), &mut answer).await;
        assert!(waited.is_err(), "{path} was answered before it was given up");
    }
}
