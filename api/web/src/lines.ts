// A record and its variations: each line is a record of its own. Must not call the service nor show anything.

import type { Action, GameRecord, Json, Recorded } from "./client";

/** A line of play: the record that was opened, or a variation from a ply of another line. */
export interface Line {
  /** The line that it branches from; `null` for the opened record. */
  parent: number | null;
  /** The ply of the opened game at which its record starts: with a tape, a variation continues from a position. */
  offset: number;
  /** The ply at which it branches from its parent. */
  at: number;
  /** How to ask the service about it. */
  source: Recorded;
  /** Its record; a stored one is fetched only when it is needed. */
  record: GameRecord | null;
  /** The text of each tried action. */
  words: string[];
}

/** The seed of variations if the record has none. */
const WHAT_IF = "what if";

/** A main line, opened from a text or by the id of a stored record. */
export function opened(source: Recorded, record: GameRecord | null): Line {
  return { parent: null, offset: 0, at: 0, source, record, words: [] };
}

/** The number of plies of the game up to the end of a line's record. */
export function length(line: Line): number {
  return line.offset + (line.record?.actions.length ?? 0);
}

/** The record without the fields that are only true of the whole. */
function open(record: GameRecord): GameRecord {
  const { claims: _claims, checkpoints: _checkpoints, ...rest } = record;
  return rest;
}

/** Whether variations of a line must start from a position, because its chance came from a tape. */
export function needsPosition(record: GameRecord): boolean {
  return record.chance.seed === undefined;
}

/** A line with more actions at a ply of another, in the same record if they follow its end. Its record must be loaded. */
export function tried(lines: Line[], from: number, ply: number, actions: Action[], words: string[], position: Json | null): [Line[], number] {
  const line = lines[from];
  if (!line?.record) return [lines, from];
  if (from > 0 && ply === length(line)) {
    const next = sent({ ...line, record: { ...line.record, actions: [...line.record.actions, ...actions] }, words: [...line.words, ...words] });
    return [lines.map((it, at) => (at === from ? next : it)), from];
  }
  const base = open(line.record);
  let next: Line;
  if (position !== null) {
    const record = { ...base, chance: { seed: WHAT_IF }, position, actions };
    next = sent({ parent: from, at: ply, offset: ply, record, source: line.source, words });
  } else {
    const kept = base.actions.slice(0, ply - line.offset);
    // The seed alone is enough: a tape beside it only has the draws of the opened game.
    const { tape: _tape, ...chance } = base.chance;
    const record = { ...base, chance, actions: [...kept, ...actions] };
    next = sent({ parent: from, at: ply, offset: line.offset, record, source: line.source, words });
  }
  return [[...lines, next], lines.length];
}

/** The actions tried on a line itself. */
export function ownActions(line: Line): Action[] {
  return line.record?.actions.slice(line.at - line.offset) ?? [];
}

/** The line that already has an action at a ply of another: that one itself, or a variation. */
export function lineWith(lines: Line[], from: number, ply: number, action: Action): number {
  const wanted = actionText(action);
  const has = (it: Action | undefined) => it !== undefined && actionText(it) === wanted;
  const line = lines[from];
  if (line && ply >= line.offset && has(line.record?.actions[ply - line.offset])) return from;
  return lines.findIndex((it) => it.parent === from && it.at === ply && has(ownActions(it)[0]));
}

/** The line that an action belongs to: the beginning of a variation is that of the line it branches from. */
export function ownerOf(lines: Line[], number: number, ply: number): number {
  let owner = number;
  for (let line = lines[owner]; line && line.parent !== null && ply <= line.at; line = lines[owner]) owner = line.parent;
  return owner;
}

/** The note of the action before a ply; at the beginning, the one of the record. */
export function noteAt(lines: Line[], number: number, ply: number): string {
  if (ply === 0) return lines[0]?.record?.note ?? "";
  const line = lines[ownerOf(lines, number, ply)];
  return line?.record?.actions[ply - line.offset - 1]?.note ?? "";
}

/** The notes up to the end of a line, by their plies. */
export function notesOf(lines: Line[], number: number): Map<number, string> {
  const line = lines[number];
  const plies = Array.from({ length: line ? length(line) + 1 : 0 }, (_, ply) => ply);
  return new Map(plies.flatMap((ply): [number, string][] => {
    const note = noteAt(lines, number, ply);
    return note ? [[ply, note]] : [];
  }));
}

/** A value with the fields of its objects in order. */
function ordered(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(ordered);
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key] ?? null)]));
}

