"""What the package answers is what the service sends, byte for byte, over all fixtures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import umpire
from conftest import CASES, RECORDS, whole_games

JSON = {"content-type": "application/json"}


def asked(call: Callable[[], bytes]) -> tuple[bool, bytes]:
    """Whether there is an answer, and its bytes or those of the problem."""
    try:
        return True, call()
    except umpire.UmpireError as error:
        assert json.loads(error.body)["code"] == error.code
        return False, error.body


def same(http: httpx.Client, call: Callable[[], bytes], path: str, body: bytes, **more: Any) -> bool:
    answer = http.post(path, content=body, headers={**JSON, **more.pop("headers", {})}, **more)
    good, found = asked(call)
    assert found == answer.content, path
    assert good == (answer.status_code == 200), path
    if not good:
        assert json.loads(found)["status"] == answer.status_code
    return good


def request_of(record: bytes, **fields: Any) -> bytes:
    more = "".join(f",{json.dumps(name)}:{json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())
    return b'{"record":' + record + more.encode() + b"}"


def last_action(record: bytes) -> Any:
    actions = json.loads(record).get("actions") or [{"type": "resign"}]
    return actions[-1]


def test_cheap_calls_over_all_fixtures(http: httpx.Client) -> None:
    answered = 0
    raw = umpire.raw
    for name, record in RECORDS.items():
        seat = json.loads(record).get("game")
        seats = umpire.games().get(seat, [])
        answered += same(http, lambda: raw.validate(record), "/v1/validate", record)
        same(http, lambda: raw.validate(record, lang="it"), "/v1/validate", record, params={"lang": "it"})
        same(http, lambda: raw.replay(record), "/v1/replay", record)
        everything = "events,states,tape,fingerprints,explain,chapters,text,legal,scene"
        same(
            http,
            lambda: raw.replay(record, include=everything.split(","), ply=1),
            "/v1/replay",
            record,
            params={"include": everything, "ply": 1},
        )
        same(http, lambda: raw.legal_actions(record), "/v1/legal-actions", record)
        drawn = {"accept": "image/svg+xml"}
        same(http, lambda: raw.board_svg(record), "/v1/scene", record, headers=drawn)
        for viewer in ["spectator", *seats[:1]]:
            params = {"viewer": viewer}
            same(http, lambda: raw.legal_actions(record, viewer=viewer), "/v1/legal-actions", record, params=params)
            report = http.post("/v1/replay", content=record, headers=JSON, params=params)
            good, found = asked(lambda: raw.view(record, viewer))
            if good:
                assert b'"state":' + found in report.content, name
            else:
                assert found == report.content, name
    assert answered > 500


def test_disputes_over_all_fixtures(http: httpx.Client) -> None:
    raw = umpire.raw
    for name, record in RECORDS.items():
        action = last_action(record)
        body = request_of(record, action=action)
        same(http, lambda: raw.why(record, action), "/v1/why-not", body)
        same(http, lambda: raw.odds(record, action), "/v1/odds", body)
        same(http, lambda: raw.explain(record, 0), "/v1/explain", request_of(record, ply=0))
        # These cost a second each: where a case is about them, and every twentieth.
        if "precedents" in name or hash_of(name) % 20 == 0:
            question = {key: CASES[name][key] for key in ("ply", "action", "seed") if CASES[name].get(key) is not None}
            same(http, lambda: raw.adjudicate(record, **question), "/v1/adjudicate", request_of(record, **question))
        if hash_of(name) % 20 == 2:
            same(http, lambda: raw.remedy(record), "/v1/remedy", request_of(record))
            other = b'{"record":' + record + b',"other":' + record + b"}"
            same(http, lambda: raw.compare(record, record), "/v1/compare", other)
            same(http, lambda: raw.hint(record, simulations=9), "/v1/hint", request_of(record, simulations=9))
        if hash_of(name) % 20 == 1:
            same(http, lambda: raw.repair(record, most=2, edits=1), "/v1/repair", request_of(record, most=2, edits=1))


def hash_of(name: str) -> int:
    return sum(name.encode())


@pytest.mark.parametrize("name", whole_games())
def test_analyses(http: httpx.Client, name: str) -> None:
    record = json.loads(RECORDS[name])
    record["actions"] = record["actions"][:6]
    record.pop("claims", None)
    text = json.dumps(record).encode()
    body = request_of(text, simulations=3, seed="x")
    started = http.post("/v1/analyses", content=body, headers=JSON)
    assert started.status_code in (200, 202), started.text
    path = "/v1/analyses/" + started.json()["id"]
    while (shown := http.get(path)).json()["state"] == "running":
        time.sleep(0.02)
    plies = http.get(path + "/plies", headers={"accept": "application/x-ndjson"}).content.splitlines()
    found = umpire.raw.analyze(text, simulations=3, seed="x")
    assert len(plies) == 7
    head, tail = b'{"summary":', b',"plies":[' + b",".join(plies) + b"]}"
    assert found.startswith(head) and found.endswith(tail)
    assert b'"summary":' + found[len(head) : -len(tail)] in shown.content


def test_bad_requests(http: httpx.Client) -> None:
    raw = umpire.raw
    good = RECORDS[whole_games()[0]]
    for bad in (b"", b"{", b"[]", b"\xff", b'{"format": "umpire/7"}', b'{"format": "umpire/1", "game": "chess"}', b"1" * 5_000_000):
        assert not same(http, lambda: raw.validate(bad), "/v1/validate", bad)
        assert not same(http, lambda: raw.replay(bad), "/v1/replay", bad)
    # A body that is too long is refused while it is sent; what is asked of the package is not sent.
    wrong: list[tuple[str, Callable[[], bytes], dict[str, Any]]] = [
        ("/v1/replay", lambda: raw.replay(good, ply=10**6), {"ply": 10**6}),
        ("/v1/replay", lambda: raw.replay(good, viewer="nobody"), {"viewer": "nobody"}),
        ("/v1/replay", lambda: raw.replay(good, include=["x"]), {"include": "x"}),
        ("/v1/validate", lambda: raw.validate(good, lang="xx"), {"lang": "xx"}),
        ("/v1/validate", lambda: raw.validate(good, unknown_fields="eat"), {"unknown_fields": "eat"}),
        ("/v1/legal-actions", lambda: raw.legal_actions(good, limit=0), {"limit": 0}),
        ("/v1/legal-actions", lambda: raw.legal_actions(good, partial="["), {"partial": "["}),
    ]
    for path, call, params in wrong:
        assert not same(http, call, path, good, params=params)
    for most in (0, 21):
        body = request_of(good, most=most)
        assert not same(http, lambda: raw.repair(good, most=most), "/v1/repair", body)
    body = request_of(good, simulations=0)
    assert not same(http, lambda: raw.analyze(good, simulations=0), "/v1/analyses", body)


def test_an_error_has_its_code() -> None:
    with pytest.raises(umpire.UmpireError) as caught:
        umpire.replay(RECORDS[whole_games()[0]], viewer="nobody")
    assert (caught.value.code, caught.value.status, caught.value.parameter) == ("bad_parameter", 422, "viewer")
    with pytest.raises(umpire.UmpireError) as caught:
        umpire.validate({"format": "umpire/1", "game": "chess", "chance": {"tape": []}, "actions": []})
    assert (caught.value.code, caught.value.pointer) == ("unknown_game", "/game")
    with pytest.raises(umpire.UmpireError) as caught:
        umpire.why("{", {})
    assert caught.value.code == "bad_json"


def test_what_is_read_is_what_is_sent() -> None:
    name = whole_games()[0]
    text, record = RECORDS[name], CASES[name]["record"]
    assert umpire.validate(text) == umpire.validate(record) == umpire.validate(text.decode())
    assert umpire.validate(text)["verdict"]["status"] == "complete"
    seat = umpire.games()[record["game"]][0]
    assert umpire.view(text, seat, ply=1) == umpire.replay(text, viewer=seat, ply=1)["state"]
    assert umpire.legal_actions(text, ply=0)["choices"]
    assert umpire.board_svg(text).startswith("<svg")
    assert umpire.adjudicate(text)["summary"]
    assert umpire.repair(text)["repairs"] == []


def test_a_game_grows_as_a_replay_goes() -> None:
    for name in whole_games():
        record = CASES[name]["record"]
        seed = {**record, "actions": [], "claims": None}
        game = umpire.Game({key: value for key, value in seed.items() if value is not None})
        for action in record["actions"]:
            with pytest.raises(umpire.IllegalAction):
                game.play({"type": "nonsense"})
            game.play(action)
        assert game.ply == len(record["actions"]) and game.deciders == []
        assert game.look("referee")["state"] == umpire.view(record, "referee")
        assert game.record["actions"] == record["actions"]


def test_what_is_offered_is_legal() -> None:
    for game in umpire.games():
        played = umpire.Game.new(game, seed="offers")
        for _ in range(60):
            if not played.deciders:
                break
            offered, _ = played.offers(played.deciders[0], 50)
            assert 0 < len(offered) <= 50
            assert offered == played.offers(played.deciders[0], 50)[0]
            for action in offered[:5]:
                umpire.Game(played.record).play(action)
            played.play(offered[played.ply % len(offered)])
        assert umpire.validate(played.record)["verdict"]["status"] in ("complete", "in_progress")


def test_notes_go_both_ways() -> None:
    for name in whole_games():
        notes = umpire.notes_of_record(RECORDS[name])
        again = umpire.record_of_notes(notes)
        assert umpire.validate(again)["fingerprint"] == umpire.validate(RECORDS[name])["fingerprint"], name
    with pytest.raises(umpire.UmpireError, match="line 1, column"):
        umpire.record_of_notes("no notes at all")
