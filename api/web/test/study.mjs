// A study in a real browser: comments, glyphs, arrows and rings, named variations; kept, saved as a file and shared by link. Like
// `browser.mjs`; nothing here names a rule.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { AXE, fixtures, judged, launch, openPage, quiet, serve, storeWhole } from "./service.mjs";

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true };
const PLY = 12;

let folder, server, origin, browser, whole;
const open = (path, more) => openPage(browser, origin, path, { permissions: ["clipboard-read", "clipboard-write"], ...more });

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-study-"));
  [server, origin] = await serve(folder, "store.sqlite");
  browser = await launch();
  whole = await storeWhole(origin);
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const shown = (page, ply) => page.locator(`.picture[data-ply="${ply}"] svg`).waitFor();
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();
const glyph = (page, text) => page.getByRole("group", { name: "Glyph" }).locator("button", { hasText: new RegExp(`^${text.replace(/[?]/g, "\\?")}$`) });
const comment = (page) => page.getByLabel("Comment");
const drawn = (page) => page.locator(".picture .rings");

/** Two shapes of the board that can be tapped in their middle: their ids. */
async function twoShapes(page) {
  return page.evaluate(() => {
    const found = [];
    for (const it of document.querySelectorAll(".picture > svg > [data-id]:has(> title:not(:empty))")) {
      const { left, top, width, height } = it.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      if (there && it.contains(there) && !found.some((one) => Math.hypot(one.left - left, one.top - top) < 30)) found.push({ id: it.dataset.id, left, top });
    }
    return [found[0].id, found[found.length - 1].id];
  });
}

async function tapShape(page, id, tap) {
  const { left, top, width, height } = await page.locator(`.picture > svg > [data-id="${id}"]`).evaluate((it) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    return { left, top, width, height };
  });
  await tap(left + width / 2, top + height / 2);
}

const click = (page) => (x, y) => page.mouse.click(x, y);

/** Draws a green arrow between two shapes and a red ring around the first one; returns their ids. */
async function draw(page, tap) {
  await page.getByRole("button", { name: "Draw arrows and rings" }).click();
  await page.locator(".draw-bar").waitFor();
  await quiet(page);
  const [one, other] = await twoShapes(page);
  const ink = (colour) => page.locator(".draw-bar").getByRole("button", { name: colour });
  await ink("green").click();
  await tapShape(page, one, tap);
  await page.locator(".draw-bar [role=status]", { hasText: "From" }).waitFor();
  await tapShape(page, other, tap);
  await drawn(page).locator(".arrow-green").waitFor();
  await ink("red").click();
  await tapShape(page, one, tap);
  await page.locator(".draw-bar [role=status]", { hasText: "From" }).waitFor();
  await tapShape(page, one, tap);
  await drawn(page).locator(".ring-red").first().waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.locator(".draw-bar").waitFor({ state: "detached" });
  return [one, other];
}

/** Begins a variation at a ply, with a move that is not the one that was played there. */
async function vary(page, ply) {
  const list = page.locator(".moves > section .actions button:not([aria-expanded])");
  const before = await page.locator(".lines li").count();
  for (let at = 0; ; at += 1) {
    await page.getByLabel("Ply", { exact: true }).fill(String(ply));
    await page.waitForFunction((ply) => document.querySelector(".controls output").textContent.startsWith(`${ply} /`), ply);
    await quiet(page);
    // In a record with few listed moves, the one that was played may be the only one.
    assert.ok((await list.count()) > at, `there is no other move at ply ${ply}`);
    await list.nth(at).click();
    await page.waitForFunction((ply) => document.querySelector(".controls output").textContent.startsWith(`${ply} /`), ply + 1);
    await quiet(page);
    if ((await page.locator(".lines li").count()) > before) return;
  }
}

