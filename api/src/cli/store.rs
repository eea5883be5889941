//! `umpire store`: copies a whole store, from and to a file or a database.
//!
//! This module must not touch a store that a server writes to, and must not show a password.

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::check::{FITS, bar, tell};
use super::shared::{Exit, print, print_json};
use crate::store::carry::{self, Carried, Count};
use crate::store::place::Place;

/// The store command.
#[derive(Args, Debug)]
pub(super) struct Store {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Copy everything in a store to another store of either kind
    ///
    /// Exits 0 if everything was copied, 1 if something is damaged and was left out, 2 if something
    /// cannot be read or written or a server is writing to it.
    Copy(Copy),
}

/// What to copy, and where to.
#[derive(Args, Debug)]
struct Copy {
    /// The store to copy: a file, or the address of a database (postgres://…). It is not changed.
    #[arg(value_name = "FROM")]
    from: Place,
    /// The destination: a file, or the address of a database. It is created if it does not exist.
    /// Anything already in it must come from FROM: an interrupted copy is resumed.
    #[arg(value_name = "TO")]
    to: Place,
    /// Print as JSON what was copied.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &Store) -> Result<Exit, String> {
    let What::Copy(args) = &args.what;
    copy(args)
}

fn copy(Copy { from, to, json }: &Copy) -> Result<Exit, String> {
    let bar = bar();
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {eta} left");
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
            format!("; `umpire salvage {} TO` recovers what is intact", path.display())
        }
        Place::Postgres(_) | Place::Unknown(_) => String::new(),
    };
    eprintln!("umpire: {from} is damaged, and {} were left out{left}", things(carried.lost));
    Ok(Exit::Illegal)
}

fn things(count: u64) -> String {
    if count == 1 { "1 thing".to_owned() } else { format!("{count} things") }
}

/// One line per damaged item.
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

/// How many there are, and how many of them already existed.
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
        before => format!(", {before} of them already there"),
    };
    match carried.lost {
        0 => format!("{}{before}, all identical to the original", parts.join(", ")),
        lost => format!("{}{before}; {} left out", parts.join(", "), things(lost)),
    }
}
