// Items of limits and of attribution, spoiled in five ways: what reads one of them goes on as its kind says, and what others have
// is as it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotencyStore } from '../../lib/adapters/dynamodb/core/idempotency-store.ts';
import { createCallLimiter } from '../../lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createLimitRecord } from '../../lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '../../lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createOneTimeStore } from '../../lib/adapters/dynamodb/core/one-time-store.ts';
import { createAttributionStore } from '../../lib/adapters/dynamodb/events/attribution-store.ts';
import { createOrderStore } from '../../lib/adapters/dynamodb/events/order-store.ts';
import { createRefusalStore } from '../../lib/adapters/dynamodb/events/refusal-store.ts';
import { EVERY_KIND } from '../../lib/adapters/dynamodb/every-kind.ts';
import { kindsOfItem } from '../../lib/core/record/key-template.ts';
import { Unreadable } from '../../lib/core/record/unreadable-item.ts';
import { type EmulatedTable, openModelledTable } from '../conformance/stores/emulated-table.ts';
import { heldIn, SPOILED } from '../support/spoiled-items.ts';
import { itemsOfTable, putItem } from './unreadable-items.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;
const CLAIM = { digest: 'd', leaseEndMs: NOW + 60_000, untilMs: NOW + DAY_MS };

let rates: EmulatedTable;
let analytics: EmulatedTable;
beforeAll(async () => {
  [rates, analytics] = [await openModelledTable('rates', 'any'), await openModelledTable('analytics')];
});
afterAll(async () => {
  await rates.close();
  await analytics.close();
});

/** Spoils the only item of this kind that `write` leaves. */
async function spoiled(what: string, way: string, write: () => Promise<unknown>): Promise<void> {
  const kind = EVERY_KIND.find((one) => one.what === what);
  if (kind === undefined) throw new Error(`no kind is called ${what}`);
  const { db, table } = kind.table === 'rates' ? rates : analytics;
  const itemsNow = async () =>
    (await itemsOfTable(db, table)).filter((item) =>
      kindsOfItem(EVERY_KIND, kind.table, item).includes(kind),
    );
  const old = new Set((await itemsNow()).map(({ pk }) => pk));
  await write();
  const item = (await itemsNow()).find(({ pk }) => !old.has(pk));
  if (item === undefined) throw new Error(`no ${what} was written`);
  const left = { ...SPOILED[way]?.({ ...item }, heldIn(kind, { ...item })) };
  await putItem(db, table, left);
}

describe.each(Object.keys(SPOILED))('%s', (way) => {
  const isRead = way === 'with a later field';

  it('an idempotency key is answered 503, and another one runs', async () => {
    const store = createIdempotencyStore(rates.db, rates.table);
    await spoiled('idempotency key', way, () => store.begin(way, { ...CLAIM, holder: 'a' }, NOW));
    const again = store.begin(way, { ...CLAIM, holder: 'b' }, NOW);
    if (isRead) expect(await again).toEqual({ digest: 'd', answer: null });
    else await expect(again).rejects.toThrow(Unreadable);
    expect(await store.begin(`${way} other`, { ...CLAIM, holder: 'c' }, NOW)).toEqual({ idRoot: 'c' });
  });

  it('the grants of a caller begin again', async () => {
    const limiter = createRateLimiter(
      rates.db,
      rates.table,
      { events: 2, windowSec: 60 },
      async () => undefined,
    );
    const caller = { merchantId: way, clientIp: '203.0.113.7' };
    await spoiled('last grants of a caller', way, () => limiter.take(caller, 2, NOW));
    expect((await limiter.take(caller, 1, NOW + 1)).granted).toBe(isRead ? 0 : 1);
  });

  it('the calls of a minute are answered 503 or counted', async () => {
    const limiter = createCallLimiter(rates.db, rates.table);
    await spoiled('calls of a minute', way, () => limiter.take(way, 2, NOW));
    const next = await limiter.take(way, 2, NOW + 1).catch((error: unknown) => error);
    if (next instanceof Error) expect(next).toBeInstanceOf(Unreadable);
    else expect(next).toMatchObject({ granted: true });
    expect(await limiter.take(`${way} other`, 2, NOW)).toMatchObject({ granted: true, remaining: 1 });
  });

  it('a text that can be had once is not there, and a limit was not reached', async () => {
    const texts = createOneTimeStore(rates.db, rates.table);
    await spoiled('text that can be had once', way, () => texts.put(way, 'text', NOW + DAY_MS));
    expect(await texts.take(way, NOW)).toBe(isRead ? 'text' : null);
    const limits = createLimitRecord(rates.db, rates.table);
    await spoiled('time a limit was reached', way, () => limits.reached(way, NOW));
    expect(await limits.reachedAtMs(way)).toBe(isRead ? NOW : null);
  });

  it('a click is left out beside another one, and nothing else changes', async () => {
    const setAside: Unreadable[] = [];
    const store = createAttributionStore(analytics.db, analytics.table, (found) => setAside.push(found));
    const touch = { platform: 'meta', atMs: NOW };
    await store.addTouch(way, 'good', touch, NOW);
    await spoiled('person by identifier', way, () => store.addTouch(way, 'bad', touch, NOW));
    const found = await store.people(way, ['good', 'bad'], 'strong');
    expect([...found.keys()].sort()).toEqual(isRead ? ['bad', 'good'] : ['good']);
    expect(setAside).toHaveLength(isRead ? 0 : 1);
  });

  it('a person on the list of suppressed people stays on it', async () => {
    const setAside: Unreadable[] = [];
    const store = createAttributionStore(analytics.db, analytics.table, (found) => setAside.push(found));
    await spoiled('suppressed person', way, () => store.suppress(way, ['digest'], NOW));
    const found = await store.suppressed(way, ['digest']);
    expect([...found]).toEqual([['digest', isRead ? NOW : 0]]);
    expect(setAside).toHaveLength(isRead ? 0 : 1);
  });

  it('an order that cannot be read is no order, and is not written over', async () => {
    const setAside: Unreadable[] = [];
    const store = createOrderStore(analytics.db, analytics.table, (found) => setAside.push(found));
    const counted = { eventId: 'e', ingestId: 'i', channel: 'server', receivedAtMs: NOW } as const;
    const known = { ...counted, conversionId: 'e', byEventId: false };
    const order = { counted: known, sent: { ...known, atMs: NOW, targets: [] }, others: [] };
    const none = await store.read(way, 'order', NOW);
    if (none === 'unreadable') throw new Error('there is none yet');
    await spoiled('claim of an order', way, () => store.write(way, 'order', order, none.version));
    const found = await store.read(way, 'order', NOW);
    if (isRead) expect(found).toMatchObject({ order: { counted: { eventId: 'e' } } });
    else expect(found).toBe('unreadable');
    expect(setAside).toHaveLength(isRead ? 0 : 1);
  });

  it('refusals beside them are counted', async () => {
    const store = createRefusalStore(analytics.db, analytics.table);
    await store.add(way, NOW, 0, new Map([['invalid_request', 2]]));
    await spoiled('refusals of a day', way, () => store.add(way, NOW, 1, new Map([['invalid_request', 3]])));
    const kept = isRead ? 5 : 2;
    expect((await store.sum(way, NOW, NOW + DAY_MS)).get('invalid_request')).toBe(kept);
  });
});
