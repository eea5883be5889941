//! The `umpire` command, run as a process.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use umpire_engine::games::GAMES;
use umpire_engine::rules::{RuleEntry, RuleKind};

use crate::app::{game, illegal, legal, ndjson, whole_game};

pub(crate) fn umpire(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A command that does not read its input closes it.
        scope.spawn(move || stdin.write_all(input.as_bytes()));
        child.wait_with_output().unwrap()
    })
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn error(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

pub(crate) fn save(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_new_record_can_be_replayed() {
    let made = umpire(&["new", game().meta().id, "--seed", "a test"], "");
    assert_eq!(code(&made), 0, "{}", error(&made));
    assert_eq!(json(&made), legal(0));
    let output = umpire(&["replay", "-"], out(&made));
    assert_eq!(code(&output), 0);
    assert!(out(&output).contains("Legal so far: 0 actions"), "{}", out(&output));
}

#[test]
fn a_new_record_starts_as_it_is_asked_to() {
    let made = umpire(&["new", "dragut", "--tape", "--edition", "it", "--version", "1"], "");
    assert_eq!(code(&made), 0, "{}", error(&made));
    let expected = serde_json::json!({
        "format": "umpire/1", "game": "dragut", "ruleset": "dragut@1",
        "options": {"edition": "it"}, "chance": {"tape": []}, "actions": [],
    });
    assert_eq!(json(&made), expected);
    let made = umpire(&["new", "doubloons", "--seed", "x", "--players", "3"], "");
    assert_eq!(json(&made)["options"], serde_json::json!({"players": 3}));
    for args in [&["new", "drako"][..], &["new", "drako", "--seed", "x", "--tape"]] {
        assert_eq!(code(&umpire(args, "")), 2, "{args:?}");
    }
}

#[test]
fn an_invariant_that_a_position_breaks_is_explained_by_its_id() {
    let fixture = "../fixtures/drako/rules/G01-a-card-named-too-often.json";
    let fixture: Value = serde_json::from_str(&std::fs::read_to_string(fixture).unwrap()).unwrap();
    let record = &fixture["record"];
    let refused = umpire(&["validate", "-"], &record.to_string());
    let said = format!("{}{}", out(&refused), error(&refused));
    assert!(said.contains("(DRK-G1, "), "{said}");
    for id in ["DRK-G1", "drk-g1", "G1"] {
        let explained = umpire(&["rules", "drako", id], "");
        assert!(out(&explained).starts_with("DRK-G1  Per side deck"), "{}", out(&explained));
    }
    for (game, last) in [("drako", "DRK-G20"), ("dragut", "DRG-H22"), ("doubloons", "DBD-H29")] {
        assert_eq!(code(&umpire(&["rules", game, last], "")), 0, "{last}");
    }
}

#[test]
fn a_replay_tells_the_story_and_brief_the_verdict_alone() {
    let text = legal(3).to_string();
    let output = umpire(&["replay", "-"], &text);
    let brief = umpire(&["replay", "--brief", "-"], &text);
    assert!(out(&output).ends_with(out(&brief)), "{}", out(&output));
    assert!(out(&output).lines().count() > out(&brief).lines().count());
    let cited = game().meta().prefix;
    assert!(out(&output).lines().next().unwrap().contains(&format!("[{cited}-")));
}

#[test]
fn a_whole_game_ends_with_its_table() {
    let mut tables = 0;
    for game in GAMES.iter() {
        let meta = game.meta();
        let mut record = whole_game(meta.id);
        let seat = meta.seats[0];
        record["players"] = serde_json::json!({ seat: "Zoë" });
        let text = record.to_string();
        let report = json(&umpire(&["replay", "--json", "--include", "chapters", "-"], &text));
        let chapters = report["chapters"].as_array().unwrap();
        let output = umpire(&["replay", "-"], &text);
        let brief = umpire(&["replay", "--brief", "-"], &text);
        let output = out(&output).strip_suffix(out(&brief)).unwrap();
        let Some(first) = chapters.first() else { continue };
        tables += 1;
        let rows = |chapter: &Value| chapter["rows"].as_array().unwrap().len();
        let lines: Vec<&str> = output.trim_end().lines().collect();
        let at = lines.iter().rposition(|line| line.is_empty()).unwrap();
        let table = &lines[at + 1..];
        assert_eq!(table.len(), 1 + chapters.iter().map(rows).sum::<usize>(), "{table:#?}");
        let counts = first["rows"][0]["counts"].as_array().unwrap();
        let mut head = vec![first["name"].as_str().unwrap(), "player"];
        head.extend(counts.iter().map(|it| it["what"].as_str().unwrap()));
        assert_eq!(table[0].split_whitespace().collect::<Vec<_>>(), head);
        let wide = table[0].chars().count();
        assert!(table.iter().all(|line| line.chars().count() == wide), "{table:#?}");
        assert!(table[1].contains(&format!("Zoë ({seat})")), "{}", table[1]);
        let last = chapters.last().unwrap()["rows"].as_array().unwrap().last().unwrap();
        let counts = last["counts"].as_array().unwrap().iter().map(|it| it["count"].to_string());
        let counts: Vec<String> = counts.collect();
        let found: Vec<&str> = table.last().unwrap().split_whitespace().collect();
        assert!(found.ends_with(&counts.iter().map(String::as_str).collect::<Vec<_>>()));

        let early = umpire(&["replay", "--ply", "1", "-"], &text);
        assert!(out(&early).lines().count() < output.lines().count());
        let spectator = umpire(&["replay", "--viewer", "spectator", "-"], &text);
        assert!(!out(&spectator).contains(table[0]));
    }
    assert!(tables > 0, "no game has a table");
}

#[test]
fn an_illegal_record_is_told_with_its_clause() {
    let output = umpire(&["replay", "--brief", "-"], &illegal(2).to_string());
    assert_eq!(code(&output), 1);
    let mut lines = out(&output).lines();
    assert!(lines.next().unwrap().starts_with("Illegal after 2 actions"));
    assert!(lines.next().unwrap().trim().starts_with("/actions/2"));
    assert!(lines.next().unwrap().trim().starts_with(game().meta().prefix));
}

#[test]
fn json_is_what_the_service_answers() {
    let text = legal(2).to_string();
    let report = json(&umpire(&["replay", "--json", "--include", "events", "-"], &text));
    assert_eq!(report["verdict"]["plies"], 2);
    assert!(report["events"].is_array());
    let spectator = json(&umpire(&["replay", "--json", "--viewer", "spectator", "-"], &text));
    assert_eq!(spectator["viewer"], "spectator");
    let legal = json(&umpire(&["legal", "--json", "-"], &text));
    let actions = legal["choices"][0]["actions"].as_array().unwrap();
    assert_eq!(legal["choices"][0]["count"], actions.len());
    let rule = game().rules()[0].id;
    let shown = json(&umpire(&["rules", game().meta().id, rule, "--json"], ""));
    assert_eq!(shown["id"], rule);
}

#[test]
fn legal_lists_or_counts() {
    let text = legal(2).to_string();
    let listed = umpire(&["legal", "-"], &text);
    let counted = umpire(&["legal", "--count", "-"], &text);
    assert_eq!(code(&listed), 0);
    assert!(out(&listed).lines().count() > out(&counted).lines().count());
    assert!(out(&listed).starts_with(out(&counted).lines().next().unwrap()));
    let cut = umpire(&["legal", "--limit", "1", "-"], &text);
    assert!(out(&listed).starts_with(out(&cut).split("  and ").next().unwrap()), "{}", out(&cut));
    assert!(out(&cut).trim_end().ends_with(" more"), "{}", out(&cut));
    let wrong = umpire(&["legal", "-"], &illegal(2).to_string());
    assert_eq!(code(&wrong), 1);
    assert_eq!(out(&wrong), out(&listed));
    assert!(error(&wrong).starts_with("umpire: -: Illegal after 2 actions"), "{}", error(&wrong));
    assert!(error(&wrong).contains("/actions/2"), "{}", error(&wrong));
}

#[test]
fn a_viewer_is_told_no_more_about_a_fault_than_he_may_know() {
    let mut record = legal(2);
    let game = game();
    let may = |viewer: &str, record: &str| {
        let output = umpire(&["legal", "--viewer", viewer, "-"], record);
        assert_eq!(code(&output), 1);
        let replayed = umpire(&["replay", "--viewer", viewer, "--brief", "-"], record);
        let (output, replayed) = (error(&output).to_owned(), out(&replayed).to_owned());
        for line in output.lines().skip(1) {
            assert!(replayed.contains(line), "{viewer}: {line}\n{replayed}");
        }
        output
    };
    // Somebody plays a card that he does not hold: which ones he holds is his alone.
    let decider = json(&umpire(&["legal", "--json", "-"], &record.to_string()));
    let decider = decider["decision"]["players"][0].as_str().unwrap().to_owned();
    let held = json(&umpire(&["replay", "--json", "-"], &record.to_string()));
    let hand = held["state"]["hands"][&decider]["cards"].as_array().unwrap().clone();
    let deck = if decider == "dragon" { "dg" } else { "dw" };
    let cards = (1..13).map(|number| Value::from(format!("{deck}{number:02}")));
    let other = cards.into_iter().find(|card| !hand.contains(card)).unwrap();
    let play = serde_json::json!({"type": "play", "player": decider, "card": other, "use": "none"});
    record["actions"].as_array_mut().unwrap().push(play);
    let text = record.to_string();
    let referee = may("referee", &text);
    assert!(referee.contains("hand"), "{referee}");
    let spectator = may("spectator", &text);
    assert!(!spectator.contains("hand:") && !spectator.contains("instead"), "{spectator}");
    for seat in game.meta().seats.iter().filter(|seat| **seat != decider) {
        let output = may(seat, &text);
        assert!(!output.contains("hand:") && !output.contains("instead"), "{output}");
    }
}

#[test]
fn a_story_stops_where_it_is_asked_to() {
    let text = legal(3).to_string();
    let whole = umpire(&["replay", "-"], &text);
    assert!(out(&whole).starts_with("start  "), "{}", out(&whole));
    assert!(out(&whole).contains("\n    0  "), "{}", out(&whole));
    let dealt = umpire(&["replay", "--ply", "0", "-"], &text);
    assert!(!out(&dealt).contains("\n    0  "), "{}", out(&dealt));
    assert!(out(&dealt).contains("To decide after 0 actions: "), "{}", out(&dealt));
    let one = umpire(&["replay", "--ply", "1", "-"], &text);
    assert!(out(&one).contains("\n    0  ") && !out(&one).contains("\n    1  "));
    // A player has the events that he learned of, and an outline of what he knows.
    let seen = umpire(&["replay", "--viewer", "dragon", "-"], &text);
    assert!(out(&seen).starts_with("start  ") && out(&seen).contains("\n    2  "));
    assert!(out(&seen).contains("Known to the dragon after 3 actions:\n  "), "{}", out(&seen));
    assert!(!out(&seen).contains('{'), "{}", out(&seen));
}

#[test]
fn what_holds_no_record_is_no_good_input() {
    let none = umpire(&["validate", "-"], "");
    assert_eq!(code(&none), 2);
    assert!(out(&none).contains("contains no records"), "{}", out(&none));
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), "a.JSON", &legal(1).to_string());
    save(folder.path(), "b.json", &legal(1).to_string());
    let found = umpire(&["validate", folder.path().to_str().unwrap()], "");
    assert!(out(&found).contains("2 records"), "{}", out(&found));
    assert_eq!(code(&umpire(&["serve", "--workers", "100000"], "")), 2);
}

