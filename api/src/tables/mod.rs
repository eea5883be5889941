//! Tables at which games are being played: kept step by step, held in memory, and watched.
//!
//! A table in memory is only what its journal comes to. Whatever goes wrong while it is changed, it is dropped, and
//! made again from what is kept when somebody next asks for it. A step is shown to nobody before it would survive a
//! loss of power. This module must not know HTTP or a game.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::watch as tokio_watch;
use umpire_engine::budget::Budget;

use self::table::{Moment, Table, Unfit};
use self::watch::{Audience, Frame, Locked, Place, Watcher, locked};
use crate::http::error::ApiError;
use crate::http::peer::Peer;
use crate::limits::Limits;
use crate::limits::cpu::{Claim, Cpu};
use crate::limits::held::Memory;
use crate::store::{Store, TableId, TableNews};

pub mod act;
pub mod answer;
pub mod create;
pub mod draw;
pub mod expiry;
pub mod journal;
mod programs;
pub mod seal;
pub mod session;
pub mod table;
pub mod undo;
pub mod watch;

/// The most tables kept in memory. If there are more, those that have not been used for the longest time are dropped.
const MOST_IN_MEMORY: usize = 4_096;

/// The most bytes that they take together.
const MEMORY: usize = 256 << 20;

/// The tables in memory, and what it takes to load and change them.
pub struct Tables {
    places: Mutex<HashMap<TableId, Arc<Place>>>,
    clock: AtomicU64,
    closing: tokio_watch::Sender<bool>,
    store: Arc<dyn Store>,
    cpu: Cpu,
    memory: Memory,
    limits: Limits,
}

/// The time, in milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The table does not exist.
pub fn missing(id: TableId) -> ApiError {
    ApiError::not_found(format!("unknown table {id}"))
}

impl Tables {
    /// No tables in memory yet; they are loaded from this store.
    pub fn new(store: Arc<dyn Store>, cpu: Cpu, memory: Memory, limits: Limits) -> Self {
        Tables {
            places: Mutex::default(),
            clock: AtomicU64::new(0),
            closing: tokio_watch::Sender::new(false),
            store,
            cpu,
            memory,
            limits,
        }
    }

