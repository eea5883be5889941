"""A helper for the disputes channel of a chat: commands in, short Markdown out.

    python disputes.py [--origin http://127.0.0.1:8080] [--listen 127.0.0.1:8090]
    python disputes.py --once '/rule DRK-6.3'

A chat posts {"text": "/…"} to it and is answered {"content": "…"}:

    /rule RULE                        a clause or a ruling, in our words
    /why RECORD PLY ACTION            whether the action would be allowed after that many actions, and why not
    /settle RECORD [PLY ACTION]       who wins under which reading

RECORD is the id of a stored record; ACTION is JSON, as in a record. It does not check who sends: a chat service signs what it
posts, and its signature belongs in front of this, in a proxy or at the place that says so.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from umpire_client import Umpire, UmpireProblem

MOST = 2000  # characters that a chat takes of a message
GAMES = {"DRK": "drako", "DRG": "dragut", "DBD": "doubloons"}


def quiet(text: str) -> str:
    """Nobody is pinged by what somebody wrote, and nothing is longer than a message."""
    text = re.sub(r"@(?=everyone|here|[!&]?\d)", "@\u200b", text.replace("<@", "<@\u200b"))
    return text if len(text) <= MOST else text[: MOST - 2].rstrip() + " …"


def rule(umpire: Umpire, name: str) -> str:
    game = GAMES.get(name.upper().split("-")[0])
    if game is None:
        return f"`{name}` is no clause; they look like `DRK-6.3`, `DRG-R8` or `DBD-5.7`."
    found = next((it for it in umpire.rules(game).rules if it.id == name.upper()), None)
    if found is None:
        return f"{game} has no clause `{name}`."
    lines = [f"**{found.id}** {found.gist}"]
    lines += [f"• `{reading.value}`: {reading.gist}{' (unless chosen otherwise)' if reading.default else ''}" for reading in found.readings]
    if found.settled_by:
        lines.append("See " + ", ".join(f"`{it}`" for it in found.settled_by))
    return "\n".join(lines)


def dispute(record: str, ply: str = "", action: str = "") -> dict:
    asked: dict = {"id": record}
    if action:
        asked |= {"ply": int(ply), "action": json.loads(action)}
    return asked


def why(umpire: Umpire, asked: dict) -> str:
    answer = umpire.why_not(asked | {"viewer": "referee"})  # who may read the record may see its cards
    if answer.answer != "illegal":
        return {"legal": "✅ It is legal."}.get(answer.answer, answer.message)
    lines = []
    for fault in answer.violations:
        lines.append(f"❌ **{fault.rule}**: {fault.message}")
        lines += [f"• {fact.what}: {fact.is_}" for fact in fault.facts]
    lines += [f"It would be legal if: {words}" for words in (change.words for change in answer.changes) if words]
    if answer.nearest:
        nearest = [it.model_dump_json(by_alias=True, exclude_unset=True) for it in answer.nearest[:3]]
        lines.append("Nearest: " + ", ".join(f"`{it}`" for it in nearest))
    return "\n".join(lines)


def settle(umpire: Umpire, asked: dict) -> str:
    return "\n".join(f"• {line}" for line in umpire.adjudicate(asked).summary) or "No reading changes anything."


def answer(umpire: Umpire, text: str) -> str:
    """What is answered to a command; never an exception."""
    try:
        match text.strip().split(maxsplit=3):
            case ["/rule", name]:
                return quiet(rule(umpire, name))
            case ["/why", record, ply, action]:
                return quiet(why(umpire, dispute(record, ply, action)))
            case ["/settle", record]:
                return quiet(settle(umpire, dispute(record)))
            case ["/settle", record, ply, action]:
                return quiet(settle(umpire, dispute(record, ply, action)))
    except UmpireProblem as problem:
        return quiet(f"The referee cannot say: {problem.problem.detail or problem.problem.title}")
    except httpx.HTTPError:
        return "The referee does not answer; try again later."
    except ValueError as error:
        return quiet(f"I cannot read that: {error}")
    return "Commands: `/rule RULE`, `/why RECORD PLY ACTION`, `/settle RECORD [PLY ACTION]`."


class Chat(BaseHTTPRequestHandler):
    umpire: Umpire

    def do_POST(self) -> None:
        # Here the signature of the chat service is checked: over the bytes of the body, before anything is read of it.
        try:
            body = json.loads(self.rfile.read(min(int(self.headers.get("content-length", 0)), 1 << 16)))
            text = body["text"] if isinstance(body["text"], str) else ""
        except (ValueError, KeyError, TypeError):
            self.reply(400, {"content": 'Expected {"text": "/…"}.'})
            return
        self.reply(200, {"content": answer(self.umpire, text)})

    def reply(self, status: int, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--origin", default="http://127.0.0.1:8080")
    parser.add_argument("--listen", default="127.0.0.1:8090")
    parser.add_argument("--once", metavar="COMMAND", help="answer one command in the terminal")
    args = parser.parse_args()
    with Umpire(args.origin, retries=1) as umpire:
        if args.once is not None:
            print(answer(umpire, args.once))
            return
        Chat.umpire = umpire
        host, port = args.listen.rsplit(":", 1)
        print(f"listening on http://{args.listen}", file=sys.stderr)
        ThreadingHTTPServer((host, int(port)), Chat).serve_forever()


if __name__ == "__main__":
    main()
