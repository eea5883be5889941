// A form for a value that a JSON schema describes: every field can be reached, and a fault is shown at its field. Fields that
// hold a place of the board are filled in there. Must not know a game, nor decide what is right.

import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Json } from "./client";
import { fits, formOf, forms, initial, isObject, mayBeNull, partAt, pointerOf, resolved, typeName, withList, withPart } from "./fields";
import type { Path, Schema, Schemas } from "./fields";
import { inWords } from "./lines";
import { words } from "./parts";

/** A list of things of one type: cards move between such lists. */
export interface Store {
  path: Path;
  type: string;
  items: string[];
}

/** What every field of a form needs. */
export interface Context {
  all: Schemas;
  whole: Json;
  /** A fault, and the JSON pointer of its field. */
  fault: { pointer: string; message: string } | null;
  /** Whether a field holds a place of the board. */
  isPlace: (path: Path) => boolean;
  /** The place that a value names, in words. */
  placeName: (value: Json) => string;
  /** The places that are not on the board, and those that are. */
  places: Json[];
  /** The fields that a tap on the board fills in. */
  picked: Path[];
  onPick: (path: Path) => void;
  stores: Store[];
  /** Texts that may be meant where any text may stand. */
  known: string[];
  /** Every value may be unknown: "?". */
  unknown: boolean;
  /** What a value is called. */
  called: (value: string) => string;
  onChange: (next: Json, path: Path) => void;
}

export const Fields = createContext<Context | null>(null);

const useFields = () => useContext(Fields) as Context;

const label = (path: Path) => words(path[path.length - 1] ?? "");

const UNKNOWN = "?";

/** The first sentence of a description. */
const gist = (schema: Schema) => (schema.description ?? "").replaceAll("`", "").split(/(?<=[.;])\s/)[0]?.replace(/[.;]$/, "") ?? "";

const same = (a: Path, b: Path) => a.join("/") === b.join("/");

/** A number beside which nothing counts as many. */
const FEW = 8;

interface Props {
  schema: Schema;
  path: Path;
  /** Instead of the last step of the path. */
  name?: string;
  /** What is in it is shown at first. */
  open?: boolean;
}

/** The fault of a field, if it is here and not deeper in. */
function useFault(path: Path): string {
  const { fault, whole } = useFields();
  if (!fault) return "";
  const own = pointerOf(path);
  if (fault.pointer === own) return fault.message;
  // A fault in something that is not there is shown at what should hold it.
  const below = fault.pointer.startsWith(`${own}/`) ? fault.pointer.slice(own.length + 1).split("/")[0] : undefined;
  if (below === undefined) return "";
  const value = partAt(whole, path);
  const inside = Array.isArray(value) ? !value.every((it) => typeof it === "string") && Number(below) < value.length : isObject(value) && below in value;
  return inside ? "" : fault.message;
}

function Fault({ path }: { path: Path }) {
  const message = useFault(path);
  return message ? <p class="trouble at-field" role="alert">{message}</p> : null;
}

/** One field of the form, with everything in it. */
export function Field({ schema, path, name, open = false }: Props) {
  const fields = useFields();
  const value = partAt(fields.whole, path);
  if (value === undefined) return null;
  const own = { schema, path, name: name ?? label(path) };
  if (fields.isPlace(path)) return <Place {...own} value={value} />;
  if (value === null) return <EmptyField {...own} />;
  const form = formOf(fields.all, schema, value);
  if (value === UNKNOWN && fields.unknown && form.type !== "string") {
    return (
      <Row {...own}>
        {form.enum ? <Leaf {...own} value={value} form={form} /> : <span>?</span>}
        {!form.enum && <button type="button" aria-label={`Known: ${own.name}`} onClick={() => fields.onChange(withPart(fields.whole, path, initial(fields.all, schema)), path)}>Known</button>}
      </Row>
    );
  }
  if (Array.isArray(value) && textual(fields.all, form)) return <TextList {...own} value={value as string[]} form={form} />;
  if (typeof value === "object") return <Group {...own} open={open} value={value} form={form} />;
  return <Row {...own}><Leaf {...own} value={value} form={form} /></Row>;
}

/** Whether all that a list may hold is text. */
const textual = (all: Schemas, form: Schema) => {
  const of = forms(all, form.items ?? {});
  return form.maxItems === undefined && of.length > 0 && of.every((it) => it.type === "string");
};

function Row({ schema, path, name, children }: Props & { children: ComponentChildren }) {
  const fault = useFault(path);
  return (
    <div class={`row${fault ? " bad" : ""}`} data-pointer={pointerOf(path)}>
      <div class="row-line" title={gist(resolved(useFields().all, schema))}>
        <span class="row-name">{name}</span>
        {children}
      </div>
      <Fault path={path} />
    </div>
  );
}

