//! Disputes over HTTP and on the command line, for every registered game.

use serde_json::{Value, json};
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game, legal, whole_game};
use crate::cli::{code, error, json as printed, out, umpire};

/// The precedents of a game: real disputes.
fn precedents(id: &str) -> Vec<Value> {
    let folder = format!("{}/../fixtures/{id}/precedents", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    files.into_iter().map(read).collect()
}

/// A precedent of a game that turns on a ruling and asks about an action.
fn one_by_ruling(id: &str) -> Value {
    let by_ruling = |it: &Value| it["ruling"].is_string() && it["ask"].is_object();
    precedents(id).into_iter().find(by_ruling).unwrap()
}

#[actix_web::test]
async fn every_precedent_is_settled_over_http() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        for precedent in precedents(game.meta().id) {
            let readings: Vec<Value> = precedent["readings"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|other| {
                    let mut reading = other.clone();
                    reading.as_object_mut().unwrap().remove("answer");
                    reading
                })
                .collect();
            let mut body = json!({"record": precedent["record"], "readings": readings});
            if precedent["ask"].is_object() {
                body["action"] = precedent["ask"].clone();
            }
            let answer = app.post("/v1/adjudicate", body.to_string()).await;
            assert_eq!(answer.status, 200, "{precedent}");
            let answer = answer.json();
            assert_eq!(answer["readings"].as_array().unwrap().len(), readings.len());
            assert!(!answer["summary"].as_array().unwrap().is_empty());
            let Some(expected) = precedent["answer"]["legal"].as_bool() else { continue };
            let found = match answer.get("question") {
                Some(question) => question["answer"] == "legal",
                None => answer["recorded"]["violation"].is_null(),
            };
            assert_eq!(found, expected, "{}", precedent["title"]);
        }
    }
}

#[actix_web::test]
async fn a_stored_record_is_disputed_by_its_id() {
    let app = TestApp::new();
    let record = legal(4);
    let id = app.post("/v1/records", record.to_string()).await.json()["id"].clone();
    let by_id = app.post("/v1/adjudicate", json!({ "id": id }).to_string()).await.json();
    let sent = app.post("/v1/adjudicate", json!({ "record": record }).to_string()).await.json();
    assert_eq!(by_id["recorded"], sent["recorded"]);
    assert_eq!(by_id["summary"], sent["summary"]);
}

#[actix_web::test]
async fn a_request_that_cannot_be_settled_is_told_where() {
    let app = TestApp::new();
    let check = async |body: Value, status: u16, code: &str, pointer: &str| {
        let answer = app.post("/v1/adjudicate", body.to_string()).await;
        assert_eq!(answer.status, status, "{body}");
        let answer = answer.json();
        assert_eq!(answer["code"], code, "{answer}");
        assert_eq!(answer.get("pointer").and_then(Value::as_str).unwrap_or(""), pointer);
    };
    let record = legal(2);
    check(json!({}), 422, "bad_record", "/record").await;
    check(json!({"record": record, "id": "0".repeat(64)}), 422, "bad_record", "/record").await;
    check(json!({"record": record, "salt": 1}), 422, "bad_record", "/salt").await;
    check(json!({"id": "0".repeat(64)}), 404, "not_found", "").await;
    check(json!({"id": "salt"}), 404, "not_found", "").await;
    check(json!({"record": record, "ply": 99}), 404, "not_found", "").await;
    check(json!({"record": {"format": "umpire/1"}}), 422, "bad_record", "/record").await;
    let unknown = json!([{"rulings": {"X-R1": "a"}}]);
    let body = json!({"record": record, "readings": unknown});
    check(body, 409, "options_refused", "/readings/0/rulings/X-R1").await;
    let empty = json!({"record": record, "readings": [{}]});
    check(empty, 409, "options_refused", "/readings/0").await;
    let many = vec![json!({"edition": "x"}); 300];
    check(json!({"record": record, "readings": many}), 422, "bad_options", "/readings").await;
    let mut other = legal(2);
    other["game"] = "ludo".into();
    check(json!({ "record": other }), 422, "unknown_game", "/record/game").await;
}

