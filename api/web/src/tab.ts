// State that is kept while the tab is open: an opened record, and its variations. Must not rely on storage being available.

import type { Action } from "./client";

const BROUGHT = "umpire.brought";
const TRIED = "umpire.tried.";

/** A variation: the line it branches from, the ply, and the actions. */
export interface Tried {
  parent: number;
  at: number;
  actions: Action[];
  words: string[];
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
  if (text !== brought()) sessionStorage.removeItem(TRIED);
  put(BROUGHT, text);
}

/** The variations of a stored record, or of the opened one. */
export function triedOf(id: string | null): Tried[] {
  try {
    return JSON.parse(sessionStorage.getItem(TRIED + (id ?? "")) ?? "[]") as Tried[];
  } catch {
    return [];
  }
}

export function keepTried(id: string | null, tried: Tried[]): void {
  if (tried.length === 0) sessionStorage.removeItem(TRIED + (id ?? ""));
  else put(TRIED + (id ?? ""), JSON.stringify(tried));
}
