//! `umpire store`: a whole store, in a file or in a database, copied into another.
//!
//! This module must not touch a store to which a server writes, and must not show a password.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::check::{FITS, bar, tell};
use super::shared::{Exit, print, print_json};
use crate::store::carry::{self, Carried, Count};
use crate::store::place::Place;

/// What to do with a whole store.
#[derive(Args, Debug)]
pub(super) struct Store {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Copy everything that a store keeps into another, of whichever kind: exit status 0 if all is there, 1 if
    /// something is damaged and was left out, 2 if something cannot be read or written, or a server writes there.
    Copy(Copy),
}

/// What to copy where.
#[derive(Args, Debug)]
struct Copy {
    /// The store to be copied: a file, or the address of a database (postgres://…). It stays as it is.
    #[arg(value_name = "FROM")]
    from: Place,
    /// The store to copy into, a file or the address of a database. It is made if it is not there; what lies there
    /// already must come from FROM: a copy that was broken off goes on.
    #[arg(value_name = "TO")]
    to: Place,
    /// Say as JSON what was copied.
    #[arg(long)]
    json: bool,
}

/// Does it.
pub(super) fn run(args: &Store) -> Result<Exit, String> {
    let What::Copy(args) = &args.what;
    copy(args)
}

fn copy(Copy { from, to, json }: &Copy) -> Result<Exit, String> {
    let bar = bar();
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {eta} to go");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let copied = carry::copy(from, to, FITS, &mut |done, of| tell(&bar, done, of));
    ProgressBar::finish_and_clear(&bar);
    let carried = copied.map_err(|error| error.to_string())?;
    match json {
        true => print_json(&carried)?,
        false => print((shown(&carried) + &format!("{to}: {}\n", summary(&carried))).as_bytes())?,
    }
    if carried.lost == 0 {
        return Ok(Exit::Good);
    }
    let left = match from {
        Place::File(path) => {
            format!("; `umpire salvage {} SAVED` finds what is whole", path.display())
        }
        Place::Postgres(_) | Place::Unknown(_) => String::new(),
    };
    eprintln!("umpire: {from} is damaged, and {} were left out{left}", things(carried.lost));
    Ok(Exit::Illegal)
}

fn things(count: u64) -> String {
    if count == 1 { "1 thing".to_owned() } else { format!("{count} things") }
}

/// One line for each thing that is damaged.
fn shown(carried: &Carried) -> String {
    let mut text = String::new();
    for what in &carried.shown {
        let _ = writeln!(text, "{what}");
    }
    let more = carried.lost - carried.shown.len() as u64;
    if more > 0 {
        let _ = writeln!(text, "and {more} more");
    }
    text
}

/// How many there are, and how many of them were there before.
fn summary(carried: &Carried) -> String {
    let mut parts = Vec::new();
    let mut before = 0;
    let kinds =
        [("record", carried.records), ("verdict", carried.verdicts), ("table", carried.tables)];
    for (name, Count { written, there }) in kinds {
        before += there;
        match written + there {
            0 if name != "record" => {}
            1 => parts.push(format!("1 {name}")),
            all => parts.push(format!("{all} {name}s")),
        }
    }
    let before = match before {
        0 => String::new(),
        before => format!(", {before} of that there before"),
    };
    match carried.lost {
        0 => format!("{}{before}, all as in the store that was copied", parts.join(", ")),
        lost => format!("{}{before}; {} left out", parts.join(", "), things(lost)),
    }
}
