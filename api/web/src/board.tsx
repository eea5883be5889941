// The board: a picture drawn by the service, its regions laid out for the window, on which shapes can be chosen. Must not
// know what is drawn.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Chosen } from "./choosing";
import { picture, scene } from "./client";
import type { Eyes, Json, Schemas, Source } from "./client";
import { GAP, GROUND, LEAST, arrange, letter, smallest } from "./layout";
import type { Layout } from "./layout";
import { choiceOf } from "./lines";
import type { Link, Look } from "./linked";
import { Minimap } from "./minimap";
import { Trouble } from "./parts";
import { draw } from "./picture";
import type { Region } from "./picture";
import { beside, direction, ring, unring } from "./rings";
import type { Arrow, Ring } from "./rings";
import type { Mark } from "./study";

interface Props {
  name: string;
  source: Source;
  /** The number of actions before this position. */
  ply: number;
  /** The number of actions in the game. */
  last: number;
  eyes: Eyes;
  /** Whether a shape can be chosen, by the fields that it fills in: it is marked. `null` if nothing can be chosen. */
  targets: ((choice: Record<string, Json>) => boolean) | null;
  chosen: Chosen[];
  /** A shape was chosen; others lie under it at that point. */
  onChoose: (choice: string, title: string, shape: Element, under: Chosen[]) => void;
  /** Takes back the last choice. Returns false if nothing is chosen. */
  onBack?: () => boolean;
  /** The requested picture is unavailable, and the one of this ply stays. */
  onStay?: (ply: number) => void;
  /** Every shape can be meant, also one that fills in nothing: its id is a choice, under an empty name. */
  byId?: boolean;
  /** Targets have no rings, because everything can be meant. */
  plain?: boolean;
  /** Rings and arrows of a study. Those whose shapes are not in the picture are not drawn. */
  drawings?: Mark[];
  /** What is shown, with the names of its shapes. */
  onScene?: (scene: Schemas["Depiction"]) => void;
  /** Another board that is moved and enlarged together with this one. */
  link?: Link | undefined;
  /** The ids of shapes that differ from those of the other board. */
  differs?: ReadonlySet<string> | undefined;
  /** Show the whole picture at first, in the available space. */
  within?: boolean;
}

interface Drawn {
  svg: string;
  ply: number;
  viewer: string;
}

/** The most recently requested pictures. */
const kept = new Map<string, Promise<string>>();
const MOST_KEPT = 16;
const sources = new WeakMap<Source, number>();
let known = 0;

