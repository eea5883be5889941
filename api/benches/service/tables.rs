//! Live tables: what an action costs in bytes, and how long it takes until the last watcher has seen it.
//!
//! A real server in a process of its own; the clients share the machine with it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::client::Server;

/// When a watcher of a table saw a version of it.
struct Seen {
    table: usize,
    version: u32,
    at: Instant,
}

/// A connection that asks and is answered.
struct Caller {
    stream: BufReader<TcpStream>,
    up: usize,
    down: usize,
}

impl Caller {
    async fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Caller { stream: BufReader::new(stream), up: 0, down: 0 }
    }

    /// Sends a request, and gives the answer.
    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        token: &str,
        more: &str,
        body: &str,
    ) -> Value {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\n{more}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.up += head.len();
        self.stream.get_mut().write_all(head.as_bytes()).await.expect("a request is sent");
        let length = self.head().await;
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).await.expect("an answer comes");
        self.down += length;
        serde_json::from_slice(&text).expect("an answer is JSON")
    }

    /// Reads the head of an answer, and gives the length of its body.
    async fn head(&mut self) -> usize {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).await.expect("a head comes");
            self.down += line.len();
            match line.trim().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap_or(0);
                }
                None if line.trim().is_empty() => return length,
                _ => {}
            }
        }
    }
}

/// Watches a table, and tells when a version of it is seen; ends with the connection.
async fn watch(
    address: SocketAddr,
    table: usize,
    path: String,
    token: String,
    told: UnboundedSender<Seen>,
) -> usize {
    let mut caller = Caller::new(address).await;
    let auth =
        if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    let head = format!("GET {path}/stream HTTP/1.1\r\nhost: localhost\r\n{auth}\r\n");
    caller.stream.get_mut().write_all(head.as_bytes()).await.expect("a request is sent");
    caller.head().await;
    let mut bytes = 0;
    let mut line = String::new();
    loop {
        line.clear();
        match caller.stream.read_line(&mut line).await {
            Ok(0) | Err(_) => return bytes,
            Ok(length) => bytes += length,
        }
        if let Some(version) = line.strip_prefix("id: ") {
            let version = version.trim().parse().unwrap_or(0);
            if told.send(Seen { table, version, at: Instant::now() }).is_err() {
                return bytes;
            }
        } else if line.starts_with("event: end") {
            return bytes;
        }
    }
}

/// A table, its path and its tokens.
struct Table {
    path: String,
    host: String,
    seats: HashMap<String, String>,
}

async fn table(caller: &mut Caller, record: &Value) -> Table {
    let mut request = json!({});
    for field in ["game", "options", "chance", "position"] {
        if !record[field].is_null() {
            request[field] = record[field].clone();
        }
    }
    let made = caller.ask("POST", "/v1/tables", "none", "", &request.to_string()).await;
    Table {
        path: format!("/v1/tables/{}", made["table"]["id"].as_str().expect("a table is made")),
        host: made["host"].as_str().unwrap_or_default().to_owned(),
        seats: serde_json::from_value(made["seats"].clone()).expect("there are seats"),
    }
}

/// Takes the action of a record at a ply.
async fn act(caller: &mut Caller, table: &Table, record: &Value, ply: usize) {
    let action = &record["actions"][ply];
    let token = &table.seats[action["player"].as_str().expect("a seat acts")];
    let at = format!("if-match: \"{ply}\"\r\n");
    let body = json!({"action": action}).to_string();
    let path = format!("{}/actions", table.path);
    let answer = caller.ask("POST", &path, token, &at, &body).await;
    assert!(answer["version"].is_string() && answer["code"].is_null(), "{ply}: {answer}");
}

