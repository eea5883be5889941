//! What the store promises to those who use it, whatever lies behind it.

use std::{
    collections::HashSet,
    fs,
    ops::ControlFlow,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
    thread,
    time::Duration,
};

use tempfile::TempDir;
use umpire_api::store::{
    Cursor, Filter, Inserted, NewRecord, NewVerdict, Page, RecordId, Status, Store, StoreError,
    Summary, TableId,
    postgres::{PostgresStore, Settings as OfPostgres},
    sqlite::{Settings, SqliteStore},
};

mod postgres;

/// Waits for something without an asynchronous server around it.
fn wait<T>(pending: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(pending)
}

/// Where a store lies, of one kind or the other.
enum Place {
    File(TempDir),
    Postgres(String),
}

impl Place {
    fn file() -> Self {
        Place::File(tempfile::tempdir().unwrap())
    }

    /// A database of its own; none where there is no server.
    fn postgres(test: &str) -> Option<Self> {
        Some(Place::Postgres(postgres::database(test)?))
    }

    fn open(&self) -> Box<dyn Store> {
        self.open_with(None)
    }

    /// With so many bytes in the queue, and so much patience.
    fn open_with(&self, queue: Option<(u32, Duration)>) -> Box<dyn Store> {
        match self {
            Place::File(folder) => {
                let mut settings = Settings::default();
                if let Some((bytes, after)) = queue {
                    (settings.queue_bytes, settings.busy_after) = (bytes, after);
                }
                let path = folder.path().join("umpire.sqlite");
                Box::new(SqliteStore::open_with(&path, settings).unwrap())
            }
            Place::Postgres(address) => {
                let mut settings = OfPostgres::default();
                if let Some((bytes, after)) = queue {
                    (settings.queue_bytes, settings.busy_after) = (bytes, after);
                }
                // Reading is not what has no patience here.
                let store = PostgresStore::open_with(address, settings);
                Box::new(store.unwrap())
            }
        }
    }
}

/// Each test twice: on a file, and in a database.
macro_rules! on_both {
    ($($test:ident)*) => {
        mod file {
            $(#[test]
            fn $test() {
                super::$test(&super::Place::file());
            })*
        }

        mod database {
            $(#[test]
            fn $test() {
                if let Some(place) = super::Place::postgres(stringify!($test)) {
                    super::$test(&place);
                }
            })*
        }
    };
}

