// Walks a merchant's rows by time of receipt. Guarantees: bounded, whatever the range holds; an index entry that is older
// than its row is not shown. Where nothing but the time has to be known, no row is read; where counters or manifests say that
// an event is not looked for, neither is its.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import { type BatchKey, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import { ROW_MS } from '#lib/events/domain/event/row-expiry.ts';
import { bucketEndOf, shardOf } from '#lib/events/domain/shard.ts';
import { readMinuteItems } from '#lib/events/pipeline/counting/batches-of-minute.ts';
import { type Entry, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ApiPorts } from '../ports.ts';
import type { CountedMatch, Fate } from './counted-match.ts';
import { type Part, partsToLookAt } from './slots.ts';

/** Index entries one request looks at. */
export const SCAN_ENTRIES_MAX = 20_000;
/** Rows one request reads to filter or sort them. */
export const SCAN_ROWS_MAX = 10_000;
export const PAGE_MAX = 500;
/** Where about each entry is of what is looked for. */
const FIRST_PAGE = 120;

export type { Entry };

/** Read units after which a page that may end early reads nothing more: it ends with fewer rows and a cursor. */
export const PAGE_UNITS = 56;
/** After which it begins no other part, reads no other counters, and no other page of the index. */
const PART_UNITS = 42;
const SLOT_UNITS = 47;
export const INDEX_UNITS = 44;

export type ScanPorts = Pick<ApiPorts, 'events' | 'counters' | 'clock' | 'units'> & {
  readonly stored: Pick<ApiPorts['stored'], 'batches'>;
};

export interface ScanRange {
  readonly merchantId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'asc' | 'desc';
  /** Nothing up to this entry: the last one of the page before. */
  readonly after?: Place;
}

export type Place = Pick<Entry, 'receivedAtMs' | 'ingestId'>;

/** Where a walk ends before the range does. */
export interface Cut {
  at?: Place | undefined;
  /** So much was read. */
  readonly read: () => number;
  /** So much of what may be read was: without `alone`. */
  readonly spent: () => number;
  /**
   * What outcomes of events cost that came alone: they have an item for each platform. With them, a page of a merchant with few events
   * would end after a dozen.
   */
  alone: number;
}

const NOT_COUNTED = (): number => Number.NEGATIVE_INFINITY;
export const UNCUT: Readonly<Cut> = { read: NOT_COUNTED, spent: NOT_COUNTED, alone: 0 };

/** What has been read since, in units; nothing where they are not counted. What every request reads, of its person, counts for no page. */
export function unitsSince({ units }: Pick<ApiPorts, 'units'>): () => number {
  const read = (): number => units?.meter.consumed().read ?? 0;
  const before = read();
  return () => read() - before;
}

/** `kept`: units that are left for the time after the walk. */
export function cutAt(read: () => number, kept = 0): Cut {
  const cut: Cut = { read, spent: () => read() + kept - cut.alone, alone: 0 };
  return cut;
}

/** Entries in order, in pages: of all events, or of those that may be meant. */
export async function* scanEntries(
  range: ScanRange,
  ports: ScanPorts,
  match: CountedMatch | null = null,
  cut: Cut = UNCUT,
  pageMax = PAGE_MAX,
): AsyncGenerator<readonly Entry[], void> {
  const { merchantId, after, order } = range;
  let { fromMs, toMs } = range;
  if (after !== undefined && order === 'asc') fromMs = Math.max(fromMs, after.receivedAtMs);
  if (after !== undefined && order === 'desc') toMs = Math.min(toMs, after.receivedAtMs + 1);
  const whole = { merchantId, fromMs, toMs, order };
  const entries =
    match === null ? untilCut(receivedEntries(whole, pageMax, ports), cut) : meant(whole, ports, match, cut);
  for await (const page of entries) {
    const keys = after === undefined ? page : page.filter((entry) => isBeyond(entry, after, order));
    if (keys.length > 0) yield keys;
  }
}

type Whole = Omit<ScanRange, 'after'>;

