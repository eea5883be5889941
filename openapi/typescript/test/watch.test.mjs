// Watching a table over a network that fails: in Node and in Chromium.
import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { Umpire, UmpireProblem } from "@umpire/client";
import { BROWSER, open } from "./browser.mjs";
import { TIMES, proxied, survives } from "./proxy.mjs";
import { choiceOf, serve, wholeGames } from "./server.mjs";

let server, proxy;
before(async () => {
  server = await serve();
  proxy = await proxied(server.origin);
});
after(async () => {
  await proxy.end();
  await server.end();
});

const umpire = () => new Umpire({ origin: server.origin });
const [record] = wholeGames().filter((it) => it.game === "drako");

/** A new table, and what is done at it. */
async function begin() {
  const made = await umpire().createTable(choiceOf(record));
  return { server, proxy, umpire, made, actions: record.actions, token: made.tokens.seats[record.actions[0].player] };
}

test("a watcher survives a failing network", async () => {
  const { token, ...game } = await begin();
  const seat = new Umpire({ origin: proxy.origin }).table(game.made.id, token);
  const connections = [];
  const onConnection = (it) => connections.push({ ...it, error: it.error?.message });
  let version;
  const watching = (async () => {
    for await (const news of seat.watch({ ...TIMES, onConnection })) version = news.version;
  })();
  await survives({ ...game, seen: () => ({ version, view: seat.view, connections }), end: () => watching });
});

test("a watcher in a browser survives a failing network", { skip: BROWSER ? false : "there is no browser here" }, async () => {
  const { token, ...game } = await begin();
  const browser = await open(proxy.origin);
  try {
    await browser.page.evaluate(([id, token, times]) => {
      const seat = new client.Umpire({ origin: location.origin }).table(id, token);
      const seen = { connections: [] };
      const onConnection = (it) => seen.connections.push({ ...it, error: it.error?.message });
      window.seen = () => ({ ...seen, view: seat.view });
      window.watching = (async () => {
        for await (const news of seat.watch({ ...times, onConnection })) seen.version = news.version;
      })();
    }, [game.made.id, token, TIMES]);
    const seen = () => browser.page.evaluate(() => window.seen());
    await survives({ ...game, seen, end: () => browser.page.evaluate(() => window.watching) });
  } finally {
    await browser.end();
  }
});

test("a watch ends if trying again cannot help", async () => {
  const connections = [];
  const watch = umpire().table("0".repeat(32)).watch({ onConnection: ({ state }) => connections.push(state) });
  await assert.rejects(watch.next(), (error) => error instanceof UmpireProblem && error.status === 404);
  assert.deepEqual(connections, ["connecting"]);
});

test("a caller ends a watch while it waits, and while it tries", async () => {
  const made = await umpire().createTable({ game: "drako" });
  for (const ends of ["connecting", "open", "lost"]) {
    const stop = new AbortController();
    proxy.fault = ends === "lost" ? "502" : "";
    const onConnection = ({ state }) => state === ends && setTimeout(() => stop.abort());
    const news = [];
    for await (const one of new Umpire({ origin: proxy.origin }).table(made.id).watch({ signal: stop.signal, delay: 60_000, onConnection })) news.push(one.type);
    assert.ok(news.length <= 1, ends);
  }
  proxy.fault = "";
});

test("a silent network is noticed within 40 seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    const stop = new AbortController();
    const lost = [];
    const onConnection = (it) => it.state === "lost" && (lost.push(Date.now()), stop.abort());
    const fetch = () => new Promise(() => undefined);
    const watch = new Umpire({ origin: "http://silent", fetch }).table("t").watch({ signal: stop.signal, onConnection }).next();
    await new Promise(setImmediate);
    // Two of the server's pings, 15 seconds apart, may be late.
    mock.timers.tick(31_000);
    await new Promise(setImmediate);
    assert.equal(lost.length, 0);
    mock.timers.tick(9_000);
    assert.ok((await watch).done);
    assert.equal(lost.length, 1);
  } finally {
    mock.timers.reset();
  }
});

test("steps that a seat already knows are marked", async () => {
  const made = await umpire().createTable(choiceOf(record));
  const [first, second, third] = record.actions;
  const { host } = made;
  const watch = host.watch();
  assert.deepEqual(await watch.next().then(({ value }) => [value.type, value.known]), ["table", false]);
  await host.act(first);
  await host.act(second);
  const { view } = host;
  // The stream repeats what the answers said: first an older version, then the same one.
  for (const version of ["1", "2"]) {
    const { value } = await watch.next();
    assert.deepEqual([value.version, value.known, host.version], [version, true, "2"]);
    assert.equal(host.view, view);
  }
  const other = made.seats[third.player];
  await other.look();
  await other.act(third);
  const { value } = await watch.next();
  assert.deepEqual([value.version, value.known, host.version], ["3", false, "3"]);
  // The same seat in another window does not know it.
  const elsewhere = umpire().table(made.id, made.tokens.host).watch({ since: "0" });
  assert.equal((await elsewhere.next()).value.known, false);
  await Promise.all([watch.return(), elsewhere.return()]);
});
