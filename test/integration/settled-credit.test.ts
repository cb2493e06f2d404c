// Goal: an order is credited to the clicks of before it, whenever they are normalized: what is credited wrongly at first is settled,
// once, wherever a process dies, and counters, orders and the recount agree afterwards, by the first click and by the last, with
// refunds. Method: the whole pipeline on memory ports; clicks that come late.
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import { dayOf } from '../../lib/core/work/utc-day.ts';
import { everyKey } from '../../lib/events/pipeline/attribution/clicks.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import type { CreditPorts } from '../../services/events/api/analytics/recount-credit.ts';
import { Death, dyingAt } from '../support/dying-ports.ts';
import { testMerchant } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { openSettlingShop } from '../support/settling/shop.ts';

const JANE = { email: 'jane@example.com' };
const FBP = { fbp: 'fb.1.1795250000000.1098115397' };
const PURCHASE = { event_name: 'Purchase', value: 10, currency: 'EUR' };

/** Two orders of one person with refunds in other slots, and two clicks of before them that are normalized after them. */
async function backlogged(shop: ReturnType<typeof openSettlingShop>) {
  const { clock, accept, send } = shop;
  const clickedSec = Math.floor(clock.now() / 1_000);
  clock.advance(5 * MINUTE_MS);
  await accept({ ...PURCHASE, order_id: 'A', user_data: JANE });
  await send({ ...PURCHASE, order_id: 'B', value: 5, user_data: JANE });
  clock.advance(2 * MINUTE_MS);
  await send({ event_name: 'Refund', order_id: 'A', value: 4, currency: 'EUR' });
  clock.advance(2 * MINUTE_MS);
  for (const [at, browser_ids] of [{ ttclid: 't' }, { gclid: 'g' }].entries()) {
    clock.advance(MINUTE_MS);
    const event_time = clickedSec + 60 * at;
    await send({ event_name: 'PageView', event_time, user_data: { ...JANE, browser_ids } });
  }
  // Later than the orders: nothing follows of it.
  await send({ event_name: 'PageView', user_data: { ...JANE, browser_ids: { twclid: 'x' } } });
}

const BEFORE = { first_click: { direct: [2, 1_100] }, last_click: { direct: [2, 1_100] } };
const AFTER = { first_click: { tiktok: [2, 1_100] }, last_click: { google_ads: [2, 1_100] } };

async function agrees(shop: ReturnType<typeof openSettlingShop>) {
  expect(shop.counted()).toEqual(AFTER);
  for (const id of ['A', 'B']) expect(await shop.order(id)).toEqual(['tiktok', 'google_ads']);
  const again = await shop.recount(true);
  expect(again).toMatchObject({ drift: 0, credit: { orders: 2, differing: 0, settled: 0, unknown: 0 } });
}

