// What series show of times that follow each other, such as the days of a time zone: from days of UTC and the parts that are stored
// with them; from hours and minutes where a day has no parts (yet). Guarantees: no minute is counted twice; the sums are those of
// `readCounters` over each time.
import { DAY_MS, floorTo, HOUR_MS } from '#lib/core/work/time-slot.ts';
import { type BucketCounters, EMPTY_COUNTERS } from '#lib/events/domain/analytics/analytics.ts';
import { placed } from '#lib/events/domain/analytics/series.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { BucketRow, CounterStore } from '#lib/events/ports/counter-store.ts';
import { readCounters } from './counter-range.ts';

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
  readonly counters: Pick<CounterStore, 'range'>;
}

/** Of `edges`, ascending, each two neighbours are the ends of a time. Of days only what series show is counted. */
export async function sumsBetween(
  merchantId: string,
  edges: readonly number[],
  { counters }: Ports,
): Promise<readonly BucketCounters[]> {
  const [fromMs = 0, toMs = 0] = [edges[0], edges.at(-1)];
  const firstMs = floorTo(fromMs, DAY_MS);
  const rows = await counters.range(merchantId, 'day', firstMs, -floorTo(-toMs, DAY_MS));
  const byStart = new Map(rows.map((row) => [row.key.startMs, row]));
  const pieces: Piece[] = [];
  const gaps: Range[] = [];
  const cuts = edges.values();
  let next = cuts.next();
  for (let dayMs = firstMs; dayMs < toMs; dayMs += DAY_MS) {
    const inside: number[] = [];
    for (; next.value !== undefined && next.value < dayMs + DAY_MS; next = cuts.next())
      if (next.value > dayMs) inside.push(next.value);
    const isRunning = inside.at(-1) === toMs;
    const day = readDay(dayMs, byStart.get(dayMs), inside, isRunning);
    pieces.push(...day.pieces);
    gaps.push(...day.gaps);
  }
  const wanted = joined(gaps).flatMap((gap) => clipped(gap, edges));
  const finer = await Promise.all(wanted.map((gap) => readFiner(merchantId, gap, { counters })));
  return summed(edges, [...pieces, ...finer.flat()]);
}

/** A day that no time begins or ends in is one piece, another one its parts, as far as none is cut. Of one that runs hours know more. */
function readDay(
  dayMs: number,
  row: BucketRow | undefined,
  inside: readonly number[],
  isRunning: boolean,
): Read {
  const whole = { fromMs: dayMs, toMs: dayMs + DAY_MS };
  if (row === undefined) return { pieces: [], gaps: [whole] };
  if (inside.length === 0) return { pieces: [{ startMs: dayMs, counters: row.counters }], gaps: [] };
  if (row.parts === undefined || isRunning) return { pieces: [], gaps: [whole] };
  const pieces: Piece[] = [];
  const gaps: Range[] = [];
  for (const { startMs, endMs, counters } of placed(row.parts, dayMs)) {
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
