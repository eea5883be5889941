//! `umpire salvage`: what a damaged store still holds.
//!
//! This module must not change the damaged store, and must not keep what its id does not name.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::check::{prepared, verdict_fits};
use super::shared::{Exit, file_only, pretty, print};
use crate::archive::canonical;
use crate::ndjson::one_line;
use crate::store::sqlite::{self, Found, Rebuilt, Salvaged, Whole};
use crate::store::{NewRecord, StoreError};

/// The most ids of lost records that are named; `--json` names all.
const MOST_NAMED: usize = 20;

/// What to save where.
#[derive(Args, Debug)]
pub(super) struct Salvage {
    /// The damaged store. It stays as it is; no server should run on it.
    #[arg(value_name = "DAMAGED")]
    damaged: PathBuf,
    /// A new store; - prints the records, one a line, in the order in which they are found, and leaves
    /// the verdicts out.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Replace what lies there.
    #[arg(long)]
    force: bool,
    /// Say as JSON what was kept and lost.
    #[arg(long)]
    json: bool,
}

/// Where whole records go.
enum Out {
    Lines,
    Store(Box<Rebuilt>),
}

/// Saves what is whole.
pub(super) fn run(args: &Salvage) -> Result<Exit, String> {
    file_only(&args.damaged, "`pg_dump` reads what is whole")?;
    let plain = |error: StoreError| error.to_string();
    let mut out = match args.to.as_os_str() == "-" {
        true => Out::Lines,
        false => {
            let rebuilt = Rebuilt::new(&args.damaged, &args.to, args.force).map_err(plain)?;
            Out::Store(Box::new(rebuilt))
        }
    };
    let mut keep = |found: Whole| match found {
        Whole::Record(found) => keep(found, &mut out),
        Whole::Verdict(found) if verdict_fits(&found).is_ok() => match &mut out {
            Out::Lines => Ok(true),
            Out::Store(rebuilt) => rebuilt.take_verdict(found).map(|()| true),
        },
        Whole::Verdict(_) => Ok(false),
        Whole::Table(found) => match &mut out {
            Out::Lines => Ok(false),
            Out::Store(rebuilt) => rebuilt.take_table(&found).map(|()| true),
        },
    };
    let salvaged = sqlite::salvage(&args.damaged, &mut keep).map_err(plain)?;
    if salvaged.kept + salvaged.verdicts + salvaged.tables == 0 && !salvaged.troubles.is_empty() {
        let first = salvaged.troubles.first().map_or("", String::as_str);
        return Err(format!("{}: no record can be read: {first}", args.damaged.display()));
    }
    let lines = matches!(out, Out::Lines);
    if let Out::Store(rebuilt) = out {
        rebuilt.settle().map_err(plain)?;
    }
    let text = match args.json {
        true => pretty(&Answer::of(&salvaged)),
        false => shown(&salvaged),
    };
    // Where the records are printed, nothing else is.
    match lines {
        true => eprint!("{text}"),
        false => print(text.as_bytes())?,
    }
    let lost = salvaged.lost.len() as u64 + salvaged.lost_unnamed;
    let whole = lost == 0 && salvaged.troubles.is_empty();
    Ok(if whole { Exit::Good } else { Exit::Illegal })
}

/// Keeps a record if its text is the one that its id names.
fn keep(found: Found, out: &mut Out) -> Result<bool, StoreError> {
    // The ruleset stands in every text that is kept.
    match canonical(found.record.as_bytes(), "", None) {
        Ok((id, _)) if id == found.id => {}
        _ => return Ok(false),
    }
    match out {
        Out::Lines => {
            let mut line = one_line(found.record);
            line.push(b'\n');
            print(&line).map_err(StoreError::Unavailable)?;
        }
        Out::Store(rebuilt) => {
            // What stood beside the text may be damaged, too: it is made anew from the text. Of a
            // game that this version does not know, it is kept as it is.
            let record = match (prepared(&found.record), found.summary) {
                (Ok(record), _) => record,
                (Err(_), Some(summary)) => {
                    NewRecord { id: found.id, record: found.record, summary }
                }
                (Err(_), None) => return Ok(false),
            };
            rebuilt.take(record, found.number, found.created_at)?;
        }
    }
    Ok(true)
}

/// What was kept and lost, in words.
fn shown(salvaged: &Salvaged) -> String {
    let mut lines: Vec<String> = salvaged.troubles.iter().take(MOST_NAMED).cloned().collect();
    lines.extend(salvaged.lost.iter().take(MOST_NAMED).map(|id| format!("lost: {id}")));
    let more = salvaged.lost.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        lines.push(format!("lost: {more} more; --json names them"));
    }
    if salvaged.lost_unnamed > 0 {
        lines.push(format!("lost: {} whose ids are not known", salvaged.lost_unnamed));
    }
    let lost = salvaged.lost.len() as u64 + salvaged.lost_unnamed;
    let verdicts = match salvaged.verdicts {
        0 => String::new(),
        1 => " and 1 verdict".to_owned(),
        count => format!(" and {count} verdicts"),
    };
    let tables = match salvaged.tables {
        0 => String::new(),
        1 => " and 1 table".to_owned(),
        count => format!(" and {count} tables"),
    };
    lines.push(format!("{}{verdicts}{tables} kept, {lost} lost", salvaged.kept));
    lines.join("\n") + "\n"
}

/// What was kept and lost, as JSON.
#[derive(Serialize)]
struct Answer {
    kept: u64,
    verdicts: u64,
    tables: u64,
    lost: Vec<String>,
    lost_unnamed: u64,
    troubles: Vec<String>,
}

impl Answer {
    fn of(salvaged: &Salvaged) -> Self {
        Answer {
            kept: salvaged.kept,
            verdicts: salvaged.verdicts,
            tables: salvaged.tables,
            lost: salvaged.lost.iter().map(ToString::to_string).collect(),
            lost_unnamed: salvaged.lost_unnamed,
            troubles: salvaged.troubles.clone(),
        }
    }
}
