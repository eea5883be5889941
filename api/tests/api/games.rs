//! `/v1/games`.

use umpire_engine::games::GAMES;

use crate::app::{TestApp, game};

#[actix_web::test]
async fn every_registered_game_is_listed_and_described() {
    let app = TestApp::new();
    let list = app.get("/v1/games").await.json();
    assert_eq!(list["games"].as_array().unwrap().len(), GAMES.len());
    for game in GAMES {
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

#[actix_web::test]
async fn every_answer_names_the_engine_and_the_request() {
    let app = TestApp::new();
    let answer = app.get("/v1/games").await;
    assert_eq!(answer.header("engine-version"), umpire_engine::erased::ENGINE);
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