#[test]
fn rules_are_listed_and_shown() {
    let id = game().meta().id;
    let all = umpire(&["rules", id], "");
    let lines: Vec<&str> = out(&all).lines().collect();
    for entry in game().rules() {
        let line = |line: &&&str| line.split(' ').next() == Some(entry.id);
        assert_eq!(lines.iter().filter(line).count(), 1, "{}", entry.id);
    }
    let chapters = lines.iter().filter(|line| line.starts_with("Chapter ")).count();
    assert!(chapters > 5 && lines.contains(&"Rulings"), "{chapters}");
    let rule = game().rules()[0].id;
    let shown = umpire(&["rules", id, rule], "");
    for other in [rule.to_lowercase(), rule.split_once('-').unwrap().1.to_owned()] {
        assert_eq!(out(&umpire(&["rules", id, &other], "")), out(&shown), "{other}");
    }
    let ruling = game().rules().iter().find(|entry| entry.selectable()).unwrap();
    let shown = umpire(&["rules", id, ruling.id], "");
    for reading in ruling.readings {
        assert!(out(&shown).contains(reading.value), "{}", out(&shown));
    }
    // Beside a clause stands what settles it, with every reading in full.
    let clause = umpire(&["rules", id, ruling.settles[0]], "");
    assert!(out(&clause).contains(ruling.gist), "{}", out(&clause));
    assert!(ruling.readings.iter().all(|it| out(&clause).contains(it.gist)), "{}", out(&clause));
    let default = format!("{}: {} (default)", ruling.readings[0].value, ruling.readings[0].gist);
    assert!(out(&clause).contains(&default), "{}", out(&clause));
}

