//! Somebody at a table: who they are, what they may do, and how the table is changed.
//!
//! As long as a session is held, nobody else changes its table. This module must not know HTTP or a game, and must not
//! show anybody what that viewer may not know.

use std::sync::Arc;

use blake3::Hash;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::replay;

use super::Tables;
use super::journal::Step;
use super::table::{Moment, Table};
use super::watch::{Audience, Frame, Locked, Watcher, lost};
use crate::http::error::{ApiError, shorten};
use crate::http::peer::Peer;
use crate::limits::cost::Cost;
use crate::limits::cpu::Claim;
use crate::store::TableId;

/// What a request is told if another server changed the table at the same moment.
pub const OVERTAKEN: &str = "the table was changed by somebody else at the same time; try again";

/// Who somebody is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The host, who made it.
    Host,
    /// The player of this seat.
    Seat(&'static str),
    /// The program that plays this seat.
    Program(&'static str),
    /// A spectator.
    Onlooker,
}

impl Who {
    /// Whose token it is, if it is one of this table. Hashes are compared in constant time.
    pub fn by_token(table: &Table, token: &Hash) -> Option<Who> {
        let is = |kept: &String| Hash::from_hex(kept).is_ok_and(|kept| kept == *token);
        if is(&table.head.host) {
            return Some(Who::Host);
        }
        let seats = table.game.meta().seats.iter();
        let held = |seat: &&&'static str| table.head.seats.get(**seat).is_some_and(is);
        seats.filter(held).map(|seat| Who::Seat(seat)).next()
    }

    /// Only players and the host pass.
    ///
    /// # Errors
    /// A spectator.
    pub fn taking_part(self) -> Result<(), ApiError> {
        match self {
            Who::Onlooker => Err(ApiError::unauthorized()),
            Who::Host | Who::Seat(_) | Who::Program(_) => Ok(()),
        }
    }

    /// Only the host passes.
    ///
    /// # Errors
    /// Anybody else.
    pub fn hosting(self) -> Result<(), ApiError> {
        match self {
            Who::Host => Ok(()),
            Who::Seat(_) | Who::Program(_) => Err(ApiError::forbidden("only the host may do this")),
            Who::Onlooker => Err(ApiError::unauthorized()),
        }
    }

    /// With whose eyes somebody looks: those that are named, or their own.
    ///
    /// # Errors
    /// The game has no such seat, or it is not theirs.
    pub fn viewer(self, table: &Table, named: Option<&str>) -> Result<Observer, ApiError> {
        let game = table.game;
        let own = match self {
            Who::Host => Observer::Referee,
            Who::Seat(seat) | Who::Program(seat) => {
                game.meta().seat(seat).map_or(Observer::Spectator, Observer::Seat)
            }
            Who::Onlooker => Observer::Spectator,
        };
        let Some(name) = named else { return Ok(own) };
        let asked = game.viewer(name).ok_or_else(|| {
            ApiError::not_found(format!("this game has no seat {:?}", shorten(name)))
        })?;
        match asked == own || asked == Observer::Spectator || self == Who::Host {
            true => Ok(asked),
            false => Err(match self {
                Who::Onlooker => ApiError::unauthorized(),
                _ => ApiError::forbidden("this token shows the table to its own viewer only"),
            }),
        }
    }
}

/// Somebody at a table that nobody else changes meanwhile.
pub struct TableSession {
    /// All tables.
    pub tables: Arc<Tables>,
    /// The table.
    pub locked: Locked,
    /// Who.
    pub who: Who,
    /// The caller's address, for fair turns.
    pub peer: Peer,
}

impl TableSession {
    /// The table.
    ///
    /// # Errors
    /// It was lost in a change that failed.
    pub fn table(&self) -> Result<&Table, ApiError> {
        self.locked.table.as_ref().ok_or_else(lost)
    }

    /// As [`Who::viewer`].
    ///
    /// # Errors
    /// As [`Who::viewer`].
    pub fn viewer(&self, named: Option<&str>) -> Result<Observer, ApiError> {
        self.who.viewer(self.table()?, named)
    }

    /// Answers a question about the table on a thread that may block.
    ///
    /// # Errors
    /// What the job gives.
    pub async fn work<T, F>(mut self, claim: Claim, job: F) -> Result<(Self, T), ApiError>
    where
        F: Fn(&Table, replay::Limits<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let (locked, limits) = (Arc::new(self.locked), self.tables.limits);
        let shared = locked.clone();
        let work = move |budget: Budget<'_>| {
            job(shared.table.as_ref().ok_or_else(lost)?, limits.engine(budget))
        };
        let done = self.tables.cpu.run_measured(claim, work).await?;
        // The job is over, and with it the only other reference.
        self.locked = Arc::into_inner(locked).ok_or_else(lost)?;
        Ok((self, done))
    }

    /// Starts watching the table; see [`Tables::watch`].
    ///
    /// # Errors
    /// As [`Tables::watch`].
    pub async fn watch(
        self,
        audience: Audience,
        from: Option<Moment>,
    ) -> Result<(Watcher, Option<Frame>), ApiError> {
        let TableSession { tables, locked, peer, .. } = self;
        let all = tables.clone();
        let watch = move |_: Budget<'_>| all.watch(&locked, audience, from);
        tables.cpu.run(Claim::light(peer), watch).await
    }

    /// What a watcher has missed.
    ///
    /// # Errors
    /// The table must be loaded first, or the memory for responses is used up.
    pub async fn catch_up(self, mut watcher: Watcher) -> Result<(Watcher, Frame), ApiError> {
        let locked = self.locked;
        let catch_up = move |_: Budget<'_>| {
            let frame = watcher.catch_up(&locked).ok_or_else(lost)?;
            Ok((watcher, frame))
        };
        self.tables.cpu.run(Claim::light(self.peer), catch_up).await
    }

    /// Stores a step other than an action, does it, and tells the watchers.
    ///
    /// # Errors
    /// It cannot be stored. Then the table is loaded again when somebody next asks for it.
    pub async fn change(self, step: Step) -> Result<Self, ApiError> {
        to_the_end(self.apply(step)).await
    }

    async fn apply(mut self, step: Step) -> Result<Self, ApiError> {
        let Some(mut table) = self.locked.table.take() else { return Err(lost()) };
        // Until it is put back, nobody finds the table in memory.
        let text = umpire_referee::json::string(&step);
        self.tables.append(table.id, table.steps, text).await?;
        let limits = self.tables.limits;
        let Locked { table: mut guard, place } = self.locked;
        let work = move |budget: Budget<'_>| {
            table.take(step, None, limits.engine(budget))?;
            place.publish(&table, true);
            *guard = Some(table);
            Ok(Locked { table: guard, place })
        };
        self.locked = self.tables.cpu.run(Claim::light(self.peer), work).await?;
        self.wake_programs();
        Ok(self)
    }
}

