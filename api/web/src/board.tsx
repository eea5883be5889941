// The board: a picture that the service draws, and what can be chosen on it. Must not know what is drawn.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { picture, scene } from "./client";
import type { Action, Eyes, Json, Schemas, Source } from "./client";
import { means } from "./lines";
import { Trouble } from "./parts";
import { draw } from "./picture";

interface Props {
  name: string;
  source: Source;
  /** After how many actions of that game. */
  ply: number;
  /** How many it has. */
  last: number;
  eyes: Eyes;
  /** What may be done here: shapes that mean one of these are marked; none where nothing is to be chosen. */
  actions: Action[] | null;
  chosen: string[];
  onChoose: (choice: string, title: string) => void;
}

interface Drawn {
  svg: string;
  ply: number;
}

/** The pictures that were asked for last. */
const kept = new Map<string, Promise<string>>();
const MOST_KEPT = 16;
const sources = new WeakMap<Source, number>();
let known = 0;

/** A picture, asked for once while it is among the last. One that nobody waits for any more is forgotten. */
function pictureOf(source: Source, ply: number, eyes: Eyes, signal?: AbortSignal): Promise<string> {
  let number = sources.get(source);
  if (number === undefined) sources.set(source, (number = known += 1));
  const key = `${number} ${ply} ${eyes.viewer}`;
  const had = kept.get(key);
  if (had) return had;
  const asked = picture(source, ply, eyes, signal);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return asked;
}

let boards = 0;

/** Where a whole board would be too small to be read, it is shown so large, in percent of the width, and moved under the finger. */
const LARGER = 250;
const NARROW = "(max-width: 60rem)";
/** The least height of letters, in pixels. */
const LEAST = 11;

/** How wide a picture has to be so that what is written on it can be read. */
function legible(svg: SVGElement): number {
  if (!window.matchMedia(NARROW).matches) return 100;
  const sizes = [...svg.querySelectorAll("text")].map((it) => Number(it.getAttribute("font-size")) || LEAST);
  const unit = (svg.parentElement?.clientWidth ?? 0) / ((svg as SVGSVGElement).viewBox.baseVal.width || 1);
  return Math.min(...sizes) * unit * 1.25 < LEAST ? LARGER : 100;
}

export function Board({ name, source, ply, last, eyes, actions, chosen, onChoose }: Props) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [shown, setShown] = useState<Schemas["Depiction"] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [zoom, setZoom] = useState<number | null>(null);
  const number = useMemo(() => (boards += 1), []);
  const holder = useRef<HTMLDivElement>(null);

  // Asked before what is shown now is painted: a step is a frame shorter.
  useLayoutEffect(() => {
    const stop = new AbortController();
    const failed = (it: Error) => it.name !== "AbortError" && setError(it);
    let timer = 0;
    pictureOf(source, ply, eyes, stop.signal).then((svg) => {
      if (stop.signal.aborted) return;
      // Two boards on one page must not share the ids of their titles.
      setDrawn({ svg: svg.replaceAll(/\bscene-(title|text)\b/g, `scene-$1-${number}`), ply });
      setError(null);
      // Then what stands beside it, and what is likely to be looked at next.
      timer = window.setTimeout(() => {
        scene(source, ply, eyes, stop.signal).then(setShown, failed);
        if (ply < last) pictureOf(source, ply + 1, eyes).catch(() => undefined);
      });
    }, failed);
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [source, ply, eyes.viewer]);

  const svg = drawn?.svg ?? "";
  useLayoutEffect(() => {
    if (svg && holder.current) draw(holder.current, svg);
  }, [svg]);
  useLayoutEffect(() => {
    // What holds buttons is no single image.
    holder.current?.querySelector("svg")?.setAttribute("role", actions ? "group" : "img");
    for (const shape of holder.current?.querySelectorAll<SVGGElement>("[data-choice]") ?? []) {
      const text = shape.dataset["choice"] ?? "{}";
      const choice = JSON.parse(text) as Record<string, Json>;
      const can = actions?.some((it) => means(choice, it)) ?? false;
      shape.classList.toggle("can", can);
      shape.classList.toggle("open", actions !== null);
      shape.classList.toggle("chosen", chosen.includes(text));
      // What cannot be meant may still be tried with a pointer: the answer says why not.
      if (can || chosen.includes(text)) {
        shape.setAttribute("tabindex", "0");
        shape.setAttribute("role", "button");
        shape.setAttribute("aria-pressed", String(chosen.includes(text)));
      } else {
        for (const it of ["tabindex", "role", "aria-pressed"]) shape.removeAttribute(it);
      }
    }
  }, [svg, actions, chosen]);
  useLayoutEffect(() => {
    const it = holder.current?.querySelector<SVGElement>("svg");
    if (!it) return;
    const wide = zoom ?? legible(it);
    it.style.width = `${wide}%`;
    // Unless it is made larger, the whole of it is seen at once.
    it.classList.toggle("whole", wide === 100);
    if (wide === 100) return;
    // What just happened is in the middle, else what was there before.
    const [frame, mark] = [holder.current, it.querySelector(".mark, .arrow")];
    if (!frame || !mark) return;
    const [outer, inner] = [frame.getBoundingClientRect(), mark.getBoundingClientRect()];
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  }, [svg, zoom]);
  const size = zoom ?? (holder.current?.querySelector<SVGElement>("svg")?.classList.contains("whole") === false ? LARGER : 100);

  const choose = (event: Event) => {
    const shape = (event.target as Element).closest<SVGGElement>("[data-choice].open");
    if (!shape) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(shape.dataset["choice"] ?? "", shape.querySelector("title")?.textContent ?? "");
  };
  return (
    <section class="board" aria-label={name}>
      <div class="board-head">
        <h2>{shown?.scene.title ?? "…"}</h2>
        <span class="zoom">
          <button type="button" aria-label="Smaller" disabled={size <= 100} onClick={() => setZoom(Math.max(100, size - 50))}>−</button>
          <button type="button" aria-label="Larger" disabled={size >= 400} onClick={() => setZoom(size + 50)}>+</button>
        </span>
      </div>
      <Trouble error={error} />
      <div
        ref={holder}
        class="picture"
        data-ply={drawn?.ply}
        onClick={choose}
        onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && choose(event)}
      />
      <div class="panels">
        {shown?.scene.tables.map((table, at) => (
          <table key={at}>
            <caption>{table.title}</caption>
            {table.heads.length > 0 && (
              <thead>
                <tr>{table.heads.map((it, at) => <th key={at} scope="col">{it}</th>)}</tr>
              </thead>
            )}
            <tbody>
              {table.rows.map((row, at) => (
                <tr key={at}>{row.map((it, at) => <td key={at}>{it}</td>)}</tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </section>
  );
}