/** A button that takes an optional part out, or empties it, and one that makes it unknown. */
function ClearButton({ schema, path, name }: Props) {
  const { all, whole, unknown, onChange } = useFields();
  if (unknown && partAt(whole, path) !== UNKNOWN) {
    return <button type="button" class="slight" aria-label={`? ${name} is unknown`} title="Unknown" onClick={() => onChange(withPart(whole, path, UNKNOWN), path)}>?</button>;
  }
  if (partAt(whole, path) !== null && mayBeNull(all, schema)) {
    return <button type="button" class="slight" aria-label={`No ${name}`} title="None" onClick={() => onChange(withPart(whole, path, null), path)}>✕</button>;
  }
  return null;
}

function EmptyField({ schema, path, name }: Props) {
  const { all, whole, onChange } = useFields();
  return (
    <Row schema={schema} path={path} name={name ?? ""}>
      <span class="faint">none</span>
      <button type="button" aria-label={`Set ${name}`} onClick={() => onChange(withPart(whole, path, initial(all, forms(all, schema)[0] ?? {})), path)}>Set</button>
    </Row>
  );
}

/** A single value: a switch, a choice, a number or a text. */
function Leaf({ schema, path, name, value, form }: Props & { value: Json; form: Schema }) {
  const { whole, called, known, unknown, onChange } = useFields();
  const put = (next: Json) => onChange(withPart(whole, path, next), path);
  if (typeof value === "boolean") return <input type="checkbox" aria-label={name} checked={value} onChange={(event) => put(event.currentTarget.checked)} />;
  const out = <ClearButton schema={schema} path={path} name={name ?? ""} />;
  if (form.enum) {
    return (
      <>
        <select aria-label={name} value={String(value)} onChange={(event) => put(event.currentTarget.value)}>
          {unknown && <option value={UNKNOWN}>?</option>}
          {form.enum.map((it) => <option key={String(it)} value={String(it)}>{called(String(it))}</option>)}
        </select>
        {out}
      </>
    );
  }
  if (typeof value === "number") {
    const [least, most] = [form.minimum ?? -Infinity, form.maximum ?? Infinity];
    return (
      <>
        <button type="button" class="step" aria-label={`Less: ${name}`} disabled={value <= least} onClick={() => put(value - 1)}>−</button>
        <input type="number" inputMode="numeric" aria-label={name} value={value} min={least} max={most} onChange={(event) => event.currentTarget.value !== "" && put(Number(event.currentTarget.value))} />
        <button type="button" class="step" aria-label={`More: ${name}`} disabled={value >= most} onClick={() => put(value + 1)}>+</button>
        {out}
      </>
    );
  }
  const some = known.filter((it) => form.pattern === undefined || new RegExp(form.pattern).test(it));
  if (some.length > 0) {
    return (
      <select aria-label={name} value={String(value)} onChange={(event) => put(event.currentTarget.value)}>
        {unknown && <option value={UNKNOWN}>?</option>}
        {some.map((it) => <option key={it} value={it}>{called(it)}</option>)}
      </select>
    );
  }
  return (
    <>
      <input aria-label={name} value={String(value)} onChange={(event) => put(event.currentTarget.value)} />
      {out}
    </>
  );
}

/** A place: filled in by a tap on the board, or from a list. */
function Place({ schema, path, name, value }: Props & { value: Json }) {
  const { all, whole, places, placeName, picked, unknown, onPick, onChange } = useFields();
  const here = picked.some((it) => same(it, path));
  const text = JSON.stringify(value);
  const can = places.filter((it) => fits(all, schema, it));
  return (
    <Row schema={schema} path={path} name={name ?? ""}>
      <select
        class="place"
        aria-label={name}
        value={text}
        onChange={(event) => onChange(withPart(whole, path, JSON.parse(event.currentTarget.value) as Json), path)}
      >
        {!can.some((it) => JSON.stringify(it) === text) && value !== null && <option value={text}>{value === UNKNOWN ? "?" : placeName(value)}</option>}
        {unknown && value !== UNKNOWN && <option value={JSON.stringify(UNKNOWN)}>?</option>}
        {mayBeNull(all, schema) && <option value="null">not on the board</option>}
        {can.map((it) => <option key={JSON.stringify(it)} value={JSON.stringify(it)}>{placeName(it)}</option>)}
      </select>
      <button type="button" aria-pressed={here} aria-label={`${here ? "tap it" : "tap"}: choose the place of ${name} on the board`} onClick={() => onPick(path)}>{here ? "tap it" : "tap"}</button>
    </Row>
  );
}