/// The defaults and the data of an older version are shown where it is asked for, and a version that is unknown is refused.
#[test]
fn rules_are_shown_as_a_version_has_them() {
    for game in GAMES.iter() {
        let meta = game.meta();
        let own = game.defaults(meta.version, None);
        for version in 1..=meta.version {
            let number = version.to_string();
            let shown = umpire(&["rules", meta.id, "R", "--version", &number, "--json"], "");
            let shown = json(&shown);
            let defaults = game.defaults(version, None);
            for (def, (value, newest)) in game.rulings().iter().zip(defaults.iter().zip(&own)) {
                let rule = shown.as_array().unwrap().iter().find(|it| it["id"] == def.id).unwrap();
                let marked =
                    rule["readings"].as_array().unwrap().iter().filter(|it| it["default"] == true);
                assert_eq!(
                    marked.map(|it| &it["value"]).collect::<Vec<_>>(),
                    [value],
                    "{}",
                    def.id
                );
                if value != newest {
                    let text = umpire(&["rules", meta.id, def.id, "--version", &number], "");
                    let line = out(&text).lines().find(|it| it.contains(&format!("- {value}: ")));
                    assert!(line.unwrap().ends_with(" (default)"), "{}", out(&text));
                    let now = umpire(&["rules", meta.id, def.id], "");
                    let of = format!("(default of {}", meta.ruleset_of(version));
                    assert!(out(&now).contains(&of), "{}", out(&now));
                }
            }
            let data =
                umpire(&["rules", meta.id, "--components", "--version", &number, "--json"], "");
            let served: Value = serde_json::from_str(game.components(version).get()).unwrap();
            assert_eq!(json(&data), served);
        }
        let unknown = umpire(&["rules", meta.id, "--version", "9"], "");
        assert_eq!(code(&unknown), 2);
        assert!(error(&unknown).contains(&meta.ruleset()), "{}", error(&unknown));
    }
}

