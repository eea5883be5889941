// The client: every operation of the description with its types, retries, a cache of tags, lines. Must not know a game.

import createClient, { type Client } from "openapi-fetch";
import { values } from "./lines.js";
import type { components, paths } from "./schema.js";
import { type MadeTable, Seat, type TableChoice, madeTable } from "./table.js";

/** Every component of the description. */
export type Schemas = components["schemas"];
/** The id of a game. */
export type GameName = Schemas["GameRecord"]["game"];
/** An action of a game. */
export type ActionOf<G extends GameName> = Schemas[`${G}.Action`];
/** A record of a game, as it is sent. */
export type RecordOf<G extends GameName> = Schemas[`${G}.GameRecord`];
/** What a viewer knows of a position of a game. */
export type ViewOf<G extends GameName> = Schemas[`${G}.View`];
/** An event of a game. */
export type EventOf<G extends GameName> = Schemas[`${G}.Event`];
/** A seat of a game. */
export type SeatOf<G extends GameName> = Schemas[`${G}.Seat`];

/** How to reach a service. */
export interface UmpireOptions {
  /** Where it is: `http://localhost:8080`; in a page of the service itself `location.origin`. */
  origin: string;
  /** A bearer token, where the service asks for one. */
  token?: string;
  /** How often a request is sent again that was put off (429, 503) or, where that is harmless, lost; 4 if left out. */
  retries?: number;
  /** The longest wait before that, in milliseconds; 20,000 if left out. A longer `Retry-After` is an error at once. */
  longestWait?: number;
  /** What sends requests, if not the `fetch` of the platform. */
  fetch?: typeof fetch;
}

/** An answer that is a problem (`application/problem+json`): see `problem.code`. */
export class UmpireProblem extends Error {
  override readonly name = "UmpireProblem";
  readonly status: number;
  readonly problem: Schemas["Problem"];

  constructor(status: number, problem: Schemas["Problem"]) {
    super(`${status} ${problem.code}: ${problem.detail || problem.title}`);
    this.status = status;
    this.problem = problem;
  }
}

interface Remembered {
  tag: string;
  head: [string, string][];
  body: ArrayBuffer;
}

/** How many answers with a tag are kept, and the largest of them in bytes. */
const KEPT = 200;
const LARGEST = 4_000_000;

