//! Records from notes and back, and games taken down move by move, as a process that reads lines.

use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;
use umpire_engine::notation::{Turn, write_action};

use crate::app::whole_game;
use crate::cli::{code, error, out, save, umpire};

fn of_notes(notes: &str) -> Value {
    let output = umpire(&["record", "--from", "-"], notes);
    assert_eq!(code(&output), 0, "{}\n{notes}", error(&output));
    serde_json::from_str(out(&output)).unwrap()
}

#[test]
fn a_whole_game_is_the_same_after_notes() {
    let folder = TempDir::new().unwrap();
    for game in GAMES.iter() {
        let record = whole_game(game.meta().id);
        let path = save(folder.path(), "whole.json", &record.to_string());
        let notes = umpire(&["record", "--to-notes", &path], "");
        assert_eq!(code(&notes), 0, "{}", error(&notes));
        assert_eq!(of_notes(out(&notes)), record);
        // What holds a record is taken, too.
        let held = umpire(&["record", "--to-notes", "-"], &json!({"record": record}).to_string());
        assert_eq!(out(&held), out(&notes));
    }
}

#[test]
fn mistakes_are_told_with_their_places_and_the_lines() {
    let game = GAMES[0].meta();
    let notes = format!("game: {}\nseed: x\n\n  frobnicate 7\ntape:\ndie x\n", game.id);
    let folder = TempDir::new().unwrap();
    let path = save(folder.path(), "notes.txt", &notes);
    let output = umpire(&["record", "--from", &path], "");
    assert_eq!((code(&output), out(&output)), (2, ""));
    let told: Vec<&str> = error(&output).lines().collect();
    assert!(told[0].contains("notes.txt:4:3: \"frobnicate\" is not an action"), "{told:?}");
    assert_eq!(told[1..3], ["      frobnicate 7", "      ^"]);
    assert!(told[3].contains("notes.txt:6:6: value is missing"), "{told:?}");
    assert_eq!(told[4..], ["    die x", "         ^"]);
    let none = umpire(&["record", "--from", "/nowhere/notes.txt"], "");
    assert_eq!(code(&none), 2);
    let unwritable = umpire(&["record", "--to-notes", "-"], "{\"game\": 7}");
    assert_eq!(code(&unwritable), 2, "{}", error(&unwritable));
    assert_eq!(code(&umpire(&["record"], "")), 2);
}

#[test]
fn unknown_values_go_through_notes_into_the_record() {
    let game = GAMES[0].meta();
    let notes = format!("game: {}\n* draw {} ?\n* die x ?(1|6)\n", game.id, game.seats[0]);
    assert_eq!(
        of_notes(&notes)["chance"]["tape"],
        json!([
            {"kind": "draw", "side": game.seats[0], "card": "?"},
            {"kind": "die", "at": "x", "value": {"one_of": [1, 6]}},
        ])
    );
}

/// The lines in the notation, with the seat in front of each, of a record's actions.
fn lines(game: &dyn AnyGame, record: &Value) -> Vec<String> {
    let line = |action: &Value| {
        write_action(game.dialect(), &action.to_string(), &mut Turn::default()).unwrap()
    };
    record["actions"].as_array().unwrap().iter().map(line).collect()
}

/// Takes a game down from some lines; gives the record that is saved, and what was said.
fn taken(folder: &TempDir, args: &[&str], script: &str) -> (Value, String) {
    let file = folder.path().join("taken.json");
    let args: Vec<&str> = ["record"].iter().chain(args).copied().collect();
    let script = format!("{script}save {}\nquit\n", file.display());
    let output = umpire(&args, &script);
    assert_eq!(code(&output), 0, "{}{}", out(&output), error(&output));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", out(&output)));
    let judged = umpire(&["validate", file.to_str().unwrap()], "");
    assert_eq!(code(&judged), 0, "{}", out(&judged));
    (serde_json::from_str(&text).unwrap(), out(&output).to_owned())
}

#[test]
fn a_game_is_taken_down_from_a_seed_action_by_action() {
    let folder = TempDir::new().unwrap();
    for game in GAMES.iter() {
        let whole = whole_game(game.meta().id);
        // Only a record whose chance is a seed alone can be played again from it.
        let (Some(seed), None) = (whole["chance"]["seed"].as_str(), whole["chance"].get("tape"))
        else {
            continue;
        };
        if !whole["position"].is_null() {
            continue;
        }
        let some: Vec<String> = lines(*game, &whole).into_iter().take(12).collect();
        let options = whole["options"].to_string();
        let mut args = vec!["--play", game.meta().id, "--seed", seed];
        if whole["options"].is_object() {
            args.extend(["--options", &options]);
        }
        let script = format!("{}\nnote the twelfth\n", some.join("\n"));
        let (mut record, said) = taken(&folder, &args, &script);
        let last = record["actions"].as_array_mut().unwrap().last_mut().unwrap();
        assert_eq!(
            last.as_object_mut().unwrap().shift_remove("note"),
            Some(json!("the twelfth")),
            "{said}"
        );
        assert_eq!(
            record["actions"].as_array().unwrap()[..],
            whole["actions"].as_array().unwrap()[..12]
        );
        assert!(said.contains("To decide: "), "{said}");
    }
}

