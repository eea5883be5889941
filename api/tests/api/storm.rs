//! A storm of submissions, and the plug pulled: what was acknowledged is there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tempfile::TempDir;

use crate::app::numbered;
use crate::client::{Connection, Server};

const CLIENTS: usize = 8;
const ENOUGH: usize = 200;

#[test]
fn a_kill_amid_a_storm_loses_nothing_that_was_acknowledged() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("records.sqlite");
    let mut server = Server::start(&file, &[]);
    let address = server.address;
    let acknowledged = Mutex::new(Vec::new());
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (acknowledged, count) = (&acknowledged, &count);
            scope.spawn(move || {
                let Ok(mut connection) = Connection::open(address) else { return };
                // More than enough, but not without end.
                for number in 0..ENOUGH * 10 {
                    let record = numbered(client * 1_000_000 + number).to_string();
                    let Ok((201, body)) = connection.post("/v1/records", record.as_bytes()) else {
                        return;
                    };
                    let receipt: Value = serde_json::from_slice(&body).unwrap();
                    let id = receipt["id"].as_str().unwrap().to_owned();
                    acknowledged.lock().unwrap().push(id);
                    count.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        while count.load(Ordering::SeqCst) < ENOUGH {
            assert!(server.child.try_wait().unwrap().is_none(), "the server ended by itself");
            std::thread::yield_now();
        }
        // SIGKILL: no chance to tidy up.
        server.child.kill().unwrap();
    });
    server.child.wait().unwrap();
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() >= ENOUGH);
    let server = Server::start(&file, &[]);
    let mut connection = server.connect();
    for id in &acknowledged {
        let (status, body) = connection.get(&format!("/v1/records/{id}")).unwrap();
        assert_eq!(status, 200, "{id}");
        assert_eq!(blake3::hash(&body).to_hex().as_str(), id);
    }
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
