// What every BatchStore must do: one conditional write to one item, whoever else writes, and items that cannot be read or are
// another tenant's told apart from those beside them.
import { describe, expect, it } from 'vitest';
import type { BatchKey, BatchOutcomes } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { SPARSE_SHARD } from '#lib/events/domain/shard.ts';
import type { BatchItems, BatchStore } from '#lib/events/ports/batch-store.ts';
import {
  batchOf,
  HOSTILE_TEXTS,
  largestManifest,
  largestOutcomes,
  manifestOf,
  outcomesOf,
} from './batch-items.ts';
import { delivered, entriesOf, freshMerchant, leased, retrying, T0 } from './event-rows.ts';

const RACERS = 64;
const NOTHING: BatchItems = { manifests: [], outcomes: [], unreadable: [] };

export interface TestedBatchStore {
  readonly store: BatchStore;
  /** Ways to make a stored item unreadable; without a platform, the manifest. */
  readonly spoilers: Readonly<Record<string, (batch: BatchKey, platform?: string) => Promise<void>>>;
}

export function batchStoreConformance(
  name: string,
  poisons: readonly string[],
  open: () => TestedBatchStore,
): void {
  describe(`${name}: batch store`, () => {
    manifests(() => open().store);
    outcomes(() => open().store);
    races(() => open().store);
    due(() => open().store);
    minutes(() => open().store);
  });
  describe.each(poisons)(`${name}: an item of a batch with %s`, (poison) => unreadable(poison, open));
}

async function outcomesIn(
  store: BatchStore,
  batch: BatchKey,
  platform = 'meta',
): Promise<BatchOutcomes | undefined> {
  return (await store.readMany({ outcomes: [{ batch, platform }] }, 'strong')).outcomes[0];
}

async function written(store: BatchStore, outcomes: BatchOutcomes): Promise<BatchOutcomes> {
  expect(await store.writeOutcomes(outcomes, outcomes.version - 1)).toBe(true);
  return outcomes;
}

