//! `umpire conformance`, run as a process.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use umpire_engine::games::GAMES;

use crate::app::game;
use crate::cli::{code, error, out, umpire};

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The paths of a manifest's files.
fn listed(folder: &Path) -> Vec<String> {
    let manifest = read(&folder.join("manifest.json"));
    let files = manifest["files"].as_array().unwrap().iter();
    files.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_exported_can_be_run_and_what_is_tampered_with_is_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    let made = umpire(&["conformance", "export", path], "");
    assert_eq!(code(&made), 0, "{}", error(&made));
    let files = listed(folder.path());
    assert!(folder.path().join("README.md").is_file());
    assert!(files.contains(&"chance/vectors.json".to_owned()));
    for game in GAMES.iter() {
        for kind in ["rules", "games"] {
            let start = format!("{}/{kind}/", game.meta().id);
            assert!(files.iter().any(|file| file.starts_with(&start)), "{start}");
        }
    }
    let good = umpire(&["conformance", "run", path], "");
    assert_eq!(code(&good), 0, "{}{}", out(&good), error(&good));
    let said = format!("{} files: {0} agree, 0 differ, 0 unreadable", files.len());
    assert!(out(&good).starts_with(&said), "{}", out(&good));
    // Every kind of expectation is there, and a change in any is found.
    let find = |wanted: &dyn Fn(&Value) -> bool| {
        let place = files.iter().find(|file| wanted(&read(&folder.path().join(file))));
        place.unwrap().clone()
    };
    let whole =
        find(&|case| case["expect"]["fingerprints"].as_array().is_some_and(|it| it.len() > 20));
    let illegal = find(&|case| case["expect"]["violation"].is_object());
    let fault = find(&|case| case["expect"]["fault"].is_object());
    let tried = find(&|case| case["refusals"][0]["expect"]["violation"].is_object());
    for (file, pointer) in [
        (&whole, "/expect/fingerprints/17"),
        (&whole, "/expect/chain"),
        (&whole, "/expect/outcome/reason"),
        (&illegal, "/expect/violation/rule"),
        (&fault, "/expect/fault/code"),
        (&tried, "/refusals/0/expect/violation/code"),
        (&"chance/vectors.json".to_owned(), "/keys/1/key"),
        (&"chance/vectors.json".to_owned(), "/fair/0/seed"),
    ] {
        let place = folder.path().join(file);
        let before = std::fs::read(&place).unwrap();
        let mut case = read(&place);
        *case.pointer_mut(pointer).unwrap() = "0".repeat(64).into();
        std::fs::write(&place, case.to_string()).unwrap();
        let bad = umpire(&["conformance", "run", path], "");
        assert_eq!(code(&bad), 1, "{file} {pointer}");
        let lines: Vec<&str> = out(&bad).lines().collect();
        // What differs, the hash, and the summary.
        assert_eq!(lines.len(), 3, "{}", out(&bad));
        let at = format!("{file}: {}", &pointer[1..]);
        let at = at.trim_end_matches("/key").trim_end_matches("/seed");
        assert!(lines[0].starts_with(at), "{} is not about {at}", lines[0]);
        assert!(lines[1].contains("BLAKE3"), "{}", lines[1]);
        std::fs::write(&place, before).unwrap();
    }
    std::fs::remove_file(folder.path().join(&whole)).unwrap();
    let gone = umpire(&["conformance", "run", "--json", path], "");
    assert_eq!(code(&gone), 2);
    let line: Value = serde_json::from_str(out(&gone).lines().next().unwrap()).unwrap();
    assert_eq!(line["file"], whole);
}

#[test]
fn one_game_may_be_exported_and_nothing_is_overwritten_unless_forced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new/pack");
    let text = path.to_str().unwrap();
    let id = game().meta().id;
    let args = ["conformance", "export", "--game", id, text];
    assert_eq!(code(&umpire(&args, "")), 0);
    let own = |file: &String| file.starts_with(&format!("{id}/")) || file.starts_with("chance/");
    assert!(listed(&path).iter().all(own));
    let again = umpire(&args, "");
    assert_eq!(code(&again), 2);
    assert!(error(&again).contains("is not empty"), "{}", error(&again));
    let before = std::fs::read(path.join("manifest.json")).unwrap();
    assert_eq!(code(&umpire(&[&args[..], &["--force"]].concat(), "")), 0);
    assert_eq!(std::fs::read(path.join("manifest.json")).unwrap(), before);
}

mod errors {
    use super::*;

    #[test]
    fn what_is_no_pack_is_said_plainly() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().to_str().unwrap();
        let none = umpire(&["conformance", "run", path], "");
        assert_eq!(code(&none), 2);
        assert!(error(&none).starts_with("umpire: cannot read"), "{}", error(&none));
        let manifest = folder.path().join("manifest.json");
        for (text, expected) in [
            ("{}", "is not a valid manifest"),
            (r#"{"format":"x","engine":"0","rulesets":{},"files":[]}"#, "format is \"x\""),
        ] {
            std::fs::write(&manifest, text).unwrap();
            let output = umpire(&["conformance", "run", path], "");
            assert_eq!(code(&output), 2);
            assert!(error(&output).contains(expected), "{}", error(&output));
        }
        let outside = r#"{"format":"umpire-conformance/1","engine":"0","rulesets":{},"files":[{"path":"../x","kind":"rule","blake3":""}]}"#;
        std::fs::write(&manifest, outside).unwrap();
        let output = umpire(&["conformance", "run", path], "");
        assert_eq!(code(&output), 2);
        assert!(out(&output).contains("is outside the pack"), "{}", out(&output));
        let game = umpire(&["conformance", "export", "--game", "ludo", path], "");
        assert!(error(&game).starts_with("umpire: unknown game \"ludo\""));
    }
}
