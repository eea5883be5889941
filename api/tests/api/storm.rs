//! A storm of submissions and deletions, and the plug pulled, again and again: what was acknowledged
//! is there byte for byte, what was deleted is gone, and nothing is there by halves.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tempfile::TempDir;
use umpire_api::documents::archive::prepare;
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;

use crate::app::numbered;
use crate::cli::{code, out, umpire};
use crate::client::{Connection, Server};

/// How many records one client sends at most in a round.
const MOST: usize = 400;

/// How many records are sent together.
const TOGETHER: usize = 20;

/// What is known of a record that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// It was sent, or its deletion was asked for, and no answer came.
    Maybe,
    /// It was acknowledged.
    Stored,
    /// Its deletion was acknowledged.
    Deleted,
}

/// What is known of all records, by their ids; with the text that is to be kept.
#[derive(Default)]
struct Book {
    records: Mutex<BTreeMap<String, (Known, String)>>,
    acknowledged: AtomicUsize,
}

impl Book {
    /// Notes that a record is sent, before it is.
    fn sends(&self, number: usize) -> String {
        let text = numbered(number).to_string();
        let kept = prepare::<Fault>(text.as_bytes(), Limits::default(), |_| Ok(())).unwrap().record;
        let known = (Known::Maybe, kept.record);
        self.records.lock().unwrap().insert(kept.id.to_string(), known);
        text
    }

    fn knows(&self, id: &str, known: Known) {
        self.records.lock().unwrap().get_mut(id).unwrap().0 = known;
        self.acknowledged.fetch_add(1, Ordering::SeqCst);
    }

    /// Notes a receipt, which must say that the record is new.
    fn receives(&self, receipt: &[u8]) {
        let receipt: Value = serde_json::from_slice(receipt).unwrap();
        if let Some(id) = receipt["id"].as_str() {
            assert_eq!(receipt["new"], true, "{receipt}");
            self.knows(id, Known::Stored);
        } else {
            assert!(receipt["summary"].is_object(), "{receipt}");
        }
    }

    /// Some record that is there, whose deletion will be asked for.
    fn deletes(&self, draw: usize) -> Option<String> {
        let mut records = self.records.lock().unwrap();
        let at = draw % records.len().max(1);
        let (id, (known, _)) =
            records.iter_mut().skip(at).find(|(_, (known, _))| *known == Known::Stored)?;
        *known = Known::Maybe;
        Some(id.clone())
    }

    /// Compares an export with what is known.
    fn compare(&self, export: &[u8], round: usize) {
        let mut found = BTreeMap::new();
        for line in std::str::from_utf8(export).unwrap().lines() {
            let id = blake3::hash(line.as_bytes()).to_hex().to_string();
            assert!(found.insert(id, line).is_none(), "round {round}: twice: {line}");
        }
        for (id, (known, text)) in self.records.lock().unwrap().iter_mut() {
            match (*known, found.remove(id.as_str())) {
                (Known::Deleted, Some(_)) => panic!("round {round}: {id} is back"),
                (Known::Stored, None) => panic!("round {round}: {id} is lost"),
                (_, Some(line)) => {
                    assert_eq!(line, text, "round {round}");
                    *known = Known::Stored;
                }
                // What is not there now does not come by itself.
                (_, None) => *known = Known::Deleted,
            }
        }
        assert!(found.is_empty(), "round {round}: nobody sent {found:?}");
    }
}

/// Submits record by record.
fn submit(book: &Book, mut mine: Connection, first: usize) {
    for number in first..first + MOST {
        let text = book.sends(number);
        match mine.post("/v1/records", text.as_bytes()) {
            Ok((201, receipt)) => book.receives(&receipt),
            Ok((status, body)) => panic!("{status} {}", String::from_utf8_lossy(&body)),
            Err(_) => return,
        }
    }
}

/// Submits records together, a line each.
fn submit_lines(book: &Book, address: SocketAddr, first: usize) {
    for first in (first..first + MOST).step_by(TOGETHER) {
        let Ok(mut mine) = Connection::open(address) else { return };
        let lines: Vec<String> =
            (first..first + TOGETHER).map(|number| book.sends(number) + "\n").collect();
        if mine.post_lines("/v1/records", lines.concat().as_bytes()).is_err() {
            return;
        }
        let Ok((status, _)) = mine.head() else { return };
        assert_eq!(status, 200);
        let mut text = Vec::new();
        loop {
            let Ok(chunk) = mine.chunk() else { return };
            text.extend_from_slice(&chunk);
            // A line that has come whole is an acknowledgement, whatever comes of the rest.
            while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                book.receives(&text.drain(..=end).collect::<Vec<u8>>());
            }
            if chunk.is_empty() {
                break;
            }
        }
    }
}

