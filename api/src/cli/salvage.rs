//! `umpire salvage`: recovers records from a damaged store.
//!
//! This module must not change the damaged store, and must not keep a text that does not match its
//! id.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::check::{prepared, verdict_fits};
use super::shared::{Exit, complain, file_only, pretty, print};
use crate::http::ndjson::one_line;
use crate::store::sqlite::{self, Found, Rebuilt, Salvaged, Whole};
use crate::store::{NewRecord, StoreError};
use umpire_referee::record_id::canonical;

/// The maximum number of lost records that are listed; `--json` lists all.
const MOST_NAMED: usize = 20;

/// What to recover, and where to.
#[derive(Args, Debug)]
pub(super) struct Salvage {
    /// The damaged store. It is not changed; no server should run on it.
    #[arg(value_name = "DAMAGED")]
    damaged: PathBuf,
    /// The new store; - prints the records as NDJSON, in the order in which they are found, without
    /// the verdicts.
    #[arg(value_name = "TO")]
    to: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Print as JSON what was recovered and what was lost.
    #[arg(long)]
    json: bool,
}

/// The destination of intact records.
enum Out {
    Lines,
    Store(Box<Rebuilt>),
}

/// Recovers what is intact.
pub(super) fn run(args: &Salvage) -> Result<Exit, String> {
    file_only(&args.damaged, "use `pg_dump`, which reads what is intact")?;
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
    // If the records go to standard output, nothing else does.
    match lines {
        true => complain(&text),
        false => print(text.as_bytes())?,
    }
    let lost = salvaged.lost.len() as u64 + salvaged.lost_unnamed;
    let whole = lost == 0 && salvaged.troubles.is_empty();
    Ok(if whole { Exit::Good } else { Exit::Illegal })
}

/// Keeps a record if its text matches its id.
fn keep(found: Found, out: &mut Out) -> Result<bool, StoreError> {
    // Every stored text includes its ruleset.
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
            // The columns beside the text may be damaged, too, so they are recomputed from the
            // text. If this version does not know the game, they are kept as they are.
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

/// What was recovered and what was lost, as text.
fn shown(salvaged: &Salvaged) -> String {
    let mut lines: Vec<String> = salvaged.troubles.iter().take(MOST_NAMED).cloned().collect();
    lines.extend(salvaged.lost.iter().take(MOST_NAMED).map(|id| format!("lost: {id}")));
    let more = salvaged.lost.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        lines.push(format!("lost: {more} more; --json lists them all"));
    }
    if salvaged.lost_unnamed > 0 {
        lines.push(format!("lost: {} with unknown ids", salvaged.lost_unnamed));
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
    lines.push(format!("{}{verdicts}{tables} recovered, {lost} lost", salvaged.kept));
    lines.join("\n") + "\n"
}

/// What was recovered and what was lost, as JSON.
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
