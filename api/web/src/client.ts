// The API client. Knows paths and the types of the OpenAPI document; must not know how anything is shown, nor any game.

import { followed } from "../../../openapi/typescript/src/stream";
import type { Connection } from "../../../openapi/typescript/src/stream";
import type { components } from "./schema";

export type Schemas = components["schemas"];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A type that differs from game to game, for any game. */
export type Each<Name extends string> = Schemas[Extract<keyof Schemas, `${string}.${Name}`>];

/** An action, as in a record: its fields depend on the game. */
export type Action = { type?: string; player?: string; note?: string } & { [key: string]: Json };

/** A record, as it is sent. */
export interface GameRecord {
  format: string;
  game: string;
  ruleset?: string;
  options?: { rulings?: Record<string, string>; edition?: string } & { [key: string]: unknown };
  players?: Record<string, string>;
  chance: { seed?: string; tape?: Json[] };
  position?: Json;
  actions: Action[];
  claims?: Json;
  checkpoints?: Json;
  note?: string;
  meta?: Json;
}

/** A request, shown to developers. */
export interface Asked {
  method: string;
  path: string;
  body: string | null;
  accept: string;
  status: number;
  milliseconds: number;
  bytes: number;
}

/** The most recent requests, the newest first. */
export const asked: Asked[] = [];
const MOST_ASKED = 40;
let told: (() => void) | null = null;

/** The listeners for each request. */
export function onAsked(listener: () => void): void {
  told = listener;
}

/** A response that is a problem. */
export class Refusal extends Error {
  readonly problem: Schemas["Problem"];

  constructor(problem: Schemas["Problem"]) {
    super(problem.detail || problem.title);
    this.problem = problem;
  }
}

const TOKEN = "umpire.token";

/** The bearer token of this tab, if one was given. */
export function token(): string {
  return sessionStorage.getItem(TOKEN) ?? "";
}

export function setToken(text: string): void {
  if (text) sessionStorage.setItem(TOKEN, text);
  else sessionStorage.removeItem(TOKEN);
}

interface Question {
  body?: string;
  method?: string;
  accept?: string;
  type?: string;
  signal?: AbortSignal;
  /** The token of a seat, instead of the one of this tab. */
  bearer?: string;
  headers?: Record<string, string>;
}

function authorization(bearer: string | undefined): Record<string, string> {
  const it = bearer || token();
  return it ? { authorization: `Bearer ${it}` } : {};
}

const UNREACHABLE = "The service cannot be reached. Everything that was loaded is still here; try again when you are online.";

/** Sends a request, and returns the text of a successful response. Throws a `Refusal` for a problem. */
export async function ask(path: string, question: Question = {}): Promise<string> {
  const { body, accept = "application/json", signal } = question;
  const method = question.method ?? (body === undefined ? "GET" : "POST");
  const headers: Record<string, string> = { accept, ...authorization(question.bearer), ...question.headers };
  if (body !== undefined) headers["content-type"] = question.type ?? "application/json";
  const begun = performance.now();
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, body: body ?? null, signal: signal ?? null });
  } catch (problem) {
    if ((problem as Error).name === "AbortError") throw problem;
    throw new Error(UNREACHABLE);
  }
  const text = await answer.text();
  const milliseconds = performance.now() - begun;
  asked.unshift({ method, path, body: body ?? null, accept, status: answer.status, milliseconds, bytes: text.length });
  asked.length = Math.min(asked.length, MOST_ASKED);
  told?.();
  if (answer.ok) return text;
  throw refusalOf(answer.status, text);
}

/** A failed response as an error. */
function refusalOf(status: number, text: string): Refusal {
  try {
    return new Refusal(JSON.parse(text) as Schemas["Problem"]);
  } catch {
    const detail = `the service returned status ${status}`;
    return new Refusal({ type: "", title: detail, status, code: "internal", detail });
  }
}

async function json<T>(path: string, question?: Question): Promise<T> {
  return JSON.parse(await ask(path, question)) as T;
}

