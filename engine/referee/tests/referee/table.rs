//! A table as a value says what a replay of its record says.

use serde_json::Value;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;
use umpire_referee::call::{Call, answer};
use umpire_referee::language::Language;
use umpire_referee::parameters::LegalParameters;
use umpire_referee::problem::Code;
use umpire_referee::query::parameters;
use umpire_referee::reading::compose;
use umpire_referee::table::Table;
use umpire_referee::{Budget, InTurn};

fn ask(call: Call, query: &str, record: &str) -> Value {
    let told = answer(call, query, record.as_bytes(), Budget::UNLIMITED, &InTurn).unwrap();
    serde_json::from_slice(&told).unwrap()
}

fn read(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap()
}

/// A new table of a game.
fn new(game: &dyn AnyGame, seed: &str) -> Table {
    Table::open(compose(game, seed, None, &[]).get().as_bytes()).unwrap()
}

/// Plays some actions, and returns the last.
fn play(table: &mut Table, plies: u32) -> String {
    let mut last = String::new();
    for ply in 0..plies {
        let seat = table.decision().players[0];
        let (offers, _) = table.offers(seat, 8).unwrap();
        last = offers[ply as usize % offers.len()].get().to_owned();
        assert_eq!(table.act(last.as_bytes()).unwrap(), None, "{last}");
    }
    last
}

fn legal() -> LegalParameters {
    parameters("include=text").unwrap()
}

#[test]
fn a_table_says_what_a_replay_of_its_record_says() {
    for game in GAMES.iter() {
        let mut table = new(*game, "a table");
        play(&mut table, 12);
        let record = read(table.record().as_bytes());
        assert_eq!(record["actions"].as_array().map(Vec::len), Some(12));
        for viewer in ["referee", "spectator", game.meta().seats[0]] {
            let replay = ask(
                Call::Replay,
                &format!("viewer={viewer}&include=events,text,legal"),
                &table.record(),
            );
            let look = read(&table.look(viewer).unwrap());
            assert_eq!(look["state"], replay["state"], "{viewer}");
            assert_eq!(look["decision"], replay["decision"], "{viewer}");
            let events = read(&table.events(viewer, None).unwrap());
            assert_eq!(events["events"], replay["events"], "{viewer}");
            let listed =
                ask(Call::LegalActions, &format!("viewer={viewer}&include=text"), &table.record());
            let found = read(&table.legal(viewer, &legal(), Budget::UNLIMITED).unwrap());
            assert_eq!(found["choices"], listed["choices"], "{viewer}");
            let drawn = ask(Call::Scene, &format!("viewer={viewer}&targets=true"), &table.record());
            let scene = table.scene(viewer, Language::ENGLISH, Budget::UNLIMITED).unwrap();
            assert_eq!(read(&scene)["scene"], drawn["scene"], "{viewer}");
        }
        let seat = table.decision().players[0];
        let hint = table.hint(seat, 8, "a", Budget::UNLIMITED, &InTurn).unwrap();
        let request = format!(
            "{{\"record\":{},\"seat\":\"{seat}\",\"simulations\":8,\"seed\":\"a\"}}",
            table.record()
        );
        assert_eq!(read(&hint), ask(Call::Hint, "", &request));
        let (offers, _) = table.offers(seat, 50).unwrap();
        assert!(!offers.is_empty());
    }
}

#[test]
fn what_is_taken_back_was_never_played() {
    for game in GAMES.iter() {
        let mut table = new(*game, "back");
        let last = play(&mut table, 8);
        let (before, look) = (table.record(), table.look("referee").unwrap());
        let again = Table::open(before.as_bytes()).unwrap();
        assert_eq!(
            (again.record(), again.look("referee").unwrap()),
            (before.clone(), look.clone())
        );
        table.undo(7).unwrap();
        assert_eq!(table.ply(), 7);
        assert_eq!(table.act(last.as_bytes()).unwrap(), None);
        assert_eq!((table.record(), table.look("referee").unwrap()), (before, look));
        table.undo(0).unwrap();
        assert_eq!(table.record(), new(*game, "back").record());
        assert_eq!(table.undo(1).unwrap_err().code, Code::NotFound);
    }
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut table = new(GAMES[0], "wrong");
    play(&mut table, 3);
    let before = table.record();
    let refused = table.act(br#"{"type": "dance"}"#).unwrap().expect("it is illegal");
    assert!(read(&refused)["message"].is_string());
    assert_eq!(table.act(b"{").unwrap_err().code, Code::BadJson);
    assert_eq!(table.look("nobody").unwrap_err().code, Code::NotFound);
    assert_eq!(table.offers("nobody", 5).unwrap_err().code, Code::NotFound);
    let hint = |seat| table.hint(seat, 5, "a", Budget::UNLIMITED, &InTurn);
    assert_eq!(hint("nobody").unwrap_err().code, Code::NotFound);
    assert_eq!(table.record(), before);
    let tape = before.replace(r#"{"seed":"wrong"}"#, r#"{"tape":[]}"#);
    assert_ne!(tape, before);
    let why = Table::open(tape.as_bytes()).err().unwrap();
    assert_eq!((why.code, why.pointer.as_deref()), (Code::BadRecord, Some("/chance/tape")));
}
