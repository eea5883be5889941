//! The notation of every game: whatever a record holds can be written and read back, and what cannot be read
//! is told at its place.

use serde_json::{Value, json};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::game::{FullGame, Visitor};
use umpire_engine::games::GAMES;
use umpire_engine::notation::{
    Dialect, Turn, read_action, read_record, usage, write_action, write_record,
};

use crate::walk::{Chooser, Pool, every_game, fixtures, json_files, menu, walks};

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn dialects() -> Vec<Dialect> {
    GAMES.iter().map(|game| game.dialect()).collect()
}

/// Writes an action and reads it back, in the same turn; gives the line.
fn there_and_back(dialect: Dialect, action: &Value, turn: &mut Turn) -> String {
    let mut again = turn.clone();
    let line = write_action(dialect, &action.to_string(), turn).expect("JSON");
    assert!(!line.contains('\n') && line.trim() == line, "{line:?}");
    let read = read_action(dialect, &line, &mut again);
    let read = read.unwrap_or_else(|mistake| panic!("{line}\n{mistake}"));
    assert_eq!(value(&read), *action, "{line}");
    assert_eq!(again, *turn, "{line}");
    line
}

#[test]
fn every_record_of_the_fixtures_is_the_same_after_notes() {
    let dialects = dialects();
    let (mut records, mut whole, mut short, mut long) = (0, 0, 0, 0);
    for game in GAMES.iter() {
        let dialect = game.dialect();
        for folder in ["rules", "games", "precedents"] {
            for file in json_files(&fixtures(game.meta().id).join(folder)) {
                let text = std::fs::read_to_string(&file).expect("a fixture can be read");
                let fixture = value(&text);
                // What is no record is left out: some fixtures show that.
                let record = &fixture["record"];
                let is_record = record["actions"].is_array()
                    && record["game"] == game.meta().id
                    && record["chance"].as_object().is_some_and(|it| !it.is_empty());
                if !is_record {
                    continue;
                }
                let notes = write_record(&record.to_string(), &dialects);
                let notes = notes.unwrap_or_else(|why| panic!("{}: {why}", file.display()));
                let noted = read_record(&notes, &dialects);
                let noted = noted.unwrap_or_else(|mistakes| panic!("{notes}\n{mistakes:?}"));
                assert_eq!(value(&noted.record), *record, "{}\n{notes}", file.display());
                records += 1;
                whole += usize::from(folder == "games");
                for (action, line) in record["actions"].as_array().unwrap().iter().zip(noted.lines)
                {
                    let line = notes.lines().nth(line - 1).expect("a line for each action");
                    let well_formed = (dialect.check)(&action.to_string()).is_ok();
                    // Only what is no action of the game has to be written in JSON.
                    assert!(!well_formed || !line.starts_with('{'), "{line}");
                    let plain = !line.contains(['=', '{']);
                    short += usize::from(well_formed && plain);
                    long += usize::from(well_formed && !plain);
                }
            }
        }
    }
    assert!(records > 600 && whole >= 30, "{records} records, {whole} whole games");
    assert!(short > 6_000 && long * 100 < short, "{short} in short form, {long} not");
}

#[derive(Default)]
struct EveryAction {
    lines: usize,
}

impl Visitor for EveryAction {
    fn game<G: FullGame>(&mut self) {
        let dialect = Of::<G>::new().dialect();
        let table = !dialect.grammar.verbs.is_empty();
        for game in walks::<G>(&["{}".to_owned()], 4, 150) {
            let mut turn = Turn::default();
            for action in &game.actions {
                there_and_back(dialect, &json!(action), &mut turn);
            }
            for ply in game.plies(12) {
                let table_there = &game.tables[ply];
                for seat in table_there.may_act().iter() {
                    let menu = menu(table_there, seat);
                    let step = (menu.actions.len() / 400).max(1);
                    for action in menu.actions.iter().step_by(step) {
                        let line = there_and_back(dialect, &json!(action), &mut turn.clone());
                        // What is offered has a short form, wherever the game has a table.
                        assert!(!table || !line.contains(['=', '{']), "{line}");
                        self.lines += 1;
                    }
                }
            }
        }
    }
}

#[test]
fn every_legal_action_is_one_line_that_says_it() {
    let mut law = EveryAction::default();
    every_game(&mut law);
    assert!(law.lines > 1_500, "{}", law.lines);
}

#[derive(Default)]
struct Spoiled {
    actions: usize,
    refused: usize,
}

