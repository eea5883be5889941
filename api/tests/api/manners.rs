//! What careful clients, caches and browsers count on: tags, bodies in a coding, old versions of HTTP,
//! times, links to the next page, and allowances that are told before they are used up.

use std::io::{Read, Write};

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::auth::tokens::Tokens;
use umpire_api::limits::Limits;
use umpire_api::limits::allowance::{Allowances, Quota};

use crate::app::{Answer, TestApp, game, legal, ndjson, numbered};
use crate::client::Server;

/// Paths whose answers change only with the program.
fn fixed_paths() -> Vec<String> {
    let id = game().meta().id;
    let rule = game().rules()[0].id;
    ["/v1/games", "/v1/problems", "/v1/problems/bad_json", "/v1/openapi.json", "/openapi.json"]
        .map(str::to_owned)
        .into_iter()
        .chain(["", "/rules", "/precedents"].map(|rest| format!("/v1/games/{id}{rest}")))
        .chain([format!("/v1/games/{id}/rules/{rule}"), "/v1/docs/".to_owned()])
        .chain(["/", "/table/table.js", "/table/scene.css"].map(str::to_owned))
        .collect()
}

fn ask(path: &str, headers: &[(&str, &str)]) -> TestRequest {
    let request = TestRequest::get().uri(path);
    headers.iter().fold(request, |request, header| request.insert_header(*header))
}

#[actix_web::test]
async fn what_changes_only_with_the_program_is_sent_once() {
    let app = TestApp::new();
    for path in fixed_paths() {
        let first = app.get(&path).await;
        assert_eq!(first.status, 200, "{path}");
        assert_eq!(first.header("cache-control"), "public, max-age=300", "{path}");
        let tag = first.header("etag").to_owned();
        let again = app.send(ask(&path, &[("if-none-match", &tag)])).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), tag, "{path}");
        assert_eq!(again.header("cache-control"), "public, max-age=300", "{path}");
        let other = app.send(ask(&path, &[("if-none-match", "\"other\"")])).await;
        assert_eq!(other.body, first.body, "{path}");
    }
}

