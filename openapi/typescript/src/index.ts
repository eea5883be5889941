// What the package has.

export * from "./client.js";
export { events, lines, values } from "./lines.js";
export { patched } from "./patch.js";
export type { components, operations, paths } from "./schema.js";
export type { Connection, StreamOptions } from "./stream.js";
export * from "./table.js";
