// The API documentation with a form to try each operation, made from the OpenAPI document. Operations are rendered when opened,
// so the list is shown at once. Must not know any operation by name.

import "./docs.css";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { setToken, token } from "./client";

type Any = { [key: string]: unknown };
interface Media {
  schema?: Any;
  examples?: Record<string, Any>;
  example?: unknown;
}
interface Body {
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, Any>;
  $ref?: string;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Any;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  security?: Any[];
}
interface Description {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Any;
}
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

let all: Description;

/** The target of a `$ref`. */
function found<T>(it: T): T {
  const ref = (it as Any | undefined)?.["$ref"];
  if (typeof ref !== "string") return it;
  const parts = ref.slice(2).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return found(parts.reduce<unknown>((at, part) => (at as Any)[part], all) as T);
}

/** Text with `code` in it. */
function Words({ text }: { text: string | undefined }) {
  return <>{text?.split(/(`[^`]+`)/).map((it, at) => (it.startsWith("`") ? <code key={at}>{it.slice(1, -1)}</code> : it))}</>;
}

/** The same in paragraphs. */
function Prose({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph, at) => <p key={at}><Words text={paragraph} /></p>)}
    </>
  );
}

function App({ description }: { description: Description }) {
  const [wanted, setWanted] = useState("");
  const [open, setOpen] = useState(location.hash.slice(1));
  useEffect(() => {
    const changed = () => setOpen(location.hash.slice(1));
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  const entries = useMemo(
    () =>
      Object.entries(description.paths).flatMap(([path, operations]) =>
        METHODS.flatMap((method): Entry[] => {
          const operation = operations[method];
          return operation ? [{ method, path, operation }] : [];
        }),
      ),
    [description],
  );
  // The fragment of the URL is only opened after the page has loaded, so the browser has not scrolled to it.
  useEffect(() => {
    if (open) document.getElementById(open)?.scrollIntoView();
  }, []);
  const text = wanted.trim().toLowerCase();
  const fits = ({ path, operation }: Entry) =>
    !text || `${path} ${operation.operationId} ${operation.summary ?? ""}`.toLowerCase().includes(text);
  const tags = [...new Set([...(description.tags ?? []).map((it) => it.name), ...entries.map((it) => it.operation.tags?.[0] ?? "")])];
  return (
    <main class="docs">
      <header class="bar">
        <h1>{description.info.title} <small>{description.info.version}</small></h1>
        <a href="/">Reading table</a>
        <a href="/v1/openapi.json">openapi.json</a>
        <Token />
      </header>
      <details class="about">
        <summary>About this API</summary>
        <Prose text={description.info.description} />
      </details>
      <p class="find"><label>Find <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} /></label></p>
      {tags.map((tag) => {
        const shown = entries.filter((it) => (it.operation.tags?.[0] ?? "") === tag && fits(it));
        if (shown.length === 0) return null;
        return (
          <section key={tag}>
            <h2>{tag} <small>{description.tags?.find((it) => it.name === tag)?.description}</small></h2>
            {shown.map((it) => (
              <OneOperation key={it.operation.operationId} entry={it} open={open === it.operation.operationId} />
            ))}
          </section>
        );
      })}
    </main>
  );
}

function OneOperation({ entry, open }: { entry: Entry; open: boolean }) {
  const { method, path, operation } = entry;
  const id = operation.operationId;
  return (
    <article class="operation" id={id}>
      <h3>
        <a href={open ? "#" : `#${id}`} aria-expanded={open}>
          <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code> <span>{operation.summary}</span>
        </a>
      </h3>
      {open && <Details entry={entry} />}
    </article>
  );
}

function Details({ entry }: { entry: Entry }) {
  const { operation } = entry;
  const body = found(operation.requestBody);
  return (
    <div class="details">
      <Prose text={operation.description} />
      {operation.security && operation.security.length > 0 && (
        <p class="faint">Requires a token if the service was started with tokens.</p>
      )}
      <Attempt entry={entry} />
      {body && (
        <>
          <h4>Request</h4>
          <Prose text={body.description} />
          {Object.entries(body.content ?? {}).map(([media, it]) => (
            <div key={media}><code>{media}</code> {it.schema && <Shape schema={it.schema} deep={1} />}</div>
          ))}
        </>
      )}
      <h4>Responses</h4>
      {Object.entries(operation.responses).map(([status, answer]) => (
        <Answer key={status} status={status} answer={found(answer)} />
      ))}
    </div>
  );
}

function Answer({ status, answer }: { status: string; answer: Body }) {
  const [open, setOpen] = useState(status.startsWith("2"));
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary><code>{status}</code> <Words text={answer.description} /></summary>
      {open && (
        <>
          {answer.headers && <p class="faint">Headers: {Object.keys(answer.headers).map((it) => <code key={it}>{it} </code>)}</p>}
          {Object.entries(answer.content ?? {}).map(([media, it]) => (
            <div key={media}>
              <code>{media}</code> {it.schema && <Shape schema={it.schema} deep={status.startsWith("2") ? 1 : 0} />}
              <Examples media={it} />
            </div>
          ))}
        </>
      )}
    </details>
  );
}

