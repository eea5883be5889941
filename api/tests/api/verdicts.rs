//! Sheets of settled disputes: kept, shown on paper, signed, and checked again.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

use actix_web::test::TestRequest;
use base64::Engine as _;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};
use sha2::Digest as _;
use tempfile::TempDir;
use umpire_api::auth::secrets::Secret;
use umpire_api::documents::sheet::seal::Key;
use umpire_api::limits::Limits;
use umpire_engine::games::GAMES;
use umpire_engine::replay::answer::ENGINE;

use crate::app::{Answer, TestApp, game, illegal, legal, whole_game};
use crate::cli::{code, error, out, save, umpire};

/// A dispute about a record.
fn dispute(record: &Value) -> String {
    json!({"record": record}).to_string()
}

async fn keep(app: &TestApp, record: &Value) -> (Answer, String) {
    let kept = app.post("/v1/adjudicate?keep=true", dispute(record)).await;
    let id = kept.json()["verdict"].as_str().unwrap().to_owned();
    (kept, id)
}

fn key() -> Key {
    Key::of(&Secret::parse(&"0c".repeat(32)).unwrap())
}

fn signing() -> TestApp {
    TestApp::new().change(|service| service.signing = Some(Arc::new(key())))
}

#[actix_web::test]
async fn a_dispute_is_kept_under_the_hash_of_its_sheet() {
    let app = TestApp::new();
    let record = legal(4);
    let plain = app.post("/v1/adjudicate", dispute(&record)).await;
    assert!(plain.json().get("verdict").is_none());
    let (kept, id) = keep(&app, &record).await;
    assert_eq!(kept.status, 201);
    let path = format!("/v1/verdicts/{id}");
    assert_eq!(kept.header("location"), path);
    let mut answer = kept.json();
    answer.as_object_mut().unwrap().remove("verdict");
    assert_eq!(answer, plain.json());
    // The same again is the same.
    let (again, same) = keep(&app, &record).await;
    assert_eq!((again.status, &same), (200, &id));
    let shown = app.get(&path).await;
    assert_eq!((shown.status, shown.header("content-type")), (200, "application/json"));
    let document = shown.json();
    let sheet = serde_json_canonicalizer::to_string(&document["sheet"]).unwrap();
    assert_eq!(blake3::hash(sheet.as_bytes()).to_hex().as_str(), id);
    assert_eq!(document["blake3"], id.as_str());
    assert_eq!(document["signature"], Value::Null);
    let sheet = &document["sheet"];
    assert_eq!(sheet["adjudication"], plain.json());
    assert_eq!(sheet["record"]["actions"], record["actions"]);
    assert_eq!((&sheet["engine"], &sheet["game"]), (&json!(ENGINE), &json!(game().meta().id)));
    let stored = app.post("/v1/records", record.to_string()).await.json();
    assert_eq!(sheet["record_blake3"], stored["id"]);
}

#[actix_web::test]
async fn a_sheet_never_changes_and_is_not_sent_again() {
    let app = TestApp::new();
    let (_, id) = keep(&app, &legal(2)).await;
    let path = format!("/v1/verdicts/{id}");
    let mut tags = Vec::new();
    for format in ["json", "markdown", "html"] {
        let path = format!("{path}?format={format}");
        let shown = app.get(&path).await;
        let tag = shown.header("etag").to_owned();
        assert!(tag.starts_with('"'), "a strong tag: {tag}");
        let kept = shown.header("cache-control");
        assert_eq!(kept.contains("immutable"), format == "json", "{kept}");
        let again = TestRequest::get().uri(&path).insert_header(("if-none-match", tag.clone()));
        let again = app.send(again).await;
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(app.get(&path).await.body, shown.body);
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3);
}

