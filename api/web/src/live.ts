// A live table in the page: what its viewer knows, kept up to date by the stream. Must not show anything, nor know a game.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isOlder } from "../../../openapi/typescript/src/version";
import { tableEvents, tableOf, watch } from "./client";
import type { Chair, Schemas, Table, TableStep } from "./client";
import type { GameEvent, Told } from "./story";

export interface Live {
  table: Table | null;
  told: Told;
  /** The connection is lost, and being made again. */
  lost: boolean;
  error: unknown;
  /** What an answer said of the table, before the stream says it. */
  apply: (step: TableStep) => void;
}

export function useLive({ table: id, bearer }: Chair, lang: string): Live {
  const [table, setTable] = useState<Table | null>(null);
  const [told, setTold] = useState<Told>({ events: [], texts: [] });
  const [lost, setLost] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const now = useRef<Table | null>(null);
  const chair = useMemo(() => ({ table: id, bearer }), [id, bearer]);
  const put = (next: Table) => {
    now.current = next;
    setTable(next);
  };
  const replace = (next: Table) => {
    if (now.current && isOlder(next.version, now.current.version)) return;
    const again = now.current?.version !== next.version || now.current.now === null;
    put(next);
    if (!again || !next.now) return;
    tableEvents(chair, lang).then(({ events, texts }) => setTold({ events, texts: texts ?? [] }), setError);
  };
  const apply = ({ version, ply, status, outcome, standing, decision, events, texts }: TableStep) => {
    const { current } = now;
    if (!current?.now || !isOlder(current.version, version)) return;
    const look = { ...current.now, ply, status, outcome, decision, ...(standing && { standing }) };
    put({ ...current, version, now: look, undo: null } as Table);
    const fresh = events as GameEvent[];
    const from = Math.min(...fresh.map((it) => it.ply));
    setTold((old) => {
      // An answer and the stream may say the same.
      const kept = (old.events ?? []).filter((it) => it.opening || it.ply < from).length;
      return { events: [...(old.events ?? []).slice(0, kept), ...fresh], texts: [...(old.texts ?? []).slice(0, kept), ...texts] };
    });
  };
  useEffect(() => {
    const stop = new AbortController();
    now.current = null;
    setTable(null);
    setTold({ events: [], texts: [] });
    setError(null);
    const follow = async () => {
      const connection = ({ state }: { state: string }) => {
        if (!stop.signal.aborted && state !== "connecting") setLost(state === "lost");
      };
      for await (const news of watch(chair, lang, stop.signal, connection)) {
        if (stop.signal.aborted) return;
        if (news.type === "table") replace(news.table);
        else if (news.type === "step") apply(news.step);
        else if (news.type === "end") replace(await tableOf(chair));
      }
    };
    follow().catch((it: unknown) => !stop.signal.aborted && setError(it));
    return () => stop.abort();
  }, [chair, lang]);
  return { table, told, lost, error, apply };
}

/** A refused action as an answer to why it is illegal. */
export function refused(violation: NonNullable<Schemas["Problem"]["violation"]>, action: object): Schemas["WhyNot"] {
  const { message, nearest } = violation;
  const answer = { answer: "illegal", action, message, nearest, violations: [violation], clauses: [], changes: [], facts: [] };
  return answer as unknown as Schemas["WhyNot"];
}