/// The longest whole game of each game that comes from a seed.
pub(crate) fn games() -> Vec<(String, Value)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures");
    let mut games = Vec::new();
    for game in std::fs::read_dir(root).expect("fixtures").flatten() {
        let Ok(files) = std::fs::read_dir(game.path().join("games")) else { continue };
        let texts = files.flatten().filter_map(|file| std::fs::read(file.path()).ok());
        let records = texts.filter_map(|text| serde_json::from_slice::<Value>(&text).ok());
        let records = records.map(|mut fixture| fixture["record"].take());
        let seeded = records.filter(|record| record["chance"]["seed"].is_string());
        let length = |record: &Value| record["actions"].as_array().map_or(0, Vec::len);
        if let Some(longest) = seeded.max_by_key(length) {
            games.push((game.file_name().to_string_lossy().into_owned(), longest));
        }
    }
    games.sort_by(|one, other| one.0.cmp(&other.0));
    games
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

pub(crate) fn line(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let [half, most, all] = [0.5, 0.99, 1.0].map(|part| quantile(&times, part));
    println!(
        "{name}: median {half:.1} ms, p99 {most:.1} ms, longest {all:.1} ms ({} times)",
        times.len()
    );
}

/// The resident memory of a process, in MiB.
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// What an action costs each way, and a watching seat.
async fn bytes(address: SocketAddr) {
    for (name, record) in games() {
        let actions = record["actions"].as_array().map_or(0, Vec::len);
        let mut caller = Caller::new(address).await;
        let table = table(&mut caller, &record).await;
        let (told, mut seen) = mpsc::unbounded_channel();
        let mut watchers = Vec::new();
        for token in table.seats.values() {
            let watcher = watch(address, 0, table.path.clone(), token.clone(), told.clone());
            watchers.push(tokio::spawn(watcher));
        }
        for _ in &watchers {
            seen.recv().await;
        }
        (caller.up, caller.down) = (0, 0);
        let begun = Instant::now();
        for ply in 0..actions {
            act(&mut caller, &table, &record, ply).await;
        }
        let took = begun.elapsed().as_secs_f64() * 1000.0 / actions as f64;
        let path = format!("{}/seal", table.path);
        let (up, down) = (caller.up / actions, caller.down / actions);
        caller.ask("POST", &path, &table.host, "", "").await;
        let mut watched = Vec::new();
        for watcher in watchers {
            watched.push(watcher.await.unwrap_or(0) / actions);
        }
        println!(
            "{name}, {actions} actions, {} seats: {up} bytes up and {down} down per action (heads included), {took:.1} ms each one after the other; stream {watched:?} bytes per action and seat",
            table.seats.len()
        );
    }
}

