//! Chance: one primitive, a uniform pick, answered by a seed, a tape, both, or an exploration.
//!
//! A game asks with an [`Ask`] that names the stream and what is drawn; whoever answers is none
//! of its business. The seeded draw is published (see [`seeded`]) and never changes. This module
//! must not know any game, and must not use a random number crate's own ranges or shuffles,
//! because those may change between versions.

pub mod explore;
pub mod seeded;
pub mod tape;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

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

/// One entry of a tape. Text borrows from the record where it can.
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

/// A card drawn from a deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TapeDraw))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Draw<'a> {
    /// The side whose deck it is.
    #[serde(borrow)]
    pub side: Cow<'a, str>,
    /// The kind of card.
    #[serde(borrow)]
    pub card: Cow<'a, str>,
}

/// The order of a deck, or its top part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TapeShuffle))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Shuffle<'a> {
    /// The side whose deck it is.
    #[serde(borrow)]
    pub side: Cow<'a, str>,
    /// Kinds of cards, top first.
    #[serde(borrow)]
    pub order: Vec<Cow<'a, str>>,
}

/// A die.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TapeDie))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Die<'a> {
    /// The chance point.
    #[serde(borrow)]
    pub at: Cow<'a, str>,
    /// The number shown.
    pub value: u32,
}

/// Several dice of one chance point in a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = TapeDice))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Dice<'a> {
    /// The chance point.
    #[serde(borrow)]
    pub at: Cow<'a, str>,
    /// The numbers shown, in order.
    pub values: Vec<u32>,
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