/// A cache replaces its tag by that of the 304, so both must be the same (RFC 9110, 15.4.5).
#[actix_web::test]
async fn the_tag_of_a_304_is_that_of_its_200_in_every_coding() {
    let app = TestApp::new();
    let stored = app.post("/v1/records", legal(3).to_string()).await.json();
    let record = format!("/v1/records/{}", stored["id"].as_str().unwrap());
    let mut paths = fixed_paths();
    paths.extend([format!("{record}/report"), record]);
    for path in &paths {
        for coding in ["identity", "gzip", "br", "zstd", "gzip, br", "*"] {
            let full = app.send(ask(path, &[("accept-encoding", coding)])).await;
            let tag = full.header("etag").to_owned();
            let again =
                app.send(ask(path, &[("accept-encoding", coding), ("if-none-match", &tag)])).await;
            assert_eq!(again.status, 304, "{path} {coding}");
            assert_eq!(again.header("etag"), tag, "{path} {coding}");
            assert!(again.headers.get("content-encoding").is_none(), "{path} {coding}");
        }
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

async fn post_coded(app: &TestApp, kind: &str, coding: &str, path: &str, body: Vec<u8>) -> Answer {
    let headers = [("content-type", kind), ("content-encoding", coding)];
    let request = TestRequest::post().uri(path).set_payload(body);
    app.send(headers.into_iter().fold(request, |it, header| it.insert_header(header))).await
}

#[actix_web::test]
async fn bodies_may_be_compressed() {
    let app = TestApp::new();
    let record = legal(3).to_string();
    let plain = app.post("/v1/validate", record.clone()).await;
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let lines = ndjson(&(0..50).map(numbered).collect::<Vec<Value>>());
    let plain_lines = app.post_as("application/x-ndjson", "/v1/validate", lines.clone()).await;
    for (coding, one, many) in
        [("gzip", gzip(&record), gzip(&lines)), ("zstd", zstd(&record), zstd(&lines))]
    {
        let answer = post_coded(&app, "application/json", coding, "/v1/validate", one).await;
        assert_eq!((answer.status, &answer.body), (200, &plain.body), "{coding}");
        let answer =
            post_coded(&app, "application/x-ndjson", coding, "/v1/validate", many.clone()).await;
        assert_eq!((answer.status, &answer.body), (200, &plain_lines.body), "{coding}");
        // A stream that breaks off within its packing says so in its last line.
        let cut = many[..many.len() - 10].to_vec();
        let answer = post_coded(&app, "application/x-ndjson", coding, "/v1/validate", cut).await;
        assert_eq!(answer.lines().pop().unwrap()["code"], "bad_json", "{coding}");
    }
    let refused =
        post_coded(&app, "application/json", "br", "/v1/validate", record.clone().into()).await;
    refused.problem(415, "unsupported_media_type");
    assert_eq!(refused.header("accept-encoding"), "gzip, zstd");
    let swelling = zstd(&format!("{record}{}", " ".repeat(64 << 20)));
    assert!(swelling.len() < 16 << 10);
    let refused = post_coded(&app, "application/json", "zstd", "/v1/validate", swelling).await;
    refused.problem(413, "body_too_large");
}

#[test]
fn who_speaks_http_1_0_gets_no_chunks_and_no_coding() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &[]);
    let mut connection = server.connect();
    for number in 0..3 {
        connection.post("/v1/records", numbered(number).to_string().as_bytes()).unwrap();
    }
    let all = "GET /v1/records HTTP/1.0\r\naccept: application/x-ndjson\r\n";
    let games = "GET /v1/games HTTP/1.0\r\n";
    for (request, streamed) in [(all, true), (games, false)] {
        let mut connection = server.connect();
        let request = format!("{request}accept-encoding: gzip\r\n\r\n");
        connection.write(request.as_bytes()).unwrap();
        let mut answer = String::new();
        connection.reader.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let head = head.to_ascii_lowercase();
        assert!(head.starts_with("http/1.0 200") || head.starts_with("http/1.1 200"), "{head}");
        assert!(
            !head.contains("transfer-encoding") && !head.contains("content-encoding"),
            "{head}"
        );
        match streamed {
            true => assert_eq!(body.lines().count(), 3, "{body}"),
            false => assert!(serde_json::from_str::<Value>(body).is_ok(), "{body}"),
        }
    }
}

#[actix_web::test]
async fn a_list_of_parts_may_be_given_in_pieces() {
    let app = TestApp::new();
    let record = legal(3).to_string();
    let once = app.post("/v1/replay?include=events,tape", record.clone()).await;
    let twice = app.post("/v1/replay?include=tape&viewer=referee&include=events", record).await;
    assert_eq!(once.status, 200);
    assert!(once.json()["events"].is_array() && once.json()["tape"].is_array());
    assert_eq!(once.body, twice.body);
    let problem = app.post("/v1/replay?include=events&include=evens", "{}").await;
    assert_eq!(problem.problem(422, "bad_parameter")["parameter"], "include");
}

