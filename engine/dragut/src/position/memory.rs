//! DRG-12 What an observer has learnt and his view does not show any more: who was seen under a token
//! before it turned hidden again (part E: the log keeps the reveal), which tokens paid for a trail what the
//! Renegade would not, and what hand another side can have after cards went back into its deck.
//!
//! Must not use anything but what the observer was told.

use std::collections::BTreeMap;

use crate::action::Side;
use crate::ch05_movement::is_renegades_price;
use crate::ch12_information::{token_letter, token_number};
use crate::notice::Notice;
use crate::rulebook::Returned;
use crate::setup::{PIRATE_UNITS, RENEGADE, Setup};
use crate::state::Unit;
use crate::tables::KINDS;
use crate::view::{Pile, View};
use umpire_core::chance::Halt;
use umpire_core::wire::Name;

/// The most hands that are kept in mind; the likeliest of more.
const HANDS: usize = 4096;
/// Weights are halved together above this.
const HEAVY: u64 = 1 << 40;

/// Cards of one side, by row.
type Counts = [u8; KINDS];

/// What an observer remembers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory {
    /// Who was seen under which token.
    seen: Vec<(Side, u8, Unit)>,
    /// Pirate tokens that paid for a trail what the Renegade would not have paid.
    heavy: Vec<u8>,
    /// The token that moved last.
    moved: Option<(Side, u8)>,
    /// Cards in effect, by row.
    played: [Option<u8>; 2],
    /// The cards of both sides.
    cards: [CardMemory; 2],
}

/// What an observer remembers of a side's cards.
#[derive(Clone, PartialEq, Debug, Default)]
struct CardMemory {
    /// What is in the hand or in the deck.
    left: Counts,
    /// Cards in hand.
    held: u8,
    /// Whether the observer sees the hand.
    own: bool,
    /// Every hand that the side can have, with its weight. Nothing as long as any cards of those that are left
    /// are as likely as any others.
    hands: Option<Vec<(Counts, u64)>>,
    /// The known lower end of the deck, top first (DRG-R27 = `bottom`).
    lower: Vec<u8>,
}

impl Memory {
    /// What somebody remembers who sees a table for the first time.
    pub(crate) fn of(setup: &Setup, view: &View) -> Memory {
        let mut memory = Memory::default();
        for (id, shown) in &view.units.0 {
            if let (Some(unit), Some(token)) = (setup.unit(id), &shown.token) {
                memory.see(setup.side(unit), token_number(token), unit);
            }
        }
        for side in Side::BOTH {
            let row = |id: &Name| setup.card(side, id);
            let cards = &mut memory.cards[side.index()];
            cards.left = setup.decks[side.index()].copies;
            let gone = view.retired.get(side).iter().chain(view.played.get(side));
            for row in gone.filter_map(row) {
                take(&mut cards.left, row);
            }
            (cards.held, cards.own) = match view.hands.get(side) {
                Pile::Open(hand) => (hand.len() as u8, true),
                Pile::Closed(size) => (*size, false),
            };
            memory.played[side.index()] = view.played.get(side).as_ref().and_then(row);
        }
        memory
    }

    /// Adds what the observer is told of a fact.
    pub(crate) fn add(&mut self, setup: &Setup, notice: &Notice) {
        match notice {
            Notice::Deployed { unit, token, .. }
            | Notice::Landed { unit, token, .. }
            | Notice::UnitFled { unit, token, .. }
            | Notice::ReservePlaced { unit, token, .. } => self.hear(setup, unit, token),
            Notice::Moved { unit, token, from, to, cost } => {
                self.hear(setup, unit, token);
                self.pay(setup, token, [from, to], *cost);
                self.moved = side_of(token).map(|side| (side, token_number(token)));
            }
            Notice::Duel { attacker, attacker_token, defender, defender_token, .. } => {
                self.hear(setup, attacker, attacker_token);
                self.hear(setup, defender, defender_token);
            }
            // DRG-6.9 The replacement inherits the token.
            Notice::UnitReduced { unit, into, .. } => {
                if let (Some(old), Some(new)) = (setup.unit(unit), setup.unit(into)) {
                    let same = self.seen.iter_mut().filter(|(_, _, unit)| *unit == old);
                    same.for_each(|(_, _, unit)| *unit = new);
                }
            }
            // DRG-7.7 The liberator is revealed: one who was seen fighting, or the one who has just arrived.
            Notice::UnitLiberated { by, .. } | Notice::AlarmChanged { by: Some(by), .. } => {
                if let (Some(unit), Some((side, token))) = (setup.unit(by), self.moved)
                    && side == setup.side(unit)
                    && self.seen.iter().all(|&(_, _, other)| other != unit)
                {
                    self.see(side, token, unit);
                }
            }
            Notice::CardDrawn { side, card } => {
                let row = card.and_then(|id| setup.card(*side, &id));
                self.cards[side.index()].draw(row);
            }
            Notice::CardsRevealed { pirates, rapalline } => {
                for (side, card) in [(Side::Pirates, pirates), (Side::Rapalline, rapalline)] {
                    let row = card.and_then(|id| setup.card(side, &id));
                    self.played[side.index()] = row;
                    row.into_iter().for_each(|row| self.cards[side.index()].reveal(row));
                }
            }
            Notice::CardRetired { side, .. } => self.played[side.index()] = None,
            Notice::CardReturned { side, card } => {
                self.played[side.index()] = None;
                let ordered = setup.rulings.returned == Returned::Bottom;
                let row = setup.card(*side, card);
                row.into_iter().for_each(|row| self.cards[side.index()].give_back(row, ordered));
            }
            _ => {}
        }
    }

