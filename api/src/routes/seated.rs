//! Who comes to a table, and the table that is found there.
//!
//! A token of a table is checked against what the table keeps of it; nobody needs one to look on. Whatever changes a
//! table is done through [`AtTable::change`], so that nothing is shown that is not kept. This module must not log,
//! print or return a token.

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use blake3::Hash;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::replay;

use super::parameters::engine_limits;
use crate::access::Reader;
use crate::auth::{Bearer, bearer};
use crate::contract::{Contract, Demand, Security};
use crate::cpu::Claim;
use crate::error::{ApiError, Code, shorten};
use crate::peer::Peer;
use crate::sent::{Here, here, segment};
use crate::service::Service;
use crate::store::{TableId, TableNews};
use crate::tables::Locked;
use crate::tables::journal::Step;
use crate::tables::table::{Table, Unfit};

/// Somebody who comes to the table that a path names.
#[derive(Clone, Debug)]
pub struct Comer {
    /// The table.
    pub id: TableId,
    token: Option<Hash>,
    /// Whether the caller may read what is stored, where that is asked.
    reader: Reader,
    /// Who asks, as far as turns go.
    pub peer: Peer,
}

impl FromRequest for Comer {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Comer::of(request))
    }
}

impl Demand for Comer {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
        contract.protected(Security::Playing);
    }
}

impl Comer {
    fn of(request: &HttpRequest) -> Result<Self, ApiError> {
        let text = segment(request, "id");
        let wrong = |error| ApiError::NotFound(format!("{:?}: {error}", shorten(text)));
        let id = text.parse::<TableId>().map_err(wrong)?;
        let token = match bearer(request) {
            Bearer::None => None,
            Bearer::Unclear => return Err(ApiError::Unauthorized),
            Bearer::Token(token) => Some(blake3::hash(token)),
        };
        let peer = Peer::of(request.peer_addr());
        Ok(Comer { id, token, reader: Reader::of(request), peer })
    }

    /// The table, which nobody else changes as long as this is held, and who comes.
    ///
    /// # Errors
    /// There is none, or the token is none of it.
    pub async fn enter(&self, service: &Data<Service>) -> Result<AtTable, ApiError> {
        let locked = lock(service, self.id, self.peer).await?;
        let Some(table) = locked.table.as_ref() else { return Err(missing(self.id)) };
        let who = match &self.token {
            Some(token) => match who_has(table, token) {
                Some(who) => who,
                // A token of the server opens no seat, but who may read may look on.
                None => self.reader.everything().map(|()| Who::Onlooker)?,
            },
            None => self.reader.everything().map(|()| Who::Onlooker)?,
        };
        Ok(AtTable { service: service.clone(), locked, who, peer: self.peer })
    }
}

/// Who somebody is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// Who made it.
    Host,
    /// Who plays this seat.
    Seat(&'static str),
    /// Somebody who looks on.
    Onlooker,
}

/// Whose token it is. Hashes are compared in constant time.
fn who_has(table: &Table, token: &Hash) -> Option<Who> {
    let is = |kept: &String| Hash::from_hex(kept).is_ok_and(|kept| kept == *token);
    if is(&table.head.host) {
        return Some(Who::Host);
    }
    let seats = table.game.meta().seats.iter();
    let held = |seat: &&&'static str| table.head.seats.get(**seat).is_some_and(is);
    seats.filter(held).map(|seat| Who::Seat(seat)).next()
}

fn missing(id: TableId) -> ApiError {
    ApiError::NotFound(format!("there is no table {id}"))
}

