// Takes down a game that is played at a table: each action by taps on the board or from a list, and what fell as it is asked
// for; what nobody saw is "?". The result is a record. Must not know a game, nor decide what is legal.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "./board";
import { Build } from "./build";
import { Chooser } from "./chooser";
import { game as gameOf, games, legal as legalOf, replay, scene as sceneOf, whyNot } from "./client";
import type { Action, Eyes, GameRecord, Json, Schemas } from "./client";
import { forms, initial, partsOf, withPart } from "./fields";
import type { Path, Schema } from "./fields";
import { Field, Fields } from "./form";
import type { Context } from "./form";
import { GameChoice } from "./gamechoice";
import { Opening } from "./home";
import { choiceOf, described } from "./lines";
import { refused } from "./live";
import { Moves } from "./moves";
import { useMoving } from "./moving";
import { Languages, Tabs, Trouble, save, useClauses, words } from "./parts";
import { groundOf, namesIn, placeOf } from "./placing";
import { Story, sentences, stepsOf } from "./story";
import { keepTaken, taken as keptTaken } from "./tab";
import { begun, entryFor, hasFallen, hasUnknown, isPartial, noted, recordOf, standing, undone, withStep } from "./transcript";
import type { MissingDraw, Standing, Transcript } from "./transcript";

interface Props {
  game: string;
  onHome: () => void;
  onGo: (address: string) => void;
  onOpen: (record: GameRecord) => void;
}

const PANELS = { moves: "Moves", story: "Taken down", players: "Players" } as const;
type Panel = keyof typeof PANELS;

