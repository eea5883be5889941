//! Whether every sentence of the game has its Italian.

use umpire_core::game::Game;
use umpire_core::rules::Rule as _;
use umpire_core::words::Catalogue;

use crate::Dragut;
use crate::rulebook::Rule;
use crate::state::Stage;
use crate::words::{LANGUAGES, catalogue};

const ITALIAN: &str = include_str!("../../words/it.words");

/// The sources that say something to people during a game.
const SOURCES: [&str; 16] = [
    include_str!("../action/names.rs"),
    include_str!("../ch02_setup.rs"),
    include_str!("../ch03_cards.rs"),
    include_str!("../ch04_points.rs"),
    include_str!("../ch05_movement.rs"),
    include_str!("../ch06_combat.rs"),
    include_str!("../ch07_captives.rs"),
    include_str!("../ch08_alarm.rs"),
    include_str!("../ch09_draws.rs"),
    include_str!("../ch10_special.rs"),
    include_str!("../ch11_end.rs"),
    include_str!("../ch12_information.rs"),
    include_str!("../ch13_protocol.rs"),
    include_str!("../condition.rs"),
    include_str!("../state.rs"),
    include_str!("../story.rs"),
];

/// The sources of pictures, whose texts are told part by part (what of them stays English, the pictures of all
/// fixtures show), and of what is wrong with a position, or with the
/// data of an owner.
const OTHERS: [&str; 22] = [
    include_str!("../position.rs"),
    include_str!("../position/cards.rs"),
    include_str!("../position/data.rs"),
    include_str!("../position/determinize.rs"),
    include_str!("../position/given.rs"),
    include_str!("../position/invariants.rs"),
    include_str!("../position/load.rs"),
    include_str!("../position/memory.rs"),
    include_str!("../position/pending.rs"),
    include_str!("../scene.rs"),
    include_str!("../setup.rs"),
    include_str!("../setup/cards.rs"),
    include_str!("../setup/data.rs"),
    include_str!("../setup/decks.rs"),
    include_str!("../setup/faults.rs"),
    include_str!("../setup/ids.rs"),
    include_str!("../setup/map.rs"),
    include_str!("../setup/numbers.rs"),
    include_str!("../setup/options.rs"),
    include_str!("../setup/units.rs"),
    include_str!("../setup/work_out.rs"),
    include_str!("../setup/worked_out.rs"),
];

/// The English lines of a catalogue.
fn english(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with(['#', ' ', '=', '+']));
    lines.map(|line| line.strip_prefix("- ").unwrap_or(line))
}

/// A sentence with a place for the name of a side, as it is where the sentence is made.
fn without_sides(sentence: &str) -> String {
    let sides = ["The pirates", "the pirates", "The townspeople", "the townspeople"];
    sides.into_iter().fold(sentence.to_owned(), |text, side| text.replace(side, "{side}"))
}

/// What a sentence says between its places, in pieces that have a letter in them.
fn pieces(sentence: &str) -> Vec<String> {
    let text = without_sides(sentence);
    let parts = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or(part, |(_, after)| after),
    });
    let parts = parts.map(str::trim).filter(|part| part.chars().any(char::is_alphabetic));
    parts.map(str::to_owned).collect()
}

/// The text literals of a source that are sentences or parts of one: no facts, which are data, and no
/// names of the wire.
fn literals(source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let said = code.filter(|line| !line.contains(".fact(") && !line.contains("let what = "));
    let quoted = said.flat_map(|line| line.split('"').skip(1).step_by(2));
    quoted.filter(|text| text.contains(' ') && text.chars().any(char::is_alphabetic)).collect()
}

/// The pieces of a source's literals that no English line has.
fn untranslated(source: &str, text: &str) -> Vec<String> {
    let known: Vec<String> = english(text).map(without_sides).collect();
    let found = literals(source).into_iter().flat_map(pieces);
    found.filter(|piece| !known.iter().any(|line| line.contains(piece.as_str()))).collect()
}

