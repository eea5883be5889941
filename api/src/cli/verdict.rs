//! `umpire verdict`: generates signing keys, and shows and verifies verdict sheets.
//!
//! This module must not settle anything, and must not print a secret.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use umpire_engine::replay::answer::ENGINE;

use super::shared::{Exit, limits, print, print_exact, print_json, read, stored};
use crate::documents::sheet::contents::Contents;
use crate::documents::sheet::seal::{self, Key};
use crate::documents::sheet::verify::{self, Again, Checked, Signed};
use crate::documents::sheet::{Document, html, markdown};
use crate::store::{RecordId, StoredVerdict};

/// The verdict command.
#[derive(Args, Debug)]
pub(super) struct Verdict {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Generate a key that signs verdicts, in a file for its owner only, and print the public key
    Keygen {
        /// The file, which must not exist.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the public key of a signing key
    Key {
        /// The file with the signing key.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Verify a verdict: its hash, its signature, and whether this engine settles the dispute in
    /// the same way
    ///
    /// Exits 0 if everything is valid, 1 if something is not, 2 if it cannot be read.
    Verify(Verify),
    /// Print a verdict, as Markdown by default
    Show(Show),
}

#[derive(Args, Debug)]
struct Verify {
    /// The verdict: JSON, or a page; - reads standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The public key that must have signed it: 64 hexadecimal digits, or a file that contains them
    /// or the response of `GET /v1/verdicts/key`. Without it, any valid signature is accepted, or
    /// none.
    #[arg(long, value_name = "KEY|FILE")]
    key: Option<String>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct Show {
    /// The verdict: JSON, or a page; - reads standard input. With a store, the id of a verdict in
    /// it.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The store; FILE is then the id of a verdict in it (not the private id of a server).
    #[arg(long, value_name = "STORE")]
    store: Option<PathBuf>,
    /// Print a page for printing on paper.
    #[arg(long, conflicts_with_all = ["markdown", "json"])]
    html: bool,
    /// Print Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print JSON, for `verify`.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &Verdict) -> Result<Exit, String> {
    match &args.command {
        Command::Keygen { file } => public(&Key::make(file)?),
        Command::Key { file } => public(&Key::read(file)?),
        Command::Verify(args) => verify(args),
        Command::Show(args) => show(args),
    }
}

fn public(key: &Key) -> Result<Exit, String> {
    print(format!("{}\n", key.public().public_key).as_bytes()).map(|()| Exit::Good)
}

/// The document in a file, together with the text of the file.
fn document(file: &Path) -> Result<(Document, Vec<u8>), String> {
    let text = read(file)?;
    let document = Document::parse(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok((document, text))
}

/// The public key in an option, or in the file that the option names.
fn expected(said: &str) -> Result<String, String> {
    if let Some(key) = seal::public_key(said) {
        return Ok(key);
    }
    let text = read(Path::new(said))?;
    let key = std::str::from_utf8(&text).ok().and_then(seal::public_key);
    key.ok_or_else(|| format!("{said} contains no public key of 64 hexadecimal digits"))
}

fn verify(args: &Verify) -> Result<Exit, String> {
    let key = args.key.as_deref().map(expected).transpose()?;
    let (document, text) = document(&args.file)?;
    let checked = verify::check(&document, &text, key.as_deref(), limits());
    if args.json {
        let mut value = serde_json::to_value(&checked).map_err(|error| error.to_string())?;
        value["holds"] = checked.holds().into();
        print_json(&value)?;
    } else {
        print(words(&checked, key.is_some()).as_bytes())?;
    }
    Ok(if checked.holds() { Exit::Good } else { Exit::Illegal })
}

/// The result as text.
fn words(checked: &Checked, expected: bool) -> String {
    let mut out = String::new();
    let hash = if checked.hash { "the sheet has it" } else { "it is that of another sheet" };
    let _ = writeln!(out, "Hash: {hash}.");
    let _ = match &checked.signature {
        Signed::Unsigned => writeln!(out, "Signature: none."),
        Signed::Good { public_key } if expected => {
            writeln!(out, "Signature: valid, by the expected key {public_key}.")
        }
        Signed::Good { public_key } => writeln!(
            out,
            "Signature: valid, by the key {public_key}; use --key to check whose key it is."
        ),
        Signed::OtherKey { public_key } => {
            writeln!(out, "Signature: valid, but by a different key: {public_key}.")
        }
        Signed::Bad { why } => writeln!(out, "Signature: {why}."),
    };
    if let Some(same) = checked.page {
        let shows = match same {
            true => "it shows the sheet that lies in it",
            false => {
                "it differs from what this version prints for the sheet that it contains; see `umpire verdict show`"
            }
        };
        let _ = writeln!(out, "Page: {shows}.");
    }
    let _ = match &checked.again {
        Again::Same => {
            writeln!(out, "Answer: engine {ENGINE} says the same, word for word.")
        }
        Again::SameAnswer { engine, parts } => writeln!(
            out,
            "Answer: engine {ENGINE} agrees with engine {engine}, worded differently: {}.",
            parts.join(", ")
        ),
        Again::Differs { engine, parts } => writeln!(
            out,
            "Answer: engine {ENGINE} disagrees with engine {engine}: {}.",
            parts.join(", ")
        ),
        Again::Failed { why } => {
            writeln!(out, "Answer: the dispute cannot be settled again: {why}.")
        }
    };
    let _ = writeln!(
        out,
        "{}",
        if checked.holds() { "The verdict holds." } else { "The verdict does not hold." }
    );
    out
}

fn show(args: &Show) -> Result<Exit, String> {
    let document = match &args.store {
        None => document(&args.file)?.0,
        Some(path) => {
            let id = args.file.to_string_lossy();
            let id: RecordId = id.parse().map_err(|error| format!("{id}: {error}"))?;
            let found = stored(path)?.find_verdict(&id).map_err(|error| error.to_string())?;
            let found = found.ok_or_else(|| format!("the store has no verdict {id}"))?;
            let StoredVerdict { sheet, signature, .. } = found;
            let signature = signature.as_deref().map(serde_json::from_str).transpose();
            let signature = signature.map_err(|error| format!("its signature: {error}"))?;
            Document { sheet, blake3: id.to_string(), signature }
        }
    };
    let form = match (args.html, args.json) {
        (true, _) => Form::Html,
        (_, true) => Form::Json,
        _ => Form::Markdown,
    };
    print_exact(form.write(&document)?.as_bytes()).map(|()| Exit::Good)
}

/// The format of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// As JSON.
    Json,
    /// As Markdown.
    Markdown,
    /// As a page.
    Html,
}

impl Form {
    /// The text of a verdict.
    pub(super) fn write(self, document: &Document) -> Result<String, String> {
        let contents = Contents::of(document).map_err(|error| format!("the sheet: {error}"))?;
        Ok(match self {
            Form::Json => document.json() + "\n",
            Form::Markdown => markdown::write(&contents),
            Form::Html => html::write(document, &contents),
        })
    }
}
