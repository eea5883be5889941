// Choosing and playing an action: from a list, by shapes on the board, or step by step. Must not decide what is legal, nor
// know a game: the service does.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { placed, useBuild } from "./build";
import type { Building } from "./build";
import { chosenWith, fitting, leadsOn, misfit, valueFor } from "./choosing";
import type { Chosen, Listed } from "./choosing";
import { legal as legalOf } from "./client";
import type { Action, Each, Eyes, Json, Schemas, Source } from "./client";
import { GROUND } from "./layout";
import { choiceOf, means } from "./lines";

type Answer = Schemas["WhyNot"];

/**
 * Plays an action, and returns `null`; or returns why it is not played. With `sure` false it was not taken from the list of
 * legal actions: it is played only if nothing could be lost by it.
 */
export type Attempt = (action: Action, text: string | undefined, sure: boolean) => Promise<Answer | null>;

/** The legal actions of a seat. */
export interface Group {
  player: string;
  count: number;
  truncated: boolean;
  all: Listed[];
  /** Action types with too many actions to list. */
  ranges: string[];
}

interface Setting {
  source: Source;
  ply: number;
  eyes: Eyes;
  legal: Schemas["Legal"] | null;
  attempt: Attempt;
}

/** Everything about choosing an action in one position. */
export interface Moving {
  groups: Group[];
  chosen: Chosen[];
  fits: Listed[];
  building: Building;
  /** The shape at which the choice between several actions, or a refusal, is shown. */
  anchor: Element | null;
  /** The listed action that another press plays. */
  ready: Listed | null;
  refusal: Answer | null;
  /** A legal action that was not played, because the viewer may not see its result or did not choose it as such. */
  allowed: Answer | null;
  note: string;
  error: unknown;
  busy: boolean;
  /** Whether a shape on the board leads on; `null` if nothing can be chosen. */
  targets: ((choice: Record<string, Json>) => boolean) | null;
  choose: (choice: string, title: string, shape: Element, under?: Chosen[]) => void;
  /** Takes back the last choice. Returns false if nothing is chosen. */
  back: () => boolean;
  clear: () => void;
  setReady: (one: Listed | null) => void;
  setError: (error: unknown) => void;
  play: (action: Action, text: string | undefined, sure?: boolean) => Promise<boolean>;
  /** Starts to build an action of a type, with what is chosen on the board. */
  build: (player: string, type: string) => void;
  inWords: (action: Action) => string | undefined;
}

