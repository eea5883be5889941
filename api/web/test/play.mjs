// Playing in a real browser: tables are created, shared and played on the page. Like `browser.mjs`; nothing here names a rule.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AXE, ROOT, launch, openPage, quiet, serve } from "./service.mjs";

let folder, server, origin, browser, games;
const get = async (path, bearer) => (await fetch(origin + path, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} })).json();
const open = (path, more) => openPage(browser, origin, path, more);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-play-"));
  [server, origin] = await serve(folder, "store.sqlite");
  browser = await launch();
  ({ games } = await get("/v1/games"));
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Creates a table on the page; `sitters` says who plays which seat. */
async function start(page, game, sitters, more = () => undefined) {
  await page.goto(`${origin}/#new=${game.id}`);
  await page.getByRole("radio", { name: game.title }).check();
  for (const [seat, who] of Object.entries(sitters)) await page.getByLabel(seat, { exact: true }).selectOption(who);
  await more(page);
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForURL(/#table=/);
  return idOf(page);
}
const idOf = (page) => /table=([0-9a-f]+)/.exec(page.url())[1];

const ply = async (page) => Number(await page.locator(".picture").getAttribute("data-ply"));
/** Until the board shows more actions than before, or the game is over. */
const moved = (page, before) => page.waitForFunction((it) => Number(document.querySelector(".picture").dataset.ply) > it, before);
/** Until it is this page's turn. */
const turn = (page) => page.locator(".status", { hasText: /Your turn|Game over/ }).waitFor();
const targets = (page) => page.locator(".regions .can:not(.chosen)");
const list = (page) => page.locator(".moves > section .actions button:not([aria-expanded])");

/** Makes one move by clicks on the board, if it takes some; returns whether it did. */
async function moveOnBoard(page, which) {
  const before = await ply(page);
  for (let clicks = 0; clicks < 200; clicks += 1) {
    const build = page.locator(".build .strong:enabled");
    if ((await build.count()) > 0) {
      await build.click();
      await moved(page, before);
      return true;
    }
    const count = await targets(page).count();
    if (count === 0 && (await page.locator(".build").count()) === 0) return false;
    if (count === 0) {
      await page.waitForTimeout(50);
      continue;
    }
    const text = () => page.locator(".build [role=status], .chooser, .picked").allTextContents();
    const old = (await text()).join();
    await targets(page).nth(which % count).click({ force: true });
    // The service is asked what comes next in an action that is built.
    for (let wait = 0; wait < 50 && (await text()).join() === old; wait += 1) await page.waitForTimeout(20);
    await page.waitForTimeout(60);
    if ((await page.locator(".chooser .actions button").count()) > 0) {
      await page.keyboard.press("Enter");
      await moved(page, before);
      return true;
    }
  }
  return false;
}

/** Makes a move from the list, by two presses. */
async function moveFromList(page) {
  const before = await ply(page);
  await list(page).first().click();
  await page.getByText("Press again to play").waitFor();
  assert.equal(await ply(page), before);
  await page.locator(".moves .actions button[aria-pressed=true]").click();
  await moved(page, before);
}

test("each game is started from the first page and played against the computer, by clicks on the board", async () => {
  for (const game of games) {
    const { page, close } = await open("/");
    await page.getByRole("link", { name: `Play ${game.title}` }).click();
    const [mine, ...others] = game.seats.slice(0, game.players.least);
    for (const seat of others) await page.getByLabel(seat, { exact: true }).selectOption("50");
    await page.getByRole("button", { name: "Start the game" }).click();
    let byBoard = 0;
    for (let own = 0; own < 40 && byBoard < 3; own += 1) {
      await turn(page);
      await list(page).or(page.locator(".build")).first().waitFor();
      await page.waitForTimeout(100);
      if (await moveOnBoard(page, own)) byBoard += 1;
      else await moveFromList(page);
    }
    assert.ok(byBoard >= 2, `${game.id}: ${byBoard}`);
    await turn(page);
    const { now } = await get(`/v1/tables/${idOf(page)}`);
    assert.ok(now.ply > byBoard, "the computer has answered");
    await page.getByRole("tab", { name: "Story" }).click();
    assert.ok((await page.locator(".story li").count()) > 2);
    await page.locator(".seated .you").waitFor();
    assert.match(await page.locator(".seated li", { has: page.locator(".you") }).textContent(), new RegExp(`^${mine}`));
    await close();
  }
});

test("a game is played to its end by keyboard alone, read again, saved, and played once more", async () => {
  const [game] = games;
  const { page, close } = await open("/");
  await page.locator(`.doors a[href="#new=${game.id}"]`).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel(game.seats[1], { exact: true }).selectOption("50");
  await page.getByRole("button", { name: "Start the game" }).focus();
  await page.keyboard.press("Enter");
  const over = page.getByRole("button", { name: "Rematch", exact: true });
  /** Tabs to the first action of the list. */
  const reach = async () => {
    for (let tabs = 0; tabs < 60; tabs += 1) {
      if (await page.evaluate(() => document.activeElement?.matches(".moves > section .actions button"))) return true;
      await page.keyboard.press("Tab");
    }
    return false;
  };
  for (let own = 0; own < 300; own += 1) {
    await turn(page);
    if (await over.isVisible()) break;
    await list(page).first().waitFor();
    const before = await ply(page);
    assert.ok(await reach(), "the list is reached");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await moved(page, before);
  }
  await over.waitFor();
  assert.match(await page.locator(".status").textContent(), /Game over: .*(Winner: |Nobody won)/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the record" }).click()]);
  const record = JSON.parse(readFileSync(await saved.path(), "utf8"));
  assert.equal(record.game, game.id);
  assert.ok(record.actions.length > 10);
  const table = page.url();
  await page.getByRole("button", { name: "Open in the reading view" }).click();
  await page.waitForURL(/#record=/);
  await page.locator(".picture svg").waitFor();
  await page.getByRole("tab", { name: "Verdict" }).click();
  await page.getByText("complete", { exact: true }).waitFor();
  await page.goto(table);
  await page.getByRole("button", { name: "Rematch, seats swapped" }).click();
  await page.waitForFunction((old) => location.href !== old, table);
  await page.locator(".picture svg").waitFor();
  assert.match(await page.locator(".seated li", { has: page.locator(".you") }).textContent(), new RegExp(`^${game.seats[1]}`));
  await close();
});

/** Keeps the text of every answer that a page gets of a table, streams too, and the address of every request. */
async function listen(context) {
  await context.addInitScript(() => {
    const real = window.fetch;
    window.heard = "";
    window.fetch = async (...asked) => {
      const answer = await real(...asked);
      if (!String(asked[0]).includes("/v1/tables/")) return answer;
      const [mine, theirs] = answer.body ? answer.body.tee() : [null, null];
      if (theirs) {
        void (async () => {
          const reader = theirs.pipeThrough(new TextDecoderStream()).getReader();
          for (let part = await reader.read(); !part.done; part = await reader.read()) window.heard += part.value;
        })().catch(() => undefined);
      }
      return new Response(mine, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    };
  });
}

/** The texts in a value that are longer than a letter. */
function texts(value, out = new Set()) {
  if (typeof value === "string" && value.length > 2) out.add(value);
  else if (value && typeof value === "object") for (const it of Object.values(value)) texts(it, out);
  return out;
}

/** Two people at one table: the second one comes by the link that the first one copies. */
async function two(game, more) {
  const permissions = ["clipboard-read", "clipboard-write"];
  const [one, other] = [await open("/", { permissions }), await open("/", { permissions })];
  const asked = [];
  for (const { page, context } of [one, other]) {
    await listen(context);
    page.on("request", (it) => asked.push(it.url()));
  }
  await one.page.reload();
  const [mine, theirs] = game.seats;
  const id = await start(one.page, game, { [mine]: "me", [theirs]: "link" }, more);
  const link = async (name) => {
    await one.page.getByRole("button", { name }).first().click();
    return one.page.evaluate(() => navigator.clipboard.readText());
  };
  await other.page.goto("about:blank");
  await other.page.goto(await link(`Copy the link for ${theirs}`));
  await other.page.locator(".seated .you").waitFor();
  return { id, one, other, asked, mine, theirs, link };
}

test("two people play by link; each sees the other's moves and nothing hidden, and takes back if both agree", async () => {
  let looked = 0;
  for (const game of games) {
    const { id, one, other, asked, mine, link } = await two(game);
    const keys = JSON.parse(await one.page.evaluate((id) => localStorage.getItem(`umpire.table.${id}`), id));
    const watcher = await open("/");
    await listen(watcher.context);
    await watcher.page.reload();
    await watcher.page.goto(await link("Copy the link for spectators"));
    await watcher.page.getByText("You are watching").waitFor();
    // The token has left the address, and no request had it in its address.
    for (const { page } of [one, other]) assert.doesNotMatch(page.url(), /token/);
    assert.deepEqual(asked.filter((it) => it.includes("umpire_")), []);
    await other.page.reload();
    await other.page.locator(".seated .you").waitFor();
    for (let moves = 0; moves < 6; moves += 1) {
      const { now } = await get(`/v1/tables/${id}`);
      const { page } = now.decision.players.includes(mine) ? one : other;
      await page.waitForFunction((it) => Number(document.querySelector(".picture").dataset.ply) === it, now.ply);
      await turn(page);
      await list(page).or(page.locator(".build")).first().waitFor();
      if (!(await moveOnBoard(page, moves))) await moveFromList(page);
    }
    const { version, now } = await get(`/v1/tables/${id}`);
    for (const { page } of [one, other, watcher]) await page.waitForFunction((it) => Number(document.querySelector(".picture").dataset.ply) === it, now.ply);
    const all = texts((await get(`/v1/tables/${id}`, keys.host)).now.state);
    const tokens = [keys.seats[mine], await other.page.evaluate((id) => Object.values(JSON.parse(localStorage.getItem(`umpire.table.${id}`)).seats)[0], id), undefined];
    for (const [at, { page }] of [one, other, watcher].entries()) {
      const may = JSON.stringify([await get(`/v1/tables/${id}`, tokens[at]), await get(`/v1/tables/${id}/events`, tokens[at]), await get(`/v1/tables/${id}/scene`, tokens[at])]);
      const hidden = [...all].filter((it) => !may.includes(it));
      looked += hidden.length;
      const [heard, page_] = await page.evaluate(() => [window.heard, document.documentElement.outerHTML]);
      assert.ok(heard.includes(`"version":"${version}"`), "the log has what the page heard");
      // Legal actions name what the seat itself could do, its own cards for example: those it may know.
      for (const it of hidden) assert.ok(!heard.includes(`"${it}"`) && !page_.includes(`"${it}"`), `${game.id}: ${it} is hidden`);
    }
    for (const it of [one, other, watcher]) await it.close();
  }
  assert.ok(looked > 0);
});

test("a public move is taken back if the other seat agrees; after chance or a secret the page says why not", async () => {
  let [agreed, refused] = [0, 0];
  for (const game of games) {
    const { id, one, other, mine } = await two(game);
    for (let moves = 0; moves < 8; moves += 1) {
      const { now } = await get(`/v1/tables/${id}`);
      const [me, them] = now.decision.players.includes(mine) ? [one, other] : [other, one];
      await me.page.waitForFunction((it) => Number(document.querySelector(".picture").dataset.ply) === it, now.ply);
      await turn(me.page);
      await list(me.page).or(me.page.locator(".build")).first().waitFor();
      if (!(await moveOnBoard(me.page, 0))) await moveFromList(me.page);
      await me.page.getByRole("button", { name: "Take back" }).click();
      const asked = me.page.getByText("You asked to take back");
      await asked.or(me.page.getByText("only the host can take it back")).waitFor();
      if (!(await asked.isVisible())) {
        refused += 1;
        continue;
      }
      await them.page.getByText(/asks to take back/).waitFor();
      await me.page.getByRole("button", { name: "Withdraw" }).click();
      await them.page.getByText(/asks to take back/).waitFor({ state: "detached" });
      await me.page.getByRole("button", { name: "Take back" }).click();
      await them.page.getByRole("button", { name: "Agree", exact: true }).click();
      for (const { page } of [one, other]) await page.waitForSelector(`.picture[data-ply="${now.ply}"] svg`);
      await turn(me.page);
      agreed += 1;
      break;
    }
    await one.close();
    await other.close();
  }
  assert.ok(agreed > 0 && refused > 0, `${agreed} ${refused}`);
});

test("with a fair draw the game begins once everybody has opened the table", async () => {
  const [game] = games;
  const { id, one, other } = await two(game, (page) => page.getByRole("radio", { name: /fair draw/ }).check());
  await one.page.locator(".picture svg").waitFor();
  await other.page.locator(".picture svg").waitFor();
  const table = await get(`/v1/tables/${id}`);
  assert.equal(table.chance, "fair");
  assert.equal(table.fair.stage, "drawn");
  await one.close();
  await other.close();
});

/** The legal actions of a seat at a table. */
const legal = async (id, bearer) => (await get(`/v1/tables/${id}/legal-actions`, bearer)).choices[0]?.actions ?? [];
const tokenOf = (page, id) => page.evaluate((id) => Object.values(JSON.parse(localStorage.getItem(`umpire.table.${id}`)).seats)[0], id);
const canIds = (page) => page.locator(".regions .can").evaluateAll((all) => all.map((it) => it.dataset.id));

const PLACE = '.picture .can:is([data-id^="hex:"], [data-id^="area:"])';

/** A table at which the board leads from a figure to places: its page, and what can be chosen first. */
async function figureFirst(more) {
  for (const game of games) {
    for (const mine of game.seats.slice(0, game.players.least)) {
      const { page, close } = await open("/", more);
      const others = game.seats.slice(0, game.players.least).filter((it) => it !== mine);
      const id = await start(page, game, { [mine]: "me", ...Object.fromEntries(others.map((it) => [it, "50"])) });
      for (let moves = 0; moves < 4; moves += 1) {
        await turn(page);
        await list(page).or(page.locator(".build")).first().waitFor();
        const figure = page.locator('.picture .can:not([data-id^="hex:"], [data-id^="area:"], [data-id^="card:"])').first();
        if ((await page.locator(".build").count()) === 0 && (await figure.count()) > 0) {
          await figure.click({ force: true });
          await page.locator(".picked").waitFor();
          const leads = (await page.locator(PLACE).count()) > 0;
          for (let back = 0; back < 2; back += 1) await page.keyboard.press("Escape");
          await page.waitForFunction(() => !document.querySelector(".picture .chosen, .chooser"));
          if (leads) return { page, close, id, figure };
        }
        if (!(await moveOnBoard(page, 1))) await moveFromList(page);
      }
      await close();
    }
  }
  throw new Error("no game has figures that move");
}

test("a chosen figure rings only its own targets; the choice opens at the target, Escape goes back, and a drag does both", async () => {
  const { page, close, id, figure } = await figureFirst();
  const before = await canIds(page);
  const own = await figure.getAttribute("data-id");
  await figure.click({ force: true });
  await page.locator(".picture .chosen").waitFor();
  const after = await canIds(page);
  assert.ok(after.length < before.length, `${before} ${after}`);
  const place = page.locator(PLACE).first();
  const where = await place.getAttribute("data-id");
  const texts = async () => (await list(page).allTextContents()).length;
  const narrowed = await texts();
  await place.click({ force: true });
  await page.locator(".chooser .actions button").first().waitFor();
  assert.ok((await texts()) <= narrowed);
  const [box, at] = [await page.locator(".chooser").boundingBox(), await page.locator(`.picture [data-id="${where}"]`).boundingBox()];
  assert.ok(Math.abs(box.x - at.x) < 600 && box.y < at.y + at.height + 400, "beside the target");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".chooser .actions button")));
  await page.keyboard.press("Escape");
  await page.locator(".chooser").waitFor({ state: "detached" });
  assert.deepEqual(await canIds(page), after);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".picture .chosen"));
  assert.deepEqual(await canIds(page), before);
  // The same by a drag, and Enter plays it.
  const [from, to] = [await figure.boundingBox(), await page.locator(`.picture [data-id="${where}"]`).boundingBox()];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 20, from.y + from.height / 2 + 4, { steps: 4 });
  await page.locator(".picture .ghost").waitFor();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.locator(".chooser .actions button").first().waitFor();
  assert.equal(await page.locator(".picture .chosen").count(), 2, own);
  assert.equal(await page.locator(".picture .ghost").count(), 0);
  const old = await ply(page);
  await page.keyboard.press("Enter");
  await moved(page, old);
  assert.ok((await get(`/v1/tables/${id}`)).now.ply > old);
  await close();
});

