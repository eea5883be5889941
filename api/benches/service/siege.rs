//! How long a player waits while others attack: to read a stored record, and to take an action at a live table.
//!
//! Each attack comes from two addresses against a fresh server, for some seconds, and asks as fast as it is answered. Printed
//! are the times of the player, how often he was refused, the most memory that the server had, and how busy it still is half a
//! second after the attackers have hung up. All of them share the machine with the server, so the times include their work.
//! Linux only: the addresses are those of the loopback network. `cargo bench -p umpire-api -- siege [NAME]`.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpSocket;
use umpire_engine::games::GAMES;

use crate::client::{Answer, Connection, Server};
use crate::crowd::{crowd, many_worlds};
use crate::http::percentile;
use crate::tables::games;

const LASTS: Duration = Duration::from_secs(12);
/// Between two requests of the player.
const PAUSE: Duration = Duration::from_millis(10);
const PLAYER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 4);
const ATTACKERS: [Ipv4Addr; 2] = [Ipv4Addr::new(127, 0, 0, 2), Ipv4Addr::new(127, 0, 0, 3)];

/// Somebody at an address, who keeps one connection as long as it lasts.
struct Caller {
    from: Ipv4Addr,
    server: SocketAddr,
    connection: Option<Connection>,
    /// Connections that he holds and does not use.
    held: Vec<Connection>,
}

impl Caller {
    fn new(from: Ipv4Addr, server: SocketAddr) -> Self {
        Caller { from, server, connection: None, held: Vec::new() }
    }

    fn connect(&self) -> io::Result<Connection> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::new(self.from.into(), 0))?;
            socket.connect(self.server).await
        })?;
        let connection = Connection::of(stream.into_std()?)?;
        // A caller who is not answered by then hangs up.
        connection.reader.get_ref().set_read_timeout(Some(LASTS))?;
        Ok(connection)
    }

    /// Sends a request with a body of JSON, over the connection that he has or a new one.
    fn send(&mut self, method: &str, path: &str, more: &str, body: &str) -> io::Result<()> {
        if self.connection.is_none() {
            self.connection = Some(self.connect()?);
        }
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{more}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.connection.as_mut().expect("it was made").write(head.as_bytes())
    }

    fn ask(&mut self, method: &str, path: &str, more: &str, body: &str) -> io::Result<Answer> {
        let sent = self.send(method, path, more, body);
        let answer = sent.and_then(|()| self.connection.as_mut().expect("it was made").answer());
        if answer.is_err() {
            self.connection = None;
        }
        answer
    }

    fn post(&mut self, path: &str, body: &str) -> io::Result<Answer> {
        self.ask("POST", path, "", body)
    }

    fn get(&mut self, path: &str, more: &str) -> io::Result<Answer> {
        self.ask("GET", path, more, "")
    }

    /// Opens a stream, which he holds and never reads.
    fn stream(&mut self, path: &str) -> io::Result<bool> {
        let mut connection = self.connect()?;
        let ask = format!("GET {path}/stream HTTP/1.1\r\nhost: localhost\r\n\r\n");
        connection.write(ask.as_bytes())?;
        let open = connection.head()?.0 == 200;
        if open {
            self.held.push(connection);
        }
        Ok(open)
    }
}

/// A table with the tokens of all its seats.
struct Table {
    path: String,
    host: String,
    seats: Value,
}

impl Table {
    fn new(caller: &mut Caller, request: &Value) -> io::Result<Self> {
        let (status, made) = caller.post("/v1/tables", &request.to_string())?;
        if status != 201 {
            return Err(io::Error::other(format!("no table: {status}")));
        }
        let made: Value = serde_json::from_slice(&made)?;
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Ok(Table {
            path: format!("/v1/tables/{}", text(&made["table"]["id"])),
            host: text(&made["host"]),
            seats: made["seats"].clone(),
        })
    }

