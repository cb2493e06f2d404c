// What every function of the event pipeline needs: the tables of rows and batches, and reports of what cannot be read in them.
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createBatchStore } from '../adapters/dynamodb/events/batches/store.ts';
import { createEventStore } from '../adapters/dynamodb/events/rows/event-store.ts';
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
  METRIC_NAMESPACE: true,
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