export function TakeDown({ game, onHome, onGo, onOpen }: Props) {
  const [known, setKnown] = useState<Schemas["GameSummary"][]>([]);
  const [detail, setDetail] = useState<Schemas["GameDetail"] | null>(null);
  const [taken, setTaken] = useState<Transcript>(() => keptTaken(game) ?? begun(game));
  const [now, setNow] = useState<{ of: Transcript; it: Standing } | null>(null);
  const [legal, setLegal] = useState<Schemas["Legal"] | null>(null);
  const [report, setReport] = useState<Schemas["Report"] | null>(null);
  const [lang, setLang] = useState("en");
  const [panel, setPanel] = useState<Panel>("moves");
  const [error, setError] = useState<unknown>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [other, setOther] = useState(false);
  const eyes = useMemo<Eyes>(() => ({ viewer: "referee", lang }), [lang]);
  const [showClause, clauseBox] = useClauses(game, lang);
  useEffect(() => {
    document.title = "Take down a game – Umpire";
    games().then((it) => setKnown(it.games), setError);
    gameOf(game).then(setDetail, setError);
  }, [game]);
  // Kept at once: a phone may close the page at any time.
  useEffect(() => keepTaken(taken), [taken]);
  useEffect(() => {
    const stop = new AbortController();
    const failed = (it: Error) => it.name !== "AbortError" && setError(it);
    standing(taken, eyes, stop.signal).then((it) => {
      if (stop.signal.aborted) return;
      setNow({ of: taken, it });
      setError(null);
    }, failed);
    return () => stop.abort();
  }, [taken, eyes]);
  const here = now?.it ?? null;
  useEffect(() => {
    setLegal(null);
    if (!here) return;
    const stop = new AbortController();
    const failed = (it: Error) => it.name !== "AbortError" && setError(it);
    replay(here.source, eyes, { include: "events,text" }, stop.signal).then(setReport, failed);
    if (!here.missing) legalOf(here.source, here.ply, eyes, stop.signal).then(setLegal, failed);
    return () => stop.abort();
  }, [here, eyes]);

  /** Takes an action down, or says why not. */
  const attempt = async (action: Action) => {
    if (!here) return null;
    const next = withStep(taken, { action });
    const after = await standing(next, eyes);
    if (after.status === "illegal") return whyNot(here.source, here.ply, action, eyes);
    if (after.status === "impossible" && after.violation) return refused(after.violation, action);
    // Then there would be no board to go on with.
    if (after.open) return refused({ ...NOT_FOUND_OUT, ply: here.ply }, action);
    setTaken(next);
    setDraft(null);
    setOther(false);
    return null;
  };
  const moving = useMoving({ source: here?.source ?? NOTHING, ply: here?.ply ?? 0, eyes, legal: draft ? null : legal, attempt });
  const names = useMemo(() => namesIn((detail?.components ?? null) as unknown as Json), [detail]);
  const called = (value: string) => names.get(value) ?? words(value);
  const steps = useMemo(() => (report ? stepsOf(report, 0, taken.players) : []), [report]);
  const notes = useMemo(() => new Map(recordOf(taken).actions.flatMap((it, at): [number, string][] => (it.note ? [[at + 1, it.note]] : []))), [taken]);
  const partial = isPartial(taken);
  const last = steps[steps.length - 1];
  const ended = here?.status === "complete";
  // Two quick presses must not both answer the same question.
  const fell = (value: Json) => here?.missing && now?.of === taken && setTaken(withStep(taken, { fell: entryFor(here.missing, value) }));
  const restart = (options: { [key: string]: Json }) => setTaken(begun(game, options));
  const title = detail?.title ?? "…";
  const file = () => save(JSON.stringify(recordOf(taken), null, 1), `${game}-taken-down.json`);
  const lastAction = recordOf(taken).actions.at(-1);
  return (
    <main class="table setup takedown">
      <header class="bar">
        <button type="button" onClick={onHome} aria-label="← Home">← <span>Home</span></button>
        <h1>Take down a game {taken.steps.length > 0 && <small>{title}</small>}</h1>
        {taken.steps.length === 0 && (
          <GameChoice known={known} game={game} detail={detail} options={taken.options} onGame={(it) => onGo(`#takedown=${it}`)} onOptions={restart} />
        )}
        <Languages all={detail?.languages ?? []} lang={lang} onLang={setLang} />
      </header>
      <Trouble error={error} />
      <div class="boards">
        {here ? (
          <Board
            name="The board"
            source={here.source}
            ply={here.ply}
            last={here.ply}
            eyes={eyes}
            targets={draft ? draft.targets : moving.targets}
            chosen={draft ? [] : moving.chosen}
            onChoose={(choice, title, shape, under) => (draft ? draft.choose(choice) : moving.choose(choice, title, shape, under))}
            onBack={() => (draft ? false : moving.back())}
          />
        ) : (
          <Opening game={game} />
        )}
      </div>
      <div class="under">
        <p class="now" role="status" lang={lang}>
          {last && last.ply > 0 && sentences(last.lines.filter((it) => it.told).map((it) => it.text).slice(0, 3))}{" "}
          {ended ? <strong>The game is over.</strong> : partial && <span class="faint">{certainty(here?.status ?? "")}</span>}
        </p>
        {here?.missing && <DrawPrompt missing={here.missing} called={called} onFell={fell} onUnseen={() => setTaken(withStep(taken, { unseen: true }))} />}
        {moving.building.built && (
          <Build building={moving.building} busy={moving.busy} label="Take it down" onTry={(action, text) => void moving.play(action, text)} />
        )}
        <p class="buttons">
          <button type="button" disabled={taken.steps.length === 0} onClick={() => setTaken(undone(taken))}>Undo</button>
          <button type="button" disabled={!lastAction} onClick={() => {
            const note = window.prompt("A note about the last action", lastAction?.note ?? "");
            if (note !== null) setTaken(noted(taken, note.slice(0, 4000)));
          }}>Note</button>
          <button type="button" disabled={!here || here.missing !== null || ended} onClick={() => {
            setPanel("moves");
            setOther(true);
            window.setTimeout(() => document.querySelector(".other-action")?.scrollIntoView({ block: "nearest" }));
          }}>Another action…</button>
          <button type="button" class="strong" disabled={taken.steps.length === 0} onClick={file}>Save</button>
          <button type="button" disabled={taken.steps.length === 0 || here?.missing !== null} onClick={() => onOpen(recordOf(taken))}>Read it</button>
          <button type="button" disabled={taken.steps.length === 0} onClick={() => window.confirm("Begin a new game? What was taken down here is forgotten, unless you have saved it.") && restart(taken.options)}>New</button>
        </p>
      </div>
      <section class="panel" aria-label="What was taken down">
        <Tabs labels={PANELS} tab={panel} onTab={setPanel} />
        <div class="tab" role="tabpanel" id="tabpanel" aria-labelledby={`tab-${panel}`} tabIndex={-1}>
          {panel === "moves" && !here?.missing && (
            <>
              {partial && <p class="faint">The list shows what is legal if the unknown cards and dice are those of one completion. Anything else can be entered below.</p>}
              {detail && here && !ended && (
                <OtherAction
                  key={`${here.ply} ${taken.steps.length}`}
                  detail={detail}
                  here={here}
                  eyes={eyes}
                  legal={legal}
                  called={called}
                  known={[...names.keys()]}
                  open={other}
                  onOpen={setOther}
                  onDraft={setDraft}
                  onTake={async (action) => {
                    const answer = await attempt(action);
                    return answer ? answer.message : null;
                  }}
                />
              )}
              {partial && here && !ended && (
                <SeenDraw
                  here={here}
                  called={called}
                  known={[...names.keys()]}
                  onTake={async (entry) => {
                    const next = withStep(taken, { fell: entry });
                    const after = await standing(next, eyes);
                    if (after.open) return NOT_FOUND_OUT.message;
                    if (after.status === "impossible") return after.violation?.message ?? "This is impossible.";
                    if (!hasFallen(next, after)) return "Nothing that fell so far can have been this.";
                    setTaken(next);
                    return null;
                  }}
                />
              )}
              {!draft && <Moves apart moving={moving} eyes={eyes} names={taken.players} legal={legal} error={null} onClause={showClause} onReferee={null} />}
            </>
          )}
          {panel === "moves" && here?.missing && <p>First enter what fell.</p>}
          {panel === "story" && (
            <div class="scroll" tabIndex={0} lang={lang}>
              <Story steps={steps} ply={here?.ply ?? 0} everything={false} notes={notes} onGo={() => undefined} onClause={showClause} />
            </div>
          )}
          {panel === "players" && detail?.seats.slice(0, Number(taken.options["players"] ?? detail.players.least)).map((seat) => (
            <p key={seat}>
              <label>
                {words(seat)}{" "}
                <input maxLength={200} value={taken.players[seat] ?? ""} onChange={(event) => {
                  const { [seat]: _old, ...others } = taken.players;
                  const name = event.currentTarget.value.trim();
                  setTaken({ ...taken, players: name ? { ...others, [seat]: name } : others });
                }} />
              </label>
            </p>
          ))}
        </div>
      </section>
      {!draft && <Chooser moving={moving} eyes={eyes} onClause={showClause} onReferee={null} />}
      {clauseBox}
    </main>
  );
}

