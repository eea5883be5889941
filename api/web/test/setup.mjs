// Setting up a position in a real browser: on the board, in the form, and what can be done with it then. Like `browser.mjs`;
// nothing here names a rule.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AXE, launch, openPage, quiet, serve } from "./service.mjs";

const GROUND = '[data-id^="hex:"], [data-id^="area:"]';
const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };

let folder, server, origin, browser, games, schemas;
const get = async (path) => (await fetch(origin + path)).json();
const open = (path, more) => openPage(browser, origin, path, more);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-setup-"));
  [server, origin] = await serve(folder, "store.sqlite");
  browser = await launch();
  ({ games } = await get("/v1/games"));
  schemas = (await get("/v1/openapi.json")).components.schemas;
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const ready = (page) => page.locator(".under .strong:enabled").waitFor();
const position = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("umpire.setup")).position);
const refused = (page) => page.locator(".now strong");

/** The ids of figures on the ground of the board, and of its places. */
async function shapes(page) {
  return page.locator(".picture > svg").evaluate((svg, ground) => {
    const all = [...svg.querySelectorAll(".can")];
    const centre = (it) => {
      const { left, top, width, height } = it.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    };
    const places = [...svg.querySelectorAll(ground)];
    const on = (it) => {
      const [x, y] = centre(it);
      return places.some((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return x > left && x < right && y > top && y < bottom;
      });
    };
    return {
      figures: all.filter((it) => !it.matches(ground) && it.querySelector("use") && on(it)).map((it) => it.dataset.id),
      places: places.map((it) => it.dataset.id),
    };
  }, GROUND);
}

/** Moves some figure to another place by two taps; returns whether the service took the position. */
async function moveSome(page, tap) {
  const { figures, places } = await shapes(page);
  assert.ok(figures.length > 1 && places.length > 10, `${figures} ${places.length}`);
  for (const [at, figure] of figures.reverse().entries()) {
    for (let tries = 0; tries < 3; tries += 1) {
      const before = JSON.stringify(await position(page));
      await tap(page.locator(`.picture [data-id="${figure}"]`));
      await page.locator(".thing").waitFor();
      // A thing that always stands where it is cannot be put down.
      if ((await page.getByText("Tap where").count()) === 0) break;
      // A free place, or where another figure stands.
      const to = tries === 1 ? figures[(at + 1) % figures.length] : places[(7 * at + 5 * tries + 3) % places.length];
      await tap(page.locator(`.picture [data-id="${to}"]`));
      await page.getByText("Tap where").waitFor({ state: "detached" });
      await quiet(page);
      if ((await refused(page).count()) === 0 && JSON.stringify(await position(page)) !== before) return true;
      const undo = page.getByRole("button", { name: "Undo" });
      if (await undo.isEnabled()) await undo.click();
      await ready(page);
      await page.locator(".picture").press("Escape");
    }
  }
  return false;
}

test("a figure is moved by two taps in each game, with the mouse and on a phone", async () => {
  for (const phone of [false, true]) {
    for (const { id } of games) {
      const { page, close } = await open(`/#setup=${id}`, phone ? PHONE : {});
      await page.locator(".picture .can").first().waitFor();
      await ready(page);
      const tap = (it) => (phone ? it.tap({ force: true }) : it.click({ force: true }));
      assert.ok(await moveSome(page, tap), id);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= (phone ? 390 : 1280));
      await close();
    }
  }
});

test("every field of a position can be reached, and what is in it can be changed", async () => {
  for (const { id } of games) {
    const { page, close } = await open("/");
    await page.getByRole("link", { name: "Set up a position" }).click();
    await page.getByLabel("Game", { exact: true }).selectOption(id);
    await page.locator(".position [data-pointer]").first().waitFor();
    await page.waitForURL(new RegExp(`setup=${id}`));
    await ready(page);
    // To choose the game that is there already takes nothing away.
    const kept = () => page.evaluate(() => JSON.parse(sessionStorage.getItem("umpire.setup"))?.game);
    for (let tries = 0; tries < 200 && (await kept()) !== id; tries += 1) await page.waitForTimeout(50);
    await page.getByLabel("Game", { exact: true }).selectOption(id);
    await quiet(page);
    assert.equal(await kept(), id);
    await quiet(page);
    const all = await page.locator(".position > [data-pointer]").evaluateAll((list) => list.map((it) => it.dataset.pointer.slice(1)));
    const absent = await page.locator(".position > p select option").evaluateAll((list) => list.map((it) => it.value).filter(Boolean));
    assert.deepEqual([...all, ...absent].sort(), Object.keys(schemas[`${id}.Position`].properties).sort());
    // Everything opens, and every value in it has a control.
    const closed = page.locator(".position details:not([open]) > summary");
    for (let opened = 0; opened < 30 && (await closed.count()) > 0; opened += 1) await closed.first().click();
    for (const row of await page.locator(".position .row").all()) {
      assert.ok((await row.locator("input, select, button").count()) > 0, await row.getAttribute("data-pointer"));
    }
    await close();
  }
});