#[test]
fn every_sentence_said_in_a_game_has_its_italian() {
    let missing: Vec<String> =
        SOURCES.iter().flat_map(|source| untranslated(source, ITALIAN)).collect();
    assert_eq!(missing, Vec::<String>::new());
    // And a sentence that nobody has translated is found.
    let found = untranslated("Event::Rain => format!(\"It rains on {}\", area)", ITALIAN);
    assert_eq!(found, ["It rains on"]);
}

/// Every sentence of the rulebook: gists, questions, readings, reasons.
fn rulebook() -> impl Iterator<Item = &'static str> {
    Rule::TABLE.iter().flat_map(|entry| {
        let readings = entry.readings.iter().map(|reading| reading.gist);
        [entry.gist].into_iter().chain(readings).chain([entry.because])
    })
}

#[test]
fn every_sentence_of_the_rulebook_has_its_italian() {
    assert!(LANGUAGES.iter().all(|language| catalogue(language).is_some()));
    let known: Vec<&str> = english(ITALIAN).collect();
    let said = rulebook().filter(|text| text.chars().any(char::is_alphabetic));
    let missing: Vec<&str> = said.filter(|text| !known.contains(text)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_title_and_name_that_is_printed_has_its_italian() {
    let meta = &<Dragut as Game>::META;
    let known: Vec<&str> = english(ITALIAN).collect();
    let tables = meta.tables.iter().map(|table| table.title);
    let endings = meta.ending_titles.iter().map(|(_, title)| *title);
    let titles = meta.chapters.iter().copied().chain(tables).chain(endings).map(str::to_owned);
    let stages = Stage::ALL.iter().filter(|stage| **stage != Stage::GameOver);
    let wire = meta.seats.iter().chain(meta.endings).copied().chain(stages.map(|it| it.name()));
    let printed = titles.chain(wire.map(|name| name.replace('_', " ")));
    let missing: Vec<String> = printed.filter(|it| !known.contains(&it.as_str())).collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn no_line_of_the_catalogue_is_said_by_nobody() {
    let units: Vec<_> = crate::tables::units::units().into_iter().map(|unit| unit.name).collect();
    let cards: Vec<_> = crate::tables::cards::cards().into_iter().map(|card| card.name).collect();
    let names = format!("{units:?} {cards:?}");
    let all = SOURCES.iter().chain(&OTHERS);
    let sources: Vec<String> = all.map(|source| without_sides(source)).collect();
    let said = |piece: &String| {
        // A number stands in a place of its own where the sentence is made.
        let number = |it: char| it.is_ascii_digit() || it == ' ';
        let bare = piece.trim_start_matches(number);
        // At the head of a sentence it has a capital.
        let lower = bare[..1].to_ascii_lowercase() + &bare[1..];
        let made = |source: &String| source.contains(bare) || source.contains(&lower);
        names.contains(piece.as_str()) || sources.iter().any(made)
    };
    let meta = &<Dragut as Game>::META;
    let tables = meta.tables.iter().map(|table| table.title);
    let editions = meta.editions.iter().map(|(_, title)| *title);
    let endings = meta.ending_titles.iter().map(|(_, title)| *title);
    let titles = meta.chapters.iter().copied().chain(tables).chain(editions).chain(endings);
    let titles: Vec<&str> = titles.collect();
    let stages = Stage::ALL.iter().map(|stage| stage.name());
    // The names of the wire as they are printed.
    let wire = meta.seats.iter().chain(meta.endings).copied().chain(stages);
    let wire: Vec<String> = wire.map(|name| name.replace('_', " ")).collect();
    let of_the_rulebook = |line: &str| {
        let named = wire.iter().any(|name| name == line) || titles.contains(&line);
        named || rulebook().any(|text| text == line)
    };
    let lines = english(ITALIAN).filter(|line| !of_the_rulebook(line));
    let unused: Vec<&str> = lines.filter(|line| !pieces(line).iter().all(said)).collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn a_catalogue_is_read_whole() {
    assert_eq!(Catalogue::read(ITALIAN).map(|_| ()), Ok(()));
}
