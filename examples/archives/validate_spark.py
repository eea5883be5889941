"""Judges an archive with Spark, by `mapInArrow`.

    python validate_spark.py ARCHIVE TO [--master 'local[2]']

ARCHIVE is a Parquet file or a folder of them, as `umpire export` writes them: with the columns `id` and `record`. All
executors must have the package `umpire` (engine/python). TO gets the verdicts: `id`, and the columns of docs/archives.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import umpire


def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Judges the records of some batches."""
    for batch in batches:
        verdicts = umpire.validate_many(batch.column("record"))
        yield from verdicts.add_column(0, "id", batch.column("id")).combine_chunks().to_batches()


def verdicts(archive: DataFrame) -> DataFrame:
    """The verdicts on the records of an archive, each under its id."""
    empty = umpire.validate_many(pa.array([], pa.string())).schema
    columns = pa.schema([pa.field("id", pa.string(), nullable=False), *empty])
    return archive.select("id", "record").mapInArrow(judge, from_arrow_schema(columns))


def main() -> None:
    arguments = argparse.ArgumentParser(description="Judges an archive with Spark.")
    arguments.add_argument("archive")
    arguments.add_argument("to")
    arguments.add_argument("--master", default="local[*]")
    given = arguments.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.master(given.master).appName("umpire").config("spark.ui.enabled", "false")
    # A record can be long: few at a time.
    spark = session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        verdicts(spark.read.parquet(given.archive)).write.parquet(given.to)
        for row in spark.read.parquet(given.to).groupBy("status").count().orderBy("status").collect():
            print(f"{row['count']} {row['status']}")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
