// What can be done about an illegal record: the fault, the repairs and remedies that the service proposes, and one click to
// take one. Must not decide what happened: people do.

import { applyPatch } from "rfc6902";
import { useEffect, useState } from "preact/hooks";
import { remedies, repairs } from "./client";
import type { Action, Each, Eyes, GameRecord, Schemas } from "./client";
import { Clauses, Trouble } from "./parts";
import type { ShowClause } from "./parts";

type Violation = NonNullable<Schemas["Report"]["verdict"]["violation"]>;
type Remedy = Each<"Remedy">;
type Patch = Parameters<typeof applyPatch>[1];

interface Props {
  violation: Violation;
  /** The record; `null` for viewers who may not see all of it. */
  record: GameRecord | null;
  eyes: Eyes;
  /** Opens a record with a proposal in it. */
  onTake: (record: GameRecord) => void;
  /** Tries an action instead of the illegal one. */
  onTry: (action: Action) => void;
  onClause: ShowClause;
}

interface Proposal {
  words: string;
  taken: () => GameRecord;
}

function edited(record: GameRecord, edits: unknown): GameRecord {
  const copy = structuredClone(record);
  const [failure] = applyPatch(copy, edits as Patch).filter((it) => it !== null);
  if (failure) throw failure;
  return copy;
}

export function Mending({ violation, record, eyes, onTake, onTry, onClause }: Props) {
  const [found, setFound] = useState<Proposal[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    setFound(null);
    if (!record) return;
    let here = true;
    Promise.all([repairs(record, eyes.lang), remedies(record, eyes.lang)]).then(
      ([mended, ways]) => {
        const possible = (ways.remedies as Remedy[]).filter((it) => it.effect !== null);
        // The last remedy is the first repair.
        const others = possible.filter((it) => it.kind !== "mend");
        const all = [
          ...mended.repairs.map((it) => ({ words: it.words, taken: () => edited(record, it.edits) })),
          ...others.map((it) => ({ words: it.words, taken: () => (it.record as GameRecord | undefined) ?? edited(record, it.edits) })),
        ];
        if (here) setFound(all);
      },
      (it: unknown) => here && setError(it),
    );
    return () => {
      here = false;
    };
  }, [record, eyes.lang]);
  const take = (proposal: Proposal) => {
    try {
      onTake(proposal.taken());
    } catch (it) {
      setError(it);
    }
  };
  const nearest = violation.nearest as unknown as Action[];
  return (
    <section class="refusal mending" aria-label="The illegal action" lang={eyes.lang}>
      <h3>Action {violation.ply + 1} is illegal</h3>
      <p>{violation.message} <Clauses ids={violation.rules} onShow={onClause} /></p>
      {violation.facts.length > 0 && (
        <dl>{violation.facts.map((it) => <div key={it.what}><dt>{it.what}</dt><dd>{it.is}</dd></div>)}</dl>
      )}
      <Trouble error={error} />
      {record && found === null && error === null && <p role="status">Looking for repairs…</p>}
      {found && found.length > 0 && (
        <>
          <h4>What could be done</h4>
          <ul class="actions">
            {found.map((it, at) => <li key={at}><button type="button" onClick={() => take(it)}>{it.words}</button></li>)}
          </ul>
        </>
      )}
      {found?.length === 0 && <p>No small change makes it legal.</p>}
      {record && nearest.length > 0 && <p><button type="button" onClick={() => onTry(nearest[0] as Action)}>Try the nearest legal action instead</button></p>}
    </section>
  );
}
