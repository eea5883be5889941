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


class Service:
    """A service that can be stopped, and started again with the same store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.start()

    def start(self) -> None:
        log = self._folder / "log"
        with log.open("wb") as said:
            command = [program(), "serve", "--listen", "127.0.0.1:0", "--store", str(self._folder / "store.sqlite")]
            self._process = subprocess.Popen(command, stdout=said, stderr=said)
        found = None
        while found is None:
            assert self._process.poll() is None, log.read_text()
            found = re.search(r"listening on (http://\S+)", log.read_text())
        self.origin = found[1]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    service = Service(tmp_path_factory.mktemp("umpire"))
    yield service.origin
    service.stop()


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
