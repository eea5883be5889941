// The legal actions at a ply: a list that is searched, and narrowed by what is chosen on the board; or an action typed as
// JSON. Must not decide what is legal: the service does.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Build } from "./build";
import type { Listed } from "./choosing";
import { fitting, misfit } from "./choosing";
import type { Action, Eyes, Schemas } from "./client";
import type { Moving } from "./moving";
import { Barred, Clauses, Trouble, name, words } from "./parts";
import type { Names, ShowClause } from "./parts";

interface Props {
  moving: Moving;
  eyes: Eyes;
  names: Names;
  legal: Schemas["Legal"] | null;
  error: unknown;
  /** What is built step by step is shown elsewhere. */
  apart?: boolean;
  /** At a table an action counts, so the first press chooses and the second one plays. */
  counts?: boolean;
  onClause: ShowClause;
  /** Looks as the referee, which is impossible at a table. */
  onReferee: (() => void) | null;
  /** Changes the position that is shown. */
  onSetUp?: () => void;
  /** Asks about a refused action under all readings. */
  onSettle?: (action: Action) => void;
}

const MOST_SHOWN = 150;

export function Moves({ moving, eyes, names, legal, error, counts = false, apart = false, onClause, onReferee, onSetUp, onSettle }: Props) {
  const { groups, chosen, fits, building, ready, busy } = moving;
  const [wanted, setWanted] = useState("");
  const [written, setWritten] = useState("");
  const head = useRef<HTMLParagraphElement>(null);
  const acted = useRef(false);
  // The pressed button is gone with its list: move the focus to the next decision.
  useEffect(() => {
    if (!legal || !acted.current) return;
    acted.current = false;
    // In play, a phone shows the board again.
    head.current?.focus({ preventScroll: counts });
    head.current?.closest(".tab")?.scrollTo({ top: 0 });
  }, [legal]);
  const text = wanted.trim().toLowerCase();
  const shown = useMemo(
    () => groups.map((it) => fitting(it.all, chosen).filter((one) => !text || one.text.toLowerCase().includes(text))),
    [groups, chosen, text],
  );
  const play = async (action: Action, text?: string, sure = true) => {
    acted.current = await moving.play(action, text, sure);
  };
  const press = (one: Listed) => {
    if (counts && ready?.action !== one.action) moving.setReady(one);
    else void play(one.action, one.text);
  };
  const playWritten = async () => {
    try {
      const action = JSON.parse(written) as unknown;
      if (action === null || typeof action !== "object" || Array.isArray(action)) moving.setError(new Error("An action is a JSON object."));
      else await play(action as Action);
    } catch (it) {
      moving.setError(new Error(`This is not JSON: ${(it as Error).message}`));
    }
  };
  const count = chosen.length > 0 ? fits.length : 0;
  const why = count === 0 && chosen.length > 0 ? misfit(groups.flatMap((it) => it.all), chosen) : null;
  return (
    <div class="moves">
      <Trouble error={error} />
      {legal && legal.decision.players.length === 0 && <p ref={head} tabIndex={-1}>The game is over.</p>}
      {legal && legal.decision.players.length > 0 && (
        <p ref={head} tabIndex={-1}>
          {legal.decision.players.map((it) => name(names, it)).join(", ")} to decide: {words(legal.decision.state)}{" "}
          <Clauses ids={[legal.decision.rule]} onShow={onClause} />
        </p>
      )}
      {legal && groups.length === 0 && legal.decision.players.length > 0 && (
        <p class="faint">{counts ? "You have no legal action now." : "This viewer may not see their legal actions."}</p>
      )}
      {chosen.length > 0 && (
        <p class="picked">
          Chosen on the board: {chosen.map((it) => it.title || it.choice).join(", ")}. {count === 1 ? "One legal action matches." : `${count || "No"} legal actions match.`}{" "}
          <button type="button" onClick={moving.clear}>Clear</button>
          {count === 0 && !why && "No action here uses them. "}
          {why && !moving.refusal && (
            <button type="button" class="strong" disabled={busy} onClick={() => void play(why, undefined, false)}>
              Why is this illegal?
            </button>
          )}
        </p>
      )}
      {!moving.anchor && <Verdict moving={moving} eyes={eyes} onClause={onClause} onReferee={onReferee} onSettle={onSettle} onWrite={(it) => setWritten(JSON.stringify(it, null, 1))} />}
      {groups.length > 0 && (
        <label class="find">
          Find <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      {groups.map((it, group) => (
        <section key={it.player}>
          <h3>
            {name(names, it.player)} <small>{it.count} legal{it.truncated ? `, the first ${it.all.length} shown` : ""}</small>
          </h3>
          <ul class="actions">
            {shown[group]?.slice(0, MOST_SHOWN).map((one, at) => (
              <li key={at}>
                <button
                  type="button"
                  disabled={busy}
                  aria-pressed={counts ? ready?.action === one.action : undefined}
                  onClick={() => press(one)}
                  title={JSON.stringify(one.action)}
                  lang={eyes.lang}
                >
                  {one.text}
                  {ready?.action === one.action && <b class="again">Press again to play</b>}
                </button>
              </li>
            ))}
            {it.ranges.map((type) => (
              <li key={type}>
                <button type="button" aria-expanded={building.built?.player === it.player && building.built.type === type} onClick={() => moving.build(it.player, type)}>
                  {words(type)}…
                </button>
              </li>
            ))}
          </ul>
          {!counts && !apart && building.built?.player === it.player && (
            <Build building={building} busy={busy} label="Try it" onTry={(action, text) => void play(action, text)} />
          )}
          {(shown[group]?.length ?? 0) > MOST_SHOWN && <p class="faint">{(shown[group]?.length ?? 0) - MOST_SHOWN} more: search, or choose on the board.</p>}
        </section>
      ))}
      <details open={written !== ""}>
        <summary>Write an action</summary>
        <textarea
          aria-label="An action, as a record has it"
          rows={5}
          spellcheck={false}
          placeholder='{"type": …, "player": …}'
          value={written}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="button" disabled={busy || !written.trim()} onClick={() => void playWritten()}>{counts ? "Play it" : "Try it"}</button>
      </details>
      {onSetUp && <p class="buttons"><button type="button" onClick={onSetUp}>Change this position…</button></p>}
    </div>
  );
}

interface VerdictProps {
  moving: Moving;
  eyes: Eyes;
  onClause: ShowClause;
  onReferee: (() => void) | null;
  onSettle?: ((action: Action) => void) | undefined;
  onWrite?: (action: Action) => void;
}

/** What became of the last try: why it is illegal, or that it is legal. */
export function Verdict({ moving, eyes, onClause, onReferee, onSettle, onWrite }: VerdictProps) {
  const { refusal, allowed, note, error, inWords, play } = moving;
  return (
    <>
      <Refused answer={refusal} lang={eyes.lang} inWords={inWords} onPlay={(action) => void play(action, undefined)} onSettle={onSettle} onWrite={onWrite} onClause={onClause} />
      <Allowed answer={allowed} inWords={inWords} onPlay={(action) => void play(action, undefined)} onClause={onClause} onReferee={onReferee} />
      {note && <p class="faint" role="status">{note}</p>}
      <Trouble error={error} />
    </>
  );
}

interface AllowedProps {
  answer: Schemas["WhyNot"] | null;
  inWords: (action: Action) => string | undefined;
  onPlay: (action: Action) => void;
  onClause: ShowClause;
  onReferee: (() => void) | null;
}

/** Tells a viewer that may not see the result that an action is legal. */
function Allowed({ answer, inWords, onPlay, onClause, onReferee }: AllowedProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [answer]);
  if (!answer) return null;
  const text = inWords(answer.action as Action);
  return (
    <section ref={box} class="allowed" role="status">
      <h3>Legal{text && `: ${text}`}</h3>
      <p>
        {answer.message} <Clauses ids={answer.clauses.map((it) => it.id)} onShow={onClause} />
      </p>
      {onReferee ? (
        <Barred what="Its result can be shown" onLook={onReferee} />
      ) : (
        <button type="button" class="strong" onClick={() => onPlay(answer.action as Action)}>Play it</button>
      )}
    </section>
  );
}

interface RefusedProps {
  lang: string;
  answer: Schemas["WhyNot"] | null;
  inWords: (action: Action) => string | undefined;
  onPlay: (action: Action) => void;
  onSettle: ((action: Action) => void) | undefined;
  onWrite: ((action: Action) => void) | undefined;
  onClause: ShowClause;
}

/** Why an action is illegal, and what would be legal. */
function Refused({ answer, lang, inWords, onPlay, onSettle, onWrite, onClause }: RefusedProps) {
  const box = useRef<HTMLElement>(null);
  // The list below may be long, and the tried action may be at its end.
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [answer]);
  if (!answer) return null;
  const first = answer.violations[0];
  return (
    <section ref={box} class="refusal" role="alert" lang={lang}>
      <h3>{answer.answer === "undecidable" ? "Cannot be decided for this viewer" : "Illegal"}</h3>
      <p>
        {answer.message} <Clauses ids={first?.rules ?? answer.clauses.map((it) => it.id)} onShow={onClause} />
      </p>
      {first && first.facts.length > 0 && (
        <dl>
          {first.facts.map((it) => (
            <div key={it.what}>
              <dt>{it.what}</dt>
              <dd>{it.is}</dd>
            </div>
          ))}
        </dl>
      )}
      {answer.clauses.map((it) => (
        <p key={it.id} class="faint">
          {it.id}{it.section ? ` (${it.section})` : ""}: {it.gist}
        </p>
      ))}
      {answer.changes.length > 0 && (
        <>
          <h4>It would be legal if</h4>
          <ul>{answer.changes.map((it, at) => <li key={at}>{it.words}</li>)}</ul>
        </>
      )}
      {answer.nearest.length > 0 && (
        <>
          <h4>Nearest legal actions</h4>
          <ul class="actions">
            {answer.nearest.map((it, at) => {
              const action = it as unknown as Action;
              return (
                <li key={at}>
                  <button type="button" title={JSON.stringify(action)} onClick={() => onPlay(action)}>
                    {inWords(action) ?? <code>{JSON.stringify(action)}</code>}
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {first && onSettle && <button type="button" onClick={() => onSettle(answer.action as Action)}>Settle it under all readings</button>}
      {first && onWrite && <button type="button" onClick={() => onWrite(answer.action as Action)}>Edit it</button>}
    </section>
  );
}
