// Makes the package: types from the description, then the JavaScript and its declarations in dist/, and checks that mistakes
// which types should catch are caught (test/types.ts).
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

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
const description = JSON.parse(readFileSync("../openapi.json", "utf8"));
Object.values(description.components.schemas).forEach(narrow);
const types = await openapiTS(description, {
  defaultNonNullable: false,
  transform: (schema) => (schema[TYPE] === undefined ? undefined : ts.factory.createTypeReferenceNode(schema[TYPE])),
});
writeFileSync("src/schema.d.ts", astToString(types));
rmSync("dist", { recursive: true, force: true });
compile("-p", ".");
copyFileSync("src/schema.d.ts", "dist/schema.d.ts");
compile("-p", "tsconfig.test.json");
