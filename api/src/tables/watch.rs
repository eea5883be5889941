//! Who watches a table, and what they are sent.
//!
//! This module must not change a table, and must not know HTTP or a game.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::body::BodySize;
use actix_web::web::Bytes;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, watch};
use umpire_engine::game::Observer;

use super::answer::{Known, Sight, Since};
use super::table::{Moment, Table};
use crate::http::error::ApiError;
use crate::limits::held::{Full, Memory, Part};
use umpire_referee::json;
use umpire_referee::language::Language;

/// How many events a watcher may lag behind before it gets what it missed in one event.
const FRAMES: usize = 64;

/// About how many bytes a table takes for each of its record.
const BYTES_EACH: usize = 8;

/// The slot of a table, whether or not it is in memory.
pub struct Place {
    pub(super) table: Arc<AsyncMutex<Option<Table>>>,
    channels: Mutex<HashMap<Audience, Channel>>,
    moved: watch::Sender<u64>,
    pub(super) used: AtomicU64,
    /// About how many bytes the table takes.
    pub(super) weight: AtomicUsize,
    thinking: AtomicBool,
    /// Whether the table is gone.
    ended: AtomicBool,
    /// Whether the table has become a record: nothing more will happen.
    sealed: AtomicBool,
    /// The memory in which frames are kept.
    memory: Memory,
}

/// A table that nobody else changes.
pub struct Locked {
    /// The table; `None` if it has to be loaded again.
    pub table: OwnedMutexGuard<Option<Table>>,
    /// Its slot.
    pub place: Arc<Place>,
}

impl Locked {
    /// Notes about how much memory the table takes.
    pub(super) fn weigh(&self) {
        let bytes = self.table.as_ref().map_or(0, |table| table.length() * BYTES_EACH);
        self.place.weight.store(bytes, Ordering::Relaxed);
    }
}

/// Watchers that get the same bytes: a viewer, and a language.
pub type Audience = (Observer, Language);

/// What is sent to an audience.
struct Channel {
    watchers: usize,
    /// What it knows so far; nothing if the game has not begun.
    known: Option<Known>,
    /// The whole table, once somebody needed it since the last change.
    whole: Option<Frame>,
    /// The last frames, and the number of the first of them.
    frames: VecDeque<Frame>,
    first: u64,
}

/// An event for watchers, and the moment it leads to.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The server-sent event.
    pub text: Bytes,
    /// The moment.
    pub moment: Moment,
    /// Its share of the memory for responses, if it is long; the same for all who are sent it.
    #[expect(dead_code, reason = "held until all have been sent it")]
    part: Option<Arc<Part>>,
}

impl Frame {
    fn new(memory: &Memory, text: Bytes, moment: Moment) -> Result<Self, Full> {
        let part = memory.part(BodySize::Sized(text.len() as u64))?.map(Arc::new);
        Ok(Frame { text, moment, part })
    }
}

/// What one audience is sent next.
pub struct Prepared {
    audience: Audience,
    text: Bytes,
    known: Option<Known>,
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while the lock is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table has to be loaded again.
pub(super) fn lost() -> ApiError {
    ApiError::unavailable("the table is being loaded again; try again".to_owned())
}

impl Place {
    pub(super) fn new(memory: Memory) -> Self {
        Place {
            memory,
            table: Arc::default(),
            channels: Mutex::default(),
            moved: watch::Sender::new(0),
            used: AtomicU64::new(0),
            weight: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            sealed: AtomicBool::new(false),
        }
    }

    /// Marks the programs of the table as thinking; nothing if they already are.
    pub fn think(self: &Arc<Self>) -> Option<Thinking> {
        let before = self.thinking.swap(true, Ordering::AcqRel);
        (!before).then(|| Thinking { place: self.clone() })
    }

    /// Drops the table from memory, but not who watches it. Returns whether it could: nobody may be using it.
    pub(super) fn unload(&self) -> bool {
        let Ok(mut table) = self.table.try_lock() else { return false };
        *table = None;
        self.weight.store(0, Ordering::Relaxed);
        true
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        !locked(&self.channels).is_empty()
    }

