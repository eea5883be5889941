//! Several servers on one database.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;

use serde_json::{Value, json};
use umpire_api::store::postgres::PostgresStore;
use umpire_api::store::{Filter, Store};

use crate::app::{game, numbered};
use crate::cli::{code, error, umpire};
use crate::client::{Connection, Server};
use crate::postgres;

/// An answer of a server to a request with some headers.
pub(crate) fn ask(
    at: &mut Connection,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, Value) {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    at.write(request.as_bytes()).unwrap();
    let (status, body) = at.answer().unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// A live table: its path, the token of its host, and that of each seat.
pub(crate) struct Made {
    path: String,
    host: String,
}

pub(crate) fn make(at: &mut Connection) -> Made {
    let body = json!({"game": game().meta().id, "chance": {"seed": "several"}}).to_string();
    let (status, made) = ask(at, "POST", "/v1/tables", "", &body);
    assert_eq!(status, 201, "{made}");
    let path = format!("/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    Made { path, host: made["host"].as_str().unwrap().to_owned() }
}

impl Made {
    fn token(&self) -> String {
        format!("authorization: Bearer {}\r\n", self.host)
    }

    /// The table, as the host sees it.
    fn look(&self, at: &mut Connection) -> Value {
        let (status, table) = ask(at, "GET", &self.path, &self.token(), "");
        assert_eq!(status, 200, "{table}");
        table
    }

    /// Some legal action, and the version that it is meant for.
    pub(crate) fn legal(&self, at: &mut Connection) -> (Value, String) {
        let path = format!("{}?include=legal", self.path);
        let (_, table) = ask(at, "GET", &path, &self.token(), "");
        let choices = table["legal"]["choices"].as_array().unwrap();
        let action = choices.iter().find_map(|choice| choice["actions"].get(0)).unwrap();
        (action.clone(), table["version"].as_str().unwrap().to_owned())
    }

    pub(crate) fn act(
        &self,
        at: &mut Connection,
        action: &Value,
        version: &str,
        key: &str,
    ) -> (u16, Value) {
        let headers =
            format!("{}if-match: \"{version}\"\r\nidempotency-key: {key}\r\n", self.token());
        ask(
            at,
            "POST",
            &format!("{}/actions", self.path),
            &headers,
            &json!({"action": action}).to_string(),
        )
    }

    /// Begins to watch, after an event if one is named.
    fn watch(&self, at: &mut Connection, last: Option<&str>) {
        let last = last.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "GET {}/stream HTTP/1.1\r\nhost: localhost\r\n{}{last}\r\n",
            self.path,
            self.token()
        );
        at.write(request.as_bytes()).unwrap();
        let (status, _) = at.head().unwrap();
        assert_eq!(status, 200);
    }
}

/// The next event of a stream: its id, what it is called, and its data.
fn event(at: &mut Connection) -> (String, String, Value) {
    loop {
        let chunk = String::from_utf8(at.chunk().unwrap()).unwrap();
        let field = |name: &str| {
            chunk.lines().find_map(|line| line.strip_prefix(name)).map(|it| it.trim().to_owned())
        };
        if let (Some(id), Some(name), Some(data)) = (field("id:"), field("event:"), field("data:"))
        {
            return (id, name, serde_json::from_str(&data).unwrap());
        }
        assert!(chunk.is_empty() || chunk.starts_with(':') || chunk.trim().is_empty(), "{chunk}");
    }
}

fn start(address: &str) -> Server {
    Server::start(Path::new(address), &[])
}

#[test]
fn what_one_server_acknowledged_the_other_has_and_goes_on_with() {
    let Some(address) = postgres::database("two servers: one is killed") else { return };
    let (mut first, second) = (start(&address), start(&address));
    let mut kept: BTreeSet<String> = BTreeSet::new();
    let submit = |at: &mut Connection, number: usize| {
        let (status, body) =
            at.post("/v1/records", numbered(number).to_string().as_bytes()).ok()?;
        let receipt: Value = serde_json::from_slice(&body).ok()?;
        [200, 201].contains(&status).then(|| receipt["id"].as_str().unwrap().to_owned())
    };
    let mut at = [first.connect(), second.connect()];
    for number in 0..40 {
        kept.insert(submit(&mut at[number % 2], number).unwrap());
        // At once found by the other one.
        let id = kept.iter().next_back().unwrap();
        assert_eq!(
            ask(&mut at[(number + 1) % 2], "GET", &format!("/v1/records/{id}"), "", "").0,
            200
        );
    }
    // The same record from both at once: it is stored once.
    let news: Vec<u16> = std::thread::scope(|scope| {
        let sending = [&first, &second].map(|server| {
            scope.spawn(|| {
                let mut at = server.connect();
                (100..120)
                    .map(|number| {
                        at.post("/v1/records", numbered(number).to_string().as_bytes()).unwrap().0
                    })
                    .collect::<Vec<_>>()
            })
        });
        sending.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(news.iter().filter(|status| **status == 201).count(), 20, "{news:?}");
    // One is killed while it stores; what it acknowledged is there, and the other goes on.
    let acknowledged = std::thread::scope(|scope| {
        let (told, heard) = std::sync::mpsc::channel();
        for thread in 0..4 {
            let (told, mut at) = (told.clone(), first.connect());
            scope.spawn(move || {
                let all = (0..5_000).map(|step| submit(&mut at, 1_000 + thread * 10_000 + step));
                all.map_while(|id| id).try_for_each(|id| told.send(id))
            });
        }
        drop(told);
        let mut found: Vec<String> = heard.iter().take(8).collect();
        let mut at = second.connect();
        for number in 200..230 {
            submit(&mut at, number).unwrap();
        }
        first.child.kill().unwrap();
        found.extend(heard);
        for number in 230..240 {
            submit(&mut at, number).unwrap();
        }
        found
    });
    assert!(acknowledged.len() >= 8);
    let store = PostgresStore::open(&address).unwrap();
    for id in acknowledged.iter().chain(&kept) {
        let stored =
            store.find(&id.parse().unwrap()).unwrap().expect("a record that was acknowledged");
        assert_eq!(blake3::hash(stored.record.as_bytes()).to_hex().as_str(), id);
    }
    // Of what was not acknowledged at most one of each connection was kept all the same.
    let count = store.count(&Filter::default()).unwrap() as usize;
    let sure = acknowledged.len() + kept.len() + 20 + 40;
    assert!((sure..=sure + 4).contains(&count), "{sure} {count}");
}

#[test]
fn a_table_is_played_through_both_and_a_stream_goes_on_at_the_other() {
    let Some(address) = postgres::database("two servers: a table, and its stream") else { return };
    let (mut first, second) = (start(&address), start(&address));
    let (mut one, mut two) = (first.connect(), second.connect());
    let table = make(&mut one);
    assert_eq!(table.look(&mut two)["version"], "0");
    let (mut near, mut far) = (first.connect(), second.connect());
    for stream in [&mut near, &mut far] {
        table.watch(stream, None);
        assert_eq!(event(stream).1, "table");
    }
    let mut ids = Vec::new();
    for step in 0..12 {
        // In turns through one and the other; who watches anywhere is told everything, in order and alike.
        let (from, other) = if step % 2 == 0 { (&mut one, &mut two) } else { (&mut two, &mut one) };
        let (action, version) = table.legal(from);
        let (status, taken) = table.act(from, &action, &version, &format!("key-{step}"));
        assert_eq!(status, 200, "{taken}");
        // The same request again, to the other server, is answered and not taken twice.
        let (status, again) = table.act(other, &action, &version, &format!("key-{step}"));
        assert_eq!((status, &again["version"]), (200, &taken["version"]), "{again}");
        assert_eq!(table.act(other, &action, "0", "late").0, 412);
        let [near, far] = [event(&mut near), event(&mut far)];
        assert_eq!(near, far);
        assert_eq!(near.0, taken["version"].as_str().unwrap());
        ids.push(near.0);
    }
    // The first is killed; whoever watched it goes on at the other from the last event that came.
    first.child.kill().unwrap();
    let _ = first.child.wait();
    while near.reader.read_line(&mut String::new()).is_ok_and(|read| read > 0) {}
    for _ in 0..2 {
        let (action, version) = table.legal(&mut two);
        assert_eq!(table.act(&mut two, &action, &version, &format!("after-{version}")).0, 200);
    }
    let mut again = second.connect();
    table.watch(&mut again, ids.last().map(String::as_str));
    let (id, name, missed) = event(&mut again);
    assert_eq!((name.as_str(), id.as_str()), ("step", "14"), "{missed}");
    // Nothing of it was lost: a server that begins now has the same table.
    let third = start(&address);
    assert_eq!(table.look(&mut third.connect()), table.look(&mut two));
}

/// Both act at once for the same moment: one is taken, the other is told that the table has moved on.
#[test]
fn of_two_who_act_at_once_through_two_servers_one_is_first() {
    let Some(address) = postgres::database("two servers: at once") else { return };
    let (first, second) = (start(&address), start(&address));
    let mut one = first.connect();
    let table = make(&mut one);
    for round in 0..10 {
        let (action, version) = table.legal(&mut one);
        let same = round % 2 == 0;
        let mut answers: Vec<u16> = std::thread::scope(|scope| {
            let acting = [(&first, "a"), (&second, "b")].map(|(server, name)| {
                let key = if same { format!("k{round}") } else { format!("{name}{round}") };
                let (table, action, version) = (&table, &action, &version);
                scope.spawn(move || table.act(&mut server.connect(), action, version, &key).0)
            });
            acting.into_iter().map(|it| it.join().unwrap()).collect()
        });
        answers.sort_unstable();
        // With the same key it is the same request, and both are answered.
        assert_eq!(answers, if same { [200, 200] } else { [200, 412] }, "round {round}");
        assert_eq!(table.look(&mut one)["version"], (round + 1).to_string());
    }
}

/// A table that is removed by one server ends for those who watch it at another.
#[test]
fn a_table_that_is_removed_ends_everywhere() {
    let Some(address) = postgres::database("two servers: removed") else { return };
    let (first, second) = (start(&address), start(&address));
    let (mut one, mut two) = (first.connect(), second.connect());
    let table = make(&mut one);
    table.watch(&mut two, None);
    assert_eq!(event(&mut two).1, "table");
    let request =
        format!("DELETE {} HTTP/1.1\r\nhost: localhost\r\n{}\r\n", table.path, table.token());
    one.write(request.as_bytes()).unwrap();
    assert_eq!(one.head().unwrap().0, 204);
    let end = String::from_utf8(two.chunk().unwrap()).unwrap();
    assert!(end.starts_with("event: end"), "{end}");
    let (status, _) = ask(&mut second.connect(), "GET", &table.path, &table.token(), "");
    assert_eq!(status, 404);
}

/// Commands for files say what serves for a database, and do not show its password.
#[test]
fn commands_for_files_refuse_a_database() {
    let address = "postgres://anna:secret@127.0.0.1:1/games";
    for (command, instead) in [
        (vec!["backup", address, "to.sqlite"], "pg_dump"),
        (vec!["check", address], "pg_amcheck"),
        (vec!["salvage", address, "to.sqlite"], "pg_dump"),
        (vec!["restore", "from.sqlite", address], "pg_restore"),
        (vec!["serve", "--store", address], "127.0.0.1:1/games"),
    ] {
        let answer = umpire(&command, "");
        let said = error(&answer);
        assert_eq!(code(&answer), 2, "{said}");
        assert!(said.contains(instead) && !said.contains("secret"), "{said}");
    }
}
