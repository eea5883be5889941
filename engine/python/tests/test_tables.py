"""Verdicts and archives that the program writes as Parquet, read as people read them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import duckdb
import httpx
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import umpire
from conftest import RECORDS, program

TEXTS = [text.decode() for text in list(RECORDS.values())[::11]] + ["{", "[]"]


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verdicts")
    (folder / "records.ndjson").write_text("\n".join(TEXTS))
    done = run("validate", folder / "records.ndjson", "--to", folder / "verdicts.parquet")
    if "built without Parquet" in done.stderr and "CI" not in os.environ:
        pytest.skip("the program was built without Parquet")
    assert done.returncode == 2, done.stderr
    return folder / "verdicts.parquet"


def test_the_columns_are_those_of_the_package(verdicts: Path) -> None:
    table = pq.read_table(verdicts)
    here = umpire.validate_many(pa.array(TEXTS))
    assert table.schema.names == ["file", "line", *here.schema.names]
    assert table.drop_columns(["file", "line"]).to_pylist() == here.to_pylist()
    assert table["line"].to_pylist() == list(range(1, len(TEXTS) + 1))


def test_duckdb_polars_and_pandas_count_the_same(verdicts: Path) -> None:
    counted: dict[str, int] = {}
    for answer in umpire.validate_many(TEXTS):
        status = answer["verdict"]["status"] if "verdict" in answer else "unreadable"
        counted[status] = counted.get(status, 0) + 1
    assert {"complete", "illegal", "unreadable"} <= counted.keys()
    sql = f"SELECT status, count(*) FROM '{verdicts}' GROUP BY status"
    assert dict(duckdb.sql(sql).fetchall()) == counted
    assert dict(pl.read_parquet(verdicts).group_by("status").len().iter_rows()) == counted
    assert pd.read_parquet(verdicts)["status"].value_counts().to_dict() == counted
    plies = [row["plies"] for row in pq.read_table(verdicts).to_pylist() if row["plies"] is not None]
    assert duckdb.sql(f"SELECT sum(plies) FROM '{verdicts}'").fetchall() == [(sum(plies),)]
    assert pl.read_parquet(verdicts)["plies"].sum() == pd.read_parquet(verdicts)["plies"].sum() == sum(plies)


def test_an_archive_is_read_and_judged_from_any_of_them(verdicts: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    records = [text for text in TEXTS if umpire.validate_many([text])[0].get("verdict", {}).get("status") == "complete"]
    log = (tmp_path / "log").open("wb")
    command = [program(), "serve", "--listen", "127.0.0.1:0", "--store", str(store)]
    service = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        while "listening on " not in (said := (tmp_path / "log").read_text()):
            assert service.poll() is None, said
        origin = said.split("listening on ", 1)[1].split()[0]
        kind = {"content-type": "application/json"}
        to = f"{origin}/v1/records"
        answers = [httpx.post(to, content=record, headers=kind, timeout=60) for record in records]
        ids = sorted({answer.json()["id"] for answer in answers})
    finally:
        service.terminate()
        service.wait()
    archive = tmp_path / "archive.parquet"
    done = run("export", store, "--parquet", archive)
    assert done.returncode == 0, done.stderr
    frame = pl.read_parquet(archive)
    assert sorted(frame["id"]) == ids and len(ids) > 5
    assert frame["created_at"].dtype == pl.Datetime("ms")
    assert duckdb.sql(f"SELECT DISTINCT status FROM '{archive}'").fetchall() == [("complete",)]
    assert [json.loads(text)["actions"] for text in pd.read_parquet(archive)["record"]] == [
        json.loads(text)["actions"] for text in frame["record"]
    ]
    judged = umpire.validate_many(frame["record"].to_arrow())
    assert judged["plies"].to_pylist() == frame["plies"].to_list()
    # What they write is read again, however they have texts in memory.
    frame.select("record").write_parquet(tmp_path / "polars.parquet")
    pd.DataFrame({"record": frame["record"].to_list()}).to_parquet(tmp_path / "pandas.parquet")
    duckdb.sql(f"COPY (SELECT record FROM '{archive}') TO '{tmp_path / 'duckdb.parquet'}'")
    for name in ("polars", "pandas", "duckdb"):
        done = run("validate", tmp_path / f"{name}.parquet")
        assert done.returncode == 0, done.stdout
        assert f"{len(ids)} records: {len(ids)} complete; " in done.stdout
