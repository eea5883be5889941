"""Umpire, the referee for board games, within Python.

Every call takes a record (JSON as text or bytes, or a mapping) and gives what the HTTP service answers, read from
JSON; :mod:`umpire.raw` gives the bytes. Where the service would send a problem, :class:`UmpireError` is raised with the
same code. An illegal record is a result, no error. :func:`validate_many` judges very many at once, on all processors.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import raw
from ._errors import IllegalAction, UmpireError
from ._many import validate_many
from ._native import ENGINE
from ._play import Game, games
from .raw import Json

__all__ = [
    "ENGINE",
    "Game",
    "IllegalAction",
    "Json",
    "UmpireError",
    "adjudicate",
    "analyze",
    "board_svg",
    "games",
    "legal_actions",
    "raw",
    "repair",
    "replay",
    "validate",
    "validate_many",
    "view",
    "why",
]

#: What an answer is, read from JSON.
Answer = dict[str, Any]


def validate(record: Json, *, lang: str | None = None, unknown_fields: str | None = None) -> Answer:
    """The verdict on a record (``POST /v1/validate``)."""
    answer: Answer = json.loads(raw.validate(record, lang=lang, unknown_fields=unknown_fields))
    return answer


def replay(
    record: Json,
    *,
    ply: int | None = None,
    viewer: str | None = None,
    include: Sequence[str] = (),
    lang: str | None = None,
) -> Answer:
    """The report of a replay (``POST /v1/replay``). ``include``: events, states, tape, fingerprints, explain,
    chapters, text, legal, scene."""
    answer: Answer = json.loads(raw.replay(record, ply=ply, viewer=viewer, include=include, lang=lang))
    return answer


def view(record: Json, viewer: str | None = None, *, ply: int | None = None) -> Answer:
    """What a viewer (``referee``, ``spectator`` or a seat) knows of the state, after ``ply`` actions or at the last good
    one."""
    answer: Answer = json.loads(raw.view(record, viewer, ply=ply))
    return answer


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
) -> Answer:
    """Who decides, and every legal action that the viewer may see (``POST /v1/legal-actions``)."""
    found = raw.legal_actions(
        record,
        ply=ply,
        viewer=viewer,
        count_only=count_only,
        limit=limit,
        partial=partial,
        include=include,
        lang=lang,
    )
    answer: Answer = json.loads(found)
    return answer


def adjudicate(
    record: Json,
    *,
    ply: int | None = None,
    action: Json | None = None,
    readings: Sequence[Mapping[str, Any]] | None = None,
    seed: str | None = None,
    records: bool | None = None,
    lang: str | None = None,
) -> Answer:
    """A dispute, settled: a record under other readings (``POST /v1/adjudicate``)."""
    found = raw.adjudicate(
        record, ply=ply, action=action, readings=readings, seed=seed, records=records, lang=lang
    )
    answer: Answer = json.loads(found)
    return answer


def why(
    record: Json, action: Json, *, ply: int | None = None, viewer: str | None = None, lang: str | None = None
) -> Answer:
    """Whether an action is allowed, why not, and what would allow it (``POST /v1/why-not``)."""
    answer: Answer = json.loads(raw.why(record, action, ply=ply, viewer=viewer, lang=lang))
    return answer


def repair(record: Json, *, most: int | None = None, edits: int | None = None, lang: str | None = None) -> Answer:
    """The smallest edits under which a record holds (``POST /v1/repair``)."""
    answer: Answer = json.loads(raw.repair(record, most=most, edits=edits, lang=lang))
    return answer


def analyze(
    record: Json, *, viewer: str | None = None, simulations: int | None = None, seed: str | None = None
) -> Answer:
    """Who stood better, what was a mistake, what was luck: ``summary`` and ``plies``, as a job of ``POST
    /v1/analyses`` has them. All processors work on it; Ctrl-C ends it."""
    answer: Answer = json.loads(raw.analyze(record, viewer=viewer, simulations=simulations, seed=seed))
    return answer


def board_svg(
    record: Json,
    *,
    ply: int | None = None,
    viewer: str | None = None,
    theme: str | None = None,
    bare: bool | None = None,
    targets: bool | None = None,
    lang: str | None = None,
) -> str:
    """A picture of what a viewer knows (``POST /v1/scene`` as SVG)."""
    return raw.board_svg(
        record, ply=ply, viewer=viewer, theme=theme, bare=bare, targets=targets, lang=lang
    ).decode()
