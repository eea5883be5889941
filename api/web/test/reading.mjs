// The reading view and the list of records in a real browser: what was found wrong in a trial by new users. Like `browser.mjs`.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT, launch, openPage, quiet, serve } from "./service.mjs";

let folder, server, origin, browser;
const whole = [];
const open = (path, more) => openPage(browser, origin, path, more);
const shown = (page, ply) => page.waitForSelector(`.picture[data-ply="${ply}"] svg`);

async function post(path, body, type = "application/json") {
  const answer = await fetch(origin + path, { method: "POST", headers: { "content-type": type }, body });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return type === "application/json" ? answer.json() : answer.text();
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "umpire-reading-"));
  [server, origin] = await serve(folder, "store.sqlite");
  for (const { id } of (await (await fetch(`${origin}/v1/games`)).json()).games) {
    const at = join(ROOT, "fixtures", id, "games");
    const records = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
    const record = records.filter((it) => it?.chance?.seed).sort((a, b) => b.actions.length - a.actions.length)[0];
    const { claims: _claims, checkpoints: _checkpoints, ...rest } = record;
    whole.push({ game: id, record: rest, id: (await post("/v1/records", JSON.stringify(rest))).id });
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test("an analysis asks at most twice a second, says how far it is, and stays while another panel is shown", async () => {
  const { id } = whole[0];
  const { page, close } = await open(`/#record=${id}&tab=analysis`);
  const asked = [];
  page.on("request", (it) => it.url().includes("/v1/analyses") && asked.push(performance.now()));
  await page.getByLabel("Simulations").selectOption("200");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".analysis progress").waitFor();
  const begun = performance.now();
  await page.waitForTimeout(5000);
  const within = asked.filter((it) => it < begun + 5000).length;
  assert.ok(within <= 12, `${within} requests in 5 s`);
  await page.waitForFunction(() => document.querySelector(".analysis progress").value > 0);
  await page.getByRole("tab", { name: "Story" }).click();
  await page.getByRole("tab", { name: "Analysis" }).click();
  assert.ok((await page.locator(".analysis progress").evaluate((it) => it.value)) > 0);
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await stop.click();
  await close();
});

test("the story is searched, and one jumps to the next event of a kind", async () => {
  for (const { id, record } of whole) {
    const report = await post("/v1/replay?include=events,text", JSON.stringify(record));
    const kinds = new Map();
    for (const it of report.events) if (!it.opening) kinds.set(it.type, [...(kinds.get(it.type) ?? []), it.ply + 1]);
    const [kind, plies] = [...kinds].find(([, all]) => new Set(all).size > 2 && all[0] > 3);
    const found = [...new Set(plies)];
    const { page, close } = await open(`/#record=${id}`);
    await shown(page, 0);
    await page.locator(".story li").first().waitFor();
    await page.getByLabel("Kind of event").selectOption(kind);
    const next = page.getByRole("button", { name: "Next one found" });
    await next.click();
    await shown(page, found[0]);
    await next.click();
    await shown(page, found[1]);
    await page.getByRole("button", { name: "Previous one found" }).click();
    await shown(page, found[0]);
    await page.getByLabel("Kind of event").selectOption("");
    const at = report.events.findIndex((it, at) => !it.opening && it.ply > found[0] + 20 && report.texts[at]);
    const text = report.texts[at].toLowerCase();
    const hits = report.events.filter((it, at) => !it.opening && report.texts[at]?.toLowerCase().includes(text)).map((it) => it.ply + 1);
    await page.getByLabel("Search the story").fill(text.toUpperCase());
    await page.keyboard.press("Enter");
    await shown(page, hits.find((it) => it > found[0]));
    await close();
  }
});

test("an illegal record opens at its refusal, drawn on the board, and one click takes what is proposed", async () => {
  let taken = 0;
  for (const { game, record } of whole) {
    const at = Math.min(20, record.actions.length - 2);
    // One action is missing in the middle.
    const broken = { ...record, actions: record.actions.filter((_, ply) => ply !== at) };
    const judged = await post("/v1/validate", JSON.stringify(broken));
    if (judged.verdict.status !== "illegal") continue;
    const { id } = await post("/v1/records?accept=any", JSON.stringify(broken));
    const { page, close } = await open(`/#record=${id}`);
    await shown(page, judged.verdict.violation.ply);
    const box = page.locator(".mending");
    await box.waitFor();
    assert.match(await box.textContent(), new RegExp(`Action ${judged.verdict.violation.ply + 1} is illegal`));
    assert.ok((await box.textContent()).includes(judged.verdict.violation.message), game);
    await box.locator(".actions button").first().waitFor();
    await box.locator(".actions button").first().click();
    await page.waitForURL(/brought=1/);
    await page.locator(".picture svg").waitFor();
    await page.getByRole("tab", { name: "Verdict" }).click();
    const status = await page.locator(".verdict .status").textContent();
    const plies = Number(/after (\d+)/.exec(status)[1]);
    assert.ok(!status.startsWith("illegal") || plies > judged.verdict.plies, `${game}: ${status}`);
    taken += 1;
    await close();
  }
  assert.ok(taken > 0);
});

