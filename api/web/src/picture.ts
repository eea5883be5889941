// A picture of the service in the document. Unchanged shapes are left in place, so that a step only costs what
// changed. Relies on the format of the pictures: a line for the frame, then one for each shape, with its id.
// Must not know what is drawn.

/** The line that a shape was made from. */
const made = new WeakMap<Element, string>();

const SHAPE = /^<g data-id="([^"]*)"/;

function parsed(text: string): SVGSVGElement | null {
  const holder = document.createElement("div");
  holder.innerHTML = text;
  return holder.querySelector("svg");
}

/** Shows a picture in an element, replacing the current one. */
export function draw(holder: HTMLElement, text: string): void {
  const [head = "", ...rest] = text.trimEnd().split("\n");
  const lines = rest.slice(0, -1);
  const there = holder.querySelector("svg");
  const frame = parsed(`${head}</svg>`);
  const shapes = lines.every((it) => SHAPE.test(it));
  if (!there || !frame || !shapes || there.getAttribute("viewBox") !== frame.getAttribute("viewBox")) {
    holder.innerHTML = text;
    const svg = holder.querySelector("svg");
    if (shapes) [...(svg?.querySelectorAll(":scope > [data-id]") ?? [])].forEach((it, at) => made.set(it, lines[at] ?? ""));
    return;
  }
  for (const name of ["title", "desc"]) {
    const [old, next] = [there.querySelector(`:scope > ${name}`), frame.querySelector(`:scope > ${name}`)];
    if (old && next) old.textContent = next.textContent;
  }
  // Definitions that shapes refer to by id.
  const [stock, more] = [there.querySelector(":scope > defs"), frame.querySelector(":scope > defs")];
  if (more && !stock) there.insertBefore(more, there.querySelector(":scope > [data-id]"));
  else if (more && stock && stock.innerHTML !== more.innerHTML) stock.replaceWith(more);
  const had = new Map<string, Element>();
  for (const it of there.querySelectorAll(":scope > [data-id]")) had.set(made.get(it) ?? "", it);
  const fresh = lines.filter((it) => !had.has(it));
  const news = [...(parsed(`<svg xmlns="http://www.w3.org/2000/svg">${fresh.join("")}</svg>`)?.children ?? [])];
  news.forEach((it, at) => made.set(it, fresh[at] ?? ""));
  const put = new Map(fresh.map((it, at) => [it, news[at]]));
  const wanted = new Set(lines);
  for (const [line, it] of had) if (!wanted.has(line)) it.remove();
  // In order: later shapes are on top.
  let next = there.querySelector(":scope > [data-id]");
  for (const line of lines) {
    const it = had.get(line) ?? put.get(line);
    if (!it) continue;
    if (it === next) next = next.nextElementSibling;
    else there.insertBefore(it, next);
  }
}
