//! Durable submissions to `umpire serve` on PostgreSQL, each by a request of its own and as lines of requests that go on,
//! beside four things that take the same two cores in turn, over 64
//! connections each: `pgbench`, which inserts rows of the same bytes into a table with one index of the same server, one
//! a transaction, by a statement that is prepared; `pgbench` with the same rows as it comes, by a statement that is read
//! each time; `pgbench`, which inserts the rows that a record is kept as, into tables with the same indexes; and a
//! server that only reads what comes and keeps nothing. Then how many bytes a record takes there, and whole games at 64
//! live tables, beside the same with the store in a file.
//!
//! A real server of its own, with all that makes it durable, and the real binary. Where PostgreSQL is not installed,
//! it says so. `cargo bench -p umpire-api -- postgres`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use umpire_engine::games::GAMES;
use umpire_referee::reading;

use crate::client::Server;
use crate::http::{load, load_lines, median, percentile, probe};
use crate::postgres_server as postgres;
use crate::tables::{line, whole_games};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(6);
const CONNECTIONS: usize = 64;
/// How many lines of a request are on their way at once.
const LINES: usize = 8;

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
    let probe = probe();
    for (name, actions) in [("a record without an action", 0), ("a game", 400)] {
        let address = database.database();
        let server = Server::start(Path::new(&address), &[]);
        let text = record(actions);
        println!("{name}: {} bytes", text.len());
        let numbered = |round: usize, client: usize, number: usize| {
            text.replace("table 0", &format!("table {round} {client} {number}"))
        };
        // A record or more, of which the rows of one yardstick are made.
        load(server.address, 1, Duration::from_millis(200), "/v1/records", |client, number| {
            numbered(2 * ROUNDS, client, number)
        });
        let (bare, read, same) = (bare(&address), read(&text), same(&address));
        let mut ours = [const { (Vec::new(), Vec::new()) }; 2];
        let mut beside = [const { Vec::new() }; 4];
        for round in 0..ROUNDS {
            let body = |of: usize| move |client, number| numbered(2 * round + of, client, number);
            let both = [
                load(server.address, CONNECTIONS, ROUND, "/v1/records", body(0)),
                load_lines(server.address, CONNECTIONS, ROUND, LINES, body(1)),
            ];
            let rates = [
                run(&pgbench, "prepared", &bare, &text, &address),
                run(&pgbench, "simple", &read, &text, &address),
                run(&pgbench, "prepared", &same, &text, &address),
                load(probe, CONNECTIONS, ROUND, "/probe", body(0)).0,
            ];
            println!(
                "  {:.0} records/s, as lines {:.0}/s; pgbench {:.0} rows/s, as it comes {:.0}/s; the same rows {:.0}/s; \
                 only read {:.0}/s",
                both[0].0, both[1].0, rates[0], rates[1], rates[2], rates[3],
            );
            for ((rates, times), (rate, waits)) in ours.iter_mut().zip(both) {
                rates.push(rate);
                times.extend(waits);
            }
            beside.iter_mut().zip(rates).for_each(|(all, it)| all.push(it));
        }
        let yardsticks =
            ["pgbench", "pgbench as it comes", "pgbench with the same rows", "only read"];
        for (what, theirs) in yardsticks.iter().zip(&beside) {
            println!("  {what}: {:.0} a second", median(theirs.clone()));
        }
        for (how, (rates, mut times)) in ["by itself", "as lines"].iter().zip(ours) {
            println!(
                "  each {how}: median {:.0} records/s, p50 {:?}, p99 {:?}",
                median(rates.clone()),
                percentile(&mut times, 0.5),
                percentile(&mut times, 0.99)
            );
            for (what, theirs) in yardsticks.iter().zip(&beside) {
                let ratios: Vec<f64> =
                    rates.iter().zip(theirs).map(|(ours, it)| ours / it).collect();
                let (least, most) = ratios
                    .iter()
                    .fold((f64::MAX, 0.0_f64), |(least, most), &it| (least.min(it), most.max(it)));
                println!("    {:.2} x {what} ({least:.2} to {most:.2})", median(ratios));
            }
        }
        sizes(&address);
    }
    println!("live tables");
    tables(&database.database());
}

/// A record of so many actions, or of a whole game where it has fewer, with players and notes.
fn record(actions: usize) -> String {
    let sample = reading::sample(GAMES[0], "bench", actions);
    let mut record: Value = serde_json::from_str(sample.get()).expect("a sample is JSON");
    let [one, other] = [GAMES[0].meta().seats[0], GAMES[0].meta().seats[1]];
    record["players"] = json!({ one: "Anna", other: "Bruno" });
    record["meta"] =
        json!({"event": "club championship", "date": "2026-11-07", "table": "table 0"});
    record.to_string()
}

/// What `pgbench` does: one row of as many bytes, no two of them the same. The statement is prepared, the text is sent.
fn bare(address: &str) -> NamedTempFile {
    postgres::ask(
        address,
        "CREATE TABLE bare (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, record text NOT NULL)",
    )
    .expect("a table can be made");
    script(
        "\\set n random(100000000, 999999999)\n\
         INSERT INTO bare (record) VALUES (:n::text || :record::text);\n",
    )
}

/// The same by a statement that holds the text, as `pgbench` sends it when nothing else is asked of it.
fn read(text: &str) -> NamedTempFile {
    // A number of nine digits stands before it. What looks like a variable and is none stays as it is.
    let record = text[9..].replace('\'', "''");
    script(&format!(
        "\\set n random(100000000, 999999999)\nINSERT INTO bare (record) VALUES (:n || '{record}');\n"
    ))
}

/// What `pgbench` does for the other yardstick: the rows that a record is kept as, made of one that is there, with an id,
/// a word and a text of its own, into tables like those of the store, with all their indexes.
fn same(address: &str) -> NamedTempFile {
    for text in [
        "CREATE TABLE same (LIKE umpire.record INCLUDING ALL) WITH (toast_tuple_target = 4080)",
        "CREATE TABLE same_player (LIKE umpire.record_player INCLUDING ALL)",
        "CREATE TABLE sample AS SELECT * FROM umpire.record LIMIT 1",
    ] {
        postgres::ask(address, text).expect("a table can be made");
    }
    script(
        "\\set n random(100000000000, 999999999999)\n\
         WITH new AS (INSERT INTO same (created_at, plies, record_length, id, game, ruleset, status, winner, reason, \
         players, meta, verdict, names, words, lexemes, record) \
         SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, plies, length(:record::text), \
         sha256(:n::text::bytea), game, ruleset, status, winner, reason, players, meta, verdict, names, \
         words || ' ' || :n::text, array_to_tsvector(tsvector_to_array(lexemes) || :n::text), record FROM sample \
         RETURNING number, names) \
         INSERT INTO same_player (name, record) SELECT unnest(names), number FROM new;\n",
    )
}

/// A script for `pgbench`.
fn script(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file can be made");
    file.write_all(text.as_bytes()).expect("a file can be written");
    file
}

/// Rows a second by `pgbench`, whose statements go by this protocol.
fn run(pgbench: &Path, protocol: &str, script: &NamedTempFile, text: &str, address: &str) -> f64 {
    let clients = CONNECTIONS.to_string();
    let seconds = ROUND.as_secs().to_string();
    // A number of nine digits stands before it.
    let record = format!("record={}", &text[9..]);
    let output = Command::new(pgbench)
        .args(["-n", "-M", protocol, "-j", "2", "-c", &clients, "-T", &seconds, "-D", &record])
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