#[test]
fn a_dispute_is_read_aloud() {
    for game in GAMES.iter() {
        let precedent = one_by_ruling(game.meta().id);
        let record = precedent["record"].to_string();
        let action = precedent["ask"].to_string();
        let ruling = precedent["ruling"].as_str().unwrap();
        let other = &precedent["readings"][0];
        let value = other["rulings"][ruling].as_str().unwrap();
        let reading = format!("{ruling}={value}");
        let args = ["adjudicate", "-", "--action", &action, "--reading", &reading];
        let output = umpire(&args, &record);
        let legal = precedent["answer"]["legal"].as_bool().unwrap_or(true);
        assert_eq!(code(&output), i32::from(!legal), "{}", error(&output));
        let first = out(&output).lines().next().unwrap();
        assert!(first.starts_with("Under the readings of the record the action at ply"), "{first}");
        assert!(out(&output).contains(ruling) && out(&output).contains("parts at ply"));
        let brief = umpire(&[&args[..], &["--brief"]].concat(), &record);
        assert!(out(&output).starts_with(out(&brief)) && out(&brief).len() < out(&output).len());
        let json_too = umpire(&[&args[..], &["--json"]].concat(), &record);
        assert_eq!(printed(&json_too)["readings"][0]["reading"]["rulings"][ruling], value);
        // What the service takes is a file for the command, too.
        let body = json!({"record": precedent["record"], "action": precedent["ask"],
            "readings": [{"rulings": {ruling: value}}]});
        let by_body = umpire(&["adjudicate", "-"], &body.to_string());
        assert_eq!(out(&by_body), out(&output));
    }
}

#[test]
fn a_dispute_that_cannot_be_settled_is_told_why() {
    let record = legal(2).to_string();
    let prefix = game().meta().prefix;
    for (args, says) in [
        (["--reading", "salt"], "is not a reading"),
        (["--reading", "X=y"], "no selectable ruling"),
        (["--action", "{"], "action"),
        (["--ply", "77"], "no ply 77"),
    ] {
        let output = umpire(&[&["adjudicate", "-"], &args[..]].concat(), &record);
        assert_eq!(code(&output), 2, "{}", out(&output));
        assert!(error(&output).contains(says), "{}", error(&output));
    }
    let output = umpire(&["adjudicate", "-"], "{\"record\": 1}");
    assert_eq!(code(&output), 2, "{prefix}");
}

/// A whole game of a game's fixtures, and the same with its last action made twice.
fn whole_and_twice(id: &str) -> (Value, Value) {
    let folder = format!("{}/../fixtures/{id}/games", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let mut whole: Value = serde_json::from_str::<Value>(&text).unwrap()["record"].take();
    whole.as_object_mut().unwrap().remove("claims");
    let mut twice = whole.clone();
    let actions = twice["actions"].as_array_mut().unwrap();
    let middle = actions.len() / 2;
    actions.insert(middle, json!({"type": "pass the salt", "player": "nobody"}));
    (whole, twice)
}

#[actix_web::test]
async fn an_action_too_many_is_found_and_taken_out() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (whole, twice) = whole_and_twice(game.meta().id);
        let body = json!({ "record": twice });
        let found = app.post("/v1/repair", body.to_string()).await.json();
        assert_eq!(found["status"], "illegal", "{found}");
        let best = &found["repairs"][0];
        assert_eq!(best["complete"], true, "{found}");
        assert_eq!(best["edits"].as_array().unwrap().len(), 1, "{best}");
        // The patch, applied by somebody else's code, gives a record that validates.
        let edits: json_patch::Patch = serde_json::from_value(best["edits"].clone()).unwrap();
        let mut mended = twice.clone();
        json_patch::patch(&mut mended, &edits).unwrap();
        let verdict = app.post("/v1/validate", mended.to_string()).await.json();
        assert_eq!(verdict["verdict"]["status"], "complete", "{verdict}");
        let legal = app.post("/v1/repair", json!({ "record": whole }).to_string()).await.json();
        assert_eq!(legal["repairs"], json!([]));
        assert!(legal["violation"].is_null());
    }
    let body = json!({"record": legal(1), "most": 21}).to_string();
    let refused = app.post("/v1/repair", body).await;
    assert_eq!((refused.status, refused.json()["pointer"].as_str()), (422, Some("/most")));
}

