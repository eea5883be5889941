// Makes the package: types from the description, then the JavaScript and its declarations in dist/, and checks that mistakes
// which types should catch are caught (test/types.ts).
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";

process.chdir(import.meta.dirname);
const run = (bin, ...args) => execFileSync(`node_modules/.bin/${bin}`, args, { stdio: ["ignore", "pipe", "inherit"] }).toString();
const compile = (...args) => {
  try {
    run("tsc", ...args);
  } catch (error) {
    process.stderr.write(error.stdout ?? `${error}`);
    process.exit(1);
  }
};

run("openapi-typescript", "../openapi.json", "-o", "src/schema.d.ts", "--default-non-nullable", "false");
rmSync("dist", { recursive: true, force: true });
compile("-p", ".");
copyFileSync("src/schema.d.ts", "dist/schema.d.ts");
compile("-p", "tsconfig.test.json");
