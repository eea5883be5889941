// JSON Patch (RFC 6902), as far as views are patched. Must not change what it is given.

import type { Schemas } from "./client.js";

type Node = { [key: string]: unknown } | unknown[];

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function wrong(path: string): never {
  throw new Error(`there is nothing at ${path}`);
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const part of path.split("/").slice(1).map(unescaped)) {
    if (!isNode(found)) wrong(path);
    found = Array.isArray(found) ? found[Number(part)] : found[part];
  }
  return found;
}

/** What is at a place becomes what `change` makes of its holder; everything above it is copied. */
function changed(value: unknown, parts: string[], change: (holder: Node, key: string) => void, path: string): unknown {
  const [key, ...rest] = parts;
  if (key === undefined || !isNode(value)) wrong(path);
  const copy: Node = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0) change(copy, key);
  else if (Array.isArray(copy)) copy[Number(key)] = changed(copy[Number(key)], rest, change, path);
  else copy[key] = changed(copy[key], rest, change, path);
  return copy;
}

function index(list: unknown[], key: string, path: string, most: number): number {
  const place = key === "-" ? list.length : Number(key);
  if (!Number.isInteger(place) || place < 0 || place > most) wrong(path);
  return place;
}

function put(value: unknown, path: string, what: unknown, replace: boolean): unknown {
  if (path === "") return what;
  const set = (holder: Node, key: string): void => {
    if (!Array.isArray(holder)) {
      if (replace && !(key in holder)) wrong(path);
      holder[key] = what;
    } else if (replace) holder[index(holder, key, path, holder.length - 1)] = what;
    else holder.splice(index(holder, key, path, holder.length), 0, what);
  };
  return changed(value, path.split("/").slice(1).map(unescaped), set, path);
}

function without(value: unknown, path: string): unknown {
  const remove = (holder: Node, key: string): void => {
    if (Array.isArray(holder)) holder.splice(index(holder, key, path, holder.length - 1), 1);
    else if (key in holder) delete holder[key];
    else wrong(path);
  };
  return changed(value, path.split("/").slice(1).map(unescaped), remove, path);
}

const same = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (!isNode(one) || !isNode(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const of = (node: Node, key: string): unknown => (node as { [key: string]: unknown })[key];
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(of(one, key), of(other, key)));
};

/** The value after a patch; the value itself stays as it is, and parts that did not change are shared. */
export function patched<T>(value: T, patch: Schemas["PatchOperation"][]): T {
  let now: unknown = value;
  for (const operation of patch) {
    switch (operation.op) {
      case "add":
        now = put(now, operation.path, operation.value, false);
        break;
      case "replace":
        now = put(now, operation.path, operation.value, true);
        break;
      case "remove":
        now = without(now, operation.path);
        break;
      case "move":
        now = put(without(now, operation.from), operation.path, at(now, operation.from), false);
        break;
      case "copy":
        now = put(now, operation.path, at(now, operation.from), false);
        break;
      case "test":
        if (!same(at(now, operation.path), operation.value)) throw new Error(`another value is at ${operation.path}`);
    }
  }
  return now as T;
}
