// Trusts nobody: recounts a sealed hour of every merchant from its rows, publishes the difference to what analytics
// says, has it mended, and makes slots due again that hold rows nobody would look at.
import type { AdriftRow } from '../../lib/counters/count-rows.ts';
import { SEAL_MS } from '../../lib/counters/fold-minute.ts';
import { recount } from '../../lib/counters/recount.ts';
import type { SlotCounters } from '../../lib/domain/analytics.ts';
import { sumCounters } from '../../lib/domain/analytics-sum.ts';
import { MINUTE_MS, minuteOf } from '../../lib/domain/time-slot.ts';
import type { AuditPorts } from './ports.ts';

const HOUR_MS = 3_600_000;

export interface AuditReport {
  readonly hourStartMs: number;
  readonly merchants: number;
  /** Events counted wrongly, summed over merchants: 0 is the only good number. */
  readonly drift: number;
  /** Unfinished rows that no due time covered and whose slot was not due either. */
  readonly redriven: number;
}

/** Audits the newest hour that is sealed. Repeating it is harmless. */
export async function runAudit(ports: AuditPorts): Promise<AuditReport> {
  const hourStartMs = Math.floor((ports.clock.now() - SEAL_MS - HOUR_MS) / HOUR_MS) * HOUR_MS;
  let merchants = 0;
  let drift = 0;
  let redriven = 0;
  for await (const merchantId of ports.merchants()) {
    merchants += 1;
    const fold = await recount(merchantId, hourStartMs, hourStartMs + HOUR_MS, ports);
    drift += await compare(merchantId, hourStartMs, fold.counters, ports);
    redriven += await redrive(merchantId, hourStartMs, fold.adrift, ports);
  }
  return { hourStartMs, merchants, drift, redriven };
}

async function compare(
  merchantId: string,
  hourStartMs: number,
  counters: Deliveries,
  ports: AuditPorts,
): Promise<number> {
  const stored = await ports.counters.read({ merchantId, grain: 'hour', startMs: hourStartMs });
  const counted = stored?.counters ?? sumCounters([]);
  const difference = Math.abs(counted.events - counters.events) + deliveredDifference(counted, counters);
  if (difference === 0) return 0;
  const slots = Array.from({ length: HOUR_MS / MINUTE_MS }, (_, i) => hourStartMs + i * MINUTE_MS);
  await ports.outcomes.send([{ body: { merchant: merchantId, slots }, groupId: merchantId }]);
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
async function redrive(
  merchantId: string,
  hourStartMs: number,
  adrift: readonly AdriftRow[],
  ports: AuditPorts,
): Promise<number> {
  if (adrift.length === 0) return 0;
  const slots = await ports.counters.range(merchantId, 'minute', hourStartMs, hourStartMs + HOUR_MS);
  const due = new Set(slots.filter((slot) => slot.dueAtMs !== undefined).map((slot) => slot.key.startMs));
  const forgotten = adrift.filter((row) => !due.has(minuteOf(row.receivedAtMs)));
  for (const startMs of new Set(forgotten.map((row) => minuteOf(row.receivedAtMs))))
    await ports.counters.touch({ merchantId, grain: 'minute', startMs }, ports.clock.now());
  return forgotten.length;
}
