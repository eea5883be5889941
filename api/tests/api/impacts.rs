//! `/v1/impacts`: what another reading changes in the stored records.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use umpire_api::auth::tokens::Tokens;
use umpire_api::jobs::change::{self, Found, ImpactKind, ImpactStand};
use umpire_api::limits::Limits;
use umpire_conformance::embedded;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{Class, ReadingChoice};
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game, legal, ndjson, numbered};
#[cfg(unix)]
use crate::client::Server;

const NDJSON: &str = "application/x-ndjson";

/// A ruling and the reading that changes something in the fixtures of its game.
#[derive(Clone)]
pub(crate) struct Flip {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) ruling: &'static str,
    pub(crate) value: &'static str,
    /// Records that it changes, then some that it does not.
    pub(crate) records: Vec<Value>,
    /// How many it changes.
    pub(crate) changed: usize,
}

/// For each game, the first ruling that changes one of its fixtures.
pub(crate) fn flips() -> &'static [Flip] {
    static FLIPS: LazyLock<Vec<Flip>> =
        LazyLock::new(|| GAMES.iter().map(|it| flip(*it)).collect());
    &FLIPS
}

fn flip(game: &'static dyn AnyGame) -> Flip {
    let limits = umpire_engine::replay::Limits::default();
    for def in game.rulings() {
        for value in def.values {
            let rulings = BTreeMap::from([(def.id.to_owned(), (*value).to_owned())]);
            let reading = ReadingChoice { rulings, ..ReadingChoice::default() };
            let (mut changed, mut same) = (Vec::new(), Vec::new());
            for record in embedded::records(game.meta().id) {
                match change::of(record.get().as_bytes(), None, Some(&reading), limits) {
                    Ok(Found::Changed(_)) if changed.len() < 3 => {
                        changed.push(serde_json::from_str(record.get()).unwrap());
                    }
                    Ok(Found::Unchanged(_)) if same.len() < 3 => {
                        same.push(serde_json::from_str(record.get()).unwrap());
                    }
                    _ => {}
                }
            }
            if !changed.is_empty() && !same.is_empty() {
                let count = changed.len();
                changed.extend(same);
                let (ruling, records) = (def.id, changed);
                return Flip { game, ruling, value, records, changed: count };
            }
        }
    }
    panic!("no ruling of {} changes a fixture", game.meta().id)
}

/// A store with the records of a flip, and its ids, the latest first.
async fn stored(records: &[Value]) -> (TestApp, Vec<String>) {
    let app = TestApp::new();
    let mut ids = Vec::new();
    for record in records {
        let answer = app.post("/v1/records?accept=any", record.to_string()).await;
        assert!(matches!(answer.status, 200 | 201), "{:?}", answer.body);
        let id = answer.json()["id"].as_str().unwrap().to_owned();
        if answer.status == 201 {
            ids.insert(0, id);
        }
    }
    (app, ids)
}

async fn start(app: &TestApp, asked: &Value) -> String {
    let answer = app.post("/v1/impacts", asked.to_string()).await;
    assert_eq!(answer.status, 202, "{:?}", answer.body);
    let path = answer.header("location").to_owned();
    assert_eq!(path, format!("/v1/impacts/{}", answer.json()["id"].as_str().unwrap()));
    path
}

