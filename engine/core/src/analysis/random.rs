//! Random numbers for analysis, and what falls while a line is thought through.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): fast, the same everywhere, and no part of any record. This module must
//! not be asked where a record's own chance is meant ([`crate::chance::seeded`] is that).

use crate::chance::{Ask, Chance, Halt, What, seeded};
use crate::game::Observer;

/// A stream of random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed with this number.
    pub fn new(seed: &str, number: u64) -> Self {
        let key = seeded::key(seed);
        let start =
            u64::from_le_bytes([key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]]);
        Random(mix(start, number))
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        finish(self.0)
    }

    /// A number below `n`; 0 where `n` is 0. The bias is below `n` / 2^64.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }
}

/// The last step of SplitMix64: every bit of the word depends on every bit.
const fn finish(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Two words made one.
pub(super) const fn mix(a: u64, b: u64) -> u64 {
    finish(a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Chance for Random {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        Ok(match ask.what {
            What::Card { counts, .. } => {
                let all: u64 = counts.iter().map(|&count| u64::from(count)).sum();
                let pick = self.below(all);
                let (mut end, mut row) = (0, 0);
                for &count in counts {
                    end += u64::from(count);
                    row += u32::from(end <= pick);
                }
                if row as usize == counts.len() { 0 } else { row }
            }
            What::Die { sides, .. } => self.below(u64::from(sides)) as u32 + 1,
            What::Among { values, .. } => self.below(values.len() as u64) as u32,
            What::Hidden { n } => self.below(u64::from(n)) as u32,
        })
    }
}

/// Random chance that notes how often it was asked.
pub(super) struct Counting<'a> {
    pub(super) random: &'a mut Random,
    pub(super) asked: u32,
}

impl Chance for Counting<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        self.asked += 1;
        self.random.answer(ask)
    }
}

/// Chance that notes what an observer sees fall: dice, and the cards that come to nobody else's hand.
pub(super) struct Falling<'a, C> {
    pub(super) chance: &'a mut C,
    pub(super) observer: Observer,
    pub(super) seats: &'static [&'static str],
    /// What was seen so far.
    pub(super) seen: u64,
    /// Whether anything else fell.
    pub(super) hidden: bool,
}

impl<C> Falling<'_, C> {
    fn note(&mut self, ask: &Ask<'_>, answer: u32) {
        let seen = match ask.what {
            What::Card { side, .. } => match self.seats.iter().position(|&seat| seat == side) {
                Some(owner) => self.observer.sees(crate::game::Seat::at(owner)),
                None => true,
            },
            What::Die { .. } | What::Among { .. } => true,
            What::Hidden { .. } => false,
        };
        if seen {
            self.seen = mix(self.seen, u64::from(answer) + 1);
        }
        self.hidden |= !seen;
    }
}

impl<C: Chance> Chance for Falling<'_, C> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        let answer = self.chance.answer(ask)?;
        self.note(ask, answer);
        Ok(answer)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.note(ask, row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_fall_as_often_as_there_are_of_them() {
        let mut random = Random::new("cards", 0);
        let names: Vec<String> = Vec::new();
        let what = What::Card { side: "", names: &names, counts: &[1, 0, 3] };
        let mut seen = [0u32; 3];
        for _ in 0..40_000 {
            let row = random.answer(&Ask { stream: 0, what }).expect("random never halts");
            seen[row as usize] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((9_500..10_500).contains(&seen[0]), "{seen:?}");
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let words = |seed, number| {
            let mut random = Random::new(seed, number);
            [random.word(), random.word()]
        };
        assert_ne!(words("a", 0), words("a", 1));
        assert_ne!(words("a", 0), words("b", 0));
        assert_eq!(words("a", 7), words("a", 7));
    }
}
