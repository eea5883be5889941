//! Bad input: it costs little, it is answered, and nothing hangs.

use std::io::Read;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::limits::Limits;
use umpire_engine::chance::seeded::{Stream, key};
use umpire_engine::games::GAMES;

use crate::app::{TestApp, legal, whole_game};
use crate::client::Server;

const BODY_ROUTES: [&str; 4] = ["/v1/replay", "/v1/validate", "/v1/legal-actions", "/v1/records"];

#[actix_web::test]
async fn what_is_no_json_is_a_bad_request() {
    let app = TestApp::new();
    let bodies: [&[u8]; 5] =
        [b"", b"{", b"nonsense", b"{\"format\": \"\xff\"}", b"\xef\xbb\xbf\xef\xbb\xbf{}"];
    for path in BODY_ROUTES {
        for body in bodies {
            app.post(path, body.to_vec()).await.problem(400, "bad_json");
        }
    }
}

#[actix_web::test]
async fn what_is_no_record_is_refused() {
    let app = TestApp::new();
    for path in BODY_ROUTES {
        for body in
            ["{}", "[]", "7", "null", "\"text\"", r#"{"format":"umpire/1","format":"umpire/1"}"#]
        {
            app.post(path, body).await.problem(422, "bad_record");
        }
    }
}

#[actix_web::test]
async fn deep_nesting_is_refused_wherever_it_is() {
    let app = TestApp::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for field in ["format", "options", "players", "chance", "position", "claims", "meta"] {
        let mut record = legal(0);
        record[field] = json!("here");
        let text = record.to_string().replace("\"here\"", &deep);
        for path in BODY_ROUTES {
            let answer = app.post(path, text.clone()).await;
            assert!(matches!(answer.status, 400 | 422), "{path} {field}: {}", answer.status);
        }
    }
    // Behind what is no action anything could stand.
    let mut record = legal(0);
    record["actions"] = json!(["here"]);
    for (actions, pointer) in
        [(json!(["here"]), "/actions/0"), (json!([{"no": "action"}, {"x": "here"}]), "/actions/1")]
    {
        record["actions"] = actions;
        let text = record.to_string().replace("\"here\"", &deep);
        for path in ["/v1/validate", "/v1/replay", "/v1/records?accept=any"] {
            let answer = app.post(path, text.clone()).await;
            let problem = answer.problem(422, "bad_record");
            assert_eq!(problem["pointer"], pointer);
            assert!(problem["detail"].as_str().unwrap().contains("100 levels"), "{problem}");
        }
        // A text with brackets is not deep.
        let text = record.to_string().replace("\"here\"", &format!("{:?}", "[".repeat(1000)));
        let answer = app.post("/v1/validate", text).await.json();
        assert_eq!(answer["verdict"]["status"], "illegal");
    }
}

#[actix_web::test]
async fn a_mark_of_utf_8_in_front_is_passed_over() {
    let app = TestApp::new();
    let text = legal(1).to_string();
    for path in BODY_ROUTES {
        let plain = app.post(path, text.clone()).await;
        let marked = app.post(path, format!("\u{feff}{text}")).await;
        assert_eq!(marked.status / 100, 2, "{path}");
        // The one stores it, the other finds it stored.
        if path != "/v1/records" {
            assert_eq!(marked.body, plain.body, "{path}");
        }
    }
}

#[actix_web::test]
async fn too_many_actions_are_too_many_whatever_they_are() {
    let app = TestApp::new();
    let mut record = legal(0);
    record["actions"] = json!(vec![json!({}); 20_001]);
    for path in ["/v1/validate", "/v1/records?accept=any"] {
        let answer = app.post(path, record.to_string()).await;
        assert_eq!(answer.problem(422, "too_many_actions")["pointer"], "/actions");
    }
}

#[actix_web::test]
async fn a_fault_of_meta_names_its_entry() {
    let app = TestApp::new();
    let mut record = legal(0);
    record["meta"] = json!({"round": 1, "a/b": {"c": [[[[0]]]]}});
    let answer = app.post("/v1/validate", record.to_string()).await;
    assert_eq!(answer.problem(422, "bad_record")["pointer"], "/meta/a~1b/c/0/0/0");
    record["meta"] = json!(["round"]);
    let answer = app.post("/v1/validate", record.to_string()).await;
    assert_eq!(answer.problem(422, "bad_record")["pointer"], "/meta");
}

#[actix_web::test]
async fn a_body_of_another_type_is_refused() {
    let app = TestApp::new();
    let text = legal(0).to_string();
    for path in BODY_ROUTES {
        for kind in ["text/plain", "application/xml", "application/json; charset=utf-16"] {
            let answer = app.post_as(kind, path, text.clone()).await;
            answer.problem(415, "unsupported_media_type");
        }
        let none = TestRequest::post().uri(path).set_payload(text.clone());
        app.send(none).await.problem(415, "unsupported_media_type");
        let packed = TestRequest::post().uri(path).insert_header(("content-encoding", "br"));
        let packed = packed.insert_header(("content-type", "application/json"));
        app.send(packed.set_payload(text.clone())).await.problem(415, "unsupported_media_type");
    }
    for path in ["/v1/replay", "/v1/legal-actions"] {
        let answer = app.post_as("application/x-ndjson", path, text.clone()).await;
        answer.problem(415, "unsupported_media_type");
    }
}

#[actix_web::test]
async fn another_method_is_refused_and_the_right_ones_are_named() {
    let app = TestApp::new();
    for (method, path, allow) in [
        (Method::GET, "/v1/replay", "POST"),
        (Method::PUT, "/v1/records", "GET, HEAD, POST"),
        (Method::POST, "/v1/games", "GET, HEAD"),
        (Method::PATCH, "/v1/records/x", "GET, HEAD, DELETE"),
        (Method::DELETE, "/healthz", "GET, HEAD"),
        (Method::OPTIONS, "/v1/validate", "POST"),
    ] {
        let answer = app.send(TestRequest::default().method(method).uri(path)).await;
        answer.problem(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), allow);
    }
}

