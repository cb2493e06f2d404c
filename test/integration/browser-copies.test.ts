// Browser events beside the server events of the same id: which one goes out, when, and what each of the platforms counts of
// it. Requests go to the sandbox over HTTP; what it counts is what `GET /counted` says.
import { afterEach, describe, expect, it } from 'vitest';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import { isSettled } from '../../lib/events/domain/deliveries/progress.ts';
import { closeShops, GRANTED, openShop, SHOPPER } from '../support/sandbox-shop.ts';

const MINUTE_MS = 60_000;
const SENT = Date.UTC(2026, 10, 21, 11, 59, 0) / 1000;
afterEach(closeShops);

/** It has sent purchases from its servers for some time. */
async function open(settings: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(settings);
  return { ...shop, settle: () => shop.settle(order(5, { event_id: 'earlier', order_id: 'earlier' })) };
}

const order = (value: number, extra: Record<string, unknown> = {}) => ({
  event_id: 'order-1234',
  event_name: 'Purchase',
  event_time: SENT,
  event_source_url: 'https://shop.example/thanks',
  user_data: SHOPPER,
  consent: GRANTED,
  order_id: '1234',
  value,
  currency: 'USD',
  items: [{ id: 'sku', quantity: 1, price: value }],
  ...extra,
});
const GENUINE = order(1_234.56);
const FAKE = order(0.01, { user_data: { ...GENUINE.user_data, email: 'nobody@example.com' } });

/** What the platforms count where nobody but the server sends; those that refuse the event count nothing. */
async function undisturbed() {
  const { pipeline, settle, pass, counted } = await open();
  await settle();
  await pipeline.accept(GENUINE);
  await pipeline.drain();
  await pass(5);
  return await counted();
}

describe('a purchase whose id and order number somebody guessed', () => {
  it.each([
    ['at the same moment', 0, 0, {}],
    ['a minute ahead', 60_000, 0, {}],
    ['hours ahead', 3 * 60 * MINUTE_MS, 1, {}],
    ['and is kept back by nothing, the merchant wants no wait', 60_000, 1, { serverCopyWaitSec: 0 }],
  ])('is counted whole by every platform, the guess came %s', async (_when, headStartMs, fakes, settings) => {
    const expected = await undisturbed();
    expect(Object.values(expected).filter(({ usd }) => usd === '1234.56').length).toBeGreaterThanOrEqual(10);
    const { pipeline, settle, pass, counted } = await open(settings);
    await settle();
    await pipeline.accept(FAKE, 'browser');
    if (headStartMs > 0) await pipeline.drain();
    await pass(Math.floor(headStartMs / MINUTE_MS));
    await pipeline.accept({ ...GENUINE, event_time: Math.floor(pipeline.clock.now() / 1000) });
    await pipeline.drain();
    await pass(5);
    const total = await counted();
    const genuine = Object.fromEntries(
      Object.entries(total).map(([slug, { total: n, usd }]) => {
        const fake = fakes === 1 && usd?.endsWith('.57') === true;
        return [slug, fake ? { total: n - 1, usd: '1234.56' } : { total: n, usd }];
      }),
    );
    expect(genuine).toEqual(expected);
    expect(pipeline.problems).toEqual([]);
  });

  it('is not merged into an event of another name sent under its id', async () => {
    const expected = await undisturbed();
    const { pipeline, settle, pass, counted, row } = await open();
    await settle();
    await pipeline.accept({ ...FAKE, event_name: 'ViewContent', value: undefined }, 'browser');
    await pipeline.drain();
    expect(row('browser').heldUntilMs).toBeUndefined();
    await pass(1);
    await pipeline.accept(GENUINE);
    await pipeline.drain();
    await pass(5);
    const usd = Object.fromEntries(Object.entries(await counted()).map(([slug, c]) => [slug, c.usd]));
    expect(usd).toEqual(Object.fromEntries(Object.entries(expected).map(([slug, c]) => [slug, c.usd])));
    const { dedupId, issues } = row('server').event;
    expect(dedupId).toBe(row('server').ingestId);
    expect(issues).toContainEqual({ field: 'event_id', code: 'browser_copy_differs' });
  });

  it('is not merged by its order number into a browser event of another id', async () => {
    const { pipeline, settle, pass, counted } = await open();
    await settle();
    await pipeline.accept({ ...FAKE, event_id: 'junk' }, 'browser');
    await pipeline.drain();
    await pass(5);
    await pipeline.accept(GENUINE);
    await pipeline.drain();
    await pass(5);
    expect((await counted()).ga4).toEqual({ total: 2, usd: '1234.57' });
    // In revenue what the server says stands alone: no stranger keeps an order out by being first.
    const days = pipeline.counters.rows().filter(({ key }) => key.grain === 'day');
    const { revenue, repeatedOrders } = sumCounters(days.map(({ counters }) => counters));
    expect(revenue.USD).toEqual({ orders: 2, minor: '123956' });
    expect(repeatedOrders).toBe(1);
  });
});

