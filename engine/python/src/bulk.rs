//! Verdicts on many records at once: lists of texts, and arrays of Arrow.
//!
//! This module must not keep a record after it was judged.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_data::ArrayData;
use arrow_pyarrow::{FromPyArrow, ToPyArrow};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use rayon::prelude::*;
use umpire_referee::Budget;
use umpire_referee::call::judge_one;
use umpire_referee::columns::{Row, Verdicts};
use umpire_referee::parameters::JudgeParameters;
use umpire_referee::query::parameters;
use umpire_referee::questions::validate::line;

use crate::working;

/// How many records one thread takes at a time.
const PIECE: usize = 64;

/// How many rows a table of verdicts has at most that is handed over as one piece.
const ROWS: usize = 1024;

/// Judges records, each in the place of a line of NDJSON, the first in line `first`: the lines with which the service
/// would answer them, in order.
#[pyfunction]
pub(crate) fn judge_list<'py>(
    py: Python<'py>,
    records: Vec<PyBackedBytes>,
    query: &str,
    first: u64,
) -> PyResult<Bound<'py, PyList>> {
    let how: JudgeParameters = parameters(query).map_err(|error| crate::problem(py, &error))?;
    let records = &records;
    let lines: Vec<Vec<u8>> = working::until_interrupted(py, |budget| {
        let lines = records.par_iter().with_max_len(PIECE).enumerate().map(|(at, text)| {
            // Who has pressed Ctrl-C waits for nothing more.
            if budget.is_spent() {
                return Vec::new();
            }
            let judged = judge_one(text, how, budget);
            line(&judged, first + at as u64)
        });
        lines.collect()
    })?;
    PyList::new(py, lines.iter().map(|line| PyBytes::new(py, line)))
}

/// An array of texts, whichever way it holds them.
struct Texts(ArrayRef);

impl Texts {
    fn new(array: ArrayRef) -> PyResult<Self> {
        match array.data_type() {
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView => Ok(Texts(array)),
            other => {
                Err(PyTypeError::new_err(format!("an array of texts is expected, not of {other}")))
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// The text of a row; an empty one where there is none.
    fn at(&self, row: usize) -> &[u8] {
        let array = &self.0;
        if array.is_null(row) {
            return &[];
        }
        match array.data_type() {
            DataType::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
            DataType::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
            DataType::Utf8View => array.as_string_view().value(row).as_bytes(),
            DataType::Binary => array.as_binary::<i32>().value(row),
            DataType::LargeBinary => array.as_binary::<i64>().value(row),
            _ => array.as_binary_view().value(row),
        }
    }
}

fn tables(
    texts: &Texts,
    how: JudgeParameters,
    first: u64,
    budget: Budget<'_>,
) -> Result<Vec<RecordBatch>, ArrowError> {
    let starts: Vec<usize> = (0..texts.len()).step_by(ROWS).collect();
    let table = |start: &usize| {
        let rows = *start..(start + ROWS).min(texts.len());
        let judged: Vec<Row> = rows
            .into_par_iter()
            .with_max_len(PIECE)
            .filter(|_| !budget.is_spent())
            .map(|row| Row::of(&judge_one(texts.at(row), how, budget), first + row as u64))
            .collect();
        let mut verdicts = Verdicts::default();
        judged.iter().for_each(|row| verdicts.add(row));
        verdicts.batch()
    };
    starts.par_iter().map(table).collect()
}

/// Judges the records of an array of texts, the first as in line `first` of NDJSON: tables of verdicts, in order.
#[pyfunction]
pub(crate) fn judge_arrow<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyAny>,
    query: &str,
    first: u64,
) -> PyResult<Bound<'py, PyList>> {
    let how: JudgeParameters = parameters(query).map_err(|error| crate::problem(py, &error))?;
    let texts = Texts::new(make_array(ArrayData::from_pyarrow_bound(array)?))?;
    let tables = working::until_interrupted(py, |budget| tables(&texts, how, first, budget))?;
    let tables = tables.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let tables: Vec<Bound<'py, PyAny>> =
        tables.iter().map(|table| table.to_pyarrow(py)).collect::<PyResult<_>>()?;
    PyList::new(py, tables)
}
