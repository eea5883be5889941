"""The client on a live service, and by itself: retries, patches, events."""

from __future__ import annotations

import copy
import hashlib
import threading
from collections.abc import Iterator
from datetime import datetime, timezone
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from conftest import choice_of, whole_games

from umpire_client import Umpire, UmpireProblem, models, patched
from umpire_client._common import before, plain

EMPTY = {"format": "umpire/1", "game": "drako", "chance": {"seed": "a"}, "actions": []}


@pytest.mark.parametrize("record", whole_games(), ids=lambda record: record["game"])
def test_a_whole_game_is_played_watched_and_stored(origin: str, record: dict[str, Any]) -> None:
    with Umpire(origin) as umpire:
        made = umpire.create_table(**choice_of(record))
        watched: dict[str, Any] = {}

        def watch(seat: str, token: str) -> None:
            with Umpire(origin) as own:
                at = own.table(made.id, token)
                steps = sum(news.step is not None for news in at.watch())
                watched[seat] = (steps, at.view)

        watching = [threading.Thread(target=watch, args=(seat, at.token)) for seat, at in made.seats.items()]
        for thread in watching:
            thread.start()
        for ply, action in enumerate(record["actions"]):
            seat = made.seats[action["player"]]
            if seat.version != str(ply):
                seat.look()
            assert seat.act(action).ply == ply + 1
        assert made.host.look().now.status == "complete"
        views = {}
        for name, seat in made.seats.items():
            seat.look()
            assert isinstance(seat.state, getattr(models, record["game"]).View)
            views[name] = seat.view
        stored = made.host.seal().record
        for thread in watching:
            thread.join(timeout=60)
        # What was told by patches alone is what is so.
        for name, view in views.items():
            steps, told = watched[name]
            assert steps > 0 and told == view, name
        kept = umpire.record(stored).model_dump(mode="json", exclude_unset=True, by_alias=True)
        assert kept["actions"] == record["actions"]
        made.host.remove()
        with pytest.raises(UmpireProblem) as gone:
            made.host.look()
        assert gone.value.code == "not_found" and gone.value.problem.status == 404


def test_a_refused_action_says_why(origin: str) -> None:
    with Umpire(origin) as umpire:
        made = umpire.create_table("drako", chance={"seed": "a"})
        dragon, dwarves = made.seats["dragon"], made.seats["dwarves"]
        (own,) = [choices for choices in dragon.legal_actions(text=True).choices if choices.player == "dragon"]
        assert len(own.actions) == len(own.texts)
        (begun,) = dragon.legal_actions(partial=own.actions[0]).choices
        assert begun.complete and begun.count >= 1
        with pytest.raises(UmpireProblem) as refused:
            dragon.act(models.drako.DeclareFury(type="declare_fury", player="dwarves"))
        assert refused.value.code == "forbidden"
        with pytest.raises(UmpireProblem) as refused:
            dwarves.act(models.drako.DeclareFury(type="declare_fury", player="dwarves"))
        assert refused.value.code == "action_refused" and refused.value.raw["violation"]["rule"].startswith("DRK-")
        step = dragon.act(own.actions[0], legal=True)
        assert step.version == "1" and dragon.version == "1"
        with pytest.raises(UmpireProblem) as stale:
            dragon.act(own.actions[0], version="0")
        assert (stale.value.status, stale.value.code) == (412, "stale")
        assert dragon.board(targets=True)._repr_svg_().startswith("<svg")
        assert dwarves.events(start=0).events
        (asked,) = step.decision.players
        hint = made.seats[asked].hint(simulations=5, most=1)
        assert isinstance(hint, models.drako.Hint) and hint.player == asked and len(hint.actions) == 1
        with pytest.raises(UmpireProblem) as refused:
            umpire.create_table("drako", hints=False).seats["dragon"].hint()
        assert refused.value.code == "conflict"
        undone = made.host.undo(0)
        assert undone.version == "0.1" and dragon.look().version == "0.1"


def test_a_fair_draw_is_made_by_all(origin: str) -> None:
    with Umpire(origin) as umpire:
        made = umpire.create_table("drako", chance={"fair": True})
        secrets = {"dragon": "11" * 32, "dwarves": "22" * 32}
        for seat, secret in secrets.items():
            text = f"umpire fair draw 1 commitment\n{made.id}\n{seat}\n{secret}\n"
            made.seats[seat].fair_draw(commit=hashlib.sha256(text.encode()).hexdigest())
        assert made.seats["dragon"].view is None
        for seat, secret in secrets.items():
            made.seats[seat].fair_draw(reveal=secret)
        assert made.host.look().fair.stage == "drawn"