/** The query string of a path; empty parameters are left out. */
export function query(parameters: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  if (pairs.length === 0) return "";
  return "?" + new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
}

/** The viewer and the language. */
export interface Eyes {
  viewer: string;
  lang: string;
}

const kept = new Map<string, Promise<unknown>>();

/** Requests constant data only once. */
function once<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = json<T>(path);
    answer.catch(() => kept.delete(path));
    kept.set(path, answer);
  }
  return answer;
}

export const games = () => once<Schemas["GameList"]>("/v1/games");
export const game = (id: string) => once<Schemas["GameDetail"]>(`/v1/games/${id}`);
/** The description of the service: with the schemas of what it takes. */
export const description = () => once<{ components: { schemas: { [name: string]: Json } } }>("/v1/openapi.json");
export const rule = (id: string, clause: string, lang: string) =>
  once<Schemas["RuleInfo"]>(`/v1/games/${id}/rules/${clause}${query({ lang })}`);
export const precedents = (id: string, clause: string) =>
  once<Schemas["PrecedentList"]>(`/v1/games/${id}/precedents${query({ clause })}`);

export const records = (filter: Record<string, string>) =>
  json<Schemas["RecordPage"]>(`/v1/records${query({ limit: 20, ...filter })}`);
export const record = (id: string) => ask(`/v1/records/${encodeURIComponent(id)}`);
export const store = (text: string) => json<Schemas["Receipt"]>("/v1/records", { body: text });
export const validate = (text: string) => json<Schemas["Judgement"]>("/v1/validate", { body: text });

/** A live table at one version, as the holder of a token sees it; without a token, as a spectator does. */
export interface Seated {
  table: string;
  bearer: string;
  version: string;
}

/** A recorded game: a stored one, in full or as far as the token allows, or one that is only in this page. */
export type Recorded = { id: string } | { text: string };

/** A game to view. */
export type Source = Recorded | Seated;

interface Kind {
  accept?: string;
  signal?: AbortSignal | undefined;
}

/** Asks about a game: about a stored one by its id, so that it need not be sent, nor be known here. */
function about(source: Source, stored: string, sent: string, parameters: Record<string, string | number | undefined>, kind: Kind): Promise<string> {
  const { accept = "application/json", signal } = kind;
  const given = { accept, ...(signal && { signal }) };
  if ("table" in source) {
    const { ply: _ply, viewer: _viewer, bare: _bare, ...rest } = parameters;
    const at = stored.replace(/^plies\/\d+\/(board\.svg|scene)$/, "scene");
    return ask(`/v1/tables/${source.table}/${at}${query(rest)}`, { ...given, bearer: source.bearer });
  }
  if ("id" in source) return ask(`/v1/records/${encodeURIComponent(source.id)}/${stored}${query(parameters)}`, given);
  return ask(`${sent}${query(parameters)}`, { body: source.text, ...given });
}

/** English is the default. */
const spoken = (lang: string) => (lang === "en" ? {} : { lang });

export const picture = async (source: Source, ply: number, { viewer, lang }: Eyes, signal?: AbortSignal) => {
  const kind = { accept: "image/svg+xml", signal };
  const at = "id" in source ? {} : { ply };
  const asked = about(source, `plies/${ply}/board.svg`, "/v1/scene", { ...at, viewer, bare: "true", ...spoken(lang) }, kind);
  if (!("table" in source)) return asked;
  const [svg, { scene: { bounds } }] = await Promise.all([asked, scene(source, ply, { viewer, lang }, signal)]);
  return bare(svg, `${bounds.left} ${bounds.top} ${bounds.width} ${bounds.height}`);
};

/** A picture without its style sheet and tables: the scene of a live table has no `bare=`. */
function bare(svg: string, box: string): string {
  const shapes = svg.replace(/<style>[^<]*<\/style>/, "").replace(/^<g data-id="tables".*\n/m, "");
  return shapes.replace(/viewBox="[^"]*"/, `viewBox="${box}"`);
}