const waited = (milliseconds: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A service. */
export class Umpire {
  /** All operations by path, with the types of the description: `umpire.api.GET("/v1/games")`. */
  readonly api: Client<paths>;
  readonly #options: UmpireOptions;
  readonly #known = new Map<string, Remembered>();

  constructor(options: UmpireOptions) {
    this.#options = { ...options, origin: options.origin.replace(/\/+$/, "") };
    this.api = createClient<paths>({
      baseUrl: this.#options.origin,
      fetch: (request) => this.send(request),
      querySerializer: { array: { style: "form", explode: false } },
    });
  }

  /** The same service with another token. */
  with(token: string | undefined): Umpire {
    const { token: _, ...rest } = this.#options;
    return new Umpire(token === undefined ? rest : { ...rest, token });
  }

  /** Sends a request as all others are sent: with the token, again where it was put off, and with the tags that are known. */
  async send(request: Request): Promise<Response> {
    const { token, retries = 4, longestWait = 20_000 } = this.#options;
    const fetched = this.#options.fetch ?? fetch;
    if (token !== undefined && !request.headers.has("authorization")) request.headers.set("authorization", `Bearer ${token}`);
    const key = `${request.url} ${request.headers.get("accept") ?? ""} ${request.headers.get("authorization") ?? ""}`;
    const known = request.method === "GET" && !request.headers.has("if-none-match") ? this.#known.get(key) : undefined;
    if (known !== undefined) request.headers.set("if-none-match", known.tag);
    // What has no effect, or only once, may be sent again when nobody knows whether it arrived.
    const harmless = request.method !== "DELETE" && (request.method !== "POST" || request.headers.has("idempotency-key"));
    for (let again = 0; ; again += 1) {
      let answer: Response;
      try {
        answer = await fetched(request.clone());
      } catch (error) {
        if (!harmless || again >= retries || request.signal.aborted) throw error;
        await waited(Math.min(longestWait, 100 * 2 ** again), request.signal);
        continue;
      }
      // Without it a 503 is about this request: it would fail again.
      const wait = Number(answer.headers.get("retry-after") ?? (answer.status === 429 ? "1" : "Infinity")) * 1000;
      if ((answer.status === 429 || answer.status === 503) && again < retries && wait <= longestWait) {
        await answer.body?.cancel();
        await waited(wait, request.signal);
        continue;
      }
      if (answer.status === 304 && known !== undefined) {
        this.#known.delete(key);
        this.#known.set(key, known);
        return new Response(known.body.slice(0), { status: 200, headers: known.head });
      }
      return request.method === "GET" ? this.#remember(key, answer) : answer;
    }
  }

  async #remember(key: string, answer: Response): Promise<Response> {
    const tag = answer.headers.get("etag");
    const kind = answer.headers.get("content-type") ?? "";
    if (answer.status !== 200 || tag === null || !kind.startsWith("application/json")) return answer;
    const body = await answer.arrayBuffer();
    const head = [...answer.headers].filter(([name]) => name !== "content-encoding" && name !== "content-length");
    if (body.byteLength <= LARGEST) {
      this.#known.delete(key);
      this.#known.set(key, { tag, head, body });
      const oldest = this.#known.keys().next();
      if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value);
    }
    return new Response(body.slice(0), { status: 200, headers: head });
  }

  /** Sends something to a path and gives back a good answer. Throws an `UmpireProblem`. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    // Streams of lines are sent while they are made, which a request must say.
    const more = init.body instanceof ReadableStream ? { duplex: "half" } : {};
    const request = new Request(this.#options.origin + path, { ...init, ...more } as RequestInit);
    const answer = await (init.body instanceof ReadableStream ? this.#once(request) : this.send(request));
    if (answer.ok) return answer;
    throw new UmpireProblem(answer.status, await problemOf(answer));
  }

  /** A body that is a stream cannot be sent twice. */
  #once(request: Request): Promise<Response> {
    const { token } = this.#options;
    if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
    return (this.#options.fetch ?? fetch)(request);
  }

  /** The verdict on each of many records, in order, as they come; the last one is the summary. */
  async *validateAll(records: Iterable<Schemas["SentRecord"]> | AsyncIterable<Schemas["SentRecord"]>): AsyncGenerator<ValidatedLine> {
    yield* this.#lines<ValidatedLine>("/v1/validate", records);
  }

  /** Stores many records; a receipt or problem for each, in order, and at the end the summary. */
  async *storeAll(records: Iterable<Schemas["GameRecord"]> | AsyncIterable<Schemas["GameRecord"]>): AsyncGenerator<StoredLine> {
    yield* this.#lines<StoredLine>("/v1/records", records);
  }

  async *#lines<T>(path: string, records: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<T> {
    let text = "";
    for await (const record of records) text += `${JSON.stringify(record)}\n`;
    const answer = await this.ask(path, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: text });
    if (answer.body !== null) yield* values<T>(answer.body);
  }

  /** Every stored record that fits, one after the other: `umpire.records({ game: "drako" })`. */
  async *records(query: { [name: string]: string } = {}): AsyncGenerator<Schemas["StoredRecord"]> {
    const path = `/v1/records?${new URLSearchParams(query)}`;
    const answer = await this.ask(path, { headers: { accept: "application/x-ndjson" } });
    if (answer.body !== null) yield* values<Schemas["StoredRecord"]>(answer.body);
  }

  /** Makes a table: a game that is played action by action. */
  async createTable<G extends GameName>(choice: TableChoice<G>): Promise<MadeTable<G>> {
    const answer = await this.ask("/v1/tables", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(choice),
    });
    return madeTable<G>(this, (await answer.json()) as Schemas[`${G}.NewTable`]);
  }

  /** A table as somebody sees it: with the token of a seat or of the host, or without one as a spectator. */
  table<G extends GameName>(id: string, token?: string): Seat<G> {
    return new Seat<G>(this.with(token), id);
  }
}

async function problemOf(answer: Response): Promise<Schemas["Problem"]> {
  const text = await answer.text();
  try {
    return JSON.parse(text) as Schemas["Problem"];
  } catch {
    return { type: "about:blank", title: answer.statusText, status: answer.status, detail: text, code: "internal" };
  }
}

/** The data of an answer of `umpire.api`; throws an `UmpireProblem` where it is none. */
export async function data<T>(
  asked: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await asked;
  if (data !== undefined) return data;
  throw new UmpireProblem(response.status, error as Schemas["Problem"]);
}

/** What `validateAll` gives. */
export type ValidatedLine = Schemas["Judgement"] | Schemas["Problem"] | Schemas["ValidationSummary"];
/** What `storeAll` gives. */
export type StoredLine = Schemas["Receipt"] | Schemas["Problem"] | Schemas["SubmissionSummary"];
