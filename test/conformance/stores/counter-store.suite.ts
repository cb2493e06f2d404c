// What every CounterStore must do, condition by condition and under races.
import { describe, expect, it } from 'vitest';
import { DAY_MS, floorTo, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { inShard, shardOf } from '#lib/events/domain/shard.ts';
import {
  BUCKET_SHARDS,
  type BucketKey,
  type BucketRow,
  type CounterStore,
} from '#lib/events/ports/counter-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 64;

const COUNTERS: BucketCounters = {
  events: 3,
  bots: 1,
  merged: 0,
  bySource: { server: 3 },
  byName: { Purchase: 2, Custom: 1 },
  deliveries: { meta: { Purchase: { DELIVERED: 2, rule_excluded: 1 } }, ga4: {} },
  latency: { count: 2, sumMs: 412 },
  revenue: { EUR: { orders: 2, minor: '123456789012345678901234567890' } },
  issues: { 'phone:phone_without_country_code': 1 },
  completeness: { email: 3 },
};

const slot = (merchantId: string, startMs = T0, grain: BucketKey['grain'] = 'minute'): BucketKey => ({
  merchantId,
  grain,
  startMs,
});
const row = (key: BucketKey, version: number, dueAtMs?: number, events = 3): BucketRow => ({
  key,
  version,
  counters: { ...COUNTERS, events },
  ...(dueAtMs === undefined ? {} : { dueAtMs }),
});

async function dueOf(store: CounterStore, merchantId: string, beforeMs: number, pageMax = 1_000) {
  const shards = Array.from({ length: BUCKET_SHARDS }, async (_, shard) => {
    const found: { readonly key: BucketKey; readonly dueAtMs: number }[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.due(shard, beforeMs, { pageMax, cursor });
      found.push(...page.due);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return found.filter(({ key }) => key.merchantId === merchantId);
  });
  return await Promise.all(shards);
}

/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function counterStoreConformance(name: string, makeStore: () => Promise<CounterStore>): void {
  describe(`${name}: counter store`, () => {
    writing(makeStore);
    touching(makeStore);
    settling(makeStore);
    indexes(makeStore);
    shards(makeStore);
  });
}

function writing(makeStore: () => Promise<CounterStore>): void {
  it('says null for a slot never touched', async () => {
    expect(await (await makeStore()).read(slot(freshMerchant()))).toBeNull();
  });

  it('overwrites only the version before', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    expect(await store.write(row(key, 2))).toBe(false);
    expect(await store.read(key)).toBeNull();
    expect(await store.write(row(key, 1, T0 + 1))).toBe(true);
    expect(await store.read(key)).toEqual(row(key, 1, T0 + 1));
    expect(await store.write(row(key, 1, T0 + 2, 9))).toBe(false);
    expect(await store.write(row(key, 3, T0 + 2, 9))).toBe(false);
    expect(await store.write(row(key, 2, undefined, 9))).toBe(true);
    expect(await store.read(key)).toEqual(row(key, 2, undefined, 9));
  });

  it('overwrites whole: nothing of the old counters stays', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await store.write(row(key, 1));
    const smaller = {
      ...row(key, 2),
      counters: { ...COUNTERS, byName: { Lead: 1 }, deliveries: {}, revenue: {} },
    };
    expect(await store.write(smaller)).toBe(true);
    expect(await store.read(key)).toEqual(smaller);
  });

  it(`lets one of ${RACERS} concurrent folds win`, async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    for (const version of [1, 2]) {
      const wins = await Promise.all(
        Array.from({ length: RACERS }, (_, i) => store.write(row(key, version, undefined, i))),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect((await store.read(key))?.counters.events).toBe(wins.indexOf(true));
    }
  });
}

function touching(makeStore: () => Promise<CounterStore>): void {
  it('makes an empty slot due, which the fold that saw it may overwrite', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await store.markDue(key, T0 + 5);
    const empty = await store.read(key);
    expect(empty).toMatchObject({ key, version: 1, dueAtMs: T0 + 5 });
    expect(empty?.counters).toMatchObject({ events: 0, byName: {}, deliveries: {}, revenue: {} });
    expect(await store.write(row(key, 1))).toBe(false);
    expect(await store.write(row(key, 2))).toBe(true);
    expect(await store.read(key)).toEqual(row(key, 2));
  });

  it('defeats every fold that read the slot before it', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await store.write(row(key, 1, T0 + 100));
    await store.markDue(key, T0 + 200);
    expect(await store.write(row(key, 2))).toBe(false);
    expect(await store.read(key)).toEqual(row(key, 2, T0 + 200));
  });

  it('sets the due time, earlier or later, of open and settled slots, and leaves the counters alone', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await store.write(row(key, 1, T0 + 100));
    await store.markDue(key, T0 + 50);
    expect(await store.read(key)).toEqual(row(key, 2, T0 + 50));
    await store.write(row(key, 3));
    await store.markDue(key, T0 + 70);
    expect(await store.read(key)).toEqual(row(key, 4, T0 + 70));
  });

  it(`counts each of ${RACERS} concurrent touches`, async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await Promise.all(Array.from({ length: RACERS }, (_, i) => store.markDue(key, T0 + i)));
    expect((await store.read(key))?.version).toBe(RACERS);
  });
}

