"""The client: what is asked most, typed; everything else by ``request``. Must not know a game."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from httpx_sse import EventSource

from . import models
from ._common import (
    Backoff,
    Batch,
    Board,
    Connection,
    GameName,
    News,
    Sendable,
    Sitter,
    UmpireProblem,
    about,
    before,
    each,
    given,
    heals,
    plain,
    problem_of,
    typed,
    typed_line,
    wait_before,
)
from ._patch import patched


class AsyncUmpire:
    """A service.

    ``origin`` says where it is, ``token`` is a bearer token where it asks for one. A request that is put off (429, 503) is sent
    again after what ``Retry-After`` says, ``retries`` times, unless that is longer than ``longest_wait`` seconds; one that was
    lost is sent again only where that does no harm. Records and actions may be models of ``umpire_client.models`` or what JSON
    is made of.
    """

    def __init__(
        self,
        origin: str = "http://127.0.0.1:8080",
        token: str | None = None,
        *,
        retries: int = 4,
        longest_wait: float = 20.0,
        timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._origin = origin.rstrip("/")
        self._token = token
        self._retries = retries
        self._longest_wait = longest_wait
        self._client = httpx.AsyncClient(base_url=self._origin, timeout=timeout, transport=transport)

    async def __aenter__(self) -> AsyncUmpire:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes its connections."""
        await self._client.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        harmless: bool = False,
    ) -> httpx.Response:
        """Sends a request as all others are sent, and gives a good answer. Raises ``UmpireProblem``.

        A lost request is sent again if it only reads, has an ``Idempotency-Key``, or is marked as ``harmless``.
        """
        head = dict(headers or {})
        if (token or self._token) is not None:
            head["authorization"] = f"Bearer {token or self._token}"
        if body is not None:
            content = json.dumps(plain(body)).encode()
            head.setdefault("content-type", "application/json")
        harmless = harmless or method in ("GET", "HEAD") or "idempotency-key" in head
        again = 0
        while True:
            try:
                answer = await self._client.request(method, path, params=params, content=content, headers=head)
            except httpx.TransportError:
                if not harmless or again >= self._retries:
                    raise
                wait: float | None = min(self._longest_wait, 0.1 * 2**again)
            else:
                wait = wait_before(answer, harmless, 0.1 * 2**again)
                if wait is None or again >= self._retries or wait > self._longest_wait:
                    if answer.is_success:
                        return answer
                    raise problem_of(answer)
            again += 1
            await asyncio.sleep(wait)

    async def _ask(self, kind: str, method: str, path: str, **more: Any) -> Any:
        return typed(kind, (await self.request(method, path, **more)).json())

    # Games.

    async def games(self) -> models.GameList:
        """The games."""
        return await self._ask("GameList", "GET", "/v1/games")

    async def game(self, game: GameName) -> models.GameDetail:
        """A game with its options, rulings, actions and components."""
        return await self._ask("GameDetail", "GET", f"/v1/games/{game}")

    async def rules(self, game: GameName, *, lang: str | None = None) -> models.RuleList:
        """The clauses and rulings of a game."""
        return await self._ask("RuleList", "GET", f"/v1/games/{game}/rules", params=given(lang=lang))

    # Records in, verdicts out.

    async def validate(self, record: Sendable, *, lang: str | None = None) -> models.Judgement:
        """The verdict on a record. An illegal record is a result: see ``verdict.status``."""
        return await self._ask("Judgement", "POST", "/v1/validate", body=record, params=given(lang=lang))

    async def validate_all(
        self, records: Iterable[Sendable] | AsyncIterable[Sendable], *, batch: int = 65_536
    ) -> AsyncIterator[models.Judgement | models.Problem | models.ValidationSummary]:
        """A ``Judgement`` or ``Problem`` for each record, in order, while ``records`` is still being read; then the summary.

        A request is sent for every ``batch`` bytes of records, the first one for a single record; with 0, for each record.
        """
        async for line in self._lines("/v1/validate", records, batch):
            yield typed_line("Judgement", line)

    async def _lines(
        self, path: str, records: Iterable[Sendable] | AsyncIterable[Sendable], most: int
    ) -> AsyncIterator[dict[str, Any]]:
        batch = Batch(most)
        async for record in each(records):
            text = batch.add(record)
            if text is not None:
                for line in batch.answers(await self._post_lines(path, text)):
                    yield line
        text = batch.rest()
        if text is not None:
            for line in batch.answers(await self._post_lines(path, text)):
                yield line
        yield batch.summary()

    async def _post_lines(self, path: str, text: bytes) -> bytes:
        # It is safe to send them again: a record is stored only once.
        head = {"content-type": "application/x-ndjson"}
        return (await self.request("POST", path, content=text, headers=head, harmless=True)).content

    @asynccontextmanager
    async def _open(
        self, path: str, *, headers: Mapping[str, str], token: str | None = None, silence: float = 60.0, **more: Any
    ) -> AsyncIterator[httpx.Response]:
        """An answer that is read as it arrives. Fails if nothing arrives for ``silence`` seconds."""
        head = dict(headers)
        if (token or self._token) is not None:
            head["authorization"] = f"Bearer {token or self._token}"
        async with self._client.stream("GET", path, headers=head, timeout=silence, **more) as answer:
            if not answer.is_success:
                await answer.aread()
                raise problem_of(answer)
            yield answer

    async def _export(self, kind: str, path: str, params: Mapping[str, str] | None = None) -> AsyncIterator[Any]:
        """The lines of an NDJSON export."""
        async with self._open(path, headers={"accept": "application/x-ndjson"}, params=params) as answer:
            rest = b""
            async for part in answer.aiter_bytes():
                *lines, rest = (rest + part).split(b"\n")
                for line in filter(None, lines):
                    yield typed(kind, json.loads(line))

    async def replay(
        self,
        record: Sendable,
        *,
        ply: int | None = None,
        viewer: str | None = None,
        include: Iterable[str] = (),
        lang: str | None = None,
    ) -> models.Report:
        """What a record comes to, as the viewer may know it: ``include=["events", "text"]`` tells what happened."""
        params = given(ply=ply, viewer=viewer, include=list(include), lang=lang)
        return await self._ask("Report", "POST", "/v1/replay", body=record, params=params)

    async def legal_actions(
        self,
        record: Sendable,
        *,
        ply: int | None = None,
        viewer: str | None = None,
        count_only: bool | None = None,
        limit: int | None = None,
        partial: Sendable | None = None,
        include: Iterable[str] = (),
        lang: str | None = None,
    ) -> models.Legal:
        """Who decides, and every legal action that the viewer may see; with ``partial`` those that begin so, and how they go on."""
        begun = None if partial is None else json.dumps(plain(partial))
        params = given(
            ply=ply, viewer=viewer, count_only=count_only, limit=limit, partial=begun, include=list(include), lang=lang
        )
        return await self._ask("Legal", "POST", "/v1/legal-actions", body=record, params=params)

    async def board(
        self,
        record: Sendable,
        *,
        ply: int | None = None,
        viewer: str | None = None,
        theme: str | None = None,
        targets: bool | None = None,
    ) -> Board:
        """A picture of a position."""
        params = given(ply=ply, viewer=viewer, theme=theme, targets=targets)
        head = {"accept": "image/svg+xml"}
        answer = await self.request("POST", "/v1/scene", body=record, params=params, headers=head)
        return Board(answer.text)

    # Disputes and advice.

    async def adjudicate(self, request: Sendable, *, lang: str | None = None) -> models.SettledDispute:
        """A dispute, settled under each reading: ``{"record": …, "action": …}`` or ``{"id": …}``."""
        return await self._ask("SettledDispute", "POST", "/v1/adjudicate", body=request, params=given(lang=lang))

    async def why_not(self, request: Sendable, *, lang: str | None = None) -> models.WhyNot:
        """Whether an action is allowed, and why not: ``{"record": …, "action": …, "ply": …}``."""
        return await self._ask("WhyNot", "POST", "/v1/why-not", body=request, params=given(lang=lang))

    async def explain(self, request: Sendable, *, lang: str | None = None) -> models.Account:
        """Why plies went as they did."""
        return await self._ask("Account", "POST", "/v1/explain", body=request, params=given(lang=lang))

    async def repair(self, request: Sendable, *, lang: str | None = None) -> models.Repairs:
        """How a broken record may have been meant."""
        return await self._ask("Repairs", "POST", "/v1/repair", body=request, params=given(lang=lang))

    async def remedy(self, request: Sendable, *, lang: str | None = None) -> models.Remedies:
        """What can be done about an illegal record."""
        return await self._ask("Remedies", "POST", "/v1/remedy", body=request, params=given(lang=lang))

    async def hint(
        self,
        of: Sendable | str,
        *,
        ply: int | None = None,
        seat: str | None = None,
        simulations: int | None = None,
        most: int | None = None,
        seed: str | None = None,
    ) -> models.Hint:
        """What a seat should do: in a record, in a stored one by its id, or as a whole request says."""
        body = about(of, ply=ply, seat=seat, simulations=simulations, most=most, seed=seed)
        return await self._ask("Hint", "POST", "/v1/hint", body=body)

    async def odds(self, request: Sendable) -> models.Odds:
        """What can come of an action."""
        return await self._ask("Odds", "POST", "/v1/odds", body=request)

    # Analyses and series of games.

    async def analyze(
        self,
        of: Sendable | str,
        *,
        viewer: str | None = None,
        simulations: int | None = None,
        seed: str | None = None,
    ) -> models.AnalysisJob:
        """Asks for the analysis of a record, or of a stored one by its id; ``id`` and ``state`` of the job say how to go on."""
        body = about(of, viewer=viewer, simulations=simulations, seed=seed)
        return await self._ask("AnalysisJob", "POST", "/v1/analyses", body=body)

    async def analysis(self, id: str) -> models.AnalysisJob:
        """How far an analysis has come; its ``summary`` once it is done."""
        return await self._ask("AnalysisJob", "GET", f"/v1/analyses/{id}")

    async def analysis_plies(self, id: str) -> AsyncIterator[models.PlyAnalysis]:
        """What an analysis says of each ply, one after the other; while it runs, of those that are done."""
        async for line in self._export("PlyAnalysis", f"/v1/analyses/{id}/plies"):
            yield line

    async def cancel_analysis(self, id: str) -> None:
        """Ends an analysis, or forgets it where it is done."""
        await self.request("DELETE", f"/v1/analyses/{id}")

    async def simulate(self, request: Sendable) -> models.Simulation:
        """A series of games between programs, played at once: ``{"game": "drako", "games": 100, "players": {"dragon": "greedy"}}``."""
        return await self._ask("Simulation", "POST", "/v1/simulations", body=request)

    async def start_simulation(self, request: Sendable) -> models.SimulationJob:
        """The same as a job, for long series."""
        params = given(job=True)
        return await self._ask("SimulationJob", "POST", "/v1/simulations", body=request, params=params)

    async def simulation(self, id: str) -> models.SimulationJob:
        """How far a series of games has come; ``simulation`` once all are played."""
        return await self._ask("SimulationJob", "GET", f"/v1/simulations/{id}")

    async def cancel_simulation(self, id: str) -> None:
        """Ends a series of games, or forgets it where it is done."""
        await self.request("DELETE", f"/v1/simulations/{id}")

    # Stored records.

    async def store(self, record: Sendable) -> models.Receipt:
        """Stores a record; ``id`` of the receipt names it."""
        return await self._ask("Receipt", "POST", "/v1/records", body=record)

    async def store_all(
        self, records: Iterable[Sendable] | AsyncIterable[Sendable], *, batch: int = 65_536
    ) -> AsyncIterator[models.Receipt | models.Problem | models.SubmissionSummary]:
        """Stores records: a ``Receipt`` or ``Problem`` for each, in order, as ``validate_all`` does; then the summary."""
        async for line in self._lines("/v1/records", records, batch):
            yield typed_line("Receipt", line)

    async def records(self, **filters: Any) -> AsyncIterator[models.StoredRecord]:
        """Every stored record that fits, one after the other: ``records(game="drako", winner="dragon")``."""
        async for line in self._export("StoredRecord", "/v1/records", given(**filters)):
            yield line

    async def record(self, id: str) -> models.StoredRecord:
        """A stored record."""
        return await self._ask("StoredRecord", "GET", f"/v1/records/{id}")

    async def report(
        self,
        id: str,
        *,
        ply: int | None = None,
        viewer: str | None = None,
        include: Iterable[str] = (),
        lang: str | None = None,
    ) -> models.Report:
        """What a stored record comes to; as a spectator, unless ``viewer`` or the token says more."""
        params = given(ply=ply, viewer=viewer, include=list(include), lang=lang)
        return await self._ask("Report", "GET", f"/v1/records/{id}/report", params=params)

    async def stored_board(self, id: str, ply: int, *, viewer: str | None = None, theme: str | None = None) -> Board:
        """A picture of a position of a stored record."""
        path = f"/v1/records/{id}/plies/{ply}/board.svg"
        return Board((await self.request("GET", path, params=given(viewer=viewer, theme=theme))).text)

    async def delete(self, id: str) -> None:
        """Deletes a stored record."""
        await self.request("DELETE", f"/v1/records/{id}")

    # Tables.

    async def create_table(
        self,
        game: GameName,
        *,
        options: Sendable | None = None,
        players: Mapping[str, Sitter] | None = None,
        chance: Sendable | None = None,
        position: Sendable | None = None,
        hints: bool | None = None,
        meta: Mapping[str, str] | None = None,
    ) -> AsyncMadeTable:
        """Makes a table: a game that is played action by action. With ``hints=False``, its seats cannot ask for hints."""
        fields = {"options": options, "players": players, "chance": chance, "position": position, "hints": hints, "meta": meta}
        body = {"game": game, **{name: plain(value) for name, value in fields.items() if value is not None}}
        made = (await self.request("POST", "/v1/tables", body=body)).json()
        id = made["table"]["id"]
        seats = {seat: AsyncSeat(self, id, token) for seat, token in made["seats"].items()}
        host = AsyncSeat(self, id, made["host"])
        return AsyncMadeTable(id, typed("Table", made["table"]), host, seats)

    def table(self, id: str, token: str | None = None) -> AsyncSeat:
        """A table as somebody sees it: with the token of a seat or of the host, or without one as a spectator."""
        return AsyncSeat(self, id, token)


