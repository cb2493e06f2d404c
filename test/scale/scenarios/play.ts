// What scenarios have in common: three platforms, warm tables, and waiting until all is delivered.
import { parseDue } from '#lib/adapters/dynamodb/core/items/due-index.ts';
import type { CapacityOptions } from '../dynamodb/capacity.ts';
import { quantile } from '../journal.ts';
import type { Region } from '../region.ts';
import { type Stream, startStream } from '../traffic.ts';

export const MINUTE_MS = 60_000;
/** What "3 platforms" means in every published figure. */
export const THREE = ['meta', 'ga4', 'tiktok'] as const;

/** Warm throughput as a deployment for such traffic sets it; what is not named starts like a new table. */
export function warmed(writeUnits: number, readUnits: number, standsFor = 1) {
  return (_name: string): Omit<CapacityOptions, 'name'> => ({ warm: { writeUnits, readUnits }, standsFor });
}

export function startStreams(region: Region, streams: readonly Stream[]): void {
  const { journal, scheduler } = region;
  for (const stream of streams)
    startStream(stream, { ingestion: region.fn('ingestion'), journal, scheduler });
}

/** Indexes of the small merchant's events begin here. */
const SMALL_FROM = 5_000_000;
export const isSmall = (index: number): boolean => index >= SMALL_FROM;

/** Two merchants that send at once: one at the rate, the other an event a second. */
export function startLargeAndSmall(
  region: Region,
  { rate, ...span }: Pick<Stream, 'fromMs' | 'untilMs'> & { readonly rate: number },
): void {
  const [large, small] = region.merchants;
  if (large === undefined || small === undefined) throw new Error('two merchants were planted');
  startStreams(region, [
    { merchants: [large], rate: () => rate, ...span, firstIndex: 0 },
    { merchants: [small], rate: () => 1, ...span, firstIndex: SMALL_FROM },
  ]);
}

/** Event sources begin with 5 invocations and add 5 a second: one that needs 77 has a backlog of 14 seconds to work off. */
const GROWN_MS = 20_000;
export const P99_GROWN = 'p99 of 202 → delivered after the first 20 seconds, ms';

/** The figure of that name, of traffic that began then; none where it ended earlier. */
export function p99Grown({ journal }: Region, fromMs: number): Readonly<Record<string, number>> {
  const grown = journal.latencies({ fromMs: fromMs + GROWN_MS });
  return grown.length === 0 ? {} : { [P99_GROWN]: quantile(grown, 0.99) };
}

const LOOK_MS = 1_000;

/** Runs until every accepted event is at every platform, at most until `untilMs`; answers when it was, or `untilMs`. */
export async function untilDelivered(
  region: Region,
  untilMs: number,
  platforms: readonly string[] = region.journal.platforms,
): Promise<number> {
  const { scheduler, journal } = region;
  const all = (): boolean => platforms.every((slug) => journal.deliveries(slug) >= journal.accepted());
  while (!all() && scheduler.now() < untilMs)
    await scheduler.run(Math.min(untilMs, scheduler.now() + LOOK_MS));
  return scheduler.now();
}

/** Items of a table that were due `sinceMs` ago or longer, and that nobody has looked at. */
export function overdue(region: Region, variable: string, sinceMs: number): number {
  const name = region.tableOf(variable);
  const range = region.database.table(name).indexes.get('due');
  if (range === undefined) return 0;
  const beforeMs = region.scheduler.now() - sinceMs;
  let count = 0;
  for (const { da, dp } of region.database.table(name).all())
    if (dp !== undefined && (parseDue(da)?.atMs ?? beforeMs) < beforeMs) count += 1;
  return count;
}

/** Of all tables, so far. */
export const unitsOf = (region: Region, which: 'writeUnits' | 'readUnits'): number =>
  region.capacity().reduce((sum, report) => sum + report[which], 0);
