// The pages in a real browser: `node --test test/` with Chromium at $CHROMIUM and the program at $UMPIRE.
// Every game of the service is opened by one of its fixtures; nothing here names a game.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AXE, ROOT, launch, openPage, quiet, serve, watch } from "./service.mjs";

let folder, server, origin, browser;
/** Per game: its id, a whole record as text, and the id under which it is stored. */
const whole = [];

async function post(path, body, accept = "application/json") {
  const answer = await fetch(origin + path, { method: "POST", headers: { "content-type": "application/json", accept }, body });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}
const get = async (path) => (await fetch(origin + path)).json();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-table-"));
  [server, origin] = await serve(folder, "store.sqlite");
  for (const { id } of (await get("/v1/games")).games) {
    const at = join(ROOT, "fixtures", id, "games");
    const records = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
    const record = records.filter((it) => it?.chance?.seed).sort((a, b) => b.actions.length - a.actions.length)[0];
    const text = JSON.stringify(record);
    whole.push({ game: id, text, record, id: (await post("/v1/records", text)).id });
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const open = (path, more) => openPage(browser, origin, path, more);

const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

const shown = (page, ply) => page.waitForSelector(`.picture[data-ply="${ply}"] svg`);

/** The listed actions that were not played in the record: to try that one is only a step. */
async function others(page, played) {
  const list = page.locator(".moves > section .actions button[title]");
  await list.first().waitFor();
  const found = await list.evaluateAll((all, played) => all.flatMap((it, at) => {
    const differs = Object.entries(JSON.parse(it.title)).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(played[key]));
    return differs ? [at] : [];
  }), played);
  return found.map((at) => list.nth(at));
}

test("a record is found in the list, opened and stepped through by buttons, keys, slider and wheel", async () => {
  for (const { game, id, record } of whole) {
    const { page, close } = await open("/");
    await page.getByLabel("Game").selectOption(game);
    await page.locator(`a[href="#record=${id}"]`).click();
    await shown(page, 0);
    const last = record.actions.length;
    await page.getByRole("button", { name: "Next (right)" }).click();
    await shown(page, 1);
    await page.keyboard.press("PageDown");
    await shown(page, 11);
    await page.keyboard.press("ArrowLeft");
    await shown(page, 10);
    await page.keyboard.press("End");
    await shown(page, last);
    await page.getByLabel("Ply", { exact: true }).fill("5");
    await shown(page, 5);
    await page.locator(".controls output").hover();
    await page.mouse.wheel(0, 100);
    await shown(page, 6);
    await page.waitForURL(new RegExp(`record=${id}.*ply=6`));
    await page.getByRole("button", { name: "Autoplay (space)" }).click();
    await shown(page, 8);
    await close();
  }
});

test("a link shows the same again: record, ply, viewer, reading and what was tried", async () => {
  const { id } = whole[0];
  const { page, close } = await open(`/t/${id}/12#viewer=spectator&tab=verdict`);
  await shown(page, 12);
  assert.equal(await page.getByLabel("View as").inputValue(), "spectator");
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Verdict");
  await page.goto("about:blank");
  await page.goto(`${origin}/#record=${id}&ply=12`);
  await shown(page, 12);
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.locator(".actions button").first().click();
  await shown(page, 13);
  await page.waitForFunction(() => location.hash.includes("try="));
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector(".lines");
  await shown(page, 13);
  await close();
});

/** The texts in a value that are longer than a letter. */
function texts(value, out = new Set()) {
  if (typeof value === "string" && value.length > 2) out.add(value);
  else if (value && typeof value === "object") for (const it of Object.values(value)) texts(it, out);
  return out;
}

