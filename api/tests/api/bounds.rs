//! Work and memory that callers can cause by ill will: each kind has a bound.
//!
//! The tests observe states, counts and bytes, so they do not depend on how busy the machine is.

use std::io::{BufRead, Read};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use actix_web::body::BodySize;
use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service};
use serde_json::{Value, json};
use umpire_api::app::build;
use umpire_api::http::peer::Peer;
use umpire_api::limits::Limits;
use umpire_api::limits::allowance::{Allowances, Holder, Quota};
use umpire_api::limits::cpu::Claim;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::games::GAMES;
use umpire_engine::replay::{self, Include};
use umpire_referee::language::Language;
use umpire_referee::problem::Problem;
use umpire_referee::reading;

use crate::app::{TestApp, game, legal, whole_game};
use crate::client::Server;
use crate::crowd::{crowd, many_worlds};
use crate::stopped::metric;
use crate::tables::{Seated, cut};

/// Work that fills a lane until it is dropped.
struct Full(#[expect(dead_code, reason = "held for its end")] Vec<mpsc::Sender<()>>);

/// Fills every place of a lane.
async fn fill(app: &TestApp, claim: Claim) -> Full {
    let mut held = Vec::new();
    let begun = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for _ in 0..64 {
        let (release, wait) = mpsc::channel::<()>();
        let (service, count) = (app.data(), begun.clone());
        let work = async move {
            let job = move |_: umpire_engine::budget::Budget<'_>| {
                count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                let _ = wait.recv();
                Ok(())
            };
            service.cpu.stream(claim, job).await
        };
        let before = begun.load(std::sync::atomic::Ordering::SeqCst);
        let task = actix_web::rt::spawn(work);
        for _ in 0..100 {
            if begun.load(std::sync::atomic::Ordering::SeqCst) > before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if begun.load(std::sync::atomic::Ordering::SeqCst) == before {
            task.abort();
            break;
        }
        held.push(release);
    }
    assert!(!held.is_empty() && held.len() < 64);
    Full(held)
}

/// The game whose table is largest, with a large table: its record.
fn large() -> Value {
    GAMES.iter().find_map(|game| crowd(game.meta().id, 2000)).unwrap()
}

/// A record with thousands of legal actions.
fn many_actions() -> Value {
    let mut record = GAMES.iter().find_map(|game| crowd(game.meta().id, 4000)).unwrap();
    record["actions"] = json!([]);
    record
}

/// Sends a request, and hangs up before it is answered.
async fn hang_up(app: &TestApp, request: TestRequest) {
    let service = init_service(build(app.data())).await;
    let mut answer = std::pin::pin!(actix_web::test::call_service(&service, request.to_request()));
    let waited = tokio::time::timeout(Duration::from_millis(5), &mut answer).await;
    assert!(waited.is_err(), "it was answered before the caller hung up");
}

#[actix_web::test]
async fn a_change_whose_caller_has_gone_before_it_began_is_dropped() {
    let app = TestApp::new();
    let record = legal(1);
    let table = Seated::of(&app, &record).await;
    let action = &record["actions"][0];
    let token = &table.seats[action["player"].as_str().unwrap()];
    let request = |method: Method, path: &str, body: Value| {
        TestRequest::default()
            .method(method)
            .uri(&format!("/v1/tables/{}{path}", table.id))
            .insert_header(("if-match", "\"0\""))
            .insert_header(("authorization", format!("Bearer {token}")))
            .set_json(body)
    };
    // Somebody else has the table.
    let locked = app.service().tables.lock(table.id.parse().unwrap()).await;
    for _ in 0..20 {
        hang_up(&app, request(Method::POST, "/actions", json!({"action": action}))).await;
    }
    let host = format!("Bearer {}", table.host);
    let delete = request(Method::DELETE, "", json!(null)).insert_header(("authorization", host));
    hang_up(&app, delete).await;
    drop(locked);
    // No place is free.
    let full = fill(&app, Claim::light(Peer::SELF)).await;
    hang_up(&app, request(Method::POST, "/actions", json!({"action": action}))).await;
    drop(full);
    let full = fill(&app, Claim::heavy(Peer::SELF)).await;
    let tables = app.service().tables.count().0;
    hang_up(
        &app,
        TestRequest::post().uri("/v1/tables").set_json(json!({"game": game().meta().id})),
    )
    .await;
    drop(full);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(table.get("", None).await.json()["version"], "0");
    assert_eq!(app.service().tables.count().0, tables);
    assert_eq!(table.act(token, action, "0").await.status, 200);
}

/// What a stream begins with is made where other work is done, not on the threads that answer everybody.
#[actix_web::test]
async fn the_first_event_of_a_stream_waits_for_its_turn() {
    let app = TestApp::limited(Limits { queue_seconds: 0, ..Limits::default() });
    let table = Seated::of(&app, &legal(0)).await;
    let full = fill(&app, Claim::light(Peer::SELF)).await;
    table.get("/stream", None).await.problem(503, "unavailable");
    assert_eq!(app.get("/healthz").await.status, 200);
    drop(full);
}

/// The first event of all watchers with the same viewer and language is the same bytes, which count as an answer does.
#[actix_web::test]
async fn the_first_events_of_streams_are_shared_and_counted() {
    let app = TestApp::new();
    let record = large();
    let table = Seated::of(&app, &record).await;
    let service = app.data();
    let watch = async || {
        table.get("", None).await;
        let locked = service.tables.lock(table.id.parse().unwrap()).await;
        service.tables.watch(&locked, (Observer::Spectator, Language::ENGLISH), None)
    };
    let (_one, first) = watch().await.unwrap();
    let (_other, second) = watch().await.unwrap();
    let (first, second) = (first.unwrap().text, second.unwrap().text);
    assert!(first.len() > 64 << 10, "{}", first.len());
    assert_eq!(first.as_ptr(), second.as_ptr());
    // With another viewer it is another text, for which there has to be memory.
    let all = BodySize::Sized((app.service().limits.answer_memory << 20) - (128 << 10));
    let held = service.memory.part(all).unwrap();
    let locked = service.tables.lock(table.id.parse().unwrap()).await;
    let referee = (Observer::Referee, Language::ENGLISH);
    let refused = service.tables.watch(&locked, referee, None).map(drop).unwrap_err();
    assert_eq!(refused.code(), umpire_api::http::error::Code::Unavailable);
    assert_eq!(service.tables.count().1, 2);
    drop(held);
    assert!(service.tables.watch(&locked, referee, None).is_ok());
}

/// An analysis that is refused is not stored, and those that run can be seen and cancelled.
#[actix_web::test]
async fn an_analysis_that_is_refused_pushes_nothing_out() {
    let app = TestApp::new();
    let record = cut(&whole_game(game().meta().id), 8);
    let ask = |seed: usize| {
        json!({"record": record, "simulations": 20_000, "seed": seed.to_string()}).to_string()
    };
    let mut running = Vec::new();
    // As many as one caller may have, of the four that run.
    for seed in 0..3 {
        let answer = app.post("/v1/analyses", ask(seed)).await;
        assert_eq!(answer.status, 202, "{:?}", answer.body);
        running.push(answer.header("location").to_owned());
    }
    for seed in 3..40 {
        app.post("/v1/analyses", ask(seed)).await.problem(503, "unavailable");
    }
    for path in &running {
        assert_eq!(app.get(path).await.json()["state"], "running");
        assert_eq!(app.send(TestRequest::delete().uri(path)).await.status, 204);
    }
    for path in &running {
        assert_eq!(app.get(path).await.json()["state"], "cancelled");
    }
    let again = app.post("/v1/analyses", ask(39)).await;
    assert_eq!(again.status, 202, "it was not there: {:?}", again.body);
    app.send(TestRequest::delete().uri(again.header("location"))).await;
}

/// The places of texts in a value, as JSON pointers.
fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => found.push(at.to_owned()),
        Value::Array(items) => (0..).zip(items).for_each(|(number, item): (usize, _)| {
            texts(item, &format!("{at}/{number}"), found);
        }),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| texts(field, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// What is kept of an action is the action: neither the blanks around it nor a text of any length.
#[actix_web::test]
async fn what_a_table_keeps_of_an_action_is_bounded() {
    let app = TestApp::new();
    let record = legal(1);
    let table = Seated::of(&app, &record).await;
    let action = record["actions"][0].to_string();
    let token = &table.seats[record["actions"][0]["player"].as_str().unwrap()];
    let act = |text: String| {
        let uri = format!("/v1/tables/{}/actions", table.id);
        let request = TestRequest::post().uri(&uri).insert_header(("if-match", "\"0\""));
        let request = request.insert_header(("idempotency-key", "once"));
        let request = request.insert_header(("content-type", "application/json"));
        app.send_as(token, request.set_payload(format!("{{\"action\": {text}}}")))
    };
    let blanks = action.replacen('{', &format!("{{{}", " ".repeat(1 << 20)), 1);
    assert_eq!(act(blanks).await.status, 200);
    let steps = app.store().find_steps(table.id.parse().unwrap(), 0).unwrap().unwrap();
    assert!(steps[0].text.len() < action.len() + 200, "{}", steps[0].text.len());
    // It is the same action without them.
    assert_eq!(act(action).await.header("idempotency-replayed"), "true");
    let mut told = 0;
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        for (ply, action) in record["actions"].as_array().unwrap().iter().enumerate() {
            let mut found = Vec::new();
            texts(action, "", &mut found);
            let Some(at) = found.first() else { continue };
            let table = Seated::of(&app, &record).await;
            table.play(&record, 0, ply).await;
            let token = &table.seats[action["player"].as_str().unwrap()];
            let mut long = action.clone();
            *long.pointer_mut(at).unwrap() = json!("Ж".repeat(501));
            let refused = table.act(token, &long, &ply.to_string()).await;
            let problem = refused.problem(422, "bad_record");
            assert_eq!(problem["pointer"], format!("/action{at}"));
            *long.pointer_mut(at).unwrap() = json!("Ж".repeat(500));
            let answer = table.act(token, &long, &ply.to_string()).await;
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            told += 1;
            break;
        }
    }
    assert!(told > 0, "no fixture has a text in an action");
}

/// An action that would make the record of a table longer than a record may be is refused, not acknowledged and lost.
#[actix_web::test]
async fn a_table_never_outgrows_its_record() {
    let record = whole_game(game().meta().id);
    let max_body = record["actions"].to_string().len() / 2 + (6 << 10);
    let app = TestApp::limited(Limits { max_body, ..Limits::default() });
    let table = Seated::of(&app, &record).await;
    let mut taken = 0;
    for (ply, action) in record["actions"].as_array().unwrap().iter().enumerate() {
        let token = &table.seats[action["player"].as_str().unwrap()];
        let answer = table.act(token, action, &ply.to_string()).await;
        if answer.status != 200 {
            answer.problem(413, "body_too_large");
            break;
        }
        taken += 1;
    }
    assert!(taken > 0 && taken < record["actions"].as_array().unwrap().len(), "{taken}");
    let sealed = table.post("/seal", Some(&table.host), &json!(null)).await.json();
    let kept = app.get(&format!("/v1/records/{}", sealed["record"].as_str().unwrap())).await;
    assert_eq!(kept.json()["actions"].as_array().unwrap().len(), taken);
    let fits = max_body - (8 << 10)..=max_body;
    assert!(fits.contains(&kept.body.len()), "{} of {max_body}", kept.body.len());
    assert_eq!(app.post("/v1/validate", kept.body).await.status, 200);
}

/// What a question costs does not follow from the length of a record: one with many legal actions is heavy work, and waits
/// with it.
#[actix_web::test]
async fn questions_about_a_short_record_may_be_heavy() {
    let small = legal(1);
    let many = many_actions();
    // By its length, it would be light.
    let inline_bytes = many.to_string().len();
    let app = TestApp::limited(Limits { queue_seconds: 0, inline_bytes, ..Limits::default() });
    let stored = app.post("/v1/records", many.to_string()).await.json();
    let stored = stored["id"].as_str().unwrap();
    let table = Seated::of(&app, &many).await;
    let full = fill(&app, Claim::heavy(Peer::SELF)).await;
    for path in ["/v1/legal-actions", "/v1/scene?targets=true"] {
        assert_eq!(app.post(path, small.to_string()).await.status, 200, "{path}");
        app.post(path, many.to_string()).await.problem(503, "unavailable");
    }
    let scene = format!("/v1/records/{stored}/plies/0/scene?targets=true");
    app.get(&scene).await.problem(503, "unavailable");
    for path in ["/legal-actions", "/scene?targets=true", "?include=legal"] {
        table.get(path, Some(&table.host)).await.problem(503, "unavailable");
    }
    assert_eq!(table.get("", None).await.status, 200);
    drop(full);
    for path in ["/legal-actions", "/scene?targets=true"] {
        let mut answer = table.get(path, Some(&table.host)).await;
        // The places are being given back.
        while answer.status == 503 {
            answer = table.get(path, Some(&table.host)).await;
        }
        assert_eq!(answer.status, 200);
    }
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

fn unzstd(bytes: &[u8]) -> Vec<u8> {
    zstd::decode_all(bytes).unwrap()
}

/// Compressing an answer takes memory as well, and no coding is offered that takes much time.
#[actix_web::test]
async fn compressing_an_answer_is_cheap_and_counted() {
    let app = TestApp::new();
    let mut record = legal(1);
    record["meta"] = json!({"story": "and so on ".repeat(20_000)});
    let stored = app.post("/v1/records", record.to_string()).await.json();
    let path = format!("/v1/records/{}", stored["id"].as_str().unwrap());
    let ask = |coding: &'static str| {
        app.send(TestRequest::get().uri(&path).insert_header(("accept-encoding", coding)))
    };
    for (accepted, coding) in
        [("br", None), ("br, gzip;q=0.5", Some("gzip")), ("zstd", Some("zstd"))]
    {
        let answer = ask(accepted).await;
        assert_eq!(answer.status, 200);
        let given = answer.headers.get("content-encoding").map(|it| it.to_str().unwrap());
        assert_eq!(given, coding, "{accepted}");
    }
    // A long answer waits for its turn to be compressed, as other work does, and then it is short.
    let full = fill(&app, Claim::light(Peer::SELF)).await;
    let waits = tokio::time::timeout(Duration::from_millis(300), ask("gzip")).await;
    assert!(waits.is_err());
    drop(full);
    for (coding, open) in [("gzip", gunzip as fn(&[u8]) -> Vec<u8>), ("zstd", unzstd)] {
        let answer = ask(coding).await;
        assert!(answer.body.len() < 20_000, "{coding}: {}", answer.body.len());
        assert_eq!(open(&answer.body), ask("identity").await.body, "{coding}");
    }
    // There is memory for the answer, but not for compressing it.
    let all = app.service().limits.answer_memory << 20;
    let held = app.service().memory.part(BodySize::Sized(all - (300 << 10))).unwrap();
    assert_eq!(ask("identity").await.status, 200);
    assert_eq!(ask("gzip").await.status, 503);
    assert_eq!(ask("zstd").await.status, 503);
    drop(held);
    assert_eq!(ask("zstd").await.status, 200);
}

/// A short record with many large worlds.
fn worlds() -> Value {
    GAMES.iter().find_map(|game| many_worlds(game.meta().id, 4000)).unwrap()
}

/// A line of a stream may take as long as a request, and the next one is answered.
#[actix_web::test]
async fn a_line_of_a_stream_has_the_limits_of_a_request() {
    let app = TestApp::limited(Limits { work_seconds: 1, ..Limits::default() });
    let lines = crate::app::ndjson(&[worlds(), legal(2)]);
    for path in ["/v1/validate", "/v1/records"] {
        let answer = app.post_as("application/x-ndjson", path, lines.clone()).await.lines();
        let code = if path == "/v1/records" { "bad_record" } else { "unavailable" };
        assert_eq!((&answer[0]["code"], &answer[0]["line"]), (&json!(code), &json!(1)), "{path}");
        assert!(answer[1]["code"].is_null() && answer[1]["line"].is_null(), "{}", answer[1]);
        assert_eq!(answer[2]["summary"]["records"], 2);
    }
}

/// A caller who has sent more than was read hangs up: the work for him ends, though the end of what he sent is not seen.
#[test]
#[cfg(target_os = "linux")]
fn who_hangs_up_amid_a_stream_is_noticed() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &["--work-seconds", "600"]);
    let working = || {
        let (_, text) = server.connect().get("/metrics").unwrap();
        let text = String::from_utf8(text).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("umpire_work_running "));
        line.unwrap() != "0"
    };
    let wait = |until: bool| {
        for _ in 0..2_000 {
            if working() == until {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("working: {}", !until);
    };
    let lines = format!("{}\n", worlds()).repeat(8);
    let mut caller = server.connect();
    caller.post_lines("/v1/validate", lines.as_bytes()).unwrap();
    wait(true);
    drop(caller);
    wait(false);
}

/// Worlds of a record with unknowns take memory in proportion to the position: there are fewer of large ones.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_for_worlds_is_bounded() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &["--work-seconds", "10"]);
    let record = worlds().to_string();
    let (status, _) = server.connect().post("/v1/validate", record.as_bytes()).unwrap();
    assert!([200, 503].contains(&status), "{status}");
    let used = most_memory(&server);
    assert!(used < 512 << 10, "{used} kB");
}

