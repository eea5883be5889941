//! Tables at which games are being played: whole games, refusals, secrets, undos, draws, watchers.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::limits::Limits;
use umpire_api::tables::Tables;
use umpire_api::tables::watch::Next;
use umpire_engine::chance::fair::{Transcript, commitment};
use umpire_engine::game::Observer;
use umpire_engine::games::GAMES;
use umpire_referee::language::Language;

use crate::app::{Answer, TestApp, game, legal, whole_game};
use crate::cli::{code, out, umpire};
use crate::client::{Connection, Server};
use crate::secrecy::Worlds;

/// A table that was made, and its tokens.
pub(crate) struct Seated<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) id: String,
    pub(crate) host: String,
    pub(crate) seats: BTreeMap<String, String>,
}

impl<'a> Seated<'a> {
    pub(crate) async fn new(app: &'a TestApp, request: &Value) -> Self {
        let answer = app.post("/v1/tables", request.to_string()).await;
        assert_eq!(answer.status, 201, "{:?}", answer.body);
        let made = answer.json();
        let id = made["table"]["id"].as_str().unwrap().to_owned();
        assert_eq!(answer.header("location"), format!("/v1/tables/{id}"));
        assert_eq!(answer.header("cache-control"), "no-store");
        let host = made["host"].as_str().unwrap().to_owned();
        let seats = serde_json::from_value(made["seats"].clone()).unwrap();
        Seated { app, id, host, seats }
    }

    /// With what a record begins with.
    pub(crate) async fn of(app: &'a TestApp, record: &Value) -> Self {
        let mut request = json!({});
        for field in ["game", "ruleset", "options", "players", "chance", "position"] {
            if !record[field].is_null() {
                request[field] = record[field].clone();
            }
        }
        Seated::new(app, &request).await
    }

    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let uri = format!("/v1/tables/{}{path}", self.id);
        let mut request = TestRequest::default().method(method).uri(&uri);
        if let Some(body) = body {
            let kind = ("content-type", "application/json");
            request = request.insert_header(kind).set_payload(body.to_string());
        }
        if let Some(token) = token {
            request = request.insert_header(("authorization", format!("Bearer {token}")));
        }
        self.app.send(request).await
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        self.ask(Method::GET, path, token, None).await
    }

    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Answer {
        self.ask(Method::POST, path, token, Some(body)).await
    }

    pub(crate) async fn act(&self, token: &str, action: &Value, version: &str) -> Answer {
        self.act_with(token, &json!({"action": action}), version, None).await
    }

    pub(crate) async fn act_with(
        &self,
        token: &str,
        body: &Value,
        version: &str,
        key: Option<&str>,
    ) -> Answer {
        let uri = format!("/v1/tables/{}/actions", self.id);
        let request =
            TestRequest::post().uri(&uri).insert_header(("content-type", "application/json"));
        let request = request.insert_header(("if-match", format!("\"{version}\"")));
        let request = match key {
            Some(key) => request.insert_header(("idempotency-key", key)),
            None => request,
        };
        self.app.send_as(token, request.set_payload(body.to_string())).await
    }

    /// Plays the actions of a record from ply `from` on, each by the token of its seat.
    pub(crate) async fn play(&self, record: &Value, from: usize, to: usize) {
        for ply in from..to {
            let action = &record["actions"][ply];
            let token = &self.seats[action["player"].as_str().unwrap()];
            let answer = self.act(token, action, &ply.to_string()).await;
            assert_eq!(answer.status, 200, "{ply}: {:?}", answer.body);
        }
    }
}

/// The record with so many of its actions.
pub(crate) fn cut(record: &Value, plies: usize) -> Value {
    let mut record = record.clone();
    record["actions"].as_array_mut().unwrap().truncate(plies);
    record
}

/// A state after a step, as a front end keeps it.
fn follow(state: &mut Value, step: &Value) {
    match step["patch"].is_null() {
        true => *state = step["state"].clone(),
        false => {
            let patch: json_patch::Patch = serde_json::from_value(step["patch"].clone()).unwrap();
            json_patch::patch(state, &patch).unwrap();
        }
    }
}

/// Every action of a whole game by the token of its seat; at every moment the seat is told what a replay of the record
/// tells it, by patches alone, and at the end the table is the record.
#[actix_web::test]
async fn whole_games_of_every_game_are_played_and_become_their_records() {
    const MOST: usize = 160;
    for game in GAMES.iter() {
        let app = TestApp::new();
        let record = whole_game(game.meta().id);
        let plies = record["actions"].as_array().unwrap().len().min(MOST);
        let record = cut(&record, plies);
        let table = Seated::of(&app, &record).await;
        let mut states: BTreeMap<String, (String, Value)> = BTreeMap::new();
        let mut heard: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (ply, action) in record["actions"].as_array().unwrap().iter().enumerate() {
            let seat = action["player"].as_str().unwrap();
            let token = &table.seats[seat];
            let now = table.get("", Some(token)).await;
            assert!(now.header("etag").starts_with(&format!("\"{ply}-")));
            let now = now.json();
            assert_eq!((&now["viewer"], &now["version"]), (&json!(seat), &json!(ply.to_string())));
            let mut state = now["now"]["state"].clone();
            let step = table.act(token, action, &ply.to_string()).await;
            assert_eq!(step.status, 200, "{ply}: {:?}", step.body);
            let step = step.json();
            follow(&mut state, &step);
            heard
                .entry(seat.to_owned())
                .or_default()
                .extend(step["events"].as_array().unwrap().clone());
            states.insert(seat.to_owned(), (step["version"].as_str().unwrap().to_owned(), state));
            assert!(
                step["legal"]["choices"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|it| it["actions"].is_null())
            );
        }
        for (seat, (version, state)) in &states {
            let path = format!("/v1/replay?include=events&viewer={seat}&ply={version}");
            let report = app.post(&path, record.to_string()).await.json();
            assert_eq!(report["state"], *state, "{seat}");
            let all = report["events"].as_array().unwrap();
            assert!(heard[seat].iter().all(|event| all.contains(event)), "{seat}");
        }
        for (seat, token) in &table.seats {
            let path = format!("/v1/legal-actions?viewer={seat}");
            let mut legal = app.post(&path, record.to_string()).await.json();
            // A seat at a table is told what it can do itself.
            legal["choices"].as_array_mut().unwrap().retain(|it| it["player"] == **seat);
            assert_eq!(table.get("/legal-actions", Some(token)).await.json(), legal);
        }
        for (viewer, token) in [("spectator", None), ("referee", Some(&table.host))] {
            let token = token.map(String::as_str);
            let path = format!("/v1/replay?include=events,text&viewer={viewer}");
            let report = app.post(&path, record.to_string()).await.json();
            let now = table.get("", token).await.json();
            assert_eq!(now["now"]["state"], report["state"]);
            assert_eq!(now["now"]["decision"], report["decision"]);
            let list = table.get("/events", token).await.json();
            assert_eq!((&list["events"], &list["texts"]), (&report["events"], &report["texts"]));
            let part = table.get("/events?from=3&to=5", token).await.json();
            let within = |event: &&Value| (3..5).contains(&event["ply"].as_u64().unwrap());
            let expected: Vec<&Value> =
                list["events"].as_array().unwrap().iter().filter(within).collect();
            assert_eq!(part["events"].as_array().unwrap().iter().collect::<Vec<_>>(), expected);
            let path = format!("/v1/legal-actions?include=text&viewer={viewer}");
            let legal = app.post(&path, record.to_string()).await.json();
            assert_eq!(table.get("/legal-actions?include=text", token).await.json(), legal);
            let path = format!("/v1/legal-actions?partial={{}}&viewer={viewer}");
            let begun = app.post(&path, record.to_string()).await.json();
            assert_eq!(table.get("/legal-actions?partial={}", token).await.json(), begun);
            let path = format!("/v1/scene?targets=true&viewer={viewer}");
            let scene = app.post(&path, record.to_string()).await.json();
            assert_eq!(
                table.get("/scene?targets=true", token).await.json()["scene"],
                scene["scene"]
            );
        }
        let sealed = table.post("/seal", Some(&table.host), &json!({})).await.json();
        let id = sealed["record"].as_str().unwrap();
        let kept = app.get(&format!("/v1/records/{id}")).await.json();
        for field in ["game", "actions", "chance", "options", "position"] {
            assert_eq!(kept[field], record[field], "{field}");
        }
        assert_eq!(kept["meta"]["table"], table.id);
        assert_eq!(kept["meta"]["action_milliseconds"].as_str().unwrap().split(' ').count(), plies);
        let again = app.post("/v1/records", kept.to_string()).await;
        assert_eq!((again.status, again.json()["id"].as_str()), (200, Some(id)));
        let late = table.act(&table.host, &record["actions"][0], &plies.to_string()).await;
        late.problem(409, "conflict");
    }
}

