// What the types catch, checked by the compiler alone: each line that must not compile is expected to fail.

import { type ActionOf, type EventOf, type RecordOf, type Schemas, Umpire, type ViewOf, data } from "@umpire/client";

const umpire = new Umpire({ origin: "http://localhost:8080" });

export const good: RecordOf<"drako"> = {
  format: "umpire/1",
  game: "drako",
  options: { placement: "free", rulings: { "DRK-R1": "deck_empty" } },
  chance: { seed: "a" },
  actions: [{ type: "draw", player: "dragon", note: "without looking" }],
};

// What nobody wrote down is unknown.
export const noted: Schemas["SentRecord"] = {
  format: "umpire/1",
  game: "drako",
  chance: { tape: { partial: true, entries: ["?", { kind: "draw", side: "dragon", card: { one_of: ["dg01", "dg02"] } }] } },
  omitted: ["defend_none"],
  actions: [{ type: "play", player: "dragon", card: "?", use: "move", to: [1, -1] }],
};
// @ts-expect-error something that no game leaves out
export const omitted: Schemas["PartialRecord"]["omitted"] = ["everything"];

// @ts-expect-error a type of action that the game has not
export const typo: ActionOf<"drako"> = { typ: "darw" };
// @ts-expect-error a seat that the game has not
export const seat: ActionOf<"drako"> = { type: "draw", player: "rapalline" };
// @ts-expect-error another game's action
export const other: ActionOf<"dragut"> = { type: "draw", player: "dragon" };
// @ts-expect-error a reading that the ruling has not
export const reading: Schemas["drako.Options"] = { rulings: { "DRK-R1": "whenever" } };
// @ts-expect-error a game that there is not
export const game: RecordOf<"chess"> = good;

export async function uses(): Promise<void> {
  await data(umpire.api.POST("/v1/replay", { body: good, params: { query: { include: ["events"] } } }));
  await data(umpire.api.POST("/v1/replay", { body: noted }));
  await data(umpire.api.POST("/v1/why-not", { body: { record: noted, action: { type: "draw", player: "dragon" } } }));
  // @ts-expect-error an action that is none, in a record that is sent
  await umpire.api.POST("/v1/validate", { body: { ...good, actions: [{ typ: "darw" }] } });
  // @ts-expect-error a part of a report that there is not
  await umpire.api.POST("/v1/replay", { body: good, params: { query: { include: ["everything"] } } });

  const made = await umpire.createTable({ game: "drako", players: { dragon: "Ada", dwarves: { search: 100 } }, chance: { fair: true } });
  // @ts-expect-error an option of another game
  await umpire.createTable({ game: "drako", options: { edition: "it" } });
  // @ts-expect-error a seat that the game has not
  await umpire.createTable({ game: "drako", players: { drgn: "Ada" } });
  // @ts-expect-error hints are given, or not
  await umpire.createTable({ game: "drako", hints: "some" });
  // @ts-expect-error two sources of chance
  await umpire.createTable({ game: "drako", chance: { seed: "one", fair: true } });
  // @ts-expect-error a seat that the game has not
  await umpire.api.POST("/v1/tables", { body: { game: "drako", players: { drgn: "Ada" } } });
  // @ts-expect-error a seat that the game has not
  await umpire.api.POST("/v1/simulations", { body: { game: "drako", players: { drgn: "greedy" } } });
  await umpire.api.POST("/v1/simulations", { body: { game: "drako", players: { dragon: "greedy", dwarves: "search:50" } } });
  // @ts-expect-error a player that there is not
  await umpire.api.POST("/v1/simulations", { body: { game: "drako", players: { dragon: "genius" } } });
  await umpire.api.POST("/v1/hint", { body: { record: good, ply: 1 } });
  // @ts-expect-error advice about nothing
  await umpire.api.POST("/v1/hint", { body: {} });
  // @ts-expect-error a record that is sent and one that is stored
  await umpire.api.POST("/v1/hint", { body: { record: good, id: "0".repeat(64) } });
  const dragon = made.seats["dragon"];
  const advised: ActionOf<"drako"> | undefined = (await dragon?.hint({ simulations: 10 }))?.actions[0]?.action;
  void advised;
  await dragon?.fairDraw({ commit: "0".repeat(64) });
  // @ts-expect-error to draw a card is an action
  await dragon?.draw();
  await dragon?.act({ type: "draw", player: "dragon" }, { legal: true });
  // @ts-expect-error an action of another game
  await dragon?.act({ type: "end_phase", player: "p1" });

  // A stored record may hold anything as an action, which must be looked at before it is used.
  for await (const stored of umpire.records({ game: "drako" })) {
    for (const action of stored.actions) {
      // @ts-expect-error nobody knows that it is an object
      action.type;
      if (typeof action === "object" && action !== null && !Array.isArray(action) && action.type === "draw") {
        const player: string = action.player;
        void player;
      }
    }
  }
  const { data: why } = await umpire.api.POST("/v1/why-not", { body: { record: good, action: { type: "draw", player: "dragon" } } });
  if (why?.game === "drako") {
    const nearest: ActionOf<"drako">[] = why.nearest;
    void nearest;
  }
  const { data: detail } = await umpire.api.GET("/v1/games/{game}", { params: { path: { game: "drako" } } });
  if (detail?.id === "drako") {
    const count: number | undefined = detail.components.decks.dragon[0]?.count;
    const placement: "fixed" | "free" | undefined = detail.options.placement;
    void [count, placement];
  }
}

export function moved(view: ViewOf<"drako">, event: EventOf<"drako">): string {
  // @ts-expect-error a field that a view has not
  void view.hands_of_everybody;
  return event.type;
}
