// What moves when a picture changes: a shape with the same id in another place slides there, a new hit shakes, a new
// card turns over. Nothing moves for people who prefer that. Must not know what is drawn.

const LONG = 200;

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where a thing stands: a piece, a card or a label. Lines and marks stand nowhere. */
function place(shape: Element): [number, number] | null {
  const it = shape.querySelector(":scope > use, :scope > rect, :scope > text");
  return it && [Number(it.getAttribute("x")), Number(it.getAttribute("y"))];
}

/** Lets a shape slide from where the one with its id was. */
function slide(from: Element, to: SVGElement): void {
  const [old, now] = [place(from), place(to)];
  if (!old || !now) return;
  const [x, y] = [old[0] - now[0], old[1] - now[1]];
  if (x === 0 && y === 0) return;
  to.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
}

/** Shows that a shape was drawn anew: instead of one with its id, or as the first one. */
export function move(before: Element | undefined, it: SVGElement): void {
  if (still()) return;
  if (it.querySelector(":scope > .mark.hit")) {
    const steps = [0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translate(${x}px)` }));
    it.animate(steps, { duration: 2 * LONG });
  } else if (before) {
    slide(before, it);
  } else if (it.classList.contains("card")) {
    it.style.transformBox = "fill-box";
    it.style.transformOrigin = "center";
    it.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
  }
}
