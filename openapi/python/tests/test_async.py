"""The async client on a live service: several seats at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
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

            async def live() -> AsyncIterator[dict[str, Any]]:
                for record in whole_games():
                    await asyncio.sleep(0)
                    yield record

            receipts = [line async for line in umpire.store_all(live(), batch=0)]
            assert receipts[-1].summary.records == len(receipts) - 1 == len(found) - 1

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
        return httpx.Response(200, text=found, headers={"content-type": "text/event-stream; charset=utf-8"})

    async def watch() -> None:
        async with AsyncUmpire("http://pretended", transport=httpx.MockTransport(answer)) as umpire:
            assert [news async for news in umpire.table("t").watch(delay=0.001)] == []

    asyncio.run(watch())
    assert asked == [None, "1", "1"]


def test_a_finished_table_is_not_asked_again() -> None:
    asked: list[str | None] = []
    answers = [httpx.Response(200, text="id: 7-9\nevent: ping\ndata: {}\n\n", headers={"content-type": "text/event-stream"}), httpx.Response(204)]

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("last-event-id"))
        return answers.pop(0)

    async def watch() -> None:
        async with AsyncUmpire("http://pretended", transport=httpx.MockTransport(answer)) as umpire:
            assert [news async for news in umpire.table("t").watch(delay=0.001)] == []

    asyncio.run(watch())
    assert asked == [None, "7-9"]


def test_analyses_and_series_are_jobs(origin: str) -> None:
    (record,) = [record for record in whole_games() if record["game"] == "drako"]
    record = record | {"actions": record["actions"][:4]}

    async def ask() -> None:
        async with AsyncUmpire(origin) as umpire:
            job = await umpire.analyze(record, simulations=5)
            for _ in range(600):
                if (await umpire.analysis(job.id)).state not in ("queued", "running"):
                    break
                await asyncio.sleep(0.1)
            assert (await umpire.analysis(job.id)).summary is not None
            assert [it.ply async for it in umpire.analysis_plies(job.id)]
            await umpire.cancel_analysis(job.id)
            series = await umpire.start_simulation({"game": "drako", "games": 2})
            assert (await umpire.simulation(series.id)).game == "drako"
            await umpire.cancel_simulation(series.id)

    asyncio.run(ask())
