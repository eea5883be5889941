// Sets up a position: on the board, where a tap takes a figure and another one puts it down, and in a form with every field of
// it. Must not know a game, nor judge a position: the service does, and says what is wrong at which field.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "./board";
import type { Chosen } from "./choosing";
import { Refusal, advised, description, game as gameOf, games, opening, replay, scene as sceneOf, store } from "./client";
import type { Eyes, GameRecord, Json, Recorded, Schemas as Api } from "./client";
import { formOf, forms, initial, isObject, partAt, partsOf, pathOf, resolved, typeName, withPart } from "./fields";
import type { Path, Schema, Schemas } from "./fields";
import { Field, Fields, KeyChoice } from "./form";
import type { Context, Store } from "./form";
import { GameChoice } from "./gamechoice";
import { Opening } from "./home";
import { choiceOf } from "./lines";
import { Copy, Languages, Trouble, save, words } from "./parts";
import { groundOf, namesIn, partsNamed, placeFieldOf, placeOf, standsOn } from "./placing";
import type { Ground } from "./placing";
import { keepSetup, setup } from "./tab";

interface Props {
  game: string;
  onHome: () => void;
  onGo: (address: string) => void;
  /** Opens a record, with a panel of its page. */
  onOpen: (record: GameRecord, tab: string) => void;
}

/** A position that the service has accepted, and what is on its board. */
interface AcceptedPosition {
  source: Recorded;
  record: GameRecord;
  decision: Api["Report"]["decision"];
  over: boolean;
}

interface Fault {
  pointer: string;
  message: string;
}

/** How often something that was not set by hand is left to the service, before a refusal is shown. */
const MOST_LEFT_OUT = 12;
const PAUSE = 150;
/** How far the computer plays until something stands on the board, and how much it thinks. */
const MOST_BEGUN = 12;
const LITTLE = 10;

/** Whether a value holds no list with something in it: the service can say what it follows from. */
const follows = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length === 0 : !isObject(value) || Object.values(value).every(follows);

/**
 * What the service makes of a position. A field that was not set by hand and does not fit the others is left out: then it has
 * the value that follows from them.
 */
async function accepted(record: GameRecord, byHand: ReadonlySet<string>, required: string[], eyes: Eyes, signal: AbortSignal): Promise<AcceptedPosition> {
  let position = record.position ?? null;
  for (let times = 0; ; times += 1) {
    const tried = { ...record, position };
    try {
      const source = { text: JSON.stringify(tried) };
      const report = await replay(source, eyes, { ply: 0 }, signal);
      const whole = { ...record, position: report.state as Json };
      return { source: { text: JSON.stringify(whole) }, record: whole, decision: report.decision, over: report.verdict.outcome !== null };
    } catch (it) {
      const key = it instanceof Refusal && it.problem.pointer?.startsWith("/position/") ? pathOf(it.problem.pointer)[1] : undefined;
      const free = key !== undefined && !byHand.has(key) && !required.includes(key) && isObject(position) && key in position && follows(position[key]);
      if (!free || times >= MOST_LEFT_OUT) throw it;
      position = withPart(position, [key], undefined);
    }
  }
}

/** The lists of texts in a position, between which things of one type can be moved. */
function storesOf(all: Schemas, schema: Schema, position: Json): Store[] {
  return partsOf(all, schema, position).flatMap(({ path, schema, value }) => {
    if (!Array.isArray(value)) return [];
    const form = formOf(all, schema, value);
    const type = typeName(form.items ?? {});
    const texts = forms(all, form.items ?? {}).every((it) => it.type === "string" && !it.enum);
    return type && texts ? [{ path, type, items: value as string[] }] : [];
  });
}

/**
 * A position to begin with: the opening, or, if nothing stands on the board then, the first decision of one seat, of another
 * kind than the one before, in a game that the computer begins.
 */
async function firstPosition(game: string, options: { [key: string]: Json }, eyes: Eyes): Promise<Json> {
  const record = JSON.parse(opening(game, options)) as GameRecord;
  let before = "";
  for (let ply = 0; ; ply += 1) {
    const source = { text: JSON.stringify(record) };
    const { state, decision } = await replay(source, eyes, { ply });
    const { players, state: kind } = decision as { players: string[]; state: string };
    const { scene } = await sceneOf(source, ply, eyes);
    const ready = standsOn(scene) && (ply === 0 || (players.length === 1 && kind !== before));
    const action = ready || ply >= MOST_BEGUN ? null : await advised(record, LITTLE);
    if (!action) return state as Json;
    before = kind;
    record.actions.push(action);
  }
}

