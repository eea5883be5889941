"""Makes what the package has and git does not, whenever the package is built or installed.

``models/`` is made of the service's description, ``_sync.py`` of ``_async.py``. Must not change any other file.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "umpire_client"
MODELS = PACKAGE / "models"

SYNC = [
    (r"\bAsyncUmpire\b", "Umpire"),
    (r"\bAsyncSeat\b", "Seat"),
    (r"\bAsyncMadeTable\b", "MadeTable"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"\bhttpx\.AsyncBaseTransport\b", "httpx.BaseTransport"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\basync def\b", "def"),
    (r"\basync with\b", "with"),
    (r"\basync for\b", "for"),
    (r"\bawait ", ""),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"\baiter_lines\b", "iter_lines"),
    (r"\baread\b", "read"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"^import asyncio$", "import time"),
    (r"without waiting for each other", "one after the other"),
]

OPTIONS = [
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--target-python-version=3.10",
    "--use-annotated",
    "--use-union-operator",
    "--use-standard-collections",
    "--enum-field-as-literal=all",
    "--collapse-root-models",
    "--disable-timestamp",
    "--formatters=builtin",
    "--all-exports-scope=children",
]

# Importing the models takes a second, so they are imported when the first of them is used.
LAZY = '''"""The types of the service's description; those of one game are in a module of its name."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import {games}
    from ._all import *
else:

    def __getattr__(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in "{games}".split(", "):
            return import_module("." + name, __name__)
        return getattr(import_module("._all", __name__), name)

    def __dir__() -> list[str]:
        return [*"{games}".split(", "), *import_module("._all", __name__).__all__]
'''


def header(source: Path) -> str:
    """The first line of a generated file. The tests compare the digest, to find out when a file is out of date."""
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    return f"# Generated from {source.name} ({digest}) by hatch_build.py; do not edit.\n"


def make_sync() -> None:
    source = PACKAGE / "_async.py"
    text = source.read_text()
    for pattern, plain in SYNC:
        text = re.sub(pattern, plain, text, flags=re.MULTILINE)
    (PACKAGE / "_sync.py").write_text(header(source) + text)


def make_models() -> None:
    # A checkout has the description one folder up; a copy of this folder may have it inside.
    descriptions = [folder / "openapi.json" for folder in (HERE, HERE.parent)]
    source = next(filter(Path.is_file, descriptions), None)
    if source is None:
        if MODELS.is_dir():
            return  # A source distribution carries the models instead.
        raise FileNotFoundError(f"{descriptions[0]} is missing: copy openapi/openapi.json of the repository there")
    shutil.rmtree(MODELS, ignore_errors=True)
    command = [sys.executable, "-m", "datamodel_code_generator", f"--input={source}", f"--output={MODELS}", *OPTIONS]
    subprocess.run(command, check=True)
    games = sorted(path.stem for path in MODELS.glob("[a-z]*.py"))
    init = MODELS / "__init__.py"
    init.rename(MODELS / "_all.py")
    init.write_text(header(source) + LAZY.format(games=", ".join(games)))


class GeneratedCode(BuildHookInterface):
    """Runs before the files of a wheel, an editable install or a source distribution are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_models()
        make_sync()