    /// A unit was named together with its token.
    fn hear(&mut self, setup: &Setup, unit: &Name, token: &Name) {
        if let Some(unit) = setup.unit(unit) {
            self.see(setup.side(unit), token_number(token), unit);
        }
    }

    fn see(&mut self, side: Side, token: u8, unit: Unit) {
        if token > 0 && !self.seen.contains(&(side, token, unit)) {
            self.seen.retain(|&(whose, other, _)| (whose, other) != (side, token));
            self.seen.push((side, token, unit));
        }
    }

    /// DRG-10.1 What a pirate pays for a trail tells whether it is the Renegade.
    fn pay(&mut self, setup: &Setup, token: &Name, [from, to]: [&Name; 2], cost: u8) {
        let (Some(Side::Pirates), Some(from), Some(to)) =
            (side_of(token), setup.area(from), setup.area(to))
        else {
            return;
        };
        // After the last card stands an effect that is none.
        let effect = |side: Side| {
            let row = self.played[side.index()].map_or(KINDS, usize::from).min(KINDS);
            setup.decks[side.index()].effects[row].trail
        };
        let by_card = Side::BOTH.into_iter().find_map(effect);
        match is_renegades_price(setup, (from, to), cost, by_card) {
            Some(true) => self.see(Side::Pirates, token_number(token), RENEGADE),
            Some(false) => {
                let number = token_number(token);
                if !self.heavy.contains(&number) {
                    self.heavy.push(number);
                }
            }
            None => {}
        }
    }

    /// The unit that was seen under a token.
    pub(crate) fn under(&self, side: Side, token: &Name) -> Option<Unit> {
        let number = token_number(token);
        let seen = self.seen.iter().find(|&&(whose, other, _)| (whose, other) == (side, number));
        seen.map(|&(_, _, unit)| unit)
    }

    /// Whether it is remembered that a unit is not the one under a token.
    pub(crate) fn rules_out(&self, unit: Unit, token: &Name) -> bool {
        unit == RENEGADE && self.heavy.contains(&token_number(token))
    }

    /// Whether a pirate that was never seen is known not to be under some token.
    pub(crate) fn rules_out_some(&self, unit: Unit) -> bool {
        unit == RENEGADE && PIRATE_UNITS.contains(unit) && !self.heavy.is_empty()
    }

    /// A hand that a side can have, of so many cards out of those that are left; nothing where any is as likely
    /// as any other.
    pub(crate) fn hand(
        &self,
        side: Side,
        size: u8,
        left: &Counts,
        pick: &mut dyn FnMut(usize) -> Result<usize, Halt>,
    ) -> Result<Option<Counts>, Halt> {
        let Some(hands) = &self.cards[side.index()].hands else { return Ok(None) };
        let fits = |hand: &Counts| {
            hand.iter().sum::<u8>() == size && hand.iter().zip(left).all(|(own, all)| own <= all)
        };
        let fitting: Vec<&(Counts, u64)> = hands.iter().filter(|(hand, _)| fits(hand)).collect();
        let mut shift = 0;
        let weight = |weight: u64, shift: u32| (weight >> shift).max(1);
        let sum = |shift| fitting.iter().map(|(_, it)| weight(*it, shift)).sum::<u64>();
        while sum(shift) > u64::from(u32::MAX) {
            shift += 1;
        }
        let mut at = pick(sum(shift) as usize)? as u64;
        for (hand, it) in fitting {
            let it = weight(*it, shift);
            if at < it {
                return Ok(Some(*hand));
            }
            at -= it;
        }
        Ok(None)
    }