describe('a browser event', () => {
  it('waits for its server copy and yields to it: nothing of it is sent, and it says so', async () => {
    const { pipeline, settle, pass, row } = await open();
    await settle();
    const before = pipeline.requests.length;
    await pipeline.accept(GENUINE, 'browser');
    await pipeline.drain();
    expect(row('browser')).toMatchObject({
      heldUntilMs: pipeline.clock.now() + 2 * MINUTE_MS,
      deliveries: {},
    });
    await pass(1);
    expect(pipeline.requests).toHaveLength(before);
    await pipeline.accept(GENUINE);
    await pipeline.drain();
    const sent = pipeline.requests.length;
    await pass(4);
    expect(pipeline.requests).toHaveLength(sent);
    expect(new Set(Object.values(row('browser').verdicts))).toContain('server_copy');
    expect(Object.values(row('browser').verdicts)).not.toContain('pending');
    expect(row('browser')).not.toHaveProperty('heldUntilMs');
    // Its platforms know the event by the id the merchant gave it: its own tags on the page are merged with it.
    expect(row('server').event.dedupId).toBe('order-1234');
  });

  it('goes out after the wait where no server copy comes, once, as a first attempt', async () => {
    const { pipeline, settle, pass, row } = await open({ serverCopyWaitSec: 30 });
    await settle();
    await pipeline.accept(GENUINE, 'browser');
    await pipeline.drain();
    expect(row('browser').deliveries).toEqual({});
    await pass(3);
    const deliveries = Object.values(row('browser').deliveries);
    expect(deliveries.length).toBeGreaterThanOrEqual(10);
    expect(deliveries.map(({ unknowns, attempts }) => [unknowns, attempts])).toEqual(
      deliveries.map(() => [0, 1]),
    );
    // Only what platforms are asked later is left.
    expect(isSettled(row('browser'))).toBe(true);
  });

  it('waits for nothing where its name never came from a server, and a server event never does', async () => {
    const { pipeline, settle, row } = await open();
    await settle();
    await pipeline.accept({ ...GENUINE, event_name: 'Lead' }, 'browser');
    await pipeline.accept({ ...GENUINE, event_id: 'other' });
    await pipeline.drain();
    expect(row('browser')).not.toHaveProperty('heldUntilMs');
    expect(Object.keys(row('browser').deliveries).length).toBeGreaterThan(5);
    expect(pipeline.events.rows().every((r) => r.state === 'normalized' && isSettled(r))).toBe(true);
  });

  it('that a server repeats late in the same words is one event at the platforms', async () => {
    const { pipeline, settle, pass, counted, row } = await open();
    await settle();
    await pipeline.accept(GENUINE, 'browser');
    await pipeline.drain();
    await pass(10);
    await pipeline.accept(GENUINE);
    await pipeline.drain();
    await pass(2);
    expect(row('server').event.dedupId).toBe('order-1234');
    expect(await counted()).toEqual(await undisturbed());
  });
});

describe('an order that a page and a server report under ids of their own', () => {
  const page = { ...GENUINE, event_id: 'page-1' };
  type Step = 'page' | 'page again' | 'server' | 'server again' | 'wait' | 'settle';
  const BODIES: Partial<Record<Step, object>> = {
    page,
    'page again': { ...page, event_id: 'page-2' },
    server: GENUINE,
    'server again': { ...GENUINE, event_id: 'order-1234-paid' },
  };

  it.each<[string, Step[]]>([
    ['at the same moment', ['settle', 'page', 'server']],
    ['the server later, while the page’s event waits', ['settle', 'page', 'wait', 'server']],
    ['the server later, when the page’s event is out', ['settle', 'page', 'wait', 'wait', 'wait', 'server']],
    ['the page later', ['settle', 'server', 'wait', 'page']],
    ['the server twice, the page between', ['settle', 'server', 'page', 'wait', 'server again']],
    ['the page alone, thanked twice', ['page', 'wait', 'page again']],
    ['the page twice, then the server', ['settle', 'page', 'page again', 'wait', 'wait', 'wait', 'server']],
  ])('is one conversion at every platform, and one order: %s', async (_, steps) => {
    const expected = await undisturbed();
    const { pipeline, settle, pass, counted } = await open();
    for (const step of steps) {
      if (step === 'wait') await pass(1);
      else if (step === 'settle') await settle();
      else await pipeline.accept(BODIES[step] ?? {}, step.startsWith('page') ? 'browser' : 'server');
      if (step !== 'page') await pipeline.drain();
    }
    await pass(6);
    expect(await counted()).toEqual(expected);
    expect(pipeline.problems).toEqual([]);
    const days = pipeline.counters.rows().filter(({ key }) => key.grain === 'day');
    const { revenue, credits, repeatedOrders } = sumCounters(days.map(({ counters }) => counters));
    // The order of five dollars by which the servers have become known.
    const [orders, minor] = steps.includes('settle') ? [2, '123956'] : [1, '123456'];
    expect(revenue.USD).toEqual({ orders, minor });
    expect(credits?.google_ads?.revenue).toEqual(revenue);
    expect(repeatedOrders).toBe(steps.filter((step) => step in BODIES).length - 1);
  });
});