test("a wrong value is refused in words at its field, and taken back", async () => {
  for (const { id } of games) {
    const { page, close } = await open(`/#setup=${id}`);
    await page.locator(".picture .can").first().waitFor();
    await ready(page);
    const before = await position(page);
    const numbers = page.locator('.position > .row input[type="number"]');
    let found = false;
    for (let at = 0; at < (await numbers.count()) && !found; at += 1) {
      await numbers.nth(at).fill("250");
      await numbers.nth(at).press("Enter");
      await quiet(page);
      if ((await refused(page).count()) > 0) {
        const pointer = await page.locator(".row.bad, .group:has(> .at-field)").first().getAttribute("data-pointer");
        const field = page.locator(`.position > [data-pointer="${pointer}"] .at-field`).first();
        const message = await field.textContent();
        assert.ok(message.length > 10 && (await page.locator(".now").textContent()).includes(message), message);
        await page.getByRole("button", { name: "Show the field" }).click();
        assert.ok(await field.isVisible());
        assert.equal(await page.locator(".under .strong:enabled").count(), 0);
        found = true;
      }
      await page.getByRole("button", { name: "Undo" }).click();
      await ready(page);
    }
    assert.ok(found, id);
    assert.deepEqual(await position(page), before);
    await close();
  }
});

test("a position is set up by keyboard alone", async () => {
  const { page, close } = await open(`/#setup=${games[0].id}`);
  await page.locator(".picture .can").first().waitFor();
  await ready(page);
  const before = await position(page);
  for (let tabs = 0; tabs < 40 && !(await page.evaluate(() => document.activeElement?.matches(".picture"))); tabs += 1) await page.keyboard.press("Tab");
  let moved = false;
  for (let tries = 1; tries < 6 && !moved; tries += 1) {
    await page.keyboard.press("Enter");
    for (let on = 0; on < 6 && !(await page.evaluate(() => document.activeElement?.closest('[data-id^="figure"]'))); on += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("Tap where").waitFor();
    for (let on = 0; on < tries; on += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await quiet(page);
    moved = (await refused(page).count()) === 0 && JSON.stringify(await position(page)) !== JSON.stringify(before);
    if (!moved) {
      await page.getByRole("button", { name: "Undo" }).focus();
      await page.keyboard.press("Enter");
      await page.locator(".picture").focus();
    }
  }
  assert.ok(moved);
  await close();
});

test("a position is played on, asked about, analysed, argued about, shared and saved, and kept over a reload", async () => {
  for (const { id, seats } of games) {
    const { page, close } = await open(`/#setup=${id}`);
    await page.locator(".picture .can").first().waitFor();
    await ready(page);
    assert.ok(await moveSome(page, (it) => it.click({ force: true })), id);
    const mine = await position(page);
    await page.reload();
    await page.locator(".picture .can").first().waitFor();
    await ready(page);
    assert.deepEqual(await position(page), mine);
    for (const [button, tab] of [["Is a move legal?", "Moves"], ["Analyse", "Analysis"], ["Settle a dispute", "Dispute"]]) {
      await page.getByRole("button", { name: button }).click();
      await page.waitForURL(/brought=1/);
      assert.equal(await page.getByRole("tab", { selected: true }).textContent(), tab);
      await page.locator(".picture svg").waitFor();
      const { position: shown } = JSON.parse(await page.evaluate(() => sessionStorage.getItem("umpire.brought")));
      assert.deepEqual(shown, mine);
      await page.goto(`${origin}/#setup=${id}`);
      await ready(page);
    }
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save" }).click();
    assert.match((await saved).suggestedFilename(), /position\.json$/);
    await page.getByRole("button", { name: "Share" }).click();
    const link = await page.getByRole("link", { name: "this link" }).getAttribute("href");
    assert.deepEqual((await get(`/v1/records/${link.split("=").pop()}`)).position, mine);
    await page.getByRole("button", { name: "Play on" }).click();
    await page.getByText("The game begins from the position that you set up").waitFor();
    await page.getByLabel(seats[1], { exact: true }).selectOption("me");
    await page.getByRole("button", { name: "Start the game" }).click();
    await page.waitForURL(/#table=/);
    await page.locator(".picture svg").waitFor();
    await quiet(page);
    const { host } = JSON.parse(await page.evaluate(() => localStorage.getItem(Object.keys(localStorage).find((it) => it.startsWith("umpire.table.")))));
    const table = /table=([0-9a-f]+)/.exec(page.url())[1];
    const answer = await fetch(`${origin}/v1/tables/${table}`, { headers: { authorization: `Bearer ${host}` } });
    const { state } = (await answer.json()).now;
    assert.deepEqual(state, mine);
    await close();
  }
});

test("the position of an opened game is changed from its moves", async () => {
  const record = { format: "umpire/1", game: games[0].id, chance: { seed: "changed" }, actions: [] };
  const stored = await fetch(`${origin}/v1/records`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) });
  const { page, close } = await open(`/#record=${(await stored.json()).id}&tab=moves`);
  await page.getByRole("button", { name: "Change this position" }).click();
  await page.waitForURL(/#setup=/);
  await ready(page);
  const report = await fetch(`${origin}/v1/replay?ply=0`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) });
  assert.deepEqual(await position(page), (await report.json()).state);
  await close();
});

test("the page is accessible in light and dark, and as wide as the screen", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const { id } of games) {
      const { page, close } = await open(`/#setup=${id}`, { colorScheme });
      await page.locator(".picture .can").first().waitFor();
      await ready(page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
      assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((one) => one.target).join(" ")}`), [], id);
      await close();
    }
  }
});
