//! The published draw and the published fingerprint against golden vectors.
//!
//! The vectors were made with other implementations (the file says which). They never change: a
//! failure here means that every stored record would replay otherwise.

use serde::Deserialize;
use umpire_engine::chance::fair::{FairDraw, FairPart, FairStage, SERVER, Transcript, commitment};
use umpire_engine::chance::seeded::{Seeded, Stream, key};
use umpire_engine::chance::tape::Tape;
use umpire_engine::chance::{Ask, Chance, EntryOf, Halt, What};
use umpire_engine::digest::{Chain, canonical, fingerprint};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    about: String,
    made_with: String,
    keys: Vec<KeyOf>,
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
#[serde(deny_unknown_fields)]
struct Fair {
    table: String,
    parts: Vec<FairPart>,
    seed: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyOf {
    seed: String,
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    seed: String,
    label: String,
    nonce: String,
    words: Vec<u32>,
    word_9999: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Uniform {
    seed: String,
    label: String,
    n: u32,
    values: Vec<u32>,
    words_taken: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mixed {
    seed: String,
    label: String,
    bounds: Vec<u32>,
    values: Vec<u32>,
    words_taken: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dice {
    seed: String,
    label: String,
    sides: u32,
    values: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pile {
    card: String,
    count: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deck {
    seed: String,
    label: String,
    deck: Vec<Pile>,
    drawn: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shuffled {
    seed: String,
    label: String,
    deck: Vec<Pile>,
    order: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Print {
    value: serde_json::Value,
    canonical: String,
    fingerprint: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../fixtures/chance/vectors.json")).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A seeded chance with one stream of that label. The few labels live as long as the test.
fn seeded(seed: &str, label: &str) -> Seeded {
    let label: &'static str = String::leak(label.to_owned());
    Seeded::new(seed, Vec::leak(vec![label]))
}

fn piles(deck: &[Pile]) -> (Vec<String>, Vec<u8>) {
    deck.iter().map(|pile| (pile.card.clone(), pile.count)).unzip()
}

#[test]
fn the_vectors_say_where_they_come_from() {
    let vectors = vectors();
    assert!(vectors.about.contains("never change"));
    assert!(vectors.made_with.contains("pycryptodome"), "{}", vectors.made_with);
}

#[test]
fn keys_are_spelled_or_hashed() {
    let vectors = vectors();
    assert!(vectors.keys.iter().any(|it| it.seed.starts_with("chacha20:") && it.seed.len() == 73));
    for it in vectors.keys {
        assert_eq!(hex(&key(&it.seed)), it.key, "key of {:?}", it.seed);
    }
}

#[test]
fn streams_give_the_words_of_chacha20() {
    for it in vectors().streams {
        let mut stream = Stream::new(key(&it.seed), &it.label);
        let words: Vec<u32> = (0..it.words.len()).map(|_| stream.word()).collect();
        assert_eq!(words, it.words, "{:?} {:?} nonce {}", it.seed, it.label, it.nonce);
        let last = (it.words.len()..10_000).map(|_| stream.word()).last();
        assert_eq!(last, Some(it.word_9999), "{:?} {:?}", it.seed, it.label);
    }
}

#[test]
fn uniform_picks_reject_as_published() {
    let vectors = vectors();
    let rejecting = vectors.uniform.iter().filter(|it| it.words_taken > it.values.len()).count();
    assert!(rejecting >= 3, "the vectors must show rejections; they show {rejecting}");
    for it in vectors.uniform {
        let mut stream = Stream::new(key(&it.seed), &it.label);
        let values: Vec<u32> = it.values.iter().map(|_| stream.uniform(it.n)).collect();
        assert_eq!(values, it.values, "{:?} n = {}", it.seed, it.n);
        let mut counted = Stream::new(key(&it.seed), &it.label);
        for _ in 0..it.words_taken {
            counted.word();
        }
        assert_eq!(stream.word(), counted.word(), "words taken with n = {}", it.n);
    }
    for it in vectors.mixed {
        let mut stream = Stream::new(key(&it.seed), &it.label);
        let values: Vec<u32> = it.bounds.iter().map(|&n| stream.uniform(n)).collect();
        assert_eq!(values, it.values, "mixed bounds {:?}", it.bounds);
        assert!(it.words_taken > it.values.len());
    }
}

#[test]
fn dice_show_a_pick_plus_one() {
    for it in vectors().dice {
        let mut chance = seeded(&it.seed, &it.label);
        let what = What::Die { at: "test", sides: it.sides };
        let values: Vec<u32> = it
            .values
            .iter()
            .map(|_| chance.answer(&Ask { stream: 0, what }).expect("a seed answers"))
            .collect();
        assert_eq!(values, it.values, "{:?} {} sides", it.seed, it.sides);
    }
}

#[test]
fn cards_are_picked_out_of_what_is_left() {
    for it in vectors().decks {
        let (names, mut counts) = piles(&it.deck);
        let mut chance = seeded(&it.seed, &it.label);
        for (at, expected) in it.drawn.iter().enumerate() {
            let what = What::Card { side: "test", names: &names, counts: &counts };
            let row = chance.answer(&Ask { stream: 0, what }).expect("a seed answers") as usize;
            assert_eq!(&names[row], expected, "card {at} of {:?}", it.seed);
            counts[row] -= 1;
        }
        assert!(counts.iter().all(|&count| count == 0));
    }
}

#[test]
fn shuffles_are_fisher_yates_from_the_last_index_down() {
    for it in vectors().shuffles {
        let (names, counts) = piles(&it.deck);
        let what = What::Card { side: "test", names: &names, counts: &counts };
        let mut chance = seeded(&it.seed, &it.label);
        let rows = chance.shuffle(&Ask { stream: 0, what }).expect("a seed answers");
        let order: Vec<&String> = rows.iter().map(|&row| &names[row as usize]).collect();
        assert_eq!(order, it.order.iter().collect::<Vec<_>>(), "{:?}", it.seed);
    }
}

#[test]
fn fingerprints_are_blake3_of_canonical_json() {
    let vectors = vectors();
    let mut chain = Chain::default();
    assert_eq!(vectors.fingerprints.len(), vectors.chain.len());
    for (it, link) in vectors.fingerprints.iter().zip(&vectors.chain) {
        assert_eq!(String::from_utf8(canonical(&it.value)).as_ref(), Ok(&it.canonical));
        let fingerprint = fingerprint(&it.value);
        assert_eq!(fingerprint.to_string(), it.fingerprint, "canonical form {}", it.canonical);
        assert_eq!(chain.add(fingerprint).to_string(), *link);
    }
}

#[test]
fn a_tape_that_does_not_give_an_order_says_that_one_is_asked_for() {
    let (names, counts) = (vec!["a".to_owned(), "b".to_owned()], [1, 1]);
    let what = What::Card { side: "left", names: &names, counts: &counts };
    let ask = Ask { stream: 0, what };
    let draw = r#"[{"kind": "draw", "side": "left", "card": "a"}]"#;
    let half = r#"[{"kind": "shuffle", "side": "left", "order": ["b"]}]"#;
    for text in ["[]", draw, half] {
        let entries: Vec<EntryOf<'_>> = serde_json::from_str(text).unwrap();
        match Tape::new(&entries).shuffle(&ask) {
            Err(Halt::Mismatch { asked, .. } | Halt::Exhausted { asked, .. }) => {
                assert_eq!(asked, "the order of the deck of side left", "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn fair_draws_hash_what_is_published() {
    let draws = vectors().fair;
    let left_out = |it: &Fair| it.parts.iter().any(|part| part.secret.is_none());
    assert!(draws.iter().any(left_out) && !draws.iter().all(left_out));
    for Fair { table, parts, seed } in draws {
        for part in &parts {
            let Some(secret) = &part.secret else { continue };
            assert_eq!(
                part.commitment,
                Some(commitment(&table, &part.who, secret)),
                "{}",
                part.who
            );
        }
        let seats: Vec<String> = parts[1..].iter().map(|part| part.who.clone()).collect();
        let seats: Vec<&str> = seats.iter().map(String::as_str).collect();
        let transcript = Transcript { table, parts };
        assert_eq!(transcript.seed(), seed);
        assert_eq!(transcript.faults(&seats), Vec::<String>::new());
    }
}

/// A draw carried out step by step ends in the transcript of the vector, and says at each step for whom it waits.
#[test]
fn a_fair_draw_waits_for_all_and_then_gives_its_transcript() {
    for Fair { table, parts, seed } in vectors().fair {
        let (server, seats) = parts.split_first().unwrap();
        assert_eq!(server.who, SERVER);
        let waiting = seats.iter().map(|part| FairPart::of(&*part.who)).collect();
        let secret = server.secret.clone().unwrap();
        let mut draw = FairDraw::new(table.clone(), secret, waiting);
        assert_eq!(Some(draw.server()), server.commitment);
        for (at, part) in seats.iter().enumerate() {
            assert_eq!(
                (draw.stage(), draw.missing().len()),
                (FairStage::Committing, seats.len() - at)
            );
            draw.commit(&part.who, part.commitment.as_deref().unwrap());
        }
        for (at, part) in seats.iter().enumerate() {
            assert_eq!(
                (draw.stage(), draw.missing().len()),
                (FairStage::Revealing, seats.len() - at)
            );
            assert!(draw.transcript().is_none());
            match &part.secret {
                Some(secret) => {
                    assert!(
                        draw.fits(&part.who, secret) && !draw.fits(&part.who, &"00".repeat(32))
                    );
                    draw.reveal(&part.who, secret);
                }
                None => draw.leave_out(&part.who),
            }
        }
        let transcript = draw.transcript().unwrap();
        assert_eq!((transcript.seed(), &transcript.parts), (seed, &parts));
    }
}

#[test]
fn what_is_wrong_with_a_fair_draw_is_named() {
    let fair = |change: &dyn Fn(&mut Vec<FairPart>)| {
        let Fair { table, mut parts, .. } = vectors().fair.swap_remove(0);
        change(&mut parts);
        Transcript { table, parts }.faults(&["dragon", "dwarves"]).join("; ")
    };
    assert_eq!(fair(&|_| ()), "");
    let other = fair(&|parts| parts[2].secret = Some("33".repeat(32)));
    assert_eq!(other, "the secret of dwarves is not the one of its commitment");
    assert!(fair(&|parts| parts[1].commitment = None).contains("dragon opened a secret without"));
    assert!(fair(&|parts| drop(parts.remove(0))).contains("the server must come first"));
    assert!(fair(&|parts| parts.truncate(1)).contains("no player took part"));
    assert!(fair(&|parts| parts.push(parts[1].clone())).contains("dragon stands there twice"));
    assert!(fair(&|parts| parts[0].secret = None).contains("the server must come first"));
    // A seat that gave nothing is no fault: the transcript says so.
    assert_eq!(fair(&|parts| (parts[2].commitment, parts[2].secret) = (None, None)), "");
    // Nor is one that a program plays, as long as it gives nothing.
    assert_eq!(fair(&|parts| parts[2] = FairPart::of_program("dwarves")), "");
    assert_eq!(
        fair(&|parts| parts[2].program = true),
        "a program plays dwarves, and gave a part all the same"
    );
}

/// Whoever writes a record last could otherwise try seed after seed: each of these gives another one.
#[test]
fn a_fair_draw_names_just_the_seats_in_use_in_their_order() {
    let Fair { table, parts, seed } = vectors().fair.swap_remove(0);
    let whole = Transcript { table, parts };
    let judged = |change: &dyn Fn(&mut Vec<FairPart>)| {
        let mut changed = whole.clone();
        change(&mut changed.parts);
        assert_ne!(changed.seed(), seed);
        changed.faults(&["dragon", "dwarves"]).join("; ")
    };
    let stranger = |name: &str| {
        let secret = Some("77".repeat(32));
        let commitment = Some(commitment(&whole.table, name, "77".repeat(32).as_str()));
        FairPart { commitment, secret, ..FairPart::of(name) }
    };
    let one_more = judged(&|parts| parts.push(stranger("anybody")));
    assert_eq!(one_more, "\"anybody\" is no seat that is in use");
    let long = judged(&|parts| parts.push(FairPart::of("x".repeat(9_000))));
    assert!(long.len() < 100 && long.contains("xxx"), "{long}");
    let dropped = judged(&|parts| drop(parts.remove(2)));
    assert_eq!(dropped, "dwarves is missing: a seat that gave nothing stands there as left out");
    let permuted = judged(&|parts| parts.swap(1, 2));
    assert_eq!(permuted, "the seats stand there out of order: dwarves, dragon");
    let renamed = judged(&|parts| parts[2].who = "goblins".to_owned());
    assert!(renamed.contains("goblins") && renamed.contains("dwarves is missing"), "{renamed}");
    // The same transcript in a game where another seat is in use.
    assert_eq!(
        whole.faults(&["dragon", "elves", "dwarves"]),
        ["elves is missing: a seat that gave nothing stands there as left out"]
    );
}

/// The seed does not depend on a seat that a program plays, which gives nothing.
#[test]
fn a_program_takes_no_part_in_a_fair_draw() {
    let (table, secret) = ("a table".to_owned(), "11".repeat(32));
    let parts = vec![FairPart::of_program("dragon"), FairPart::of("dwarves")];
    let mut draw = FairDraw::new(table.clone(), "00".repeat(32), parts);
    assert_eq!(draw.missing(), ["dwarves"]);
    draw.commit("dwarves", &commitment(&table, "dwarves", &secret));
    draw.reveal("dwarves", &secret);
    let transcript = draw.transcript().unwrap();
    assert_eq!(transcript.faults(&["dragon", "dwarves"]), Vec::<String>::new());
    let mut without = transcript.clone();
    without.parts.remove(1);
    assert_eq!(transcript.seed(), without.seed());
    assert!(without.faults(&["dragon", "dwarves"])[0].starts_with("dragon is missing"));
}
