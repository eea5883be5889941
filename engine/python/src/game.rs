//! A game that grows action by action, for programs that play many.
//!
//! What it answers is what a replay of the same record answers. This module must not know a game.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::value::RawValue;
use umpire_api::error::ApiError;
use umpire_api::{json, referee};
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Observer;
use umpire_engine::games::GAMES;
use umpire_engine::live::{Live, Sender, Tried};
use umpire_engine::replay::Limits;

/// The games: id, and the names of all seats.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, Vec<&'static str>)> {
    GAMES.iter().map(|game| (game.meta().id, game.meta().seats.to_vec())).collect()
}

/// A game in progress, begun from a record whose actions are legal and whose chance is a seed.
#[pyclass(frozen, module = "umpire._native")]
pub(crate) struct Game {
    game: &'static dyn AnyGame,
    live: std::sync::Mutex<Box<dyn Live>>,
}

impl Game {
    fn with<T>(&self, work: impl FnOnce(&mut dyn Live) -> T) -> T {
        // An action that is refused changes nothing, so that nothing half done is left by a panic either.
        let mut live = self.live.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        work(&mut **live)
    }

    fn viewer(&self, name: &str) -> PyResult<Observer> {
        self.game.viewer(name).ok_or_else(|| {
            let seats = self.game.meta().seats.join(", ");
            PyValueError::new_err(format!(
                "{name:?} is nobody who looks; referee, spectator, {seats} are"
            ))
        })
    }
}

#[pymethods]
impl Game {
    /// Opens a record.
    #[staticmethod]
    fn open(py: Python<'_>, record: &[u8]) -> PyResult<Self> {
        let opened = py.detach(|| {
            referee::with_record(record, |it| {
                let live = it.game.live(&it.record, Limits::default())?;
                Ok::<_, ApiError>(Game { game: it.game, live: std::sync::Mutex::new(live) })
            })
        });
        opened.map_err(|error| crate::problem(py, &error))
    }

    /// The id of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.meta().id
    }

    /// The seats in use.
    #[getter]
    fn seats(&self) -> Vec<&'static str> {
        self.with(|live| live.seats())
    }

    /// Number of actions accepted so far.
    #[getter]
    fn ply(&self) -> u32 {
        self.with(|live| live.ply())
    }

    /// The seats that decide; nobody when the game is over.
    #[getter]
    fn deciders(&self) -> Vec<&'static str> {
        self.with(|live| live.decision().players)
    }

    /// How it stands as a viewer knows it, as JSON.
    fn look<'py>(&self, py: Python<'py>, viewer: &str) -> PyResult<Bound<'py, PyBytes>> {
        let viewer = self.viewer(viewer)?;
        let text = py.detach(|| self.with(|live| json::text(&live.look(viewer))));
        Ok(PyBytes::new(py, &text))
    }

    /// What a program may choose between for a seat, each as JSON, and whether no sensible action is left out.
    fn offers<'py>(
        &self,
        py: Python<'py>,
        seat: &str,
        most: usize,
    ) -> PyResult<(Vec<Bound<'py, PyBytes>>, bool)> {
        let Observer::Seat(seat) = self.viewer(seat)? else {
            return Err(PyValueError::new_err(format!("{seat:?} is not a seat")));
        };
        let (actions, whole) = py.detach(|| self.with(|live| live.offers(seat, most)));
        let actions = actions.iter().map(|it| PyBytes::new(py, it.get().as_bytes()));
        Ok((actions.collect(), whole))
    }

    /// Tries an action: nothing if it was taken, else why it was refused, as JSON, and nothing has changed.
    fn play<'py>(&self, py: Python<'py>, action: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let action: &RawValue = serde_json::from_slice(action).map_err(|error| {
            PyValueError::new_err(format!("the action is not valid JSON: {error}"))
        })?;
        let sender = Sender { seat: None, viewer: Observer::Referee };
        let tried = py.detach(|| {
            self.with(|live| {
                let action = live.read(action)?;
                live.play(&action, Vec::new(), sender)
            })
        });
        match tried {
            Ok(Tried::Taken) => Ok(None),
            Ok(Tried::Refused(violation)) => Ok(Some(PyBytes::new(py, &json::text(&violation)))),
            Err(fault) => Err(PyValueError::new_err(fault.to_string())),
        }
    }
}
