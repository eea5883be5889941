// The client in a page of a real browser.
import { existsSync } from "node:fs";
import { build } from "esbuild";
import { chromium } from "playwright-core";

export const BROWSER = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((it) => it && existsSync(it));

/** A page of an origin, in which `client` is the package. */
export async function open(origin) {
  const stdin = { contents: 'export * from "@umpire/client"', resolveDir: import.meta.dirname };
  const options = { stdin, bundle: true, format: "iife", globalName: "client", write: false };
  const script = (await build(options)).outputFiles[0].text;
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  // The pages of the service let no foreign script run.
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`${origin}/v1/games`);
  await page.addScriptTag({ content: script });
  return { page, end: () => browser.close() };
}
