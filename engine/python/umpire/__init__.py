"""Umpire, the referee for board games, within Python.

Every call takes a record (JSON as text or bytes, or a mapping) and gives what the HTTP service answers, read from
JSON; :mod:`umpire.raw` gives the bytes. Where the service would send a problem, :class:`UmpireError` is raised with the
same code. An illegal record is a result, no error. :func:`validate_many` judges very many at once, on all processors.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

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
    "compare",
    "explain",
    "games",
    "hint",
    "legal_actions",
    "notes_of_record",
    "odds",
    "raw",
    "record_of_notes",
    "remedy",
    "repair",
    "replay",
    "validate",
    "validate_many",
    "view",
    "why",
]

#: What an answer is, read from JSON.
Answer = dict[str, Any]
_P = ParamSpec("_P")


_T = TypeVar("_T")


def _made(call: Callable[_P, bytes], of: Callable[[bytes], _T], gives: str, doc: str) -> Callable[_P, _T]:
    """The same call, with something made of its answer; ``gives`` says what, for ``help()``."""

    @functools.wraps(call)
    def asked(*args: _P.args, **named: _P.kwargs) -> _T:
        return of(call(*args, **named))

    asked.__doc__ = doc
    asked.__module__ = __name__
    setattr(asked, "__signature__", inspect.signature(call).replace(return_annotation=gives))
    return asked


def _read(call: Callable[_P, bytes], doc: str) -> Callable[_P, Answer]:
    """The same call, with its answer read from JSON."""
    return _made(call, json.loads, "Answer", doc)


validate = _read(raw.validate, "The verdict on a record (``POST /v1/validate``).")
replay = _read(
    raw.replay,
    """The report of a replay (``POST /v1/replay``). ``include``: events, states, tape, fingerprints, explain, chapters,
    text, legal, scene.""",
)
view = _read(
    raw.view,
    """What a viewer (``referee``, ``spectator`` or a seat) knows of the state, after ``ply`` actions or at the last good
    one.""",
)
legal_actions = _read(
    raw.legal_actions, "Who decides, and every legal action that the viewer may see (``POST /v1/legal-actions``)."
)
adjudicate = _read(raw.adjudicate, "A dispute, settled: a record under other readings (``POST /v1/adjudicate``).")
why = _read(raw.why, "Whether an action is allowed, why not, and what would allow it (``POST /v1/why-not``).")
explain = _read(raw.explain, "Why a ply went as it did: events, clauses, facts (``POST /v1/explain``).")
repair = _read(raw.repair, "The smallest edits under which a record holds (``POST /v1/repair``).")
remedy = _read(raw.remedy, "What can be done about an illegal record (``POST /v1/remedy``).")
compare = _read(raw.compare, "Where two records diverge, and why (``POST /v1/compare``).")
hint = _read(raw.hint, "The best actions of a seat, from what it can know (``POST /v1/hint``).")
odds = _read(raw.odds, "What an action can lead to, and how likely each is (``POST /v1/odds``).")
record_of_notes = _read(raw.record_of_notes, "The record that notes stand for (docs/notation.md).")
notes_of_record = _made(raw.notes_of_record, bytes.decode, "str", "A record as people write it by hand.")
analyze = _read(
    raw.analyze,
    """Who stood better, what was a mistake, what was luck: ``summary`` and ``plies``, as a job of ``POST /v1/analyses``
    has them. All processors work on it; Ctrl-C ends it.""",
)


board_svg = _made(
    raw.board_svg, bytes.decode, "str", "A picture of what a viewer knows (``POST /v1/scene`` as SVG)."
)