#[actix_web::test]
async fn a_refused_action_changes_nothing_and_is_refused_as_a_verdict_refuses_it() {
    let app = TestApp::new();
    let record = legal(3);
    let table = Seated::of(&app, &record).await;
    table.play(&record, 0, 3).await;
    let seat = table.get("", None).await.json()["now"]["decision"]["players"][0].clone();
    let token = &table.seats[seat.as_str().unwrap()];
    let before = table.get("", Some(token)).await.body;
    for mut wrong in [json!({"type": "no such thing"}), json!({"type": 7}), json!({})] {
        wrong["player"] = seat.clone();
        let problem = table.act(token, &wrong, "3").await.problem(422, "action_refused");
        assert_eq!(problem["version"], "3");
        let mut with = record.clone();
        with["actions"].as_array_mut().unwrap().push(wrong);
        let path = format!("/v1/replay?viewer={}", seat.as_str().unwrap());
        let report = app.post(&path, with.to_string()).await.json();
        assert_eq!(problem["violation"], report["verdict"]["violation"]);
        // The violation names the place in a record, the problem that in what was sent.
        let place = problem["violation"]["pointer"].as_str().unwrap().strip_prefix("/actions/3");
        assert_eq!(problem["pointer"], format!("/action{}", place.unwrap()));
    }
    // Who sends it is known by the token, whatever the action says.
    for wrong in [json!({}), json!({"type": "draw"}), json!({"type": 7, "player": 7}), json!(7)] {
        let problem = table.act(token, &wrong, "3").await.problem(422, "action_refused");
        let (violation, said) = (&problem["violation"], problem.to_string());
        assert_eq!(
            (&violation["player"], violation["code"] == "refused"),
            (&seat, false),
            "{said}"
        );
        assert!(problem["pointer"].as_str().unwrap().starts_with("/action"), "{said}");
        assert!(!said.contains("only to the player who sent it"), "{said}");
    }
    assert_eq!(table.get("", Some(token)).await.body, before);
}

#[actix_web::test]
async fn an_action_is_taken_once_and_only_at_its_moment() {
    let app = TestApp::new();
    let record = legal(4);
    let table = Seated::of(&app, &record).await;
    let (first, second) = (&record["actions"][0], &record["actions"][1]);
    let token = |action: &Value| table.seats[action["player"].as_str().unwrap()].clone();
    let uri = format!("/v1/tables/{}/actions", table.id);
    let bare = || TestRequest::post().uri(&uri).set_json(json!({"action": first}));
    let missing = app.send_as(&token(first), bare()).await.problem(428, "precondition_required");
    assert_eq!(missing["version"], "0");
    let body = json!({"action": first});
    let done = table.act_with(&token(first), &body, "0", Some("one")).await;
    assert_eq!((done.status, done.header("etag")), (200, "\"1\""));
    // The same again is answered and not taken; another one under its name is not.
    let again = table.act_with(&token(first), &body, "0", Some("one")).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (200, "true"));
    assert_eq!(
        (&again.json()["version"], &again.json()["events"]),
        (&json!("1"), &done.json()["events"])
    );
    // However it is written: keys in another order, a whole number with a fraction.
    let fields = first.as_object().unwrap();
    let turned: Vec<String> =
        fields.iter().rev().map(|(key, value)| format!("{key:?} : {value}")).collect();
    let uri_of = TestRequest::post().uri(&uri).insert_header(("content-type", "application/json"));
    let turned = uri_of
        .insert_header(("if-match", "\"0\""))
        .insert_header(("idempotency-key", "one"))
        .set_payload(format!("{{\"action\": {{ {} }}}}", turned.join(", ")));
    let turned = app.send_as(&token(first), turned).await;
    assert_eq!((turned.status, turned.header("idempotency-replayed")), (200, "true"));
    // It counts the legal actions, and says where they are.
    let link = done.json()["legal_actions"].as_str().unwrap().to_owned();
    assert_eq!(link, format!("/v1/tables/{}/legal-actions", table.id));
    assert_eq!(app.send_as(&token(first), TestRequest::get().uri(&link)).await.status, 200);
    let other = json!({"action": second});
    let used = table.act_with(&token(first), &other, "1", Some("one")).await;
    assert!([403, 409].contains(&used.status), "{:?}", used.body);
    // A name of one's own is nobody else's.
    let late = table.act(&token(second), second, "0").await;
    let late = late.problem(412, "stale");
    assert_eq!(late["version"], "1");
    for good in ["1", "*", "1-1-br", "0\", \"1"] {
        let version = table.get("", None).await.json()["version"].as_str().unwrap().to_owned();
        if version != "1" {
            table.post("/undo", Some(&table.host), &json!({"to": 1})).await;
            let version = table.get("", None).await.json()["version"].clone();
            assert!(version.as_str().unwrap().starts_with("1."), "{version}");
            table.act(&token(second), second, "1").await.problem(412, "stale");
            break;
        }
        let header = if good == "*" { "*".to_owned() } else { format!("\"{good}\"") };
        let request = TestRequest::post().uri(&uri).insert_header(("if-match", header));
        let answer = app.send_as(&token(second), request.set_json(json!({"action": second}))).await;
        assert_eq!(answer.status, 200, "{good}: {:?}", answer.body);
    }
}

#[actix_web::test]
async fn everybody_sees_and_does_what_is_theirs() {
    let app = TestApp::new();
    let table = Seated::of(&app, &legal(0)).await;
    let seats: Vec<&String> = table.seats.keys().collect();
    let (one, two) = (&table.seats[seats[0]], &table.seats[seats[1]]);
    let looks = async |token: Option<&str>, viewer: &str| {
        table.get(&format!("?viewer={viewer}"), token).await
    };
    for (token, viewer, status) in [
        (None, "spectator", 200),
        (None, "referee", 401),
        (None, seats[0].as_str(), 401),
        (Some(one.as_str()), seats[0].as_str(), 200),
        (Some(one), "spectator", 200),
        (Some(one), seats[1].as_str(), 403),
        (Some(one), "referee", 403),
        (Some(&table.host), "referee", 200),
        (Some(&table.host), seats[1].as_str(), 200),
        (Some(one), "nobody", 404),
    ] {
        let answer = looks(token, viewer).await;
        assert_eq!(answer.status, status, "{viewer}: {:?}", answer.body);
        if status == 200 {
            assert_eq!(answer.json()["viewer"], viewer);
        }
    }
    // An open server takes any token of its own for none; one that is unclear is refused.
    let decides = table.get("", None).await.json()["now"]["decision"]["players"][0].clone();
    let action = json!({"type": "no such thing", "player": decides});
    let other = if table.seats[decides.as_str().unwrap()] == *one { two } else { one };
    table.act(other, &action, "0").await.problem(403, "forbidden");
    table.act("umpire_unknown", &action, "0").await.problem(401, "unauthorized");
    table.act(&table.host, &action, "0").await.problem(422, "action_refused");
    for (path, body) in [("/seal", json!({})), ("/undo", json!({"to": 0}))] {
        table.post(path, None, &body).await.problem(401, "unauthorized");
    }
    table.post("/seal", Some(one), &json!({})).await.problem(403, "forbidden");
    table.ask(Method::DELETE, "", Some(one), None).await.problem(403, "forbidden");
    assert_eq!(table.ask(Method::DELETE, "", Some(&table.host), None).await.status, 204);
    table.get("", Some(one)).await.problem(404, "not_found");
    app.get("/v1/tables/xyz").await.problem(404, "not_found");
}

/// Nothing that only memory knows: whatever moment a service ends at, another one goes on from there.
#[actix_web::test]
async fn what_is_forgotten_in_memory_is_made_again() {
    let app = TestApp::new();
    let record = legal(4);
    let table = Seated::of(&app, &record).await;
    let Seated { id, host, seats, .. } = table;
    let mut app = app;
    let mut last = None;
    for ply in 0..4 {
        let forgetful = app.change(|service| {
            let (store, cpu) = (service.store.clone(), service.cpu.clone());
            let memory = service.memory.clone();
            service.tables = Arc::new(Tables::new(store, cpu, memory, service.limits));
        });
        let table =
            Seated { app: &forgetful, id: id.clone(), host: host.clone(), seats: seats.clone() };
        let before = table.get("", Some(&host)).await.body;
        if let Some(last) = last {
            assert_eq!(before, last, "{ply}");
        }
        table.play(&record, ply, ply + 1).await;
        last = Some(table.get("", Some(&host)).await.body);
        app = forgetful;
    }
}

