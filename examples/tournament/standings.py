"""Validates every record of a folder in one request, and writes a standings table.

    python standings.py FOLDER [--origin http://127.0.0.1:8080] [--csv FILE]

Every *.json of the folder is one record. The exit code is 1 where one is not good, 2 where nothing could be done.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import httpx

from umpire_client import Umpire, UmpireProblem


@dataclass
class Line:
    """What a player has done; a win is a point, a drawn game half of one."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    unfinished: int = 0

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2


def load(folder: Path) -> tuple[dict[str, dict], list[list[str]]]:
    """The records by file, and the files that are none."""
    records, bad = {}, []
    for path in sorted(folder.glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(record, dict):
                raise ValueError("a record is a JSON object")
            records[path.name] = record
        except (ValueError, OSError) as error:
            bad.append([path.name, "", "", str(error)])
    return records, bad


def seats_of(record: dict) -> dict[str, str]:
    """Who sat where; a seat stands for a name that nobody wrote down."""
    names = record.get("players")
    names = names if isinstance(names, dict) else {}
    actions = [it for it in record.get("actions", []) if isinstance(it, dict)]
    seats = {str(it["player"]) for it in actions if "player" in it} | set(names)
    return {seat: str(names.get(seat) or seat) for seat in sorted(seats)}


def count(table: dict[str, Line], record: dict, verdict: object) -> None:
    """Counts a good game for those who played it."""
    winner = verdict.outcome.winner if verdict.outcome else None
    for seat, name in seats_of(record).items():
        line = table[name]
        line.played += 1
        if verdict.outcome is None:
            line.unfinished += 1
        elif winner is None:
            line.drawn += 1
        elif winner == seat:
            line.won += 1
        else:
            line.lost += 1


def markdown(head: list[str], rows: list[list[str]]) -> str:
    cell = lambda text: str(text).replace("|", "\\|").replace("\n", " ")  # noqa: E731
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--origin", default="http://127.0.0.1:8080")
    parser.add_argument("--csv", type=Path, help="write the table there, too")
    args = parser.parse_args()
    if not args.folder.is_dir():
        print(f"{args.folder} is no folder", file=sys.stderr)
        return 2
    records, bad = load(args.folder)
    table: dict[str, Line] = defaultdict(Line)
    with Umpire(args.origin) as umpire:
        answers = umpire.validate_all(records.values())
        for (name, record), answer in zip(records.items(), answers):
            verdict = getattr(answer, "verdict", None)
            if verdict is None:  # a problem: this is no record of a game at all
                bad.append([name, "", answer.rule or "", f"{answer.code}: {answer.detail}"])
            elif verdict.violation is not None:
                fault = verdict.violation
                bad.append([name, fault.ply, fault.rule, fault.message])
            else:
                count(table, record, verdict)
    head = ["player", "played", "won", "drawn", "lost", "unfinished", "points"]
    order = sorted(table.items(), key=lambda it: (-it[1].points, it[1].played, it[0]))
    rows = [[name, it.played, it.won, it.drawn, it.lost, it.unfinished, f"{it.points:g}"] for name, it in order]
    print(f"# {args.folder.resolve().name}: {len(records) - sum(1 for it in bad if it[0] in records)} good records\n")
    print(markdown(head, rows) if rows else "No good record.")
    if bad:
        print("\n## Not counted\n")
        print(markdown(["file", "ply", "clause", "why"], bad))
    if args.csv:
        with args.csv.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, *rows])
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (UmpireProblem, httpx.HTTPError) as error:
        print(f"the service did not answer: {error}", file=sys.stderr)
        sys.exit(2)
