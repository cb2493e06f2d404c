// What every store must do when rows are read through the join: a row of a batch and a lone one are told apart by nobody who
// reads them, and one write to the batch's item moves one row's fate.
import { describe, expect, it } from 'vitest';
import type { BatchKey } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import { type NormalizedRow, UnreadableRowError } from '#lib/events/domain/event/row.ts';
import { inShard } from '#lib/events/domain/shard.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { batchOf, outcomesOf } from './batch-items.ts';
import { acceptedRow, delivered, freshMerchant, leased, normalizedRow, retrying, T0 } from './event-rows.ts';

const RACERS = 16;
const META = { platform: 'meta' };

export interface JoinedStores {
  readonly events: EventStore;
  readonly batches: BatchStore;
  readonly spoil: (batch: BatchKey, platform: string) => Promise<void>;
}

export function joinedEventStoreConformance(name: string, open: () => JoinedStores): void {
  describe(`${name}: rows of batches through the join`, () => {
    reading(open);
    writing(open);
    takeOver(open);
    conflicts(open);
  });
}

/** Rows of one batch, stored as the normalize stage stores them, for meta and x. */
async function storedBatch(open: () => JoinedStores, count = 3) {
  const { events, batches, spoil } = open();
  const batch = batchOf(freshMerchant(), { shard: 2 });
  const rows: NormalizedRow[] = [];
  for (let position = 0; position < count; position++) {
    const key = { merchantId: batch.merchantId, channel: 'server', eventId: `e-${position}` } as const;
    const accepted = inShard(acceptedRow(key, T0 + position), batch.shard);
    await events.claim(accepted);
    const row = {
      ...normalizedRow(accepted),
      verdicts: { meta: 'pending', x: 'pending', ga4: 'bot' },
      place: { batch, position },
    };
    expect(await events.normalize(row)).toBe(true);
    rows.push(row);
  }
  const joined = createJoinedEventStore(events, batches);
  return {
    events,
    batches,
    joined,
    spoil,
    batch,
    rows,
    row: rows[0] as NormalizedRow,
    other: rows[1] as NormalizedRow,
  };
}

const read = async (store: EventStore, row: NormalizedRow): Promise<NormalizedRow> => {
  const found = await store.read(row.key);
  if (found?.state !== 'normalized') throw new Error('the row is not there');
  return found;
};

function reading(open: () => JoinedStores): void {
  it('keeps a place in its row, and QUEUED is what no item speaks of', async () => {
    const { events, joined, row } = await storedBatch(open);
    expect(await events.read(row.key)).toEqual(row);
    expect(await joined.read(row.key)).toEqual(row);
    expect(await joined.read({ ...row.key, eventId: 'nobody' })).toBeNull();
  });

  it.each(['strong', 'eventual'] as const)(
    'finds what became of each row, by its own position, %s',
    async (consistency) => {
      const { joined, batches, batch, rows } = await storedBatch(open);
      const lone = acceptedRow({
        ...rows[0]?.key,
        merchantId: batch.merchantId,
        channel: 'server',
        eventId: 'lone',
      });
      await joined.claim(lone);
      const meta = [
        { positions: [0, 2], delivery: delivered(T0 + 5) },
        { positions: [1], delivery: retrying(T0 + 6) },
      ];
      await batches.writeOutcomes(outcomesOf(batch, meta, { dueAtMs: T0 + 10_006 }), 0);
      const x = [{ positions: [2], delivery: leased(T0 + 7) }];
      await batches.writeOutcomes(outcomesOf(batch, x, { platform: 'x', dueAtMs: T0 + 120_007 }), 0);
      const keys = [...rows.map(({ key }) => key), lone.key];
      const found = await joined.readMany(keys, consistency);
      const byId = new Map(found.rows.map((row) => [row.key.eventId, row]));
      expect(byId.get('lone')).toEqual(lone);
      expect(byId.get('e-0')).toEqual({ ...rows[0], deliveries: { meta: delivered(T0 + 5) } });
      expect(byId.get('e-1')).toEqual({
        ...rows[1],
        deliveries: { meta: retrying(T0 + 6) },
        dueAtMs: T0 + 10_006,
      });
      expect(byId.get('e-2')).toEqual({
        ...rows[2],
        deliveries: { meta: delivered(T0 + 5), x: leased(T0 + 7) },
        dueAtMs: T0 + 120_007,
      });
    },
  );

  it('reads a row whose outcomes cannot be read as one that cannot be read, and the others as they are', async () => {
    const { joined, batches, batch, rows, row, spoil } = await storedBatch(open);
    const sane = inShard(acceptedRow({ ...row.key, eventId: 'sane' }, T0), batch.shard);
    await joined.claim(sane);
    await joined.normalize({
      ...normalizedRow(sane),
      place: { batch: { ...batch, id: 'another0' }, position: 0 },
    });
    await batches.writeOutcomes(outcomesOf(batch, [], { platform: 'x' }), 0);
    await spoil(batch, 'x');
    await expect(joined.read(row.key)).rejects.toThrow(UnreadableRowError);
    const found = await joined.readMany([...rows.map(({ key }) => key), sane.key]);
    expect(found.rows.map(({ key }) => key.eventId)).toEqual(['sane']);
    expect(found.unreadable.map(({ key }) => key.eventId).sort()).toEqual(['e-0', 'e-1', 'e-2']);
    expect(found.unreadable[0]?.problem).toMatch(/^what became of it at x: ./);
  });
}