impl Tables {
    /// Appends a step with this number to the journal of a table.
    ///
    /// # Errors
    /// The store fails, or somebody else has appended a step.
    pub(super) async fn append(
        &self,
        id: TableId,
        number: u32,
        step: String,
    ) -> Result<(), ApiError> {
        match self.store.append_step(id, number, step).await? {
            true => Ok(()),
            false => Err(ApiError::conflict(OVERTAKEN.to_owned())),
        }
    }
}

/// Does something to its end, whether or not the caller still waits. What has not begun is dropped with its caller.
///
/// # Errors
/// What it gives.
pub async fn to_the_end<T: 'static>(
    work: impl Future<Output = Result<T, ApiError>> + 'static,
) -> Result<T, ApiError> {
    let cost = Cost::current().unwrap_or_default();
    match actix_web::rt::spawn(cost.within(work)).await {
        Ok(done) => done,
        Err(error) => Err(ApiError::internal(format!("a change of a table was lost: {error}"))),
    }
}

/// The seed of the table has not been drawn yet.
pub fn not_begun() -> ApiError {
    ApiError::conflict(
        "the seed of the game is still being drawn; see fair of the table".to_owned(),
    )
}

impl Table {
    /// Only a table that has not become a record passes.
    ///
    /// # Errors
    /// It has.
    pub(super) fn check_open(&self) -> Result<(), ApiError> {
        match &self.sealed {
            None => Ok(()),
            Some(record) => {
                let detail = format!("the table is closed: it became the record {record}");
                Err(ApiError::conflict(detail))
            }
        }
    }
}
