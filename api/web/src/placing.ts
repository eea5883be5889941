// What the shapes of a board stand for in a position: which parts of it a figure names, and which fields hold places of the
// board. Learned from the picture, the position and its schema. Must not show anything, nor know a game.

import type { Json, Schemas as Api } from "./client";
import { isObject, typeName } from "./fields";
import type { Part, Path } from "./fields";

type Scene = Api["Depiction"]["scene"];

const text = (value: Json) => JSON.stringify(value);

/** Whether a shape is part of the ground that the game is played on. */
const isGround = (id: string) => /^(hex|area):/.test(id);

/** Whether a figure stands on the ground of the board. */
export function standsOn(scene: Scene): boolean {
  const shapes = scene.shapes as { id: string; form: string; at?: [number, number]; outline?: unknown; size?: unknown }[];
  const ground = shapes.filter((it) => isGround(it.id)).map(boundsOf);
  const inside = ([x, y]: [number, number]) => ground.some(([left, top, right, bottom]) => x > left && x < right && y > top && y < bottom);
  return shapes.some((it) => it.form === "piece" && it.at && inside(it.at));
}

/** Left, top, right and bottom of a part of the ground. */
function boundsOf({ at, outline, size }: { at?: [number, number]; outline?: unknown; size?: unknown }): [number, number, number, number] {
  if (at) return [at[0] - Number(size), at[1] - Number(size), at[0] + Number(size), at[1] + Number(size)];
  const points = (outline ?? []) as [number, number][];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** What is known of a position from its picture. */
export interface Ground {
  /** The places of the board: their names, by their values as JSON. */
  places: ReadonlyMap<string, string>;
  /** Which fields hold a place. */
  fields: Part[];
}

/**
 * Finds the fields of a position that hold a place: some of their kind hold one now, they are of the same type, or their
 * description says so ("An area, or …").
 */
export function groundOf(scene: Scene, parts: Part[]): Ground {
  const places = new Map<string, string>();
  const kindsOfGround = new Set<string>();
  for (const it of scene.shapes as { id: string; title: string; choice?: Record<string, Json> }[]) {
    if (!isGround(it.id)) continue;
    kindsOfGround.add(it.id.split(":")[0] ?? "");
    for (const value of Object.values(it.choice ?? {})) places.set(text(value), it.title);
  }
  const standing = parts.filter((it) => places.has(text(it.value)));
  const kinds = new Set(standing.map((it) => it.kind));
  // A type of its own, such as coordinates; a string may be anything.
  const types = new Set(standing.filter((it) => Array.isArray(it.value)).map((it) => typeName(it.schema)));
  types.delete(undefined);
  const says = new RegExp(`^(an?|the) (${[...kindsOfGround].join("|")})\\b`, "i");
  const fields = parts.filter((it) => kinds.has(it.kind) || types.has(typeName(it.schema)) || (typeof it.value === "string" && says.test(it.schema.description ?? "")));
  return { places, fields };
}

/** The place that a shape stands for. */
export function placeOf({ places }: Ground, choice: Record<string, Json>): Json | undefined {
  return Object.values(choice).find((it) => places.has(text(it)));
}

/** What a shape is called by: the values that it fills in, and the last word of its id, each with the name it has there. */
function callings(choice: Record<string, Json>): { name: string; value: string }[] {
  return Object.entries(choice).flatMap(([name, value]) => {
    const all = isObject(value) && Array.isArray(value["any"]) ? value["any"] : [value];
    const plain = all.filter((it) => typeof it === "string" || typeof it === "number").map(String);
    return plain.map((it) => ({ name, value: name === "" ? (it.split(":").pop() ?? "") : it }));
  });
}

const alike = (a: string, b: string) => a !== "" && b.toLowerCase().startsWith(a.slice(0, 3).toLowerCase());

/** The parts of a position that a shape names: by their keys, or by the `id` in them. */
export function partsNamed(parts: Part[], choice: Record<string, Json>): Path[] {
  const called = callings(choice);
  const found = parts.flatMap(({ path, value }) => {
    const key = path[path.length - 1] ?? "";
    // A list is numbered by its place, not by its key.
    const own = isObject(value) && value["id"] !== undefined && /^\d+$/.test(key) ? String(value["id"]) : key;
    const container = path[path.length - 2];
    if (container === undefined) return [];
    return called.filter((it) => it.value === own).map((it) => ({ path, near: alike(it.name, container) }));
  });
  // Numbers name things of several kinds: the kind that is called alike is meant.
  const near = found.filter((it) => it.near);
  const paths = (near.length > 0 ? near : found).map((it) => it.path);
  return paths.filter((it, at) => paths.findIndex((one) => one.join("/") === it.join("/")) === at);
}

/** The field that says where a part stands. */
export function placeFieldOf({ fields }: Ground, path: Path): Path | undefined {
  const within = path.join("/");
  return fields.map((it) => it.path).find((it) => it.join("/") === within || it.join("/").startsWith(`${within}/`));
}

/** The names of components by their ids: what they are called, or else what they can do. */
export function namesIn(components: Json): Map<string, string> {
  const names = new Map<string, string>();
  const describe = (value: Json): string => {
    if (Array.isArray(value)) return value.map(describe).filter(Boolean).join(" or ");
    if (isObject(value)) return Object.values(value).map(describe).filter(Boolean).join(" ");
    return typeof value === "string" || typeof value === "number" ? String(value).replaceAll("_", " ") : "";
  };
  const walk = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) {
      const id = value["id"] ?? value["kind"];
      if (typeof id === "string" && !names.has(id)) {
        const lists = Object.values(value).filter((it) => Array.isArray(it) && it.some(isObject));
        const it = typeof value["name"] === "string" ? value["name"] : lists.map(describe).join(", ");
        if (it) names.set(id, it);
      }
      Object.values(value).forEach(walk);
    }
  };
  walk(components);
  return names;
}
