"""Judges a folder of records on a Dask cluster.

    python validate_dask.py FOLDER TO [--scheduler tcp://HOST:8786 | --workers 2]

FOLDER holds records one a line (*.ndjson) and tables with a column `record` (*.parquet, as `umpire export` writes them).
All workers must see FOLDER and TO under the same names, and have the package `umpire` (engine/python). What is in TO
afterwards is one table in many files, with the columns of docs/archives.md.

A piece of the work is some thousand records of one file, and its verdicts are one file. That gets its name when it is
whole, and a piece that is judged again, because its worker was lost, gives the same file: nothing is lost, nothing twice.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from dask.distributed import Client, LocalCluster, as_completed

import umpire

#: How many records are one piece of the work.
TOGETHER = 5_000


class Piece(NamedTuple):
    """Some records of a file."""

    file: str
    #: The line or row of the first, from 1.
    line: int
    #: Where it begins: a byte of a text, a row of a group of a table.
    start: int
    #: How many lines or rows there are.
    records: int
    #: The group of rows; -1 in a text.
    group: int


def cut(file: str, together: int) -> list[Piece]:
    """The pieces of a file. A text is read once for it, which is far quicker than to judge it."""
    pieces = []
    line = 1
    if file.endswith(".parquet"):
        footer = pq.ParquetFile(file).metadata
        for group in range(footer.num_row_groups):
            rows = footer.row_group(group).num_rows
            for start in range(0, rows, together):
                count = min(together, rows - start)
                pieces.append(Piece(file, line, start, count, group))
                line += count
        return pieces
    with open(file, "rb") as text:
        start = at = count = 0
        for record in text:
            at += len(record)
            count += 1
            if count == together:
                pieces.append(Piece(file, line, start, count, -1))
                line, start, count = line + count, at, 0
        if count:
            pieces.append(Piece(file, line, start, count, -1))
    return pieces


def read(piece: Piece) -> tuple[list[int], pa.Array]:
    """The records of a piece, and the lines where they stand; an empty line is no record."""
    if piece.group >= 0:
        group = pq.ParquetFile(piece.file).read_row_group(piece.group, columns=["record"])
        rows = group["record"].slice(piece.start, piece.records).combine_chunks()
        return list(range(piece.line, piece.line + piece.records)), rows
    with open(piece.file, "rb") as text:
        text.seek(piece.start)
        lines = [(piece.line + at, text.readline().strip(b" \t\r\n")) for at in range(piece.records)]
    lines = [(number, record) for number, record in lines if record]
    return [number for number, _ in lines], pa.array([record for _, record in lines], pa.binary())


def judge(piece: Piece, to: str) -> Counter[str]:
    """Judges the records of a piece, writes the verdicts, and says how many there are of each kind."""
    lines, records = read(piece)
    verdicts = umpire.validate_many(records)
    verdicts = verdicts.add_column(0, "line", pa.array(lines, pa.int64()))
    verdicts = verdicts.add_column(0, "file", pa.array([piece.file] * len(lines), pa.string()))
    name = f"{Path(piece.file).name}-{piece.line:012}.parquet"
    # Another worker may be at the same piece, where this one was taken for lost.
    draft = Path(to, f"{name}.{os.getpid()}.partial")
    pq.write_table(verdicts, draft, compression="zstd")
    draft.replace(Path(to, name))
    return Counter(verdicts["status"].to_pylist())


def validate(client: Client, folder: Path, to: Path, together: int = TOGETHER) -> Iterator[Counter[str]]:
    """Judges all records of a folder; gives what each piece came to, as they get done."""
    to.mkdir(parents=True, exist_ok=True)
    if any(to.iterdir()):
        raise SystemExit(f"{to} is not empty")
    files = sorted(str(file) for file in folder.iterdir() if file.suffix in {".ndjson", ".parquet"})
    cuts = client.gather(client.map(cut, files, together=together, pure=False))
    pieces = [piece for cut in cuts for piece in cut]
    # A piece is small, what it reads is not: it is judged where there is room.
    for done in as_completed(client.map(judge, pieces, to=str(to), pure=False)):
        yield done.result()
        done.release()


def main() -> None:
    arguments = argparse.ArgumentParser(description="Judges a folder of records on a Dask cluster.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("to", type=Path, help="a folder for the verdicts, empty or not there")
    arguments.add_argument("--scheduler", help="its address; without it, a cluster of processes on this machine")
    arguments.add_argument("--workers", type=int, help="how many processes that are")
    given = arguments.parse_args()
    # A call judges with all processors of its machine: a worker needs one thread, and a machine one worker.
    where = given.scheduler or LocalCluster(n_workers=given.workers or 1, threads_per_worker=1, dashboard_address=None)
    with Client(where) as client:
        counts = sum(validate(client, given.folder.absolute(), given.to.absolute()), Counter[str]())
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no record")


if __name__ == "__main__":
    main()
