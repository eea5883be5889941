//! Open connections: how many are allowed, and which one is closed when there are too many.
//!
//! When the server is full, a new connection closes the one that has been idle longest or, if
//! none is idle, the oldest stream of the peer with the most. So nobody can lock others out by
//! holding connections open. A single peer may use only part of the room, and half of that for
//! streams. This module must not know the protocol spoken over a connection.

use std::collections::{BTreeMap, HashMap};
use std::net::Shutdown;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use socket2::{SockRef, Socket};
use tokio::net::TcpStream;

use crate::http::peer::Peer;

/// Descriptors reserved for everything but connections: the store and its readers, the log,
/// listeners, the runtime.
const RESERVED: u64 = 128;

/// The maximum number of connections, regardless of how many descriptors there are.
const MOST: u64 = 20_000;

/// The open connections of a server.
#[derive(Debug)]
pub struct Connections {
    room: usize,
    of_one: usize,
    /// How long a peer may accept no data before its connection is closed.
    patience: Duration,
    live: Mutex<ConnectionTable>,
}

/// A logical clock: moments are counted, not measured.
type Tick = u64;

/// A connection is identified by the moment at which it was opened.
type Name = Tick;

#[derive(Debug, Default)]
struct ConnectionTable {
    now: Tick,
    open: HashMap<Name, OpenConnection>,
    /// The idle connections, by the moment at which they became idle.
    idle: BTreeMap<Tick, Name>,
    peers: HashMap<Peer, PeerConnections>,
    shed: u64,
}

#[derive(Debug)]
struct OpenConnection {
    peer: Peer,
    /// A second handle of the connection, for closing it.
    socket: Socket,
    /// The number of requests in progress.
    running: u32,
    /// The moment at which it became idle, if it is.
    since: Tick,
    /// The moment at which its stream began, if it carries one.
    stream: Option<Tick>,
}

/// The connections of one peer.
#[derive(Debug, Default)]
struct PeerConnections {
    open: usize,
    idle: BTreeMap<Tick, Name>,
    streams: BTreeMap<Tick, Name>,
}

impl PeerConnections {
    /// Its connection that is closed first to make room for another one.
    fn least(&self, new: Name) -> Option<Name> {
        let idle = self.idle.values().find(|name| **name != new);
        idle.or_else(|| self.streams.values().next()).copied()
    }
}

impl Connections {
    /// Room for `most` connections; by default for as many as the process has descriptors for, two
    /// each. A single peer may have `of_one` of them, half of the room by default.
    pub fn new(most: Option<usize>, of_one: Option<usize>, patience: Duration) -> Self {
        let descriptors = descriptors().saturating_sub(RESERVED) / 2;
        let room = usize::try_from(descriptors.clamp(8, MOST)).unwrap_or(usize::MAX);
        let room = most.map_or(room, |most| most.min(room)).max(2);
        let of_one = of_one.unwrap_or(room.div_ceil(2)).clamp(1, room);
        Connections { room, of_one, patience, live: Mutex::default() }
    }

    /// The maximum number of connections.
    pub fn room(&self) -> usize {
        self.room
    }

    /// How many connections are open, and how many were closed to make room.
    pub fn count(&self) -> (usize, u64) {
        let live = self.live();
        (live.open.len(), live.shed)
    }

