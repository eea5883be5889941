// A game on the table: boards, steps, and panels beside them. Must not know any game's rules: it shows what the service returns.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Analysis, useAnalysis } from "./analysis";
import { Board } from "./board";
import { Chooser } from "./chooser";
import { Refusal, game as gameOf, legal as legalOf, record as recordOf, records, replay, scene as sceneOf, store, whyNot } from "./client";
import type { Action, Each, Eyes, GameRecord, Json, Recorded, Schemas } from "./client";
import { Controls } from "./controls";
import { Debug } from "./debug";
import { Dispute, named as readingNamed } from "./dispute";
import { attempt, described, length, lineWith, means, needsPosition, noted, noteAt, notesOf, opened, ownActions, toHash, tried, under, without } from "./lines";
import type { Line, Place, Reading } from "./lines";
import { Link, differing } from "./linked";
import { Mending } from "./mending";
import { Moves } from "./moves";
import { useMoving } from "./moving";
import { Barred, Copy, Languages, Tabs, Token, Trouble, clip, isolated, name, useClauses, words } from "./parts";
import type { Names } from "./parts";
import { Finder, GlyphSign, Story, folded, sentences, stepsOf } from "./story";
import type { Step } from "./story";
import { MOST_CHARACTERS, fileOf, pack, readNote, writeNote } from "./study";
import type { Note } from "./study";
import { DrawBar, Lines, StudyPanel, useDrawing } from "./studypanel";
import { keepStudy, keptStudy } from "./tab";
import type { Study } from "./tab";
import { isIncomplete } from "./transcript";
import { VerdictPanel } from "./verdict";

const LABELS = {
  story: "Story",
  moves: "Moves",
  study: "Study",
  dispute: "Dispute",
  verdict: "Verdict",
  analysis: "Analysis",
  json: "JSON",
} as const;
type Tab = keyof typeof LABELS;

interface Props {
  /** The text that was opened; `null` if a stored record is viewed by its id. */
  text: string | null;
  /** Its id, if it is stored. */
  id: string | null;
  place: Place;
  /** Variations that were opened with it. */
  study: Study | null;
  /** Names by seat, as far as they are already known. */
  known: Names;
  /** Opens another record: this one, mended. */
  onTake: (record: GameRecord) => void;
  /** Opens a position in the page that changes positions. */
  onSetUp: (record: GameRecord) => void;
  onClose: () => void;
}

