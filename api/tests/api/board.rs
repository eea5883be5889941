//! `/v1/scene`, `…/board.svg` and `umpire board`.

use std::collections::BTreeSet;

use actix_web::test::TestRequest;
use serde_json::Value;
use umpire_engine::games::GAMES;

use crate::app::{Answer, TestApp, game, illegal, legal, whole_game};
use crate::cli::{code, error, json, out, umpire};

async fn drawn(app: &TestApp, path: &str, record: &Value) -> Answer {
    let request = TestRequest::post().uri(path).insert_header(("content-type", "application/json"));
    let request = request.insert_header(("accept", "image/svg+xml"));
    app.send(request.set_payload(record.to_string())).await
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

#[actix_web::test]
async fn a_picture_shows_every_shape_of_its_scene() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        for viewer in ["referee", "spectator", game.meta().seats[0]] {
            let path = format!("/v1/scene?ply=20&viewer={viewer}");
            let answer = app.post(&path, record.to_string()).await;
            assert_eq!(answer.header("content-type"), "application/json");
            let scene = answer.json();
            assert_eq!((&scene["ply"], &scene["viewer"]), (&20.into(), &viewer.into()), "{scene}");
            let shapes = scene["scene"]["shapes"].as_array().unwrap();
            assert!(shapes.len() > 20, "{}: {}", game.meta().id, shapes.len());
            let ids: BTreeSet<&str> = shapes.iter().map(|it| it["id"].as_str().unwrap()).collect();
            assert_eq!(ids.len(), shapes.len(), "an id is given twice");
            let answer = drawn(&app, &path, &record).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, "image/svg+xml"));
            assert_eq!(answer.header("vary"), "accept");
            let picture = text(&answer);
            for id in ids {
                let id = id.replace('&', "&amp;");
                assert_eq!(picture.matches(&format!("data-id=\"{id}\"")).count(), 1, "{id}");
            }
        }
    }
}

#[actix_web::test]
async fn a_picture_speaks_the_language_that_is_asked_for() {
    let app = TestApp::new();
    let mut told = 0;
    for game in GAMES.iter() {
        let id = game.meta().id;
        let listed = app.get("/v1/games").await.json();
        let own = listed["games"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap();
        let languages: Vec<&str> = ["en"].into_iter().chain(game.languages().to_vec()).collect();
        assert_eq!(own["languages"], serde_json::json!(languages));
        assert_eq!(app.get(&format!("/v1/games/{id}")).await.json()["languages"], own["languages"]);
        let record = whole_game(id);
        let stored = app.post("/v1/records", record.to_string()).await.json()["id"].clone();
        let stored = format!("/v1/records/{}/plies/20/board.svg", stored.as_str().unwrap());
        let sent = "/v1/scene?ply=20&viewer=spectator";
        let english = text(&drawn(&app, sent, &record).await);
        for language in game.languages() {
            let answer = drawn(&app, &format!("{sent}&lang={language}"), &record).await;
            assert_eq!(answer.header("content-language"), *language);
            let other = text(&answer);
            assert_ne!(other, english);
            let answer = app.get(&format!("{stored}?lang={language}")).await;
            assert_eq!(answer.header("content-language"), *language);
            assert_eq!(text(&answer), other);
            let out_of = umpire(
                &["--lang", language, "board", "-", "--svg", "--ply", "20"],
                &record.to_string(),
            );
            assert_ne!(
                out(&out_of),
                out(&umpire(&["board", "-", "--svg", "--ply", "20"], &record.to_string()))
            );
            told += 1;
        }
    }
    assert!(told > 0);
    assert_eq!(
        app.post("/v1/scene?lang=xx", whole_game(game().meta().id).to_string()).await.status,
        422
    );
}

#[actix_web::test]
async fn a_stored_record_is_drawn_as_a_spectator_sees_it_unless_more_is_asked_for() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let id = app.post("/v1/records", record.to_string()).await.json()["id"].clone();
        let path = format!("/v1/records/{}/plies/20/board.svg", id.as_str().unwrap());
        let stored = app.get(&path).await;
        assert_eq!((stored.status, stored.header("content-type")), (200, "image/svg+xml"));
        let public = drawn(&app, "/v1/scene?ply=20&viewer=spectator", &record).await;
        assert_eq!(text(&stored), text(&public));
        let whole = app.get(&format!("{path}?viewer=referee")).await;
        assert_eq!(text(&whole), text(&drawn(&app, "/v1/scene?ply=20", &record).await));
        assert_ne!(whole.header("etag"), stored.header("etag"));
        // Who has it need not fetch it again.
        let again = TestRequest::get().uri(&path);
        let again = again.insert_header(("if-none-match", stored.header("etag")));
        assert_eq!(app.send(again).await.status, 304);
    }
}