#[actix_web::test]
async fn the_form_follows_the_wish_of_the_caller() {
    let app = TestApp::new();
    let (_, id) = keep(&app, &legal(2)).await;
    let path = format!("/v1/verdicts/{id}");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (accept, kind) in [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        (browser, "text/html; charset=utf-8"),
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("text/html;q=0.2, text/markdown;q=0.9", "text/markdown; charset=utf-8"),
        ("nonsense", "application/json"),
    ] {
        let request = TestRequest::get().uri(&path).insert_header(("accept", accept));
        let shown = app.send(request).await;
        assert_eq!((shown.status, shown.header("content-type")), (200, kind), "{accept}");
        let varies =
            shown.headers.get_all("vary").any(|it| it.to_str().unwrap().contains("accept"));
        assert!(varies);
    }
    // What the address says counts.
    let request = TestRequest::get().uri(&format!("{path}?format=json"));
    let shown = app.send(request.insert_header(("accept", browser))).await;
    assert_eq!(shown.header("content-type"), "application/json");
    app.get(&format!("{path}?format=pdf")).await.problem(422, "bad_parameter");
}

#[actix_web::test]
async fn what_is_no_verdict_is_told_apart() {
    let app = TestApp::new();
    let nowhere = format!("/v1/verdicts/{}", "0".repeat(64));
    app.get(&nowhere).await.problem(404, "not_found");
    app.send(TestRequest::delete().uri(&nowhere)).await.problem(404, "not_found");
    for bad in ["x", &"0".repeat(63), &"A".repeat(64)] {
        let problem = app.get(&format!("/v1/verdicts/{bad}")).await.problem(400, "bad_id");
        assert!(problem["detail"].as_str().unwrap().contains("64 lowercase"));
    }
    let refused = app.post("/v1/adjudicate?keep=perhaps", dispute(&legal(0))).await;
    refused.problem(422, "bad_parameter");
}

#[actix_web::test]
async fn a_verdict_outlives_its_record_and_is_deleted_by_itself() {
    let app = TestApp::new();
    let record = legal(3);
    let stored = app.post("/v1/records", record.to_string()).await;
    let at = stored.header("location").to_owned();
    let asked = json!({"id": stored.json()["id"]}).to_string();
    let kept = app.post("/v1/adjudicate?keep=true", asked).await;
    assert_eq!(kept.status, 201);
    // Of the record that is sent instead it is the same sheet.
    assert_eq!(keep(&app, &record).await.0.status, 200);
    assert_eq!(app.send(TestRequest::delete().uri(&at)).await.status, 204);
    let path = kept.header("location");
    assert_eq!(app.get(path).await.json()["sheet"]["record"]["actions"], record["actions"]);
    assert_eq!(app.send(TestRequest::delete().uri(path)).await.status, 204);
    app.get(path).await.problem(404, "not_found");
    assert_eq!(keep(&app, &record).await.0.status, 201);
}

/// A record whose names and notes are an attack on whoever shows them.
fn hostile() -> Value {
    let mut record = legal(3);
    let evil = "</script><script>alert(1)</script><!--<b>\u{202e}";
    record["players"] = json!({ game().meta().seats[0]: evil, game().meta().seats[1]: "[x](javascript:alert(1)) ![y](z) `|` **b**" });
    record["meta"] = json!({
        evil: "# heading\n\n- list\n1. one\n<img src=x onerror=alert(1)> https://attacker.example www.attacker.example",
        "\"><svg onload=alert(1)>": "| a | b |\n|---|---|\n```\ncode\n```",
    });
    record
}

#[actix_web::test]
async fn nothing_in_a_record_becomes_a_part_of_the_page() {
    let app = signing();
    let (_, id) = keep(&app, &hostile()).await;
    let shown = app.get(&format!("/v1/verdicts/{id}?format=html")).await;
    let page = std::str::from_utf8(&shown.body).unwrap();
    // The only script is the JSON, which is inert; no tag is but those of the page itself.
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("<script type=\"application/json\" id=\"verdict\">").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    for tag in ["<b>", "<svg", "<img", "<a ", "<link", "<iframe", "<!--"] {
        assert!(!page.contains(tag), "{tag}");
    }
    for attribute in [" src=", " href=", " onload=\"", " style=\""] {
        let outside = page.split("<script").next().unwrap().replace("&lt;img src=x", "");
        assert!(!outside.contains(attribute), "{attribute}");
    }
    assert!(!page.split("<script").next().unwrap().contains('\u{202e}'));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), "it is shown");
    // The policy allows the style by its hash and nothing else, over HTTP and in a file.
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = sha2::Sha256::digest(style.as_bytes());
    let hash = base64::engine::general_purpose::STANDARD.encode(hash);
    let policy = shown.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(policy.contains(&format!("style-src 'sha256-{hash}';")), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(
        page.contains(&format!("style-src &#39;sha256-{hash}&#39;"))
            || page.contains(&format!("style-src 'sha256-{hash}'"))
    );
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert!(style.contains("@page") && style.contains("A4"));
}

