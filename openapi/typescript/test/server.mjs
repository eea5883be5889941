// A service of its own for the tests, and a whole recorded game of each game that it has.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");
const first = (paths) => paths.find((it) => it && existsSync(it));
const PROGRAM = first([process.env.UMPIRE, join(ROOT, "target/release/umpire"), join(ROOT, "target/debug/umpire")]);

/** A service: its origin, how to start it again with the same store, and how to end it. */
export async function serve(more = []) {
  const folder = mkdtempSync(join(tmpdir(), "umpire-client-"));
  const args = ["serve", "--listen", "127.0.0.1:0", "--store", join(folder, "store.sqlite"), ...more];
  let process;
  const start = async () => {
    process = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });
    service.origin = await new Promise((done, failed) => {
      let said = "";
      const listen = (part) => {
        said += part;
        const found = /listening on (http:\/\/\S+)/.exec(said);
        if (found) done(found[1]);
      };
      process.stdout.on("data", listen);
      process.stderr.on("data", listen);
      process.on("exit", () => failed(new Error(said)));
    });
  };
  const stop = async () => {
    const ended = new Promise((done) => process.on("exit", done));
    process.kill();
    await ended;
  };
  const end = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const service = { origin: "", start, stop, end };
  await start();
  return service;
}

/** The longest whole game from a seed of each game of the fixtures. */
export function wholeGames() {
  const root = join(ROOT, "fixtures");
  const games = readdirSync(root).filter((id) => existsSync(join(root, id, "games")));
  return games.map((id) => {
    const at = join(root, id, "games");
    const records = readdirSync(at).filter((it) => it.endsWith(".json")).map((it) => JSON.parse(readFileSync(join(at, it), "utf8")).record);
    return records.filter((it) => it?.chance?.seed).sort((one, other) => other.actions.length - one.actions.length)[0];
  });
}

/** What a table like that of a record is made of. */
export function choiceOf({ game, options, players, chance, position }) {
  return JSON.parse(JSON.stringify({ game, options, players, chance, position }));
}
