// The start page: play or watch; open a game from the store, an id, a file or a text; or validate many files. Must not show
// a game.

import { useEffect, useState } from "preact/hooks";
import type { Batch } from "./batch";
import { games, records } from "./client";
import type { Schemas } from "./client";
import { Doors } from "./home";
import { Token, Trouble, clip, isolated, words } from "./parts";
import { COLUMNS, LOOKED_THROUGH, search, sorted } from "./search";

type Entry = Schemas["RecordSummary"];

interface Props {
  error: unknown;
  batch: Batch | null;
  /** A text was pasted. */
  onPaste: (text: string) => void;
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
  onEntry: (entry: Entry) => void;
  /** What a record is opened for. */
  purpose: "settle" | "study" | null;
}

export function Start({ error, batch, onPaste, onFiles, onText, onEntry, purpose }: Props) {
  const [pasted, setPasted] = useState("");
  return (
    <main class="start">
      <header class="bar">
        <h1>Umpire</h1>
        <span class="faint">A referee for board games.</span>
        <a href="/v1/docs/">API</a>
      </header>
      <Doors />
      <section id="open" tabIndex={-1}>
        <h2>{purpose === "settle" ? "Which game is the dispute about?" : purpose === "study" ? "Which game do you want to study?" : "Open a record"}</h2>
        {purpose === "study" && <p>Open its record here or choose a stored one below. A study that you saved as a file is opened here, too.</p>}
        {purpose === "settle" && <p>Open its record here or choose a stored one below. Go to the action in question; the Dispute tab compares the readings.</p>}
        <Trouble error={error} />
        <p>
          <label class="file">
            Choose files, or drop them anywhere{" "}
            <input type="file" multiple accept=".json,.ndjson,application/json" onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])} />
          </label>
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onPaste(pasted);
          }}
        >
          <label>
            A record, its id, or a link to it
            <textarea rows={4} spellcheck={false} value={pasted} onInput={(event) => setPasted(event.currentTarget.value)} />
          </label>
          <button type="submit" class="strong" disabled={!pasted.trim()}>Open</button>
        </form>
      </section>
      {batch && <Judged batch={batch} onText={onText} />}
      <Stored onEntry={onEntry} />
      <Token />
    </main>
  );
}

/** The search of the list, kept for when the user comes back. */
const remembered = { text: "", game: "", status: "", column: "stored", down: true };
const MOST_SHOWN = 200;

