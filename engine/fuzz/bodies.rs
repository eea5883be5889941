//! What fuzzing demands of the engine, whatever the bytes: no panic, the same answer twice, and a
//! refusal that leaves the fingerprint alone.
//!
//! Used by the libFuzzer targets beside this file and, bounded, by a test of the engine.

#![allow(dead_code, unreachable_pub, reason = "each user needs a part of it")]

use std::sync::Arc;

use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::digest::fingerprint;
use umpire_engine::game::{
    Count, FullGame, Keep, Nth, Observer, Seat, Stop, Table, TableSetup, Visitor,
};
use umpire_engine::games::{GAMES, find, visit};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{LegalQuery, Status};
use umpire_engine::replay::{Include, Limits, Query};

const LIMITS: Limits<'_> =
    Limits { actions: 2000, listed: 2000, part: usize::MAX, budget: Budget::UNLIMITED };

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("answers serialise")
}

/// Reads the bytes as a record and asks everything that can be asked of it.
pub fn record(data: &[u8]) {
    let record = match RawRecord::read(data) {
        Ok(record) => record,
        Err(fault) => {
            assert_eq!(RawRecord::read(data).err(), Some(fault), "another fault the second time");
            return;
        }
    };
    let Some(game) = find(&record.game) else { return };
    let verdict = match game.judge(&record, LIMITS) {
        Ok(judgement) => judgement,
        Err(fault) => {
            assert_eq!(game.judge(&record, LIMITS).err(), Some(fault), "another fault");
            let query = Query { limits: LIMITS, ..Query::default() };
            assert!(game.replay(&record, &query).is_err(), "no verdict, but a report");
            return;
        }
    };
    let again = game.judge(&record, LIMITS).expect("a verdict the second time");
    assert_eq!(json(&verdict), json(&again), "another verdict the second time");
    refusal_leaves_no_trace(
        game,
        data,
        &record,
        verdict.verdict.plies,
        &json(&verdict.fingerprint),
    );
    let include = Include {
        events: true,
        states: true,
        tape: true,
        fingerprints: true,
        explain: true,
        chapters: true,
        text: true,
        legal: true,
        scene: true,
    };
    let seats = (0..game.meta().seats.len()).map(|seat| Observer::Seat(Seat(seat as u8)));
    for viewer in seats.chain([Observer::Referee, Observer::Spectator]) {
        let query = Query { viewer, ply: None, include, limits: LIMITS };
        let report = game.replay(&record, &query).expect("a verdict, but no report");
        assert_eq!(report.verdict.status, verdict.verdict.status, "{viewer:?}");
        assert_eq!(report.verdict.plies, verdict.verdict.plies, "{viewer:?}");
        if viewer != Observer::Referee {
            assert!(report.tape.is_none() && report.fingerprint.is_none(), "{viewer:?}");
        }
        let legal = game
            .legal(&record, &query, LegalQuery::COUNT)
            .expect("a verdict, but no legal actions");
        assert_eq!(legal.ply, verdict.verdict.plies, "{viewer:?}");
    }
    for viewer in [Observer::Referee, Observer::Spectator] {
        let _ = game.story(&record, viewer, LIMITS);
    }
    let _ = game.cited(&record);
}

/// The good prefix alone leads to the same state as the whole with its fault.
fn refusal_leaves_no_trace(
    game: &dyn AnyGame,
    data: &[u8],
    record: &RawRecord<'_>,
    plies: u32,
    print: &str,
) {
    let actions: Vec<&RawValue> =
        serde_json::from_str(record.actions.get()).expect("a verdict, but no actions");
    assert!(plies as usize <= actions.len());
    let text = std::str::from_utf8(data).expect("a record is text");
    let kept: Vec<&str> = actions.iter().take(plies as usize).map(|it| it.get()).collect();
    // The raw text of the list stands in the record as it is, so it can be cut out of it.
    let start = record.actions.get().as_ptr() as usize - text.as_ptr() as usize;
    let end = start + record.actions.get().len();
    let short = format!("{}[{}]{}", &text[..start], kept.join(","), &text[end..]);
    let record = RawRecord::read(short.as_bytes()).expect("a record without its last actions");
    let prefix = game.judge(&record, LIMITS).expect("a verdict on the good prefix");
    assert_eq!(json(&prefix.fingerprint), print, "the fault left a trace");
    assert_eq!(prefix.verdict.plies, plies);
    assert_ne!(prefix.verdict.status, Status::Illegal, "the good prefix is illegal");
}

/// Bytes that are used up one by one; zeros after their end.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        let wide = u64::from(self.next()) << 16 | u64::from(self.next()) << 8;
        (wide | u64::from(self.next())) % n.max(1)
    }
}