/// One table and a thousand watchers.
async fn crowd(address: SocketAddr, server: &Server) {
    const WATCHERS: usize = 1_000;
    let (_, record) = games().swap_remove(1);
    let actions = record["actions"].as_array().map_or(0, Vec::len);
    let mut caller = Caller::new(address).await;
    let table = table(&mut caller, &record).await;
    let before = memory(server);
    let (told, mut seen) = mpsc::unbounded_channel();
    for _ in 0..WATCHERS {
        tokio::spawn(watch(address, 0, table.path.clone(), String::new(), told.clone()));
    }
    for _ in 0..WATCHERS {
        seen.recv().await;
    }
    println!(
        "{WATCHERS} watchers of one table: {before} MiB before, {} MiB with them",
        memory(server)
    );
    let mut times = Vec::new();
    for ply in 0..actions {
        act(&mut caller, &table, &record, ply).await;
        let accepted = Instant::now();
        let mut last = accepted;
        for _ in 0..WATCHERS {
            let Some(Seen { version, at, .. }) = seen.recv().await else { return };
            assert_eq!(version as usize, ply + 1);
            last = last.max(at);
        }
        times.push(last.duration_since(accepted).as_secs_f64() * 1000.0);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    line("from the answer to the last of 1000 watchers", times);
}

/// A thousand tables, two seats watching at each.
async fn hall(address: SocketAddr, server: &Server) {
    const TABLES: usize = 1_000;
    const PLIES: usize = 12;
    const A_SECOND: u64 = 200;
    let (_, record) = games().swap_remove(1);
    let record = Arc::new(record);
    let (told, mut seen): (_, UnboundedReceiver<Seen>) = mpsc::unbounded_channel();
    let before = memory(server);
    let mut caller = Caller::new(address).await;
    let mut tables = Vec::new();
    for number in 0..TABLES {
        let table = table(&mut caller, &record).await;
        for token in table.seats.values() {
            tokio::spawn(watch(address, number, table.path.clone(), token.clone(), told.clone()));
        }
        tables.push(table);
    }
    let watchers: usize = tables.iter().map(|table| table.seats.len()).sum();
    for _ in 0..watchers {
        seen.recv().await;
    }
    println!(
        "{TABLES} tables, {watchers} watchers: {before} MiB before, {} MiB with them",
        memory(server)
    );
    let mut callers = Vec::new();
    for _ in 0..8 {
        callers.push(Caller::new(address).await);
    }
    let mut sent: HashMap<(usize, u32), Instant> = HashMap::new();
    let (mut answers, mut frames) = (Vec::new(), Vec::new());
    let tables = Arc::new(tables);
    let (done, mut acted) = mpsc::unbounded_channel();
    let lanes = callers.len();
    for (lane, mut caller) in callers.into_iter().enumerate() {
        let (tables, record, done) = (tables.clone(), record.clone(), done.clone());
        tokio::spawn(async move {
            let mut each =
                tokio::time::interval(Duration::from_micros(1_000_000 * lanes as u64 / A_SECOND));
            for ply in 0..PLIES {
                for number in (lane..TABLES).step_by(lanes) {
                    each.tick().await;
                    let begun = Instant::now();
                    act(&mut caller, &tables[number], &record, ply).await;
                    let _ = done.send((number, ply as u32 + 1, begun, Instant::now()));
                }
            }
        });
    }
    drop(done);
    while let Some((number, version, begun, accepted)) = acted.recv().await {
        sent.insert((number, version), accepted);
        answers.push(accepted.duration_since(begun).as_secs_f64() * 1000.0);
    }
    let expected = PLIES * watchers;
    for _ in 0..expected {
        let Some(Seen { table, version, at }) = seen.recv().await else { break };
        let accepted = sent[&(table, version)];
        frames.push(at.saturating_duration_since(accepted).as_secs_f64() * 1000.0);
    }
    line(&format!("an action, {A_SECOND} a second over all tables"), answers);
    line("from the answer to a watching seat", frames);
    println!("after {} actions: {} MiB", PLIES * TABLES, memory(server));
}

/// How many tables are played at once where the rate is measured.
const AT_ONCE: usize = 64;

/// So many tables, each with a caller that plays a whole game as fast as it is answered; which game, by its place. Gives
/// the actions a second and the times of the answers in milliseconds.
pub(crate) fn whole_games(address: SocketAddr, game: usize) -> (String, f64, Vec<f64>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (name, record) = games().swap_remove(game);
        let record = Arc::new(record);
        let actions = record["actions"].as_array().map_or(0, Vec::len);
        let mut seated = Vec::new();
        for _ in 0..AT_ONCE {
            let mut caller = Caller::new(address).await;
            let table = table(&mut caller, &record).await;
            seated.push((caller, table));
        }
        let begun = Instant::now();
        let players = seated.into_iter().map(|(mut caller, table)| {
            let record = record.clone();
            tokio::spawn(async move {
                let mut times = Vec::with_capacity(actions);
                for ply in 0..actions {
                    let asked = Instant::now();
                    act(&mut caller, &table, &record, ply).await;
                    times.push(asked.elapsed().as_secs_f64() * 1000.0);
                }
                times
            })
        });
        let players: Vec<_> = players.collect();
        let mut times = Vec::new();
        for player in players {
            times.extend(player.await.expect("a game is played to its end"));
        }
        (name, times.len() as f64 / begun.elapsed().as_secs_f64(), times)
    })
}

/// Measures tables.
pub(super) fn measure() {
    let folder = TempDir::new().expect("a folder");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    for part in ["bytes", "crowd", "hall"] {
        let server = Server::start(&folder.path().join(part), &["--connections-per-peer", "9000"]);
        let address = server.address;
        runtime.block_on(async {
            match part {
                "bytes" => bytes(address).await,
                "crowd" => crowd(address, &server).await,
                _ => hall(address, &server).await,
            }
        });
    }
}
