//! Callers that want the service to fail: they hold connections, read nothing, ask for all there is,
//! come under a false name. Others are served all the same.

use std::io::{BufRead, Read};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use tempfile::TempDir;

use crate::app::{legal, numbered, whole_game};
use crate::client::{Connection, Server};

fn start(folder: &TempDir, more: &[&str]) -> Server {
    Server::start(&file(folder), more)
}

fn file(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("records.sqlite")
}

/// A connection over which something was asked and answered.
fn used(server: &Server) -> Connection {
    let mut connection = server.connect();
    assert_eq!(connection.get("/healthz").unwrap().0, 200);
    connection
}

#[test]
fn who_holds_a_thousand_connections_keeps_nobody_out() {
    let folder = TempDir::new().unwrap();
    let server = Server::limited("ulimit -n 1024", &file(&folder), &[]);
    // Half of them say nothing, half of them were used once and stay.
    let mut held = Vec::new();
    for number in 0..1000 {
        held.push(if number % 2 == 0 { server.connect() } else { used(&server) });
    }
    let mut mine = used(&server);
    let record = legal(3).to_string();
    assert_eq!(mine.post("/v1/records", record.as_bytes()).unwrap().0, 201);
    // The store has descriptors left for what it opens.
    assert_eq!(mine.get("/readyz").unwrap().0, 200);
    let (_, metrics) = used(&server).get("/metrics").unwrap();
    let metrics = String::from_utf8(metrics).unwrap();
    let shed = metrics.lines().find_map(|line| line.strip_prefix("umpire_connections_shed "));
    assert!(shed.unwrap().parse::<u32>().unwrap() > 100, "{shed:?}");
}

#[test]
fn a_connection_that_is_used_stays_while_idle_ones_make_room() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &["--connections", "8", "--connections-per-peer", "8"]);
    let mut mine = used(&server);
    for _ in 0..40 {
        drop(used(&server));
        let _held = used(&server);
        assert_eq!(mine.get("/healthz").unwrap().0, 200);
    }
}

#[test]
fn answers_that_nobody_reads_have_a_bound_together() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &["--answer-memory", "8", "--max-body", "16777216"]);
    // Longer than what the buffers of a connection take.
    let mut record = legal(3);
    record["meta"] = json!({"story": "and so on ".repeat(1_000_000)});
    let record = record.to_string();
    let (status, body) = used(&server).post("/v1/records", record.as_bytes()).unwrap();
    assert_eq!(status, 201);
    let receipt: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let request = format!(
        "GET /v1/records/{} HTTP/1.1\r\nhost: localhost\r\n\r\n",
        receipt["id"].as_str().unwrap()
    );
    let ask = |connection: &mut Connection| connection.write(request.as_bytes()).unwrap();
    let mut silent: Vec<Connection> = Vec::new();
    let mut refused = 0;
    for _ in 0..6 {
        let mut connection = server.connect();
        ask(&mut connection);
        let (status, _) = connection.head().unwrap();
        match status {
            200 => silent.push(connection),
            503 => refused += 1,
            other => panic!("{other}"),
        }
    }
    assert_eq!((silent.len(), refused), (1, 5), "one that is longer than all fits alone");
    // Short answers need no part of it.
    assert_eq!(used(&server).get("/v1/games").unwrap().0, 200);
    // Once they are gone, there is memory again.
    drop(silent);
    let again = (0..500).any(|_| {
        let mut connection = server.connect();
        ask(&mut connection);
        let (status, _) = connection.head().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        status == 200
    });
    assert!(again);
}

#[test]
fn a_name_that_is_not_the_servers_is_refused() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &["--host", "club.example"]);
    let ask = |target: &str, host: &str| {
        let mut connection = server.connect();
        let request = format!("GET {target} HTTP/1.1\r\n{host}\r\n");
        connection.write(request.as_bytes()).unwrap();
        connection.answer().unwrap()
    };
    for known in ["localhost", "127.0.0.1:80", "[::1]", "club.example:443", "CLUB.EXAMPLE"] {
        assert_eq!(ask("/v1/records", &format!("host: {known}\r\n")).0, 200, "{known}");
    }
    for (target, host) in [
        ("/v1/records", "attacker.example"),
        ("/v1/records", "localhost.attacker.example:8080"),
        ("/healthz", "attacker.example"),
        ("/nothing", "attacker.example"),
        ("http://attacker.example/v1/records", "localhost"),
    ] {
        let (status, body) = ask(target, &format!("host: {host}\r\n"));
        assert_eq!(status, 421, "{target} {host}");
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(problem["code"], "wrong_host");
    }
    drop(server);
    let open = start(&folder, &["--host", "*"]);
    let mut connection = open.connect();
    connection.write(b"GET /healthz HTTP/1.1\r\nhost: any.example\r\n\r\n").unwrap();
    assert_eq!(connection.answer().unwrap().0, 200);
}

