//! `/v1/games/{game}/rules`.

use umpire_engine::games::GAMES;

use crate::app::{TestApp, game};

#[actix_web::test]
async fn every_rule_is_listed_and_found_by_its_id() {
    let app = TestApp::new();
    for game in GAMES {
        let path = format!("/v1/games/{}/rules", game.meta().id);
        let list = app.get(&path).await.json();
        let rules = list["rules"].as_array().unwrap();
        assert_eq!(rules.len(), game.rules().len());
        for rule in [&rules[0], &rules[rules.len() - 1]] {
            let one = app.get(&format!("{path}/{}", rule["id"].as_str().unwrap())).await;
            assert_eq!(one.status, 200);
            assert_eq!(one.json(), *rule);
        }
    }
}

#[actix_web::test]
async fn a_clause_names_the_rulings_that_settle_it() {
    let app = TestApp::new();
    let list = app.get(&format!("/v1/games/{}/rules", game().meta().id)).await.json();
    let rules = list["rules"].as_array().unwrap();
    let ruling = rules.iter().find(|rule| rule["settles"][0].is_string()).unwrap();
    let settled = rules.iter().find(|rule| rule["id"] == ruling["settles"][0]).unwrap();
    assert!(settled["settled_by"].as_array().unwrap().contains(&ruling["id"]));
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn an_unknown_clause_or_game_is_not_found() {
        let app = TestApp::new();
        let rules = format!("/v1/games/{}/rules", game().meta().id);
        app.get(&format!("{rules}/XYZ-99")).await.problem(404, "not_found");
        app.get("/v1/games/ludo/rules").await.problem(404, "not_found");
        app.get("/v1/games/ludo/rules/XYZ-99").await.problem(404, "not_found");
    }
}
