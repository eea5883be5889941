//! Verdicts as Arrow columns, and so as Parquet tables.
//!
//! The names, types and order of the columns are stable (docs/archives.md); new ones are added at
//! the end. Numbers are signed, because not every reader of Arrow supports unsigned ones. This
//! module must not judge anything, and must not write files.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use umpire_engine::replay::answer::Judgement;

use crate::problem::Problem;
use crate::questions::validate::line;

/// The columns of a verdict.
const VERDICT: [(&str, DataType, bool); 19] = [
    ("status", DataType::Utf8, false),
    ("game", DataType::Utf8, true),
    ("ruleset", DataType::Utf8, true),
    ("plies", DataType::Int32, true),
    ("winner", DataType::Utf8, true),
    ("reason", DataType::Utf8, true),
    ("claims_hold", DataType::Boolean, true),
    ("fingerprint", DataType::Utf8, true),
    ("violation_ply", DataType::Int32, true),
    ("violation_player", DataType::Utf8, true),
    ("violation_code", DataType::Utf8, true),
    ("violation_rule", DataType::Utf8, true),
    ("violation_pointer", DataType::Utf8, true),
    ("violation_message", DataType::Utf8, true),
    ("problem_code", DataType::Utf8, true),
    ("problem_pointer", DataType::Utf8, true),
    ("problem_detail", DataType::Utf8, true),
    ("warnings", DataType::Int32, true),
    ("answer", DataType::Utf8, false),
];

/// The columns before those of a verdict, for records from files.
const PLACE: [(&str, DataType, bool); 2] =
    [("file", DataType::Utf8, false), ("line", DataType::Int64, true)];

/// The status of a record that could not be read and so has no verdict.
const UNREADABLE: &str = "unreadable";

fn schema<'a>(columns: impl IntoIterator<Item = &'a (&'static str, DataType, bool)>) -> SchemaRef {
    let fields =
        columns.into_iter().map(|(name, kind, null)| Field::new(*name, kind.clone(), *null));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The columns of verdicts.
pub fn verdict_schema() -> SchemaRef {
    schema(&VERDICT)
}

/// The columns of verdicts on records from files.
pub fn placed_schema() -> SchemaRef {
    schema(PLACE.iter().chain(&VERDICT))
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A row of a table of verdicts.
#[derive(Clone, Debug)]
pub struct Row {
    texts: [Option<String>; 14],
    plies: Option<i32>,
    claims_hold: Option<bool>,
    violation_ply: Option<i32>,
    warnings: Option<i32>,
    answer: String,
}

impl Row {
    /// The row of a verdict, or of an error; `number` is the line of the error.
    pub fn of(judged: &Result<Judgement, Problem>, number: u64) -> Self {
        let judgement = judged.as_ref().ok();
        let problem = judged.as_ref().err();
        let verdict = judgement.map(|it| &it.verdict);
        let violation = verdict.and_then(|it| it.violation.as_ref());
        let outcome = verdict.and_then(|it| it.outcome.as_ref());
        let fingerprint = judgement.map(|it| it.fingerprint.to_string());
        let texts: [Option<&str>; 14] = [
            Some(verdict.map_or(UNREADABLE, |it| it.status.name())),
            judgement.map(|it| it.game),
            judgement.map(|it| &*it.ruleset),
            outcome.and_then(|it| it.winner),
            outcome.map(|it| it.reason),
            fingerprint.as_deref(),
            violation.and_then(|it| it.player.as_deref()),
            violation.map(|it| &*it.code),
            violation.map(|it| &*it.rule),
            violation.map(|it| &*it.pointer),
            violation.map(|it| &*it.message),
            problem.map(|it| it.code.entry().code),
            problem.and_then(|it| it.pointer.as_deref()),
            problem.map(|it| &*it.detail),
        ];
        let warnings = judgement.map(|it| it.warnings.len());
        Row {
            texts: texts.map(|it| it.map(str::to_owned)),
            plies: verdict.map(|it| signed(it.plies)),
            claims_hold: verdict.map(|it| it.claims.iter().all(|claim| claim.holds)),
            violation_ply: violation.map(|it| signed(it.ply)),
            warnings: warnings.and_then(|it| i32::try_from(it).ok()),
            answer: String::from_utf8_lossy(&line(judged, number)).into_owned(),
        }
    }

    /// The number of bytes of its texts.
    pub fn size(&self) -> usize {
        let texts = self.texts.iter().flatten().map(String::len);
        texts.sum::<usize>() + self.answer.len()
    }
}

/// A table of verdicts under construction.
#[derive(Default)]
pub struct Verdicts {
    file: StringBuilder,
    line: Int64Builder,
    texts: [StringBuilder; 14],
    plies: Int32Builder,
    claims_hold: BooleanBuilder,
    violation_ply: Int32Builder,
    warnings: Int32Builder,
    answer: StringBuilder,
}

impl Verdicts {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        for (column, text) in self.texts.iter_mut().zip(&row.texts) {
            column.append_option(text.as_deref());
        }
        self.plies.append_option(row.plies);
        self.claims_hold.append_option(row.claims_hold);
        self.violation_ply.append_option(row.violation_ply);
        self.warnings.append_option(row.warnings);
        self.answer.append_value(&row.answer);
    }

    /// Adds a row for a record in a file, with its line if the file has many.
    pub fn add_placed(&mut self, file: &str, line: Option<u64>, row: &Row) {
        self.file.append_value(file);
        self.line.append_option(line.and_then(|it| i64::try_from(it).ok()));
        self.add(row);
    }

    fn verdicts(&mut self) -> Vec<ArrayRef> {
        let mut texts = self.texts.iter_mut().map(|it| Arc::new(it.finish()) as ArrayRef);
        let mut columns: Vec<ArrayRef> = texts.by_ref().take(3).collect();
        columns.push(Arc::new(self.plies.finish()));
        columns.extend(texts.by_ref().take(2));
        columns.push(Arc::new(self.claims_hold.finish()));
        columns.extend(texts.by_ref().take(1));
        columns.push(Arc::new(self.violation_ply.finish()));
        columns.extend(texts);
        columns.push(Arc::new(self.warnings.finish()));
        columns.push(Arc::new(self.answer.finish()));
        columns
    }

    /// Takes the rows added with [`Verdicts::add`], with the columns of [`verdict_schema`].
    ///
    /// # Errors
    /// The columns differ in length, which never happens.
    pub fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(verdict_schema(), self.verdicts())
    }

    /// Takes the rows added with [`Verdicts::add_placed`], with the columns of [`placed_schema`].
    ///
    /// # Errors
    /// As for [`Verdicts::batch`].
    pub fn placed_batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.file.finish()), Arc::new(self.line.finish())];
        columns.extend(self.verdicts());
        RecordBatch::try_new(placed_schema(), columns)
    }
}
