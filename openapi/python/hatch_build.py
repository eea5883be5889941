"""Makes what the package has and git does not, whenever the package is built or installed.

``models/`` is made of the service's description, ``_sync.py`` of ``_async.py``. Must not change any other file.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
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
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\baiter_sse\b", "iter_sse"),
    (r"\baread\b", "read"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"AsyncIterable, | \| AsyncIterable\[Sendable\]|^    each,\n", ""),
    (r"\beach\(", "iter("),
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
    "--use-type-alias-type",
    "--enum-field-as-literal=all",
    "--disable-timestamp",
    "--formatters=builtin",
]

SCHEMAS = "#/components/schemas/"

# Importing all models takes more than a second, those of one game a third of that, so each module is imported when it is first used.
LAZY = '''"""The types of the service's description; those of one game are in a module of its name."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

#: The modules of games.
GAMES = {games}
#: Types that are a union of types of the same name, one of each game.
OF_GAMES = {of_games}

if TYPE_CHECKING:
    from . import {modules}
    from ._general import *
    from .shared import *
else:
    _SHARED = {shared}

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in GAMES or name in ("shared", "_general"):
            return import_module("." + name, __name__)
        return getattr(import_module(".shared" if name in _SHARED else "._general", __name__), name)

    def __dir__() -> list[str]:
        return [*GAMES, *_SHARED, *vars(import_module("._general", __name__))]
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


def by_module(schemas: dict[str, Any]) -> dict[str, Any]:
    """The same schemas in modules that can be imported one by one: ``shared.X`` for all games, ``drako.X``, and ``X`` of any game.

    A game whose schemas refer to schemas of any game gets its own copy of these, so that modules do not import each other.
    """

    def references(schema: Any) -> set[str]:
        return set(re.findall(f'"{SCHEMAS}([^"]+)"', json.dumps(schema)))

    shared = {name for name in schemas if "." not in name}
    while of_games := {name for name in shared if references(schemas[name]) - shared}:
        shared -= of_games

    def without_others(value: Any, game: str) -> Any:
        if isinstance(value, list):
            parts = [part["$ref"][len(SCHEMAS) :] if isinstance(part, dict) and "$ref" in part else "" for part in value]
            return [without_others(it, game) for it, part in zip(value, parts) if "." not in part or part.startswith(f"{game}.")]
        if isinstance(value, dict):
            return {key: without_others(part, game) for key, part in value.items()}
        return value

    def moved(name: str, game: str) -> Any:
        def new_name(found: re.Match[str]) -> str:
            name = found[1]
            prefix = "shared." if name in shared else f"{game}." if game and "." not in name else ""
            return f'"{SCHEMAS}{prefix}{name}"'

        schema = without_others(schemas[name], game) if game else schemas[name]
        return json.loads(re.sub(f'"{SCHEMAS}([^"]+)"', new_name, json.dumps(schema)))

    made = {("shared." if name in shared else "") + name: moved(name, name.rpartition(".")[0]) for name in schemas}
    while missing := {name for schema in made.values() for name in references(schema)} - made.keys():
        made |= {name: moved(name.partition(".")[2], name.partition(".")[0]) for name in sorted(missing)}
    return made


def make_models() -> None:
    # A checkout has the description one folder up; a copy of this folder may have it inside.
    descriptions = [folder / "openapi.json" for folder in (HERE, HERE.parent)]
    source = next(filter(Path.is_file, descriptions), None)
    if source is None:
        if MODELS.is_dir():
            return  # A source distribution carries the models instead.
        raise FileNotFoundError(f"{descriptions[0]} is missing: copy openapi/openapi.json of the repository there")
    description = json.loads(source.read_text(encoding="utf-8"))
    description["components"] = {"schemas": by_module(description["components"]["schemas"])}
    description["paths"] = {}
    shutil.rmtree(MODELS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        modules = Path(scratch, source.name)
        modules.write_text(json.dumps(description), encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", f"--input={modules}", f"--output={MODELS}", *OPTIONS]
        subprocess.run(command, check=True)
    (MODELS / "__init__.py").rename(MODELS / "_general.py")
    schemas = description["components"]["schemas"]
    games = sorted({path.stem for path in MODELS.glob("[a-z]*.py")} - {"shared"})

    def of_games(schema: dict[str, Any], name: str) -> bool:
        parts = schema.get("oneOf") or schema.get("anyOf") or []
        return {part.get("$ref") for part in parts} == {f"{SCHEMAS}{game}.{name}" for game in games}

    lazy = LAZY.format(
        games=games,
        of_games=sorted(name for name, schema in schemas.items() if of_games(schema, name)),
        modules=", ".join([*games, "shared"]),
        shared=sorted(name.partition(".")[2] for name in schemas if name.startswith("shared.")),
    )
    (MODELS / "__init__.py").write_text(header(source) + lazy)


class GeneratedCode(BuildHookInterface):
    """Runs before the files of a wheel, an editable install or a source distribution are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make_models()
        make_sync()