/** The records of the store, with a search. */
function Stored({ onEntry }: { onEntry: (entry: Entry) => void }) {
  const [known, setKnown] = useState<Schemas["GameList"]["games"]>([]);
  const [text, setText] = useState(remembered.text);
  const [game, setGame] = useState(remembered.game);
  const [status, setStatus] = useState(remembered.status);
  const [column, setColumn] = useState(remembered.column);
  const [down, setDown] = useState(remembered.down);
  const [most, setMost] = useState(MOST_SHOWN);
  const [page, setPage] = useState<Entry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  Object.assign(remembered, { text, game, status, column, down });
  useEffect(() => {
    games().then((it) => setKnown(it.games), () => undefined);
  }, []);
  const titleOf = (id: string) => known.find((one) => one.id === id)?.title ?? id;
  const wanted = text.trim();
  // The service lists the newest first; any other order, and a search, needs all of them.
  const all = wanted !== "" || column !== "stored" || !down;
  useEffect(() => setMost(MOST_SHOWN), [wanted, game, status, column, down]);
  useEffect(() => {
    let here = true;
    const ask = async () => {
      if (all) {
        const found = await search(wanted, { game, status }, titleOf);
        return { records: found, next: null };
      }
      return records({ game, status });
    };
    const timer = window.setTimeout(() => {
      ask().then(
        (it) => {
          if (!here) return;
          setPage(it.records);
          setNext(it.next);
          setError(null);
        },
        (it: unknown) => here && setError(it),
      );
    }, 200);
    return () => {
      here = false;
      window.clearTimeout(timer);
    };
  }, [wanted, all, game, status, known]);
  const more = async () => {
    const found = await records({ game, status, ...(next && { cursor: next }) });
    setPage((old) => [...(old ?? []), ...found.records]);
    setNext(found.next);
  };
  const rows = page && (all ? sorted(page, column, down, titleOf).slice(0, most) : page);
  const sort = (it: string) => {
    // Numbers and dates begin with the greatest, words with the first.
    setDown(it === column ? !down : it === "stored" || it === "actions");
    setColumn(it);
  };
  return (
    <section id="stored" tabIndex={-1}>
      <h2>Stored records</h2>
      <p class="filters">
        <label>Find <input type="search" aria-describedby="searched" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>{" "}
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
      <p class="faint" id="searched">
        Searches the game, players, result, winner, date and id of the newest {LOOKED_THROUGH.toLocaleString("en")} records, and the metadata and full player
        names of all records.
      </p>
      <Trouble error={error} />
      <p role="status" class={page && (page.length === 0 || wanted) ? "faint" : "hidden"}>
        {page && page.length === 0 && "No records."}
        {page && page.length > 0 && wanted && `${page.length} found${page.length > most ? `; the first ${most} are shown` : ""}.`}
      </p>
      {page && page.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label="Stored records">
          <table class="records">
            <thead>
              <tr>
                {Object.keys(COLUMNS).map((it) => (
                  <th key={it} scope="col" aria-sort={it !== column ? "none" : down ? "descending" : "ascending"}>
                    <button type="button" class="sort" onClick={() => sort(it)}>{it}{it === column && <span aria-hidden="true">{down ? " ▾" : " ▴"}</span>}</button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows?.map((it) => (
                <tr key={it.id}>
                  <td><a href={`#record=${it.id}`} onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    onEntry(it);
                  }}>{titleOf(it.game)}</a></td>
                  <td><Players of={it} /></td>
                  <td><span class="count">{it.plies}</span></td>
                  <td>{words(it.status)}{it.reason && `, ${words(it.reason)}`}{it.winner && `: ${it.winner}`}</td>
                  <td>{it.created_at.slice(0, 10)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next && !all && <button type="button" onClick={() => void more().catch(setError)}>More</button>}
      {all && page && page.length > most && <button type="button" onClick={() => setMost(most + MOST_SHOWN)}>More</button>}
    </section>
  );
}

function Players({ of }: { of: Entry }) {
  const names = Object.entries(of.players);
  if (names.length === 0) return <>–</>;
  return (
    <span class="cut" title={names.map(([seat, who]) => `${seat}: ${isolated(clip(who, 200))}`).join(", ")}>
      {names.map(([seat, who], at) => (
        <span key={seat}>{at > 0 && " – "}<bdi>{clip(who)}</bdi>{of.winner === seat && " ★"}</span>
      ))}
    </span>
  );
}

const MOST_ROWS = 1000;

/** Many records, validated one by one, with progress. */
function Judged({ batch, onText }: { batch: Batch; onText: (text: string) => void }) {
  const [, setCount] = useState(0);
  useEffect(() => {
    batch.told = () => setCount((it) => it + 1);
    batch.told();
    return () => {
      batch.told = null;
    };
  }, [batch]);
  const { rows, of, doing, good } = batch;
  const statusOf = (it: (typeof rows)[number]) => it.judgement?.verdict.status ?? "not a record";
  const kinds = [...new Set(rows.map(statusOf))];
  const stored = rows.filter((it) => it.id !== null).length;
  return (
    <section>
      <h2>Validated files</h2>
      <p role="status">
        {doing === "reading" ? (
          <>Reading files… <progress /></>
        ) : (
          <>
            {rows.length} of {of} <progress value={rows.length} max={of || 1} /> {kinds.map((kind) => `${words(kind)}: ${rows.filter((it) => statusOf(it) === kind).length}`).join(", ")}
            {stored > 0 && `; ${stored} stored`}
          </>
        )}{" "}
        {(doing === "judging" || doing === "storing") && <button type="button" onClick={() => batch.stop()}>Stop</button>}
        {doing === "nothing" && good.length > 0 && (
          <button type="button" class="strong" onClick={() => void batch.storeGood()}>
            Store {good.length === 1 ? "the legal record" : `the ${good.length} legal records`}
          </button>
        )}
      </p>
      <div class="wide" tabIndex={0} role="region" aria-label="Validated files">
        <table class="records judged">
          <thead><tr>{["file", "status", "problem", "stored"].map((it) => <th key={it} scope="col">{it}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((it, at) => {
              const violation = it.judgement?.verdict.violation;
              return (
                <tr key={at}>
                  <td>{it.judgement ? <button type="button" class="link" onClick={() => onText(it.text)}>{clip(it.name)}</button> : clip(it.name)}</td>
                  <td>{words(statusOf(it))}</td>
                  <td>{violation ? `ply ${violation.ply + 1}: ${violation.message} (${violation.rule})` : it.error ? <Trouble error={it.error} /> : ""}</td>
                  <td>{it.id ? <a href={`#record=${it.id}`}>{it.id.slice(0, 8)}</a> : ""}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length > MOST_ROWS && <p class="faint">Showing the first {MOST_ROWS} of {rows.length}. For large archives, use <code>umpire validate</code>.</p>}
    </section>
  );
}
