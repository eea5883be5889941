"""A service of its own for the tests, and a whole recorded game of each game that it has."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


def program() -> str:
    found = [os.environ.get("UMPIRE", ""), ROOT / "target/release/umpire", ROOT / "target/debug/umpire"]
    return str(next(path for path in found if path and Path(path).exists()))


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = tmp_path_factory.mktemp("umpire") / "store.sqlite"
    log = store.with_name("log")
    with log.open("wb") as said:
        command = [program(), "serve", "--listen", "127.0.0.1:0", "--store", str(store)]
        service = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        found = None
        while found is None:
            assert service.poll() is None, log.read_text()
            found = re.search(r"listening on (http://\S+)", log.read_text())
        yield found[1]
    finally:
        service.terminate()
        service.wait()


def whole_games() -> list[dict[str, Any]]:
    games = []
    for folder in sorted((ROOT / "fixtures").glob("*/games")):
        records = [json.loads(path.read_text()).get("record") for path in folder.glob("*.json")]
        seeded = [record for record in records if record and "seed" in record["chance"]]
        games.append(max(seeded, key=lambda record: len(record["actions"])))
    assert games
    return games


def choice_of(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in ("game", "options", "players", "chance", "position") if record.get(name) is not None}
