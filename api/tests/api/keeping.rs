//! Backup, check, salvage and restore, through the real command, on good stores and bad ones.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection as Sqlite;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::auth::secrets::Secret;
use umpire_api::documents::archive::prepare;
use umpire_api::documents::sheet::seal::Key;
use umpire_api::store::sqlite::SqliteStore;
use umpire_api::store::{Filter, Inserted, NewRecord, NewVerdict, RecordId, Store};
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;

use crate::app::numbered;
use crate::cli::{code, error, json, out, umpire};
use crate::client::Server;

/// A record with players and notes, as it would be stored.
fn record(number: usize) -> NewRecord {
    let mut record = numbered(number);
    record["players"] = json!({ crate::app::game().meta().seats[0]: format!("Anna {number}") });
    record["meta"] = json!({"event": format!("club night {number}"), "noise": "word ".repeat(60)});
    let text = record.to_string();
    prepare::<Fault>(text.as_bytes(), Limits::default(), |_| Ok(())).unwrap().record
}

fn wait<T>(pending: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(pending)
}

/// A store of so many records that nobody has open.
fn filled(path: &Path, count: usize) -> Vec<NewRecord> {
    let store = SqliteStore::open(path).unwrap();
    let records: Vec<NewRecord> = (0..count).map(record).collect();
    wait(store.insert(records.clone())).unwrap();
    store.close().unwrap();
    records
}

/// The ids of everything in a store, and each text is as it was given.
fn ids(path: &Path, records: &[NewRecord]) -> BTreeSet<RecordId> {
    let store = SqliteStore::open(path).unwrap();
    let mut ids = BTreeSet::new();
    let mut visit = |stored: umpire_api::store::Stored| {
        let given = records.iter().find(|record| record.id == stored.id).unwrap();
        assert_eq!((&stored.record, &stored.summary), (&given.record, &given.summary));
        assert!(ids.insert(stored.id));
        std::ops::ControlFlow::Continue(())
    };
    store.each(&Filter::default(), &mut visit).unwrap();
    ids
}

fn all(records: &[NewRecord]) -> BTreeSet<RecordId> {
    records.iter().map(|record| record.id).collect()
}

/// What lies in a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
        })
        .collect();
    found.sort();
    found
}

fn run(args: &[&str], paths: &[&Path]) -> Output {
    let paths = paths.iter().map(|path| path.to_str().unwrap());
    umpire(&[args, &paths.collect::<Vec<_>>()].concat(), "")
}

/// Overwrites a whole page with what SQLite never wrote.
fn spoil(path: &Path, page: u64) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * 8192)).unwrap();
    file.write_all(&[0xa5; 8192]).unwrap();
}

/// The pages of a table by their kind: `leaf`, `internal` or `overflow`.
fn pages(path: &Path, table: &str, kind: &str) -> Vec<u64> {
    let store = Sqlite::open(path).unwrap();
    let text = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno";
    let mut statement = store.prepare(text).unwrap();
    let found = statement.query_map((table, kind), |row| row.get(0)).unwrap();
    found.map(|page: Result<i64, _>| u64::try_from(page.unwrap()).unwrap()).collect()
}

#[test]
fn a_backup_of_a_running_service_holds_all_that_was_acknowledged_before() {
    let folder = TempDir::new().unwrap();
    let (store, to) = (folder.path().join("umpire.sqlite"), folder.path().join("copy.sqlite"));
    let server = Server::start(&store, &[]);
    let mut mine = server.connect();
    let mut post = |number: usize| {
        let (status, body) =
            mine.post("/v1/records", numbered(number).to_string().as_bytes()).unwrap();
        assert_eq!(status, 201);
        let receipt: Value = serde_json::from_slice(&body).unwrap();
        receipt["id"].as_str().unwrap().parse::<RecordId>().unwrap()
    };
    let before: BTreeSet<RecordId> = (0..300).map(&mut post).collect();
    std::thread::scope(|scope| {
        let copying = scope.spawn(|| run(&["backup"], &[&store, &to]));
        for number in 300..400 {
            post(number);
        }
        let copied = copying.join().unwrap();
        assert_eq!(code(&copied), 0, "{}", error(&copied));
        assert!(out(&copied).ends_with(" records, all intact\n"), "{}", out(&copied));
    });
    // Looking the running store over changes nothing and stops nobody.
    let checked = run(&["check", "--verdicts"], &[&store]);
    assert_eq!(code(&checked), 0, "{}{}", out(&checked), error(&checked));
    assert!(out(&checked).ends_with(": 400 records, all intact\n"), "{}", out(&checked));
    post(400);
    let names: Vec<String> = listing(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "copy.sqlite",
            "umpire.sqlite",
            "umpire.sqlite-shm",
            "umpire.sqlite-wal",
            "umpire.sqlite.lock"
        ]
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let copy = SqliteStore::open(&to).unwrap();
    for id in &before {
        let stored = copy.find(id).unwrap().unwrap();
        assert_eq!(blake3::hash(stored.record.as_bytes()).as_bytes(), id.as_bytes());
    }
    let count = copy.count(&Filter::default()).unwrap();
    assert!((300..=400).contains(&count), "{count}");
}

