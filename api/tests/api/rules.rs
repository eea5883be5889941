//! `/v1/games/{game}/rules`.

use umpire_engine::games::GAMES;

use crate::app::{TestApp, game};

#[actix_web::test]
async fn every_rule_is_listed_and_found_by_its_id() {
    let app = TestApp::new();
    for game in GAMES.iter() {
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

#[actix_web::test]
async fn every_ruling_marks_the_reading_that_is_in_force() {
    let app = TestApp::new();
    let mut fixed = 0;
    for game in GAMES.iter() {
        let list = app.get(&format!("/v1/games/{}/rules", game.meta().id)).await.json();
        for rule in list["rules"].as_array().unwrap() {
            let readings = rule["readings"].as_array().unwrap();
            let marked: Vec<_> = readings.iter().filter(|it| it["default"] == true).collect();
            if rule["kind"] == "clause" {
                assert!(readings.is_empty(), "{rule}");
                continue;
            }
            assert_eq!(marked.len(), 1, "{rule}");
            match game.rulings().iter().find(|def| rule["id"] == def.id) {
                Some(def) => assert_eq!(marked[0]["value"], def.values[0]),
                None => fixed += 1,
            }
        }
    }
    assert!(fixed > 0, "every ruling is selectable");
}

#[actix_web::test]
async fn a_section_names_its_edition_where_there_are_several() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let list = app.get(&format!("/v1/games/{}/rules", game.meta().id)).await.json();
        for rule in list["rules"].as_array().unwrap() {
            for section in rule["sections"].as_array().unwrap() {
                assert!(section["edition"] != "", "{rule}");
            }
        }
    }
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
