// Goal: an order is answered with all that reported it, the event that is counted first; another merchant's like none.
import { expect, it } from 'vitest';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { createOrderReports, orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { readOrder } from '#lib/events/routes/orders/orders.ts';
import { bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';

async function open() {
  const host = await openApi();
  const reports = createOrderReports({ orders: host.orders, platforms: [] });
  const report = async (eventId: string, orderId: string, over: object = {}): Promise<void> => {
    const draft = { eventId, merchantId: MINE, receivedAtMs: NOW - 60_000, verdicts: { meta: PENDING } };
    const event = { orderId, credit: { touch: 'tiktok' }, dedupId: eventId };
    const row = normalizedRow({ ...draft, event, ...over });
    await store(host.events, row);
    await reports.report(row, row.event, row.verdicts, row.event.credit?.touch);
  };
  const stored = new Set<string>();
  const refund = async (eventId: string, orderId: string, value?: string, verdict: string = PENDING) => {
    const draft = { eventId, merchantId: MINE, receivedAtMs: NOW, verdicts: { meta: verdict } };
    if (!stored.has(eventId))
      await store(host.events, { ...normalizedRow({ ...draft, event: { orderId } }), ingestId: eventId });
    stored.add(eventId);
    await reports.refund(
      { key: { merchantId: MINE, channel: 'server', eventId }, ingestId: eventId, receivedAtMs: NOW },
      {
        name: 'Refund',
        orderId,
        dedupId: eventId,
        ...(value === undefined ? {} : { value, currency: 'EUR' }),
      },
    );
  };
  const token = host.session('member');
  const read = (id: string, owner: 'mine' | 'theirs' = 'mine') =>
    host.call(`/v1/orders/${encodeURIComponent(id)}`, {
      token: owner === 'mine' ? token : host.session('member', 'theirs'),
    });
  return { ...host, report, refund, read };
}

it('says who is counted, what it is credited to, and names every event', async () => {
  const { report, read } = await open();
  await report('e1', 'A/1 ☃');
  await report('e2', 'A/1 ☃', { channel: 'browser' });
  await report('e1', 'A/1 ☃', { channel: 'browser' });
  await report('other', 'B');
  const { order } = bodyOf(readOrder, await read('A/1 ☃'));
  expect(order).toMatchObject({
    order_id: 'A/1 ☃',
    ...{ value: 10, currency: 'EUR', credited_to: 'tiktok', is_complete: true },
    events: [
      { event_id: 'e1', trust: 'server', counted: true, dedup_id: 'e1' },
      { event_id: 'e1', trust: 'browser', counted: false },
      { event_id: 'e2', trust: 'browser', counted: false },
    ],
  });
});

it('answers 404 for an order that nothing reported, that is another merchant’s, or that was reported too long ago', async () => {
  const { report, read, clock } = await open();
  await report('e1', 'A');
  const [theirs, unknown] = [await read('A', 'theirs'), await read('nothing', 'theirs')];
  expect([theirs.status, unknown.status]).toEqual([404, 404]);
  expect((await read('constructor')).status).toBe(404);
  clock.advance(91 * 86_400_000);
  expect((await read('A')).status).toBe(404);
  expect(THEIRS).not.toBe(MINE);
});

it('is told as far as its events are kept', async () => {
  const { orders, read } = await open();
  const known = {
    ingestId: 'i',
    channel: 'server',
    receivedAtMs: NOW,
    conversionId: 'gone',
    byEventId: false,
  } as const;
  const counted = { ...known, eventId: 'gone' };
  const order = { counted, sent: { ...counted, atMs: NOW, targets: [] }, others: [] };
  expect(await orders.create(MINE, orderDigest('A'), order)).toBe(true);
  expect(bodyOf(readOrder, await read('A')).order).toEqual({
    order_id: 'A',
    refunds: [],
    events: [],
    is_complete: true,
  });
});

it('says what refunds took back, and what is left', async () => {
  const { report, refund, read } = await open();
  await report('e1', 'A');
  await refund('r1', 'A', '4');
  await refund('r1', 'A', '4');
  await refund('r2', 'A', '7.5');
  const { order } = bodyOf(readOrder, await read('A'));
  expect(order).toMatchObject({ value: 10, refunded: 10, net: 0 });
  expect(order.refunds).toEqual([
    { event_id: 'r1', amount: 4, status: 'applied', not_taken_back: [] },
    { event_id: 'r2', amount: 6, status: 'reduced', not_taken_back: [] },
  ]);
});

it('says which platforms do not take a refund back, and why', async () => {
  const { report, refund, read } = await open();
  await report('e1', 'A');
  await refund('r1', 'A', '4', 'not_taken_back:no_way');
  expect(bodyOf(readOrder, await read('A')).order.refunds).toMatchObject([
    { not_taken_back: [{ platform: 'meta', explanation: 'Not taken back by Meta: it takes no refunds.' }] },
  ]);
});
