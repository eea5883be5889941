//! `umpire backup`: a copy of a store, also while a server runs on it.
//!
//! This module must not write to a store.

use std::path::PathBuf;

use clap::Args;

use super::check::{self, Answer};
use super::shared::{Exit, print, print_json};
use crate::store::sqlite::{self, Copied};

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
    let bar = check::bar();
    let mut tell = |done, of| check::tell(&bar, done, of);
    let copied = sqlite::backup(&args.store, &args.to, args.force, check::FITS, &mut tell);
    bar.finish_and_clear();
    let copied = copied.map_err(|error| error.to_string())?;
    let (checked, exit) = match &copied {
        Copied::Done(checked) => (checked, Exit::Good),
        Copied::Damaged(checked) => (checked, Exit::Illegal),
    };
    if args.json {
        print_json(&Answer::of(checked))?;
    } else if exit == Exit::Good {
        print(format!("{}: {}\n", args.to.display(), check::summary(checked)).as_bytes())?;
    }
    if exit != Exit::Good {
        let (store, to) = (args.store.display(), args.to.display());
        eprintln!(
            "{}umpire: {store} is damaged ({}), and {to} was not written; `umpire salvage {store} TO` keeps what is whole",
            check::shown(checked),
            check::summary(checked),
        );
    }
    Ok(exit)
}
