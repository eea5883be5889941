//! Bearer tokens, what each opens, and other origins.

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use umpire_api::auth::tokens::Tokens;
use umpire_api::http::contract::Security;
use umpire_api::limits::Limits;
use umpire_api::routes;

use crate::app::{Answer, TestApp, game, legal, numbered};

fn protected(reading: bool) -> TestApp {
    guarded("admin alpha\n", reading)
}

/// With the text of a token file.
fn guarded(tokens: &str, reading: bool) -> TestApp {
    TestApp::with(Limits::default(), Some(Tokens::parse(tokens, reading).unwrap()), &[])
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

/// A request to each handler about the record `ID` (or `OTHER`), and who may make it. A handler that is
/// missing here, or lets in somebody else than it says, fails the test below.
const REQUESTS: &[(&str, Security, &str, &str, &str)] = &[
    ("create_validation", Security::None, "POST", "/v1/validate", "RECORD"),
    ("create_replay", Security::None, "POST", "/v1/replay", "RECORD"),
    ("list_legal_actions", Security::None, "POST", "/v1/legal-actions", "RECORD"),
    ("create_adjudication", Security::Reading, "POST", "/v1/adjudicate", r#"{"id":"ID"}"#),
    ("create_repair", Security::Reading, "POST", "/v1/repair", r#"{"id":"ID"}"#),
    ("create_remedy", Security::Reading, "POST", "/v1/remedy", r#"{"id":"ID"}"#),
    (
        "create_comparison",
        Security::Reading,
        "POST",
        "/v1/compare",
        r#"{"record":RECORD,"other_id":"ID"}"#,
    ),
    ("create_why_not", Security::Looking, "POST", "/v1/why-not", r#"{"id":"ID","action":{}}"#),
    ("create_explanation", Security::Looking, "POST", "/v1/explain", r#"{"id":"ID","ply":0}"#),
    ("create_scene", Security::None, "POST", "/v1/scene", "RECORD"),
    ("create_hint", Security::Looking, "POST", "/v1/hint", r#"{"id":"ID","simulations":9}"#),
    ("create_odds", Security::Looking, "POST", "/v1/odds", r#"{"id":"ID","action":{}}"#),
    (
        "create_simulation",
        Security::Keeping,
        "POST",
        "/v1/simulations",
        r#"{"game":"GAME","games":1}"#,
    ),
    ("get_simulation", Security::Reading, "GET", "/v1/simulations/OTHER", ""),
    ("delete_simulation", Security::Writing, "DELETE", "/v1/simulations/OTHER", ""),
    (
        "create_analysis",
        Security::Analysing,
        "POST",
        "/v1/analyses",
        r#"{"id":"ID","simulations":1}"#,
    ),
    ("get_analysis", Security::Looking, "GET", "/v1/analyses/OTHER", ""),
    ("delete_analysis", Security::Analysing, "DELETE", "/v1/analyses/OTHER", ""),
    ("get_analysis_curve", Security::Looking, "GET", "/v1/analyses/OTHER/curve.svg", ""),
    ("list_analysis_plies", Security::Looking, "GET", "/v1/analyses/OTHER/plies", ""),
    ("get_record_analysis", Security::Looking, "GET", "/v1/records/ID/analysis", ""),
    ("get_health", Security::None, "GET", "/healthz", ""),
    ("get_readiness", Security::None, "GET", "/readyz", ""),
    ("get_metrics", Security::Watching, "GET", "/metrics", ""),
    ("get_openapi", Security::None, "GET", "/v1/openapi.json", ""),
    ("to_docs", Security::None, "GET", "/docs", ""),
    ("get_docs", Security::None, "GET", "/v1/docs/", ""),
    ("list_problems", Security::None, "GET", "/v1/problems", ""),
    ("get_problem", Security::None, "GET", "/v1/problems/forbidden", ""),
    ("list_games", Security::None, "GET", "/v1/games", ""),
    ("get_game", Security::None, "GET", "/v1/games/GAME", ""),
    ("list_rules", Security::None, "GET", "/v1/games/GAME/rules", ""),
    ("get_rule", Security::None, "GET", "/v1/games/GAME/rules/x", ""),
    ("get_compliance", Security::None, "GET", "/v1/games/GAME/compliance", ""),
    ("get_verdict", Security::Reading, "GET", "/v1/verdicts/OTHER", ""),
    ("delete_verdict", Security::Writing, "DELETE", "/v1/verdicts/OTHER", ""),
    ("list_verdicts", Security::Administering, "GET", "/v1/verdicts", ""),
    ("list_tables", Security::Administering, "GET", "/v1/tables", ""),
    ("get_verdict_key", Security::None, "GET", "/v1/verdicts/key", ""),
    ("list_precedents", Security::None, "GET", "/v1/games/GAME/precedents", ""),
    ("get_precedent", Security::None, "GET", "/v1/games/GAME/precedents/x", ""),
    ("list_records", Security::Reading, "GET", "/v1/records", ""),
    ("create_record", Security::Writing, "POST", "/v1/records", "RECORD"),
    ("get_record", Security::Reading, "GET", "/v1/records/ID", ""),
    ("get_record_report", Security::Looking, "GET", "/v1/records/ID/report", ""),
    ("get_record_ply", Security::Looking, "GET", "/v1/records/ID/plies/1", ""),
    ("get_record_board", Security::Looking, "GET", "/v1/records/ID/plies/1/board.svg", ""),
    ("get_record_scene", Security::Looking, "GET", "/v1/records/ID/plies/1/scene", ""),
    ("get_reading_table", Security::None, "GET", "/", ""),
    ("get_page_file", Security::None, "GET", "/table/table.js", ""),
    ("get_record_table", Security::None, "GET", "/t/ID/1", ""),
    ("get_record_embed", Security::None, "GET", "/embed/ID/1", ""),
    ("get_oembed", Security::None, "GET", "/v1/oembed?url=/t/ID", ""),
    ("list_record_events", Security::Looking, "GET", "/v1/records/ID/events", ""),
    ("list_record_legal_actions", Security::Looking, "GET", "/v1/records/ID/legal-actions", ""),
    ("create_table", Security::Writing, "POST", "/v1/tables", r#"{"game":"GAME"}"#),
    ("get_table", Security::Playing, "GET", "/v1/tables/TABLE", ""),
    ("list_table_legal_actions", Security::Playing, "GET", "/v1/tables/TABLE/legal-actions", ""),
    ("get_table_hint", Security::Playing, "GET", "/v1/tables/TABLE/hint", ""),
    ("list_table_events", Security::Playing, "GET", "/v1/tables/TABLE/events", ""),
    ("get_table_scene", Security::Playing, "GET", "/v1/tables/TABLE/scene", ""),
    ("watch_table", Security::Playing, "GET", "/v1/tables/TABLE/stream", ""),
    (
        "create_table_action",
        Security::Playing,
        "POST",
        "/v1/tables/TABLE/actions",
        r#"{"action":{}}"#,
    ),
    ("create_table_undo", Security::Playing, "POST", "/v1/tables/TABLE/undo", r#"{"to":0}"#),
    (
        "create_table_draw",
        Security::Playing,
        "POST",
        "/v1/tables/TABLE/draw",
        r#"{"commit":"OTHER"}"#,
    ),
    ("create_table_seal", Security::Playing, "POST", "/v1/tables/TABLE/seal", ""),
    ("delete_table", Security::Playing, "DELETE", "/v1/tables/TABLE", ""),
    ("create_impact", Security::Writing, "POST", "/v1/impacts", "{}"),
    ("get_impact", Security::Reading, "GET", "/v1/impacts/x", ""),
    ("list_impact_changes", Security::Reading, "GET", "/v1/impacts/x/changes", ""),
    ("delete_impact", Security::Writing, "DELETE", "/v1/impacts/x", ""),
    ("delete_record", Security::Writing, "DELETE", "/v1/records/OTHER", ""),
];

/// A request of the table about a record.
fn request(method: &str, path: &str, body: &str, id: &str) -> TestRequest {
    let fill = |text: &str| {
        text.replace("ID", id)
            .replace("TABLE", &"0".repeat(32))
            .replace("OTHER", &"0".repeat(64))
            .replace("GAME", game().meta().id)
            .replace("RECORD", &legal(2).to_string())
    };
    let request = TestRequest::default().method(Method::from_bytes(method.as_bytes()).unwrap());
    let request = request.uri(&fill(path)).insert_header(("content-type", "application/json"));
    request.set_payload(fill(body))
}

async fn stored(app: &TestApp, record: &Value) -> String {
    let request = TestRequest::post().uri("/v1/records").set_payload(record.to_string());
    let request = request.insert_header(("content-type", "application/json"));
    app.send_as("all", request).await.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_table_says_of_every_handler_who_may_call_it() {
    let said: BTreeMap<&str, Security> =
        REQUESTS.iter().map(|(name, security, ..)| (*name, *security)).collect();
    let demanded: BTreeMap<&str, Security> =
        routes::contracts().into_iter().map(|(name, contract)| (name, contract.security)).collect();
    assert_eq!(said, demanded);
}

/// An id of a record is no secret, but what it stands for is: the id of the content of `legal(2)`.
async fn id_of(record: &Value) -> String {
    let app = TestApp::new();
    let answer = app.post("/v1/records", record.to_string()).await;
    answer.json()["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn every_route_opens_to_those_who_may_and_to_nobody_else() {
    let id = id_of(&legal(2)).await;
    let seat = game().meta().seats[0];
    let tokens = format!(
        "admin all\nwrite w\nread r\nmetrics m\nseat={seat}@{id} s\nseat={seat}@{} o\n",
        "1".repeat(64)
    );
    for reading in [true, false] {
        let tokens = match reading {
            true => tokens.clone(),
            false => tokens.lines().take(4).collect::<Vec<_>>().join("\n"),
        };
        let app = guarded(&tokens, reading);
        assert_eq!(stored(&app, &legal(2)).await, id);
        let table = table(&app).await;
        for (name, security, method, path, body) in REQUESTS {
            let asked = match security {
                Security::None | Security::Keeping | Security::Playing => false,
                Security::Writing | Security::Analysing | Security::Administering => true,
                Security::Watching | Security::Looking | Security::Reading => reading,
            };
            // Who may, of those with a token; all others may not.
            let may: &[&str] = match security {
                Security::None | Security::Keeping | Security::Playing => &[],
                Security::Watching => &["all", "m"],
                // An analysis of another view is none of a seat's business, nor whether there is one.
                Security::Looking if path.contains("/analyses/OTHER") => &["all", "w", "r"],
                Security::Analysing if path.contains("OTHER") => &["all", "w"],
                Security::Analysing => &["all", "w", "s"],
                Security::Looking => &["all", "w", "r", "s"],
                Security::Reading => &["all", "w", "r"],
                Security::Writing => &["all", "w"],
                Security::Administering => &["all"],
            };
            let ask = || request(method, path, body, &id);
            for nobody in [app.send(ask()).await, app.send_as("unknown", ask()).await] {
                match asked {
                    true => drop(nobody.problem(401, "unauthorized")),
                    false => assert_open(&nobody, name),
                }
            }
            // The tokens of a table open nothing but that table.
            for token in [&table.host, &table.seat] {
                match asked {
                    true => drop(app.send_as(token, ask()).await.problem(401, "unauthorized")),
                    false => assert_open(&app.send_as(token, ask()).await, name),
                }
            }
            for token in ["all", "w", "r", "m", "s", "o"] {
                if !reading && ["s", "o"].contains(&token) {
                    continue;
                }
                let answer = app.send_as(token, ask()).await;
                // A token of the server that may not delete says so also where a table's own would do.
                let refused = *name == "delete_table" && !["all", "w"].contains(&token);
                match !refused && (!asked || may.contains(&token)) {
                    true => assert_open(&answer, &format!("{name} {token}")),
                    false => {
                        assert_eq!(answer.status, 403, "{name} {token}");
                        answer.problem(403, "forbidden");
                        let challenge = answer.header("www-authenticate");
                        assert_eq!(challenge, "Bearer error=\"insufficient_scope\"");
                    }
                }
            }
        }
    }
}

/// A live table, with its tokens.
struct TableTokens {
    id: String,
    host: String,
    seat: String,
}

async fn table(app: &TestApp) -> TableTokens {
    let request = TestRequest::post().uri("/v1/tables").set_json(json!({"game": game().meta().id}));
    let made = app.send_as("all", request).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let seat = text(&made["seats"][game().meta().seats[0]]);
    TableTokens { id: text(&made["table"]["id"]), host: text(&made["host"]), seat }
}

/// What each token may do at a table: look on where reading is open or its token reads, act with a seat, seal and delete as
/// the host.
#[actix_web::test]
async fn every_route_of_a_table_opens_to_those_who_may() {
    for reading in [true, false] {
        let app = guarded("admin all\nwrite w\nread r\nmetrics m", reading);
        let TableTokens { id, host, seat } = table(&app).await;
        let playing = REQUESTS.iter().filter(|it| it.1 == Security::Playing);
        let mut asked = 0;
        for (name, _, method, path, body) in playing {
            let ask = || request(method, &path.replace("TABLE", &id), body, "");
            let (looks, hosts) = (*method == "GET", ["create_table_seal", "delete_table"]);
            for (token, may) in [
                ("", looks && !reading && *name != "get_table_hint"),
                ("m", looks && !reading && *name != "get_table_hint"),
                ("r", looks && *name != "get_table_hint"),
                (&seat, !hosts.contains(name)),
                (&host, *name != "get_table_hint"),
            ] {
                // A stream that opens does not end.
                if may && *name == "watch_table" {
                    continue;
                }
                let answer = match token {
                    "" => app.send(ask()).await,
                    token => app.send_as(token, ask()).await,
                };
                let open = ![401, 403].contains(&answer.status);
                assert_eq!(open, may, "{name} {token} {reading}: {:?}", answer.body);
                asked += 1;
            }
        }
        assert!(asked > 40, "{asked}");
    }
}

#[track_caller]
fn assert_open(answer: &Answer, name: &str) {
    assert!(![401, 403].contains(&answer.status), "{name}: {:?}", answer.body);
    assert!(answer.status < 500, "{name}: {:?}", answer.body);
}

#[actix_web::test]
async fn a_seat_is_shown_what_it_may_know_and_nobody_elses_view() {
    let record = legal(3);
    let id = id_of(&record).await;
    for viewer in ["spectator"].into_iter().chain(game().meta().seats.iter().copied()) {
        let app = guarded(&format!("admin all\nseat={viewer}@{id} seat"), true);
        stored(&app, &record).await;
        for path in ["report", "report?ply=1", "plies/2", "events", "legal-actions"] {
            let path = format!("/v1/records/{id}/{path}");
            let mark = if path.contains('?') { '&' } else { '?' };
            let own = format!("{path}{mark}viewer={viewer}");
            let expected = app.send_as("all", TestRequest::get().uri(&own)).await;
            assert_eq!(expected.json()["viewer"], viewer);
            for path in [&path, &own] {
                let answer = app.send_as("seat", TestRequest::get().uri(path)).await;
                assert_eq!(answer.body, expected.body, "{path}");
                assert_eq!(answer.status, 200);
                assert!(answer.header("cache-control").starts_with("private, "));
            }
            for other in ["referee", "spectator"].iter().chain(game().meta().seats) {
                if *other != viewer {
                    let path = format!("{path}{mark}viewer={other}");
                    let answer = app.send_as("seat", TestRequest::get().uri(&path)).await;
                    answer.problem(403, "forbidden");
                }
            }
        }
        let parts = "include=tape,fingerprints,chapters,events,states,explain";
        let path = format!("/v1/records/{id}/report?{parts}");
        let report = app.send_as("seat", TestRequest::get().uri(&path)).await.json();
        assert!(report["states"].is_array() && report["explain"].is_array());
        for part in ["tape", "fingerprint", "fingerprints", "chapters"] {
            assert!(report[part].is_null(), "{part}");
        }
    }
}

#[actix_web::test]
async fn a_seat_asks_why_with_its_own_eyes_only() {
    let record = legal(3);
    let (id, seat) = (id_of(&record).await, game().meta().seats[1]);
    let app = guarded(&format!("admin all\nseat={seat}@{id} seat"), true);
    stored(&app, &record).await;
    let action = record["actions"][0].clone();
    for (path, body) in [
        ("/v1/why-not", json!({"id": id, "action": action, "ply": 0})),
        ("/v1/explain", json!({"id": id, "ply": 1})),
    ] {
        let ask = |viewer: Option<&str>| {
            let mut body = body.clone();
            if let Some(viewer) = viewer {
                body["viewer"] = json!(viewer);
            }
            TestRequest::post().uri(path).set_json(body)
        };
        let expected = app.send_as("all", ask(Some(seat))).await;
        assert_eq!(expected.json()["viewer"], seat, "{:?}", expected.body);
        for viewer in [None, Some(seat)] {
            assert_eq!(app.send_as("seat", ask(viewer)).await.body, expected.body);
        }
        for other in ["referee", "spectator", game().meta().seats[0]] {
            app.send_as("seat", ask(Some(other))).await.problem(403, "forbidden");
        }
        // Somebody who looks at nothing that is stored may still ask about a record of their own.
        let mut own = body.clone();
        own.as_object_mut().unwrap().remove("id");
        own["record"] = record.clone();
        let own = app.send_as("seat", TestRequest::post().uri(path).set_json(own)).await;
        assert_eq!(own.json()["viewer"], "referee");
    }
}

/// Neither status nor words nor length tell a seat whether a record is stored that is not its own.
#[actix_web::test]
async fn what_a_seat_has_nothing_to_do_with_is_refused_whether_it_is_there_or_not() {
    let (own, other) = (legal(3), numbered(1));
    let (id, there) = (id_of(&own).await, id_of(&other).await);
    let app = guarded(&format!("admin all\nseat=spectator@{id} seat"), true);
    stored(&app, &own).await;
    stored(&app, &other).await;
    for (_, security, method, path, body) in
        REQUESTS.iter().filter(|(name, ..)| !name.contains("delete"))
    {
        if !path.contains("ID") && !body.contains("ID") || *security == Security::Playing {
            continue;
        }
        if *security == Security::None {
            // What everybody is answered says nothing of the record.
            let mut told = Vec::new();
            for id in [&there, &"0".repeat(64)] {
                let answer = app.send_as("seat", request(method, path, body, id)).await;
                assert_eq!(answer.status, 200, "{path}");
                told.push(String::from_utf8(answer.body.to_vec()).unwrap().replace(id, "ID"));
            }
            assert_eq!(told[0], told[1], "{path}");
            continue;
        }
        let mut told = Vec::new();
        for id in [&there, &"0".repeat(64), &"x".repeat(64), "x"] {
            let answer = app.send_as("seat", request(method, path, body, id)).await;
            answer.problem(403, "forbidden");
            told.push(answer.body);
        }
        told.dedup();
        assert_eq!(told.len(), 1, "{path}");
    }
    let delete = |id: &str| TestRequest::delete().uri(&format!("/v1/records/{id}"));
    assert_eq!(
        app.send_as("seat", delete(&there)).await.body,
        app.send_as("seat", delete(&"0".repeat(64))).await.body
    );
}

/// Two holders ask in the same words, and a cache between them must not mix up what they are shown.
#[actix_web::test]
async fn the_same_question_with_other_eyes_has_another_tag() {
    let record = legal(3);
    let id = id_of(&record).await;
    let seats = game().meta().seats;
    let tokens = format!("admin all\nseat={}@{id} one\nseat={}@{id} two", seats[0], seats[1]);
    let app = guarded(&tokens, true);
    stored(&app, &record).await;
    let path = format!("/v1/records/{id}/report");
    let mut tags = Vec::new();
    for token in ["all", "one", "two"] {
        let answer = app.send_as(token, TestRequest::get().uri(&path)).await;
        let vary = answer.headers.get_all("vary").map(|value| value.to_str().unwrap());
        assert!(vary.flat_map(|value| value.split(", ")).any(|name| name == "authorization"));
        tags.push(answer.header("etag").to_owned());
    }
    for (at, token) in ["all", "one", "two"].into_iter().enumerate() {
        for (of, tag) in tags.iter().enumerate() {
            let ask = TestRequest::get().uri(&path).insert_header(("if-none-match", tag.as_str()));
            let expected = if at == of { 304 } else { 200 };
            assert_eq!(app.send_as(token, ask).await.status, expected, "{token} {of}");
        }
    }
}

#[actix_web::test]
async fn metrics_can_be_protected_although_everybody_may_read() {
    let tokens = Tokens::parse("metrics m\nread r\nadmin old", false).unwrap().protecting_metrics();
    let app = TestApp::with(Limits::default(), Some(tokens), &[]);
    assert_eq!(app.get("/v1/records").await.status, 200);
    app.get("/metrics").await.problem(401, "unauthorized");
    let ask = || TestRequest::get().uri("/metrics");
    app.send_as("r", ask()).await.problem(403, "forbidden");
    for token in ["m", "old"] {
        assert_eq!(app.send_as(token, ask()).await.status, 200);
    }
    for open in ["/healthz", "/readyz"] {
        assert_eq!(app.get(open).await.status, 200);
    }
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

mod made {
    use tempfile::TempDir;

    use super::*;
    use crate::cli::{code, error, out, umpire};
    use crate::client::Server;

    fn status(server: &Server, token: &str, head: &str) -> u16 {
        let mut connection = server.connect();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-length: 0\r\n\r\n"
        );
        connection.write(request.as_bytes()).unwrap();
        connection.answer().unwrap().0
    }

    #[test]
    fn a_token_is_shown_once_and_its_hash_is_kept() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("tokens").display().to_string();
        let new = |args: &[&str]| {
            let made = umpire(&[&["token", "new", "--file", &file], args].concat(), "");
            assert_eq!(code(&made), 0, "{}", error(&made));
            out(&made).trim().to_owned()
        };
        let (reader, record) = (new(&["--read", "--note", "Anna # 1"]), "7".repeat(64));
        let seat = new(&["--seat", game().meta().seats[0], "--record", &record]);
        let both = new(&["--write", "--metrics"]);
        let kept = std::fs::read_to_string(&file).unwrap();
        assert!(kept.lines().next().unwrap().ends_with(" # Anna # 1"), "{kept}");
        assert_eq!(kept.lines().count(), 3);
        for token in [&reader, &seat, &both] {
            assert!(token.starts_with("umpire_") && !kept.contains(&token[7..]));
        }
        let store = folder.path().join("umpire.sqlite");
        let server = Server::start(&store, &["--token-file", &file, "--protect-reading"]);
        let list = "GET /v1/records";
        let own = format!("GET /v1/records/{record}/report");
        for (token, expected) in [
            (&reader, [200, 404, 403]),
            (&seat, [403, 404, 403]),
            (&both, [200, 404, 200]),
            (&"umpire_".to_owned(), [401, 401, 401]),
        ] {
            let told = [list, &own, "GET /metrics"].map(|head| status(&server, token, head));
            assert_eq!(told, expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_is_added_or_taken_away_counts_after_a_hangup() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("tokens").display().to_string();
        let new = || {
            let made = umpire(&["token", "new", "--read", "--file", &file], "");
            out(&made).trim().to_owned()
        };
        let first = new();
        let server = Server::start(
            &folder.path().join("umpire.sqlite"),
            &["--token-file", &file, "--protect-reading"],
        );
        let hangup = || {
            let pid = server.child.id().to_string();
            assert!(
                std::process::Command::new("kill").args(["-HUP", &pid]).status().unwrap().success()
            );
        };
        let becomes = |token: &str, expected: u16| {
            let there = (0..500).any(|_| {
                let found = status(&server, token, "GET /v1/records") == expected;
                if !found {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
                found
            });
            assert!(there, "{token} never becomes {expected}");
        };
        let second = new();
        assert_eq!(status(&server, &second, "GET /v1/records"), 401);
        hangup();
        becomes(&second, 200);
        becomes(&first, 200);
        // A file that cannot be understood takes nothing from anybody; then the first is taken out.
        let kept = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, "reed x\n").unwrap();
        hangup();
        for _ in 0..30 {
            assert_eq!(status(&server, &first, "GET /v1/records"), 200);
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let line = kept.lines().nth(1).unwrap();
        std::fs::write(&file, line).unwrap();
        hangup();
        becomes(&first, 401);
        becomes(&second, 200);
    }

    #[test]
    fn without_a_file_the_line_is_printed_after_the_token() {
        let made = umpire(&["token", "new", "--metrics"], "");
        let lines: Vec<&str> = out(&made).lines().collect();
        let hash = blake3::hash(lines[0].as_bytes()).to_hex();
        assert_eq!(lines[1..], [format!("metrics blake3:{hash}")]);
    }

    #[test]
    fn what_cannot_be_a_token_is_refused_and_nothing_is_written() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("tokens");
        let file = path.display().to_string();
        let id = "7".repeat(64);
        for (args, expected) in [
            (&["--seat", "referee", "--record", &id][..], "unknown viewer"),
            (&["--seat", "spectator", "--record", "x"], "a record id is 64"),
            (&["--read", "--note", "two\nlines"], "the note must be a single line"),
            (&["--seat", "spectator"], "--record"),
            (&["--read", "--write"], "cannot be used with"),
            (&[], "required"),
        ] {
            let made = umpire(&[&["token", "new", "--file", &file], args].concat(), "");
            assert_eq!(code(&made), 2, "{args:?}");
            assert!(error(&made).contains(expected), "{args:?}: {}", error(&made));
            assert!(out(&made).is_empty());
        }
        assert!(!path.exists());
        // A file of something else stays as it is.
        std::fs::write(&path, "a letter to Anna\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        let made = umpire(&["token", "new", "--read", "--file", &file], "");
        assert!(
            error(&made).contains("line 1: every word but the last must be a scope"),
            "{made:?}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter to Anna\n");
    }

    #[test]
    fn a_token_file_that_cannot_be_understood_stops_the_start() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("tokens");
        let file = path.display().to_string();
        for (text, more, expected) in [
            ("read a\nreed secret-one\n", "--protect-reading", "line 2: every word but the last"),
            (&format!("seat=spectator@{} a", "7".repeat(64)), "--public", "add --protect-reading"),
            ("# none\n", "--protect-reading", "contains no token"),
            ("README\n", "--protect-reading", "line 1: a token without a scope needs at least"),
            ("admin alpha", "--private-ids=x", "--protect-reading"),
        ] {
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            }
            let serve = ["serve", "--listen", "127.0.0.1:0", "--token-file", &file, more];
            let refused = umpire(&serve, "");
            assert_eq!(code(&refused), 2, "{text}");
            assert!(error(&refused).contains(expected), "{text}: {}", error(&refused));
            assert!(!error(&refused).contains("secret-one"));
        }
    }
}

/// A series is played for everybody, but only who may write starts it as a job.
#[actix_web::test]
async fn who_may_not_write_starts_no_job() {
    let app = guarded("write w\nread r", false);
    let sent = || {
        let request = TestRequest::post().uri("/v1/simulations?job=true");
        request.set_json(serde_json::json!({"game": game().meta().id, "games": 1}))
    };
    app.send(sent()).await.problem(401, "unauthorized");
    app.send_as("r", sent()).await.problem(403, "forbidden");
    assert_eq!(app.send_as("w", sent()).await.status, 202);
}

#[actix_web::test]
async fn a_seat_has_analyses_of_its_own_view_and_of_no_other() {
    let id = id_of(&legal(2)).await;
    let [seat, other] = [0, 1].map(|at| game().meta().seats[at]);
    let app =
        guarded(&format!("admin all\nread r\nseat={seat}@{id} s\nseat={other}@{id} o\n"), true);
    assert_eq!(stored(&app, &legal(2)).await, id);
    let start = |viewer: Option<&str>| {
        let mut sent = json!({"id": id, "simulations": 1});
        if let Some(viewer) = viewer {
            sent["viewer"] = json!(viewer);
        }
        let request = TestRequest::post().uri("/v1/analyses").set_payload(sent.to_string());
        request.insert_header(("content-type", "application/json"))
    };
    let of_record = format!("/v1/records/{id}/analysis?simulations=1");
    let unasked = app.send_as("s", TestRequest::get().uri(&of_record)).await;
    unasked.problem(404, "not_found");
    // Its own, whether it says so or not.
    let begun = app.send_as("s", start(None)).await;
    assert!(matches!(begun.status, 200 | 202), "{:?}", begun.body);
    assert_eq!(begun.json()["viewer"], seat);
    let own = format!("/v1/analyses/{}", begun.json()["id"].as_str().unwrap());
    assert_eq!(app.send_as("s", start(Some(seat))).await.json()["id"], begun.json()["id"]);
    for path in [&own, &format!("{own}/plies"), &of_record, &format!("{of_record}&viewer={seat}")] {
        assert_eq!(app.send_as("s", TestRequest::get().uri(path)).await.status, 200, "{path}");
    }
    // No other's, and not a whole record's, whoever began them.
    for viewer in ["referee", "spectator", other] {
        app.send_as("s", start(Some(viewer))).await.problem(403, "forbidden");
        let path = format!("{of_record}&viewer={viewer}");
        app.send_as("s", TestRequest::get().uri(&path)).await.problem(403, "forbidden");
    }
    let whole = app.send_as("all", start(None)).await.json();
    let path = format!("/v1/analyses/{}", whole["id"].as_str().unwrap());
    let nothing = format!("/v1/analyses/{}", "0".repeat(64));
    let mut told = Vec::new();
    for (token, path) in [("s", &path), ("s", &nothing), ("o", &own)] {
        for path in [path.clone(), format!("{path}/plies"), format!("{path}/curve.svg")] {
            let answer = app.send_as(token, TestRequest::get().uri(&path)).await;
            told.push(answer.problem(403, "forbidden")["detail"].clone());
        }
        let answer = app.send_as(token, TestRequest::delete().uri(path)).await;
        told.push(answer.problem(403, "forbidden")["detail"].clone());
    }
    told.dedup();
    assert_eq!(told.len(), 1, "whether there is such an analysis is not told: {told:?}");
    assert!(told[0].as_str().unwrap().contains("analyses"), "{told:?}");
    // Who may only read starts none, and is told so in words that fit.
    let refused = app.send_as("r", start(None)).await.problem(403, "forbidden");
    assert!(refused["detail"].as_str().unwrap().contains("analyses"), "{refused}");
    assert_eq!(app.send_as("s", TestRequest::delete().uri(&own)).await.status, 204);
}

/// A file that a crash has filled with zeros gives nobody access.
#[test]
fn a_damaged_token_file_is_refused() {
    for text in ["\0\0\0\0\0\0\0\0", "read alpha\nwrite be\u{1b}ta\n"] {
        let refused = Tokens::parse(text, false).map(drop).unwrap_err();
        assert!(refused.contains("control characters"), "{refused}");
    }
    assert!(Tokens::parse("read\talpha # a comment\r\n", false).is_ok());
}