const NOTHING = { text: "" };

/** An answer for an action of which nobody knows whether it is possible. */
const NOT_FOUND_OUT = {
  code: "undecided", player: null, pointer: "", rule: "", rules: [] as string[], facts: [], nearest: [],
  message: "It was not found out whether this is possible, so it was not taken down. Enter more of it.",
};

/** How sure it is that the game was legal so far. */
function certainty(status: string): string {
  if (status === "possible") return "Possible so far. The board shows one way in which the unknown may have been.";
  if (status === "undecided") return "It was not found out whether this is possible.";
  return "Legal, whatever the unknown was.";
}

/** Asks what fell: a card, or the number of a die. */
function DrawPrompt({ missing, called, onFell, onUnseen }: { missing: MissingDraw; called: (value: string) => string; onFell: (value: Json) => void; onUnseen: () => void }) {
  const { kind, of, cards = [], values = [], rule } = missing;
  const [order, setOrder] = useState<string[]>([]);
  useEffect(() => setOrder([]), [missing]);
  // Digits on a keyboard, too: some games begin with many dice.
  useEffect(() => {
    const key = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || (target as HTMLElement).closest("input, textarea, select")) return;
      if (values.includes(Number(key))) onFell(Number(key));
      else if (key === "?") onFell("?");
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, [missing]);
  const question = kind === "die" ? `What did the die show (${words(of)})?` : kind === "shuffle" ? `What is the order of the deck (${words(of)}), from the top?` : `Which card was drawn (${words(of)})?`;
  // Of a deck, each card can be named as often as it is there.
  const left = cards.filter((it, at) => kind !== "shuffle" || cards.slice(0, at + 1).filter((one) => one === it).length > order.filter((one) => one === it).length);
  const next = (card: string) => {
    if (kind !== "shuffle") return onFell(card);
    const all = [...order, card];
    if (all.length === cards.length) onFell(all);
    else setOrder(all);
  };
  return (
    <section class="fell" aria-label="What fell">
      <h2>{question} {rule && <small>{rule}</small>}</h2>
      {order.length > 0 && <p>{order.map(called).join(", ")}</p>}
      <div class={cards.length > 0 ? "keys cards" : "keys"}>
        {kind === "seed" ? <span>Only a seed can say that; this game cannot be taken down.</span> : <button type="button" class="strong" aria-label="? Nobody saw it" onClick={() => onFell("?")}>?</button>}
        {values.map((it) => <button key={it} type="button" class="key-number" onClick={() => onFell(it)}>{it}</button>)}
        {[...new Set(left)].map((it) => <button key={it} type="button" onClick={() => next(it)}>{called(it)}</button>)}
        <button type="button" onClick={onUnseen}>Nobody sees what is drawn</button>
      </div>
    </section>
  );
}

