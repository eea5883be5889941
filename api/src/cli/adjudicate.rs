//! `umpire adjudicate`: settles a dispute and prints a summary that can be read aloud.
//!
//! This module must not decide anything; the engine does.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use umpire_referee::questions::adjudicate::AdjudicationRequest;

use clap::Args;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use umpire_conformance::precedent;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{
    Adjudication, Answered, Compared, Dispute, Draws, PartingKind, ReadingChoice,
};
use umpire_engine::dispute::voice::CitedRuling;
use umpire_engine::partial::Partial;
use umpire_engine::record::{Fault, FaultCode, RawRecord};
use umpire_engine::replay::answer::Unanswered;

use super::shared::{Exit, Input, limits, pretty_in, print, print_exact, read, stored, unanswered};
use super::verdict::Form;
use super::words;
use crate::documents::sheet::seal::Key;
use crate::documents::sheet::{Document, Draft};
use crate::store::RecordId;
use umpire_referee::problem::Problem;
use umpire_referee::questions::adjudicate::NO_SHEET;
use umpire_referee::{questions, reading};

/// The dispute.
#[derive(Args, Debug)]
pub(super) struct Adjudicate {
    #[command(flatten)]
    input: Input,
    /// The store; FILE is then the id of a record in it.
    #[arg(long, value_name = "STORE")]
    store: Option<PathBuf>,
    /// The ply in question.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// A proposed action at that ply, in JSON; without a ply, after the last action.
    #[arg(long, value_name = "JSON")]
    action: Option<String>,
    /// A reading to compare with: values of rulings, an edition, a ruleset, or several, separated by commas. May
    /// be repeated; by default every other reading is compared.
    #[arg(long, value_name = "ID=VALUE|edition=NAME|ruleset=NAME")]
    reading: Vec<String>,
    /// A seed for draws that never happened; what follows from them is hypothetical.
    #[arg(long)]
    seed: Option<String>,
    /// Include the record, converted to each reading that needs a different form (with --json).
    #[arg(long, requires = "json")]
    records: bool,
    /// Print only the summary.
    #[arg(long)]
    brief: bool,
    /// Write the verdict sheet as a printable page; - prints it to standard output, and nothing
    /// else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the verdict sheet as Markdown; - prints it to standard output, and nothing else.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the verdict sheet as JSON, for `umpire verdict verify`; - prints it to standard
    /// output, and nothing else.
    #[arg(long, value_name = "FILE")]
    verdict: Option<PathBuf>,
    /// Sign the verdict sheet with the key in this file (`umpire verdict keygen` generates one).
    #[arg(long, value_name = "FILE", env = "UMPIRE_SIGNING_KEY")]
    signing_key: Option<PathBuf>,
}

impl Adjudicate {
    /// Where to write the sheet, and in which formats.
    fn sheets(&self) -> impl Iterator<Item = (&Path, Form)> {
        let all = [
            (&self.html, Form::Html),
            (&self.markdown, Form::Markdown),
            (&self.verdict, Form::Json),
        ];
        all.into_iter().filter_map(|(file, form)| Some((file.as_deref()?, form)))
    }
}

/// Settles a dispute. The file is a record or a request of `POST /v1/adjudicate`; with a store it
/// is the id of a record.
pub(super) fn run(args: &Adjudicate) -> Result<Exit, String> {
    let text = match &args.store {
        None => read(&args.input.file)?,
        Some(path) => {
            let id = args.input.file.to_string_lossy();
            let id: RecordId = id.parse().map_err(|error| format!("{id}: {error}"))?;
            let found = stored(path)?.find(&id).map_err(|error| error.to_string())?;
            found.ok_or_else(|| format!("the store has no record {id}"))?.record.into_bytes()
        }
    };
    let readings = args.reading.iter().map(|text| reading(text)).collect::<Result<Vec<_>, _>>()?;
    let key = match args.sheets().next() {
        Some(_) => args.signing_key.as_deref().map(Key::read).transpose()?,
        None => None,
    };
    match answer(args, &readings, &text) {
        Ok((out, exit, draft)) => {
            let mut printed = false;
            if let Some(draft) = draft {
                printed = write_sheets(args, &Document::of(&draft, key.as_ref()))?;
            }
            match printed {
                true => Ok(exit),
                false => print(out.as_bytes()).map(|()| exit),
            }
        }
        Err(error) => unanswered(&error, &args.input),
    }
}

