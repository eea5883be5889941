// Stepping through a game: buttons, slider, wheel, keys and autoplay. Must not know what is stepped through.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  ply: number;
  last: number;
  onGo: (ply: number) => void;
}

const PACES: [string, number][] = [["slow", 2000], ["steady", 1000], ["fast", 300]];
const LEAP = 10;

export function Controls({ ply, last, onGo }: Props) {
  const [playing, setPlaying] = useState(false);
  const [pace, setPace] = useState(1000);
  const bar = useRef<HTMLDivElement>(null);
  const now = useRef({ ply, last, onGo });
  now.current = { ply, last, onGo };

  useEffect(() => {
    if (!playing) return;
    if (ply >= last) {
      setPlaying(false);
      return;
    }
    const timer = window.setTimeout(() => now.current.onGo(now.current.ply + 1), pace);
    return () => window.clearTimeout(timer);
  }, [playing, ply, last, pace]);

  // Before anything is painted, so that stepping works as soon as there is a picture.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.target as HTMLElement;
      // Inputs that use these keys themselves keep them.
      if (at.closest("input:not([type=range]),textarea,select,[role=tab],pre,dialog")) return;
      const { ply, last, onGo } = now.current;
      const to: Record<string, number> = {
        ArrowLeft: ply - 1,
        ArrowRight: ply + 1,
        PageUp: ply - LEAP,
        PageDown: ply + LEAP,
        Home: 0,
        End: last,
      };
      const next = to[event.key];
      if (next !== undefined) {
        event.preventDefault();
        onGo(next);
      } else if (event.key === " " && !at.closest("button,a,summary,[role=button]")) {
        event.preventDefault();
        setPlaying((it) => !it);
      }
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, []);

  useEffect(() => {
    const it = bar.current;
    if (!it) return;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      now.current.onGo(now.current.ply + (event.deltaY > 0 ? 1 : -1));
    };
    // The wheel steps only here; elsewhere it scrolls.
    it.addEventListener("wheel", wheel, { passive: false });
    return () => it.removeEventListener("wheel", wheel);
  }, []);

  const button = (label: string, sign: string, to: number, off: boolean) => (
    <button type="button" aria-label={label} title={label} disabled={off} onClick={() => onGo(to)}><Sign path={sign} /></button>
  );
  return (
    <div class="controls" ref={bar} role="group" aria-label="Steps">
      {button("Go to the opening (Home)", "M3 3v10M13 3 6 8l7 5z", 0, ply <= 0)}
      {button("Previous (left)", "M12 3 5 8l7 5z", ply - 1, ply <= 0)}
      <button type="button" aria-pressed={playing} aria-label="Autoplay (space)" title="Autoplay (space)" disabled={last === 0} onClick={() => {
        if (!playing && ply >= last) onGo(0);
        setPlaying(!playing);
      }}>
        <Sign path={playing ? "M5 3v10M11 3v10" : "M8 2.5a5.5 5.5 0 1 0 5.5 5.5A5.5 5.5 0 0 0 8 2.5M7 6l3 2-3 2z"} />
      </button>
      {button("Next (right)", "M4 3l7 5-7 5z", ply + 1, ply >= last)}
      {button("Go to the end (End)", "M13 3v10M3 3l7 5-7 5z", last, ply >= last)}
      <input type="range" min={0} max={last} value={ply} aria-label="Ply" aria-valuetext={`ply ${ply} of ${last}`} onInput={(event) => onGo(Number(event.currentTarget.value))} />
      <output>{ply} / {last}</output>
      <select aria-label="Pace" value={pace} onChange={(event) => setPace(Number(event.currentTarget.value))}>
        {PACES.map(([name, it]) => <option key={name} value={it}>{name}</option>)}
      </select>
    </div>
  );
}

/** A button icon: drawn, because a font may not contain it. */
function Sign({ path }: { path: string }) {
  return (
    <svg class="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
