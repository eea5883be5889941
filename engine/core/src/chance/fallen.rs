//! What fell at a table, for a reading that asks for it in another order.
//!
//! A tape answers one question after the other. Here each deck keeps the order of its cards, and each
//! die that of its throws, but who is asked first may differ; and a deck may be asked for its order where
//! its cards were drawn, or the other way round. This module must not invent a card or a throw.

use std::collections::VecDeque;

use super::{Ask, Chance, EntryOf, Halt, What};

/// Answers from the entries of a tape, each deck and each die in its own order.
#[derive(Clone, Debug)]
pub(crate) struct Fallen<'a> {
    entries: &'a [EntryOf<'a>],
    /// Of each entry, how many answers it has given; [`SPENT`] once it has no more.
    given: Vec<usize>,
    /// Decks whose order was on the tape and that are drawn from: what is left of it.
    orders: Vec<(String, VecDeque<u32>)>,
    /// Whether the tape was asked in another order than its own.
    reordered: bool,
}

const SPENT: usize = usize::MAX;

impl<'a> Fallen<'a> {
    /// Answers from these entries.
    pub(crate) fn new(entries: &'a [EntryOf<'a>]) -> Self {
        Fallen { entries, given: vec![0; entries.len()], orders: Vec::new(), reordered: false }
    }

    /// Number of entries not used up.
    pub(crate) fn left(&self) -> usize {
        self.given.iter().filter(|&&given| given != SPENT).count()
    }

    /// Whether the tape was asked in another order than its own.
    pub(crate) fn is_reordered(&self) -> bool {
        self.reordered
    }

    /// The first entry that is left and fits.
    fn find(&mut self, ask: &Ask<'_>, fits: impl Fn(&EntryOf<'_>) -> bool) -> Result<usize, Halt> {
        let left = |at: &usize| self.given[*at] != SPENT;
        let found = (0..self.entries.len()).filter(left).find(|&at| fits(&self.entries[at]));
        let first = (0..self.entries.len()).find(left);
        self.reordered |= found.is_some() && found != first;
        found.ok_or_else(|| Halt::Exhausted { entries: self.entries.len(), asked: ask.to_string() })
    }

    /// The next throw for a chance point.
    fn throw(&mut self, ask: &Ask<'_>, point: &str) -> Result<u32, Halt> {
        let at = self.find(ask, |entry| match entry {
            EntryOf::Die(die) => die.at == point,
            EntryOf::Dice(dice) => dice.at == point && !dice.values.is_empty(),
            EntryOf::Draw(_) | EntryOf::Shuffle(_) => false,
        })?;
        let (value, last) = match &self.entries[at] {
            EntryOf::Dice(dice) => {
                let within = self.given[at];
                (dice.values.get(within).copied().unwrap_or(0), within + 1 >= dice.values.len())
            }
            EntryOf::Die(die) => (die.value, true),
            EntryOf::Draw(_) | EntryOf::Shuffle(_) => (0, true),
        };
        self.given[at] = if last { SPENT } else { self.given[at] + 1 };
        Ok(value)
    }

    fn misfit(&self, ask: &Ask<'_>, found: String) -> Halt {
        Halt::Mismatch { entry: self.entries.len(), asked: ask.to_string(), found }
    }

    /// The next card of a deck whose order was told.
    fn next_of_order(&mut self, side: &str, counts: &[u8]) -> Option<u32> {
        let (_, order) = self.orders.iter_mut().find(|(of, _)| of == side)?;
        let there = |row: &u32| counts.get(*row as usize).is_some_and(|&count| count > 0);
        let place = order.iter().position(there)?;
        order.remove(place)
    }

    /// Takes the orders of a deck that are on the tape before its next draw.
    fn take_orders(&mut self, side: &str, names: &[impl AsRef<str>]) {
        for at in 0..self.entries.len() {
            match &self.entries[at] {
                _ if self.given[at] == SPENT => {}
                EntryOf::Draw(draw) if draw.side == side => return,
                EntryOf::Shuffle(order) if order.side == side => {
                    let row = |card: &std::borrow::Cow<'_, str>| {
                        names.iter().position(|name| name.as_ref() == *card).map(|row| row as u32)
                    };
                    let rows = order.order.iter().filter_map(row).collect();
                    self.orders.retain(|(of, _)| of != side);
                    self.orders.push((side.to_owned(), rows));
                    self.given[at] = SPENT;
                    self.reordered = true;
                }
                _ => {}
            }
        }
    }
}

