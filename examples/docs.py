"""Runs every curl of README.md and docs/*.md as it is printed, against a service of its own.

    python docs.py UMPIRE

The shell blocks of a page that call curl, and those that write files for them, run in one shell, in the order of the page. An answer
with an error status is a failure, unless a comment in its block names that status. `umpire serve …` in a block starts the
service again with these flags, until the block ends. A stream is left after two seconds.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CURL = r"""#!/bin/sh
case "$*" in *"/stream"*) seconds=2 ;; *) seconds=120 ;; esac
exec {curl} --connect-to localhost:8080:127.0.0.1:{port} --max-time $seconds "$@" \
  -w '%{{stderr}}\n%{{http_code}} %{{method}} %{{url_effective}}\n' 2>>"$LOG"
"""

# `restart` is not a command of the program: it starts the service without flags again, if a block changed them.
UMPIRE = r"""#!/bin/sh
case "$1" in serve | restart) ;; *) exec {umpire} "$@" ;; esac
if [ -f {home}/pid ]; then
  [ "$1" = serve ] || [ -f {home}/changed ] || exit 0
  kill "$(cat {home}/pid)"
  while kill -0 "$(cat {home}/pid)" 2>/dev/null; do sleep 0.05; done
fi
if [ "$1" = serve ]; then touch {home}/changed; else rm -f {home}/changed; fi
shift
{umpire} serve --listen 127.0.0.1:{port} --store {home}/store.sqlite "$@" >>{home}/log 2>&1 &
echo $! >{home}/pid
until {curl} -sf -o /dev/null http://127.0.0.1:{port}/readyz; do
  kill -0 "$(cat {home}/pid)" 2>/dev/null || {{ cat {home}/log >&2; exit 1; }}
  sleep 0.05
done
"""


def blocks(page: str) -> list[str]:
    shell = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [block for block in shell if "curl " in block or re.search(r"> \S+\.json", block)]


def faults(page: Path, umpire: str) -> list[str]:
    found = blocks(page.read_text(encoding="utf-8"))
    if not any("curl " in block for block in found):
        return []
    with tempfile.TemporaryDirectory() as scratch, socket.socket() as free:
        home = Path(scratch)
        free.bind(("127.0.0.1", 0))
        values = {"curl": shutil.which("curl"), "port": free.getsockname()[1], "umpire": umpire, "home": home}
        free.close()
        for name, text in (("curl", CURL), ("umpire", UMPIRE)):
            program = home / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(text.format(**values))
            program.chmod(0o755)
        work = home / "work"
        work.mkdir()
        (work / "fixtures").symlink_to(ROOT / "fixtures")
        script = "".join(f"umpire restart\nLOG={home}/{at}\nexport LOG\n{block}\n" for at, block in enumerate(found))
        path = {"PATH": f"{home}/bin:{os.environ['PATH']}"}
        try:
            run = subprocess.run(["sh", "-c", script], cwd=work, env=os.environ | path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        finally:
            if (home / "pid").exists():
                os.kill(int((home / "pid").read_text()), 15)
        wrong, requests = [], 0
        for at, block in enumerate(found):
            log = home / str(at)
            answers = re.findall(r"^(\d{3}) (\S+ \S+)$", log.read_text() if log.exists() else "", re.MULTILINE)
            requests += len(answers)
            comments = " ".join(re.findall(r"\s# (.*)", block))
            wrong += [
                f"{request} answered {status}"
                for status, request in answers
                if not 200 <= int(status) < 400 and not re.search(rf"\b{status}\b", comments)
            ]
            if len(answers) < len(re.findall(r"\bcurl ", block)):
                wrong.append(f"only {len(answers)} requests were made by:\n{block}")
        if wrong:
            wrong.append(run.stderr.decode(errors="replace"))
        else:
            print(f"{page.relative_to(ROOT)}: {requests} requests")
        return [f"{page.relative_to(ROOT)}: {it}" for it in wrong]


def main() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    umpire = str(Path(sys.argv[1]).resolve())
    wrong = [fault for page in pages for fault in faults(page, umpire)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
