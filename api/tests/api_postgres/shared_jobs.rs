//! Jobs that servers on one database share: taken over, cancelled from elsewhere, given back, given up.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};
use umpire_api::store::Store;
use umpire_api::store::jobs::{
    JobBoard, JobEnd, JobKind, JobState, JobUpdate, Lease, NewJob, PutOutcome,
};
use umpire_api::store::postgres::PostgresStore;

use crate::app::{game, numbered, whole_game};
use crate::client::{Connection, Server};
use crate::impacts::flips;
use crate::postgres;
use crate::several::ask;

/// Nothing here is waited for any longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks again and again until there is an answer.
fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A server whose jobs are taken over after so many seconds without a word.
fn start(address: &str, lease: u32) -> Server {
    Server::start(Path::new(address), &["--lease-seconds", &lease.to_string()])
}

fn get(at: &mut Connection, path: &str) -> Value {
    let (status, body) = at.get(path).unwrap();
    assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}

/// Starts a job, and gives its path.
fn begin(at: &mut Connection, path: &str, sent: &Value) -> String {
    let (status, body) = at.post(path, sent.to_string().as_bytes()).unwrap();
    assert_eq!(status, 202, "{}", String::from_utf8_lossy(&body));
    let made: Value = serde_json::from_slice(&body).unwrap();
    let path = path.split('?').next().unwrap();
    format!("{path}/{}", made["id"].as_str().unwrap())
}

fn delete(at: &mut Connection, path: &str) -> u16 {
    let request = format!("DELETE {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    at.write(request.as_bytes()).unwrap();
    let (status, length) = at.head().unwrap();
    if let Some(length) = length {
        at.reader.read_exact(&mut vec![0; length]).unwrap();
    }
    status
}

fn ended(at: &mut Connection, path: &str) -> Value {
    until("a job ends", || Some(get(at, path)).filter(|shown| shown["state"] != "running"))
}

/// The one row of the table of jobs, as text.
fn row(address: &str, columns: &str) -> String {
    let rows = postgres::ask(address, &format!("SELECT concat_ws(' ', {columns}) FROM umpire.job"));
    rows.unwrap().pop().unwrap_or_default()
}

/// The one job is done, not under its first lease. A server that was slow to say that it lives may have taken its own
/// job once more.
fn was_taken_over(address: &str) {
    assert_eq!(row(address, "state, lease > 1"), "1 t");
}

/// A transaction that keeps everybody else from writing to a running job.
struct Locked {
    runtime: tokio::runtime::Runtime,
    client: Client,
}

impl Locked {
    /// None if no job runs any more.
    fn running(address: &str) -> Option<Self> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.unwrap();
        let (client, connection) =
            runtime.block_on(tokio_postgres::connect(address, NoTls)).unwrap();
        runtime.spawn(connection);
        let locked = runtime.block_on(async {
            client.batch_execute("BEGIN").await?;
            client.query("SELECT 1 FROM umpire.job WHERE state = 0 FOR UPDATE", &[]).await
        });
        (!locked.unwrap().is_empty()).then_some(Locked { runtime, client })
    }

    fn release(self) {
        self.runtime.block_on(self.client.batch_execute("COMMIT")).unwrap();
    }
}

/// Begins a job at one server and kills that in the middle; gives the path of the job. The other server has seen some
/// of it. Where the job was too quick, it is forgotten and begun again.
fn killed_in_the_middle(
    address: &str,
    second: &Server,
    path: &str,
    sent: &Value,
    done: impl Fn(&Value) -> u64,
) -> String {
    for _ in 0..20 {
        let mut first = start(address, 1);
        let job = begin(&mut first.connect(), path, sent);
        let mut at = second.connect();
        until("the other server sees what is found out", || {
            let shown = get(&mut at, &job);
            (done(&shown) > 0 || shown["state"] != "running").then_some(())
        });
        if let Some(locked) = Locked::running(address) {
            first.child.kill().unwrap();
            first.child.wait().unwrap();
            locked.release();
            return job;
        }
        assert_eq!(delete(&mut at, &job), 204);
    }
    panic!("the job always ends too soon");
}