/// The drill of docs/operations.md: a backup, a loss, the backup put back.
#[test]
fn a_store_that_was_lost_is_restored_from_its_backup() {
    let folder = TempDir::new().unwrap();
    let (store, to) = (folder.path().join("umpire.sqlite"), folder.path().join("copy.sqlite"));
    let records = filled(&store, 50);
    assert_eq!(code(&run(&["backup"], &[&store, &to])), 0);
    // A server that runs on the store keeps it.
    let mut server = Server::start(&store, &[]);
    let (status, _) =
        server.connect().post("/v1/records", numbered(999).to_string().as_bytes()).unwrap();
    assert_eq!(status, 201);
    for force in [&["restore"][..], &["restore", "--force"]] {
        let refused = run(force, &[&to, &store]);
        assert_eq!(code(&refused), 2, "{}", out(&refused));
        let why = if force.len() == 1 { "it already exists" } else { "a program has it open" };
        assert!(error(&refused).contains(why), "{}", error(&refused));
    }
    assert_eq!(server.connect().get("/readyz").unwrap().0, 200);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    // What the killed server left beside the store must not be taken for the backup's.
    assert!(folder.path().join("umpire.sqlite-wal").exists());
    // The log that the killed server left may have a newer first page, but not all of them.
    for page in 2..=fs::metadata(&store).unwrap().len() / 8192 {
        spoil(&store, page);
    }
    assert_eq!(code(&run(&["check"], &[&store])), 1);
    assert_eq!(code(&run(&["restore"], &[&to, &store])), 2);
    let restored = run(&["restore", "--force"], &[&to, &store]);
    assert_eq!(code(&restored), 0, "{}", error(&restored));
    let names: Vec<String> = listing(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["copy.sqlite", "umpire.sqlite", "umpire.sqlite.lock"]);
    assert_eq!(ids(&store, &records), all(&records));
    let server = Server::start(&store, &[]);
    let id = records[7].id;
    let (status, body) = server.connect().get(&format!("/v1/records/{id}")).unwrap();
    assert_eq!((status, body.as_slice()), (200, records[7].record.as_bytes()));
    // To a place where nothing lies, no --force is needed.
    let other = folder.path().join("other.sqlite");
    assert_eq!(code(&run(&["restore"], &[&to, &other])), 0);
    assert_eq!(ids(&other, &records), all(&records));
}

#[test]
fn a_damaged_backup_is_not_put_in_place() {
    let folder = TempDir::new().unwrap();
    let (store, to) = (folder.path().join("umpire.sqlite"), folder.path().join("copy.sqlite"));
    let records = filled(&store, 50);
    assert_eq!(code(&run(&["backup"], &[&store, &to])), 0);
    spoil(&to, pages(&to, "record", "leaf")[1]);
    let refused = run(&["restore", "--force"], &[&to, &store]);
    assert_eq!(code(&refused), 1, "{}", error(&refused));
    assert_eq!(ids(&store, &records), all(&records));
    // Nor does a backup of a damaged store replace a good one.
    let refused = run(&["backup", "--force"], &[&to, &store]);
    assert!([1, 2].contains(&code(&refused)), "{}", error(&refused));
    assert!(error(&refused).contains("damaged"), "{}", error(&refused));
    assert_eq!(listing(folder.path()).len(), 2);
    assert_eq!(ids(&store, &records), all(&records));
}