/** A list of texts, such as cards: equal ones together, and each can be moved to another list of the kind. */
function TextList({ schema, path, name, value, form }: Props & { value: string[]; form: Schema }) {
  const { all, whole, stores, known, unknown, called, onChange } = useFields();
  const kinds = [...new Set(value)];
  const type = typeName(form.items ?? {}) ?? "";
  const item = forms(all, form.items ?? {})[0] ?? {};
  const fitting = (text: string) => fits(all, form.items ?? {}, text);
  const others = stores.filter((it) => it.type === type && !same(it.path, path));
  const nameOf = (it: Store) => it.path.filter((key) => key !== "cards").map(words).join(", ");
  const without = (text: string) => {
    const at = value.indexOf(text);
    return value.filter((_, it) => it !== at);
  };
  const move = (text: string, from: Store | null, to: Store | null) => {
    const [source, target] = [from ?? { path, items: value }, to ?? { path, items: value }];
    const at = source.items.indexOf(text);
    const taken = withList(whole, source.path, source.items.filter((_, it) => it !== at));
    onChange(withList(taken, target.path, [...target.items, text].sort()), path);
  };
  const add = [...new Set((item.enum as string[] | undefined) ?? [...known, ...stores.filter((it) => it.type === type).flatMap((it) => it.items)])].filter(fitting).sort();
  if (unknown) add.unshift(UNKNOWN);
  return (
    <Row schema={schema} path={path} name={name ?? ""}>
      <span class="chips">
        {value.length === 0 && <span class="faint">empty</span>}
        {kinds.map((text) => (
          <select
            key={text}
            class="chip"
            aria-label={`${called(text)} in ${name}`}
            value=""
            onChange={(event) => {
              const { value: what } = event.currentTarget;
              event.currentTarget.value = "";
              if (what === "out") onChange(withList(whole, path, without(text)), path);
              else if (what !== "") move(text, null, others[Number(what)] ?? null);
            }}
          >
            <option value="">{called(text)}{value.filter((it) => it === text).length > 1 ? ` × ${value.filter((it) => it === text).length}` : ""}</option>
            {others.map((it, at) => <option key={at} value={String(at)}>move one to {nameOf(it)}</option>)}
            <option value="out">take one out</option>
          </select>
        ))}
        <select
          class="chip add"
          aria-label={`Add to ${name}`}
          value=""
          onChange={(event) => {
            const [from, text] = JSON.parse(event.currentTarget.value || "null") ?? [];
            event.currentTarget.value = "";
            if (text === undefined) return;
            const store = others[from];
            if (store) move(text, store, null);
            else onChange(withList(whole, path, [...value, text]), path);
          }}
        >
          <option value="">add…</option>
          {others.filter((it) => it.items.some(fitting)).map((store) => (
            <optgroup key={pointerOf(store.path)} label={`from ${nameOf(store)}`}>
              {[...new Set(store.items)].filter(fitting).map((it) => <option key={it} value={JSON.stringify([others.indexOf(store), it])}>{called(it)}</option>)}
            </optgroup>
          ))}
          {add.length > 0 && (
            <optgroup label="one more">
              {add.map((it) => <option key={it} value={JSON.stringify([-1, it])}>{called(it)}</option>)}
            </optgroup>
          )}
        </select>
        {add.length === 0 && others.length === 0 && <FreeText name={name ?? ""} onAdd={(text) => onChange(withList(whole, path, [...value, text]), path)} />}
      </span>
      <ClearButton schema={schema} path={path} name={name ?? ""} />
    </Row>
  );
}

/** A text that is not in any list. */
function FreeText({ name, onAdd }: { name: string; onAdd: (text: string) => void }) {
  return (
    <input
      aria-label={`A new one in ${name}`}
      placeholder="add…"
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = "";
        if (value) onAdd(value);
      }}
    />
  );
}