    fn delete(&self, caller: &mut Caller) -> io::Result<Answer> {
        caller.ask("DELETE", &self.path, &format!("authorization: Bearer {}\r\n", self.host), "")
    }
}

/// A recorded game that is played at tables, again and again.
struct Play {
    record: Value,
    at: Option<(Table, usize)>,
    /// Blanks within each action.
    blanks: usize,
}

impl Play {
    fn new(blanks: usize) -> Self {
        Play { record: seeded(0), at: None, blanks }
    }

    /// Takes the next action; gives what it was answered and after what time.
    fn act(&mut self, caller: &mut Caller) -> io::Result<(u16, Duration)> {
        let actions = self.record["actions"].as_array().expect("actions");
        let (table, ply) = match self.at.take() {
            Some((table, ply)) if ply < actions.len() => (table, ply),
            _ => (Table::new(caller, &opening(&self.record))?, 0),
        };
        let action = &actions[ply];
        let seat = action["player"].as_str().expect("a seat acts");
        let token = table.seats[seat].as_str().expect("a token");
        let head = format!("authorization: Bearer {token}\r\nif-match: \"{ply}\"\r\n");
        let body = format!("{{\"action\": {action}{}}}", " ".repeat(self.blanks));
        let asked = Instant::now();
        let (status, _) = caller.ask("POST", &format!("{}/actions", table.path), &head, &body)?;
        let took = asked.elapsed();
        self.at = Some((table, ply + usize::from(status == 200)));
        Ok((status, took))
    }
}

/// What a table is made of to play a record.
fn opening(record: &Value) -> Value {
    let mut request = json!({});
    for field in ["game", "options", "chance", "position"] {
        if !record[field].is_null() {
            request[field] = record[field].clone();
        }
    }
    request
}

/// One attacker's next request.
type Blow = Box<dyn FnMut(&mut Caller) -> io::Result<()> + Send>;

struct Attack {
    name: &'static str,
    /// Connections of each address.
    callers: usize,
    /// What each of them does, given what is stored: a record of 4 MB and a large table.
    blow: fn(&Target, usize) -> Blow,
}

/// What is there to be attacked.
struct Target {
    large_record: String,
    large_table: String,
}

/// The game with a crowd.
fn crowded<T>(make: impl Fn(&str) -> Option<T>) -> T {
    GAMES.iter().find_map(|game| make(game.meta().id)).expect("a game with a crowd")
}

/// A whole game; games take turns.
fn seeded(number: usize) -> Value {
    let mut games = games();
    games.swap_remove(number % games.len()).1
}

/// Who acts in a game.
fn seats(record: &Value) -> BTreeSet<&str> {
    let actions = record["actions"].as_array().expect("actions");
    actions.iter().filter_map(|action| action["player"].as_str()).collect()
}

/// Sends the same request again and again.
fn again(path: &'static str, body: String) -> Blow {
    Box::new(move |caller| caller.post(path, &body).map(drop))
}