#[test]
fn an_impact_of_a_killed_server_ends_as_if_nothing_had_happened() {
    let Some(address) = postgres::database("a server is killed in an impact") else { return };
    let second = start(&address, 1);
    let mut at = second.connect();
    let mut records: Vec<Value> = (0..2_000).map(numbered).collect();
    for (number, flip) in flips().iter().enumerate() {
        let mut others = flip.records.clone();
        others.append(&mut records.split_off(records.len() - number * 100));
        records.append(&mut others);
    }
    for record in &records {
        let (status, _) = at.post("/v1/records?accept=any", record.to_string().as_bytes()).unwrap();
        assert!(matches!(status, 200 | 201), "{record}");
    }
    let rulings: Value = flips().iter().map(|it| (it.ruling.to_owned(), json!(it.value))).collect();
    let sent = json!({"reading": {"rulings": rulings}});
    let looked = |shown: &Value| shown["progress"]["looked"].as_u64().unwrap();
    let job = killed_in_the_middle(&address, &second, "/v1/impacts", &sent, looked);
    let mut shown = ended(&mut at, &job);
    assert_eq!(shown["state"], "done", "{shown}");
    was_taken_over(&address);
    let changes = get(&mut at, &format!("{job}/changes?limit=500"));
    let whole = begin(&mut at, "/v1/impacts", &sent);
    let mut undisturbed = ended(&mut at, &whole);
    assert_eq!(get(&mut at, &format!("{whole}/changes?limit=500")), changes);
    assert!(changes["changes"].as_array().unwrap().len() >= flips().len(), "{changes}");
    for it in [&mut shown, &mut undisturbed] {
        it.as_object_mut().unwrap().remove("id");
    }
    assert_eq!(shown.to_string(), undisturbed.to_string());
    assert!(looked(&shown) >= 2_000, "{shown}");
}

#[test]
fn an_impact_of_a_server_that_was_killed_at_once_sees_only_what_there_was() {
    let Some(address) = postgres::database("a server is killed before a page") else { return };
    let second = start(&address, 1);
    let mut at = second.connect();
    let mut store = |numbers: std::ops::Range<usize>| {
        for record in numbers.map(numbered) {
            let (status, _) = at.post("/v1/records", record.to_string().as_bytes()).unwrap();
            assert_eq!(status, 201, "{record}");
        }
    };
    store(0..70);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.unwrap();
    let (client, connection) = runtime.block_on(tokio_postgres::connect(&address, NoTls)).unwrap();
    runtime.spawn(connection);
    // Nobody can keep a page.
    let lock = "BEGIN; LOCK TABLE umpire.job_part IN SHARE MODE";
    runtime.block_on(client.batch_execute(lock)).unwrap();
    let mut first = start(&address, 1);
    let sent = json!({"reading": {"rulings": {"DRK-R1": "deck_empty"}}});
    let job = begin(&mut first.connect(), "/v1/impacts", &sent);
    store(70..75);
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    // What it still had asked for comes to nothing.
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'; COMMIT";
    runtime.block_on(client.batch_execute(end)).unwrap();
    let shown = ended(&mut second.connect(), &job);
    assert_eq!(shown["state"], "done", "{shown}");
    assert_eq!(shown["progress"], json!({"looked": 70, "of": 70}), "{shown}");
    was_taken_over(&address);
}

#[test]
fn a_job_goes_on_though_whoever_asked_for_it_hangs_up() {
    let Some(address) = postgres::database("who asks for a job hangs up") else { return };
    let server = start(&address, 600);
    let sent = json!({"reading": {"rulings": {"DRK-R1": "deck_empty"}}}).to_string();
    let head = "POST /v1/impacts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    // Sooner or later in the course of the answer, until that was late enough for some.
    let mut hang_up = (0..).map(|number| {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        let request = format!("{head}content-length: {}\r\n\r\n{sent}", sent.len());
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_micros(200 * number));
    });
    until("some have begun", || {
        hang_up.by_ref().take(60).for_each(drop);
        (row(&address, "count(*)") != "0").then_some(())
    });
    // The lease is longer than anybody waits here.
    until("all have ended", || {
        (row(&address, "count(*) FILTER (WHERE state = 0)") == "0").then_some(())
    });
}

