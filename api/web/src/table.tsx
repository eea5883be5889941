// The page: from the URL to the start page, a recorded game or a live table. Must not know a game.

import "./table.css";
import "./play.css";
import "./setup.css";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Batch } from "./batch";
import { Embedded, Game } from "./game";
import { fromHash, toHash, unreadable } from "./lines";
import type { Place } from "./lines";
import { NewTable } from "./newtable";
import { Trouble } from "./parts";
import { Play } from "./play";
import { read } from "./reading";
import { Setup } from "./setup";
import { Start } from "./start";
import type { GameRecord } from "./client";
import { unpack, variationsIn } from "./study";
import { TakeDown } from "./takedown";
import { brought, keep, keepSetup, keepStudy, setup } from "./tab";
import type { Study } from "./tab";

/** The request in the URL: `/t/{id}/{ply}` and `/embed/{id}/{ply}`, and the part after `#`. */
function asked(): Place {
  const [, , id, ply] = location.pathname.split("/");
  const place: Place = {};
  if (id) place.record = id;
  if (ply && /^\d+$/.test(ply)) place.ply = Number(ply);
  return { ...place, ...fromHash(location.hash) };
}

/** Another view than that of a record: a live table, a new one, or a part of the start page. */
type View = { is: "table"; id: string; token: string | undefined; spectator: boolean } | { is: "new"; game: string; from: boolean } | { is: "setup"; game: string } | { is: "takedown"; game: string } | { is: "part"; id: string };

function viewed(): View | null {
  const pairs = new URLSearchParams(location.hash.slice(1));
  const [table, game, position] = [pairs.get("table"), pairs.get("new"), pairs.get("setup")];
  if (table) return { is: "table", id: table, token: pairs.get("token") ?? undefined, spectator: pairs.get("viewer") === "spectator" };
  if (game) return { is: "new", game, from: pairs.get("from") === "position" };
  if (position) return { is: "setup", game: position };
  const down = pairs.get("takedown");
  if (down) return { is: "takedown", game: down };
  return /^#(open|settle|study|stored)$/.test(location.hash) ? { is: "part", id: location.hash.slice(1) } : null;
}

interface Open {
  text: string | null;
  id: string | null;
  place: Place;
  /** Its variations, if it came with some. */
  study: Study | null;
  /** Names by seat, from the list. */
  names: Record<string, string>;
  number: number;
}

let number = 0;

/** The texts of a game and its variations as a study; `null` if they are something else. */
function studyIn(texts: string[]): Study | null {
  try {
    const tried = texts.length > 1 ? variationsIn(texts.map((it) => JSON.parse(it) as GameRecord)) : null;
    return tried && { notes: null, tried };
  } catch {
    // Some of them are not records.
    return null;
  }
}

/** Whether the records of a file are a game and its variations. */
async function holdsStudy(file: File): Promise<boolean> {
  try {
    const found = read(await file.text());
    return "texts" in found && studyIn(found.texts) !== null;
  } catch {
    return false;
  }
}

