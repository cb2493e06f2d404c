// Goal: an hour of any size is audited in small parts, none is forgotten, and a failing merchant affects no other.
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';
import { acceptedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryAttributionStore } from '#test/support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryErasureStore } from '#test/support/memory/erasure-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryEventVault } from '#test/support/memory/event-vault.ts';
import { createMemoryIncidentStore } from '#test/support/memory/incident-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import { createMemoryReconciliationStore } from '#test/support/memory/reconciliation-store.ts';
import { createRecountQueue, type RecountRunPorts, workRecounts } from '#test/support/recount-run.ts';
import { beginRecount, listMerchants, recountNewest } from './list-merchants.ts';
import { type RecountMessage, recountMessageSchema } from './message.ts';
import { createReconcileStage } from './stage.ts';

const HOUR = Date.UTC(2026, 10, 21, 12);
const clockAt = () => createManualClock(HOUR + 2 * HOUR_MS + MINUTE_MS);
const names = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`);

function open(merchants: readonly string[], clock = clockAt()) {
  const recounts = createRecountQueue(clock);
  const sent: RecountMessage[] = [];
  const { send } = recounts;
  recounts.send = async (messages, options) => {
    sent.push(...messages.map(({ body }) => recountMessageSchema.parse(body)));
    await send(messages, options);
  };
  const hints: unknown[] = [];
  const problems: string[] = [];
  const ports = {
    events: createMemoryEventStore(),
    batches: createMemoryBatchStore(),
    orders: NO_ORDERS_KNOWN,
    people: createMemoryAttributionStore(),
    eventVault: createMemoryEventVault(),
    counters: createMemoryCounterStore(),
    counterRefresh: { send: async (messages: readonly unknown[]) => void hints.push(...messages) },
    merchantIds: async function* (after?: string) {
      yield* merchants.slice(merchants.indexOf(after ?? '') + 1);
    },
    merchant: async (merchantId: string) => ({ merchantId }),
    dayKeys: { eraseBefore: async () => 0 },
    erasures: createMemoryErasureStore(),
    reconciliations: createMemoryReconciliationStore(),
    incidents: createMemoryIncidentStore(),
    taskWork: { send: async () => {} },
    platforms: [],
    clock,
    report: (problem: string) => void problems.push(problem),
  } satisfies RecountRunPorts;
  return { clock, recounts, sent, hints, problems, ports };
}

const listing = { hour: HOUR, list: 'merchants' } as const;
const inMinutes = (sent: readonly RecountMessage[]) =>
  sent.flatMap((message) => ('minutes' in message ? [message] : []));

describe('the listing', () => {
  it('begins with one message, of the newest hour that is sealed', async () => {
    const { ports, recounts, sent, clock } = open([]);
    await beginRecount({ ...ports, recounts });
    clock.advance(59 * MINUTE_MS - 1);
    await beginRecount({ ...ports, recounts });
    clock.advance(1);
    await beginRecount({ ...ports, recounts });
    expect(sent).toEqual([listing, listing, { ...listing, hour: HOUR + HOUR_MS }]);
  });

  it('hands on what it has no time for, and nobody is left out', async () => {
    const merchants = names(5_120);
    const { ports, recounts, sent, clock } = open(merchants);
    const merchantIds = async function* (after?: string) {
      for await (const id of ports.merchantIds(after)) {
        clock.advance(6);
        yield id;
      }
    };
    const listings: RecountMessage[] = [];
    for (let next: RecountMessage | undefined = listing; next !== undefined; ) {
      const from = sent.length;
      await listMerchants(next as typeof listing, { ...ports, recounts, merchantIds });
      next = sent.slice(from).find((message) => 'list' in message);
      if (next !== undefined) listings.push(next);
    }
    expect(listings).toEqual([{ ...listing, after: 'm3999' }]);
    const told = sent.flatMap((message) => ('merchants' in message ? [message.merchants] : []));
    expect(told.flat()).toEqual(merchants);
    expect(Math.max(...told.map(({ length }) => length))).toBe(50);
  });
});

describe('the schedule', () => {
  const setUp = (merchants: readonly string[]) => {
    const opened = open(merchants);
    const ports = { ...opened.ports, recounts: opened.recounts };
    const found: { readonly merchants: number }[] = [];
    const stage = createReconcileStage(ports, (report) => void found.push(report));
    return { ...opened, ports, found, stage };
  };

  it('recounts few merchants itself, and sends nothing', async () => {
    const { ports, sent, found, stage } = setUp(names(50));
    await recountNewest(ports, stage);
    expect(found).toMatchObject([{ hourStartMs: HOUR, merchants: 50 }]);
    expect(sent).toEqual([]);
  });

  it('leaves more of them to the queue, and does nothing where there are none', async () => {
    const { ports, sent, found, stage } = setUp(names(51));
    await recountNewest(ports, stage);
    expect([sent, found]).toEqual([[listing], []]);
    const nobody = setUp([]);
    await recountNewest(nobody.ports, nobody.stage);
    expect([nobody.sent, nobody.found]).toEqual([[], []]);
  });

  it.each([1, 3])('leaves the one of %i that fails to the queue', async (count) => {
    const { ports, sent, problems } = setUp(names(count));
    const broken = async (key: BucketKey) => {
      if (key.merchantId === 'm0') throw new Error('away');
      return await ports.counters.read(key);
    };
    const stage = createReconcileStage(
      { ...ports, counters: { ...ports.counters, read: broken } },
      () => undefined,
    );
    await recountNewest(ports, stage);
    expect(sent).toEqual([{ hour: HOUR, merchants: ['m0'] }]);
    expect(problems).toHaveLength(1);
  });
});

describe('an hour', () => {
  it('of many rows is audited minute by minute and shard by shard', async () => {
    const { ports, recounts, sent, hints } = open(['m']);
    const rows = Array.from({ length: 2_100 }, (_, i) =>
      acceptedRow({ eventId: `e${i}`, merchantId: 'm', receivedAtMs: HOUR + (i % 60) * MINUTE_MS }),
    );
    const other = acceptedRow({ eventId: 'x', merchantId: 'm', receivedAtMs: HOUR + 5, shard: 3 });
    await store(ports.events, ...rows, other);
    await ports.counters.openShard('m', HOUR - (HOUR % (24 * HOUR_MS)), 3);
    await recounts.send([{ body: { hour: HOUR, merchants: ['m'] }, groupId: '' }]);
    // The rows were never counted: each minute with rows is wrong by its events, source and name.
    const report = await workRecounts(ports, recounts);
    const parts = inMinutes(sent);
    expect(parts.map(({ shard }) => shard)).toEqual([...Array(6).fill(0), ...Array(6).fill(3)]);
    expect(new Set(parts.filter(({ shard }) => shard === 0).flatMap(({ minutes }) => minutes)).size).toBe(60);
    expect(report).toMatchObject({ merchants: 1, failed: 0, redriven: 2_101, drift: 61 * 3, late: 0 });
    expect(hints).toHaveLength(61);
    const due = ports.counters.rows().filter(({ dueAtMs }) => dueAtMs !== undefined);
    expect(due).toHaveLength(61);
  });

  it('whose counters say less than it holds is not read at once either', async () => {
    const { ports, recounts } = open(['m']);
    const rows = Array.from({ length: 9_000 }, (_, i) =>
      acceptedRow({ eventId: `e${i}`, merchantId: 'm', receivedAtMs: HOUR + (i % 60) * MINUTE_MS }),
    );
    await store(ports.events, ...rows);
    let read = 0;
    const readMany: typeof ports.events.readMany = async (keys, consistency) => {
      read += keys.length;
      return await ports.events.readMany(keys, consistency);
    };
    const events = { ...ports.events, readMany };
    const stage = createReconcileStage({ ...ports, events, recounts }, () => undefined);
    const body = { hour: HOUR, merchants: ['m'] };
    expect(await stage([{ body, receiveCount: 1, sentAtMs: 0 }])).toEqual({ failedIndexes: [] });
    expect(read).toBeLessThan(2_500);
    expect(recounts.size()).toBe(6);
  });

  it('of few rows is recounted at once, whatever shards its day has', async () => {
    const { ports, recounts, sent } = open(['m']);
    for (const shard of [1, 2, 3]) await ports.counters.openShard('m', HOUR - (HOUR % (24 * HOUR_MS)), shard);
    await recounts.send([{ body: { hour: HOUR, merchants: ['m'] }, groupId: '' }]);
    expect(await workRecounts(ports, recounts)).toMatchObject({ merchants: 1, drift: 0 });
    expect(inMinutes(sent)).toEqual([]);
  });

  it('hands on the minutes that it has no time for', async () => {
    const { ports, recounts, sent, clock } = open(['m']);
    const read: typeof ports.counters.read = async (key: BucketKey) => {
      clock.advance(4_000);
      return await ports.counters.read(key);
    };
    const minutes = Array.from({ length: 10 }, (_, i) => HOUR + i * MINUTE_MS);
    const body = { hour: HOUR, merchant: 'm', shard: 2, minutes };
    const counters = { ...ports.counters, read };
    const stage = createReconcileStage({ ...ports, counters, recounts }, () => undefined);
    await stage([{ body, receiveCount: 1, sentAtMs: 0 }]);
    expect(sent).toEqual([{ ...body, minutes: minutes.slice(3) }]);
  });

  it('that was counted while its rows were read is late, not wrong', async () => {
    const { ports, recounts } = open(['m']);
    const key = { merchantId: 'm', grain: 'minute', startMs: HOUR } as const;
    await store(ports.events, acceptedRow({ eventId: 'e', merchantId: 'm', receivedAtMs: HOUR }));
    await ports.counters.markDue(key, HOUR);
    const slot = await ports.counters.read(key);
    const received: typeof ports.events.received = async (query) => {
      // Between its slot and its rows.
      if (slot !== null)
        await ports.counters.write({ key, counters: slot.counters, version: slot.version + 1 });
      return await ports.events.received(query);
    };
    const body = { hour: HOUR, merchant: 'm', shard: 0, minutes: [HOUR] };
    const reports: { late: number; drift: number }[] = [];
    const events = { ...ports.events, received };
    const stage = createReconcileStage({ ...ports, events, recounts }, (report) => reports.push(report));
    await stage([{ body, receiveCount: 1, sentAtMs: 0 }]);
    expect(reports).toMatchObject([{ late: 1, drift: 0 }]);
  });
});

describe('a merchant that fails', () => {
  it('is tried again alone, and keeps nobody from being audited', async () => {
    const { ports, recounts, sent, problems } = open(names(3));
    const openedShards: typeof ports.counters.openedShards = async (merchantId, ...span) => {
      if (merchantId === 'm1') throw new Error('away');
      return await ports.counters.openedShards(merchantId, ...span);
    };
    const counters = { ...ports.counters, openedShards };
    await recounts.send([{ body: { hour: HOUR, merchants: names(3) }, groupId: '' }]);
    sent.length = 0;
    const report = await workRecounts({ ...ports, counters }, recounts);
    expect(sent).toEqual([{ hour: HOUR, merchants: ['m1'] }]);
    expect(report).toMatchObject({ merchants: 2, failed: 2 });
    expect(recounts.size()).toBe(1);
    expect(problems).toHaveLength(2);
  });

  it('at its erasure is audited all the same, and erased by its profile alone', async () => {
    const { ports, recounts } = open(names(3));
    const erased: string[] = [];
    const merchant = async (merchantId: string) => {
      if (merchantId === 'm0') throw new Error('away');
      return merchantId === 'm1' ? null : { merchantId };
    };
    const eraseBefore = async (merchantId: string) => {
      erased.push(merchantId);
      return 2;
    };
    await recounts.send([{ body: { hour: HOUR, merchants: names(3) }, groupId: '' }]);
    const report = await workRecounts({ ...ports, merchant, dayKeys: { eraseBefore } }, recounts);
    expect(report).toMatchObject({ merchants: 3, failed: 0, failedErasures: 1, erasedDays: 2 });
    expect(erased).toEqual(['m2']);
  });
});
