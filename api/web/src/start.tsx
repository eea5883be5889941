// Where a game comes from: the store, an id, a file, a text, or many files to be judged. Must not show a game.

import { useEffect, useRef, useState } from "preact/hooks";
import { games, records, validate } from "./client";
import type { Schemas } from "./client";
import { Token, Trouble, words } from "./parts";

interface Props {
  onText: (text: string) => void;
  onId: (id: string) => void;
}

const ID = /^[0-9a-f]{64}$/;

export function Start({ onText, onId }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [pasted, setPasted] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const [over, setOver] = useState(false);
  const open = (text: string) => {
    const it = text.trim();
    if (ID.test(it)) return onId(it);
    const linked = /[#&]record=([0-9a-f]{64})|\/t\/([0-9a-f]{64})/.exec(it);
    if (linked && !it.startsWith("{")) return onId(linked[1] ?? linked[2] ?? "");
    try {
      const record = JSON.parse(it) as { actions?: unknown };
      if (!Array.isArray(record.actions)) throw new Error("a record has a list of actions");
      onText(it);
    } catch (problem) {
      setError(new Error(`This is neither a record nor the id of one: ${(problem as Error).message}`));
    }
  };
  const take = async (list: FileList | File[] | null) => {
    const all = [...(list ?? [])];
    setError(null);
    if (all.length === 1 && all[0]) {
      const text = await all[0].text();
      // One record in one file is opened; several are judged.
      if (!all[0].name.endsWith(".ndjson")) return open(text);
    }
    setFiles(all);
  };
  return (
    <main
      class={over ? "start over" : "start"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer?.files ?? null);
      }}
    >
      <header class="bar">
        <h1>Umpire</h1>
        <span class="faint">Recorded games, replayed, judged and disputed.</span>
        <a href="/v1/docs/">API</a>
      </header>
      <Trouble error={error} />
      <section>
        <h2>Open a game</h2>
        <p>
          <label class="file">
            Choose files, or drop them anywhere{" "}
            <input type="file" multiple accept=".json,.ndjson,application/json" onChange={(event) => void take(event.currentTarget.files)} />
          </label>
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            open(pasted);
          }}
        >
          <label>
            A record, its id or a link to it
            <textarea rows={4} spellcheck={false} value={pasted} onInput={(event) => setPasted(event.currentTarget.value)} />
          </label>
          <button type="submit" class="strong" disabled={!pasted.trim()}>Open</button>
        </form>
      </section>
      {files.length > 0 && <Judged files={files} onText={onText} />}
      <Stored onId={onId} />
      <Token />
    </main>
  );
}