const scenes = new WeakMap<Source, Promise<Schemas["Depiction"]>>();

export const scene = (source: Source, ply: number, eyes: Eyes, signal?: AbortSignal): Promise<Schemas["Depiction"]> => {
  if (!("table" in source)) return sceneOf(source, ply, eyes, signal);
  // The picture needs it, too.
  const had = scenes.get(source) ?? sceneOf(source, ply, eyes);
  scenes.set(source, had);
  had.catch(() => scenes.delete(source));
  return had;
};
const sceneOf = async (source: Source, ply: number, { viewer, lang }: Eyes, signal?: AbortSignal) => {
  const at = "id" in source ? {} : { ply };
  const text = await about(source, `plies/${ply}/scene`, "/v1/scene", { ...at, viewer, ...spoken(lang) }, { signal });
  return JSON.parse(text) as Schemas["Depiction"];
};
export const replay = async (source: Source, eyes: Eyes, more: { ply?: number; include?: string }, signal?: AbortSignal) =>
  JSON.parse(await about(source, "report", "/v1/replay", { ...more, ...eyes }, { signal })) as Schemas["Report"];
export const legal = async (source: Source, ply: number, eyes: Eyes, signal?: AbortSignal, partial?: Action) => {
  const begun = partial && { partial: JSON.stringify(partial), limit: 20 };
  const parameters = { ply, include: "text", limit: 2000, ...begun, ...eyes };
  return JSON.parse(await about(source, "legal-actions", "/v1/legal-actions", parameters, { signal })) as Schemas["Legal"];
};

/** What is legal at the end of a record that was sent, and what its tape lacks there. */
export const missing = async (text: string, { lang }: Eyes, signal?: AbortSignal) =>
  json<Schemas["Legal"]>(`/v1/legal-actions${query({ count_only: "true", ...spoken(lang) })}`, { body: text, ...(signal && { signal }) });
/** The verdict on a record that was sent. */
export const judge = async (text: string, { lang }: Eyes, signal?: AbortSignal) =>
  json<Schemas["Judgement"]>(`/v1/validate${query(spoken(lang))}`, { body: text, ...(signal && { signal }) });

/** A game in the body of a request. */
const within = (source: Recorded) => ("id" in source ? { id: source.id } : { record: JSON.parse(source.text) as Json });

export const whyNot = (source: Recorded, ply: number, action: Action, { viewer, lang }: Eyes) =>
  json<Schemas["WhyNot"]>(`/v1/why-not${query({ lang })}`, {
    body: JSON.stringify({ ...within(source), ply, action, viewer }),
  });
export const adjudicate = (source: Recorded, { lang }: Eyes, more: { ply?: number; action?: Action }, keep: boolean) =>
  json<Schemas["SettledDispute"]>(`/v1/adjudicate${query({ lang, keep: keep ? "true" : undefined })}`, {
    body: JSON.stringify({ ...within(source), ...more }),
  });
const asRecord = (record: GameRecord) => ({ body: JSON.stringify({ record }) });
export const repairs = (record: GameRecord, lang: string) => json<Schemas["Repairs"]>(`/v1/repair${query({ lang })}`, asRecord(record));
export const remedies = (record: GameRecord, lang: string) => json<Schemas["Remedies"]>(`/v1/remedy${query({ lang })}`, asRecord(record));
export const analyse = (source: Recorded, viewer: string, simulations: number) =>
  json<Schemas["AnalysisJob"]>("/v1/analyses", { body: JSON.stringify({ ...within(source), viewer, simulations }) });
export const advised = async (record: GameRecord, simulations: number) => {
  const hint = await json<Schemas["Hint"]>("/v1/hint", { body: JSON.stringify({ record, simulations }) });
  return (hint.actions[0]?.action ?? null) as Action | null;
};
export const stop = (id: string) => ask(`/v1/analyses/${id}`, { method: "DELETE" });
export const analysis = (id: string) => json<Schemas["AnalysisJob"]>(`/v1/analyses/${id}`);
export const PLIES_PER_PAGE = 500;
export const analysed = (id: string, from: number) =>
  json<Schemas["AnalysisPage"]>(`/v1/analyses/${id}/plies${query({ limit: PLIES_PER_PAGE, from: from || undefined })}`);