    /// Registers a connection, and closes another one if there is no room.
    ///
    /// # Errors
    /// The connection is already lost, or there are no more descriptors.
    pub fn admit(self: &Arc<Self>, stream: &TcpStream) -> std::io::Result<Connection> {
        let peer = Peer::of(Some(stream.peer_addr()?));
        let socket = SockRef::from(stream);
        // Send a small response at once instead of waiting for an acknowledgement.
        socket.set_tcp_nodelay(true)?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(self.patience))?;
        let socket = socket.try_clone()?;
        let mut live = self.live();
        let name = live.open(peer, socket);
        while live.peers.get(&peer).is_some_and(|held| held.open > self.of_one) {
            let Some(least) = live.peers[&peer].least(name) else {
                // No other one can be closed, so this one is.
                live.shed(name);
                break;
            };
            live.shed(least);
        }
        while live.open.len() > self.room {
            let idle = live.idle.values().find(|idle| **idle != name).copied();
            let Some(least) = idle.or_else(|| live.oldest_stream()) else {
                live.shed(name);
                break;
            };
            live.shed(least);
        }
        drop(live);
        Ok(Connection(Arc::new(Guard { name, owner: self.clone() })))
    }

    fn live(&self) -> MutexGuard<'_, ConnectionTable> {
        // Nothing panics while the lock is held.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionTable {
    fn tick(&mut self) -> Tick {
        self.now += 1;
        self.now
    }

    fn open(&mut self, peer: Peer, socket: Socket) -> Name {
        let name = self.tick();
        self.open
            .insert(name, OpenConnection { peer, socket, running: 0, since: name, stream: None });
        self.idle.insert(name, name);
        let held = self.peers.entry(peer).or_default();
        held.open += 1;
        held.idle.insert(name, name);
        name
    }

    /// Forgets a connection.
    fn close(&mut self, name: Name) -> Option<OpenConnection> {
        let open = self.open.remove(&name)?;
        self.idle.remove(&open.since);
        if let Some(held) = self.peers.get_mut(&open.peer) {
            held.idle.remove(&open.since);
            open.stream.and_then(|began| held.streams.remove(&began));
            held.open -= 1;
            if held.open == 0 {
                self.peers.remove(&open.peer);
            }
        }
        Some(open)
    }

    /// Whether its peer has closed its end; on systems that do not tell, never.
    fn has_hung_up(&self, name: Name) -> bool {
        let Some(open) = self.open.get(&name) else { return true };
        closed_by_peer(&open.socket)
    }

    /// Closes a connection that is idle.
    fn shed(&mut self, name: Name) {
        if let Some(open) = self.close(name) {
            self.shed += 1;
            // A peer that is already gone needs no shutdown.
            let _ = open.socket.shutdown(Shutdown::Both);
        }
    }

    /// The oldest stream of the peer with the most.
    fn oldest_stream(&self) -> Option<Name> {
        let most = self.peers.values().max_by_key(|held| held.streams.len())?;
        most.streams.first_key_value().map(|(_, name)| *name)
    }

    /// Notes that a connection carries a stream, if its peer has fewer than so many.
    fn begin_stream(&mut self, name: Name, most: usize) -> bool {
        let now = self.tick();
        let Some(open) = self.open.get_mut(&name) else { return true };
        let held = self.peers.entry(open.peer).or_default();
        let fits = held.streams.len() < most;
        if fits {
            open.stream = Some(now);
            held.streams.insert(now, name);
        }
        fits
    }

    fn end_stream(&mut self, name: Name) {
        let Some(open) = self.open.get_mut(&name) else { return };
        if let (Some(began), Some(held)) = (open.stream.take(), self.peers.get_mut(&open.peer)) {
            held.streams.remove(&began);
        }
    }

    fn begin(&mut self, name: Name) {
        let Some(open) = self.open.get_mut(&name) else { return };
        open.running += 1;
        if open.running == 1 {
            self.idle.remove(&open.since);
            if let Some(held) = self.peers.get_mut(&open.peer) {
                held.idle.remove(&open.since);
            }
        }
    }

    fn end(&mut self, name: Name) {
        let now = self.tick();
        let Some(open) = self.open.get_mut(&name) else { return };
        open.running -= 1;
        if open.running == 0 {
            open.since = now;
            self.idle.insert(now, name);
            if let Some(held) = self.peers.get_mut(&open.peer) {
                held.idle.insert(now, name);
            }
        }
    }
}

/// An open connection, shared by its requests; forgotten when the last copy is dropped.
#[derive(Clone, Debug)]
pub struct Connection(Arc<Guard>);

#[derive(Debug)]
struct Guard {
    name: Name,
    owner: Arc<Connections>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.owner.live().close(self.name);
    }
}

/// How often it is asked whether a caller that waits has hung up.
const LOOK: Duration = Duration::from_millis(200);

impl Connection {
    /// Waits until the peer has closed its end.
    ///
    /// The server notices that itself where it reads. It does not read while a caller that has sent more than is wanted waits.
    pub async fn gone(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            if self.0.owner.live().has_hung_up(self.0.name) {
                return;
            }
        }
    }

    /// Starts a request; the connection is busy until the returned value is dropped.
    pub fn begin(&self) -> Busy {
        self.0.owner.live().begin(self.0.name);
        Busy(self.clone())
    }
}