/// A table that nobody else changes, made of what is kept where it is not in memory.
///
/// # Errors
/// There is none, or it cannot be read.
pub async fn lock(service: &Data<Service>, id: TableId, peer: Peer) -> Result<Locked, ApiError> {
    let mut locked = service.tables.lock(id).await;
    if locked.table.is_some() && service.store.is_shared() {
        locked = follow(service, id, peer, locked).await?;
    }
    if locked.table.is_some() {
        return Ok(locked);
    }
    let (store, limits) = (service.store.clone(), service.limits);
    let load = move |budget: Budget<'_>| {
        let Some(stored) = store.find_table(id)? else { return Ok(None) };
        let broken = |Unfit(why)| ApiError::Internal(format!("table {id}: {why}"));
        Table::of(stored, engine_limits(&limits, budget)).map(Some).map_err(broken)
    };
    match service.cpu.run(Claim::heavy(peer), load).await? {
        Some(table) => {
            // Where it was lost while others watched, they may have missed something that was kept all the same.
            if service.store.is_shared() && locked.place.is_watched() {
                locked.place.publish(&table, true);
            }
            *locked.table = Some(table);
            Ok(locked)
        }
        None => {
            service.tables.forget(id);
            Err(missing(id))
        }
    }
}

/// Does what other servers have done at a table, and tells those who watch. A table that cannot follow is dropped.
async fn follow(
    service: &Data<Service>,
    id: TableId,
    peer: Peer,
    locked: Locked,
) -> Result<Locked, ApiError> {
    let (store, limits) = (service.store.clone(), service.limits);
    let Locked { mut table, place } = locked;
    let work = move |budget: Budget<'_>| {
        let Some(known) = table.as_ref().map(|table| table.steps) else {
            return Ok((table, place));
        };
        let steps = store.find_steps(id, known)?;
        let Some(mut taken) = table.take() else { return Ok((table, place)) };
        let Some(steps) = steps else { return Ok((table, place)) };
        for step in &steps {
            match taken.follow(step, engine_limits(&limits, budget)) {
                Ok(action) => place.publish(&taken, !action),
                Err(Unfit(why)) => {
                    tracing::warn!(table = %id, why, "a table is made again");
                    return Ok((table, place));
                }
            }
        }
        *table = Some(taken);
        Ok((table, place))
    };
    let (table, place) = service.cpu.run(Claim::light(peer), work).await?;
    Ok(Locked { table, place })
}

/// Follows what other servers do at tables that are watched here, until the server stops.
pub fn follow_others(service: &Data<Service>) {
    let (sender, mut news) = tokio::sync::mpsc::unbounded_channel();
    service.store.watch(Box::new(move |news| {
        // Nobody is left to be told when the server has stopped.
        let _ = sender.send(news);
    }));
    let service = service.clone();
    actix_web::rt::spawn(async move {
        while let Some(news) = news.recv().await {
            let tables = match news {
                TableNews::Changed(id) if service.tables.is_watched(id) => vec![id],
                TableNews::Changed(_) => Vec::new(),
                TableNews::Missed => service.tables.watched(),
            };
            for id in tables {
                let service = service.clone();
                actix_web::rt::spawn(async move {
                    // One that is no more is forgotten by this; what fails is done again when somebody comes.
                    if let Err(error) = lock(&service, id, Peer::SELF).await {
                        tracing::debug!(%error, table = %id, "another server changed a table");
                    }
                });
            }
        }
    });
}

/// A table, and who is there.
pub struct AtTable {
    /// The service.
    pub service: Data<Service>,
    /// The table.
    pub locked: Locked,
    /// Who.
    pub who: Who,
    /// The same as far as turns go.
    pub peer: Peer,
}

impl AtTable {
    /// The table.
    ///
    /// # Errors
    /// It was lost in a change that failed.
    pub fn table(&self) -> Result<&Table, ApiError> {
        self.locked.table.as_ref().ok_or_else(lost)
    }

    /// With whose eyes: those that are named, or one's own.
    ///
    /// # Errors
    /// The game has no such seat, or it is not one's own.
    pub fn viewer(&self, named: Option<&str>) -> Result<Observer, ApiError> {
        let game = self.table()?.game;
        let own = match self.who {
            Who::Host => Observer::Referee,
            Who::Seat(seat) => game.meta().seat(seat).map_or(Observer::Spectator, Observer::Seat),
            Who::Onlooker => Observer::Spectator,
        };
        let Some(name) = named else { return Ok(own) };
        let asked = game.viewer(name).ok_or_else(|| {
            ApiError::NotFound(format!("this game has no seat {:?}", shorten(name)))
        })?;
        match asked == own || asked == Observer::Spectator || self.who == Who::Host {
            true => Ok(asked),
            false => Err(match self.who {
                Who::Onlooker => ApiError::Unauthorized,
                _ => ApiError::Forbidden("this token shows the table to its own viewer only"),
            }),
        }
    }