#[actix_web::test]
async fn two_records_part_where_one_has_another_action() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (whole, twice) = whole_and_twice(game.meta().id);
        let middle = whole["actions"].as_array().unwrap().len() / 2;
        let body = json!({"record": whole, "other": twice});
        let found = app.post("/v1/compare", body.to_string()).await.json();
        assert_eq!(found["same"], false, "{found}");
        assert_eq!(found["parts"]["ply"], middle, "{found}");
        let body = json!({"record": whole, "other": whole});
        let found = app.post("/v1/compare", body.to_string()).await.json();
        assert_eq!((&found["same"], &found["parts"]), (&json!(true), &Value::Null));

        // Another engine goes astray at some ply; halving finds it with few fingerprints.
        let report = app.post("/v1/replay?include=fingerprints", whole.to_string()).await.json();
        let theirs: Vec<String> = (0..)
            .zip(report["fingerprints"].as_array().unwrap())
            .map(|(ply, it)| match ply <= middle {
                true => it["chain"].as_str().unwrap().to_owned(),
                false => format!("{ply:064x}"),
            })
            .collect();
        let mut sent = Vec::new();
        let found = loop {
            let body = json!({"record": whole, "fingerprints": sent, "chain": true});
            let found = app.post("/v1/compare", body.to_string()).await.json();
            let Some(ply) = found["ask"][0].as_u64() else { break found };
            sent.push(json!({"ply": ply, "fingerprint": theirs[ply as usize]}));
            assert!(sent.len() <= 14, "{found}");
        };
        assert_eq!(found["settled"], true, "{found}");
        assert_eq!(found["differ"], middle + 1, "{found}");
        assert_eq!(found["parts"]["action"], whole["actions"][middle]);
    }
}

#[actix_web::test]
async fn games_that_differ_and_halves_of_requests_are_refused() {
    let app = TestApp::new();
    let check = async |path: &str, body: Value, pointer: &str| {
        let answer = app.post(path, body.to_string()).await;
        assert_eq!(answer.status, 422, "{body}");
        let answer = answer.json();
        assert_eq!(answer["pointer"], pointer, "{answer}");
    };
    let record = legal(2);
    check("/v1/compare", json!({ "record": record }), "/other").await;
    let both = json!({"record": record, "other": record, "fingerprints": []});
    check("/v1/compare", both, "/fingerprints").await;
    let fingerprints = json!([{"ply": 0, "fingerprint": "salt"}]);
    let wrong = json!({"record": record, "fingerprints": fingerprints});
    check("/v1/compare", wrong, "/fingerprints/0/fingerprint").await;
    if let [one, two, ..] = GAMES.as_slice() {
        let (one, two) = (whole_and_twice(one.meta().id).0, whole_and_twice(two.meta().id).0);
        let body = json!({"record": one, "other": two}).to_string();
        let refused = app.post("/v1/compare", body).await;
        assert_eq!(refused.problem(409, "options_refused")["pointer"], "/other/game");
    }
    check("/v1/why-not", json!({ "record": record }), "").await;
    let nobody = json!({"record": record, "action": {}, "viewer": "nobody"});
    check("/v1/why-not", nobody, "/viewer").await;
    check("/v1/explain", json!({ "record": record }), "").await;
}

