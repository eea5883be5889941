//! `/healthz`, `/readyz`, `/metrics`.

use crate::app::{TestApp, legal};

#[actix_web::test]
async fn it_lives_and_is_ready() {
    let app = TestApp::new();
    assert_eq!(app.get("/healthz").await.status, 200);
    assert_eq!(app.get("/readyz").await.status, 200);
}

#[actix_web::test]
async fn requests_and_verdicts_are_counted_by_route() {
    let app = TestApp::new();
    app.post("/v1/validate", legal(1).to_string()).await;
    app.get("/v1/games/ludo").await;
    app.get("/nowhere/at/all").await;
    let metrics = app.get("/metrics").await;
    let text = String::from_utf8(metrics.body.to_vec()).unwrap();
    for expected in [
        r#"umpire_http_requests_total{method="POST",route="/v1/validate",status="200"} 1"#,
        r#"umpire_http_requests_total{method="GET",route="/v1/games/{game}",status="404"} 1"#,
        r#"umpire_http_requests_total{method="GET",route="unknown",status="404"} 1"#,
        r#"status="in_progress"} 1"#,
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("ludo") && !text.contains("nowhere"));
}

#[cfg(unix)]
#[test]
fn a_service_that_has_said_its_address_can_be_told_to_stop() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let mut server = crate::client::Server::start(
            &folder.path().join("umpire.sqlite"),
            &["--stop-seconds", "1"],
        );
        let pid = server.child.id().to_string();
        let output = std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        assert!(output.success());
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}
