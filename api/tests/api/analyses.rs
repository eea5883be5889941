//! Advice and analyses, over HTTP and on the command line.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::test::TestRequest;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::jobs::runner::JobRunner;
use umpire_api::limits::Limits;
use umpire_api::service::Service;
use umpire_api::store::sqlite::SqliteJobs;
use umpire_engine::games::GAMES;

use crate::app::{Answer, TestApp, game, legal, whole_game};
use crate::cli::{code, error, json as printed, out, save, umpire};
use crate::client::Server;

const NDJSON: &str = "application/x-ndjson";

/// A record of each game at which somebody has to decide.
fn open_record(game: &str) -> Value {
    let mut record = whole_game(game);
    record["actions"].as_array_mut().unwrap().truncate(5);
    record.as_object_mut().unwrap().remove("claims");
    record.as_object_mut().unwrap().remove("checkpoints");
    record
}

#[actix_web::test]
async fn a_seat_is_advised_what_is_legal() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let record = open_record(id);
        let sent = json!({"record": record, "simulations": 60, "most": 3});
        let hint = app.post("/v1/hint", sent.to_string()).await.json();
        assert_eq!((&hint["game"], &hint["budget"]), (&json!(id), &json!(60)));
        assert_eq!(hint["player"], hint["decision"]["players"][0]);
        assert_eq!(hint["perspective"], hint["player"]);
        let actions = hint["actions"].as_array().unwrap();
        assert!((1..=3).contains(&actions.len()), "{hint}");
        for advice in actions {
            let (chance, error) =
                (advice["chance"].as_f64().unwrap(), advice["error"].as_f64().unwrap());
            assert!((0.0..=1.0).contains(&chance) && error > 0.0, "{advice}");
            assert!(advice["text"].as_str().is_some_and(|text| !text.is_empty()), "{advice}");
            let mut with = record.clone();
            with["actions"].as_array_mut().unwrap().push(advice["action"].clone());
            let why = json!({"record": record, "action": advice["action"]});
            let why = app.post("/v1/why-not", why.to_string()).await.json();
            assert_eq!(why["answer"], "legal", "{advice}");
        }
        let again = app.post("/v1/hint", sent.to_string()).await.json();
        assert_eq!(again, hint, "the same question");
        let sum: f64 = hint["chances"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["chance"].as_f64().unwrap())
            .sum();
        assert!((sum - 1.0).abs() < 0.001, "{hint}");
    }
}

#[actix_web::test]
async fn what_cannot_be_advised_is_said_plainly() {
    let app = TestApp::new();
    let id = game().meta().id;
    let record = open_record(id);
    let ask = |more: Value| {
        let mut sent = json!({"record": record});
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent.to_string()
    };
    for (more, pointer) in [
        (json!({"simulations": 0}), "/simulations"),
        (json!({"simulations": 1_000_000_000}), "/simulations"),
        (json!({"most": 0}), "/most"),
        (json!({"seed": "x".repeat(201)}), "/seed"),
        (json!({"seat": "nobody"}), "/seat"),
    ] {
        let problem = app.post("/v1/hint", ask(more)).await.problem(422, "bad_record");
        assert_eq!(problem["pointer"], pointer, "{problem}");
    }
    let decides = app.post("/v1/hint", ask(json!({"simulations": 5}))).await.json();
    let other = game().meta().seats.iter().find(|seat| decides["player"] != **seat).unwrap();
    let problem = app.post("/v1/hint", ask(json!({"seat": other}))).await.problem(404, "not_found");
    let who = decides["player"].as_str().unwrap();
    assert!(problem["detail"].as_str().unwrap().contains(who), "{problem}");
    let over = json!({"record": whole_game(id), "simulations": 5});
    let problem = app.post("/v1/hint", over.to_string()).await.problem(404, "not_found");
    assert!(problem["detail"].as_str().unwrap().contains("over"), "{problem}");
    app.post("/v1/hint", ask(json!({"ply": 99}))).await.problem(404, "not_found");
}

