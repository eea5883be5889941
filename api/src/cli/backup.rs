//! `umpire backup`: a copy of a store, also while a server runs on it.
//!
//! This module must not write to a store.

use std::path::PathBuf;

use clap::Args;

use super::check;
use super::shared::{Exit, file_only};
use crate::store::sqlite;

/// What to copy where.
#[derive(Args, Debug)]
pub(super) struct Backup {
    /// The store; a server may run on it.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// The copy: one file, readable by its owner only. Its directory must be there.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Replace what lies there, once the copy is whole.
    #[arg(long)]
    force: bool,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
}

/// Copies a store.
pub(super) fn run(args: &Backup) -> Result<Exit, String> {
    let Backup { store, to, force, json } = args;
    file_only(store, "`pg_dump` makes a backup, also while servers run")?;
    file_only(to, "use `pg_restore`")?;
    let left = format!(
        "{} was not written; `umpire salvage {} TO` keeps what is whole",
        to.display(),
        store.display(),
    );
    check::copy([store, to], *json, &left, |tell| {
        sqlite::backup(store, to, *force, check::FITS, tell)
    })
}