/// What a watcher is told, step by step, comes to what it would be shown; whoever lags behind is told in one go.
#[actix_web::test]
async fn watchers_are_told_everything_however_slow_they_are() {
    let app = TestApp::new();
    let record = whole_game(game().meta().id);
    let plies = 80;
    let record = cut(&record, plies);
    let table = Seated::of(&app, &record).await;
    let service = app.data();
    let id = table.id.parse().unwrap();
    let seat = game().meta().seats[0];
    let viewer = Observer::Seat(game().meta().seat(seat).unwrap());
    let watch = async |from| {
        table.get("", None).await;
        let locked = service.tables.lock(id).await;
        service.tables.watch(&locked, (viewer, Language::ENGLISH), from).unwrap()
    };
    let (mut quick, first) = watch(None).await;
    let (mut slow, _) = watch(None).await;
    let data = |text: &[u8]| -> Value {
        let text = std::str::from_utf8(text).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        serde_json::from_str(line).unwrap()
    };
    let mut state = data(&first.unwrap().text)["now"]["state"].clone();
    let mut events = Vec::new();
    for ply in 0..plies {
        table.play(&record, ply, ply + 1).await;
        let Next::Frame(frame) = quick.pull() else { panic!("nothing was told of {ply}") };
        assert!(frame.text.starts_with(format!("id: {}\nevent: step\n", ply + 1).as_bytes()));
        let step = data(&frame.text);
        follow(&mut state, &step);
        events.extend(step["events"].as_array().unwrap().clone());
        assert!(matches!(quick.pull(), Next::Nothing));
    }
    let now = table.get("", Some(&table.seats[seat])).await.json();
    assert_eq!(now["now"]["state"], state);
    let all = table.get(&format!("/events?viewer={seat}"), Some(&table.seats[seat])).await.json();
    let all: Vec<Value> = all["events"].as_array().unwrap().clone();
    let of_actions = |event: &&Value| event["opening"] != json!(true);
    let all: Vec<Value> = all.into_iter().filter(|event| of_actions(&event)).collect();
    for (at, (one, other)) in all.iter().zip(&events).enumerate() {
        assert_eq!(one, other, "{at}");
    }
    assert_eq!(all.len(), events.len());
    assert!(matches!(slow.pull(), Next::Lost));
    let locked = service.tables.lock(id).await;
    let caught_up = data(&slow.catch_up(&locked).unwrap().text);
    drop(locked);
    assert_eq!(caught_up["state"], state);
    assert!(matches!(slow.pull(), Next::Nothing));
    // Going on from a moment, nothing is left out and nothing is told twice.
    let from = |event: &&Value| event["ply"].as_u64().unwrap() >= 77;
    let (_, frame) = watch(Some("77".parse().unwrap())).await;
    let rest = data(&frame.unwrap().text);
    assert_eq!(
        rest["events"].as_array().unwrap().iter().collect::<Vec<_>>(),
        events.iter().filter(from).collect::<Vec<_>>()
    );
    assert!(watch(Some(plies.to_string().parse().unwrap())).await.1.is_none());
    assert_eq!(service.tables.count().1, 2);
    drop((quick, slow));
    assert_eq!(service.tables.count().1, 0);
}

/// An undo by the players: asked of all who are concerned, and only where nothing was learned by what is taken back.
#[actix_web::test]
async fn players_take_back_together_what_told_nobody_anything() {
    let mut undone = BTreeMap::new();
    for game in GAMES.iter() {
        let app = TestApp::new();
        let record = cut(&whole_game(game.meta().id), 30);
        let table = Seated::of(&app, &record).await;
        for ply in 0..30 {
            let before = table.get("", Some(&table.host)).await.json();
            let seat = record["actions"][ply]["player"].as_str().unwrap();
            let version = before["version"].as_str().unwrap();
            let done = table.act(&table.seats[seat], &record["actions"][ply], version).await;
            assert_eq!(done.status, 200, "{ply}: {:?}", done.body);
            let asked = table.post("/undo", Some(&table.seats[seat]), &json!({"to": ply})).await;
            let drawn =
                app.post("/v1/replay?include=tape", cut(&record, ply + 1).to_string()).await.json()
                    ["tape"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|draw| draw["ply"] == json!(ply) && draw["opening"] != json!(true));
            match asked.status {
                409 => drop(asked.problem(409, "conflict")),
                _ => {
                    assert_eq!(asked.status, 200, "{:?}", asked.body);
                    assert!(!drawn, "a draw was taken back at {ply}");
                    let mut now = asked.json();
                    while !now["undo"].is_null() {
                        let missing = now["undo"]["missing"][0].as_str().unwrap().to_owned();
                        let token = &table.seats[&missing];
                        now = table.post("/undo", Some(token), &json!({"to": ply})).await.json();
                    }
                    let now = table.get("", Some(&table.host)).await.json();
                    assert_eq!(now["now"], before["now"], "{} {ply}", game.meta().id);
                    let undos = undone.entry(game.meta().id).or_insert(0);
                    *undos += 1;
                    assert_eq!(now["version"], format!("{ply}.{undos}"));
                    let token = &table.seats[seat];
                    let again =
                        table.act(token, &record["actions"][ply], &format!("{ply}.{undos}")).await;
                    assert_eq!(again.status, 200, "{:?}", again.body);
                }
            }
        }
    }
    assert!(GAMES.iter().all(|game| undone.get(game.meta().id) >= Some(&5)), "{undone:?}");
}

#[actix_web::test]
async fn the_host_takes_back_what_players_cannot_and_a_proposal_ends_with_the_next_action() {
    let app = TestApp::new();
    let record = legal(6);
    let table = Seated::of(&app, &record).await;
    table.play(&record, 0, 6).await;
    let back = table.post("/undo", Some(&table.host), &json!({"to": 2})).await.json();
    assert_eq!((&back["version"], &back["now"]["ply"]), (&json!("2.1"), &json!(2)));
    let replay = app.post("/v1/replay?ply=2", record.to_string()).await.json();
    assert_eq!(back["now"]["state"], replay["state"]);
    // The same chance falls again: nobody gets another card by taking back.
    for ply in 2..6 {
        let action = &record["actions"][ply];
        let token = &table.seats[action["player"].as_str().unwrap()];
        assert_eq!(table.act(token, action, &format!("{ply}.1")).await.status, 200, "{ply}");
    }
    let now = table.get("", Some(&table.host)).await.json();
    let replay = app.post("/v1/replay", record.to_string()).await.json();
    assert_eq!(now["now"]["state"], replay["state"]);
    let far = table.post("/undo", Some(&table.host), &json!({"to": 6})).await;
    assert_eq!(far.problem(422, "bad_record")["pointer"], "/to");
}

