//! `umpire restore`: a backup put in the place of a store.
//!
//! This module must not touch a store on which a server runs.

use std::path::PathBuf;

use clap::Args;

use super::check;
use super::shared::{Exit, file_only};
use crate::store::sqlite;

/// What to put where.
#[derive(Args, Debug)]
pub(super) struct Restore {
    /// The backup. It is looked over first, and stays.
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// The store. No server may have it open. Its directory must be there.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Replace what lies there, and what its log holds.
    #[arg(long)]
    force: bool,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
}

/// Puts a backup in the place of a store.
pub(super) fn run(args: &Restore) -> Result<Exit, String> {
    let Restore { backup, store, force, json } = args;
    file_only(backup, "use `pg_restore`")?;
    file_only(store, "use `pg_restore`")?;
    let left = format!("{} is as it was", store.display());
    check::copy([backup, store], *json, &left, |tell| {
        sqlite::restore(backup, store, *force, check::FITS, tell)
    })
}