#[actix_web::test]
async fn odds_are_exact_and_add_up() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let actions = record["actions"].as_array().unwrap();
        for ply in [0, actions.len() / 2, actions.len() - 1] {
            let sent = json!({"record": record, "ply": ply, "action": actions[ply]});
            let odds = app.post("/v1/odds", sent.to_string()).await.json();
            let all = odds["possibilities"].as_array().unwrap();
            assert_ne!(odds["exact"].as_bool().unwrap(), odds["sampled"].is_u64(), "{odds}");
            let sum: f64 = all.iter().map(|it| it["probability"].as_f64().unwrap()).sum();
            // Each is rounded to four places.
            assert!((sum - 1.0).abs() < 0.000_06 * all.len() as f64, "{sum}");
            if odds["exact"] == true {
                assert!(all.iter().all(|it| it["fraction"].as_str().unwrap().contains('/')));
            }
        }
    }
    let record = open_record(game().meta().id);
    let sent = json!({"record": record, "action": {"type": "nonsense"}});
    let problem = app.post("/v1/odds", sent.to_string()).await.problem(422, "bad_record");
    assert!(problem["pointer"].as_str().unwrap().starts_with("/action"), "{problem}");
    let sent = json!({"record": record, "ply": 0, "action": record["actions"][4]});
    let answer = app.post("/v1/odds", sent.to_string()).await;
    assert!(matches!(answer.status, 200 | 422), "{:?}", answer.body);
}

#[actix_web::test]
async fn programs_play_each_other() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let (id, first) = (game.meta().id, game.meta().seats[0]);
        let players = json!({first: "search:8"});
        let sent =
            json!({"game": id, "games": 4, "longest": 400, "players": players, "seed": "tests"});
        let found = app.post("/v1/simulations", sent.to_string()).await.json();
        assert_eq!(found["games"], 4, "{found}");
        let ended: u64 = found["endings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["games"].as_u64().unwrap())
            .sum();
        assert_eq!(ended, 4);
        assert_eq!(found["seats"][0]["by"], "search:8");
        let share = &found["seats"][0]["share"];
        let [low, at, high] = ["low", "share", "high"].map(|it| share[it].as_f64().unwrap());
        assert!(low <= at && at <= high, "{share}");
    }
    let id = game().meta().id;
    for (sent, pointer) in [
        (json!({"game": id, "games": 0}), "/games"),
        (json!({"game": id, "players": {"nobody": "random"}}), "/players/nobody"),
        (json!({"game": id, "players": {game().meta().seats[1]: "search:0"}}), ""),
    ] {
        let problem =
            app.post("/v1/simulations", sent.to_string()).await.problem(422, "bad_record");
        assert!(problem["pointer"].as_str().unwrap().starts_with(pointer), "{problem}");
    }
    app.post("/v1/simulations", r#"{"game":"ludo"}"#).await.problem(422, "unknown_game");
}

#[actix_web::test]
async fn players_may_change_seats() {
    let app = TestApp::new();
    let meta = game().meta();
    let sent = json!({
        "game": meta.id, "games": 6, "players": {meta.seats[0]: "search:16"}, "alternate": true,
    });
    let found = app.post("/v1/simulations", sent.to_string()).await.json();
    assert!(found["seats"][0].get("by").is_none(), "{found}");
    let players = found["players"].as_array().unwrap();
    assert_eq!(players[0]["player"], "search:16");
    assert_eq!(players[1]["player"], "random");
    let seats: u64 = players.iter().map(|it| it["played"].as_u64().unwrap()).sum();
    assert_eq!(seats, 6 * found["seats"].as_array().unwrap().len() as u64);
    let wins = |list: &str| -> u64 {
        found[list].as_array().unwrap().iter().map(|it| it["wins"].as_u64().unwrap()).sum()
    };
    assert_eq!(wins("players"), wins("seats"));
}

