//! Answers in another language: data stay what they are, and nothing that a game says of a dispute stays English.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use umpire_engine::games::GAMES;

use crate::app::TestApp;
use crate::cli::{code, json as printed, out, umpire};

/// Words that no sentence of another language has, and hardly an English one lacks.
const ENGLISH: [&str; 14] = [
    "the", "is", "are", "of", "and", "not", "has", "have", "with", "from", "this", "that", "was",
    "which",
];

/// The fields that speak to people, and hold nothing else.
const FOR_PEOPLE: [&str; 9] =
    ["because", "gist", "message", "omissions", "question", "summary", "text", "texts", "words"];

/// Whether English is left in a text. What a record's position lacks is said in English, and what the game has no
/// words for is shown as data, name by name; an action in short, too (`move by pirates (to orti)`).
fn stays_english(text: &str) -> bool {
    let mut words = text.split(|it: char| !it.is_alphabetic() && it != '_');
    !text.starts_with("/position") && !text.contains(": (") && words.any(|it| ENGLISH.contains(&it))
}

/// Every text of a value that is for people; those of cited clauses of the frame too.
fn texts(value: &Value, people: bool, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if people => drop(into.insert(text.clone())),
        Value::Array(all) => all.iter().for_each(|it| texts(it, people, into)),
        Value::Object(all) => {
            for (name, value) in all {
                if name != "record" && name != "action" {
                    texts(value, FOR_PEOPLE.contains(&name.as_str()), into);
                }
            }
        }
        _ => {}
    }
}

/// The value without what is for people.
fn data(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(data),
        Value::Object(all) => {
            let more = ["instead", "recorded", "detail"];
            all.retain(|name, value| {
                let text = value.is_string() || value.is_array();
                let more = text && more.contains(&name.as_str());
                let people = FOR_PEOPLE.contains(&name.as_str());
                !(people || more)
            });
            all.values_mut().for_each(data);
        }
        _ => {}
    }
}

/// Some records of a game: its rules' fixtures, every few.
fn records(game: &str, every: usize) -> Vec<Value> {
    let folder = format!("{}/../fixtures/{game}/rules", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let chosen = paths.iter().step_by(every);
    let read = |path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
    chosen.map(|path: &std::path::PathBuf| read(path)["record"].take()).collect()
}

/// What is asked about a record, route by route.
fn questions(record: &Value) -> Vec<(&'static str, Value)> {
    let mut asked = vec![
        ("/v1/replay?include=events,text,explain&", record.clone()),
        ("/v1/replay?include=events,text,explain&viewer=spectator&", record.clone()),
        ("/v1/validate?", record.clone()),
        ("/v1/legal-actions?include=text&", record.clone()),
        ("/v1/adjudicate?", json!({"record": record})),
        ("/v1/explain?", json!({"record": record, "ply": 0})),
        ("/v1/repair?", json!({"record": record})),
        ("/v1/remedy?", json!({"record": record})),
    ];
    // What the last action would have been at the very start.
    if let Some(action) = record["actions"].as_array().and_then(|all| all.last()) {
        let body = json!({"record": record, "action": action, "ply": 0});
        asked.push(("/v1/why-not?", body.clone()));
        let mut body = body;
        body["viewer"] = "spectator".into();
        asked.push(("/v1/why-not?", body));
    }
    asked
}

#[actix_web::test]
async fn what_is_said_is_said_in_the_language_that_is_asked_for() {
    let app = TestApp::new();
    let mut left = BTreeSet::new();
    let mut said = 0;
    for game in GAMES.iter().map(|game| game.meta()) {
        let spoken = umpire_engine::games::find(game.id).unwrap().languages();
        for language in spoken {
            for record in records(game.id, 2) {
                for (path, body) in questions(&record) {
                    let english = app.post(path, body.to_string()).await;
                    let other = app.post(&format!("{path}lang={language}"), body.to_string()).await;
                    assert_eq!(
                        english.status,
                        other.status,
                        "{path} {:?}",
                        String::from_utf8_lossy(&other.body)
                    );
                    if english.status != 200 {
                        continue;
                    }
                    assert_eq!(english.header("content-language"), "en");
                    assert_eq!(other.header("content-language"), *language);
                    let (mut english, mut other) = (english.json(), other.json());
                    let mut all = BTreeSet::new();
                    texts(&other, false, &mut all);
                    said += all.len();
                    let here = all.into_iter().filter(|text| stays_english(text));
                    left.extend(here.map(|text| format!("{path} {text}")));
                    data(&mut english);
                    data(&mut other);
                    assert_eq!(english, other, "data are the same in every language");
                }
            }
        }
    }
    assert!(said > 500, "only {said} texts");
    assert_eq!(left.len(), 0, "{}", left.into_iter().collect::<Vec<_>>().join("\n"));
    app.post("/v1/repair?lang=xx", "{}").await.problem(422, "bad_parameter");
}

/// The sheet of a dispute is one, in whatever language the dispute was settled.
#[actix_web::test]
async fn a_verdict_is_kept_in_english() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        for language in game.languages() {
            let body = json!({"record": crate::app::whole_game(game.meta().id)}).to_string();
            let path = "/v1/adjudicate?keep=true&lang=";
            let other = app.post(&format!("{path}{language}"), body.clone()).await.json();
            let english = app.post(&format!("{path}en"), body).await.json();
            assert!(english["verdict"].is_string());
            assert_eq!(english["verdict"], other["verdict"]);
            assert_ne!(english["summary"], other["summary"]);
        }
    }
}

