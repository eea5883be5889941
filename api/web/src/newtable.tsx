// A new table: which game, who sits where, and where chance comes from. Must not know a game: the service lists its seats,
// editions and numbers of players.

import { useEffect, useState } from "preact/hooks";
import { game as gameOf, games } from "./client";
import type { GameRecord, Json, Schemas } from "./client";
import { canDraw } from "./fair";
import { Opening, edition } from "./home";
import { Trouble, words } from "./parts";
import { STRENGTHS, begin } from "./setting";
import type { Sitter } from "./setting";

interface Props {
  /** The game that is chosen at first. */
  game: string;
  /** The position that it begins from, if one was set up: with its options. */
  from: GameRecord | null;
  onHome: () => void;
  onGo: (address: string) => void;
}

const MEDIUM = STRENGTHS[1]?.[1] ?? 500;

export function NewTable({ game: first, from, onHome, onGo }: Props) {
  const [known, setKnown] = useState<Schemas["GameSummary"][]>([]);
  const [game, setGame] = useState(first);
  const [detail, setDetail] = useState<Schemas["GameDetail"] | null>(null);
  const [number, setNumber] = useState(0);
  const [printed, setPrinted] = useState("");
  const [sitters, setSitters] = useState<Record<string, Sitter>>({});
  const [fair, setFair] = useState(false);
  const [hints, setHints] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "New table – Umpire";
    games().then((it) => setKnown(it.games), setError);
  }, []);
  useEffect(() => {
    setDetail(null);
    gameOf(game).then((it) => {
      setDetail(it);
      setNumber(Number((from?.options as { players?: number } | undefined)?.players ?? it.players.least));
      setPrinted("");
      setSitters({});
    }, setError);
  }, [game]);
  const seats = detail?.seats.slice(0, number) ?? [];
  const sitterOf = (seat: string): Sitter =>
    sitters[seat] ?? (seat === seats[0] ? { who: "me", name: "" } : { who: "computer", search: MEDIUM });
  const put = (seat: string, it: Sitter) => setSitters({ ...sitters, [seat]: it });
  const start = async () => {
    if (!detail) return;
    setBusy(true);
    setError(null);
    const chosen: { [key: string]: Json } = {
      ...(detail.players.least < detail.players.most && { players: number }),
      ...(printed && { edition: printed }),
    };
    try {
      const all = Object.fromEntries(seats.map((it) => [it, sitterOf(it)]));
      const options = from ? ((from.options ?? {}) as { [key: string]: Json }) : chosen;
      onGo(await begin({ game, options, ...(from?.position && { position: from.position }), sitters: all, fair, hints }));
    } catch (it) {
      setError(it);
      setBusy(false);
    }
  };
  return (
    <main class="new">
      <header class="bar">
        <button type="button" onClick={onHome}>← <span>Home</span></button>
        <h1>New table</h1>
      </header>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        {from && <p>The game begins from the position that you set up. <a href={`#setup=${game}`}>Change it</a></p>}
        <fieldset class="which">
          <legend>{from ? "The game" : "Which game?"}</legend>
          {known.filter((it) => !from || it.id === game).map((it) => (
            <label key={it.id} class={it.id === game ? "on" : ""}>
              <input type="radio" name="which" value={it.id} checked={it.id === game} onChange={() => setGame(it.id)} />
              <Opening game={it.id} />
              <span>{it.title}</span>
            </label>
          ))}
        </fieldset>
        {!from && detail && detail.players.least < detail.players.most && (
          <p>
            <label>
              Number of players{" "}
              <select value={number} onChange={(event) => setNumber(Number(event.currentTarget.value))}>
                {detail.seats.map((_, at) => at + 1).filter((it) => it >= detail.players.least).map((it) => <option key={it} value={it}>{it}</option>)}
              </select>
            </label>
          </p>
        )}
        {!from && detail && detail.editions.length > 1 && (
          <p>
            <label>
              Rules{" "}
              <select value={printed} onChange={(event) => setPrinted(event.currentTarget.value)}>
                {detail.editions.map((it, at) => <option key={it.edition} value={at === 0 ? "" : it.edition}>{edition(it.edition)}</option>)}
              </select>
            </label>
          </p>
        )}
        <fieldset class="sitters">
          <legend>Who plays?</legend>
          {seats.map((seat) => {
            const it = sitterOf(seat);
            return (
              <p key={seat}>
                <label>
                  <span class="seat">{words(seat)}</span>{" "}
                  <select
                    aria-label={words(seat)}
                    value={it.who === "computer" ? String(it.search) : it.who}
                    onChange={(event) => {
                      const { value } = event.currentTarget;
                      if (value === "me" || value === "link") put(seat, { who: value, name: it.who === "computer" ? "" : it.name });
                      else put(seat, { who: "computer", search: Number(value) });
                    }}
                  >
                    <option value="me">I play, in this browser</option>
                    <option value="link">A friend plays, by link</option>
                    {STRENGTHS.map(([name, search]) => <option key={name} value={String(search)}>Computer, {name}</option>)}
                  </select>
                </label>{" "}
                {it.who !== "computer" && (
                  <input
                    aria-label={`Name of the player, ${words(seat)}`}
                    placeholder="name (optional)"
                    maxLength={200}
                    value={it.name}
                    onInput={(event) => put(seat, { who: it.who, name: event.currentTarget.value })}
                  />
                )}
              </p>
            );
          })}
        </fieldset>
        <fieldset>
          <legend>Who shuffles and rolls?</legend>
          <p>
            <label><input type="radio" name="chance" checked={!fair} onChange={() => setFair(false)} /> The server. It keeps the seed secret until the game is stored.</label>
          </p>
          <p>
            <label>
              <input type="radio" name="chance" checked={fair} disabled={!canDraw()} onChange={() => setFair(true)} /> All of us: a fair draw, in which no player can choose the seed. The
              game begins when everybody has opened the table.
            </label>
          </p>
        </fieldset>
        <p>
          <label><input type="checkbox" checked={hints} onChange={(event) => setHints(event.currentTarget.checked)} /> Players may ask for hints</label>
        </p>
        <Trouble error={error} />
        <p><button type="submit" class="strong large" disabled={busy || !detail}>Start the game</button></p>
      </form>
    </main>
  );
}