test("a refused try says why at the place, draws what is legal instead, and one click plays that", async () => {
  let refused = 0;
  // With some deals, whatever stands at such a place can be meant: then other tables are tried.
  for (const [number, game] of [...games, ...games, ...games].entries()) {
    if (refused > 0 && number >= games.length) break;
    const { page, close } = await open("/");
    const [mine, ...others] = game.seats.slice(0, game.players.least);
    const id = await start(page, game, { [mine]: "me", ...Object.fromEntries(others.map((it) => [it, "50"])) });
    await turn(page);
    await list(page).first().waitFor();
    const wrong = page.locator('.picture .open:is([data-id^="hex:"], [data-id^="area:"]):not(.can)');
    if ((await targets(page).count()) > 0 && (await wrong.count()) > 0) {
      await wrong.first().click({ force: true });
      await page.locator(".chooser").waitFor();
      const refusal = page.locator(".chooser .refusal");
      await quiet(page);
      if ((await refusal.count()) > 0) {
        assert.ok((await refusal.locator(".clause").count()) > 0);
        const token = await tokenOf(page, id);
        assert.equal((await get(`/v1/tables/${id}`, token)).now.ply, 0, "nothing was played");
        const nearest = refusal.locator(".actions button");
        assert.ok((await nearest.count()) > 0 && (await targets(page).count()) > 0);
        const some = JSON.parse(await nearest.first().getAttribute("title"));
        assert.ok((await legal(id, token)).some((it) => JSON.stringify(it) === JSON.stringify(some)));
        await nearest.first().click();
        await moved(page, 0);
        refused += 1;
      }
    }
    await close();
  }
  assert.ok(refused > 0);
});

