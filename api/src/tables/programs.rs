//! Seats that a program plays: whenever it is their turn, they think, and act.
//!
//! A program knows what its seat knows, and nothing else: it is advised like anybody who asks for a hint. This module
//! must not decide what is good.

use std::sync::Arc;

use futures_util::future::{Either, select};
use umpire_engine::analysis::hint::Asked;
use umpire_engine::analysis::search::InTurn;
use umpire_engine::budget::Budget;
use umpire_engine::replay::Limits;

use super::Tables;
use super::act::{ActionSent, Moments, Precondition};
use super::answer::LegalWanted;
use super::session::{OVERTAKEN, TableSession, Who, not_begun};
use super::table::Table;
use super::watch::Thinking;
use crate::http::error::{ApiError, Code};
use crate::http::peer::Peer;
use crate::limits::cost::Cost;
use crate::limits::cpu::Claim;
use crate::store::TableId;
use umpire_referee::language::Language;

/// A program whose turn it is.
struct Turn {
    seat: &'static str,
    simulations: u32,
}

impl Turn {
    /// Whose turn it is, if a program's.
    fn at(table: &Table) -> Option<Turn> {
        if table.sealed.is_some() {
            return None;
        }
        let players = table.live.as_deref()?.decision().players;
        let programs = &table.head.programs;
        players.into_iter().find_map(|seat| {
            programs.get(seat).map(|simulations| Turn { seat, simulations: *simulations })
        })
    }
}

impl TableSession {
    /// Lets the programs of the table act, if it is the turn of one and none is thinking already. Watchers are told what
    /// they do.
    pub fn wake_programs(&self) {
        let Some(table) = self.locked.table.as_ref() else { return };
        if Turn::at(table).is_some()
            && let Some(thinking) = self.locked.place.think()
        {
            let (tables, id, peer) = (self.tables.clone(), table.id, self.peer);
            let place = self.locked.place.clone();
            // The request that woke the programs is charged for their work and waits its turn.
            let cost = Cost::current().unwrap_or_default();
            actix_web::rt::spawn(cost.within(async move {
                let play = Box::pin(play(&tables, id, peer, thinking));
                match select(play, Box::pin(place.gone())).await {
                    Either::Left((Err(error), _)) => {
                        tracing::warn!(%error, table = %id, "a program stopped playing");
                    }
                    Either::Left((Ok(()), _)) | Either::Right(_) => {}
                }
            }));
        }
    }
}

/// If a program takes longer for a decision than a request may, it tries again with so many times fewer simulations.
const FEWER: u32 = 8;

/// Plays until it is no program's turn.
async fn play(
    tables: &Arc<Tables>,
    id: TableId,
    peer: Peer,
    thinking: Thinking,
) -> Result<(), ApiError> {
    // At most so many simulations, after some took too long.
    let mut most = u32::MAX;
    loop {
        if let Some(cost) = Cost::current() {
            cost.settle().await;
        }
        let locked = tables.open(id, peer).await?;
        let table = locked.table.as_ref();
        let asked = table.and_then(|table| {
            let turn = Turn::at(table)?;
            let seat = table.game.meta().seat(turn.seat)?;
            Some((table.version(), turn, seat))
        });
        let Some((version, Turn { seat, simulations }, number)) = asked else {
            // Before the table can be changed: whoever changes it wakes the programs again.
            thinking.end();
            return Ok(());
        };
        let who = Who::Program(seat);
        let session = TableSession { tables: tables.clone(), locked, who, peer };
        let look = move |table: &Table, _: Limits<'_>| {
            Ok(table.live.as_deref().ok_or_else(not_begun)?.seen_by(number))
        };
        // Others may go on while it thinks.
        let (_, seen) = session.work(Claim::light(peer), look).await?;
        let (limits, simulations) = (tables.limits, simulations.min(most));
        let think = move |budget: Budget<'_>| {
            let asked = Asked {
                ply: None,
                seat: Some(number),
                simulations,
                seed: "umpire",
                most: 1,
                limits: limits.engine(budget),
                spread: &InTurn,
            };
            Ok(seen.hint(&asked)?.actions.into_iter().next().map(|best| best.action))
        };
        let action = match tables.cpu.line(Claim::heavy(peer), think).await {
            Ok(Some(action)) => action,
            Ok(None) => return Ok(()),
            Err(error) if error.code() == Code::Unavailable && simulations > 1 => {
                most = simulations / FEWER;
                continue;
            }
            Err(error) => return Err(error),
        };
        let sent = ActionSent {
            action,
            tape: Vec::new(),
            precondition: Precondition {
                at: Some(Moments::Some(vec![version.to_string()])),
                key: None,
            },
            viewer: None,
            lang: Language::ENGLISH,
            legal: LegalWanted { count_only: true, limit: 1, text: false },
            longest_record: tables.limits.max_body,
        };
        let locked = tables.open(id, peer).await?;
        let session = TableSession { tables: tables.clone(), locked, who, peer };
        match session.act(&Arc::new(sent)).await {
            Ok(_) => {}
            Err(error) if error.code() == Code::Stale => {}
            // Somebody came to it by another server.
            Err(error) if error.to_string() == OVERTAKEN => {}
            Err(error) => return Err(error),
        }
    }
}
