"""A typed client of Umpire, the referee for board games."""

from . import models
from ._async import AsyncMadeTable, AsyncSeat, AsyncUmpire
from ._common import Board, Connection, News, UmpireProblem
from ._patch import patched
from ._sync import MadeTable, Seat, Umpire

__all__ = [
    "AsyncMadeTable",
    "AsyncSeat",
    "AsyncUmpire",
    "Board",
    "Connection",
    "MadeTable",
    "News",
    "Seat",
    "Umpire",
    "UmpireProblem",
    "models",
    "patched",
]