@dataclass(frozen=True)
class AsyncMadeTable:
    """A table that was made."""

    id: str
    #: As the spectator sees it.
    table: models.Table
    #: Who made it: sees everything, may act for each seat.
    host: AsyncSeat
    #: The seats that no program plays.
    seats: dict[str, AsyncSeat]


class AsyncSeat:
    """A table through the eyes of one seat: what it knows is kept up to date by what it is told."""

    def __init__(self, umpire: AsyncUmpire, id: str, token: str | None) -> None:
        self._umpire = umpire
        self.id = id
        #: The token, to be handed to whoever sits there; nobody can ask for it again.
        self.token = token
        #: The version of what is known here; empty before anything was asked.
        self.version = ""
        #: What this seat knows of the position, as JSON; nothing before anything was asked, or the seed was drawn.
        self.view: dict[str, Any] | None = None
        self._game = ""

    @property
    def state(self) -> models.drako.View | models.dragut.View | models.doubloons.View | None:
        """The same as a model of the game: ``models.drako.View``."""
        return None if self.view is None else typed("View", self.view, self._game)

    async def _send(self, method: str, below: str, **more: Any) -> httpx.Response:
        return await self._umpire.request(method, f"/v1/tables/{self.id}{below}", token=self.token, **more)

    def _seen(self, table: dict[str, Any]) -> models.Table:
        self._game = table["game"]
        if not before(table["version"], self.version):
            self.version = table["version"]
            self.view = table["now"] and table["now"]["state"]
        return typed("Table", table)

    def _moved(self, step: dict[str, Any]) -> models.TableStep:
        self._game = step["game"]
        version = step["version"]
        # An answer may be overtaken by the stream.
        if not before(version, self.version):
            if "state" in step:
                self.view = step["state"]
            elif step.get("since") == self.version and "patch" in step:
                self.view = patched(self.view, step["patch"])
            elif version != self.version:
                self.view = None
            self.version = version
        return typed("TableStep", step)

    async def look(self, *, legal: bool = False, text: bool = False, lang: str | None = None) -> models.Table:
        """The table as it is now; with ``legal`` its legal actions, too, with ``text`` in words."""
        include = [name for name, wanted in (("legal", legal), ("text", text)) if wanted]
        return self._seen((await self._send("GET", "", params=given(include=include, lang=lang))).json())

    async def legal_actions(
        self, *, partial: Sendable | None = None, text: bool = False, lang: str | None = None
    ) -> models.Legal:
        """What this seat may do now; with ``partial``, what begins so, and what may be chosen next."""
        begun = None if partial is None else json.dumps(plain(partial))
        params = given(partial=begun, include=["text"] if text else None, lang=lang)
        return typed("Legal", (await self._send("GET", "/legal-actions", params=params)).json())

    async def hint(
        self, *, simulations: int | None = None, most: int | None = None, seed: str | None = None
    ) -> models.Hint:
        """The best actions for this seat, found by search from what the seat knows. Refused (409) at a table without hints."""
        params = given(simulations=simulations, most=most, seed=seed)
        return typed("Hint", (await self._send("GET", "/hint", params=params)).json())

    async def events(self, *, start: int | None = None, stop: int | None = None, lang: str | None = None) -> models.EventList:
        """What this seat learned of what happened, of the plies from ``start`` to before ``stop``."""
        params = given(**{"from": start, "to": stop, "lang": lang})
        return typed("EventList", (await self._send("GET", "/events", params=params)).json())

    async def board(self, *, theme: str | None = None, targets: bool | None = None) -> Board:
        """The board as this seat sees it."""
        params = given(theme=theme, targets=targets)
        return Board((await self._send("GET", "/scene", params=params, headers={"accept": "image/svg+xml"})).text)

    async def act(
        self,
        action: Sendable,
        *,
        legal: bool = False,
        text: bool = False,
        lang: str | None = None,
        version: str | None = None,
        tape: list[Any] | None = None,
        key: str | None = None,
    ) -> models.TableStep:
        """Takes an action, meant for the version that is known here.

        Lost on the way, it is sent again under the same name, and taken once. Raises ``UmpireProblem`` with the code
        ``action_refused`` where the rules refuse it (``raw["violation"]`` says why), ``stale`` where the table has moved on.
        """
        if self.version == "":
            await self.look()
        include = [name for name, wanted in (("legal", legal), ("text", text)) if wanted]
        head = {"if-match": f'"{version or self.version}"', "idempotency-key": key or str(uuid.uuid4())}
        body = {"action": plain(action)} | ({} if tape is None else {"tape": plain(tape)})
        params = given(include=include, lang=lang)
        return self._moved((await self._send("POST", "/actions", body=body, params=params, headers=head)).json())

    async def undo(self, to: int | None) -> models.Table:
        """Takes back what followed that many actions, or agrees to that; with ``None`` withdraws that wish."""
        return self._seen((await self._send("POST", "/undo", body={"to": to})).json())

    async def fair_draw(self, **part: str) -> models.Table:
        """Takes part in the fair draw of the seed: ``commit=``, ``reveal=``, or as host ``without=``.

        (Drawing a card is an action: see ``act``.)
        """
        return self._seen((await self._send("POST", "/draw", body=part)).json())

    async def seal(self) -> models.Table:
        """Makes a stored record of the table; its id is in ``record``."""
        return self._seen((await self._send("POST", "/seal")).json())

    async def remove(self) -> None:
        """Forgets the table."""
        await self._send("DELETE", "")

    async def watch(
        self,
        *,
        lang: str | None = None,
        since: str | None = None,
        on_connection: Callable[[Connection], object] | None = None,
        silence: float = 35.0,
        delay: float = 0.5,
        longest_delay: float = 10.0,
    ) -> AsyncIterator[News]:
        """What happens at the table, as it happens, first the whole table; ends when the table is closed.

        A connection that breaks, is refused by a proxy (5xx) or a limit (429), or falls silent for ``silence`` seconds (the
        server sends something every 15) is made again, for as long as it takes, and continues where it was lost: after about
        ``delay`` seconds, doubled with each failure up to ``longest_delay``, or what ``Retry-After`` says if that is longer.
        Raises ``UmpireProblem`` if trying again cannot help: 404, say, or 403. ``on_connection`` is called whenever the connection
        changes; what it raises ends the watch. ``since`` is the version of the last news, to get only what happened since.
        """
        tell = on_connection or (lambda _: None)
        path = f"/v1/tables/{self.id}/stream"
        last = since
        backoff = Backoff(delay, longest_delay)
        while True:
            error: Exception = httpx.RemoteProtocolError("the connection was closed")
            head = {"accept": "text/event-stream"} | ({} if last is None else {"last-event-id": last})
            tell(Connection("connecting"))
            try:
                stream = self._umpire._open(path, headers=head, token=self.token, silence=silence, params=given(lang=lang))
                async with stream as answer:
                    if answer.status_code == 204:
                        return
                    backoff.opened()
                    tell(Connection("open"))
                    async for event in EventSource(answer).aiter_sse():
                        if event.event == "end":
                            return
                        # Comments that keep the connection alive arrive as events without data.
                        news = self._news(event.event, json.loads(event.data)) if event.data else None
                        last = event.id or last
                        if news is not None:
                            yield news
            except httpx.RequestError as lost:
                error = lost
            except UmpireProblem as problem:
                if not heals(problem.status):
                    raise
                error = problem
            wait = backoff.lost(error)
            tell(Connection("lost", error, wait))
            await asyncio.sleep(wait)

    def _news(self, event: str, data: dict[str, Any]) -> News | None:
        known = before(data.get("version", ""), self.version)
        if event == "table":
            return News(data["version"], table=self._seen(data), known=known)
        if event == "step":
            known = known or data["version"] == self.version
            return News(data["version"], step=self._moved(data), known=known)
        return None
