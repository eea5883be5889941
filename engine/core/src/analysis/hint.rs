//! Hints: what a seat should do now, ranked, from what the seat knows.
//!
//! Two positions that the seat cannot tell apart give the same bytes. Must not look at anything but the
//! seat's view and what the seat remembers of the record.

use serde::Serialize;
use serde_json::value::RawValue;

use super::course::Course;
use super::search::{Found, Nothing, Params, Position, Proof, Ranked, Spread, search};
use super::shares::Shares;
use crate::chance::explore::Explore;
use crate::game::{FullGame, Observer, Seat, Table, TableSetup};
use crate::people::{Sentences, sentences};
use crate::record::{Fault, FaultCode, RawRecord};
use crate::replay::Limits;
use crate::replay::answer::{ENGINE, PendingDecision, Unanswered, pending, raw};
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameId, GameSeat};

/// The fewest and the most simulations that one question may ask for.
pub const SIMULATIONS: std::ops::RangeInclusive<u32> = 1..=1_000_000;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The ply; the last good one where it is left out.
    pub ply: Option<u32>,
    /// Who asks; the first seat that decides where it is left out.
    pub seat: Option<Seat>,
    /// Number of simulations, within [`SIMULATIONS`].
    pub simulations: u32,
    /// What makes this answer another than one with another seed.
    pub seed: &'a str,
    /// The most actions that are listed.
    pub most: usize,
    /// How much it may cost.
    pub limits: Limits<'a>,
    /// Who does the work.
    pub spread: &'a dyn Spread,
}

/// Why there is no advice.
#[derive(Clone, PartialEq, Debug)]
pub enum Unadvised {
    /// The record gives no such table.
    Unanswered(Unanswered),
    /// The game is over at that ply.
    Over,
    /// The seat does not decide there; these do.
    NotAsked {
        /// The seats that decide.
        deciders: Vec<&'static str>,
    },
    /// No world fits what the seat knows.
    NoWorld,
}

impl From<Fault> for Unadvised {
    fn from(fault: Fault) -> Self {
        Unadvised::Unanswered(fault.into())
    }
}

/// The chance of a seat to win.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SeatChance))]
pub struct SeatChance {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// From 0 to 1, to four places. A game that nobody wins counts as won in equal parts by those who stand
    /// first.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 1))]
    pub chance: f64,
}

/// An action and how well it does.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Advice))]
pub struct Advice {
    /// The action, as a record takes it.
    #[cfg_attr(feature = "schema", schema(value_type = GameAction))]
    pub action: Box<RawValue>,
    /// The same in plain words.
    pub text: Option<String>,
    /// The chance to win of the seat that takes it, from 0 to 1. Where two play, it is that of what comes of the action if
    /// both go on as search found best; where more play, the mean of all simulations.
    #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 1))]
    pub chance: f64,
    /// The standard error of that chance, from the simulations; 0 where it is proven.
    pub error: f64,
    /// In how many simulations it was taken.
    pub visits: u32,
    /// Only where the chance is no estimate: where every line and every fall was followed to the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub proven: Option<Proven>,
}

/// Why the chance of an action is certain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Proven))]
pub struct Proven {
    /// The game is over after at most so many actions, this one included, however the others play and whatever falls.
    pub plies: u32,
    /// The action and what follows if all play their best, to the end of the game or to the first fall.
    pub line: Vec<ProvenStep>,
}

/// An action of a proven line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::ProvenStep))]
pub struct ProvenStep {
    /// The action, as a record takes it.
    #[cfg_attr(feature = "schema", schema(value_type = GameAction))]
    pub action: Box<RawValue>,
    /// The same in plain words.
    pub text: Option<String>,
}

/// What a seat should do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Hint))]
pub struct Hint {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The ply.
    pub ply: u32,
    /// The seat that is advised.
    #[cfg_attr(feature = "schema", schema(value_type = GameSeat))]
    pub player: &'static str,
    /// From whose knowledge: the seat's own.
    #[cfg_attr(feature = "schema", schema(value_type = GameSeat))]
    pub perspective: &'static str,
    /// What is to be decided.
    pub decision: PendingDecision,
    /// Number of simulations.
    pub budget: u32,
    /// The chance of each seat, if the best action is taken.
    pub chances: Vec<SeatChance>,
    /// The standard error of the advised seat's chance.
    pub error: f64,
    /// Number of actions that were tried; a large family of actions is tried by some of its members.
    pub tried: u32,
    /// The best actions, the most visited first. Those that are proven stand before the first that seems worth less: of
    /// proven wins the shortest first, of proven losses the longest.
    pub actions: Vec<Advice>,
}

