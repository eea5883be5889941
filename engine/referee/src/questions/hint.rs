//! The best actions for a seat.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::hint::{Asked as Question, Unadvised};
use umpire_engine::analysis::search::InTurn;
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::{Observer, Seat};
use umpire_engine::record::{Fault, FaultCode};

use super::{Asked, MOST_SIMULATIONS, read, seed_of, unanswered, viewer, within_bounds};
use crate::json;
use crate::parameters::Eyes;
use crate::problem::{Problem, shorten};

/// A request for advice.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct HintRequest<'a> {
    /// The record; or give the `id` of a stored record.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The ply; after the last legal action by default.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    ply: Option<u32>,
    /// The seat to advise; by default the first one that has to decide. For a stored record, a
    /// token that is bound to a seat can only ask for that seat.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    seat: Option<Cow<'a, str>>,
    /// Number of simulations: the budget.
    #[serde(default = "thousand")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20000, default = 1000))]
    simulations: u32,
    /// Random seed.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
    /// The maximum number of actions to list.
    #[serde(default = "five")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 100, default = 5))]
    most: usize,
}

fn thousand() -> u32 {
    1000
}

fn five() -> usize {
    5
}

/// The seat that a request names, if the caller may view the game as that seat.
fn seat(game: &dyn AnyGame, name: Option<&str>, eyes: Eyes) -> Result<Option<Seat>, Problem> {
    let named = match name {
        None => None,
        Some(name) => {
            let seat = game.meta().seat(name).ok_or_else(|| {
                let seats = game.meta().seats.join(", ");
                let detail = format!("unknown seat {:?}; expected one of {seats}", shorten(name));
                Fault::new(FaultCode::BadRecord, "/seat", detail)
            })?;
            Some(seat)
        }
    };
    // A caller that may not view as the referee must view as the seat to advise.
    match viewer(game, name, eyes)? {
        Observer::Referee => Ok(named),
        Observer::Seat(own) => Ok(named.or(Some(own))),
        Observer::Spectator => {
            let detail = "expected a seat: a spectator has nothing to decide".to_owned();
            Err(Fault::new(FaultCode::BadRecord, "/seat", detail).into())
        }
    }
}

/// Advises the seat of a request.
///
/// # Errors
/// The request is invalid, its record cannot be replayed, or that seat has nothing to decide.
pub fn hint(asked: &Asked<'_>, text: &[u8]) -> Result<Vec<u8>, Problem> {
    let request: HintRequest<'_> = read(text)?;
    within_bounds("simulations", request.simulations, MOST_SIMULATIONS)?;
    within_bounds("most", u32::try_from(request.most).unwrap_or(u32::MAX), 100)?;
    let seed = seed_of(request.seed.as_deref())?;
    asked.view_of(request.record, request.id.as_deref(), |submission, eyes| {
        let question = Question {
            ply: request.ply,
            seat: seat(submission.game, request.seat.as_deref(), eyes)?,
            simulations: request.simulations,
            seed,
            most: request.most,
            limits: asked.limits(),
            spread: &InTurn,
        };
        let hint = submission.game.hint(&submission.record, &question);
        let hint = hint.map_err(|error| match error {
            Unadvised::Unanswered(error) => unanswered(error),
            error => error.into(),
        })?;
        Ok(json::text(&hint))
    })
}
