// The API over emulated tables, with what each request reads counted as the bill counts it.
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { createJoinedEventStore } from '../../lib/events/pipeline/outcomes-of-batches.ts';
import { openModelledTables } from '../conformance/stores/emulated-table.ts';
import { createMemoryOrderStore } from '../support/memory/order-store.ts';
import { createDynamoMeter } from '../support/metering/dynamodb-metering.ts';
import { openApi } from './api-host.ts';

export type MeteredApi = Awaited<ReturnType<typeof openMeteredApi>>;

export async function openMeteredApi() {
  const tables = await openModelledTables(['events', 'batches', 'analytics']);
  const meter = createDynamoMeter();
  meter.attach(tables.db, 'list');
  const { db, nameOf } = tables;
  const events = createEventStore(db, nameOf('events'));
  const batches = createBatchStore(db, nameOf('batches'));
  const counters = createCounterStore(db, nameOf('analytics'));
  const orders = createMemoryOrderStore();
  let begunAt = 0;
  let alreadyRead = 0;
  const host = await openApi(() => ({
    events: createJoinedEventStore(events, batches),
    stored: { events, batches, orders },
    counters,
    units: {
      // As AWS says it with each answer; the emulator leaves out what an index consumes.
      meter: {
        measured: async (work) => {
          begunAt = meter.usage().readUnits;
          return await work();
        },
        add: () => undefined,
        consumed: () => ({ read: alreadyRead + meter.usage().readUnits - begunAt, write: 0 }),
      },
      waitSec: () => null,
      spend: async () => undefined,
    },
  }));
  const { clock, platforms } = host.ports;
  const token = host.session('member');
  return {
    host,
    stores: { events, batches, orders, counters, clock, platforms },
    /** The answer, and the read units that it took. `already`: units that count as read before. */
    ask: async (route: Route, query: Readonly<Record<string, string>>, already = 0) => {
      alreadyRead = already;
      const before = meter.usage().readUnits;
      const answer = await host.call(`${route.path}?${new URLSearchParams(query)}`, { token });
      return { answer, units: meter.usage().readUnits - before };
    },
    close: () => tables.close(),
  };
}
