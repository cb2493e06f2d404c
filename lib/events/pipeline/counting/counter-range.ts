// Counters of any range of whole minutes, from the fewest rows: days where the range holds whole days, hours around
// them, minutes at the edges and in the hour that runs. Guarantees: no minute is counted twice; a coarse row that does
// not exist (yet) is replaced by the finer ones below it.
import { floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import { bucketEndOf } from '#lib/events/domain/shard.ts';
import {
  type BucketKey,
  type BucketRow,
  type CounterStore,
  GRAIN_MS,
} from '#lib/events/ports/counter-store.ts';

const GRAINS = ['day', 'hour', 'minute'] as const satisfies readonly BucketKey['grain'][];

/**
 * Rows of any grain that tile [fromMs, toMs) without overlap, ascending. Both ends are widened to whole minutes; a longer
 * bucket belongs to the range that holds its start, so that ranges side by side count each once.
 */
export async function readCounters(
  merchantId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { counters }: { readonly counters: Pick<CounterStore, 'range'> },
  coarsest: 'day' | 'hour' = 'day',
): Promise<readonly BucketRow[]> {
  const from = floorTo(fromMs, MINUTE_MS);
  const to = -floorTo(-toMs, MINUTE_MS);
  const rows = await tile(counters, merchantId, GRAINS.indexOf(coarsest), from, to);
  return [...rows].sort((a, b) => a.key.startMs - b.key.startMs);
}

/** When it ends, milliseconds. */
export const endOf = (key: BucketKey): number =>
  key.grain === 'minute' ? bucketEndOf(key) : key.startMs + GRAIN_MS[key.grain];

export const total = (rows: readonly BucketRow[]): BucketCounters =>
  sumCounters(rows.map(({ counters }) => counters));

async function tile(
  counters: Pick<CounterStore, 'range'>,
  merchantId: string,
  level: number,
  fromMs: number,
  toMs: number,
): Promise<readonly BucketRow[]> {
  const grain = GRAINS[level];
  if (grain === undefined || fromMs >= toMs) return [];
  const lengthMs = GRAIN_MS[grain];
  const first = -floorTo(-fromMs, lengthMs);
  const end = floorTo(toMs, lengthMs);
  const finer = (a: number, b: number) => tile(counters, merchantId, level + 1, a, b);
  if (first >= end) return await finer(fromMs, toMs);
  const rows = await counters.range(merchantId, grain, first, end);
  const parts = await Promise.all(
    gapsBetween(rows, lengthMs, fromMs, toMs).map(([gapFrom, gapTo]) => finer(gapFrom, gapTo)),
  );
  return [...rows, ...parts.flat()];
}

/** What of [fromMs, toMs) the rows leave out, neighbours joined. */
function gapsBetween(
  rows: readonly BucketRow[],
  lengthMs: number,
  fromMs: number,
  toMs: number,
): readonly (readonly [number, number])[] {
  const gaps: (readonly [number, number])[] = [];
  let at = fromMs;
  for (const { key } of rows) {
    if (key.startMs > at) gaps.push([at, key.startMs]);
    at = key.startMs + lengthMs;
  }
  if (at < toMs) gaps.push([at, toMs]);
  return gaps;
}
