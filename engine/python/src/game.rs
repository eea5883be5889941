//! A game that grows action by action, for programs that play many.
//!
//! This module must not know a game: it hands over a table of the referee.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use umpire_referee::questions::rules::GameList;
use umpire_referee::table::Table;

/// The games: id, and the names of all seats.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, Vec<&'static str>)> {
    GameList::all().games.iter().map(|game| (game.id, game.seats.to_vec())).collect()
}

/// A game in progress, begun from a record whose actions are legal and whose chance is a seed.
#[pyclass(frozen, module = "umpire._native")]
pub(crate) struct Game(Mutex<Table>);

impl Game {
    fn with<T>(&self, work: impl FnOnce(&mut Table) -> T) -> T {
        // An illegal action changes nothing, so a panic leaves nothing half done.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Game {
    /// Opens a record.
    #[staticmethod]
    fn open(py: Python<'_>, record: &[u8]) -> PyResult<Self> {
        let table = py.detach(|| Table::open(record)).map_err(|why| crate::problem(py, &why))?;
        Ok(Game(Mutex::new(table)))
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.with(|table| table.game().meta().id)
    }

    /// The seats in use.
    #[getter]
    fn seats(&self) -> Vec<&'static str> {
        self.with(|table| table.seats())
    }

    /// Number of actions accepted so far.
    #[getter]
    fn ply(&self) -> u32 {
        self.with(|table| table.ply())
    }

    /// The seats that decide; none when the game is over.
    #[getter]
    fn deciders(&self) -> Vec<&'static str> {
        self.with(|table| table.decision().players)
    }

    /// How the game stands as a viewer knows it, as JSON.
    fn look<'py>(&self, py: Python<'py>, viewer: &str) -> PyResult<Bound<'py, PyBytes>> {
        let text = py.detach(|| self.with(|table| table.look(viewer)));
        Ok(PyBytes::new(py, &text.map_err(|why| crate::problem(py, &why))?))
    }

    /// What a program may choose between for a seat, each as JSON, and whether no sensible action is left out.
    fn offers<'py>(
        &self,
        py: Python<'py>,
        seat: &str,
        most: usize,
    ) -> PyResult<(Vec<Bound<'py, PyBytes>>, bool)> {
        let offers = py.detach(|| self.with(|table| table.offers(seat, most)));
        let (actions, whole) = offers.map_err(|why| crate::problem(py, &why))?;
        let actions = actions.iter().map(|it| PyBytes::new(py, it.get().as_bytes()));
        Ok((actions.collect(), whole))
    }

    /// Tries an action: nothing if it was accepted, else why it is illegal, as JSON, and nothing has changed.
    fn play<'py>(&self, py: Python<'py>, action: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let tried = py.detach(|| self.with(|table| table.act(action)));
        let refused = tried.map_err(|why| crate::problem(py, &why))?;
        Ok(refused.map(|violation| PyBytes::new(py, &violation)))
    }
}
