// The client on a live service: whole games of every game, lines, refusals; and by itself: retries, tags, patches.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Umpire, UmpireProblem, data, events, lines, patched } from "@umpire/client";
import { choiceOf, serve, wholeGames } from "./server.mjs";

let server, umpire;
before(async () => {
  server = await serve();
  umpire = new Umpire({ origin: server.origin });
});
after(() => server.end());

for (const record of wholeGames()) {
  test(`a whole game of ${record.game} is played, watched and stored`, async () => {
    const made = await umpire.createTable(choiceOf(record));
    const told = {};
    const watching = Object.entries(made.seats).map(async ([seat, at]) => {
      const own = umpire.table(made.id, made.tokens.seats[seat]);
      for await (const news of own.watch()) {
        if (news.type === "step") told[seat] = (told[seat] ?? 0) + 1;
      }
      return [seat, own.view, at];
    });
    for (const [ply, action] of record.actions.entries()) {
      const seat = made.seats[action.player];
      if (seat.version !== `${ply}`) await seat.look();
      const step = await seat.act(action);
      assert.equal(step.ply, ply + 1);
    }
    const over = await made.host.look();
    assert.equal(over.now.status, "complete");
    // What was told by patches alone is what is so.
    const views = new Map();
    for (const [seat, at] of Object.entries(made.seats)) views.set(seat, (await at.look()).now.state);
    const sealed = await made.host.seal();
    for (const [seat, view] of await Promise.all(watching)) {
      assert.deepEqual(view, views.get(seat), seat);
      assert.ok(told[seat] > 0);
    }
    const stored = await data(umpire.api.GET("/v1/records/{id}", { params: { path: { id: sealed.record } } }));
    assert.deepEqual(stored.actions, record.actions);
    await made.host.remove();
    await assert.rejects(made.host.look(), (error) => error instanceof UmpireProblem && error.problem.code === "not_found");
  });
}

test("a refused action says why, and a stale one that it is", async () => {
  const made = await umpire.createTable({ game: "drako", chance: { seed: "a" } });
  const { dragon, dwarves } = made.seats;
  const legal = await dragon.legalActions({ text: true });
  const own = legal.choices.find((it) => it.player === "dragon");
  assert.equal(own.actions.length, own.texts.length);
  await assert.rejects(dragon.act({ type: "declare_fury", player: "dragon" }), (error) => {
    assert.equal(error.problem.code, "action_refused");
    assert.match(error.problem.violation.rule, /^DRK-/);
    return true;
  });
  const step = await dragon.act(own.actions[0], { legal: true });
  assert.equal(step.version, "1");
  assert.ok(step.legal.choices.length > 0 || step.decision.players.includes("dwarves"));
  await assert.rejects(dragon.act(own.actions[0], { version: "0" }), (error) => error.problem.code === "stale" && error.status === 412);
  assert.match(await dwarves.svg({ targets: true }), /^<svg/);
  const [asked] = step.decision.players;
  const hint = await made.seats[asked].hint({ simulations: 5, most: 1 });
  assert.deepEqual([hint.player, hint.actions.length], [asked, 1]);
  const bare = await umpire.createTable({ game: "drako", hints: false });
  await assert.rejects(bare.seats.dragon.hint(), (error) => error.problem.code === "conflict");
  assert.ok((await dwarves.events({ from: 0 })).events.length > 0);
  // The token of a seat shows no other seat's eyes.
  const peeked = umpire.with(made.tokens.seats.dwarves).ask(`/v1/tables/${made.id}?viewer=dragon`);
  await assert.rejects(peeked, (error) => error.status === 403);
});

test("a fair draw is made by all", async () => {
  const made = await umpire.createTable({ game: "drako", chance: { fair: true } });
  const secrets = { dragon: "11".repeat(32), dwarves: "22".repeat(32) };
  const hex = (bytes) => Buffer.from(bytes).toString("hex");
  for (const [seat, secret] of Object.entries(secrets)) {
    const text = `umpire fair draw 1 commitment\n${made.id}\n${seat}\n${secret}\n`;
    const commit = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    await made.seats[seat].fairDraw({ commit });
  }
  for (const [seat, reveal] of Object.entries(secrets)) await made.seats[seat].fairDraw({ reveal });
  const table = await made.host.look();
  assert.equal(table.fair.stage, "drawn");
  assert.ok(made.host.view);
});

