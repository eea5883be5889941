// The story beside the board: the events of each action as text, with the clauses behind them.

import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Clauses, name, words } from "./parts";
import type { Names, ShowClause } from "./parts";
import { GLYPHS, readNote } from "./study";
import type { Glyph } from "./study";

export interface Step {
  /** The ply after it; 0 for the opening. */
  ply: number;
  lines: Line[];
}

interface Line {
  text: string;
  /** Whether the service sent a text; otherwise only the public fields are shown. */
  told: boolean;
  /** The type of the event. */
  type: string;
  rules: string[];
}

/** Events that start or end a turn or round, in any game: they leave a gap in the story. */
const TURNS = /(^|_)(turn|round)_(started|ended)$/;
/** Events that only report progress. */
const PHASES = /(^|_)(phase|step|stage)_(started|ended)$/;
/** Fields of events that are not about what happened. */
const ASIDE = ["ply", "opening", "type", "rule", "rules", "section"];

/** An event without a text: its type, and the fields that the viewer may know. */
function bare(event: object, names: Names): string {
  const { type } = event as { type: string };
  const parts = Object.entries(event).flatMap(([key, value]) => {
    if (ASIDE.includes(key) || value === null || typeof value === "object") return [];
    const text = typeof value === "string" ? (value in names ? name(names, value) : words(value)) : String(value);
    return [`${words(key)} ${text}`];
  });
  return parts.length > 0 ? `${words(type)}: ${parts.join(", ")}` : words(type);
}

/** An event of any game. */
export interface GameEvent {
  ply: number;
  opening?: boolean;
  type: string;
  rule?: string;
  rules?: string[];
}

/** What was told of a game: the events, and their texts. */
export interface Told {
  events?: GameEvent[];
  texts?: (string | null)[];
}

/** The events ply by ply, as far as the viewer may know them. */
export function stepsOf(report: Told, offset: number, names: Names): Step[] {
  const steps: Step[] = [];
  const texts = report.texts ?? [];
  (report.events ?? []).forEach((event, at) => {
    const ply = offset + (event.opening ? 0 : event.ply + 1);
    let step = steps[steps.length - 1];
    if (!step || step.ply !== ply) {
      step = { ply, lines: [] };
      steps.push(step);
    }
    const text = texts[at];
    const rules = event.rules ?? (event.rule ? [event.rule] : []);
    step.lines.push({ text: text ?? bare(event, names), told: typeof text === "string", type: event.type, rules });
  });
  return steps;
}

/** Lines as running text: some end like a sentence, others do not. */
export const sentences = (lines: string[]) => lines.map((it) => (/[.!?)]$/.test(it) ? it : `${it}.`)).join(" ");

const NEAR = 40;

interface FinderProps {
  steps: Step[];
  ply: number;
  onGo: (ply: number) => void;
}

/** Finds words in the story, and kinds of events: the next turn, or whatever else has happened in it. */
export function Finder({ steps, ply, onGo }: FinderProps) {
  const [wanted, setWanted] = useState("");
  const [kind, setKind] = useState("");
  const kinds = useMemo(() => {
    const count = new Map<string, number>();
    for (const it of steps.flatMap((step) => step.lines)) count.set(it.type, (count.get(it.type) ?? 0) + 1);
    return [...count].sort(([a], [b]) => Number(TURNS.test(b)) - Number(TURNS.test(a)) || a.localeCompare(b));
  }, [steps]);
  const text = wanted.trim().toLowerCase();
  const hits = useMemo(() => {
    if (!text && !kind) return [];
    const fits = (it: Line) => (!kind || it.type === kind) && it.text.toLowerCase().includes(text);
    return steps.filter((it) => it.lines.some(fits)).map((it) => it.ply);
  }, [steps, text, kind]);
  const before = hits.filter((it) => it < ply).pop();
  const after = hits.find((it) => it > ply);
  const go = (to: number | undefined) => to !== undefined && onGo(to);
  return (
    <form
      class="finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go(after ?? hits[0]);
      }}
    >
      <input type="search" aria-label="Search the story" placeholder="Search the story" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      <select aria-label="Kind of event" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
        <option value="">every kind</option>
        {kinds.map(([it, count]) => <option key={it} value={it}>{words(it)} ({count})</option>)}
      </select>
      <button type="button" disabled={before === undefined} aria-label="Previous one found" onClick={() => go(before)}>‹</button>
      <button type="submit" disabled={hits.length === 0} aria-label="Next one found">›</button>
      <span class="faint" role="status">{(text || kind) && `${hits.length} found`}</span>
    </form>
  );
}

interface Props {
  steps: Step[];
  ply: number;
  everything: boolean;
  /** What was noted about actions, by the ply after them. */
  notes?: ReadonlyMap<number, string>;
  onGo: (ply: number) => void;
  onClause: ShowClause;
}

const NO_NOTES: ReadonlyMap<number, string> = new Map();

