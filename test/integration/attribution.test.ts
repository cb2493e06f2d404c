// Goal: through the whole pipeline, orders are counted once and credited to the first click across the edges of minutes,
// hours and days; a recount of the rows finds no figure that differs, and sees one that was falsified.
import { expect, it } from 'vitest';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import { creditsBy } from '../../lib/events/domain/analytics/credit-models.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { verify } from '../../services/events/api/analytics/verify-analytics.ts';
import { acceptedRow } from '../contract/stored-rows.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';

async function setUp() {
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS,
    credentials: {},
    answer: () => expect.unreachable(),
  });
  let sent = 0;
  const send = async (body: Record<string, unknown>, channel: 'server' | 'browser' = 'server') => {
    sent += 1;
    await pipeline.accept(
      {
        event_id: `e${sent}`,
        event_name: 'Purchase',
        event_time: Math.floor(pipeline.clock.now() / 1_000),
        user_data: {},
        ...body,
      },
      channel,
    );
    await pipeline.drain();
  };
  /** As ingestion stores what a crawler sends; nobody is told. */
  const crawl = async (eventId: string, body: Partial<EventBody>) => {
    const receivedAtMs = pipeline.clock.now();
    const internal = { bot: true as const };
    const draft = { merchantId: PIPELINE_MERCHANT, eventId, receivedAtMs, body: { ...body, internal } };
    const row = acceptedRow(draft as Parameters<typeof acceptedRow>[0]);
    await pipeline.slots.markDue([{ merchantId: PIPELINE_MERCHANT, receivedAtMs }]);
    await pipeline.storedRows.claim(row);
  };
  /** Until every slot has seen its rows. */
  const settle = async () => {
    for (let i = 0; i < 4; i++) {
      pipeline.clock.advance(2 * MINUTE_MS);
      await pipeline.sweep();
      await pipeline.drain();
    }
  };
  const counted = (grain: 'minute' | 'hour' | 'day') =>
    sumCounters(
      pipeline.counters
        .rows()
        .filter(({ key }) => key.grain === grain)
        .map(({ counters }) => counters),
    );
  const recount = (fromMs: number, toMs: number, isSettling = false) =>
    verify(PIPELINE_MERCHANT, { fromMs, toMs }, isSettling, {
      orders: pipeline.orders,
      counters: pipeline.counters,
      stored: { events: pipeline.storedRows, batches: pipeline.batches, orders: pipeline.orders },
      platforms: PLATFORMS,
      people: pipeline.attribution,
      eventVault: pipeline.eventVault,
      clock: pipeline.clock,
      report: (problem, error) => expect.unreachable(`${problem}: ${String(error)}`),
    });
  return { ...pipeline, send, crawl, settle, counted, recount };
}

it.each([
  ['the same minute', MINUTE_MS, 1_000],
  ['the edge of a minute', MINUTE_MS, MINUTE_MS],
  ['the edge of an hour', HOUR_MS, MINUTE_MS],
  ['the edge of a day', DAY_MS, HOUR_MS],
])('counts an order once that is sent twice over %s, in every grain', async (_, grainMs, laterMs) => {
  const { clock, send, settle, counted } = await setUp();
  clock.advance(
    floorTo(clock.now(), grainMs) + grainMs - clock.now() - (laterMs < MINUTE_MS ? -5_000 : 1_000),
  );
  await send({ order_id: 'A', value: 10, currency: 'EUR', user_data: { browser_ids: { gclid: 'g' } } });
  clock.advance(laterMs);
  await send({ order_id: 'A', value: 10, currency: 'EUR' });
  await settle();
  for (const grain of ['minute', 'hour', 'day'] as const)
    expect(counted(grain)).toMatchObject({
      repeatedOrders: 1,
      credits: { google_ads: { orders: 1, unlinked: 0, revenue: { EUR: { orders: 1, minor: '1000' } } } },
    });
});