#[test]
fn what_the_rules_forbid_is_refused_with_the_clause_and_undo_takes_back() {
    let folder = TempDir::new().unwrap();
    let game = GAMES.iter().find(|game| game.meta().players == (2, 2)).unwrap();
    let meta = game.meta();
    // A number takes a listed action; another seat's action is refused while this one decides.
    let legal =
        umpire(&["legal", "--json", "-"], out(&umpire(&["new", meta.id, "--seed", "x"], "")));
    let legal: Value = serde_json::from_str(out(&legal)).unwrap();
    let decides = legal["decision"]["players"][0].as_str().unwrap();
    let other = meta.seats.iter().find(|seat| **seat != decides).unwrap();
    let mut wrong = legal["choices"][0]["actions"][0].clone();
    wrong["player"] = json!(other);
    let script = format!("? \n{wrong}\n1\nundo\nundo\n?zzzz\n9999\nfrobnicate\nshow\n2\n");
    let (record, said) = taken(&folder, &["--play", meta.id, "--seed", "x"], &script);
    assert_eq!(record["actions"], json!([legal["choices"][0]["actions"][1]]), "{said}");
    assert!(said.contains(&format!("{}-", meta.prefix)), "{said}");
    assert!(said.contains("Legal instead:"), "{said}");
    assert!(said.contains("nothing to take back"), "{said}");
    assert!(said.contains("no legal action contains that"), "{said}");
    assert!(said.contains("no action has this number"), "{said}");
    assert!(said.contains("\"frobnicate\" is not an action"), "{said}");
}

#[test]
fn what_fell_is_asked_for_when_the_rules_ask_for_it() {
    let folder = TempDir::new().unwrap();
    let mut asked = 0;
    for game in GAMES.iter() {
        let id = game.meta().id;
        // What the seed draws in the opening and the first actions is what falls at the table.
        let new = umpire(&["new", id, "--seed", "a table"], "");
        let report = umpire(&["replay", "--json", "--include", "tape", "-"], out(&new));
        let report: Value = serde_json::from_str(out(&report)).unwrap();
        let Some(tape) = report["tape"].as_array().filter(|tape| !tape.is_empty()) else {
            continue;
        };
        let fell: Vec<String> = tape
            .iter()
            .map(|entry| match entry["kind"].as_str().unwrap() {
                "draw" => entry["card"].as_str().unwrap().to_owned(),
                "die" => entry["value"].to_string(),
                _ => entry["order"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|it| it.as_str().unwrap())
                    .collect::<Vec<_>>()
                    .join(" "),
            })
            .collect();
        // Nonsense is asked for again, what was typed wrongly is taken back, and typed again.
        let script = format!("zzz\n{}\nundo\n{0}\n{}\n", fell[0], fell[1..].join("\n"));
        let (record, said) = taken(&folder, &["--play", id], &script);
        assert_eq!(record["chance"]["tape"].as_array().unwrap().len(), fell.len(), "{said}");
        assert!(said.contains("fell> "), "{said}");
        assert!(said.contains("To decide: "), "{said}");
        asked += 1;

        // What nobody knows stands in the record as such; from there on it is possible or not.
        let file = folder.path().join("unknown.json");
        let script = format!("unknown\n* die battle ?\nundo\nsave {}\nquit\n", file.display());
        let output = umpire(&["record", "--play", id], &script);
        assert!(out(&output).contains("Possible: 0 actions"), "{}", out(&output));
        let text = std::fs::read_to_string(&file).unwrap();
        let record: Value = serde_json::from_str(&text).unwrap();
        // Nobody was asked for the rest.
        assert_eq!(record["chance"]["tape"]["partial"], true, "{text}");
        assert_eq!(record["chance"]["tape"]["entries"].as_array().unwrap().len(), 1, "{text}");
        assert!(text.contains("\"?\""), "{text}");
    }
    assert!(asked > 0, "no game asks for anything in its opening");
}

