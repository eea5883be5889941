// The reading table: from the URL to a game, and back to the list. Must not know a game.

import "./table.css";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Batch } from "./batch";
import { Embedded, Game } from "./game";
import { fromHash } from "./lines";
import type { Place } from "./lines";
import { Trouble } from "./parts";
import { read } from "./reading";
import { Start } from "./start";
import { brought, keep } from "./tab";

/** The request in the URL: `/t/{id}/{ply}` and `/embed/{id}/{ply}`, and the part after `#`. */
function asked(): Place {
  const [, , id, ply] = location.pathname.split("/");
  const place: Place = {};
  if (id) place.record = id;
  if (ply && /^\d+$/.test(ply)) place.ply = Number(ply);
  return { ...place, ...fromHash(location.hash) };
}

interface Open {
  text: string | null;
  id: string | null;
  place: Place;
  /** Names by seat, from the list. */
  names: Record<string, string>;
  number: number;
}

let number = 0;

function App() {
  const begin = (place: Place): Open | null => {
    if (place.record) return { text: null, id: place.record, place, names: {}, number: (number += 1) };
    const text = place.brought ? brought() : null;
    return text === null ? null : { text, id: null, place, names: {}, number: (number += 1) };
  };
  const [open, setOpen] = useState<Open | null>(() => begin(asked()));
  const [error, setError] = useState<unknown>(null);
  const [batch, setBatch] = useState<Batch | null>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const changed = () => {
      setError(null);
      setOpen(begin(asked()));
    };
    window.addEventListener("hashchange", changed);
    window.addEventListener("popstate", changed);
    return () => {
      window.removeEventListener("hashchange", changed);
      window.removeEventListener("popstate", changed);
    };
  }, []);
  useEffect(() => {
    if (!open) document.title = "Umpire";
  }, [open]);
  const show = (text: string | null, id: string | null, names: Record<string, string> = {}) => {
    setError(null);
    if (text !== null) keep(text);
    history.pushState(null, "", id ? `/#record=${id}` : "/#brought=1");
    setOpen({ text, id, place: {}, names, number: (number += 1) });
  };
  const close = () => {
    history.pushState(null, "", "/");
    setOpen(null);
  };
  const judge = (files: { name: string; text: () => Promise<string> }[]) => {
    batch?.stop();
    setBatch(new Batch(files));
    if (open) close();
  };
  const paste = (text: string, name = "pasted") => {
    try {
      const found = read(text);
      const [first] = "texts" in found ? found.texts : [];
      if ("id" in found) show(null, found.id);
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
    // A single record in a single file is opened; several are validated.
    if (files.length === 1 && !first.name.endsWith(".ndjson")) paste(await first.text(), first.name);
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
          <Game key={open.number} text={open.text} id={open.id} place={open.place} known={open.names} onClose={close} />
        </>
      ) : (
        <Start
          error={error}
          batch={batch}
          onPaste={paste}
          onFiles={(it) => void take(it).catch(setError)}
          onText={(it) => show(it, null)}
          onEntry={(it) => show(null, it.id, it.players)}
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
