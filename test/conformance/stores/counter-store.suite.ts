// What every CounterStore must do, condition by condition and under races.
import { describe, expect, it } from 'vitest';
import type { SlotCounters } from '../../../lib/events/domain/analytics.ts';
import {
  type CounterStore,
  SLOT_SHARDS,
  type SlotKey,
  type SlotRow,
} from '../../../lib/events/ports/counter-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 64;
const MINUTE_MS = 60_000;

const COUNTERS: SlotCounters = {
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

const slot = (merchantId: string, startMs = T0, grain: SlotKey['grain'] = 'minute'): SlotKey => ({
  merchantId,
  grain,
  startMs,
});
const row = (key: SlotKey, version: number, dueAtMs?: number, events = 3): SlotRow => ({
  key,
  version,
  counters: { ...COUNTERS, events },
  ...(dueAtMs === undefined ? {} : { dueAtMs }),
});

async function dueOf(store: CounterStore, merchantId: string, beforeMs: number) {
  const shards = await Promise.all(
    Array.from({ length: SLOT_SHARDS }, (_, shard) => store.due(shard, beforeMs, 1_000)),
  );
  return shards.map((entries) => entries.filter(({ key }) => key.merchantId === merchantId));
}

/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function counterStoreConformance(name: string, makeStore: () => Promise<CounterStore>): void {
  describe(`${name}: counter store`, () => {
    writing(makeStore);
    touching(makeStore);
    indexes(makeStore);
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
  });
}