/** An action as text to compare it by: its note and the order of its fields do not count. */
export const actionText = (action: Action): string => JSON.stringify(ordered(withNote(action, "")));

/** Something with another note. An empty one takes it away. */
export function withNote<T extends { note?: string }>({ note: _note, ...rest }: T, note: string): T {
  return (note ? { ...rest, note } : rest) as T;
}

/** The lines with another note of the action before a ply. An empty note takes it away. */
export function noted(lines: Line[], number: number, ply: number, note: string): Line[] {
  const owner = ply === 0 ? 0 : ownerOf(lines, number, ply);
  return lines.map((line, at) => {
    const { record } = line;
    if (at !== owner || !record) return line;
    if (ply === 0) return { ...line, record: withNote(record, note) };
    const actions = record.actions.map((it, action) => (action === ply - line.offset - 1 ? withNote(it, note) : it));
    return { ...line, record: { ...record, actions } };
  });
}

/** The lines without a variation and those that branch from it. */
export function without(lines: Line[], number: number): Line[] {
  const gone = new Set([number]);
  lines.forEach(({ parent }, at) => parent !== null && gone.has(parent) && gone.add(at));
  const next = (parent: number | null) => (parent === null ? null : parent - [...gone].filter((it) => it < parent).length);
  return lines.flatMap((line, at) => (gone.has(at) ? [] : [{ ...line, parent: next(line.parent) }]));
}

/** An action as text, if the service sent none: its fields. */
export function described(action: Action): string {
  const { type, player, note: _note, ...rest } = action;
  const parts = Object.entries(rest).map(([key, it]) => (it === true ? inWords(key) : it === false ? `not ${inWords(key)}` : inWords(it)));
  return [player ?? "", inWords(type ?? "?"), ...parts].filter(Boolean).join(" ");
}

/** A value as text: names without underscores, coordinates as they are, lists with commas. */
export function inWords(value: Json): string {
  if (typeof value === "string") return value.replaceAll("_", " ");
  if (value === null || typeof value !== "object") return String(value);
  if (!Array.isArray(value)) return Object.values(value).map(inWords).join(" ");
  return value.every((it) => typeof it === "number") ? JSON.stringify(value) : value.map(inWords).join(", ");
}

/** A line that is asked about by its text. */
function sent(line: Line): Line {
  return { ...line, source: { text: JSON.stringify(line.record) } };
}

/** The record of a line under other options: rulings one by one, the rest as they are. */
export function under(record: GameRecord, other: Reading | null): GameRecord {
  if (!other) return record;
  const options = { ...record.options, ...(other.edition !== undefined && { edition: other.edition }) };
  if (other.rulings) options.rulings = { ...record.options?.rulings, ...other.rulings };
  // Told to another reading, what the record claims of itself would be a second question.
  return { ...open(record), options };
}

/** Another reading of the rules. */
export interface Reading {
  edition?: string;
  rulings?: Record<string, string>;
}

/** What stands in the address: everything that is needed to see the same again. */
export interface Place {
  record?: string;
  ply?: number;
  viewer?: string;
  lang?: string;
  tab?: string;
  /** It is the record that was brought to this tab, and not stored. */
  brought?: boolean;
  /** Something in the address cannot be read. */
  broken?: string;
  other?: Reading;
  attempt?: { at: number; actions: Action[] };
  /** A study, packed. */
  study?: string;
}

const encode = (value: unknown) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
const decode = (text: string) =>
  JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (it) => it.charCodeAt(0)))) as unknown;

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);

function isReading(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { edition, rulings } = value;
  return (edition === undefined || typeof edition === "string") && (rulings === undefined || (isObject(rulings) && Object.values(rulings).every((it) => typeof it === "string")));
}

function isAttempt(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { at, actions } = value;
  return Number.isSafeInteger(at) && (at as number) >= 0 && Array.isArray(actions) && actions.length > 0 && actions.every(isObject);
}

export const unreadable = (key: string) => `What stands in the address as “${key}=” cannot be read; the rest is shown.`;

export function toHash(place: Place): string {
  const pairs = new URLSearchParams();
  if (place.record) pairs.set("record", place.record);
  if (place.brought) pairs.set("brought", "1");
  if (place.ply !== undefined) pairs.set("ply", String(place.ply));
  if (place.viewer && place.viewer !== "referee") pairs.set("viewer", place.viewer);
  if (place.lang && place.lang !== "en") pairs.set("lang", place.lang);
  if (place.tab && place.tab !== "story") pairs.set("tab", place.tab);
  if (place.other) pairs.set("other", encode(place.other));
  if (place.attempt) pairs.set("try", encode(place.attempt));
  if (place.study) pairs.set("study", place.study);
  return "#" + pairs.toString();
}

