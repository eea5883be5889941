// Builds the pages of the service: types from the OpenAPI document, a type check, and one script
// and one style sheet per page. `node build.mjs --check` compares with what is committed instead of writing.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const check = process.argv.includes("--check");
const run = (bin, ...args) => execFileSync(`node_modules/.bin/${bin}`, args, { stdio: ["ignore", "ignore", "inherit"] });
process.chdir(import.meta.dirname);

run("openapi-typescript", "../../openapi/openapi.json", "-o", "src/schema.d.ts");
execFileSync("node_modules/.bin/tsc", [], { stdio: "inherit" });

const made = await build({
  // This script may be started from any directory; esbuild resolves paths from its own.
  absWorkingDir: import.meta.dirname,
  entryPoints: { table: "src/table.tsx", docs: "src/docs.tsx" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  write: false,
});
let weight = 0;
let stale = 0;
mkdirSync("dist", { recursive: true });
const files = made.outputFiles.map((file) => [file.path.split("/").pop(), Buffer.from(file.contents)]);
for (const [name, bytes] of files) {
  weight += gzipSync(bytes, { level: 9 }).length;
  const path = `dist/${name}`;
  if (!check) {
    writeFileSync(path, bytes);
  } else if (!readFileSync(path).equals(bytes)) {
    console.error(`${path} is not what its sources make`);
    stale += 1;
  }
}
console.log(`${files.length} files, ${weight} bytes compressed`);
if (weight > 150_000) throw new Error("the pages weigh too much");
process.exit(stale === 0 ? 0 : 1);