/// Looks at a job until it has ended.
async fn ended(app: &TestApp, path: &str) -> Value {
    loop {
        let shown = app.get(path).await.json();
        if shown["state"] != "running" {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn changes(app: &TestApp, path: &str) -> Vec<Value> {
    app.get(&format!("{path}/changes?limit=500")).await.json()["changes"]
        .as_array()
        .unwrap()
        .clone()
}

fn reading(flip: &Flip) -> Value {
    json!({"rulings": {flip.ruling: flip.value}})
}

#[actix_web::test]
async fn a_reading_changes_some_stored_records_and_says_why() {
    for flip in flips() {
        let (app, ids) = stored(&flip.records).await;
        let path = start(&app, &json!({"reading": reading(flip)})).await;
        let shown = ended(&app, &path).await;
        assert_eq!(shown["state"], "done", "{shown}");
        assert_eq!(shown["next"], Value::Null);
        assert_eq!(shown["truncated"], false);
        assert_eq!(shown["reading"], reading(flip));
        assert_eq!(shown["progress"], json!({"looked": ids.len(), "of": ids.len()}));
        let counts = &shown["counts"];
        assert_eq!(counts["records"], ids.len());
        assert_eq!(counts["changed"], flip.changed);
        assert_eq!(counts["unchanged"], ids.len() - flip.changed);
        let changes = changes(&app, &path).await;
        assert_eq!(changes.len(), flip.changed);
        let places = changes.iter().map(|it| ids.iter().position(|id| it["id"] == **id).unwrap());
        assert!(places.is_sorted(), "in the order of the list");
        for change in &changes {
            assert_eq!(change["game"], flip.game.meta().id);
            assert_eq!(change["rules"][0]["id"], flip.ruling);
            assert!(!change["changes"].as_array().unwrap().is_empty());
        }
        // The same question has the same answer, also a line each.
        let again = start(&app, &json!({"reading": reading(flip)})).await;
        ended(&app, &again).await;
        let request = TestRequest::get().uri(&format!("{again}/changes"));
        let lines = app.send(request.insert_header(("accept", NDJSON))).await;
        assert_eq!(lines.header("content-type"), NDJSON);
        assert_eq!(lines.lines(), changes);
    }
}

#[actix_web::test]
async fn records_of_other_games_are_not_concerned_unless_they_are_left_out() {
    let all: Vec<Value> = flips().iter().flat_map(|flip| flip.records.clone()).collect();
    let (app, ids) = stored(&all).await;
    let flip = &flips()[0];
    let own = flip.records.len();
    let path = start(&app, &json!({"reading": reading(flip)})).await;
    let shown = ended(&app, &path).await;
    assert_eq!(shown["counts"]["not_concerned"], ids.len() - own);
    assert_eq!(shown["counts"]["changed"], flip.changed);
    let filter = json!({"game": flip.game.meta().id});
    let path = start(&app, &json!({"reading": reading(flip), "filter": filter.clone()})).await;
    let shown = ended(&app, &path).await;
    assert_eq!(shown["counts"]["records"], own);
    assert_eq!(shown["progress"]["of"], own);
    assert_eq!(shown["filter"], filter);
    // A reading may be about several games; each record is looked at under its own part.
    let rulings: Value = flips().iter().map(|it| (it.ruling.to_owned(), json!(it.value))).collect();
    let path = start(&app, &json!({"reading": {"rulings": rulings}})).await;
    let shown = ended(&app, &path).await;
    assert_eq!(shown["counts"]["not_concerned"], 0);
    let changed: usize = flips().iter().map(|flip| flip.changed).sum();
    assert_eq!(shown["counts"]["changed"], changed);
}

#[actix_web::test]
async fn changes_are_paged() {
    let flip = flips().iter().max_by_key(|flip| flip.changed).unwrap();
    let (app, _) = stored(&flip.records).await;
    let path = start(&app, &json!({"reading": reading(flip)})).await;
    ended(&app, &path).await;
    let all = changes(&app, &path).await;
    let (mut seen, mut from) = (Vec::new(), 0);
    loop {
        let page = app.get(&format!("{path}/changes?limit=1&from={from}")).await.json();
        seen.extend(page["changes"].as_array().unwrap().clone());
        match page["next"].as_u64() {
            Some(next) => from = next,
            None => break,
        }
    }
    assert_eq!(seen, all);
}

#[actix_web::test]
async fn this_version_of_the_rules_changes_nothing_that_it_stored_itself() {
    let (app, ids) = stored(&flips()[0].records).await;
    let path = start(&app, &json!({})).await;
    let shown = ended(&app, &path).await;
    assert_eq!(shown["reading"], Value::Null);
    assert_eq!(shown["counts"]["unchanged"], ids.len());
}

#[actix_web::test]
async fn what_the_store_says_is_compared_with_this_version() {
    let app = TestApp::new();
    let text = legal(2).to_string();
    let prepared = umpire_api::documents::archive::prepare::<umpire_engine::record::Fault>(
        text.as_bytes(),
        umpire_engine::replay::Limits::default(),
        |_| Ok(()),
    );
    let mut record = prepared.unwrap().record;
    let rule = game().rules()[0].id;
    record.summary.status = umpire_api::store::Status::Illegal;
    record.summary.plies = 1;
    record.summary.verdict = json!({"verdict": {"violation": {"rule": rule}}}).to_string();
    app.store().insert(vec![record.clone()]).await.unwrap();
    let path = start(&app, &json!({"filter": {"status": "illegal"}})).await;
    let shown = ended(&app, &path).await;
    assert_eq!(shown["counts"]["legality"], 1, "{shown}");
    let changes = changes(&app, &path).await;
    assert_eq!(changes[0]["id"], record.id.to_string());
    assert_eq!(changes[0]["changes"], json!(["legality"]));
    assert_eq!(changes[0]["ply"], 1);
    assert_eq!(changes[0]["rules"][0]["id"], rule);
    assert_eq!(changes[0]["before"]["status"], "illegal");
    assert_eq!(changes[0]["after"]["status"], "in_progress");
}

#[actix_web::test]
async fn a_job_that_was_cancelled_is_gone_on_with_and_the_counts_add_up() {
    let app = TestApp::new();
    let records: Vec<Value> = (0..1000).map(numbered).collect();
    let sent = app.post_as(NDJSON, "/v1/records", ndjson(&records)).await;
    assert_eq!(sent.lines().last().unwrap()["summary"]["new"], 1000);
    let flip = &flips()[0];
    let path = start(&app, &json!({"reading": reading(flip)})).await;
    // Once it is on its way, so that there is something to add.
    while app.get(&path).await.json()["progress"]["looked"] == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    let cancelled = app.send(TestRequest::delete().uri(&path)).await;
    assert_eq!(cancelled.status, 204);
    let first = app.get(&path).await.json();
    if first["state"] == "cancelled" {
        let next = first["next"].as_str().unwrap();
        let rest = start(&app, &json!({"reading": reading(flip), "after": next})).await;
        let rest = ended(&app, &rest).await;
        assert_eq!(rest["state"], "done");
        for name in ["records", "changed", "unchanged", "not_concerned"] {
            let sum =
                first["counts"][name].as_u64().unwrap() + rest["counts"][name].as_u64().unwrap();
            let whole = start(&app, &json!({"reading": reading(flip)})).await;
            assert_eq!(ended(&app, &whole).await["counts"][name], sum, "{name}");
        }
        // What was cancelled stays so, and can be forgotten.
        assert_eq!(app.get(&path).await.json(), first);
        assert_eq!(app.send(TestRequest::delete().uri(&path)).await.status, 204);
    }
    app.get(&path).await.problem(404, "not_found");
}

#[actix_web::test]
async fn old_jobs_are_forgotten() {
    let app = TestApp::new();
    let first = start(&app, &json!({})).await;
    ended(&app, &first).await;
    for _ in 0..16 {
        let path = start(&app, &json!({})).await;
        assert_eq!(ended(&app, &path).await["state"], "done");
    }
    app.get(&first).await.problem(404, "not_found");
}

#[actix_web::test]
async fn a_service_that_stops_cancels_what_runs_and_starts_nothing() {
    let app = TestApp::new();
    let records: Vec<Value> = (0..1000).map(numbered).collect();
    app.post_as(NDJSON, "/v1/records", ndjson(&records)).await;
    let path = start(&app, &json!({"reading": reading(&flips()[0])})).await;
    app.service().runner.stop().unwrap();
    let shown = app.get(&path).await.json();
    if app.store().is_shared() {
        // It waits for another server, and so does what is asked for now.
        assert!(matches!(shown["state"].as_str(), Some("running" | "done")), "{shown}");
        let answer = app.post("/v1/impacts", "{}").await;
        assert_eq!((answer.status, &answer.json()["state"]), (202, &json!("running")));
        return;
    }
    assert!(matches!(shown["state"].as_str(), Some("cancelled" | "done")), "{shown}");
    app.post("/v1/impacts", "{}").await.problem(503, "unavailable");
}

#[test]
#[cfg(unix)]
fn a_server_that_is_told_to_stop_does_not_wait_for_a_job() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("records.sqlite");
    let mut server = Server::start(&file, &["--stop-seconds", "5"]);
    let mut connection = server.connect();
    for record in (0..200).map(numbered) {
        let (status, _) = connection.post("/v1/records", record.to_string().as_bytes()).unwrap();
        assert_eq!(status, 201);
    }
    let asked = json!({"reading": reading(&flips()[0])}).to_string();
    let (status, _) = connection.post("/v1/impacts", asked.as_bytes()).unwrap();
    assert_eq!(status, 202);
    let output = std::process::Command::new("kill").arg(server.child.id().to_string()).status();
    assert!(output.unwrap().success());
    assert!(server.child.wait().unwrap().success());
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn what_is_wrong_is_named() {
        let app = TestApp::new();
        let def = &game().rulings()[0];
        let unknown = json!({"rulings": {"XYZ-R1": "x"}});
        let value = json!({"rulings": {def.id: "no such reading"}});
        let pointer = format!("/reading/rulings/{}", def.id);
        for (asked, code, at) in [
            (json!({"reading": unknown}), "options_refused", "/reading/rulings/XYZ-R1"),
            (json!({"reading": value}), "options_refused", pointer.as_str()),
            (json!({"reading": {}}), "options_refused", "/reading"),
            (json!({"reading": {"edition": "xx"}}), "options_refused", "/reading/edition"),
            (json!({"reading": null}), "bad_record", "/reading"),
            (json!({"colour": "red"}), "bad_record", "/colour"),
            (json!({"filter": {"game": "ludo"}}), "bad_record", "/filter/game"),
            (json!({"filter": {"status": "won"}}), "bad_record", "/filter/status"),
            (json!({"filter": {"since": -1}}), "bad_record", "/filter/since"),
            (json!({"filter": {"text": "x".repeat(201)}}), "bad_record", "/filter/text"),
            (json!({"after": "here"}), "bad_record", "/after"),
        ] {
            let answer = app.post("/v1/impacts", asked.to_string()).await;
            let status = if code == "options_refused" { 409 } else { 422 };
            assert_eq!(answer.problem(status, code)["pointer"], at, "{asked}");
        }
        app.post("/v1/impacts", "{").await.problem(400, "bad_json");
        app.post_as(NDJSON, "/v1/impacts", "{}").await.problem(415, "unsupported_media_type");
        app.post("/v1/impacts?limit=1", "{}").await.problem(422, "bad_parameter");
    }

    #[actix_web::test]
    async fn an_unknown_impact_is_not_found() {
        let app = TestApp::new();
        for id in ["x", "0000000000000000"] {
            let path = format!("/v1/impacts/{id}");
            app.get(&path).await.problem(404, "not_found");
            app.get(&format!("{path}/changes")).await.problem(404, "not_found");
            app.send(TestRequest::delete().uri(&path)).await.problem(404, "not_found");
        }
    }

    #[actix_web::test]
    async fn starting_and_cancelling_need_a_token_and_looking_where_reading_does() {
        let tokens = |reading| Some(Tokens::parse("admin alpha\n", reading).unwrap());
        let start = || {
            TestRequest::post()
                .uri("/v1/impacts")
                .insert_header(("content-type", "application/json"))
                .set_payload("{}")
        };
        let app = TestApp::with(Limits::default(), tokens(false), &[]);
        app.send(start()).await.problem(401, "unauthorized");
        let begun = app.send(start().insert_header(("authorization", "Bearer alpha"))).await;
        assert_eq!(begun.status, 202);
        let path = begun.header("location").to_owned();
        assert_eq!(app.get(&path).await.status, 200);
        app.send(TestRequest::delete().uri(&path)).await.problem(401, "unauthorized");
        let app = TestApp::with(Limits::default(), tokens(true), &[]);
        app.get("/v1/impacts/0000000000000000").await.problem(401, "unauthorized");
    }
}

/// Records of every game that end with something no reading allows: none becomes legal, and where
/// a reading refuses them earlier or otherwise, that is a matter of the clause.
#[test]
fn a_record_refused_either_way_changes_its_clause() {
    let limits = umpire_engine::replay::Limits::default();
    let mut otherwise = 0;
    for game in GAMES.iter() {
        let records: Vec<Value> = embedded::records(game.meta().id)
            .map(|record| serde_json::from_str::<Value>(record.get()).unwrap())
            .filter(|record| record["actions"].as_array().is_some_and(|all| !all.is_empty()))
            .collect();
        for record in records.iter().step_by(1 + records.len() / 40) {
            let mut refused = record.clone();
            let player = game.meta().seats[0];
            let nonsense = json!({"type": "pass the salt", "player": player});
            refused["actions"].as_array_mut().unwrap().push(nonsense);
            refused.as_object_mut().unwrap().remove("claims");
            let text = refused.to_string();
            for def in game.rulings() {
                for value in def.values {
                    let rulings = BTreeMap::from([(def.id.to_owned(), (*value).to_owned())]);
                    let reading = ReadingChoice { rulings, ..ReadingChoice::default() };
                    let found = change::of(text.as_bytes(), None, Some(&reading), limits);
                    let Ok(Found::Changed(change)) = found else { continue };
                    let is = |kind: ImpactKind| change.changes.contains(&kind);
                    assert!(!is(ImpactKind::Legality), "{change:?}");
                    let Some(after) = &change.after else { continue };
                    if is(ImpactKind::Chance) {
                        continue;
                    }
                    let place = |stand: &ImpactStand| (stand.plies, stand.rule.clone());
                    let moved = place(&change.before) != place(after);
                    // Carried over, a record may come to the same fault after more or fewer actions.
                    let carried = matches!(change.class, Some(Class::Parts | Class::FormOnly));
                    let same = change.before.rule == after.rule && carried;
                    assert!(is(ImpactKind::Clause) || !moved || same, "{change:?}");
                    otherwise += usize::from(moved);
                }
            }
        }
    }
    assert!(otherwise > 0);
}