#[actix_web::test]
async fn why_not_names_the_clause_that_the_replay_names() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        for precedent in precedents(id).iter().filter(|it| it["ask"].is_object()).take(6) {
            let body = json!({"record": precedent["record"], "action": precedent["ask"]});
            let why = app.post("/v1/why-not", body.to_string()).await.json();
            let legal = precedent["answer"]["legal"].as_bool().unwrap_or(true);
            assert_eq!(why["answer"], if legal { "legal" } else { "illegal" }, "{why}");
            if let Some(rule) = precedent["answer"]["rule"].as_str() {
                assert_eq!(why["violations"][0]["rule"], rule);
            }
            // Each change that would allow it is a position in which it is accepted.
            for change in why["changes"].as_array().unwrap() {
                let ply = why["ply"].as_u64().unwrap();
                let at = format!("/v1/replay?ply={ply}");
                let mut record = precedent["record"].clone();
                let mut state = app.post(&at, record.to_string()).await.json()["state"].take();
                let edits: json_patch::Patch =
                    serde_json::from_value(change["edits"].clone()).unwrap();
                json_patch::patch(&mut state, &edits).unwrap();
                record["position"] = state;
                record["actions"] = json!([precedent["ask"]]);
                record["chance"] = json!({"seed": "any"});
                let verdict = app.post("/v1/validate", record.to_string()).await.json();
                assert_eq!(verdict["verdict"]["plies"], 1, "{change} {verdict}");
            }
        }
    }
}

#[actix_web::test]
async fn an_explanation_tells_the_facts_before_and_after() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (whole, _) = whole_and_twice(game.meta().id);
        let last = whole["actions"].as_array().unwrap().len() - 1;
        let body = json!({"record": whole, "ply": last});
        let found = app.post("/v1/explain", body.to_string()).await.json();
        let tree = &found["explanations"][0];
        assert_eq!(tree["action"], whole["actions"][last], "{found}");
        let state = async |ply: usize| {
            let path = format!("/v1/replay?ply={ply}");
            app.post(&path, whole.to_string()).await.json()["state"].take()
        };
        let (before, after) = (state(last).await, state(last + 1).await);
        let events = tree["events"].as_array().unwrap();
        // Between events a view would tell more than before and after them.
        let seat = game.meta().seats[0];
        let body = json!({"record": whole, "ply": 0, "viewer": seat}).to_string();
        let viewed = app.post("/v1/explain", body).await.json();
        // What he is told of an event in words is what its text is among his events.
        let path = format!("/v1/replay?viewer={seat}&include=events,text");
        let report = app.post(&path, whole.to_string()).await.json();
        let texts = report["texts"].as_array().unwrap();
        let words = viewed["explanations"].as_array().unwrap().iter();
        let words = words.flat_map(|one| one["events"].as_array().unwrap());
        let words: Vec<&Value> =
            words.map(|event| event.get("words").unwrap_or(&Value::Null)).collect();
        assert_eq!(words, texts.iter().take(words.len()).collect::<Vec<_>>());
        for one in viewed["explanations"].as_array().unwrap() {
            for event in one["events"].as_array().unwrap() {
                assert_eq!(event["facts"], json!([]), "{event}");
            }
        }
        let first = events.iter().flat_map(|it| it["facts"].as_array().unwrap()).next();
        if let Some(fact) = first {
            let place = fact["pointer"].as_str().unwrap();
            assert_eq!(before.pointer(place), fact.get("before"), "{fact}");
        }
        assert!(events.iter().all(|it| !it["clauses"].as_array().unwrap().is_empty()));
        assert_ne!(before, after);
        // Where the record ends, nobody has acted.
        let end = json!({"record": whole, "ply": last + 1}).to_string();
        let end = app.post("/v1/explain", end).await.json()["explanations"][0].clone();
        assert_eq!((&end["ply"], &end["player"]), (&json!(last + 1), &Value::Null));
        assert!(end["decision"]["players"].is_array() && end["events"] == json!([]), "{end}");
        let beyond = json!({"record": whole, "ply": last + 2}).to_string();
        assert_eq!(app.post("/v1/explain", beyond).await.status, 404);
    }
}

#[actix_web::test]
async fn precedents_are_listed_and_filtered() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let all = app.get(&format!("/v1/games/{id}/precedents")).await.json();
        let all = all["precedents"].as_array().unwrap().clone();
        assert_eq!(all.len(), precedents(id).len());
        let clause = all[0]["clauses"][0].as_str().unwrap();
        let some = app.get(&format!("/v1/games/{id}/precedents?clause={clause}")).await.json();
        let some = some["precedents"].as_array().unwrap();
        assert!(!some.is_empty() && some.len() < all.len());
        let name = all[0]["name"].as_str().unwrap();
        let one = app.get(&format!("/v1/games/{id}/precedents/{name}")).await.json();
        assert_eq!(one, all[0]);
        assert_eq!(app.get(&format!("/v1/games/{id}/precedents/salt")).await.status, 404);
        let wrong = app.get(&format!("/v1/games/{id}/precedents?clause=X-1")).await;
        assert_eq!(wrong.status, 404);
    }
}

