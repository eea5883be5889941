"""Verdicts on many records at once: lists, iterators, arrays of Arrow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, overload

from . import _native
from ._errors import UmpireError
from .raw import Json, query_of, text_of

if TYPE_CHECKING:
    import pyarrow as pa

#: How many records of an iterator are judged together; so many are in memory at once.
TOGETHER = 2048

Verdict = dict[str, Any]


class ArrowArray(Protocol):
    """A ``pyarrow.Array``, told by what it can do: pyarrow need not be there, nor have types."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class ArrowChunks(Protocol):
    """A ``pyarrow.ChunkedArray``, told in the same way."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


def _judged(records: Iterable[Json], query: str, first: int) -> list[Verdict]:
    try:
        lines = _native.judge_list([text_of(record) for record in records], query, first)
    except _native.Problem as problem:
        raise UmpireError(problem.args[0]) from None
    return [json.loads(line) for line in lines]


def _one_after_another(records: Iterator[Json], query: str) -> Iterator[Verdict]:
    first = 1
    while piece := list(islice(records, TOGETHER)):
        yield from _judged(piece, query, first)
        first += len(piece)


def _table(array: Any, query: str) -> pa.Table:
    import pyarrow as pa

    batches: list[pa.RecordBatch] = []
    first = 1
    try:
        for chunk in array.chunks if isinstance(array, pa.ChunkedArray) else [array]:
            batches.extend(_native.judge_arrow(chunk, query, first))
            first += len(chunk)
        if not batches:
            empty = _native.judge_arrow(pa.array([""]), query, 1)
            return pa.Table.from_batches(empty).slice(0, 0)
    except _native.Problem as problem:
        raise UmpireError(problem.args[0]) from None
    return pa.Table.from_batches(batches)


@overload
def validate_many(
    records: ArrowArray | ArrowChunks, *, lang: str | None = None, unknown_fields: str | None = None
) -> pa.Table: ...
@overload
def validate_many(
    records: Sequence[Json], *, lang: str | None = None, unknown_fields: str | None = None
) -> list[Verdict]: ...
@overload
def validate_many(
    records: Iterator[Json], *, lang: str | None = None, unknown_fields: str | None = None
) -> Iterator[Verdict]: ...
def validate_many(records: Any, *, lang: str | None = None, unknown_fields: str | None = None) -> Any:
    """Judges many records on all processors, without the interpreter's lock; Ctrl-C ends it.

    A list gives a list; an iterator gives an iterator, some thousand records in memory at a time; an array of Arrow
    (texts or bytes, chunked or not) gives a ``pyarrow.Table`` with the columns of docs/archives.md. The order is kept. What
    cannot be read is no error here but a row with a problem, as in ``POST /v1/validate`` with NDJSON: the answers are
    the lines of that, record for line.
    """
    query = query_of(lang=lang, unknown_fields=unknown_fields)
    if isinstance(records, (str, bytes, bytearray)):
        raise TypeError("many records are expected; validate() judges one")
    if hasattr(records, "__arrow_c_array__") or hasattr(records, "__arrow_c_stream__"):
        return _table(records, query)
    if isinstance(records, Sequence):
        return _judged(records, query, 1)
    return _one_after_another(iter(records), query)
