// Measures how long users wait: `node figures.mjs ORIGIN RECORD_ID PLY` against a running service, with Chromium at $CHROMIUM. Prints
// the median of five runs: the first picture of that ply and the list of the API, each in a browser with an empty cache; then
// steps forward; and, for comparison in the same run, an empty page of the same service.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const [origin, id, ply] = process.argv.slice(2);
const BROWSER = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((it) => it && existsSync(it));
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

async function fresh(path, until) {
  const took = [];
  for (let run = 0; run < 5; run += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(origin + path, { waitUntil: "commit" });
    await until(page);
    took.push(performance.now() - begun);
    await context.close();
  }
  return median(took);
}

const say = (what, milliseconds) => console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
say("an answer of the service, shown as it is", await fresh("/v1/problems/bad_json", (page) => page.waitForSelector("pre")));
say("the first picture", await fresh(`/#record=${id}&ply=${ply}`, (page) => page.waitForSelector(".picture svg")));
say("the list of the API", await fresh("/v1/docs/", (page) => page.waitForSelector(".operation")));
say("an operation of the API", await fresh("/v1/docs/#create_replay", (page) => page.waitForSelector(".attempt button")));

const page = await (await browser.newContext()).newPage();
await page.goto(`${origin}/#record=${id}&ply=${ply}`);
await page.waitForSelector(`.picture[data-ply="${ply}"]`);
await page.waitForLoadState("networkidle");
const steps = await page.evaluate(async (from) => {
  const took = [];
  for (let to = from + 1; to <= from + 40; to += 1) {
    const begun = performance.now();
    window.dispatchEvent(new Event("focus"));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    while (!document.querySelector(`.picture[data-ply="${to}"]`)) await new Promise((done) => requestAnimationFrame(done));
    took.push(performance.now() - begun);
  }
  return took.sort((a, b) => a - b);
}, Number(ply));
say("a step, median of 40", steps[20]);
say("a step, the slowest but two", steps[37]);
await browser.close();
