"""The same calls, answered as bytes: the very bodies that the service sends.

Where a call of ``umpire`` gives what was read from JSON, the call of the same name here gives the JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Union
from urllib.parse import urlencode

from . import _native
from ._errors import UmpireError

#: A record, or an action: JSON as text, or what is to be written as JSON.
Json = Union[str, bytes, Mapping[str, Any]]


def text_of(value: Json) -> bytes:
    """JSON as bytes."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(value, ensure_ascii=False).encode()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def query_of(**parameters: Any) -> str:
    """The query string of the parameters that are given."""
    return urlencode({name: _plain(value) for name, value in parameters.items() if value is not None and value != ()})


def _ask(call: str, body: bytes, **parameters: Any) -> bytes:
    try:
        return _native.ask(call, query_of(**parameters), body)
    except _native.Problem as problem:
        raise UmpireError(problem.args[0]) from None


def _request(record: Json, **fields: Any) -> bytes:
    """The body of a request about a record. The record stays as it was written."""
    text = text_of(record)
    try:
        json.loads(text)
    except ValueError:
        # The engine says what is wrong with it.
        _ask("validate", text)
    parts = [b'"record":' + text]
    for name, value in fields.items():
        if value is not None:
            written = text_of(value) if name == "action" else json.dumps(value, ensure_ascii=False).encode()
            parts.append(json.dumps(name).encode() + b":" + written)
    return b"{" + b",".join(parts) + b"}"


def validate(record: Json, *, lang: str | None = None, unknown_fields: str | None = None) -> bytes:
    """``POST /v1/validate``."""
    return _ask("validate", text_of(record), lang=lang, unknown_fields=unknown_fields)


def replay(
    record: Json,
    *,
    ply: int | None = None,
    viewer: str | None = None,
    include: Sequence[str] = (),
    lang: str | None = None,
) -> bytes:
    """``POST /v1/replay``."""
    return _ask("replay", text_of(record), ply=ply, viewer=viewer, include=tuple(include), lang=lang)


def view(record: Json, viewer: str | None = None, *, ply: int | None = None) -> bytes:
    """The field ``state`` of ``POST /v1/replay``."""
    return _ask("view", text_of(record), ply=ply, viewer=viewer)


def legal_actions(
    record: Json,
    *,
    ply: int | None = None,
    viewer: str | None = None,
    count_only: bool | None = None,
    limit: int | None = None,
    partial: Json | None = None,
    include: Sequence[str] = (),
    lang: str | None = None,
) -> bytes:
    """``POST /v1/legal-actions``."""
    draft = None if partial is None else text_of(partial).decode()
    return _ask(
        "legal_actions",
        text_of(record),
        ply=ply,
        viewer=viewer,
        count_only=count_only,
        limit=limit,
        partial=draft,
        include=tuple(include),
        lang=lang,
    )


def adjudicate(
    record: Json,
    *,
    ply: int | None = None,
    action: Json | None = None,
    readings: Sequence[Mapping[str, Any]] | None = None,
    seed: str | None = None,
    records: bool | None = None,
    lang: str | None = None,
) -> bytes:
    """``POST /v1/adjudicate``; nothing is kept."""
    body = _request(
        record,
        ply=ply,
        action=action,
        readings=None if readings is None else list(readings),
        seed=seed,
        records=records,
    )
    return _ask("adjudicate", body, lang=lang)


def why(
    record: Json, action: Json, *, ply: int | None = None, viewer: str | None = None, lang: str | None = None
) -> bytes:
    """``POST /v1/why-not``."""
    return _ask("why", _request(record, action=action, ply=ply, viewer=viewer), lang=lang)


def explain(record: Json, ply: int, *, viewer: str | None = None, lang: str | None = None) -> bytes:
    """``POST /v1/explain``."""
    return _ask("explain", _request(record, ply=ply, viewer=viewer), lang=lang)


def repair(record: Json, *, most: int | None = None, edits: int | None = None, lang: str | None = None) -> bytes:
    """``POST /v1/repair``."""
    return _ask("repair", _request(record, most=most, edits=edits), lang=lang)


def remedy(record: Json, *, lang: str | None = None) -> bytes:
    """``POST /v1/remedy``."""
    return _ask("remedy", _request(record), lang=lang)


def compare(record: Json, other: Json) -> bytes:
    """``POST /v1/compare`` with two records."""
    first, second = _request(record), _request(other)
    return _ask("compare", first[:-1] + b',"other":' + second[len(b'{"record":') :])


def hint(
    record: Json,
    *,
    seat: str | None = None,
    ply: int | None = None,
    simulations: int | None = None,
    seed: str | None = None,
    most: int | None = None,
) -> bytes:
    """``POST /v1/hint``."""
    body = _request(record, seat=seat, ply=ply, simulations=simulations, seed=seed, most=most)
    return _ask("hint", body)


def odds(record: Json, action: Json, *, ply: int | None = None, viewer: str | None = None) -> bytes:
    """``POST /v1/odds``."""
    return _ask("odds", _request(record, action=action, ply=ply, viewer=viewer))


def record_of_notes(notes: str) -> bytes:
    """The record that notes stand for (docs/notation.md): what ``umpire record --from`` prints."""
    return _ask("record_of_notes", notes.encode())


def notes_of_record(record: Json) -> bytes:
    """The notes of a record: what ``umpire record --to-notes`` prints."""
    return _ask("notes_of_record", text_of(record))


def analyze(
    record: Json, *, viewer: str | None = None, simulations: int | None = None, seed: str | None = None
) -> bytes:
    """What a job of ``POST /v1/analyses`` comes to: an object with its ``summary`` and its ``plies``."""
    return _ask("analyze", _request(record, viewer=viewer, simulations=simulations, seed=seed))


def board_svg(
    record: Json,
    *,
    ply: int | None = None,
    viewer: str | None = None,
    theme: str | None = None,
    bare: bool | None = None,
    targets: bool | None = None,
    lang: str | None = None,
) -> bytes:
    """``POST /v1/scene`` with ``Accept: image/svg+xml``."""
    return _ask(
        "board_svg", text_of(record), ply=ply, viewer=viewer, theme=theme, bare=bare, targets=targets, lang=lang
    )
