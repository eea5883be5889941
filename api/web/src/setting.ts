// What a new table is created with, and where the tokens that come back are kept. Must not show anything.

import { createTable } from "./client";
import type { Json, Table } from "./client";
import { keepKeys, keepSeatHere } from "./tab";

/** Who plays a seat: a player in this browser, a player with a link, or the computer with a number of simulations. */
export type Sitter = { who: "me" | "link"; name: string } | { who: "computer"; search: number };

/** How thoroughly the computer searches before each action. */
export const STRENGTHS: [string, number][] = [["easy", 50], ["medium", 500], ["strong", 3000]];

/** A player who is a program, in words. */
export function computer(search: number): string {
  const known = STRENGTHS.find(([, it]) => it === search);
  return `computer, ${known ? known[0] : `${search} simulations`}`;
}

export interface Setting {
  game: string;
  options?: { [key: string]: Json };
  /** A position that the game begins from. */
  position?: Json;
  sitters: Record<string, Sitter>;
  fair: boolean;
  hints: boolean;
}

/** Creates a table, keeps its tokens in this browser, and returns the address of it in this page. */
export async function begin({ game, options, position, sitters, fair, hints }: Setting): Promise<string> {
  const players = Object.entries(sitters).flatMap(([seat, it]): [string, Json][] => {
    if (it.who === "computer") return [[seat, { search: it.search }]];
    return it.name.trim() ? [[seat, it.name.trim()]] : [];
  });
  const body = { game, ...(options && { options }), ...(position && { position }), players: Object.fromEntries(players), hints, ...(fair && { chance: { fair: true } }) };
  const { table, host, seats } = await createTable(body);
  const tokens = seats as Record<string, string>;
  const of = (who: string) => Object.fromEntries(Object.entries(tokens).filter(([seat]) => sitters[seat]?.who === who));
  const [mine, links] = [of("me"), of("link")];
  const kept = keepKeys(table.id, { game, since: new Date().toISOString(), host, seats: mine, links });
  const [first] = Object.entries(mine);
  if (first) keepSeatHere(table.id, first[0]);
  // Without storage, the address has to hold the token.
  return `#table=${table.id}${kept || !first ? "" : `&token=${first[1]}`}`;
}

/** Who played a table, for another one like it. Swapped, everybody moves on by one seat. */
export function sittersOf(table: Table, mine: string[], swapped: boolean): Record<string, Sitter> {
  const all = table.seats.map(({ seat, name = "", search }): Sitter =>
    search !== undefined ? { who: "computer", search } : { who: mine.includes(seat) ? "me" : "link", name },
  );
  const by = swapped ? all.length - 1 : 0;
  return Object.fromEntries(table.seats.map(({ seat }, at) => [seat, all[(at + by) % all.length] as Sitter]));
}
