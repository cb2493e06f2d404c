// Trusts nobody: recounts a sealed hour of every merchant from its rows, publishes the difference to what analytics
// says, has it mended, and makes slots due again that hold rows nobody would look at.

import type { SlotCounters } from '../../../lib/events/domain/analytics.ts';
import { sumCounters } from '../../../lib/events/domain/analytics-sum.ts';
import { MINUTE_MS, minuteOf } from '../../../lib/events/domain/time-slot.ts';
import type { StrandedRow } from '../../../lib/events/pipeline/counting/count-rows.ts';
import { SEAL_MS } from '../../../lib/events/pipeline/counting/fold-minute.ts';
import { recount } from '../../../lib/events/pipeline/counting/recount.ts';
import type { ReconcilePorts } from './ports.ts';

const HOUR_MS = 3_600_000;

export interface ReconcileReport {
  readonly hourStartMs: number;
  readonly merchants: number;
  /** Events counted wrongly, summed over merchants: 0 is the only good number. */
  readonly drift: number;
  /** Unfinished rows that no due time covered and whose slot was not due either. */
  readonly redriven: number;
  /** Merchants whose hour could not be recounted. */
  readonly failed: number;
}

/** Audits the newest hour that is sealed. Repeating it is harmless. Throws when no merchant's could be recounted. */
export async function runReconcile(ports: ReconcilePorts): Promise<ReconcileReport> {
  const hourStartMs = Math.floor((ports.clock.now() - SEAL_MS - HOUR_MS) / HOUR_MS) * HOUR_MS;
  let merchants = 0;
  let drift = 0;
  let redriven = 0;
  let failed = 0;
  for await (const merchantId of ports.merchants()) {
    merchants += 1;
    try {
      const fold = await recount(merchantId, hourStartMs, hourStartMs + HOUR_MS, ports);
      drift += await compare(merchantId, hourStartMs, fold.counters, ports);
      redriven += await redriveStranded(merchantId, hourStartMs, fold.stranded, ports);
    } catch (error) {
      failed += 1;
      ports.report('an hour of a merchant could not be recounted', error);
    }
  }
  if (merchants > 0 && failed === merchants) throw new Error('no hour of any merchant could be recounted');
  return { hourStartMs, merchants, drift, redriven, failed };
}

async function compare(
  merchantId: string,
  hourStartMs: number,
  counters: Deliveries,
  ports: ReconcilePorts,
): Promise<number> {
  const stored = await ports.counters.read({ merchantId, grain: 'hour', startMs: hourStartMs });
  const counted = stored?.counters ?? sumCounters([]);
  const difference = Math.abs(counted.events - counters.events) + deliveredDifference(counted, counters);
  if (difference === 0) return 0;
  const slots = Array.from({ length: HOUR_MS / MINUTE_MS }, (_, i) => hourStartMs + i * MINUTE_MS);
  await ports.counterRefresh.send([{ body: { merchant: merchantId, slots }, groupId: merchantId }]);
  return difference;
}

type Deliveries = SlotCounters;

/** Cells of the delivery counts that disagree, by how much. */
function deliveredDifference(a: Deliveries, b: Deliveries): number {
  let difference = 0;
  for (const slug of new Set([...Object.keys(a.deliveries), ...Object.keys(b.deliveries)]))
    for (const name of new Set([
      ...Object.keys(a.deliveries[slug] ?? {}),
      ...Object.keys(b.deliveries[slug] ?? {}),
    ])) {
      const left = a.deliveries[slug]?.[name] ?? {};
      const right = b.deliveries[slug]?.[name] ?? {};
      for (const word of new Set([...Object.keys(left), ...Object.keys(right)]))
        difference += Math.abs((left[word] ?? 0) - (right[word] ?? 0));
    }
  return difference;
}

/** The sweep finds a slot that is due, and its fold tells the rows. */
async function redriveStranded(
  merchantId: string,
  hourStartMs: number,
  stranded: readonly StrandedRow[],
  ports: ReconcilePorts,
): Promise<number> {
  if (stranded.length === 0) return 0;
  const slots = await ports.counters.range(merchantId, 'minute', hourStartMs, hourStartMs + HOUR_MS);
  const due = new Set(slots.filter((slot) => slot.dueAtMs !== undefined).map((slot) => slot.key.startMs));
  const forgotten = stranded.filter((row) => !due.has(minuteOf(row.receivedAtMs)));
  for (const startMs of new Set(forgotten.map((row) => minuteOf(row.receivedAtMs))))
    await ports.counters.markDue({ merchantId, grain: 'minute', startMs }, ports.clock.now());
  return forgotten.length;
}