export function Story({ steps, ply, everything, notes = NO_NOTES, onGo, onClause }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = list.current?.parentElement;
    // Not `scrollIntoView`, which would scroll the page itself. Offsets are relative to the frame.
    if (here && frame) frame.scrollTop = here.offsetTop - Math.max(0, frame.clientHeight - here.offsetHeight) / 2;
  }, [ply, steps]);
  // Plies that only report progress, or that have no text, share one line.
  const shown = useMemo(() => {
    const all: (Step | Run)[] = [];
    for (const step of steps) {
      const last = all[all.length - 1];
      const quiet = !everything && step.ply > 0 && !notes.has(step.ply) && step.lines.every((it) => PHASES.test(it.type) && !TURNS.test(it.type));
      if (!quiet) all.push(step);
      else if (last && "run" in last) last.run.push(step);
      else all.push({ run: [step] });
    }
    return all.map((it) => ("run" in it && it.run.length === 1 && it.run[0] ? it.run[0] : it));
  }, [steps, everything, notes]);
  // Of a long game only the nearby part is shown, and all of it on request. The part moves in strides, not at every step.
  const [whole, setWhole] = useState(false);
  const at = shown.findIndex((it) => lastOf(it) >= ply);
  const stride = Math.floor((at < 0 ? shown.length : at) / NEAR);
  const long = !whole && shown.length > 4 * NEAR;
  const first = long ? Math.max(0, (stride - 1) * NEAR) : 0;
  const near = long ? shown.slice(first, (stride + 2) * NEAR) : shown;
  // A single tab stop for the whole story: up and down move through it.
  const [reachedPly, setReached] = useState<number | null>(null);
  useEffect(() => setReached(null), [ply, steps]);
  const key = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = (event.target as Element).closest("li");
    if (!by || !row || !list.current) return;
    const rows = [...list.current.querySelectorAll("li:has(.ply)")];
    const next = rows[rows.indexOf(row) + by]?.querySelector<HTMLElement>(".ply");
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  const focused = (event: FocusEvent) => {
    const row = (event.target as Element).closest("li");
    const text = row?.querySelector(".ply")?.textContent;
    if (text) setReached(Number(text));
  };
  return (
    <ol class="story" ref={list} onKeyDown={key} onFocusIn={focused}>
      {long && (
        <li class="faint">
          <span>
            Showing {near.length} of {shown.length} steps. <button type="button" onClick={() => setWhole(true)}>Show all</button>
          </span>
        </li>
      )}
      {near.map((it) => {
        const current = "run" in it ? it.run.some((one) => one.ply === ply) : it.ply === ply;
        const reached = reachedPly === null ? current : reachedPly === lastOf(it);
        return "run" in it ? (
          <Quiet key={`q${lastOf(it)}`} run={it.run} current={current} reached={reached} onGo={onGo} />
        ) : (
          <Told key={it.ply} step={it} note={notes.get(it.ply)} current={current} reached={reached} everything={everything} onGo={onGo} onClause={onClause} />
        );
      })}
    </ol>
  );
}

/** Plies that share one line. */
interface Run {
  run: Step[];
}

const lastOf = (it: Step | Run): number => ("run" in it ? (it.run[it.run.length - 1]?.ply ?? 0) : it.ply);

function Quiet({ run, current, reached, onGo }: { run: Step[]; current: boolean; reached: boolean; onGo: (ply: number) => void }) {
  const to = lastOf({ run });
  const texts = run.flatMap((it) => it.lines.filter((one) => one.told).map((one) => one.text));
  return (
    <li class="quiet" {...(current && { "aria-current": "step" })}>
      <button type="button" class="ply" tabIndex={reached ? 0 : -1} onClick={() => onGo(to)} aria-label={`Go to ply ${to}`}>{to}</button>
      <span class="faint">{texts.length > 0 ? texts.join("; ") : `${run.length} quiet actions`}</span>
    </li>
  );
}

/** The number of lines from which similar ones are folded, and how many similar ones are needed. */
const MANY = 6;
const ALIKE = 4;

/** Lines, with many similar ones grouped together. */
export function folded(lines: Line[]): Line[][] {
  if (lines.length <= MANY) return lines.map((it) => [it]);
  const groups: Line[][] = [];
  for (const it of lines) {
    const last = groups[groups.length - 1];
    if (last?.[0]?.type === it.type && last[0].told === it.told) last.push(it);
    else groups.push([it]);
  }
  return groups.flatMap((it) => (it.length >= ALIKE ? [it] : it.map((one) => [one])));
}

/** A glyph, which screen readers read as a word. */
export const GlyphSign = ({ glyph }: { glyph: Glyph }) => <b class="glyph" role="img" aria-label={`${GLYPHS[glyph]} move`} title={GLYPHS[glyph]}>{glyph}</b>;

const Told = memo(
  (props: { step: Step; note: string | undefined; current: boolean; reached: boolean; everything: boolean; onGo: (ply: number) => void; onClause: ShowClause }) => {
    const { step, note, current, reached, everything, onGo, onClause } = props;
    const { glyph, comment } = readNote(note ?? "");
    const told = step.lines.filter((it) => it.told);
    const lines = everything || told.length === 0 ? step.lines : told;
    const line = (it: Line, at: number) => (
      <p key={at} class={`${it.told ? "" : "faint"}${TURNS.test(it.type) ? " turn" : ""}`}>
        {it.text} <Clauses ids={it.rules} onShow={onClause} reached={reached} />
      </p>
    );
    const body = folded(lines).map((group, at) =>
      group.length === 1 && group[0] ? line(group[0], at) : (
        <details key={at}>
          <summary tabIndex={reached ? 0 : -1}>{group[0]?.text} <span class="faint">and {group.length - 1} more like it</span></summary>
          {group.map(line)}
        </details>
      ),
    );
    return (
      <li {...(current && { "aria-current": "step" })}>
        <button type="button" class="ply" tabIndex={reached ? 0 : -1} onClick={() => onGo(step.ply)} aria-label={step.ply ? `Go to ply ${step.ply}` : "Go to ply 0, the opening"}>
          {step.ply}
        </button>
        {glyph && <GlyphSign glyph={glyph} />}
        <div>
          {body}
          {comment && <p class="note"><span class="hidden">Comment: </span><bdi>{comment}</bdi></p>}
        </div>
      </li>
    );
  },
  (a, b) => a.step === b.step && a.note === b.note && a.current === b.current && a.reached === b.reached && a.everything === b.everything,
);