/** An object or a list: its parts, and what can be added to it. */
function Group({ schema, path, name, value, form, open = false }: Props & { value: Json; form: Schema }) {
  const fields = useFields();
  const { all, whole, fault, onChange } = fields;
  const entries = Array.isArray(value) ? value.map((it, at): [string, Json] => [String(at), it]) : Object.entries(value as object) as [string, Json][];
  const small = entries.length <= FEW && entries.every(([, it]) => it === null || typeof it !== "object" || (Array.isArray(it) && it.every((one) => typeof one === "number")));
  const [shown, setShown] = useState(open || (small && path.length === 1));
  const faulty = fault !== null && `${fault.pointer}/`.startsWith(`${pointerOf(path)}/`);
  useEffect(() => {
    if (faulty) setShown(true);
  }, [faulty, fault?.pointer]);
  const more = typeof form.additionalProperties === "object" ? form.additionalProperties : null;
  const absent = Object.entries(form.properties ?? {}).filter(([key]) => !isObject(value) || !(key in value));
  const ownSchema = (key: string): Schema => (Array.isArray(value) ? (form.items ?? {}) : (form.properties?.[key] ?? more ?? {}));
  const optional = (key: string) => Array.isArray(value) || !(form.required ?? []).includes(key);
  const nameOf = (key: string, it: Json) => (Array.isArray(value) ? (isObject(it) && it["id"] !== undefined ? `${it["id"]}: ${summary(it, fields)}` : String(Number(key) + 1)) : fields.called(key));
  return (
    <details class="group" open={shown} onToggle={(event) => setShown(event.currentTarget.open)} data-pointer={pointerOf(path)}>
      <summary title={gist(resolved(all, schema))}>
        {name} <small>{shown ? "" : summary(value, fields)}</small>
      </summary>
      <Fault path={path} />
      {shown && (
        <div class="group-body">
          {entries.map(([key, it]) => (
            <div key={key} class="entry">
              <Field schema={ownSchema(key)} path={[...path, key]} name={nameOf(key, it)} open={open && entries.length < 4} />
              {optional(key) && (Array.isArray(value) || !(key in (form.properties ?? {}))) && (
                <button type="button" class="slight" aria-label={`Take out ${nameOf(key, it)}`} title="Take it out" onClick={() => onChange(withPart(whole, [...path, key], undefined), path)}>✕</button>
              )}
            </div>
          ))}
          {absent.length > 0 && (
            <KeyChoice
              keys={absent.map(([key]) => key)}
              name={name ?? ""}
              called={words}
              onAdd={(key) => onChange(withPart(whole, [...path, key], initial(all, form.properties?.[key] ?? {})), [...path, key])}
            />
          )}
          {more && <NewKey schema={form.propertyNames ?? {}} taken={entries.map(([key]) => key)} name={name ?? ""} onAdd={(key) => onChange(withPart(whole, [...path, key], initial(all, more)), [...path, key])} />}
          {Array.isArray(value) && form.maxItems !== value.length && (
            <button type="button" onClick={() => onChange(withList(whole, path, [...value, another(all, form.items ?? {}, value)]), path)}>Add one</button>
          )}
          <ClearButton schema={schema} path={path} name={name ?? ""} />
        </div>
      )}
    </details>
  );
}

/** One more item of a list: like the last one, with a number of its own. */
function another(all: Schemas, schema: Schema, list: Json[]): Json {
  const last = list[list.length - 1];
  if (!isObject(last)) return structuredClone(last ?? initial(all, schema));
  const numbers = list.flatMap((it) => (isObject(it) && typeof it["id"] === "number" ? [it["id"]] : []));
  return numbers.length === list.length ? { ...structuredClone(last), id: Math.max(...numbers) + 1 } : structuredClone(last);
}

/** What a value says, shortly. */
function summary(value: Json, { called }: Context): string {
  if (Array.isArray(value)) {
    if (value.every((it) => typeof it === "number")) return JSON.stringify(value);
    return value.every((it) => typeof it === "string") && value.length > 0 && value.length < 5 ? value.map(called).join(", ") : `${value.length}`;
  }
  if (!isObject(value)) return value === null ? "none" : inWords(value);
  const plain = Object.entries(value).filter(([key, it]) => key !== "id" && (it === null || typeof it !== "object"));
  return plain.length < FEW ? plain.filter(([, it]) => it !== null && it !== false && it !== 0).map(([key, it]) => (typeof it === "number" ? `${words(key)} ${it}` : it === true ? words(key) : called(String(it)))).join(", ") : "";
}

/** A key that a collection does not have yet. */
function NewKey({ schema, taken, name, onAdd }: { schema: Schema; taken: string[]; name: string; onAdd: (key: string) => void }) {
  const { all, called } = useFields();
  const known = (formOf(all, schema, "").enum as string[] | undefined)?.filter((it) => !taken.includes(it));
  if (!known) return <FreeText name={name} onAdd={(key) => !taken.includes(key) && onAdd(key)} />;
  return known.length === 0 ? null : <KeyChoice keys={known} name={name} called={called} onAdd={onAdd} />;
}

/** Keys to choose from, one of which is added. */
export function KeyChoice({ keys, name, called, onAdd }: { keys: string[]; name: string; called: (key: string) => string; onAdd: (key: string) => void }) {
  return (
    <select
      aria-label={`Add to ${name}`}
      value=""
      onChange={(event) => {
        const key = event.currentTarget.value;
        event.currentTarget.value = "";
        if (key) onAdd(key);
      }}
    >
      <option value="">add…</option>
      {keys.map((it) => <option key={it} value={it}>{called(it)}</option>)}
    </select>
  );
}
