//! Every door gives the same answer: what the referee says of a text is what the service sends for
//! it, byte for byte, over all fixtures.

use actix_web::body::to_bytes;
use actix_web::test::{TestRequest, call_service, init_service};
use serde_json::{Value, json};
use umpire_api::app::build;
use umpire_conformance::{embedded, folders};
use umpire_engine::games::GAMES;
use umpire_referee::call::{Call, answer};
use umpire_referee::problem::Problem;
use umpire_referee::reading::sample;
use umpire_referee::{Budget, InTurn, json};

use crate::app::TestApp;

/// The path of a call about a record, and whether a request is more than the record.
fn path(call: Call) -> Option<(&'static str, bool)> {
    Some(match call {
        Call::Validate => ("/v1/validate", false),
        Call::Replay | Call::View => ("/v1/replay", false),
        Call::LegalActions => ("/v1/legal-actions", false),
        Call::Scene | Call::BoardSvg => ("/v1/scene", false),
        Call::Adjudicate => ("/v1/adjudicate", true),
        Call::Why => ("/v1/why-not", true),
        Call::Explain => ("/v1/explain", true),
        Call::Repair => ("/v1/repair", true),
        Call::Remedy => ("/v1/remedy", true),
        Call::Compare => ("/v1/compare", true),
        Call::Hint => ("/v1/hint", true),
        Call::Odds => ("/v1/odds", true),
        Call::Analyze => ("/v1/analyses", true),
        Call::Simulate
        | Call::Games
        | Call::Rules
        | Call::Rule
        | Call::RecordOfNotes
        | Call::NotesOfRecord
        | Call::Canonical => return None,
    })
}

/// What is asked about a record, beside it: the last action and the ply before it.
fn request(call: Call, record: &Value) -> Value {
    let actions = record["actions"].as_array().map_or(&[][..], Vec::as_slice);
    let ply = actions.len().saturating_sub(1);
    let action = actions.last().cloned().unwrap_or_else(|| json!({"type": "resign"}));
    let mut before = record.clone();
    before["actions"] = actions[..ply].into();
    match call {
        Call::Adjudicate => json!({"record": record}),
        Call::Why => json!({"record": record, "action": action, "ply": ply}),
        Call::Explain => json!({"record": record, "ply": ply}),
        Call::Repair => json!({"record": record, "most": 2, "edits": 1}),
        Call::Remedy => json!({"record": record}),
        Call::Compare => json!({"record": record, "other": before}),
        Call::Hint => json!({"record": before, "simulations": 20, "most": 2}),
        Call::Odds => json!({"record": before, "action": action}),
        Call::Analyze => json!({"record": record, "simulations": 0}),
        _ => record.clone(),
    }
}

/// The number of a case, so that some can be taken.
fn number(name: &str) -> u32 {
    name.bytes().map(u32::from).sum()
}

#[actix_web::test]
async fn the_referee_says_what_the_service_sends() {
    let app = TestApp::new();
    let service = init_service(build(app.data())).await;
    let (mut answered, mut refused) = (0, 0);
    for case in folders::cases() {
        let Some(record) = case.good().map(|fixture| fixture.record.get().to_owned()) else {
            continue;
        };
        let read: Value = serde_json::from_str(&record).unwrap();
        for (name, call) in Call::ALL {
            let Some((path, more)) = path(call) else { continue };
            let text = if more { request(call, &read).to_string() } else { record.clone() };
            let query = match number(&case.place()) % 3 {
                0 if !matches!(call, Call::Compare | Call::Hint | Call::Odds | Call::Analyze) => {
                    "lang=it"
                }
                _ => "",
            };
            let mut sent = TestRequest::post().uri(&format!("{path}?{query}"));
            sent = sent.insert_header(("content-type", "application/json"));
            if call == Call::BoardSvg {
                sent = sent.insert_header(("accept", "image/svg+xml"));
            }
            let sent = call_service(&service, sent.set_payload(text.clone()).to_request()).await;
            let good = sent.status().is_success();
            let body = to_bytes(sent.into_body()).await.ok().unwrap();
            let found = answer(call, query, text.as_bytes(), Budget::UNLIMITED, &InTurn);
            let found = match found {
                Ok(text) if call == Call::View => {
                    let whole: Value = serde_json::from_slice(&body).unwrap();
                    assert_eq!(serde_json::from_slice::<Value>(&text).unwrap(), whole["state"]);
                    continue;
                }
                other => other,
            };
            assert_eq!(found.is_ok(), good, "{name} of {}", case.place());
            let found = found.unwrap_or_else(|problem: Problem| json::text(&problem));
            assert!(found == body, "{name} of {}", case.place());
            if good { answered += 1 } else { refused += 1 }
        }
    }
    assert!(answered > 5_000 && refused > 500, "{answered} answered, {refused} refused");
}