test("a player's page is never sent, and never shows, what that player may not know", async () => {
  let [looked, acted] = [0, 0];
  for (const { game, record } of whole) {
    const detail = await get(`/v1/games/${game}`);
    // A game that is broken off in the middle, so that what is hidden there never comes out.
    const { claims: _claims, checkpoints: _checkpoints, ...rest } = record;
    const ply = Math.floor(record.actions.length / 2);
    const text = JSON.stringify({ ...rest, actions: record.actions.slice(0, ply) });
    const { id } = await post("/v1/records", text);
    for (const viewer of [detail.seats[0], detail.seats[1], "spectator"]) {
      const all = texts((await post(`/v1/replay?ply=${ply}`, text)).state);
      const now = await post(`/v1/replay?ply=${ply}&viewer=${viewer}`, text);
      const told = JSON.stringify([now, await post(`/v1/replay?viewer=${viewer}&include=events,text`, text)]);
      const hidden = [...all].filter((it) => !told.includes(it));
      looked += hidden.length;
      const { page, close, answers } = await open(`/#record=${id}&ply=${ply}&viewer=${viewer}`);
      await shown(page, ply);
      for (const tab of ["Dispute", "Verdict", "Analysis", "JSON", "Moves", "Story"]) {
        await page.getByRole("tab", { name: tab }).click();
        await quiet(page);
        if (tab === "Dispute") {
          await page.getByText("to the referee only").waitFor();
          assert.equal(await page.getByRole("button", { name: /^Settle/ }).count(), 0);
        }
        if (tab === "Verdict") assert.equal(await page.getByRole("button", { name: "Save the record" }).count(), 0);
        if (tab === "JSON") {
          for (const part of ["events of this ply", "decision", "legal actions", "verdict"]) {
            await page.getByLabel("As JSON").selectOption(part);
            await quiet(page);
          }
        }
        if (tab !== "Moves") continue;
        // What is allowed is said to be; what comes of it would show what is hidden.
        const action = page.locator(".moves > section .actions button").first();
        if ((await action.count()) === 0) continue;
        await action.click();
        await page.locator(".allowed, .refusal").first().waitFor();
        await quiet(page);
        assert.equal(await page.locator(".lines").count(), 0);
        acted += 1;
      }
      // Nor by a link that says what to try, or under which reading.
      const encode = (value) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString("base64"));
      const more = `&try=${encode({ at: ply - 1, actions: [record.actions[ply - 1]] })}&other=${encode({ rulings: {} })}`;
      await page.goto("about:blank");
      await page.goto(`${origin}/#record=${id}&ply=${ply}&viewer=${viewer}${more}`);
      await shown(page, ply);
      await page.getByText("to the referee only").waitFor();
      await quiet(page);
      const dom = await page.content();
      const said = (await Promise.all(answers)).filter((it) => it.url.includes("/v1/") && !it.url.includes("/v1/games/"));
      assert.ok(said.length > 3);
      for (const { url } of said) assert.ok(!url.endsWith(`/v1/records/${id}`) && !url.includes("/v1/adjudicate"), `${viewer} asks ${url}`);
      for (const word of hidden) {
        assert.ok(!dom.includes(word), `${game}: the page of ${viewer} shows ${word}`);
        for (const it of said) assert.ok(!it.text.includes(word), `${game}: ${viewer} is sent ${word} by ${it.url}`);
      }
      await close();
    }
  }
  assert.ok(acted > 0, "nothing could be tried");
  assert.ok(looked > 0, "there was nothing hidden to look for");
});

test("whoever has a token of one seat sees the record with the eyes of that seat", async () => {
  const { game, id, text } = whole[0];
  const [seat] = (await get(`/v1/games/${game}`)).seats;
  const tokens = join(folder, "tokens");
  writeFileSync(tokens, `admin all\nseat=${seat}@${id} theirs\n`, { mode: 0o600 });
  const [guarded, there] = await serve(folder, "guarded.sqlite", ["--token-file", tokens, "--protect-reading"]);
  const headers = { "content-type": "application/json", authorization: "Bearer all" };
  assert.equal((await fetch(`${there}/v1/records`, { method: "POST", headers, body: text })).status, 201);
  const page = watch(await (await browser.newContext()).newPage());
  await page.goto(`${there}/#record=${id}&ply=9`);
  await page.locator(".trouble").first().waitFor();
  await page.getByText("Access token, if the service").click();
  await page.getByLabel("Token, kept").fill("theirs");
  await page.getByRole("button", { name: "Use it" }).click();
  await shown(page, 9);
  await page.waitForFunction((seat) => location.hash.includes(`viewer=${seat}`), seat);
  for (const tab of ["Moves", "Story"]) await page.getByRole("tab", { name: tab }).click();
  await page.locator(".story li").first().waitFor();
  await quiet(page);
  assert.equal(await page.locator(".trouble").count(), 0);
  await page.context().close();
  guarded.kill("SIGKILL");
});

test("one profile with two seats and a spectator shows nobody what another was shown", async () => {
  const { game, id, record, text } = whole[0];
  const { seats } = await get(`/v1/games/${game}`);
  const tokens = join(folder, "tokens-of-seats");
  const lines = ["admin all", ...seats.map((seat) => `seat=${seat}@${id} ${seat}`), `seat=spectator@${id} spectator`];
  writeFileSync(tokens, lines.join("\n"), { mode: 0o600 });
  const [guarded, there] = await serve(folder, "profile.sqlite", ["--token-file", tokens, "--protect-reading", "--cors-origin", "*"]);
  after(() => guarded.kill("SIGKILL"));
  const send = async (path, body, token, more = {}) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, ...more };
    const answer = await fetch(there + path, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  };
  await send("/v1/records", text, "all");
  const { seats: at, table, host } = await send("/v1/tables", { game, options: record.options, chance: record.chance }, "all");
  for (const [ply, action] of record.actions.slice(0, 3).entries()) {
    await send(`/v1/tables/${table.id}/actions`, { action }, at[action.player], { "if-match": `"${ply}"` });
  }
  const asks = [];
  const ply = record.actions.length >> 1;
  for (const rest of ["", "?include=legal,text", "/events", "/legal-actions", "/scene", "/scene?targets=true"]) {
    for (const token of [...Object.values(at), host, "all"]) asks.push([`/v1/tables/${table.id}${rest}`, token]);
  }
  for (const rest of ["", "/report", "/report?include=events,states", `/plies/${ply}`, "/events", "/legal-actions", `/plies/${ply}/board.svg`]) {
    for (const token of [...seats, "spectator", "all"]) asks.push([`/v1/records/${id}${rest}`, token]);
  }
  const load = async ([base, asks]) => {
    const found = [];
    for (const [path, token] of asks) {
      const answer = await fetch(base + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
      found.push([answer.status, await answer.text()]);
    }
    return found;
  };
  // What a caller without a cache is answered.
  const expected = [];
  for (const ask of asks) expected.push(...(await load([there, [ask]])));
  assert.ok(new Set(expected.map(([, body]) => body)).size > asks.length / 3, "the viewers see different things");
  const elsewhere = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise((done) => elsewhere.listen(0, "127.0.0.1", done));
  after(() => elsewhere.close());
  for (const home of [`${there}/docs`, `http://127.0.0.1:${elsewhere.address().port}/`]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(home);
    // Forwards and back again, so that each answer is asked for while those of all the others are in the cache.
    for (const order of [[...asks.keys()], [...asks.keys()].reverse()]) {
      const found = await page.evaluate(load, [there, order.map((at) => asks[at])]);
      for (const [place, at] of order.entries()) assert.deepEqual(found[place], expected[at], asks[at].join(" "));
    }
    await context.close();
  }
});

