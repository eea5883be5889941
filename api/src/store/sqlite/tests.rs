//! Tests that access the database directly, and so contain SQL.

use std::{
    fs,
    path::Path,
    task::{Context, Waker},
    time::Duration,
};

use rusqlite::{Connection, params_from_iter};
use tempfile::TempDir;

use super::super::select::Bounds;
use super::{
    Judges, Settings, SqliteStore, check,
    open::MIGRATIONS,
    query::{self, Query},
    salvage,
};
use crate::store::{
    Filter, Inserted, NewRecord, NewVerdict, RecordId, Status, Store, StoreError, Summary,
};

/// Waits for a future without an async runtime.
fn wait<T>(pending: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(pending)
}

fn record(seed: u8, game: &str) -> NewRecord {
    NewRecord {
        id: RecordId::from_bytes([seed; 32]),
        record: format!("{{\"seed\": {seed}}}"),
        summary: Summary {
            game: game.to_owned(),
            ruleset: format!("{game}@1"),
            status: Status::Complete,
            plies: 1,
            winner: None,
            reason: None,
            players: vec![("first".to_owned(), "Anna".to_owned())],
            meta: vec![("event".to_owned(), "club night".into())],
            verdict: "{}".to_owned(),
        },
    }
}

/// A new store, and a second connection to its file that may do what the store never would.
fn store_and_back_door() -> (TempDir, SqliteStore, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("umpire.sqlite");
    let store = SqliteStore::open(&path).unwrap();
    let back_door = Connection::open(&path).unwrap();
    back_door.busy_timeout(Duration::from_secs(5)).unwrap();
    (directory, store, back_door)
}

fn impatient() -> Settings {
    Settings { lock_wait: Duration::from_millis(1), ..Settings::default() }
}

fn why_not(path: &Path) -> StoreError {
    SqliteStore::open_with(path, impatient()).err().expect("a store that does not open")
}

#[test]
fn the_migrations_run_from_nothing() {
    rusqlite_migration::Migrations::from_slice(MIGRATIONS).validate().unwrap();
}

#[test]
fn every_filter_walks_an_index_and_sorts_nothing() {
    let (_directory, _store, back_door) = store_and_back_door();
    let some = |set: bool| set.then(|| "one".to_owned());
    for case in 0..64_u32 {
        let set = |bit: u32| case >> bit & 1 == 1;
        for status in [None, Some(Status::Complete), Some(Status::Illegal)] {
            let filter = Filter {
                game: some(set(0)),
                ruleset: some(set(1)),
                player: some(set(2)),
                winner: some(set(3)),
                text: some(set(4)),
                since: set(5).then_some(0),
                status,
                ..Filter::default()
            };
            for query in [
                Query::listed(&filter, Bounds::ALL, 10),
                Query::numbers(&filter, Bounds::ALL, 10),
                Query::counted(&filter, Bounds::ALL),
            ] {
                for step in plan(&back_door, &query.text, query.values) {
                    let walks = step.starts_with("SEARCH")
                        || step.starts_with("SCAN m VIRTUAL TABLE")
                        || step.starts_with("CORRELATED SCALAR SUBQUERY");
                    assert!(walks, "{filter:?}: {step}: {}", query.text);
                }
            }
        }
    }
    for statement in [query::FIRST_SINCE, query::BY_ID, query::BY_NUMBER] {
        for step in plan(&back_door, statement, vec![0.into()]) {
            assert!(step.starts_with("SEARCH"), "{statement}: {step}");
        }
    }
}

