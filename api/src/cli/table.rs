//! Parquet files: writing verdicts and archives piece by piece, and reading records.
//!
//! A file gets its final name once it is complete; until then it is called `….partial`, and is
//! removed on failure. Without the feature `parquet`, reading and writing return an error that says
//! so. This module must not judge anything, nor read a store.

#[cfg(feature = "parquet")]
pub(super) use self::built::{ArchiveTable, PlacedRow, VerdictTable, records};

#[cfg(not(feature = "parquet"))]
pub(super) use self::left_out::{ArchiveTable, PlacedRow, VerdictTable, records};

#[cfg(feature = "parquet")]
mod built {
    use std::ffi::OsStr;
    use std::fmt::Display;
    use std::fs::{self, File, OpenOptions};
    use std::path::{Path, PathBuf};
    use umpire_referee::columns::{Row, Verdicts, placed_schema};

    use arrow_array::cast::AsArray;
    use arrow_array::{Array, ArrayRef, RecordBatch};
    use arrow_schema::{ArrowError, DataType, SchemaRef};
    use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
    use parquet::arrow::{ArrowWriter, ProjectionMask};
    use parquet::basic::{Compression, ZstdLevel};
    use parquet::file::properties::WriterProperties;
    use parquet::schema::types::ColumnPath;
    use umpire_engine::replay::answer::Judgement;

    use crate::documents::columns::{Archive, archive_schema};
    use crate::store::Stored;
    use umpire_referee::problem::Problem;

    /// How many rows are converted to columns at a time.
    const ROWS: usize = 1024;

    /// How many bytes of text are converted to columns at a time.
    const BYTES: usize = 4 << 20;

    /// How many bytes of columns are buffered before they are written as a row group.
    const GROUP: usize = 32 << 20;

    /// How many records are read at a time.
    const READ: usize = 64;

    /// Columns whose texts are all different, so that a dictionary is useless.
    const LONG: [&str; 3] = ["answer", "verdict", "record"];

    /// A file that is being written. Dropping it before it is finished removes it.
    struct Writing {
        writer: Option<ArrowWriter<File>>,
        draft: PathBuf,
        to: PathBuf,
    }

    impl Writing {
        /// Creates a file in an existing directory. An existing file is replaced at the end, or
        /// refused now.
        fn create(to: &Path, replace: bool, schema: SchemaRef) -> Result<Self, String> {
            let to = std::path::absolute(to)
                .map_err(|error| format!("cannot write {}: {error}", to.display()))?;
            let refuse = |why: &str| Err(format!("{}: {why}", to.display()));
            let (Some(name), Some(directory)) = (to.file_name(), to.parent()) else {
                return refuse("it is not a file name");
            };
            if !directory.is_dir() {
                return refuse("its directory does not exist");
            }
            if to.is_dir() {
                return refuse("it is a directory");
            }
            if !replace && to.symlink_metadata().is_ok() {
                return refuse("it already exists; use --force to replace it");
            }
            let mut draft = name.to_owned();
            draft.push(OsStr::new(&format!(".{}.partial", std::process::id())));
            let draft = directory.join(draft);
            let cannot = |error: &dyn Display| format!("cannot write {}: {error}", draft.display());
            // A leftover of a killed process with the same id.
            let _ = fs::remove_file(&draft);
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&draft).map_err(|error| cannot(&error))?;
            let mut writing = Writing { writer: None, draft, to };
            let mut how = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_max_row_group_row_count(None);
            for column in LONG {
                how = how.set_column_dictionary_enabled(ColumnPath::from(column), false);
            }
            let writer = ArrowWriter::try_new(file, schema, Some(how.build()));
            writing.writer = Some(writer.map_err(|error| writing.cannot(&error))?);
            Ok(writing)
        }

        fn cannot(&self, error: &dyn Display) -> String {
            format!("cannot write {}: {error}", self.draft.display())
        }

        fn write(&mut self, table: &RecordBatch) -> Result<(), String> {
            let Some(writer) = &mut self.writer else { return Ok(()) };
            let written = writer
                .write(table)
                .and_then(|()| if writer.memory_size() < GROUP { Ok(()) } else { writer.flush() });
            written.map_err(|error| self.cannot(&error))
        }