async function* meant(
  whole: Whole,
  ports: ScanPorts,
  match: CountedMatch,
  cut: Cut,
): AsyncGenerator<readonly Entry[], void> {
  const { merchantId, fromMs, toMs, order } = whole;
  const shards = fromMs < toMs ? await ports.counters.openedShards(merchantId, fromMs, toMs) : [];
  // Each part asks for its own days, which are known.
  const openedShards = async (_: string, from: number, to: number) =>
    shards.filter(({ dayMs }) => dayMs < to && from < dayMs + DAY_MS);
  const own = { events: ports.events, counters: { openedShards } };
  const isDue = (): boolean => cut.spent() >= SLOT_UNITS;
  const cutBefore = (next: Pick<Part, 'fromMs' | 'toMs'>): void => {
    cut.at = placeBefore(next, order);
  };
  const { counters, clock } = ports;
  const slots = { ...whole, nowMs: clock.now(), mayHold: match.mayHold, counters, isDue, cutBefore };
  let isFirst = true;
  for await (const part of partsToLookAt(slots)) {
    const large = withManifests(part, ports, match);
    const rows = large.reduce((sum, bucket) => sum + rowsIn(bucket.counters), 0);
    const hasRoom = cut.spent() + rows * MANIFEST_ROW_UNITS < INDEX_UNITS;
    // The next page has the most room there is.
    if (!isFirst && (cut.spent() >= PART_UNITS || !hasRoom)) return cutBefore(part);
    isFirst = false;
    const ids = hasRoom ? large.map((bucket) => notMeantIn(bucket, ports.stored.batches, match)) : [];
    const others = new Set((await Promise.all(ids)).flat());
    const { fromMs, toMs, gaps } = part;
    const isMeant = ({ ingestId, receivedAtMs: atMs }: Entry): boolean =>
      !others.has(ingestId) && !gaps.some((gap) => gap.fromMs <= atMs && atMs < gap.toMs);
    const inBuckets = part.buckets.reduce((sum, { counters }) => sum + rowsIn(counters), 0);
    const isDense = gaps.length === 0 && 2 * others.size < inBuckets;
    const first = isDense && cut !== UNCUT ? FIRST_PAGE : PAGE_MAX;
    yield* untilCut(receivedEntries({ ...whole, fromMs, toMs }, PAGE_MAX, own, first), cut, isMeant);
    if (cut.at !== undefined) return;
  }
}

/** Pages, until so much was read that there is no room for another. */
async function* untilCut(
  pages: AsyncIterable<readonly Entry[]>,
  cut: Cut,
  isMeant: (entry: Entry) => boolean = () => true,
): AsyncGenerator<readonly Entry[], void> {
  let last: Entry | undefined;
  for await (const page of pages) {
    yield page.filter(isMeant);
    last = page.at(-1);
    if (last !== undefined && cut.spent() >= INDEX_UNITS) {
      cut.at = last;
      return;
    }
  }
}

/** Everything up to the part was looked at, and nothing of it. */
const placeBefore = ({ fromMs, toMs }: Pick<Part, 'fromMs' | 'toMs'>, order: Whole['order']): Place =>
  order === 'asc'
    ? { receivedAtMs: fromMs - 1, ingestId: `ffffffff-ffff-ffff-ffff-${'f'.repeat(12)}` }
    : { receivedAtMs: toMs, ingestId: `00000000-0000-0000-0000-${'0'.repeat(12)}` };

/** Slots of fewer rows are read row by row. */
const MANIFESTS_FROM_ROWS = 100;
/** Of the manifests and outcomes of a batch, for each of its rows: a page that may end early reads them where it has room. */
const MANIFEST_ROW_UNITS = 0.008;

/** Whose manifests tell what is looked for from what is not. */
function withManifests(
  { buckets }: Part,
  { clock, events }: ScanPorts,
  match: CountedMatch,
): readonly BucketRow[] {
  if (!match.tellsRows) return [];
  // Where rows leave for pages, the items of older ones may be going, one by one.
  const keptMs = events.hold === undefined ? Number.NEGATIVE_INFINITY : clock.now() - ROW_MS;
  return buckets.filter(
    ({ key, counters }) => rowsIn(counters) >= MANIFESTS_FROM_ROWS && key.startMs > keptMs,
  );
}

const UNATTEMPTED: Fate = { state: 'QUEUED' };

/** Ingest ids of those rows that the manifests of their batches tell apart from what is looked for. */
async function notMeantIn(
  { key, foldedAtMs = 0, counters }: BucketRow,
  batches: Pick<BatchStore, 'ofMinute'>,
  match: CountedMatch,
): Promise<readonly string[]> {
  const minute = { merchantId: key.merchantId, minuteMs: key.startMs, shard: shardOf(key) };
  const { manifests, outcomes, unreadable } = await readMinuteItems(minute, batches);
  const itemId = (batch: BatchKey, platform?: string) => `${platform}/${batchId(batch)}`;
  const fates = new Map(outcomes.map((one) => [itemId(one.batch, one.platform), one]));
  const isWhole = foldedAtMs >= bucketEndOf(key);
  const lost = new Set(unreadable.map(({ batch, platform }) => itemId(batch, platform)));
  return manifests.flatMap(({ batch, rows }) =>
    rows.flatMap((row, position) => {
      const fateAt = (target: string) => {
        const id = itemId(batch, target);
        return lost.has(id) ? undefined : (deliveryAt(fates.get(id), position) ?? UNATTEMPTED);
      };
      return match.mayBe(row, isWhole ? counters : null, fateAt) ? [] : [row.ingestId];
    }),
  );
}

function isBeyond(entry: Entry, after: NonNullable<ScanRange['after']>, order: 'asc' | 'desc'): boolean {
  const [first, second] = order === 'asc' ? [after, entry] : [entry, after];
  if (first.receivedAtMs !== second.receivedAtMs) return first.receivedAtMs < second.receivedAtMs;
  return first.ingestId < second.ingestId;
}