#[actix_web::test]
async fn what_is_asked_about_games_is_the_same_too() {
    let app = TestApp::new();
    let ask = |call, query: &str, text: &str| {
        answer(call, query, text.as_bytes(), Budget::UNLIMITED, &InTurn).unwrap()
    };
    assert_eq!(app.get("/v1/games").await.body, ask(Call::Games, "", ""));
    for game in GAMES.iter() {
        let id = game.meta().id;
        for lang in ["en", "it"] {
            let query = format!("lang={lang}");
            let path = format!("/v1/games/{id}/rules");
            let rules = app.get(&format!("{path}?{query}")).await.body;
            assert_eq!(rules, ask(Call::Rules, &query, id), "{id}");
            let rule = game.rules()[0].id;
            let one = app.get(&format!("{path}/{rule}?{query}")).await.body;
            assert_eq!(one, ask(Call::Rule, &query, &format!("{id}/{rule}")), "{rule}");
        }
        let series = json!({"game": id, "games": 3, "seed": "a", "longest": 30}).to_string();
        let played = app.post("/v1/simulations", series.clone()).await.body;
        assert_eq!(played, ask(Call::Simulate, "", &series), "{id}");
    }
    let unknown = answer(Call::Rule, "", b"chess/1", Budget::UNLIMITED, &InTurn).unwrap_err();
    let sent = app.get("/v1/games/chess/rules/1").await;
    assert_eq!((sent.status, sent.body.to_vec()), (404, json::text(&unknown)));
}

/// The canonical text of a record is the one that is stored, and notes stand for the record.
#[actix_web::test]
async fn the_text_of_a_record_is_the_one_that_is_stored() {
    let app = TestApp::new();
    let ask = |call, text: &[u8]| answer(call, "", text, Budget::UNLIMITED, &InTurn).unwrap();
    for game in GAMES.iter() {
        let whole = embedded::records(game.meta().id).find(|it| it.get().len() > 5_000).unwrap();
        let text = ask(Call::Canonical, whole.get().as_bytes());
        let receipt = app.post("/v1/records?accept=any", whole.get().to_owned()).await.json();
        let id = receipt["id"].as_str().unwrap().to_owned();
        assert_eq!(app.get(&format!("/v1/records/{id}")).await.body, text);
    }
    let game = GAMES[0];
    let record = sample(game, "notes", 6);
    let notes = ask(Call::NotesOfRecord, record.get().as_bytes());
    let again = ask(Call::RecordOfNotes, &notes);
    let judged = |text: &[u8]| {
        let verdict: Value = serde_json::from_slice(&ask(Call::Validate, text)).unwrap();
        verdict["fingerprint"].clone()
    };
    assert_eq!(judged(&again), judged(record.get().as_bytes()));
    let wrong = answer(Call::RecordOfNotes, "", b"no notes", Budget::UNLIMITED, &InTurn);
    assert!(wrong.unwrap_err().detail.starts_with("line 1, column"));
}