/** A picture, cached while it is among the most recent ones. A request that nobody waits for is dropped. */
function pictureOf(source: Source, ply: number, eyes: Eyes, signal?: AbortSignal): Promise<string> {
  let number = sources.get(source);
  if (number === undefined) sources.set(source, (number = known += 1));
  const key = `${number} ${ply} ${eyes.viewer} ${eyes.lang}`;
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
const NO_DRAWINGS: Mark[] = [];

const STEP = 1.25;
/** How far an arrow key moves the picture. */
const STRIDE = 80;

/** The size of the picture: large enough to read, small enough to fit, or a number of pixels per unit. */
type Size = "read" | "fit" | number;

/** The pixels per unit at which the smallest letters can be read; the whole board if they can then, too. */
const readable = (svg: SVGSVGElement, fit: number) => Math.max(fit, LEAST / smallest(svg));

/** A point of the picture, as fractions of its size, that stays in place while the size changes. */
interface Anchor {
  part: [number, number];
  place: [number, number];
}

function anchorAt(frame: HTMLElement, place: [number, number]): Anchor {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = frame;
  return { part: [(scrollLeft + place[0]) / (scrollWidth || 1), (scrollTop + place[1]) / (scrollHeight || 1)], place };
}

const middleOf = (frame: HTMLElement) => anchorAt(frame, [frame.clientWidth / 2, frame.clientHeight / 2]).part;
/** For how many milliseconds a board that followed another one does not lead it. */
const FOLLOWS = 150;

const titleOf = (shape: Element | null | undefined) => shape?.querySelector("title")?.textContent ?? "";

export function Board({ name, source, ply, last, eyes, targets, chosen, onChoose, onBack, onStay, byId = false, plain = false, drawings = NO_DRAWINGS, onScene, link, differs, within = false }: Props) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [shown, setShown] = useState<Schemas["Depiction"] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [size, setSize] = useState<Size>("fit");
  const [room, setRoom] = useState("");
  const [whole, setWhole] = useState(true);
  const [pointed, setPointed] = useState("");
  const number = useMemo(() => (boards += 1), []);
  const holder = useRef<HTMLDivElement>(null);
  /** The board and the other regions. */
  const every = useRef<HTMLDivElement>(null);
  const strips = useRef<HTMLDivElement>(null);
  const regions = useRef<Region[]>([]);
  const layout = useRef<Layout | null>(null);
  const now = useRef({ drawn, onStay, onScene, size });
  now.current = { drawn, onStay, onScene, size };
  /** When this board last followed another one. */
  const following = useRef(-Infinity);
  /** Goes back to what is drawn, because the requested picture is unavailable; the error message stays. */
  const stayed = useRef(false);
  const pixels = useRef(1);
  const anchor = useRef<Anchor | null>(null);
  const dragged = useRef(false);
  /** The ply that was drawn before. */
  const was = useRef<number | null>(null);
  const meant = byId ? "[data-id]:has(> title:not(:empty))" : "[data-choice]";
  /** What choosing a shape fills in, as text. */
  const choiceAt = ({ dataset: { choice, id } }: SVGGElement) => (byId ? JSON.stringify({ ...JSON.parse(choice ?? "{}"), "": id }) : (choice ?? ""));
  const svgOf = () => holder.current?.querySelector<SVGSVGElement>(":scope > svg") ?? null;
  /** The pictures of all regions, the board first. */
  const svgs = () => [...(every.current?.querySelectorAll<SVGSVGElement>(".picture > svg, .strip > svg") ?? [])];

  // Request before the current picture is painted: that makes a step one frame shorter.
  useLayoutEffect(() => {
    const stop = new AbortController();
    const failed = (it: Error) => it.name !== "AbortError" && setError(it);
    let timer = 0;
    pictureOf(source, ply, eyes, stop.signal).then((svg) => {
      if (stop.signal.aborted) return;
      // Two boards on one page must not share ids, neither of titles nor of referenced shapes.
      const own = svg.replaceAll(/\bscene-(title|text)\b/g, `scene-$1-${number}`).replaceAll(/( id="| href="#)s-/g, `$1s${number}-`);
      setDrawn({ svg: own, ply, viewer: eyes.viewer });
      if (!stayed.current) setError(null);
      stayed.current = false;
      // Then load the data beside it, and what is likely to be viewed next.
      timer = window.setTimeout(() => {
        scene(source, ply, eyes, stop.signal).then((it) => {
          setShown(it);
          now.current.onScene?.(it);
        }, failed);
        if (ply < last) pictureOf(source, ply + 1, eyes).catch(() => undefined);
      });
    }, (it: Error) => {
      failed(it);
      const { drawn, onStay } = now.current;
      if (stop.signal.aborted || !drawn) return;
      if (drawn.viewer !== eyes.viewer) {
        // Do not show the view of another viewer instead.
        setDrawn(null);
        setShown(null);
      } else if (drawn.ply !== ply && onStay) {
        stayed.current = true;
        onStay(drawn.ply);
      }
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [source, ply, eyes.viewer, eyes.lang]);

  const svg = drawn?.svg ?? "";
  useLayoutEffect(() => {
    const [frame, others] = [holder.current, strips.current];
    if (!frame || !others) return;
    for (const it of svgs()) unring(it);
    setPointed("");
    if (!svg) {
      frame.replaceChildren();
      others.replaceChildren();
      regions.current = [];
      return;
    }
    const hold = ([id]: Region, first: boolean): HTMLElement => {
      if (first) return frame;
      const there = [...others.children].find((it) => (it as HTMLElement).dataset["strip"] === id);
      if (there) return there as HTMLElement;
      const strip = document.createElement("div");
      strip.className = "strip";
      strip.dataset["strip"] = id;
      others.append(strip);
      return strip;
    };
    // Only a step to the next or the previous position is shown as a motion.
    const near = drawn !== null && was.current !== null && Math.abs(drawn.ply - was.current) === 1;
    was.current = drawn?.ply ?? null;
    regions.current = draw(svg, hold, near);
    const known = new Set(regions.current.map(([id]) => id));
    for (const it of [...others.children]) if (!known.has((it as HTMLElement).dataset["strip"] ?? "")) it.remove();
  }, [svg]);

  /** Marks the shapes that can be chosen, the chosen ones, and the one with keyboard focus. */
  const mark = () => {
    const at = document.activeElement?.closest("[data-id]");
    for (const svg of svgs()) {
      const marks: [Element, Ring][] = [];
      const named = (id: string) => svg.querySelector(`:scope > [data-id="${CSS.escape(id)}"]`);
      const arrows: Arrow[] = [];
      if (!plain) for (const it of svg.querySelectorAll(".can")) if (!it.classList.contains("chosen")) marks.push([it, "can"]);
      for (const it of svg.querySelectorAll<SVGGElement>("[data-id]")) if (differs?.has(it.dataset["id"] ?? "")) marks.push([it, "differs"]);
      for (const { colour, from, to } of drawings) {
        const [shape, other] = [named(from), to === null ? null : named(to)];
        if (shape && to === null) marks.push([shape, colour]);
        else if (shape && other) arrows.push({ from: shape, to: other, colour });
      }
      for (const it of svg.querySelectorAll(".chosen")) marks.push([it, "chosen"]);
      if (at && svg.contains(at)) marks.push([at, "focus"]);
      ring(svg, marks, arrows);
    }
  };
  const marking = useRef(mark);
  marking.current = mark;
  useLayoutEffect(() => {
    // With buttons in it, it is not a single image.
    svgOf()?.setAttribute("role", targets ? "group" : "img");
    let first = true;
    // All shapes: what could be meant before may not be meant any more.
    for (const shape of svgs().flatMap((it) => [...it.querySelectorAll<SVGGElement>("[data-id]")])) {
      const text = shape.matches(meant) ? choiceAt(shape) : null;
      const can = text !== null && (targets?.(choiceOf(text)) ?? false);
      const had = chosen.some((it) => it.choice === text);
      shape.classList.toggle("can", can);
      shape.classList.toggle("open", text !== null && targets !== null);
      shape.classList.toggle("chosen", had);
      // Other shapes can still be tried with a pointer: the response says why not.
      if (can || had) {
        // A single tab stop for all: the arrow keys move between them.
        shape.setAttribute("tabindex", first ? "0" : "-1");
        first = false;
        shape.setAttribute("role", "button");
        shape.setAttribute("aria-pressed", String(had));
      } else if (shape !== document.activeElement) {
        for (const it of ["tabindex", "role", "aria-pressed"]) shape.removeAttribute(it);
      }
    }
    mark();
  }, [svg, targets, chosen, differs, drawings, byId]);

  // The available space, as far as it determines the size.
  useEffect(() => {
    const around = every.current;
    if (!around) return;
    const measure = () => setRoom(`${around.offsetWidth} ${roomOf(around)}`);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(around);
    const boards = around.closest(".boards");
    if (boards) watch.observe(boards);
    window.addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, []);
  /** The height that the board may have. */
  const roomOf = (around: HTMLElement) =>
    within ? around.offsetHeight : Number.parseFloat(getComputedStyle(around).maxHeight) || window.innerHeight;
  const tables = (shown?.scene.tables.length ?? 0) > 0;
  useLayoutEffect(() => {
    const [frame, it, around, others] = [holder.current, svgOf(), every.current, strips.current];
    if (!frame || !it || !around || !others) return;
    const made = arrange(around.offsetWidth, roomOf(around), regions.current, tables);
    layout.current = made;
    around.classList.toggle("beside", made.side);
    const place = frame.parentElement as HTMLElement;
    place.style.width = made.side ? `${Math.floor(made.width)}px` : "";
    place.style.height = `${Math.floor(made.height)}px`;
    others.parentElement?.style.setProperty("width", made.side ? `${Math.floor(made.column)}px` : "");
    others.parentElement?.style.setProperty("max-height", made.side ? `${Math.floor(made.height)}px` : "");
    others.style.gap = `${GAP}px`;
    const rows = Math.ceil((regions.current.length - 1) / made.columns);
    others.style.gridTemplateRows = made.side ? `repeat(${rows}, auto)` : "";
    for (const [at, svg] of svgs().slice(1).entries()) {
      const [, , [, , width, height]] = regions.current[at + 1] ?? ["", "", [0, 0, 1, 1]];
      svg.style.width = `${Math.floor(width * made.strips)}px`;
      svg.style.height = `${Math.floor(height * made.strips)}px`;
      letter(svg, made.strips);
    }
    const fit = made.board;
    const next = typeof size === "number" ? Math.max(fit, size) : size === "fit" ? fit : readable(it, fit);
    const { width, height } = it.viewBox.baseVal;
    const fresh = it.style.width === "";
    pixels.current = next;
    it.style.width = `${Math.floor(width * next)}px`;
    it.style.height = `${Math.floor(height * next)}px`;
    letter(it, next);
    const all = next <= fit * 1.001;
    setWhole(all);
    frame.classList.toggle("moves", !all);
    if (all) return;
    const at = anchor.current;
    anchor.current = null;
    if (at || fresh) {
      const { part, place } = at ?? { part: [0.5, 0.5], place: [frame.clientWidth / 2, frame.clientHeight / 2] };
      frame.scrollLeft = part[0] * frame.scrollWidth - place[0];
      frame.scrollTop = part[1] * frame.scrollHeight - place[1];
    }
    if (at) return;
    // Center what just happened on the board, unless it is visible already.
    const marked = it.querySelector(".mark:not(.selected), .arrow");
    if (!marked) return;
    const [outer, inner] = [frame.getBoundingClientRect(), marked.getBoundingClientRect()];
    if (inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  }, [svg, size, room, tables]);

  const zoomTo = (next: Size, place?: [number, number]) => {
    const frame = holder.current;
    if (!frame) return;
    anchor.current = anchorAt(frame, place ?? [frame.clientWidth / 2, frame.clientHeight / 2]);
    setSize(next);
    link?.tell({ size: next, part: middleOf(frame) }, follow);
  };
  /** Shows what the other board shows. */
  const follow = useMemo(() => ({ size, part }: Look) => {
    const frame = holder.current;
    if (!frame) return;
    following.current = performance.now();
    anchor.current = { part, place: [frame.clientWidth / 2, frame.clientHeight / 2] };
    setSize(size);
    frame.scrollLeft = part[0] * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = part[1] * frame.scrollHeight - frame.clientHeight / 2;
  }, []);
  useEffect(() => {
    const frame = holder.current;
    if (!link || !frame) return;
    // A board that follows does not lead.
    const scrolled = () => {
      if (performance.now() - following.current > FOLLOWS) link.tell({ size: now.current.size, part: middleOf(frame) }, follow);
    };
    frame.addEventListener("scroll", scrolled);
    const leave = link.join(follow);
    return () => {
      frame.removeEventListener("scroll", scrolled);
      leave();
    };
  }, [link]);
  const larger = (by: number, place?: [number, number]) => {
    const [it, fit] = [svgOf(), layout.current?.board];
    if (!it || fit === undefined) return;
    const next = Math.min(pixels.current * by, 4 * readable(it, fit));
    zoomTo(next <= fit ? "fit" : next, place);
  };
  const doing = useRef(larger);
  doing.current = larger;

  // Ctrl and the wheel zoom, as in maps; the wheel alone scrolls.
  useEffect(() => {
    const frame = holder.current;
    if (!frame) return;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      doing.current(event.deltaY < 0 ? STEP : 1 / STEP, [event.clientX - left, event.clientY - top]);
    };
    frame.addEventListener("wheel", wheel, { passive: false });
    return () => frame.removeEventListener("wheel", wheel);
  }, []);

  /** The shapes at a point of the picture that it may mean: first the topmost that can be chosen. */
  const choicesAt = ({ clientX, clientY }: MouseEvent): SVGGElement[] => {
    const board = holder.current?.closest(".board");
    const all = document.elementsFromPoint(clientX, clientY).flatMap((it) => {
      const shape = board?.contains(it) ? it.closest<SVGGElement>(`${meant}.open`) : null;
      return shape ? [shape] : [];
    });
    const first = all.find((it) => it.matches(".can, .chosen"));
    return first ? [first, ...all.filter((it) => it !== first)] : all;
  };
  const chosenAt = (shapes: SVGGElement[]) => {
    const [shape, ...under] = shapes.map((it) => ({ choice: choiceAt(it), title: titleOf(it) }));
    if (shape && shapes[0]) latest.current(shape.choice, shape.title, shapes[0], under);
  };
  /** Drags a figure onto its target: both are chosen. */
  const carry = (event: PointerEvent, shape: SVGGElement) => {
    const from = { x: event.clientX, y: event.clientY };
    const scale = shape.getScreenCTM()?.a ?? 1;
    let ghost: SVGGElement | null = null;
    const move = (event: PointerEvent) => {
      const by = [event.clientX - from.x, event.clientY - from.y] as const;
      if (!ghost && Math.hypot(...by) < 6) return;
      if (!ghost) {
        dragged.current = true;
        ghost = shape.cloneNode(true) as SVGGElement;
        ghost.setAttribute("class", "ghost");
        for (const it of ["data-id", "data-choice"]) ghost.removeAttribute(it);
        shape.ownerSVGElement?.append(ghost);
        if (!shape.classList.contains("chosen")) chosenAt([shape]);
      }
      ghost.setAttribute("transform", `translate(${by[0] / scale} ${by[1] / scale})`);
    };
    const end = (event: PointerEvent) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const targets = event.type === "pointerup" ? choicesAt(event) : [];
      if (targets[0] !== shape) chosenAt(targets);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  };
  // A drag begins in one rendering and ends in another.
  const latest = useRef(onChoose);
  latest.current = onChoose;

  /** Drags the picture with the mouse. Touch does that by itself. */
  const drag = (event: PointerEvent) => {
    dragged.current = false;
    const frame = holder.current;
    const carried = event.button === 0 ? choicesAt(event)[0] : undefined;
    if (carried?.matches(".can, .chosen") && !carried.matches(GROUND)) return carry(event, carried);
    if (!frame?.contains(event.target as Node) || event.pointerType !== "mouse" || event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
    const move = (event: PointerEvent) => {
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!dragged.current && Math.hypot(x, y) < 5) return;
      dragged.current = true;
      frame.classList.add("dragged");
      frame.scrollLeft = from.left - x;
      frame.scrollTop = from.top - y;
    };
    const end = () => {
      frame.classList.remove("dragged");
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  };

  const shapeAt = (event: Event) => (event.target as Element).closest<SVGGElement>("[data-id]");
  const choose = (event: Event) => {
    const at = shapeAt(event);
    setPointed(titleOf(at));
    if (dragged.current) return;
    const own = (event.target as Element).closest<SVGGElement>(`${meant}.open`);
    const shapes = event instanceof MouseEvent ? choicesAt(event) : own ? [own] : [];
    if (shapes.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    chosenAt(shapes);
  };
  /** Moves the keyboard focus to a shape. */
  const enter = (shape: Element | null | undefined) => {
    if (!shape) return;
    svgOf()?.setAttribute("role", "group");
    if (!shape.hasAttribute("tabindex")) {
      shape.setAttribute("tabindex", "-1");
      shape.setAttribute("role", "img");
      shape.setAttribute("aria-label", titleOf(shape));
    }
    (shape as SVGGElement).focus({ preventScroll: true });
    shape.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const key = (event: KeyboardEvent) => {
    const [frame, svg] = [holder.current, svgOf()];
    if (!frame || !svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const arrow = event.key.startsWith("Arrow");
    const on = event.target === frame ? null : shapeAt(event);
    const shapes = svgs().flatMap((it) => [...it.querySelectorAll(targets ? ".can, .chosen" : "[data-id]")]);
    const reached = shapes.filter((it) => titleOf(it) !== "");
    if (["+", "=", "-", "0"].includes(event.key)) {
      done();
      if (event.key === "0") zoomTo("fit");
      else larger(event.key === "-" ? 1 / STEP : STEP);
    } else if (on && arrow) {
      done();
      enter(beside(on, event.key, reached));
    } else if (event.key === "Escape" && onBack?.()) {
      done();
    } else if (on && event.key === "Escape") {
      done();
      frame.focus();
    } else if (on && (event.key === "Enter" || event.key === " ")) {
      choose(event);
      done();
    } else if (!on && event.key === "Enter") {
      done();
      // The topmost shape is most likely the intended one.
      enter(targets ? reached[0] : reached.reverse().find((it) => it.hasAttribute("data-choice") && svg.contains(it)) ?? reached[0]);
    } else if (!on && arrow && !whole) {
      done();
      const [x, y] = direction(event.key);
      frame.scrollBy(x * STRIDE, y * STRIDE);
    }
  };
  return (
    <section class="board" aria-label={name} lang={eyes.lang}>
      <div class="board-head">
        <h2>{shown?.scene.title ?? "…"}</h2>
        <span class="zoom">
          <button type="button" aria-label="Smaller" title="Smaller (−)" disabled={whole} onClick={() => larger(1 / STEP)}>−</button>
          <button type="button" aria-label="Larger" title="Larger (+, or ctrl and mouse wheel)" onClick={() => larger(STEP)}>+</button>
          <button type="button" aria-pressed={whole} title="Fit the whole board (0), or make it large enough to read" onClick={() => zoomTo(whole ? "read" : "fit")}>Fit</button>
        </span>
      </div>
      <Trouble error={error} />
      <div
        ref={every}
        class="regions"
        onClick={choose}
        onPointerDown={drag}
        onKeyDown={key}
        onPointerOver={(event) => event.pointerType === "mouse" && setPointed(titleOf(shapeAt(event)))}
        onPointerLeave={(event) => event.pointerType === "mouse" && setPointed("")}
        onFocusIn={(event) => {
          setPointed(titleOf(shapeAt(event)));
          mark();
        }}
        onFocusOut={() => {
          setPointed("");
          window.setTimeout(() => marking.current());
        }}
      >
        <div class="frame">
          <div
            ref={holder}
            class="picture"
            data-ply={drawn?.ply}
            tabIndex={0}
            role="group"
            aria-label={`${name}: plus and minus zoom, zero fits the whole board, arrow keys scroll, enter moves to the shapes on it`}
            onMouseDown={(event) => event.preventDefault()}
          />
          {!whole && shown && <Minimap scene={shown.scene} frame={holder} size={size} room={room} />}
          {pointed && <p class="pointed">{pointed}</p>}
        </div>
        <div class="aside">
          <div ref={strips} class="strips" />
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
        </div>
      </div>
    </section>
  );
}
