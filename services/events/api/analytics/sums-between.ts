// What series show of times that follow each other, such as the days of a time zone: from days of UTC and the parts that are stored
// with them; from hours and minutes where a day has no parts (yet). Guarantees: no minute is counted twice; the sums are those of
// `readCounters` over each time.
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { placed, type SeriesParts } from '#lib/events/domain/analytics/series.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import { readCounters } from '#lib/events/pipeline/counting/counter-range.ts';
import type { BucketRow, CounterStore } from '#lib/events/ports/counter-store.ts';

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}
interface Piece {
  readonly startMs: number;
  readonly counters: BucketCounters;
}
/** What is known, and what has to be read by finer counters. */
interface Read {
  readonly pieces: readonly Piece[];
  readonly gaps: readonly Range[];
}

interface Ports {
  readonly counters: Pick<CounterStore, 'range' | 'partsOfDays'>;
}

/**
 * Of `edges`, ascending, each two neighbours are the ends of a time. Of days only what series show is counted. `known`: days that were
 * read already.
 */
export async function sumsBetween(
  merchantId: string,
  edges: readonly number[],
  { counters }: Ports,
  known?: readonly BucketRow[],
): Promise<readonly BucketCounters[]> {
  const [fromMs = 0, toMs = 0] = [edges[0], edges.at(-1)];
  const firstMs = floorTo(fromMs, DAY_MS);
  const own = known?.filter(({ key }) => key.grain === 'day');
  const rows = own ?? (await counters.range(merchantId, 'day', firstMs, -floorTo(-toMs, DAY_MS)));
  const byStart = new Map(rows.map((row) => [row.key.startMs, row]));
  const days = daysOf(firstMs, edges);
  // Of a day that runs hours know more.
  const isCut = ({ inside }: Day): boolean => inside.length > 0 && inside.at(-1) !== toMs;
  const wanted = days.flatMap((day) => (isCut(day) ? (byStart.get(day.dayMs) ?? []) : []));
  const parts = await counters.partsOfDays(merchantId, wanted);
  const read = days.map((day) => readDay(day, byStart.get(day.dayMs), parts.get(day.dayMs)));
  const gaps = joined(read.flatMap((day) => day.gaps)).flatMap((gap) => clipped(gap, edges));
  const finer = await Promise.all(gaps.map((gap) => readFiner(merchantId, gap, { counters })));
  return summed(edges, [...read.flatMap((day) => day.pieces), ...finer.flat()]);
}

interface Day {
  readonly dayMs: number;
  /** Edges within it. */
  readonly inside: readonly number[];
}

function daysOf(firstMs: number, edges: readonly number[]): readonly Day[] {
  const toMs = edges.at(-1) ?? firstMs;
  const byDay = Map.groupBy(edges, (edgeMs) => floorTo(edgeMs, DAY_MS));
  return Array.from({ length: Math.ceil((toMs - firstMs) / DAY_MS) }, (_, i) => {
    const dayMs = firstMs + i * DAY_MS;
    return { dayMs, inside: (byDay.get(dayMs) ?? []).filter((edgeMs) => edgeMs > dayMs) };
  });
}

/** A day that no time begins or ends in is one piece, another one its parts, as far as none is cut. */
function readDay({ dayMs, inside }: Day, row: BucketRow | undefined, parts: SeriesParts | undefined): Read {
  const whole = { fromMs: dayMs, toMs: dayMs + DAY_MS };
  if (row !== undefined && inside.length === 0)
    return { pieces: [{ startMs: dayMs, counters: row.counters }], gaps: [] };
  if (parts === undefined) return { pieces: [], gaps: [whole] };
  const pieces: Piece[] = [];
  const gaps: Range[] = [];
  for (const { startMs, endMs, counters } of placed(parts, dayMs)) {
    if (inside.some((edgeMs) => edgeMs > startMs && edgeMs < endMs))
      gaps.push({ fromMs: startMs, toMs: endMs });
    else pieces.push({ startMs, counters });
  }
  return { pieces, gaps };
}

function joined(gaps: readonly Range[]): readonly Range[] {
  const all: Range[] = [];
  for (const gap of gaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (last === undefined || last.toMs < gap.fromMs) all.push(gap);
    else all[all.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, gap.toMs) };
  }
  return all;
}

/** Within the first and the last edge, and cut at those that no hour begins with. */
function clipped({ fromMs, toMs }: Range, edges: readonly number[]): readonly Range[] {
  const startMs = Math.max(fromMs, edges[0] ?? fromMs);
  const endMs = Math.min(toMs, edges.at(-1) ?? toMs);
  const cuts = edges.filter((edgeMs) => edgeMs > startMs && edgeMs < endMs && edgeMs % HOUR_MS !== 0);
  return [startMs, ...cuts].map((cutMs, i) => ({ fromMs: cutMs, toMs: cuts[i] ?? endMs }));
}

async function readFiner(merchantId: string, gap: Range, ports: Ports): Promise<readonly Piece[]> {
  const rows = await readCounters(merchantId, gap, ports, 'hour');
  return rows.map(({ key, counters }) => ({ startMs: key.startMs, counters }));
}

function summed(edges: readonly number[], pieces: readonly Piece[]): readonly BucketCounters[] {
  const times: BucketCounters[][] = edges.slice(1).map(() => []);
  let at = 0;
  for (const { startMs, counters } of pieces.toSorted((a, b) => a.startMs - b.startMs)) {
    if (startMs < (edges[0] ?? 0)) continue;
    while (startMs >= (edges[at + 1] ?? Number.POSITIVE_INFINITY)) at += 1;
    times[at]?.push(counters);
  }
  return times.map((own) => (own.length === 0 ? EMPTY_COUNTERS : sumCounters(own)));
}