/// Plays a game by the bytes: legal actions, damaged ones, and actions of the wrong seat.
pub fn actions(data: &[u8]) {
    let Some((game, rest)) = data.split_first() else { return };
    if GAMES.is_empty() {
        return;
    }
    visit(&mut Play { number: usize::from(*game) % GAMES.len(), bytes: Bytes { rest } });
}

struct Play<'a> {
    /// How many games to pass over before the one to be played.
    number: usize,
    bytes: Bytes<'a>,
}

impl Visitor for Play<'_> {
    fn game<G: FullGame>(&mut self) {
        match self.number.checked_sub(1) {
            Some(less) => self.number = less,
            None => {
                self.number = usize::MAX;
                play::<G>(&mut self.bytes);
            }
        }
    }
}

fn play<G: FullGame>(bytes: &mut Bytes<'_>) {
    let seed = format!("fuzz {}", bytes.next());
    let mut chance = Seeded::new(&seed, G::META.streams);
    let Ok(setup) = G::Setup::from_options(G::Options::default(), &mut chance) else { return };
    let opened = Table::<G>::open(Arc::new(setup), &mut chance, Keep::Nothing);
    let Ok(mut table) = opened else { panic!("{}: no opening", G::META.id) };
    let mut played: Vec<String> = Vec::new();
    let mut refused = None;
    while !bytes.rest.is_empty() && played.len() < 200 {
        let deciding: Vec<Seat> = table.decision().seats.iter().collect();
        if deciding.is_empty() {
            break;
        }
        let seat = deciding[bytes.below(deciding.len() as u64) as usize];
        let Some(action) = choose(&table, seat, bytes) else { break };
        let damage = bytes.next().is_multiple_of(4);
        let mut text = json(&action).into_bytes();
        if damage {
            for _ in 0..=bytes.next() % 3 {
                spoil(&mut text, bytes);
            }
        }
        let Ok(action) = serde_json::from_slice::<G::Action>(&text) else { continue };
        let before = fingerprint(&table.view(Observer::Referee));
        match table.play(&action, &mut chance) {
            Ok(()) => {
                played.push(json(&action));
                refused = None;
            }
            Err(Stop::Refused(_)) => {
                assert!(damage, "{}: offered, but refused: {}", G::META.id, json(&action));
                let after = fingerprint(&table.view(Observer::Referee));
                assert_eq!(before, after, "a refusal left a trace");
                refused = Some(json(&action));
            }
            Err(Stop::Chance { halt, .. }) => panic!("{}: {halt:?}", G::META.id),
        }
    }
    let print = json(&fingerprint(&table.view(Observer::Referee)));
    for last in [None, refused] {
        let actions: Vec<String> = played.iter().cloned().chain(last.clone()).collect();
        let text = format!(
            r#"{{"format":"umpire/1","game":"{}","chance":{{"seed":"{seed}"}},"actions":[{}]}}"#,
            G::META.id,
            actions.join(",")
        );
        let parsed = RawRecord::read(text.as_bytes()).expect("a record");
        let game = find(G::META.id).expect("a registered game");
        let judgement = game.judge(&parsed, LIMITS).expect("a verdict");
        assert_eq!(json(&judgement.fingerprint), print, "{}", G::META.id);
        assert_eq!(judgement.verdict.plies as usize, played.len());
        assert_eq!(judgement.verdict.status == Status::Illegal, last.is_some());
    }
}

fn choose<G: FullGame>(table: &Table<G>, seat: Seat, bytes: &mut Bytes<'_>) -> Option<G::Action> {
    let mut count = Count::default();
    let _ = table.legal(seat, &mut count);
    if count.actions == 0 {
        return None;
    }
    let mut nth = Nth::new(bytes.below(count.actions));
    let _ = table.legal(seat, &mut nth);
    nth.found
}

/// Changes a text in one place.
fn spoil(text: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    const TOKENS: [&[u8]; 10] =
        [b"0", b"1", b"9", b"-1", b"255", b"null", b"[]", b"{}", b"\"\"", b"4294967296"];
    let at = bytes.below(text.len() as u64 + 1) as usize;
    match bytes.next() % 5 {
        0 => drop(text.splice(at..at, TOKENS[usize::from(bytes.next()) % 10].iter().copied())),
        1 => text.truncate(at),
        2 if at < text.len() => text[at] = bytes.next(),
        3 if at < text.len() => text[at] = b'0' + bytes.next() % 10,
        4 if at < text.len() => {
            let end = (at + 1 + usize::from(bytes.next() % 12)).min(text.len());
            text.drain(at..end);
        }
        _ => {}
    }
}

/// Changes a text in a few places, as the bytes say: how a test spoils whole records.
pub fn spoiled(text: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    let mut bytes = Bytes { rest: bytes };
    for _ in 0..=bytes.next() % 4 {
        spoil(&mut text, &mut bytes);
    }
    text
}