const ATTACKS: &[Attack] = &[
    Attack {
        name: "large-tables",
        callers: 8,
        blow: |_, _| {
            let mut request = opening(&crowded(|id| crowd(id, 2000)));
            request["meta"] = json!({"note": "n".repeat(15 << 10)});
            Box::new(move |caller| {
                let table = Table::new(caller, &request)?;
                if caller.held.len() < 20 {
                    caller.stream(&table.path)?;
                }
                Ok(())
            })
        },
    },
    Attack {
        name: "targets",
        callers: 12,
        blow: |_, _| again("/v1/scene?targets=true", crowded(|id| crowd(id, 200)).to_string()),
    },
    Attack {
        name: "programs",
        callers: 4,
        blow: |_, _| {
            let record = seeded(0);
            let mut request = opening(&record);
            for seat in seats(&record) {
                request["players"][seat] = json!({"search": 20_000});
            }
            Box::new(move |caller| {
                let table = Table::new(caller, &request)?;
                thread::sleep(20 * PAUSE);
                table.delete(caller).map(drop)
            })
        },
    },
    Attack {
        name: "hints",
        callers: 3,
        blow: |_, number| {
            let mut record = seeded(number);
            record["actions"].as_array_mut().expect("actions").truncate(8);
            record.as_object_mut().expect("a record").remove("claims");
            again("/v1/hint", json!({"record": record, "simulations": 20_000}).to_string())
        },
    },
    Attack {
        name: "worlds",
        callers: 4,
        blow: |_, _| again("/v1/validate", crowded(|id| many_worlds(id, 4000)).to_string()),
    },
    Attack {
        name: "worlds-in-lines",
        callers: 4,
        blow: |_, _| {
            // Few enough that all of it has arrived: an end behind bytes that nobody takes cannot be seen.
            let line = format!("{}\n", crowded(|id| many_worlds(id, 1000)));
            Box::new(move |caller| {
                let mut connection = caller.connect()?;
                connection.post_lines("/v1/validate", line.repeat(3).as_bytes())?;
                connection.answer().map(drop)
            })
        },
    },
    Attack {
        name: "streams",
        callers: 4,
        blow: |target, _| {
            let path = target.large_table.clone();
            Box::new(move |caller| {
                if !caller.stream(&path)? {
                    thread::sleep(Duration::from_millis(50));
                }
                Ok(())
            })
        },
    },
    Attack {
        name: "compressed",
        callers: 16,
        blow: |target, _| {
            let path = target.large_record.clone();
            Box::new(move |caller| caller.get(&path, "accept-encoding: zstd\r\n").map(drop))
        },
    },
    Attack {
        name: "brotli",
        callers: 16,
        blow: |target, _| {
            let path = target.large_record.clone();
            Box::new(move |caller| {
                caller.get(&path, "accept-encoding: br, gzip;q=0.5\r\n").map(drop)
            })
        },
    },
    Attack {
        name: "states",
        callers: 8,
        blow: |_, number| again("/v1/replay?include=states", seeded(number).to_string()),
    },
    Attack {
        name: "blanks",
        callers: 4,
        blow: |_, _| {
            let mut play = Play::new(3_900_000);
            Box::new(move |caller| play.act(caller).map(drop))
        },
    },
    Attack {
        name: "hang-ups",
        callers: 8,
        blow: |_, _| {
            let request = opening(&crowded(|id| crowd(id, 200))).to_string();
            Box::new(move |caller| {
                caller.send("POST", "/v1/tables", "", &request)?;
                caller.connection = None;
                thread::sleep(2 * PAUSE);
                Ok(())
            })
        },
    },
    Attack {
        name: "come-and-go",
        callers: 8,
        blow: |target, _| {
            let path = target.large_table.clone();
            Box::new(move |caller| {
                caller.stream(&path)?;
                caller.held.clear();
                Ok(())
            })
        },
    },
    Attack {
        name: "analyses",
        callers: 8,
        blow: |_, number| {
            let record = seeded(0);
            let mut seed = number << 20;
            Box::new(move |caller| {
                seed += 1;
                let ask =
                    json!({"record": record, "simulations": 20_000, "seed": seed.to_string()});
                caller.post("/v1/analyses", &ask.to_string()).map(drop)
            })
        },
    },
];

/// Measures this part: all attacks, or the one that is named.
pub(crate) fn measure(named: Option<&str>) {
    println!("nobody else:");
    siege(None);
    for attack in ATTACKS.iter().filter(|it| named.is_none_or(|name| name == it.name)) {
        println!("{}: {} connections of each of two addresses", attack.name, attack.callers);
        siege(Some(attack));
    }
}

