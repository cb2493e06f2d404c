// What series and sums of money need of an hour and of a day, cut where a day may begin in some time zone: at whole hours, and
// within some of them at half past. Stored beside the sums, so that the days of a zone are read from the days of UTC. Pure.
import { hash } from 'node:crypto';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { type BucketCounters, EMPTY_COUNTERS } from './analytics.ts';
import { dueTotals } from './delivery-totals.ts';
import { rowsIn, sumCounters } from './sum.ts';

/** Counters without what no series shows. Deliveries stand under one platform and name. */
export type SeriesPart = Pick<
  BucketCounters,
  'events' | 'bots' | 'deliveries' | 'revenue' | 'refunds' | 'credits' | 'moves'
>;

/** By where they begin: `18` is the whole hour, `18:30` what follows this moment up to the next cut. Empty ones are left out. */
export type SeriesParts = Readonly<Record<string, SeriesPart>>;

interface Part {
  readonly startMs: number;
  readonly counters: BucketCounters;
}

/** Hours of UTC at whose half a day begins somewhere: from Newfoundland at 2:30 to Iran at 20:30. The others are never cut. */
const CUT_HOURS: ReadonlySet<number> = new Set([2, 3, 9, 13, 14, 17, 18, 19, 20]);
const CUT = 30;

export function seriesPart(whole: BucketCounters): SeriesPart {
  const { events, bots, revenue, refunds, credits, moves, ...counters } = whole;
  const { delivered, undelivered } = dueTotals(counters);
  const words = {
    ...(delivered > 0 ? { DELIVERED: delivered } : {}),
    ...(undelivered > 0 ? { FAILED: undelivered } : {}),
  };
  return {
    ...{ events, bots, revenue },
    deliveries: delivered + undelivered === 0 ? {} : { all: { all: words } },
    ...withoutUndefined({ refunds, credits, moves }),
  };
}

/** As they were summed, with nothing in what no series shows. */
export const ofSeries = (part: SeriesPart): BucketCounters => ({ ...EMPTY_COUNTERS, ...part });

/** Of an hour that is cut, from its minutes; of others nothing. */
export function partsOfHour(minutes: readonly Part[], hourMs: number): SeriesParts | undefined {
  const hour = new Date(hourMs).getUTCHours();
  if (!CUT_HOURS.has(hour)) return undefined;
  const byCut = Map.groupBy(minutes, ({ startMs }) => cutOf((startMs - hourMs) / MINUTE_MS));
  return partsFrom(
    [...byCut].map(([cut, own]) => [keyOf(hour, cut), sumCounters(own.map(({ counters }) => counters))]),
  );
}

const cutOf = (minute: number): number => (minute < CUT ? 0 : CUT);
const keyOf = (hour: number, cut: number): string => `${hour}:${String(cut).padStart(2, '0')}`;

/** Of a day from its hours. */
export function partsOfDay(
  hours: readonly (Part & { readonly parts?: SeriesParts | undefined })[],
): SeriesParts {
  return Object.assign(
    {},
    ...hours.map(
      ({ startMs, counters, parts }) =>
        parts ?? partsFrom([[String(new Date(startMs).getUTCHours()), counters]]),
    ),
  ) as SeriesParts;
}

const partsFrom = (parts: readonly (readonly [string, BucketCounters])[]): SeriesParts =>
  Object.fromEntries(
    parts
      .filter(([, counters]) => rowsIn(counters) > 0)
      .map(([key, counters]) => [key, seriesPart(counters)]),
  );

/** Of the parts alone: equal ones have the same. */
export const digestOf = (parts: SeriesParts): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 12);

/** [startMs, endMs) of each part of a day or hour that begins at this time. */
export function placed(parts: SeriesParts, slotMs: number): readonly (Part & { readonly endMs: number })[] {
  const dayMs = floorTo(slotMs, 24 * HOUR_MS);
  return Object.entries(parts).map(([key, part]) => {
    const [hour, cut] = key.split(':').map(Number);
    const startMs = dayMs + (hour ?? 0) * HOUR_MS + (cut ?? 0) * MINUTE_MS;
    const lengthMs = (cut === undefined ? 60 : CUT) * MINUTE_MS;
    return { startMs, endMs: startMs + lengthMs, counters: ofSeries(part) };
  });
}
