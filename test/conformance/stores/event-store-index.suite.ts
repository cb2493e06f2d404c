// What every EventStore's indexes must answer once they have caught up: what is due, and what was received when.
import { describe, expect, it } from 'vitest';
import type { EventKey, NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import type { EventStore, ReceivedQuery } from '../../../lib/events/ports/event-store.ts';
import { DUE_SHARDS } from '../../../lib/events/ports/event-store.ts';
import { acceptedRow, delivered, freshMerchant, normalizedRow, retrying, T0 } from './event-rows.ts';

const DAY_MS = 86_400_000;

export function eventStoreIndexConformance(name: string, makeStore: () => Promise<EventStore>): void {
  describe(`${name}: event store indexes`, () => {
    dueIndex(makeStore);
    receivedIndex(makeStore);
  });
}

/** What a sweep of all shards sees of one merchant. */
async function dueKeys(store: EventStore, merchantId: string, beforeMs: number) {
  const shards = await Promise.all(
    Array.from({ length: DUE_SHARDS }, (_, shard) => store.due(shard, beforeMs, 1_000)),
  );
  return shards.map((entries) => entries.filter(({ key }) => key.merchantId === merchantId));
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
  it('shows each due row in exactly one shard, oldest first, strictly before the time asked', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const rows = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        storedDue(store, { merchantId, channel: 'server', eventId: `e-${i}` }, T0 + ((i * 37) % 100)),
      ),
    );
    const shards = await dueKeys(store, merchantId, T0 + 50);
    const due = shards.flat().map(({ key, dueAtMs }) => `${key.eventId} ${dueAtMs}`);
    const expected = rows.filter(({ dueAtMs = 0 }) => dueAtMs < T0 + 50);
    expect(due.sort()).toEqual(expected.map(({ key, dueAtMs }) => `${key.eventId} ${dueAtMs}`).sort());
    for (const shard of shards) {
      const times = shard.map(({ dueAtMs }) => dueAtMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    expect(shards.filter((shard) => shard.length > 0).length).toBeGreaterThan(DUE_SHARDS / 2);
  });

  it('gives the oldest when there are more than the limit', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const longAgo = T0 - 900 * DAY_MS;
    for (let i = 0; i < 64; i++)
      await storedDue(store, { merchantId, channel: 'server', eventId: `l-${i}` }, longAgo + i);
    const all = await dueKeys(store, merchantId, T0);
    const fullest = all.reduce((best, shard, i) => (shard.length > (all[best]?.length ?? 0) ? i : best), 0);
    const limited = await store.due(fullest, T0, 2);
    expect(limited).toEqual(all[fullest]?.slice(0, 2));
  });

  it('follows a row: it enters with its first retry, moves, leaves with its end, and never sees what is new', async () => {
    const store = await makeStore();
    const merchantId = freshMerchant();
    const accepted = acceptedRow({ merchantId, channel: 'server', eventId: 'moving' });
    const due = async () => (await dueKeys(store, merchantId, T0 + DAY_MS)).flat().map((e) => e.dueAtMs);
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
