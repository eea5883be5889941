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
/// assert_eq!(umpire_engine::chance::seeded::key(&spelled), [0; 32]);
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
        let (key, label) = (self.key, self.labels.get(at).copied().unwrap_or(""));
        match self.streams.get_mut(at) {
            Some(slot) => slot.get_or_insert_with(|| Box::new(Stream::new(key, label))).uniform(n),
            None => Stream::new(key, label).uniform(n),
        }
    }
}

impl Chance for Seeded {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        Ok(match ask.what {
            What::Card { counts, .. } => {
                let left = counts.iter().map(|&count| u32::from(count)).sum();
                let mut pick = self.uniform(ask.stream, left);
                let mut answer = 0;
                for (row, &count) in counts.iter().enumerate() {
                    if pick < u32::from(count) {
                        answer = row as u32;
                        break;
                    }
                    pick -= u32::from(count);
                }
                answer
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
}