export function useMoving({ source, ply, eyes, legal, attempt }: Setting): Moving {
  const [chosen, setChosen] = useState<Chosen[]>([]);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [ready, setReady] = useState<Listed | null>(null);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const [allowed, setAllowed] = useState<Answer | null>(null);
  const [note, setNote] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const building = useBuild(source, ply, eyes);
  // An answer that comes after the position has changed is about another position.
  const position = useRef(0);
  const forget = () => {
    setAnchor(null);
    setReady(null);
    setRefusal(null);
    setAllowed(null);
    setNote("");
    setError(null);
  };
  useEffect(() => {
    position.current += 1;
    forget();
    setChosen([]);
    building.close();
  }, [source, ply, eyes.viewer]);

  const groups = useMemo(() => {
    const every = (legal?.choices ?? []) as Each<"Choices">[];
    const deciding = (it: Each<"Choices">) => ((legal?.decision.players ?? []) as string[]).includes(it.player);
    // Seats that have to decide come first; the others may only interrupt.
    return [...every.filter(deciding), ...every.filter((it) => !deciding(it))].map((it): Group => {
      const all = (it.actions ?? []).map((action, at) => ({
        action: action as unknown as Action,
        text: it.texts?.[at] ?? JSON.stringify(action),
      }));
      const ranges = [...new Set((it.ranges ?? []).map((range) => (range as { type: string }).type))];
      return { player: it.player, count: it.count, truncated: it.truncated, all, ranges };
    });
  }, [legal]);
  const all = useMemo(() => groups.flatMap((it) => it.all), [groups]);
  const fits = useMemo(() => fitting(all, chosen), [all, chosen]);
  const inWords = (action: Action) => {
    const text = JSON.stringify(action);
    return all.find((it) => JSON.stringify(it.action) === text)?.text;
  };

  const targets = useMemo(() => {
    if (!legal) return null;
    if (building.built) {
      const next = building.answer?.next ?? [];
      return (choice: Record<string, Json>) => valueFor(next, choice) !== null;
    }
    if (refusal) {
      const nearest = refusal.nearest as unknown as Action[];
      return (choice: Record<string, Json>) => nearest.some((it) => means(choice, it));
    }
    return leadsOn(fits, chosen);
  }, [legal, fits, chosen, refusal, building.built, building.answer]);

  // Where only one kind of action is possible and it has too many variants to list, it is built at once.
  useEffect(() => {
    const [only, ...more] = groups.filter((it) => it.all.length + it.ranges.length > 0);
    const [type, ...others] = only?.ranges ?? [];
    if (only && type && only.all.length + more.length + others.length === 0) building.start({ player: only.player, type });
  }, [groups]);

  const play = async (action: Action, text = inWords(action), sure = true): Promise<boolean> => {
    const at = position.current;
    setBusy(true);
    setError(null);
    setAllowed(null);
    setRefusal(null);
    setReady(null);
    let done = false;
    try {
      const answer = await attempt(action, text, sure);
      done = answer === null;
      if (at === position.current) {
        if (answer === null) {
          setChosen([]);
          forget();
        } else if (answer.answer === "legal") setAllowed(answer);
        else setRefusal(answer);
      }
    } catch (it) {
      if (at === position.current) setError(it);
    }
    setBusy(false);
    return done;
  };
  /** The first type of action, of those with too many variants to list, that takes a shape: begun with it. */
  const begunWith = async (choice: Record<string, Json>): Promise<Action | null> => {
    for (const { player, ranges } of groups) {
      for (const type of ranges) {
        const begun: Action = { player, type };
        const answer = await legalOf(source, ply, eyes, undefined, begun);
        const own = ((answer.choices ?? []) as Each<"Choices">[]).find((it) => it.player === player);
        const found = valueFor(own?.next ?? [], choice);
        if (found) return placed(begun, found.pointer, found.value);
      }
    }
    return null;
  };
  /** No listed action takes a shape: begins to build one, or says why not, for it or for what lies under it. */
  const other = async (shapes: Chosen[], shape: Element) => {
    const at = position.current;
    const [first] = shapes;
    if (!first) return;
    const begun = await begunWith(choiceOf(first.choice));
    if (at !== position.current) return;
    if (begun) {
      setChosen([]);
      building.start(begun);
      return;
    }
    setAnchor(shape);
    for (const it of shapes) {
      const action = misfit(all, [...chosen, it]);
      if (!action) continue;
      setChosen([...chosen, it]);
      await play(action, undefined, false);
      return;
    }
    setChosen([...chosen, first]);
    setNote("No legal action uses this now.");
  };
  const choose = (choice: string, title: string, shape: Element, under: Chosen[] = []) => {
    forget();
    if (building.built) {
      const found = valueFor(building.answer?.next ?? [], choiceOf(choice));
      if (found) building.put(found.pointer, found.value);
      else setNote(`${title || "This"} cannot be chosen next.`);
      return;
    }
    const had = chosen.findIndex((it) => it.choice === choice);
    const [only, ...others] = fits;
    if (had >= 0 && only && others.length === 0) {
      void play(only.action, only.text);
      return;
    }
    if (had >= 0) {
      setChosen(chosen.slice(0, had));
      return;
    }
    const next = chosenWith(all, chosen, { choice, title });
    if (!next) {
      void other([{ choice, title }, ...under], shape).catch(setError);
      return;
    }
    setChosen(next);
    // A place is the end of a choice; a figure is, too, if it leads to no place.
    const now = fitting(all, next);
    const leads = leadsOn(now, next);
    const places = [...(shape.closest(".board")?.querySelectorAll<SVGElement>(GROUND) ?? [])];
    const further = !shape.matches(GROUND) && places.some((it) => it.dataset["choice"] && leads(choiceOf(it.dataset["choice"])));
    if (!further || now.length === 1) setAnchor(shape);
  };
  const back = () => {
    if (building.built) {
      building.undo();
      return true;
    }
    if (chosen.length === 0 && !refusal && !allowed && !note && !ready) return false;
    forget();
    setChosen(chosen.slice(0, -1));
    return true;
  };
  const clear = () => {
    forget();
    setChosen([]);
  };
  const build = (player: string, type: string) => {
    forget();
    building.start({ player, type }, chosen.map((it) => choiceOf(it.choice)));
    setChosen([]);
  };
  return {
    groups, chosen, fits, building, anchor, ready, refusal, allowed, note, error, busy, targets,
    choose, back, clear, setReady, setError, play, build, inWords,
  };
}