/// Of many records with a word or a player, those that match another filter too are found by
/// indexes alone: only the matching ones are read.
#[test]
fn what_does_not_match_is_never_read() {
    let (_directory, _store, back_door) = store_and_back_door();
    let some = || Some("one".to_owned());
    for (text, player) in [(some(), None), (None, some()), (some(), some())] {
        for column in ["winner", "ruleset", "game", "status"] {
            let filter = Filter {
                text: text.clone(),
                player: player.clone(),
                winner: (column == "winner").then(|| "one".to_owned()),
                ruleset: (column == "ruleset").then(|| "one".to_owned()),
                game: (column == "game").then(|| "one".to_owned()),
                status: (column == "status").then_some(Status::Complete),
                ..Filter::default()
            };
            let query = Query::listed(&filter, Bounds::ALL, 10);
            let steps = plan(&back_door, &query.text, query.values);
            let place = |asked: &str| steps.iter().position(|step| step.starts_with(asked));
            let asked = format!("SEARCH {column}_of USING COVERING INDEX record_by_{column} ");
            assert!(place(&asked).is_some(), "{steps:?}");
            assert!(place(&asked) < place("SEARCH r USING"), "{steps:?}");
            if text.is_some() && player.is_some() {
                assert!(place("SEARCH q USING").is_some(), "{steps:?}");
                assert!(place("SEARCH q USING") < place("SEARCH r USING"), "{steps:?}");
            }
        }
    }
}

fn plan(
    connection: &Connection,
    statement: &str,
    values: Vec<rusqlite::types::Value>,
) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
    let steps = statement.query_map(params_from_iter(values), |row| row.get(3)).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_record_that_cannot_be_written_does_not_take_its_neighbours_along() {
    let (_directory, store, back_door) = store_and_back_door();
    back_door
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON record WHEN NEW.game = 'poison'
             BEGIN SELECT RAISE(ABORT, 'poison'); END;",
        )
        .unwrap();
    // While the back door holds the lock, the writer waits with its first group, and the others
    // gather in one group after it.
    back_door.execute_batch("BEGIN IMMEDIATE").unwrap();
    let requests = [
        vec![record(0, "drako")],
        vec![record(1, "drako")],
        vec![record(2, "drako"), record(3, "poison")],
        vec![record(4, "drako"), record(5, "drako")],
    ];
    let mut pending = requests.map(|request| store.insert(request));
    for pending in &mut pending {
        // The first poll queues the request.
        let look = pending.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(look.is_pending());
    }
    back_door.execute_batch("COMMIT").unwrap();
    let answers = pending.map(wait);
    assert_eq!(answers[0], Ok(vec![Inserted::New]));
    assert_eq!(answers[1], Ok(vec![Inserted::New]));
    assert!(matches!(answers[2], Err(StoreError::Rejected(_))), "{:?}", answers[2]);
    assert_eq!(answers[3], Ok(vec![Inserted::New, Inserted::New]));
    let mut there = Vec::new();
    for seed in 0..6 {
        there.push(store.find(&RecordId::from_bytes([seed; 32])).unwrap().is_some());
    }
    assert_eq!(there, [true, true, false, false, true, true]);
}

#[test]
fn a_group_that_cannot_be_committed_is_acknowledged_to_nobody() {
    let (_directory, store, back_door) = store_and_back_door();
    drop(store);
    let path = back_door.path().unwrap().to_owned();
    let store = SqliteStore::open_with(Path::new(&path), impatient()).unwrap();
    back_door.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        wait(store.insert(vec![record(1, "drako"), record(2, "drako")])),
        Err(StoreError::Busy)
    );
    assert_eq!(wait(store.delete(&RecordId::from_bytes([1; 32]))), Err(StoreError::Busy));
    assert_eq!(
        store.find(&RecordId::from_bytes([1; 32])),
        Ok(None),
        "readers do not wait for the lock"
    );
    back_door.execute_batch("ROLLBACK").unwrap();
    assert_eq!(wait(store.insert(vec![record(1, "drako")])), Ok(vec![Inserted::New]));
}

