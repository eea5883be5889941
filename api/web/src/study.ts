// A study as text: what the notes of actions hold (a glyph, a comment, arrows and rings, the name of a variation), the file of
// a game with its variations, and the same packed into a link. Must not call the service, show anything, nor know a game.

import type { GameRecord, Json } from "./client";
import { actionText, withNote } from "./lines";
import type { Line } from "./lines";
import type { Tried } from "./tab";

/** The glyphs of chess notation, and what they say of a move. */
export const GLYPHS = { "!!": "brilliant", "!": "good", "!?": "interesting", "?!": "dubious", "?": "mistake", "??": "blunder" } as const;
export type Glyph = keyof typeof GLYPHS;

export const COLOURS = ["green", "red", "blue"] as const;
export type Colour = (typeof COLOURS)[number];

/** An arrow between two shapes of the board, or a ring around one. */
export interface Mark {
  colour: Colour;
  from: string;
  /** `null` for a ring. */
  to: string | null;
}

/** What a note holds. */
export interface Note {
  glyph: Glyph | null;
  comment: string;
  marks: Mark[];
  /** The name of the variation that begins with this action. */
  name: string;
}

/** The length of a note that the service accepts. */
export const MOST_CHARACTERS = 4000;

const TAG = /\s*\[%(arrow|ring|name) ([^\]]*)\]/g;
const GLYPH = /^(!!|\?\?|!\?|\?!|!|\?)(?:\s+|$)/;

const escaped = (text: string, what: RegExp) => text.replace(what, encodeURIComponent);

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads an arrow or a ring; `null` if the text is not one. */
function markOf(kind: string, text: string): Mark | null {
  const [colour, from, to, ...more] = text.split(" ");
  if (!from || more.length > 0 || !COLOURS.includes(colour as Colour) || (kind === "arrow") !== Boolean(to)) return null;
  return { colour: colour as Colour, from: unescaped(from), to: to ? unescaped(to) : null };
}

/** Reads a note. Anything that does not parse is part of the comment. */
export function readNote(text: string): Note {
  const note: Note = { glyph: null, comment: "", marks: [], name: "" };
  const rest = text.replace(TAG, (all, kind: string, value: string) => {
    const mark = kind === "name" ? null : markOf(kind, value);
    if (mark) note.marks.push(mark);
    else if (kind === "name" && !note.name) note.name = unescaped(value);
    else return all;
    return "";
  }).trim();
  const [before = "", glyph] = GLYPH.exec(rest) ?? [];
  return { ...note, glyph: (glyph as Glyph | undefined) ?? null, comment: rest.slice(before.length) };
}

export function writeNote({ glyph, comment, marks, name }: Note): string {
  const id = (text: string) => escaped(text, /[%\s\]]/g);
  const tags = marks.map(({ colour, from, to }) => (to === null ? `[%ring ${colour} ${id(from)}]` : `[%arrow ${colour} ${id(from)} ${id(to)}]`));
  return [glyph, comment.trim(), ...tags, name && `[%name ${escaped(name, /[%\]]/g)}]`].filter(Boolean).join(" ");
}

/** The marks with one more; without it, if it was there; in another colour, if that was different. */
export function toggled(marks: Mark[], mark: Mark): Mark[] {
  const others = marks.filter((it) => it.from !== mark.from || it.to !== mark.to);
  return marks.some((it) => it.from === mark.from && it.to === mark.to && it.colour === mark.colour) ? others : [...others, mark];
}

/** A study as a file: the game, then its variations, each a whole record on a line of its own. */
export function fileOf(lines: Line[]): string {
  const records = lines.map((line): GameRecord => {
    const record = line.record as GameRecord;
    const parent = line.parent === null ? null : lines[line.parent];
    if (!parent) return record;
    // Comments on the shared beginning stand in the line that it is shared with.
    const actions = record.actions.map((it, at) => (at < line.at - line.offset ? withNote(it, "") : it));
    // A variation that continues from a position shares no actions, so it says where it belongs.
    const place = line.offset !== parent.offset && { meta: { ...(record.meta as { [key: string]: Json } | undefined), study: { line: line.parent, ply: line.at } } };
    return { ...withNote(record, ""), ...place, actions };
  });
  return records.map((it) => `${JSON.stringify(it)}\n`).join("");
}

/** Whatever has to be equal in a game and its variations. With a seed, a variation has no tape. */
function baseOf({ actions: _actions, note: _note, claims: _claims, checkpoints: _checkpoints, meta: _meta, chance, ...rest }: GameRecord): string {
  const { tape, ...drawn } = chance;
  return JSON.stringify([rest, drawn, chance.seed === undefined ? tape : null]);
}

function shared(a: string[], b: string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

/** Where a variation says that it belongs. */
function placeOf(record: GameRecord, before: number): { line: number; ply: number } | null {
  const { line, ply } = ((record.meta as { study?: unknown } | undefined)?.study ?? {}) as { line?: unknown; ply?: unknown };
  const fits = Number.isSafeInteger(line) && Number.isSafeInteger(ply) && Number(line) >= 0 && Number(line) < before && Number(ply) >= 0;
  return fits ? { line: line as number, ply: ply as number } : null;
}

/** The variations of the first of several records; `null` if the others are not variations of it. */
export function variationsIn(records: GameRecord[]): Tried[] | null {
  const tried: Tried[] = [];
  /** The line of each record, the ply at which its actions begin, and what it is compared by. */
  const known: { line: number; offset: number; base: string; actions: string[] }[] = [];
  for (const record of records) {
    const base = baseOf(record);
    const actions = record.actions.map(actionText);
    let [parent, most] = [known[0], -1];
    for (const it of known) {
      const count = it.base === base ? shared(it.actions, actions) : -1;
      if (count > most) [parent, most] = [it, count];
    }
    if (!parent) {
      known.push({ line: 0, offset: 0, base, actions });
    } else if (most < 0) {
      const place = placeOf(record, known.length);
      const from = place && known[place.line];
      if (!from || record.game !== records[0]?.game || actions.length === 0) return null;
      tried.push({ parent: from.line, at: place.ply, actions: record.actions, words: [] });
      known.push({ line: tried.length, offset: place.ply, base, actions });
    } else if (most === actions.length) {
      known.push(parent);
    } else {
      tried.push({ parent: parent.line, at: parent.offset + most, actions: record.actions.slice(most), words: [] });
      known.push({ line: tried.length, offset: parent.offset, base, actions });
    }
  }
  return tried.length > 0 ? tried : null;
}

/** The greatest length of a study in a link, unpacked: a short link may become very long. */
const MOST_BYTES = 32_000_000;

async function through(bytes: BlobPart, by: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(by).getReader();
  const parts: BlobPart[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) throw new Error("The study is too long.");
    parts.push(value);
  }
}

/** Packs a text for a link: compressed, in the letters of base64url. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(text, new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (it) => String.fromCharCode(it)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}