#[test]
fn what_is_no_store_is_told_apart_in_plain_words_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    filled(&path("good"), 3);
    fs::write(path("letter"), "Dear Anna, ".repeat(1_000)).unwrap();
    fs::write(path("nothing"), "").unwrap();
    fs::create_dir(path("folder")).unwrap();
    Sqlite::open(path("other")).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    // What a copy of a running store was before the form of the store was in the main file.
    Sqlite::open(path("empty")).unwrap().pragma_update(None, "journal_mode", "WAL").unwrap();
    fs::copy(path("good"), path("newer")).unwrap();
    Sqlite::open(path("newer")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = listing(folder.path());
    let to = path("to");
    for (name, why) in [
        ("missing", "cannot read"),
        ("letter", "not a database"),
        ("nothing", "without its -wal file"),
        ("empty", "without its -wal file"),
        ("folder", "it is not a file"),
        ("other", "another program"),
        ("newer", "it has version 99"),
    ] {
        for args in [
            (&["check"][..], &[&path(name)][..]),
            (&["check", "--json", "--verdicts"], &[&path(name)]),
            (&["backup"], &[&path(name), &to]),
            (&["restore"], &[&path(name), &to]),
        ] {
            let paths: Vec<&Path> = args.1.iter().map(|path| path.as_path()).collect();
            let refused = run(args.0, &paths);
            assert_eq!(code(&refused), 2, "{:?} {name}", args.0);
            let error = error(&refused);
            assert!(error.starts_with("umpire: ") && error.contains(why), "{:?}: {error}", args.0);
            assert!(error.contains(path(name).to_str().unwrap()), "{error}");
        }
    }
    let refused = run(&["salvage"], &[&path("letter"), &to]);
    assert_eq!(code(&refused), 2);
    assert!(error(&refused).contains("no record can be read"), "{}", error(&refused));
    for (to, why) in [
        (path("good"), "it is the file to copy"),
        (path("letter"), "it already exists"),
        (path("folder"), "it is a directory"),
        (path("no/such/folder"), "its directory does not exist"),
    ] {
        for command in ["backup", "restore", "salvage"] {
            let refused = run(&[command], &[&path("good"), &to]);
            assert_eq!(code(&refused), 2, "{command}");
            assert!(error(&refused).contains(why), "{command}: {}", error(&refused));
        }
    }
    // Not even by force is another program's database replaced.
    for command in ["backup", "restore", "salvage"] {
        let refused = run(&[command, "--force"], &[&path("good"), &path("other")]);
        assert_eq!(code(&refused), 2, "{command}");
        assert!(error(&refused).contains("another program"), "{}", error(&refused));
    }
    assert!(listing(folder.path()) == before, "something was written");
}

/// A disk without room: no half copy stays behind, and what lay there stays.
#[test]
#[cfg(unix)]
fn a_copy_for_which_there_is_no_room_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let (store, to) = (folder.path().join("umpire.sqlite"), folder.path().join("copy.sqlite"));
    filled(&store, 400);
    fs::write(&to, "what lay there").unwrap();
    for command in ["backup", "restore", "salvage"] {
        // No file may grow beyond 64 KiB.
        let script = "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_umpire"), command, "--force"])
            .args([&store, &to])
            .output()
            .unwrap();
        assert_eq!(code(&output), 2, "{command}: {}", error(&output));
        assert!(!error(&output).is_empty());
        let names: Vec<String> = listing(folder.path()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["copy.sqlite", "umpire.sqlite"], "{command}");
        assert_eq!(fs::read(&to).unwrap(), b"what lay there", "{command}");
    }
}

/// A copy of the main file alone, early in the life of a store, is a store without the records.
#[test]
fn a_store_has_its_form_in_its_main_file_from_the_beginning() {
    let folder = TempDir::new().unwrap();
    let (store, copy) = (folder.path().join("umpire.sqlite"), folder.path().join("copy.sqlite"));
    let server = Server::start(&store, &[]);
    let (status, _) =
        server.connect().post("/v1/records", numbered(1).to_string().as_bytes()).unwrap();
    assert_eq!(status, 201);
    fs::copy(&store, &copy).unwrap();
    let checked = run(&["check"], &[&copy]);
    assert_eq!(code(&checked), 0, "{}", error(&checked));
    assert!(out(&checked).ends_with(": 0 records, all intact\n"), "{}", out(&checked));
}

