// Searches stored records by what the list shows of them, and by their metadata. Must not show anything.

import { records } from "./client";
import type { Schemas } from "./client";
import { words } from "./parts";

type Row = Schemas["RecordSummary"];
export type Filter = Record<string, string>;

/** How many of the newest records are searched by what their rows show. */
export const LOOKED_THROUGH = 2000;
const PAGE = 500;
const FRESH = 15_000;
const LONGEST = 200;

let looked: { key: string; at: number; rows: Promise<Row[]> } | null = null;

/** The newest records that a filter of the service lets through, page by page. */
async function newest(filter: Filter): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await records({ ...filter, limit: String(PAGE), ...(cursor && { cursor }) });
    rows.push(...page.records);
    cursor = page.next ?? undefined;
  } while (cursor && rows.length < LOOKED_THROUGH);
  return rows;
}

/** The newest records, not requested again for each typed letter. */
function through(filter: Filter): Promise<Row[]> {
  const key = JSON.stringify(filter);
  if (!looked || looked.key !== key || performance.now() - looked.at > FRESH) {
    const rows = newest(filter);
    looked = { key, at: performance.now(), rows };
    rows.catch(() => (looked = null));
  }
  return looked.rows;
}

/** Everything that the list shows of a record, in lower case. */
function seen(row: Row, title: string): string {
  const players = Object.entries(row.players).flat();
  const parts = [title, row.game, ...players, words(row.status), words(row.reason ?? ""), row.winner ?? "", row.created_at.slice(0, 10), row.id];
  return parts.join(" ").toLowerCase();
}

/** The records that contain all of some words, in their rows, in their metadata, or as the name of a player; newest first. */
export async function search(wanted: string, filter: Filter, titleOf: (game: string) => string): Promise<Row[]> {
  const text = wanted.trim().slice(0, LONGEST);
  if (!text) return through(filter);
  const [rows, ...others] = await Promise.all([through(filter), ...["text", "player"].map((it) => newest({ ...filter, [it]: text }))]);
  const all = text.toLowerCase().split(/\s+/);
  const fitting = rows.filter((row) => {
    const has = seen(row, titleOf(row.game));
    return all.every((word) => has.includes(word));
  });
  const found = new Map([...fitting, ...others.flat()].map((it) => [it.id, it]));
  return [...found.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/** How rows are compared by each column of the list. */
export const COLUMNS: Record<string, (row: Row, title: string) => string | number> = {
  game: (_, title) => title.toLowerCase(),
  players: (row) => Object.values(row.players).join(" ").toLowerCase(),
  actions: (row) => row.plies,
  status: (row) => [row.status, row.reason, row.winner].join(" "),
  stored: (row) => row.created_at,
};

/** Rows in the order of a column. */
export function sorted(rows: Row[], column: string, down: boolean, titleOf: (game: string) => string): Row[] {
  const key = COLUMNS[column];
  if (!key) return rows;
  const keyed = rows.map((row) => ({ row, it: key(row, titleOf(row.game)) }));
  const by = (a: string | number, b: string | number) => (typeof a === "number" ? a - Number(b) : a.localeCompare(String(b)));
  return keyed.sort((a, b) => (down ? by(b.it, a.it) : by(a.it, b.it))).map(({ row }) => row);
}
