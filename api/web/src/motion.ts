// What moves when a picture changes: a shape with the same id in another place slides there, a new hit shakes, a new
// card turns over. Nothing moves for people who prefer that. Must not know what is drawn.

const LONG = 200;

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where a shape stands, by the first thing that it is drawn with. */
function place(shape: Element): [number, number] | null {
  const it = shape.querySelector("circle, rect, use, text");
  if (it) return [Number(it.getAttribute("cx") ?? it.getAttribute("x")), Number(it.getAttribute("cy") ?? it.getAttribute("y"))];
  const start = /^M(-?\d+)[ ,]?(-?\d+)/.exec(shape.querySelector("path")?.getAttribute("d") ?? "");
  return start ? [Number(start[1]), Number(start[2])] : null;
}

/** Lets a shape slide from where the one with its id was. */
export function slide(from: Element, to: SVGElement): void {
  // What lies still gets no element of its own to be moved in; a label goes with its piece.
  const [old, now] = [place(from), place(to)];
  if (!old || !now || still()) return;
  const [x, y] = [old[0] - now[0], old[1] - now[1]];
  if (x === 0 && y === 0) return;
  to.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
}

/** Shows a new shape: a hit shakes, a card turns over. */
export function flip(it: SVGElement): void {
  if (still()) return;
  if (it.querySelector(".mark.hit")) {
    const steps = [0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translate(${x}px)` }));
    it.animate(steps, { duration: 2 * LONG });
  } else if (it.classList.contains("card")) {
    it.style.transformBox = "fill-box";
    it.style.transformOrigin = "center";
    it.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
  }
}
