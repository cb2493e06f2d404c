// What an anonymous event costs its merchant, counted on the emulated tables as the bill counts it: an ordinary one, the
// largest one, one that yields, and one that is refused. docs/capacity.md multiplies these figures; change them there too.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLeaseStore } from '../../lib/adapters/dynamodb/core/lease-store.ts';
import { createLimitRecord } from '../../lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '../../lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createRefusalStore } from '../../lib/adapters/dynamodb/events/refusal-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import type { AcceptedRow, EventKey, NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { BROWSER_EVENTS_PER_MINUTE } from '../../lib/events/domain/merchant.ts';
import type { EventStore } from '../../lib/events/ports/event-store.ts';
import {
  createBrowserWindows,
  RATE_LIMIT,
  takeAllowance,
} from '../../services/events/ingestion/browser-limits.ts';
import { createRefusalCounter } from '../../services/events/ingestion/refusal-counter.ts';
import { type EmulatedTable, openModelledTable } from '../conformance/stores/emulated-table.ts';
import {
  acceptedRow,
  delivered,
  freshMerchant,
  normalizedRow,
  T0,
} from '../conformance/stores/event-rows.ts';
import { EVERY_REFUSAL } from '../conformance/stores/refusal-store.suite.ts';
import { testMerchant } from '../support/ingestion.ts';
import { createTestEventVault } from '../support/memory/event-vault.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const PLATFORMS = ['meta', 'ga4', 'tiktok'];
let events: EmulatedTable;
let rates: EmulatedTable;
let analytics: EmulatedTable;
let meter: DynamoMeter;

beforeAll(async () => {
  [events, rates, analytics] = await Promise.all([
    openModelledTable('events'),
    openModelledTable('rates'),
    openModelledTable('analytics'),
  ]);
  meter = createDynamoMeter();
  meter.attach(events.db, 'browser');
  meter.attach(rates.db, 'browser');
  meter.attach(analytics.db, 'browser');
});
afterAll(async () => {
  await Promise.all([events.close(), rates.close(), analytics.close()]);
});

async function costOf(work: () => Promise<unknown>) {
  const before = meter.usage();
  await work();
  const after = meter.usage();
  return { writes: after.writeUnits - before.writeUnits, reads: after.readUnits - before.readUnits };
}

/** Claimed and normalized as a browser event that waits. */
async function held(store: EventStore, custom: Record<string, unknown> = {}): Promise<NormalizedRow> {
  const key: EventKey = { merchantId: freshMerchant(), channel: 'browser', eventId: 'order-1234' };
  const accepted = acceptedRow(key);
  await store.read({ ...key, channel: 'server' });
  await store.claim({ ...accepted, body: { ...accepted.body, custom_data: custom } });
  const plain = normalizedRow(accepted);
  const untilMs = T0 + 120_000;
  const row: NormalizedRow = {
    ...plain,
    event: { ...plain.event, noOrderDedup: true, ...(await sealed(accepted, custom)) },
    verdicts: Object.fromEntries(PLATFORMS.map((slug) => [slug, 'pending'])),
    heldUntilMs: untilMs,
    dueAtMs: untilMs,
  };
  expect(await store.normalize(row)).toBe(true);
  return row;
}

/** What the event carries, as it rests. */
async function sealed(row: AcceptedRow, customData: Record<string, unknown>): Promise<{ sealed?: string }> {
  if (Object.keys(customData).length === 0) return {};
  const vault = createTestEventVault({ now: () => T0 });
  return { sealed: await vault.seal(row, { customData, hashed: {}, raw: {}, plaintext: {} }) };
}

async function goesOut(store: EventStore, row: NormalizedRow): Promise<void> {
  expect(await store.release(row)).toBe(true);
  const { heldUntilMs: _held, dueAtMs: _due, ...released } = row;
  for (const platform of PLATFORMS)
    expect(
      await store.putDelivery(released, {
        platform,
        delivery: delivered(T0 + 1),
        dueAtMs: null,
      }),
    ).not.toBeNull();
}