#[test]
fn a_check_finds_what_belongs_to_nothing_and_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("umpire.sqlite");
    let records = filled(&path, 20);
    let good = fs::read(&path).unwrap();
    let id = records[3].id;
    let number = 4;
    for (damage, why) in [
        (
            "UPDATE record SET record = (SELECT record FROM record WHERE number = 5), record_length = (SELECT record_length FROM record WHERE number = 5) WHERE number = 4",
            "its text does not match its id",
        ),
        ("UPDATE record SET record = zeroblob(9) WHERE number = 4", "cannot be decompressed"),
        ("UPDATE record SET record_length = record_length + 1 WHERE number = 4", "instead of"),
        ("UPDATE record SET players = '{' WHERE number = 4", "damaged"),
        ("DELETE FROM record_player WHERE record = 4", "index of players has {} instead"),
        (
            "UPDATE record_player SET name = 'x' WHERE record = 4",
            "index of players has {\"x\"} instead",
        ),
        ("DELETE FROM record_meta_docsize WHERE id = 4", "the words of its metadata are missing"),
    ] {
        fs::write(&path, &good).unwrap();
        let back_door = Sqlite::open(&path).unwrap();
        assert!(back_door.execute(damage, ()).unwrap() > 0);
        back_door.close().unwrap();
        let before = listing(folder.path());
        let checked = run(&["check"], &[&path]);
        assert_eq!(code(&checked), 1, "{damage}");
        let line = format!("record {id}: ");
        let found = out(&checked).lines().find(|it| it.starts_with(&line)).unwrap_or_default();
        assert!(found.contains(why), "{damage}: {}", out(&checked));
        assert!(out(&checked).contains("19 intact; "), "{damage}: {}", out(&checked));
        let answer = json(&run(&["check", "--json"], &[&path]));
        assert_eq!(answer["good"], 19, "{answer}");
        let told = answer["shown"].as_array().unwrap();
        assert!(told.iter().any(|it| it["id"] == id.to_string() && it["number"] == number));
        assert!(listing(folder.path()) == before, "{damage}");
    }
    for (damage, why) in [
        ("INSERT INTO record_player VALUES ('ghost', 77)", "number 77: players of no record"),
        (
            "INSERT INTO record_meta (rowid, value) VALUES (78, 'ghost')",
            "number 78: words of no record",
        ),
    ] {
        fs::write(&path, &good).unwrap();
        let back_door = Sqlite::open(&path).unwrap();
        back_door.pragma_update(None, "foreign_keys", false).unwrap();
        back_door.execute(damage, ()).unwrap();
        back_door.close().unwrap();
        let checked = run(&["check"], &[&path]);
        assert_eq!(code(&checked), 1, "{damage}");
        assert!(out(&checked).contains(why), "{damage}: {}", out(&checked));
    }
    // A page in the middle costs the records on it, and no other.
    fs::write(&path, &good).unwrap();
    let leaves = pages(&path, "record", "leaf");
    spoil(&path, leaves[leaves.len() / 2]);
    let answer = json(&run(&["check", "--json"], &[&path]));
    let whole = ids_by_find(&path, &records);
    assert!((1..20).contains(&whole), "{whole}");
    assert_eq!((&answer["records"], &answer["good"]), (&json!(whole), &json!(whole)), "{answer}");
    // An index whose rows are gone, behind SQLite's back.
    for index in ["record_by_game", "sqlite_autoindex_record_1"] {
        fs::write(&path, &good).unwrap();
        let page = *pages(&path, index, "leaf").last().unwrap();
        spoil(&path, page);
        let checked = run(&["check"], &[&path]);
        assert_eq!(code(&checked), 1, "{index}: {}", out(&checked));
    }
}

#[test]
fn verdicts_are_compared_with_what_a_replay_gives() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("umpire.sqlite");
    filled(&path, 20);
    let good = fs::read(&path).unwrap();
    for (damage, what) in [
        ("UPDATE record SET winner = 'nobody' WHERE number = 4", "winner"),
        ("UPDATE record SET status = 'complete' WHERE number = 4", "status"),
        ("UPDATE record SET plies = 77 WHERE number = 4", "plies"),
        ("UPDATE record SET verdict = '{}' WHERE number = 4", "verdict"),
    ] {
        fs::write(&path, &good).unwrap();
        let back_door = Sqlite::open(&path).unwrap();
        assert_eq!(back_door.execute(damage, ()).unwrap(), 1);
        back_door.close().unwrap();
        let checked = run(&["check"], &[&path]);
        assert_eq!(code(&checked), 0, "{damage}: {}", out(&checked));
        let checked = run(&["check", "--verdicts"], &[&path]);
        assert_eq!(code(&checked), 1, "{damage}");
        let why = format!("its stored summary differs from a new replay: {what}\n");
        assert!(out(&checked).contains(&why), "{damage}: {}", out(&checked));
    }
}

