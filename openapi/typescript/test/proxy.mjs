// A proxy with faults, and what a watcher behind it has to survive.
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** How a watcher is told to wait, in milliseconds: short, for a test. The proxy sends something more often than that. */
export const TIMES = { silence: 1500, delay: 10, longestDelay: 40 };
const PING = 100;

/** A proxy. `fault` is what it does to streams: "502", "503", "freeze", "cut" (once, in mid-event), "end" (the same, politely). */
export async function proxied(target) {
  const proxy = { target, fault: "", streams: 0 };
  const server = createServer((asked, answer) => {
    const streamed = asked.headers.accept === "text/event-stream";
    // What once was frozen stays so: a network does not deliver what comes later without what came before.
    let frozen = false;
    const fault = () => {
      frozen ||= streamed && proxy.fault === "freeze";
      return frozen ? "freeze" : streamed ? proxy.fault : "";
    };
    if (streamed) proxy.streams += 1;
    if (fault() === "502") return answer.writeHead(502, { "content-type": "text/html" }).end("<h1>502 Bad Gateway</h1>");
    if (fault() === "503") return answer.writeHead(503, { "retry-after": "1" }).end();
    const onward = request(proxy.target + asked.url, { method: asked.method, headers: asked.headers }, (from) => {
      // A watcher that has gone before the service answered.
      if (answer.destroyed) return onward.destroy();
      answer.writeHead(from.statusCode, from.headers);
      let whole = true;
      const pings = setInterval(() => streamed && whole && fault() !== "freeze" && answer.write(":\n\n"), PING);
      answer.on("close", () => clearInterval(pings));
      from.on("data", (part) => {
        whole = part.toString().endsWith("\n\n");
        if (fault() === "freeze") return;
        if (fault() !== "cut" && fault() !== "end") return answer.write(part);
        const close = fault() === "cut" ? () => answer.destroy() : () => answer.end();
        proxy.fault = "";
        answer.write(part.subarray(0, part.length >> 1), close);
      });
      from.on("end", () => answer.end());
      from.on("error", () => answer.destroy());
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  proxy.origin = `http://127.0.0.1:${server.address().port}`;
  proxy.end = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return proxy;
}

/**
 * Plays a game while the network between the service and a watcher fails in every way. `seen` gives what the watcher has seen so far:
 * the last version, its view, and its connections; `end` waits until it has ended.
 */
export async function survives({ server, proxy, umpire, made, actions, seen, end }) {
  const seats = new Map(Object.entries(made.tokens.seats));
  let ply = 0;
  const until = async (wanted) => {
    for (let tries = 0; ; tries += 1) {
      const now = await seen();
      if (wanted(now)) return now;
      assert.ok(tries < 400, `not seen: ${wanted}; ${JSON.stringify({ ...now, view: undefined })}`);
      await sleep(25);
    }
  };
  const act = async () => {
    const action = actions[ply];
    const seat = umpire().table(made.id, seats.get(action.player));
    await seat.act(action);
    ply += 1;
  };
  const losses = (now) => now.connections.filter((it) => it.state === "lost");
  const caughtUp = (now) => now.version === `${ply}`;
  const open = (now) => now.connections.at(-1).state === "open";

  await until((now) => caughtUp(now) && open(now));
  // A quiet table is not a silent network.
  await sleep(1.5 * TIMES.silence);
  assert.equal(losses(await seen()).length, 0);

  for (const fault of ["cut", "end"]) {
    const before = losses(await seen()).length;
    proxy.fault = fault;
    await act();
    const now = await until((now) => caughtUp(now) && open(now));
    assert.ok(losses(now).length > before, fault);
  }

  // Silence is noticed, also where a connection is accepted and nothing follows.
  proxy.fault = "freeze";
  const frozen = losses(await seen()).length;
  await act();
  await until((now) => losses(now).length >= frozen + 2);
  proxy.fault = "";
  assert.match((await until((now) => caughtUp(now) && open(now))).connections.findLast((it) => it.state === "lost").error, /nothing was received for 1.5 s/);

  // Bad gateways for longer than eight tries, with longer and longer waits.
  proxy.fault = "502";
  await server.stop();
  const gone = losses(await seen()).length;
  const tried = await until((now) => losses(now).length >= gone + 12);
  const waits = losses(tried).slice(gone + 1).map((it) => it.retryIn);
  assert.ok(waits.every((it) => it > 0 && it <= TIMES.longestDelay), waits.join());
  assert.ok(losses(tried).slice(gone + 1).every((it) => it.error.startsWith("502")));
  await server.start();
  [proxy.target, proxy.fault] = [server.origin, ""];
  await act();
  await until((now) => caughtUp(now) && open(now));

  // A server that is busy says when to try again.
  proxy.fault = "503";
  await server.stop();
  const busy = await until((now) => losses(now).at(-1).error.startsWith("503"));
  assert.equal(losses(busy).at(-1).retryIn, 1000);
  await server.start();
  [proxy.target, proxy.fault] = [server.origin, ""];
  await act();
  const last = await until((now) => caughtUp(now) && open(now));
  const { now } = await umpire().table(made.id, made.tokens.seats[actions[0].player]).look();
  assert.deepEqual(last.view, now.state);

  const { streams } = proxy;
  await umpire().table(made.id, made.tokens.host).seal();
  await end();
  assert.equal(proxy.streams, streams);
}