describe('write units of a browser event to three platforms', () => {
  it('that waits and goes out: 9, three more than one that does not wait', async () => {
    const store = createEventStore(events.db, events.table);
    const { writes } = await costOf(async () => goesOut(store, await held(store)));
    // 2 put and time index, 1 + 1 normalize and due index, 1 + 1 release, 3 deliveries.
    expect(writes).toBe(9);
  });

  it('that yields: 6', async () => {
    const store = createEventStore(events.db, events.table);
    const { writes } = await costOf(async () => {
      const row = await held(store);
      expect(await store.withdraw(row, { meta: 'server_copy' })).toBe(true);
    });
    expect(writes).toBe(6);
  });

  it('that comes after its server event and adds a click: 3', async () => {
    const store = createEventStore(events.db, events.table);
    const key: EventKey = { merchantId: freshMerchant(), channel: 'browser', eventId: 'order-1234' };
    const accepted = acceptedRow(key);
    const { writes } = await costOf(async () => {
      await store.claim(accepted);
      const row = normalizedRow(accepted);
      const verdicts = Object.fromEntries(PLATFORMS.map((slug) => [slug, 'server_copy']));
      expect(await store.normalize({ ...row, verdicts })).toBe(true);
    });
    // 2 put and time index, 1 normalize. It waits for nothing: the server event is there.
    expect(writes).toBe(3);
  });

  it('of 16 KiB that nothing compresses: 81 at most', async () => {
    const store = createEventStore(events.db, events.table);
    const noise = { noise: randomBytes(12_000).toString('base64').slice(0, 15_900) };
    const { writes } = await costOf(async () => goesOut(store, await held(store, noise)));
    expect(writes).toBeGreaterThan(60);
    expect(writes).toBeLessThanOrEqual(81);
  });

  it('for its limits: 1 for the address, and next to nothing for the ceilings', async () => {
    const pause = async () => {};
    const record = createLimitRecord(rates.db, rates.table);
    const limits = {
      rates: createRateLimiter(rates.db, rates.table, RATE_LIMIT, pause),
      windows: createBrowserWindows(createLeaseStore(rates.db, rates.table), record),
      clock: { now: () => T0 },
      count: () => {},
    };
    const merchant = { ...testMerchant(), merchantId: freshMerchant() };
    let granted = 0;
    const asked = 2 * BROWSER_EVENTS_PER_MINUTE;
    const { writes } = await costOf(async () => {
      for (let i = 0; i < asked; i++)
        granted += (await takeAllowance(merchant, `198.51.${i >> 8}.${i & 255}`, 1, limits)).granted;
    });
    // One process: a whole ceiling, and the few it may let through without asking.
    expect(granted).toBe(BROWSER_EVENTS_PER_MINUTE + BROWSER_EVENTS_PER_MINUTE / 200);
    const shares = BROWSER_EVENTS_PER_MINUTE / 30;
    // The address that found it full, the share that did not fit, the record of it; half of the requests wrote nothing.
    expect(writes).toBe(granted + shares + 3);
    expect(await record.reachedAtMs(merchant.merchantId)).toBe(T0);
    expect(await record.reachedAtMs('somebody else')).toBeNull();
    // Another process of the same minute finds it there; a later minute takes its place.
    await record.reached(merchant.merchantId, T0 + 59_999);
    expect(await record.reachedAtMs(merchant.merchantId)).toBe(T0);
    await record.reached(merchant.merchantId, T0 + 60_001);
    expect(await record.reachedAtMs(merchant.merchantId)).toBe(T0 + 60_000);
  });
});

describe('write units of what is refused', () => {
  const EVERY_SEC = 20;

  it('one a minute for a merchant, whatever was wrong and however often; none where no merchant is', async () => {
    let nowMs = T0;
    const [shop, madeUp] = [freshMerchant(), freshMerchant()];
    const store = createRefusalStore(analytics.db, analytics.table);
    const begun: Promise<void>[] = [];
    const counter = createRefusalCounter({
      refusals: {
        add: (...addition) => {
          const added = store.add(...addition);
          begun.push(added);
          return added;
        },
      },
      config: { merchant: async (id) => (id === shop ? { ...testMerchant(), merchantId: id } : null) },
      clock: { now: () => nowMs },
      random: createSeededRandom('refused'),
      count: (metric) => expect.unreachable(metric),
      pause: () => new Promise(() => {}),
    });
    const refuse = async (merchantId: string): Promise<void> => {
      for (nowMs = T0; nowMs < T0 + 3_600_000; nowMs += EVERY_SEC * 1_000) {
        counter.writeDue();
        await counter.note({ merchantId, isKnown: false }, EVERY_REFUSAL);
      }
      await Promise.all(begun);
    };
    expect((await costOf(() => refuse(madeUp))).writes).toBe(0);
    const { writes } = await costOf(() => refuse(shop));
    expect(writes).toBeGreaterThan(30);
    expect(writes).toBeLessThanOrEqual(60);
    const { reads } = await costOf(() => store.sum(shop, T0 - 86_400_000, T0 + 86_400_000));
    expect(reads).toBeLessThanOrEqual(2);
  });
});