export function Setup({ game: first, onHome, onGo, onOpen }: Props) {
  const [known, setKnown] = useState<Api["GameSummary"][]>([]);
  const [game, setGame] = useState(first);
  const [detail, setDetail] = useState<Api["GameDetail"] | null>(null);
  const [all, setAll] = useState<Schemas | null>(null);
  const [lang, setLang] = useState("en");
  const [options, setOptions] = useState<{ [key: string]: Json }>({});
  const [drafts, setDrafts] = useState<Json[]>([]);
  const [byHand, setByHand] = useState<ReadonlySet<string>>(new Set());
  const [good, setGood] = useState<AcceptedPosition | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [ground, setGround] = useState<Ground | null>(null);
  const [picked, setPicked] = useState<Path[]>([]);
  const [things, setThings] = useState<{ title: string; paths: Path[]; chosen: Chosen } | null>(null);
  const [link, setLink] = useState("");
  const panel = useRef<HTMLElement>(null);
  const eyes = useMemo<Eyes>(() => ({ viewer: "referee", lang }), [lang]);
  const draft = drafts[drafts.length - 1];

  useEffect(() => {
    document.title = "Set up a position – Umpire";
    games().then((it) => setKnown(it.games), setError);
    description().then((it) => setAll(it.components.schemas as unknown as Schemas), setError);
  }, []);
  /** Begins with a position. */
  const begin = (position: Json, chosen: { [key: string]: Json }) => {
    setOptions(chosen);
    setDrafts([position]);
    setByHand(new Set());
    setGood(null);
    setFault(null);
    setPicked([]);
    setThings(null);
  };
  /** Counts what was asked to begin with: only the answer to the last question counts. */
  const asked = useRef(0);
  const fromOpening = (of: string, chosen: { [key: string]: Json }) => {
    const turn = asked.current += 1;
    firstPosition(of, chosen, eyes).then((it) => turn === asked.current && begin(it, chosen), setError);
  };
  useEffect(() => {
    setDetail(null);
    setDrafts([]);
    asked.current += 1;
    gameOf(game).then(setDetail, setError);
    const kept = setup();
    if (kept?.game === game && kept.position) begin(kept.position, (kept.options ?? {}) as { [key: string]: Json });
    else fromOpening(game, {});
  }, [game]);

  const schema = useMemo<Schema>(() => ({ $ref: `#/components/schemas/${game}.Position` }), [game]);
  const required = useMemo(() => (all ? (resolved(all, schema).required ?? []) : []), [all, schema]);
  // Not before the last change, and not for each of several quick ones.
  useEffect(() => {
    if (draft === undefined || !all) return;
    const stop = new AbortController();
    const record: GameRecord = { format: "umpire/1", game, ...(Object.keys(options).length > 0 && { options }), chance: { seed: "what if" }, position: draft, actions: [] };
    keepSetup(record);
    const timer = window.setTimeout(() => {
      accepted(record, byHand, required, eyes, stop.signal).then(
        (it) => {
          if (stop.signal.aborted) return;
          setGood(it);
          setFault(null);
          setError(null);
          const position = it.record.position ?? null;
          // The same, with what follows from it.
          if (JSON.stringify(position) !== JSON.stringify(draft)) setDrafts((old) => [...old.slice(0, -1), position]);
        },
        (it: unknown) => {
          if (stop.signal.aborted) return;
          const pointer = it instanceof Refusal ? it.problem.pointer : undefined;
          if (pointer?.startsWith("/position")) {
            setFault({ pointer: pointer.slice("/position".length), message: (it as Refusal).problem.detail });
            setError(null);
          } else setError(it);
        },
      );
    }, PAUSE);
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [draft, all, options, eyes]);
  const parts = useMemo(() => (all && draft !== undefined ? partsOf(all, schema, draft) : []), [all, schema, draft]);
  useEffect(() => {
    if (!good || !all) return;
    const stop = new AbortController();
    sceneOf(good.source, 0, eyes, stop.signal).then(
      ({ scene }) => setGround(groundOf(scene, partsOf(all, schema, good.record.position ?? null))),
      (it: Error) => it.name !== "AbortError" && setError(it),
    );
    return () => stop.abort();
  }, [good, all, eyes]);
  const names = useMemo(() => namesIn((detail?.components ?? null) as unknown as Json), [detail]);
  const stores = useMemo(() => (all && draft !== undefined ? storesOf(all, schema, draft) : []), [all, schema, draft]);

  const change = (next: Json, path: Path) => {
    setLink("");
    setDrafts((old) => [...old, next]);
    const [key] = path;
    if (key !== undefined) setByHand((old) => new Set(old).add(key));
  };
  const placeKinds = useMemo(() => new Set(ground?.fields.map((it) => it.kind)), [ground]);
  const kindOf = useMemo(() => new Map(parts.map((it) => [it.path.join("/"), it])), [parts]);
  const isPlace = (path: Path) => placeKinds.has(kindOf.get(path.join("/"))?.kind ?? "");
  const fieldsNow = useMemo<Ground | null>(() => ground && { ...ground, fields: parts.filter((it) => placeKinds.has(it.kind)) }, [ground, parts, placeKinds]);
  // Places beside the board, such as a reserve, are those that something stands on now, or that the description of the field names.
  const places = useMemo(() => {
    if (!ground || !all) return [];
    const beside = ground.fields.flatMap((it) => {
      if (typeof it.value !== "string") return [];
      return [it.value, ...[...(it.schema.description ?? "").matchAll(/`([a-z_]+)`/g)].map((one) => one[1] as string)];
    });
    const texts = [...new Set([...beside.map((it) => JSON.stringify(it)), ...ground.places.keys()])];
    return texts.map((it) => JSON.parse(it) as Json);
  }, [ground, all]);
  const called = (value: string) => {
    const own = names.get(value);
    return own ? (own.length > 40 ? `${own.slice(0, 39)}…` : own) : words(value);
  };
  const placeName = (value: Json) => ground?.places.get(JSON.stringify(value)) ?? (typeof value === "string" ? words(value) : value === null ? "not on the board" : JSON.stringify(value));

  /** A shape was tapped: the picked figure goes there, or another one is picked. */
  const choose = (text: string, title: string, shape: Element, under: Chosen[]) => {
    if (!fieldsNow || draft === undefined) return;
    const shapes = [{ choice: text, title }, ...under];
    const named = partsNamed(parts, choiceOf(text));
    const to = shapes.map((it) => placeOf(fieldsNow, choiceOf(it.choice))).find((it) => it !== undefined);
    const [one] = picked;
    // A place may be covered by what stands on it already.
    if (one && to !== undefined && things?.chosen.choice !== text) {
      change(picked.reduce<Json>((it, path) => withPart(it, path, to), draft), one);
      setPicked([]);
      setThings((old) => old && { ...old, chosen: { choice: "", title: "" } });
      return;
    }
    if (named.length === 0) {
      const [next, ...rest] = under;
      if (next) choose(next.choice, next.title, shape, rest);
      return;
    }
    // Of several figures in one shape, the first tap takes all, and each further one takes one of them.
    const fields = named.map((it) => placeFieldOf(fieldsNow, it)).filter((it) => it !== undefined);
    const sets = fields.length > 1 ? [fields, ...fields.map((it) => [it])] : [fields];
    const now = things?.chosen.choice === text && one ? sets.findIndex((it) => JSON.stringify(it) === JSON.stringify(picked)) : -1;
    const next = sets[now + 1] ?? [];
    const paths = next.length === 1 && named.length > 1 && fields.length > 1 ? named.filter((it) => next[0]?.join("/").startsWith(it.join("/"))) : named;
    setPicked(next);
    setThings({ title, paths, chosen: { choice: next.length > 0 || now < 0 ? text : "", title } });
    panel.current?.scrollTo({ top: 0 });
  };
  const targets = useMemo(() => {
    if (!fieldsNow) return null;
    return (choice: Record<string, Json>) => (picked.length > 0 && placeOf(fieldsNow, choice) !== undefined) || partsNamed(parts, choice).length > 0;
  }, [fieldsNow, picked, parts]);
  const back = () => {
    if (picked.length === 0 && !things) return false;
    setPicked([]);
    setThings(null);
    return true;
  };
  const undo = () => {
    setDrafts((old) => (old.length > 1 ? old.slice(0, -1) : old));
    setPicked([]);
  };
  /** Shows the field that is refused. */
  const showFault = () => {
    if (!fault || !panel.current) return;
    const all = [...panel.current.querySelectorAll<HTMLElement>("[data-pointer]")];
    const holders = all.filter((it) => `${fault.pointer}/`.startsWith(`${it.dataset["pointer"]}/`));
    const deepest = holders.sort((a, b) => (b.dataset["pointer"] ?? "").length - (a.dataset["pointer"] ?? "").length)[0];
    deepest?.scrollIntoView({ block: "center" });
    deepest?.querySelector<HTMLElement>("select, input, button, summary")?.focus({ preventScroll: true });
  };
  const context: Context | null = all && draft !== undefined ? {
    all, whole: draft, fault, isPlace, placeName, places, picked, stores, known: [], unknown: false, called, onChange: change,
    onPick: (path) => {
      const off = picked.some((it) => it.join("/") === path.join("/"));
      setPicked(off ? [] : [path]);
      setThings(off ? null : { title: path.map(words).join(", "), paths: [], chosen: { choice: "", title: "" } });
      if (!off) document.querySelector(".boards")?.scrollIntoView({ block: "nearest" });
    },
  } : null;
  const ready = good !== null && fault === null && error === null && JSON.stringify(good.record.position) === JSON.stringify(draft);
  const share = async () => {
    if (!good) return;
    const { id } = await store(JSON.stringify(good.record));
    setLink(`${location.origin}/#record=${id}`);
  };
  const top = isObject(draft) && all ? formOf(all, schema, draft) : null;
  const keys = isObject(draft) ? Object.keys(draft) : [];
  const absent = Object.keys(top?.properties ?? {}).filter((it) => !keys.includes(it));
  // What is one value comes before what holds others.
  const order = [...keys].sort((a, b) => Number(typeof partAt(draft, [a]) === "object") - Number(typeof partAt(draft, [b]) === "object"));
  return (
    <main class="table setup">
      <header class="bar">
        <button type="button" onClick={onHome} aria-label="← Home">← <span>Home</span></button>
        <h1>Set up a position</h1>
        <GameChoice
          known={known}
          game={game}
          detail={detail}
          options={options}
          onGame={(it) => {
            setGame(it);
            onGo(`#setup=${it}`);
          }}
          onOptions={(it) => fromOpening(game, it)}
        />
        <Languages all={detail?.languages ?? []} lang={lang} onLang={setLang} />
      </header>
      <Trouble error={error} />
      <div class="boards">
        {good ? (
          <Board name="The board" source={good.source} ply={0} last={0} eyes={eyes} targets={targets} chosen={things ? [things.chosen] : []} onChoose={choose} onBack={back} byId />
        ) : (
          <Opening game={game} />
        )}
      </div>
      <div class="under">
        <p class="now" role="status" lang={lang}>
          {fault ? (
            <><strong>Not possible:</strong> {fault.message} {fault.pointer && <button type="button" onClick={showFault}>Show the field</button>}</>
          ) : picked.length > 0 ? (
            <>Tap where {things?.title ? <bdi>{things.title}</bdi> : "it"} should stand. Escape puts it back.</>
          ) : good ? (
            <>{decides(good)} Tap a figure to move it, or change the fields.</>
          ) : "…"}
        </p>
        <p class="buttons">
          <button type="button" disabled={drafts.length < 2} onClick={undo}>Undo</button>
          <button type="button" onClick={() => fromOpening(game, options)}>Start again</button>
          <button type="button" class="strong" disabled={!ready || good?.over} onClick={() => onGo(`#new=${game}&from=position`)}>Play on</button>
          <button type="button" disabled={!ready} onClick={() => good && onOpen(good.record, "moves")}>Is a move legal?</button>
          <button type="button" disabled={!ready || good?.over} onClick={() => good && onOpen(good.record, "analysis")}>Analyse</button>
          <button type="button" disabled={!ready} onClick={() => good && onOpen(good.record, "dispute")}>Settle a dispute</button>
          <button type="button" disabled={!ready} onClick={() => void share().catch(setError)}>Share</button>
          <button type="button" disabled={!ready} onClick={() => good && save(JSON.stringify(good.record, null, 1), `${game}-position.json`)}>Save</button>
        </p>
        {link && <p role="status">Stored at <a href={link}>this link</a>. <Copy text={() => link}>Copy the link</Copy></p>}
      </div>
      <section class="panel" aria-label="The position" ref={panel}>
        {context && (
          <Fields.Provider value={context}>
            <form class="tab position" lang="en" onSubmit={(event) => event.preventDefault()}>
              {things && things.paths.length > 0 && (
                <section class="thing" aria-label="Chosen on the board">
                  <h2><bdi>{things.title}</bdi></h2>
                  {things.paths.map((path) => {
                    const part = kindOf.get(path.join("/"));
                    return part && <Field key={path.join("/")} open={things.paths.length < 3} schema={part.schema} path={path} name={path.slice(0, -1).map(words).join(", ") + (things.paths.length > 1 && isObject(part.value) && part.value["id"] !== undefined ? ` ${String(part.value["id"])}` : "")} />;
                  })}
                </section>
              )}
              <h2>All fields</h2>
              {order.map((key) => <Field key={key} schema={top?.properties?.[key] ?? {}} path={[key]} />)}
              {absent.length > 0 && (
                <p>
                  <label>
                    Not stated:{" "}
                    <KeyChoice keys={absent} name="the position" called={words} onAdd={(key) => all && change(withPart(draft, [key], initial(all, top?.properties?.[key] ?? {})), [key])} />
                  </label>
                </p>
              )}
            </form>
          </Fields.Provider>
        )}
      </section>
    </main>
  );
}

/** Who has to decide in a position, and what. */
function decides({ decision, over }: AcceptedPosition): string {
  if (over) return "The game is over here.";
  const { players, state } = decision as { players: string[]; state: string };
  return `To decide: ${players.map(words).join(", ")} (${words(state)}).`;
}