test("on a phone the choice is at the bottom, in reach of a thumb, and nothing is wider than the screen", async () => {
  for (const game of games) {
    const { page, close } = await open("/", { width: 390, height: 844, hasTouch: true, isMobile: true });
    await page.locator(".doors img").first().waitFor();
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok((await wide()) <= 390);
    await page.getByRole("link", { name: `Play ${game.title}` }).tap();
    await page.getByRole("button", { name: "Start the game" }).tap();
    let tapped = 0;
    for (let own = 0; own < 12 && tapped === 0; own += 1) {
      await turn(page);
      await list(page).first().waitFor();
      assert.ok((await wide()) <= 390);
      const before = await ply(page);
      if ((await targets(page).count()) === 0) {
        await page.getByRole("button", { name: /^Moves: / }).tap();
        await list(page).first().tap();
        await page.locator(".moves .actions button[aria-pressed=true]").tap();
        await moved(page, before);
        assert.equal(await page.evaluate(() => window.scrollY), 0, "back at the board");
        continue;
      }
      for (let taps = 0; taps < 6 && (await page.locator(".chooser").count()) === 0; taps += 1) {
        // What is fixed at the bottom may cover a target: a person scrolls, too.
        const point = await targets(page).evaluateAll((all) => {
          for (const it of all) {
            it.scrollIntoView({ block: "center", inline: "center" });
            const { left, top, width, height } = it.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            // A counter may stand on it: a tap means the first target under the finger.
            const [first] = document.elementsFromPoint(x, y).flatMap((on) => on.closest(".can") ?? []);
            if (first === it) return [x, y];
          }
          return null;
        });
        assert.ok(point, "a target is in reach");
        await page.touchscreen.tap(...point);
        await page.waitForTimeout(150);
      }
      const { x, y, width, height } = await page.locator(".chooser").boundingBox();
      assert.ok(x >= 0 && x + width <= 390 && y > 300 && Math.abs(y + height - 844) < 2, `${x} ${y} ${width} ${height}`);
      const first = page.locator(".chooser .actions button").first();
      assert.ok((await first.boundingBox()).height >= 44);
      await first.tap();
      await moved(page, before);
      tapped += 1;
    }
    assert.equal(tapped, 1, game.id);
    await close();
  }
});

