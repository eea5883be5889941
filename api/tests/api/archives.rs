//! Verdicts and archives in Parquet files, by the real command, read back as any program would.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::Schema;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::documents::columns::archive_schema;
use umpire_api::store::{Filter, NewRecord};
use umpire_engine::games::GAMES;
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;
use umpire_referee::columns::placed_schema;

use crate::app::{game, illegal, legal, ndjson, numbered, whole_game};
use crate::cli::{code, error, out, save, umpire};

/// The rows of a file, each by the names of its columns; a timestamp as a number.
fn rows(path: &Path) -> (Schema, Vec<BTreeMap<String, Value>>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = builder.schema().as_ref().clone();
    let tables = builder.build().unwrap().map(Result::unwrap);
    (
        schema,
        tables.flat_map(|table| (0..table.num_rows()).map(move |at| row(&table, at))).collect(),
    )
}

fn row(table: &RecordBatch, at: usize) -> BTreeMap<String, Value> {
    let schema = table.schema();
    let value = |column: &dyn Array| {
        if column.is_null(at) {
            return Value::Null;
        }
        if let Some(texts) = column.as_string_opt::<i32>() {
            return texts.value(at).into();
        }
        if let Some(numbers) = column.as_primitive_opt::<Int32Type>() {
            return numbers.value(at).into();
        }
        if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
            return numbers.value(at).into();
        }
        if let Some(times) = column.as_primitive_opt::<TimestampMillisecondType>() {
            return times.value(at).into();
        }
        column.as_boolean().value(at).into()
    };
    let named = schema.fields().iter().zip(table.columns());
    named.map(|(field, column)| (field.name().clone(), value(column))).collect()
}

/// What lies in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn verdicts_are_rows_and_each_says_what_its_line_says() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let many = ndjson(&[legal(1), illegal(1), legal(2)]) + "nonsense\n";
    save(path, "in/many.ndjson", &many);
    for game in GAMES.iter() {
        let id = game.meta().id;
        save(path, &format!("in/whole-{id}.json"), &whole_game(id).to_string());
    }
    save(path, "in/torn.json", "{");
    let (from, to) = (path.join("in"), path.join("verdicts.parquet"));
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    let printed = umpire(&["validate", "--json", from], "");
    let written = umpire(&["validate", "--to", to, from], "");
    assert_eq!(code(&written), 2, "{}", error(&written));
    assert_eq!(out(&written).lines().count(), 1);
    assert!(out(&written).starts_with("8 records: "), "{}", out(&written));
    let (schema, rows) = rows(Path::new(to));
    assert_eq!(schema.fields(), placed_schema().fields());
    let lines = out(&printed).lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.filter(|line| line.get("summary").is_none()).collect();
    assert_eq!((rows.len(), lines.len()), (8, 8));
    let mut unreadable = 0;
    for (row, line) in rows.iter().zip(&lines) {
        assert_eq!(row["file"], line["file"]);
        if row["status"] == "unreadable" {
            unreadable += 1;
            assert_eq!(
                (&row["problem_code"], &row["problem_detail"]),
                (&line["code"], &line["detail"])
            );
            assert_eq!((&row["plies"], &row["game"]), (&Value::Null, &Value::Null));
            continue;
        }
        let verdict = &line["verdict"];
        assert_eq!(row["line"], line.get("line").cloned().unwrap_or_default());
        assert_eq!((&row["status"], &row["plies"]), (&verdict["status"], &verdict["plies"]));
        assert_eq!((&row["game"], &row["fingerprint"]), (&line["game"], &line["fingerprint"]));
        assert_eq!(row["violation_rule"], verdict["violation"]["rule"]);
        let answer: Value = serde_json::from_str(row["answer"].as_str().unwrap()).unwrap();
        assert_eq!(&answer["verdict"], verdict);
    }
    assert_eq!(unreadable, 2);
    let (torn, broken) = (rows.last().unwrap(), &rows[3]);
    assert!(
        rows.iter().any(|row| row["file"].as_str().unwrap().ends_with("torn.json")),
        "{torn:?}"
    );
    assert_eq!((&broken["line"], &broken["problem_code"]), (&json!(4), &json!("bad_json")));
}

#[test]
fn more_rows_than_are_written_together_keep_their_order() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("verdicts.parquet");
    let records: Vec<Value> = (0..2500).map(|at| legal(at % 4)).collect();
    let written = umpire(&["validate", "--to", to.to_str().unwrap(), "-"], &ndjson(&records));
    assert_eq!(code(&written), 0, "{}", error(&written));
    let (_, rows) = rows(&to);
    assert_eq!(rows.len(), 2500);
    for (at, row) in rows.iter().enumerate() {
        assert_eq!((&row["line"], &row["plies"]), (&json!(at + 1), &json!(at % 4)));
    }
}

#[test]
fn what_lies_there_is_replaced_only_when_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let record = save(path, "one.json", &legal(1).to_string());
    let to = save(path, "verdicts.parquet", "somebody's work");
    let refused = umpire(&["validate", "--to", &to, &record], "");
    assert_eq!((code(&refused), out(&refused)), (2, ""));
    assert!(error(&refused).contains("use --force to replace it"), "{}", error(&refused));
    assert_eq!(std::fs::read_to_string(&to).unwrap(), "somebody's work");
    let forced = umpire(&["validate", "--force", "--to", &to, &record], "");
    assert_eq!(code(&forced), 0, "{}", error(&forced));
    assert_eq!(rows(Path::new(&to)).1.len(), 1);
    for (to, why) in
        [("missing/v.parquet", "its directory does not exist"), (".", "it is a directory")]
    {
        let to = path.join(to);
        let failed = umpire(&["validate", "--to", to.to_str().unwrap(), &record], "");
        assert_eq!(code(&failed), 2);
        assert!(error(&failed).contains(why), "{}", error(&failed));
    }
    assert_eq!(names(path), ["one.json", "verdicts.parquet"]);
}

