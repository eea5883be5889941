// Many records opened at once: validated one by one, and stored on request. Must not show anything.

import { store, validate } from "./client";
import type { Schemas } from "./client";
import { read } from "./reading";

export interface Row {
  name: string;
  text: string;
  judgement: Schemas["Judgement"] | null;
  error: unknown;
  /** Its id, once it is stored. */
  id: string | null;
}

const AT_ONCE = 4;
const PAUSE = 100;

export class Batch {
  rows: Row[] = [];
  /** The number of records; 0 while the files are being read. */
  of = 0;
  /** The current activity. */
  doing: "reading" | "judging" | "storing" | "nothing" = "reading";
  told: (() => void) | null = null;
  private shown = 0;
  private stopped = false;

  constructor(files: { name: string; text: () => Promise<string> }[]) {
    void this.judge(files);
  }

  stop(): void {
    this.stopped = true;
  }

  /** Legal records that are not stored yet. */
  get good(): Row[] {
    return this.rows.filter((it) => it.id === null && ["complete", "in_progress"].includes(it.judgement?.verdict.status ?? ""));
  }

  /** Do not redraw a long list for each of its rows. */
  private tell(now = false): void {
    if (!now && performance.now() - this.shown < PAUSE) return;
    this.shown = performance.now();
    this.told?.();
  }

  private async each<T>(work: T[], what: (it: T) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async () => {
      for (let it = work[next]; it !== undefined && !this.stopped; it = work[next]) {
        next += 1;
        await what(it);
        this.tell();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async judge(files: { name: string; text: () => Promise<string> }[]): Promise<void> {
    const work: Row[] = [];
    for (const file of files) {
      const bare = { judgement: null, error: null, id: null };
      const text = await file.text().catch(() => "");
      const lines = file.name.endsWith(".ndjson") ? text.split("\n") : [text];
      lines.forEach((line, at) => {
        if (!line.trim() && lines.length > 1) return;
        const name = lines.length > 1 ? `${file.name}:${at + 1}` : file.name;
        try {
          const found = read(line);
          const texts = "texts" in found ? found.texts : [];
          if (texts.length === 0) throw new Error("This is the id of a record, not a record.");
          texts.forEach((one, at) => work.push({ ...bare, name: texts.length > 1 ? `${name}[${at}]` : name, text: one }));
        } catch (error) {
          work.push({ ...bare, name, text: line, error });
        }
      });
    }
    this.of = work.length;
    this.doing = "judging";
    const done = new Set<Row>();
    await this.each(work, async (row) => {
      try {
        if (row.error === null) row.judgement = await validate(row.text);
      } catch (error) {
        row.error = error;
      }
      done.add(row);
      this.rows = work.filter((it) => done.has(it));
    });
    this.doing = "nothing";
    this.tell(true);
  }

  /** Stores the legal records. */
  async storeGood(): Promise<void> {
    this.doing = "storing";
    this.stopped = false;
    this.tell(true);
    await this.each(this.good, async (row) => {
      try {
        row.id = (await store(row.text)).id;
        row.error = null;
      } catch (error) {
        row.error = error;
      }
    });
    this.doing = "nothing";
    this.tell(true);
  }
}