#[test]
fn a_deleted_record_leaves_nothing_behind() {
    let (_directory, store, back_door) = store_and_back_door();
    wait(store.insert(vec![record(1, "drako"), record(2, "drako")])).unwrap();
    assert_eq!(wait(store.delete(&RecordId::from_bytes([1; 32]))), Ok(true));
    let count = |what: &str| back_door.query_row(what, (), |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM record"), 1);
    assert_eq!(count("SELECT count(*) FROM record_player"), 1);
    assert_eq!(count("SELECT count(*) FROM record_meta WHERE record_meta MATCH 'club'"), 1);
    assert_eq!(count("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

/// A record that was stored while the clock was ahead does not affect later ones.
#[test]
fn a_clock_that_ran_ahead_dates_no_later_record_and_times_are_found_all_the_same() {
    let (_directory, store, back_door) = store_and_back_door();
    wait(store.insert(vec![record(1, "drako")])).unwrap();
    wait(store.insert(vec![record(2, "drako")])).unwrap();
    let id = |seed: u8| RecordId::from_bytes([seed; 32]);
    let future = 1_i64 << 45;
    let ahead = "UPDATE record SET created_at = ? WHERE id = ?";
    back_door.execute(ahead, (future, id(2).as_bytes())).unwrap();
    wait(store.insert(vec![record(3, "drako"), record(4, "drako")])).unwrap();
    let at = |seed: u8| store.find(&id(seed)).unwrap().unwrap().created_at;
    assert!(at(1) <= at(3) && at(3) == at(4) && at(4) < future);
    let steps: i64 =
        back_door.query_row("SELECT count(*) FROM clock_step", (), |row| row.get(0)).unwrap();
    assert_eq!(steps, 1);
    // The number of the last record is reused once it is deleted.
    for _ in 0..2 {
        assert_eq!(wait(store.delete(&id(4))), Ok(true));
        assert_eq!(wait(store.delete(&id(3))), Ok(true));
        let again = wait(store.insert(vec![record(3, "drako"), record(4, "drako")]));
        assert_eq!(again, Ok(vec![Inserted::New; 2]));
    }
    let found = |since: Option<i64>, until: Option<i64>, player: Option<&str>| {
        let player = player.map(str::to_owned);
        let filter = Filter { since, until, player, ..Filter::default() };
        let page = store.list(&filter).unwrap();
        assert_eq!(store.count(&filter).unwrap(), page.items.len() as u64);
        page.items.iter().map(|it| it.id.as_bytes()[0]).collect::<Vec<_>>()
    };
    for player in [None, Some("Anna")] {
        assert_eq!(found(Some(future), None, player), [2]);
        assert_eq!(found(None, Some(future), player), [4, 3, 1]);
        assert_eq!(found(Some(at(3)), Some(future), player)[..2], [4, 3]);
        assert!(found(Some(future + 1), None, player).is_empty());
    }
}

#[test]
fn what_a_list_shows_is_short_however_long_the_notes() {
    let (_directory, store, _back_door) = store_and_back_door();
    let mut long = record(1, "drako");
    long.summary.meta[0].1 = "word ".repeat(100_000).into();
    long.summary.players[0].1 = "a".repeat(100_000);
    wait(store.insert(vec![long.clone(), record(2, "drako")])).unwrap();
    let page = store.list(&Filter::default()).unwrap();
    let [short, listed] = page.items.as_slice() else { panic!("two records") };
    assert_eq!(short.summary.meta, record(2, "drako").summary.meta);
    assert_eq!(short.summary.players, record(2, "drako").summary.players);
    assert!(listed.summary.meta.is_empty() && listed.summary.players.is_empty());
    assert!(listed.meta_bytes > 500_000);
    let whole = store.find(&long.id).unwrap().unwrap();
    assert_eq!(whole.summary, long.summary);
    let filter = Filter { text: Some("word".to_owned()), ..Filter::default() };
    assert_eq!(store.list(&filter).unwrap().items.len(), 1);
}

/// What would not be found after a restart is not acknowledged.
#[test]
#[cfg(unix)]
fn nothing_is_acknowledged_once_the_file_is_gone() {
    type Loss = fn(&Path);
    let losses: [(&str, Loss); 4] = [
        ("the file", |path| fs::remove_file(path).unwrap()),
        ("the log", |path| fs::remove_file(path.with_file_name("umpire.sqlite-wal")).unwrap()),
        ("moved", |path| fs::rename(path, path.with_file_name("elsewhere")).unwrap()),
        ("another file in its place", |path| {
            fs::rename(path, path.with_file_name("elsewhere")).unwrap();
            fs::write(path, b"another").unwrap();
        }),
    ];
    for (name, lose) in losses {
        let (directory, store, back_door) = store_and_back_door();
        drop(back_door);
        wait(store.insert(vec![record(1, "drako")])).unwrap();
        assert_eq!(wait(store.ready()), Ok(()), "{name}");
        lose(&directory.path().join("umpire.sqlite"));
        let stored = wait(store.insert(vec![record(2, "drako")]));
        assert!(matches!(stored, Err(StoreError::Unavailable(_))), "{name}: {stored:?}");
        assert!(wait(store.ready()).is_err(), "{name}");
        assert!(wait(store.delete(&record(1, "drako").id)).is_err(), "{name}");
    }
    let (directory, store, _back_door) = store_and_back_door();
    fs::remove_dir_all(directory.path()).unwrap();
    assert!(wait(store.insert(vec![record(1, "drako")])).is_err());
    // A directory with the same name is not the same directory.
    fs::create_dir_all(directory.path()).unwrap();
    assert!(wait(store.insert(vec![record(3, "drako")])).is_err());
}

#[test]
fn a_damaged_record_is_not_handed_out() {
    let (_directory, store, back_door) = store_and_back_door();
    let id = RecordId::from_bytes([1; 32]);
    for damage in [
        "UPDATE record SET record = zeroblob(length(record))",
        "UPDATE record SET record_length = 1 << 40",
        "UPDATE record SET record_length = -1",
        "UPDATE record SET players = '{'",
    ] {
        wait(store.delete(&id)).unwrap();
        wait(store.insert(vec![record(1, "drako")])).unwrap();
        assert!(store.find(&id).is_ok());
        back_door.execute(damage, ()).unwrap();
        assert!(matches!(store.find(&id), Err(StoreError::Corrupt(_))), "{damage}");
    }
}

/// A damaged sheet is listed without its text, and hides none of the others.
#[test]
fn a_damaged_sheet_is_listed_with_the_others() {
    let (_directory, store, back_door) = store_and_back_door();
    for number in 0..6 {
        let id = RecordId::from_bytes([number; 32]);
        let new = NewVerdict { id, sheet: format!("{{\"n\":{number}}}"), signature: None };
        wait(store.insert_verdict(new)).unwrap();
    }
    back_door
        .execute("UPDATE verdict SET sheet = zeroblob(length(sheet)) WHERE number IN (3, 5)", ())
        .unwrap();
    let listed = store.kept_verdicts(i64::MAX, 9).unwrap();
    let texts: Vec<Option<&str>> = listed.iter().map(|(_, it)| it.sheet.as_deref()).collect();
    let whole = |number: u8| listed.iter().find(|(_, it)| it.id.as_bytes()[0] == number);
    assert_eq!(texts.len(), 6);
    assert_eq!(texts.iter().filter(|text| text.is_none()).count(), 2);
    assert!(whole(4).is_some_and(|(_, it)| it.sheet.is_none()));
    assert_eq!(texts[5], Some("{\"n\":0}"));
}

#[test]
fn asking_for_the_length_of_the_log_does_not_copy_it() {
    let (_directory, store, back_door) = store_and_back_door();
    wait(store.insert(vec![record(1, "drako")])).unwrap();
    let copied =
        |mode: &str| back_door.query_row(mode, (), |row| Ok((row.get(1)?, row.get(2)?))).unwrap();
    let (logged, before): (i64, i64) = copied("PRAGMA wal_checkpoint(NOOP)");
    assert!(before < logged);
    assert_eq!(copied("PRAGMA wal_checkpoint(NOOP)"), (logged, before));
}

#[test]
fn a_store_of_a_newer_version_is_refused() {
    let (directory, store, back_door) = store_and_back_door();
    drop(store);
    back_door.pragma_update(None, "user_version", MIGRATIONS.len() as i64 + 1).unwrap();
    let why = why_not(&directory.path().join("umpire.sqlite"));
    assert!(matches!(why, StoreError::Newer(_)), "{why}");
    assert!(why.to_string().contains("umpire.sqlite: it has version 5"), "{why}");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other.sqlite");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE mine (x)").unwrap();
    let why = why_not(&path);
    assert!(matches!(why, StoreError::Corrupt(_)), "{why}");
    assert!(why.to_string().contains("another program"), "{why}");
    let objects: i64 =
        other.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0)).unwrap();
    assert_eq!(objects, 1);
}

#[test]
fn a_locked_database_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("umpire.sqlite");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let why = why_not(&path);
    assert!(matches!(why, StoreError::Unavailable(_)), "{why}");
    assert!(why.to_string().contains("locked"), "{why}");
}

