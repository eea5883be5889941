//! The engine as a Python module: the half of the package `umpire` that is compiled.
//!
//! It takes and gives JSON as bytes, and Arrow through its C data interface; what Python programs meet stands in
//! `umpire/` beside it. Answers are made by `umpire_referee`, as the bodies of the service are. This crate must not
//! judge anything, must not know a game, and must not hold the interpreter's lock while the engine works.

mod bulk;
mod game;
mod working;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyModule};
use umpire_referee::call::{Call, answer};
use umpire_referee::problem::Problem as Why;
use umpire_referee::{Budget, InTurn, json};

create_exception!(
    umpire._native,
    Problem,
    PyException,
    "A problem, as JSON: what the service would send."
);

/// A problem as the service sends it.
fn problem(py: Python<'_>, why: &Why) -> PyErr {
    Problem::new_err(PyBytes::new(py, &json::text(why)).unbind())
}

/// Asks the engine: the body with which the service would answer.
#[pyfunction]
fn ask<'py>(
    py: Python<'py>,
    call: &str,
    query: &str,
    body: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let Some(call) = Call::named(call) else {
        return Err(PyValueError::new_err(format!("there is no call {call:?}")));
    };
    let quick = call.is_quick() && !umpire_referee::reading::may_be_partial(body);
    let answer = match quick {
        true => py.detach(|| answer(call, query, body, Budget::UNLIMITED, &InTurn)),
        false => working::until_interrupted(py, |budget| {
            answer(call, query, body, budget, &working::Threads)
        })?,
    };
    let answer = answer.map_err(|error| problem(py, &error))?;
    Ok(PyBytes::new(py, &answer))
}

/// The compiled half of the package `umpire`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ENGINE", umpire_referee::ENGINE)?;
    module.add("Problem", module.py().get_type::<Problem>())?;
    module.add_function(wrap_pyfunction!(ask, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::judge_list, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::judge_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_class::<game::Game>()
}
