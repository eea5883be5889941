"""What goes wrong, by the codes of the service."""

from __future__ import annotations

import json
from typing import Any


class UmpireError(Exception):
    """The engine gives no answer: what the service would send a problem for (docs/api.md has the codes)."""

    def __init__(self, body: bytes) -> None:
        problem: dict[str, Any] = json.loads(body)
        #: The problem as the service sends it, byte for byte.
        self.body = body
        #: The same, read.
        self.problem = problem
        #: The stable name of the kind of error: ``bad_record``, ``unknown_game``, ``not_found`` …
        self.code: str = problem["code"]
        #: The status with which the service would send it.
        self.status: int = problem["status"]
        #: What is wrong, in words.
        self.detail: str = problem["detail"]
        #: The place in the record or the request, a JSON pointer.
        self.pointer: str | None = problem.get("pointer")
        #: The parameter at fault.
        self.parameter: str | None = problem.get("parameter")
        super().__init__(body)

    def __str__(self) -> str:
        where = f" (at {self.pointer})" if self.pointer else ""
        return f"{self.code}: {self.detail}{where}"


class IllegalAction(UmpireError):
    """The rules refuse an action; nothing has changed. ``violation`` says why, as in a verdict."""

    def __init__(self, violation: bytes) -> None:
        found: dict[str, Any] = json.loads(violation)
        #: The violation: ``rule``, ``code``, ``message``, ``facts``, ``nearest`` …
        self.violation = found
        told = {"code": "action_refused", "status": 422, "detail": found["message"], "pointer": found["pointer"]}
        super().__init__(json.dumps({**told, "violation": found}).encode())
