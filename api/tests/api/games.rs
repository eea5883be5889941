//! `/v1/games`.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game};

#[actix_web::test]
async fn every_registered_game_is_listed_and_described() {
    let app = TestApp::new();
    let list = app.get("/v1/games").await.json();
    assert_eq!(list["games"].as_array().unwrap().len(), GAMES.len());
    for game in GAMES.iter() {
        let meta = game.meta();
        let detail = app.get(&format!("/v1/games/{}", meta.id)).await;
        assert_eq!(detail.status, 200);
        let detail = detail.json();
        assert_eq!(detail["ruleset"], meta.ruleset());
        assert_eq!(detail["seats"].as_array().unwrap().len(), meta.seats.len());
        assert_eq!(detail["rulings"].as_array().unwrap().len(), game.rulings().len());
        for ruling in detail["rulings"].as_array().unwrap() {
            assert!(ruling["readings"].as_array().unwrap().len() > 1, "{ruling}");
            assert_eq!(ruling["default"], ruling["readings"][0]["value"]);
        }
        let actions = detail["actions"].as_array().unwrap();
        assert!(!actions.is_empty());
        for action in actions {
            assert!(action["type"].is_string(), "{action}");
            assert!(!action["schema"].to_string().contains("$ref"), "{action}");
        }
        assert!(detail["components"].is_object());
    }
}

/// The types of the actions of a game's fixtures: of those that are legal, and of all.
fn types_in_fixtures(id: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut legal = BTreeSet::new();
    let mut all = BTreeSet::new();
    for folder in ["rules", "games"] {
        let folder = format!("{}/../fixtures/{id}/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|end| end != "json") {
                continue;
            }
            let fixture: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            let plies = fixture["expect"]["plies"].as_u64().unwrap_or(0);
            let actions = fixture["record"]["actions"].as_array().into_iter().flatten();
            for (action, ply) in actions.zip(0..) {
                let Some(name) = action["type"].as_str() else { continue };
                all.insert(name.to_owned());
                if ply < plies {
                    legal.insert(name.to_owned());
                }
            }
            for tried in fixture["expect"]["tries"].as_array().into_iter().flatten() {
                all.extend(tried["action"]["type"].as_str().map(str::to_owned));
            }
        }
    }
    (legal, all)
}

#[actix_web::test]
async fn every_type_of_action_is_listed_once() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let detail = app.get(&format!("/v1/games/{id}")).await.json();
        let actions = detail["actions"].as_array().unwrap().iter();
        let names: Vec<&str> = actions.map(|action| action["type"].as_str().unwrap()).collect();
        let listed: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(listed.len(), names.len(), "{id}: {names:?}");
        let (legal, all) = types_in_fixtures(id);
        // What is refused may be of a type that does not exist.
        assert!(legal.is_subset(&listed), "{id}: {legal:?}, {listed:?}");
        assert!(listed.is_subset(&all), "{id}: {listed:?}, {all:?}");
    }
}

#[actix_web::test]
async fn every_answer_names_the_engine_and_the_request() {
    let app = TestApp::new();
    let answer = app.get("/v1/games").await;
    assert_eq!(answer.header("engine-version"), umpire_engine::replay::answer::ENGINE);
    let first = answer.header("x-request-id").to_owned();
    assert_ne!(app.get("/v1/games").await.header("x-request-id"), first);
    let request = actix_web::test::TestRequest::get().uri("/v1/games");
    let answer = app.send(request.insert_header(("x-request-id", "my-own.id_1"))).await;
    assert_eq!(answer.header("x-request-id"), "my-own.id_1");
    let request = actix_web::test::TestRequest::get().uri("/v1/games");
    let answer = app.send(request.insert_header(("x-request-id", "not an id!"))).await;
    assert_ne!(answer.header("x-request-id"), "not an id!");
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn an_unknown_game_is_not_found_and_the_known_ones_are_named() {
        let problem = TestApp::new().get("/v1/games/ludo").await.problem(404, "not_found");
        assert!(problem["detail"].as_str().unwrap().contains(game().meta().id));
    }

    #[actix_web::test]
    async fn a_parameter_is_refused_where_there_are_none() {
        let answer = TestApp::new().get("/v1/games?page=2").await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "page");
    }
}
