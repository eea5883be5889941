//! The service, measured: `cargo bench -p umpire-api`, or one part of it by name, as in
//! `cargo bench -p umpire-api -- http`.
//!
//! One binary, so that the service is linked once. Must not assert anything: it prints figures.

#![allow(clippy::disallowed_types, reason = "a benchmark needs a clock")]

mod fair;
mod http;
mod impact;
mod postgres;
mod siege;
mod store;
mod tables;

#[path = "../../tests/api/client.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod client;

#[path = "../../tests/api/crowd.rs"]
mod crowd;

#[path = "../../tests/postgres/mod.rs"]
mod postgres_server;

fn main() {
    // Cargo adds `--bench`.
    let given: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let (named, folder) = match given.split_first() {
        Some((first, rest)) => (first.as_str(), rest.first()),
        None => ("all", None),
    };
    let parts: [(&str, &dyn Fn()); 7] = [
        ("store", &|| store::measure(folder.map(Into::into))),
        ("http", &http::measure),
        ("fair", &fair::measure),
        ("siege", &|| siege::measure(folder.map(String::as_str))),
        ("impact", &impact::measure),
        ("tables", &tables::measure),
        ("postgres", &postgres::measure),
    ];
    let chosen: Vec<_> =
        parts.iter().filter(|(name, _)| named == "all" || *name == named).collect();
    if chosen.is_empty() {
        eprintln!(
            "no benchmark {named:?}; there is store [FOLDER], http, fair, siege [NAME], impact, tables and postgres"
        );
        std::process::exit(2);
    }
    for (name, measure) in chosen {
        println!("== {name}");
        measure();
    }
}

/// The longest whole game among the fixtures of a game: its record.
fn whole_game(id: &str) -> serde_json::Value {
    let folder = format!("{}/../fixtures/{id}/games", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("the fixtures").flatten();
    let longest = files.max_by_key(|file| file.metadata().map_or(0, |about| about.len()));
    let text = std::fs::read(longest.expect("a whole game").path()).expect("a fixture");
    let mut fixture: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    fixture["record"].take()
}
