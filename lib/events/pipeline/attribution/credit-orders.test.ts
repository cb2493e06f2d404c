// Goal: an order is credited to the first click seen with one of its identifiers, and counted once among any other
// events; nothing is stored of people who denied it, and a failing dependency delays no event.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryAttributionStore } from '#test/support/memory/attribution-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { ATTRIBUTION_WINDOW_MS } from '../../domain/analytics/attribution.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import type { AttributionStore } from '../../ports/attribution-store.ts';
import { CLICK_ALLOWANCE, createAllowance, ORDER_ALLOWANCE } from './allowance.ts';
import { clickOf, identityKeys } from './clicks.ts';
import { createCreditOrders } from './credit-orders.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const PLATFORM_OF = { gclid: 'google_ads', ttclid: 'tiktok', msclkid: 'microsoft', fbc: 'meta' } as const;
type ClickId = keyof typeof PLATFORM_OF;

interface Said {
  readonly id: string;
  readonly name?: 'Purchase' | 'PageView';
  readonly order?: string | undefined;
  readonly atMs?: number;
  readonly click?: ClickId | undefined;
  readonly email?: string | undefined;
  readonly fbp?: string | undefined;
  readonly customer?: string | undefined;
  readonly over?: Partial<NormalizedEvent>;
}

function eventOf({ id, name = 'Purchase', order, atMs = T0, click, email, fbp, customer, over }: Said) {
  const { orderId: _o, ...sample } = sampleEvent();
  const event: NormalizedEvent = {
    ...sample,
    merchantId: 'm',
    eventId: id,
    dedupId: id,
    name,
    ...(order === undefined ? {} : { orderId: order }),
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
        ...(click === undefined ? {} : { [click]: 'clicked' }),
      },
    },
    ...over,
  };
  const row = {
    key: { merchantId: 'm', channel: 'server' as const, eventId: id },
    ingestId: `ingest of ${id}`,
    receivedAtMs: event.receivedAtMs,
  };
  return { row, event };
}

