//! `umpire impact`, run as a process.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::documents::archive;
use umpire_api::store::Store;
use umpire_api::store::sqlite::SqliteStore;
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;

use crate::app::{game, legal, ndjson};
use crate::cli::{code, error, out, save, umpire};
use crate::impacts::{Flip, flips};

/// A folder with the records of every flip, one a file.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for flip in flips() {
        for (at, record) in flip.records.iter().enumerate() {
            save(folder.path(), &format!("{}/{at}.json", flip.game.meta().id), &record.to_string());
        }
    }
    folder
}

fn rulings(flip: &Flip) -> String {
    format!("{}={}", flip.ruling, flip.value)
}

/// The lines of an answer in JSON, and the summary after them.
fn lines(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].clone();
    (lines, summary)
}

/// Another version changes what its defaults change, and nothing in records that name it.
#[test]
fn another_version_is_compared_with_the_records() {
    let folder = TempDir::new().unwrap();
    let whole = umpire_conformance::folders::root().join("fixtures/drako/games/under-drako-2.json");
    let text = std::fs::read_to_string(whole).unwrap();
    let mut record = serde_json::from_str::<Value>(&text).unwrap()["record"].take();
    record.as_object_mut().unwrap().remove("claims");
    save(folder.path(), "game.json", &record.to_string());
    let path = folder.path().join("game.json");
    let path = path.to_str().unwrap();
    let old = umpire(&["impact", "--json", "--ruleset", "drako@1", path], "");
    let (changed, summary) = lines(out(&old));
    assert_eq!((&summary["changed"], changed.len()), (&json!(1), 1), "{}", error(&old));
    assert_eq!(changed[0]["rules"][0]["id"], "DRK-R13");
    let own = umpire(&["impact", "--json", "--ruleset", "drako@2", path], "");
    assert_eq!(lines(out(&own)).1["unchanged"], 1);
    let other = umpire(&["impact", "--json", "--ruleset", "dragut@1", path], "");
    assert_eq!(lines(out(&other)).1["not_concerned"], 1);
    let unknown = umpire(&["impact", "--ruleset", "drako@9", path], "");
    assert_eq!(code(&unknown), 2);
    assert!(error(&unknown).contains("drako@9"), "{}", error(&unknown));
    let settled = umpire(&["adjudicate", path, "--reading", "ruleset=drako@1"], "");
    assert!(out(&settled).contains("Under drako@1 "), "{}", out(&settled));
    let every = umpire(&["adjudicate", path], "");
    assert!(out(&every).contains("Under drako@1 "), "{}", out(&every));
}

#[test]
fn a_flipped_ruling_is_told_for_each_record_it_changes() {
    let folder = folder();
    let path = folder.path().to_str().unwrap();
    let all: usize = flips().iter().map(|flip| flip.records.len()).sum();
    for flip in flips() {
        let found = umpire(&["impact", "--json", "--rulings", &rulings(flip), path], "");
        assert_eq!(code(&found), 1, "{}", error(&found));
        let (lines, summary) = lines(out(&found));
        assert_eq!(lines.len(), flip.changed);
        assert_eq!(summary["records"], all);
        assert_eq!(summary["changed"], flip.changed);
        assert_eq!(summary["unchanged"], flip.records.len() - flip.changed);
        assert_eq!(summary["not_concerned"], all - flip.records.len());
        for (at, line) in lines.iter().enumerate() {
            let file = Path::new(line["file"].as_str().unwrap());
            assert!(file.ends_with(format!("{}/{at}.json", flip.game.meta().id)), "{line}");
            assert_eq!(line["rules"][0]["id"], flip.ruling);
        }
        let output = umpire(&["impact", "--rulings", &rulings(flip), path], "");
        assert_eq!(code(&output), 1);
        let output: Vec<&str> = out(&output).lines().collect();
        assert_eq!(output.len(), flip.changed + 1);
        for line in &output[..flip.changed] {
            assert!(line.contains(&format!("due to {}", flip.ruling)), "{line}");
        }
        assert!(output[flip.changed].starts_with(&format!("{all} records: ")), "{output:?}");
    }
}

#[test]
fn a_reading_that_changes_nothing_is_no_change() {
    let flip = &flips()[0];
    let same = ndjson(&flip.records[flip.changed..]);
    let found = umpire(&["impact", "--rulings", &rulings(flip), "-"], &same);
    assert_eq!(code(&found), 0, "{}", out(&found));
    let torn = umpire(&["impact", "--rulings", &rulings(flip), "-"], &format!("{same}nonsense\n"));
    assert_eq!(code(&torn), 2);
    assert!(out(&torn).contains(": unreadable: "), "{}", out(&torn));
}

#[test]
fn claims_are_compared_with_this_version_of_the_rules() {
    let mut right = legal(2);
    right["claims"] = json!({"plies": 2, "status": "in_progress"});
    let mut wrong = legal(2);
    wrong["claims"] = json!({"plies": 1, "status": "illegal"});
    let found = umpire(&["impact", "--json", "-"], &ndjson(&[legal(2), right, wrong]));
    assert_eq!(code(&found), 1, "{}", error(&found));
    let (lines, summary) = lines(out(&found));
    assert_eq!(summary["not_concerned"], 1);
    assert_eq!(summary["unchanged"], 1);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["line"], 3);
    assert_eq!(lines[0]["changes"], json!(["legality"]));
    assert_eq!(lines[0]["ply"], 1);
}