#[test]
fn a_damaged_header_is_refused() {
    let (directory, store, back_door) = store_and_back_door();
    drop(store);
    back_door.close().unwrap();
    let path = directory.path().join("umpire.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..200].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let why = why_not(&path);
    assert!(matches!(why, StoreError::Corrupt(_)), "{why}");
}

/// The pages of a table or an index, by type: `leaf`, `internal` or `overflow`.
fn pages(back_door: &Connection, table: &str, kind: &str) -> Vec<u64> {
    let text = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno";
    let mut statement = back_door.prepare(text).unwrap();
    let pages = statement.query_map((table, kind), |row| row.get::<_, i64>(0)).unwrap();
    pages.map(|page| page.unwrap().cast_unsigned()).collect()
}

/// Overwrites a page with what SQLite never wrote.
fn spoil(path: &Path, page: u64) {
    use std::io::{Seek, SeekFrom, Write};
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * 8192)).unwrap();
    file.write_all(&[0xa5; 8192]).unwrap();
}

/// Text that does not compress well.
fn noise(number: u64, length: u64) -> String {
    let part = |at| blake3::hash(&[number, at].map(u64::to_le_bytes).concat()).to_hex().to_string();
    (0..length).map(part).collect()
}

/// A record whose row takes a good part of a page, or more than one.
fn bulky(number: u64, long: bool) -> NewRecord {
    let noise = noise(number, if long { 400 } else { 20 });
    let mut new = record(1, if number.is_multiple_of(3) { "dragut" } else { "drako" });
    new.record = format!("{{\"noise\":\"{noise}\"}}");
    new.id = RecordId::from_bytes(*blake3::hash(new.record.as_bytes()).as_bytes());
    new.summary.winner = number.is_multiple_of(50).then(|| "dragon".to_owned());
    new.summary.players[0].1 = if number.is_multiple_of(2) { "Anna" } else { "Bruno" }.to_owned();
    new
}

