//! Chance: one primitive, a uniform pick, answered by a seed, a tape, both, or an exploration.
//!
//! A game asks with an [`Ask`] that names the stream and what is drawn; whoever answers is none
//! of its business. The seeded draw is published (see [`seeded`]) and never changes. This module
//! must not know any game, and must not use a random number crate's own ranges or shuffles,
//! because those may change between versions.

pub mod explore;
pub mod fair;
pub(crate) mod fallen;
pub mod seeded;
pub mod source;
pub mod tape;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// A question to chance.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Index into [`crate::game::Meta::streams`].
    pub stream: u8,
    /// What is drawn.
    pub what: What<'a>,
}

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A card out of a deck whose order nobody knows. Answer: the row of the card's kind.
    Card {
        /// The side whose deck it is, as tapes name it.
        side: &'a str,
        /// The kinds, row by row in canonical order.
        names: &'a [String],
        /// How many cards of each row are in the deck.
        counts: &'a [u8],
    },
    /// A die. Answer: the number it shows, 1 to `sides`.
    Die {
        /// The chance point, as tapes name it.
        at: &'a str,
        /// Number of sides.
        sides: u32,
    },
    /// One of some numbers, each equally likely (a random city). Answer: the index.
    Among {
        /// The chance point, as tapes name it.
        at: &'a str,
        /// The numbers, as they stand on a tape.
        values: &'a [u32],
    },
    /// A number below `n` that never stands on a tape (map generation). Answer: the number.
    Hidden {
        /// The bound, at least 1.
        n: u32,
    },
}

impl Ask<'_> {
    /// The weights of the possible answers, in order; a die's first answer is 1.
    pub fn weights(&self) -> Vec<u32> {
        match self.what {
            What::Card { counts, .. } => counts.iter().map(|&count| u32::from(count)).collect(),
            What::Die { sides, .. } => vec![1; sides as usize],
            What::Among { values, .. } => vec![1; values.len()],
            What::Hidden { n } => vec![1; n as usize],
        }
    }

    /// The answer as a tape entry, where it can stand on a tape.
    pub fn entry(&self, answer: u32) -> Option<Entry> {
        let at = answer as usize;
        let entry = match self.what {
            What::Card { side, names, .. } => {
                EntryOf::Draw(Draw { side: side.into(), card: names.get(at)?.as_str().into() })
            }
            What::Die { at, .. } => EntryOf::Die(Die { at: at.into(), value: answer }),
            What::Among { at: point, values } => {
                EntryOf::Die(Die { at: point.into(), value: *values.get(at)? })
            }
            What::Hidden { .. } => return None,
        };
        Some(entry.owned())
    }

    /// An order of a deck as a tape entry.
    pub fn order_entry(&self, rows: &[u32]) -> Option<Entry> {
        let What::Card { side, names, .. } = self.what else { return None };
        let order = rows
            .iter()
            .map(|&row| names.get(row as usize).map(|name| Cow::from(name.as_str())))
            .collect::<Option<_>>()?;
        Some(EntryOf::Shuffle(Shuffle { side: side.into(), order }).owned())
    }
}

impl fmt::Display for Ask<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Card { side, .. } => write!(to, "a draw of side {side}"),
            What::Die { at, sides } => write!(to, "a die of {sides} sides for {at}"),
            What::Among { at, values } => {
                write!(to, "a die for {at} that shows one of {values:?}")
            }
            What::Hidden { n } => write!(to, "a number below {n} from the seed"),
        }
    }
}

/// Why chance gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The tape's entry does not fit the question.
    Mismatch {
        /// The entry's place on the tape.
        entry: usize,
        /// What was asked for.
        asked: String,
        /// What is wrong with the entry.
        found: String,
    },
    /// No entry is left.
    Exhausted {
        /// Number of entries on the tape.
        entries: usize,
        /// What was asked for.
        asked: String,
    },
    /// Only a seed can answer this, and there is none.
    NoSeed {
        /// What was asked for.
        asked: String,
    },
    /// An exploring chance met a question that it has no answer for yet.
    Open {
        /// The weights of the possible answers.
        weights: Vec<u32>,
    },
}