/// Writes the sheet in every requested format; returns whether it was printed.
fn write_sheets(args: &Adjudicate, document: &Document) -> Result<bool, String> {
    let mut printed = false;
    for (file, form) in args.sheets() {
        let text = form.write(document)?;
        if file.as_os_str() == "-" {
            print_exact(text.as_bytes())?;
            printed = true;
        } else {
            std::fs::write(file, text)
                .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
    }
    Ok(printed)
}

/// Parses the reading that an option names.
pub(super) fn reading(text: &str) -> Result<ReadingChoice, String> {
    let mut reading = ReadingChoice::default();
    for part in text.split(',').map(str::trim) {
        match part.split_once('=') {
            Some(("edition", name)) => reading.edition = Some(name.to_owned()),
            Some(("ruleset", name)) => reading.ruleset = Some(name.to_owned()),
            Some((id, value)) if !id.is_empty() && !value.is_empty() => {
                reading.rulings.insert(id.to_owned(), value.to_owned());
            }
            _ => {
                return Err(format!(
                    "{part:?} is not a reading; expected ID=VALUE, edition=NAME or ruleset=NAME"
                ));
            }
        }
    }
    Ok(reading)
}

fn answer(
    args: &Adjudicate,
    readings: &[ReadingChoice],
    sent: &[u8],
) -> Result<(String, Exit, Option<Draft>), Problem> {
    let sent = reading::canonical(sent);
    // A record has a `format`. Anything else is read as a request, and failing that as an object
    // with a `record` field.
    let request: Option<AdjudicationRequest<'_>> =
        match RawRecord::read(&sent).map_err(Problem::from) {
            Ok(_) => None,
            Err(_) if matches!(Partial::read(&sent), Ok(Some(_))) => None,
            Err(error) => match questions::read(&sent) {
                Ok(request) => Some(request),
                Err(wrong) => match serde_json::from_slice::<RecordWrapper<'_>>(&sent) {
                    Ok(meant) if meant.asks() => return Err(wrong),
                    Ok(_) => None,
                    Err(_) => return Err(error),
                },
            },
        };
    let request = request.unwrap_or_default();
    let text = request.record.map_or(&*sent, |record| record.get().as_bytes());
    let given: Option<&RawValue> = match &args.action {
        None => None,
        Some(text) => Some(serde_json::from_str(text).map_err(|error| {
            Problem::parameter("action", text, format!("an action in JSON ({error})"))
        })?),
    };
    let question = Dispute {
        readings: if readings.is_empty() { request.readings.as_deref() } else { Some(readings) },
        ply: args.ply.or(request.ply),
        action: given.or(request.action),
        seed: args.seed.as_deref().or(request.seed.as_deref()),
        records: args.records || request.records,
        brief: false,
    };
    if let Some((game, partial)) = reading::partial(text)? {
        if args.sheets().next().is_some() {
            return Err(Fault::new(FaultCode::BadRecord, "", NO_SHEET).into());
        }
        let mut settled = game.adjudicate_partial(&partial, &question, limits())?;
        precedent::link(&mut settled);
        let status = settled.completions.as_ref().map(|it| it.recorded.status);
        let exit = status.map_or(Exit::Undecidable, Exit::from);
        let out = match args.input.json {
            true => pretty_in(game, &settled),
            false => render(args, game, &settled, ""),
        };
        return Ok((out, exit, None));
    }
    reading::with_record(text, |submission| {
        let settled = submission.game.adjudicate(&submission.record, &question, limits());
        let mut settled = settled.map_err(|error: Unanswered| Problem::from(error))?;
        precedent::link(&mut settled);
        let good = match &settled.question {
            Some(question) => question.answer == Answered::Legal,
            None => settled.recorded.violation.is_none(),
        };
        let exit = if good { Exit::Good } else { Exit::Illegal };
        let wanted = args.sheets().next().is_some();
        let draft = wanted.then(|| Draft::of(submission, &question, &settled, limits()));
        let draft = draft.transpose()?;
        if args.input.json {
            return Ok((pretty_in(submission.game, &settled), exit, draft));
        }
        // A legal action is not at fault if what it draws was not written down.
        let recorded = &settled.recorded;
        let undrawn = recorded.draws == Draws::Missing && recorded.answer == Some(Answered::Legal);
        let violation = recorded.violation.as_ref().filter(|_| !undrawn);
        let violation = violation.map(|it| words::violation(submission, it)).unwrap_or_default();
        Ok((render(args, submission.game, &settled, &violation), exit, draft))
    })
}