/// Nobody reads of an event more than the story tells that viewer: words where all of it is learned.
#[actix_web::test]
async fn events_are_told_in_words_to_whom_they_are_shown_whole() {
    let app = TestApp::new();
    let (mut told, mut silent) = (0, 0);
    for game in GAMES.iter().map(|game| game.meta()) {
        let record = crate::app::whole_game(game.id).to_string();
        let of = async |viewer: &str| {
            let path = format!("/v1/replay?include=events,text&viewer={viewer}");
            let report = app.post(&path, record.clone()).await.json();
            let list = |name: &str| report[name].as_array().unwrap().clone();
            let (events, texts) = (list("events"), list("texts"));
            assert_eq!(events.len(), texts.len());
            events.into_iter().zip(texts).collect::<Vec<_>>()
        };
        let all = of("referee").await;
        let whole = all.iter().filter(|(_, text)| text.is_string()).count();
        assert!(whole * 2 > all.len(), "{}: {whole} of {}", game.id, all.len());
        for (event, text) in of("spectator").await {
            match text.as_str() {
                Some(_) => told += usize::from(all.contains(&(event, text))),
                None => silent += 1,
            }
        }
        let without = app.post("/v1/replay?include=events", record.clone()).await.json();
        assert!(without.get("texts").is_none());
    }
    assert!(told > 100 && silent > 10, "{told} told, {silent} not");
}

#[test]
fn the_command_line_speaks_as_the_service_does() {
    let id = GAMES.iter().find(|game| !game.languages().is_empty()).unwrap().meta().id;
    let language = umpire_engine::games::find(id).unwrap().languages()[0];
    let mut checked = 0;
    for record in records(id, 12) {
        let text = record.to_string();
        let Some(action) = record["actions"].as_array().and_then(|all| all.last()) else {
            continue;
        };
        let action = action.to_string();
        for args in [
            &["adjudicate", "-"][..],
            &["why", "-", &action, "--ply", "0"],
            &["explain", "-"],
            &["repair", "-"],
            &["remedy", "-"],
        ] {
            let english = umpire(args, &text);
            let other = umpire(&[args, &["--lang", language]].concat(), &text);
            assert_eq!(code(&english), code(&other), "{args:?}");
            if code(&english) > 1 {
                continue;
            }
            let data = umpire(&[args, &["--lang", language, "--json"]].concat(), &text);
            let mut said = BTreeSet::new();
            texts(&printed(&data), false, &mut said);
            let left: Vec<&String> = said.iter().filter(|text| stays_english(text)).collect();
            assert!(left.is_empty(), "{args:?}: {left:?}");
            checked += usize::from(out(&english) != out(&other));
        }
    }
    assert!(checked > 20, "only {checked} differ from the English");
}
