//! Whether taking actions back would leave somebody with knowledge of something hidden.
//!
//! Somebody has learned something from a course of actions if there is a world that they took to be possible before and
//! in which no course would have told them the same. So worlds are drawn in which the observer could be, and in each of
//! them a course is looked for that tells the observer what they were told. The question is asked by one observer, and
//! the answer follows from what that observer knows: others are asked about only in the worlds that the asker takes to
//! be possible. Must not look at the true state but to find what the asker was told.

use crate::budget::Budget;
use crate::chance::seeded::Seeded;
use crate::game::{FullGame, Observer, PlayerAction, Seat, Table, TableSetup};
use crate::record::Fault;
use crate::replay::answer::raw;

/// What taking actions back would leave somebody knowing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disclosed {
    /// Nothing but what was decided.
    Nothing,
    /// Something that chance decided.
    Draw,
    /// Something that was hidden from them before.
    Secret,
}

/// How many worlds are drawn for each observer.
const WORLDS: u32 = 12;

/// The most actions that are tried to find one course in one world.
const MOST_TRIED: u32 = 20_000;

/// Whether taking back these actions, played from this table on, would leave somebody with knowledge of something hidden,
/// as far as the asker can tell, who remembers this.
///
/// # Errors
/// The budget is spent.
pub(super) fn disclosed<G: FullGame>(
    table: &Table<G>,
    actions: &[G::Action],
    asker: Observer,
    memory: G::Memory,
    budget: Budget<'_>,
) -> Result<Disclosed, Fault> {
    let observers = others(table, asker);
    // Chance is not the real one here: if an action asks it, that alone decides, and everybody knows that it did.
    let Some(heard) = heard(table.bare(), actions, asker) else { return Ok(Disclosed::Draw) };
    let from = Known { view: table.view(asker), memory };
    let worlds = worlds(table, &from);
    // Where no world can be drawn, nobody can say what is known.
    if worlds.is_empty() {
        return Ok(Disclosed::Secret);
    }
    for world in worlds {
        let Some(course) = retrace(&world, actions, &heard, asker, budget)? else {
            return Ok(Disclosed::Secret);
        };
        for &other in &observers {
            if learns(&world, &course, other, budget)? {
                return Ok(Disclosed::Secret);
            }
        }
    }
    Ok(Disclosed::Nothing)
}

/// Everybody else at the table, the spectator included.
fn others<G: FullGame>(table: &Table<G>, asker: Observer) -> Vec<Observer> {
    let seats = G::Setup::players(table.setup()).iter().map(Observer::Seat);
    seats.chain([Observer::Spectator]).filter(|other| *other != asker).collect()
}

/// What somebody sees of a table, and what they remember.
struct Known<G: FullGame> {
    view: G::View,
    memory: G::Memory,
}

/// Worlds in which the observer could be, each once; none if none can be drawn.
fn worlds<G: FullGame>(table: &Table<G>, known: &Known<G>) -> Vec<Table<G>> {
    let mut chance = Seeded::new("worlds", G::META.streams);
    let mut found: Vec<Table<G>> = Vec::new();
    for _ in 0..WORLDS {
        let Ok(state) = G::imagine(table.setup(), &known.view, &known.memory, &mut chance) else {
            continue;
        };
        if found.iter().all(|world| *world.state() != state) {
            found.push(Table::at(table.setup().clone(), state, table.ply()));
        }
    }
    found
}

/// Whether somebody learns something hidden by a course in a world. Of what they know, only what their view still shows
/// is taken into account.
fn learns<G: FullGame>(
    world: &Table<G>,
    course: &[G::Action],
    observer: Observer,
    budget: Budget<'_>,
) -> Result<bool, Fault> {
    let Some(heard) = heard(world.bare(), course, observer) else { return Ok(true) };
    let view = world.view(observer);
    let memory = G::recall(world.setup(), &view);
    for possible in worlds(world, &Known { view, memory }) {
        if retrace(&possible, course, &heard, observer, budget)?.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What somebody is told by one action.
type News = Vec<String>;

/// What an observer is told by each action of a course. Nothing if chance is asked, or if it cannot be played.
fn heard<G: FullGame>(
    mut table: Table<G>,
    course: &[G::Action],
    observer: Observer,
) -> Option<Vec<News>> {
    course.iter().map(|action| step(&mut table, action, observer)).collect()
}

/// Plays an action and says what an observer is told by it. Nothing if it is refused, or if chance is asked.
fn step<G: FullGame>(table: &mut Table<G>, action: &G::Action, observer: Observer) -> Option<News> {
    let log = table.play_logged(action, &mut Seeded::new("umpire", G::META.streams)).ok()?;
    if !log.tape.is_empty() {
        return None;
    }
    let events = log.events.iter();
    let notices = events.filter_map(|it| G::announce(table.setup(), &it.event, observer));
    Some(notices.map(|notice| raw(&notice).get().to_owned()).collect())
}

/// A course in this world by which the observer is told the same as by the model, action by action; each action is by
/// the same seat, and the observer's own are the same. Nothing if there is none.
fn retrace<G: FullGame>(
    world: &Table<G>,
    model: &[G::Action],
    heard: &[News],
    observer: Observer,
    budget: Budget<'_>,
) -> Result<Option<Vec<G::Action>>, Fault> {
    let mut search = Retrace { model, heard, observer, budget, left: MOST_TRIED };
    let mut course = Vec::with_capacity(model.len());
    Ok(search.from(world, &mut course)?.then_some(course))
}

/// The search for a course.
struct Retrace<'a, G: FullGame> {
    model: &'a [G::Action],
    heard: &'a [News],
    observer: Observer,
    budget: Budget<'a>,
    left: u32,
}

impl<G: FullGame> Retrace<'_, G> {
    /// Whether the course can go on from this table to its end.
    fn from(&mut self, table: &Table<G>, course: &mut Vec<G::Action>) -> Result<bool, Fault> {
        let at = course.len();
        let Some(model) = self.model.get(at) else { return Ok(true) };
        if self.try_next(table, model.clone(), course)? {
            return Ok(true);
        }
        let seat = model.seat();
        if self.observer == Observer::Seat(seat) {
            return Ok(false);
        }
        for action in choices(table, seat) {
            if action != *model && self.try_next(table, action, course)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the course can go on with this action.
    fn try_next(
        &mut self,
        table: &Table<G>,
        action: G::Action,
        course: &mut Vec<G::Action>,
    ) -> Result<bool, Fault> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.budget.spend(1)?;
        let mut next = table.bare();
        let same = step(&mut next, &action, self.observer);
        if same.is_none_or(|news| news != self.heard[course.len()]) {
            return Ok(false);
        }
        course.push(action);
        let done = self.from(&next, course)?;
        if !done {
            course.pop();
        }
        Ok(done)
    }
}

/// The legal actions of a seat that are listed one by one.
fn choices<G: FullGame>(table: &Table<G>, seat: Seat) -> Vec<G::Action> {
    match table.may_act().iter().any(|it| it == seat) {
        true => table.actions(seat),
        false => Vec::new(),
    }
}