/** Writes the notes of the main line and of a named variation; returns what is written where. */
async function write(page, tap) {
  await page.locator(".study").waitFor();
  await shown(page, PLY);
  await quiet(page);
  await glyph(page, "?!").click();
  await comment(page).fill("Main: “better” was the other one.\nTwo lines, 50% sure [of it].");
  const [one, other] = await draw(page, tap);
  await page.getByRole("button", { name: "Try a move here" }).click();
  await vary(page, PLY);
  await tab(page, "Study");
  await page.getByLabel("Name of this variation").fill("A [better] plan, 100%");
  await glyph(page, "!!").click();
  await comment(page).fill("Variation: this wins.");
  await shown(page, PLY + 1);
  await quiet(page);
  const [first, second] = await draw(page, tap);
  return { main: [one, other], variation: [first, second] };
}

/** Everything of the study is on the page. */
async function seen(page, { main, variation }) {
  await tab(page, "Study");
  const named = page.locator(".study .lines").getByRole("button", { name: "A [better] plan, 100%" });
  await named.click();
  await shown(page, PLY + 1);
  const holds = async (sign, text, [from, to]) => {
    await page.waitForFunction((text) => document.querySelector(".comment textarea")?.value === text, text);
    assert.equal(await glyph(page, sign).getAttribute("aria-pressed"), "true");
    assert.equal(await page.getByRole("group", { name: "Glyph" }).locator("[aria-pressed=true]").count(), 1);
    await drawn(page).locator(".arrow-green").waitFor();
    await drawn(page).locator(".ring-red.light").waitFor();
    assert.equal(await drawn(page).locator(".arrow-drawn").count(), 1);
    const titles = await page.evaluate((ids) => ids.map((id) => document.querySelector(`.picture [data-id="${id}"] > title`).textContent), [from, to]);
    await page.getByRole("button", { name: `Remove green arrow from ${titles[0]} to ${titles[1]}`, exact: true }).waitFor();
    await page.getByRole("button", { name: `Remove red ring around ${titles[0]}`, exact: true }).waitFor();
  };
  await holds("!!", "Variation: this wins.", variation);
  await page.locator(".study .lines").getByRole("button", { name: "As recorded" }).click();
  await page.getByLabel("Ply", { exact: true }).fill(String(PLY));
  await shown(page, PLY);
  await holds("?!", "Main: “better” was the other one.\nTwo lines, 50% sure [of it].", main);
  // What is drawn belongs to its ply.
  await page.getByLabel("Ply", { exact: true }).fill(String(PLY - 1));
  await shown(page, PLY - 1);
  await page.waitForFunction(() => !document.querySelector(".arrow-drawn"));
  await page.getByLabel("Ply", { exact: true }).fill(String(PLY));
  await shown(page, PLY);
  await tab(page, "Story");
  const row = page.locator(".story [aria-current]");
  await row.locator(".note", { hasText: "Main: “better”" }).waitFor();
  assert.equal(await row.locator(".glyph").textContent(), "?!");
  await drawn(page).locator(".arrow-green").waitFor();
}

async function saved(page) {
  await tab(page, "Study");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  return readFileSync(await (await download).path(), "utf8");
}

