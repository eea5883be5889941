//! The service under load, over the loopback interface, each part bounded in time.
//!
//! - validating a record of about 18 kB, beside a probe that exists only here and does nothing but
//!   read the body into the typed record and answer 2 KiB;
//! - durable submissions over 64 connections, beside bare appends with fdatasync;
//! - submission as NDJSON, and `umpire validate` over 10,000 records.
//!
//! Client and server share the machine. `cargo bench -p umpire-api -- http`.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::{self, Data, Payload};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::Value;
use tempfile::TempDir;
use umpire_api::app::build;
use umpire_api::http::body;
use umpire_api::http::error::ApiError;
use umpire_api::limits::Limits;
use umpire_api::service::Service;
use umpire_api::store::sqlite::SqliteStore;
use umpire_engine::game::FullGame;
use umpire_engine::game::Visitor;
use umpire_engine::games::{self, GAMES};
use umpire_engine::record::RawRecord;
use umpire_referee::reading;

use crate::client::Connection;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1500);
const ALONE: u32 = 2_000;
const LINES: usize = 5_000;
const FILE_RECORDS: usize = 10_000;

/// Measures this part.
pub(crate) fn measure() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let service = serve(folder.path());
    let probe = probe();
    validate(service, probe);
    submit(service, folder.path());
    submit_lines(service);
    command(folder.path());
}

/// The service on a free port.
fn serve(folder: &Path) -> SocketAddr {
    let store = SqliteStore::open(&folder.join("bench.sqlite")).expect("a store can be made");
    let service = Service::new(Arc::new(store), Limits::default(), None, Vec::new());
    let service = Data::new(service.expect("the metrics have different names"));
    start(move || {
        HttpServer::new(move || build(service.clone()))
            .workers(workers())
            .bind(LOCAL)
            .map(|server| (server.addrs(), server.run()))
    })
}

const LOCAL: (&str, u16) = ("127.0.0.1", 0);

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn start(
    server: impl FnOnce() -> std::io::Result<(Vec<SocketAddr>, actix_web::dev::Server)> + Send + 'static,
) -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let (addresses, server) = server().expect("a free port can be had");
            let _ = sender.send(addresses[0]);
            let _ = server.await;
        });
    });
    receiver.recv().expect("the server has started")
}