#[actix_web::test]
async fn nothing_in_a_record_becomes_markdown() {
    let app = TestApp::new();
    let (_, id) = keep(&app, &hostile()).await;
    let (_, plain) = keep(&app, &legal(3)).await;
    let shape = async |id: &str| {
        let shown = app.get(&format!("/v1/verdicts/{id}?format=markdown")).await;
        let text = String::from_utf8(shown.body.to_vec()).unwrap();
        let mut headings = 0;
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            match event {
                Event::Html(_) | Event::InlineHtml(_) => panic!("HTML in {text}"),
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => {
                    panic!("a link, image or block in {text}")
                }
                Event::Start(Tag::Heading { .. }) => headings += 1,
                _ => {}
            }
        }
        (headings, text)
    };
    let (headings, text) = shape(&id).await;
    assert!(text.contains("\\<script\\>alert(1)\\</script\\>"), "{text}");
    assert!(!text.contains("https://") && !text.contains("www.attacker"));
    // Players and notes have a heading each.
    assert_eq!(headings, shape(&plain).await.0 + 2);
}

#[actix_web::test]
async fn a_sheet_is_signed_where_there_is_a_key() {
    let unsigned = TestApp::new();
    unsigned.get("/v1/verdicts/key").await.problem(404, "not_found");
    let (_, id) = keep(&unsigned, &legal(2)).await;
    let page = unsigned.get(&format!("/v1/verdicts/{id}?format=html")).await;
    assert!(String::from_utf8_lossy(&page.body).contains("This sheet is not signed."));
    let app = signing();
    let published = app.get("/v1/verdicts/key").await.json();
    assert_eq!(published, json!({"algorithm": "ed25519", "public_key": key().public().public_key}));
    let (_, same) = keep(&app, &legal(2)).await;
    assert_eq!(same, id, "the signature does not change the sheet");
    let document = app.get(&format!("/v1/verdicts/{id}")).await.json();
    assert_eq!(document["signature"]["public_key"], published["public_key"]);
    let sheet = serde_json_canonicalizer::to_string(&document["sheet"]).unwrap();
    let signature = serde_json::from_value(document["signature"].clone()).unwrap();
    assert_eq!(
        umpire_api::documents::sheet::seal::Signature::check(&signature, sheet.as_bytes()),
        Ok(())
    );
}

#[actix_web::test]
async fn only_who_may_read_whole_records_reads_verdicts() {
    let record = legal(2);
    let open = TestApp::new();
    let stored = open.post("/v1/records", record.to_string()).await.json();
    let content = stored["id"].as_str().unwrap();
    let private = Secret::parse(&"0d".repeat(32)).unwrap();
    let names = umpire_api::auth::names::Names::private(&private);
    let id = names.outside(&content.parse().unwrap());
    let tokens = format!("write w\nread r\nseat={}@{id} s", game().meta().seats[0]);
    let app = TestApp::private(&tokens, &private);
    let ask =
        || TestRequest::post().uri("/v1/adjudicate?keep=true").set_json(json!({"record": record}));
    app.send(ask()).await.problem(401, "unauthorized");
    for token in ["r", "s"] {
        app.send_as(token, ask()).await.problem(403, "forbidden");
    }
    let kept = app.send_as("w", ask()).await;
    assert_eq!(kept.status, 201);
    let path = kept.header("location").to_owned();
    // The id tells nothing: it is not that of the content.
    let shown = app.send_as("r", TestRequest::get().uri(&path)).await;
    assert_eq!(shown.status, 200);
    let hash = shown.json()["blake3"].as_str().unwrap().to_owned();
    assert!(!path.contains(&hash));
    let by_hash = TestRequest::get().uri(&format!("/v1/verdicts/{hash}"));
    app.send_as("r", by_hash).await.problem(404, "not_found");
    for format in ["json", "markdown", "html"] {
        let path = format!("{path}?format={format}");
        app.get(&path).await.problem(401, "unauthorized");
        app.send_as("s", TestRequest::get().uri(&path)).await.problem(403, "forbidden");
        let shown = app.send_as("w", TestRequest::get().uri(&path)).await;
        assert_eq!(shown.status, 200);
        assert!(shown.header("cache-control").starts_with("private"));
    }
    // Nothing tells a seat whether there is such a verdict.
    let nowhere = format!("/v1/verdicts/{}", "0".repeat(64));
    app.send_as("s", TestRequest::get().uri(&nowhere)).await.problem(403, "forbidden");
    app.send_as("r", TestRequest::delete().uri(&path)).await.problem(403, "forbidden");
    assert_eq!(app.send_as("w", TestRequest::delete().uri(&path)).await.status, 204);
}

