// The referee in this program: every answer is the bytes that the service sends for the same request.
// Must not judge anything, and must not know a game.

import init, * as bound from "./dist/umpire_wasm.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (text) => (text instanceof Uint8Array ? text : encoder.encode(typeof text === "string" ? text : JSON.stringify(text)));
const query = (parameters) => {
  const pairs = Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : typeof value === "object" ? JSON.stringify(value) : `${value}`])).toString();
};

/** There is no answer: `problem` is what the service would send, `body` its text. */
export class EngineProblem extends Error {
  constructor(body) {
    const problem = JSON.parse(body);
    super(`${problem.status} ${problem.code}: ${problem.detail || problem.title}`);
    this.name = "EngineProblem";
    this.status = problem.status;
    this.problem = problem;
    this.body = body;
  }
}

const FAILED = JSON.stringify({
  type: "/v1/problems/internal",
  title: "Internal server error",
  status: 500,
  code: "internal",
  detail: "the engine failed; this is a fault of the engine, and the next call works",
});

/** Does some work in WebAssembly. If it fails there, only this call fails: the next one has a fresh instance. */
function guarded(work) {
  try {
    return work();
  } catch (why) {
    if (typeof why === "string") throw new EngineProblem(why);
    if (!(why instanceof WebAssembly.RuntimeError || why instanceof RangeError)) throw why;
    bound.__wbg_reset_state();
    throw new EngineProblem(FAILED);
  }
}

let loaded;

/**
 * Loads the engine, once. In a browser the file beside this module is fetched; elsewhere, or with a bundler, give
 * `module`: the bytes, a `Response`, a `WebAssembly.Module`, or a promise of one.
 */
export function loadEngine(options = {}) {
  loaded ??= (async () => {
    const url = new URL("./dist/umpire_wasm_bg.wasm", import.meta.url);
    let source = options.module;
    if (source === undefined && url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      source = readFile(url);
    }
    await init({ module_or_path: source ?? url });
    return new Engine();
  })();
  return loaded;
}

// The questions that are a path of the service, by method and path.
const PATHS = {
  "POST /v1/validate": "validate",
  "POST /v1/replay": "replay",
  "POST /v1/legal-actions": "legal_actions",
  "POST /v1/scene": "scene",
  "POST /v1/adjudicate": "adjudicate",
  "POST /v1/why-not": "why",
  "POST /v1/explain": "explain",
  "POST /v1/repair": "repair",
  "POST /v1/remedy": "remedy",
  "POST /v1/compare": "compare",
  "POST /v1/hint": "hint",
  "POST /v1/odds": "odds",
  "POST /v1/simulations": "simulate",
  "GET /v1/games": "games",
};

/** The referee. Questions are answered at once, in this thread: ask long ones in a worker. */
export class Engine {
  /** The version of the engine, as verdicts name it. */
  get version() {
    return bound.engine();
  }

  /** The memory that the engine has taken, in bytes; it is kept for the next call. */
  get memory() {
    return bound.memory_taken();
  }

  /** Asks a question by name: the bytes that the service would send. Throws an `EngineProblem`. */
  ask(call, text = "", parameters = undefined) {
    return guarded(() => bound.ask(call, typeof parameters === "string" ? parameters : query(parameters), bytes(text)));
  }

