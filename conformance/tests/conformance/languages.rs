//! Games in other languages: nothing that is said of a fixture stays English.

use umpire_conformance::embedded;
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Observer;
use umpire_engine::games::GAMES;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::Status;
use umpire_engine::replay::{Limits, Query};
use umpire_engine::scene::Scene;

/// Words that no sentence of another language has, and hardly an English one lacks.
const ENGLISH: [&str; 24] = [
    "the", "is", "are", "of", "to", "and", "by", "not", "no", "at", "has", "have", "with", "from",
    "for", "this", "that", "it", "was", "which", "or", "goes", "be", "another",
];

/// What is wrong with a sentence in another language: that there is none, or that English is left in it.
fn remainder(language: &str, text: &str, said: Option<&str>) -> Option<String> {
    let Some(said) = said else { return Some(format!("{language} has none of: {text}")) };
    let mut words = said.split(|it: char| !it.is_alphabetic());
    // What stands in quotes is what somebody sent.
    let left = words.find(|word| ENGLISH.contains(word) && !text.contains(&format!("\"{word}")));
    left.map(|word| format!("{language} leaves {word:?} in: {said}"))
}

/// Everything that is said of the course of a record.
fn said(game: &dyn AnyGame, text: &str) -> Vec<String> {
    let Ok(record) = RawRecord::read(text.as_bytes()) else { return Vec::new() };
    let seats = game.meta().seats.iter().filter_map(|seat| game.viewer(seat));
    let eyes = seats.chain([Observer::Referee, Observer::Spectator]);
    let stories = eyes.filter_map(|viewer| game.story(&record, viewer, Limits::default()).ok());
    let mut all: Vec<String> = stories.flatten().map(|line| line.text).collect();
    if let Ok(report) = game.replay(&record, &Query::default()) {
        // What is wrong with a tape, or is no action at all, is said by the core and by no game.
        let illegal = report.verdict.status == Status::Illegal;
        let refused = report.verdict.violation.filter(|it| illegal && it.code != "malformed");
        all.extend(refused.map(|violation| violation.message));
    }
    all
}

#[test]
fn nothing_said_of_a_fixture_stays_english() {
    let mut checked = 0;
    for game in GAMES.iter().copied() {
        for language in game.languages() {
            let mut wrong: Vec<String> = Vec::new();
            for record in embedded::records(game.meta().id) {
                for text in said(game, record.get()) {
                    checked += 1;
                    let other = game.translate(language, &text);
                    wrong.extend(remainder(language, &text, other.as_deref()));
                }
            }
            wrong.sort();
            wrong.dedup();
            assert_eq!(wrong, Vec::<String>::new());
        }
    }
    assert!(checked > 1_000, "only {checked} sentences");
}

/// Every picture of a record that is looked at: some plies of it, to everybody.
fn pictures(game: &dyn AnyGame, text: &str) -> Vec<Scene> {
    let Ok(record) = RawRecord::read(text.as_bytes()) else { return Vec::new() };
    let plies = game.replay(&record, &Query::default()).map_or(0, |it| it.verdict.plies);
    let seats = game.meta().seats.iter().filter_map(|seat| game.viewer(seat));
    let eyes: Vec<Observer> = seats.chain(game.viewer("spectator")).collect();
    let mut all = Vec::new();
    for ply in (0..=plies).step_by(7).chain([plies]) {
        for viewer in eyes.iter().copied().chain([Observer::Referee]) {
            let query = Query { viewer, ply: Some(ply), ..Query::default() };
            all.extend(game.depict(&record, &query).ok().map(|it| it.scene));
        }
    }
    all
}

#[test]
fn nothing_written_in_a_picture_stays_english() {
    let mut checked = 0;
    for game in GAMES.iter().copied() {
        for language in game.languages() {
            let mut wrong: Vec<String> = Vec::new();
            for record in embedded::records(game.meta().id) {
                // What a record with data of its own names is called so in every language.
                let own = |part: &String| {
                    let id = part.replace(' ', "_");
                    record.get().contains(&format!("\"{id}\""))
                };
                for mut scene in pictures(game, record.get()) {
                    let missing = game.tell_scene(language, &mut scene);
                    wrong.extend(missing.into_iter().filter(|part| !own(part)));
                    scene.each_text(|text| {
                        checked += 1;
                        wrong.extend(remainder(language, text, Some(text)));
                    });
                    wrong.sort();
                    wrong.dedup();
                }
            }
            assert_eq!(wrong, Vec::<String>::new());
        }
    }
    assert!(checked > 10_000, "only {checked} texts");
}

#[test]
fn a_picture_in_english_is_found() {
    let game = GAMES.iter().find(|game| !game.languages().is_empty()).expect("a language");
    let mut scene = Scene { title: "It rains on the hill".to_owned(), ..Scene::default() };
    let missing = game.tell_scene(game.languages()[0], &mut scene);
    assert_eq!(missing, ["It rains on the hill"]);
}

#[test]
fn english_that_is_left_is_found() {
    assert!(remainder("it", "it rains", None).is_some());
    assert!(remainder("it", "it rains on the hill", Some("piove on the hill")).is_some());
    assert_eq!(remainder("it", "it rains on the hill", Some("piove sulla collina")), None);
}
