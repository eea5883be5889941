// Takes the pictures of docs/table.md: `node pictures.mjs FOLDER`, with $CHROMIUM, $UMPIRE and $PAGES as in test/service.mjs. Look at them
// before committing.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, launch, serve } from "./test/service.mjs";

const [into] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "umpire-pictures-"));
const [server, origin] = await serve(folder, "store.sqlite");
/** The longest stored game of each kind. */
const ids = {};
for (const { id } of (await (await fetch(`${origin}/v1/games`)).json()).games) {
  const at = join(ROOT, "fixtures", id, "games");
  const records = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
  const record = records.filter((it) => it?.chance?.seed).sort((a, b) => b.actions.length - a.actions.length)[0];
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) };
  ids[id] = (await (await fetch(`${origin}/v1/records`, sent)).json()).id;
}

const browser = await launch();
mkdirSync(into, { recursive: true });
async function shoot(name, path, { width = 1280, height = 800, colorScheme = "light", then } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.waitForLoadState("networkidle");
  await then?.(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(into, `${name}.png`) });
  await context.close();
}

for (const [game, id] of Object.entries(ids)) {
  await shoot(game, `/#record=${id}&ply=40${game === "doubloons" ? "0&tab=moves" : ""}`);
  await shoot(`${game}-phone`, `/#record=${id}&ply=40`, { width: 360, height: 740, colorScheme: "dark" });
}
await shoot("dragut-dispute", `/#record=${ids.dragut}&tab=dispute`, {
  then: async (page) => {
    await page.getByRole("button", { name: "Settle the whole record" }).click();
    await page.getByRole("button", { name: /^Show both/ }).first().click();
    await page.locator(".other .picture svg").waitFor();
  },
});
await shoot("refusal", `/#record=${ids.drako}&ply=30&tab=moves`, {
  then: async (page) => {
    await page.getByText("Write an action").click();
    await page.getByLabel("An action, as a record has it").fill('{"type": "draw", "player": "dragon"}');
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".refusal, .lines").first().waitFor();
  },
});
await shoot("study", `/#record=${ids.drako}&ply=30&tab=study`, {
  then: async (page) => {
    await page.getByRole("button", { name: "?! dubious" }).click();
    await page.getByLabel("Comment").fill("Too early: the way back is open, and there are three who can take it.");
    await page.getByRole("button", { name: "Try a move here" }).click();
    await page.locator(".moves > section .actions button").last().click();
    await page.getByRole("tab", { name: "Study" }).click();
    await page.getByLabel("Name of this variation").fill("Waiting");
    await page.getByRole("button", { name: "As recorded" }).click();
    await page.getByRole("button", { name: "Draw arrows and rings" }).click();
    const tap = (id) => page.locator(`.picture [data-id="${id}"]`).click({ force: true });
    for (const id of ["figure:dragon", "hex:0,0"]) await tap(id);
    await page.locator(".draw-bar").getByRole("button", { name: "red" }).click();
    for (const id of ["hex:2,-1", "hex:2,-1"]) await tap(id);
    await page.mouse.move(0, 0);
  },
});
await shoot("home", "/", { then: (page) => page.locator(".doors img").nth(2).waitFor() });
const play = async (page, seat, clicks) => {
  // The stream of a table stays open, so the network never becomes idle.
  page.waitForLoadState = async () => undefined;
  for (const other of await page.locator(".sitters select").all()) await other.selectOption("50");
  await page.getByLabel(seat, { exact: true }).selectOption("me");
  await page.getByRole("button", { name: "Start the game" }).click();
  for (const kind of clicks) await page.locator(`:is(.picture, .strip) .can[data-id^="${kind}:"]`).first().click({ force: true });
  await page.locator(".chooser, .build").first().waitFor();
  await page.waitForTimeout(300);
};
await shoot("play", "/#new=drako", { then: (page) => play(page, "dwarves", ["figure", "hex"]) });
await shoot("play-phone", "/#new=dragut", { width: 360, height: 740, colorScheme: "dark", then: (page) => play(page, "pirates", ["card"]) });
await shoot("api", "/v1/docs/#create_why_not");
await browser.close();
server.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
