// A small client against the generated types: it must compile under `strict`.
import createClient from "openapi-fetch";
import type { paths, components } from "./api";
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8080" });
type View = components["schemas"]["drako.View"];
type Action = components["schemas"]["drako.Action"];
const draw: Action = { type: "draw", player: "dragon" };
const fire: Action = { type: "play", player: "dragon", card: "dg11", use: "fire", direction: 0 };
async function main() {
  const { data, error } = await client.POST("/v1/replay", {
    body: { format: "umpire/1", game: "drako", chance: { seed: "a" }, actions: [draw, fire] },
  });
  if (error) {
    console.log(error.code, error.detail);
    return;
  }
  if (data.game === "drako") {
    const view: View = data.state;
    const violation = data.verdict.violation;
    console.log(view.hexes.fury?.[0], violation?.rule, violation?.nearest[0]);
  }
}
main();
