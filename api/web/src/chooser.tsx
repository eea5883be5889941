// The choice at the board: the actions that fit what was chosen there, or why it is refused, beside the pointer; on a
// phone, at the bottom of the screen. Must not know a game.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Action, Eyes } from "./client";
import { Verdict } from "./moves";
import type { Moving } from "./moving";
import { words } from "./parts";
import type { ShowClause } from "./parts";

interface Props {
  moving: Moving;
  eyes: Eyes;
  onClause: ShowClause;
  onReferee: (() => void) | null;
  /** Asks about a refused action under all readings. */
  onSettle?: (action: Action) => void;
}

const MOST_SHOWN = 60;
const GAP = 12;

export function Chooser({ moving, eyes, onClause, onReferee, onSettle }: Props) {
  const { anchor, fits, chosen, busy, groups } = moving;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const refused = moving.refusal !== null || moving.allowed !== null || moving.note !== "" || moving.error !== null;
  // Set by script, not by an attribute: the content security policy allows no inline styles.
  useLayoutEffect(() => {
    const it = box.current;
    if (!it || !anchor) return;
    const { left, right, top, bottom } = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = it;
    const beside = right + GAP + width <= window.innerWidth ? right + GAP : left - GAP - width;
    it.style.left = `${Math.max(GAP, Math.min(beside, window.innerWidth - width - GAP))}px`;
    it.style.top = `${Math.max(GAP, Math.min((top + bottom) / 2 - height / 2, window.innerHeight - height - GAP))}px`;
  });
  // Before anything is painted: the next key belongs here.
  useLayoutEffect(() => {
    if (anchor && !refused) list.current?.querySelector("button")?.focus({ preventScroll: true });
    else if (anchor && box.current) {
      box.current.focus({ preventScroll: true });
      box.current.scrollTop = 0;
    }
  }, [anchor, refused, chosen]);
  // A click on the board does not move the focus there.
  const goBack = useRef(moving.back);
  goBack.current = moving.back;
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && goBack.current()) event.preventDefault();
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, []);
  if (!anchor || (chosen.length === 0 && !refused)) return null;
  const toBoard = () => {
    const frame = document.querySelector<HTMLElement>(".picture");
    if (anchor.isConnected && anchor.hasAttribute("tabindex")) (anchor as SVGElement).focus({ preventScroll: true });
    else frame?.focus({ preventScroll: true });
  };
  const back = () => {
    moving.back();
    toBoard();
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") back();
    else if (by) {
      const all = [...(box.current?.querySelectorAll<HTMLElement>("ul.actions button") ?? [])];
      const at = all.indexOf(document.activeElement as HTMLElement);
      all[(at + by + all.length) % all.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const play = async (at: number) => {
    const one = shown[at];
    if (one && (await moving.play(one.action, one.text))) document.querySelector<HTMLElement>(".picture")?.focus({ preventScroll: true });
  };
  // What says least beyond what was chosen comes first.
  const shown = [...fits].sort((a, b) => JSON.stringify(a.action).length - JSON.stringify(b.action).length).slice(0, MOST_SHOWN);
  const steps = refused ? [] : groups.flatMap(({ player, ranges }) => ranges.map((type) => ({ player, type })));
  return (
    <div ref={box} class="chooser" role="dialog" aria-label="What to do there" tabIndex={-1} onKeyDown={key} lang={eyes.lang}>
      <p class="chooser-head">
        <span>{chosen.map((it) => it.title || it.choice).join(" · ")}</span>
        <button type="button" aria-label="Back (Escape)" title="Back (Escape)" onClick={back}>✕</button>
      </p>
      {refused ? (
        <Verdict moving={moving} eyes={eyes} onClause={onClause} onReferee={onReferee} onSettle={onSettle} />
      ) : (
        <ul class="actions" ref={list}>
          {shown.map((one, at) => (
            <li key={at}>
              <button type="button" disabled={busy} onClick={() => void play(at)}>{one.text}</button>
            </li>
          ))}
        </ul>
      )}
      {!refused && shown.length === 1 && <p class="faint">Choose it again to play, or press Enter.</p>}
      {fits.length > shown.length && <p class="faint">{fits.length - shown.length} more: choose more on the board, or search the list.</p>}
      {steps.map(({ player, type }) => (
        <button key={`${player} ${type}`} type="button" class="link" onClick={() => moving.build(player, type)}>{words(type)}, step by step…</button>
      ))}
    </div>
  );
}