function manifests(open: () => BatchStore): void {
  it.each(['strong', 'eventual'] as const)('reads manifests as they were put, %s', async (consistency) => {
    const store = open();
    const batches = [
      batchOf(freshMerchant()),
      batchOf(freshMerchant(), { shard: 1_295, minuteMs: T0 + 86_340_000 }),
      batchOf(freshMerchant(), { shard: SPARSE_SHARD }),
    ];
    const put = batches.map((batch) => manifestOf(batch));
    for (const manifest of put) await store.putManifest(manifest);
    const read = await store.readMany({ manifests: [...batches, ...batches] }, consistency);
    expect(byId(read)).toEqual(byId({ manifests: put }));
    expect(read).toMatchObject({ outcomes: [], unreadable: [] });
  });

  it('reads a manifest and its outcomes at one platform as one, and nothing beside them', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const neighbour = `${batch.id.slice(0, -1)}${batch.id.endsWith('_') ? '-' : '_'}`;
    const others = [{ ...batch, id: neighbour }, batchOf(freshMerchant())];
    const at = (key: BatchKey, platform: string) =>
      outcomesOf(key, [{ positions: [0], delivery: delivered(T0) }], { platform });
    expect(await store.ofBatch({ batch, platform: 'meta' })).toEqual(NOTHING);
    const manifest = manifestOf(batch);
    for (const put of [manifest, ...others.map((key) => manifestOf(key))]) {
      const { batch: key } = put;
      await store.putManifest(put);
      for (const platform of ['amazon', 'meta', 'meta2', 'x']) await written(store, at(key, platform));
    }
    for (const platform of ['amazon', 'meta', 'x'])
      expect(await store.ofBatch({ batch, platform })).toEqual({
        ...NOTHING,
        manifests: [manifest],
        outcomes: [at(batch, platform)],
      });
    expect(await store.ofBatch({ batch, platform: 'met' })).toEqual({ ...NOTHING, manifests: [manifest] });
  });

  it('leaves out what is missing, and reads nothing where nothing is asked for', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    expect(
      await store.readMany({ manifests: [batch], outcomes: [{ batch, platform: 'meta' }] }, 'strong'),
    ).toEqual(NOTHING);
    expect(await store.readMany({}, 'strong')).toEqual(NOTHING);
  });

  it('keeps batches apart that differ in merchant, day, minute, shard or id alone', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const twins: readonly BatchKey[] = [
      batch,
      { ...batch, merchantId: freshMerchant() },
      { ...batch, merchantId: `${batch.merchantId}#0` },
      { ...batch, minuteMs: batch.minuteMs + 60_000 },
      { ...batch, minuteMs: batch.minuteMs + 86_400_000 },
      { ...batch, shard: 1 },
      { ...batch, id: batch.id.toUpperCase() === batch.id ? batch.id.toLowerCase() : batch.id.toUpperCase() },
    ];
    for (const [i, twin] of twins.entries())
      await store.putManifest({ ...manifestOf(twin), routingVersion: i });
    for (const [i, twin] of twins.entries()) {
      const { manifests } = await store.readMany({ manifests: [twin] }, 'strong');
      expect(manifests.map(({ batch: own, routingVersion }) => [own, routingVersion])).toEqual([[twin, i]]);
    }
  });

  it('keeps every id, order and merchant that can be spelled', async () => {
    const store = open();
    const wellFormed = HOSTILE_TEXTS.filter((text) => text.isWellFormed());
    for (const merchantId of wellFormed.map((text) => `${freshMerchant()}${text}`)) {
      const manifest = manifestOf(batchOf(merchantId), HOSTILE_TEXTS);
      const orders = { ...manifest, rows: manifest.rows.map((row) => ({ ...row, order: row.eventId })) };
      await store.putManifest(orders);
      const read = await store.readMany({ manifests: [manifest.batch] }, 'strong');
      expect(read.manifests).toEqual([orders]);
    }
  });

  it('takes the largest batch, and refuses a larger one', async () => {
    const store = open();
    const manifest = largestManifest(batchOf(freshMerchant()));
    await store.putManifest(manifest);
    expect((await store.readMany({ manifests: [manifest.batch] }, 'strong')).manifests).toEqual([manifest]);
    const ids = Array.from({ length: 101 }, (_, i) => `event-${i}`);
    await expect(store.putManifest(manifestOf(batchOf(freshMerchant()), ids))).rejects.toThrow(RangeError);
  });

  it('reads more items than one request takes', async () => {
    const store = open();
    const merchant = freshMerchant();
    const batches = Array.from({ length: 130 }, () => batchOf(merchant));
    await Promise.all(batches.map((batch) => store.putManifest(manifestOf(batch, ['a']))));
    const platforms = ['meta', 'x'];
    await Promise.all(
      batches.map((batch) =>
        store.writeOutcomes(outcomesOf(batch, [{ positions: [0], delivery: delivered(T0) }]), 0),
      ),
    );
    const outcomes = batches.flatMap((batch) => platforms.map((platform) => ({ batch, platform })));
    const read = await store.readMany({ manifests: batches, outcomes }, 'strong');
    expect([read.manifests.length, read.outcomes.length]).toEqual([130, 130]);
  });
}