function writing(open: () => JoinedStores): void {
  it('writes one fate into the item, and leaves the row and the other positions alone', async () => {
    const { joined, events, batches, batch, row, other } = await storedBatch(open);
    const lease = await joined.putDelivery(row, { ...META, delivery: leased(T0 + 1), dueAtMs: T0 + 120_001 });
    expect(lease).toEqual({ ...row, deliveries: { meta: leased(T0 + 1) }, dueAtMs: T0 + 120_001 });
    expect(await joined.read(row.key)).toEqual(lease);
    expect(await joined.read(other.key)).toEqual(other);
    expect(await events.read(row.key)).toEqual(row);
    const [item] = (await batches.readMany({ outcomes: [{ batch, platform: 'meta' }] }, 'strong')).outcomes;
    expect(item).toMatchObject({ version: 1, dueAtMs: T0 + 120_001, sweeps: 0 });
    const retry = await joined.putDelivery(lease as NormalizedRow, {
      ...META,
      delivery: retrying(T0 + 2),
      dueAtMs: null,
    });
    expect(retry).toMatchObject({ dueAtMs: T0 + 10_002 });
    const over = await joined.putDelivery(retry as NormalizedRow, {
      ...META,
      delivery: delivered(T0 + 3),
      dueAtMs: null,
    });
    expect(over).toEqual({ ...row, deliveries: { meta: delivered(T0 + 3) } });
    const [after] = (await batches.readMany({ outcomes: [{ batch, platform: 'meta' }] }, 'strong')).outcomes;
    expect(after).toEqual(
      outcomesOf(batch, [{ positions: [0], delivery: delivered(T0 + 3) }], { version: 3 }),
    );
  });

  it('puts rows of one fate into one group', async () => {
    const { joined, batches, batch, rows } = await storedBatch(open);
    for (const row of rows)
      await joined.putDelivery(row, { ...META, delivery: delivered(T0 + 3), dueAtMs: null });
    const [item] = (await batches.readMany({ outcomes: [{ batch, platform: 'meta' }] }, 'strong')).outcomes;
    expect(item?.groups).toEqual([{ positions: [0, 1, 2], delivery: delivered(T0 + 3) }]);
  });

  it(`lets one of ${RACERS} writers of one fate win, and all that write different rows' fates`, async () => {
    const { joined, batches, batch, rows } = await storedBatch(open, RACERS);
    const [first] = rows;
    if (first === undefined) return;
    const racing = await Promise.all(
      rows.map((_, i) => joined.putDelivery(first, { ...META, delivery: retrying(T0 + i), dueAtMs: null })),
    );
    expect(racing.filter((after) => after !== null)).toHaveLength(1);
    const beside = await Promise.all(
      rows
        .slice(1)
        .map((row) => joined.putDelivery(row, { ...META, delivery: delivered(T0 + 9), dueAtMs: null })),
    );
    expect(beside.every((after) => after !== null)).toBe(true);
    const [item] = (await batches.readMany({ outcomes: [{ batch, platform: 'meta' }] }, 'strong')).outcomes;
    expect(rows.map((_, position) => deliveryAt(item, position)?.state)).toEqual([
      'RETRY',
      ...rows.slice(1).map(() => 'DELIVERED'),
    ]);
  });

  it('refuses to write what becomes of a row of a batch into the row', async () => {
    const { events, row } = await storedBatch(open);
    const patch = { ...META, delivery: delivered(T0), dueAtMs: null };
    await expect(events.putDelivery(row, patch)).rejects.toThrow(RangeError);
    expect(await events.read(row.key)).toEqual(row);
  });
}

