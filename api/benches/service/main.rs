//! The service, measured: `cargo bench -p umpire-api`, or one part of it by name, as in
//! `cargo bench -p umpire-api -- http`.
//!
//! One binary, so that the service is linked once. Must not assert anything: it prints figures.

#![allow(clippy::disallowed_types, reason = "a benchmark needs a clock")]

mod fair;
mod http;
mod impact;
mod postgres;
mod store;
mod tables;

#[path = "../../tests/api/client.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod client;

#[path = "../../tests/postgres/mod.rs"]
mod postgres_server;

fn main() {
    // Cargo adds `--bench`.
    let given: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let (named, folder) = match given.split_first() {
        Some((first, rest)) => (first.as_str(), rest.first()),
        None => ("all", None),
    };
    let parts: [(&str, &dyn Fn()); 6] = [
        ("store", &|| store::measure(folder.map(Into::into))),
        ("http", &http::measure),
        ("fair", &fair::measure),
        ("impact", &impact::measure),
        ("tables", &tables::measure),
        ("postgres", &postgres::measure),
    ];
    let chosen: Vec<_> =
        parts.iter().filter(|(name, _)| named == "all" || *name == named).collect();
    if chosen.is_empty() {
        eprintln!(
            "no benchmark {named:?}; there is store [FOLDER], http, fair, impact, tables and postgres"
        );
        std::process::exit(2);
    }
    for (name, measure) in chosen {
        println!("== {name}");
        measure();
    }
}
