// The full verdict on a record: status, claims, warnings, options and players. Must not judge.

import { useState } from "preact/hooks";
import type { GameRecord, Schemas } from "./client";
import { Clauses, Copy, Trouble, clip, name, save, words } from "./parts";
import type { Names, ShowClause } from "./parts";

interface Props {
  report: Schemas["Report"];
  record: GameRecord | null;
  names: Names;
  id: string | null;
  offset: number;
  onStore: () => Promise<void>;
  /** The text of the record, fetched if needed; `null` for viewers that may not see all of it. */
  onText: (() => Promise<string>) | null;
  onGo: (ply: number) => void;
  onClause: ShowClause;
}

export function VerdictPanel({ report, record, names, id, offset, onStore, onText, onGo, onClause }: Props) {
  const [error, setError] = useState<unknown>(null);
  const { verdict } = report;
  const violation = verdict.violation;
  const keep = (work: () => Promise<void>) => void work().then(() => setError(null), setError);
  const download = async () => save((await onText?.()) ?? "", `${report.game}${id ? `-${id.slice(0, 12)}` : ""}.json`);
  return (
    <div class="verdict">
      <p class={`status ${verdict.status}`}><strong>{words(verdict.status)}</strong> after {offset + verdict.plies} actions</p>
      {verdict.outcome && (
        <p>
          {words(String(verdict.outcome.reason))}
          {verdict.outcome.winner ? `: ${name(names, verdict.outcome.winner)} wins` : ", without a winner"}.
        </p>
      )}
      {violation && (
        <section class="refusal">
          <p>
            <button type="button" onClick={() => onGo(offset + violation.ply)}>Ply {offset + violation.ply + 1}</button>{" "}
            {violation.message} <Clauses ids={violation.rules} onShow={onClause} />
            {violation.section && <span class="faint"> {violation.section}</span>}
          </p>
          <dl>
            {violation.facts.map((it) => (
              <div key={it.what}><dt>{it.what}</dt><dd>{it.is}</dd></div>
            ))}
          </dl>
          {violation.nearest.length > 0 && (
            <p>Nearest legal: {violation.nearest.map((it, at) => <code key={at}>{JSON.stringify(it)} </code>)}</p>
          )}
        </section>
      )}
      {verdict.standing && (
        <table>
          <caption>Standing</caption>
          <tbody>
            {verdict.standing.map((it) => (
              <tr key={it.player}>
                <td>{it.place}.</td>
                <td>{name(names, it.player)}</td>
                <td>{it.counts.map((one) => Object.values(one).join(" ")).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {verdict.claims.length > 0 && (
        <table>
          <caption>Claims of the record</caption>
          <thead><tr><th scope="col">claim</th><th scope="col">claimed</th><th scope="col">actual</th><th scope="col" /></tr></thead>
          <tbody>
            {verdict.claims.map((it) => (
              <tr key={it.claim}>
                <td><code>{it.claim.replace(/^\/claims\//, "")}</code></td><td><code>{it.claimed ?? "–"}</code></td><td>{it.holds ? "the same" : <code>{it.actual ?? "–"}</code>}</td>
                <td>{it.holds ? "holds" : <strong>does not hold</strong>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {report.warnings.map((it, at) => <p key={at} class="warning">{it.message} <code>{it.pointer}</code></p>)}
      <table>
        <caption>The record</caption>
        <tbody>
          <tr><td>game</td><td>{report.game} ({report.ruleset})</td></tr>
          {Object.entries(names).map(([seat, who]) => <tr key={seat}><td>{seat}</td><td>{clip(who, 200)}</td></tr>)}
          {record?.note && <tr><td>note</td><td>{clip(record.note, 500)}</td></tr>}
          {id && <tr><td>id</td><td><code>{id}</code></td></tr>}
          {report.fingerprint && <tr><td>fingerprint</td><td><code>{report.fingerprint}</code></td></tr>}
          <tr><td>engine</td><td>{report.engine}</td></tr>
        </tbody>
      </table>
      <OptionsTable options={report.options} />
      <p class="buttons">
        {!id && <button type="button" onClick={() => keep(onStore)}>Store it to get a link</button>}
        {onText && <button type="button" onClick={() => keep(download)}>Save the record</button>}
        {report.fingerprint && <Copy text={() => report.fingerprint ?? ""}>Copy the fingerprint</Copy>}
      </p>
      <Trouble error={error} />
    </div>
  );
}

/** The options of the game, one per row. */
function OptionsTable({ options }: { options: object }) {
  const { rulings, ...rest } = options as { rulings?: Record<string, unknown> };
  const rows = [...Object.entries(rest), ...Object.entries(rulings ?? {})];
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>Options and readings</caption>
      <tbody>
        {rows.map(([key, value]) => (
          <tr key={key}><td>{words(key)}</td><td>{typeof value === "string" ? words(value) : JSON.stringify(value)}</td></tr>
        ))}
      </tbody>
    </table>
  );
}