/// How many records can still be found by their ids.
fn ids_by_find(path: &Path, records: &[NewRecord]) -> usize {
    let copy = path.with_file_name("looked-at.sqlite");
    fs::copy(path, &copy).unwrap();
    let store = SqliteStore::open(&copy).unwrap();
    records.iter().filter(|record| matches!(store.find(&record.id), Ok(Some(_)))).count()
}

/// What a kind of damage may cost at most.
struct Damaged {
    name: &'static str,
    spoiled: Vec<u64>,
    /// The most records that are lost.
    most: usize,
    /// Whether something is lost at all.
    loses: bool,
}

#[test]
fn what_a_damaged_store_still_holds_is_saved() {
    const COUNT: usize = 2_000;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("umpire.sqlite");
    let mut records = filled(&path, COUNT);
    // What was deleted must not come back.
    let deleted: BTreeSet<RecordId> = records.drain(100..200).map(|record| record.id).collect();
    let store = SqliteStore::open(&path).unwrap();
    for id in &deleted {
        assert_eq!(wait(store.delete(id)), Ok(true));
    }
    store.close().unwrap();
    drop(store);
    let good = fs::read(&path).unwrap();
    let leaves = pages(&path, "record", "leaf");
    let inner = pages(&path, "record", "internal");
    assert!(leaves.len() > 100 && !inner.is_empty());
    let a_page = 40;
    let index = |name: &str| pages(&path, name, "leaf");
    let cases = [
        Damaged { name: "a leaf", spoiled: vec![leaves[50]], most: a_page, loses: true },
        Damaged { name: "first leaf", spoiled: vec![leaves[0]], most: a_page, loses: true },
        Damaged {
            name: "last leaf",
            spoiled: vec![leaves[leaves.len() - 1]],
            most: a_page,
            loses: true,
        },
        Damaged {
            name: "three leaves",
            spoiled: leaves[60..63].to_vec(),
            most: 3 * a_page,
            loses: true,
        },
        Damaged { name: "the inner pages", spoiled: inner, most: 0, loses: false },
        Damaged { name: "the first page", spoiled: vec![1], most: 0, loses: false },
        Damaged {
            name: "the index of names",
            spoiled: index("sqlite_autoindex_record_1"),
            most: 0,
            loses: false,
        },
        Damaged { name: "an index", spoiled: index("record_by_game"), most: 0, loses: false },
        Damaged { name: "the words", spoiled: index("record_meta_data"), most: 0, loses: false },
        Damaged {
            name: "a leaf and the first page",
            spoiled: vec![1, leaves[50]],
            most: a_page,
            loses: true,
        },
    ];
    for Damaged { name, spoiled, most, loses } in cases {
        fs::write(&path, &good).unwrap();
        spoiled.iter().for_each(|page| spoil(&path, *page));
        let to = folder.path().join("saved.sqlite");
        let saved = run(&["salvage", "--force", "--json"], &[&path, &to]);
        let loses_names = name.contains("first page");
        assert!([0, 1].contains(&code(&saved)), "{name}: {}", error(&saved));
        let answer = json(&saved);
        let lost = answer["lost"].as_array().unwrap();
        let lost: BTreeSet<RecordId> =
            lost.iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect();
        let mut kept = ids_of(&to);
        if loses_names {
            // Which pages are free stands on the first page.
            assert!(answer.to_string().contains("deleted records may reappear"));
            kept.retain(|id| !deleted.contains(id));
        } else {
            assert!(kept.is_disjoint(&deleted), "{name}: what was deleted is back");
            assert_eq!(answer["kept"], kept.len(), "{name}");
        }
        let missing: BTreeSet<RecordId> = all(&records).difference(&kept).copied().collect();
        assert!(missing.len() <= most, "{name}: {} are lost", missing.len());
        assert_eq!(!missing.is_empty(), loses, "{name}");
        assert!(missing.is_subset(&lost), "{name}: a loss is not told");
        assert!(loses_names || lost == missing, "{name}: {answer}");
        if loses {
            assert_eq!(code(&saved), 1, "{name}");
        }
        assert_eq!(code(&run(&["check", "--verdicts"], &[&to])), 0, "{name}");
    }
    // As lines, and as they can be posted again.
    fs::write(&path, &good).unwrap();
    spoil(&path, leaves[50]);
    let lines = umpire(&["salvage", path.to_str().unwrap(), "-"], "");
    assert_eq!(code(&lines), 1);
    assert!(error(&lines).contains(" recovered, "), "{}", error(&lines));
    let texts: BTreeSet<&str> = records.iter().map(|record| record.record.as_str()).collect();
    assert!(out(&lines).lines().count() >= records.len() - a_page);
    assert!(out(&lines).lines().all(|line| texts.contains(line)));
    // What looks at every record passes over the damaged ones, and looks at the rest.
    let looked = umpire(&["impact", "--store", path.to_str().unwrap(), "--json"], "");
    let last = out(&looked).lines().last().unwrap().to_owned();
    let counts: Value = serde_json::from_str(&last).unwrap();
    let seen = counts["summary"]["records"].as_u64().unwrap();
    assert!(seen >= (records.len() - a_page) as u64, "{last}: {}", error(&looked));
}

