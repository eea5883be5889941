//! `umpire restore`: a backup put in the place of a store.
//!
//! This module must not touch a store on which a server runs.

use std::path::PathBuf;

use clap::Args;

use super::check::{self, Answer};
use super::shared::{Exit, print, print_json};
use crate::store::sqlite::{self, Copied};

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
    let bar = check::bar();
    let mut tell = |done, of| check::tell(&bar, done, of);
    let copied = sqlite::restore(&args.backup, &args.store, args.force, check::FITS, &mut tell);
    bar.finish_and_clear();
    let copied = copied.map_err(|error| error.to_string())?;
    let (checked, exit) = match &copied {
        Copied::Done(checked) => (checked, Exit::Good),
        Copied::Damaged(checked) => (checked, Exit::Illegal),
    };
    if args.json {
        print_json(&Answer::of(checked))?;
    } else if exit == Exit::Good {
        print(format!("{}: {}\n", args.store.display(), check::summary(checked)).as_bytes())?;
    }
    if exit != Exit::Good {
        eprintln!(
            "{}umpire: {} is damaged ({}), and {} is as it was",
            check::shown(checked),
            args.backup.display(),
            check::summary(checked),
            args.store.display(),
        );
    }
    Ok(exit)
}