impl Visitor for Spoiled {
    fn game<G: FullGame>(&mut self) {
        let dialect = Of::<G>::new().dialect();
        let games = walks::<G>(&["{}".to_owned()], 3, 80);
        let pool = Pool::of(&games);
        let mut chooser = Chooser::new("spoiled notes");
        for game in &games {
            let mut turn = Turn::default();
            for action in &game.actions {
                // An action that is none of the game can be written all the same, and one with unknown values.
                let mut action = json!(action);
                there_and_back(dialect, &pool.mutated(&action, &mut chooser), &mut turn.clone());
                action["note"] =
                    json!(["so # it -- was", "\"so\"", " so\nit was "][self.actions % 3]);
                there_and_back(dialect, &action, &mut turn.clone());
                let names: Vec<String> = action.as_object().unwrap().keys().cloned().collect();
                for name in
                    names.iter().filter(|name| !["type", "player", "note"].contains(&&***name))
                {
                    let known = std::mem::replace(&mut action[name], json!("?"));
                    there_and_back(dialect, &action, &mut turn.clone());
                    action[name] = json!({"one_of": [known, known]});
                    there_and_back(dialect, &action, &mut turn.clone());
                    action[name] = known;
                }
                action.as_object_mut().unwrap().remove("note");
                let line = there_and_back(dialect, &action, &mut turn);
                self.actions += 1;
                self.spoil(dialect, &line, &turn, &mut chooser);
            }
        }
    }
}

impl Spoiled {
    /// Spoils a line in some ways; what cannot be read then is told at a place in the line.
    fn spoil(&mut self, dialect: Dialect, line: &str, turn: &Turn, chooser: &mut Chooser) {
        let characters: Vec<char> = line.chars().collect();
        for _ in 0..8 {
            let mut spoiled = characters.clone();
            let at = chooser.below(spoiled.len());
            match chooser.below(3) {
                0 => drop(spoiled.remove(at)),
                1 => spoiled.insert(at, *chooser.one_of(&['[', '"', '§', 'x', '7', ',', '{', '?'])),
                _ => spoiled.truncate(at),
            }
            let spoiled: String = spoiled.into_iter().collect();
            let mut after = turn.clone();
            if let Err(mistake) = read_action(dialect, &spoiled, &mut after) {
                assert_eq!(mistake.line, 1, "{spoiled}");
                assert!(
                    (1..=spoiled.chars().count() + 1).contains(&mistake.column),
                    "{spoiled} {mistake}"
                );
                assert!(mistake.message.len() > 10, "{spoiled}");
                assert_eq!(after, *turn, "a line that cannot be read changes whose turn it is");
                self.refused += 1;
            }
        }
    }
}

#[test]
fn what_is_spoiled_is_told_at_its_place_or_read_but_never_a_panic() {
    let mut law = Spoiled::default();
    every_game(&mut law);
    assert!(law.actions > 500 && law.refused > 1_000, "{} {}", law.actions, law.refused);
}

#[test]
fn the_words_of_a_table_are_those_of_the_actions() {
    for game in GAMES.iter() {
        let dialect = game.dialect();
        let mut words: Vec<&str> = dialect
            .grammar
            .verbs
            .iter()
            .flat_map(|it| it.also.iter().chain([&it.word]))
            .copied()
            .collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count, "{}: two actions have one word", game.meta().id);
        // What stands at the beginning of other lines of notes is no action and no seat.
        for word in words.iter().chain(dialect.seats) {
            let taken =
                ["game", "players", "option", "ruling", "field", "checkpoint", "seed", "note"];
            assert!(!taken.contains(word), "{word}");
        }
        for verb in dialect.grammar.verbs {
            let unknown = (dialect.check)(
                &json!({"type": verb.word, "player": dialect.seats[0]}).to_string(),
            );
            let said = unknown.err().map(|fault| fault.detail).unwrap_or_default();
            assert!(!said.contains("unknown"), "{}: {said}", verb.word);
        }
        assert!(usage(dialect).len() >= dialect.grammar.verbs.len());
    }
}

#[test]
fn an_unknown_word_a_missing_field_and_a_wrong_value_are_each_told_at_their_place() {
    for game in GAMES.iter() {
        let dialect = game.dialect();
        let mut turn = Turn::of(dialect.seats[0]);
        let told = read_action(dialect, "  frobnicate 7", &mut turn).unwrap_err();
        assert_eq!((told.line, told.column), (1, 3));
        for verb in dialect.grammar.verbs {
            assert!(told.message.contains(verb.word), "{told}");
            let line = format!("{}: {}", dialect.seats[0], verb.word);
            // What needs a field says which, where the line ends.
            if let Err(missing) = read_action(dialect, &line, &mut turn) {
                assert_eq!(missing.column, line.chars().count() + 1, "{line}: {missing}");
                assert!(
                    missing.message.contains("missing") || missing.message.contains("one of"),
                    "{missing}"
                );
                let wrong = read_action(dialect, &format!("{line} §"), &mut turn).unwrap_err();
                assert_eq!(wrong.column, line.chars().count() + 2, "{wrong}");
                assert!(wrong.message.contains("\"§\""), "{wrong}");
            }
        }
    }
}
