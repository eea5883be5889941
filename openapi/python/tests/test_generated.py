"""The generated code, as it is installed, belongs to the sources that are here."""

from __future__ import annotations

import hashlib
from pathlib import Path

import umpire_client
from conftest import ROOT

PACKAGE = Path(umpire_client.__file__).parent


def test_the_generated_code_is_up_to_date() -> None:
    sources = {"models/__init__.py": ROOT / "openapi/openapi.json", "_sync.py": PACKAGE / "_async.py"}
    for generated, source in sources.items():
        header = (PACKAGE / generated).read_text().partition("\n")[0]
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        assert digest in header, f"{source.name} has changed since the package was installed: install it again"