#[actix_web::test]
async fn where_reading_is_open_only_keeping_asks_for_a_token() {
    let tokens = umpire_api::auth::tokens::Tokens::parse("write w", false).unwrap();
    let app = TestApp::with(Limits::default(), Some(tokens), &[]);
    assert_eq!(app.post("/v1/adjudicate", dispute(&legal(1))).await.status, 200);
    let refused = app.post("/v1/adjudicate?keep=true", dispute(&legal(1))).await;
    refused.problem(401, "unauthorized");
}

/// A store of another version, or of an engine that lists more, is shown all the same.
#[test]
fn what_a_sheet_does_not_say_is_left_out_and_what_it_says_more_is_shown() {
    let contents = |sheet: Value| {
        let document = umpire_api::documents::sheet::Document {
            sheet: sheet.to_string(),
            blake3: "0".repeat(64),
            signature: None,
        };
        let contents = umpire_api::documents::sheet::contents::Contents::of(&document).unwrap();
        let page = umpire_api::documents::sheet::html::write(&document, &contents);
        (umpire_api::documents::sheet::markdown::write(&contents), page)
    };
    let (bare, _) = contents(json!({"format": "umpire-verdict/1"}));
    assert!(bare.starts_with("# Verdict"), "{bare}");
    let cited = json!([{
        "id": "CAT-R7", "question": "May a cat sleep twice?", "section": "§ 4",
        "readings": [{"value": "no", "gist": "once a night"}, "as often as it likes"],
        "because": "the mice said so", "precedents": ["the-long-night", {"name": "the-noon"}],
    }]);
    let (markdown, page) = contents(json!({"adjudication": {"cited": cited}}));
    for part in [
        "CAT-R7",
        "May a cat sleep twice?",
        "§ 4",
        "once a night",
        "as often as it likes",
        "the mice said so",
        "the-long-night, the-noon",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
        assert!(page.contains(part), "{part}: {page}");
    }
    let (_, odd) =
        contents(json!({"adjudication": {"cited": [7, null, {"readings": {}}]}, "course": 3}));
    assert!(odd.contains("</html>"));
}

/// Verifies a file, with more arguments.
fn verify(file: &str, more: &[&str]) -> Output {
    umpire(&[&["verdict", "verify", file], more].concat(), "")
}

/// The three forms of a sheet of a record, signed if there is a key.
fn sheets(folder: &Path, record: &Value, key: Option<&str>) -> [String; 3] {
    let names =
        ["v.json", "v.html", "v.md"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let [json, html, markdown] = &names;
    let mut args =
        vec!["adjudicate", "-", "--verdict", json, "--html", html, "--markdown", markdown];
    args.extend(key.into_iter().flat_map(|key| ["--signing-key", key]));
    let made = umpire(&args, &record.to_string());
    assert!(code(&made) < 2, "{}", error(&made));
    names
}

#[test]
fn a_sheet_of_every_game_is_made_without_a_server_and_holds() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("signing.key");
    let file = file.to_str().unwrap();
    let made = umpire(&["verdict", "keygen", file], "");
    assert_eq!(code(&made), 0, "{}", error(&made));
    let public = out(&made).trim().to_owned();
    assert_eq!(out(&umpire(&["verdict", "key", file], "")).trim(), public);
    assert_eq!(code(&umpire(&["verdict", "keygen", file], "")), 2, "no key is replaced");
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let [json, html, markdown] = sheets(folder.path(), &record, Some(file));
        for form in [&json, &html] {
            let checked = verify(form, &["--key", &public]);
            assert_eq!(code(&checked), 0, "{}{}", out(&checked), error(&checked));
            assert!(out(&checked).contains("word for word"), "{}", out(&checked));
            let shown = umpire(&["verdict", "show", form], "");
            assert_eq!(out(&shown), fs::read_to_string(&markdown).unwrap());
        }
        let page = umpire(&["verdict", "show", "--html", &json], "");
        assert_eq!(out(&page), fs::read_to_string(&html).unwrap());
    }
}

