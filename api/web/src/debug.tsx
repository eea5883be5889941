// For developers: the requests, the responses, and how to send them from a shell. Must not hide anything.

import { useEffect, useState } from "preact/hooks";
import { asked, legal, onAsked, replay, token } from "./client";
import type { Asked, Eyes, Source } from "./client";
import { Copy, Pretty, Trouble } from "./parts";

interface Props {
  source: Source;
  ply: number;
  eyes: Eyes;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request as a shell command. The token is left to a variable. */
export function curl(it: Asked): string {
  const parts = ["curl", quoted(new URL(it.path, location.origin).href), "-H", quoted(`accept: ${it.accept}`)];
  if (it.method !== "GET" && it.body === null) parts.push("-X", it.method);
  if (it.body !== null) parts.push("-H", quoted("content-type: application/json"), "--data-binary", quoted(it.body));
  if (token()) parts.push("-H", '"authorization: Bearer $UMPIRE_TOKEN"');
  return parts.join(" ");
}

const PARTS = ["view", "events of this ply", "decision", "legal actions", "verdict"] as const;
type Part = (typeof PARTS)[number];

export function Debug({ source, ply, eyes }: Props) {
  const [, setCount] = useState(0);
  const [part, setPart] = useState<Part>("view");
  const [value, setValue] = useState<unknown>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    onAsked(() => setCount((it) => it + 1));
    return () => onAsked(() => undefined);
  }, []);
  useEffect(() => {
    let here = true;
    setValue(null);
    const load = async (): Promise<unknown> => {
      if (part === "legal actions") return legal(source, ply, eyes);
      const report = await replay(source, eyes, { ply, include: "events,text" });
      if (part === "view") return report.state;
      if (part === "decision") return report.decision;
      if (part === "verdict") return report.verdict;
      const texts = report.texts ?? [];
      const events = (report.events ?? []).map((event, at) => ({ ...event, text: texts[at] ?? null }));
      return events.filter((it) => (ply === 0 ? it.opening : !it.opening && it.ply === ply - 1));
    };
    load().then(
      (it) => {
        if (!here) return;
        setValue(it);
        setError(null);
      },
      (it: unknown) => here && setError(it),
    );
    return () => {
      here = false;
    };
  }, [source, ply, eyes.viewer, eyes.lang, part]);
  return (
    <div class="debug">
      <label>
        As JSON{" "}
        <select value={part} onChange={(event) => setPart(event.currentTarget.value as Part)}>
          {PARTS.map((it) => <option key={it}>{it}</option>)}
        </select>
      </label>{" "}
      <Copy text={() => JSON.stringify(value, null, 1)}>Copy</Copy>
      <Trouble error={error} />
      <Pretty value={value} />
      <h3>Requests, newest first</h3>
      <ol class="requests">
        {asked.map((it, at) => (
          <li key={asked.length - at}>
            <code>{it.method} {it.path}</code>{" "}
            <small>{it.status}, {it.milliseconds.toFixed(0)} ms, {(it.bytes / 1000).toFixed(1)} kB{it.body !== null ? `, sent ${(it.body.length / 1000).toFixed(1)} kB` : ""}</small>{" "}
            <Copy text={() => curl(it)}>Copy as curl</Copy>
          </li>
        ))}
      </ol>
      <p><a href="/v1/docs/">The whole API</a></p>
    </div>
  );
}