/// On request the shapes are marked that mean a legal action, each once, and only those that the viewer may see.
#[actix_web::test]
async fn what_can_be_chosen_is_marked_on_request() {
    let app = TestApp::new();
    let mut marked = 0;
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        for ply in [3, 20, 41] {
            let scene =
                |viewer: &str, more: &str| format!("/v1/scene?ply={ply}&viewer={viewer}{more}");
            let targets = async |viewer: &str| {
                let path = scene(viewer, "&targets=true");
                let shown = app.post(&path, record.to_string()).await.json();
                let shapes = shown["scene"]["shapes"].as_array().unwrap().clone();
                let ids = shapes.iter().map(|shape| shape["id"].as_str().unwrap().to_owned());
                let ids: BTreeSet<String> = ids.collect();
                let plain = app.post(&scene(viewer, ""), record.to_string()).await.json();
                let plain = plain["scene"]["shapes"].as_array().unwrap().len();
                let found: BTreeSet<String> = ids
                    .iter()
                    .filter_map(|id| id.strip_prefix("target:"))
                    .map(str::to_owned)
                    .collect();
                assert!(found.iter().all(|id| ids.contains(id)), "{found:?}");
                assert_eq!(plain + found.len(), shapes.len());
                found
            };
            let all = targets("referee").await;
            let public = targets("spectator").await;
            let path = format!("/v1/legal-actions?ply={ply}&viewer=spectator");
            let legal = app.post(&path, record.to_string()).await.json();
            if legal["choices"].as_array().unwrap().is_empty() {
                assert!(public.is_empty(), "{public:?}");
            }
            marked += all.len();
        }
    }
    assert!(marked > 30, "{marked}");
}

#[actix_web::test]
async fn colours_and_style_sheet_can_be_chosen() {
    let app = TestApp::new();
    let record = legal(2);
    assert!(
        text(&drawn(&app, "/v1/scene?theme=dark", &record).await).contains("data-theme=\"dark\"")
    );
    assert!(text(&drawn(&app, "/v1/scene", &record).await).contains("<style>"));
    assert!(!text(&drawn(&app, "/v1/scene?bare=true", &record).await).contains("<style>"));
}

/// Hosts that serve pictures beside pages must be able to forbid scripts.
#[actix_web::test]
async fn a_picture_needs_nothing_from_elsewhere() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let picture = text(&drawn(&app, "/v1/scene", &whole_game(game.meta().id)).await);
        // What it uses stands in itself.
        let used = picture.matches("href=").count();
        assert_eq!(picture.matches("<use href=\"#").count(), used, "{}", game.meta().id);
        for foreign in [
            "<script",
            "xlink",
            "http-equiv",
            "url(",
            "@import",
            "onload",
            "<foreignObject",
            "<image",
        ] {
            assert!(!picture.contains(foreign), "{}: {foreign}", game.meta().id);
        }
    }
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn what_cannot_be_drawn_is_a_problem() {
        let app = TestApp::new();
        let record = legal(2).to_string();
        app.post("/v1/scene?ply=9", record.clone()).await.problem(404, "not_found");
        let answer = app.post("/v1/scene?theme=blue", record.clone()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "theme");
        let answer = app.post("/v1/scene?viewer=nobody", record.clone()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "viewer");
        let seat = GAMES[1].meta().seats[0];
        app.post(&format!("/v1/scene?viewer={seat}"), record).await.problem(404, "not_found");
        app.post("/v1/scene", "[]").await.problem(422, "bad_record");
        let id = app.post("/v1/records", legal(2).to_string()).await.json()["id"].clone();
        let id = id.as_str().unwrap();
        for ply in ["9", "x", "-1"] {
            let path = format!("/v1/records/{id}/plies/{ply}/board.svg");
            app.get(&path).await.problem(404, "not_found");
        }
    }
}

#[test]
fn the_command_draws_pictures_and_characters() {
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id).to_string();
        let picture = umpire(&["board", "-", "--ply", "20"], &record);
        assert_eq!(code(&picture), 0, "{}", error(&picture));
        assert!(out(&picture).starts_with("<svg ") && out(&picture).ends_with("</svg>\n"));
        let scene = json(&umpire(&["board", "-", "--ply", "20", "--json"], &record));
        assert_eq!(scene["viewer"], "referee");
        let plain = umpire(&["board", "-", "--ply", "20", "--text"], &record);
        assert!(out(&plain).starts_with(scene["scene"]["title"].as_str().unwrap()));
        assert!(!out(&plain).contains('\u{1b}'), "no colours where there is no terminal");
        for line in out(&plain).lines() {
            assert!(line.chars().count() <= 110, "{line}");
        }
        let coloured = ["board", "-", "--ply", "20", "--text", "--colour", "always"];
        assert!(out(&umpire(&coloured, &record)).contains('\u{1b}'), "{}", game.meta().id);
    }
}

#[test]
fn the_command_says_what_it_cannot_draw() {
    let record = legal(2).to_string();
    let told = umpire(&["board", "-", "--ply", "9"], &record);
    assert_eq!(code(&told), 2);
    assert!(error(&told).contains("ply 9"), "{}", error(&told));
    let told = umpire(&["board", "-", "--viewer", "nobody"], &record);
    assert_eq!(code(&told), 2);
    assert!(error(&told).contains(game().meta().seats[0]), "{}", error(&told));
    // The last good board of an illegal record.
    let told = umpire(&["board", "-"], &illegal(2).to_string());
    assert_eq!(code(&told), 1);
    assert!(out(&told).contains("</svg>"));
}
