// The study of a game: a glyph, a comment, arrows and rings for the position that is shown, and its variations with their
// names. Must not call the service, nor know a game; the notes are kept by the lines.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Chosen } from "./choosing";
import { choiceOf, described, noteAt, ownActions } from "./lines";
import type { Line } from "./lines";
import { Copy, save } from "./parts";
import { COLOURS, GLYPHS, MOST_CHARACTERS, fileOf, readNote, toggled, writeNote } from "./study";
import type { Colour, Glyph, Mark, Note } from "./study";

const ALL_TARGETS = () => true;
const NONE: Chosen[] = [];

/** Drawing on the board: a shape and another one make an arrow, the same shape twice makes a ring. */
export interface Drawing {
  on: boolean;
  colour: Colour;
  /** What to do next, in words. */
  help: string;
  /** For the board. */
  targets: () => boolean;
  chosen: Chosen[];
  choose: (choice: string, title: string, shape: Element) => void;
  back: () => boolean;
  setOn: (on: boolean) => void;
  setColour: (colour: Colour) => void;
}

/** The state of drawing; `place` is what is drawn on: in another place, the first shape is forgotten. */
export function useDrawing(marks: Mark[], place: string, onMarks: (marks: Mark[]) => void): Drawing {
  const [on, setOn] = useState(false);
  const [colour, setColour] = useState<Colour>(COLOURS[0]);
  const [first, setFirst] = useState<{ it: Chosen; region: Element | null } | null>(null);
  const [apart, setApart] = useState(false);
  const forget = () => {
    setFirst(null);
    setApart(false);
  };
  useEffect(forget, [on, place]);
  const chosen = useMemo(() => (first ? [first.it] : NONE), [first]);
  const choose = (choice: string, title: string, shape: Element) => {
    const region = shape.closest("svg");
    // The parts of the picture are laid out for each window, so an arrow cannot lead from one to another.
    setApart(first !== null && first.region !== region);
    if (first?.region !== region) {
      setFirst({ it: { choice, title }, region });
      return;
    }
    const [from, to] = [first.it.choice, choice].map((it) => String(choiceOf(it)[""]));
    if (from && to) onMarks(toggled(marks, { colour, from, to: from === to ? null : to }));
    forget();
  };
  const back = () => {
    if (!first) return false;
    forget();
    return true;
  };
  const help = apart
    ? "An arrow stays within one part of the picture. Choose its end in the same part, or the same shape again for a ring."
    : first
      ? `From ${first.it.title}: choose another shape for an arrow, or the same one again for a ring.`
      : "Choose a shape on the board. Drawing the same thing again removes it.";
  return { on, colour, help, targets: ALL_TARGETS, chosen, choose, back, setOn, setColour };
}

/** Below the board, while it is drawn on. */
export function DrawBar({ drawing }: { drawing: Drawing }) {
  return (
    <div class="draw-bar" role="group" aria-label="Draw on the board">
      {COLOURS.map((it) => (
        <button key={it} type="button" class={`ink ink-${it}`} aria-pressed={it === drawing.colour} onClick={() => drawing.setColour(it)}>{it}</button>
      ))}
      <button type="button" class="strong" onClick={() => drawing.setOn(false)}>Done</button>
      <p role="status">{drawing.help}</p>
    </div>
  );
}

interface Props {
  lines: Line[];
  /** The line and the ply that are shown. */
  at: number;
  ply: number;
  /** What happened there, in words. */
  happened: string;
  note: Note;
  /** The length of a note that was too long to keep. */
  tooLong: number | null;
  drawing: Drawing;
  /** The names of the shapes on the board. */
  titles: ReadonlyMap<string, string>;
  /** For how long the study is kept. */
  kept: string;
  /** The name of the file to save. */
  file: string;
  onNote: (note: Note) => void;
  onName: (name: string) => void;
  onShow: (number: number) => void;
  onDelete: () => void;
  onTry: () => void;
  /** Makes a link. */
  onLink: () => Promise<string>;
}