#[test]
fn a_part_of_the_rules_is_shown_by_its_beginning() {
    for game in GAMES.iter() {
        let id = game.meta().id;
        let clauses = game.rules().iter().filter(|entry| entry.kind == RuleKind::Clause);
        let chapter = |entry: &RuleEntry| entry.id.split('.').next().unwrap().to_owned();
        let first = chapter(&game.rules()[0]);
        let expected: Vec<&str> =
            clauses.filter(|entry| chapter(entry) == first).map(|entry| entry.id).collect();
        let number = first.split_once('-').unwrap().1;
        for start in [number, first.as_str(), &format!("{number}.")] {
            let shown = umpire(&["rules", id, start], "");
            let heads = out(&shown).lines().filter(|line| line.starts_with(game.meta().prefix));
            let found: Vec<&str> = heads.map(|line| line.split(' ').next().unwrap()).collect();
            assert_eq!(found, expected, "{start}");
        }
        assert_eq!(code(&umpire(&["rules", id, "999"], "")), 2);
        let tables = umpire(&["rules", id, "--components"], "");
        assert!(out(&tables).contains("source"), "{}", out(&tables));
        let data = json(&umpire(&["rules", id, "--components", "--json"], ""));
        let served: Value =
            serde_json::from_str(game.components(game.meta().version).get()).unwrap();
        assert_eq!(data, served);
    }
}

#[test]
fn files_folders_and_lines_are_validated_together() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    save(path, "a/one.json", &serde_json::to_string_pretty(&legal(1)).unwrap());
    save(path, "a/b/many.ndjson", &ndjson(&[legal(0), legal(2)]));
    save(path, "a/notes.txt", "not a record");
    let good = umpire(&["validate", path.to_str().unwrap()], "");
    assert_eq!(code(&good), 0, "{}{}", out(&good), error(&good));
    assert!(out(&good).starts_with("3 records: 3 in progress; "), "{}", out(&good));
    let bad = save(path, "a/bad.json", &illegal(1).to_string());
    let found = umpire(&["validate", path.to_str().unwrap()], "");
    assert_eq!(code(&found), 1);
    assert!(out(&found).starts_with(&format!("{bad}: Illegal after 1 action,")), "{}", out(&found));
    save(path, "a/torn.json", "{");
    let found = umpire(&["validate", path.to_str().unwrap()], "");
    assert_eq!(code(&found), 2);
    assert!(out(&found).contains("torn.json: unreadable: "));
    assert!(out(&found).contains("5 records: 3 in progress, 1 illegal, 1 unreadable; "));
}

