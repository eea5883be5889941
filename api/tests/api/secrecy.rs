//! What somebody finds out who knows a whole game but one hidden card: with a token of a seat, nothing.
//!
//! The attack is a script that tries every card. What is asserted of a protected server is first shown
//! to work against an open one, so that none of these tests passes for nothing.

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::auth::names::Names;
use umpire_api::auth::secrets::Secret;
use umpire_api::auth::tokens::Tokens;
use umpire_api::limits::Limits;
use umpire_engine::replay::answer::ENGINE;

use crate::app::{Answer, TestApp, game, legal, numbered};
use crate::client::Server;

/// Records that differ in one card and that a viewer cannot tell apart: what really happened is any
/// of them.
pub(crate) struct Worlds {
    pub(crate) viewer: &'static str,
    pub(crate) records: Vec<Value>,
    /// The ids that their content gives them.
    ids: Vec<String>,
}

/// What a viewer is shown of a record, if it is legal.
async fn shown(app: &TestApp, record: &Value, viewer: &str) -> Option<Value> {
    let path = format!("/v1/replay?include=events,states&viewer={viewer}");
    let report = app.post(&path, record.to_string()).await.json();
    (report["verdict"]["status"] == "in_progress").then_some(report)
}

/// The same record on a tape.
async fn taped(app: &TestApp, mut record: Value) -> Value {
    let report = app.post("/v1/replay?include=tape", record.to_string()).await.json();
    record["chance"] = json!({"tape": report["tape"]});
    record
}

impl Worlds {
    pub(crate) async fn find() -> Self {
        let app = TestApp::new();
        let mut deals = Vec::new();
        for seed in 0..80 {
            deals.push(taped(&app, numbered(seed)).await);
        }
        // What happened: some decisions have been made, so that there is something to see.
        let truth = taped(&app, legal(4)).await;
        let entries = deals[0]["chance"]["tape"].as_array().unwrap().len();
        for at in 0..entries {
            for viewer in game().meta().seats.iter().copied() {
                let first = shown(&app, &truth, viewer).await;
                assert!(first.is_some());
                let mut records = vec![truth.clone()];
                for deal in &deals {
                    let mut other = truth.clone();
                    other["chance"]["tape"][at] = deal["chance"]["tape"][at].clone();
                    if !records.contains(&other) && shown(&app, &other, viewer).await == first {
                        records.push(other);
                    }
                }
                if records.len() >= 8 {
                    let mut ids = Vec::new();
                    for record in &records {
                        let stored = app.post("/v1/records", record.to_string()).await;
                        ids.push(stored.json()["id"].as_str().unwrap().to_owned());
                    }
                    return Worlds { viewer, records, ids };
                }
            }
        }
        panic!("no card is hidden from anybody")
    }

    /// How many of the ids that a script can make of the records it thinks possible are this one.
    fn hits(&self, id: &str) -> usize {
        self.ids.iter().filter(|candidate| *candidate == id).count()
    }

    /// How many of the tags that a script can make, with the program's source at hand, are this one.
    fn tag_hits(&self, question: &str, tag: &str) -> usize {
        let tag = tag.trim_matches('"');
        let texts = self.records.iter().map(kept);
        let tries = texts.flat_map(|text| {
            let eyes = ["AnyOr(Spectator)".to_owned(), format!("Only({:?})", self.viewer)];
            (0..20).flat_map(move |generation| {
                let text = text.clone();
                eyes.clone().into_iter().map(move |eyes| {
                    let question = format!("{ENGINE}\n{generation}\n{eyes}\n{question}\n\n");
                    Names::open().tag(&question, &text)
                })
            })
        });
        tries.filter(|candidate| candidate == tag).count()
    }
}

/// A record as a store keeps it.
fn kept(record: &Value) -> String {
    let mut record = record.clone();
    record["ruleset"] = json!(game().meta().ruleset());
    serde_json_canonicalizer::to_string(&record).unwrap()
}

fn key() -> Secret {
    Secret::parse(&"0b".repeat(32)).unwrap()
}