/// A fresh server, its player, and an attack.
fn siege(attack: Option<&Attack>) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let server = Server::start(&folder.path().join("bench.sqlite"), &[]);
    let target = target(&server);
    let over = AtomicBool::new(false);
    let (done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for number in 0..attack.map_or(0, |attack| attack.callers * ATTACKERS.len()) {
            let blow = attack.expect("there is one").blow;
            let (target, over, done, failed) = (&target, &over, &done, &failed);
            let mut caller = Caller::new(ATTACKERS[number % ATTACKERS.len()], server.address);
            scope.spawn(move || {
                let mut blow = blow(target, number);
                while !over.load(Ordering::Relaxed) {
                    let count = if blow(&mut caller).is_ok() { done } else { failed };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        play(&server);
        over.store(true, Ordering::Relaxed);
    });
    println!("  {} blows, {} of them cut off", done.into_inner(), failed.into_inner());
    after(&server);
}

/// Stores what is attacked.
fn target(server: &Server) -> Target {
    let mut caller = Caller::new(ATTACKERS[0], server.address);
    let mut record = seeded(0);
    record["meta"] = json!({"story": "and so on ".repeat(400_000)});
    let (_, receipt) = caller.post("/v1/records", &record.to_string()).expect("it answers");
    let receipt: Value = serde_json::from_slice(&receipt).expect("a receipt");
    let table = Table::new(&mut caller, &opening(&crowded(|id| crowd(id, 2000))));
    Target {
        large_record: format!("/v1/records/{}", receipt["id"].as_str().expect("an id")),
        large_table: table.expect("a table is made").path,
    }
}

/// Reads a record and plays at tables for a while, and says what it was like.
fn play(server: &Server) {
    let mut caller = Caller::new(PLAYER, server.address);
    let mut game = Play::new(0);
    let small = seeded(0).to_string();
    let (_, receipt) = caller.post("/v1/records", &small).expect("it answers");
    let receipt: Value = serde_json::from_slice(&receipt).expect("a receipt");
    let path = format!("/v1/records/{}", receipt["id"].as_str().expect("an id"));
    let (mut reads, mut actions, mut refused) = (Vec::new(), Vec::new(), 0);
    let begun = Instant::now();
    while begun.elapsed() < LASTS {
        let asked = Instant::now();
        match caller.get(&path, "") {
            Ok((200, _)) => reads.push(asked.elapsed()),
            _ => refused += 1,
        }
        thread::sleep(PAUSE);
        match game.act(&mut caller) {
            Ok((200, took)) => actions.push(took),
            _ => refused += 1,
        }
        thread::sleep(PAUSE);
    }
    for (name, mut times) in [("GET /v1/records/{id}", reads), ("an action at a table", actions)] {
        let [half, most, all] = [0.5, 0.99, 1.0].map(|part| percentile(&mut times, part));
        println!("  {name}: p50 {half:.1?}, p99 {most:.1?}, slowest {all:.1?} of {}", times.len());
    }
    println!("  refused: {refused}");
}

/// What is left of an attack: the most memory there was, and the work that goes on.
fn after(server: &Server) {
    const WATCHED: Duration = Duration::from_secs(2);
    let read = |name| {
        let path = format!("/proc/{}/{name}", server.child.id());
        std::fs::read_to_string(path).expect("Linux tells of its processes")
    };
    thread::sleep(Duration::from_millis(500));
    let used = || {
        let text = read("stat");
        let fields: Vec<&str> = text.rsplit(") ").next().expect("fields").split(' ').collect();
        let ticks = |at: usize| fields[at].parse::<f64>().expect("ticks");
        // User and system time, in hundredths of a second.
        ticks(11) + ticks(12)
    };
    let before = used();
    thread::sleep(WATCHED);
    let busy = (used() - before) / WATCHED.as_secs_f64();
    let status = read("status");
    let memory = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a size");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("kB") >> 10
    };
    let (most, now) = (memory("VmHWM:"), memory("VmRSS:"));
    println!("  memory: at most {most} MiB, then {now} MiB; busy 0.5 s later: {busy:.0} %");
}