#[test]
fn a_game_goes_on_from_notes_and_is_saved_as_notes() {
    let folder = TempDir::new().unwrap();
    let game = GAMES.iter().find(|game| game.meta().players == (2, 2)).unwrap();
    let notes = save(folder.path(), "begun.txt", &format!("game: {}\nseed: x\n", game.meta().id));
    let file = folder.path().join("on.txt");
    let script = format!("1\nsave {}\nquit\n", file.display());
    let output = umpire(&["record", "--play", game.meta().id, "--continue", &notes], &script);
    assert_eq!(code(&output), 0, "{}", error(&output));
    let record = of_notes(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(record["chance"], json!({"seed": "x"}));
    assert_eq!(record["actions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_impossible_whatever_is_unknown_is_not_taken_down() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("judged.json");
    let script = format!(
        "unknown\ndragon: play dg12 move 1,-1\ndragon: play dg01 move 1,-1\nsave {}\nquit\n",
        file.display()
    );
    let output = umpire(&["record", "--play", "drako"], &script);
    let said = out(&output);
    assert!(said.contains("Impossible after 0 actions") && said.contains("DRK-5.1"), "{said}");
    assert!(said.contains("so it was not taken down"), "{said}");
    assert!(said.contains("Possible: 1 action"), "{said}");
    let text = std::fs::read_to_string(&file).unwrap();
    let record: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(record["actions"].as_array().unwrap().len(), 1, "{text}");
    assert_eq!(record["actions"][0]["card"], "dg01");
    // What is saved is what was judged, and is gone on with.
    let judged = umpire(&["validate", &file.display().to_string()], "");
    assert_eq!(code(&judged), 0, "{}", out(&judged));
    let script = "dwarves: play ? one_move fury 1,0\nquit\nquit\n";
    let name = file.display().to_string();
    let output = umpire(&["record", "--play", "drako", "--continue", &name], script);
    assert!(out(&output).contains("Possible: 2 actions"), "{}", out(&output));
}

#[test]
fn notes_are_judged_as_they_are() {
    let folder = TempDir::new().unwrap();
    let notes = "game: drako\ntape: partial\nomitted: defend_none\nactions:\n1. dragon: play dg01 move 1,-1\n";
    let name = save(folder.path(), "notes.txt", notes);
    let judged = umpire(&["validate", &name], "");
    assert_eq!(code(&judged), 0, "{}", error(&judged));
    assert!(out(&judged).contains("Possible: 1 action"), "{}", out(&judged));
    // Also without the name.
    let judged = umpire(&["validate", "-"], notes);
    assert!(out(&judged).contains("Possible: 1 action"), "{}", out(&judged));
    // What cannot be read is told with line and column.
    let wrong = notes.replace("move 1,-1", "moov 1,-1");
    let name = save(folder.path(), "wrong.txt", &wrong);
    let judged = umpire(&["validate", &name], "");
    assert_eq!(code(&judged), 2);
    assert!(out(&judged).contains("wrong.txt:5:22: "), "{}", out(&judged));
    let judged = umpire(&["validate", "--json", &name], "");
    let first = out(&judged).lines().next().unwrap_or_default().to_owned();
    let problem: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(problem["code"], "bad_record");
    assert!(problem["detail"].as_str().unwrap().starts_with("5:22: "), "{problem}");
}

/// Notes as a word processor or a telephone leaves them, also saved as UTF-16.
#[test]
fn notes_of_a_word_processor_are_read() {
    let notes = "Game: Drako\nPlayers: Dragon = \u{201c}Ines, B\u{201d}, dwarves = Ole\nSeed: first-night\n\
                 Actions:\n1. Dragon: Play dg02 move 0,\u{2013}2 \u{2014} a bold start\n";
    let plain = of_notes(notes);
    assert_eq!(plain["players"]["dragon"], "Ines, B");
    assert_eq!(plain["actions"][0]["note"], "a bold start");
    assert_eq!(plain["actions"][0]["to"], json!([0, -2]));
    let folder = TempDir::new().unwrap();
    for (name, mark, bytes) in [
        ("le.txt", [0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        ("be.txt", [0xfe, 0xff], u16::to_be_bytes),
    ] {
        let path = folder.path().join(name);
        let text: Vec<u8> = mark.into_iter().chain(notes.encode_utf16().flat_map(bytes)).collect();
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        let read = umpire(&["record", "--from", &path], "");
        let read: Value = serde_json::from_str(out(&read)).unwrap();
        assert_eq!(read, plain);
        let judged = umpire(&["validate", &path], "");
        assert!(code(&judged) < 2, "{}{}", out(&judged), error(&judged));
    }
}
