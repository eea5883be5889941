"""What both clients share: values in and out, problems, waiting, events. Must not send anything."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
from pydantic import BaseModel, RootModel, TypeAdapter

from . import models

GameName = Literal["drako", "dragut", "doubloons"]
#: What is sent: a model, or what JSON is made of.
Sendable = BaseModel | dict[str, Any] | list[Any]
#: A record's id, as text or as an answer has it.
Name = str | RootModel[str]
#: A name, or ``{"search": 500}`` for a program.
Sitter = str | dict[str, int]


class UmpireProblem(Exception):
    """An answer that is a problem (``application/problem+json``); ``problem.code`` says which."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail') or problem.get('title')}")
        self.status = status
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


class Nothing(Exception):
    """A stream has nothing more to tell."""


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
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def typed(kind: Any, value: Any) -> Any:
    """A value as a type of the description; of a choice the part that is meant."""
    found = _adapter(kind).validate_python(value)
    return found.root if isinstance(found, RootModel) else found


def of_game(name: str, game: str) -> Any:
    """The model of that name of a game: ``of_game("View", "drako")`` is ``models.drako.View``."""
    return getattr(getattr(models, game), name)


def problem_of(answer: httpx.Response) -> UmpireProblem:
    """The problem that an answer is."""
    try:
        problem = answer.json()
    except ValueError:
        problem = {"code": "internal", "title": answer.reason_phrase, "detail": answer.text, "status": answer.status_code}
    return UmpireProblem(answer.status_code, problem)


def wait_before(answer: httpx.Response) -> float | None:
    """How many seconds to wait before a request that was put off is sent again; nothing for other answers."""
    # Without a word of when, a 503 is about this request: it would fail again.
    if answer.status_code not in (429, 503) or (answer.status_code == 503 and "retry-after" not in answer.headers):
        return None
    try:
        return float(answer.headers.get("retry-after", "1"))
    except ValueError:
        return 1.0


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


@dataclass(frozen=True)
class ServerEvent:
    """A server-sent event."""

    id: str
    event: str
    data: str


class Events:
    """Puts server-sent events together, line by line."""

    def __init__(self) -> None:
        self._id, self._event, self._data = "", "message", list[str]()

    def feed(self, line: str) -> Iterator[ServerEvent]:
        """Takes a line without its end, and gives the event that it ends, if it ends one."""
        line = line.rstrip("\r\n")
        if line == "":
            if self._data:
                yield ServerEvent(self._id, self._event, "\n".join(self._data))
            self._event, self._data = "message", []
            return
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "id":
                self._id = value
            case "event":
                self._event = value
            case "data":
                self._data.append(value)


@dataclass(frozen=True)
class News:
    """What happened at a table: all of it (``table``), or what happened since (``step``)."""

    version: str
    table: Any = None
    step: Any = None