function outcomes(open: () => BatchStore): void {
  it('reads outcomes as they were written, times and fates of every kind', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const first = await written(
      store,
      outcomesOf(
        batch,
        [
          { positions: [0, 5, 99], delivery: delivered(T0 + 61_000) },
          { positions: [1, 2], delivery: retrying(T0 + 70_000) },
          { positions: [3], delivery: leased(T0 + 90_000) },
        ],
        { dueAtMs: T0 + 80_000, sweeps: 2 },
      ),
    );
    expect(await outcomesIn(store, batch)).toEqual(first);
    expect((await store.readMany({ outcomes: [{ batch, platform: 'meta' }] }, 'eventual')).outcomes).toEqual([
      first,
    ]);
    expect(await outcomesIn(store, batch, 'tiktok')).toBeUndefined();
    const next = await written(
      store,
      outcomesOf(batch, [{ positions: [0], delivery: delivered(T0) }], { version: 2 }),
    );
    expect(await outcomesIn(store, batch)).toEqual(next);
  });

  it('writes only over the version that was seen, and creates only where there is none', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const group = (atMs: number) => [{ positions: [0], delivery: retrying(atMs) }];
    expect(await store.writeOutcomes(outcomesOf(batch, group(T0), { version: 4 }), 3)).toBe(false);
    expect(await outcomesIn(store, batch)).toBeUndefined();
    const first = await written(store, outcomesOf(batch, group(T0 + 1)));
    expect(await store.writeOutcomes(outcomesOf(batch, group(T0 + 2)), 0)).toBe(false);
    expect(await store.writeOutcomes(outcomesOf(batch, group(T0 + 2), { version: 3 }), 2)).toBe(false);
    expect(await outcomesIn(store, batch)).toEqual(first);
    await written(store, outcomesOf(batch, group(T0 + 3), { version: 2 }));
    expect(await store.writeOutcomes(outcomesOf(batch, group(T0 + 4), { version: 2 }), 1)).toBe(false);
    expect(deliveryAt(await outcomesIn(store, batch), 0)?.updatedAtMs).toBe(T0 + 3);
  });

  it('keeps platforms, manifests and tenants out of each other', async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const theirs = { ...batch, merchantId: freshMerchant() };
    await store.putManifest(manifestOf(batch));
    const mine = await written(store, outcomesOf(batch, [{ positions: [0], delivery: delivered(T0) }]));
    const other = await written(store, outcomesOf(batch, [], { platform: 'google_ads' }));
    expect(await outcomesIn(store, theirs)).toBeUndefined();
    expect((await store.readMany({ manifests: [theirs] }, 'strong')).manifests).toEqual([]);
    const keys = ['meta', 'google_ads'].map((platform) => ({ batch, platform }));
    const read = await store.readMany({ outcomes: keys }, 'strong');
    expect(new Set(read.outcomes)).toEqual(new Set([mine, other]));
    expect(await store.writeOutcomes(outcomesOf(theirs, [], { version: 2 }), 1)).toBe(false);
  });

  it('takes a hundred fates that all differ, five long answers each', async () => {
    const store = open();
    const largest = await written(store, largestOutcomes(batchOf(freshMerchant())));
    expect(await outcomesIn(store, largest.batch)).toEqual(largest);
  });
}

function races(open: () => BatchStore): void {
  it(`lets one of ${RACERS} writers that saw the same win`, async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    for (const seen of [0, 1]) {
      const racing = Array.from({ length: RACERS }, (_, i) =>
        outcomesOf(batch, [{ positions: [i], delivery: delivered(T0 + i) }], { version: seen + 1 }),
      );
      const won = await Promise.all(racing.map((next) => store.writeOutcomes(next, seen)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await outcomesIn(store, batch)).toEqual(racing[won.indexOf(true)]);
    }
  });

  it(`loses no fate of ${RACERS} rows whose writers each read again until theirs are in`, async () => {
    const store = open();
    const batch = batchOf(freshMerchant());
    const fate = (position: number) => delivered(T0 + (position % 3));
    const write = async (positions: readonly number[]): Promise<void> => {
      const changes = new Map(positions.map((position) => [position, fate(position)]));
      for (;;) {
        const seen = (await outcomesIn(store, batch)) ?? emptyOutcomes(batch, 'meta');
        if (await store.writeOutcomes(nextOutcomes(seen, changes), seen.version)) return;
      }
    };
    const every = Array.from({ length: RACERS }, (_, position) => position);
    const writers = [...Map.groupBy(every, (position) => position % 16).values()];
    await Promise.all(writers.map(write));
    const after = await outcomesIn(store, batch);
    expect(after?.version).toBe(writers.length);
    expect(after?.groups).toHaveLength(3);
    for (const position of every) expect(deliveryAt(after, position)).toEqual(fate(position));
  });
}

