// Two stores that see the same history: rows that leave a table which deletes what has expired, and rows that stay for ever.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { createBatchStore } from '#lib/adapters/dynamodb/events/batches/store.ts';
import { createHorizonStore } from '#lib/adapters/dynamodb/events/pages/horizons.ts';
import { createKeptBatches, createKeptRows } from '#lib/adapters/dynamodb/events/pages/kept-items.ts';
import { pageCodec } from '#lib/adapters/dynamodb/events/pages/page-codec.ts';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { DAY_MS, floorTo } from '#lib/core/work/time-slot.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { createExpiryGuard } from '#lib/events/pipeline/pages/guard-expiry.ts';
import { createPagedErasure, createPagedEvents } from '#lib/events/pipeline/pages/paged-events.ts';
import type { EventStore, RowErasure } from '#lib/events/ports/event-store.ts';
import { createManualClock } from '../memory/clock.ts';
import { createMemoryPageObjects } from '../memory/page-objects.ts';
import { createMemoryTables } from '../memory/tables.ts';

export const PAGED_MERCHANT = 'paged-merchant';
export const DAY_0 = Date.UTC(2026, 10, 2);

export function createPagedWorld(startMs = DAY_0) {
  const tables = createMemoryTables();
  const forEver = createMemoryTables();
  const clock = createManualClock(startMs);
  const { db } = tables;
  const keeping = { retentionDays: 90, now: clock.now };
  const events = { ...createEventStore(db, 'events', undefined, keeping), ...createRowErasure(db, 'events') };
  const batches = createBatchStore(db, 'batches', undefined, keeping);
  const kept = { ...createKeptRows(db, 'events', 90), ...createKeptBatches(db, 'batches', 90) };
  const objects = createMemoryPageObjects();
  const opened = new Set<string>();
  const counters = {
    openedShards: async (_merchant: string, fromMs: number, toMs: number) =>
      [...opened]
        .map((text) => JSON.parse(text))
        .filter(({ dayMs }) => dayMs >= floorTo(fromMs, DAY_MS) && dayMs < toMs),
  };
  const horizons = createHorizonStore(db, 'config');
  const ports = { events, batches, kept, objects, codec: pageCodec, counters, horizons, clock };
  const reference = {
    ...createEventStore(forEver.db, 'events'),
    ...createRowErasure(forEver.db, 'events'),
  };
  const referenceBatches = createBatchStore(forEver.db, 'batches');
  /** A process of its own: nothing is remembered. */
  const reader = (): EventStore => createJoinedEventStore(createPagedEvents(ports), batches);
  const eraser = (): Pick<EventStore, 'received' | 'readMany'> & RowErasure => ({
    ...createPagedEvents(ports, true),
    ...createPagedErasure(ports),
  });
  const expiry = { isOn: true };
  const guard = createExpiryGuard({
    ...{ horizons, clock },
    expiry: {
      isOn: async () => expiry.isOn,
      turn: async (on) => {
        expiry.isOn = on;
      },
    },
    report: () => {},
  });
  return {
    ...{ expiry, guard, inTable: createJoinedEventStore(events, batches) },
    /** Of a release that does not know of pages. */
    skipping: () => ({ ...createPagedEvents(ports, true), erase: events.erase }),
    ...{ tables, clock, events, batches, kept, objects, counters, horizons, ports, reader, eraser },
    reference: {
      events: reference,
      batches: referenceBatches,
      joined: createJoinedEventStore(reference, referenceBatches),
    },
    openShard: ({ receivedAtMs, shard = 0 }: EventRow): void => {
      if (shard > 0) opened.add(JSON.stringify({ dayMs: floorTo(receivedAtMs, DAY_MS), shard }));
    },
    /** What DynamoDB does some day. Returns how many items. */
    async expire(): Promise<number> {
      let gone = 0;
      for (const table of ['events', 'batches'] as const)
        for (const { pk, sk, expires } of tables.items(table)) {
          if (Number(expires) * 1_000 > clock.now()) continue;
          await db.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
          gone += 1;
        }
      return gone;
    },
  };
}

export type PagedWorld = ReturnType<typeof createPagedWorld>;

/** What anybody can see of a row, wherever it lies. */
export function seen(row: EventRow): unknown {
  const { key, ingestId, receivedAtMs, erasedBy, payloadHash, shard = 0 } = row;
  const { merchantId, channel, eventId } = key;
  const base = { merchantId, channel, eventId, ingestId, receivedAtMs, erasedBy, payloadHash, shard };
  if (row.state === 'accepted') return { ...base, body: row.body };
  const { event, verdicts, deliveries, revision, routingVersion } = row;
  return { ...base, event, verdicts, deliveries, revision, routingVersion };
}

/** All rows by way of lists: each acceptance once, by its ingest id. Throws where one is listed and cannot be read. */
export async function listed(
  events: Pick<EventStore, 'received' | 'readMany'>,
  {
    order,
    limit,
    shard,
    fromMs,
    toMs,
  }: { order: 'asc' | 'desc'; limit: number; shard: number; fromMs: number; toMs: number },
): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await events.received({
      ...{ merchantId: PAGED_MERCHANT, fromMs, toMs, order, limit },
      ...(shard === 0 ? {} : { shard }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (page.keys.length > limit) throw new Error('a page is too long');
    const read = await events.readMany(page.keys.map(({ key }) => key));
    if (read.unreadable.length > 0) throw new Error('a row is unreadable');
    for (const { key, ingestId } of page.keys) {
      const row = read.rows.find(
        (each) =>
          each.ingestId === ingestId &&
          each.key.channel === key.channel &&
          each.key.archivedAs === key.archivedAs,
      );
      if (row !== undefined) rows.push(row);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return rows;
}
