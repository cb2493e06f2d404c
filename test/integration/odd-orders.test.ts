// Goal: an order is one, whatever is said of it: two values, currencies or customers, fifty reports at once, ids at their limits, clocks
// that are wrong; what is counted, credited and kept for its person says the same. Method: the whole pipeline on memory ports.
import { expect, it } from 'vitest';
import { MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { creditsBy } from '#lib/events/domain/analytics/credit-models.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { testMerchant } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { openSettlingShop } from '../support/settling/shop.ts';

const JANE = { email: 'jane@example.com' };
const PURCHASE = { event_name: 'Purchase', value: 10, currency: 'EUR', user_data: JANE };

function open() {
  const merchant = { ...testMerchant(), merchantId: PIPELINE_MERCHANT };
  const shop = openSettlingShop({ merchant, isConnected: true });
  const counted = async () => {
    await shop.pass(10);
    await shop.follow();
    const rows = shop.counters.rows().filter(({ key }) => key.grain === 'day');
    const all = sumCounters(rows.map(({ counters }) => counters));
    const credited = Object.entries(creditsBy('first_click', all)).filter(([, { orders }]) => orders > 0);
    return {
      revenue: all.revenue,
      credited: Object.fromEntries(credited.map(([slug, { orders }]) => [slug, orders])),
    };
  };
  const stored = async (id: string) => {
    const found = await shop.orders.read(PIPELINE_MERCHANT, orderDigest(id), shop.clock.now());
    return found === 'unreadable' ? undefined : found.order;
  };
  return { ...shop, counted, stored };
}

it.each([
  ['two values', { value: 9 }],
  ['two currencies', { currency: 'USD' }],
  ['two customers', { user_data: { email: 'joe@example.com' } }],
])('counts the first report of an order with %s, alone', async (_, other) => {
  const { send, counted, stored } = open();
  await send({ ...PURCHASE, order_id: 'A' });
  await send({ ...PURCHASE, order_id: 'A', ...other });
  expect(await counted()).toEqual({
    revenue: { EUR: { orders: 1, minor: '1000' } },
    credited: { direct: 1 },
  });
  expect(await stored('A')).toMatchObject({ amount: 'EUR 10', others: [expect.anything()] });
});

it('counts fifty reports at once, of servers, of pages and of another sender, as one order', async () => {
  const { accept, drain, counted, stored } = open();
  for (let i = 0; i < 50; i++) {
    const body = {
      ...PURCHASE,
      event_id: `r${i}`,
      order_id: 'A',
      ...(i % 3 === 2 ? { source: 'segment' } : {}),
    };
    await accept(body, i % 3 === 1 ? 'browser' : 'server');
  }
  await drain();
  expect(await counted()).toEqual({
    revenue: { EUR: { orders: 1, minor: '1000' } },
    credited: { direct: 1 },
  });
  expect((await stored('A'))?.counted.channel).toBe('server');
});

it.each([
  ['as long as it may be', 'x'.repeat(256), 1],
  ['of other letters', '注文 №1', 1],
  ['of spaces, which is none', '   ', 2],
])('takes an order id %s', async (_, order_id, orders) => {
  const { send, counted } = open();
  for (const event_id of ['a', 'b']) await send({ ...PURCHASE, event_id, order_id });
  expect((await counted()).revenue).toEqual({ EUR: { orders, minor: String(orders * 1_000) } });
});

it('refuses an order id that is longer, by name, and keeps nothing', async () => {
  const { send, storedRows } = open();
  await expect(send({ ...PURCHASE, order_id: 'x'.repeat(512) })).rejects.toThrow('at most 256 characters');
  expect(storedRows.rows()).toEqual([]);
});

it.each([
  ['a page whose clock is five minutes ahead', 5, 0, 'tiktok'],
  ['a page whose clock is an hour behind', -60, 0, 'tiktok'],
  ['an order that says it happened before the click', 0, -5, 'direct'],
])(
  'credits by when things happened, at most the time of receipt: %s',
  async (_, clickMin, orderMin, platform) => {
    const { clock, send, counted, stored } = open();
    const at = (minutes: number) => Math.floor(clock.now() / 1_000) + 60 * minutes;
    const user_data = { ...JANE, browser_ids: { ttclid: 't' } };
    await send({ event_name: 'PageView', event_time: at(clickMin), user_data });
    clock.advance(MINUTE_MS);
    await send({ ...PURCHASE, event_time: at(orderMin), order_id: 'A' });
    expect(await counted()).toMatchObject({ credited: { [platform]: 1 } });
    expect((await stored('A'))?.touch).toBe(platform);
  },
);
