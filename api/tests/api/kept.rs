//! What is kept besides records, and how an operator finds and deletes it.

use std::sync::Arc;

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use umpire_api::auth::tokens::Tokens;
use umpire_api::limits::Limits;

use crate::app::{TestApp, game, legal};

fn guarded() -> TestApp {
    let tokens = "admin all\nwrite w\nread r\nmetrics m\n";
    TestApp::with(Limits::default(), Some(Tokens::parse(tokens, true).unwrap()), &[])
}

/// A table at which somebody of this name has the first seat.
async fn table(app: &TestApp, name: &str) -> String {
    let meta = game().meta();
    let asked = json!({"game": meta.id, "players": {meta.seats[0]: name}});
    let request = TestRequest::post().uri("/v1/tables").set_json(asked);
    let made = app.send_as("w", request).await;
    assert_eq!(made.status, 201);
    made.json()["table"]["id"].as_str().unwrap().to_owned()
}

async fn listed(app: &TestApp, path: &str) -> Value {
    let answer = app.send_as("all", TestRequest::get().uri(path)).await;
    assert_eq!(answer.status, 200, "{path}");
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.json()
}

fn ids(page: &Value, of: &str) -> Vec<String> {
    let all = page[of].as_array().unwrap().iter();
    all.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn an_admin_finds_a_persons_tables_and_deletes_them() {
    let app = guarded();
    let (first, other) = (table(&app, "Zoe\u{308}").await, table(&app, "Bo").await);
    let all = listed(&app, "/v1/tables").await;
    assert_eq!(ids(&all, "tables"), [other.as_str(), first.as_str()]);
    assert_eq!((&all["next"], &all["tables"][0]["steps"]), (&Value::Null, &json!(0)));
    assert!(all["tables"][0]["bytes"].as_u64().unwrap() > 100);
    assert!(!all.to_string().contains("host"), "{all}");
    // However the accent was typed.
    let found = listed(&app, "/v1/tables?player=ZO%C3%8B").await;
    assert_eq!(ids(&found, "tables"), [first.as_str()]);
    assert_eq!(found["tables"][0]["players"][game().meta().seats[0]], "Zoe\u{308}");
    assert!(ids(&listed(&app, "/v1/tables?until=2020-01-01T00:00:00Z").await, "tables").is_empty());
    let page = listed(&app, "/v1/tables?limit=1").await;
    assert_eq!(ids(&page, "tables"), [other.as_str()]);
    let next = listed(&app, &format!("/v1/tables?limit=1&cursor={}", page["next"])).await;
    assert_eq!(ids(&next, "tables"), [first.as_str()]);
    let delete = |id: &str| TestRequest::delete().uri(&format!("/v1/tables/{id}"));
    for token in ["r", "m"] {
        app.send_as(token, delete(&first)).await.problem(403, "forbidden");
    }
    app.send_as("nobody", delete(&first)).await.problem(401, "unauthorized");
    assert_eq!(app.send_as("w", delete(&first)).await.status, 204);
    app.send_as("w", delete(&first)).await.problem(404, "not_found");
    assert_eq!(ids(&listed(&app, "/v1/tables").await, "tables"), [other.as_str()]);
    assert_eq!(app.send_as("all", delete(&other)).await.status, 204);
}

#[actix_web::test]
async fn an_admin_finds_a_persons_verdicts() {
    let app = guarded();
    let mut kept = Vec::new();
    for name in ["Anna", "Bruno"] {
        let mut record = legal(2);
        record["players"] = json!({game().meta().seats[0]: name});
        let asked = json!({"record": record, "readings": []});
        let request = TestRequest::post().uri("/v1/adjudicate?keep=true").set_json(asked);
        let answer = app.send_as("w", request).await;
        assert_eq!(answer.status, 201);
        kept.push(answer.json()["verdict"].as_str().unwrap().to_owned());
    }
    let all = listed(&app, "/v1/verdicts").await;
    assert_eq!(ids(&all, "verdicts"), [kept[1].as_str(), kept[0].as_str()]);
    let found = listed(&app, "/v1/verdicts?player=anna").await;
    assert_eq!(ids(&found, "verdicts"), [kept[0].as_str()]);
    assert_eq!(found["verdicts"][0]["game"], game().meta().id);
    let delete = TestRequest::delete().uri(&format!("/v1/verdicts/{}", kept[0]));
    assert_eq!(app.send_as("all", delete).await.status, 204);
    assert_eq!(ids(&listed(&app, "/v1/verdicts").await, "verdicts"), [kept[1].as_str()]);
}

/// Without tokens there is no admin: the tables of others cannot be listed.
#[actix_web::test]
async fn a_server_without_tokens_lists_nothing_of_others() {
    let app = TestApp::new();
    for path in ["/v1/tables", "/v1/verdicts"] {
        app.get(path).await.problem(403, "forbidden");
    }
}

#[actix_web::test]
async fn tables_that_nobody_plays_at_are_deleted_after_days() {
    let app = guarded();
    let (old, new) = (table(&app, "Anna").await, table(&app, "Bo").await);
    let before = listed(&app, "/v1/tables").await;
    let tables: Arc<_> = app.service().tables.clone();
    let now = umpire_api::tables::now();
    assert_eq!(tables.delete_older(now - 60_000).await.unwrap(), 0);
    assert_eq!(listed(&app, "/v1/tables").await, before);
    // Somebody plays at one of them.
    while umpire_api::tables::now() <= now + 20 {
        std::thread::yield_now();
    }
    let path = format!("/v1/tables/{new}/legal-actions?viewer=spectator");
    app.send_as("r", TestRequest::get().uri(&path)).await;
    assert_eq!(tables.delete_older(now + 10).await.unwrap(), 2, "looking is not playing");
    assert!(ids(&listed(&app, "/v1/tables").await, "tables").is_empty());
    for id in [old, new] {
        let path = format!("/v1/tables/{id}");
        app.send_as("r", TestRequest::get().uri(&path)).await.problem(404, "not_found");
    }
}