#[actix_web::test]
async fn a_series_is_compared_with_other_readings_over_the_same_deals() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let plain = json!({"game": id, "games": 3, "longest": 60, "seed": "tests"});
        let mut sent = plain.clone();
        sent["rulings"] = json!(true);
        let mut found = app.post("/v1/simulations", sent.to_string()).await.json();
        let readings = found.as_object_mut().unwrap().remove("readings").unwrap();
        let readings = readings.as_array().unwrap();
        assert_eq!(found, app.post("/v1/simulations", plain.to_string()).await.json());
        let mut others = 0;
        for ruling in game.rulings() {
            for value in &ruling.values[1..] {
                // Some readings cannot be played on the printed map.
                let record = json!({"format": "umpire/1", "game": id, "chance": {"seed": "a"},
                    "options": {"rulings": {ruling.id: value}}, "actions": []});
                let judged = app.post("/v1/validate", record.to_string()).await;
                others += usize::from(judged.status == 200);
            }
        }
        let of_rulings = readings.iter().filter(|it| it["reading"].get("edition").is_none());
        assert_eq!(of_rulings.count(), others, "{id}");
        for it in readings {
            // It is what the same series under these options is, and the shift is the difference.
            let options = match it["reading"].get("edition") {
                Some(edition) => json!({"edition": edition}),
                None => json!({"rulings": it["reading"]["rulings"]}),
            };
            let mut alone = plain.clone();
            alone["options"] = options;
            let alone = app.post("/v1/simulations", alone.to_string()).await.json();
            assert_eq!((&alone["endings"], &alone["lengths"]), (&it["endings"], &it["lengths"]));
            for (at, seat) in it["seats"].as_array().unwrap().iter().enumerate() {
                let before = &found["seats"][at];
                assert_eq!(seat["player"], before["player"]);
                assert_eq!(seat["share"], alone["seats"][at]["share"]);
                let part = |of: &Value| of["share"]["share"].as_f64().unwrap();
                let by = seat["shift"]["share"].as_f64().unwrap();
                assert!((part(seat) - part(before) - by).abs() < 0.000_2, "{seat} {before}");
            }
        }
        // A reading that the options choose is not another one.
        let (ruling, other) = (game.rulings()[0].id, game.rulings()[0].values[1]);
        let mut chosen = sent.clone();
        chosen["games"] = json!(1);
        chosen["options"] = json!({"rulings": {ruling: other}});
        let found = app.post("/v1/simulations", chosen.to_string()).await.json();
        let first = game.rulings()[0].values[0];
        let of_it: Vec<&Value> = found["readings"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| it["reading"]["rulings"].get(ruling))
            .collect();
        assert!(of_it.contains(&&json!(first)) && !of_it.contains(&&json!(other)), "{of_it:?}");
        // One game has no deviation, and so no interval.
        assert_eq!(found["readings"][0]["seats"][0]["shift"], Value::Null);
    }
    let id = game().meta().id;
    let wrong = json!({"game": id, "rulings": ["all"]}).to_string();
    app.post("/v1/simulations", wrong).await.problem(422, "bad_record");
    // All games count that are played, so that this is too much at once, and a job.
    let much = json!({"game": id, "games": 9_999, "rulings": true}).to_string();
    let problem = app.post("/v1/simulations", much).await.problem(422, "bad_record");
    assert_eq!(problem["pointer"], "/games", "{problem}");
    let sent = json!({"game": id, "games": 2, "longest": 9, "rulings": true});
    let answer = app.post("/v1/simulations?job=true", sent.to_string()).await;
    let done = reached(&app, answer.header("location"), "done").await;
    let plain = app.post("/v1/simulations", sent.to_string()).await.json();
    assert_eq!(done["simulation"], plain);
    let all = 2 * (1 + plain["readings"].as_array().unwrap().len());
    assert_eq!(done["progress"], json!({"done": all, "of": all}));
    // It is another job than the same without.
    let alone = json!({"game": id, "games": 2, "longest": 9}).to_string();
    let other = app.post("/v1/simulations?job=true", alone).await;
    assert_ne!(other.header("location"), answer.header("location"));
}

