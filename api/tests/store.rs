//! What the store promises to those who use it, whatever lies behind it.

use std::{
    collections::HashSet,
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader},
    ops::ControlFlow,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
    thread,
    time::Duration,
};

use tempfile::TempDir;
use umpire_api::store::{
    Cursor, Filter, Inserted, NewRecord, Page, RecordId, Status, Store, StoreError, Summary,
    sqlite::{Settings, SqliteStore},
};

/// Waits for something without an asynchronous server around it.
fn wait<T>(pending: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(pending)
}

fn new_store() -> (TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("umpire.sqlite")).unwrap();
    (directory, store)
}

/// A record whose text says its number, under the hash of that text.
fn numbered(number: u64) -> NewRecord {
    let record = format!(
        "{{\"format\":\"umpire/1\",\"number\":{number},\"actions\":[{}]}}",
        "7,".repeat(50) + "7"
    );
    NewRecord {
        id: RecordId::from_bytes(*blake3::hash(record.as_bytes()).as_bytes()),
        record,
        summary: Summary {
            game: "drako".to_owned(),
            ruleset: "drako@1".to_owned(),
            status: Status::Complete,
            plies: 200,
            winner: Some("dragon".to_owned()),
            reason: Some("dwarves_dead".to_owned()),
            players: vec![
                ("dragon".to_owned(), "Anna".to_owned()),
                ("dwarves".to_owned(), "Bruno".to_owned()),
            ],
            meta: vec![("event".to_owned(), "club night".into())],
            verdict: "{\"status\":\"complete\"}".to_owned(),
        },
    }
}

/// A numbered record with something else in its summary.
fn with(number: u64, change: impl FnOnce(&mut Summary)) -> NewRecord {
    let mut record = numbered(number);
    change(&mut record.summary);
    record
}

/// The ids of everything that matches, page by page; as many as are counted.
fn ids(store: &dyn Store, filter: &Filter) -> Vec<RecordId> {
    let count = store.count(filter).unwrap();
    let ids = pages(store, filter);
    assert_eq!(count, ids.len() as u64, "{filter:?}");
    ids
}

/// The ids of everything that matches, page by page.
fn pages(store: &dyn Store, filter: &Filter) -> Vec<RecordId> {
    let mut ids = Vec::new();
    let mut filter = filter.clone();
    loop {
        let Page { items, next } = store.list(&filter).unwrap();
        ids.extend(items.iter().map(|item| item.id));
        match next {
            Some(next) => filter.cursor = Some(next),
            None => break,
        }
    }
    ids
}

#[test]
fn a_record_comes_back_byte_for_byte() {
    let (directory, store) = new_store();
    let mut record = with(1, |summary| {
        summary.status = Status::Illegal;
        summary.winner = None;
        summary.reason = None;
        summary.players =
            vec![("z".to_owned(), "Ünal \"x\" 🐉".to_owned()), ("a".to_owned(), String::new())];
        summary.meta = vec![("z".to_owned(), "\u{0}\n'\"".into()), ("a".to_owned(), "1".into())];
    });
    record.record = "{\n\t\"meta\": {\"é\": \"e\u{301}\"} }\r\n".to_owned();
    assert_eq!(wait(store.insert(vec![record.clone()])), Ok(vec![Inserted::New]));
    let check = |store: &SqliteStore| {
        let stored = store.find(&record.id).unwrap().unwrap();
        assert_eq!(stored.id, record.id);
        assert_eq!(stored.record, record.record);
        assert_eq!(stored.summary, record.summary);
        let listed = store.list(&Filter::default()).unwrap().items.remove(0);
        let shown = Summary { verdict: String::new(), ..stored.summary };
        assert_eq!(
            (listed.id, listed.created_at, listed.summary),
            (stored.id, stored.created_at, shown)
        );
    };
    check(&store);
    drop(store);
    check(&SqliteStore::open(&directory.path().join("umpire.sqlite")).unwrap());
}

