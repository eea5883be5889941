// Settling a dispute in a real browser: the answer in one sentence, a button for each reading, two boards that move together, and
// the sheet. Like `browser.mjs`; nothing here names a rule.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AXE, launch, openPage, quiet, serve, storeWhole } from "./service.mjs";

let folder, server, origin, browser, whole;
const open = (path, more) => openPage(browser, origin, path, more);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-settle-"));
  [server, origin] = await serve(folder, "store.sqlite");
  browser = await launch();
  whole = await storeWhole(origin);
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test("the answer is one sentence, and each reading has a button that shows its board beside, moved together", async () => {
  let ringed = 0;
  for (const { id, game } of whole) {
    const { page, close } = await open(`/#record=${id}&tab=dispute`);
    await page.getByRole("button", { name: "Settle the whole record" }).click();
    const sentence = await page.locator(".headline").textContent();
    assert.match(sentence, /^[A-Z].*[.?]$/, sentence);
    await quiet(page);
    const readings = page.getByRole("group", { name: "Readings" }).getByRole("button");
    const depends = /depends on/.test(sentence);
    assert.ok(!depends || (await readings.count()) > 1, game);
    for (let at = 1; at < Math.min(6, await readings.count()); at += 1) {
      await readings.nth(at).click();
      await page.locator(".other .picture svg").waitFor();
      await quiet(page);
      assert.equal(await readings.nth(at).getAttribute("aria-pressed"), "true");
      ringed += await page.locator(".other .ring-differs").count();
      if (at > 1) continue;
      // What is enlarged and moved on one board is so on the other.
      const frames = page.locator(".picture");
      for (let more = 0; more < 4; more += 1) await page.locator(".boards > .board").getByRole("button", { name: "Larger" }).click();
      await quiet(page);
      const looks = () => frames.evaluateAll((list) => list.map((it) => [it.scrollWidth, it.scrollLeft, it.scrollTop].map(Math.round)));
      const [first, second] = await looks();
      assert.ok(Math.abs(first[0] - second[0]) <= 2, `${first} ${second}`);
      await frames.first().evaluate((it) => it.scrollBy(40, 30));
      await page.waitForFunction((old) => document.querySelectorAll(".picture")[1].scrollTop !== old, second[2]);
      const [one, two] = await looks();
      assert.ok(Math.abs(one[1] - two[1]) <= 3 && Math.abs(one[2] - two[2]) <= 3, `${one} ${two}`);
    }
    if ((await readings.count()) > 0) {
      await readings.first().click();
      await page.locator(".other").waitFor({ state: "detached" });
    }
    await close();
  }
  assert.ok(ringed > 0);
});

test("from a position an action that is refused is argued about under all readings", async () => {
  const { id, record } = whole[0];
  const { page, close } = await open(`/#record=${id}&tab=dispute&ply=4`);
  await page.getByRole("button", { name: "Argue about another action" }).click();
  await page.getByText("Write an action").click();
  // An action of another moment of the game.
  await page.getByLabel("An action, as a record has it").fill(JSON.stringify(record.actions[20]));
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Settle it under all readings" }).click();
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Dispute");
  await page.getByText("About an action that was tried at ply 5").waitFor();
  await page.locator(".headline").waitFor();
  await page.getByRole("button", { name: "Settle and store the verdict" }).click();
  const sheet = page.getByRole("link", { name: "the verdict sheet" });
  await sheet.waitFor();
  const answer = await fetch(origin + (await sheet.getAttribute("href")));
  assert.match(answer.headers.get("content-type"), /html/);
  await close();
});

test("a dispute is accessible, also on a phone and in the dark", async () => {
  for (const more of [{}, { colorScheme: "dark", width: 390, height: 844, hasTouch: true, isMobile: true }]) {
    const { page, close } = await open(`/#record=${whole[0].id}&tab=dispute`, more);
    await page.getByRole("button", { name: "Settle the whole record" }).click();
    await page.locator(".headline").waitFor();
    await quiet(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
    assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((one) => one.target).join(" ")}`), []);
    await close();
  }
});

test("on paper there is the board and the story, and no button", async () => {
  const { page, close } = await open(`/#record=${whole[0].id}&ply=6`);
  await page.locator('.picture[data-ply="6"] svg').waitFor();
  await quiet(page);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".picture svg").isVisible());
  assert.ok(await page.locator(".story li").first().isVisible());
  assert.ok(!(await page.locator(".controls").isVisible()));
  assert.ok(!(await page.getByRole("tablist").isVisible()));
  await close();
});
