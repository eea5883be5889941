"""The generated code, as it is installed, belongs to the sources that are here."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import umpire_client
from conftest import ROOT

PACKAGE = Path(umpire_client.__file__).parent
SOURCES = ROOT / "openapi/python/src/umpire_client"


def test_the_generated_code_is_up_to_date() -> None:
    sources = {"models/__init__.py": ROOT / "openapi/openapi.json", "_sync.py": SOURCES / "_async.py"}
    for generated, source in sources.items():
        header = (PACKAGE / generated).read_text().partition("\n")[0]
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        assert digest in header, f"{source.name} has changed since the package was installed: install it again"


def python(code: str) -> tuple[set[str], float]:
    """Runs code by itself: which modules of the client it imports, and the seconds of CPU that it takes."""
    code += "\nimport sys; print(*(name for name in sys.modules if name.startswith('umpire_client')))"
    before = os.times()
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return {name.removeprefix("umpire_client.") for name in found.split()}, seconds


def test_importing_the_client_imports_no_models() -> None:
    python("import umpire_client")  # compiled once
    modules, _ = python("import umpire_client")
    assert not {name for name in modules if name.startswith("models.")}
    assert min(python("import umpire_client")[1] for _ in range(5)) < 0.4


def test_models_are_imported_game_by_game() -> None:
    models = {"models.shared", "models._general", "models.drako", "models.dragut", "models.doubloons"}

    def imported(code: str) -> set[str]:
        return models & python("from umpire_client import models, _common\n" + code)[0]

    assert imported("models.GameList") == {"models.shared"}
    assert imported("models.drako.Draw") == {"models.shared", "models.drako"}
    answer = '{"game": "dragut", "engine": "", "ply": 0, "ruleset": "", "choices": [], "decision": {}}'
    assert imported(f"try: _common.typed('Legal', {answer})\nexcept ValueError: pass") == {"models.shared", "models.dragut"}
    assert imported("models.Legal") == models


def test_answers_have_types() -> None:
    # Each line that must not pass is marked, and a mark that is not needed is a fault as well.
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(Path(__file__).with_name("types_check.py"))]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent)
    assert checked.returncode == 0, checked.stdout + checked.stderr
