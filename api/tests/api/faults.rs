//! Faults below SQLite: no room, a broken disk, a failed sync, a torn page. What was acknowledged is
//! there afterwards, what could not be written is answered with 503, and reading goes on.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::{ndjson, numbered};
use crate::cli::{code, out, umpire};
use crate::client::{Connection, Server};

/// The library that makes the faults; the C compiler that builds SQLite builds it.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults.so");
        let from = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shim/faults.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .arg(&to)
            .args([from, "-ldl"])
            .status();
        assert!(built.unwrap().success(), "{from} does not compile");
        to
    })
}

/// A store whose disk can be broken.
struct Disk {
    folder: TempDir,
    /// The records that were acknowledged and not deleted, by their ids.
    kept: BTreeMap<String, Vec<u8>>,
    /// Those whose deletion was acknowledged.
    deleted: Vec<String>,
}

impl Disk {
    fn new() -> Self {
        Disk { folder: TempDir::new().unwrap(), kept: BTreeMap::new(), deleted: Vec::new() }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("records.sqlite")
    }

    fn control(&self) -> PathBuf {
        self.folder.path().join("fault")
    }

    fn serve(&self) -> Server {
        let variables: [(&str, &Path); 3] = [
            ("LD_PRELOAD", shim()),
            ("UMPIRE_FAULT_FILES", Path::new("records.sqlite")),
            ("UMPIRE_FAULT_CONTROL", &self.control()),
        ];
        Server::within(&variables, &self.store(), &[])
    }

    /// From now on something fails.
    fn break_by(&self, fault: &str) {
        fs::write(self.control(), fault).unwrap();
    }

    fn heal(&self) {
        fs::remove_file(self.control()).unwrap();
    }

    /// Submits a record, and notes it if it was acknowledged.
    fn post(&mut self, mine: &mut Connection, record: &Value) -> std::io::Result<u16> {
        let (status, body) = mine.post("/v1/records", record.to_string().as_bytes())?;
        if status == 201 {
            let receipt: Value = serde_json::from_slice(&body).unwrap();
            let id = receipt["id"].as_str().unwrap().to_owned();
            self.kept.insert(id, record.to_string().into_bytes());
        }
        Ok(status)
    }

    /// After a restart on a whole disk: all that was acknowledged is there, and nothing is damaged.
    fn settle(&self) {
        let server = Server::start(&self.store(), &[]);
        let mut mine = server.connect();
        for (id, sent) in &self.kept {
            let (status, body) = mine.get(&format!("/v1/records/{id}")).unwrap();
            assert_eq!(status, 200, "{id} was acknowledged and is lost");
            let (sent, found): (Value, Value) =
                (serde_json::from_slice(sent).unwrap(), serde_json::from_slice(&body).unwrap());
            assert_eq!((&sent["chance"], &sent["actions"]), (&found["chance"], &found["actions"]));
            assert!(sent.get("meta") == found.get("meta"), "{id}");
        }
        for id in &self.deleted {
            assert_eq!(mine.get(&format!("/v1/records/{id}")).unwrap().0, 404, "{id} is back");
        }
        drop(server);
        let checked = umpire(&["check", "--verdicts", self.store().to_str().unwrap()], "");
        assert_eq!(code(&checked), 0, "{}", out(&checked));
    }
}

