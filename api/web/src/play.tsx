// A live table: the board on which moves are made, whose turn it is, the story, links for others, and what comes after the
// game. Must not know a game, nor show a seat what another one knows: the service answers each token.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "./board";
import { Build } from "./build";
import { Chooser } from "./chooser";
import { Refusal, act, game as gameOf, hint as hintOf, legal as legalOf, record as recordOf, seal, undo } from "./client";
import type { Action, Each, Eyes, Schemas, Seated, Table } from "./client";
import { takePart } from "./fair";
import { refused, useLive } from "./live";
import { Moves } from "./moves";
import { useMoving } from "./moving";
import { Copy, Tabs, Trouble, save, useClauses, words } from "./parts";
import type { Names } from "./parts";
import { begin, computer, sittersOf } from "./setting";
import { Finder, Story, folded, sentences, stepsOf } from "./story";
import { actedAt, keepActedAt, keepKeys, keepSeatHere, keysOf, seatHere } from "./tab";
import type { Keys } from "./tab";

interface Props {
  id: string;
  /** The token of a link. */
  token: string | undefined;
  /** Look as a spectator, whatever tokens this browser holds. */
  spectator: boolean;
  onHome: () => void;
  onGo: (address: string) => void;
}

const PANELS = { moves: "Moves", story: "Story", table: "Table" } as const;
type Panel = keyof typeof PANELS;
const HINT = 500;
const MOST_NEWS = 6;

/** The token with which this tab looks: the one of a link, or of a seat that this browser holds. */
function bearerOf({ id, token, spectator }: Props): string {
  const keys = keysOf(id);
  if (spectator) return "";
  if (token) return token;
  const here = keys?.seats[seatHere(id) ?? ""];
  return here ?? Object.values(keys?.seats ?? {})[0] ?? "";
}

/** Who plays a seat, as far as it is known. */
const playerOf = ({ name, search }: Schemas["TableSeat"]) => (search === undefined ? (name ?? "") : computer(search));

/** A seat in a sentence: the name of its player, or the seat. */
function Seat({ table, seat }: { table: Table; seat: string }) {
  const it = table.seats.find((one) => one.seat === seat);
  const who = it?.search === undefined ? it?.name : "the computer";
  return who ? <><bdi>{who}</bdi> ({words(seat)})</> : <>{words(seat)}</>;
}

/** Two computers may play many actions a second; spectators see the board a few times a second. */
const PACE = 300;

function usePaced(version: string): string {
  const [paced, setPaced] = useState(version);
  const last = useRef(0);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      last.current = performance.now();
      setPaced(version);
    }, Math.max(0, last.current + PACE - performance.now()));
    return () => window.clearTimeout(timer);
  }, [version]);
  return paced;
}

