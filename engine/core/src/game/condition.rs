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
    /// What would have to stand there; nothing where what stands there would have to go.
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

/// What a change of the facts is to the people at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A condition in the game's words: `an officer in Valdoria`.
    Words(String),
    /// No words of the game's: it is told by its place and values.
    Plain,
    /// It only goes with another change (a card for a card), and needs no words beside it.
    GoesAlong,
    /// Nobody could have it otherwise (an id, the number of the turn), so it is never proposed.
    Idle,
}

impl From<Option<String>> for Condition {
    fn from(words: Option<String>) -> Self {
        words.map_or(Condition::Plain, Condition::Words)
    }
}