export function StudyPanel({ lines, at, ply, happened, note, tooLong, drawing, titles, kept, file, onNote, onName, onShow, onDelete, onTry, onLink }: Props) {
  const line = lines[at];
  const draw = () => {
    drawing.setOn(!drawing.on);
    // On a phone, the board is above.
    if (!drawing.on) document.querySelector(".boards")?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div class="study">
      <p class="about"><strong>{ply === 0 ? "The beginning" : `Ply ${ply}`}</strong> {happened}</p>
      {ply > 0 && (
        <div class="glyphs" role="group" aria-label="Glyph">
          {(Object.entries(GLYPHS) as [Glyph, string][]).map(([it, name]) => (
            <button key={it} type="button" aria-label={`${it} ${name}`} title={name} aria-pressed={note.glyph === it} onClick={() => onNote({ ...note, glyph: note.glyph === it ? null : it })}>
              {it}
            </button>
          ))}
        </div>
      )}
      <Comment key={`${at} ${ply}`} note={note} onNote={onNote} />
      {tooLong !== null && (
        <p class="trouble" role="alert">
          The comment is too long. With its arrows and rings it has {tooLong.toLocaleString("en")} characters; the limit is {MOST_CHARACTERS.toLocaleString("en")}.
          The last change was not kept.
        </p>
      )}
      <p class="buttons"><button type="button" aria-pressed={drawing.on} onClick={draw}>Draw arrows and rings</button></p>
      {note.marks.length > 0 && (
        <ul class="marks" aria-label="Arrows and rings">
          {note.marks.map((it, number) => (
            <li key={number}>
              <span><i class={`ink-${it.colour}`} aria-hidden="true">{it.to === null ? "○" : "→"}</i> {inWords(it, titles)}</span>
              <button type="button" aria-label={`Remove ${inWords(it, titles)}`} onClick={() => onNote({ ...note, marks: note.marks.filter((_, one) => one !== number) })}>✕</button>
            </li>
          ))}
        </ul>
      )}
      <h3>Variations</h3>
      {lines.length < 2 && <p class="faint">No variations yet. Any move that you try begins one.</p>}
      <Lines lines={lines} at={at} onShow={onShow} />
      {line && at > 0 && (
        <p class="buttons named">
          <label>
            Name of this variation <input maxLength={100} value={readNote(noteAt(lines, at, line.at + 1)).name} onInput={(event) => onName(event.currentTarget.value)} />
          </label>
          <button type="button" onClick={() => window.confirm("Delete this variation, and those that branch from it?") && onDelete()}>Delete it</button>
        </p>
      )}
      <p class="buttons"><button type="button" onClick={onTry}>Try a move here…</button></p>
      <h3>Save and share</h3>
      <p class="buttons">
        <button type="button" class="strong" onClick={() => save(fileOf(lines), file)}>Save as a file</button>
        <Copy text={onLink}>Copy a link</Copy>
      </p>
      <p class="faint">{kept} The file and the link contain the whole record, including what is hidden from players. Some programs cut long links; a file is safer.</p>
    </div>
  );
}

/** An arrow or a ring in words. */
function inWords({ colour, from, to }: Mark, titles: ReadonlyMap<string, string>): string {
  const [start, end] = [from, to ?? ""].map((it) => titles.get(it) || it);
  return to === null ? `${colour} ring around ${start}` : `${colour} arrow from ${start} to ${end}`;
}

/** The comment. While it is written, it stays as it was typed: a glyph or an arrow in it is read, but not taken out. */
function Comment({ note, onNote }: { note: Note; onNote: (note: Note) => void }) {
  const [draft, setDraft] = useState<{ text: string; base: Note; written: string } | null>(null);
  const now = writeNote(note);
  const live = draft !== null && draft.written === now ? draft : null;
  const write = (text: string) => {
    const base = live ? live.base : note;
    const typed = readNote(text);
    const next: Note = { glyph: typed.glyph ?? base.glyph, comment: typed.comment, marks: [...base.marks, ...typed.marks], name: base.name || typed.name };
    const written = writeNote(next);
    setDraft({ text, base, written: written.length > MOST_CHARACTERS ? now : written });
    onNote(next);
  };
  return (
    <label class="comment">
      Comment
      <textarea rows={3} value={live ? live.text : note.comment} onInput={(event) => write(event.currentTarget.value)} onBlur={() => note.comment === live?.text.trim() && setDraft(null)} />
    </label>
  );
}

interface LinesProps {
  lines: Line[];
  at: number;
  onShow: (number: number) => void;
}

/** The tree of variations. */
export function Lines({ lines, at, onShow }: LinesProps) {
  if (lines.length < 2) return null;
  const branchOf = (parent: number | null) =>
    lines.flatMap((line, number) => {
      if (line.parent !== parent || (parent === null) !== (number === 0)) return [];
      const moves = () => ownActions(line).map((it, at) => line.words[at] || described(it)).join("; ");
      const label = number === 0 ? "As recorded" : `From ply ${line.at}: ${readNote(noteAt(lines, number, line.at + 1)).name || moves()}`;
      const children: preact.ComponentChild[] = branchOf(number);
      return [
        <li key={number}>
          <button type="button" aria-pressed={number === at} title={label} onClick={() => onShow(number)}>{label}</button>
          {children.length > 0 && <ul>{children}</ul>}
        </li>,
      ];
    });
  return <nav class="lines" aria-label="Variations"><ul>{branchOf(null)}</ul></nav>;
}
