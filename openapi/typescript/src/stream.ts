// A stream of events that is resumed wherever it breaks off. Must not know what the events say.

import type { EventSourceMessage } from "eventsource-parser";
import { events } from "./lines.js";
import { waited, within } from "./time.js";

/** The state of the connection of a stream. */
export type Connection =
  | { state: "connecting" | "open" }
  /** The next try begins in `retryIn` milliseconds. */
  | { state: "lost"; error: Error; retryIn: number };

/** How a stream is followed. Times are in milliseconds. */
export interface StreamOptions {
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined;
  /** The id of the last event that is known, to get only what happened since. */
  since?: string | undefined;
  /** Called whenever the connection changes. */
  onConnection?: ((connection: Connection) => void) | undefined;
  /** The connection is lost if nothing arrives for this long; 35,000 by default. The server sends something every 15 seconds. */
  silence?: number | undefined;
  /** About how long to wait before the first try to connect again; 500 by default. Doubled with each failure. */
  delay?: number | undefined;
  /** The longest wait, unless the server asks for a longer one (`Retry-After`); 10,000 by default. */
  longestDelay?: number | undefined;
}

/** What is followed. */
export interface Followed<T> {
  /** Opens the stream after the event of that id. `null` if nothing more will happen. */
  connect(last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>;
  /** What an event says; nothing if it is not for the reader. If this throws, the next connection begins anew. */
  read(event: EventSourceMessage): T | undefined;
  /** The status of a refusal, and for how long it asks to wait; nothing if the error is not a refusal. */
  refusal(error: unknown): { status: number; retryAfter?: number | undefined } | undefined;
}

/** Whether trying again can help after that status. */
function heals(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/**
 * What a stream says, until it ends (an event `end`) or the signal ends it. A connection that breaks, falls silent or is refused
 * for a while is made again, for as long as it takes. Throws a refusal if trying again cannot help.
 */
export async function* followed<T>({ connect, read, refusal }: Followed<T>, options: StreamOptions = {}): AsyncGenerator<T> {
  const { signal, silence = 35_000, delay = 500, longestDelay = 10_000, onConnection } = options;
  let last = options.since;
  for (let failed = 0; !signal?.aborted; failed += 1) {
    const connection = new AbortController();
    const aborted = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]);
    let error: unknown = new Error("the connection was closed");
    let opened = Infinity;
    onConnection?.({ state: "connecting" });
    try {
      const body = await within(silence, connect(last, aborted));
      if (body === null) return;
      opened = Date.now();
      onConnection?.({ state: "open" });
      for await (const message of events(body, silence)) {
        if (message.event === "end") return;
        // If it cannot be applied, the next connection begins with everything.
        const previous = last;
        last = undefined;
        const news = read(message);
        last = message.id ?? previous;
        if (news !== undefined) yield news;
      }
    } catch (reason) {
      if (signal?.aborted) return;
      const refused = refusal(reason);
      if (refused !== undefined && !heals(refused.status)) throw reason;
      error = reason;
    } finally {
      connection.abort();
    }
    if (Date.now() - opened > longestDelay) failed = 0;
    // Jitter, so that not all watchers of a restarted server come back at once.
    const backoff = Math.min(longestDelay, delay * 2 ** failed) * (0.5 + Math.random() / 2);
    const retryIn = Math.max(backoff, refusal(error)?.retryAfter ?? 0);
    onConnection?.({ state: "lost", error: error as Error, retryIn });
    await waited(retryIn, signal).catch(() => undefined);
  }
}