export function Play(props: Props) {
  const { id, onHome, onGo } = props;
  const [bearer, setBearer] = useState(() => bearerOf(props));
  const [keys, setKeys] = useState<Keys | null>(() => keysOf(id));
  const [lang, setLang] = useState("en");
  const [panel, setPanel] = useState<Panel>("moves");
  const [detail, setDetail] = useState<Schemas["GameDetail"] | null>(null);
  const [legal, setLegal] = useState<Schemas["Legal"] | null>(null);
  const [legalError, setLegalError] = useState<unknown>(null);
  const [error, setError] = useState<unknown>(null);
  const [advice, setAdvice] = useState<Schemas["Hint"] | "asked" | null>(null);
  const [everything, setEverything] = useState(false);
  const [invited, setInvited] = useState(false);
  /** The place in the story that is read, while the board stays as it is. */
  const [read, setRead] = useState<number | null>(null);
  useEffect(() => setRead(null), [panel]);
  const chair = useMemo(() => ({ table: id, bearer }), [id, bearer]);
  const live = useLive(chair, lang);
  const { table, told, lost } = live;
  const now = table?.now ?? null;
  const version = table?.version ?? "";
  const ply = now?.ply ?? 0;
  const seat = table && table.seats.some((it) => it.seat === table.viewer) ? (table.viewer as string) : null;
  const eyes: Eyes = useMemo(() => ({ viewer: table?.viewer ?? "", lang }), [table?.viewer, lang]);
  const paced = usePaced(version);
  const shown = seat ? version : paced;
  const shownPly = Number.parseInt(shown, 10) || 0;
  const source: Seated = useMemo(() => ({ table: id, bearer, version: shown }), [id, bearer, shown]);
  const names: Names = useMemo(
    () => Object.fromEntries((table?.seats ?? []).map((it) => [it.seat, playerOf(it)]).filter(([, who]) => who)),
    [table?.seats],
  );
  const [showClause, clauseBox] = useClauses(table?.game, lang);
  const over = now?.status === "complete";
  const deciding = (now?.decision.players ?? []) as string[];
  const mine = seat !== null && deciding.includes(seat);

  useEffect(() => {
    if (table?.game) gameOf(table.game).then(setDetail, () => undefined);
  }, [table?.game]);
  useEffect(() => {
    if (detail) document.title = `${mine ? "Your turn – " : ""}${detail.title} – Umpire`;
  }, [detail, mine]);
  // The token of a link stays in this browser and leaves the address, where it could be copied by mistake.
  useEffect(() => {
    if (!table || !seat || !bearer) return;
    const old = keysOf(id) ?? { game: table.game, since: new Date().toISOString(), seats: {} };
    const next = { ...old, seats: { ...old.seats, [seat]: bearer } };
    if (!keepKeys(id, next)) return;
    keepSeatHere(id, seat);
    setKeys(next);
    if (location.hash.includes("token=")) history.replaceState(null, "", `/#table=${id}`);
  }, [id, seat, bearer]);
  // Each stage of a fair draw waits for this seat once.
  const stage = table?.fair?.missing.includes(seat ?? "") ? table.fair.stage : null;
  useEffect(() => {
    if (table && seat && stage) takePart(chair, table, seat).catch(setError);
  }, [stage, seat]);

  useEffect(() => {
    setLegal(null);
    setLegalError(null);
    setAdvice(null);
    if (!seat || !now || over) return;
    const stop = new AbortController();
    legalOf(source, ply, eyes, stop.signal).then(setLegal, (it: Error) => it.name !== "AbortError" && setLegalError(it));
    return () => stop.abort();
  }, [source, seat, now === null, over, lang]);

  const attempt = useCallback(
    async (action: Action, _text: string | undefined, sure: boolean): Promise<Schemas["WhyNot"] | null> => {
      setError(null);
      if (!sure) {
        // An action that was not chosen from the legal ones is only checked.
        const found = await legalOf(source, ply, eyes, undefined, action);
        const own = ((found.choices ?? []) as Each<"Choices">[]).find((it) => it.player === action.player);
        if (own?.complete) return { answer: "legal", action, message: "This is legal.", violations: [], clauses: [], changes: [], facts: [], nearest: [] } as unknown as Schemas["WhyNot"];
      }
      try {
        const step = await act(chair, version, action, lang);
        if (seat) keepActedAt(id, seat, [...actedAt(id, seat).filter((it) => it < ply), ply]);
        live.apply(step);
        // On a phone the list is below the board.
        window.scrollTo({ top: 0 });
        return null;
      } catch (it) {
        if (it instanceof Refusal && it.problem.violation) return refused(it.problem.violation, action);
        if (it instanceof Refusal && it.problem.code === "stale") throw new Error("The table has moved on; the board shows it as it is now. Choose again.");
        throw it;
      }
    },
    [source, ply, eyes, seat],
  );
  const moving = useMoving({ source, ply, eyes, legal, attempt });
  const steps = useMemo(() => stepsOf(told, 0, names), [told, names]);

  const takeBack = async (to: number | null, as = chair) => {
    setError(null);
    try {
      // The stream says what comes of it, in order, and only what this seat may know: an answer may be overtaken by it.
      await undo(as, to);
    } catch (it) {
      setError(it);
    }
  };
  /** On a phone the panel is below the board. */
  const toMoves = () => {
    setPanel("moves");
    document.querySelector("main > .panel")?.scrollIntoView({ block: "start" });
  };
  const askHint = async () => {
    setAdvice("asked");
    toMoves();
    try {
      setAdvice(await hintOf(chair, HINT));
    } catch (it) {
      setAdvice(null);
      setError(it);
    }
  };
  const again = async (swapped: boolean) => {
    if (!table) return;
    try {
      const sitters = sittersOf(table, Object.keys(keys?.seats ?? {}), swapped);
      const options = (table.options ?? {}) as Parameters<typeof begin>[0]["options"] & object;
      onGo(await begin({ game: table.game, options, sitters, fair: table.chance === "fair", hints: table.hints }));
    } catch (it) {
      setError(it);
    }
  };
  const finished = async (then: (record: string) => unknown) => {
    try {
      const record = table?.record ?? (await seal(over && seat ? chair : { table: id, bearer: keys?.host ?? bearer })).record;
      if (record) await then(record);
    } catch (it) {
      setError(it);
    }
  };

  if (live.error && !table) {
    return (
      <main class="table nothing">
        <header class="bar">
          <button type="button" onClick={onHome}>← <span>Home</span></button>
          <h1>Cannot show this table</h1>
        </header>
        <Trouble error={live.error} />
        <p>The link may be incomplete, or the table may have been deleted.</p>
        <p><button type="button" onClick={() => location.reload()}>Try again</button></p>
      </main>
    );
  }
  if (!table) return <main class="table nothing"><p role="status">Opening the table…</p></main>;
  const others = Object.keys(keys?.seats ?? {}).filter((it) => it !== seat);
  // What others have done since this seat acted; of an opening, only the end.
  const acted = (seat ? actedAt(id, seat) : []).filter((it) => it < ply).pop() ?? -1;
  const since = acted < 0 ? [] : steps.filter((it) => it.ply > acted + 1);
  const news = folded((since.length > 0 ? since : steps.slice(-1)).flatMap((it) => it.lines).filter((it) => it.told));
  const latest = sentences(news.map((it) => it[0]?.text ?? "").slice(ply === 0 ? -1 : -MOST_NEWS));
  const count = legal?.choices.reduce((sum, it) => sum + it.count, 0) ?? 0;
  const { undo: wish } = table;
  const readable = seat !== null || keys?.host !== undefined || table.record !== null;
  const solo = keys?.host && table.seats.every((it) => it.search !== undefined || it.seat in keys.seats);
  const barred = error instanceof Refusal && error.problem.code === "conflict" && solo;
  const languages = detail?.languages ?? [];
  return (
    <main class="table play">
      <header class="bar">
        <button type="button" onClick={onHome} aria-label="← Home">← <span>Home</span></button>
        <h1>{detail?.title ?? "…"}</h1>
        {others.length > 0 && (
          <label>
            <span>Play as</span>{" "}
            <select
              aria-label="Play as"
              value={seat ?? ""}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                keepSeatHere(id, chosen);
                setBearer(keys?.seats[chosen] ?? "");
              }}
            >
              {!seat && <option value="">spectator</option>}
              {Object.keys(keys?.seats ?? {}).map((it) => <option key={it} value={it}>{words(it)}</option>)}
            </select>
          </label>
        )}
        {languages.length > 1 && (
          <label>
            <span class="hidden">Language</span>
            <select aria-label="Language" value={lang} onChange={(event) => setLang(event.currentTarget.value)}>
              {languages.map((it) => <option key={it} value={it}>{new Intl.DisplayNames([it], { type: "language" }).of(it) ?? it}</option>)}
            </select>
          </label>
        )}
      </header>
      <ul class="seated" aria-label="Players">
        {table.seats.map((it) => (
          <li key={it.seat} class={deciding.includes(it.seat) ? "turn" : ""}>
            <b>{words(it.seat)}</b> <bdi>{playerOf(it)}</bdi>
            {it.seat === seat && <span class="you">you</span>}
            {deciding.includes(it.seat) && <span class="hidden"> to move</span>}
          </li>
        ))}
      </ul>
      <div class="boards">
        {now && <Board name="The board" source={source} ply={shownPly} last={shownPly} eyes={eyes} targets={moving.targets} chosen={moving.chosen} onChoose={moving.choose} onBack={moving.back} />}
        {!now && <Waiting table={table} />}
      </div>
      <div class="under">
        {lost && <p class="trouble" role="alert">The connection is lost; trying again. Your seat is kept.</p>}
        <p class="status" aria-live="polite">
          {over ? <Outcome table={table} /> : mine ? <b>Your turn: {words(now?.decision.state ?? "")}.</b> : now && <Turn table={table} deciding={deciding} />}{" "}
          <span class="faint" lang={lang}>{latest}</span>
        </p>
        <Build building={moving.building} busy={moving.busy} label="Play it" onTry={(action, text) => void moving.play(action, text)} />
        {wish && (
          <p class="picked" role="status">
            {seat && wish.agreed.includes(seat) ? (
              <>You asked to take back everything after move {wish.to}. Waiting for {wish.missing.map(words).join(", ")}. <button type="button" onClick={() => void takeBack(null)}>Withdraw</button></>
            ) : (
              <>
                Request: {wish.agreed.map((it) => <Seat key={it} table={table} seat={it} />)} asks to take back everything after move {wish.to}.{" "}
                {seat && wish.missing.includes(seat) && <button type="button" class="strong" onClick={() => void takeBack(wish.to)}>Agree</button>}
              </>
            )}
          </p>
        )}
        <Trouble error={error ?? live.error} />
        {barred && <p><button type="button" onClick={() => void takeBack(acted, { table: id, bearer: keys?.host ?? "" })}>Take it back anyway</button> <span class="faint">You would replay a draw whose result you may have seen.</span></p>}
        <p class="buttons">
          {over && (
            <>
              {seat && <button type="button" class="strong" onClick={() => void again(false)}>Rematch</button>}
              {seat && <button type="button" onClick={() => void again(true)}>Rematch, seats swapped</button>}
              {readable && <button type="button" onClick={() => void finished((record) => onGo(`#record=${record}`))}>Open in the reading view</button>}
              {readable && <button type="button" onClick={() => void finished(async (record) => save(await recordOf(record), `${table.game}-${record.slice(0, 8)}.json`))}>Save the record</button>}
            </>
          )}
          {!over && seat && now && !table.record && (
            <>
              <button type="button" class="narrow" onClick={toMoves}>Moves{count > 0 && `: ${count}`}</button>
              <button type="button" disabled={acted < 0 || wish !== null} onClick={() => void takeBack(acted)}>Take back</button>
              {table.hints && <button type="button" disabled={!mine || advice === "asked"} onClick={() => void askHint()}>{advice === "asked" ? "Thinking…" : "Hint"}</button>}
            </>
          )}
        </p>
      </div>
      <section class="panel" aria-label="About the table">
        <Tabs labels={PANELS} tab={panel} onTab={setPanel} />
        <div class="tab" role="tabpanel" id="tabpanel" aria-labelledby={`tab-${panel}`} tabIndex={-1}>
          {panel === "moves" && (
            <>
              {advice !== null && advice !== "asked" && (
                <section class="hints">
                  <h3>Hint</h3>
                  <ul class="actions">
                    {(advice.actions as { action: Action; text: string; chance: number }[]).map((it, at) => (
                      <li key={at}>
                        <button type="button" aria-pressed={moving.ready?.action === it.action} onClick={() => (moving.ready?.action === it.action ? void moving.play(it.action, it.text) : moving.setReady(it))}>
                          {it.text} <small>wins {Math.round(it.chance * 100)} of 100</small>
                          {moving.ready?.action === it.action && <b class="again">Press again to play</b>}
                        </button>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
              {seat && !over && <Moves moving={moving} eyes={eyes} names={names} legal={legal} error={legalError} counts onClause={showClause} onReferee={null} />}
              {!seat && !over && <p>You are watching. Players see their moves here.</p>}
              {over && <p>The game is over.</p>}
            </>
          )}
          {panel === "story" && (
            <>
              <label class="quietly">
                <input type="checkbox" checked={everything} onChange={(event) => setEverything(event.currentTarget.checked)} /> every event
              </label>
              <Finder steps={steps} ply={read ?? ply} onGo={setRead} />
              <div class="scroll" tabIndex={0} lang={lang}>
                <Story steps={steps} ply={read ?? ply} everything={everything} onGo={setRead} onClause={showClause} />
              </div>
            </>
          )}
          {panel === "table" && (
            <>
              <Invitations id={id} keys={keys} />
              {keys?.host && !over && !table.record && (
                <>
                  <h3>End the game early</h3>
                  <p>
                    Stores the game as it stands. The record shows everybody&apos;s cards, and the table is closed.{" "}
                    <button type="button" onClick={() => void finished((record) => onGo(`#record=${record}`))}>Close and store</button>
                  </p>
                </>
              )}
              {table.record && <p>This table is closed. <a href={`#record=${table.record}`}>Open its record</a></p>}
            </>
          )}
        </div>
      </section>
      {!over && !invited && Object.keys(keys?.links ?? {}).length > 0 && ply === 0 && (
        <div class="invite" role="region" aria-label="Invitations">
          <button type="button" class="close" aria-label="Close; the links stay on the Table panel" onClick={() => setInvited(true)}>✕</button>
          <Invitations id={id} keys={keys} />
        </div>
      )}
      <Chooser moving={moving} eyes={eyes} onClause={showClause} onReferee={null} />
      {clauseBox}
    </main>
  );
}

/** Whom the table waits for before the game begins. */
function Waiting({ table }: { table: Table }) {
  const missing = table.fair?.missing ?? [];
  return (
    <p class="waiting" role="status">
      The seed is being drawn together. {missing.length > 0 && <>Waiting for {missing.map(words).join(", ")} to open the table.</>}
    </p>
  );
}

function Turn({ table, deciding }: { table: Table; deciding: string[] }) {
  const program = table.seats.some((it) => deciding.includes(it.seat) && it.search !== undefined);
  return (
    <b>
      {program ? `The computer is thinking (${deciding.map(words).join(", ")}).` : <>Waiting for {deciding.map((it, at) => <>{at > 0 && ", "}<Seat key={it} table={table} seat={it} /></>)}.</>}
    </b>
  );
}

function Outcome({ table }: { table: Table }) {
  const outcome = table.now?.outcome;
  if (!outcome) return null;
  const { winner } = outcome as { winner: string | null };
  return (
    <b>
      Game over: {words(String(outcome.reason))}. {winner ? <>Winner: <Seat table={table} seat={winner} />.</> : "Nobody won."}
    </b>
  );
}

/** Links for the other seats and for spectators. A token is in the part of an address that browsers do not send. */
function Invitations({ id, keys }: { id: string; keys: Keys | null }) {
  const link = (rest: string) => `${location.origin}/#table=${id}${rest}`;
  const links = Object.entries(keys?.links ?? {});
  return (
    <>
      <h3>Links</h3>
      {links.map(([seat, token]) => (
        <p key={seat}>
          <b>{words(seat)}</b>: send this link only to the player of this seat.{" "}
          <Copy text={() => link(`&token=${token}`)}>Copy the link for {words(seat)}</Copy>
          {"share" in navigator && <button type="button" onClick={() => void navigator.share({ url: link(`&token=${token}`) }).catch(() => undefined)}>Send</button>}
        </p>
      ))}
      <p>
        Spectators see no hidden cards. <Copy text={() => link("&viewer=spectator")}>Copy the link for spectators</Copy>
      </p>
    </>
  );
}