#[test]
fn an_unknown_record_is_not_found() {
    let (_directory, store) = new_store();
    assert_eq!(store.find(&numbered(1).id), Ok(None));
    assert_eq!(wait(store.delete(&numbered(1).id)), Ok(false));
    assert_eq!(store.list(&Filter::default()), Ok(Page { items: Vec::new(), next: None }));
    assert_eq!(wait(store.insert(Vec::new())), Ok(Vec::new()));
}

#[test]
fn the_same_record_again_is_existing_and_changes_nothing() {
    let (_directory, store) = new_store();
    let first = wait(store.insert(vec![numbered(1), numbered(2), numbered(1)]));
    assert_eq!(first, Ok(vec![Inserted::New, Inserted::New, Inserted::Existing]));
    let before = store.find(&numbered(1).id).unwrap();
    let other = with(1, |summary| summary.game = "dragut".to_owned());
    assert_eq!(
        wait(store.insert(vec![other, numbered(3)])),
        Ok(vec![Inserted::Existing, Inserted::New])
    );
    assert_eq!(store.find(&numbered(1).id).unwrap(), before);
    assert_eq!(ids(&store, &Filter::default()).len(), 3);
}

#[test]
fn of_many_who_insert_the_same_record_one_is_first() {
    let (_directory, store) = new_store();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    let waiting: Vec<_> =
        (0..200).map(|number| runtime.spawn(store.insert(vec![numbered(number % 5)]))).collect();
    let mut new = 0;
    for answer in waiting {
        new += usize::from(runtime.block_on(answer).unwrap().unwrap() == [Inserted::New]);
    }
    assert_eq!(new, 5);
    assert_eq!(ids(&store, &Filter::default()).len(), 5);
}

#[test]
fn a_deleted_record_is_gone_and_may_come_again() {
    let (_directory, store) = new_store();
    let id = numbered(1).id;
    for _ in 0..3 {
        assert_eq!(wait(store.insert(vec![numbered(1), numbered(2)])).unwrap()[0], Inserted::New);
        let text = Filter { text: Some("club".to_owned()), ..Filter::default() };
        assert!(ids(&store, &text).contains(&id));
        assert_eq!(wait(store.delete(&id)), Ok(true));
        assert_eq!(wait(store.delete(&id)), Ok(false));
        assert_eq!(store.find(&id), Ok(None));
        let player = Filter { player: Some("Anna".to_owned()), ..Filter::default() };
        for filter in [Filter::default(), player, text] {
            assert_eq!(ids(&store, &filter), [numbered(2).id]);
        }
    }
}