interface SeenDrawProps {
  here: Standing;
  called: (value: string) => string;
  known: string[];
  onTake: (entry: { [key: string]: Json }) => Promise<string | null>;
}

/** Something that fell and was seen, though other things were not: of the kinds that the completion has. */
function SeenDraw({ here, called, known, onTake }: SeenDrawProps) {
  const [kind, setKind] = useState("");
  const [value, setValue] = useState("");
  const [trouble, setTrouble] = useState("");
  const kinds = useMemo(() => {
    const { chance } = JSON.parse("text" in here.source ? here.source.text : "{}") as Partial<GameRecord>;
    const entries = (Array.isArray(chance?.tape) ? chance.tape : []) as { kind: string; side?: string; at?: string }[];
    return [...new Map(entries.filter((it) => it.kind === "draw" || it.kind === "die").map((it) => [`${it.kind} ${it.side ?? it.at}`, { kind: it.kind as "draw" | "die", of: it.side ?? it.at ?? "" }]))];
  }, [here]);
  const [, one] = kinds.find(([id]) => id === kind) ?? [];
  if (kinds.length === 0) return null;
  const take = async () => {
    if (!one || value === "") return;
    const trouble = await onTake(entryFor({ ...one, ply: here.ply }, one.kind === "die" ? Number(value) : value));
    setTrouble(trouble ?? "");
    if (!trouble) setValue("");
  };
  return (
    <details class="other-action">
      <summary>A card or a die that was seen</summary>
      <p class="row-line">
        <select aria-label="What fell" value={kind} onChange={(event) => {
          setKind(event.currentTarget.value);
          setValue("");
          setTrouble("");
        }}>
          <option value="">choose…</option>
          {kinds.map(([id, it]) => <option key={id} value={id}>{it.kind === "die" ? "the die" : "a card"}, {words(it.of)}</option>)}
        </select>
        {one?.kind === "die" && <input type="number" aria-label="Its number" value={value} onInput={(event) => setValue(event.currentTarget.value)} />}
        {one?.kind === "draw" && (
          <select aria-label="Which card" value={value} onChange={(event) => setValue(event.currentTarget.value)}>
            <option value="">choose…</option>
            {known.map((it) => <option key={it} value={it}>{called(it)}</option>)}
          </select>
        )}
        <button type="button" disabled={!one || value === ""} onClick={() => void take().catch((it: Error) => setTrouble(it.message))}>Enter it</button>
      </p>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
    </details>
  );
}

/** An action that is written in a form: what the board means in it. */
interface Draft {
  targets: (choice: Record<string, Json>) => boolean;
  choose: (choice: string) => void;
}

interface OtherActionProps {
  detail: Schemas["GameDetail"];
  here: Standing;
  eyes: Eyes;
  legal: Schemas["Legal"] | null;
  called: (value: string) => string;
  /** The ids of all components. */
  known: string[];
  open: boolean;
  onOpen: (open: boolean) => void;
  onDraft: (draft: Draft | null) => void;
  onTake: (action: Action) => Promise<string | null>;
}

