//! `/v1/legal-actions`.

use serde_json::{Value, json};
use umpire_engine::games::GAMES;
use umpire_referee::reading;

use crate::app::{TestApp, game, legal};

#[actix_web::test]
async fn what_is_listed_is_accepted_and_counted() {
    let app = TestApp::new();
    let answer = app.post("/v1/legal-actions", legal(2).to_string()).await.json();
    let choices = &answer["choices"][0];
    let actions = choices["actions"].as_array().unwrap();
    assert_eq!(choices["count"], actions.len());
    let counted = app.post("/v1/legal-actions?count_only=true", legal(2).to_string()).await.json();
    assert_eq!(counted["choices"][0]["count"], choices["count"]);
    assert!(counted["choices"][0].get("actions").is_none());
    for action in [&actions[0], &actions[actions.len() - 1]] {
        let mut record = legal(2);
        record["actions"].as_array_mut().unwrap().push(action.clone());
        let verdict = app.post("/v1/validate", record.to_string()).await.json();
        assert_eq!(verdict["verdict"]["plies"], 3, "{action}");
    }
}

#[actix_web::test]
async fn a_list_is_cut_but_counted_whole() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let text = reading::sample(*game, "a test", 2).get().to_owned();
        let whole = app.post("/v1/legal-actions", text.clone()).await.json();
        for (limit, truncated) in [(1, true), (100_000, false)] {
            let path = format!("/v1/legal-actions?limit={limit}");
            let cut = app.post(&path, text.clone()).await.json();
            let both =
                cut["choices"].as_array().unwrap().iter().zip(whole["choices"].as_array().unwrap());
            for (cut, whole) in both {
                let (listed, all) = (cut["actions"].as_array(), whole["actions"].as_array());
                let (listed, all) = (listed.unwrap(), all.unwrap());
                assert_eq!(*listed, all[..all.len().min(limit)]);
                assert_eq!(cut["count"], all.len());
                assert_eq!(cut["ranges"], whole["ranges"]);
                assert_eq!(cut["truncated"], truncated && all.len() > 1, "{cut}");
                assert_eq!(whole["truncated"], false);
            }
        }
        let counted = app.post("/v1/legal-actions?count_only=true", text).await.json();
        assert_eq!(counted["choices"][0]["truncated"], false);
        assert_eq!(counted["choices"][0]["count"], whole["choices"][0]["count"]);
    }
}

#[actix_web::test]
async fn a_viewer_sees_the_options_of_nobody_else() {
    let app = TestApp::new();
    let deciding = app.post("/v1/legal-actions", legal(0).to_string()).await.json();
    let deciding = deciding["decision"]["players"][0].as_str().unwrap().to_owned();
    let other = game().meta().seats.iter().find(|seat| **seat != deciding).unwrap();
    let path = format!("/v1/legal-actions?viewer={other}");
    let seen = app.post(&path, legal(0).to_string()).await.json();
    assert_eq!(seen["viewer"], *other);
    assert_eq!(seen["choices"].as_array().unwrap().len(), 0);
}

/// Goes on from a draft by what a step offers first.
fn grown(draft: &Value, step: &Value) -> Value {
    let value = match (&step["values"][0], &step["least"]) {
        (Value::Null, Value::Null) => json!("words"),
        (Value::Null, least) => least.clone(),
        (value, _) => value.clone(),
    };
    let mut draft = draft.clone();
    let pointer = step["pointer"].as_str().unwrap();
    let (place, append) = match pointer.strip_suffix("/-") {
        Some(place) => (place, true),
        None => (pointer, false),
    };
    let (above, key) = place.rsplit_once('/').unwrap();
    let there = &mut draft.pointer_mut(above).unwrap()[key];
    match (append, &mut *there) {
        (false, _) => *there = value,
        (true, Value::Array(list)) => list.push(value),
        (true, _) => *there = json!([value]),
    }
    draft
}

