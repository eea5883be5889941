//! Actions and records in a short notation, as people write them by hand.
//!
//! A game says how its actions are written in a table ([`Grammar`]): for each type of action the words and
//! fields in their order. The reader and the writer here know only such tables, so every game has the same
//! grammar (docs/notation.md), and whatever a table does not foresee is written `field=value`. What is read is
//! the JSON of a record, in which unknown values may stand. This room must not know any game and must not
//! judge: whether an action is legal, the rules decide.

mod cursor;
mod pattern;
mod read;
mod record;
mod sheet;
#[cfg(test)]
mod tests;
mod value;
mod write;

use std::fmt;

use crate::record::Fault;

/// The notation of a game: a table.
#[derive(Clone, Copy, Debug)]
pub struct Grammar {
    /// How each type of action is written. Empty for a game that has no table: then every action is written
    /// as its type and `field=value`.
    pub verbs: &'static [Verb],
}

impl Grammar {
    /// That of a game without a table.
    pub const PLAIN: Grammar = Grammar { verbs: &[] };
}

/// How a type of action is written.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The type.
    pub word: &'static str,
    /// Other words for it, for reading.
    pub also: &'static [&'static str],
    /// Whose it is where the line does not say.
    pub by: By,
    /// What follows the word.
    pub parts: &'static [Part],
}

impl Verb {
    /// An action of the player whose turn it is.
    pub const fn new(word: &'static str, parts: &'static [Part]) -> Self {
        Verb { word, also: &[], by: By::Turn, parts }
    }

    /// The same, by somebody else where the line does not say.
    #[must_use]
    pub const fn by(self, by: By) -> Self {
        Verb { by, ..self }
    }

    /// The same, with other words for it.
    #[must_use]
    pub const fn also(self, also: &'static [&'static str]) -> Self {
        Verb { also, ..self }
    }
}

/// Whose an action is where its line does not say.
#[derive(Clone, Copy, Debug)]
pub enum By {
    /// That of the line before which left it open, too.
    Turn,
    /// Always this seat's. It does not change whose turn it is.
    Seat(&'static str),
    /// The other seat's, in a game for two: an answer. It does not change whose turn it is.
    Other,
    /// By the beginning of the name in a field: each beginning with its seat. As [`By::Turn`] where none fits.
    Owner(&'static str, &'static [(&'static str, &'static str)]),
}

/// A part of an action's line. A field that is not there may always be given by name.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A field that must be there.
    Is(&'static str, Shape),
    /// A field that may be missing, from the line as from the action.
    May(&'static str, Shape),
    /// A list that is empty where nothing is written.
    Any(&'static str, Shape),
    /// A field that may be missing, behind a word.
    Led(&'static str, &'static str, Shape),
    /// A field that is true where a word stands, and missing where it does not.
    Flag(&'static str, &'static str),
    /// A word without meaning, which may be left out.
    Word(&'static str),
    /// An arrow, which may be left out.
    Arrow,
    /// A field whose value, a word, says what follows it.
    Choice(&'static str, &'static [Form]),
    /// Fields in any order, each behind its short name or its name; whether all must be there.
    Keyed(&'static [(&'static str, &'static str)], Shape, bool),
}

/// One of several forms, told apart by its first word.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The word.
    pub word: &'static str,
    /// What follows it.
    pub parts: &'static [Part],
}

/// How a value is written.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A name.
    Name,
    /// One of some names, each with a short one in front of it (or the same).
    Short(&'static [(&'static str, &'static str)]),
    /// A whole number, before which these letters may stand.
    Number(&'static str),
    /// A hex: `1,-2`.
    Hex,
    /// True and false by a word each, or as `true`, `yes`, `false`, `no`.
    YesNo(&'static str, &'static str),
    /// A value, or this word for `null`.
    OrNull(&'static str, &'static Shape),
    /// A list, in brackets; at the end of a line without, if it is not empty.
    List(&'static Shape),
    /// A list of fixed length, its items separated by arrows, commas or spaces.
    Tuple(&'static [Shape]),
    /// An object.
    Object(&'static [Part]),
    /// An object that begins with a word, which is also the value of its field of that name, if there is one.
    OneOf(Option<&'static str>, &'static [Form]),
    /// Text between quotation marks.
    Text,
}

/// What the reader and the writer must know of a game.
#[derive(Clone, Copy)]
pub struct Dialect {
    /// The name in records.
    pub game: &'static str,
    /// The names of the seats.
    pub seats: &'static [&'static str],
    /// The table.
    pub grammar: &'static Grammar,
    /// Reads an action strictly, as a record's; what is wrong with it if it is none.
    pub check: fn(&str) -> Result<(), Fault>,
}

impl fmt::Debug for Dialect {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "the notation of {}", self.game)
    }
}

/// Whose turn it is between two lines, as far as the lines say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn(Option<String>);

impl Turn {
    /// That of a seat.
    pub fn of(seat: &str) -> Self {
        Turn(Some(seat.to_owned()))
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Mistake {}

/// A record read from notes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Noted {
    /// The record, JSON. Values in it may be unknown: `"?"` and `{"one_of": […]}`.
    pub record: String,
    /// The line of each action, from 1.
    pub lines: Vec<usize>,
}

/// Reads one action in a line of its own.
///
/// # Errors
/// What is wrong with it, in line 1.
pub fn read_action(dialect: Dialect, line: &str, turn: &mut Turn) -> Result<String, Mistake> {
    read::only(dialect, line, turn)
}

/// Writes an action in one line. Reading it in the same turn gives the same action.
///
/// # Errors
/// The text is no JSON.
pub fn write_action(
    dialect: Dialect,
    action: &str,
    turn: &mut Turn,
) -> Result<String, serde_json::Error> {
    let action = serde_json::from_str(action)?;
    Ok(write::action(dialect, &action, turn))
}

/// Reads a record from notes.
///
/// # Errors
/// What is wrong with them, each mistake with its place, the first in front.
pub fn read_record(text: &str, games: &[Dialect]) -> Result<Noted, Vec<Mistake>> {
    record::read(text, games)
}

/// Writes a record as notes. Reading them gives the same record.
///
/// # Errors
/// The text is no JSON, or not of the shape of a record; why.
pub fn write_record(record: &str, games: &[Dialect]) -> Result<String, String> {
    sheet::write(record, games)
}

/// How the actions of a game are written: a line for each form.
pub fn usage(dialect: Dialect) -> Vec<String> {
    dialect.grammar.verbs.iter().flat_map(write::usage).collect()
}