test("a study is written, survives a reload, and is opened again from its file and its link", async () => {
  for (const { id, game, record } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=${PLY}&tab=study`);
    const where = await write(page, click(page));
    await seen(page, where);
    await page.reload();
    await seen(page, where);
    const text = await saved(page);
    const lines = text.trimEnd().split("\n").map((it) => JSON.parse(it));
    assert.equal(lines.length, 2);
    for (const it of lines) assert.ok(["complete", "in_progress"].includes((await judged(origin, it)).status), game);
    const [main, variation] = lines;
    const bare = (actions) => actions.map(({ note: _note, ...it }) => it);
    assert.deepEqual(bare(main.actions), bare(record.actions));
    assert.deepEqual(variation.actions.slice(0, PLY), bare(record.actions).slice(0, PLY));
    assert.notDeepEqual(bare(variation.actions)[PLY], bare(record.actions)[PLY]);
    assert.equal(main.actions[PLY - 1].note, `?! Main: “better” was the other one.\nTwo lines, 50% sure [of it]. [%arrow green ${where.main[0]} ${where.main[1]}] [%ring red ${where.main[0]}]`);
    assert.ok(variation.actions[PLY].note.startsWith("!! Variation: this wins. [%arrow green "));
    assert.ok(variation.actions[PLY].note.endsWith("[%name A [better%5D plan, 100%25]"), variation.actions[PLY].note);
    await page.getByRole("button", { name: "Copy a link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    // The players see nothing of it, as of the rest of the record.
    await page.getByLabel("View as").selectOption("spectator");
    await page.getByText("A study can be shown").waitFor();
    assert.equal(await page.locator(".study, .arrow-drawn, .under .glyph").count(), 0);
    await close();
    const fresh = await open("/");
    await fresh.page.locator("input[type=file]").setInputFiles({ name: `${game}-study.ndjson`, mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
    await fresh.page.locator(".study").waitFor();
    await seen(fresh.page, where);
    assert.equal(await saved(fresh.page), text);
    await fresh.page.reload();
    await seen(fresh.page, where);
    await fresh.close();
    const linked = await open(link.slice(origin.length));
    await linked.page.locator(".picture svg").waitFor();
    await linked.page.waitForURL(/brought=1/);
    await seen(linked.page, where);
    assert.equal(await saved(linked.page), text);
    await linked.close();
  }
});

test("a link that was cut, or holds far too much, is refused in words", async () => {
  const much = deflateRawSync(JSON.stringify(whole[0].record) + " ".repeat(40_000_000)).toString("base64url");
  for (const packed of ["abcdef", much]) {
    const { page, close } = await open(`/#study=${packed}`);
    await page.locator(".trouble", { hasText: "cannot be read" }).waitFor();
    await close();
  }
});

