// Goal: an order or another conversion is found under each identifier that is one person's, once, whatever reports it and whatever is
// written meanwhile; nothing is noted of people who denied it, of crawlers and of replays.
import { expect, it } from 'vitest';
import { UnreadablePart } from '#lib/events/ports/event-vault.ts';
import { createMemoryAttributionStore } from '#test/support/memory/attribution-store.ts';
import { createMemoryEventVault } from '#test/support/memory/event-vault.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { identityKey } from '../attribution/clicks.ts';
import { createCreditOrders } from '../attribution/credit-orders.ts';
import { reportDigest } from './note-order.ts';
import { openOrders } from './sealed-person.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const M = 'm';
const IDENTITY = { emailPlain: 'e', externalIds: ['c', 'd'], phoneDigits: 'p' };
const KINDS = { email: 'e', external_id: 'c', phone: 'p' } as const;
type Kind = keyof typeof KINDS;

const purchase = (orderId: string, over: Partial<NormalizedEvent> = {}): NormalizedEvent => ({
  ...sampleEvent(),
  merchantId: M,
  ...{ channel: 'server', eventId: `event of ${orderId}`, orderId, name: 'Purchase' },
  ...{ eventTimeSec: T0 / 1_000, receivedAtMs: T0, consent: {}, issues: [] },
  hashed: IDENTITY,
  raw: {},
  ...over,
});

function setUp() {
  const store = createMemoryAttributionStore();
  const eventVault = createMemoryEventVault();
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(problem);
  const credit = createCreditOrders({ attribution: store, eventVault, platforms: PLATFORMS, report });
  const known = async (kind: string, value: string) => {
    const key = identityKey(M, kind, value);
    const person = (await store.people(M, [key], 'strong')).get(key);
    return await openOrders(M, key, person ?? {}, eventVault);
  };
  const ordersOf = async (kind: Kind) =>
    (await known(kind, KINDS[kind])).orders.map(({ orderId }) => orderId);
  const take = (event: NormalizedEvent) => credit(event, 90);
  return { store, eventVault, problems, known, ordersOf, take };
}

it('finds an order by address, customer and number, and the next one first', async () => {
  const { take, ordersOf } = setUp();
  await take(purchase('1'));
  await take(purchase('2', { receivedAtMs: T0 + 1 }));
  for (const kind of Object.keys(KINDS) as Kind[]) expect(await ordersOf(kind)).toEqual(['2', '1']);
});

it.each<[string, Partial<NormalizedEvent>]>([
  ['a lead', { name: 'Lead' }],
  ['a purchase without order', { orderId: '0' }],
])('finds %s by address, customer and number, once, and none of it by cookies', async (_, over) => {
  const { take, known } = setUp();
  const raw = { browserIds: { fbp: 'f' } };
  const lead = purchase('1', { ...over, raw });
  await Promise.all([lead, lead, { ...lead, channel: 'browser' } as const].map(take));
  const { eventId, name, receivedAtMs } = lead;
  for (const [kind, value] of Object.entries(KINDS))
    expect((await known(kind, value)).conversions).toEqual([{ eventId, name, receivedAtMs }]);
  expect((await known('fbp', 'f')).conversions).toEqual([]);
});

it('keeps a lead and the click that it came with in one write each, beside what was ordered', async () => {
  const { take, store, known } = setUp();
  let writes = 0;
  const { writeOrders, writeClicks, addTouch } = store;
  store.writeOrders = async (...args) => {
    writes += 1;
    return await writeOrders(...args);
  };
  await take(purchase('1'));
  writes = 0;
  store.writeClicks = store.addTouch = () => expect.unreachable();
  const raw = { browserIds: { gclid: 'clicked' } };
  await take(purchase('2', { name: 'Lead', raw, receivedAtMs: T0 + 60_000 }));
  Object.assign(store, { writeClicks, addTouch });
  expect(writes).toBe(Object.keys(KINDS).length);
  const { orders, conversions } = await known('email', 'e');
  expect([orders.map(({ orderId }) => orderId), conversions.map(({ name }) => name)]).toEqual([
    ['1'],
    ['Lead'],
  ]);
  const key = identityKey(M, 'email', 'e');
  expect((await store.people(M, [key], 'strong')).get(key)).toMatchObject({
    touch: { platform: 'google_ads' },
  });
});

