//! Durable submissions to `umpire serve` on PostgreSQL, beside `pgbench`, which inserts rows of the same bytes into the
//! same server, one a transaction; in turns, over 64 connections each. Then how many bytes a record takes there, and
//! whole games at 64 live tables, beside the same with the store in a file.
//!
//! A real server of its own, with all that makes it durable, and the real binary. Where PostgreSQL is not installed,
//! it says so. `cargo bench -p umpire-api -- postgres`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use umpire_api::referee;
use umpire_engine::games::GAMES;

use crate::client::Server;
use crate::http::{load, median, percentile};
use crate::postgres_server as postgres;
use crate::tables::{line, whole_games};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(6);
const CONNECTIONS: usize = 64;

/// Measures this part.
pub(crate) fn measure() {
    let Some(bin) = postgres::bin() else {
        println!("PostgreSQL is not installed: nothing is measured");
        return;
    };
    let pgbench = ["/usr/bin/pgbench".into(), bin.join("pgbench")];
    let Some(pgbench) = pgbench.into_iter().find(|it: &PathBuf| it.is_file()) else {
        println!("pgbench is not installed: nothing is measured");
        return;
    };
    let durable = ["fsync=on", "full_page_writes=on", "synchronous_commit=on"];
    let database = postgres::Server::start(&bin, &durable);
    for (name, actions) in [("a record without an action", 0), ("a game", 400)] {
        let address = database.database();
        let server = Server::start(Path::new(&address), &[]);
        let text = record(actions);
        println!("{name}: {} bytes", text.len());
        let script = script(&address);
        let (mut ours, mut theirs, mut times) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let (rate, mut waits) =
                load(server.address, CONNECTIONS, ROUND, "/v1/records", |client, number| {
                    text.replace("table 0", &format!("table {round} {client} {number}"))
                });
            let bench = run(&pgbench, &script, &text, &address);
            println!(
                "  {rate:.0} records/s, p50 {:?}, p99 {:?}; pgbench {bench:.0} rows/s; {:.2} of it",
                percentile(&mut waits, 0.5),
                percentile(&mut waits, 0.99),
                rate / bench
            );
            ours.push(rate);
            theirs.push(bench);
            times.extend(waits);
        }
        let ratios = ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect();
        println!(
            "  median {:.0} records/s beside {:.0} rows/s, {:.2} of it; all: p50 {:?}, p99 {:?}",
            median(ours),
            median(theirs),
            median(ratios),
            percentile(&mut times, 0.5),
            percentile(&mut times, 0.99)
        );
        sizes(&address);
    }
    println!("live tables");
    tables(&database.database());
}

/// A record of so many actions, or of a whole game where it has fewer, with players and notes.
fn record(actions: usize) -> String {
    let sample = referee::sample(GAMES[0], "bench", actions);
    let mut record: Value = serde_json::from_str(sample.get()).expect("a sample is JSON");
    let [one, other] = [GAMES[0].meta().seats[0], GAMES[0].meta().seats[1]];
    record["players"] = json!({ one: "Anna", other: "Bruno" });
    record["meta"] =
        json!({"event": "club championship", "date": "2026-11-07", "table": "table 0"});
    record.to_string()
}

/// What `pgbench` does: one row of as many bytes, no two of them the same. The statement is prepared, the text is sent.
fn script(address: &str) -> NamedTempFile {
    postgres::ask(
        address,
        "CREATE TABLE bare (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, record text NOT NULL)",
    )
    .expect("a table can be made");
    let mut file = NamedTempFile::new().expect("a file can be made");
    let lines = b"\\set n random(100000000, 999999999)\n\
        INSERT INTO bare (record) VALUES (:n::text || :record::text);\n";
    file.write_all(lines).expect("a file can be written");
    file
}

/// Rows a second by `pgbench`.
fn run(pgbench: &Path, script: &NamedTempFile, text: &str, address: &str) -> f64 {
    let clients = CONNECTIONS.to_string();
    let seconds = ROUND.as_secs().to_string();
    // A number of nine digits stands before it.
    let record = format!("record={}", &text[9..]);
    let output = Command::new(pgbench)
        .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients, "-T", &seconds, "-D", &record])
        .arg("-f")
        .arg(script.path())
        .arg(address)
        .output()
        .expect("pgbench can be run");
    let said = String::from_utf8_lossy(&output.stdout);
    let rate = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next());
    rate.and_then(|rate| rate.parse().ok()).unwrap_or_else(|| {
        panic!("pgbench says no rate: {said}{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// Whole games at live tables, in turn with the store in the database and in a file.
fn tables(address: &str) {
    let folder = TempDir::new().expect("a folder");
    let database = Server::start(Path::new(address), &[]);
    let file = Server::start(&folder.path().join("store.sqlite"), &[]);
    for game in [1, 2] {
        let mut rates = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (name, kept_there, times) = whole_games(database.address, game);
            line(&format!("  {name}, an action at one of 64 tables, PostgreSQL"), times);
            let (_, kept_here, times) = whole_games(file.address, game);
            line(&format!("  {name}, an action at one of 64 tables, a file"), times);
            rates.0.push(kept_there);
            rates.1.push(kept_here);
        }
        println!(
            "  median {:.0} actions a second, beside {:.0} with a file",
            median(rates.0),
            median(rates.1)
        );
    }
}

/// What the records take in the database, part by part.
fn sizes(address: &str) {
    let text = "SELECT relname || ': ' || round(pg_relation_size(c.oid) / n, 0) \
                FROM pg_class c, (SELECT count(*)::numeric AS n FROM umpire.record) AS r \
                WHERE relnamespace = 'umpire'::regnamespace AND relname LIKE 'record%' \
                AND relkind IN ('r', 'i') \
                UNION ALL SELECT 'toast of the records: ' || round(pg_total_relation_size(reltoastrelid) / n, 0) \
                FROM pg_class, (SELECT count(*)::numeric AS n FROM umpire.record) AS r \
                WHERE oid = 'umpire.record'::regclass \
                UNION ALL SELECT 'all: ' || round((pg_total_relation_size('umpire.record') \
                + pg_total_relation_size('umpire.record_player')) / n, 0) || ' bytes a record, of ' || n \
                FROM (SELECT count(*)::numeric AS n FROM umpire.record) AS r \
                UNION ALL SELECT 'packed: ' || round(avg(octet_length(record))) FROM umpire.record \
                UNION ALL SELECT 'bare: ' || round(pg_total_relation_size('bare') / count(*)::numeric) FROM bare";
    postgres::ask(address, "VACUUM ANALYZE").expect("a database that is ours");
    for line in postgres::ask(address, text).expect("a database that tells its sizes") {
        println!("    {line}");
    }
}
