//! Archives as Arrow columns, and so as Parquet tables.
//!
//! The names, types and order of the columns are stable (docs/archives.md); new ones are added at
//! the end. Numbers are signed, because not every reader of Arrow supports unsigned ones. This
//! module must not judge anything, and must not write files.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder, TimestampMillisecondBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use serde_json::{Map, Value};

use crate::store::Stored;

/// The columns of an archive.
const ARCHIVE: [(&str, DataType, bool); 12] = [
    ("id", DataType::Utf8, false),
    ("created_at", DataType::Timestamp(TimeUnit::Millisecond, None), false),
    ("game", DataType::Utf8, false),
    ("ruleset", DataType::Utf8, false),
    ("status", DataType::Utf8, false),
    ("plies", DataType::Int32, false),
    ("winner", DataType::Utf8, true),
    ("reason", DataType::Utf8, true),
    ("players", DataType::Utf8, false),
    ("meta", DataType::Utf8, false),
    ("verdict", DataType::Utf8, false),
    ("record", DataType::Utf8, false),
];

fn schema<'a>(columns: impl IntoIterator<Item = &'a (&'static str, DataType, bool)>) -> SchemaRef {
    let fields =
        columns.into_iter().map(|(name, kind, null)| Field::new(*name, kind.clone(), *null));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The columns of an archive: the records of a store.
pub fn archive_schema() -> SchemaRef {
    schema(&ARCHIVE)
}

/// An archive under construction.
#[derive(Default)]
pub struct Archive {
    texts: [StringBuilder; 10],
    created_at: TimestampMillisecondBuilder,
    plies: Int32Builder,
}

impl Archive {
    /// Adds a record, under its public id.
    pub fn add(&mut self, id: &str, stored: &Stored) {
        let Stored { created_at, summary, record, .. } = stored;
        let object = |fields: Map<String, Value>| Value::Object(fields).to_string();
        let players = summary.players.iter();
        let players = players.map(|(seat, name)| (seat.clone(), Value::from(name.as_str())));
        let (players, meta) =
            (object(players.collect()), object(summary.meta.iter().cloned().collect()));
        let texts: [Option<&str>; 10] = [
            Some(id),
            Some(&summary.game),
            Some(&summary.ruleset),
            Some(summary.status.as_str()),
            summary.winner.as_deref(),
            summary.reason.as_deref(),
            Some(&players),
            Some(&meta),
            Some(&summary.verdict),
            Some(record),
        ];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_option(text);
        }
        self.created_at.append_value(*created_at);
        self.plies.append_value(signed(summary.plies));
    }

    /// Takes the records added so far, with the columns of [`archive_schema`].
    ///
    /// # Errors
    /// The columns differ in length, which never happens.
    pub fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut texts = self.texts.iter_mut().map(|it| Arc::new(it.finish()) as ArrayRef);
        let mut columns: Vec<ArrayRef> = texts.by_ref().take(1).collect();
        columns.push(Arc::new(self.created_at.finish()));
        columns.extend(texts.by_ref().take(3));
        columns.push(Arc::new(self.plies.finish()));
        columns.extend(texts);
        RecordBatch::try_new(archive_schema(), columns)
    }
}