test("a refused action is shown with its clause, and a legal one starts a line of its own", async () => {
  for (const { game, id, record } of whole) {
    const ply = Math.min(30, record.actions.length - 1);
    const { page, close } = await open(`/#record=${id}&ply=${ply}&tab=moves`);
    await shown(page, ply);
    await page.getByText("Write an action").click();
    const box = page.getByLabel("An action, as a record has it");
    await box.fill("{nonsense");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("This is not JSON").waitFor();
    // What was done at the opening cannot be done in the middle.
    await box.fill(JSON.stringify(record.actions[0]));
    await page.getByRole("button", { name: "Try it" }).click();
    const refusal = page.locator(".refusal");
    await refusal.waitFor();
    assert.ok((await refusal.locator(".clause").count()) > 0, game);
    await refusal.locator(".clause").first().focus();
    await page.locator(".clause-box p").first().waitFor();
    assert.ok((await page.locator(".clause-box").textContent()).length > 40);
    await page.keyboard.press("Escape");
    await (await others(page, record.actions[ply]))[0].click();
    await page.locator(".lines").waitFor();
    await shown(page, ply + 1);
    await page.getByRole("button", { name: "As recorded" }).click();
    await shown(page, ply);
    await close();
  }
});

test("a game of a table, whose chance is used up, can be gone on with from any ply", async () => {
  let branched = 0;
  for (const { game } of whole) {
    const at = join(ROOT, "fixtures", game, "games");
    const records = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
    const record = records.find((it) => it?.chance?.tape && !it.chance.seed && it.actions.length > 20);
    if (!record) continue;
    const { page, close } = await open("/");
    await page.locator("input[type=file]").setInputFiles(file("table.json", JSON.stringify(record)));
    await page.locator(".picture svg").waitFor();
    await page.getByLabel("Ply", { exact: true }).fill("15");
    await shown(page, 15);
    await page.getByRole("tab", { name: "Moves" }).click();
    const [other] = await others(page, record.actions[15]);
    if (!other) {
      await close();
      continue;
    }
    await other.click();
    await page.locator(".lines button[aria-pressed=true]", { hasText: "From ply 15" }).waitFor();
    await page.waitForFunction(() => document.querySelector(".controls output")?.textContent?.startsWith("16 /"));
    // Its story goes on from that of the record, and the ply can be gone back to.
    await page.getByRole("tab", { name: "Story" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".story li").length > 3).catch(() => assert.fail(`${game} has no story`));
    await page.getByRole("button", { name: "As recorded" }).click();
    await shown(page, 15);
    branched += 1;
    await close();
  }
  assert.ok(branched > 0);
});

test("what is chosen on the board narrows the list, by pointer and by keys", async () => {
  let chosen = 0;
  for (const { id, record } of whole) {
    for (let ply = 6; ply < Math.min(60, record.actions.length); ply += 9) {
      const { page, close } = await open(`/#record=${id}&ply=${ply}&tab=moves`);
      await shown(page, ply);
      await quiet(page);
      const can = page.locator(".picture .can");
      const list = page.locator(".moves > section .actions button");
      const before = await list.count();
      if ((await can.count()) > 0 && before > 1) {
        await can.first().focus();
        await page.keyboard.press("Enter");
        await page.locator(".picked").waitFor();
        assert.ok((await list.count()) <= before);
        chosen += 1;
      }
      await close();
    }
  }
  assert.ok(chosen >= 3);
});

test("a dispute says where another reading parts, and shows both", async () => {
  let parted = 0;
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&tab=dispute`);
    await page.getByRole("button", { name: "Settle the whole record" }).click();
    await page.locator(".dispute [role=status] p").first().waitFor();
    await quiet(page);
    const both = page.getByRole("button", { name: /^Show both/ });
    if ((await both.count()) > 0) {
      parted += 1;
      await both.first().click();
      await page.locator(".other .picture svg").waitFor();
      await page.waitForFunction(() => location.hash.includes("other="));
    }
    await close();
  }
  assert.ok(parted > 0);
});

test("a verdict that is kept has a sheet", async () => {
  const { page, close } = await open(`/#record=${whole[0].id}&tab=dispute`);
  await page.getByRole("button", { name: "Settle and store the verdict" }).click();
  const link = page.getByRole("link", { name: "the verdict sheet" });
  await link.waitFor();
  const sheet = await fetch(origin + (await link.getAttribute("href")));
  assert.match(sheet.headers.get("content-type"), /html/);
  await close();
});

