// What comes in pieces: lines of JSON, and server-sent events. Must not know what they say.

async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The lines of a body as they come, without their ends. */
export async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of texts(body)) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

/** Each line of NDJSON. */
export async function* values<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  for await (const line of lines(body)) if (line.trim() !== "") yield JSON.parse(line) as T;
}

/** A server-sent event. */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Each event of a stream; what is only sent to keep the connection alive is passed over. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let [id, event] = ["", "message"];
  let data: string[] = [];
  for await (const raw of lines(body)) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line === "") {
      if (data.length > 0) yield { id, event, data: data.join("\n") };
      [event, data] = ["message", []];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id") id = value;
    else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
}