    /// The place of a table.
    pub fn place(&self, id: TableId) -> Arc<Place> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut places = locked(&self.places);
        if !places.contains_key(&id) {
            Self::make_room(&mut places);
        }
        let place = places.entry(id).or_insert_with(|| Arc::new(Place::new(self.memory.clone())));
        place.used.store(now, Ordering::Relaxed);
        place.clone()
    }

    /// If there are too many tables, or they take too much memory, drops those that were not asked for in the longest time,
    /// until a quarter is free. A table that is watched keeps its place, and is loaded again when something happens at it.
    fn make_room(places: &mut HashMap<TableId, Arc<Place>>) {
        let weight_of = |place: &Place| place.weight.load(Ordering::Relaxed);
        let mut weight: usize = places.values().map(|place| weight_of(place)).sum();
        if places.len() < MOST_IN_MEMORY && weight < MEMORY {
            return;
        }
        let used = |place: &Place| place.used.load(Ordering::Relaxed);
        let mut oldest: Vec<(u64, TableId)> =
            places.iter().map(|(id, place)| (used(place), *id)).collect();
        oldest.sort_unstable();
        for (_, id) in oldest {
            if places.len() <= MOST_IN_MEMORY / 4 * 3 && weight <= MEMORY / 4 * 3 {
                break;
            }
            let Some(place) = places.get(&id) else { continue };
            let weighed = weight_of(place);
            if Arc::strong_count(place) == 1 {
                places.remove(&id);
                weight -= weighed;
            } else if weight > MEMORY / 4 * 3 && place.unload() {
                weight -= weighed;
            }
        }
    }

    /// Deletes a table with its journal, and ends what is watched of it. Returns whether there was one.
    ///
    /// # Errors
    /// It cannot be deleted.
    pub async fn delete(&self, id: TableId, mut locked: Locked) -> Result<bool, ApiError> {
        *locked.table = None;
        let was = self.store.delete_table(id).await?;
        self.forget(id);
        Ok(was)
    }

    /// Forgets a table that is no more.
    pub fn forget(&self, id: TableId) {
        if let Some(place) = locked(&self.places).remove(&id) {
            place.end();
        }
    }

    /// The tables that somebody watches.
    pub fn watched(&self) -> Vec<TableId> {
        let places = locked(&self.places);
        places.iter().filter(|(_, place)| place.is_watched()).map(|(id, _)| *id).collect()
    }

    /// Whether somebody watches a table.
    pub fn is_watched(&self, id: TableId) -> bool {
        locked(&self.places).get(&id).is_some_and(|place| place.is_watched())
    }

    /// Waits for nobody else to change a table. It may have to be made of what is kept.
    pub async fn lock(&self, id: TableId) -> Locked {
        let place = self.place(id);
        let table = place.table.clone().lock_owned().await;
        Locked { table, place }
    }

    /// How many tables are in memory, and how many watchers there are.
    pub fn count(&self) -> (usize, usize) {
        let places = locked(&self.places);
        (places.len(), places.values().map(|place| place.watchers()).sum())
    }

    /// Ends all that is being watched: the server stops.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Starts watching a table, and says what has to be sent first: everything, or, if `from` is a moment that can be
    /// continued from, what has happened since.
    ///
    /// # Errors
    /// The table must be loaded first, or the memory for responses is used up.
    pub fn watch(
        &self,
        table: &Locked,
        audience: Audience,
        from: Option<Moment>,
    ) -> Result<(Watcher, Option<Frame>), ApiError> {
        Watcher::new(self.closing.subscribe(), table, audience, from)
    }

    /// Locks a table, and loads it from the store if it is not in memory.
    ///
    /// # Errors
    /// There is no such table, or it cannot be read.
    pub async fn open(&self, id: TableId, peer: Peer) -> Result<Locked, ApiError> {
        let locked = self.load(id, peer).await?;
        locked.weigh();
        Ok(locked)
    }

    async fn load(&self, id: TableId, peer: Peer) -> Result<Locked, ApiError> {
        let mut locked = self.lock(id).await;
        if locked.table.is_some() && self.store.is_shared() {
            locked = self.catch_up(id, peer, locked).await?;
        }
        if locked.table.is_some() {
            return Ok(locked);
        }
        let (store, limits) = (self.store.clone(), self.limits);
        let load = move |budget: Budget<'_>| {
            let Some(stored) = store.find_table(id)? else { return Ok(None) };
            let broken = |Unfit(why)| ApiError::internal(format!("table {id}: {why}"));
            Table::of(stored, limits.engine(budget)).map(Some).map_err(broken)
        };
        match self.cpu.run(Claim::heavy(peer), load).await? {
            Some(table) => {
                // If it was lost while others watched, they may have missed something that was stored all the same.
                if self.store.is_shared() && locked.place.is_watched() {
                    locked.place.publish(&table, true);
                }
                *locked.table = Some(table);
                Ok(locked)
            }
            None => {
                self.forget(id);
                Err(missing(id))
            }
        }
    }

    /// Applies what other servers have done at a table, and tells its watchers. A table that cannot follow is dropped.
    async fn catch_up(&self, id: TableId, peer: Peer, locked: Locked) -> Result<Locked, ApiError> {
        let (store, limits) = (self.store.clone(), self.limits);
        let Locked { mut table, place } = locked;
        let work = move |budget: Budget<'_>| {
            let Some(known) = table.as_ref().map(|table| table.steps) else {
                return Ok(Locked { table, place });
            };
            let steps = store.find_steps(id, known)?;
            let Some(mut taken) = table.take() else { return Ok(Locked { table, place }) };
            let Some(steps) = steps else { return Ok(Locked { table, place }) };
            for step in &steps {
                match taken.follow(step, limits.engine(budget)) {
                    Ok(action) => place.publish(&taken, !action),
                    Err(Unfit(why)) => {
                        tracing::warn!(table = %id, why, "a table is loaded again");
                        return Ok(Locked { table, place });
                    }
                }
            }
            *table = Some(taken);
            Ok(Locked { table, place })
        };
        self.cpu.run(Claim::light(peer), work).await
    }

    /// Follows what other servers do at tables that are watched here, until the server stops.
    pub fn follow_others(self: &Arc<Self>) {
        let (sender, mut news) = tokio::sync::mpsc::unbounded_channel();
        self.store.watch(Box::new(move |news| {
            // Once the server has stopped, nobody receives it.
            let _ = sender.send(news);
        }));
        let tables = self.clone();
        actix_web::rt::spawn(async move {
            while let Some(news) = news.recv().await {
                let changed = match news {
                    TableNews::Changed(id) if tables.is_watched(id) => vec![id],
                    TableNews::Changed(_) => Vec::new(),
                    TableNews::Missed => tables.watched(),
                };
                for id in changed {
                    let tables = tables.clone();
                    actix_web::rt::spawn(async move {
                        // This forgets a table that is gone; what fails is tried again at the next request.
                        if let Err(error) = tables.open(id, Peer::SELF).await {
                            tracing::debug!(%error, table = %id, "another server changed a table");
                        }
                    });
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_dropped_by_the_memory_that_they_take() {
        let place = |used: u64, weight: usize| {
            let place = Place::new(Memory::new(1 << 20));
            place.used.store(used, Ordering::Relaxed);
            place.weight.store(weight, Ordering::Relaxed);
            Arc::new(place)
        };
        let id = |number: u8| TableId::from_bytes([number; 16]);
        let mut places: HashMap<_, _> =
            (0..8).map(|number| (id(number), place(number.into(), MEMORY / 8))).collect();
        let held = places[&id(0)].clone();
        Tables::make_room(&mut places);
        let left = |places: &HashMap<TableId, Arc<Place>>| {
            (0..8).filter(|number| places.contains_key(&id(*number))).collect::<Vec<u8>>()
        };
        assert_eq!(left(&places), [0, 2, 3, 4, 5, 6, 7], "the oldest that nobody holds is dropped");
        assert_eq!(
            held.weight.load(Ordering::Relaxed),
            0,
            "that of one that is watched is unloaded"
        );
        let used = held.table.try_lock().expect("nobody uses it");
        held.weight.store(MEMORY, Ordering::Relaxed);
        Tables::make_room(&mut places);
        assert_eq!(held.weight.load(Ordering::Relaxed), MEMORY, "one that is in use stays");
        assert_eq!(left(&places), [0], "the others make room");
        drop(used);
        Tables::make_room(&mut places);
        assert_eq!((left(&places), held.weight.load(Ordering::Relaxed)), (vec![0], 0));
    }
}
