//! The cards of a record, checked and worked out: the decks.
//!
//! Must not know where a card is: that changes during a game.

use std::sync::Arc;

use super::data::{CardData, EffectData};
use super::decks::{Deck, Effect};
use super::faults::{CODE, check_id};
use super::worked_out::Setup;
use crate::action::Side;
use crate::rulebook::Rule;
use crate::tables::{CARDS, KINDS, NUMBER};
use crate::{Checked, Refusal};
use umpire_core::wire::NameTable;

impl Setup {
    /// DRG-2.8, DRG-3.7 Ids given once, copies and kinds that a deck can hold, enough for a
    /// starting hand.
    pub(super) fn lay_cards(&mut self, cards: &[CardData]) -> Checked {
        for (at, data) in cards.iter().enumerate() {
            let pointer = format!("/cards/{at}");
            check_id(&data.id, &format!("{pointer}/id"), "card")?;
            if cards[..at].iter().any(|earlier| earlier.id == data.id) {
                let message = format!("{} is given twice", data.id);
                let pointer = format!("{pointer}/id");
                return Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer));
            }
            Arc::make_mut(&mut self.decks)[data.side.index()].add(data, pointer)?;
        }
        for side in Side::BOTH {
            let deck = &self.decks[side.index()];
            let all: usize = deck.copies.iter().map(|&copies| usize::from(copies)).sum();
            let hand = usize::from(self.constants.starting_hand);
            if all < hand || all > CARDS {
                let message = format!(
                    "the deck of the {side} has {all} cards; {hand} (the starting hand) to {CARDS} are possible"
                );
                return Err(Refusal::new(Rule::C2_8, CODE, message).at("/cards"));
            }
            self.card_of[side.index()] = NameTable::new(&deck.ids);
        }
        Ok(())
    }
}

impl Deck {
    /// DRG-3.4, DRG-3.7 Adds a kind of card.
    fn add(&mut self, data: &CardData, pointer: String) -> Checked {
        let row = self.ids.len();
        if row == KINDS {
            let message = format!("the {} have more than {KINDS} kinds of cards", data.side);
            return Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer));
        }
        if data.copies == 0 || usize::from(data.copies) > CARDS {
            let message =
                format!("{} has {} copies; 1 to {CARDS} are possible", data.id, data.copies);
            let pointer = format!("{pointer}/copies");
            return Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer));
        }
        self.ids.push(data.id);
        self.names.push(data.id.to_string());
        self.titles.push(data.name.clone().unwrap_or_else(|| data.id.to_string()));
        self.copies[row] = data.copies;
        self.life.push(data.life);
        let effect = &mut self.effects[row];
        for (index, part) in data.effects.iter().enumerate() {
            effect.add(part).map_err(|message| {
                let pointer = format!("{pointer}/effects/{index}");
                Refusal::new(Rule::C3_4, CODE, message).at(pointer)
            })?;
        }
        Ok(())
    }
}

impl Effect {
    /// Adds one effect of a card, which has each at most once.
    fn add(&mut self, part: &EffectData) -> Result<(), String> {
        const MOST: i8 = NUMBER as i8;
        let bounded = |number: i8| match number {
            0 => Err("an effect must not be 0".to_owned()),
            number if (-MOST..=MOST).contains(&number) => Ok(number),
            number => Err(format!("an effect of {number} is beyond {MOST}")),
        };
        let cost = |cost: u8| match cost {
            1..=NUMBER => Ok(Some(cost)),
            _ => Err(format!("a cost of {cost} is not between 1 and {NUMBER}")),
        };
        let once = |had: bool| {
            if had { Err("a card has each effect at most once".to_owned()) } else { Ok(()) }
        };
        match *part {
            EffectData::Alarm { steps } => {
                once(self.alarm != 0)?;
                self.alarm = bounded(steps)?;
            }
            EffectData::Pool { side, points } => {
                once(self.pool[side.index()] != 0)?;
                self.pool[side.index()] = bounded(points)?;
            }
            EffectData::UnitLimit { side, points } => {
                once(self.limit[side.index()] != 0)?;
                self.limit[side.index()] = bounded(points)?;
            }
            EffectData::PirateTrailCost { cost: points } => {
                once(self.trail.is_some())?;
                self.trail = cost(points)?;
            }
            EffectData::SendCost { cost: points } => {
                once(self.send.is_some())?;
                self.send = cost(points)?;
            }
            EffectData::PlaceReserve {} => {
                once(self.reserve)?;
                self.reserve = true;
            }
        }
        Ok(())
    }
}
