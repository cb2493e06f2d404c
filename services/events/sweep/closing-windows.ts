// Which merchants have deliveries waiting that are soon given up, from what a sweep reads anyway: the due index lists what is parked
// by when its last chance comes. Guarantees: one read of a row for each place and quarter of an hour in which that is so, none else.
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { createSuspicions, type SuspicionPorts } from '#lib/events/pipeline/connections/suspicions.ts';
import type { ParkedSeen } from '#lib/events/pipeline/recovery/scan-shard.ts';

/** Time enough for a person to do something. */
const NEAR_MS = DAY_MS;
const EVERY_MS = 15 * MINUTE_MS;

export interface ClosingWindows {
  readonly parked: ParkedSeen;
  /** After a sweep: says of each place what closes first. */
  tell(): Promise<void>;
}

export function createClosingWindows(ports: SuspicionPorts): ClosingWindows {
  const suspicions = createSuspicions(ports, EVERY_MS);
  const soonest = new Map<string, Parameters<ParkedSeen>[0]>();
  return {
    parked(seen) {
      const id = `${seen.merchantId}/${seen.place}`;
      if (seen.untilMs > ports.clock.now() + NEAR_MS) return;
      if (seen.untilMs < (soonest.get(id)?.untilMs ?? Number.POSITIVE_INFINITY)) soonest.set(id, seen);
    },
    async tell() {
      const all = [...soonest.values()];
      soonest.clear();
      for (const { merchantId: merchant, place: subject, read } of all) {
        const facts = async () => {
          const closesAtMs = await read();
          return closesAtMs === undefined || closesAtMs > ports.clock.now() + NEAR_MS ? null : { closesAtMs };
        };
        await suspicions.suspect({ merchant, incident: 'window', subject }, '', facts);
      }
    },
  };
}
