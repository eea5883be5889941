//! The documentation shows what the program does: each shell block that is followed by a block of output is run, in the order of
//! the page, and must print exactly that output; every flag that a page names must exist.
//!
//! A line of `…` stands for one or more lines that are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A code block of a page: its language, and its lines.
struct Block {
    kind: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn blocks(page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some(Block { kind: kind.to_owned(), text: String::new() }),
            (Some(_), Some(_)) => all.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    all
}

/// Whether a block of output shows all that was printed, but for what its lines of `…` stand for.
fn shows(shown: &str, printed: &str) -> bool {
    let (shown, printed): (Vec<&str>, Vec<&str>) =
        (shown.lines().collect(), printed.lines().collect());
    let mut pieces = shown.split(|line| line.trim() == "…");
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut pieces: Vec<&[&str]> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        // At least one line is left out in front of it.
        let at = (1..rest.len()).find(|at| rest[*at..].starts_with(piece));
        let Some(at) = at else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.len() > last.len() && rest.ends_with(last)
}

/// A command that finds the built `umpire` on its path.
fn command(program: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_umpire"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(program);
    command.env("PATH", format!("{}:{path}", binary.parent().expect("a folder").display()));
    command
}

/// Runs the blocks of a page: how many have their output shown, and a report of each whose output is not as shown.
fn mismatches(page: &str) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut run, mut mismatches) = (0, Vec::new());
    let blocks = blocks(page);
    for (at, block) in blocks.iter().enumerate() {
        // Blocks that need a server, build something or run for long are tested elsewhere.
        let here = block.kind == "sh"
            && !["curl ", "cargo ", "umpire serve", "game.json"]
                .iter()
                .any(|it| block.text.contains(it) && !block.text.contains("cat >"));
        let shown = blocks.get(at + 1).filter(|next| next.kind == "text");
        if !here && shown.is_none() {
            continue;
        }
        // Of a block that also calls the server, only the files that it writes matter.
        let script = block.text.split("\ncurl ").next().unwrap_or_default();
        let output = command("sh")
            .args(["-c", script])
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let Some(shown) = shown else { continue };
        run += 1;
        let printed = String::from_utf8_lossy(&output.stdout);
        if !shows(&shown.text, &printed) {
            let error = String::from_utf8_lossy(&output.stderr);
            mismatches.push(format!("--- shown:\n{}--- printed:\n{printed}{error}", shown.text));
        }
    }
    (run, mismatches)
}

#[test]
fn pages_show_what_is_printed() {
    for (page, least) in [("README.md", 2), ("docs/disputes.md", 3)] {
        let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
        let mut text = std::fs::read_to_string(root().join(page)).expect("a page");
        if page != "README.md" {
            // Other pages use the files that the README creates.
            let made = blocks(&readme).into_iter().filter(|it| it.text.contains("cat >"));
            let made: String = made.map(|it| format!("```sh\n{}```\n", it.text)).collect();
            text = format!("{made}{text}");
        }
        let (run, mismatches) = mismatches(&text);
        assert!(run >= least, "{page}: {run} blocks were run");
        assert!(mismatches.is_empty(), "{page}:\n{}", mismatches.join("\n"));
    }
}

/// The service's answer to a block of the README that calls `/v1/validate`, from the command that prints the same.
fn verdict(folder: &Path, script: &str) -> Value {
    let (before, call) = script.split_once("curl -s localhost:8080/v1/validate").expect("a call");
    let file = call.split("-d @").nth(1).expect("a file").trim();
    // Piped input is one record over several lines, not one record per line.
    let script = match file {
        "-" => format!("{before}cat > piped.json\numpire validate --json piped.json || true"),
        file => format!("{before}umpire validate --json {file} || true"),
    };
    let output = command("sh").args(["-c", &script]).current_dir(folder).output();
    let printed = output.expect("a shell").stdout;
    let line = printed.split(|it| *it == b'\n').next().unwrap_or_default();
    serde_json::from_slice(line).expect("an answer")
}

/// Whether every field that is shown has its value; a list with an ellipsis in it may be any list.
fn shown_in(shown: &Value, answer: &Value) -> bool {
    let left_out = |it: &Value| it.as_str().is_some_and(|it| it.contains('…'));
    match (shown, answer) {
        (Value::Object(fields), _) => fields
            .iter()
            .all(|(key, value)| shown_in(value, answer.get(key).unwrap_or(&Value::Null))),
        (Value::Array(items), Value::Array(_)) if items.iter().any(left_out) => true,
        (Value::Array(items), Value::Array(found)) => {
            items.len() == found.len() && items.iter().zip(found).all(|(a, b)| shown_in(a, b))
        }
        _ => shown == answer,
    }
}

#[test]
fn the_readme_shows_answers_of_the_service() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = blocks(&readme);
    let calls = |block: &&Block| block.kind == "sh" && block.text.contains("/v1/validate");
    let answers: Vec<Value> =
        blocks.iter().filter(calls).map(|it| verdict(folder.path(), &it.text)).collect();
    let [illegal, legal] = answers.as_slice() else { panic!("{answers:?}") };
    let shown = blocks.iter().find(|block| block.kind == "json").expect("an answer");
    let shown: Value = serde_json::from_str(&shown.text).expect("JSON");
    assert!(shown_in(&shown, illegal), "{illegal}");
    assert!(!shown_in(&shown, legal));
    let verdict = &legal["verdict"];
    assert_eq!((&verdict["plies"], &verdict["violation"]), (&1.into(), &Value::Null), "{legal}");
}