/// Deletes what was acknowledged.
fn delete(book: &Book, mut mine: Connection, round: usize) {
    for step in 0..MOST / 4 {
        let Some(id) = book.deletes(round * 7_919 + step * 104_729) else { continue };
        match mine.delete(&format!("/v1/records/{id}")) {
            Ok(204) => book.knows(&id, Known::Deleted),
            Ok(status) => panic!("{status} for {id}"),
            Err(_) => return,
        }
    }
}

/// Pulls the plug `rounds` times, each time after `enough` more acknowledgements, while so many
/// clients submit record by record, one submits lines, and one deletes.
fn pull_the_plug(rounds: usize, clients: usize, enough: impl Fn(usize) -> usize) {
    let folder = TempDir::new().unwrap();
    let place = crate::place(folder.path());
    let file = Path::new(&place);
    let book = Book::default();
    for round in 0..rounds {
        let mut server = Server::start(file, &[]);
        if round % rounds.div_ceil(10) == 0 {
            let (status, export) = server.connect().export().unwrap();
            assert_eq!(status, 200);
            book.compare(&export, round);
        }
        let enough = book.acknowledged.load(Ordering::SeqCst) + enough(round);
        std::thread::scope(|scope| {
            let book = &book;
            for client in 0..clients {
                let mine = server.connect();
                scope.spawn(move || submit(book, mine, (round * 100 + client) * 1_000));
            }
            let (mine, address) = (server.connect(), server.address);
            scope.spawn(move || submit_lines(book, address, (round * 100 + clients) * 1_000));
            scope.spawn(move || delete(book, mine, round));
            while book.acknowledged.load(Ordering::SeqCst) < enough {
                assert!(server.child.try_wait().unwrap().is_none(), "the server ended by itself");
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            // SIGKILL: no chance to tidy up.
            server.child.kill().unwrap();
        });
        server.child.wait().unwrap();
    }
    let server = Server::start(file, &[]);
    let (status, export) = server.connect().export().unwrap();
    assert_eq!(status, 200);
    book.compare(&export, rounds);
    drop(server);
    if file.exists() {
        let checked = umpire(&["check", "--verdicts", &place], "");
        assert_eq!(code(&checked), 0, "{}", out(&checked));
    }
    let records = book.records.lock().unwrap();
    let of = |what: Known| records.values().filter(|(known, _)| *known == what).count();
    assert!(of(Known::Stored) > rounds && of(Known::Deleted) > 0);
}

/// How often a night's run pulls the plug.
pub(crate) fn kills() -> usize {
    std::env::var("UMPIRE_SOAK_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(2_000)
}

#[test]
#[ignore = "takes hours: .ci/soak"]
fn a_night_of_kills_amid_a_storm_loses_nothing() {
    pull_the_plug(kills(), 3, |round| 1 + round * 13 % 60);
}

#[test]
fn two_hundred_kills_amid_a_storm_lose_nothing_and_bring_nothing_back() {
    // Now in the middle of the first submissions, now well after them.
    pull_the_plug(200, 3, |round| 1 + round * 13 % 60);
}

#[test]
fn kills_amid_many_clients_lose_nothing_and_bring_nothing_back() {
    // So many that their records are written in groups.
    pull_the_plug(4, 16, |round| 500 * (round + 1));
}

#[test]
#[cfg(unix)]
fn a_service_that_is_told_to_stop_stops_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("records.sqlite");
    let mut server = Server::start(&file, &["--stop-seconds", "5"]);
    let record = numbered(1).to_string();
    let (status, _) = server.connect().post("/v1/records", record.as_bytes()).unwrap();
    assert_eq!(status, 201);
    let output = std::process::Command::new("kill").arg(server.child.id().to_string()).status();
    assert!(output.unwrap().success());
    assert!(server.child.wait().unwrap().success());
    let server = Server::start(&file, &[]);
    let (status, _) = server.connect().post("/v1/records", record.as_bytes()).unwrap();
    assert_eq!(status, 200);
}
