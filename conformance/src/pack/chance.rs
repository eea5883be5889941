//! This engine against the golden vectors of a pack: keys, streams, picks, cards, fingerprints, fair draws.
//!
//! Only what another engine would run: the same few steps, from the published description. This
//! module must not make vectors.

use serde::Deserialize;
use serde_json::Value;
use umpire_engine::chance::fair::{FairPart, Transcript, commitment};
use umpire_engine::chance::seeded::{Stream, key};
use umpire_engine::digest::{Chain, canonical, fingerprint};

#[derive(Deserialize)]
struct Vectors {
    keys: Vec<Key>,
    streams: Vec<Words>,
    uniform: Vec<Uniform>,
    mixed: Vec<Mixed>,
    dice: Vec<Dice>,
    decks: Vec<Deck>,
    shuffles: Vec<Shuffled>,
    fingerprints: Vec<Print>,
    chain: Vec<String>,
    fair: Vec<Fair>,
}

#[derive(Deserialize)]
struct Fair {
    table: String,
    parts: Vec<FairPart>,
    seed: String,
}

#[derive(Deserialize)]
struct Key {
    seed: String,
    key: String,
}

#[derive(Deserialize)]
struct Words {
    seed: String,
    label: String,
    words: Vec<u32>,
}

#[derive(Deserialize)]
struct Uniform {
    seed: String,
    label: String,
    n: u32,
    values: Vec<u32>,
}

#[derive(Deserialize)]
struct Mixed {
    seed: String,
    label: String,
    bounds: Vec<u32>,
    values: Vec<u32>,
}

#[derive(Deserialize)]
struct Dice {
    seed: String,
    label: String,
    sides: u32,
    values: Vec<u32>,
}

#[derive(Deserialize)]
struct Deck {
    seed: String,
    label: String,
    deck: Vec<Pile>,
    drawn: Vec<String>,
}

#[derive(Deserialize)]
struct Shuffled {
    seed: String,
    label: String,
    deck: Vec<Pile>,
    order: Vec<String>,
}

#[derive(Deserialize)]
struct Pile {
    card: String,
    count: usize,
}

#[derive(Deserialize)]
struct Print {
    value: Value,
    canonical: String,
    fingerprint: String,
}

/// The cards of a deck in the order of its table.
fn cards(deck: &[Pile]) -> Vec<&str> {
    deck.iter().flat_map(|pile| std::iter::repeat_n(pile.card.as_str(), pile.count)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A number of cards or bounds as the draw takes it.
fn size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What comes out otherwise than the vectors say.
///
/// # Errors
///
/// Says why they cannot be read.
pub fn check(text: &str) -> Result<Vec<String>, String> {
    let vectors: Vectors = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut faults = Vec::new();
    let mut same = |at: String, same: bool| {
        if !same {
            faults.push(format!("{at}: another value is expected"));
        }
    };
    let stream = |seed: &str, label: &str| Stream::new(key(seed), label);
    for (at, it) in vectors.keys.iter().enumerate() {
        same(format!("keys/{at}"), hex(&key(&it.seed)) == it.key);
    }
    for (at, it) in vectors.streams.iter().enumerate() {
        let mut stream = stream(&it.seed, &it.label);
        same(format!("streams/{at}"), it.words.iter().all(|word| stream.word() == *word));
    }
    for (at, it) in vectors.uniform.iter().enumerate() {
        let mut stream = stream(&it.seed, &it.label);
        let fits = it.n > 0 && it.values.iter().all(|value| stream.uniform(it.n) == *value);
        same(format!("uniform/{at}"), fits);
    }
    for (at, it) in vectors.mixed.iter().enumerate() {
        let mut stream = stream(&it.seed, &it.label);
        let mut pairs = it.bounds.iter().zip(&it.values);
        same(format!("mixed/{at}"), pairs.all(|(n, value)| *n > 0 && stream.uniform(*n) == *value));
    }
    for (at, it) in vectors.dice.iter().enumerate() {
        let mut stream = stream(&it.seed, &it.label);
        let mut values = it.values.iter();
        let fits = it.sides > 0 && values.all(|value| stream.uniform(it.sides) + 1 == *value);
        same(format!("dice/{at}"), fits);
    }
    for (at, it) in vectors.decks.iter().enumerate() {
        let (mut stream, mut left) = (stream(&it.seed, &it.label), cards(&it.deck));
        let fits = it.drawn.iter().all(|card| {
            !left.is_empty() && left.remove(stream.uniform(size(left.len())) as usize) == card
        });
        same(format!("decks/{at}"), fits);
    }
    for (at, it) in vectors.shuffles.iter().enumerate() {
        let (mut stream, mut order) = (stream(&it.seed, &it.label), cards(&it.deck));
        for last in (1..order.len()).rev() {
            order.swap(last, stream.uniform(size(last + 1)) as usize);
        }
        same(format!("shuffles/{at}"), order == it.order);
    }
    let mut chain = Chain::default();
    for (at, it) in vectors.fingerprints.iter().enumerate() {
        let fingerprint = fingerprint(&it.value);
        let fits = canonical(&it.value) == it.canonical.as_bytes();
        same(format!("fingerprints/{at}"), fits && fingerprint.to_string() == it.fingerprint);
        let link = chain.add(fingerprint).to_string();
        same(format!("chain/{at}"), vectors.chain.get(at) == Some(&link));
    }
    for (at, Fair { table, parts, seed }) in vectors.fair.into_iter().enumerate() {
        let holds = |part: &FairPart| match (&part.commitment, &part.secret) {
            (Some(given), Some(secret)) => *given == commitment(&table, &part.who, secret),
            _ => true,
        };
        let opened = parts.iter().all(holds);
        same(format!("fair/{at}"), opened && Transcript { table, parts }.seed() == seed);
    }
    Ok(faults)
}
