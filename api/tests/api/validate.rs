//! `/v1/validate`.

use crate::app::{TestApp, illegal, legal, ndjson};

const NDJSON: &str = "application/x-ndjson";

#[actix_web::test]
async fn a_legal_and_an_illegal_record_are_both_results() {
    let app = TestApp::new();
    let answer = app.post("/v1/validate", legal(2).to_string()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["verdict"]["status"], "in_progress");
    let answer = app.post("/v1/validate", illegal(2).to_string()).await;
    assert_eq!(answer.status, 200);
    let pointer = answer.json()["verdict"]["violation"]["pointer"].as_str().unwrap().to_owned();
    assert!(pointer.starts_with("/actions/2"), "{pointer}");
}

#[actix_web::test]
async fn a_large_record_has_the_same_verdict_as_on_the_spot() {
    use umpire_api::limits::Limits;
    let text = legal(3).to_string();
    let here = TestApp::new().post("/v1/validate", text.clone()).await;
    let limits = Limits { inline_bytes: 0, ..Limits::default() };
    let there = TestApp::limited(limits).post("/v1/validate", text).await;
    assert_eq!(here.body, there.body);
}

#[actix_web::test]
async fn lines_are_answered_in_order_and_added_up() {
    let app = TestApp::new();
    let mut text = ndjson(&[legal(1), illegal(1)]);
    text.push_str("nonsense\n\n");
    text.push_str(&ndjson(&[legal(2)]));
    let answer = app.post_as(NDJSON, "/v1/validate", text).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), NDJSON);
    let lines = answer.lines();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["verdict"]["plies"], 1);
    assert_eq!(lines[1]["verdict"]["status"], "illegal");
    assert_eq!(lines[2]["code"], "bad_json");
    assert_eq!(lines[2]["line"], 3);
    assert_eq!(lines[3]["verdict"]["plies"], 2);
    let summary = &lines[4]["summary"];
    assert_eq!(summary["records"], 4);
    assert_eq!(summary["in_progress"], 2);
    assert_eq!(summary["illegal"], 1);
    assert_eq!(summary["unreadable"], 1);
}

#[actix_web::test]
async fn many_lines_keep_their_order() {
    let app = TestApp::new();
    let records: Vec<_> = (0..400).map(|at| legal(at % 5)).collect();
    let lines = app.post_as(NDJSON, "/v1/validate", ndjson(&records)).await.lines();
    assert_eq!(lines.len(), 401);
    for (at, line) in lines[..400].iter().enumerate() {
        assert_eq!(line["verdict"]["plies"], at % 5, "line {at}");
    }
    assert_eq!(lines[400]["summary"]["records"], 400);
}

#[actix_web::test]
async fn no_lines_have_a_summary_too() {
    let answer = TestApp::new().post_as(NDJSON, "/v1/validate", "").await;
    assert_eq!(answer.lines()[0]["summary"]["records"], 0);
}

mod errors {
    use super::*;
    use umpire_api::limits::Limits;

    #[actix_web::test]
    async fn a_line_that_is_too_long_is_a_problem_and_the_stream_goes_on() {
        let app = TestApp::limited(Limits { max_body: 2000, ..Limits::default() });
        let text = format!("{}\n{}\n", "x".repeat(5000), legal(0));
        let lines = app.post_as(NDJSON, "/v1/validate", text).await.lines();
        assert_eq!(lines[0]["code"], "body_too_large");
        assert_eq!(lines[0]["line"], 1);
        assert_eq!(lines[1]["verdict"]["plies"], 0);
        assert_eq!(lines[2]["summary"]["records"], 2);
    }

    #[actix_web::test]
    async fn a_parameter_is_refused() {
        let answer = TestApp::new().post("/v1/validate?viewer=referee", "{}").await;
        answer.problem(422, "bad_parameter");
    }
}