export function Game({ text, id: storedId, place, study, known, onTake, onSetUp, onClose }: Props) {
  const [id, setId] = useState(storedId);
  const [lines, setLines] = useState<Line[]>(() => [
    opened(text === null ? { id: storedId ?? "" } : { text }, text === null ? null : (JSON.parse(text) as GameRecord)),
  ]);
  const [at, setAt] = useState(0);
  const [ply, setPly] = useState(place.ply ?? -1);
  const [eyes, setEyes] = useState<Eyes>({ viewer: place.viewer ?? "referee", lang: place.lang ?? "en" });
  const [tab, setTab] = useState<Tab>(place.tab && place.tab in LABELS ? (place.tab as Tab) : "story");
  const [other, setOther] = useState<Reading | null>(place.other ?? null);
  const [everything, setEverything] = useState(false);
  const [error, setError] = useState<unknown>(() => (place.broken ? new Error(place.broken) : null));
  // Whatever is replayed from the whole record shows what is hidden in it, so it is for the referee only.
  const all = eyes.viewer === "referee";
  const asReferee = () => setEyes({ ...eyes, viewer: "referee" });
  const shownLine = all ? at : 0;
  const line = lines[shownLine] as Line;
  const main = lines[0] as Line;

  const [report, reportError] = useReport(line, eyes);
  const [parent] = useReport(line.parent === null ? null : (lines[line.parent] ?? null), eyes);
  const last = report ? line.offset + report.verdict.plies : Math.max(0, ply);
  const [showClause, clauseBox] = useClauses(report?.game, eyes.lang);
  const [detail, setDetail] = useState<Schemas["GameDetail"] | null>(null);
  // Of an incomplete record one completion is shown.
  const witness = report ? witnessOf(report) : null;
  const blind = !all && main.record !== null && isIncomplete(main.record);
  const complete = useMemo<Recorded>(() => (witness ? { text: JSON.stringify(witness.record) } : line.source), [witness, line.source]);
  const gameId = report?.game;
  const languages = detail?.languages ?? [];
  useEffect(() => {
    if (detail) document.title = `${detail.title}, ply ${Math.max(0, ply)} – Umpire`;
  }, [detail, ply]);
  useEffect(() => {
    if (gameId) gameOf(gameId).then(setDetail, () => undefined);
  }, [gameId]);

  // If the token allows only one viewer, that viewer is used.
  useEffect(() => {
    const barred = reportError instanceof Refusal && reportError.problem.status === 403;
    if (barred && !place.viewer && eyes.viewer === "referee") setEyes({ ...eyes, viewer: "" });
  }, [reportError]);
  useEffect(() => {
    if (report && eyes.viewer === "") setEyes({ ...eyes, viewer: report.viewer });
  }, [report]);

  // By default, start at the violation of an illegal record, else at the opening.
  useEffect(() => {
    if (report && ply < 0) setPly(report.verdict.violation ? last : 0);
    else if (report && ply > last) setPly(last);
  }, [report]);
  const go = useCallback((to: number) => setPly(Math.max(line.offset, Math.min(last, to))), [last, line.offset]);

  // Code that runs after a response works on the lines as they are then.
  const now = useRef(lines);
  now.current = lines;
  const change = (next: Line[]) => {
    now.current = next;
    setLines(next);
  };
  const looking = useRef(eyes);
  looking.current = eyes;
  const fetched = useRef<Promise<string> | null>(null);
  /** The record as it was opened, without later notes. */
  const original = useRef(lines[0]?.record ?? null);
  /** The text that was opened: fetched once more of it is needed than the service shows. */
  const whole = async (): Promise<string> => {
    if (text !== null) return text;
    if (looking.current.viewer !== "referee") throw new Error("only the referee may see the whole record");
    fetched.current ??= recordOf(id ?? "");
    const answer = await fetched.current.catch((it: unknown) => {
      fetched.current = null;
      throw it;
    });
    const [first, ...rest] = now.current;
    if (first && !first.record) {
      original.current = JSON.parse(answer) as GameRecord;
      change([{ ...first, record: original.current }, ...rest]);
    }
    return answer;
  };
  /** The text of the record with the notes of its study. */
  const annotated = async (): Promise<string> => {
    const answer = await whole();
    const record = now.current[0]?.record ?? null;
    return record === original.current ? answer : JSON.stringify(record);
  };
  /** Adds a tried action as a variation of a line; returns the number of the line that contains it. */
  const put = async (from: number, where: number, actions: Action[], texts: string[]): Promise<number> => {
    await whole();
    const line = now.current[from];
    let position: Json | null = null;
    if (line?.record && needsPosition(line.record) && !(from > 0 && where === length(line))) {
      const there = await replay(line.source, { ...eyes, viewer: "referee" }, { ply: where - line.offset });
      position = there.state as Json;
    }
    const [next, number] = tried(now.current, from, where, actions, texts, position);
    change(next);
    return number;
  };
  /** The text of an action that came without one, from the list of legal actions. */
  const wordsOf = async (from: number, where: number, action: Action): Promise<string> => {
    const line = now.current[from];
    const legal = line && (await legalOf(line.source, where - line.offset, { ...eyes, viewer: "referee" }).catch(() => null));
    const text = JSON.stringify(action);
    for (const it of (legal?.choices ?? []) as Each<"Choices">[]) {
      const at = it.actions?.findIndex((one) => JSON.stringify(one) === text) ?? -1;
      if (at >= 0 && it.texts?.[at]) return it.texts[at];
    }
    return described(action);
  };
  const branch = async (from: number, where: number, actions: Action[], texts: string[]): Promise<void> => {
    await whole();
    const [first] = actions;
    const had = first && actions.length === 1 ? lineWith(now.current, from, where, first) : -1;
    const number = had >= 0 ? had : await put(from, where, actions, texts);
    setAt(number);
    setPly(where + actions.length);
  };
  // A study from before a reload, and variations from a file or a link, are made again once the viewer may see their
  // results.
  const again = useRef(place.attempt);
  const restored = useRef(false);
  /** Whether everything from earlier is there, so that it can be kept. */
  const [ready, setReady] = useState(false);
  const earlier = useRef(study ?? keptStudy(storedId));
  const restore = async () => {
    const { notes = null, tried = [] } = earlier.current ?? {};
    await whole();
    if (notes) {
      const plies = new Set([...notesOf(now.current, 0).keys(), ...Object.keys(notes).map(Number)]);
      change([...plies].reduce((lines, ply) => noted(lines, 0, ply, notes[ply] ?? ""), now.current));
    }
    for (const it of tried) {
      const [first, ...rest] = it.actions;
      const words = first && it.words.length === 0 ? [await wordsOf(it.parent, it.at, first), ...rest.map(() => "")] : it.words;
      await put(it.parent, it.at, it.actions, words);
    }
    setReady(true);
    const { current } = again;
    again.current = undefined;
    if (!current) return;
    const wanted = JSON.stringify(current);
    let number = now.current.findIndex((_, at) => JSON.stringify(attempt(now.current, at)) === wanted);
    if (number < 0) {
      const [first, ...rest] = current.actions;
      const texts = first ? [await wordsOf(0, current.at, first), ...rest.map(described)] : [];
      number = await put(0, current.at, current.actions, texts);
    }
    setAt(number);
    setPly(Math.max(current.at, Math.min(place.ply ?? Infinity, current.at + current.actions.length)));
  };
  useEffect(() => {
    if (restored.current || report?.viewer !== "referee") return;
    restored.current = true;
    if (again.current || earlier.current) restore().catch(setError);
    else setReady(true);
  }, [report === null, report?.viewer]);
  const [roomy, setRoomy] = useState(true);
  useEffect(() => {
    if (!ready) return;
    const notes = main.record === original.current ? null : Object.fromEntries(notesOf(lines, 0));
    const tried = lines.slice(1).map((it) => ({ parent: it.parent ?? 0, at: it.at, actions: ownActions(it), words: it.words }));
    setRoomy(keepStudy(id, notes || tried.length > 0 ? { notes, tried } : null));
  }, [lines, id, ready]);

  // A viewer who sees everything is shown the names too. A player is not sent what their view does not contain.
  useEffect(() => {
    if (report && id && !main.record && eyes.viewer === "referee") whole().catch(() => undefined);
  }, [report === null, eyes.viewer]);
  // The names are in the list of records, too, for those who may read it.
  const [listed, setListed] = useState<Names>(known);
  useEffect(() => {
    if (!id || !gameId || eyes.viewer === "referee" || Object.keys(listed).length > 0) return;
    records({ game: gameId, limit: "100" }).then((page) => {
      const entry = page.records.find((it) => it.id === id);
      if (entry) setListed(entry.players);
    }, () => undefined);
  }, [id, gameId, eyes.viewer]);
  const names: Names = main.record?.players ?? listed;

  const [legal, setLegal] = useState<Schemas["Legal"] | null>(null);
  const [legalError, setLegalError] = useState<unknown>(null);
  useEffect(() => {
    setLegal(null);
    setLegalError(null);
    if (tab !== "moves" || ply < 0 || blind) return;
    const stop = new AbortController();
    legalOf(complete, ply - line.offset, eyes, stop.signal).then(setLegal, (it: Error) => it.name !== "AbortError" && setLegalError(it));
    return () => stop.abort();
  }, [tab, complete, blind, line.offset, ply, eyes.viewer, eyes.lang]);
  const moving = useMoving({
    source: complete,
    ply: ply - line.offset,
    eyes,
    legal: tab === "moves" ? legal : null,
    attempt: async (action, text) => {
      const answer = await whyNot(complete, ply - line.offset, action, eyes);
      if (answer.answer !== "legal" || !all) return answer;
      await branch(shownLine, ply, [action], [text ?? (await wordsOf(shownLine, ply, action))]);
      return null;
    },
  });

  /** The action that a dispute is about, if it is not one of the record. */
  const [argued, setArgued] = useState<{ ply: number; action: Action } | null>(null);
  useEffect(() => setArgued(null), [line.source, ply]);
  const analysisRun = useAnalysis(line.source, eyes.viewer);

  const steps = useMemo(() => {
    const own = report ? stepsOf(report, line.offset, names) : [];
    if (line.offset === 0 || !parent) return own;
    // A line that continues from a position has no story of its own before it.
    const before = stepsOf(parent, lines[line.parent ?? 0]?.offset ?? 0, names).filter((it) => it.ply <= line.offset);
    return [...before, ...own.filter((it) => it.ply > line.offset)];
  }, [report, parent, line.source, names]);
  const here = steps.find((it) => it.ply === ply);

  // What was left out of an incomplete record is put into its completion, which then has other plies.
  const samePlies = !witness || witness.record.actions.length === main.record?.actions.length;
  const notes = useMemo(() => (all && samePlies ? notesOf(lines, shownLine) : new Map<number, string>()), [lines, shownLine, all, samePlies]);
  const noteText = notes.get(ply) ?? "";
  const note = useMemo(() => readNote(noteText), [noteText]);
  const [tooLong, setTooLong] = useState<number | null>(null);
  useEffect(() => setTooLong(null), [shownLine, ply]);
  const annotate = (next: Note, at = ply) => {
    const text = writeNote(next);
    const fits = text.length <= MOST_CHARACTERS;
    setTooLong(fits ? null : text.length);
    if (fits) change(noted(now.current, shownLine, at, text));
  };
  const drawing = useDrawing(note.marks, `${shownLine} ${ply}`, (marks) => annotate({ ...note, marks }));
  const draws = drawing.on && tab === "study" && all;
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const nameShapes = useCallback(({ scene }: Schemas["Depiction"]) => setTitles(new Map(scene.shapes.map((it) => [it.id, it.title]))), []);
  const violation = at === 0 && ply === last ? (report?.verdict.violation ?? null) : null;
  // What the illegal action names is marked on the board.
  const forbidden = violation && all ? main.record?.actions[violation.ply] : undefined;
  const named = useMemo(() => forbidden && ((choice: Record<string, Json>) => means(choice, forbidden)), [forbidden]);

  const shownPlace: Place = { ply: Math.max(0, ply), viewer: eyes.viewer, lang: eyes.lang, tab };
  const trial = attempt(lines, at) ?? again.current;
  if (trial) shownPlace.attempt = trial;
  if (other) shownPlace.other = other;
  if (id) shownPlace.record = id;
  else shownPlace.brought = true;
  const hash = toHash(shownPlace);
  useEffect(() => {
    const { href } = location;
    // Not over an address that was gone to in the meantime.
    const timer = window.setTimeout(() => location.href === href && history.replaceState(null, "", `/${hash}`), 150);
    return () => window.clearTimeout(timer);
  }, [hash]);
  /** Opens the position that is shown in the page that changes positions. */
  /** Opens the dispute about an action at the ply that is shown. */
  const settle = (action: Action) => {
    setArgued({ ply: ply - line.offset, action });
    setTab("dispute");
  };
  const setUp = async () => {
    await whole();
    const { state, options } = await replay(line.source, eyes, { ply: ply - line.offset });
    const { game = "", options: own } = (line.record ?? now.current[0]?.record) as GameRecord;
    // The number of players may follow from the default.
    const { players } = options as { players?: number };
    onSetUp({ format: "umpire/1", game, options: { ...own, ...(players !== undefined && { players }) }, chance: { seed: "what if" }, position: state as Json, actions: [] });
  };
  const save = async () => {
    const receipt = await store(await annotated());
    setId(receipt.id);
  };

  const seats = detail?.seats.filter((it) => !report || seatPlays(report, names, it)) ?? [];
  const compared = useOther(main, all ? other : null, whole);
  // Both boards are moved together, and what differs between them is marked.
  const link = useMemo(() => new Link(), []);
  const beside = all && other !== null && compared !== null;
  const [otherScene, setOtherScene] = useState<Schemas["Depiction"] | null>(null);
  const [ownScene, setOwnScene] = useState<Schemas["Depiction"] | null>(null);
  const shownPly = Math.min(ply, last) - line.offset;
  useEffect(() => {
    setOwnScene(null);
    if (!beside || shownPly < 0) return;
    const stop = new AbortController();
    sceneOf(complete, shownPly, eyes, stop.signal).then(setOwnScene, () => undefined);
    return () => stop.abort();
  }, [beside, complete, shownPly, eyes]);
  const differs = useMemo(() => (ownScene && otherScene ? differing(ownScene, otherScene) : new Set<string>()), [ownScene, otherScene]);
  // Nothing can be shown: one message, and what to do.
  if (reportError && !report && (reportError instanceof Refusal || !detail)) {
    const { parameter, status } = reportError instanceof Refusal ? reportError.problem : { parameter: undefined, status: 0 };
    return (
      <main class="table nothing">
        <header class="bar">
          <button type="button" onClick={onClose}>← Records</button>
          <h1>Cannot show this game</h1>
        </header>
        <Trouble error={reportError} />
        {parameter === "viewer" && (
          <p class="buttons">
            <button type="button" onClick={() => setEyes({ ...eyes, viewer: "spectator" })}>View as spectator</button>
            <button type="button" onClick={asReferee}>View as referee</button>
          </p>
        )}
        {!(reportError instanceof Refusal) && <p><button type="button" onClick={() => location.reload()}>Try again</button></p>}
        {(status === 401 || status === 403) && <Token />}
      </main>
    );
  }
  return (
    <main class="table">
      <header class="bar">
        <button type="button" onClick={onClose} aria-label="← Records">← <span>Records</span></button>
        <h1 title={title(names, main.record)}>{detail?.title ?? "…"} <small>{title(names, main.record)}</small></h1>
        <label>
          <span>View as</span>{" "}
          <select aria-label="View as" value={eyes.viewer} onChange={(event) => setEyes({ ...eyes, viewer: event.currentTarget.value })}>
            <option value="referee">referee (everything)</option>
            {seats.map((it) => <option key={it} value={it}>{name(names, it)}</option>)}
            <option value="spectator">spectator (public information)</option>
          </select>
        </label>
        <Languages all={languages} lang={eyes.lang} onLang={(lang) => setEyes({ ...eyes, lang })} />
        <Share hash={hash} id={id} ply={ply} eyes={eyes} />
      </header>
      <Trouble error={error ?? reportError} />
      <div class="boards">
        {blind && <Barred what="The board of an incomplete record can be shown" onLook={asReferee} />}
        {ply >= 0 && !blind && (
          <Board
            name="The board"
            source={complete}
            ply={Math.min(ply, last) - line.offset}
            last={last - line.offset}
            eyes={eyes}
            targets={draws ? drawing.targets : (moving.targets ?? named ?? null)}
            chosen={draws ? drawing.chosen : moving.chosen}
            onChoose={draws ? drawing.choose : moving.targets ? moving.choose : () => setTab("moves")}
            onBack={draws ? drawing.back : moving.back}
            byId={draws}
            plain={draws}
            drawings={note.marks}
            onScene={nameShapes}
            onStay={(to) => setPly(line.offset + to)}
            {...(beside && { link, differs })}
          />
        )}
        {all && other && compared && ply >= 0 && (
          <OtherBoard reading={other} line={compared} ply={ply} eyes={eyes} link={link} differs={differs} onScene={setOtherScene} onClose={() => setOther(null)} />
        )}
      </div>
      <div class="under">
        <Controls ply={Math.max(0, ply)} last={last} onGo={go} />
        {draws && <DrawBar drawing={drawing} />}
        {all && tab !== "study" && <Lines lines={lines} at={at} onShow={(number) => {
          const it = lines[number];
          setAt(number);
          setPly(number > 0 && it ? length(it) : (lines[at]?.at ?? 0));
        }} />}
        {!all && (lines.length > 1 || again.current || other) && report && <Barred what="Variations and other readings can be shown" onLook={asReferee} />}
        <p class="now" aria-live="polite" tabIndex={0} lang={eyes.lang}>
          {told(here, ply, report, line.offset, names)}
          {note.glyph && <> <GlyphSign glyph={note.glyph} /></>}
        </p>
        {/* Not while it is written: every letter would be announced. */}
        {note.comment && tab !== "study" && <p class="said" aria-live="polite" tabIndex={0}><bdi>{note.comment}</bdi></p>}
      </div>
      <section class="panel" aria-label="About the game">
        <Tabs labels={LABELS} tab={tab} onTab={setTab} />
        <div class="tab" role="tabpanel" id="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={-1}>
          {tab === "story" && witness && <Assumed assumes={witness.assumes} lang={eyes.lang} onTake={() => onTake(witness.record)} />}
          {tab === "story" && violation && (
            <Mending
              violation={violation}
              record={all ? main.record : null}
              eyes={eyes}
              onTake={onTake}
              onTry={(action) => void wordsOf(0, last, action).then((text) => branch(0, last, [action], [text])).catch(setError)}
              onClause={showClause}
            />
          )}
          {tab === "story" && (
            <>
              {Object.keys(names).length > 0 && <p class="quietly seats">{Object.keys(names).map((it) => name(names, it)).join(", ")}</p>}
              <label class="quietly">
                <input type="checkbox" checked={everything} onChange={(event) => setEverything(event.currentTarget.checked)} /> every event
              </label>
              <Finder steps={steps} ply={ply} onGo={go} />
              <div class="scroll" tabIndex={0} lang={eyes.lang}>
                <Story steps={steps} ply={ply} everything={everything} notes={notes} onGo={go} onClause={showClause} />
              </div>
            </>
          )}
          {tab === "moves" && (
            <Moves
              moving={moving}
              eyes={eyes}
              names={names}
              legal={legal}
              error={legalError}
              onClause={showClause}
              onReferee={asReferee}
              {...(all && { onSettle: settle })}
              {...(all && { onSetUp: () => void setUp().catch(setError) })}
            />
          )}
          {tab === "study" && !all && <Barred what="A study can be shown" onLook={asReferee} />}
          {tab === "study" && all && !samePlies && (
            <p>Steps that were left out of this record are filled in here. To study the game, first open the completion on the Story tab as a record of its own.</p>
          )}
          {tab === "study" && all && samePlies && report && main.record && ready && (
            <StudyPanel
              lines={lines}
              at={at}
              ply={Math.max(0, ply)}
              happened={ply > 0 && here ? sentences(here.lines.filter((it) => it.told).map((it) => it.text).slice(0, 3)) : ""}
              note={note}
              tooLong={tooLong}
              drawing={drawing}
              titles={titles}
              kept={keptInWords(id !== null, roomy)}
              file={`${report.game}-study.ndjson`}
              onNote={annotate}
              onName={(name) => annotate({ ...readNote(noteAt(now.current, at, line.at + 1)), name }, line.at + 1)}
              onShow={(number) => {
                setAt(number);
                setPly(number > 0 ? (lines[number]?.at ?? 0) + 1 : Math.min(ply, line.at));
              }}
              onDelete={() => {
                change(without(now.current, at));
                setAt(line.parent ?? 0);
                setPly(line.at);
              }}
              onTry={() => setTab("moves")}
              onLink={async () => {
                const { record: _record, brought: _brought, tab: _tab, ...there } = shownPlace;
                return `${location.origin}/${toHash({ ...there, study: await pack(fileOf(now.current)) })}`;
              }}
            />
          )}
          {tab === "dispute" && report && (
            <Dispute
              source={line.source}
              game={report.game}
              ply={Math.max(0, ply - line.offset - 1)}
              eyes={eyes}
              names={names}
              other={other}
              onOther={(it, to) => {
                setAt(0);
                setOther(it);
                if (to !== undefined) setPly(Math.min(to, last));
              }}
              onGo={go}
              onClause={showClause}
              onReferee={asReferee}
              argued={argued}
              onChooseAction={() => setTab("moves")}
            />
          )}
          {tab === "verdict" && report && (
            <VerdictPanel
              report={report}
              record={main.record}
              names={names}
              id={id}
              offset={line.offset}
              onStore={save}
              onText={all ? async () => (at === 0 ? await annotated() : JSON.stringify(line.record)) : null}
              onGo={go}
              onClause={showClause}
            />
          )}
          {tab === "analysis" && <Analysis run={analysisRun} offset={line.offset} ply={ply} names={names} onGo={go} />}
          {tab === "json" && ply >= 0 && <Debug source={line.source} ply={ply - line.offset} eyes={eyes} />}
        </div>
      </section>
      <Chooser
        moving={moving}
        eyes={eyes}
        onClause={showClause}
        onReferee={asReferee}
        {...(all && {
          onSettle: (action: Action) => {
            moving.clear();
            settle(action);
          },
        })}
      />
      {clauseBox}
    </main>
  );
}