#[test]
fn what_somebody_changed_does_not_hold() {
    let folder = TempDir::new().unwrap();
    let key = folder.path().join("signing.key");
    let key = key.to_str().unwrap();
    umpire(&["verdict", "keygen", key], "");
    let other = folder.path().join("other.key");
    let other = umpire(&["verdict", "keygen", other.to_str().unwrap()], "");
    let [signed, page, _] = sheets(folder.path(), &illegal(2), Some(key));
    let read =
        |file: &str| -> Value { serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap() };
    let fails = |name: &str, text: &str, more: &[&str], says: &str| {
        let file = save(folder.path(), name, text);
        let checked = verify(&file, more);
        assert_eq!(code(&checked), 1, "{name}: {}{}", out(&checked), error(&checked));
        assert!(out(&checked).contains(says), "{name}: {}", out(&checked));
        assert!(out(&checked).ends_with("The verdict does not hold.\n"));
    };
    assert_eq!(code(&verify(&signed, &[])), 0);
    let text = fs::read_to_string(&signed).unwrap();
    fails("by-another.json", &text, &["--key", out(&other).trim()], "by a different key");
    // Another word in the sheet: hash and signature are not those of it.
    let mut changed = read(&signed);
    changed["sheet"]["adjudication"]["summary"][0] = json!("All is well.");
    fails("changed.json", &changed.to_string(), &[], "that of another sheet");
    fails("changed.json", &changed.to_string(), &[], "not a signature of this sheet");
    // The hash made anew and the signature taken away: only who settles it again sees the forgery.
    let rehash = |mut document: Value| {
        let sheet = serde_json_canonicalizer::to_string(&document["sheet"]).unwrap();
        document["blake3"] = json!(blake3::hash(sheet.as_bytes()).to_hex().as_str());
        document["signature"] = Value::Null;
        document.to_string()
    };
    fails("words.json", &rehash(changed), &[], "/adjudication/summary");
    let mut forged = read(&signed);
    forged["sheet"]["adjudication"]["recorded"]["status"] = json!("in_progress");
    forged["sheet"]["adjudication"]["recorded"]["violation"] = Value::Null;
    fails("forged.json", &rehash(forged), &[], "disagrees with engine");
    let unsigned = rehash(read(&signed));
    let file = save(folder.path(), "unsigned.json", &unsigned);
    let checked = verify(&file, &[]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    assert!(out(&checked).contains("Signature: none."));
    fails("unsigned.json", &unsigned, &["--key", out(&other).trim()], "is not signed");
    // A page that shows something else than the sheet in it.
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<h1>"));
    fails(
        "page.html",
        &text.replacen("<h1>", "<h1>Not ", 1),
        &[],
        "differs from what this version prints",
    );
    let machine = verify(&save(folder.path(), "unsigned.json", &unsigned), &["--json"]);
    let machine: Value = serde_json::from_str(out(&machine)).unwrap();
    assert_eq!((&machine["holds"], &machine["again"]["state"]), (&json!(true), &json!("same")));
}

#[test]
fn what_is_no_verdict_cannot_be_checked() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [
        ("record.json", legal(1).to_string()),
        ("page.html", "<p>no verdict</p>".to_owned()),
        ("format.json", json!({"blake3": "", "sheet": {"format": "x"}}).to_string()),
        (
            "twice.json",
            r#"{"blake3": "", "sheet": {"format": "umpire-verdict/1", "a": 1, "a": 2}}"#.to_owned(),
        ),
    ] {
        let file = save(folder.path(), name, &text);
        assert_eq!(code(&verify(&file, &[])), 2, "{name}");
    }
    let [file, ..] = sheets(folder.path(), &legal(1), None);
    assert_eq!(code(&verify(&file, &["--key", "no/such/key"])), 2);
    let refused = umpire(
        &["adjudicate", "-", "--html", "-", "--signing-key", "no/such/key"],
        &legal(1).to_string(),
    );
    assert_eq!(code(&refused), 2);
}

