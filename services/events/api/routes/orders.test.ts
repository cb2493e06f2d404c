// Goal: an order is answered with all that reported it, the event that is counted first; another merchant's like none.
import { describe, expect, it } from 'vitest';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { createOrderReports, orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { listEvents } from '#lib/events/routes/events.ts';
import { listOrders, readOrder } from '#lib/events/routes/orders/orders.ts';
import { bodyOf, MINE, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';

async function open() {
  const host = await openApi();
  const reports = createOrderReports({ orders: host.orders, platforms: [] });
  const report = async (eventId: string, orderId: string, over: object = {}): Promise<void> => {
    const draft = { eventId, merchantId: MINE, receivedAtMs: NOW - 60_000, verdicts: { meta: PENDING } };
    const event = { orderId, credit: { touch: 'tiktok' }, dedupId: eventId };
    const row = normalizedRow({ ...draft, event, ...over });
    await store(host.events, row);
    await reports.report(row, row.event, row.verdicts, row.event.credit);
  };
  const stored = new Set<string>();
  const refund = async (eventId: string, orderId: string, value?: string, verdict: string = PENDING) => {
    const draft = { eventId, merchantId: MINE, receivedAtMs: NOW, verdicts: { meta: verdict } };
    if (!stored.has(eventId))
      await store(host.events, {
        ...normalizedRow({ ...draft, event: { name: 'Refund', orderId } }),
        ingestId: eventId,
      });
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

it('has the items of the event that is counted, as it said them, and no other', async () => {
  const { report, read } = await open();
  const items = (id: string) => [
    { id, quantity: '2', price: '24.99', name: 'Größe ☃' },
    { id: 'gift', quantity: '0.5' },
  ];
  const said = { orderId: 'A', dedupId: 'x', credit: { touch: 'direct' } };
  await report('page', 'A', { channel: 'browser', event: { ...said, items: items('of the page') } });
  await report('server', 'A', { event: { ...said, items: items('of the server') } });
  const { order } = bodyOf(readOrder, await read('A'));
  expect(order.items).toEqual([
    { id: 'of the server', quantity: 2, price: 24.99, name: 'Größe ☃' },
    { id: 'gift', quantity: 0.5 },
  ]);
});

it('answers 404 for an order that nothing reported, that is another merchant’s, or that was reported too long ago', async () => {
  const { report, read, clock } = await open();
  await report('e1', 'A');
  const [theirs, unknown] = [await read('A', 'theirs'), await read('nothing', 'theirs')];
  expect([theirs.status, unknown.status]).toEqual([404, 404]);
  expect((await read('constructor')).status).toBe(404);
  clock.advance(436 * 86_400_000);
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
    items: [],
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
    {
      not_taken_back: [
        {
          platform: 'meta',
          explanation:
            'Not taken back by Meta: it takes no refunds. Send the profit you expect to keep as custom_data.net_revenue of the purchase.',
        },
      ],
    },
  ]);
});

describe('the list', () => {
  const shown = async ({ call, session }: Awaited<ReturnType<typeof open>>, query = '') =>
    bodyOf(listOrders, await call(`/v1/orders?${query}`, { token: session('member') }));

  it('shows each order once, as the event that is counted, with what is left of it', async () => {
    const host = await open();
    const at = (secondsAgo: number) => ({ receivedAtMs: NOW - secondsAgo * 1_000 });
    await host.report('page', 'A', { channel: 'browser', ...at(50) });
    await host.report('server', 'A', at(40));
    await host.report('again', 'A', at(30));
    await host.report('both', 'B', { channel: 'browser', ...at(20) });
    await host.report('both', 'B', at(15));
    await host.refund('r1', 'A', '4');
    const lone = { name: 'Purchase', value: '3', currency: 'JPY' } as const;
    await store(
      host.events,
      normalizedRow({ eventId: 'lone', event: lone, ...at(10) }),
      normalizedRow({ eventId: 'crawler', event: { ...lone, bot: true }, ...at(9) }),
      normalizedRow({ eventId: 'replayed', event: { ...lone, replay: true }, ...at(8) }),
      normalizedRow({ eventId: 'view', event: { name: 'PageView' }, ...at(7) }),
      normalizedRow({ eventId: 'theirs', merchantId: THEIRS, ...at(6) }),
      acceptedRow({ eventId: 'not yet', ...at(5) }),
    );
    const { orders, next_cursor } = await shown(host);
    expect(orders).toEqual([
      expect.objectContaining({ event_id: 'lone', value: 3, currency: 'JPY', net: 3, reports: 1 }),
      expect.objectContaining({ order_id: 'B', event_id: 'both', trust: 'server', value: 10, reports: 2 }),
      expect.objectContaining({
        ...{ order_id: 'A', event_id: 'server', trust: 'server', credited_to: 'tiktok' },
        ...{ value: 10, refunded: 4, net: 6, currency: 'EUR', reports: 3 },
      }),
    ]);
    expect(orders[0]).not.toHaveProperty('order_id');
    expect(next_cursor).toBeNull();
  });

  it('goes on by cursor, within a range, and refuses a cursor of another query', async () => {
    const host = await open();
    for (let i = 0; i < 7; i++) await host.report(`e${i}`, `o${i}`, { receivedAtMs: NOW - i * 60_000 });
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = await shown(host, `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.orders.length).toBeGreaterThan(0);
      ids.push(...page.orders.map(({ event_id }) => event_id));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(ids).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
    const part = await shown(host, `start=${NOW - 180_000}&end=${NOW - 60_000}`);
    expect(part.orders.map(({ order_id }) => order_id)).toEqual(['o2', 'o3']);
    const { next_cursor } = await shown(host, 'limit=3');
    const token = host.session('member');
    const foreign = await host.call(`/v1/orders?end=${NOW}&cursor=${next_cursor}`, { token });
    expect(foreign.status).toBe(400);
  });
});

it('opens the events of an order, its refunds among them, without looking through others', async () => {
  const host = await open();
  await host.report('e1', 'A', { receivedAtMs: NOW - 20 * 86_400_000 });
  await host.report('e2', 'A', { channel: 'browser' });
  await host.report('other', 'A/2');
  await host.refund('r1', 'A', '4');
  const find = async (query: string) => {
    const reply = await host.call(`/v1/events?${query}`, { token: host.session('member') });
    const { events, total, total_is_exact } = bodyOf(listEvents, reply);
    expect([total, total_is_exact]).toEqual([events.length, true]);
    return events.map(({ event_id }) => event_id);
  };
  expect(await find('order_id=A')).toEqual(['r1', 'e2', 'e1']);
  expect(await find('order_id=A&orderDirection=asc&event_name=Purchase')).toEqual(['e1', 'e2']);
  expect(await find(`order_id=A&start=${NOW - 86_400_000}&end=${NOW}`)).toEqual(['e2']);
  expect(await find('order_id=a')).toEqual([]);
  // Nothing is known of it any more, but its events are kept.
  await store(
    host.events,
    normalizedRow({ eventId: 'old', receivedAtMs: NOW, event: { orderId: 'forgotten' } }),
  );
  expect(await find('order_id=forgotten')).toEqual(['old']);
});