#[test]
fn the_command_line_says_why_and_explains() {
    for game in GAMES.iter() {
        let illegal = |it: &Value| it["answer"]["legal"] == false && it["ask"].is_object();
        let precedent = precedents(game.meta().id).into_iter().find(illegal).unwrap();
        let record = precedent["record"].to_string();
        let output = umpire(&["why", "-", &precedent["ask"].to_string()], &record);
        assert_eq!(code(&output), 1, "{}", error(&output));
        assert!(out(&output).starts_with("Illegal at ply"), "{}", out(&output));
        let rule = precedent["answer"]["rule"].as_str().unwrap();
        assert!(out(&output).contains(rule), "{}", out(&output));
        let spectator = umpire(&["why", "-", "--viewer", "spectator", "{}"], &record);
        assert_eq!(code(&spectator), 1, "{}", error(&spectator));
        assert_eq!(code(&umpire(&["why", "-", "{"], &record)), 2);

        let (whole, _) = whole_and_twice(game.meta().id);
        let output = umpire(&["explain", "-", "--ply", "1"], &whole.to_string());
        assert_eq!(code(&output), 0, "{}", error(&output));
        assert!(out(&output).starts_with("ply 1  "), "{}", out(&output));
        assert!(out(&output).contains(game.meta().prefix));
        let beyond = umpire(&["explain", "-", "--ply", "99999"], &whole.to_string());
        assert_eq!(code(&beyond), 2);
    }
}

