// Marks on top of a picture: shapes that can be chosen, that differ from those of another board, chosen shapes, and the one with keyboard focus;
// rings and arrows of a study. Drawn dark and light, so that they are visible on every colour. Must not know what is drawn.

import type { Colour } from "./study";

export type Ring = "can" | "differs" | "chosen" | "focus" | Colour;

/** An arrow from a shape to another one. */
export interface Arrow {
  from: Element;
  to: Element;
  colour: Colour;
}

const SVG = "http://www.w3.org/2000/svg";

const DRAWN = ":is(use, path, rect, circle, ellipse, polygon, polyline, line):not(.shadow)";

/** Removes the marks. */
export function unring(svg: Element): void {
  svg.querySelector(":scope > .rings")?.remove();
}

/** Marks shapes, the later ones on top, and draws arrows between them. */
export function ring(svg: Element, marks: [Element, Ring][], arrows: Arrow[] = []): void {
  unring(svg);
  if (marks.length + arrows.length === 0) return;
  const over = document.createElementNS(SVG, "g");
  over.setAttribute("class", "rings");
  over.setAttribute("aria-hidden", "true");
  for (const [shape, kind] of marks) {
    const outline = shape.querySelector(DRAWN);
    if (!outline) continue;
    for (const stroke of ["dark", "light"]) {
      const line = drawn(svg, outline).cloneNode(false) as Element;
      if (outline.localName === "use") {
        line.removeAttribute("id");
        line.setAttribute("transform", `translate(${outline.getAttribute("x") ?? 0} ${outline.getAttribute("y") ?? 0}) ${line.getAttribute("transform") ?? ""}`);
      }
      line.setAttribute("class", `ring ring-${kind} ${stroke}`);
      over.append(line);
    }
  }
  for (const it of arrows) {
    const points = outlineOf(it);
    if (!points) continue;
    const arrow = document.createElementNS(SVG, "polygon");
    arrow.setAttribute("points", points.map((at) => at.map((one) => one.toFixed(1)).join(",")).join(" "));
    arrow.setAttribute("class", `arrow-drawn arrow-${it.colour}`);
    over.append(arrow);
  }
  svg.append(over);
}

/** How large the head of an arrow may be at least and at most, as parts of the picture. */
const [SMALL, LARGE] = [0.035, 0.07];

/** The corners of an arrow from the middle of a shape to the middle of another; its width follows from their sizes. */
function outlineOf({ from, to }: Arrow): [number, number][] | null {
  const [a, b] = [from, to].map((it) => it.querySelector<SVGGraphicsElement>(DRAWN)?.getBBox());
  if (!a || !b) return null;
  const [x, y] = [a.x + a.width / 2, a.y + a.height / 2];
  const [right, down] = [b.x + b.width / 2 - x, b.y + b.height / 2 - y];
  const far = Math.hypot(right, down);
  if (far === 0) return null;
  const { width, height } = from.closest("svg")?.viewBox.baseVal ?? { width: 0, height: 0 };
  const [most, least] = [LARGE * Math.max(width, height), SMALL * Math.max(width, height)];
  const size = Math.min(Math.max(least, Math.min(most, a.width, a.height, b.width, b.height)), far);
  const [shaft, wing, head, start] = [size * 0.12, size * 0.32, size * 0.55, Math.min(size * 0.3, far * 0.2)];
  const at = (along: number, across: number): [number, number] => [x + (right * along - down * across) / far, y + (down * along + right * across) / far];
  return [at(start, -shaft), at(far - head, -shaft), at(far - head, -wing), at(far, 0), at(far - head, wing), at(far - head, shaft), at(start, shaft)];
}

/** The element that is actually drawn: the referenced one, if a shape refers to another by id. */
function drawn(svg: Element, outline: Element): Element {
  if (outline.localName !== "use") return outline;
  const stock = svg.ownerDocument.querySelector(outline.getAttribute("href") ?? "");
  return (stock?.localName === "g" ? stock.querySelector(DRAWN) : stock) ?? outline;
}

const middle = (it: Element) => {
  const { left, top, width, height } = it.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/** The direction of an arrow key, to the right and down. */
export function direction(key: string): [number, number] {
  const known: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  return known[key] ?? [0, 0];
}

/** The nearest of some shapes in the direction of an arrow key. */
export function beside(from: Element, key: string, among: Element[]): Element | null {
  const [right, down] = direction(key);
  const here = middle(from);
  let [best, least] = [null as Element | null, Infinity];
  for (const it of among) {
    if (it === from) continue;
    const there = middle(it);
    const [x, y] = [there.x - here.x, there.y - here.y];
    const along = x * right + y * down;
    const across = Math.abs(x * down) + Math.abs(y * right);
    if (along <= 1 || across > 2 * along) continue;
    const far = along + 2 * across;
    if (far < least) [best, least] = [it, far];
  }
  return best;
}
