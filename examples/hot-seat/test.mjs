// Plays games on the hot-seat page in a real browser: node test.mjs ORIGIN [PICTURES]. PAGE is where the page lies, if not here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { join } from "node:path";

const { chromium } = createRequire(join(import.meta.dirname, "../../openapi/typescript/package.json"))("playwright-core");
const [origin, pictures] = process.argv.slice(2);
const BROWSER = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((it) => it && existsSync(it));
const html = readFileSync(join(import.meta.dirname, "index.html"));
const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(html)).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });

async function open(game, scheme) {
  const page = await (await browser.newContext({ colorScheme: scheme, viewport: { width: 1200, height: 850 } })).newPage();
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(`http://127.0.0.1:${server.address().port}/?origin=${origin}`);
  await page.selectOption("#game", game);
  await page.click("#start button");
  return page;
}

/** Waits for the cover or the list, and takes the screen. */
async function ready(page) {
  await page.waitForFunction(() => !document.querySelector("main").hidden);
  await page.waitForFunction(() => document.querySelector("#cover").open || getComputedStyle(document.querySelector("main")).visibility === "visible");
  if (await page.evaluate(() => document.querySelector("#cover").open)) await page.click("#ready");
  await page.waitForFunction(() => !document.querySelector("#cover").open && getComputedStyle(document.querySelector("main")).visibility === "visible");
  assert.equal(await page.textContent("#refused"), "");
}

/** Puts an action together, always by what is offered first. */
async function assemble(page) {
  await page.waitForSelector("#next button");
  for (let choices = 0; (await page.locator("#next button", { hasText: "Do it" }).count()) === 0; choices += 1) {
    assert.ok(choices < 60);
    const before = await page.textContent("#draft");
    await page.locator("#next button", { hasText: "Choose" }).first().click();
    await page.waitForFunction((before) => document.querySelector("#draft").textContent !== before, before);
  }
  await page.locator("#next button", { hasText: "Do it" }).click();
}

try {
  for (const [game, scheme] of [["drako", "light"], ["dragut", "dark"], ["doubloons", "light"]]) {
    const page = await open(game, scheme);
    await ready(page);
    let over = false;
    let moves = 0;
    for (; moves < 150 && !over; moves += 1) {
      const before = await page.textContent("#told");
      if ((await page.locator("#actions button").count()) === 0) await assemble(page);
      else await page.evaluate(() => {
        const all = [...document.querySelectorAll("#actions button")].filter((it) => !/resign|agree/i.test(it.textContent));
        all[Math.floor(Math.random() * all.length)].click();
      });
      await page.waitForFunction((before) => document.querySelector("#told").textContent !== before || document.querySelector("#cover").open || document.querySelector("#refused").textContent, before);
      await ready(page);
      if (moves === 12 && pictures) await page.screenshot({ path: join(pictures, `${game}-${scheme}.png`) });
      over = /wins/.test(await page.textContent("#turn"));
    }
    assert.ok(over || moves === 150);
    assert.ok((await page.locator("#told li").count()) > 10);
    console.log(`${game}: ${moves} moves${over ? `, ${await page.textContent("#turn")}` : ""}`);
  }
  // An action choice by choice, a refusal, a move taken back.
  const page = await open("drako", "dark");
  await ready(page);
  await page.click("#build summary");
  await assemble(page);
  await page.waitForFunction(() => document.querySelector("#told").children.length > 0);
  await ready(page);
  console.log("put together: done");
} finally {
  await browser.close();
  server.close();
}
