// What every EventStore's indexes must answer once they have caught up: what is due, and what was received when.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import { inShard } from '#lib/events/domain/shard.ts';
import type { EventStore, ReceivedQuery } from '#lib/events/ports/event-store.ts';
import {
  acceptedRow,
  delivered,
  dueEntries,
  dueIds,
  freshMerchant,
  normalizedRow,
  retrying,
  T0,
} from './event-rows.ts';

const DAY_MS = 86_400_000;

export function eventStoreIndexConformance(name: string, makeStore: () => Promise<EventStore>): void {
  describe(`${name}: event store indexes`, () => {
    dueIndex(makeStore);
    receivedIndex(makeStore);
    shardedIndex(makeStore);
  });
}

/** A normalized row that is due. */
async function storedDue(store: EventStore, key: EventKey, dueAtMs: number): Promise<NormalizedRow> {
  const accepted = acceptedRow(key);
  await store.claim(accepted);
  const row = normalizedRow(accepted);
  await store.normalize(row);
  await store.reschedule(row, dueAtMs, 0);
  return { ...row, dueAtMs };
}

function dueIndex(makeStore: () => Promise<EventStore>): void {
  it('shows each row that is due at any time in exactly one shard, group after group, the longest due first', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const rows = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        storedDue(store, { merchantId, channel: 'server', eventId: `e-${i}` }, T0 + ((i * 37) % 100)),
      ),
    );
    const shards = await dueEntries(store, merchantId);
    const due = shards.flat().map(({ key, dueAtMs }) => `${key.eventId} ${dueAtMs}`);
    expect(due.sort()).toEqual(rows.map(({ key, dueAtMs }) => `${key.eventId} ${dueAtMs}`).sort());
    for (const shard of shards) {
      const times = shard.map(({ dueAtMs }) => dueAtMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    // One group spreads, so that no partition takes all its writes, and yet leaves most shards alone.
    const used = shards.filter((shard) => shard.length > 0).length;
    expect(used).toBe(Math.min(8, store.dueShards));
  });

  it('steps over a group of any size, and misses no other', async () => {
    const store = await makeStore();
    const large = freshMerchant();
    for (let i = 0; i < 40; i++)
      await storedDue(store, { merchantId: large, channel: 'server', eventId: `l-${i}` }, T0 + i);
    const others = Array.from({ length: 20 }, freshMerchant);
    for (const merchantId of others)
      await storedDue(store, { merchantId, channel: 'server', eventId: 'one' }, T0);
    for (const merchantId of others)
      expect((await dueEntries(store, merchantId, 3)).flat().map(({ key }) => key.eventId)).toEqual(['one']);
  });

  it('gives one group that is due before a moment, in pages, and nothing of another one', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const other = freshMerchant();
    for (let i = 0; i < 30; i++) {
      await storedDue(store, { merchantId, channel: 'server', eventId: `d-${i}` }, T0 + Math.floor(i / 3));
      await storedDue(store, { merchantId: other, channel: 'server', eventId: `o-${i}` }, T0);
    }
    const found: string[] = [];
    for (let shard = 0; shard < store.dueShards; shard++) {
      let cursor: string | undefined;
      do {
        const query = { shard, group: { merchantId }, beforeMs: T0 + 5, limit: 2 };
        const page = await store.dueOf({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.entries.length).toBeLessThanOrEqual(2);
        found.push(...page.entries.map(({ key }) => key.eventId));
        cursor = page.cursor;
      } while (cursor !== undefined);
    }
    expect(found.sort()).toEqual(Array.from({ length: 15 }, (_, i) => `d-${i}`).sort());
  });

  it('enters a row with the connections its deliveries are parked for, whatever else it waits for', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const accepted = acceptedRow({ merchantId, channel: 'server', eventId: 'parked' });
    await store.claim(accepted);
    const verdicts = { meta: 'pending', tiktok: 'pending' };
    const row = { ...normalizedRow(accepted), verdicts };
    await store.normalize(row);
    const parked = (atMs: number): Delivery => ({
      state: 'RETRY',
      reason: 'connection_paused',
      attempts: 0,
      unknowns: 0,
      updatedAtMs: atMs,
      nextAttemptAtMs: T0 + DAY_MS,
      history: [],
    });
    const group = async () => (await dueEntries(store, merchantId)).flat().map((entry) => entry.parkedFor);
    const one = await store.putDelivery(row, {
      platform: 'tiktok',
      delivery: parked(T0),
      dueAtMs: T0 + DAY_MS,
    });
    expect(one?.parkedFor).toBe('tiktok');
    expect(await group()).toEqual(['tiktok']);
    if (one === null) return;
    const two = await store.putDelivery(one, {
      platform: 'meta',
      delivery: parked(T0),
      dueAtMs: T0 + DAY_MS,
    });
    expect(await group()).toEqual(['meta+tiktok']);
    if (two === null) return;
    expect(await store.reschedule(two, T0 + 5, 1)).toBe(true);
    expect(await group()).toEqual(['meta+tiktok']);
    const moved = (await store.read(row.key)) as NormalizedRow;
    expect(moved).toMatchObject({ dueAtMs: T0 + 5, parkedFor: 'meta+tiktok' });
    const retry = await store.putDelivery(moved, {
      platform: 'meta',
      delivery: retrying(T0 + 1),
      dueAtMs: T0 + 10_001,
    });
    expect(retry).toMatchObject({ parkedFor: 'tiktok', dueAtMs: T0 + 10_001 });
    expect(await group()).toEqual(['tiktok']);
    if (retry === null) return;
    const end = { platform: 'tiktok', delivery: delivered(T0 + 2), dueAtMs: T0 + 10_001 };
    expect(await store.putDelivery(retry, end)).not.toHaveProperty('parkedFor');
    expect(await group()).toEqual([undefined]);
  });

  it('keeps its due time for a delivery that began to wait for longer than it, unseen by who would end it', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const accepted = acceptedRow({ merchantId, channel: 'server', eventId: 'two' });
    await store.claim(accepted);
    const row = { ...normalizedRow(accepted), verdicts: { meta: 'pending', tiktok: 'pending' } };
    await store.normalize(row);
    const first = await store.putDelivery(row, {
      platform: 'meta',
      delivery: retrying(T0),
      dueAtMs: T0 + 10_000,
    });
    if (first === null) throw new Error('not written');
    const waits = { ...retrying(T0 + 1), nextAttemptAtMs: T0 + DAY_MS };
    const both = await store.putDelivery(first, {
      platform: 'tiktok',
      delivery: waits,
      dueAtMs: T0 + 10_000,
    });
    expect(both?.dueAtMs).toBe(T0 + 10_000);
    const end = { platform: 'meta', delivery: delivered(T0 + 2), dueAtMs: null };
    expect(await store.putDelivery(first, end)).toBeNull();
    expect(await store.reschedule(first, T0 + 60_000, 1)).toBe(false);
    expect(await store.reschedule(first, T0 + 5_000, 1)).toBe(true);
    expect(await dueIds(store, merchantId, T0 + 5_001)).toEqual(['two']);
  });

  it('follows a row: it enters with its first retry, moves, leaves with its end, and never sees what is new', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const accepted = acceptedRow({ merchantId, channel: 'server', eventId: 'moving' });
    const due = async () => (await dueEntries(store, merchantId)).flat().map((e) => e.dueAtMs);
    await store.claim(accepted);
    const row = normalizedRow(accepted);
    await store.normalize(row);
    expect(await due()).toEqual([]);
    const patch = { platform: 'meta' };
    const begun = await store.putDelivery(row, { ...patch, delivery: retrying(T0 + 1), dueAtMs: T0 + 10 });
    expect(await due()).toEqual([T0 + 10]);
    if (!begun) throw new Error('not written');
    await store.reschedule(begun, T0 + 5_000, 1);
    expect(await due()).toEqual([T0 + 5_000]);
    const moved = { ...begun, dueAtMs: T0 + 5_000 };
    await store.putDelivery(moved, { ...patch, delivery: delivered(T0 + 2), dueAtMs: null });
    expect(await due()).toEqual([]);
    const again = acceptedRow(accepted.key, T0 + DAY_MS);
    await store.archive(row);
    expect(await store.replace(again, accepted.ingestId)).toBe(true);
    expect(await due()).toEqual([]);
  });
}

