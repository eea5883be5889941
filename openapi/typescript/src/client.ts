// The client: every operation of the description with its types, retries, a cache of tags, lines. Must not know a game.

import createClient, { type Client } from "openapi-fetch";
import { values } from "./lines.js";
import type { components, paths } from "./schema.js";
import { type MadeTable, Seat, type TableChoice, madeTable } from "./table.js";
import { waited } from "./time.js";

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
  /** What `Retry-After` asks for, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Schemas["Problem"], retryAfter?: number) {
    super(`${status} ${problem.code}: ${problem.detail || problem.title}`);
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
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

/** What `Retry-After` asks for, in milliseconds: it is a number of seconds, or a date. */
function retryAfter(answer: Response): number | undefined {
  const text = answer.headers.get("retry-after");
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

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
  async send(request: Request, retries = this.#options.retries ?? 4): Promise<Response> {
    const { token, longestWait = 20_000 } = this.#options;
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
        answer = await fetched(again < retries ? request.clone() : request);
      } catch (error) {
        if (!harmless || again >= retries || request.signal.aborted) throw error;
        await waited(Math.min(longestWait, 100 * 2 ** again), request.signal);
        continue;
      }
      // A 503 without `Retry-After` is about this request, which would fail again. 502 and 504 come from a proxy.
      const lost = harmless && (answer.status === 502 || answer.status === 504);
      const otherwise = lost ? 100 * 2 ** again : answer.status === 429 ? 1000 : Infinity;
      const wait = retryAfter(answer) ?? otherwise;
      if ((lost || answer.status === 429 || answer.status === 503) && again < retries && wait <= longestWait) {
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

  /** Sends a request to a path and returns a successful answer. Throws an `UmpireProblem`. */
  async ask(path: string, init: RequestInit = {}, retries?: number): Promise<Response> {
    // A body that is a stream is sent while it is made, and cannot be sent twice.
    const streamed = init.body instanceof ReadableStream;
    const request = new Request(this.#options.origin + path, { ...init, ...(streamed && { duplex: "half" }) } as RequestInit);
    const answer = await this.send(request, streamed ? 0 : retries);
    if (answer.ok) return answer;
    throw new UmpireProblem(answer.status, problemOf(answer, await answer.text()), retryAfter(answer));
  }

  /** The verdict on each of many records, in order, while `records` is still being read; the last line is the summary. */
  async *validateAll(records: Many<Schemas["SentRecord"]>, options?: BatchOptions): AsyncGenerator<ValidatedLine> {
    yield* this.#lines<ValidatedLine>("/v1/validate", records, options);
  }

  /** Stores many records: a receipt or problem for each, in order, while `records` is still being read; then the summary. */
  async *storeAll(records: Many<Schemas["GameRecord"]>, options?: BatchOptions): AsyncGenerator<StoredLine> {
    yield* this.#lines<StoredLine>("/v1/records", records, options);
  }

  /** Sends one batch after the other. Browsers and proxies do not reliably stream the body of a single request. */
  async *#lines<T>(path: string, records: Many<unknown>, { batch = 65_536 }: BatchOptions = {}): AsyncGenerator<T> {
    const summary: { [name: string]: number } = {};
    let sent = 0;
    for await (const lines of batches(records, batch)) {
      for (const line of await this.#answers(path, lines.join(""))) {
        for (const [name, count] of Object.entries(line.summary ?? {})) summary[name] = (summary[name] ?? 0) + count;
        if (line.summary === undefined) yield (line.line === undefined ? line : { ...line, line: sent + line.line }) as T;
      }
      sent += lines.length;
    }
    yield { summary } as T;
  }

  /** The answers to one batch. If they are lost, it is sent again, which is safe: a record is stored only once. */
  async #answers(path: string, body: string): Promise<BatchLine[]> {
    const headers = { "content-type": "application/x-ndjson" };
    for (let again = 0; ; again += 1) {
      try {
        const answers: BatchLine[] = [];
        const answer = await this.ask(path, { method: "POST", headers, body });
        for await (const line of values<BatchLine>(answer.body)) answers.push(line);
        if (answers.at(-1)?.summary === undefined) throw new Error("the answer broke off");
        return answers;
      } catch (error) {
        const lost = !(error instanceof UmpireProblem) || error.status === 502 || error.status === 504;
        if (!lost || again >= (this.#options.retries ?? 4)) throw error;
        await waited(100 * 2 ** again);
      }
    }
  }

  /** Every stored record that fits, one after the other: `umpire.records({ game: "drako" })`. */
  async *records(query: { [name: string]: string } = {}): AsyncGenerator<Schemas["StoredRecord"]> {
    const path = `/v1/records?${new URLSearchParams(query)}`;
    const answer = await this.ask(path, { headers: { accept: "application/x-ndjson" } });
    yield* values<Schemas["StoredRecord"]>(answer.body);
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

/** The problem in an answer. If a proxy answered, its text becomes the detail. */
function problemOf(answer: Response, text: string): Schemas["Problem"] {
  try {
    const problem = JSON.parse(text) as Schemas["Problem"] | null;
    if (typeof problem?.code === "string") return problem;
  } catch {
    // Not JSON.
  }
  return { type: "about:blank", title: answer.statusText, status: answer.status, detail: text, code: "internal" };
}

/** The data of an answer of `umpire.api`. Throws an `UmpireProblem` if the request failed. */
export async function data<T>(
  asked: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await asked;
  if (data !== undefined) return data;
  const text = typeof error === "string" ? error : JSON.stringify(error);
  throw new UmpireProblem(response.status, problemOf(response, text), retryAfter(response));
}

/** A list, a generator or an async generator, of any length. */
export type Many<T> = Iterable<T> | AsyncIterable<T>;

/** How records are grouped into requests. */
export interface BatchOptions {
  /** How many characters to collect before they are sent; 65,536 by default. With 0, each record is sent at once. */
  batch?: number;
}

/** A line of an answer to NDJSON: all but the last are for one record. */
interface BatchLine {
  line?: number;
  summary?: { [name: string]: number };
}

/** Lines of NDJSON for one request each. The first record is sent alone, for an answer as early as possible. */
async function* batches(records: Many<unknown>, most: number): AsyncGenerator<string[]> {
  let [lines, length, enough] = [[] as string[], 0, 0];
  for await (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    lines.push(line);
    length += line.length;
    if (length < enough) continue;
    yield lines;
    [lines, length, enough] = [[], 0, most];
  }
  // Without any record there is still a summary.
  if (lines.length > 0 || enough === 0) yield lines;
}

/** A line of `validateAll`. */
export type ValidatedLine = Schemas["Judgement"] | Schemas["Problem"] | Schemas["ValidationSummary"];
/** A line of `storeAll`. */
export type StoredLine = Schemas["Receipt"] | Schemas["Problem"] | Schemas["SubmissionSummary"];