#[actix_web::test]
async fn a_long_series_is_a_job() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("analyses");
    let at = || {
        let board = Arc::new(SqliteJobs::at(file.clone()));
        let runner = |service: &Service| JobRunner::new(board, service.cpu.clone(), service.jobs);
        TestApp::new().change(|service| service.runner = runner(service))
    };
    let app = at();
    let meta = game().meta();
    let job = "/v1/simulations?job=true";
    let sent = json!({"game": meta.id, "games": 40, "players": {meta.seats[0]: "search:200"}});
    let answer = app.post(job, sent.to_string()).await;
    assert_eq!(answer.status, 202, "{:?}", answer.body);
    let path = answer.header("location").to_owned();
    loop {
        let shown = app.get(&path).await.json();
        if shown["progress"]["done"].as_u64().unwrap() > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Cancelled where it still runs; then it goes on with what is played, also after a restart.
    let shown = app.get(&path).await.json();
    if shown["state"] == "running" {
        assert_eq!(app.send(TestRequest::delete().uri(&path)).await.status, 204);
        let stopped = reached(&app, &path, "cancelled").await;
        assert!(stopped["simulation"].is_null(), "{stopped}");
    }
    drop(app);
    let app = at();
    let again = app.post(job, sent.to_string()).await;
    assert_eq!(again.header("location"), path);
    let done = reached(&app, &path, "done").await;
    assert_eq!(done["progress"], json!({"done": 40, "of": 40}));
    // It is what the plain request answers, and what runs without a break.
    let plain = app.post("/v1/simulations", sent.to_string()).await.json();
    assert_eq!(done["simulation"], plain);
    assert_eq!(app.post(job, sent.to_string()).await.status, 200);
    // Neither kind of job is found at the paths of the other.
    let id = path.rsplit('/').next().unwrap();
    app.get(&format!("/v1/analyses/{id}")).await.problem(404, "not_found");
    let delete = TestRequest::delete().uri(&format!("/v1/analyses/{id}"));
    app.send(delete).await.problem(404, "not_found");
    assert_eq!(app.send(TestRequest::delete().uri(&path)).await.status, 204);
    app.get(&path).await.problem(404, "not_found");
    let bad = json!({"game": meta.id, "games": 0});
    app.post(job, bad.to_string()).await.problem(422, "bad_record");
    for wrong in ["search:0", "search:20001", "genius"] {
        let sent = json!({"game": meta.id, "players": {meta.seats[0]: wrong}});
        let problem = app.post(job, sent.to_string()).await.problem(422, "bad_record");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(wrong) && detail.contains("N from 1 to 20000"), "{detail}");
    }
}

