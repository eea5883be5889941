//! The course of a record: the table at every ply of its legal part.
//!
//! Must not judge: what is refused ends the course.

use std::sync::Arc;

use super::minds::Minds;
use super::search::Position;
use crate::game::{Advice, Keep, Log, Observer, Table};
use crate::record::{Fault, RawRecord};
use crate::replay::{Limits, Replay, load};

/// The tables of a record.
pub(super) struct Course<G: Advice> {
    /// The table before each action, and the one after the last; at least one.
    pub(super) tables: Vec<Table<G>>,
    /// The actions that were accepted.
    pub(super) actions: Vec<G::Action>,
    /// Whether it begins with the game's own opening, not with a loaded position.
    pub(super) opened: bool,
    /// What everybody remembers at each of the tables; empty in a game without anything to remember.
    minds: Vec<Minds<G>>,
}

impl<G: Advice> Course<G> {
    /// The course of a record, as far as it is legal.
    pub(super) fn of(record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Self, Fault> {
        let loaded = load::<G>(record, limits)?;
        let opened = loaded.position.is_none();
        let keep = if Minds::<G>::NEEDED { Keep::Log } else { Keep::Nothing };
        let mut replay = Replay::open(loaded, keep);
        let mut tables = vec![replay.table.bare()];
        let mut minds = Vec::new();
        let mut heard = 0;
        loop {
            if let Some(Log { events, .. }) = replay.table.log() {
                let setup = &**replay.table.setup();
                let mut now = match minds.last() {
                    Some(before) => Minds::clone(before),
                    None if opened => Minds::at(setup, &G::start(setup)),
                    // Whoever loads a position sees it as it lies there.
                    None => {
                        heard = events.len();
                        Minds::at(setup, replay.table.state())
                    }
                };
                now.hear(setup, &events[heard..]);
                heard = events.len();
                minds.push(now);
            }
            if replay.step()? {
                tables.push(replay.table.bare());
            } else {
                break;
            }
        }
        let mut actions = std::mem::take(&mut replay.actions);
        actions.truncate(tables.len() - 1);
        Ok(Course { tables, actions, opened, minds })
    }

    /// A course that is told already; nobody remembers anything of it.
    pub(super) fn through(tables: Vec<Table<G>>, actions: Vec<G::Action>) -> Self {
        Course { tables, actions, opened: true, minds: Vec::new() }
    }

    /// The setup.
    pub(super) fn setup(&self) -> &Arc<G::Setup> {
        self.tables[0].setup()
    }

    /// Number of accepted actions.
    pub(super) fn plies(&self) -> u32 {
        self.actions.len() as u32
    }

    /// The table at a ply.
    pub(super) fn at(&self, ply: u32) -> Option<&Table<G>> {
        self.tables.get(ply as usize)
    }

    /// The position at a ply as an observer knows it who was there from the beginning of the record.
    pub(super) fn position(&self, ply: u32, observer: Observer) -> Option<Position<G>> {
        let memory = self.minds.get(ply as usize).map(|minds| minds.of(observer));
        Some(Position::remembered(self.at(ply)?, observer, memory.unwrap_or_default()))
    }
}
