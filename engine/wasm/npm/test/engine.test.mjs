// The engine in this program answers with the bytes of a service, over all fixtures; and it stays alive.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, serve, wholeGames } from "../../../../openapi/typescript/test/server.mjs";
import { EngineProblem, loadEngine } from "../index.js";

const decoder = new TextDecoder();
let engine;
let service;
before(async () => {
  [engine, service] = await Promise.all([loadEngine(), serve()]);
});
after(() => service.end());

const fixtures = ["drako", "dragut", "doubloons"].flatMap((game) =>
  readdirSync(join(ROOT, "fixtures", game), { recursive: true })
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(join(ROOT, "fixtures", game, name), "utf8")).record])
    .filter(([, record]) => record !== undefined),
);

const request = (path, record) => {
  const actions = record.actions ?? [];
  const ply = Math.max(0, actions.length - 1);
  const action = actions.at(-1) ?? { type: "resign" };
  const begun = { ...record, actions: actions.slice(0, ply) };
  switch (path) {
    case "adjudicate":
    case "remedy":
      return { record };
    case "why-not":
      return { record, action, ply };
    case "explain":
      return { record, ply };
    case "repair":
      return { record, most: 2, edits: 1 };
    case "compare":
      return { record, other: begun };
    case "hint":
      return { record: begun, simulations: 20, most: 2 };
    case "odds":
      return { record: begun, action };
    default:
      return record;
  }
};

/** The same question to both; what they answer. */
const both = async (path, body, init = {}) => {
  const sent = { method: "POST", body, headers: { "content-type": "application/json", ...init } };
  const [there, here] = await Promise.all([fetch(service.origin + path, sent), engine.fetch(`https://engine.invalid${path}`, sent)]);
  assert.equal(here.status, there.status, path);
  const [far, near] = await Promise.all([there.text(), here.text()]);
  return { status: there.status, far, near };
};

test("over all fixtures, every answer is the bytes of the service", { timeout: 900_000 }, async () => {
  let answered = 0;
  for (const [name, record] of fixtures) {
    const cheap = ["validate", "replay?include=events,text,legal,scene", "legal-actions", "scene?targets=true", "why-not", "explain", "odds"];
    // These cost most; the program's own tests compare them over all fixtures.
    const dear = name.length % 10 === 0 ? ["adjudicate", "repair", "remedy", "compare", "hint"] : [];
    for (const path of [...cheap, ...dear]) {
      const { status, far, near } = await both(`/v1/${path}`, JSON.stringify(request(path.split("?")[0], record)));
      assert.ok(near === far, `${path} of ${name}: ${near.slice(0, 300)} … ${far.slice(0, 300)}`);
      answered += status === 200;
    }
    const drawn = await both("/v1/scene?lang=it", JSON.stringify(record), { accept: "image/svg+xml" });
    assert.ok(drawn.near === drawn.far, name);
  }
  assert.ok(answered > 3000, `${answered}`);
  for (const path of ["/v1/games", "/v1/games/dragut/rules?lang=it", "/v1/games/drako/rules/DRK-R1", "/v1/games/chess/rules"]) {
    const [there, here] = await Promise.all([fetch(service.origin + path), engine.fetch(`https://engine.invalid${path}`)]);
    assert.equal(here.status, there.status);
    assert.ok((await here.text()) === (await there.text()), path);
  }
});

test("hints and analyses are those of the service", async () => {
  for (const record of wholeGames()) {
    const short = { ...record, actions: record.actions.slice(0, 4), claims: undefined };
    const started = await fetch(`${service.origin}/v1/analyses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ record: short, simulations: 5 }),
    });
    const { id } = await started.json();
    let job;
    do {
      job = await (await fetch(`${service.origin}/v1/analyses/${id}`)).json();
    } while (job.state === "running");
    const told = [];
    const found = await engine.analyze({ record: short, simulations: 5 }, { progress: ({ done }) => told.push(done) });
    assert.deepEqual(found.summary, job.summary);
    assert.deepEqual(told, [1, 2, 3, 4, 5]);
    const stop = new AbortController();
    const cancelled = engine.analyze({ record: short, simulations: 5 }, { progress: () => stop.abort(), signal: stop.signal });
    await assert.rejects(cancelled, { name: "AbortError" });
  }
});

test("a table is played, taken back and handed on as a record", () => {
  for (const { game } of engine.games().map(({ id }) => ({ game: id }))) {
    const table = engine.table({ format: "umpire/1", game, chance: { seed: "a table" }, actions: [] });
    assert.equal(table.game, game);
    for (let ply = 0; ply < 6; ply += 1) {
      const [seat] = table.decision.players;
      const [best] = table.hint(seat, { simulations: 10 }).actions;
      assert.equal(table.act(best.action), null);
    }
    const { record } = table;
    assert.equal(record.actions.length, 6);
    assert.deepEqual(table.look("spectator").state, engine.replay(record, { viewer: "spectator" }).state);
    assert.deepEqual(table.legalActions().choices, engine.legalActions(record).choices);
    assert.deepEqual(table.scene("spectator").scene, engine.scene(record, { viewer: "spectator", targets: true }).scene);
    assert.equal(typeof table.act({ type: "dance" }).message, "string");
    table.undo(3);
    assert.deepEqual([table.ply, table.record.actions], [3, record.actions.slice(0, 3)]);
    assert.throws(() => table.undo(4), EngineProblem);
    table.free();
  }
});

test("what is wrong is a problem, and the next call works", async () => {
  const [record] = wholeGames();
  for (const bad of ["", "{", "[]", "\ufeff", '{"format":"umpire/7"}', `{"format":"umpire/1","game":"drako","actions":${"[".repeat(100_000)}`]) {
    const { status, near, far } = await both("/v1/validate", bad);
    assert.ok(status >= 400 && near === far, bad.slice(0, 40));
    assert.equal(engine.validate(record).verdict.status, "complete");
  }
  assert.throws(() => engine.validate("x".repeat(5_000_000)), (why) => why.problem.code === "body_too_large");
  assert.throws(() => engine.ask("nonsense"), (why) => why.problem.code === "not_found");
  const store = await engine.fetch("https://engine.invalid/v1/records");
  assert.deepEqual([store.status, (await store.json()).code], [404, "not_found"]);
});

test("many records in a row leave the memory as it was", () => {
  const texts = wholeGames().map((record) => JSON.stringify(record));
  const judge = (times) => {
    for (let time = 0; time < times; time += 1) engine.ask("validate", texts[time % texts.length]);
    return engine.memory;
  };
  const first = judge(300);
  assert.ok(first < 64 << 20, `${first} bytes`);
  assert.equal(judge(3000), first);
});

test("notes go both ways", () => {
  for (const record of wholeGames()) {
    const again = engine.recordOfNotes(engine.notesOfRecord(record));
    assert.equal(engine.validate(again).fingerprint, engine.validate(record).fingerprint);
  }
});