    /// The number of watchers.
    pub fn watchers(&self) -> usize {
        locked(&self.channels).values().map(|channel| channel.watchers).sum()
    }

    /// Ends all watching: the table is gone.
    pub fn end(&self) {
        locked(&self.channels).clear();
        self.ended.store(true, Ordering::Release);
        self.moved.send_modify(|count| *count += 1);
    }

    /// Waits until the table is gone.
    pub async fn gone(&self) {
        let mut moved = self.moved.subscribe();
        while !self.ended.load(Ordering::Acquire) {
            // The sender lives as long as the place.
            if moved.changed().await.is_err() {
                return;
            }
        }
    }

    /// Sends what has happened to all watchers: an action, or with `whole` any other change.
    pub fn publish(&self, table: &Table, whole: bool) {
        self.send(table, self.prepare(table, whole));
    }

    /// Prepares what [`Place::publish`] sends, without sending it.
    pub fn prepare(&self, table: &Table, whole: bool) -> Vec<Prepared> {
        let channels = locked(&self.channels);
        let prepared = channels.iter().map(|(audience, channel)| {
            let sight = Sight { table, viewer: audience.0, voice: audience.1.of(table.game) };
            let live = table.live.as_deref();
            let text = match (live, &channel.known, whole) {
                (Some(live), Some(known), false) => {
                    event("step", table.moment(), &sight.step(live, Since::Known(known)))
                }
                _ => event("table", table.moment(), &sight.table()),
            };
            Prepared { audience: *audience, text, known: live.map(|live| sight.known(live)) }
        });
        prepared.collect()
    }

    /// Sends what was prepared for this moment of the table to all watchers.
    pub fn send(&self, table: &Table, prepared: Vec<Prepared>) {
        let mut channels = locked(&self.channels);
        for Prepared { audience, text, known } in prepared {
            // Nobody can have joined meanwhile: that takes the lock of the table.
            if let Some(channel) = channels.get_mut(&audience) {
                channel.known = known;
                channel.push(Frame::new(&self.memory, text, table.moment()));
            }
        }
        drop(channels);
        self.note_sealed(table);
        self.moved.send_modify(|count| *count += 1);
    }

    /// Notes whether the table has become a record; its last event has been sent by then.
    fn note_sealed(&self, table: &Table) {
        self.sealed.store(table.sealed.is_some(), Ordering::Release);
    }
}

/// The programs of a table are thinking until this is dropped.
pub struct Thinking {
    place: Arc<Place>,
}

impl Thinking {
    /// They stop thinking.
    pub fn end(self) {}
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.place.thinking.store(false, Ordering::Release);
    }
}

impl Channel {
    /// Without memory for a frame, everybody gets what was missed when there is some again.
    fn push(&mut self, frame: Result<Frame, Full>) {
        self.whole = None;
        let Ok(frame) = frame else {
            self.first = self.end() + 1;
            return self.frames.clear();
        };
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
            self.first += 1;
        }
        self.frames.push_back(frame);
    }

    fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }
}

/// A server-sent event.
pub fn event(name: &str, moment: Moment, data: &impl serde::Serialize) -> Bytes {
    let mut text = format!("id: {moment}\nevent: {name}\ndata: ").into_bytes();
    text.extend_from_slice(&json::text(data));
    text.extend_from_slice(b"\n\n");
    Bytes::from(text)
}

/// What comes next for a watcher.
pub enum Next {
    /// This.
    Frame(Frame),
    /// Nothing for now.
    Nothing,
    /// More was missed than is kept: everything since its moment has to be sent.
    Lost,
    /// The table is a record, or gone.
    End,
    /// The server is shutting down; another one can send what happens later.
    Stop,
}

/// A watcher of a table, until it is dropped.
pub struct Watcher {
    place: Arc<Place>,
    audience: Audience,
    /// The number of the next frame.
    next: u64,
    /// The moment that was told last.
    pub moment: Moment,
    moved: watch::Receiver<u64>,
    closing: watch::Receiver<bool>,
}

