// Where the regions of a picture go in a window, and how large their letters are. Must not know what is drawn.

import type { Region } from "./picture";

/** The minimum height of letters in pixels, plus a little, because sizes are rounded. */
export const LEAST = 11.1;
/** The shapes that pieces stand on. */
export const GROUND = '[data-id^="hex:"], [data-id^="area:"]';
/** The space between two regions. */
export const GAP = 8;
/** How small and how large a region beside the board may be, in pixels per unit. */
const [SMALL, LARGE] = [0.5, 1.3];
/** How wide tables beside the board are at least. */
const TABLES = 230;

export interface Layout {
  /** The others beside the board, or below it. */
  side: boolean;
  /** In how many columns the others are. */
  columns: number;
  /** Pixels per unit at which the whole board fits. */
  board: number;
  /** Pixels per unit of the other regions. */
  strips: number;
  /** The width of the column beside the board. */
  column: number;
  /** The place of the board. */
  width: number;
  height: number;
}

const sizeOf = ([, , [, , width, height]]: Region) => ({ width, height });

/** How high regions are in some columns, one below the other, in units. */
function stacked(rest: { height: number }[], columns: number): number {
  const rows = Math.ceil(rest.length / columns);
  const heights = rest.map((it) => it.height);
  // Row by row, each as high as the highest in it.
  return Array.from({ length: rows }, (_, row) => Math.max(...heights.filter((_, at) => at % rows === row))).reduce((a, b) => a + b, 0);
}

/** The layout that shows the most of the board, with everything else beside it; if that is too narrow, below it. */
export function arrange(width: number, height: number, regions: Region[], tables: boolean): Layout {
  const [first, ...rest] = regions.map(sizeOf);
  const board = first ?? { width: 1, height: 1 };
  const widest = Math.max(0, ...rest.map((it) => it.width));
  let [best, most] = [null as Layout | null, -Infinity];
  // Upright, whatever is beside the board would make it too small.
  for (const columns of rest.length > 1 && width > height ? [1, 2] : width > height && (rest.length > 0 || tables) ? [1] : []) {
    const gaps = GAP * (columns - 1);
    const rows = Math.ceil(rest.length / columns);
    const total = stacked(rest, columns);
    for (let column = Math.max(tables ? TABLES : 0, columns * widest * SMALL + gaps); column < width * 0.65; column += 4) {
      const fitting = rest.length > 0 ? (height - GAP * (rows - 1)) / total : LARGE;
      const strips = widest > 0 ? Math.min((column - gaps) / columns / widest, fitting, LARGE) : 1;
      if (strips < SMALL) continue;
      const place = width - column - GAP;
      const scale = Math.min(place / board.width, height / board.height);
      // A larger board is worth more than larger cards.
      const worth = Math.log(scale) + 0.6 * Math.log(Math.min(strips, 1));
      if (worth <= most) continue;
      most = worth;
      best = { side: true, columns, board: scale, strips, column, width: place, height };
    }
  }
  if (best) return best;
  const scale = Math.min(width / board.width, height / board.height);
  const strips = widest > 0 ? Math.min(width / widest, LARGE) : 1;
  return { side: false, columns: 1, board: scale, strips, column: width, width, height: Math.ceil(scale * board.height) };
}

/** How a text was drawn: the height of its letters, and where. */
interface Drawn {
  size: number;
  x: number;
  y: number;
}

const drawn = new WeakMap<Element, Drawn>();

function drawnOf(text: Element): Drawn {
  let it = drawn.get(text);
  if (!it) {
    const number = (name: string) => Number(text.getAttribute(name));
    drawn.set(text, (it = { size: number("font-size") || LEAST, x: number("x"), y: number("y") }));
  }
  return it;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text, or the lines of a label below each other. */
type Lines = SVGTextElement[];

/** How far apart two lines are, in heights of their letters. */
const LINE = 9 / 8;

/** Where lines stand that are so large. */
function boxOf(lines: Lines, size: number): Box {
  const [text] = lines;
  const { x, y } = text ? drawnOf(text) : { x: 0, y: 0 };
  const wide = Math.max(...lines.map((it) => (it.textContent ?? "").length)) * size * 0.56;
  const left = text?.classList.contains("start") ? x : text?.classList.contains("end") ? x - wide : x - wide / 2;
  return { left, top: y - size * 0.68, right: left + wide, bottom: y + size * (0.1 + LINE * (lines.length - 1)) };
}

/** Keeps letters large enough to be read when the shapes around them shrink. A text that has no room then is left out. */
export function letter(svg: SVGSVGElement, scale: number): void {
  const taken: Box[] = [];
  const tight: [Lines, Box][] = [];
  const view = svg.viewBox.baseVal;
  const put = (lines: Lines, size: number, aside: number) => {
    const rounded = (it: number) => String(Math.round(it * 10) / 10);
    for (const [at, text] of lines.entries()) {
      const { x } = drawnOf(text);
      const y = drawnOf(lines[0] ?? text).y + at * size * LINE;
      const wanted = { "font-size": rounded(size), x: rounded(x + aside), y: rounded(y) };
      for (const [name, value] of Object.entries(wanted)) if (text.getAttribute(name) !== value) text.setAttribute(name, value);
      text.classList.remove("unseen");
    }
  };
  for (const shape of svg.children) {
    const texts = [...shape.querySelectorAll("text")];
    const larger = LEAST / scale;
    for (const lines of shape.classList.contains("label") ? [texts] : texts.map((it) => [it])) {
      const [text] = lines;
      if (!text) continue;
      const { size } = drawnOf(text);
      const box = boxOf(lines, Math.max(size, larger));
      // A name that would stick out of its piece is left to the piece's title.
      const name = !shape.classList.contains("label") && !text.classList.contains("start") && (text.textContent ?? "").length > 2;
      if (name && larger > size * 1.25) {
        text.classList.add("unseen");
      } else if (size >= larger) {
        put(lines, size, 0);
        taken.push(box);
      } else {
        tight.push([lines, box]);
      }
    }
  }
  // First what stands on pieces, values before names, then labels.
  const rank = ([[text]]: [Lines, Box]) => (text?.closest(".label") ? 2 : 0) + ((text?.textContent ?? "").length > 2 ? 1 : 0);
  tight.sort((a, b) => rank(a) - rank(b));
  for (const [lines, at] of tight) {
    // At the edge, a larger text moves inwards.
    const aside = Math.max(view.x - at.left, Math.min(0, view.x + view.width - at.right));
    const box = { ...at, left: at.left + aside, right: at.right + aside };
    const over = (it: Box) => it.left < box.right && box.left < it.right && it.top < box.bottom && box.top < it.bottom;
    if (taken.some(over)) {
      for (const it of lines) it.classList.add("unseen");
    } else {
      put(lines, LEAST / scale, aside);
      taken.push(box);
    }
  }
}

/** The smallest letters of a picture as they were drawn. */
export function smallest(svg: SVGSVGElement): number {
  const sizes = [...svg.querySelectorAll("text")].map((it) => drawnOf(it).size);
  return sizes.length > 0 ? Math.min(...sizes) : LEAST;
}
