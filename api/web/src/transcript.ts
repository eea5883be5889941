// A game that is taken down while it is played at a table: what was entered, and how it stands. What nobody saw is unknown; the
// service then shows one completion. Must not show anything, nor fill anything in.

import { judge, missing } from "./client";
import type { Action, Eyes, GameRecord, Json, Recorded, Schemas } from "./client";

export type MissingDraw = Schemas["MissingDraw"];
type Entry = { [key: string]: Json };

export interface Transcript {
  game: string;
  options: { [key: string]: Json };
  players: Record<string, string>;
  /** What was entered, in its order; `unseen`: from then on nobody sees what is drawn and rolled. */
  steps: ({ action: Action } | { fell: Entry } | { unseen: true })[];
}

export const begun = (game: string, options: { [key: string]: Json } = {}): Transcript => ({ game, options, players: {}, steps: [] });

/** Whether a value has an unknown in it; a note is only text. */
export function hasUnknown(value: Json): boolean {
  if (value === "?") return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return value !== null && typeof value === "object" && Object.entries(value).some(([key, it]) => key !== "note" && (key === "one_of" || hasUnknown(it)));
}

/** Whether something in a record is unknown, or may be missing from its tape. */
export function isIncomplete({ chance, position, actions }: GameRecord): boolean {
  return (chance.tape !== undefined && !Array.isArray(chance.tape)) || hasUnknown([chance.tape ?? null, position ?? null, actions]);
}

const actionsOf = ({ steps }: Transcript) => steps.flatMap((it) => ("action" in it ? [it.action] : []));
const fellOf = ({ steps }: Transcript) => steps.flatMap((it) => ("fell" in it ? [it.fell] : []));

/** Whether something is unknown, so that the record has several completions. */
export const isPartial = (taken: Transcript) => taken.steps.some((it) => "unseen" in it) || hasUnknown([...actionsOf(taken), ...fellOf(taken)]);

/** What was taken down, as a record. */
export function recordOf(taken: Transcript): GameRecord {
  const entries: Json[] = fellOf(taken);
  const tape = isPartial(taken) ? { partial: true, entries } : entries;
  return {
    format: "umpire/1",
    game: taken.game,
    ...(Object.keys(taken.options).length > 0 && { options: taken.options }),
    ...(Object.keys(taken.players).length > 0 && { players: taken.players }),
    chance: { tape } as GameRecord["chance"],
    actions: actionsOf(taken),
  };
}

export const withStep = (taken: Transcript, step: Transcript["steps"][number]): Transcript => ({ ...taken, steps: [...taken.steps, step] });
export const undone = (taken: Transcript): Transcript => ({ ...taken, steps: taken.steps.slice(0, -1) });

/** With a note at the last action. An empty note takes it away. */
export function noted(taken: Transcript, note: string): Transcript {
  const at = taken.steps.map((it) => "action" in it).lastIndexOf(true);
  return {
    ...taken,
    steps: taken.steps.map((it, here) => {
      if (here !== at || !("action" in it)) return it;
      const { note: _note, ...action } = it.action;
      return { action: note ? { ...action, note } : action };
    }),
  };
}

/** The tape entry for what fell. */
export function entryFor({ kind, of }: MissingDraw, value: Json): Entry {
  if (kind === "die") return { kind, at: of, value };
  return kind === "shuffle" ? { kind, side: of, order: value } : { kind, side: of, card: value };
}

/** Whether everything that was entered as fallen has fallen in the completion that is shown: the service keeps the rest for later. */
export function hasFallen(taken: Transcript, { source }: Standing): boolean {
  const { chance } = JSON.parse("text" in source ? source.text : "{}") as Partial<GameRecord>;
  const plain = (it: Json) => {
    const { kind, side, at, card, value } = it as Entry;
    return JSON.stringify([kind, side, at, card, value]);
  };
  const there = (Array.isArray(chance?.tape) ? chance.tape : []).map(plain);
  return fellOf(taken).filter((it) => it["kind"] !== "shuffle" && !hasUnknown(it)).every((it) => {
    const at = there.indexOf(plain(it));
    if (at >= 0) there.splice(at, 1);
    return at >= 0;
  });
}

/** How a game stands that is taken down. */
export interface Standing {
  /** What is shown: the record, or one of its completions. */
  source: Recorded;
  ply: number;
  /** The next thing to ask: what fell. */
  missing: MissingDraw | null;
  status: string;
  /** Nothing can be shown: it was not found out whether this is possible. */
  open: boolean;
  /** What is wrong with the last entry. */
  violation: NonNullable<Schemas["Problem"]["violation"]> | null;
}

/** Asks the service how it stands. */
export async function standing(taken: Transcript, eyes: Eyes, signal?: AbortSignal): Promise<Standing> {
  const text = JSON.stringify(recordOf(taken));
  if (!isPartial(taken)) {
    const asked = await missing(text, eyes, signal);
    if (asked.status !== "illegal" && !(asked.status === "bad_chance" && !asked.missing)) {
      return { source: { text }, ply: asked.ply, missing: asked.missing ?? null, status: asked.status, open: false, violation: null };
    }
  }
  const { verdict } = await judge(text, eyes, signal);
  const { witness, status } = verdict as { witness?: { record: GameRecord }; status: string };
  const source = { text: witness ? JSON.stringify(witness.record) : text };
  return { source, ply: witness ? witness.record.actions.length : verdict.plies, missing: null, status, open: status === "undecided" && !witness, violation: (verdict.violation ?? null) as Standing["violation"] };
}