    /// The known lower end of a deck, top first.
    pub(crate) fn lower_end(&self, side: Side) -> &[u8] {
        &self.cards[side.index()].lower
    }
}

/// The side of a token.
fn side_of(token: &Name) -> Option<Side> {
    let letter = token.as_str().bytes().next()?;
    Side::BOTH.into_iter().find(|&side| token_letter(side) == letter)
}

fn take(from: &mut Counts, row: u8) {
    let slot = &mut from[usize::from(row)];
    *slot = slot.saturating_sub(1);
}

fn add(to: &mut Counts, row: u8) {
    to[usize::from(row)] += 1;
}

impl CardMemory {
    fn in_deck(&self) -> usize {
        usize::from(self.left.iter().sum::<u8>().saturating_sub(self.held))
    }

    /// DRG-9.1 A card comes from the deck into the hand.
    fn draw(&mut self, row: Option<u8>) {
        let known = !self.lower.is_empty() && self.lower.len() >= self.in_deck();
        let next = if known { Some(self.lower.remove(0)) } else { row };
        self.held += 1;
        let Some(hands) = &mut self.hands else { return };
        if let Some(row) = next {
            hands.iter_mut().for_each(|(hand, _)| add(hand, row));
            return;
        }
        let mut unknown = self.left;
        self.lower.iter().for_each(|&row| take(&mut unknown, row));
        let mut more: BTreeMap<Counts, u64> = BTreeMap::new();
        for (hand, weight) in hands.iter() {
            for row in 0..KINDS {
                let copies = unknown[row].saturating_sub(hand[row]);
                if copies > 0 {
                    let mut hand = *hand;
                    hand[row] += 1;
                    *more.entry(hand).or_default() += weight * u64::from(copies);
                }
            }
        }
        *hands = heaviest(more.into_iter().collect());
    }

    /// DRG-3.3 A card of the hand is shown and takes effect.
    fn reveal(&mut self, row: u8) {
        take(&mut self.left, row);
        self.held = self.held.saturating_sub(1);
        if let Some(hands) = &mut self.hands {
            hands.retain(|(hand, _)| hand[usize::from(row)] > 0);
            hands.iter_mut().for_each(|(hand, _)| take(hand, row));
        }
    }

    /// DRG-3.7 A card goes back into the deck: it is not in the hand.
    fn give_back(&mut self, row: u8, ordered: bool) {
        if self.hands.is_none() && !self.own {
            self.hands = Some(all_hands(&self.left, self.held));
        }
        add(&mut self.left, row);
        if ordered {
            self.lower.push(row);
        }
    }
}

/// Every hand of so many cards, with the number of ways in which it can be drawn.
fn all_hands(left: &Counts, held: u8) -> Vec<(Counts, u64)> {
    let mut all: Vec<(Counts, u64)> = vec![([0; KINDS], 1)];
    for (row, &copies) in left.iter().enumerate() {
        let rest: u8 = left[row + 1..].iter().sum();
        let mut next = Vec::new();
        for (hand, weight) in all {
            let missing = held.saturating_sub(hand.iter().sum());
            let mut ways = 1;
            for taken in 0..=copies.min(missing) {
                if missing - taken <= rest {
                    let mut hand = hand;
                    hand[row] = taken;
                    next.push((hand, weight * ways));
                }
                ways = ways * u64::from(copies - taken) / u64::from(taken + 1);
            }
        }
        all = heaviest(next);
    }
    all
}

/// The heaviest hands, their weights halved together where they get too big.
fn heaviest(mut hands: Vec<(Counts, u64)>) -> Vec<(Counts, u64)> {
    if hands.len() > HANDS {
        hands.sort_by_key(|&(hand, weight)| (std::cmp::Reverse(weight), hand));
        hands.truncate(HANDS);
    }
    let most = hands.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
    if most > HEAVY {
        let shift = (most / HEAVY).ilog2() + 1;
        hands.iter_mut().for_each(|(_, weight)| *weight = (*weight >> shift).max(1));
    }
    hands
}