#[test]
fn validate_prints_lines_as_the_service_does() {
    let mut text = ndjson(&[legal(1), illegal(1)]);
    text.push_str("nonsense\n");
    let found = umpire(&["validate", "--json", "-"], &text);
    assert_eq!(code(&found), 2);
    let lines: Vec<Value> =
        out(&found).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["verdict"]["plies"], 1);
    assert_eq!(lines[1]["verdict"]["status"], "illegal");
    assert_eq!(lines[2]["code"], "bad_json");
    assert_eq!(lines[2]["line"], 3);
    assert_eq!(lines[3]["summary"]["records"], 3);
}

#[test]
fn lines_about_several_files_name_them() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let one = save(path, "one.json", &legal(1).to_string());
    let many = save(path, "many.ndjson", &format!("{}\nnonsense\n", legal(2)));
    let torn = save(path, "torn.json", "{");
    let lines = |args: &[&str]| -> Vec<Value> {
        let found = umpire(&[&["validate", "--json"], args].concat(), "");
        out(&found).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for args in [&[path.to_str().unwrap()][..], &[&many, &one, &torn]] {
        let lines = lines(args);
        let place = |at: usize| (lines[at]["file"].as_str().unwrap(), lines[at]["line"].as_u64());
        assert_eq!(place(0), (many.as_str(), Some(1)));
        assert_eq!(lines[0]["verdict"]["plies"], 2);
        assert_eq!(place(1), (many.as_str(), Some(2)));
        assert_eq!(lines[1]["code"], "bad_json");
        assert_eq!(place(2), (one.as_str(), None));
        assert_eq!(place(3), (torn.as_str(), None));
        assert!(lines[4].get("file").is_none() && lines[4]["summary"]["records"] == 4);
    }
    assert!(lines(&[&many]).iter().all(|line| line.get("file").is_none()));
}

#[test]
fn a_folder_without_a_record_is_an_error() {
    let folder = TempDir::new().unwrap();
    save(folder.path(), "a/notes.txt", "not a record");
    let path = folder.path().to_str().unwrap();
    let found = umpire(&["validate", path], "");
    assert_eq!(code(&found), 2);
    assert!(
        out(&found).starts_with(&format!("{path}: unreadable: this directory contains no records")),
        "{}",
        out(&found)
    );
}

#[test]
fn standard_input_may_be_one_record_on_many_lines() {
    let text = serde_json::to_string_pretty(&legal(1)).unwrap();
    let found = umpire(&["validate", "-"], &text);
    assert_eq!(code(&found), 0, "{}", out(&found));
    assert!(out(&found).starts_with("1 record: 1 in progress"));
}

#[test]
fn many_records_keep_their_order() {
    let records: Vec<Value> = (0..3000).map(|at| legal(at % 4)).collect();
    let found = umpire(&["validate", "--json", "-"], &ndjson(&records));
    for (at, line) in out(&found).lines().take(3000).enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["verdict"]["plies"], at % 4, "line {at}");
    }
}

#[test]
fn the_document_and_completions_are_printed() {
    assert_eq!(json(&umpire(&["openapi"], ""))["openapi"], "3.1.0");
    assert!(out(&umpire(&["completions", "bash"], "")).contains("umpire"));
}

mod errors {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_said_plainly() {
        for (args, input, expected) in [
            (&["replay", "no-such-file"][..], "", "umpire: cannot read no-such-file"),
            (&["replay", "-"], "{", "umpire: -: this is no JSON"),
            (&["legal", "-"], "{}", "umpire: -: the field \"format\" is missing"),
            (&["rules", "ludo"], "", "umpire: unknown game \"ludo\""),
            (&["rules", game().meta().id, "XYZ-1"], "", "umpire: "),
            (&["new", "ludo", "--seed", "x"], "", "umpire: unknown game \"ludo\""),
            (&["new", game().meta().id, "--seed", "x", "--players", "99"], "", "umpire: "),
            (&["new", game().meta().id, "--tape", "--edition", "no-such"], "", "umpire: "),
            (
                &["new", game().meta().id, "--tape", "--version", "99"],
                "",
                "umpire: unknown version 99",
            ),
            (&["serve", "--listen", "0.0.0.0:0"], "", "umpire: 0.0.0.0:0 can be reached"),
            (&["serve", "--token-file", "no-such-file"], "", "umpire: cannot read the token file"),
        ] {
            let output = umpire(args, input);
            assert_eq!(code(&output), 2, "{args:?}");
            assert!(error(&output).starts_with(expected), "{args:?}: {}", error(&output));
            assert!(out(&output).is_empty(), "{args:?}");
        }
    }