#[test]
fn the_command_line_repairs_and_compares() {
    let folder = tempfile::TempDir::new().unwrap();
    for game in GAMES.iter() {
        let (whole, twice) = whole_and_twice(game.meta().id);
        let (one, two) = (folder.path().join("one.json"), folder.path().join("two.json"));
        std::fs::write(&one, whole.to_string()).unwrap();
        std::fs::write(&two, twice.to_string()).unwrap();
        let (one, two) = (one.to_str().unwrap(), two.to_str().unwrap());
        let output = umpire(&["repair", two], "");
        assert_eq!(code(&output), 1, "{}", error(&output));
        assert!(out(&output).contains("  1. "), "{}", out(&output));
        assert!(out(&output).contains("actions are then legal"), "{}", out(&output));
        let shown = umpire(&["repair", two, "--show", "1"], "");
        let again = umpire(&["validate", "-"], out(&shown));
        assert_eq!(code(&again), 0, "{}", out(&again));
        assert_eq!(code(&umpire(&["repair", two, "--show", "99"], "")), 2);
        assert_eq!(code(&umpire(&["repair", one], "")), 0);

        let middle = whole["actions"].as_array().unwrap().len() / 2;
        let output = umpire(&["diff", one, two], "");
        assert_eq!(code(&output), 1, "{}", error(&output));
        let first = out(&output).lines().next().unwrap();
        assert!(first.starts_with(&format!("They diverge at ply {middle}")), "{first}");
        assert_eq!(code(&umpire(&["diff", one, one], "")), 0);
        let report = umpire(&["replay", one, "--json", "--include", "fingerprints"], "");
        let fingerprints: Vec<Value> = printed(&report)["fingerprints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["fingerprint"].clone())
            .collect();
        let same = umpire(&["diff", one, "-"], &Value::from(fingerprints.clone()).to_string());
        assert_eq!(code(&same), 0, "{} {}", out(&same), error(&same));
        let mut wrong = fingerprints;
        wrong[middle] = "0".repeat(64).into();
        let output = umpire(&["diff", one, "-"], &Value::from(wrong).to_string());
        assert_eq!(code(&output), 1);
        assert!(
            out(&output).contains(&format!("They differ at ply {middle},")),
            "{}",
            out(&output)
        );
        assert_eq!(code(&umpire(&["diff", one, "-"], "[1]")), 2);
    }
}

#[test]
fn precedents_are_read_aloud() {
    for game in GAMES.iter() {
        let id = game.meta().id;
        let listed = umpire(&["precedents", id], "");
        assert_eq!(code(&listed), 0);
        let folder = format!("{}/../fixtures/{id}/precedents", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = name.strip_suffix(".json").unwrap();
            assert!(out(&listed).contains(name), "{name}");
        }
        let precedent = one_by_ruling(id);
        let all = printed(&umpire(&["precedents", id, "--json"], ""));
        let by_title = |it: &&Value| it["title"] == precedent["title"];
        let name = all["precedents"].as_array().unwrap().iter().find(by_title).unwrap();
        let name = name["name"].as_str().unwrap();
        let output = umpire(&["precedents", id, name], "");
        assert!(out(&output).contains(precedent["question"].as_str().unwrap()));
        assert!(out(&output).contains("Under the readings of the record"));
        let request = umpire(&["precedents", id, name, "--request"], "");
        let settled = umpire(&["adjudicate", "-", "--brief"], out(&request));
        assert!(out(&output).contains(out(&settled).lines().next().unwrap()), "{}", out(&settled));
        assert_eq!(code(&umpire(&["precedents", id, "salt"], "")), 2);
        assert_eq!(code(&umpire(&["precedents", id, "--clause", "99.99"], "")), 2);
    }
}

/// A record that another reading only wants in another form comes carried over, and stands by itself.
#[actix_web::test]
async fn a_record_is_carried_over_to_another_form() {
    let app = TestApp::new();
    let mut seen = 0;
    for game in GAMES.iter() {
        let whole = whole_game(game.meta().id);
        let body = json!({"record": whole, "records": true});
        let settled = app.post("/v1/adjudicate", body.to_string()).await.json();
        for aside in settled["same"].as_array().unwrap() {
            assert!(
                matches!(aside["class"].as_str(), Some("identical" | "other_clause")),
                "{aside}"
            );
        }
        for compared in settled["readings"].as_array().unwrap() {
            let carried = compared["carried"].as_array().unwrap();
            assert_eq!(compared["record"].is_object(), !carried.is_empty(), "{compared}");
            if compared["class"] != "form_only" {
                continue;
            }
            seen += 1;
            let verdict = app.post("/v1/validate", compared["record"].to_string()).await.json();
            assert_eq!(verdict["verdict"]["outcome"], settled["recorded"]["outcome"], "{verdict}");
            assert_eq!(verdict["fingerprint"], settled["recorded"]["fingerprint"], "{verdict}");
        }
        // Nobody asked for the records.
        let body = json!({ "record": whole });
        let settled = app.post("/v1/adjudicate", body.to_string()).await.json();
        let readings = settled["readings"].as_array().unwrap();
        assert!(readings.iter().all(|it| it.get("record").is_none()), "{settled}");
    }
    assert!(seen > 0, "no reading asked for another form alone");
}

/// A legal record, and its game after some actions as the referee sees it.
async fn with_state(app: &TestApp, game: &str) -> (Value, Value) {
    let (whole, _) = whole_and_twice(game);
    let report = app.post("/v1/replay?ply=4", whole.to_string()).await.json();
    (whole, report["state"].clone())
}

#[actix_web::test]
async fn a_checkpoint_is_a_claim_about_a_moment() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (mut record, state) = with_state(&app, game.meta().id).await;
        record["note"] = json!("of the club");
        record["actions"][0]["note"] = json!("he said so");
        record["checkpoints"] = json!([{"ply": 4, "facts": state}]);
        let held = app.post("/v1/validate", record.to_string()).await.json();
        let claims = held["verdict"]["claims"].as_array().unwrap();
        assert!(!claims.is_empty() && claims.iter().all(|it| it["holds"] == true), "{held}");
        record["checkpoints"][0]["facts"]["nothing_like_it"] = json!(7);
        let found = app.post("/v1/validate", record.to_string()).await.json();
        assert_eq!(found["verdict"]["status"], "complete");
        let claims = found["verdict"]["claims"].as_array().unwrap();
        let broken: Vec<&Value> = claims.iter().filter(|it| it["holds"] == false).collect();
        let expected = json!({"claim": "/checkpoints/0/facts/nothing_like_it", "ply": 4,
            "claimed": "7", "actual": null, "holds": false});
        assert_eq!(broken, [&expected]);
        // Nobody but the referee learns of them, nor of notes.
        let seat = game.meta().seats[0];
        let seen = app.post(&format!("/v1/replay?viewer={seat}"), record.to_string()).await;
        let seen = seen.json().to_string();
        assert!(!seen.contains("nothing_like_it") && !seen.contains("he said so"), "{seen}");
        let kind = "application/x-ndjson";
        let lines = app.post_as(kind, "/v1/validate", format!("{record}\n")).await.lines();
        assert_eq!(lines.last().unwrap()["summary"]["contradicted"], 1);

        let stored = app.post("/v1/records", record.to_string()).await.json();
        let id = stored["id"].as_str().unwrap();
        let kept = app.get(&format!("/v1/records/{id}")).await.json();
        assert_eq!(kept["actions"][0]["note"], "he said so");
        assert_eq!(
            (&kept["note"], &kept["checkpoints"]),
            (&record["note"], &record["checkpoints"])
        );

        let output = umpire(&["validate", "-"], &record.to_string());
        assert_eq!(code(&output), 0, "a finding is no fault");
        assert!(out(&output).contains("but its claims do not hold"), "{}", out(&output));
        assert!(
            out(&output).contains("After 4 actions the record claims 7 in /checkpoints/0/facts")
        );
        let told = umpire(&["replay", "-"], &record.to_string());
        assert!(out(&told).contains("\u{201c}he said so\u{201d}"), "{}", out(&told));
        assert!(out(&told).contains("\u{201c}of the club\u{201d}"));
        record["actions"][0]["note"] = json!(7);
        let refused = app.post("/v1/validate", record.to_string()).await;
        assert_eq!(refused.json()["pointer"], "/actions/0/note");
    }
}