/// Renders a dispute as text; `violation` is the violation under the readings of the record, if
/// any.
fn render(
    args: &Adjudicate,
    game: &'static dyn AnyGame,
    settled: &Adjudication,
    violation: &str,
) -> String {
    let mut out = String::new();
    for line in &settled.summary {
        let _ = writeln!(out, "{}", words::local(game, line));
    }
    if !args.brief {
        if !violation.is_empty() {
            let _ = write!(out, "\nUnder the readings of the record:\n{violation}");
        }
        details(&mut out, game, settled);
    }
    out
}

/// Just enough of an object with a `record` field to tell a request from a fixture or a response.
#[derive(serde::Deserialize)]
struct RecordWrapper<'a> {
    #[serde(borrow, rename = "record")]
    _record: &'a RawValue,
    ply: Option<IgnoredAny>,
    action: Option<IgnoredAny>,
    readings: Option<IgnoredAny>,
    seed: Option<IgnoredAny>,
    records: Option<IgnoredAny>,
}

impl RecordWrapper<'_> {
    /// Whether it looks like a request rather than a record.
    fn asks(&self) -> bool {
        let parts = [&self.ply, &self.action, &self.readings, &self.seed, &self.records];
        parts.iter().any(|part| part.is_some())
    }
}

/// The maximum number of conversion notes that are shown.
const CARRIED: usize = 12;

fn details(out: &mut String, game: &'static dyn AnyGame, settled: &Adjudication) {
    let local = |text: &str| words::local(game, text);
    for Compared { gist, parting, carried, .. } in &settled.readings {
        let _ = writeln!(out, "\n{}", local(gist));
        for line in carried.iter().take(CARRIED) {
            let rule = line.rule.map(|rule| format!(" [{rule}]")).unwrap_or_default();
            let _ = writeln!(out, "  converted at {}: {}{rule}", line.pointer, local(&line.text));
        }
        if carried.len() > CARRIED {
            let _ = writeln!(out, "  … and {} more lines", carried.len() - CARRIED);
        }
        let ids: Vec<&str> = parting.rules.iter().map(|cited| cited.id).collect();
        let place = match parting.how {
            PartingKind::Opening => "in the opening".to_owned(),
            _ => format!("at ply {}", parting.ply),
        };
        let _ = writeln!(out, "  parts {place} [{}]", ids.join(", "));
        for line in &parting.recorded {
            let _ = writeln!(out, "  as recorded only: {}", local(line));
        }
        for line in &parting.instead {
            let _ = writeln!(out, "  under it only: {}", local(line));
        }
        for line in &parting.words {
            let _ = writeln!(out, "  - {}", local(line));
        }
    }
    rulings(out, game, settled);
    for aside in &settled.impossible {
        let _ = writeln!(out, "\nNot possible with this record: {}", local(&aside.gist));
    }
}

/// The rulings that the record depends on, the ones at the ply in question with all their readings.
fn rulings(out: &mut String, game: &'static dyn AnyGame, settled: &Adjudication) {
    let local = |text: &str| words::local(game, text);
    let (here, elsewhere): (Vec<_>, Vec<_>) = settled.cited.iter().partition(|it| it.at_question);
    for CitedRuling { id, question, settles, readings, because, precedents, .. } in here {
        let places = settles.iter().map(|cited| match cited.section {
            Some(section) => format!("{} {}", cited.id, words::printed(section)),
            None => cited.id.to_owned(),
        });
        let places: Vec<String> = places.collect();
        let _ = writeln!(out, "\n{id}  {} [{}]", local(question), places.join(", "));
        for reading in readings {
            let mark = if reading.in_force { '*' } else { ' ' };
            let value = match (reading.value, reading.runs) {
                ("", true) => String::new(),
                ("", false) => " (cannot be run)".to_owned(),
                (value, _) => format!(" ({value})"),
            };
            let _ = writeln!(out, "  {mark} {}{value}", local(reading.gist));
        }
        if !because.is_empty() {
            let _ = writeln!(out, "    because {}", local(because));
        }
        for precedent in precedents {
            let _ = writeln!(out, "    see {}: {}", precedent.name, precedent.title);
        }
    }
    if !elsewhere.is_empty() {
        out.push_str("\nElsewhere the record depends on:\n");
        for ruling in elsewhere {
            let _ = writeln!(out, "  “{}” ({})", local(ruling.question), ruling.id);
        }
    }
}
