//! What a cheap request waits for while 32 clients adjudicate whole games: reading a stored record, and
//! judging a small one. Beside it, the same with nobody else about.
//!
//! Client and server share the machine. `cargo bench -p umpire-api -- fair`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_engine::games::GAMES;
use umpire_referee::reading;

use crate::client::{Connection, Server};
use crate::http::percentile;
use crate::whole_game;

const CLIENTS: usize = 32;
const LASTS: Duration = Duration::from_secs(15);
/// Between two cheap requests.
const PAUSE: Duration = Duration::from_millis(10);

/// Measures this part.
pub(crate) fn measure() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let server = Server::start(&folder.path().join("bench.sqlite"), &[]);
    let disputes: Vec<String> = GAMES
        .iter()
        .map(|game| json!({"record": whole_game(game.meta().id)}).to_string())
        .collect();
    let small = reading::sample(GAMES[0], "bench", 3).get().to_owned();
    let mut connection = server.connect();
    let (_, body) = connection.post("/v1/records", small.as_bytes()).expect("it answers");
    let receipt: Value = serde_json::from_slice(&body).expect("a receipt");
    let path = format!("/v1/records/{}", receipt["id"].as_str().expect("an id"));
    println!("nobody else:");
    cheap(&mut connection, &path, &small);
    let over = AtomicBool::new(false);
    let (answered, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let dispute = &disputes[client % disputes.len()];
            let (server, over, answered, refused) = (&server, &over, &answered, &refused);
            scope.spawn(move || {
                let mut connection = server.connect();
                while !over.load(Ordering::Relaxed) {
                    let sent = connection.post("/v1/adjudicate", dispute.as_bytes());
                    let (status, _) = sent.expect("it answers");
                    let count = if status == 200 { answered } else { refused };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        println!("beside {CLIENTS} clients that adjudicate:");
        cheap(&mut connection, &path, &small);
        over.store(true, Ordering::Relaxed);
    });
    let (answered, refused) = (answered.into_inner(), refused.into_inner());
    let rate = answered as f64 / LASTS.as_secs_f64();
    println!("  they had {rate:.0} answers a second; {refused} were refused");
}

/// Asks cheap questions for a while, one after the other.
fn cheap(connection: &mut Connection, path: &str, small: &str) {
    let (mut reads, mut verdicts) = (Vec::new(), Vec::new());
    let begun = Instant::now();
    while begun.elapsed() < LASTS {
        for (times, reading) in [(&mut reads, true), (&mut verdicts, false)] {
            let sent = Instant::now();
            let answer = match reading {
                true => connection.get(path),
                false => connection.post("/v1/validate", small.as_bytes()),
            };
            assert_eq!(answer.expect("it answers").0, 200);
            times.push(sent.elapsed());
            thread::sleep(PAUSE);
        }
    }
    for (name, mut times) in [("GET /v1/records/{id}", reads), ("POST /v1/validate", verdicts)] {
        let [half, most, all] = [0.5, 0.99, 1.0].map(|part| percentile(&mut times, part));
        println!("  {name}: p50 {half:?}, p99 {most:?}, slowest {all:?} of {}", times.len());
    }
}
