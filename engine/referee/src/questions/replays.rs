//! The report of a replay.

use umpire_engine::any_game::AnyGame;
use umpire_engine::report::Report;

use super::Asked;
use crate::language::Voice;
use crate::parameters::{ReplayParameters, SENT};
use crate::problem::Problem;
use crate::reading;

/// The report of a record that was sent, and the voice of its texts.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn replay(
    asked: &Asked<'_>,
    text: &[u8],
    parameters: &ReplayParameters,
) -> Result<(Report, Voice), Problem> {
    let spoken = |game: &'static dyn AnyGame, mut report: Report| {
        let voice = parameters.lang.of(game);
        voice.report(&mut report);
        (report, voice)
    };
    if let Some((game, partial)) = reading::partial(text)? {
        let query = parameters.query(game, SENT, &asked.limits, asked.budget)?;
        return Ok(spoken(game, game.replay_partial(&partial, &query)?));
    }
    reading::with_record(text, |submission| {
        let query = parameters.query(submission.game, SENT, &asked.limits, asked.budget)?;
        Ok(spoken(submission.game, submission.replay(&query)?))
    })
}
