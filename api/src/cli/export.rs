//! `umpire export`: exports the records of a store as a table.
//!
//! This module must not write to a store, and must not hold many records in memory.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

use super::shared::{Exit, game_named, print, stored};
use super::table::ArchiveTable;
use crate::store::Filter;

/// What to export, and where to.
#[derive(Args, Debug)]
pub(super) struct Export {
    /// The store; a server may run on it.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// The Parquet file to write (docs/archives.md): one row per record, the newest first.
    #[arg(long, value_name = "FILE")]
    parquet: PathBuf,
    /// Replace an existing file, once the export is complete.
    #[arg(long)]
    force: bool,
    /// Export only records of this game.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// Exports the records.
pub(super) fn run(args: &Export) -> Result<Exit, String> {
    if let Some(game) = &args.game {
        game_named(game)?;
    }
    let store = stored(&args.store)?;
    let mut table = ArchiveTable::create(&args.parquet, args.force)?;
    let filter = Filter { game: args.game.clone(), ..Filter::default() };
    let before = store.count(&filter).map_err(|error| error.to_string())?;
    let (mut count, mut failed) = (0_u64, Ok(()));
    let visited = store.each(&filter, &mut |record| {
        failed = table.add(&record);
        count += 1;
        if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    visited.map_err(|error| error.to_string())?;
    failed?;
    table.finish()?;
    let records = |count| if count == 1 { "record" } else { "records" };
    let there = args.parquet.display();
    print(format!("{count} {} in {there}\n", records(count)).as_bytes())?;
    let missing = before.saturating_sub(count);
    if missing > 0 {
        eprintln!(
            "umpire: {missing} {} could not be read or were deleted during the export; run `umpire check`",
            records(missing)
        );
        return Ok(Exit::Illegal);
    }
    Ok(Exit::Good)
}
