// The analysis of the service, as a curve of winning chances and a list of mistakes. Must not estimate anything itself.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PLIES_PER_PAGE, analyse, analysed, analysis, stop } from "./client";
import type { Each, Recorded, Schemas } from "./client";
import { Trouble, name, words } from "./parts";
import type { Names } from "./parts";

type Ply = Each<"PlyAnalysis">;

/** An analysis that runs, or has run, of one game for one viewer. */
export interface AnalysisRun {
  job: Schemas["AnalysisJob"] | null;
  plies: Ply[];
  error: unknown;
  begin: (simulations: number) => void;
  cancel: () => void;
}

/** Two requests each time: at most two a second. */
const PAUSE = 1000;
const percent = (chance: number) => `${Math.round(chance * 100)} %`;

/** Lives as long as the game is open, so that its result stays while another panel is shown. */
export function useAnalysis(source: Recorded, viewer: string): AnalysisRun {
  const [job, setJob] = useState<Schemas["AnalysisJob"] | null>(null);
  const [plies, setPlies] = useState<Ply[]>([]);
  const [error, setError] = useState<unknown>(null);
  const had = useRef(0);
  const forget = () => {
    setJob(null);
    setPlies([]);
    setError(null);
    had.current = 0;
  };
  useEffect(forget, [source, viewer]);
  useEffect(() => {
    if (!job) return;
    let here = true;
    const fetchPlies = async () => {
      const page = await analysed(job.id, had.current);
      if (!here) return;
      const more = page.plies as unknown as Ply[];
      if (more.length > 0) {
        had.current = (more[more.length - 1]?.ply ?? 0) + 1;
        setPlies((old) => [...old, ...more]);
      }
      // While it runs there is always a next page, most of the time an empty one.
      if (more.length === PLIES_PER_PAGE && page.next !== null) await fetchPlies();
    };
    const timer = window.setTimeout(() => {
      fetchPlies()
        .then(() => (job.state === "running" ? analysis(job.id) : null))
        .then((next) => here && next && setJob(next))
        .catch((it: unknown) => here && setError(it));
    }, job.state === "running" ? PAUSE : 0);
    return () => {
      here = false;
      window.clearTimeout(timer);
    };
  }, [job]);
  const begin = (simulations: number) => {
    forget();
    analyse(source, viewer, simulations).then(setJob, setError);
  };
  const cancel = () => {
    if (job) stop(job.id).then(() => setJob({ ...job, state: "cancelled" }), setError);
  };
  return { job, plies, error, begin, cancel };
}

interface Props {
  run: AnalysisRun;
  offset: number;
  ply: number;
  names: Names;
  onGo: (ply: number) => void;
}