/// A long record of which the list still knows what it is about: it is told as one that cannot be read,
/// and the others are looked at.
#[test]
fn a_damaged_record_does_not_end_a_walk_over_the_store() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("umpire.sqlite");
    let records = filled(&path, 20);
    let mut long = numbered(1_000);
    long["meta"] = json!({"event": "club night", "noise": "word ".repeat(20_000)});
    let text = long.to_string();
    let long = prepare::<Fault>(text.as_bytes(), Limits::default(), |_| Ok(())).unwrap().record;
    let store = SqliteStore::open(&path).unwrap();
    wait(store.insert(vec![long.clone()])).unwrap();
    store.close().unwrap();
    drop(store);
    let beyond = pages(&path, "record", "overflow");
    assert!(beyond.len() > 2, "{beyond:?}");
    spoil(&path, beyond[0]);
    let looked = umpire(&["impact", "--store", path.to_str().unwrap(), "--json"], "");
    let lines: Vec<Value> =
        out(&looked).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["records"], records.len() + 1, "{summary} {}", error(&looked));
    assert_eq!(summary["unreadable"], 1, "{summary}");
    assert_eq!(lines[0]["id"], long.id.to_string(), "{lines:?}");
    assert_eq!(code(&looked), 2);
}

/// The ids in a store, by its own word.
fn ids_of(path: &Path) -> BTreeSet<RecordId> {
    let store = Sqlite::open(path).unwrap();
    let mut statement = store.prepare("SELECT id FROM record").unwrap();
    let found = statement.query_map((), |row| row.get::<_, [u8; 32]>(0)).unwrap();
    found.map(|id| RecordId::from_bytes(id.unwrap())).collect()
}

/// What stands in the log alone, of a server that was killed, is saved as well; and order and times
/// are those of before.
#[test]
fn what_stands_in_the_log_alone_is_saved_in_its_order() {
    let folder = TempDir::new().unwrap();
    let (path, to) = (folder.path().join("umpire.sqlite"), folder.path().join("saved.sqlite"));
    let records = filled(&path, 500);
    let mut server = Server::start(&path, &[]);
    let mut mine = server.connect();
    let mut late = Vec::new();
    for number in 1_000..1_050 {
        let body = record(number).record;
        assert_eq!(mine.post("/v1/records", body.as_bytes()).unwrap().0, 201);
        late.push(record(number));
    }
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let copies = TempDir::new().unwrap();
    let whole: PathBuf = copies.path().join("whole.sqlite");
    for end in ["", "-wal"] {
        let name = |path: &Path| format!("{}{end}", path.display());
        fs::copy(name(&path), name(&whole)).unwrap();
    }
    let listed = |path: &Path| {
        let store = SqliteStore::open(path).unwrap();
        let filter = Filter { limit: Some(500), ..Filter::default() };
        let items = store.list(&filter).unwrap().items;
        items.into_iter().map(|item| (item.id, item.created_at)).collect::<Vec<_>>()
    };
    let expected = listed(&whole);
    let leaf = pages(&whole, "record", "leaf")[1];
    spoil(&path, leaf);
    let saved = run(&["salvage"], &[&path, &to]);
    assert_eq!(code(&saved), 1, "{}{}", out(&saved), error(&saved));
    let found = listed(&to);
    assert!(found.len() >= 460, "{}", found.len());
    let mut rest = expected.iter();
    assert!(
        found.iter().all(|item| rest.any(|other| other == item)),
        "another order, or other times"
    );
    let found: BTreeSet<RecordId> = found.into_iter().map(|(id, _)| id).collect();
    assert!(all(&late).is_subset(&found));
    assert!(records.len() > 400);
}

