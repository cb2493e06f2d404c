// Hints that slots have changed. Of events that come in quick succession one hint covers those of the next seconds: each hint is
// three requests of SQS and an invocation, as much as an event. An event that comes alone is counted as soon as its deliveries
// have ended. Kept by the process: what is forgotten costs a hint, what is lost minutes of freshness.
import { bucketId, type CountedAt, minuteBucketOf } from '#lib/events/pipeline/counting/due-buckets.ts';
import { type RefreshPorts, requestCounterRefresh } from '../aggregate/message.ts';

/** Most deliveries have ended by then, so that one count includes them all. */
const ENDED_SEC = 4;
/** A hint in a succession is held back for so long besides, and is for what is normalized meanwhile as well. */
const COVERED_SEC = 6;
/** The last hint of the slot was sent no longer ago: more events may follow. */
const SUCCESSION_MS = 15_000;
const REMEMBERED_MAX = 10_000;

interface Hinted {
  readonly sentAtMs: number;
  readonly coversUntilMs: number;
}

export function createCountHints(ports: RefreshPorts): (rows: readonly CountedAt[]) => Promise<void> {
  const hinted = new Map<string, Hinted>();
  return async (rows) => {
    const nowMs = ports.clock.now();
    const [soon, later]: [CountedAt[], CountedAt[]] = [[], []];
    if (hinted.size > REMEMBERED_MAX) hinted.clear();
    for (const [id, row] of new Map(rows.map((row) => [bucketId(minuteBucketOf(row)), row]))) {
      const last = hinted.get(id);
      if (last !== undefined && nowMs < last.coversUntilMs) continue;
      const follows = last !== undefined && nowMs - last.sentAtMs < SUCCESSION_MS;
      (follows ? later : soon).push(row);
      hinted.set(id, { sentAtMs: nowMs, coversUntilMs: follows ? nowMs + COVERED_SEC * 1_000 : nowMs });
    }
    await requestCounterRefresh(soon, ports, ENDED_SEC);
    await requestCounterRefresh(later, ports, ENDED_SEC + COVERED_SEC);
  };
}
