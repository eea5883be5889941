//! The service and the command line, seen from outside.
//!
//! One binary. A module per resource, with what goes wrong in its module `errors`. No test names
//! a game, and none asserts how long something takes.

mod analyses;
mod app;
mod archives;
mod board;
mod bounds;
mod cli;
mod client;
mod conformance;
mod crowd;
mod described;
mod disputes;
mod documents;
mod doors;
#[cfg(target_os = "linux")]
mod faults;
mod games;
mod health;
mod hostile;
mod impact;
mod impacts;
mod input;
mod jobs;
mod keeping;
mod kept;
mod languages;
mod legal_actions;
mod lenient;
mod manners;
mod pages;
mod partial;
mod readme;
mod record;
mod records;
mod replay;
mod rules;
mod secrecy;
mod stopped;
mod storm;
mod tables;
mod tokens;
mod validate;
mod verdicts;

/// The store of a service in this process.
fn store(path: &std::path::Path) -> std::sync::Arc<dyn umpire_api::store::Store> {
    std::sync::Arc::new(umpire_api::store::sqlite::SqliteStore::open(path).unwrap())
}

/// Where a command finds a store.
fn place(folder: &std::path::Path) -> String {
    folder.join("store.sqlite").to_str().unwrap().to_owned()
}