async function everything(store: EventStore, query: ReceivedQuery): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page++) {
    const answer = await store.received({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    expect(answer.keys.length).toBeLessThanOrEqual(query.limit);
    ids.push(...answer.keys.map(({ key }) => key.eventId));
    cursor = answer.cursor;
    if (cursor === undefined) return ids;
  }
  throw new Error('the cursor never ends');
}

function receivedIndex(makeStore: () => Promise<EventStore>): void {
  /** Five days, several rows in one millisecond, rows on both sides of midnight. */
  async function fill(store: EventStore, merchantId: string) {
    const midnight = Math.ceil(T0 / DAY_MS) * DAY_MS;
    const times = [
      T0,
      T0,
      T0,
      T0 + 1,
      midnight - 1,
      midnight,
      midnight,
      midnight + 2 * DAY_MS,
      T0 + 4 * DAY_MS,
    ];
    const rows = times.map((at, i) => {
      const key: EventKey = { merchantId, channel: i % 2 === 0 ? 'server' : 'browser', eventId: `r-${i}` };
      return acceptedRow(key, at);
    });
    await Promise.all(rows.map((row) => store.claim(row)));
    return { midnight, rows };
  }

  it('pages through a window in both orders without gaps or repeats', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const { rows } = await fill(store, merchantId);
    const ascending = [...rows]
      .sort((a, b) => (a.ingestId < b.ingestId ? -1 : 1))
      .map(({ key }) => key.eventId);
    const window = { merchantId, fromMs: T0, toMs: T0 + 4 * DAY_MS + 1 };
    for (const limit of [1, 2, 3, 7, 100]) {
      expect(await everything(store, { ...window, order: 'asc', limit })).toEqual(ascending);
      expect(await everything(store, { ...window, order: 'desc', limit })).toEqual([...ascending].reverse());
    }
  });

  it('takes the lower bound in and leaves the upper out', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const { midnight, rows } = await fill(store, merchantId);
    for (const [fromMs, toMs] of [
      [T0, T0 + 1],
      [T0 + 1, midnight],
      [midnight, midnight + 1],
      [midnight - 1, midnight + 2 * DAY_MS],
      [midnight + 1, midnight + 1],
      [T0 - DAY_MS, T0],
    ] as const) {
      const expected = rows.filter((row) => row.receivedAtMs >= fromMs && row.receivedAtMs < toMs);
      for (const order of ['asc', 'desc'] as const) {
        const ids = await everything(store, { merchantId, fromMs, toMs, order, limit: 2 });
        expect(ids.sort()).toEqual(expected.map(({ key }) => key.eventId).sort());
      }
    }
  });

  it('gives key, ingest id and time of receipt, of this merchant alone, archived rows too', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const old = acceptedRow({ merchantId, channel: 'server', eventId: 'again' });
    await store.claim(old);
    await store.claim(acceptedRow({ merchantId: freshMerchant(), channel: 'server', eventId: 'foreign' }));
    const next = acceptedRow(old.key, T0 + 2 * DAY_MS);
    await store.archive(old);
    await store.replace(next, old.ingestId);
    const window = { merchantId, fromMs: T0 - DAY_MS, toMs: T0 + 3 * DAY_MS, order: 'asc' } as const;
    const page = await store.received({ ...window, limit: 10 });
    const archivedKey = { ...old.key, archivedAs: old.ingestId };
    expect(page.keys).toEqual([
      { key: archivedKey, ingestId: old.ingestId, receivedAtMs: old.receivedAtMs },
      { key: next.key, ingestId: next.ingestId, receivedAtMs: next.receivedAtMs },
    ]);
    expect(page.cursor).toBeUndefined();
    const { rows } = await store.readMany(page.keys.map(({ key }) => key));
    expect(rows.map((row) => row.ingestId).sort()).toEqual([old.ingestId, next.ingestId].sort());
  });
}

