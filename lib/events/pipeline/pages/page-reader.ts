// Rows of pages, by time, by acceptance and by event id. Guarantees: only complete days are seen; of a page that was erased in
// meanwhile no reader sees the person for longer than a few seconds.
import { DAY_MS, floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { ingestTimeMs } from '../../domain/event/ingest-id.ts';
import type { EventKey, EventRow } from '../../domain/event/row.ts';
import { RETENTION_DAYS_MAX } from '../../domain/merchant.ts';
import { everyShard } from '../../domain/shard.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { Near } from '../../ports/event-store.ts';
import type { UnitIndex } from '../../ports/page-store.ts';
import { remembered } from './remembered.ts';
import { type PagePorts, pagesOf, pageWith, readIndex, readPage, type Unit, unitPrefix } from './unit.ts';

export interface PageReaderPorts extends PagePorts {
  readonly counters: Pick<CounterStore, 'openedShards'>;
  readonly clock: { now(): number };
}

export interface PageQuery extends Unit {
  readonly order: 'asc' | 'desc';
  /** Ingest ids, both excluded. */
  readonly above: string;
  readonly below: string;
}

const PAGES_KEPT = 12;
const PAGE_MS = 3_000;
const INDEXES_KEPT = 500;
const DAYS_AT_ONCE = 8;
/** No page is older: the bucket deletes them. */
const OLDEST_DAYS = RETENTION_DAYS_MAX + 36;

type Page = ReadonlyMap<string, EventRow>;

export type PageReader = ReturnType<typeof createPageReader>;

export function createPageReader(ports: PageReaderPorts) {
  const { indexOf, rowsOf, unitsOf } = rememberedPages(ports);

  const ofKey = async (unit: Unit, key: EventKey): Promise<readonly EventRow[]> => {
    const index = await indexOf(unit);
    if (index === null) return [];
    const found = await Promise.all(
      (await pagesOf(unit, index, key, ports)).map(async (page) => [...(await rowsOf(unit, page)).values()]),
    );
    return found.flat().filter((row) => row.key.channel === key.channel && row.key.eventId === key.eventId);
  };

  return {
    /** In the order of their ingest ids. */
    async *entries({ order, above, below, ...unit }: PageQuery): AsyncGenerator<EventRow, void> {
      const index = await indexOf(unit);
      const touched = index?.pages.filter(({ first, last }) => last > above && first < below) ?? [];
      for (const page of order === 'asc' ? touched : touched.toReversed()) {
        const rows = [...(await rowsOf(unit, page)).values()];
        for (const row of order === 'asc' ? rows : rows.reverse())
          if (row.ingestId > above && row.ingestId < below) yield row;
      }
    },

    /** By ingest id, of any shard. */
    async byAcceptance(
      merchantId: string,
      ingestIds: readonly string[],
    ): Promise<ReadonlyMap<string, EventRow>> {
      const found = new Map<string, EventRow>();
      for (const [dayMs, ids] of Map.groupBy(ingestIds, (id) => floorTo(ingestTimeMs(id), DAY_MS)))
        for (const unit of await unitsOf(merchantId, dayMs)) {
          const index = await indexOf(unit);
          if (index === null) continue;
          for (const id of ids) {
            if (found.has(id)) continue;
            const page = pageWith(index, id);
            const row = page === undefined ? undefined : (await rowsOf(unit, page)).get(id);
            if (row !== undefined) found.set(id, row);
          }
        }
      return found;
    },

    /** The newest acceptance of this event id received within `near`; null where there is none. */
    async newest(key: EventKey, { fromMs, toMs }: Near, beforeMs: number): Promise<EventRow | null> {
      const first = floorTo(Math.max(fromMs, ports.clock.now() - OLDEST_DAYS * DAY_MS), DAY_MS);
      let dayMs = floorTo(Math.min(toMs, beforeMs) - 1, DAY_MS);
      for (; dayMs >= first; dayMs -= DAYS_AT_ONCE * DAY_MS) {
        const days = Array.from({ length: DAYS_AT_ONCE }, (_, i) => dayMs - i * DAY_MS);
        const ofDay = async (day: number): Promise<readonly EventRow[]> => {
          const units = await unitsOf(key.merchantId, day);
          return (await Promise.all(units.map((unit) => ofKey(unit, key)))).flat();
        };
        const rows = (await Promise.all(days.filter((day) => day >= first).map(ofDay))).flat();
        const [newest] = rows.sort((a, b) => (a.ingestId > b.ingestId ? -1 : 1));
        if (newest !== undefined) return newest;
      }
      return null;
    },
  };
}

/** The last ones that were read. */
function rememberedPages(ports: PageReaderPorts) {
  const { clock, counters } = ports;
  const { now } = clock;
  const pages = remembered<Page>(PAGES_KEPT, PAGE_MS, now);
  const isThere = (index: UnitIndex | null): boolean => index !== null;
  const indexes = remembered<UnitIndex | null>(INDEXES_KEPT, 10 * MINUTE_MS, now, isThere);
  const shards = remembered<readonly number[]>(INDEXES_KEPT, MINUTE_MS, now);
  return {
    /** Null until it is complete. */
    indexOf: (unit: Unit): Promise<UnitIndex | null> =>
      indexes(unitPrefix(unit), async () => {
        const seen = await readIndex(unit, ports);
        return seen?.index.isComplete === true ? seen.index : null;
      }),
    rowsOf: (unit: Unit, page: UnitIndex['pages'][number]): Promise<Page> =>
      pages(unitPrefix(unit) + page.name, async () => {
        const { rows } = await readPage(unit, page, ports);
        return new Map(rows.map((row) => [row.ingestId, row]));
      }),
    async unitsOf(merchantId: string, atMs: number): Promise<readonly Unit[]> {
      const dayMs = floorTo(atMs, DAY_MS);
      const found = await shards(`${merchantId}/${dayMs}`, async () => {
        const opened = await counters.openedShards(merchantId, dayMs, dayMs + DAY_MS);
        return everyShard(opened);
      });
      return found.map((shard) => ({ merchantId, dayMs, shard }));
    },
  };
}