#[test]
fn a_shown_line_that_is_not_printed_is_found() {
    let page = "```sh\nprintf 'one\\ntwo\\n'\n```\n\n```text\none\nthree\n```\n";
    let (run, mismatches) = mismatches(page);
    assert_eq!((run, mismatches.len()), (1, 1), "{mismatches:?}");
    assert!(mismatches[0].contains("three"));
}

#[test]
fn a_printed_line_is_left_out_only_where_an_ellipsis_says_so() {
    let printed = "a\nb\nc\nd\ne\n";
    for shown in [printed, "a\n…\n", "…\ne\n", "a\n…\nc\n  …\ne\n", "…\nb\n…\n", "…\n"]
    {
        assert!(shows(shown, printed), "{shown}");
    }
    for shown in [
        "a\nb\nc\nd\n",
        "b\nc\nd\ne\n",
        "a\nb\nd\ne\n",
        "a\n…\nd\n",
        "…\nb\nd\n…\n",
        "a\nb\n…\nc\nd\ne\n",
        "a\nb\nc\nd\ne\n…\n",
    ] {
        assert!(!shows(shown, printed), "{shown}");
    }
}

/// The long flags in a text.
fn flags(text: &str) -> BTreeSet<String> {
    text.split(|it: char| !(it.is_ascii_alphanumeric() || it == '-'))
        .filter(|it| it.starts_with("--") && it.len() > 3)
        .map(str::to_owned)
        .collect()
}

/// The commands of the program by their words, each with the flags that its help lists.
type Commands = BTreeMap<Vec<String>, BTreeSet<String>>;

fn commands() -> Commands {
    let mut all = Commands::new();
    let mut open = vec![Vec::new()];
    while let Some(words) = open.pop() {
        let help = command("umpire").args(&words).arg("--help").output().expect("the program");
        let help = String::from_utf8(help.stdout).expect("text");
        let listed = help.split_once("\nCommands:\n").map_or("", |it| it.1);
        let listed = listed.lines().take_while(|it| !it.is_empty());
        // Names are indented by two blanks, wrapped descriptions by more.
        let names = listed.filter_map(|it| it.strip_prefix("  ")).filter(|it| !it.starts_with(' '));
        for name in names.filter_map(|it| it.split(' ').next()).filter(|it| *it != "help") {
            open.push([words.as_slice(), &[name.to_owned()]].concat());
        }
        let options = help.lines().filter(|it| it.trim().starts_with('-'));
        all.insert(words, options.flat_map(flags).collect());
    }
    all
}

/// Flags of other programs: Cargo and its test binaries, curl, and Node's scripts.
const FOREIGN: &str = "--bin --bins --example --features --ignored --lib --no-run --nocapture --path --prefix --profile \
     --release --test --tests --timings --compressed --data-binary --data-urlencode --check --strict";

/// The flags of a page that do not exist: those of a call of the program that its command does not have, and those that no
/// program has.
fn unknown_flags(page: &str, commands: &Commands) -> Vec<String> {
    let foreign = flags(FOREIGN);
    let exists = |flag: &String| {
        foreign.contains(flag) || commands.values().any(|flags| flags.contains(flag))
    };
    let mut unknown: Vec<String> = flags(page).into_iter().filter(|it| !exists(it)).collect();
    let page = page.replace("\\\n", " ");
    for (at, _) in page.match_indices("umpire ") {
        // A call ends with its line, with inline code, at a comment or at the next command.
        let call = &page[at + "umpire ".len()..];
        let call = call.split(['\n', '`', '|', '#', ';', '&', '>']).next().unwrap_or_default();
        let words: Vec<String> = call.split_whitespace().map(str::to_owned).collect();
        let known = (1..=words.len()).rev().find_map(|it| commands.get(&words[..it]));
        let Some(known) = known else { continue };
        unknown.extend(flags(call).difference(known).map(|it| format!("{it}: umpire {call}")));
    }
    unknown
}

#[test]
fn every_flag_on_a_page_exists() {
    let commands = commands();
    assert!(commands.len() > 40, "{commands:?}");
    let docs = std::fs::read_dir(root().join("docs")).expect("the folder").flatten();
    let pages = docs.map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "md"));
    let pages = pages.chain(["README.md", "CONTRIBUTING.md"].map(|it| root().join(it)));
    let unknown: Vec<String> = pages
        .flat_map(|page| {
            let text = std::fs::read_to_string(&page).expect("a page");
            let unknown = unknown_flags(&text, &commands);
            unknown.into_iter().map(move |it| format!("{}: {it}", page.display()))
        })
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn a_flag_that_does_not_exist_is_found() {
    let commands = commands();
    let page =
        "`--viewer`, `umpire validate --to x.parquet`\n`umpire validate --alternate x`, `--gone`\n";
    let unknown = unknown_flags(page, &commands);
    assert_eq!(unknown, ["--gone", "--alternate: umpire validate --alternate x"]);
}