#[test]
fn a_damaged_page_costs_its_own_records_and_not_the_list() {
    const COUNT: u64 = 1_500;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("umpire.sqlite");
    let store = SqliteStore::open(&path).unwrap();
    let records: Vec<NewRecord> =
        (0..COUNT).map(|number| bulky(number, number % 100 == 7)).collect();
    wait(store.insert(records.clone())).unwrap();
    store.close().unwrap();
    drop(store);
    let good = fs::read(&path).unwrap();
    let back_door = Connection::open(&path).unwrap();
    let leaves = pages(&back_door, "record", "leaf");
    let inner = pages(&back_door, "record", "internal");
    let spilled = pages(&back_door, "record", "overflow");
    back_door.close().unwrap();
    assert!(leaves.len() > 100 && !inner.is_empty(), "{} leaves", leaves.len());
    assert!(spilled.len() > 10, "{} pages are spilled to", spilled.len());
    let filter = Filter::default;
    let some = |text: &str| Some(text.to_owned());
    let filters = [
        filter(),
        Filter { game: some("drako"), ..filter() },
        Filter { game: some("dragut"), winner: some("dragon"), ..filter() },
        Filter { player: some("anna"), ..filter() },
        Filter { player: some("bruno"), status: Some(Status::Complete), ..filter() },
        Filter { text: some("club"), ..filter() },
        Filter { text: some("club"), player: some("anna"), ..filter() },
        Filter { ruleset: some("drako@1"), since: Some(0), ..filter() },
    ];
    let matches = |filter: &Filter, new: &NewRecord| {
        let summary = &new.summary;
        filter.game.as_ref().is_none_or(|it| *it == summary.game)
            && filter.ruleset.as_ref().is_none_or(|it| *it == summary.ruleset)
            && (filter.winner.is_none() || filter.winner == summary.winner)
            && filter.player.as_ref().is_none_or(|it| *it == summary.players[0].1.to_lowercase())
    };
    let last = leaves.len() - 1;
    for (name, spoiled, most) in [
        ("a leaf", vec![leaves[50]], 16),
        ("the first leaf", vec![leaves[0]], 16),
        ("the last leaf", vec![leaves[last]], 16),
        ("leaves", vec![leaves[7], leaves[8], leaves[10], leaves[last / 2]], 64),
        ("what a row spills to", vec![spilled[0]], 1),
    ] {
        fs::write(&path, &good).unwrap();
        spoiled.iter().for_each(|page| spoil(&path, *page));
        let store = SqliteStore::open(&path).unwrap();
        let lost: Vec<&NewRecord> =
            records.iter().filter(|it| !matches!(store.find(&it.id), Ok(Some(_)))).collect();
        assert!(!lost.is_empty() && lost.len() <= most, "{name}: {} are lost", lost.len());
        let is_lost = |new: &NewRecord| lost.iter().any(|it| it.id == new.id);
        for filter in &filters {
            let expected: Vec<RecordId> = records
                .iter()
                .rev()
                .filter(|new| matches(filter, new) && !is_lost(new))
                .map(|new| new.id)
                .collect();
            let mut visited = Vec::new();
            let each = store.each(filter, &mut |stored| {
                visited.push(stored.id);
                std::ops::ControlFlow::Continue(())
            });
            assert_eq!(each, Ok(()), "{name}: {filter:?}");
            assert!(
                visited == expected,
                "{name}: {filter:?}: {} of {}",
                visited.len(),
                expected.len()
            );
            for limit in [7, 500] {
                let mut listed = Vec::new();
                let mut asked = Filter { limit: Some(limit), ..filter.clone() };
                loop {
                    let page = store.list(&asked).unwrap();
                    assert!(page.items.len() == limit as usize || page.next.is_none());
                    // Overflow pages contain the text of a row, which no list reads.
                    listed.extend(
                        page.items.iter().map(|it| it.id).filter(|id| expected.contains(id)),
                    );
                    match page.next {
                        Some(next) => asked.cursor = Some(next),
                        None => break,
                    }
                }
                assert!(
                    listed == expected,
                    "{name}: {filter:?}: {} of {}",
                    listed.len(),
                    expected.len()
                );
            }
            let count = usize::try_from(store.count(filter).unwrap()).unwrap();
            assert!((expected.len()..=expected.len() + most).contains(&count), "{name}: {count}");
        }
        assert!(store.damaged() > 0, "{name}");
    }
    // If the whole tree is gone, the list fails instead of being empty.
    fs::write(&path, &good).unwrap();
    inner.iter().for_each(|page| spoil(&path, *page));
    let store = SqliteStore::open(&path).unwrap();
    assert!(matches!(store.list(&filter()), Err(StoreError::Corrupt(_))));
}

