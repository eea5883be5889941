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

/** The actions that everything chosen so far fits. */
export function fitting(all: Listed[], chosen: Chosen[]): Listed[] {
  const choices = chosen.map((it) => choiceOf(it.choice));
  return choices.length === 0 ? all : all.filter((one) => choices.every((it) => means(it, one.action)));
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
  const choices = chosen.map((it) => choiceOf(it.choice));
  const open = fits.map(({ action }) => ({ action, had: new Set(choices.flatMap((it) => fieldsOf(it, action))) }));
  return (choice) => open.some(({ action, had }) => fieldsOf(choice, action).some((it) => !had.has(it)));
}

/** If nothing fits: the nearest listed action with what was chosen filled in, to learn why it is illegal. */
export function misfit(all: Listed[], chosen: Chosen[]): Action | null {
  const choices = chosen.map((it) => choiceOf(it.choice));
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