/// A store that nobody finds again acknowledges nothing, and says so to whoever watches.
#[test]
fn a_store_whose_folder_was_removed_takes_nothing_and_is_not_ready() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &[]);
    let mut mine = used(&server);
    let post = |connection: &mut Connection, number: usize| {
        connection.post("/v1/records", numbered(number).to_string().as_bytes()).unwrap().0
    };
    assert_eq!(post(&mut mine, 1), 201);
    assert_eq!(mine.get("/readyz").unwrap().0, 200);
    std::fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!(post(&mut mine, 2), 503);
    assert_eq!(mine.get("/readyz").unwrap().0, 503);
    assert_eq!(mine.get("/healthz").unwrap().0, 200);
}

/// What is refused because the file is elsewhere was not done in it either.
#[test]
fn a_record_of_a_store_that_was_moved_away_is_not_deleted() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &[]);
    let mut mine = used(&server);
    let (status, body) = mine.post("/v1/records", numbered(1).to_string().as_bytes()).unwrap();
    assert_eq!(status, 201);
    let receipt: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let at = format!("/v1/records/{}", receipt["id"].as_str().unwrap());
    let (here, away) = (folder.path().to_owned(), folder.path().with_extension("away"));
    std::fs::rename(&here, &away).unwrap();
    assert_eq!(mine.delete(&at).unwrap(), 503);
    std::fs::rename(&away, &here).unwrap();
    assert_eq!(mine.get(&at).unwrap().0, 200);
    assert_eq!(mine.delete(&at).unwrap(), 204);
    assert_eq!(mine.get(&at).unwrap().0, 404);
}

/// A disk that takes no more is told at once; what was acknowledged stays.
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = TempDir::new().unwrap();
    // No file may grow beyond 2 MiB; who writes on is told so instead of being killed.
    let limits = "trap '' XFSZ; ulimit -f 4096";
    let server = Server::limited(limits, &file(&folder), &[]);
    let mut mine = used(&server);
    let mut kept = Vec::new();
    for number in 0..4000 {
        let mut record = numbered(number);
        let noise =
            (0..2000).map(|at| blake3::hash(&[number, at].map(usize::to_le_bytes).concat()));
        record["meta"] =
            json!({"noise": noise.map(|it| it.to_hex().to_string()).collect::<String>()});
        let (status, body) = mine.post("/v1/records", record.to_string().as_bytes()).unwrap();
        match status {
            201 => {
                let receipt: serde_json::Value = serde_json::from_slice(&body).unwrap();
                kept.push(receipt["id"].as_str().unwrap().to_owned());
            }
            503 => break,
            other => panic!("{other}"),
        }
    }
    assert!(!kept.is_empty() && kept.len() < 4000);
    // Although the last bytes would still take something short.
    assert_eq!(mine.get("/readyz").unwrap().0, 503);
    for id in &kept {
        assert_eq!(mine.get(&format!("/v1/records/{id}")).unwrap().0, 200);
    }
    drop(server);
    let server = start(&folder, &[]);
    for id in &kept {
        assert_eq!(used(&server).get(&format!("/v1/records/{id}")).unwrap().0, 200, "{id}");
    }
    assert_eq!(used(&server).get("/readyz").unwrap().0, 200);
}

fn signal(server: &Server, name: &str) {
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
}

#[test]
fn a_second_signal_ends_the_stop_at_once() {
    let folder = TempDir::new().unwrap();
    let mut server = start(&folder, &["--stop-seconds", "3600", "--body-seconds", "3600"]);
    // A request whose body never comes keeps the service from stopping.
    let mut waiting = server.connect();
    waiting
        .write(
            b"POST /v1/validate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
              content-length: 10\r\nexpect: 100-continue\r\n\r\n",
        )
        .unwrap();
    let mut line = String::new();
    waiting.reader.read_line(&mut line).unwrap();
    assert!(line.contains("100"), "{line}");
    signal(&server, "-TERM");
    // New connections are refused once it stops, and it goes on for the old one.
    while Connection::open(server.address).and_then(|mut it| it.get("/healthz")).is_ok() {
        std::thread::yield_now();
    }
    assert!(server.child.try_wait().unwrap().is_none());
    signal(&server, "-TERM");
    let ended = server.child.wait().unwrap();
    assert_eq!(ended.code(), Some(1));
}

