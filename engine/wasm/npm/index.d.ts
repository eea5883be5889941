import type { paths, components } from "@umpire/client/schema";

/** Every component of the description of the API. */
export type Schemas = components["schemas"];
/** The parameters of a path. */
type Query<P extends keyof paths> = paths[P] extends { post: { parameters: { query?: infer Q } } } ? Q : never;
/** What a path is sent, and what it answers. */
type Body<P extends keyof paths> = paths[P] extends { post: { requestBody: { content: { "application/json": infer B } } } } ? B : never;
type Answer<P extends keyof paths> = paths[P] extends { post: { responses: { 200: { content: { "application/json": infer A } } } } } ? A : never;
/** JSON: a value, or its text. */
export type Json<T> = T | string | Uint8Array;

/** There is no answer: `problem` is what the service would send, `body` its text. */
export class EngineProblem extends Error {
  readonly name: "EngineProblem";
  readonly status: number;
  readonly problem: Schemas["Problem"];
  readonly body: string;
}

/** Loads the engine, once. */
export function loadEngine(options?: {
  /** The bytes of `umpire_wasm_bg.wasm`, a response, a compiled module, or a promise of one; by default the file of this package. */
  module?: BufferSource | Response | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>;
}): Promise<Engine>;

/** The referee. Questions are answered at once, in this thread: ask long ones in a worker. */
export class Engine {
  /** The version of the engine, as verdicts name it. */
  readonly version: string;
  /** The memory that the engine has taken, in bytes; it is kept for the next call. */
  readonly memory: number;
  /** Asks a question by name: the bytes that the service would send. Throws an `EngineProblem`. */
  ask(call: string, text?: Json<unknown>, parameters?: object | string): Uint8Array;
  validate(record: Json<Body<"/v1/validate">>, parameters?: Query<"/v1/validate">): Answer<"/v1/validate">;
  replay(record: Json<Body<"/v1/replay">>, parameters?: Query<"/v1/replay">): Answer<"/v1/replay">;
  legalActions(record: Json<Body<"/v1/legal-actions">>, parameters?: Query<"/v1/legal-actions">): Answer<"/v1/legal-actions">;
  scene(record: Json<Body<"/v1/scene">>, parameters?: Query<"/v1/scene">): Answer<"/v1/scene">;
  boardSvg(record: Json<Body<"/v1/scene">>, parameters?: Query<"/v1/scene">): string;
  adjudicate(request: Json<Body<"/v1/adjudicate">>, parameters?: { lang?: string }): Answer<"/v1/adjudicate">;
  why(request: Json<Body<"/v1/why-not">>, parameters?: { lang?: string }): Answer<"/v1/why-not">;
  explain(request: Json<Body<"/v1/explain">>, parameters?: { lang?: string }): Answer<"/v1/explain">;
  repair(request: Json<Body<"/v1/repair">>, parameters?: { lang?: string }): Answer<"/v1/repair">;
  remedy(request: Json<Body<"/v1/remedy">>, parameters?: { lang?: string }): Answer<"/v1/remedy">;
  compare(request: Json<Body<"/v1/compare">>): Answer<"/v1/compare">;
  hint(request: Json<Body<"/v1/hint">>): Answer<"/v1/hint">;
  odds(request: Json<Body<"/v1/odds">>): Answer<"/v1/odds">;
  simulate(request: Json<Body<"/v1/simulations">>): Schemas["Simulation"];
  games(): Schemas["GameSummary"][];
  rules(game: string, parameters?: { lang?: string }): Schemas["RuleList"];
  rule(game: string, id: string, parameters?: { lang?: string }): Schemas["RuleInfo"];
  /** The record that notes by hand stand for. */
  recordOfNotes(notes: string): Schemas["SentRecord"];
  /** A record as people write it by hand. */
  notesOfRecord(record: Json<Schemas["GameRecord"]>): string;
  /** The canonical text of a record; its BLAKE3 hash is the id of the record. */
  canonical(record: Json<Schemas["GameRecord"]>): string;
  /** Analyses a record. Between plies the page stays alive. */
  analyze(
    request: Json<Body<"/v1/analyses">>,
    options?: { progress?: (progress: { done: number; of: number }) => void; signal?: AbortSignal },
  ): Promise<{ summary: unknown; plies: unknown[] }>;
  /** A live table: a record whose actions are legal and whose chance is a seed, to go on from. */
  table(record: Json<Schemas["GameRecord"]>): Table;
  /** Stands for the `fetch` of a service, for what needs no store. */
  readonly fetch: typeof fetch;
}

/** A game in progress. Whoever holds it can see everything. */
export class Table {
  readonly game: string;
  readonly seats: string[];
  readonly ply: number;
  readonly decision: { players: string[] } & Record<string, unknown>;
  readonly record: Schemas["GameRecord"];
  look(viewer?: string): Record<string, unknown>;
  events(viewer?: string, from?: number): { events: unknown[]; texts: (string | null)[] };
  legalActions(viewer?: string, parameters?: Omit<NonNullable<Query<"/v1/legal-actions">>, "ply" | "viewer">): Answer<"/v1/legal-actions">;
  scene(viewer?: string, lang?: string): Answer<"/v1/scene">;
  hint(seat: string, options?: { simulations?: number; seed?: string }): Answer<"/v1/hint">;
  /** Plays an action: `null` if it was accepted, else the violation, and nothing has changed. */
  act(action: Json<Schemas["Action"]>): Schemas["Violation"] | null;
  /** Takes back every action from a ply on. */
  undo(to: number): void;
  /** Gives its memory back; it cannot be used any more. */
  free(): void;
}
