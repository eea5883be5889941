// A live table through the eyes of one seat: what it knows, kept up to date by patches. Must not know a game.

import { type ActionOf, type GameName, type Schemas, type Umpire, UmpireProblem, type ViewOf } from "./client.js";
import { patched } from "./patch.js";
import { type StreamOptions, followed } from "./stream.js";
import { isOlder } from "./version.js";

/** What a table is made of. */
export type TableChoice<G extends GameName> = Omit<Schemas[`${G}.TableRequest`], "game"> & { game: G };

/** What a stream reports about a table: the whole table, or what happened since. */
export type TableNews<G extends GameName> = {
  version: string;
  /** Whether the seat already knew this, usually from the answer to its own action. Then `view` has not changed. */
  known: boolean;
} & ({ type: "table"; table: Schemas[`${G}.Table`] } | { type: "step"; step: Schemas[`${G}.TableStep`] });

/** How a table is watched. */
export interface WatchOptions extends StreamOptions {
  lang?: string;
}

/** A table that was made. */
export interface MadeTable<G extends GameName> {
  id: string;
  table: Schemas[`${G}.Table`];
  /** The tokens, to be handed to those who sit there; nobody can ask for them again. */
  tokens: { host: string; seats: { [seat: string]: string } };
  /** Who made it: sees everything, may act for each seat. */
  host: Seat<G>;
  /** The seats that no program plays. */
  seats: { [seat: string]: Seat<G> };
}

type AnyTable = Schemas["Table"];
type AnyStep = Schemas["TableStep"];

export function madeTable<G extends GameName>(umpire: Umpire, made: Schemas[`${G}.NewTable`]): MadeTable<G> {
  const { table, host, seats } = made as Schemas["NewTable"];
  const { id } = table;
  const tokens = { host, seats };
  const seated = Object.entries(seats).map(([seat, token]) => [seat, umpire.table<G>(id, token)] as const);
  return { id, table: table as Schemas[`${G}.Table`], tokens, host: umpire.table<G>(id, host), seats: Object.fromEntries(seated) };
}

/** A table as one token sees it. */
export class Seat<G extends GameName> {
  readonly id: string;
  readonly #umpire: Umpire;
  #version = "";
  #view: ViewOf<G> | undefined;

  constructor(umpire: Umpire, id: string) {
    this.#umpire = umpire;
    this.id = id;
  }

  /** The version of what is known here; empty before anything was asked. */
  get version(): string {
    return this.#version;
  }

  /** What this seat knows of the position, as far as it has been told; nothing before anything was asked or the seed drawn. */
  get view(): ViewOf<G> | undefined {
    return this.#view;
  }