function setUp(
  store: Pick<AttributionStore, 'touches' | 'addTouch' | 'claimOrder'> = createMemoryAttributionStore(),
  { clock = createManualClock(T0), ...allowances }: Partial<Parameters<typeof createCreditOrders>[0]> = {},
) {
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const ports = { attribution: store, platforms: PLATFORMS, clock, report };
  const creditRow = createCreditOrders({ ...ports, ...allowances });
  const credit = (said: Said) => creditRow(eventOf(said).row, eventOf(said).event);
  return { credit, creditRow, problems };
}

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const said = fc.record({
  name: fc.constantFrom('Purchase' as const, 'PageView' as const),
  order: some(fc.constantFrom('1', '2', 'constructor', ' ☃', '__proto__')),
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
      const orders = new Set<string>();
      for (const [i, each] of events.entries()) {
        const atMs = T0 + (seconds[i] ?? 0) * 1_000;
        const kind = KINDS[each.kind as 'bot'] as Partial<NormalizedEvent> | undefined;
        const over = { ...kind, receivedAtMs: T0 + DAY_MS };
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
          const first = [...seen, ...(own ? [own] : [])].sort((a, b) => a.atMs - b.atMs)[0];
          const order = each.order?.trim();
          expect(given).toEqual({
            touch: first?.platform ?? 'direct',
            ...(order !== undefined && orders.has(each.order ?? '') ? { repeat: true } : {}),
          });
          if (each.order !== undefined) orders.add(each.order);
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
  expect(await credit({ id: 'order', order: '1', email: 'a', atMs: T0 + laterMs })).toEqual({ touch });
});

it('takes the time Meta says a click was at, where that can be', () => {
  const at = (fbc: string) =>
    clickOf(eventOf({ id: 'e', over: { raw: { browserIds: { fbc, gclid: 'g' } } } }).event, PLATFORMS);
  const earlier = T0 - 5 * DAY_MS;
  expect(at(`fb.1.${earlier}.abc`)).toEqual({ platform: 'meta', atMs: earlier });
  for (const wrong of [T0 + 1_000, T0 - ATTRIBUTION_WINDOW_MS - 1])
    expect(at(`fb.1.${wrong}.abc`)?.atMs).toBe(T0);
  expect(at('nonsense')?.atMs).toBe(T0);
});

it('counts both copies of one logical event as its order, and a later life of its id as another', async () => {
  expect(await setUp().credit({ id: 'e', order: '1' })).toEqual({ touch: 'direct' });
  const again = createCopy('e', T0 + 60_000);
  const { creditRow: twice } = setUp();
  for (const [copy, expected] of [
    [createCopy('e', T0), undefined],
    [again, undefined],
    [createCopy('e', T0 + DAY_MS), true],
    [createCopy('other', T0), true],
  ] as const)
    expect((await twice(copy.row, copy.event))?.repeat).toBe(expected);
});

function createCopy(id: string, atMs: number) {
  const { row, event } = eventOf({ id, order: '1', atMs });
  return { row: { ...row, ingestId: `${id} ${atMs}` }, event };
}

it('makes no two orders one for a number that is none', async () => {
  const { credit } = setUp();
  for (const order of ['undefined', 'null', '0', '{{order.id}}', 'N/A'])
    for (const id of [`${order} 1`, `${order} 2`])
      expect(await credit({ id, order })).toEqual({ touch: 'direct' });
});

it('asks and remembers nothing of a person who denied analytics, but knows the order again', async () => {
  const store = createMemoryAttributionStore();
  const { credit } = setUp(store);
  const denied = { consent: { analytics: 'denied' as const } };
  await credit({ id: 'v', name: 'PageView', click: 'gclid', email: 'a', over: denied });
  expect(store.size()).toBe(0);
  await credit({ id: 'w', name: 'PageView', click: 'ttclid', email: 'a' });
  expect(await credit({ id: 'o', order: '1', email: 'a', over: denied })).toEqual({ touch: 'direct' });
  expect(await credit({ id: 'p', order: '1', email: 'a', over: denied })).toMatchObject({ repeat: true });
});

it('lets an order speak for itself while the store is away, says so, and delays nothing', async () => {
  const away = async () => {
    throw new Error('away');
  };
  const { credit, problems } = setUp({ touches: away, addTouch: away, claimOrder: away });
  await credit({ id: 'v', name: 'PageView', click: 'gclid', email: 'a' });
  const order = await credit({ id: 'o', order: '1', email: 'a', click: 'fbc' });
  expect(order).toEqual({ touch: 'meta', unlinked: true });
  expect(problems).toHaveLength(2);
});

it('asks for no more than the allowance, and for more as time goes by', async () => {
  const clock = createManualClock(T0);
  const allowance = createAllowance(clock, ORDER_ALLOWANCE, 3);
  const taken = () => [1, 2, 3, 4, 5].filter(() => allowance.take('m', 1)).length;
  expect(taken()).toBe(3);
  clock.advance(2_000);
  expect(taken()).toBe(2);
  expect(allowance.take('other', 3)).toBe(true);
  const { credit } = setUp(undefined, { clock, allowance });
  const order = { id: 'e', order: '1', click: 'gclid', email: 'a' } as const;
  expect(await credit(order)).toEqual({ touch: 'google_ads', unlinked: true });
  clock.advance(60_000);
  expect(await credit(order)).toEqual({ touch: 'google_ads' });
});

it('remembers no more clicks of a merchant than its allowance, and delays no event for it', async () => {
  const clock = createManualClock(T0);
  const written: string[] = [];
  const memory = createMemoryAttributionStore();
  const addTouch: AttributionStore['addTouch'] = (...args) => {
    written.push(args[1]);
    return memory.addTouch(...args);
  };
  const clickAllowance = createAllowance(clock, CLICK_ALLOWANCE, 4);
  const { credit, problems } = setUp({ ...memory, addTouch }, { clock, clickAllowance });
  const visits = async (name: string) => {
    for (let i = 0; i < 10; i++)
      await credit({ id: `${name}${i}`, name: 'PageView', click: 'gclid', fbp: `${name}-${i}` });
  };
  await visits('visitor');
  expect(written).toHaveLength(4);
  clock.advance(1_000);
  await visits('other');
  expect(written).toHaveLength(4 + CLICK_ALLOWANCE.perSec);
  expect(problems).toEqual([]);
});

it('remembers a click once, however often a visitor sends its id', async () => {
  const store = createMemoryAttributionStore();
  let writes = 0;
  const addTouch: AttributionStore['addTouch'] = (...args) => {
    writes += 1;
    return store.addTouch(...args);
  };
  const { credit } = setUp({ ...store, addTouch });
  for (let i = 0; i < 50; i++)
    await credit({ id: `v${i}`, name: 'PageView', click: 'gclid', fbp: 'f', atMs: T0 + i * 1_000 });
  expect(writes).toBe(1);
});

it('has four keys of an event at most, of its merchant, and none that shows a value', () => {
  const { event } = eventOf({ id: 'e', email: 'e', fbp: 'f', customer: 'c' });
  const full = {
    ...event,
    hashed: { ...event.hashed, phoneDigits: 'p' },
    raw: { browserIds: { fbp: 'f', ga_client_id: 'g', ttp: 't' } },
  };
  expect(identityKeys(full)).toHaveLength(4);
  expect(new Set([...identityKeys(full), ...identityKeys({ ...full, merchantId: 'n' })]).size).toBe(8);
  for (const key of identityKeys(full)) expect(key).toMatch(/^[\w-]{22}$/);
});