impl Halt {
    /// The same about a question that is told otherwise.
    #[must_use]
    pub(crate) fn asking(mut self, what: String) -> Self {
        match &mut self {
            Halt::Mismatch { asked, .. }
            | Halt::Exhausted { asked, .. }
            | Halt::NoSeed { asked } => *asked = what,
            Halt::Open { .. } => {}
        }
        self
    }
}

/// Answers questions.
pub trait Chance {
    /// Answers one question; see [`What`] for the form of the answer.
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt>;

    /// The order of a deck, or its top part, as rows, where a record gives it at this moment.
    /// Only tapes do.
    fn order(&mut self, _ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        Ok(None)
    }

    /// A card that follows from an order given before.
    fn known(&mut self, _ask: &Ask<'_>, _row: u32) {}

    /// A whole deck in random order, as rows, top first: Fisher–Yates from the last index down
    /// over the deck in canonical order, j = a pick of i + 1.
    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let What::Card { counts, .. } = ask.what else { return Ok(Vec::new()) };
        let mut rows = Vec::new();
        for (row, &count) in counts.iter().enumerate() {
            rows.extend(std::iter::repeat_n(row as u32, usize::from(count)));
        }
        for last in (1..rows.len()).rev() {
            let what = What::Hidden { n: last as u32 + 1 };
            let pick = self.answer(&Ask { stream: ask.stream, what })?;
            rows.swap(last, pick as usize);
        }
        Ok(rows)
    }
}

/// One entry of a tape. Text borrows from the record where it can. The notes that the tape of an
/// answer has beside an entry (`ply`, `opening`, `stream`, `rule`) are read and ignored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TapeEntry))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EntryOf<'a> {
    /// A card drawn from a deck.
    #[serde(borrow)]
    Draw(Draw<'a>),
    /// The order of a deck, or its top part.
    Shuffle(Shuffle<'a>),
    /// A die.
    Die(Die<'a>),
    /// Several dice of one chance point in a row.
    Dice(Dice<'a>),
}

/// An entry that owns its text.
pub type Entry = EntryOf<'static>;

/// A note beside an entry that is a number: read for its type only.
#[derive(Default)]
struct Number;

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        u32::deserialize(from).map(|_| Number)
    }
}

/// A note beside an entry that is a text: read for its type only.
#[derive(Default)]
struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl serde::de::Visitor<'_> for Reader {
            type Value = Text;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a string")
            }

            fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<Text, E> {
                Ok(Text)
            }
        }
        from.deserialize_str(Reader)
    }
}