impl Watcher {
    /// Starts watching a table, and says what has to be sent first: everything, or, if the table can be continued from
    /// `from`, what has happened since.
    pub fn new(
        closing: watch::Receiver<bool>,
        locked_table: &Locked,
        audience: Audience,
        from: Option<Moment>,
    ) -> Result<(Self, Option<Frame>), ApiError> {
        let table = locked_table.table.as_ref().ok_or_else(lost)?;
        let place = locked_table.place.clone();
        place.note_sealed(table);
        let moved = place.moved.subscribe();
        let mut channels = locked(&place.channels);
        let channel = channels.entry(audience).or_insert_with(|| {
            let sight = Sight { table, viewer: audience.0, voice: audience.1.of(table.game) };
            let known = table.live.as_deref().map(|live| sight.known(live));
            Channel { watchers: 0, known, whole: None, frames: VecDeque::new(), first: 0 }
        });
        channel.watchers += 1;
        let next = channel.end();
        drop(channels);
        let moment = table.moment();
        let watcher = Watcher { place, audience, next, moment, moved, closing };
        let first = watcher.first(table, from).map_err(|Full| ApiError::no_memory())?;
        Ok((watcher, first))
    }

    /// The first event of a watcher that starts, or continues from a moment; nothing if that is the current one. The
    /// whole table if a version does not identify one of the moments: that is made once for the whole audience.
    fn first(&self, table: &Table, from: Option<Moment>) -> Result<Option<Frame>, Full> {
        let (moment, (viewer, lang)) = (table.moment(), self.audience);
        let sight = Sight { table, viewer, voice: lang.of(table.game) };
        let text = match (from, table.live.as_deref(), moment) {
            (Some(from), ..) if from == moment => return Ok(None),
            (
                Some(Moment { version: from, steps: None }),
                Some(live),
                Moment { version: now, steps: None },
            ) if from.undos == now.undos && from.ply < now.ply => {
                event("step", moment, &sight.step(live, Since::Ply(from.ply)))
            }
            _ => {
                let mut channels = locked(&self.place.channels);
                let channel = channels.get_mut(&self.audience);
                let known = channel.as_ref().and_then(|channel| channel.whole.as_ref());
                if let Some(frame) = known.filter(|frame| frame.moment == moment) {
                    return Ok(Some(frame.clone()));
                }
                let text = event("table", moment, &sight.table());
                let frame = Frame::new(&self.place.memory, text, moment)?;
                channel.into_iter().for_each(|channel| channel.whole = Some(frame.clone()));
                return Ok(Some(frame));
            }
        };
        Frame::new(&self.place.memory, text, moment).map(Some)
    }

    /// What comes next, without waiting.
    pub fn pull(&mut self) -> Next {
        if *self.closing.borrow() {
            return Next::Stop;
        }
        let channels = locked(&self.place.channels);
        let Some(channel) = channels.get(&self.audience) else { return Next::End };
        if self.next < channel.first {
            return Next::Lost;
        }
        match channel.frames.get((self.next - channel.first) as usize) {
            Some(frame) => {
                self.next += 1;
                self.moment = frame.moment;
                Next::Frame(frame.clone())
            }
            None if self.place.sealed.load(Ordering::Acquire) => Next::End,
            None => Next::Nothing,
        }
    }

    /// What was missed, in one go.
    pub fn catch_up(&mut self, locked_table: &Locked) -> Option<Frame> {
        let table = locked_table.table.as_ref()?;
        let since = self.first(table, Some(self.moment)).ok()?;
        let frame = since.or_else(|| self.first(table, None).ok().flatten())?;
        let channels = locked(&self.place.channels);
        self.next = channels.get(&self.audience)?.end();
        self.moment = table.moment();
        Some(frame)
    }

    /// Waits until something may have happened.
    pub async fn moved(&mut self) {
        let Watcher { moved, closing, .. } = self;
        // An error says that the sender is gone, which the next look tells.
        let _ =
            futures_util::future::select(Box::pin(moved.changed()), Box::pin(closing.changed()))
                .await;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut channels = locked(&self.place.channels);
        if let Some(channel) = channels.get_mut(&self.audience) {
            channel.watchers -= 1;
            if channel.watchers == 0 {
                channels.remove(&self.audience);
            }
        }
    }
}