/// A job that is named by what it is made from, at a server that was killed and at one on a file.
fn same_bytes(test: &str, path: &str, sent: &Value, more: &[&str]) {
    let Some(address) = postgres::database(test) else { return };
    let second = start(&address, 1);
    let done = |shown: &Value| shown["progress"]["done"].as_u64().unwrap();
    let job = killed_in_the_middle(&address, &second, path, sent, done);
    let mut at = second.connect();
    assert_eq!(ended(&mut at, &job)["state"], "done");
    was_taken_over(&address);
    let folder = TempDir::new().unwrap();
    let alone = Server::start(&folder.path().join("umpire.sqlite"), &[]);
    let mut undisturbed = alone.connect();
    assert_eq!(begin(&mut undisturbed, path, sent), job);
    ended(&mut undisturbed, &job);
    for more in [&[""], more].concat() {
        let path = format!("{job}{more}");
        assert_eq!(at.get(&path).unwrap(), undisturbed.get(&path).unwrap(), "{path}");
    }
    // It is found, not begun again.
    assert_eq!(at.post(path, sent.to_string().as_bytes()).unwrap().0, 200);
}

#[test]
fn an_analysis_of_a_killed_server_ends_in_the_same_bytes() {
    let mut record = whole_game(game().meta().id);
    record["actions"].as_array_mut().unwrap().truncate(12);
    let sent = json!({"record": record, "simulations": 600});
    let more = ["/plies?limit=500", "/curve.svg"];
    same_bytes("a server is killed in an analysis", "/v1/analyses", &sent, &more);
}

#[test]
fn a_series_of_a_killed_server_ends_in_the_same_bytes() {
    let meta = game().meta();
    let sent = json!({"game": meta.id, "games": 60, "players": {meta.seats[0]: "search:200"}});
    same_bytes("a server is killed in a series", "/v1/simulations?job=true", &sent, &[]);
}

/// A series that takes longer than any test.
fn endless() -> Value {
    let meta = game().meta();
    json!({"game": meta.id, "games": 10_000, "players": {meta.seats[0]: "search:20000"}})
}

const SERIES: &str = "/v1/simulations?job=true";

#[test]
fn a_job_is_seen_and_cancelled_through_any_server() {
    let Some(address) = postgres::database("a job is cancelled elsewhere") else { return };
    let (first, second) = (start(&address, 30), start(&address, 30));
    let (mut at, mut other) = (first.connect(), second.connect());
    let job = begin(&mut at, SERIES, &endless());
    assert_eq!(get(&mut other, &job)["state"], "running");
    // The same request elsewhere finds it.
    assert_eq!(other.post(SERIES, endless().to_string().as_bytes()).unwrap().0, 200);
    assert_eq!(delete(&mut other, &job), 204);
    for at in [&mut at, &mut other] {
        assert_eq!(get(at, &job)["state"], "cancelled");
    }
    // The one that worked on it has nothing to say any more, and what is asked of it next is done.
    assert_eq!(row(&address, "state, lease, owner"), "2 2");
    let short = json!({"game": game().meta().id, "games": 4});
    let next = begin(&mut at, SERIES, &short);
    assert_eq!(ended(&mut other, &next)["state"], "done");
    // Whoever asks for it again goes on with it.
    assert_eq!(begin(&mut other, SERIES, &endless()), job);
    assert_eq!(get(&mut at, &job)["state"], "running");
    assert_eq!(delete(&mut at, &job), 204);
    assert_eq!(delete(&mut at, &job), 204);
    assert_eq!(other.get(&job).unwrap().0, 404);
}