on_both! {
    a_record_comes_back_byte_for_byte
    an_unknown_record_is_not_found
    the_same_record_again_is_existing_and_changes_nothing
    of_many_who_insert_the_same_record_one_is_first
    a_deleted_record_is_gone_and_may_come_again
    each_filter_keeps_what_it_says
    times_bound_a_list
    what_a_user_searches_for_is_never_an_operator
    pages_end_where_the_next_begin
    each_visits_as_many_as_asked_until_told_to_stop
    a_visitor_may_write_and_delete
    pages_neither_lose_nor_repeat_a_record_while_others_are_inserted
    closing_finishes_what_was_taken_and_takes_no_more
    a_full_queue_holds_submitters_back_and_then_says_busy
    sheets_come_back_as_they_were_given
    steps_of_a_table_follow_each_other
    text_without_letters_and_text_with_too_many_words_are_kept
    names_are_found_whatever_is_in_them
    words_are_found_the_same_way
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

fn a_record_comes_back_byte_for_byte(place: &Place) {
    let store = place.open();
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
    let check = |store: &dyn Store| {
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
    check(&*store);
    drop(store);
    check(&*place.open());
}

fn an_unknown_record_is_not_found(place: &Place) {
    let store = place.open();
    assert_eq!(store.find(&numbered(1).id), Ok(None));
    assert_eq!(wait(store.delete(&numbered(1).id)), Ok(false));
    assert_eq!(store.list(&Filter::default()), Ok(Page { items: Vec::new(), next: None }));
    assert_eq!(wait(store.insert(Vec::new())), Ok(Vec::new()));
}

fn the_same_record_again_is_existing_and_changes_nothing(place: &Place) {
    let store = place.open();
    let first = wait(store.insert(vec![numbered(1), numbered(2), numbered(1)]));
    assert_eq!(first, Ok(vec![Inserted::New, Inserted::New, Inserted::Existing]));
    let before = store.find(&numbered(1).id).unwrap();
    let other = with(1, |summary| summary.game = "dragut".to_owned());
    assert_eq!(
        wait(store.insert(vec![other, numbered(3)])),
        Ok(vec![Inserted::Existing, Inserted::New])
    );
    assert_eq!(store.find(&numbered(1).id).unwrap(), before);
    assert_eq!(ids(&*store, &Filter::default()).len(), 3);
}

fn of_many_who_insert_the_same_record_one_is_first(place: &Place) {
    let store = place.open();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    let waiting: Vec<_> =
        (0..200).map(|number| runtime.spawn(store.insert(vec![numbered(number % 5)]))).collect();
    let mut new = 0;
    for answer in waiting {
        new += usize::from(runtime.block_on(answer).unwrap().unwrap() == [Inserted::New]);
    }
    assert_eq!(new, 5);
    assert_eq!(ids(&*store, &Filter::default()).len(), 5);
}

fn a_deleted_record_is_gone_and_may_come_again(place: &Place) {
    let store = place.open();
    let id = numbered(1).id;
    for _ in 0..3 {
        assert_eq!(wait(store.insert(vec![numbered(1), numbered(2)])).unwrap()[0], Inserted::New);
        let text = Filter { text: Some("club".to_owned()), ..Filter::default() };
        assert!(ids(&*store, &text).contains(&id));
        assert_eq!(wait(store.delete(&id)), Ok(true));
        assert_eq!(wait(store.delete(&id)), Ok(false));
        assert_eq!(store.find(&id), Ok(None));
        let player = Filter { player: Some("Anna".to_owned()), ..Filter::default() };
        for filter in [Filter::default(), player, text] {
            assert_eq!(ids(&*store, &filter), [numbered(2).id]);
        }
    }
}

fn each_filter_keeps_what_it_says(place: &Place) {
    let store = place.open();
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
        assert_eq!(ids(&*store, &filter), expected, "{filter:?}");
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

fn times_bound_a_list(place: &Place) {
    let store = place.open();
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
            assert_eq!(ids(&*store, &filter), expected, "{filter:?}");
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

fn what_a_user_searches_for_is_never_an_operator(place: &Place) {
    let store = place.open();
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
        |text: &str| ids(&*store, &Filter { text: Some(text.to_owned()), ..Filter::default() });
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

fn pages_end_where_the_next_begin(place: &Place) {
    let store = place.open();
    wait(store.insert((0..20).map(numbered).collect())).unwrap();
    let all = ids(&*store, &Filter::default());
    assert_eq!(all.len(), 20);
    for limit in [1, 3, 10, 19, 20, 21] {
        let filter = Filter { limit: Some(limit), ..Filter::default() };
        assert_eq!(ids(&*store, &filter), all, "limit {limit}");
        let page = store.list(&filter).unwrap();
        assert_eq!(page.items.len(), limit.min(20) as usize);
        assert_eq!(page.next.is_some(), limit < 20);
    }
    let front = store.front().unwrap();
    wait(store.insert((20..25).map(numbered).collect())).unwrap();
    assert_eq!(ids(&*store, &Filter { cursor: Some(front), ..Filter::default() }), all);
    assert_eq!(ids(&*store, &Filter::default()).len(), 25);
    let forged: Cursor = "ffffffffffffffff".parse().unwrap();
    assert_eq!(
        store.list(&Filter { cursor: Some(forged), ..Filter::default() }),
        Err(StoreError::Cursor)
    );
    let empty: Cursor = "0000000000000000".parse().unwrap();
    assert_eq!(ids(&*store, &Filter { cursor: Some(empty), ..Filter::default() }), []);
}

fn each_visits_as_many_as_asked_until_told_to_stop(place: &Place) {
    let store = place.open();
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

fn a_visitor_may_write_and_delete(place: &Place) {
    let store = place.open();
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
    assert_eq!(ids(&*store, &Filter::default()).len(), 300);
}

fn pages_neither_lose_nor_repeat_a_record_while_others_are_inserted(place: &Place) {
    let store = place.open();
    let before: Vec<NewRecord> = (0..300).map(numbered).collect();
    wait(store.insert(before.clone())).unwrap();
    let enough = AtomicBool::new(false);
    thread::scope(|scope| {
        for start in [10_000, 20_000] {
            let (store, enough) = (&*store, &enough);
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
            let shown = pages(&*store, &filter);
            let most = store.count(&filter).unwrap();
            assert!((least..=most).contains(&(shown.len() as u64)), "{filter:?}");
            let distinct: HashSet<RecordId> = shown.iter().copied().collect();
            assert_eq!(distinct.len(), shown.len(), "a record was shown twice");
            assert!(before.iter().all(|record| distinct.contains(&record.id)), "a record was lost");
        }
        enough.store(true, Ordering::Relaxed);
    });
}

fn closing_finishes_what_was_taken_and_takes_no_more(place: &Place) {
    let store = place.open();
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
    let store = place.open();
    assert_eq!(ids(&*store, &Filter::default()).len(), 100);
}

fn a_full_queue_holds_submitters_back_and_then_says_busy(place: &Place) {
    let store = place.open_with(Some((1, Duration::from_secs(60))));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    // Room for one request at a time: all get through, one after the other.
    let waiting: Vec<_> =
        (0..50).map(|number| runtime.spawn(store.insert(vec![numbered(number)]))).collect();
    for answer in waiting {
        assert_eq!(runtime.block_on(answer).unwrap(), Ok(vec![Inserted::New]));
    }

    let store = place.open_with(Some((1, Duration::ZERO)));
    let waiting: Vec<_> =
        (100..150).map(|number| runtime.spawn(store.insert(vec![numbered(number)]))).collect();
    for (number, answer) in (100..).zip(waiting) {
        match runtime.block_on(answer).unwrap() {
            Ok(_) => assert!(store.find(&numbered(number).id).unwrap().is_some()),
            Err(error) => {
                assert_eq!(error, StoreError::Busy);
                assert_eq!(store.find(&numbered(number).id), Ok(None));
            }
        }
    }
}

/// Sheets of settled disputes.
fn sheets_come_back_as_they_were_given(place: &Place) {
    let store = place.open();
    let id = RecordId::from_bytes([7; 32]);
    let new = NewVerdict { id, sheet: "{\"é\":1}".repeat(999), signature: None };
    assert_eq!(store.find_verdict(&id), Ok(None));
    assert_eq!(wait(store.insert_verdict(new.clone())), Ok(Inserted::New));
    let signed = NewVerdict { signature: Some("{}".to_owned()), ..new.clone() };
    assert_eq!(wait(store.insert_verdict(signed.clone())), Ok(Inserted::Existing));
    let found = store.find_verdict(&id).unwrap().unwrap();
    let second = NewVerdict { id: RecordId::from_bytes([8; 32]), ..new.clone() };
    assert_eq!(wait(store.insert_verdict(second.clone())), Ok(Inserted::New));
    let all = store.kept_verdicts(i64::MAX, 9).unwrap();
    assert_eq!((all[0].1.id, all[1].1.id), (second.id, found.id));
    assert_eq!(
        (all[1].1.created_at, all[1].1.sheet.as_ref()),
        (found.created_at, Some(&found.sheet))
    );
    assert_eq!(store.kept_verdicts(all[0].0, 9).unwrap(), all[1..]);
    assert_eq!(store.kept_verdicts(i64::MAX, 1).unwrap(), all[..1]);
    assert_eq!(wait(store.delete_verdict(&second.id)), Ok(true));
    assert_eq!((found.id, found.sheet, found.signature), (id, new.sheet, None));
    assert_eq!(wait(store.delete_verdict(&id)), Ok(true));
    assert_eq!(wait(store.delete_verdict(&id)), Ok(false));
    assert_eq!(wait(store.insert_verdict(signed)), Ok(Inserted::New));
    assert_eq!(store.find_verdict(&id).unwrap().unwrap().signature.as_deref(), Some("{}"));
}

fn steps_of_a_table_follow_each_other(place: &Place) {
    let store = place.open();
    let (id, other) = (TableId::from_bytes([1; 16]), TableId::from_bytes([2; 16]));
    let step = |number: u32| format!("{{\"step\":{number}}}");
    assert_eq!(wait(store.append_step(id, 0, step(0))), Ok(false), "no table");
    assert_eq!(wait(store.insert_table(id, "{}".to_owned())), Ok(Inserted::New));
    assert_eq!(wait(store.insert_table(id, "{1}".to_owned())), Ok(Inserted::Existing));
    assert_eq!(wait(store.insert_table(other, "{2}".to_owned())), Ok(Inserted::New));
    assert_eq!(wait(store.append_step(id, 1, step(1))), Ok(false), "a gap");
    assert_eq!(wait(store.append_step(id, 0, step(0))), Ok(true));
    assert_eq!(wait(store.append_step(id, 0, step(9))), Ok(false), "twice");
    // Of many who come at once with the same number, one is first.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
    for number in 1..5 {
        let waiting: Vec<_> =
            (0..9).map(|_| runtime.spawn(store.append_step(id, number, step(number)))).collect();
        let taken = waiting.into_iter().map(|it| runtime.block_on(it).unwrap().unwrap());
        assert_eq!(taken.filter(|taken| *taken).count(), 1, "{number}");
    }
    let table = store.find_table(id).unwrap().unwrap();
    assert_eq!((table.id, table.head.as_str()), (id, "{}"));
    let all = store.kept_tables(i64::MAX, 9).unwrap();
    let listed: Vec<(TableId, u32, u64)> =
        all.iter().map(|(_, it)| (it.id, it.steps, it.bytes)).collect();
    assert_eq!(listed, [(other, 0, 3), (id, 5, 2 + 5 * step(0).len() as u64)]);
    assert_eq!(all[1].1.played_at, table.steps[4].taken_at);
    assert_eq!(all[0].1.played_at, all[0].1.created_at);
    assert_eq!(store.kept_tables(i64::MAX, 1).unwrap(), all[..1]);
    assert_eq!(store.kept_tables(all[0].0, 9).unwrap(), all[1..]);
    assert_eq!(store.kept_tables(all[1].0, 9).unwrap(), []);
    let texts: Vec<String> = table.steps.iter().map(|it| it.text.clone()).collect();
    assert_eq!(texts, (0..5).map(step).collect::<Vec<_>>());
    assert!(table.steps.iter().all(|step| step.taken_at >= table.created_at));
    assert_eq!(store.find_steps(id, 3), Ok(Some(table.steps[3..].to_vec())));
    assert_eq!(store.find_steps(id, 9), Ok(Some(Vec::new())));
    assert_eq!(wait(store.delete_table(id)), Ok(true));
    assert_eq!(wait(store.delete_table(id)), Ok(false));
    assert_eq!((store.find_table(id), store.find_steps(id, 0)), (Ok(None), Ok(None)));
    assert!(store.find_table(other).unwrap().unwrap().steps.is_empty());
}

fn text_without_letters_and_text_with_too_many_words_are_kept(place: &Place) {
    let store = place.open();
    let many: String = (0..30_000).map(|number| format!("w{number} ")).collect();
    let long = "y".repeat(40_000);
    let records = [
        with(0, |summary| summary.meta[0].1 = "- \u{0} 🐉".into()),
        with(1, |summary| summary.meta[0].1 = many.into()),
        with(2, |summary| summary.meta[0].1 = format!("a {long}").into()),
        with(3, |summary| summary.players[0].1 = "N\u{0}l".to_owned()),
        with(4, |summary| summary.players[0].1 = "Ä".repeat(50_000)),
    ];
    for record in &records {
        assert_eq!(wait(store.insert(vec![record.clone()])), Ok(vec![Inserted::New]));
        assert_eq!(store.find(&record.id).unwrap().unwrap().summary, record.summary);
    }
    let text = |text: &str| Filter { text: Some(text.to_owned()), ..Filter::default() };
    let player = |name: &str| Filter { player: Some(name.to_owned()), ..Filter::default() };
    assert_eq!(ids(&*store, &text("w29999 w7")), [records[1].id]);
    assert_eq!(ids(&*store, &text("w30000")), []);
    assert_eq!(ids(&*store, &text(&long[..30_000])), [records[2].id]);
    assert_eq!(ids(&*store, &text(&format!("{}x", &long[..300]))), []);
    assert_eq!(ids(&*store, &player("n\u{0}L")), [records[3].id]);
    assert_eq!(ids(&*store, &player(&"ä".repeat(50_000))), [records[4].id]);
    assert_eq!(ids(&*store, &player(&"ä".repeat(49_999))), []);
    for value in ["dr\u{0}ako", "drako\u{0}"] {
        let value = Some(value.to_owned());
        let filters = [
            Filter { game: value.clone(), ..Filter::default() },
            Filter { winner: value.clone(), ..Filter::default() },
            Filter { ruleset: value, ..Filter::default() },
        ];
        for filter in filters {
            assert_eq!(ids(&*store, &filter), []);
        }
    }
    for record in &records {
        assert_eq!(wait(store.delete(&record.id)), Ok(true));
    }
    assert_eq!(ids(&*store, &player("anna")), []);
}

/// Names that would mean something within a list, together with records that have none or have one twice.
fn names_are_found_whatever_is_in_them(place: &Place) {
    let store = place.open();
    let names = ["NULL", "null, {x}", "{\"a\\\\x41\",b}", "\\x6e", "\u{ff}\u{0}", ""];
    let of = |number: u64, names: &[&str]| {
        let seats = (0..).map(|seat: u32| format!("p{seat}"));
        let players = seats.zip(names.iter().map(|&name| name.to_owned())).collect();
        with(number, |summary| summary.players = players)
    };
    let mut records = vec![of(0, &[]), of(1, &["Anna", "anna"])];
    records.extend((2..).zip(names).map(|(number, name)| of(number, &["Anna", name])));
    let all = wait(store.insert(records.clone())).unwrap();
    assert_eq!(all, vec![Inserted::New; records.len()]);
    let found =
        |name: &str| ids(&*store, &Filter { player: Some(name.to_owned()), ..Filter::default() });
    let anna: Vec<RecordId> = records[1..].iter().rev().map(|it| it.id).collect();
    assert_eq!(found("ANNA"), anna);
    for (record, name) in records[2..].iter().zip(&names[..5]) {
        assert_eq!(found(name), [record.id], "{name:?}");
    }
    assert!(records.iter().all(|it| store.find(&it.id).unwrap().unwrap().summary == it.summary));
    assert!(records.iter().all(|it| wait(store.delete(&it.id)) == Ok(true)));
    assert_eq!(found("anna"), []);
}

/// What is found of some texts is what a file finds of them.
fn words_are_found_the_same_way(place: &Place) {
    let files = Place::file();
    let (store, file) = (place.open(), files.open());
    let texts = [
        "Été à Orléans",
        "E\u{301}te\u{301}",
        "STRASSE Straße",
        "İstanbul ISTANBUL",
        "naïve co-op",
        "x² ½ ٣",
        "日本語 テスト",
        "a_b a.b a'b",
        "ǅ ﬁn",
        "\u{e000}private",
        "🐉dragon🐉",
        "मानक हिन्दी",
        "Ελλάς ελλασ",
        "tab\tnew\nline",
        "NULL null",
        "1,234.5",
        "ß",
        "Ⅷ ①",
        "a\u{200d}b",
        "o\u{308}\u{301}x",
    ];
    let records: Vec<_> = (0..)
        .zip(texts)
        .map(|(number, text)| with(number, |summary| summary.meta[0].1 = text.into()))
        .collect();
    for store in [&store, &file] {
        wait(store.insert(records.clone())).unwrap();
    }
    let mut asked: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    for text in texts {
        asked.extend(text.split_whitespace().map(str::to_owned));
        asked.extend(text.split_whitespace().map(str::to_uppercase));
        asked.extend(text.chars().map(String::from));
        asked.extend(text.char_indices().map(|(at, _)| text[at..].to_owned()));
    }
    for text in asked {
        let filter = Filter { text: Some(text), ..Filter::default() };
        assert_eq!(ids(&*store, &filter), ids(&*file, &filter), "{filter:?}");
    }
}

/// The place of a database alone, where there is a server.
fn database(test: &str) -> Option<(String, PostgresStore)> {
    let address = postgres::database(test)?;
    let store = PostgresStore::open(&address).unwrap();
    Some((address, store))
}

#[test]
fn a_database_that_cannot_be_used_is_refused_in_plain_words() {
    let why = PostgresStore::open("postgres://anna:secret@127.0.0.1:1/games").err().unwrap();
    assert!(matches!(why, StoreError::Unavailable(_)), "{why}");
    assert!(
        why.to_string().contains("127.0.0.1:1/games") && !why.to_string().contains("secret"),
        "{why}"
    );
    let Some((address, store)) = database("a_database_that_cannot_be_used") else { return };
    drop(store);
    postgres::ask(&address, "UPDATE umpire.form SET version = 99").unwrap();
    let why = PostgresStore::open(&address).err().unwrap();
    assert!(matches!(why, StoreError::Newer(_)), "{why}");
    assert!(why.to_string().contains("it has version 99"), "{why}");
    postgres::ask(
        &address,
        "DROP SCHEMA umpire CASCADE; CREATE SCHEMA umpire; CREATE TABLE umpire.mine ()",
    )
    .unwrap();
    let why = PostgresStore::open(&address).err().unwrap();
    assert!(matches!(why, StoreError::Corrupt(_)), "{why}");
}

#[test]
fn several_servers_make_the_form_of_a_database_once() {
    let Some(address) = postgres::database("several_servers_make_the_form") else { return };
    let opened: Vec<_> = thread::scope(|scope| {
        let opening: Vec<_> =
            (0..6).map(|_| scope.spawn(|| PostgresStore::open(&address).unwrap())).collect();
        opening.into_iter().map(|it| it.join().unwrap()).collect()
    });
    wait(opened[0].insert(vec![numbered(1)])).unwrap();
    assert!(opened.iter().all(|store| store.find(&numbered(1).id).unwrap().is_some()));
}

#[test]
fn a_damaged_row_is_not_handed_out_and_lists_pass_it_over() {
    let Some((address, store)) = database("a_damaged_row") else { return };
    wait(store.insert((0..5).map(numbered).collect())).unwrap();
    let damages =
        ["record = '\\x00'", "record_length = -1", "record_length = 1 << 30", "players = '{'"];
    for (at, damage) in (0..).zip(damages) {
        postgres::ask(
            &address,
            &format!("UPDATE umpire.record SET {damage} WHERE id = '\\x{}'", numbered(at).id),
        )
        .unwrap();
        assert!(matches!(store.find(&numbered(at).id), Err(StoreError::Corrupt(_))), "{damage}");
    }
    let mut visited = Vec::new();
    let mut visit = |stored: umpire_api::store::Stored| {
        visited.push(stored.id);
        ControlFlow::Continue(())
    };
    store.each(&Filter::default(), &mut visit).unwrap();
    assert_eq!((visited, store.damaged()), (vec![numbered(4).id], 4));
    assert_eq!(pages(&store, &Filter { limit: Some(1), ..Filter::default() }).len(), 4);
}

#[test]
fn a_record_that_the_database_refuses_does_not_take_its_neighbours_along() {
    let Some((address, store)) = database("a_record_that_the_database_refuses") else { return };
    postgres::ask(&address, "ALTER TABLE umpire.record ADD CHECK (game <> 'poison')").unwrap();
    let poison = |number: u64| with(number, |summary| summary.game = "poison".to_owned());
    let nul = with(9, |summary| summary.game = "a\0b".to_owned());
    let requests = [
        vec![numbered(0)],
        vec![numbered(1), poison(2)],
        vec![nul],
        vec![numbered(3), numbered(4)],
    ];
    let mut pending = requests.map(|request| store.insert(request));
    for pending in &mut pending {
        // The first look at a pending answer queues the request.
        let _ = pending.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    let answers = pending.map(wait);
    assert_eq!(answers[0], Ok(vec![Inserted::New]));
    assert!(matches!(answers[1], Err(StoreError::Rejected(_))), "{:?}", answers[1]);
    assert!(matches!(answers[2], Err(StoreError::Rejected(_))), "{:?}", answers[2]);
    assert_eq!(answers[3], Ok(vec![Inserted::New, Inserted::New]));
    assert_eq!(ids(&store, &Filter::default()), [4, 3, 0].map(|number| numbered(number).id));
}

/// A disk that is almost full has room for a short row and not for a record.
#[test]
fn a_database_whose_disk_was_full_is_ready_when_there_is_room_for_records() {
    let Some((address, store)) = database("a_database_whose_disk_was_full") else { return };
    let ask = |text: &str| postgres::ask(&address, text).unwrap();
    ask("CREATE FUNCTION umpire.short_of_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF length(NEW.head) > 100000 THEN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END IF; \
         RETURN NEW; END $$");
    ask(
        "CREATE TRIGGER short_of_room BEFORE INSERT ON umpire.live_table FOR EACH ROW EXECUTE FUNCTION umpire.short_of_room()",
    );
    assert_eq!(wait(store.ready()), Ok(()), "nothing was refused so far");
    let id = TableId::from_bytes([1; 16]);
    let refused = wait(store.insert_table(id, "0".repeat(200_000)));
    assert_eq!(
        refused,
        Err(StoreError::Unavailable("the disk of the database is full".to_owned()))
    );
    assert!(wait(store.ready()).is_err());
    assert!(wait(store.ready()).is_err(), "it stays so");
    ask("DROP TRIGGER short_of_room ON umpire.live_table");
    assert_eq!(wait(store.ready()), Ok(()));
    assert_eq!(store.find_table(TableId::from_bytes([0; 16])), Ok(None), "nothing is left of it");
    assert_eq!(wait(store.insert_table(id, "0".repeat(200_000))), Ok(Inserted::New));
}

/// As a database does that is restarted, or fails over.
#[test]
fn connections_that_are_lost_are_made_again() {
    let Some((address, store)) = database("connections_that_are_lost") else { return };
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
               AND pid <> pg_backend_pid()";
    for number in 0..5 {
        wait(store.insert(vec![numbered(number)])).unwrap();
        postgres::ask(&address, cut).unwrap();
        // What reads is asked again over another connection; who writes is told, and may do it again.
        assert!(store.find(&numbered(number).id).unwrap().is_some());
        let again = (0..3).find_map(|_| wait(store.insert(vec![numbered(number)])).ok());
        assert_eq!(again, Some(vec![Inserted::Existing]));
    }
}

/// Of a database that has lost all that it held in memory.
#[test]
fn what_was_acknowledged_survives_a_crash_of_the_database() {
    let Some(bin) = postgres::installed("what_was_acknowledged_survives_a_crash") else { return };
    // It takes nothing to the disk by itself while this runs.
    let server =
        postgres::Server::start(&bin, &["wal_writer_delay=10s", "wal_writer_flush_after=1GB"]);
    let address = server.database();
    let mut acknowledged = Vec::new();
    for round in 0..3_u64 {
        let store = PostgresStore::open(&address).unwrap();
        let said = Mutex::new(Vec::new());
        // Who was between two submissions when it happened may never learn of it.
        let crashed = AtomicBool::new(false);
        thread::scope(|scope| {
            let (store, said, crashed) = (&store, &said, &crashed);
            let submit = |submitter| {
                scope.spawn(move || {
                    for number in 1_000_000 * (8 * round + submitter).. {
                        let Ok(new) = wait(store.insert(vec![numbered(number)])) else { break };
                        assert_eq!(new, [Inserted::New]);
                        said.lock().unwrap().push(number);
                        if crashed.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                })
            };
            let submitters: Vec<_> = (0..8).map(submit).collect();
            let goes_on = || submitters.iter().any(|it| !it.is_finished());
            while said.lock().unwrap().len() < 300 && goes_on() {
                thread::sleep(Duration::from_millis(1));
            }
            // A process that is killed takes all others along.
            let killed = postgres::ask(&address, "COPY (SELECT) TO PROGRAM 'kill -9 $PPID'");
            crashed.store(true, Ordering::Relaxed);
            killed.unwrap_err();
        });
        acknowledged.extend(said.into_inner().unwrap());
        let back = (0..600).find_map(|_| {
            thread::sleep(Duration::from_millis(50));
            ids(&PostgresStore::open(&address).ok()?, &Filter::default()).into()
        });
        let there: HashSet<RecordId> = back.unwrap().into_iter().collect();
        let lost = acknowledged.iter().filter(|&&it| !there.contains(&numbered(it).id)).count();
        assert_eq!(lost, 0, "of {} in round {round}", acknowledged.len());
    }
}

/// A clock that ran ahead dates nothing else, and times are found all the same.
#[test]
fn a_clock_of_the_database_that_was_set_back_hides_nothing() {
    let Some((address, store)) = database("a_clock_of_the_database") else { return };
    wait(store.insert(vec![numbered(1)])).unwrap();
    let future = 1_i64 << 45;
    postgres::ask(&address, &format!("UPDATE umpire.record SET created_at = {future}")).unwrap();
    wait(store.insert(vec![numbered(2), numbered(3)])).unwrap();
    assert_eq!(postgres::ask(&address, "SELECT count(*) FROM umpire.clock_step").unwrap(), ["1"]);
    let found = |since: Option<i64>, until: Option<i64>| {
        ids(&store, &Filter { since, until, ..Filter::default() })
    };
    assert_eq!(found(Some(future), None), [numbered(1).id]);
    assert_eq!(found(None, Some(future)), [numbered(3).id, numbered(2).id]);
}

/// Whoever waits for the other waits for its commit, so that no record shows up behind those that were listed.
#[test]
fn records_are_numbered_in_the_order_in_which_they_are_seen() {
    let Some((address, store)) = database("records_are_numbered") else { return };
    let other = PostgresStore::open(&address).unwrap();
    let mut seen: Vec<RecordId> = Vec::new();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = [(&store, 0), (&other, 1_000)]
            .into_iter()
            .map(|(store, from)| {
                scope.spawn(move || {
                    for number in from..from + 150 {
                        assert_eq!(
                            wait(store.insert(vec![numbered(number)])),
                            Ok(vec![Inserted::New])
                        );
                        // The same from both at once: one stores it.
                        wait(store.insert(vec![numbered(5_000 + number % 1_000)])).unwrap();
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let ended: Vec<_> = writers.into_iter().map(|it| it.join()).collect();
            done.store(true, Ordering::Relaxed);
            ended.into_iter().for_each(|it| it.unwrap());
        });
        loop {
            let last = done.load(Ordering::Relaxed);
            let now: Vec<RecordId> =
                pages(&store, &Filter { limit: Some(500), ..Filter::default() })
                    .into_iter()
                    .rev()
                    .collect();
            assert!(now.starts_with(&seen), "a record came before one that was listed");
            seen = now;
            if last {
                break;
            }
        }
    });
    assert_eq!(seen.len(), 450);
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
    // The superuser may write there, but not among what the kernel shows of itself.
    let superuser = fs::write(directory.path().join("probe"), "").is_ok();
    let refusing = if superuser { Path::new("/sys") } else { directory.path() };
    let why = SqliteStore::open(&refusing.join("umpire.sqlite"))
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