#[actix_web::test]
async fn an_action_is_put_together_without_knowing_the_game() {
    let app = TestApp::new();
    let mut put_together = 0;
    for game in GAMES.iter() {
        let sample: Value =
            serde_json::from_str(reading::sample(*game, "a test", 0).get()).unwrap();
        let types = app.post("/v1/legal-actions?partial={}", sample.to_string()).await.json();
        let choices = &types["choices"][0];
        assert_eq!(choices["complete"], false);
        let all = app.post("/v1/legal-actions", sample.to_string()).await.json();
        assert_eq!(choices["count"], all["choices"][0]["count"], "everything begins like nothing");
        assert!(all["choices"][0].get("next").is_none());
        let named = choices["next"].as_array().unwrap().iter().find(|it| it["pointer"] == "/type");
        for r#type in named.unwrap()["values"].as_array().unwrap() {
            let mut draft = json!({"type": r#type, "player": choices["player"]});
            loop {
                let text = urlencoding(&draft.to_string());
                let path = format!("/v1/legal-actions?include=text&partial={text}");
                let answer = app.post(&path, sample.to_string()).await.json();
                let choices = &answer["choices"][0];
                for action in choices["actions"].as_array().unwrap() {
                    assert_eq!(action["type"], *r#type);
                }
                let steps = choices["next"].as_array().unwrap();
                if choices["complete"] == true {
                    break;
                }
                assert!(!steps.is_empty(), "{draft}");
                draft = grown(&draft, &steps[0]);
            }
            let mut record = sample.clone();
            record["actions"].as_array_mut().unwrap().push(draft.clone());
            let verdict = app.post("/v1/validate", record.to_string()).await.json();
            assert_ne!(verdict["verdict"]["status"], "illegal", "{draft}");
            put_together += 1;
        }
    }
    assert!(put_together >= 3);
}

fn urlencoding(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[actix_web::test]
async fn of_a_stored_record_and_by_a_seat_only_ones_own_actions_are_put_together() {
    let app = TestApp::new();
    let stored = app.post("/v1/records", legal(0).to_string()).await.json();
    let id = stored["id"].as_str().unwrap();
    let deciding = app.post("/v1/legal-actions", legal(0).to_string()).await.json();
    let deciding = deciding["decision"]["players"][0].as_str().unwrap().to_owned();
    let path =
        |viewer: &str| format!("/v1/records/{id}/legal-actions?partial={{}}&viewer={viewer}");
    let own = app.get(&path(&deciding)).await.json();
    assert!(!own["choices"][0]["next"].as_array().unwrap().is_empty());
    let other = game().meta().seats.iter().find(|seat| **seat != deciding).unwrap();
    for viewer in [other, "spectator"] {
        let seen = app.get(&path(viewer)).await.json();
        assert_eq!(seen["choices"].as_array().unwrap().len(), 0, "{viewer}");
    }
}

#[actix_web::test]
async fn a_tape_is_completed_by_what_is_said_to_be_missing() {
    let app = TestApp::new();
    let mut asked = 0;
    for game in GAMES.iter() {
        let mut record: Value =
            serde_json::from_str(reading::sample(*game, "a test", 0).get()).unwrap();
        record["chance"] = json!({"tape": []});
        loop {
            let text = record.to_string();
            let answer = app.post("/v1/legal-actions", text.clone()).await.json();
            let missing = &answer["missing"];
            if answer["status"] != "bad_chance" {
                assert!(missing.is_null(), "{answer}");
                break;
            }
            let entry = match missing["kind"].as_str().unwrap() {
                "draw" => {
                    json!({"kind": "draw", "side": missing["of"], "card": missing["cards"][0]})
                }
                "die" => json!({"kind": "die", "at": missing["of"], "value": missing["values"][0]}),
                "shuffle" => {
                    json!({"kind": "shuffle", "side": missing["of"], "order": missing["cards"]})
                }
                kind => panic!("{}: {kind}", game.meta().id),
            };
            record["chance"]["tape"].as_array_mut().unwrap().push(entry);
            asked += 1;
            let seen = app.post("/v1/legal-actions?viewer=spectator", text.clone()).await.json();
            assert!(seen["missing"].is_null(), "{seen}");
            let earlier = app.post("/v1/legal-actions?ply=0", text).await.json();
            assert!(earlier["missing"].is_null(), "{earlier}");
        }
    }
    assert!(asked > 2);
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn a_ply_or_parameter_that_is_wrong_is_a_problem() {
        let app = TestApp::new();
        let text = legal(1).to_string();
        app.post("/v1/legal-actions?ply=9", text.clone()).await.problem(404, "not_found");
        let answer = app.post("/v1/legal-actions?count_only=yes", text.clone()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "count_only");
        for limit in ["0", "100001", "all"] {
            let path = format!("/v1/legal-actions?limit={limit}");
            let answer = app.post(&path, text.clone()).await;
            assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "limit");
        }
        for partial in ["[]", "draw", "{", "7", ""] {
            let path = format!("/v1/legal-actions?partial={partial}");
            let answer = app.post(&path, text.clone()).await;
            assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "partial", "{partial}");
        }
        let long = format!("/v1/legal-actions?partial={}", "a".repeat(4_097));
        let answer = app.post(&long, text.clone()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "partial");
        let answer = app.post("/v1/legal-actions?include=events", text).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "include");
    }
}