/** Any action of the game, field by field; each may be unknown. */
function OtherAction({ detail, here, eyes, legal, called, known, open, onOpen, onDraft, onTake }: OtherActionProps) {
  const [kind, setKind] = useState("");
  const [action, setAction] = useState<Json>(null);
  const [picked, setPicked] = useState<Path[]>([]);
  const [places, setPlaces] = useState<ReadonlyMap<string, string>>(new Map());
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  // Each form of an action is a kind of its own.
  const kinds = useMemo(
    () => detail.actions.flatMap(({ type, schema }) => forms({}, schema as Schema).map((it, at) => ({ id: `${type} ${at}`, schema: it, words: it.description ?? type, type }))),
    [detail],
  );
  useEffect(() => {
    sceneOf(here.source, here.ply, eyes).then(({ scene }) => setPlaces(groundOf(scene, []).places), () => undefined);
  }, [here, eyes]);
  const one = kinds.find((it) => it.id === kind);
  const player = (legal?.decision.players as string[] | undefined)?.[0] ?? detail.seats[0] ?? "";
  const begin = (id: string) => {
    setKind(id);
    setTrouble("");
    setPicked([]);
    const chosen = kinds.find((it) => it.id === id);
    setAction(chosen ? unknownIn(chosen.schema, { ...(initial({}, chosen.schema) as object), type: chosen.type, player }) : null);
  };
  const parts = useMemo(() => (one ? partsOf({}, one.schema, action) : []), [one, action]);
  // Coordinates, or a name of the kind that the places of the board have.
  const isPlace = (path: Path) => {
    const part = parts.find((it) => it.path.join("/") === path.join("/"));
    const form = part && forms({}, part.schema)[0];
    return form?.type === "array" && form.minItems === 2 && form.items?.type === "integer";
  };
  const fields = parts.filter((it) => it.path.length > 0 && it.path[0] !== "type");
  const draft = useMemo<Draft | null>(() => {
    if (!one) return null;
    const wanted = (choice: Record<string, Json>): [Path, Json] | null => {
      const [to] = picked;
      const place = placeOf({ places, fields: [] }, choice);
      if (to && place !== undefined) return [to, place];
      // A shape fills in the fields that it names.
      for (const it of fields) {
        const value = choice[it.path[it.path.length - 1] ?? ""];
        if (value !== undefined && (typeof value !== "object" || Array.isArray(value))) return [it.path, value];
      }
      return null;
    };
    return {
      targets: (choice) => wanted(choice) !== null,
      choose: (text) => {
        const found = wanted(choiceOf(text));
        if (!found) return;
        setAction((old) => {
          const [path, value] = found;
          return withPart(old, path, Array.isArray(value) || !isList(parts, path) ? value : [value]);
        });
        setPicked([]);
      },
    };
  }, [one, picked, places, action]);
  useEffect(() => onDraft(draft), [draft]);
  useEffect(() => () => onDraft(null), []);
  const context: Context = {
    all: {},
    whole: action,
    fault: trouble ? { pointer: "", message: trouble } : null,
    isPlace,
    placeName: (value) => places.get(JSON.stringify(value)) ?? JSON.stringify(value),
    places: [...places.keys()].map((it) => JSON.parse(it) as Json),
    picked,
    onPick: (path) => setPicked(picked.some((it) => it.join("/") === path.join("/")) ? [] : [path]),
    stores: [],
    known,
    unknown: true,
    called,
    onChange: (next) => {
      setTrouble("");
      setAction(next);
    },
  };
  return (
    <details class="other-action" open={open} onToggle={(event) => {
      onOpen(event.currentTarget.open);
      if (!event.currentTarget.open) begin("");
    }}>
      <summary>Another action, with “?” for what nobody saw</summary>
      <label>
        What happened{" "}
        <select value={kind} onChange={(event) => begin(event.currentTarget.value)}>
          <option value="">choose…</option>
          {kinds.map((it) => <option key={it.id} value={it.id}>{it.words}</option>)}
        </select>
      </label>
      {one && action !== null && (
        <Fields.Provider value={context}>
          <div class="position">
            {Object.keys(one.schema.properties ?? {}).filter((it) => it in (action as object) && it !== "note" && one.schema.properties?.[it]?.enum?.length !== 1).map((key) => (
              <Field key={`${kind} ${key}`} schema={one.schema.properties?.[key] ?? {}} path={[key]} open />
            ))}
          </div>
          {trouble && <p class="trouble" role="alert">{trouble}</p>}
          <p class="buttons">
            <button type="button" class="strong" disabled={busy} onClick={() => {
              setBusy(true);
              onTake(action as Action).then((it) => setTrouble(it ?? ""), (it: Error) => setTrouble(it.message)).finally(() => setBusy(false));
            }}>
              {hasUnknown(action) ? "Take it down as far as it is known" : "Take it down"}
            </button>
          </p>
          <p class="faint">{described(action as Action)}</p>
        </Fields.Provider>
      )}
    </details>
  );
}

const isList = (parts: { path: Path; schema: Schema; value: Json }[], path: Path) => {
  const part = parts.find((it) => it.path.join("/") === path.join("/"));
  const form = part && forms({}, part.schema)[0];
  return form?.type === "array" && form.minItems === undefined;
};

/** An action to begin with: texts and places are unknown, and a list has one entry. */
function unknownIn(schema: Schema, action: { [key: string]: Json }): Json {
  const filled = Object.entries(action).map(([key, value]): [string, Json] => {
    const form = forms({}, schema.properties?.[key] ?? {})[0] ?? {};
    if (key === "type" || key === "player") return [key, value];
    if (form.type === "string" && !form.enum) return [key, "?"];
    if (form.enum && form.enum.length > 1) return [key, "?"];
    if (form.type === "array" && form.minItems === 2) return [key, "?"];
    if (form.type === "array" && Array.isArray(value) && value.length === 0) {
      const item = forms({}, form.items ?? {})[0] ?? {};
      const fresh = initial({}, item);
      return [key, item.type === "object" ? [unknownIn(item, fresh as { [key: string]: Json })] : []];
    }
    return [key, value];
  });
  return Object.fromEntries(filled);
}
