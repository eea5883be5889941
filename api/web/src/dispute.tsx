// The dispute panel: which rulings a game depends on, and where it diverges under other readings. Must not judge.

import { useEffect, useState } from "preact/hooks";
import { adjudicate, game as gameOf } from "./client";
import type { Action, Each, Eyes, Schemas, Recorded } from "./client";
import { headline, rulingsOf, weightOf, whatChanges } from "./headline";
import { described } from "./lines";
import type { Reading } from "./lines";
import { Barred, Clauses, Trouble, name, words } from "./parts";
import type { Names, ShowClause } from "./parts";

interface Props {
  source: Recorded;
  game: string;
  ply: number;
  eyes: Eyes;
  names: Names;
  other: Reading | null;
  onOther: (other: Reading | null, ply?: number) => void;
  onGo: (ply: number) => void;
  onClause: ShowClause;
  onReferee: () => void;
  /** An action that was tried and is argued about. */
  argued: { ply: number; action: Action } | null;
  /** Shows the moves, from which an action is chosen. */
  onChooseAction: () => void;
}

type Settled = Each<"Adjudication"> & { verdict?: string };
type Compared = Settled["readings"][number];

/** A reading as text. */
export function named(reading: Reading): string {
  const rulings = Object.entries(reading.rulings ?? {}).map(([id, value]) => `${id} = ${value}`);
  return [...(reading.edition ? [`edition ${reading.edition}`] : []), ...rulings].join(", ");
}

/** A dispute is answered for the referee only: it is neither requested nor shown for anyone else. */
export function Dispute(props: Props) {
  if (props.eyes.viewer === "referee") return <Settling {...props} />;
  return <Barred what="Disputes and other readings can be shown" onLook={props.onReferee} />;
}

function Settling(props: Props) {
  const { source, game, ply, eyes, names, other, onOther, onGo, onClause, argued, onChooseAction } = props;
  const [settled, setSettled] = useState<Settled | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setSettled(null);
    setError(null);
  }, [source, eyes.lang]);
  const [about, setAbout] = useState<{ ply?: number; action?: Action }>({});
  const ask = async (more: { ply?: number; action?: Action }, keep: boolean) => {
    setBusy(true);
    setAbout(more);
    try {
      setSettled((await adjudicate(source, eyes, more, keep)) as unknown as Settled);
      setError(null);
    } catch (it) {
      setError(it);
    }
    setBusy(false);
  };
  useEffect(() => {
    if (argued) void ask(argued, false);
  }, [argued]);
  return (
    <div class="dispute">
      {argued && <p class="picked">About an action that was tried at ply {argued.ply + 1}: <strong>{described(argued.action)}</strong></p>}
      <p class="buttons">
        <button type="button" class="strong" disabled={busy} onClick={() => void ask({}, false)}>Settle the whole record</button>{" "}
        <button type="button" disabled={busy} onClick={() => void ask({ ply }, false)}>Ask about ply {ply}</button>{" "}
        <button type="button" disabled={busy} onClick={() => void ask(argued ?? {}, true)}>Settle and store the verdict</button>
        <button type="button" onClick={onChooseAction}>Argue about another action…</button>
      </p>
      {busy && <p role="status">Comparing readings…</p>}
      <Trouble error={error} />
      {other && (
        <p class="picked">
          Shown beside it: {named(other)}. <button type="button" onClick={() => onOther(null)}>Close</button>
        </p>
      )}
      {settled && <Answer settled={settled} game={game} other={other} aboutAction={about.ply !== undefined} lang={eyes.lang} names={names} onOther={onOther} onGo={onGo} onClause={onClause} />}
      <Choose game={game} other={other} onOther={onOther} />
    </div>
  );
}

