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
fn a_service_that_drains_is_not_ready_and_serves() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("umpire.sqlite");
    let mut server = crate::client::Server::start(&store, &["--drain-seconds", "3600"]);
    let mut at = server.connect();
    assert_eq!(at.get("/readyz").unwrap().0, 200);
    let pid = server.child.id().to_string();
    let tell = || std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert!(tell().success());
    while at.get("/readyz").unwrap().0 != 503 {}
    // Who was not told otherwise is served, over a new connection too.
    assert_eq!(at.post("/v1/records", legal(1).to_string().as_bytes()).unwrap().0, 201);
    assert_eq!(server.connect().get("/healthz").unwrap().0, 200);
    assert_eq!(server.connect().get("/v1/games").unwrap().0, 200);
    assert!(tell().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
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
