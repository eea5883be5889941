// Taking down a game in a real browser, on a phone and at a desk: what fell, actions, and what nobody saw. Like `browser.mjs`;
// nothing here names a rule.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AXE, judged, launch, openPage, quiet, serve } from "./service.mjs";

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };

let folder, server, origin, browser, games;
const open = (path, more) => openPage(browser, origin, path, more);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-takedown-"));
  [server, origin] = await serve(folder, "store.sqlite");
  browser = await launch();
  ({ games } = await (await fetch(`${origin}/v1/games`)).json());
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** What was taken down, as it is saved. */
async function saved(page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save" }).click();
  return JSON.parse(readFileSync(await (await download).path(), "utf8"));
}

const steps = (page) => page.evaluate(() => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))?.[1] ?? '{"steps":[]}').steps.length);
const fell = (page) => page.locator(".fell");
const legal = (page) => page.locator(".moves > section .actions button:not([aria-expanded])");

/** Enters one thing: what fell, an action of the list, or one that is built; returns which. */
async function enter(page, tap, which) {
  const before = await steps(page);
  const done = () => page.waitForFunction((it) => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))?.[1] ?? '{"steps":[]}').steps.length > it, before);
  const range = page.locator(".moves .actions button[aria-expanded]").first();
  await fell(page).or(legal(page).first()).or(page.locator(".build")).or(range).first().waitFor();
  if ((await range.count()) > 0 && (await page.locator(".build").count()) === 0) {
    await tap(range);
    await page.locator(".build").waitFor();
    await quiet(page);
  }
  if ((await fell(page).count()) > 0) {
    const keys = page.locator(".fell .keys button:not(.strong)");
    const count = (await keys.count()) - 1;
    await tap(keys.nth(which % count));
    // The order of a deck is entered card by card.
    for (let more = 0; more < 200 && (await steps(page)) === before; more += 1) {
      if ((await page.locator(".fell p").count()) === 0) break;
      await tap(keys.first());
    }
    await done();
    await quiet(page);
    return "fell";
  }
  if ((await page.locator(".build").count()) === 0) {
    await tap(legal(page).nth(which % (await legal(page).count())));
    await done();
    await quiet(page);
    return "action";
  }
  for (let choices = 0; choices < 200 && (await steps(page)) === before; choices += 1) {
    if ((await page.locator(".build .strong:enabled").count()) > 0) await tap(page.locator(".build .strong"));
    else if ((await page.locator(".build .choice select").count()) > 0) await page.locator(".build .choice select").first().selectOption({ index: 1 });
    else if ((await page.locator(".build .choice button").count()) > 0) await tap(page.locator(".build .choice button").first());
    // What was being built belonged to the question before.
    else if ((await page.locator(".build").count()) === 0) return enter(page, tap, which);
    await quiet(page);
  }
  return "built";
}

test("each game is taken down on a phone, and the record that is saved is legal", async () => {
  for (const { id } of games) {
    const { page, close } = await open("/", PHONE);
    await page.getByRole("link", { name: "Take down a game" }).tap();
    await page.getByLabel("Game", { exact: true }).selectOption(id);
    await page.waitForURL(new RegExp(`takedown=${id}`));
    const tap = (it) => it.tap();
    const done = { fell: 0, action: 0, built: 0 };
    for (let which = 0; done.action + done.built < 4 && which < 400; which += 1) done[await enter(page, tap, which)] += 1;
    assert.ok(done.action + done.built >= 4, JSON.stringify(done));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    const record = await saved(page);
    assert.equal(record.actions.length, done.action + done.built);
    const tape = record.chance.tape.length;
    assert.equal(tape, done.fell);
    const verdict = await judged(origin, record);
    assert.ok(["in_progress", "bad_chance", "complete"].includes(verdict.status), `${id}: ${verdict.status}`);
    // If the last action still asks for something, it is asked for here, too.
    assert.equal((await fell(page).count()) > 0, verdict.status === "bad_chance");
    await close();
  }
});

test("an action is taken down by taps on the board, noted, undone, and kept over a reload", async () => {
  const { page, close } = await open(`/#takedown=${games[0].id}`, PHONE);
  const tap = (it) => it.tap();
  for (let which = 0; which < 40; which += 1) {
    await fell(page).or(legal(page).first()).first().waitFor();
    if ((await fell(page).count()) === 0) break;
    await enter(page, tap, which);
  }
  const before = await steps(page);
  await page.locator(".regions .can").first().tap({ force: true });
  for (let taps = 0; taps < 6 && (await page.locator(".chooser .actions button").count()) === 0; taps += 1) {
    await page.locator(".regions .can:not(.chosen)").first().tap({ force: true });
    await page.waitForTimeout(100);
  }
  await page.locator(".chooser .actions button").first().tap();
  await page.waitForFunction((it) => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))[1]).steps.length > it, before);
  await quiet(page);
  page.once("dialog", (it) => it.accept("He sighed."));
  await page.getByRole("button", { name: "Note" }).tap();
  await page.reload();
  await page.locator(".picture svg").waitFor();
  await quiet(page);
  assert.equal((await saved(page)).actions.at(-1).note, "He sighed.");
  await page.getByRole("tab", { name: "Taken down" }).tap();
  await page.locator(".note", { hasText: "He sighed." }).waitFor();
  await page.getByRole("button", { name: "Undo" }).tap();
  await page.waitForFunction((it) => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))[1]).steps.length === it, before);
  assert.equal((await saved(page)).actions.length, 0);
  await close();
});