test("the first page, a new table and play have nothing serious in the way of those who cannot see or point", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await open("/", { colorScheme });
    const check = async (what) => {
      await quiet(page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run());
      const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
      assert.deepEqual(serious.map((it) => [what, it.id, it.nodes.map((node) => node.html).slice(0, 3)]), []);
    };
    await page.locator(".doors img").first().waitFor();
    await check("home");
    for (const game of games) {
      await page.goto(`${origin}/#new=${game.id}`);
      await page.getByRole("radio", { name: game.title }).check();
      await check(`new ${game.id}`);
      await page.getByRole("button", { name: "Start the game" }).click();
      await turn(page);
      await list(page).first().waitFor();
      await check(`play ${game.id}`);
      if ((await targets(page).count()) > 0) {
        await targets(page).last().click({ force: true });
        await page.locator(".picked").waitFor();
        await check(`chosen ${game.id}`);
        await page.keyboard.press("Escape");
      }
      for (const tab of ["Story", "Table"]) {
        await page.getByRole("tab", { name: tab }).click();
        await check(`${tab} ${game.id}`);
      }
    }
    await close();
  }
});

test("in the reading view too, what is chosen narrows the targets, a move is finished there, and a refusal is beside it", async () => {
  let [tried, refused] = [0, 0];
  for (const { id: game } of games) {
    const at = join(ROOT, "fixtures", game, "games");
    const all = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
    const record = all.filter((it) => it?.chance?.seed).sort((a, b) => b.actions.length - a.actions.length)[0];
    const stored = await fetch(`${origin}/v1/records`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) });
    const { id } = await stored.json();
    for (let from = 4; from < Math.min(record.actions.length, 60); from += 11) {
      const { page, close } = await open(`/#record=${id}&ply=${from}&tab=moves`);
      await page.waitForSelector(`.picture[data-ply="${from}"] svg`);
      await quiet(page);
      const before = await targets(page).count();
      const wrong = page.locator('.picture .open:is([data-id^="hex:"], [data-id^="area:"]):not(.can)');
      if (before > 1 && (await wrong.count()) > 0 && refused === 0) {
        await wrong.first().click({ force: true });
        await page.locator(".chooser").waitFor();
        await quiet(page);
        if ((await page.locator(".chooser .refusal").count()) > 0) refused += 1;
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector(".chooser"));
      }
      if (before > 1) {
        for (let clicks = 0; clicks < 6 && (await page.locator(".chooser .actions").count()) === 0; clicks += 1) {
          await targets(page).first().click({ force: true });
          await quiet(page);
          assert.ok((await targets(page).count()) < before);
        }
        await page.locator(".chooser .actions button").first().waitFor();
        await page.keyboard.press("Enter");
        await page.waitForSelector(`.picture[data-ply="${from + 1}"] svg`);
        tried += 1;
      }
      await close();
      if (tried % 2 === 1) break;
    }
  }
  assert.ok(tried >= 2 && refused > 0, `${tried} ${refused}`);
});

