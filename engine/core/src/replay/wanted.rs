//! What chance has to say next: for whoever takes a game down while it is played.
//!
//! Must not answer: what fell, those at the table know.

use super::answer::{MissingDraw, MissingKind};
use super::{Limits, Loaded, begin, load};
use crate::chance::{Ask, Chance, Halt, What};
use crate::game::{Game, Keep, Stop};
use crate::record::{Fault, RawRecord};
use crate::rules::Rule;

/// Something that the rules ask of chance and that the record's tape does not hold yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Number of actions accepted before the action that asks.
    pub ply: u32,
    /// The clause that asks.
    pub rule: Option<&'static str>,
    /// What is asked for.
    pub what: WantedOf,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WantedOf {
    /// A card from a deck.
    Card {
        /// The side whose deck it is.
        side: String,
        /// The kinds of cards that are left in it.
        left: Vec<String>,
    },
    /// The order of a whole deck.
    Order {
        /// The side whose deck it is.
        side: String,
        /// Its cards.
        cards: Vec<String>,
    },
    /// A die.
    Die {
        /// The chance point.
        at: String,
        /// The numbers that it can show.
        values: Vec<u32>,
    },
    /// What only a seed can give.
    Seed,
}

impl From<Wanted> for MissingDraw {
    fn from(Wanted { ply, rule, what }: Wanted) -> Self {
        let (kind, of, cards, values) = match what {
            WantedOf::Card { side, left } => (MissingKind::Draw, side, left, Vec::new()),
            WantedOf::Order { side, cards } => (MissingKind::Shuffle, side, cards, Vec::new()),
            WantedOf::Die { at, values } => (MissingKind::Die, at, Vec::new(), values),
            WantedOf::Seed => (MissingKind::Seed, String::new(), Vec::new(), Vec::new()),
        };
        MissingDraw { ply, rule, kind, of, cards, values }
    }
}

/// Notes what is asked for when the tape is at its end.
struct Noting<'c> {
    chance: &'c mut dyn Chance,
    wanted: Option<WantedOf>,
}

impl Noting<'_> {
    fn note<T>(&mut self, ask: &Ask<'_>, order: bool, answer: Result<T, Halt>) -> Result<T, Halt> {
        if let Err(Halt::Exhausted { .. } | Halt::NoSeed { .. }) = answer {
            self.wanted = Some(WantedOf::of(ask, order));
        }
        answer
    }
}

impl WantedOf {
    fn of(ask: &Ask<'_>, order: bool) -> Self {
        match ask.what {
            What::Card { side, names, counts } => {
                let side = side.to_owned();
                let kinds = names.iter().zip(counts).filter(|(_, count)| **count > 0);
                match order {
                    true => {
                        let each =
                            kinds.flat_map(|(name, &count)| vec![name.clone(); count.into()]);
                        WantedOf::Order { side, cards: each.collect() }
                    }
                    false => WantedOf::Card { side, left: kinds.map(|it| it.0.clone()).collect() },
                }
            }
            What::Die { at, sides } => {
                WantedOf::Die { at: at.to_owned(), values: (1..=sides).collect() }
            }
            What::Among { at, values } => {
                WantedOf::Die { at: at.to_owned(), values: values.to_vec() }
            }
            What::Hidden { .. } => WantedOf::Seed,
        }
    }
}

impl Chance for Noting<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        let answer = self.chance.answer(ask);
        self.note(ask, false, answer)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        let answer = self.chance.order(ask);
        self.note(ask, true, answer)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.chance.known(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let answer = self.chance.shuffle(ask);
        self.note(ask, true, answer)
    }
}

/// What the record's tape lacks for its last action, or for the opening; nothing where it lacks nothing, or
/// where something else is wrong.
///
/// # Errors
/// The record cannot be replayed.
pub(crate) fn wanted<G: Game>(
    record: &RawRecord<'_>,
    limits: Limits<'_>,
) -> Result<Option<Wanted>, Fault> {
    let Loaded { setup, mut source, position, actions, budget, .. } = load::<G>(record, limits)?;
    let mut chance = Noting { chance: &mut source, wanted: None };
    let (mut table, mut end) = begin::<G>(&setup, position.as_ref(), &mut chance, Keep::Nothing);
    for action in &actions {
        if end.is_some() {
            break;
        }
        budget.spend(1)?;
        end = table.play(action, &mut chance).err().map(Stop::into);
    }
    let rule = match &end {
        Some(super::End::Chance { rule, .. }) => rule.map(|rule: G::Rule| rule.id()),
        _ => return Ok(None),
    };
    let ply = table.ply();
    Ok(chance.wanted.map(|what| Wanted { ply, rule, what }))
}
