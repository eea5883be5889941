//! `umpire restore`: restores a store from a backup.
//!
//! This module must not touch a store on which a server runs.

use std::path::PathBuf;

use clap::Args;

use super::check;
use super::shared::{Exit, file_only};
use crate::store::sqlite;

/// What to restore, and where to.
#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The backup. It is checked first, and not changed.
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// The store. No server may have it open. Its directory must exist.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Replace an existing store, including its write-ahead log.
    #[arg(long)]
    force: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Restores a store from a backup.
pub(super) fn run(args: &Restore) -> Result<Exit, String> {
    let Restore { backup, store, force, json } = args;
    file_only(backup, "use `pg_restore`")?;
    file_only(store, "use `pg_restore`")?;
    let left = format!("{} was not changed", store.display());
    check::copy([backup, store], *json, &left, |tell| {
        sqlite::restore(backup, store, *force, check::FITS, tell)
    })
}
