//! A change of the facts, as the people at a table would say it: what [`Story::describe_change`] is asked.
//!
//! Must not know what a place of a view means; a game says that.
//!
//! [`Story::describe_change`]: super::Story::describe_change

use serde_json::Value;

/// One place of the referee's view, and what would have to stand there.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The view as it is.
    pub view: &'a Value,
    /// The place, a JSON pointer.
    pub path: &'a str,
    /// What would have to stand there; nothing if what stands there would have to go.
    pub to: Option<&'a Value>,
}

impl<'a> Change<'a> {
    /// The keys of the place, outermost first. No key of a game's view has `~` or `/` in it.
    pub fn keys(&self) -> Vec<&'a str> {
        self.path.split('/').skip(1).collect()
    }

    /// What stands there now.
    pub fn from(&self) -> Option<&'a Value> {
        self.view.pointer(self.path)
    }

    /// What stands at the place around it.
    pub fn around(&self) -> Option<&'a Value> {
        self.view.pointer(self.path.rsplit_once('/')?.0)
    }

    /// `3 points instead of 1`, where a number would have to be another. `one` and `many` name the thing.
    pub fn count(&self, one: &str, many: &str) -> Option<String> {
        let to = self.to?.as_i64()?;
        let name = if to == 1 { one } else { many };
        Some(self.instead(format!("{to} {name}"), to))
    }

    /// `3 instead of 1`, where a number would have to be another.
    pub fn number(&self) -> Option<String> {
        let to = self.to?.as_i64()?;
        Some(self.instead(to.to_string(), to))
    }

    fn instead(&self, text: String, to: i64) -> String {
        match self.from().and_then(Value::as_i64) {
            Some(from) if from != to => format!("{text} instead of {from}"),
            _ => text,
        }
    }
}

/// A fact of the table in words: how it reads as it stands, and as a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    subject: String,
    verb: Verb,
    rest: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verb {
    Were,
    Had,
    HadDone,
    ThereWere,
}

impl Statement {
    /// A state of something: `Valdoria`, `neutral`; as a condition, `Valdoria were neutral`.
    pub fn is(subject: impl Into<String>, state: impl Into<String>) -> Statement {
        Statement { subject: subject.into(), verb: Verb::Were, rest: state.into() }
    }

    /// A possession: `Women 2`, `1 point spent`; as it stands, `Women 2 with 1 point spent`; as a condition,
    /// `Women 2 had 1 point spent`.
    pub fn has(subject: impl Into<String>, thing: impl Into<String>) -> Statement {
        Statement { subject: subject.into(), verb: Verb::Had, rest: thing.into() }
    }

    /// Something that has happened to the subject: `militia`, `not moved this turn`; as a condition, `militia had not
    /// moved this turn`.
    pub fn did(subject: impl Into<String>, participle: impl Into<String>) -> Statement {
        Statement { subject: subject.into(), verb: Verb::HadDone, rest: participle.into() }
    }

    /// Something that there is: `no bid of Anna`; as a condition, `there was no bid of Anna`.
    pub fn there(thing: impl Into<String>) -> Statement {
        Statement { subject: String::new(), verb: Verb::ThereWere, rest: thing.into() }
    }

    /// The fact as it stands, in a few words.
    pub fn stands(&self) -> String {
        let Statement { subject, rest, .. } = self;
        match self.verb {
            Verb::Were | Verb::HadDone => format!("{subject} {rest}"),
            Verb::Had => format!("{subject} with {rest}"),
            Verb::ThereWere => rest.clone(),
        }
    }

    /// The fact as a condition, to be read after "if"; `now` is what stands in its place.
    pub fn condition(&self, now: Option<&Statement>) -> String {
        let Statement { subject, rest, .. } = self;
        let other = now.filter(|now| now.subject == *subject && now.rest != *rest);
        match (self.verb, other) {
            (Verb::Were, Some(now)) if !is_negative(rest) && !is_negative(&now.rest) => {
                format!("{subject} were {rest}, not {}", now.rest)
            }
            (Verb::Were, _) => format!("{subject} were {rest}"),
            (Verb::Had, _) => format!("{subject} had {rest}"),
            (Verb::HadDone, _) => format!("{subject} had {rest}"),
            (Verb::ThereWere, _) if is_one(rest) => format!("there was {rest}"),
            (Verb::ThereWere, _) => format!("there were {rest}"),
        }
    }
}

/// Whether a thing is one: `1 point left`, `a net`, `no bid of Anna`; not `no wounds`.
fn is_one(thing: &str) -> bool {
    match thing.split_once(' ') {
        Some(("1" | "a" | "an" | "the", _)) => true,
        Some(("no", rest)) => !rest.split(' ').next().unwrap_or_default().ends_with('s'),
        _ => false,
    }
}

/// Whether a state only says what is not so.
fn is_negative(state: &str) -> bool {
    state.starts_with("not ") || state.starts_with("no longer ")
}

/// What a change of the facts is to the people at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// In the game's words.
    Words(Statement),
    /// In the game's words, but only the course of the game brings it about (whose turn it is): a refusal says it, so
    /// it is never proposed.
    Course(Statement),
    /// The game has no words for it: it is shown by its place and values.
    Plain,
    /// It only goes with another change (a card for a card), and needs no words beside it.
    GoesAlong,
    /// It cannot be otherwise (an id, the number of the turn), so it is never proposed.
    Idle,
}

impl Condition {
    /// What is so there, in the game's words, if it has any.
    pub fn statement(self) -> Option<Statement> {
        match self {
            Condition::Words(statement) | Condition::Course(statement) => Some(statement),
            Condition::Plain | Condition::GoesAlong | Condition::Idle => None,
        }
    }

    /// The words; [`Condition::Idle`] without any.
    pub fn words_or_idle(words: Option<Statement>) -> Condition {
        words.map_or(Condition::Idle, Condition::Words)
    }
}