function due(open: () => BatchStore): void {
  const dueIn = async (store: BatchStore, merchantId: string) => {
    const shards = await entriesOf(store, ({ batch }) => batch.merchantId, merchantId);
    for (const entries of shards) {
      const places = entries.map(
        ({ parkedFor = '', dueAtMs }) => `${parkedFor} ${String(dueAtMs).padStart(15, '0')}`,
      );
      expect(places).toEqual([...places].sort());
    }
    return shards.flat();
  };

  it('lists what is due, the longest due first in each shard, until it is not', async () => {
    const store = open();
    const merchantId = freshMerchant();
    const items: BatchOutcomes[] = [];
    for (let i = 0; i < 40; i++) {
      const dueAtMs = T0 + ((i * 7) % 40) * 1_000;
      items.push(
        await written(store, outcomesOf(batchOf(merchantId), [], { platform: 'google_ads', dueAtMs })),
      );
    }
    await store.putManifest(manifestOf(batchOf(merchantId)));
    const found = await dueIn(store, merchantId);
    expect(new Set(found)).toEqual(
      new Set(items.map(({ batch, platform, dueAtMs }) => ({ key: { batch, platform }, dueAtMs }))),
    );
    for (const { dueAtMs: _, ...item } of items) await written(store, { ...item, version: 2 });
    expect(await dueIn(store, merchantId)).toEqual([]);
  });

  it('spreads one minute of one merchant over a few shards, and pages through what is due there', async () => {
    const store = open();
    const merchantId = freshMerchant();
    const due = Array.from({ length: 64 }, (_, i) => T0 - 1_000_000 + i);
    for (const dueAtMs of due) await written(store, outcomesOf(batchOf(merchantId), [], { dueAtMs }));
    const shards = await entriesOf(store, ({ batch }) => batch.merchantId, merchantId);
    expect(shards.filter(({ length }) => length > 0)).toHaveLength(Math.min(8, store.dueShards));
    const found: number[] = [];
    for (let shard = 0; shard < store.dueShards; shard++) {
      let cursor: string | undefined;
      do {
        const query = { shard, group: { merchantId }, beforeMs: T0 - 1_000_000 + 32, limit: 3 };
        const page = await store.dueOf({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.entries.length).toBeLessThanOrEqual(3);
        found.push(...page.entries.map(({ dueAtMs }) => dueAtMs));
        cursor = page.cursor;
      } while (cursor !== undefined);
    }
    expect(found.sort()).toEqual(due.slice(0, 32));
  });

  it('enters an item with its platform while any fate in it is parked, whatever others wait for', async () => {
    const store = open();
    const merchantId = freshMerchant();
    const groups = async () => (await dueIn(store, merchantId)).map(({ parkedFor }) => parkedFor);
    const waits = (reason: string, nextAttemptAtMs: number): Delivery => ({
      ...retrying(T0),
      reason,
      nextAttemptAtMs,
    });
    const none = emptyOutcomes(batchOf(merchantId), 'meta');
    const parked = nextOutcomes(none, new Map([[0, waits('circuit_open', T0 + 86_400_000)]]));
    await store.writeOutcomes(parked, 0);
    expect(await groups()).toEqual(['meta']);
    const both = nextOutcomes(parked, new Map([[1, waits('timeout', T0 + 10_000)]]));
    await store.writeOutcomes(both, 1);
    expect((await dueIn(store, merchantId)).map(({ parkedFor, dueAtMs }) => [parkedFor, dueAtMs])).toEqual([
      ['meta', T0 + 10_000],
    ]);
    const released = nextOutcomes(both, new Map([[0, delivered(T0 + 1)]]));
    await store.writeOutcomes(released, 2);
    expect(await groups()).toEqual([undefined]);
    await store.writeOutcomes(nextOutcomes(released, new Map([[1, delivered(T0 + 1)]])), 3);
    expect(await groups()).toEqual([]);
  });
}

function minutes(open: () => BatchStore): void {
  it('lists all items of a minute and shard, and no other', async () => {
    const store = open();
    const merchantId = freshMerchant();
    const minute = { merchantId, minuteMs: T0, shard: 3 };
    const own = Array.from({ length: 60 }, () => batchOf(merchantId, { shard: 3 }));
    const others = [
      batchOf(merchantId, { shard: 0 }),
      batchOf(merchantId, { shard: 3, minuteMs: T0 + 60_000 }),
      batchOf(merchantId, { shard: 3, minuteMs: T0 - 86_400_000 }),
      batchOf(freshMerchant(), { shard: 3 }),
    ];
    for (const batch of [...own, ...others]) {
      await store.putManifest(manifestOf(batch, ['a', 'b']));
      await written(store, outcomesOf(batch, [{ positions: [1], delivery: delivered(T0) }]));
    }
    const found = await everyPage(store, minute);
    const ids = own.map(({ id }) => id).sort();
    expect(found.manifests.map(({ batch }) => batch.id).sort()).toEqual(ids);
    expect(found.outcomes.map(({ batch }) => batch.id).sort()).toEqual(ids);
    expect(await everyPage(store, { ...minute, shard: 4 })).toEqual({
      manifests: [],
      outcomes: [],
      unreadable: [],
    });
  });
}

async function everyPage(
  store: BatchStore,
  minute: { readonly merchantId: string; readonly minuteMs: number; readonly shard: number },
): Promise<BatchItems> {
  const pages: BatchItems[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.ofMinute({ ...minute, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return {
    manifests: pages.flatMap((page) => page.manifests),
    outcomes: pages.flatMap((page) => page.outcomes),
    unreadable: pages.flatMap((page) => page.unreadable),
  };
}

function unreadable(poison: string, open: () => TestedBatchStore): void {
  const prepare = async () => {
    const { store, spoilers } = open();
    const batch = batchOf(freshMerchant());
    const beside = { ...batch, id: 'beside00' };
    for (const key of [batch, beside]) {
      await store.putManifest(manifestOf(key));
      for (const platform of ['meta', 'x'])
        await written(
          store,
          outcomesOf(key, [{ positions: [0], delivery: retrying(T0) }], {
            platform,
            dueAtMs: T0 + 1_000,
            sweeps: 3,
          }),
        );
    }
    await spoilers[poison]?.(batch);
    await spoilers[poison]?.(batch, 'meta');
    return { store, batch, beside };
  };

  it.each(['strong', 'eventual'] as const)(
    'is told apart from the items beside it, %s',
    async (consistency) => {
      const { store, batch, beside } = await prepare();
      const batches = [batch, beside];
      const outcomes = batches.flatMap((key) => ['meta', 'x'].map((platform) => ({ batch: key, platform })));
      for (const read of [
        await store.readMany({ manifests: batches, outcomes }, consistency),
        await everyPage(store, batch),
      ]) {
        expect(read.manifests.map(({ batch: { id } }) => id)).toEqual([beside.id]);
        expect(read.outcomes.map(({ batch: { id }, platform }) => `${id} ${platform}`).sort()).toEqual(
          [`${batch.id} x`, `${beside.id} meta`, `${beside.id} x`].sort(),
        );
        const about = read.unreadable.map(({ platform, problem, ...rest }) => ({
          platform,
          said: problem !== '',
          ...rest,
        }));
        expect(new Set(about)).toEqual(
          new Set([
            { batch, platform: undefined, said: true, sweeps: 0 },
            { batch, platform: 'meta', said: true, sweeps: 3, dueAtMs: T0 + 1_000 },
          ]),
        );
      }
    },
  );

  it('is told apart from the one that is read with it, and spoils no other platform’s', async () => {
    const { store, batch } = await prepare();
    const read = await store.ofBatch({ batch, platform: 'x' });
    expect(read.outcomes.map(({ platform }) => platform)).toEqual(['x']);
    expect(read.unreadable.map(({ platform }) => platform)).toEqual([undefined]);
    const both = await store.ofBatch({ batch, platform: 'meta' });
    expect(both.unreadable.map(({ platform }) => platform)).toEqual([undefined, 'meta']);
  });

  it('is not written over by who takes it for missing, and is put off once for each look', async () => {
    const { store, batch } = await prepare();
    expect(await store.writeOutcomes(outcomesOf(batch, []), 0)).toBe(false);
    const key = { batch, platform: 'meta' };
    const [seen] = (await store.readMany({ outcomes: [key] }, 'strong')).unreadable;
    if (seen === undefined) throw new Error('it was read');
    expect(await store.deferUnreadable(seen, T0 + 60_000)).toBe(true);
    expect(await store.deferUnreadable(seen, T0 + 90_000)).toBe(false);
    const [after] = (await store.readMany({ outcomes: [key] }, 'strong')).unreadable;
    expect(after).toMatchObject({ dueAtMs: T0 + 60_000, sweeps: 4 });
    const due = (await entriesOf(store, (outcomes) => outcomes.batch.merchantId, batch.merchantId)).flat();
    const mine = due.filter((entry) => entry.key.batch.id === batch.id);
    expect(new Map(mine.map((entry) => [entry.key.platform, entry.dueAtMs]))).toEqual(
      new Map([
        ['x', T0 + 1_000],
        ['meta', T0 + 60_000],
      ]),
    );
    const [manifest] = (await store.readMany({ manifests: [batch] }, 'strong')).unreadable;
    expect(manifest && (await store.deferUnreadable(manifest, T0))).toBe(false);
  });
}

const byId = ({ manifests }: Pick<BatchItems, 'manifests'>) =>
  [...manifests].sort((a, b) => (a.batch.id < b.batch.id ? -1 : 1));