/** The value of an example, as text. */
function exampleText(example: unknown): string {
  const it = found(example as Any);
  const value = it && typeof it === "object" && "value" in it ? it["value"] : it;
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

function Examples({ media }: { media: Media }) {
  const names = Object.keys(media.examples ?? {});
  const [shown, setShown] = useState("");
  if (names.length === 0) return null;
  return (
    <div>
      <label>
        Example{" "}
        <select value={shown} onChange={(event) => setShown(event.currentTarget.value)}>
          <option value="">…</option>
          {names.map((it) => <option key={it}>{it}</option>)}
        </select>
      </label>
      {shown && <pre class="json" tabIndex={0}>{exampleText(media.examples?.[shown])}</pre>}
    </div>
  );
}

const kindOf = (schema: Any): string => {
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((it) => JSON.stringify(it)).join(" | ");
  const type = schema["type"];
  const name = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "";
  const items = schema["items"] as Any | undefined;
  if (name === "array" && items) return `array of ${refName(items) || kindOf(found(items)) || "values"}`;
  return name || (schema["oneOf"] || schema["anyOf"] ? "one of" : schema["properties"] ? "object" : "");
};
const refName = (schema: Any) => (typeof schema["$ref"] === "string" ? schema["$ref"].split("/").pop() : undefined);

/** A schema, expanded as far as it is opened. */
function Shape({ schema, deep, name, required }: { schema: Any; deep: number; name?: string; required?: boolean }) {
  const [open, setOpen] = useState(deep > 0);
  const it = found(schema);
  const inner = it["type"] === "array" && it["items"] ? found(it["items"] as Any) : it;
  const variants = (inner["oneOf"] ?? inner["anyOf"]) as Any[] | undefined;
  const properties = inner["properties"] as Record<string, Any> | undefined;
  const values = inner["additionalProperties"] as Any | boolean | undefined;
  const head = (
    <>
      {name && <code class={required ? "required" : ""}>{name}</code>} <span class="kind">{refName(schema) ?? kindOf(it)}</span>{" "}
      <span class="faint"><Words text={(schema["description"] ?? it["description"]) as string | undefined} /></span>
    </>
  );
  if (!variants && !properties && (typeof values !== "object" || values === null)) return <div class="shape">{head}</div>;
  const must = (inner["required"] ?? []) as string[];
  return (
    <details class="shape" open={open} onToggle={(event) => {
      event.stopPropagation();
      setOpen(event.currentTarget.open);
    }}>
      <summary>{head}</summary>
      {open && (
        <div>
          {Object.entries(properties ?? {}).map(([key, value]) => <Shape key={key} schema={value} deep={0} name={key} required={must.includes(key)} />)}
          {variants?.map((value, at) => <Shape key={at} schema={value} deep={0} />)}
          {values !== null && typeof values === "object" && <Shape schema={values} deep={0} name="…" />}
        </div>
      )}
    </details>
  );
}

interface Outcome {
  status: string;
  headers: string;
  text: string;
  picture: boolean;
}

const LONGEST = 100_000;

/** A form for an operation, and the response of the service. */
function Attempt({ entry }: { entry: Entry }) {
  const { method, path, operation } = entry;
  const parameters = (operation.parameters ?? []).map(found);
  const body = found(operation.requestBody);
  const [media] = Object.keys(body?.content ?? {});
  const offered = media ? body?.content?.[media] : undefined;
  const names = Object.keys(offered?.examples ?? {});
  const first = names[0];
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.filter((it) => it.in === "path" || it.required).map((it) => [it.name, String(it.example ?? "")])),
  );
  const [text, setText] = useState(first ? exampleText(offered?.examples?.[first]) : "");
  const kinds = [...new Set(Object.entries(operation.responses).filter(([it]) => it.startsWith("2")).flatMap(([, it]) => Object.keys(found(it).content ?? {})))];
  const [accept, setAccept] = useState(kinds[0] ?? "application/json");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const target = () => {
    const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
    const pairs = parameters.filter((it) => it.in === "query" && values[it.name]).map((it): [string, string] => [it.name, values[it.name] ?? ""]);
    return filledPath + (pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : "");
  };
  const send = async () => {
    setBusy(true);
    const headers: Record<string, string> = { accept };
    if (token()) headers["authorization"] = `Bearer ${token()}`;
    if (body) headers["content-type"] = media ?? "application/json";
    const begun = performance.now();
    try {
      const answer = await fetch(target(), { method: method.toUpperCase(), headers, body: body ? text : null });
      const raw = await answer.text();
      const kind = answer.headers.get("content-type") ?? "";
      const took = (performance.now() - begun).toFixed(0);
      let shown = raw;
      if (kind.includes("json") && !kind.includes("ndjson")) {
        try {
          shown = JSON.stringify(JSON.parse(raw), null, 1);
        } catch {
          // Shown as received.
        }
      }
      const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}\n… ${shown.length} characters` : shown;
      setOutcome({
        status: `${answer.status} ${answer.statusText}, ${took} ms, ${(raw.length / 1000).toFixed(1)} kB`,
        headers: [...answer.headers].map(([key, value]) => `${key}: ${value}`).join("\n"),
        text: cut,
        picture: kind.startsWith("image/svg"),
      });
    } catch (problem) {
      setOutcome({ status: String(problem), headers: "", text: "", picture: false });
    }
    setBusy(false);
  };
  return (
    <form class="attempt" onSubmit={(event) => {
      event.preventDefault();
      void send();
    }}>
      {parameters.map((it) => {
        const options = (found(it.schema ?? {})["enum"] ?? []) as string[];
        const set = (value: string) => setValues({ ...values, [it.name]: value });
        return (
          <label key={it.name} class="parameter">
            <span><code class={it.required ? "required" : ""}>{it.name}</code> <small>{it.in} {kindOf(found(it.schema ?? {})).slice(0, 60)}</small></span>
            {options.length > 0 ? (
              <select value={values[it.name] ?? ""} onChange={(event) => set(event.currentTarget.value)}>
                <option value="" />
                {options.map((one) => <option key={one}>{one}</option>)}
              </select>
            ) : (
              <input value={values[it.name] ?? ""} required={it.in === "path"} onInput={(event) => set(event.currentTarget.value)} />
            )}
            <small><Words text={it.description} /></small>
          </label>
        );
      })}
      {body && (
        <div class="parameter">
          {names.length > 0 && (
            <label>
              Body, as in the example{" "}
              <select onChange={(event) => setText(exampleText(offered?.examples?.[event.currentTarget.value]))}>
                {names.map((it) => <option key={it}>{it}</option>)}
              </select>
            </label>
          )}
          <textarea aria-label="Body" rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </div>
      )}
      <p>
        {kinds.length > 1 && (
          <label>
            Answer as{" "}
            <select value={accept} onChange={(event) => setAccept(event.currentTarget.value)}>{kinds.map((it) => <option key={it}>{it}</option>)}</select>
          </label>
        )}{" "}
        <button type="submit" class="strong" disabled={busy}>Try it</button>
      </p>
      {outcome && (
        <div role="status">
          <p><strong>{outcome.status}</strong></p>
          {outcome.headers && <details><summary>Headers</summary><pre class="json">{outcome.headers}</pre></details>}
          {outcome.picture && <img alt="The response" src={`data:image/svg+xml,${encodeURIComponent(outcome.text)}`} />}
          {outcome.text && <pre class="json" tabIndex={0}>{outcome.text}</pre>}
        </div>
      )}
    </form>
  );
}

function Token() {
  const [value, setValue] = useState(token());
  return (
    <label>
      Token{" "}
      <input type="password" autocomplete="off" size={12} value={value} onInput={(event) => {
        setValue(event.currentTarget.value);
        setToken(event.currentTarget.value.trim());
      }} />
    </label>
  );
}

async function start(root: HTMLElement) {
  const answer = await fetch("/v1/openapi.json");
  all = (await answer.json()) as Description;
  root.replaceChildren();
  render(<App description={all} />, root);
}

const root = document.getElementById("app");
if (root) start(root).catch((error: unknown) => root.append(`The OpenAPI document cannot be loaded: ${String(error)}`));
