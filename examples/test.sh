#!/usr/bin/env bash
# Uses every example as a person would, with good input and with bad, on a service of its own.
# UMPIRE: the binary; PYTHON: a Python that has openapi/python installed. Examples that need Node, Chromium, PostgreSQL, nginx, Caddy,
# Dask or Spark are left out where those are missing. The end lists them; with CI set, that is a failure. With LEFT_OUT, the list is
# added to that file instead, for whoever runs this.
set -euo pipefail
cd "$(dirname "$0")"
PATH="$PATH:/usr/sbin"
umpire="${UMPIRE:-$PWD/../target/release/umpire}"
python="${PYTHON:-python3}"
scratch="$(mktemp -d)"
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; rm -rf "$scratch"' EXIT

port="$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
origin="http://127.0.0.1:$port"
"$umpire" serve --listen "127.0.0.1:$port" --store "$scratch/store.sqlite" --cors-origin '*' >"$scratch/serve.log" 2>&1 &
server=$!
for _ in $(seq 100); do curl -sf "$origin/readyz" >/dev/null && break; sleep 0.1; done
curl -sf "$origin/readyz" >/dev/null || { cat "$scratch/serve.log"; exit 1; }

# says WANTED-EXIT-CODE COMMAND...: runs it, and keeps what it said.
says() {
  local wanted=$1 code=0
  shift
  "$@" >"$scratch/said" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || { echo "exit code $code instead of $wanted: $*"; cat "$scratch/said"; exit 1; }
}
# holds TEXT: what was said last holds it.
holds() { grep -qF -- "$1" "$scratch/said" || { echo "not said: $1"; cat "$scratch/said"; exit 1; }; }

leave_out() { echo "left out: $*"; echo "example $*" >>"$scratch/left-out"; }

echo "== tournament"
"$python" - "$scratch/good" "$scratch/bad" <<'PY'
import json, sys
from pathlib import Path
good, bad = map(Path, sys.argv[1:])
for folder in (good, bad):
    folder.mkdir()
for game in ("drako", "dragut", "doubloons"):
    for case in sorted(Path("../fixtures", game, "games").glob("*.json"))[:4]:
        record = json.loads(case.read_text())["record"]
        for folder in (good, bad):
            (folder / f"{game}-{case.name}").write_text(json.dumps(record))
first = json.loads(next(bad.glob("drako-*")).read_text())
first["actions"][0] = {"type": "claim", "player": "dragon"}
(bad / "illegal.json").write_text(json.dumps(first))
(bad / "broken.json").write_text("{")
(bad / "list.json").write_text("[]")
(bad / "chess.json").write_text(json.dumps({"format": "umpire/1", "game": "chess", "chance": {"tape": []}, "actions": []}))
PY
says 0 "$python" tournament/standings.py "$scratch/good" --origin "$origin" --csv "$scratch/table.csv"
holds "# good: 12 good records"
holds "| player | played | won | drawn | lost | unfinished | points |"
head -1 "$scratch/table.csv" | grep -q '^player,played,won'
says 1 "$python" tournament/standings.py "$scratch/bad" --origin "$origin"
holds "# bad: 12 good records"
for file in illegal broken list chess; do holds "| $file.json |"; done
mkdir "$scratch/empty"
says 0 "$python" tournament/standings.py "$scratch/empty" --origin "$origin"
holds "No good record."
says 2 "$python" tournament/standings.py "$scratch/missing" --origin "$origin"
says 2 "$python" tournament/standings.py "$scratch/good" --origin http://127.0.0.1:1
holds "the service did not answer"

echo "== disputes"
once() { says 0 "$python" disputes/disputes.py --origin "$origin" --once "$1"; }
id="$("$python" - "$origin" ../fixtures/drako/games <<'PY'
import json, sys
from pathlib import Path
from umpire_client import Umpire
record = json.loads(sorted(Path(sys.argv[2]).glob("*.json"))[0].read_text())["record"]
with Umpire(sys.argv[1]) as umpire:
    print(umpire.store(record).id)