    #[test]
    fn a_fault_is_a_problem_in_json() {
        let output = umpire(&["replay", "--json", "-"], "{");
        assert_eq!(code(&output), 2);
        assert_eq!(json(&output)["code"], "bad_json");
    }
}

/// Whatever a record says, what is printed about it does nothing to a terminal.
#[test]
fn nothing_that_a_record_says_reaches_the_terminal_raw() {
    let folder = TempDir::new().unwrap();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{7f}\r\u{8}";
    let mut records = Vec::new();
    for game in GAMES.iter() {
        let mut record = whole_game(game.meta().id);
        record.as_object_mut().unwrap().remove("claims");
        record["meta"] = serde_json::json!({evil: evil});
        for name in record["players"].as_object_mut().into_iter().flatten() {
            *name.1 = evil.into();
        }
        let actions = record["actions"].as_array().unwrap().len();
        // Some text in an action, a field of it, its type, and everything around.
        for (ply, field) in [(1, "player"), (actions / 2, "type"), (2, evil)] {
            let mut wrong = record.clone();
            wrong["actions"][ply][field] = evil.into();
            records.push(wrong);
        }
        for field in ["ruleset", "game", "format", evil, "chance", "claims", "options", "position"]
        {
            let mut wrong = record.clone();
            wrong[field] = match field {
                "chance" | "claims" | "options" | "position" => serde_json::json!({evil: evil}),
                _ => evil.into(),
            };
            records.push(wrong);
        }
        records.push(record);
    }
    let seat = game().meta().seats[0];
    let other = save(folder.path(), "other.json", &legal(3).to_string());
    let commands: [&[&str]; 22] = [
        &["validate", "FILE"],
        &["validate", "--json", "FILE"],
        &["replay", "FILE"],
        &["replay", "--json", "FILE"],
        &["adjudicate", "FILE"],
        &["why", "FILE", r#"{"type": "x"}"#],
        &["explain", "FILE", "--ply", "1"],
        &["repair", "FILE"],
        &["repair", "--json", "FILE"],
        &["remedy", "FILE"],
        &["remedy", "--json", "FILE"],
        &["diff", "FILE", &other],
        &["legal", "FILE"],
        &["board", "--text", "FILE"],
        &["hint", "FILE", "--simulations", "1"],
        &["odds", "FILE"],
        &["analyze", "FILE", "--simulations", "1"],
        &["record", "--from", "FILE"],
        &["record", "--to-notes", "FILE"],
        &["record", "--sheet", "FILE", "--viewer", seat],
        &["verdict", "verify", "FILE"],
        &["record", "--play", game().meta().id, "--continue", "FILE"],
    ];
    let mut bad = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let text = record.to_string();
        let file = save(folder.path(), &format!("{number}.json"), &text);
        let notes = save(
            folder.path(),
            &format!("{number}.notes"),
            &format!("game: {}\nplayer {evil}: {evil}\n{evil}\n1. {evil}\n", game().meta().id),
        );
        for command in &commands {
            if command[0] == "analyze" && number != 0 {
                continue;
            }
            let file = if command.contains(&"--from") { &notes } else { &file };
            let args: Vec<&str> =
                command.iter().map(|part| if *part == "FILE" { file } else { *part }).collect();
            let done = umpire(&args, "");
            for (name, text) in [("stdout", &done.stdout), ("stderr", &done.stderr)] {
                let text = String::from_utf8_lossy(text);
                if let Some(at) = text.find(|it: char| it.is_control() && !"\n\t".contains(it)) {
                    let start = text.floor_char_boundary(at.saturating_sub(60));
                    bad.push(format!("{command:?} {number} {name}: {:?}", &text[start..=at]));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
