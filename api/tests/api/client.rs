//! A real `umpire serve` in a process of its own, and a plain HTTP client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Nothing here waits longer than this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running service; killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(store: &Path, more: &[&str]) -> Self {
        Self::run(&mut Command::new(env!("CARGO_BIN_EXE_umpire")), store, more)
    }

    /// Started by a shell that sets limits first.
    pub(crate) fn limited(limits: &str, store: &Path, more: &[&str]) -> Self {
        let script = format!("{limits}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        Self::run(shell.args(["-c", &script, env!("CARGO_BIN_EXE_umpire")]), store, more)
    }

    /// Started with some variables of the environment.
    #[cfg(target_os = "linux")]
    pub(crate) fn within(variables: &[(&str, &Path)], store: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_umpire"));
        Self::run(command.envs(variables.iter().copied()), store, more)
    }

    fn run(command: &mut Command, store: &Path, more: &[&str]) -> Self {
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--workers", "2", "--store"])
            .arg(store)
            .args(more)
            .env("RUST_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().parse().unwrap();
        Server { child, address }
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.address).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection, used again and again.
pub(crate) struct Connection {
    pub(crate) reader: BufReader<TcpStream>,
}

/// Status and body of an answer.
pub(crate) type Answer = (u16, Vec<u8>);

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> std::io::Result<Self> {
        Self::of(TcpStream::connect(address)?)
    }

    /// Over a stream that is open.
    pub(crate) fn of(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Connection { reader: BufReader::new(stream) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.reader.get_mut().write_all(bytes)
    }

    pub(crate) fn post(&mut self, path: &str, body: &[u8]) -> std::io::Result<Answer> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut request = head.into_bytes();
        request.extend_from_slice(body);
        self.write(&request)?;
        self.answer()
    }

    /// Sends records, one a line; what comes of them is read with [`Connection::head`] and
    /// [`Connection::chunk`].
    pub(crate) fn post_lines(&mut self, path: &str, body: &[u8]) -> std::io::Result<()> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.write(&[head.as_bytes(), body].concat())
    }

    /// Status of the answer to a deletion.
    pub(crate) fn delete(&mut self, path: &str) -> std::io::Result<u16> {
        self.write(format!("DELETE {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes())?;
        Ok(self.answer()?.0)
    }

    /// All records, one a line.
    pub(crate) fn export(&mut self) -> std::io::Result<Answer> {
        let head =
            "GET /v1/records HTTP/1.1\r\nhost: localhost\r\naccept: application/x-ndjson\r\n\r\n";
        self.write(head.as_bytes())?;
        self.answer()
    }

    pub(crate) fn get(&mut self, path: &str) -> std::io::Result<Answer> {
        self.write(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes())?;
        self.answer()
    }

    /// Status and length of the body; no length where it comes in chunks.
    pub(crate) fn head(&mut self) -> std::io::Result<(u16, Option<usize>)> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| std::io::Error::other(format!("no status: {line:?}")))?;
        let mut length = None;
        loop {
            line.clear();
            self.reader.read_line(&mut line)?;
            match line.trim().split_once(':') {
                None => return Ok((status, length)),
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok();
                }
                Some(_) => {}
            }
        }
    }

    /// The next chunk of a body in chunks; empty at its end.
    pub(crate) fn chunk(&mut self) -> std::io::Result<Vec<u8>> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk)?;
        chunk.truncate(length);
        Ok(chunk)
    }

    pub(crate) fn answer(&mut self) -> std::io::Result<Answer> {
        let (status, length) = self.head()?;
        let mut body = Vec::new();
        match length {
            Some(length) => {
                body.resize(length, 0);
                self.reader.read_exact(&mut body)?;
            }
            None if status == 204 => {}
            None => loop {
                let chunk = self.chunk()?;
                if chunk.is_empty() {
                    break;
                }
                body.extend(chunk);
            },
        }
        Ok((status, body))
    }
}