test("an analysis draws who stood better", async () => {
  const { id } = whole[0];
  const { page, close } = await open(`/#record=${id}&tab=analysis`);
  await page.getByLabel("Simulations").selectOption("50");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".curve polyline").first().waitFor({ timeout: 120_000 });
  await close();
});

test("files are judged, and broken ones say what is wrong", async () => {
  const { page, close } = await open("/");
  const input = page.locator("input[type=file]");
  await input.setInputFiles(file("broken.json", '{"actions": 3'));
  await page.locator(".trouble").first().waitFor();
  const { record, text } = whole[0];
  const illegal = { ...record, actions: [...record.actions.slice(0, 4), record.actions[0]] };
  delete illegal.claims;
  delete illegal.checkpoints;
  const many = [file("good.json", text), file("illegal.json", JSON.stringify(illegal)), file("broken.json", "{"), file("two.ndjson", `${text}\n${text}\n`)];
  await input.setInputFiles(many);
  await page.getByText("5 of 5").waitFor();
  assert.equal(await page.getByRole("cell", { name: "not a record" }).count(), 1);
  assert.equal(await page.getByRole("cell", { name: "illegal", exact: true }).count(), 1);
  await page.getByRole("button", { name: "illegal.json" }).click();
  // A record with a fault opens where the fault is.
  await page.getByRole("tab", { name: "Verdict" }).click();
  await page.locator(".verdict .refusal .clause").first().waitFor();
  await page.locator(".now", { hasText: "illegal" }).waitFor();
  await close();
});

test("what is wrong with an answer is said: no such record, no service", async () => {
  const { page, close, context } = await open(`/#record=${"0".repeat(64)}`);
  await page.locator(".trouble", { hasText: "unknown record" }).first().waitFor();
  await page.goto(`${origin}/#record=${whole[0].id}&ply=3`);
  await shown(page, 3);
  await quiet(page);
  await context.setOffline(true);
  page.removeAllListeners("console");
  // A key may come before the page listens, and what comes next may be there already: a person presses again.
  for (let time = 0; time < 50 && (await page.locator(".trouble").count()) === 0; time += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(200);
  }
  await page.locator(".trouble").first().waitFor();
  await context.setOffline(false);
  await page.keyboard.press("End");
  await shown(page, whole[0].record.actions.length);
  await page.locator(".trouble").waitFor({ state: "detached" });
  await close();
});

/** How large things are: the smallest letters, the picture, its frame, in pixels. */
const measured = (page) =>
  page.evaluate(() => {
    const [frame, svg] = [document.querySelector(".picture"), document.querySelector(".picture svg")];
    const { width, height, bottom } = svg.getBoundingClientRect();
    const unit = width / svg.viewBox.baseVal.width;
    const letters = Math.min(...[...svg.querySelectorAll("text:not(.unseen)")].map((it) => Number(it.getAttribute("font-size")) * unit));
    return { letters, width, height, bottom, left: frame.scrollLeft, room: [frame.offsetWidth, frame.offsetHeight] };
  });

test("one game can be put into another page: all of it is seen, and the steps with it", async () => {
  for (const { id, record } of whole) {
    for (const [width, height] of [[640, 560], [320, 400]]) {
      const { page, close } = await open(`/embed/${id}/7`, { width, height });
      await shown(page, 7);
      await quiet(page);
      const it = await measured(page);
      assert.ok(it.width <= width && it.bottom <= height, JSON.stringify(it));
      const steps = await page.locator(".controls").boundingBox();
      assert.ok(steps.y >= it.bottom - 1 && steps.y + steps.height <= height, JSON.stringify([it, steps]));
      await page.keyboard.press("End");
      await shown(page, record.actions.length);
      await close();
    }
  }
});

/** The sizes at which nothing may be cut, and which part of each region is visible there. */
const WINDOWS = [[1366, 768], [1440, 900], [1920, 1080], [390, 844], [844, 390], [320, 480]];

/** Of every region: how much of it is in sight at once, and how much of its width ever is: down it may be scrolled to. */
const regionsSeen = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".picture > svg, .strip > svg")].map((svg) => {
      const box = svg.getBoundingClientRect();
      // The steps at the bottom cover what is below them.
      const cover = document.querySelector("main > .under, main > .controls").getBoundingClientRect();
      const sight = { left: 0, top: 0, right: innerWidth, bottom: Math.min(innerHeight, cover.top) };
      // What lies in an element that scrolls is cut at its edges; the page itself ends with the window.
      for (let it = svg.parentElement; it && it !== document.body; it = it.parentElement) {
        if (getComputedStyle(it).overflowX === "visible") continue;
        const { left, top, right, bottom } = it.getBoundingClientRect();
        sight.left = Math.max(sight.left, left);
        sight.right = Math.min(sight.right, right);
        sight.top = Math.max(sight.top, top);
        sight.bottom = Math.min(sight.bottom, bottom);
      }
      const wide = Math.max(0, Math.min(box.right, sight.right) - Math.max(box.left, sight.left)) / box.width;
      const high = Math.max(0, Math.min(box.bottom, sight.bottom) - Math.max(box.top, sight.top)) / box.height;
      return { id: svg.dataset.region, now: wide * high, ever: wide, wide: box.width, high: box.height };
    }),
  );

