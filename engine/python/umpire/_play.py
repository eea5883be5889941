"""A game in progress, for programs that play."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._errors import IllegalAction, UmpireError
from .raw import Json, text_of


def games() -> dict[str, list[str]]:
    """The games, each with the names of its seats."""
    return dict(_native.games())


class Game:
    """A game that grows action by action; it need not be replayed from its beginning for each.

    It begins from a record whose actions are legal. ``Game.new("drako", seed="a")`` makes a fresh one.
    """

    def __init__(self, record: Json) -> None:
        text = text_of(record)
        try:
            self._native = _native.Game.open(text)
        except _native.Problem as problem:
            raise UmpireError(problem.args[0]) from None
        self._record: dict[str, Any] = json.loads(text)
        self._record.setdefault("actions", [])

    @classmethod
    def new(cls, game: str, *, seed: str, options: dict[str, Any] | None = None) -> Game:
        """A fresh game, dealt from a seed."""
        record: dict[str, Any] = {"format": "umpire/1", "game": game, "chance": {"seed": seed}, "actions": []}
        if options is not None:
            record["options"] = options
        return cls(record)

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._native.game

    @property
    def seats(self) -> list[str]:
        """The seats in use, in seat order."""
        return self._native.seats

    @property
    def ply(self) -> int:
        """Number of accepted actions."""
        return self._native.ply

    @property
    def deciders(self) -> list[str]:
        """The seats that decide; nobody when the game is over."""
        return self._native.deciders

    @property
    def record(self) -> dict[str, Any]:
        """The record of the game so far."""
        return {**self._record, "actions": list(self._record["actions"])}

    def look(self, viewer: str) -> dict[str, Any]:
        """How it stands as a viewer knows it: ``status``, ``outcome``, ``decision``, ``state`` …"""
        found: dict[str, Any] = json.loads(self.view(viewer))
        return found

    def view(self, viewer: str) -> bytes:
        """:meth:`look`, as bytes."""
        try:
            return self._native.look(viewer)
        except _native.Problem as problem:
            raise UmpireError(problem.args[0]) from None

    def offers(self, seat: str, most: int = 512) -> tuple[list[dict[str, Any]], bool]:
        """Legal actions of a seat to choose between, at most so many, always the same in the same game; and whether no
        sensible one is left out. Where something sensible can be done, nothing else is offered, and of actions that
        differ in numbers there are some. :func:`umpire.legal_actions` lists all."""
        try:
            actions, whole = self._native.offers(seat, most)
        except _native.Problem as problem:
            raise UmpireError(problem.args[0]) from None
        return [json.loads(action) for action in actions], whole

    def play(self, action: Json) -> None:
        """Plays an action, or raises :class:`IllegalAction`, and nothing has changed."""
        text = text_of(action)
        try:
            refused = self._native.play(text)
        except _native.Problem as problem:
            raise UmpireError(problem.args[0]) from None
        if refused is not None:
            raise IllegalAction(refused)
        self._record["actions"].append(json.loads(text))
