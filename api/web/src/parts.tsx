// Small components that several panels share. Must not request records nor know a game.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal, precedents, rule, setToken, token } from "./client";
import type { Schemas } from "./client";

/** The name of a language in that language. */
function languageName(lang: string): string {
  const own = new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang;
  return own.charAt(0).toLocaleUpperCase(lang) + own.slice(1);
}

/** A choice between the languages of a game, if it has several. */
export function Languages({ all, lang, onLang }: { all: string[]; lang: string; onLang: (lang: string) => void }) {
  if (all.length < 2) return null;
  return (
    <label>
      <span class="hidden">Language</span>
      <select aria-label="Language" value={lang} onChange={(event) => onLang(event.currentTarget.value)}>
        {all.map((it) => <option key={it} value={it}>{languageName(it)}</option>)}
      </select>
    </label>
  );
}

/** An error, as the service reports it. */
export function Trouble({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  if (!(error instanceof Refusal)) return <p class="trouble" role="alert">{String((error as Error).message ?? error)}</p>;
  const { problem } = error;
  return (
    <p class="trouble" role="alert">
      <strong>{problem.title}.</strong> {problem.detail}
      {problem.rule && <> ({problem.rule})</>}
    </p>
  );
}

/** Shown instead of something that needs the whole record, with everything hidden in it: only the referee may see that. */
export function Barred({ what, onLook }: { what: string; onLook: () => void }) {
  return (
    <p class="barred">
      {what} to the referee only, because the whole record is needed, with everything that is hidden from others.{" "}
      <button type="button" onClick={onLook}>View as referee</button>
    </p>
  );
}

/** A user's text, shortened to a maximum length. */
export function clip(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The names of players, by seat. */
export type Names = Record<string, string>;

/** A user's text as part of other text: isolated as by `<bdi>`, so that its direction changes nothing around it. */
export const isolated = (text: string) => `\u2068${text}\u2069`;

/** A seat with the name of its player. */
export function name(names: Names, seat: string): string {
  const who = names[seat];
  return who ? `${isolated(clip(who, 40))} (${seat})` : seat;
}

/** An identifier as words. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Cited clauses: hover or focus shows their text. */
export function Clauses({ ids, onShow, reached = true }: { ids: string[]; onShow: ShowClause; reached?: boolean }) {
  return (
    <span class="clauses">
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          class="clause"
          tabIndex={reached ? 0 : -1}
          onMouseEnter={(event) => onShow(id, event.currentTarget)}
          onFocus={(event) => onShow(id, event.currentTarget)}
          onMouseLeave={() => onShow(null, null)}
          onBlur={() => onShow(null, null)}
        >
          {id}
        </button>
      ))}
    </span>
  );
}

export type ShowClause = (id: string | null, from: HTMLElement | null) => void;

interface Shown {
  id: string;
  left: number;
  top: number;
}

/** Shows a clause next to the element under the pointer, until another one is pointed at. */
export function useClauses(game: string | undefined, lang: string): [ShowClause, ComponentChildren] {
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef(0);
  const show: ShowClause = (id, from) => {
    window.clearTimeout(timer.current);
    if (!id || !from) {
      // Enough time to move into the box, which may contain links.
      timer.current = window.setTimeout(() => setShown(null), 250);
      return;
    }
    const { left, bottom } = from.getBoundingClientRect();
    setShown({ id, left: Math.max(8, Math.min(left, window.innerWidth - 380)), top: bottom + 4 });
  };
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === "Escape" && setShown(null);
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, []);
  const box = shown && game && (
    <ClauseBox
      key={shown.id}
      game={game}
      lang={lang}
      shown={shown}
      onStay={() => window.clearTimeout(timer.current)}
      onLeave={() => show(null, null)}
    />
  );
  return [show, box || null];
}

