// Builds an action step by step: the service says what can come next. Must not know what is built.

import { useEffect, useState } from "preact/hooks";
import { valueFor } from "./choosing";
import type { Next } from "./choosing";
import { legal as legalOf } from "./client";
import type { Action, Each, Eyes, Json, Source } from "./client";
import { described, inWords } from "./lines";
import { Trouble, words } from "./parts";

/** An action that is being built. */
export interface Building {
  built: { player: string; type: string } | null;
  draft: Action | null;
  /** The draft in words. */
  text: string;
  /** What the service says of the draft; `null` until it has. */
  answer: Each<"Choices"> | null;
  /** The number of choices so far. */
  choices: number;
  error: unknown;
  /** Begins with the parts that are known, and what was chosen on the board. */
  start: (begun: Action, choices?: Record<string, Json>[]) => void;
  put: (pointer: string, value: Json) => void;
  undo: () => void;
  close: () => void;
}

/** A copy of an action with a value at a JSON pointer, in which `-` appends. */
export function placed(action: Action, pointer: string, value: Json): Action {
  const copy = structuredClone(action) as { [key: string]: Json };
  const keys = pointer.slice(1).split("/").map((it) => it.replaceAll("~1", "/").replaceAll("~0", "~"));
  let into: Json = copy;
  keys.forEach((key, at) => {
    const last = at === keys.length - 1;
    const fresh: Json = last ? value : keys[at + 1] === "-" || /^\d+$/.test(keys[at + 1] ?? "") ? [] : {};
    if (Array.isArray(into)) {
      const index: number = key === "-" ? into.length : Number(key);
      if (last || into[index] === undefined) into[index] = fresh;
      into = into[index] ?? null;
    } else if (into !== null && typeof into === "object") {
      if (last || into[key] === undefined) into[key] = fresh;
      into = into[key] ?? null;
    }
  });
  return copy as Action;
}

/** A place as text: the names along its path. */
const placeOf = (pointer: string) =>
  pointer.slice(1).split("/").filter((it) => it !== "-").map((it) => (/^\d+$/.test(it) ? String(Number(it) + 1) : words(it))).join(", ") || "what";

export function useBuild(source: Source, ply: number, eyes: Eyes): Building {
  const [course, setCourse] = useState<Action[]>([]);
  const [pending, setPending] = useState<Record<string, Json>[]>([]);
  const [found, setFound] = useState<{ draft: Action; answer: Each<"Choices"> | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const draft = course[course.length - 1] ?? null;
  useEffect(() => {
    if (!draft) return;
    const stop = new AbortController();
    legalOf(source, ply, eyes, stop.signal, draft).then(
      (it) => {
        const answer = ((it.choices ?? []) as Each<"Choices">[]).find((one) => one.player === draft.player) ?? null;
        setFound({ draft, answer });
        setError(null);
        // What was chosen on the board before comes first, as far as it can be chosen here.
        const [choice, ...rest] = pending;
        if (!choice) return;
        setPending(rest);
        const value = valueFor(answer?.next ?? [], choice);
        if (value) setCourse([...course, placed(draft, value.pointer, value.value)]);
      },
      (it: Error) => it.name !== "AbortError" && setError(it),
    );
    return () => stop.abort();
  }, [source, ply, eyes.viewer, eyes.lang, draft, pending]);
  // Do not offer the options from before the last choice.
  const answer = draft && found?.draft === draft ? found.answer : null;
  const draftText = JSON.stringify(draft);
  const at = answer?.actions?.findIndex((it) => JSON.stringify(it) === draftText) ?? -1;
  const text = (at >= 0 ? answer?.texts?.[at] : undefined) ?? (draft ? described(draft) : "");
  return {
    built: draft && { player: draft.player ?? "", type: draft.type ?? "" },
    draft,
    text,
    answer,
    choices: course.length - 1,
    error,
    start: (begun, choices = []) => {
      setCourse([begun]);
      setPending(choices);
    },
    put: (pointer, value) => draft && setCourse([...course, placed(draft, pointer, value)]),
    undo: () => setCourse(course.slice(0, -1)),
    close: () => setCourse([]),
  };
}

interface Props {
  building: Building;
  busy: boolean;
  /** What the button says that plays it. */
  label: string;
  onTry: (action: Action, text: string) => void;
}

export function Build({ building, busy, label, onTry }: Props) {
  const { draft, answer, text, choices, error, put, undo, close } = building;
  if (!draft) return null;
  return (
    <section class="build" aria-label="Build an action step by step">
      <p role="status"><strong>{text}</strong></p>
      <Trouble error={error} />
      {answer?.next?.map((it) => <Choice key={`${it.pointer} ${choices}`} step={it} onPut={(value) => put(it.pointer, value)} />)}
      {answer && !answer.complete && answer.next?.length === 0 && <p class="faint">No legal action starts like this.</p>}
      <p class="buttons">
        <button type="button" class="strong" disabled={busy || !answer?.complete} onClick={() => onTry(draft, text)}>{label}</button>
        <button type="button" disabled={choices < 1} onClick={undo}>Undo the last choice</button>
        <button type="button" onClick={close}>Close</button>
      </p>
    </section>
  );
}

/** A few values become buttons, many a list, numbers an input with their bounds. */
const FEW = 8;

function Choice({ step, onPut }: { step: Next; onPut: (value: Json) => void }) {
  const [value, setValue] = useState(String(step.least ?? ""));
  const values = step.values as Json[] | undefined;
  const label = placeOf(step.pointer);
  if (values && values.length <= FEW) {
    return (
      <p class="choice" role="group" aria-label={label}>
        <span>{label}</span>
        {values.map((it) => <button key={JSON.stringify(it)} type="button" onClick={() => onPut(it)}>{inWords(it)}</button>)}
      </p>
    );
  }
  if (values) {
    return (
      <p class="choice">
        <label>
          {label}{" "}
          <select value="" onChange={(event) => event.currentTarget.value && onPut(JSON.parse(event.currentTarget.value) as Json)}>
            <option value="">choose…</option>
            {values.map((it) => <option key={JSON.stringify(it)} value={JSON.stringify(it)}>{inWords(it)}</option>)}
          </select>
        </label>
      </p>
    );
  }
  return (
    <form
      class="choice"
      onSubmit={(event) => {
        event.preventDefault();
        onPut(step.text ? value : Number(value));
      }}
    >
      <label>
        {label}{!step.text && ` (${step.least} to ${step.most})`}{" "}
        {step.text ? (
          <input required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        ) : (
          <input type="number" min={step.least ?? 0} max={step.most ?? 0} required value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        )}
      </label>{" "}
      <button type="submit">Choose</button>
    </form>
  );
}
