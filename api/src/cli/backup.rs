//! `umpire backup`: copies a store, even while a server runs on it.
//!
//! This module must not write to a store.

use std::path::PathBuf;

use clap::Args;

use super::check;
use super::shared::{Exit, file_only};
use crate::store::sqlite;

/// What to copy, and where to.
#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The store; a server may run on it.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// The backup file, which only its owner can read. Its directory must exist.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Replace an existing file, once the copy is complete.
    #[arg(long)]
    force: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Backs up a store.
pub(super) fn run(args: &Backup) -> Result<Exit, String> {
    let Backup { store, to, force, json } = args;
    file_only(store, "use `pg_dump`, which works while servers run")?;
    file_only(to, "use `pg_restore`")?;
    let left = format!(
        "{} was not written; `umpire salvage {} TO` recovers what is intact",
        to.display(),
        store.display(),
    );
    check::copy([store, to], *json, &left, |tell| {
        sqlite::backup(store, to, *force, check::FITS, tell)
    })
}
