// Moves the rows of a day into pages, step by step, once a week has passed since it ended. What is still open stays in the tables.
// The order makes it safe: (1) an empty index says that the day is being archived; (2) some time later rows are read, what is open is
// kept, and pages are written; (3) the index names them, on the condition that it is as it was read; (4) the merchant's horizon moves.
// An erasure of a row of that day writes to the table first and then looks at the index (paged-events.ts): it either finds none, so
// that the row is read here without its person, or notes the erasure there, so that (3) is done again with it, or finds it complete.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { isSettled, nextDueMs } from '../../domain/deliveries/progress.ts';
import { ingestTimeMs } from '../../domain/event/ingest-id.ts';
import type { EventKey, EventRow, NormalizedRow, RowsRead } from '../../domain/event/row.ts';
import { bucketStartOf, inShard } from '../../domain/shard.ts';
import type { BatchStore } from '../../ports/batch-store.ts';
import type { EventStore, ReceivedPage } from '../../ports/event-store.ts';
import type { KeptBatches, KeptRows, UnitIndex } from '../../ports/page-store.ts';
import { outcomesByMinute } from '../counting/batches-of-minute.ts';
import { joinOutcomes } from '../outcomes-of-batches.ts';
import { readable } from '../read-rows.ts';
import {
  eraseInPage,
  newIndex,
  type PagePorts,
  readIndex,
  type SeenIndex,
  type Unit,
  writeIndex,
  writeList,
  writePage,
} from './unit.ts';

export interface ArchivePorts extends PagePorts {
  /** Rows of the table alone. */
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
  readonly kept: KeptRows & KeptBatches;
  readonly clock: { now(): number };
}

/** After this a day is archived: its windows are over, but for what waits for a paused connection. */
export const ARCHIVED_AFTER_MS = 8 * DAY_MS;

/** What was written before the index was there is in every replica by then. */
const REST_MS = 30_000;
/** About a megabyte. */
const PAGE_ROWS = 1_000;

/** Says that the unit is being archived, where it has rows. */
export async function openUnit(unit: Unit, ports: ArchivePorts): Promise<void> {
  if ((await readIndex(unit, ports)) !== null) return;
  const { keys } = await ports.events.received({ ...queryOf(unit), limit: 1 });
  if (keys.length > 0) await writeIndex(unit, newIndex(ports.clock.now()), null, ports);
}

/** `rests`: it has just been opened. `more`: time is over, or another archiver was first. */
export type Step = 'complete' | 'rests' | 'more';

export async function archiveUnit(unit: Unit, isOver: () => boolean, ports: ArchivePorts): Promise<Step> {
  const seen = await readIndex(unit, ports);
  if (seen === null || seen.index.isComplete) return 'complete';
  if (ports.clock.now() < seen.index.openedAtMs + REST_MS) return 'rests';
  const { pages, lists } = seen.index;
  const added = { pages: [...pages], keys: [] as { key: EventKey; page: number }[] };
  const outcomes = outcomesByMinute(ports.batches);
  let { after } = seen.index;
  let isComplete = true;
  for await (const entries of entriesOf(unit, after, ports)) {
    const { final, open } = await readChunk(entries, outcomes, ports);
    await keep(unit, open, ports);
    if (final.length > 0) {
      for (const { key } of final) added.keys.push({ key, page: added.pages.length });
      added.pages.push(await writePage(unit, final, ports));
    }
    after = entries.at(-1)?.ingestId;
    if (!isOver()) continue;
    isComplete = false;
    break;
  }
  const list = added.keys.length === 0 ? [] : [await writeList(unit, added.keys, ports)];
  const next = {
    ...seen.index,
    isComplete,
    pages: added.pages,
    lists: [...lists, ...list],
    ...(after === undefined ? {} : { after }),
  };
  return (await commit(unit, seen, next, ports)) && isComplete ? 'complete' : 'more';
}

/** False where another archiver went on meanwhile. What was erased meanwhile is erased in the pages first. */
async function commit(unit: Unit, seen: SeenIndex, next: UnitIndex, ports: ArchivePorts): Promise<boolean> {
  for (let { index, tag } = seen; ; ) {
    const { erased } = index;
    for (const one of erased) await eraseInPage(unit, next, one, ports);
    if ((await writeIndex(unit, { ...next, erased }, tag, ports)) !== null) return true;
    const now = await readIndex(unit, ports);
    if (now === null || now.index.isComplete || now.index.after !== seen.index.after) return false;
    ({ index, tag } = now);
  }
}