    /// Lets pass only who plays, or hosts.
    ///
    /// # Errors
    /// Somebody only looks on.
    pub fn taking_part(&self) -> Result<(), ApiError> {
        match self.who {
            Who::Onlooker => Err(ApiError::Unauthorized),
            Who::Host | Who::Seat(_) => Ok(()),
        }
    }

    /// Lets pass only the host.
    ///
    /// # Errors
    /// It is somebody else.
    pub fn hosting(&self) -> Result<(), ApiError> {
        match self.who {
            Who::Host => Ok(()),
            Who::Seat(_) => Err(ApiError::Forbidden("only the host may do this")),
            Who::Onlooker => Err(ApiError::Unauthorized),
        }
    }

    /// Lets pass only where the table has not become a record.
    ///
    /// # Errors
    /// It has.
    pub fn open(&self) -> Result<(), ApiError> {
        match &self.table()?.sealed {
            None => Ok(()),
            Some(record) => {
                let detail = format!("the table is closed: it became the record {record}");
                Err(ApiError::Conflict(detail))
            }
        }
    }

    /// Works on the table on a thread that may block. Work that gives an error must not have changed anything.
    ///
    /// # Errors
    /// What the work gives.
    pub async fn work<T, F>(mut self, claim: Claim, job: F) -> Result<(Self, T), ApiError>
    where
        F: FnOnce(&mut Table, replay::Limits<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let Locked { mut table, place } = self.locked;
        let limits = self.service.limits;
        let work = move |budget: Budget<'_>| {
            let mut taken = table.take().ok_or_else(lost)?;
            let done = job(&mut taken, engine_limits(&limits, budget));
            Ok((table, taken, done))
        };
        // Put back only here: of work that took too long nobody knows how far it came.
        let (mut table, taken, done) = self.service.cpu.run(claim, work).await?;
        *table = Some(taken);
        self.locked = Locked { table, place };
        done.map(|done| (self, done))
    }

    /// Keeps a step, and then does it; tells all who watch. `played`: the game has taken it already.
    ///
    /// # Errors
    /// It cannot be kept. Then the table is made again of what is kept when somebody next asks for it.
    pub async fn change(mut self, step: Step) -> Result<Self, ApiError> {
        let Some(mut table) = self.locked.table.take() else { return Err(lost()) };
        let text = String::from_utf8(crate::json::text(&step)).unwrap_or_default();
        // Until it is put back, nobody finds the table in memory.
        if !self.service.store.append_step(table.id, table.steps, text).await? {
            return Err(ApiError::Conflict(OVERTAKEN.to_owned()));
        }
        let limits = self.service.limits;
        let Locked { table: mut guard, place } = self.locked;
        let work = move |budget: Budget<'_>| {
            let action = matches!(step, Step::Action(_));
            table.take(step, engine_limits(&limits, budget))?;
            place.publish(&table, !action);
            *guard = Some(table);
            Ok((guard, place))
        };
        let (table, place) = self.service.cpu.run(Claim::light(self.peer), work).await?;
        self.locked = Locked { table, place };
        Ok(self)
    }
}

/// What is said where another server changed a table at the same moment.
pub const OVERTAKEN: &str = "the table was changed by somebody else at the same time; try again";

fn lost() -> ApiError {
    ApiError::Unavailable("the table is made again; try again".to_owned())
}

/// Does something to its end, whether the caller waits for it or not.
///
/// # Errors
/// What it gives.
pub async fn to_the_end<T: 'static>(
    work: impl Future<Output = Result<T, ApiError>> + 'static,
) -> Result<T, ApiError> {
    let cost = crate::cost::Cost::current().unwrap_or_default();
    match actix_web::rt::spawn(cost.within(work)).await {
        Ok(done) => done,
        Err(error) => Err(ApiError::Internal(format!("a change of a table was lost: {error}"))),
    }
}