#[test]
fn a_store_is_looked_at_as_files_are() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("records.sqlite");
    let flip = &flips()[0];
    {
        let store = SqliteStore::open(&path).unwrap();
        let prepared = flip.records.iter().map(|record| {
            let text = record.to_string();
            archive::prepare::<Fault>(text.as_bytes(), Limits::default(), |_| Ok(())).unwrap()
        });
        let records = prepared.map(|prepared| prepared.record).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(store.insert(records)).unwrap();
    }
    let path = path.to_str().unwrap();
    let found = umpire(&["impact", "--json", "--rulings", &rulings(flip), "--store", path], "");
    assert_eq!(code(&found), 1, "{}", error(&found));
    let (lines, summary) = lines(out(&found));
    assert_eq!(summary["changed"], flip.changed);
    assert_eq!(summary["records"], flip.records.len());
    assert!(lines.iter().all(|line| line["id"].as_str().is_some_and(|id| id.len() == 64)));
    let same = umpire(&["impact", "--store", path], "");
    assert_eq!(code(&same), 0, "{}", out(&same));
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_stood() {
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let state = journal.to_str().unwrap();
    let flip = &flips()[0];
    let records: Vec<Value> = flip.records.iter().cycle().take(1200).cloned().collect();
    let text = ndjson(&records);
    let reading = rulings(flip);
    let args = ["impact", "--json", "--rulings", &reading, "-"];
    let whole = umpire(&args, &text);
    let with_state = [&args[..], &["--state", state]].concat();
    // The input stops in the middle, and the run waits for more.
    let mut child = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .args(&with_state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let part = text.lines().take(700).map(str::len).sum::<usize>() + 700;
    let feeder = std::thread::spawn({
        let part = text[..part].to_owned();
        move || {
            let _ = stdin.write_all(part.as_bytes());
            stdin
        }
    });
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut output = String::new();
        let _ = std::io::Read::read_to_string(&mut stdout, &mut output);
        output
    });
    let noted = || std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 1);
    while !noted() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(feeder.join().unwrap());
    let first = reader.join().unwrap();
    assert!(!first.contains("summary"), "it was killed");
    let rest = umpire(&with_state, &text);
    assert_eq!(code(&rest), code(&whole), "{}", error(&rest));
    assert_eq!(format!("{first}{}", out(&rest)), out(&whole));
    // A run that is over says the same again without any work.
    let again = umpire(&with_state, "");
    assert_eq!(lines(out(&again)), (Vec::new(), lines(out(&whole)).1));
    assert_eq!(code(&again), code(&whole));
}

#[test]
fn a_journal_of_other_arguments_or_other_records_is_refused() {
    let folder = folder();
    let journal = TempDir::new().unwrap();
    let state = journal.path().join("journal").to_str().unwrap().to_owned();
    let path = folder.path().to_str().unwrap();
    let reading = rulings(&flips()[0]);
    let args = ["impact", "--rulings", &reading, "--state", &state, path];
    assert_eq!(code(&umpire(&args, "")), 1);
    for other in [
        &["impact", "--state", &state, path][..],
        &["impact", "--rulings", &reading, "--state", &state, "--json", path],
        &["impact", "--rulings", &reading, "--state", &state, "-"],
    ] {
        let refused = umpire(other, "");
        assert_eq!(code(&refused), 2, "{other:?}");
        assert!(error(&refused).contains("is not a journal of this run"), "{}", error(&refused));
    }
    // The journal as it was in the middle, but of other records.
    let text = std::fs::read_to_string(&state).unwrap();
    let mut step: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    step["last"] = json!("elsewhere.json");
    step["over"] = json!(false);
    std::fs::write(&state, format!("{}\n{step}\n", text.lines().next().unwrap())).unwrap();
    let refused = umpire(&args, "");
    assert_eq!(code(&refused), 2);
    assert!(
        error(&refused).contains("but was elsewhere.json in the journal"),
        "{}",
        error(&refused)
    );
}

mod errors {
    use super::*;

    #[test]
    fn what_cannot_be_asked_is_said_plainly() {
        let ruling = game().rulings()[0].id;
        let unknown = format!("{ruling}=no-such-reading");
        for (args, expected) in [
            (&["impact", "--rulings", "XYZ-R1=x", "-"][..], "\"XYZ-R1\" is no selectable ruling"),
            (&["impact", "--rulings", &unknown, "-"], "has no reading \"no-such-reading\""),
            (&["impact", "--rulings", "XYZ-R1", "-"], "ID=VALUE"),
            (&["impact", "--edition", "xx", "-"], "no game has an edition"),
            (&["impact", "--store", "no-such-file"], "the store no-such-file does not exist"),
            (&["impact"], "required"),
            (&["impact", "--store", "x", "y"], "cannot be used"),
        ] {
            let output = umpire(args, "");
            assert_eq!(code(&output), 2, "{args:?}");
            assert!(error(&output).contains(expected), "{args:?}: {}", error(&output));
            assert!(out(&output).is_empty(), "{args:?}");
        }
    }
}