test("many records are judged line by line", async () => {
  const good = { format: "umpire/1", game: "drako", chance: { seed: "a" }, actions: [] };
  const bad = { ...good, actions: [{ type: "declare_fury", player: "dragon" }] };
  const found = [];
  for await (const line of umpire.validateAll([good, bad, { ...good, game: "chess" }])) found.push(line);
  assert.equal(found.length, 4);
  assert.equal(found[0].verdict.status, "in_progress");
  assert.equal(found[1].verdict.status, "illegal");
  assert.equal(found[2].code, "unknown_game");
  assert.equal(found[3].summary.records, 3);
  // Lines count over all requests, and nothing is a summary, too.
  const broken = [];
  for await (const line of umpire.validateAll([good, good, { ...good, game: "chess" }], { batch: 0 })) broken.push(line.line ?? line.summary?.records);
  assert.deepEqual(broken, [undefined, undefined, 3, 3]);
  for await (const line of umpire.validateAll([])) assert.equal(line.summary?.records ?? 0, 0);
  const receipts = [];
  for await (const line of umpire.storeAll([{ ...good, chance: { seed: "stored" } }])) receipts.push(line);
  const stored = [];
  for await (const record of umpire.records({ game: "drako" })) stored.push(record.chance.seed);
  assert.ok(receipts[0].id && stored.includes("stored"));
});

test("records are sent while they are made, and never many at once", async () => {
  const COUNT = 2000;
  let [made, answered, ahead] = [0, 0, 0];
  const records = function* () {
    for (; made < COUNT; made += 1) {
      ahead = Math.max(ahead, made - answered);
      yield { format: "umpire/1", game: "drako", chance: { seed: `${made}` }, actions: [] };
    }
  };
  for (const all of [umpire.validateAll.bind(umpire), umpire.storeAll.bind(umpire)]) {
    [made, answered, ahead] = [0, 0, 0];
    let summary;
    for await (const line of all(records(), { batch: 4096 })) {
      if (answered === 0) assert.ok(made < 2, "the first answer comes after the first record");
      if ("summary" in line) summary = line.summary;
      else answered += 1;
    }
    assert.equal(answered, COUNT);
    assert.equal(summary.records, COUNT);
    assert.ok(ahead < 100, `${ahead} records were under way`);
  }
});

/** A service that answers what it is told to. */
function pretended(answers) {
  const asked = [];
  const fetch = async (request) => {
    asked.push(request);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, umpire: new Umpire({ origin: "http://pretended", fetch, retries: 2, longestWait: 2000 }) };
}
const json = (value, head = {}) => new Response(JSON.stringify(value), { headers: { "content-type": "application/json", ...head } });
const busy = (status, wait) => new Response("{}", { status, headers: { "retry-after": wait } });

test("what is put off is sent again, when it was told to", async () => {
  const { asked, umpire } = pretended([busy(429, "0"), busy(503, "0"), json({ games: [] })]);
  assert.deepEqual(await data(umpire.api.GET("/v1/games")), { games: [] });
  assert.equal(asked.length, 3);
  // Too long a wait is told to the caller, and too many as well.
  const late = pretended([busy(429, "3600")]);
  await assert.rejects(data(late.umpire.api.GET("/v1/games")), (error) => error.status === 429);
  const often = pretended([busy(503, "0"), busy(503, "0"), busy(503, "0")]);
  await assert.rejects(data(often.umpire.api.GET("/v1/games")), (error) => error.status === 503);
  // Work that took too long would take as long again: no Retry-After, and not sent again.
  const tooLong = pretended([new Response("{}", { status: 503 })]);
  await assert.rejects(data(tooLong.umpire.api.GET("/v1/games")), (error) => error.status === 503);
  assert.equal(tooLong.asked.length, 1);
  // A date, too, says when. A proxy that cannot reach the service is asked again, where that is harmless.
  const dated = pretended([busy(503, new Date().toUTCString()), busy(502, "0"), json({ games: [] })]);
  assert.deepEqual(await data(dated.umpire.api.GET("/v1/games")), { games: [] });
  const gateway = pretended([new Response("<h1>Bad Gateway</h1>", { status: 502 })]);
  await assert.rejects(gateway.umpire.createTable({ game: "drako" }), (error) => error.status === 502 && /Bad Gateway/.test(error.problem.detail));
});

test("what was lost is sent again only where that does no harm", async () => {
  const lost = () => new TypeError("fetch failed");
  const read = pretended([lost(), json({ games: [] })]);
  assert.deepEqual(await data(read.umpire.api.GET("/v1/games")), { games: [] });
  const made = pretended([lost()]);
  await assert.rejects(made.umpire.createTable({ game: "drako" }), TypeError);
  assert.equal(made.asked.length, 1);
  const table = { version: "0", now: null };
  const step = { version: "1", ply: 1, state: {} };
  const acted = pretended([json(table), lost(), json(step)]);
  assert.equal((await acted.umpire.table("t").act({ type: "draw", player: "dragon" })).version, "1");
  const keys = acted.asked.slice(1).map((request) => request.headers.get("idempotency-key"));
  assert.equal(keys[0], keys[1]);
  assert.ok(keys[0]);
});