#[actix_web::test]
async fn a_fair_draw_gives_a_seed_that_anybody_can_check() {
    let app = TestApp::new();
    let id = game().meta().id;
    let table = Seated::new(&app, &json!({"game": id, "chance": {"fair": true}})).await;
    let seats: Vec<&str> = table.seats.keys().map(String::as_str).collect();
    let now = table.get("", None).await.json();
    assert_eq!((&now["now"], &now["fair"]["stage"]), (&Value::Null, &json!("committing")));
    let server = now["fair"]["server"].as_str().unwrap().to_owned();
    let secret = |at: usize| format!("{:02x}", at + 1).repeat(32);
    let draw =
        async |seat: &str, body: Value| table.post("/draw", Some(&table.seats[seat]), &body).await;
    for (at, seat) in seats.iter().enumerate() {
        let early = draw(seat, json!({"reveal": secret(at)})).await;
        early.problem(409, "conflict");
        table.act(&table.host, &json!({"player": seat}), "0").await.problem(409, "conflict");
        let commit = json!({"commit": commitment(&table.id, seat, &secret(at))});
        assert_eq!(draw(seat, commit.clone()).await.status, 200);
        draw(seat, commit).await.problem(409, "conflict");
    }
    draw(seats[0], json!({"commit": "x"})).await.problem(422, "bad_record");
    let nothing = draw(seats[0], json!({})).await.problem(422, "bad_record");
    assert_eq!(nothing["pointer"], "");
    draw(seats[0], json!({"without": seats[1]})).await.problem(403, "forbidden");
    let wrong = draw(seats[0], json!({"reveal": secret(7)})).await;
    assert_eq!(wrong.problem(422, "bad_record")["pointer"], "/reveal");
    let mut last = Value::Null;
    for (at, seat) in seats.iter().enumerate() {
        last = draw(seat, json!({"reveal": secret(at)})).await.json();
    }
    assert_eq!((&last["fair"]["stage"], &last["version"]), (&json!("drawn"), &json!("0")));
    assert!(last["now"]["state"].is_object());
    let sealed = table.post("/seal", Some(&table.host), &json!({})).await.json();
    let path = format!("/v1/records/{}", sealed["record"].as_str().unwrap());
    let mut record = app.get(&path).await.json();
    let fair = &record["chance"]["fair"];
    assert_eq!(fair["parts"][0]["who"], "server");
    let opened = fair["parts"][0]["secret"].as_str().unwrap();
    assert_eq!(commitment(&table.id, "server", opened), server);
    let claims = |judged: Value| {
        let all = judged["verdict"]["claims"].as_array().unwrap().clone();
        all.into_iter().find(|claim| claim["claim"] == "/chance/fair").unwrap()
    };
    let judged = app.post("/v1/validate", record.to_string()).await.json();
    assert_eq!(claims(judged)["holds"], true);
    let verify = |record: &Value| umpire(&["fair", "verify", "-"], &record.to_string());
    let good = verify(&record);
    assert_eq!(code(&good), 0, "{}", out(&good));
    assert!(out(&good).contains("no participant could choose it"), "{}", out(&good));
    // Another secret, or another seed, is found out.
    let mut stacked = record.clone();
    stacked["chance"]["seed"] = json!("stacked");
    let mut forgeries = vec![stacked];
    // So is a transcript that gives another seed because of whom it names, the seed made to fit.
    let forge = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut forged = record.clone();
        change(forged["chance"]["fair"]["parts"].as_array_mut().unwrap());
        let fair: Transcript = serde_json::from_value(forged["chance"]["fair"].clone()).unwrap();
        forged["chance"]["seed"] = json!(fair.seed());
        forged
    };
    let nobody = json!({
        "who": "nobody", "secret": secret(4), "commitment": commitment(&table.id, "nobody", &secret(4)),
    });
    forgeries.push(forge(&|parts| parts.push(nobody.clone())));
    forgeries.push(forge(&|parts| drop(parts.pop())));
    forgeries.push(forge(&|parts| parts.swap(1, 2)));
    record["chance"]["fair"]["parts"][1]["secret"] = json!(secret(9));
    forgeries.push(record);
    for forged in forgeries {
        let judged = app.post("/v1/validate", forged.to_string()).await.json();
        assert_eq!(claims(judged)["holds"], false);
        assert_eq!(code(&verify(&forged)), 1, "{}", out(&verify(&forged)));
    }
}

/// A program gives no part of the seed: the transcript says that it plays the seat, and the record holds.
#[actix_web::test]
async fn a_fair_draw_goes_without_a_program_and_says_so() {
    let app = TestApp::new();
    let seats = game().meta().seats;
    let request = json!({
        "game": game().meta().id,
        "players": {seats[0]: {"search": 1}},
        "chance": {"fair": true},
    });
    let table = Seated::new(&app, &request).await;
    for (seat, token) in &table.seats {
        let secret = "0d".repeat(32);
        let commit = json!({"commit": commitment(&table.id, seat, &secret)});
        assert_eq!(table.post("/draw", Some(token), &commit).await.status, 200);
    }
    for token in table.seats.values() {
        let opened = table.post("/draw", Some(token), &json!({"reveal": "0d".repeat(32)})).await;
        assert_eq!(opened.status, 200);
    }
    let sealed = table.post("/seal", Some(&table.host), &json!({})).await.json();
    let path = format!("/v1/records/{}", sealed["record"].as_str().unwrap());
    let record = app.get(&path).await.json();
    let part = &record["chance"]["fair"]["parts"][1];
    assert_eq!((&part["who"], &part["program"]), (&json!(seats[0]), &json!(true)));
    let judged = app.post("/v1/validate", record.to_string()).await.json();
    assert_eq!(judged["verdict"]["claims"][0]["holds"], true, "{judged}");
    let said = umpire(&["fair", "verify", "-"], &record.to_string());
    assert_eq!(code(&said), 0);
    assert!(out(&said).contains("played by a program"), "{}", out(&said));
}

#[actix_web::test]
async fn the_host_goes_on_without_a_seat_that_does_not_open_its_part() {
    let app = TestApp::new();
    let table =
        Seated::new(&app, &json!({"game": game().meta().id, "chance": {"fair": true}})).await;
    let seats: Vec<&str> = table.seats.keys().map(String::as_str).collect();
    let secret = "ab".repeat(32);
    for seat in &seats {
        let commit = json!({"commit": commitment(&table.id, seat, &secret)});
        table.post("/draw", Some(&table.seats[*seat]), &commit).await;
    }
    table.post("/draw", Some(&table.seats[seats[0]]), &json!({"reveal": secret})).await;
    let host = Some(table.host.as_str());
    table.post("/draw", host, &json!({"without": seats[0]})).await.problem(409, "conflict");
    for left in &seats[1..] {
        let now = table.get("", None).await.json();
        assert_eq!(now["fair"]["missing"][0], **left);
        assert_eq!(table.post("/draw", host, &json!({"without": left})).await.status, 200);
    }
    let record = table.post("/seal", host, &json!({})).await.json();
    let record =
        app.get(&format!("/v1/records/{}", record["record"].as_str().unwrap())).await.json();
    let parts = record["chance"]["fair"]["parts"].as_array().unwrap().clone();
    let part = parts.iter().find(|part| part["who"] == seats[1]).unwrap();
    assert_eq!((part["secret"].is_null(), part["commitment"].is_null()), (true, false));
    assert!(
        app.post("/v1/validate", record.to_string()).await.json()["verdict"]["claims"][0]["holds"]
            .as_bool()
            .unwrap()
    );
}

#[actix_web::test]
async fn what_falls_may_be_entered_by_hand() {
    let app = TestApp::new();
    let record = legal(5);
    let report = app.post("/v1/replay?include=tape", record.to_string()).await.json();
    let tape = report["tape"].as_array().unwrap();
    let of = |ply: Option<u64>| -> Vec<&Value> {
        let opening = |draw: &&Value| draw["opening"] == json!(true);
        match ply {
            None => tape.iter().filter(opening).collect(),
            Some(ply) => tape.iter().filter(|it| !opening(it) && it["ply"] == json!(ply)).collect(),
        }
    };
    let begin =
        json!({"game": record["game"], "options": record["options"], "chance": {"tape": of(None)}});
    let begin: Value = Value::Object(
        begin.as_object().unwrap().clone().into_iter().filter(|(_, it)| !it.is_null()).collect(),
    );
    let short = json!({"game": record["game"], "chance": {"tape": []}});
    let refused = app.post("/v1/tables", short.to_string()).await.problem(422, "bad_record");
    assert_eq!(refused["pointer"], "/chance/tape/0");
    let table = Seated::new(&app, &begin).await;
    let mut asked = [0, 0];
    for ply in 0..5_u64 {
        let action = &record["actions"][ply as usize];
        let token = &table.seats[action["player"].as_str().unwrap()];
        let fallen = of(Some(ply));
        let version = ply.to_string();
        if !fallen.is_empty() {
            let without = table.act(token, action, &version).await.problem(422, "action_refused");
            assert_eq!(without["violation"]["code"], "tape_exhausted");
            assert_eq!(without["pointer"], "/tape");
            // A player is told what his own action asks for, but not which draw of another side.
            let message = without["violation"]["message"].as_str().unwrap();
            let own = fallen[0]["side"].is_null() || fallen[0]["side"] == action["player"];
            asked[usize::from(own)] += 1;
            let named = fallen[0]["side"].as_str().unwrap_or("die");
            assert_eq!(message.contains(named), own, "{message}");
            let without = table.act(&table.host, action, &version).await;
            let without = without.problem(422, "action_refused");
            assert_eq!(without["pointer"], "/tape/0");
            assert!(without["violation"]["message"].as_str().unwrap().contains(named));
        }
        let mut more = fallen.clone();
        more.push(&tape[0]);
        let body = json!({"action": action, "tape": more});
        let much =
            table.act_with(token, &body, &version, None).await.problem(422, "action_refused");
        assert!(much["violation"]["code"].as_str().unwrap().starts_with("tape_"), "{much}");
        let body = json!({"action": action, "tape": fallen});
        let taken = table.act_with(token, &body, &version, None).await;
        assert_eq!(taken.status, 200, "{ply}: {:?}", taken.body);
    }
    assert!(asked[1] > 0, "no action asked for anything");
    let now = table.get("", Some(&table.host)).await.json();
    assert_eq!(now["now"]["state"], report["state"]);
}