describe('clicks that are normalized after their order', () => {
  it('are found by the recount, which settles them once', async () => {
    const shop = openSettlingShop();
    await backlogged(shop);
    await shop.follow();
    expect(shop.counted()).toEqual(BEFORE);
    const looked = await shop.recount(false);
    expect(looked?.credit).toMatchObject({ orders: 2, differing: 2, settled: 0 });
    expect(shop.counted()).toEqual(BEFORE);
    const found = await shop.recount(true);
    expect(found?.credit).toMatchObject({ orders: 2, differing: 2, settled: 2 });
    expect(found?.settling).toBe(true);
    expect(found?.figures).toEqual(looked?.figures);
    expect(found?.figures['credits.direct.orders']).toEqual({ counted: 2, recounted: 0, drift: 2 });
    await shop.follow();
    await agrees(shop);
    // A refund that comes now is credited as its order is.
    await shop.send({ event_name: 'Refund', order_id: 'B', value: 1, currency: 'EUR' });
    await shop.follow();
    expect(shop.counted()).toEqual({
      first_click: { tiktok: [2, 1_000] },
      last_click: { google_ads: [2, 1_000] },
    });
  });

  it('are settled of orders that are counted from a manifest', async () => {
    const shop = openSettlingShop({ isConnected: true });
    await backlogged(shop);
    await shop.follow();
    expect(
      shop.storedRows.rows().filter((row) => row.state === 'normalized' && row.place !== undefined).length,
    ).toBeGreaterThan(0);
    expect(shop.counted()).toEqual(BEFORE);
    await shop.recount(true);
    await shop.follow();
    await agrees(shop);
  });

  it('are settled by the audit of their hour, by itself', async () => {
    const shop = openSettlingShop();
    await backlogged(shop);
    await shop.pass(150);
    expect(shop.counted()).toEqual(BEFORE);
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 2 });
    await shop.follow();
    await agrees(shop);
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 0 });
    await agrees(shop);
  });

  it.each<[string, object, object]>([
    ['an address', JANE, JANE],
    ['a cookie that the order came with', { ...JANE, browser_ids: FBP }, { browser_ids: FBP }],
  ])('are settled after that audit when they are normalized, by %s', async (_, buyer, visitor) => {
    const shop = openSettlingShop({ isConnected: true });
    const event_time = Math.floor(shop.clock.now() / 1_000);
    shop.clock.advance(MINUTE_MS);
    await shop.send({ ...PURCHASE, order_id: 'A', user_data: buyer });
    await shop.send({ event_name: 'Refund', order_id: 'A', value: 4, currency: 'EUR' });
    await shop.send({ ...PURCHASE, order_id: 'other', user_data: { email: 'joe@example.com' } });
    await shop.pass(200);
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 0 });
    const ids = { ...(visitor as { browser_ids?: object }).browser_ids, ttclid: 't' };
    const click = { event_name: 'PageView', event_time, user_data: { ...visitor, browser_ids: ids } };
    await shop.send(click);
    expect(await shop.order('A')).toEqual(['tiktok', 'tiktok']);
    expect(await shop.order('other')).toEqual(['direct', 'direct']);
    await shop.send(click);
    await shop.follow();
    const figures = { direct: [1, 1_000], tiktok: [1, 600] };
    expect(shop.counted()).toEqual({ first_click: figures, last_click: figures });
    expect(await shop.recount(true)).toMatchObject({ drift: 0, credit: { differing: 0, settled: 0 } });
  });

  it('read nothing more of where they came in time, or brought no order', async () => {
    const shop = openSettlingShop();
    const read = vi.spyOn(shop.orders, 'readMany');
    const event_time = Math.floor(shop.clock.now() / 1_000);
    await shop.send({ ...PURCHASE, order_id: 'A', user_data: JANE });
    await shop.send({ event_name: 'PageView', user_data: { ...JANE, browser_ids: { ttclid: 't' } } });
    await shop.pass(130);
    // Clicked after the order, and by another person before it.
    const late = (at: number, user_data: object) =>
      shop.send({ event_name: 'PageView', event_time: event_time + at, user_data });
    read.mockClear();
    await late(60, { ...JANE, browser_ids: { gclid: 'g' } });
    await late(-60, { email: 'joe@example.com', browser_ids: { gclid: 'h' } });
    expect(read).not.toHaveBeenCalled();
    expect(await shop.order('A')).toEqual(['direct', 'direct']);
  });

  it('cost the audit nothing but reads where nothing differs', async () => {
    const shop = openSettlingShop();
    await shop.send({ event_name: 'PageView', user_data: { ...JANE, browser_ids: { ttclid: 't' } } });
    await shop.send({ ...PURCHASE, order_id: 'A', user_data: JANE });
    await shop.pass(150);
    const before = shop.counters.rows();
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 0 });
    expect(shop.counters.rows()).toEqual(before);
    expect(shop.queues.counterRefresh.receive(10)).toEqual([]);
  });

  it('stay settled when their slot is counted again', async () => {
    const shop = openSettlingShop();
    await backlogged(shop);
    await shop.follow();
    await shop.recount(true);
    await shop.follow();
    for (const { key } of shop.counters.rows().filter(({ key: { grain } }) => grain === 'minute'))
      await shop.counters.markDue(key, shop.clock.now());
    await shop.follow();
    await agrees(shop);
  });
});

describe('a page that reports an order after its server', () => {
  const merchant = { ...testMerchant(), merchantId: PIPELINE_MERCHANT, serverEventNames: { Purchase: 1 } };
  const BY_PAGE = { browser_ids: { fbp: 'fb.1.1795250000000.1098115397', ttclid: 't' } };
  const credited = { first_click: { tiktok: [1, 1_000] }, last_click: { tiktok: [1, 1_000] } };

  it.each([
    ['with the same event id', { event_id: 'one' }, JANE],
    ['with the same event id, of a person whom the server does not name', { event_id: 'one' }, {}],
    ['with an event id of its own', { event_id: 'two' }, JANE],
  ])('settles its credit at once, %s', async (_, page, person) => {
    const shop = openSettlingShop({ merchant, isConnected: true });
    await shop.send({ ...PURCHASE, event_id: 'one', order_id: 'A', user_data: person });
    await shop.follow();
    expect(await shop.order('A')).toEqual(['direct', 'direct']);
    shop.clock.advance(MINUTE_MS);
    await shop.send({ ...PURCHASE, ...page, order_id: 'A', user_data: BY_PAGE }, 'browser');
    expect(await shop.order('A')).toEqual(['tiktok', 'tiktok']);
    await shop.follow();
    expect(shop.counted()).toEqual(credited);
    await shop.pass(130);
    // The hour is right as it stands: none of its minutes is looked at.
    const read = vi.fn(shop.counters.read);
    const counters = { ...shop.counters, read };
    expect(await shop.reconcile({ counters })).toMatchObject({ drift: 0, settled: 0 });
    expect(read.mock.calls.map(([{ grain }]) => grain)).toEqual(['hour']);
    expect(await shop.recount(true)).toMatchObject({ drift: 0, credit: { differing: 0, settled: 0 } });
  });

  it.each([
    ['another amount', { value: 9 }],
    ['no amount', { value: undefined, currency: undefined }],
    ['storage that was denied', { consent: { ad_storage: 'denied' } }],
  ])('settles nothing with %s', async (_, page) => {
    const shop = openSettlingShop({ merchant });
    await shop.send({ ...PURCHASE, event_id: 'one', order_id: 'A', user_data: JANE });
    await shop.send({ ...PURCHASE, event_id: 'two', order_id: 'A', user_data: BY_PAGE, ...page }, 'browser');
    expect(await shop.order('A')).toEqual(['direct', 'direct']);
    await shop.pass(130);
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 0 });
  });

  it('is credited at once where the page came first, under an id of its own', async () => {
    const shop = openSettlingShop({ merchant });
    await shop.send({ ...PURCHASE, event_id: 'two', order_id: 'A', user_data: BY_PAGE }, 'browser');
    await shop.pass(10);
    await shop.send({ ...PURCHASE, event_id: 'one', order_id: 'A', user_data: JANE });
    expect(await shop.order('A')).toEqual(['tiktok', 'tiktok']);
    await shop.follow();
    expect(shop.counted()).toEqual(credited);
    await shop.pass(130);
    expect(await shop.reconcile()).toMatchObject({ drift: 0, settled: 0 });
  });
});