function Answer(props: { settled: Settled; game: string; other: Reading | null; aboutAction: boolean; lang: string; names: Names; onOther: Props["onOther"]; onGo: (ply: number) => void; onClause: ShowClause }) {
  const { settled, game, other, aboutAction, lang, names, onOther, onGo, onClause } = props;
  const [known, setKnown] = useState<Schemas["GameDetail"] | null>(null);
  useEffect(() => {
    gameOf(game).then(setKnown, () => undefined);
  }, [game]);
  /** What a reading says, in words. */
  const sayReading = (reading: Reading) =>
    rulingsOf(reading).map(([id, value]) => known?.rulings.find((it) => it.id === id)?.readings.find((it) => it.value === value)?.gist ?? value).join(" ") || named(reading) || "another version of the rules";
  return (
    <>
      {known && <p class="headline"><strong>{headline(settled.readings, known.rulings, aboutAction)}</strong></p>}
      {settled.readings.length > 0 && (
        <div class="readings" role="group" aria-label="Readings">
          <button type="button" aria-pressed={other === null} onClick={() => onOther(null)}>As recorded</button>
          {byQuestion(settled.readings).map(([id, all]) => (
            <div key={id}>
              <p>{known?.rulings.find((it) => it.id === id)?.question ?? "Which edition or version of the rules is played?"} <small>{id}</small></p>
              <p class="buttons">
                {all.map((it) => {
                  const reading = it.reading as Reading;
                  const on = other !== null && named(other) === named(reading);
                  return (
                    <button key={named(reading)} type="button" aria-pressed={on} title={named(reading)} onClick={() => onOther(on ? null : reading, it.parting.ply + 1)}>
                      {sayReading(reading)} <small>{whatChanges(it)}</small>
                    </button>
                  );
                })}
              </p>
            </div>
          ))}
        </div>
      )}
      <div role="status" lang={lang}>{settled.summary.map((it, at) => <p key={at}>{it}</p>)}</div>
      {settled.verdict && (
        <p>
          Stored: <a href={`/v1/verdicts/${settled.verdict}?format=html`} target="_blank" rel="noreferrer">the verdict sheet</a>, to print or to send
        </p>
      )}
      {settled.readings.length > 0 && <h3>Under other readings</h3>}
      {settled.readings.map((it) => (
        <OtherCourse key={named(it.reading as Reading)} it={it} names={names} onOther={onOther} onClause={onClause} />
      ))}
      {settled.same.length > 0 && (
        <details>
          <summary>{settled.same.length} {settled.same.length === 1 ? "reading makes" : "readings make"} no difference</summary>
          <ul>
            {settled.same.map((it, at) => (
              <li key={at}><code>{named(it.reading as Reading)}</code> ({words(it.class)}): {it.gist}</li>
            ))}
          </ul>
        </details>
      )}
      {settled.impossible.length > 0 && (
        <details>
          <summary>{settled.impossible.length} {settled.impossible.length === 1 ? "reading is" : "readings are"} not possible</summary>
          <ul>
            {settled.impossible.map((it, at) => (
              <li key={at}><code>{named(it.reading as Reading)}</code> ({words(it.class)}): {it.gist}</li>
            ))}
          </ul>
        </details>
      )}
      {settled.cited.length > 0 && <h3>Rulings that the game depends on</h3>}
      {settled.cited.map((it) => (
        <details key={it.id}>
          <summary>
            {it.id}: {it.question} <small>{it.times === 1 ? "once" : `${it.times} times`}</small>
          </summary>
          {typeof it.ply === "number" && (
            <p>First at ply <button type="button" onClick={() => onGo((it.ply ?? 0) + 1)}>{it.ply + 1}</button></p>
          )}
          <ul>
            {it.readings.map((one, at) => (
              <li key={at}>
                {one.value && <code>{one.value}</code>} {one.in_force && <strong>in force</strong>} {one.gist}
              </li>
            ))}
          </ul>
          <p class="faint">{it.because}</p>
          <Clauses ids={it.settles.map((one) => one.id)} onShow={onClause} />
          {it.precedents.length > 0 && <p class="faint">Precedents: {it.precedents.map((one) => one.title).join("; ")}</p>}
        </details>
      ))}
    </>
  );
}