/// Reads a record with the types of its game.
type Read = fn(&RawRecord<'_>) -> bool;

struct Readers(Vec<(&'static str, Read)>);

impl Visitor for Readers {
    fn game<G: FullGame>(&mut self) {
        let read: Read = |record| {
            let loaded =
                umpire_engine::replay::load::<G>(record, umpire_engine::replay::Limits::default());
            std::hint::black_box(loaded).is_ok()
        };
        self.0.push((G::META.id, read));
    }
}

/// A server whose only route, `/probe`, reads the body into the typed record and answers 2 KiB.
pub(crate) fn probe() -> SocketAddr {
    async fn read(
        request: HttpRequest,
        payload: Payload,
        readers: Data<Readers>,
    ) -> Result<HttpResponse, ApiError> {
        let text = body::read(request.headers(), payload, Limits::DEFAULT.max_body, 30).await?;
        let record = RawRecord::read(&text)?;
        let reader = readers.0.iter().find(|(id, _)| record.game == *id);
        assert!(reader.is_some_and(|(_, read)| read(&record)), "the record can be read");
        Ok(HttpResponse::Ok().content_type(body::JSON).body(vec![b' '; 2048]))
    }
    let mut readers = Readers(Vec::new());
    games::visit(&mut readers);
    let readers = Data::new(readers);
    start(move || {
        let app =
            move || App::new().app_data(readers.clone()).route("/probe", web::post().to(read));
        HttpServer::new(app)
            .workers(workers())
            .bind(LOCAL)
            .map(|server| (server.addrs(), server.run()))
    })
}

/// A legal record of about that many bytes, as long as the game allows.
fn record(bytes: usize) -> String {
    let game = GAMES[0];
    let mut longest = String::new();
    for seed in 0..20 {
        let sample = reading::sample(game, &format!("bench {seed}"), bytes / 60);
        if sample.get().len() > longest.len() {
            sample.get().clone_into(&mut longest);
        }
    }
    let mut record: Value = serde_json::from_str(&longest).expect("a sample is JSON");
    if longest.len() < bytes {
        record["meta"] = serde_json::json!({"padding": "x".repeat(bytes - longest.len())});
    }
    println!(
        "record: {} bytes, {} actions ({} bytes without padding)",
        record.to_string().len(),
        record["actions"].as_array().map_or(0, Vec::len),
        longest.len(),
    );
    record.to_string()
}

/// Requests a second over some connections for so long, and the time of each.
pub(crate) fn load(
    address: SocketAddr,
    connections: usize,
    round: Duration,
    path: &str,
    body: impl Fn(usize, usize) -> String + Sync,
) -> (f64, Vec<Duration>) {
    by_clients(connections, |client, begun| {
        let mut connection = Connection::open(address)?;
        let mut times = Vec::new();
        while begun.elapsed() < round {
            let text = body(client, times.len());
            let sent = Instant::now();
            let (status, _) = connection.post(path, text.as_bytes())?;
            assert!(matches!(status, 200 | 201), "{status}");
            times.push(sent.elapsed());
        }
        Ok(times)
    })
}

/// What some clients at once come to a second, and the times that they took; each is told its number, and when all
/// began.
fn by_clients(
    clients: usize,
    client: impl Fn(usize, Instant) -> std::io::Result<Vec<Duration>> + Sync,
) -> (f64, Vec<Duration>) {
    let begun = Instant::now();
    let times: Vec<Duration> = std::thread::scope(|scope| {
        let client = &client;
        let clients: Vec<_> =
            (0..clients).map(|number| scope.spawn(move || client(number, begun))).collect();
        let all = clients.into_iter().map(|client| client.join().expect("no client fails"));
        all.flat_map(|times| times.expect("the server answers")).collect()
    });
    (times.len() as f64 / begun.elapsed().as_secs_f64(), times)
}

/// Records a second over some connections for so long, and the time from each line to its receipt: over each connection
/// one request that does not end, with so many lines on their way at once.
pub(crate) fn load_lines(
    address: SocketAddr,
    connections: usize,
    round: Duration,
    on_their_way: usize,
    body: impl Fn(usize, usize) -> String + Sync,
) -> (f64, Vec<Duration>) {
    const HEAD: &[u8] =
        b"POST /v1/records HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
        transfer-encoding: chunked\r\n\r\n";
    by_clients(connections, |client, begun| {
        let mut connection = Connection::open(address)?;
        connection.write(HEAD)?;
        let (mut sent, mut times) = (VecDeque::new(), Vec::new());
        let (mut free, mut headed) = (on_their_way, false);
        while begun.elapsed() < round || !sent.is_empty() {
            if begun.elapsed() < round {
                let first = times.len() + sent.len();
                let lines: String =
                    (first..first + free).map(|number| body(client, number) + "\n").collect();
                sent.extend(std::iter::repeat_n(Instant::now(), free));
                connection.write(format!("{:x}\r\n{lines}\r\n", lines.len()).as_bytes())?;
            }
            if !headed {
                assert_eq!(connection.head()?, (200, None));
                headed = true;
            }
            let receipts = String::from_utf8(connection.chunk()?).expect("receipts are text");
            free = receipts.lines().count();
            for (receipt, sent) in receipts.lines().zip(sent.drain(..free)) {
                assert!(receipt.contains("\"new\":true"), "{receipt}");
                times.push(sent.elapsed());
            }
        }
        connection.write(b"0\r\n\r\n")?;
        let summary = connection.chunk()?;
        assert!(summary.starts_with(b"{\"summary\""), "{}", String::from_utf8_lossy(&summary));
        Ok(times)
    })
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub(crate) fn percentile(times: &mut [Duration], part: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * part) as usize]
}

fn validate(service: SocketAddr, probe: SocketAddr) {
    let text = record(18_000);
    let limits = umpire_engine::replay::Limits::default();
    let mut readers = Readers(Vec::new());
    games::visit(&mut readers);
    let alone = |work: &dyn Fn() -> bool| {
        let begun = Instant::now();
        for _ in 0..ALONE {
            assert!(work());
        }
        begun.elapsed() / ALONE
    };
    let read = alone(&|| {
        let record = RawRecord::read(text.as_bytes()).expect("the record can be read");
        readers.0.iter().any(|(id, read)| record.game == *id && read(&record))
    });
    let judged = alone(&|| reading::judge(text.as_bytes(), limits).is_ok());
    println!("without HTTP: {read:?} to read the typed record, {judged:?} to read and judge it");
    let small = reading::sample(GAMES[0], "bench", 0);
    let (floor, _) = load(service, 16, ROUND, "/v1/validate", |_, _| small.get().to_owned());
    let (probe_floor, _) = load(probe, 16, ROUND, "/probe", |_, _| small.get().to_owned());
    println!("empty record: {floor:.0} requests/s, probe {probe_floor:.0} requests/s");
    let (mut validated, mut probed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        validated.push(load(service, 16, ROUND, "/v1/validate", |_, _| text.clone()).0);
        probed.push(load(probe, 16, ROUND, "/probe", |_, _| text.clone()).0);
    }
    let (validated, probed) = (median(validated), median(probed));
    println!(
        "validate: {validated:.0} requests/s, probe {probed:.0} requests/s, {:.2} of it",
        validated / probed
    );
}

/// Different records of a few actions.
fn different(name: &str) -> impl Fn(usize, usize) -> String + Sync {
    let sample = reading::sample(GAMES[0], "bench", 0);
    let text = sample.get().to_owned();
    let name = name.to_owned();
    move |client, number| text.replace("\"bench\"", &format!("\"{name} {client} {number}\""))
}

fn submit(service: SocketAddr, folder: &Path) {
    let body = different("submit");
    let bytes = body(0, 0).len();
    let (rate, mut times) = load(service, 64, ROUND, "/v1/records", body);
    println!(
        "submit: {rate:.0} records/s over 64 connections, p50 {:?}, p99 {:?}",
        percentile(&mut times, 0.5),
        percentile(&mut times, 0.99)
    );
    let mut file = File::create(folder.join("bare")).expect("a file can be made");
    let text = vec![b'x'; bytes];
    let begun = Instant::now();
    let mut count = 0;
    while begun.elapsed() < ROUND {
        file.write_all(&text).and_then(|()| file.sync_data()).expect("a file can be written");
        count += 1;
    }
    let bare = f64::from(count) / begun.elapsed().as_secs_f64();
    println!("bare append and fdatasync: {bare:.0}/s; the service has {:.2} of it", rate / bare);
}

fn submit_lines(service: SocketAddr) {
    let body = different("lines");
    let text: String = (0..LINES).map(|number| body(0, number) + "\n").collect();
    let mut connection = Connection::open(service).expect("the server listens");
    let head = format!(
        "POST /v1/records HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: {}\r\n\r\n",
        text.len()
    );
    let begun = Instant::now();
    let mut writer = connection.reader.get_ref().try_clone().expect("a socket can be shared");
    let answer = std::thread::scope(|scope| {
        scope.spawn(move || {
            writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(text.as_bytes()))
        });
        connection.answer()
    });
    let (status, lines) = answer.expect("the server answers");
    let lines = lines.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!((status, lines), (200, LINES + 1));
    let rate = LINES as f64 / begun.elapsed().as_secs_f64();
    println!("submit as NDJSON: {rate:.0} records/s over one connection");
}

fn command(folder: &Path) {
    let text = record(18_000) + "\n";
    let file = folder.join("many.ndjson");
    let mut to = File::create(&file).expect("a file can be made");
    for _ in 0..FILE_RECORDS {
        to.write_all(text.as_bytes()).expect("a file can be written");
    }
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .arg("validate")
        .arg(&file)
        .output()
        .expect("the command can be run");
    assert!(output.status.success());
    print!("umpire validate ({:?}): {}", begun.elapsed(), String::from_utf8_lossy(&output.stdout));
}