/// A program cannot say what falls: such a table would never go on.
#[actix_web::test]
async fn no_program_plays_where_what_falls_is_entered_by_hand() {
    let app = TestApp::new();
    let seats = game().meta().seats;
    let report = app.post("/v1/replay?include=tape", legal(0).to_string()).await.json();
    let begin = json!({
        "game": game().meta().id,
        "chance": {"tape": report["tape"]},
        "players": {seats[1]: {"search": 8}},
    });
    let refused = app.post("/v1/tables", begin.to_string()).await.problem(422, "bad_record");
    assert_eq!(refused["pointer"], format!("/players/{}", seats[1]));
}

/// A seat that says again what it wished changes nothing; what it wished it may withdraw.
#[actix_web::test]
async fn a_wish_to_take_back_counts_once_and_may_be_withdrawn() {
    let app = TestApp::new();
    let mut found = false;
    for game in GAMES.iter() {
        let record = cut(&whole_game(game.meta().id), 30);
        let table = Seated::of(&app, &record).await;
        let early = table.post("/undo", Some(&table.host), &json!({"to": 0})).await;
        let early = early.problem(422, "bad_record");
        assert!(early["detail"].as_str().unwrap().contains("no action has been taken"), "{early}");
        table.post("/undo", Some(&table.host), &json!({})).await.problem(422, "bad_record");
        for ply in 0..30 {
            table.play(&record, ply, ply + 1).await;
            let seat = record["actions"][ply]["player"].as_str().unwrap();
            let token = Some(table.seats[seat].as_str());
            let wish = json!({"to": ply});
            let asked = table.post("/undo", token, &wish).await;
            if asked.status != 200 || asked.json()["undo"].is_null() {
                if asked.status == 200 {
                    break;
                }
                continue;
            }
            found = true;
            let again = table.post("/undo", token, &wish).await;
            assert_eq!((&again.body, again.header("etag")), (&asked.body, asked.header("etag")));
            // Nobody else's, and not the host's.
            let other = asked.json()["undo"]["missing"][0].as_str().unwrap().to_owned();
            for somebody in [&table.seats[&other], &table.host] {
                let still = table.post("/undo", Some(somebody), &json!({"to": null})).await.json();
                assert_eq!(still["undo"], asked.json()["undo"]);
            }
            let gone = table.post("/undo", token, &json!({"to": null})).await;
            assert_eq!((gone.status, &gone.json()["undo"]), (200, &Value::Null));
            assert_ne!(gone.header("etag"), asked.header("etag"));
            let none = table.post("/undo", token, &json!({"to": null})).await;
            assert_eq!(none.header("etag"), gone.header("etag"));
            break;
        }
    }
    assert!(found, "no action of a whole game can be taken back by agreement");
}

/// What a part of an action leads to nowhere by is named, with what is known there.
#[actix_web::test]
async fn a_part_of_an_action_that_no_legal_one_has_is_named() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let record = cut(&whole_game(game.meta().id), 8);
        let ask = async |partial: Value| {
            let text: String = url_escaped(&partial.to_string());
            app.post(&format!("/v1/legal-actions?partial={text}"), record.to_string()).await.json()
        };
        let action = ask(json!({})).await;
        let seat = action["decision"]["players"][0].clone();
        let list = app.post("/v1/legal-actions", record.to_string()).await.json();
        let choices = list["choices"].as_array().unwrap();
        let own = choices.iter().find(|it| it["player"] == seat).unwrap();
        let Some(action) = own["actions"].as_array().and_then(|all| all.last()) else { continue };
        assert!(ask(action.clone()).await["stray"].is_null());
        // A note is no part of what is judged.
        let mut noted = action.clone();
        noted["note"] = json!("what is this?");
        let noted = ask(noted).await;
        assert!(noted["stray"].is_null() && !noted["choices"][0]["count"].is_null(), "{noted}");
        assert_eq!(noted["choices"], ask(action.clone()).await["choices"]);
        let stray = async |change: &dyn Fn(&mut Value)| {
            let mut changed = action.clone();
            change(&mut changed);
            ask(changed).await["stray"].clone()
        };
        let unknown = stray(&|it| it["type"] = json!("flie")).await;
        assert_eq!(unknown["pointer"], "/type", "{unknown}");
        let types = unknown["known"][0]["values"].as_array().unwrap();
        assert!(types.contains(&action["type"]), "{unknown}");
        let message = unknown["message"].as_str().unwrap();
        assert!(message.contains("flie") && message.contains(action["type"].as_str().unwrap()));
        let misspelt = stray(&|it| it["crad"] = json!("x")).await;
        assert_eq!(misspelt["pointer"], "/crad", "{misspelt}");
        let other = stray(&|it| it["player"] = json!("nobody")).await;
        assert_eq!(other["pointer"], "/player", "{other}");
        assert!(other["known"][0]["values"].as_array().unwrap().contains(&seat), "{other}");
        for key in action
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| !["type", "player"].contains(&key.as_str()))
        {
            let wrong = stray(&|it| it[key] = json!({"no": "such thing"})).await;
            assert_eq!(wrong["pointer"], format!("/{key}"), "{wrong}");
            assert!(!wrong["message"].as_str().unwrap().is_empty());
        }
    }
}

/// A text as it stands in a query.
fn url_escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The stages of a fair draw do not change the version: whoever comes again after them is told the whole.
#[actix_web::test]
async fn a_stream_that_broke_off_in_a_fair_draw_goes_on_with_the_whole_table() {
    let app = TestApp::new();
    let request = json!({"game": game().meta().id, "chance": {"fair": true}});
    let table = Seated::new(&app, &request).await;
    let service = app.data();
    let id = table.id.parse().unwrap();
    let begun = async |from: Option<&str>| {
        table.get("", None).await;
        let locked = service.tables.lock(id).await;
        let audience = (Observer::Spectator, Language::ENGLISH);
        let from = from.map(|id| id.parse().unwrap());
        let (_, first) = service.tables.watch(&locked, audience, from).unwrap();
        first.map(|frame| {
            let text = String::from_utf8(frame.text.to_vec()).unwrap();
            let mut lines = text.lines();
            let id = lines.next().unwrap().strip_prefix("id: ").unwrap().to_owned();
            (id, lines.next().unwrap().to_owned())
        })
    };
    let mut ids = vec![begun(None).await.unwrap().0];
    let secret = "0e".repeat(32);
    let mut parts: Vec<(&String, Value)> = Vec::new();
    for seat in table.seats.keys() {
        parts.push((seat, json!({"commit": commitment(&table.id, seat, &secret)})));
    }
    parts.extend(table.seats.keys().map(|seat| (seat, json!({"reveal": secret}))));
    for (seat, part) in parts {
        let taken = table.post("/draw", Some(&table.seats[seat]), &part).await;
        assert_eq!((taken.status, &taken.json()["version"]), (200, &json!("0")));
        for old in &ids {
            let (id, event) = begun(Some(old)).await.expect("something has happened since");
            assert_eq!(event, "event: table");
            assert!(!ids.contains(&id), "{id} of {ids:?}");
        }
        let present = begun(None).await.unwrap().0;
        assert_eq!(begun(Some(&present)).await, None);
        ids.push(present);
    }
    assert_eq!(ids.last().unwrap(), "0");
    // Nor do later actions give those a step who have never seen the game.
    let now = table.get("?include=legal", Some(&table.host)).await.json();
    let action = &now["legal"]["choices"][0]["actions"][0];
    assert_eq!(table.act(&table.host, action, "0").await.status, 200);
    for (at, old) in ids.iter().enumerate() {
        let event = if at + 1 == ids.len() { "event: step" } else { "event: table" };
        assert_eq!(begun(Some(old)).await.unwrap(), ("1".to_owned(), event.to_owned()), "{old}");
    }
}

