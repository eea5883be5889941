// Which game, for how many players, and by which rules: for pages that begin one without a table. Must not know a game.

import type { Json, Schemas } from "./client";
import { edition } from "./home";

type Options = { [key: string]: Json };

interface Props {
  known: Schemas["GameSummary"][];
  game: string;
  detail: Schemas["GameDetail"] | null;
  options: Options;
  onGame: (game: string) => void;
  onOptions: (options: Options) => void;
}

export function GameChoice({ known, game, detail, options, onGame, onOptions }: Props) {
  return (
    <>
      <label>
        <span class="hidden">Game</span>
        <select aria-label="Game" value={game} onChange={(event) => onGame(event.currentTarget.value)}>
          {known.map((it) => <option key={it.id} value={it.id}>{it.title}</option>)}
        </select>
      </label>
      {detail && detail.players.least < detail.players.most && (
        <label>
          <span>Players</span>{" "}
          <select aria-label="Number of players" value={String(options["players"] ?? detail.players.least)} onChange={(event) => onOptions({ ...options, players: Number(event.currentTarget.value) })}>
            {detail.seats.map((_, at) => at + 1).filter((it) => it >= detail.players.least).map((it) => <option key={it} value={it}>{it}</option>)}
          </select>
        </label>
      )}
      {detail && detail.editions.length > 1 && (
        <label>
          <span class="hidden">Rules</span>
          <select aria-label="Rules" value={String(options["edition"] ?? detail.editions[0]?.edition ?? "")} onChange={(event) => onOptions({ ...options, edition: event.currentTarget.value })}>
            {detail.editions.map((it) => <option key={it.edition} value={it.edition}>{edition(it.edition)}</option>)}
          </select>
        </label>
      )}
    </>
  );
}