/// The sheet of a dispute, as long as that of a real one, and signed.
fn verdict(number: usize) -> NewVerdict {
    let noise: String =
        (0..2_000).map(|at| format!("{:x} ", (at * 7_919 + number) % 65_521)).collect();
    let sheet = json!({"format": "umpire-verdict/1", "number": number, "noise": noise}).to_string();
    let key = Key::of(&Secret::parse(&"0e".repeat(32)).unwrap());
    let signature = serde_json::to_string(&key.sign(sheet.as_bytes())).unwrap();
    let id = RecordId::from_bytes(*blake3::hash(sheet.as_bytes()).as_bytes());
    NewVerdict { id, sheet, signature: number.is_multiple_of(2).then_some(signature) }
}

/// A store of some records and verdicts that nobody has open.
fn filled_with_verdicts(path: &Path, count: usize) -> (Vec<NewRecord>, Vec<NewVerdict>) {
    let records = filled(path, count);
    let store = SqliteStore::open(path).unwrap();
    let verdicts: Vec<NewVerdict> = (0..count).map(verdict).collect();
    for verdict in &verdicts {
        assert_eq!(wait(store.insert_verdict(verdict.clone())), Ok(Inserted::New));
        assert_eq!(wait(store.insert_verdict(verdict.clone())), Ok(Inserted::Existing));
    }
    store.close().unwrap();
    (records, verdicts)
}

/// Which of the verdicts a store holds, each as it was given.
fn verdicts_of(path: &Path, verdicts: &[NewVerdict]) -> Vec<bool> {
    let store = SqliteStore::open(path).unwrap();
    let held = verdicts.iter().map(|given| match store.find_verdict(&given.id).unwrap() {
        None => false,
        Some(found) => {
            assert_eq!((&found.sheet, &found.signature), (&given.sheet, &given.signature));
            true
        }
    });
    held.collect()
}

#[test]
fn verdicts_are_backed_up_checked_and_restored_with_the_records() {
    let folder = TempDir::new().unwrap();
    let paths =
        ["umpire.sqlite", "copy.sqlite", "back.sqlite"].map(|name| folder.path().join(name));
    let [store, copy, back] = &paths;
    let (records, verdicts) = filled_with_verdicts(store, 12);
    let copied = run(&["backup"], &[store, copy]);
    assert_eq!(code(&copied), 0, "{}", error(&copied));
    assert!(
        out(&copied).ends_with(": 12 records and 12 verdicts, all intact\n"),
        "{}",
        out(&copied)
    );
    let restored = run(&["restore"], &[copy, back]);
    assert_eq!(code(&restored), 0, "{}", error(&restored));
    assert_eq!(ids(back, &records), all(&records));
    assert!(verdicts_of(back, &verdicts).into_iter().all(|held| held));
    let checked = run(&["check", "--json"], &[back]);
    assert_eq!(json(&checked)["verdicts"], 12);
}

#[test]
fn a_verdict_that_was_changed_is_found_and_never_copied() {
    let folder = TempDir::new().unwrap();
    let [store, copy] = ["umpire.sqlite", "copy.sqlite"].map(|name| folder.path().join(name));
    let (_, verdicts) = filled_with_verdicts(&store, 4);
    let changes: [(&str, &str); 3] = [
        ("UPDATE verdict SET id = zeroblob(32) WHERE id = ?", "its sheet does not match its id"),
        ("UPDATE verdict SET signature = '{}' WHERE id = ?", "its signature"),
        ("UPDATE verdict SET sheet = x'00' WHERE id = ?", "cannot be decompressed"),
    ];
    for ((change, says), verdict) in changes.into_iter().zip(&verdicts) {
        let back_door = Sqlite::open(&store).unwrap();
        assert_eq!(back_door.execute(change, (verdict.id.as_bytes(),)), Ok(1));
        back_door.close().unwrap();
        let checked = run(&["check"], &[&store]);
        assert_eq!(code(&checked), 1);
        assert!(out(&checked).contains(says), "{}", out(&checked));
        assert_eq!(code(&run(&["backup"], &[&store, &copy])), 1);
        assert!(!copy.exists());
    }
    // What fits its id is saved; of the second only the signature is wrong.
    let saved = run(&["salvage"], &[&store, &copy]);
    assert_eq!(code(&saved), 1, "{}", error(&saved));
    assert_eq!(verdicts_of(&copy, &verdicts), [false, false, false, true]);
    assert!(out(&saved).contains("4 and 1 verdict recovered"), "{}", out(&saved));
}

