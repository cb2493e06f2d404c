// Goal: an order is credited to the clicks of before it, whenever they are normalized: what is credited wrongly at first is settled,
// once, wherever a process dies, and counters, orders and the recount agree afterwards, by the first click and by the last, with
// refunds. Method: the whole pipeline on memory ports; clicks that come late.
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import { everyKey } from '../../lib/events/pipeline/attribution/clicks.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import type { CreditPorts } from '../../services/events/api/analytics/recount-credit.ts';
import { Death, dyingAt } from '../support/dying-ports.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { openSettlingShop } from '../support/settling/shop.ts';

const JANE = { email: 'jane@example.com' };
const PURCHASE = { event_name: 'Purchase', value: 10, currency: 'EUR' };

/** Two orders of one person with refunds in other slots, and two clicks of before them that are normalized after them. */
async function backlogged(shop: ReturnType<typeof openSettlingShop>) {
  const { clock, send } = shop;
  const clickedSec = Math.floor(clock.now() / 1_000);
  clock.advance(5 * MINUTE_MS);
  await send({ ...PURCHASE, order_id: 'A', user_data: JANE });
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
    expect(shop.counted()).toEqual({ first_click: { tiktok: [2, 1_000] }, last_click: { google_ads: [2, 1_000] } });
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