export function Analysis({ run: { job, plies, error, begin, cancel }, offset, ply, names, onGo }: Props) {
  const [simulations, setSimulations] = useState(200);
  const [seen, setSeen] = useState("");
  const perspectives = useMemo(() => [...new Set(plies.flatMap((it) => it.curve.map((one) => one.perspective)))], [plies]);
  const perspective = perspectives.includes(seen) ? seen : (perspectives[0] ?? "");
  const at = plies.find((it) => offset + it.ply === ply);
  return (
    <div class="analysis">
      <p>
        <label>
          Simulations{" "}
          <select value={simulations} onChange={(event) => setSimulations(Number(event.currentTarget.value))}>
            {[50, 200, 1000, 4000].map((it) => <option key={it} value={it}>{it}</option>)}
          </select>
        </label>{" "}
        <button type="button" class="strong" disabled={job?.state === "running"} onClick={() => begin(simulations)}>Analyse</button>{" "}
        {job?.state === "running" && (
          <button type="button" onClick={cancel}>Stop</button>
        )}
      </p>
      <Trouble error={error} />
      {job && (
        <p role="status">
          {words(job.state)}: {job.progress.done} of {job.progress.of}{" "}
          <progress value={job.progress.done} max={job.progress.of || 1} />
          {job.problem && ` ${job.problem.detail}`}
        </p>
      )}
      {perspectives.length > 0 && (
        <label>
          Known to{" "}
          <select value={perspective} onChange={(event) => setSeen(event.currentTarget.value)}>
            {perspectives.map((it) => <option key={it} value={it}>{it === "hindsight" ? "hindsight" : words(it)}</option>)}
          </select>
        </label>
      )}
      {plies.length > 1 && <Curve plies={plies} offset={offset} ply={ply} perspective={perspective} onGo={onGo} />}
      {at && <Review it={at} />}
      {job?.summary && (
        <table>
          <caption>Decisions</caption>
          <thead><tr>{["seat", "decisions", "inaccuracies", "mistakes", "blunders", "mean loss"].map((it) => <th key={it} scope="col">{it}</th>)}</tr></thead>
          <tbody>
            {job.summary.play.map((it) => (
              <tr key={it.player}>
                <td>{name(names, it.player)}</td><td>{it.decisions}</td><td>{it.inaccuracies}</td><td>{it.mistakes}</td><td>{it.blunders}</td><td>{percent(it.mean_loss)} ± {percent(it.mean_loss_error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {job?.summary?.ledger && (
        <table>
          <caption>Skill and luck, in winning chances</caption>
          <thead><tr>{["seat", "start", "skill", "luck", "result"].map((it) => <th key={it} scope="col">{it}</th>)}</tr></thead>
          <tbody>
            {job.summary.ledger.map((it) => (
              <tr key={it.player}>
                <td>{name(names, it.player)}</td><td>{percent(it.start)} ± {percent(it.start_error)}</td><td>{percent(it.skill)} ± {percent(it.skill_error)}</td><td>{percent(it.luck)} ± {percent(it.luck_error)}</td><td>{percent(it.result)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Mistakes plies={plies} offset={offset} onGo={onGo} />
    </div>
  );
}

const WIDTH = 600;
const HEIGHT = 200;

function Curve(props: { plies: Ply[]; offset: number; ply: number; perspective: string; onGo: (ply: number) => void }) {
  const { plies, offset, ply, perspective, onGo } = props;
  const last = plies[plies.length - 1]?.ply ?? 1;
  const seats = plies[0]?.curve[0]?.chances.map((it) => it.player) ?? [];
  const x = (at: number) => (at / Math.max(1, last)) * WIDTH;
  const y = (chance: number) => HEIGHT - chance * HEIGHT;
  const lines = useMemo(
    () =>
      seats.map((seat) =>
        plies
          .flatMap((it) => {
            const chance = it.curve.find((one) => one.perspective === perspective)?.chances.find((one) => one.player === seat)?.chance;
            return chance === undefined ? [] : [`${x(it.ply).toFixed(1)},${y(chance).toFixed(1)}`];
          })
          .join(" "),
      ),
    [plies, perspective],
  );
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onGo(offset + Math.round(((event.clientX - box.left) / box.width) * last));
  };
  return (
    <figure>
      <svg class="curve scene" viewBox={`-2 -4 ${WIDTH + 4} ${HEIGHT + 8}`} role="img" aria-label={`Winning chances by ply, for ${seats.join(", ")}`} onClick={go}>
        {[0, 0.25, 0.5, 0.75, 1].map((it) => <path key={it} class="grid" d={`M0 ${y(it)}H${WIDTH}`} />)}
        {lines.map((points, at) => <polyline key={at} class={`none line s-side${at + 1}`} points={points} />)}
        {plies.map((it) => {
          const review = it.decision;
          if (!review?.class) return null;
          const seat = seats.indexOf(review.player);
          const chance = it.curve.find((one) => one.perspective === perspective)?.chances[seat]?.chance;
          return chance === undefined ? null : (
            <circle key={it.ply} class={`mistake ${review.class} s-side${seat + 1}`} cx={x(it.ply)} cy={y(chance)} r={4}>
              <title>{`${words(review.class)} at ply ${it.ply + 1}: ${review.text ?? ""}`}</title>
            </circle>
          );
        })}
        <path class="now" d={`M${x(ply - offset)} -4V${HEIGHT + 4}`} />
      </svg>
      <figcaption>
        {seats.map((seat, at) => (
          <span key={seat} class="key">
            <svg class="scene" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><rect class={`f-side${at + 1}`} width="12" height="12" /></svg> {seat}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Review({ it }: { it: Ply }) {
  const review = it.decision;
  if (!review) return null;
  return (
    <section>
      <h3>The decision at this ply</h3>
      <p>
        {review.player}: {review.text ?? JSON.stringify(review.action)}
        {review.forced && " (forced)"}
        {typeof review.chance === "number" && `, ${percent(review.chance)}`}
        {review.class && <strong> {words(review.class)}, loses {percent(review.loss)} ± {percent(review.loss_error)}</strong>}
      </p>
      {review.why && <p>{review.why}</p>}
      {review.best.length > 0 && (
        <ol>
          {review.best.map((one, at) => (
            <li key={at}>{one.text ?? JSON.stringify(one.action)}: {percent(one.chance)} ± {percent(one.error)}</li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Mistakes({ plies, offset, onGo }: { plies: Ply[]; offset: number; onGo: (ply: number) => void }) {
  const found = plies.filter((it) => it.decision?.class);
  if (found.length === 0) return null;
  return (
    <section>
      <h3>Mistakes</h3>
      <ul class="actions">
        {found.map((it) => (
          <li key={it.ply}>
            <button type="button" onClick={() => onGo(offset + it.ply)}>
              {offset + it.ply + 1}. {it.decision?.player}, {words(it.decision?.class ?? "")}: {it.decision?.text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