it('agrees with a count by hand: currencies, twins, crawlers, names that objects have, orders without a number', async () => {
  const { clock, send, crawl, settle, counted, recount } = await setUp();
  const startMs = clock.now();
  const person = { email: 'constructor@example.com' };
  await send({ event_name: 'PageView', user_data: { ...person, browser_ids: { ttclid: 't' } } });
  await crawl('bot-1', {
    event_name: 'PageView',
    user_data: { email: 'zoe@example.com', browser_ids: { twclid: 'x' } },
  });
  clock.advance(HOUR_MS);
  await send({ order_id: 'constructor', value: 1_200, currency: 'JPY', user_data: person });
  await send({ order_id: '__proto__', value: 1.234, currency: 'KWD', user_data: person });
  await send({ order_id: '☃', value: 2.5, currency: 'EUR', user_data: { email: 'zoe@example.com' } });
  await crawl('bot-2', { order_id: 'bot', value: 99, currency: 'EUR' });
  await send({ value: 3, currency: 'EUR' });
  await send({ value: 3, currency: 'EUR' });
  await send({ order_id: 'free' });
  // Both copies of one logical event, and its order again under another id.
  await send({ event_id: 'twin', order_id: 'T', value: 7, currency: 'EUR' }, 'browser');
  clock.advance(MINUTE_MS);
  await send({ event_id: 'twin', order_id: 'T', value: 7, currency: 'EUR' });
  await send({ order_id: 'T', value: 7, currency: 'EUR' });
  await settle();
  for (const grain of ['minute', 'hour', 'day'] as const)
    expect(counted(grain)).toMatchObject({
      events: 9,
      bots: 2,
      merged: 1,
      repeatedOrders: 1,
      credits: {
        tiktok: {
          orders: 2,
          unlinked: 0,
          revenue: { JPY: { orders: 1, minor: '1200' }, KWD: { orders: 1, minor: '1234' } },
        },
        direct: { orders: 5, unlinked: 0, revenue: { EUR: { orders: 4, minor: '1550' } } },
      },
    });
  expect(Object.keys(counted('day').credits ?? {}).sort()).toEqual(['direct', 'tiktok']);
  const found = await recount(startMs, clock.now());
  expect(found).toMatchObject({ drift: 0, rows: 12, unreadable: 0 });
  expect(found?.figures['credits.tiktok.revenue.KWD.minor']).toEqual({
    counted: 1_234,
    recounted: 1_234,
    drift: 0,
  });
});

it('finds what is wrong, figure by figure', async () => {
  const { clock, counters, send, settle, recount } = await setUp();
  const startMs = floorTo(clock.now(), HOUR_MS);
  await send({ order_id: 'A', value: 10, currency: 'EUR' });
  await settle();
  for (const row of counters.rows()) {
    const credits = { direct: { orders: 1, unlinked: 0, revenue: { EUR: { orders: 1, minor: '1003' } } } };
    await counters.write({
      ...row,
      version: row.version + 1,
      counters: { ...row.counters, events: 3, credits },
    });
  }
  const found = await recount(startMs, clock.now());
  expect(found?.drift).toBe(5);
  expect(found?.figures.events).toEqual({ counted: 3, recounted: 1, drift: 2 });
  expect(found?.figures['credits.direct.revenue.EUR.minor']?.drift).toBe(3);
});

it('counts by the last click, too, with refunds, and finds no drift', async () => {
  const { clock, send, settle, counted, recount } = await setUp();
  const startMs = clock.now();
  const person = { email: 'a@example.com' };
  const click = async (browser_ids: object) => {
    clock.advance(HOUR_MS);
    await send({ event_name: 'PageView', user_data: { ...person, browser_ids } });
  };
  await click({ ttclid: 't' });
  await click({ gclid: 'g' });
  clock.advance(MINUTE_MS);
  await send({ order_id: 'A', value: 10, currency: 'EUR', user_data: person });
  await click({ twclid: 'x' });
  await send({ order_id: 'B', value: 5, currency: 'USD', user_data: { browser_ids: { twclid: 'x' } } });
  await send({ order_id: 'C' });
  await send({ event_name: 'Refund', order_id: 'A', value: 4, currency: 'EUR' });
  await settle();
  for (const grain of ['minute', 'hour', 'day'] as const) {
    const counters = counted(grain);
    const euro = { EUR: { orders: 1, minor: '1000' } };
    const refunds = { EUR: { orders: 1, minor: '400' } };
    const dollar = { orders: 1, unlinked: 0, revenue: { USD: { orders: 1, minor: '500' } } };
    const direct = { orders: 1, unlinked: 0, revenue: {} };
    const paid = { orders: 1, unlinked: 0, revenue: euro, refunds };
    expect(creditsBy('first_click', counters)).toEqual({ tiktok: paid, x: dollar, direct });
    expect(creditsBy('last_click', counters)).toMatchObject({ google_ads: paid, x: dollar, direct });
    expect(creditsBy('last_click', counters).tiktok).toMatchObject({
      orders: 0,
      revenue: { EUR: { orders: 0, minor: '0' } },
      refunds: { EUR: { orders: 0, minor: '0' } },
    });
  }
  expect(await recount(startMs, clock.now())).toMatchObject({
    drift: 0,
    credit: { orders: 3, differing: 0, unknown: 0, examples: [] },
  });
});