def test_records_in_verdicts_out(origin: str, tmp_path: Any) -> None:
    with Umpire(origin) as umpire:
        assert {"drako", "dragut", "doubloons"} <= {game.id for game in umpire.games().games}
        assert umpire.game("drako").components.decks.dragon[0].count > 0
        assert umpire.rules("drako").rules
        bad = EMPTY | {"actions": [{"type": "declare_fury", "player": "dragon"}]}
        lines = list(umpire.validate_all([EMPTY, models.drako.GameRecord(**EMPTY), bad, EMPTY | {"game": "chess"}]))
        assert [line.verdict.status for line in lines[:3]] == ["in_progress", "in_progress", "illegal"]
        assert lines[3].code == "unknown_game" and lines[4].summary.records == 4
        # Lines count over all requests, and without a record there is a summary, too.
        lines = list(umpire.validate_all([EMPTY, EMPTY, EMPTY | {"game": "chess"}], batch=0))
        assert lines[2].line == 3 and lines[3].summary.records == 3
        assert [line.summary.records for line in umpire.validate_all([])] == [0]
        # Not every line end of Unicode ends a line.
        named = umpire.store(EMPTY | {"players": {"dragon": "A\u2028b\x85c"}})
        assert "A\u2028b\x85c" in {plain(it).get("players", {}).get("dragon") for it in umpire.records(game="drako")}
        umpire.delete(named.id)
        assert umpire.validate(bad).verdict.violation.rule.startswith("DRK-")
        for record in whole_games():
            report = umpire.replay(record, include=["events", "text"])
            assert report.events and report.verdict.outcome is not None
            assert umpire.legal_actions(record, ply=0).choices
            begun = umpire.legal_actions(record, ply=0, partial={}).choices[0]
            assert begun.complete is False and {step.pointer for step in begun.next} == {"/player", "/type"}
            picture = umpire.board(record, ply=1)
            picture.save(tmp_path / "board.svg")
            assert (tmp_path / "board.svg").read_text() == picture.svg
            why = umpire.why_not({"record": record, "action": record["actions"][0], "ply": 1})
            assert why.answer
            receipt = umpire.store(record)
            assert umpire.report(receipt.id, viewer="referee").verdict == report.verdict
            assert umpire.stored_board(receipt.id, 1).svg.startswith("<svg")
        assert {record.game for record in umpire.records(status="complete")} == {"drako", "dragut", "doubloons"}
        settled = umpire.adjudicate({"record": EMPTY, "action": {"type": "draw", "player": "dragon"}})
        assert settled.readings is not None
        advice = umpire.hint({"record": EMPTY, "simulations": 20})
        assert advice.actions
        # A record, or the id of a stored one, with what else is asked beside it.
        game = whole_games()[0]
        early = umpire.hint(game, ply=1, simulations=5, most=1)
        seat = early.decision.players[0]
        stored = umpire.hint(umpire.store(game).id, ply=1, seat=seat, simulations=5, most=1)
        assert len(early.actions) == 1 and early == stored
        assert umpire.simulate({"game": "drako", "games": 2, "players": {"dragon": "greedy"}}).games == 2
        job = umpire.analyze(EMPTY, simulations=1)
        assert umpire.analysis(job.id).id == job.id
        umpire.cancel_analysis(job.id)


@pytest.mark.parametrize("route", ["validate_all", "store_all"])
def test_records_are_sent_while_they_are_made(origin: str, route: str) -> None:
    count, made, answered, ahead = 1000, 0, 0, 0

    def records() -> Iterator[dict[str, Any]]:
        nonlocal made, ahead
        for made in range(count):
            ahead = max(ahead, made - answered)
            yield EMPTY | {"chance": {"seed": f"{made}"}}

    with Umpire(origin) as umpire:
        for line in getattr(umpire, route)(records(), batch=4096):
            if answered == 0:
                assert made < 2, "the first answer comes after the first record"
            if hasattr(line, "summary"):
                assert line.summary.records == answered == count
            else:
                answered += 1
    assert answered == count and ahead < 100, f"{ahead} records were under way"


