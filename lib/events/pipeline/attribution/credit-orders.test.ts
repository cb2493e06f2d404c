// Goal: an order is credited to the first click seen with one of its identifiers, however many come at once; nothing is stored
// of people who denied it, and no order is credited without what was stored.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryAttributionStore } from '#test/support/memory/attribution-store.ts';
import { createMemoryEventVault } from '#test/support/memory/event-vault.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { ATTRIBUTION_WINDOW_MS } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { RECENT_MAX, readRecent } from '../../domain/people/recent-clicks.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import type { AttributionStore } from '../../ports/attribution-store.ts';
import { clickOf, identityKeys } from './clicks.ts';
import { createCreditOrders } from './credit-orders.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const PLATFORM_OF = { gclid: 'google_ads', ttclid: 'tiktok', msclkid: 'microsoft', fbc: 'meta' } as const;
type ClickId = keyof typeof PLATFORM_OF;

interface Said {
  readonly id: string;
  readonly name?: 'Purchase' | 'PageView';
  readonly atMs?: number;
  readonly click?: ClickId | undefined;
  /** Tells its click from others; absent: a click of this event. */
  readonly clickId?: string;
  readonly email?: string | undefined;
  readonly fbp?: string | undefined;
  readonly customer?: string | undefined;
  readonly over?: Partial<NormalizedEvent>;
}

function eventOf({
  id,
  name = 'Purchase',
  atMs = T0,
  click,
  clickId = id,
  email,
  fbp,
  customer,
  over,
}: Said) {
  const event: NormalizedEvent = {
    ...sampleEvent(),
    merchantId: 'm',
    eventId: id,
    dedupId: id,
    name,
    eventTimeSec: Math.floor(atMs / 1_000),
    receivedAtMs: atMs,
    consent: {},
    hashed: {
      ...(email === undefined ? {} : { emailPlain: email }),
      ...(customer === undefined ? {} : { externalIds: [customer] }),
    },
    raw: {
      browserIds: {
        ...(fbp === undefined ? {} : { fbp }),
        ...(click === undefined ? {} : { [click]: `click of ${clickId}` }),
      },
    },
    ...over,
  };
  return event;
}

type Store = Pick<AttributionStore, 'people' | 'addTouch' | 'writeOrders' | 'writeClicks'>;

function setUp(store: Store = createMemoryAttributionStore()) {
  const report = (_: string, error: unknown) => expect.unreachable(String(error));
  const ports = { attribution: store, eventVault: createMemoryEventVault(), platforms: PLATFORMS, report };
  const creditOrders = createCreditOrders(ports);
  return { credit: (said: Said) => creditOrders(eventOf(said), 90) };
}

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const said = fc.record({
  name: fc.constantFrom('Purchase' as const, 'PageView' as const),
  click: some(fc.constantFrom(...(Object.keys(PLATFORM_OF) as ClickId[]))),
  email: some(fc.constantFrom('a', 'b', 'constructor')),
  fbp: some(fc.constantFrom('a', 'b', '__proto__')),
  customer: some(fc.constantFrom('a', 'Ünï')),
  kind: fc.constantFrom('plain', 'plain', 'plain', 'plain', 'bot', 'replay', 'denied'),
});
const second = fc.integer({ min: 0, max: 2_000 });
/** No two events happen in one second: the order of two clicks within one second is undefined. */
const histories = fc
  .array(said, { maxLength: 30 })
  .chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.uniqueArray(second, { minLength: events.length, maxLength: events.length }),
    ),
  );

const KINDS = { bot: { bot: true }, replay: { replay: true }, denied: { consent: { analytics: 'denied' } } };

it('credits what a naive history of all clicks credits', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ([events, seconds]) => {
      const { credit } = setUp();
      const clicks: { keys: string[]; atMs: number; platform: string }[] = [];
      for (const [i, each] of events.entries()) {
        // Three of one minute at most, which are all noted.
        const atMs = T0 + (seconds[i] ?? 0) * 31_000;
        const kind = KINDS[each.kind as 'bot'] as Partial<NormalizedEvent> | undefined;
        const over = { ...kind, receivedAtMs: T0 + DAY_MS + i * 1_000 };
        const given = await credit({ ...each, id: `e${i}`, atMs, over });
        if (each.kind === 'bot' || each.kind === 'replay') {
          expect(given).toBeUndefined();
          continue;
        }
        const keys = each.kind === 'denied' ? [] : keysOf(each);
        const own = each.click && { keys, atMs, platform: PLATFORM_OF[each.click] };
        if (each.name === 'Purchase') {
          const seen = clicks.filter(
            (click) => click.atMs <= atMs && click.keys.some((key) => keys.includes(key)),
          );
          const counting = [...seen, ...(own ? [own] : [])].sort((a, b) => a.atMs - b.atMs);
          const [touch = 'direct', last = touch] = [counting[0]?.platform, counting.at(-1)?.platform];
          expect(given).toEqual(last === touch ? { touch } : { touch, last });
        } else expect(given).toBeUndefined();
        if (own) clicks.push(own);
      }
    }),
    { numRuns: 400 },
  );
});

