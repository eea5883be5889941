//! What a game is worth to each seat: the chance to win, from 0 to 1.
//!
//! Must not look beyond one state.

use crate::game::{Advice, Outcome, Seat, Seats, TableSetup};

/// The most seats that analysis can think of.
pub const SEATS: usize = 8;

/// A number for each seat, by its index.
pub type Shares = [f64; SEATS];

/// The win divided equally among some seats; among nobody, nothing.
pub fn equal(seats: Seats) -> Shares {
    let mut shares = [0.0; SEATS];
    let each = 1.0 / f64::from(seats.iter().count().max(1) as u32);
    for seat in seats.iter() {
        shares[seat.index()] = each;
    }
    shares
}

/// What a finished game was worth: all to the winner; where there is none, equally to those who stand first
/// in the game's own table, or to everybody where it has none.
pub fn of_outcome<G: Advice>(setup: &G::Setup, state: &G::State, outcome: Outcome) -> Shares {
    match outcome.winner {
        Some(winner) => equal(Seats::one(winner)),
        None => of_standing::<G>(setup, state),
    }
}

/// The same of a game that need not be over: whoever stands first then shares it.
pub fn as_it_stands<G: Advice>(setup: &G::Setup, state: &G::State) -> Shares {
    match G::outcome(setup, state) {
        Some(outcome) => of_outcome::<G>(setup, state, outcome),
        None => of_standing::<G>(setup, state),
    }
}

fn of_standing<G: Advice>(setup: &G::Setup, state: &G::State) -> Shares {
    let standing = G::standing(setup, state);
    let first = standing.iter().filter(|it| it.place == 1).filter_map(|it| G::META.seat(it.player));
    let first = first.fold(Seats::NONE, Seats::with);
    equal(if first.is_empty() { G::Setup::players(setup) } else { first })
}

/// The game's estimate of a state that is not over: softmax of the seats' scores, by other weights than the game's own
/// where there are any. Equal for all where the game has none.
fn estimate<G: Advice>(setup: &G::Setup, state: &G::State, weights: Option<&[&[i32]]>) -> Shares {
    const { assert!(G::META.seats.len() <= SEATS, "more seats than analysis can think of") };
    let seats = G::Setup::players(setup);
    let mut shares = [0.0; SEATS];
    let mut sum = 0.0;
    let mut features = Vec::new();
    for seat in seats.iter() {
        features.clear();
        G::features(setup, state, seat, &mut features);
        let weights = weights.map_or(G::weights(seat), |all| all[seat.index()]);
        let score: i64 = features
            .iter()
            .zip(weights)
            .map(|(&it, &weight)| i64::from(it) * i64::from(weight))
            .sum();
        let score = score.clamp(-30_000, 30_000) as f64 / 1000.0;
        let weight = libm::exp(score);
        shares[seat.index()] = weight;
        sum += weight;
    }
    for seat in seats.iter() {
        shares[seat.index()] /= sum;
    }
    shares
}

/// What a state is worth: what it was worth if it is over, else the game's estimate.
pub fn value<G: Advice>(setup: &G::Setup, state: &G::State) -> Shares {
    value_by::<G>(setup, state, None)
}

/// The same by other weights than the game's own, where there are any: those of each seat by its index.
pub(super) fn value_by<G: Advice>(
    setup: &G::Setup,
    state: &G::State,
    weights: Option<&[&[i32]]>,
) -> Shares {
    match G::outcome(setup, state) {
        Some(outcome) => of_outcome::<G>(setup, state, outcome),
        None => estimate::<G>(setup, state, weights),
    }
}

/// The share of a seat.
pub fn of(shares: &Shares, seat: Seat) -> f64 {
    shares.get(seat.index()).copied().unwrap_or(0.0)
}
