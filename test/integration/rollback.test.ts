// A release is rolled back: rows that it wrote in a format of its own lie in the table, and this code has never heard of it.
// They wait, untouched, while all others go on; after the next deploy they are delivered and counted as any other.
// The pipeline runs on the events table as it is stored, in the model of DynamoDB.

import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { type Item, itemKey } from '../../lib/adapters/dynamodb/events/rows/event-item.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import type { EventKey, UnreadableRow } from '../../lib/events/domain/event/row.ts';
import { createJoinedEventStore } from '../../lib/events/pipeline/outcomes-of-batches.ts';
import { UnreadablePart } from '../../lib/events/ports/event-vault.ts';
import { type EmulatedTable, openModelledTable } from '../conformance/stores/emulated-table.ts';
import type { WireEvent } from '../simulation/synthetic-platforms.ts';
import { allTaken } from '../support/delivery.ts';
import { createMemoryEventVault } from '../support/memory/event-vault.ts';
import { PIPELINE_MERCHANT, type PipelineOptions } from '../support/memory-pipeline.ts';
import { DELIVERED, DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const OLD = ['o1', 'o2', 'o3'];
const NEXT = ['n1', 'n2'];
const HOUR = 60;
const TEN_MINUTES_MS = 600_000;
const NEXT_FORMAT = 250;

const keyOf = (eventId: string): EventKey => ({ merchantId: PIPELINE_MERCHANT, channel: 'server', eventId });

const tables: EmulatedTable[] = [];
afterAll(() => Promise.all(tables.map((opened) => opened.close())));

async function open({ eventVault }: Pick<PipelineOptions, 'eventVault'> = {}) {
  const opened = await openModelledTable('events');
  tables.push(opened);
  const { db, table } = opened;
  let down = false;
  const pipeline = openSyntheticShop({
    ...(eventVault === undefined ? {} : { eventVault }),
    answer: (request) => (down ? DOWN : allTaken(request)),
  });
  const quarantined: UnreadableRow[] = [];
  const store = createEventStore(db, table, (row) => void quarantined.push(row));
  // The stages hold this object: from here on they read and write the table.
  Object.assign(pipeline.storedRows, store);
  const joined = createJoinedEventStore(store, pipeline.batches);
  const itemOf = async (id: string): Promise<Item> =>
    (await db.send(new GetCommand({ TableName: table, Key: itemKey(keyOf(id)), ConsistentRead: true })))
      .Item ?? {};
  const withFormatOf = async (id: string, format: (own: number) => number): Promise<void> => {
    const item = await itemOf(id);
    const b = Uint8Array.from(item.b as Uint8Array);
    b[0] = format(b[0] ?? 0);
    await db.send(new PutCommand({ TableName: table, Item: { ...item, b } }));
  };
  const own = new Map<string, number>();
  return {
    ...pipeline,
    quarantined,
    itemOf,
    goesDown: (is: boolean) => {
      down = is;
    },
    /** The row is now of the release that was rolled back. */
    writtenByNext: (id: string) =>
      withFormatOf(id, (format) => {
        own.set(id, format);
        return NEXT_FORMAT;
      }),
    /** The code of that release is deployed again: it reads its own rows. */
    deployNext: async () => {
      for (const [id, format] of own) await withFormatOf(id, () => format);
    },
    statesOf: async (id: string) => {
      const row = await joined.read(keyOf(id));
      if (row?.state !== 'normalized') return row?.state;
      return Object.fromEntries(Object.entries(row.deliveries).map(([slug, d]) => [slug, d.state]));
    },
  };
}

type Rollback = Awaited<ReturnType<typeof open>>;

/** What the release had done to its rows before it was rolled back. */
const LEFT_AT: Readonly<Record<string, (pipeline: Rollback) => Promise<void>>> = {
  accepted: async () => {},
  normalized: async ({ queues, stages }) => {
    const accepted = queues.accepted.receive(100);
    expect(await stages.normalize(accepted)).toEqual({ failedIndexes: [] });
    for (const { receipt } of accepted) queues.accepted.remove(receipt);
  },
  'waiting for a retry': async ({ goesDown, drain }) => {
    goesDown(true);
    await drain();
    goesDown(false);
  },
};

describe('rows of a release that was rolled back', () => {
  it.each(Object.keys(LEFT_AT))('%s: wait as they are, and are delivered after the deploy', async (left) => {
    const pipeline = await open();
    for (const id of [...OLD, ...NEXT]) await pipeline.take(id);
    await LEFT_AT[left]?.(pipeline);
    for (const id of NEXT) await pipeline.writtenByNext(id);
    const before = await Promise.all(NEXT.map(pipeline.itemOf));

    await pipeline.drain();
    await pipeline.pass(6);
    for (const id of OLD) expect([id, await pipeline.statesOf(id)]).toEqual([id, DELIVERED]);
    expect(pipeline.counted('minute')).toBe(OLD.length);
    await pipeline.pass(2 * HOUR, TEN_MINUTES_MS);
    expect(await pipeline.reconcile()).toMatchObject({ failed: 0 });
    expect(pipeline.problems).toEqual([]);

    // Everybody who met them said so, and nobody wrote more than when to look again.
    expect(new Set(pipeline.quarantined.map(({ key }) => key.eventId))).toEqual(new Set(NEXT));
    expect(new Set(pipeline.quarantined.map(({ problem }) => problem))).toEqual(
      new Set([`unknown encoding ${NEXT_FORMAT}`]),
    );
    const timing = ({ dp: _dp, da: _da, sw: _sw, ...rest }: Item) => rest;
    const after = await Promise.all(NEXT.map(pipeline.itemOf));
    expect(after.map(timing)).toEqual(before.map(timing));
    for (const id of NEXT) await expect(pipeline.statesOf(id)).rejects.toThrow('cannot be read');
    // The same event again is not taken for a new one.
    for (const id of NEXT)
      expect(await pipeline.take(id)).toMatchObject({ kind: 'unavailable', reason: 'store' });
    expect((await Promise.all(NEXT.map(pipeline.itemOf))).map(timing)).toEqual(before.map(timing));

    await pipeline.deployNext();
    await pipeline.pass(7 * HOUR, TEN_MINUTES_MS);
    for (const id of [...OLD, ...NEXT]) expect([id, await pipeline.statesOf(id)]).toEqual([id, DELIVERED]);
    for (const grain of ['minute', 'hour', 'day'] as const)
      expect([grain, pipeline.counted(grain)]).toEqual([grain, OLD.length + NEXT.length]);
    const copies = pipeline.requests
      .filter(({ url }) => url.includes('alpha'))
      .flatMap(({ body }) => (JSON.parse(body) as WireEvent[]).map(({ nonce }) => nonce));
    if (left !== 'waiting for a retry') expect(copies.sort()).toEqual([...OLD, ...NEXT].sort());
  });

  it('with a sealed part in a format of its own: wait too, within their windows', async () => {
    const real = createMemoryEventVault();
    let deployed = false;
    const openUnlessNext: typeof real.open = async (row, sealed) => {
      if (!deployed && NEXT.includes(row.key.eventId)) throw new UnreadablePart('of a format to come');
      return await real.open(row, sealed);
    };
    const pipeline = await open({ eventVault: { ...real, open: openUnlessNext } });
    for (const id of [...OLD, ...NEXT]) await pipeline.take(id);
    await pipeline.drain();
    await pipeline.pass(2 * HOUR, TEN_MINUTES_MS);
    for (const id of OLD) expect([id, await pipeline.statesOf(id)]).toEqual([id, DELIVERED]);
    for (const id of NEXT) expect([id, await pipeline.statesOf(id)]).toEqual([id, {}]);
    deployed = true;
    await pipeline.pass(7 * HOUR, TEN_MINUTES_MS);
    for (const id of NEXT) expect([id, await pipeline.statesOf(id)]).toEqual([id, DELIVERED]);
  });
});