const keysOf = ({ email, fbp, customer }: Pick<Said, 'email' | 'fbp' | 'customer'>): string[] =>
  Object.entries({ email, fbp, customer }).flatMap(([kind, value]) =>
    value === undefined ? [] : [`${kind}/${value}`],
  );

it.each([
  ['to its last millisecond', ATTRIBUTION_WINDOW_MS, 'google_ads'],
  ['and no second longer', ATTRIBUTION_WINDOW_MS + 1_000, 'direct'],
  ['not before it was clicked', -1_000, 'direct'],
])('a click counts for its window, %s', async (_, laterMs, touch) => {
  const { credit } = setUp();
  await credit({ id: 'visit', name: 'PageView', click: 'gclid', email: 'a' });
  expect(await credit({ id: 'order', email: 'a', atMs: T0 + laterMs })).toEqual({ touch });
});

it('takes the time Meta says a click was at, where that can be', () => {
  const at = (fbc: string) =>
    clickOf(eventOf({ id: 'e', over: { raw: { browserIds: { fbc, gclid: 'g' } } } }), PLATFORMS);
  const earlier = T0 - 5 * DAY_MS;
  expect(at(`fb.1.${earlier}.abc`)).toEqual({ platform: 'meta', atMs: earlier });
  for (const wrong of [T0 + 1_000, T0 - ATTRIBUTION_WINDOW_MS - 1])
    expect(at(`fb.1.${wrong}.abc`)?.atMs).toBe(T0);
  expect(at('nonsense')?.atMs).toBe(T0);
});

it('asks and remembers nothing of a person who denied analytics', async () => {
  const store = createMemoryAttributionStore();
  const { credit } = setUp(store);
  const denied = { consent: { analytics: 'denied' as const } };
  await credit({ id: 'v', name: 'PageView', click: 'gclid', email: 'a', over: denied });
  expect(store.size()).toBe(0);
  await credit({ id: 'w', name: 'PageView', click: 'ttclid', email: 'a' });
  expect(await credit({ id: 'o', email: 'a', over: denied })).toEqual({ touch: 'direct' });
});

it.each([
  ['people', {}],
  ['writeClicks', {}],
  ['addTouch', { ad_storage: 'denied' }],
  ['writeOrders', {}],
] as const)('credits no order while %s is away: it is tried again', async (call, consent) => {
  const memory = createMemoryAttributionStore();
  const away = () => Promise.reject(new Error('away'));
  const order = { id: 'o', email: 'a', fbp: 'f', click: 'fbc', over: { orderId: '1', consent } } as const;
  await expect(setUp({ ...memory, [call]: away }).credit(order)).rejects.toThrow('away');
  expect(await setUp(memory).credit(order)).toEqual({ touch: 'meta' });
});

it('credits each of a thousand people who click and then order, all at once, to their click', async () => {
  const { credit } = setUp();
  const people = Array.from({ length: 1_000 }, (_, i) => `person-${i}`);
  await Promise.all(
    people.map((email) => credit({ id: `click ${email}`, name: 'PageView', click: 'ttclid', email })),
  );
  const credits = await Promise.all(people.map((email) => credit({ id: email, email, atMs: T0 + 1_000 })));
  expect(credits.filter((each) => each?.touch === 'tiktok')).toHaveLength(1_000);
});

it('looks before it stores: a click that another process has stored costs no write', async () => {
  const store = createMemoryAttributionStore();
  const click = { id: 'v', name: 'PageView', click: 'gclid', fbp: 'f' } as const;
  await setUp(store).credit(click);
  const none = { addTouch: () => expect.unreachable(), writeClicks: () => expect.unreachable() };
  await setUp({ ...store, ...none }).credit({ ...click, atMs: T0 + 5_000 });
});

it.each([
  ['a click once, however often a visitor sends its id', () => 'one', 1],
  ['three clicks of one minute, however many there are', String, 3],
])('writes %s', async (_, idOf: (i: number) => string, most) => {
  const store = createMemoryAttributionStore();
  let writes = 0;
  const writeClicks: AttributionStore['writeClicks'] = (...args) => {
    writes += 1;
    return store.writeClicks(...args);
  };
  const { credit } = setUp({ ...store, writeClicks, addTouch: () => expect.unreachable() });
  for (let i = 0; i < 50; i++)
    await credit({
      ...{ id: `v${i}`, name: 'PageView', click: 'gclid', clickId: idOf(i), fbp: 'f' },
      atMs: T0 + i * 1_000,
    });
  expect(writes).toBe(most);
});