#[actix_web::test]
async fn an_illegal_record_has_three_remedies() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (whole, twice) = whole_and_twice(game.meta().id);
        let found = app.post("/v1/remedy", json!({ "record": twice }).to_string()).await.json();
        let remedies = found["remedies"].as_array().unwrap();
        let kinds: Vec<&str> = remedies.iter().map(|it| it["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["back_up", "play_on", "mend"]);
        let middle = whole["actions"].as_array().unwrap().len() / 2;
        let back = &remedies[0]["effect"];
        assert_eq!((&back["plies"], &back["of"]), (&json!(middle), &json!(middle)));
        assert_eq!(back["status"], "in_progress");
        assert_eq!(remedies[2]["effect"]["status"], "complete");
        let told = umpire(&["remedy", "-"], &twice.to_string());
        assert_eq!(code(&told), 1);
        for name in ["Back up: ", "Play on: ", "Mend: "] {
            assert!(out(&told).contains(name), "{}", out(&told));
        }
        assert_eq!(code(&umpire(&["remedy", "-"], &whole.to_string())), 0);
        let json: Value = printed(&umpire(&["remedy", "-", "--json"], &twice.to_string()));
        assert_eq!(json, found);
    }
}

#[test]
fn the_help_of_a_command_tells_its_exit_statuses() {
    for (command, statuses) in
        [("adjudicate", 3), ("repair", 3), ("remedy", 3), ("validate", 3), ("why", 4)]
    {
        let help = umpire(&["help", command], "");
        let text = out(&help).split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, told) = text.split_once("Exits 0 ").unwrap_or_else(|| panic!("{text}"));
        for status in 1..statuses {
            assert!(
                told.contains(&format!(", {status} if"))
                    || told.contains(&format!(", {status} for")),
                "{text}"
            );
        }
    }
}