#[actix_web::test]
async fn a_program_plays_its_seat() {
    let app = TestApp::new();
    let seats = game().meta().seats;
    let players = json!({seats[0]: {"search": 8}, seats[1]: "Anna"});
    let table = Seated::new(
        &app,
        &json!({"game": game().meta().id, "players": players, "chance": {"seed": "a program"}}),
    )
    .await;
    assert_eq!(table.seats.keys().collect::<Vec<_>>(), [seats[1]]);
    let mut acted = 0;
    while acted < 3 {
        let now = table.get("?include=legal", Some(&table.seats[seats[1]])).await.json();
        let version = now["version"].as_str().unwrap();
        if now["now"]["decision"]["players"][0] == seats[1] {
            let action = &now["legal"]["choices"][0]["actions"][0];
            let token = &table.seats[seats[1]];
            assert_eq!(table.act(token, action, version).await.status, 200);
            acted += 1;
        } else {
            let stolen = json!({"type": "x", "player": seats[0]});
            assert_eq!(table.act(&table.host, &stolen, version).await.status / 100, 4);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let search = format!("/players/{}/search", seats[0]);
    for (wrong, at, said) in [
        (json!({"search": 0}), &*search, "from 1 to 20000"),
        (json!({"search": 1.5}), &*search, "1.5"),
        (json!({"search": -1}), &*search, "-1"),
        (json!({"search": "much"}), &*search, "much"),
        (json!({"serach": 8}), &format!("/players/{}/serach", seats[0]), "serach"),
        (json!(7), &format!("/players/{}", seats[0]), "a name, or {\"search\": a number}"),
    ] {
        let body = json!({"game": game().meta().id, "players": {seats[0]: wrong}});
        let problem = app.post("/v1/tables", body.to_string()).await.problem(422, "bad_record");
        assert_eq!(problem["pointer"], at, "{problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(said) && !detail.contains("any value"), "{problem}");
    }
    for wrong in [json!({seats[0]: {"search": 0}}), json!({seats[0]: 7}), json!({"nobody": "Anna"})]
    {
        let body = json!({"game": game().meta().id, "players": wrong});
        assert!([409, 422].contains(&app.post("/v1/tables", body.to_string()).await.status));
    }
}

/// In worlds that a viewer cannot tell apart, every answer and everything that is sent is the same to the byte.
#[actix_web::test]
async fn nothing_of_a_table_tells_a_viewer_what_is_hidden_from_it() {
    let worlds = Worlds::find().await;
    let mut told: Vec<Vec<String>> = Vec::new();
    for record in &worlds.records {
        let app = TestApp::new();
        let open = cut(record, 0);
        let mut begin = open.clone();
        let report = app.post("/v1/replay?include=tape", record.to_string()).await.json();
        let tape = report["tape"].as_array().unwrap();
        let opening: Vec<&Value> = tape.iter().filter(|it| it["opening"] == json!(true)).collect();
        begin["chance"] = json!({"tape": opening});
        let table = Seated::of(&app, &begin).await;
        let service = app.data();
        let id = table.id.parse().unwrap();
        let viewer = game().viewer(worlds.viewer).unwrap();
        table.get("", None).await;
        let locked = service.tables.lock(id).await;
        let audience = (viewer, Language::ENGLISH);
        let (mut watcher, first) = service.tables.watch(&locked, audience, None).unwrap();
        drop(locked);
        let mut all = vec![String::from_utf8(first.unwrap().text.to_vec()).unwrap()];
        let token = table.seats.get(worlds.viewer);
        for (ply, action) in record["actions"].as_array().unwrap().iter().enumerate() {
            let player = action["player"].as_str().unwrap();
            let fallen: Vec<&Value> = tape
                .iter()
                .filter(|it| it["opening"] != json!(true) && it["ply"] == json!(ply))
                .collect();
            let body = json!({"action": action, "tape": fallen});
            let answer = table.act_with(&table.seats[player], &body, &ply.to_string(), None).await;
            assert_eq!(answer.status, 200, "{:?}", answer.body);
            let own = player == worlds.viewer;
            all.extend(own.then(|| String::from_utf8(answer.body.to_vec()).unwrap()));
            let Next::Frame(frame) = watcher.pull() else { panic!("nothing was told") };
            all.push(String::from_utf8(frame.text.to_vec()).unwrap());
            for path in ["", "/events", "/legal-actions", "/scene", "?include=legal,text"] {
                all.push(shown(&table.get(path, token.map(String::as_str)).await));
            }
        }
        all.extend(answers(&table, worlds.viewer, record["actions"].as_array().unwrap()).await);
        let at = table.get("", None).await.json()["created_at"].as_str().unwrap().to_owned();
        all.iter_mut().for_each(|text| *text = text.replace(&table.id, "ID").replace(&at, "AT"));
        told.push(all);
    }
    assert!(told.len() >= 8);
    for other in &told[1..] {
        assert_eq!(*other, told[0]);
    }
}

/// An answer of a table as text. Of a tag only the version: the rest is keyed by a secret of the table.
fn shown(answer: &Answer) -> String {
    let tag = answer.headers.get("etag").map(|tag| tag.to_str().unwrap());
    let version = tag.map(|tag| tag.trim_matches('"').split('-').next().unwrap().to_owned());
    format!("{} {version:?} {}", answer.status, String::from_utf8_lossy(&answer.body))
}

/// What a seat is answered whatever it asks at a table at which these actions were played, and what a spectator is.
async fn answers(table: &Seated<'_>, viewer: &str, actions: &[Value]) -> Vec<String> {
    let own = table.seats[viewer].as_str();
    let token = Some(own);
    let mut all = Vec::new();
    for path in [
        "",
        "?include=legal,text",
        "?viewer=spectator",
        "?viewer=referee",
        "/events",
        "/events?from=0&lang=it",
        "/legal-actions",
        "/legal-actions?partial={}&include=text",
        "/legal-actions?viewer=spectator",
        "/scene",
        "/scene?targets=true",
        "/hint?simulations=8",
    ] {
        all.push(shown(&table.get(path, token).await));
        all.push(shown(&table.get(path, None).await));
    }
    let plies = actions.len();
    // What others have decided, and what nobody may decide now.
    for action in actions.iter().chain([&json!({}), &json!({"type": "bid", "player": viewer})]) {
        for version in [plies, 0] {
            all.push(shown(&table.act(own, action, &version.to_string()).await));
        }
        let body = json!({"action": action});
        all.push(shown(&table.act_with(own, &body, "9999", Some("a key")).await));
    }
    for wish in (0..=plies).map(|to| json!({"to": to})).chain([json!({"to": null}), json!({})]) {
        all.push(shown(&table.post("/undo", token, &wish).await));
        all.push(shown(&table.post("/undo", None, &wish).await));
        all.push(shown(&table.get("", None).await));
        all.push(shown(&table.post("/undo", token, &json!({"to": null})).await));
    }
    let value = "ab".repeat(32);
    for part in [json!({"commit": value}), json!({"reveal": value}), json!({"without": viewer})] {
        all.push(shown(&table.post("/draw", token, &part).await));
    }
    all.push(shown(&table.ask(Method::DELETE, "", token, None).await));
    all.push(shown(&table.post("/seal", token, &json!({})).await));
    all
}

/// Beginnings of a game that differ in their last decision only, which one seat is not shown: the seat, and all of them.
/// At most one for each seat and type of decision.
async fn unseen_decisions(app: &TestApp, id: &str) -> Vec<(String, Vec<Value>)> {
    const MOST: usize = 14;
    let whole = whole_game(id);
    let played = whole["actions"].as_array().unwrap().iter();
    let seats: std::collections::BTreeSet<&str> =
        played.map(|action| action["player"].as_str().unwrap()).collect();
    let told = async |record: &Value, viewer: &str| {
        let path = format!("/v1/replay?include=events,states&viewer={viewer}");
        let report = app.post(&path, record.to_string()).await.json();
        (report["verdict"]["status"] == "in_progress").then_some(report)
    };
    let mut found: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
    for ply in 0..whole["actions"].as_array().unwrap().len().min(MOST) {
        let before = cut(&whole, ply);
        let truth = cut(&whole, ply + 1);
        let action = &truth["actions"][ply];
        let legal = app.post("/v1/legal-actions", before.to_string()).await.json();
        let choices = legal["choices"].as_array().unwrap();
        let own = choices.iter().find(|it| it["player"] == action["player"]).unwrap();
        let listed = own["actions"].as_array().cloned().unwrap_or_default();
        // Of a range other numbers, legal or not.
        let mut others: Vec<Value> =
            listed.into_iter().filter(|it| it["type"] == action["type"]).take(12).collect();
        for (field, number) in action.as_object().unwrap() {
            for other in (0..4).filter(|_| number.is_u64()) {
                let mut changed = action.clone();
                changed[field] = json!(other);
                others.push(changed);
            }
        }
        for viewer in seats.iter().copied().filter(|seat| action["player"] != **seat) {
            let key = (viewer.to_owned(), action["type"].as_str().unwrap().to_owned());
            let Some(first) = told(&truth, viewer).await.filter(|_| !found.contains_key(&key))
            else {
                continue;
            };
            let mut alike = vec![truth.clone()];
            for other in others.iter().filter(|other| *other != action) {
                let mut record = before.clone();
                record["actions"].as_array_mut().unwrap().push(other.clone());
                if alike.len() < 3 && told(&record, viewer).await.as_ref() == Some(&first) {
                    alike.push(record);
                }
            }
            if alike.len() > 1 {
                found.insert(key, alike);
            }
        }
    }
    found.into_iter().map(|((viewer, _), alike)| (viewer, alike)).collect()
}

/// Whether a card was committed or none, and how much was bid: no answer tells, refusals and undos included.
#[actix_web::test]
async fn nothing_of_a_table_tells_a_viewer_what_was_decided_in_secret() {
    let mut pairs = 0;
    for game in GAMES.iter() {
        let app = TestApp::new();
        for (viewer, records) in unseen_decisions(&app, game.meta().id).await {
            let mut told: Vec<Vec<String>> = Vec::new();
            for record in &records {
                let table = Seated::of(&app, record).await;
                let actions = record["actions"].as_array().unwrap();
                table.play(record, 0, actions.len()).await;
                let made = table.get("", None).await.json()["created_at"].clone();
                let mut all = answers(&table, &viewer, actions).await;
                for text in &mut all {
                    *text = text.replace(&table.id, "ID").replace(made.as_str().unwrap(), "AT");
                }
                told.push(all);
            }
            for other in &told[1..] {
                for (one, other) in told[0].iter().zip(other) {
                    assert_eq!(one, other, "{} {viewer}", game.meta().id);
                }
            }
            pairs += told.len() - 1;
        }
    }
    // Cards of Dragut and bids of Doubloons, each before the eyes of every other seat.
    assert!(pairs >= 4, "{pairs}");
}

/// No two viewers share a tag, and a tag of one viewer is never answered with 304 to another.
#[actix_web::test]
async fn a_tag_belongs_to_one_viewer_one_language_and_the_parts_asked_for() {
    let app = TestApp::new();
    let table = Seated::of(&app, &legal(3)).await;
    table.play(&legal(3), 0, 3).await;
    let tokens: Vec<Option<&str>> = table
        .seats
        .values()
        .map(|token| Some(token.as_str()))
        .chain([Some(&*table.host), None])
        .collect();
    let paths = ["", "?include=legal", "?include=legal,text", "?lang=it", "?viewer=spectator"];
    let mut tags = BTreeMap::new();
    for path in paths {
        for token in &tokens {
            let answer = table.get(path, *token).await;
            assert_eq!((answer.status, answer.header("vary")), (200, "authorization"));
            assert_eq!(answer.header("cache-control"), "private, no-cache");
            assert!(answer.header("etag").starts_with("\"3-"), "{}", answer.header("etag"));
            tags.insert((path, *token), answer.header("etag").to_owned());
        }
    }
    let distinct: std::collections::BTreeSet<&String> = tags.values().collect();
    // The spectator's view by its name is the same for everybody: it may have the same tag.
    assert!(distinct.len() > (paths.len() - 1) * tokens.len(), "{tags:?}");
    for (owner, tag) in &tags {
        for (path, token) in tags.keys() {
            let uri = format!("/v1/tables/{}{path}", table.id);
            let mut request =
                TestRequest::get().uri(&uri).insert_header(("if-none-match", tag.as_str()));
            if let Some(token) = token {
                request = request.insert_header(("authorization", format!("Bearer {token}")));
            }
            let answer = app.send(request).await;
            let same = tags[&(*path, *token)] == *tag;
            assert_eq!(answer.status, if same { 304 } else { 200 }, "{owner:?} {path} {token:?}");
            if same {
                assert_eq!(answer.header("etag"), tag);
                let whole = table.get(owner.0, owner.1).await;
                assert_eq!(table.get(path, *token).await.body, whole.body);
            }
        }
    }
}

/// A table is held in memory and sent to every watcher, so what its host writes about it is short.
#[actix_web::test]
async fn names_and_meta_of_a_table_are_bounded() {
    let app = TestApp::new();
    let (id, seat) = (game().meta().id, game().meta().seats[0]);
    let with = |name: &str, meta: &str| json!({"game": id, "players": {seat: name}, "meta": {"event": meta}});
    let fits = with(&"Ж".repeat(200), &"x".repeat((16 << 10) - "event".len()));
    assert_eq!(app.post("/v1/tables", fits.to_string()).await.status, 201);
    for (wrong, at) in [
        (with(&"Ж".repeat(201), ""), format!("/players/{seat}")),
        (with("", &"x".repeat(16 << 10)), "/meta".to_owned()),
        (with(&"x".repeat(4 << 20), ""), format!("/players/{seat}")),
    ] {
        let problem = app.post("/v1/tables", wrong.to_string()).await;
        let status = problem.status;
        if status != 413 {
            assert_eq!(problem.problem(422, "bad_record")["pointer"], at);
        }
    }
}

/// Keys that are not ASCII are refused: read as "?", two of them would be the same key.
#[actix_web::test]
async fn an_idempotency_key_is_ascii() {
    let app = TestApp::new();
    let record = legal(1);
    let table = Seated::of(&app, &record).await;
    let action = &record["actions"][0];
    let token = &table.seats[action["player"].as_str().unwrap()];
    let uri = format!("/v1/tables/{}/actions", table.id);
    for key in ["ключ-1".as_bytes(), "ключ-2".as_bytes(), &[0xff], b""] {
        let key = actix_web::http::header::HeaderValue::from_bytes(key).unwrap();
        let request = TestRequest::post().uri(&uri).insert_header(("if-match", "\"0\""));
        let request = request.insert_header(("idempotency-key", key));
        let answer = app.send_as(token, request.set_json(json!({"action": action}))).await;
        answer.problem(422, "bad_parameter");
    }
    assert_eq!(table.act(token, action, "0").await.status, 200);
}

/// A request over a connection, and status and JSON of the answer.
fn call(
    connection: &mut Connection,
    method: &str,
    path: &str,
    token: &str,
    more: &str,
    body: &Value,
) -> (u16, Value) {
    let body = if method == "GET" { String::new() } else { body.to_string() };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\n{more}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write(head.as_bytes()).unwrap();
    let (status, body) = connection.answer().unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

/// How often the plug is pulled in one game.
const ROUNDS: usize = 12;

/// Over the network, with the plug pulled: what was acknowledged is there, and a stream goes on without a gap.
#[test]
fn a_killed_service_has_all_that_it_acknowledged_and_streams_go_on() {
    let folder = TempDir::new().unwrap();
    kill_amid_a_game(Path::new(&crate::place(folder.path())));
}

/// Of many callers who act on the same version at once, one is right and all others are told so.
#[test]
fn of_many_who_act_on_one_version_one_is_taken() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(Path::new(&crate::place(folder.path())), &[]);
    let record = legal(6);
    let made = server.connect().post(
        "/v1/tables",
        json!({"game": record["game"], "chance": record["chance"]}).to_string().as_bytes(),
    );
    let made: Value = serde_json::from_slice(&made.unwrap().1).unwrap();
    let path = format!("/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    for (ply, action) in record["actions"].as_array().unwrap().iter().enumerate() {
        let token = made["seats"][action["player"].as_str().unwrap()].as_str().unwrap();
        let body = json!({"action": action}).to_string();
        let request = format!(
            "POST {path}/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             authorization: Bearer {token}\r\nif-match: \"{ply}\"\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let act = || {
                let mut connection = server.connect();
                connection.write(request.as_bytes()).unwrap();
                connection.answer().unwrap().0
            };
            let callers: Vec<_> = (0..50).map(|_| scope.spawn(act)).collect();
            callers.into_iter().map(|caller| caller.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
    }
}

#[test]
#[ignore = "takes hours: .ci/soak"]
fn a_night_of_kills_amid_games_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let place = crate::place(folder.path());
    (0..crate::storm::kills().div_ceil(ROUNDS)).for_each(|_| kill_amid_a_game(Path::new(&place)));
}

fn kill_amid_a_game(store: &Path) {
    let record = whole_game(game().meta().id);
    let actions = record["actions"].as_array().unwrap();
    let mut server = Server::start(store, &[]);
    let mut connection = server.connect();
    let begin =
        json!({"game": record["game"], "options": record["options"], "chance": record["chance"]});
    let begin: Value = Value::Object(
        begin.as_object().unwrap().clone().into_iter().filter(|(_, it)| !it.is_null()).collect(),
    );
    let (status, made) = call(&mut connection, "POST", "/v1/tables", "none", "", &begin);
    assert_eq!(status, 201, "{made}");
    let path = format!("/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    let mut acknowledged = 0;
    let mut told: Vec<Value> = Vec::new();
    let mut last = String::new();
    for round in 0..ROUNDS {
        let mut stream = server.connect();
        let from =
            if last.is_empty() { String::new() } else { format!("last-event-id: {last}\r\n") };
        let head = format!("GET {path}/stream HTTP/1.1\r\nhost: localhost\r\n{from}\r\n");
        stream.write(head.as_bytes()).unwrap();
        assert_eq!(stream.head().unwrap().0, 200);
        let until = ((round + 1) * actions.len() / ROUNDS).min(actions.len());
        let mut connection = server.connect();
        while acknowledged < until {
            let action = &actions[acknowledged];
            let token = made["seats"][action["player"].as_str().unwrap()].as_str().unwrap();
            let header = format!("if-match: \"{acknowledged}\"\r\n");
            let body = json!({"action": action});
            let (status, answer) =
                call(&mut connection, "POST", &format!("{path}/actions"), token, &header, &body);
            assert_eq!(status, 200, "{acknowledged}: {answer}");
            acknowledged += 1;
        }
        let mut text = String::new();
        let present = format!("id: {acknowledged}\n");
        while !text.contains(&present) {
            text += &String::from_utf8(stream.chunk().unwrap()).unwrap();
        }
        for event in text.split("\n\n") {
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let (Some(id), Some(data)) = (field("id: "), field("data: ")) else { continue };
            let data: Value = serde_json::from_str(data).unwrap();
            if field("event: ") == Some("step") {
                told.extend(data["events"].as_array().unwrap().clone());
            }
            id.clone_into(&mut last);
        }
        // The next one is sent, and nobody waits for its answer.
        if let Some(action) = actions.get(acknowledged) {
            let token = made["seats"][action["player"].as_str().unwrap()].as_str().unwrap();
            let body = json!({"action": action}).to_string();
            let head = format!(
                "POST {path}/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\nif-match: \"{acknowledged}\"\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            connection.reader.get_mut().write_all(head.as_bytes()).unwrap();
        }
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        server = Server::start(store, &[]);
        let mut connection = server.connect();
        let host = made["host"].as_str().unwrap();
        let (status, now) = call(&mut connection, "GET", &path, host, "", &Value::Null);
        assert_eq!(status, 200, "{now}");
        let ply = now["now"]["ply"].as_u64().unwrap() as usize;
        assert!(ply == acknowledged || ply == acknowledged + 1, "{ply} of {acknowledged}");
        acknowledged = ply;
    }
    assert_eq!(acknowledged, actions.len());
    let mut connection = server.connect();
    let (_, all) =
        call(&mut connection, "GET", &format!("{path}/events"), "none", "", &Value::Null);
    let opening = |event: &&Value| event["opening"] != json!(true);
    let all: Vec<Value> = all["events"].as_array().cloned().unwrap_or_default();
    let after: Vec<Value> = all.iter().filter(opening).cloned().collect();
    let missed = after.len() - told.len();
    // What was taken and not acknowledged before the last kill was told to nobody yet.
    assert!(missed <= 40 && after.starts_with(&told), "{missed}");
}

/// A page of a known origin may send what a table asks for, and read what it answers.
#[actix_web::test]
async fn pages_of_a_known_origin_may_play() {
    let app = TestApp::with(Limits::default(), None, &["https://club.example"]);
    let origin = ("origin", "https://club.example");
    for header in ["if-match", "idempotency-key", "last-event-id", "authorization"] {
        let ask = TestRequest::default().method(Method::OPTIONS).uri("/v1/tables/x/actions");
        let ask =
            ask.insert_header(origin).insert_header(("access-control-request-method", "POST"));
        let answer = app.send(ask.insert_header(("access-control-request-headers", header))).await;
        assert_eq!(answer.header("access-control-allow-origin"), origin.1, "{header}");
    }
    let answer = app.send(TestRequest::get().uri("/v1/games").insert_header(origin)).await;
    let exposed = answer.header("access-control-expose-headers").to_ascii_lowercase();
    assert!(exposed.contains("etag") && exposed.contains("idempotency-replayed"), "{exposed}");
}

/// Whoever watches is told that the table has become a record, and then that this was all; so is whoever comes later.
#[actix_web::test]
async fn a_stream_ends_with_the_table() {
    let app = TestApp::new();
    let record = cut(&whole_game(game().meta().id), 2);
    let table = Seated::of(&app, &record).await;
    let service = app.data();
    let id = table.id.parse().unwrap();
    let watch = async |from| {
        table.get("", None).await;
        let locked = service.tables.lock(id).await;
        let audience = (Observer::Spectator, Language::ENGLISH);
        service.tables.watch(&locked, audience, from).unwrap()
    };
    let (mut early, _) = watch(None).await;
    table.play(&record, 0, 2).await;
    for _ in 0..2 {
        assert!(matches!(early.pull(), Next::Frame(_)));
    }
    assert!(matches!(early.pull(), Next::Nothing));
    assert_eq!(table.post("/seal", Some(&table.host), &json!(null)).await.status, 200);
    let Next::Frame(last) = early.pull() else { panic!("the end is not told") };
    let text = std::str::from_utf8(&last.text).unwrap();
    assert!(
        text.starts_with("id: 2-3\nevent: table\n") && text.contains("\"record\":\""),
        "{text}"
    );
    assert!(matches!(early.pull(), Next::End));
    for from in [None, Some("1".parse().unwrap()), Some("2".parse().unwrap())] {
        let (mut late, first) = watch(from).await;
        assert!(first.is_some_and(|frame| frame.text.starts_with(b"id: 2-3\nevent: table\n")));
        assert!(matches!(late.pull(), Next::End));
    }
    // A browser comes again by itself, with the last id: it is told not to.
    let uri = format!("/v1/tables/{}/stream", table.id);
    let again = |id: &str| TestRequest::get().uri(&uri).insert_header(("last-event-id", id));
    let done = app.send(again("2-3")).await;
    assert_eq!((done.status, done.body.len()), (204, 0));
    for missed in ["2", "0", "2-2", "x"] {
        let rest = app.send(again(missed)).await;
        let text = String::from_utf8(rest.body.to_vec()).unwrap();
        assert_eq!(rest.status, 200);
        assert!(text.starts_with("id: 2-3\nevent: table\n"), "{missed}: {text}");
        assert!(text.ends_with("event: end\ndata: {}\n\n"), "{missed}: {text}");
    }
    // The same of what is made again of what is kept.
    service.tables.forget(id);
    let (mut late, _) = watch(None).await;
    assert!(matches!(late.pull(), Next::End));
}

#[actix_web::test]
async fn a_seat_is_advised_from_what_it_knows_and_nobody_else_is() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let record = cut(&whole_game(game.meta().id), 4);
        let table = Seated::of(&app, &record).await;
        table.play(&record, 0, 4).await;
        let now = table.get("", None).await.json();
        let decides = now["now"]["decision"]["players"][0].as_str().unwrap();
        let path = "/hint?simulations=40&most=3";
        let hint = table.get(path, Some(&table.seats[decides])).await;
        assert_eq!(hint.header("cache-control"), "no-store");
        let hint = hint.json();
        assert_eq!((&hint["player"], &hint["perspective"]), (&json!(decides), &json!(decides)));
        assert_eq!(hint["budget"], 40);
        // As anybody is advised who has the whole record, and asks for that seat.
        let sent = json!({"record": record, "seat": decides, "simulations": 40, "most": 3});
        assert_eq!(hint, app.post("/v1/hint", sent.to_string()).await.json());
        table.get(path, None).await.problem(401, "unauthorized");
        table.get(path, Some(&table.host)).await.problem(403, "forbidden");
        let mut others = table.seats.iter().filter(|(seat, _)| *seat != decides);
        if let Some((_, other)) = others.next() {
            table.get(path, Some(other)).await.problem(404, "not_found");
        }
        let much = table.get("/hint?simulations=20001", Some(&table.seats[decides])).await;
        much.problem(422, "bad_parameter");
    }
}

#[actix_web::test]
async fn a_host_may_want_no_hints_given() {
    let app = TestApp::new();
    let record = legal(0);
    let request = json!({"game": record["game"], "hints": false});
    let table = Seated::new(&app, &request).await;
    assert_eq!(table.get("", None).await.json()["hints"], false);
    for token in table.seats.values() {
        table.get("/hint?simulations=5", Some(token)).await.problem(409, "conflict");
    }
}

/// A service that stops says nothing of an end: whoever watches comes again, and goes on.
#[actix_web::test]
async fn a_stream_breaks_off_when_the_service_stops() {
    let app = TestApp::new();
    let table = Seated::of(&app, &legal(0)).await;
    let service = app.data();
    service.tables.close();
    let uri = format!("/v1/tables/{}/stream", table.id);
    let answer = app.send(TestRequest::get().uri(&uri)).await;
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(text.starts_with("id: 0\nevent: table\n") && !text.contains("event: end"), "{text}");
}