#[test]
#[cfg(unix)]
fn a_server_that_is_told_to_end_gives_its_jobs_back_at_once() {
    let Some(address) = postgres::database("a server is told to end") else { return };
    // Nobody would wait for such a lease.
    let (mut first, second) = (start(&address, 3600), start(&address, 3600));
    let job = begin(&mut first.connect(), SERIES, &endless());
    let owner = row(&address, "owner");
    let told = std::process::Command::new("kill").arg(first.child.id().to_string()).status();
    assert!(told.unwrap().success());
    assert!(first.child.wait().unwrap().success());
    let next = until("another server takes the job", || {
        Some(row(&address, "owner")).filter(|it| !it.is_empty() && *it != owner)
    });
    // Given back, and taken: two leases more, and no attempt.
    assert_eq!(row(&address, "state, lease, attempts, owner"), format!("0 3 1 {next}"));
    let mut at = second.connect();
    assert_eq!(get(&mut at, &job)["state"], "running");
    assert_eq!(delete(&mut at, &job), 204);
}

#[test]
#[cfg(unix)]
fn whoever_begins_a_job_pays_for_it_also_at_the_server_that_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let Some(address) = postgres::database("a job is charged elsewhere") else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tokens");
    std::fs::write(&file, "admin anna\nadmin bruno\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let file = file.display().to_string();
    let start = |seconds: &str| {
        let own = ["--lease-seconds", "3600", "--token-file", &file];
        let own = [&own[..], &["--cpu-seconds-per-minute", seconds]].concat();
        Server::start(Path::new(&address), &own)
    };
    // A job takes a second of the processor in a second. There it may do so for long, here it soon has had what it may.
    let (mut first, second) = (start("100000"), start("3"));
    let (anna, bruno) = ("authorization: Bearer anna\r\n", "authorization: Bearer bruno\r\n");
    // What a job used is charged at the end of each of its pieces: here these are short.
    let mut sent = endless();
    sent["players"] = json!({ game().meta().seats[0]: "search:100" });
    let (status, begun) = ask(&mut first.connect(), "POST", SERIES, anna, &sent.to_string());
    assert_eq!(status, 202, "{begun}");
    assert_eq!(row(&address, "split_part(payer, ' ', 1), length(payer)"), "token 70");
    let told = std::process::Command::new("kill").arg(first.child.id().to_string()).status();
    assert!(told.unwrap().success());
    assert!(first.child.wait().unwrap().success());
    let mut at = second.connect();
    let mut list = |who: &str| ask(&mut at, "GET", "/v1/records", who, "").0;
    until("who began the job has no time left", || (list(anna) == 429).then_some(()));
    // Nobody else pays for it.
    assert_eq!([list(bruno), list("")], [200, 200]);
    // Who pays is kept for as long as the job runs.
    let job = format!("/v1/simulations/{}", begun["id"].as_str().unwrap());
    assert_eq!(ask(&mut at, "DELETE", &job, bruno, "").0, 204);
    assert_eq!(row(&address, "state, payer"), "2");
}

#[test]
fn a_job_that_kills_its_servers_is_given_up_and_says_so() {
    let Some(address) = postgres::database("a job kills its servers") else { return };
    // One piece of it takes longer than any test, so nothing is ever found out.
    let meta = game().meta();
    let players: Value =
        meta.seats.iter().map(|it| ((*it).to_owned(), json!("search:20000"))).collect();
    let sent = json!({"game": meta.id, "games": 10_000, "players": players});
    let mut job = String::new();
    for attempt in 1..=3 {
        let mut server = start(&address, 1);
        if attempt == 1 {
            job = begin(&mut server.connect(), SERIES, &sent);
        }
        let taken = format!("state <> 0 OR attempts >= {attempt}");
        until("the job is taken", || (row(&address, &taken) == "t").then_some(()));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
    }
    let last = start(&address, 1);
    let mut at = last.connect();
    let shown = ended(&mut at, &job);
    assert_eq!(shown["state"], "failed", "{shown}");
    let detail = shown["problem"]["detail"].as_str().unwrap();
    assert!(detail.contains("given up because 3 servers"), "{detail}");
    assert_eq!(shown["problem"]["code"], "internal", "{shown}");
    // Whoever asks for it again has it tried again.
    assert_eq!(begin(&mut at, SERIES, &sent), job);
    assert_eq!(get(&mut at, &job)["state"], "running");
    assert_eq!(delete(&mut at, &job), 204);
}

