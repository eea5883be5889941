// The same client in a real browser: whole games of every game on a live service, watched while they are played.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BROWSER, open } from "./browser.mjs";
import { choiceOf, serve, wholeGames } from "./server.mjs";

test("whole games are played in a browser", { skip: BROWSER ? false : "there is no browser here" }, async () => {
  const server = await serve();
  const { page, end } = await open(server.origin);
  try {
    for (const record of wholeGames()) {
      const result = await page.evaluate(async ([record, choice]) => {
        const umpire = new client.Umpire({ origin: location.origin });
        const made = await umpire.createTable(choice);
        const watcher = umpire.table(made.id, Object.values(made.tokens.seats)[0]);
        let steps = 0;
        const watching = (async () => {
          for await (const news of watcher.watch()) if (news.type === "step") steps += 1;
        })();
        for (const [ply, action] of record.actions.entries()) {
          const seat = made.seats[action.player];
          if (seat.version !== `${ply}`) await seat.look();
          await seat.act(action);
        }
        const [seat] = Object.values(made.seats);
        const view = (await seat.look()).now.state;
        const { record: id } = await made.host.seal();
        await watching;
        return { id, steps, same: JSON.stringify(view) === JSON.stringify(watcher.view) };
      }, [record, choiceOf(record)]);
      assert.match(result.id, /^[0-9a-f]{64}$/);
      assert.ok(result.steps > 0 && result.same, record.game);
    }
  } finally {
    await end();
    await server.end();
  }
});
