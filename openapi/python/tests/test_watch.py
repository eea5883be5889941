"""Watching a table over a network that fails, with both clients."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Service, choice_of, whole_games

from umpire_client import AsyncUmpire, Connection, Umpire, UmpireProblem

#: Short, for a test. The proxy sends something more often than that.
TIMES: dict[str, Any] = {"silence": 1.5, "delay": 0.01, "longest_delay": 0.04}
PING = 0.1


class Proxy(ThreadingHTTPServer):
    """A proxy for streams. Its ``fault`` is ``502``, ``503``, ``freeze``, ``cut`` (once, in mid-event) or ``end`` (the same, politely)."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), Stream)
        self.target, self.fault, self.streams = target, "", 0
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_: object) -> None:
        pass  # A watcher that has gone.


class Stream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Proxy

    def do_GET(self) -> None:
        self.server.streams += 1
        self.close_connection = True
        if self.server.fault in ("502", "503"):
            self.send_response(int(self.server.fault))
            if self.server.fault == "503":
                self.send_header("retry-after", "1")
            self.end_headers()
            self.wfile.write(b"<h1>Bad Gateway</h1>")
            return
        while self.server.fault == "freeze":
            time.sleep(PING)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "accept-encoding")}
        with httpx.stream("GET", self.server.target + self.path, headers=headers, timeout=None) as answer:
            self.send_response(answer.status_code)
            self.send_header("content-type", answer.headers.get("content-type", "text/plain"))
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.whole, self.frozen, self.ended, self.lock = True, False, False, threading.Lock()
            threading.Thread(target=self.ping, daemon=True).start()
            try:
                self.pass_on(answer.iter_raw())
            finally:
                self.ended = True

    def pass_on(self, parts: Iterator[bytes]) -> None:
        for part in parts:
            with self.lock:
                self.whole = part.endswith(b"\n\n")
                fault = self.server.fault
                # What once was frozen stays so: a network does not deliver what comes later without what came before.
                self.frozen |= fault == "freeze"
                if self.frozen:
                    continue
                if fault in ("cut", "end"):
                    self.server.fault = ""
                    self.send(part[: len(part) // 2])
                    break
                self.send(part)
        else:
            fault = "end"
        if fault != "cut":
            self.send(b"")

    def send(self, part: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def ping(self) -> None:
        while not self.ended:
            time.sleep(PING)
            with self.lock:
                self.frozen |= self.server.fault == "freeze"
                if self.whole and not self.ended and not self.frozen:
                    try:
                        self.send(b":\n\n")
                    except OSError:
                        return

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Seen:
    """What a watcher has seen so far."""

    version: str = ""
    view: Any = None
    connections: list[Connection] = field(default_factory=list)

    @property
    def losses(self) -> list[Connection]:
        return [it for it in self.connections if it.state == "lost"]

    def until(self, wanted: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not wanted():
            assert time.monotonic() < end, (self.version, self.connections)
            time.sleep(0.02)


def watch_sync(seen: Seen, origin: str, id: str, token: str | None) -> None:
    with Umpire(origin) as umpire:
        seat = umpire.table(id, token)
        for news in seat.watch(on_connection=seen.connections.append, **TIMES):
            seen.version, seen.view = news.version, seat.view


def watch_async(seen: Seen, origin: str, id: str, token: str | None) -> None:
    async def watch() -> None:
        async with AsyncUmpire(origin) as umpire:
            seat = umpire.table(id, token)
            async for news in seat.watch(on_connection=seen.connections.append, **TIMES):
                seen.version, seen.view = news.version, seat.view

    asyncio.run(watch())


@pytest.mark.parametrize("watch", [watch_sync, watch_async])
def test_a_watcher_survives_a_failing_network(watch: Callable[..., None], tmp_path: Path) -> None:
    service = Service(tmp_path)
    proxy = Proxy(service.origin)
    (record,) = (record for record in whole_games() if record["game"] == "drako")
    with Umpire(service.origin) as umpire:
        made = umpire.create_table(**choice_of(record))
    ply = 0

    def act() -> None:
        nonlocal ply
        action = record["actions"][ply]
        with Umpire(service.origin) as umpire:
            umpire.table(made.id, made.seats[action["player"]].token).act(action)
        ply += 1

    seen = Seen()
    first = made.seats[record["actions"][0]["player"]].token
    watching = threading.Thread(target=watch, args=(seen, proxy.origin, made.id, first), daemon=True)
    watching.start()

    def caught_up() -> bool:
        return seen.version == str(ply) and seen.connections[-1].state == "open"

    try:
        seen.until(caught_up)
        # A quiet table is not a silent network.
        time.sleep(1.5 * TIMES["silence"])
        assert not seen.losses

        for fault in ("cut", "end"):
            before = len(seen.losses)
            proxy.fault = fault
            act()
            seen.until(caught_up)
            assert len(seen.losses) > before, fault

        # Silence is noticed, also where a connection is accepted and nothing follows.
        proxy.fault = "freeze"
        before = len(seen.losses)
        act()
        seen.until(lambda: len(seen.losses) >= before + 2)
        assert isinstance(seen.losses[-1].error, httpx.ReadTimeout)
        proxy.fault = ""
        seen.until(caught_up)

        # Bad gateways for longer than eight tries, with bounded waits.
        proxy.fault = "502"
        service.stop()
        before = len(seen.losses)
        seen.until(lambda: len(seen.losses) >= before + 12)
        for lost in seen.losses[before + 1 :]:
            assert isinstance(lost.error, UmpireProblem) and lost.error.status == 502
            assert lost.retry_in is not None and 0 < lost.retry_in <= TIMES["longest_delay"]
        service.start()
        proxy.target, proxy.fault = service.origin, ""
        act()
        seen.until(caught_up)

        # A server that is busy says when to try again.
        proxy.fault = "503"
        service.stop()
        seen.until(lambda: isinstance(seen.losses[-1].error, UmpireProblem) and seen.losses[-1].error.status == 503)
        assert seen.losses[-1].retry_in == 1.0
        service.start()
        proxy.target, proxy.fault = service.origin, ""
        act()
        seen.until(caught_up)

        with Umpire(service.origin) as umpire:
            seat = umpire.table(made.id, first)
            seat.look()
            assert seen.view == seat.view
            streams = proxy.streams
            umpire.table(made.id, made.host.token).seal()
        watching.join(timeout=20)
        assert not watching.is_alive() and proxy.streams == streams
    finally:
        proxy.shutdown()
        service.stop()


def test_a_watch_ends_if_trying_again_cannot_help(origin: str) -> None:
    seen: list[str] = []
    with Umpire(origin) as umpire, pytest.raises(UmpireProblem) as gone:
        next(umpire.table("0" * 32).watch(on_connection=lambda it: seen.append(it.state)))
    assert gone.value.status == 404 and seen == ["connecting"]


def test_a_silent_network_is_noticed_within_40_seconds() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        # Two of the server's pings, 15 seconds apart, may be late.
        assert 31 <= request.extensions["timeout"]["read"] < 40
        assert request.extensions["timeout"]["connect"] < 40
        raise httpx.ReadTimeout("silent")

    class Stop(Exception):
        pass

    def stop(connection: Connection) -> None:
        if connection.state == "lost":
            raise Stop(connection.error)

    with Umpire("http://silent", transport=httpx.MockTransport(answer)) as umpire, pytest.raises(Stop, match="silent"):
        next(umpire.table("t").watch(on_connection=stop))


def test_steps_that_a_seat_already_knows_are_marked(origin: str) -> None:
    (record,) = (record for record in whole_games() if record["game"] == "drako")
    with Umpire(origin) as umpire:
        made = umpire.create_table(**choice_of(record))
        host, (first, second, third, *_) = made.host, record["actions"]
        watch = host.watch()
        news = next(watch)
        assert news.table is not None and not news.known
        host.act(first)
        host.act(second)
        view = host.view
        # The stream repeats what the answers said: first an older version, then the same one.
        for version in ("1", "2"):
            news = next(watch)
            assert (news.version, news.known, host.version, host.view) == (version, True, "2", view)
        other = made.seats[third["player"]]
        other.look()
        other.act(third)
        news = next(watch)
        assert (news.version, news.known, host.version) == ("3", False, "3")
        # The same seat in another window does not know it.
        elsewhere = umpire.table(made.id, host.token).watch(since="0")
        assert not next(elsewhere).known
        watch.close()
        elsewhere.close()