test("notes of actions are told in the story, to the referee", async () => {
  const { record } = whole[0];
  const noted = { ...record, actions: record.actions.map((it, at) => (at === 5 ? { ...it, note: "What was he thinking?" } : it)) };
  const { id } = await post("/v1/records", JSON.stringify(noted));
  const { page, close } = await open(`/#record=${id}&ply=6`);
  await shown(page, 6);
  await page.locator(".story [aria-current] .note", { hasText: "What was he thinking?" }).waitFor();
  await page.getByLabel("View as").selectOption("spectator");
  await page.locator(".note").waitFor({ state: "detached" });
  await close();
});

test("on a phone the share menu stays on the screen, rows are short, and a fault has the width of the screen", async () => {
  const { id, record } = whole[0];
  const { page, close } = await open("/", { width: 390, height: 844, hasTouch: true, isMobile: true });
  const rows = page.locator(".records tbody tr");
  await rows.first().waitFor();
  for (const it of await rows.all()) assert.ok((await it.boundingBox()).height <= 76);
  const files = [{ ...record, game: "none" }, { actions: 1 }].map((it, at) => ({ name: `file-${at}.json`, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(it)) }));
  await page.locator("input[type=file]").setInputFiles(files);
  const fault = page.locator(".judged .trouble").first();
  await fault.waitFor();
  assert.ok((await fault.boundingBox()).width > 250);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await page.goto(`${origin}/#record=${id}&ply=3`);
  await shown(page, 3);
  await page.getByText("Share", { exact: true }).tap();
  const { x, y, width, height } = await page.locator(".menu > div").boundingBox();
  assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, `${x} ${y} ${width} ${height}`);
  await close();
});

test("a search finds more than a hundred records, and every column sorts them", async () => {
  const { record } = whole[0];
  const many = Array.from({ length: 130 }, (_, at) => JSON.stringify({ ...record, players: { [Object.keys(record.players ?? { dragon: "" })[0]]: "Methuselah" }, actions: record.actions.slice(0, at % 40), meta: { number: at } }));
  await post("/v1/records", many.join("\n"), "application/x-ndjson");
  const { page, close } = await open("/");
  await page.getByLabel("Find").fill("methuselah");
  await page.getByText("130 found").waitFor();
  const column = () => page.locator(".records tbody td:nth-child(3)").allTextContents();
  assert.equal((await column()).length, 130);
  await page.getByRole("button", { name: "actions", exact: true }).click();
  await page.locator('th[aria-sort="descending"]', { hasText: "actions" }).waitFor();
  const down = (await column()).map(Number);
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  assert.equal(down[0], 39);
  await page.getByRole("button", { name: "actions", exact: true }).click();
  const up = (await column()).map(Number);
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await close();
});

test("names of every direction leave the text around them as it is", async () => {
  const { game, record } = whole[0];
  const [one, two] = (await (await fetch(`${origin}/v1/games/${game}`)).json()).seats;
  const { id } = await post("/v1/records", JSON.stringify({ ...record, players: { [one]: "דוד", [two]: "\u202eevil" } }));
  const { page, close } = await open("/");
  await page.getByLabel("Find").fill("דוד");
  const cell = page.locator(`tr:has(a[href="#record=${id}"]) td:nth-child(2)`);
  await cell.waitFor();
  assert.deepEqual(await cell.locator("bdi").allTextContents(), ["דוד", "\u202eevil"]);
  await page.locator(`a[href="#record=${id}"]`).click();
  await shown(page, 0);
  await quiet(page);
  assert.ok((await page.locator(".seats").textContent()).includes(`\u2068דוד\u2069 (${one}), \u2068\u202eevil\u2069 (${two})`));
  await close();
});

test("from the first page one watches the newest finished game, and settles a dispute about a stored one", async () => {
  const { game } = whole[0];
  const { title } = await (await fetch(`${origin}/v1/games/${game}`)).json();
  const { page, close } = await open("/");
  await page.getByRole("link", { name: `Watch ${title}` }).click();
  await shown(page, 0);
  assert.equal(await page.getByLabel("View as").inputValue(), "spectator");
  await page.getByRole("button", { name: "← Records" }).click();
  await page.getByRole("link", { name: "Settle a dispute" }).click();
  await page.getByText("Which game is the dispute about?").waitFor();
  // Other tests have stored newer records: the list begins with those.
  await page.locator('td a[href^="#record="]').first().click();
  await page.locator(".picture svg").waitFor();
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Dispute");
  await close();
});
