//! Bearer tokens and other origins.

use actix_web::test::TestRequest;
use umpire_api::auth::Tokens;
use umpire_api::config::Limits;

use crate::app::{TestApp, legal};

fn protected(reading: bool) -> TestApp {
    TestApp::with(Limits::default(), Some(Tokens::parse("alpha\n", reading)), &[])
}

fn submit() -> TestRequest {
    TestRequest::post()
        .uri("/v1/records")
        .insert_header(("content-type", "application/json"))
        .set_payload(legal(1).to_string())
}

#[actix_web::test]
async fn a_token_opens_storing_and_deleting() {
    let app = protected(false);
    let stored = app.send(submit().insert_header(("authorization", "Bearer alpha"))).await;
    assert_eq!(stored.status, 201);
    let path = stored.header("location").to_owned();
    assert_eq!(app.get(&path).await.status, 200);
    assert_eq!(app.get("/v1/records").await.status, 200);
    app.send(TestRequest::delete().uri(&path)).await.problem(401, "unauthorized");
    let delete = TestRequest::delete().uri(&path).insert_header(("authorization", "Bearer alpha"));
    assert_eq!(app.send(delete).await.status, 204);
}

#[actix_web::test]
async fn what_stores_nothing_needs_no_token() {
    let app = protected(true);
    assert_eq!(app.post("/v1/validate", legal(1).to_string()).await.status, 200);
    assert_eq!(app.get("/v1/games").await.status, 200);
    assert_eq!(app.get("/healthz").await.status, 200);
}

#[actix_web::test]
async fn pages_of_a_known_origin_may_call() {
    let app = TestApp::with(Limits::default(), None, &["https://club.example"]);
    let ask = |origin: &'static str| {
        TestRequest::get().uri("/v1/games").insert_header(("origin", origin))
    };
    let known = app.send(ask("https://club.example")).await;
    assert_eq!(known.header("access-control-allow-origin"), "https://club.example");
    let other = app.send(ask("https://other.example")).await;
    assert!(other.headers.get("access-control-allow-origin").is_none());
    let none = TestApp::new().send(ask("https://club.example")).await;
    assert!(none.headers.get("access-control-allow-origin").is_none());
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn without_a_token_nothing_is_stored() {
        let app = protected(false);
        let answer = app.send(submit()).await;
        answer.problem(401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        for bad in ["Bearer beta", "Basic alpha", "alpha"] {
            let answer = app.send(submit().insert_header(("authorization", bad))).await;
            let problem = answer.problem(401, "unauthorized");
            assert!(!problem.to_string().contains("beta"));
        }
        assert_eq!(app.get("/v1/records").await.json()["records"].as_array().unwrap().len(), 0);
    }

    #[actix_web::test]
    async fn reading_can_be_protected_too() {
        let app = protected(true);
        app.get("/v1/records").await.problem(401, "unauthorized");
        let path = format!("/v1/records/{}/report", "0".repeat(64));
        app.get(&path).await.problem(401, "unauthorized");
    }
}