function App() {
  const begin = (place: Place): Open | null => {
    if (place.record) return { text: null, id: place.record, place, study: null, names: {}, number: (number += 1) };
    const text = place.brought ? brought() : null;
    return text === null ? null : { text, id: null, place, study: null, names: {}, number: (number += 1) };
  };
  /** Opens the study that stands in the address. */
  const unfold = async ({ study = "", ...place }: Place) => {
    try {
      const found = read(await unpack(study));
      const [text, ...more] = "texts" in found ? found.texts : [];
      if (text === undefined) throw new Error("It is an id.");
      history.replaceState(null, "", `/${toHash({ ...place, brought: true })}`);
      bring(text, place, studyIn([text, ...more]));
    } catch {
      setError(new Error(unreadable("study")));
    }
    setUnfolding(false);
  };
  const bring = (text: string, place: Place, study: Study | null) => {
    keep(text);
    if (study) keepStudy(null, study);
    setOpen({ text, id: null, place, study, names: {}, number: (number += 1) });
    setView(null);
  };
  const [open, setOpen] = useState<Open | null>(() => begin(asked()));
  const [view, setView] = useState<View | null>(viewed);
  const [error, setError] = useState<unknown>(null);
  const [batch, setBatch] = useState<Batch | null>(null);
  const [over, setOver] = useState(false);
  const [unfolding, setUnfolding] = useState(() => asked().study !== undefined);
  useEffect(() => {
    const changed = () => {
      const place = asked();
      setError(null);
      setOpen(begin(place));
      setView(viewed());
      setUnfolding(place.study !== undefined);
      if (place.study) void unfold(place);
    };
    // The address may have changed since the first rendering.
    setView(viewed());
    if (unfolding) void unfold(asked());
    window.addEventListener("hashchange", changed);
    window.addEventListener("popstate", changed);
    return () => {
      window.removeEventListener("hashchange", changed);
      window.removeEventListener("popstate", changed);
    };
  }, []);
  useEffect(() => {
    if (!open && (!view || view.is === "part")) document.title = "Umpire";
    if (view?.is === "part") document.getElementById(view.id === "stored" ? view.id : "open")?.focus();
  }, [open, view]);
  const go = (address: string) => {
    location.hash = address;
  };
  const purpose = view?.is === "part" && (view.id === "settle" || view.id === "study") ? view.id : null;
  const purposeTab = purpose === "settle" ? "dispute" : (purpose ?? "");
  const show = (text: string | null, id: string | null, names: Record<string, string> = {}, tab = purposeTab, study: Study | null = null) => {
    setError(null);
    history.pushState(null, "", id ? `/#record=${id}` : "/#brought=1");
    const place: Place = tab ? { tab } : {};
    if (text !== null) return bring(text, place, study);
    setOpen({ text, id, place, study: null, names, number: (number += 1) });
    setView(null);
  };
  const setUp = (record: GameRecord) => {
    keepSetup(record);
    history.pushState(null, "", `/#setup=${record.game}`);
    setOpen(null);
    setView({ is: "setup", game: record.game });
  };
  const close = () => {
    history.pushState(null, "", "/");
    setOpen(null);
    setView(null);
  };
  const judge = (files: { name: string; text: () => Promise<string> }[]) => {
    batch?.stop();
    setBatch(new Batch(files));
    if (open || view) close();
  };
  const paste = (text: string, name = "pasted") => {
    try {
      const found = read(text);
      const [first] = "texts" in found ? found.texts : [];
      const study = "texts" in found ? studyIn(found.texts) : null;
      if ("id" in found) show(null, found.id);
      else if (study && first !== undefined) show(first, null, {}, "study", study);
      else if (found.texts.length === 1 && first !== undefined) show(first, null);
      else judge([{ name, text: () => Promise.resolve(text) }]);
    } catch (it) {
      setError(it);
    }
  };
  const take = async (files: File[]) => {
    setError(null);
    const [first] = files;
    if (!first) return;
    // A single record or study in a single file is opened; several are validated.
    if (files.length === 1 && (!first.name.endsWith(".ndjson") || (await holdsStudy(first)))) paste(await first.text(), first.name);
    else judge(files);
  };
  const taking = useRef(take);
  taking.current = take;
  // Wherever a file is dropped, the browser must not navigate to it.
  useEffect(() => {
    const dragged = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const dropped = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(false);
      taking.current([...event.dataTransfer.files]).catch(setError);
    };
    window.addEventListener("dragover", dragged);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", dropped);
    return () => {
      window.removeEventListener("dragover", dragged);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", dropped);
    };
  }, []);
  return (
    <>
      {over && <div class="dropping" aria-hidden="true">Drop files to open or validate them</div>}
      {open ? (
        <>
          {error !== null && <div class="above"><Trouble error={error} /> <button type="button" onClick={() => setError(null)}>Close</button></div>}
          <Game key={open.number} text={open.text} id={open.id} place={open.place} study={open.study} known={open.names} onTake={(it) => show(JSON.stringify(it), null)} onSetUp={setUp} onClose={close} />
        </>
      ) : unfolding ? null : view?.is === "table" ? (
        <Play key={view.id + (view.token ?? "") + view.spectator} id={view.id} token={view.token} spectator={view.spectator} onHome={close} onGo={go} />
      ) : view?.is === "new" ? (
        <NewTable key={String(view.from)} game={view.game} from={view.from ? setup() : null} onHome={close} onGo={go} />
      ) : view?.is === "takedown" ? (
        <TakeDown key={view.game} game={view.game} onHome={close} onGo={go} onOpen={(record) => show(JSON.stringify(record), null)} />
      ) : view?.is === "setup" ? (
        <Setup key={view.game} game={view.game} onHome={close} onGo={go} onOpen={(record, tab) => show(JSON.stringify(record), null, {}, tab)} />
      ) : (
        <Start
          error={error}
          batch={batch}
          onPaste={paste}
          onFiles={(it) => void take(it).catch(setError)}
          onText={(it) => show(it, null)}
          onEntry={(it) => show(null, it.id, it.players)}
          purpose={purpose}
        />
      )}
    </>
  );
}

const root = document.getElementById("app");
if (root) {
  const place = asked();
  root.replaceChildren();
  render(document.body.dataset["page"] === "embed" ? <Embedded id={place.record ?? ""} place={place} /> : <App />, root);
}