def pretended(*answers: Any, **more: Any) -> tuple[Umpire, list[httpx.Request]]:
    """A service that answers what it is told to."""
    asked: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return Umpire("http://pretended", retries=2, longest_wait=2, transport=httpx.MockTransport(answer), **more), asked


def test_what_is_put_off_is_sent_again() -> None:
    def busy(status: int, wait: str) -> httpx.Response:
        return httpx.Response(status, json={"code": "overloaded"}, headers={"retry-after": wait})

    umpire, asked = pretended(busy(429, "0"), busy(503, "0"), httpx.Response(200, json={"games": []}))
    assert umpire.games().games == [] and len(asked) == 3
    # A date, too, says when. A proxy that cannot reach the service is asked again, where that is harmless.
    date = format_datetime(datetime.now(timezone.utc), usegmt=True)
    umpire, asked = pretended(busy(503, date), busy(502, "0"), httpx.Response(200, json={"games": []}))
    assert umpire.games().games == [] and len(asked) == 3
    umpire, _ = pretended(httpx.Response(502, text="<h1>Bad Gateway</h1>"))
    with pytest.raises(UmpireProblem) as gateway:
        umpire.create_table("drako")
    assert gateway.value.status == 502 and "Bad Gateway" in gateway.value.problem.detail
    umpire, _ = pretended(busy(429, "3600"))
    with pytest.raises(UmpireProblem):
        umpire.games()
    umpire, _ = pretended(busy(503, "0"), busy(503, "0"), busy(503, "0"))
    with pytest.raises(UmpireProblem):
        umpire.games()


def test_work_that_took_too_long_is_not_asked_for_again() -> None:
    umpire, asked = pretended(httpx.Response(503, json={"code": "unavailable"}))
    with pytest.raises(UmpireProblem):
        umpire.games()
    assert len(asked) == 1


def test_what_was_lost_is_sent_again_only_where_that_does_no_harm() -> None:
    lost = httpx.ConnectError("lost")
    umpire, asked = pretended(lost, httpx.Response(200, json={"games": []}), token="t")
    assert umpire.games().games == []
    assert asked[0].headers["authorization"] == "Bearer t"
    umpire, asked = pretended(lost)
    with pytest.raises(httpx.ConnectError):
        umpire.create_table("drako")
    assert len(asked) == 1


def test_records_whose_answers_are_lost_are_sent_again() -> None:
    answer = b'{"summary": {"records": 1, "new": 1, "existing": 0, "refused": 0, "failed": 0}}\n'
    umpire, asked = pretended(httpx.ReadError("lost"), httpx.Response(502), httpx.Response(200, content=answer))
    (summary,) = umpire.store_all([EMPTY])
    assert summary.summary.records == 1 and len(asked) == 3 and len({request.content for request in asked}) == 1


def test_patches_change_a_copy() -> None:
    value = {"a": [1, 2, {"b": "x"}], "c/d": {"~": 0}}
    kept = copy.deepcopy(value)
    now = patched(
        value,
        [
            {"op": "add", "path": "/a/1", "value": 9},
            {"op": "remove", "path": "/a/0"},
            {"op": "replace", "path": "/a/2/b", "value": "y"},
            {"op": "replace", "path": "/c~1d/~0", "value": 1},
            {"op": "copy", "from": "/a/2", "path": "/e"},
            {"op": "move", "from": "/c~1d", "path": "/f"},
            {"op": "test", "path": "/f", "value": {"~": 1}},
            {"op": "add", "path": "/a/-", "value": None},
        ],
    )
    assert now == {"a": [9, 2, {"b": "y"}, None], "e": {"b": "y"}, "f": {"~": 1}}
    assert value == kept
    for wrong in (
        {"op": "remove", "path": "/x"},
        {"op": "replace", "path": "/a/7", "value": 0},
        {"op": "add", "path": "/x/y", "value": 0},
        {"op": "test", "path": "/a", "value": []},
        {"op": "other", "path": "/a"},
    ):
        with pytest.raises(LookupError):
            patched(value, [wrong])


def test_versions_are_compared() -> None:
    assert before("9", "10") and not before("10", "9") and not before("9", "")
    assert before("41", "38.1") and not before("38.1", "41") and before("9.1", "3.2")
