//! Answers in another language: data stay what they are, and nothing that a game says of a dispute stays English.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use umpire_engine::games::GAMES;

use crate::app::TestApp;

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

#[actix_web::test]
async fn what_is_said_of_a_dispute_is_said_in_the_language_that_is_asked_for() {
    let app = TestApp::new();
    let mut left = BTreeSet::new();
    let mut said = 0;
    for game in GAMES.iter().map(|game| game.meta()) {
        let spoken = umpire_engine::games::find(game.id).unwrap().languages();
        for language in spoken {
            for record in records(game.id, 9) {
                for (path, body) in [
                    ("/v1/adjudicate", json!({"record": record})),
                    ("/v1/explain", json!({"record": record, "ply": 0})),
                    ("/v1/repair", json!({"record": record})),
                    ("/v1/remedy", json!({"record": record})),
                ] {
                    let english = app.post(path, body.to_string()).await;
                    let other =
                        app.post(&format!("{path}?lang={language}"), body.to_string()).await;
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
                    left.extend(all.into_iter().filter(|text| stays_english(text)));
                    data(&mut english);
                    data(&mut other);
                    assert_eq!(english, other, "data are the same in every language");
                }
            }
        }
    }
    assert!(said > 500, "only {said} texts");
    assert_eq!(left, BTreeSet::new());
    app.post("/v1/repair?lang=xx", "{}").await.problem(422, "bad_parameter");
}