  #json(call, text, parameters) {
    return JSON.parse(decoder.decode(this.ask(call, text, parameters)));
  }

  validate(record, parameters) {
    return this.#json("validate", record, parameters);
  }
  replay(record, parameters) {
    return this.#json("replay", record, parameters);
  }
  legalActions(record, parameters) {
    return this.#json("legal_actions", record, parameters);
  }
  scene(record, parameters) {
    return this.#json("scene", record, parameters);
  }
  boardSvg(record, parameters) {
    return decoder.decode(this.ask("board_svg", record, parameters));
  }
  adjudicate(request, parameters) {
    return this.#json("adjudicate", request, parameters);
  }
  why(request, parameters) {
    return this.#json("why", request, parameters);
  }
  explain(request, parameters) {
    return this.#json("explain", request, parameters);
  }
  repair(request, parameters) {
    return this.#json("repair", request, parameters);
  }
  remedy(request, parameters) {
    return this.#json("remedy", request, parameters);
  }
  compare(request) {
    return this.#json("compare", request);
  }
  hint(request) {
    return this.#json("hint", request);
  }
  odds(request) {
    return this.#json("odds", request);
  }
  simulate(request) {
    return this.#json("simulate", request);
  }
  games() {
    return this.#json("games").games;
  }
  rules(game, parameters) {
    return this.#json("rules", game, parameters);
  }
  rule(game, id, parameters) {
    return this.#json("rule", `${game}/${id}`, parameters);
  }
  recordOfNotes(notes) {
    return this.#json("record_of_notes", notes);
  }
  notesOfRecord(record) {
    return decoder.decode(this.ask("notes_of_record", record));
  }
  canonical(record) {
    return decoder.decode(this.ask("canonical", record));
  }

  /**
   * Analyses a record: `{summary, plies}`. Between plies the page stays alive; `progress` is told how many are done, and
   * `signal` cancels.
   */
  async analyze(request, { progress, signal } = {}) {
    const work = guarded(() => bound.Analysis.prepare(bytes(request)));
    try {
      const of = work.plies();
      const plies = [];
      for (let ply = 0; ply < of; ply += 1) {
        signal?.throwIfAborted();
        plies.push(guarded(() => work.ply(ply)));
        progress?.({ done: ply + 1, of });
        await new Promise((next) => setTimeout(next));
      }
      const summary = guarded(() => work.summary(plies.join("\n")));
      return { summary: JSON.parse(summary), plies: plies.map((ply) => JSON.parse(ply)) };
    } finally {
      work.free();
    }
  }

  /** A live table: a record whose actions are legal and whose chance is a seed, to go on from. */
  table(record) {
    return new Table(guarded(() => bound.Table.open(bytes(record))));
  }

  /**
   * Stands for the `fetch` of a service, for what needs no store: `new Umpire({ origin: "https://engine.invalid", fetch:
   * engine.fetch })`.
   */
  fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const answer = (status, body, kind, more = {}) => new Response(body, { status, headers: { "content-type": kind, ...more } });
    let call = PATHS[`${request.method} ${pathname}`];
    let text = request.method === "POST" ? new Uint8Array(await request.arrayBuffer()) : "";
    const [, rules, id] = /^\/v1\/games\/([^/]+\/rules)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (request.method === "GET" && rules !== undefined) {
      const game = decodeURIComponent(rules.slice(0, -"/rules".length));
      [call, text] = id === undefined ? ["rules", game] : ["rule", `${game}/${decodeURIComponent(id)}`];
    }
    const drawn = call === "scene" && (request.headers.get("accept") ?? "").includes("image/svg+xml");
    try {
      if (call === undefined) {
        const detail = `${request.method} ${pathname} needs a service; the engine in a page answers questions about records`;
        throw new EngineProblem(JSON.stringify({ type: "/v1/problems/not_found", title: "Not found", status: 404, code: "not_found", detail }));
      }
      const body = this.ask(drawn ? "board_svg" : call, text, search.slice(1));
      return answer(200, body, drawn ? "image/svg+xml" : "application/json");
    } catch (why) {
      if (!(why instanceof EngineProblem)) throw why;
      return answer(why.status, why.body, "application/problem+json");
    }
  };
}

/** A game in progress. Whoever holds it can see everything: it keeps no secrets between players at one device. */
export class Table {
  #bound;

  constructor(table) {
    this.#bound = table;
  }
  #json(work) {
    return JSON.parse(decoder.decode(guarded(() => work(this.#bound))));
  }
  get game() {
    return guarded(() => this.#bound.game());
  }
  get seats() {
    return guarded(() => this.#bound.seats()).split(" ");
  }
  get ply() {
    return guarded(() => this.#bound.ply());
  }
  get decision() {
    return JSON.parse(guarded(() => this.#bound.decision()));
  }
  get record() {
    return JSON.parse(guarded(() => this.#bound.record()));
  }
  look(viewer = "referee") {
    return this.#json((table) => table.look(viewer));
  }
  events(viewer = "referee", from = undefined) {
    return this.#json((table) => table.events(viewer, from));
  }
  legalActions(viewer = "referee", parameters = undefined) {
    return this.#json((table) => table.legal(viewer, query(parameters)));
  }
  scene(viewer = "referee", lang = "en") {
    return this.#json((table) => table.scene(viewer, lang));
  }
  hint(seat, { simulations = 1000, seed = "umpire" } = {}) {
    return this.#json((table) => table.hint(seat, simulations, seed));
  }
  /** Plays an action: `null` if it was accepted, else the violation, and nothing has changed. */
  act(action) {
    const refused = guarded(() => this.#bound.act(bytes(action)));
    return refused === undefined ? null : JSON.parse(decoder.decode(refused));
  }
  undo(to) {
    guarded(() => this.#bound.undo(to));
  }
  /** Gives its memory back; it cannot be used any more. */
  free() {
    this.#bound.free();
  }
}
