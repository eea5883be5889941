"""Makes what is generated: models/ from the description, _sync.py from _async.py.

With --check it writes nothing, and fails where what is committed is something else.
"""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "umpire_client"
MADE = "# Made by generate.py of {}; not to be changed by hand.\n"

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


def make_sync(to: Path) -> None:
    text = (PACKAGE / "_async.py").read_text()
    for pattern, plain in SYNC:
        text = re.sub(pattern, plain, text, flags=re.MULTILINE)
    to.write_text(MADE.format("_async.py") + text)


def make_models(to: Path) -> None:
    options = [
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
    ]
    source = HERE.parent / "openapi.json"
    command = [sys.executable, "-m", "datamodel_code_generator", f"--input={source}", f"--output={to}", *options]
    subprocess.run(command, check=True)


def same(one: Path, other: Path) -> bool:
    if one.is_file():
        return other.is_file() and one.read_bytes() == other.read_bytes()
    names = sorted(path.name for path in one.glob("*.py"))
    if names != sorted(path.name for path in other.glob("*.py")):
        return False
    return filecmp.cmpfiles(one, other, names, shallow=False)[0] == names


def main() -> int:
    check = "--check" in sys.argv
    stale = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in [("_sync.py", make_sync), ("models", make_models)]:
            made = Path(folder) / name
            make(made)
            kept = PACKAGE / name
            if same(made, kept):
                continue
            if check:
                stale.append(name)
            elif made.is_file():
                kept.write_bytes(made.read_bytes())
            else:
                kept.mkdir(exist_ok=True)
                for old in kept.glob("*.py"):
                    old.unlink()
                for path in made.glob("*.py"):
                    (kept / path.name).write_bytes(path.read_bytes())
    for name in stale:
        print(f"{name} is not what generate.py makes", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