function ClauseBox(props: { game: string; lang: string; shown: Shown; onStay: () => void; onLeave: () => void }) {
  const { game, lang, shown } = props;
  const [info, setInfo] = useState<Schemas["RuleInfo"] | null>(null);
  const [decided, setDecided] = useState<Schemas["PrecedentList"]["precedents"]>([]);
  const [error, setError] = useState<unknown>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    let here = true;
    rule(game, shown.id, lang).then((it) => here && setInfo(it), (it: unknown) => here && setError(it));
    precedents(game, shown.id).then((it) => here && setDecided(it.precedents), () => undefined);
    return () => {
      here = false;
    };
  }, [game, shown.id, lang]);
  // Set by script, not by an attribute: the content security policy allows no inline styles.
  useEffect(() => {
    const it = box.current;
    if (!it) return;
    it.style.left = `${shown.left}px`;
    const room = window.innerHeight - shown.top - 8;
    if (it.offsetHeight > room) it.style.top = `${Math.max(8, shown.top - it.offsetHeight - 32)}px`;
    else it.style.top = `${shown.top}px`;
  });
  return (
    <aside ref={box} class="clause-box" lang={lang} onMouseEnter={props.onStay} onMouseLeave={props.onLeave}>
      <h3>
        {shown.id} {info && <small>{info.kind}{info.sections.map((it) => `, ${it.at}${it.edition ? ` (${it.edition})` : ""}`).join("")}</small>}
      </h3>
      <Trouble error={error} />
      {info && <p>{info.gist}</p>}
      {info?.settled_by.map((it) => <Ruling key={it} game={game} id={it} lang={lang} />)}
      {info && info.settles.length > 0 && <p>Settles {info.settles.join(", ")}.</p>}
      {info && info.readings.length > 0 && (
        <ul>
          {info.readings.map((it) => (
            <li key={it.value}>
              <code>{it.value}</code>
              {it.default && " (default)"}: {it.gist}
            </li>
          ))}
        </ul>
      )}
      {info && info.because && <p class="faint">{info.because}</p>}
      {decided.length > 0 && (
        <p>
          Precedents:{" "}
          {decided.map((it, at) => (
            <span key={it.name}>
              {at > 0 && "; "}
              <a href={`/v1/games/${game}/precedents/${it.name}`} target="_blank" rel="noreferrer">{it.title}</a>
            </span>
          ))}
        </p>
      )}
    </aside>
  );
}

/** A ruling that settles a clause: its question, and its default reading. */
function Ruling({ game, id, lang }: { game: string; id: string; lang: string }) {
  const [info, setInfo] = useState<Schemas["RuleInfo"] | null>(null);
  useEffect(() => {
    let here = true;
    rule(game, id, lang).then((it) => here && setInfo(it), () => undefined);
    return () => {
      here = false;
    };
  }, [game, id, lang]);
  const usual = info?.readings.find((it) => it.default) ?? info?.readings[0];
  return (
    <p class="ruling">
      <b>{id}</b> {info?.gist} {usual && <span class="faint">{usual.value && <code>{usual.value}</code>} {usual.gist}</span>}
    </p>
  );
}

/** Formatted JSON. */
export function Pretty({ value }: { value: unknown }) {
  return <pre class="json" tabIndex={0}>{JSON.stringify(value, null, 1)}</pre>;
}

/** A button that copies a text, and confirms it. */
export function Copy({ text, children }: { text: () => string | Promise<string>; children: ComponentChildren }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const it = await text();
    try {
      await navigator.clipboard.writeText(it);
    } catch {
      // Without a clipboard (a remote host without TLS) the text can be copied manually.
      window.prompt("Copy this", it);
    }
    setDone(true);
    window.setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {done ? "Copied" : children}
    </button>
  );
}

/** Saves a text as a file. */
export function save(text: string, as: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = as;
  link.click();
  URL.revokeObjectURL(url);
}

/** The token of this tab, for a service that requires one. The page reloads with it. */
export function Token() {
  const [value, setValue] = useState(token());
  return (
    <details class="token" open={value !== ""}>
      <summary>Access token, if the service requires one</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setToken(value.trim());
          location.reload();
        }}
      >
        <label>
          Token, kept until this tab is closed{" "}
          <input type="password" autocomplete="off" value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        </label>{" "}
        <button type="submit">Use it</button>
      </form>
    </details>
  );
}

interface TabsProps<Name extends string> {
  labels: Readonly<Record<Name, string>>;
  tab: Name;
  onTab: (tab: Name) => void;
}

/** The names of panels, one of which is shown. */
export function Tabs<Name extends string>({ labels, tab, onTab }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const all = Object.keys(labels) as Name[];
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = all[(all.indexOf(tab) + step + all.length) % all.length] ?? tab;
    onTab(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Panels" ref={list} onKeyDown={key}>
      {all.map((it) => (
        <button key={it} type="button" role="tab" id={`tab-${it}`} aria-selected={it === tab} aria-controls="tabpanel" tabIndex={it === tab ? 0 : -1} onClick={() => onTab(it)}>
          {labels[it]}
        </button>
      ))}
    </div>
  );
}
