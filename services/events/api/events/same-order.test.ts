// One event is compared with its nearest neighbours: a purchase of the same order among them is an issue of the event.
import { beforeEach, expect, it } from 'vitest';
import { readEvent } from '#lib/events/routes/events.ts';
import { type ApiHost, bodyOf, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { SAME_ORDER_REACH } from './same-order.ts';

let host: ApiHost;
beforeEach(async () => {
  host = await openApi();
});
const row = (eventId: string, atMs: number, orderId = '7', more: object = {}) =>
  normalizedRow({ eventId, receivedAtMs: atMs, event: { orderId }, ...more });
const AT = NOW - 7_200_000;
async function issues() {
  const reply = await host.call('/v1/events/mine', { token: host.session('member') });
  return bodyOf(readEvent, reply).event.issues;
}
const REPEATED = [{ field: 'order_id', code: 'repeated_order' }];

it.each<[string, number]>([
  ['just after', 1],
  ['just before', -1],
  ['at the same time', 0],
  ['almost an hour later', SAME_ORDER_REACH.rangeMs - 1],
  ['an hour before', -SAME_ORDER_REACH.rangeMs],
])('a purchase of the same order %s is an issue', async (_name, offsetMs) => {
  await store(host.events, row('mine', AT), row('other', AT + offsetMs));
  expect(await issues()).toEqual(REPEATED);
});

it.each<[string, ReturnType<typeof row>]>([
  ['another order', row('other', AT, '8')],
  ['an event beyond the reach', row('other', AT + SAME_ORDER_REACH.rangeMs)],
  ['its own copy from the browser', row('mine', AT, '7', { channel: 'browser' })],
  ['another merchant’s order', row('other', AT, '7', { merchantId: THEIRS })],
  [
    'its own replay',
    normalizedRow({ eventId: 'x', receivedAtMs: AT, event: { orderId: '7', replay: true } }),
  ],
])('%s is none', async (_name, other) => {
  await store(host.events, row('mine', AT), other);
  expect(await issues()).toEqual([]);
});

it('looks at no more rows than it says, however busy the merchant is', async () => {
  let rows = 0;
  const { events } = host;
  const counting = await openApi(() => ({
    events: {
      read: (key) => events.read(key),
      received: (query) => events.received(query),
      readMany: async (keys, consistency) => {
        rows += keys.length;
        return await events.readMany(keys, consistency);
      },
    },
  }));
  const many = Array.from({ length: 300 }, (_, i) => row(`e${i}`, AT + i - 150, `o${i}`));
  await store(events, row('mine', AT), ...many);
  host = counting;
  expect(await issues()).toEqual([]);
  expect(rows).toBeLessThanOrEqual(2 * SAME_ORDER_REACH.rowsEachSide);
});