/** Readings by the question that they answer: those that change the most come first. */
function byQuestion(readings: Compared[]): [string, Compared[]][] {
  const groups = new Map<string, Compared[]>();
  for (const it of [...readings].sort((a, b) => weightOf(a) - weightOf(b))) {
    const id = rulingsOf(it.reading)[0]?.[0] ?? "";
    groups.set(id, [...(groups.get(id) ?? []), it]);
  }
  return [...groups];
}

/** Matches a line of data rather than text: a structured value. */
const RAW = /(: |, )[([][^\d-]/;

function OtherCourse({ it, names, onOther, onClause }: { it: Compared; names: Names; onOther: Props["onOther"]; onClause: ShowClause }) {
  const { parting, course } = it;
  const reading = it.reading as Reading;
  const said = (parting.words as string[]).filter((one) => !RAW.test(one));
  const changed = Object.entries(it.changes).filter(([, value]) => value === true).map(([key]) => words(key));
  return (
    <section class="course">
      <h4><code>{named(reading)}</code></h4>
      <p>{it.gist}</p>
      <p>
        Diverges at ply {parting.ply + 1} ({words(parting.how)}){changed.length > 0 && <>; different {changed.join(", ")}</>}. Then: {words(course.status)}
        {course.outcome && <>, {words(String(course.outcome.reason))}{course.outcome.winner ? `, ${name(names, course.outcome.winner)} wins` : ", without a winner"}</>}
        {course.violation && <>; {course.violation.message} <Clauses ids={course.violation.rules} onShow={onClause} /></>}
      </p>
      {said.slice(0, 4).map((one, at) => <p key={at} class="faint">{one}</p>)}
      {parting.words.length > Math.min(4, said.length) && (
        <details>
          <summary class="faint">All {parting.words.length} differences, some as data</summary>
          {parting.words.map((one, at) => <p key={at} class="faint">{one}</p>)}
        </details>
      )}
      <Clauses ids={parting.rules.map((one) => one.id)} onShow={onClause} />{" "}
      <p class="buttons"><button type="button" onClick={() => onOther(reading, parting.ply + 1)}>Show both at ply {parting.ply + 1}</button></p>
    </section>
  );
}

/** Rulings and the edition, for switching manually. */
function Choose({ game, other, onOther }: { game: string; other: Reading | null; onOther: Props["onOther"] }) {
  const [known, setKnown] = useState<Schemas["GameDetail"] | null>(null);
  useEffect(() => {
    gameOf(game).then(setKnown, () => undefined);
  }, [game]);
  if (!known) return null;
  const options = known.options_schema as { properties?: { edition?: { enum?: string[] } } };
  const editions = options.properties?.edition?.enum ?? [];
  const change = (next: Reading) => onOther(Object.keys(next.rulings ?? {}).length > 0 || next.edition ? next : null);
  const setRuling = (id: string, value: string) => {
    const rulings = { ...other?.rulings };
    if (value) rulings[id] = value;
    else delete rulings[id];
    change({ ...other, rulings });
  };
  const setEdition = (value: string) => {
    const { edition: _edition, ...rest } = other ?? {};
    change(value ? { ...rest, edition: value } : rest);
  };
  return (
    <details>
      <summary>Switch a ruling{editions.length > 0 ? " or the edition" : ""} manually</summary>
      {editions.length > 0 && (
        <label>
          Edition{" "}
          <select value={other?.edition ?? ""} onChange={(event) => setEdition(event.currentTarget.value)}>
            <option value="">as recorded</option>
            {editions.map((it) => <option key={it} value={it}>{it}</option>)}
          </select>
        </label>
      )}
      {known.rulings.map((it) => (
        <label key={it.id} class="ruling">
          <span>{it.id}: {it.question}</span>
          <select value={other?.rulings?.[it.id] ?? ""} onChange={(event) => setRuling(it.id, event.currentTarget.value)}>
            <option value="">as recorded</option>
            {it.readings.map((one) => (
              <option key={one.value} value={one.value}>{one.value}{one.value === it.default ? " (default)" : ""}: {one.gist}</option>
            ))}
          </select>
        </label>
      ))}
    </details>
  );
}