/// A record with players and notes, as it would be stored.
fn stored(number: usize) -> NewRecord {
    let mut record = numbered(number);
    record["players"] = json!({ game().meta().seats[0]: format!("Anna {number} Ö") });
    record["meta"] = json!({"event": "club night", "round": number});
    let text = record.to_string();
    let prepared = umpire_api::documents::archive::prepare::<Fault>(
        text.as_bytes(),
        Limits::default(),
        |_| Ok(()),
    );
    prepared.unwrap().record
}

#[test]
fn an_archive_holds_a_store_and_is_judged_again() {
    let folder = TempDir::new().unwrap();
    let place = crate::place(folder.path());
    let store = place.parse::<umpire_api::store::place::Place>().unwrap().open().unwrap();
    let records: Vec<NewRecord> = (0..30).map(stored).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(store.insert(records.clone())).unwrap();
    let to = folder.path().join("archive.parquet");
    let to = to.to_str().unwrap();
    // While a program has the store open.
    let written = umpire(&["export", &place, "--parquet", to], "");
    assert_eq!(code(&written), 0, "{}", error(&written));
    assert_eq!(out(&written), format!("30 records in {to}\n"));
    let (schema, rows) = rows(Path::new(to));
    assert_eq!(schema.fields(), archive_schema().fields());
    let listed = store.list(&Filter { limit: Some(100), ..Filter::default() }).unwrap().items;
    assert_eq!((rows.len(), listed.len()), (30, 30));
    for (row, listed) in rows.iter().zip(&listed) {
        let kept = store.find(&listed.id).unwrap().unwrap();
        assert_eq!(row["id"], kept.id.to_string());
        assert_eq!(row["created_at"], kept.created_at);
        assert_eq!(
            (&row["record"], &row["verdict"]),
            (&json!(kept.record), &json!(kept.summary.verdict))
        );
        assert_eq!(
            (&row["game"], &row["plies"]),
            (&json!(kept.summary.game), &json!(kept.summary.plies))
        );
        let object =
            |name: &str| serde_json::from_str::<Value>(row[name].as_str().unwrap()).unwrap();
        let given: Value = serde_json::from_str(&kept.record).unwrap();
        assert_eq!(object("players"), given["players"]);
        assert_eq!(object("meta")["event"], "club night");
    }
    let refused = umpire(&["export", &place, "--parquet", to], "");
    assert_eq!(code(&refused), 2);
    let unknown = umpire(&["export", &place, "--parquet", to, "--force", "--game", "chess"], "");
    assert_eq!(code(&unknown), 2);
    let other = folder.path().join("other.parquet");
    let none = GAMES.iter().find(|it| it.meta().id != game().meta().id).unwrap().meta().id;
    let written =
        umpire(&["export", &place, "--parquet", other.to_str().unwrap(), "--game", none], "");
    assert_eq!(out(&written), format!("0 records in {}\n", other.display()));
    assert!(self::rows(&other).1.is_empty());
    // The archive is read as a file of records, and the verdicts name its rows.
    let verdicts = folder.path().join("verdicts.parquet");
    let judged = umpire(&["validate", to, "--to", verdicts.to_str().unwrap()], "");
    assert_eq!(code(&judged), 0, "{}", error(&judged));
    let (_, judged) = self::rows(&verdicts);
    for (at, (row, verdict)) in rows.iter().zip(&judged).enumerate() {
        assert_eq!((&verdict["file"], &verdict["line"]), (&json!(to), &json!(at + 1)));
        assert_eq!((&verdict["status"], &verdict["plies"]), (&row["status"], &row["plies"]));
    }
    store.close().unwrap();
}

/// Writes a column of texts as another program would.
fn table(path: &Path, column: &str, texts: &[Option<&str>]) -> String {
    let texts: arrow_array::ArrayRef = std::sync::Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([(column, texts)]).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn tables_that_cannot_be_read_are_said_to_be_so() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let good = legal(1).to_string();
    let gaps = table(&path("gaps.parquet"), "record", &[Some(&good), None, Some("{")]);
    let found = umpire(&["validate", &gaps], "");
    assert_eq!(code(&found), 2);
    assert!(out(&found).contains("gaps.parquet:2: unreadable: "), "{}", out(&found));
    assert!(out(&found).contains("3 records: 1 in progress, 2 unreadable"), "{}", out(&found));
    let other = table(&path("other.parquet"), "text", &[Some(&good)]);
    let found = umpire(&["validate", &other], "");
    assert!(out(&found).contains("no text column `record`"), "{}", out(&found));
    let none = table(&path("none.parquet"), "record", &[]);
    let found = umpire(&["validate", &none], "");
    assert!(out(&found).contains("the file contains no records"), "{}", out(&found));
    let torn = save(folder.path(), "torn.parquet", "PAR1 and then nothing");
    let found = umpire(&["validate", &torn, &gaps], "");
    assert_eq!(code(&found), 2);
    assert!(
        out(&found).starts_with(&format!("{torn}: unreadable: cannot read: ")),
        "{}",
        out(&found)
    );
    // What comes after it is judged all the same.
    assert!(out(&found).contains("4 records: "), "{}", out(&found));
}
