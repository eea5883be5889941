//! Whether every sentence of the game has its Italian.

use umpire_core::rules::Rule as _;
use umpire_core::words::Catalogue;

use crate::rulebook::Rule;
use crate::words::{LANGUAGES, catalogue};

const STORY: &str = include_str!("../story.rs");
const ITALIAN: &str = include_str!("../../words/it.words");

/// The English lines of a catalogue.
fn english(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#') && !line.starts_with(' '))
}

/// What a sentence says between its places, in pieces that have a letter in them.
fn pieces(sentence: &str) -> Vec<String> {
    let mut text = sentence.to_owned();
    for side in ["The pirates", "the pirates", "The townspeople", "the townspeople"] {
        // Names of a side stand in places where a sentence is made.
        text = text.replace(side, "{side}");
    }
    let parts = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or(part, |(_, after)| after),
    });
    let parts = parts.map(str::trim).filter(|part| part.chars().any(char::is_alphabetic));
    parts.map(str::to_owned).collect()
}

/// The text literals of a source that are sentences or parts of one.
fn literals(source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = code.flat_map(|line| line.split('"').skip(1).step_by(2));
    quoted.filter(|text| text.chars().any(char::is_alphabetic)).collect()
}

/// The pieces of a source's literals that no English line has.
fn untranslated(source: &str, text: &str) -> Vec<String> {
    let known: Vec<String> =
        english(text).map(|line| line.replace("the townspeople", "the pirates")).collect();
    let found = literals(source).into_iter().flat_map(pieces);
    found.filter(|piece| !known.iter().any(|line| line.contains(piece.as_str()))).collect()
}

#[test]
fn every_sentence_of_the_story_has_its_italian() {
    assert_eq!(untranslated(STORY, ITALIAN), Vec::<String>::new());
    // And a sentence that nobody has translated is found.
    let found = untranslated("Event::Rain => format!(\"It rains on {}\", area)", ITALIAN);
    assert_eq!(found, ["It rains on"]);
}

#[test]
fn every_clause_and_ruling_has_its_italian() {
    assert!(LANGUAGES.iter().all(|language| catalogue(language).is_some()));
    let table = Rule::TABLE;
    let gists = table.iter().map(|entry| entry.gist);
    let missing: Vec<&str> =
        gists.filter(|gist| !english(ITALIAN).any(|line| line == *gist)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn no_line_of_the_catalogue_is_said_by_nobody() {
    let names = format!(
        "{:?}",
        crate::tables::units().into_iter().map(|unit| unit.name).collect::<Vec<_>>()
    );
    let said = |piece: &String| STORY.contains(piece.as_str()) || names.contains(piece.as_str());
    let gist = |line: &str| Rule::TABLE.iter().any(|entry| entry.gist == line);
    let lines = english(ITALIAN).filter(|line| !gist(line));
    let unused: Vec<&str> = lines.filter(|line| !pieces(line).iter().all(said)).collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn a_catalogue_is_read_whole() {
    assert!(Catalogue::read(ITALIAN).is_ok());
}
