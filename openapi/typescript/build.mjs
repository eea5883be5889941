// Makes the package: types from the description, then the JavaScript and its declarations in dist/, and from these the file that
// users install. The tests use that file: here the compiler checks that it catches the mistakes in test/types.ts.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

process.chdir(import.meta.dirname);
const run = (...command) => execFileSync(command[0], command.slice(1), { stdio: ["ignore", "pipe", "inherit"] }).toString();
const compile = (...args) => {
  try {
    run("node_modules/.bin/tsc", ...args);
  } catch (error) {
    process.stderr.write(error.stdout ?? `${error}`);
    process.exit(1);
  }
};

// What the description says and the generator leaves out: of some fields there is one, or at most one; a word, or one with a
// number behind it. Each such schema gets the text of its type beside it.
const TYPE = "x-typescript";
const only = (fields) => (field) => {
  const part = (it) => (it === field ? `${it}: unknown` : `${it}?: never`);
  return { type: "object", [TYPE]: `{ ${fields.map(part).join("; ")} }` };
};
const narrow = (schema) => {
  if (schema === null || typeof schema !== "object") return;
  Object.values(schema).forEach(narrow);
  const single = (one) => Object.keys(one).join() === "required" && one.required.length === 1;
  if (Array.isArray(schema.oneOf) && schema.oneOf.every(single)) {
    const fields = schema.oneOf.map((one) => one.required[0]);
    schema.oneOf = fields.map(only(fields));
  }
  if (schema.maxProperties === 1 && schema.properties !== undefined) {
    const fields = Object.keys(schema.properties);
    const alternatives = schema.minProperties === 1 ? fields : [...fields, undefined];
    schema.allOf = [{ oneOf: alternatives.map(only(fields)) }];
  }
  const words = schema.type === "string" && /^\^\(([a-z|]+)\|([a-z]+:)\[0-9\]\+\)\$$/.exec(schema.pattern ?? "");
  if (words) schema[TYPE] = [...words[1].split("|").map((word) => `"${word}"`), `\`${words[2]}\${number}\``].join(" | ");
};
// A checkout has the description one folder up, a copy of this folder inside.
const description = JSON.parse(readFileSync(["openapi.json", "../openapi.json"].find(existsSync), "utf8"));
Object.values(description.components.schemas).forEach(narrow);
const types = await openapiTS(description, {
  defaultNonNullable: false,
  transform: (schema) => (schema[TYPE] === undefined ? undefined : ts.factory.createTypeReferenceNode(schema[TYPE])),
});
writeFileSync("src/schema.d.ts", astToString(types));
rmSync("dist", { recursive: true, force: true });
compile("-p", ".");
copyFileSync("src/schema.d.ts", "dist/schema.d.ts");
// `npm pack` builds first, so it must not do that here.
if (process.env.npm_command !== "pack" && process.env.npm_command !== "publish") {
  const [{ filename }] = JSON.parse(run("npm", "pack", "--json", "--ignore-scripts"));
  rmSync("test/node_modules", { recursive: true, force: true });
  run("npm", "install", "--prefix", "test", "--no-save", "--no-package-lock", "--prefer-offline", "--no-audit", "--no-fund", filename);
  compile("-p", "tsconfig.test.json");
}