#[actix_web::test]
async fn a_preflight_that_is_refused_is_a_problem() {
    let app = TestApp::with(Limits::default(), None, &["https://club.example"]);
    for (origin, method, header) in [
        ("https://other.example", "GET", "content-type"),
        ("https://club.example", "PATCH", "content-type"),
        ("https://club.example", "GET", "x-other"),
    ] {
        let request = TestRequest::default().method(Method::OPTIONS).uri("/v1/records");
        let request = request
            .insert_header(("origin", origin))
            .insert_header(("access-control-request-method", method))
            .insert_header(("access-control-request-headers", header));
        let answer = app.send(request).await;
        answer.problem(405, "method_not_allowed");
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
    }
}

#[actix_web::test]
async fn whoever_takes_no_coding_at_all_is_answered_without_one() {
    let app = TestApp::new();
    for coding in ["identity;q=0", "*;q=0", "nonsense, *;q=0"] {
        let request =
            TestRequest::get().uri("/v1/games").insert_header(("accept-encoding", coding));
        let answer = app.send(request).await;
        assert_eq!(answer.status, 200, "{coding}: {:?}", answer.body);
        assert!(!answer.headers.contains_key("content-encoding"));
    }
    for coding in ["gzip", "identity"] {
        let request =
            TestRequest::get().uri("/v1/games").insert_header(("accept-encoding", coding));
        assert_eq!(app.send(request).await.header("vary"), "accept-encoding", "{coding}");
    }
}

#[actix_web::test]
async fn an_unknown_path_is_not_found() {
    let app = TestApp::new();
    let long = format!("/v1/{}", "x".repeat(3000));
    for path in [
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/games/",
        "/v1/records/a/b/c",
        "/v1/%ff%00",
        "/index.html",
        &long,
    ] {
        app.get(path).await.problem(404, "not_found");
    }
}

#[actix_web::test]
async fn a_query_that_is_too_long_is_refused() {
    let path = format!("/v1/records?text={}", "x".repeat(10_000));
    TestApp::new().get(&path).await.problem(422, "bad_parameter");
}

