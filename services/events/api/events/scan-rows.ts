// Rows in the order of a scan, read together as far as there is room: by number, and by units where a page may end early.
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { ApiPorts } from '../ports.ts';
import type { EventFilter } from './filter.ts';
import {
  type Cut,
  cutAt,
  type Entry,
  PAGE_MAX,
  PAGE_UNITS,
  type Place,
  SCAN_ROWS_MAX,
  type ScanPorts,
  type ScanRange,
  scanEntries,
  UNCUT,
  unitsSince,
} from './scan.ts';

const READ_MAX = 100;

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
 * matches; `kept`: units that are left for the time after it.
 */
export async function scanMatches(
  range: ScanRange,
  filter: Omit<EventFilter, 'isEmpty'>,
  ports: ScanPorts,
  take: (match: ScanMatch) => Wish,
  {
    wanted = READ_MAX,
    kept = 0,
    read = unitsSince(ports),
  }: {
    readonly wanted?: number;
    readonly kept?: number;
    readonly read?: () => number;
  } = {},
): Promise<ScanEnd> {
  let left = SCAN_ROWS_MAX;
  let last: Place | undefined;
  const cut: Cut = filter.isFrugal === true ? cutAt(read, kept) : UNCUT;
  for await (const page of scanEntries(range, ports, filter.counted, cut)) {
    const chunks = createChunks(Math.min(wanted, READ_MAX), cut);
    for (let at = 0; at < page.length; ) {
      if (last !== undefined && cut.spent() >= PAGE_UNITS) return { complete: false, last };
      const entries = page.slice(at, at + chunks.next());
      const before = cut.read();
      at += entries.length;
      const rows = new Map(
        (await readRows(entries.slice(0, left), ports.events)).map((row) => [rowId(row), row]),
      );
      const each = (cut.read() - before) / entries.length;
      if (entries.length >= ALONE_FROM_ROWS && each > TOGETHER_UNITS_MAX)
        cut.alone += (each - ROW_UNITS) * entries.length;
      for (const entry of entries) {
        if (left === 0) return { complete: false, last };
        left -= 1;
        last = entry;
        const row = rows.get(rowId(entry));
        if (row === undefined || !(await filter.matches(row))) continue;
        if (take({ entry, row }) === 'stop') return { complete: false, last };
      }
    }
  }
  return cut.at === undefined ? { complete: true, last } : { complete: false, last: cut.at };
}

/** Of a row by itself. */
const ROW_UNITS = 0.5;
/** Of a row of a batch, whose outcomes are read once for all of its rows. */
const TOGETHER_UNITS_MAX = 1;
/** Fewer say nothing: the one match of a batch is no event that came alone. */
const ALONE_FROM_ROWS = 4;
/** Of a row and its outcomes at a dozen platforms, each in an item of its own: what the first rows of a page are taken to need. */
const ROW_UNITS_MAX = 6.5;

/** How many rows are read together: `first`, then twice as many each time; where units count, as many as there is room for. */
function createChunks(first: number, { read, spent }: Cut): { readonly next: () => number } {
  let size = first;
  let perRow = ROW_UNITS_MAX;
  let before: number | undefined;
  return {
    next() {
      const now = read();
      if (before !== undefined) {
        if (Number.isFinite(now)) perRow = Math.max(ROW_UNITS, (now - before) / size);
        size = Math.min(2 * size, PAGE_MAX);
      }
      before = now;
      if (Number.isFinite(now))
        size = Math.max(1, Math.min(size, Math.floor((PAGE_UNITS - spent()) / perRow)));
      return size;
    },
  };
}
