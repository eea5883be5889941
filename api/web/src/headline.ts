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

/** What a reading can change, the most important first: what depends on it, and how the change is called. */
const MATTERS: [string, string, string][] = [
  ["answer", "Whether the action is legal", "other answer"],
  ["winner", "Who wins", "other winner"],
  ["legality", "Whether the whole game is legal", "other verdict"],
  ["result", "The result", "other result"],
];

const mostOf = ({ changes }: Compared) => MATTERS.findIndex(([change]) => changes[change] === true);

/** How much a reading changes, as a number to sort by: the less, the more. */
export const weightOf = (it: Compared) => (mostOf(it) < 0 ? MATTERS.length : mostOf(it));

/** What a reading changes, in a word or two. */
export const whatChanges = (it: Compared): string => MATTERS[mostOf(it)]?.[2] ?? "same result";

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
