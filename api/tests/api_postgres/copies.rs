//! Whole stores copied from a file into a database, back, and within a kind, by the real command.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use rusqlite::Connection as Sqlite;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::auth::secrets::Secret;
use umpire_api::documents::archive::prepare;
use umpire_api::documents::sheet::seal::Key;
use umpire_api::store::place::Place;
use umpire_api::store::{
    Filter, Listed, NewRecord, NewVerdict, RecordId, Store, Stored, StoredTable, StoredVerdict,
    TableId,
};
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;

use crate::app::{game, numbered};
use crate::cli::{code, error, json as answer, out, umpire};
use crate::client::Server;
use crate::postgres;
use crate::several::make;

/// A record with players and notes, as it would be stored.
fn record(number: usize) -> NewRecord {
    let mut record = numbered(number);
    record["players"] = json!({ game().meta().seats[0]: format!("Anna {number} Ö") });
    record["meta"] = json!({"event": format!("club night {number} Été"), "z": "\u{0}\n'", "a": 1});
    let text = record.to_string();
    prepare::<Fault>(text.as_bytes(), Limits::default(), |_| Ok(())).unwrap().record
}

/// A sheet; every other one is signed.
fn verdict(number: usize) -> NewVerdict {
    let sheet = json!({"format": "umpire-verdict/1", "number": number}).to_string();
    let key = Key::of(&Secret::parse(&"0e".repeat(32)).unwrap());
    let signature = serde_json::to_string(&key.sign(sheet.as_bytes())).unwrap();
    let id = RecordId::from_bytes(*blake3::hash(sheet.as_bytes()).as_bytes());
    NewVerdict { id, sheet, signature: number.is_multiple_of(2).then_some(signature) }
}

fn wait<T>(pending: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(pending)
}

fn open(place: &str) -> Box<dyn Store> {
    place.parse::<Place>().unwrap().open().unwrap()
}

/// Puts records with these numbers into a store.
fn fill(place: &str, numbers: std::ops::Range<usize>) {
    let store = open(place);
    wait(store.insert(numbers.map(record).collect())).unwrap();
    store.close().unwrap();
}

/// What a store holds: its list in order, and each thing whole.
type Held = (Vec<Listed>, Vec<Stored>, Vec<StoredVerdict>, Vec<StoredTable>);

fn held(place: &str, verdicts: usize, tables: &[TableId]) -> Held {
    let store = open(place);
    let mut listed = Vec::new();
    let mut filter = Filter { limit: Some(100), ..Filter::default() };
    loop {
        let page = store.list(&filter).unwrap();
        listed.extend(page.items);
        filter.cursor = page.next;
        if filter.cursor.is_none() {
            break;
        }
    }
    let whole = listed.iter().map(|it| store.find(&it.id).unwrap().unwrap()).collect();
    let sheets = (0..verdicts).filter_map(|it| store.find_verdict(&verdict(it).id).unwrap());
    let sheets = sheets.collect();
    let tables = tables.iter().filter_map(|id| store.find_table(*id).unwrap()).collect();
    (listed, whole, sheets, tables)
}

fn copy(from: &str, to: &str) -> Output {
    umpire(&["store", "copy", from, to], "")
}