/** A new game as a record: for a picture of its opening. */
export const opening = (game: string, options: { [key: string]: Json } = {}) =>
  JSON.stringify({ format: "umpire/1", game, ...(Object.keys(options).length > 0 && { options }), chance: { seed: "opening" }, actions: [] });
export const openingPicture = (game: string) => ask("/v1/scene?viewer=spectator", { body: opening(game), accept: "image/svg+xml" });
export const openingScene = (game: string) => json<Schemas["Depiction"]>("/v1/scene?viewer=spectator", { body: opening(game) });

export type Table = Schemas["Table"];
export type TableStep = Schemas["TableStep"];

/** A table, and the token to look at it with; spectators have an empty one. */
export interface Chair {
  table: string;
  bearer: string;
}

const at = ({ table }: Chair, below = "") => `/v1/tables/${encodeURIComponent(table)}${below}`;

export const createTable = (body: object) => json<Schemas["NewTable"]>("/v1/tables", { body: JSON.stringify(body) });
export const tableOf = (chair: Chair) => json<Table>(at(chair), { bearer: chair.bearer });
export const tableEvents = (chair: Chair, lang: string) =>
  json<Schemas["EventList"]>(at(chair, `/events${query(spoken(lang))}`), { bearer: chair.bearer });
/** Takes an action. The key makes a repetition harmless. */
export const act = (chair: Chair, version: string, action: Action, lang: string) =>
  json<TableStep>(at(chair, `/actions${query(spoken(lang))}`), {
    body: JSON.stringify({ action }),
    bearer: chair.bearer,
    headers: { "if-match": `"${version}"`, "idempotency-key": crypto.getRandomValues(new Uint32Array(4)).join("-") },
  });
export const undo = (chair: Chair, to: number | null) => json<Table>(at(chair, "/undo"), { body: JSON.stringify({ to }), bearer: chair.bearer });
export const drawPart = (chair: Chair, part: Schemas["DrawRequest"]) =>
  json<Table>(at(chair, "/draw"), { body: JSON.stringify(part), bearer: chair.bearer });
export const seal = (chair: Chair) => json<Table>(at(chair, "/seal"), { method: "POST", bearer: chair.bearer });
export const hint = (chair: Chair, simulations: number) =>
  json<Schemas["Hint"]>(at(chair, `/hint${query({ simulations, most: 3 })}`), { bearer: chair.bearer });

/** What a stream says: the whole table, what happened since, or that it has ended. */
export type News = { type: "table"; table: Table } | { type: "step"; step: TableStep } | { type: "end" };

/** What happens at a table, as it happens, until the table is closed; `onConnection` is told how the connection is. */
export async function* watch(chair: Chair, lang: string, signal: AbortSignal, onConnection: (connection: Connection) => void): AsyncGenerator<News> {
  const connect = async (last: string | undefined, stop: AbortSignal) => {
    const headers: Record<string, string> = { accept: "text/event-stream", ...authorization(chair.bearer) };
    if (last !== undefined) headers["last-event-id"] = last;
    const answer = await fetch(at(chair, `/stream${query(spoken(lang))}`), { headers, signal: stop });
    if (answer.status === 204) return null;
    if (!answer.ok) throw refusalOf(answer.status, await answer.text());
    return answer.body;
  };
  const read = ({ event, data }: { event?: string | undefined; data: string }): News | undefined => {
    if (event === "table") return { type: "table", table: JSON.parse(data) as Table };
    return event === "step" ? { type: "step", step: JSON.parse(data) as TableStep } : undefined;
  };
  const refusal = (error: unknown) => (error instanceof Refusal ? { status: error.problem.status } : undefined);
  yield* followed<News>({ connect, read, refusal }, { signal, onConnection });
  if (!signal.aborted) yield { type: "end" };
}