test("variations of a game whose chance is used up, or that is incomplete, are saved and opened again", async () => {
  let deep = 0;
  for (const { game } of whole) {
    const taped = fixtures(game).find((it) => it?.chance?.tape && !it.chance.seed && it.actions.length > 20);
    if (!taped) continue;
    const { claims: _claims, checkpoints: _checkpoints, ...rest } = taped;
    const incomplete = { ...rest, chance: { tape: { partial: true, entries: taped.chance.tape } } };
    // A ply at which there is a choice.
    let ply = PLY;
    for (let count = 0; count < 2; ply += 1) {
      const asked = await fetch(`${origin}/v1/legal-actions?viewer=referee&ply=${ply + 1}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(taped) });
      const { choices, decision } = await asked.json();
      count = choices.filter((it) => decision.players.includes(it.player)).flatMap((it) => it.actions ?? []).length;
    }
    for (const record of [taped, incomplete]) {
      const { page, close } = await open("/");
      await page.locator("input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(record)) });
      await page.locator(".picture svg").waitFor();
      await tab(page, "Moves");
      await vary(page, ply);
      // One move more, and another one that branches from the variation.
      const list = page.locator(".moves > section .actions button:not([aria-expanded])");
      const further = (await list.count()) > 1;
      if (further) {
        await list.first().click();
        await page.waitForFunction((ply) => document.querySelector(".controls output").textContent.startsWith(`${ply} /`), ply + 2);
        await vary(page, ply + 1);
        deep += 1;
      }
      await tab(page, "Study");
      await comment(page).fill("Deep down.");
      const text = await saved(page);
      const lines = text.trimEnd().split("\n").map((it) => JSON.parse(it));
      assert.equal(lines.length, further ? 3 : 2);
      for (const it of lines) assert.ok(["complete", "in_progress", "possible"].includes((await judged(origin, it)).status), game);
      assert.deepEqual(lines[1].meta.study, { line: 0, ply });
      await close();
      const fresh = await open("/");
      await fresh.page.locator("input[type=file]").setInputFiles({ name: "study.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
      await fresh.page.locator(".study .lines").waitFor();
      await fresh.page.locator(".study .lines button").last().click();
      await fresh.page.getByLabel("Ply", { exact: true }).fill(String(ply + (further ? 2 : 1)));
      await fresh.page.waitForFunction(() => document.querySelector(".comment textarea")?.value === "Deep down.");
      assert.equal(await saved(fresh.page), text);
      await fresh.close();
    }
  }
  assert.ok(deep > 0);
});

test("variations become deeper, are deleted, and a comment has a greatest length", async () => {
  const { id } = whole[0];
  const { page, close } = await open(`/#record=${id}&ply=${PLY}&tab=moves`);
  await page.locator(".moves").waitFor();
  await vary(page, PLY);
  const list = page.locator(".moves > section .actions button:not([aria-expanded])");
  await list.first().waitFor();
  await list.first().click();
  await page.waitForFunction((ply) => document.querySelector(".controls output").textContent === `${ply} / ${ply}`, PLY + 2);
  await tab(page, "Study");
  assert.equal(await page.locator(".study .lines button").count(), 2);
  await comment(page).fill("x".repeat(4000));
  await comment(page).press("End");
  await comment(page).pressSequentially("y");
  await page.locator(".study .trouble", { hasText: "4,001 characters" }).waitFor();
  assert.equal((await saved(page)).includes("xy"), false);
  await comment(page).press("Backspace");
  await page.locator(".study .trouble").waitFor({ state: "detached" });
  // The beginning has a comment, too.
  await page.getByLabel("Ply", { exact: true }).fill("0");
  await shown(page, 0);
  await comment(page).fill("How it began.");
  assert.equal(JSON.parse((await saved(page)).split("\n")[0]).note, "How it began.");
  page.once("dialog", (it) => it.accept());
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.locator(".study .lines").waitFor({ state: "detached" });
  await shown(page, PLY);
  assert.equal((await saved(page)).trimEnd().split("\n").length, 1);
  await page.waitForFunction(() => !location.hash.includes("try="));
  await page.reload();
  await page.locator(".study").waitFor();
  assert.equal(await page.locator(".lines").count(), 0);
  await close();
});

test("on a phone a study is written by touch, and nothing is too small or too wide", async () => {
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=${PLY}&tab=study`, PHONE);
    const where = await write(page, (x, y) => page.touchscreen.tap(x, y));
    await page.getByRole("button", { name: "Draw arrows and rings" }).click();
    await page.locator(".draw-bar").waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    const small = await page.locator(":is(.study, .draw-bar) :is(button, input, textarea):visible").evaluateAll((all) =>
      all.map((it) => [it.textContent, it.getBoundingClientRect()]).filter(([, it]) => it.height < 43.9 || it.width < 43.9).map(([text]) => text));
    assert.deepEqual(small, []);
    await page.getByRole("button", { name: "Done" }).click();
    await seen(page, where);
    await close();
  }
});

test("a study is written by keyboard alone", async () => {
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=${PLY}&tab=study`);
    await page.locator(".study").waitFor();
    await shown(page, PLY);
    await quiet(page);
    const reach = async (selector) => {
      for (let tabs = 0; tabs < 120; tabs += 1) {
        if (await page.evaluate((it) => document.activeElement?.matches(it), selector)) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`${selector} is not reached`);
    };
    await reach('.glyphs button[aria-label^="?? "]');
    await page.keyboard.press("Enter");
    await reach(".comment textarea");
    await page.keyboard.type("By keyboard.");
    await reach(".study .buttons button");
    await page.keyboard.press("Enter");
    await page.locator(".draw-bar").waitFor();
    await reach(".picture");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches(".picture [data-id]"));
    const start = await page.evaluate(() => document.activeElement.dataset.id);
    await page.keyboard.press("Enter");
    await page.locator(".draw-bar [role=status]", { hasText: "From" }).waitFor();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
      await page.keyboard.press(key);
      if ((await page.evaluate(() => document.activeElement.dataset.id)) !== start) break;
    }
    const end = await page.evaluate(() => document.activeElement.dataset.id);
    assert.notEqual(end, start);
    await page.keyboard.press("Enter");
    await drawn(page).locator(".arrow-green").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".draw-bar [role=status]", { hasText: "From" }).waitFor();
    await page.keyboard.press("Enter");
    await drawn(page).locator(".ring-green.light").waitFor();
    const note = JSON.parse((await saved(page)).split("\n")[0]).actions[PLY - 1].note;
    assert.equal(note, `?? By keyboard. [%arrow green ${start} ${end}] [%ring green ${end}]`);
    // Drawing the same again removes it.
    await reach(".picture");
    await page.keyboard.press("Enter");
    await page.waitForFunction((id) => document.activeElement?.dataset.id === id, start);
    await page.keyboard.press("Enter");
    await page.locator(`.picture [data-id="${end}"]`).focus();
    await page.keyboard.press("Enter");
    await drawn(page).locator(".arrow-green").waitFor({ state: "detached" });
    await close();
  }
});