/// While heavy questions fill every place for them, cheap ones find one. Nobody waits for a turn here,
/// so in one queue for all some of the cheap ones would be refused.
#[test]
fn cheap_requests_do_not_wait_for_heavy_ones() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &["--queue-seconds", "0"]);
    let record = whole_game(crate::app::game().meta().id);
    let stored = used(&server).post("/v1/records", record.to_string().as_bytes()).unwrap();
    assert_eq!(stored.0, 201);
    let dispute = json!({"record": record}).to_string();
    let over = AtomicBool::new(false);
    let (answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut cheap = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let mut connection = server.connect();
                while !over.load(Ordering::SeqCst) {
                    let status = connection.post("/v1/adjudicate", dispute.as_bytes()).unwrap().0;
                    let count = if status == 200 { &answered } else { &refused };
                    assert!(matches!(status, 200 | 503), "{status}");
                    count.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let mut mine = server.connect();
        let full = || refused.load(Ordering::SeqCst) > 0 && answered.load(Ordering::SeqCst) > 0;
        // Looked at afterwards: whoever panics here would leave the others asking for ever.
        for number in 0.. {
            let small = numbered(number).to_string();
            cheap.push(mine.post("/v1/validate", small.as_bytes()).map(|(status, _)| status));
            cheap.push(mine.get("/v1/records?limit=1").map(|(status, _)| status));
            if number >= 50 && full() || number >= 100_000 {
                break;
            }
        }
        over.store(true, Ordering::SeqCst);
    });
    assert!(refused.into_inner() > 0 && answered.into_inner() > 0, "the places were never full");
    assert!(cheap.iter().all(|status| matches!(status, Ok(200))), "{cheap:?}");
}

#[test]
fn a_caller_that_has_read_its_answer_may_ask_again_over_the_connection() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &[]);
    let mut connection = server.connect();
    for _ in 0..20 {
        connection
            .write(b"GET /v1/games HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n\r\n")
            .unwrap();
        let (status, body) = connection.answer().unwrap();
        assert_eq!((status, &body[..2]), (200, &[0x1f, 0x8b][..]));
    }
    let mut rest = [0];
    connection.reader.get_mut().set_nonblocking(true).unwrap();
    assert!(connection.reader.read(&mut rest).is_err(), "nothing more is sent");
}

/// A token that everybody on the machine can read protects nothing.
#[test]
#[cfg(unix)]
fn a_token_file_that_everybody_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "admin alpha\n").unwrap();
    let mode = |mode| {
        std::fs::set_permissions(&tokens, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let named = tokens.display().to_string();
    mode(0o644);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--token-file", &named];
    let refused = crate::cli::umpire(&serve, "");
    assert_eq!(crate::cli::code(&refused), 2);
    assert!(crate::cli::error(&refused).contains("everyone can read"));
    mode(0o640);
    let server = start(&folder, &["--token-file", &named]);
    let record = legal(3).to_string();
    assert_eq!(used(&server).post("/v1/records", record.as_bytes()).unwrap().0, 401);
}

/// A second server on the same file would show what the first one had long changed.
#[test]
fn a_file_has_one_server() {
    let folder = TempDir::new().unwrap();
    let server = start(&folder, &[]);
    let store = file(&folder).display().to_string();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--store", &store];
    let second = crate::cli::umpire(&serve, "");
    assert_eq!(crate::cli::code(&second), 2);
    assert!(crate::cli::error(&second).contains("another server uses"));
    drop(server);
    // A server that was killed leaves nothing behind that keeps the next one out.
    let next = start(&folder, &[]);
    assert_eq!(used(&next).get("/readyz").unwrap().0, 200);
}

/// A limit on the size of files makes writes fail, as a full disk does; it does not end the server.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let folder = TempDir::new().unwrap();
    let mut server = Server::limited("ulimit -f 1024", &file(&folder), &[]);
    let mut mine = used(&server);
    let mut record = legal(3);
    let statuses: Vec<u16> = (0..12)
        .map(|number| {
            record["meta"] = json!({"story": format!("{number}{}", "and so on ".repeat(20_000))});
            mine.post("/v1/records", record.to_string().as_bytes()).unwrap().0
        })
        .collect();
    assert_eq!(statuses[0], 201);
    assert!(statuses.contains(&503), "{statuses:?}");
    assert!(server.child.try_wait().unwrap().is_none());
    assert_eq!(mine.get("/healthz").unwrap().0, 200);
}
