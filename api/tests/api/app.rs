//! The whole service in this process, on a store of its own, and records to send to it.

use std::sync::Arc;

use actix_web::body::to_bytes;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, init_service};
use actix_web::web::{Bytes, Data};
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::app::build;
use umpire_api::auth::names::Names;
use umpire_api::auth::secrets::Secret;
use umpire_api::auth::tokens::Tokens;
use umpire_api::limits::Limits;
use umpire_api::service::Service;
use umpire_api::store::Store;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;
use umpire_referee::reading;

use crate::described::faults;

/// The service. Whatever it answers is compared with its description.
pub(crate) struct TestApp {
    service: Data<Service>,
    _folder: TempDir,
}

/// An answer of the service.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        TestApp::with(Limits::default(), None, &[])
    }

    pub(crate) fn limited(limits: Limits) -> Self {
        TestApp::with(limits, None, &[])
    }

    pub(crate) fn with(limits: Limits, tokens: Option<Tokens>, origins: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let store = crate::store(&folder.path().join("records.sqlite"));
        let origins = origins.iter().map(|origin| (*origin).to_owned()).collect();
        let service = Service::new(store, limits, tokens, origins).unwrap();
        TestApp { service: Data::new(service), _folder: folder }
    }

    /// With private ids under a key; `tokens` is the text of a token file, and reading is protected.
    pub(crate) fn private(tokens: &str, key: &Secret) -> Self {
        let tokens = Tokens::parse(tokens, true).unwrap();
        TestApp::with(Limits::default(), Some(tokens), &[])
            .change(|service| service.names = Arc::new(Names::private(key)))
    }

    /// Sends a request with a token.
    pub(crate) async fn send_as(&self, token: &str, request: TestRequest) -> Answer {
        self.send(request.insert_header(("authorization", format!("Bearer {token}")))).await
    }

    /// The same with other parts.
    pub(crate) fn change(self, change: impl FnOnce(&mut Service)) -> Self {
        let TestApp { service, _folder } = self;
        let mut service = std::sync::Arc::into_inner(service.into_inner()).unwrap();
        change(&mut service);
        TestApp { service: Data::new(service), _folder }
    }

    pub(crate) fn data(&self) -> Data<Service> {
        self.service.clone()
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.service.store.as_ref()
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Answer {
        let app = init_service(build(self.service.clone())).await;
        let request = request.to_request();
        let (method, path) = (request.method().to_string(), request.path().to_owned());
        let answer = actix_web::test::call_service(&app, request).await;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body = match to_bytes(answer.into_body()).await {
            Ok(body) => body,
            Err(_) => panic!("the body broke off"),
        };
        let text =
            |name: &str| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
        if text("content-encoding").is_empty() && method != "HEAD" {
            let found = faults(&method, &path, status, text("content-type"), &body);
            assert!(found.is_empty(), "{found:#?} in {:.2000}", String::from_utf8_lossy(&body));
        }
        Answer { status, headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(TestRequest::get().uri(path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: impl Into<Bytes>) -> Answer {
        self.post_as("application/json", path, body).await
    }

    pub(crate) async fn post_as(&self, kind: &str, path: &str, body: impl Into<Bytes>) -> Answer {
        let request = TestRequest::post().uri(path).insert_header(("content-type", kind));
        self.send(request.set_payload(body)).await
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("{error}: {:?}", self.body),
        }
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.body).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        match self.headers.get(name) {
            Some(value) => value.to_str().unwrap(),
            None => panic!("no {name} in {:?}", self.headers),
        }
    }

    /// Asserts that this is a problem of that code, as the table has it, and returns it.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{:?}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("/v1/problems/{code}"));
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
        problem
    }
}

/// A registered game.
pub(crate) fn game() -> &'static dyn AnyGame {
    GAMES[0]
}

/// A legal record of so many actions.
pub(crate) fn legal(plies: usize) -> Value {
    serde_json::from_str(reading::sample(game(), "a test", plies).get()).unwrap()
}

/// The record of the longest whole game that is a fixture of that game and comes from a seed.
pub(crate) fn whole_game(id: &str) -> Value {
    let folder = format!("{}/../fixtures/{id}/games", env!("CARGO_MANIFEST_DIR"));
    let texts = std::fs::read_dir(folder).unwrap().map(|it| std::fs::read(it.unwrap().path()));
    let fixtures = texts.map(|text| serde_json::from_slice::<Value>(&text.unwrap()).unwrap());
    let records = fixtures.map(|mut fixture| fixture["record"].take());
    let seeded = records.filter(|record| record["chance"]["seed"].is_string());
    seeded.max_by_key(|record| record["actions"].as_array().map_or(0, Vec::len)).unwrap()
}

/// A record whose action at that ply is none.
pub(crate) fn illegal(ply: usize) -> Value {
    let mut record = legal(ply);
    record["actions"].as_array_mut().unwrap().push(json!({"type": "no such thing"}));
    record
}

/// A legal record that no other number gives.
pub(crate) fn numbered(number: usize) -> Value {
    let mut record = legal(0);
    record["chance"]["seed"] = json!(format!("number {number}"));
    record
}

/// Records as NDJSON.
pub(crate) fn ndjson(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}