it('has three keys of an event at most, of its merchant, and none that shows a value', () => {
  const event = eventOf({ id: 'e', email: 'e', fbp: 'f', customer: 'c' });
  const full = {
    ...event,
    hashed: { ...event.hashed, phoneDigits: 'p' },
    raw: { browserIds: { fbp: 'f', ga_client_id: 'g', ttp: 't' } },
  };
  expect(identityKeys(full)).toHaveLength(3);
  expect(new Set([...identityKeys(full), ...identityKeys({ ...full, merchantId: 'n' })]).size).toBe(6);
  for (const key of identityKeys(full)) expect(key).toMatch(/^[\w-]{22}$/);
});

it('takes an id that came again for the click it was, whichever event brings it', async () => {
  const { credit } = setUp();
  const visit = { name: 'PageView', fbp: 'f', over: {} } as const;
  await credit({ ...visit, id: 'google', click: 'gclid', atMs: T0 });
  await credit({ ...visit, id: 'meta', click: 'fbc', atMs: T0 + 5 * MINUTE_MS });
  // A page that keeps its ids sends them with each event.
  await credit({ ...visit, id: 'later', click: 'gclid', clickId: 'google', atMs: T0 + 8 * MINUTE_MS });
  const order = {
    id: 'order',
    fbp: 'f',
    click: 'gclid',
    clickId: 'google',
    atMs: T0 + 9 * MINUTE_MS,
  } as const;
  expect(await credit(order)).toEqual({ touch: 'google_ads', last: 'meta' });
  expect(await credit({ ...order, id: 'new', clickId: 'new' })).toEqual({ touch: 'google_ads' });
});

it('knows ten clicks of a person, and the first', async () => {
  const store = createMemoryAttributionStore();
  const { credit } = setUp(store);
  const clicks = Array.from({ length: 30 }, (_, i) => (['gclid', 'ttclid', 'msclkid'] as const)[i % 3]);
  for (const [i, click] of clicks.entries())
    await credit({ id: `v${i}`, name: 'PageView', click, fbp: 'f', atMs: T0 + i * MINUTE_MS });
  const [{ l = '' } = {}] = store.items();
  expect(readRecent(String(l))).toHaveLength(RECENT_MAX);
  expect(String(l).length).toBeLessThan(260);
  const at = (minute: number) => credit({ id: `o${minute}`, fbp: 'f', atMs: T0 + minute * MINUTE_MS });
  expect(await at(29.5)).toEqual({ touch: 'google_ads', last: 'microsoft' });
  expect(await at(0.5)).toEqual({ touch: 'google_ads' });
});

it('knows the click that came with another report of an order', async () => {
  const { credit } = setUp();
  const report = { email: 'a', over: { orderId: '1' } } as const;
  await credit({ ...report, id: 'first', click: 'gclid' });
  await credit({ ...report, id: 'again', click: 'fbc', atMs: T0 + MINUTE_MS });
  const next = { id: 'next', email: 'a', over: { orderId: '2' }, atMs: T0 + 2 * MINUTE_MS } as const;
  expect(await credit(next)).toEqual({ touch: 'google_ads', last: 'meta' });
});

it('credits a second click within a minute, and writes no more than three of one minute', async () => {
  const { credit } = setUp();
  const visit = { name: 'PageView', email: 'a' } as const;
  await credit({ ...visit, id: 'v1', click: 'ttclid' });
  await credit({ ...visit, id: 'v2', click: 'gclid', clickId: 'google', atMs: T0 + 30_000 });
  const order = { id: 'o', email: 'a', atMs: T0 + 40_000 } as const;
  expect(await credit(order)).toEqual({ touch: 'tiktok', last: 'google_ads' });
  await credit({ ...visit, id: 'v3', click: 'ttclid', clickId: 'third', atMs: T0 + 45_000 });
  expect(await credit({ ...order, id: 'o2', over: { orderId: '2' }, atMs: T0 + 46_000 })).toEqual({
    touch: 'tiktok',
  });
  // A busy identifier: its minute is full.
  for (let i = 0; i < 20; i++)
    await credit({ ...visit, id: `b${i}`, click: 'gclid', clickId: `b${i}`, atMs: T0 + 50_000 + i });
  expect(await credit({ ...order, id: 'o3', over: { orderId: '3' }, atMs: T0 + 55_000 })).toEqual({
    touch: 'tiktok',
  });
});
