"""Judges a folder with Dask, one of whose two workers is killed, and an archive with Spark: the verdicts must be those of
`umpire validate`.

    python test.py UMPIRE [dask] [spark]
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
Row = dict[str, Any]


def records() -> list[str]:
    """The records of all whole games, and some that are none."""
    files = sorted((ROOT / "fixtures").glob("*/games/*.json"))
    found = [json.dumps(json.loads(file.read_text())["record"], ensure_ascii=False) for file in files]
    assert len(found) > 20
    illegal = json.loads(found[0])
    illegal["actions"].insert(1, {"type": "no such thing"})
    return [*found, json.dumps(illegal), "nonsense", "[]", "{"]


def prepare(folder: Path) -> None:
    """Two files of lines, one of them with empty ones, and two tables."""
    folder.mkdir()
    texts = records() * 3
    (folder / "a.ndjson").write_text("\n".join(texts))
    # A file whose first line is the beginning of a record is one record.
    (folder / "b.ndjson").write_text("\n\n".join([texts[0], *texts[::-1]]) + "\n \n")
    ids = [f"{number:064x}" for number in range(len(texts))]
    pq.write_table(pa.table({"id": ids, "record": texts}), folder / "c.parquet", row_group_size=37)
    pq.write_table(pa.table({"id": ids[:9], "record": texts[:9]}), folder / "d.parquet", compression="zstd")


def told(row: Row) -> Row:
    """A row without what depends on where it was judged: the line that the answer of a broken record names."""
    answer = json.loads(row["answer"])
    answer.pop("line", None)
    return {**row, "answer": answer}


def expected(umpire: str, folder: Path, to: Path) -> list[Row]:
    """What `umpire validate` says, row by row."""
    files = [str(file) for file in sorted(folder.iterdir())]
    done = subprocess.run([umpire, "validate", "--to", str(to), *files], capture_output=True, text=True)
    # Some are broken.
    assert done.returncode == 2, done.stdout + done.stderr
    return [told(row) for row in pq.read_table(to).to_pylist()]


def dask(folder: Path, to: Path, wanted: list[Row]) -> None:
    from dask.distributed import Client, LocalCluster

    sys.path.insert(0, str(HERE))
    import validate_dask

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        processes = client.run(os.getpid)
        assert len(set(processes.values())) == 2
        killed = next(iter(processes.values()))
        left = 0
        for number, _ in enumerate(validate_dask.validate(client, folder, to, together=5)):
            if number == 0:
                os.kill(killed, signal.SIGKILL)
            left = number
        assert left > 20, "it was killed in the middle"
        for _ in range(600):
            if killed not in client.run(os.getpid, on_error="ignore").values():
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the worker lives")
    parts = sorted(to.glob("*.parquet"))
    found = [told(row) for part in parts for row in pq.read_table(part).to_pylist()]
    found.sort(key=lambda row: (row["file"], row["line"]))
    assert len(found) == len(wanted) > 200
    for row, other in zip(found, wanted, strict=True):
        assert row == other, (row, other)
    print(f"dask: {len(found)} records in {len(parts)} pieces, a worker killed: the same verdicts")


def spark(archive: Path, to: Path, wanted: list[Row]) -> None:
    program = [sys.executable, str(HERE / "validate_spark.py"), str(archive), str(to), "--master", "local[2]"]
    done = subprocess.run(program, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    ids = pq.read_table(archive)["id"].to_pylist()
    found = {row.pop("id"): told(row) for row in pq.read_table(to).to_pylist()}
    assert set(found) == set(ids) and len(ids) > 50
    mine = [row for row in wanted if row["file"] == str(archive)]
    for row in mine:
        assert found[ids[row["line"] - 1]] == {k: v for k, v in row.items() if k not in {"file", "line"}}, row
    print(f"spark: {len(mine)} records: the same verdicts")


def main() -> None:
    umpire, *what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "in")
        prepare(folder)
        wanted = expected(umpire, folder, Path(scratch, "wanted.parquet"))
        if "dask" in what:
            dask(folder, Path(scratch, "dask"), wanted)
        if "spark" in what:
            spark(folder / "c.parquet", Path(scratch, "spark"), wanted)


if __name__ == "__main__":
    main()
