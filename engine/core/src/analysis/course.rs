//! The course of a record: the table at every ply of its legal part.
//!
//! Must not judge: what is refused ends the course.

use std::sync::Arc;

use crate::game::{Game, Keep, Table};
use crate::record::{Fault, RawRecord};
use crate::replay::{Limits, Replay, load};

/// The tables of a record.
pub(super) struct Course<G: Game> {
    /// The table before each action, and the one after the last; at least one.
    pub(super) tables: Vec<Table<G>>,
    /// The actions that were accepted.
    pub(super) actions: Vec<G::Action>,
    /// Whether it begins with the game's own opening, not with a loaded position.
    pub(super) opened: bool,
}

impl<G: Game> Course<G> {
    /// The course of a record, as far as it is legal.
    pub(super) fn of(record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Self, Fault> {
        let loaded = load::<G>(record, limits)?;
        let opened = loaded.position.is_none();
        let mut replay = Replay::open(loaded, Keep::Nothing);
        let mut tables = vec![replay.table.bare()];
        while replay.step()? {
            tables.push(replay.table.bare());
        }
        let mut actions = std::mem::take(&mut replay.actions);
        actions.truncate(tables.len() - 1);
        Ok(Course { tables, actions, opened })
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
}