#[actix_web::test]
async fn a_million_actions_are_refused() {
    let mut record = legal(0);
    record["actions"] = json!(vec![1; 1_000_000]);
    let text = record.to_string();
    let app = TestApp::new();
    for path in BODY_ROUTES {
        let answer = app.post(path, text.clone()).await;
        // None of these is an action; what is one is counted up to the bound.
        assert!(matches!(answer.status, 200 | 409 | 422), "{path}: {}", answer.status);
    }
    let first = legal(1)["actions"][0].clone();
    record["actions"] = json!(vec![first; 30_000]);
    let answer = app.post("/v1/validate", record.to_string()).await;
    answer.problem(422, "too_many_actions");
}

#[actix_web::test]
async fn numbers_out_of_range_are_refused() {
    let app = TestApp::new();
    for number in ["-1", "4294967296", "1e99", "1.5", "99999999999999999999999"] {
        let mut record = legal(0);
        record["claims"] = json!({"plies": "here"});
        let text = record.to_string().replace("\"here\"", number);
        app.post("/v1/validate", text).await.problem(422, "bad_record");
    }
}

#[actix_web::test]
async fn a_body_that_is_too_large_is_refused() {
    let app = TestApp::limited(Limits { max_body: 100, ..Limits::default() });
    for path in BODY_ROUTES {
        app.post(path, " ".repeat(101)).await.problem(413, "body_too_large");
    }
}

#[test]
fn a_body_that_is_announced_as_too_large_is_refused_before_it_is_sent() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &[]);
    let mut connection = server.connect();
    let head = "POST /v1/validate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n";
    connection.write(head.as_bytes()).unwrap();
    let (status, _) = connection.answer().unwrap();
    assert_eq!(status, 413);
    assert_eq!(server.connect().get("/healthz").unwrap().0, 200);
}

#[test]
fn a_body_that_comes_too_slowly_is_given_up() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &["--body-seconds", "1"]);
    for (path, kind) in
        [("/v1/replay", "application/json"), ("/v1/validate", "application/x-ndjson")]
    {
        let mut connection = server.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: 1000\r\n\r\n{{"
        );
        connection.write(head.as_bytes()).unwrap();
        let (status, body) = connection.answer().unwrap();
        assert!(matches!(status, 408 | 200), "{status}");
        assert!(String::from_utf8_lossy(&body).contains("request_timeout"));
    }
}

#[test]
fn lines_that_break_off_end_with_a_problem_and_no_summary() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &[]);
    let (first, begun) = (format!("{}\n", legal(0)), r#"{"format":"#);
    let announced = format!("content-length: 9999\r\n\r\n{first}{begun}");
    let chunk = format!("{:x}\r\n{first}\r\n{:x}\r\n{begun}\r\n", first.len(), begun.len());
    let chunks = format!("transfer-encoding: chunked\r\n\r\n{chunk}");
    let torn = format!("transfer-encoding: chunked\r\n\r\n{chunk}no length\r\n");
    for path in ["/v1/validate", "/v1/records"] {
        for body in [&announced, &chunks, &torn] {
            let mut connection = server.connect();
            let head = format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n"
            );
            connection.write(format!("{head}{body}").as_bytes()).unwrap();
            connection.reader.get_ref().shutdown(std::net::Shutdown::Write).unwrap();
            let mut answer = Vec::new();
            connection.reader.read_to_end(&mut answer).unwrap();
            let answer = String::from_utf8_lossy(&answer);
            assert!(!answer.contains("summary"), "{path}: {answer}");
            // The answer says so, or breaks off itself.
            let said = answer.contains("the body ended early in line 2: ")
                && answer.contains(r#""line":2"#);
            assert!(said || !answer.ends_with("\r\n0\r\n\r\n"), "{path}: {answer}");
        }
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &[]);
    for path in ["/v1/validate", "/v1/records"] {
        let mut connection = server.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"
        );
        connection.write(head.as_bytes()).unwrap();
        let mut seen = Vec::new();
        for plies in 0..3 {
            let line = format!("{}\n", legal(plies));
            let chunk = format!("{:x}\r\n{line}\r\n", line.len());
            connection.write(chunk.as_bytes()).unwrap();
            if plies == 0 {
                assert_eq!(connection.head().unwrap(), (200, None));
            }
            let answer: serde_json::Value =
                serde_json::from_slice(&connection.chunk().unwrap()).unwrap();
            seen.push(answer["verdict"]["plies"].as_u64().unwrap());
        }
        connection.write(b"0\r\n\r\n").unwrap();
        assert_eq!(seen, [0, 1, 2]);
        let last = connection.chunk().unwrap();
        assert!(String::from_utf8_lossy(&last).contains("summary"));
        assert!(connection.chunk().unwrap().is_empty());
    }
}