/// Waits until a job is in a state.
async fn reached(app: &TestApp, path: &str, state: &str) -> Value {
    for _ in 0..6000 {
        let shown = app.get(path).await.json();
        if shown["state"] == state {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{path} is never {state}: {}", app.get(path).await.json());
}

async fn started(app: &TestApp, sent: &Value, status: u16) -> (String, Answer) {
    let answer = app.post("/v1/analyses", sent.to_string()).await;
    assert_eq!(answer.status, status, "{:?}", answer.body);
    (answer.header("location").to_owned(), answer)
}

#[actix_web::test]
async fn an_analysis_is_done_once_and_found_again() {
    let app = TestApp::new();
    let record = open_record(game().meta().id);
    let stored = app.post("/v1/records", record.to_string()).await.json();
    let id = stored["id"].as_str().unwrap().to_owned();
    let of_record = format!("/v1/records/{id}/analysis?simulations=20");
    app.get(&of_record).await.problem(404, "not_found");
    let sent = json!({"id": id, "simulations": 20});
    let (path, answer) = started(&app, &sent, 202).await;
    assert_eq!(answer.json()["record"], id);
    let done = reached(&app, &path, "done").await;
    let plies = record["actions"].as_array().unwrap().len() + 1;
    assert_eq!(done["progress"], json!({"done": plies, "of": plies}));
    assert_eq!(done["summary"]["plies"], plies - 1);
    let lines = TestRequest::get().uri(&format!("{path}/plies")).insert_header(("accept", NDJSON));
    let lines = app.send(lines).await.lines();
    let numbers: Vec<u64> = lines.iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..plies as u64).collect::<Vec<_>>());
    for line in &lines {
        for point in line["curve"].as_array().unwrap() {
            let sum: f64 = point["chances"]
                .as_array()
                .unwrap()
                .iter()
                .map(|it| it["chance"].as_f64().unwrap())
                .sum();
            assert!((sum - 1.0).abs() < 0.001, "{point}");
        }
        assert_eq!(line["decision"].is_null(), line["ply"] == plies - 1, "{line}");
    }
    // As a picture: a line for each seat.
    let picture = app.get(&format!("{path}/curve.svg")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/svg+xml"));
    let picture = String::from_utf8_lossy(&picture.body).into_owned();
    let lines_drawn = picture.matches("class=\"line ").count();
    assert_eq!(lines_drawn, lines[0]["curve"][0]["chances"].as_array().unwrap().len());
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    // A page at a time.
    let page = app.get(&format!("{path}/plies?limit=2&from=1")).await.json();
    assert_eq!(
        (&page["plies"][0], &page["plies"][1], &page["next"]),
        (&lines[1], &lines[2], &json!(3))
    );
    // The record itself is the same question.
    let (same, answer) = started(&app, &json!({"record": record, "simulations": 20}), 200).await;
    assert_eq!((same.as_str(), &answer.json()["state"]), (path.as_str(), &json!("done")));
    assert_eq!(app.get(&of_record).await.json(), done);
    // With another seed or for another reader it is another.
    let (seed, _) = started(&app, &json!({"id": id, "simulations": 20, "seed": "x"}), 202).await;
    let seat = game().meta().seats[0];
    let (other, _) =
        started(&app, &json!({"id": id, "simulations": 20, "viewer": seat}), 202).await;
    assert!(seed != path && other != path && seed != other);
    let told = reached(&app, &other, "done").await;
    assert!(told["summary"].get("ledger").is_none(), "luck is the referee's: {told}");
    let page = app.get(&format!("{other}/plies")).await.json();
    for line in page["plies"].as_array().unwrap() {
        let seen: Vec<&str> = line["curve"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["perspective"].as_str().unwrap())
            .collect();
        assert_eq!(seen, ["public", seat]);
        assert!(line["decision"].is_null() || line["decision"]["player"] == seat, "{line}");
        assert!(
            line["decision"].get("hindsight").is_none() && line.get("ledger").is_none(),
            "{line}"
        );
    }
    // Forgotten.
    assert_eq!(app.send(TestRequest::delete().uri(&path)).await.status, 204);
    app.get(&path).await.problem(404, "not_found");
}

#[actix_web::test]
async fn what_was_cancelled_goes_on_where_it_stood_also_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("analyses");
    let at = || {
        let board = Arc::new(SqliteJobs::at(file.clone()));
        let runner = |service: &Service| JobRunner::new(board, service.cpu.clone(), service.jobs);
        TestApp::new().change(|service| service.runner = runner(service))
    };
    let app = at();
    let record = open_record(game().meta().id);
    let sent = json!({"record": record, "simulations": 400});
    let (path, _) = started(&app, &sent, 202).await;
    let begun = loop {
        let shown = app.get(&path).await.json();
        if shown["progress"]["done"].as_u64().unwrap() > 0 {
            break shown;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(app.send(TestRequest::delete().uri(&path)).await.status, 204);
    let stopped =
        if begun["state"] == "done" { begun } else { reached(&app, &path, "cancelled").await };
    let kept = app.get(&format!("{path}/plies")).await.json();
    if stopped["state"] == "cancelled" {
        app.get(&format!("{path}/curve.svg")).await.problem(404, "not_found");
    }
    assert!(stopped["summary"].is_null(), "{stopped}");
    drop(app);
    let app = at();
    assert_eq!(app.get(&path).await.json()["progress"]["done"], stopped["progress"]["done"]);
    let (again, _) = started(&app, &sent, 202).await;
    assert_eq!(again, path);
    reached(&app, &path, "done").await;
    let whole = app.get(&format!("{path}/plies")).await.json();
    for line in kept["plies"].as_array().unwrap() {
        assert!(whole["plies"].as_array().unwrap().contains(line), "thought twice: {line}");
    }
    // As if it had never been broken off.
    let fresh = TestApp::new();
    let (path, _) = started(&fresh, &sent, 202).await;
    reached(&fresh, &path, "done").await;
    assert_eq!(fresh.get(&format!("{path}/plies")).await.json()["plies"], whole["plies"]);
}

#[actix_web::test]
async fn what_is_no_analysis_is_said_plainly() {
    let app = TestApp::new();
    let record = legal(2);
    for (more, pointer) in [(json!(0), "/simulations"), (json!(20_001), "/simulations")] {
        let sent = json!({"record": record, "simulations": more});
        let problem = app.post("/v1/analyses", sent.to_string()).await.problem(422, "bad_record");
        assert_eq!(problem["pointer"], pointer);
    }
    let sent = json!({"record": record, "viewer": "nobody"});
    app.post("/v1/analyses", sent.to_string()).await.problem(422, "bad_record");
    app.get("/v1/analyses/x").await.problem(400, "bad_id");
    app.get(&format!("/v1/analyses/{}", "0".repeat(64))).await.problem(404, "not_found");
    let gone = TestRequest::delete().uri(&format!("/v1/analyses/{}", "0".repeat(64)));
    app.send(gone).await.problem(404, "not_found");
}

#[test]
fn the_command_line_advises_and_analyses() {
    let folder = TempDir::new().unwrap();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let text = open_record(id).to_string();
        let hint = umpire(&["hint", "-", "-n", "30"], &text);
        assert_eq!(code(&hint), 0, "{}", error(&hint));
        assert!(
            out(&hint).contains("to decide") && out(&hint).contains(" visits  "),
            "{}",
            out(&hint)
        );
        let svg = folder.path().join("curve.svg");
        let picture = svg.to_str().unwrap();
        let args = ["analyze", "-", "-n", "10", "--svg", picture];
        let told = umpire(&args, &text);
        assert_eq!(code(&told), 0, "{}", error(&told));
        assert!(out(&told).contains("without luck"), "{}", out(&told));
        let drawn = std::fs::read_to_string(&svg).unwrap();
        assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"));
        // Whose knowledge, and how much was thought.
        for told in [out(&told), &drawn] {
            assert!(told.contains("from public information"), "{told}");
            assert!(told.contains(" simulations each"), "{told}");
        }
        assert_eq!(drawn.matches("class=\"line ").count(), printed_seats(&text), "{drawn}");
        let one = umpire(&["analyze", "-", "-n", "10", "--json"], &text);
        assert_eq!(out(&one), out(&umpire(&["analyze", "-", "-n", "10", "--json"], &text)));
        let action = open_record(id)["actions"][4].to_string();
        let odds = umpire(&["odds", "-", &action, "--ply", "4"], &text);
        assert_eq!(code(&odds), 0, "{}", error(&odds));
        assert!(out(&odds).contains(" %"), "{}", out(&odds));
        let played = umpire(&["simulate", id, "--games", "3", "--luck", "--json"], "");
        assert_eq!(code(&played), 0, "{}", error(&played));
        assert_eq!(printed(&played)["games"], 3);
    }
    let wrong = umpire(&["simulate", game().meta().id, "--player", "chess"], "");
    assert_eq!(code(&wrong), 2);
    assert!(error(&wrong).contains("random, greedy or search:N"), "{}", error(&wrong));
    let meta = game().meta();
    let seat = |seat: usize, player: &str| format!("{}={player}", meta.seats[seat]);
    let alone = umpire(&["simulate", meta.id, "--games", "2", "--player", &seat(1, "greedy")], "");
    // Whoever is named for a seat plays there, whichever is said first.
    let both = ["random", &seat(1, "greedy")];
    for [one, other] in [both, [both[1], both[0]]] {
        let order =
            umpire(&["simulate", meta.id, "--games", "2", "--player", one, "--player", other], "");
        assert_eq!(out(&order), out(&alone));
    }
    for [one, other] in [["random", "greedy"], [&seat(0, "random"), &seat(0, "greedy")]] {
        let twice = umpire(&["simulate", meta.id, "--player", one, "--player", other], "");
        assert_eq!(code(&twice), 2);
        assert!(error(&twice).contains("twice"), "{}", error(&twice));
    }
    let over = save(folder.path(), "over.json", &whole_game(game().meta().id).to_string());
    let hint = umpire(&["hint", &over], "");
    assert_eq!(code(&hint), 2);
    assert!(error(&hint).contains("over"), "{}", error(&hint));
    let none = umpire(&["hint", &over, "-n", "0"], "");
    assert_eq!(code(&none), 2);
}

/// Number of seats that take part in a record.
fn printed_seats(text: &str) -> usize {
    let hint = umpire(&["hint", "-", "-n", "5", "--json"], text);
    printed(&hint)["chances"].as_array().unwrap().len()
}

#[test]
fn a_person_plays_against_the_search() {
    let folder = TempDir::new().unwrap();
    for game in GAMES.iter() {
        let (id, seat) = (game.meta().id, game.meta().seats[0]);
        let file = folder.path().join(format!("{id}.json"));
        let typed = format!(
            "?\nh\nnonsense that is nowhere\nl\n999999\n{{\"type\":\"nonsense\"}}\n1\nu\n1\ns {}\nq\n",
            file.display()
        );
        let played = umpire(&["play", id, "--as", seat, "-n", "20"], &typed);
        assert_eq!(code(&played), 0, "{}", error(&played));
        let told = out(&played);
        assert!(
            told.contains("You are to decide") && told.contains("no action has this number"),
            "{told}"
        );
        assert!(told.contains("saved as"), "{told}");
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let judged = umpire(&["validate", file.to_str().unwrap()], "");
        assert_eq!(code(&judged), 0, "{}", out(&judged));
        let actions = saved["actions"].as_array().unwrap();
        assert!(actions.iter().any(|action| action["player"] == seat), "{saved}");
    }
    let wrong = umpire(&["play", game().meta().id, "--as", "nobody"], "");
    assert_eq!(code(&wrong), 2);
}

#[actix_web::test]
async fn what_would_take_too_long_is_refused_and_says_what_to_do_instead() {
    let app = TestApp::new();
    let id = game().meta().id;
    let seat = game().meta().seats[0];
    let hint = json!({"record": open_record(id), "simulations": 20_001}).to_string();
    let problem = app.post("/v1/hint", hint).await.problem(422, "bad_record");
    assert_eq!(problem["pointer"], "/simulations");
    let series = json!({"game": id, "games": 500, "players": {seat: "search:50"}});
    let problem = app.post("/v1/simulations", series.to_string()).await;
    let problem = problem.problem(422, "bad_record");
    assert!(problem["detail"].as_str().unwrap().contains("?job=true"), "{problem}");
    // A player of the service may think as long as the service lets it.
    let series = json!({"game": id, "players": {seat: "search:0"}});
    let problem = app.post("/v1/simulations", series.to_string()).await;
    let problem = problem.problem(422, "bad_record");
    assert!(problem["detail"].as_str().unwrap().contains("N from 1 to 20000"), "{problem}");
    // Work that is given up is not to be asked for again as it was.
    let limits = Limits { work_seconds: 0, ..Limits::default() };
    let hurried = TestApp::with(limits, None, &[]);
    let hint = json!({"record": open_record(id), "simulations": 20_000}).to_string();
    let series = json!({"game": id, "games": 400, "players": {seat: "search:50"}}).to_string();
    for (path, sent, instead) in
        [("/v1/hint", hint, "/v1/analyses"), ("/v1/simulations", series, "?job=true")]
    {
        let answer = hurried.post(path, sent).await;
        assert!(!answer.headers.contains_key("retry-after"), "the same again takes as long");
        let problem = answer.problem(503, "unavailable");
        assert!(problem["detail"].as_str().unwrap().contains(instead), "{problem}");
    }
}

#[actix_web::test]
async fn a_loss_is_the_difference_of_the_chances_that_are_shown() {
    let app = TestApp::new();
    let mut lost = 0;
    for game in GAMES.iter() {
        let mut record = open_record(game.meta().id);
        record["actions"].as_array_mut().unwrap().truncate(4);
        let sent = json!({"record": record, "simulations": 60, "seed": "losses"});
        let begun = app.post("/v1/analyses", sent.to_string()).await.json();
        let path = format!("/v1/analyses/{}", begun["id"].as_str().unwrap());
        let done = reached(&app, &path, "done").await;
        for play in done["summary"]["play"].as_array().unwrap() {
            assert!(play["mean_loss_error"].as_f64().unwrap() >= 0.0, "{play}");
        }
        for ply in app.get(&format!("{path}/plies")).await.json()["plies"].as_array().unwrap() {
            let seen = &ply["decision"];
            if seen.is_null() || seen["forced"] == true {
                continue;
            }
            assert_eq!((&seen["budget"], &seen["best"][0]["visits"]), (&json!(60), &json!(60)));
            for it in [seen, &seen["hindsight"]] {
                let best = if it["best"].is_array() { &it["best"][0] } else { &it["best"] };
                let number = |value: &Value| value.as_f64().unwrap();
                let ahead = number(&best["chance"]) - number(&it["chance"]);
                assert!((number(&it["loss"]) - ahead.max(0.0)).abs() < 1e-9, "{it}");
                lost += usize::from(ahead > 0.0);
            }
            // One action has one chance.
            for listed in seen["best"].as_array().unwrap() {
                if listed["action"] == seen["action"] {
                    assert_eq!(listed["chance"], seen["chance"], "{seen}");
                }
            }
        }
    }
    assert!(lost > 0);
}

#[test]
fn what_differs_in_numbers_is_chosen_step_by_step() {
    let mut parts = 0;
    for game in GAMES.iter() {
        let (id, seats) = (game.meta().id, game.meta().seats);
        let typed = format!("c\n{}", "1\n.\n".repeat(20));
        let seat = seats[usize::from(seats.len() == 2)];
        let played = umpire(&["play", id, "--as", seat, "-n", "5"], &typed);
        assert_eq!(code(&played), 0, "{}", error(&played));
        let told = out(&played);
        assert!(told.contains("b back, x cancel"), "{id}: {told}");
        parts += told.matches("so far: ").count();
        assert!(!told.contains("?: "), "{id}: {told}");
    }
    assert!(parts > 5, "{parts}");
}

/// The plies of an analysis of a game, over the network, while the plug is pulled so often.
fn analysed(store: &Path, record: &Value, kills: usize) -> String {
    let start = || Server::start(store, &["--lease-seconds", "3"]);
    let asked = json!({"record": record, "simulations": 20}).to_string();
    let mut server = start();
    let (mut killed, mut reached) = (0, 0);
    loop {
        let mut mine = server.connect();
        // What was begun goes on, and what is done is not done again.
        let (status, job) = mine.post("/v1/analyses", asked.as_bytes()).unwrap();
        assert!([200, 202].contains(&status), "{status}");
        let job: Value = serde_json::from_slice(&job).unwrap();
        let path = format!("/v1/analyses/{}", job["id"].as_str().unwrap());
        let done = job["progress"]["done"].as_u64().unwrap();
        if job["state"] == "done" {
            assert_eq!(killed, kills, "it was over before");
            let (status, plies) = mine.get(&format!("{path}/plies?limit=500")).unwrap();
            assert_eq!(status, 200);
            return String::from_utf8(plies).unwrap();
        }
        if killed < kills && done >= reached {
            reached = done + 1;
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            server = start();
            killed += 1;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill_amid_an_analysis(kills: usize) {
    let (one, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let record = whole_game(game().meta().id);
    let [quiet, killed] = [&one, &other].map(|folder| crate::place(folder.path()));
    let expected = analysed(Path::new(&quiet), &record, 0);
    assert_eq!(analysed(Path::new(&killed), &record, kills), expected);
}

#[test]
fn an_analysis_amid_kills_comes_to_the_same() {
    kill_amid_an_analysis(3);
}

#[test]
#[ignore = "takes hours: .ci/soak"]
fn a_night_of_kills_amid_analyses_comes_to_the_same() {
    (0..crate::storm::kills().div_ceil(5)).for_each(|_| kill_amid_an_analysis(5));
}