function shardedIndex(makeStore: () => Promise<EventStore>): void {
  it('keeps the rows of each shard apart, through every write a row meets', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const shards = [0, 1, 36, 63];
    const rows = shards.map((shard) =>
      inShard(acceptedRow({ merchantId, channel: 'server', eventId: `shard-${shard}` }), shard),
    );
    for (const row of rows) expect(await store.claim(row)).toBe('claimed');
    for (const [i, row] of rows.entries()) {
      expect((await store.read(row.key))?.shard).toBe(row.shard);
      const normalized = normalizedRow(row);
      expect(await store.normalize(normalized)).toBe(true);
      const written = await store.putDelivery(normalized, {
        platform: 'meta',
        delivery: delivered(T0 + 2),
        dueAtMs: null,
      });
      expect(written?.shard).toBe(row.shard);
      // Accepted again a day later, in another shard: what is archived stays where it was.
      const again = inShard(acceptedRow(row.key, T0 + DAY_MS), shards[(i + 1) % shards.length] ?? 0);
      await store.archive(written ?? normalized);
      expect(await store.replace(again, row.ingestId)).toBe(true);
      expect((await store.read(row.key))?.shard).toBe(again.shard);
    }
    for (const [i, shard] of shards.entries()) {
      const window = inShard(
        { merchantId, fromMs: T0, toMs: T0 + 2 * DAY_MS, order: 'asc', limit: 9 } as const,
        shard,
      );
      const before = rows[(i + shards.length - 1) % shards.length]?.key.eventId;
      const { keys } = await store.received(window);
      expect(keys.map(({ key, receivedAtMs }) => [key.eventId, receivedAtMs])).toEqual([
        [`shard-${shard}`, T0],
        [before, T0 + DAY_MS],
      ]);
      expect(await everything(store, { ...window, order: 'desc', limit: 1 })).toEqual([
        before,
        `shard-${shard}`,
      ]);
    }
  });
}
