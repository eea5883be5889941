// The reading table: from the address to a game, and back to the list. Must not know a game.

import "./table.css";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Embedded, Game } from "./game";
import { fromHash } from "./lines";
import type { Place } from "./lines";
import { Start } from "./start";

/** What the address asks for: `/t/{id}/{ply}` and `/embed/{id}/{ply}`, and what stands after `#`. */
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
  number: number;
}

let number = 0;

function App() {
  const begin = (place: Place): Open | null =>
    place.record ? { text: null, id: place.record, place, number: (number += 1) } : null;
  const [open, setOpen] = useState<Open | null>(() => begin(asked()));
  useEffect(() => {
    const changed = () => setOpen(begin(asked()));
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
  const show = (text: string | null, id: string | null) => {
    history.pushState(null, "", id ? `/#record=${id}` : "/");
    setOpen({ text, id, place: {}, number: (number += 1) });
  };
  const close = () => {
    history.pushState(null, "", "/");
    setOpen(null);
  };
  if (!open) return <Start onText={(it) => show(it, null)} onId={(it) => show(null, it)} />;
  return <Game key={open.number} text={open.text} id={open.id} place={open.place} onClose={close} />;
}

const root = document.getElementById("app");
if (root) {
  const place = asked();
  root.replaceChildren();
  render(document.body.dataset["page"] === "embed" ? <Embedded id={place.record ?? ""} place={place} /> : <App />, root);
}
