// What every function of the event pipeline needs: the tables of rows and batches, and reports of what cannot be read in them. Those
// that read old rows see the pages of the archive with them, whose S3 is loaded by the first that needs it.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createBatchStore } from '../adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../adapters/dynamodb/events/counter-store.ts';
import { createKeptBatches, createKeptRows } from '../adapters/dynamodb/events/kept-items.ts';
import { createEventStore } from '../adapters/dynamodb/events/rows/event-store.ts';
import { pageCodec } from '../adapters/dynamodb/events/rows/page-codec.ts';
import { createPagedEvents } from '../events/pipeline/pages/paged-events.ts';
import type { PageObjects } from '../events/ports/page-store.ts';
import type { FunctionBase } from './function-base.ts';

/** What to pick from the environment. */
export const EVENT_TABLES = {
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  RETENTION_DAYS_MAX: true,
  PAGES_BUCKET: true,
  PAGES: true,
  LINES_PER_MINUTE: true,
  METRICS: true,
  OTLP_URL: true,
  LOG_LEVEL: true,
} as const;

export interface EventTableSettings {
  readonly EVENTS_TABLE: string;
  readonly BATCHES_TABLE: string;
  readonly RETENTION_DAYS_MAX?: number;
  readonly PAGES_BUCKET?: string | undefined;
  readonly PAGES?: 'on' | 'off';
}

/** `rowsDb`: another client for rows, where a throttled write is not to be repeated. */
export function eventTables(
  { db, quarantine, report }: FunctionBase,
  { EVENTS_TABLE, BATCHES_TABLE, RETENTION_DAYS_MAX, PAGES }: EventTableSettings,
  rowsDb = db,
) {
  const keeping = { retentionDays: RETENTION_DAYS_MAX, now: PAGES === 'on' ? systemClock.now : undefined };
  return {
    events: createEventStore(rowsDb, EVENTS_TABLE, quarantine.rows, keeping),
    batches: createBatchStore(db, BATCHES_TABLE, quarantine.rows, keeping),
    clock: systemClock,
    report,
  };
}

export interface PagedTableSettings extends EventTableSettings {
  readonly ANALYTICS_TABLE: string;
}

/** The same with the rows of pages. */
export function pagedTables(base: FunctionBase, settings: PagedTableSettings) {
  const tables = eventTables(base, settings);
  const pages = pagePorts(base, settings);
  if (pages === null) return tables;
  return { ...tables, events: createPagedEvents({ ...pages, events: tables.events }) };
}

/** Of the archive; null where there is none. */
export function pagePorts(
  { db }: FunctionBase,
  { EVENTS_TABLE, BATCHES_TABLE, ANALYTICS_TABLE, RETENTION_DAYS_MAX, PAGES_BUCKET }: PagedTableSettings,
) {
  if (PAGES_BUCKET === undefined) return null;
  return {
    objects: loadedObjects(PAGES_BUCKET),
    codec: pageCodec,
    kept: {
      ...createKeptRows(db, EVENTS_TABLE, RETENTION_DAYS_MAX),
      ...createKeptBatches(db, BATCHES_TABLE, RETENTION_DAYS_MAX),
    },
    counters: createCounterStore(db, ANALYTICS_TABLE),
    clock: systemClock,
  };
}

function loadedObjects(bucket: string): PageObjects {
  let loaded: Promise<PageObjects> | undefined;
  const objects = (): Promise<PageObjects> => {
    loaded ??= import('../adapters/s3/page-objects.ts').then(({ createPageObjects }) =>
      createPageObjects(bucket),
    );
    return loaded;
  };
  return {
    read: async (...named) => await (await objects()).read(...named),
    write: async (...written) => await (await objects()).write(...written),
    names: async (prefix) => await (await objects()).names(prefix),
    remove: async (name) => await (await objects()).remove(name),
  };
}
