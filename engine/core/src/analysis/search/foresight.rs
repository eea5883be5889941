//! Foresight: what others choose unseen at the same time, as a player expects it of them.
//!
//! Of a bid that everybody pays no single one is right: what is best depends on what the others bid. Here each of them is
//! thought to search as its own seat does, a quarter as long, and to expect the same of the others in turn (levels of
//! thought; Camerer, Ho and Chong 2004 measured that people do so). Must not look at what was chosen, nor at anything that the
//! searcher cannot know: where more than one world is possible, nothing is foreseen.

use super::playout::pick;
use super::position::{Params, Position};
use crate::analysis::random::Random;
use crate::game::{Advice, Observer, Seat, Seats, Table};

/// One part in so many of a search is spent on what others choose.
const PART: u32 = 4;

/// With fewer simulations nobody is thought to search.
const LEAST: u32 = 50;

/// What others are expected to choose at the same time as the searcher, unseen.
#[derive(Clone, Debug)]
pub(super) struct Foresight<A> {
    expected: Vec<(Seat, A)>,
    /// How many simulations it took.
    pub(super) spent: u32,
}

impl<A> Foresight<A> {
    /// Nothing is expected of anybody.
    pub(super) const NONE: Foresight<A> = Foresight { expected: Vec::new(), spent: 0 };

    /// Of whom something is expected.
    pub(super) fn seats(&self) -> Seats {
        self.expected.iter().fold(Seats::NONE, |seats, it| seats.with(it.0))
    }

    /// What is expected of a seat.
    pub(super) fn of(&self, seat: Seat) -> Option<&A> {
        self.expected.iter().find(|it| it.0 == seat).map(|it| &it.1)
    }
}

/// What the others choose who choose at the same time as a seat and do not see what it chooses, by any world that fits the
/// position. `best` searches for what one of them would choose.
pub(super) fn foresee<G: Advice>(
    position: &Position<G>,
    world: &Table<G>,
    seat: Seat,
    params: Params<'_>,
    best: impl Fn(&Position<G>, Seat, Params<'_>) -> Option<G::Action>,
) -> Foresight<G::Action> {
    let mut foresight = Foresight::NONE;
    let mut random = Random::new(params.seed, u64::MAX - 1);
    let open = position.reopened(world.bare()).0;
    let others: Vec<Seat> = unseen(&open, seat, &mut random).iter().collect();
    let share = (params.simulations / PART).checked_div(others.len() as u32);
    let Some(simulations) = share.filter(|&it| it >= LEAST) else { return foresight };
    // What was chosen already is undone: whether anything else is hidden tells the view of that table.
    let Some((_, true)) = Position::of(&open, position.searcher).world(&mut random) else {
        return foresight;
    };
    for other in others {
        let seed = format!("{} expects of {}", params.seed, other.index());
        let params = Params { simulations, seed: &seed, ..params };
        let position = Position::of(&open, Observer::Seat(other));
        foresight.spent += simulations;
        if let Some(action) = best(&position, other, params) {
            foresight.expected.push((other, action));
        }
    }
    foresight
}

/// The seats that decide at the same time as another and cannot see what it chose.
fn unseen<G: Advice>(open: &Table<G>, seat: Seat, random: &mut Random) -> Seats {
    let others = open.decision().seats.without(seat);
    let Some(action) = pick(open, seat, random).filter(|_| !others.is_empty()) else {
        return Seats::NONE;
    };
    let mut chosen = open.bare();
    if chosen.play_on(&action, random).is_err() {
        return Seats::NONE;
    }
    let sees = |other| G::reopen(open.setup(), chosen.state(), Observer::Seat(other)).is_none();
    others.iter().filter(|&it| !sees(it)).fold(Seats::NONE, |seats, it| seats.with(it))
}
