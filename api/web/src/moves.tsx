// The legal actions at a ply, and a way to try any action: from a list, by shapes on the board, or typed as JSON.
// Must not decide what is legal: the service does.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Build } from "./build";
import { whyNot } from "./client";
import type { Action, Each, Eyes, Json, Schemas, Source } from "./client";
import { choiceOf, filled, means } from "./lines";
import { Barred, Clauses, Trouble, name, words } from "./parts";
import type { Names, ShowClause } from "./parts";

interface Props {
  source: Source;
  ply: number;
  eyes: Eyes;
  names: Names;
  legal: Schemas["Legal"] | null;
  error: unknown;
  /** The shapes chosen on the board: the value that each fills in, and its name. */
  chosen: Chosen[];
  onClear: () => void;
  /** Plays an action that is legal here. */
  onTry: (action: Action, text: string | undefined) => Promise<void>;
  onClause: ShowClause;
  onReferee: () => void;
}

/** A shape that was chosen. */
export interface Chosen {
  choice: string;
  title: string;
}

interface Listed {
  action: Action;
  text: string;
}

const MOST_SHOWN = 150;

/** Action types with too many actions to list, each once. */
function rangesOf(it: Each<"Choices">): object[] {
  const kinds = new Map((it.ranges ?? []).map((range) => [(range as { type: string }).type, range as object]));
  return [...kinds.values()];
}