/// What a spectator cannot decide is neither legal nor illegal to a script, and what the tape lacks is no fault of
/// a player.
#[test]
fn undecidable_and_illegal_have_statuses_of_their_own() {
    let mut seen = std::collections::BTreeSet::new();
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        for ply in 0..12 {
            let action = record["actions"][ply].to_string();
            let ply = ply.to_string();
            let args = ["why", "-", &action, "--ply", &ply, "--viewer", "spectator"];
            let told = umpire(&args, &record.to_string());
            let answer = printed(&umpire(&[&args[..], &["--json"]].concat(), &record.to_string()));
            let status = match answer["answer"].as_str() {
                Some("legal") => 0,
                Some("illegal") => 1,
                Some("undecidable") => 3,
                other => panic!("{other:?}"),
            };
            assert_eq!(code(&told), status, "{}", out(&told));
            seen.insert(status);
        }
    }
    assert!(seen.contains(&0) && seen.contains(&3), "{seen:?}");
}

#[test]
fn a_fault_of_the_tape_is_told_as_one() {
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let report = umpire(&["replay", "-", "--json", "--include", "tape"], &record.to_string());
        let mut taped = record.clone();
        let lines = printed(&report)["tape"].take();
        let mut entries: Vec<Value> = lines.as_array().unwrap().clone();
        for entry in &mut entries {
            for field in ["ply", "opening", "stream", "rule"] {
                entry.as_object_mut().unwrap().remove(field);
            }
        }
        entries[0] = json!({"kind": "draw", "side": "nobody", "card": "none"});
        taped["chance"] = json!({"tape": entries, "seed": record["chance"]["seed"]});
        let told = umpire(&["repair", "-"], &taped.to_string());
        assert_eq!(code(&told), 1, "{}", error(&told));
        let first = out(&told).lines().next().unwrap();
        assert!(
            first.starts_with("The tape does not match at entry 0, after 0 actions"),
            "{first}"
        );
    }
}

/// In short a line for each event, with its clauses: no tree of facts for a game of many hundred actions.
#[test]
fn a_whole_game_is_explained_in_a_few_lines_for_each_action() {
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let actions = record["actions"].as_array().unwrap().len();
        let told = umpire(&["explain", "-"], &record.to_string());
        assert_eq!(code(&told), 0, "{}", error(&told));
        let lines: Vec<&str> = out(&told).lines().collect();
        assert!(lines.len() < 5 * actions, "{}: {} for {actions}", game.meta().id, lines.len());
        let heads = lines.iter().filter(|line| line.starts_with("ply ")).count();
        assert!(heads >= actions, "{}: {heads} of {actions}", game.meta().id);
        // Things are called by their names, not by their places in a list.
        for ply in [0, actions / 2, actions - 1] {
            let told = umpire(&["explain", "-", "--ply", &ply.to_string()], &record.to_string());
            assert!(!out(&told).contains("/0") && !out(&told).contains(" id:"), "{}", out(&told));
            let heads = out(&told).lines().filter(|line| !line.starts_with("   ")).count();
            assert!(out(&told).lines().count() < 20 * heads.max(10), "{}", out(&told));
        }
    }
}

#[actix_web::test]
async fn another_engine_may_say_that_its_game_is_over_earlier() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (whole, _) = whole_and_twice(game.meta().id);
        let report = app.post("/v1/replay?include=fingerprints", whole.to_string()).await.json();
        let prints = report["fingerprints"].as_array().unwrap();
        let last = prints.len() - 1;
        let compared = async |ply: usize| {
            let mark = json!({"ply": ply, "fingerprint": prints[ply]["fingerprint"], "over": true});
            let body = json!({"record": whole, "fingerprints": [mark]});
            app.post("/v1/compare", body.to_string()).await.json()
        };
        let early = compared(last / 2).await;
        assert_eq!(early["settled"], true, "{early}");
        assert_eq!((&early["agree"], &early["differ"]), (&json!(last / 2), &json!(last / 2 + 1)));
        let same = compared(last).await;
        assert_eq!((&same["settled"], &same["parts"]), (&json!(true), &Value::Null), "{same}");
    }
}