it('finds an order by its cookies, too, for clicks that come late, and by no number that several may have', async () => {
  const { take, known } = setUp();
  const issues = [{ field: 'phone', code: 'phone_without_country_code' }] as const;
  const raw = { browserIds: { fbp: 'f' } };
  await take(purchase('1', { raw, issues, hashed: { emailPlain: 'e', phoneDigits: 'p' } }));
  await take(purchase('2', { raw, issues, hashed: { phoneDigits: 'p' }, receivedAtMs: T0 + 1 }));
  const ids = async (kind: string, value: string) =>
    (await known(kind, value)).orders.map(({ orderId }) => orderId);
  expect([await ids('fbp', 'f'), await ids('email', 'e'), await ids('phone', 'p')]).toEqual([
    ['2', '1'],
    ['1'],
    [],
  ]);
});

it('notes a doubled message and a second report once, and twenty orders at once all', async () => {
  const { take, ordersOf } = setUp();
  await Promise.all([purchase('1'), purchase('1'), purchase('1', { eventId: 'other' })].map(take));
  expect(await ordersOf('email')).toEqual(['1']);
  await Promise.all(Array.from({ length: 19 }, (_, i) => take(purchase(`${i + 2}`))));
  expect((await ordersOf('email')).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, i) => `${i + 1}`),
  );
});

it.each<[string, Partial<NormalizedEvent>]>([
  ['a person who denied analytics', { consent: { analytics: 'denied' } }],
  ['a crawler', { bot: true }],
  ['a replay', { replay: true }],
  ['a view', { name: 'ViewContent' }],
  ['an event of the shop itself', { name: 'Custom', customName: 'Lead nurtured' }],
  ['a refund', { name: 'Refund' }],
  ['a lead without a name', { name: 'Lead', hashed: {}, raw: { browserIds: { fbp: 'f' } } }],
  ['a lead of a crawler', { name: 'Lead', bot: true }],
  ['a lead that is sent again', { name: 'Lead', replay: true }],
  ['a lead whose person denied analytics', { name: 'Lead', consent: { analytics: 'denied' } }],
])('notes nothing of %s', async (_, over) => {
  const { take, store } = setUp();
  await take(purchase('1', over));
  expect(store.size()).toBe(0);
});

it('is no advertising: it is noted where ads are denied, and under no number that several may have', async () => {
  const { take, ordersOf } = setUp();
  const consent = { ad_user_data: 'denied', ad_storage: 'denied' } as const;
  await take(purchase('1', { consent, issues: [{ field: 'phone', code: 'phone_without_country_code' }] }));
  expect([await ordersOf('email'), await ordersOf('phone')]).toEqual([['1'], []]);
});

it('writes at most four items of an order, clicks included, and one less than the identifiers it has', async () => {
  const { take, store } = setUp();
  const browserIds = { fbp: 'f', ga_client_id: 'g', gclid: 'clicked' };
  await take(purchase('1', { raw: { browserIds } }));
  expect(store.size()).toBe(4);
});

it('says of an order of a page which event it was', async () => {
  const { take, store, eventVault } = setUp();
  await take(purchase('1', { channel: 'browser', eventId: 'p1' }));
  const key = identityKey(M, 'email', 'e');
  const person = (await store.people(M, [key], 'strong')).get(key);
  const { orders } = await openOrders(M, key, person ?? {}, eventVault);
  expect(orders[0]?.page).toBe(reportDigest('p1'));
});

it('writes over nothing that cannot be read, and is normalized all the same', async () => {
  const { store, eventVault } = setUp();
  let writes = 0;
  const attribution = {
    ...store,
    people: async () => new Map(),
    async writeOrders() {
      writes += 1;
      return false;
    },
  };
  const report = () => expect.unreachable();
  const credit = createCreditOrders({ attribution, eventVault, platforms: PLATFORMS, report });
  expect(await credit(purchase('1'), 90)).toEqual({ touch: 'direct' });
  expect(writes).toBe(Object.keys(KINDS).length);
});

it('begins anew where its day is over, or what is there cannot be read, and says the latter', async () => {
  const { take, ordersOf, eventVault, store, problems } = setUp();
  await take(purchase('1'));
  eventVault.eraseDay(M, '2026-11-21');
  await take(purchase('2', { receivedAtMs: T0 + 86_400_000 }));
  expect([await ordersOf('email'), problems]).toEqual([['2'], []]);
  const key = identityKey(M, 'email', 'e');
  const damaged = { sealed: 'AAAA', newestAtMs: T0 + 86_400_000 };
  await store.writeOrders(M, key, damaged, { version: 2, nowMs: T0 });
  const read = openOrders(M, key, { orders: damaged }, eventVault);
  await expect(read).rejects.toBeInstanceOf(UnreadablePart);
  await take(purchase('3', { receivedAtMs: T0 + 86_400_001 }));
  expect([await ordersOf('email'), problems.length]).toEqual([['3'], 1]);
});
