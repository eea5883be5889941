//! A deck worked out for play: rows in canonical order, with what the cards of each row show.
//!
//! Must not know where a card is: that changes during a game.

use super::data::{CardKind, CardOption};
use crate::action::{Kind, Side, Use};
use crate::rulebook::Rule;
use crate::tables::{self, DECK};
use crate::{Checked, Refusal};

/// A set of cards: how many of each row of a deck.
pub(crate) type Cards = [u8; DECK];

/// Number of cards in a set.
pub(crate) fn total(cards: &Cards) -> usize {
    cards.iter().map(|&count| usize::from(count)).sum()
}

/// A side's deck. A row is a kind of card; rows stand in canonical order (end of A.5).
#[derive(Clone, Debug)]
pub(crate) struct Deck {
    /// Whose it is.
    side: Side,
    /// The kinds' ids, as tapes name them.
    pub(crate) names: Vec<String>,
    /// The kinds, row by row.
    pub(crate) kinds: Vec<Kind>,
    /// Copies of each row.
    pub(crate) counts: Cards,
    /// The options of each row with their values, as many as `shown` says.
    options: [[(Use, u8); 2]; DECK],
    /// Number of options of each row.
    shown: [u8; DECK],
    /// The row of each kind's number, or `NO_ROW`.
    rows: [u8; 100],
}

const NO_ROW: u8 = u8::MAX;

impl Deck {
    /// The document's deck.
    pub(super) fn printed(side: Side) -> Deck {
        let mut deck = Deck::empty(side);
        for &(number, options, count) in tables::printed_deck(side) {
            deck.add(Kind::new(side, number), options, count);
        }
        deck
    }