/** A completion of an incomplete record, and what it assumes. */
interface Witness {
  record: GameRecord;
  assumes: { text: string }[];
}

const witnessOf = (report: Schemas["Report"]) => (report.verdict as { witness?: Witness | null }).witness ?? null;

function keptInWords(stored: boolean, roomy: boolean): string {
  if (!roomy) return "This browser has no room left for the study: save it as a file.";
  return stored ? "The study is kept in this browser." : "The study is kept until this tab is closed.";
}

/** Of an incomplete record: that the board shows one of its completions, and what that assumes. */
function Assumed({ assumes, lang, onTake }: { assumes: Witness["assumes"]; lang: string; onTake: () => void }) {
  return (
    <details class="assumed">
      <summary>This record is incomplete. The board shows one way in which it may have been; {assumes.length === 1 ? "1 thing is" : `${assumes.length} things are`} assumed.</summary>
      <ul lang={lang}>{assumes.map((it, at) => <li key={at}>{it.text}</li>)}</ul>
      <p><button type="button" onClick={onTake}>Open this completion as a record of its own</button></p>
    </details>
  );
}

/** The report of the whole game for a viewer. */
function useReport(line: Line | null, eyes: Eyes): [Schemas["Report"] | null, unknown] {
  const [found, setFound] = useState<{ line: Line; report: Schemas["Report"] } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const source = line?.source;
  useEffect(() => {
    if (!line) return;
    const stop = new AbortController();
    replay(line.source, eyes, { include: "events,text" }, stop.signal).then(
      (report) => {
        setFound({ line, report });
        setError(null);
      },
      (it: Error) => it.name !== "AbortError" && setError(it),
    );
    return () => stop.abort();
  }, [source, eyes.viewer, eyes.lang]);
  // Do not show the report of another viewer in the meantime, nor instead of one that is unavailable.
  const fits = found && found.line.source === source && (eyes.viewer === "" || found.report.viewer === eyes.viewer);
  return [fits ? found.report : null, error];
}