/// The most memory that a server has had so far, in kB.
#[cfg(target_os = "linux")]
fn most_memory(server: &Server) -> u64 {
    let path = format!("/proc/{}/status", server.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A table at which only programs play, and the CPU time that work has taken so far.
async fn only_programs<'a>(app: &'a TestApp, record: &Value, search: u32) -> Seated<'a> {
    let id = record["game"].as_str().unwrap();
    let mut request = json!({"game": id, "players": {}});
    for field in ["options", "position"] {
        if !record[field].is_null() {
            request[field] = record[field].clone();
        }
    }
    for seat in record["players"].as_object().into_iter().flatten() {
        request["players"][seat.0] = json!({"search": search});
    }
    Seated::new(app, &request).await
}

/// Waits until something is so.
async fn until(what: &str, mut is: impl AsyncFnMut() -> bool) {
    for _ in 0..6_000 {
        if is().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// The work of programs is charged to the request that made the table, measured, and stopped when the table is deleted.
#[actix_web::test]
async fn programs_work_at_the_cost_of_somebody_and_end_with_their_table() {
    let app =
        TestApp::limited(Limits { work_seconds: 600, ..Limits::default() }).change(|service| {
            service.allowances = Allowances::new(Quota { requests: None, cpu: Some(1) });
        });
    let whole = whole_game(game().meta().id);
    let table = only_programs(&app, &whole, 20_000).await;
    let working = || metric(&app, "umpire_work_running") > 0.0;
    until("a program thinks", async || working()).await;
    let host = Some(table.host.as_str());
    assert_eq!(table.ask(Method::DELETE, "", host, None).await.status, 204);
    until("it stops", async || !working()).await;
    // With fewer simulations they play on, until the quota of their maker is used up.
    let account = app.service().allowances.account(Holder::Address(Peer::SELF), Instant::now());
    let _table = only_programs(&app, &whole, 5_000).await;
    until("it is used up", async || !account.debt(Instant::now()).is_zero()).await;
}

/// A decision takes no longer than a request may: a program that would think longer thinks less.
#[actix_web::test]
async fn a_program_decides_within_the_limit_of_a_request() {
    let app = TestApp::limited(Limits { work_seconds: 1, ..Limits::default() });
    let table = only_programs(&app, &whole_game(game().meta().id), 20_000).await;
    until("an action", async || {
        let locked = app.service().tables.lock(table.id.parse().unwrap()).await;
        locked.table.as_ref().is_some_and(|table| table.ply() > 0)
    })
    .await;
    let host = Some(table.host.as_str());
    assert_eq!(table.ask(Method::DELETE, "", host, None).await.status, 204);
}

/// Streams have a share of the connections of an address, and make room for others when no connection is idle.
#[test]
fn streams_keep_nobody_out() {
    let folder = tempfile::TempDir::new().unwrap();
    let few = ["--connections", "4", "--connections-per-peer", "4"];
    let server = Server::start(&folder.path().join("records.sqlite"), &few);
    let request = json!({"game": game().meta().id}).to_string();
    let (status, made) = server.connect().post("/v1/tables", request.as_bytes()).unwrap();
    assert_eq!(status, 201);
    let made: Value = serde_json::from_slice(&made).unwrap();
    let path = format!("/v1/tables/{}/stream", made["table"]["id"].as_str().unwrap());
    let ask = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let stream = || {
        let mut connection = server.connect();
        connection.write(ask.as_bytes()).unwrap();
        let (status, _) = connection.head().unwrap();
        (status, connection)
    };
    let (mut first, mut second) = (stream(), stream());
    assert_eq!((first.0, second.0, stream().0), (200, 200, 503));
    // Two requests whose bodies are still to come take the other places.
    let slow =
        b"POST /v1/validate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
        content-length: 10\r\nexpect: 100-continue\r\n\r\n";
    let mut held = Vec::new();
    for _ in 0..2 {
        let mut connection = server.connect();
        connection.write(slow).unwrap();
        let mut line = String::new();
        connection.reader.read_line(&mut line).unwrap();
        assert!(line.contains("100"), "{line}");
        held.push(connection);
    }
    // Whoever comes now is served: the oldest stream ends, the other goes on.
    assert_eq!(server.connect().get("/healthz").unwrap().0, 200);
    let mut rest = Vec::new();
    first.1.reader.read_to_end(&mut rest).unwrap();
    assert!(!second.1.chunk().unwrap().is_empty());
}

/// A report with all states is refused, not made, if it would be too long.
#[test]
fn a_report_with_all_states_is_bounded() {
    let most = umpire_referee::limits::Limits::DEFAULT.engine(Budget::UNLIMITED).part;
    assert_eq!(most, 32 << 20);
    let text = legal(8).to_string();
    let report = |states: usize| {
        reading::with_record(text.as_bytes(), |submission| {
            let include = Include { states: true, ..Include::default() };
            let limits = replay::Limits { part: states, ..replay::Limits::default() };
            let query = replay::Query { include, limits, ..replay::Query::default() };
            Ok::<_, Problem>(submission.replay(&query)?)
        })
    };
    let whole = report(usize::MAX).unwrap();
    let states = whole.states.unwrap();
    assert_eq!(states.len(), 9);
    let length: usize = states.iter().map(|it| it.state.get().len()).sum();
    assert!(report(length).is_ok());
    let refused = report(length - 1).unwrap_err();
    assert_eq!(refused.code, umpire_api::http::error::Code::TooManyActions);
    assert!(refused.detail.contains(&(length - 1).to_string()), "{}", refused.detail);
}

/// Exports that nobody reads hold few records, however long those are.
#[test]
#[cfg(target_os = "linux")]
fn exports_that_nobody_reads_are_bounded() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::start(&folder.path().join("records.sqlite"), &[]);
    let mut mine = server.connect();
    let mut record = legal(1);
    for number in 0..20 {
        record["meta"] = json!({"story": format!("{number}{}", "and so on ".repeat(400_000))});
        let (status, _) = mine.post("/v1/records", record.to_string().as_bytes()).unwrap();
        assert_eq!(status, 201);
    }
    let before = most_memory(&server);
    let ask =
        b"GET /v1/records HTTP/1.1\r\nhost: localhost\r\naccept: application/x-ndjson\r\n\r\n";
    let mut unread = Vec::new();
    for _ in 0..4 {
        let mut connection = server.connect();
        connection.write(ask).unwrap();
        assert_eq!(connection.head().unwrap().0, 200);
        unread.push(connection);
    }
    // The next one is refused at once; by then the others hold what they will.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(server.connect().export().unwrap().0, 503);
    let more = most_memory(&server) - before;
    assert!(more < 128 << 10, "{more} kB");
}
