// What is kept as long as the tab is open: a record that was brought, and what was tried. Must not count on there being room.

import type { Action } from "./client";

const BROUGHT = "umpire.brought";
const TRIED = "umpire.tried.";

/** A line that was tried: from which other, after how many plies, and what. */
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
    // There is no room, or none is given: then a reload forgets it.
    sessionStorage.removeItem(key);
  }
}

/** The record that was brought last. */
export const brought = (): string | null => sessionStorage.getItem(BROUGHT);

export function keep(text: string): void {
  if (text !== brought()) sessionStorage.removeItem(TRIED);
  put(BROUGHT, text);
}

/** What was tried of a stored record, or of the one that was brought. */
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
