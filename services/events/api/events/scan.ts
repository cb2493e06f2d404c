// Walks a merchant's rows by time of receipt. Guarantees: bounded, whatever the range holds; an index entry that is older
// than its row is not shown. Where nothing but the time has to be known, no row is read; where counters or manifests say that
// an event is not looked for, neither is its.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import { type BatchKey, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { ROW_MS } from '#lib/events/domain/event/row-expiry.ts';
import { bucketEndOf, shardOf } from '#lib/events/domain/shard.ts';
import { readMinuteItems } from '#lib/events/pipeline/counting/batches-of-minute.ts';
import { type Entry, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ApiPorts } from '../ports.ts';
import type { CountedMatch, Fate } from './counted-match.ts';
import type { EventFilter } from './filter.ts';
import { type Part, partsToLookAt } from './slots.ts';

/** Index entries one request looks at. */
export const SCAN_ENTRIES_MAX = 20_000;
/** Rows one request reads to filter or sort them. */
export const SCAN_ROWS_MAX = 10_000;
const PAGE_MAX = 500;
const READ_MAX = 100;

export type { Entry };

/**
 * Read units after which a page of codes looks for no other part, and reads no other rows: it ends with fewer rows and a cursor. A
 * part that was begun is looked through.
 */
const WALK_UNITS = 30;
const ROW_UNITS = 50;

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
interface Cut {
  at?: Place;
  readonly isDue: () => boolean;
}

/** Entries in order, in pages: of all events, or of those that may be meant. */
export async function* scanEntries(
  range: ScanRange,
  ports: ScanPorts,
  match: CountedMatch | null = null,
  cut: Cut = { isDue: () => false },
): AsyncGenerator<readonly Entry[], void> {
  const { merchantId, after, order } = range;
  let { fromMs, toMs } = range;
  if (after !== undefined && order === 'asc') fromMs = Math.max(fromMs, after.receivedAtMs);
  if (after !== undefined && order === 'desc') toMs = Math.min(toMs, after.receivedAtMs + 1);
  const whole = { merchantId, fromMs, toMs, order };
  const entries = match === null ? receivedEntries(whole, PAGE_MAX, ports) : meant(whole, ports, match, cut);
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
  const slots = { ...whole, nowMs: ports.clock.now(), mayHold: match.mayHold, counters: ports.counters };
  let isFirst = true;
  for await (const part of partsToLookAt(slots)) {
    if (!isFirst && cut.isDue()) {
      cut.at = placeBefore(part, order);
      return;
    }
    isFirst = false;
    const others = await notMeant(part, ports, match);
    const { fromMs, toMs, gaps } = part;
    const isMeant = ({ ingestId, receivedAtMs: atMs }: Entry): boolean =>
      !others.has(ingestId) && !gaps.some((gap) => gap.fromMs <= atMs && atMs < gap.toMs);
    for await (const page of receivedEntries({ ...whole, fromMs, toMs }, PAGE_MAX, own))
      yield page.filter(isMeant);
  }
}

/** Everything up to the part was looked at, and nothing of it. */
const placeBefore = ({ fromMs, toMs }: Part, order: Whole['order']): Place =>
  order === 'asc'
    ? { receivedAtMs: fromMs - 1, ingestId: `ffffffff-ffff-ffff-ffff-${'f'.repeat(12)}` }
    : { receivedAtMs: toMs, ingestId: `00000000-0000-0000-0000-${'0'.repeat(12)}` };

/** Slots of fewer rows are read row by row. */
const MANIFESTS_FROM_ROWS = 100;

/** Ingest ids of those rows that the manifests of their batches tell apart from what is looked for. */
async function notMeant(
  { buckets }: Part,
  { stored, clock, events }: ScanPorts,
  match: CountedMatch,
): Promise<ReadonlySet<string>> {
  // Where rows leave for pages, the items of older ones may be going, one by one.
  const keptMs = events.hold === undefined ? Number.NEGATIVE_INFINITY : clock.now() - ROW_MS;
  const large = buckets.filter(
    ({ key, counters }) => rowsIn(counters) >= MANIFESTS_FROM_ROWS && key.startMs > keptMs,
  );
  const ids = await Promise.all(large.map((bucket) => notMeantIn(bucket, stored.batches, match)));
  return new Set(ids.flat());
}

const UNATTEMPTED: Fate = { state: 'QUEUED' };

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

/** The rows of these entries as they were a moment ago, in their order, without those that cannot be read. */
export async function readRows(entries: readonly Entry[], events: ApiPorts['events']): Promise<EventRow[]> {
  const chunks = Array.from({ length: Math.ceil(entries.length / READ_MAX) }, (_, i) =>
    entries.slice(i * READ_MAX, (i + 1) * READ_MAX),
  );
  const read = await Promise.all(
    chunks.map((chunk) =>
      events.readMany(
        chunk.map(({ key }) => key),
        'eventual',
      ),
    ),
  );
  const rows = new Map(read.flatMap((part) => part.rows).map((row) => [rowId(row), row]));
  return entries.flatMap((entry) => rows.get(rowId(entry)) ?? []);
}

function rowId({ key, ingestId }: Pick<Entry, 'key' | 'ingestId'>): string {
  return JSON.stringify([key.channel, key.eventId, key.archivedAs ?? null, ingestId]);
}

export interface ScanMatch {
  readonly entry: Entry;
  readonly row: EventRow;
}

export interface ScanEnd {
  /** True when the range was walked to its end. */
  readonly complete: boolean;
  readonly last: Place | undefined;
}

export type Wish = 'find' | 'stop';

/**
 * Gives every match to `take` until that wants no more, or the range or the bound ends. `wanted`: how many it takes where all are
 * matches.
 */
export async function scanMatches(
  range: ScanRange,
  filter: EventFilter,
  ports: ScanPorts,
  take: (match: ScanMatch) => Wish,
  wanted = READ_MAX,
): Promise<ScanEnd> {
  let left = SCAN_ROWS_MAX;
  let last: Place | undefined;
  const spent = (): number =>
    filter.isFrugal === true ? (ports.units?.meter.consumed().read ?? 0) : Number.NEGATIVE_INFINITY;
  const cut: Cut = { isDue: () => spent() >= WALK_UNITS };
  const pages = scanEntries(range, ports, filter.counted, cut);
  for await (const entries of chunks(pages, Math.min(wanted, READ_MAX), () => ROW_UNITS - spent())) {
    if (last !== undefined && spent() >= ROW_UNITS) return { complete: false, last };
    const rows = new Map(
      (await readRows(entries.slice(0, left), ports.events)).map((row) => [rowId(row), row]),
    );
    for (const entry of entries) {
      if (left === 0) return { complete: false, last };
      left -= 1;
      last = entry;
      const row = rows.get(rowId(entry));
      if (row === undefined || !(await filter.matches(row))) continue;
      if (take({ entry, row }) === 'stop') return { complete: false, last };
    }
  }
  return cut.at === undefined ? { complete: true, last } : { complete: false, last: cut.at };
}

/** Few at first, where most lists find what they show, then twice as many each time; never more than `max`, but one. */
async function* chunks(
  pages: AsyncIterable<readonly Entry[]>,
  first: number,
  max: () => number,
): AsyncGenerator<readonly Entry[]> {
  let size = first;
  for await (const page of pages)
    for (let at = 0; at < page.length; ) {
      const chunk = page.slice(at, at + Math.max(1, Math.min(size, max())));
      yield chunk;
      at += chunk.length;
      size = Math.min(2 * size, PAGE_MAX);
    }
}