export function Moves(props: Props) {
  const { source, ply, eyes, names, legal, chosen, onTry } = props;
  const [wanted, setWanted] = useState("");
  const [written, setWritten] = useState("");
  const [refusal, setRefusal] = useState<Schemas["WhyNot"] | null>(null);
  /** A legal action that was not played, because the viewer may not see its result. */
  const [allowed, setAllowed] = useState<Schemas["WhyNot"] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  /** The action that is being built, and its player. */
  const [built, setBuilt] = useState<{ player: string; begun: Action } | null>(null);
  const head = useRef<HTMLParagraphElement>(null);
  const acted = useRef(false);
  // The pressed button is gone with its list: move the focus to the next decision.
  useEffect(() => {
    if (!legal || !acted.current) return;
    acted.current = false;
    head.current?.focus();
  }, [legal]);
  useEffect(() => {
    setRefusal(null);
    setAllowed(null);
    setError(null);
    setBuilt(null);
  }, [source, ply, eyes.viewer]);

  // Seats that have to decide come first; the others may only interrupt.
  const choices = useMemo(() => {
    const deciding = (it: Each<"Choices">) => ((legal?.decision.players ?? []) as string[]).includes(it.player);
    const all = (legal?.choices ?? []) as Each<"Choices">[];
    return [...all.filter(deciding), ...all.filter((it) => !deciding(it))];
  }, [legal]);
  const picked = useMemo(() => chosen.map((it) => choiceOf(it.choice)), [chosen]);
  const groups = useMemo(() => {
    const text = wanted.trim().toLowerCase();
    return choices.map((it) => {
      const all = (it.actions ?? []).map((action, at): Listed => ({
        action: action as unknown as Action,
        text: it.texts?.[at] ?? JSON.stringify(action),
      }));
      const fitting = all.filter((one) => picked.every((choice) => means(choice, one.action)));
      const shown = fitting.filter((one) => !text || one.text.toLowerCase().includes(text));
      return { ...it, all, fitting, shown };
    });
  }, [legal, picked, wanted]);

  /** The text of a listed action. */
  const inWords = (action: Action): string | undefined => {
    const text = JSON.stringify(action);
    for (const { all } of groups) {
      const one = all.find((it) => JSON.stringify(it.action) === text);
      if (one) return one.text;
    }
    return undefined;
  };
  const attempt = async (action: Action, text = inWords(action)) => {
    setBusy(true);
    setError(null);
    setAllowed(null);
    try {
      const answer = await whyNot(source, ply, action, eyes);
      if (answer.answer === "legal") {
        setRefusal(null);
        if (eyes.viewer === "referee") {
          acted.current = true;
          await onTry(action, text);
        } else {
          setAllowed(answer);
        }
      } else {
        setRefusal(answer);
      }
    } catch (it) {
      setError(it);
    }
    setBusy(false);
  };
  const attemptWritten = async () => {
    try {
      const action = JSON.parse(written) as unknown;
      if (action === null || typeof action !== "object" || Array.isArray(action)) setError(new Error("An action is a JSON object."));
      else await attempt(action as Action);
    } catch (it) {
      setError(new Error(`This is not JSON: ${(it as Error).message}`));
    }
  };
  // The choice matches no legal action: try it with the nearest listed action, to learn why not.
  const misfit = useMemo(() => {
    if (picked.length === 0 || groups.some((it) => it.fitting.length > 0)) return null;
    for (let most = picked.length - 1; most >= 0; most -= 1) {
      for (const { all } of groups) {
        const fits = (one: Listed) =>
          picked.slice(0, most).every((it) => means(it, one.action)) &&
          picked.slice(most).every((it) => JSON.stringify(filled(it, one.action)) !== JSON.stringify(one.action));
        const near = all.find(fits);
        if (near) return picked.slice(most).reduce<Json>((action, it) => filled(it, action), near.action) as Action;
      }
    }
    return null;
  }, [groups, picked]);

  const count = groups.reduce((sum, it) => sum + it.fitting.length, 0);
  return (
    <div class="moves">
      <Trouble error={props.error} />
      {legal && legal.decision.players.length === 0 && <p ref={head} tabIndex={-1}>The game is over.</p>}
      {legal && legal.decision.players.length > 0 && (
        <p ref={head} tabIndex={-1}>
          {legal.decision.players.map((it) => name(names, it)).join(", ")} to decide: {words(legal.decision.state)}{" "}
          <Clauses ids={[legal.decision.rule]} onShow={props.onClause} />
        </p>
      )}
      {legal && choices.length === 0 && legal.decision.players.length > 0 && (
        <p class="faint">This viewer may not see their legal actions.</p>
      )}
      {picked.length > 0 && (
        <p class="picked">
          Chosen on the board: {chosen.map((it) => it.title || it.choice).join(", ")}. {count === 1 ? "One legal action matches." : `${count || "No"} legal actions match.`}{" "}
          <button type="button" onClick={props.onClear}>Clear</button>
          {count === 0 && !misfit && "No action here uses them. "}
          {misfit && (
            <button type="button" class="strong" disabled={busy} onClick={() => void attempt(misfit)}>
              Why is this illegal?
            </button>
          )}
        </p>
      )}
      <Refused answer={refusal} lang={eyes.lang} inWords={inWords} onPlay={(action) => void attempt(action)} onWrite={(it) => setWritten(JSON.stringify(it, null, 1))} onClause={props.onClause} />
      <Allowed answer={allowed} inWords={inWords} onClause={props.onClause} onReferee={props.onReferee} />
      <Trouble error={error} />
      {choices.length > 0 && (
        <label class="find">
          Find <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
      )}
      {groups.map((it) => (
        <section key={it.player}>
          <h3>
            {name(names, it.player)} <small>{it.count} legal{it.truncated ? `, the first ${it.all.length} shown` : ""}</small>
          </h3>
          <ul class="actions">
            {it.shown.slice(0, MOST_SHOWN).map((one, at) => (
              <li key={at}>
                <button type="button" disabled={busy} onClick={() => void attempt(one.action)} title={JSON.stringify(one.action)} lang={eyes.lang}>
                  {one.text}
                </button>
              </li>
            ))}
            {rangesOf(it).map((range, at) => (
              <li key={`r${at}`}>
                <button type="button" aria-expanded={built?.player === it.player && built.begun.type === (range as { type: string }).type} onClick={() => setBuilt({ player: it.player, begun: { player: it.player, type: (range as { type: string }).type } })}>
                  {words((range as { type: string }).type)}…
                </button>
              </li>
            ))}
          </ul>
          {built?.player === it.player && (
            <Build
              key={`${built.player} ${built.begun.type}`}
              source={source}
              ply={ply}
              eyes={eyes}
              player={built.player}
              begun={built.begun}
              busy={busy}
              onTry={(action, text) => void attempt(action, text)}
              onClose={() => setBuilt(null)}
            />
          )}
          {it.shown.length > MOST_SHOWN && <p class="faint">{it.shown.length - MOST_SHOWN} more: search, or choose on the board.</p>}
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
        <button type="button" disabled={busy || !written.trim()} onClick={() => void attemptWritten()}>Try it</button>
      </details>
    </div>
  );
}

interface AllowedProps {
  answer: Schemas["WhyNot"] | null;
  inWords: (action: Action) => string | undefined;
  onClause: ShowClause;
  onReferee: () => void;
}

/** Tells a viewer that may not see the result that an action is legal. */
function Allowed({ answer, inWords, onClause, onReferee }: AllowedProps) {
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
      <Barred what="Its result can be shown" onLook={onReferee} />
    </section>
  );
}

interface RefusedProps {
  lang: string;
  answer: Schemas["WhyNot"] | null;
  inWords: (action: Action) => string | undefined;
  onPlay: (action: Action) => void;
  onWrite: (action: Action) => void;
  onClause: ShowClause;
}

/** Why an action is illegal, and what would be legal. */
function Refused({ answer, lang, inWords, onPlay, onWrite, onClause }: RefusedProps) {
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
      {first && <button type="button" onClick={() => onWrite(answer.action as Action)}>Edit it</button>}
    </section>
  );
}