const queryOf = ({ merchantId, dayMs, shard }: Unit) =>
  inShard({ merchantId, fromMs: dayMs, toMs: dayMs + DAY_MS, order: 'asc' } as const, shard);

type Entry = ReceivedPage['keys'][number];

/** Entries behind `after`, each acceptance once and whole: on its way into the archive a row is in the index twice. */
async function* entriesOf(
  unit: Unit,
  after: string | undefined,
  { events }: ArchivePorts,
): AsyncGenerator<readonly Entry[]> {
  const from = after === undefined ? {} : { fromMs: ingestTimeMs(after) };
  let cursor: string | undefined;
  let chunk = new Map<string, Entry>();
  do {
    const query = { ...queryOf(unit), ...from, limit: PAGE_ROWS };
    const page = await events.received({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    for (const entry of page.keys) {
      if (after !== undefined && entry.ingestId <= after) continue;
      if (chunk.size === PAGE_ROWS && !chunk.has(entry.ingestId)) {
        yield [...chunk.values()];
        chunk = new Map();
      }
      chunk.set(entry.ingestId, entry);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  if (chunk.size > 0) yield [...chunk.values()];
}

interface Chunk {
  /** As they are in pages. */
  readonly final: readonly EventRow[];
  readonly open: readonly Pick<EventRow, 'key' | 'ingestId'>[];
}

async function readChunk(
  entries: readonly Entry[],
  outcomes: Pick<BatchStore, 'readMany'>,
  { events }: ArchivePorts,
): Promise<Chunk> {
  const wanted = new Set(entries.map(({ ingestId }) => ingestId));
  const read = async (keys: readonly EventKey[], consistency: 'strong' | 'eventual'): Promise<RowsRead> => {
    const all = await Promise.all(readable(keys).map((part) => events.readMany(part, consistency)));
    const isOwn = ({ ingestId }: { readonly ingestId: string }): boolean => wanted.has(ingestId);
    return {
      rows: all.flatMap(({ rows }) => rows.filter(isOwn)),
      unreadable: all.flatMap(({ unreadable }) => unreadable.filter(isOwn)),
    };
  };
  const first = await read(
    entries.map(({ key }) => key),
    'eventual',
  );
  const found = new Set([...first.rows, ...first.unreadable].map(({ ingestId }) => ingestId));
  // Their id was taken again since the index was read.
  const moved = entries.filter(({ ingestId }) => !found.has(ingestId));
  const second = await read(
    moved.map(({ key, ingestId }) => ({ ...key, archivedAs: ingestId })),
    'strong',
  );
  const joined = await joinOutcomes([...first.rows, ...second.rows], outcomes, 'eventual');
  const final = joined.rows.filter(isFinal);
  const isOpen = (row: EventRow): boolean => !isFinal(row);
  return {
    final: final.map(inPage).sort((a, b) => (a.ingestId < b.ingestId ? -1 : 1)),
    open: [
      ...joined.rows.filter(isOpen),
      ...[...first.unreadable, ...second.unreadable, ...joined.unreadable],
    ],
  };
}

/** Nothing of it changes any more by itself. */
const isFinal = (row: EventRow): row is NormalizedRow =>
  row.state === 'normalized' && row.dueAtMs === undefined && isSettled(row) && nextDueMs(row) === null;

/** Under its acceptance, with its deliveries: its event id may be another's by the time it is read, and its batch gone. */
export function inPage(row: NormalizedRow): NormalizedRow {
  const { place: _p, dueAtMs: _d, parkedFor: _f, kept: _k, ...rest } = row;
  return { ...rest, key: { ...row.key, archivedAs: row.ingestId }, sweeps: 0 };
}

/** With every item of their minutes: which batch an unreadable row is in is not known. */
async function keep({ merchantId, shard }: Unit, open: Chunk['open'], { kept }: ArchivePorts): Promise<void> {
  const minutes = new Set(open.map(({ ingestId }) => bucketStartOf(ingestTimeMs(ingestId), shard)));
  for (const minuteMs of minutes) await kept.keepMinute({ merchantId, minuteMs, shard });
  for (const { key, ingestId } of open) await kept.keep(key, ingestId);
}