/// Sends records one a line, and gives the lines of the answer.
fn lines(mine: &mut Connection, records: &[Value]) -> Vec<Value> {
    mine.post_lines("/v1/records", ndjson(records).as_bytes()).unwrap();
    let (status, body) = mine.answer().unwrap();
    assert_eq!(status, 200);
    let lines = std::str::from_utf8(&body).unwrap().lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A record that takes some pages.
fn bulky(number: usize) -> Value {
    let mut record = numbered(number);
    let noise =
        (0..1_500).map(|at: usize| blake3::hash(&[number, at].map(usize::to_le_bytes).concat()));
    record["meta"] = json!({"noise": noise.map(|it| it.to_hex().to_string()).collect::<String>()});
    record
}

#[test]
fn what_cannot_be_written_is_refused_and_what_was_acknowledged_stays() {
    for fault in ["n", "e", "s"] {
        let mut disk = Disk::new();
        let server = disk.serve();
        let mut mine = server.connect();
        for number in 0..20 {
            assert_eq!(disk.post(&mut mine, &numbered(number)).unwrap(), 201);
        }
        let first = disk.kept.keys().next().unwrap().clone();
        for round in 1..=3 {
            disk.break_by(fault);
            for number in 0..5 {
                let record = numbered(round * 1_000 + number);
                assert_eq!(disk.post(&mut mine, &record).unwrap(), 503, "{fault}");
            }
            let sent = [numbered(round * 1_000 + 5), numbered(round * 1_000 + 6)];
            let answers = lines(&mut server.connect(), &sent);
            assert_eq!(answers[0]["code"], "unavailable", "{fault}: {}", answers[0]);
            assert_eq!(answers[2]["summary"]["failed"], 2, "{fault}");
            assert_eq!(mine.delete(&format!("/v1/records/{first}")).unwrap(), 503, "{fault}");
            // Who only reads notices nothing.
            assert_eq!(mine.get("/readyz").unwrap().0, 503, "{fault}");
            assert_eq!(mine.get("/healthz").unwrap().0, 200, "{fault}");
            assert_eq!(mine.get("/v1/records").unwrap().0, 200, "{fault}");
            assert_eq!(mine.get(&format!("/v1/records/{first}")).unwrap().0, 200, "{fault}");
            disk.heal();
            assert_eq!(mine.get("/readyz").unwrap().0, 200, "{fault} does not heal");
            for number in 10..15 {
                let record = numbered(round * 1_000 + number);
                assert_eq!(disk.post(&mut mine, &record).unwrap(), 201, "{fault}");
            }
            let gone = disk.kept.keys().last().unwrap().clone();
            assert_eq!(mine.delete(&format!("/v1/records/{gone}")).unwrap(), 204);
            disk.kept.remove(&gone);
            disk.deleted.push(gone);
        }
        // No time to tidy up.
        drop(server);
        disk.settle();
    }
}

/// The log takes what is submitted, and cannot be copied to the main file.
#[test]
fn a_main_file_that_cannot_be_written_costs_nothing() {
    for fault in ["nm", "em", "sm"] {
        let mut disk = Disk::new();
        let server = disk.serve();
        let mut mine = server.connect();
        assert_eq!(disk.post(&mut mine, &bulky(0)).unwrap(), 201);
        disk.break_by(fault);
        for number in 1..190 {
            assert_eq!(disk.post(&mut mine, &bulky(number)).unwrap(), 201, "{fault}");
        }
        let log = disk.store().with_file_name("records.sqlite-wal");
        let logged = fs::metadata(&log).unwrap().len();
        assert!(logged > 1_000 * 8192, "no copy was tried: {logged}");
        if fault == "sm" {
            // Half of it is healed: the copy that failed is made again.
            disk.heal();
            assert_eq!(disk.post(&mut mine, &bulky(190)).unwrap(), 201);
        }
        drop(server);
        if fault != "sm" {
            disk.heal();
        }
        disk.settle();
    }
}

#[test]
fn a_page_that_is_torn_by_a_crash_costs_nothing() {
    let mut disk = Disk::new();
    for round in 0..12 {
        let mut server = disk.serve();
        let mut mine = server.connect();
        for number in 0..3 {
            assert_eq!(disk.post(&mut mine, &bulky(round * 10_000 + number)).unwrap(), 201);
        }
        // Every third time it is a page of the main file, when the log is copied there.
        disk.break_by(if round % 3 == 2 { "tm" } else { "t" });
        let mut number = 10;
        while disk.post(&mut mine, &bulky(round * 10_000 + number)).is_ok_and(|it| it == 201) {
            number += 1;
            assert!(number < 2_000, "nothing was torn");
        }
        assert_eq!(server.child.wait().unwrap().signal(), Some(9));
        disk.heal();
    }
    disk.settle();
}