#[test]
fn a_page_is_printed_alone() {
    let printed = umpire(&["adjudicate", "-", "--html", "-"], &legal(1).to_string());
    assert_eq!(code(&printed), 0, "{}", error(&printed));
    assert!(out(&printed).starts_with("<!DOCTYPE html>") && out(&printed).ends_with("</html>\n"));
}

#[test]
fn the_table_of_rulings_is_shown_for_this_engine_and_for_another_one() {
    let all = umpire(&["compliance"], "");
    assert_eq!(code(&all), 0);
    for game in GAMES.iter() {
        let id = game.meta().id;
        let shown = umpire(&["compliance", id, "--json"], "");
        let table: Value = serde_json::from_str(out(&shown)).unwrap();
        for ruling in table["rulings"].as_array().unwrap() {
            assert!(out(&all).contains(ruling["id"].as_str().unwrap()));
            assert_ne!(ruling["because"], "");
        }
    }
    let markdown = umpire(&["compliance", game().meta().id, "--markdown"], "");
    assert!(out(&markdown).contains("| ruling | reading |"));
    assert_eq!(code(&umpire(&["compliance", "ludo"], "")), 2);

    // A pack in which another engine reads one precedent otherwise.
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("pack");
    let dir = dir.to_str().unwrap();
    let id = game().meta().id;
    assert_eq!(code(&umpire(&["conformance", "export", dir, "--game", id], "")), 0);
    let table = |expected: i32| -> Value {
        let run = umpire(&["conformance", "run", dir, "--compliance", "--json"], "");
        assert_eq!(code(&run), expected, "{}", error(&run));
        serde_json::from_str(out(&run)).unwrap()
    };
    let results = |table: &Value| -> Vec<(String, String)> {
        let rulings = table["rulings"].as_array().unwrap().iter();
        let readings = rulings.flat_map(|it| {
            it["readings"].as_array().unwrap().iter().map(move |one| {
                let name =
                    format!("{}={}", it["id"].as_str().unwrap(), one["value"].as_str().unwrap());
                (name, one["result"].as_str().unwrap().to_owned())
            })
        });
        readings.collect()
    };
    let before = results(&table(0));
    assert!(before.iter().all(|(_, result)| result != "differs"));
    let precedents = fs::read_dir(Path::new(dir).join(id).join("precedents")).unwrap();
    let (path, mut case) = precedents
        .map(|entry| entry.unwrap().path())
        .find_map(|path| {
            let case: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            (case["readings"].as_array()?.len() > 1 && case["readings"][1]["expect"].is_object())
                .then_some((path, case))
        })
        .unwrap();
    let plies = case["readings"][1]["expect"]["plies"].as_u64().unwrap();
    case["readings"][1]["expect"]["plies"] = json!(plies + 1);
    let text = serde_json::to_string_pretty(&case).unwrap();
    fs::write(&path, &text).unwrap();
    let manifest = Path::new(dir).join("manifest.json");
    let mut listed: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    for file in listed["files"].as_array_mut().unwrap() {
        if file["path"].as_str().unwrap().ends_with(name) {
            file["blake3"] = json!(blake3::hash(text.as_bytes()).to_hex().as_str());
        }
    }
    fs::write(&manifest, listed.to_string()).unwrap();
    let after = results(&table(1));
    let differ: Vec<&(String, String)> = after.iter().filter(|it| !before.contains(it)).collect();
    let ruling = case["ruling"].as_str().unwrap();
    let value = case["readings"][1]["reading"]["rulings"][ruling].as_str().unwrap();
    assert_eq!(differ, [&(format!("{ruling}={value}"), "differs".to_owned())]);
}