/** The records of the store, to be searched. */
function Stored({ onId }: { onId: (id: string) => void }) {
  const [known, setKnown] = useState<Schemas["GameList"]["games"]>([]);
  const [text, setText] = useState("");
  const [game, setGame] = useState("");
  const [status, setStatus] = useState("");
  const [page, setPage] = useState<Schemas["RecordSummary"][] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    games().then((it) => setKnown(it.games), () => undefined);
  }, []);
  const load = async (cursor?: string) => {
    const found = await records({ text, game, status, ...(cursor && { cursor }) });
    setPage((old) => (cursor && old ? [...old, ...found.records] : found.records));
    setNext(found.next ?? null);
    setError(null);
  };
  useEffect(() => {
    const timer = window.setTimeout(() => void load().catch(setError), 200);
    return () => window.clearTimeout(timer);
  }, [text, game, status]);
  return (
    <section>
      <h2>Stored records</h2>
      <p class="filters">
        <label>Find <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>{" "}
        <label>
          Game{" "}
          <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
            <option value="">all</option>
            {known.map((it) => <option key={it.id} value={it.id}>{it.title}</option>)}
          </select>
        </label>{" "}
        <label>
          Status{" "}
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            <option value="">any</option>
            {["complete", "in_progress", "illegal", "bad_chance"].map((it) => <option key={it} value={it}>{words(it)}</option>)}
          </select>
        </label>
      </p>
      <Trouble error={error} />
      {page && page.length === 0 && <p class="faint">None.</p>}
      {page && page.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label="Stored records">
          <table class="records">
            <thead><tr>{["game", "players", "actions", "status", "stored"].map((it) => <th key={it} scope="col">{it}</th>)}</tr></thead>
            <tbody>
              {page.map((it) => (
                <tr key={it.id}>
                  <td><a href={`#record=${it.id}`} onClick={(event) => {
                    event.preventDefault();
                    onId(it.id);
                  }}>{known.find((one) => one.id === it.game)?.title ?? it.game}</a></td>
                  <td>{Object.entries(it.players ?? {}).map(([seat, who]) => (it.winner === seat ? `${String(who)} ★` : String(who))).join(" – ") || "–"}</td>
                  <td>{it.plies}</td>
                  <td>{words(it.status)}{it.reason && `, ${words(it.reason)}`}{it.winner && `: ${it.winner}`}</td>
                  <td>{it.created_at.slice(0, 10)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next && <button type="button" onClick={() => void load(next).catch(setError)}>More</button>}
    </section>
  );
}

interface Row {
  name: string;
  text: string;
  judgement: Schemas["Judgement"] | null;
  error: unknown;
}

const AT_ONCE = 4;

/** Many records, judged one by one, with how far it is. */
function Judged({ files, onText }: { files: File[]; onText: (text: string) => void }) {
  const [rows, setRows] = useState<Row[]>([]);
  const [of, setOf] = useState(0);
  const stopped = useRef(false);
  useEffect(() => {
    let here = true;
    stopped.current = false;
    setRows([]);
    const run = async () => {
      const work: { name: string; text: string }[] = [];
      for (const file of files) {
        const text = await file.text();
        if (!file.name.endsWith(".ndjson")) work.push({ name: file.name, text });
        else text.split("\n").forEach((it, at) => it.trim() && work.push({ name: `${file.name}:${at + 1}`, text: it }));
      }
      setOf(work.length);
      const done: Row[] = new Array(work.length) as Row[];
      let [next, shown] = [0, 0];
      const judge = async () => {
        while (here && !stopped.current) {
          const number = next;
          next += 1;
          const it = work[number];
          if (!it) return;
          const row: Row = { ...it, judgement: null, error: null };
          try {
            row.judgement = await validate(it.text);
          } catch (error) {
            row.error = error;
          }
          done[number] = row;
          // A long list is not drawn anew for each of its rows.
          if (performance.now() - shown > 100) {
            shown = performance.now();
            setRows(done.filter(Boolean));
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, judge));
      if (here) setRows(done.filter(Boolean));
    };
    void run();
    return () => {
      here = false;
    };
  }, [files]);
  const count = (status: string) => rows.filter((it) => (it.judgement?.verdict.status ?? "not a record") === status).length;
  const kinds = [...new Set(rows.map((it) => it.judgement?.verdict.status ?? "not a record"))];
  return (
    <section>
      <h2>Judged files</h2>
      <p role="status">
        {rows.length} of {of} <progress value={rows.length} max={of || 1} /> {kinds.map((it) => `${words(it)}: ${count(it)}`).join(", ")}{" "}
        {rows.length < of && <button type="button" onClick={() => { stopped.current = true; }}>Stop</button>}
      </p>
      <div class="wide" tabIndex={0} role="region" aria-label="Judged files">
        <table class="records">
          <thead><tr>{["file", "status", "what is wrong"].map((it) => <th key={it} scope="col">{it}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, 1000).map((it) => {
              const violation = it.judgement?.verdict.violation;
              return (
                <tr key={it.name}>
                  <td>{it.judgement ? <button type="button" class="link" onClick={() => onText(it.text)}>{it.name}</button> : it.name}</td>
                  <td>{it.judgement ? words(it.judgement.verdict.status) : "not a record"}</td>
                  <td>{violation ? `ply ${violation.ply + 1}: ${violation.message} (${violation.rule})` : it.error ? <Trouble error={it.error} /> : ""}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length > 1000 && <p class="faint">The first 1000 of {rows.length}. For archives there is <code>umpire validate</code>.</p>}
    </section>
  );
}
