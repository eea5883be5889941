//! The published seeded draw, the same in every language and for ever.
//!
//! Key: a seed `chacha20:` + 64 hex digits is the key itself, any other string is hashed with
//! SHA-256. Stream: ChaCha20 with the original 64-bit nonce, which is the first 8 bytes,
//! little-endian, of SHA-256(label); 64-bit block counter from 0; words are little-endian u32.
//! Golden vectors lie in `fixtures/chance/vectors.json`. A changed value here is a breaking
//! change of every stored record; it must not happen.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use super::{Ask, Chance, Halt, What};

/// The key of a seed.
///
/// ```
/// let spelled = format!("chacha20:{}", "0".repeat(64));
/// assert_eq!(umpire_core::chance::seeded::key(&spelled), [0; 32]);
/// ```
pub fn key(seed: &str) -> [u8; 32] {
    spelled_key(seed).unwrap_or_else(|| Sha256::digest(seed.as_bytes()).into())
}

fn spelled_key(seed: &str) -> Option<[u8; 32]> {
    let digits = seed.strip_prefix("chacha20:")?.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = (high * 16 + low) as u8;
    }
    Some(key)
}

/// One stream of words.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// The stream of a label under a key, from its first word.
    pub fn new(key: [u8; 32], label: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(label.as_bytes()).into();
        let mut nonce = [0; 8];
        nonce.copy_from_slice(&digest[..8]);
        let mut words = ChaCha20Rng::from_seed(key);
        words.set_stream(u64::from_le_bytes(nonce));
        Stream(words)
    }

    /// The next word.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniform pick of 0 … n − 1 without bias (Lemire's multiplication). `n` = 0 is read as 1;
    /// `uniform(1)` still takes a word.
    pub fn uniform(&mut self, n: u32) -> u32 {
        let n = n.max(1);
        let mut product = u64::from(self.word()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.word()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }
}

/// Answers from a seed.
#[derive(Clone, Debug)]
pub struct Seeded {
    key: [u8; 32],
    labels: &'static [&'static str],
    streams: Vec<Option<Box<Stream>>>,
}

impl Seeded {
    /// Answers from a seed, with the stream labels of a game.
    pub fn new(seed: &str, labels: &'static [&'static str]) -> Self {
        Seeded { key: key(seed), labels, streams: vec![None; labels.len()] }
    }

    fn uniform(&mut self, stream: u8, n: u32) -> u32 {
        let at = usize::from(stream);
        if let Some(Some(words)) = self.streams.get_mut(at) {
            return words.uniform(n);
        }
        let mut words = Stream::new(self.key, self.labels.get(at).copied().unwrap_or(""));
        let picked = words.uniform(n);
        if let Some(slot) = self.streams.get_mut(at) {
            *slot = Some(Box::new(words));
        }
        picked
    }
}

/// The row that card number `pick` lies in: the number of rows that end before it. Counts without
/// a branch, for where a random pick falls no processor can foresee. Row 0 of an empty deck.
fn row(counts: &[u8], pick: u32) -> u32 {
    let mut end = 0;
    let mut row = 0;
    for &count in counts {
        end += u32::from(count);
        row += u32::from(end <= pick);
    }
    if row as usize == counts.len() { 0 } else { row }
}

impl Chance for Seeded {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        Ok(match ask.what {
            What::Card { counts, .. } => {
                let left = counts.iter().map(|&count| u32::from(count)).sum();
                row(counts, self.uniform(ask.stream, left))
            }
            What::Die { sides, .. } => self.uniform(ask.stream, sides) + 1,
            What::Among { values, .. } => self.uniform(ask.stream, values.len() as u32),
            What::Hidden { n } => self.uniform(ask.stream, n),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_only_looks_like_a_key_is_hashed() {
        let short = "chacha20:00";
        assert_eq!(key(short), <[u8; 32]>::from(Sha256::digest(short.as_bytes())));
        let odd = format!("chacha20:{}", "z".repeat(64));
        assert_eq!(key(&odd), <[u8; 32]>::from(Sha256::digest(odd.as_bytes())));
    }

    #[test]
    fn every_answer_stays_below_its_bound() {
        let mut stream = Stream::new(key("bounds"), "test");
        for n in [1, 2, 3, 38, 1 << 31, (1 << 31) + 1, u32::MAX] {
            for _ in 0..1000 {
                assert!(stream.uniform(n) < n);
            }
        }
    }

    #[test]
    fn a_pick_lies_in_the_row_of_its_card() {
        for counts in [&[][..], &[0], &[3], &[0, 2, 0, 0, 255, 1, 0], &[5, 5, 4, 4, 2, 2]] {
            let cards: Vec<usize> = (counts.iter().enumerate())
                .flat_map(|(row, &count)| std::iter::repeat_n(row, usize::from(count)))
                .collect();
            for (pick, &card) in cards.iter().enumerate() {
                assert_eq!(row(counts, pick as u32) as usize, card, "{pick} of {counts:?}");
            }
        }
        assert_eq!(row(&[0, 0], 0), 0, "an empty deck");
    }
}
