//! `umpire check`: checks a whole store.
//!
//! This module must not change a store, and must not contain SQL.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::Value;
use umpire_engine::record::Fault;

use super::shared::{Exit, file_only, limits, print, print_json};
use crate::documents::archive;
use crate::documents::sheet::seal::Signature;
use crate::store::sqlite::{self, Checked, Copied, Damage, Judges};
use crate::store::{NewRecord, StoreError, Stored, StoredTable, StoredVerdict, Summary};
use crate::tables::table::{Table, Unfit};
use umpire_referee::reading::UnknownFields;
use umpire_referee::record_id::canonical;

/// The store to check.
#[derive(Args, Debug)]
pub(super) struct Check {
    /// The store. A server may run on it; nothing is changed.
    #[arg(value_name = "STORE")]
    store: PathBuf,
    /// Also replay every record, and compare the result with the stored verdict.
    #[arg(long)]
    verdicts: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Checks a store.
pub(super) fn run(args: &Check) -> Result<Exit, String> {
    file_only(&args.store, "use `pg_amcheck`")?;
    let bar = bar();
    let judges = if args.verdicts { Judges { record: &stands, ..FITS } } else { FITS };
    let checked = sqlite::check(&args.store, judges, &mut |done, of| tell(&bar, done, of));
    bar.finish_and_clear();
    let checked = checked.map_err(|error| error.to_string())?;
    if args.json {
        print_json(&Answer::of(&checked))?;
    } else {
        let text = format!("{}: {}\n", args.store.display(), summary(&checked));
        print((shown(&checked) + &text).as_bytes())?;
    }
    Ok(if checked.faults == 0 { Exit::Good } else { Exit::Illegal })
}

/// A progress bar over the records of a store. It is hidden unless on a terminal.
pub(super) fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} records, {eta} left");
    let bar =
        ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Copies a store with a progress bar, and prints the outcome: where the copy is, or that the store
/// is damaged and what that means (`left`).
pub(super) fn copy(
    [from, to]: [&Path; 2],
    json: bool,
    left: &str,
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<Copied, StoreError>,
) -> Result<Exit, String> {
    let bar = bar();
    let copied = work(&mut |done, of| tell(&bar, done, of));
    bar.finish_and_clear();
    let (checked, exit) = match copied.map_err(|error| error.to_string())? {
        Copied::Done(checked) => (checked, Exit::Good),
        Copied::Damaged(checked) => (checked, Exit::Illegal),
    };
    if json {
        print_json(&Answer::of(&checked))?;
    } else if exit == Exit::Good {
        print(format!("{}: {}\n", to.display(), summary(&checked)).as_bytes())?;
    }
    if exit != Exit::Good {
        let (shown, summary) = (shown(&checked), summary(&checked));
        eprintln!("{shown}umpire: {} is damaged ({summary}), and {left}", from.display());
    }
    Ok(exit)
}

/// Moves the progress bar on.
pub(super) fn tell(bar: &ProgressBar, done: u64, of: u64) {
    bar.set_length(of.max(done));
    bar.set_position(done);
}

/// Checks that the text of a record matches its id.
pub(super) fn fits(stored: &Stored) -> Result<(), String> {
    let ruleset = &stored.summary.ruleset;
    match canonical(stored.record.as_bytes(), ruleset, None) {
        Ok((id, _)) if id == stored.id => Ok(()),
        Ok((id, _)) => Err(format!("its text does not match its id, but {id}")),
        Err(fault) => Err(fault.detail),
    }
}

/// Checks that the sheet of a verdict matches its id, and that its signature is valid.
pub(super) fn verdict_fits(stored: &StoredVerdict) -> Result<(), String> {
    let StoredVerdict { id, sheet, signature, .. } = stored;
    let hash = blake3::hash(sheet.as_bytes());
    if hash.as_bytes() != id.as_bytes() {
        return Err(format!("its sheet does not match its id, but {}", hash.to_hex()));
    }
    let Some(signature) = signature else { return Ok(()) };
    let signature: Signature =
        serde_json::from_str(signature).map_err(|error| format!("its signature: {error}"))?;
    signature.check(sheet.as_bytes()).map_err(|why| format!("its signature: {why}"))
}

/// Checks that texts match their ids.
pub(super) const FITS: Judges<'static> =
    Judges { record: &fits, verdict: &verdict_fits, table: &table_fits };

