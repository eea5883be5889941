//! The fair draw of a table's seed: each seat commits itself to a secret, then opens it.
//!
//! `docs/records.md` says what is hashed. This module must not know HTTP or a game.

use umpire_engine::chance::fair::{FairStage, is_value};
use umpire_engine::record::{Fault, FaultCode};

use super::journal::{Part, Step};
use super::session::{TableSession, Who};
use crate::http::error::ApiError;

/// A part of a fair draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrawPart {
    /// The commitment of the sender's seat: 64 lower-case hexadecimal digits.
    Commit(String),
    /// The secret behind it: 64 lower-case hexadecimal digits.
    Reveal(String),
    /// The draw goes on without this seat; only the host may say so.
    Without(String),
}

impl TableSession {
    /// Takes part in the fair draw. Once the last part is there, the game begins.
    ///
    /// # Errors
    /// There is no such draw, it is not the turn for this part, or the part does not fit.
    pub async fn draw(self, part: &DrawPart) -> Result<Self, ApiError> {
        self.who.taking_part()?;
        let step = step_of(&self, part)?;
        self.change(step).await
    }
}

/// The step that a part of a fair draw is, if it comes in its turn.
fn step_of(session: &TableSession, part: &DrawPart) -> Result<Step, ApiError> {
    let conflict = |detail: &str| ApiError::conflict(detail.to_owned());
    let wrong =
        |field: &str, detail: &str| ApiError::from(Fault::new(FaultCode::BadRecord, field, detail));
    let table = session.table()?;
    let Some(draw) = &table.fair else {
        return Err(conflict("the seed of this table is not drawn by its players"));
    };
    let stage = draw.stage();
    if stage == FairStage::Drawn {
        return Err(conflict("the seed is drawn already"));
    }
    let seat = match session.who {
        Who::Seat(seat) => Ok(seat),
        _ => Err(ApiError::forbidden("only the token of a seat may do this")),
    };
    let value = |field: &str, text: &str| match is_value(text) {
        true => Ok(text.to_owned()),
        false => Err(wrong(&format!("/{field}"), "64 lower-case hexadecimal digits are expected")),
    };
    match part {
        DrawPart::Commit(text) => {
            let (seat, value) = (seat?, value("commit", text)?);
            if stage != FairStage::Committing || !draw.missing().contains(&seat) {
                return Err(conflict("this seat has committed itself, and cannot do so again"));
            }
            Ok(Step::Commit(Part { seat: seat.to_owned(), value }))
        }
        DrawPart::Reveal(text) => {
            let (seat, value) = (seat?, value("reveal", text)?);
            if stage != FairStage::Revealing || !draw.missing().contains(&seat) {
                return Err(conflict(
                    "secrets are opened once all commitments are there, each once",
                ));
            }
            if !draw.fits(seat, &value) {
                return Err(wrong("/reveal", "this is not the secret of the commitment"));
            }
            Ok(Step::Reveal(Part { seat: seat.to_owned(), value }))
        }
        DrawPart::Without(other) => {
            session.who.hosting()?;
            if !draw.missing().contains(&other.as_str()) {
                return Err(conflict("the draw does not wait for that seat"));
            }
            if !draw.giving().any(|part| part.who != *other) {
                return Err(conflict("somebody must take part"));
            }
            Ok(Step::Without(other.clone()))
        }
    }
}