test("the board is whole in every window, and no region of it is cut", async () => {
  for (const { game, id } of whole) {
    for (const [width, height] of WINDOWS) {
      for (const path of [`/#record=${id}&ply=20`, `/embed/${id}/20#viewer=referee`]) {
        const { page, close } = await open(path, { width, height });
        await shown(page, 20);
        await quiet(page);
        const where = `${game} ${path} at ${width} × ${height}`;
        const seen = await regionsSeen(page);
        const [board, ...others] = seen;
        assert.equal(board.id, "board");
        assert.ok(others.length > 0, where);
        assert.ok(board.now > 0.99, `${where}: ${JSON.stringify(board)}`);
        for (const it of others) {
          assert.ok(it.ever > 0.99, `${where}: ${JSON.stringify(it)}`);
          // Beside the panels there is room for everything at once.
          if (width > 960) assert.ok(it.now > 0.99, `${where}: ${JSON.stringify(it)}`);
        }
        // The board has at least a third of its place, and whatever is written can be read.
        const place = await page.locator(".regions").boundingBox();
        assert.ok(board.wide > place.width / 4 || board.high > place.height / 3, `${where}: ${JSON.stringify([board, place])}`);
        const letters = await page.evaluate(() =>
          [...document.querySelectorAll(".picture > svg, .strip > svg")].flatMap((svg) => {
            const unit = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return [...svg.querySelectorAll("text:not(.unseen)")].map((it) => Number(it.getAttribute("font-size")) * unit);
          }),
        );
        assert.ok(Math.min(...letters) >= 10.9, `${where}: ${Math.min(...letters)}`);
        await close();
      }
    }
  }
});

test("what moves slides to its place, unless people prefer that nothing moves", async () => {
  for (const { game, id } of whole) {
    const from = 10;
    for (const reducedMotion of ["no-preference", "reduce"]) {
      const { page, close } = await open(`/#record=${id}&ply=${from}`, { reducedMotion });
      await shown(page, from);
      await quiet(page);
      await page.evaluate(() => {
        window.slid = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
          if (this.dataset.id) window.slid.push({ id: this.dataset.id, from: frames[0].transform, long: how.duration });
          return animate.call(this, frames, how);
        };
      });
      for (let ply = from + 1; ply <= from + 30; ply += 1) {
        await page.keyboard.press("ArrowRight");
        await shown(page, ply);
      }
      const slid = await page.evaluate(() => window.slid);
      if (reducedMotion === "reduce") assert.deepEqual(slid, [], game);
      // In Doubloons & Dragoons a counter stands for all units of a hex, and another one for those that have left it: only
      // its dice move.
      else if (game === "doubloons") assert.ok(slid.some((it) => it.id.startsWith("die:") && it.long === 200), JSON.stringify(slid));
      else assert.ok(slid.some((it) => it.from.startsWith("translate(") && it.long === 200), `${game}: ${JSON.stringify(slid)}`);
      await close();
    }
  }
});

test("a board that is larger than its frame is moved by keys and by pointer, and its size changed", async () => {
  const { id } = whole[0];
  const { page, close } = await open(`/#record=${id}&ply=20`, { width: 1000, height: 500 });
  await shown(page, 20);
  const frame = page.locator(".picture");
  await frame.focus();
  for (let time = 0; time < 9; time += 1) await page.keyboard.press("+");
  const large = await measured(page);
  assert.ok(large.width > large.room[0]);
  await page.keyboard.press("ArrowRight");
  const moved = await measured(page);
  assert.ok(moved.left > large.left);
  assert.equal(await frame.getAttribute("data-ply"), "20");
  const box = await frame.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  assert.ok(Math.abs((await measured(page)).left - moved.left + 60) < 3);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, 100);
  await page.keyboard.up("Control");
  await page.waitForFunction((wide) => document.querySelector(".picture svg").getBoundingClientRect().width < wide - 5, large.width);
  await page.keyboard.press("0");
  const fit = await measured(page);
  assert.ok(fit.width <= fit.room[0] && fit.height <= fit.room[1] + 1);
  // With all of it seen, the arrows step.
  await page.keyboard.press("ArrowRight");
  await shown(page, 21);
  await close();
});

