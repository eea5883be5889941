// What was chosen on the board, and the actions that fit it. Must not ask the service, show anything, nor know a game.

import type { Action, Json, Schemas } from "./client";
import { choiceOf, fieldsOf, filled, means } from "./lines";

/** A shape that was chosen: the fields that it fills in, as text, and its name. */
export interface Chosen {
  choice: string;
  title: string;
}

/** A legal action, and its text. */
export interface Listed {
  action: Action;
  text: string;
}

/** What choices have filled in of an action. */
interface Progress {
  filled: Set<string>;
  /** The part of the action that was begun and has open fields: the next choice belongs there. */
  part: string | null;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** The fields that a choice fills in next: those of the part that was begun come first. */
function nextFields(action: Action, { filled, part }: Progress, choice: Record<string, Json>): string[] {
  const open = fieldsOf(choice, action).filter((it) => !filled.has(it));
  // A figure and its target are one part, if an action moves several.
  return part === null ? open : open.filter((it) => part === parentOf(it) || parentOf(it) === "");
}

/** How far choices fill in an action; `null` if one does not fit it. */
function progress(action: Action, choices: Record<string, Json>[]): Progress | null {
  const now: Progress = { filled: new Set(), part: null };
  for (const choice of choices) {
    const fields = nextFields(action, now, choice);
    const [first] = fields;
    if (first === undefined) return null;
    for (const it of fields) now.filled.add(it);
    const part = parentOf(first);
    const whole = part.split("/").slice(1).reduce<Json | undefined>((it, key) => (it as { [key: string]: Json } | undefined)?.[key], action);
    const left = whole !== null && typeof whole === "object" && !Array.isArray(whole) ? Object.keys(whole).filter((it) => !now.filled.has(`${part}/${it}`)) : [];
    now.part = part !== "" && left.length > 0 ? part : null;
  }
  return now;
}

const choicesOf = (chosen: Chosen[]) => chosen.map((it) => choiceOf(it.choice));

/** The actions that everything chosen so far fits. */
export function fitting(all: Listed[], chosen: Chosen[]): Listed[] {
  const choices = choicesOf(chosen);
  return choices.length === 0 ? all : all.filter((one) => progress(one.action, choices) !== null);
}

/**
 * What is chosen after one more choice. As many of the earlier ones stay, from the first, as fit an action together with
 * it: another target replaces the target, another figure begins anew. `null` if no action takes it.
 */
export function chosenWith(all: Listed[], chosen: Chosen[], next: Chosen): Chosen[] | null {
  for (let kept = chosen.length; kept >= 0; kept -= 1) {
    const now = [...chosen.slice(0, kept), next];
    if (fitting(all, now).length > 0) return now;
  }
  return null;
}

/** Whether a shape leads on: it fills in something of a fitting action that nothing chosen fills in yet. */
export function leadsOn(fits: Listed[], chosen: Chosen[]): (choice: Record<string, Json>) => boolean {
  const choices = choicesOf(chosen);
  const open = fits.flatMap(({ action }) => {
    const now = progress(action, choices);
    return now ? [{ action, now }] : [];
  });
  return (choice) => open.some(({ action, now }) => nextFields(action, now, choice).length > 0);
}

/** If nothing fits: the nearest listed action with what was chosen filled in, to learn why it is illegal. */
export function misfit(all: Listed[], chosen: Chosen[]): Action | null {
  const choices = choicesOf(chosen);
  for (let most = choices.length - 1; most >= 0; most -= 1) {
    const fits = ({ action }: Listed) =>
      choices.slice(0, most).every((it) => means(it, action)) &&
      choices.slice(most).every((it) => JSON.stringify(filled(it, action)) !== JSON.stringify(action));
    const near = all.find(fits);
    if (near) return choices.slice(most).reduce<Json>((action, it) => filled(it, action), near.action) as Action;
  }
  return null;
}

export type Next = Schemas["ActionStep"];

/** The value that a shape stands for in the next step of an action that is being built. */
export function valueFor(next: Next[], choice: Record<string, Json>): { pointer: string; value: Json } | null {
  for (const { pointer, values } of next) {
    const key = pointer.split("/").filter((it) => it !== "-" && !/^\d+$/.test(it)).pop() ?? "";
    for (const value of (values ?? []) as Json[]) if (means(choice, { [key]: value })) return { pointer, value };
  }
  return null;
}