export function fromHash(hash: string): Place {
  const pairs = new URLSearchParams(hash.replace(/^#/, ""));
  const place: Place = {};
  const text = (key: string) => pairs.get(key) ?? undefined;
  const record = text("record");
  if (record) place.record = record;
  if (text("brought")) place.brought = true;
  const ply = Number.parseInt(text("ply") ?? "", 10);
  if (Number.isSafeInteger(ply) && ply >= 0) place.ply = ply;
  for (const key of ["viewer", "lang", "tab", "study"] as const) {
    const value = text(key);
    if (value) place[key] = value;
  }
  // An address that somebody cut short shows as much as is left of it, and says what is not.
  const decoded = (key: string, fits: (value: unknown) => boolean): unknown => {
    const value = text(key);
    if (!value) return undefined;
    try {
      const found = decode(value);
      if (fits(found)) return found;
    } catch {
      // Said below.
    }
    place.broken = unreadable(key);
    return undefined;
  };
  const other = decoded("other", isReading) as Reading | undefined;
  if (other) place.other = other;
  const attempt = decoded("try", isAttempt) as Place["attempt"];
  if (attempt) place.attempt = attempt;
  return place;
}

/** What a line plays that the opened record does not: from where, and what. */
export function attempt(lines: Line[], line: number): { at: number; actions: Action[] } | undefined {
  const own = lines[line];
  if (!own || line === 0) return undefined;
  // Back to the first ply at which this line, or one that it came from, leaves the record.
  let at = own.at;
  const actions: Action[] = [];
  let [next, end] = [line, length(own)];
  while (next > 0) {
    const here = lines[next];
    if (!here?.record) return undefined;
    actions.unshift(...here.record.actions.slice(here.at - here.offset, end - here.offset).map((it) => withNote(it, "")));
    [at, end, next] = [here.at, here.at, here.parent ?? 0];
  }
  return { at, actions };
}

/** An action with what a choice fills in put into it, at any depth; the same action where it has no such field. */
export function filled(choice: Record<string, Json>, action: Json): Json {
  if (action === null || typeof action !== "object") return action;
  if (Array.isArray(action)) return action.map((it) => filled(choice, it));
  const put = Object.entries(action).map(([key, value]): [string, Json] => {
    const wanted = choice[key];
    if (wanted === undefined) return [key, filled(choice, value)];
    const one = wanted !== null && typeof wanted === "object" && !Array.isArray(wanted) && Array.isArray(wanted["any"]) ? (wanted["any"][0] ?? null) : wanted;
    return [key, Array.isArray(value) && !Array.isArray(one) ? [one] : one];
  });
  return Object.fromEntries(put);
}

/** What a shape of a picture fills in: fields of one value share it there, their names beside each other. */
export function choiceOf(text: string): Record<string, Json> {
  const fields = Object.entries(JSON.parse(text) as Record<string, Json>);
  return Object.fromEntries(fields.flatMap(([names, value]) => names.split(" ").map((it) => [it, value])));
}

/** Whether a choice on the board means an action: it fills in one of the action's fields, at any depth. */
export function means(choice: Record<string, Json>, action: Json): boolean {
  return fieldsOf(choice, action).length > 0;
}

/** The fields of an action that a choice fills in, at any depth: their paths. */
export function fieldsOf(choice: Record<string, Json>, action: Json, path = ""): string[] {
  if (action === null || typeof action !== "object") return [];
  if (Array.isArray(action)) return action.flatMap((it, at) => fieldsOf(choice, it, `${path}/${at}`));
  return Object.entries(action).flatMap(([key, value]) => {
    const wanted = choice[key];
    const here = `${path}/${key}`;
    const own = wanted === undefined ? [] : filledBy(wanted, value, here);
    return value !== null && typeof value === "object" ? [...own, ...fieldsOf(choice, value, here)] : own;
  });
}

/** Where a choice fits in a field: the field itself, or elements of a list. */
function filledBy(wanted: Json, value: Json, path: string): string[] {
  if (wanted !== null && typeof wanted === "object" && !Array.isArray(wanted) && Array.isArray(wanted["any"])) {
    return wanted["any"].flatMap((one) => filledBy(one, value, path));
  }
  if (same(wanted, value)) return [path];
  return Array.isArray(value) ? value.flatMap((one, at) => (same(wanted, one) ? [`${path}/${at}`] : [])) : [];
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
