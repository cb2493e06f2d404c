// Walks a merchant's rows by time of receipt. Guarantees: bounded, whatever the range holds; an index entry that is older
// than its row is not shown. Where nothing but the time has to be known, no row is read; where counters or manifests say that
// an event is not looked for, neither is its.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { rowsIn } from '#lib/events/domain/analytics/sum.ts';
import { type BatchKey, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { ROW_MS } from '#lib/events/domain/event/row-expiry.ts';
import { shardOf } from '#lib/events/domain/shard.ts';
import { readMinuteItems } from '#lib/events/pipeline/counting/batches-of-minute.ts';
import { type Entry, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { BucketRow } from '#lib/events/ports/counter-store.ts';
import type { ApiPorts } from '../ports.ts';
import type { CountedMatch } from './counted-match.ts';
import type { EventFilter } from './filter.ts';
import { type Part, partsToLookAt } from './slots.ts';

/** Index entries one request looks at. */
export const SCAN_ENTRIES_MAX = 20_000;
/** Rows one request reads to filter or sort them. */
export const SCAN_ROWS_MAX = 10_000;
const PAGE_MAX = 500;
const READ_MAX = 100;

export type { Entry };

export type ScanPorts = Pick<ApiPorts, 'events' | 'counters' | 'clock'> & {
  readonly stored: Pick<ApiPorts['stored'], 'batches'>;
};

export interface ScanRange {
  readonly merchantId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'asc' | 'desc';
  /** Nothing up to this entry: the last one of the page before. */
  readonly after?: { readonly receivedAtMs: number; readonly ingestId: string };
}

/** Entries in order, in pages: of all events, or of those that may be meant. */
export async function* scanEntries(
  range: ScanRange,
  ports: ScanPorts,
  match: CountedMatch | null = null,
): AsyncGenerator<readonly Entry[], void> {
  const { merchantId, after, order } = range;
  let { fromMs, toMs } = range;
  if (after !== undefined && order === 'asc') fromMs = Math.max(fromMs, after.receivedAtMs);
  if (after !== undefined && order === 'desc') toMs = Math.min(toMs, after.receivedAtMs + 1);
  const whole = { merchantId, fromMs, toMs, order };
  const entries = match === null ? receivedEntries(whole, PAGE_MAX, ports) : meant(whole, ports, match);
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
): AsyncGenerator<readonly Entry[], void> {
  const { merchantId, fromMs, toMs } = whole;
  const shards = fromMs < toMs ? await ports.counters.openedShards(merchantId, fromMs, toMs) : [];
  // Each part asks for its own days, which are known.
  const openedShards = async (_: string, from: number, to: number) =>
    shards.filter(({ dayMs }) => dayMs < to && from < dayMs + DAY_MS);
  const own = { events: ports.events, counters: { openedShards } };
  const slots = { ...whole, nowMs: ports.clock.now(), mayHold: match.mayHold, counters: ports.counters };
  for await (const part of partsToLookAt(slots)) {
    const others = await notMeant(part, ports, match);
    const { fromMs, toMs, gaps } = part;
    const isMeant = ({ ingestId, receivedAtMs: atMs }: Entry): boolean =>
      !others.has(ingestId) && !gaps.some((gap) => gap.fromMs <= atMs && atMs < gap.toMs);
    for await (const page of receivedEntries({ ...whole, fromMs, toMs }, PAGE_MAX, own))
      yield page.filter(isMeant);
  }
}

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
  const ids = await Promise.all(large.map(({ key }) => notMeantIn(key, stored.batches, match)));
  return new Set(ids.flat());
}

async function notMeantIn(
  key: BucketRow['key'],
  batches: Pick<BatchStore, 'ofMinute'>,
  match: CountedMatch,
): Promise<readonly string[]> {
  const minute = { merchantId: key.merchantId, minuteMs: key.startMs, shard: shardOf(key) };
  const { manifests, outcomes, unreadable } = await readMinuteItems(minute, batches);
  const itemId = (batch: BatchKey, platform?: string) => `${platform}/${batchId(batch)}`;
  const fates = new Map(outcomes.map((one) => [itemId(one.batch, one.platform), one]));
  const lost = new Set(unreadable.map(({ batch, platform }) => itemId(batch, platform)));
  return manifests.flatMap(({ batch, rows }) =>
    rows.flatMap((row, position) => {
      const stateAt = (target: string) => {
        const id = itemId(batch, target);
        return lost.has(id) ? undefined : (deliveryAt(fates.get(id), position)?.state ?? 'QUEUED');
      };
      return match.mayBe(row, stateAt) ? [] : [row.ingestId];
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
  readonly last: Entry | undefined;
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
  let last: Entry | undefined;
  for await (const entries of chunks(scanEntries(range, ports, filter.counted), Math.min(wanted, READ_MAX))) {
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
  return { complete: true, last };
}

/** Few at first, where most lists find what they show, then twice as many each time. */
async function* chunks(
  pages: AsyncIterable<readonly Entry[]>,
  first: number,
): AsyncGenerator<readonly Entry[]> {
  let size = first;
  for await (const page of pages)
    for (let at = 0; at < page.length; ) {
      const chunk = page.slice(at, at + size);
      yield chunk;
      at += chunk.length;
      size = Math.min(2 * size, PAGE_MAX);
    }
}