it('finds an order that was normalized before a click that came before it', async () => {
  const { clock, send, settle, recount, attribution } = await setUp();
  const startMs = floorTo(clock.now(), HOUR_MS);
  const person = { email: 'a@example.com' };
  clock.advance(MINUTE_MS);
  const clickedSec = Math.floor(clock.now() / 1_000);
  clock.advance(MINUTE_MS);
  const order = { value: 10, currency: 'EUR', user_data: person };
  await send({ event_id: 'order', order_id: 'A', ...order });
  await send({
    event_name: 'PageView',
    event_time: clickedSec,
    user_data: { ...person, browser_ids: { ttclid: 't' } },
  });
  // Of one that is later than its order nothing follows.
  clock.advance(MINUTE_MS);
  await send({ event_name: 'PageView', user_data: { ...person, browser_ids: { gclid: 'g' } } });
  await settle();
  const found = await recount(startMs, clock.now());
  const [before, after] = ['direct', 'tiktok'].map((one) => ({ credited_to: one, last_click: one }));
  expect(found?.credit).toEqual({
    ...{ orders: 1, differing: 1, settled: 0, unknown: 0 },
    examples: [{ event_id: 'order', ...before, recounted: after }],
  });
  expect(found?.figures['credits.direct.orders']).toEqual({ counted: 1, recounted: 0, drift: 1 });
  expect(found?.figures['credits.tiktok.revenue.EUR.minor']).toMatchObject({ recounted: 1_000 });
  // Nothing is known of the person any more: what was stored stands.
  for (const { pk } of attribution.items())
    await attribution.forgetPeople(PIPELINE_MERCHANT, [String(pk).split('#').at(-1) ?? '']);
  await send({ order_id: 'B', ...order, user_data: { ...person, browser_ids: { gclid: 'g' } } });
  clock.advance(8 * DAY_MS);
  expect(await recount(startMs, startMs + HOUR_MS)).toMatchObject({ credit: { orders: 2, differing: 0 } });
});

it('goes on without what was looked up when a message is handled twice, and counts it once', async () => {
  const { clock, accept, queues, stages, settle, counted, attribution } = await setUp();
  await accept({
    event_id: 'e',
    event_name: 'Purchase',
    event_time: Math.floor(clock.now() / 1_000),
    user_data: { email: 'a@example.com', browser_ids: { gclid: 'g' } },
    order_id: 'A',
  });
  const [message] = queues.accepted.receive(10);
  if (message === undefined) throw new Error('nothing was sent');
  await Promise.all([stages.normalize([message]), stages.normalize([message])]);
  await settle();
  expect(counted('day').credits).toEqual({ google_ads: { orders: 1, unlinked: 0, revenue: {} } });
  // One click by one key.
  expect(attribution.size()).toBe(1);
});

it('takes refunds back where their order was credited, each once, on the day on which they come', async () => {
  const { clock, send, settle, counted, recount } = await setUp();
  const startMs = clock.now();
  await send({ order_id: 'A', value: 10, currency: 'EUR', user_data: { browser_ids: { gclid: 'g' } } });
  await send({ order_id: 'B', value: 1_200, currency: 'JPY' });
  const refund = (event_id: string, more: object, channel: 'server' | 'browser' = 'server') =>
    send({ event_id, event_name: 'Refund', ...more }, channel);
  await refund('r1', { order_id: 'A', value: 4, currency: 'EUR' });
  await refund('r2', { order_id: 'A', value: 40, currency: 'EUR' });
  await refund('r3', { order_id: 'B' });
  await refund('r4', { order_id: 'B', value: 5, currency: 'EUR' });
  await refund('r5', { order_id: 'never seen', value: 3, currency: 'EUR' });
  // No page says what a shop pays back.
  await refund('r6', { order_id: 'A', value: 1, currency: 'EUR' }, 'browser');
  clock.advance(25 * HOUR_MS);
  // A day later its event id may be sent again, and is no other refund.
  await refund('r1', { order_id: 'A', value: 4, currency: 'EUR' });
  await settle();
  const { revenue, refunds, credits, issues } = counted('day');
  expect(revenue).toEqual({ EUR: { orders: 1, minor: '1000' }, JPY: { orders: 1, minor: '1200' } });
  expect(refunds).toEqual({ EUR: { orders: 2, minor: '1000' }, JPY: { orders: 1, minor: '1200' } });
  expect(credits).toMatchObject({
    google_ads: { orders: 1, refunds: { EUR: { orders: 2, minor: '1000' } } },
    direct: { orders: 1, refunds: { JPY: { orders: 1, minor: '1200' } } },
  });
  expect(issues).toMatchObject({
    ...{ 'value:refund_reduced': 1, 'currency:refund_refused': 1 },
    ...{ 'order_id:order_unknown': 1, 'event_id:refund_repeated': 1 },
  });
  expect(await recount(startMs, clock.now())).toMatchObject({ drift: 0 });
});
