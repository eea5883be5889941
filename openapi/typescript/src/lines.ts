// What comes in pieces: lines of JSON, and server-sent events. Must not know what they say.

import { type EventSourceMessage, createParser } from "eventsource-parser";
import { within } from "./time.js";

/** The text of a body as it arrives; fails after `silence` milliseconds without any. */
async function* texts(body: ReadableStream<Uint8Array>, silence?: number): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await (silence === undefined ? reader.read() : within(silence, reader.read()));
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
export async function* values<T>(body: ReadableStream<Uint8Array> | null): AsyncGenerator<T> {
  if (body === null) return;
  for await (const line of lines(body)) if (line.trim() !== "") yield JSON.parse(line) as T;
}

/** Each server-sent event of a body. Fails after `silence` milliseconds in which not even a comment arrives. */
export async function* events(body: ReadableStream<Uint8Array>, silence?: number): AsyncGenerator<EventSourceMessage> {
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => found.push(event) });
  for await (const text of texts(body, silence)) {
    parser.feed(text);
    yield* found.splice(0);
  }
}
