"""Two servers on one PostgreSQL behind nginx, as nginx.conf has it, and behind Caddy, as Caddyfile has it: streams pass at
once, connections are used again, and while one server after the other is told to end and comes again, no request fails and
no event of a stream is lost. Caddy asks /readyz: a server that drains is sent nothing more before it ends.

    python test.py UMPIRE nginx|caddy      a binary with the feature `postgres`

Needs the binaries of PostgreSQL and of that balancer. Everything is in a folder of its own.
"""

import glob
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent


def free():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def until(holds, what, process=None):
    for _ in range(6000):
        if holds():
            return
        if process is not None and process.poll() is not None:
            break
        threading.Event().wait(0.01)
    sys.exit(f"not seen: {what}")


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Postgres:
    def __init__(self, folder, binaries):
        # It refuses the superuser.
        whom = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        data = folder / "postgres"
        data.mkdir()
        if whom:
            shutil.chown(data, "postgres", "postgres")
        self.port = free()
        made = [binaries / "initdb", "-D", data, "-U", "umpire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd="/", **whom)
        settings = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories=", "log_min_messages=fatal"]
        started = [binaries / "postgres", "-D", data] + [part for it in settings for part in ("-c", it)]
        self.process = subprocess.Popen(started, cwd="/", stderr=subprocess.DEVNULL, **whom)
        ready = [binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        until(lambda: subprocess.run(ready).returncode == 0, "PostgreSQL", self.process)

    def end(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()


class Umpire:
    def __init__(self, binary, store, port, drain):
        self.again = lambda: Umpire(binary, store, port, drain)
        self.port = port
        listen = ["--listen", f"127.0.0.1:{port}", "--drain-seconds", str(drain)]
        environment = dict(os.environ, UMPIRE_STORE=store, RUST_LOG="error")
        started = [binary, "serve", *listen]
        self.process = subprocess.Popen(started, env=environment, stdout=subprocess.DEVNULL)
        until(lambda: listens(port), "a server", self.process)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait()

    def answered(self, *words):
        """Number of its answers that are counted with these words."""
        lines = Client(self.port).ask("GET", "/metrics").decode().splitlines()
        counts = [it for it in lines if it.startswith("umpire_http_requests_total{") and all(word in it for word in words)]
        return sum(float(it.rpartition(" ")[2]) for it in counts)


class Nginx:
    """Goes by connections that fail."""

    file, asks = "nginx.conf", False

    def start(self, program, folder):
        (folder / "temp").mkdir()
        return [program, "-e", "stderr", "-p", folder, "-c", folder / self.file, "-g", "daemon off;"]


class Caddy:
    """Asks the servers whether they are ready."""

    file, asks = "Caddyfile", True

    def start(self, program, folder):
        return [program, "run", "--adapter", "caddyfile", "--config", folder / self.file]


class Client:
    """One connection, used again and again."""

    def __init__(self, port):
        self.at = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        body = None if body is None else json.dumps(body)
        self.at.request(method, path, body, {"content-type": "application/json", **headers})
        answer = self.at.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise AssertionError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text) if text.startswith(b"{") else text


class Watcher(threading.Thread):
    """Follows the stream of a table, and comes again with the id of the last event whenever it breaks off."""

    def __init__(self, port, path, token):
        super().__init__(daemon=True)
        self.port, self.path, self.token = port, path, token
        self.versions, self.last, self.times, self.fault, self.over = [], None, 0, None, False

    def run(self):
        try:
            while not self.over:
                self.follow()
        except Exception as fault:
            self.fault = fault

    def follow(self):
        at = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"authorization": f"Bearer {self.token}"}
        if self.last is not None:
            headers["last-event-id"] = self.last
        at.request("GET", f"{self.path}/stream", headers=headers)
        answer = at.getresponse()
        if answer.status != 200:
            raise AssertionError(f"stream: {answer.status} {answer.read()[:300]!r}")
        self.times += 1
        try:
            for line in answer:
                if line.startswith(b"id:"):
                    self.last = line[3:].strip().decode()
                    self.versions.append(int(self.last))
        except (http.client.HTTPException, ConnectionError):
            pass


def main(binary, balancer):
    folders = [os.environ.get("PATH", ""), "/usr/sbin", *glob.glob("/usr/lib/postgresql/*/bin")]
    program, initdb = (shutil.which(name, path=os.pathsep.join(folders)) for name in (balancer, "initdb"))
    if program is None or initdb is None:
        sys.exit(f"{balancer} and PostgreSQL must be installed")
    told = behind({"nginx": Nginx, "caddy": Caddy}[balancer](), program, binary, Path(initdb).resolve().parent)
    print(f"{balancer}: {told}")


def behind(balancer, program, binary, postgres):
    folder = Path(tempfile.mkdtemp(prefix="umpire-balancer-"))
    folder.chmod(0o755)
    running = []
    try:
        database = Postgres(folder, postgres)
        running.append(database)
        store = f"postgres://umpire@127.0.0.1:{database.port}/postgres"
        front, ports = free(), [free(), free()]
        # As long as it takes until nobody is sent there; a second signal ends it.
        servers = [Umpire(binary, store, port, 600 if balancer.asks else 0) for port in ports]
        running[:0] = servers
        text = (HERE / balancer.file).read_text()
        for old, new in [(8081, ports[0]), (8082, ports[1]), (8080, front)]:
            assert f"127.0.0.1:{old}" in text
            text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
        (folder / balancer.file).write_text(text)
        # What it would keep, it keeps here.
        environment = dict(os.environ, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
        started = balancer.start(program, folder)
        proxy = subprocess.Popen(started, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: listens(front), "the balancer", proxy)
        try:
            return play(balancer, front, servers, running)
        finally:
            proxy.send_signal(signal.SIGTERM)
            proxy.wait()
    finally:
        for one in running:
            if one.process.poll() is None:
                one.end(*([signal.SIGKILL] if isinstance(one, Umpire) else []))
        shutil.rmtree(folder, ignore_errors=True)


def play(balancer, front, servers, running):
    client = Client(front)
    made = client.ask("POST", "/v1/tables", {"game": "drako", "chance": {"seed": "balanced"}})
    path, host = f"/v1/tables/{made['table']['id']}", made["host"]
    token = {"authorization": f"Bearer {host}"}
    first = client.at.sock.getsockname()
    # Streams: four of them, so that each server has some.
    watchers = [Watcher(front, path, host) for _ in range(4)]
    for watcher in watchers:
        watcher.start()
    for watcher in watchers:
        until(lambda: watcher.versions == [0] or watcher.fault, "the beginning of a stream")

    def act(client):
        table = client.ask("GET", f"{path}?include=legal", **token)
        actions = [it["actions"][0] for it in table["legal"]["choices"] if it.get("actions")]
        if not actions:
            return None
        version = table["version"]
        taken = client.ask(
            "POST", f"{path}/actions", {"action": actions[0]},
            if_match=f'"{version}"', idempotency_key=f"key-{version}", **token,
        )
        return int(taken["version"])

    # What happens at the table is told at once, by streams that do not end.
    version = act(client)
    for watcher in watchers:
        until(lambda: watcher.versions[-1:] == [version] or watcher.fault, "an event that passes at once")
    assert client.at.sock.getsockname() == first, "the connection was closed between requests"

    # Requests all the time, while one server after the other ends and comes again.
    over, faults, kept = threading.Event(), [], []

    def store_on(name):
        try:
            client, number = Client(front), 0
            while not over.is_set():
                record = {"format": "umpire/1", "game": "drako", "chance": {"seed": f"{name} {number}"}, "actions": []}
                kept.append(client.ask("POST", "/v1/records", record)["id"])
                client.ask("GET", f"/v1/records/{kept[-1]}")
                number += 1
        except Exception as fault:
            faults.append(fault)

    def connect_on():
        try:
            while not over.is_set():
                Client(front).ask("GET", "/v1/games")
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=store_on, args=[name], daemon=True) for name in "abc"]
    threads.append(threading.Thread(target=connect_on, daemon=True))
    for thread in threads:
        thread.start()
    for turn in [0, 1, 0]:
        begun = len(kept)
        until(lambda: len(kept) > begun + 50 or faults, "records that are stored")
        process = servers[turn].process
        process.send_signal(signal.SIGTERM)
        if balancer.asks:
            # It is asked whether it is ready, is sent nothing more while others are stored, and then it may end.
            until(lambda: servers[turn].answered('"/readyz"', '"503"') > 0 or faults, "a server that is not ready")
            asked, at = servers[turn].answered('"/v1/records'), len(kept)
            while len(kept) < at + 50 and not faults:
                version = act(client) or version
                now = servers[turn].answered('"/v1/records')
                if now != asked:
                    asked, at = now, len(kept)
                assert len(kept) < begun + 10_000, "a server that drains is sent requests"
            assert faults or process.poll() is None
            process.send_signal(signal.SIGTERM)
        while process.poll() is None and not faults:
            version = act(client) or version
        assert faults or process.wait() == 0
        version = act(client) or version
        begun = len(kept)
        until(lambda: len(kept) > begun + 50 or faults, "records that are stored by one server")
        servers[turn] = servers[turn].again()
        running.insert(0, servers[turn])
        # Only once it is asked again may the other one go.
        direct = Client(servers[turn].port)
        until(lambda: b'route="/v1/records"' in direct.ask("GET", "/metrics") or faults, "a server that is asked again")
    over.set()
    for thread in threads:
        thread.join()
    assert not faults, faults
    for watcher in watchers:
        until(lambda: watcher.versions[-1:] == [version] or watcher.fault, "all that happened, in a stream")
        watcher.over = True
        assert watcher.fault is None, watcher.fault
        # In order, and none twice; what came while a stream was away comes as one.
        assert watcher.versions == sorted(set(watcher.versions)), watcher.versions
    assert sum(watcher.times - 1 for watcher in watchers) >= 3, "no stream was broken off"
    for number in kept[:: max(1, len(kept) // 50)]:
        client.ask("GET", f"/v1/records/{number}")
    again = sum(watcher.times - 1 for watcher in watchers)
    return f"{len(kept)} records stored, {version} actions taken, {again} streams gone on with; no request failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
