//! `/v1/legal-actions`.

use umpire_api::referee;
use umpire_engine::games::GAMES;

use crate::app::{TestApp, game, legal};

#[actix_web::test]
async fn what_is_listed_is_accepted_and_counted() {
    let app = TestApp::new();
    let answer = app.post("/v1/legal-actions", legal(2).to_string()).await.json();
    let choices = &answer["choices"][0];
    let actions = choices["actions"].as_array().unwrap();
    assert_eq!(choices["count"], actions.len());
    let counted = app.post("/v1/legal-actions?count_only=true", legal(2).to_string()).await.json();
    assert_eq!(counted["choices"][0]["count"], choices["count"]);
    assert!(counted["choices"][0].get("actions").is_none());
    for action in [&actions[0], &actions[actions.len() - 1]] {
        let mut record = legal(2);
        record["actions"].as_array_mut().unwrap().push(action.clone());
        let verdict = app.post("/v1/validate", record.to_string()).await.json();
        assert_eq!(verdict["verdict"]["plies"], 3, "{action}");
    }
}

#[actix_web::test]
async fn a_list_is_cut_but_counted_whole() {
    let app = TestApp::new();
    for game in GAMES.iter() {
        let text = referee::sample(*game, "a test", 2).get().to_owned();
        let whole = app.post("/v1/legal-actions", text.clone()).await.json();
        for (limit, truncated) in [(1, true), (100_000, false)] {
            let path = format!("/v1/legal-actions?limit={limit}");
            let cut = app.post(&path, text.clone()).await.json();
            let both =
                cut["choices"].as_array().unwrap().iter().zip(whole["choices"].as_array().unwrap());
            for (cut, whole) in both {
                let (listed, all) = (cut["actions"].as_array(), whole["actions"].as_array());
                let (listed, all) = (listed.unwrap(), all.unwrap());
                assert_eq!(*listed, all[..all.len().min(limit)]);
                assert_eq!(cut["count"], all.len());
                assert_eq!(cut["ranges"], whole["ranges"]);
                assert_eq!(cut["truncated"], truncated && all.len() > 1, "{cut}");
                assert_eq!(whole["truncated"], false);
            }
        }
        let counted = app.post("/v1/legal-actions?count_only=true", text).await.json();
        assert_eq!(counted["choices"][0]["truncated"], false);
        assert_eq!(counted["choices"][0]["count"], whole["choices"][0]["count"]);
    }
}

#[actix_web::test]
async fn a_viewer_sees_the_options_of_nobody_else() {
    let app = TestApp::new();
    let deciding = app.post("/v1/legal-actions", legal(0).to_string()).await.json();
    let deciding = deciding["decision"]["players"][0].as_str().unwrap().to_owned();
    let other = game().meta().seats.iter().find(|seat| **seat != deciding).unwrap();
    let path = format!("/v1/legal-actions?viewer={other}");
    let seen = app.post(&path, legal(0).to_string()).await.json();
    assert_eq!(seen["viewer"], *other);
    assert_eq!(seen["choices"].as_array().unwrap().len(), 0);
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn a_ply_or_parameter_that_is_wrong_is_a_problem() {
        let app = TestApp::new();
        let text = legal(1).to_string();
        app.post("/v1/legal-actions?ply=9", text.clone()).await.problem(404, "not_found");
        let answer = app.post("/v1/legal-actions?count_only=yes", text.clone()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "count_only");
        for limit in ["0", "100001", "all"] {
            let path = format!("/v1/legal-actions?limit={limit}");
            let answer = app.post(&path, text.clone()).await;
            assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "limit");
        }
        let answer = app.post("/v1/legal-actions?include=events", text).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "include");
    }
}