test("a move is made on the board by keyboard alone", async () => {
  const [game] = games;
  const { page, close } = await open("/");
  const [mine, theirs] = game.seats;
  await start(page, game, { [mine]: "me", [theirs]: "50" });
  await turn(page);
  await targets(page).first().waitFor();
  await list(page).first().waitFor();
  for (let tabs = 0; tabs < 40 && !(await page.evaluate(() => document.activeElement?.matches(".picture"))); tabs += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const here = () => page.evaluate(() => document.activeElement?.closest("[data-id]")?.getAttribute("data-id"));
  const first = await here();
  assert.ok(first);
  await page.keyboard.press("ArrowRight");
  if ((await here()) === first) await page.keyboard.press("ArrowDown");
  const second = await here();
  assert.notEqual(second, first);
  await page.keyboard.press("Enter");
  await page.locator(".chooser .actions button").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".chooser").waitFor({ state: "detached" });
  assert.equal(await here(), second);
  await page.keyboard.press("Enter");
  await page.locator(".chooser .actions button").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await moved(page, 0);
  await close();
});

test("alone, one gets hints, takes back even what chance decided, and plays several seats in one browser", async () => {
  const [game] = games;
  const { page, close } = await open("/");
  const [mine, theirs] = game.seats;
  const id = await start(page, game, { [mine]: "me", [theirs]: "me" });
  await turn(page);
  await page.getByRole("button", { name: "Hint" }).click();
  const advice = page.locator(".hints .actions button");
  await advice.first().waitFor();
  assert.match(await advice.first().textContent(), /wins \d+ of 100/);
  await advice.first().click();
  await page.getByText("Press again to play").waitFor();
  await advice.first().click();
  await moved(page, 0);
  await page.getByRole("button", { name: "Take back" }).click();
  const anyway = page.getByRole("button", { name: "Take it back anyway" });
  await anyway.or(page.getByText("You asked to take back")).waitFor();
  if (await anyway.isVisible()) await anyway.click();
  else {
    await page.getByLabel("Play as").selectOption(theirs);
    await page.getByRole("button", { name: "Agree", exact: true }).click();
    await page.getByLabel("Play as").selectOption(mine);
  }
  await page.waitForSelector('.picture[data-ply="0"] svg');
  await turn(page);
  // The same table from the other seat, which sees its own cards only.
  await page.getByLabel("Play as").selectOption(theirs);
  await page.getByText(`Waiting for ${mine}`).waitFor();
  assert.match(await page.locator(".seated li", { has: page.locator(".you") }).textContent(), new RegExp(`^${theirs}`));
  assert.equal(await list(page).count(), 0);
  // The first page remembers the table.
  await page.getByRole("button", { name: "← Home" }).click();
  await page.locator(`.mine a[href="#table=${id}"]`).click();
  await page.locator(".seated .you").waitFor();
  // The creator ends it early, and the record is open to read.
  await page.getByRole("tab", { name: "Table" }).click();
  await page.getByRole("button", { name: "Close and store" }).click();
  await page.waitForURL(/#record=/);
  await page.waitForSelector('.picture[data-ply="0"] svg');
  await close();
});

test("a table that does not exist, and a token that is none, are explained", async () => {
  const { page, close } = await open(`/#table=${"0".repeat(32)}`);
  await page.getByText("Cannot show this table").waitFor();
  await page.locator(".trouble").waitFor();
  await page.getByRole("button", { name: "← Home" }).click();
  await page.locator(".doors img").first().waitFor();
  await close();
});
