//! What a record asks of cards that nobody wrote down: which are named later, and which are known to fall later.
//!
//! A guess to begin with, never a reason: it orders what is tried, and nothing is called possible or impossible by it.
//! Must not know a game; a deck belongs to the seat of its side's name.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use super::hole::each_text;
use super::written::{Fell, Partial};

/// A deck as it was when a card of it was first asked for.
pub(super) struct Deck {
    /// The side whose deck it is.
    pub(super) side: String,
    /// The kinds, row by row.
    pub(super) names: Vec<String>,
    /// How many cards of each row there were.
    pub(super) totals: Vec<u32>,
    /// Of each row, the actions of its side that name the card: their places, rising, once for each time.
    named: Vec<Vec<u32>>,
    /// Of each row, the entries of the tape that are this card, rising.
    falls: Vec<Vec<u32>>,
}

/// What is asked of all decks.
pub(super) struct Wants {
    /// Of each action, its player, and every text in it.
    texts: Vec<(Option<String>, Vec<String>)>,
    /// Of each entry of the tape that is a known card: side and card.
    falls: Vec<Option<(String, String)>>,
    /// The decks that were asked, by stream.
    decks: RefCell<Vec<Option<Rc<Deck>>>>,
}

/// Of each deck and row, how many cards were drawn and not named since.
pub(super) type Held = Vec<Vec<i32>>;

impl Wants {
    /// What a record asks for.
    pub(super) fn of(partial: &Partial) -> Self {
        let texts = partial.actions.iter().map(|action| {
            let player = action.get("player").and_then(Value::as_str).map(str::to_owned);
            let mut texts = Vec::new();
            each_text(action, &mut |text| texts.push(text.to_owned()));
            (player, texts)
        });
        let entries = partial.tape.iter().flat_map(|tape| &tape.entries);
        let falls = entries.map(|entry| match &entry.fell {
            Fell::Card { side, card } => Some((side.known()?.clone(), card.known()?.clone())),
            _ => None,
        });
        Wants { texts: texts.collect(), falls: falls.collect(), decks: RefCell::default() }
    }

    /// The deck behind a question.
    pub(super) fn deck(&self, stream: u8, side: &str, names: &[String], counts: &[u8]) -> Rc<Deck> {
        let mut decks = self.decks.borrow_mut();
        let at = usize::from(stream);
        if decks.len() <= at {
            decks.resize_with(at + 1, || None);
        }
        let deck = decks[at].get_or_insert_with(|| Rc::new(self.make(side, names, counts)));
        deck.clone()
    }

    /// Of these names those that actions have, in the order of the actions, once for each time.
    pub(super) fn soonest(&self, names: &[Value]) -> Vec<Value> {
        let texts = self.texts.iter().flat_map(|(_, texts)| texts);
        let known = texts.filter_map(|text| names.iter().find(|name| name.as_str() == Some(text)));
        known.cloned().collect()
    }

    /// The decks that were asked.
    pub(super) fn decks(&self) -> Vec<Rc<Deck>> {
        self.decks.borrow().iter().flatten().cloned().collect()
    }

    fn make(&self, side: &str, names: &[String], counts: &[u8]) -> Deck {
        let places = |name: &String| {
            let mut places = Vec::new();
            for (at, (player, texts)) in self.texts.iter().enumerate() {
                if player.as_deref().is_none_or(|player| player == side) {
                    let times = texts.iter().filter(|text| *text == name).count();
                    places.extend(std::iter::repeat_n(at as u32, times));
                }
            }
            places
        };
        let falls = |name: &String| {
            let known = |(at, fall): (usize, &Option<(String, String)>)| {
                let (of, card) = fall.as_ref()?;
                (of == side && card == name).then_some(at as u32)
            };
            self.falls.iter().enumerate().filter_map(known).collect()
        };
        Deck {
            side: side.to_owned(),
            names: names.to_vec(),
            totals: counts.iter().map(|&count| u32::from(count)).collect(),
            named: names.iter().map(places).collect(),
            falls: names.iter().map(falls).collect(),
        }
    }

    /// Takes from what is held the cards that an action names.
    pub(super) fn spend(&self, action: usize, held: &mut Held) {
        for (stream, deck) in self.decks.borrow().iter().enumerate() {
            let Some(deck) = deck else { continue };
            for row in 0..deck.names.len() {
                let times = deck.named_at(row, action as u32);
                if times > 0 {
                    *place(held, stream, row, deck.names.len()) -= times;
                }
            }
        }
    }
}

/// The count of a row, which is made where there is none.
pub(super) fn place(held: &mut Held, stream: usize, row: usize, rows: usize) -> &mut i32 {
    if held.len() <= stream {
        held.resize(stream + 1, Vec::new());
    }
    let counts = &mut held[stream];
    if counts.len() < rows.max(row + 1) {
        counts.resize(rows.max(row + 1), 0);
    }
    &mut counts[row]
}

impl Deck {
    /// How often an action names a card.
    fn named_at(&self, row: usize, action: u32) -> i32 {
        let places = &self.named[row];
        let from = places.partition_point(|&at| at < action);
        let to = places.partition_point(|&at| at <= action);
        (to - from) as i32
    }

    /// The places of the actions that name a card, from the first on.
    pub(super) fn named(&self, row: usize) -> &[u32] {
        &self.named[row]
    }

    /// How many entries of the tape are this card, from an entry on.
    pub(super) fn known_later(&self, row: usize, entry: usize) -> usize {
        let falls = &self.falls[row];
        falls.len() - falls.partition_point(|&it| (it as usize) < entry)
    }

    /// Rows of which a card may be drawn, the most wanted first: those that are named soonest, by an action from `from` on,
    /// and are not held, then those that nobody will miss; last those that are known to fall later and of which there are
    /// no more.
    pub(super) fn order(
        &self,
        rows: &mut [u32],
        counts: &[u8],
        held: Option<&Vec<i32>>,
        (from, entry): (usize, usize),
    ) {
        rows.sort_by_key(|&row| {
            let at = row as usize;
            let had = held.and_then(|held| held.get(at)).copied().unwrap_or(0).max(0) as usize;
            let named = &self.named[at];
            let later = &named[named.partition_point(|&it| (it as usize) < from)..];
            let known = self.known_later(at, entry);
            let left = usize::from(counts.get(at).copied().unwrap_or(0));
            let missing = later.len().saturating_sub(had);
            match later.get(had) {
                _ if left <= known => (2, 0, row),
                Some(&soonest) => (0, soonest, row),
                // Who nobody asks for: of what most is to spare.
                None => (1, u32::MAX - (left - known).saturating_sub(missing) as u32, row),
            }
        });
    }
}
