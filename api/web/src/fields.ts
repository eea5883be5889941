// Values that a JSON schema describes: their parts, what fits, and changed copies. Must not show anything, nor know a game.

import type { Json } from "./client";

/** A JSON schema, as far as the service uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: Json[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  pattern?: string;
  default?: Json;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** The schemas that others refer to, by name. */
export type Schemas = Record<string, Schema>;

/** The steps from a value to a part of it. */
export type Path = string[];

export const isObject = (value: Json | undefined): value is { [key: string]: Json } => value !== null && typeof value === "object" && !Array.isArray(value);

const refOf = (schema: Schema) => schema.$ref?.split("/").pop();

/** A schema with its references followed. What a reference says of itself stays. */
export function resolved(all: Schemas, schema: Schema): Schema {
  const named = all[refOf(schema) ?? ""];
  if (!named) return schema;
  const { $ref: _ref, ...own } = schema;
  return { ...resolved(all, named), ...own };
}

/** The name of the type of a value, if it has one: `null` beside it does not count. */
export function typeName(schema: Schema): string | undefined {
  const [only, ...more] = (schema.anyOf ?? []).filter((it) => it.type !== "null");
  return refOf(schema) ?? (only && more.length === 0 ? refOf(only) : undefined);
}

/** Whether a value may be `null`. */
export function mayBeNull(all: Schemas, schema: Schema): boolean {
  const it = resolved(all, schema);
  return it.type === "null" || (Array.isArray(it.type) && it.type.includes("null")) || (it.anyOf ?? it.oneOf ?? []).some((one) => mayBeNull(all, one));
}

/** The forms that a value may have, without `null`. */
export function forms(all: Schemas, schema: Schema): Schema[] {
  const it = resolved(all, schema);
  const some = it.anyOf ?? it.oneOf;
  if (some) return some.flatMap((one) => forms(all, one));
  if (Array.isArray(it.type)) return it.type.filter((one) => one !== "null").map((type) => ({ ...it, type }));
  return it.type === "null" ? [] : [it];
}

/** Whether a value fits one form of a schema. */
function fitsForm(all: Schemas, form: Schema, value: Json): boolean {
  if (form.enum) return form.enum.includes(value as never);
  switch (form.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isInteger(value);
    case "string":
      return typeof value === "string" && (form.pattern === undefined || new RegExp(form.pattern).test(value));
    case "array":
      return Array.isArray(value) && value.every((it) => fits(all, form.items ?? {}, it));
    case "object": {
      if (!isObject(value)) return false;
      const { properties = {}, required = [] } = form;
      return required.every((key) => key in value) && Object.entries(value).every(([key, it]) => {
        const own = properties[key] ?? form.additionalProperties ?? true;
        return typeof own === "boolean" ? own : fits(all, own, it);
      });
    }
    default:
      return true;
  }
}

/** Whether a value fits a schema, as far as it matters for the choice between its forms. */
export function fits(all: Schemas, schema: Schema, value: Json): boolean {
  if (value === null) return mayBeNull(all, schema);
  const some = forms(all, schema);
  return some.length === 0 || some.some((it) => fitsForm(all, it, value));
}

/** The form that a value has. */
export function formOf(all: Schemas, schema: Schema, value: Json): Schema {
  const some = forms(all, schema);
  return some.find((it) => fitsForm(all, it, value)) ?? some[0] ?? {};
}

/** A value to begin with. */
export function initial(all: Schemas, schema: Schema): Json {
  const it = resolved(all, schema);
  if (it.default !== undefined) return it.default;
  const form = forms(all, it)[0] ?? {};
  if (form.enum) return form.enum[0] ?? null;
  switch (form.type) {
    case "boolean":
      return false;
    case "integer":
      return form.minimum !== undefined && form.minimum > 0 ? form.minimum : 0;
    case "string":
      return "";
    case "array":
      return Array.from({ length: form.minItems ?? 0 }, () => initial(all, form.items ?? {}));
    case "object":
      return Object.fromEntries((form.required ?? []).map((key) => [key, initial(all, form.properties?.[key] ?? {})]));
    default:
      return null;
  }
}

/** The part of a value at a path. */
export function partAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((it, key) => (Array.isArray(it) ? it[Number(key)] : isObject(it) ? it[key] : undefined), value);
}

/** A copy of a value with another part at a path; `undefined` takes the part out. */
export function withPart(value: Json | undefined, path: Path, part: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return part ?? null;
  if (Array.isArray(value)) {
    const at = Number(key);
    if (rest.length === 0 && part === undefined) return value.filter((_, it) => it !== at);
    const copy = [...value];
    copy[at] = rest.length === 0 ? (part ?? null) : withPart(value[at], rest, part);
    return copy;
  }
  const old = isObject(value) ? value : {};
  if (rest.length === 0 && part === undefined) return Object.fromEntries(Object.entries(old).filter(([it]) => it !== key));
  return { ...old, [key]: rest.length === 0 ? (part ?? null) : withPart(old[key], rest, part) };
}

/** A copy with another list at a path. A count beside the list that was right stays right. */
export function withList(value: Json, path: Path, list: Json[]): Json {
  const count = [...path.slice(0, -1), "count"];
  const old = partAt(value, path);
  const counted = Array.isArray(old) && path.length > 0 && partAt(value, count) === old.length;
  const next = withPart(value, path, list);
  return counted ? withPart(next, count, list.length) : next;
}

export const pointerOf = (path: Path) => path.map((it) => `/${it.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
export const pathOf = (pointer: string): Path => pointer.split("/").slice(1).map((it) => it.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A part of a value: where it is, its schema, and its path with a star for each key that names one of many. */
export interface Part {
  path: Path;
  kind: string;
  schema: Schema;
  value: Json;
}

/** Every part of a value that its schema describes, from the outside in. */
export function partsOf(all: Schemas, schema: Schema, value: Json, path: Path = [], kind = ""): Part[] {
  const here: Part = { path, kind, schema, value };
  if (value === null || typeof value !== "object") return [here];
  const form = formOf(all, schema, value);
  const below = (key: string, own: Schema, it: Json, one: boolean) => partsOf(all, own, it, [...path, key], `${kind}/${one ? key : "*"}`);
  if (Array.isArray(value)) return [here, ...value.flatMap((it, at) => below(String(at), form.items ?? {}, it, false))];
  const more = typeof form.additionalProperties === "object" ? form.additionalProperties : {};
  return [here, ...Object.entries(value).flatMap(([key, it]) => below(key, form.properties?.[key] ?? more, it, key in (form.properties ?? {})))];
}
