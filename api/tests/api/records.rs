//! `/v1/records`.

use actix_web::test::TestRequest;
use serde_json::{Value, json};

use crate::app::{Answer, TestApp, game, illegal, legal, ndjson, numbered};

const NDJSON: &str = "application/x-ndjson";

async fn store(app: &TestApp, record: &Value) -> String {
    let answer = app.post("/v1/records", record.to_string()).await;
    assert!(matches!(answer.status, 200 | 201), "{:?}", answer.body);
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// A stretch of the events, and the legal actions beside a view: what a slider needs in one answer each.
#[actix_web::test]
async fn events_are_listed_from_one_ply_to_another_and_legal_actions_beside_a_view() {
    let app = TestApp::new();
    let stored = app.post("/v1/records", legal(4).to_string()).await.json();
    let path = format!("/v1/records/{}", stored["id"].as_str().unwrap());
    let all = app.get(&format!("{path}/events?viewer=referee&include=text")).await.json();
    let of = |list: &Value| list["events"].as_array().unwrap().clone();
    let mut parts = Vec::new();
    for range in ["to=1", "from=1&to=3", "from=3"] {
        let uri = format!("{path}/events?viewer=referee&include=text&{range}");
        let part = app.get(&uri).await.json();
        assert_eq!(of(&part).len(), part["texts"].as_array().unwrap().len(), "{range}");
        parts.extend(of(&part));
    }
    assert_eq!(parts, of(&all));
    let first = app.get(&format!("{path}/events?viewer=referee&from=0&to=1")).await.json();
    assert!(of(&first).iter().all(|event| event["opening"] != json!(true)));
    for viewer in ["referee", "spectator"] {
        let uri = format!("{path}/plies/2?viewer={viewer}&include=legal,text");
        let report = app.get(&uri).await.json();
        let uri = format!("{path}/legal-actions?viewer={viewer}&ply=2&include=text");
        assert_eq!(report["legal"], app.get(&uri).await.json()["choices"], "{viewer}");
        assert!(report["scene"].is_null());
        let uri = format!("{path}/report?viewer={viewer}&ply=2&include=scene");
        let report = app.get(&uri).await.json();
        let scene = app.get(&format!("{path}/plies/2/scene?viewer={viewer}")).await.json();
        assert!(scene["scene"].is_object());
        assert_eq!(report["scene"], scene["scene"], "{viewer}");
    }
}

#[actix_web::test]
async fn a_record_is_stored_once_under_the_hash_of_its_content() {
    let app = TestApp::new();
    let mut record = legal(2);
    record.as_object_mut().unwrap().remove("ruleset");
    let first = app.post("/v1/records", record.to_string()).await;
    assert_eq!(first.status, 201);
    let receipt = first.json();
    let id = receipt["id"].as_str().unwrap();
    assert_eq!(first.header("location"), format!("/v1/records/{id}"));
    assert_eq!(receipt["new"], true);
    assert_eq!(receipt["ruleset"], game().meta().ruleset());
    let kept = app.get(&format!("/v1/records/{id}")).await;
    assert_eq!(blake3::hash(&kept.body).to_hex().as_str(), id);
    assert_eq!(kept.json()["ruleset"], game().meta().ruleset());
    // Other spaces, another order of fields, the ruleset given: the same record.
    record["ruleset"] = json!(game().meta().ruleset());
    let again = app.post("/v1/records", serde_json::to_string_pretty(&record).unwrap()).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["id"], id);
    assert_eq!(again.json()["new"], false);
    assert_eq!(again.header("location"), format!("/v1/records/{id}"));
}