/// The id of a content under the key.
fn private(id: &str) -> String {
    Names::private(&key()).outside(&id.parse().unwrap()).to_string()
}

fn submit(record: &Value) -> TestRequest {
    TestRequest::post().uri("/v1/records").set_json(record)
}

fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}

/// A server with private ids on which a record is stored that one seat may look at. There its id is
/// `private(id)`.
async fn club(worlds: &Worlds, at: usize) -> TestApp {
    let id = private(&worlds.ids[at]);
    let app = TestApp::private(&format!("admin all\nseat={}@{id} seat", worlds.viewer), &key());
    let stored = app.send_as("all", submit(&worlds.records[at])).await;
    assert_eq!((stored.status, stored.json()["id"].as_str()), (201, Some(id.as_str())));
    app
}

#[actix_web::test]
async fn no_script_finds_the_card_by_the_id() {
    let worlds = Worlds::find().await;
    // An open server gives the card away.
    let open = TestApp::new();
    open.post("/v1/records", worlds.records[3].to_string()).await;
    let list = open.get("/v1/records").await.json();
    assert_eq!(worlds.hits(list["records"][0]["id"].as_str().unwrap()), 1);
    let app = club(&worlds, 3).await;
    let list = app.send_as("all", get("/v1/records")).await.json();
    let id = list["records"][0]["id"].as_str().unwrap();
    assert_eq!(id, private(&worlds.ids[3]));
    assert_eq!(worlds.hits(id), 0);
    // The seat has that id, and what it is shown under it says no other.
    let report = app.send_as("seat", get(&format!("/v1/records/{id}/report"))).await;
    assert_eq!((report.status, report.json()["viewer"].as_str()), (200, Some(worlds.viewer)));
}

