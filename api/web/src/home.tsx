// The first page: what one can do, one click each, and for each game a picture of its opening. Must not know a game.

import { useEffect, useState } from "preact/hooks";
import { games, openingPicture, openingScene, records } from "./client";
import type { Schemas } from "./client";
import { Trouble, words } from "./parts";
import { forgetKeys, keptTables } from "./tab";

/** An edition by the language that it is printed in, if it is called by one. */
export function edition(id: string): string {
  const language = /^[a-z]{2}$/.test(id) ? new Intl.DisplayNames(["en"], { type: "language" }).of(id) : undefined;
  return `${language ?? words(id)} edition`;
}

const pictures = new Map<string, Promise<string>>();

/** The width of a card's picture, for a height of one. */
const ASPECT = 1.6;

/** The opening of a game as a picture, cut to the ground that it is played on: its hexes or areas. */
async function groundOf(game: string): Promise<string> {
  const [svg, { scene }] = await Promise.all([openingPicture(game), openingScene(game)]);
  const points = scene.shapes.flatMap((it): number[][] => {
    if (!/^(hex|area):/.test(it.id)) return [];
    const { at, outline = [], size = 0 } = it as { at?: number[]; outline?: number[][]; size?: number };
    const [x = NaN, y = NaN] = at ?? [];
    return at ? [[x - size, y - size], [x + size, y + size]] : outline;
  });
  if (points.length === 0) return svg;
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const [wide, high] = [Math.max(width, height * ASPECT), Math.max(height, width / ASPECT)];
  return svg.replace(/viewBox="[^"]*"/, `viewBox="${left - (wide - width) / 2} ${top - (high - height) / 2} ${wide} ${high}"`);
}

/** The opening of a game, as a picture that stands for it. */
export function Opening({ game }: { game: string }) {
  const [svg, setSvg] = useState("");
  useEffect(() => {
    const asked = pictures.get(game) ?? groundOf(game);
    pictures.set(game, asked);
    asked.then(setSvg, () => pictures.delete(game));
  }, [game]);
  // As an image of its own, its style sheet and ids cannot meet those of the page.
  return <span class="opening">{svg && <img alt="" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />}</span>;
}

export function Doors() {
  const [known, setKnown] = useState<Schemas["GameSummary"][]>([]);
  const [tables, setTables] = useState(keptTables);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    games().then((it) => setKnown(it.games), setError);
  }, []);
  // Watching is offered if there is something to watch: the newest finished game.
  const [newest, setNewest] = useState<Record<string, string>>({});
  useEffect(() => {
    for (const { id } of known) {
      records({ game: id, status: "complete", limit: "1" }).then(
        ({ records: [first] }) => first && setNewest((old) => ({ ...old, [id]: first.id })),
        () => undefined,
      );
    }
  }, [known]);
  return (
    <>
      <section class="doors">
        <h2 class="hidden">Play or watch</h2>
        <Trouble error={error} />
        <ul>
          {known.map((it) => (
            <li key={it.id}>
              <Opening game={it.id} />
              <h3>{it.title}</h3>
              <p class="faint">{it.players.least === it.players.most ? it.players.least : `${it.players.least} to ${it.players.most}`} players</p>
              <p class="buttons">
                <a class="button strong" href={`#new=${it.id}`} aria-label={`Play ${it.title}`}>Play</a>
                {newest[it.id] && <a class="button" href={`#record=${newest[it.id]}&viewer=spectator`} aria-label={`Watch ${it.title}`}>Watch</a>}
              </p>
            </li>
          ))}
        </ul>
        <p class="more">
          {known[0] && <a href={`#setup=${known[0].id}`}>Set up a position</a>}
          {known[0] && <a href={`#takedown=${known[0].id}`}>Take down a game</a>}
          <a href="#open">Open a record</a>
          <a href="#settle">Settle a dispute</a>
          <a href="#study">Study a game</a>
          <a href="#stored">Find a stored game</a>
          <a href="/v1/docs/">Use the API</a>
        </p>
      </section>
      {tables.length > 0 && (
        <section class="mine">
          <h2>Your tables</h2>
          <ul>
            {tables.slice(0, 10).map(({ table, keys }) => (
              <li key={table}>
                <a href={`#table=${table}`}>{known.find((it) => it.id === keys.game)?.title ?? keys.game}</a>{" "}
                <span class="faint">{Object.keys(keys.seats).map(words).join(", ") || "watching"}, since {keys.since.slice(0, 16).replace("T", " ")}</span>{" "}
                <button
                  type="button"
                  onClick={() => {
                    forgetKeys(table);
                    setTables(keptTables());
                  }}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