impl Chance for Fallen<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        match ask.what {
            What::Card { side, names, counts } => {
                self.take_orders(side, names);
                if let Some(row) = self.next_of_order(side, counts) {
                    return Ok(row);
                }
                let row = |card: &str| names.iter().position(|name| *name == card);
                let there = |row: usize| counts.get(row).is_some_and(|&count| count > 0);
                // A card that is not in the deck now fell later than it is asked for.
                let at = self.find(ask, |entry| match entry {
                    EntryOf::Draw(draw) => draw.side == side && row(&draw.card).is_some_and(there),
                    _ => false,
                })?;
                self.given[at] = SPENT;
                match &self.entries[at] {
                    EntryOf::Draw(draw) => Ok(row(&draw.card).unwrap_or_default() as u32),
                    _ => Err(self.misfit(ask, "the entry is not a draw".to_owned())),
                }
            }
            What::Die { at, sides } => {
                let value = self.throw(ask, at)?;
                match (1..=sides).contains(&value) {
                    true => Ok(value),
                    false => Err(self.misfit(ask, format!("the entry shows {value}"))),
                }
            }
            What::Among { at, values } => {
                let value = self.throw(ask, at)?;
                let index = values.iter().position(|&known| known == value);
                let misfit = || self.misfit(ask, format!("the entry shows {value}"));
                index.map(|index| index as u32).ok_or_else(misfit)
            }
            What::Hidden { .. } => Err(Halt::NoSeed { asked: ask.to_string() }),
        }
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        let What::Card { side, names, counts } = ask.what else { return Ok(None) };
        let all: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let known = self.entries.iter().zip(&self.given).find_map(|(entry, &given)| match entry {
            EntryOf::Shuffle(order) if order.side == side && given != SPENT => Some(order),
            _ => None,
        });
        let Some(order) = known.filter(|order| order.order.len() < all) else { return Ok(None) };
        let row = |card: &std::borrow::Cow<'_, str>| names.iter().position(|name| name == card);
        let rows: Option<Vec<u32>> =
            order.order.iter().map(|card| row(card).map(|row| row as u32)).collect();
        let at =
            self.find(ask, |entry| matches!(entry, EntryOf::Shuffle(it) if it.side == side))?;
        self.given[at] = SPENT;
        Ok(rows)
    }

    /// The order of a whole deck: as it is on the tape, or the cards in the order in which they were
    /// drawn. In both, a card that nobody ever saw lies below those that somebody did.
    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        let What::Card { side, names, counts } = ask.what else { return Ok(Vec::new()) };
        let mut left = counts.to_vec();
        let mut rows = Vec::new();
        let mut take = |card: &str| -> bool {
            let Some(row) = names.iter().position(|name| *name == card) else { return false };
            let there = left.get_mut(row).filter(|count| **count > 0);
            let taken = there.map(|count| *count -= 1).is_some();
            if taken {
                rows.push(row as u32);
            }
            taken
        };
        for (entry, given) in self.entries.iter().zip(&mut self.given) {
            match entry {
                _ if *given == SPENT => {}
                EntryOf::Shuffle(order) if order.side == side => {
                    for card in &order.order {
                        take(card);
                    }
                    *given = SPENT;
                    break;
                }
                EntryOf::Draw(draw) if draw.side == side => {
                    // A card that is drawn again had come back: it is below, where it lies anyway.
                    take(&draw.card);
                    *given = SPENT;
                    self.reordered = true;
                }
                _ => {}
            }
        }
        for (row, count) in left.iter().enumerate() {
            rows.extend(std::iter::repeat_n(row as u32, usize::from(*count)));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<EntryOf<'static>> {
        let entries: Vec<EntryOf<'_>> = serde_json::from_str(text).unwrap();
        entries.into_iter().map(EntryOf::owned).collect()
    }

    fn names() -> Vec<String> {
        ["ant", "bee", "cow"].map(str::to_owned).to_vec()
    }

    #[test]
    fn each_deck_and_each_die_keeps_its_own_order() {
        let tape = entries(
            r#"[{"kind":"draw","side":"cat","card":"bee"},{"kind":"die","at":"rain","value":3},
                {"kind":"dice","at":"fight","values":[5,6]},{"kind":"draw","side":"dog","card":"cow"},
                {"kind":"draw","side":"cat","card":"ant"}]"#,
        );
        let mut fallen = Fallen::new(&tape);
        let names = names();
        let card =
            |side| Ask { stream: 0, what: What::Card { side, names: &names, counts: &[1, 1, 1] } };
        let die = |at| Ask { stream: 1, what: What::Die { at, sides: 6 } };
        assert_eq!(fallen.answer(&card("cat")), Ok(1));
        assert!(!fallen.is_reordered());
        assert_eq!(fallen.answer(&card("dog")), Ok(2));
        assert!(fallen.is_reordered());
        assert_eq!(fallen.answer(&die("fight")), Ok(5));
        assert_eq!(fallen.answer(&die("rain")), Ok(3));
        assert_eq!(fallen.answer(&die("fight")), Ok(6));
        assert_eq!(fallen.answer(&card("cat")), Ok(0));
        assert_eq!(fallen.left(), 0);
        assert!(matches!(fallen.answer(&card("cat")), Err(Halt::Exhausted { .. })));
    }

    #[test]
    fn drawn_cards_give_the_order_of_a_deck_and_an_order_gives_draws() {
        let names = names();
        let counts = [1, 1, 1];
        let ask =
            |counts| Ask { stream: 0, what: What::Card { side: "cat", names: &names, counts } };
        let drawn = entries(
            r#"[{"kind":"draw","side":"cat","card":"cow"},{"kind":"draw","side":"dog","card":"ant"},
                {"kind":"draw","side":"cat","card":"ant"},{"kind":"draw","side":"cat","card":"cow"}]"#,
        );
        let mut fallen = Fallen::new(&drawn);
        assert_eq!(fallen.shuffle(&ask(&counts)), Ok(vec![2, 0, 1]));
        assert_eq!(fallen.left(), 1);
        let order = entries(r#"[{"kind":"shuffle","side":"cat","order":["bee","cow","ant"]}]"#);
        let mut fallen = Fallen::new(&order);
        assert_eq!(fallen.answer(&ask(&counts)), Ok(1));
        assert_eq!(fallen.answer(&ask(&[1, 0, 1])), Ok(2));
        assert_eq!(fallen.answer(&ask(&[1, 0, 0])), Ok(0));
        assert_eq!(fallen.left(), 0);
    }
}
