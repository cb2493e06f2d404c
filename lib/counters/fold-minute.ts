// Recounts one minute slot from its rows, and the hour and day above it from their parts.
// The order is what makes it exact: read the slot's version, THEN its rows, THEN overwrite if the version is still the
// same. A due time is only cleared by a fold that found nothing new after the coarser slots were brought up to date.
import type { SlotCounters } from '../domain/analytics.ts';
import { sumCounters } from '../domain/analytics-sum.ts';
import type { RoutingSnapshot } from '../domain/connection.ts';
import { MINUTE_MS } from '../domain/time-slot.ts';
import type { SlotKey } from '../ports/counter-store.ts';
import type { EventKey, EventRow, NormalizedRow } from '../ports/event-store.ts';
import { type FoldResult, foldSlot } from './count-rows.ts';
import type { AggregatePorts } from './ports.ts';

/** A slot is sealed this long after its end: by then no index lags and no ordinary row is late. */
export const SEAL_MS = 3_600_000;
const FIRST_FOLD_MS = 120_000;
const OPEN_REFOLD_MIN_MS = 600_000;
const TRIES = 12;
const READ_MAX = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface FoldReport {
  /** True when the recount differed from what was stored. */
  readonly changed: boolean;
  readonly before: SlotCounters | null;
  readonly after: SlotCounters;
}

/** Brings one minute slot, its hour and its day up to date. Throws when others keep writing the same slot. */
export async function foldMinute(
  merchantId: string,
  startMs: number,
  ports: AggregatePorts,
): Promise<FoldReport> {
  const key: SlotKey = { merchantId, grain: 'minute', startMs };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const seen = await ports.counters.read(key);
    const { counters, open } = await recount(merchantId, startMs, startMs + MINUTE_MS, ports);
    const version = seen?.version ?? 0;
    const changed = seen === null || !sameCounters(seen.counters, counters);
    const due = nextDue(seen?.dueAtMs, startMs, open, ports.clock.now());
    const report: FoldReport = { changed, before: seen?.counters ?? null, after: counters };
    if (changed) {
      // Not cleared yet: if this process dies before the hour is written, somebody must come back.
      const kept = due ?? ports.clock.now() + OPEN_REFOLD_MIN_MS;
      if (!(await ports.counters.write({ key, version: version + 1, counters, dueAtMs: kept }))) continue;
      await rollUp(merchantId, startMs, ports);
      return report;
    }
    await rollUp(merchantId, startMs, ports);
    if (due === seen.dueAtMs) return report;
    const row = { key, version: version + 1, counters, ...(due === undefined ? {} : { dueAtMs: due }) };
    if (await ports.counters.write(row)) return report;
  }
  throw new Error('a slot could not be folded: others kept writing it');
}

/** Counters of all rows received in [fromMs, toMs), from the rows themselves. */
export async function recount(
  merchantId: string,
  fromMs: number,
  toMs: number,
  ports: Pick<AggregatePorts, 'events' | 'config' | 'platforms'>,
): Promise<FoldResult> {
  const parts: FoldResult[] = [];
  let cursor: string | undefined;
  do {
    const page = await ports.events.received({
      merchantId,
      fromMs,
      toMs,
      order: 'asc',
      limit: READ_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (page.keys.length > 0) parts.push(await foldPage(page.keys, ports));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return {
    counters: sumCounters(parts.map((part) => part.counters)),
    open: parts.reduce((sum, part) => sum + part.open, 0),
  };
}

async function foldPage(
  entries: readonly { readonly key: EventKey; readonly ingestId: string }[],
  ports: Pick<AggregatePorts, 'events' | 'config' | 'platforms'>,
): Promise<FoldResult> {
  const wanted = new Set(entries.map((entry) => entry.ingestId));
  // An index entry may be older than its row, which then belongs to another slot.
  const rows = (await ports.events.readMany(entries.map((e) => e.key))).filter((row) =>
    wanted.has(row.ingestId),
  );
  const routings = new Map<string, RoutingSnapshot>();
  for (const row of rows) {
    if (row.state !== 'normalized' || routings.has(routingId(row))) continue;
    routings.set(routingId(row), await ports.config.routing(row.key.merchantId, row.routingVersion));
  }
  return foldSlot({
    rows,
    merged: await mergedRows(rows, ports),
    routing: (row) => {
      const routing = routings.get(routingId(row));
      if (routing === undefined) throw new Error('a row without its routing snapshot');
      return routing;
    },
    platforms: ports.platforms,
  });
}

const routingId = (row: NormalizedRow): string => `${row.key.merchantId}/${row.routingVersion}`;

/** Browser rows that a server event of the same id, within a day of them, stands for. */
async function mergedRows(
  rows: readonly EventRow[],
  ports: Pick<AggregatePorts, 'events'>,
): Promise<ReadonlySet<string>> {
  const browser = rows.filter((row) => row.key.trust === 'browser');
  if (browser.length === 0) return new Set();
  const twins = await ports.events.readMany(
    browser.map(({ key }) => ({
      merchantId: key.merchantId,
      trust: 'server' as const,
      eventId: key.eventId,
    })),
  );
  if (twins.length === 0) return new Set();
  const receivedAt = new Map(twins.map((twin) => [twin.key.eventId, twin.receivedAtMs]));
  return new Set(
    browser
      .filter((row) => Math.abs((receivedAt.get(row.key.eventId) ?? -Infinity) - row.receivedAtMs) < DAY_MS)
      .map((row) => row.ingestId),
  );
}

/**
 * A due time that lies ahead stays: somebody announced rows for it. One that has come moves to when the slot will next
 * be worth a look, further away the older its open deliveries are, and goes when the slot is sealed and over.
 */
function nextDue(
  dueAtMs: number | undefined,
  startMs: number,
  open: number,
  nowMs: number,
): number | undefined {
  const endMs = startMs + MINUTE_MS;
  if (dueAtMs !== undefined && dueAtMs > nowMs) return dueAtMs;
  if (nowMs < endMs + FIRST_FOLD_MS) return endMs + FIRST_FOLD_MS;
  if (open > 0) return nowMs + Math.max(OPEN_REFOLD_MIN_MS, Math.floor((nowMs - endMs) / 8));
  if (nowMs < endMs + SEAL_MS) return endMs + SEAL_MS;
  return undefined;
}

async function rollUp(merchantId: string, minuteMs: number, ports: AggregatePorts): Promise<void> {
  const hourMs = Math.floor(minuteMs / HOUR_MS) * HOUR_MS;
  const dayMs = Math.floor(minuteMs / DAY_MS) * DAY_MS;
  await sumInto({ merchantId, grain: 'hour', startMs: hourMs }, 'minute', HOUR_MS, ports);
  await sumInto({ merchantId, grain: 'day', startMs: dayMs }, 'hour', DAY_MS, ports);
}

async function sumInto(
  key: SlotKey,
  parts: SlotKey['grain'],
  lengthMs: number,
  ports: AggregatePorts,
): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const seen = await ports.counters.read(key);
    const rows = await ports.counters.range(key.merchantId, parts, key.startMs, key.startMs + lengthMs);
    const counters = sumCounters(rows.map((row) => row.counters));
    if (seen !== null && sameCounters(seen.counters, counters)) return;
    if (await ports.counters.write({ key, version: (seen?.version ?? 0) + 1, counters })) return;
  }
  throw new Error('a coarser slot could not be written: others kept writing it');
}

function sameCounters(a: SlotCounters, b: SlotCounters): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    entry !== null && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([x], [y]) => (x < y ? -1 : 1)))
      : entry,
  );
}