/// Changes one place of a value: a field is lost, a value is another one, or stands twice.
fn change(value: &mut Value, draw: &mut impl FnMut(usize) -> usize) {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("?"),
        json!("\u{202e}<script>\u{0}"),
        json!("x".repeat(5_000)),
        json!([]),
        json!([[[]]]),
        json!({}),
    ];
    let inner = match value {
        Value::Array(items) if !items.is_empty() => {
            let at = draw(items.len());
            match draw(8) {
                0 => return drop(items.remove(at)),
                1 => return items.push(items[at].clone()),
                _ => items.get_mut(at),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(draw(fields.len())).cloned().unwrap();
            match draw(8) {
                0 => return drop(fields.remove(&name)),
                1 => return drop(fields.insert(format!("{name}?"), json!(1))),
                _ => fields.get_mut(&name),
            }
        }
        _ => None,
    };
    match inner {
        Some(inner) if draw(4) > 0 => change(inner, draw),
        Some(inner) => *inner = odd[draw(odd.len())].clone(),
        None => *value = odd[draw(odd.len())].clone(),
    }
}

/// Whatever is sent is judged or refused: nothing that is sent is an error of the server.
#[actix_web::test]
async fn changed_requests_are_never_an_internal_error() {
    let app = TestApp::limited(Limits { work_seconds: 2, ..Limits::default() });
    let mut words = Stream::new(key("changed requests"), "choices");
    let mut draw = move |below: usize| words.uniform(below as u32) as usize;
    let mut statuses = std::collections::BTreeMap::new();
    for game in GAMES.iter() {
        let mut record = whole_game(game.meta().id);
        let actions = record["actions"].as_array_mut().unwrap();
        actions.truncate(12);
        let action = actions[0].clone();
        let about = |rest: Value| {
            let mut request = json!({"record": record});
            request.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            request
        };
        let requests = [
            ("/v1/validate", record.clone()),
            ("/v1/replay?include=events,states", record.clone()),
            ("/v1/legal-actions", record.clone()),
            ("/v1/scene?targets=true", record.clone()),
            ("/v1/records", record.clone()),
            ("/v1/adjudicate", about(json!({"ply": 1}))),
            ("/v1/explain", about(json!({"ply": 1}))),
            ("/v1/why-not", about(json!({"action": action}))),
            ("/v1/repair", about(json!({}))),
            ("/v1/remedy", about(json!({}))),
            ("/v1/compare", about(json!({"other": record}))),
            ("/v1/hint", about(json!({"simulations": 5}))),
            ("/v1/tables", json!({"game": game.meta().id, "players": {}, "meta": {"a": 1}})),
        ];
        for (path, request) in requests {
            for _ in 0..40 {
                let mut changed = request.clone();
                (0..=draw(3)).for_each(|_| change(&mut changed, &mut draw));
                let answer = app.post(path, changed.to_string()).await;
                let whole = answer.status < 500 || answer.status == 503;
                assert!(whole, "{path}: {changed}: {}", String::from_utf8_lossy(&answer.body));
                *statuses.entry(answer.status).or_insert(0) += 1;
            }
        }
    }
    // Some of the changes do no harm, and most do.
    assert!(statuses[&200] > 50 && statuses[&422] > 50, "{statuses:?}");
}
