// Trusts nobody: recounts a sealed hour of every merchant from its rows, publishes the difference to what analytics
// says, has it mended, and puts rows nobody would look at again back into the due index.

import { recount, SEAL_MS } from '../../lib/counters/fold-minute.ts';
import { sumCounters } from '../../lib/domain/analytics-sum.ts';
import { MINUTE_MS } from '../../lib/domain/time-slot.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import { dueAtMs, pendingPlatforms, verdictsOf } from '../../lib/platforms/verdicts.ts';
import type { EventRow } from '../../lib/ports/event-store.ts';
import type { AuditPorts } from './ports.ts';

const HOUR_MS = 3_600_000;
const PAGE = 100;

export interface AuditReport {
  readonly hourStartMs: number;
  readonly merchants: number;
  /** Events counted wrongly, summed over merchants: 0 is the only good number. */
  readonly drift: number;
  /** Open rows that had fallen out of the due index. */
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
    drift += await auditCounters(merchantId, hourStartMs, ports);
    redriven += await redrive(merchantId, hourStartMs, ports);
  }
  return { hourStartMs, merchants, drift, redriven };
}

async function auditCounters(merchantId: string, hourStartMs: number, ports: AuditPorts): Promise<number> {
  const stored = await ports.counters.read({ merchantId, grain: 'hour', startMs: hourStartMs });
  const { counters } = await recount(merchantId, hourStartMs, hourStartMs + HOUR_MS, ports);
  const counted = stored?.counters ?? sumCounters([]);
  const difference = Math.abs(counted.events - counters.events) + deliveredDifference(counted, counters);
  if (difference === 0) return 0;
  const slots = Array.from({ length: HOUR_MS / MINUTE_MS }, (_, i) => hourStartMs + i * MINUTE_MS);
  await ports.outcomes.send([{ body: { merchant: merchantId, slots }, groupId: merchantId }]);
  return difference;
}

type Deliveries = Awaited<ReturnType<typeof recount>>['counters'];

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

async function redrive(merchantId: string, hourStartMs: number, ports: AuditPorts): Promise<number> {
  let redriven = 0;
  let cursor: string | undefined;
  do {
    const page = await ports.events.received({
      merchantId,
      fromMs: hourStartMs,
      toMs: hourStartMs + HOUR_MS,
      order: 'asc',
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const rows =
      page.keys.length === 0 ? [] : await ports.events.readMany(page.keys.map((entry) => entry.key));
    for (const row of rows) {
      if (row.dueAtMs !== undefined || row.key.archivedAs !== undefined) continue;
      if (!(await isOpen(row, ports))) continue;
      if (await ports.events.reschedule(row, ports.clock.now())) redriven += 1;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return redriven;
}

async function isOpen(row: EventRow, ports: AuditPorts): Promise<boolean> {
  if (row.state === 'accepted') return true;
  if (row.closedVerdicts === undefined) {
    const routing = await ports.config.routing(row.key.merchantId, row.routingVersion);
    return openPlatforms(row, routing, ports.platforms);
  }
  return Object.entries(row.closedVerdicts).some(
    ([slug, word]) => word === 'pending' && row.deliveries[slug] === undefined,
  );
}

function openPlatforms(
  row: Extract<EventRow, { state: 'normalized' }>,
  routing: Parameters<typeof verdictsOf>[1],
  platforms: readonly Platform[],
): boolean {
  return dueAtMs(row, pendingPlatforms(verdictsOf(row, routing, platforms)), 0) !== null;
}