    /// A corrected deck, if it is one that part A accepts: 38 cards, known options and values,
    /// each kind once.
    pub(super) fn corrected(side: Side, kinds: &[CardKind]) -> Checked<Deck> {
        let mut deck = Deck::empty(side);
        let mut total = 0;
        for (at, card) in kinds.iter().enumerate() {
            let options = deck.check_kind(card).map_err(|refusal| below(refusal, side, at))?;
            total += u32::from(card.count);
            if card.count == 0 || deck.len() == DECK || total > DECK as u32 {
                let message = format!("a deck holds {DECK} cards, and every kind at least one");
                let refusal = Refusal::new(Rule::C2_1, "bad_deck", message).at("/count");
                return Err(below(refusal, side, at));
            }
            deck.add(card.kind, &options, card.count);
        }
        if total != DECK as u32 {
            let message = format!("the deck has {total} cards; {DECK} are expected");
            let pointer = format!("/decks/{}", side.name());
            return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at(pointer));
        }
        Ok(deck)
    }

    /// The options of a corrected kind with their values, 0 for none. Refusals point below the
    /// kind.
    fn check_kind(&self, card: &CardKind) -> Checked<Vec<(Use, u8)>> {
        let name = self.side.name();
        if card.kind.side() != self.side {
            let message = format!("{} is not a card of the {name}", card.kind);
            return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at("/kind"));
        }
        if self.row(card.kind).is_some() {
            let message = format!("{} is listed twice", card.kind);
            return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at("/kind"));
        }
        if card.options.is_empty() || card.options.len() > 2 {
            let count = card.options.len();
            let message = format!("{} has {count} options; cards have one or two", card.kind);
            return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at("/options"));
        }
        let mut options = Vec::with_capacity(2);
        for (at, option) in card.options.iter().enumerate() {
            let pointer = format!("/options/{at}");
            let value = check_option(self.side, option, &pointer)?;
            if options.iter().any(|&(shown, _)| shown == option.option) {
                let message = format!("{} shows an option twice", card.kind);
                return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at(pointer));
            }
            options.push((option.option, value));
        }
        Ok(options)
    }

    fn empty(side: Side) -> Deck {
        Deck {
            side,
            names: Vec::new(),
            kinds: Vec::new(),
            counts: [0; DECK],
            options: [[(Use::None, 0); 2]; DECK],
            shown: [0; DECK],
            rows: [NO_ROW; 100],
        }
    }

    fn add(&mut self, kind: Kind, options: &[(Use, u8)], count: u8) {
        let row = self.kinds.len();
        self.names.push(kind.to_string());
        self.kinds.push(kind);
        self.counts[row] = count;
        for (slot, &option) in self.options[row].iter_mut().zip(options) {
            *slot = option;
        }
        self.shown[row] = options.len() as u8;
        self.rows[usize::from(kind.number())] = row as u8;
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The row of a kind, if it is one of this deck's.
    pub(crate) fn row(&self, kind: Kind) -> Option<usize> {
        let row = *self.rows.get(usize::from(kind.number()))?;
        (kind.side() == self.side && row != NO_ROW).then_some(usize::from(row))
    }

    /// The row of a kind of which a set holds a card.
    pub(crate) fn row_in(&self, cards: &Cards, kind: Kind) -> Option<usize> {
        self.row(kind).filter(|&row| cards[row] > 0)
    }

    /// The kind of a row that an event names.
    pub(crate) fn kind(&self, row: u8) -> Kind {
        self.kinds[usize::from(row)]
    }

    /// The options of a row with their values.
    pub(crate) fn options(&self, row: usize) -> &[(Use, u8)] {
        &self.options[row][..usize::from(self.shown[row]).min(2)]
    }

    /// The printed value of an option on the cards of a row, if they show it; 0 for symbols
    /// without value.
    pub(crate) fn value(&self, row: usize, option: Use) -> Option<u8> {
        self.options(row).iter().find(|&&(shown, _)| shown == option).map(|&(_, value)| value)
    }

    /// The options of a row in words.
    pub(crate) fn options_text(&self, row: usize) -> String {
        let names: Vec<_> = self.options(row).iter().map(|(option, _)| option.name()).collect();
        names.join(", ")
    }

    /// A card by what it can do: `a dwarf's move 2 or a dwarf's attack 1 (dw01)`.
    pub(crate) fn face(&self, kind: Kind) -> String {
        match self.uses(kind) {
            uses if uses.is_empty() => kind.to_string(),
            uses => format!("{uses} ({kind})"),
        }
    }

    /// What a card can do, in words: `a dwarf's move 2 or a dwarf's attack 1`.
    pub(crate) fn uses(&self, kind: Kind) -> String {
        let Some(row) = self.row(kind) else { return String::new() };
        let uses = self.options(row).iter().map(|&(option, value)| match value {
            0 => option.purpose().to_owned(),
            value => format!("{} {value}", option.purpose()),
        });
        let uses: Vec<String> = uses.collect();
        uses.join(" or ")
    }

    /// The kinds of a set of cards, in canonical order, each as often as the set holds it.
    pub(crate) fn list(&self, cards: &Cards) -> Vec<Kind> {
        self.kinds
            .iter()
            .zip(cards)
            .flat_map(|(&kind, &count)| std::iter::repeat_n(kind, usize::from(count)))
            .collect()
    }

    /// A set of cards in words.
    pub(crate) fn cards_text(&self, cards: &Cards) -> String {
        let names: Vec<String> = self.list(cards).iter().map(Kind::to_string).collect();
        if names.is_empty() { "empty".to_owned() } else { names.join(", ") }
    }
}

/// The value of an option on a corrected card, 0 for none.
fn check_option(side: Side, shown: &CardOption, pointer: &str) -> Checked<u8> {
    let (name, option) = (side.name(), shown.option.name());
    let Some(range) = tables::values(side, shown.option) else {
        let message = format!("{option} is no option of the {name}'s cards");
        return Err(Refusal::new(Rule::C2_1, "bad_deck", message).at(pointer));
    };
    match (range, shown.value) {
        (None, None) => Ok(0),
        (Some((least, most)), Some(value)) if least <= value && value <= most => Ok(value),
        _ => {
            let expected = match range {
                None => "no value".to_owned(),
                Some((least, most)) if least == most => format!("the value {least}"),
                Some((least, most)) => format!("a value from {least} to {most}"),
            };
            let message = format!("{option} has {expected} on the {name}'s cards");
            Err(Refusal::new(Rule::C2_1, "bad_deck", message).at(format!("{pointer}/value")))
        }
    }
}

/// A refusal of one kind of a deck, pointing from the options.
fn below(mut refusal: Refusal, side: Side, kind: usize) -> Refusal {
    refusal.pointer = format!("/decks/{}/{kind}{}", side.name(), refusal.pointer);
    refusal
}
