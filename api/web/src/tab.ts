// State that is kept while the tab is open: an opened record, its study, and the seat at a table; and, in this browser, the
// tokens of tables and the studies of stored records. Must not rely on storage being available.

import type { Action, GameRecord } from "./client";
import type { Transcript } from "./transcript";

const BROUGHT = "umpire.brought";
const STUDY = "umpire.study.";
const SETUP = "umpire.setup";
const TAKEN = "umpire.taken.";

/** A variation: the line it branches from, the ply, and the actions. */
export interface Tried {
  parent: number;
  at: number;
  actions: Action[];
  words: string[];
}

/** What was added to a record. */
export interface Study {
  /** The notes of its actions by their plies, and that of the beginning, if any of them was changed. */
  notes: Record<string, string> | null;
  tried: Tried[];
}

function put(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // No storage is available: a reload then forgets it.
    sessionStorage.removeItem(key);
  }
}

/** The record that was opened last. */
export const brought = (): string | null => sessionStorage.getItem(BROUGHT);

export function keep(text: string): void {
  if (text !== brought()) sessionStorage.removeItem(STUDY);
  put(BROUGHT, text);
}

/** The position that is being set up, as a record without actions. */
export function setup(): GameRecord | null {
  try {
    return JSON.parse(sessionStorage.getItem(SETUP) ?? "null") as GameRecord | null;
  } catch {
    return null;
  }
}

export const keepSetup = (record: GameRecord) => put(SETUP, JSON.stringify(record));

/** The game that is being taken down in this browser. */
export function taken(game: string): Transcript | null {
  try {
    return JSON.parse(localStorage.getItem(TAKEN + game) ?? "null") as Transcript | null;
  } catch {
    return null;
  }
}

export function keepTaken(it: Transcript): void {
  try {
    if (it.steps.length + Object.keys(it.players).length > 0) localStorage.setItem(TAKEN + it.game, JSON.stringify(it));
    else localStorage.removeItem(TAKEN + it.game);
  } catch {
    // No storage is available: it lasts as long as the page.
  }
}

/** Where the study of a record is kept: as long as the record itself. */
const storageFor = (id: string | null) => (id === null ? sessionStorage : localStorage);

/** The study of a stored record, or of the opened one. */
export function keptStudy(id: string | null): Study | null {
  try {
    return JSON.parse(storageFor(id).getItem(STUDY + (id ?? "")) ?? "null") as Study | null;
  } catch {
    return null;
  }
}

/** Returns false if it does not fit: an earlier version then stays. */
export function keepStudy(id: string | null, study: Study | null): boolean {
  try {
    if (study !== null) storageFor(id).setItem(STUDY + (id ?? ""), JSON.stringify(study));
    else storageFor(id).removeItem(STUDY + (id ?? ""));
    return true;
  } catch {
    return false;
  }
}

/** The tokens of a table that this browser holds. */
export interface Keys {
  game: string;
  /** When the first of them came. */
  since: string;
  host?: string;
  /** The seats that are played in this browser. */
  seats: Record<string, string>;
  /** The seats of other players: their tokens are in the links to send. */
  links?: Record<string, string>;
}

const KEYS = "umpire.table.";
const SEAT = "umpire.seat.";
const ACTED = "umpire.acted.";

/** The plies at which a seat has acted from this browser: what it can take back. */
export function actedAt(table: string, seat: string): number[] {
  try {
    return JSON.parse(localStorage.getItem(`${ACTED}${table}.${seat}`) ?? "[]") as number[];
  } catch {
    return [];
  }
}

export function keepActedAt(table: string, seat: string, plies: number[]): void {
  try {
    localStorage.setItem(`${ACTED}${table}.${seat}`, JSON.stringify(plies));
  } catch {
    // No storage is available: nothing can be taken back then.
  }
}

export function keysOf(table: string): Keys | null {
  try {
    return JSON.parse(localStorage.getItem(KEYS + table) ?? "null") as Keys | null;
  } catch {
    return null;
  }
}

/** Stores tokens. Returns false if the browser has no storage. */
export function keepKeys(table: string, keys: Keys): boolean {
  try {
    localStorage.setItem(KEYS + table, JSON.stringify(keys));
    return true;
  } catch {
    return false;
  }
}

export function forgetKeys(table: string): void {
  for (const seat of Object.keys(keysOf(table)?.seats ?? {})) localStorage.removeItem(`${ACTED}${table}.${seat}`);
  localStorage.removeItem(KEYS + table);
}

/** The tables whose tokens this browser holds, the newest first. */
export function keptTables(): { table: string; keys: Keys }[] {
  let names: string[] = [];
  try {
    names = Object.keys(localStorage).filter((it) => it.startsWith(KEYS)).map((it) => it.slice(KEYS.length));
  } catch {
    // No storage is available, so nothing was kept.
  }
  const all = names.flatMap((table) => {
    const keys = keysOf(table);
    return keys ? [{ table, keys }] : [];
  });
  return all.sort((a, b) => b.keys.since.localeCompare(a.keys.since));
}

/** The seat that this tab shows: two tabs may sit at two seats of one table. */
export const seatHere = (table: string): string | null => sessionStorage.getItem(SEAT + table);

export const keepSeatHere = (table: string, seat: string) => put(SEAT + table, seat);
