// The tables of rows and batches together with the pages of old events, for functions that read those. S3 is loaded by the first that
// needs it.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createCounterStore } from '../adapters/dynamodb/events/counter-store.ts';
import { createKeptBatches, createKeptRows } from '../adapters/dynamodb/events/pages/kept-items.ts';
import { pageCodec } from '../adapters/dynamodb/events/pages/page-codec.ts';
import { createPagedEvents } from '../events/pipeline/pages/paged-events.ts';
import type { PageObjects } from '../events/ports/page-store.ts';
import { type EventTableSettings, eventTables } from './event-tables.ts';
import type { FunctionBase } from './function-base.ts';

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
