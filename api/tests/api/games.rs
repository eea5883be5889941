//! `/v1/games`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
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

/// Every version of a ruleset is listed with what it has otherwise: the newest has nothing, and what an older one lists is
/// what the command line and the rules say of it.
#[actix_web::test]
async fn every_version_is_listed_with_what_it_has_otherwise() {
    let app = TestApp::new();
    let mut data = 0;
    for game in GAMES.iter() {
        let meta = game.meta();
        let detail = app.get(&format!("/v1/games/{}", meta.id)).await.json();
        let versions = detail["versions"].as_array().unwrap();
        let named: Vec<&str> = versions.iter().map(|it| it["ruleset"].as_str().unwrap()).collect();
        assert_eq!(named, meta.rulesets().collect::<Vec<_>>());
        let (newest, older) = versions.split_last().unwrap();
        assert_eq!((&newest["rulings"], &newest["data"]), (&json!([]), &json!([])));
        for version in older {
            assert!(!version["rulings"].as_array().unwrap().is_empty(), "{version}");
            for ruling in version["rulings"].as_array().unwrap() {
                let (id, edition) = (ruling["id"].as_str().unwrap(), &ruling["edition"]);
                let mut of = version["ruleset"].as_str().unwrap().to_owned();
                if let Some(edition) = edition.as_str() {
                    of = format!("{of} {edition}");
                }
                let rule = app.get(&format!("/v1/games/{}/rules/{id}", meta.id)).await.json();
                let reading = |value: &Value| {
                    let mut readings = rule["readings"].as_array().unwrap().iter();
                    readings.find(|it| it["value"] == *value).unwrap().clone()
                };
                let (old, new) = (reading(&ruling["value"]), reading(&ruling["instead_of"]));
                assert!(old["default_of"].as_array().unwrap().contains(&json!(of)), "{rule}");
                assert_eq!((&old["default"], &new["default"]), (&json!(false), &json!(true)));
                // A record of that version has that reading in force.
                let mut record = json!({"format": "umpire/1", "game": meta.id, "actions": [],
                    "ruleset": version["ruleset"], "chance": {"seed": "a"}});
                if !edition.is_null() {
                    record["options"] = json!({"edition": edition});
                }
                let judged = app.post("/v1/validate", record.to_string()).await.json();
                assert_eq!(judged["options"]["rulings"][id], ruling["value"]);
            }
            for datum in version["data"].as_array().unwrap() {
                let at = datum["pointer"].as_str().unwrap();
                assert_eq!(detail["components"].pointer(at).unwrap(), &datum["instead_of"]);
                assert_ne!(datum["value"], datum["instead_of"]);
                data += 1;
            }
        }
        for edition in detail["editions"].as_array().unwrap() {
            let first = edition["edition"] == detail["editions"][0]["edition"];
            assert_eq!(edition["rulings"].as_array().unwrap().is_empty(), first, "{edition}");
        }
    }
    assert!(data > 0, "no version has other data");
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