/// How many of a kind were written, and how many were there, by the JSON of a copy.
fn counts(from: &str, to: &str, kind: &str) -> (u64, u64) {
    let copied = umpire(&["store", "copy", "--json", from, to], "");
    assert_eq!(code(&copied), 0, "{}", error(&copied));
    let copied = answer(&copied);
    (copied[kind]["written"].as_u64().unwrap(), copied[kind]["there"].as_u64().unwrap())
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_store_goes_from_a_file_to_a_database_and_back_and_is_the_same() {
    let Some(database) = postgres::database("a store copied from a file and back") else { return };
    let other = postgres::database("a store copied to another database").unwrap();
    let folder = TempDir::new().unwrap();
    let [from, back, again] =
        ["umpire.sqlite", "back.sqlite", "again.sqlite"].map(|name| path(&folder, name));
    // A running service makes the tables; then it ends.
    let mut server = Server::start(Path::new(&from), &[]);
    let mut at = server.connect();
    let mut tables = Vec::new();
    for steps in [0, 3, 5] {
        let table = make(&mut at);
        for step in 0..steps {
            let (action, version) = table.legal(&mut at);
            assert_eq!(table.act(&mut at, &action, &version, &format!("key-{step}")).0, 200);
        }
        tables.push(table);
    }
    let refused = copy(&from, &database);
    assert_eq!(code(&refused), 2, "{}", error(&refused));
    assert!(error(&refused).contains("a program has it open"), "{}", error(&refused));
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    drop(server);
    let ids: Vec<TableId> = Sqlite::open(&from)
        .unwrap()
        .prepare("SELECT id FROM live_table ORDER BY number")
        .unwrap()
        .query_map((), |row| row.get(0))
        .unwrap()
        .map(|id| TableId::from_bytes(id.unwrap()))
        .collect();
    assert_eq!(ids.len(), 3);
    fill(&from, 0..700);
    {
        let store = open(&from);
        for number in [0, 5, 300, 699] {
            assert_eq!(wait(store.delete(&record(number).id)), Ok(true));
        }
        for number in 0..7 {
            wait(store.insert_verdict(verdict(number))).unwrap();
        }
        wait(store.delete_verdict(&verdict(3).id)).unwrap();
    }
    // The clock was set back once.
    let clock = "UPDATE record SET created_at = created_at - 1000000 WHERE number > 500; \
                 INSERT INTO clock_step VALUES (501);";
    Sqlite::open(&from).unwrap().execute_batch(clock).unwrap();
    let first = held(&from, 7, &ids);
    assert_eq!((first.0.len(), first.2.len(), first.3.len()), (696, 6, 3));
    assert_eq!(first.3[2].steps.len(), 5);
    for (one, two) in [(&from, &database), (&database, &other), (&other, &back), (&back, &again)] {
        let copied = copy(one, two);
        assert_eq!(code(&copied), 0, "{}", error(&copied));
        let said = "696 records, 6 verdicts, 3 tables, all identical to the original";
        assert!(out(&copied).contains(said), "{}", out(&copied));
        assert_eq!(held(two, 7, &ids), first, "{two}");
        // Once more: nothing is doubled.
        assert_eq!(counts(one, two, "records"), (0, 696));
        assert_eq!(counts(one, two, "verdicts"), (0, 6));
        assert_eq!(counts(one, two, "tables"), (0, 3));
        assert_eq!(held(two, 7, &ids), first, "{two}");
    }
    for file in [&back, &again] {
        let checked = umpire(&["check", "--verdicts", file], "");
        assert_eq!(code(&checked), 0, "{}", out(&checked));
    }
    // Both find the same, and go on under the next number.
    let since = first.0[100].created_at;
    for place in [&from, &database, &other, &back, &again] {
        let store = open(place);
        let count = |filter: &Filter| store.count(filter).unwrap();
        assert_eq!(count(&Filter { player: Some("anna 7 ö".to_owned()), ..Filter::default() }), 1);
        assert_eq!(count(&Filter { text: Some("ete 12".to_owned()), ..Filter::default() }), 11);
        let late = Filter { since: Some(since), ..Filter::default() };
        let expected = first.0.iter().filter(|it| it.created_at >= since).count() as u64;
        assert_eq!(count(&late), expected);
        wait(store.insert(vec![record(5_000)])).unwrap();
        assert_eq!(store.list(&Filter::default()).unwrap().items[0].id, record(5_000).id);
        wait(store.insert_verdict(verdict(50))).unwrap();
        wait(store.insert_table(TableId::from_bytes([9; 16]), "{}".to_owned())).unwrap();
        wait(store.append_step(ids[2], 5, "{}".to_owned())).unwrap();
        assert_eq!(store.find_table(ids[2]).unwrap().unwrap().steps.len(), 6);
    }
}

/// Killed at any moment, also after the end: the next run goes on, and all is there once.
#[test]
fn a_copy_that_was_killed_goes_on() {
    let Some(database) = postgres::database("a copy is killed") else { return };
    let folder = TempDir::new().unwrap();
    let from = path(&folder, "umpire.sqlite");
    fill(&from, 0..2_000);
    let first = held(&from, 0, &[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .args(["store", "copy", &from, &database])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let there = || -> u64 {
        let asked = postgres::ask(&database, "SELECT count(*) FROM umpire.record");
        asked.ok().and_then(|rows| rows.first()?.parse().ok()).unwrap_or(0)
    };
    while there() == 0 {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What was written is whole groups, the first ones.
    let before = there();
    // The database notices after a moment that the one who copied is gone.
    let (written, found) = loop {
        let copied = umpire(&["store", "copy", "--json", &from, &database], "");
        if code(&copied) == 0 {
            let records = &answer(&copied)["records"];
            break (records["written"].as_u64().unwrap(), records["there"].as_u64().unwrap());
        }
        assert!(error(&copied).contains("stop that first"), "{}", error(&copied));
    };
    assert!(found >= before, "{found} {before}");
    assert_eq!(written + found, 2_000);
    assert_eq!(held(&database, 0, &[]), first);
    // Into a file: what a copy of fewer records left is gone on with.
    let [few, to] = ["few.sqlite", "to.sqlite"].map(|name| path(&folder, name));
    fill(&few, 0..0);
    fill(&to, 0..0);
    let part = format!(
        "ATTACH '{from}' AS whole; \
         INSERT INTO record SELECT * FROM whole.record WHERE number <= 900 AND number % 7 > 0;"
    );
    Sqlite::open(&few).unwrap().execute_batch(&part).unwrap();
    assert_eq!(counts(&few, &to, "records"), (772, 0));
    assert_eq!(counts(&from, &to, "records"), (1_228, 772));
    assert_eq!(held(&to, 0, &[]), first);
}

#[test]
fn what_comes_from_elsewhere_is_neither_mixed_nor_changed() {
    let Some(database) = postgres::database("a copy into what is not empty") else { return };
    let folder = TempDir::new().unwrap();
    let [from, to] = ["umpire.sqlite", "to.sqlite"].map(|name| path(&folder, name));
    fill(&from, 0..20);
    // The same record at another time, and more of them than there are.
    fill(&to, 5..6);
    fill(&database, 0..30);
    for (one, two, count) in [(&from, &to, 1), (&from, &database, 30), (&database, &to, 1)] {
        let before = held(two, 0, &[]);
        let refused = copy(one, two);
        assert_eq!(code(&refused), 2, "{}", out(&refused));
        let said = error(&refused);
        assert!(
            said.contains("it contains items that are not from")
                && said.contains("Nothing was written"),
            "{said}"
        );
        assert_eq!(held(two, 0, &[]), before);
        assert_eq!(before.0.len(), count);
    }
    // A verdict that is there and not where the copy comes from.
    let empty = postgres::database("a copy beside a verdict").unwrap();
    wait(open(&empty).insert_verdict(verdict(1))).unwrap();
    let refused = copy(&from, &empty);
    assert_eq!(code(&refused), 2);
    assert!(error(&refused).contains(&verdict(1).id.to_string()), "{}", error(&refused));
    assert_eq!(held(&empty, 0, &[]).0.len(), 0);
    // Onto itself; out of nothing.
    for (one, two, said) in [
        (from.as_str(), from.as_str(), "the store to copy"),
        (database.as_str(), database.as_str(), "the store to copy"),
        ("nowhere.sqlite", to.as_str(), "nowhere.sqlite"),
        (&postgres::database("a copy of nothing").unwrap(), to.as_str(), "it contains no store"),
        ("postgres://anna:secret@127.0.0.1:1/games", to.as_str(), "127.0.0.1:1/games"),
        (from.as_str(), "postgres://anna:secret@127.0.0.1:1/games", "127.0.0.1:1/games"),
    ] {
        let refused = copy(one, two);
        assert_eq!(code(&refused), 2, "{}", out(&refused));
        assert!(error(&refused).contains(said), "{}", error(&refused));
        assert!(!error(&refused).contains("secret"), "{}", error(&refused));
    }
}

#[test]
fn a_server_that_writes_keeps_a_copy_out_and_a_copy_keeps_servers_out() {
    let Some(database) = postgres::database("a copy beside a server") else { return };
    let folder = TempDir::new().unwrap();
    let [from, to] = ["umpire.sqlite", "to.sqlite"].map(|name| path(&folder, name));
    fill(&from, 0..20);
    let server = Server::start(Path::new(&database), &[]);
    assert_eq!(server.connect().get("/readyz").unwrap().0, 200);
    for (one, two) in [(&from, &database), (&database, &to)] {
        let refused = copy(one, two);
        assert_eq!(code(&refused), 2, "{}", out(&refused));
        assert!(error(&refused).contains("a server is writing to it"), "{}", error(&refused));
    }
    let file = Server::start(Path::new(&to), &[]);
    assert_eq!(file.connect().get("/readyz").unwrap().0, 200);
    let refused = copy(&from, &to);
    assert_eq!(code(&refused), 2, "{}", out(&refused));
    assert!(error(&refused).contains("a program has it open"), "{}", error(&refused));
    drop(server);
    // The lock that a copy holds: what a server is given meanwhile is refused, and taken afterwards.
    let held = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (client, connection) =
        held.block_on(tokio_postgres::connect(&database, tokio_postgres::NoTls)).unwrap();
    let connection = held.spawn(connection);
    let lock = "SELECT pg_try_advisory_lock(6146657379548135427)";
    while !held.block_on(client.query_one(lock, &[])).unwrap().get::<_, bool>(0) {}
    let server = Server::start(Path::new(&database), &[]);
    let mut at = server.connect();
    assert_eq!(at.get("/readyz").unwrap().0, 503);
    let text = numbered(1).to_string();
    let (status, body) = at.post("/v1/records", text.as_bytes()).unwrap();
    assert_eq!(status, 503, "{}", String::from_utf8_lossy(&body));
    let problem: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(problem["code"], "unavailable", "{problem}");
    drop(client);
    held.block_on(connection).unwrap().unwrap();
    // The database gives the lock back a moment after the connection has ended.
    while at.post("/v1/records", text.as_bytes()).unwrap().0 != 201 {}
}

#[test]
fn what_is_damaged_is_left_out_and_told_and_comes_later() {
    let Some(database) = postgres::database("a copy of what is damaged") else { return };
    let folder = TempDir::new().unwrap();
    let [from, to, back] =
        ["umpire.sqlite", "to.sqlite", "back.sqlite"].map(|name| path(&folder, name));
    fill(&from, 0..40);
    wait(open(&from).insert_verdict(verdict(1))).unwrap();
    let before = held(&from, 2, &[]);
    let spoil = "CREATE TABLE kept AS SELECT * FROM record; CREATE TABLE sheets AS SELECT * FROM verdict; \
                 UPDATE record SET record = zeroblob(30) WHERE number = 7; \
                 UPDATE record SET record = (SELECT record FROM kept WHERE number = 9), \
                 record_length = (SELECT record_length FROM kept WHERE number = 9) WHERE number = 8; \
                 UPDATE verdict SET sheet = zeroblob(9);";
    let mend = "UPDATE record SET (record, record_length) = \
                (SELECT record, record_length FROM kept WHERE kept.number = record.number); \
                UPDATE verdict SET sheet = (SELECT sheet FROM sheets);";
    Sqlite::open(&from).unwrap().execute_batch(spoil).unwrap();
    let damaged = copy(&from, &database);
    assert_eq!(code(&damaged), 1, "{}", error(&damaged));
    for id in [record(6).id, record(7).id, verdict(1).id] {
        assert!(out(&damaged).contains(&id.to_string()), "{}", out(&damaged));
    }
    assert!(out(&damaged).contains("38 records; 3 things left out"), "{}", out(&damaged));
    assert!(error(&damaged).contains("umpire salvage"), "{}", error(&damaged));
    assert_eq!(held(&database, 2, &[]).0.len(), 38);
    // What is mended comes in its old place.
    Sqlite::open(&from).unwrap().execute_batch(mend).unwrap();
    assert_eq!(counts(&from, &database, "records"), (2, 38));
    assert_eq!(held(&database, 2, &[]), before);
    // The same out of a database.
    let spoil = "UPDATE umpire.record SET record = 'x' WHERE number = 7; \
                 UPDATE umpire.record SET players = 'x' WHERE number = 8; \
                 UPDATE umpire.verdict SET sheet = 'x'";
    postgres::ask(&database, spoil).unwrap();
    let damaged = copy(&database, &to);
    assert_eq!(code(&damaged), 1, "{}", error(&damaged));
    assert!(out(&damaged).contains(&record(6).id.to_string()), "{}", out(&damaged));
    assert!(out(&damaged).contains("38 records; 3 things left out"), "{}", out(&damaged));
    assert_eq!(code(&umpire(&["check", &to], "")), 0);
    // Where it is damaged to where it is to go, nothing is written.
    let other = copy(&from, &database);
    assert_eq!(code(&other), 2, "{}", out(&other));
    assert!(error(&other).contains("damaged"), "{}", error(&other));
    // A page of a file.
    let page: i64 = Sqlite::open(&from)
        .unwrap()
        .query_row(
            "SELECT pageno FROM dbstat WHERE name = 'record' AND pagetype = 'leaf' LIMIT 1",
            (),
            |row| row.get(0),
        )
        .unwrap();
    let size: i64 =
        Sqlite::open(&from).unwrap().query_row("PRAGMA page_size", (), |row| row.get(0)).unwrap();
    let mut bytes = std::fs::read(&from).unwrap();
    let begin = usize::try_from((page - 1) * size).unwrap();
    bytes[begin..begin + usize::try_from(size).unwrap()].fill(0xa5);
    std::fs::write(&from, bytes).unwrap();
    let damaged = copy(&from, &back);
    assert_eq!(code(&damaged), 1, "{}", error(&damaged));
    let (_, whole, ..) = held(&back, 2, &[]);
    assert!(!whole.is_empty() && whole.len() < 40);
    assert!(whole.iter().all(|it| before.1.contains(it)));
    assert!(out(&damaged).contains("left out"), "{}", out(&damaged));
}
