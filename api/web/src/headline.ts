// The answer to a dispute in one sentence: on which questions it depends, if on any. Must not judge: it counts what the service
// found.

import type { Schemas } from "./client";

/** What a reading changes, and the rulings that it chooses. */
export interface Compared {
  reading: unknown;
  changes: { [what: string]: unknown };
}

/** The rulings of a reading, with the value of each. */
export const rulingsOf = (reading: unknown): [string, string][] => Object.entries((reading as { rulings?: Record<string, string> }).rulings ?? {});

/** The question that a reading answers otherwise, in words. */
function questionsOf(readings: Compared[], known: Schemas["GameDetail"]["rulings"]): string[] {
  const ids = new Set(readings.flatMap((it) => rulingsOf(it.reading).map(([id]) => id)));
  const asked = known.filter((it) => ids.has(it.id)).map((it) => it.question);
  const other = readings.some((it) => rulingsOf(it.reading).length === 0);
  return other ? [...asked, "Which edition or version of the rules is played?"] : asked;
}

/** What a dispute can be about, the most important first, and how that is said. */
const MATTERS: [string, string][] = [
  ["answer", "Whether the action is legal"],
  ["winner", "Who wins"],
  ["legality", "Whether the whole game is legal"],
  ["result", "The result"],
];

const sayQuestion = (question: string) => question.charAt(0).toLowerCase() + question.slice(1);

/** One sentence: what depends on which question. */
export function headline(readings: Compared[], known: Schemas["GameDetail"]["rulings"], aboutAction: boolean): string {
  for (const [change, what] of MATTERS) {
    if (change === "answer" && !aboutAction) continue;
    const [first, ...more] = questionsOf(readings.filter((it) => it.changes[change] === true), known);
    if (first !== undefined) return more.length === 0 ? `${what} depends on one question: ${sayQuestion(first)}` : `${what} depends on ${more.length + 1} questions, listed below.`;
  }
  return readings.length > 0 ? "Other readings change the course of the game, but not its result." : "It is the same under every reading of the rules.";
}
