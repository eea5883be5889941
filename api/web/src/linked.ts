// Two boards that are moved and enlarged together, and what differs between them. Must not know what is drawn.

import type { Schemas } from "./client";

/** How large a board is shown, and which part of it is in the middle, as fractions of its size. */
export interface Look {
  size: "read" | "fit" | number;
  part: [number, number];
}

/** Tells each board how the other one is looked at. */
export class Link {
  private readonly boards = new Set<(look: Look) => void>();

  /** Joins a board; the answer takes it out again. */
  join(follow: (look: Look) => void): () => void {
    this.boards.add(follow);
    return () => void this.boards.delete(follow);
  }

  tell(look: Look, from: (look: Look) => void): void {
    for (const it of this.boards) if (it !== from) it(look);
  }
}

type Shape = { id: string; title: string; form: string; at?: unknown; size?: unknown };

/** A shape as text. Where a card lies, and how large, only follows from the cards beside it. */
function shapeText({ at, size, ...shape }: Shape): string {
  return JSON.stringify(shape.form === "card" ? shape : { ...shape, at, size });
}

/** The ids of named shapes that two pictures do not have alike. */
export function differing(a: Schemas["Depiction"], b: Schemas["Depiction"]): Set<string> {
  const named = ({ scene }: Schemas["Depiction"]) => new Map((scene.shapes as Shape[]).filter((it) => it.title !== "").map((it) => [it.id, shapeText(it)]));
  const [one, two] = [named(a), named(b)];
  return new Set([...one.keys(), ...two.keys()].filter((id) => one.get(id) !== two.get(id)));
}