test("records whose answers are lost are sent again", async () => {
  const lines = (...all) => new Response(all.map((it) => JSON.stringify(it)).join("\n"));
  const summary = (records) => ({ summary: { records } });
  const broken = lines({ id: "a" });
  const { asked, umpire } = pretended([new TypeError("fetch failed"), broken, lines({ id: "a" }, summary(1)), lines({ id: "b" }, { line: 2 }, summary(2))]);
  const found = [];
  for await (const line of umpire.storeAll([{}, {}, {}])) found.push(line);
  assert.deepEqual(found, [{ id: "a" }, { id: "b" }, { line: 3 }, summary(3)]);
  assert.deepEqual(await Promise.all(asked.map((it) => it.text())), ["{}\n", "{}\n", "{}\n", "{}\n{}\n"]);
  const never = pretended([1, 2, 3].map(() => new TypeError("fetch failed")));
  await assert.rejects(never.umpire.validateAll([{}]).next(), TypeError);
});

test("an answer with a tag is asked for again by its tag", async () => {
  const unchanged = new Response(null, { status: 304 });
  const { asked, umpire } = pretended([json({ games: [] }, { etag: '"a"' }), unchanged]);
  const games = await data(umpire.api.GET("/v1/games"));
  assert.deepEqual(await data(umpire.api.GET("/v1/games")), games);
  assert.deepEqual(asked.map((request) => request.headers.get("if-none-match")), [null, '"a"']);
});

test("a stream that breaks off is gone on with", async () => {
  const state = (plies) => ({ plies });
  const table = (ply) => ({ version: `${ply}`, now: { state: state(ply) } });
  const step = (ply) => ({ version: `${ply}`, since: `${ply - 1}`, patch: [{ op: "replace", path: "/plies", value: ply }] });
  const event = (name, version, data) => `id: ${version}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const stream = (text) => new Response(new Blob([text]).stream(), { headers: { "content-type": "text/event-stream" } });
  const { asked, umpire } = pretended([
    stream(event("table", "0", table(0)) + event("step", "1", step(1)) + "id: 2\nevent: st"),
    new TypeError("terminated"),
    stream(":\n\n" + event("step", "2", step(2)) + "event: end\ndata: {}\n\n"),
  ]);
  const seat = umpire.table("t");
  const seen = [];
  for await (const news of seat.watch({ delay: 1 })) seen.push([news.type, news.version, seat.view.plies]);
  assert.deepEqual(seen, [["table", "0", 0], ["step", "1", 1], ["step", "2", 2]]);
  assert.deepEqual(asked.map((request) => request.headers.get("last-event-id")), [null, "1", "1"]);
});

test("an answer that the stream has overtaken changes nothing", async () => {
  const answers = [json({ version: "5", now: { state: { plies: 5 } } }), json({ version: "4", since: "3", patch: [] }), json({ version: "4.1", state: { plies: 4 } })];
  const { umpire } = pretended(answers);
  const seat = umpire.table("t");
  await seat.look();
  await seat.act({ type: "draw", player: "dragon" });
  assert.deepEqual([seat.version, seat.view.plies], ["5", 5]);
  // After an undo a smaller number is newer.
  await seat.act({ type: "draw", player: "dragon" });
  assert.deepEqual([seat.version, seat.view.plies], ["4.1", 4]);
});

test("patches change a copy", () => {
  const before = { a: [1, 2, { b: "x" }], "c/d": { "~": 0 } };
  const kept = structuredClone(before);
  const now = patched(before, [
    { op: "add", path: "/a/1", value: 9 },
    { op: "remove", path: "/a/0" },
    { op: "replace", path: "/a/2/b", value: "y" },
    { op: "replace", path: "/c~1d/~0", value: 1 },
    { op: "copy", from: "/a/2", path: "/e" },
    { op: "move", from: "/c~1d", path: "/f" },
    { op: "test", path: "/f", value: { "~": 1 } },
    { op: "add", path: "/a/-", value: null },
  ]);
  assert.deepEqual(now, { a: [9, 2, { b: "y" }, null], e: { b: "y" }, f: { "~": 1 } });
  assert.deepEqual(before, kept);
  for (const wrong of [{ op: "remove", path: "/x" }, { op: "replace", path: "/a/7", value: 0 }, { op: "add", path: "/x/y", value: 0 }, { op: "test", path: "/a", value: [] }]) {
    assert.throws(() => patched(before, [wrong]));
  }
});

test("lines and events come whole, however they are cut", async () => {
  const cut = (text, size) => {
    const bytes = new TextEncoder().encode(text);
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    return new ReadableStream({ start: (to) => (parts.forEach((part) => to.enqueue(part)), to.close()) });
  };
  const all = async (iterator) => {
    const found = [];
    for await (const one of iterator) found.push(one);
    return found;
  };
  for (const size of [1, 2, 3, 1000]) {
    assert.deepEqual(await all(lines(cut("é\nzwei\n\ndrei", size))), ["é", "zwei", "", "drei"]);
    const text = "id: 1\r\nevent: a\r\ndata: x\r\ndata: y\r\n\r\n: nothing\n\ndata:z\n\nevent: unfinished\ndata: q\n";
    assert.deepEqual(await all(events(cut(text, size))), [
      { id: "1", event: "a", data: "x\ny" },
      { id: undefined, event: undefined, data: "z" },
    ]);
  }
});