fn new(number: u8, kind: JobKind) -> NewJob {
    NewJob {
        id: vec![number; 32],
        kind,
        version: "one".to_owned(),
        request: format!("{{\"number\":{number}}}"),
        payer: Some(format!("somebody {number}")),
        lease: true,
        most_running: 4,
        most_kept: 6,
    }
}

fn held(put: PutOutcome) -> Lease {
    match put {
        PutOutcome::Leased(lease) => lease,
        other => panic!("{other:?}"),
    }
}

/// Two owners of boards on one database, and its address.
fn boards(test: &str) -> Option<([std::sync::Arc<dyn JobBoard>; 2], String)> {
    let address = postgres::database(test)?;
    let board = || PostgresStore::open(&address).unwrap().jobs(Duration::from_secs(3600)).unwrap();
    Some(([board(), board()], address))
}

/// As if the time of all leases were over.
fn expire(address: &str) {
    postgres::ask(
        address,
        "UPDATE umpire.job SET lease_until = '-infinity', heartbeat = '-infinity'",
    )
    .unwrap();
}

#[test]
fn who_has_lost_a_lease_writes_nothing_any_more() {
    let Some(([one, two], address)) = boards("a lease is lost") else { return };
    let part = |number: u32, text: &str| JobUpdate {
        progress: Some(text.to_owned()),
        parts: vec![(number, text.to_owned())],
        end: None,
    };
    let first = held(one.put(new(1, JobKind::Analysis)).unwrap());
    assert!(one.save(&first, part(0, "nought")).unwrap());
    assert_eq!(two.take("one").unwrap(), None, "it is held");
    assert_eq!(one.beat(std::slice::from_ref(&first)).unwrap(), std::slice::from_ref(&first));
    expire(&address);
    // Nobody has taken it yet: its owner may go on.
    assert!(one.save(&first, part(1, "one")).unwrap());
    let taken = two.take("one").unwrap().unwrap();
    assert_eq!((taken.lease.number, taken.attempts), (2, 2));
    assert_eq!((taken.job.progress.as_deref(), taken.job.parts), (Some("one"), 2));
    assert_eq!(taken.job.request, "{\"number\":1}");
    // From here on the first one has nothing to say.
    assert!(!one.save(&first, part(2, "late")).unwrap());
    let late =
        JobUpdate { end: Some(JobEnd::Done(Some("late".to_owned()))), ..JobUpdate::default() };
    assert!(!one.save(&first, late.clone()).unwrap());
    assert_eq!(one.beat(std::slice::from_ref(&first)).unwrap(), []);
    one.give_back(std::slice::from_ref(&first)).unwrap();
    assert_eq!(
        one.take("one").unwrap(),
        None,
        "it was given back by somebody who does not hold it"
    );
    assert_eq!(one.numbers(&[1; 32]).unwrap(), [0, 1]);
    // A part that is there stays as it is.
    let again = JobUpdate {
        parts: vec![(1, "other".to_owned()), (3, "three".to_owned())],
        ..JobUpdate::default()
    };
    assert!(two.save(&taken.lease, again).unwrap());
    let parts = one.parts(&[1; 32], 1, 9).unwrap();
    assert_eq!(parts, [(1, "one".to_owned()), (3, "three".to_owned())]);
    let done =
        JobUpdate { end: Some(JobEnd::Done(Some("sum".to_owned()))), ..JobUpdate::default() };
    assert!(two.save(&taken.lease, done).unwrap());
    let shown = one.find(&[1; 32]).unwrap().unwrap();
    assert_eq!((shown.state, shown.result.as_deref()), (JobState::Done, Some("sum")));
    // What has ended is written by nobody, taken by nobody, and begun by nobody.
    assert!(!two.save(&taken.lease, late).unwrap());
    expire(&address);
    assert_eq!(one.take("one").unwrap(), None);
    assert_eq!(one.put(new(1, JobKind::Analysis)).unwrap(), PutOutcome::Exists);
    assert!(!one.cancel(&[1; 32]).unwrap() && one.forget(&[1; 32]).unwrap());
    assert_eq!(two.find(&[1; 32]).unwrap(), None);
    assert!(two.numbers(&[1; 32]).unwrap().is_empty());
}

