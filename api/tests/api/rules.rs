//! `/v1/games/{game}/rules`.

use serde_json::{Value, json};
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game};
use crate::cli::{self, out, umpire};

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

/// Clauses and rulings are found by words, whole or in part, in any language of the game and in any order.
#[actix_web::test]
async fn rules_are_found_by_their_words() {
    let app = TestApp::new();
    let found = |list: Value| -> Vec<String> {
        let rules = list["rules"].as_array().unwrap().iter();
        rules.map(|rule| rule["id"].as_str().unwrap().to_owned()).collect()
    };
    for game in GAMES.iter() {
        let path = format!("/v1/games/{}/rules", game.meta().id);
        for entry in [&game.rules()[3], game.rules().last().unwrap()] {
            let mut words: Vec<&str> = entry.gist.split(|it: char| !it.is_alphabetic()).collect();
            words.retain(|word| word.len() > 3);
            words.reverse();
            let own = found(app.get(&format!("{path}?text={}", words.join("+"))).await.json());
            assert!(own.iter().any(|id| *id == entry.id), "{words:?}: {own:?}");
            let all = found(app.get(&format!("{path}?text={}", &words[0][1..])).await.json());
            assert!(own.iter().all(|id| all.contains(id)) && all.len() < game.rules().len());
        }
        let none = app.get(&format!("{path}?text=xyzzy")).await.json();
        assert_eq!(none["rules"], json!([]));
        for language in game.languages() {
            // English words are found whatever the language of the answer, and the other way round.
            let ruling = game.rules().iter().find(|entry| entry.selectable()).unwrap();
            let other = game.translate_fixed(language, ruling.gist).unwrap();
            let words = other.replace(['?', '¿'], "");
            let text: String = form_urlencoded::byte_serialize(words.as_bytes()).collect();
            let english = found(app.get(&format!("{path}?text={text}")).await.json());
            let path = format!("{path}?lang={language}&text={text}");
            assert_eq!(found(app.get(&path).await.json()), english);
            assert!(english.iter().any(|id| *id == ruling.id), "{text}");
        }
    }
    app.get("/v1/games/drako/rules?text=a&text=b").await.problem(422, "bad_parameter");
    let printed = umpire(&["rules", "doubloons", "garrison"], "");
    assert!(out(&printed).contains("DBD-R26") && out(&printed).contains("DBD-14.7"));
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

#[actix_web::test]
async fn rules_and_refusals_are_told_in_the_language_asked_for() {
    let app = TestApp::new();
    for path in ["/v1/games/dragut/rules/DRG-R8", "/v1/games/dragut/rules"] {
        let english = app.get(path).await;
        assert_eq!(english.header("content-language"), "en");
        let italian = app.get(&format!("{path}?lang=it")).await;
        assert_eq!(italian.header("content-language"), "it");
        assert_ne!(english.json(), italian.json());
    }
    let rule = app.get("/v1/games/dragut/rules/DRG-R8?lang=it").await.json();
    assert_eq!(rule["readings"][1]["gist"], "dal primo sbarco in poi sì");
    // A game that has not the language says so, and a language that no game has is refused.
    let other = app.get("/v1/games/drako/rules?lang=it").await;
    assert_eq!(other.header("content-language"), "en");
    let unknown = app.get("/v1/games/dragut/rules?lang=tlh").await;
    assert_eq!(unknown.status, 422);
    let detail = unknown.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("en, it"), "{detail}");
}

#[actix_web::test]
async fn a_refusal_and_legal_actions_are_told_in_the_language_asked_for() {
    let app = TestApp::new();
    let record = serde_json::json!({"format": "umpire/1", "game": "dragut", "chance": {"seed": "voice"},
        "actions": [{"type": "end_phase", "player": "pirates"}]});
    let verdict = app.post("/v1/validate?lang=it", record.to_string()).await.json();
    let message = "\"end phase\" ora non va: i rapallini schierano";
    assert_eq!(verdict["verdict"]["violation"]["message"], message);
    let report = app.post("/v1/replay?lang=it", record.to_string()).await.json();
    assert_eq!(report["verdict"]["violation"]["message"], message);
    let fixture =
        r#"{"format": "umpire/1", "game": "drako", "chance": {"seed": "voice"}, "actions": []}"#;
    let plain = app.post("/v1/legal-actions", fixture.to_owned()).await.json();
    assert!(plain["choices"][0].get("texts").is_none());
    let told = app.post("/v1/legal-actions?include=text", fixture.to_owned()).await.json();
    let choices = &told["choices"][0];
    let texts = choices["texts"].as_array().unwrap();
    assert_eq!(texts.len(), choices["actions"].as_array().unwrap().len());
    assert!(
        texts.iter().all(|text| text
            .as_str()
            .is_some_and(|text| text.contains("The dragon") || text.contains("The dwarves"))),
        "{texts:?}"
    );
}

#[actix_web::test]
async fn every_table_of_a_game_stands_among_its_components() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let detail = app.get(&format!("/v1/games/{id}")).await.json();
        let tables = detail["tables"].as_array().unwrap();
        assert!(tables.len() >= 5, "{id}");
        for table in tables {
            let at = table["at"].as_str().unwrap();
            let rows = detail["components"].pointer(table["of"].as_str().unwrap()).expect(at);
            assert!(rows.as_array().map_or(rows.is_object(), |rows| !rows.is_empty()), "{id} {at}");
            for column in table["columns"].as_array().unwrap() {
                let column = column.as_str().unwrap();
                for row in rows.as_array().unwrap() {
                    assert!(row.get(column).is_some(), "{id} {at} {column}");
                }
            }
            let printed = umpire(&["rules", id, &at.to_lowercase()], "");
            let printed = out(&printed);
            assert!(printed.starts_with(at), "{printed}");
            assert!(printed.contains(table["title"].as_str().unwrap()), "{printed}");
            assert!(printed.lines().count() > 3, "{printed}");
        }
        let all = umpire(&["rules", id, "A"], "");
        assert_eq!(out(&all).lines().filter(|line| line.starts_with("A.")).count(), tables.len());
        let json = cli::json(&umpire(&["rules", id, "A", "--json"], ""));
        assert_eq!(json.as_array().unwrap().len(), tables.len());
    }
}
