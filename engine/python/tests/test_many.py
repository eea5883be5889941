"""Many records at once: the same verdicts as one by one, whatever they come in."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pyarrow as pa
import pytest

import umpire
from conftest import RECORDS

BROKEN = [b"{", b"", b"[]", b'{"format": "umpire/1", "game": "chess", "chance": {"tape": []}, "actions": []}']
MANY = [*list(RECORDS.values())[::3], *BROKEN, *list(RECORDS.values())[1::3]]


@pytest.fixture(scope="module")
def lines(http: httpx.Client) -> list[bytes]:
    """What the service answers, a line for each record."""
    answer = http.post("/v1/validate", content=b"\n".join(SENT), headers={"content-type": "application/x-ndjson"})
    found = answer.content.splitlines()
    assert json.loads(found.pop())["summary"]["records"] == len(MANY)
    return found


#: An empty line is no record for the service, but one in a list.
SENT = [text or b'""' for text in MANY]


def test_a_list(lines: list[bytes]) -> None:
    assert umpire.validate_many(SENT) == [json.loads(line) for line in lines]
    assert umpire.validate_many([]) == []
    assert umpire.validate_many([b""])[0]["code"] == "bad_json"
    one = umpire.validate_many([json.loads(SENT[0])], lang="it")
    assert one == [umpire.validate(SENT[0], lang="it")]


def test_an_iterator_is_read_as_it_is_needed(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpire._many.TOGETHER", 10)
    taken = 0

    def records() -> Iterator[bytes]:
        nonlocal taken
        for text in SENT:
            taken += 1
            yield text

    verdicts = umpire.validate_many(records())
    assert taken == 0
    first = next(verdicts)
    assert taken == 10
    assert [first, *verdicts] == [json.loads(line) for line in lines]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()])
def test_an_array(lines: list[bytes], kind: pa.DataType) -> None:
    table = umpire.validate_many(pa.array([text.decode() for text in SENT]).cast(kind))
    assert [text.encode() for text in table["answer"].to_pylist()] == lines


def test_an_array_in_chunks_with_gaps(lines: list[bytes]) -> None:
    texts = [text.decode() for text in SENT]
    chunked = pa.chunked_array([texts[:7], [], texts[7:100], texts[100:]])
    table = umpire.validate_many(chunked)
    assert [text.encode() for text in table["answer"].to_pylist()] == lines
    # A slice begins in the middle of its buffers.
    assert umpire.validate_many(pa.array(texts)[5:9])["status"].to_pylist() == table["status"].to_pylist()[5:9]
    gaps = umpire.validate_many(pa.array([None, texts[0], None]))
    assert gaps["problem_code"].to_pylist() == ["bad_json", None, "bad_json"]
    empty = umpire.validate_many(pa.array([], pa.string()))
    assert (empty.num_rows, empty.schema) == (0, table.schema)
    with pytest.raises(TypeError, match="texts"):
        umpire.validate_many(pa.array([1, 2]))


def test_the_columns_say_what_the_answer_says(lines: list[bytes]) -> None:
    rows = umpire.validate_many(pa.array([text.decode() for text in SENT])).to_pylist()
    kinds = set()
    for row in rows:
        answer = json.loads(row["answer"])
        kinds.add(row["status"])
        if row["status"] == "unreadable":
            assert (row["problem_code"], row["problem_detail"]) == (answer["code"], answer["detail"])
            assert row["problem_pointer"] == answer.get("pointer")
            assert row["plies"] is row["game"] is row["fingerprint"] is row["claims_hold"] is None
            continue
        verdict = answer["verdict"]
        outcome, violation = verdict["outcome"] or {}, verdict["violation"] or {}
        assert row["problem_code"] is None
        assert (row["status"], row["plies"]) == (verdict["status"], verdict["plies"])
        assert (row["winner"], row["reason"]) == (outcome.get("winner"), outcome.get("reason"))
        assert row["claims_hold"] == all(claim["holds"] for claim in verdict["claims"])
        for name in ("game", "ruleset", "fingerprint"):
            assert row[name] == answer[name]
        for name in ("ply", "player", "code", "rule", "pointer", "message"):
            assert row[f"violation_{name}"] == violation.get(name)
        assert row["warnings"] == len(answer["warnings"])
    assert {"complete", "in_progress", "illegal", "bad_chance", "unreadable"} <= kinds


def test_wrong_arguments() -> None:
    with pytest.raises(umpire.UmpireError, match="bad_parameter"):
        umpire.validate_many([SENT[0]], lang="xx")
    with pytest.raises(umpire.UmpireError, match="bad_parameter"):
        umpire.validate_many(pa.array(["{}"]), unknown_fields="eat")
    with pytest.raises(TypeError):
        umpire.validate_many(SENT[0])  # type: ignore[call-overload]


def _judged_elsewhere(texts: list[bytes]) -> list[str]:
    return [json.dumps(verdict) for verdict in umpire.validate_many(texts)]


def test_a_process_that_was_forked_has_its_own_threads() -> None:
    here = _judged_elsewhere(SENT[:40])
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_judged_elsewhere, (SENT[:40],)).get(timeout=120) == here


INTERRUPTED = """
import signal, sys, umpire
# Who runs tests in the background may have told their processes to overlook it.
signal.signal(signal.SIGINT, signal.default_int_handler)
text = sys.stdin.buffer.read()
try:
    if sys.argv[1] == "many":
        umpire.validate_many([text] * 2_000_000)
    else:
        umpire.analyze(text, simulations=20000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it is seen in /proc that the threads work")
@pytest.mark.parametrize("what", ["many", "analysis"])
def test_ctrl_c_ends_it(what: str) -> None:
    text = max(RECORDS.values(), key=len)
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    )
    assert program.stdin
    program.stdin.write(text)
    program.stdin.close()
    program.stdin = None
    # Its threads work: it is in the call, and cannot be done before: two million of the longest record, or an analysis of
    # hours.
    tasks = Path(f"/proc/{program.pid}/task")
    try:
        for _ in range(6000):
            assert program.poll() is None
            if any(named(name).startswith("umpire-") for name in tasks.glob("*/comm")):
                break
            time.sleep(0.01)
        else:
            pytest.fail("its threads did not begin")
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=120)
        assert (said, program.returncode) == (b"interrupted\n", 0)
    finally:
        program.kill()


def named(comm: Path) -> str:
    """The name of a thread; nothing where it has just ended."""
    try:
        return comm.read_text()
    except OSError:
        return ""
