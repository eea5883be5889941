"""What both clients share: values in and out, problems, waiting, lines. Must not send anything."""

from __future__ import annotations

import functools
import json
import random
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal

import httpx
from pydantic import BaseModel, TypeAdapter

from . import models

GameName = Literal["drako", "dragut", "doubloons"]
#: What is sent: a model, or what JSON is made of.
Sendable = BaseModel | dict[str, Any] | list[Any]
#: A name, or ``{"search": 500}`` for a program.
Sitter = str | dict[str, int]


class UmpireProblem(Exception):
    """An answer that is a problem (``application/problem+json``); ``problem.code`` says which."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail') or problem.get('title')}")
        self.status = status
        #: The seconds that ``Retry-After`` asks for.
        self.retry_after = retry_after
        #: As it was answered.
        self.raw = problem

    @property
    def code(self) -> str:
        """The stable code, such as ``action_refused``."""
        return str(self.raw.get("code", "internal"))

    @property
    def problem(self) -> models.Problem:
        """The same, typed."""
        return models.Problem.model_validate(self.raw)


@dataclass(frozen=True)
class Board:
    """A picture of a position. A notebook shows it by itself."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Writes the SVG."""
        Path(path).write_text(self.svg, encoding="utf-8")


def plain(value: Any) -> Any:
    """A value as JSON has it: of a model only what was set."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def about(of: Any, **more: Any) -> dict[str, Any]:
    """A request about a record: the record, the id of a stored one, or such a request, with more beside it."""
    value = plain(of)
    if isinstance(value, str):
        value = {"id": value}
    elif "format" in value:
        value = {"record": value}
    return {**value, **{name: plain(part) for name, part in more.items() if part is not None}}


@functools.cache
def _adapter(name: str, game: str | None) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(getattr(models, game) if game else models, name))


def typed(name: str, value: Any, game: str | None = None) -> Any:
    """Parses a value as the type of that name, such as ``models.Legal``. Imports only the models of the game that it belongs to."""
    if name in models.OF_GAMES:
        game = value.get("game", value.get("id"))
    return _adapter(name, game if game in models.GAMES else None).validate_python(value)


def typed_line(name: str, value: dict[str, Any]) -> Any:
    """Parses a line of the answer to many records: about one of them, or the summary."""
    if "summary" in value:
        name = "ValidationSummary" if name == "Judgement" else "SubmissionSummary"
    return typed("Problem" if "code" in value else name, value)


def problem_of(answer: httpx.Response) -> UmpireProblem:
    """The problem in an answer. If a proxy answered, its text becomes the detail."""
    problem: Any = None
    try:
        problem = answer.json()
    except ValueError:
        pass
    if not (isinstance(problem, dict) and isinstance(problem.get("code"), str)):
        problem = {
            "type": "about:blank",
            "code": "internal",
            "title": answer.reason_phrase,
            "detail": answer.text,
            "status": answer.status_code,
        }
    return UmpireProblem(answer.status_code, problem, retry_after(answer))


def retry_after(answer: httpx.Response) -> float | None:
    """The seconds that ``Retry-After`` asks for: it is a number of them, or a date."""
    text = answer.headers.get("retry-after")
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def wait_before(answer: httpx.Response, harmless: bool, backoff: float) -> float | None:
    """The seconds to wait before the request is sent again; ``None`` if it is not."""
    asked = retry_after(answer)
    match answer.status_code:
        case 429:
            return 1.0 if asked is None else asked
        case 503:
            # Without ``Retry-After``, it is about this request, which would fail again.
            return asked
        case 502 | 504 if harmless:
            # From a proxy.
            return backoff if asked is None else asked
    return None


def heals(status: int) -> bool:
    """Whether trying again can help after that status."""
    return status >= 500 or status in (408, 425, 429)


class Backoff:
    """How long to wait before a connection is made again."""

    def __init__(self, delay: float, longest: float) -> None:
        self._delay, self._longest = delay, longest
        self._failed = 0
        self._opened: float | None = None

    def opened(self) -> None:
        """The connection is open."""
        self._opened = time.monotonic()

    def lost(self, error: Exception) -> float:
        """The connection was lost, or could not be made. Returns the seconds to wait."""
        if self._opened is not None and time.monotonic() - self._opened > self._longest:
            self._failed = 0
        # Jitter, so that not all watchers of a restarted server come back at once.
        wait = min(self._longest, self._delay * 2.0 ** min(self._failed, 60)) * random.uniform(0.5, 1.0)
        self._failed += 1
        self._opened = None
        return max(wait, getattr(error, "retry_after", None) or 0.0)


def given(**parameters: Any) -> dict[str, str]:
    """The query of parameters that have a value."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

    return {name: text(value) for name, value in parameters.items() if value is not None and value != [] and value != ()}


def before(version: str, other: str) -> bool:
    """Whether a version of a table is older than another: ``41``, after the first undo ``38.1``."""

    def number(text: str) -> tuple[int, int]:
        ply, _, undos = text.partition(".")
        return int(undos or 0), int(ply or 0)

    return other != "" and number(version) < number(other)


async def each(records: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[Any]:
    """Iterates over either kind of iterable."""
    if isinstance(records, AsyncIterable):
        async for record in records:
            yield record
    else:
        for record in records:
            yield record


class Batch:
    """Lines of NDJSON for one request each. The first record is sent alone, for an answer as early as possible."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._enough = 0
        self._lines: list[bytes] = []
        self._length = 0
        self._sent = 0
        self._summary: dict[str, int] = {}

    def add(self, record: Sendable) -> bytes | None:
        """Adds a record. Returns the body to send now, if there is enough for one."""
        line = json.dumps(plain(record)).encode() + b"\n"
        self._lines.append(line)
        self._length += len(line)
        return None if self._length < self._enough else b"".join(self._lines)

    def rest(self) -> bytes | None:
        """Returns the body to send at the end. Without any records it is empty, and the answer is a summary."""
        return b"".join(self._lines) if self._lines or self._enough == 0 else None

    def answers(self, answer: bytes) -> Iterator[dict[str, Any]]:
        """Returns the lines that are about records, and begins the next batch."""
        for line in filter(None, answer.split(b"\n")):
            value = json.loads(line)
            if isinstance(value.get("summary"), dict):
                for name, count in value["summary"].items():
                    self._summary[name] = self._summary.get(name, 0) + count
            elif "line" in value:
                yield value | {"line": self._sent + value["line"]}
            else:
                yield value
        self._sent += len(self._lines)
        self._lines, self._length, self._enough = [], 0, self._most

    def summary(self) -> dict[str, Any]:
        """The counts over all batches."""
        return {"summary": self._summary}


@dataclass(frozen=True)
class Connection:
    """The state of the connection of a ``watch``. If it is lost, the next try begins in ``retry_in`` seconds."""

    state: Literal["connecting", "open", "lost"]
    error: Exception | None = None
    retry_in: float | None = None


@dataclass(frozen=True)
class News:
    """What happened at a table: all of it (``table``), or what happened since (``step``)."""

    version: str
    table: models.Table | None = None
    step: models.TableStep | None = None
    #: Whether the seat already knew this, usually from the answer to its own action. Then its view has not changed.
    known: bool = False