        fn finish(mut self) -> Result<(), String> {
            let Some(writer) = self.writer.take() else { return Ok(()) };
            let file = writer.into_inner().map_err(|error| self.cannot(&error))?;
            let kept = file.sync_all();
            let named = kept.and_then(|()| fs::rename(&self.draft, &self.to));
            named.map_err(|error| self.cannot(&error))
        }
    }

    impl Drop for Writing {
        fn drop(&mut self) {
            // After the rename this name does not exist.
            let _ = fs::remove_file(&self.draft);
        }
    }

    /// A row of a table of verdicts, with the place of its record.
    pub(in super::super) struct PlacedRow {
        file: String,
        line: Option<u64>,
        row: Row,
    }

    impl PlacedRow {
        /// The row for a verdict on a record in a file; with a line if the file has many records.
        pub(in super::super) fn of(
            file: String,
            line: Option<u64>,
            judged: &Result<Judgement, Problem>,
            number: u64,
        ) -> Self {
            PlacedRow { file, line, row: Row::of(judged, number) }
        }
    }

    /// How much is waiting to be converted to columns.
    #[derive(Default)]
    struct BatchSize {
        rows: usize,
        bytes: usize,
    }

    impl BatchSize {
        /// Counts a row; returns whether there are enough for a batch.
        fn add(&mut self, bytes: usize) -> bool {
            self.rows += 1;
            self.bytes += bytes;
            self.rows >= ROWS || self.bytes >= BYTES
        }
    }

    /// Rows waiting to be converted to columns.
    pub(in super::super) trait Rows: Default {
        /// The schema of the columns.
        fn schema() -> SchemaRef;
        /// Takes the waiting rows.
        fn take(&mut self) -> Result<RecordBatch, ArrowError>;
    }

    impl Rows for Verdicts {
        fn schema() -> SchemaRef {
            placed_schema()
        }

        fn take(&mut self) -> Result<RecordBatch, ArrowError> {
            self.placed_batch()
        }
    }

    impl Rows for Archive {
        fn schema() -> SchemaRef {
            archive_schema()
        }

        fn take(&mut self) -> Result<RecordBatch, ArrowError> {
            self.batch()
        }
    }

    /// A file of rows.
    pub(in super::super) struct Table<R> {
        rows: R,
        waiting: BatchSize,
        file: Writing,
    }

    /// A file of verdicts.
    pub(in super::super) type VerdictTable = Table<Verdicts>;

    /// A file of records.
    pub(in super::super) type ArchiveTable = Table<Archive>;

    impl<R: Rows> Table<R> {
        /// Creates a file that only its owner can read.
        pub(in super::super) fn create(to: &Path, replace: bool) -> Result<Self, String> {
            let file = Writing::create(to, replace, R::schema())?;
            Ok(Table { rows: R::default(), waiting: BatchSize::default(), file })
        }

        fn flush(&mut self) -> Result<(), String> {
            self.waiting = BatchSize::default();
            let table = self.rows.take().map_err(|error| error.to_string())?;
            self.file.write(&table)
        }

        /// Finishes the file, which then gets its final name.
        pub(in super::super) fn finish(mut self) -> Result<(), String> {
            self.flush()?;
            self.file.finish()
        }
    }

    impl VerdictTable {
        /// Adds a row.
        pub(in super::super) fn add(
            &mut self,
            PlacedRow { file, line, row }: PlacedRow,
        ) -> Result<(), String> {
            self.rows.add_placed(&file, line, &row);
            if self.waiting.add(file.len() + row.size()) { self.flush() } else { Ok(()) }
        }
    }

    impl ArchiveTable {
        /// Adds a record.
        pub(in super::super) fn add(&mut self, stored: &Stored) -> Result<(), String> {
            self.rows.add(&stored.id.to_string(), stored);
            let bytes = stored.record.len() + stored.summary.verdict.len();
            if self.waiting.add(bytes) { self.flush() } else { Ok(()) }
        }
    }

    /// The texts in the column `record` of a file, row by row; empty if a value is missing. After
    /// an error there are no more rows.
    pub(in super::super) fn records(
        path: &Path,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, String>> + use<>, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        // Ignore how the writer had it in memory: any column of texts will do.
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, plain)
            .map_err(|error| error.to_string())?;
        let kind = builder.schema().field_with_name("record").ok().map(|it| it.data_type().clone());
        if !matches!(kind, Some(DataType::Utf8 | DataType::Binary)) {
            return Err("it has no text column `record`".to_owned());
        }
        let only = ProjectionMask::columns(builder.parquet_schema(), ["record"]);
        let reader = builder.with_projection(only).with_batch_size(READ).build();
        let mut tables = reader.map_err(|error| error.to_string())?.fuse();
        let mut texts: Option<(ArrayRef, usize)> = None;
        Ok(std::iter::from_fn(move || {
            loop {
                if let Some((column, at)) = &mut texts
                    && *at < column.len()
                {
                    *at += 1;
                    return Some(Ok(text(column, *at - 1)));
                }
                match tables.next()? {
                    Ok(table) => texts = Some((table.column(0).clone(), 0)),
                    Err(error) => return Some(Err(error.to_string())),
                }
            }
        }))
    }

    fn text(column: &ArrayRef, row: usize) -> Vec<u8> {
        match column.data_type() {
            _ if column.is_null(row) => Vec::new(),
            DataType::Utf8 => column.as_string::<i32>().value(row).as_bytes().to_vec(),
            _ => column.as_binary::<i32>().value(row).to_vec(),
        }
    }
}

#[cfg(not(feature = "parquet"))]
mod left_out {
    use std::path::Path;

    use umpire_engine::replay::answer::Judgement;

    use umpire_referee::problem::Problem;

    /// The error if Parquet support was left out.
    const LEFT_OUT: &str = "this build has no Parquet support; build it with --features parquet";

    /// A row that is discarded.
    pub(in super::super) struct PlacedRow;

    impl PlacedRow {
        /// No row.
        pub(in super::super) fn of(
            _: String,
            _: Option<u64>,
            _: &Result<Judgement, Problem>,
            _: u64,
        ) -> Self {
            PlacedRow
        }
    }

    /// A file of rows; without Parquet there are none.
    pub(in super::super) enum Table {}

    /// A file of verdicts.
    pub(in super::super) type VerdictTable = Table;

    /// A file of records.
    pub(in super::super) type ArchiveTable = Table;

    impl Table {
        /// Returns the error.
        pub(in super::super) fn create(_: &Path, _: bool) -> Result<Self, String> {
            Err(LEFT_OUT.to_owned())
        }

        /// Does nothing.
        pub(in super::super) fn add<R>(&mut self, _: R) -> Result<(), String> {
            match *self {}
        }

        /// Does nothing.
        pub(in super::super) fn finish(self) -> Result<(), String> {
            match self {}
        }
    }

    /// Returns the error.
    pub(in super::super) fn records(
        _: &Path,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, String>> + use<>, String> {
        Err::<std::iter::Empty<_>, _>(LEFT_OUT.to_owned())
    }
}
