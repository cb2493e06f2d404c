// Walks a merchant's rows by time of receipt. Guarantees: bounded, whatever the range holds; an index entry that is older
// than its row is not shown. Where nothing but the time has to be known, no row is read.
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { type Entry, receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import type { ApiPorts } from '../ports.ts';
import type { EventFilter } from './filter.ts';

/** Index entries one request looks at. */
export const SCAN_ENTRIES_MAX = 20_000;
/** Rows one request reads to filter or sort them. */
export const SCAN_ROWS_MAX = 10_000;
const PAGE_MAX = 500;
const READ_MAX = 100;

export type { Entry };

export type ScanPorts = Pick<ApiPorts, 'events' | 'counters'>;

export interface ScanRange {
  readonly merchantId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'asc' | 'desc';
  /** Nothing up to this entry: the last one of the page before. */
  readonly after?: { readonly receivedAtMs: number; readonly ingestId: string };
}

/** Entries in order, in pages. `done` says that nothing comes after. */
export async function* scanEntries(
  range: ScanRange,
  ports: ScanPorts,
): AsyncGenerator<readonly Entry[], void> {
  const { after, order } = range;
  let { fromMs, toMs } = range;
  if (after !== undefined && order === 'asc') fromMs = Math.max(fromMs, after.receivedAtMs);
  if (after !== undefined && order === 'desc') toMs = Math.min(toMs, after.receivedAtMs + 1);
  const entries = receivedEntries({ merchantId: range.merchantId, fromMs, toMs, order }, PAGE_MAX, ports);
  for await (const page of entries) {
    const keys = after === undefined ? page : page.filter((entry) => isBeyond(entry, after, order));
    if (keys.length > 0) yield keys;
  }
}

function isBeyond(entry: Entry, after: NonNullable<ScanRange['after']>, order: 'asc' | 'desc'): boolean {
  const [first, second] = order === 'asc' ? [after, entry] : [entry, after];
  if (first.receivedAtMs !== second.receivedAtMs) return first.receivedAtMs < second.receivedAtMs;
  return first.ingestId < second.ingestId;
}

/** The rows of these entries, in their order, without those that cannot be read. */
export async function readRows(entries: readonly Entry[], events: ApiPorts['events']): Promise<EventRow[]> {
  const chunks = Array.from({ length: Math.ceil(entries.length / READ_MAX) }, (_, i) =>
    entries.slice(i * READ_MAX, (i + 1) * READ_MAX),
  );
  const read = await Promise.all(chunks.map((chunk) => events.readMany(chunk.map(({ key }) => key))));
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

/** Gives every match to `take` until the range or the bound ends. */
export async function scanMatches(
  range: ScanRange,
  filter: EventFilter,
  ports: ScanPorts,
  take: (match: ScanMatch) => void,
): Promise<ScanEnd> {
  let left = SCAN_ROWS_MAX;
  let last: Entry | undefined;
  for await (const page of scanEntries(range, ports)) {
    if (left === 0) return { complete: false, last };
    const entries = page.slice(0, left);
    left -= entries.length;
    const rows = new Map((await readRows(entries, ports.events)).map((row) => [rowId(row), row]));
    for (const entry of entries) {
      last = entry;
      const row = rows.get(rowId(entry));
      if (row !== undefined && (await filter.matches(row))) take({ entry, row });
    }
    if (entries.length < page.length) return { complete: false, last };
  }
  return { complete: true, last };
}
