"""A service of its own to compare with, and the records of all fixtures."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[3]


def program() -> str:
    found = [os.environ.get("UMPIRE", ""), ROOT / "target/release/umpire", ROOT / "target/debug/umpire"]
    return str(next(path for path in found if path and Path(path).exists()))


@pytest.fixture(scope="session")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = tmp_path_factory.mktemp("umpire") / "store.sqlite"
    log = store.with_name("log")
    with log.open("wb") as said:
        # What takes long on a busy machine is answered all the same.
        limits = ["--work-seconds", "120"]
        command = [program(), "serve", "--listen", "127.0.0.1:0", "--store", str(store), *limits]
        service = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        found = None
        while found is None:
            assert service.poll() is None, log.read_text()
            found = re.search(r"listening on (http://\S+)", log.read_text())
        with httpx.Client(base_url=found[1], timeout=120, headers={"accept-encoding": "identity"}) as client:
            yield client
    finally:
        service.terminate()
        service.wait()


def fixtures() -> dict[str, dict[str, Any]]:
    """Every fixture with a record, by its path."""
    found = {}
    for path in sorted((ROOT / "fixtures").glob("*/*/**/*.json")):
        case = json.loads(path.read_text())
        if isinstance(case, dict) and isinstance(case.get("record"), dict):
            found[str(path.relative_to(ROOT / "fixtures"))] = case
    assert len(found) > 500
    return found


CASES = fixtures()
RECORDS = {name: json.dumps(case["record"], ensure_ascii=False).encode() for name, case in CASES.items()}


def whole_games() -> list[str]:
    """The names of a whole seeded game of each game that there is."""
    longest: dict[str, str] = {}
    for name, case in CASES.items():
        record = case["record"]
        game = record.get("game")
        if "/games/" in name and list(record.get("chance", {})) == ["seed"]:
            before = longest.get(game)
            if before is None or len(record["actions"]) < len(CASES[before]["record"]["actions"]):
                longest[game] = name
    assert len(longest) == 3
    return list(longest.values())
