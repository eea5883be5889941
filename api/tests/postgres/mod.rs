//! A real PostgreSQL server, started from the binaries of the machine in a folder and on a port of its own.
//!
//! Where there are none, a test that asks for a database says so, and is left out; but not where `CI` is set. The server
//! ends with the process that started it, however that ends.

#![allow(dead_code, unreachable_pub)]

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// A server.
pub struct Server {
    pub port: u16,
    /// Its end is the end of the server.
    _alive: ChildStdin,
}

static SERVER: OnceLock<Server> = OnceLock::new();

static COUNT: AtomicU32 = AtomicU32::new(0);

/// The address of a new and empty database; none where there is no server, which is said.
pub fn database(test: &str) -> Option<String> {
    let bin = installed(test)?;
    Some(SERVER.get_or_init(|| Server::start(&bin, &[])).database())
}

/// The binaries for a test; none where there are none, which is said.
pub fn installed(test: &str) -> Option<PathBuf> {
    let bin = bin();
    if bin.is_none() {
        assert!(std::env::var_os("CI").is_none(), "PostgreSQL must be installed where CI is set");
        // Not by `eprintln!`, which nobody sees of a test that passes.
        let _ = writeln!(std::io::stderr(), "left out, as PostgreSQL is not installed: {test}");
    }
    bin
}

/// The binaries of PostgreSQL, where there are any.
pub fn bin() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    folders.extend(debian.map(|version| version.path().join("bin")));
    folders
        .into_iter()
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Whom the server runs as: it refuses the superuser.
#[cfg(unix)]
fn user() -> Option<(u32, u32)> {
    let own = std::fs::metadata("/proc/self").ok()?;
    if std::os::unix::fs::MetadataExt::uid(&own) != 0 {
        return None;
    }
    let all = std::fs::read_to_string("/etc/passwd").unwrap();
    let named = |name: &str| {
        let line = all.lines().find(|line| line.starts_with(&format!("{name}:")))?;
        let mut fields = line.split(':').skip(2).map(|field| field.parse::<u32>());
        Some((fields.next()?.ok()?, fields.next()?.ok()?))
    };
    Some(named("postgres").or_else(|| named("nobody")).expect("somebody to run the server as"))
}

#[cfg(not(unix))]
fn user() -> Option<(u32, u32)> {
    None
}

/// Makes a folder and the files in it those of whom the server runs as, and nobody else's.
pub fn give(folder: &Path) {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    for path in files.chain([folder.to_owned()]) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, chown};
            let mode = if path.is_dir() { 0o700 } else { 0o600 };
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            if let Some((user, group)) = user() {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
    }
}

fn as_user(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    if let Some((user, group)) = user() {
        use std::os::unix::process::CommandExt;
        command.uid(user).gid(group);
    }
    command.current_dir("/")
}

impl Server {
    /// Makes a server with these settings (`name=value`).
    pub fn start(bin: &Path, settings: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("umpire-postgres-").tempdir().unwrap().keep();
        #[cfg(unix)]
        if let Some((user, group)) = user() {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        let data = folder.join("data");
        let made = as_user(&mut Command::new(bin.join("initdb")))
            .arg("-D")
            .arg(&data)
            .args(["-U", "umpire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        for _ in 0..10 {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // It ends, and its folder goes, when nothing more can come from the process that started it.
            let script = "\"$@\" & pid=$!; read -r line; kill -QUIT $pid; wait $pid; rm -rf \"$0\"";
            let mut command = Command::new("sh");
            as_user(&mut command).args(["-c", script]).arg(&folder).arg(bin.join("postgres"));
            command.arg("-D").arg(&data);
            let port_setting = format!("port={port}");
            let usual =
                ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
            // No test takes the power away.
            let quick = ["fsync=off", "full_page_writes=off", "log_min_messages=error"];
            for setting in [&usual[..], &quick, &[port_setting.as_str()], settings].concat() {
                command.args(["-c", setting]);
            }
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let alive = child.stdin.take().unwrap();
            thread::spawn(move || child.wait());
            let server = Server { port, _alive: alive };
            for _ in 0..200 {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() && server.answers() {
                    return server;
                }
                thread::sleep(Duration::from_millis(50));
            }
        }
        panic!("PostgreSQL does not start");
    }

    fn answers(&self) -> bool {
        self.ask("postgres", "SELECT 1").is_ok()
    }

    /// The address of a database.
    pub fn address(&self, database: &str) -> String {
        format!("postgres://umpire@127.0.0.1:{}/{database}", self.port)
    }

    /// The address of a new and empty database.
    pub fn database(&self) -> String {
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}")).unwrap();
        self.address(&name)
    }

    fn ask(&self, database: &str, text: &str) -> Result<(), tokio_postgres::Error> {
        ask(&self.address(database), text).map(drop)
    }
}

/// Does something that the store never would.
pub fn ask(address: &str, text: &str) -> Result<Vec<String>, tokio_postgres::Error> {
    let asked = async {
        let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await?;
        let connection = tokio::spawn(connection);
        let answer = client.simple_query(text).await;
        drop(client);
        let _ = connection.await;
        let row = |message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => {
                Some(row.get(0).unwrap_or_default().to_owned())
            }
            _ => None,
        };
        Ok(answer?.into_iter().filter_map(row).collect())
    };
    // On a thread of its own, so that it can be asked from anywhere.
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(asked)
    };
    thread::scope(|scope| scope.spawn(run).join().unwrap())
}