test("what nobody saw is unknown: an action is taken down as far as it is known, and an impossible one is refused", async () => {
  const [game] = games;
  const { page, close } = await open(`/#takedown=${game.id}`);
  await fell(page).waitFor();
  await page.getByRole("button", { name: "Nobody sees what is drawn" }).click();
  await page.getByText("Possible so far").waitFor();
  // A card that was seen all the same: one of that deck is possible, one of another is not.
  await page.getByText("A card or a die that was seen").click();
  await page.getByLabel("What fell").selectOption({ index: 1 });
  const cards = page.getByLabel("Which card");
  const ids = await cards.locator("option").evaluateAll((list) => list.map((it) => it.value).filter(Boolean));
  let [possible, impossible] = [0, 0];
  for (const id of ids) {
    const before = await steps(page);
    await cards.selectOption(id);
    await page.getByRole("button", { name: "Enter it" }).click();
    await quiet(page);
    if ((await steps(page)) > before) possible += 1;
    else {
      assert.ok((await page.locator(".other-action .trouble").textContent()).length > 10);
      impossible += 1;
    }
    if (possible > 0 && impossible > 0) break;
  }
  assert.ok(possible > 0 && impossible > 0, `${possible} ${impossible}`);
  await page.getByRole("button", { name: "Another action…" }).click();
  // The kinds of action that have a place in them: it is tapped on the board.
  const kinds = page.getByLabel("What happened");
  const options = await kinds.locator("option").evaluateAll((list) => list.map((it) => it.value).filter(Boolean));
  let [taken, refused] = [0, 0];
  for (const kind of options) {
    if ((await page.locator(".other-action[open]").count()) === 0) await page.getByRole("button", { name: "Another action…" }).click();
    await kinds.selectOption(kind);
    const place = page.locator(".other-action").getByRole("button", { name: /^tap/ });
    if ((await place.count()) !== 1) continue;
    const before = await steps(page);
    const hexes = await page.locator('.picture [data-id^="hex:"]').evaluateAll((list) => list.map((it) => it.dataset.id));
    for (const hex of hexes.slice(0, 8)) {
      await place.click();
      await page.locator(`.picture [data-id="${hex}"]`).click({ force: true });
      await page.locator(".other-action .strong").click();
      await quiet(page);
      if ((await steps(page)) > before) {
        taken += 1;
        break;
      }
      const text = await page.locator(".other-action .trouble").textContent();
      assert.ok(text.length > 20, text);
      refused += 1;
    }
    if (taken > 0) break;
  }
  assert.ok(taken > 0, `${taken} ${refused}`);
  const record = await saved(page);
  assert.ok(JSON.stringify(record.actions).includes('"?"'));
  const { status } = await judged(origin, record);
  assert.ok(["possible", "in_progress"].includes(status), `${status}: ${JSON.stringify(record)}`);
  // Read again, it has a board.
  await page.getByRole("button", { name: "Read it" }).click();
  await page.waitForURL(/brought=1/);
  await page.locator(".picture svg").waitFor();
  // Only the referee may see what is assumed.
  await page.getByLabel("View as").selectOption("spectator");
  await page.getByText("The board of an incomplete record can be shown").waitFor();
  assert.equal(await page.locator(".assumed, .picture svg").count(), 0);
  await page.getByRole("button", { name: "View as referee" }).first().click();
  await page.locator(".assumed summary").click();
  assert.ok((await page.locator(".assumed li").count()) > 0);
  await page.getByRole("button", { name: "Open this completion" }).click();
  await page.locator(".assumed").waitFor({ state: "detached" });
  await page.locator(".picture svg").waitFor();
  await close();
});

test("what fell and the first actions are entered by keyboard alone", async () => {
  const [game] = games;
  const { page, close } = await open(`/#takedown=${game.id}`);
  await fell(page).waitFor();
  const reach = async (selector) => {
    for (let tabs = 0; tabs < 80; tabs += 1) {
      if (await page.evaluate((it) => document.activeElement?.matches(it), selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${selector} is not reached`);
  };
  for (let which = 0; which < 40; which += 1) {
    await fell(page).or(legal(page).first()).first().waitFor();
    if ((await fell(page).count()) === 0) break;
    const before = await steps(page);
    await reach(".fell .keys button:not(.strong)");
    await page.keyboard.press("Enter");
    await page.waitForFunction((it) => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))[1]).steps.length > it, before);
    await quiet(page);
  }
  await reach(".moves > section .actions button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("umpire.taken."))[1]).steps.some((it) => it.action));
  assert.equal((await saved(page)).actions.length, 1);
  await close();
  // Dice by their digits, and "?" for one that nobody saw.
  for (const { id } of games) {
    const { page, close } = await open(`/#takedown=${id}`);
    await page.locator(".picture svg").waitFor();
    await quiet(page);
    if ((await page.locator(".fell .key-number").count()) > 0) {
      await page.keyboard.press("3");
      await page.waitForFunction(() => Object.entries(localStorage).some(([key, it]) => key.startsWith("umpire.taken.") && JSON.parse(it).steps[0]?.fell.value === 3));
    }
    await close();
  }
});

test("taking down is accessible in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const { id } of games) {
      const { page, close } = await open(`/#takedown=${id}`, { colorScheme, ...PHONE });
      await page.locator(".picture svg").waitFor();
      await quiet(page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
      assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((one) => one.target).join(" ")}`), [], id);
      await close();
    }
  }
});
