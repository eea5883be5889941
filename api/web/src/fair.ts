// A seat's part in the fair draw of a seed (docs/records.md). Must not reveal a secret before everybody has committed: the
// service says when.

import { drawPart } from "./client";
import type { Chair, Table } from "./client";

const SECRET = "umpire.secret.";
const hex = (bytes: Uint8Array) => [...bytes].map((it) => it.toString(16).padStart(2, "0")).join("");

/** Browsers offer SHA-256 only to pages from this machine or over https. */
export const canDraw = () => globalThis.crypto?.subtle !== undefined;

/** Does what the draw waits for from a seat. The secret is kept until it is revealed, so a reload in between does no harm. */
export async function takePart(chair: Chair, table: Table, seat: string): Promise<void> {
  const { fair } = table;
  if (!fair || !fair.missing.includes(seat) || fair.stage === "drawn") return;
  if (!canDraw()) throw new Error("The fair draw of the seed needs a page loaded over https.");
  const key = `${SECRET}${table.id}.${seat}`;
  const secret = localStorage.getItem(key) ?? hex(crypto.getRandomValues(new Uint8Array(32)));
  localStorage.setItem(key, secret);
  if (fair.stage === "revealing") {
    await drawPart(chair, { reveal: secret });
    localStorage.removeItem(key);
    return;
  }
  const text = `umpire fair draw 1 commitment\n${table.id}\n${seat}\n${secret}\n`;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  await drawPart(chair, { commit: hex(new Uint8Array(hash)) });
}