/// Not a test: prints how long lists with words take, of 100,000 records.
/// `cargo test -p umpire-api --lib how_long_words_take -- --ignored --nocapture`
#[test]
#[ignore = "prints figures"]
fn how_long_words_take() {
    const COUNT: u64 = 100_000;
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("umpire.sqlite")).unwrap();
    for first in (0..COUNT).step_by(500) {
        let records = (first..first + 500).map(|number| {
            let mut new = bulky(number, false);
            // As long as a compressed record of 200 actions.
            new.record = new.record.replace("{", &format!("{{\"n\":\"{}\",", noise(number, 45)));
            new.id = RecordId::from_bytes(*blake3::hash(new.record.as_bytes()).as_bytes());
            new.summary.winner =
                Some(if number % 5_000 == 9 { "rare" } else { "dragon" }.to_owned());
            if number % 5_000 == 9 {
                new.summary.players[0].1 = "Rare".to_owned();
            }
            let league = if number.is_multiple_of(3) { " league" } else { "" };
            let zebra = if number % 20_000 == 7 { " zebra" } else { "" };
            new.summary.meta[0].1 = format!("club night{league}{zebra} t{number}").into();
            new
        });
        wait(store.insert(records.collect())).unwrap();
    }
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    for text in ["zebra", "club", "club league", "nothing"] {
        for (player, winner) in
            [("", ""), ("rare", ""), ("", "rare"), ("anna", ""), ("anna", "rare")]
        {
            let filter = Filter {
                text: some(text),
                player: some(player),
                winner: some(winner),
                ..Filter::default()
            };
            store.list(&filter).unwrap();
            let mut found = 0;
            let mut times = [0; 5].map(|_| {
                let start = std::time::Instant::now();
                found = store.list(&filter).unwrap().items.len();
                start.elapsed()
            });
            times.sort();
            let took = times[2];
            println!("{text:12} player={player:5} winner={winner:5} {found:3} {took:.1?}");
        }
    }
}

