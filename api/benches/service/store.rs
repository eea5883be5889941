//! How fast the store takes records, beside the fastest honest thing that could be done instead:
//! append the same bytes to a file and sync it, one record after the other.
//!
//! Run with `cargo bench -p umpire-api -- store`; a directory after it says which disk to measure.
//! This must not assert anything: it prints figures.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use umpire_api::store::{NewRecord, RecordId, Status, Store, Summary, sqlite::SqliteStore};

/// How many records each figure is taken over.
const RECORDS: usize = 6_000;

/// How many submit at the same time.
const SUBMITTERS: usize = 64;

/// How many records a batch has.
const BATCH: usize = 500;

/// Measures the store, in a folder of the caller's choice.
pub(crate) fn measure(given: Option<PathBuf>) {
    let given = given.unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    let directory = tempfile::tempdir_in(given).expect("a directory to measure in");
    let directory = directory.path();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime");

    let mut draw = Draw(1549);
    let sample: Vec<NewRecord> = (0..200).map(|_| record(&mut draw)).collect();
    let bytes: usize = sample.iter().map(|record| record.record.len()).sum();
    println!("records of {} bytes on average", bytes / sample.len());
    compression(&sample);

    for round in 1..=3 {
        println!("round {round}");
        let records = fresh(&mut draw);
        let bare = append(&directory.join(format!("{round}.bare")), &records[..records.len() / 4]);
        println!("  append and fdatasync, one after the other: {bare:>8.0} records/s");

        let path = directory.join(format!("{round}.sqlite"));
        let store = Arc::new(SqliteStore::open(&path).expect("a store"));
        let (rate, waits) = runtime.block_on(single(&store, records));
        println!(
            "  {SUBMITTERS} submitters, one record a request:        {rate:>8.0} records/s, {:.2} times bare; \
             ack p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
            rate / bare,
            percentile(&waits, 50),
            percentile(&waits, 99),
            percentile(&waits, 100),
        );

        let records = fresh(&mut draw);
        let rate = runtime.block_on(batches(&store, records));
        println!(
            "  batches of {BATCH}, one after the other:       {rate:>8.0} records/s, {:.2} times bare",
            rate / bare
        );
        store.close().expect("a store that closes");
        let size = path.metadata().map_or(0, |file| file.len());
        println!("  {} bytes a record in the file", size / (2 * RECORDS as u64));
    }
}

/// Records that no store has seen.
fn fresh(draw: &mut Draw) -> Vec<NewRecord> {
    (0..RECORDS).map(|_| record(draw)).collect()
}

/// Appends each record to a file and syncs it; gives records a second.
fn append(path: &Path, records: &[NewRecord]) -> f64 {
    let mut file = OpenOptions::new().create(true).append(true).open(path).expect("a file");
    let start = Instant::now();
    for record in records {
        file.write_all(record.record.as_bytes()).and_then(|()| file.sync_data()).expect("a write");
    }
    rate(records.len(), start.elapsed())
}

/// Inserts records one by one from many submitters; gives records a second, and every wait.
async fn single(store: &Arc<SqliteStore>, records: Vec<NewRecord>) -> (f64, Vec<Duration>) {
    let records = Arc::new(records);
    let next = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let submitters: Vec<_> = (0..SUBMITTERS)
        .map(|_| {
            let (store, records, next) =
                (Arc::clone(store), Arc::clone(&records), Arc::clone(&next));
            tokio::spawn(async move {
                let mut waits = Vec::new();
                while let Some(record) = records.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    store.insert(vec![record.clone()]).await.expect("an insert");
                    waits.push(start.elapsed());
                }
                waits
            })
        })
        .collect();
    let mut waits = Vec::new();
    for submitter in submitters {
        waits.extend(submitter.await.expect("a submitter"));
    }
    let rate = rate(records.len(), start.elapsed());
    waits.sort_unstable();
    (rate, waits)
}

/// Inserts records in large requests, one after the other; gives records a second.
async fn batches(store: &SqliteStore, records: Vec<NewRecord>) -> f64 {
    let start = Instant::now();
    let count = records.len();
    let mut records = records.into_iter().peekable();
    while records.peek().is_some() {
        store.insert(records.by_ref().take(BATCH).collect()).await.expect("an insert");
    }
    rate(count, start.elapsed())
}

/// What zstd makes of the records, at several levels.
fn compression(sample: &[NewRecord]) {
    let texts: Vec<&[u8]> = sample.iter().map(|record| record.record.as_bytes()).collect();
    let (known, unknown) = texts.split_at(texts.len() / 2);
    for level in [1, 3, 6, 9] {
        let compressor = zstd::bulk::Compressor::new(level).expect("a compressor");
        report(
            &format!("zstd level {level}"),
            unknown,
            compressor,
            zstd::bulk::Decompressor::new().expect("one"),
        );
    }
    // Whole records as a dictionary, which needs no training and is about as good here.
    let dictionary: Vec<u8> = known.iter().take(6).copied().flatten().copied().collect();
    for level in [1, 3] {
        let compressor =
            zstd::bulk::Compressor::with_dictionary(level, &dictionary).expect("a compressor");
        let decompressor =
            zstd::bulk::Decompressor::with_dictionary(&dictionary).expect("a decompressor");
        report(
            &format!("zstd level {level}, dictionary of {} bytes", dictionary.len()),
            unknown,
            compressor,
            decompressor,
        );
    }
}