#[actix_web::test]
async fn meta_is_kept_byte_for_byte() {
    let app = TestApp::new();
    let mut record = legal(2);
    record["meta"] = json!("here");
    let text = record.to_string();
    let meta = "{ \"b\" : \"\\u00e9 1.0\",\n\t\"a\":\"\", \"c\": [1.0, 2e1 , null] }";
    let first = app.post("/v1/records", text.replace("\"here\"", meta)).await;
    assert_eq!(first.status, 201, "{:?}", first.body);
    let id = first.json()["id"].as_str().unwrap().to_owned();
    let kept = app.get(&format!("/v1/records/{id}")).await;
    let kept = String::from_utf8(kept.body.to_vec()).unwrap();
    assert!(kept.contains(&format!("\"meta\":{meta},")), "{kept}");
    // The same record, however it is written; the first text stays.
    let compact = text.replace("\"here\"", r#"{"a":"","b":"é 1.0","c":[1,20,null]}"#);
    for again in [compact.clone(), compact.replacen('{', r#"{"position":null,"#, 1), kept.clone()] {
        let again = app.post("/v1/records", again).await;
        assert_eq!((again.status, again.json()["id"].as_str()), (200, Some(id.as_str())));
    }
    assert_eq!(app.get(&format!("/v1/records/{id}")).await.body, kept);
    // In an export it has one line all the same.
    let request = TestRequest::get().uri("/v1/records").insert_header(("accept", NDJSON));
    let export = app.send(request).await;
    assert_eq!(export.lines().len(), 1);
    let again = app.post_as(NDJSON, "/v1/records", export.body).await.lines();
    assert_eq!(again[0]["id"], id.as_str());
}

#[actix_web::test]
async fn what_is_a_record_to_judge_is_one_to_store() {
    let app = TestApp::new();
    let mut record = legal(0);
    record["actions"] = json!(["here"]);
    let text = record.to_string();
    let fields: Vec<Value> = record.as_object().unwrap().values().cloned().collect();
    let list = Value::from(fields).to_string();
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    let odd = [r#"{"a":1,"a":2}"#, "1e999", &deep].map(|odd| text.replace("\"here\"", odd));
    for text in odd.into_iter().chain([list]) {
        let judged = app.post("/v1/validate", text.clone()).await;
        let stored = app.post("/v1/records", text.clone()).await;
        match judged.status {
            200 => drop(stored.problem(409, "record_illegal")),
            _ => assert_eq!(stored.json(), judged.json(), "{text}"),
        }
    }
}

#[actix_web::test]
async fn an_illegal_record_is_stored_only_for_a_dispute() {
    let app = TestApp::new();
    let text = illegal(2).to_string();
    let refused = app.post("/v1/records", text.clone()).await;
    let problem = refused.problem(409, "record_illegal");
    assert!(problem["pointer"].as_str().unwrap().starts_with("/actions/2"), "{problem}");
    assert_eq!(problem["verdict"]["verdict"]["status"], "illegal");
    let stored = app.post("/v1/records?accept=any", text).await;
    assert_eq!(stored.status, 201);
    let id = stored.json()["id"].as_str().unwrap().to_owned();
    let report = app.get(&format!("/v1/records/{id}/report?viewer=referee")).await.json();
    assert_eq!(report["verdict"], stored.json()["verdict"]);
    let list = app.get("/v1/records?status=illegal").await.json();
    assert_eq!(list["records"][0]["id"], id.as_str());
}

#[actix_web::test]
async fn what_is_asked_of_a_stored_record_is_what_is_asked_of_the_record() {
    let app = TestApp::new();
    let record = legal(3);
    let id = store(&app, &record).await;
    let text = record.to_string();
    for query in
        ["?viewer=referee", "?viewer=referee&include=events,tape", "?ply=1&viewer=spectator"]
    {
        let sent = app.post(&format!("/v1/replay{query}"), text.clone()).await;
        let stored = app.get(&format!("/v1/records/{id}/report{query}")).await;
        assert_eq!(stored.body, sent.body, "{query}");
    }
    for viewer in ["referee", "spectator", game().meta().seats[0]] {
        let who = format!("viewer={viewer}");
        let sent = app.post(&format!("/v1/replay?ply=2&{who}"), text.clone()).await;
        assert_eq!(app.get(&format!("/v1/records/{id}/plies/2?{who}")).await.body, sent.body);
        let sent = app.post(&format!("/v1/replay?include=events&{who}"), text.clone()).await;
        let events = app.get(&format!("/v1/records/{id}/events?{who}")).await.json();
        assert_eq!(events["events"], sent.json()["events"]);
        let sent = app.post(&format!("/v1/legal-actions?{who}"), text.clone()).await;
        let stored = app.get(&format!("/v1/records/{id}/legal-actions?{who}")).await;
        assert_eq!(stored.body, sent.body);
    }
}

#[actix_web::test]
async fn a_stored_record_is_shown_to_the_spectator_unless_somebody_else_is_named() {
    let app = TestApp::new();
    let record = legal(3);
    let id = store(&app, &record).await;
    for rest in ["report", "report?ply=1", "plies/2", "events", "legal-actions"] {
        let path = format!("/v1/records/{id}/{rest}");
        let plain = app.get(&path).await;
        assert_eq!(plain.json()["viewer"], "spectator", "{path}");
        let join = if rest.contains('?') { '&' } else { '?' };
        let named = app.get(&format!("{path}{join}viewer=spectator")).await;
        assert_eq!(plain.body, named.body, "{path}");
    }
    for path in ["/v1/replay", "/v1/legal-actions"] {
        let sent = app.post(path, record.to_string()).await;
        assert_eq!(sent.json()["viewer"], "referee", "{path}");
    }
}

#[actix_web::test]
async fn an_answer_about_a_stored_record_is_sent_once_and_kept() {
    let app = TestApp::new();
    let id = store(&app, &legal(3)).await;
    let mut tags = Vec::new();
    for rest in ["", "/report", "/report?viewer=spectator", "/plies/1", "/events", "/legal-actions"]
    {
        let path = format!("/v1/records/{id}{rest}");
        let answer = app.get(&path).await;
        // Only the text itself never changes: a report may be another engine's tomorrow.
        let kept = if rest.is_empty() { "immutable" } else { "no-cache" };
        assert!(answer.header("cache-control").ends_with(kept), "{path}");
        let tag = answer.header("etag").to_owned();
        assert!(tag.starts_with('"') && !tags.contains(&tag), "{path}");
        for sent in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let request = TestRequest::get().uri(&path).insert_header(("if-none-match", sent));
            let again = app.send(request).await;
            assert_eq!(again.status, 304, "{path}");
            assert_eq!(again.header("etag"), tag);
            assert!(again.body.is_empty());
        }
        let other = TestRequest::get().uri(&path).insert_header(("if-none-match", "\"other\""));
        assert_eq!(app.send(other).await.status, 200);
        tags.push(tag);
    }
}

#[actix_web::test]
async fn a_record_stored_again_with_another_text_has_another_tag() {
    let app = TestApp::new();
    let mut record = legal(1);
    record["meta"] = json!({"a": "é"});
    let id = store(&app, &record).await;
    let path = format!("/v1/records/{id}");
    let first = app.get(&path).await;
    let delete = TestRequest::delete().uri(&path);
    assert_eq!(app.send(delete).await.status, 204);
    let again = record.to_string().replace('é', "\\u00e9");
    assert_eq!(app.post("/v1/records", again).await.json()["id"], id);
    let tag = first.header("etag").to_owned();
    let request = TestRequest::get().uri(&path).insert_header(("if-none-match", tag));
    let second = app.send(request).await;
    assert_eq!(second.status, 200);
    assert_ne!(second.body, first.body);
}

#[actix_web::test]
async fn lines_are_sent_to_those_who_want_lines() {
    let app = TestApp::new();
    store(&app, &legal(1)).await;
    const LINES: &str = "application/x-ndjson";
    for (accept, kind) in [
        ("application/x-ndjson", LINES),
        ("application/json, application/x-ndjson", LINES),
        ("APPLICATION/X-NDJSON;q=0.4, text/html", LINES),
        ("application/json, application/x-ndjson;q=0.5", "application/json"),
        ("application/json, application/x-ndjson;q=0", "application/json"),
        ("*/*", "application/json"),
        ("nonsense", "application/json"),
    ] {
        let request = TestRequest::get().uri("/v1/records").insert_header(("accept", accept));
        assert_eq!(app.send(request).await.header("content-type"), kind, "{accept}");
    }
}

#[actix_web::test]
async fn a_compressed_answer_has_a_tag_of_its_own_that_is_known_again() {
    let app = TestApp::new();
    let id = store(&app, &legal(3)).await;
    let path = format!("/v1/records/{id}/report");
    let plain = app.get(&path).await.header("etag").to_owned();
    let packed = TestRequest::get().uri(&path).insert_header(("accept-encoding", "gzip"));
    let packed = app.send(packed).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let tag = packed.header("etag").to_owned();
    assert_ne!(tag, plain);
    let request = TestRequest::get().uri(&path).insert_header(("if-none-match", tag));
    assert_eq!(app.send(request).await.status, 304);
}

#[actix_web::test]
async fn a_head_is_a_get_without_the_body() {
    let app = TestApp::new();
    let id = store(&app, &legal(1)).await;
    let path = format!("/v1/records/{id}");
    let request = TestRequest::default().method(actix_web::http::Method::HEAD).uri(&path);
    let head = app.send(request).await;
    assert_eq!(head.status, 200);
    assert_eq!(head.header("etag"), app.get(&path).await.header("etag"));
}

#[actix_web::test]
async fn a_list_is_paged_and_every_record_is_shown_once() {
    let app = TestApp::new();
    let mut stored = Vec::new();
    for number in 0..7 {
        stored.push(store(&app, &numbered(number)).await);
    }
    let mut seen = Vec::new();
    let mut path = "/v1/records?limit=3".to_owned();
    loop {
        let page = app.get(&path).await.json();
        let ids = page["records"].as_array().unwrap().iter();
        seen.extend(ids.map(|record| record["id"].as_str().unwrap().to_owned()));
        // What comes later is not shown on later pages.
        store(&app, &numbered(100 + seen.len())).await;
        match page["next"].as_str() {
            Some(next) => path = format!("/v1/records?limit=3&cursor={next}"),
            None => break,
        }
    }
    stored.reverse();
    assert_eq!(seen, stored);
}

#[actix_web::test]
async fn a_list_is_filtered() {
    let app = TestApp::new();
    let seat = game().meta().seats[0];
    let mut record = numbered(1);
    record["players"] = json!({seat: "Anna"});
    record["meta"] = json!({"event": "Club night in Rapallo", "round": 37, "judges": ["Ottavio", {"deputy": "Zita"}]});
    let id = store(&app, &record).await;
    store(&app, &numbered(2)).await;
    let hits = async |query: &str| -> Vec<String> {
        let page = app.get(&format!("/v1/records?{query}")).await.json();
        let ids = page["records"].as_array().unwrap().iter();
        ids.map(|record| record["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(hits("player=anna").await, [id.as_str()]);
    // However an accent was typed, the name is the same.
    let mut accented = numbered(3);
    accented["players"] = json!({seat: "Zoe\u{308}"});
    let accented = store(&app, &accented).await;
    assert_eq!(hits("player=zo%C3%AB").await, [accented.as_str()]);
    assert_eq!(hits("player=ZOe%CC%88").await, [accented.as_str()]);
    let delete = TestRequest::delete().uri(&format!("/v1/records/{accented}"));
    assert_eq!(app.send(delete).await.status, 204);
    assert_eq!(hits("text=rapallo").await, [id.as_str()]);
    for scalar in ["37", "ottavio", "zita"] {
        assert_eq!(hits(&format!("text={scalar}")).await, [id.as_str()], "{scalar}");
    }
    // What is searched are the values, not the names that they stand under.
    assert_eq!(hits("text=deputy").await.len(), 0);
    assert_eq!(hits("player=bruno").await.len(), 0);
    let other = game().meta().seats[1];
    assert_eq!(hits(&format!("winner={other}")).await.len(), 0);
    assert_eq!(hits("status=complete").await.len(), 0);
    assert_eq!(hits("status=in_progress").await.len(), 2);
    assert_eq!(hits(&format!("game={}", game().meta().id)).await.len(), 2);
    assert_eq!(hits(&format!("ruleset={}", game().meta().ruleset())).await.len(), 2);
    let page = app.get("/v1/records?player=anna").await.json();
    let record = &page["records"][0];
    assert_eq!(record["players"][seat], "Anna");
    assert_eq!(record["meta"]["round"], 37);
    assert_eq!(record["meta"]["judges"], json!(["Ottavio", {"deputy": "Zita"}]));
    let at = record["created_at"].as_str().unwrap();
    assert!(at.ends_with('Z') && at.len() == "2026-11-21T21:00:00.007Z".len(), "{at}");
    assert_eq!(hits(&format!("until={at}")).await.len(), 0);
    assert_eq!(hits(&format!("since={at}")).await.len(), 2);
    // Another offset names the same moment; a number is one of milliseconds.
    let west = format!("{}-00:00", at.trim_end_matches('Z'));
    assert_eq!(hits(&format!("since={west}")).await.len(), 2);
    assert_eq!(hits("since=100000000000&until=253402300799999").await.len(), 2);
    assert_eq!(hits("until=1970-01-01T00:00:00.001Z").await.len(), 0);
}

#[actix_web::test]
async fn what_is_exported_can_be_stored_again() {
    let app = TestApp::new();
    let records: Vec<Value> = (0..30).map(numbered).collect();
    let sent = app.post_as(NDJSON, "/v1/records", ndjson(&records)).await;
    let lines = sent.lines();
    assert_eq!(lines.len(), 31);
    assert_eq!(lines[30]["summary"]["new"], 30);
    let request = TestRequest::get().uri("/v1/records").insert_header(("accept", NDJSON));
    let export = app.send(request).await;
    assert_eq!(export.header("content-type"), NDJSON);
    assert_eq!(export.lines().len(), 30);
    let other = TestApp::new();
    let answer = other.post_as(NDJSON, "/v1/records", export.body.clone()).await.lines();
    assert_eq!(answer[30]["summary"]["new"], 30);
    for (line, text) in answer.iter().zip(std::str::from_utf8(&export.body).unwrap().lines()) {
        assert_eq!(line["id"], blake3::hash(text.as_bytes()).to_hex().as_str());
    }
    let again = app.post_as(NDJSON, "/v1/records", export.body).await.lines();
    assert_eq!(again[30]["summary"]["existing"], 30);
}

/// An export in parts leads from each to the next, and says which record stands in which line.
#[actix_web::test]
async fn an_export_in_parts_says_where_it_goes_on() {
    let app = TestApp::new();
    let records: Vec<Value> = (0..5).map(numbered).collect();
    app.post_as(NDJSON, "/v1/records", ndjson(&records)).await;
    let mut at = "/v1/records?limit=2&ids=true".to_owned();
    let mut found = Vec::new();
    loop {
        let request = TestRequest::get().uri(&at).insert_header(("accept", NDJSON));
        let part = app.send(request).await;
        for line in part.lines() {
            let shown = app.get(&format!("/v1/records/{}", line["id"].as_str().unwrap())).await;
            assert_eq!(shown.json(), line["record"]);
            found.push(line["id"].clone());
        }
        let Some(next) = part.headers.get("link") else { break };
        let next = next.to_str().unwrap();
        let (path, rest) = next[1..].split_once('>').unwrap();
        assert_eq!(rest, "; rel=\"next\"");
        at = path.to_owned();
    }
    assert_eq!(found.len(), 5);
    app.get("/v1/records?ids=maybe").await.problem(422, "bad_parameter");
}

#[actix_web::test]
async fn lines_are_stored_or_refused_each_by_itself() {
    // A few are judged on the spot, and many on threads of their own.
    for more in [0, 400] {
        let app = TestApp::new();
        let mut text = ndjson(&[legal(1), illegal(1), legal(1)]);
        text.push_str("{}\n");
        text.push_str(&ndjson(&vec![legal(1); more]));
        let lines = app.post_as(NDJSON, "/v1/records", text).await.lines();
        assert_eq!(lines[0]["new"], true);
        assert_eq!(lines[1]["code"], "record_illegal");
        assert_eq!(lines[1]["line"], 2);
        assert_eq!(lines[2]["id"], lines[0]["id"]);
        assert_eq!(lines[3]["code"], "bad_record");
        let summary = json!({
            "records": 4 + more, "new": 1, "existing": 1 + more, "refused": 1, "failed": 1
        });
        assert_eq!(lines[4 + more]["summary"], summary);
    }
}

#[actix_web::test]
async fn a_deleted_record_is_gone_and_may_come_again() {
    let app = TestApp::new();
    let id = store(&app, &legal(1)).await;
    let path = format!("/v1/records/{id}");
    let delete = || TestRequest::delete().uri(&path);
    let gone: Answer = app.send(delete()).await;
    assert_eq!(gone.status, 204);
    assert!(gone.body.is_empty());
    app.get(&path).await.problem(404, "not_found");
    app.send(delete()).await.problem(404, "not_found");
    assert_eq!(store(&app, &legal(1)).await, id);
    assert_eq!(app.get(&path).await.status, 200);
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn an_id_that_is_none_or_unknown_is_not_found() {
        let app = TestApp::new();
        for id in ["x", &"0".repeat(64), &"F".repeat(64), &"0".repeat(65)] {
            for rest in ["", "/report", "/plies/0", "/events", "/legal-actions"] {
                let answer = app.get(&format!("/v1/records/{id}{rest}")).await;
                answer.problem(404, "not_found");
            }
            let delete = TestRequest::delete().uri(&format!("/v1/records/{id}"));
            app.send(delete).await.problem(404, "not_found");
        }
    }

    #[actix_web::test]
    async fn a_ply_that_is_none_or_behind_the_end_is_not_found() {
        let app = TestApp::new();
        let id = store(&app, &legal(1)).await;
        for ply in ["2", "-1", "last", "+1", "4294967296"] {
            let answer = app.get(&format!("/v1/records/{id}/plies/{ply}")).await;
            answer.problem(404, "not_found");
        }
    }

    #[actix_web::test]
    async fn what_is_not_there_is_not_found_whatever_the_caller_has() {
        let app = TestApp::new();
        let id = store(&app, &legal(1)).await;
        for rest in ["plies/2", "report?ply=2", "legal-actions?ply=2"] {
            let path = format!("/v1/records/{id}/{rest}");
            let request = TestRequest::get().uri(&path).insert_header(("if-none-match", "*"));
            app.send(request).await.problem(404, "not_found");
        }
    }

    #[actix_web::test]
    async fn a_wrong_filter_is_named() {
        let app = TestApp::new();
        let long = format!("text={}", "x".repeat(201));
        for (query, name) in [
            ("game=ludo", "game"),
            ("status=won", "status"),
            ("limit=0", "limit"),
            ("limit=501", "limit"),
            ("since=yesterday", "since"),
            ("until=1795294800", "until"),
            ("cursor=here", "cursor"),
            ("colour=red", "colour"),
            (long.as_str(), "text"),
        ] {
            let problem =
                app.get(&format!("/v1/records?{query}")).await.problem(422, "bad_parameter");
            assert_eq!(problem["parameter"], name, "{query}");
        }
    }

    #[actix_web::test]
    async fn accept_is_legal_or_any() {
        let answer = TestApp::new().post("/v1/records?accept=all", legal(0).to_string()).await;
        assert_eq!(answer.problem(422, "bad_parameter")["parameter"], "accept");
    }

    #[actix_web::test]
    async fn what_has_no_canonical_form_is_not_stored() {
        let app = TestApp::new();
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        for action in [r#"{"a":1,"a":2}"#, "1e999", &deep] {
            let mut record = legal(0);
            record["actions"] = json!(["here"]);
            let text = record.to_string().replace("\"here\"", action);
            let answer = app.post("/v1/records?accept=any", text).await;
            assert!(matches!(answer.status, 400 | 422), "{action}: {:?}", answer.body);
            assert_eq!(answer.header("content-type"), "application/problem+json");
        }
    }
}

/// A seat or a ruleset that no game has finds nothing by mistake: it is refused, as an unknown game is.
#[actix_web::test]
async fn filters_refuse_names_that_nothing_has() {
    let app = TestApp::new();
    let (seat, ruleset) = (game().meta().seats[0], game().meta().ruleset());
    assert_eq!(app.get(&format!("/v1/records?winner={seat}&ruleset={ruleset}")).await.status, 200);
    let older = format!("{}@0", game().meta().id);
    assert_eq!(app.get(&format!("/v1/records?ruleset={older}")).await.status, 200);
    for wrong in [
        format!("winner={}", seat.to_uppercase()),
        format!("ruleset={}", game().meta().id),
        "ruleset=ludo@1".to_owned(),
    ] {
        let problem = app.get(&format!("/v1/records?{wrong}")).await.problem(422, "bad_parameter");
        assert_eq!(problem["parameter"], wrong.split('=').next().unwrap());
    }
}

/// Canonical JSON rounds whole numbers beyond 2^53: two records would have one id.
#[actix_web::test]
async fn whole_numbers_in_meta_that_would_be_rounded_are_refused() {
    let app = TestApp::new();
    let with = |meta: &str| {
        let record = legal(1).to_string();
        format!("{},\"meta\":{meta}}}", record.strip_suffix('}').unwrap())
    };
    for fits in [
        "{\"n\":9007199254740992}",
        "{\"n\":[-9007199254740991,1.5,1e300,\"99999999999999999999\"]}",
    ] {
        assert_eq!(app.post("/v1/records", with(fits)).await.status, 201, "{fits}");
    }
    for rounded in ["{\"n\":9007199254740993}", "{\"a\":{\"n\":[-99999999999999999999]}}"] {
        let refused = app.post("/v1/records", with(rounded)).await;
        assert_eq!(refused.problem(422, "bad_record")["pointer"], "/meta");
        let asked = format!("{{\"record\":{}}}", with(rounded));
        let refused = app.post("/v1/adjudicate?keep=true", asked).await;
        assert_eq!(refused.problem(422, "bad_record")["code"], "bad_record");
    }
}
