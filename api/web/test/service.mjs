// What the browser tests share: the service, Chromium, and pages whose faults fail the test. The program is at $UMPIRE,
// Chromium at $CHROMIUM; with $PAGES,
// a folder, the pages are the ones in it instead of those that are built into the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const ROOT = join(import.meta.dirname, "../../..");
const first = (paths) => paths.find((it) => it && existsSync(it));
const PROGRAM = first([process.env.UMPIRE, join(ROOT, "target/release/umpire"), join(ROOT, "target/debug/umpire")]);
const BROWSER = first([process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]);
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TYPES = { js: "text/javascript", css: "text/css" };

/** A service on a store of its own in a folder: its process, and where it is. */
export async function serve(folder, store, more = []) {
  const args = ["serve", "--listen", "127.0.0.1:0", "--store", join(folder, store), ...more];
  const server = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });
  const origin = await new Promise((done, failed) => {
    let said = "";
    const listen = (part) => {
      said += part;
      const found = /listening on (http:\/\/\S+)/.exec(said);
      if (found) done(found[1]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", () => failed(new Error(said)));
  });
  return [server, origin];
}

/** The records of the whole games of a game. */
export function fixtures(game) {
  const at = join(ROOT, "fixtures", game, "games");
  return readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
}

const sent = (record) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) });

/** Stores a game of some length of each kind. */
export async function storeWhole(origin) {
  const { games } = await (await fetch(`${origin}/v1/games`)).json();
  return Promise.all(games.map(async ({ id: game }) => {
    const seeded = fixtures(game).filter((it) => it?.chance?.seed).sort((a, b) => a.actions.length - b.actions.length);
    const record = seeded.find((it) => it.actions.length > 30);
    return { game, record, id: (await (await fetch(`${origin}/v1/records`, sent(record))).json()).id };
  }));
}

/** The verdict of the service on a record. */
export const judged = async (origin, record) => (await (await fetch(`${origin}/v1/validate`, sent(record))).json()).verdict;

export async function launch() {
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  const pages = process.env.PAGES;
  if (!pages) return browser;
  const fresh = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await fresh(options);
    await context.route(/\/table\/(table|docs)\.(js|css)$/, (route) => {
      const name = route.request().url().split("/").pop();
      return route.fulfill({ path: join(pages, name), contentType: TYPES[name.split(".").pop()] });
    });
    return context;
  };
  return browser;
}

/** What each page has asked for and not been answered yet. */
const asked = new WeakMap();

/** Keeps in `asked` what a page asks for. */
export function watch(page) {
  const open = new Set();
  asked.set(page, open);
  // A stream stays open.
  page.on("request", (it) => !/\/stream(\?|$)/.test(it.url()) && open.add(it));
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (it) => open.delete(it));
  return page;
}

/** Until a page has nothing more to ask or to paint. The browser's own "networkidle" is true for ever once it was true. */
export async function quiet(page) {
  for (let still = 0, times = 0; still < 4; times += 1) {
    assert.ok(times < 600, "the page asks without end");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
    still = asked.get(page).size === 0 ? still + 1 : 0;
  }
}

/** A page of a service whose errors, refused loads and requests to elsewhere fail the test. */
export async function openPage(browser, origin, path, { width = 1280, height = 800, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, permissions: [], ...more });
  const page = watch(await context.newPage());
  const faults = [];
  const answers = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (it) => it.type() === "error" && !/status of 4\d\d/.test(it.text()) && faults.push(it.text()));
  page.on("request", (it) => /^https?:/.test(it.url()) && !it.url().startsWith(origin) && faults.push(`asks ${it.url()}`));
  page.on("response", (it) => answers.push(it.text().then((text) => ({ url: it.url(), text }), () => ({ url: it.url(), text: "" }))));
  await page.goto(origin + path);
  const close = async () => {
    await context.close();
    assert.deepEqual(faults, []);
  };
  return { page, close, answers, context };
}
