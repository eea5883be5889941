//! What stores, seen from outside, on PostgreSQL: the same tests as on a file, and those of several servers.
//!
//! Where PostgreSQL is not installed, the tests of one server run on a file once more, and those of several are left
//! out; both is said.

// The other half of what these modules offer is used by the other tests.
#![allow(dead_code)]

#[path = "../api/analyses.rs"]
mod analyses;
#[path = "../api/app.rs"]
mod app;
#[path = "../api/archives.rs"]
mod archives;
#[path = "../api/cli.rs"]
mod cli;
#[path = "../api/client.rs"]
mod client;
mod copies;
#[path = "../api/described.rs"]
mod described;
#[path = "../api/impacts.rs"]
mod impacts;
#[path = "../api/jobs.rs"]
mod jobs;
#[path = "../postgres/mod.rs"]
mod postgres;
#[path = "../api/records.rs"]
mod records;
#[path = "../api/secrecy.rs"]
mod secrecy;
mod several;
mod shared_jobs;
#[path = "../api/storm.rs"]
mod storm;
#[path = "../api/tables.rs"]
mod tables;
mod tls;
#[path = "../api/tokens.rs"]
mod tokens;
#[path = "../api/verdicts.rs"]
mod verdicts;

use std::path::Path;
use std::sync::Arc;

use umpire_api::store::Store;
use umpire_api::store::postgres::PostgresStore;
use umpire_api::store::sqlite::SqliteStore;

/// The store of a service in this process.
fn store(path: &Path) -> Arc<dyn Store> {
    match postgres::database("the service on PostgreSQL (it runs on a file)") {
        Some(address) => Arc::new(PostgresStore::open(&address).unwrap()),
        None => Arc::new(SqliteStore::open(path).unwrap()),
    }
}

/// Where a command finds a store.
fn place(folder: &Path) -> String {
    let database = postgres::database("an archive of a database (it is one of a file)");
    database.unwrap_or_else(|| folder.join("store.sqlite").to_str().unwrap().to_owned())
}