function conflicts(open: () => JoinedStores): void {
  it('refuses when that fate changed, appeared or was a success since it was seen', async () => {
    const { joined, row, other } = await storedBatch(open);
    const first = await joined.putDelivery(row, { ...META, delivery: retrying(T0 + 1), dueAtMs: null });
    expect(await joined.putDelivery(row, { ...META, delivery: retrying(T0 + 2), dueAtMs: null })).toBeNull();
    await joined.putDelivery(other, { ...META, delivery: delivered(T0 + 3), dueAtMs: null });
    const done = await joined.putDelivery(first as NormalizedRow, {
      ...META,
      delivery: delivered(T0 + 4),
      dueAtMs: null,
    });
    expect(done?.deliveries).toEqual({ meta: delivered(T0 + 4) });
    const back = { ...META, delivery: retrying(T0 + 5), dueAtMs: null };
    expect(await joined.putDelivery(done as NormalizedRow, back)).toBeNull();
    expect(
      await joined.putDelivery(done as NormalizedRow, { ...back, delivery: delivered(T0 + 6) }),
    ).toBeNull();
    const surplus = { ...delivered(T0 + 4), unknowns: delivered(T0 + 4).unknowns + 1 };
    expect(await joined.putDelivery(done as NormalizedRow, { ...back, delivery: surplus })).not.toBeNull();
    expect(await joined.putDelivery(done as NormalizedRow, { ...back, delivery: surplus })).toBeNull();
    expect((await read(joined, row)).deliveries).toEqual({ meta: surplus });
  });

  it('moves no due time and ends no wait: a row of a batch has neither', async () => {
    const { joined, events, row } = await storedBatch(open);
    expect(await joined.reschedule(row, T0 + 60_000, 1)).toBe(false);
    expect(await joined.release(row)).toBe(false);
    expect(await joined.withdraw(row, { meta: 'server_copy' })).toBe(false);
    expect(await events.read(row.key)).toEqual(row);
  });

  it('throws rather than writing over an item that cannot be read, and still writes the other platform', async () => {
    const { joined, batches, batch, row, spoil } = await storedBatch(open);
    await batches.writeOutcomes(outcomesOf(batch, [], { platform: 'x' }), 0);
    await spoil(batch, 'x');
    const patch = { delivery: delivered(T0), dueAtMs: null };
    await expect(joined.putDelivery(row, { ...patch, platform: 'x' })).rejects.toThrow(UnreadableRowError);
    expect(await joined.putDelivery(row, { ...patch, platform: 'meta' })).not.toBeNull();
  });
}

function takeOver(open: () => JoinedStores): void {
  it('shows of an archived row what became of it, and what is still heard of it later', async () => {
    const { joined, events, batches, batch, row } = await storedBatch(open);
    const failed = { ...retrying(T0 + 1), state: 'FAILED' } as const;
    const { nextAttemptAtMs: _, ...over } = failed;
    await batches.writeOutcomes(outcomesOf(batch, [{ positions: [0], delivery: over }]), 0);
    const settled = await read(joined, row);
    await joined.archive(settled);
    const next = acceptedRow(row.key, T0 + 86_400_000);
    expect(await joined.replace(next, row.ingestId)).toBe(true);
    const kept = { ...row.key, archivedAs: row.ingestId };
    expect(await joined.read(kept)).toEqual({ ...settled, key: kept });
    expect(await events.read(kept)).toEqual({ ...row, key: kept });
    // A worker that was slow finds out that the platform took it after all.
    expect(
      await joined.putDelivery(settled, { ...META, delivery: delivered(T0 + 9), dueAtMs: null }),
    ).not.toBeNull();
    expect((await read(joined, { ...row, key: kept })).deliveries).toEqual({ meta: delivered(T0 + 9) });
    // The acceptance that took the id has a fate of its own.
    expect(await joined.read(row.key)).toEqual(next);
    await joined.normalize(normalizedRow(next));
    expect((await read(joined, row)).deliveries).toEqual({});
  });
}
