"""The async client on a live service: several seats at once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from conftest import choice_of, whole_games

from umpire_client import AsyncUmpire


@pytest.mark.parametrize("record", whole_games(), ids=lambda record: record["game"])
def test_a_whole_game_is_played_and_watched_at_once(origin: str, record: dict[str, Any]) -> None:
    async def play() -> None:
        async with AsyncUmpire(origin) as umpire:
            made = await umpire.create_table(**choice_of(record))

            async def watch(token: str) -> tuple[int, Any]:
                at = umpire.table(made.id, token)
                steps = 0
                async for news in at.watch():
                    steps += news.step is not None
                return steps, at.view

            tasks = {seat: asyncio.create_task(watch(at.token)) for seat, at in made.seats.items()}
            for ply, action in enumerate(record["actions"]):
                seat = made.seats[action["player"]]
                if seat.version != str(ply):
                    await seat.look()
                await seat.act(action)
            views = {}
            for name, seat in made.seats.items():
                await seat.look()
                views[name] = seat.view
            await made.host.seal()
            for name, task in tasks.items():
                steps, told = await asyncio.wait_for(task, 60)
                assert steps > 0 and told == views[name], name

    asyncio.run(play())


def test_lines_come_one_by_one(origin: str) -> None:
    async def ask() -> None:
        async with AsyncUmpire(origin) as umpire:
            found = [line async for line in umpire.validate_all(whole_games())]
            assert [line.verdict.status for line in found[:-1]] == ["complete"] * (len(found) - 1)
            assert found[-1].summary.complete == len(found) - 1

    asyncio.run(ask())


def test_a_stream_that_breaks_off_is_gone_on_with() -> None:
    def event(name: str, version: int, data: str) -> str:
        return f"id: {version}\nevent: {name}\ndata: {data}\n\n"

    asked: list[str | None] = []
    answers: list[Any] = [
        event("ping", 0, "{}") + event("ping", 1, "{}") + "id: 2\nevent: pi",
        httpx.ReadError("terminated"),
        ":\n\n" + "event: end\ndata: {}\n\n",
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("last-event-id"))
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return httpx.Response(200, text=found, headers={"content-type": "text/event-stream"})

    async def watch() -> None:
        async with AsyncUmpire("http://pretended", transport=httpx.MockTransport(answer)) as umpire:
            assert [news async for news in umpire.table("t").watch()] == []

    asyncio.run(watch())
    assert asked == [None, "1", "1"]
