// Which connections seem to fail, from the counts of the last minutes that this process made anyway: no read, no write. What it takes
// for failing is looked at by the task stage.
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { FAILED_MIN, type Rate, ratesOf } from '#lib/events/pipeline/connections/failing-rate.ts';
import { createSuspicions, type SuspicionPorts } from '#lib/events/pipeline/connections/suspicions.ts';
import type { MinuteCount } from '#lib/events/pipeline/counting/count-minute.ts';

const RATE_MS = 15 * MINUTE_MS;
const REMEMBERED_MAX = 10_000;

export interface FailingWatch {
  /** After a minute was counted. */
  counted(count: Pick<MinuteCount, 'key' | 'counters' | 'countedAtMs'>): Promise<void>;
}

/** Worth a look: most of a few, or a tenth of many. */
const isSuspect = ({ due, failed }: Rate): boolean =>
  (failed >= 3 && failed * 2 >= due) || (failed >= FAILED_MIN && failed * 10 >= due);

export function createFailingWatch(ports: SuspicionPorts): FailingWatch {
  const suspicions = createSuspicions(ports);
  const minutes = new Map<string, Map<string, Rate & { readonly startMs: number }>>();
  return {
    async counted({ key, counters, countedAtMs }) {
      const { merchantId, startMs, shard = 0 } = key;
      if (ports.taskWork === undefined || countedAtMs - startMs > RATE_MS) return;
      for (const [place, rate] of ratesOf(counters)) {
        const id = `${merchantId}/${place}`;
        // Of a connection that takes everything nothing is remembered.
        if (rate.failed === 0 && !minutes.has(id)) continue;
        const known = minutes.get(id) ?? new Map();
        known.set(`${startMs}/${shard}`, { ...rate, startMs });
        for (const [at, one] of known) if (countedAtMs - one.startMs > RATE_MS) known.delete(at);
        if (minutes.size >= REMEMBERED_MAX) minutes.clear();
        const sum = [...known.values()].reduce((all, one) => ({
          ...one,
          due: all.due + one.due,
          failed: all.failed + one.failed,
        }));
        if (sum.failed === 0) minutes.delete(id);
        else minutes.set(id, known);
        if (!isSuspect(sum)) continue;
        // As many as a share is judged by: what a look at the first few did not find is looked at again.
        const state = sum.failed < FAILED_MIN ? 'few' : 'many';
        await suspicions.suspect({ merchant: merchantId, incident: 'failing', subject: place }, state);
      }
    },
  };
}
