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
  const [rows, ...others] = await Promise.all([
    through(filter),
    ...["text", "player"].map((it) => records({ ...filter, [it]: text, limit: "100" }).then((page) => page.records)),
  ]);
  const all = text.toLowerCase().split(/\s+/);
  const fitting = rows.filter((row) => {
    const has = seen(row, titleOf(row.game));
    return all.every((word) => has.includes(word));
  });
  const found = new Map([...fitting, ...others.flat()].map((it) => [it.id, it]));
  return [...found.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