/// Checks that a table can be restored from what is stored.
fn table_fits(stored: &StoredTable) -> Result<(), String> {
    let limits = umpire_engine::replay::Limits::default();
    Table::of(stored.clone(), limits).map(drop).map_err(|Unfit(why)| why)
}

/// Checks that the text of a record matches its id, and that the stored verdict is the one of this
/// version.
fn stands(stored: &Stored) -> Result<(), String> {
    fits(stored)?;
    let now = prepared(&stored.record)?.summary;
    let kept = &stored.summary;
    let mut other = Vec::new();
    let mut compare = |what: &'static str, same: bool| (!same).then(|| other.push(what));
    compare("game", kept.game == now.game);
    compare("ruleset", kept.ruleset == now.ruleset);
    compare("status", kept.status == now.status);
    compare("plies", kept.plies == now.plies);
    compare("winner", kept.winner == now.winner);
    compare("reason", kept.reason == now.reason);
    compare("players", kept.players == now.players);
    compare("meta", kept.meta == now.meta);
    compare("verdict", same_verdict(kept, &now));
    match other.is_empty() {
        true => Ok(()),
        false => Err(format!("its stored summary differs from a new replay: {}", other.join(", "))),
    }
}

/// Whether two verdicts say the same, regardless of the engine version.
fn same_verdict(kept: &Summary, now: &Summary) -> bool {
    let parts = |summary: &Summary| {
        let mut judgement: Value = serde_json::from_str(&summary.verdict).ok()?;
        let verdict = judgement.get_mut("verdict").map(Value::take);
        Some((verdict, judgement.get_mut("fingerprint").map(Value::take)))
    };
    kept.verdict == now.verdict || (parts(kept).is_some() && parts(kept) == parts(now))
}

/// What would be stored for a text now.
pub(super) fn prepared(text: &str) -> Result<NewRecord, String> {
    let prepared = archive::prepare_fields::<Fault>(
        text.as_bytes(),
        UnknownFields::Keep,
        limits(),
        |_| Ok(()),
    );
    prepared.map(|prepared| prepared.record).map_err(|fault| fault.detail)
}

/// One line per fault.
pub(super) fn shown(checked: &Checked) -> String {
    let mut text = String::new();
    for Damage { id, number, what } in &checked.shown {
        let _ = match (id, number) {
            (Some(id), _) => writeln!(text, "record {id}: {what}"),
            (None, Some(number)) => writeln!(text, "number {number}: {what}"),
            (None, None) => writeln!(text, "{what}"),
        };
    }
    let more = checked.faults - checked.shown.len() as u64;
    if more > 0 {
        let _ = writeln!(text, "and {more} more");
    }
    text
}

/// How many records there are, and how many are intact.
pub(super) fn summary(checked: &Checked) -> String {
    let records = if checked.records == 1 { "record" } else { "records" };
    let faults = if checked.faults == 1 { "fault" } else { "faults" };
    let verdicts = match checked.verdicts {
        0 => String::new(),
        1 => " and 1 verdict".to_owned(),
        count => format!(" and {count} verdicts"),
    };
    let tables = match checked.tables {
        0 => String::new(),
        1 => " and 1 table".to_owned(),
        count => format!(" and {count} tables"),
    };
    let Checked { records: all, good, .. } = checked;
    match checked.faults {
        0 => format!("{all} {records}{verdicts}{tables}, all intact"),
        count => format!("{all} {records}, {good} intact{verdicts}{tables}; {count} {faults}"),
    }
}

/// The result, as JSON.
#[derive(Serialize)]
pub(super) struct Answer {
    version: usize,
    records: u64,
    good: u64,
    verdicts: u64,
    tables: u64,
    faults: u64,
    shown: Vec<DamageJson>,
}

#[derive(Serialize)]
struct DamageJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
    what: String,
}

impl Answer {
    pub(super) fn of(checked: &Checked) -> Self {
        let shown = checked.shown.iter().map(|damage| DamageJson {
            id: damage.id.map(|id| id.to_string()),
            number: damage.number,
            what: damage.what.clone(),
        });
        let Checked { version, records, good, verdicts, tables, faults, .. } = *checked;
        Answer { version, records, good, verdicts, tables, faults, shown: shown.collect() }
    }
}