#[test]
fn each_filter_keeps_what_it_says() {
    let (_directory, store) = new_store();
    let records = [
        numbered(0),
        with(1, |summary| summary.game = "dragut".to_owned()),
        with(2, |summary| summary.ruleset = "drako@2".to_owned()),
        with(3, |summary| summary.status = Status::InProgress),
        with(4, |summary| summary.status = Status::Illegal),
        with(5, |summary| summary.status = Status::BadChance),
        with(6, |summary| summary.winner = None),
        with(7, |summary| summary.winner = Some("dwarves".to_owned())),
        with(8, |summary| summary.players[0].1 = "Ömer O'Neil".to_owned()),
        with(9, |summary| summary.players[0].1 = "Bruno".to_owned()),
        with(10, |summary| summary.meta[0].1 = "Été à Orléans".into()),
        with(11, |summary| summary.meta.clear()),
    ];
    wait(store.insert(records.to_vec())).unwrap();
    // The numbers of the records that are left, the latest first.
    let check = |filter: Filter, expected: &[usize]| {
        let expected: Vec<RecordId> = expected.iter().map(|&number| records[number].id).collect();
        assert_eq!(ids(&store, &filter), expected, "{filter:?}");
        let mut visited = Vec::new();
        store
            .each(&filter, &mut |stored| {
                visited.push(stored.id);
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(visited, expected, "each, {filter:?}");
    };
    let text = |value: &str| Some(value.to_owned());
    let all = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    check(Filter::default(), &all);
    check(Filter { game: text("dragut"), ..Filter::default() }, &[1]);
    check(Filter { game: text("Dragut"), ..Filter::default() }, &[]);
    check(Filter { ruleset: text("drako@2"), ..Filter::default() }, &[2]);
    check(Filter { status: Some(Status::InProgress), ..Filter::default() }, &[3]);
    check(Filter { status: Some(Status::Illegal), ..Filter::default() }, &[4]);
    check(Filter { status: Some(Status::BadChance), ..Filter::default() }, &[5]);
    check(Filter { winner: text("dwarves"), ..Filter::default() }, &[7]);
    check(Filter { player: text("ömer o'neil"), ..Filter::default() }, &[8]);
    check(Filter { player: text("Ömer"), ..Filter::default() }, &[]);
    check(Filter { player: text("bruno"), ..Filter::default() }, &all);
    check(Filter { player: text("anna"), game: text("dragut"), ..Filter::default() }, &[1]);
    check(Filter { text: text("orl ete"), ..Filter::default() }, &[10]);
    check(Filter { text: text("orl night"), ..Filter::default() }, &[]);
    check(
        Filter {
            text: text("CLUB"),
            player: text("Anna"),
            winner: text("dwarves"),
            ..Filter::default()
        },
        &[7],
    );
    check(Filter { text: text("club"), status: Some(Status::Illegal), ..Filter::default() }, &[4]);
    check(Filter { text: text(" \t\n"), ..Filter::default() }, &all);
    let everything = Filter {
        game: text("drako"),
        ruleset: text("drako@1"),
        player: text("Anna"),
        status: Some(Status::Complete),
        winner: text("dragon"),
        text: text("club"),
        since: Some(0),
        until: Some(i64::MAX),
        ..Filter::default()
    };
    check(everything, &[0]);
}

#[test]
fn times_bound_a_list() {
    let (_directory, store) = new_store();
    for number in 0..4 {
        wait(store.insert(vec![numbered(number)])).unwrap();
        thread::sleep(Duration::from_millis(2));
    }
    let items = store.list(&Filter::default()).unwrap().items;
    let time = |number: usize| Some(items[items.len() - 1 - number].created_at);
    let expect = |since: Option<i64>, until: Option<i64>| {
        let inside =
            |at: i64| since.is_none_or(|since| since <= at) && until.is_none_or(|until| at < until);
        let expected: Vec<_> =
            items.iter().filter(|item| inside(item.created_at)).map(|item| item.id).collect();
        for limit in [1, 50] {
            let filter = Filter { since, until, limit: Some(limit), ..Filter::default() };
            assert_eq!(ids(&store, &filter), expected, "{filter:?}");
        }
        expected.len()
    };
    assert_eq!(expect(time(0), None), 4);
    assert_eq!(expect(None, time(0)), 0);
    for since in 0..4 {
        for until in 0..4 {
            expect(time(since), time(until));
        }
    }
    assert_eq!(expect(Some(i64::MIN), Some(i64::MAX)), 4);
    assert_eq!(expect(Some(i64::MAX), None), 0);
}

#[test]
fn what_a_user_searches_for_is_never_an_operator() {
    let (_directory, store) = new_store();
    let values = [
        "say \"hello\" to O'Brien",
        "NOT this AND that OR NEAR(it)",
        "半荘戦 東風",
        "value: a* ^b -c {d e}: (f)",
        "%like_ this%; DROP TABLE record; --",
    ];
    let records: Vec<_> = (0..)
        .zip(values)
        .map(|(number, value)| with(number, |summary| summary.meta[0].1 = value.into()))
        .collect();
    wait(store.insert(records.clone())).unwrap();
    let found =
        |text: &str| ids(&store, &Filter { text: Some(text.to_owned()), ..Filter::default() });
    // Each value is found by itself, and by nothing else.
    for (record, value) in records.iter().zip(values) {
        assert_eq!(found(value), [record.id], "{value}");
    }
    assert_eq!(found("o'brien"), [records[0].id]);
    assert_eq!(found("\"HELLO\""), [records[0].id]);
    assert_eq!(found("hel"), [records[0].id]);
    assert_eq!(found("NOT"), [records[1].id]);
    assert_eq!(found("hello OR this"), []);
    assert_eq!(found("hello NOT this"), []);
    assert_eq!(found("東"), [records[2].id]);
    assert_eq!(found("value:club"), []);
    assert_eq!(found("this"), [records[4].id, records[1].id]);
    for nothing in [
        "\"",
        "\"\"",
        "*",
        "(",
        "NEAR(",
        "a\u{0}\"b",
        "{",
        "-",
        "^",
        ":",
        "' OR '1'='1",
        "🐉",
        "\u{0}x",
    ] {
        let _ = found(nothing);
    }
    assert_eq!(found("* \" ( 🐉"), []);
    found(&"word ".repeat(2_000));
    found(&"x".repeat(100_000));
}

#[test]
fn pages_end_where_the_next_begin() {
    let (_directory, store) = new_store();
    wait(store.insert((0..20).map(numbered).collect())).unwrap();
    let all = ids(&store, &Filter::default());
    assert_eq!(all.len(), 20);
    for limit in [1, 3, 10, 19, 20, 21] {
        let filter = Filter { limit: Some(limit), ..Filter::default() };
        assert_eq!(ids(&store, &filter), all, "limit {limit}");
        let page = store.list(&filter).unwrap();
        assert_eq!(page.items.len(), limit.min(20) as usize);
        assert_eq!(page.next.is_some(), limit < 20);
    }
    let forged: Cursor = "ffffffffffffffff".parse().unwrap();
    assert_eq!(
        store.list(&Filter { cursor: Some(forged), ..Filter::default() }),
        Err(StoreError::Cursor)
    );
    let empty: Cursor = "0000000000000000".parse().unwrap();
    assert_eq!(ids(&store, &Filter { cursor: Some(empty), ..Filter::default() }), []);
}

#[test]
fn each_visits_as_many_as_asked_until_told_to_stop() {
    let (_directory, store) = new_store();
    wait(store.insert((0..600).map(numbered).collect())).unwrap();
    let visit = |limit: Option<u32>, stop_after: usize| {
        let mut visited = HashSet::new();
        let filter = Filter { limit, ..Filter::default() };
        store
            .each(&filter, &mut |stored| {
                visited.insert(stored.id);
                if visited.len() == stop_after {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .unwrap();
        visited.len()
    };
    assert_eq!(visit(None, usize::MAX), 600);
    assert_eq!(visit(Some(300), usize::MAX), 300);
    assert_eq!(visit(Some(256), usize::MAX), 256);
    assert_eq!(visit(None, 300), 300);
    assert_eq!(visit(Some(0), 1), 0);
}

#[test]
fn a_visitor_may_write_and_delete() {
    let (_directory, store) = new_store();
    wait(store.insert((0..300).map(numbered).collect())).unwrap();
    let mut visited = 0;
    store
        .each(&Filter::default(), &mut |stored| {
            visited += 1;
            assert_eq!(wait(store.delete(&stored.id)), Ok(true));
            wait(store.insert(vec![numbered(1_000 + visited)])).unwrap();
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(visited, 300);
    assert_eq!(ids(&store, &Filter::default()).len(), 300);
}

#[test]
fn pages_neither_lose_nor_repeat_a_record_while_others_are_inserted() {
    let (_directory, store) = new_store();
    let before: Vec<NewRecord> = (0..300).map(numbered).collect();
    wait(store.insert(before.clone())).unwrap();
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        for start in [10_000, 20_000] {
            let (store, enough) = (&store, &enough);
            scope.spawn(move || {
                // Not without end: where the reader fails, nobody says that it is enough.
                for number in start..start + 1_500 {
                    if enough.load(Ordering::Relaxed) {
                        break;
                    }
                    wait(store.insert(vec![numbered(number)])).unwrap();
                }
            });
        }
        let player = Filter { player: Some("Anna".to_owned()), ..Filter::default() };
        let text = Filter { text: Some("club".to_owned()), ..Filter::default() };
        for filter in [Filter::default(), player, text] {
            let filter = Filter { limit: Some(7), ..filter };
            let least = store.count(&filter).unwrap();
            let shown = pages(&store, &filter);
            let most = store.count(&filter).unwrap();
            assert!((least..=most).contains(&(shown.len() as u64)), "{filter:?}");
            let distinct: HashSet<RecordId> = shown.iter().copied().collect();
            assert_eq!(distinct.len(), shown.len(), "a record was shown twice");
            assert!(before.iter().all(|record| distinct.contains(&record.id)), "a record was lost");
        }
        enough.store(true, Ordering::Relaxed);
    });
}

#[test]
fn closing_finishes_what_was_taken_and_takes_no_more() {
    let (directory, store) = new_store();
    assert_eq!(wait(store.ready()), Ok(()));
    let mut answers: Vec<_> = (0..100).map(|number| store.insert(vec![numbered(number)])).collect();
    // The first look at an answer queues the request.
    answers.retain_mut(|answer| {
        answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
    });
    // Nobody waits for some of them, and yet they were taken.
    answers.truncate(50);
    assert_eq!(store.close(), Ok(()));
    for answer in answers {
        assert_eq!(wait(answer), Ok(vec![Inserted::New]));
    }
    assert_eq!(store.close(), Ok(()));
    assert!(matches!(wait(store.insert(vec![numbered(1_000)])), Err(StoreError::Unavailable(_))));
    assert!(matches!(wait(store.delete(&numbered(0).id)), Err(StoreError::Unavailable(_))));
    assert!(wait(store.ready()).is_err());
    drop(store);
    let store = SqliteStore::open(&directory.path().join("umpire.sqlite")).unwrap();
    assert_eq!(ids(&store, &Filter::default()).len(), 100);
}

#[test]
fn a_full_queue_holds_submitters_back_and_then_says_busy() {
    let directory = tempfile::tempdir().unwrap();
    let settings =
        Settings { queue_bytes: 1, busy_after: Duration::from_secs(60), ..Settings::default() };
    let store = SqliteStore::open_with(&directory.path().join("patient.sqlite"), settings).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    // Room for one request at a time: all get through, one after the other.
    let waiting: Vec<_> =
        (0..50).map(|number| runtime.spawn(store.insert(vec![numbered(number)]))).collect();
    for answer in waiting {
        assert_eq!(runtime.block_on(answer).unwrap(), Ok(vec![Inserted::New]));
    }

    let settings = Settings { queue_bytes: 1, busy_after: Duration::ZERO, ..Settings::default() };
    let store =
        SqliteStore::open_with(&directory.path().join("impatient.sqlite"), settings).unwrap();
    let waiting: Vec<_> =
        (0..50).map(|number| runtime.spawn(store.insert(vec![numbered(number)]))).collect();
    for (number, answer) in (0..).zip(waiting) {
        match runtime.block_on(answer).unwrap() {
            Ok(_) => assert!(store.find(&numbered(number).id).unwrap().is_some()),
            Err(error) => {
                assert_eq!(error, StoreError::Busy);
                assert_eq!(store.find(&numbered(number).id), Ok(None));
            }
        }
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_in_plain_words() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let why_not = |path: &Path| {
        let why = SqliteStore::open(path).err().expect("a store that does not open");
        assert!(why.to_string().contains(&path.display().to_string()), "{why}");
        why
    };
    fs::write(path("letter.txt"), "Dear Anna, ".repeat(1_000)).unwrap();
    let why = why_not(&path("letter.txt"));
    assert!(matches!(why, StoreError::Corrupt(_)), "{why}");
    assert!(why.to_string().contains("not a database"), "{why}");
    let why = why_not(&path("letter.txt/umpire.sqlite"));
    assert!(matches!(why, StoreError::Unavailable(_)), "{why}");
    fs::create_dir(path("directory")).unwrap();
    let why = why_not(&path("directory"));
    assert!(matches!(why, StoreError::Unavailable(_)), "{why}");
}

#[cfg(unix)]
#[test]
fn a_directory_that_may_not_be_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(directory.path().join("probe"), "").is_ok() {
        return; // The superuser may write everywhere.
    }
    let why = SqliteStore::open(&directory.path().join("umpire.sqlite"))
        .err()
        .expect("a store that does not open");
    assert!(matches!(why, StoreError::Unavailable(_)), "{why}");
}

#[cfg(unix)]
#[test]
fn a_new_file_is_made_with_its_directories_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a/b/umpire.sqlite");
    let store = SqliteStore::open(&path).unwrap();
    wait(store.insert(vec![numbered(1)])).unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let file = format!("{}{suffix}", path.display());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

/// Says to the child of the next test which file to use.
const STORM: &str = "UMPIRE_TEST_STORM";

#[test]
fn what_was_acknowledged_survives_a_kill() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("umpire.sqlite");
    let mut acknowledged: Vec<u64> = Vec::new();
    for round in 1..=4_u64 {
        // The same program again, which runs only the test below, as a storm.
        let mut child = Command::new(env::current_exe()?)
            .args(["--exact", "the_storm_that_is_killed", "--nocapture"])
            .env(STORM, format!("{round}:{}", path.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = child.stdout.take().ok_or("a child with an output")?;
        let mut lines = BufReader::new(output).lines();
        let enough = acknowledged.len() + 500 * usize::try_from(round)?;
        // Kill in the middle of the storm, then read on: what the pipe still holds was said before.
        let mut killed = false;
        while let Some(Ok(line)) = lines.next() {
            // The harness writes lines of its own; and the last line may be cut off.
            let number = line.strip_prefix("ack ").and_then(|rest| rest.strip_suffix(" end"));
            acknowledged.extend(number.and_then(|number| number.parse::<u64>().ok()));
            if !killed && acknowledged.len() >= enough {
                child.kill()?;
                killed = true;
            }
        }
        child.wait()?;
        assert!(killed, "the storm ended by itself after {} records", acknowledged.len());

        let store = SqliteStore::open(&path)?;
        let listed: HashSet<RecordId> =
            ids(&store, &Filter { limit: Some(500), ..Filter::default() }).into_iter().collect();
        for &number in &acknowledged {
            let expected = numbered(number);
            let stored = store
                .find(&expected.id)?
                .ok_or_else(|| format!("round {round}: {number} was lost"))?;
            assert_eq!(stored.record, expected.record, "round {round}");
            assert_eq!(stored.summary, expected.summary, "round {round}");
            assert!(listed.contains(&expected.id), "round {round}: {number} is not listed");
        }
        let by_text =
            Filter { text: Some("club".to_owned()), limit: Some(500), ..Filter::default() };
        assert_eq!(ids(&store, &by_text).len(), listed.len(), "round {round}");
        store.close()?;
    }
    Ok(())
}

/// Not a test of its own: the child of the test above, which says each record that was
/// acknowledged and goes on until it is killed.
#[test]
fn the_storm_that_is_killed() {
    let Ok(storm) = env::var(STORM) else { return };
    let (round, path) = storm.split_once(':').unwrap();
    let round: u64 = round.parse().unwrap();
    let store = Arc::new(SqliteStore::open(Path::new(path)).unwrap());
    let submitters: Vec<_> = (0..16)
        .map(|submitter: u64| {
            let store = Arc::clone(&store);
            thread::spawn(move || {
                // If the parent is gone, the storm must not go on for ever.
                for step in 0..20_000 {
                    let number = (round * 100 + submitter) * 1_000_000 + step * 2;
                    if step % 10 == 0 {
                        wait(store.insert(vec![numbered(number), numbered(number + 1)])).unwrap();
                        println!("ack {number} end\nack {} end", number + 1);
                    } else {
                        wait(store.insert(vec![numbered(number)])).unwrap();
                        println!("ack {number} end");
                    }
                }
            })
        })
        .collect();
    for submitter in submitters {
        submitter.join().unwrap();
    }
}