#[test]
fn a_store_from_before_verdicts_is_looked_over_and_then_takes_them() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("umpire.sqlite");
    let mut connection = Connection::open(&path).unwrap();
    rusqlite_migration::Migrations::from_slice(&MIGRATIONS[..2])
        .to_latest(&mut connection)
        .unwrap();
    connection.close().unwrap();
    let judges = Judges { record: &|_| Ok(()), verdict: &|_| Ok(()), table: &|_| Ok(()) };
    let checked = check(&path, judges, &mut |_, _| {}).unwrap();
    assert_eq!((checked.version, checked.faults, checked.verdicts), (2, 0, 0));
    let saved = salvage(&path, &mut |_| Ok(true)).unwrap();
    assert_eq!((saved.verdicts, saved.troubles.len()), (0, 0));
    let store = SqliteStore::open(&path).unwrap();
    let id = RecordId::from_bytes([7; 32]);
    let new = NewVerdict { id, sheet: "{}".to_owned(), signature: None };
    assert_eq!(wait(store.insert_verdict(new.clone())), Ok(Inserted::New));
    // The existing one stays as it is.
    let signed = NewVerdict { signature: Some("{}".to_owned()), ..new };
    assert_eq!(wait(store.insert_verdict(signed)), Ok(Inserted::Existing));
    assert_eq!(store.find_verdict(&id).unwrap().unwrap().signature, None);
    assert_eq!(wait(store.delete_verdict(&id)), Ok(true));
    assert_eq!(wait(store.delete_verdict(&id)), Ok(false));
    assert_eq!(store.find_verdict(&id), Ok(None));
}