describe('a process that dies while it settles', () => {
  const settledBy = {
    recount: async (shop: ReturnType<typeof openSettlingShop>, dying: <P extends object>(port: P) => P) => {
      const { ports } = shop;
      const { counters, orders, people, stored } = ports;
      const own: CreditPorts = {
        ...ports,
        ...{ counters: dying(counters), orders: dying(orders), people: dying(people) },
        stored: { ...stored, events: dying(stored.events) },
      };
      await shop.recount(true, own);
    },
    audit: async (shop: ReturnType<typeof openSettlingShop>, dying: <P extends object>(port: P) => P) => {
      const { counters, orders, attribution, storedRows, queues } = shop;
      await shop.reconcile({
        ...{ counters: dying(counters), orders: dying(orders), people: dying(attribution) },
        ...{ events: dying(storedRows), counterRefresh: dying(queues.counterRefresh) },
      });
    },
  };

  it.each(['recount', 'audit'] as const)(
    'at any call of the %s, before or after it, has lost and doubled nothing',
    async (by) => {
      const dieAt = async (at: number, when: 'before' | 'after') => {
        const shop = openSettlingShop({ isConnected: true });
        await backlogged(shop);
        await shop.pass(150);
        const { seen, dying } = dyingAt(at, when);
        await settledBy[by](shop, dying).catch((error: unknown) => {
          if (!(error instanceof Death)) throw error;
        });
        // What it wrote is counted, and the next one settles the rest.
        await shop.follow();
        if (by === 'recount') await shop.recount(true);
        else await shop.reconcile();
        await shop.follow();
        await agrees(shop);
        return seen;
      };
      const { calls } = await dieAt(Number.POSITIVE_INFINITY, 'before');
      expect(calls).toBeGreaterThan(15);
      for (let call = 1; call <= calls; call++)
        for (const when of ['before', 'after'] as const)
          expect([call, when, (await dieAt(call, when)).deaths]).toEqual([call, when, 1]);
    },
  );
});

describe('a person who is erased', () => {
  it('keeps what her orders were credited to, while later orders of others move', async () => {
    const shop = openSettlingShop();
    await shop.send({ event_name: 'PageView', user_data: { ...JANE, browser_ids: { ttclid: 't' } } });
    shop.clock.advance(MINUTE_MS);
    await shop.send({ ...PURCHASE, order_id: 'A', user_data: JANE });
    await shop.follow();
    const before = shop.counted();
    expect(before.first_click).toEqual({ tiktok: [1, 1_000] });
    const row = shop.normalized('A');
    const event = await openEvent(row, shop.eventVault);
    if (event === null) throw new Error('the order cannot be opened');
    await shop.attribution.forgetPeople(PIPELINE_MERCHANT, everyKey(event));
    const found = await shop.recount(true);
    expect(found).toMatchObject({ drift: 0, credit: { orders: 1, differing: 0, settled: 0, unknown: 1 } });
    await shop.pass(130);
    expect(await shop.reconcile()).toMatchObject({ settled: 0 });
    expect(shop.counted()).toEqual(before);
  });

  it('moves nothing once its key is gone, after its window', async () => {
    const shop = openSettlingShop();
    await backlogged(shop);
    await shop.follow();
    await shop.dayKeys.eraseBefore(PIPELINE_MERCHANT, dayOf(shop.clock.now() + DAY_MS));
    expect((await shop.recount(true))?.credit).toMatchObject({
      orders: 2,
      differing: 0,
      settled: 0,
      unknown: 2,
    });
    shop.clock.advance(DAY_MS + HOUR_MS);
    expect(shop.counted()).toEqual(BEFORE);
  });
});
