//! Seats that a program plays: whenever one is asked, it thinks, and acts.
//!
//! A program knows what its seat knows, and nothing else: it is advised like anybody who asks for a hint. This module
//! must not decide what is good.

use actix_web::web::Data;
use umpire_engine::analysis::hint::Asked;
use umpire_engine::analysis::search::InTurn;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::live::{Sender, Tried};

use super::parameters::engine_limits;
use super::seated::{AtTable, OVERTAKEN, Who, lock};
use crate::cpu::Claim;
use crate::error::ApiError;
use crate::peer::Peer;
use crate::referee::with_record;
use crate::service::Service;
use crate::store::TableId;
use crate::tables::journal::{Step, Taken};
use crate::tables::table::Table;
use crate::tables::{Thinking, now};

/// A program that is asked at a table.
struct Turn {
    seat: &'static str,
    simulations: u32,
}

/// Whose turn it is, if a program's.
fn turn(table: &Table) -> Option<Turn> {
    if table.sealed.is_some() {
        return None;
    }
    let players = table.live.as_deref()?.decision().players;
    let programs = &table.head.programs;
    players.into_iter().find_map(|seat| {
        programs.get(seat).map(|simulations| Turn { seat, simulations: *simulations })
    })
}

/// Lets the programs of a table act, if one is asked and does not think already. What they do is told to those who
/// watch.
pub(super) fn wake(at: &AtTable) {
    let Ok(table) = at.table() else { return };
    if turn(table).is_some()
        && let Some(thinking) = at.locked.place.think()
    {
        let (service, id) = (at.service.clone(), table.id);
        actix_web::rt::spawn(async move {
            if let Err(error) = play(&service, id, thinking).await {
                tracing::warn!(%error, table = %id, "a program stopped playing");
            }
        });
    }
}

/// Plays until no program is asked any more.
async fn play(service: &Data<Service>, id: TableId, thinking: Thinking) -> Result<(), ApiError> {
    loop {
        let locked = lock(service, id, Peer::SELF).await?;
        let asked = locked.table.as_ref().and_then(|table| Some((table, turn(table)?)));
        let Some((table, Turn { seat, simulations })) = asked else {
            // Before the table can be changed: who changes it wakes the programs again.
            thinking.end();
            return Ok(());
        };
        let (version, record, game) = (table.version(), table.record(), table.game);
        // It thinks while others may go on.
        drop(locked);
        let limits = service.limits;
        let think = move |budget: Budget<'_>| {
            with_record(record.get().as_bytes(), |submission| {
                let asked = Asked {
                    ply: None,
                    seat: game.meta().seat(seat),
                    simulations,
                    seed: "umpire",
                    most: 1,
                    limits: engine_limits(&limits, budget),
                    spread: &InTurn,
                };
                let hint = submission.game.hint(&submission.record, &asked)?;
                Ok::<_, ApiError>(hint.actions.into_iter().next().map(|best| best.action))
            })
        };
        let thought = service.cpu.stream(Claim::heavy(Peer::SELF), think).await?;
        let Some(action) = thought else { return Ok(()) };
        let locked = lock(service, id, Peer::SELF).await?;
        let fits = locked.table.as_ref().is_some_and(|table| {
            table.version() == version && turn(table).is_some_and(|turn| turn.seat == seat)
        });
        if !fits {
            continue;
        }
        let at =
            AtTable { service: service.clone(), locked, who: Who::Seat(seat), peer: Peer::SELF };
        let seat = game.meta().seat(seat);
        let sender = Sender { seat, viewer: seat.map_or(Observer::Spectator, Observer::Seat) };
        let taken = Taken { action: action.clone(), at: now(), tape: Vec::new(), key: None };
        let act = move |table: &mut Table, _: umpire_engine::replay::Limits<'_>| {
            let Some(live) = &mut table.live else { return Ok(false) };
            Ok(matches!(live.play(&action, Vec::new(), sender)?, Tried::Taken))
        };
        let (at, played) = at.work(Claim::light(Peer::SELF), act).await?;
        if !played {
            return Ok(());
        }
        match at.change(Step::Action(taken)).await {
            Ok(_) => {}
            // Somebody came to it by another server.
            Err(ApiError::Conflict(why)) if why == OVERTAKEN => {}
            Err(error) => return Err(error),
        }
    }
}