test("a small map says where one is in a board that is larger than its frame, and leads elsewhere", async () => {
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=20`, { width: 1000, height: 600 });
    await shown(page, 20);
    await quiet(page);
    await page.keyboard.press("0");
    await page.locator(".picture").focus();
    await page.keyboard.press("0");
    const map = page.locator(".minimap");
    await map.waitFor({ state: "detached" });
    for (let time = 0; time < 9; time += 1) await page.keyboard.press("+");
    await map.waitFor();
    assert.ok((await map.locator("circle, polygon").count()) > 10);
    const box = await map.boundingBox();
    const seen = () => map.locator(".seen.over").getAttribute("x").then(Number);
    await page.mouse.click(box.x + 4, box.y + box.height / 2);
    const left = await seen();
    assert.equal(Math.round((await measured(page)).left), 0);
    await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
    await page.waitForFunction((was) => Number(document.querySelector(".minimap .seen.over").getAttribute("x")) > was, left);
    await close();
  }
});

test("a game is told in each of its languages, its board too", async () => {
  let told = 0;
  for (const { game, id } of whole) {
    const { languages } = await get(`/v1/games/${game}`);
    const { page, close } = await open(`/#record=${id}&ply=20`);
    await shown(page, 20);
    await quiet(page);
    const choice = page.getByLabel("Language");
    assert.equal(await choice.count(), languages.length > 1 ? 1 : 0);
    for (const language of languages.slice(1)) {
      const [title, board] = [await page.locator(".board h2").textContent(), await page.locator(".picture svg").textContent()];
      await choice.selectOption(language);
      await page.waitForFunction((was) => document.querySelector(".board h2").textContent !== was, title);
      assert.notEqual(await page.locator(".picture svg").textContent(), board);
      assert.equal(await page.locator(".board").getAttribute("lang"), language);
      told += 1;
    }
    await close();
  }
  assert.ok(told > 0);
});

test("a clause beside the story says what it is when it is pointed at and when it is reached by keyboard", async () => {
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=20`);
    await shown(page, 20);
    await quiet(page);
    const clause = page.locator(".story [aria-current] button:not(.ply)").first();
    const box = page.locator(".clause-box");
    await clause.hover();
    await box.locator("p").first().waitFor();
    assert.ok((await box.locator("h3").textContent()).includes(await clause.textContent()));
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    await clause.focus();
    await box.locator("p").first().waitFor();
    await close();
  }
});

test("what stands on a board is said when it is reached by keyboard, touched or pointed at, on every panel", async () => {
  for (const { id } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=20`, { hasTouch: true });
    await shown(page, 20);
    await page.locator(".picture").focus();
    await page.keyboard.press("Enter");
    const said = page.locator(".pointed");
    await said.waitFor();
    assert.equal(await said.textContent(), await page.evaluate(() => document.activeElement.querySelector("title").textContent));
    await quiet(page);
    assert.equal(await page.locator(".rings .ring-focus.light").count(), 1);
    await page.keyboard.press("Escape");
    await said.waitFor({ state: "detached" });
    await page.locator(".picture [data-choice]").last().tap({ force: true });
    await said.waitFor();
    // What can be meant is marked on top of all else, twice; the arrows go through it with one stop of the tabulator.
    await page.getByRole("tab", { name: "Moves" }).click();
    await quiet(page);
    const can = await page.locator(".regions .can").count();
    if (can > 0) {
      assert.equal(await page.locator(".rings:last-child .ring-can.light").count(), can);
      assert.equal(await page.locator(".regions svg [tabindex='0']").count(), 1);
    }
    await close();
  }
});

test("the page of the API lists, opens and tries an operation", async () => {
  const { page, close } = await open("/v1/docs/");
  await page.locator(".operation").first().waitFor();
  const listed = await page.locator(".operation").count();
  const described = Object.values((await get("/v1/openapi.json")).paths).flatMap((it) => Object.keys(it)).length;
  assert.equal(listed, described);
  await page.locator('a[href="#create_validation"]').click();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText(/^200 /).first().waitFor();
  await close();
});

test("nothing serious stands in the way of those who cannot see or point", async () => {
  const { id } = whole[0];
  const paths = ["/", "/v1/docs/#create_replay", `/embed/${id}/5`];
  for (const it of whole) paths.push(`/#record=${it.id}&ply=20`);
  for (const tab of ["moves", "dispute", "verdict", "analysis", "json"]) paths.push(`/#record=${id}&ply=20&tab=${tab}`);
  const sizes = [["light", {}], ["dark", {}], ["light", { width: 360, height: 740 }], ["dark", { zoomed: true }]];
  for (const [colorScheme, { zoomed, ...size }] of sizes) {
    for (const path of paths) {
      const { page, close } = await open(path, { colorScheme, bypassCSP: true, ...size });
      await quiet(page);
      const larger = page.getByRole("button", { name: "Larger" });
      if (zoomed && (await larger.count()) === 0) {
        await close();
        continue;
      }
      for (let time = 0; zoomed && time < 6; time += 1) await larger.click();
      await page.evaluate(AXE);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const serious = found.violations.filter((it) => ["serious", "critical"].includes(it.impact));
      assert.deepEqual(serious.map((it) => [it.id, it.nodes.slice(0, 3).map((one) => one.html)]), [], `${path} ${colorScheme} ${JSON.stringify(size)} ${zoomed ?? ""}`);
      await close();
    }
  }
});