  #path(below = "", query: { [name: string]: string | undefined } = {}): string {
    const given = Object.entries(query).filter((it): it is [string, string] => it[1] !== undefined);
    const text = new URLSearchParams(given).toString();
    return `/v1/tables/${encodeURIComponent(this.id)}${below}${text && `?${text}`}`;
  }

  async #post(below: string, body: unknown): Promise<Schemas[`${G}.Table`]> {
    const headers = { "content-type": "application/json" };
    const answer = await this.#umpire.ask(this.#path(below), { method: "POST", headers, body: JSON.stringify(body) });
    return this.#seen((await answer.json()) as Schemas[`${G}.Table`]);
  }

  #seen(table: Schemas[`${G}.Table`]): Schemas[`${G}.Table`] {
    const { version, now } = table as AnyTable;
    if (isOlder(version, this.#version)) return table;
    this.#version = version;
    this.#view = now === null ? undefined : (now.state as ViewOf<G>);
    return table;
  }

  #moved(step: Schemas[`${G}.TableStep`]): void {
    const { version, since, patch, state } = step as AnyStep;
    // An answer may be overtaken by the stream.
    if (isOlder(version, this.#version)) return;
    if (state !== undefined) this.#view = state as ViewOf<G>;
    else if (patch !== undefined && since === this.#version) this.#view = patched(this.#view as ViewOf<G>, patch);
    else if (version !== this.#version) this.#view = undefined;
    this.#version = version;
  }

  /** The table as it is now; with `legal` its legal actions, too, with `text` in words. */
  async look(options: { legal?: boolean; text?: boolean; lang?: string } = {}): Promise<Schemas[`${G}.Table`]> {
    const include = [options.legal && "legal", options.text && "text"].filter(Boolean).join(",");
    const answer = await this.#umpire.ask(this.#path("", { include: include || undefined, lang: options.lang }));
    return this.#seen((await answer.json()) as Schemas[`${G}.Table`]);
  }

  /** What this seat may do now; with `partial`, what begins so, and what may be chosen next. */
  async legalActions(options: { partial?: object; text?: boolean; lang?: string } = {}): Promise<Schemas[`${G}.Legal`]> {
    const { partial, text, lang } = options;
    const query = { partial: partial && JSON.stringify(partial), include: text ? "text" : undefined, lang };
    return (await (await this.#umpire.ask(this.#path("/legal-actions", query))).json()) as Schemas[`${G}.Legal`];
  }

  /** The best actions for this seat, found by search from what the seat knows. Refused (409) if the table was created with `hints: false`. */
  async hint(options: { simulations?: number; most?: number; seed?: string } = {}): Promise<Schemas[`${G}.Hint`]> {
    const { simulations, most, seed } = options;
    const query = { simulations: simulations?.toString(), most: most?.toString(), seed };
    return (await (await this.#umpire.ask(this.#path("/hint", query))).json()) as Schemas[`${G}.Hint`];
  }

  /** What this seat learned of what happened, of the plies from `from` to before `to`. */
  async events(options: { from?: number; to?: number; lang?: string } = {}): Promise<Schemas[`${G}.EventList`]> {
    const query = { from: options.from?.toString(), to: options.to?.toString(), lang: options.lang };
    return (await (await this.#umpire.ask(this.#path("/events", query))).json()) as Schemas[`${G}.EventList`];
  }

  /** The board as this seat sees it: an SVG. */
  async svg(options: { theme?: "auto" | "light" | "dark"; targets?: boolean } = {}): Promise<string> {
    const query = { theme: options.theme, targets: options.targets ? "true" : undefined };
    return (await this.#umpire.ask(this.#path("/scene", query), { headers: { accept: "image/svg+xml" } })).text();
  }

  /**
   * Takes an action, meant for the version that is known here. Lost on the way, it is sent again, and taken once. Throws an
   * `UmpireProblem` with `code` `action_refused` (and `violation`) where the rules refuse it, `stale` where the table has
   * moved on: look again, or let `watch` run.
   */
  async act(action: ActionOf<G>, options: ActOptions = {}): Promise<Schemas[`${G}.TableStep`]> {
    if (this.#version === "") await this.look();
    const include = [options.legal && "legal", options.text && "text"].filter(Boolean).join(",");
    const headers = {
      "content-type": "application/json",
      "if-match": `"${options.version ?? this.#version}"`,
      "idempotency-key": options.key ?? crypto.randomUUID(),
    };
    const body = JSON.stringify(options.tape === undefined ? { action } : { action, tape: options.tape });
    const path = this.#path("/actions", { include: include || undefined, lang: options.lang });
    const answer = await this.#umpire.ask(path, { method: "POST", headers, body });
    const step = (await answer.json()) as Schemas[`${G}.TableStep`];
    this.#moved(step);
    return step;
  }

  /** Takes back what followed that many actions, or agrees to that; with `null` withdraws that wish. */
  undo(to: number | null): Promise<Schemas[`${G}.Table`]> {
    return this.#post("/undo", { to });
  }

  /** Takes part in the fair draw of the seed. (Drawing a card is an action: see `act`.) */
  fairDraw(part: Schemas["DrawRequest"]): Promise<Schemas[`${G}.Table`]> {
    return this.#post("/draw", part);
  }

  /** Makes a stored record of the table; its id is in `record`. */
  seal(): Promise<Schemas[`${G}.Table`]> {
    return this.#post("/seal", undefined);
  }

  /** Forgets the table. */
  async remove(): Promise<void> {
    await this.#umpire.ask(this.#path(), { method: "DELETE" });
  }

  /**
   * What happens at the table, as it happens; first comes the whole table. Ends when the table is closed, or with the signal.
   *
   * A connection that breaks, falls silent or is refused by a proxy (5xx) or a limit (429) is made again, for as long as it takes,
   * and continues where it was lost. Throws an `UmpireProblem` if trying again cannot help: 404, say, or 403.
   */
  watch(options: WatchOptions = {}): AsyncGenerator<TableNews<G>> {
    return followed<TableNews<G>>(
      {
        connect: (last, signal) => this.#stream(options.lang, last, signal),
        read: ({ event, data }) => this.#news(event, data),
        refusal: (error) => (error instanceof UmpireProblem ? error : undefined),
      },
      options,
    );
  }

  /** The body of the stream; `null` if nothing more will happen. */
  async #stream(lang: string | undefined, last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
    const answer = await this.#umpire.ask(this.#path("/stream", { lang }), { headers, signal }, 0);
    if (answer.status === 204) return null;
    const type = answer.headers.get("content-type");
    if (!type?.startsWith("text/event-stream")) throw new Error(`expected a stream of events, not ${type}`);
    return answer.body;
  }

  #news(event: string | undefined, data: string): TableNews<G> | undefined {
    if (event === "table") {
      const table = JSON.parse(data) as Schemas[`${G}.Table`];
      const { version } = table;
      const known = isOlder(version, this.#version);
      this.#seen(table);
      return { type: "table", version, known, table };
    }
    if (event !== "step") return undefined;
    const step = JSON.parse(data) as Schemas[`${G}.TableStep`];
    const { version } = step;
    const known = version === this.#version || isOlder(version, this.#version);
    if (!known) this.#moved(step);
    return { type: "step", version, known, step };
  }
}

/** How an action is sent. */
export interface ActOptions {
  /** Answer with the legal actions, too. */
  legal?: boolean;
  /** Those in words. */
  text?: boolean;
  lang?: string;
  /** The version that it is meant for, if not the one that is known here. */
  version?: string;
  /** What fell for it, where that is entered by hand. */
  tape?: Schemas["TapeEntry"][];
  /** Its name, if not a new one; sent twice under one name, it is taken once. */
  key?: string;
}
