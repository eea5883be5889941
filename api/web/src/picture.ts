// A picture of the service in the document, each of its regions in an element of its own. Unchanged shapes are left in
// place, so that a step only costs what changed; a shape that moved slides. Relies on the format of the pictures: a
// line for the frame, then one for each shape, with its id. Must not know what is drawn.

import { move } from "./motion";

/** A part of a picture: its id, its name, and left, top, width, height. */
export type Region = [id: string, title: string, edges: [number, number, number, number]];

/** The line that a shape was made from. */
const made = new WeakMap<Element, string>();

const SHAPE = /^<g data-id="([^"]*)"(?: data-region="([^"]*)")?/;

function parsed(text: string): SVGSVGElement | null {
  const holder = document.createElement("div");
  holder.innerHTML = text;
  return holder.querySelector("svg");
}

/** The regions of a picture; all of it if it names none. */
export function regionsOf(frame: SVGSVGElement): Region[] {
  const { x, y, width, height } = frame.viewBox.baseVal;
  const all = JSON.parse(frame.dataset["regions"] ?? "[]") as Region[];
  return all.length > 0 ? all : [["board", "", [x, y, width, height]]];
}

/** Shows a picture, replacing the current one. `hold` says where the picture of a region is shown. Returns the regions. */
export function draw(text: string, hold: (region: Region, first: boolean) => HTMLElement, moves: boolean): Region[] {
  const [head = "", ...rest] = text.trimEnd().split("\n");
  const lines = rest.slice(0, -1);
  const frame = parsed(`${head}</svg>`);
  if (!frame) return [];
  const regions = regionsOf(frame);
  const known = new Set(regions.map(([id]) => id));
  const board = regions[0]?.[0] ?? "";
  const regionOf = (line: string) => {
    const [, id = "", named] = SHAPE.exec(line) ?? [];
    const region = named ?? (known.has(id) ? id : board);
    return known.has(region) ? region : board;
  };
  // Definitions that shapes refer to by id: once, with the board.
  const stock = frame.querySelector(":scope > defs");
  for (const [at, region] of regions.entries()) {
    const own = lines.filter((it) => regionOf(it) === region[0]);
    put(hold(region, at === 0), region, frame, at === 0 ? stock : null, own, at === 0, moves);
  }
  return regions;
}

/** A new element for a region. */
function fresh([id, title]: Region, frame: SVGSVGElement, first: boolean): SVGSVGElement {
  const svg = frame.cloneNode(false) as SVGSVGElement;
  svg.removeAttribute("data-regions");
  svg.dataset["region"] = id;
  if (!first) {
    svg.removeAttribute("aria-labelledby");
    svg.setAttribute("role", "group");
    if (title) svg.setAttribute("aria-label", title);
  }
  return svg;
}

function put(holder: HTMLElement, region: Region, frame: SVGSVGElement, stock: Element | null, lines: string[], first: boolean, moves: boolean): void {
  let there = holder.querySelector<SVGSVGElement>(":scope > svg");
  const view = region[2].join(" ");
  if (!there || there.dataset["art"] !== frame.dataset["art"] || there.dataset["region"] !== region[0]) {
    there = fresh(region, frame, first);
    holder.replaceChildren(there);
  }
  if (there.getAttribute("viewBox") !== view) there.setAttribute("viewBox", view);
  for (const name of first ? ["title", "desc"] : []) {
    const [old, next] = [there.querySelector(`:scope > ${name}`), frame.querySelector(`:scope > ${name}`)];
    if (old && next) old.textContent = next.textContent;
    else if (next) there.insertBefore(next.cloneNode(true), there.querySelector(":scope > :not(title)"));
  }
  if (stock) {
    const old = there.querySelector(":scope > defs");
    if (!old) there.insertBefore(stock, there.querySelector(":scope > [data-id]"));
    else if (old.innerHTML !== stock.innerHTML) old.replaceWith(stock);
  }
  const had = new Map<string, Element>();
  const before = new Map<string, Element>();
  for (const it of there.querySelectorAll<SVGGElement>(":scope > [data-id]")) {
    had.set(made.get(it) ?? "", it);
    before.set(it.dataset["id"] ?? "", it);
  }
  const news = lines.filter((it) => !had.has(it));
  const shapes = [...(parsed(`<svg xmlns="http://www.w3.org/2000/svg">${news.join("")}</svg>`)?.children ?? [])] as SVGGElement[];
  shapes.forEach((it, at) => made.set(it, news[at] ?? ""));
  const drawn = new Map(news.map((it, at) => [it, shapes[at]]));
  const wanted = new Set(lines);
  if (moves && before.size > 0) for (const it of shapes) move(before.get(it.dataset["id"] ?? ""), it);
  for (const [line, it] of had) if (!wanted.has(line)) it.remove();
  // In order: later shapes are on top.
  let next = there.querySelector(":scope > [data-id]");
  for (const line of lines) {
    const it = had.get(line) ?? drawn.get(line);
    if (!it) continue;
    if (it === next) next = next.nextElementSibling;
    else there.insertBefore(it, next);
  }
}