sentences! {
    ProvenStep: text;
    Proven: line;
    Advice: text, proven;
    Hint: actions;
}

/// A number to four places, as answers give it.
pub(super) fn rounded(number: f64) -> f64 {
    let scaled = (number * 10_000.0).round() / 10_000.0;
    if scaled == 0.0 { 0.0 } else { scaled }
}

/// The chance of each seat in use.
pub(super) fn chances<G: FullGame>(setup: &G::Setup, shares: &Shares) -> Vec<SeatChance> {
    let line = |seat: Seat| SeatChance {
        player: G::META.seat_name(seat),
        chance: rounded(shares[seat.index()]),
    };
    G::Setup::players(setup).iter().map(line).collect()
}

/// A ranked action for people.
pub(super) fn advice<G: FullGame>(
    table: &Table<G>,
    seat: Seat,
    ranked: &Ranked<G::Action>,
) -> Advice {
    Advice {
        action: raw(&ranked.action),
        text: G::describe_action(table.setup(), Some(table.state()), &ranked.action),
        chance: rounded(ranked.shares[seat.index()]),
        error: rounded(ranked.error),
        visits: ranked.visits,
        proven: ranked.proof.as_ref().map(|proof| proven(table, proof)),
    }
}

/// A proof for people.
fn proven<G: FullGame>(table: &Table<G>, proof: &Proof<G::Action>) -> Proven {
    let mut table = table.bare();
    let mut line = Vec::with_capacity(proof.line.len());
    for action in &proof.line {
        let text = G::describe_action(table.setup(), Some(table.state()), action);
        line.push(ProvenStep { action: raw(action), text });
        // After the last action something may fall.
        if table.play(action, &mut Explore::default()).is_err() {
            break;
        }
    }
    Proven { plies: proof.plies, line }
}

/// What a seat should do at a ply of a record.
///
/// # Errors
/// [`Unadvised`], where the record gives no table, the game is over there, or the seat is not asked.
pub(crate) fn hint<G: FullGame>(
    record: &RawRecord<'_>,
    asked: &Asked<'_>,
) -> Result<Hint, Unadvised> {
    let course = Course::<G>::of(record, asked.limits)?;
    let ply = asked.ply.unwrap_or(course.plies());
    let table = course.at(ply).ok_or(Unanswered::NoSuchPly { asked: ply, plies: course.plies() });
    let table = table.map_err(Unadvised::Unanswered)?;
    let deciders = table.decision().seats;
    let Some(seat) = asked.seat.or(deciders.lowest()) else { return Err(Unadvised::Over) };
    let position = course.position(ply, Observer::Seat(seat));
    let position = position.unwrap_or_else(|| Position::of(table, Observer::Seat(seat)));
    advised(table, &position, seat, asked)
}

/// What a seat should do at a table, from the position as it knows it.
///
/// # Errors
/// [`Unadvised`]: the game is over there, the seat is not asked, or no world fits what it knows.
pub(crate) fn advised<G: FullGame>(
    table: &Table<G>,
    position: &Position<G>,
    seat: Seat,
    asked: &Asked<'_>,
) -> Result<Hint, Unadvised> {
    let found = searched(table, position, seat, asked)?;
    let best = found.value();
    Ok(Hint {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
        ply: table.ply(),
        player: G::META.seat_name(seat),
        perspective: G::META.seat_name(seat),
        decision: pending(table),
        budget: found.simulations,
        chances: chances::<G>(table.setup(), &best),
        error: rounded(found.error()),
        tried: found.actions.len() as u32,
        actions: found
            .actions
            .iter()
            .take(asked.most)
            .map(|ranked| advice::<G>(table, seat, ranked))
            .collect(),
    })
}

fn searched<G: FullGame>(
    table: &Table<G>,
    position: &Position<G>,
    seat: Seat,
    asked: &Asked<'_>,
) -> Result<Found<G::Action>, Unadvised> {
    let params = Params::of::<G>(asked.simulations, asked.seed);
    let found = search(position, Some(seat), params, asked.limits.budget, asked.spread);
    found.map_err(|nothing| match nothing {
        Nothing::Over => Unadvised::Over,
        Nothing::NotAsked => {
            let seats = table.decision().seats.iter();
            Unadvised::NotAsked { deciders: seats.map(|it| G::META.seat_name(it)).collect() }
        }
        Nothing::NoWorld => Unadvised::NoWorld,
        Nothing::Stopped => Fault::from(crate::budget::Spent).into(),
    })
}

/// Whether a fault says that the work was stopped.
pub fn is_stopped(unadvised: &Unadvised) -> bool {
    matches!(unadvised, Unadvised::Unanswered(Unanswered::Fault(fault)) if fault.code == FaultCode::Stopped)
}
