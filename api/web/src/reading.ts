// Parses user input: an id, a link, a record, or something that contains records. Must not call the service.

const ID = /^[0-9a-f]{64}$/i;
const LINK = /[#&?]record=([0-9a-f]{64})|\/(?:t|embed|records)\/([0-9a-f]{64})/i;

/** The input: the id of a stored record, or the texts of records. */
export type Brought = { id: string } | { texts: string[] };

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);

/** The records in a value: itself, those of a list, or that of a response or a fixture. */
function recordsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  if (!isObject(value)) return [];
  if (Array.isArray(value["actions"])) return [value];
  if (isObject(value["record"])) return recordsIn(value["record"]);
  if (Array.isArray(value["records"])) return recordsIn(value["records"]);
  return [];
}

/** Parses the input. Throws an error with a plain message. */
export function read(text: string): Brought {
  const it = text.trim();
  if (ID.test(it)) return { id: it.toLowerCase() };
  const linked = /^[[{"]/.test(it) ? null : LINK.exec(it);
  if (linked) return { id: (linked[1] ?? linked[2] ?? "").toLowerCase() };
  let value: unknown;
  try {
    value = JSON.parse(it);
  } catch (problem) {
    const lines = it.split("\n").filter((line) => line.trim());
    try {
      if (lines.length < 2) throw problem;
      value = lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new Error(`This is neither a record nor the id of one: ${(problem as Error).message}`);
    }
  }
  const found = recordsIn(value);
  if (found.length === 0) throw new Error("This is neither a record nor the id of one: a record is an object with a list of actions.");
  // Unchanged, if it is a record itself.
  if (found[0] === value) return { texts: [it] };
  return { texts: found.map((one) => JSON.stringify(one)) };
}