#[actix_web::test]
async fn no_script_finds_the_card_by_a_tag() {
    let worlds = Worlds::find().await;
    let record = &worlds.records[3];
    let open = TestApp::new();
    open.post("/v1/records", record.to_string()).await;
    let path = format!("/v1/records/{}/report", worlds.ids[3]);
    let tag = open.get(&path).await.header("etag").to_owned();
    assert_eq!(worlds.tag_hits(&path, &tag), 1, "an open server gives the card away");
    // Nor where ids are those of the content: whoever has not got the id learns nothing from a tag.
    let line = format!("admin all\nseat={}@{} seat", worlds.viewer, worlds.ids[3]);
    let tokens = Tokens::parse(&line, true).unwrap();
    let guarded = TestApp::with(Limits::default(), Some(tokens), &[]);
    guarded.send_as("all", submit(record)).await;
    let app = club(&worlds, 3).await;
    let private = format!("/v1/records/{}/report", private(&worlds.ids[3]));
    for (app, path) in [(&guarded, &path), (&app, &private)] {
        let answer = app.send_as("seat", get(path)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(worlds.tag_hits(path, answer.header("etag")), 0, "{path}");
        let again = get(path).insert_header(("if-none-match", answer.header("etag")));
        assert_eq!(app.send_as("seat", again).await.status, 304);
    }
}

/// What is left of an answer when what is its own by chance is taken out.
fn told(answer: &Answer, id: &str) -> (u16, Vec<String>, String) {
    let own = ["etag", "x-request-id", "server-timing"];
    let headers = answer.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    let mut headers: Vec<String> =
        headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    headers.sort();
    let body = String::from_utf8_lossy(&answer.body).replace(id, "ID");
    (answer.status, headers, body)
}

/// Everything that the holder of a seat's token can ask, asked in two worlds that it cannot tell
/// apart: the answers are the same, byte for byte.
#[actix_web::test]
async fn a_seat_cannot_tell_two_worlds_apart_whatever_it_asks() {
    let worlds = Worlds::find().await;
    let mut answers: Vec<Vec<(u16, Vec<String>, String)>> = Vec::new();
    for at in [0, 3] {
        let app = club(&worlds, at).await;
        let id = private(&worlds.ids[at]);
        let mut told_here = Vec::new();
        let mut asks: Vec<TestRequest> = Vec::new();
        for rest in [
            "",
            "/report",
            "/report?include=events,states,explain,tape,fingerprints,chapters",
            "/report?viewer=referee",
            "/plies/0",
            "/plies/3",
            "/events",
            "/legal-actions",
            "/legal-actions?count_only=true",
        ] {
            asks.push(get(&format!("/v1/records/{id}{rest}")));
        }
        for list in ["/v1/records", "/v1/records?limit=1", "/v1/impacts/0", "/metrics"] {
            asks.push(get(list));
            asks.push(get(list).insert_header(("accept", "application/x-ndjson")));
        }
        asks.push(TestRequest::post().uri("/v1/impacts").set_json(json!({})));
        asks.push(TestRequest::delete().uri(&format!("/v1/records/{id}")));
        // Every guess: submitted, deleted, looked for by its content's id, compared with what is stored.
        for (record, content) in worlds.records.iter().zip(&worlds.ids) {
            asks.push(submit(record));
            asks.push(TestRequest::delete().uri(&format!("/v1/records/{content}")));
            asks.push(get(&format!("/v1/records/{content}/report")));
            let comparison = json!({"record": record, "other_id": id});
            asks.push(TestRequest::post().uri("/v1/compare").set_json(comparison));
            for viewer in [worlds.viewer, "referee", "spectator"] {
                let analysis = json!({"record": record, "viewer": viewer, "simulations": 20});
                asks.push(TestRequest::post().uri("/v1/analyses").set_json(analysis));
            }
        }
        let hint = json!({"id": id, "ply": 1, "simulations": 40});
        asks.push(TestRequest::post().uri("/v1/hint").set_json(hint));
        let odds = json!({"id": id, "ply": 0, "action": legal(1)["actions"][0]});
        asks.push(TestRequest::post().uri("/v1/odds").set_json(odds));
        asks.push(get(&format!("/v1/records/{id}/analysis")));
        for path in ["/v1/adjudicate", "/v1/repair", "/v1/remedy"] {
            asks.push(TestRequest::post().uri(path).set_json(json!({"id": id})));
        }
        let explain = json!({"id": id, "ply": 0});
        asks.push(TestRequest::post().uri("/v1/explain").set_json(explain));
        for action in [json!({}), legal(1)["actions"][0].clone()] {
            let why = json!({"id": id, "action": action});
            asks.push(TestRequest::post().uri("/v1/why-not").set_json(why));
        }
        for ask in asks {
            told_here.push(told(&app.send_as("seat", ask).await, &id));
        }
        told_here.extend(analysed(&app, &id).await);
        answers.push(told_here);
    }
    let seen = answers[0].iter().filter(|(status, ..)| *status == 200).count();
    assert!(seen >= 8, "{seen} of {} questions are answered", answers[0].len());
    for (one, other) in answers[0].iter().zip(&answers[1]) {
        assert_eq!(one, other);
    }
}

/// A seat that brings its record, hidden cards guessed, gets the same refusal whether it guessed right or not.
#[actix_web::test]
async fn an_analysis_does_not_tell_whether_a_guess_is_right() {
    let worlds = Worlds::find().await;
    let app = club(&worlds, 3).await;
    let ask =
        |record: &Value| json!({"record": record, "viewer": worlds.viewer, "simulations": 20});
    let analyse = |body: Value| TestRequest::post().uri("/v1/analyses").set_json(body);
    for record in &worlds.records {
        let refused = app.send_as("seat", analyse(ask(record))).await;
        refused.problem(403, "forbidden");
    }
    // By its id it may, and whoever may read everything may bring what they like.
    let own = json!({"id": private(&worlds.ids[3]), "simulations": 20});
    assert_eq!(app.send_as("seat", analyse(own)).await.status, 202);
    assert_eq!(app.send_as("all", analyse(ask(&worlds.records[5]))).await.status, 202);
}

/// What a seat is told of the analysis of a record, once it is done. Its id is made of the record's, so it is the service's
/// own name for it, as secret as that.
async fn analysed(app: &TestApp, id: &str) -> Vec<(u16, Vec<String>, String)> {
    let asked = json!({"id": id, "simulations": 20});
    let begin = || TestRequest::post().uri("/v1/analyses").set_json(asked.clone());
    let begun = app.send_as("seat", begin()).await.json();
    let own = begun["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/analyses/{own}");
    while app.send_as("seat", get(&path)).await.json()["state"] == "running" {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let (plies, curve) = (format!("{path}/plies"), format!("{path}/curve.svg"));
    let of_record = format!("/v1/records/{id}/analysis?simulations=20");
    let mut found = Vec::new();
    let asks = [begin(), get(&path), get(&plies), get(&curve), get(&of_record)];
    for ask in asks {
        let (status, headers, body) = told(&app.send_as("seat", ask).await, id);
        assert_eq!(status, 200, "{body}");
        let hidden = |text: String| text.replace(&own, "ANALYSIS");
        found.push((status, headers.into_iter().map(hidden).collect(), hidden(body)));
    }
    found
}

/// The id of the content would tell as much as ever if any answer showed it, to anybody.
#[actix_web::test]
async fn no_answer_of_a_private_server_shows_the_id_of_a_content() {
    let app = TestApp::private("admin all", &key());
    let (mut content, mut answers) = (Vec::new(), Vec::new());
    for seed in 0..3 {
        let open = TestApp::new().post("/v1/records", numbered(seed).to_string()).await;
        content.push(open.json()["id"].as_str().unwrap().to_owned());
        answers.push(app.send_as("all", submit(&numbered(seed))).await);
        answers.push(app.send_as("all", submit(&numbered(seed))).await);
    }
    let lines: String = (0..5).map(|seed| format!("{}\n", numbered(seed))).collect();
    let lines = TestRequest::post().uri("/v1/records").set_payload(lines);
    let lines = lines.insert_header(("content-type", "application/x-ndjson"));
    answers.push(app.send_as("all", lines).await);
    assert_eq!(answers.last().unwrap().lines().len(), 6);
    answers.push(app.send_as("all", get("/v1/records")).await);
    assert_eq!(answers.last().unwrap().json()["records"].as_array().unwrap().len(), 5);
    let reading = json!({"reading": {"rulings": first_ruling()}});
    let job = app.send_as("all", TestRequest::post().uri("/v1/impacts").set_json(reading)).await;
    assert_eq!(job.status, 202, "{:?}", job.body);
    let job = format!("{}/changes", job.header("location"));
    answers.push(app.send_as("all", get(&job)).await);
    for id in &content {
        let id = private(id);
        for rest in ["", "/report?viewer=referee", "/plies/0", "/plies/999", "/events"] {
            answers.push(app.send_as("all", get(&format!("/v1/records/{id}{rest}"))).await);
        }
        let delete = || TestRequest::delete().uri(&format!("/v1/records/{id}"));
        answers.push(app.send_as("all", delete()).await);
        answers.push(app.send_as("all", delete()).await);
        assert_eq!(answers.last().unwrap().status, 404);
    }
    for answer in &answers {
        let whole = format!("{:?} {}", answer.headers, String::from_utf8_lossy(&answer.body));
        assert!(content.iter().all(|id| !whole.contains(id)), "{whole}");
    }
}

/// Another reading of the first ruling.
fn first_ruling() -> Value {
    let ruling = &game().rulings()[0];
    json!({ ruling.id: ruling.values[1] })
}

#[actix_web::test]
async fn what_is_stored_is_found_by_its_private_id_only() {
    let app = TestApp::private("admin all", &key());
    let content = TestApp::new().post("/v1/records", legal(2).to_string()).await;
    let content = content.json()["id"].as_str().unwrap().to_owned();
    let stored = app.send_as("all", submit(&legal(2))).await;
    let id = private(&content);
    assert_eq!(stored.header("location"), format!("/v1/records/{id}"));
    let record = app.send_as("all", get(&format!("/v1/records/{id}"))).await;
    assert_eq!(blake3::hash(&record.body).to_hex().as_str(), content);
    let missing = app.send_as("all", get(&format!("/v1/records/{content}"))).await;
    missing.problem(404, "not_found");
    // Whoever may submit may read everything, and is told whether a record is new.
    let again = app.send_as("all", submit(&legal(2))).await;
    assert_eq!((again.status, again.json()["new"].as_bool()), (200, Some(false)));
    assert_eq!(again.json()["id"], id);
}

/// The job finds changes under the names that callers know.
#[actix_web::test]
async fn an_impact_names_records_as_callers_know_them() {
    let app = TestApp::private("admin all", &key());
    app.send_as("all", submit(&legal(2))).await;
    let list = app.send_as("all", get("/v1/records")).await.json();
    let id = list["records"][0]["id"].as_str().unwrap().to_owned();
    // What the store says is made wrong, so that there is a change to show.
    let found = Names::private(&key()).inside(&id.parse().unwrap());
    let stored = app.store().find(&found).unwrap().unwrap();
    let mut summary = stored.summary;
    summary.plies += 1;
    let record = umpire_api::store::NewRecord { id: found, record: stored.record, summary };
    app.store().delete(&found).await.unwrap();
    app.store().insert(vec![record]).await.unwrap();
    let job = app.send_as("all", TestRequest::post().uri("/v1/impacts").set_json(json!({}))).await;
    let path = job.header("location").to_owned();
    for _ in 0..500 {
        if app.send_as("all", get(&path)).await.json()["state"] != "running" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let changes = app.send_as("all", get(&format!("{path}/changes"))).await.json();
    assert_eq!(changes["changes"][0]["id"], id, "{changes}");
}

/// A request of a process to a server, with a token.
fn ask(server: &Server, token: &str, head: &str, body: &str) -> (u16, String) {
    let mut connection = server.connect();
    let request = format!(
        "{head} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write(request.as_bytes()).unwrap();
    let (status, body) = connection.answer().unwrap();
    (status, String::from_utf8(body).unwrap())
}

/// A store that was there before gets private ids, and keeps them over a restart; without the key
/// they are as they were.
#[test]
fn a_store_can_be_given_private_ids_and_keeps_them() {
    let folder = TempDir::new().unwrap();
    let (store, file) = (folder.path().join("umpire.sqlite"), folder.path().join("ids.key"));
    let tokens = folder.path().join("tokens").display().to_string();
    let key = file.display().to_string();
    let made = crate::cli::umpire(&["token", "new", "--admin", "--file", &tokens], "");
    let token = crate::cli::out(&made).trim().to_owned();
    let id_of = |answer: &str| {
        let answer: Value = serde_json::from_str(answer).unwrap();
        answer["records"][0]["id"].as_str().unwrap().to_owned()
    };
    let open = Server::start(&store, &[]);
    let record = legal(2).to_string();
    assert_eq!(ask(&open, "", "POST /v1/records", &record).0, 201);
    let content = id_of(&ask(&open, "", "GET /v1/records", "").1);
    drop(open);
    let guarded =
        ["--token-file", &tokens, "--protect-reading", "--private-ids", &key].map(str::to_owned);
    let guarded: Vec<&str> = guarded.iter().map(String::as_str).collect();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let server = Server::start(&store, &guarded);
        assert_eq!(ask(&server, "", "GET /v1/records", "").0, 401);
        let id = id_of(&ask(&server, &token, "GET /v1/records", "").1);
        let (status, found) = ask(&server, &token, &format!("GET /v1/records/{id}"), "");
        assert_eq!(
            (status, serde_json::from_str::<Value>(&found).unwrap()["game"].as_str()),
            (200, Some(game().meta().id))
        );
        assert_eq!(ask(&server, &token, &format!("GET /v1/records/{content}"), "").0, 404);
        assert_eq!(ask(&server, &token, "POST /v1/records", &record).0, 200);
        ids.push(id);
    }
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], content);
    let server = Server::start(&store, &[]);
    assert_eq!(id_of(&ask(&server, "", "GET /v1/records", "").1), content);
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept.trim().len(), 64);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for file in [&file, &folder.path().join("tokens")] {
            assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