fn report(
    name: &str,
    texts: &[&[u8]],
    mut compressor: zstd::bulk::Compressor<'_>,
    mut decompressor: zstd::bulk::Decompressor<'_>,
) {
    let rounds = 10;
    let start = Instant::now();
    let mut size = 0;
    for _ in 0..rounds {
        size = texts.iter().map(|text| compressor.compress(text).expect("a frame").len()).sum();
    }
    let packing = start.elapsed() / rounds / texts.len() as u32;
    let packed: Vec<Vec<u8>> =
        texts.iter().map(|text| compressor.compress(text).expect("a frame")).collect();
    let start = Instant::now();
    for (packed, text) in packed.iter().zip(texts) {
        decompressor.decompress(packed, text.len()).expect("a text");
    }
    let unpacking = start.elapsed() / texts.len() as u32;
    println!(
        "  {name}: {} bytes, packed in {packing:.1?}, unpacked in {unpacking:.1?}",
        size / texts.len()
    );
}

fn rate(records: usize, time: Duration) -> f64 {
    records as f64 / time.as_secs_f64()
}

/// A percentile of sorted waits, in milliseconds.
fn percentile(waits: &[Duration], percent: usize) -> f64 {
    waits[(waits.len() - 1) * percent / 100].as_secs_f64() * 1e3
}

/// A small generator of numbers (SplitMix64): the same records in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn hex(&mut self) -> String {
        format!("[{}, {}]", self.below(7) as i64 - 3, self.below(7) as i64 - 3)
    }
}

/// A record of 200 actions, as a game at a table would give it.
fn record(draw: &mut Draw) -> NewRecord {
    let dwarves = ["fury", "archery", "net"];
    let names = [
        "Anna", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Giulia", "Ivo", "Lucia", "Marco",
        "Nadia",
    ];
    let events =
        ["club night", "autumn league", "club championship", "open table", "final of the league"];
    let actions: Vec<String> = (0..200)
        .map(|_| {
            let (card, hex) = (draw.below(19) + 1, draw.hex());
            match draw.below(9) {
                0 => r#"{"type":"draw","player":"dragon"}"#.to_owned(),
                1 => format!(
                    r#"{{"type":"play","player":"dragon","card":"dr{card:02}","use":"fire","direction":{}}}"#,
                    draw.below(6)
                ),
                2 => format!(r#"{{"type":"play","player":"dragon","card":"dr{card:02}","use":"flight","to":{hex}}}"#),
                3 => format!(
                    r#"{{"type":"play","player":"dwarves","card":"dw{card:02}","use":"two_move","moves":[{{"figure":"{}","to":{hex}}},{{"figure":"{}","to":{}}}]}}"#,
                    draw.one(&dwarves), draw.one(&dwarves), draw.hex()
                ),
                4 => format!(
                    r#"{{"type":"defend","player":"dragon","blocks":[{{"card":"dr{card:02}","against":"{}"}}]}}"#,
                    draw.one(&dwarves)
                ),
                5 => format!(
                    r#"{{"type":"assign_wounds","player":"dwarves","flight":{},"movement":{},"fire":{}}}"#,
                    draw.below(3), draw.below(3), draw.below(2)
                ),
                6 => format!(
                    r#"{{"type":"play","player":"dragon","card":"dr{card:02}","use":"attack","target":"{}"}}"#,
                    draw.one(&dwarves)
                ),
                _ => format!(
                    r#"{{"type":"play","player":"dwarves","card":"dw{card:02}","use":"two_attack","attackers":["{}","{}"]}}"#,
                    draw.one(&dwarves), draw.one(&dwarves)
                ),
            }
        })
        .collect();
    let (dragon, dwarf) = (draw.one(&names), draw.one(&names));
    let (event, date, table) = (draw.one(&events), draw.below(28) + 1, draw.below(40));
    let seed = draw.below(u64::MAX);
    let winner = draw.one(&["dragon", "dwarves"]);
    let record = format!(
        r#"{{"format":"umpire/1","game":"drako","ruleset":"drako@1","options":{{"placement":"fixed","rulings":{{"DRK-R1":"deck_empty"}}}},"players":{{"dragon":"{dragon}","dwarves":"{dwarf}"}},"chance":{{"seed":"{seed:016x}"}},"position":null,"actions":[{}],"claims":{{"outcome":{{"winner":"{winner}"}}}},"meta":{{"event":"{event}","date":"2026-11-{date:02}","table":"{table}"}}}}"#,
        actions.join(",")
    );
    NewRecord {
        id: RecordId::from_bytes(*blake3::hash(record.as_bytes()).as_bytes()),
        record,
        summary: Summary {
            game: "drako".to_owned(),
            ruleset: "drako@1".to_owned(),
            status: Status::Complete,
            plies: 200,
            winner: Some(winner.to_owned()),
            reason: Some("dwarves_dead".to_owned()),
            players: vec![
                ("dragon".to_owned(), dragon.to_owned()),
                ("dwarves".to_owned(), dwarf.to_owned()),
            ],
            meta: vec![
                ("event".to_owned(), event.into()),
                ("date".to_owned(), format!("2026-11-{date:02}").into()),
                ("table".to_owned(), table.to_string().into()),
            ],
            verdict: format!(
                r#"{{"status":"complete","plies":200,"violation":null,"outcome":{{"winner":"{winner}","reason":"dwarves_dead"}},"claims":[]}}"#
            ),
        },
    }
}