test("no page is wider than a phone", async () => {
  for (const path of ["/", "/v1/docs/", ...whole.map((it) => `/#record=${it.id}&ply=20`)]) {
    const { page, close } = await open(path, { width: 360, height: 740 });
    await quiet(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${path}: ${wide}`);
    await close();
  }
});

test("the list is searched by what is seen in it: players, games, endings", async () => {
  const { game, id, record } = whole.find((it) => it.record.players);
  const { title } = await get(`/v1/games/${game}`);
  const [entry] = (await get(`/v1/records?game=${game}&limit=500`)).records.filter((it) => it.id === id);
  const { page, close } = await open("/");
  const row = page.locator(`a[href="#record=${id}"]`);
  await row.waitFor();
  const [who] = Object.values(record.players);
  for (const wanted of [who, who.slice(0, -1).toLowerCase(), title, entry.reason.replaceAll("_", " "), `${who} ${entry.created_at.slice(0, 10)}`]) {
    await page.getByLabel("Find").fill("zzzz");
    await page.getByText("No records.").waitFor();
    await page.getByLabel("Find").fill(wanted);
    await row.waitFor();
  }
  await close();
});

test("a name of any length stays in its place", async () => {
  const { record } = whole.find((it) => it.record.players);
  const [seat] = Object.keys(record.players);
  const name = "Ж".repeat(10_000);
  const text = JSON.stringify({ ...record, players: { ...record.players, [seat]: name } });
  const { id } = await post("/v1/records", text);
  for (const [path, width] of [["/", 1280], ["/", 360], [`/#record=${id}&tab=verdict`, 1280], [`/#record=${id}&tab=moves`, 360], [`/#record=${id}`, 360]]) {
    const { page, close } = await open(path, { width, height: 740 });
    await quiet(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${path}: ${wide}`);
    if (path !== "/") assert.ok(await page.locator(".controls").isVisible());
    await close();
  }
  await fetch(`${origin}/v1/records/${id}`, { method: "DELETE" });
});

/** Drops a file on what is open. */
const drop = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: "application/json" }));
      for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    },
    [name, text],
  );

test("a record is taken in whatever form it comes, by drop on any page, and is there after a reload", async () => {
  const { id, record } = whole[0];
  const { page, close } = await open(`/#record=${whole[1].id}&ply=3`);
  await shown(page, 3);
  await drop(page, "fixture.json", JSON.stringify({ name: "a fixture", record }));
  await shown(page, 0);
  assert.ok(!page.url().includes(whole[1].id));
  await page.keyboard.press("ArrowRight");
  await shown(page, 1);
  await page.waitForURL(/ply=1/);
  await page.reload();
  await shown(page, 1);
  await page.getByRole("button", { name: "← Records" }).click();
  const box = page.getByLabel("A record, its id, or a link to it");
  const openIt = page.getByRole("button", { name: "Open", exact: true });
  for (const wrong of ["null", "3", "[]", "{}", "nonsense"]) {
    await box.fill(wrong);
    await openIt.click();
    await page.locator(".trouble", { hasText: "neither a record nor the id" }).waitFor();
  }
  await box.fill(id.toUpperCase());
  await openIt.click();
  await shown(page, 0);
  await page.getByRole("button", { name: "← Records" }).click();
  // A list of records is judged; the good ones are stored at once, and the list is there for whoever comes back.
  const other = { ...record, note: "another" };
  await box.fill(JSON.stringify([record, other, { ...record, game: "none" }]));
  await openIt.click();
  await page.getByText("3 of 3").waitFor();
  await page.getByRole("button", { name: "Store the 2 legal records" }).click();
  await page.getByText("2 stored").waitFor();
  await page.getByRole("button", { name: "pasted[0]" }).click();
  await shown(page, 0);
  await page.getByRole("button", { name: "← Records" }).click();
  await page.getByText("2 stored").waitFor();
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(other) };
  assert.equal((await fetch(`${origin}/v1/records`, sent)).status, 200);
  await close();
});

test("what an address has that cannot be read is said once, and the rest is shown", async () => {
  const { id } = whole[0];
  for (const value of [Buffer.from('{"at":3}').toString("base64"), Buffer.from("null").toString("base64"), "%%%"]) {
    const { page, close } = await open(`/#record=${id}&ply=4&try=${encodeURIComponent(value)}`);
    await shown(page, 4);
    await page.locator(".trouble", { hasText: "cannot be read" }).waitFor();
    assert.equal(await page.locator(".trouble").count(), 1);
    await close();
  }
  const { page, close } = await open(`/#record=${id}&ply=4&viewer=nobody`);
  await page.locator(".trouble", { hasText: "nobody" }).waitFor();
  // Whichever request is refused first says so: once, when all are.
  await quiet(page);
  assert.equal(await page.locator(".trouble").count(), 1);
  assert.equal(await page.getByRole("tab").count(), 0);
  await page.getByRole("button", { name: "View as spectator" }).click();
  await shown(page, 4);
  await close();
});

test("without a connection it is said, and counter and board stay together", async () => {
  const { page, context } = await open(`/#record=${whole[0].id}&ply=3`);
  await shown(page, 3);
  await quiet(page);
  await context.setOffline(true);
  for (let time = 0; time < 5; time += 1) await page.keyboard.press("ArrowRight");
  await page.locator(".trouble", { hasText: "cannot be reached" }).first().waitFor();
  await page.waitForFunction(() => document.querySelector(".controls output").textContent.startsWith(`${document.querySelector(".picture").dataset.ply} /`));
  await context.close();
});

test("what was tried is told in words, stays after a reload, and the keyboard is not lost", async () => {
  const { id, record } = whole[0];
  const ply = Math.min(30, record.actions.length - 1);
  const { page, close } = await open(`/#record=${id}&ply=${ply}&tab=moves`);
  await shown(page, ply);
  const list = await others(page, record.actions[ply]);
  const words = [await list[0].textContent(), await list[1].textContent()];
  for (const at of [0, 1]) {
    await list[at].click();
    await page.locator(".lines button[aria-pressed=true]", { hasText: words[at] }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest(".moves"));
    if (at === 0) await page.getByRole("button", { name: "As recorded" }).click();
    if (at === 0) await page.waitForFunction(() => !location.hash.includes("try="));
    if (at === 0) await list[1].waitFor();
  }
  await page.waitForFunction(() => location.hash.includes("try="));
  const count = await page.locator(".lines button").count();
  await page.reload();
  await page.locator(".lines button[aria-pressed=true]", { hasText: words[1] }).waitFor();
  assert.equal(await page.locator(".lines button").count(), count);
  await shown(page, ply + 1);
  await close();
});

test("an action of which there are too many to be listed is put together choice by choice", async () => {
  let built = 0;
  for (const { id, record } of whole) {
    for (let ply = 0; ply < Math.min(40, record.actions.length); ply += 3) {
      const legal = await get(`/v1/records/${id}/legal-actions?viewer=referee&ply=${ply}`);
      const of = legal.choices.find((it) => it.ranges?.length > 0 && legal.decision.players.includes(it.player));
      if (!of) continue;
      const { page, close } = await open("/");
      // The whole record comes late: what was chosen until then stays chosen.
      let come;
      const late = new Promise((resolve) => (come = resolve));
      await page.route(`**/v1/records/${id}`, (route) => late.then(() => route.continue()));
      await page.goto(`${origin}/#record=${id}&ply=${ply}&tab=moves`);
      // Who decides stands first.
      const first = await page.locator(".moves h3").first().textContent();
      assert.ok(legal.decision.players.some((it) => first.includes(it)), first);
      await page.locator(".actions button[aria-expanded]").first().click();
      const tryIt = page.locator(".build").getByRole("button", { name: "Try it" });
      await page.locator(".build .choice").first().waitFor();
      for (let choice = 0; choice < 50 && (await tryIt.isDisabled()); choice += 1) {
        const next = page.locator(".build .choice").first();
        const before = await page.locator(".build [role=status]").textContent();
        if ((await next.locator("select").count()) > 0) await next.locator("select").selectOption({ index: 1 });
        else await next.getByRole("button").first().click();
        await page.waitForFunction((before) => document.querySelector(".build [role=status]").textContent !== before, before);
        if (choice === 0) {
          const after = await page.locator(".build [role=status]").textContent();
          const came = page.waitForResponse(`**/v1/records/${id}`);
          come();
          await came;
          await quiet(page);
          assert.equal(await page.locator(".build [role=status]").textContent(), after);
        }
        await page.locator(".build .choice, .build .strong:enabled").first().waitFor();
      }
      await tryIt.click();
      await page.waitForFunction((ply) => document.querySelector(".controls output").textContent.startsWith(`${ply} /`), ply + 1);
      built += 1;
      await close();
      break;
    }
  }
  assert.ok(built > 0);
});

test("the story is one stop of the tabulator, and keys step the same way everywhere", async () => {
  for (const { id, record } of whole) {
    const { page, close } = await open(`/#record=${id}&ply=20`);
    await shown(page, 20);
    await page.locator(".story li").nth(5).waitFor();
    const stops = await page.locator(".story :is(button, summary)").evaluateAll((all) => all.filter((it) => it.tabIndex === 0).length);
    assert.ok(stops > 0 && stops < 15, `${stops} stops`);
    const row = page.locator(".story .ply[tabindex='0']");
    await row.focus();
    const before = await row.textContent();
    await page.keyboard.press("ArrowDown");
    const after = await page.evaluate(() => document.activeElement.textContent);
    assert.ok(Number(after) > Number(before));
    const slider = page.getByLabel("Ply", { exact: true });
    await slider.focus();
    await page.keyboard.press("PageDown");
    await shown(page, Math.min(30, record.actions.length));
    await page.keyboard.press("PageUp");
    await shown(page, 20);
    const small = await page.locator("button:visible, select:visible, summary:visible").evaluateAll((all) =>
      all.map((it) => it.getBoundingClientRect()).filter((it) => it.height < 23.9 || it.width < 23.9).length);
    assert.equal(small, 0);
    // What is told of nothing else is said by its kind; many alike are folded.
    assert.equal(await page.getByText("No visible event").count(), 0);
    await close();
  }
});
