//! Taking actions back: by all whom it concerns, or by the host.
//!
//! Whether it is allowed must follow from what the asking seat knows. This module must not know HTTP or a game.

use umpire_engine::live::Disclosed;
use umpire_engine::record::{Fault, FaultCode};

use super::journal::{Agreed, Step};
use super::session::{TableSession, Who};
use super::table::Proposal;
use crate::http::error::ApiError;
use crate::limits::cpu::Claim;

/// After this many steps, nothing is taken back at a table any more: its journal keeps every action that was taken, and
/// would grow for ever. No record has so many actions.
const MOST_STEPS: u32 = 40_000;

impl TableSession {
    /// Goes back to a ply, or agrees to that. With `None` a seat withdraws its agreement.
    ///
    /// # Errors
    /// There are not so many actions, the seat is not concerned, taking them back would leave somebody with knowledge of
    /// something hidden, or too much has been taken back at the table.
    pub async fn take_back(self, to: Option<u32>) -> Result<Self, ApiError> {
        self.who.taking_part()?;
        let table = self.table()?;
        table.check_open()?;
        if table.steps >= MOST_STEPS {
            let detail = format!(
                "the table has been changed {MOST_STEPS} times; nothing more is taken back"
            );
            return Err(ApiError::conflict(detail));
        }
        let Some(to) = to else { return self.withdraw().await };
        let plies = table.ply();
        if to >= plies {
            let detail = match plies {
                0 => "no action has been taken: there is nothing to take back".to_owned(),
                _ => format!("a number below {plies} is expected: there are so many actions"),
            };
            return Err(Fault::new(FaultCode::BadRecord, "/to", detail).into());
        }
        let Who::Seat(seat) = self.who else { return self.change(Step::Undo(to)).await };
        let wished = |known: &Proposal| known.to == to && known.agreed.contains(seat);
        if table.proposal.as_ref().is_some_and(wished) {
            return Ok(self);
        }
        let concerned = table.concerned(to);
        if !concerned.contains(seat) {
            let detail = "your seat has neither acted since then nor does it decide now";
            return Err(ApiError::conflict(detail.to_owned()));
        }
        let (claim, asker) = (Claim::heavy(self.peer), self.viewer(None)?);
        let job = move |table: &super::table::Table, limits: umpire_engine::replay::Limits<'_>| {
            Ok(table.disclosed(to, asker, limits)?)
        };
        let (session, disclosed) = self.work(claim, job).await?;
        may_be_taken_back(disclosed)?;
        let known = session.table()?.proposal.as_ref().filter(|known| known.to == to);
        let agreed =
            |other: &String| other == seat || known.is_some_and(|it| it.agreed.contains(other));
        let step = match concerned.iter().all(agreed) {
            true => Step::Undo(to),
            false => Step::Agree(Agreed { to, seat: seat.to_owned() }),
        };
        session.change(step).await
    }

    /// Withdraws the agreement of a seat; nothing if it has not agreed to anything.
    async fn withdraw(self) -> Result<Self, ApiError> {
        let proposal = self.table()?.proposal.as_ref();
        match self.who {
            Who::Seat(seat) if proposal.is_some_and(|known| known.agreed.contains(seat)) => {
                self.change(Step::Withdraw(seat.to_owned())).await
            }
            _ => Ok(self),
        }
    }
}

/// Whether players may take actions back among themselves.
fn may_be_taken_back(disclosed: Disclosed) -> Result<(), ApiError> {
    let detail = match disclosed {
        Disclosed::Nothing => return Ok(()),
        Disclosed::Draw => "chance was asked since then; only the host can take it back",
        Disclosed::Secret => "somebody learned something by it; only the host can take it back",
    };
    Err(ApiError::conflict(detail.to_owned()))
}
