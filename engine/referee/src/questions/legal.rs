//! The legal actions of a record, and who has to decide.

use umpire_engine::replay;

use super::{Answer, Asked};
use crate::json;
use crate::parameters::{LegalParameters, SENT};
use crate::problem::Problem;
use crate::reading::{self, Submission};

/// The legal actions of a record that was sent.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn legal(
    asked: &Asked<'_>,
    text: &[u8],
    parameters: &LegalParameters,
) -> Result<Answer, Problem> {
    reading::with_record(text, |submission| {
        let query = parameters.query(submission.game, SENT, &asked.limits, asked.budget)?;
        listed(submission, &query, parameters)
    })
}

/// The legal actions of a record that was read.
///
/// # Errors
/// The record cannot be replayed, or has no such ply.
pub fn listed(
    submission: &Submission<'_>,
    query: &replay::Query<'_>,
    parameters: &LegalParameters,
) -> Result<Answer, Problem> {
    let voice = parameters.lang.of(submission.game);
    let mut legal = submission.legal(query, parameters.wanted())?;
    voice.choices(&mut legal.choices);
    Ok((json::text(&legal), voice))
}
