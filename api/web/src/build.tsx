// Builds an action step by step: the service says what can come next. Must not know what is built.

import { useEffect, useState } from "preact/hooks";
import { legal as legalOf } from "./client";
import type { Action, Each, Eyes, Json, Schemas, Source } from "./client";
import { described, inWords } from "./lines";
import { Trouble, words } from "./parts";

interface Props {
  source: Source;
  ply: number;
  eyes: Eyes;
  player: string;
  /** The part that is already known. */
  begun: Action;
  busy: boolean;
  onTry: (action: Action, text: string | undefined) => void;
  onClose: () => void;
}

type Next = Schemas["ActionStep"];

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

export function Build({ source, ply, eyes, player, begun, busy, onTry, onClose }: Props) {
  const [course, setCourse] = useState<Action[]>([begun]);
  const [found, setFound] = useState<{ draft: Action; answer: Each<"Choices"> | null } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const draft = course[course.length - 1] as Action;
  useEffect(() => {
    const stop = new AbortController();
    legalOf(source, ply, eyes, stop.signal, draft).then(
      (it) => {
        const answer = ((it.choices ?? []) as Each<"Choices">[]).find((one) => one.player === player) ?? null;
        setFound({ draft, answer });
        setError(null);
      },
      (it: Error) => it.name !== "AbortError" && setError(it),
    );
    return () => stop.abort();
  }, [source, ply, eyes.viewer, eyes.lang, draft]);
  // Do not offer the options from before the last choice.
  const answer = found?.draft === draft ? found.answer : null;
  const draftText = JSON.stringify(draft);
  const at = answer?.actions?.findIndex((it) => JSON.stringify(it) === draftText) ?? -1;
  const text = at >= 0 ? answer?.texts?.[at] : undefined;
  const put = (pointer: string, value: Json) => setCourse([...course, placed(draft, pointer, value)]);
  return (
    <section class="build" aria-label="Build an action step by step">
      <p role="status"><strong>{text ?? described(draft)}</strong></p>
      <Trouble error={error} />
      {answer?.next?.map((it) => <Choice key={`${it.pointer} ${course.length}`} step={it} onPut={(value) => put(it.pointer, value)} />)}
      {answer && !answer.complete && answer.next?.length === 0 && <p class="faint">No legal action starts like this.</p>}
      <p class="buttons">
        <button type="button" class="strong" disabled={busy || !answer?.complete} onClick={() => onTry(draft, text)}>Try it</button>
        <button type="button" disabled={course.length < 2} onClick={() => setCourse(course.slice(0, -1))}>Undo the last choice</button>
        <button type="button" onClick={onClose}>Close</button>
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