#[actix_web::test]
async fn a_page_links_to_the_next() {
    let app = TestApp::new();
    for number in 0..3 {
        app.post("/v1/records", numbered(number).to_string()).await;
    }
    let mut path = "/v1/records?limit=1&status=in_progress&cursor=".to_owned();
    path.push_str("7fffffffffffffff");
    let mut seen = Vec::new();
    loop {
        let page = app.get(&path).await;
        seen.push(page.json()["records"][0]["id"].clone());
        let Some(link) = page.headers.get("link") else {
            assert!(page.json()["next"].is_null());
            break;
        };
        let link = link.to_str().unwrap();
        let next = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap();
        let cursor = page.json()["next"].as_str().unwrap().to_owned();
        assert_eq!(next, format!("/v1/records?limit=1&status=in_progress&cursor={cursor}"));
        path = next.to_owned();
    }
    seen.sort_by_key(Value::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

#[actix_web::test]
async fn an_answer_says_where_its_time_went() {
    let app = TestApp::new();
    let answer = app.post("/v1/adjudicate", json!({"record": legal(9)}).to_string()).await;
    let told = answer.header("server-timing");
    let times: Vec<(&str, f64)> = told
        .split(", ")
        .map(|part| part.split_once(";dur=").unwrap())
        .map(|(name, time)| (name, time.parse().unwrap()))
        .collect();
    let [("queue", queue), ("cpu", cpu), ("total", total)] = times[..] else { panic!("{told}") };
    assert!(cpu > 0.0 && queue >= 0.0 && total > 0.0, "{told}");
}

#[actix_web::test]
async fn who_may_not_read_everything_learns_no_times() {
    let tokens = Tokens::parse("read alpha\n", true).unwrap();
    let app = TestApp::with(Limits::default(), Some(tokens), &[]);
    let known = app.send(ask("/v1/games", &[("authorization", "Bearer alpha")])).await;
    assert!(known.headers.contains_key("server-timing"));
    assert!(!app.get("/v1/games").await.headers.contains_key("server-timing"));
}

fn bounded(quota: Quota, tokens: Option<Tokens>) -> TestApp {
    let app = TestApp::with(Limits::default(), tokens, &["https://club.example"]);
    app.change(|service| service.allowances = Allowances::new(quota))
}

#[actix_web::test]
async fn who_has_asked_often_enough_is_told_when_to_come_back() {
    let app = bounded(
        Quota { requests: Some(3), cpu: None },
        Some(Tokens::parse("admin alpha", false).unwrap()),
    );
    let get = async |headers: &[(&str, &str)]| app.send(ask("/v1/games", headers)).await;
    for left in (0..3).rev() {
        let answer = get(&[]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"requests\";q=3;w=60");
        let told = answer.header("ratelimit");
        assert!(told.starts_with(&format!("\"requests\";r={left};t=")), "{told}");
    }
    let refused = get(&[("origin", "https://club.example")]).await;
    refused.problem(429, "too_many_requests");
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    assert!(refused.header("ratelimit").starts_with("\"requests\";r=0;t="));
    // A page of an allowed origin can read that.
    assert_eq!(refused.header("access-control-allow-origin"), "https://club.example");
    let exposed = refused.header("access-control-expose-headers").to_ascii_lowercase();
    assert!(exposed.contains("retry-after") && exposed.contains("ratelimit"), "{exposed}");
    // A known token has an allowance of its own; an unknown one is nobody's.
    assert_eq!(get(&[("authorization", "Bearer alpha")]).await.status, 200);
    assert_eq!(get(&[("authorization", "Bearer beta")]).await.status, 429);
    // It is one token, however it is written.
    for (way, status) in [("bearer alpha", 200), ("BEARER   alpha", 200), ("Bearer  alpha", 429)] {
        assert_eq!(get(&[("authorization", way)]).await.status, status, "{way}");
    }
    // Who watches the service is always answered.
    assert_eq!(app.get("/healthz").await.status, 200);
    assert_eq!(app.get("/readyz").await.status, 200);
}

#[actix_web::test]
async fn time_of_the_processor_is_charged_also_for_what_is_sent_later() {
    let app = bounded(Quota { requests: None, cpu: Some(1) }, None);
    let lines = ndjson(&(0..400).map(numbered).collect::<Vec<Value>>());
    let mut sent = 0;
    loop {
        let answer = app.post_as("application/x-ndjson", "/v1/validate", lines.clone()).await;
        match answer.status {
            200 => assert_eq!(answer.lines().len(), 401),
            429 => break,
            other => panic!("{other}"),
        }
        sent += 1;
        // A second of work is more than nothing and less than this.
        assert!(sent < 10_000);
    }
    assert!(sent > 0);
}