function settling(makeStore: () => Promise<CounterStore>): void {
  const [FIRST, SECOND] = [{ a: 'tiktok' }, { a: 'tiktok google_ads', b: 'direct' }];

  it('keeps what was settled of a slot, which no other write of it changes', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    await store.write(row(key, 1));
    expect(await store.settle(key, FIRST, 0, T0 + 60)).toBe(true);
    const settled = { revision: 1, credits: FIRST };
    expect(await store.read(key)).toEqual({ ...row(key, 2, T0 + 60), settled });
    expect(await store.write(row(key, 2))).toBe(false);
    expect(await store.write(row(key, 3))).toBe(true);
    await store.markDue(key, T0 + 70);
    expect(await store.range(key.merchantId, 'minute', T0, T0 + 1)).toEqual([
      { ...row(key, 4, T0 + 70), settled },
    ]);
  });

  it('refuses what was settled without knowing what others settled, and makes the slot due again', async () => {
    const store = await makeStore();
    const key = slot(freshMerchant());
    expect(await store.settle(key, FIRST, 0, T0 + 60)).toBe(true);
    expect(await store.settle(key, SECOND, 0, T0 + 70)).toBe(false);
    expect(await store.settle(key, SECOND, 1, T0 + 70)).toBe(true);
    expect(await store.read(key)).toMatchObject({
      ...{ version: 2, dueAtMs: T0 + 70 },
      settled: { revision: 2, credits: SECOND },
    });
  });
}

function indexes(makeStore: () => Promise<CounterStore>): void {
  it('ranges over one grain of one merchant, ascending, upper bound out', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const starts = [3, 0, 2, 1].map((i) => T0 + i * MINUTE_MS);
    for (const startMs of starts) await store.write(row(slot(merchantId, startMs), 1));
    await store.write(row(slot(merchantId, T0, 'hour'), 1));
    await store.write(row(slot(freshMerchant(), T0), 1));
    const rows = await store.range(merchantId, 'minute', T0, T0 + 3 * MINUTE_MS);
    expect(rows).toEqual([0, 1, 2].map((i) => row(slot(merchantId, T0 + i * MINUTE_MS), 1)));
    expect(await store.range(merchantId, 'hour', T0, T0 + 1)).toHaveLength(1);
    expect(await store.range(merchantId, 'day', T0 - 1, T0 + 1)).toEqual([]);
  });

  it('has nothing in a range that ends where it begins, or before', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const dayMs = floorTo(T0, DAY_MS);
    await store.write(row(slot(merchantId, dayMs, 'day'), 1));
    for (const toMs of [dayMs, dayMs - DAY_MS]) {
      expect(await store.range(merchantId, 'day', dayMs, toMs)).toEqual([]);
      expect(await store.openedShards(merchantId, dayMs, toMs)).toEqual([]);
    }
  });

  it('shows each due slot in exactly one shard, oldest first, and forgets settled ones', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    for (let i = 0; i < 40; i++) {
      await store.write(row(slot(merchantId, T0 + i * MINUTE_MS), 1, T0 + ((i * 7) % 40)));
    }
    const shards = await dueOf(store, merchantId, T0 + 20);
    expect(shards.flat()).toHaveLength(20);
    for (const shard of shards) {
      const times = shard.map(({ dueAtMs }) => dueAtMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    await store.write(row(slot(merchantId, T0), 2));
    expect((await dueOf(store, merchantId, T0 + 20)).flat()).toHaveLength(19);
    await store.markDue(slot(merchantId, T0), T0 + 1);
    expect((await dueOf(store, merchantId, T0 + 20)).flat()).toHaveLength(20);
    expect(await dueOf(store, merchantId, T0 + 20, 1)).toEqual(await dueOf(store, merchantId, T0 + 20));
  });
}

const PART = { events: 1, bots: 0, deliveries: {}, revenue: {} };