#[test]
fn verdicts_are_saved_from_a_damaged_store() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("umpire.sqlite");
    let (records, verdicts) = filled_with_verdicts(&store, 60);
    let whole = fs::read(&store).unwrap();
    let damages = [
        // The schema, without which SQLite reads nothing; a leaf of the table, and all of its index.
        (vec![1], 60),
        (pages(&store, "verdict", "leaf")[..1].to_vec(), 1),
        (pages(&store, "sqlite_autoindex_verdict_1", "leaf"), 60),
    ];
    for (at, (spoiled, least)) in damages.into_iter().enumerate() {
        fs::write(&store, &whole).unwrap();
        spoiled.iter().for_each(|page| spoil(&store, *page));
        let to = folder.path().join(format!("saved-{at}.sqlite"));
        let saved = run(&["salvage"], &[&store, &to]);
        assert_eq!(code(&saved), 1, "{}{}", out(&saved), error(&saved));
        let held = verdicts_of(&to, &verdicts).into_iter().filter(|held| *held).count();
        assert!(held >= least, "{at}: {held}: {}", out(&saved));
        assert_eq!(ids(&to, &records), all(&records), "{at}");
        let checked = run(&["check"], &[&to]);
        assert_eq!(code(&checked), 0, "{}", out(&checked));
    }
    // A store without damage is saved wholly, and nothing is called lost.
    fs::write(&store, &whole).unwrap();
    let to = folder.path().join("whole.sqlite");
    let saved = run(&["salvage"], &[&store, &to]);
    assert_eq!(code(&saved), 0, "{}", out(&saved));
    assert_eq!(out(&saved), "60 and 60 verdicts recovered, 0 lost\n");
}

#[test]
fn a_verdict_that_was_acknowledged_outlives_a_kill() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("umpire.sqlite");
    let mut server = Server::start(&store, &[]);
    let asked = json!({"record": numbered(1)}).to_string();
    let (status, body) =
        server.connect().post("/v1/adjudicate?keep=true", asked.as_bytes()).unwrap();
    assert_eq!(status, 201);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let answer: Value = serde_json::from_slice(&body).unwrap();
    let id: RecordId = answer["verdict"].as_str().unwrap().parse().unwrap();
    let found = SqliteStore::open(&store).unwrap().find_verdict(&id).unwrap().unwrap();
    assert_eq!(blake3::hash(found.sheet.as_bytes()).as_bytes(), id.as_bytes());
    let shown = umpire(
        &["verdict", "show", &id.to_string(), "--store", store.to_str().unwrap(), "--json"],
        "",
    );
    assert_eq!(code(&shown), 0, "{}", error(&shown));
    let checked = umpire(&["verdict", "verify", "-"], out(&shown));
    assert_eq!(code(&checked), 0, "{}{}", out(&checked), error(&checked));
}

/// A backup that was killed leaves a draft, which the next one removes once it is old.
#[test]
fn the_draft_of_a_killed_backup_is_removed() {
    let folder = TempDir::new().unwrap();
    let store = folder.path().join("store.sqlite");
    filled(&store, 1);
    let draft = |name: &str, hours: u64| {
        let path = folder.path().join(name);
        let file = std::fs::File::create(&path).unwrap();
        let age = std::time::Duration::from_secs(hours * 3600);
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
        path
    };
    let old = [
        draft("backup.sqlite.4000000000.partial", 2),
        draft("backup.sqlite.4000000000.partial-wal", 2),
    ];
    let others = [
        draft("backup.sqlite.4000000001.partial", 0),
        draft("other.sqlite.4000000000.partial", 2),
        draft("backup.sqlite.notes.partial", 2),
    ];
    let done = run(&["backup"], &[&store, &folder.path().join("backup.sqlite")]);
    assert!(done.status.success(), "{done:?}");
    assert!(old.iter().all(|path| !path.exists()));
    assert!(others.iter().all(|path| path.exists()));
}