test("a study is accessible in light and dark, also while the board is drawn on", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const { id, game } of whole) {
      for (const size of [{}, PHONE]) {
        const { page, close } = await open(`/#record=${id}&ply=${PLY}&tab=study`, { colorScheme, ...size });
        const note = "?! A comment.";
        await page.locator(".study").waitFor();
        await glyph(page, "?!").click();
        await comment(page).fill(note);
        await draw(page, size === PHONE ? (x, y) => page.touchscreen.tap(x, y) : click(page));
        await page.getByRole("button", { name: "Draw arrows and rings" }).click();
        await page.locator(".draw-bar").waitFor();
        await quiet(page);
        for (const on of ["Study", "Story"]) {
          await tab(page, on);
          await quiet(page);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
          assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((one) => one.target).join(" ")}`), [], `${game} ${on}`);
        }
        await close();
      }
    }
  }
});

test("notes that were written elsewhere are read as far as they parse", async () => {
  for (const { record, game } of whole) {
    const notes = new Map([[PLY - 1, "?"], [PLY, "Look [%cal Gc2] [%ring purple here:1] here. [%arrow green nowhere:1 nowhere:2]"]]);
    const noted = { ...record, actions: record.actions.map((it, at) => (notes.has(at) ? { ...it, note: notes.get(at) } : it)) };
    assert.equal((await judged(origin, noted)).status, (await judged(origin, record)).status, game);
    const { page, close } = await open("/#study");
    await page.getByRole("heading", { name: "Which game do you want to study?" }).waitFor();
    await page.locator("input[type=file]").setInputFiles({ name: "noted.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(noted)) });
    await page.locator(".study").waitFor();
    await page.getByLabel("Ply", { exact: true }).fill(String(PLY));
    await shown(page, PLY);
    await page.waitForFunction(() => document.querySelector('.glyphs [aria-label^="? "]')?.getAttribute("aria-pressed") === "true");
    assert.equal(await comment(page).inputValue(), "");
    await page.getByLabel("Ply", { exact: true }).fill(String(PLY + 1));
    await shown(page, PLY + 1);
    await page.getByRole("button", { name: "Remove green arrow from nowhere:1 to nowhere:2" }).waitFor();
    assert.equal(await comment(page).inputValue(), "Look [%cal Gc2] [%ring purple here:1] here.");
    // Its shapes are not on the board.
    assert.equal(await page.locator(".arrow-drawn").count(), 0);
    assert.equal(JSON.parse((await saved(page)).split("\n")[0]).actions[PLY].note, notes.get(PLY));
    await close();
  }
});
