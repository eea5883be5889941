//! What the pages show is what comes out: each shell block that a block of output follows is run, in the
//! order of the page, and every line of that output is looked for in what it prints.
//!
//! A line of `…` stands for lines that are left out.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A block of a page: what it is marked as, and its lines.
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

/// The lines of a page that are not printed, in their order, when its blocks are run.
fn missing(page: &str) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = Path::new(env!("CARGO_BIN_EXE_umpire"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().expect("a folder").display());
    let (mut run, mut missing) = (0, Vec::new());
    let blocks = blocks(page);
    for (at, block) in blocks.iter().enumerate() {
        // What talks to a server, builds, or goes on for long is tried elsewhere.
        let here = block.kind == "sh"
            && !["curl ", "cargo ", "umpire serve", "game.json"]
                .iter()
                .any(|it| block.text.contains(it) && !block.text.contains("cat >"));
        let shown = blocks.get(at + 1).filter(|next| next.kind == "text");
        if !here && shown.is_none() {
            continue;
        }
        // Of a block that asks the server too, only what it writes is of use here.
        let script = block.text.split("\ncurl ").next().unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("a shell");
        let Some(shown) = shown else { continue };
        run += 1;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut rest = printed.lines();
        let wanted = shown.text.lines().filter(|line| line.trim() != "…");
        missing.extend(wanted.filter(|line| !rest.any(|it| it == *line)).map(|line| {
            let error = String::from_utf8_lossy(&output.stderr);
            format!("{line}\n--- printed: {printed}{error}")
        }));
    }
    (run, missing)
}

#[test]
fn the_pages_show_what_is_printed() {
    for (page, least) in [("README.md", 1), ("docs/disputes.md", 2)] {
        let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
        let mut text = std::fs::read_to_string(root().join(page)).expect("a page");
        if page != "README.md" {
            // A page goes on with the files that the README has made.
            let made = blocks(&readme).into_iter().filter(|it| it.text.contains("cat >"));
            let made: String = made.map(|it| format!("```sh\n{}```\n", it.text)).collect();
            text = format!("{made}{text}");
        }
        let (run, missing) = missing(&text);
        assert!(run >= least, "{page}: {run} blocks were run");
        assert!(missing.is_empty(), "{page} shows what is not printed:\n{}", missing.join("\n"));
    }
}

/// What the service answers to a block of the README that asks it to judge, by the command that prints the same.
fn judged(folder: &Path, script: &str) -> Value {
    let (before, asked) = script.split_once("curl -s localhost:8080/v1/validate").expect("a call");
    let file = asked.split("-d @").nth(1).expect("a file").trim();
    // What is piped is one record over several lines, not a record a line.
    let script = match file {
        "-" => format!("{before}cat > piped.json\numpire validate --json piped.json || true"),
        file => format!("{before}umpire validate --json {file} || true"),
    };
    let binary = Path::new(env!("CARGO_BIN_EXE_umpire"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().expect("a folder").display());
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", &script]).current_dir(folder).env("PATH", path).output();
    let printed = output.expect("a shell").stdout;
    let line = printed.split(|it| *it == b'\n').next().unwrap_or_default();
    serde_json::from_slice(line).expect("an answer")
}

/// Whether every field that is shown is so; of a list with an ellipsis in it nothing is said.
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
fn what_the_readme_disputes_over_http_is_so() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = blocks(&readme);
    let asks = |block: &&Block| block.kind == "sh" && block.text.contains("/v1/validate");
    let answers: Vec<Value> =
        blocks.iter().filter(asks).map(|it| judged(folder.path(), &it.text)).collect();
    let [illegal, legal] = answers.as_slice() else { panic!("{answers:?}") };
    let shown = blocks.iter().find(|block| block.kind == "json").expect("an answer");
    let shown: Value = serde_json::from_str(&shown.text).expect("JSON");
    assert!(shown_in(&shown, illegal), "{illegal}");
    assert!(!shown_in(&shown, legal));
    let verdict = &legal["verdict"];
    assert_eq!((&verdict["plies"], &verdict["violation"]), (&1.into(), &Value::Null), "{legal}");
}

#[test]
fn a_line_that_is_not_printed_is_found() {
    let page = "```sh\nprintf 'one\\ntwo\\n'\n```\n\n```text\none\nthree\n```\n";
    let (run, missing) = missing(page);
    assert_eq!((run, missing.len()), (1, 1), "{missing:?}");
    assert!(missing[0].starts_with("three"));
}