/// Makes a kind of entry. It is written as it is; beside its own fields it is read with the notes
/// that the tape of an answer has, so that such a tape can be put into a record.
macro_rules! entry {
    (
        $(#[$doc:meta])*
        $name:ident, $schema:ident as $fields:ident {
            $( $(#[$about:meta])* $field:ident: $kind:ty, )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
        pub struct $name<'a> {
            $( $(#[$about])* pub $field: $kind, )*
        }

        $(#[$doc])*
        #[derive(Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(as = $schema))]
        #[serde(deny_unknown_fields, expecting = "an object")]
        #[allow(dead_code, reason = "the notes are read for their types only")]
        struct $fields<'a> {
            $( $(#[$about])* $field: $kind, )*
            /// A note: number of actions accepted before the action that asked. Ignored.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schema(value_type = u32, required = false))]
            ply: Number,
            /// A note: whether it was asked before the first action. Ignored.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schema(required = false))]
            opening: bool,
            /// A note: the stream it was or would be drawn from. Ignored.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
            stream: Text,
            /// A note: the clause that asked. Ignored.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
            rule: Text,
        }

        impl<'de: 'a, 'a> Deserialize<'de> for $name<'a> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let $fields { $($field,)* .. } = $fields::deserialize(from)?;
                Ok($name { $($field),* })
            }
        }

        #[cfg(feature = "schema")]
        impl utoipa::PartialSchema for $name<'_> {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                <$fields<'_> as utoipa::PartialSchema>::schema()
            }
        }

        #[cfg(feature = "schema")]
        impl utoipa::ToSchema for $name<'_> {
            fn name() -> Cow<'static, str> {
                <$fields<'_> as utoipa::ToSchema>::name()
            }
        }
    };
}

entry! {
    /// A card drawn from a deck.
    Draw, TapeDraw as DrawFields {
        /// The side whose deck it is.
        #[serde(borrow)]
        side: Cow<'a, str>,
        /// The kind of card.
        #[serde(borrow)]
        card: Cow<'a, str>,
    }
}

entry! {
    /// The order of a deck, or its top part.
    Shuffle, TapeShuffle as ShuffleFields {
        /// The side whose deck it is.
        #[serde(borrow)]
        side: Cow<'a, str>,
        /// Kinds of cards, top first.
        #[serde(borrow)]
        order: Vec<Cow<'a, str>>,
    }
}

entry! {
    /// A die.
    Die, TapeDie as DieFields {
        /// The chance point.
        #[serde(borrow)]
        at: Cow<'a, str>,
        /// The number shown.
        value: u32,
    }
}

entry! {
    /// Several dice of one chance point in a row.
    Dice, TapeDice as DiceFields {
        /// The chance point.
        #[serde(borrow)]
        at: Cow<'a, str>,
        /// The numbers shown, in order.
        values: Vec<u32>,
    }
}

crate::tagged! {
    impl Deserialize<'a> for EntryOf<'a> by "kind" as "a tape entry" {
        "draw" => Draw, "shuffle" => Shuffle, "die" => Die, "dice" => Dice,
    }
}

impl EntryOf<'_> {
    /// The same entry with text of its own.
    pub fn owned(self) -> Entry {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            EntryOf::Draw(it) => EntryOf::Draw(Draw { side: own(it.side), card: own(it.card) }),
            EntryOf::Shuffle(it) => EntryOf::Shuffle(Shuffle {
                side: own(it.side),
                order: it.order.into_iter().map(own).collect(),
            }),
            EntryOf::Die(it) => EntryOf::Die(Die { at: own(it.at), value: it.value }),
            EntryOf::Dice(it) => EntryOf::Dice(Dice { at: own(it.at), values: it.values }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_beside_an_entry_are_ignored() {
        let notes = r#""ply":7,"opening":true,"stream":"any.deck","rule":"ANY-1.\u0031""#;
        for entry in [
            r#""kind":"draw","side":"cat","card":"mouse""#,
            r#""kind":"shuffle","side":"cat","order":["mouse","rat"]"#,
            r#""kind":"die","at":"jump","value":3"#,
            r#""kind":"dice","at":"jump","values":[3,4]"#,
        ] {
            let text = format!("{{{entry}}}");
            let plain: EntryOf<'_> = serde_json::from_str(&text).unwrap();
            for noted in [format!("{{{entry},{notes}}}"), format!("{{{notes},{entry}}}")] {
                assert_eq!(serde_json::from_str::<EntryOf<'_>>(&noted).unwrap(), plain, "{noted}");
            }
            let written = serde_json::to_string(&plain).unwrap();
            assert_eq!(written, text);
        }
    }

    #[test]
    fn a_note_has_its_type() {
        let die = r#""kind":"die","at":"jump","value":3"#;
        for note in [
            r#""ply":"7""#,
            r#""ply":-1"#,
            r#""ply":null"#,
            r#""opening":"yes""#,
            r#""stream":7"#,
            r#""rule":null"#,
            r#""rule":["ANY-1"]"#,
            r#""ply":1,"ply":1"#,
            r#""because":"so""#,
        ] {
            let text = format!("{{{die},{note}}}");
            let read = serde_json::from_str::<EntryOf<'_>>(&text);
            assert!(read.is_err(), "{note}");
        }
    }
}