PY
)"
once '/rule drk-r5'; holds '**DRK-R5**'; holds '`friends`'
once '/rule CHESS-1'; holds 'is no clause'
once '/rule DRK-99'; holds 'has no clause'
once "/why $id 0 {\"type\": \"claim\", \"player\": \"dragon\"}"; holds '❌'
once "/why $id zero {}"; holds 'I cannot read that'
once "/why $id 0 {"; holds 'I cannot read that'
once '/why 00000000000000000000000000000000 0 {}'; holds 'The referee cannot say'
once "/settle $id"; grep -q '^• \|No reading' "$scratch/said"
once 'hello'; holds 'Commands:'
says 0 "$python" disputes/disputes.py --origin http://127.0.0.1:1 --once '/rule DRK-R5'; holds 'does not answer'
# Once over HTTP, as a chat does it.
chat="$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
"$python" disputes/disputes.py --origin "$origin" --listen "127.0.0.1:$chat" 2>/dev/null &
helper=$!
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$chat/" && break; sleep 0.1; done
says 0 curl -sf "http://127.0.0.1:$chat/" -d '{"text": "/rule DRK-6.3"}'; holds '**DRK-6.3**'
says 0 curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$chat/" -d 'nonsense'; holds 400
kill "$helper"

echo "== docs"
"$python" docs.py "$umpire"

# Built clients, as npm installs them.
if command -v npm >/dev/null && (cd ../openapi/typescript && { [ -d node_modules ] || npm ci --loglevel=error >/dev/null; } && node build.mjs >/dev/null) &&
  (cd bot && rm -rf node_modules && npm install --loglevel=error >/dev/null); then
  echo "== bot"
  says 0 node bot/bot.mjs "$origin"; holds 'we are dragon'; holds 'over: {'
  for seat in 'drako dwarves' 'dragut pirates' 'dragut rapalline' 'doubloons p1' 'doubloons p2'; do
    # shellcheck disable=SC2086
    PATIENCE=60 says 0 node bot/bot.mjs "$origin" $seat; holds "we are ${seat#* }"; holds 'over: {'
  done
  says 1 node bot/bot.mjs "$origin" chess; holds 'chess'
  if [ -n "${CHROMIUM:-}" ] || command -v chromium google-chrome chromium-browser >/dev/null; then
    echo "== hot-seat"
    says 0 node hot-seat/test.mjs "$origin"; holds 'put together: done'
  else
    leave_out "hot-seat: there is no Chromium"
  fi
else
  leave_out "bot and hot-seat: there is no Node, or not its packages"
fi
echo "== load-balancer"
if { "$umpire" serve --store postgres://127.0.0.1:1/none 2>&1 || true; } | grep 'no PostgreSQL support' >/dev/null; then
  leave_out "load-balancer: $umpire has no PostgreSQL support"
elif ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
  leave_out "load-balancer: there is no PostgreSQL"
else
  for balancer in nginx caddy; do
    if command -v "$balancer" >/dev/null; then
      "$python" load-balancer/test.py "$umpire" "$balancer"
    else
      leave_out "load-balancer: there is no $balancer"
    fi
  done
fi
echo "== archives"
kinds=
for kind in dask pyspark; do
  if "$python" -c "import umpire, pyarrow.parquet, $kind" 2>/dev/null && { [ "$kind" = dask ] || command -v java >/dev/null; }; then
    kinds="$kinds ${kind#py}"
  else
    leave_out "archives with ${kind#py}: there is no package umpire-engine, no $kind, or no Java"
  fi
done
if { "$umpire" validate --to "$scratch/none.parquet" /dev/null 2>&1 || true; } | grep 'no Parquet support' >/dev/null; then
  leave_out "archives: $umpire has no Parquet support"
elif [ -n "$kinds" ]; then
  # shellcheck disable=SC2086
  "$python" archives/test.py "$umpire" $kinds
fi
if [ ! -s "$scratch/left-out" ]; then
  echo "the examples do what they say"
else
  echo "the other examples do what they say; left out:"
  tee -a "${LEFT_OUT:-/dev/null}" <"$scratch/left-out"
  [ -z "${CI:-}" ] || [ -n "${LEFT_OUT:-}" ]
fi