#[test]
fn what_runs_is_bounded_over_all_servers_and_two_take_two() {
    let Some(([one, two], address)) = boards("jobs are bounded over all servers") else { return };
    for number in 1..=4 {
        let board = if number % 2 == 0 { &one } else { &two };
        let kind = if number % 2 == 0 { JobKind::Analysis } else { JobKind::Simulation };
        held(board.put(new(number, kind)).unwrap());
    }
    assert_eq!(one.put(new(5, JobKind::Simulation)).unwrap(), PutOutcome::Full);
    assert_eq!(two.put(new(5, JobKind::Analysis)).unwrap(), PutOutcome::Full);
    held(two.put(new(6, JobKind::Impact)).unwrap());
    // A row that somebody is just taking is passed over, not waited for.
    expire(&address);
    let locked = Locked::running(&address).unwrap();
    assert_eq!(one.take("one").unwrap(), None);
    locked.release();
    let mut taken: Vec<u8> = [&one, &two, &one, &two, &one]
        .iter()
        .map(|board| board.take("one").unwrap().unwrap().lease.id[0])
        .collect();
    assert_eq!(one.take("one").unwrap(), None);
    taken.sort_unstable();
    assert_eq!(taken, [1, 2, 3, 4, 6]);
    // Cancelled by anybody: there is room, and nothing is written.
    let hold = Lease { id: vec![1; 32], number: 2 };
    assert!(one.cancel(&[1; 32]).unwrap());
    assert!(!one.save(&hold, JobUpdate::default()).unwrap());
    assert!(!two.save(&hold, JobUpdate::default()).unwrap());
    let waits = NewJob { lease: false, ..new(5, JobKind::Simulation) };
    assert_eq!(one.put(waits).unwrap(), PutOutcome::Queued);
    let next = two.take("one").unwrap().unwrap();
    assert_eq!((next.lease.id[0], next.attempts), (5, 1));
    // Given back, it is taken at once, and that is no attempt.
    two.give_back(&[next.lease]).unwrap();
    let next = one.take("one").unwrap().unwrap();
    assert_eq!((next.lease.id[0], next.attempts), (5, 1));
    // Another version takes it only when nobody of its own has done so for a lease.
    one.give_back(&[next.lease]).unwrap();
    assert_eq!(two.take("two").unwrap(), None);
    expire(&address);
    assert_eq!(two.take("two").unwrap().unwrap().job.version, "one");
    // What has ended goes when there are too many, the least used first; what runs stays.
    for number in [1, 2, 3, 4, 5, 6] {
        one.cancel(&[number; 32]).unwrap();
    }
    for number in 10..15 {
        let hold = held(one.put(new(number, JobKind::Analysis)).unwrap());
        let end = Some(JobEnd::Failed("{}".to_owned()));
        assert!(one.save(&hold, JobUpdate { end, ..JobUpdate::default() }).unwrap());
    }
    held(one.put(new(15, JobKind::Simulation)).unwrap());
    let there = |number: u8| two.find(&[number; 32]).unwrap().is_some();
    assert!((1..=5).all(|number| !there(number)));
    assert!((10..=15).all(there) && there(6), "impacts are counted apart");
}