/// Its peer has as many streams as one may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyStreams;

impl Connection {
    /// Notes that the connection carries a stream until the returned value is dropped. It may then be closed to make room.
    ///
    /// # Errors
    /// [`TooManyStreams`]: half of the connections of one peer may be streams.
    pub fn stream(&self) -> Result<Streaming, TooManyStreams> {
        let Guard { name, owner } = &*self.0;
        match owner.live().begin_stream(*name, owner.of_one.div_ceil(2)) {
            true => Ok(Streaming(self.clone())),
            false => Err(TooManyStreams),
        }
    }
}

/// A stream on a connection.
#[derive(Debug)]
pub struct Streaming(Connection);

impl Drop for Streaming {
    fn drop(&mut self) {
        let Connection(guard) = &self.0;
        guard.owner.live().end_stream(guard.name);
    }
}

/// A request in progress on a connection.
#[derive(Debug)]
pub struct Busy(Connection);

impl Drop for Busy {
    fn drop(&mut self) {
        let Connection(guard) = &self.0;
        guard.owner.live().end(guard.name);
    }
}

/// Whether the other end of a connection is closed, even if there is something left to be read.
#[cfg(target_os = "linux")]
fn closed_by_peer(socket: &Socket) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut asked = [PollFd::new(socket, PollFlags::RDHUP)];
    poll(&mut asked, Some(&now)).is_ok_and(|events| events > 0)
}

#[cfg(not(target_os = "linux"))]
fn closed_by_peer(_: &Socket) -> bool {
    false
}

/// Raises the descriptor limit of this process as far as allowed, and returns it.
fn descriptors() -> u64 {
    let wanted = 2 * MOST + RESERVED;
    // If it cannot be raised, the current limit has to do.
    rlimit::increase_nofile_limit(wanted).unwrap_or(1024)
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream as Plain};

    use super::*;

    /// A pair of connected ends: the server's, and the caller's.
    fn pair(listener: &TcpListener) -> (TcpStream, Plain) {
        let caller = Plain::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        caller.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        (TcpStream::from_std(stream).unwrap(), caller)
    }

    fn is_closed(caller: &Plain) -> bool {
        caller.set_nonblocking(true).unwrap();
        let peeked = caller.peek(&mut [0]);
        caller.set_nonblocking(false).unwrap();
        matches!(peeked, Ok(0))
    }

    #[actix_web::test]
    async fn the_connection_that_was_idle_for_longest_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connections = Arc::new(Connections::new(Some(3), Some(3), Duration::from_secs(60)));
        let ends: Vec<_> = (0..3).map(|_| pair(&listener)).collect();
        let held: Vec<_> =
            ends.iter().map(|(stream, _)| connections.admit(stream).unwrap()).collect();
        // The first is busy, the second was used after the third.
        let busy = held[0].begin();
        drop(held[1].begin());
        let (fourth, _caller) = pair(&listener);
        let admitted = connections.admit(&fourth).unwrap();
        let closed = ends.iter().map(|(_, caller)| is_closed(caller)).collect::<Vec<_>>();
        assert_eq!(closed, [false, false, true]);
        assert_eq!(connections.count(), (3, 1));
        drop((busy, admitted, held));
        assert_eq!(connections.count(), (0, 1));
        let live = connections.live();
        assert!(live.idle.is_empty() && live.peers.is_empty());
    }

    #[actix_web::test]
    async fn one_peer_has_a_part_of_the_room_and_busy_connections_stay() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connections = Arc::new(Connections::new(Some(8), None, Duration::from_secs(60)));
        assert_eq!(connections.of_one, 4);
        let ends: Vec<_> = (0..4).map(|_| pair(&listener)).collect();
        let held: Vec<_> =
            ends.iter().map(|(stream, _)| connections.admit(stream).unwrap()).collect();
        let _busy: Vec<_> = held.iter().map(Connection::begin).collect();
        // No other one is idle, so the new one itself is closed.
        let (fifth, caller) = pair(&listener);
        let _admitted = connections.admit(&fifth).unwrap();
        assert!(is_closed(&caller));
        assert!(ends.iter().all(|(_, caller)| !is_closed(caller)));
    }
}