/** The opened game under another reading. */
function useOther(main: Line, other: Reading | null, whole: () => Promise<string>): Line | null {
  const [found, setFound] = useState<Line | null>(null);
  const key = JSON.stringify(other);
  useEffect(() => {
    if (!other) {
      setFound(null);
      return;
    }
    let here = true;
    whole().then(
      (text) => {
        if (!here) return;
        const read = under(JSON.parse(text) as GameRecord, other);
        setFound(opened({ text: JSON.stringify(read) }, read));
      },
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [main.source, key]);
  return found;
}

/** The same ply under another reading, beside the board. */
function OtherBoard(props: {
  reading: Reading;
  line: Line;
  ply: number;
  eyes: Eyes;
  link: Link;
  differs: ReadonlySet<string>;
  onScene: (scene: Schemas["Depiction"] | null) => void;
  onClose: () => void;
}) {
  const { reading, line, ply, eyes, link, differs, onScene, onClose } = props;
  const [report, error] = useReport(line, eyes);
  const last = report?.verdict.plies ?? ply;
  const here = Math.min(ply, last);
  useEffect(() => {
    if (!report) return;
    const stop = new AbortController();
    sceneOf(line.source, here, eyes, stop.signal).then(onScene, () => undefined);
    return () => {
      stop.abort();
      onScene(null);
    };
  }, [line.source, here, eyes, report === null]);
  return (
    <div class="other">
      <Trouble error={error} />
      {report && <Board name={`The board under ${readingNamed(reading)}`} source={line.source} ply={here} last={last} eyes={eyes} targets={null} chosen={[]} onChoose={() => undefined} link={link} differs={differs} />}
      <p class="picked">
        Under {readingNamed(reading)}{report && `: ${words(report.verdict.status)} after ${last} actions`}
        {report?.verdict.violation && ply > last && `. ${report.verdict.violation.message}`}{" "}
        <button type="button" onClick={onClose}>Close</button>
      </p>
    </div>
  );
}

/** The text that screen readers announce after a step. */
function told(step: Step | undefined, ply: number, report: Schemas["Report"] | null, offset: number, names: Names): string {
  if (!report || ply < 0) return "";
  // Public events without a text are better than nothing.
  const some = step?.lines.some((it) => it.told);
  const groups = folded(step?.lines.filter((it) => it.told || !some) ?? []);
  const lines = groups.map((it) => `${it[0]?.text}${it.length > 1 ? `, and ${it.length - 1} more like it` : ""}`);
  const happened = ply === 0 && lines.length > 3 ? [`The opening, ${step?.lines.length} events`] : lines;
  const parts = [`Ply ${ply}.`, ...(happened.length > 0 ? happened : [ply === 0 ? "The opening" : "No visible event"])];
  const { verdict } = report;
  if (ply === offset + verdict.plies) {
    if (verdict.violation) parts.push(`The next action is illegal: ${verdict.violation.message} (${verdict.violation.rule})`);
    else if (verdict.outcome) parts.push(`The game is over: ${words(String(verdict.outcome.reason))}${verdict.outcome.winner ? `, ${name(names, verdict.outcome.winner)} wins` : ""}.`);
  }
  return sentences(parts);
}

/** Whether a seat is in use: games for a range of players may have empty seats. */
function seatPlays(report: Schemas["Report"], names: Names, seat: string): boolean {
  const options = report.options as { players?: unknown };
  if (seat in names) return true;
  if (typeof options.players === "number") return Number(/\d+$/.exec(seat)?.[0] ?? 0) <= options.players;
  return true;
}

function title(names: Names, record: GameRecord | null): string {
  const all = Object.values(names);
  return all.length > 0 ? all.map((it) => isolated(clip(it, 40))).join(" – ") : clip(readNote(record?.note ?? "").comment, 200);
}

/** Links to the current view. */
function Share({ hash, id, ply, eyes }: { hash: string; id: string | null; ply: number; eyes: Eyes }) {
  const at = `${location.origin}`;
  const viewer = eyes.viewer === "referee" ? "" : `#viewer=${eyes.viewer}`;
  return (
    <details class="menu">
      <summary>Share</summary>
      <div>
        {!id && <p>Only a stored record has a short link; store it on the Verdict tab. A link on the Study tab holds the record itself.</p>}
        {id && <Copy text={() => `${at}/${hash}`}>Copy a link to this view</Copy>}
        {id && <Copy text={() => `${at}/t/${id}/${ply}`}>Copy a short link with a preview</Copy>}
        {id && <Copy text={() => `<iframe src="${at}/embed/${id}/${ply}${viewer}" width="640" height="560" title="A game on Umpire" loading="lazy"></iframe>`}>Copy HTML to embed it</Copy>}
        {id && <a href={`/v1/records/${id}/plies/${ply}/board.svg?viewer=${eyes.viewer}`} target="_blank" rel="noreferrer">Picture only</a>}
      </div>
    </details>
  );
}

/** A game embedded in another page: the board and its steps. */
export function Embedded({ id, place }: { id: string; place: Place }) {
  const [line] = useState(() => opened({ id }, null));
  const eyes: Eyes = { viewer: place.viewer ?? "spectator", lang: place.lang ?? "en" };
  const [ply, setPly] = useState(place.ply ?? 0);
  const [report, error] = useReport(line, eyes);
  const last = report?.verdict.plies ?? ply;
  const steps = useMemo(() => (report ? stepsOf(report, 0, {}) : []), [report]);
  const here = steps.find((it) => it.ply === ply);
  return (
    <main class="embedded">
      <Trouble error={error} />
      <Board name="The board" source={line.source} ply={Math.min(ply, last)} last={last} eyes={eyes} targets={null} chosen={[]} onChoose={() => undefined} onStay={setPly} within />
      <Controls ply={Math.min(ply, last)} last={last} onGo={(to) => setPly(Math.max(0, Math.min(last, to)))} />
      <div class="last">
        <p class="now" aria-live="polite" tabIndex={0} lang={eyes.lang}>{told(here, ply, report, 0, {})}</p>
        <a href={`/t/${id}/${ply}`} target="_blank" rel="noreferrer">Open the table</a>
      </div>
    </main>
  );
}
