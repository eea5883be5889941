//! Seats that a program plays: whenever it is their turn, they think, and act.
//!
//! A program knows what its seat knows, and nothing else: it is advised like anybody who asks for a hint. This module
//! must not decide what is good.

use std::sync::Arc;

use umpire_engine::analysis::hint::Asked;
use umpire_engine::analysis::search::InTurn;
use umpire_engine::budget::Budget;

use super::Tables;
use super::act::{ActionSent, Moments, Precondition};
use super::answer::LegalWanted;
use super::session::{OVERTAKEN, TableSession, Who};
use super::table::Table;
use super::watch::Thinking;
use crate::http::error::{ApiError, Code};
use crate::http::peer::Peer;
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
            let (tables, id) = (self.tables.clone(), table.id);
            actix_web::rt::spawn(async move {
                if let Err(error) = play(&tables, id, thinking).await {
                    tracing::warn!(%error, table = %id, "a program stopped playing");
                }
            });
        }
    }
}

/// Plays until it is no program's turn.
async fn play(tables: &Arc<Tables>, id: TableId, thinking: Thinking) -> Result<(), ApiError> {
    loop {
        let locked = tables.open(id, Peer::SELF).await?;
        let table = locked.table.as_ref();
        let asked = table.and_then(|table| {
            let turn = Turn::at(table)?;
            let seat = table.game.meta().seat(turn.seat)?;
            Some((table.version(), turn, seat, table.live.as_deref()?.seen_by(seat)))
        });
        let Some((version, Turn { seat, simulations }, number, seen)) = asked else {
            // Before the table can be changed: whoever changes it wakes the programs again.
            thinking.end();
            return Ok(());
        };
        // Others may go on while it thinks.
        drop(locked);
        let limits = tables.limits;
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
        let thought = tables.cpu.stream(Claim::heavy(Peer::SELF), think).await?;
        let Some(action) = thought else { return Ok(()) };
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
        let locked = tables.open(id, Peer::SELF).await?;
        let tables = tables.clone();
        let session = TableSession { tables, locked, who: Who::Program(seat), peer: Peer::SELF };
        match session.act(&Arc::new(sent)).await {
            Ok(_) => {}
            Err(error) if error.code() == Code::Stale => {}
            // Somebody came to it by another server.
            Err(error) if error.to_string() == OVERTAKEN => {}
            Err(error) => return Err(error),
        }
    }
}