function shards(makeStore: () => Promise<CounterStore>): void {
  const SHARDS = [0, 1, 9, 10, 35, 36, 63];
  const inShardOf = (merchantId: string, shard: number, startMs = T0): BucketKey =>
    inShard(slot(merchantId, startMs), shard);

  it('keeps each shard of a minute as a slot of its own, found with its minute', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    for (const startMs of [T0, T0 + MINUTE_MS])
      for (const shard of SHARDS)
        await store.write(row(inShardOf(merchantId, shard, startMs), 1, undefined, shard));
    for (const shard of SHARDS)
      expect(await store.read(inShardOf(merchantId, shard))).toEqual(
        row(inShardOf(merchantId, shard), 1, undefined, shard),
      );
    expect(await store.read(inShardOf(merchantId, 2))).toBeNull();
    for (const toMs of [T0 + 1, T0 + MINUTE_MS]) {
      const rows = await store.range(merchantId, 'minute', T0, toMs);
      expect(rows.map(({ key }) => shardOf(key)).sort((a, b) => a - b)).toEqual(SHARDS);
      expect(new Set(rows.map(({ key }) => key.startMs))).toEqual(new Set([T0]));
    }
    expect(await store.range(merchantId, 'minute', T0 + MINUTE_MS, T0 + 2 * MINUTE_MS)).toHaveLength(
      SHARDS.length,
    );
  });

  it('moves the version and the due time of one shard alone, and shows it due as what it is', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    for (const shard of SHARDS) await store.markDue(inShardOf(merchantId, shard), T0 + 5);
    await store.markDue(inShardOf(merchantId, 36), T0 + 7);
    expect(await store.read(inShardOf(merchantId, 36))).toMatchObject({ version: 2, dueAtMs: T0 + 7 });
    expect(await store.read(inShardOf(merchantId, 0))).toMatchObject({ version: 1, dueAtMs: T0 + 5 });
    const due = (await dueOf(store, merchantId, T0 + 10)).flat();
    expect(due.map(({ key }) => shardOf(key)).sort((a, b) => a - b)).toEqual(SHARDS);
    expect(due.find(({ key }) => shardOf(key) === 0)?.key).toEqual(slot(merchantId));
  });

  it('keeps the parts of an hour with the counters they are of', async () => {
    const [store, merchantId] = [await makeStore(), freshMerchant()];
    const hour = { merchantId, grain: 'hour', startMs: T0 } as const;
    await store.write({ ...row(hour, 1), parts: { '18:00': PART, '18:30': PART } });
    expect((await store.read(hour))?.parts).toEqual({ '18:00': PART, '18:30': PART });
    expect((await store.range(merchantId, 'hour', T0, T0 + 1))[0]?.parts).toHaveProperty('18:30', PART);
    // A process of another release writes none.
    await store.write(row(hour, 2));
    expect((await store.read(hour))?.parts).toBeUndefined();
    await store.write({ ...row(hour, 3), parts: { '18:00': PART } });
    await store.markDue(hour, T0);
    expect((await store.read(hour))?.parts).toBeUndefined();
  });

  it('finds the parts of days by the digest that stands with their counters', async () => {
    const [store, merchantId] = [await makeStore(), freshMerchant()];
    const days = [0, 1, 2].map((i) => ({ merchantId, grain: 'day', startMs: T0 + i * 86_400_000 }) as const);
    for (const [i, day] of days.entries())
      await store.write({ ...row(day, 1), parts: { [i]: PART }, cut: `cut of ${i}` });
    const stored = await store.range(merchantId, 'day', T0, T0 + 3 * 86_400_000);
    expect(stored.map(({ cut, parts }) => [cut, parts])).toEqual(
      [0, 1, 2].map((i) => [`cut of ${i}`, undefined]),
    );
    const [first, second, third] = stored as [BucketRow, BucketRow, BucketRow];
    const found = await store.partsOfDays(merchantId, [first, { ...second, cut: 'another' }]);
    expect(found).toEqual(new Map([[T0, { 0: PART }]]));
    expect(await store.partsOfDays(merchantId, [])).toEqual(new Map());
    expect(await store.partsOfDays(freshMerchant(), stored)).toEqual(new Map());
    // A process of another release writes none.
    await store.write(row(third.key, 2));
    expect((await store.read(third.key))?.cut).toBeUndefined();
  });

  it('knows how many shards an hour has, whatever is written to it later', async () => {
    const store = await makeStore();
    const hour = slot(freshMerchant(), T0, 'hour');
    await store.write({ ...row(hour, 1), shards: 40 });
    expect((await store.read(hour))?.shards).toBe(40);
    await store.markDue(hour, T0);
    await store.write(row(hour, 3));
    expect(await store.read(hour)).toEqual({ ...row(hour, 3), shards: 40 });
  });

  it('lists the shards announced for the days a range touches, each once, of this merchant', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const dayMs = floorTo(T0, DAY_MS);
    expect(await store.openedShards(merchantId, T0, T0 + 1)).toEqual([]);
    await Promise.all([1, 36, 1, 63].map((shard) => store.openShard(merchantId, dayMs, shard)));
    await store.openShard(merchantId, dayMs + DAY_MS, 2);
    await store.openShard(freshMerchant(), dayMs, 5);
    const shardsIn = async (fromMs: number, toMs: number) =>
      (await store.openedShards(merchantId, fromMs, toMs))
        .map(({ dayMs: day, shard }) => ((day - dayMs) / DAY_MS) * 100 + shard)
        .sort((a, b) => a - b);
    expect(await shardsIn(dayMs + DAY_MS - 1, dayMs + DAY_MS)).toEqual([1, 36, 63]);
    expect(await shardsIn(dayMs, dayMs + 1)).toEqual([1, 36, 63]);
    expect(await shardsIn(T0, dayMs + DAY_MS + 1)).toEqual([1, 36, 63, 102]);
    expect(await shardsIn(dayMs + 2 * DAY_MS, dayMs + 3 * DAY_MS)).toEqual([]);
    expect(await store.range(merchantId, 'day', dayMs, dayMs + DAY_MS)).toEqual([]);
  });
}
