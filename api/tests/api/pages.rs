//! The pages for people: what they may load, who may hold them, and what they tell of a record.

use actix_web::test::TestRequest;
use umpire_api::auth::tokens::Tokens;
use umpire_api::limits::Limits;
use umpire_engine::games::GAMES;

use crate::app::{Answer, TestApp, game, legal, whole_game};

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.to_vec()).unwrap()
}

async fn stored(app: &TestApp) -> String {
    let answer = app.post("/v1/records", whole_game(game().meta().id).to_string()).await;
    answer.json()["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn pages_load_nothing_from_elsewhere_and_run_no_script_of_their_text() {
    let app = TestApp::new();
    let id = stored(&app).await;
    let paths = ["/", "/v1/docs/", &format!("/t/{id}"), &format!("/t/{id}/3"), "/t/nothing/x"];
    for path in paths {
        let page = app.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.header("content-type").starts_with("text/html"), "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        let body = text(&page);
        assert!(!body.contains("<style") && !body.contains(" style="), "{body}");
        for source in body.split("<script").skip(1) {
            assert!(source.starts_with(" type=\"module\" src=\"/table/"), "{source}");
        }
        for file in body.split("=\"/table/").skip(1) {
            let file = file.split('"').next().unwrap();
            assert_eq!(app.get(&format!("/table/{file}")).await.status, 200, "{file}");
        }
    }
    app.get("/table/nothing.js").await.problem(404, "not_found");
}

#[actix_web::test]
async fn pages_know_no_game() {
    for file in ["table.js", "docs.js", "table.css", "docs.css"] {
        let page = text(&TestApp::new().get(&format!("/table/{file}")).await).to_lowercase();
        assert!(page.len() > 1_000, "{file}");
        for game in GAMES.iter() {
            assert!(!page.contains(game.meta().id), "{file} names {}", game.meta().id);
            for seat in game.meta().seats.iter().filter(|it| it.len() > 3) {
                assert!(!page.contains(seat), "{file} names {seat}");
            }
        }
    }
}

#[actix_web::test]
async fn a_link_to_a_record_names_the_game_and_who_plays_it() {
    let app = TestApp::new();
    let game = game().meta();
    let mut record = whole_game(game.id);
    let [one, other, ..] = game.seats else { panic!("two seats") };
    record["players"] = serde_json::json!({ *other: "Bea <b>", *one: "Ada" });
    let receipt = app.post("/v1/records", record.to_string()).await.json();
    let page = text(&app.get(&format!("/t/{}/1", receipt["id"].as_str().unwrap())).await);
    let title = format!("content=\"{}: Ada and Bea &lt;b&gt;\"", game.title);
    assert!(page.contains(&format!("property=\"og:title\" {title}")), "{page}");
    // What tells others how to embed it says the same.
    assert!(page.contains(&title.replace("content", "title")), "{page}");
}

#[actix_web::test]
async fn a_link_to_a_record_says_what_a_spectator_may_see() {
    let app = TestApp::new();
    let id = stored(&app).await;
    let page = text(&app.get(&format!("/t/{id}/3")).await);
    let scene = app.get(&format!("/v1/records/{id}/plies/3/scene")).await.json();
    assert_eq!(scene["viewer"], "spectator");
    let title = scene["scene"]["title"].as_str().unwrap();
    assert!(page.contains(&format!("property=\"og:description\" content=\"{title}")), "{page}");
    let name = game().meta().title;
    assert!(page.contains(&format!("property=\"og:title\" content=\"{name}")), "{page}");
    let picture = page.split("og:image\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let path = &picture[picture.find("/v1/").unwrap()..];
    let drawn = app.get(&path.replace("&amp;", "&")).await;
    assert_eq!((drawn.status, drawn.header("content-type")), (200, "image/svg+xml"));
    // Where it may not be looked at, and where there is nothing, the page says nothing.
    for path in [format!("/t/{id}/99999"), format!("/t/{}/3", "0".repeat(64))] {
        let page = app.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(!text(&page).contains("og:"), "{path}");
    }
}

#[actix_web::test]
async fn a_page_of_a_protected_record_says_nothing_of_it() {
    let tokens = Tokens::parse("admin alpha\n", true).unwrap();
    let app = TestApp::with(Limits::default(), Some(tokens), &[]);
    let request = TestRequest::post().uri("/v1/records").set_payload(legal(2).to_string());
    let request = request.insert_header(("content-type", "application/json"));
    let id = app.send_as("alpha", request).await.json()["id"].as_str().unwrap().to_owned();
    for path in [format!("/t/{id}/1"), format!("/embed/{id}/1")] {
        let page = app.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(!text(&page).contains("og:"), "{path}");
        let seen = app.send_as("alpha", TestRequest::get().uri(&path)).await;
        assert!(text(&seen).contains("og:title"), "{path}");
    }
}

#[actix_web::test]
async fn a_game_can_be_put_into_other_pages() {
    let app = TestApp::new();
    let id = stored(&app).await;
    let page = app.get(&format!("/embed/{id}/3")).await;
    assert!(page.header("content-security-policy").ends_with("frame-ancestors *"));
    assert!(text(&page).contains("data-page=\"embed\""));
    let url = format!("http%3A%2F%2Fumpire.example%2Ft%2F{id}%2F3");
    let frame = app.get(&format!("/v1/oembed?url={url}&maxwidth=400&format=json")).await.json();
    assert_eq!((&frame["type"], &frame["version"]), (&"rich".into(), &"1.0".into()));
    assert_eq!(frame["width"], 400);
    let html = frame["html"].as_str().unwrap();
    assert!(html.contains(&format!("/embed/{id}/3\"")) && html.starts_with("<iframe "), "{html}");
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn what_cannot_be_put_into_a_page_is_refused() {
        let app = TestApp::new();
        for url in ["", "https://a.example/", "/t/abc", "javascript:alert(1)"] {
            app.get(&format!("/v1/oembed?url={url}")).await.problem(404, "not_found");
        }
        app.get("/v1/oembed?url=/t/x&format=xml").await.problem(422, "bad_parameter");
        app.get("/v1/oembed?url=/t/x&maxwidth=9").await.problem(422, "bad_parameter");
    }
}
