// The story beside the board: what each action did, in words, with the clauses behind it.

import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Schemas } from "./client";
import { Clauses, words } from "./parts";
import type { ShowClause } from "./parts";

export interface Step {
  /** The ply after it; 0 for the opening. */
  ply: number;
  lines: { text: string; told: boolean; rules: string[] }[];
}

/** What happened, ply by ply, as far as the viewer was told. */
export function stepsOf(report: Schemas["Report"], offset: number): Step[] {
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
    step.lines.push({ text: text ?? words(event.type), told: typeof text === "string", rules });
  });
  return steps;
}

const NEAR = 40;

interface Props {
  steps: Step[];
  ply: number;
  everything: boolean;
  onGo: (ply: number) => void;
  onClause: ShowClause;
}

export function Story({ steps, ply, everything, onGo, onClause }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = list.current?.parentElement;
    // Not `scrollIntoView`: the page itself stays where it is. The frame is what offsets are measured from.
    if (here && frame) frame.scrollTop = here.offsetTop - Math.max(0, frame.clientHeight - here.offsetHeight) / 2;
  }, [ply, steps]);
  // Plies of which nothing is told are one line together, unless one of them is looked at.
  const shown = useMemo(() => {
    const all: (Step | { from: number; to: number })[] = [];
    for (const step of steps) {
      const told = everything || step.lines.some((it) => it.told);
      const last = all[all.length - 1];
      if (told || step.ply === 0) all.push(step);
      else if (last && "from" in last) last.to = step.ply;
      else all.push({ from: step.ply, to: step.ply });
    }
    return all;
  }, [steps, everything]);
  // Of a long game as much as is near: more when it is asked for. The near part moves on in strides, not at every step.
  const [whole, setWhole] = useState(false);
  const at = shown.findIndex((it) => ("from" in it ? it.to : it.ply) >= ply);
  const stride = Math.floor((at < 0 ? shown.length : at) / NEAR);
  const long = !whole && shown.length > 4 * NEAR;
  const first = long ? Math.max(0, (stride - 1) * NEAR) : 0;
  const near = long ? shown.slice(first, (stride + 2) * NEAR) : shown;
  return (
    <ol class="story" ref={list}>
      {long && (
        <li class="faint">
          <span>
            {near.length} of {shown.length} steps are shown. <button type="button" onClick={() => setWhole(true)}>Show all</button>
          </span>
        </li>
      )}
      {near.map((it) =>
        "from" in it ? (
          <Quiet key={`q${it.from}`} from={it.from} to={it.to} current={ply >= it.from && ply <= it.to} onGo={onGo} />
        ) : (
          <Told key={it.ply} step={it} current={it.ply === ply} everything={everything} onGo={onGo} onClause={onClause} />
        ),
      )}
    </ol>
  );
}

function Quiet({ from, to, current, onGo }: { from: number; to: number; current: boolean; onGo: (ply: number) => void }) {
  return (
    <li class="quiet" {...(current && { "aria-current": "step" })}>
      <button type="button" class="ply" onClick={() => onGo(to)} aria-label={`Go to ply ${to}`}>{to}</button>
      <span class="faint">{from === to ? "nothing that is told" : `${to - from + 1} quiet actions`}</span>
    </li>
  );
}

const Told = memo(
  (props: { step: Step; current: boolean; everything: boolean; onGo: (ply: number) => void; onClause: ShowClause }) => {
    const { step, current, everything, onGo, onClause } = props;
    const lines = everything ? step.lines : step.lines.filter((it) => it.told);
    const body = lines.map((line, at) => (
      <p key={at} class={line.told ? "" : "faint"}>
        {line.text} <Clauses ids={line.rules} onShow={onClause} />
      </p>
    ));
    return (
      <li {...(current && { "aria-current": "step" })}>
        <button type="button" class="ply" onClick={() => onGo(step.ply)} aria-label={step.ply ? `Go to ply ${step.ply}` : "Go to ply 0, the opening"}>
          {step.ply}
        </button>
        <div>
          {step.ply === 0 && lines.length > 8 ? (
            <details>
              <summary>The opening: {lines.length} events</summary>
              {body}
            </details>
          ) : (
            body
          )}
        </div>
      </li>
    );
  },
  (a, b) => a.step === b.step && a.current === b.current && a.everything === b.everything,
);
